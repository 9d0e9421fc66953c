"""Loads a model with DART."""

from __future__ import annotations

from typing import Any

import numpy as np
from boxes import Boxes

from exchange import Answer, Base, Places, Request, main, pose_of, rotation_of

_KINDS = {
    "RevoluteJoint": "revolute",
    "PrismaticJoint": "prismatic",
    "BallJoint": "ball",
    "FreeJoint": "free",
}
# DART adds damping times this step to the inertia: so small that it vanishes.
_STEP = 1e-12


def load(request: Request) -> Answer:
    """The model in DART, with the base that is asked for."""
    import dartpy as dart

    skeleton = _skeleton(dart, request)
    if skeleton is None:
        raise ValueError("DART cannot load the model")
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
    _shapes(bodies, answer)
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
    answer.couplings()
    answer.loops()
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
            answer.couple(joint.getName(), *_mimicked(joint))
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


def _mimicked(joint: Any) -> tuple[str, float, float] | tuple[()]:
    """The joint that one mimics, the ratio and the offset; () if DART does not tell them."""
    for each in joint.getGenericJointProperties().mMimicDofProps:
        if each.mReferenceJoint is not None:
            return each.mReferenceJoint.getName(), float(each.mMultiplier), float(each.mOffset)
    return ()


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

    def rate(request: Request, state: int) -> Any:
        """Compute everything at a state; the acceleration."""
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
        skeleton.setVelocities(places.velocity(request, state, size))
        skeleton.setForces(places.effort(request, state, size))
        skeleton.computeForwardDynamics()
        return places.acceleration(request, state, np.array(skeleton.getAccelerations()))

    for state in range(len(request.q)):
        rates.append(rate(request, state))
        rows.append(np.array(skeleton.getPositions()))
        poses.append([_pose(body.getWorldTransform()) for body in bodies])
        matrix = np.array(skeleton.getMassMatrix())
        matrices.append(places.matrix(request, state, matrix))
        bias = np.array(skeleton.getCoriolisAndGravityForces())
        biases.append(places.bias(request, state, matrix, bias))
    answer.dynamics(places, size, rates, poses=poses, q=rows, mass_matrix=matrices, bias=biases)
    answer.states(trajectory=request.integrated(rate, places))


def _pose(isometry: Any) -> Any:
    return pose_of(np.array(isometry.rotation()), np.array(isometry.translation()).ravel())


def _shapes(bodies: list[Any], answer: Answer) -> None:
    """The boxes of shape nodes; of meshes DART tells that in the axes of the mesh."""
    boxes = Boxes("collision", "visual")
    answer.facts["mesh_boxes"] = "own"
    for body in bodies:
        for i in range(body.getNumShapeNodes()):
            node = body.getShapeNode(i)
            for role, has in (("collision", node.hasCollisionAspect()), ("visual", node.hasVisualAspect())):
                if has:
                    _add_shape(boxes, body.getName(), role, node)
    boxes.tell(answer)


def _add_shape(boxes: Boxes, link: str, role: str, node: Any) -> None:
    shape, pose = node.getShape(), node.getRelativeTransform()
    turn, place = np.array(pose.rotation()), np.array(pose.translation()).ravel()
    kind = type(shape).__name__
    if kind == "PlaneShape":
        return
    if kind == "SphereShape":
        boxes.add(link, role, "sphere", turn, place, [shape.getRadius()])
    elif kind in ("CylinderShape", "CapsuleShape"):
        sizes = [shape.getRadius(), 0.5 * shape.getHeight()]
        boxes.add(link, role, kind.removesuffix("Shape").lower(), turn, place, sizes)
    elif kind == "EllipsoidShape":
        boxes.add(link, role, "ellipsoid", turn, place, [float(x) for x in shape.getRadii()])
    else:
        own = shape.getBoundingBox()
        low, high = np.array(own.getMin()).ravel(), np.array(own.getMax()).ravel()
        if kind in ("BoxShape", "MeshShape") and (high >= low).all():
            middle = place + turn @ (0.5 * (low + high))
            boxes.add(link, role, "box", turn, middle, (0.5 * (high - low)).tolist())
        else:
            boxes.leave_out(link, role)


if __name__ == "__main__":
    main(load)
