"""Inventor files written inline, read from memory, with every finding accounted for."""

from __future__ import annotations

import struct
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from unibody.files.access import MemoryFiles
from unibody.formats.loader import Reading, read
from unibody.model.shape import Mesh, Shape
from unibody.text.finding import Finding

HEAD = "#Inventor V2.1 ascii\n"
BINARY = b"#Inventor V2.1 binary  \n"
# Every such file has it.
USUAL = {"shapes-only"}


def reading(text: str | bytes, files: Mapping[str, str | bytes] | None = None, **more: str) -> Reading:
    """What reading a text gives, with a header if it has none; ``files`` are others, by path."""
    if isinstance(text, str) and not text.lstrip().startswith("#"):
        text = HEAD + text
    contents = {"m/test.iv": text, **(files or {})}
    disk = {path: t.encode() if isinstance(t, str) else t for path, t in contents.items()}
    return read("m/test.iv", files=MemoryFiles(disk, environment=more))


def shapes(
    text: str | bytes, *codes: str, files: Mapping[str, str | bytes] | None = None
) -> tuple[Shape, ...]:
    """The shapes of a text that gives exactly these findings (besides the usual ones) and no error."""
    found = reading(text, files)
    assert found.ok, [str(f) for f in found.findings]
    assert found.robot is not None
    given = {f.code for f in found.findings}
    assert given - (USUAL - set(codes)) == set(codes), [str(f) for f in found.findings]
    link = found.robot.links[0]
    assert link.collisions == link.visuals
    return link.visuals


def shape(text: str | bytes, *codes: str, files: Mapping[str, str | bytes] | None = None) -> Shape:
    """The only shape of a text."""
    found = shapes(text, *codes, files=files)
    assert len(found) == 1
    return found[0]


def mesh(text: str, *codes: str) -> Mesh:
    """The geometry of the only shape, a mesh."""
    geometry = shape(text, *codes).geometry
    assert isinstance(geometry, Mesh)
    return geometry


def colors(text: str) -> list[tuple[float, ...]]:
    """The diffuse colour of each shape."""
    out: list[tuple[float, ...]] = []
    for found in shapes(text):
        assert found.material is not None
        out.append(found.material.diffuse)
    return out


def finding(text: str | bytes, code: str, files: Mapping[str, str | bytes] | None = None) -> Finding:
    """The only finding with a code."""
    found = [f for f in reading(text, files).findings if f.code == code]
    assert len(found) == 1, [str(f) for f in reading(text, files).findings]
    return found[0]


def matrix(found: Shape) -> NDArray[np.float64]:
    """Where a shape is, 4×4: pose · linear."""
    out = np.array(found.pose.matrix())
    if found.linear is not None:
        out[:3, :3] = out[:3, :3] @ np.array(found.linear)
    return out


def word(text: str) -> bytes:
    """A string as binary Inventor has it: length, bytes, padded to four."""
    raw = text.encode()
    return struct.pack(">I", len(raw)) + raw + b"\0" * (-len(raw) % 4)


def words(*values: int) -> bytes:
    """Whole numbers, big-endian."""
    return struct.pack(f">{len(values)}I", *(v & 0xFFFFFFFF for v in values))


def floats(*values: float) -> bytes:
    """Floats of four bytes, big-endian."""
    return struct.pack(f">{len(values)}f", *values)


def node(tag: str, *fields: bytes, children: tuple[bytes, ...] | None = None, name: str = "") -> bytes:
    """A node of version 2.1; ``children`` makes it a group."""
    head = (word("DEF") + word(name) if name else b"") + word(tag)
    group = children is not None
    body = head + words(2 if group else 0, len(fields)) + b"".join(fields)
    return body + (words(len(children or ())) + b"".join(children or ()) if group else b"")


def field(name: str, value: bytes, flags: int = 0) -> bytes:
    """A field of version 2.1."""
    return word(name) + value + words(flags)
