"""Declaration of SDF: Links and joints, and what belongs to them."""

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
from unibody.formats.sdf.document_sensors import (
    Light,
    Sensor,
)
from unibody.formats.sdf.document_shapes import (
    Collision,
    Empty,
    Frame,
    Material,
    Plugin,
    Pose,
    Posed,
    Visual,
    Words,
)
from unibody.formats.sdf.values import (
    COLOR,
    FLAG,
    INF,
    LIMIT,
    NUMBER,
    VECTOR,
    text,
)


@element
class VelocityDecay(Document):
    """Damping of the velocity of a link."""

    linear: float = text(NUMBER, 0.0)
    angular: float = text(NUMBER, 0.0)


@element
class Inertia(Document):
    """Moments and products of inertia about the center of mass, in the axes of the inertial pose."""

    ixx: float = text(NUMBER, 1.0, unit="kg·m²")
    ixy: float = text(NUMBER, 0.0, unit="kg·m²")
    ixz: float = text(NUMBER, 0.0, unit="kg·m²")
    iyy: float = text(NUMBER, 1.0, unit="kg·m²")
    iyz: float = text(NUMBER, 0.0, unit="kg·m²")
    izz: float = text(NUMBER, 1.0, unit="kg·m²")


@element
class FluidAddedMass(Document):
    """The inertia of the fluid that a link moves."""

    xx: float = text(NUMBER, 0.0, since="1.10")
    xy: float = text(NUMBER, 0.0, since="1.10")
    xz: float = text(NUMBER, 0.0, since="1.10")
    xp: float = text(NUMBER, 0.0, since="1.10")
    xq: float = text(NUMBER, 0.0, since="1.10")
    xr: float = text(NUMBER, 0.0, since="1.10")
    yy: float = text(NUMBER, 0.0, since="1.10")
    yz: float = text(NUMBER, 0.0, since="1.10")
    yp: float = text(NUMBER, 0.0, since="1.10")
    yq: float = text(NUMBER, 0.0, since="1.10")
    yr: float = text(NUMBER, 0.0, since="1.10")
    zz: float = text(NUMBER, 0.0, since="1.10")
    zp: float = text(NUMBER, 0.0, since="1.10")
    zq: float = text(NUMBER, 0.0, since="1.10")
    zr: float = text(NUMBER, 0.0, since="1.10")
    pp: float = text(NUMBER, 0.0, since="1.10")
    pq: float = text(NUMBER, 0.0, since="1.10")
    pr: float = text(NUMBER, 0.0, since="1.10")
    qq: float = text(NUMBER, 0.0, since="1.10")
    qr: float = text(NUMBER, 0.0, since="1.10")
    rr: float = text(NUMBER, 0.0, since="1.10")


@element
class Inertial(Document):
    """Mass, center of mass and inertia of a link, in axes of their own."""

    auto: bool = key(FLAG, False, since="1.11")
    mass: float = text(NUMBER, 1.0, unit="kg")
    pose: Pose | None = child(Pose)
    inertia: Inertia | None = child(Inertia)
    frames: list[Frame] = children(Frame, name="frame", since="1.5", doc="until 1.6")
    fluid_added_mass: FluidAddedMass | None = child(FluidAddedMass, since="1.10")
    density: float = text(NUMBER, 1000.0, unit="kg/m³", since="1.11")
    auto_inertia_params: Empty | None = child(Empty, since="1.11")


@element
class Projector(Posed):
    """A projector of an image."""

    name: str | None = key(TEXT)
    texture: str | None = text(TEXT)
    fov: float = text(NUMBER, 0.785)
    near_clip: float = text(NUMBER, 0.1)
    far_clip: float = text(NUMBER, 10.0)
    plugins: list[Plugin] = children(Plugin, name="plugin")
    visibility_flags: int = text(INTEGER, 4294967295, since="1.7")


@element
class AudioContact(Document):
    """The collisions that start a sound."""

    collisions: list[Words] = children(Words, name="collision")


@element
class AudioSource(Posed):
    """A source of sound."""

    uri: str | None = text(TEXT)
    pitch: float = text(NUMBER, 1.0)
    gain: float = text(NUMBER, 1.0)
    contact: AudioContact | None = child(AudioContact)
    loop: bool = text(FLAG, False)


@element
class Battery(Document):
    """A battery."""

    name: str | None = key(TEXT, since="1.5")
    voltage: float = text(NUMBER, 0.0, since="1.5")


@element
class ParticleEmitter(Document):
    """An emitter of particles."""

    name: str | None = key(TEXT, since="1.6")
    type: str = key(TEXT, "point", since="1.6")
    emitting: bool = text(FLAG, True, since="1.6")
    duration: float = text(NUMBER, 0.0, since="1.6")
    size: tuple[float, ...] = text(VECTOR, (1.0, 1.0, 1.0), unit="m", since="1.6")
    particle_size: tuple[float, ...] = text(VECTOR, (1.0, 1.0, 1.0), since="1.6")
    lifetime: float = text(NUMBER, 5.0, since="1.6")
    rate: float = text(NUMBER, 10.0, since="1.6")
    min_velocity: float = text(NUMBER, 1.0, since="1.6")
    max_velocity: float = text(NUMBER, 1.0, since="1.6")
    scale_rate: float = text(NUMBER, 0.0, since="1.6")
    color_start: tuple[float, ...] = text(COLOR, (1.0, 1.0, 1.0, 1.0), since="1.6")
    color_end: tuple[float, ...] = text(COLOR, (1.0, 1.0, 1.0, 1.0), since="1.6")
    color_range_image: str | None = text(TEXT, since="1.6")
    topic: str | None = text(TEXT, since="1.6")
    particle_scatter_ratio: float = text(NUMBER, 0.65, since="1.6")
    pose: Pose | None = child(Pose, since="1.6")
    material: Material | None = child(Material, since="1.6")


@element
class Link(Document):
    """A rigid body."""

    KEEPS = True
    name: str | None = key(TEXT, required=True)
    gravity: bool = text(FLAG, True)
    self_collide: bool = text(FLAG, False)
    kinematic: bool = text(FLAG, False)
    pose: Pose | None = child(Pose)
    must_be_base_link: bool = text(FLAG, False)
    velocity_decay: VelocityDecay | None = child(VelocityDecay)
    inertial: Inertial | None = child(Inertial)
    collisions: list[Collision] = children(Collision, name="collision")
    visuals: list[Visual] = children(Visual, name="visual")
    sensors: list[Sensor] = children(Sensor, name="sensor")
    projectors: list[Projector] = children(Projector, name="projector")
    audio_sinks: list[Empty] = children(Empty, name="audio_sink")
    audio_sources: list[AudioSource] = children(AudioSource, name="audio_source")
    frames: list[Frame] = children(Frame, name="frame", since="1.5", doc="until 1.6")
    batterys: list[Battery] = children(Battery, name="battery", since="1.5")
    enable_wind: bool = text(FLAG, False, since="1.6")
    lights: list[Light] = children(Light, name="light", since="1.6")
    particle_emitters: list[ParticleEmitter] = children(
        ParticleEmitter, name="particle_emitter", since="1.6"
    )


@element
class AxisDirection(Document):
    """The direction of an axis."""

    expressed_in: str | None = key(TEXT, since="1.7")
    value: tuple[float, ...] = content(type=VECTOR, default=(0.0, 0.0, 1.0))


@element
class AxisDynamics(Document):
    """Damping, dry friction and a spring about an axis."""

    damping: float = text(NUMBER, 0.0)
    friction: float = text(NUMBER, 0.0)
    spring_reference: float = text(NUMBER, 0.0, since="1.5")
    spring_stiffness: float = text(NUMBER, 0.0, since="1.5")


@element
class AxisLimit(Document):
    """Limits of an axis."""

    lower: float = text(LIMIT, -INF)
    upper: float = text(LIMIT, INF)
    effort: float = text(LIMIT, INF)
    velocity: float = text(LIMIT, INF)
    stiffness: float = text(NUMBER, 100000000.0)
    dissipation: float = text(NUMBER, 1.0)


@element
class Mimic(Document):
    """Coupling to another joint: q = multiplier · (q_leader - reference) + offset."""

    joint: str | None = key(TEXT, since="1.11", refers="joints")
    axis: str = key(TEXT, "axis", since="1.11")
    multiplier: float = text(NUMBER, 1.0, since="1.11")
    offset: float = text(NUMBER, 0.0, since="1.11")
    reference: float = text(NUMBER, 0.0, since="1.11")


@element
class DrakeMimic(Document):
    """Coupling to another joint: q = multiplier · q_leader + offset (Drake)."""

    joint: str | None = key(TEXT, required="warning", refers="joints")
    multiplier: float = key(NUMBER, 1.0)
    offset: float = key(NUMBER, 0.0)


@element
class Axis(Document):
    """An axis of a joint."""

    KEEPS = True
    xyz: AxisDirection | None = child(AxisDirection)
    dynamics: AxisDynamics | None = child(AxisDynamics)
    limit: AxisLimit | None = child(AxisLimit)
    use_parent_model_frame: bool = text(FLAG, False, since="1.5", doc="until 1.6")
    initial_position: float = text(NUMBER, 0.0, since="1.6", doc="until 1.8")
    mimic: Mimic | None = child(Mimic, since="1.11")
    drake_mimic: DrakeMimic | None = child(DrakeMimic, name="drake:mimic")


@element
class JointPhysicsSimbody(Document):
    """Settings of a joint for Simbody."""

    must_be_loop_joint: bool = text(FLAG, False)


@element
class Limit(Document):
    """Softness of a limit in ODE."""

    cfm: float = text(NUMBER, 0.0)
    erp: float = text(NUMBER, 0.2)


@element
class JointPhysicsOde(Document):
    """Settings of a joint for ODE."""

    provide_feedback: bool = text(FLAG, False, doc="until 1.6")
    cfm_damping: bool = text(FLAG, False)
    implicit_spring_damper: bool = text(FLAG, False)
    fudge_factor: float = text(NUMBER, 0.0)
    cfm: float = text(NUMBER, 0.0)
    erp: float = text(NUMBER, 0.2)
    bounce: float = text(NUMBER, 0.0)
    max_force: float = text(NUMBER, 0.0)
    velocity: float = text(NUMBER, 0.0)
    limit: Limit | None = child(Limit)
    suspension: Limit | None = child(Limit)


@element
class JointPhysics(Document):
    """Settings of a joint for physics engines."""

    simbody: JointPhysicsSimbody | None = child(JointPhysicsSimbody)
    ode: JointPhysicsOde | None = child(JointPhysicsOde)
    provide_feedback: bool = text(FLAG, False)


@element
class Joint(Document):
    """A joint between two frames."""

    KEEPS = True
    name: str | None = key(TEXT, required=True)
    type: str | None = key(TEXT)
    parent_frame: str | None = text(TEXT, name="parent", doc="a link, a frame or the world")
    child_frame: str | None = text(TEXT, name="child", doc="a link or a frame")
    pose: Pose | None = child(Pose)
    gearbox_ratio: float = text(NUMBER, 1.0)
    gearbox_reference_body: str | None = text(TEXT, refers="links")
    thread_pitch: float | None = text(NUMBER, unit="rad/m", doc="until 1.9; minus radians per meter")
    axis: Axis | None = child(Axis)
    axis2: Axis | None = child(Axis)
    physics: JointPhysics | None = child(JointPhysics)
    sensors: list[Sensor] = children(Sensor, name="sensor")
    frames: list[Frame] = children(Frame, name="frame", since="1.5", doc="until 1.6")
    screw_thread_pitch: float | None = text(NUMBER, unit="m/turn", since="1.10")
    gear_ratio: float | None = text(NUMBER, name="drake:gear_ratio")
    rotor_inertia: float | None = text(NUMBER, name="drake:rotor_inertia", unit="kg·m²")


@element
class DrakeJoint(Document):
    """A joint of Drake between two frames, which coincide at its zero."""

    KEEPS = True
    name: str | None = key(TEXT, required=True)
    type: str | None = key(TEXT)
    parent_frame: str | None = text(TEXT, name="drake:parent", doc="a link, a frame or the world")
    child_frame: str | None = text(TEXT, name="drake:child", doc="a link or a frame")
    damping: tuple[float, ...] = text(
        VECTOR, (0.0, 0.0, 0.0), name="drake:damping", doc="along x and y, and about z"
    )

    @property
    def pose(self) -> Pose | None:
        """None: it is where its child frame is."""
        return None


@element
class DrakeFilterGroup(Document):
    """Links that do not collide with those of the groups that it ignores (Drake)."""

    name: str | None = key(TEXT, required="warning")
    ignore: bool = key(FLAG, False, doc="leaves the group out")
    members: list[Words] = children(Words, name="drake:member")
    groups: list[Words] = children(Words, name="drake:member_group")
    ignored: list[Words] = children(Words, name="drake:ignored_collision_filter_group")


@element
class GraspCheck(Document):
    """When a gripper holds something."""

    detach_steps: int = text(INTEGER, 40)
    attach_steps: int = text(INTEGER, 20)
    min_contact_count: int = text(INTEGER, 2)


@element
class Gripper(Document):
    """A gripper of Gazebo."""

    name: str | None = key(TEXT)
    grasp_check: GraspCheck | None = child(GraspCheck)
    gripper_links: list[Words] = children(Words, name="gripper_link")
    palm_link: str | None = text(TEXT, refers="links")
