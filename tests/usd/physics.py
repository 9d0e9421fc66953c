"""What OpenUSD's own parse of physics makes of a written stage, compared with the robot."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from unibody.formats.usd.write_lowered import is_empty_world
from unibody.mechanism import assemble
from unibody.model.robot import Robot

#: Numbers of 32 bits agree to this, relative to 1 plus the value.
NEAR = 1e-6


def matrix(pose: Any) -> Any:
    """A pose of OpenUSD, with row vectors, as a matrix for columns."""
    return np.array(pose).T


def placement(position: Any, rotation: Any) -> Any:
    """A position and a quaternion as a matrix for columns."""
    from pxr import Gf

    out = np.eye(4)
    turn = Gf.Matrix3d(Gf.Quatd(rotation).GetNormalized())
    out[:3, :3], out[:3, 3] = np.array(turn).T, position
    return out


def deviations(path: str, robot: Robot, places: dict[str, Any]) -> Iterator[str]:
    """What of a stage differs from the lowered robot, whose links are at ``places`` (4×4) in the world."""
    from pxr import Usd, UsdGeom, UsdPhysics

    stage = Usd.Stage.Open(path)
    cache = UsdGeom.XformCache()
    bodies: dict[str, Any] = {}
    joints: dict[str, Any] = {}
    for prim in stage.Traverse():
        name = prim.GetMetadata("displayName") or prim.GetName()
        if prim.HasAPI(UsdPhysics.RigidBodyAPI):
            bodies[name] = prim
        elif prim.IsA(UsdPhysics.Joint):
            joints[name] = prim
    paths = {str(prim.GetPath()): name for name, prim in bodies.items()}
    links = [link for link in robot.links if not (link.name == "world" and is_empty_world(robot))]
    if set(bodies) != {link.name for link in links}:
        yield f"bodies {sorted(set(bodies) ^ {link.name for link in links})}"
        return
    for link in links:
        prim = bodies[link.name]
        here = matrix(cache.GetLocalToWorldTransform(prim))
        if not np.allclose(here, places[link.name], rtol=NEAR, atol=NEAR):
            yield f"{link.name}: placed {here} not {places[link.name]}"
        mass = UsdPhysics.MassAPI(prim)
        assert link.inertial is not None
        if not math.isclose(mass.GetMassAttr().Get(), link.inertial.mass, rel_tol=NEAR):
            yield f"{link.name}: mass {mass.GetMassAttr().Get()} not {link.inertial.mass}"
        if not np.allclose(mass.GetCenterOfMassAttr().Get(), link.inertial.com, rtol=NEAR, atol=NEAR):
            yield f"{link.name}: center of mass {mass.GetCenterOfMassAttr().Get()}"
        turn = placement((0, 0, 0), mass.GetPrincipalAxesAttr().Get())[:3, :3]
        tensor = turn @ np.diag(mass.GetDiagonalInertiaAttr().Get()) @ turn.T
        wanted = np.array(link.inertial.inertia)
        wanted = (wanted + wanted.T) / 2.0
        if not np.allclose(tensor, wanted, rtol=NEAR, atol=NEAR * np.abs(wanted).max()):
            yield f"{link.name}: inertia {tensor.tolist()} not {wanted.tolist()}"
    for joint in robot.joints:
        prim = joints[joint.name]
        given = UsdPhysics.Joint(prim)
        ends = (given.GetBody0Rel().GetTargets(), given.GetBody1Rel().GetTargets())
        found = [paths.get(str(x[0])) if x else "world" for x in ends]
        if found != [joint.parent, joint.child]:
            yield f"{joint.name}: between {ends}"
            continue
        at_0 = placement(given.GetLocalPos0Attr().Get(), given.GetLocalRot0Attr().Get())
        at_1 = placement(given.GetLocalPos1Attr().Get(), given.GetLocalRot1Attr().Get())
        origin = at_0 @ np.linalg.inv(at_1)
        if not np.allclose(origin, joint.origin.matrix(), rtol=NEAR, atol=NEAR):
            yield f"{joint.name}: origin {origin} not {joint.origin.matrix()}"
        if joint.kind in ("revolute", "prismatic"):
            axis = at_1[:3, "XYZ".index(prim.GetAttribute("physics:axis").Get())]
            if not np.allclose(axis, joint.axis, atol=NEAR):
                yield f"{joint.name}: axis {axis} not {joint.axis}"
            unit = math.degrees(1.0) if joint.kind == "revolute" else 1.0
            for word, bound in zip(("lower", "upper"), joint.limits.position, strict=True):
                value = prim.GetAttribute(f"physics:{word}Limit").Get() / unit
                if value != bound and not math.isclose(value, bound, rel_tol=NEAR, abs_tol=NEAR):
                    yield f"{joint.name}: {word} limit {value} not {bound}"


def placements(robot: Robot) -> dict[str, Any]:
    """The pose of each link at the initial positions of the joints, by the mechanism."""
    model = assemble(replace(robot, base="fixed"))
    poses = np.asarray(model.forward_kinematics(model.initial))
    return {name: poses[k] for k, name in enumerate(model.link_names)}
