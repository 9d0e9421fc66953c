"""Loads a model with SAPIEN, whose engine is PhysX in single precision on the processor."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from boxes import Boxes

from exchange import Answer, Places, Request, main, pose_of, rotation_of

# Accelerations are the change of velocities in one step of this length, in s.
_STEP = 0.01
# Limits of joints instead of their own, in m and rad, and the largest velocity, which tiny inertias reach
# in a step; infinity has no effect.
_FAR, _FAST = 1e4, 1e12


def load(request: Request) -> Answer:
    """The model in SAPIEN with a fixed base, its loader's default, and without limits of joints."""
    warnings.simplefilter("ignore")
    import sapien

    if request.is_free:
        raise ValueError(
            "not compared with a free base, whose numbers PhysX has apart from those of joints"
        )
    config = sapien.physx.PhysxSceneConfig()
    config.gravity = np.array(request.gravity)
    sapien.physx.set_scene_config(config)
    tendons = _noted_tendons(sapien)
    answer = Answer(
        "SAPIEN", sapien.__version__, precision="single", passive=["damping"], passive_without=[]
    )
    answer.facts["rate_error"] = float(np.finfo(np.float32).eps) / _STEP
    made = _Made(sapien, request, answer)
    if request.loads_only:
        return answer
    answer.facts["base"] = "fixed"
    if made.robot is None:
        answer.note("it makes a free body without joints of the file")
        _lone_body(sapien, made.actors[0], request, answer)
        return answer
    places = _joints(made.robot, request, answer)
    _couplings(made.robot, tendons, answer)
    links = [(link.name, link) for link in made.robot.get_links()]
    _links(links, answer, len(tendons))
    _shapes(links, answer)
    bare = _Made(sapien, request, answer, mimicking=False) if tendons else made
    _run(made, bare, request, answer, places)
    return answer


class _Made:
    """What the loader makes of the file in a scene of its own: a robot, or a single body."""

    def __init__(self, sapien: Any, request: Request, answer: Answer, *, mimicking: bool = True) -> None:
        self.system = sapien.physx.PhysxCpuSystem()
        # the loader refers to the scene
        self.scene = sapien.Scene([self.system])
        loader = self.scene.create_urdf_loader()
        _leave_out_visuals(loader)
        _leave_out_cameras(loader, answer if mimicking else None)
        if not mimicking:
            _leave_out_mimics(loader)
        # an SRDF file beside the model has pairs of links that do not collide: nothing that is compared
        robots, self.actors = loader.load_multiple(request.model, srdf_file="")
        if len(robots) + len(self.actors) != 1:
            raise ValueError(
                f"it makes {len(robots)} robots and {len(self.actors)} single bodies of the file"
            )
        self.robot: Any = robots[0] if robots else None


def _leave_out_mimics(loader: Any) -> None:
    """Tendons that hold mimicking joints are forces."""
    parse = loader._parse_articulation

    def without_mimics(*given: Any) -> Any:
        builder = parse(*given)
        builder.mimic_joint_records = []
        return builder

    loader._parse_articulation = without_mimics


def _leave_out_visuals(loader: Any) -> None:
    """Visual shapes need a rendering device."""
    build = loader._build_link

    def without_visuals(link: Any, builder: Any) -> Any:
        link.visuals = []
        return build(link, builder)

    loader._build_link = without_visuals


def _noted_tendons(sapien: Any) -> list[tuple[Any, Any, float]]:
    """The fixed tendons that its loader makes of joints that mimic others: a list that becomes longer."""
    made: list[tuple[Any, Any, float]] = []
    kind = sapien.physx.PhysxArticulation
    create = kind.create_fixed_tendon

    def noted(self: Any, links: Any, coefficients: Any, *others: Any, **options: Any) -> Any:
        made.append((links, coefficients, float(options.get("rest_length", 0.0))))
        return create(self, links, coefficients, *others, **options)

    kind.create_fixed_tendon = noted
    return made


def _couplings(robot: Any, tendons: list[tuple[Any, Any, float]], answer: Answer) -> None:
    """A tendon from a link to two others holds the sum of their joints' positions, each with a factor."""
    answer.couplings()
    answer.loops()
    above = {joint.child_link.name: joint.name for joint in robot.get_joints() if joint.child_link}
    for links, coefficients, length in tendons:
        first, second = (above[_named(link)] for link in links[1:3])
        a, b = (float(x) for x in coefficients[1:3])
        answer.couple(second, first, -a / b, length / b)


def _named(link: Any) -> str:
    """The name of a link, which is given as such or as the entity that has it."""
    return str(link.name)


def _leave_out_cameras(loader: Any, answer: Answer | None) -> None:
    """Cameras need a rendering device; that the loader does not read those of the file is noted."""
    parse = loader._parse_cameras

    def without_cameras(extra: Any) -> list[Any]:
        try:
            parse(extra)
        except Exception as error:
            if answer is not None:
                words = f"{type(error).__name__} {error}".strip()
                answer.note(f"it rejects the file for a camera or sensor, which is left out here: {words}")
        return []

    loader._parse_cameras = without_cameras


def _lone_body(sapien: Any, actor: Any, request: Request, answer: Answer) -> None:
    """A link without joints, which is no robot there but a body."""
    body = actor.find_component_by_type(sapien.physx.PhysxRigidDynamicComponent)
    _links([(actor.name, body)], answer, 0)
    _shapes([(actor.name, body)], answer)
    answer.places(Places())
    answer.states(poses=[[_pose(actor.pose)]] * len(request.q), q=np.zeros((len(request.q), 0)))


def _joints(robot: Any, request: Request, answer: Answer) -> Places:
    places = Places()
    asked = {joint["name"]: joint for joint in request.joints}
    for at, joint in enumerate(robot.get_active_joints()):
        kind = "prismatic" if joint.type == "prismatic" else "revolute"
        low, high = (float(x) for x in np.ravel(joint.get_limits()))
        answer.joint(
            joint.name,
            kind=kind,
            q=at,
            v=at,
            zero=0.0,
            position=None if np.isinf(low) and np.isinf(high) else [low, high],
            velocity=[-float(joint.max_velocity), float(joint.max_velocity)],
            armature=float(np.ravel(joint.armature)[0]),
            damping=float(joint.damping),
            # that of PhysX is a share of the force that the joint carries, not a force
            friction=0.0,
            load_friction=float(joint.friction),
        )
        wanted = asked.get(joint.name)
        if wanted is not None and wanted["kind"] == kind:
            places.add([wanted["v"]], [at])
    return places


def _links(links: list[tuple[str, Any]], answer: Answer, mimics: int) -> None:
    names, mass, com, inertia = [], [], [], []
    damping = set()
    for name, link in links:
        own = link.cmass_local_pose
        turn = rotation_of(own.q)
        names.append(name)
        mass.append(float(link.mass))
        com.append(np.array(own.p))
        inertia.append(turn @ np.diag(np.array(link.inertia, float)) @ turn.T)
        damping.add((float(link.linear_damping), float(link.angular_damping)))
    answer.facts["links"] = names
    answer.masses(names, mass, com, inertia)
    friction = {joint["load_friction"] for joint in answer.facts["joints"]}
    words = [f"friction {value:g} of the load of joints" for value in sorted(friction) if value]
    words += [f"damping {max(pair):g}/s of links" for pair in sorted(damping) if any(pair)]
    words += [f"forces that hold {mimics} mimics"] if mimics else []
    answer.facts["added"] = f"{' and '.join(words)}, which its loader adds"


# Round shapes of PhysX are along x: columns of the matrix from an axis along z.
_ALONG_X = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])


def _shapes(links: list[tuple[str, Any]], answer: Answer) -> None:
    """The boxes of collision shapes; visual ones need a rendering device."""
    boxes = Boxes("collision")
    for name, link in links:
        for shape in link.collision_shapes:
            pose = shape.local_pose
            turn, place = rotation_of(np.array(pose.q, float)), np.array(pose.p, float)
            kind = type(shape).__name__.removeprefix("PhysxCollisionShape").lower()
            if kind in ("convexmesh", "trianglemesh"):
                points = np.array(shape.vertices, float) * np.array(shape.scale, float)
                boxes.add_points(name, "collision", points, turn, place, hull=kind == "convexmesh")
            elif kind == "box":
                boxes.add(name, "collision", kind, turn, place, np.array(shape.half_size).tolist())
            elif kind == "sphere":
                boxes.add(name, "collision", kind, turn, place, [float(shape.radius)])
            elif kind in ("capsule", "cylinder"):
                sizes = [float(shape.radius), float(shape.half_length)]
                boxes.add(name, "collision", kind, turn @ _ALONG_X, place, sizes)
    boxes.tell(answer)


def _run(made: _Made, bare: _Made, request: Request, answer: Answer, places: Places) -> None:
    """All states in the robot as it is made, then without what the loader adds to it."""
    root = made.robot.get_links()[0]
    most = f"{root.max_linear_velocity:g} m/s and {root.max_angular_velocity:g} rad/s"
    answer.note(f"it limits links to {most}, which is left out here")
    _set_free(made)
    poses, rows, rates, biases, without = [], [], [], [], []
    for state in range(len(request.q)):
        rates.append(_step(made, request, answer, places, state))
        poses.append([_pose(link.entity_pose) for link in made.robot.get_links()])
        rows.append(np.array(made.robot.get_qpos(), float))
    if bare is not made:
        _set_free(bare)
    for joint in bare.robot.get_active_joints():
        joint.set_friction(0.0)
        # damping is that of a drive, which a step takes into account only nearly
        joint.set_drive_properties(0.0, 0.0)
    for link in bare.robot.get_links():
        link.linear_damping = link.angular_damping = 0.0
    for state in range(len(request.q)):
        _set(bare.robot, request, answer, places, state)
        biases.append(np.array(bare.robot.compute_passive_force(True, True), float)[places.there])
        without.append(_step(bare, request, answer, places, state))
    answer.places(places)
    answer.states(poses=poses, q=rows, bias=biases, acceleration=rates, acceleration_without=without)


def _set_free(made: _Made) -> None:
    """No limits of joints, none of velocities, and no collisions."""
    made.system.timestep = _STEP
    for joint in made.robot.get_active_joints():
        # those of the type "revolute" are within two turns, and have none from URDF
        if np.isfinite(joint.get_limits()).all():
            far = 2.0 * np.pi if joint.type == "revolute" else _FAR
            joint.set_limits(np.array([[-far, far]]))
        joint.set_max_velocity(_FAST)
    for link in made.robot.get_links():
        link.max_linear_velocity = link.max_angular_velocity = _FAST
        for shape in link.collision_shapes:
            shape.set_collision_groups([0, 0, 0, 0])


def _set(robot: Any, request: Request, answer: Answer, places: Places, state: int) -> None:
    """Set a state of the request."""
    asked = {joint["name"]: joint for joint in request.joints}
    q = np.zeros(robot.dof)
    for joint in answer.facts["joints"]:
        wanted = asked.get(joint["name"])
        if wanted is not None and wanted["kind"] == joint["kind"]:
            q[joint["q"]] = request.q[state, wanted["q"]]
    robot.set_qpos(q)
    robot.set_qvel(places.velocity(request, state, robot.dof))
    robot.set_qf(places.effort(request, state, robot.dof))


def _step(made: _Made, request: Request, answer: Answer, places: Places, state: int) -> Any:
    """The acceleration in one step; the robot is then in the state again, with the poses of it."""
    robot = made.robot
    _set(robot, request, answer, places, state)
    before = np.array(robot.get_qvel(), float)
    made.system.step()
    rate = (np.array(robot.get_qvel(), float) - before) / _STEP
    _set(robot, request, answer, places, state)
    return rate[places.there]


def _pose(pose: Any) -> Any:
    return pose_of(rotation_of(np.array(pose.q, float)), np.array(pose.p, float))


if __name__ == "__main__":
    main(load)
