"""Checks the lists of numbers of geometries: complete points, and valid indices."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from unibody.model.index import out_of_range
from unibody.model.robot import Link, Robot
from unibody.model.shape import WIDTHS, Geometry, LineSet, Mesh, Shape
from unibody.model.traverse import path_of
from unibody.text.deferred import is_deferred
from unibody.text.finding import Findings


def check_lists(robot: Robot, findings: Findings) -> None:
    """Report shapes with incomplete points, or with faces or lines of points that do not exist.

    Deferred lists are skipped: their reader omits such parts and reports them.
    """
    checked: set[int] = set()
    for link in robot.solids:
        for shape in (*link.visuals, *link.collisions, *link.collisions_alt):
            if is_deferred(shape) or is_deferred(shape.geometry):
                continue
            geometry = shape.geometry
            if type(geometry) in WIDTHS and id(geometry) not in checked:
                checked.add(id(geometry))
                _check(link, geometry, shape, findings)


def _check(link: Link, geometry: Geometry, shape: Shape, findings: Findings) -> None:
    what, subject = f"link '{link.name}': shape", path_of("links", link.name)
    for name, count, width in _broken(geometry):
        message = f"{what} has {count} numbers in {name}, not a multiple of {width}"
        findings.error("list-length", message, shape.at, subject=subject)
    if not isinstance(geometry, Mesh | LineSet):
        return
    corners = np.asarray(geometry.faces if isinstance(geometry, Mesh) else geometry.lines)
    if not corners.size:
        return
    count = len(geometry.vertices) // 3
    if (worst := out_of_range(corners, count)) is not None:
        message = f"{what} refers to unknown point {worst} of {count} (counted from 0)"
        findings.error("index-out-of-range", message, shape.at, subject=subject)


def _broken(geometry: Geometry) -> Iterator[tuple[str, int, int]]:
    """Name, length and width of the lists whose length is not a multiple of the width."""
    for name, width in WIDTHS[type(geometry)].items():
        values = getattr(geometry, name)
        if len(values) % width:
            yield name, len(values), width
