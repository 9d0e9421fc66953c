"""Factors out what the elements of a document have in common: default values, and the folders of its files.

This changes how a file reads, not what MuJoCo compiles of it.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import field
from typing import Any

from unibody.document.declare import Document, plan
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_assets as assets
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf import document_defaults as defaults
from unibody.formats.mjcf.asset_elements import IMAGES, MESHES, files_of
from unibody.formats.mjcf.conventions import settings_of
from unibody.formats.mjcf.defaults import MAIN
from unibody.formats.mjcf.document_element import nested
from unibody.model.changes.joints import free_name
from unibody.model.robot import Robot
from unibody.text.dataclass import dataclass
from unibody.text.node import Word

_JOINT = (
    "actuatorfrcrange", "armature", "damping", "frictionloss", "group", "margin", "solimplimit",
    "solreflimit", "stiffness",
)  # fmt: skip
_GEOM = (
    "type", "group", "contype", "conaffinity", "condim", "friction", "margin", "material", "rgba", "solimp",
    "solref",
)  # fmt: skip
_CLASS = ("group", "contype", "conaffinity")
_MESH = ("inertia", "scale")
_MATERIAL = ("emission", "shininess", "specular")
_EQUALITY = ("solimp", "solref")
_ACTUATOR = ("ctrlrange", "dampratio", "forcerange", "gear", "kp", "kv")
# What is factored out only if all elements have it: gains, and colors, which hide those of materials.
_UNANIMOUS = frozenset(("rgba", "material", "kp", "kv"))
# An element and its attribute that names a file.
_Place = tuple[Document, str]


def factor(out: d.Mujoco, robot: Robot) -> None:
    """Factor out the defaults of a document, in place, as a class with the name of the robot.

    What a file that includes this one adds is not of that class. A robot that was MJCF is left as it is:
    its elements have the values that they have in its source.
    """
    if any(extra.format == "mjcf" and extra.owner for extra in robot.extras):
        return
    _factor_elements(out)
    _factor_masses(out)
    _factor_folders(out)


def _factor_elements(out: d.Mujoco) -> None:
    top = next((item for item in out.items if isinstance(item, d.Default)), None) or d.Default()
    inner = [item for item in top.items if isinstance(item, d.Default)]
    name = free_name(out.model or "robot", {MAIN, *(item.class_ or MAIN for item in inner)})
    found = list(_elements(out.items))
    of_tree, others = _groups(out, found, inner, name)
    made = [element for group in (*of_tree, *others) for element in group.elements()]
    if not made:
        return
    own = d.Default(class_=name, items=[*made, *inner])
    for group in others:
        for doc in group.docs if group.common else ():
            doc.class_ = name  # type: ignore[attr-defined]
    if any(group.common for group in of_tree):
        _give_class(out, name)
    else:
        own.items = made
    top.items = [own] if own.items != made else [own, *inner]
    if not any(item is top for item in out.items):
        at = next(i for i, x in enumerate(out.items) if isinstance(x, d.Custom | d.Asset | d.WorldBody))
        out.items.insert(at, top)


def _groups(
    out: d.Mujoco, found: Sequence[Document], inner: Sequence[d.Default], name: str
) -> tuple[list[_Group], list[_Group]]:
    """The elements of the tree by kind, and the others, with what is factored out of them."""
    geoms = [x for x in found if isinstance(x, b.Geom)]
    joints = _Group([x for x in found if isinstance(x, b.Joint)], defaults.DefaultJoint)
    joints.factor(_JOINT)
    shapes = _Group([g for g in geoms if g.class_ is None], defaults.DefaultGeom)
    for of_class in inner:
        group = _Group([g for g in geoms if g.class_ == of_class.class_], defaults.DefaultGeom)
        shared = next(item for item in of_class.items if isinstance(item, defaults.DefaultGeom))
        group.factor(_GEOM, taken=_CLASS)
        for field_name, value in group.common.items():
            setattr(shared, field_name, value)
        shapes.inner.append((shared, {*_CLASS, *group.common}, group))
    shapes.factor(_GEOM)
    others = [
        (_MESH, _Group([x for x in found if isinstance(x, assets.Mesh)], defaults.DefaultMesh)),
        (_MATERIAL, _Group([x for x in found if isinstance(x, assets.Material)], defaults.DefaultMaterial)),
        (_EQUALITY, _Group(_members(out, d.Equalities), defaults.DefaultEquality)),
    ]
    actuators = [x for x in _members(out, d.Actuators) if not getattr(x, "class_", None)]
    kinds = {type(x) for x in actuators}
    if len(kinds) == 1:
        others.append((_ACTUATOR, _Group(actuators, defaults.default_of(kinds.pop()))))
    for names, group in others:
        group.factor(names, least=len(f' class="{name}"'))
    return [joints, shapes], [group for _, group in others]


def _give_class(out: d.Mujoco, name: str) -> None:
    """Give all elements of the tree a class: by their body, or themselves in the world, which has none."""
    for world in out.items:
        for doc in world.items if isinstance(world, d.WorldBody) else ():
            if isinstance(doc, b.Body):
                doc.childclass = name
            elif isinstance(doc, b.Geom) and doc.class_ is None:
                doc.class_ = name


def _factor_masses(out: d.Mujoco) -> None:
    """Leave out that geoms have no mass if no body would get its mass from them: others include files."""
    bodies = [doc for doc in _elements(out.items) if isinstance(doc, b.Body)]
    if all(_has(body, b.Inertial) or not _has(body, b.Geom) for body in bodies):
        compiler = next(item for item in out.items if isinstance(item, d.Compiler))
        compiler.inertiafromgeom = "auto"


def _has(body: b.Body, cls: type[Document]) -> bool:
    return any(isinstance(item, cls) for item in body.items)


@dataclass(slots=True)
class _Group:
    """Elements with one default; ``common`` is what has been factored out of them.

    ``inner`` are default classes: the element of the class, the names of the fields that it sets, and the
    elements of the class.
    """

    docs: Sequence[Document]
    default: type[Document]
    inner: list[tuple[Document, set[str], _Group]] = field(default_factory=list)
    common: dict[str, Any] = field(default_factory=dict)

    def factor(self, names: Iterable[str], taken: Collection[str] = (), least: int = 0) -> None:
        """Factor out the values that at least half of the elements have, if all state one.

        Nothing is, if the attributes with these values are not longer than ``least`` characters.
        """
        common = self._shared(names, taken)
        if self._length(common) <= least:
            return
        self.common = common
        for name, value in common.items():
            for doc in self._stating(name):
                if getattr(doc, name) == value:
                    setattr(doc, name, plan(type(doc)).defaults[name])
                    doc.given = {*doc.given} - {name}
                else:
                    doc.given = {*doc.given, name}

    def _shared(self, names: Iterable[str], taken: Collection[str]) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for name in names:
            docs = self._stating(name)
            if name in taken or len(docs) < 2 or not all(name in plan(type(doc)).fields for doc in docs):
                continue
            values = [getattr(doc, name) for doc in docs]
            value, count = Counter(values).most_common(1)[0]
            # of lists of different lengths the shorter ones would end with the values of the default
            lengths = {len(v) if isinstance(v, tuple) else 0 for v in values}
            usual = plan(type(docs[0])).defaults[name]
            is_unanimous = count == len(docs) or name not in _UNANIMOUS
            if None in values or value == usual or len(lengths) > 1 or 2 * count < len(docs) or count < 2:
                continue
            if not is_unanimous or (name == "type" and value != "mesh"):
                continue
            out[name] = value
        return out

    def _length(self, common: dict[str, Any]) -> int:
        """The number of characters of the attributes with these values."""
        specs = plan(self.default).fields
        words = [
            (specs[name].key, spec.print(value))
            for name, value in common.items()
            if (spec := specs[name].type) is not None
        ]
        return sum(len(f' {key}="{word.text}"') for key, word in words if isinstance(word, Word))

    def _stating(self, name: str) -> list[Document]:
        """The elements that have the default of this group for a field, and the classes that set it."""
        out = list(self.docs)
        for shared, own, group in self.inner:
            if name in own:
                out.append(shared)
            else:
                out += group.docs
        return out

    def elements(self) -> list[Document]:
        """The element of the default class with what was factored out, if anything was."""
        if not self.common:
            return []
        doc = self.default()
        for name, value in self.common.items():
            setattr(doc, name, value)
        return [doc]


def _elements(items: Iterable[Document]) -> Iterable[Document]:
    """The elements of the assets, of the world, and deformable ones, in order."""
    return nested(item for item in items if isinstance(item, d.Asset | d.WorldBody | d.Deformable))


def _members(out: d.Mujoco, section: type[Document]) -> list[Document]:
    return [member for item in out.items if isinstance(item, section) for member in item.items]  # type: ignore[attr-defined]


# --- folders ----------------------------------------------------------------------------


def _factor_folders(out: d.Mujoco) -> None:
    """State the folder of all meshes, and that of all textures, once."""
    compiler, meshes, images = _files_of(out)
    compiler.meshdir = _fold(meshes)
    compiler.texturedir = _fold(images)
    if compiler.meshdir == compiler.texturedir:
        compiler.assetdir, compiler.meshdir, compiler.texturedir = compiler.meshdir, None, None


def with_folders_of(out: Document, source: Document) -> None:
    """Name the files of a document below the folders that the compiler of its ``source`` states, in place.

    Where they are not there, another folder is stated in the same attribute.
    """
    assert isinstance(out, d.Mujoco)
    assert isinstance(source, d.Mujoco)
    stated = [item for item in source.items if isinstance(item, d.Compiler)]
    settings = settings_of(stated)
    compiler, meshes, images = _files_of(out)
    compiler.strippath = settings.strippath
    if any(each.given & {"meshdir", "texturedir"} for each in stated):
        compiler.meshdir = _named_below(meshes, settings.meshdir, settings.strippath)
        compiler.texturedir = _named_below(images, settings.texturedir, settings.strippath)
    else:
        compiler.assetdir = _named_below([*meshes, *images], settings.meshdir, settings.strippath)
    if settings.strippath and any("/" in getattr(doc, name) for doc, name in (*meshes, *images)):
        compiler.strippath = False


def _files_of(out: d.Mujoco) -> tuple[d.Compiler, list[_Place], list[_Place]]:
    """The compiler, and the attributes that name files: of meshes, and of images."""
    compiler = next(item for item in out.items if isinstance(item, d.Compiler))
    meshes: list[_Place] = []
    images: list[_Place] = []
    for doc in _elements(out.items):
        if isinstance(doc, (*MESHES, IMAGES)):
            found = images if isinstance(doc, IMAGES) else meshes
            found += [(doc, attribute) for attribute, _ in files_of(doc)]
    return compiler, meshes, images


def _named_below(places: Sequence[_Place], usual: str, stripped: bool) -> str | None:
    """Name relative files below the folder that all are in; returns it, the ``usual`` one if it can be.

    If paths are stripped, there must be one; if none is usual otherwise, files have their paths.
    """
    folder = usual.replace("\\", "/").rstrip("/")
    if not folder and not stripped:
        return None
    relative = [(doc, name) for doc, name in places if not posixpath.isabs(getattr(doc, name))]
    folders = {posixpath.dirname(getattr(doc, name)) for doc, name in relative}
    if not folders or (folder and all(f"{found}/".startswith(f"{folder}/") for found in folders)):
        common = folder
    else:
        common = posixpath.commonpath(folders)
    for doc, name in relative:
        setattr(doc, name, getattr(doc, name)[len(common) :].lstrip("/"))
    return common or None


def _fold(places: Sequence[_Place]) -> str | None:
    """Remove the folder that all files are in from the attributes that name them; returns it."""
    folders = {posixpath.dirname(getattr(doc, name)) for doc, name in places}
    if len(folders) != 1:
        return None
    folder: str = folders.pop()
    if not folder or folder.startswith("/") or "\\" in folder or ":" in folder:
        return None
    for doc, name in places:
        setattr(doc, name, posixpath.basename(getattr(doc, name)))
    return folder
