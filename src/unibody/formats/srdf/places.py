"""Where an SRDF has its URDF, which it does not name."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import field

from unibody.files.access import FileError
from unibody.formats.format import Context
from unibody.text.dataclass import dataclass
from unibody.text.decode import decode
from unibody.text.finding import Findings, TextError
from unibody.text.node import Node, Value

_MOST_MIRRORS = 2
#: The ends of the names of URDF files.
URDF = (".urdf", ".urdf.xacro", ".xacro")


@dataclass(frozen=True, slots=True)
class Place:
    """A URDF, and the values of its xacro arguments that are noted with it."""

    path: str
    arguments: Mapping[str, str] = field(default_factory=dict)


def urdf_of(name: str | None, context: Context) -> Place | None:
    """The URDF of the SRDF that is read, whose robot is ``name``; None if there is none.

    It is the one that MoveIt's setup assistant noted, or has the same name, or the robot's, or is the only
    one in the folder of the SRDF, in one beside it, in the same folder below ``urdf/``, or in the
    description package beside its own.
    """
    folder, stem = folder_and_stem(context.path)
    for above in ("..", "../.."):
        if noted := _noted(near(folder, above, ".setup_assistant"), context):
            return noted
    robot = package(folder).removesuffix("_moveit_config")
    description = (folder, "..", "..", f"{robot}_description")
    wanted = [f"{word}{suffix}" for word in (stem, name or stem, robot) for suffix in URDF]
    for place in (
        folder,
        near(folder, "..", "urdf"),
        near(folder, "..", "robots"),
        near(folder, ".."),
        *(place for word in ("urdf", "robots") for place in mirrored(folder, "srdf", word)),
        near(*description, "urdf"),
        near(*description, "robots"),
    ):
        names = [n for n in context.files.names(place or ".") if n.endswith(URDF)]
        chosen = [n for n in wanted if n in names] or (names if len(names) == 1 else [])
        if chosen:
            return Place(os.path.join(place, chosen[0]))
    return None


def _noted(path: str, context: Context) -> Place | None:
    """The URDF that the notes of MoveIt's setup assistant name, if it is there, with its arguments."""
    if not context.files.exists(path):
        return None
    from unibody.text.yaml import parser as yaml

    unheard = Findings()
    try:
        source = decode(context.files.read(path), path, unheard, context.files.meter)
        notes: Value | None = yaml.parse(source, unheard)
    except (TextError, FileError):
        return None
    for word in ("moveit_setup_assistant_config", "URDF"):
        # MoveIt 2 writes the word in small letters
        found = (
            [v for k, v, _ in notes.items if k.lower() == word.lower()] if isinstance(notes, Node) else []
        )
        notes = found[0] if found else None
    if not isinstance(notes, Node):
        return None
    name, relative = notes.word("package"), notes.word("relative_path")
    if not name or not relative:
        return None
    uri = f"package://{name}/{relative}"
    urdf = context.files.find(uri, context.path)
    return None if urdf is None else Place(urdf, xacro_arguments(notes.word("xacro_args") or ""))


def xacro_arguments(text: str) -> dict[str, str]:
    """The arguments of a command line of xacro, whose options are left out.

    >>> xacro_arguments("--inorder dof:=7 name:='left arm'")
    {'dof': '7', 'name': 'left arm'}
    """
    import shlex

    try:
        words = shlex.split(text)
    except ValueError:  # a quote that is not closed
        words = text.split()
    return {name: value for name, mark, value in (word.partition(":=") for word in words) if mark and name}


def folder_and_stem(path: str) -> tuple[str, str]:
    """The folder of a file, and its name up to the first dot."""
    folder, file = os.path.split(path)
    return folder, file.partition(".")[0]


def mirrored(folder: str, old: str, new: str) -> list[str]:
    """The same folder below ``new`` where it is below a folder called ``old``; the nearest one first.

    >>> mirrored("shop/srdf/ur5/v2", "srdf", "urdf")
    ['shop/urdf/ur5/v2']
    """
    parts = folder.replace("\\", "/").split("/")
    places = [k for k in range(len(parts) - 2, -1, -1) if parts[k] == old]
    return ["/".join([*parts[:k], new, *parts[k + 1 :]]) for k in places[:_MOST_MIRRORS]]


def near(*parts: str) -> str:
    """The normalized path of the joined parts."""
    return os.path.normpath(os.path.join(*parts))


def package(folder: str) -> str:
    """The name of the folder above, which is that of the package where robots are kept in packages."""
    return os.path.basename(os.path.dirname(os.path.abspath(folder)))
