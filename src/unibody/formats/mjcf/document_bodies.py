"""Declares the elements of the tree: bodies, joints, geoms, sites, cameras, lights, deformable objects."""

from __future__ import annotations

from unibody.document.declare import TEXT, Document, children, choice, element, key
from unibody.formats.mjcf.document_element import (
    AUTO,
    FLAG,
    FOUR,
    INTEGER,
    NUMBER,
    NUMBERS,
    PAIR,
    SIX,
    TRIPLE,
    Element,
    up_to,
)

# --- deformable objects -----------------------------------------------------------------


@element
class FlexContact(Element):
    """The contact of a deformable object."""

    KEY = "contact"
    activelayers: int = key(INTEGER, 1)
    conaffinity: int = key(INTEGER, 1)
    condim: int = key(INTEGER, 3)
    contype: int = key(INTEGER, 1)
    friction: tuple[float, ...] = key(up_to(3), (1.0, 0.005, 0.0001))
    gap: float | None = key(NUMBER)
    margin: float | None = key(NUMBER)
    passive: bool = key(FLAG, False)
    priority: int | None = key(INTEGER)
    selfcollide: str = key(choice("none", "narrow", "bvh", "sap", "auto"), "auto")
    solimp: tuple[float, ...] = key(up_to(5), (0.9, 0.95, 0.001, 0.5, 2.0))
    solmix: float = key(NUMBER, 1.0)
    solref: tuple[float, ...] = key(up_to(2), (0.02, 1.0))


@element
class FlexEdge(Element):
    """The edge of a deformable object."""

    KEY = "edge"
    damping: float | None = key(NUMBER, unit="N·m·s/rad or N·s/m")
    stiffness: float | None = key(NUMBER, unit="N·m/rad or N/m")


@element
class FlexElasticity(Element):
    """The elasticity of a deformable object."""

    KEY = "elasticity"
    damping: float | None = key(NUMBER, unit="N·m·s/rad or N·s/m")
    elastic2d: str | None = key(choice("none", "bend", "stretch", "both"))
    poisson: float | None = key(NUMBER)
    section: str | None = key(TEXT, doc="MuJoCo 4.0")
    sectionsize: str | None = key(TEXT, doc="MuJoCo 4.0")
    shear: str | None = key(TEXT, doc="MuJoCo 4.0")
    thickness: float = key(NUMBER, -1.0)
    yield_: str | None = key(TEXT, name="yield", doc="MuJoCo 4.0")
    young: float | None = key(NUMBER)


@element
class Flex(Element):
    """A deformable object; kept as written."""

    KEY = "flex"
    body: str | None = key(TEXT, required=True, refers="links")
    cellcount: tuple[float, ...] = key(TRIPLE, (1.0, 1.0, 1.0))
    dim: int = key(INTEGER, 2)
    dof: str | None = key(choice("full", "radial", "trilinear", "quadratic", "2d"))
    element: tuple[float, ...] | None = key(NUMBERS, required=True)
    elemtexcoord: tuple[float, ...] | None = key(NUMBERS)
    flatskin: bool = key(FLAG, False)
    group: int | None = key(INTEGER)
    material: str | None = key(TEXT, local="material")
    name: str | None = key(TEXT, names="flexes")
    node_: str | None = key(TEXT, name="node")
    nodecoord: tuple[float, ...] | None = key(NUMBERS)
    radius: float = key(NUMBER, 0.005)
    rgba: tuple[float, ...] = key(FOUR, (0.5, 0.5, 0.5, 1.0))
    texcoord: tuple[float, ...] | None = key(NUMBERS)
    vertex: tuple[float, ...] | None = key(NUMBERS)
    parts: list[Document] = children(FlexContact, FlexEdge, FlexElasticity, by="key")


# --- bodies -----------------------------------------------------------------------------

#: The types of geoms and sites.
SHAPES = choice("plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf")


def in_body() -> tuple[tuple[type[Document], ...], None]:
    """The elements inside a body, a frame or a replicate."""
    return (
        Inertial,
        Joint,
        FreeJoint,
        Geom,
        Site,
        Camera,
        Light,
        Body,
        Frame,
        Replicate,
        Attach,
        Flexcomp,
        Composite,
        Plugin,
    ), None


@element
class Posed(Element):
    """Base of elements with a pose: a position and at most one of five notations of an orientation."""

    pos: tuple[float, ...] = key(TRIPLE, (0.0, 0.0, 0.0), unit="m")
    quat: tuple[float, ...] = key(FOUR, (1.0, 0.0, 0.0, 0.0))
    axisangle: tuple[float, ...] | None = key(FOUR, doc="axis and angle in the unit of the compiler")
    xyaxes: tuple[float, ...] | None = key(SIX)
    zaxis: tuple[float, ...] | None = key(TRIPLE)
    euler: tuple[float, ...] | None = key(TRIPLE, doc="in the unit of the compiler")


@element
class PluginConfig(Element):
    """A setting of a plugin."""

    KEY = "config"
    key_: str | None = key(TEXT, name="key", required=True)
    value: str | None = key(TEXT)


@element
class Plugin(Element):
    """A plugin that computes something about the element around it."""

    KEY = "plugin"
    instance: str | None = key(TEXT)
    plugin: str | None = key(TEXT)
    configs: list[PluginConfig] = children(PluginConfig, by="key")


@element
class Inertial(Posed):
    """Mass, center of mass and inertia of a body, instead of those of its geoms."""

    KEY = "inertial"
    diaginertia: tuple[float, ...] | None = key(TRIPLE, unit="kg·m²")
    fullinertia: tuple[float, ...] | None = key(SIX, unit="kg·m²")
    mass: float | None = key(NUMBER, required=True, unit="kg")
    pos: tuple[float, ...] = key(TRIPLE, (0.0, 0.0, 0.0), required=True, unit="m")


@element
class JointValues(Element):
    """The values of a joint that a default class may set."""

    actuatorfrclimited: str = key(AUTO, "auto")
    actuatorfrcrange: tuple[float, ...] | None = key(PAIR)
    actuatorgravcomp: bool = key(FLAG, False)
    armature: float | None = key(NUMBER, unit="kg·m² or kg")
    axis: tuple[float, ...] = key(TRIPLE, (0.0, 0.0, 1.0))
    damping: tuple[float, ...] | None = key(up_to(3), unit="N·m·s/rad or N·s/m")
    frictionloss: float | None = key(NUMBER, unit="N·m or N")
    group: int | None = key(INTEGER)
    limited: str = key(AUTO, "auto")
    margin: float | None = key(NUMBER)
    pos: tuple[float, ...] | None = key(TRIPLE, unit="m")
    range: tuple[float, ...] | None = key(PAIR)
    ref: float | None = key(NUMBER)
    solimpfriction: tuple[float, ...] = key(up_to(5), (0.9, 0.95, 0.001, 0.5, 2.0))
    solimplimit: tuple[float, ...] = key(up_to(5), (0.9, 0.95, 0.001, 0.5, 2.0))
    solreffriction: tuple[float, ...] = key(up_to(2), (0.02, 1.0))
    solreflimit: tuple[float, ...] = key(up_to(2), (0.02, 1.0))
    springdamper: tuple[float, ...] | None = key(PAIR)
    springref: float | None = key(NUMBER)
    springyield: tuple[float, ...] | None = key(NUMBERS, doc="MuJoCo 4.0")
    stiffness: tuple[float, ...] | None = key(up_to(3), unit="N·m/rad or N/m")
    type: str = key(choice("free", "ball", "slide", "hinge"), "hinge")
    user: tuple[float, ...] | None = key(NUMBERS)


@element
class Joint(JointValues):
    """A joint of a body: a body has one for each degree of freedom that it has in its parent."""

    KEY = "joint"
    class_: str | None = key(TEXT, name="class", local="class")
    name: str | None = key(TEXT, names="joints")


@element
class GeomValues(Posed):
    """The values of a geom that a default class may set."""

    adhesion: float | None = key(NUMBER)
    castshadow: bool = key(FLAG, False, doc="MuJoCo 4.0")
    conaffinity: int = key(INTEGER, 1)
    condim: int = key(INTEGER, 3)
    contype: int = key(INTEGER, 1)
    density: float = key(NUMBER, 1000.0, unit="kg/m³")
    fitscale: float = key(NUMBER, 1.0)
    fluidcoef: tuple[float, ...] = key(up_to(5), (0.5, 0.25, 1.5, 1.0, 1.0))
    fluidshape: str | None = key(choice("none", "ellipsoid"))
    friction: tuple[float, ...] = key(up_to(3), (1.0, 0.005, 0.0001))
    fromto: tuple[float, ...] | None = key(SIX, unit="m")
    gap: float | None = key(NUMBER)
    group: int | None = key(INTEGER)
    hfield: str | None = key(TEXT, local="hfield")
    margin: float | None = key(NUMBER)
    mass: float | None = key(NUMBER, unit="kg")
    material: str | None = key(TEXT, local="material")
    mesh: str | None = key(TEXT, local="mesh")
    priority: int | None = key(INTEGER)
    rgba: tuple[float, ...] = key(FOUR, (0.5, 0.5, 0.5, 1.0))
    shellinertia: bool = key(FLAG, False)
    size: tuple[float, ...] | None = key(up_to(3))
    solimp: tuple[float, ...] = key(up_to(5), (0.9, 0.95, 0.001, 0.5, 2.0))
    solmix: float = key(NUMBER, 1.0)
    solref: tuple[float, ...] = key(up_to(2), (0.02, 1.0))
    surfacevel: tuple[float, ...] | None = key(up_to(6))
    type: str = key(SHAPES, "sphere")
    user: tuple[float, ...] | None = key(NUMBERS)


@element
class Geom(GeomValues):
    """A shape of a body, for collisions, drawing and inertia."""

    KEY = "geom"
    class_: str | None = key(TEXT, name="class", local="class")
    name: str | None = key(TEXT, names="geoms")
    plugins: list[Plugin] = children(Plugin, by="key")


@element
class SiteValues(Posed):
    """The values of a site that a default class may set."""

    fromto: tuple[float, ...] | None = key(SIX, unit="m")
    group: int | None = key(INTEGER)
    material: str | None = key(TEXT, local="material")
    mesh: str | None = key(TEXT, local="mesh")
    rgba: tuple[float, ...] = key(FOUR, (0.5, 0.5, 0.5, 1.0))
    size: tuple[float, ...] = key(up_to(3), (0.005, 0.005, 0.005))
    type: str = key(SHAPES, "sphere")
    user: tuple[float, ...] | None = key(NUMBERS)


@element
class Site(SiteValues):
    """A named frame on a body, drawn as a shape."""

    KEY = "site"
    class_: str | None = key(TEXT, name="class", local="class")
    name: str | None = key(TEXT, refers="frames", names="sites")


@element
class CameraValues(Posed):
    """The values of a camera that a default class may set."""

    focal: tuple[float, ...] | None = key(PAIR)
    focalpixel: tuple[float, ...] | None = key(PAIR)
    fovy: float = key(NUMBER, 45.0, unit="deg")
    ipd: float = key(NUMBER, 0.068)
    mode: str = key(choice("fixed", "track", "trackcom", "targetbody", "targetbodycom"), "fixed")
    output: str | None = key(TEXT)
    principal: tuple[float, ...] | None = key(PAIR)
    principalpixel: tuple[float, ...] | None = key(PAIR)
    projection: str | None = key(choice("perspective", "orthographic"))
    resolution: tuple[float, ...] = key(PAIR, (1.0, 1.0))
    sensorsize: tuple[float, ...] | None = key(PAIR)
    user: tuple[float, ...] | None = key(NUMBERS)


@element
class Camera(CameraValues):
    """A camera; it looks along −Z, with +Y up."""

    KEY = "camera"
    class_: str | None = key(TEXT, name="class", local="class")
    name: str | None = key(TEXT, refers="devices", names="cameras")
    target: str | None = key(TEXT, refers="links")


@element
class LightValues(Element):
    """The values of a light that a default class may set."""

    active: bool = key(FLAG, True)
    ambient: tuple[float, ...] | None = key(TRIPLE)
    attenuation: tuple[float, ...] = key(TRIPLE, (1.0, 0.0, 0.0))
    bulbradius: float = key(NUMBER, 0.02)
    castshadow: bool = key(FLAG, True)
    cutoff: float = key(NUMBER, 45.0, unit="deg")
    diffuse: tuple[float, ...] = key(TRIPLE, (0.7, 0.7, 0.7))
    dir: tuple[float, ...] = key(TRIPLE, (0.0, 0.0, -1.0))
    directional: bool = key(FLAG, False)
    exponent: float = key(NUMBER, 10.0)
    intensity: float | None = key(NUMBER)
    mode: str = key(choice("fixed", "track", "trackcom", "targetbody", "targetbodycom"), "fixed")
    pos: tuple[float, ...] = key(TRIPLE, (0.0, 0.0, 0.0), unit="m")
    range: float = key(NUMBER, 10.0)
    softness: float = key(NUMBER, 0.2)
    specular: tuple[float, ...] = key(TRIPLE, (0.3, 0.3, 0.3))
    type: str | None = key(choice("spot", "directional", "point", "image"))


@element
class Light(LightValues):
    """A light."""

    KEY = "light"
    class_: str | None = key(TEXT, name="class", local="class")
    name: str | None = key(TEXT, refers="devices", names="lights")
    target: str | None = key(TEXT, refers="links")
    texture: str | None = key(TEXT, local="texture")


@element
class FreeJoint(Element):
    """A free joint, which takes no defaults."""

    KEY = "freejoint"
    align: str | None = key(AUTO)
    group: int | None = key(INTEGER)
    name: str | None = key(TEXT, names="joints")


@element
class Attach(Element):
    """A body or frame of another model, in place of this element."""

    KEY = "attach"
    SKIPPED = True
    body: str | None = key(TEXT)
    frame: str | None = key(TEXT)
    model: str | None = key(TEXT)
    prefix: str | None = key(TEXT, required=True)


@element
class FlexcompEdge(Element):
    """Edges of a deformable object."""

    KEY = "edge"
    damping: float | None = key(NUMBER, unit="N·m·s/rad or N·s/m")
    equality: str | None = key(choice("false", "true", "vert", "strain"))
    solimp: tuple[float, ...] | None = key(up_to(5))
    solref: tuple[float, ...] | None = key(up_to(2))
    stiffness: float | None = key(NUMBER, unit="N·m/rad or N/m")


@element
class FlexcompPin(Element):
    """Points of a deformable object that are fixed."""

    KEY = "pin"
    grid: tuple[float, ...] | None = key(NUMBERS)
    gridrange: tuple[float, ...] | None = key(NUMBERS)
    id: tuple[float, ...] | None = key(NUMBERS)
    range: tuple[float, ...] | None = key(NUMBERS)


@element
class Flexcomp(Posed):
    """A deformable object with its bodies; kept as written."""

    KEY = "flexcomp"
    cellcount: tuple[float, ...] | None = key(TRIPLE)
    count: tuple[float, ...] | None = key(TRIPLE)
    dim: int | None = key(INTEGER)
    dof: str | None = key(choice("full", "radial", "trilinear", "quadratic", "2d"))
    element: tuple[float, ...] | None = key(NUMBERS)
    file: str | None = key(TEXT)
    flatskin: bool = key(FLAG, False)
    group: int | None = key(INTEGER)
    inertiabox: float | None = key(NUMBER)
    mass: float | None = key(NUMBER, unit="kg")
    material: str | None = key(TEXT, local="material")
    mesh: str | None = key(TEXT, local="mesh")
    name: str | None = key(TEXT, required=True, names="flexes")
    origin: tuple[float, ...] | None = key(TRIPLE)
    point: tuple[float, ...] | None = key(NUMBERS)
    radius: float | None = key(NUMBER)
    rgba: tuple[float, ...] | None = key(FOUR)
    rigid: bool = key(FLAG, False)
    scale: tuple[float, ...] | None = key(TRIPLE)
    spacing: tuple[float, ...] | None = key(TRIPLE)
    texcoord: tuple[float, ...] | None = key(NUMBERS)
    type: str | None = key(
        choice(
            "grid",
            "box",
            "cylinder",
            "ellipsoid",
            "square",
            "disc",
            "circle",
            "mesh",
            "gmsh",
            "direct",
        )
    )
    parts: list[Document] = children(
        FlexContact,
        FlexcompEdge,
        FlexElasticity,
        FlexcompPin,
        Plugin,
        by="key",
    )


@element
class Composite(Element):
    """Many bodies from a few parameters, removed in MuJoCo 4.0; kept as written."""

    KEY = "composite"
    SKIPPED = True


@element
class Body(Posed):
    """A rigid body; it moves in its parent body as its joints allow, and is welded to it without joints."""

    KEY = "body"
    childclass: str | None = key(TEXT, local="class")
    fuse: str | None = key(TEXT)
    gravcomp: float | None = key(NUMBER)
    mocap: bool = key(FLAG, False)
    name: str | None = key(TEXT)
    simple: str = key(choice("false", "auto"), "auto")
    sleep: str | None = key(choice("auto", "never", "allowed", "init"))
    user: tuple[float, ...] | None = key(NUMBERS)
    items: list[Document] = children(of=in_body, by="key")


@element
class Frame(Posed):
    """A pose that is multiplied onto everything inside."""

    KEEPS = True  # MuJoCo does not check its attributes
    KEY = "frame"
    name: str | None = key(TEXT)
    childclass: str | None = key(TEXT, local="class")
    items: list[Document] = children(of=in_body, by="key")


@element
class Replicate(Element):
    """Copies of everything inside, each moved from the one before."""

    KEEPS = True  # MuJoCo does not check its attributes
    KEY = "replicate"
    count: int | None = key(INTEGER, required=True)
    offset: tuple[float, ...] | None = key(TRIPLE, unit="m")
    euler: tuple[float, ...] | None = key(TRIPLE, doc="in the unit of the compiler")
    sep: str | None = key(TEXT)
    childclass: str | None = key(TEXT, local="class")
    items: list[Document] = children(of=in_body, by="key")


@element
class WorldBody(Element):
    """The world: the fixed body that all others are in."""

    KEY = "worldbody"
    JOINED = True
    items: list[Document] = children(of=in_body, by="key")
