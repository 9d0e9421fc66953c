"""Declares default classes."""

from __future__ import annotations

from dataclasses import field, fields
from functools import cache

from unibody.document.declare import TEXT, Document, children, choice, element, key, plan
from unibody.formats.mjcf import document_actuators as a
from unibody.formats.mjcf.document_assets import MaterialValues, MeshValues
from unibody.formats.mjcf.document_bodies import (
    CameraValues,
    GeomValues,
    JointValues,
    LightValues,
    SiteValues,
)
from unibody.formats.mjcf.document_constraints import EqualityValues, PairValues
from unibody.formats.mjcf.document_element import (
    AUTO,
    FLAG,
    FOUR,
    INTEGER,
    NUMBER,
    NUMBERS,
    PAIR,
    TRIPLE,
    Element,
    up_to,
)

#: Fields of actuators that MuJoCo does not read in a default class, besides references.
_OWN = frozenset(("name", "class_", "lengthrange", "tausmooth"))


def in_default() -> tuple[tuple[type[Document], ...], None]:
    """The elements inside a default class."""
    return (
        DefaultMesh,
        DefaultTexture,
        DefaultMaterial,
        DefaultJoint,
        DefaultGeom,
        DefaultSite,
        DefaultCamera,
        DefaultLight,
        DefaultPair,
        DefaultEquality,
        DefaultTendon,
        *_actuators(),
        Default,
    ), None


@element
class DefaultMesh(MeshValues):
    """Default values of mesh elements."""

    KEY = "mesh"


@element
class DefaultTexture(Element):
    """Default values of texture elements."""

    KEY = "texture"
    builtin: str | None = key(choice("none", "gradient", "checker", "flat"), doc="MuJoCo 4.0")
    colorspace: str = key(choice("auto", "linear", "sRGB"), "auto", doc="MuJoCo 4.0")
    embed: str | None = key(TEXT, doc="MuJoCo 4.0")
    gridlayout: str | None = key(TEXT, doc="MuJoCo 4.0")
    gridsize: tuple[float, ...] = key(PAIR, (1.0, 1.0), doc="MuJoCo 4.0")
    height: int | None = key(INTEGER, doc="MuJoCo 4.0")
    hflip: bool = key(FLAG, False, doc="MuJoCo 4.0")
    mark: str | None = key(choice("none", "edge", "cross", "random"), doc="MuJoCo 4.0")
    markrgb: tuple[float, ...] | None = key(TRIPLE, doc="MuJoCo 4.0")
    nchannel: int = key(INTEGER, 3, doc="MuJoCo 4.0")
    random: float = key(NUMBER, 0.01, doc="MuJoCo 4.0")
    rgb1: tuple[float, ...] = key(TRIPLE, (0.8, 0.8, 0.8), doc="MuJoCo 4.0")
    rgb2: tuple[float, ...] = key(TRIPLE, (0.5, 0.5, 0.5), doc="MuJoCo 4.0")
    type: str = key(choice("2d", "cube", "skybox"), "cube", doc="MuJoCo 4.0")
    vflip: bool = key(FLAG, False, doc="MuJoCo 4.0")
    width: int | None = key(INTEGER, doc="MuJoCo 4.0")


@element
class DefaultMaterial(MaterialValues):
    """Default values of material elements."""

    KEY = "material"


@element
class DefaultJoint(JointValues):
    """Default values of joint elements."""

    KEY = "joint"


@element
class DefaultGeom(GeomValues):
    """Default values of geom elements."""

    KEY = "geom"


@element
class DefaultSite(SiteValues):
    """Default values of site elements."""

    KEY = "site"


@element
class DefaultCamera(CameraValues):
    """Default values of camera elements."""

    KEY = "camera"


@element
class DefaultLight(LightValues):
    """Default values of light elements."""

    KEY = "light"


@element
class DefaultPair(PairValues):
    """Default values of pair elements."""

    KEY = "pair"


@element
class DefaultEquality(EqualityValues):
    """Default values of equality elements."""

    KEY = "equality"


@element
class DefaultTendon(Element):
    """Default values of tendon elements."""

    KEY = "tendon"
    actuatorfrclimited: str | None = key(AUTO, doc="MuJoCo 4.0")
    actuatorfrcrange: tuple[float, ...] | None = key(PAIR, doc="MuJoCo 4.0")
    armature: float | None = key(NUMBER, unit="kg·m² or kg", doc="MuJoCo 4.0")
    damping: tuple[float, ...] | None = key(up_to(3), unit="N·m·s/rad or N·s/m")
    frictionloss: float | None = key(NUMBER, unit="N·m or N")
    group: int | None = key(INTEGER)
    limited: str = key(AUTO, "auto")
    margin: float | None = key(NUMBER)
    material: str | None = key(TEXT, local="material")
    range: tuple[float, ...] | None = key(PAIR)
    rgba: tuple[float, ...] | None = key(FOUR)
    solimpfriction: tuple[float, ...] | None = key(up_to(5))
    solimplimit: tuple[float, ...] | None = key(up_to(5))
    solreffriction: tuple[float, ...] | None = key(up_to(2))
    solreflimit: tuple[float, ...] | None = key(up_to(2))
    springlength: tuple[float, ...] | None = key(up_to(2))
    springyield: tuple[float, ...] | None = key(NUMBERS, doc="MuJoCo 4.0")
    stiffness: tuple[float, ...] | None = key(up_to(3), unit="N·m/rad or N/m")
    user: tuple[float, ...] | None = key(NUMBERS)
    width: float | None = key(NUMBER)


def _values_of(actuator: type[Document]) -> type[Document]:
    """The element of a default class for an actuator: its values, without what belongs to one joint."""
    specs = plan(actuator).fields
    held = [f for f in fields(actuator) if f.name not in _OWN and not specs[f.name].refers]  # type: ignore[arg-type]
    body = {f.name: field(default=f.default, metadata=f.metadata) for f in held}
    hints = {f.name: f.type for f in held}
    tag = actuator.KEY  # type: ignore[attr-defined]
    about = {"__doc__": f"Default values of {tag} elements.", "__module__": __name__, "KEY": tag}
    made = type(f"Default{actuator.__name__}", (Element,), {**about, **body, "__annotations__": hints})
    return element(made)


def default_of(actuator: type[Document]) -> type[Document]:
    """The element of a default class for a class of actuators."""
    tag = actuator.KEY  # type: ignore[attr-defined]
    return next(cls for cls in _actuators() if tag == cls.KEY)  # type: ignore[attr-defined]


@cache
def _actuators() -> tuple[type[Document], ...]:
    """The elements of actuators in a default class; made when a file has default classes."""
    kinds: tuple[type[Document], ...] = (
        a.General, a.Motor, a.Position, a.Velocity, a.IntVelocity, a.Orientation, a.Pid, a.Damper,
        a.Cylinder, a.Muscle, a.Adhesion, a.DcMotor,
    )  # fmt: skip
    return tuple(map(_values_of, kinds))


@element
class Default(Element):
    """A class of default values; a class inside it starts with its values."""

    KEY = "default"
    class_: str | None = key(TEXT, name="class", local="class")
    items: list[Document] = children(of=in_default, by="key")
