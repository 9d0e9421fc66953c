"""Links that collide in a posture, and listed pairs of which the opposite is found."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import mujoco
import pytest
from tests.project.tools import ROOT
from tests.shared import DEV

import unibody as ub
from unibody.checks import further
from unibody.files.access import Files, MemoryFiles

pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")

CODES = ("posture-collides", "pair-disabled-collides", "pair-never-collides")
DIGGER = ROOT / "tests/commands/models/digger.urdf"
CORPUS = DEV
#: Seconds of CPU that these rules may take for any robot of the corpus: several times what they take.
MOST = 3.0


def arm(apart: float, geometry: Any, **rules: Any) -> ub.Robot:
    """Three links in a row; the first and the last one have the same shape, and do not join."""
    shape = (ub.Shape(geometry=geometry),)
    links = (
        ub.Link(name="base", collisions=shape),
        ub.Link(name="upper"),
        ub.Link(name="hand", collisions=shape),
    )
    joints = tuple(
        ub.Joint(
            name=f"to_{b}",
            kind="revolute",
            parent=a,
            child=b,
            origin=ub.Pose((x, 0.0, 0.0)),
            axis=(0.0, 0.0, 1.0),
            limits=ub.Limits(position=(-1.0, 1.0)),
        )
        for a, b, x in (("base", "upper", 0.0), ("upper", "hand", apart))
    )
    return ub.Robot(
        name="arm", links=links, joints=joints, base="fixed", self_collision=ub.SelfCollision(**rules)
    )


def found(robot: ub.Robot) -> list[tuple[str, str, str]]:
    return [(f.severity, f.code, f.message) for f in further(robot) if f.code in CODES]


BOX = ub.Box(size=(0.2, 0.2, 0.2))
BALL = ub.Sphere(radius=0.1)


def test_a_touch_at_the_initial_pose() -> None:
    assert found(arm(0.3, BOX)) == []
    ((severity, code, message),) = found(arm(0.15, BOX))
    assert (severity, code) == ("info", "posture-collides")
    assert message == "at the initial pose 'base' and 'hand' (50.0 mm deep) collide"
    ((severity, _, message),) = found(arm(0.15, BOX, default="none", enabled=(("base", "hand"),)))
    assert severity == "warning"
    assert message.endswith("collide, which the model tests")


@pytest.mark.parametrize(
    ("depth", "words"),
    [
        (0.1, "100.0 mm deep"),
        (0.1 - 1e-9, "100.0 mm deep"),
        (0.1 + 1e-9, "100.0 mm deep"),
        (0.0123, "12.3 mm deep"),
        (1e-5, "less than 0.1 mm deep"),
    ],
)
def test_depths_have_the_same_digits_whatever_their_rounding(depth: float, words: str) -> None:
    ((_, _, message),) = found(arm(0.2 - depth, BOX))
    assert f"({words})" in message


@pytest.mark.parametrize("geometry", [BOX, BALL], ids=["boxes", "balls"])
def test_shapes_that_lie_on_one_another_are_no_collision(geometry: Any) -> None:
    assert found(arm(0.2, geometry)) == []
    assert found(arm(0.2 - 1e-9, geometry)) == []


def test_untested_pairs_may_touch_where_they_are() -> None:
    assert found(arm(0.15, BOX, disabled=(("base", "hand"),))) == []


def test_postures_name_what_is_new() -> None:
    long = ub.Box(size=(0.9, 0.02, 0.02))
    robot = arm(0.5, BALL)
    links = (robot.links[0], robot.links[1], ub.Link(name="hand", collisions=(ub.Shape(geometry=long),)))
    straight = ub.Configuration(name="straight", positions=(("to_hand", 0.0),))
    aside = ub.Configuration(name="aside", positions=(("to_hand", 1.0),))
    robot = replace(robot, links=links, configurations=(straight, aside))
    joints = (robot.joints[0], replace(robot.joints[1], initial=0.8))
    ((_, _, message),) = found(replace(robot, joints=joints))
    assert message.startswith("in the posture 'straight' 'base' and 'hand' (")
    # in the initial pose already
    ((_, _, message),) = found(robot)
    assert message.startswith("at the initial pose")


def test_the_reason_never_is_tried() -> None:
    ((severity, code, message),) = found(ub.load(DIGGER))
    assert (severity, code) == ("warning", "pair-disabled-collides")
    assert "'cab' and 'bucket' (in the posture 'folded') collide" in message


def test_listed_pairs_that_never_collide() -> None:
    listed: Any = {"default": "none", "enabled": (("base", "hand"),)}
    assert [code for _, code, _ in found(arm(0.5, BALL, **listed))] == ["pair-never-collides"]
    # nothing is listed
    assert found(arm(0.5, BALL)) == []


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
def test_robots_of_the_corpus_take_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    from unibody.checks import collisions

    spent, check = {}, collisions.check_collisions
    now = Path()

    def timed(*given: Any) -> None:
        start = time.process_time()
        check(*given)
        spent[now] = time.process_time() - start

    monkeypatch.setattr(collisions, "check_collisions", timed)
    for now in sorted(p for p in CORPUS.rglob("*") if p.suffix in (".body", ".urdf", ".rob", ".xml")):
        files = Files()
        robot = ub.read(now, files=files).robot
        if robot is not None:
            further(robot, files=files)
    assert len(spent) > 400
    assert max(spent.values()) < MOST, max(spent, key=lambda path: spent[path])


REACHING = """<mujoco><worldbody><geom type="box" size=".1 .1 .1" pos="1 0 0"/>
  <body name="arm"><joint type="slide" axis="1 0 0"/><geom size=".05"/></body></worldbody>
  <keyframe><key name="far" qpos="0"/><key name="in" qpos=".9"/></keyframe></mujoco>"""


def test_a_contact_without_a_point_is_no_collision(monkeypatch: pytest.MonkeyPatch) -> None:
    from unibody.collision.world import World

    hits = World.hits

    def failed(self: World, q: Any) -> Any:
        return tuple(
            replace(hit, points=hit.points * math.nan, depths=hit.depths + 1.79e308)
            for hit in hits(self, q)
        )

    reaching = ub.loads(REACHING, format="mjcf")
    assert found(arm(0.15, BOX)) != []
    assert found(reaching) != []
    monkeypatch.setattr(World, "hits", failed)
    assert found(arm(0.15, BOX)) == []
    assert found(reaching) == []


ARM = """<mujoco>{options}<worldbody><body name="base">{free}
  <geom name="foot" type="box" size=".1 .1 .1" mass="4"/>
  <body name="arm" pos="0 0 .1"><joint axis="0 1 0" range="-90 90"/>
    <geom name="bar" type="capsule" fromto="0 0 -.05 0 0 .3" size=".05" mass="1"/></body>
</body></worldbody><contact>{contact}</contact></mujoco>"""
PAIR = '<pair geom1="foot" geom2="bar"/>'
EXCLUDE = '<exclude body1="base" body2="arm"/>'


@pytest.mark.parametrize(
    ("options", "free", "contact", "remedy"),
    [
        (
            "",
            "",
            "",
            f"add {EXCLUDE} to <contact>: MuJoCo tests what a joint connects to a body that is fixed",
        ),
        ("", "<freejoint/>", "", None),
        ("", "", EXCLUDE, None),
        (
            '<option><flag filterparent="disable"/></option>',
            "<freejoint/>",
            "",
            f"add {EXCLUDE} to <contact>",
        ),
        (
            "",
            "<freejoint/>",
            PAIR,
            f"remove {PAIR} from <contact>: MuJoCo tests it whatever the file excludes",
        ),
    ],
    ids=["fixed", "free", "excluded", "unfiltered", "paired"],
)
def test_neighbors_that_mujoco_tests(options: str, free: str, contact: str, remedy: str | None) -> None:
    text = ARM.format(options=options, free=free, contact=contact)
    engine = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(engine)
    mujoco.mj_forward(engine, data)
    assert data.ncon == (0 if remedy is None else 1)
    files = MemoryFiles({"arm.xml": text.encode()})
    findings = [f for f in ub.check("arm.xml", files=files) if f.code == "posture-collides"]
    assert len(findings) == data.ncon
    for finding in findings:
        assert finding.severity == "warning"
        assert finding.message.endswith("collide, which the model tests")
        assert finding.hint.startswith(f"correct the shapes or the pose, or {remedy}")
    matrix = ub.self_collision(ub.loads(text, format="mjcf"), samples=100)
    assert [pair.status for pair in matrix.pairs] == ["adjacent" if remedy is None else "always"]
    # written pairs exclude it
    assert matrix.rules().disabled == (("base", "arm"),)


def test_the_remedy_is_that_of_the_format() -> None:
    robot = arm(0.15, BOX)
    (own,) = (f.hint for f in further(robot) if f.code in CODES)
    assert own.endswith("or state that the pairs need no test (unibody pairs --output FILE)")
    files = MemoryFiles({"arm.urdf": ub.dumps(robot, format="urdf").encode()})
    (urdf,) = (f.hint for f in ub.check("arm.urdf", files=files) if f.code in CODES)
    assert urdf.endswith("or list the pairs that need no test in SRDF (unibody pairs --to srdf)")


@pytest.mark.parametrize("depth", [0.0, 0.01])
def test_a_robot_may_stand_on_the_world(depth: float) -> None:
    text = f"""<mujoco><worldbody><geom type="plane" size="9 9 .1"/>
      <body name="foot" pos="0 0 {0.1 - depth}"><joint type="slide" axis="1 0 0"/>
        <joint type="slide" axis="0 0 1"/><geom size=".1"/></body></worldbody></mujoco>"""
    files = MemoryFiles({"walker.xml": text.encode()})
    assert [f.code for f in ub.check("walker.xml", files=files) if f.code in CODES] == []
