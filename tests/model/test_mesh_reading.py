"""Scale and up axis of mesh files: in the robot, in its surfaces, in what is written, by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unibody as ub
from unibody.cli.main import main
from unibody.meshes import MeshCache
from unibody.meshes.cache import placed_surfaces

# A box 200 wide in x, 300 in y and 400 in z.
OBJ = "".join(f"v {x} {y} {z}\n" for x in (0, 200) for y in (0, 300) for z in (0, 400))
OBJ += "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n"
URDF = """\
<robot name="r">
  <link name="a"><visual><geometry><mesh filename="meshes/arm.obj"/></geometry></visual></link>
  <link name="b">
    <visual><geometry><mesh filename="meshes/hand.obj" scale="1 1 2"/></geometry></visual>
  </link>
  <joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>
</robot>
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("meshes").mkdir()
    for name in ("arm", "hand"):
        Path(f"meshes/{name}.obj").write_text(OBJ)
    Path("r.urdf").write_text(URDF)


def extent(robot: ub.Robot, link: str) -> list[float]:
    """The size of the visual shape of a link along the axes of the link."""
    surfaces = placed_surfaces(robot.link(link).visuals[0], MeshCache())
    points = np.concatenate([s.vertices for s in surfaces])
    return [float(size) for size in (points.max(axis=0) - points.min(axis=0)).round(9)]


def test_all_mesh_files() -> None:
    robot = ub.load("r.urdf", scale=0.001)
    assert extent(robot, "a") == [0.2, 0.3, 0.4]
    assert extent(robot, "b") == [0.2, 0.3, 0.8]
    robot = ub.load("r.urdf", scale=0.001, up_axis="Y")
    assert extent(robot, "a") == [0.2, 0.4, 0.3]


def corner(robot: ub.Robot) -> list[float]:
    """The corner of arm.obj that is not in the origin."""
    (surface,) = placed_surfaces(robot.link("a").visuals[0], MeshCache())
    return [float(x) for x in surface.vertices[np.abs(surface.vertices).sum(axis=1).argmax()].round(9)]


@pytest.mark.parametrize(
    ("axis", "wanted"),
    [
        ("X", [-400, 300, 200]),
        ("Y", [200, -400, 300]),
        ("Z", [200, 300, 400]),
        ("choreonoid-X", [300, 400, 200]),
        ("choreonoid-Y", [400, 200, 300]),
    ],
)
def test_each_up_axis(axis: Any, wanted: list[float]) -> None:
    # Y: by +90° about X, X: by -90° about Y; Choreonoid exchanges the axes cyclically
    assert corner(ub.load("r.urdf", up_axis=axis)) == wanted
    assert main(["convert", "r.urdf", "out.urdf", "--up-axis", axis.lower()]) == 0
    assert corner(ub.load("out.urdf")) == wanted


@pytest.mark.parametrize("pattern", ["hand.obj", "meshes/hand.obj", "h*.obj", "*/hand.*"])
def test_one_by_name(pattern: str) -> None:
    robot = ub.load("r.urdf", scale={pattern: 0.001}, up_axis={pattern: "Z"})
    assert extent(robot, "a") == [200, 300, 400]
    assert extent(robot, "b") == [0.2, 0.3, 0.8]


def test_the_last_pattern_counts() -> None:
    assert extent(ub.load("r.urdf", scale={"*": 0.001, "hand.obj": 0.01}), "b") == [2.0, 3.0, 8.0]


def test_a_name_of_no_mesh_file_is_a_warning() -> None:
    (finding,) = (f for f in ub.read("r.urdf", scale={"hnad.obj": 0.001}).findings if f.severity != "info")
    assert (finding.code, finding.suggestion) == ("mesh-setting-unused", "hand.obj")


@pytest.mark.parametrize("wrong", [0.0, -1.0, float("nan"), float("inf")])
def test_wrong_values(wrong: float) -> None:
    with pytest.raises(ValueError, match="positive"):
        ub.read("r.urdf", scale=wrong)
    with pytest.raises(ValueError, match="X, Y, Z, choreonoid-X, choreonoid-Y"):
        ub.read("r.urdf", up_axis="y")  # type: ignore[arg-type]


@pytest.mark.parametrize("target", ["out/r.urdf", "out/r.body", "out/r.wrl", "out/r.rob"])
def test_what_is_written_has_them(target: str) -> None:
    Path("out").mkdir()
    assert main(["convert", "r.urdf", target, "--scale", "0.001", "--up-axis", "hand.obj=y"]) == 0
    robot = ub.load(target)
    sizes = [extent(robot, link.name) for link in robot.links if link.visuals]
    assert sizes[0] == [0.2, 0.3, 0.4]
    assert sizes[1] == extent(ub.load("r.urdf", scale=0.001, up_axis={"hand.obj": "Y"}), "b")


def test_a_plain_scene_is_a_mesh_itself() -> None:
    Path("box.wrl").write_text(
        "#VRML V2.0 utf8\n"
        "Transform { translation 0 100 0 children Shape { geometry Box { size 200 300 400 } } }\n"
    )
    robot = ub.load("box.wrl", scale=0.001, up_axis="Y")
    shape = robot.links[0].visuals[0]
    assert extent(robot, robot.root) == [0.2, 0.4, 0.3]
    assert np.allclose(shape.pose.xyz, (0.0, 0.0, 0.1))
    assert ub.read("box.wrl", up_axis="Y").up == "z"
    assert ub.read("box.wrl").up == "y"


def test_options_of_all_verbs(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (
        ["info", "r.urdf"],
        ["check", "r.urdf"],
        ["diff", "r.urdf", "r.urdf"],
        ["dump", "r.urdf"],
    ):
        assert main([*words, "--scale", "0.001", "--scale", "arm.obj=0.01", "--up-axis", "Z"]) == 0
    assert main(["info", "r.urdf", "--scale", "big"]) == 2
    assert "positive number" in capsys.readouterr().err
