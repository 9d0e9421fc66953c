"""Choreonoid's body motions: YAML files (.seq, .yaml) of the versions 1 to 4."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from unibody.mechanism import Mechanism
from unibody.model.arrays import Floats
from unibody.motions.columns import numbered
from unibody.motions.motion import Motion
from unibody.motions.notation import NUMBER, SORT, MotionFile, Written, is_number
from unibody.motions.pattern import has_free_base, of_joint_ids, quaternions_of, with_base
from unibody.motions.representable import joint_table
from unibody.text.finding import Findings
from unibody.text.node import Node, Numbers, Row, Value, Word
from unibody.text.number import format_float, parse_float
from unibody.text.source import Source, Span

# The names of what a component holds, in all versions of the format.
_DISPLACEMENTS = {"JointDisplacement", "JointPosition", "MultiJointDisplacementSeq"}
_POSES = {"LinkPosition", "MultiLinkPositionSeq"}
_POSE_TYPES = {"MultiSE3Seq", "MultiSe3Seq", "MultiAffine3Seq"}
_SUFFIXES = (".seq", ".yaml", ".yml")
_NEWEST = 5.0
# Where the quaternion's w, x, y, z stand after the position.
_QUATERNIONS = {"XYZQWQXQYQZ": (3, 4, 5, 6), "XYZQXQYQZQW": (6, 3, 4, 5)}
_RPY = "XYZRPY"
_FORMS = ("SE3Format", "format")
_TIMED = ("has_frame_time", "hasFrameTime")
_NO_MOTION = "not a Choreonoid body motion"
_EXAMPLE = "it needs type: CompositeSeq, content: BodyMotion and a component JointDisplacement"


@dataclass(frozen=True, slots=True)
class _Sequence:
    """The numbers (k, n) of the frames of a component at times (k,) in s."""

    times: Floats
    values: Floats


def is_body_motion(file: MotionFile) -> bool:
    """Whether the suffix is one of body motions."""
    return file.suffix in _SUFFIXES


def read_body_motion(file: MotionFile) -> Motion | None:
    """Read the joint displacements, in the order of the joint ids, and the poses of the root link."""
    from unibody.text.yaml import parser

    findings, source, mechanism = file.findings, file.source, file.mechanism
    top = parser.parse(source, findings)
    if not isinstance(top, Node):
        findings.error("control-format", _NO_MOTION, _span(source, top), _EXAMPLE)
        return None
    before = sum(f.severity == "error" for f in findings)
    joints = poses = None
    for component in _components(source, top, findings):
        read = _Component(source, component, top, findings)
        kind, content = component.word("type") or "", component.word("content", "purpose") or ""
        if kind == "MultiValueSeq" and content in _DISPLACEMENTS:
            joints = read.displacements(mechanism)
        elif kind in _POSE_TYPES and content in _POSES:
            poses = read.poses() if has_free_base(file, _span(source, component)) else None
        else:
            message = f"{content or kind or 'a component'} commands no joint and is ignored"
            findings.info("control-ignored", message, _span(source, component))
    if sum(f.severity == "error" for f in findings) > before:
        return None
    if joints is None:
        findings.error(
            "control-format", "the motion has no joint displacements", _span(source, top), _EXAMPLE
        )
        return None
    motion = of_joint_ids(mechanism, joints.times, joints.values, "position", file.name)
    return motion if poses is None else with_base(motion, _at_times(poses, joints.times), mechanism)


def write_body_motion(motion: Motion, mechanism: Mechanism, suffix: str) -> Written:
    """The positions of the joint ids, and for a free base the poses of the root link, as version 4.

    Frames have times if these are not evenly spaced.
    """
    assert motion.times is not None
    values, base = joint_table(motion, mechanism, "position")
    rate = _frame_rate(motion.times)
    times = None if rate else motion.times.tolist()
    lines = ["type: CompositeSeq", "content: BodyMotion", "format_version: 4"]
    lines += [f"frame_rate: {format_float(rate)}", f"offset_time: {format_float(float(motion.times[0]))}"]
    if not rate:
        lines[3:] = ["has_frame_time: true"]
    lines.append("components:")
    if base is not None:
        frames = [f"[ {_row(row)} ]" for row in base.tolist()]
        lines += _component("MultiSE3Seq", "LinkPosition", 1, times, frames, "    SE3Format: XYZQWQXQYQZ")
    displacements = [_row(row) for row in values.tolist()]
    lines += _component("MultiValueSeq", "JointDisplacement", values.shape[1], times, displacements)
    return {suffix: ("\n".join(lines) + "\n").encode()}


def _frame_rate(times: Floats) -> float:
    """The frame rate (Hz) of evenly spaced times, else 0."""
    if len(times) < 2 or not times[-1] > times[0]:
        return 0.0
    rate = float((len(times) - 1) / (times[-1] - times[0]))
    rate = round(rate) if abs(rate - round(rate)) < 1e-9 * rate else rate
    even = times[0] + np.arange(len(times)) / rate
    return float(rate) if np.abs(even - times).max() < 1e-9 else 0.0


def _component(
    kind: str, content: str, parts: int, times: list[float] | None, frames: list[str], *more: str
) -> list[str]:
    starts = [""] * len(frames) if times is None else [f"{format_float(time)}, " for time in times]
    lines = [f"  - type: {kind}", f"    content: {content}", f"    num_parts: {parts}"]
    return [
        *lines, *more, "    frames:",
        *(f"      - [ {start}{frame} ]" for start, frame in zip(starts, frames, strict=True)),
    ]  # fmt: skip


def _row(numbers: list[float]) -> str:
    return ", ".join(map(format_float, numbers))


def _span(source: Source, value: Value | None) -> Span:
    """The first line of a value."""
    start = max(0, getattr(value, "start", 0))
    stop = source.text.find("\n", start)
    end = getattr(value, "end", -1)
    stop = len(source.text) if stop < 0 else stop
    return Span(source, start, min(end, stop) if end > start else stop)


def _components(source: Source, top: Node, findings: Findings) -> Iterator[Node]:
    """The components of a motion; a file may also be a single one."""
    version = parse_float(top.word("format_version", "formatVersion") or "1")
    if version is None or version >= _NEWEST:
        at = _span(source, top.get("format_version", "formatVersion"))
        shown = top.word("format_version", "formatVersion") or ""
        hint = "save the motion with format_version: 4"
        findings.error(
            "control-format", f"unknown format version {shown[:40]!r}; 1 to 4 are read", at, hint
        )
        return
    listed = top.get("components")
    if listed is None and top.word("type") in {"MultiValueSeq", *_POSE_TYPES}:
        yield top
        return
    if not isinstance(listed, Row) or not all(isinstance(each, Node) for each in listed):
        findings.error("control-format", _NO_MOTION, _span(source, listed or top), _EXAMPLE)
        return
    yield from (each for each in listed if isinstance(each, Node))


class _Component:
    """Reads the frames of one component; what it does not state, the whole motion does."""

    def __init__(self, source: Source, node: Node, top: Node, findings: Findings) -> None:
        self.source, self.node, self.top, self.findings = source, node, top, findings

    def displacements(self, mechanism: Mechanism) -> _Sequence | None:
        read = self._frames(None)
        expected = len(numbered(mechanism))
        if read is not None and read.values.shape[1] != expected:
            count = read.values.shape[1]
            message = (
                f"a frame has {count} displacements; expected {expected}, one for each of the joint ids 0 "
                f"to {expected - 1} of the robot"
            )
            hint = "use a motion made for this robot, or a CSV file, whose header names the joints"
            self.findings.error("control-columns", message, self._place(self.node.get("frames")), hint)
            return None
        return read

    def poses(self) -> _Sequence | None:
        """The poses (k, 7) of the first link."""
        form = (
            self.node.word("SE3Format", "format") or self.top.word("SE3Format", "format") or "XYZQWQXQYQZ"
        )
        if form not in _QUATERNIONS and form != _RPY:
            message = f"unknown SE3Format {form[:40]!r}"
            hint = f"known forms: {', '.join([*_QUATERNIONS, _RPY])}"
            at = self._place(self.node.get(*_FORMS))
            self.findings.error("control-format", message, at, hint)
            return None
        read = self._frames(6 if form == _RPY else 7)
        if read is None:
            return None
        values = read.values
        if form == _RPY:
            turned = np.column_stack(quaternions_of(values[:, 3], values[:, 4], values[:, 5]))
        else:
            turned = values[:, _QUATERNIONS[form]]
        lengths = np.linalg.norm(turned, axis=1, keepdims=True)
        if not lengths.all():
            at = self._place(self.node.get("frames"))
            self.findings.error("control-number", "a frame has a zero quaternion", at, "write 1, 0, 0, 0")
            return None
        return _Sequence(read.times, np.column_stack([values[:, :3], turned / lengths]))

    def _frames(self, width: int | None) -> _Sequence | None:
        """The numbers of the frames; of poses (``width`` numbers each) those of the first part."""
        frames = self.node.get("frames")
        rate = self._header("frame_rate", "frameRate")
        offset = self._header("offset_time", "offsetTime")
        timed = (self.node.word(*_TIMED) or self.top.word(*_TIMED) or "").lower() in ("true", "yes", "on")
        if not isinstance(frames, Row) or not len(frames):
            message = "the component has no frames"
            self.findings.error("control-columns", message, self._place(self.node), "list the frames")
            return None
        if not timed and (rate is None or rate <= 0.0):
            message = "the motion has no frame rate"
            self.findings.error(
                "control-time", message, self._place(self.node), "write frame_rate: 100 (Hz)"
            )
            return None
        rows: list[Floats] = []
        for number, frame in enumerate(frames):
            row = self._frame(frame, width, timed)
            time = number / (rate or 1.0) if row is None or not timed else row[0]
            if row is None:
                return None
            if timed:
                row = row[1:]
            if rows and len(row) + 1 != len(rows[0]):
                message = f"the frame has {len(row)} numbers; the first one has {len(rows[0]) - 1}"
                self.findings.error(
                    "control-columns", message, self._place(frame), "write as many for each"
                )
                return None
            if rows and time < rows[-1][0]:
                message = f"time {format_float(time)} s comes after {format_float(float(rows[-1][0]))} s"
                self.findings.error("control-time", message, self._place(frame), SORT)
                return None
            rows.append(np.concatenate([[time], row]))
        table = np.array(rows)
        return _Sequence(table[:, 0] + (offset or 0.0), table[:, 1:])

    def _frame(self, frame: Value, width: int | None, timed: bool) -> Floats | None:
        """The time, if it has one, and the numbers of a frame; None with a finding."""
        parts: list[Value] = list(frame) if isinstance(frame, Row) else [frame]
        if width is not None:
            parts = parts[: 1 + timed]
        words: list[Word] = []
        for part in parts:
            if isinstance(part, Numbers):
                words += part.places()
            elif isinstance(part, Row):
                words += [each for each in part if isinstance(each, Word)]
            elif isinstance(part, Word):
                words.append(part)
        values = [parse_float(word.text.strip()) for word in words]
        bad = next((w for w, v in zip(words, values, strict=True) if not is_number(v)), None)
        if bad is not None:
            message = f"expected a finite number, got {bad.text.strip()[:40]!r}"
            self.findings.error("control-number", message, self._place(bad), NUMBER)
            return None
        if not words or (width is not None and len(words) != width + timed):
            message = f"the frame has {len(words)} numbers" + (f"; expected {width}" if width else "")
            self.findings.error(
                "control-columns", message, self._place(frame), "see SE3Format" if width else ""
            )
            return None
        return np.array(values, np.float64)

    def _header(self, *keys: str) -> float | None:
        return parse_float(self.node.word(*keys) or self.top.word(*keys) or "")

    def _place(self, value: Value | None) -> Span:
        return _span(self.source, value if value is not None else self.node)


def _at_times(poses: _Sequence, times: Floats) -> Floats:
    """The pose of the frame at or before each time."""
    rows = np.clip(np.searchsorted(poses.times, times, side="right") - 1, 0, len(poses.times) - 1)
    out: Floats = poses.values[rows]
    return out
