"""The data of the page: trees, meshes and findings of one or two robots, in one block of bytes.

The page computes with it as ``Mechanism.forward_kinematics`` does; viewer/src/model.ts has the same fields.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from unibody.files.uris import package_parts, package_subject
from unibody.mechanism import assemble
from unibody.meshes import MeshCache
from unibody.model.robot import Link, Robot
from unibody.model.shape import Shape
from unibody.model.traverse import path_of
from unibody.motions.motion import Motion
from unibody.page.cloud import Cloud, cloud_data
from unibody.page.compare import comparison
from unibody.page.findings import Examination, Ways, findings_data
from unibody.page.numbers import finites
from unibody.page.robot import computable, link_places, page_positions, robot_data
from unibody.page.shapes import Data, Drawing, sides_of
from unibody.page.sources import Sources
from unibody.text.finding import Finding, Findings
from unibody.text.hint import Asker

if TYPE_CHECKING:
    from unibody.simulation.record import Record

VERSION = 2

Up = Literal["y", "z"]
ProvedPair: TypeAlias = tuple[str, str, str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Origin of a robot: the path of its file as given, and the title of its format.

    Hints name settings in the words of the ``asker``.
    """

    file: str = ""
    format: str = ""
    asker: Asker = "python"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A robot to show, with the findings of reading it and its origin.

    With an ``examination`` the page has its findings; without one it says that the robot is not checked.
    """

    robot: Robot
    findings: Sequence[Finding] = ()
    origin: Origin = field(default_factory=Origin)
    examination: Examination | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Extras:
    """Additional content of a page; it belongs to the first robot.

    ``motion`` is played; ``pose`` is where joints are at first (numbers in rad or m by joint name, by the
    root link's the base), ``layers`` what is shown at first (names as in viewer/src/settings.ts).
    ``record`` is a run, which is played like a motion. ``live``: the server may show another robot later;
    ``checking``: it will have the findings of an examination; ``editing``: it saves poses.
    ``workspace`` are points that a link gets to,
    ``up`` is the axis that is drawn upwards (None: that of the first robot). ``proof`` is what is known of
    pairs of links: their names, a status of ``unibody.self_collision``, and a configuration or None.
    ``ranges`` are proved ranges of joints around a configuration: what ``World.free_ranges`` returns.
    """

    motion: Motion | None = None
    record: Record | None = None
    pose: Mapping[str, Any] = field(default_factory=dict)
    layers: Sequence[str] = ()
    live: bool = False
    checking: bool = False
    editing: bool = False
    workspace: Cloud | None = None
    up: Up | None = None
    proof: Sequence[ProvedPair] | None = None
    ranges: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageData:
    """The bytes that the page reads, and the findings of reading and drawing its robots.

    ``drawn`` are those of drawing each robot.
    """

    bytes: bytes
    findings: list[Finding]
    drawn: Sequence[Sequence[Finding]] = ()


def page_data(
    robot: Robot,
    findings: Sequence[Finding] = (),
    cache: MeshCache | None = None,
    origin: Origin | None = None,
) -> PageData:
    """The page's data of a robot; the same input gives the same bytes.

    ``findings`` are those of reading it; those of its meshes, and what the page cannot show, come
    behind them. AssembleError when its links do not make one tree.

    >>> from unibody.model.robot import Link
    >>> page_data(Robot(name="stone", links=(Link(name="stone"),))).bytes[:4]
    b'ubvw'
    """
    return pages_data([Shown(robot=robot, findings=findings, origin=origin or Origin())], cache)


def pages_data(
    shown: Sequence[Shown], cache: MeshCache | None = None, extras: Extras | None = None
) -> PageData:
    """Like :func:`page_data`, for one robot or two to compare, with additional content."""
    extras = extras or Extras()
    drawing = Drawing(cache or MeshCache(findings=Findings()))
    known: dict[Finding, None] = {}
    robots: list[Data] = []
    drawn: list[list[Finding]] = []
    for each in shown:
        noted = len(drawing.cache.findings)
        data, found = _one(each, drawing, noted)
        robots.append(data)
        drawn.append(found)
        known.update(dict.fromkeys([*each.findings, *found]))
    header = {
        "version": VERSION,
        "robots": robots,
        "comparison": comparison(shown[0].robot, shown[1].robot) if len(shown) > 1 else None,
        "materials": drawing.materials,
        "meshes": drawing.meshes,
        "textures": drawing.textures.data,
        "turns": drawing.turns,
        **_played(extras, shown[0].robot, drawing),
        "workspace": _workspace(extras.workspace, shown[0].robot, drawing),
        "proof": _proof(extras.proof, shown[0].robot),
        "ranges": _ranges(extras.ranges, shown[0].robot),
        "up": extras.up or shown[0].robot.up,
        "pose": _pose(extras.pose, shown[0].robot),
        "layers": list(extras.layers),
        "live": extras.live,
        "checking": extras.checking,
        "editing": extras.editing,
    }
    return PageData(bytes=drawing.pack.finish(header), findings=list(known), drawn=drawn)


def _one(shown: Shown, drawing: Drawing, noted: int) -> tuple[Data, list[Finding]]:
    """The header of one robot, and the findings of drawing it."""
    robot = shown.robot
    mechanism = assemble(computable(robot))
    shapes: dict[str, list[Data]] = {"visual": [], "collision": []}
    missing: dict[str, list[Data]] = {"visual": [], "collision": []}
    lacking: list[tuple[Link, Shape]] = []
    sides = sides_of(s for link in robot.solids for s in (*link.visuals, *link.collisions))
    for place, link in enumerate(robot.solids):
        for word, group in (("visual", link.visuals), ("collision", link.collisions)):
            drawn, lost, places = drawing.add(
                place, group, sides, _behind(link) if word == "visual" else ()
            )
            shapes[word] += drawn
            missing[word] += places
            lacking += [(link, shape) for shape in lost]
    found: list[Finding] = drawing.cache.findings[noted:]
    found += _stand_ins(lacking, [*shown.findings, *drawing.cache.findings])
    if shown.examination is None:
        known = list(dict.fromkeys([*shown.findings, *found]))
    else:
        known = shown.examination.with_drawn(found)
    ways = Ways(shown.origin.file)
    sources = Sources(ways)
    data = {
        "name": robot.name,
        "file": os.path.basename(shown.origin.file),
        "format": shown.origin.format,
        **robot_data(robot, mechanism, sources),
        "shapes": shapes,
        "sites": _sites(robot, drawing),
        "missing": missing,
        "findings": findings_data(known, robot, shown.origin.asker, ways, sources),
        "checked": shown.examination is not None,
    }
    # Last, after everything else has added its lines.
    data["sources"] = sources.data()
    return data, found


def _sites(robot: Robot, drawing: Drawing) -> list[Data]:
    """The shapes of the frames that have one."""
    links = link_places(robot)
    out: list[Data] = []
    shown = [frame for frame in robot.frames if frame.link in links]
    sides = sides_of(frame.shape for frame in shown if frame.shape is not None)
    for place, frame in enumerate(shown):
        if frame.shape is not None:
            at = replace(frame.shape, pose=frame.pose @ frame.shape.pose, name=frame.name)
            out += [{**one, "frame": place} for one in drawing.add(links[frame.link], [at], sides)[0]]
    return out


def _behind(link: Link) -> list[Shape]:
    """The shapes of group 0 that collide, of a link that has others only to be seen, in another group."""
    collide = {id(shape.at) for shape in link.collisions if shape.at is not None}
    if all(id(shape.at) in collide or not shape.group for shape in link.visuals):
        return []
    return [shape for shape in link.visuals if not shape.group and id(shape.at) in collide]


def _stand_ins(lacking: Sequence[tuple[Link, Shape]], known: Sequence[Finding]) -> list[Finding]:
    """A finding for every mesh replaced by a box, unless another finding explains it."""
    subjects = {f.subject for f in known if f.severity != "info"}
    explained = {os.path.basename(subject.replace("\\", "/")) for subject in subjects}
    out: dict[tuple[str, str], Finding] = {}
    for link, shape in lacking:
        uri = getattr(shape.geometry, "uri", "")
        name = os.path.basename(uri.replace("\\", "/"))
        package = package_subject(package_parts(uri)[0])
        if not name or (name not in explained and package not in subjects):
            message = f"link '{link.name}': mesh {uri!r} has nothing to draw; showing a box"
            out.setdefault(
                (link.name, uri),
                Finding(
                    "mesh-not-drawn", "warning", message, shape.at, subject=path_of("links", link.name)
                ),
            )
    return list(out.values())


def _pose(pose: Mapping[str, Any], robot: Robot) -> list[Any]:
    """Joint indices (-1 for the base) and positions; KeyError or ValueError for invalid input."""
    if not pose:
        return []
    assemble(computable(robot)).positions(pose)
    joints = {joint.name: place for place, joint in enumerate(robot.joints)}
    return [
        [joints.get(name, -1), finites(np.asarray(value, np.float64).reshape(-1).tolist())]
        for name, value in pose.items()
    ]


def _proof(pairs: Sequence[ProvedPair] | None, robot: Robot) -> list[Any] | None:
    """Link indices, status and positions of each pair; positions only where the page computes as before."""
    if pairs is None:
        return None
    mechanism = assemble(computable(robot))
    links = link_places(robot)
    return [
        [
            links[a],
            links[b],
            status,
            None if q is None or len(q) != mechanism.nq else page_positions(mechanism, q),
        ]
        for a, b, status, q in pairs
        if a in links and b in links
    ]


def _ranges(ranges: Any, robot: Robot) -> Data | None:
    """The proved ranges and the positions around which they are; None where the page computes otherwise."""
    if ranges is None:
        return None
    mechanism = assemble(computable(robot))
    if len(ranges.q) != mechanism.nq:
        return None
    joints = {joint.name: place for place, joint in enumerate(robot.joints)}
    return {
        "positions": page_positions(mechanism, ranges.q),
        "joints": [
            {
                "joint": joints[each.joint],
                "low": each.low,
                "high": each.high,
                "below": each.below,
                "above": each.above,
            }
            for each in ranges.joints
            if each.joint in joints
        ],
        "touching": [list(pair) for pair in ranges.touching],
    }


def _workspace(cloud: Cloud | None, robot: Robot, drawing: Drawing) -> Data | None:
    return None if cloud is None else cloud_data(cloud, robot, drawing.pack)


def _played(extras: Extras, robot: Robot, drawing: Drawing) -> Data:
    """The motion, and the run that it belongs to."""
    motion, record = extras.motion, extras.record
    if record is not None:
        from unibody.page.record import record_data, record_motion

        motion = record_motion(record)
        run = record_data(record, robot, drawing.pack)
    return {
        "motion": _motion(motion, robot, drawing) if motion is not None else None,
        "record": run if record is not None else None,
    }


def _motion(motion: Motion, robot: Robot, drawing: Drawing) -> Data:
    joints = {joint.name: place for place, joint in enumerate(robot.joints)}
    times = np.asarray(motion.times, np.float64)
    # -1 is the base. Unix times exceed 32-bit precision: times are relative to the first row.
    return {
        "name": motion.name,
        "columns": [[joints.get(joint, -1), part] for joint, part in motion.columns],
        "begin": float(times[0]),
        "times": drawing.pack.add((times - times[0]).astype(np.float32)),
        "values": drawing.pack.add(np.asarray(motion.q, np.float32)),
    }
