"""Find joint positions for a target pose of a link or a named frame (inverse kinematics).

The target is a position (--place X,Y,Z in m), a position and an orientation (--place X,Y,Z,R,P,Y with roll,
pitch and yaw in degrees about the axes of the world), or an orientation alone (--rpy). The search starts at
the configuration given by --pose and --set, keeps joints within their limits, and restarts at random
configurations if it stalls. An equal --seed gives an equal result. A free base is kept in place unless
--move-base is given. With --t, or if the model has MPK's coordinates, the result is also printed as a
normalized configuration.
"""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING, Any

from unibody.cli.declaration import Option, add
from unibody.cli.options import MODEL, settings
from unibody.cli.output import UsageError, emit, emit_data, window
from unibody.cli.placement import PLACE, place_option, pose_of
from unibody.cli.positions import POSITIONS, named, normalized, normalized_words, posed
from unibody.cli.quantity import angles

if TYPE_CHECKING:
    from unibody.mechanism import Mechanism
    from unibody.mechanism.inverse_kinematics import Solution
    from unibody.text.finding import Findings

EXAMPLE = "unibody ik robot.urdf hand --place 0.4,0.1,0.8"
_REASONS = {
    "out of reach": "target is farther away than the links reach",
    "limits": "joints are at their limits in the closest configuration",
    "stopped": "the search stalled from all start configurations",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    add(
        parser,
        MODEL,
        *settings(),
        Option("LINK", "link or frame to move to the target", keyword="frame"),
    )
    add(
        parser.add_mutually_exclusive_group(required=True),
        Option(
            f"--place {PLACE}",
            "target position (m), with roll, pitch, yaw (deg) also the orientation",
            place_option,
        ),
        Option("--rpy R,P,Y", "target orientation alone: roll, pitch, yaw (deg)", _rpy),
    )
    add(
        parser,
        *POSITIONS,
        Option("--restarts N", "number of random restarts (default: 20)", int, default=20),
        Option("--seed N", "seed of the restarts (default: 0)", int, default=0),
        Option("--lock JOINT", "keep JOINT at its start position", many=True),
        Option("--move-base", "also move a free base"),
        Option("--no-position-limits", "ignore position limits"),
    )


def run(options: argparse.Namespace) -> int:
    """Print the joint positions; return the exit code."""

    def show(mechanism: Mechanism, q: Any, findings: Findings) -> bool:
        found = _solved(mechanism, q, options)
        if not found.converged:
            distance, angle = 1000.0 * float(found.distance), math.degrees(float(found.angle))
            findings.error(
                "target-not-reached",
                f"'{options.frame}' does not reach the target: {_REASONS[str(found.why)]}; closest "
                f"configuration is off by {distance:.4g} mm and {angle:.4g} degrees",
            )
        t = normalized(mechanism, found.q, options)
        if options.json:
            emit_data(_content(mechanism, found) | ({} if t is None else {"t": t}))
        else:
            emit([*_text(mechanism, found, q), *normalized_words(t)])
        return True

    return posed(options, show)


def _rpy(text: str) -> tuple[float, ...]:
    return angles(text, 3)


def _solved(mechanism: Mechanism, q: Any, options: argparse.Namespace) -> Solution:
    place = options.place or (0.0, 0.0, 0.0, *options.rpy)
    robot = mechanism.robot
    base = [robot.root] if robot.base == "free" and not options.move_base else []
    try:
        return mechanism.inverse_kinematics(
            options.frame,
            pose_of(place),
            q,
            position=options.place is not None,
            orientation=len(place) == 6,
            restarts=max(options.restarts, 0),
            seed=max(options.seed, 0),
            limits=options.position_limits,
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
    """The joints that move."""
    from unibody.cli.table import Column, table
    from unibody.cli.words import fixed, scaled, unit_of

    glyphs = window().glyphs
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
            rows.append([name, fixed(scaled(joint, value), 4), unit_of(joint, glyphs).strip(), low, high])
    columns = [
        Column("joint"),
        Column("position", "point"),
        Column(""),
        Column("min", "point"),
        Column("max", "point"),
    ]
    if not rows:
        return ["already at the target: no joint moves"]
    return table(columns, rows)
