"""Motions that are made to be judged wrongly, and their judge.

Each world has a random robot with all kinds of joints, couplings and shapes. Thin obstacles stand where
points of its links pass during the motions, or a hair beside them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray
from tests.mechanism.test_forward_kinematics import random_robot

import unibody as ub
from unibody.collision.motion import MotionCheck, Space
from unibody.mechanism.integration import difference, integrate
from unibody.model.inertia import matrix3
from unibody.model.joint_kind import KINDS
from unibody.model.pose import matrix_quaternion

Floats = NDArray[np.float64]
SPACES: tuple[Space, ...] = get_args(Space)
#: Samples of a judged motion, and of each part of it where an obstacle was planted.
DENSE, CLOSE = 501, 101


@dataclass(frozen=True)
class Trial:
    """A motion in a world; ``planted`` are the times at which a link passes an obstacle, or nearly."""

    world: ub.World
    a: Floats
    b: Floats
    space: Space
    planted: Floats


def trials(seed: int, count: int) -> Iterator[Trial]:
    """Motions of one random robot among obstacles that were planted on some of these motions."""
    rng = np.random.default_rng(seed)
    robot = _robot(seed, rng)
    mechanism = ub.assemble(robot)
    motions = [(*_motion(mechanism, rng), SPACES[rng.integers(3)]) for _ in range(count)]
    obstacles, planted = [], {k: list[float]() for k in range(count)}
    for number in range(10):
        k, time = int(rng.integers(count)), float(rng.uniform(0.02, 1.0))
        a, b, space = motions[k]
        pose = np.asarray(mechanism.forward_kinematics(way(mechanism, a, b, space, np.array([time]))[0]))
        link = int(rng.integers(len(robot.links)))
        tip = pose[link] @ np.append(rng.normal(scale=0.1, size=3), 1.0)
        tip[:3] += rng.normal(size=3) * rng.choice([0.0, 1e-6, 1e-4, 3e-3])
        obstacles.append(_obstacle(f"obstacle {number}", tip[:3], rng))
        planted[k].append(time)
    if rng.random() < 0.2:
        obstacles.append(ub.Shape(geometry=ub.Plane(), name="ground", pose=_pose(rng, (0.0, 0.0, -1.5))))
    world = ub.collisions(robot, obstacles, pairs="all" if rng.random() < 0.3 else [])
    for k, (a, b, space) in enumerate(motions):
        yield Trial(world, a, b, space, np.array(planted[k]))


def way(mechanism: ub.Mechanism, a: Floats, b: Floats, space: Space, times: Floats) -> Floats:
    """Configurations on a straight motion, by the definition of each space."""
    if space == "normalized":
        coordinates = mechanism.normalized_space
        first, last = coordinates.from_joints(a), coordinates.from_joints(b)
        mapped = coordinates.to_joints(
            coordinates.wrapped(first + times[:, None] * coordinates.difference(first, last))
        )
        left = way(mechanism, a, b, "joints", times)
        for name in coordinates.unmapped:
            at = _places(mechanism, name)
            mapped[:, at] = left[:, at]
        return mapped
    step = np.asarray(difference(mechanism.tree, a, b))
    q = np.asarray(integrate(mechanism.tree, a, times[:, None] * step))
    if space == "joints":
        for name in (*mechanism.joint_names, ""):
            at = _places(mechanism, name)
            if at.stop - at.start == 7:
                origin = slice(at.start, at.start + 3)
                q[:, origin] = a[origin] + times[:, None] * (b - a)[origin]
    return q


def _places(mechanism: ub.Mechanism, name: str) -> slice:
    """The places of a joint, or of a free base, in q."""
    if name not in mechanism.joint_names:
        return slice(0, 7 if mechanism.tree.free_base else 0)
    joint = mechanism.joint_names.index(name)
    start = int(mechanism.idx_q[joint])
    return slice(start, start + KINDS[mechanism.tree.kinds[joint]].nq)


def judged(trial: Trial) -> MotionCheck | None:
    """The verdict on a trial that starts free, checked by dense samples; AssertionError if it is false."""
    world, a, b, space = trial.world, trial.a, trial.b, trial.space
    if world.colliding(a):
        return None
    found: MotionCheck = world.segment(a, b, space)
    if found.status == "free":
        times = [np.linspace(0.0, 1.0, DENSE)]
        times += [np.clip(t + np.linspace(-2e-3, 2e-3, CLOSE), 0.0, 1.0) for t in trial.planted]
        rows = way(world.mechanism, a, b, space, np.concatenate(times))
        assert not world.colliding(rows).any(), "a free motion collides"
        # the same without the broad phase
        assert not any(world.hits(row) for row in rows[:: len(rows) // 10]), "a free motion collides"
    elif found.status == "hit":
        assert found.q is not None
        assert world.colliding(found.q)
        assert found.pair in world.pairs
        assert found.time is not None
        there = way(world.mechanism, a, b, space, np.array([found.time]))
        poses = np.asarray(world.mechanism.forward_kinematics(np.stack([there[0], np.asarray(found.q)])))
        assert np.abs(poses[0] - poses[1]).max() < 1e-7
    return found


def tally(seeds: range, count: int) -> Counter[str]:
    """The verdicts on motions of many worlds."""
    out: Counter[str] = Counter()
    for seed in seeds:
        try:
            for trial in trials(seed, count):
                found = judged(trial)
                out["no start" if found is None else found.status] += 1
        except AssertionError as error:
            raise AssertionError(f"world {seed}: {error}") from error
    return out


def _robot(seed: int, rng: np.random.Generator) -> ub.Robot:
    robot = random_robot(seed, int(rng.integers(3, 9)))
    joints = list(robot.joints)
    for k, joint in enumerate(joints):
        if joint.kind in ("revolute", "prismatic") and rng.random() < 0.7:
            reach = float(rng.uniform(0.2, 3.0))
            joints[k] = replace(joint, limits=ub.Limits(position=(-reach, reach)))
        joints[k] = replace(joints[k], initial=0.0)
    single = [j.name for j in joints if j.kind in ("revolute", "prismatic")]
    couplings = []
    if len(single) > 2 and rng.random() < 0.5:
        ratio = float(rng.choice([-1.0, 0.5, 2.0, 30.0]))
        couplings.append(ub.Coupling(joint=single[0], leader=single[-1], ratio=ratio, offset=0.1))
        # a leader that turns all round is cyclic, and its follower would jump
        limits = ub.Limits(position=(-2.0, 2.0))
        joints = [replace(j, limits=limits) if j.name == single[-1] else j for j in joints]
    links = tuple(replace(link, collisions=(_shape(rng),)) for link in robot.links)
    return replace(robot, links=links, joints=tuple(joints), couplings=tuple(couplings))


def _motion(mechanism: ub.Mechanism, rng: np.random.Generator) -> tuple[Floats, Floats]:
    size = float(np.exp(rng.uniform(np.log(0.02), np.log(6.0))))
    a = np.asarray(mechanism.integrate(mechanism.initial, rng.normal(size=mechanism.nv)))
    b = np.asarray(mechanism.integrate(a, size * rng.normal(size=mechanism.nv)))
    return (
        np.asarray(mechanism.apply_couplings(a), np.float64),
        np.asarray(mechanism.apply_couplings(b), np.float64),
    )


def _pose(rng: np.random.Generator, xyz: Any) -> ub.Pose:
    if rng.random() < 0.3:
        x, y, z = (float(v) for v in xyz)
        return ub.Pose((x, y, z))
    q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    if np.linalg.det(q) < 0.0:
        q[:, 0] *= -1.0
    x, y, z = (float(v) for v in xyz)
    return ub.Pose((x, y, z), matrix_quaternion(matrix3(q)))


def _shape(rng: np.random.Generator) -> ub.Shape:
    thin, long = float(rng.choice([1e-4, 1e-3, 0.02])), float(rng.uniform(0.05, 0.4))
    geometry: Any = (
        ub.Box(size=(thin, thin, long)),
        ub.Sphere(radius=thin),
        ub.Capsule(radius=thin, height=long),
        ub.Cylinder(radius=thin, height=long),
        ub.Cone(radius=thin, height=long),
        ub.Ellipsoid(radii=(thin, 2.0 * thin, 0.5 * long)),
        _mesh(rng, long),
        ub.Box(size=(0.0, thin, long)),
    )[rng.integers(8)]
    linear = None
    if rng.random() < 0.2:
        linear = tuple(map(tuple, np.diag(rng.uniform(0.5, 2.0, 3)).tolist()))
    pose = _pose(rng, rng.normal(scale=0.1, size=3))
    return ub.Shape(geometry=geometry, pose=pose, linear=linear)  # type: ignore[arg-type]


def _mesh(rng: np.random.Generator, size: float) -> ub.Mesh:
    """A few triangles, some without area."""
    points = rng.normal(scale=0.4 * size, size=(9, 3))
    points[3] = points[4]
    if rng.random() < 0.3:
        points[:, rng.integers(3)] = 0.0
    faces = [i for a, b, c in ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 4, 8)) for i in (a, b, c, -1)]
    return ub.Mesh(vertices=tuple(points.ravel().tolist()), faces=tuple(faces))


def _obstacle(name: str, xyz: Floats, rng: np.random.Generator) -> ub.Shape:
    thin = float(rng.choice([1e-5, 1e-4, 2e-3]))
    geometry: Any = (
        ub.Box(size=(thin, thin, 0.3)),
        ub.Box(size=(thin, 0.2, 0.2)),
        ub.Sphere(radius=thin),
        ub.Cylinder(radius=thin, height=0.3),
        _mesh(rng, 0.05),
    )[rng.integers(5)]
    return ub.Shape(geometry=geometry, name=name, pose=_pose(rng, xyz))
