"""URDF, the robot description format of ROS, with xacro."""

from __future__ import annotations

import re
from collections.abc import Mapping

from unibody.formats.arguments import ARGUMENTS
from unibody.formats.format import (
    Declarations,
    EditorSchema,
    Format,
    Reader,
    ReadOption,
    WriteOption,
    Writer,
)


def _declarations() -> Declarations:
    from unibody.formats.urdf.document import OWNERS, Robot

    return Declarations(root=Robot, title="URDF: all elements and attributes", owners=OWNERS)


def _reader() -> Reader:
    from unibody.formats.urdf.reader import READER

    return READER


def _writer() -> Writer:
    from unibody.formats.urdf.write import WRITER

    return WRITER


def _samples() -> Mapping[str, str]:
    from unibody.formats.urdf.samples import SAMPLES

    return SAMPLES


# The root element of a robot; many files that others include have no name.
_NAMED = re.compile(r"<robot\b[^>]*\sname\s*=")


def _is_part(path: str, text: str) -> bool:
    if not path.lower().endswith(".xacro"):
        return False
    if _NAMED.search(text) is None:
        return True
    from unibody.formats.xacro.parts import is_part

    return is_part(path, text)


FORMAT = Format(
    name="urdf",
    title="URDF",
    suffixes=(".urdf", ".xacro"),
    magic=("<robot",),
    syntax="xml",
    is_part=_is_part,
    declarations=_declarations,
    reader=_reader,
    writer=_writer,
    schema=EditorSchema(file="urdf.xsd", closed="urdf-closed.xsd", tag="robot"),
    read_options=(
        ReadOption(
            name="srdf",
            form="path",
            metavar="FILE",
            help="SRDF of a URDF (default: the one beside it or in its MoveIt package), or none",
        ),
        ARGUMENTS,
    ),
    options=(
        WriteOption(
            name="urdf_version",
            choices=("auto", "1.0", "1.1", "1.2"),
            help="version of a URDF output (default: that of a URDF source, else 1.0); auto is the oldest "
            "that can say everything",
        ),
        WriteOption(
            name="loops",
            choices=("constraint", "urdf+", "loop_joint"),
            help="elements for closed loops in a URDF output: the proposed <constraint> (default), <loop> "
            "and <coupling> of URDF+, or <loop_joint> of Isaac Sim",
        ),
        WriteOption(
            name="frames",
            choices=("all", "used", "none"),
            help="frames, such as sites of MJCF, that become links behind fixed joints in a URDF output: "
            "those of sensors, actuators and tendons, or that trace a path (used, default), all, or none",
        ),
        WriteOption(name="srdf", choices=("",), help="write no SRDF beside a URDF output"),
    ),
    docs="formats/urdf.md",
    rules="URDF and xacro",
    samples=_samples,
    descriptions=("URDF_PATH", "XACRO_PATH"),
)
