"""Where an SRDF has its URDF, which it does not name."""

from __future__ import annotations

import os

from unibody.formats.format import Context

_URDF = (".urdf", ".urdf.xacro", ".xacro")


def urdf_of(name: str | None, context: Context) -> str | None:
    """The path of the URDF of the SRDF that is read, whose robot is ``name``; None if there is none.

    It has the same name, or the robot's, or is the only one in the folder of the SRDF, in one beside it, or
    in the description package beside its MoveIt package.
    """
    folder, stem = folder_and_stem(context.path)
    robot = package(folder).removesuffix("_moveit_config")
    description = (folder, "..", "..", f"{robot}_description")
    wanted = [f"{word}{suffix}" for word in (stem, name or stem, robot) for suffix in _URDF]
    for place in (
        folder,
        near(folder, "..", "urdf"),
        near(folder, "..", "robots"),
        near(folder, ".."),
        near(*description, "urdf"),
        near(*description, "robots"),
    ):
        names = [n for n in context.files.names(place or ".") if n.endswith(_URDF)]
        chosen = [n for n in wanted if n in names] or (names if len(names) == 1 else [])
        if chosen:
            return os.path.join(place, chosen[0])
    return None


def folder_and_stem(path: str) -> tuple[str, str]:
    """The folder of a file, and its name up to the first dot."""
    folder, file = os.path.split(path)
    return folder, file.partition(".")[0]


def near(*parts: str) -> str:
    """The normalized path of the joined parts."""
    return os.path.normpath(os.path.join(*parts))


def package(folder: str) -> str:
    """The name of the folder above, which is that of the package where robots are kept in packages."""
    return os.path.basename(os.path.dirname(os.path.abspath(folder)))
