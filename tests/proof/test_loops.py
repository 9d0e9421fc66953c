"""Residuals of loops in engines are compared with those of the robot."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.proof.proving import proved, written

import unibody as ub
from unibody.model.pose import from_rpy
from unibody.proof.loops import SLIPS, loop_causes, loop_deviations, loops_read
from unibody.proof.process import Answer
from unibody.proof.reference import draw_states, reference_of

BODY = '<body name="{0}" pos="{1}"><joint name="j{0}" axis="{2}"/><geom size="0.05" mass="1"/>{3}</body>'
RING = f"""\
<mujoco model="ring">
  <worldbody>
    <body name="base" pos="0.1 0.2 0.3" euler="10 20 30"><geom size="0.1" mass="1"/>
      {BODY.format("a", "0 0 0.5", "0 1 0", BODY.format("b", "0.2 0 0", "0 1 0", ""))}
      {BODY.format("c", "0 0 0.2", "0 1 0", "")}
      {BODY.format("d", "0 0.3 0.2", "0 0 1", "")}
    </body>
  </worldbody>
  <equality>
    <connect name="ring" body1="b" body2="c" anchor="0.05 0 -0.2"/>
    <weld name="glue" body1="c" body2="d" anchor="0.1 0.2 0.3"/>
    <connect name="pin" body1="a" body2="d" anchor="0.1 0.2 0"/>
    <connect body1="a" body2="d" anchor="0.1 0.2 0.3"/>
  </equality>
</mujoco>
"""


@pytest.mark.parametrize("engine", ["mujoco", "pinocchio"])
def test_residuals_are_equal(tmp_path: Path, engine: str) -> None:
    result = proved(engine, written(tmp_path, RING, "ring.xml"))
    assert result.deviations is not None
    assert result.deviations["loop_gaps"].largest < 1e-12
    assert result.deviations["loop_gaps"].compared == 3
    assert result.deviations["loop_turns"].largest < 1e-9
    assert result.deviations["loop_turns"].compared == 1


def test_loops_that_are_not_read_are_noted(tmp_path: Path) -> None:
    source = written(tmp_path, RING, "ring.xml")
    text = RING[: RING.index("  <equality>")] + "</mujoco>\n"
    result = proved("mujoco", source, written(tmp_path, text, "open.xml"))
    assert "0 of 3 loops are read: chains that they close are open" in result.notes


#: Slips that are another one for a weld: only the pose of one frame in the other one matters.
ALIKE = dict.fromkeys(
    (
        "anchor of the first link taken for the second one",
        "anchor of the second link taken for the first one",
    ),
    "anchor of the loop ignored in both links",
)


@pytest.mark.parametrize(("cause", "slip"), SLIPS, ids=[cause for cause, _ in SLIPS])
def test_a_slip_of_a_loop_is_named(cause: str, slip) -> None:  # type: ignore[no-untyped-def]
    robot = ub.loads(RING, format="mjcf")
    loop = next(x for x in robot.loops if x.name == "glue")
    turned = replace(
        loop,
        pose_a=ub.Pose((0.1, 0.2, 0.3), from_rpy(0.4, 0.5, 0.6)),
        pose_b=ub.Pose((-0.2, 0.3, 0.1), from_rpy(0.7, -0.5, 0.2)),
    )
    reference = reference_of(replace(robot, loops=(turned,)), "mjcf", "fixed")
    q = reference.numbers(draw_states(reference, 5))[0]
    poses = np.asarray(reference.mechanism.forward_kinematics(q))
    links = {name: k for k, name in enumerate(reference.mechanism.link_names)}
    made = slip(turned)
    a, b = (poses[:, links[x]] @ np.array(y.matrix()) for x, y in (("c", made.pose_a), ("d", made.pose_b)))
    point = np.array(made.pose_a.xyz)
    facts = {"loops": [{"name": "", "a": "c", "b": "d", "point": point.tolist()}]}
    relative = np.swapaxes(a[:, :3, :3], 1, 2) @ b[:, :3, :3]
    angle = np.arccos((np.trace(relative, axis1=1, axis2=2) - 1.0) / 2.0)
    gap = np.linalg.norm(a[:, :3, 3] - b[:, :3, 3], axis=1)
    answer = Answer(facts=facts, arrays={"loop_gaps": gap[:, None], "loop_turns": angle[:, None]})
    assert loops_read(reference, facts) == 1
    away = loop_deviations(reference, answer, poses)
    bad = [name for name in away if away[name]["glue"] > 1e-9]
    assert bad
    for quantity in bad:
        named = loop_causes(reference, answer, poses, quantity, ["glue"], 1e-9)
        assert named["glue"] == ALIKE.get(cause, cause) or quantity == "loop_turns"
