"""The examples of the Body reference, word for word, in the smallest file that makes them legal.

The reference lost its indentation on the way; it is put back here. Where an example only shows the form
of a list (``x0, z0, …``), numbers stand for its letters.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.formats.body.cases import HEAD, body, element, errors, indented, robot

from unibody.model.device import Accelerometer
from unibody.model.shape import Box, Extrusion, Mesh, Sphere

REFERENCE = "formats/seed-choreonoid-body-file.ja.txt"

IMPORT = "import: *defined_alias"

SENSOR = """
links:
  -
    name: WAIST
    elements:
      -
        type: AccelerationSensor
        id: 0
"""

CROSS_SECTION = "cross_section: [ x0, z0, x1, z1, x2, z2, ・・・, xn, zn ]"
CROSS_SECTION_LINES = "cross_section: [ x0, z0,\n  x1, z1,\n  :\n"
SPINE = "spine: [ x0, y0, z0, x1, y1, z1, ・・・, xn, yn, zn ]"
VERTICES = "vertices: [ x0, y0, z0, x1, y1, z1, ・・・, xn, yn, zn ]"
FACES = "faces: [ 0, 1, 2, 3, -1, 3, 2, 4, 5, -1、 ・・・ ]"
TEX_COORDS = "tex_coords: [ s0, t0, s1, t1, ・・・, sm, tm ]"

GROUP = """
elements:
  - &SUBSYSTEM
    type: Group
    name: SUBSYSTEM
    elements:
      -
        (グループの1要素)
      -
        (グループの1要素)
      :
"""
GROUP_AGAIN = "elements: *SUBSYSTEM"

EXAMPLES = (
    IMPORT,
    SENSOR,
    CROSS_SECTION,
    CROSS_SECTION_LINES,
    SPINE,
    VERTICES,
    FACES,
    TEX_COORDS,
    GROUP,
    GROUP_AGAIN,
)


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_example_stands_in_the_reference(example: str, shared: Path) -> None:
    reference = (shared / REFERENCE).read_text("utf-8")
    assert " ".join(example.split()) in " ".join(reference.split())


def test_import() -> None:
    head = HEAD + "parts: &defined_alias { mass: 3, inertia: [1, 0, 0, 2, 0, 3] }\n"
    made = robot(body(f"- name: R\n  {IMPORT}", head), "import-in-place", "kept-as-extra")
    inertial = made.links[0].inertial
    assert inertial is not None
    assert inertial.mass == 3.0


def test_a_sensor_on_a_link() -> None:
    made = robot("format: ChoreonoidBody\nformat_version: 2.0" + SENSOR, "device-unnamed")
    (found,) = made.devices
    assert (found.link, found.id, found.spec) == ("WAIST", 0, Accelerometer())


def _numbered(example: str, *numbers: str) -> str:
    """The example with numbers for its letters, in order."""
    start, end = example.index("["), example.index("]")
    return f"{example[: start + 1]} {', '.join(numbers)} {example[end:]}"


def test_the_form_of_an_extrusion() -> None:
    section = _numbered(CROSS_SECTION, "0", "0", "1", "0", "1", "2", "0", "2")
    spine = _numbered(SPINE, "0", "0", "0", "0", "1", "0", "0", "2", "1")
    text = f"- type: Shape\n  geometry:\n    type: Extrusion\n    {section}\n    {spine}\n"
    found = robot(element(text)).links[0].visuals[0].geometry
    assert found == Extrusion(
        section=(0.0, 0.0, 1.0, 0.0, 1.0, 2.0, 0.0, 2.0),
        spine=(0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 1.0),
        ccw=False,
        solid=False,
    )
    # "line breaks and spaces may be put in"
    lines = "cross_section: [ 0, 0,\n      1, 0,\n      1, 2,\n      0, 2 ]"
    again = text.replace(section, lines)
    assert robot(element(again)).links[0].visuals[0].geometry == found


def test_the_form_of_a_face_set() -> None:
    vertices = _numbered(VERTICES, *"0 0 0 1 0 0 1 1 0 0 1 0 0 1 1 1 1 1".split())
    faces = _numbered(FACES, *"0 1 2 3 -1 3 2 4 5 -1".split())
    coordinates = _numbered(TEX_COORDS, *"0 0 1 0 1 1 0 1 0 0 1 0".split())
    text = "- type: Shape\n  geometry:\n    type: IndexedFaceSet\n"
    text += f"    {vertices}\n    {faces}\n    {coordinates}"
    found = robot(element(text)).links[0].visuals[0].geometry
    assert isinstance(found, Mesh)
    assert found.faces == (0, 1, 2, 3, -1, 3, 2, 4, 5, -1)
    assert (len(found.vertices), len(found.tex_coords)) == (18, 12)


@pytest.mark.parametrize("example", [CROSS_SECTION, SPINE])
def test_letters_where_numbers_belong_are_an_error_with_a_place(example: str) -> None:
    text = f"- type: Shape\n  geometry:\n    type: Extrusion\n    {example}\n"
    assert errors(element(text)) == {"wrong-value", "extrusion-short"}


def test_a_group_with_an_alias_is_used_again() -> None:
    group = GROUP.strip("\n") + "\n"
    for word in ("Box", "Sphere"):
        group = group.replace("(グループの1要素)", f"{{ type: Shape, geometry: {{ type: {word} }} }}", 1)
    group = group.replace("      :\n", "")
    text = f"- name: A\n{indented(group, 2)}- name: B\n  parent: A\n  {GROUP_AGAIN}"
    made = robot(body(text))
    wanted = [Box(size=(1.0, 1.0, 1.0)), Sphere(radius=1.0)]
    for link in made.links:
        assert [s.geometry for s in link.visuals] == wanted


def test_the_header() -> None:
    head = 'format: "ChoreonoidBody"\nformat_version: 2.0\nangle_unit: "degree"\nname: N\nroot_link: R\n'
    made = robot(body("- name: R", head))
    assert (made.name, made.root) == ("N", "R")
