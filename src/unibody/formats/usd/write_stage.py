"""The stage that is being written: one tree of prims in several layers, with names that USD accepts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import cache

from unibody.formats.names import Names
from unibody.formats.usd.document import TYPES
from unibody.formats.usd.tree import own_types, prefixes, schemas
from unibody.model.pose import Pose, Vector3
from unibody.text.dataclass import dataclass
from unibody.text.usda.layer import Attribute, Prim, Relationship

_OTHER = re.compile(r"[^A-Za-z0-9_]")


def identifier(name: str, word: str) -> str:
    """The name of a prim for a name of the model; ``word`` where that is empty.

    >>> identifier("left arm/2", "link"), identifier("3d", "link"), identifier("", "link")
    ('left_arm_2', '_3d', 'link')
    """
    out = _OTHER.sub("_", name) or word
    return f"_{out}" if out[0].isdigit() else out


def unique_names() -> Names:
    """The names of prims with one parent, the second of equal ones with a 1.

    >>> names = unique_names()
    >>> names.take("arm"), names.take("arm")
    ('arm', 'arm_1')
    """
    return Names(first=1)


# Types of what only the writer states.
_MORE = {
    "inputs:in": "float2",
    "inputs:rotation": "float",
    "inputs:scale": "float4",
    "inputs:translation": "float2",
    "inputs:treatAsPoint": "bool",
    "inputs:shaping:cone:softness": "float",
    "outputs:result": "float2",
    "outputs:rgb": "float3",
    "outputs:surface": "token",
    "horizontalApertureOffset": "float",
    "verticalApertureOffset": "float",
    "state:angular:physics:position": "float",
    "state:linear:physics:position": "float",
    "enabled": "bool",
}
_UNIFORM = frozenset(("physics:excludeFromArticulation",))


@cache
def _types() -> dict[str, str]:
    """The types of declared attributes by name, those of schemas with instances without the instance."""
    out = dict(_MORE)
    for tag in TYPES:
        out |= own_types(tag)
    for schema in schemas().values():
        prefix = f"{schema.prefix}:" if schema.prefix else ""
        out |= {f"{prefix}{name}": kind for name, kind in schema.attributes().items()}
    return out


def _without_instance(name: str) -> str:
    prefix, _, rest = name.partition(":")
    _, _, last = rest.partition(":")
    return f"{prefix}:{last}" if last and any(prefix == known for known, _ in prefixes()) else name


@dataclass(slots=True)
class Sheet:
    """One layer of the stage: what it says of each prim, by path. What another layer makes is an "over"."""

    root: Prim
    prims: dict[str, Prim] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.prims[f"/{self.root.name}"] = self.root

    def at(self, path: str) -> Prim:
        """What this layer says of a prim."""
        way: list[str] = []
        while path not in self.prims:
            way.append(path)
            path = path.rpartition("/")[0]
        parent = self.prims[path]
        for each in reversed(way):
            made = Prim(each.rpartition("/")[2], specifier="over")
            parent.children.append(made)
            self.prims[each] = parent = made
        return parent

    def make(self, path: str, type_name: str) -> Prim:
        """Make a prim of a type in this layer."""
        out = self.at(path)
        out.specifier, out.type = "def", type_name
        return out


@dataclass(slots=True)
class Stage:
    """The layers of a robot, and the paths of what is in them.

    ``top`` is the link that the tree of bodies begins with. ``links`` and ``joints`` are the paths of the
    prims by the name in the model, ``names`` those of the children of each prim.
    """

    root: str
    title: str
    top: str
    geometry: Sheet = field(init=False)
    physics: Sheet = field(init=False)
    materials: Sheet = field(init=False)
    names: dict[str, Names] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    joints: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        name = self.root[1:]
        self.geometry, self.physics, self.materials = (Sheet(Prim(name, "Xform")) for _ in range(3))

    @property
    def bodies(self) -> str:
        """The path of the scope with the links."""
        return f"{self.root}/Geometry"

    def add(self, sheet: Sheet, parent: str, name: str, type_name: str, word: str) -> str:
        """Make a prim with a free name below ``parent``, and return its path."""
        free = self.names.setdefault(parent, unique_names()).take(identifier(name, word))
        path = f"{parent}/{free}"
        made = sheet.make(path, type_name)
        if name and name != free:
            made.metadata["displayName"] = name
        return path


def place(prim: Prim, pose: Pose, scale: Vector3 | None = None, *, reset: bool = False) -> None:
    """State the pose of a prim in its parent, or in the world with ``reset``, in double precision."""
    order = ["!resetXformStack!"] if reset else []
    prim.properties.append(Attribute("double3", "xformOp:translate", pose.xyz))
    prim.properties.append(Attribute("quatd", "xformOp:orient", pose.quat))
    order += ["xformOp:translate", "xformOp:orient"]
    if scale is not None:
        prim.properties.append(Attribute("double3", "xformOp:scale", scale))
        order.append("xformOp:scale")
    prim.properties.append(Attribute("token[]", "xformOpOrder", order, uniform=True))


def attribute(
    name: str, value: object = None, *, metadata: Mapping[str, str] | None = None, connect: str = ""
) -> Attribute:
    """An attribute with the type that is declared for its name.

    >>> attribute("physics:axis", "X").type, attribute("physics:axis", "X").uniform
    ('token', True)
    """
    declared = _types().get(_without_instance(name))
    if declared is None:
        raise KeyError(f"no declared attribute: {name}")
    kind = declared.removeprefix("uniform ")
    is_uniform = kind != declared or name.startswith("mjc:") or name in _UNIFORM
    return Attribute(kind, name, value, uniform=is_uniform, metadata=metadata or {}, connect=connect)


def state(prim: Prim, *values: tuple[str, object]) -> None:
    """Add attributes, given as name and value."""
    prim.properties += [attribute(name, value) for name, value in values]


def relate(prim: Prim, name: str, targets: Iterable[str]) -> None:
    """Add a relationship."""
    prim.properties.append(Relationship(name, tuple(targets)))
