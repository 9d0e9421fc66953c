"""Finds where prims and their properties are written in a layer; OpenUSD tells what they say."""

from __future__ import annotations

import re

_LONG = r"@@@(?s:.*?)@@@|@[^@\n]*@"
_STRING = r'"""(?s:.*?)"""|\'\'\'(?s:.*?)\'\'\'|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|' + _LONG
_TOKEN = re.compile(rf"(?:\#[^\n]*|[ \t\r]+)|({_STRING})|([^\W\d][\w:.]*)|([{{}}()\[\]=;\n])|[^\s]")
# Within parentheses and brackets: only what opens and closes them counts.
_INNER = re.compile(rf"\#[^\n]*|({_STRING})|([()\[\]])|[^()\[\]\"'@#]+|[\"'@]")
_PRIMS = ("def", "over", "class")
_QUOTES = "\"'"

#: The first and the last character of a prim or a property, by the path of the prim and the property.
Places = dict[tuple[str, str], tuple[int, int]]


def places(text: str) -> Places:
    """Where the prims of a layer and their properties are written; of several, the first place.

    >>> found = places('#usda 1.0\\ndef Xform "r"\\n{\\n    float mass = 2\\n}\\n')
    >>> found["/r", ""], found["/r", "mass"]
    ((10, 23), (36, 40))
    """
    return _Scan(text).run()


class _Scan:
    def __init__(self, text: str) -> None:
        self.text = text
        self.found: Places = {}
        # the path of each open brace, None for one that holds no prims
        self.open: list[str | None] = [""]
        self.words: list[tuple[str, int, int]] = []
        self.pending: str | None = None
        self.is_value = False

    def run(self) -> Places:
        at, size = 0, len(self.text)
        while at < size:
            found = _TOKEN.match(self.text, at)
            if found is None:
                break
            at = found.end()
            string, word, mark = found.groups()
            if mark in ("(", "["):
                at = self._closed(at)
            elif word is not None:
                self.words.append((word, found.start(), at))
            elif string is not None:
                self._string(string, at)
            elif mark is not None:
                self._mark(mark)
        return self.found

    def _closed(self, at: int) -> int:
        """Behind the bracket that closes the one before ``at``."""
        depth = 1
        while depth:
            found = _INNER.match(self.text, at)
            if found is None:
                return len(self.text)
            at = found.end()
            if found[2]:
                depth += 1 if found[2] in "([" else -1
        return at

    def _string(self, string: str, end: int) -> None:
        if self.is_value or self.open[-1] is None or string[0] not in _QUOTES:
            return
        name = string.strip(string[0])
        first = self.words[0] if self.words else None
        if first is None:
            self.pending = self.open[-1]  # a variant: what it holds is in the prim
        elif first[0] == "variantSet":
            self.pending = self.open[-1]
        elif first[0] in _PRIMS:
            self.pending = f"{self.open[-1]}/{name}"
            self.found.setdefault((self.pending, ""), (first[1], end))

    def _mark(self, mark: str) -> None:
        if mark == "{":
            self.open.append(self.pending)
            self.pending, self.is_value = None, False
            self.words.clear()
        elif mark == "}":
            self._property()
            if len(self.open) > 1:
                self.open.pop()
            self.pending = None
        elif mark == "=":
            if self.pending is None:
                self._note()
                self.is_value = True
        elif self.pending is None:
            self._property()

    def _note(self) -> None:
        """Note the property that is being declared."""
        path = self.open[-1]
        if path and self.words and not self.is_value:
            word, start, end = self.words[-1]
            self.found.setdefault((path, word), (start, end))

    def _property(self) -> None:
        """End a statement."""
        if len(self.words) > 1:
            self._note()
        self.words.clear()
        self.is_value = False
