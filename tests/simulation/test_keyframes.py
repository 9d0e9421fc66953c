"""Files of the corpus run from a keyframe as in MuJoCo."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import mujoco
import numpy as np
import pytest
from tests.formats.mjcf.test_oracle import compiled
from tests.shared import CORPUS

import unibody as ub
from unibody.simulation.silence import silent

INTEGRATORS = ("euler", "rk4", "implicit", "implicitfast")
#: How far q (rad, m) may be after 1 s where nothing touches, and where the contacts are the same. The
#: solver's tolerance is smaller here than in the files, which may move the begin of a contact by a step.
_CLOSE, _TOUCHING, _FEW = 1e-6, 1e-3, 0.01
# Degrees of freedom up to which a file is run, and the number of planted keyframes.
_MOST, _PLANTED = 60, 30

#: Files that run otherwise, and why.
EXCEPTIONS = {
    "solver/model.xml": "links of one robot overlap at first, and are left out",
    "mjcf/test_assets/robot_arm.xml": "links of one robot overlap at first, and are left out",
    "third_party/ant/ant.xml": "links of one robot overlap at first, and are left out",
}


@dataclass(frozen=True)
class Run:
    """A second from a keyframe: how far q is off, whether anything touched, and whether it did in both."""

    off: float
    touched: bool
    same: bool


def _planted(spec: mujoco.MjSpec, model: mujoco.MjModel) -> None:
    """Add a keyframe within the ranges of joints and controls."""
    q, random = model.qpos0.copy(), np.random.default_rng(1)
    for joint in range(model.njnt):
        if model.jnt_type[joint] >= int(mujoco.mjtJoint.mjJNT_SLIDE):
            low, high = model.jnt_range[joint] if model.jnt_limited[joint] else (-0.5, 0.5)
            q[model.jnt_qposadr[joint]] = low + (high - low) * random.uniform(0.3, 0.7)
    limited = model.nu == len(model.actuator_ctrllimited) and model.nu > 0
    ranges = [
        model.actuator_ctrlrange[i] if limited and model.actuator_ctrllimited[i] else (-0.5, 0.5)
        for i in range(model.nu)
    ]
    spec.add_key(name="planted", qpos=q, ctrl=[random.uniform(*each) for each in ranges])


def _run(model: mujoco.MjModel, robot: ub.Robot, key: int) -> Run:
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, key)
    step, integrator = model.opt.timestep, INTEGRATORS[model.opt.integrator]
    sim = ub.simulate(robot, step=step, integrator=integrator, convex="hull")
    sim.reset(pose=robot.configurations[key].name)
    touched, differ, steps = False, 0, round(1.0 / step)
    for _ in range(steps):
        mujoco.mj_step(model, data)
        sim.step()
        touched, differ = touched or data.ncon > 0, differ + (data.ncon != sim.data.ncon)
    return Run(float(np.abs(sim.data.qpos - data.qpos).max()), touched, differ <= 1 + _FEW * steps)


def _runs() -> Iterator[tuple[str, Run]]:
    planted = 0
    for name, _ in compiled():
        path = str(CORPUS / name)
        spec = mujoco.MjSpec.from_file(path)
        model = spec.compile()
        if not model.nu or not 0 < model.nv <= _MOST:
            continue
        robot = ub.load(path)
        if robot.configurations:
            for key in range(len(robot.configurations)):
                yield name, _run(model, robot, key)
        elif not model.nkey and planted < _PLANTED:
            planted += 1
            _planted(spec, model)
            yield name, _run(spec.compile(), ub.load(spec), 0)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.usefixtures("shared")
def test_files_of_the_corpus_run_from_a_keyframe_as_in_mujoco() -> None:
    wrong: dict[str, Run] = {}
    count = 0
    with silent:
        for name, run in _runs():
            count += 1
            close = run.same and run.off < (_TOUCHING if run.touched else _CLOSE)
            if not close and not name.endswith(tuple(EXCEPTIONS)):
                wrong[name] = run
    assert not wrong
    assert count > _PLANTED
