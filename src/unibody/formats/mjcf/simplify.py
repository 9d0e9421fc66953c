"""What the settings of the compiler remove: visual geoms, and bodies without joints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_assets as assets
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf.asset_elements import name_of
from unibody.formats.mjcf.geoms import GeomRecord
from unibody.formats.mjcf.inertia import Body, composed, moved
from unibody.formats.mjcf.joints import JointRecord
from unibody.formats.mjcf.references import references
from unibody.formats.mjcf.tree import BodyRecord
from unibody.model.inertia import Inertial, matrix3, most_unknown
from unibody.model.pose import Pose

Names = set[tuple[str, str]]


def referred(docs: Sequence[d.Mujoco], bodies: Sequence[BodyRecord]) -> Names:
    """The kinds and names of what any element refers to; the bodies of force and torque sensors, too."""
    found: Names = set()
    for doc in docs:
        for section in doc.items:
            if not isinstance(section, d.Default | d.Asset | d.WorldBody) and section.node is not None:
                found.update((x.kind, x.name) for x in references(section.node, type(section)))
    loads = {
        item.site  # type: ignore[attr-defined]
        for doc in docs
        for section in doc.items
        if isinstance(section, d.Sensors)
        for item in section.items
        if getattr(item, "KEY", "") in ("force", "torque")
    }
    for body in bodies:
        for placed in (*body.cameras, *body.lights):
            if target := getattr(placed.doc, "target", None):
                found.add(("body", target))
        if any(getattr(placed.doc, "name", None) in loads for placed in body.sites):
            found.add(("body", body.name))
    return found


def discard_visual(
    docs: Sequence[d.Mujoco], geoms: list[list[GeomRecord]], names: Names
) -> list[list[GeomRecord]]:
    """The geoms without those that never collide and that nothing refers to.

    Meshes that no geom has any more are removed from the documents.
    """
    out = [[g for g in own if g.collides or ("geom", g.doc.name or "") in names] for own in geoms]
    meshes = {geom.doc.mesh for own in out for geom in own}
    for section in (section for doc in docs for section in doc.items if isinstance(section, d.Asset)):
        section.items = [
            item for item in section.items if not isinstance(item, assets.Mesh) or name_of(item) in meshes
        ]
    return out


def fuse_static(
    bodies: list[BodyRecord],
    joints: list[list[JointRecord]],
    geoms: list[list[GeomRecord]],
    masses: list[Inertial | None],
    names: Names,
) -> None:
    """Move what is in bodies without joints to their parents, in place, as far as MuJoCo does."""
    i = 1
    while i < len(bodies):
        body = bodies[i]
        if joints[i] or not _fuses(body, bodies[body.parent], masses[i], names):
            i += 1
            continue
        into, pose = bodies[body.parent], body.pose
        for name in ("sites", "cameras", "lights", "others"):
            getattr(into, name).extend(replace(p, frame=pose @ p.frame) for p in getattr(body, name))
        geoms[body.parent] += [_moved(g, pose) for g in geoms[i]]
        masses[body.parent] = _joined(masses[body.parent], masses[i], pose)
        parent = body.parent
        for list_ in (bodies, joints, geoms, masses):
            del list_[i]
        for other in bodies[i:]:
            if other.parent == i:
                other.parent, other.pose = parent, pose @ other.pose
            elif other.parent > i:
                other.parent -= 1


def _fuses(body: BodyRecord, parent: BodyRecord, mass: Inertial | None, names: Names) -> bool:
    doc = body.doc
    if not isinstance(doc, b.Body) or ("body", body.name) in names:
        return False
    if doc.mocap or doc.fuse == "false" or doc.sleep is not None:
        return False
    if any(isinstance(placed.doc, b.Plugin) for placed in body.others):
        return False
    above = parent.doc.gravcomp if isinstance(parent.doc, b.Body) else 0.0
    if mass is None:
        return True
    if (doc.gravcomp or 0.0) != (above or 0.0):
        return False
    options = [item for item in body.scope.doc.items if isinstance(item, d.Option)]
    return not any(o.density or o.viscosity for o in options)


def _moved(geom: GeomRecord, pose: Pose) -> GeomRecord:
    shape = geom.shape
    placed = replace(geom.placed, frame=pose @ geom.placed.frame)
    return replace(
        geom, placed=placed, shape=None if shape is None else replace(shape, pose=pose @ shape.pose)
    )


def _joined(first: Inertial | None, second: Inertial | None, pose: Pose) -> Inertial | None:
    """Two inertials as one; the second is at a pose."""
    if second is None:
        return first
    body = Body(second.mass, np.array(second.com), np.array(second.inertia))
    there = moved(body, np.array(pose.rotation()), np.array(pose.xyz), second.mass)
    parts = [there]
    if first is not None:
        parts.insert(0, Body(first.mass, np.array(first.com), np.array(first.inertia)))
    whole = composed(parts)
    unknown = most_unknown(each.unknown for each in (first, second) if each is not None)
    if whole is None:
        return replace(first or second, unknown=unknown) if unknown else first
    x, y, z = whole.center.tolist()
    return Inertial(
        mass=whole.mass,
        com=(x, y, z),
        inertia=matrix3(whole.inertia),
        unknown=unknown,
        axes=None,
        at=(first or second).at,
    )
