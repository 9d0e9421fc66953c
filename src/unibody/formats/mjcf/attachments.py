"""Attaches parts of other models: their elements come in with a prefix before all names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from functools import partial

from unibody.document.bind import Binding, bind
from unibody.document.declare import Document
from unibody.files.access import FileError
from unibody.formats.format import Context
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_assets as assets
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf.asset_elements import NAMED_BY_FILE, stem
from unibody.formats.mjcf.expand import ROOT, attached_model, count_items, expand
from unibody.formats.mjcf.references import (
    KINDS,
    WORLD,
    Names,
    accompanying,
    kinds_in,
    leave_out,
    renamed,
    table,
)
from unibody.formats.mjcf.tree import Scope, bodies
from unibody.model.robot import Robot
from unibody.text.dataclass import dataclass
from unibody.text.decode import decode
from unibody.text.finding import Findings, TextError
from unibody.text.limits import LimitError, Meter
from unibody.text.near import did_you_mean, near
from unibody.text.node import Item, Node, Word, elements
from unibody.text.xml import parser as xml

#: Numbers in qpos by type of joint.
SIZES = {"hinge": 1, "slide": 1, "ball": 4, "free": 7}
# Sections whose names stay: nothing of an attached model refers to them.
_UNNAMED = (d.Extension, d.Deformable)


@dataclass(frozen=True, slots=True, eq=False)
class AttachedKey:
    """A keyframe, the places of joints in it by the id of their elements, and its length."""

    key: d.Key
    places: dict[int, int]
    count: int


@dataclass(slots=True, eq=False)
class Attachments:
    """The models that a model attaches; ``scopes`` has those that were, without what is not attached.

    ``scope_of`` returns the settings and assets of a file, ``tree_of`` the tree of a robot of
    another format.
    """

    context: Context
    scope_of: Callable[[d.Mujoco, str, Context], Scope]
    tree_of: Callable[[Robot], Node]
    scopes: list[Scope] = field(default_factory=list)
    keys: list[AttachedKey] = field(default_factory=list)
    _trees: dict[str, Node] = field(default_factory=dict)
    _made: dict[int, tuple[Scope, list[Document]] | None] = field(default_factory=dict)

    def __call__(self, doc: b.Attach, scope: Scope) -> tuple[Scope, list[Document]] | None:
        """The file and the elements that an element stands for; None after a finding."""
        if id(doc) not in self._made:
            self._made[id(doc)] = self._attached(doc, scope)
        return self._made[id(doc)]

    def _attached(self, doc: b.Attach, scope: Scope) -> tuple[Scope, list[Document]] | None:
        findings = self.context.findings
        found = self._model(doc, scope)
        if found is None:
            return None
        path, tree = found
        way = (*scope.way, self.context.files.canonical(path))
        if len(set(way)) < len(way) or len(way) > self.context.files.limits.includes:
            findings.error(
                "include-recursion",
                f"the model attaches itself: '{doc.model}'",
                doc.at("model"),
                "remove the <attach>",
            )
            return None
        named = prefixed(tree, doc.prefix or "", self.context.files.meter)
        self.context.files.meter.take_nodes(count_items(named), doc.at)
        inner = replace(self.context, path=path)
        made = bind(d.Mujoco, named, Binding(findings, self.context.watch, xml=True, strict=True))
        inside = self.scope_of(made, path, inner)
        inside.way = way
        # what it attaches itself follows it
        place = len(self.scopes)
        self.scopes.append(inside)
        self.context.documents.append(made)
        chosen = self._items(inside, doc)
        if chosen is None:
            del self.scopes[place:]
            return None
        self._keep_keys(made, inside)
        self._leave(self.scopes[place:], chosen[1])
        return chosen

    def _keep_keys(self, made: d.Mujoco, scope: Scope) -> None:
        """Keep the keyframes of a model with the places of its joints in them."""
        keys = [key for item in made.items if isinstance(item, d.Keyframes) for key in item.keys]
        if not keys:
            return
        places: dict[int, int] = {}
        count = 0
        for body in bodies(scope, self):
            for placed in body.joints:
                places[id(placed.doc)] = count
                kind = placed.doc.type if isinstance(placed.doc, b.Joint) else "free"
                count += SIZES[kind]
        self.keys += [AttachedKey(key, places, count) for key in keys]

    def _model(self, doc: b.Attach, scope: Scope) -> tuple[str, Node] | None:
        """The path and the expanded tree of the model that is attached."""
        sections = [item for item in scope.doc.items if isinstance(item, assets.Asset)]
        models = [m for section in sections for m in section.items if isinstance(m, assets.Model)]

        def title(model: assets.Model) -> str | None:
            found = self._read(model, scope)
            return None if found is None else found[1].word("model")

        chosen = attached_model(models, doc.model, title)
        if chosen is not None:
            return self._read(chosen, scope)
        names = [m.name for m in models if m.name]
        alike = near(doc.model or "", names)
        self.context.findings.error(
            "reference-unknown",
            f"<attach> refers to unknown model '{doc.model or ''}'",
            doc.at("model"),
            did_you_mean(alike, "define it in <asset>"),
            suggestion=alike,
        )
        return None

    def _read(self, model: assets.Model, scope: Scope) -> tuple[str, Node] | None:
        findings, files = self.context.findings, self.context.files
        at = model.at("file")
        noted = Findings()
        path = files.resolve((model.file or "").replace("\\", "/"), scope.path, at, noted)
        if path is None:
            for found in noted:
                message = f"cannot attach a model: {found.message}"
                findings.error("include-rejected", message, found.at, found.hint)
            return None
        key = files.canonical(path)
        if key not in self._trees:
            try:
                inner = replace(self.context, path=path)
                source = decode(files.read(path, at), path, findings, files.meter)
                root = xml.parse(source, findings)
                if root.tag == ROOT:
                    self._trees[key] = expand(root, inner, not scope.settings.discardvisual)
                else:
                    robot = self.context.load_robot(path, inner)
                    if robot is None:
                        return None
                    self._trees[key] = self.tree_of(robot)
            except LimitError:
                raise
            except (FileError, TextError) as broken:
                findings.append(broken.finding)
                return None
        return path, self._trees[key]

    def _items(self, scope: Scope, doc: b.Attach) -> tuple[Scope, list[Document]] | None:
        """The elements of the attached model that come in, and the file that they are of."""
        whole = _of_world(scope.doc)
        inside = list(self._inside(scope, whole))
        wanted, cls = (doc.body, b.Body) if doc.body else (doc.frame, b.Frame)
        if not wanted:
            return scope, whole
        name = f"{doc.prefix or ''}{wanted}"
        for item, home in inside:
            if isinstance(item, cls) and getattr(item, "name", None) == name:
                return home, [item]
        self.context.findings.error(
            "reference-unknown",
            f"<attach> refers to unknown {cls.KEY} '{wanted}' of model '{doc.model}'",
            doc.at("body", "frame"),
        )
        return None

    def _inside(self, scope: Scope, items: Sequence[Document]) -> Iterator[tuple[Document, Scope]]:
        """Elements and those inside of them, with what is attached to them, each with its file."""
        todo = [(item, scope) for item in reversed(items)]
        while todo:
            item, home = todo.pop()
            yield item, home
            if isinstance(item, b.Body | b.Frame):
                todo += [(inner, home) for inner in reversed(item.items)]
            elif isinstance(item, b.Attach) and (found := self(item, home)) is not None:
                todo += [(inner, found[0]) for inner in reversed(found[1])]

    def _leave(self, scopes: Sequence[Scope], items: Sequence[Document]) -> None:
        """Remove the elements of other sections that refer to what is not attached.

        ``scopes`` are the file of the elements and those that it attaches.
        """
        names = Names(KINDS - kinds_in(d.Asset))
        for item, _ in self._inside(scopes[0], items):
            names.add(item)
        # a file may refer to tendons and actuators of those that it attaches
        for scope in reversed(scopes):
            sections = [section for section in scope.doc.items if isinstance(section, accompanying())]
            leave_out(sections, partial(_comes_in, names))


def _of_world(doc: d.Mujoco) -> list[Document]:
    """The elements of the world of a file."""
    worlds = [item for item in doc.items if isinstance(item, b.WorldBody)]
    return [item for world in worlds for item in world.items]


def _comes_in(names: Names, item: Document) -> bool:
    """Whether an element of another section refers to what is attached; its name is known then."""
    wanted = {(found.kind, found.name) for found in names.references(item)} - {WORLD}
    if not wanted or names.unknown(item) is not None:
        return False
    names.add(item)
    return True


# --- names ------------------------------------------------------------------------------


def prefixed(root: Node, prefix: str, meter: Meter) -> Node:
    """A copy of the tree of a model with ``prefix`` before all names and references."""
    sections = table(d.Mujoco).inside
    items: list[Item] = []
    for key, section, start in root.items:
        cls, made = sections.get(key), section
        if isinstance(section, Node) and cls is not None and cls not in _UNNAMED:
            made = renamed(section, cls, partial(_with_prefix, prefix, meter, cls is b.WorldBody))
            _name_parts(made, cls, prefix, meter)
        items.append((key, made, start))
    return root.__class__(root.tag, items, root.source, root.start, root.end)


def _with_prefix(prefix: str, meter: Meter, is_tree: bool, kind: str, name: str) -> str:
    # MuJoCo looks for the target of a camera among the attached bodies
    is_fixed = kind == assets.Model.KEY or ((kind, name) == WORLD and not is_tree)
    if is_fixed:
        return name
    meter.take_name(len(prefix) + len(name))
    return f"{prefix}{name}"


def _name_parts(section: Node, cls: type[Document], prefix: str, meter: Meter) -> None:
    """Name the assets that have the names of their files, and what attached models attach, in place."""
    for node in elements(section):
        if node.tag == b.Attach.KEY:
            # its names are those of another model, which all get both prefixes
            own = node.word("prefix") or ""
            meter.take_name(len(prefix) + len(own))
            inner = f"{prefix}{own}"
            node.items = [x for x in node.items if x[0] != "prefix"] + [("prefix", Word(inner), -1)]
        elif cls is d.Asset and node.tag in NAMED_BY_FILE and not node.word("name"):
            name = stem(node.word("file"))
            meter.take_name(len(prefix) + len(name))
            node.items.insert(0, ("name", Word(f"{prefix}{name}" if name else ""), -1))
