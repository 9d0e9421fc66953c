"""The proof of a conversion sees what other programs move: the translation of screws, whatever says it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import unibody as ub
from unibody.conversion.verification import verify
from unibody.model import json as model_json
from unibody.model.changes.joints import split_joints
from unibody.model.joint_kind import KINDS
from unibody.model.shape import MeshFile, Shape
from unibody.text.finding import Findings

ROBOTS = Path(__file__).parents[1] / "robots"
CHAINED = KINDS.keys() - {"screw", "universal"}


@pytest.fixture
def spindle() -> ub.Robot:
    robot = model_json.loads((ROBOTS / "screw.json").read_text("utf-8"), "screw.json", Findings())
    assert robot is not None
    return robot


@pytest.mark.parametrize("name", ["out.urdf", "out.xml", "out.rob"])
def test_a_screw_that_is_a_chain_moves_the_same(name: str, spindle: ub.Robot, tmp_path: Path) -> None:
    proof = ub.save(spindle, tmp_path / name, plain=True).proof
    assert proof is not None
    assert proof.positions is not None
    assert proof.positions < 1e-12
    assert not any(each.quantity == "positions" for each in proof.explained)


@pytest.mark.parametrize("name", ["out.body", "out.wrl"])
def test_a_screw_that_only_turns_moves_differently(name: str, spindle: ub.Robot, tmp_path: Path) -> None:
    report = ub.save(spindle, tmp_path / name, plain=True)
    assert report.proof is not None
    (lost,) = (each for each in report.proof.explained if each.quantity == "positions")
    assert (lost.cause, lost.count) == ("screw joints", 2)
    assert report.proof.positions == pytest.approx(0.0, abs=1e-12)
    assert "moves differently" in report.text()


def test_a_wrong_translation_is_seen(spindle: ub.Robot) -> None:
    chained = split_joints(spindle, CHAINED)
    proof = verify(spindle, chained)
    assert proof.positions is not None
    assert proof.positions < 1e-12
    assert proof.inertia is not None
    assert proof.inertia < 1e-12
    for factor in (-1.0, 0.0, 7.0):
        couplings = tuple(
            replace(c, ratio=factor * c.ratio) if c.joint.endswith("_1") else c for c in chained.couplings
        )
        wrong = verify(spindle, replace(chained, couplings=couplings))
        assert wrong.positions is not None
        assert wrong.positions > 1e-3
        assert wrong.inertia is not None
        assert wrong.inertia > 1e-6


def test_groups_have_the_joints_of_chains() -> None:
    robot = model_json.loads((ROBOTS / "universal.json").read_text("utf-8"), "universal.json", Findings())
    assert robot is not None
    name = next(j.name for j in robot.joints if j.kind == "universal")
    inner = ub.Group(name="inner", joint_members=(name,))
    split = split_joints(replace(robot, groups=(ub.Group(name="all", members=(inner,)), inner)), CHAINED)
    chain = [j.name for j in split.joints if j.name.startswith(name)]
    assert len(chain) == 2
    assert split.groups[1].joint_members == tuple(chain)
    assert split.groups[0].members == (split.groups[1],)


def test_the_base_of_a_scene_is_that_of_each_robot(tmp_path: Path) -> None:
    turn = ub.Joint(name="turn", kind="revolute", parent="base", child="arm")
    arm = ub.Robot(name="arm", links=(ub.Link(name="base"), ub.Link(name="arm")), joints=(turn,))
    scene = ub.Scene(name="two", robots=(arm, replace(arm, name="other", base="fixed")))
    sizes = {base: ub.assemble(scene, base=base).nq for base in ("fixed", "free")}
    joints = ub.assemble(arm, base="fixed").nq
    assert sizes == {"fixed": 2 * joints, "free": 2 * (joints + 7)}
    base: Any
    for base, nq in sizes.items():
        for written in (ub.save, ub.convert):
            written(scene, tmp_path / "two.urdf", base=base, overwrite=True)
            assert ub.assemble(tmp_path / "two.urdf").nq == nq


def test_a_wrong_keyword_is_named_as_such() -> None:
    box = ub.Robot(name="box", links=(ub.Link(name="box"),))
    assert ub.check(box, packages=None) is not None  # None is the default of each
    calls: tuple[Any, ...] = (ub.check, ub.view, ub.simulate)
    for call in calls:
        with pytest.raises(
            TypeError, match="unexpected keyword argument 'packges'; did you mean 'packages'"
        ):
            call(box, packges={})
    with pytest.raises(TypeError, match="source_format is a keyword for reading"):
        ub.convert(box, "box.urdf", source_format="urdf")


OBJ = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl m\nf 1/1 2/1 3/1\n"
MTL = "newmtl m\nKd 1 0.5 0\nmap_Kd t.png\n"


@pytest.mark.parametrize(
    ("changed", "colors", "images"),
    [
        ({}, 0.0, 0.0),
        ({"a.mtl": MTL.replace("0.5", "0.501")}, 0.0, 0.0),
        ({"a.mtl": MTL.replace("0.5", "0.75")}, 0.25, 0.0),
        ({"a.mtl": None}, 1.0, 1.0),
        ({"t.png": None}, 0.0, 1.0),
        ({"t.png": "other"}, 0.0, 2.0),
    ],
)
def test_colors_and_images_of_copies_are_compared(
    changed: dict[str, str | None], colors: float, images: float, tmp_path: Path
) -> None:
    robots = []
    for name, contents in (("a", {}), ("b", changed)):
        folder = tmp_path / name
        folder.mkdir()
        for file, text in {"p.obj": OBJ, "a.mtl": MTL, "t.png": "image", **contents}.items():
            if text is not None:
                (folder / file).write_text(text)
        mesh = MeshFile(uri="p.obj", path=str(folder / "p.obj"))
        link = ub.Link(name="link", visuals=(Shape(geometry=mesh),))
        robots.append(ub.Robot(name="r", links=(link,)))
    first, second = robots
    proof = verify(first, second)
    assert proof.colors == pytest.approx(colors)
    assert proof.images == images
    assert ("colors off" in str(proof)) == (colors > 0.0)
    causes = {("colors", "link/visual"): "materials", ("images", "link/visual"): "materials"}
    assert all(x.cause == "materials" for x in verify(first, second, causes=causes).explained)


def test_what_looks_differently_is_in_the_headline(tmp_path: Path) -> None:
    (tmp_path / "p.obj").write_text(OBJ)
    (tmp_path / "a.mtl").write_text(MTL.replace("t.png", "t.jpg"))
    (tmp_path / "t.jpg").write_text("image")
    mesh = MeshFile(uri="p.obj", path=str(tmp_path / "p.obj"))
    link = ub.Link(name="link", visuals=(Shape(geometry=mesh),))
    robot = ub.Robot(name="r", links=(link,), base="fixed")
    same = ub.save(robot, tmp_path / "r.body", plain=True)
    assert "looks" not in same.headline()
    # MuJoCo reads no JPEG images
    other = ub.save(robot, tmp_path / "r.xml", plain=True)
    assert "looks differently" in other.headline()
    assert [(x.quantity, x.largest) for x in other.proof.explained] == [("images", 1.0)]  # type: ignore[union-attr]
