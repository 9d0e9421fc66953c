"""Finds the fixes of a model's findings and verifies them in memory."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from unibody.checks.rules import fixable_codes
from unibody.fixes.candidates import Which
from unibody.fixes.plan import Fix, Model
from unibody.fixes.search import find_fixes
from unibody.formats.format import Format
from unibody.formats.read_options import ReadOptions
from unibody.model.robot import Robot, not_accepted
from unibody.model.scene import Scene

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from unibody.formats.read_options import ReadKeywords


def fix(
    model: Robot | Scene | str | os.PathLike[str],
    which: Which = "safe",
    *,
    format: str | Format | None = None,
    **reading: Unpack[ReadKeywords],
) -> Fix:
    """Find and verify the edits that fix the findings of a model file, without writing them.

    ``model`` is a path, or a robot or a scene that was read from one file. ``which`` is "safe" (errors and
    warnings whose fix keeps the robot the same), "all", or finding codes. The other parameters are those of
    :func:`unibody.read`. Show ``diff()``, then call ``write()``. Never raises because of the content of a
    file; ValueError for a code without a fix, and for a robot without a file.

    >>> from unibody.files.access import MemoryFiles
    >>> text = '<robot name="r"><link name="a"/></robot> the end'
    >>> print(fix("r.urdf", files=MemoryFiles({"r.urdf": text.encode()})).diff(), end="")
    --- r.urdf
    +++ r.urdf
    @@ -1 +1 @@ text-after-root: remove the text after the root element
    -<robot name="r"><link name="a"/></robot> the end
    \\ No newline at end of file
    +<robot name="r"><link name="a"/></robot>
    \\ No newline at end of file
    """
    if isinstance(model, Robot | Scene):
        path = _file_of(model)
    elif isinstance(model, str | os.PathLike):
        path = os.fspath(model)
    else:
        raise not_accepted(model, "a Robot, a Scene or the path of a model file")
    return fixed(Model(path=path, format=format, options=ReadOptions.of(reading, format)), which)


def _file_of(model: Robot | Scene) -> str:
    """The file a model was read from: that of root links, which never come from a sub-model."""
    robots = model.robots if isinstance(model, Scene) else (model,)
    places = [robot.link(robot.root).at for robot in robots if robot.links]
    files = {at.source.name for at in places if at is not None}
    if not files:
        raise ValueError(f"{model.name!r} was not read from a file; check it with unibody.check")
    if len(files) > 1:
        raise ValueError(f"the robots of {model.name!r} are from {len(files)} files; give the path of one")
    return files.pop()


def fixed(model: Model, which: Which = "safe") -> Fix:
    """As :func:`fix`, with the reading settings in ``model``."""
    if which not in ("safe", "all"):
        which = [which] if isinstance(which, str) else list(which)
        if unknown := sorted(set(which) - fixable_codes()):
            raise ValueError(f"'{unknown[0]}' has no fix")
    return find_fixes(model, which)
