"""Looking is not keeping: every given field of a kitchen sink, changed alone, must be seen again.

A kitchen sink is a document that gives every declared field of its format with a value of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from unibody.document.bind import unbind
from unibody.document.declare import Document, Spec, plan
from unibody.document.unread import unread
from unibody.document.values import ValueType, to_numbers
from unibody.files.access import Files
from unibody.files.filesystem import LocalFileSystem
from unibody.formats.format import Context, Format
from unibody.formats.loader import Reading, read, read_with
from unibody.formats.read_options import ReadOptions
from unibody.model.facts import Value, facts
from unibody.model.scene import Scene
from unibody.text.finding import Findings
from unibody.text.node import Node, Numbers, Row, Word

Facts = dict[str, Value]
#: Fields whose numbers are indices of other lists: only their order can change.
INDICES = (
    *("faces", "lines", "normal_indices", "color_indices", "tex_coord_indices"),
    *("coord_index", "normal_index", "color_index", "tex_coord_index"),
)
#: Fields that name a link of the file.
LINKS = ("parent", "root_link", "link1_name", "link2_name", "link")
JOINTS = ("joint",)


@dataclass
class Sink:
    """One kitchen sink: its document (watched, read from its own print), its facts, what nobody read."""

    path: Path
    format: Format
    tag: str
    document: Document
    facts: Facts
    lost: frozenset[tuple[int, str]]
    links: list[str] = field(default_factory=list)
    joints: list[str] = field(default_factory=list)

    def changed(self) -> tuple[Facts | None, bool]:
        """The facts of the document as it is now (None without a robot), and whether there are errors."""
        findings = Findings()
        context = Context(str(self.path), Files(), findings, lambda path, _: read(path).robot)
        node = unbind(self.document, self.tag)
        reader = self.format.reader()
        robot = reader.to_robot(reader.bind(reader.expand(node, context), context), context)
        assert not isinstance(robot, Scene)
        return (None if robot is None else facts(robot)), bool(findings.errors)


def load_sink(path: Path, format: Format, tag: str = "") -> Sink:
    """A kitchen sink, printed from its document and read again, so that nothing in it is shared."""
    first = _read(path, format, path.read_text("utf-8"))
    assert first.document is not None
    assert first.robot is not None
    again = _read(path, format, format.reader().print(unbind(first.document, tag), None))
    assert again.document is not None
    assert again.robot is not None
    assert _without_extras(again) == _without_extras(first)
    lost = frozenset((u.at.start, u.key) for u in unread(again.document) if u.at is not None)
    links, joints = [x.name for x in again.robot.links], [x.name for x in again.robot.joints]
    return Sink(path, format, tag, again.document, facts(again.robot), lost, links, joints)


class _Printed(LocalFileSystem):
    """The disk, but for one file whose text is given."""

    def __init__(self, path: str, text: str) -> None:
        self.path, self.data = path, text.encode()

    def read(self, path: str, limit: int) -> bytes:
        return self.data if path == self.path else super().read(path, limit)


def _read(path: Path, format: Format, text: str) -> Reading:
    reading = read_with(
        str(path), options=ReadOptions(files=Files(disk=_Printed(str(path), text))), watch=True
    )
    assert reading.format is format
    assert reading.ok, [str(f) for f in reading.findings]
    return reading


def _without_extras(reading: Reading) -> Facts:
    """Facts but for the leftovers, whose keys may be in another order."""
    assert reading.robot is not None
    return {path: value for path, value in facts(reading.robot).items() if not path.startswith("extras")}


def walk(document: Document) -> Iterator[Document]:
    """A document and all below it."""
    todo = [document]
    while todo:
        doc = todo.pop()
        yield doc
        for name, spec in plan(type(doc)).fields.items():
            value = getattr(doc, name)
            todo += value if spec.many else [value] if isinstance(value, Document) else []


def class_name(doc: Document) -> str:
    """The name of the declared class, also of a watched document."""
    return getattr(type(doc), "watched", type(doc)).__name__


def not_given(classes: Iterable[type[Document]], sinks: list[Sink]) -> set[str]:
    """Declared fields that no sink gives, or only with their default."""
    missing = {f"{cls.__name__}.{name}" for cls in classes for name in plan(cls).fields}
    for sink in sinks:
        for doc in walk(sink.document):
            p = plan(type(doc))
            for name, spec in p.fields.items():
                if name in doc.given and _own(getattr(doc, name), spec, p.defaults.get(name)):
                    missing.discard(f"{class_name(doc)}.{name}")
    return missing


def _own(value: Any, spec: Spec, default: Any) -> bool:
    """Whether a given value says more than its default."""
    return spec.by == "kind" or isinstance(value, Document) or bool(value != ([] if spec.many else default))


def given(sink: Sink, cls: str) -> Iterator[tuple[Document, str, Spec]]:
    """All given fields of all documents of a class."""
    for doc in walk(sink.document):
        if class_name(doc) == cls:
            for name, spec in plan(type(doc)).fields.items():
                if name in doc.given and spec.by != "kind":
                    yield doc, name, spec


def silent(sink: Sink, cls: str) -> Iterator[tuple[str, str]]:
    """Fields (and the change) that neither the facts nor the reading loss speak of."""
    for doc, name, spec in given(sink, cls):
        if _is_lost(sink, doc, spec):
            continue
        before = getattr(doc, name)
        for text, changed in _changes(sink, name, spec, before):
            if not _shows(sink, doc, name, changed):
                yield name, text


def _is_lost(sink: Sink, doc: Document, spec: Spec) -> bool:
    for item in doc.node.items if doc.node is not None else ():
        place = doc.node.item_span(item) if doc.node is not None else None
        if item[0] in spec.keys and place is not None:
            return (place.start, item[0]) in sink.lost
    return False


def _shows(sink: Sink, doc: Document, name: str, candidates: list[Any]) -> bool:
    """Whether a candidate without errors (else the last one) changes the facts."""
    before = getattr(doc, name)
    found: Facts | None = None
    for value in candidates:
        setattr(doc, name, value)
        try:
            found, wrong = sink.changed()
        finally:
            setattr(doc, name, before)
        if not wrong and found != sink.facts:
            break
    return found != sink.facts


def _changes(sink: Sink, name: str, spec: Spec, value: Any) -> Iterator[tuple[str, list[Any]]]:
    """What may stand there instead, each as a list of candidates."""
    if spec.many:
        yield "without", [[]]
    elif spec.type is None:
        yield "without", [None]
    elif name in LINKS:
        yield "another link", [x for x in sink.links if x != value]
    elif name in JOINTS:
        yield "another joint", [x for x in sink.joints if x != value]
    elif isinstance(value, bool):
        yield "not", [not value]
    elif isinstance(value, int | float):
        yield "more", [value + 1 if isinstance(value, int) else value + 0.125]
    elif isinstance(value, tuple) and value and all(isinstance(v, float) for v in value):
        for i in range(len(value)):
            yield f"[{i}] more", [(*value[:i], value[i] + 0.125, *value[i + 1 :])]
    elif isinstance(value, Numbers | Row | Node):
        yield "other", [_other(name, value)]
    else:
        yield "other", _samples(spec.type, value)


def _samples(kind: ValueType, value: Any) -> list[Any]:
    """Samples of the type; for a text one that is longer."""
    if kind.name == "text":
        return [f"{value}_x"]
    return [x for x in kind.samples if x != value]


def _other(name: str, value: Numbers | Row | Node) -> Any:
    """A long list with another last number; indices in another order; anything else cut or changed."""
    if isinstance(value, Numbers):
        numbers = value.array().tolist()
        if name in INDICES:
            return to_numbers([numbers[1], numbers[0], *numbers[2:]])
        return to_numbers([*numbers[:-1], numbers[-1] + 0.125])
    if isinstance(value, Row):
        return Row(value.values[:-1])
    key, last, start = value.items[-1]
    longer = Word(f"{last.text}1") if isinstance(last, Word) else Word("1")
    return Node(value.tag, [*value.items[:-1], (key, longer, start)])
