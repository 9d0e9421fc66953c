"""URDF files, written as SDF with merged links, are what libsdformat makes of the URDF files itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.sdf import libsdformat
from tests.sdf.lumped import differences, files
from tests.shared import SHARED

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("shared")]

# Files that tell libsdformat to keep some links; the corpus may not be here.
KEPT = ("fixed_joint_reduction_disabled.urdf",)
FILES = [p for p in files() if p.name not in KEPT and (not p.exists() or p.stat().st_size < 60_000)][::8]

#: An arm whose fixed links are turned and moved, one on the other.
ARM = """<robot name="arm">
  <link name="base">{a}</link><link name="plate">{b}</link><link name="upper">{b}</link>
  <link name="tool">{a}</link><link name="tip">{b}</link>
  <joint name="f" type="fixed"><parent link="base"/><child link="plate"/>
    <origin xyz="0.1 0.2 0.3" rpy="0.4 0.5 0.6"/></joint>
  <joint name="j" type="revolute"><parent link="plate"/><child link="upper"/>
    <origin xyz="0 0.1 0.2" rpy="0.1 0 0.3"/><axis xyz="0 0.6 0.8"/>
    <limit lower="-1" upper="2" effort="3" velocity="4"/><dynamics damping="0.1" friction="0.2"/></joint>
  <joint name="g" type="fixed"><parent link="upper"/><child link="tool"/>
    <origin xyz="0.3 0 0.1" rpy="0.7 0 0.2"/></joint>
  <joint name="h" type="fixed"><parent link="tool"/><child link="tip"/>
    <origin xyz="0 0 0.5" rpy="0 0.9 0"/></joint>
</robot>"""
INERTIAL = """<inertial><origin xyz="0.01 0.02 0.03" rpy="{rpy}"/><mass value="{mass}"/>
  <inertia ixx="0.05" iyy="0.06" izz="0.07" ixy="0.01" ixz="-0.008" iyz="0.005"/></inertial>"""


def test_masses_of_merged_links_are_those_of_libsdformat(tmp_path: Path) -> None:
    libsdformat.needed()
    path = tmp_path / "arm.urdf"
    a, b = INERTIAL.format(rpy="0.3 0.4 0.5", mass=2), INERTIAL.format(rpy="0 0 0", mass=0.7)
    path.write_text(ARM.format(a=a, b=b))
    assert [*differences(path, tmp_path)] == []
    ours = libsdformat.ask(tmp_path / "model.sdf")["model"]
    assert [(link["name"], round(link["m"], 12)) for link in ours["links"]] == [
        ("base", 2.7),
        ("upper", 3.4),
    ]


@pytest.mark.parametrize("path", FILES, ids=[str(p.relative_to(SHARED)) for p in FILES])
@pytest.mark.filterwarnings("ignore")
def test_links_are_merged_as_by_libsdformat(path: Path, tmp_path: Path) -> None:
    libsdformat.needed()
    assert [*differences(path, tmp_path)] == []
