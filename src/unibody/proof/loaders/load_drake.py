"""Loads a model with Drake."""

from __future__ import annotations

from typing import Any

import numpy as np
from boxes import Boxes

from exchange import Answer, Base, Places, Request, main, rotation_of

_KINDS = {
    "revolute": "revolute",
    "prismatic": "prismatic",
    "ball_rpy": "ball",
    "planar": "planar",
    "weld": "fixed",
    "quaternion_floating": "free",
    "universal": "universal",
    "screw": "screw",
}
# The most letters of what Drake says why it does not compute something.
_WORDS = 200


def load(request: Request) -> Answer:
    """The model in Drake in continuous time, without geometry, with the base that is asked for."""
    from importlib.metadata import version

    passive = ["damping", "stiffness"] if request.format == "sdf" else ["damping"]
    answer = Answer("Drake", version("drake"), passive=passive)
    plant = _plant(request, answer)
    if request.loads_only:
        return answer
    answer.facts["base"] = request.base
    names = _names(plant, request)
    places = _joints(plant, request, answer, names)
    bodies = _bodies(plant, answer, names)
    _run(plant, request, answer, places, bodies)
    _shapes(request, answer)
    return answer


def _plant(request: Request, answer: Answer) -> Any:
    plant, _, is_named = _parsed(request)
    if is_named:
        answer.facts["rejects"] = "a model without a name"
        answer.note(f"its reader rejects {answer.facts['rejects']}; it was given one")
    roots = [i for i, name in enumerate(_names(plant, request)) if name == request.root]
    if roots and not request.is_free:
        body = plant.get_body(_index(roots[0]))
        # a root link that is not welded floats
        if roots[0] and not _is_child(plant, body):
            plant.WeldFrames(plant.world_frame(), body.body_frame())
            answer.note("its reader makes the base free")
    answer.facts["gravity"] = list(plant.gravity_field().gravity_vector())
    plant.mutable_gravity_field().set_gravity_vector(np.array(request.gravity))
    _leave_out_constraints(plant, request, answer)
    plant.Finalize()
    return plant


def _leave_out_constraints(plant: Any, request: Request, answer: Answer) -> None:
    """Remove couplings and loops, which Drake has in discrete time only and does not tell in Python."""
    answer.couplings()
    if request.format != "mjcf":
        answer.loops()
    found = plant.GetConstraintIds()
    for constraint in found:
        plant.RemoveConstraint(constraint)
        if request.format != "mjcf":
            answer.couple("")
    if found and request.format == "mjcf":
        answer.note(f"{len(found)} of its constraints are left out, of which it tells no numbers")


def _names(plant: Any, request: Request) -> list[str]:
    """The names of all bodies, the world first; its reader makes one for a body without a name."""
    bodies = [plant.get_body(_index(i)) for i in range(plant.num_bodies())]
    if request.format == "sdf":
        models = ["", *(plant.GetModelInstanceName(body.model_instance()) for body in bodies[1:])]
        own = [(model, str(body.name())) for model, body in zip(models, bodies, strict=True)]
        return list(request.scoped(own, request.bodies))
    return list(request.named_bodies([str(body.name()) for body in bodies]))


def _parsed(request: Request, *, shapes: bool = False) -> tuple[Any, Any, bool]:
    """A plant with the model, its scene graph if it has shapes, and whether the model was given a name."""
    from pydrake.geometry import SceneGraph
    from pydrake.multibody import parsing
    from pydrake.multibody.plant import MultibodyPlant

    for is_named in (False, True):
        plant, scene = MultibodyPlant(0.0), SceneGraph() if shapes else None
        if scene is not None:
            plant.RegisterAsSourceForSceneGraph(scene)
        parser = parsing.Parser(plant)
        for name, folder in request.packages.items():
            if parser.package_map().Contains(name):  # its own
                parser.package_map().Remove(name)
            parser.package_map().Add(name, folder)
        if is_named:
            model = parsing.AddModel(file=f"file://{request.model}", name="model")
            directives = [parsing.ModelDirective(add_model=model)]
            parsing.ProcessModelDirectives(parsing.ModelDirectives(directives=directives), parser)
            break
        try:
            parser.AddModels(request.model)
            break
        except RuntimeError as error:
            if "must have a name" not in str(error):
                raise
    return plant, scene, is_named


def _index(i: int) -> Any:
    from pydrake.multibody.tree import BodyIndex

    return BodyIndex(i)


def _is_child(plant: Any, body: Any) -> bool:
    """Whether a joint of the file moves a body, or welds it."""
    return any(plant.get_joint(i).child_body().index() == body.index() for i in plant.GetJointIndices())


def _joints(plant: Any, request: Request, answer: Answer, names: list[str]) -> Places:
    places = Places(Base(linear=True, angular=True, angular_first=True) if request.is_free else None)
    asked = {joint["name"]: joint for joint in request.joints}
    for i in plant.GetJointIndices():
        joint = plant.get_joint(i)
        kind, size = _KINDS.get(joint.type_name(), joint.type_name()), joint.num_velocities()
        if not size:
            continue
        q, v = joint.position_start(), joint.velocity_start()
        child = names[int(joint.child_body().index())]
        if kind == "free" and request.is_free and child == request.root:
            places.add_base(range(v, v + 6))
            answer.facts["base_q"] = q
            continue
        # a body that floats has a joint of its own name
        name = request.free_joints.get(child, "") if kind == "free" else ""
        name = name or _joint_name(plant, request, joint)
        facts: dict[str, Any] = {}
        if size == 1:
            low, high = float(joint.position_lower_limits()[0]), float(joint.position_upper_limits()[0])
            facts["position"] = None if np.isinf(low) and np.isinf(high) else [low, high]
            low, high = joint.velocity_lower_limits()[0], joint.velocity_upper_limits()[0]
            facts["velocity"] = [float(low), float(high)]
            facts["damping"] = float(joint.default_damping_vector()[0])
        wanted = asked.get(name)
        zero = wanted["zero"] if wanted is not None else 0.0
        answer.joint(name, kind=kind, q=q, v=v, zero=zero, **facts)
        if wanted is not None and wanted["kind"] == kind and (size == 1 or kind == "universal"):
            places.add([*range(wanted["v"], wanted["v"] + size)], [*range(v, v + size)])
    return places


def _joint_name(plant: Any, request: Request, joint: Any) -> str:
    name = str(joint.name())
    if request.format != "sdf":
        return name
    return str(
        request.scoped([(plant.GetModelInstanceName(joint.model_instance()), name)], request.order)[0]
    )


def _bodies(plant: Any, answer: Answer, names: list[str]) -> list[Any]:
    bodies = [plant.get_body(_index(i)) for i in range(1, plant.num_bodies())]
    answer.facts["links"] = names[1:]
    mass, com, inertia = [], [], []
    for body in bodies:
        m, c = body.default_mass(), np.array(body.default_com())
        full = m * np.array(body.default_unit_inertia().CopyToFullMatrix3())
        mass.append(m)
        com.append(c)
        inertia.append(full - m * (np.dot(c, c) * np.eye(3) - np.outer(c, c)))
    answer.masses(answer.facts["links"], mass, com, inertia)
    return bodies


def _run(plant: Any, request: Request, answer: Answer, places: Places, bodies: list[Any]) -> None:
    from pydrake.math import RollPitchYaw, RotationMatrix

    context = plant.CreateDefaultContext()
    asked = {joint["name"]: joint for joint in request.joints}
    rest = np.array(plant.GetPositions(context))
    port = plant.get_applied_generalized_force_input_port()
    poses, rows, matrices, biases, rates = [], [], [], [], []
    size = plant.num_velocities()

    def rate(request: Request, state: int) -> Any:
        """Set a state; the acceleration."""
        q = rest.copy()
        if "base_q" in answer.facts:
            at = answer.facts["base_q"]
            q[at : at + 4], q[at + 4 : at + 7] = request.q[state, 3:7], request.q[state, 0:3]
        for joint in answer.facts["joints"]:
            wanted = asked.get(joint["name"])
            if wanted is None or wanted["kind"] != joint["kind"]:
                continue
            here, there = wanted["q"], joint["q"]
            if joint["kind"] in ("revolute", "prismatic"):
                q[there] = joint["zero"] + request.q[state, here]
            elif joint["kind"] == "universal":
                q[there : there + 2] = request.q[state, here : here + 2]
            elif joint["kind"] == "ball":
                turn = RotationMatrix(rotation_of(request.q[state, here : here + 4]))
                q[there : there + 3] = RollPitchYaw(turn).vector()
        v = places.velocity(request, state, size)
        plant.SetPositions(context, q)
        plant.SetVelocities(context, v)
        port.FixValue(context, places.effort(request, state, size))
        found = plant.EvalTimeDerivatives(context).CopyToVector()[plant.num_positions() :]
        return places.acceleration(request, state, np.array(found[:size]))

    refused = ""
    for state in range(len(request.q)):
        try:
            rates.append(rate(request, state))
        except RuntimeError as error:
            refused = str(error)
        rows.append(np.array(plant.GetPositions(context)))
        poses.append([plant.EvalBodyPoseInWorld(context, body).GetAsMatrix4() for body in bodies])
        matrix = plant.CalcMassMatrix(context)
        matrices.append(places.matrix(request, state, matrix))
        bias = plant.CalcBiasTerm(context) - plant.CalcGravityGeneralizedForces(context)
        biases.append(places.bias(request, state, matrix, bias))
    if refused:
        answer.note(
            f"it refuses to compute accelerations: {' '.join(refused.split())[:_WORDS]}", dynamics=True
        )
    answer.dynamics(
        places, size, [] if refused else rates, poses=poses, q=rows, mass_matrix=matrices, bias=biases
    )
    answer.states(trajectory=[] if refused else request.integrated(rate, places))


def _shapes(request: Request, answer: Answer) -> None:
    """The boxes of the shapes in a scene graph; meshes by their convex hulls, which have the same box."""
    boxes = Boxes("collision", "visual")
    try:
        plant, scene, _ = _parsed(request, shapes=True)
        plant.Finalize()
    except Exception as error:
        answer.note(f"its reader of shapes fails: {' '.join(str(error).split())[-160:]}")
        return
    inspector, names = scene.model_inspector(), _names(plant, request)
    for shape in inspector.GetAllGeometryIds():
        link = names[int(plant.GetBodyFromFrameId(inspector.GetFrameId(shape)).index())]
        drawn = inspector.GetIllustrationProperties(shape)
        if inspector.GetProximityProperties(shape) is not None:
            _add_shape(boxes, inspector, link, "collision", shape)
        if drawn is not None:
            _add_shape(boxes, inspector, link, "visual", shape)
    boxes.tell(answer)


def _add_shape(boxes: Boxes, inspector: Any, link: str, role: str, each: Any) -> None:
    pose, shape = inspector.GetPoseInFrame(each), inspector.GetShape(each)
    turn, place = np.array(pose.rotation().matrix()), np.array(pose.translation())
    kind = type(shape).__name__
    if kind in ("Mesh", "Convex"):
        try:
            hull = inspector.GetConvexHull(each)
        except RuntimeError:
            hull = None
        if hull is None:
            boxes.leave_out(link, role)
            return
        points = [hull.vertex(k) for k in range(hull.num_vertices())]
        boxes.add_points(link, role, points, turn, place, hull=role == "collision")
        return
    sizes: list[float] = []
    if kind == "Box":
        sizes = [0.5 * float(x) for x in shape.size()]
    elif kind in ("Cylinder", "Capsule"):
        sizes = [shape.radius(), 0.5 * shape.length()]
    elif kind == "Sphere":
        sizes = [shape.radius()]
    elif kind == "Ellipsoid":
        sizes = [shape.a(), shape.b(), shape.c()]
    elif kind == "HalfSpace":
        return
    boxes.add(link, role, kind.lower() if sizes else "", turn, place, sizes)


if __name__ == "__main__":
    main(load)
