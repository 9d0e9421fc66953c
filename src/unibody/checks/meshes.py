"""Checks meshes: wrong unit, mirrored, open, invisible, or with triangles of zero area."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence

import numpy as np

from unibody.checks.shapes import Drawn, LinkShapes
from unibody.meshes import Surface
from unibody.model.robot import Robot
from unibody.model.shape import MeshFile
from unibody.model.traverse import path_of
from unibody.text.finding import Findings
from unibody.text.hint import Hint, Setting
from unibody.text.source import Span

# Meshes of published robots are at most 2.5 times as large as all joint offsets together, and 12
# times as large as the other shapes of the robot; at least 1/140 and 1/6 of them.
_TIMES_REACH, _TIMES_OTHERS, _TIMES_OWN = 60.0, 60.0, 60.0
_SHARE_REACH, _SHARE_OTHERS = 1.0 / 2000.0, 1.0 / 100.0
_LARGE, _SMALL = 2.0, 0.005
# Without sizes to compare: density (kg/m³) below any material, and plausible ones with the mesh in mm.
_NO_MATTER, _MATTER = 0.01, (50.0, 9_000.0)
_SHORT_REACH = 0.02
# The factor of centimeters, and how near a ratio must be.
_CENTI, _NEAR = 100.0, 0.05


def check_meshes(robot: Robot, shapes: list[LinkShapes], findings: Findings) -> set[str]:
    """Report problems of all meshes; return the names of links with a mesh in the wrong unit."""
    odd = _units(robot, shapes, findings)
    told: set[str] = set()
    for one in shapes:
        for drawn in one.drawn:
            _mirrored(one, drawn, findings)
            _invisible(one, drawn, findings)
            mesh = drawn.shape.geometry
            if isinstance(mesh, MeshFile) and f"{mesh.path}#{mesh.fragment}" not in told:
                # Visual meshes may be open; collision meshes should enclose a volume.
                if drawn.which == "collision":
                    told.add(f"{mesh.path}#{mesh.fragment}")
                    _open(mesh, drawn, findings)
                _no_area(mesh, drawn, findings, told)
    return odd


def _units(robot: Robot, shapes: list[LinkShapes], findings: Findings) -> set[str]:
    reach = sum(math.hypot(*joint.origin.xyz) for joint in robot.joints)
    # The largest shape of each link: a link of many small shapes, such as a screw, is one of many links.
    sizes = [sorted(d.diagonal for d in one.drawn if d.surfaces)[-1:] for one in shapes]
    everything = sorted(size for own in sizes for size in own)
    odd: set[str] = set()
    told: dict[tuple[str, object], str] = {}
    for one, inside in zip(shapes, sizes, strict=True):
        usual = median_without(everything, inside)
        for drawn in one.drawn:
            mesh = drawn.shape.geometry
            if not isinstance(mesh, MeshFile) or not drawn.surfaces:
                continue
            own = max(
                (d.diagonal for d in one.drawn if d.surfaces and not _same_file(d, mesh)), default=0.0
            )
            factor, why = _factor(drawn.diagonal, reach, usual, own)
            if factor == 1.0 and not robot.joints:
                factor, why = _by_density(one, drawn)
            if factor == 1.0:
                continue
            odd.add(one.link.name)
            if told.setdefault((mesh.path, mesh.scale), one.link.name) == one.link.name:
                _report_unit(one, drawn, factor, why, findings)
    return odd


def median_without(values: Sequence[float], left_out: Sequence[float]) -> float:
    """The median of sorted ``values`` without ``left_out`` (sorted, too); 0 if none remain.

    >>> median_without([1.0, 2.0, 2.0, 7.0, 9.0], [2.0, 9.0])
    2.0
    """
    gaps: list[int] = []
    for value in left_out:
        gaps.append(max(bisect_left(values, value), gaps[-1] + 1 if gaps else 0))
    n = len(values) - len(gaps)

    def nth(index: int) -> float:
        for gap in gaps:
            if gap <= index:
                index += 1
        return values[index]

    return 0.5 * (nth((n - 1) // 2) + nth(n // 2)) if n else 0.0


def _same_file(drawn: Drawn, mesh: MeshFile) -> bool:
    other = drawn.shape.geometry
    return isinstance(other, MeshFile) and (other.path, other.scale) == (mesh.path, mesh.scale)


def _factor(size: float, reach: float, usual: float, own: float) -> tuple[float, str]:
    """The scale factor that corrects the size of a mesh (1: plausible), and the reason."""
    if size > _LARGE:
        if own and size > _TIMES_OWN * own:
            return 1.0 / _unit_factor(size / own), f"the link's other shapes are {own:.3g} m"
        if usual and size > _TIMES_OTHERS * usual:
            return 0.001, f"most links of the robot are about {usual:.3g} m"
        if reach > _SHORT_REACH and size > _TIMES_REACH * reach:
            return 0.001, f"all its joint offsets together are {reach:.3g} m"
    if 0.0 < size < _SMALL:
        if own and size < _SHARE_OTHERS * own:
            return _unit_factor(own / size), f"the link's other shapes are {own:.3g} m"
        if usual and size < _SHARE_OTHERS * usual:
            return 1000.0, f"most links of the robot are about {usual:.3g} m"
        if size < _SHARE_REACH * reach:
            return 1000.0, f"all its joint offsets together are {reach:.3g} m"
    return 1.0, ""


def _unit_factor(times: float) -> float:
    """The factor that this ratio of two shapes of a link means: 1000, or 100 where it is that."""
    return _CENTI if abs(times / _CENTI - 1.0) < _NEAR else 1000.0


def _by_density(one: LinkShapes, drawn: Drawn) -> tuple[float, str]:
    """As :func:`_factor`, from the density of a single link."""
    mass = one.link.inertial.mass if one.link.inertial else 0.0
    if drawn.diagonal > 10.0 and one.volume > 0.0 and mass > 0.0:
        density = mass / one.volume
        if density < _NO_MATTER and _MATTER[0] <= density * 1e9 <= _MATTER[1]:
            return 0.001, f"its mass is {mass:g} kg"
    return 1.0, ""


def _report_unit(one: LinkShapes, drawn: Drawn, factor: float, why: str, findings: Findings) -> None:
    mesh = drawn.shape.geometry
    assert isinstance(mesh, MeshFile)
    unit = "meters already"
    if factor < 1.0:
        unit = "centimeters" if factor == 1.0 / _CENTI else "millimeters"
    scale = " ".join(f"{s * factor:g}" for s in mesh.scale)
    name = mesh.uri.replace("\\", "/").rpartition("/")[2]
    findings.warning(
        "mesh-scale",
        f"link '{one.link.name}': the mesh '{mesh.uri}' is {drawn.diagonal:.4g} m across, but {why}; "
        f"it seems to be in {unit}",
        _at(one, drawn),
        Hint(f"scale it by {factor:g}: {scale}; or use ", Setting("scale", name, factor)),
        subject=path_of("links", one.link.name),
    )


def _mirrored(one: LinkShapes, drawn: Drawn, findings: Findings) -> None:
    mesh = drawn.shape.geometry
    determinant = float(np.prod(mesh.scale)) if isinstance(mesh, MeshFile) else 1.0
    if drawn.shape.linear is not None:
        determinant *= float(np.linalg.det(np.array(drawn.shape.linear)))
    if determinant < 0.0:
        findings.info(
            "mesh-mirrored",
            f"link '{one.link.name}': a {drawn.which} shape is mirrored by its scale; its triangles are "
            "turned round here, but not by every program",
            _at(one, drawn),
            "write a mirrored mesh file",
            subject=path_of("links", one.link.name),
        )


def _invisible(one: LinkShapes, drawn: Drawn, findings: Findings) -> None:
    """Report a visual shape of which nothing is seen; that of a collision shape may be meant so."""
    if drawn.which != "visual" or not drawn.surfaces or any(map(_is_seen, drawn.surfaces)):
        return
    shape = drawn.shape
    if any((x.geometry, x.pose) == (shape.geometry, shape.pose) for x in one.link.collisions):
        return
    mesh = shape.geometry
    what = f"the visual mesh '{mesh.uri}'" if isinstance(mesh, MeshFile) else "a visual shape"
    findings.warning(
        "visual-invisible",
        f"link '{one.link.name}': {what} must have a surface with an opacity above 0; all have 0",
        _at(one, drawn),
        "set the opacity (the last number of a color), or remove the visual",
        subject=path_of("links", one.link.name),
    )


def _is_seen(surface: Surface) -> bool:
    return surface.material is None or surface.material.transparency < 1.0


def _open(mesh: MeshFile, drawn: Drawn, findings: Findings) -> None:
    edges = sum(_open_edges(s) for s in drawn.surfaces) if len(drawn.surfaces) == 1 else _joined(drawn)
    if edges:
        findings.info(
            "mesh-open",
            f"the collision mesh '{mesh.uri}' is not closed: {edges} edges do not join two triangles",
            drawn.shape.at,
            "close it, or use its convex hull: an open mesh has no inside",
        )


def _joined(drawn: Drawn) -> int:
    from unibody.meshes.surface import joined

    return _open_edges(Surface(*joined(drawn.surfaces)))


def _open_edges(surface: Surface) -> int:
    """Count the edges that do not join exactly two triangles, with coincident vertices merged."""
    points, index = np.unique(surface.vertices, axis=0, return_inverse=True)
    faces = index.reshape(-1)[surface.faces]
    faces = faces[
        (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    ]
    edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    keys = edges[:, 0].astype(np.int64) * (len(points) + 1) + edges[:, 1]
    _, count = np.unique(keys, return_counts=True)
    return int((count != 2).sum())


def _no_area(mesh: MeshFile, drawn: Drawn, findings: Findings, told: set[str]) -> None:
    key = f"area {mesh.path}#{mesh.fragment}"
    if key in told or not drawn.surfaces:
        return
    told.add(key)
    empty = total = 0
    for s in drawn.surfaces:
        a, b, c = (s.vertices[s.faces[:, i]] for i in range(3))
        doubled = np.linalg.norm(np.cross(b - a, c - a), axis=1)
        longest = np.maximum(np.linalg.norm(b - a, axis=1), np.linalg.norm(c - a, axis=1))
        empty += int((doubled <= 1e-12 * longest**2).sum())
        total += len(s.faces)
    if empty:
        findings.info(
            "mesh-degenerate",
            f"{empty} of {total} triangles of '{mesh.uri}' have no area",
            drawn.shape.at,
            "remove them: they have no direction, and contacts with them fail",
        )


def _at(one: LinkShapes, drawn: Drawn) -> Span | None:
    return drawn.shape.at or one.link.at
