"""Loads a model with iDynTree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from boxes import Boxes

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
    answer.couplings()
    answer.loops()
    places = _joints(model, request, answer)
    _links(model, answer)
    _run(idyntree, computations, model, request, answer, places)
    _shapes(model, request, answer)
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
            velocity=_symmetric(joint.getVelocityLimit(0) if joint.hasVelocityLimits() else np.inf),
            effort=_symmetric(joint.getEffortLimit(0) if joint.hasEffortLimits() else np.inf),
            damping=float(joint.getDamping(0)),
            friction=float(joint.getStaticFriction(0)),
        )
        wanted = asked.get(name)
        if wanted is not None and wanted["kind"] == kind:
            places.add([wanted["v"]], [6 + at])
    return places


def _symmetric(limit: float) -> list[float]:
    return [-float(limit), float(limit)]


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
    poses, rows, matrices, biases, rates = [], [], [], [], []
    # the velocity of a free base is that of the root link
    forward = (
        None
        if request.is_free and base != request.root
        else _Forward(idyntree, model, base, is_free=request.is_free)
    )
    matrix, bias = idyntree.MatrixDynSize(), idyntree.FreeFloatingGeneralizedTorques(model)

    def numbers(request: Request, state: int) -> tuple[Any, Any, Any]:
        """The pose of the base, positions of joints, and velocities at a state."""
        place = root
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
            place = pose_of(rotation_of(request.q[state, 3:7]), request.q[state, :3])
        return place, s, v

    def rate(request: Request, state: int) -> Any:
        assert forward is not None
        place, s, v = numbers(request, state)
        return forward.rates(request, state, places, place, s, v[6:])[places.there]

    for state in range(len(request.q)):
        place, s, v = numbers(request, state)
        computations.setRobotState(place, s, v[:6], v[6:], gravity)
        rows.append(s)
        poses.append(
            [
                np.array(computations.getWorldTransform(name).asHomogeneousTransform().toNumPy())
                for name in answer.facts["links"]
            ]
        )
        if forward is not None:
            rates.append(rate(request, state))
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
    size = dofs + (6 if request.is_free else 0)
    answer.dynamics(places, size, rates, poses=poses, q=rows, mass_matrix=matrices, bias=biases)
    if forward is not None:
        answer.states(trajectory=request.integrated(rate, places))


class _Forward:
    """The articulated-body algorithm, which has a free base and no gravity.

    In free fall gravity only adds to the acceleration of the base. A fixed base is held by the wrench that
    leaves it at rest: its acceleration is a linear function of the wrench. Its inertia, which then has no
    effect, is another one, since it may be 0.
    """

    def __init__(self, idyntree: Any, model: Any, base: str, *, is_free: bool) -> None:
        model = idyntree.Model(model)
        self._idyntree, self._model, self._base = idyntree, model, model.getLinkIndex(base)
        if not is_free:
            turning = idyntree.RotationalInertia()
            turning.zero()
            size = max(1.0, model.getTotalMass())
            for k in range(3):
                turning.setVal(k, k, size)
            center = idyntree.Position(0.0, 0.0, 0.0)
            model.getLink(self._base).setInertia(idyntree.SpatialInertia(size, center, turning))
        self._way = idyntree.Traversal()
        model.computeFullTreeTraversal(self._way, self._base)
        self._buffers = idyntree.ArticulatedBodyAlgorithmInternalBuffers(model)
        self._position, self._velocity = idyntree.FreeFloatingPos(model), idyntree.FreeFloatingVel(model)
        self._acceleration = idyntree.FreeFloatingAcc(model)
        self._effort = idyntree.JointDOFsDoubleArray(model)
        self._contacts, self._wrenches = idyntree.LinkContactWrenches(model), idyntree.LinkWrenches(model)
        self._contacts.setNrOfContactsForLink(self._base, 1)
        self._contact = self._contacts.contactWrench(self._base, 0)
        self._contact.contactPoint.zero()

    def rates(
        self, request: Request, state: int, places: Places, root: Any, positions: Any, speeds: Any
    ) -> Any:
        """The rate of the base's velocity in its own axes, then those of joints."""
        twist, wrench = np.zeros(6), np.zeros(6)
        if request.is_free:
            twist, wrench = request.v[state, :6], request.effort[state, :6]
        effort = np.zeros(6 + len(positions))
        effort[places.there] = request.effort[state][places.here]
        for values, target in (
            (positions, self._position.jointPos),
            (twist, self._velocity.baseVel),
            (speeds, self._velocity.jointVel),
            (effort[6:], self._effort),
        ):
            for k, value in enumerate(values):
                target.setVal(k, float(value))
        fall = np.concatenate([np.asarray(root)[:3, :3].T @ np.array(request.gravity), np.zeros(3)])
        if not request.is_free:
            rest = self._solved(wrench)[:6]
            units = np.eye(6)
            gain = np.stack([self._solved(unit)[:6] - rest for unit in units], axis=1)
            # twice, so that nothing of the first error is left
            for _ in range(2):
                wrench = wrench - np.linalg.solve(gain, self._solved(wrench)[:6] + fall)
        out = self._solved(wrench)
        out[:6] += fall
        return out

    def _solved(self, wrench: Any) -> Any:
        """The accelerations under a wrench on the base, without gravity."""
        for k, value in enumerate(wrench):
            self._contact.contactWrench.setVal(k, float(value))
        self._contacts.computeNetWrenches(self._wrenches)
        self._idyntree.ArticulatedBodyAlgorithm(
            self._model,
            self._way,
            self._position,
            self._velocity,
            self._wrenches,
            self._effort,
            self._buffers,
            self._acceleration,
        )
        base = np.array(self._acceleration.baseAcc.asVector().toNumPy())
        return np.concatenate([base, np.array(self._acceleration.jointAcc.toNumPy())])


def _root_pose(computations: Any, base: str, root: str) -> Any:
    """The pose of the base where the root link is at the world's origin.

    A root link without mass is none of iDynTree's links, and one that is fixed to it is the base.
    """
    model = computations.model()
    if base == root or model.getFrameIndex(root) < 0:
        return np.eye(4)
    relative = computations.getRelativeTransform(root, base)
    return np.array(relative.asHomogeneousTransform().toNumPy())


def _shapes(model: Any, request: Request, answer: Answer) -> None:
    """The boxes of solid shapes, and their textures; meshes are names of files, which it does not read."""
    boxes = Boxes("collision", "visual")
    for role, shapes in (
        ("collision", model.collisionSolidShapes()),
        ("visual", model.visualSolidShapes()),
    ):
        by_link = shapes.getLinkSolidShapes()
        for i in range(model.getNrOfLinks()):
            for each in by_link[i]:
                _add_shape(boxes, model.getLinkName(i), role, each)
                if role == "visual" and each.isMaterialSet() and (name := each.getMaterial().texture()):
                    path = Path(request.model).parent / name.removeprefix("file://")
                    answer.texture(name, found=path.is_file())
    boxes.tell(answer)


def _add_shape(boxes: Boxes, link: str, role: str, each: Any) -> None:
    pose = each.getLink_H_geometry()
    turn, place = np.array(pose.getRotation().toNumPy()), np.array(pose.getPosition().toNumPy())
    if each.isBox():
        box = each.asBox()
        sizes = [0.5 * box.getX(), 0.5 * box.getY(), 0.5 * box.getZ()]
        boxes.add(link, role, "box", turn, place, sizes)
    elif each.isSphere():
        boxes.add(link, role, "sphere", turn, place, [each.asSphere().getRadius()])
    elif each.isCylinder():
        cylinder = each.asCylinder()
        boxes.add(link, role, "cylinder", turn, place, [cylinder.getRadius(), 0.5 * cylinder.getLength()])
    else:
        boxes.leave_out(link, role)


if __name__ == "__main__":
    main(load)
