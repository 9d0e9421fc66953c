"""Print the poses of all links, or of some (forward kinematics).

Joints start at their initial positions; --pose applies a named configuration, then --set single
joints. Positions are in radians or meters, or have a unit: 30deg, 0.5rad, 20mm, 0.1m. Several positions
of a joint are separated by commas. The name of the root link sets a free base:
--set WAIST=0,0,0.7,1,0,0,0 (x, y, z, then the quaternion w, x, y, z). --t takes MPK's normalized
configuration, for any model: unibody plan-info lists its coordinates.

Loop constraints are not enforced: a warning names loops that are open at the positions. --close moves the
joints that are not set until the loops are closed.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from unibody.cli.declaration import Option, add
from unibody.cli.options import MODEL, settings
from unibody.cli.output import UsageError, Window, emit, emit_data, window
from unibody.cli.positions import POSITIONS, check_limits, named, normalized, normalized_words, posed

if TYPE_CHECKING:
    from unibody.mechanism import Mechanism
    from unibody.model.pose import Pose
    from unibody.text.finding import Findings

EXAMPLE = "unibody fk robot.urdf --set elbow=30deg"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    add(
        parser,
        MODEL,
        *settings(),
        *POSITIONS,
        Option("--close", "move the joints that are not set until the loops are closed"),
        Option("--link LINK", "print only this link or frame; repeatable", many=True, keyword="links"),
        Option("--in LINK", "print poses in this link or frame (default: the world)", keyword="frame"),
    )


def run(options: argparse.Namespace) -> int:
    """Print the poses of all links; return the exit code."""

    def show(mechanism: Mechanism, q: Any, findings: Findings) -> bool:
        if mechanism.robot.loops:
            q = _looped(mechanism, q, options, findings)
        check_limits(mechanism, q, findings)
        if options.json:
            emit_data(_content(mechanism, q, normalized(mechanism, q, options), options))
        else:
            words = normalized_words(normalized(mechanism, q, options))
            emit([*words, *_text(_poses(mechanism, q, options), options, window())])
        return True

    return posed(options, show)


def _looped(mechanism: Mechanism, q: Any, options: argparse.Namespace, findings: Findings) -> Any:
    """q with the loops closed, if that is asked for; open ones are warnings."""
    from unibody.checks.loops import check_loops_at

    hint = "--close closes the loops with the joints that are not set"
    if options.close:
        followers = {coupling.joint for coupling in mechanism.robot.couplings}
        q = mechanism.close_loops(q, [name for name, _ in options.set if name not in followers]).q
        hint = "set fewer joints, or other positions: this is the closest configuration"
    check_loops_at(mechanism, q, hint, findings)
    return q


def _poses(mechanism: Mechanism, q: Any, options: argparse.Namespace) -> list[tuple[str, Pose]]:
    """Poses of all links, or of those of --link, in the frame of --in; UsageError for unknown names."""
    import numpy as np

    from unibody.checks.loops import pose_of

    names, matrices = mechanism.link_names, mechanism.forward_kinematics(q)
    try:
        if options.links:
            names = options.links
            matrices = np.stack([mechanism.pose(q, name) for name in names])
        if options.frame is not None:
            matrices = np.linalg.inv(mechanism.pose(q, options.frame)) @ matrices
    except KeyError as error:
        raise UsageError(str(error.args[0])) from None
    return [(name, pose_of(m)) for name, m in zip(names, matrices.tolist(), strict=True)]


def _content(
    mechanism: Mechanism, q: Any, t: list[float] | None, options: argparse.Namespace
) -> dict[str, Any]:
    links = {
        name: {"xyz": pose.xyz, "quat": pose.quat, "matrix": pose.matrix()}
        for name, pose in _poses(mechanism, q, options)
    }
    frame = {} if options.frame is None else {"in": options.frame}
    return {"links": links, **frame, "q": named(mechanism, q), **({} if t is None else {"t": t})}


def _text(poses: list[tuple[str, Pose]], options: argparse.Namespace, shown: Window) -> list[str]:
    from unibody.cli.sections import ROTATION, VECTOR
    from unibody.cli.table import Column, fits, table, wrapped
    from unibody.cli.words import fixed, position_words, rotation_words

    quaternion = [Column(letter, "point", gap=2 + (letter == "w"), drop=1) for letter in "wxyz"]
    columns = [Column("link"), *VECTOR, *ROTATION, *quaternion]
    rows = [
        [name, *position_words(pose), *rotation_words(pose), *(fixed(v, 5) for v in pose.quat)]
        for name, pose in poses
    ]
    whole = fits(columns, rows, shown.width)
    quaternions = "quaternion w x y z" if whole else "quaternions in a wider window or with --json"
    what = "Poses of the links in" if not options.links else "Poses in"
    where = "the world" if options.frame is None else f"the frame of {options.frame}"
    title = f"{what} {where}: x y z in m, roll pitch yaw in degrees, {quaternions}"
    return [*wrapped(title.split(), shown.text_width, 0, " "), *table(columns, rows, shown.width)]
