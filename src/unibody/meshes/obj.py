"""Reads Wavefront OBJ files: classifies lines by their first two bytes and parses all of a kind at once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from unibody.meshes.indexed import Polygons, Tables, surface_of, triangles_of, validated
from unibody.meshes.mtl import library_files, read_libraries
from unibody.meshes.numbers import floats, integers
from unibody.meshes.scene import MeshScene, Node, Request
from unibody.meshes.surface import unit_rows
from unibody.model.arrays import Floats, Integers
from unibody.model.shape import Material
from unibody.text.source import Source, Span

_V, _VT, _VN, _F, _STATE, _OTHER = range(6)
_LARGEST_INDEX = 1 << 62
# In place of the texture or normal index that a corner lacks; below every index of a file.
_NONE = np.iinfo(np.int64).min
_MOST_PARTS, _MOST_CHANGES, _MOST_LIBRARIES = 20_000, 1_000_000, 100
_WORDS = (b"v", b"vt", b"vn", b"f")


def _kinds() -> NDArray[np.uint8]:
    """The kind of a line, indexed by its first two bytes."""
    out = np.full(65536, _OTHER, np.uint8)
    for words, kind in ((("v ", "v\t"), _V), (("vt",), _VT), (("vn",), _VN), (("f ", "f\t"), _F)):
        for word in words:
            out[int.from_bytes(word.encode(), "big")] = kind
    for word in ("o ", "o\t", "g ", "g\t", "g\r", "g\n", "us", "mt"):
        out[int.from_bytes(word.encode(), "big")] = _STATE
    return out


_KINDS = _kinds()
_CONTINUED = re.compile(rb"\\[ \t]*\r?\n")
_SLASH, _APART = ord("/"), bytes.maketrans(b"/", b" ")
_COMMENT = re.compile(rb"#[^\n]*")
_INDENT = re.compile(rb"^[ \t]+", re.MULTILINE)


@dataclass(slots=True)
class _Lines:
    """The lines of a file: their starts (and the end of the last) and kinds."""

    data: bytes
    starts: Integers
    kinds: NDArray[np.uint8]
    path: str
    source: Source | None = None

    def of(self, kind: int) -> Integers:
        """The indices of the lines of a kind."""
        return np.flatnonzero(self.kinds == kind)

    def text(self, lines: Integers, word: bytes) -> bytes:
        """The text of some lines, with their first word blanked out."""
        if not lines.size:
            return b""
        breaks = np.flatnonzero(np.diff(lines) != 1)
        first = lines[np.concatenate([[0], breaks + 1])]
        last = lines[np.concatenate([breaks, [lines.size - 1]])]
        runs = zip(self.starts[first].tolist(), self.starts[last + 1].tolist(), strict=True)
        text = b"".join([self.data[a:b] for a, b in runs])
        return (_COMMENT.sub(b"", text) if b"#" in text else text).replace(word, b"  "[: len(word)])

    def bytes(self, line: int) -> bytes:
        """One line, without its end."""
        text = self.data[self.starts[line] : self.starts[line + 1]]
        return (_COMMENT.sub(b"", text) if b"#" in text else text).rstrip()

    def span(self, line: int) -> Span:
        """The place of a line."""
        if self.source is None:
            self.source = Source(self.path, self.data.decode("latin-1"))
        at = int(self.starts[line])
        return Span(self.source, at, at + len(self.bytes(line)))


@dataclass(slots=True)
class _Parts:
    """The parts of a file, (object or group, material), and the lines at which each starts."""

    keys: list[tuple[str, str]] = field(default_factory=lambda: [("", "")])
    lines: list[int] = field(default_factory=lambda: [-1])
    ids: list[int] = field(default_factory=lambda: [0])
    libraries: list[tuple[str, Span]] = field(default_factory=list)

    def of(self, lines: Integers) -> Integers:
        """The index in ``keys`` of each line."""
        if len(self.ids) == 1:
            return np.zeros(lines.size, np.int64)
        return np.array(self.ids)[np.searchsorted(np.array(self.lines), lines) - 1]


def read_obj(data: bytes, request: Request) -> MeshScene:
    """Read an OBJ file, one surface for each object and material; MeshError if it is invalid."""
    lines = _lines(data, request)
    parts = _parts(lines, request)
    materials = read_libraries(parts.libraries, request)
    vertices, colors = _vertices(lines, request)
    polygons, at = _polygons(lines, len(vertices), request)
    tables = Tables(vertices)
    for name, kind, width in (("normals", _VN, 3), ("tex_coords", _VT, 2)):
        if name in polygons.extra and (table := _table(lines, kind, width, request)) is not None:
            tables.extra[name] = table
    filled = _filled(polygons, tables)
    if colors is not None:
        tables.extra["colors"], polygons.extra["colors"] = colors, polygons.vertices
    polygons, kept = validated(polygons, tables, request, lambda k: lines.span(int(at[k])))
    triangles, owners = triangles_of(polygons, tables, request)
    nodes = [Node()]
    for part, chosen in _triangles_by_part(triangles, parts.of(at[kept])[owners]):
        name, wanted = parts.keys[part]
        surface = surface_of(chosen, _without_filled(polygons, filled, chosen), tables)
        if nodes[-1].name != name:
            nodes.append(Node(name=name, end=len(nodes) + 1))
        nodes[-1].surfaces.append(
            replace(surface, material=_material(wanted, materials, request), name=name or wanted)
        )
    nodes[0].end = len(nodes)
    return MeshScene(nodes)


def obj_companions(data: bytes | memoryview, request: Request) -> list[str]:
    """The material libraries of an OBJ file, and the images in these."""
    lines = _lines(bytes(data), request)
    return library_files(_parts(lines, request).libraries, request)


def _filled(polygons: Polygons, tables: Tables) -> dict[str, int]:
    """Give the corners that lack a normal that of their face, and those that lack coordinates (0, 0).

    Changes the indices and tables; returns the number of rows that each changed table had before. Tables
    with an invalid index are left as they are.
    """
    out: dict[str, int] = {}
    for name, index in polygons.extra.items():
        table = tables.extra.get(name)
        lacks = index == _NONE
        if table is None or not lacks.any():
            continue
        given = index[~lacks]
        if given.size and (given.min() < 0 or given.max() >= len(table)):
            continue
        out[name] = len(table)
        if name == "normals":
            rows, own = _face_normals(polygons, tables.vertices), _corner_owners(polygons.counts)
            polygons.extra[name] = np.where(lacks, len(table) + own, index)
        else:
            rows = np.zeros((1, table.shape[1]))
            polygons.extra[name] = np.where(lacks, len(table), index)
        tables.extra[name] = np.concatenate([table, rows])
    return out


def _face_normals(polygons: Polygons, vertices: Floats) -> Floats:
    """The normals (n, 3) of all polygons, zero for those that are not valid."""
    if not len(vertices):
        return np.zeros((polygons.counts.size, 3))
    near = vertices[np.clip(polygons.vertices, 0, len(vertices) - 1)]
    own = _corner_owners(polygons.counts)
    after = np.arange(own.size) + 1
    ends = np.cumsum(polygons.counts)
    starts = ends - polygons.counts
    some = polygons.counts > 0
    after[ends[some] - 1] = starts[some]
    near = near - near[starts[own]]
    turns = np.nan_to_num(np.cross(near, near[after]), posinf=0.0, neginf=0.0)
    sums = [np.bincount(own, column, polygons.counts.size) for column in turns.T]
    return unit_rows(np.stack(sums, axis=1))


def _without_filled(polygons: Polygons, filled: dict[str, int], triangles: Integers) -> Polygons:
    """The polygons without the tables that none of the triangles' corners has in the file."""
    at = triangles.reshape(-1)
    empty = {
        name
        for name, count in filled.items()
        if name in polygons.extra and (polygons.extra[name][at] >= count).all()
    }
    if not empty:
        return polygons
    return replace(polygons, extra={k: v for k, v in polygons.extra.items() if k not in empty})


def _corner_owners(counts: Integers) -> Integers:
    """The polygon of each corner."""
    return np.repeat(np.arange(counts.size), counts)


def _triangles_by_part(triangles: Integers, of: Integers) -> Iterator[tuple[int, Integers]]:
    """The index and triangles of each part, in file order."""
    if not of.size:
        return
    if (of == of[0]).all():
        yield int(of[0]), triangles
        return
    order = np.argsort(of, kind="stable")
    starts = np.flatnonzero(np.diff(of[order], prepend=-1))
    for chosen in np.split(order, starts[1:]):
        yield int(of[chosen[0]]), triangles[chosen]


def _lines(data: bytes, request: Request) -> _Lines:
    if b"\\" in data:
        data = _CONTINUED.sub(b"  ", data)
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")
    data += b"\n\n"
    letters = np.frombuffer(data, np.uint8)
    starts = np.concatenate([[0], np.flatnonzero(letters == 10)[:-1] + 1])
    first = letters[starts]
    if ((first == 32) | (first == 9)).any():
        return _lines(_INDENT.sub(b"", data), request)
    kinds = _KINDS[(first[:-1].astype(np.uint16) << 8) | letters[starts[:-1] + 1]]
    return _Lines(data, starts, kinds, request.path)


def _parts(lines: _Lines, request: Request) -> _Parts:
    """The parts, as divided by "o", "g" and "usemtl" lines."""
    out = _Parts()
    known = {("", ""): 0}
    key = ("", "")
    which = lines.of(_STATE)
    if which.size > _MOST_CHANGES:
        raise request.broken(f"more than {_MOST_CHANGES} changes of group or material", "mesh-too-large")
    for line in which.tolist():
        word, _, rest = lines.bytes(line).replace(b"\t", b" ").partition(b" ")
        name = rest.strip().decode("utf-8", "replace")
        if word == b"usemtl":
            key = (key[0], name)
        elif word in (b"o", b"g"):
            key = (name, key[1])
        else:
            if word == b"mtllib" and len(out.libraries) < _MOST_LIBRARIES:
                out.libraries.append((name, lines.span(line)))
            continue
        if key not in known:
            if len(known) >= _MOST_PARTS:
                raise request.broken(f"more than {_MOST_PARTS} parts", "mesh-too-large")
            known[key] = len(out.keys)
            out.keys.append(key)
        out.lines.append(line)
        out.ids.append(known[key])
    return out


def _rows(lines: _Lines, kind: int, request: Request) -> Floats:
    """The numbers of all lines of a kind, a row for each, with as many columns as the shortest line."""
    which = lines.of(kind)
    if not which.size:
        return np.empty((0, 3))
    text = lines.text(which, _WORDS[kind])
    try:
        numbers = floats(text)
        for width in (3, 2, 6, 4):
            if numbers.size == width * which.size:
                return numbers.reshape(-1, width)
        rows = [floats(row)[:3] for row in text.split(b"\n")[: which.size]]
    except ValueError:
        raise _not_numbers(lines, which, request) from None
    width = min(row.size for row in rows)
    return np.array([row[:width] for row in rows])


def _not_numbers(lines: _Lines, which: Integers, request: Request) -> Exception:
    """The error for the first line with a word that is not a number."""
    for line in which.tolist():
        try:
            floats(lines.bytes(line)[2:])
        except ValueError:
            return request.broken("line must have numbers only", at=lines.span(line))
    return request.broken("lines must have numbers only")


def _vertices(lines: _Lines, request: Request) -> tuple[Floats, Floats | None]:
    """Positions (n, 3), and colors (n, 4) if each vertex has one (six numbers)."""
    rows = _rows(lines, _V, request)
    if rows.shape[1] < 3:
        raise request.broken("vertex with fewer than three numbers", at=lines.span(lines.of(_V)[0]))
    colors = None
    if rows.shape[1] == 6 and len(rows):
        colors = np.hstack([np.clip(rows[:, 3:], 0.0, 1.0), np.ones((len(rows), 1))])
    return np.ascontiguousarray(rows[:, :3]), colors


def _table(lines: _Lines, kind: int, width: int, request: Request) -> Floats | None:
    """Normals or texture coordinates (n, width); None if there are none, or too few numbers."""
    rows = _rows(lines, kind, request)
    return np.ascontiguousarray(rows[:, :width]) if len(rows) and rows.shape[1] >= width else None


def _polygons(lines: _Lines, vertices: int, request: Request) -> tuple[Polygons, Integers]:
    """All faces, indices counted from 0, and the line of each."""
    at = lines.of(_F)
    text = lines.text(at, b"f")
    counts = _counts(text, at.size)
    corners = int(counts.sum())
    try:
        columns = _columns(text, corners)
    except ValueError:
        raise request.broken("face must have indices only", at=_invalid_face(lines, at)) from None
    for column, kind in ((0, _V), (1, _VT), (2, _VN)):
        index = columns[column]
        if index is None:
            continue
        if index.size and index.min() < 0:
            # negative indices count back from their line
            before = np.repeat(np.searchsorted(lines.of(kind), at), counts)
            resolved = np.where(index < 0, np.maximum(index, -_LARGEST_INDEX) + before, index - 1)
            index = np.where(index == _NONE, _NONE, resolved)
        else:
            index = index - 1
        columns[column] = index
    vertex, tex_coord, normal = columns
    assert vertex is not None
    found = {"normals": normal, "tex_coords": tex_coord}
    return Polygons(counts, vertex, {name: i for name, i in found.items() if i is not None}), at


def _counts(text: bytes, faces: int) -> Integers:
    """The number of corners of each line of faces."""
    letters = np.frombuffer(text, np.uint8)
    word = letters > 32
    starts = np.flatnonzero(word[1:] > word[:-1])
    if starts.size == 3 * faces:
        ends = np.flatnonzero(letters == 10)
        firsts = starts[::3]
        if (firsts[1:] > ends[:-1]).all() and (starts[2::3] < ends).all():
            return np.full(faces, 3, np.int64)
    ends = np.flatnonzero(letters == 10)
    return np.diff(np.searchsorted(starts, ends), prepend=0)


def _columns(text: bytes, corners: int) -> list[Integers | None]:
    """Vertex, texture and normal index of every corner; ValueError if one is not an integer."""
    slash = np.frombuffer(text, np.uint8) == _SLASH
    slashes, doubled = int(np.count_nonzero(slash)), int(np.count_nonzero(slash[1:] & slash[:-1]))
    numbers = integers(text.translate(_APART) if slashes else text)
    if not slashes and numbers.size == corners:
        return [numbers, None, None]
    if not doubled and slashes == 2 * corners and numbers.size == 3 * corners:
        a, b, c = numbers.reshape(-1, 3).T
        return [a, b, c]
    if doubled == corners and slashes == 2 * corners and numbers.size == 2 * corners:
        a, b = numbers.reshape(-1, 2).T
        return [a, None, b]
    if not doubled and slashes == corners and numbers.size == 2 * corners and _one_each(text, slash):
        a, b = numbers.reshape(-1, 2).T
        return [a, b, None]
    return _mixed(text)


def _one_each(text: bytes, slash: NDArray[np.bool_]) -> bool:
    """Whether each corner has one slash; `1` and `1/1/1` have as many on average."""
    word = np.frombuffer(text, np.uint8) > 32
    starts = np.flatnonzero(np.diff(word.view(np.int8), prepend=0) == 1)
    at = np.flatnonzero(slash)
    return bool((starts < at).all() and (at[:-1] < starts[1:]).all())


def _mixed(text: bytes) -> list[Integers | None]:
    """The same for corners in different notations; an index that a corner lacks is ``_NONE``."""
    letters = np.frombuffer(text, np.uint8)
    slash = letters == _SLASH
    space = letters <= 32
    digit = ~(slash | space)
    corner = np.cumsum(~space & np.concatenate([[True], space[:-1]])) - 1
    first = np.flatnonzero(digit & np.concatenate([[True], ~digit[:-1]]))
    before = np.cumsum(slash)
    starts = np.flatnonzero(np.diff(corner, prepend=-1))
    owner = corner[first]
    # A slash in front of a corner's first number belongs to the corner.
    column = before[first] - (before - slash)[starts][owner]
    numbers = integers(text.translate(_APART))
    out: list[Integers | None] = []
    for which in range(3):
        chosen = column == which
        index = np.full(starts.size, _NONE, np.int64)
        index[owner[chosen]] = numbers[chosen]
        out.append(index if chosen.any() else None)
    if out[0] is None or (out[0] == _NONE).any():
        raise ValueError("a corner without a vertex")
    return out


def _invalid_face(lines: _Lines, at: Integers) -> Span | None:
    """The place of the first face with a word that is not an index."""
    for line in at.tolist():
        try:
            integers(lines.bytes(line)[2:].replace(b"/", b" "))
        except ValueError:
            return lines.span(line)
    return None


def _material(name: str, materials: dict[str, Material], request: Request) -> Material | None:
    if name and materials and name not in materials:
        request.warn("material-unknown", f"reference to unknown material '{name}'")
    return materials.get(name)
