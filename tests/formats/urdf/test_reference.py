"""The examples of the URDF reference, word for word, in the smallest file that makes them legal."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from tests.formats.urdf.cases import TWO_LINKS, link, robot

from unibody.model.pose import IDENTITY, UNIT_MATRIX
from unibody.model.shape import Box, Material, MeshFile

REFERENCE = "formats/seed-choreonoid-urdf.ja.txt"

SIMPLE_LINK = '<link name="simple_link"/>'

INERTIAL = """
    <inertial>
      <origin xyz="0 0 0" rpy="0 0 0"/>
      <mass value="1"/>
      <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>
    </inertial>
"""

MATERIAL = '<material name="material1"/>'

VISUAL_1 = """
    <visual>
      <origin xyz="0 0 0" rpy="0 0 0"/>
      <geometry>
        <box size="1 1 1"/>
      </geometry>
      <material name="Cyan">
        <color rgba="0 1 1 1"/>
      </material>
    </visual>
"""

VISUAL_2 = """
    <visual>
      <geometry>
        <mesh filename="package:://choreonoid/share/model/JACO2/parts/ARM.stl" scale="1 1 1"/>
      </geometry>
    </visual>
"""

COLLISION_1 = """
    <collision>
      <origin xyz="0 0 0" rpy="0 0 0"/>
      <geometry>
        <box size="1 1 1"/>
      </geometry>
    </collision>
"""

COLLISION_2 = """
    <collision>
      <geometry>
        <mesh filename="package:://choreonoid/share/model/JACO2/parts/ARM.stl" scale="1 1 1"/>
      </geometry>
    </collision>
"""

JOINT = """
    <joint name="sample_joint" type="revolute">
      <origin xyz="0 0 1" rpy="0 0 3.1416"/>
      <parent link="link1"/>
      <child link="link2"/>
      <axis xyz="1 0 0"/>
      <limit lower="-3.14" upper="3.14" velocity="1.0" effort="30"/>
    </joint>
"""

EXAMPLES = (SIMPLE_LINK, INERTIAL, MATERIAL, VISUAL_1, VISUAL_2, COLLISION_1, COLLISION_2, JOINT)
MESH = "package:://choreonoid/share/model/JACO2/parts/ARM.stl"


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_example_stands_in_the_reference(example: str, shared: Path) -> None:
    assert example.strip("\n") in (shared / REFERENCE).read_text("utf-8")


def test_a_link_that_is_only_a_name() -> None:
    made = robot(SIMPLE_LINK)
    assert made.root == "simple_link"
    assert made.links[0].inertial is None


def test_inertial() -> None:
    inertial = link(INERTIAL).links[0].inertial
    assert inertial is not None
    assert (inertial.mass, inertial.com, inertial.inertia) == (1.0, (0.0, 0.0, 0.0), UNIT_MATRIX)


def test_a_material_is_used_again_by_its_name() -> None:
    named = VISUAL_1.replace('name="Cyan"', 'name="material1"')
    again = f"<visual><geometry><box size='1 1 1'/></geometry>{MATERIAL}</visual>"
    for text in (f"{named}{again}", f"{again}{named}"):
        for shape in link(text).links[0].visuals:
            assert shape.material == Material(name="material1", diffuse=(0.0, 1.0, 1.0))


def test_visual_1() -> None:
    (shape,) = link(VISUAL_1).links[0].visuals
    assert (shape.geometry, shape.pose) == (Box(size=(1.0, 1.0, 1.0)), IDENTITY)
    assert shape.material == Material(name="Cyan", diffuse=(0.0, 1.0, 1.0))


@pytest.mark.parametrize("package", ["choreonoid", ""])
def test_visual_2_and_collision_2(package: str) -> None:
    """Two colons are a slip of the reference: the file is looked for as if there were one."""
    text = f"<link name='a'>{VISUAL_2}{COLLISION_2}</link>"
    path = "choreonoid/share/model/JACO2/parts/ARM.stl"
    files = {"choreonoid/package.xml": "<package><name>choreonoid</name></package>", path: ""}
    codes = ["uri-slip"] if package else ["uri-slip", "file-missing"]
    made = robot(text, *codes, files=files if package else None).links[0]
    (visual,), (collision,) = made.visuals, made.collisions
    assert visual.geometry == collision.geometry == MeshFile(uri=MESH)
    assert isinstance(visual.geometry, MeshFile)
    assert visual.geometry.path.endswith(path if package else "")
    assert visual.material is None


def test_collision_1() -> None:
    made = link(COLLISION_1).links[0]
    assert [s.geometry for s in made.collisions] == [Box(size=(1.0, 1.0, 1.0))]
    assert made.visuals == ()


def test_joint() -> None:
    links = TWO_LINKS.replace("'a'", "'link1'").replace("'b'", "'link2'")
    # the axis is in the joint's own frame; here the reference's reading would give the opposite one
    joint = robot(f"{links}{JOINT}", "reference-differs").joints[0]
    assert (joint.name, joint.kind, joint.parent, joint.child) == (
        "sample_joint",
        "revolute",
        "link1",
        "link2",
    )
    assert joint.origin.xyz == (0.0, 0.0, 1.0)
    assert np.allclose(joint.origin.rpy(), (0, 0, 3.1416 - 2 * math.pi))
    assert joint.axis == (1.0, 0.0, 0.0)
    limits = joint.limits
    assert (limits.position, limits.velocity, limits.effort) == ((-3.14, 3.14), (-1.0, 1.0), (-30.0, 30.0))
