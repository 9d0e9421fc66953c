"""Writes a robot as one text, without files beside it."""

from __future__ import annotations

import os
from dataclasses import replace

from unibody.conversion.asset_paths import file_paths
from unibody.conversion.completion import subject_of
from unibody.conversion.destination import checked_options, choose_destination, target_format
from unibody.conversion.lowering import check_writable, lower
from unibody.conversion.measurement import find_differences
from unibody.conversion.output import Output, SaveError
from unibody.conversion.readback import read_output
from unibody.conversion.writing import sidecar_lines, write
from unibody.formats.format import Format
from unibody.model.base import Base, with_base
from unibody.model.robot import Robot
from unibody.model.scene import Scene, as_robot
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
    robot = with_base(as_robot(robot), base)
    path = os.path.join(os.fspath(directory), "text")
    allow = {os.path.dirname(os.path.abspath(p)) for p in file_paths(robot)}
    chosen = target_format(path, format)
    given = checked_options(chosen, options, dumps.__kwdefaults__ or ())
    destination = choose_destination(path, chosen, keep=True, package="", allow=allow, options=given)
    robot = destination.writer.requested(robot)
    robot, destination = subject_of(robot, destination)
    plain = plain or destination.over is not None
    check_writable(robot)
    lowered = lower(robot, destination, plain)
    output = write(lowered, destination, [])
    more = destination.writer.beside(os.path.basename(path), robot)
    output = replace(output, beside={name: text.encode("utf-8") for name, text in more.items()})
    _check_alone(output, "use save")
    readback = read_output(output, destination, plain=True)
    if not plain and find_differences(robot, readback, output.assets.digest):
        sidecar = sidecar_lines(lowered, readback)
        output = write(lowered, destination, sidecar)
        _check_alone(output, "use save, or write a plain text")
        read_output(output, destination)
    return output.data.decode("utf-8")


def _check_alone(output: Output, hint: str) -> None:
    if len(output.names) > 1:
        message = f"model requires files beside its text: {', '.join(output.names[1:])}"
        raise SaveError([Finding("not-writable", "error", message, hint=hint)])
