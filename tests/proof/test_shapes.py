"""Bounds of shapes and textures of engines are compared with those of the robot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from tests.proof.proving import proved, written

import unibody as ub
from unibody.proof.process import Answer
from unibody.proof.reference import Reference, reference_of
from unibody.proof.shapes import SLIPS, bounds_causes, bounds_deviations, texture_deviations
from unibody.proof.solids import box_of, joined, placed

INERTIAL = """<inertial><mass value="1"/>
      <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>"""
# A mesh without any symmetry, mirrored by its scale.
MESH = "v 0 0 0\nv 0.3 0 0\nv 0 0.2 0\nv 0 0 0.1\nv 0.4 0.5 0.6\n" + "".join(
    f"f {face}\n" for face in ("1 3 2", "1 2 4", "1 4 3", "2 3 5", "2 5 4", "3 4 5")
)
PLACED = '<origin xyz="0.1 -0.2 0.3" rpy="0.1 0.2 0.3"/>'
SHAPES = f"""\
<robot name="shapes">
  <link name="base">{INERTIAL}</link>
  <link name="arm">{INERTIAL}
    <visual>{PLACED}<geometry><mesh filename="part.obj" scale="-1.5 2 0.5"/></geometry></visual>
    <collision><origin xyz="0.3 0 0.1" rpy="0.4 0.5 0.6"/>
      <geometry><cylinder radius="0.1" length="0.7"/></geometry></collision>
    <collision><origin xyz="-0.2 0.1 0" rpy="0.7 0.1 0.2"/>
      <geometry><box size="0.2 0.3 0.5"/></geometry></collision>
    <collision><origin xyz="0 0.2 0"/><geometry><sphere radius="0.15"/></geometry></collision>
  </link>
  <link name="hand">{INERTIAL}
    <collision>{PLACED}<geometry><mesh filename="part.obj" scale="-1.5 2 0.5"/></geometry></collision>
  </link>
  <joint name="turn" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/></joint>
  <joint name="wrist" type="continuous"><parent link="arm"/><child link="hand"/><axis xyz="0 1 0"/></joint>
</robot>
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    written(tmp_path, MESH, "part.obj")
    return written(tmp_path, SHAPES, "shapes.urdf")


@pytest.mark.parametrize(
    ("engine", "count"), [("mujoco", 2), ("pinocchio", 3), ("drake", 3), ("dart", 3), ("sapien", 2)]
)
def test_shapes_are_where_they_should_be(model: Path, engine: str, count: int) -> None:
    found = proved(engine, model, states=5).deviations
    assert found is not None
    assert found["bounds"].compared == count
    assert found["bounds"].largest < (1e-6 if engine == "sapien" else 1e-7)


def reference_at(model: Path) -> Reference:
    return reference_of(ub.load(model), "urdf")


def answer_of(boxes: dict[tuple[str, str], np.ndarray], *, mesh_boxes: str = "") -> Answer:
    shapes = [{"link": link, "role": role, "whole": True, "hull": False} for link, role in boxes]
    facts = {
        "links": ["base", "arm", "hand"],
        "shapes": shapes,
        "shape_roles": ["collision", "visual"],
        "mesh_boxes": mesh_boxes,
    }
    return Answer(facts=facts, arrays={"boxes": np.array([*boxes.values()])})


def test_a_box_is_the_smallest_one(model: Path) -> None:
    """The box of the mesh is that of its points; that of the round shapes is seen from many of theirs."""
    solids = reference_at(model).solids
    (mesh,) = solids["arm", "visual"]
    points = np.array([[0, 0, 0], [0.3, 0, 0], [0, 0.2, 0], [0, 0, 0.1], [0.4, 0.5, 0.6]])
    points = points * (-1.5, 2, 0.5) @ mesh.turn.T + (0.1, -0.2, 0.3)
    assert np.allclose(box_of(mesh), [points.min(axis=0), points.max(axis=0)], atol=1e-15)
    cylinder = solids["arm", "collision"][0]
    angles = np.linspace(0.0, 2.0 * math.pi, 20001)
    rim = np.stack([0.1 * np.cos(angles), 0.1 * np.sin(angles), np.full_like(angles, 0.35)], axis=1)
    rims = np.concatenate([rim, rim * (1, 1, -1)]) @ cylinder.turn.T + cylinder.place
    assert np.allclose(box_of(cylinder), [rims.min(axis=0), rims.max(axis=0)], atol=1e-8)


#: The slip of shapes without size, which these have not.
CUT_OFF = next(x for x in SLIPS if x[0] == "cylinder instead of the capsule")
EMPTY = next(slip for slip in SLIPS if slip[0] == "radius of 0 taken as 1 m")
#: Slips that are another one for these shapes.
ALIKE = {
    "mesh mirrored along x": "mirror of the mesh lost: the scale is taken as positive",
    "frame of the mesh ignored": "frame of the shape ignored",
}


def causes_of(
    reference: Reference, boxes: dict[tuple[str, str], np.ndarray], *, links: Sequence[str] = ()
) -> dict[str, str]:
    """The causes of boxes that an engine has with these links, by default all."""
    answer = answer_of(boxes)
    answer = Answer(facts={**answer.facts, **({"links": links} if links else {})}, arrays=answer.arrays)
    away = bounds_deviations(reference, answer)
    bad = [owner for owner, value in away.items() if value > 1e-6]
    causes = bounds_causes(reference, answer, bad, 1e-6)
    assert {*causes} == {*bad}
    return {owner: next(iter(words)) for owner, words in causes.items()}


def boxes_of(reference: Reference) -> dict[tuple[str, str], np.ndarray]:
    return {key: joined([box_of(solid) for solid in solids]) for key, solids in reference.solids.items()}


def test_shapes_that_an_engine_lacks_or_adds_are_named(model: Path) -> None:
    reference = reference_at(model)
    some = reference.solids["arm", "collision"][1:]
    boxes = {
        **boxes_of(reference),
        ("arm", "collision"): joined([box_of(solid) for solid in some]),
        ("hand", "site"): np.array([[-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]]),
    }
    assert causes_of(reference, boxes) == {
        "arm/collision": "some of the shapes not read",
        "hand/site": "sites drawn as shapes",
    }


def test_a_root_may_be_a_part_of_what_is_fixed_to_it(tmp_path: Path) -> None:
    """An engine that has only the hand has the shapes of the base and the arm in axes of the hand."""
    written(tmp_path, MESH, "part.obj")
    text = SHAPES.replace('type="continuous"><parent', f'type="fixed">{PLACED}<parent')
    reference = reference_of(ub.load(written(tmp_path, text)), "urdf")
    wrist = reference.robot.joint("wrist").origin.inverse()
    turn, place = np.array(wrist.rotation()), np.array(wrist.xyz)
    solids = [placed(x, turn, place) for x in reference.solids["arm", "collision"]]
    solids += reference.solids["hand", "collision"]
    visual = [placed(x, turn, place) for x in reference.solids["arm", "visual"]]
    boxes = {
        ("hand", "collision"): joined([box_of(solid) for solid in solids]),
        ("hand", "visual"): joined([box_of(solid) for solid in visual]),
    }
    assert causes_of(reference, boxes, links=["hand"]) == {}


def test_a_radius_of_0_that_becomes_1_is_named(tmp_path: Path) -> None:
    written(tmp_path, MESH, "part.obj")
    text = SHAPES.replace('<sphere radius="0.15"/>', '<sphere radius="0"/>')
    reference = reference_of(ub.load(written(tmp_path, text)), "urdf")
    made = [EMPTY[1](solid) for solid in reference.solids["arm", "collision"]]
    boxes = boxes_of(reference)
    boxes["arm", "collision"] = joined([box_of(solid) for solid in made if solid is not None])
    assert causes_of(reference, boxes) == {"arm/collision": EMPTY[0]}


def test_a_capsule_that_becomes_a_cylinder_is_named(tmp_path: Path) -> None:
    written(tmp_path, MESH, "part.obj")
    text = SHAPES.replace('<sphere radius="0.15"/>', '<capsule radius="0.15" length="0.9"/>')
    reference = reference_of(ub.load(written(tmp_path, text)), "urdf")
    boxes = boxes_of(reference)
    made = [CUT_OFF[1](solid) for solid in reference.solids["arm", "collision"]]
    boxes["arm", "collision"] = joined([box_of(solid) for solid in made if solid is not None])
    assert causes_of(reference, boxes) == {"arm/collision": CUT_OFF[0]}


@pytest.mark.parametrize(
    ("cause", "slip"),
    [x for x in SLIPS if x not in (EMPTY, CUT_OFF)],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_a_slip_of_shapes_is_named(model: Path, cause: str, slip: object) -> None:
    model.with_name("part.obj").write_text(MESH.replace("f 2 3 5", "o tip\nf 2 3 5"))
    reference = reference_at(model)
    boxes = {}
    for key, solids in reference.solids.items():
        made = [slip(solid) for solid in solids]  # type: ignore[operator]
        if all(solid is not None for solid in made):
            boxes[key] = joined([box_of(solid) for solid in made])
    causes = causes_of(reference, boxes)
    assert ALIKE.get(cause, cause) in causes.values()


def test_the_file_of_a_texture_is_looked_for(tmp_path: Path) -> None:
    texture = '<material name="m"><texture filename="looks/wood.png"/></material>'
    text = SHAPES.replace("</geometry></visual>", f"</geometry>{texture}</visual>")
    robot = ub.load(written(tmp_path, text))
    assert texture_deviations(robot, {}) == {}
    assert texture_deviations(robot, {"textures": []}) == {"looks/wood.png": 1.0}
    for found in (True, False):
        facts = {"textures": [{"file": "/somewhere/looks/wood.png", "found": found}]}
        assert texture_deviations(robot, facts) == {"looks/wood.png": float(not found)}


def test_a_lost_scale_in_a_file_is_named(model: Path, tmp_path: Path) -> None:
    slipped = written(tmp_path, SHAPES.replace('scale="-1.5 2 0.5"', 'scale="1.5 2 0.5"'), "slipped.urdf")
    result = proved("pinocchio", model, slipped, states=5)
    assert result.verdict == "explained"
    assert [str(cause) for cause in result.causes] == [
        "mirror of the mesh lost: the scale is taken as positive (arm/visual, hand/collision)"
    ]
