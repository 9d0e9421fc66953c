"""Attaches parts of other models: their elements come in with a prefix before all names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace

from unibody.document.bind import Binding, bind
from unibody.document.declare import Document
from unibody.files.access import FileError
from unibody.formats.format import Context
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_assets as assets
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf.expand import expand
from unibody.formats.mjcf.outside import references
from unibody.formats.mjcf.prefix import prefixed
from unibody.formats.mjcf.replicate import count_items
from unibody.formats.mjcf.tree import Scope, bodies
from unibody.text.dataclass import dataclass
from unibody.text.decode import decode
from unibody.text.finding import TextError
from unibody.text.limits import LimitError
from unibody.text.near import did_you_mean, near
from unibody.text.node import Node
from unibody.text.xml import parser as xml

# Sections whose elements come in if all that they refer to does.
_OUTSIDE = frozenset(("contact", "equality", "tendon", "actuator", "sensor"))
#: Numbers in qpos by type of joint.
SIZES = {"hinge": 1, "slide": 1, "ball": 4, "free": 7}
_NAMED = {b.Body: "body", b.Joint: "joint", b.FreeJoint: "joint", b.Geom: "geom", b.Site: "site"}


@dataclass(frozen=True, slots=True, eq=False)
class AttachedKey:
    """A keyframe, the places of joints in it by the id of their elements, and its length."""

    key: d.Key
    places: dict[int, int]
    count: int


@dataclass(slots=True, eq=False)
class Attachments:
    """The models that a model attaches; ``scopes`` has those that were, without what is not attached.

    ``scope_of`` returns the settings and assets of a file.
    """

    context: Context
    scope_of: Callable[[d.Mujoco, str, Context], Scope]
    scopes: list[Scope] = field(default_factory=list)
    keys: list[AttachedKey] = field(default_factory=list)
    _trees: dict[str, Node] = field(default_factory=dict)

    def __call__(self, doc: b.Attach, scope: Scope) -> tuple[Scope, list[Document]] | None:
        """The file and the elements that an element stands for; None after a finding."""
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
        named = prefixed(tree, doc.prefix or "")
        self.context.files.meter.take_nodes(count_items(named), doc.at)
        inner = replace(self.context, path=path)
        made = bind(d.Mujoco, named, Binding(findings, self.context.watch, xml=True, strict=True))
        inside = self.scope_of(made, path, inner)
        inside.way = way
        items = self._items(made, doc)
        if items is not None:
            self._keep_keys(made, inside)
            _leave(made, items)
            self.scopes.append(inside)
            self.context.documents.append(made)
        return None if items is None else (inside, items)

    def _keep_keys(self, made: d.Mujoco, scope: Scope) -> None:
        """Keep the keyframes of a model with the places of its joints in them."""
        keys = [key for item in made.items if isinstance(item, d.Keyframes) for key in item.keys]
        if not keys:
            return
        places: dict[int, int] = {}
        count = 0
        for body in bodies(scope, Attachments(self.context, self.scope_of)):
            for placed in body.joints:
                places[id(placed.doc)] = count
                kind = placed.doc.type if isinstance(placed.doc, b.Joint) else "free"
                count += SIZES[kind]
        self.keys += [AttachedKey(key, places, count) for key in keys]

    def _model(self, doc: b.Attach, scope: Scope) -> tuple[str, Node] | None:
        """The path and the expanded tree of the model that is attached."""
        sections = [item for item in scope.doc.items if isinstance(item, assets.Asset)]
        models = [m for section in sections for m in section.items if isinstance(m, assets.Model)]
        for model in models:
            if model.name == doc.model and model.name:
                return self._read(model, scope)
        for model in models:
            unnamed = None if model.name else self._read(model, scope)
            if unnamed is not None and unnamed[1].word("model") == doc.model:
                return unnamed
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
        path = files.resolve((model.file or "").replace("\\", "/"), scope.path, at, findings)
        if path is None:
            return None
        key = files.canonical(path)
        if key not in self._trees:
            try:
                inner = replace(self.context, path=path)
                source = decode(files.read(path, at), path, findings, files.meter)
                self._trees[key] = expand(
                    xml.parse(source, findings), inner, not scope.settings.discardvisual
                )
            except LimitError:
                raise
            except (FileError, TextError) as broken:
                findings.append(broken.finding)
                return None
        return path, self._trees[key]

    def _items(self, made: d.Mujoco, doc: b.Attach) -> list[Document] | None:
        """The elements of the attached model that come in."""
        worlds = [item for item in made.items if isinstance(item, b.WorldBody)]
        whole = [item for world in worlds for item in world.items]
        wanted, cls = (doc.body, b.Body) if doc.body else (doc.frame, b.Frame)
        if not wanted:
            return whole
        name = f"{doc.prefix or ''}{wanted}"
        todo = list(reversed(whole))
        while todo:
            item = todo.pop()
            if isinstance(item, cls) and getattr(item, "name", None) == name:
                return [item]
            if isinstance(item, b.Body | b.Frame):
                todo += reversed(item.items)
        self.context.findings.error(
            "reference-unknown",
            f"<attach> refers to unknown {cls.KEY} '{wanted}' of model '{doc.model}'",
            doc.at("body", "frame"),
        )
        return None


def _leave(made: d.Mujoco, items: list[Document]) -> None:
    """Remove the elements of other sections that refer to what is not attached."""
    known = {("body", "world")}
    todo = list(items)
    while todo:
        item = todo.pop()
        for cls, kind in _NAMED.items():
            if isinstance(item, cls) and (own := getattr(item, "name", None)):
                known.add((kind, own))
        if isinstance(item, b.Camera) and item.name:
            known.add(("camera", item.name))
        if isinstance(item, b.Body | b.Frame):
            todo += item.items
    for section in made.items:
        key = getattr(section, "KEY", "")
        if key not in _OUTSIDE:
            continue
        kept: list[Document] = []
        for item in section.items:  # type: ignore[attr-defined]
            wanted = references(item.node) if item.node is not None else []
            if wanted and all(each in known for each in wanted):
                kept.append(item)
                name = getattr(item, "name", None)
                if key in ("tendon", "actuator") and name:
                    known.add((key, name))
        section.items = kept  # type: ignore[attr-defined]
