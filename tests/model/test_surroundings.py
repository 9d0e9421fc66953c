"""What stands beside a robot in its file counts like the robot's own links."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import mujoco
import numpy as np
import pytest

import unibody as ub
from unibody.cli.main import main
from unibody.model import json as native
from unibody.model.base import WORLD
from unibody.model.changes.surroundings import placed, rooted
from unibody.model.pose import Pose
from unibody.text.finding import Findings

ARM = """<mujoco model="arm"><worldbody>
  <geom name="wall" type="box" size=".02 .5 .5" pos="0 .35 .5" euler="0 0 90"/>
  <geom name="ground" type="plane" size="1 1 .1" pos="0 0 -.5"/>
  <site name="door" pos="1 2 3"/><camera name="eye" pos="2 0 1" xyaxes="0 1 0 0 0 1"/>
  <light name="lamp" pos="0 0 4"/>
  <body name="base" pos="0 0 .1">{free}<geom type="cylinder" size=".06 .05"/>
    <body name="turn" pos="0 0 .1"><joint name="turn" axis="0 0 1" range="-170 170"/>
      <geom type="capsule" size=".03" fromto=".1 0 .05 .5 0 .05"/></body></body>{more}
</worldbody>{rest}</mujoco>"""
BOX = '<body name="box" pos="3 3 3"><freejoint/><geom size=".1"/></body>'


def arm(free: str = "", more: str = "", rest: str = "") -> ub.Robot:
    return ub.loads(ARM.format(free=free, more=more, rest=rest), format="mjcf")


@pytest.mark.parametrize("free", ["", "<freejoint/>"])
def test_the_world_of_one_robot_is_read(free: str) -> None:
    robot = arm(free)
    assert robot.root == "base"
    around = robot.surroundings
    assert around is not None
    assert (around.name, [x.name for x in around.visuals]) == (WORLD, ["wall", "ground"])
    assert around.collisions[0].pose.xyz == (0.0, 0.35, 0.5)
    assert [(x.name, x.pose.xyz) for x in robot.frames if x.link == WORLD] == [("door", (1.0, 2.0, 3.0))]
    assert {x.name for x in robot.devices if x.link == WORLD} == {"eye", "lamp"}
    assert robot.link(WORLD) is around
    vertices, _ = ub.mesh(robot, WORLD, "collision")
    assert vertices[:, 1].max() > 0.3
    assert arm("", BOX).surroundings is None
    assert ub.loads("<mujoco><worldbody><body name='a'><geom size='1'/></body></worldbody></mujoco>",
                    format="mjcf").surroundings is None  # fmt: skip


@pytest.mark.parametrize("free", ["", "<freejoint/>"])
def test_mjcf_gives_it_back(free: str) -> None:
    text = ARM.format(free=free, more="", rest="")
    robot = ub.loads(text, format="mjcf")
    written = ub.dumps(robot, format="mjcf", plain=True)
    assert ub.diff(robot, ub.loads(written, format="mjcf")) == []
    models = [mujoco.MjModel.from_xml_string(x) for x in (text, written)]
    for name in ("geom_bodyid", "geom_type", "geom_size", "geom_pos", "cam_pos", "site_pos", "light_pos"):
        first, second = (getattr(model, name) for model in models)
        assert second == pytest.approx(first), name
    moved = replace(robot, surroundings=replace(robot.surroundings, collisions=(), visuals=()))  # type: ignore[type-var]
    left = mujoco.MjModel.from_xml_string(ub.dumps(moved, format="mjcf", plain=True))
    assert left.ngeom == models[0].ngeom - 2


def test_json_has_the_field() -> None:
    robot = arm()
    back = native.loads(native.dumps(robot), "arm", Findings())
    assert back is not None
    assert ub.diff(robot, back) == []
    paths = ub.facts(robot)
    assert paths["surroundings/collisions/0/geometry"] == "Box"
    bare = replace(robot, surroundings=None)
    assert "surroundings" in {d.path.partition("/")[0] for d in ub.diff(robot, bare)}


@pytest.mark.parametrize("free", ["", "<freejoint/>"])
def test_collisions_are_those_of_mujoco_with_and_without_another_body(free: str) -> None:
    coal = pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")
    assert coal is not None
    for more in ("", BOX):
        text = ARM.format(free=free, more=more, rest="")
        world = ub.collisions(ub.loads(text, format="mjcf"))
        assert {WORLD} <= {name for pair in world.pairs for name in pair}
        model = mujoco.MjModel.from_xml_string(text)
        data = mujoco.MjData(model)
        for angle in np.linspace(-2.9, 2.9, 41).tolist():
            data.joint("turn").qpos[0] = angle
            mujoco.mj_forward(model, data)
            q = world.mechanism.positions({"turn": angle})
            found = {frozenset(hit.pair) for hit in world.hits(q)}
            bodies = model.geom_bodyid[data.contact.geom[: data.ncon]].reshape(-1, 2).tolist()
            names = {frozenset(model.body(b).name for b in pair) for pair in bodies}
            # MuJoCo misses a capsule that goes right through a box
            assert names <= found, angle
            reaches = 0.5 * np.sin(angle) + 0.03 > 0.33
            assert {pair for pair in found if WORLD in pair} == (
                {frozenset((WORLD, "turn"))} if reaches else set()
            )
        q = [world.mechanism.positions({"turn": angle}) for angle in (-1.2, 2.5)]
        assert world.segment(*q).status == "hit"


def test_pairs_with_the_world_obey_the_file() -> None:
    pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")
    exclude = '<contact><exclude body1="world" body2="turn"/></contact>'
    for robot in (arm("", "", exclude), arm("", BOX, exclude)):
        assert frozenset((WORLD, "turn")) not in {frozenset(p) for p in ub.collisions(robot).pairs}
        every = {frozenset(p) for p in ub.collisions(robot, pairs="all").pairs}
        assert frozenset((WORLD, "turn")) in every
    matrix = ub.self_collision(arm())
    assert matrix.of("turn", WORLD).status == "possible"
    assert matrix.of("base", WORLD).status == "adjacent"


def test_plans_do_not_go_through_the_wall() -> None:
    pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")
    for more in ("", BOX):
        robot = arm("", more)
        assert ub.plan(robot, {"turn": 0.0}, {"turn": 1.5}, time_limit=1.0).status != "free"
        assert ub.plan(robot, {"turn": 0.0}, {"turn": -1.0}).status == "free"


def test_simulations_have_it() -> None:
    sim = ub.simulate(arm("<freejoint/>"))
    for _ in range(600):
        sim.step()
    assert {name for pair in sim.contacts.links for name in pair} >= {WORLD, "base"}
    assert sim.cameras["eye"].pose[:3, 3] == pytest.approx([2.0, 0.0, 1.0])


@pytest.mark.parametrize("suffix", [".urdf", ".body", ".wrl", ".rob"])
def test_other_formats_have_it_as_their_root(suffix: str, tmp_path: Path) -> None:
    robot = arm()
    report = ub.save(robot, tmp_path / f"arm{suffix}", plain=True)
    assert all(loss.row is not None for loss in report.losses)
    back = ub.load(tmp_path / f"arm{suffix}")
    assert (back.root, back.children(WORLD)) == (WORLD, ("base",))
    assert back.link(WORLD).collisions or back.link(WORLD).visuals
    report = ub.save(robot, tmp_path / f"whole{suffix}")
    assert ub.diff(robot, ub.load(tmp_path / f"whole{suffix}")) == []
    free = arm("<freejoint/>")
    report = ub.save(free, tmp_path / f"free{suffix}", plain=True)
    lost = [loss for loss in report.losses if loss.difference.path == "surroundings"]
    assert [loss.row.what for loss in lost if loss.row] == ["surroundings"]


def test_scenes_and_placements_move_it() -> None:
    robot = placed(arm(), Pose((0.0, 0.0, 2.0)))
    assert robot.surroundings is not None
    assert robot.surroundings.collisions[0].pose.xyz == (0.0, 0.35, 2.5)
    assert next(x for x in robot.frames if x.name == "door").pose.xyz == (1.0, 2.0, 5.0)
    one = ub.assemble(ub.Scene(name="two", robots=(arm(), replace(robot, name="other")))).robot
    assert one.root == WORLD
    assert len(one.link(WORLD).collisions) == 4
    assert {x.link for x in one.frames} == {WORLD}
    pairs = {frozenset(pair) for pair in one.self_collision.enabled}
    assert {frozenset((WORLD, f"{name}:turn")) for name in ("arm", "other")} <= pairs


def test_rooted_robots_test_the_same_pairs() -> None:
    pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")
    robot = arm()
    first, second = (ub.collisions(each).pairs for each in (robot, rooted(robot)))
    assert {frozenset(pair) for pair in first} == {frozenset(pair) for pair in second}
    assert ub.assemble(robot).nq == ub.assemble(rooted(robot)).nq


def test_edits_keep_it_with_the_root() -> None:
    robot = arm()
    assert ub.subtree(robot, "turn").surroundings is None
    assert {x.name for x in ub.subtree(robot, "turn").frames} == set()
    assert ub.subtree(robot, "base").surroundings == robot.surroundings
    other = ub.attach(robot, arm(), "turn", prefix="b_")
    assert other.surroundings == robot.surroundings
    assert [x.name for x in other.frames] == ["door"]


def collisions_found(text: str) -> list[str]:
    found = ub.check(ub.loads(text, format="mjcf"))
    return [finding.message for finding in found if finding.code == "posture-collides"]


def test_a_posture_that_reaches_into_the_surroundings_is_found() -> None:
    keys = '<keyframe><key name="away" qpos="-1"/><key name="hit" qpos="1.5"/></keyframe>'
    (found,) = collisions_found(ARM.format(free="", more="", rest=keys))
    assert found.startswith("in the posture 'hit' 'turn' and 'world' (")
    # with a second body the world is the root link; what moves freely may rest on it
    ball = '<body name="ball" pos="-2 0 .04"><freejoint/><geom size=".05"/></body></worldbody>'
    second = ARM.replace("</worldbody>", ball.replace("<freejoint/>", ""))
    swapped = found.replace("'turn' and 'world'", "'world' and 'turn'")
    assert collisions_found(second.format(free="", more="", rest=keys)) == [swapped]
    keys = keys.replace('"/>', ' -2 0 .04 1 0 0 0"/>')
    free = ARM.replace("</worldbody>", ball)
    assert collisions_found(free.format(free="", more="", rest=keys)) == [swapped]


def test_checks_leave_alone_what_a_robot_stands_on() -> None:
    keys = '<keyframe><key name="up" qpos="0"/><key name="hit" qpos="1.5"/></keyframe>'
    free = keys.replace('qpos="', 'qpos="0 0 -.6 1 0 0 0 ')
    assert collisions_found(ARM.format(free="<freejoint/>", more="", rest=free)) == []
    # its rod is in the ground in all postures
    mounted = ARM.replace('fromto=".1 0 .05 .5 0 .05"', 'fromto=".3 0 -.8 .3 0 .5"')
    assert collisions_found(mounted.format(free="", more="", rest=keys)) == []
    # the rod lies against the wall in one posture, 0.5 mm deep, and 5 mm deep
    for depth, count in ((0.0005, 0), (0.005, 1)):
        wall = f'<geom name="wall" type="box" size=".1 .02 .1" pos=".3 {0.05 - depth} .25"/>'
        beside = ARM.replace(ARM.splitlines()[1], wall)
        rest = '<keyframe><key name="up" qpos="-1"/></keyframe>'
        found = collisions_found(beside.format(free="", more="", rest=rest))
        assert len(found) == count
    assert found == ["at the initial pose 'turn' and 'world' (5.0 mm deep) collide, which the model tests"]


def test_runs_name_it_in_their_contacts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "arm.xml"
    path.write_text(ARM.format(free="<freejoint/>", more="", rest=""))
    run = str(tmp_path / "run.npz")
    assert main(["simulate", str(path), "--seconds", "0.6", "--record", run]) == 0
    assert "contact force on world: " in capsys.readouterr().out
    record = ub.load_record(run)
    contacts = record.json()["contacts"]
    assert {name for contact in contacts for name in contact["links"]} >= {WORLD, "base"}
    assert main(["view", run, "--html", str(tmp_path / "run.html")]) == 0


def test_frames_on_it_do_not_move() -> None:
    mechanism = ub.assemble(arm())
    with pytest.raises(KeyError, match="no link or frame 'door'"):
        mechanism.jacobian(mechanism.initial, "door")
    assert mechanism.trace(np.zeros((2, 1)), step=0.1) == {}


def test_urdf_has_them_as_the_root_link(tmp_path: Path) -> None:
    robot = arm()
    report = ub.save(robot, tmp_path / "arm.urdf", plain=True, frames="all")
    made = ub.load(tmp_path / "arm.urdf")
    assert made.root == WORLD
    on_world = {(joint.child, joint.origin.xyz) for joint in made.joints if joint.parent == WORLD}
    assert on_world == {("base", (0.0, 0.0, 0.1)), ("door", (1.0, 2.0, 3.0))}
    pose = [loss for loss in report.losses if loss.path.startswith("pose/")]
    assert [loss.row and loss.row.what for loss in pose] == ["surroundings"]
    free = ub.save(arm("<freejoint/>"), tmp_path / "free.urdf", plain=True)
    pose = [loss for loss in free.losses if loss.path.startswith("pose/")]
    assert [loss.row and loss.row.what for loss in pose] == ["robot pose"]
