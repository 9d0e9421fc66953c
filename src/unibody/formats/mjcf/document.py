"""Declaration of MJCF: all elements and attributes that MuJoCo 4.0 accepts, with their defaults."""

from __future__ import annotations

from collections.abc import Mapping

from unibody.document.declare import TEXT, Document, child, children, choice, element, key
from unibody.formats.mjcf.document_actuators import Actuators
from unibody.formats.mjcf.document_assets import Asset, Skin
from unibody.formats.mjcf.document_bodies import Body, Flex, Joint, PluginConfig, WorldBody
from unibody.formats.mjcf.document_constraints import Contact, Equalities, Tendons
from unibody.formats.mjcf.document_defaults import Default
from unibody.formats.mjcf.document_element import (
    AUTO,
    ENABLE,
    FLAG,
    FOUR,
    INTEGER,
    NUMBER,
    NUMBERS,
    OBJECTS,
    PAIR,
    TRIPLE,
    Element,
    up_to,
)
from unibody.formats.mjcf.document_sensors import Sensors

__all__ = [
    "Actuators",
    "Asset",
    "Compiler",
    "Contact",
    "Custom",
    "Default",
    "Deformable",
    "Equalities",
    "Extension",
    "ExtensionPlugin",
    "Flag",
    "Flex",
    "Instance",
    "Key",
    "Keyframes",
    "LengthRange",
    "Mujoco",
    "Numeric",
    "Option",
    "Sensors",
    "Size",
    "Skin",
    "Statistic",
    "Tendons",
    "Text",
    "Tuple",
    "TupleElement",
    "Visual",
    "VisualGlobal",
    "VisualHeadlight",
    "VisualMap",
    "VisualQuality",
    "VisualRgba",
    "VisualScale",
    "WorldBody",
]


@element
class LengthRange(Element):
    """How the length ranges of actuators are computed."""

    KEY = "lengthrange"
    JOINED = True
    accel: float = key(NUMBER, 20.0)
    interval: float = key(NUMBER, 2.0)
    inttotal: float = key(NUMBER, 10.0)
    maxforce: float | None = key(NUMBER)
    mode: str = key(choice("none", "muscle", "muscleuser", "all"), "muscle")
    timeconst: float = key(NUMBER, 1.0)
    timestep: float = key(NUMBER, 0.01, unit="s")
    tolrange: float = key(NUMBER, 0.05)
    useexisting: bool = key(FLAG, True)
    uselimit: bool = key(FLAG, False)


@element
class Compiler(Element):
    """How the file is to be understood."""

    KEY = "compiler"
    JOINED = True
    KNOWN = frozenset(("convexhull", "exactmeshinertia"))
    alignfree: bool = key(FLAG, False)
    angle: str = key(choice("radian", "degree"), "degree")
    assetdir: str | None = key(TEXT)
    autolimits: bool = key(FLAG, True)
    balanceinertia: bool = key(FLAG, False)
    boundinertia: float | None = key(NUMBER)
    boundmass: float | None = key(NUMBER, unit="kg")
    conflict: str | None = key(choice("warning", "merge", "error"))
    coordinate: str | None = key(choice("local", "global"))
    discardvisual: bool = key(FLAG, False)
    eulerseq: str | None = key(TEXT)
    fitaabb: bool = key(FLAG, False)
    fusestatic: bool = key(FLAG, False)
    inertiafromgeom: str = key(AUTO, "auto")
    inertiagrouprange: tuple[float, ...] = key(PAIR, (0.0, 5.0))
    meshdir: str | None = key(TEXT)
    passthrough: bool = key(FLAG, False, doc="MuJoCo 4.0")
    savecanonical: bool = key(FLAG, False)
    savecompiled: bool = key(FLAG, False)
    saveinertial: bool = key(FLAG, False)
    settotalmass: float = key(NUMBER, -1.0, unit="kg")
    strippath: bool = key(FLAG, False)
    texturedir: str | None = key(TEXT)
    usethread: bool = key(FLAG, True)
    lengthrange: LengthRange | None = child(LengthRange)


@element
class Flag(Element):
    """Parts of the simulation that are switched on or off."""

    KEY = "flag"
    JOINED = True
    actuation: str = key(ENABLE, "enable")
    autoreset: str = key(ENABLE, "enable")
    clampctrl: str = key(ENABLE, "enable")
    constraint: str = key(ENABLE, "enable")
    contact: str = key(ENABLE, "enable")
    damper: str = key(ENABLE, "enable")
    diagexact: str = key(ENABLE, "disable")
    energy: str = key(ENABLE, "disable")
    equality: str = key(ENABLE, "enable")
    eulerdamp: str = key(ENABLE, "enable")
    filterparent: str = key(ENABLE, "enable")
    frictionloss: str = key(ENABLE, "enable")
    fwdinv: str = key(ENABLE, "disable")
    gravity: str = key(ENABLE, "enable", unit="m/s²")
    invdiscrete: str = key(ENABLE, "disable")
    ipc: str | None = key(ENABLE)
    island: str = key(ENABLE, "enable")
    limit: str = key(ENABLE, "enable")
    midphase: str = key(ENABLE, "enable")
    multiccd: str = key(ENABLE, "enable")
    nativeccd: str = key(ENABLE, "enable")
    override: str = key(ENABLE, "disable")
    refsafe: str = key(ENABLE, "enable")
    sensor: str = key(ENABLE, "enable")
    sleep: str = key(ENABLE, "disable")
    speculative: str | None = key(ENABLE, doc="MuJoCo 4.0")
    spring: str = key(ENABLE, "enable")
    warmstart: str = key(ENABLE, "enable")


@element
class Option(Element):
    """Parameters of the simulation; kept as written."""

    KEY = "option"
    JOINED = True
    KNOWN = frozenset(("apirate", "collision", "mpr_iterations", "mpr_tolerance"))
    actuatorgroupdisable: tuple[float, ...] | None = key(NUMBERS)
    ccd_iterations: int = key(INTEGER, 35)
    ccd_tolerance: float = key(NUMBER, 1e-06)
    cone: str = key(choice("pyramidal", "elliptic"), "pyramidal")
    density: float | None = key(NUMBER)
    gravity: tuple[float, ...] = key(TRIPLE, (0.0, 0.0, -9.81), unit="m/s²")
    impratio: float = key(NUMBER, 1.0)
    integrator: str = key(choice("Euler", "RK4", "implicit", "implicitfast"), "Euler")
    iterations: int = key(INTEGER, 100)
    jacobian: str = key(choice("dense", "sparse", "auto"), "auto")
    ls_iterations: int = key(INTEGER, 50)
    ls_tolerance: float = key(NUMBER, 0.01)
    magnetic: tuple[float, ...] = key(TRIPLE, (0.0, -0.5, 0.0))
    noslip_iterations: int | None = key(INTEGER)
    noslip_tolerance: float = key(NUMBER, 1e-06)
    o_friction: tuple[float, ...] = key(up_to(5), (1.0, 1.0, 0.005, 0.0001, 0.0001))
    o_margin: float | None = key(NUMBER)
    o_solimp: tuple[float, ...] = key(up_to(5), (0.9, 0.95, 0.001, 0.5, 2.0))
    o_solref: tuple[float, ...] = key(up_to(2), (0.02, 1.0))
    sdf_initpoints: int = key(INTEGER, 40)
    sdf_iterations: int = key(INTEGER, 10)
    sleep_tolerance: float = key(NUMBER, 0.001)
    solver: str = key(choice("PGS", "CG", "Newton"), "Newton")
    timestep: float = key(NUMBER, 0.002, unit="s")
    tolerance: float = key(NUMBER, 1e-08)
    viscosity: float | None = key(NUMBER)
    wind: tuple[float, ...] = key(TRIPLE, (0.0, 0.0, 0.0))
    flag: Flag | None = child(Flag)


@element
class Size(Element):
    """Sizes of the memory of the simulation; kept as written."""

    KEY = "size"
    JOINED = True
    memory: str | None = key(TEXT)
    nconmax: int = key(INTEGER, -1)
    njmax: int = key(INTEGER, -1)
    nkey: int | None = key(INTEGER)
    nstack: int = key(INTEGER, -1)
    nuser_actuator: int = key(INTEGER, -1)
    nuser_body: int = key(INTEGER, -1)
    nuser_cam: int = key(INTEGER, -1)
    nuser_geom: int = key(INTEGER, -1)
    nuser_jnt: int = key(INTEGER, -1)
    nuser_sensor: int = key(INTEGER, -1)
    nuser_site: int = key(INTEGER, -1)
    nuser_tendon: int = key(INTEGER, -1)
    nuserdata: int | None = key(INTEGER)


@element
class Statistic(Element):
    """Overrides of statistics of the model; kept as written."""

    KEY = "statistic"
    JOINED = True
    center: tuple[float, ...] | None = key(TRIPLE)
    extent: float | None = key(NUMBER)
    meaninertia: float | None = key(NUMBER)
    meanmass: float | None = key(NUMBER)
    meansize: float | None = key(NUMBER)


@element
class VisualGlobal(Element):
    """Settings of the drawing: global."""

    KEY = "global"
    JOINED = True
    azimuth: float = key(NUMBER, 90.0)
    bvactive: bool = key(FLAG, False)
    cameraid: int = key(INTEGER, -1)
    elevation: float = key(NUMBER, -45.0)
    ellipsoidinertia: bool = key(FLAG, False)
    fovy: float = key(NUMBER, 45.0)
    glow: float = key(NUMBER, 0.3)
    ipd: float = key(NUMBER, 0.068)
    linewidth: float = key(NUMBER, 1.0)
    offheight: int = key(INTEGER, 480)
    offwidth: int = key(INTEGER, 640)
    orthographic: bool = key(FLAG, False)
    realtime: float = key(NUMBER, 1.0)


@element
class VisualQuality(Element):
    """Settings of the drawing: quality."""

    KEY = "quality"
    JOINED = True
    numquads: int = key(INTEGER, 4)
    numslices: int = key(INTEGER, 28)
    numstacks: int = key(INTEGER, 16)
    offsamples: int = key(INTEGER, 4)
    shadowsize: int = key(INTEGER, 4096)


@element
class VisualHeadlight(Element):
    """Settings of the drawing: headlight."""

    KEY = "headlight"
    JOINED = True
    active: int = key(INTEGER, 1)
    ambient: tuple[float, ...] = key(TRIPLE, (0.1, 0.1, 0.1))
    diffuse: tuple[float, ...] = key(TRIPLE, (0.4, 0.4, 0.4))
    specular: tuple[float, ...] = key(TRIPLE, (0.5, 0.5, 0.5))


@element
class VisualMap(Element):
    """Settings of the drawing: map."""

    KEY = "map"
    JOINED = True
    actuatortendon: float = key(NUMBER, 2.0)
    alpha: float = key(NUMBER, 0.3)
    fogend: float = key(NUMBER, 10.0)
    fogstart: float = key(NUMBER, 3.0)
    force: float = key(NUMBER, 0.005)
    haze: float = key(NUMBER, 0.3)
    shadowclip: float = key(NUMBER, 1.0)
    shadowscale: float = key(NUMBER, 0.6)
    stiffness: float = key(NUMBER, 100.0)
    stiffnessrot: float = key(NUMBER, 500.0)
    torque: float = key(NUMBER, 0.1)
    zfar: float = key(NUMBER, 50.0)
    znear: float = key(NUMBER, 0.01)


@element
class VisualScale(Element):
    """Settings of the drawing: scale."""

    KEY = "scale"
    JOINED = True
    actuatorlength: float = key(NUMBER, 0.7)
    actuatorwidth: float = key(NUMBER, 0.2)
    camera: float = key(NUMBER, 0.3)
    com: float = key(NUMBER, 0.4)
    connect: float = key(NUMBER, 0.2)
    constraint: float = key(NUMBER, 0.1)
    contactheight: float = key(NUMBER, 0.1)
    contactwidth: float = key(NUMBER, 0.3)
    forcewidth: float = key(NUMBER, 0.1)
    framelength: float = key(NUMBER, 1.0)
    framewidth: float = key(NUMBER, 0.1)
    frustum: float = key(NUMBER, 10.0)
    jointlength: float = key(NUMBER, 1.0)
    jointwidth: float = key(NUMBER, 0.1)
    light: float = key(NUMBER, 0.3)
    selectpoint: float = key(NUMBER, 0.2)
    slidercrank: float = key(NUMBER, 0.2)


@element
class VisualRgba(Element):
    """Settings of the drawing: rgba."""

    KEY = "rgba"
    JOINED = True
    actuator: tuple[float, ...] = key(FOUR, (0.2, 0.25, 0.2, 1.0))
    actuatornegative: tuple[float, ...] = key(FOUR, (0.2, 0.6, 0.9, 1.0))
    actuatorpositive: tuple[float, ...] = key(FOUR, (0.9, 0.4, 0.2, 1.0))
    bv: tuple[float, ...] = key(FOUR, (0.0, 1.0, 0.0, 0.5))
    bvactive: tuple[float, ...] = key(FOUR, (1.0, 0.0, 0.0, 0.5))
    camera: tuple[float, ...] = key(FOUR, (0.6, 0.9, 0.6, 1.0))
    com: tuple[float, ...] = key(FOUR, (0.9, 0.9, 0.9, 1.0))
    connect: tuple[float, ...] = key(FOUR, (0.2, 0.2, 0.8, 1.0))
    constraint: tuple[float, ...] = key(FOUR, (0.9, 0.0, 0.0, 1.0))
    contactforce: tuple[float, ...] = key(FOUR, (0.7, 0.9, 0.9, 1.0))
    contactfriction: tuple[float, ...] = key(FOUR, (0.9, 0.8, 0.4, 1.0))
    contactgap: tuple[float, ...] = key(FOUR, (0.5, 0.8, 0.9, 1.0))
    contactpoint: tuple[float, ...] = key(FOUR, (0.9, 0.6, 0.2, 1.0))
    contacttorque: tuple[float, ...] = key(FOUR, (0.9, 0.7, 0.9, 1.0))
    crankbroken: tuple[float, ...] = key(FOUR, (0.9, 0.0, 0.0, 1.0))
    fog: tuple[float, ...] = key(FOUR, (0.0, 0.0, 0.0, 1.0))
    force: tuple[float, ...] = key(FOUR, (1.0, 0.5, 0.5, 1.0))
    frustum: tuple[float, ...] = key(FOUR, (1.0, 1.0, 0.0, 0.2))
    haze: tuple[float, ...] = key(FOUR, (1.0, 1.0, 1.0, 1.0))
    inertia: tuple[float, ...] = key(FOUR, (0.8, 0.2, 0.2, 0.6))
    joint: tuple[float, ...] = key(FOUR, (0.2, 0.6, 0.8, 1.0))
    light: tuple[float, ...] = key(FOUR, (0.6, 0.6, 0.9, 1.0))
    rangefinder: tuple[float, ...] = key(FOUR, (1.0, 1.0, 0.1, 1.0))
    selectpoint: tuple[float, ...] = key(FOUR, (0.9, 0.9, 0.1, 1.0))
    slidercrank: tuple[float, ...] = key(FOUR, (0.5, 0.3, 0.8, 1.0))


@element
class Visual(Element):
    """Settings of the drawing; kept as written."""

    KEY = "visual"
    JOINED = True
    items: list[Document] = children(
        VisualGlobal,
        VisualQuality,
        VisualHeadlight,
        VisualMap,
        VisualScale,
        VisualRgba,
        by="key",
    )


@element
class Instance(Element):
    """An instance of a plugin."""

    KEY = "instance"
    name: str | None = key(TEXT, required=True)
    configs: list[PluginConfig] = children(PluginConfig, by="key")


@element
class ExtensionPlugin(Element):
    """A plugin that the model needs."""

    KEY = "plugin"
    plugin: str | None = key(TEXT)
    instances: list[Instance] = children(Instance, by="key")


@element
class Extension(Element):
    """Plugins that the model needs."""

    KEY = "extension"
    JOINED = True
    plugins: list[ExtensionPlugin] = children(ExtensionPlugin, by="key")


@element
class Numeric(Element):
    """Named numbers."""

    KEY = "numeric"
    data: str | None = key(TEXT)
    name: str | None = key(TEXT, required=True, names="custom data")
    size: int | None = key(INTEGER)


@element
class Text(Element):
    """A named text."""

    KEY = "text"
    data: str | None = key(TEXT, required=True)
    name: str | None = key(TEXT, required=True, names="custom data")


@element
class TupleElement(Element):
    """A reference to an object."""

    KEY = "element"
    objname: str | None = key(TEXT, required=True, refers_by=("objtype", OBJECTS))
    objtype: str | None = key(TEXT, required=True)
    prm: float | None = key(NUMBER)


@element
class Tuple(Element):
    """A named list of references to objects."""

    KEY = "tuple"
    name: str | None = key(TEXT, required=True, names="custom data")
    elements: list[TupleElement] = children(TupleElement, by="key")


@element
class Custom(Element):
    """Data of the author."""

    KEY = "custom"
    JOINED = True
    items: list[Document] = children(Numeric, Text, Tuple, by="key")


@element
class Deformable(Element):
    """Deformable objects and skins; kept as written."""

    KEY = "deformable"
    JOINED = True
    items: list[Document] = children(Flex, Skin, by="key")


@element
class Key(Element):
    """A keyframe: a state of the model."""

    KEY = "key"
    act: tuple[float, ...] | None = key(NUMBERS)
    ctrl: tuple[float, ...] | None = key(NUMBERS)
    mpos: tuple[float, ...] | None = key(NUMBERS)
    mquat: tuple[float, ...] | None = key(NUMBERS)
    name: str | None = key(TEXT, refers="configurations", names="keys")
    plastic: str | None = key(TEXT, doc="MuJoCo 4.0")
    qpos: tuple[float, ...] | None = key(NUMBERS)
    qvel: tuple[float, ...] | None = key(NUMBERS)
    time: float | None = key(NUMBER)


@element
class Keyframes(Element):
    """Keyframes."""

    KEY = "keyframe"
    JOINED = True
    keys: list[Key] = children(Key, by="key")


@element
class Mujoco(Element):
    """A whole model; its sections may come in any order, and each several times."""

    model: str = key(TEXT, "")
    items: list[Document] = children(
        Compiler,
        Option,
        Size,
        Statistic,
        Visual,
        Default,
        Extension,
        Custom,
        Asset,
        WorldBody,
        Deformable,
        Contact,
        Equalities,
        Tendons,
        Actuators,
        Sensors,
        Keyframes,
        by="key",
    )


#: The class of the owner of an extra, by the list of the robot that has it.
OWNERS: Mapping[str, type[Document]] = {"": Mujoco, "links": Body, "joints": Joint}
