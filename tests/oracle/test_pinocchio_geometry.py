"""The geometry of ``ub.to_pinocchio`` against Pinocchio's own reading of URDF files."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.shared import DEV

import unibody as ub

pin = pytest.importorskip("pinocchio", reason="needs the extra 'dynamics' (pin)")
pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")

from tests.oracle.test_urdf import quiet  # noqa: E402

ROOT = DEV
FILES = (
    "RobotLocomotion+drake/examples/quadrotor/office.urdf",
    "RobotLocomotion+drake/multibody/plant/test/atlas_with_fixed_joints.urdf",
    "gazebosim+sdformat/test/integration/fixed_joint_reduction.urdf",
    "newton-physics+newton/newton/examples/assets/cartpole.urdf",
    "newton-physics+urdf-usd-converter/tests/data/simple-primitives.urdf",
    "pypi_airo-models-0.0.12/airo_models/environment/tables/table8080.urdf",
    "pypi_pybullet-3.2.7/pybullet_data/TwoJointRobot_w_fixedJoints.urdf",
    "pypi_pybullet-3.2.7/pybullet_data/duck_vhacd.urdf",
    "pypi_pybullet-3.2.7/pybullet_data/kuka_iiwa/model.urdf",
    "pypi_pybullet-3.2.7/pybullet_data/laikago/laikago_toes_zup_lores.urdf",
    "pypi_pybullet-3.2.7/pybullet_data/pr2_gripper.urdf",
    "pypi_pybullet-3.2.7/pybullet_data/quadruped/minitaur_derpy.urdf",
    "pypi_pybullet-3.2.7/pybullet_data/quadruped/vision60.urdf",
    "pypi_pybullet-3.2.7/pybullet_data/r2d2.urdf",
    "tork-a+rtmros_nextage/nextage_description/urdf/NextageOpen.urdf",
)
TOLERANCE = 1e-9
# Of the coordinates of vertices, relative to the size: Pinocchio reads meshes in single precision.
SINGLE = 1e-5


@pytest.mark.slow
@pytest.mark.parametrize("which", ["visual", "collision"])
@pytest.mark.parametrize("name", FILES)
@pytest.mark.usefixtures("shared")
def test_geometry_is_where_pinocchio_reads_it(name: str, which: str) -> None:
    path = ROOT / name
    made = ub.to_pinocchio(ub.load(path))
    with quiet():
        model = pin.buildModelFromUrdf(str(path))
        kind = getattr(pin.GeometryType, which.upper())
        folders = [str(folder) for folder in path.parents[:4]]
        theirs = _in_links(model, pin.buildGeomFromUrdf(model, str(path), kind, package_dirs=folders))
    ours = _in_links(made.model, made.visual_model if which == "visual" else made.collision_model)
    assert ours.keys() == theirs.keys()
    assert ours
    for key, (placement, low, high) in ours.items():
        wanted, least, most = theirs[key]
        assert np.allclose(placement, wanted, rtol=0.0, atol=TOLERANCE), key
        size = float(np.max(most - least))
        assert np.allclose(low, least, rtol=0.0, atol=SINGLE * size), key
        assert np.allclose(high, most, rtol=0.0, atol=SINGLE * size), key


def _in_links(model: Any, geometry: Any) -> dict[tuple[str, str], tuple[Any, Any, Any]]:
    """Per link and name of an object its pose in the link and its own bounds."""
    out = {}
    for item in geometry.geometryObjects:
        frame = model.frames[item.parentFrame]
        placement = (frame.placement.inverse() * item.placement).homogeneous
        item.geometry.computeLocalAABB()
        box = item.geometry.aabb_local
        out[frame.name, item.name] = (placement, box.min_, box.max_)
    return out
