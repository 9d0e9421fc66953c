"""Declares actuators."""

from __future__ import annotations

from unibody.document.declare import TEXT, Document, children, choice, element, key
from unibody.formats.mjcf.document_bodies import PluginConfig
from unibody.formats.mjcf.document_element import (
    AUTO,
    FLAG,
    INPUTS,
    INTEGER,
    INTERPOLATION,
    NUMBER,
    NUMBERS,
    PAIR,
    SITES,
    TRIPLE,
    Element,
    up_to,
)

#: The dynamics of the activation of an actuator.
DYNAMICS = choice("none", "integrator", "filter", "filterexact", "muscle", "dcmotor", "pid", "user")


@element
class ActuatorValues(Element):
    """Values that all actuators and their defaults have."""

    DEFAULT = "general"
    ctrlrange: tuple[float, ...] | None = key(PAIR)
    delay: float | None = key(NUMBER)
    group: int | None = key(INTEGER)
    interp: str | None = key(INTERPOLATION)
    nsample: int | None = key(INTEGER)
    user: tuple[float, ...] | None = key(NUMBERS)


@element
class ActuatorBase(ActuatorValues):
    """Base of actuators: what all of them have."""

    class_: str | None = key(TEXT, name="class", local="class")
    name: str | None = key(TEXT, names="actuators")


@element
class Drive(ActuatorBase):
    """Base of actuators that drive a joint, a tendon or a site."""

    joint: str | None = key(TEXT, refers="joints")


@element
class GearedDrive(Drive):
    """Base of actuators that pull on a joint, a tendon or a slider-crank through a gear."""

    armature: float | None = key(NUMBER, unit="kg·m² or kg")
    cranklength: float | None = key(NUMBER)
    cranksite: str | None = key(TEXT, refers=SITES)
    damping: tuple[float, ...] | None = key(up_to(3), unit="N·m·s/rad or N·s/m")
    gear: tuple[float, ...] = key(up_to(6), (1.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    jointinparent: str | None = key(TEXT, refers="joints")
    lengthrange: tuple[float, ...] | None = key(PAIR)
    slidersite: str | None = key(TEXT, refers=SITES)
    tendon: str | None = key(TEXT, refers="tendons")


@element
class LimitedDrive(GearedDrive):
    """Base of drives whose control and force may be limited."""

    ctrllimited: str = key(AUTO, "auto")
    forcelimited: str = key(AUTO, "auto")
    forcerange: tuple[float, ...] | None = key(PAIR)


@element
class SiteDrive(LimitedDrive):
    """Base of drives that may also pull on a site."""

    refsite: str | None = key(TEXT, refers=SITES)
    site: str | None = key(TEXT, refers=SITES)


@element
class General(SiteDrive):
    """An actuator whose gain, bias and dynamics are all given."""

    KEY = "general"
    actdim: int = key(INTEGER, -1)
    actearly: bool = key(FLAG, False)
    actlimited: str = key(AUTO, "auto")
    actrange: tuple[float, ...] | None = key(PAIR)
    biasprm: tuple[float, ...] | None = key(up_to(10))
    biastype: str = key(choice("none", "affine", "muscle", "dcmotor", "so3", "user"), "none")
    body: str | None = key(TEXT, refers="links")
    dynprm: tuple[float, ...] = key(up_to(10), (1.0,))
    dyntype: str = key(DYNAMICS, "none")
    ffrange: tuple[float, ...] | None = key(PAIR)
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
    input: str | None = key(INPUTS, doc="MuJoCo 4.0 for servos")
    velrange: tuple[float, ...] | None = key(PAIR)


@element
class Motor(SiteDrive):
    """A force or torque."""

    KEY = "motor"


@element
class Position(SiteDrive):
    """A position servo."""

    KEY = "position"
    dampratio: float | None = key(NUMBER)
    inheritrange: float | None = key(NUMBER)
    kp: float | None = key(NUMBER)
    kv: float | None = key(NUMBER)
    timeconst: float | None = key(NUMBER)


@element
class Velocity(SiteDrive):
    """A velocity servo."""

    KEY = "velocity"
    kv: float | None = key(NUMBER)


@element
class IntVelocity(SiteDrive):
    """A velocity servo that integrates to a position."""

    KEY = "intvelocity"
    actlimited: str = key(AUTO, "auto")
    actrange: tuple[float, ...] | None = key(PAIR)
    dampratio: float | None = key(NUMBER)
    inheritrange: float | None = key(NUMBER)
    kp: float | None = key(NUMBER)
    kv: float | None = key(NUMBER)


@element
class Orientation(Drive):
    """A servo of an orientation (MuJoCo 3.9)."""

    KEY = "orientation"
    dampratio: float | None = key(NUMBER)
    forcelimited: str = key(AUTO, "auto")
    forcerange: tuple[float, ...] | None = key(PAIR)
    input: str | None = key(choice("expmap", "quat"))
    kp: float | None = key(NUMBER)
    kv: float | None = key(NUMBER)
    refsite: str | None = key(TEXT, refers=SITES)
    site: str | None = key(TEXT, refers=SITES)


@element
class Pid(SiteDrive):
    """A PID controller (MuJoCo 3.9)."""

    KEY = "pid"
    dampratio: float | None = key(NUMBER)
    ffrange: tuple[float, ...] | None = key(PAIR)
    imax: float | None = key(NUMBER)
    inheritrange: float | None = key(NUMBER)
    input: str | None = key(INPUTS)
    ki: float | None = key(NUMBER)
    kp: float | None = key(NUMBER)
    kv: float | None = key(NUMBER)
    posrange: tuple[float, ...] | None = key(PAIR)
    slewmax: float | None = key(NUMBER)
    velrange: tuple[float, ...] | None = key(PAIR)


@element
class Damper(GearedDrive):
    """An active damper."""

    KEY = "damper"
    forcelimited: str = key(AUTO, "auto")
    forcerange: tuple[float, ...] | None = key(PAIR)
    kv: float | None = key(NUMBER)
    refsite: str | None = key(TEXT, refers=SITES)
    site: str | None = key(TEXT, refers=SITES)


@element
class Cylinder(SiteDrive):
    """A pneumatic or hydraulic cylinder."""

    KEY = "cylinder"
    area: float | None = key(NUMBER)
    bias: tuple[float, ...] | None = key(TRIPLE)
    diameter: float | None = key(NUMBER)
    timeconst: float | None = key(NUMBER)


@element
class Muscle(LimitedDrive):
    """A muscle."""

    KEY = "muscle"
    force: float | None = key(NUMBER)
    fpmax: float | None = key(NUMBER)
    fvmax: float | None = key(NUMBER)
    lmax: float | None = key(NUMBER)
    lmin: float | None = key(NUMBER)
    range: tuple[float, ...] | None = key(PAIR)
    scale: float | None = key(NUMBER)
    tausmooth: float | None = key(NUMBER)
    timeconst: tuple[float, ...] | None = key(PAIR)
    vmax: float | None = key(NUMBER)


@element
class Adhesion(ActuatorBase):
    """Adhesion of a body to what it touches."""

    KEY = "adhesion"
    body: str | None = key(TEXT, refers="links")
    forcelimited: str = key(AUTO, "auto")
    forcerange: tuple[float, ...] | None = key(PAIR)
    gain: float | None = key(NUMBER)


@element
class DcMotor(GearedDrive):
    """A DC motor with its electrical constants (MuJoCo 3.9)."""

    KEY = "dcmotor"
    cogging: tuple[float, ...] | None = key(up_to(3))
    controller: tuple[float, ...] | None = key(up_to(6))
    ctrllimited: str = key(AUTO, "auto")
    inductance: tuple[float, ...] | None = key(up_to(2))
    input: str | None = key(INPUTS)
    lugre: tuple[float, ...] | None = key(up_to(5))
    motorconst: tuple[float, ...] | None = key(up_to(2))
    nominal: tuple[float, ...] | None = key(up_to(3))
    refsite: str | None = key(TEXT, refers=SITES)
    resistance: float | None = key(NUMBER)
    saturation: tuple[float, ...] | None = key(up_to(3))
    site: str | None = key(TEXT, refers=SITES)
    thermal: tuple[float, ...] | None = key(up_to(6))


@element
class ActuatorPlugin(LimitedDrive):
    """An actuator that a plugin computes."""

    KEY = "plugin"
    actdim: int = key(INTEGER, -1)
    actearly: bool = key(FLAG, False)
    actlimited: str = key(AUTO, "auto")
    actrange: tuple[float, ...] | None = key(PAIR)
    dynprm: tuple[float, ...] = key(up_to(10), (1.0,))
    dyntype: str = key(DYNAMICS, "none")
    instance: str | None = key(TEXT)
    plugin: str | None = key(TEXT)
    site: str | None = key(TEXT, refers=SITES)
    configs: list[PluginConfig] = children(PluginConfig, by="key")


@element
class Actuators(Element):
    """The actuators, in the order of the controls."""

    KEY = "actuator"
    JOINED = True
    items: list[Document] = children(
        General,
        Motor,
        Position,
        Velocity,
        IntVelocity,
        Orientation,
        Pid,
        Damper,
        Cylinder,
        Muscle,
        Adhesion,
        DcMotor,
        ActuatorPlugin,
        by="key",
    )
