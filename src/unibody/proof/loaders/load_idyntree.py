"""Loads a model with iDynTree."""

from __future__ import annotations

from typing import Any

import numpy as np

from exchange import Answer, Base, NotLoaded, Places, Request, main, pose_of, rotation_of


def load(request: Request) -> Answer:
    """The model in iDynTree, whose base is always free: that of a fixed one is held at its place."""
    from importlib.metadata import version

    from idyntree import bindings as idyntree

    loader = idyntree.ModelLoader()
    # a model without links is what it makes of a file that it does not read, and calls loaded
    if not loader.loadModelFromFile(request.model) or not loader.model().getNrOfLinks():
        raise NotLoaded
    answer = Answer("iDynTree", version("idyntree"))
    if request.loads_only:
        return answer
    if not request.is_free:
        answer.note("its base is always free; its numbers are those of joints beside a base at rest")
    model = loader.model()
    computations = idyntree.KinDynComputations()
    computations.loadRobotModel(model)
    computations.setFrameVelocityRepresentation(idyntree.MIXED_REPRESENTATION)
    answer.facts["base"] = request.base
    answer.facts["couplings"] = 0
    places = _joints(model, request, answer)
    _links(model, answer)
    _run(idyntree, computations, model, request, answer, places)
    return answer


def _joints(model: Any, request: Request, answer: Answer) -> Places:
    # the six numbers of the base come first
    places = Places(Base(linear=True, angular=True) if request.is_free else None)
    if request.is_free:
        places.add_base(range(6))
    asked = {joint["name"]: joint for joint in request.joints}
    for i in range(model.getNrOfJoints()):
        joint, name = model.getJoint(i), model.getJointName(i)
        if not joint.getNrOfDOFs():
            continue
        kind = (
            "prismatic" if joint.isPrismaticJoint() else "revolute" if joint.isRevoluteJoint() else "other"
        )
        at = joint.getDOFsOffset()
        if joint.getNrOfDOFs() == 3 and joint.getNrOfPosCoords() == 4:
            answer.joint(name, kind="ball", q=joint.getPosCoordsOffset(), v=at, zero=0.0)
            wanted = asked.get(name)
            if wanted is not None and wanted["kind"] == "ball":
                places.add(range(wanted["v"], wanted["v"] + 3), range(6 + at, 9 + at))
            continue
        limits = None
        if joint.hasPosLimits():
            limits = [float(joint.getMinPosLimit(0)), float(joint.getMaxPosLimit(0))]
        answer.joint(
            name,
            kind=kind,
            q=joint.getPosCoordsOffset(),
            v=at,
            zero=0.0,
            position=limits,
            damping=float(joint.getDamping(0)),
            friction=float(joint.getStaticFriction(0)),
        )
        wanted = asked.get(name)
        if wanted is not None and wanted["kind"] == kind:
            places.add([wanted["v"]], [6 + at])
    return places


def _links(model: Any, answer: Answer) -> None:
    names, mass, com, inertia = [], [], [], []
    for i in range(model.getNrOfLinks()):
        own = model.getLink(i).getInertia()
        names.append(model.getLinkName(i))
        mass.append(own.getMass())
        com.append(np.array(own.getCenterOfMass().toNumPy()))
        inertia.append(np.array(own.getRotationalInertiaWrtCenterOfMass().toNumPy()))
    answer.facts["links"] = names
    answer.masses(names, mass, com, inertia)


def _run(
    idyntree: Any, computations: Any, model: Any, request: Request, answer: Answer, places: Places
) -> None:
    asked = {joint["name"]: joint for joint in request.joints}
    dofs = computations.getNrOfDegreesOfFreedom()
    base = computations.getFloatingBase()
    gravity = np.array(request.gravity)
    root = _root_pose(computations, base, request.root)
    poses, rows, matrices, biases = [], [], [], []
    matrix, bias = idyntree.MatrixDynSize(), idyntree.FreeFloatingGeneralizedTorques(model)
    for state in range(len(request.q)):
        s = np.zeros(model.getNrOfPosCoords())
        for joint in answer.facts["joints"]:
            wanted = asked.get(joint["name"])
            # a quaternion is w, x, y, z here, too
            size = 4 if joint["kind"] == "ball" else 1
            if wanted is not None and wanted["kind"] == joint["kind"]:
                s[joint["q"] : joint["q"] + size] = request.q[state, wanted["q"] : wanted["q"] + size]
            elif size > 1:
                s[joint["q"]] = 1.0
        v = places.velocity(request, state, 6 + dofs)
        if request.is_free:
            root = pose_of(rotation_of(request.q[state, 3:7]), request.q[state, :3])
        computations.setRobotState(root, s, v[:6], v[6:], gravity)
        rows.append(s)
        poses.append(
            [
                np.array(computations.getWorldTransform(name).asHomogeneousTransform().toNumPy())
                for name in answer.facts["links"]
            ]
        )
        computations.getFreeFloatingMassMatrix(matrix)
        full = np.array(matrix.toNumPy())
        matrices.append(places.matrix(request, state, full))
        computations.generalizedBiasForces(bias)
        forces = np.concatenate(
            [np.array(bias.baseWrench().asVector().toNumPy()), np.array(bias.jointTorques().toNumPy())]
        )
        biases.append(places.bias(request, state, full, forces))
    if base != request.root:
        answer.note(f"its base is {base}")
    answer.places(places)
    answer.states(poses=poses, q=rows, mass_matrix=matrices, bias=biases)


def _root_pose(computations: Any, base: str, root: str) -> Any:
    """The pose of the base where the root link is at the world's origin.

    A root link without mass is none of iDynTree's links, and one that is fixed to it is the base.
    """
    model = computations.model()
    if base == root or model.getFrameIndex(root) < 0:
        return np.eye(4)
    relative = computations.getRelativeTransform(root, base)
    return np.array(relative.asHomogeneousTransform().toNumPy())


if __name__ == "__main__":
    main(load)
