"""Loads a model with DART."""

from __future__ import annotations

from typing import Any

import numpy as np

from exchange import Answer, Base, NotLoaded, Places, Request, main, pose_of, rotation_of

_KINDS = {
    "RevoluteJoint": "revolute",
    "PrismaticJoint": "prismatic",
    "BallJoint": "ball",
    "FreeJoint": "free",
}
# DART adds damping times this step to the inertia: so small that it vanishes.
_STEP = 1e-18


def load(request: Request) -> Answer:
    """The model in DART, with the base that is asked for."""
    import dartpy as dart

    skeleton = _skeleton(dart, request)
    if skeleton is None:
        raise NotLoaded
    answer = Answer("DART", dart.__version__, passive=["damping", "stiffness"])
    if request.loads_only:
        return answer
    answer.facts["gravity"] = list(skeleton.getGravity())
    skeleton.setGravity(np.array(request.gravity))
    skeleton.setTimeStep(_STEP)
    is_free = type(skeleton.getRootJoint()).__name__ == "FreeJoint"
    answer.facts["base"] = "free" if is_free else "fixed"
    if request.format == "urdf" and not request.is_free and request.root != "world":
        answer.note("its reader makes the base free")
    places = _joints(dart, skeleton, request, answer)
    bodies = _bodies(skeleton, answer)
    _run(dart, skeleton, request, answer, places, bodies)
    return answer


class _RootBase(Base):  # type: ignore[misc]
    """The velocity of a free joint of the root, whose coordinates are those of an exponential map."""

    def __init__(self, skeleton: Any) -> None:
        super().__init__(linear=False, angular=False, angular_first=True)
        self._skeleton, self._body = skeleton, skeleton.getRootBodyNode()
        self._of = [skeleton.getRootJoint().getIndexInSkeleton(k) for k in range(6)]

    def turn(self, quaternion: Any) -> Any:
        """The matrix of v in the configuration of the skeleton."""
        jacobian = np.array(self._skeleton.getJacobian(self._body))[:, self._of]
        return np.linalg.solve(jacobian, super().turn(quaternion))

    def drift(self, quaternion: Any, velocity: Any) -> Any:
        """The rate of the matrix times v, in the state of the skeleton."""
        jacobian = np.array(self._skeleton.getJacobian(self._body))[:, self._of]
        rate = np.array(self._skeleton.getJacobianSpatialDeriv(self._body))[:, self._of]
        return -np.linalg.solve(jacobian, rate @ (self.turn(quaternion) @ velocity))


def _skeleton(dart: Any, request: Request) -> Any:
    uri = dart.common.Uri.createFromPath(request.model)
    if request.format == "mjcf":
        world = dart.utils.MjcfParser.readWorld(uri)
        return None if world is None or not world.getNumSkeletons() else world.getSkeleton(0)
    loader = dart.utils.DartLoader()
    for name, folder in request.packages.items():
        loader.addPackageDirectory(name, folder)
    if not request.is_free:
        options = loader.getOptions()
        options.mDefaultRootJointType = dart.utils.DartLoaderRootJointType.FIXED
        loader.setOptions(options)
    return loader.parseSkeleton(uri)


def _joints(dart: Any, skeleton: Any, request: Request, answer: Answer) -> Places:
    places = Places(_RootBase(skeleton) if request.is_free else None)
    mimic, force = dart.dynamics.ActuatorType.MIMIC, dart.dynamics.ActuatorType.FORCE
    answer.facts["couplings"] = 0
    asked = {joint["name"]: joint for joint in request.joints}
    for i in range(skeleton.getNumJoints()):
        joint = skeleton.getJoint(i)
        kind, size = _KINDS.get(type(joint).__name__, type(joint).__name__), joint.getNumDofs()
        if not size:
            continue
        at = joint.getIndexInSkeleton(0)
        if joint.getActuatorType() == mimic:
            # servos make such joints follow: they are to move freely
            joint.setActuatorType(force)
            answer.facts["couplings"] += 1
        if kind == "free" and joint.getParentBodyNode() is None and request.is_free:
            places.add_base(range(at, at + 6))
            answer.facts["base_q"] = at
            continue
        facts: dict[str, Any] = {}
        if size == 1:
            low, high = float(joint.getPositionLowerLimit(0)), float(joint.getPositionUpperLimit(0))
            facts = {
                "position": None if np.isinf(low) and np.isinf(high) else [low, high],
                "effort": [float(joint.getForceLowerLimit(0)), float(joint.getForceUpperLimit(0))],
                "damping": float(joint.getDampingCoefficient(0)),
                "friction": float(joint.getCoulombFriction(0)),
            }
        name = joint.getName()
        answer.joint(name, kind=kind, q=at, v=at, zero=0.0, **facts)
        wanted = asked.get(name)
        if wanted is not None and wanted["kind"] == kind and size == 1:
            places.add([wanted["v"]], [at])
    return places


def _bodies(skeleton: Any, answer: Answer) -> list[Any]:
    bodies = [skeleton.getBodyNode(i) for i in range(skeleton.getNumBodyNodes())]
    names, mass, com, inertia = [], [], [], []
    for body in bodies:
        own = body.getInertia()
        names.append(body.getName())
        mass.append(own.getMass())
        com.append(np.array(own.getLocalCOM()).ravel())
        inertia.append(np.array(own.getMoment()))
    answer.facts["links"] = names
    answer.masses(names, mass, com, inertia)
    return bodies


def _run(
    dart: Any, skeleton: Any, request: Request, answer: Answer, places: Places, bodies: list[Any]
) -> None:
    asked = {joint["name"]: joint for joint in request.joints}
    size = skeleton.getNumDofs()
    poses, rows, matrices, biases, rates = [], [], [], [], []
    for state in range(len(request.q)):
        q = np.zeros(size)
        if "base_q" in answer.facts:
            at, base = answer.facts["base_q"], request.q[state, :7]
            isometry = dart.math.Isometry3()
            isometry.set_rotation(rotation_of(base[3:7]))
            isometry.set_translation(base[:3])
            q[at : at + 6] = dart.dynamics.FreeJoint.convertToPositions(isometry)
        for joint in answer.facts["joints"]:
            wanted = asked.get(joint["name"])
            if wanted is not None and wanted["kind"] == joint["kind"] in ("revolute", "prismatic"):
                q[joint["q"]] = request.q[state, wanted["q"]]
        skeleton.setPositions(q)
        rows.append(q)
        skeleton.setVelocities(places.velocity(request, state, size))
        skeleton.setForces(places.effort(request, state, size))
        poses.append([_pose(body.getWorldTransform()) for body in bodies])
        matrix = np.array(skeleton.getMassMatrix())
        matrices.append(places.matrix(request, state, matrix))
        bias = np.array(skeleton.getCoriolisAndGravityForces())
        biases.append(places.bias(request, state, matrix, bias))
        skeleton.computeForwardDynamics()
        rates.append(places.acceleration(request, state, np.array(skeleton.getAccelerations())))
    answer.dynamics(places, size, rates, poses=poses, q=rows, mass_matrix=matrices, bias=biases)


def _pose(isometry: Any) -> Any:
    return pose_of(np.array(isometry.rotation()), np.array(isometry.translation()).ravel())


if __name__ == "__main__":
    main(load)
