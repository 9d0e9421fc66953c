"""What becomes of the elements of MJCF, beside what the comparison with MuJoCo shows."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import mujoco
import pytest

import unibody as ub
from unibody.document.declare import Document, plan
from unibody.document.unread import unread
from unibody.files.access import MemoryFiles
from unibody.formats import detect
from unibody.formats.loader import Reading, read_with
from unibody.formats.mjcf.document import Mujoco
from unibody.formats.mjcf.samples import SAMPLES
from unibody.formats.read_options import ReadOptions
from unibody.text.finding import Findings
from unibody.text.node import elements
from unibody.text.source import Source
from unibody.text.xml.parser import parse

BALL = '<geom size="0.1"/>'


def reading(text: str, **files: str) -> Reading:
    contents = {"m.xml": text, **{f"{name}.xml": other for name, other in files.items()}}
    return ub.read("m.xml", files=MemoryFiles({k: v.encode() for k, v in contents.items()}))


def robot(world: str, rest: str = "", **files: str) -> ub.Robot:
    found = reading(f"<mujoco>{rest}<worldbody>{world}</worldbody></mujoco>", **files)
    assert [str(f) for f in found.findings if f.severity == "error"] == []
    assert found.robot is not None
    return found.robot


def codes(found: Reading) -> set[str]:
    return {f.code for f in found.findings}


def test_a_free_body_alone_is_the_root() -> None:
    floor = '<geom name="floor" type="plane" size="1 1 1"/>'
    made = robot(f'{floor}<body name="a" pos="0 0 1"><freejoint/>{BALL}</body>')
    assert (made.root, made.base, made.pose.xyz, made.joints) == ("a", "free", (0.0, 0.0, 1.0), ())
    assert made.surroundings is not None
    assert [shape.name for shape in made.surroundings.collisions] == ["floor"]


@pytest.mark.parametrize(
    "world",
    [
        f'<body name="a"><joint/>{BALL}</body>',
        f'<body name="a"><freejoint/>{BALL}</body><body name="b">{BALL}</body>',
    ],
)
def test_otherwise_the_world_is(world: str) -> None:
    made = robot(world)
    assert (made.root, made.base) == ("world", "fixed")


def test_a_constraint_to_the_world_makes_it_a_link() -> None:
    weld = '<equality><weld body1="a"/></equality>'
    made = robot(f'<body name="a" pos="0 0 1"><freejoint/>{BALL}</body>', weld)
    assert made.root == "world"
    assert (made.loops[0].link_a, made.loops[0].link_b) == ("a", "world")
    assert made.loops[0].pose_a.xyz == (0.0, 0.0, -1.0)


def test_several_joints_are_a_chain_in_the_order_of_the_file() -> None:
    slide = '<joint name="x" type="slide" axis="1 0 0"/>'
    joints = f'{slide}<joint name="turn" pos="0 0 0.5" ref="30" range="0 60"/>'
    made = robot(f'<body name="cart">{joints}{BALL}</body>')
    assert [link.name for link in made.links] == ["world", "cart_x", "cart"]
    turn = made.joint("turn")
    assert turn.origin.xyz == (0.0, 0.0, 0.5)
    assert turn.limits.position == pytest.approx((-math.pi / 6, math.pi / 6))
    # the link begins at the anchor of its last joint
    assert made.link("cart").visuals[0].pose.xyz == (0.0, 0.0, -0.5)
    (kept,) = (e for e in made.extras if e.owner == "joints/turn")
    assert kept.node.word("pos") == "0 0 0.5"
    assert float(kept.node.word("ref") or "") == pytest.approx(math.pi / 6)


def test_a_motor_gives_gear_and_effort() -> None:
    motor = '<actuator><motor joint="j" gear="5" ctrlrange="-2 1"/></actuator>'
    made = robot(f'<body name="a"><joint name="j" actuatorfrcrange="-8 20"/>{BALL}</body>', motor)
    assert made.joint("j").actuator.gear_ratio == 5.0
    assert made.joint("j").limits.effort == (-8.0, 5.0)


def test_pairs_follow_the_bits_of_contacts() -> None:
    arm = '<body name="{0}"><joint name="{0}"/><geom size="0.1" contype="{1}" conaffinity="{2}"/></body>'
    made = robot(arm.format("a", 1, 0) + arm.format("b", 0, 1) + arm.format("c", 1, 0))
    assert made.self_collision.disabled == (("a", "c"),)
    made = robot(arm.format("a", 1, 0) + arm.format("b", 1, 0))
    assert made.self_collision.default == "none"


def test_sensors_on_one_site_are_one_device() -> None:
    sensors = (
        '<sensor><gyro name="g" site="s"/><accelerometer site="s"/><touch name="t" site="s"/></sensor>'
    )
    made = robot(f'<body name="a"><site name="s" pos="0 0 1"/>{BALL}</body>', sensors)
    assert [(d.name, d.spec.kind) for d in made.devices] == [("g", "IMU"), ("t", "touch")]
    assert made.devices[0].pose.xyz == (0.0, 0.0, 1.0)


def test_an_include_is_looked_for_beside_the_main_file_and_only_once() -> None:
    part = f'<mujocoinclude><body name="b">{BALL}</body></mujocoinclude>'
    made = robot('<include file="part.xml"/>', part=part)
    assert made.root == "b"
    twice = reading(
        '<mujoco><worldbody><include file="part.xml"/><include file="./part.xml"/></worldbody></mujoco>',
        part=part,
    )
    assert codes(twice) == {"include-rejected"}


def test_an_attached_model_keeps_its_own_unit() -> None:
    arm = (
        '<mujoco><compiler angle="radian"/><worldbody>'
        f'<body name="arm"><joint name="j" range="-1 1"/>{BALL}</body></worldbody>'
        '<actuator><motor name="m" joint="j"/></actuator><option timestep="0.1"/></mujoco>'
    )
    asset = '<asset><model name="arm" file="arm.xml"/></asset>'
    places = "".join(f'<attach model="arm" body="arm" prefix="{p}_"/>' for p in ("l", "r"))
    made = robot(f'<body name="base">{BALL}{places}</body>', asset, arm=arm)
    assert [joint.name for joint in made.joints] == ["l_j", "r_j"]
    assert {joint.limits.position for joint in made.joints} == {(-1.0, 1.0)}
    keys = [key for e in made.extras if e.owner == "" for key, _, _ in e.node.items]
    assert keys == ["actuator"]


def test_what_older_versions_read_is_kept_with_a_warning() -> None:
    found = reading(
        f'<mujoco><option collision="all"/><worldbody><body name="a">{BALL}</body></worldbody></mujoco>'
    )
    assert found.ok
    assert "word-removed" in codes(found)


def test_nothing_of_a_sample_is_left_unread() -> None:
    files = MemoryFiles({name: text.encode() for name, text in SAMPLES.items()})
    for name in ("pendulum.xml", "arm.xml"):
        watched = read_with(name, options=ReadOptions(files=files), watch=True)
        assert [(u.path, u.key) for d in watched.documents for u in unread(d)] == []


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ('<robot name="r"><link name="a"/><mujoco><compiler/></mujoco></robot>', "urdf"),
        ('<!-- an arm -->\n<mujoco model="m"/>', "mjcf"),
    ],
)
def test_the_first_root_in_the_text_of_an_xml_file_decides(text: str, format: str) -> None:
    found = detect("m.xml", text[:20], text)
    assert found is not None
    assert found.name == format


def test_an_xml_file_of_another_kind_is_no_model() -> None:
    assert detect("package.xml", "<package/>", "<package/>") is None


LONG = 'type="capsule" size="0.1" fromto="0 0 0  0 0 1"'
MOVED = '<default><{} pos="0 0 1"/></default>'


@pytest.mark.parametrize("tag", ["geom", "site"])
@pytest.mark.parametrize("beside", ['pos="0 0 0"', 'pos="0 -0 0"', 'euler="0 0 90"', 'quat="1 1 0 0"'])
def test_beside_fromto_a_pos_of_zero_and_an_orientation_have_no_effect(tag: str, beside: str) -> None:
    made = robot(f'<body name="a">{BALL}<{tag} name="x" {LONG} {beside}/></body>')
    pose = made.frames[0].pose if tag == "site" else made.links[-1].collisions[1].pose
    assert pose.xyz == (0.0, 0.0, 0.5)
    assert pose.quat == (0.0, 1.0, 0.0, 0.0)


def test_a_pos_of_zero_beside_fromto_replaces_that_of_the_default_class() -> None:
    robot(f'<body name="a"><geom {LONG} pos="0 0 0"/></body>', MOVED.format("geom"))


@pytest.mark.parametrize("tag", ["geom", "site"])
@pytest.mark.parametrize(
    ("rest", "element", "code", "place"),
    [
        ("", f'{LONG} pos="0 0 1"', "pose-invalid", "0 0 1"),
        (MOVED, LONG, "pose-invalid", "0 0 1"),
        (f"<default><{{}} {LONG}/></default>", 'pos="0 0 1"', "pose-invalid", "0 0 1"),
        ("", LONG.replace("0 0 1", "0 0 0"), "pose-invalid", "0 0 0  0 0 0"),
        ("", LONG.replace("capsule", "sphere"), "geom-rejected", "0 0 0  0 0 1"),
    ],
)
def test_what_mujoco_rejects_beside_fromto(
    tag: str, rest: str, element: str, code: str, place: str
) -> None:
    found = reading(
        f"<mujoco>{rest.format(tag)}<worldbody>"
        f'<body name="a">{BALL}<{tag} name="x" {element}/></body></worldbody></mujoco>'
    )
    (error,) = (f for f in found.findings if f.severity == "error")
    assert error.code == code
    assert f"{tag} 'x'" in error.message
    assert error.at is not None
    assert place in error.at.text


def test_a_loop_between_sites_that_two_points_give() -> None:
    ends = "".join(
        f'<body name="{n}"><joint name="j{n}"/>{BALL}<site name="s{n}" {LONG}/></body>' for n in "ab"
    )
    made = robot(ends, '<equality><connect site1="sa" site2="sb"/></equality>')
    assert made.loops[0].pose_a.xyz == (0.0, 0.0, 0.5)


@pytest.mark.parametrize("tag", ["body", "frame", "replicate"])
def test_a_body_beside_the_world_is_ignored_as_in_mujoco(tag: str) -> None:
    world = f'<worldbody><body name="a">{BALL}</body></worldbody>'
    found = reading(f'<mujoco>{world}<{tag}><geom size="0.5"/></{tag}></mujoco>')
    assert found.robot == reading(f"<mujoco>{world}</mujoco>").robot
    assert [(f.code, f.severity) for f in found.findings if f.severity != "info"] == [
        ("body-ignored", "warning")
    ]


def test_a_geom_beside_the_world_is_an_error_as_in_mujoco() -> None:
    found = reading(f'<mujoco><worldbody><body name="a">{BALL}</body></worldbody>{BALL}</mujoco>')
    assert codes(found) == {"unknown-key"}


# --- the scale of mesh files ------------------------------------------------------------

TETRAHEDRON = "v 1 2 3\nv 3 2 3\nv 1 5 3\nv 1 2 7\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
LENGTHS = """<mujoco>
  <asset><mesh name="m" file="m.obj" scale="%s" refpos="1 2 3" refquat="1 1 0 0"/></asset>
  <worldbody>
    <light pos="1 2 3"/>
    <frame pos="1 2 3"><geom type="mesh" mesh="m" pos="1 2 3"/></frame>
    <flexcomp name="cloth" type="grid" dim="2" count="3 3 1" spacing=".1 .1 .1" pos="1 2 3" radius=".01"/>
    <replicate count="2" offset="1 2 3" sep="_"><geom size=".1" pos="1 2 3"/></replicate>
    <body name="arm" pos="1 2 3">
      <joint name="hinge" pos="1 2 3"/>
      <geom type="mesh" mesh="m" pos="1 2 3"/>
      <geom type="capsule" fromto="1 2 3 4 5 6" size=".1"/>
      <site name="tip" type="capsule" fromto="1 2 3 4 5 6" size=".1"/>
      <site name="tool" pos="1 2 3"/>
      <camera name="eye" pos="1 2 3"/>
      <body name="hand" pos="1 2 3">
        <inertial pos="1 2 3" mass="1" diaginertia="1 1 1"/><joint name="turn" pos="1 2 3"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


def lengths(cls: type[Document], tag: str, seen: set[tuple[type[Document], str]]) -> set[tuple[str, str]]:
    """The tags and attributes below an element that are declared in meters."""
    if (cls, tag) in seen:
        return set()
    seen.add((cls, tag))
    fields = plan(cls).fields.values()
    out = {(tag, spec.key) for spec in fields if spec.unit == "m"}
    for spec in fields:
        for key, inner in spec.members.items():
            out |= lengths(inner, key or spec.key, seen)
    return out


def test_the_scale_of_mesh_files_holds_for_the_lengths_in_them_only(tmp_path: Path) -> None:
    (tmp_path / "m.obj").write_text(TETRAHEDRON)
    (tmp_path / "plain.xml").write_text(LENGTHS % "2 2 2")
    (tmp_path / "scaled.xml").write_text(LENGTHS % "4 4 4")
    top = parse(Source("m.xml", LENGTHS), Findings())
    stated = {(node.tag, key) for node in elements(top) for key, _, _ in node.items}
    assert lengths(Mujoco, "mujoco", set()) <= stated
    plain, scaled = ub.load(tmp_path / "plain.xml", scale=2.0), ub.load(tmp_path / "scaled.xml")
    # the elements of MJCF are kept as written
    first, second = (replace(x, name="m", extras=()) for x in (plain, scaled))
    assert ub.diff(first, second) == []
    ub.save(plain, tmp_path / "out.xml")
    out, wanted = (mujoco.MjModel.from_xml_path(str(tmp_path / f"{x}.xml")) for x in ("out", "scaled"))
    assert out.body("arm").mass == pytest.approx(wanted.body("arm").mass)
    assert out.body("arm").ipos == pytest.approx(wanted.body("arm").ipos)
