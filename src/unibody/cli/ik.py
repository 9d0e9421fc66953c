"""Find joint positions that put a link, or a named frame, somewhere (inverse kinematics).

--xyz is the wanted place in metres, --rpy the wanted turn in degrees (roll, pitch, yaw about the
world's axes); one of them is enough. The search starts at the pose that --pose and --set give, keeps
joints within their limits, and starts again elsewhere when it is stuck: the same --seed gives the
same answer. A free base stays where it is, unless --move-base is given.
"""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING, Any

from unibody.cli.options import add_model
from unibody.cli.output import UsageError, emit, emit_data, window
from unibody.cli.positions import add_positions, named, posed

if TYPE_CHECKING:
    from unibody.mechanism import Mechanism
    from unibody.mechanism.inverse_kinematics import Solution
    from unibody.text.finding import Findings

EXAMPLE = "unibody ik robot.urdf hand --xyz 0.4 0.1 0.8"
_WHY = {
    "out of reach": "it is farther away than the stretched links reach",
    "limits": "joints stand at their limits in the nearest configuration",
    "stopped": "no start led any nearer",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of this verb."""
    add_model(parser)
    parser.add_argument("frame", metavar="LINK", help="the link, or the frame, to be placed")
    parser.add_argument("--xyz", nargs=3, type=float, metavar=("X", "Y", "Z"), help="where, in m")
    parser.add_argument(
        "--rpy", nargs=3, type=float, metavar=("ROLL", "PITCH", "YAW"), help="how turned, in degrees"
    )
    add_positions(parser)
    parser.add_argument(
        "--restarts", type=int, default=20, metavar="N", help="further starts (default: 20)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the further starts")
    parser.add_argument(
        "--lock", action="append", default=[], metavar="JOINT", help="keep JOINT where it is"
    )
    parser.add_argument("--move-base", action="store_true", help="let a free base move, too")
    parser.add_argument("--no-limits", action="store_true", help="let joints go beyond their limits")


def run(options: argparse.Namespace) -> int:
    """Print the joint positions; the exit code."""
    wanted = [*(options.xyz or []), *(options.rpy or [])]
    if not wanted:
        raise UsageError("say where the link is wanted: --xyz, --rpy or both")
    if not all(map(math.isfinite, wanted)):
        raise UsageError("--xyz and --rpy take finite numbers")

    def show(mechanism: Mechanism, q: Any, said: Findings) -> None:
        found = _solved(mechanism, q, options)
        if not found.converged:
            apart, turned = 1000.0 * float(found.distance), math.degrees(float(found.angle))
            said.error(
                "target-not-reached",
                f"'{options.frame}' does not get there: {_WHY[str(found.why)]}; the nearest found is "
                f"{apart:.4g} mm and {turned:.4g} degrees off",
            )
        if options.json:
            emit_data(_content(mechanism, found))
        else:
            emit(_text(mechanism, found, q))

    return posed(options, show)


def _solved(mechanism: Mechanism, q: Any, options: argparse.Namespace) -> Solution:
    from unibody.model.pose import Pose, from_rpy

    x, y, z = options.xyz or (0.0, 0.0, 0.0)
    turn = from_rpy(*map(math.radians, options.rpy or (0.0, 0.0, 0.0)))
    robot = mechanism.robot
    base = [robot.root] if robot.base == "free" and not options.move_base else []
    try:
        return mechanism.inverse_kinematics(
            options.frame,
            Pose((x, y, z), turn),
            q,
            position=options.xyz is not None,
            orientation=options.rpy is not None,
            restarts=max(options.restarts, 0),
            seed=max(options.seed, 0),
            limits=not options.no_limits,
            locked=(*options.lock, *base),
        )
    except KeyError as error:
        raise UsageError(str(error.args[0])) from None


def _content(mechanism: Mechanism, found: Solution) -> dict[str, Any]:
    return {
        "converged": bool(found.converged),
        "why": str(found.why),
        "distance": float(found.distance),
        "angle": float(found.angle),
        "tries": int(found.tries),
        "q": named(mechanism, found.q),
    }


def _text(mechanism: Mechanism, found: Solution, start: Any) -> list[str]:
    """The joints that were moved."""
    from unibody.cli.table import Column, table
    from unibody.cli.words import fixed, scaled, unit_of

    signs = window().glyphs
    joints = {joint.name: joint for joint in mechanism.robot.joints}
    rows = []
    before = named(mechanism, start)
    for name, value in named(mechanism, found.q).items():
        joint = joints.get(name)
        if value == before[name]:
            continue
        if isinstance(value, list) or joint is None:
            rows.append([name, " ".join(fixed(v, 6) for v in value), "", "", ""])
        else:
            low, high = (fixed(scaled(joint, v), 3) for v in joint.limits.position)
            rows.append([name, fixed(scaled(joint, value), 4), unit_of(joint, signs).strip(), low, high])
    columns = [
        Column("joint"),
        Column("at", "point"),
        Column(""),
        Column("from", "point"),
        Column("to", "point"),
    ]
    if not rows:
        return ["The link is there already: no joint has to move"]
    return table(columns, rows)
