"""Files of a robot that were not read, of which a report must not speak as if it knew them."""

from __future__ import annotations

from unibody.conversion.asset_paths import shape_files
from unibody.files.access import Files
from unibody.model.robot import Robot
from unibody.text.finding import Finding


def unread_files(robot: Robot, files: Files) -> dict[str, Finding | None]:
    """The URIs of files of shapes that were not found, or that hold something else in their place.

    The value is the finding that says what a file holds, None if there is no file.
    """
    found: dict[str, Finding | None] = {}
    known: dict[str, Finding | None] = {}
    for link in robot.solids:
        for shape in (*link.visuals, *link.collisions, *link.collisions_alt):
            for reference in shape_files(shape):
                path = reference.path
                if path and path not in known:
                    known[path] = files.stand_in(path, shape.at)
                if reference.uri and (not path or known[path] is not None):
                    found.setdefault(reference.uri, known.get(path))
    return found
