"""Declaration of SDF: Poses and shapes."""

from __future__ import annotations

from unibody.document.declare import (
    INTEGER,
    TEXT,
    Document,
    child,
    children,
    content,
    element,
    key,
)
from unibody.formats.sdf.values import (
    COLOR,
    FLAG,
    FORMAT,
    LIST,
    NUMBER,
    PAIR,
    VECTOR,
    text,
)


@element
class Empty(Document):
    """An element whose presence is all that it says."""


@element
class Words(Document):
    """A text, one of several."""

    value: str | None = content(type=TEXT)


@element
class Point2(Document):
    """A point in a plane."""

    value: tuple[float, ...] | None = content(type=PAIR)


@element
class Point3(Document):
    """A point in space."""

    value: tuple[float, ...] | None = content(type=VECTOR)


@element
class Pose(Document):
    """Position and orientation: x y z roll pitch yaw about fixed axes, or x y z and a quaternion."""

    relative_to: str | None = key(TEXT, old=("frame",), doc="since 1.7; before: frame")
    rotation_format: str = key(FORMAT, "euler_rpy", since="1.9")
    degrees: bool = key(FLAG, False, since="1.9")
    value: tuple[float, ...] | None = content(type=LIST)


@element
class Frame(Document):
    """A named frame."""

    name: str | None = key(TEXT, required=True, since="1.5")
    attached_to: str | None = key(TEXT, since="1.7")
    pose: Pose | None = child(Pose, since="1.5")


@element
class Posed(Document):
    """An element with a pose, and the frames of older versions."""

    pose: Pose | None = child(Pose)
    frames: list[Frame] = children(Frame, name="frame", since="1.5", doc="until 1.6")


@element
class Plugin(Document):
    """A plugin of a simulator, with content of its own."""

    KEEPS = True
    SKIPPED = True
    name: str | None = key(TEXT)
    filename: str | None = key(TEXT)


@element
class Script(Document):
    """A material of Ogre by name."""

    uris: list[Words] = children(Words, name="uri")
    name: str | None = text(TEXT)


@element
class Shader(Document):
    """The shader of a material."""

    type: str = key(TEXT, "pixel")
    normal_map: str | None = text(TEXT)


@element
class NormalMap(Document):
    """A normal map."""

    type: str = key(TEXT, "tangent", since="1.6")
    value: str | None = content(type=TEXT)


@element
class LightMap(Document):
    """A light map."""

    uv_set: int = key(INTEGER, 0, since="1.7")
    value: str | None = content(type=TEXT)


@element
class Workflow(Document):
    """The images of a physically based material, whatever its workflow."""

    albedo_map: str | None = text(TEXT, since="1.6")
    environment_map: str | None = text(TEXT, since="1.6")
    ambient_occlusion_map: str | None = text(TEXT, since="1.6")
    normal_map: NormalMap | None = child(NormalMap, since="1.6")
    emissive_map: str | None = text(TEXT, since="1.6")
    light_map: LightMap | None = child(LightMap, since="1.7")


@element
class Metal(Workflow):
    """A physically based material with the metal workflow."""

    roughness_map: str | None = text(TEXT, since="1.6")
    roughness: str = text(TEXT, "0.5", since="1.6")
    metalness_map: str | None = text(TEXT, since="1.6")
    metalness: str = text(TEXT, "0.5", since="1.6")


@element
class Specular(Workflow):
    """A physically based material with the specular workflow."""

    specular_map: str | None = text(TEXT, since="1.6")
    glossiness_map: str | None = text(TEXT, since="1.6")
    glossiness: str = text(TEXT, "0", since="1.6")


@element
class Pbr(Document):
    """A physically based material."""

    metal: Metal | None = child(Metal, since="1.6")
    specular: Specular | None = child(Specular, since="1.6")


@element
class Material(Document):
    """Colors and textures of a visual."""

    KEEPS = True
    script: Script | None = child(Script)
    shader: Shader | None = child(Shader)
    lighting: bool = text(FLAG, True)
    ambient: tuple[float, ...] = text(COLOR, (0.0, 0.0, 0.0, 1.0))
    diffuse: tuple[float, ...] = text(COLOR, (0.0, 0.0, 0.0, 1.0))
    specular: tuple[float, ...] = text(COLOR, (0.0, 0.0, 0.0, 1.0))
    emissive: tuple[float, ...] = text(COLOR, (0.0, 0.0, 0.0, 1.0))
    pbr: Pbr | None = child(Pbr, since="1.6")
    render_order: float = text(NUMBER, 0.0, since="1.7")
    shininess: float = text(NUMBER, 0.0, since="1.7")
    double_sided: bool = text(FLAG, False, since="1.7")


@element
class Box(Document):
    """A box, centered at the origin; full edge lengths."""

    size: tuple[float, ...] = text(VECTOR, (1.0, 1.0, 1.0), unit="m")


@element
class Cylinder(Document):
    """A cylinder along Z, centered at the origin."""

    radius: float = text(NUMBER, 1.0, unit="m")
    length: float = text(NUMBER, 1.0, unit="m")


@element
class Texture(Document):
    """A texture of a terrain."""

    size: float = text(NUMBER, 10.0, unit="m")
    diffuse: str | None = text(TEXT)
    normal: str | None = text(TEXT)


@element
class Blend(Document):
    """How two textures of a terrain are blended."""

    min_height: float = text(NUMBER, 0.0)
    fade_dist: float = text(NUMBER, 0.0)


@element
class Heightmap(Document):
    """A terrain from an image."""

    uri: str | None = text(TEXT)
    size: tuple[float, ...] = text(VECTOR, (1.0, 1.0, 1.0), unit="m")
    pos: tuple[float, ...] = text(VECTOR, (0.0, 0.0, 0.0), unit="m")
    textures: list[Texture] = children(Texture, name="texture")
    blends: list[Blend] = children(Blend, name="blend")
    use_terrain_paging: bool = text(FLAG, False)
    sampling: int = text(INTEGER, 1, since="1.6")


@element
class ImageHeights(Document):
    """An extruded gray scale image."""

    uri: str | None = text(TEXT)
    scale: float = text(NUMBER, 1.0)
    threshold: int = text(INTEGER, 200)
    height: float = text(NUMBER, 1.0)
    granularity: int = text(INTEGER, 1)


@element
class Submesh(Document):
    """A part of a mesh file."""

    name: str | None = text(TEXT)
    center: bool = text(FLAG, False)


@element
class ConvexDecomposition(Document):
    """How a mesh is decomposed into convex parts."""

    max_convex_hulls: int = text(INTEGER, 16, since="1.11")
    voxel_resolution: int = text(INTEGER, 200000, since="1.11")


@element
class Mesh(Document):
    """A mesh file; the components of the scale may be negative."""

    optimization: str | None = key(TEXT, since="1.11")
    uri: str | None = text(TEXT)
    submesh: Submesh | None = child(Submesh)
    scale: tuple[float, ...] = text(VECTOR, (1.0, 1.0, 1.0))
    convex_decomposition: ConvexDecomposition | None = child(ConvexDecomposition, since="1.11")
    declare_convex: Empty | None = child(Empty, name="drake:declare_convex")


@element
class Plane(Document):
    """A plane through the origin."""

    normal: tuple[float, ...] = text(VECTOR, (0.0, 0.0, 1.0))
    size: tuple[float, ...] = text(PAIR, (1.0, 1.0), unit="m")


@element
class Sphere(Document):
    """A sphere at the origin."""

    radius: float = text(NUMBER, 1.0, unit="m")


@element
class Polyline(Document):
    """A polygon in the XY plane, extruded along Z from 0 to its height."""

    points: list[Point2] = children(Point2, name="point", since="1.5")
    height: float = text(NUMBER, 1.0, unit="m", since="1.5")


@element
class Ellipsoid(Document):
    """An ellipsoid at the origin with three half axes."""

    radii: tuple[float, ...] = text(VECTOR, (1.0, 1.0, 1.0), unit="m", since="1.8")


@element
class DrakeEllipsoid(Document):
    """An ellipsoid at the origin with three half axes (Drake)."""

    a: float = text(NUMBER, 1.0, unit="m")
    b: float = text(NUMBER, 1.0, unit="m")
    c: float = text(NUMBER, 1.0, unit="m")


@element
class Geometry(Document):
    """Exactly one shape."""

    KEEPS = True
    empty: Empty | None = child(Empty)
    box: Box | None = child(Box)
    cylinder: Cylinder | None = child(Cylinder)
    heightmap: Heightmap | None = child(Heightmap)
    image: ImageHeights | None = child(ImageHeights)
    mesh: Mesh | None = child(Mesh)
    plane: Plane | None = child(Plane)
    sphere: Sphere | None = child(Sphere)
    polyline: list[Polyline] = children(Polyline, doc="since 1.5; several: with holes")
    capsule: Cylinder | None = child(Cylinder, since="1.8")
    ellipsoid: Ellipsoid | None = child(Ellipsoid, since="1.8")
    cone: Cylinder | None = child(Cylinder, since="1.11")
    drake_capsule: Cylinder | None = child(Cylinder, name="drake:capsule")
    drake_ellipsoid: DrakeEllipsoid | None = child(DrakeEllipsoid, name="drake:ellipsoid")


@element
class Meta(Document):
    """Data of a visual for the user interface."""

    layer: int = text(INTEGER, 0, since="1.5")


@element
class Visual(Document):
    """A visual shape."""

    KEEPS = True
    name: str | None = key(TEXT, required=True)
    cast_shadows: bool = text(FLAG, True)
    laser_retro: float = text(NUMBER, 0.0)
    transparency: float = text(NUMBER, 0.0)
    pose: Pose | None = child(Pose)
    material: Material | None = child(Material)
    geometry: Geometry | None = child(Geometry)
    plugins: list[Plugin] = children(Plugin, name="plugin")
    meta: Meta | None = child(Meta, since="1.5")
    frames: list[Frame] = children(Frame, name="frame", since="1.5", doc="until 1.6")
    visibility_flags: int = text(INTEGER, 4294967295, since="1.7")


@element
class Bounce(Document):
    """How a shape bounces."""

    restitution_coefficient: float = text(NUMBER, 0.0)
    threshold: float = text(NUMBER, 100000.0)


@element
class FrictionOde(Document):
    """Friction in ODE, and in most engines."""

    mu: float = text(NUMBER, 1.0)
    mu2: float = text(NUMBER, 1.0)
    fdir1: tuple[float, ...] = text(VECTOR, (0.0, 0.0, 0.0))
    slip1: float = text(NUMBER, 0.0)
    slip2: float = text(NUMBER, 0.0)


@element
class FrictionBullet(Document):
    """Friction in Bullet."""

    friction: float = text(NUMBER, 1.0)
    friction2: float = text(NUMBER, 1.0)
    fdir1: tuple[float, ...] = text(VECTOR, (0.0, 0.0, 0.0))
    rolling_friction: float = text(NUMBER, 1.0)


@element
class TorsionalOde(Document):
    """Torsional slip in ODE."""

    slip: float = text(NUMBER, 0.0, since="1.5")


@element
class Torsional(Document):
    """Torsional friction."""

    coefficient: float = text(NUMBER, 1.0, since="1.5")
    use_patch_radius: bool = text(FLAG, True, since="1.5")
    patch_radius: float = text(NUMBER, 0.0, unit="m", since="1.5")
    surface_radius: float = text(NUMBER, 0.0, unit="m", since="1.5")
    ode: TorsionalOde | None = child(TorsionalOde, since="1.5")


@element
class Friction(Document):
    """Friction of a shape."""

    ode: FrictionOde | None = child(FrictionOde)
    bullet: FrictionBullet | None = child(FrictionBullet)
    torsional: Torsional | None = child(Torsional, since="1.5")


@element
class Softness(Document):
    """How soft contacts are, in ODE and in Bullet."""

    soft_cfm: float = text(NUMBER, 0.0)
    soft_erp: float = text(NUMBER, 0.2)
    kp: float = text(NUMBER, 1000000000000.0)
    kd: float = text(NUMBER, 1.0)


@element
class ContactOde(Softness):
    """Contacts in ODE."""

    max_vel: float = text(NUMBER, 0.01)
    min_depth: float = text(NUMBER, 0.0, unit="m")


@element
class ContactBullet(Softness):
    """Contacts in Bullet."""

    split_impulse: bool = text(FLAG, True)
    split_impulse_penetration_threshold: float = text(NUMBER, -0.01)


@element
class SurfaceContact(Document):
    """Which shapes a shape touches, and how stiff a contact is."""

    KEEPS = True
    collide_without_contact: bool = text(FLAG, False)
    collide_without_contact_bitmask: int = text(INTEGER, 1)
    collide_bitmask: int = text(INTEGER, 65535)
    ode: ContactOde | None = child(ContactOde)
    bullet: ContactBullet | None = child(ContactBullet)
    poissons_ratio: float = text(NUMBER, 0.3, since="1.5")
    elastic_modulus: float = text(NUMBER, -1.0, since="1.5")
    category_bitmask: int = text(INTEGER, 65535, since="1.6")


@element
class SoftContactDart(Document):
    """Contacts of a soft body in DART."""

    bone_attachment: float = text(NUMBER, 100.0)
    stiffness: float = text(NUMBER, 100.0)
    damping: float = text(NUMBER, 10.0)
    flesh_mass_fraction: float = text(NUMBER, 0.05)


@element
class SoftContact(Document):
    """Contacts of a soft body."""

    dart: SoftContactDart | None = child(SoftContactDart)


@element
class Surface(Document):
    """How a collision shape touches others."""

    KEEPS = True
    bounce: Bounce | None = child(Bounce)
    friction: Friction | None = child(Friction)
    contact: SurfaceContact | None = child(SurfaceContact)
    soft_contact: SoftContact | None = child(SoftContact)


@element
class DrakeProximity(Document):
    """How a collision shape touches others (Drake): friction at rest and in motion, and more."""

    KEEPS = True
    mu_static: float | None = text(NUMBER, name="drake:mu_static")
    mu_dynamic: float | None = text(NUMBER, name="drake:mu_dynamic")


@element
class Collision(Posed):
    """A collision shape."""

    KEEPS = True
    name: str | None = key(TEXT, required=True)
    laser_retro: float = text(NUMBER, 0.0)
    max_contacts: int = text(INTEGER, 10)
    geometry: Geometry | None = child(Geometry)
    surface: Surface | None = child(Surface)
    density: float = text(NUMBER, 1000.0, unit="kg/m³", since="1.11")
    auto_inertia_params: Empty | None = child(Empty, since="1.11")
    drake_proximity: DrakeProximity | None = child(DrakeProximity, name="drake:proximity_properties")
