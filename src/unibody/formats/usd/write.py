"""Writes a robot as a stage of USD, in the layers that the published converters have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from unibody.document.declare import Document
from unibody.formats.format import Writer
from unibody.formats.refused import impossible_inertias
from unibody.formats.usd.cannot import CANNOT
from unibody.formats.usd.write_bodies import Bodies
from unibody.formats.usd.write_drives import gains
from unibody.formats.usd.write_joints import Joints
from unibody.formats.usd.write_kept import put_back
from unibody.formats.usd.write_layers import Layers, made, pack
from unibody.formats.usd.write_lowered import changes, is_empty_world, with_meshes
from unibody.formats.usd.write_materials import Materials
from unibody.formats.usd.write_shapes import Shapes, holds
from unibody.formats.usd.write_stage import Stage, identifier
from unibody.model.base import stated_base
from unibody.model.robot import Robot
from unibody.model.validation.size import headed, magnitudes, subject
from unibody.text.finding import Finding, TextError

#: The largest length, mass or moment: the frames of bodies are products, in numbers of 32 bits.
_LARGEST = 1e30


def from_robot(robot: Robot, *, drives: bool = False) -> Layers:
    """The stage of a lowered robot; ``drives``: joints have drives that hold their initial positions.

    >>> from unibody.model.robot import Link
    >>> from_robot(Robot(name="box", links=(Link(name="box"),))).stage.links
    {'box': '/box/Geometry/box'}
    """
    _must_fit(robot)
    stage = Stage(f"/{identifier(robot.name, 'robot')}", robot.name, top_of(robot))
    shapes = Shapes(stage, Materials(stage))
    stage.physics.make(f"{stage.root}/Physics", "Scope")
    stage.materials.make(f"{stage.root}/Materials", "Scope")
    Bodies(robot, stage, shapes).write()
    Joints(robot, stage, gains(robot) if drives else {}).write(stated_base(robot, "fixed"))
    put_back(robot, stage)
    return made(stage, shapes)


def _must_fit(robot: Robot) -> None:
    """Raise TextError for a number that 32 bits, or the products that a stage has of it, do not hold."""
    for path, what, at, numbers in magnitudes(robot):
        if (largest := max(map(abs, numbers))) > _LARGEST:
            message = f"{headed(path, what)}: must be at most {_LARGEST:g} in USD, got {largest:g}"
            hint = "check the units: lengths are in meters, masses in kilograms"
            raise TextError(Finding("number-overflow", "error", message, at, hint, subject(path)))


def top_of(robot: Robot) -> str:
    """The link that the tree of bodies begins with: the root, or what is on a root that is the world.

    Several links on such a root are one robot only with a body for it.
    """
    if not is_empty_world(robot):
        return robot.root
    return next(joint.child for joint in robot.joints if joint.parent == robot.root)


def carry(document: Document, lines: list[str]) -> None:
    """Put the lines of the side-car into the custom data of the robot's prim."""
    assert isinstance(document, Layers)
    document.sidecar = lines


def configured(options: Mapping[str, str]) -> Writer:
    """The writer with the options of the format."""
    if not options.get("drives"):
        return WRITER
    return replace(WRITER, from_robot=partial(from_robot, drives=True))


WRITER = Writer(
    changes=changes,
    from_robot=from_robot,
    carry=carry,
    cannot=CANNOT,
    holds=holds,
    meshes=(),
    models=with_meshes,
    complete=True,
    refused=partial(impossible_inertias, who="MuJoCo rejects the stage, and PhysX replaces it"),
    pack=pack,
    anew=lambda robot: "a stage is written in layers of its own",
    configured=configured,
)
