"""The geometry of ``ub.to_pinocchio`` against the shapes of the robots of all formats."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import unibody as ub
from unibody.bridges.mimics import UnsupportedCoupling
from unibody.meshes.cache import MeshCache, placed_surfaces
from unibody.meshes.surface import bounds
from unibody.model.shape import Plane, Sphere

pin = pytest.importorskip("pinocchio", reason="needs the extra 'dynamics' (pin)")
coal = pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")

from tests.oracle.test_mechanism_pinocchio import FILES  # noqa: E402

TOLERANCE = 1e-9
LARGEST = 80


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
def test_objects_are_where_the_shapes_are() -> None:
    bad: dict[str, float] = {}
    compared = 0
    for path in FILES:
        try:
            mechanism = ub.assemble(ub.load(path))
        except (ub.LoadError, ub.AssembleError):
            continue
        if 0 < mechanism.nv <= LARGEST:
            try:
                made = ub.to_pinocchio(mechanism)
            except UnsupportedCoupling:
                continue  # Pinocchio has no such joints
            found = max(_apart(made, "visual"), _apart(made, "collision"))
            compared += 1
            if not found < TOLERANCE:
                bad[str(path)] = found
    assert compared > 200
    assert bad == {}


def _apart(made: ub.PinocchioRobot, which: Any) -> float:
    """The distance in shares of the size: of poses, or of the bounds of triangles; 1 for a wrong count."""
    geometry, cache, worst = getattr(made, f"{which}_model"), MeshCache(), 0.0
    names = {item.name: k for k, item in enumerate(geometry.geometryObjects)}
    left = set(names)
    for link in made.mechanism.robot.solids:
        is_link = link.name in made.mechanism.link_names
        frame = made.model.frames[made.model.getFrameId(link.name, pin.FrameType.BODY) if is_link else 0]
        number = 0
        for shape in link.visuals if which == "visual" else link.collisions:
            is_plane = isinstance(shape.geometry, Plane)  # half of space, or a thin box below it
            wanted = None if is_plane else bounds(placed_surfaces(shape, cache))
            if wanted is None and not is_plane and not isinstance(shape.geometry, Sphere):
                continue  # a sphere without extent is a point that touches
            name = f"{link.name}_{number}"
            number += 1
            if name not in names:
                return 1.0
            left.discard(name)
            found = geometry.geometryObjects[names[name]]
            pose = frame.placement.inverse() * found.placement
            if isinstance(found.geometry, coal.BVHModelBase):
                points = found.geometry.vertices() @ pose.rotation.T + pose.translation
                assert wanted is not None
                low, high = wanted
                size = max(1.0, float(np.abs(points).max()))
                apart = max(np.abs(points.min(axis=0) - low).max(), np.abs(points.max(axis=0) - high).max())
                worst = max(worst, float(apart) / size)
            elif not is_plane:
                apart = np.abs(pose.homogeneous - np.array(shape.pose.matrix())).max()
                worst = max(worst, float(apart) / max(1.0, float(np.abs(shape.pose.xyz).max())))
    return 1.0 if left else worst
