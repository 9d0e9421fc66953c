"""Show the content of a model.

Prints its name, counts and mass, the tree of links, and tables of joints, masses and devices;
then loops, couplings, coordinates, named configurations, groups and frames, if there are any. Angles are in
degrees, lengths in meters, masses in kilograms.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from unibody.cli.options import add_base, add_model, finish, read_model
from unibody.cli.output import Window, emit, emit_data, window

if TYPE_CHECKING:
    from unibody.formats.loader import Reading
    from unibody.model.robot import Robot

EXAMPLE = "unibody info robot.urdf --only tree"

# The sections, in the order in which they are printed, and their titles.
SECTIONS = {
    "summary": "",
    "tree": "Links and parent joints",
    "joints": "Joints",
    "masses": "Masses in kg, centers of mass in m",
    "devices": "Devices: positions in m, rotations in degrees",
    "loops": "Loops, with their gaps at the initial pose",
    "couplings": "Joint couplings",
    "coordinates": "Coordinates of MPK, from t = 0 to t = 1",
    "frames": "Frames: positions in m, rotations in degrees",
    "configurations": "Configurations",
    "groups": "Groups of links and joints",
    "extras": "Vendor data: kept for files of this format, without a meaning in the model",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    add_model(parser)
    add_base(parser)
    parser.add_argument(
        "--only",
        metavar="SECTION",
        action="append",
        choices=SECTIONS,
        help=f"print only this section; repeatable: {', '.join(SECTIONS)}",
    )


def run(options: argparse.Namespace) -> int:
    """Print the model; return the exit code."""
    reading = read_model(options)
    robot = reading.robot
    if robot is None:
        return finish(reading, options, found=False)
    if options.json:
        from unibody.cli.content import content

        data = content(robot, reading)
        emit_data({k: v for k, v in data.items() if not options.only or _section(k) in options.only})
    else:
        emit(_text(robot, reading, options))
    return finish(reading, options)


def _section(key: str) -> str:
    """The section of a key of the JSON output."""
    return {"links": "tree"}.get(key, key if key in SECTIONS else "summary")


def _text(robot: Robot, reading: Reading, options: argparse.Namespace) -> list[str]:
    shown = window()
    wanted = options.only or SECTIONS
    out: list[str] = []
    for name, title in SECTIONS.items():
        if name not in wanted:
            continue
        lines = _section_lines(name, robot, reading, shown)
        if not lines and not options.only:
            continue
        if out:
            out.append("")
        out += [title] if title else []
        out += lines or ["  none"]
    return out


def _section_lines(name: str, robot: Robot, reading: Reading, shown: Window) -> list[str]:
    from unibody.cli import sections

    if name == "summary":
        file = reading.source.name if reading.source else ""
        title = reading.format.title if reading.format else ""
        return sections.summary(robot, file, ", ".join(reading.beside), title, shown)
    if name == "loops":
        from unibody.checks.loops import gaps
        from unibody.text.finding import Findings

        findings = Findings()
        lines = sections.loops(robot, gaps(robot, findings), shown)
        reading.findings.extend(findings)
        return lines
    section: Callable[[Any, Window], list[str]] = getattr(sections, name)
    return section(robot, shown)
