"""Polygons in the model itself: their corners are points that they have."""

from __future__ import annotations

import numpy as np

from unibody.model.index import out_of_range
from unibody.model.robot import Robot
from unibody.model.shape import LineSet, Mesh, known
from unibody.text.finding import Findings


def check_faces(robot: Robot, findings: Findings) -> None:
    """An error for each shape whose faces or lines name points that are not there.

    What is read late is passed over: its reader leaves such faces out, and says so.
    """
    told: set[int] = set()
    for link in robot.links:
        for shape in (*link.visuals, *link.collisions, *link.collisions_alt):
            geometry = known(shape, "geometry")
            if not isinstance(geometry, Mesh | LineSet) or id(geometry) in told:
                continue
            told.add(id(geometry))
            corners = np.asarray(known(geometry, "faces" if isinstance(geometry, Mesh) else "lines"))
            # of what is still to be made this is None
            if corners.dtype == object or not corners.size:
                continue
            count = len(geometry.vertices) // 3
            if (worst := out_of_range(corners, count)) is not None:
                what = f"link '{link.name}': a shape names point {worst}"
                findings.error("index-out-of-range", f"{what}, but it has {count}, from 0", shape.at)
