"""Writes a robot as one text, without files beside it."""

from __future__ import annotations

import os
from collections.abc import Iterable

from unibody.conversion.asset_paths import file_paths
from unibody.conversion.completion import subject_of
from unibody.conversion.destination import Destination, checked_options, choose_destination, target_format
from unibody.conversion.lowering import check_writable
from unibody.conversion.output import Output, SaveError
from unibody.conversion.scenes import write_robots
from unibody.conversion.steps import write_model
from unibody.formats.format import Format
from unibody.model.base import Base, with_base
from unibody.model.robot import Robot
from unibody.model.scene import Scene, as_robot, scene_with_base
from unibody.text.finding import Finding


def dumps(
    robot: Robot | Scene,
    *,
    format: str | Format,
    plain: bool = False,
    base: Base | None = None,
    directory: str | os.PathLike[str] = "",
    **options: str,
) -> str:
    """Write a robot as text; :func:`save` also writes its files and reports the losses.

    ``format`` is a name or a Format; ``plain`` writes no side-car for what the format lacks; ``base`` and
    the ``options`` of the format are as in :func:`save`. Relative paths of mesh and texture files are
    relative to ``directory``, by default the current one. Raises SaveError if the robot cannot be written,
    or needs files beside it, such as meshes that the format cannot represent.

    >>> from unibody.model.robot import Link
    >>> print(dumps(Robot(name="box", links=(Link(name="box"),)), format="urdf"), end="")
    <?xml version="1.0"?>
    <robot name="box">
      <link name="box"/>
    </robot>
    """
    scene = scene_with_base(robot, base) if isinstance(robot, Scene) else None
    robot = with_base(as_robot(robot), base)
    path = os.path.join(os.fspath(directory), "text")
    allow = {os.path.dirname(os.path.abspath(p)) for p in file_paths(robot)}
    chosen = target_format(path, format)
    given = checked_options(chosen, options, dumps.__kwdefaults__ or ())
    destination = choose_destination(path, chosen, keep=True, package="", allow=allow, options=given)
    if scene is not None and (alone := destination.writer.alone(scene)) is not None:
        robot, scene = alone, None
    robot = destination.writer.requested(robot)
    robot, destination = subject_of(robot, destination)
    plain = plain or destination.over is not None
    check_writable(robot)
    output = None if scene is None else _scene_output(scene, destination, plain)
    more: Iterable[str] = ()
    if output is None:
        output = write_model(robot, destination, None, plain).output
        more = destination.writer.beside(os.path.basename(path), robot, None)
    if others := [*output.names[1:], *more]:
        message = f"model requires files beside its text: {', '.join(others)}"
        raise SaveError([Finding("not-writable", "error", message, hint="use save")])
    return output.data.decode("utf-8")


def _scene_output(scene: Scene, destination: Destination, plain: bool) -> Output | None:
    """The output of the robots of a scene; None if they are written as one."""
    if len(scene.robots) < 2 or destination.writer.from_scene is None:
        return None
    made = write_robots(scene, destination, plain)
    return None if made is None else made.output
