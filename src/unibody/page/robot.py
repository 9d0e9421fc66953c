"""The kinematic tree of a robot in the form that the page computes with, and everything on its links."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np

from unibody.mechanism import Mechanism
from unibody.mechanism.normalized_space import NormalizedSpaceError
from unibody.model.collision import PairRules, adjacent_pairs
from unibody.model.device import Device, Opaque
from unibody.model.inertia import Inertial
from unibody.model.joint_kind import KINDS
from unibody.model.pose import matrix_quaternion, rotate, unit
from unibody.model.posture import usable_positions
from unibody.model.robot import Coordinate, Drive, Joint, Link, Loop, Robot
from unibody.page import properties
from unibody.page.numbers import bound, finite, finites, pose_numbers
from unibody.page.sources import Sources

Data = dict[str, Any]


def computable(robot: Robot) -> Robot:
    """The robot with incomplete joints fixed at zero."""
    if not any(joint.missing for joint in robot.joints):
        return robot
    joints = [replace(j, kind="fixed") if j.missing else j for j in robot.joints]
    return replace(robot, joints=tuple(joints))


def robot_data(robot: Robot, mechanism: Mechanism, sources: Sources) -> Data:
    """A robot without its shapes and findings; viewer/src/model.ts has the same fields.

    The surroundings are a link without a joint, at the origin of the world.

    Positions are one list: x, y, z and quaternion w, x, y, z of the root, then those of the joints.
    """
    links = link_places(robot)
    joints = {name: place for place, name in enumerate(mechanism.joint_names)}
    around = [-1] * (len(links) - len(robot.links))
    return {
        "base": robot.base,
        "start": page_positions(mechanism, mechanism.apply_couplings(mechanism.initial)),
        "links": [
            {
                "name": link.name,
                "parent": parent,
                "joint": joint,
                **_mass(link),
                "properties": properties.link_properties(link),
                "at": sources.add(link.at),
            }
            for link, parent, joint in zip(
                robot.solids,
                [*mechanism.parents.tolist(), *around],
                [*mechanism.link_joints.tolist(), *around],
                strict=True,
            )
        ],
        "order": [*mechanism.order.tolist(), *range(len(robot.links), len(links))],
        "joints": [_joint(joint, links[joint.child], robot, sources) for joint in robot.joints],
        "followers": followers(mechanism),
        "loops": [
            _loop(loop, links, sources)
            for loop in robot.loops
            if loop.link_a in links and loop.link_b in links
        ],
        "devices": [_device(d, links[d.link], sources) for d in robot.devices if d.link in links],
        "frames": [
            {
                "name": frame.name,
                "link": links[frame.link],
                "pose": pose_numbers(frame.pose),
                "trace": frame.trace,
                "properties": properties.frame_properties(frame),
                "at": sources.add(frame.at),
            }
            for frame in robot.frames
            if frame.link in links
        ],
        "poses": [
            {
                "name": configuration.name,
                "positions": [
                    [joints[name], finite(value)]
                    for name, value in usable_positions(robot, configuration).items()
                    if name in joints and not isinstance(value, tuple)
                ],
            }
            for configuration in robot.configurations
        ],
        "coordinates": _coordinates(mechanism, joints),
        "collision": _collision(robot, links),
    }


def link_places(robot: Robot) -> dict[str, int]:
    """The index in the page of each link, and of the surroundings, which are the last."""
    return {link.name: place for place, link in enumerate(robot.solids)}


def page_positions(mechanism: Mechanism, q: Any) -> list[float]:
    """A configuration of the page: the root pose (7 numbers) for every robot, then the joints."""
    root = [] if mechanism.base == "free" else pose_numbers(mechanism.robot.pose)
    return [*root, *finites(np.asarray(q).tolist())]


def _mass(link: Link) -> Data:
    if link.inertial is None or link.inertial.unknown == "mass":
        return {"mass": 0.0, "com": [0.0, 0.0, 0.0], "inertia": None}
    return {
        "mass": finite(link.inertial.mass),
        "com": finites(link.inertial.com),
        "inertia": None if link.inertial.unknown else _principal(link.inertial),
    }


def _principal(inertial: Inertial) -> Data | None:
    """Principal moments, and the rotation from link axes to principal axes; None without inertia."""
    matrix = np.array(inertial.inertia)
    if not (np.isfinite(matrix).all() and inertial.mass > 0.0 and np.abs(matrix).max() > 0.0):
        return None
    size = np.abs(matrix).max()
    moments, axes = np.linalg.eigh(0.5 * (matrix / size) + 0.5 * (matrix.T / size))
    if np.linalg.det(axes) < 0.0:
        axes[:, 2] = -axes[:, 2]
    return {"moments": finites((moments * size).tolist()), "axes": finites(_quaternion(axes))}


def _quaternion(axes: Any) -> tuple[float, float, float, float]:
    a, b, c = (tuple(row) for row in axes.tolist())
    return matrix_quaternion((a, b, c))


def _joint(joint: Joint, child: int, robot: Robot, sources: Sources) -> Data:
    low, high = joint.limits.position
    return {
        "name": joint.name,
        "kind": "fixed" if joint.missing else joint.kind,
        "held": joint.kind if joint.missing else None,
        "child": child,
        "origin": pose_numbers(joint.origin),
        "axis": finites(unit(joint.axis) or (0.0, 0.0, 1.0)),
        "axis2": None if joint.axis2 is None else finites(unit(joint.axis2) or (0.0, 0.0, 1.0)),
        "lead": finite(joint.lead),
        "lower": bound(low),
        "upper": bound(high),
        "initial": finite(joint.initial),
        "properties": properties.joint_properties(joint, robot),
        "at": sources.add(joint.at),
    }


def followers(mechanism: Mechanism) -> list[Data]:
    """Joints that move together, leaders first: those on one coordinate, then couplings."""
    return [*_shared(mechanism), *_coupled(mechanism)]


def _coupled(mechanism: Mechanism) -> list[Data]:
    joints = {
        int(entry): joint
        for joint, entry in enumerate(mechanism.idx_q)
        if KINDS[mechanism.robot.joints[joint].kind].nq == 1
    }
    return [
        {
            "joint": joints[coupling.index],
            "leader": None if coupling.leader is None else joints[coupling.leader],
            "ratio": finite(coupling.ratio),
            "offset": finite(coupling.offset),
        }
        for coupling in mechanism.couplings
    ]


def _shared(mechanism: Mechanism) -> list[Data]:
    """Joints on one MPK coordinate follow the first of them that moves (``NormalizedSpace``)."""
    joints = {name: place for place, name in enumerate(mechanism.joint_names)}
    single = {joint.name for joint in mechanism.robot.joints if KINDS[joint.kind].nq == 1}
    taken = {coupling.joint for coupling in mechanism.robot.couplings}
    out: list[Data] = []
    for coordinate in mechanism.robot.coordinates:
        drives = _drives(coordinate, single, taken)
        taken |= {drive.joint for drive in drives}
        lead = next((drive for drive in drives if drive.at_one != drive.at_zero), None)
        for drive in drives if lead is not None else []:
            if lead is not None and drive is not lead:
                ratio = (drive.at_one - drive.at_zero) / (lead.at_one - lead.at_zero)
                offset = drive.at_zero - ratio * lead.at_zero
                out.append(
                    {
                        "joint": joints[drive.joint],
                        "leader": joints[lead.joint],
                        "ratio": finite(ratio),
                        "offset": finite(offset),
                    }
                )
    return out


def _drives(coordinate: Coordinate, single: set[str], taken: set[str]) -> list[Drive]:
    """The one-DoF joints that only this coordinate drives."""
    found: dict[str, Drive] = {}
    for drive in coordinate.drives:
        if drive.joint in single and drive.joint not in taken:
            found.setdefault(drive.joint, drive)
    return list(found.values())


def _loop(loop: Loop, links: dict[str, int], sources: Sources) -> Data:
    held = loop.holds
    return {
        "name": loop.name,
        "a": links[loop.link_a],
        "b": links[loop.link_b],
        "poseA": pose_numbers(loop.pose_a),
        "poseB": pose_numbers(loop.pose_b),
        # In the axes of the first anchor, where both anchors can be compared.
        "axis": finites(unit(rotate(loop.pose_a.inverse().quat, loop.axis)) or (0.0, 0.0, 1.0)),
        "holds": [held.axial, held.radial, held.twist, held.swing],
        "properties": properties.loop_properties(loop),
        "at": sources.add(loop.at),
    }


def _device(device: Device, link: int, sources: Sources) -> Data:
    spec = device.spec
    numbers: Data = {}
    if not isinstance(spec, Opaque):
        for entry in fields(spec):
            value = getattr(spec, entry.name)
            if isinstance(value, float):
                numbers[entry.name] = bound(value)
            elif isinstance(value, tuple):
                numbers[entry.name] = [bound(v) for v in value]
            else:
                numbers[entry.name] = value
    return {
        "name": device.name,
        "link": link,
        "pose": pose_numbers(device.pose),
        "kind": type(spec).__name__,
        "label": device.spec.kind,
        "on": device.on,
        "spec": numbers,
        "properties": properties.device_properties(device),
        "at": sources.add(device.at),
    }


def _coordinates(mechanism: Mechanism, joints: dict[str, int]) -> list[Data]:
    """The coordinates of MPK's normalized vector (``NormalizedSpace``); none if there is no such space."""
    try:
        space = mechanism.normalized_space
    except NormalizedSpaceError:
        return []
    return [
        {
            "default": finite(coordinate.default),
            "cyclic": coordinate.cyclic,
            "drives": [
                [joints[drive.joint], finite(drive.at_zero), finite(drive.at_one)]
                for drive in coordinate.drives
            ],
        }
        for coordinate in space.coordinates
    ]


def _collision(robot: Robot, links: dict[str, int]) -> Data:
    def places(pairs: tuple[tuple[str, str], ...]) -> list[list[int]]:
        return [[links[a], links[b]] for a, b in pairs if a in links and b in links]

    rules = PairRules(robot)
    solid = [link.name for link in robot.solids if link.collisions]
    excluded = {link.name for link in robot.solids if not link.collides}
    off = tuple((a, b) for a in solid if a in excluded for b in solid if a != b)
    enabled = (p for p in rules.enabled.values() if excluded.isdisjoint(p) and rules.are_tested(*p))
    near = adjacent_pairs(robot).items() if rules.default != "none" else ()
    return {
        "default": rules.default,
        "enabled": places(tuple(enabled)),
        "disabled": places((*rules.disabled.values(), *off)),
        "adjacent": places(
            tuple(p for key, p in near if key not in rules.disabled and not rules.are_tested(*p))
        ),
    }
