"""Formats model files: layout and spelling of keys, with all comments and the same model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TypeAlias

from unibody.document.declare import Document
from unibody.document.declare import plan as declared
from unibody.files.access import FileError
from unibody.files.filesystem import OverlayFileSystem
from unibody.formats import Format
from unibody.formats.loader import Reading, read_with
from unibody.formats.read_options import ReadOptions
from unibody.model.facts import diff
from unibody.text.edit_bytes import encoding_of
from unibody.text.finding import Finding
from unibody.text.inventor.binary import is_binary
from unibody.text.node import Node, Row, Value
from unibody.text.vrml.layout import laid_out

# A node, the index of one of its items, and the new key of that item.
_Rename: TypeAlias = tuple[Node, int, str]
# A node and the element class that reads it.
_BoundNode: TypeAlias = tuple[Node, type[Document]]

# Findings that a new layout corrects.
_CORRECTED = ("xml-declaration",)
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Formatted:
    """The text of a file before and after formatting, the bytes to write, and the bytes that were read.

    ``data`` has the file's encoding, byte order mark and line ends. If the file cannot be formatted,
    ``refused`` is the reason, and both texts are equal.
    """

    before: str
    after: str
    data: bytes
    read: bytes
    refused: Finding | None = None


@dataclass(frozen=True, slots=True)
class _Encoding:
    """The byte order mark, the encoding and the line end of a file."""

    mark: bytes
    name: str
    line_end: str

    def encode(self, text: str) -> bytes:
        """The bytes of a text with line feeds; UnicodeEncodeError if the encoding lacks a character."""
        return self.mark + text.replace("\n", self.line_end).encode(self.name)


def formatted(
    path: str,
    format: str | Format | None = None,
    options: ReadOptions | None = None,
) -> tuple[Reading, Formatted | None]:
    """The reading of a file and its formatted text, None if the file cannot be read.

    Keys in an old spelling are respelled if the model
    stays the same.
    """
    options = options or ReadOptions()
    try:
        data = options.files.read(path)
    except FileError:  # reading reports it
        data = b""
    reading = read_with(path, format, options)
    if reading.robot is None or reading.source is None or reading.node is None or reading.format is None:
        return reading, None
    before = reading.source.text
    encoding = _encoding(data, reading)
    if isinstance(encoding, str):
        return reading, _refused(path, before, data, encoding)

    def read_again(data: bytes) -> Reading:
        files = options.files
        disk = OverlayFileSystem({files.absolute(path): data}, below=files.disk)
        return read_with(path, reading.format, replace(options, files=files.changed(disk=disk)))

    normalized = _with_line_feeds(reading, encoding, read_again)
    if normalized is None:
        return reading, _refused(path, before, data, "the model changes when its line ends are unified")
    reason = ""
    for text in _candidates(normalized):
        try:
            encoded = encoding.encode(text)
        except UnicodeEncodeError as e:
            reason = f"the encoding {encoding.name} has no {e.object[e.start]!r}"
            continue
        after = encoded[len(encoding.mark) :].decode(encoding.name)
        if after == before:
            return reading, Formatted(before, before, data, data)
        reason = _difference(reading, read_again(encoded))
        if not reason:
            return reading, Formatted(before, after, encoded, data)
    return reading, _refused(path, before, data, reason)


def _refused(path: str, text: str, data: bytes, reason: str) -> Formatted:
    finding = Finding("not-formatted", "error", f"{path} not formatted: {reason}")
    return Formatted(text, text, data, data, finding)


def _encoding(data: bytes, reading: Reading) -> _Encoding | str:
    """The encoding of a file, or the reason why its bytes cannot be reproduced."""
    assert reading.source is not None
    if data.startswith(_GZIP):
        return "compressed by gzip; decompress it first"
    if is_binary(data):
        return "binary Inventor files have no layout"
    found = encoding_of(data, reading.source)
    if found is None:
        return "the text comes from more than this file"
    mark, name = found
    text = reading.source.text
    try:
        is_reproduced = mark + text.encode(name) == data
    except UnicodeEncodeError:
        is_reproduced = False
    if not is_reproduced:
        return f"encoding the text as {name} gives other bytes"
    return _Encoding(mark, name, _line_end(text))


def _line_end(text: str) -> str:
    """The most frequent line end of a text.

    >>> _line_end("a\\r\\nb\\r\\nc\\n")
    '\\r\\n'
    """
    both = text.count("\r\n")
    counts = {"\n": text.count("\n") - both, "\r\n": both, "\r": text.count("\r") - both}
    return max(counts, key=lambda end: counts[end])


def _with_line_feeds(
    reading: Reading, encoding: _Encoding, read_again: Callable[[bytes], Reading]
) -> Reading | None:
    """The reading of the same text with line feeds as line ends, None if that fails."""
    assert reading.source is not None
    text = reading.source.text
    if "\r" not in text:
        return reading
    normalized = text.replace("\r\n", "\n").replace("\r", "\n")
    again = read_again(replace(encoding, line_end="\n").encode(normalized))
    return again if again.node is not None and again.source is not None else None


def _candidates(reading: Reading) -> list[str]:
    """The formatted texts to try: with respelled keys if there are any, and with the keys of the file."""
    source, node, format = reading.source, reading.node, reading.format
    assert source is not None
    assert node is not None
    assert format is not None
    if format.brackets:  # inside brackets, the author's lines and columns are kept
        return [laid_out(source.text, node, format.brackets)]
    printer = format.reader().print
    texts = [printer(node, source)]
    if reading.document is not None and isinstance(node, Node):
        with _respelled(old_keys(node, type(reading.document))):
            spelled = printer(node, source)
        if spelled != texts[0]:
            texts.insert(0, spelled)
    return texts


def _difference(reading: Reading, again: Reading) -> str:
    """The reason why the formatted file cannot replace it: another model or other findings; "" for none."""
    if again.robot is None or reading.robot is None or diff(reading.robot, again.robot):
        return "formatting would change the model"
    before, after = ([f.code for f in r.findings if f.code not in _CORRECTED] for r in (reading, again))
    if sorted(before) != sorted(after):
        other = next(code for code in (*after, *before) if before.count(code) != after.count(code))
        return f"formatting would change its findings ({other})"
    return ""


@contextmanager
def _respelled(renames: list[_Rename]) -> Iterator[None]:
    """Rename keys in place for a while, so that shared nodes stay shared."""
    before = [(node, i, node.items[i]) for node, i, _ in renames]
    for node, i, key in renames:
        node.items[i] = (key, *node.items[i][1:])
    try:
        yield
    finally:
        for node, i, item in before:
            node.items[i] = item


def old_keys(node: Node, root: type[Document]) -> list[_Rename]:
    """Declared keys in an old spelling: the node, the index of the item, and the key of today.

    A node that aliases share is renamed only if all elements that read it agree on the new key.
    """
    wanted: dict[tuple[int, int], tuple[Node, set[str]]] = {}
    seen: set[tuple[int, type[Document]]] = set()
    todo: list[_BoundNode] = [(node, root)]
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


def _by_type(value: Value, members: Mapping[str, type[Document]]) -> Iterator[_BoundNode]:
    """Elements with a key ``type``, and those of a mapping from type to element."""
    for node in _nodes(value):
        name = node.word("type")
        cls = members.get(name or "")
        if cls is not None:
            yield node, cls
        elif name is None:
            for key, inner, _ in node.items:
                if key in members and isinstance(inner, Node):
                    yield inner, members[key]
