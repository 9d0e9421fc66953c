"""Writes the robots of a scene into one file, and measures what it says of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from unibody.conversion.assets import Assets
from unibody.conversion.destination import Destination
from unibody.conversion.lowering import Lowered, check_writable, lower
from unibody.conversion.output import Output
from unibody.conversion.readback import dead_references, output_reading
from unibody.conversion.steps import Written, as_unknown, compared, differences_in
from unibody.conversion.writing import sidecar_lines, write_scene
from unibody.formats.loader import Reading
from unibody.meshes.cache import MeshCache
from unibody.model.robot import Robot
from unibody.model.scene import Scene, in_one_world
from unibody.text.finding import Findings


@dataclass(frozen=True, slots=True)
class WrittenScene:
    """The output of a scene, and what it says of each robot, and of what is beside them.

    ``scene`` has the robots as the options ask for them; ``meshes`` read the mesh files of each.
    """

    scene: Scene
    output: Output
    robots: tuple[Written, ...]
    meshes: tuple[MeshCache, ...]
    beside: Written


def write_robots(scene: Scene, destination: Destination, plain: bool) -> WrittenScene | None:
    """The file of the robots of a scene; None if what is read back of it are not these robots.

    ``plain`` leaves out the side-cars. SaveError for a robot that is no tree, or has invalid numbers.
    """
    robots = tuple(map(destination.writer.requested, in_one_world(scene).robots))
    for robot in robots:
        check_writable(robot)
    scene = replace(scene, robots=robots)
    meshes = tuple(MeshCache(findings=Findings()) for _ in robots)
    assets = Assets(destination.folder, flat=destination.in_memory)
    lowered = [lower(robot, destination, plain, assets=assets) for robot in scene.robots]
    lines: list[list[str]] = [[] for _ in lowered]
    output = write_scene(scene, lowered, destination, lines)
    reading = output_reading(output, destination, plain=True)
    back = _robots_in(reading, scene)
    if back is None:
        return None
    found = [
        compared(other, output, robot, destination, plain)
        for robot, other in zip(scene.robots, back, strict=True)
    ]
    beside = compared(_beside(reading.scene), output, _beside(scene), destination, plain)
    if not plain and any(each.remaining for each in found):
        lines = [
            sidecar_lines(each, written.readback) if written.remaining else []
            for each, written in zip(lowered, found, strict=True)
        ]
        output = write_scene(scene, lowered, destination, lines)
        carried = _robots_in(output_reading(output, destination), scene) or back
        found = [
            replace(
                written,
                output=output,
                remaining=differences_in(robot, as_unknown(other, robot), output, destination),
            )
            for written, robot, other in zip(found, scene.robots, carried, strict=True)
        ]
    made = [
        _with_left_out(written, each, robot, bool(sidecar), cache)
        for written, each, robot, sidecar, cache in zip(
            found, lowered, scene.robots, lines, meshes, strict=True
        )
    ]
    return WrittenScene(scene, output, tuple(made), meshes, replace(beside, dead=dead_references(reading)))


def _with_left_out(
    written: Written, lowered: Lowered, robot: Robot, carried: bool, meshes: MeshCache
) -> Written:
    """The same with the parts of shapes that its mesh files lack, and with the findings about these."""
    left_out = lowered.store.left_out
    return replace(
        written,
        losses=[*written.losses, *left_out],
        remaining=[*written.remaining, *(() if carried else left_out)],
        findings=lowered.store.findings_about(robot, meshes),
    )


def _robots_in(reading: Reading, scene: Scene) -> Sequence[Robot] | None:
    """The robots that a file says, in the order of the scene: what stands beside them comes last."""
    found = () if reading.scene is None else reading.scene.robots
    return found[: len(scene.robots)] if len(found) >= len(scene.robots) else None


def _beside(scene: Scene | None) -> Robot:
    """What a scene has beside its robots, as a robot."""
    return Robot(name="") if scene is None else Robot(name=scene.name, extras=scene.extras)
