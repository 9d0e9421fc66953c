"""No motion is called free while something that could touch is left out."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import unibody as ub
from unibody.cli.main import main
from unibody.collision.geometry import MissingMesh
from unibody.formats.left_out import left_out
from unibody.text.installation import install_command
from unibody.text.node import Node, Word

pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")

URDF = """<robot name="arm"><link name="base">{mesh}</link><link name="turn"/>
  <link name="rod"><collision><geometry><box size="0.1 0.1 0.5"/></geometry></collision></link>
  <joint name="turn" type="revolute"><parent link="base"/><child link="turn"/><origin xyz="1 0 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="tilt" type="revolute"><parent link="turn"/><child link="rod"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""
MESH = '<collision><geometry><mesh filename="{}"/></geometry></collision>'
BODY = '<body name="box"><joint name="lift" type="slide" range="-1 1"/><geom size=".1"/>{}</body>'
HILL = '<asset><hfield name="hill" nrow="2" ncol="2" size="1 1 1 .1" elevation="0 0 0 1"/></asset>'
# what is beside or in the body, and what stands in the report
MJCF = {
    "flexcomp": (
        '<flexcomp name="cloth" type="grid" count="3 3 1" spacing=".1 .1 .1" radius=".01"/>',
        "", "", "<flexcomp> 'cloth'"),
    "hill": ('<geom type="hfield" hfield="hill" pos="0 0 -4"/>', "", HILL, "what is below it"),
    "no file": (
        '<geom name="lost" type="mesh" mesh="m"/>', "", '<asset><mesh name="m" file="lost.stl"/></asset>',
        "lost.stl"),
    "in the body": (
        "", '<geom name="lost" type="hfield" hfield="h"/>',
        '<asset><hfield name="h" file="lost.png" size="1 1 1 1"/></asset>', "geom 'lost'"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "data"), [("lost.stl", None), ("broken.stl", b"solid x\n facet"), ("x.usd", b"")]
)
def test_meshes_that_are_skipped(name: str, data: bytes | None, tmp_path: Path) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    path = tmp_path / "arm.urdf"
    path.write_text(URDF.format(mesh=MESH.format(name)))
    robot = ub.read(path).robot
    assert robot is not None
    with pytest.raises(MissingMesh):
        ub.collisions(robot)
    world = ub.collisions(robot, missing="skip")
    assert [(each.owner, name in each.what) for each in world.unread] == [("base", True)]
    check = world.segment({"tilt": 0.0}, {"tilt": 0.5})
    assert (check.status, check.unread) == ("incomplete", world.unread)
    assert world.path(np.zeros((2, 2))).status == "incomplete"
    assert ub.plan(world, None, {"tilt": 0.5}).status == "incomplete"
    matrix = ub.self_collision(robot, missing="skip", samples=20)
    assert matrix.unread == world.unread
    assert not matrix.with_status("never")


@pytest.mark.parametrize("name", MJCF)
def test_what_mjcf_has_beyond_the_model(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    beside, inside, assets, words = MJCF[name]
    path = tmp_path / "m.xml"
    path.write_text(f"<mujoco>{assets}<worldbody>{beside}{BODY.format(inside)}</worldbody></mujoco>")
    out = str(tmp_path / "path.csv")
    assert main(["plan", str(path), "--goal", "lift=0.5", "--missing", "skip", "-o", out]) == 0
    said = capsys.readouterr()
    assert "proved free but for what was not read" in said.out
    assert words in said.err
    assert main(["check-path", str(path), out, "--missing", "skip"]) == 1
    assert capsys.readouterr().out.startswith("incomplete: ")


@pytest.mark.parametrize("kind", ["mesh", "sdf", "box", "paired"])
def test_meshes_that_mujoco_makes_where_it_is_missing(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    geom, pair = f'<geom name="made" type="{kind}" mesh="m"/>', ""
    if kind == "paired":
        geom = '<geom name="made" type="mesh" mesh="m" contype="0" conaffinity="0"/>'
        pair = '<contact><pair geom1="made" geom2="wall"/></contact>'
    assets = '<asset><mesh name="m" builtin="sphere" params="2"/></asset>'
    wall = '<geom name="wall" size=".1" pos="9 0 0"/>'
    path = tmp_path / "m.xml"
    path.write_text(f"<mujoco>{assets}<worldbody>{wall}{BODY.format(geom)}</worldbody>{pair}</mujoco>")
    assert ub.collisions(path).unread == ()
    monkeypatch.setitem(sys.modules, "mujoco", None)
    world = ub.collisions(path)
    assert [(each.owner, each.what) for each in world.unread] == [("box", "geom 'made'")]
    assert install_command("simulate") in world.unread[0].why
    assert world.segment([0.0], [0.5]).status == "incomplete"
    out = str(tmp_path / "path.csv")
    assert main(["plan", str(path), "--goal", "lift=0.5", "-o", out]) == 0
    said = capsys.readouterr()
    assert "proved free but for what was not read" in said.out
    assert said.err.count(install_command("simulate")) == 2
    assert main(["check-path", str(path), out]) == 1
    assert capsys.readouterr().out.startswith("incomplete: ")


def test_geoms_without_contacts_do_not_matter() -> None:
    geom = '<geom type="hfield" hfield="h" contype="0" conaffinity="0"/>'
    text = f"<mujoco>{HILL.replace('hill', 'h')}<worldbody>{geom}{BODY.format('')}</worldbody></mujoco>"
    assert ub.collisions(ub.loads(text, format="mjcf")).unread == ()


def test_the_world_of_models_saved_by_older_versions() -> None:
    robot = ub.loads(f"<mujoco><worldbody>{BODY.format('')}</worldbody></mujoco>", format="mjcf")
    wall = Node("geom", [("name", Word("wall"), -1), ("size", Word("1"), -1)])
    seen = Node("geom", [("contype", Word("0"), -1), ("conaffinity", Word("0"), -1)])
    world = Node("worldbody", [("geom", wall, -1), ("geom", seen, -1)])
    extra = ub.Extra(owner="", format="mjcf", node=Node("mujoco", [("worldbody", world, -1)]))
    old = replace(robot, extras=(*robot.extras, extra))
    unread = ub.collisions(old).unread
    assert [(each.owner, each.what) for each in unread] == [("", "geom 'wall'")]
    assert ub.collisions(old).segment([0.0], [0.5]).status == "incomplete"


def test_tendons_that_wrap_around_geoms() -> None:
    body = '<site name="a"/><site name="b"/><geom name="pulley" size=".1"/>'
    route = '<site site="a"/><geom geom="pulley"/><site site="b"/>'
    tendon = f'<tendon><spatial range="0 1">{route}</spatial></tendon>'
    text = f"<mujoco><worldbody>{BODY.format(body)}</worldbody>{tendon}</mujoco>"
    assert [each.touches for each in left_out(ub.loads(text, format="mjcf"))] == [False]


def test_soft_bodies_are_named_once() -> None:
    cable = '<composite prefix="c" type="cable" count="5 1 1" size="1"><geom size=".01"/></composite>'
    robot = ub.loads(f"<mujoco><worldbody>{cable}{BODY.format(cable)}</worldbody></mujoco>", format="mjcf")
    assert [each.owner for each in left_out(robot)] == ["world", "box"]


@pytest.mark.parametrize(
    ("attributes", "words"),
    [
        ('range="0 1"', ["its limits"]),
        ('stiffness="3"', ["its spring"]),
        ('range="0 1" limited="false"', []),
        ('range="0 1" stiffness="2"', ["its limits and its spring"]),
        ("", []),
    ],
)
def test_tendons_could_only_hold(attributes: str, words: list[str]) -> None:
    tendon = f'<tendon><fixed name="rope" {attributes}><joint joint="lift" coef="1"/></fixed></tendon>'
    robot = ub.loads(f"<mujoco><worldbody>{BODY.format('')}</worldbody>{tendon}</mujoco>", format="mjcf")
    assert [each.why.partition(": ")[2] for each in left_out(robot)] == words
    world = ub.collisions(robot)
    assert world.unread == ()
    assert len(world.unconsidered) == len(words)
    assert world.segment([0.0], [0.5]).status == "free"
