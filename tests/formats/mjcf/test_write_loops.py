"""Loops and couplings become equalities that read back as they were, and MuJoCo holds them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path

import mujoco
import numpy as np
import pytest
from tests.convert.models import plain
from tests.sampling import few
from tests.shared import DEV

import unibody as ub
from unibody.model.inertia import Inertial
from unibody.model.pose import Pose
from unibody.model.robot import (
    BALL,
    FIXED,
    HINGE,
    Configuration,
    Coupling,
    Dynamics,
    Holds,
    Joint,
    Link,
    Loop,
    Robot,
)

ROD = Inertial(mass=1.0, com=(0.1, 0.0, 0.0), inertia=((1e-3, 0, 0), (0, 4e-3, 0), (0, 0, 4e-3)))
SAMPLES = (
    DEV / "choreonoid+choreonoid/share/model/misc/ClosedLinkSample.body",
    DEV / "fkanehiro+openhrp3/sample/model/closed-link-sample.wrl",
    DEV.parents[1] / "oracle/simulation/closed-link-piston.wrl",
)
ALL_HOLDS = [Holds(axial=a, radial=r, twist=t, swing=s) for a, r, t, s in product((False, True), repeat=4)]
#: Carriers have at most three slides and two hinges.
NOTHING = Holds(axial=False, radial=False)


def two_arms(holds: Holds, **more: object) -> Robot:
    """Two arms of six joints each on one base, with a loop between their ends."""
    links, joints = [Link(name="base", inertial=ROD)], []
    for arm, y in (("a", -0.1), ("b", 0.1)):
        parent = "base"
        for k in range(6):
            axis = ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0))[k % 3]
            origin = Pose((0.0, y, 0.0) if not k else (0.2, 0.0, 0.0))
            name = f"{arm}{k}"
            joints.append(
                Joint(name=name, kind="revolute", parent=parent, child=name, origin=origin, axis=axis)
            )
            links.append(Link(name=name, inertial=ROD))
            parent = name
    loop = Loop(
        name="grip",
        link_a="a5",
        link_b="b5",
        pose_a=Pose((0.2, 0.1, 0.0), (math.cos(0.2), 0.0, math.sin(0.2), 0.0)),
        pose_b=Pose((0.2, -0.1, 0.0), (math.cos(0.2), 0.0, math.sin(0.2), 0.0)),
        axis=(0.6, 0.0, 0.8),
        holds=holds,
    )
    made = Robot(name="arms", links=tuple(links), joints=tuple(joints), loops=(loop,), base="fixed")
    return replace(made, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("holds", ALL_HOLDS)
def test_every_loop_returns_with_the_side_car(holds: Holds, tmp_path: Path) -> None:
    robot = two_arms(holds)
    report = ub.save(robot, tmp_path / "m.xml")
    assert [loss.path for loss in report.losses if loss.row is None] == []
    assert ub.diff(robot, ub.load(tmp_path / "m.xml")) == []


@pytest.mark.parametrize("holds", [BALL, HINGE, FIXED])
def test_a_ball_a_hinge_and_a_fixed_loop_are_read_as_such(holds: Holds, tmp_path: Path) -> None:
    robot = two_arms(holds)
    ub.save(robot, tmp_path / "m.xml", plain=True)
    (loop,), (meant,) = plain(tmp_path / "m.xml").loops, robot.loops
    assert (loop.name, loop.link_a, loop.link_b, loop.holds) == ("grip", "a5", "b5", holds)
    assert (loop.pose_a, loop.pose_b) == (meant.pose_a, meant.pose_b)
    assert holds != HINGE or loop.axis == pytest.approx(meant.axis)


def _carried(holds: Holds) -> bool:
    return holds not in (BALL, HINGE, FIXED, NOTHING)


@pytest.mark.parametrize("holds", few([h for h in ALL_HOLDS if h != NOTHING], 4))
def test_mujoco_holds_what_a_loop_holds(holds: Holds, tmp_path: Path) -> None:
    robot = two_arms(holds)
    ub.save(robot, tmp_path / "m.xml")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "m.xml"))
    model.opt.timestep = 0.001
    data = mujoco.MjData(model)
    mechanism = ub.assemble(robot)
    assert np.abs(mechanism.loop_residual(mechanism.initial)).max() < 1e-12
    places = [model.joint(name).qposadr[0] for name in mechanism.joint_names]
    worst = 0.0
    for _ in range(300):
        mujoco.mj_step(model, data)
        worst = max(worst, float(np.abs(mechanism.loop_residual(data.qpos[places])).max()))
    assert worst < 1e-5
    # what the loop leaves free does move: as many degrees of freedom as the mechanism has
    mujoco.mj_forward(model, data)
    rows = np.zeros((model.nefc if hasattr(model, "nefc") else data.nefc, model.nv))
    if mujoco.mj_isSparse(model):
        mujoco.mju_sparse2dense(
            rows, data.efc_J.reshape(-1), data.efc_J_rownnz, data.efc_J_rowadr, data.efc_J_colind
        )
    else:
        rows[:] = data.efc_J.reshape(rows.shape)
    equalities = rows[data.efc_type[: len(rows)] == mujoco.mjtConstraint.mjCNSTR_EQUALITY]
    left = model.nv - np.linalg.matrix_rank(equalities, tol=1e-7)
    assert left == mechanism.mobility(mechanism.close_loops(mechanism.initial).q).degrees
    assert bool([body for body in range(model.nbody) if "carrier" in model.body(body).name]) == _carried(
        holds
    )


def _damped(robot: Robot) -> Robot:
    joints = (replace(joint, dynamics=Dynamics(damping=0.3)) for joint in robot.joints)
    return replace(robot, joints=tuple(joints))


def _with_tips(robot: Robot) -> Robot:
    """The loop joins links without mass that are fixed to the arms."""
    (loop,) = robot.loops
    ends = ((loop.link_a, loop.pose_a), (loop.link_b, loop.pose_b))
    tips = [
        Joint(name=f"{arm}_tip", kind="fixed", parent=arm, child=f"{arm}_tip", origin=pose)
        for arm, pose in ends
    ]
    held = replace(loop, link_a="a5_tip", link_b="b5_tip", pose_a=Pose(), pose_b=Pose())
    links = (*robot.links, *(Link(name=tip.child) for tip in tips))
    return replace(robot, links=links, joints=(*robot.joints, *tips), loops=(held,))


def _with_light_ends(robot: Robot) -> Robot:
    """The links that the loop joins move without mass."""
    links = (replace(x, inertial=None) if x.name in ("a5", "b5") else x for x in robot.links)
    return replace(robot, links=tuple(links))


@pytest.mark.slow
@pytest.mark.parametrize("change", [_damped, _with_tips, _with_light_ends], ids=lambda f: f.__name__)
@pytest.mark.parametrize("holds", [h for h in ALL_HOLDS if h != NOTHING])
def test_every_loop_holds_over_5_s(holds: Holds, change: Callable[[Robot], Robot], tmp_path: Path) -> None:
    robot = change(_damped(two_arms(holds)))
    report = ub.save(robot, tmp_path / "m.xml")
    assert [loss.path for loss in report.losses if loss.row is None] == []
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "m.xml"))
    assert model.opt.timestep == 0.001
    data = mujoco.MjData(model)
    mechanism = ub.assemble(robot)
    places = [model.joint(x.name).qposadr[0] for x in robot.joints if x.kind != "fixed"]
    worst = 0.0
    for step in range(5000):
        mujoco.mj_step(model, data)
        if step % 5 == 0:
            worst = max(worst, float(np.abs(mechanism.loop_residual(data.qpos[places])).max()))
    assert worst < 1e-5


@pytest.mark.slow
@pytest.mark.parametrize("integrator", ["EULER", "IMPLICITFAST", "RK4"])
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
@pytest.mark.usefixtures("shared")
def test_closed_samples_stay_closed(path: Path, integrator: str, tmp_path: Path) -> None:
    robot = ub.load(path)
    ub.save(robot, tmp_path / "m.xml")
    spec = mujoco.MjSpec.from_file(str(tmp_path / "m.xml"))
    spec.option.timestep = 0.001
    spec.option.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator}")
    model = spec.compile()
    data = mujoco.MjData(model)
    mechanism = ub.assemble(robot)
    rest = mechanism.loop_residual(mechanism.close_loops(mechanism.initial).q)
    places = [model.joint(name).qposadr[0] for name in mechanism.joint_names]
    for name, speed in zip(mechanism.joint_names, (3.0, -3.0, 3.0), strict=True):
        data.qvel[model.joint(name).dofadr[0]] = speed
    worst = 0.0
    for _ in range(5000):
        mujoco.mj_step(model, data)
        error = mechanism.loop_residual(data.qpos[places]) - rest
        worst = max(worst, float(np.abs(error).max()))
    assert worst < 1e-5


@pytest.mark.usefixtures("shared")
def test_an_offset_that_no_motion_closes_is_left_out(tmp_path: Path) -> None:
    report = ub.save(ub.load(SAMPLES[0]), tmp_path / "m.xml", plain=True)
    assert plain(tmp_path / "m.xml").loops[0].pose_b.xyz == (0.0, 0.1, 0.04)
    (loss,) = (loss for loss in report.losses if loss.path.startswith("loops/"))
    assert loss.row is not None
    assert loss.row.what == "offsets in loops"


def test_keyframes_have_the_positions_of_carriers(tmp_path: Path) -> None:
    bent = Configuration(name="bent", positions=(("a0", 0.3), ("b0", -0.2)))
    robot = two_arms(Holds(axial=False, radial=False, swing=True, twist=True), configurations=(bent,))
    ub.save(robot, tmp_path / "m.xml")
    by_name = dict(plain(tmp_path / "m.xml").configurations[0].positions)
    mechanism = ub.assemble(robot)
    q = mechanism.initial.copy()
    q[mechanism.joint_names.index("a0")], q[mechanism.joint_names.index("b0")] = 0.3, -0.2
    (loop,) = robot.loops
    a, b = (np.asarray(mechanism.pose(q, end)) for end in (("a5", loop.pose_a), ("b5", loop.pose_b)))
    apart = a[:3, :3].T @ (b[:3, 3] - a[:3, 3])
    moved = [by_name[f"grip_{axis}"] for axis in "xyz"]
    assert np.linalg.norm(moved) == pytest.approx(float(np.linalg.norm(apart)))


def test_a_coupling_is_an_equality_of_joints(tmp_path: Path) -> None:
    robot = two_arms(
        BALL, couplings=(Coupling(joint="a1", leader="a0", ratio=-0.5, offset=0.25),), loops=()
    )
    report = ub.save(robot, tmp_path / "m.xml")
    assert plain(tmp_path / "m.xml").couplings == robot.couplings
    assert not any(loss.path.startswith("couplings") for loss in report.losses)


KEPT = """<mujoco><worldbody>
<body name="a"><joint name="j" ref="30"/><geom size="0.1"/><site name="s" pos="0 0 0.1"/></body>
<body name="b" pos="0 0 1"><joint name="k" pos="0 0 0.5" axis="1 0 0"/><geom size="0.1"/>
<site name="t"/></body>
</worldbody><equality>
<weld name="off" body1="a" body2="b" active="false"/>
<connect body1="a" body2="b" anchor="0 0 0.5" solref="0.01 1"/>
<joint joint1="j" joint2="k" polycoef="0.1 2" solimp="0.9 0.9 0.01"/>
<joint joint1="k" polycoef="0 0 1"/>
<weld site1="s" site2="t"/>
</equality></mujoco>"""


def test_kept_equalities_return_in_their_order(tmp_path: Path) -> None:
    robot = ub.loads(KEPT, format="mjcf")
    text = ub.dumps(robot, format="mjcf", plain=True)
    before, after = (mujoco.MjModel.from_xml_string(x) for x in (KEPT, text))
    for name in ("eq_type", "eq_obj1id", "eq_obj2id", "eq_data", "eq_solref", "eq_solimp", "eq_active0"):
        assert np.allclose(getattr(before, name), getattr(after, name), atol=1e-12), name


def test_an_equality_follows_a_change_of_its_loop_or_coupling() -> None:
    robot = ub.loads(KEPT, format="mjcf")
    moved = replace(robot.loops[0], pose_a=Pose((0.0, 0.0, 0.75)), pose_b=Pose((0.0, 0.0, -0.75)))
    (coupling,) = robot.couplings
    changed = replace(robot, loops=(moved,), couplings=(replace(coupling, ratio=3.0),))
    back = ub.loads(ub.dumps(changed, format="mjcf", plain=True), format="mjcf")
    assert [loop.pose_b.xyz for loop in back.loops] == [(0.0, 0.0, -0.75)]
    assert back.couplings == changed.couplings


def test_several_hinges_between_two_links_are_read_as_such(tmp_path: Path) -> None:
    robot = two_arms(HINGE)
    (loop,) = robot.loops
    robot = replace(robot, loops=tuple(replace(loop, name=name) for name in ("left", "right", "third")))
    ub.save(robot, tmp_path / "arms.xml")
    read = ub.load(tmp_path / "arms.xml").loops
    assert [(x.name, x.holds) for x in read] == [(x.name, HINGE) for x in robot.loops]
    assert all(x.axis == pytest.approx(loop.axis) for x in read)


def test_two_connects_are_a_hinge_and_three_are_not() -> None:
    bodies = "".join(f'<body name="{n}"><joint/><geom size="0.1"/></body>' for n in "ab")
    held = '<connect name="h" body1="a" body2="b" anchor="{}"/>'
    text = "<mujoco><worldbody>{}</worldbody><equality>{}</equality></mujoco>"
    places = ("0 0 0", "0 0.5 0", "0.5 0 0")
    for count, kinds in ((2, [HINGE]), (3, [BALL] * 3)):
        connects = "".join(held.format(p).replace('"h"', f'"h{k}"') for k, p in enumerate(places[:count]))
        robot = ub.loads(text.format(bodies, connects), format="mjcf")
        assert [loop.holds for loop in robot.loops] == kinds
    robot = ub.loads(
        text.format(bodies, held.format(places[0]) + held.format(places[1]).replace('"h"', '"i"')),
        format="mjcf",
    )
    assert (robot.loops[0].name, robot.loops[0].axis) == ("h", (0.0, 1.0, 0.0))
