"""The common grammar of VRML97 and Open Inventor: a single pass with an explicit stack."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from unibody.text.edit import ProposedFix, without
from unibody.text.finding import Findings
from unibody.text.node import Item, Node, Numbers, Row, Value, Word, skipped
from unibody.text.shared import NO_ITEMS
from unibody.text.source import Source
from unibody.text.vrml.brackets import Brackets
from unibody.text.vrml.dialect import Dialect, Statement
from unibody.text.vrml.lexer import Group, numbers_end
from unibody.text.vrml.skip import Used

NUMERIC = "0123456789+-."
_CONSTANTS, _REFERENCES = {"TRUE", "FALSE", "NULL"}, {"DEF", "USE", "IS"}
_NO_TYPES = {*_CONSTANTS, *_REFERENCES, "PROTO", "EXTERNPROTO", "ROUTE", "=", "~"}
# Groups of the pattern of an item; those of its value follow the key's.
_RUN, _REST, _BRACKET, _STRING, _REFER, _NAME, _WORD, _BRACE = (
    1 + group
    for group in (
        *(Group.RUN, Group.REST, Group.BRACKET, Group.STRING),
        *(Group.REFER, Group.NAME, Group.WORD, Group.BRACE),
    )
)
_CHILD, _END = _BRACE + 1, _BRACE + 2
_VALUES = {Group.RUN, Group.BRACKET, Group.EMPTY, Group.STRING}
# The number of groups before the value's in the pattern of a declaration.
_DECLARED_HEAD = 3


class Reader(Brackets):
    """Builds the syntax tree of a text."""

    def __init__(self, source: Source, findings: Findings, dialect: Dialect) -> None:
        super().__init__(source, findings, dialect.code)
        self.dialect, self.patterns, self.used = dialect, dialect.patterns, Used(source.text)
        self.unread, self.string = dialect.unread, dialect.patterns.string

    def read(self, at: int) -> Node:
        """Parse the text from an offset on."""
        guard = self.watched()
        if guard.lists:  # every list has to be checked
            self.dialect = replace(self.dialect, skipped={})
        while at >= 0:
            inner = self.stack[-1]
            at = self.elements(inner, at) if isinstance(inner, Row) else self._items(at)
        self._fields_outside()
        self.judge_bodies()
        return guard.done(self.node)

    def inside(self, node: Node) -> list[Item]:
        """Parse the items of a skipped node."""
        brace = self.patterns.brace.match(self.text, node.start + len(node.tag))
        if not brace:
            return []
        inner = Node(node.tag, [], self.source, node.start)
        # its own brace ends parsing: the enclosing Row is not a node
        self.stack, self.opened = [Row([]), inner], [-1, brace.end() - 1]
        self._items(brace.end())
        return inner.items

    def _fields_outside(self) -> None:
        """Report fields outside of nodes: at the top level, or in the body of a PROTO."""
        todo = [self.node]
        while todo:
            holder = todo.pop()
            for key, value, start in holder.items:
                if key not in ("", "interface", "url"):
                    if holder.tag == "PROTO":
                        if any(f.at is not None and f.at.start == start for f in self.findings):
                            continue  # reported as no declaration
                        self.in_bodies.append((holder.name, len(self.findings)))
                    self.mistake(f"field {key[:40]} is outside of any node", start)
                elif isinstance(value, Node) and value.tag == "PROTO":
                    todo.append(value)

    def _items(self, at: int) -> int:
        """Parse items and braces, up to the start of a list."""
        text, source, stack, opened = self.text, self.source, self.stack, self.opened
        match, keywords = self.counted(self.patterns.item.match), self.dialect.keywords
        starts = self.tree.starts
        node: Node
        value: Value | None
        while (node := stack[-1]).__class__ is not Row:  # type: ignore[assignment]
            found = match(text, at)
            if not found:
                at = self._odd(at)
                if at < 0:
                    return at
                continue
            kind, at = found.lastindex, found.end()
            if kind == _END:
                if text[opened[-1]] == "{" and len(stack) > 1:
                    stack.pop()
                    opened.pop()
                    node.end = at
                    if not node.items:
                        node.items = NO_ITEMS
                else:
                    at = self._close(node, at)
                    if at < 0:
                        return at
                continue
            key, start = found[1], found.start(1)
            if key in keywords or key < "A" or kind == 1 or kind == _CHILD:  # noqa: PLR1714 - quicker
                at = self._statement(key, start, found.end(1), kind == _CHILD)
                if at < 0:
                    return at
                continue
            if kind == _RUN:
                raw, begin = found[_RUN], found.start(_RUN)
                value = Numbers(raw, begin, at, "", "") if found[_REST] else Word(raw, begin, at)
            elif kind == _WORD and found[_WORD] in _CONSTANTS:
                value = Word(found[_WORD], found.start(_WORD), at)
            elif kind == _NAME:
                word, begin = found[_REFER], found.start(_REFER)
                starts[word].append(begin)
                value = Node(word, [], source, begin, at, found[_NAME])
            elif kind == _STRING and "\\" not in (raw := found[_STRING]):
                value = Word(raw[1:-1], found.start(_STRING), at, '"')
            elif kind == _BRACKET and (end := numbers_end(text, at)) >= 0:
                value = Numbers(text[at : end - 1], at - 1, end, "", "[")
                at = end
            elif kind == _BRACE and found[_WORD] not in _NO_TYPES:
                value, at = self._braced(found[_WORD], found.start(_WORD), at)
            else:
                value, at = self._taken(found, 1, key)
                if value is None:
                    continue
            node.items.append((key, value, start))
        return at

    def _braced(self, tag: str, start: int, at: int) -> tuple[Node, int]:
        """A node whose brace ends at ``at``: opened, or skipped and parsed on first access."""
        find_end = self.dialect.skipped.get(tag)
        if find_end and (found := find_end(self.text, at, self.used)):
            self.tree.starts[tag].append(start)
            end, geometry = found
            return skipped(tag, self.source, start, end, geometry, self.dialect.read_skipped), end
        return self._opened(Node(tag, [], self.source, start), at)

    def elements(self, row: Row, at: int) -> int:
        """Parse strings, words and nodes in brackets, up to an opening or closing bracket."""
        match, stack = self.counted(self.patterns.element.match), self.stack
        while stack[-1] is row:
            found = match(self.text, at)
            if not found:
                return self._odd(at)
            kind = found.lastindex
            if kind == Group.END:
                at = row.end = found.end()
                self.pop()
                continue
            if kind == Group.BRACE and (tag := found[Group.WORD]) not in _NO_TYPES:
                node, at = self._braced(tag, found.start(Group.WORD), found.end())
                row.values.append(node)
                continue
            if kind == Group.WORD and (word := found[Group.WORD]) in self.dialect.between:
                start, at = found.span(Group.WORD)
                message = f"{word} in a list of nodes is read as in Choreonoid and OpenHRP"
                hint = f"write the {word} behind the list"
                self.findings.warning(self.code, message, self.span(start), hint)
                at = self.dialect.keywords[word](self, start, at)
                continue
            if kind in (Group.BRACKET, Group.EMPTY):
                self.mistake("nested list", found.start(Group.BRACKET), "remove the inner brackets")
            value, at = self._taken(found, 0, "")
            if value is not None:
                row.values.append(value)
        return at

    def value(self, at: int, key: str) -> tuple[Value | None, int]:
        """Parse the value of field ``key``: the value, and the offset to continue at (after its opening
        bracket, if it has one). None, with a finding, if there is no value.
        """
        found = self.patterns.value.match(self.text, at)
        if found:
            return self._taken(found, 0, key)
        odd = self.dialect.odd_value(self, self.skip(at))
        return odd or (None, self._missing(key, at))

    def _taken(self, found: re.Match[str], base: int, key: str) -> tuple[Value | None, int]:
        """As :meth:`value`, from a match whose groups of the value start after ``base``."""
        kind, end = (found.lastindex or 0) - base, found.end()
        match kind:
            case Group.RUN:
                return self._run(found.start(base + Group.RUN))
            case Group.BRACKET:
                return self._list(end)
            case Group.EMPTY:
                return Row([], found.start(base + Group.BRACKET), end, "", True), end
            case Group.STRING:
                raw = found[base + Group.STRING][1:-1]
                text = self.dialect.undo(raw) if "\\" in raw else raw
                return Word(text, found.start(base + Group.STRING), end, '"'), end
            case Group.TYPE:
                start, name = found.start(base + Group.DEF), found[base + Group.DEFINED]
                node = Node(found[base + Group.TYPE], [], self.source, start, -1, name)
                return self._opened(node, end)
            case Group.NAME:
                word, start = found[base + Group.REFER], found.start(base + Group.REFER)
                self.tree.starts[word].append(start)
                return Node(word, [], self.source, start, end, found[base + Group.NAME]), end
        word, begin, behind = found[base + Group.WORD], *found.span(base + Group.WORD)
        if word in _REFERENCES:
            return self._referring(word, begin, behind)
        if kind == Group.BRACE:
            return self.open(Node(word, [], self.source, begin), end - 1), end
        number, stop = self._run(begin) if key else self._number(begin)
        if number is not None:
            return number, stop
        follower = self.patterns.value.match(self.text, end) if key and word not in _CONSTANTS else None
        if follower and follower.lastindex in _VALUES:
            # "children translation 0 0 1": the word is the name of the next field.
            return None, self._missing(key, begin)
        return Word(word, begin, behind), behind

    def declared_value(self, node: Node, found: re.Match[str]) -> int:
        """Parse the value of a declaration, from a match of the pattern ``declared``."""
        if found.lastindex == _DECLARED_HEAD:
            value, end = self.value(found.end(), node.name)
        else:
            value, end = self._taken(found, _DECLARED_HEAD, node.name)
        if value is not None:
            node.items.append(("value", value, value.start))
        return end

    def _number(self, begin: int) -> tuple[Value | None, int]:
        """Parse a number in any form."""
        found = self.patterns.number.match(self.text, begin)
        return (Word(found[0], begin, found.end()), found.end()) if found else (None, begin)

    def _run(self, begin: int) -> tuple[Value | None, int]:
        """Parse numbers without brackets in any form, with comments between them."""
        first, end = self._number(begin)
        if first is None:
            return None, begin
        while more := self.patterns.run.match(self.text, end):
            end = more.end()
        return (first if end == first.end else Numbers(self.text[begin:end], begin, end, "", "")), end

    def more_numbers(self, start: int, at: int) -> int:
        """Parse a number in place of a field name: it continues the previous field, in an unusual form."""
        items = self.node.items
        if items and isinstance(before := items[-1][1], Word | Numbers) and self.skip(before.end) == start:
            value, end = self._run(before.start)
            if value is not None and end > start:
                items[-1] = (items[-1][0], value, items[-1][2])
                return end
        if self.text[start] in NUMERIC:
            self.mistake(f"expected a field name, not {self.text[start:at][:40]}", start)
            return max(self._run(start)[1], at)
        return self.field(start, at)

    def _list(self, at: int) -> tuple[Value, int]:
        """Parse a list whose bracket ends at ``at``: numbers at once; any other list is opened."""
        end = numbers_end(self.text, at)
        if end >= 0:
            return Numbers(self.text[at : end - 1], at - 1, end, "", "["), end
        row = Row([], at - 1, -1, "", True)
        self.push(row, at - 1)
        return row, at

    def _referring(self, word: str, start: int, at: int) -> tuple[Value | None, int]:
        """Report DEF, USE or IS, from ``start`` to ``at``, without name or node."""
        name = self.patterns.name.match(self.text, at)
        if self.skip(name.end() if name else at) >= len(self.text):
            raise self.cut_off(len(self.text))
        if not name:
            self.mistake(f"{word} without a name", start)
            return None, at
        brace = self.patterns.brace.match(self.text, name.end())
        if brace:
            message = f"DEF without a name for node {name[1]}"
            fix = ProposedFix("remove DEF", (without(self.source, start, start + len(word)),))
            hint = "write DEF name Type {"
            self.findings.warning(self.dialect.code, message, self.span(start), hint, fix=fix)
            return self.open(Node(name[1], [], self.source, start), brace.end() - 1), brace.end()
        self.mistake(f"DEF {name[1]} is not followed by a node", start, "write DEF name Type { … }")
        return None, name.end()

    def open(self, node: Node, bracket: int) -> Node:
        """Open a node whose bracket is at ``bracket``."""
        if node.tag in _NO_TYPES and self.text[bracket] == "{":
            self.mistake(f"invalid node type {node.tag}", node.start)
            node.tag = "?"
        self.tree.starts[node.tag].append(node.start)
        if node.name:
            self.tree.starts["DEF"].append(node.start)
        self.push(node, bracket)
        return node

    def _opened(self, node: Node, at: int) -> tuple[Node, int]:
        """A node whose brace ends at ``at``: opened, or skipped to where loaders that do not read it do."""
        end = self.unread_end(at, self.dialect.first_brace) if node.tag in self.unread else -1
        if end < 0:
            return self.open(node, at - 1), at
        self.skipped_unread(self.open(node, at - 1))
        self.pop()
        node.end = end
        return node, end

    def _statement(self, key: str, start: int, at: int, opens: bool) -> int:
        """Parse a statement, a child without field name, or an unusual field; −1 as for _stray."""
        if self._ends(key[0]):
            return self._stray(key[0], start)
        statement = self.dialect.keywords.get(key)
        if statement:
            return statement(self, start, at)
        if opens:
            holder = self.node
            child, at = self._braced(key, start, self.skip(at) + 1)
            self.child(child, holder)
            return at
        odd = self.dialect.odd_item(self, start)
        if odd >= 0:
            return odd
        return self.more_numbers(start, at) if key[0] in NUMERIC else self.field(start, at)

    def field(self, start: int, at: int) -> int:
        """Parse the field whose name is at ``start`` to ``at``."""
        holder, key = self.node, self.text[start:at]
        value, after = self.value(at, key)
        if value is not None:
            holder.items.append((key, value, start))
        return after

    def child(self, node: Node, holder: Node) -> None:
        """Add a node without field name to its holder."""
        if not self.dialect.bare_children and holder.tag not in ("", "PROTO"):
            message = f"{node.tag} {node.name}".strip() + f" in {holder.tag} has no field name"
            self.mistake(message, node.start, "put it into a field such as children [ … ]")
        holder.items.append(("", node, node.start))

    def _close(self, node: Node, at: int) -> int:
        """Handle a brace that ends at ``at`` and does not match the open bracket."""
        if len(self.stack) == 1:
            return self._stray("}", at - 1)
        self.unclosed(at - 1)
        self.pop()
        node.end = at
        return at

    def _odd(self, at: int) -> int:
        """Handle what is neither an item nor an element of a list; −1 at the end of the text."""
        at = self.skip(at)
        char, inner = self.text[at : at + 1], self.stack[-1]
        if not char:
            if len(self.stack) > 1:
                raise self.cut_off(at)
            return -1
        if isinstance(inner, Row):
            if odd := self.dialect.odd_value(self, at):
                inner.values.append(odd[0])
                return odd[1]
            if char == "}":
                self.unclosed(at)
                inner.end = at
                self.pop()
                return at
        elif (end := self.dialect.odd_item(self, at)) >= 0:
            return end
        return self._stray(char, at)

    def _ends(self, char: str) -> bool:
        """Whether a character ends the file for the original loaders."""
        at_top = self.dialect.ends_at_stray and len(self.stack) == 1 and self.tree.items
        return bool(at_top) and not (char.isalnum() or char == "_" or char >= "\x80")

    def _stray(self, char: str, at: int) -> int:
        """Report and skip an unexpected string or bracket; −1 where the rest of the file is ignored."""
        if self._ends(char):
            if char in "]}" and self.only_closed(at):
                return self.closes_nothing(at)
            message = f"unexpected {char!r}; the rest of the file is ignored, as in OpenHRP"
            self.findings.warning(self.code, message, self.span(at), "remove it")
            return -1
        if char == '"':
            found = self.patterns.value.match(self.text, at)
            if not found or found.lastindex != Group.STRING:
                raise self.unterminated(at)
            self.mistake("expected a field name, not a string", at)
            return found.end()
        if char == "[":
            self.mistake("unexpected [ without a field name", at)
            self.push(Row([], at, -1, "", True), at)
        elif char == "{":
            self.mistake("unexpected { without a node type", at)
            self.push(Node("", [], self.source, at), at)
        elif char in "]}":
            return self.closes_nothing(at)
        else:
            self.mistake(f"unexpected {char!r}", at, "remove it")
        return at + 1

    def _missing(self, key: str, at: int) -> int:
        """Report a field without value; parsing continues at the next token."""
        here = self.skip(at)
        if here >= len(self.text):
            raise self.cut_off(here)
        if self.text[here] == '"':
            raise self.unterminated(here)
        word = self.patterns.word.match(self.text, here)
        hint = (
            f"write a value; {word[1][:40]} is read as the next field"
            if word
            else "write a value after its name"
        )
        self.mistake(f"field {key} has no value", here, hint)
        return here


def read_child(reader: Reader, start: int, at: int) -> int:
    """Read ``DEF name Type {`` or ``USE name`` without a field name."""
    holder = reader.node
    child, end = reader.value(start, "")
    if isinstance(child, Node):
        reader.child(child, holder)
    return end


def refuse(reader: Reader, start: int, at: int) -> int:
    """Report TRUE, FALSE or NULL in place of a field name."""
    reader.mistake(f"expected a field name, not {reader.text[start:at]}", start, "remove it")
    return at


def read_numbers(reader: Reader, start: int, at: int) -> int:
    """Read ``nan`` and ``inf`` among the numbers of a field, else as a field name."""
    return reader.more_numbers(start, at)


#: Statements of both dialects.
STATEMENTS: Mapping[str, Statement] = {
    "DEF": read_child,
    "USE": read_child,
    **dict.fromkeys(sorted(_CONSTANTS), refuse),
    # Numbers that look like a field name and that the fast pattern does not match.
    **dict.fromkeys(("nan", "NaN", "NAN", "inf", "Inf", "INF"), read_numbers),
}
