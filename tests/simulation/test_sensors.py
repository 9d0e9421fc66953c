"""Sensors of robots without any symmetry, against the motion and the forces that the mechanism computes."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from tests.sampling import few

import unibody as ub
from unibody.model.device import Accelerometer, ContactSwitch, Device, ForceTorque, Gyro, Imu, Spec
from unibody.model.inertia import Inertial, matrix3
from unibody.model.joint_kind import KINDS, JointKind
from unibody.model.pose import Pose, matrix_quaternion
from unibody.model.robot import (
    BALL,
    FIXED,
    HINGE,
    PISTON,
    XY,
    Actuator,
    Dynamics,
    Holds,
    Joint,
    Limits,
    Link,
    Loop,
    Z,
)  # fmt: skip
from unibody.page.pack import Pack
from unibody.page.record import record_data
from unibody.simulation.recording import Recorder

SPECS: dict[str, Spec] = {"gyro": Gyro(), "accel": Accelerometer(), "imu": Imu(), "force": ForceTorque()}


def anywhere(random: np.random.Generator, size: float = 0.3) -> Pose:
    x, y, z = (size * random.normal(size=3)).tolist()
    w, a, b, c = random.normal(size=4).tolist()
    norm = (w * w + a * a + b * b + c * c) ** 0.5
    return Pose((x, y, z), (w / norm, a / norm, b / norm, c / norm))


def odd_robot(kinds: Sequence[JointKind], base: ub.Base, seed: int = 1, branched: bool = True) -> ub.Robot:
    """A robot whose joints, inertias and sensors point anywhere."""
    random = np.random.default_rng(seed)

    def link(name: str) -> Link:
        a, b, c = random.uniform(0.01, 0.05, 3).tolist()
        axes = np.linalg.qr(random.normal(size=(3, 3)))[0]
        inertia = axes @ np.diag([b + c, a + c, a + b]) @ axes.T
        x, y, z = (0.1 * random.normal(size=3)).tolist()
        size: tuple[float, float, float] = (0.2, 0.1, 0.15)
        return Link(
            name=name,
            inertial=Inertial(
                mass=float(random.uniform(0.5, 3.0)),
                com=(x, y, z),
                inertia=matrix3((inertia + inertia.T) / 2),
            ),
            collisions=(ub.Shape(geometry=ub.Box(size=size), pose=anywhere(random, 0.05)),),
        )

    links, joints = [link("link0")], list[Joint]()
    for number, kind in enumerate(kinds):
        parent = int(random.integers(0, number + 1)) if branched else number
        links.append(link(f"link{number + 1}"))
        joint = Joint(
            name=f"joint{number}",
            kind=kind,
            parent=f"link{parent}",
            child=f"link{number + 1}",
            origin=anywhere(random),
        )
        x, y, z = random.normal(size=3).tolist()
        norm = (x * x + y * y + z * z) ** 0.5
        if KINDS[kind].axes:
            joint = replace(joint, axis=(x / norm, y / norm, z / norm))
        if kind in ("revolute", "prismatic"):
            joint = replace(
                joint,
                actuator=Actuator(gear_ratio=30.0, rotor_inertia=1e-4),
                dynamics=Dynamics(damping=0.2, stiffness=3.0, rest=0.1),
                limits=Limits(),
            )
        joints.append(joint)
    devices = tuple(
        Device(name=f"{word}{number}", link=f"link{number}", spec=spec, pose=anywhere(random))
        for number in range(len(links))
        for word, spec in SPECS.items()
    )
    return ub.Robot(name="odd", links=tuple(links), joints=tuple(joints), devices=devices, base=base)


def moving(robot: ub.Robot, **settings: object) -> ub.Simulation:
    """A simulation anywhere, with any speed and efforts."""
    sim = ub.simulate(robot, **settings)  # type: ignore[arg-type]
    random, mechanism = np.random.default_rng(7), sim.mechanism
    q = mechanism.integrate(mechanism.initial, 0.5 * random.normal(size=mechanism.nv))
    sim.reset(q, 2.0 * random.normal(size=mechanism.nv))
    sim.set_effort(random.normal(size=mechanism.nv))
    return sim


def external(sim: ub.Simulation) -> np.ndarray:
    """Force and moment of the contacts on each link, at its origin (n_links, 6)."""
    names, contacts = list(sim.mechanism.link_names), sim.contacts
    poses = np.asarray(sim.mechanism.forward_kinematics(sim.q))
    out = np.zeros((len(names), 6))
    for pair, at, force, moment in zip(
        contacts.links, contacts.points, contacts.forces, contacts.moments, strict=True
    ):
        for name, sign in zip(pair, (-1.0, 1.0), strict=True):
            if name in names:
                link = names.index(name)
                out[link, :3] += sign * force
                out[link, 3:] += sign * (moment + np.cross(at - poses[link, :3, 3], force))
    return out


def expected(sim: ub.Simulation) -> dict[str, np.ndarray]:
    """The readings of all sensors, by the derivatives of the poses of links along the motion."""
    mechanism, gravity = sim.mechanism, sim.gravity
    q, v, a, step = sim.q, sim.v, sim.acceleration, 2e-4
    poses = [
        np.asarray(mechanism.forward_kinematics(mechanism.integrate(q, v * t + 0.5 * a * t * t)))
        for t in step * np.arange(-2, 3)
    ]
    rate = np.tensordot([1.0, -8.0, 0.0, 8.0, -1.0], poses, 1) / (12.0 * step)
    second = np.tensordot([-1.0, 16.0, -30.0, 16.0, -1.0], poses, 1) / (12.0 * step**2)
    now, names, loads = poses[2], list(mechanism.link_names), external(sim)
    turns, wrenches = np.zeros((len(names), 3)), np.zeros((len(names), 6))
    for link in mechanism.robot.links:
        i = names.index(link.name)
        turn, com = now[i, :3, :3], np.array([*link.inertial.com, 1.0]) if link.inertial else None
        w, dw = rate[i, :3, :3] @ turn.T, second[i, :3, :3] @ turn.T + rate[i, :3, :3] @ rate[i, :3, :3].T
        turns[i], speeding = (np.array([m[2, 1], m[0, 2], m[1, 0]]) for m in (w, dw))
        assert link.inertial is not None
        force = link.inertial.mass * ((second[i] @ com)[:3] - gravity)
        inertia = turn @ np.array(link.inertial.inertia) @ turn.T
        moment = inertia @ speeding + np.cross(turns[i], inertia @ turns[i])
        wrenches[i, :3] = force - loads[i, :3]
        wrenches[i, 3:] = moment + np.cross((now[i] @ com)[:3], force)
        wrenches[i, 3:] -= loads[i, 3:] + np.cross(now[i, :3, 3], loads[i, :3])
    for joint in reversed(mechanism.robot.joints):  # each after those that it carries
        wrenches[names.index(joint.parent)] += wrenches[names.index(joint.child)]
    out = {}
    for device in mechanism.robot.devices:
        i = names.index(device.link)
        place = np.array(device.pose.matrix())
        there = now[i] @ place
        back = there[:3, :3].T
        gyro = back @ turns[i]
        accel = back @ ((second[i] @ place[:, 3])[:3] - gravity)
        force, moment = wrenches[i, :3], wrenches[i, 3:] - np.cross(there[:3, 3], wrenches[i, :3])
        wrench = -np.concatenate([back @ force, back @ moment])
        if device.link == mechanism.robot.root and mechanism.base == "free":
            wrench = np.zeros(6)
        kinds = {"gyro": gyro, "accel": accel, "imu": np.concatenate([gyro, accel]), "force": wrench}
        out[device.name] = kinds[device.name.rstrip("0123456789")]
    return out


def assert_readings(sim: ub.Simulation) -> None:
    for name, value in expected(sim).items():
        scale = 1.0 + np.abs(value).max()
        assert sim.sensors[name] == pytest.approx(value, abs=1e-6 * scale), name


def assert_balance(sim: ub.Simulation, tolerance: float = 1e-9) -> None:
    """The efforts are those of the motion."""
    mechanism = sim.mechanism
    need = mechanism.inverse_dynamics(
        sim.q, sim.v, sim.acceleration, external(sim), gravity=tuple(sim.gravity.tolist())
    )
    driven = np.asarray(need) - np.asarray(mechanism.passive_forces(sim.q, sim.v))
    assert sim.effort == pytest.approx(driven, abs=tolerance * (1.0 + np.abs(driven).max()))


@pytest.mark.parametrize("base", ["fixed", "free"])
@pytest.mark.parametrize(
    "kinds",
    [
        ("revolute", "prismatic", "revolute", "fixed", "revolute"),
        ("planar", "revolute", "ball", "revolute"),
        ("revolute", "ball", "planar", "prismatic"),
        ("track", "revolute", "fixed", "track"),
        ("revolute", "free", "revolute"),
    ],
    ids="-".join,
)
def test_every_kind_of_joint(kinds: tuple[JointKind, ...], base: ub.Base) -> None:
    sim = moving(odd_robot(kinds, base), contacts=False)
    for _ in range(2):
        assert_readings(sim)
        assert_balance(sim)
        sim.step(37)


@pytest.mark.parametrize("drive", ["effort", "servo", "velocity"])
def test_on_a_floor(drive: str) -> None:
    sim = ub.simulate(odd_robot(["revolute"] * 4, "free"), floor=0.0)
    sim.reset(above=0.01)
    joints = [f"joint{number}" for number in range(4)]
    if drive == "servo":
        sim.set_gains(200.0, 5.0)
        sim.set_position(dict.fromkeys(joints, 0.3))
    elif drive == "velocity":
        sim.set_velocity(dict.fromkeys(joints, 0.5))
    touched = 0
    for _ in range(5):
        sim.run(0.1)
        touched += len(sim.contacts)
        assert_readings(sim)
        # the drive of a given motion is the small difference of two large numbers
        assert_balance(sim, 1e-3 if drive == "velocity" else 1e-4)
    assert touched


def test_a_given_motion_on_a_moving_base() -> None:
    sim = ub.simulate(odd_robot(["revolute", "prismatic", "revolute"], "free"), contacts=False)
    for _ in range(100):
        sim.set_position({f"joint{number}": 0.2 * np.sin(5.0 * sim.time + number) for number in range(3)})
        sim.step()
    assert_readings(sim)
    assert_balance(sim, 1e-4)


HELD = {
    "ball": BALL, "hinge": HINGE, "fixed": FIXED, "piston": PISTON, "xy": XY, "z": Z,
    "twist": Holds(axial=True, radial=False, twist=True),
    "swing": Holds(axial=False, radial=False, swing=True),
}  # fmt: skip


@pytest.mark.parametrize("name", few(HELD, 3))
def test_the_forces_of_loops(name: str) -> None:
    """The engine's and unibody's own loops load the links alike."""
    kinds: list[JointKind] = ["revolute", "revolute", "ball", "revolute"] * 2
    robot = odd_robot(kinds, "fixed", branched=False)
    joints = list(robot.joints)
    joints[4] = replace(joints[4], parent="link0")
    robot = replace(robot, joints=tuple(joints))
    mechanism = ub.assemble(robot)
    poses = np.asarray(mechanism.forward_kinematics(mechanism.initial))
    a, b = (poses[mechanism.link_names.index(link)] for link in ("link4", "link8"))
    anchor = anywhere(np.random.default_rng(3))
    other = np.linalg.inv(b) @ a @ np.array(anchor.matrix())
    x, y, z = other[:3, 3].tolist()
    pin = Loop(
        name="pin",
        link_a="link4",
        link_b="link8",
        pose_a=anchor,
        pose_b=Pose((x, y, z), matrix_quaternion(matrix3(other[:3, :3]))),
        axis=(0.6, 0.0, 0.8),
        holds=HELD[name],
    )
    both = [
        ub.simulate(replace(robot, loops=(pin,)), loop_solver=loops, contacts=False, integrator="rk4")
        for loops in ("engine", "exact")
    ]
    for sim in both:
        sim.run(0.1)
        assert np.abs(sim.loop_residual).max() < 1e-5
    # the body between two links that some loops need in the engine has a thousandth of their mass
    near = 1e-2 if name in ("ball", "hinge", "fixed") else 0.06
    for number in range(9):
        for kind in ("force", "imu"):
            engine, exact = (sim.sensors[f"{kind}{number}"] for sim in both)
            assert engine == pytest.approx(exact, abs=near * (1.0 + np.abs(exact).max()))


ROOM = """format: ChoreonoidBody
format_version: 2.0
name: room
root_link: FLOOR
links:
  - name: FLOOR
    joint_type: fixed
    translation: [0, 0, -0.5]
    elements:
      - { type: Shape, geometry: { type: Box, size: [9, 9, 0.2] } }
  - name: BOX
    parent: FLOOR
    joint_type: free
    translation: [0.3, 0, 3]
    rotation: [1, 2, 0, 40]
    elements:
      - type: RigidBody
        mass: 1
        inertia: [0.0104, 0, 0, 0, 0.0068, 0, 0, 0, 0.0104]
        elements: [{ type: Shape, geometry: { type: Box, size: [0.2, 0.3, 0.2] } }]
"""


def test_a_free_joint_on_a_floor_turns_over() -> None:
    """Choreonoid's worlds have free joints below a fixed floor: no coordinate may be singular."""
    sim = ub.simulate(ub.loads(ROOM))
    speed = np.array([0.3, -0.2, 0.1, 1.0, 9.0, 2.0])
    sim.reset(None, speed)
    spin = sim.v[3:]
    poses = np.asarray(sim.mechanism.forward_kinematics(sim.q))
    inertia = np.diag([0.0104, 0.0068, 0.0104])
    momentum = poses[1, :3, :3] @ inertia @ spin
    sim.run(0.7)
    poses = np.asarray(sim.mechanism.forward_kinematics(sim.q))
    assert poses[1, :3, :3] @ inertia @ sim.v[3:] == pytest.approx(momentum, abs=1e-10)
    sim.run(2.5)
    assert np.abs(sim.v).max() < 1e-2
    height = float(np.asarray(sim.mechanism.forward_kinematics(sim.q))[1, 2, 3])
    assert height == pytest.approx(-0.3, abs=1e-3) or height == pytest.approx(-0.25, abs=1e-3)
    assert not sim.findings


def test_a_free_joint_on_a_moving_link_is_named() -> None:
    (finding,) = ub.simulate(odd_robot(["revolute", "free"], "free"), contacts=False).findings
    assert finding.code == "simulation-free-joint"
    assert "joint 'joint1' is free on link" in finding.message


TARGET = '<body name="target" mocap="true" pos="1 0 1"><geom size="0.1"/></body>'
ARM = '<body name="arm"><joint/><geom size="0.1"/></body>'


@pytest.mark.parametrize(
    ("texts", "base", "said"),
    [
        ([TARGET + ARM], None, {}),
        ([TARGET + ARM], "free", {"target": "fixed to link 'world'"}),
        ([TARGET], "free", {"target": "moved by forces"}),
        ([TARGET + ARM, ARM], "fixed", {"target": "fixed to link 'text:world'"}),
    ],
)
def test_a_body_that_mocap_does_not_move_is_named(
    texts: list[str], base: ub.Base | None, said: dict[str, str]
) -> None:
    robots = [ub.loads(f"<mujoco><worldbody>{x}</worldbody></mujoco>", format="mjcf") for x in texts]
    sim = ub.simulate(robots, base=base)
    found = [f for f in sim.findings if f.code == "simulation-mocap"]
    assert [f.message.partition(": ")[2] for f in found] == [
        f"link '{name}' is {instead}" for name, instead in said.items()
    ]
    assert all(f.at is not None and f.hint for f in found)
    assert sim.model.nmocap == (not said)


def two_feet() -> ub.Robot:
    """Feet of 2 kg that slide up and down on a beam, 1 cm above the ground, with switches on both."""
    box = ub.Shape(geometry=ub.Box(size=(0.2, 0.1, 0.1)))
    mass = Inertial(mass=2.0, inertia=matrix3(0.01 * np.eye(3)))
    feet = [Link(name=name, inertial=mass, collisions=(box,)) for name in ("left", "right")]
    slides = [
        Joint(
            name=f"{foot.name}_slide",
            kind="prismatic",
            parent="beam",
            child=foot.name,
            origin=Pose((0.0, side, -0.44)),
            axis=(0.0, 0.0, 1.0),
        )
        for foot, side in zip(feet, (0.3, -0.3), strict=True)
    ]
    switches = [
        Device(name=f"{link}_{threshold:g}", link=link, spec=ContactSwitch(threshold=threshold))
        for link in ("beam", "left", "right")
        for threshold in (0.0, 19.5, 19.7)
    ]
    return ub.Robot(
        name="feet",
        links=(Link(name="beam"), *feet),
        joints=tuple(slides),
        devices=tuple(switches),
        base="fixed",
        pose=Pose((0.0, 0.0, 0.5)),
    )


def closed(sim: ub.Simulation) -> set[str]:
    """The switches that are closed."""
    readings = {name: sim.sensors[name].tolist() for name in sim.sensors}
    assert all(value in ([0.0], [1.0]) for value in readings.values())
    return {name for name, value in readings.items() if value == [1.0]}


def test_a_switch_closes_under_the_weight_of_its_foot() -> None:
    """Four corners of a foot carry 19.61 N together; the other foot is held in the air."""
    sim = ub.simulate(two_feet(), floor=0.0)
    sim.set_position({"right_slide": 0.0})
    assert closed(sim) == set()
    sim.run(1.0)
    assert len(sim.contacts) == 4
    assert closed(sim) == {"left_0", "left_19.5"}
    sim.set_effort({"left_slide": -0.2})
    sim.run(0.5)
    assert closed(sim) == {"left_0", "left_19.5", "left_19.7"}
    sim.set_effort({"left_slide": 25.0})
    sim.run(0.5)
    assert closed(sim) == set()


def test_a_switch_feels_what_presses_from_both_sides() -> None:
    """The right foot presses the left one against a plate: 25 N from each side, which balance."""
    robot = two_feet()
    plate = ub.Shape(geometry=ub.Box(size=(0.2, 0.02, 0.1)), pose=Pose((0.0, 0.365, -0.44)))
    pressed = replace(
        robot,
        links=(Link(name="beam", collisions=(plate,)), *robot.links[1:]),
        joints=tuple(replace(joint, axis=(0.0, 1.0, 0.0)) for joint in robot.joints),
        devices=tuple(
            Device(name=f"{link}_{threshold}", link=link, spec=ContactSwitch(threshold=threshold))
            for link in ("left", "right")
            for threshold in (24, 26, 49, 51)
        ),
    )
    sim = ub.simulate(pressed, pairs="all", gravity=(0.0, 0.0, 0.0))
    sim.reset({"right_slide": 0.495})
    sim.set_effort({"right_slide": 25.0})
    sim.run(1.0)
    assert sim.contacts.force_on("left") == pytest.approx(np.zeros(3), abs=1e-3)
    assert closed(sim) == {"left_24", "left_26", "left_49", "right_24"}


def test_a_switch_without_contacts_is_open() -> None:
    sim = ub.simulate(two_feet(), floor=0.0, contacts=False)
    sim.run(0.2)
    assert closed(sim) == set()


def test_a_switch_in_a_recording() -> None:
    """The left foot falls 1 cm, which takes 45 ms."""
    sim = ub.simulate(two_feet(), floor=0.0)
    sim.set_position({"right_slide": 0.0})
    recorder = Recorder(sim)
    recorder.run(0.2)
    record = recorder.record()
    first = record.times[np.flatnonzero(record.sensors["left_0"][:, 0])[0]]
    assert first == pytest.approx((2.0 * 0.01 / 9.80665) ** 0.5, abs=0.01)
    assert record.sensors["left_0"].shape == (21, 1)
    assert not record.sensors["right_0"].any()
    rows = list(csv.DictReader(io.StringIO(record.csv())))
    assert [float(row["sensor:left_0"]) for row in rows] == record.sensors["left_0"][:, 0].tolist()
    plots = record_data(record, record.robot, Pack())["plots"]
    shown = {plot["name"]: (plot["kind"], plot["unit"], plot["size"]) for plot in plots}
    assert shown["left_0"] == ("lines", "", 1)
