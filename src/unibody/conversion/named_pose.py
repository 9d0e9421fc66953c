"""A named pose, saved where a model's files have poses: an SRDF state, a keyframe, standard_pose."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace

from unibody.conversion.completion import completion_in
from unibody.conversion.output import SaveError
from unibody.conversion.pipeline import save
from unibody.conversion.report import Report
from unibody.files.access import FileError
from unibody.formats import FORMATS
from unibody.formats.format import Format
from unibody.formats.loader import Reading, read_with
from unibody.model.facts import diff
from unibody.model.groups import group_joints
from unibody.model.joint_kind import KINDS
from unibody.model.robot import Configuration, Group, Robot
from unibody.text.counted import listed

# Joints that a message names.
_SHOWN = 5


class PoseError(ValueError):
    """A pose that the files of a model have no place for; the message says why."""


def save_pose(
    reading: Reading, name: str, positions: Mapping[str, float | Sequence[float]]
) -> tuple[str, Report]:
    """Save a pose under a name in the files of a reading; the file that was changed, and the report.

    ``positions`` are those of joints (rad or m); the other joints are at their initial positions. A pose
    of this name is replaced. Only the text of the pose changes; PoseError if the files have no place for
    it, or if more than that would change, and nothing is written then.
    """
    robot, source, format = reading.stated or reading.robot, reading.source, reading.format
    if robot is None or source is None or format is None or reading.scene is not None:
        raise PoseError("the model is not one robot of one file")
    if source.derived or not os.path.isfile(source.name):
        raise PoseError(f"{source.name} cannot be edited: its text is generated, as by xacro")
    target = _target(reading, format)
    posed = _with_pose(robot, name, positions, _completing(format) is not None)
    # A side-car that the file has stays; a pose needs none.
    plain = read_with(source.name, format, plain=True).robot
    bare = plain is not None and not diff(plain, robot)
    try:
        for dry_run in (True, False):
            report = save(
                posed,
                source.name,
                format=format,
                overwrite=True,
                plain=bare,
                meshes="keep",
                dry_run=dry_run,
            )
            _check(report, source.name, name, target)
    except (SaveError, FileError, OSError) as error:
        raise PoseError(str(error)) from None
    return target, report


def _completing(format: Format) -> Format | None:
    """The format of the files that have the poses of models of a format, None if it is the same."""
    return next(
        (each for each in FORMATS if each.completes == format.name and each.writer is not None), None
    )


def _target(reading: Reading, format: Format) -> str:
    """The file that has the poses; PoseError if there is none."""
    assert reading.source is not None
    other = _completing(format)
    if other is None:
        return reading.source.name
    path = completion_in(reading, other)
    if not path:
        raise PoseError(
            f"{format.title} files have no place for poses, and no {other.title} file is beside this one: "
            f"add one with a group of the joints"
        )
    return path


def _with_pose(
    robot: Robot, name: str, positions: Mapping[str, float | Sequence[float]], grouped: bool
) -> Robot:
    joints = {joint.name: joint for joint in robot.joints if KINDS[joint.kind].nq}
    unknown = [each for each in positions if each not in joints]
    if unknown:
        raise PoseError(f"the model has no movable joint {listed(unknown, _SHOWN)}")
    before = next((each for each in robot.configurations if each.name == name), None)
    group = _group(robot, name, positions, before) if grouped else None
    members = list(joints) if group is None else [j for j in group_joints(robot, group.name) if j in joints]
    followers = {coupling.joint for coupling in robot.couplings}
    placed: list[tuple[str, float]] = []
    for joint in members:
        given = positions.get(joint, joints[joint].initial if KINDS[joints[joint].kind].nq == 1 else None)
        if given is None or (group is not None and joint in followers and joint not in positions):
            continue
        values = (given,) if isinstance(given, int | float) else tuple(given)
        if len(values) != KINDS[joints[joint].kind].nq:
            raise PoseError(f"'{joint}' takes {KINDS[joints[joint].kind].nq} numbers, not {len(values)}")
        placed += [(joint, float(value)) for value in values]
    made = Configuration(name=name, group=None if group is None else group.name, positions=tuple(placed))
    if before is None:
        return replace(robot, configurations=(*robot.configurations, made))
    others = tuple(made if each is before else each for each in robot.configurations)
    return replace(robot, configurations=others)


def _group(robot: Robot, name: str, positions: Mapping[str, object], before: Configuration | None) -> Group:
    """The smallest group with all joints that are moved; of a pose that is replaced, its own."""
    initial = {joint.name: joint.initial for joint in robot.joints}
    moved = {joint for joint, value in positions.items() if value != initial[joint]}
    if before is not None:
        known = [group for group in robot.groups if group.name == before.group]
    else:
        known = list(robot.groups)
    fitting = [
        (len(group_joints(robot, g.name)), g) for g in known if moved <= set(group_joints(robot, g.name))
    ]
    if fitting:
        return min(fitting, key=lambda each: each[0])[1]
    if not robot.groups:
        raise PoseError("the SRDF has no group, and a state is of a group: add a group of the joints")
    reach = {joint for group in known for joint in group_joints(robot, group.name)}
    apart = sorted(moved - reach)
    what = f"the group of '{name}'" if before is not None else "no group of the SRDF"
    if before is not None or apart:
        raise PoseError(
            f"{what} {'lacks' if before is not None else 'has'} {listed(apart or sorted(moved), _SHOWN)}"
        )
    raise PoseError(f"no group of the SRDF has all joints that are moved: {listed(sorted(moved), _SHOWN)}")


def _check(report: Report, path: str, name: str, target: str) -> None:
    """PoseError if the pose is lost, or if more than its text would change."""
    own = {os.path.realpath(path), os.path.realpath(target)}
    if {os.path.realpath(os.path.join(os.path.dirname(path), name)) for name in report.files} != own:
        raise PoseError(f"{os.path.basename(target)} does not have the name of {os.path.basename(path)}")
    for loss in report.losses:
        if loss.difference.path.startswith("configurations/") and loss.outcome in ("lost", "omitted"):
            raise PoseError(
                f"'{name}' has no place in {os.path.basename(path)}: {loss.row.why if loss.row else ''}"
            )
    if report.layout is None or report.layout.anew:
        why = report.layout.anew if report.layout else "its layout is unknown"
        raise PoseError(f"{os.path.basename(path)} would be written anew: {why}")
