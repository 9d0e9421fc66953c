"""Declaration of SDF: Worlds."""

from __future__ import annotations

from unibody.document.declare import (
    INTEGER,
    TEXT,
    Document,
    child,
    children,
    element,
    key,
)
from unibody.formats.sdf.document_model import (
    SIDECAR,
    Include,
    JointState,
    Model,
    ModelState,
)
from unibody.formats.sdf.document_parts import (
    Joint,
)
from unibody.formats.sdf.document_sensors import (
    Light,
)
from unibody.formats.sdf.document_shapes import (
    Box,
    Cylinder,
    Frame,
    Material,
    Plugin,
    Point3,
    Pose,
    Posed,
    Words,
)
from unibody.formats.sdf.values import (
    COLOR,
    FLAG,
    NUMBER,
    VECTOR,
    text,
)


@element
class Audio(Document):
    """The audio device of a world."""

    device: str = text(TEXT, "default")


@element
class TrackVisual(Document):
    """A visual that the camera of the user interface follows."""

    name: str | None = text(TEXT)
    min_dist: float = text(NUMBER, 0.0, unit="m")
    max_dist: float = text(NUMBER, 0.0, unit="m")
    static: bool = text(FLAG, False, since="1.6")
    use_model_frame: bool = text(FLAG, True, since="1.6")
    xyz: tuple[float, ...] = text(VECTOR, (-5.0, 0.0, 3.0), since="1.6")
    inherit_yaw: bool = text(FLAG, False, since="1.6")


@element
class GuiCamera(Posed):
    """The camera of the user interface."""

    name: str | None = key(TEXT)
    view_controller: str = text(TEXT, "orbit")
    track_visual: TrackVisual | None = child(TrackVisual)
    projection_type: str = text(TEXT, "perspective", since="1.5")


@element
class Gui(Document):
    """The user interface."""

    fullscreen: bool = key(FLAG, False)
    camera: GuiCamera | None = child(GuiCamera)
    plugins: list[Plugin] = children(Plugin, name="plugin", since="1.5")


@element
class SimbodyContact(Document):
    """Contacts in Simbody."""

    stiffness: float = text(NUMBER, 100000000.0)
    dissipation: float = text(NUMBER, 100.0)
    plastic_coef_restitution: float = text(NUMBER, 0.5)
    plastic_impact_velocity: float = text(NUMBER, 0.5)
    static_friction: float = text(NUMBER, 0.9)
    dynamic_friction: float = text(NUMBER, 0.9)
    viscous_friction: float = text(NUMBER, 0.0)
    override_impact_capture_velocity: float = text(NUMBER, 0.001)
    override_stiction_transition_velocity: float = text(NUMBER, 0.001)


@element
class Simbody(Document):
    """Settings of Simbody."""

    min_step_size: float = text(NUMBER, 0.0001)
    accuracy: float = text(NUMBER, 0.001)
    max_transient_velocity: float = text(NUMBER, 0.01)
    contact: SimbodyContact | None = child(SimbodyContact)


@element
class Solver(Document):
    """The solver of Bullet."""

    type: str = text(TEXT, "sequential_impulse")
    min_step_size: float = text(NUMBER, 0.0001)
    iters: int = text(INTEGER, 50)
    sor: float = text(NUMBER, 1.3)


@element
class Constraints(Document):
    """Constraints of Bullet."""

    cfm: float = text(NUMBER, 0.0)
    erp: float = text(NUMBER, 0.2)
    contact_surface_layer: float = text(NUMBER, 0.001)
    split_impulse: bool = text(FLAG, True)
    split_impulse_penetration_threshold: float = text(NUMBER, -0.01)


@element
class Bullet(Document):
    """Settings of Bullet."""

    solver: Solver | None = child(Solver)
    constraints: Constraints | None = child(Constraints)


@element
class OdeSolver(Document):
    """The solver of ODE."""

    type: str = text(TEXT, "quick")
    min_step_size: float = text(NUMBER, 0.0001)
    iters: int = text(INTEGER, 50)
    precon_iters: int = text(INTEGER, 0)
    sor: float = text(NUMBER, 1.3)
    use_dynamic_moi_rescaling: bool = text(FLAG, False)
    island_threads: int = text(INTEGER, 0, since="1.6")
    thread_position_correction: bool = text(FLAG, False, since="1.6")
    friction_model: str = text(TEXT, "pyramid_model", since="1.6")


@element
class OdeConstraints(Document):
    """Constraints of ODE."""

    cfm: float = text(NUMBER, 0.0)
    erp: float = text(NUMBER, 0.2)
    contact_max_correcting_vel: float = text(NUMBER, 100.0)
    contact_surface_layer: float = text(NUMBER, 0.001)


@element
class Ode(Document):
    """Settings of ODE."""

    solver: OdeSolver | None = child(OdeSolver)
    constraints: OdeConstraints | None = child(OdeConstraints)


@element
class DartSolver(Document):
    """The solver of DART."""

    solver_type: str = text(TEXT, "dantzig", since="1.6")


@element
class Dart(Document):
    """Settings of DART."""

    solver: DartSolver | None = child(DartSolver, since="1.6")
    collision_detector: str = text(TEXT, "fcl", since="1.6")


@element
class Physics(Document):
    """Settings of the physics engine."""

    KEEPS = True
    type: str = key(TEXT, "ode")
    name: str = key(TEXT, "default_physics", since="1.5")
    default: bool = key(FLAG, False, since="1.5")
    max_step_size: float = text(NUMBER, 0.001)
    real_time_factor: float = text(NUMBER, 1.0)
    real_time_update_rate: float = text(NUMBER, 1000.0)
    max_contacts: int = text(INTEGER, 20)
    gravity: tuple[float, ...] = text(VECTOR, (0.0, 0.0, -9.8), doc="until 1.5")
    simbody: Simbody | None = child(Simbody)
    bullet: Bullet | None = child(Bullet)
    ode: Ode | None = child(Ode)
    magnetic_field: tuple[float, ...] = text(
        VECTOR, (5.5645e-06, 2.28758e-05, -4.23884e-05), since="1.5", doc="until 1.5"
    )
    dart: Dart | None = child(Dart, since="1.6")


@element
class Clouds(Document):
    """The clouds in the sky."""

    speed: float = text(NUMBER, 0.6)
    direction: float = text(NUMBER, 0.0)
    humidity: float = text(NUMBER, 0.5)
    mean_size: float = text(NUMBER, 0.5)
    ambient: tuple[float, ...] = text(COLOR, (0.8, 0.8, 0.8, 1.0))


@element
class Sky(Document):
    """The sky."""

    time: float = text(NUMBER, 10.0)
    sunrise: float = text(NUMBER, 6.0)
    sunset: float = text(NUMBER, 20.0)
    clouds: Clouds | None = child(Clouds)
    cubemap_uri: str | None = text(TEXT, since="1.9")


@element
class Fog(Document):
    """The fog."""

    color: tuple[float, ...] = text(COLOR, (1.0, 1.0, 1.0, 1.0))
    type: str | None = text(TEXT)
    start: float = text(NUMBER, 1.0)
    end: float = text(NUMBER, 100.0)
    density: float = text(NUMBER, 1.0, unit="kg/m³")


@element
class Scene(Document):
    """What a world looks like."""

    KEEPS = True
    ambient: tuple[float, ...] = text(COLOR, (0.4, 0.4, 0.4, 1.0))
    background: tuple[float, ...] = text(COLOR, (0.7, 0.7, 0.7, 1.0))
    sky: Sky | None = child(Sky)
    shadows: bool = text(FLAG, True)
    fog: Fog | None = child(Fog)
    grid: bool = text(FLAG, True)
    origin_visual: bool = text(FLAG, True, since="1.5")


@element
class Actor(Document):
    """An animated figure."""

    KEEPS = True
    SKIPPED = True
    name: str | None = key(TEXT)
    static: bool = key(FLAG, False, doc="until 1.4")


@element
class Road(Document):
    """A road."""

    name: str | None = key(TEXT)
    width: float = text(NUMBER, 1.0)
    points: list[Point3] = children(Point3, name="point")
    material: Material | None = child(Material, since="1.5")


@element
class SphericalCoordinates(Document):
    """The place of a world on a planet."""

    surface_model: str = text(TEXT, "EARTH_WGS84")
    latitude_deg: float = text(NUMBER, 0.0)
    longitude_deg: float = text(NUMBER, 0.0)
    elevation: float = text(NUMBER, 0.0)
    heading_deg: float = text(NUMBER, 0.0)
    world_frame_orientation: str = text(TEXT, "ENU", since="1.6")
    surface_axis_equatorial: float = text(NUMBER, 0.0, since="1.10")
    surface_axis_polar: float = text(NUMBER, 0.0, since="1.10")


@element
class Insertions(Document):
    """What is inserted at a time."""

    models: list[Model] = children(Model, name="model")
    lights: list[Light] = children(Light, name="light", since="1.6")
    joints: list[Joint] = children(Joint, name="joint", since="1.12")


@element
class Deletions(Document):
    """What is removed at a time."""

    names: list[Words] = children(Words, name="name")


@element
class LightState(Document):
    """The state of a light."""

    name: str | None = key(TEXT, since="1.5")
    frames: list[Frame] = children(Frame, name="frame", since="1.5", doc="until 1.6")
    pose: Pose | None = child(Pose, since="1.5")


@element
class State(Document):
    """The state of a world at a time."""

    world_name: str | None = key(TEXT)
    sim_time: str = text(TEXT, "0 0")
    wall_time: str = text(TEXT, "0 0")
    real_time: str = text(TEXT, "0 0")
    insertions: Insertions | None = child(Insertions)
    deletions: Deletions | None = child(Deletions)
    models: list[ModelState] = children(ModelState, name="model", doc="until 1.11")
    iterations: int = text(INTEGER, 0, since="1.5")
    lights: list[LightState] = children(LightState, name="light", since="1.5", doc="until 1.11")
    model_states: list[ModelState] = children(ModelState, name="model_state", since="1.12")
    light_states: list[LightState] = children(LightState, name="light_state", since="1.12")
    joint_states: list[JointState] = children(JointState, name="joint_state", since="1.12")


@element
class Distribution(Document):
    """The pattern of the places."""

    type: str = text(TEXT, "random", since="1.5")
    rows: int = text(INTEGER, 1, since="1.5")
    cols: int = text(INTEGER, 1, since="1.5")
    step: tuple[float, ...] = text(VECTOR, (0.5, 0.5, 0.0), since="1.5")


@element
class Population(Document):
    """Copies of a model at places of a pattern."""

    name: str | None = key(TEXT, since="1.5")
    box: Box | None = child(Box, since="1.5")
    cylinder: Cylinder | None = child(Cylinder, since="1.5")
    model_count: int = text(INTEGER, 1, since="1.5")
    distribution: Distribution | None = child(Distribution, since="1.5")
    frames: list[Frame] = children(Frame, name="frame", since="1.5", doc="until 1.6")
    pose: Pose | None = child(Pose, since="1.5")
    model: Model | None = child(Model, since="1.5")


@element
class Wind(Document):
    """The wind."""

    linear_velocity: tuple[float, ...] = text(VECTOR, (0.0, 0.0, 0.0), since="1.6")


@element
class Atmosphere(Document):
    """The atmosphere."""

    type: str = key(TEXT, "adiabatic", since="1.6")
    temperature: float = text(NUMBER, 288.15, since="1.6")
    pressure: float = text(NUMBER, 101325.0, since="1.6")
    temperature_gradient: float = text(NUMBER, -0.0065, since="1.6")


@element
class World(Document):
    """A world: models, lights and joints between models, and settings of the simulation."""

    KNOWN = frozenset((SIDECAR,))
    KEEPS = True
    name: str | None = key(TEXT, required=True)
    audio: Audio | None = child(Audio)
    includes: list[Include] = children(Include, name="include")
    gui: Gui | None = child(Gui)
    physics: list[Physics] = children(Physics, name="physics")
    scene: Scene | None = child(Scene)
    lights: list[Light] = children(Light, name="light")
    models: list[Model] = children(Model, name="model")
    actors: list[Actor] = children(Actor, name="actor")
    plugins: list[Plugin] = children(Plugin, name="plugin")
    joints: list[Joint] = children(Joint, name="joint")
    roads: list[Road] = children(Road, name="road")
    spherical_coordinates: SphericalCoordinates | None = child(SphericalCoordinates)
    states: list[State] = children(State, name="state")
    populations: list[Population] = children(Population, name="population", since="1.5")
    wind: Wind | None = child(Wind, since="1.6")
    gravity: tuple[float, ...] = text(VECTOR, (0.0, 0.0, -9.8), since="1.6")
    magnetic_field: tuple[float, ...] = text(VECTOR, (5.5645e-06, 2.28758e-05, -4.23884e-05), since="1.6")
    atmosphere: Atmosphere | None = child(Atmosphere, since="1.6")
    frames: list[Frame] = children(Frame, name="frame", since="1.7")
