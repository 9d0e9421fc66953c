"""Writes a lowered robot as the text of its format, with a side-car for what the format lacks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from unibody.conversion.destination import Destination
from unibody.conversion.lowering import Lowered
from unibody.conversion.mesh_export import MeshStore
from unibody.conversion.output import Output, SaveError
from unibody.document.declare import Document
from unibody.document.unbind import unbind
from unibody.formats import FORMATS
from unibody.formats.format import Format
from unibody.model.facts import Difference, diff
from unibody.model.patch_json import patch_lines
from unibody.model.robot import Robot
from unibody.model.scene import Scene
from unibody.text.finding import Finding, TextError

# Every side-car of unibody's formats has this word.
_MARK = b"unibody"
_EXTRAS = "extras/"
# From so many on a whole list is shorter than its differences.
_MANY = 3


def write(lowered: Lowered, destination: Destination, sidecar: list[str]) -> Output:
    """The model file with its side-car lines, and its assets, in memory."""
    writer = destination.writer
    with _refusals(destination):
        document = writer.from_robot(lowered.robot)
    if sidecar:
        writer.carry(document, sidecar)
    return _printed(document, destination, lowered.store)


def write_scene(
    scene: Scene, lowered: Sequence[Lowered], destination: Destination, sidecars: Sequence[list[str]]
) -> Output:
    """The file of a scene with the side-car lines of each robot, and their assets, in memory."""
    writer = destination.writer
    assert writer.from_scene is not None
    robots = tuple(each.robot for each in lowered)
    with _refusals(destination):
        document = writer.from_scene(replace(scene, robots=robots), sidecars)
    return _printed(document, destination, lowered[0].store)


def _printed(document: Document, destination: Destination, store: MeshStore) -> Output:
    """The file of a document."""
    writer = destination.writer
    with _refusals(destination):
        if writer.pack is not None:
            data = writer.pack(document, store, destination.path)
        else:
            node = unbind(document, writer.tag)
            writer.arrange(node)
            data = destination.format.reader().print(node, None).encode("utf-8", "replace")
    return Output(destination.path, data, store.assets, destination.beside)


@contextmanager
def _refusals(destination: Destination) -> Iterator[None]:
    """What a writer refuses, as :class:`SaveError`."""
    try:
        yield
    except TextError as e:
        raise SaveError([e.finding]) from None
    except ValueError as e:
        raise SaveError(
            [Finding("not-writable", "error", f"cannot write {destination.path}: {e}")]
        ) from None


def sidecar_lines(lowered: Lowered, plain: Robot) -> list[str]:
    """The patch from the ``plain`` reading to the robot; long lists of numbers become assets."""
    store = lowered.store
    missing = _gathered(diff(plain, lowered.relocated, store.assets.digest), plain, lowered.relocated)
    return patch_lines(missing, store.geometry_json, store.numbers_json)


def has_sidecar(data: bytes, format: Format) -> bool:
    """Whether a text may have a side-car."""
    return _MARK in data or format not in FORMATS


def _gathered(differences: Sequence[Difference], plain: Robot, robot: Robot) -> Sequence[Difference]:
    """Many removals of kept data as one difference: a format keeps data that the robot has never had.

    Only if all are removed: the whole list would repeat the others.
    """
    removed = [d for d in differences if d.kind == "removed" and d.path.startswith(_EXTRAS)]
    # kept data refer to what is renamed
    if not _MANY <= len(removed) == len(plain.extras) or any(d.kind == "renamed" for d in differences):
        return differences
    others = [d for d in differences if not f"{d.path}/".startswith(_EXTRAS)]
    return [*others, Difference("extras", "changed", plain.extras, robot.extras)]
