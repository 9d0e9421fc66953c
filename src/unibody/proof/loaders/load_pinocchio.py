"""Loads a model with Pinocchio."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
from boxes import Boxes

from exchange import Answer, Base, NotLoaded, Places, Request, main

# No limit is the largest number, or infinity.
_ENDLESS = 1e300


def load(request: Request) -> Answer:
    """The model in Pinocchio, as its default reader makes it, with the base that is asked for."""
    import pinocchio

    answer = Answer("Pinocchio", pinocchio.__version__)
    if request.format == "mjcf":
        model = _from_mjcf(pinocchio, request.model)
    else:
        model = _of_urdf(pinocchio, request)
    if request.loads_only:
        return answer
    if request.format == "urdf":
        _mimics(pinocchio, request, answer)
    answer.facts["base"] = "fixed"
    answer.couplings()
    answer.facts["gravity"] = list(model.gravity.linear)
    model.gravity.linear = np.array(request.gravity)
    places = _joints(pinocchio, model, request, answer)
    frames = _links(pinocchio, model, request, answer)
    _run(pinocchio, model, request, answer, places, frames)
    _loops(pinocchio, model, request, answer)
    _shapes(pinocchio, model, request, answer)
    return answer


def _of_urdf(pinocchio: Any, request: Request) -> Any:
    root = [pinocchio.JointModelFreeFlyer()] if request.is_free else []
    try:
        return pinocchio.buildModelFromUrdf(request.model, *root)
    except ValueError as error:
        if "does not contain a valid URDF model" in str(error):
            raise NotLoaded from error
        raise


def _from_mjcf(pinocchio: Any, path: str) -> Any:
    """The model of an MJCF file; what its reader says is told without places of its own source."""
    try:
        model = pinocchio.buildModelFromMJCF(path)
    except (RuntimeError, ValueError) as error:
        words = str(error).split("message:")[-1].strip()
        if "No such node (body)" in words:
            words = f"its reader needs a <body> directly in <worldbody>: {words}"
        raise type(error)(words) from None
    return model[0] if isinstance(model, tuple) else model


def _mimics(pinocchio: Any, request: Request, answer: Answer) -> None:
    """The mimicking joints, which its reader makes only if asked."""
    try:
        model = pinocchio.buildModelFromUrdf(request.model, mimic=True)
    except Exception as error:
        answer.note(f"its reader rejects the model with mimic=True: {str(error).strip()[-120:]}")
        return
    own = {joint.idx_q: model.names[i] for i, joint in enumerate(model.joints) if joint.nq}
    for name, joint in zip(model.names, model.joints, strict=True):
        if "Mimic" in joint.shortname():
            mimic = joint.extract()
            numbers = float(mimic.scaling), float(mimic.offset)
            answer.couple(name, own[mimic.idx_q], *numbers, option="mimic=True")


def _kind(joint: Any) -> str:
    name = joint.shortname()
    if "FreeFlyer" in name:
        return "free"
    if "Spherical" in name:
        return "ball"
    if "Planar" in name:
        return "planar"
    if "Revolute" in name or name.startswith(("JointModelR",)):
        return "revolute"
    return "prismatic" if name.startswith("JointModelP") else name


def _joints(pinocchio: Any, model: Any, request: Request, answer: Answer) -> Places:
    places = Places(Base(linear=False, angular=False) if request.is_free else None)
    asked = {joint["name"]: joint for joint in request.joints}
    bodies = _bodies(pinocchio, model, request)
    for i in range(1, model.njoints):
        joint, name = model.joints[i], model.names[i]
        kind, q, v = _kind(joint), joint.idx_q, joint.idx_v
        if kind == "free" and request.is_free and model.parents[i] == 0:
            places.add_base(range(v, v + 6))
            answer.facts["base_q"] = q
            answer.facts["base"] = "free"
            continue
        if kind == "free":
            name = request.free_joints.get(bodies.get(i, ""), name)
        if "Composite" in joint.shortname():
            _composite(joint, name, request, answer, places)
            continue
        single = joint.nv == 1
        wanted = asked.get(name)
        answer.joint(
            name,
            kind=kind,
            q=q,
            v=v,
            zero=wanted["zero"] if wanted is not None else 0.0,
            position=_finite(model, q) if single and joint.nq == 1 else None,
            turns=joint.nq == 2 and single,
            velocity=_speeds(model, v),
            effort=[float(model.lowerEffortLimit[v]), float(model.upperEffortLimit[v])],
            armature=float(model.armature[v]),
            damping=float(model.damping[v]),
            friction=float(model.upperDryFrictionLimit[v]),
        )
        if wanted is not None and wanted["kind"] == kind:
            places.add(range(wanted["v"], wanted["v"] + joint.nv), range(v, v + joint.nv))
    if any(_is_above(model, v) for v in range(model.nv)):
        answer.note("its lower velocity limits are the upper ones; compared as if negated", dynamics=True)
    return places


def _composite(joint: Any, name: str, request: Request, answer: Answer, places: Places) -> None:
    """The joints of one body, which are one joint with the name of the first of them."""
    first = name.removeprefix("Composite_")
    at = request.order.index(first) if first in request.order else len(request.order)
    asked = {each["name"]: each for each in request.joints}
    names = request.order[at : at + joint.nv]
    if joint.nq != joint.nv or len(names) < joint.nv or not all(each in asked for each in names):
        answer.joint(name, kind="composite", q=joint.idx_q, v=joint.idx_v)
        return
    for k, each in enumerate(names):
        wanted = asked[each]
        q, v = joint.idx_q + k, joint.idx_v + k
        answer.joint(each, kind=wanted["kind"], q=q, v=v, zero=wanted["zero"], turns=False)
        places.add([wanted["v"]], [v])


def _finite(model: Any, q: int) -> list[float] | None:
    low, high = float(model.lowerPositionLimit[q]), float(model.upperPositionLimit[q])
    return None if low <= -_ENDLESS and high >= _ENDLESS else [low, high]


def _is_above(model: Any, v: int) -> bool:
    """Whether the lower limit of a velocity is the upper one, above 0, as its readers make it."""
    high = float(model.upperVelocityLimit[v])
    return 0.0 < high < _ENDLESS and float(model.lowerVelocityLimit[v]) == high


def _speeds(model: Any, v: int) -> list[float]:
    low, high = float(model.lowerVelocityLimit[v]), float(model.upperVelocityLimit[v])
    low = -high if low == high else low
    return [low if low > -_ENDLESS else -np.inf, high if high < _ENDLESS else np.inf]


def _frames(pinocchio: Any, model: Any, request: Request) -> tuple[list[int], list[str]]:
    """The frames of bodies, and the names of these."""
    frames = [i for i, frame in enumerate(model.frames) if frame.type == pinocchio.FrameType.BODY]
    return frames, request.named_bodies([model.frames[i].name for i in frames])


def _bodies(pinocchio: Any, model: Any, request: Request) -> dict[int, str]:
    """The body that each joint moves, by the number of the joint."""
    found: dict[int, str] = {}
    for i, name in zip(*_frames(pinocchio, model, request), strict=True):
        found.setdefault(model.frames[i].parentJoint, name)
    return found


def _links(pinocchio: Any, model: Any, request: Request, answer: Answer) -> list[int]:
    """The frames of links; the inertia of a joint is that of the link that it moves and all fixed to it."""
    frames, names = _frames(pinocchio, model, request)
    answer.facts["links"] = names
    bodies: dict[int, tuple[str, Any]] = {}
    for i, name in zip(frames, names, strict=True):
        frame = model.frames[i]
        if frame.parentJoint and frame.placement.isIdentity(1e-15):
            bodies.setdefault(frame.parentJoint, (name, frame.placement))
    for i, name in zip(frames, names, strict=True):
        # the joint of a body of MJCF may be elsewhere in it
        frame = model.frames[i]
        if frame.parentJoint:
            bodies.setdefault(frame.parentJoint, (name, frame.placement))
    inertias = [placement.actInv(model.inertias[i]) for i, (_, placement) in bodies.items()]
    answer.masses(
        [name for name, _ in bodies.values()],
        [each.mass for each in inertias],
        [each.lever for each in inertias],
        [each.inertia for each in inertias],
    )
    return frames


def _run(
    pinocchio: Any,
    model: Any,
    request: Request,
    answer: Answer,
    places: Places,
    frames: list[int],
) -> None:
    try:
        data = model.createData()
    except MemoryError:
        words = f"its data of {model.nv} degrees of freedom, with tensors of their cube, exceed the limit"
        raise MemoryError(words) from None
    rest = {each.key(): each.data() for each in model.referenceConfigurations}.get("qpos0")
    asked = {joint["name"]: joint for joint in request.joints}
    poses, rows, matrices, biases, rates = [], [], [], [], []

    def numbers(request: Request, state: int) -> tuple[Any, Any, Any]:
        """Positions, velocities and forces of the engine at a state."""
        q = pinocchio.neutral(model) if rest is None else rest.copy()
        if "base_q" in answer.facts:
            q[0:3] = request.q[state, 0:3]
            q[3:7] = request.q[state, [4, 5, 6, 3]]
        for joint in answer.facts["joints"]:
            wanted = asked.get(joint["name"])
            if wanted is None or wanted["kind"] != joint["kind"]:
                continue
            here, there = wanted["q"], joint["q"]
            if joint["kind"] == "ball":
                q[there : there + 4] = request.q[state, [here + 1, here + 2, here + 3, here]]
            elif joint["turns"]:
                angle = joint["zero"] + request.q[state, here]
                q[there : there + 2] = np.cos(angle), np.sin(angle)
            elif joint["kind"] in ("revolute", "prismatic"):
                q[there] = joint["zero"] + request.q[state, here]
        v = places.velocity(request, state, model.nv)
        effort = places.effort(request, state, model.nv)
        return q, v, effort

    def rate(request: Request, state: int) -> Any:
        # accelerations that are not determined stay in its data
        data.ddq = np.zeros(model.nv)
        found = np.array(pinocchio.aba(model, data, *numbers(request, state)))
        return places.acceleration(request, state, found)

    for state in range(len(request.q)):
        q, v, _ = numbers(request, state)
        pinocchio.forwardKinematics(model, data, q)
        rows.append(q)
        pinocchio.updateFramePlacements(model, data)
        poses.append([np.array(data.oMf[i].homogeneous) for i in frames])
        matrix = np.array(pinocchio.crba(model, data, q))
        matrix = np.triu(matrix) + np.triu(matrix, 1).T
        matrices.append(places.matrix(request, state, matrix))
        bias = np.array(pinocchio.nonLinearEffects(model, data, q, v))
        biases.append(places.bias(request, state, matrix, bias))
        rates.append(rate(request, state))
    answer.dynamics(places, model.nv, rates, poses=poses, q=rows, mass_matrix=matrices, bias=biases)
    answer.states(trajectory=request.integrated(rate, places))


def _loops(pinocchio: Any, model: Any, request: Request, answer: Answer) -> None:
    """Connects and welds of MJCF, which another function of its reader makes, and their residuals."""
    answer.loops()
    if request.format != "mjcf":
        return
    if lost := _lost_sites(model, request.model):
        # its reader takes what is in memory behind its frames, which may end the process
        answer.note(f"its reader of constraints lacks site {lost[0]}, which another one is taken for")
        return
    try:
        _, points, frames = pinocchio.buildModelAndConstraintsFromMJCF(request.model)
    except Exception as error:
        answer.note(f"its reader of constraints fails: {' '.join(str(error).split())[-160:]}")
        return
    bodies: dict[int, Any] = {}
    for frame in model.frames:
        if frame.type == pinocchio.FrameType.BODY:
            bodies.setdefault(frame.parentJoint, frame)
    constraints = [*points, *frames]
    held = len(points) * [False] + len(frames) * [True]
    if not constraints or any(
        joint not in bodies for each in constraints for joint in (each.joint1_id, each.joint2_id)
    ):
        return
    for each in constraints:
        first, second = bodies[each.joint1_id], bodies[each.joint2_id]
        point = (first.placement.inverse() * each.joint1_placement).translation
        answer.close(each.name, first.name, second.name, point)
    data = model.createData()
    states = [each.createData() for each in constraints]
    gaps, turns = [], []
    for q in answer.arrays["q"]:
        pinocchio.computeJointJacobians(model, data, q)
        errors = []
        for each, state, holds_frame in zip(constraints, states, held, strict=True):
            each.calc(model, data, state)
            relative = state.c1Mc2
            turn = np.linalg.norm(pinocchio.log3(relative.rotation)) if holds_frame else np.nan
            errors.append((np.linalg.norm(relative.translation), turn))
        gaps.append([gap for gap, _ in errors])
        turns.append([turn for _, turn in errors])
    answer.states(loop_gaps=gaps, loop_turns=turns)


def _lost_sites(model: Any, path: str) -> list[str]:
    """The sites of loops that the model does not have, such as those of bodies that are not read."""
    try:
        root = ElementTree.parse(path).getroot()
    except (OSError, ElementTree.ParseError):
        return []
    loops = [each for name in ("connect", "weld") for each in root.iterfind(f"equality/{name}")]
    sites = [each.get(key, "") for each in loops for key in ("site1", "site2")]
    return [name for name in sites if name and not model.existFrame(name)]


def _shapes(pinocchio: Any, model: Any, request: Request, answer: Answer) -> None:
    """The boxes of its geometry models, and the textures of visual shapes."""
    kinds = {"collision": pinocchio.GeometryType.COLLISION, "visual": pinocchio.GeometryType.VISUAL}
    boxes = Boxes(*kinds)
    places = [request.model, *request.packages.values()]
    folders = [str(Path(place).parent) for place in places]
    for role, kind in kinds.items():
        try:
            if request.format == "mjcf":
                found = pinocchio.buildGeomFromMJCF(model, request.model, kind)
            else:
                found = pinocchio.buildGeomFromUrdf(model, request.model, kind, package_dirs=folders)
        except Exception as error:
            answer.note(f"its reader of {role} shapes fails: {' '.join(str(error).split())[-160:]}")
            boxes.roles.remove(role)
            continue
        for each in found.geometryObjects:
            _add_shape(boxes, model, role, each)
            if role == "visual" and each.meshTexturePath:
                answer.texture(each.meshTexturePath, found=Path(each.meshTexturePath).is_file())
    boxes.tell(answer)


def _add_shape(boxes: Boxes, model: Any, role: str, each: Any) -> None:
    """Add a shape, whose placement is in the frame of a joint."""
    frame = model.frames[each.parentFrame]
    placed = frame.placement.inverse() * each.placement
    turn, place = np.array(placed.rotation), np.array(placed.translation)
    shape, kind = each.geometry, type(each.geometry).__name__
    sizes: list[float] = []
    if kind == "Box":
        sizes = [float(x) for x in shape.halfSide]
    elif kind in ("Cylinder", "Capsule"):
        sizes = [float(shape.radius), float(shape.halfLength)]
    elif kind == "Sphere":
        sizes = [float(shape.radius)]
    elif kind == "Ellipsoid":
        sizes = [float(x) for x in shape.radii]
    elif kind in ("Plane", "Halfspace"):
        return
    elif hasattr(shape, "vertices"):
        boxes.add_points(frame.name, role, np.array(shape.vertices()), turn, place)
        return
    boxes.add(frame.name, role, kind.lower() if sizes else "", turn, place, sizes)


if __name__ == "__main__":
    main(load)
