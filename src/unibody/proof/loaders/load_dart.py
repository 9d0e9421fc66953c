"""Loads a model with DART."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import numpy as np
from boxes import Boxes

from exchange import Answer, Base, NotLoaded, Places, Request, main, pose_of, rotation_of

_KINDS = {
    "RevoluteJoint": "revolute",
    "PrismaticJoint": "prismatic",
    "BallJoint": "ball",
    "FreeJoint": "free",
}
# DART adds damping times this step to the inertia: so small that it vanishes.
_STEP = 1e-20
# Skeletons of the world's shapes have names that begin so.
_SHAPES = "__geom_skel__"


def load(request: Request) -> Answer:
    """The model in DART, with the base that is asked for."""
    import dartpy as dart

    model = _Model(_skeletons(dart, request), request)
    answer = Answer("DART", dart.__version__, passive=["damping", "stiffness"])
    if request.loads_only:
        return answer
    answer.facts["gravity"] = list(model.skeletons[0].getGravity())
    for skeleton in model.skeletons:
        skeleton.setGravity(np.array(request.gravity))
        skeleton.setTimeStep(_STEP)
    root = model.root(request)
    is_free = root is not None and type(root.getParentJoint()).__name__ == "FreeJoint"
    answer.facts["base"] = "free" if is_free else "fixed"
    if request.format == "urdf" and not request.is_free and request.root != "world":
        answer.note("its reader makes the base free")
    places = _joints(dart, model, request, answer)
    _masses(model, answer)
    _run(dart, model, request, answer, places)
    _shapes(model, request, answer)
    return answer


class _Model:
    """The skeletons of a model, one for each body of an MJCF file that is in the world, as one of them.

    ``names`` are the names of ``bodies``, ``starts`` where the degrees of freedom of each skeleton begin.
    """

    def __init__(self, skeletons: list[Any], request: Request) -> None:
        self.skeletons = skeletons
        sizes = [skeleton.getNumDofs() for skeleton in skeletons]
        self.starts = [sum(sizes[:k]) for k in range(len(sizes))]
        self.size = sum(sizes)
        self.bodies = [s.getBodyNode(i) for s in skeletons for i in range(s.getNumBodyNodes())]
        self.names = request.named_bodies([body.getName() for body in self.bodies])
        self.joints = [
            (start, s, s.getJoint(i))
            for start, s in zip(self.starts, skeletons, strict=True)
            for i in range(s.getNumJoints())
        ]

    def root(self, request: Request) -> Any:
        """The body of the root link; the first one if the engine has none of this name."""
        if request.root in self.names:
            return self.bodies[self.names.index(request.root)]
        # a link called world is none of its bodies
        return self.bodies[0] if request.format == "urdf" and request.root != "world" else None

    def is_base(self, joint: Any, request: Request) -> bool:
        """Whether a joint is that of a free base."""
        is_free = request.is_free and type(joint).__name__ == "FreeJoint"
        if not is_free or joint.getParentBodyNode() is not None:
            return False
        root = self.root(request)
        return root is not None and joint.getChildBodyNode().getName() == root.getName()

    def parts(self, values: Any) -> Any:
        """Each skeleton with its part of values of all degrees of freedom."""
        for start, skeleton in zip(self.starts, self.skeletons, strict=True):
            yield skeleton, values[start : start + skeleton.getNumDofs()]

    def matrix(self) -> Any:
        """The mass matrix of all skeletons."""
        out = np.zeros((self.size, self.size))
        for start, skeleton in zip(self.starts, self.skeletons, strict=True):
            end = start + skeleton.getNumDofs()
            out[start:end, start:end] = skeleton.getMassMatrix()
        return out

    def vector(self, name: str) -> Any:
        """What all skeletons have by a method of this name, such as accelerations."""
        return np.concatenate([np.array(getattr(s, name)()).ravel() for s in self.skeletons])


class _RootBase(Base):  # type: ignore[misc]
    """The velocity of a free joint of the root, whose coordinates are those of an exponential map."""

    def __init__(self, joint: Any) -> None:
        super().__init__(linear=False, angular=False, angular_first=True)
        self._body = joint.getChildBodyNode()
        self._skeleton = joint.getSkeleton()
        self._of = [joint.getIndexInSkeleton(k) for k in range(6)]

    def turn(self, quaternion: Any) -> Any:
        """The matrix of v in the configuration of the skeleton."""
        jacobian = np.array(self._skeleton.getJacobian(self._body))[:, self._of]
        return np.linalg.solve(jacobian, super().turn(quaternion))

    def drift(self, quaternion: Any, velocity: Any) -> Any:
        """The rate of the matrix times v, in the state of the skeleton."""
        jacobian = np.array(self._skeleton.getJacobian(self._body))[:, self._of]
        rate = np.array(self._skeleton.getJacobianSpatialDeriv(self._body))[:, self._of]
        return -np.linalg.solve(jacobian, rate @ (self.turn(quaternion) @ velocity))


def _skeletons(dart: Any, request: Request) -> list[Any]:
    uri = dart.common.Uri.createFromPath(request.model)
    if request.format == "mjcf":
        if words := _fatal(request.model):
            request.suspect(f"its reader crashes on {words}")
        world = dart.utils.MjcfParser.readWorld(uri)
        if world is None:
            raise NotLoaded
        found = [world.getSkeleton(i) for i in range(world.getNumSkeletons())]
        # shapes of the world are skeletons, too
        found = [each for each in found if not each.getName().startswith(_SHAPES)]
        if not found:
            raise ValueError("its reader finds no body in <worldbody>")
        return found
    if request.format == "sdf":
        return _of_sdf(dart, uri, request)
    loader = dart.utils.DartLoader()
    for name, folder in request.packages.items():
        loader.addPackageDirectory(name, folder)
    if not request.is_free:
        options = loader.getOptions()
        options.mDefaultRootJointType = dart.utils.DartLoaderRootJointType.FIXED
        loader.setOptions(options)
    skeleton = loader.parseSkeleton(uri)
    if skeleton is None:
        raise NotLoaded
    return [skeleton]


def _of_sdf(dart: Any, uri: Any, request: Request) -> list[Any]:
    reader = dart.utils.SdfParser
    options = reader.Options()
    # links that hang on nothing float, unless one of them is the base
    if not request.is_free and request.root != "world":
        options.mDefaultRootJointType = reader.RootJointType.FIXED
    root = ElementTree.parse(request.model).getroot()
    if root.find("world") is None:
        skeleton = reader.readSkeleton(uri, options)
        found = [] if skeleton is None else [skeleton]
    else:
        world = reader.readWorld(uri, options)
        found = [] if world is None else [world.getSkeleton(i) for i in range(world.getNumSkeletons())]
    if not found:
        raise NotLoaded
    return found


def _fatal(path: str) -> str:
    """What of an MJCF file ends the process of DART's reader; "" for nothing known."""
    try:
        root = ElementTree.parse(path).getroot()
    except (OSError, ElementTree.ParseError):
        return ""
    if any(weld.get("body2") is None for weld in root.iterfind("equality/weld")):
        return "a <weld> to the world"
    world = root.find("worldbody")
    if world is None:
        return ""
    if world.find("site") is not None:
        return "a <site> of the <worldbody>"
    kinds = {geom.get("type") for geom in world.iter("geom")} & {"hfield", "mesh"}
    return f"a geom of type {' or '.join(sorted(map(str, kinds)))} of the <worldbody>" if kinds else ""


def _joints(dart: Any, model: _Model, request: Request, answer: Answer) -> Places:
    base = next((joint for _, _, joint in model.joints if model.is_base(joint, request)), None)
    places = Places(None if base is None else _RootBase(base))
    mimic, force = dart.dynamics.ActuatorType.MIMIC, dart.dynamics.ActuatorType.FORCE
    answer.couplings()
    answer.loops()
    asked = {joint["name"]: joint for joint in request.joints}
    for start, _, joint in model.joints:
        kind, size = _KINDS.get(type(joint).__name__, type(joint).__name__), joint.getNumDofs()
        if not size:
            continue
        at = start + joint.getIndexInSkeleton(0)
        if joint.getActuatorType() == mimic:
            # servos make such joints follow: they are to move freely
            joint.setActuatorType(force)
            answer.couple(joint.getName(), *_mimicked(joint))
        if joint is base:
            places.add_base(range(at, at + 6))
            answer.facts["base_q"] = at
            continue
        name = joint.getName()
        if kind == "free":
            name = request.free_joints.get(joint.getChildBodyNode().getName(), name)
        if kind not in _KINDS.values() and name in request.order:
            # the joints of one body are one, with the name of the first of them
            first = request.order.index(name)
            names = [each for each in request.order[first : first + size] if each in asked]
            kinds = [asked[each]["kind"] for each in names]
        else:
            names, kinds = [name], [kind]
        for k, (each, own) in enumerate(zip(names, kinds, strict=True)):
            single = size == len(names)
            facts = _facts(joint, k) if single else {}
            wanted = asked.get(each)
            zero = wanted["zero"] if wanted is not None else 0.0
            answer.joint(each, kind=own, q=at + k, v=at + k, zero=zero, **facts)
            if wanted is not None and wanted["kind"] == own and single:
                places.add([wanted["v"]], [at + k])
    return places


def _mimicked(joint: Any) -> tuple[str, float, float] | tuple[()]:
    """The joint that one mimics, the ratio and the offset; () if DART does not tell them."""
    for each in joint.getGenericJointProperties().mMimicDofProps:
        if each.mReferenceJoint is not None:
            return each.mReferenceJoint.getName(), float(each.mMultiplier), float(each.mOffset)
    return ()


def _facts(joint: Any, k: int) -> dict[str, Any]:
    """Limits and passive forces of a degree of freedom of a joint."""
    low, high = float(joint.getPositionLowerLimit(k)), float(joint.getPositionUpperLimit(k))
    return {
        "position": None if np.isinf(low) and np.isinf(high) else [low, high],
        "velocity": [float(joint.getVelocityLowerLimit(k)), float(joint.getVelocityUpperLimit(k))],
        "effort": [float(joint.getForceLowerLimit(k)), float(joint.getForceUpperLimit(k))],
        "damping": float(joint.getDampingCoefficient(k)),
        "friction": float(joint.getCoulombFriction(k)),
    }


def _masses(model: _Model, answer: Answer) -> None:
    mass, com, inertia = [], [], []
    for body in model.bodies:
        own = body.getInertia()
        mass.append(own.getMass())
        com.append(np.array(own.getLocalCOM()).ravel())
        inertia.append(np.array(own.getMoment()))
    answer.facts["links"] = model.names
    answer.masses(model.names, mass, com, inertia)


def _run(dart: Any, model: _Model, request: Request, answer: Answer, places: Places) -> None:
    asked = {joint["name"]: joint for joint in request.joints}
    size = model.size
    poses, rows, matrices, biases, rates = [], [], [], [], []

    def rate(request: Request, state: int) -> Any:
        """Compute everything at a state; the acceleration."""
        q = np.zeros(size)
        if "base_q" in answer.facts:
            at, base = answer.facts["base_q"], request.q[state, :7]
            joint = model.root(request).getParentJoint()
            q[at : at + 6] = dart.dynamics.FreeJoint.convertToPositions(
                _isometry(dart, _inner(joint, pose_of(rotation_of(base[3:7]), base[:3])))
            )
        for joint in answer.facts["joints"]:
            wanted = asked.get(joint["name"])
            if wanted is None or wanted["kind"] != joint["kind"]:
                continue
            here, there = wanted["q"], joint["q"]
            if joint["kind"] in ("revolute", "prismatic"):
                q[there] = joint["zero"] + request.q[state, here]
            elif joint["kind"] == "ball":
                turn = rotation_of(request.q[state, here : here + 4])
                q[there : there + 3] = dart.dynamics.BallJoint.convertToPositions(turn)
        for skeleton, part in model.parts(q):
            skeleton.setPositions(part)
        for skeleton, part in model.parts(places.velocity(request, state, size)):
            skeleton.setVelocities(part)
        for skeleton, part in model.parts(places.effort(request, state, size)):
            skeleton.setForces(part)
        for skeleton in model.skeletons:
            skeleton.computeForwardDynamics()
        return places.acceleration(request, state, model.vector("getAccelerations"))

    for state in range(len(request.q)):
        rates.append(rate(request, state))
        rows.append(model.vector("getPositions"))
        poses.append([_pose(body.getWorldTransform()) for body in model.bodies])
        matrix = model.matrix()
        matrices.append(places.matrix(request, state, matrix))
        bias = model.vector("getCoriolisAndGravityForces")
        biases.append(places.bias(request, state, matrix, bias))
    answer.dynamics(places, size, rates, poses=poses, q=rows, mass_matrix=matrices, bias=biases)
    answer.states(trajectory=request.integrated(rate, places))


def _inner(joint: Any, pose: Any) -> Any:
    """The pose of a joint at which its body has this pose in the world."""
    before = _pose(joint.getTransformFromParentBodyNode())
    after = _pose(joint.getTransformFromChildBodyNode())
    return np.linalg.solve(before, pose @ after)


def _isometry(dart: Any, pose: Any) -> Any:
    out = dart.math.Isometry3()
    out.set_rotation(pose[:3, :3])
    out.set_translation(pose[:3, 3])
    return out


def _pose(isometry: Any) -> Any:
    return pose_of(np.array(isometry.rotation()), np.array(isometry.translation()).ravel())


def _shapes(model: _Model, request: Request, answer: Answer) -> None:
    """The boxes of shape nodes; of meshes DART tells that in the axes of the mesh."""
    boxes = Boxes("collision", "visual")
    answer.facts["mesh_boxes"] = "own"
    for name, body in zip(model.names, model.bodies, strict=True):
        for i in range(body.getNumShapeNodes()):
            node = body.getShapeNode(i)
            if request.format == "mjcf" and node.getName().startswith("site:"):
                _add_shape(boxes, name, "site", node)
                continue
            for role, has in (("collision", node.hasCollisionAspect()), ("visual", node.hasVisualAspect())):
                if has:
                    _add_shape(boxes, name, role, node)
    boxes.tell(answer)


def _add_shape(boxes: Boxes, link: str, role: str, node: Any) -> None:
    shape, pose = node.getShape(), node.getRelativeTransform()
    turn, place = np.array(pose.rotation()), np.array(pose.translation()).ravel()
    kind = type(shape).__name__
    if kind == "PlaneShape":
        return
    if shape is None:  # a mesh that it does not find
        boxes.leave_out(link, role)
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
