"""What hangs below a link of a Body file: sections A.8 to A.10 of the facts page, one test per rule."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import pytest
from tests.formats.body.cases import (
    HEAD,
    close,
    element,
    error,
    matrix,
    reading,
    robot,
    shape,
    shapes,
)

from unibody.files.access import MemoryFiles
from unibody.formats.body import resource
from unibody.formats.loader import read
from unibody.model.device import Opaque
from unibody.model.shape import (
    Box,
    LineSet,
    Material,
    MeshFile,
    Sphere,
)
from unibody.text.node import Value
from unibody.text.source import Source
from unibody.text.yaml import parser as yaml

BOX = "{ type: Shape, geometry: { type: Box } }"
ANY = "kept-as-extra"

# --- A.8: elements -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        f"- {BOX}",
        BOX,
        "{ Shape: { geometry: { type: Box } } }",
        "{ Shape: { type: Shape, geometry: { type: Box } } }",
    ],
)
def test_a08_forms_of_elements(text: str) -> None:
    (found,) = shapes(text)
    assert found.geometry == Box(size=(1.0, 1.0, 1.0))


def test_a08_elements_that_are_none() -> None:
    assert error(element("- { geometry: { type: Box } }")) == "type-missing"
    assert error(element("{ Shape: { type: Group } }")) == "type-differs"
    assert error(element("{ Shape: [1, 2] }")) == "wrong-value"


def test_a08_of_one_type_twice_in_a_mapping_the_last_counts() -> None:
    text = "Shape: { geometry: { type: Box } }\nShape: { geometry: { type: Sphere } }"
    (found,) = shapes(text, "key-twice")
    assert found.geometry == Sphere(radius=1.0)


def test_a08_skip_is_not_read() -> None:
    assert shapes(f"- {{ type: Skip, elements: [{BOX}] }}") == ()


def test_a08_a_transform_moves_turns_and_scales_in_this_order() -> None:
    text = "- type: Transform\n  translation: [1, 2, 3]\n  rotation: [0, 0, 1, 90]\n  scale: [2, 3, 4]\n"
    text += "  elements: { type: Shape, translation: [1, 1, 1], geometry: { type: Box } }"
    (found,) = shapes(text)
    assert close(found.pose.xyz, (1 - 3, 2 + 2, 3 + 4))
    assert found.linear is not None
    wanted = [[0, -3, 0], [2, 0, 0], [0, 0, 4]]
    assert close(matrix(found.pose)[:3, :3] @ found.linear, wanted)


def test_a08_scales_below_turns_multiply() -> None:
    text = (
        "- type: Transform\n  scale: [2, 1, 1]\n  elements:\n    type: Shape\n    rotation: [0, 0, 1, 90]\n"
    )
    text += "    scale: [1, 5, 1]\n    geometry: { type: Box }"
    (found,) = shapes(text)
    assert found.linear is not None
    # x is turned to y; the outer scale stretches the world's x, which is the box's -y
    assert close(matrix(found.pose)[:3, :3] @ found.linear, [[0, -10, 0], [1, 0, 0], [0, 0, 1]])


def test_a08_scale_orientation_is_not_read() -> None:
    text = f"- {{ type: Transform, scale: [2, 1, 1], scale_orientation: [0, 0, 1, 45], elements: [{BOX}] }}"
    (found,) = shapes(text, "not-kept")
    assert found.linear == ((2.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def test_a08_shapes_below_a_rigid_body_are_placed_by_it() -> None:
    (found,) = shapes(f"- {{ type: RigidBody, mass: 1, translation: [1, 2, 3], elements: [{BOX}] }}")
    assert found.pose.xyz == (1.0, 2.0, 3.0)


def _sets(text: str) -> tuple[list[str], list[str]]:
    link = robot(element(text)).links[0]
    return (
        [type(s.geometry).__name__ for s in link.visuals],
        [type(s.geometry).__name__ for s in link.collisions],
    )


VISUAL = "- { type: Visual, shape: { geometry: { type: Sphere } } }\n"
COLLISION = "- { type: Collision, elements: [{ type: Shape, geometry: { type: Cone } }] }\n"


def test_a08_visual_and_collision() -> None:
    assert _sets(f"- {BOX}") == (["Box"], ["Box"])
    assert _sets(VISUAL) == (["Sphere"], [])
    assert _sets(COLLISION) == ([], ["Cone"])
    assert _sets(f"{VISUAL}{COLLISION}- {BOX}") == (["Sphere", "Box"], ["Cone", "Box"])


def test_a08_an_empty_visual_splits_nothing() -> None:
    assert _sets(f"- {{ type: Visual }}\n- {BOX}") == (["Box"], ["Box"])


def test_a08_visual_inside_collision_is_an_error() -> None:
    text = f"- {{ type: Collision, elements: [{{ type: Visual, elements: [{BOX}] }}] }}"
    assert error(element(text)) == "shape-set-nested"


def test_a08_unknown_types_are_kept_as_devices() -> None:
    text = f"- {{ type: Frobnicator, name: F, depth: 3, translation: [1, 2, 3], elements: [{BOX}] }}"
    made = robot(element(text), "type-unknown", ANY)
    (found,) = made.devices
    assert isinstance(found.spec, Opaque)
    assert (found.spec.kind, found.spec.data.word("depth")) == ("Frobnicator", "3")
    assert found.pose.xyz == made.links[0].visuals[0].pose.xyz == (1.0, 2.0, 3.0)
    near = reading(element("- { type: shape }")).findings
    assert [f.hint for f in near if f.code == "type-unknown"] == ["did you mean 'Shape'?"]


def test_a08_the_pose_of_a_device_is_the_product_of_all_above_it() -> None:
    text = "- type: Transform\n  translation: [1, 0, 0]\n  rotation: [0, 0, 1, 90]\n  elements:\n"
    text += "    { type: ForceSensor, name: F, translation: [1, 0, 0], rotation: [1, 0, 0, 90] }"
    (found,) = robot(element(text)).devices
    assert close(found.pose.xyz, (1, 1, 0))
    assert close(matrix(found.pose)[:3, :3], [[0, 0, 1], [1, 0, 0], [0, 1, 0]])


# --- A.9: resources ----------------------------------------------------------------------


def test_a09_a_resource_is_a_reference_with_the_mesh_s_own_material() -> None:
    text = element("- { type: Resource, uri: parts/a.stl, rotation: [0, 0, 1, 90], scale: [1, -1, 1] }")
    (found,) = robot(text, files={"m/parts/a.stl": "solid"}).links[0].visuals
    assert found.geometry == MeshFile(uri="parts/a.stl", scale=(1.0, -1.0, 1.0))
    assert isinstance(found.geometry, MeshFile)
    assert found.geometry.path == "m/parts/a.stl"
    assert found.material is None
    assert found.linear is None
    assert close(found.pose.axis_angle(), (0, 0, 1, math.pi / 2))


@pytest.mark.parametrize(
    ("uri", "code"),
    [
        ("gone.stl", "file-missing"),
        ("http://x/a.stl", "uri-not-opened"),
        ("${NOWHERE}/a.stl", "uri-variable"),
    ],
)
def test_a09_what_cannot_be_opened_is_a_warning_and_stays_a_reference(uri: str, code: str) -> None:
    (found,) = shapes(f'- {{ type: Resource, uri: "{uri}" }}', code)
    assert found.geometry == MeshFile(uri=uri)


def test_a09_variables_in_uris() -> None:
    text = element("- { type: Resource, uri: '${SHARE}/a.stl' }")
    contents = {"m/a.body": text.encode(), "/opt/share/a.stl": b""}
    found = read("m/a.body", files=MemoryFiles(contents, variables={"SHARE": "/opt/share"}))
    assert found.robot is not None
    (made,) = found.robot.links[0].visuals
    assert isinstance(made.geometry, MeshFile)
    assert made.geometry.path == "/opt/share/a.stl"


def test_a09_a_resource_needs_a_uri() -> None:
    assert error(element("- { type: Resource }")) == "missing"


PART = """
- &CASE
  type: Shape
  translation: [0, 0, 1]
  geometry: { type: Box }
- { type: RigidBody, mass: 3 }
- { type: ForceSensor, name: F }
- { type: Resource, uri: a.stl }
"""


def test_a09_a_yaml_resource_holds_elements() -> None:
    text = element("- { type: Resource, uri: parts/p.yaml, translation: [1, 0, 0] }")
    made = robot(text, files={"m/parts/p.yaml": PART, "m/parts/a.stl": ""})
    link = made.links[0]
    assert [s.pose.xyz for s in link.visuals] == [(1.0, 0.0, 1.0), (1.0, 0.0, 0.0)]
    assert link.inertial is not None
    assert (link.inertial.mass, link.inertial.com) == (3.0, (1.0, 0.0, 0.0))
    assert [(d.name, d.pose.xyz) for d in made.devices] == [("F", (1.0, 0.0, 0.0))]
    # a path in it starts at its own directory
    assert isinstance(link.visuals[1].geometry, MeshFile)
    assert link.visuals[1].geometry.path == "m/parts/a.stl"


@pytest.mark.parametrize("slip", ["", ", transaltion: [0, 0, 0]"])
def test_a09_a_yaml_file_is_read_once_for_all_references(
    slip: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed = list[str]()

    def parse(source: Source, *more: Any) -> Value:
        parsed.append(source.name)
        return yaml.parse(source, *more)

    monkeypatch.setattr(resource, "yaml", SimpleNamespace(parse=parse, anchors=yaml.anchors))
    uses = (f"- {{ type: Resource, uri: p.yaml, translation: [{x}, 0, 0] }}" for x in range(3))
    part = f"- {{ type: Shape, geometry: {{ type: Box }}{slip} }}\n"
    found = reading(element("\n".join(uses)), {"m/p.yaml": part})
    assert found.robot is not None
    assert [shape.pose.xyz[0] for shape in found.robot.links[0].visuals] == [0.0, 1.0, 2.0]
    # each reference reports what is wrong in the file
    assert len([f for f in found.findings if f.code == "unknown-key"]) == (3 if slip else 0)
    assert len(parsed) == (3 if slip else 1)


def test_a09_a_part_of_a_yaml_resource_by_its_anchor() -> None:
    text = element("- { type: Resource, uri: p.yml, node: CASE }")
    assert len(robot(text, files={"m/p.yml": PART}).links[0].visuals) == 1
    text = element("- { type: Resource, uri: p.yml, fragment: GONE }")
    assert error(text, {"m/p.yml": PART}) == "fragment-missing"


@pytest.mark.parametrize("part", [BOX, f"[{BOX}]", "Shape: { geometry: { type: Box } }"])
def test_a09_forms_of_a_yaml_resource(part: str) -> None:
    made = robot(element("- { type: Resource, uri: p.yaml }"), files={"m/p.yaml": part})
    assert len(made.links[0].visuals) == 1


def test_a09_a_yaml_resource_sees_the_anchors_of_the_file_that_names_it() -> None:
    head = HEAD + "paint: &RED { material: { diffuse: [1, 0, 0] } }\n"
    part = "{ type: Shape, geometry: { type: Box }, appearance: *RED }"
    made = robot(element("- { type: Resource, uri: p.yaml }", head), ANY, files={"m/p.yaml": part})
    material = made.links[0].visuals[0].material
    assert material is not None
    assert material.diffuse == (1.0, 0.0, 0.0)


def test_a09_resources_in_a_circle_are_an_error() -> None:
    part = "{ type: Resource, uri: p.yaml }"
    assert error(element(f"- {part}"), {"m/p.yaml": part}) == "include-recursion"


def test_a09_a_mesh_file_as_geometry() -> None:
    text = (
        "geometry: { type: Resource, uri: a.stl, fragment: X }\nappearance: { material: { ambient: 0.5 } }"
    )
    found = shape(text, "file-missing")
    assert found.geometry == MeshFile(uri="a.stl", fragment="X")
    assert found.material == Material(ambient=0.5)


# --- A.10: nodes of the scene --------------------------------------------------------------


def test_a10_a_shape_has_a_pose_and_a_scale_of_its_own() -> None:
    found = shape("name: S\ntranslation: [1, 2, 3]\nscale: [1, 2, 3]\ngeometry: { type: Box }")
    assert (found.name, found.pose.xyz) == ("S", (1.0, 2.0, 3.0))
    assert found.linear == ((1.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 3.0))
    assert shapes("- { type: Shape }") == ()
    assert shapes("- { type: Node }") == ()


def test_a10_lines_are_seen_only() -> None:
    text = "- { type: LineSet, vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0], lines: [0, 1, 1, 2], line_width: 3,"
    text += " material: { diffuse: [1, 0, 0] } }"
    link = robot(element(text)).links[0]
    (found,) = link.visuals
    assert found.geometry == LineSet(
        vertices=(0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0), lines=(0, 1, -1, 1, 2, -1), width=3.0
    )
    assert found.material == Material(diffuse=(1.0, 0.0, 0.0))
    assert link.collisions == ()
    assert error(element("- { type: LineSet, vertices: [0, 0, 0], lines: [0, 1] }")) == "index-out-of-range"


def test_a10_text_is_kept_and_not_drawn() -> None:
    made = robot(element("- { type: Text, text: Hello, height: 0.1 }"))
    assert made.links[0].visuals == ()
    (extra,) = made.extras
    assert extra.owner == "links/R"
