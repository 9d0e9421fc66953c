"""Loads a model with SAPIEN, whose engine is PhysX in single precision on the processor."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from boxes import Boxes

from exchange import Answer, Places, Request, main, pose_of, rotation_of

# Accelerations are the change of velocities in one step of this length, in s.
_STEP = 0.01
# Limits of a slide instead of its own, in m, and the largest velocity; infinity has no effect.
_FAR = 1e4


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
    system = sapien.physx.PhysxCpuSystem()
    scene = sapien.Scene([system])
    loader = scene.create_urdf_loader()
    _leave_out_visuals(loader)
    tendons = _noted_tendons(sapien)
    robot = loader.load(request.model)
    answer = Answer(
        "SAPIEN", sapien.__version__, precision="single", passive=["damping"], passive_without=[]
    )
    answer.facts["rate_error"] = float(np.finfo(np.float32).eps) / _STEP
    if request.loads_only:
        return answer
    answer.facts["base"] = "fixed"
    places = _joints(robot, request, answer)
    _couplings(robot, tendons, answer)
    _links(robot, answer)
    _shapes(robot, answer)
    _run(system, robot, request, answer, places)
    return answer


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
            armature=float(np.ravel(joint.armature)[0]),
            damping=float(joint.damping),
            friction=float(joint.friction),
        )
        wanted = asked.get(joint.name)
        if wanted is not None and wanted["kind"] == kind:
            places.add([wanted["v"]], [at])
    return places


def _links(robot: Any, answer: Answer) -> None:
    names, mass, com, inertia = [], [], [], []
    damping = set()
    for link in robot.get_links():
        own = link.cmass_local_pose
        turn = rotation_of(own.q)
        names.append(link.name)
        mass.append(float(link.mass))
        com.append(np.array(own.p))
        inertia.append(turn @ np.diag(np.array(link.inertia, float)) @ turn.T)
        damping.add((float(link.linear_damping), float(link.angular_damping)))
    answer.facts["links"] = names
    answer.masses(names, mass, com, inertia)
    friction = {joint["friction"] for joint in answer.facts["joints"]}
    words = [f"friction {value:g} of joints" for value in sorted(friction) if value]
    words += [f"damping {max(pair):g}/s of links" for pair in sorted(damping) if any(pair)]
    answer.facts["added"] = f"{' and '.join(words)}, which its loader adds"


# Round shapes of PhysX are along x: columns of the matrix from an axis along z.
_ALONG_X = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])


def _shapes(robot: Any, answer: Answer) -> None:
    """The boxes of collision shapes; visual ones need a rendering device."""
    boxes = Boxes("collision")
    for link in robot.get_links():
        for shape in link.collision_shapes:
            pose = shape.local_pose
            turn, place = rotation_of(np.array(pose.q, float)), np.array(pose.p, float)
            kind = type(shape).__name__.removeprefix("PhysxCollisionShape").lower()
            if kind in ("convexmesh", "trianglemesh"):
                points = np.array(shape.vertices, float) * np.array(shape.scale, float)
                boxes.add_points(link.name, "collision", points, turn, place, hull=kind == "convexmesh")
            elif kind == "box":
                boxes.add(link.name, "collision", kind, turn, place, np.array(shape.half_size).tolist())
            elif kind == "sphere":
                boxes.add(link.name, "collision", kind, turn, place, [float(shape.radius)])
            elif kind in ("capsule", "cylinder"):
                sizes = [float(shape.radius), float(shape.half_length)]
                boxes.add(link.name, "collision", kind, turn @ _ALONG_X, place, sizes)
    boxes.tell(answer)


def _run(system: Any, robot: Any, request: Request, answer: Answer, places: Places) -> None:
    joints = robot.get_active_joints()
    for joint in joints:
        far = _FAR if joint.type == "prismatic" else 2.0 * np.pi
        if np.isfinite(joint.get_limits()).all():
            joint.set_limits(np.array([[-far, far]]))
        joint.set_max_velocity(_FAR)
    for link in robot.get_links():
        for shape in link.collision_shapes:
            shape.set_collision_groups([0, 0, 0, 0])
    system.timestep = _STEP
    poses, rows, rates, biases, bare = [], [], [], [], []
    for state in range(len(request.q)):
        rate = _step(system, robot, request, answer, places, state)
        poses.append([_pose(link.entity_pose) for link in robot.get_links()])
        rows.append(np.array(robot.get_qpos(), float))
        rates.append(rate)
    for joint in joints:
        joint.set_friction(0.0)
        # damping is that of a drive, which a step takes into account only nearly
        joint.set_drive_properties(0.0, 0.0)
    for link in robot.get_links():
        link.linear_damping = link.angular_damping = 0.0
    for state in range(len(request.q)):
        _set(robot, request, answer, places, state)
        biases.append(np.array(robot.compute_passive_force(True, True), float)[places.there])
        bare.append(_step(system, robot, request, answer, places, state))
    answer.places(places)
    answer.states(poses=poses, q=rows, bias=biases, acceleration=rates, acceleration_without=bare)


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


def _step(system: Any, robot: Any, request: Request, answer: Answer, places: Places, state: int) -> Any:
    """The acceleration in one step; the robot is then in the state again, with the poses of it."""
    _set(robot, request, answer, places, state)
    before = np.array(robot.get_qvel(), float)
    system.step()
    rate = (np.array(robot.get_qvel(), float) - before) / _STEP
    _set(robot, request, answer, places, state)
    return rate[places.there]


def _pose(pose: Any) -> Any:
    return pose_of(rotation_of(np.array(pose.q, float)), np.array(pose.p, float))


if __name__ == "__main__":
    main(load)
