"""Writes a model into the text that it was read from: only the lines that must change do.

The robot as it was read and the robot that is to be written are both written as trees. What differs
between these two is edited in the text of the file (``text/merge.py``). The caller reads the result and
measures it like any other output; if it says less of the robot than a fresh text, that takes its place.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import Any

from unibody.conversion.asset_paths import file_paths, not_found, references, shape_files
from unibody.conversion.assets import Assets
from unibody.conversion.destination import Destination, choose_destination
from unibody.conversion.formatting import old_keys
from unibody.conversion.lowering import lower
from unibody.conversion.output import Output
from unibody.document.declare import Document
from unibody.document.unbind import unbind
from unibody.files.access import FileError, Files
from unibody.formats import FORMATS
from unibody.formats.format import Format
from unibody.formats.loader import Reading, read, read_with
from unibody.formats.read_options import ReadOptions
from unibody.model.facts import same_record
from unibody.model.robot import Link, Robot
from unibody.model.shape import Mesh, Shape
from unibody.model.traverse import items, named_lists
from unibody.text.edit_bytes import edited_bytes, encoding_of
from unibody.text.inventor.binary import is_binary
from unibody.text.merge import MergeError, merge
from unibody.text.node import Node, Value
from unibody.text.splice import Splicer
from unibody.text.syntaxes import splicer_class

_GZIP = b"\x1f\x8b"
# The lines of a side-car that is to be replaced.
_OTHER = ["other"]
# Of more pairs of lines than this it is not looked for which are the same.
_MOST_COMPARED = 1_000_000


@dataclass(frozen=True, slots=True)
class Origin:
    """The file that a robot was read from: its reading and its bytes."""

    reading: Reading
    data: bytes

    @property
    def robot(self) -> Robot:
        """The robot as the file describes it, whatever the options of its reading."""
        assert self.reading.stated is not None
        return self.reading.stated

    @property
    def references(self) -> frozenset[tuple[str, str]]:
        """The URIs of the files that are found without the options of its reading, and their paths."""
        reading, source = self.reading, self.reading.source
        if reading.files is not None and reading.files.unaided is not reading.files and source is not None:
            unaided = ReadOptions(files=reading.files.unaided)
            reading = read_with(source.name, reading.format, unaided, alone=True)
        return frozenset() if reading.robot is None else references(reading.robot)


@dataclass(frozen=True, slots=True)
class Layout:
    """What became of the source's text: ``changed`` of ``lines`` differ, or why it is written ``anew``."""

    changed: int = 0
    lines: int = 0
    anew: str = ""

    def __str__(self) -> str:
        if self.anew:
            return f"written anew: {self.anew}"
        if not self.changed:
            return "unchanged"
        return f"{self.changed} of {self.lines} lines changed, comments and all other lines kept"


def origin_of(reading: Reading, format: Format) -> Origin | str | None:
    """The file of a reading; the reason if its layout cannot be kept, None for another format."""
    source, node = reading.source, reading.node
    if reading.format is not format or reading.robot is None or source is None or node is None:
        return None
    expanded = reading.document.node.source if reading.document and reading.document.node else source
    if expanded is not None and expanded.note:
        return f"the source is read {expanded.note}"
    if not isinstance(node, Node) or reading.scene is not None:
        return "the source is no single model"
    unusable = frozenset() if format.writer is None else format.writer().unusable
    if any(f.code in unusable for f in reading.findings):
        return "the source has elements that the programs of its format reject"
    others = completing_files(reading)
    named = set(map(os.path.realpath, file_paths(reading.robot)))
    opened = [p for p in reading.opened if p not in others and os.path.realpath(p) not in named]
    if len(reading.documents) > 1 + len(others) or any(not same_file(path, source.name) for path in opened):
        return "the source has several files"
    try:
        data = Files().read(source.name)
    except FileError:
        return "the source cannot be read again"
    if splicer_class(reading.format.syntax) is None:
        return "a text of the format cannot be edited in place"
    if data.startswith(_GZIP) or is_binary(data):
        return "the source is no text"
    if encoding_of(data, source) is None:
        return "the source has changed since it was read"
    return Origin(reading, data)


def completing_files(reading: Reading) -> set[str]:
    """The files of a reading that complete its model: its SRDF."""
    roots = tuple(
        f.declarations().root for f in FORMATS if reading.format and f.completes == reading.format.name
    )
    sources = (x.node.source for x in reading.documents if isinstance(x, roots) and x.node is not None)
    return {source.name for source in sources if source is not None}


def origin_at(robot: Robot, destination: Destination) -> Origin | str | None:
    """The file at the destination, if the robot was read from it.

    The reason if its layout cannot be kept.
    """
    path = destination.path
    if not os.path.isfile(path) or not any(same_file(name, path) for name in _sources(robot)):
        return None
    reading = read(path, destination.format)
    return None if reading.robot is None or not reading.ok else origin_of(reading, destination.format)


def _sources(robot: Robot) -> set[str]:
    """The names of the files that the parts of a robot were read from."""
    places = [*(x.at for x in robot.links), *(x.at for x in robot.joints)]
    if not any(places):  # a scene of shapes, whose only link is implied
        places = [shape.at for x in robot.solids for shape in (*x.visuals, *x.collisions)]
    return {at.source.name for at in places if at is not None}


def same_file(a: str, b: str) -> bool:
    """Whether two paths are those of one file."""
    return os.path.realpath(a) == os.path.realpath(b)


def in_order_of(old: Robot, new: Robot) -> Robot:
    """The new robot with the order of the old one in its lists of named items; itself if it has it.

    What the old robot lacks stays where it is, and lists with equal names stay as they are.
    """
    changed: dict[str, Any] = {}
    for name in named_lists():
        (is_named, known), (_, found) = items(getattr(old, name)), items(getattr(new, name))
        both = [key for key in known if key in found]
        kept = iter(both)
        order = [next(kept) if key in known else key for key in found]
        if is_named and order != list(found) and not any("#" in key for key in order):
            changed[name] = tuple(found[key] for key in order)
    return replace(new, **changed) if changed else new


def merged(
    origin: Origin,
    robot: Robot,
    destination: Destination,
    plain: bool,
    sidecar: list[str] | None = None,
) -> Output | None:
    """The text of the origin with the change from its robot to this one; None if that has no place in it.

    ``sidecar`` are its new lines, None if those of the file hold.
    """
    reading = origin.reading
    source, node = reading.source, reading.node
    splicer = _splicer(reading)
    if splicer.comments_carry and reading.document is not None:
        node = reading.document.node
    assert source is not None
    assert isinstance(node, Node)
    completion = destination.writer.completion
    old = origin.robot if completion is None else completion.about(origin.robot)
    new = robot
    if sidecar is None and not plain and _is_unchanged(old, new, destination):
        return Output(destination.path, origin.data, Assets(destination.folder), destination.beside)
    if sidecar is None:
        old, new = _without_common_shapes(old, new, destination)
    # without new lines, the side-car is what the trees say nothing of
    other = _OTHER if plain or sidecar is not None else []
    before, _ = _tree(old, _beside(origin, destination), plain, other, reading.document)
    after, assets = _tree(new, destination, plain, [] if plain else sidecar or [], reading.document)
    try:
        edits = merge(node, before, after, splicer)
    except (MergeError, NotImplementedError, ValueError):
        return None
    data = edited_bytes(origin.data, source, edits) if edits else origin.data
    return None if data is None else Output(destination.path, data, assets, destination.beside)


def _tree(
    robot: Robot, destination: Destination, plain: bool, carried: list[str], source: Document | None
) -> tuple[Node, Assets]:
    """The tree of a robot in the notation of its source, and the files beside it."""
    writer = destination.writer
    lowered = lower(robot, destination, plain, whole=True)
    document = writer.from_robot(lowered.robot)
    if source is not None:
        writer.spell(document, source)
    if carried:
        writer.carry(document, carried)
    node = unbind(document, writer.tag)
    writer.arrange(node)
    return node, lowered.store.assets


def _beside(origin: Origin, destination: Destination) -> Destination:
    """The destination at the source itself, where all its references hold."""
    path = origin.reading.source.name if origin.reading.source else destination.path
    found = choose_destination(path, destination.format, keep=True, package="", allow=(), options={})
    return replace(found, held=references(origin.robot))


def with_references(destination: Destination, origin: Origin) -> Destination:
    """The destination, where all references of a source in the same folder hold."""
    if destination.package:
        return destination
    source = origin.reading.source
    folder = os.path.dirname(os.path.realpath(source.name)) if source else ""
    if folder != os.path.dirname(os.path.realpath(destination.path)):
        return destination
    return replace(destination, held=origin.references)


def _without_common_shapes(old: Robot, new: Robot, destination: Destination) -> tuple[Robot, Robot]:
    """Both robots without the shapes of links that have the same ones, which the text has already.

    Only shapes that take long to write, or that would be written in another way; their files must be
    found from the destination, too.
    """
    known = old.solids
    named = {x.name: x for x in known}
    pairs = [(named.get(y.name, known[k] if k < len(known) else y), y) for k, y in enumerate(new.solids)]
    both = [(x, y) for x, y in pairs if _has_same_shapes(x, y, destination, new.folder)]
    mine, others = {x.name for x, _ in both}, {y.name for _, y in both}
    return _bare(old, mine), _bare(new, others)


def _has_same_shapes(x: Link, y: Link, destination: Destination, folder: str) -> bool:
    writer = destination.writer
    a, b = ((*link.visuals, *link.collisions, *link.collisions_alt) for link in (x, y))
    if len(a) != len(b) or not any(isinstance(s.geometry, Mesh) or not writer.holds(s) for s in a):
        return False
    if not all(p is q or same_record(p, q) for p, q in zip(a, b, strict=True)):
        return False
    return all(_is_found(shape, destination, folder) for shape in b)


def _is_unchanged(old: Robot, new: Robot, destination: Destination) -> bool:
    """Whether the text says the robot as it is, and finds its files from the destination."""
    found = references(new)
    lost = not_found(new, {destination.format.name})
    return (
        all(destination.resolves(uri, path) for uri, path in found)
        and all(destination.seen_from(uri, new.folder) == uri for uri in lost)
        and same_record(old, new)
    )


def _is_found(shape: Shape, destination: Destination, folder: str) -> bool:
    """Whether the URIs of a shape refer to the same files from the destination."""
    return all(
        destination.resolves(f.uri, f.path) if f.path else destination.seen_from(f.uri, folder) == f.uri
        for f in shape_files(shape)
    )


def _bare(robot: Robot, names: set[str]) -> Robot:
    if not names:
        return robot
    return robot.with_solids(
        lambda x: replace(x, visuals=(), collisions=(), collisions_alt=()) if x.name in names else x
    )


def _splicer(reading: Reading) -> Splicer:
    assert reading.format is not None
    assert reading.source is not None
    reader = reading.format.reader()
    keys: dict[tuple[int, int], str] = {}
    if not reading.format.brackets and reading.document is not None and isinstance(reading.node, Node):
        renames = old_keys(reading.node, type(reading.document))
        keys = {(id(holder), holder.items[i][2]): key for holder, i, key in renames}

    def print_value(value: Value) -> str:
        return reader.print(value, None)

    made = splicer_class(reading.format.syntax)
    assert made is not None  # else ``origin_of`` gives no origin
    return made(reading.source, print_value, keys)


def layout_of(origin: Origin, data: bytes) -> Layout:
    """How many lines of the file differ from those of a text."""
    from difflib import SequenceMatcher

    if data == origin.data:
        return Layout()
    a, b = origin.data.splitlines(), data.splitlines()
    first = _common(a, b)
    last = _common(a[first:][::-1], b[first:][::-1])
    left, right = a[first : len(a) - last], b[first : len(b) - last]
    if len(left) == len(right):
        return Layout(sum(x != y for x, y in zip(left, right, strict=True)), len(b))
    if len(left) * len(right) > _MOST_COMPARED:
        return Layout(max(len(left), len(right)), len(b))
    codes = SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    return Layout(sum(max(i2 - i1, j2 - j1) for op, i1, i2, j1, j2 in codes if op != "equal"), len(b))


def _common(a: list[bytes], b: list[bytes]) -> int:
    """How many lines two texts begin with in common."""
    return next((k for k, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
