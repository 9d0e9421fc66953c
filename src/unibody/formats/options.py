"""The options of reading and writing: those of all formats, and those that formats declare."""

from __future__ import annotations

from collections.abc import Collection

from unibody.formats import FORMATS
from unibody.formats.format import Format, ReadOption
from unibody.model.base import BASES
from unibody.text.finding import Finding, Severity
from unibody.text.near import suggestion

#: The options of the command for the keywords of all formats.
READ_OPTIONS = (
    ReadOption(
        name="packages",
        form="mapping",
        flag="--package",
        metavar="NAME=DIR",
        help="folder of package://NAME/; repeatable",
    ),
    ReadOption(
        name="allow",
        form="list",
        metavar="DIR",
        help="let the model refer to files in DIR, besides its own folder and packages; repeatable",
    ),
    ReadOption(
        name="remap",
        form="mapping",
        metavar="OLD=NEW",
        help="read mesh, texture and included files from NEW if their path begins with OLD; repeatable",
    ),
    ReadOption(
        name="limits",
        form="limits",
        flag="--limit",
        metavar="NAME=VALUE",
        help="override a resource limit, e.g. nodes=1e7 or nodes=inf (see unibody formats --limits); "
        "repeatable",
    ),
    ReadOption(
        name="base",
        form="word",
        choices=BASES,
        help="fix the root link to the world or free it, overriding the file",
    ),
    ReadOption(
        name="scale",
        form="number",
        metavar="[NAME=]FACTOR",
        help="scale the mesh files, e.g. 0.001 for millimeters, or those named NAME (hand.stl, '*.dae'); "
        "repeatable",
    ),
    ReadOption(
        name="up_axis",
        form="axis",
        metavar="[NAME=]AXIS",
        help="the axis (X, Y or Z; choreonoid-X or choreonoid-Y: Body's upper_axis) that points up in the "
        "mesh files, or in those named NAME; repeatable",
    ),
)


def declared_options(format: str | Format | None = None) -> dict[str, ReadOption]:
    """The reading options that formats declare by name, those of a caller's own ``format`` included."""
    formats = (*FORMATS, format) if isinstance(format, Format) else FORMATS
    return {option.name: option for each in formats for option in each.read_options}


def unexpected(name: str, known: Collection[str]) -> TypeError:
    """The error for a keyword that no function has."""
    hint = suggestion(name, known, f"known keywords: {', '.join(sorted(known))}")
    return TypeError(f"unexpected keyword argument '{name}'{hint}")


def unsupported(name: str, format: Format, severity: Severity = "error") -> Finding:
    """The finding about an option that a format does not have, with those that do."""
    others = (f for f in FORMATS if name in {x.name for x in f.read_options} | {x.name for x in f.options})
    ignored = "" if severity == "error" else "; ignored"
    return Finding(
        "option-unsupported",
        severity,
        f"option '{name}' is unsupported in {format.title} files{ignored}",
        hint=f"it is an option of {', '.join(other.title for other in others)} files",
        subject=f"options/{name}",
    )
