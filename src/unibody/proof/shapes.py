"""Bounds of shapes and textures in engines, beside those of the robot, and the slips that explain them."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from unibody.model.arrays import Floats
from unibody.model.robot import Robot
from unibody.proof.guesses import Words
from unibody.proof.process import Answer
from unibody.proof.reference import Reference
from unibody.proof.solids import Solid, box_of, joined, placed

TEXTURES_LOST = "texture not found, or not read by the engine"
#: The role of sites of MJCF, which are places, in an engine that has shapes there.
SITE = "site"
#: What the shapes of a link become.
Change = Callable[[Solid], Solid | None]

_INCH = 0.0254
# How words begin for the unit of a mesh, which fit beside those for its scale, and their cost.
_UNIT, _LATER = "unit of the mesh", 1.05
# A mesh that is simplified reaches at most this share of its size less far.
_SIMPLER = 0.05


def shapes_by_body(reference: Reference, answer: Answer) -> dict[tuple[str, str], list[Solid]]:
    """The shapes of the robot by the body of the engine that has them and by role, in axes of the body.

    Bodies with a shape that cannot be read are left out.
    """
    present = answer.facts["links"]
    out: dict[tuple[str, str], list[Solid]] = {}
    unread = set()
    for link in reference.robot.links:
        found = reference.body_of(link.name, present) or reference.body_below(link.name, present)
        if found is None:
            continue
        body, pose = found
        turn, place = np.array(pose.rotation()), np.array(pose.xyz)
        for role in answer.facts.get("shape_roles", ()):
            if (link.name, role) in reference.solids:
                solids = reference.solids[link.name, role]
                out.setdefault((body, role), []).extend(placed(x, turn, place) for x in solids)
            elif link.collisions if role == "collision" else link.visuals:
                unread.add((body, role))
    return {key: solids for key, solids in out.items() if key not in unread}


def boxes_stated(answer: Answer) -> dict[tuple[str, str], tuple[Mapping[str, Any], Floats]]:
    """What the engine has by body and role: facts, and the box (2, 3)."""
    boxes = answer.arrays.get("boxes")
    shapes = answer.facts.get("shapes", ())
    if boxes is None or len(boxes) != len(shapes):
        return {}
    return {
        (each["link"], each["role"]): (each, box)
        for each, box in zip(shapes, boxes, strict=True)
        if each["link"] != "world"
    }


def bounds_deviations(reference: Reference, answer: Answer) -> dict[str, float]:
    """How far the bounding boxes of the bodies' shapes are apart, in m, by "body/role".

    Infinite where only one of the two has shapes.
    """
    if "shapes" not in answer.facts:
        return {}
    ours, theirs = shapes_by_body(reference, answer), boxes_stated(answer)
    own = answer.facts.get("mesh_boxes") == "own"
    out = {}
    for key, solids in ours.items():
        facts, box = theirs.get(key, (None, None))
        if facts is None or box is None:
            out["/".join(key)] = math.inf
        elif facts["whole"]:
            out["/".join(key)] = float(np.abs(box_around(solids, own=own) - box).max())
    bodies = {reference.bodies[link.name][0] for link in reference.robot.links}
    bare = {
        reference.bodies[link.name][0]
        for link in reference.robot.links
        if not link.collisions and not link.visuals
    }
    for body, role in theirs.keys() - ours.keys():
        is_added = body in bodies and body in bare and reference.format != "mjcf"
        if is_added or role == SITE:
            out[f"{body}/{role}"] = math.inf
    return out


def box_around(solids: Sequence[Solid], *, own: bool) -> Floats:
    """The box (2, 3) around shapes, in m, in the axes of their body; ``own`` as :func:`box_of` takes it."""
    return joined([box_of(solid, own=own) for solid in solids])


def texture_deviations(robot: Robot, facts: Mapping[str, Any]) -> dict[str, float]:
    """1 for each file of a texture of visual shapes that the engine does not find or not read; else 0."""
    if "textures" not in facts:
        return {}
    there = {os.path.basename(each["file"]) for each in facts["textures"] if each["found"]}
    return {name: float(os.path.basename(name) not in there) for name in sorted(_textures(robot)) if name}


def _textures(robot: Robot) -> set[str]:
    out = set()
    for link in robot.links:
        for shape in link.visuals:
            texture = shape.material.texture if shape.material is not None else None
            if texture is not None and texture.uri:
                out.add(texture.uri)
    return out


# --- causes --------------------------------------------------------------------------------------


def _of_meshes(change: Change) -> Change:
    return lambda solid: change(solid) if solid.of_file else solid


def _rescaled(factors: Callable[[Floats], Floats]) -> Change:
    """A mesh with another scale."""
    return _of_meshes(lambda solid: replace(solid, scale=factors(solid.scale)))


def _turned(matrix: Sequence[Sequence[float]]) -> Change:
    """A mesh whose points are turned before the scale."""
    turn = np.array(matrix)
    return _of_meshes(
        lambda solid: replace(solid, points=None if solid.points is None else solid.points @ turn.T)
    )


def _first_part(solid: Solid) -> Solid:
    return replace(solid, points=None if solid.points is None else solid.points[: solid.first])


def _mirrored(axis: int) -> Change:
    return _rescaled(lambda scale: np.where(np.arange(3) == axis, -scale, scale))


def _unmoved(solid: Solid) -> Solid:
    return replace(solid, place=np.zeros(3))


def _unturned(solid: Solid) -> Solid:
    return replace(solid, turn=np.eye(3))


def _inverted(solid: Solid) -> Solid:
    back = np.asarray(np.linalg.inv(solid.turn), np.float64)
    return replace(solid, turn=back, place=-back @ solid.place)


def _enlarged(factor: float) -> Change:
    """All lengths of a shape in another unit."""

    def change(solid: Solid) -> Solid:
        return replace(
            solid,
            place=factor * solid.place,
            half=factor * solid.half,
            radii=factor * solid.radii,
            disk=factor * solid.disk,
            scale=factor * solid.scale,
        )

    return change


def _doubled(solid: Solid) -> Solid:
    """Half sizes taken as sizes."""
    return replace(solid, half=2.0 * solid.half)


def _halved(solid: Solid) -> Solid:
    return replace(solid, half=0.5 * solid.half)


_Z_OF_Y = ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0))
_Y_OF_Z = ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0))
_Z_OF_X = ((0.0, 0.0, -1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0))
_X_OF_Z = ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0))


def _across(matrix: Sequence[Sequence[float]]) -> Change:
    """Round shapes along another axis."""
    turn = np.array(matrix)

    def change(solid: Solid) -> Solid:
        is_round = solid.disk or (solid.half.any() and solid.radii.any())
        return replace(solid, turn=solid.turn @ turn) if is_round else solid

    return change


def _boxed(solid: Solid) -> Solid:
    """The box around a round shape."""
    half = solid.half + solid.radii + solid.disk * np.array([1.0, 1.0, 0.0])
    return replace(solid, half=half, radii=np.zeros(3), disk=0.0)


def _rounded(solid: Solid) -> Solid:
    """A cylinder with half a ball at each end."""
    return replace(solid, radii=np.full(3, solid.disk), disk=0.0) if solid.disk else solid


def _cut_off(solid: Solid) -> Solid:
    """A capsule without its ends."""
    is_capsule = bool(solid.half.any() and solid.radii.any())
    return replace(solid, radii=np.zeros(3), disk=float(solid.radii[0])) if is_capsule else solid


def _of_unit_size(solid: Solid) -> Solid:
    is_empty = solid.points is None and not (solid.half.any() or solid.radii.any() or solid.disk)
    return replace(solid, radii=np.ones(3)) if is_empty else solid


SLIPS: tuple[tuple[str, Change], ...] = (
    ("scale of the mesh lost", _rescaled(np.ones_like)),
    ("mirror of the mesh lost: the scale is taken as positive", _rescaled(np.abs)),
    ("scale of the mesh squared", _rescaled(lambda scale: scale * scale)),
    ("inverse scale of the mesh", _rescaled(lambda scale: 1.0 / scale)),
    ("only the first scale of the mesh is used", _rescaled(lambda scale: np.full(3, scale[0]))),
    ("unit of the mesh ignored: in mm, 1000 times too large", _rescaled(lambda scale: 1000.0 * scale)),
    ("mesh in m taken as mm: divided by 1000", _rescaled(lambda scale: 0.001 * scale)),
    ("unit of the mesh ignored: in cm, 100 times too large", _rescaled(lambda scale: 100.0 * scale)),
    ("mesh in m taken as cm: divided by 100", _rescaled(lambda scale: 0.01 * scale)),
    ("unit of the mesh ignored: in inches, 39.37 times too large", _rescaled(lambda scale: scale / _INCH)),
    ("mesh in inches: multiplied by 0.0254", _rescaled(lambda scale: scale * _INCH)),
    ("up axis of the mesh: Y is turned to Z", _turned(_Z_OF_Y)),
    ("up axis of the mesh: Z is turned to Y", _turned(_Y_OF_Z)),
    ("up axis of the mesh: X is turned to Z", _turned(_Z_OF_X)),
    ("up axis of the mesh: Z is turned to X", _turned(_X_OF_Z)),
    *((f"mesh mirrored along {'xyz'[axis]}", _mirrored(axis)) for axis in range(3)),
    ("frame of the shape ignored", lambda solid: _unmoved(_unturned(solid))),
    ("position of the shape ignored", _unmoved),
    ("rotation of the shape ignored", _unturned),
    ("rotation of the shape inverted", lambda solid: replace(solid, turn=_inverted(solid).turn)),
    ("frame of the shape inverted", _inverted),
    ("frame of the mesh ignored", _of_meshes(lambda solid: _unmoved(_unturned(solid)))),
    ("only the first object of the mesh file read", _of_meshes(_first_part)),
    ("mesh not read", _of_meshes(lambda solid: None)),
    ("half sizes taken as sizes", _halved),
    ("sizes taken as half sizes", _doubled),
    ("box around the shape instead of the shape", _boxed),
    ("capsule instead of the cylinder", _rounded),
    ("cylinder instead of the capsule", _cut_off),
    ("cylinder along y", _across(_Z_OF_Y)),
    ("cylinder along x", _across(_X_OF_Z)),
    ("lengths 1000 times too large (mm)", _enlarged(1000.0)),
    ("lengths divided by 1000 (mm)", _enlarged(0.001)),
    ("radius of 0 taken as 1 m", _of_unit_size),
)


def bounds_causes(
    reference: Reference, answer: Answer, owners: Sequence[str], tolerance: float
) -> dict[str, Words]:
    """Why the boxes of these owners differ, by owner; only those with a known slip.

    Slips that several shapes may have in common are told beside the first one.
    """
    ours, theirs = shapes_by_body(reference, answer), boxes_stated(answer)
    own = answer.facts.get("mesh_boxes") == "own"
    out: dict[str, Words] = {}
    for owner in owners:
        body, _, role = owner.rpartition("/")
        solids, stated = ours.get((body, role)), theirs.get((body, role))
        if solids is None:
            out[owner] = {"sites drawn as shapes" if role == SITE else "shape added by the engine": 1.0}
        elif stated is None:
            is_mesh = all(solid.of_file for solid in solids)
            out[owner] = {"mesh not read" if is_mesh else "shapes not read": 1.0}
        else:
            others = ours.get((body, "visual" if role == "collision" else "collision"), [])
            words = _words(solids, others, stated[1], own, tolerance)
            if words:
                out[owner] = words
    return out


def unchanged_shapes(reference: Reference, answer: Answer, tolerance: float) -> dict[str, set[str]]:
    """The links whose boxes each known slip would leave as they are, by its words."""
    links = {body: link for link, (body, _) in reference.bodies.items()}
    own = answer.facts.get("mesh_boxes") == "own"
    out: dict[str, set[str]] = {}
    for words, change in SLIPS:
        changed = set()
        for (body, _), solids in shapes_by_body(reference, answer).items():
            made = [solid for solid in map(change, solids) if solid is not None]
            before = box_around(solids, own=own)
            if not made or not float(np.abs(box_around(made, own=own) - before).max()) <= tolerance:
                changed.add(links.get(body, body))
        out[words] = {link.name for link in reference.robot.links} - changed
    return out


def _words(
    solids: Sequence[Solid], others: Sequence[Solid], box: Floats, own: bool, tolerance: float
) -> Words:
    """The slips after which the shapes of a body have a box: the first one, and then another unit."""

    def agrees(changed: Sequence[Solid]) -> bool:
        return bool(changed) and float(np.abs(box_around(changed, own=own) - box).max()) <= tolerance

    fitting: dict[str, float] = {}
    for cause, change in SLIPS:
        if fitting and not cause.startswith(_UNIT):
            continue
        changed = [made for made in map(change, solids) if made is not None]
        if agrees(changed):
            fitting[cause] = _LATER if fitting else 1.0
    if fitting:
        return fitting
    cause = _of_others(solids, others, box, own, tolerance, agrees)
    return {cause: 1.0} if cause else {}


def _of_others(
    solids: Sequence[Solid],
    others: Sequence[Solid],
    box: Floats,
    own: bool,
    tolerance: float,
    agrees: Callable[[Sequence[Solid]], bool],
) -> str:
    """The words for other shapes, or fewer of them, after which a body has a box; "" without them."""
    if agrees(others):
        return "shapes of the other role: collision and visual ones exchanged"
    if agrees([*solids, *others]):
        return "collision and visual shapes together"
    # whichever shapes it has, all that are within the box fill it
    within = [x for x in solids if _is_within(box_of(x, own=own), box, tolerance)]
    if len(within) < len(solids) and agrees(within):
        return "some of the shapes not read"
    return _of_mesh(solids, box, tolerance) if not own and any(x.of_file for x in solids) else ""


def _is_within(box: Floats, other: Floats, tolerance: float) -> bool:
    """Whether a box is inside of another one."""
    return bool((box[0] >= other[0] - tolerance).all() and (box[1] <= other[1] + tolerance).all())


def _of_mesh(solids: Sequence[Solid], box: Floats, tolerance: float) -> str:
    """What another shape than the mesh an engine has."""
    if float(np.abs(box_around(solids, own=True) - box).max()) <= tolerance:
        return "boxes of the meshes instead of the meshes"
    whole = box_around(solids, own=False)
    size = float((whole[1] - whole[0]).max())
    if _is_within(box, whole, tolerance) and float(np.abs(whole - box).max()) <= _SIMPLER * size:
        return "a convex hull with fewer points instead of the mesh"
    return ""
