"""What MuJoCo tests for collision in an MJCF file is tested: hulls of meshes, planes, pairs, flags."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import unibody as ub

pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")

# a U, whose hull is filled
CUP = (
    "0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1 "
    ".2 0 1 .8 0 1 .2 1 1 .8 1 1 .2 0 .2 .8 0 .2 .2 1 .2 .8 1 .2"
)
MODEL = f"""<mujoco>{{options}}<asset><mesh name="cup" vertex="{CUP}"/></asset><worldbody>
  <geom name="ground" type="plane" size=".1 .1 .1" {{ground}}/>
  <body name="cup" pos="0 0 2"><joint name="lift" type="slide" axis="0 0 1" range="-2 2"/>
    <geom name="cup" type="mesh" mesh="cup"/></body>
  <body name="ball" pos=".5 .5 2.6"><joint name="out" type="slide" axis="0 1 0" range="-3 3"/>
    <geom name="ball" size=".1" {{ball}}/></body>
</worldbody>{{contact}}</mujoco>"""
OFF = 'contype="0" conaffinity="0"'


def model(options: str = "", ground: str = "", ball: str = "", contact: str = "") -> str:
    return MODEL.format(options=options, ground=ground, ball=ball, contact=contact)


CASES = {
    "plain": model(),
    "excluded": model(contact='<contact><exclude body1="world" body2="cup"/></contact>'),
    "masked": model(ball=OFF),
    "paired": model(ball=OFF, contact='<contact><pair geom1="ball" geom2="cup"/></contact>'),
    "paired-world": model(ground=OFF, contact='<contact><pair geom1="ground" geom2="cup"/></contact>'),
    "pair-wins": model(
        contact='<contact><exclude body1="cup" body2="ball"/><pair geom1="ball" geom2="cup"/></contact>'
    ),
    "off": model('<option><flag contact="disable"/></option>'),
}


@pytest.mark.parametrize("name", CASES)
def test_it_is_what_mujoco_tests(name: str) -> None:
    text = CASES[name]
    engine = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(engine)
    world = ub.collisions(ub.loads(text, format="mjcf"))
    seen = set()
    for q in np.stack(np.meshgrid(np.linspace(-2.05, 1.97, 9), np.linspace(-1.43, 1.41, 9)), -1).reshape(
        -1, 2
    ):
        data.qpos[:] = q
        mujoco.mj_forward(engine, data)
        bodies = engine.geom_bodyid[np.array(data.contact.geom).reshape(-1, 2)]
        expected = {frozenset(engine.body(b).name for b in pair) for pair in bodies.tolist()}
        found = {frozenset(hit.pair) for hit in world.hits(q)}
        assert found == expected, q
        seen |= found
    assert len(seen) == {"plain": 2, "excluded": 1, "masked": 1, "off": 0}.get(name, 2)


@pytest.mark.parametrize("name", CASES)
def test_it_is_written_again(name: str) -> None:
    robot = ub.loads(CASES[name], format="mjcf")
    text = ub.dumps(robot, format="mjcf", plain=True)
    assert ub.diff(robot, ub.loads(text, format="mjcf")) == []


def test_parents_are_tested_if_the_file_says_so() -> None:
    body = """<mujoco>{}<worldbody><body name="a"><freejoint/><geom size=".2"/><body name="b" pos=".3 0 0">
      <joint axis="0 0 1"/><geom size=".2"/></body></body></worldbody></mujoco>"""
    for options, count in (("", 0), ('<option><flag filterparent="disable"/></option>', 1)):
        assert len(ub.collisions(ub.loads(body.format(options), format="mjcf")).pairs) == count


def test_a_plane_of_any_size_is_a_half_space() -> None:
    world = ub.collisions(ub.loads(CASES["plain"], format="mjcf"))
    check = world.segment({"lift": 1.0, "out": 2.0}, {"lift": -1.9, "out": 2.0})
    assert check.status == "free"
    assert world.segment({"lift": 1.0, "out": 2.0}, {"lift": -2.0, "out": 2.0}).status != "free"
