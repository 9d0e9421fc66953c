"""Compare a Robot with what Choreonoid's own loader made of the same file."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

import unibody as ub
from unibody.model.device import Camera, Device, Gyro, Imu, Opaque, RangeSensor, SpotLight
from unibody.model.pose import Pose
from unibody.model.robot import Joint, Robot

UNLIMITED = 1.7976931348623157e308
TOLERANCE = 1e-6
KINDS = {"pseudo_continuous_track": "track"}


def number(value: Any) -> float:
    """A dumped number; the largest double means no limit."""
    out = float(value)
    return math.copysign(math.inf, out) if abs(out) >= UNLIMITED else out


def close(a: Any, b: Any, scale: float = 0.0) -> bool:
    x, y = np.asarray(a, float).reshape(-1), np.asarray(b, float).reshape(-1)
    if x.shape != y.shape:
        return False
    return all(
        p == q
        # no finite number is close to infinity, though any tolerance that grows with it would say so
        or (math.isfinite(p - q) and abs(p - q) <= TOLERANCE * max(1e-3, abs(p), abs(q), scale))
        for p, q in zip(x.tolist(), y.tolist(), strict=True)
    )


def matrix(pose: Pose) -> NDArray[np.float64]:
    return np.array(pose.matrix())


def dumped(pose: dict[str, Any]) -> NDArray[np.float64]:
    out = np.eye(4)
    out[:3, :3] = np.array(pose["R"], float).reshape(3, 3)
    out[:3, 3] = pose["p"]
    return out


def compare(robot: Robot, truth: dict[str, Any]) -> Iterator[str]:
    """Everything that differs, one line each."""
    if robot.name != truth["model_name"] and truth["model_name"]:
        yield f"name {robot.name!r} != {truth['model_name']!r}"
    links = {link["name"]: link for link in truth["links"]}
    ours = {link.name for link in robot.links}
    if ours != set(links) and "" not in links:
        yield f"links only here {sorted(ours - set(links))}, only there {sorted(set(links) - ours)}"
    joints = {j.child: j for j in robot.joints}
    for name, link in links.items():
        if name in ours:
            yield from _link(robot, joints.get(name), link)
    yield from _devices(robot, truth)
    yield from _loops(robot, truth)
    yield from _self_collision(robot, truth)
    if not list(_lengths(truth)):
        yield from _poses(robot, truth)


def _lengths(truth: dict[str, Any]) -> Iterator[str]:
    """Joints whose axis is no unit vector: Choreonoid moves them by that much more."""
    for link in truth["links"]:
        if link["joint_type"] in ("revolute", "prismatic") and abs(math.hypot(*link["a"]) - 1) > 1e-6:
            yield link["name"]


def _link(robot: Robot, joint: Joint | None, link: dict[str, Any]) -> Iterator[str]:
    name = link["name"]
    inertial = robot.link(name).inertial
    mass = inertial.mass if inertial else 0.0
    if not close(mass, link["m"]):
        yield f"{name}: mass {mass} != {link['m']}"
    com = inertial.com if inertial else (0.0, 0.0, 0.0)
    if not close(com, link["c"], 1e-6):
        yield f"{name}: com {com} != {link['c']}"
    tensor = inertial.inertia if inertial else np.zeros((3, 3))
    truth_tensor = np.array(link["I"], float)
    if not close(tensor, truth_tensor, float(np.abs(truth_tensor).max())):
        yield f"{name}: inertia {tensor} != {link['I']}"
    pose = robot.pose if joint is None else joint.origin
    if not close(matrix(pose), dumped(link["Tb"])):
        yield f"{name}: pose {pose} != {link['Tb']}"
    if joint is None:
        if link["parent"] is not None:
            yield f"{name}: no joint here, parent {link['parent']} there"
        # the dynamics move only a free root
        fixed = link["joint_type"] != "free"
        if (robot.base == "fixed") != fixed:
            yield f"{name}: base {robot.base} != {link['joint_type']}"
        return
    yield from _joint(joint, link)


def _joint(joint: Joint, link: dict[str, Any]) -> Iterator[str]:
    name = link["name"]
    if joint.parent != link["parent"]:
        yield f"{name}: parent {joint.parent} != {link['parent']}"
    if joint.name != link["joint_name"]:
        yield f"{name}: joint name {joint.name} != {link['joint_name']}"
    kind = KINDS.get(link["joint_type"], link["joint_type"])
    if joint.kind != kind:
        yield f"{name}: kind {joint.kind} != {kind}"
    axis = np.array(link["a"], float)
    length = np.linalg.norm(axis)
    if kind not in ("fixed", "free") and not close(joint.axis, axis / (length or 1.0)):
        yield f"{name}: axis {joint.axis} != {link['a']}"
    if (joint.number if joint.number is not None else -1) != link["joint_id"]:
        yield f"{name}: number {joint.number} != {link['joint_id']}"
    if kind in ("fixed", "free"):
        return
    if not close(joint.initial, link["q_initial"]):
        yield f"{name}: initial {joint.initial} != {link['q_initial']}"
    for word, key in (("position", "q"), ("velocity", "dq"), ("effort", "u")):
        here = getattr(joint.limits, word)
        there = (number(link[f"{key}_lower"]), number(link[f"{key}_upper"]))
        if not all(a == b or close(a, b) for a, b in zip(here, there, strict=True)):
            yield f"{name}: {word} limits {here} != {there}"
    if not close(joint.actuator.reflected_inertia, link["Jm2"]):
        yield f"{name}: Jm2 {joint.actuator.reflected_inertia} != {link['Jm2']}"


# --- devices --------------------------------------------------------------------------

_SPECS = {
    "AccelerationSensor": "Accelerometer",
    "RateGyroSensor": "Gyro",
    "Imu": "Imu",
    "ForceSensor": "ForceTorque",
    "Camera": "Camera",
    "RangeCamera": "Camera",
    "RangeSensor": "RangeSensor",
    "SpotLight": "SpotLight",
    "PointLight": "PointLight",
}


def _devices(robot: Robot, truth: dict[str, Any]) -> Iterator[str]:
    left = list(robot.devices)
    for there in truth["devices"]:
        found = next((x for x in left if _matches(x, there)), None)
        if found is None:
            yield f"device {there['type']} {there['name']!r} on {there['link']} is missing"
            continue
        left.remove(found)
        yield from _device(found, there)
    # Choreonoid drops optional devices whose plug-in is absent, and cameras without format
    extra = [x for x in left if not isinstance(x.spec, Opaque)]
    for x in extra:
        yield f"device {x.name!r} on {x.link} exists only here"


def _matches(x: Device, there: dict[str, Any]) -> bool:
    if x.link != there["link"]:
        return False
    named = x.name == there["name"] or not there["name"] or x.name.startswith(f"{there['name']}_")
    kind = type(x.spec).__name__
    wanted = _SPECS.get(there["type"], "Opaque")
    if isinstance(x.spec, Opaque) and not there["name"]:
        # several nameless devices may hang on one link
        named = x.spec.kind.removesuffix("Device") == there["type"].removesuffix("IoDevice").removesuffix(
            "Device"
        ) or (x.spec.kind, there["type"]) == ("DigitalIO", "DigitalIoDevice")
    return named and kind == wanted


def _device(x: Device, there: dict[str, Any]) -> Iterator[str]:
    label = f"device {x.name!r}"
    pose = dumped(there["T_local"])
    if "R_optical" in there:
        turn = np.eye(4)
        turn[:3, :3] = np.array(there["R_optical"], float).reshape(3, 3)
        pose = pose @ turn
    scaled = abs(np.linalg.det(pose[:3, :3]) - 1.0) > 1e-6
    if not close(matrix(x.pose)[:3, 3], pose[:3, 3]) or (not scaled and not close(matrix(x.pose), pose)):
        yield f"{label}: pose {matrix(x.pose).tolist()} != {pose.tolist()}"
    if x.on != there["on"]:
        yield f"{label}: on {x.on} != {there['on']}"
    if (-1 if x.id is None else x.id) != there["id"]:
        yield f"{label}: id {x.id} != {there['id']}"
    for word, ours, theirs in _parameters(x, there):
        if not (ours == theirs or close(ours, theirs)):
            yield f"{label}: {word} {ours} != {theirs}"


def _parameters(x: Device, there: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    spec = x.spec
    if isinstance(spec, Gyro | Imu):
        yield "w_max", spec.max_angular_velocity, tuple(map(number, there["w_max"]))
    if "dv_max" in there:
        yield "dv_max", spec.max_acceleration, tuple(map(number, there["dv_max"]))  # type: ignore[union-attr]
    if "F_max" in there:
        yield "F_max", (*spec.max_force, *spec.max_torque), tuple(map(number, there["F_max"]))  # type: ignore[union-attr]
    if isinstance(spec, Camera):
        yield from _camera(spec, there)
    if isinstance(spec, RangeSensor):
        for key in (
            "min_yaw",
            "max_yaw",
            "yaw_step",
            "min_pitch",
            "max_pitch",
            "min_distance",
            "max_distance",
        ):
            yield key, getattr(spec, key), there[key]
        yield "scan_rate", spec.scan_rate, there["scan_rate"]
        yield "detection_rate", spec.detection_rate, there["detection_rate"]
        yield "error_deviation", spec.error_deviation, there["error_deviation"]
        if there["pitch_samples"] > 1:
            yield "pitch_step", spec.pitch_step, there["pitch_step"]
    if isinstance(spec, SpotLight):
        for key in ("color", "intensity", "attenuation", "direction", "beam_width", "cut_off_angle"):
            yield key, getattr(spec, key), there[key]
        yield "cut_off_exponent", spec.cut_off_exponent, there["cut_off_exponent"]


def _camera(spec: Camera, there: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    image = {"color": "color", "depth": "none", "color_depth": "color"}
    clouds = {"point_cloud": "none", "color_point_cloud": "color"}
    yield "image", (image | clouds).get(spec.image), there["image_type"]
    if there["type"] == "RangeCamera":
        yield "organized", spec.image in image, there["organized"]
        yield "min_distance", spec.min_distance, there["min_distance"]
        yield "max_distance", spec.max_distance, there["max_distance"]
        yield "detection_rate", spec.detection_rate, there["detection_rate"]
        yield "error_deviation", spec.error_deviation, there["error_deviation"]
    yield "lens", spec.lens, there["lens_type"]
    for ours, theirs in (
        ("width", "width"),
        ("height", "height"),
        ("field_of_view", "field_of_view"),
        ("near", "near_clip"),
        ("far", "far_clip"),
        ("frame_rate", "frame_rate"),
    ):
        yield ours, getattr(spec, ours), there[theirs]


# --- the rest -------------------------------------------------------------------------


def _loops(robot: Robot, truth: dict[str, Any]) -> Iterator[str]:
    from unibody.model.robot import BALL, FIXED, HINGE, PISTON

    holds = {"ball": BALL, "hinge": HINGE, "piston": PISTON, "fixed": FIXED}
    if len(robot.loops) != len(truth["extra_joints"]):
        yield f"{len(robot.loops)} loops != {len(truth['extra_joints'])}"
        return
    for here, there in zip(robot.loops, truth["extra_joints"], strict=True):
        if (here.link_a, here.link_b) != (there["link1"], there["link2"]):
            yield f"loop {here.name}: links {here.link_a}, {here.link_b}"
        if here.holds != holds[there["type"]]:
            yield f"loop {here.name}: holds {here.holds} != {there['type']}"
        for pose, key in ((here.pose_a, "T1"), (here.pose_b, "T2")):
            if not close(matrix(pose), dumped(there[key])):
                yield f"loop {here.name}: {key} {pose} != {there[key]}"
        if there["type"] in ("hinge", "piston") and not close(here.axis, there["axis"]):
            yield f"loop {here.name}: axis {here.axis} != {there['axis']}"


def _self_collision(robot: Robot, truth: dict[str, Any]) -> Iterator[str]:
    names = [link["name"] for link in truth["links"]]
    if "" in names:
        return
    there = {frozenset((names[i], names[k])) for i, k in truth["self_collision"]["disabled_pairs"]}
    off = sorted(names[k] if isinstance(k, int) else k for k in truth["self_collision"]["excluded_links"])
    excluded = sorted(link.name for link in robot.links if not link.collides)
    if excluded != off:
        yield f"self-collision: excluded {excluded} != {off}"
    there |= {frozenset((a, b)) for a in off for b in names if a != b}
    if robot.self_collision.default == "not_adjacent":
        # OpenHRP files do not state it; this is Choreonoid's rule
        here = {frozenset((j.parent, j.child)) for j in robot.joints if j.kind != "free"}
    else:
        here = {frozenset(p) for p in robot.self_collision.disabled}
    here |= {frozenset((a, b)) for a in excluded for b in names if a != b}
    if here != there:
        yield (
            f"self-collision: off only here {sorted(map(sorted, here - there))[:4]}, "
            f"only there {sorted(map(sorted, there - here))[:4]}"
        )


def _poses(robot: Robot, truth: dict[str, Any]) -> Iterator[str]:
    mechanism = ub.assemble(robot)
    order = [mechanism.link_names.index(link["name"]) for link in truth["links"]]
    base = 7 if robot.base == "free" else 0
    names = {j.child: i for i, j in enumerate(robot.joints)}
    for configuration in truth["configurations"]:
        q = np.array(mechanism.initial)
        for name, _, _, value in configuration.get("q", []):
            if name in names and robot.joints[names[name]].kind in ("revolute", "prismatic"):
                q[mechanism.idx_q[names[name]]] = value
        poses = mechanism.forward_kinematics(q)[order]
        rows = np.array(configuration["links"], float)
        turn, position = rows[:, :9].reshape(-1, 3, 3), rows[:, 9:]
        worst = max(
            float(np.abs(poses[:, :3, :3] - turn).max()),
            float((np.abs(poses[:, :3, 3] - position) / np.maximum(1.0, np.abs(position))).max()),
        )
        if worst > TOLERANCE:
            yield f"configuration {configuration['config']}: link poses differ by {worst:g}"
    assert base >= 0
