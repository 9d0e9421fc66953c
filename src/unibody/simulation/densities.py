"""Masses of links that have none, from their shapes and a density: robots of MPK have no masses."""

from __future__ import annotations

from dataclasses import replace

from unibody.meshes.cache import MeshCache
from unibody.model.robot import Link, Robot
from unibody.model.scene import Scene
from unibody.model.shape import MeshFile
from unibody.model.traverse import path_of
from unibody.simplification.masses import filled_hull
from unibody.text.counted import counted, listed
from unibody.text.finding import Findings

# Links that are named.
_NAMED = 8


def with_masses(given: Robot | Scene, density: float, findings: Findings) -> Robot | Scene:
    """A robot, or a scene, whose links without mass are their convex hulls, filled with a density (kg/m³).

    The hull is that of the collision shapes of a link, of its visual ones if it has no others. A link
    without shapes, and a root that is held in the world, stay without mass.
    """
    cache = MeshCache()
    robots = given.robots if isinstance(given, Scene) else (given,)
    out: list[Robot] = []
    masses: list[float] = []
    unread: list[str] = []
    for robot in robots:
        links = []
        for link in robot.links:
            held = link.name == robot.root and robot.base != "free"
            lacks = link.inertial is None and not held
            inertial = filled_hull(link.collisions or link.visuals, density, cache) if lacks else None
            unread += [link.name] if lacks and not _is_read(link, cache) else []
            masses += [] if inertial is None else [inertial.mass]
            links.append(link if inertial is None else replace(link, inertial=inertial))
        out.append(replace(robot, links=tuple(links)))
    if unread:
        findings.warning(
            "simulation-mass-unknown",
            f"mass of {listed(map(repr, unread), _NAMED)} is that of the shapes that were read; mesh files "
            "are missing or broken",
            None,
            "provide the mesh files, or state mass and inertia in the model",
            subject=path_of("links", unread[0], "inertial"),
        )
    if masses:
        verb = "has" if len(masses) == 1 else "have"
        findings.info(
            "simulation-density",
            f"{counted(len(masses), 'link')} without mass {verb} that of the hull of the shapes at "
            f"{density:g} kg/m³: {sum(masses):.4g} kg in all",
            None,
            "write masses into the model for a motion that does not depend on the density",
        )
    return replace(given, robots=tuple(out)) if isinstance(given, Scene) else out[0]


def _is_read(link: Link, cache: MeshCache) -> bool:
    """Whether all mesh files of the shapes that a mass comes from were read."""
    meshes = (shape.geometry for shape in link.collisions or link.visuals)
    return all(bool(cache.surfaces(mesh)) for mesh in meshes if isinstance(mesh, MeshFile))
