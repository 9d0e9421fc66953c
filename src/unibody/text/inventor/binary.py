"""Binary Open Inventor files, written out as the ASCII text that stands for the same.

Big-endian; names and strings are a length and bytes, padded to four; a node is its class name,
from version 2.1 on a word of flags, a word with the number of its fields, these, and for a group
the number of its children and these. Values carry no types: the caller says what types the fields
of each class have. Floats are written as the shortest decimals that give the same float back, so
that 0.2 stays 0.2.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import field
from functools import partial

from unibody.text.dataclass import dataclass
from unibody.text.inventor.byte_reader import DEF_NAME, NODES, NOTE, TYPES, Bytes, scalar
from unibody.text.source import Source

_HEADER = re.compile(rb"#Inventor V(\d)\.(\d) binary[^\n]{0,100}\n")

_MOST_INDENT = 20

# Flags of a node and of a field, and of the word that counts a node's fields.
_GROUP = 2
_IGNORED, _CONNECTED = 1, 2
_DESCRIBED = 0x40
_MOST_FIELDS = 0xFF


@dataclass(frozen=True, slots=True)
class Layout:
    """What a binary file omits: the field types of each class (``MFVec3f``), and the group classes."""

    fields: Mapping[str, Mapping[str, str]]
    groups: frozenset[str] = frozenset()


def is_binary(data: bytes) -> bool:
    """Whether a file has the header of binary Inventor.

    >>> is_binary(b"#Inventor V2.1 binary  \\n"), is_binary(b"#Inventor V2.1 ascii\\n")
    (True, False)
    """
    return _HEADER.match(data) is not None


def to_text(data: bytes, name: str, layout: Layout) -> Source:
    """The file as ASCII Inventor; TextError, placed in the text so far, where the bytes are invalid.

    >>> cube = b"\\0\\0\\0\\4Cube" + b"\\0\\0\\0\\0" * 2
    >>> print(to_text(b"#Inventor V2.1 binary  \\n" + cube, "a.iv", Layout({"Cube": {}})).text)
    #Inventor V2.1 ascii
    Cube {
    }
    <BLANKLINE>
    """
    return _Reader(Bytes(data, name), layout).read()


@dataclass(slots=True)
class _Reader:
    """Reads the bytes with a work list instead of recursion, so that depth is not limited."""

    file: Bytes
    layout: Layout
    depth: int = 0
    described: bool = False  # nodes carry flags: version 2.1 on
    todo: list[Callable[[], None]] = field(default_factory=list)

    def read(self) -> Source:
        file = self.file
        header = _HEADER.match(file.data)
        if header is None:
            raise file.broken("it does not begin with '#Inventor V2.1 binary'")
        version = (int(header[1]), int(header[2]))
        self.described = file.packed = version > (2, 0)
        file.at = header.end()
        file.out.append(f"#Inventor V{version[0]}.{version[1]} ascii\n")
        # Zeros at the end are padding.
        end = len(file.data.rstrip(b"\0"))
        while file.at < end:
            self.todo.append(partial(self._node, ""))
            while self.todo:
                self.todo.pop()()
        return Source(file.name, "".join(file.out), NOTE, derived=True)

    def line(self, text: str) -> None:
        self.file.out.append("  " * min(self.depth, _MOST_INDENT) + text)

    def _node(self, key: str) -> None:
        """Read a node, a USE or NULL; ``key`` is its field."""
        before = f"{key} " if key else ""
        tag = self.file.identifier("a node's class")
        if tag == "USE":
            self.line(f"{before}USE {self.file.identifier('the name after USE', DEF_NAME)}\n")
            return
        if tag == "NULL":
            self.line(f"{before}NULL\n")
            return
        if tag == "DEF":
            before += f"DEF {self.file.identifier('the name after DEF', DEF_NAME)} "
            tag = self.file.identifier("a node's class")
        group = tag in self.layout.groups
        if self.described:
            group = bool(self.file.word("the flags of a node") & _GROUP)
        self.line(f"{before}{tag} {{\n")
        self.depth += 1
        self.todo.append(self._close)
        if group:
            self.todo.append(self._children)
        # Before 2.1 a Group, unlike other groups, lacks the number of its fields.
        if not self.described and tag == "Group":
            return
        self._fields(tag)

    def _close(self) -> None:
        self.depth -= 1
        self.line("}\n")

    def _children(self) -> None:
        # A node takes at least 8 bytes: its name is not empty.
        left = self.file.count(8, "children")
        if left:
            self.todo.append(partial(self._child, left))

    def _child(self, left: int) -> None:
        if left > 1:
            self.todo.append(partial(self._child, left - 1))
        self._node("")

    def _fields(self, tag: str) -> None:
        word = self.file.word("the number of fields")
        number, flags = word & _MOST_FIELDS, word >> 8
        if flags & ~_DESCRIBED:
            self.file.at -= 4
            raise self.file.broken(f"{tag}: unknown flags {flags:#x} with the number of its fields")
        types = self.layout.fields.get(tag)
        if flags & _DESCRIBED:
            types = self._description(number)
        elif types is None and number:
            raise self.file.broken(
                f"unknown node type '{tag}' without a description of its fields",
                "save the file as ASCII, where unknown nodes can be skipped",
            )
        if number:
            self.todo.append(partial(self._field, tag, types or {}, number))

    def _description(self, number: int) -> dict[str, str]:
        """Read the field types of an extension class."""
        types: dict[str, str] = {}
        for _ in range(number):
            kind = self.file.identifier("the type of a field")
            types[self.file.identifier("the name of a field")] = kind
        self.line(f"fields [ {', '.join(f'{kind} {name}' for name, kind in types.items())} ]\n")
        return types

    def _field(self, tag: str, types: Mapping[str, str], left: int) -> None:
        if left > 1:
            self.todo.append(partial(self._field, tag, types, left - 1))
        name = self.file.identifier(f"the name of a field of {tag}")
        kind = types.get(name)
        if kind is None:
            raise self.file.broken(f"{tag} has no field '{name}'")
        if kind[:2] not in ("SF", "MF") or scalar(kind) not in TYPES:
            raise self.file.broken(f"{tag}: field '{name}' has unknown type {kind}")
        self.todo.append(partial(self._flags, name))
        if scalar(kind) in NODES:
            self._node_field(name, kind)
            return
        text = self.file.value(name, kind)
        self.line(f"{name} {text}\n")

    def _flags(self, name: str) -> None:
        flags = self.file.word(f"the flags of field '{name}'")
        if flags & _IGNORED:
            self.file.out[-1] = f"{self.file.out[-1][:-1]} ~\n"
        if flags & _CONNECTED:
            self.file.out[-1] = f"{self.file.out[-1][:-1]} =\n"
            self.todo.append(self._output)
            self._node("")

    def _output(self) -> None:
        """Read the output of the preceding node that a field is connected to."""
        self.file.out[-1] = f"{self.file.out[-1][:-1]} . {self.file.identifier('the name of an output')}\n"

    def _node_field(self, name: str, kind: str) -> None:
        if kind.startswith("SF"):
            self._node(name)
            return
        left = self.file.count(8, f"{name} nodes")
        self.line(f"{name} [\n")
        self.depth += 1
        self.todo.append(self._bracket)
        if left:
            self.todo.append(partial(self._child, left))

    def _bracket(self) -> None:
        self.depth -= 1
        self.line("]\n")
