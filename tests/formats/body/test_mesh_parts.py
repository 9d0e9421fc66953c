"""Parts of a mesh file that a Body file asks for by name: each without those asked for on their own."""

from __future__ import annotations

from unibody.files.access import MemoryFiles
from unibody.formats.loader import read
from unibody.model.robot import Robot
from unibody.model.shape import MeshFile

HEAD = "format: ChoreonoidBody\nformat_version: 2.0\nlinks:\n"
LINK = """  - {{ name: {name}, {where}, joint_type: fixed, mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1],
      elements: [ {elements} ] }}
"""


def link(name: str, *elements: str, parent: str = "HULL") -> str:
    where = f"parent: {parent}" if name != parent else "translation: [0, 0, 0]"
    return LINK.format(name=name, where=where, elements=", ".join(elements))


def part(name: str, uri: str = "tank.wrl", more: str = "") -> str:
    return f"{{ type: Resource, uri: {uri}, node: {name} {more} }}"


def robot(text: str, files: dict[str, bytes] | None = None) -> Robot:
    contents = {"m/a.body": (HEAD + text).encode(), "m/tank.wrl": b"", "m/other.wrl": b"", **(files or {})}
    made = read("m/a.body", files=MemoryFiles(contents)).robot
    assert made is not None
    return made


def without(robot: Robot, name: str) -> list[tuple[str, ...]]:
    meshes = [shape.geometry for shape in robot.link(name).visuals]
    return [mesh.without for mesh in meshes if isinstance(mesh, MeshFile)]


def test_parts_of_one_file_are_cut_out_of_each_other() -> None:
    made = robot(link("HULL", part("HULL")) + link("TURRET", part("TURRET"), part("GUN")))
    assert without(made, "HULL") == [("TURRET", "GUN")]
    assert without(made, "TURRET") == [("HULL", "GUN"), ("HULL", "TURRET")]
    # seen and collided with are one shape
    assert made.link("HULL").visuals == made.link("HULL").collisions


def test_a_part_that_is_asked_for_twice_and_parts_of_other_files() -> None:
    made = robot(link("HULL", part("HULL")) + link("TWIN", part("HULL"), part("GUN", "other.wrl")))
    assert without(made, "HULL") == [()]
    assert without(made, "TWIN") == [(), ()]


def test_the_same_file_in_other_units_is_another() -> None:
    inches = ", metadata: { length_unit: inch }"
    made = robot(link("HULL", part("HULL")) + link("TURRET", part("TURRET", more=inches)))
    assert without(made, "HULL") == [()]


def test_a_whole_file_is_left_whole() -> None:
    made = robot(link("HULL", "{ type: Resource, uri: tank.wrl }") + link("TURRET", part("TURRET")))
    assert without(made, "HULL") == [()]


def test_a_sub_body_asks_for_itself() -> None:
    """Each file is loaded by a loader of its own, with a scene of its own."""
    sub = (HEAD + link("ARM", part("TURRET"), parent="ARM")).encode()
    text = link("HULL", part("HULL")) + "  - { type: SubBody, uri: sub.body, parent: HULL }\n"
    made = robot(text, {"m/sub.body": sub})
    assert without(made, "HULL") == [()]
    assert without(made, "ARM") == [()]
