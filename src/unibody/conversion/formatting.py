"""Files in the spelling and layout of their format, with every comment, and nothing else changed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TypeAlias

from unibody.document.declare import Document
from unibody.document.declare import plan as declared
from unibody.files.access import FileError, Files
from unibody.files.filesystem import OverlayFileSystem
from unibody.formats import Format
from unibody.formats.loader import Reading, read
from unibody.model.facts import diff
from unibody.text.edit_bytes import encoding_of
from unibody.text.finding import Finding
from unibody.text.inventor.binary import is_binary
from unibody.text.node import Node, Row, Value
from unibody.text.vrml.layout import laid_out

_Rename: TypeAlias = tuple[Node, int, str]
_Known: TypeAlias = tuple[Node, type[Document]]

# What is no more where an XML declaration stands where it belongs.
_MENDED = ("xml-declaration",)
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Formatted:
    """A file's text before and after, and the bytes to be written.

    ``data`` is in the file's own encoding, with its byte order mark and its line ends; ``read`` are the
    bytes that the file had. Where
    ``refused`` says why the file stays as it is, both texts are the same.
    """

    before: str
    after: str
    data: bytes
    read: bytes
    refused: Finding | None = None


@dataclass(frozen=True, slots=True)
class _Form:
    """How a file writes its text down: the byte order mark, the encoding and the line end."""

    mark: bytes
    encoding: str
    line_end: str

    def data(self, text: str) -> bytes:
        """The bytes of a text whose lines end with a line feed; UnicodeEncodeError when there are none."""
        return self.mark + text.replace("\n", self.line_end).encode(self.encoding)


def formatted(
    path: str, format: str | Format | None = None, files: Files | None = None
) -> tuple[Reading, Formatted | None]:
    """The reading of a file, and its text as its format would have it; None when it cannot be read.

    The old spellings of keys become those of the format as far as the model stays what it is.
    """
    files = files or Files()
    data = _data(path, files)
    reading = read(path, format, files=files)
    if reading.robot is None or reading.source is None or reading.node is None or reading.format is None:
        return reading, None
    before = reading.source.text
    form = _form(data, reading)
    if isinstance(form, str):
        return reading, _refused(path, before, data, form)
    plain = _with_plain_lines(path, reading, form, files)
    if plain is None:
        return reading, _refused(path, before, data, "with line ends of one kind it would be another model")
    why = ""
    for text in _candidates(plain):
        try:
            made = form.data(text)
        except UnicodeEncodeError as e:
            why = f"its encoding ({form.encoding}) has no {e.object[e.start]!r}"
            continue
        after = made[len(form.mark) :].decode(form.encoding)
        if after == before:
            return reading, Formatted(before, before, data, data)
        why = _difference(path, made, reading, files)
        if not why:
            return reading, Formatted(before, after, made, data)
    return reading, _refused(path, before, data, why)


def _data(path: str, files: Files) -> bytes:
    try:
        return files.read(path)
    except FileError:  # the reading says why
        return b""


def _refused(path: str, text: str, data: bytes, why: str) -> Formatted:
    finding = Finding("not-formatted", "error", f"{path} stays as it is: {why}")
    return Formatted(text, text, data, data, finding)


def _form(data: bytes, reading: Reading) -> _Form | str:
    """How a file is written, or why it cannot be written so again."""
    assert reading.source is not None
    if data.startswith(_GZIP):
        return "it is packed by gzip; unpack it first"
    if is_binary(data):
        return "it is in Inventor's binary form, which has no layout"
    found = encoding_of(data, reading.source)
    if found is None:
        return "its text is not that of the file alone"
    mark, encoding = found
    text = reading.source.text
    try:
        same = mark + text.encode(encoding) == data
    except UnicodeEncodeError:
        same = False
    if not same:
        return f"it has characters that {encoding} would write with other bytes"
    return _Form(mark, encoding, _line_end(text))


def _line_end(text: str) -> str:
    """The line end that a text has most.

    >>> _line_end("a\\r\\nb\\r\\nc\\n")
    '\\r\\n'
    """
    both = text.count("\r\n")
    counts = {"\n": text.count("\n") - both, "\r\n": both, "\r": text.count("\r") - both}
    return max(counts, key=lambda end: counts[end])


def _with_plain_lines(path: str, reading: Reading, form: _Form, files: Files) -> Reading | None:
    """The reading of the same text with line feeds at the ends of its lines."""
    assert reading.source is not None
    text = reading.source.text
    if "\r" not in text:
        return reading
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    again = _read_planned(path, replace(form, line_end="\n").data(plain), reading, files)
    return again if again.node is not None and again.source is not None else None


def _candidates(reading: Reading) -> list[str]:
    """The file's text with its keys respelled, and with its keys as they are."""
    source, node, format = reading.source, reading.node, reading.format
    assert source is not None
    assert node is not None
    assert format is not None
    if format.brackets:  # within them, lines and columns are the author's
        return [laid_out(source.text, node, format.brackets)]
    printer = format.reader().print
    texts = [printer(node, source)]
    if reading.document is not None and isinstance(node, Node):
        with _respelled(_renames(node, type(reading.document))):
            spelled = printer(node, source)
        if spelled != texts[0]:
            texts.insert(0, spelled)
    return texts


def _read_planned(path: str, data: bytes, reading: Reading, files: Files) -> Reading:
    disk = OverlayFileSystem({os.path.abspath(path): data})
    return read(path, reading.format, files=files.changed(disk=disk))


def _difference(path: str, data: bytes, reading: Reading, files: Files) -> str:
    """What other bytes in place of the file's would change beside its layout; "" for nothing."""
    again = _read_planned(path, data, reading, files)
    if again.robot is None or reading.robot is None or diff(reading.robot, again.robot):
        return "in another layout it would be another model"
    before, after = ([f.code for f in r.findings if f.code not in _MENDED] for r in (reading, again))
    if sorted(before) != sorted(after):
        other = next(code for code in (*after, *before) if before.count(code) != after.count(code))
        return f"in another layout other things would be found in it ({other})"
    return ""


@contextmanager
def _respelled(renames: list[_Rename]) -> Iterator[None]:
    """Keys in their first spelling, and then as they were again: what is shared stays shared."""
    before = [(node, i, node.items[i]) for node, i, _ in renames]
    for node, i, key in renames:
        node.items[i] = (key, *node.items[i][1:])
    try:
        yield
    finally:
        for node, i, item in before:
            node.items[i] = item


def _renames(node: Node, root: type[Document]) -> list[_Rename]:
    """Declared keys in an old spelling, where every place that an item is read from agrees."""
    wanted: dict[tuple[int, int], tuple[Node, set[str]]] = {}
    seen: set[tuple[int, type[Document]]] = set()
    todo: list[_Known] = [(node, root)]
    while todo:
        holder, cls = todo.pop()
        if (id(holder), cls) in seen:
            continue
        seen.add((id(holder), cls))
        declared_keys, keys = declared(cls).keys, {k for k, _, _ in holder.items}
        for i, (key, value, _) in enumerate(holder.items):
            entry = declared_keys.get(key)
            if entry is None:
                todo += [(inner, cls) for inner in _nodes(value) if key == "<<"]
                continue
            spec = entry.spec
            is_old = spec.by != "key" and key in spec.old
            is_alone = not keys.intersection((spec.key, *spec.old)) - {key}
            wanted.setdefault((id(holder), i), (holder, set()))[1].add(
                spec.key if is_old and is_alone else key
            )
            if spec.by == "type":
                todo += _by_type(value, spec.members)
            elif member := entry.member or next(iter(spec.members.values()), None):
                todo += [(inner, member) for inner in _nodes(value)]
    return [
        (holder, i, min(names))
        for (_, i), (holder, names) in wanted.items()
        if len(names) == 1 and names != {holder.items[i][0]}
    ]


def _nodes(value: Value) -> Iterator[Node]:
    """A node, or the nodes of a list."""
    todo = [value]
    while todo:
        one = todo.pop()
        if isinstance(one, Node):
            yield one
        elif isinstance(one, Row):
            todo.extend(one.values)


def _by_type(value: Value, members: Mapping[str, type[Document]]) -> Iterator[_Known]:
    """Elements chosen by their type; a mapping of types to elements is one, too."""
    for node in _nodes(value):
        name = node.word("type")
        cls = members.get(name or "")
        if cls is not None:
            yield node, cls
        elif name is None:
            for key, inner, _ in node.items:
                if key in members and isinstance(inner, Node):
                    yield inner, members[key]
