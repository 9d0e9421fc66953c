"""The gains of drives that hold the positions of joints, where they are asked for."""

from __future__ import annotations

import math

from unibody.model.robot import Joint, Robot

#: The natural frequency of a joint that its drive holds (rad/s), and its damping ratio.
FREQUENCY, RATIO = 20.0, 1.0


def gains(robot: Robot) -> dict[str, tuple[float, float]]:
    """Stiffness and damping of the drive of each joint that is driven, in SI units.

    They hold the inertia below the joint with a natural frequency of 20 rad/s, critically damped, whatever
    the posture: the inertia is that of all masses below, as far from the axis as they ever are.

    >>> from unibody.model.inertia import Inertial
    >>> from unibody.model.robot import Link
    >>> cart = Link(name="cart", inertial=Inertial(mass=2.0))
    >>> slide = Joint(name="slide", kind="prismatic", parent="rail", child="cart")
    >>> gains(Robot(name="r", links=(Link(name="rail"), cart), joints=(slide,)))
    {'slide': (800.0, 80.0)}
    """
    follow = {coupling.joint for coupling in robot.couplings}
    below: dict[str, list[Joint]] = {}
    for joint in robot.joints:
        below.setdefault(joint.parent, []).append(joint)
    out = {}
    for joint in robot.joints:
        if joint.kind not in ("revolute", "prismatic") or joint.passive or joint.name in follow:
            continue
        inertia = joint.actuator.reflected_inertia + _felt(robot, joint, below)
        out[joint.name] = (FREQUENCY**2 * inertia, 2.0 * RATIO * FREQUENCY * inertia)
    return out


def _felt(robot: Robot, top: Joint, below: dict[str, list[Joint]]) -> float:
    """The mass that a joint slides, or the largest inertia that it turns."""
    total = 0.0
    todo = [(top.child, 0.0)]
    while todo:
        name, reach = todo.pop()
        given = robot.link(name).inertial
        if given is not None and top.kind == "prismatic":
            total += given.mass
        elif given is not None:
            arm = reach + math.hypot(*given.com)
            total += given.mass * arm * arm + max(given.inertia[k][k] for k in range(3))
        todo += [(x.child, reach + math.hypot(*x.origin.xyz)) for x in below.get(name, ())]
    return total
