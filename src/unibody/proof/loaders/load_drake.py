"""Loads a model with Drake."""

from __future__ import annotations

from typing import Any

import numpy as np

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


def load(request: Request) -> Answer:
    """The model in Drake in continuous time, without geometry, with the base that is asked for."""
    from importlib.metadata import version

    answer = Answer("Drake", version("drake"), passive=["damping"])
    plant = _plant(request, answer)
    answer.facts["couplings"] = plant.num_constraints()
    if request.loads_only:
        return answer
    answer.facts["base"] = request.base
    names = _names(plant, request)
    places = _joints(plant, request, answer, names)
    bodies = _bodies(plant, answer, names)
    _run(plant, request, answer, places, bodies)
    return answer


def _plant(request: Request, answer: Answer) -> Any:
    from pydrake.multibody.plant import MultibodyPlant

    plant = MultibodyPlant(0.0)
    packages = request.packages
    try:
        _parser(plant, packages).AddModels(request.model)
    except RuntimeError as error:
        if "must have a name" not in str(error):
            raise
        answer.note("its reader rejects a model without a name; it was given one")
        plant = MultibodyPlant(0.0)
        _add_named(_parser(plant, packages), request.model)
    roots = [i for i, name in enumerate(_names(plant, request)) if name == request.root]
    if roots and not request.is_free:
        body = plant.get_body(_index(roots[0]))
        # a root link that is not welded floats
        if roots[0] and not _is_child(plant, body):
            plant.WeldFrames(plant.world_frame(), body.body_frame())
            answer.note("its reader makes the base free")
    answer.facts["gravity"] = list(plant.gravity_field().gravity_vector())
    plant.mutable_gravity_field().set_gravity_vector(np.array(request.gravity))
    plant.Finalize()
    return plant


def _names(plant: Any, request: Request) -> list[str]:
    """The names of all bodies, the world first; its reader makes one for a body without a name."""
    own = [str(plant.get_body(_index(i)).name()) for i in range(plant.num_bodies())]
    return list(request.named_bodies(own))


def _parser(plant: Any, packages: dict[str, str]) -> Any:
    from pydrake.multibody.parsing import Parser

    parser = Parser(plant)
    for name, folder in packages.items():
        parser.package_map().Add(name, folder)
    return parser


def _add_named(parser: Any, path: str) -> None:
    """Add the model of a file that has no name for it."""
    from pydrake.multibody import parsing

    directive = parsing.ModelDirective(add_model=parsing.AddModel(file=f"file://{path}", name="model"))
    parsing.ProcessModelDirectives(parsing.ModelDirectives(directives=[directive]), parser)


def _index(i: int) -> Any:
    from pydrake.multibody.tree import BodyIndex

    return BodyIndex(i)


def _is_child(plant: Any, body: Any) -> bool:
    """Whether a joint of the file moves a body, or welds it."""
    return any(plant.get_joint(i).child_body().name() == body.name() for i in plant.GetJointIndices())


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
        name = name or joint.name()
        facts: dict[str, Any] = {}
        if size == 1:
            low, high = float(joint.position_lower_limits()[0]), float(joint.position_upper_limits()[0])
            facts["position"] = None if np.isinf(low) and np.isinf(high) else [low, high]
            facts["damping"] = float(joint.default_damping_vector()[0])
        wanted = asked.get(name)
        zero = wanted["zero"] if wanted is not None else 0.0
        answer.joint(name, kind=kind, q=q, v=v, zero=zero, **facts)
        if wanted is not None and wanted["kind"] == kind and size == 1:
            places.add([wanted["v"]], [v])
    return places


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
    for state in range(len(request.q)):
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
            elif joint["kind"] == "ball":
                turn = RotationMatrix(rotation_of(request.q[state, here : here + 4]))
                q[there : there + 3] = RollPitchYaw(turn).vector()
        v = places.velocity(request, state, size)
        plant.SetPositions(context, q)
        rows.append(q)
        plant.SetVelocities(context, v)
        port.FixValue(context, places.effort(request, state, size))
        poses.append([plant.EvalBodyPoseInWorld(context, body).GetAsMatrix4() for body in bodies])
        matrix = plant.CalcMassMatrix(context)
        matrices.append(places.matrix(request, state, matrix))
        bias = plant.CalcBiasTerm(context) - plant.CalcGravityGeneralizedForces(context)
        biases.append(places.bias(request, state, matrix, bias))
        if plant.num_constraints():
            continue
        rate = plant.EvalTimeDerivatives(context).CopyToVector()[plant.num_positions() :]
        rates.append(places.acceleration(request, state, np.array(rate[:size])))
    if plant.num_constraints():
        answer.note("it has couplings in discrete time only: no accelerations", dynamics=True)
    answer.dynamics(places, size, rates, poses=poses, q=rows, mass_matrix=matrices, bias=biases)


if __name__ == "__main__":
    main(load)
