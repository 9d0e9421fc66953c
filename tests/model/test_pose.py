from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unibody.model.equality import same_rotation
from unibody.model.pose import (
    IDENTITY,
    UNIT_QUATERNION,
    Pose,
    Quaternion,
    Vector3,
    from_axis_angle,
    from_rpy,
    matrix_quaternion,
    multiply,
    quaternion_matrix,
    rotate,
    unit,
)

RIGHT = math.pi / 2
_length = st.floats(-10.0, 10.0)
_angle = st.floats(-math.pi, math.pi) | st.sampled_from(
    [0.0, RIGHT, -RIGHT, math.pi, -math.pi, 1e-9, RIGHT - 1e-9]
)
vectors = st.tuples(_length, _length, _length)
rpys = st.tuples(_angle, _angle, _angle)
quaternions = rpys.map(lambda a: from_rpy(*a))
poses = st.builds(Pose, vectors, quaternions)


def near(a: object, b: object, tolerance: float = 1e-12) -> bool:
    return bool(np.allclose(np.array(a), np.array(b), rtol=0.0, atol=tolerance))


def rotation_about(axis: int, angle: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Rotation matrix about a coordinate axis, written out from the definition."""
    c, s = math.cos(angle), math.sin(angle)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    out = np.eye(3)
    out[i, i], out[i, j], out[j, i], out[j, j] = c, -s, s, c
    return out


@given(poses, poses, poses)
def test_composing_is_associative(a: Pose, b: Pose, c: Pose) -> None:
    left, right = (a @ b) @ c, a @ (b @ c)
    assert near(left.xyz, right.xyz, 1e-13 * 100)
    assert near(left.quat, right.quat, 1e-14)


@given(poses)
def test_a_pose_and_its_inverse_cancel(a: Pose) -> None:
    for product in (a @ a.inverse(), a.inverse() @ a):
        assert near(product.xyz, (0, 0, 0), 1e-13 * 100)
        assert same_rotation(product.quat, UNIT_QUATERNION)
    assert a @ IDENTITY == a
    assert IDENTITY @ a == a


@given(poses, poses, vectors)
def test_composing_poses_applies_one_after_the_other(a: Pose, b: Pose, point: Vector3) -> None:
    assert near((a @ b).apply(point), a.apply(b.apply(point)))
    assert near(a.inverse().apply(a.apply(point)), point)
    assert near(np.array(a.matrix()) @ np.array(b.matrix()), (a @ b).matrix())
    assert near(np.array(a.matrix()) @ np.array([*point, 1.0]), [*a.apply(point), 1.0])


@given(quaternions, vectors)
def test_a_quaternion_and_its_matrix_turn_alike(q: Quaternion, v: Vector3) -> None:
    m = np.array(quaternion_matrix(q))
    assert near(m @ np.array(v), rotate(q, v))
    assert near(m @ m.T, np.eye(3))
    assert np.linalg.det(m) == pytest.approx(1.0)


@given(quaternions, quaternions)
def test_products_of_quaternions_are_products_of_matrices(p: Quaternion, q: Quaternion) -> None:
    assert near(
        quaternion_matrix(multiply(p, q)), np.array(quaternion_matrix(p)) @ np.array(quaternion_matrix(q))
    )


@given(quaternions)
def test_a_matrix_gives_its_quaternion_back(q: Quaternion) -> None:
    assert same_rotation(matrix_quaternion(quaternion_matrix(q)), q)


@pytest.mark.parametrize(
    "axis", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.6, 0.0, 0.8), (0.48, 0.6, 0.64)]
)
def test_half_turns_come_back_from_their_matrix(axis: Vector3) -> None:
    q = from_axis_angle(axis, math.pi)
    assert q is not None
    assert same_rotation(matrix_quaternion(quaternion_matrix(q)), q)


@given(rpys)
def test_rpy_is_yaw_after_pitch_after_roll(angles: Vector3) -> None:
    roll, pitch, yaw = angles
    product = rotation_about(2, yaw) @ rotation_about(1, pitch) @ rotation_about(0, roll)
    assert near(quaternion_matrix(from_rpy(roll, pitch, yaw)), product)


@given(rpys)
def test_rpy_comes_back_as_the_same_rotation(angles: Vector3) -> None:
    q = from_rpy(*angles)
    back = Pose(quat=q).rpy()
    assert -RIGHT <= back[1] <= RIGHT
    assert near(quaternion_matrix(from_rpy(*back)), quaternion_matrix(q), 1e-11)


@given(_angle, _angle, st.sampled_from([RIGHT, -RIGHT]))
def test_nothing_is_lost_at_vertical_pitch(roll: float, yaw: float, pitch: float) -> None:
    q = from_rpy(roll, pitch, yaw)
    back = Pose(quat=q).rpy()
    assert back[1] == pytest.approx(pitch, abs=1e-12)
    assert near(quaternion_matrix(from_rpy(*back)), quaternion_matrix(q))


@given(st.floats(-math.pi, math.pi), st.floats(-1.5, 1.5), st.floats(-math.pi, math.pi))
def test_rpy_gives_the_angles_back_away_from_the_vertical(roll: float, pitch: float, yaw: float) -> None:
    back = Pose(quat=from_rpy(roll, pitch, yaw)).rpy()
    turns = [(a - b) / (2 * math.pi) for a, b in zip(back, (roll, pitch, yaw), strict=True)]
    assert near(turns, np.round(turns))


@pytest.mark.parametrize("quarter", range(-4, 5))
def test_right_angles_are_exact(quarter: int) -> None:
    q = from_axis_angle((0.0, 0.0, 1.0), quarter * RIGHT)
    assert q is not None
    m = quaternion_matrix(q)
    turned = {0: (1, 0), 1: (0, 1), 2: (-1, 0), 3: (0, -1)}[quarter % 4]
    assert (round(m[0][0]), round(m[1][0])) == turned
    assert near(m, np.round(m), 5e-16)


@given(vectors, _angle)
def test_axis_and_angle_come_back(axis: Vector3, angle: float) -> None:
    q = from_axis_angle(axis, angle)
    if unit(axis) is None:
        assert q is None
        return
    assert q is not None
    x, y, z, back = Pose(quat=q).axis_angle()
    assert 0.0 <= back <= math.pi + 1e-15
    assert math.hypot(x, y, z) == pytest.approx(1.0)
    again = from_axis_angle((x, y, z), back)
    assert again is not None
    assert same_rotation(again, q)


@pytest.mark.parametrize("angle", [1e-12, 1e-9, 1e-6, math.pi - 1e-9, math.pi])
def test_small_and_flat_angles_keep_their_digits(angle: float) -> None:
    q = from_axis_angle((0.6, 0.0, 0.8), angle)
    assert q is not None
    assert Pose(quat=q).axis_angle()[3] == pytest.approx(angle, rel=1e-12)


def test_no_rotation_has_the_z_axis() -> None:
    assert IDENTITY.axis_angle() == (0.0, 0.0, 1.0, 0.0)
    assert IDENTITY.rpy() == (0.0, 0.0, 0.0)
    assert unit((0.0, 0.0, 0.0)) is None
    assert unit((math.inf, 0.0, 0.0)) is None
    assert unit((0.6, 0.0, 0.8)) == (0.6, 0.0, 0.8)
