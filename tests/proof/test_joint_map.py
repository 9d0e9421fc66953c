"""Joint maps turn configurations into those of engines, and back."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.proof.models import ARM
from tests.sampling import few

import unibody as ub
from unibody.cli.main import main
from unibody.model.inertia import Inertial
from unibody.model.joint_kind import JointKind
from unibody.model.pose import Vector3, from_axis_angle, unit
from unibody.proof.engines import ENGINES, VARIABLE
from unibody.proof.mapping import joint_map_given
from unibody.proof.proving import Given

KINDS: tuple[JointKind, ...] = ("revolute", "revolute", "prismatic", "fixed")
UPRIGHT = (1.0, 0.0, 0.0, 0.0)
SINGLE = {engine.name for engine in ENGINES if engine.single}


def mapped(robot: Any, engine: str) -> ub.JointMap:
    """The map of an engine; the test skips where it is not installed."""
    try:
        return ub.joint_map(robot, engine)
    except ub.JointMapError as error:
        if error.missing:
            pytest.skip(f"{engine} is not installed")
        raise


def written(folder: Path, text: str, name: str = "arm.urdf") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def tree(seed: int) -> ub.Robot:
    """A random tree of hinges, with and without limits, slides and welds, joints in shuffled order."""
    rng = np.random.default_rng(seed)
    count = 2 + seed % 7
    names = [f"link{i}" for i in range(count)]
    inertial = Inertial(mass=1.0, com=(0.1, 0.0, 0.2), inertia=((0.2, 0, 0), (0, 0.3, 0), (0, 0, 0.4)))
    joints = []
    for i in range(1, count):
        kind = KINDS[rng.integers(len(KINDS))]
        limits = (
            ub.Limits(position=(-2.0, 1.0)) if kind == "prismatic" or rng.random() < 0.5 else ub.Limits()
        )
        joints.append(
            ub.Joint(
                name=f"joint{i}",
                kind=kind,
                parent=names[rng.integers(i)],
                child=names[i],
                origin=ub.Pose(
                    _vector(rng), from_axis_angle(_axis(rng), rng.uniform(-3.0, 3.0)) or UPRIGHT
                ),
                axis=_axis(rng) if kind != "fixed" else (0.0, 0.0, 1.0),
                limits=limits if kind != "fixed" else ub.Limits(),
            )
        )
    links = [ub.Link(name=name, inertial=inertial) for name in names]
    rng.shuffle(joints)
    return ub.Robot(
        name="tree", links=tuple(links), joints=tuple(joints), base=("free", "fixed", "fixed")[seed % 3]
    )


def _vector(rng: np.random.Generator) -> Vector3:
    x, y, z = rng.uniform(-0.5, 0.5, 3).tolist()
    return (x, y, z)


def _axis(rng: np.random.Generator) -> Vector3:
    return unit(_vector(rng)) or (0.0, 0.0, 1.0)


def drawn(robot: ub.Robot, seed: int) -> np.ndarray[Any, Any]:
    """A random configuration, whose quaternion has the length 1."""
    mechanism = ub.assemble(robot)
    q = np.random.default_rng(seed).uniform(-1.0, 1.0, mechanism.nq)
    return np.asarray(mechanism.integrate(q, np.zeros(mechanism.nv)))


def mujoco_poses(robot: ub.Robot, q: np.ndarray[Any, Any], folder: Path) -> dict[str, Any]:
    """Poses of bodies in MuJoCo at its own q, of a file of the robot."""
    import mujoco

    ub.save(robot, folder / "tree.xml", base=robot.base)
    model = mujoco.MjModel.from_xml_path(str(folder / "tree.xml"))
    data = mujoco.MjData(model)
    data.qpos[:] = q
    mujoco.mj_kinematics(model, data)
    names = [model.body(i).name for i in range(model.nbody)]
    return {
        name: (data.xmat[i].reshape(3, 3).copy(), data.xpos[i].copy())
        for i, name in enumerate(names)
        if name
    }


def pinocchio_poses(robot: ub.Robot, q: np.ndarray[Any, Any], folder: Path) -> dict[str, Any]:
    """Poses of links in Pinocchio at its own q, of a file of the robot."""
    import pinocchio

    ub.save(robot, folder / "tree.urdf")
    root = [pinocchio.JointModelFreeFlyer()] if robot.base == "free" else []
    model = pinocchio.buildModelFromUrdf(str(folder / "tree.urdf"), *root)
    data = model.createData()
    pinocchio.framesForwardKinematics(model, data, q)
    return {
        frame.name: (data.oMf[i].rotation, data.oMf[i].translation)
        for i, frame in enumerate(model.frames)
        if frame.type == pinocchio.FrameType.BODY
    }


@pytest.mark.parametrize("seed", few(range(100), 2))
def test_q_of_one_engine_becomes_that_of_the_other(tmp_path: Path, seed: int) -> None:
    robot = tree(seed)
    first, second = mapped(robot, "mujoco"), mapped(robot, "pinocchio")
    assert first.holds, first
    assert second.holds, second
    q = drawn(robot, seed)
    there = first.to_engine(q)
    other = second.to_engine(first.to_unibody(there))
    assert np.abs(first.to_unibody(there) - q).max(initial=0.0) < 1e-14
    assert np.abs(second.to_unibody(other) - q).max(initial=0.0) < 1e-14
    mechanism = ub.assemble(robot)
    ours = dict(zip(mechanism.link_names, np.asarray(mechanism.forward_kinematics(q)), strict=True))
    for poses in (mujoco_poses(robot, there, tmp_path), pinocchio_poses(robot, other, tmp_path)):
        both = poses.keys() & ours.keys()
        assert both
        for name in both:
            rotation, place = poses[name]
            assert np.abs(ours[name][:3, :3] - rotation).max() < 1e-9
            assert np.abs(ours[name][:3, 3] - place).max() < 1e-9


@pytest.mark.parametrize("engine", [engine.name for engine in ENGINES])
def test_every_engine_has_a_map_that_holds(tmp_path: Path, engine: str) -> None:
    found = mapped(written(tmp_path, ARM), engine)
    assert found.holds, found
    assert [joint.joint for joint in found.joints] == ["shoulder", "elbow", "grip"]
    assert all(joint.verified and joint.sign == 1 and joint.zero == 0.0 for joint in found.joints)
    assert max(found.positions, found.rotations) < (1e-5 if engine in SINGLE else 1e-12)
    q = np.array([[0.3, -0.2, 0.01], [1.0, 2.0, 0.03]])
    assert np.abs(found.to_unibody(found.to_engine(q)) - q).max() < 1e-12


@pytest.mark.slow
def test_the_numbers_of_a_free_base_are_where_the_engine_has_them() -> None:
    robot = ub.load("src/unibody/models/biped.body")
    base, *others = mapped(robot, "mujoco").joints
    assert (base.joint, base.q, base.engine_q) == ("", (0, 1, 2, 3, 4, 5, 6), (0, 1, 2, 3, 4, 5, 6))
    assert all(joint.q == joint.engine_q for joint in others)
    base, *others = mapped(robot, "pinocchio").joints
    assert base.engine_q == (0, 1, 2, 6, 3, 4, 5)
    assert any(joint.q != joint.engine_q for joint in others)


def test_a_root_link_elsewhere_is_noted() -> None:
    # URDF has no pose of the root link
    found = mapped(replace(tree(1), pose=ub.Pose((0.0, 0.0, 0.5))), "pinocchio")
    assert found.holds, found
    assert found.notes == ("the root link is elsewhere in its world (0.5 m or rad)",)


MJCF = """\
<mujoco>
  <worldbody>
    <body name="arm" pos="0 0.1 0.2" euler="10 20 30">
      <joint name="hinge" axis="0 0.6 0.8" pos="0.1 0.2 0.05" ref="20"/>
      <inertial pos="0.1 0 0.2" mass="2" diaginertia="0.05 0.06 0.07"/>
      <body name="hand" pos="0.3 0 0.1">
        <joint name="slide" type="slide" axis="1 0 0" pos="0 0.1 0" ref="0.1"/>
        <joint axis="0 1 0"/>
        <inertial pos="0 0.05 0" mass="0.4" diaginertia="0.002 0.003 0.004"/>
      </body>
      <body name="ball" pos="0 0.4 0">
        <joint name="socket" type="ball"/>
        <inertial pos="0.02 0.05 0" mass="0.3" diaginertia="0.002 0.003 0.004"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


def test_references_of_mjcf_are_zeros(tmp_path: Path) -> None:
    found = mapped(written(tmp_path, MJCF, "arm.xml"), "mujoco")
    assert found.holds, found
    zeros = [(joint.zero, joint.engine_q) for joint in found.joints]
    assert zeros == [(np.deg2rad(20.0), (0,)), (0.1, (1,)), (0.0, (2,)), (0.0, (3, 4, 5, 6))]


def slipped(robot: ub.Robot, **changes: dict[str, Any]) -> ub.Robot:
    """The robot with other values of joints, whose file is that of the robot itself."""
    joints = tuple(replace(joint, **changes.get(joint.name, {})) for joint in robot.joints)
    return replace(robot, joints=joints)


def asked(robot: ub.Robot, path: Path, engine: str = "mujoco") -> ub.JointMap:
    mapped(path, engine)  # skips without it
    return joint_map_given(Given(robot=robot, path=str(path), format="urdf"), engine)


def test_sign_and_zero_are_those_that_the_engine_shows(tmp_path: Path) -> None:
    path = written(tmp_path, ARM)
    robot = ub.load(path)
    joint = robot.joint("shoulder")
    # the engine's axis is the other way round, and its zero is at 0.25 of ours
    turned = from_axis_angle(joint.axis, -0.25)
    assert turned is not None
    origin = joint.origin @ ub.Pose((0.0, 0.0, 0.0), turned)
    x, y, z = joint.axis
    found = asked(slipped(robot, shoulder={"axis": (-x, -y, -z), "origin": origin}), path)
    assert found.holds, found
    shoulder = found.joints[0]
    assert (shoulder.sign, shoulder.scale) == (-1, -1.0)
    assert shoulder.zero == pytest.approx(-0.25, abs=1e-12)
    assert found.to_engine([0.5, 0.1, 0.02]) == pytest.approx([-0.75, 0.1, 0.02], abs=1e-12)


def test_exchanged_numbers_are_found(tmp_path: Path) -> None:
    path = written(tmp_path, ARM)
    robot = ub.load(path)
    found = asked(slipped(robot, shoulder={"name": "elbow"}, elbow={"name": "shoulder"}), path)
    assert [(joint.joint, joint.q, joint.name, joint.engine_q) for joint in found.joints] == [
        ("elbow", (0,), "shoulder", (0,)),
        ("shoulder", (1,), "elbow", (1,)),
        ("grip", (2,), "grip", (2,)),
    ]
    assert found.holds, found


def test_a_joint_with_another_axis_is_not_verified(tmp_path: Path) -> None:
    path = written(tmp_path, ARM)
    found = asked(slipped(ub.load(path), elbow={"axis": (0.0, 1.0, 0.0)}), path)
    assert not found.holds
    assert {joint.joint: joint.reason for joint in found.joints}["elbow"] != ""
    assert found.joints[0].verified
    assert found.rotations > 0.1


def test_the_python_of_a_map_does_what_the_map_does(tmp_path: Path) -> None:
    for engine, model in (("pinocchio", ARM), ("mujoco", MJCF)):
        found = mapped(written(tmp_path, model, "arm.urdf" if model is ARM else "arm.xml"), engine)
        names: dict[str, Any] = {}
        exec(found.python(), names)
        q = np.random.default_rng(1).uniform(-1.0, 1.0, (3, len(found.start)))
        assert np.array_equal(names[f"to_{engine}"](q), found.to_engine(q))
        assert np.array_equal(
            names[f"from_{engine}"](found.to_engine(q)), found.to_unibody(found.to_engine(q))
        )


def test_the_command_prints_tables_json_and_python(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(written(tmp_path, ARM))
    mapped(path, "pinocchio")  # skips without it
    assert main(["info", path, "--engine", "pinocchio"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Pinocchio ")
    assert "3 of 3 verified by moving each alone" in text
    assert [line.split() for line in text.splitlines()[3:4]] == [
        ["elbow", "1", "1", "elbow", "1-2", "1", "+", "0", "cos,", "sin"]
    ]
    assert main(["info", path, "--engine", "pinocchio", "--json"]) == 0
    (data,) = json.loads(capsys.readouterr().out)["engines"]
    assert data["to_engine"]["order"] == [0, 1, 1, 2]
    assert (data["cosines"], data["sines"], data["holds"]) == ([1], [2], True)
    assert main(["info", path, "--engine", "pinocchio", "--python"]) == 0
    assert "def to_pinocchio(q):" in capsys.readouterr().out
    assert main(["info", path, "--python"]) == 2
    assert main(["info", path, "--engine", "pinochio"]) == 2
    assert main(["info", path, "--engine", "pinocchio", "--only", "tree"]) == 2
    assert main(["info", path, path, "--engine", "pinocchio"]) == 2
    capsys.readouterr()
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr("unibody.proof.proving.interpreters", lambda: [str(tmp_path / "none")])
    assert main(["info", path, "--engine", "drake"]) == 2
    assert capsys.readouterr().out.startswith("Drake: not here (make engines, and set UNIBODY_ENGINES")


def test_an_engine_that_rejects_the_file_says_why(tmp_path: Path) -> None:
    mapped(written(tmp_path, ARM), "mujoco")  # skips without it
    mesh = ARM.replace(
        '<link name="base">',
        '<link name="base"><collision><geometry><mesh filename="no.stl"/></geometry></collision>',
    )
    with pytest.raises(ub.JointMapError, match=r"MuJoCo: .*no\.stl"):
        ub.joint_map(written(tmp_path, mesh), "mujoco")
