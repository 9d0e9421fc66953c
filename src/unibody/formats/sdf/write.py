"""Writes a robot as an SDF document: a model, or a world where the robot was read from one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePath

from unibody.document.declare import Document, plan
from unibody.document.unbind import unbind
from unibody.formats.format import Writer
from unibody.formats.refused import impossible_inertias
from unibody.formats.sdf import document as d
from unibody.formats.sdf.cannot import CANNOT, EXTENSIONS, OLDER, newer
from unibody.formats.sdf.document_model import SIDECAR
from unibody.formats.sdf.reader import ABOUT
from unibody.formats.sdf.write_lowered import changes
from unibody.formats.sdf.write_model import model
from unibody.formats.sdf.write_newer import drop_newer, version_of
from unibody.formats.sdf.write_shapes import holds
from unibody.formats.sdf.write_surroundings import alone
from unibody.formats.sdf.write_versions import CONES, DEFAULT, Version, parsed, text_of
from unibody.formats.sdf.write_world import (
    MODEL_FILE,
    add_floor,
    in_scene,
    manifest,
    scene_world,
    with_world,
)
from unibody.model.changes.merging import fixed_merged
from unibody.model.robot import Robot
from unibody.model.scene import Scene
from unibody.text.node import Item, Node, Word
from unibody.text.xml.printer import print_xml

_SPACES = {"unibody": "urn:unibody", "drake": "http://drake.mit.edu"}


def from_robot(robot: Robot, version: Version | None = None) -> d.Sdf:
    """The SDF document of a lowered robot, in a version that is asked for without what is newer."""
    wanted, version = version, version or version_of(robot)
    out = d.Sdf(version=text_of(version))
    out.given.add("version")
    made = model(robot, version)
    around = with_world(robot, made, version)
    if around is None:
        out.models = [made]
    else:
        out.worlds = [around]
    if wanted is not None:
        drop_newer(out, wanted)
    return out


def from_scene(
    scene: Scene,
    sidecars: Sequence[list[str]],
    version: Version | None = None,
    *,
    floor: bool = False,
) -> d.Sdf:
    """The SDF document of the lowered robots of a scene, with the lines of the side-car of each."""
    wanted, version = version, version or max(map(version_of, scene.robots))
    out = d.Sdf(version=text_of(version))
    out.given.add("version")
    world = scene_world(scene, version)
    models = world.models
    if floor:
        add_floor(world)
    out.worlds = [world]
    if wanted is not None:
        drop_newer(out, wanted)
    for made, lines in zip(models, sidecars, strict=False):
        if lines:
            world.rest = [*world.rest, _sidecar(lines, made.name)]
    return out


def spell(doc: Document, source: Document) -> None:
    """Put what is in a world beside the model where the source has it there."""
    assert isinstance(doc, d.Sdf)
    assert isinstance(source, d.Sdf)
    if (
        not source.worlds
        and doc.worlds
        and "gravity" not in doc.worlds[0].given
        and len(doc.worlds[0].models) == 1
        and not doc.worlds[0].frames
        and all(key in plan(d.Sdf).keys for key, _, _ in doc.worlds[0].rest)
    ):
        doc.models = doc.worlds[0].models
        doc.rest = [*doc.rest, *doc.worlds[0].rest]
        doc.worlds = []


def carry(doc: Document, lines: list[str]) -> None:
    """Append the lines of the side-car as an element that other readers ignore."""
    assert isinstance(doc, d.Sdf)
    holder: Document = (doc.worlds or doc.models)[0]
    holder.rest.append(_sidecar(lines))


def _sidecar(lines: list[str], name: str | None = None) -> Item:
    """The element of a side-car; ``name`` is that of the model that it is about, in a scene."""
    text = "\n" + "\n".join(lines) + "\n"
    about: list[Item] = [] if name is None else [(ABOUT, Word(name), -1)]
    return (SIDECAR, Node(SIDECAR, [*about, ("", Word(text), -1)]), -1)


def arrange(root: Node) -> None:
    """Declare the prefixes that the tree uses, in place."""
    used: dict[str, None] = {}
    todo = [root]
    while todo:
        node = todo.pop()
        for key, value, _ in node.items:
            prefix, colon, _ = key.partition(":")
            if colon and prefix in _SPACES:
                used[prefix] = None
            if isinstance(value, Node):
                todo.append(value)
    at = next((i for i, (_, value, _) in enumerate(root.items) if isinstance(value, Node)), 0)
    root.items[at:at] = [
        (f"xmlns:{prefix}", Word(_SPACES[prefix]), -1)
        for prefix in _SPACES
        if prefix in used and root.get(f"xmlns:{prefix}") is None
    ]


def text_of_document(doc: d.Sdf) -> str:
    """The text of a document."""
    root = unbind(doc, WRITER.tag)
    arrange(root)
    return '<?xml version="1.0"?>\n' + print_xml(root)


def beside(
    name: str,
    robot: Robot,
    document: Document | None = None,
    *,
    version: Version | None = None,
    scene: bool = False,
) -> dict[str, str]:
    """The further files of a model file: the manifest of its folder, and the model in a scene.

    >>> from unibody.model.robot import Link
    >>> list(beside("model.sdf", Robot(name="box", links=(Link(name="box"),)), scene=True))
    ['model.config', 'model_world.sdf']
    """
    is_model = name.lower() == MODEL_FILE
    if not (is_model or scene):
        return {}
    doc = from_robot(changes(robot, version or DEFAULT), version)
    stated = document.version if isinstance(document, d.Sdf) else None
    is_alone = is_model and not doc.worlds
    out = manifest(name, robot, stated or text_of(version or version_of(robot))) if is_alone else {}
    if scene:
        doc.worlds = [in_scene(doc, robot)]
        doc.models = []
        out[f"{PurePath(name).stem}_world.sdf"] = text_of_document(doc)
    return out


def configured(options: Mapping[str, str]) -> Writer:
    """The writer with the options of the format."""
    out = WRITER
    version: Version | None = None
    if wanted := options.get("sdf_version"):
        version = parsed(wanted)
        out = replace(
            out,
            changes=partial(changes, version=version),
            from_robot=partial(from_robot, version=version),
            from_scene=partial(from_scene, version=version),
            holds=partial(holds, version=version),
            cannot=(newer(version), *(OLDER if version < CONES else ()), *CANNOT),
            anew=lambda robot: f"SDF {wanted} is asked for",
        )
    if options.get("merge_fixed"):
        out = replace(
            out,
            requested=fixed_merged,
            anew=lambda robot: "links that fixed joints hold are merged",
        )
    scene = bool(options.get("scene"))
    if scene:
        out = replace(out, from_scene=partial(from_scene, version=version, floor=True))
    return replace(out, beside=partial(beside, version=version, scene=scene))


def _unopened(suffix: str, is_text: bool) -> str:
    """What programs do with a mesh file that they do not open."""
    if suffix in (".glb", ".gltf"):
        return "Gazebo classic leaves its shapes out"
    return "" if suffix in (".stl", ".obj", ".dae") else "Gazebo leaves its shapes out"


WRITER = Writer(
    changes=changes,
    from_robot=from_robot,
    from_scene=from_scene,
    alone=alone,
    carry=carry,
    cannot=CANNOT,
    holds=holds,
    meshes=(".stl", ".obj", ".dae", ".glb", ".gltf"),
    unopened=_unopened,
    refused=partial(impossible_inertias, who="Gazebo rejects the file"),
    schemes=("file", "model"),
    tag="sdf",
    spell=spell,
    arrange=arrange,
    extensions=EXTENSIONS,
    beside=beside,
    configured=configured,
)
