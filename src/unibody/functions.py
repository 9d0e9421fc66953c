"""Public functions of lower layers that also take the path of a model file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from unibody.formats.loader import model_of, robots_of
from unibody.mechanism.assembly import assemble as assembled
from unibody.model import facts
from unibody.model.equality import Digest, file_digest
from unibody.model.facts import Difference
from unibody.model.scene import as_robot

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from unibody.formats.format import Format, ModelObject
    from unibody.formats.read_options import ReadKeywords
    from unibody.mechanism.mechanism import Mechanism
    from unibody.model.robot import Robot
    from unibody.model.scene import Scene


def assemble(
    robot: Robot | Scene | str | os.PathLike[str] | ModelObject,
    *,
    format: str | Format | None = None,
    **reading: Unpack[ReadKeywords],
) -> Mechanism:
    """Build the mechanism of a robot; AssembleError unless its links form one tree.

    ``robot`` may be a scene, whose robots become one in one world, or the path of a model file, which is
    read with the keywords of :func:`unibody.read`. ``base`` is "fixed" or "free", whatever the robot says;
    an unspecified base is computed as fixed.

    >>> from unibody.model.robot import Link, Robot
    >>> assemble(Robot(name="stone", links=(Link(name="stone"),)), base="free").nq
    7
    """
    base = reading.pop("base", None)
    return assembled(as_robot(model_of(robot, format, **reading), base))


def diff(
    a: Robot | Scene | str | os.PathLike[str] | ModelObject,
    b: Robot | Scene | str | os.PathLike[str] | ModelObject,
    digest: Digest = file_digest,
    *,
    format: str | Format | None = None,
    **reading: Unpack[ReadKeywords],
) -> list[Difference]:
    """Differences between two robots; empty if they are equal.

    Each may be a scene, whose robots are compared in one world, or the path of a model file, which is read
    with the keywords of :func:`unibody.read`. Items are matched by name, after renames; shapes, drives and
    extras by similarity. ``digest`` returns the digest of a mesh or texture file, None if it cannot be
    read.

    >>> from unibody.model.robot import Link, Robot
    >>> old = Robot(name="arm", links=(Link(name="hand"),))
    >>> print(*diff(old, Robot(name="arm", links=(Link(name="palm"),))))
    links/hand: renamed to palm
    """
    first, second = robots_of((a, b), format, **reading)
    return facts.diff(first, second, digest)
