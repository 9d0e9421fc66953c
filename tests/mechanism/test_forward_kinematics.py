from __future__ import annotations

import json
import math
import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.sampling import few
from tests.shared import ORACLE

from unibody.mechanism import AssembleError, Mechanism, assemble
from unibody.mechanism.forward_kinematics import BLOCK
from unibody.mechanism.program import axis_frame
from unibody.model.joint_kind import KINDS, JointKind
from unibody.model.pose import Pose, Vector3, from_axis_angle, from_rpy, matrix_quaternion, unit
from unibody.model.robot import Coupling, Joint, Limits, Link, Robot

Floats = NDArray[np.float64]


# The judge: one configuration at a time, 4×4 matrices, straight from the definitions.


def _matrix(rotation: Floats, xyz: Floats) -> Floats:
    out = np.eye(4)
    out[:3, :3], out[:3, 3] = rotation, xyz
    return out


def _about(axis: Vector3, angle: float) -> Floats:
    """Rodrigues' formula."""
    x, y, z = axis
    k = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    out: Floats = np.eye(3) + math.sin(angle) * k + (1.0 - math.cos(angle)) * (k @ k)
    return out


def _turned(quaternion: Floats) -> Floats:
    w, x, y, z = quaternion / math.sqrt(sum(v * v for v in quaternion))
    axis = unit((x, y, z))
    return np.eye(3) if axis is None else _about(axis, 2.0 * math.atan2(math.hypot(x, y, z), w))


def _motion(joint: Joint, q: Floats) -> Floats:
    axis, nowhere = np.array(joint.axis), np.zeros(3)
    match joint.kind:
        case "revolute":
            return _matrix(_about(joint.axis, q[0]), nowhere)
        case "prismatic":
            return _matrix(np.eye(3), axis * q[0])
        case "screw":
            assert joint.pitch is not None
            return _matrix(_about(joint.axis, q[0]), axis * joint.pitch * q[0] / (2.0 * math.pi))
        case "universal":
            assert joint.axis2 is not None
            return _matrix(_about(joint.axis, q[0]) @ _about(joint.axis2, q[1]), nowhere)
        case "ball":
            return _matrix(_turned(q), nowhere)
        case "free":
            return _matrix(_turned(q[3:]), q[:3])
        case "planar":
            along = np.array([0.0, 1.0, 0.0] if abs(axis[0]) == 1.0 else [1.0, 0.0, 0.0])
            u = along - along.dot(axis) * axis
            u /= np.linalg.norm(u)
            return _matrix(_about(joint.axis, q[2]), u * q[0] + np.cross(axis, u) * q[1])
    return np.eye(4)


def judge(robot: Robot, q: Floats) -> Floats:
    """All link poses for one q, by following each link to the root."""
    start = 7 if robot.base == "free" else 0
    root = _matrix(_turned(q[3:7]), q[:3]) if start else np.array(robot.pose.matrix())
    local: dict[str, tuple[str, Floats]] = {}
    for joint in robot.joints:
        size = KINDS[joint.kind].nq
        step = np.array(joint.origin.matrix()) @ _motion(joint, q[start : start + size])
        local[joint.child] = (joint.parent, step)
        start += size
    poses = []
    for link in robot.links:
        pose, name = np.eye(4), link.name
        while name in local:
            name, step = local[name]
            pose = step @ pose
        poses.append(root @ pose)
    return np.array(poses)


# Random robots.


def _axis(rng: np.random.Generator) -> Vector3:
    if rng.random() < 0.6:
        sign, place = rng.choice([-1.0, 1.0]), rng.integers(3)
        x, y, z = (float(sign) if i == place else 0.0 for i in range(3))
        return (x, y, z)
    x, y, z = rng.normal(size=3).tolist()
    return unit((x, y, z)) or (0.0, 0.0, 1.0)


def _pose(rng: np.random.Generator) -> Pose:
    x, y, z = rng.uniform(-0.5, 0.5, 3).tolist()
    xyz = [(0.0, 0.0, 0.0), (0.0, y, 0.0), (x, y, z)][rng.integers(3)]
    if (choice := rng.integers(3)) == 0:
        return Pose(xyz)
    if choice == 1:
        a, b, c = (rng.integers(-2, 3, 3) * (math.pi / 2)).tolist()
        return Pose(xyz, from_rpy(a, b, c))
    return Pose(xyz, from_axis_angle(_axis(rng), float(rng.uniform(-3, 3))) or (1.0, 0.0, 0.0, 0.0))


def _needed(kind: JointKind, axis: Vector3, rng: np.random.Generator) -> dict[str, Any]:
    """What a kind of joint needs beside its axis; the second one is not parallel to it."""
    second = axis
    while abs(np.dot(axis, second)) > 0.9:
        second = _axis(rng)
    given = {"pitch": float(rng.uniform(-0.5, 0.5)), "axis2": second}
    return {name: given[name] for name in KINDS[kind].needs}


def random_robot(seed: int, count: int) -> Robot:
    """A random tree with all kinds of joints, links and joints in shuffled order."""
    rng = np.random.default_rng(seed)
    names = [f"link{i}" for i in range(count)]
    joints = []
    for i in range(1, count):
        kind, axis = list(KINDS)[rng.integers(len(KINDS))], _axis(rng)
        joints.append(
            Joint(name=f"joint{i}", kind=kind, parent=names[rng.integers(i)], child=names[i],
                  origin=_pose(rng), axis=axis, initial=float(rng.normal()), **_needed(kind, axis, rng))
        )  # fmt: skip
    links = [Link(name=name) for name in names]
    rng.shuffle(links)
    rng.shuffle(joints)
    base = (None, "fixed", "free")[seed % 3]
    return Robot(name="random", links=tuple(links), joints=tuple(joints), base=base, pose=_pose(rng))  # type: ignore[arg-type]


def one_joint(kind: JointKind, **given: Any) -> Robot:
    joint = Joint(name="j", kind=kind, parent="a", child="b", **given)
    return Robot(name="pair", links=(Link(name="a"), Link(name="b")), joints=(joint,))


@pytest.mark.parametrize("seed", range(120))
def test_random_robots_agree_with_the_scalar_judge(seed: int) -> None:
    robot = random_robot(seed, 1 + seed % 23)
    mechanism = assemble(robot)
    q = np.random.default_rng(seed).uniform(-4.0, 4.0, (3, mechanism.nq))
    poses = mechanism.forward_kinematics(q)
    expected = np.array([judge(robot, row) for row in q])
    assert poses.shape == (3, len(robot.links), 4, 4)
    assert np.abs(poses - expected).max() < 1e-12
    assert np.abs(mechanism.forward_kinematics(q[1]) - expected[1]).max() < 1e-12


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0), (0.6, 0.0, 0.8)])
def test_each_kind_alone(kind: JointKind, axis: Vector3) -> None:
    for origin in (Pose(), Pose((0.0, 0.2, 0.0)), Pose((1.0, 2.0, 3.0), from_rpy(0.1, 0.2, 0.3))):
        robot = one_joint(kind, origin=origin, axis=axis, **_needed(kind, axis, np.random.default_rng(5)))
        q = np.random.default_rng(4).normal(size=KINDS[kind].nq)
        assert np.abs(assemble(robot).forward_kinematics(q) - judge(robot, q)).max() < 1e-14


@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 3, 5000])
def test_every_batch_size_gives_the_same_poses(count: int) -> None:
    mechanism = assemble(random_robot(8, 12))
    q = np.random.default_rng(1).uniform(-3.0, 3.0, (5000, mechanism.nq))
    poses = mechanism.forward_kinematics(q[:count])
    assert (poses.shape, poses.dtype.name, poses.flags.c_contiguous) == ((count, 12, 4, 4), "float64", True)
    for row in range(0, count, 97):
        assert np.abs(poses[row] - mechanism.forward_kinematics(q[row])).max() < 1e-14


def test_angles_of_all_sizes() -> None:
    robot = one_joint("revolute")
    steps = np.arange(-64, 65) * (math.pi / 8)
    q = np.concatenate([steps, steps * 1e5, [0.0, -0.0, 1e-300, 1e-9, 1e12, math.nextafter(math.pi, 4)]])
    column = assemble(robot).forward_kinematics(q[:, None])[:, 1, :2, 0]
    assert np.abs(column - np.stack([np.cos(q), np.sin(q)], axis=1)).max() < 1e-15


def test_right_angle_origins_stay_exact() -> None:
    origin = Pose((0.0, 0.0, 1.0), from_rpy(math.pi / 2, 0.0, -math.pi / 2))
    rotation = assemble(one_joint("revolute", origin=origin)).forward_kinematics([0.0])[1, :3, :3]
    assert sorted(np.abs(rotation).ravel().tolist()) == [0.0] * 6 + [1.0] * 3


def test_nan_and_inf_stay_in_their_configuration_and_branch() -> None:
    kinds: dict[str, JointKind] = {"turn": "revolute", "slide": "prismatic", "ball": "ball"}
    at = Pose((0.1, 0.2, 0.3))
    joints = (Joint(name=n, kind=k, parent="root", child=n, origin=at) for n, k in kinds.items())
    links = tuple(Link(name=name) for name in ("root", *kinds))
    mechanism = assemble(Robot(name="fork", links=links, joints=tuple(joints)))
    q = np.tile(mechanism.initial, (5, 1))
    good = mechanism.forward_kinematics(q)
    q[1, 0], q[2, 0], q[3, 1], q[4, 2:] = np.nan, np.inf, np.inf, 0.0
    poses = mechanism.forward_kinematics(q)
    kept = np.isfinite(poses)
    assert np.argwhere(~kept.all(axis=(2, 3))).tolist() == [[1, 1], [2, 1], [3, 2], [4, 3]]
    assert np.array_equal(poses[kept], good[kept])


def test_names_orders_and_arrays() -> None:
    robot = random_robot(5, 20)
    mechanism = assemble(robot)
    assert mechanism.link_names == tuple(link.name for link in robot.links)
    assert mechanism.joint_names == tuple(joint.name for joint in robot.joints)
    assert mechanism.nq == 7 + sum(KINDS[joint.kind].nq for joint in robot.joints)
    places = {int(link): place for place, link in enumerate(mechanism.order)}
    for link, (parent, joint) in enumerate(zip(mechanism.parents, mechanism.link_joints, strict=True)):
        if parent < 0:
            assert (mechanism.link_names[link], joint) == (robot.root, -1)
            continue
        assert places[int(parent)] < places[link]
        ends = (mechanism.link_names[parent], mechanism.link_names[link])
        assert (robot.joints[joint].parent, robot.joints[joint].child) == ends
    for name in ("parents", "order", "idx_q", "idx_v", "link_joints", "lower", "upper", "initial"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(mechanism, name)[0] = 1


def test_limits_and_initial_follow_the_joint_kinds() -> None:
    limits = Limits(position=(-1.0, 2.0))
    kinds: tuple[JointKind, ...] = ("revolute", "fixed", "ball", "planar", "free", "universal", "prismatic")
    joints = tuple(
        Joint(name=k, kind=k, parent="root", child=k, limits=limits, initial=0.5, axis2=(1.0, 0.0, 0.0))
        for k in kinds
    )
    links = (Link(name="root"), *(Link(name=kind) for kind in kinds))
    pose = Pose((1.0, 2.0, 3.0), (0.0, 1.0, 0.0, 0.0))
    mechanism = assemble(Robot(name="r", links=links, joints=joints, base="free", pose=pose))
    assert mechanism.idx_q.tolist() == [7, 8, 8, 12, 15, 22, 24]
    unit_quaternion = [1.0, 0.0, 0.0, 0.0]
    expected = [
        1.0,
        2.0,
        3.0,
        0.0,
        1.0,
        0.0,
        0.0,
        0.5,
        *unit_quaternion,
        *[0.0] * 6,
        *unit_quaternion,
        0,
        0,
        0.5,
    ]
    assert mechanism.initial.tolist() == expected
    assert np.flatnonzero(np.isfinite(mechanism.lower)).tolist() == [7, 22, 23, 24]
    assert (mechanism.lower[23], mechanism.upper[23]) == (-1.0, 2.0)
    assert np.array_equal(mechanism.forward_kinematics(mechanism.initial)[0], np.array(pose.matrix()))


def test_positions_by_name() -> None:
    robot = random_robot(8, 20)
    mechanism = assemble(robot)
    ball, slide = (next(j for j in robot.joints if j.kind == kind) for kind in ("ball", "prismatic"))
    base = [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
    q = mechanism.initial.copy()
    q[:7] = base
    start = mechanism.idx_q[mechanism.joint_names.index(ball.name)]
    q[start : start + 4] = 0.5
    q[mechanism.idx_q[mechanism.joint_names.index(slide.name)]] = 0.25
    named = {robot.root: base, ball.name: (0.5, 0.5, 0.5, 0.5), slide.name: 0.25}
    assert np.array_equal(mechanism.forward_kinematics(named), mechanism.forward_kinematics(q))
    assert np.array_equal(mechanism.forward_kinematics({}), mechanism.forward_kinematics(mechanism.initial))


def test_wrong_positions_are_named() -> None:
    mechanism = assemble(one_joint("ball"))
    with pytest.raises(ValueError, match=r"shape \(3,\); expected \(..., 4\): joints j"):
        mechanism.forward_kinematics([0.0, 0.0, 0.0])
    for wrong in (1.0, np.zeros((1, 1, 3)), np.zeros((4, 3))):
        with pytest.raises(ValueError, match="expected"):
            mechanism.forward_kinematics(wrong)
    for bad in (["a"] * 4, [[1.0], [1.0, 2.0]], [1j] * 4, [None] * 4):
        with pytest.raises(ValueError, match="real numbers"):
            mechanism.forward_kinematics(bad)  # type: ignore[arg-type]
    for value, message in ((1.0, "'j' takes 4 numbers"), ("up", "position of 'j'")):
        with pytest.raises(ValueError, match=message):
            mechanism.forward_kinematics({"j": value})
    with pytest.raises(KeyError, match="no joint 'jj'; did you mean 'j'"):
        mechanism.forward_kinematics({"jj": 1.0})
    free = assemble(Robot(name="r", links=(Link(name="r"),), base="free"))
    with pytest.raises(ValueError, match=r"\(..., 7\): the base's xyz and quaternion"):
        free.forward_kinematics([])


def chain(*couplings: Coupling, kinds: tuple[JointKind, ...] = ("revolute",) * 4) -> Mechanism:
    """Links l0, l1, ...; joint jN moves link l(N+1)."""
    links = tuple(Link(name=f"l{i}") for i in range(len(kinds) + 1))
    joints = (Joint(name=f"j{i}", kind=k, parent=f"l{i}", child=f"l{i + 1}") for i, k in enumerate(kinds))
    return assemble(Robot(name="chain", links=links, joints=tuple(joints), couplings=couplings))


def test_follow_resolves_chains_of_couplings() -> None:
    mechanism = chain(
        Coupling(joint="j0", leader="j2", ratio=2.0, offset=0.5),
        Coupling(joint="j2", leader="j3", ratio=-1.0),
        Coupling(joint="j1", leader="j0"),
    )
    q = np.array([9.0, 9.0, 9.0, 0.25])
    assert (mechanism.apply_couplings(q).tolist(), q[0]) == ([0.0, 0.0, -0.25, 0.25], 9.0)
    assert mechanism.apply_couplings({"j3": 1.0}).tolist() == [-1.5, -1.5, -1.0, 1.0]
    assert mechanism.apply_couplings(np.stack([q, q + 1.0]))[1].tolist() == [-2.0, -2.0, -1.25, 1.25]


def test_fixed_joints_neither_lead_nor_follow() -> None:
    couplings = (Coupling(joint="j1", leader="j0", offset=0.5), Coupling(joint="j2", leader="j1"))
    mechanism = chain(*couplings, kinds=("fixed", "revolute", "fixed"))
    assert mechanism.apply_couplings([9.0]).tolist() == [0.5]


@pytest.mark.parametrize(
    ("couplings", "message"),
    [
        ((("j0", "j1"), ("j1", "j2"), ("j2", "j0")), "'j0', 'j1', 'j2' form a cycle"),
        ((("j3", "j0"), ("j0", "j0")), "joints 'j0' form a cycle"),
        ((("j0", "j1"), ("j0", "j2")), "'j0' follows two leaders: 'j1' and 'j2'"),
        ((("j0", "j11"),), "unknown joint 'j11'; did you mean"),
        ((("j0", "j4"),), "'j4' is a ball joint"),
    ],
)
def test_bad_couplings(couplings: tuple[tuple[str, str], ...], message: str) -> None:
    made = (Coupling(joint=joint, leader=leader) for joint, leader in couplings)
    with pytest.raises(AssembleError, match=message):
        chain(*made, kinds=("revolute",) * 4 + ("ball",))


@pytest.mark.parametrize(
    ("joints", "message"),
    [
        ((("arm", "a", "d"),), "joint 'arm' has an unknown child link 'd'"),
        ((("arm", "aa", "b"),), "unknown parent link 'aa'; did you mean 'a'"),
        ((("j", "a", "b"), ("k", "c", "b")), "'b' is the child of two joints: 'j' and 'k'"),
        ((("j", "a", "b"),), "2 trees, not one; their roots are 'a', 'c'"),
        ((("j", "b", "c"), ("k", "c", "b")), "links 'c', 'b' form a cycle$"),
        ((("i", "a", "b"), ("j", "b", "c"), ("k", "c", "a")), "form a cycle; no link is the root"),
        ((("j", "a", "b"), ("k", "c", "c")), "links 'c' form a cycle$"),
        ((("j", "a", "b"), ("j", "a", "c")), "two joints are named 'j'"),
    ],
)
def test_links_that_form_no_tree(joints: tuple[tuple[str, str, str], ...], message: str) -> None:
    links = tuple(Link(name=name) for name in "abc")
    made = tuple(Joint(name=n, kind="revolute", parent=parent, child=child) for n, parent, child in joints)
    with pytest.raises(AssembleError, match=message):
        assemble(Robot(name="bad", links=links, joints=made))


def test_other_robots_that_cannot_be_assembled() -> None:
    with pytest.raises(AssembleError, match="'empty' has no links"):
        assemble(Robot(name="empty"))
    with pytest.raises(AssembleError, match="two links are named 'a'"):
        assemble(Robot(name="r", links=(Link(name="a"), Link(name="a"))))
    lacks: dict[JointKind, str] = {"screw": "pitch", "universal": "second axis"}
    for kind, lack in lacks.items():
        with pytest.raises(AssembleError, match=f"{kind} joint 'j' has no {lack}"):
            assemble(one_joint(kind))
    nowhere = (0.0, 0.0, 0.0)
    assert assemble(one_joint("fixed", axis=nowhere)).nq == 0
    for axis in (nowhere, (math.nan, 0.0, 1.0)):
        with pytest.raises(AssembleError, match="no direction"):
            assemble(one_joint("revolute", axis=axis))


def test_deep_chains_need_no_recursion() -> None:
    couplings = (Coupling(joint=f"j{i}", leader=f"j{i + 1}", offset=1.0) for i in range(2999))
    mechanism = chain(*couplings, kinds=("prismatic",) * 3000)
    assert mechanism.apply_couplings(np.zeros(3000))[0] == 2999.0
    assert mechanism.forward_kinematics(np.ones(3000))[-1, 2, 3] == 3000.0


def test_axis_frames_are_rotations_even_close_to_x() -> None:
    for lean in (0.0, 1e-160, 1e-9, 1e-3, 1.0):
        axis = unit((1.0, lean, -lean / 3.0)) or (0.0, 0.0, 0.0)
        frame = axis_frame(axis)
        assert np.abs(frame.T @ frame - np.eye(3)).max() < 1e-15
        assert (round(np.linalg.det(frame), 14), *frame[:, 2]) == (1.0, *axis)


# Choreonoid's own numbers.


def _oracle_pose(row: dict[str, list[float]]) -> Pose:
    (a, b, c, d, e, f, g, h, i), (x, y, z) = row["R"], row["p"]
    return Pose((x, y, z), matrix_quaternion(((a, b, c), (d, e, f), (g, h, i))))


def _oracle_joint(link: dict[str, Any]) -> Joint:
    kind: JointKind = "track" if link["joint_type"] == "pseudo_continuous_track" else link["joint_type"]
    x, y, z = link["a"]
    index = str(link["index"])
    return Joint(name=index, kind=kind, parent=str(link["parent_index"]), child=index,
                 origin=_oracle_pose(link["Tb"]), axis=(x, y, z), initial=link["q_initial"])  # fmt: skip


def oracle_robot(body: dict[str, Any]) -> Robot:
    """Links and joints are named by index: two may have one name there."""
    links = body["links"]
    return Robot(
        name=body["name"] or "body",
        links=tuple(Link(name=str(link["index"])) for link in links),
        joints=tuple(_oracle_joint(link) for link in links[1:]),
        base="fixed" if body["fixed_root"] else "free",
        pose=_oracle_pose(links[0]["Tb"]),
    )


def oracle_files() -> list[str]:
    bodies = (path for path in ORACLE.glob("**/*.json") if '"configurations"' in path.read_text())
    return sorted(path.relative_to(ORACLE).as_posix() for path in bodies)


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("name", few(oracle_files(), 60))
def test_choreonoid_puts_the_links_in_the_same_places(name: str) -> None:
    body = json.loads((ORACLE / name).read_text())
    moving = [link for link in body["links"][1:] if link["joint_type"] in ("revolute", "prismatic")]
    if any(abs(math.hypot(*link["a"]) - 1.0) > 1e-9 for link in moving):
        pytest.skip("has an axis that is not a unit vector: Choreonoid's turn is no rotation then")
    mechanism = assemble(oracle_robot(body))
    for configuration in body["configurations"]:
        # A root may be listed with a position; it has no joint, and Choreonoid does not move it.
        q = {str(entry[1]): entry[3] for entry in configuration.get("q", []) if entry[1] != 0}
        poses = mechanism.forward_kinematics(q)
        rows = np.array(configuration["links"])
        assert np.abs(poses[:, :3, :3].reshape(-1, 9) - rows[:, :9]).max() < 1e-12
        assert np.abs(poses[:, :3, 3] - rows[:, 9:]).max() < 1e-12


def test_a_mechanism_that_was_used_can_be_pickled() -> None:
    mechanism = assemble(random_robot(3, 6))
    q = np.random.default_rng(3).uniform(-1.0, 1.0, (2, mechanism.nq))
    mechanism.forward_kinematics(q[0])
    copy = pickle.loads(pickle.dumps(mechanism))
    for one in q:  # the second one overwrites the buffers of the first
        assert np.array_equal(copy.forward_kinematics(one), mechanism.forward_kinematics(one))
    with pytest.raises(ValueError, match="read-only"):
        copy.lower[:] = 0.0
