"""The arguments of xacro files: their values, and which of them lead to a file that is missing."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from xml.dom import minidom

from unibody.files.access import Files
from unibody.formats.arguments import argument
from unibody.text.counted import listed
from unibody.text.dataclass import dataclass
from unibody.text.hint import Hint

SUBSTITUTION = re.compile(r"\$\([^()]*\)")
_EXPRESSION = re.compile(r"\$\{([^}]*)\}")
_ARGUMENT = re.compile(r"\$\(arg\s+([^\s()]+)\s*\)|\barg\(\s*['\"]([^'\"]+)['\"]\s*\)")
_NAME = re.compile(r"[A-Za-z_]\w*")
_PARAMETER = re.compile(r"(\w+)\s*:?=\s*(?:\^\|)?(\S+)")
# Most texts that are followed from a path to the arguments in it.
_MOST_TEXTS = 1000
_LONGEST = 30_000
_SHOWN_VALUES = 8


class Arguments(dict[str, str]):
    """The values of arguments; ``declared`` gets the names that are looked up.

    Those that the caller gave may have substitutions such as $(find NAME), which ``expand`` evaluates where
    an argument is used.
    """

    def __init__(
        self, values: Mapping[str, str], declared: dict[str, str | None], expand: Callable[[str], str]
    ) -> None:
        super().__init__((name, str(value)) for name, value in values.items())
        self.declared = declared
        self.given = frozenset(values)
        self._expand = expand
        self._open: list[str] = []

    def __contains__(self, name: object) -> bool:
        self.declared.setdefault(str(name), None)
        return super().__contains__(name)

    def __getitem__(self, name: str) -> str:
        self.declared.setdefault(name, None)
        value = super().__getitem__(name)
        if name not in self.given or "$(" not in value or name in self._open:
            return value
        self._open.append(name)
        try:
            return SUBSTITUTION.sub(lambda found: self._expand(found[0]), value)
        finally:
            self._open.pop()


@dataclass(frozen=True, slots=True)
class Cause:
    """Arguments whose values lead to a file that is missing.

    ``said`` is the end of a message, ``hint`` what to do. ``given``: the caller gave a value of one.
    """

    said: str
    hint: Hint
    given: bool


class Texts:
    """The texts from which the values of the properties, arguments and parameters of files are made."""

    def __init__(self) -> None:
        self._of: dict[str, list[str]] = {}
        self._defaults: dict[str, list[str]] = {}
        #: Those that load YAML files.
        self.loading: list[str] = []

    def add(self, document: minidom.Document) -> None:
        """Note the texts of a file."""
        for element in document.getElementsByTagName("*"):
            self.loading += [value for _, value in element.attributes.items() if "load_yaml(" in value]
            match element.tagName:
                case "xacro:property":
                    words = [element.getAttribute(word) for word in ("value", "default")]
                    self._note(self._of, element.getAttribute("name"), words)
                case "xacro:arg":
                    self._note(
                        self._defaults, element.getAttribute("name"), [element.getAttribute("default")]
                    )
                case "xacro:macro":
                    for found in _PARAMETER.finditer(element.getAttribute("params")[:_LONGEST]):
                        self._note(self._of, found[1], [found[2]])
                case tag if tag.startswith("xacro:"):
                    for name, value in element.attributes.items():
                        self._note(self._of, name, [value])

    def _note(self, texts: dict[str, list[str]], name: str, words: Iterable[str]) -> None:
        texts.setdefault(name, []).extend(word for word in words if "$" in word)

    def arguments_in(self, texts: Iterable[str]) -> set[str]:
        """The names of the arguments that texts depend on."""
        found: set[str] = set()
        todo, seen = list(texts), set[str]()
        while todo and len(seen) < _MOST_TEXTS:
            text = todo.pop()
            if text in seen:
                continue
            seen.add(text)
            for one, other in _ARGUMENT.findall(text):
                found.add(one or other)
                todo += self._defaults.get(one or other, [])
            for expression in _EXPRESSION.findall(text):
                for name in _NAME.findall(expression):
                    todo += self._of.get(name, [])
        return found

    def cause(self, texts: Iterable[str], path: str, values: Arguments, files: Files) -> Cause | None:
        """The arguments in texts that lead to the missing ``path``; None if none do."""
        names = [name for name in sorted(self.arguments_in(texts)) if dict.__contains__(values, name)]
        held = {name: str(dict.__getitem__(values, name)) for name in names}
        led = [name for name in names if held[name] in path]
        # an argument that is made of others is not what is to be given
        made = {name: self.arguments_in(self._defaults.get(name, [])) for name in led}
        led = [name for name in led if name in values.given or not made[name].intersection(led)]
        if not led:
            return None
        said = ", ".join(f"the argument '{name}' is '{held[name]}'" for name in led[:_SHOWN_VALUES])
        ways = [word for name in led[:_SHOWN_VALUES] for word in (argument(name), " or ")][:-1]
        others = _others(path, held[led[0]], files) if len(led) == 1 else []
        such = f", such as {listed([repr(v) for v in others], _SHOWN_VALUES)}" if others else ""
        hint = Hint("give another value with ", *ways, such)
        return Cause(said, hint, not values.given.isdisjoint(led))


def _others(path: str, value: str, files: Files) -> list[str]:
    """The values instead of ``value`` with which a path leads to a file.

    They are read off the folders and files beside the first part of the path that is missing.
    """
    head, rest = path, list[str]()
    while head and not files.kind(head):
        head, name = os.path.split(head)
        if not name:
            return []
        rest.insert(0, name)
    if not rest:
        return []
    missing, inner = rest[0], rest[1:]
    if value not in missing:
        return []
    before, after = missing.split(value, 1) if value else (missing, "")
    out = []
    for name in files.names(head or os.curdir):
        if len(name) > len(before) + len(after) and name.startswith(before) and name.endswith(after):
            out.append(name[len(before) : len(name) - len(after)])
        elif not value and len(name) > len(missing) and name.endswith(missing):
            out.append(name[: len(name) - len(missing)])
        else:
            continue
        if not files.exists(os.path.join(head, name, *inner)):
            out.pop()
    return out
