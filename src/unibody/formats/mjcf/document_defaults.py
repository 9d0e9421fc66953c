"""Declares default classes."""

from __future__ import annotations

from unibody.document.declare import TEXT, Document, children, choice, element, key
from unibody.formats.mjcf.document_actuators import ActuatorValues
from unibody.formats.mjcf.document_assets import MaterialValues, MeshValues
from unibody.formats.mjcf.document_bodies import (
    CameraValues,
    GeomValues,
    JointValues,
    LightValues,
    SiteValues,
)
from unibody.formats.mjcf.document_constraints import EqualityValues, PairValues
from unibody.formats.mjcf.values import (
    AUTO,
    FLAG,
    FOUR,
    INTEGER,
    NUMBER,
    NUMBERS,
    PAIR,
    TRIPLE,
    up_to,
)


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
        DefaultGeneral,
        DefaultMotor,
        DefaultPosition,
        DefaultVelocity,
        DefaultIntVelocity,
        DefaultOrientation,
        DefaultPid,
        DefaultDamper,
        DefaultCylinder,
        DefaultMuscle,
        DefaultAdhesion,
        DefaultDcMotor,
        Default,
    ), None


@element
class DefaultMesh(MeshValues):
    """Default values of mesh elements."""

    KEY = "mesh"


@element
class DefaultTexture(Document):
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
class DefaultTendon(Document):
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
    material: str | None = key(TEXT)
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


@element
class DefaultGearedDrive(ActuatorValues):
    """Base of the default values of actuators with a gear."""

    armature: float | None = key(NUMBER, unit="kg·m² or kg")
    cranklength: float | None = key(NUMBER)
    damping: tuple[float, ...] | None = key(up_to(3), unit="N·m·s/rad or N·s/m")
    gear: tuple[float, ...] = key(up_to(6), (1.0, 0.0, 0.0, 0.0, 0.0, 0.0))


@element
class DefaultGeneral(DefaultGearedDrive):
    """Default values of general elements."""

    KEY = "general"
    actdim: int = key(INTEGER, -1)
    actearly: bool = key(FLAG, False)
    actlimited: str = key(AUTO, "auto")
    actrange: tuple[float, ...] | None = key(PAIR)
    biasprm: tuple[float, ...] | None = key(up_to(10))
    biastype: str = key(choice("none", "affine", "muscle", "dcmotor", "so3", "user"), "none")
    ctrllimited: str = key(AUTO, "auto")
    dynprm: tuple[float, ...] = key(up_to(10), (1.0,))
    dyntype: str = key(
        choice(
            "none",
            "integrator",
            "filter",
            "filterexact",
            "muscle",
            "dcmotor",
            "pid",
            "user",
        ),
        "none",
    )
    ffrange: tuple[float, ...] | None = key(PAIR)
    forcelimited: str = key(AUTO, "auto")
    forcerange: tuple[float, ...] | None = key(PAIR)
    gainprm: tuple[float, ...] = key(up_to(10), (1.0,))
    gaintype: str = key(
        choice(
            "fixed",
            "affine",
            "muscle",
            "dcmotor",
            "so3",
            "pid",
            "user",
        ),
        "fixed",
    )
    inheritrange: float | None = key(NUMBER)
    input: str | None = key(choice("expmap", "quat"))
    velrange: tuple[float, ...] | None = key(PAIR)


@element
class DefaultMotor(DefaultGearedDrive):
    """Default values of motor elements."""

    KEY = "motor"
    ctrllimited: str = key(AUTO, "auto")
    forcelimited: str = key(AUTO, "auto")
    forcerange: tuple[float, ...] | None = key(PAIR)


@element
class DefaultPosition(DefaultGearedDrive):
    """Default values of position elements."""

    KEY = "position"
    ctrllimited: str = key(AUTO, "auto")
    dampratio: float | None = key(NUMBER)
    forcelimited: str = key(AUTO, "auto")
    forcerange: tuple[float, ...] | None = key(PAIR)
    inheritrange: float | None = key(NUMBER)
    kp: float | None = key(NUMBER)
    kv: float | None = key(NUMBER)
    timeconst: float | None = key(NUMBER)


@element
class DefaultVelocity(DefaultGearedDrive):
    """Default values of velocity elements."""

    KEY = "velocity"
    ctrllimited: str = key(AUTO, "auto")
    forcelimited: str = key(AUTO, "auto")
    forcerange: tuple[float, ...] | None = key(PAIR)
    kv: float | None = key(NUMBER)


@element
class DefaultIntVelocity(DefaultGearedDrive):
    """Default values of intvelocity elements."""

    KEY = "intvelocity"
    actlimited: str = key(AUTO, "auto")
    actrange: tuple[float, ...] | None = key(PAIR)
    ctrllimited: str = key(AUTO, "auto")
    dampratio: float | None = key(NUMBER)
    forcelimited: str = key(AUTO, "auto")
    forcerange: tuple[float, ...] | None = key(PAIR)
    inheritrange: float | None = key(NUMBER)
    kp: float | None = key(NUMBER)
    kv: float | None = key(NUMBER)


@element
class DefaultOrientation(ActuatorValues):
    """Default values of orientation elements."""

    KEY = "orientation"
    dampratio: float | None = key(NUMBER)
    forcelimited: str = key(AUTO, "auto")
    forcerange: tuple[float, ...] | None = key(PAIR)
    input: str | None = key(choice("expmap", "quat"))
    kp: float | None = key(NUMBER)
    kv: float | None = key(NUMBER)


@element
class DefaultPid(DefaultGearedDrive):
    """Default values of pid elements."""

    KEY = "pid"
    ctrllimited: str = key(AUTO, "auto")
    dampratio: float | None = key(NUMBER)
    ffrange: tuple[float, ...] | None = key(PAIR)
    forcelimited: str = key(AUTO, "auto")
    forcerange: tuple[float, ...] | None = key(PAIR)
    imax: float | None = key(NUMBER)
    inheritrange: float | None = key(NUMBER)
    input: str | None = key(TEXT)
    ki: float | None = key(NUMBER)
    kp: float | None = key(NUMBER)
    kv: float | None = key(NUMBER)
    posrange: tuple[float, ...] | None = key(PAIR)
    slewmax: float | None = key(NUMBER)
    velrange: tuple[float, ...] | None = key(PAIR)


@element
class DefaultDamper(DefaultGearedDrive):
    """Default values of damper elements."""

    KEY = "damper"
    forcelimited: str = key(AUTO, "auto")
    forcerange: tuple[float, ...] | None = key(PAIR)
    kv: float | None = key(NUMBER)


@element
class DefaultCylinder(DefaultGearedDrive):
    """Default values of cylinder elements."""

    KEY = "cylinder"
    area: float | None = key(NUMBER)
    bias: tuple[float, ...] | None = key(TRIPLE)
    ctrllimited: str = key(AUTO, "auto")
    diameter: float | None = key(NUMBER)
    forcelimited: str = key(AUTO, "auto")
    forcerange: tuple[float, ...] | None = key(PAIR)
    timeconst: float | None = key(NUMBER)


@element
class DefaultMuscle(DefaultGearedDrive):
    """Default values of muscle elements."""

    KEY = "muscle"
    ctrllimited: str = key(AUTO, "auto")
    force: float | None = key(NUMBER)
    forcelimited: str = key(AUTO, "auto")
    forcerange: tuple[float, ...] | None = key(PAIR)
    fpmax: float | None = key(NUMBER)
    fvmax: float | None = key(NUMBER)
    lmax: float | None = key(NUMBER)
    lmin: float | None = key(NUMBER)
    range: tuple[float, ...] | None = key(PAIR)
    scale: float | None = key(NUMBER)
    timeconst: tuple[float, ...] | None = key(PAIR)
    vmax: float | None = key(NUMBER)


@element
class DefaultAdhesion(ActuatorValues):
    """Default values of adhesion elements."""

    KEY = "adhesion"
    forcelimited: str = key(AUTO, "auto")
    forcerange: tuple[float, ...] | None = key(PAIR)
    gain: float | None = key(NUMBER)


@element
class DefaultDcMotor(DefaultGearedDrive):
    """Default values of dcmotor elements."""

    KEY = "dcmotor"
    cogging: tuple[float, ...] | None = key(up_to(3))
    controller: tuple[float, ...] | None = key(up_to(6))
    ctrllimited: str = key(AUTO, "auto")
    inductance: tuple[float, ...] | None = key(up_to(2))
    input: str | None = key(TEXT)
    lugre: tuple[float, ...] | None = key(up_to(5))
    motorconst: tuple[float, ...] | None = key(up_to(2))
    nominal: tuple[float, ...] | None = key(up_to(3))
    resistance: float | None = key(NUMBER)
    saturation: tuple[float, ...] | None = key(up_to(3))
    thermal: tuple[float, ...] | None = key(up_to(6))


@element
class Default(Document):
    """A class of default values; a class inside it starts with its values."""

    KEY = "default"
    class_: str | None = key(TEXT, name="class")
    items: list[Document] = children(of=in_default, by="key")
