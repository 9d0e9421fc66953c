"""Where things stand: ISO/IEC 14772-1, 6.52, and what Choreonoid makes of it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.formats.vrml97.reading import read

from unibody.formats.placement import Placement
from unibody.formats.vrml97.document import Transform
from unibody.formats.vrml97.placement import drawn, placed
from unibody.model.pose import Pose, from_axis_angle, quaternion_matrix
from unibody.text.finding import Findings

HALF_PI = math.pi / 2


def matrix(at: Placement) -> NDArray[np.float64]:
    out = np.eye(4)
    out[:3, :3], out[:3, 3] = at.matrix(), at.pose.xyz
    return out


def turn(row: Any) -> NDArray[np.float64]:
    out = np.eye(4)
    quat = from_axis_angle(row[:3], row[3])
    assert quat is not None
    out[:3, :3] = quaternion_matrix(quat)
    return out


def move(v: Any) -> NDArray[np.float64]:
    out = np.eye(4)
    out[:3, 3] = v
    return out


def expected(doc: Transform) -> NDArray[np.float64]:
    """T · C · R · SR · S · SR⁻¹ · C⁻¹, factor by factor."""
    sr = turn(doc.scale_orientation)
    s = np.diag([*doc.scale, 1.0])
    back = move([-c for c in doc.center])
    return move(doc.translation) @ move(doc.center) @ turn(doc.rotation) @ sr @ s @ sr.T @ back


number = st.floats(-3.0, 3.0)
vector = st.tuples(number, number, number)
axis = st.tuples(number, number, st.floats(0.1, 3.0), st.floats(-7.0, 7.0))
size = st.floats(0.1, 3.0) | st.floats(-3.0, -0.1)
transforms = st.builds(
    Transform,
    center=vector,
    rotation=axis,
    scale=st.just((1.0, 1.0, 1.0)) | st.tuples(size, size, size),
    scale_orientation=axis,
    translation=vector,
)


@given(transforms, transforms, transforms)
def test_transforms_compose_exactly(a: Transform, b: Transform, c: Transform) -> None:
    at = placed(placed(placed(Placement(), a), b), c)
    assert np.allclose(matrix(at), expected(a) @ expected(b) @ expected(c), atol=1e-9)


@given(transforms)
def test_a_stretch_is_symmetric(doc: Transform) -> None:
    at = placed(Placement(), doc)
    if at.linear is not None:
        assert np.allclose(np.array(at.linear), np.array(at.linear).T, atol=1e-12)


def test_a_rigid_transform_is_a_pose() -> None:
    doc = Transform(translation=(1.0, 0.0, 0.0), rotation=(0.0, 0.0, 1.0, HALF_PI), center=(0.0, 1.0, 0.0))
    at = placed(Placement(), doc)
    assert at.linear is None
    assert np.allclose(at.pose.xyz, (2.0, 1.0, 0.0))


def test_center_counts_for_shapes_only_without_scale() -> None:
    findings = Findings()
    rigid = Transform(center=(1.0, 0.0, 0.0), rotation=(0.0, 0.0, 1.0, math.pi))
    assert drawn(Placement(), rigid, findings) == placed(Placement(), rigid)
    assert findings == []
    scaled = Transform(center=(1.0, 0.0, 0.0), scale=(2.0, 2.0, 2.0))
    assert drawn(Placement(), scaled, findings).pose == Pose()
    assert placed(Placement(), scaled).pose.xyz == (-1.0, 0.0, 0.0)
    assert [(f.code, f.severity) for f in findings] == [("reference-differs", "info")]


def test_a_rotation_without_axis_turns_nothing() -> None:
    made = read("Transform { rotation 0 0 0 0 translation 1 2 3 children Shape { geometry Box { } } }")
    assert made.found.visuals[0].pose == Pose((1.0, 2.0, 3.0))
    assert made.told == ["rotation-axis-zero"]
    wrong = read("Transform { rotation 0 0 0 1 children Shape { geometry Box { } } }")
    assert wrong.found.visuals[0].pose == Pose()
    assert [f.severity for f in wrong.findings] == ["error"]


@pytest.mark.parametrize("scale", ["2 2 2", "1 2 3"])
def test_round_shapes_stand_along_y_and_are_scaled_along_the_files_axes(scale: str) -> None:
    text = f"Transform {{ scale {scale} children Shape {{ geometry Cylinder {{ radius 1 height 4 }} }} }}"
    (shape,) = read(text).found.visuals
    linear = np.array(shape.pose.rotation()) @ np.array(shape.linear)
    # the neutral axis Z ends on the file's Y, scaled by the second number
    assert np.allclose(linear @ [0.0, 0.0, 1.0], [0.0, float(scale.split()[1]), 0.0])
    assert np.allclose(linear @ [1.0, 0.0, 0.0], [float(scale.split(maxsplit=1)[0]), 0.0, 0.0])
