"""Robots as MPK files and their models, there and back, and what MPK makes of them."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.convert.models import CASES, every, neutral, plain, whole
from tests.sampling import few, sampled
from tests.shared import DEV

import unibody as ub
from unibody.conversion.formatting import formatted
from unibody.conversion.measurement import find_differences
from unibody.conversion.pipeline import save
from unibody.meshes import MeshCache, bounds, link_surfaces
from unibody.meshes.surface import area
from unibody.model import collision
from unibody.model import shape as s
from unibody.model.pose import Pose
from unibody.model.robot import Coupling, Frame, Joint, Limits, Link, Robot, SelfCollision

ROBS = sorted(DEV.glob("**/*.rob"))
FILES = every(5)
TURN = 2.0 * math.pi


# --- there and back -----------------------------------------------------------------------


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("suffix", few([".body", ".urdf", ".rob"], 1))
@pytest.mark.parametrize("path", ROBS, ids=[p.stem for p in ROBS])
def test_from_mpk_and_back(path: Path, suffix: str, tmp_path: Path) -> None:
    robot = whole(path)
    report = save(robot, tmp_path / f"model{suffix}")
    assert [str(x.difference) for x in report.losses if x.row is None or not x.carried] == []
    save(whole(tmp_path / f"model{suffix}"), tmp_path / "back" / path.name)
    assert [str(d) for d in ub.diff(robot, whole(tmp_path / "back" / path.name))] == []


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("path", sampled(FILES, keep=3, root=DEV))
def test_to_mpk_and_back(path: Path, tmp_path: Path) -> None:
    reading = ub.read(path)
    assert reading.ok
    assert reading.robot is not None
    robot = reading.robot
    report = save(robot, tmp_path / "model.rob")
    assert [str(x.difference) for x in report.losses if x.row is None] == []
    assert [str(x.difference) for x in report.losses if not x.carried] == []
    plainly = find_differences(robot, plain(tmp_path / "model.rob"), by_child=True)
    # what the materials of mesh files have beside those of the model is no fact of it
    facts = [x for x in report.losses if x.row is None or not x.row.what.endswith(" of meshes")]
    assert sorted(map(str, plainly)) == sorted(str(x.difference) for x in facts)
    assert report.proof is not None
    assert (report.proof.positions or 0.0) < 1e-9
    assert (report.proof.rotations or 0.0) < 1e-9
    back = tmp_path / "back" / f"model{path.suffix}"
    save(whole(tmp_path / "model.rob"), back)
    assert [str(d) for d in ub.diff(robot, whole(back))] == []


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("path", sampled(FILES[::4], keep=1, root=DEV))
def test_models_look_the_same(path: Path, tmp_path: Path) -> None:
    reading = ub.read(path)
    assert reading.ok
    assert reading.robot is not None
    save(reading.robot, tmp_path / "model.rob", plain=True)
    same_looks(reading.robot, plain(tmp_path / "model.rob"))


@pytest.mark.parametrize("case", CASES)
def test_neutral_robots_look_the_same(case: str, tmp_path: Path) -> None:
    save(neutral(case), tmp_path / "model.rob", plain=True)
    same_looks(neutral(case), plain(tmp_path / "model.rob"))


def same_looks(before: Robot, after: Robot) -> None:
    """The drawn triangles of each link are the same as a whole."""
    caches = MeshCache(), MeshCache()
    names = {link.name.replace(" ", "_"): link.name for link in before.links if link.visuals}
    for link in after.links:
        if link.name not in names:
            continue
        first = link_surfaces(before, names[link.name], "visual", caches[0])
        second = link_surfaces(after, link.name, "visual", caches[1])
        a, b = bounds(first), bounds(second)
        if a is None or b is None:
            # what is checked is drawn where what is drawn is missing
            assert a is None
            continue
        assert np.allclose(a, b, rtol=0.0, atol=1e-9 * (1.0 + np.abs(a).max()))
        if not any(isinstance(x.geometry, s.Capsule) for x in before.link(names[link.name]).visuals):
            assert sum(map(area, first)) == pytest.approx(sum(map(area, second)), rel=1e-9)


# --- what stands in the file --------------------------------------------------------------


def arm(*joints: Joint, **more: object) -> Robot:
    links = (Link(name="base"), *(Link(name=j.child) for j in joints))
    return Robot(name="arm", links=links, joints=joints, **more)  # type: ignore[arg-type]


def joint(name: str, low: float, high: float, parent: str = "base", kind: str = "revolute") -> Joint:
    limits = Limits(position=(low, high))
    return Joint(name=name, kind=kind, parent=parent, child=name, limits=limits)  # type: ignore[arg-type]


def written(robot: Robot, folder: Path) -> Robot:
    save(robot, folder / "arm.rob", plain=True)
    return plain(folder / "arm.rob")


@pytest.mark.parametrize(
    ("kind", "low", "high", "expected"),
    [
        ("revolute", -math.inf, math.inf, (-math.pi, math.pi)),
        ("revolute", 0.5, math.inf, (0.5, 0.5 + TURN)),
        ("revolute", -math.inf, 0.5, (0.5 - TURN, 0.5)),
        ("prismatic", -math.inf, math.inf, (-10.0, 10.0)),
        ("prismatic", 1.0, math.inf, (1.0, 21.0)),
        ("prismatic", -0.25, 0.5, (-0.25, 0.5)),
    ],
)
def test_bounds(kind: str, low: float, high: float, expected: tuple[float, float], tmp_path: Path) -> None:
    back = written(arm(joint("a", low, high, kind=kind)), tmp_path)
    assert back.joints[0].limits.position == pytest.approx(expected)
    assert back.coordinates[0].cyclic == (kind == "revolute" and math.isinf(low) and math.isinf(high))


def test_joints_that_follow_share_a_parameter(tmp_path: Path) -> None:
    joints = (joint("a", -1.0, 2.0), joint("b", -9.0, 9.0, "a"), joint("c", -9.0, 9.0, "b"))
    couplings = (
        Coupling(joint="b", leader="a", ratio=-2.0, offset=0.5),
        Coupling(joint="c", leader="b", ratio=0.5, offset=1.0),
    )
    (made,) = written(arm(*joints, couplings=couplings), tmp_path).coordinates
    assert [(d.joint, d.at_zero, d.at_one) for d in made.drives] == [
        ("a", -1.0, 2.0),
        ("b", 2.5, -3.5),
        ("c", 2.25, -0.75),
    ]
    assert made.default == pytest.approx(1.0 / 3.0)


def test_couplings_in_a_circle_are_left_out(tmp_path: Path) -> None:
    joints = (joint("a", -1.0, 2.0), joint("b", -9.0, 9.0))
    couplings = (Coupling(joint="a", leader="b"), Coupling(joint="b", leader="a"))
    back = written(arm(*joints, couplings=couplings), tmp_path)
    assert [len(c.drives) for c in back.coordinates] == [1, 1]


def test_numbers_of_joints_are_the_order_of_parameters(tmp_path: Path) -> None:
    joints = tuple(replace(joint(n, -1.0, 1.0), number=k) for n, k in (("a", 5), ("b", 2), ("c", None)))
    back = written(arm(*joints), tmp_path)
    assert [c.drives[0].joint for c in back.coordinates] == ["b", "a", "c"]


def test_names_are_single_words(tmp_path: Path) -> None:
    joints = (joint('left "arm" #1', -1.0, 1.0), joint("left_arm_1", -1.0, 1.0))
    back = written(arm(*joints), tmp_path)
    assert [x.name for x in back.links] == ["base", "left_arm_1_2", "left_arm_1"]


def test_a_name_that_another_joint_has_is_not_taken(tmp_path: Path) -> None:
    joints = (replace(joint("b", -1.0, 1.0, "a"), name="a"), replace(joint("a", -1.0, 1.0), name="turn"))
    report = save(arm(*joints), tmp_path / "arm.rob")
    assert [x.name for x in plain(tmp_path / "arm.rob").joints] == ["turn", "b"]
    assert [str(x.difference) for x in report.losses if x.row is None] == []


def test_parents_stand_first(tmp_path: Path) -> None:
    joints = (joint("b", -1.0, 1.0, "a"), joint("a", -1.0, 1.0))
    save(arm(*joints), tmp_path / "arm.rob", plain=True)
    found = ub.read(tmp_path / "arm.rob")
    assert [f.code for f in found.findings if f.severity != "info"] == []


def test_a_base_that_readers_add_is_not_written(tmp_path: Path) -> None:
    robot = arm(joint("a", -1.0, 1.0))
    assert written(robot, tmp_path).links == robot.links
    assert "joint base" not in (tmp_path / "arm.rob").read_text("utf-8")
    placed = replace(robot, pose=Pose((0.0, 0.0, 1.0)))
    save(placed, tmp_path / "placed.rob", plain=True)
    assert plain(tmp_path / "placed.rob").pose == placed.pose


def test_traced_frames(tmp_path: Path) -> None:
    frames = (
        Frame(name="a", link="a", trace=True),
        Frame(name="tip", link="a", pose=Pose((0.0, 0.0, 0.5)), trace=True),
        Frame(name="seen", link="a"),
    )
    back = written(arm(joint("a", -1.0, 1.0), frames=frames), tmp_path)
    assert [(f.name, f.link) for f in back.frames] == [("a", "a"), ("tip", "tip")]
    assert back.joint("tip").origin.xyz == (0.0, 0.0, 0.5)


def test_pairs_that_are_tested() -> None:
    ball = (s.Shape(geometry=s.Sphere(radius=1.0)),)
    chain = arm(joint("a", -1.0, 1.0), joint("b", -1.0, 1.0, "a"), joint("c", -1.0, 1.0, "b"))
    robot = replace(chain, links=tuple(replace(x, collisions=ball) for x in chain.links))
    assert set(collision.tested_pairs(robot)) == {("base", "b"), ("base", "c"), ("a", "c")}
    rules = SelfCollision(default="all", disabled=(("c", "base"), ("a", "b")))
    assert set(collision.tested_pairs(replace(robot, self_collision=rules))) == {
        ("base", "a"),
        ("base", "b"),
        ("a", "c"),
        ("b", "c"),
    }
    rules = SelfCollision(default="none", enabled=(("c", "a"),))
    assert list(collision.tested_pairs(replace(robot, self_collision=rules))) == [("c", "a")]


def test_other_collision_shapes_are_the_second_model(tmp_path: Path) -> None:
    box, ball = s.Shape(geometry=s.Box(size=(1.0, 2.0, 3.0))), s.Shape(geometry=s.Sphere(radius=0.5))
    links: tuple[Link, ...] = (
        Link(name="both", visuals=(box,), collisions=(ball,)),
        Link(name="same", visuals=(replace(box, material=s.Material(diffuse=(1.0, 0.0, 0.0))),)),
        Link(name="solid", collisions=(ball,)),
    )
    links = (links[0], replace(links[1], collisions=(box,)), links[2], Link(name="seen", visuals=(box,)))
    fixed = [Joint(name=x.name, kind="fixed", parent="both", child=x.name) for x in links[1:]]
    back = written(Robot(name="arm", links=links, joints=tuple(fixed)), tmp_path)
    sizes = [(len(x.visuals), len(x.collisions), len(x.collisions_alt)) for x in back.links]
    assert sizes == [(1, 1, 1), (1, 1, 0), (1, 1, 0), (1, 0, 0)]


def test_leftovers_of_mpk_stay(tmp_path: Path) -> None:
    text = (
        "#MPK v1.0 robot joint A { coll FALSE } joint B { parent A Rot1 0 0 1 -1 1 param 0 }"
        " param { 0 { shiny } 7 { passive } }"
    )
    (tmp_path / "old.rob").write_text(text, "utf-8")
    robot = whole(tmp_path / "old.rob")
    save(robot, tmp_path / "new" / "old.rob", plain=True)
    assert [str(d) for d in ub.diff(robot, plain(tmp_path / "new" / "old.rob"))] == []


@pytest.mark.parametrize(
    "placed",
    [
        s.TextureTransform(translation=(0.1, 0.2), scale=(2.0, 3.0), center=(0.5, 0.25)),
        s.TextureTransform(translation=(0.1, 0.2), scale=(2.0, 2.0), center=(0.5, 0.25), rotation=0.5),
        s.TextureTransform(translation=(0.1, 0.2), scale=(2.0, -3.0), center=(0.5, 0.25), rotation=0.5),
    ],
)
def test_placed_images(placed: s.TextureTransform, tmp_path: Path) -> None:
    texture = s.Texture(image=(1, 1, 3, 255, 0, 0), transform=placed, repeat_s=False)
    box = s.Shape(geometry=s.Box(size=(1.0, 2.0, 3.0)), material=s.Material(texture=texture))
    save(Robot(name="box", links=(Link(name="box", visuals=(box,)),)), tmp_path / "box.rob")
    found = whole(tmp_path / "box.rob_files" / "box.iv").links[0].visuals[0]
    assert found.geometry == box.geometry
    assert found.material is not None
    made = found.material.texture
    assert made is not None
    assert not made.repeat_s
    assert made.transform is not None
    assert image_matrix(made.transform) == pytest.approx(image_matrix(placed), abs=1e-12)


def image_matrix(t: s.TextureTransform) -> NDArray[np.float64]:
    """What is done to texture coordinates (ISO/IEC 14772-1, 6.49): −C · S · R · C · T."""

    def move(x: float, y: float) -> NDArray[np.float64]:
        return np.array([[1.0, 0.0, x], [0.0, 1.0, y], [0.0, 0.0, 1.0]])

    c, w = math.cos(t.rotation), math.sin(t.rotation)
    turn = np.array([[c, -w, 0.0], [w, c, 0.0], [0.0, 0.0, 1.0]])
    x, y = t.center
    made = move(-x, -y) @ np.diag([*t.scale, 1.0]) @ turn @ move(x, y) @ move(*t.translation)
    return np.asarray(made)


@pytest.mark.parametrize("case", ["kitchen_sink", "shapes"])
def test_shapes_read_back_as_they_are(case: str, tmp_path: Path) -> None:
    """Boxes stay boxes, polygons polygons, with their materials."""
    save(neutral(case), tmp_path / "model.rob", plain=True)
    read_back = {link.name: link for link in plain(tmp_path / "model.rob").links}
    for link in neutral(case).links:
        kept = [x for x in link.visuals if isinstance(x.geometry, s.Box | s.Sphere | s.Cone | s.Mesh)]
        if not kept:
            continue
        file = read_back[link.name.replace(" ", "_")].visuals[0].geometry
        assert isinstance(file, s.MeshFile)
        found = [x for each in whole(Path(file.path)).links for x in each.visuals]
        for shape in kept:
            twins = [x for x in found if same_shape(shape, x)]
            assert twins, shape


def same_shape(a: s.Shape, b: s.Shape) -> bool:
    if type(a.geometry) is not type(b.geometry):
        return False
    first = a.material or s.Material()
    second = b.material or s.Material()
    looks = (first.emissive, first.specular, first.transparency)
    if looks != (second.emissive, second.specular, second.transparency):
        return False
    numbers = "vertices" if isinstance(a.geometry, s.Mesh) else "size"
    x, y = (np.asarray(getattr(shape.geometry, numbers, ())) for shape in (a, b))
    return x.shape == y.shape and bool(np.allclose(np.sort(x), np.sort(y), rtol=0.0, atol=1e-12))


# --- what is carried ----------------------------------------------------------------------


def test_an_edit_made_elsewhere_wins(tmp_path: Path) -> None:
    robot = replace(arm(joint("a", -1.0, math.inf)), base="free")
    save(robot, tmp_path / "arm.rob")
    text = (tmp_path / "arm.rob").read_text("utf-8")
    assert whole(tmp_path / "arm.rob").joints[0].limits == robot.joints[0].limits
    (tmp_path / "arm.rob").write_text(text.replace(" -1 5.28", " -1 6.28"), "utf-8")
    found = ub.read(tmp_path / "arm.rob")
    assert [f.code for f in found.findings if f.severity == "warning"] == ["sidecar-stale"] * 2
    assert found.robot is not None
    assert found.robot.base == "free"
    assert found.robot.joints[0].limits.position[1] == pytest.approx(6.283185307179586)


def test_formatting_keeps_what_is_carried(tmp_path: Path) -> None:
    save(neutral("mpk"), tmp_path / "mpk.rob")
    before = whole(tmp_path / "mpk.rob")
    made = formatted(str(tmp_path / "mpk.rob"))[1]
    assert made is not None
    (tmp_path / "mpk.rob").write_text(made.after, "utf-8")
    assert [str(d) for d in ub.diff(before, whole(tmp_path / "mpk.rob"))] == []


def test_a_block_without_end_is_a_comment(tmp_path: Path) -> None:
    save(neutral("mpk"), tmp_path / "mpk.rob")
    text = (tmp_path / "mpk.rob").read_text("utf-8").replace("# </unibody>\n", "")
    (tmp_path / "mpk.rob").write_text(text, "utf-8")
    assert ub.diff(plain(tmp_path / "mpk.rob"), whole(tmp_path / "mpk.rob")) == []
