"""Bodies that MuJoCo moves on the world only: free joints of links that do not move, and mocap.

MuJoCo has free bodies at the top of its tree only, and what is free further below has slides and hinges
instead, which are singular where the second hinge is at 90 degrees. A body on a fixed floor, as
Choreonoid's worlds have them, tumbles through that.
"""

from __future__ import annotations

from dataclasses import replace

from unibody.formats.mjcf.engine import is_world, lost_mocap
from unibody.model.base import WORLD
from unibody.model.changes.surroundings import rooted
from unibody.model.joint_kind import KINDS
from unibody.model.pose import Pose
from unibody.model.robot import Robot
from unibody.model.traverse import path_of
from unibody.text.finding import Findings

# The joint that holds the robot in the world.
_JOINT = "unibody world"


def on_world(robot: Robot) -> Robot:
    """The robot with its free joints on the world, as far as their parents stand still.

    Configurations have the same numbers; a link and a joint are added at the root.

    >>> from unibody.model.robot import Joint, Link
    >>> links = (Link(name="floor"), Link(name="box"))
    >>> box = Joint(name="box", kind="free", parent="floor", child="box", origin=Pose((0.0, 0.0, 1.0)))
    >>> robot = Robot(name="room", links=links, joints=(box,), base="fixed", pose=Pose((0.0, 0.0, 2.0)))
    >>> [(joint.name, joint.parent, joint.origin.xyz) for joint in on_world(robot).joints]
    [('unibody world', 'world', (0.0, 0.0, 2.0)), ('box', 'world', (0.0, 0.0, 3.0))]
    """
    still = {} if robot.base == "free" else _still(robot)
    moved = {j.name for j in robot.joints if j.kind == "free" and j.parent in still}
    is_top = is_world(robot)
    if not moved or (not is_top and WORLD in {link.name for link in robot.links}):
        return robot
    joints = tuple(
        replace(joint, parent=WORLD, origin=still[joint.parent] @ joint.origin)
        if joint.name in moved
        else joint
        for joint in robot.joints
    )
    return replace(robot, joints=joints) if is_top else rooted(replace(robot, joints=joints), _JOINT)


def check_free_joints(robot: Robot, findings: Findings) -> None:
    """Report the joints that are free on a link that moves."""
    still = {} if robot.base == "free" else _still(robot)
    for joint in robot.joints:
        if joint.kind == "free" and joint.parent not in still:
            findings.warning(
                "simulation-free-joint",
                f"joint {joint.name!r} is free on link {joint.parent!r}, which moves: it is simulated as "
                "slides and hinges about X, Y and Z, which are singular at 90 degrees about Y",
                joint.at,
                "attach it to the root of a robot with a fixed base, or make it a robot of its own",
                subject=path_of("joints", joint.name, "kind"),
            )


def check_mocap(lowered: Robot, findings: Findings) -> None:
    """Report the bodies of MJCF files that mocap moves, and that the engine's model holds instead."""
    above = {joint.child: joint for joint in lowered.joints}
    for name in lost_mocap(lowered):
        joint = above.get(name)
        instead = (
            f"fixed to link {joint.parent!r}" if joint and joint.kind == "fixed" else "moved by forces"
        )
        findings.warning(
            "simulation-mocap",
            f"mocap moves only bodies that the world holds: link {name!r} is {instead}",
            lowered.link(name).at,
            "simulate it alone on a fixed base (--base fixed, base='fixed'), or give it a free joint",
            subject=path_of("links", name),
        )


def _still(robot: Robot) -> dict[str, Pose]:
    """The poses in the world of the links that stand still on a fixed base."""
    out = {robot.root: robot.pose}
    todo = [joint for joint in robot.joints if not KINDS[joint.kind].nv]
    while True:
        found = [joint for joint in todo if joint.parent in out and joint.child not in out]
        if not found:
            return out
        for joint in found:
            out[joint.child] = out[joint.parent] @ joint.origin
