"""Explains the boxes of shapes in an engine by values of the file: frames, sizes and scales of shapes."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np

from unibody.model.arrays import Floats
from unibody.proof.guesses import FACTORS, FITTED, Words, rotation_guesses, vector_guesses
from unibody.proof.measured import hat
from unibody.proof.process import Answer
from unibody.proof.reference import Reference
from unibody.proof.shapes import bounds_causes, box_around, boxes_stated, shapes_by_body
from unibody.proof.solids import Solid, placed
from unibody.proof.sources import Sources, Tree, link_sources

_AXES = "xyz"
_UNSCALED = "scale of the mesh lost"
# Bodies with more shapes are not searched shape by shape, and those with more points not at all.
_MOST, _POINTS = 12, 20_000


def bounds_words(
    reference: Reference, answer: Answer, owners: Sequence[str], tolerance: float
) -> dict[str, Words]:
    """Why the boxes of these owners, "body/role", differ; their numbers where nothing explains them."""
    known = bounds_causes(reference, answer, owners, tolerance)
    ours, theirs = shapes_by_body(reference, answer), boxes_stated(answer)
    own = answer.facts.get("mesh_boxes") == "own"
    links = {body: link for link, (body, _) in reference.bodies.items()}
    tree = Tree(reference.robot)
    out: dict[str, Words] = {}
    for owner in owners:
        body, _, role = owner.rpartition("/")
        if owner in known:
            words = known[owner]
            flipped = [np.abs(np.abs(x.scale) - 1.0).max() < 1e-9 for x in ours.get((body, role), ())]
            if _UNSCALED in words and all(flipped):
                words = {"mirror of the mesh lost: the scale is taken as positive": 1.0}
            out[owner] = words
            continue
        solids, stated = ours.get((body, role)), theirs.get((body, role))
        if solids is None or stated is None:
            continue
        size = max(1.0, float(np.abs(stated[1]).max()))
        if size > 1.0 and (larger := bounds_causes(reference, answer, [owner], size * tolerance)):
            out[owner] = larger[owner]
            continue
        link = links.get(body)
        sources = link_sources(reference, tree, tree.links[link]) if link in tree.links else Sources()
        found = _of_another(reference, link, solids, stated[1], own, size * tolerance) or _search(
            solids, sources, stated[1], own, size * tolerance
        )
        out[owner] = found or {_numbers(box_around(solids, own=own), stated[1]): FITTED}
    return out


#: What the report says of bodies whose shapes are those of others, which is no fault.
MERGED = "shapes of fixed links are those of the link that they are fixed to (merged)"


def merged_shapes(reference: Reference, answer: Answer, tolerance: float) -> list[str]:
    """Bodies without shapes in the engine that are fixed to bodies which have them, and these bodies.

    They are owners, "body/role", of boxes that hold the shapes of all of them.
    """
    ours, theirs = shapes_by_body(reference, answer), boxes_stated(answer)
    own = answer.facts.get("mesh_boxes") == "own"
    above, bodies = reference.above, reference.bodies
    groups: dict[tuple[str, str], list[tuple[str, list[Solid]]]] = {}
    for link in reference.robot.links:
        body, offset = bodies[link.name]
        for role in answer.facts.get("shape_roles", ()):
            if (body, role) not in ours or (body, role) in theirs:
                continue
            place, name = offset.inverse(), link.name
            while name in above and above[name].kind == "fixed" and (bodies[name][0], role) not in theirs:
                place, name = above[name].origin @ place, above[name].parent
            at = bodies[name][1] @ place
            turn, moved = np.array(at.rotation()), np.array(at.xyz)
            solids = [placed(x, turn, moved) for x in ours[body, role]]
            groups.setdefault((bodies[name][0], role), []).append((body, solids))
    out: list[str] = []
    for (body, role), parts in groups.items():
        if (body, role) not in theirs:
            continue
        solids = [*ours.get((body, role), ()), *(x for _, more in parts for x in more)]
        if float(np.abs(box_around(solids, own=own) - theirs[body, role][1]).max()) <= tolerance:
            out += [f"{each}/{role}" for each in (body, *(name for name, _ in parts))]
    return out


def _of_another(
    reference: Reference,
    link: str | None,
    solids: Sequence[Solid],
    box: Floats,
    own: bool,
    tolerance: float,
) -> dict[str, float]:
    """Another mesh in the place of the one mesh of a body, after which it has a box: its own ones first."""
    mine = solids[0]
    if len(solids) != 1 or mine.points is None:
        return {}
    by_distance = sorted(reference.solids.items(), key=lambda item: item[0][0] != link)
    for (owner, _), others in by_distance:
        for other in others:
            made = replace(mine, points=other.points)
            if (
                other.points is not None
                and other.points is not mine.points
                and float(np.abs(box_around([made], own=own) - box).max()) <= tolerance
            ):
                return {_mesh_words(mine, other, is_own=owner == link): 1.0}
    return {}


def _mesh_words(mine: Solid, other: Solid, *, is_own: bool) -> str:
    """The words for the mesh of a link that is another one."""
    same = mine.file and os.path.basename(mine.file) == os.path.basename(other.file)
    alike = "of the same file name" if same else "of another file name"
    if is_own:
        return f"wrong mesh: collision and visual mesh of the link, {alike}, exchanged"
    return f"wrong mesh: that of another link, {alike}"


def _numbers(ours: Floats, there: Floats) -> str:
    def words(box: Floats) -> str:
        return " to ".join("({})".format(", ".join(f"{x:.6g}" for x in corner)) for corner in box.tolist())

    return f"box of the shapes from {words(there)} m in the engine, not from {words(ours)}"


def _search(
    solids: Sequence[Solid], sources: Sources, box: Floats, own: bool, tolerance: float
) -> dict[str, float]:
    """The changes of all shapes of a body, or of one of them, after which they have a box."""
    out: dict[str, float] = {}

    def note(changed: Sequence[Solid], words: str, cost: float) -> None:
        if changed and float(np.abs(box_around(changed, own=own) - box).max()) <= tolerance:
            out[words] = min(out.get(words, math.inf), cost)

    if sum(len(x.points) for x in solids if x.points is not None) > _POINTS:
        return out
    made = [dict(_changes(solid, sources)) for solid in solids]
    common = set.intersection(*({*each} for each in made)) if made else set()
    for key in common:
        note([each[key] for each in made], *key)
    if out or not 1 < len(solids) <= _MOST:
        return out
    for k, each in enumerate(made):
        for (words, cost), changed in each.items():
            those = [*solids[:k], changed, *solids[k + 1 :]]
            note(those, f"{words} of one of the shapes", cost + 0.5)
            # as other bodies have it
            note(those, words, cost + 0.7)
        note([*solids[:k], *solids[k + 1 :]], "one of the shapes not read", 1.0)
    for k, solid in enumerate(solids):
        note([solid], f"only {'the first' if not k else 'one'} of the shapes read", 0.9)
    return out


def _changes(solid: Solid, sources: Sources) -> Iterator[tuple[tuple[str, float], Solid]]:
    """What a shape may become, by words and cost."""
    for guess in rotation_guesses(solid.turn, "the shape", sources.turns):
        yield (guess.words, guess.cost), replace(solid, turn=guess.value)
    for guess in vector_guesses(solid.place, "position of the shape", sources.vectors, sources.turns):
        yield (guess.words, guess.cost), replace(solid, place=guess.value)
    for name, pose in sources.poses.items():
        turn, place = np.array(pose.rotation()), np.array(pose.xyz)
        moved = replace(solid, turn=turn @ solid.turn, place=turn @ solid.place + place)
        yield (f"shape moved by {name}", 1.6), moved
        back = replace(solid, turn=turn.T @ solid.turn, place=turn.T @ (solid.place - place))
        yield (f"shape in {name}", 1.6), back
        yield (f"frame of the shape taken from {name}", 1.6), replace(solid, turn=turn, place=place)
    again = replace(solid, turn=solid.turn @ solid.turn, place=solid.turn @ solid.place + solid.place)
    yield ("frame of the shape applied twice", 1.4), again
    if solid.half.any():
        for order in permutations(range(3)):
            if order != (0, 1, 2):
                words = f"sizes of the shape in the order {', '.join(_AXES[k] for k in order)}"
                yield (words, 1.3), replace(solid, half=solid.half[list(order)])
        for k in range(3):
            twice = np.where(np.arange(3) == k, 2.0, 1.0)
            yield (f"{_AXES[k]} of the shape doubled", 1.5), replace(solid, half=solid.half * twice)
            yield (f"{_AXES[k]} of the shape halved", 1.5), replace(solid, half=solid.half / twice)
    if solid.radii.any() or solid.disk:
        for words, factor in (("radius doubled", 2.0), ("radius halved: taken as a diameter", 0.5)):
            made = replace(solid, radii=factor * solid.radii, disk=factor * solid.disk)
            yield (words, 1.2), made
        for words, factor in (("length doubled", 2.0), ("length halved", 0.5)):
            yield (words, 1.2), replace(solid, half=factor * solid.half)
        radius, half = float(solid.disk or solid.radii[2]), float(solid.half[2])
        if radius and half:
            for words, new_radius, new_half in (
                ("radius and length of the shape exchanged", 2.0 * half, 0.5 * radius),
                ("radius and half length of the shape exchanged", half, radius),
            ):
                made = replace(
                    solid,
                    half=np.array([0.0, 0.0, new_half]),
                    radii=np.where(solid.radii > 0.0, new_radius, 0.0),
                    disk=new_radius if solid.disk else 0.0,
                )
                yield (words, 1.3), made
            if solid.radii.any():
                shorter = np.array([0.0, 0.0, max(0.0, half - radius)])
                yield ("length of the capsule with its ends", 1.1), replace(solid, half=shorter)
                longer = np.array([0.0, 0.0, half + radius])
                yield ("length of the capsule without its ends", 1.1), replace(solid, half=longer)
        along = solid.turn[:, 2]
        for k in range(3):
            for sign, name in ((1.0, ""), (-1.0, "-")):
                turn = shortest(sign * np.eye(3)[k], along)
                if not (k == 2 and sign > 0.0):
                    words = f"its {name}{_AXES[k]} axis is along the segment (fromto)"
                    words = f"shape not along its z axis: {words}"
                    yield (words, 1.2), replace(solid, turn=turn)
    for words, factor in FACTORS:
        sized = replace(
            solid,
            half=factor * solid.half,
            radii=factor * solid.radii,
            disk=factor * solid.disk,
            scale=factor * solid.scale,
        )
        yield (f"sizes of the shape {words}", 1.2), sized
        yield (f"position and sizes of the shape {words}", 1.3), replace(sized, place=factor * solid.place)
    if solid.of_file:
        yield from _of_mesh(solid)


def shortest(start: Floats, end: Floats) -> Floats:
    """The shortest turn (3, 3) of one unit vector to another one."""
    axis, cosine = np.cross(start, end), float(start @ end)
    if cosine < -1.0 + 1e-12:
        side = np.eye(3)[int(np.argmin(np.abs(start)))]
        axis = np.cross(start, side)
        axis = axis / np.linalg.norm(axis)
        return np.asarray(2.0 * np.outer(axis, axis) - np.eye(3))
    cross = hat(axis)
    return np.asarray(np.eye(3) + cross + cross @ cross / (1.0 + cosine))


def _of_mesh(solid: Solid) -> Iterator[tuple[tuple[str, float], Solid]]:
    scale = solid.scale
    yield ("position of the shape scaled as the mesh", 1.2), replace(solid, place=scale * solid.place)
    for order in permutations(range(3)):
        if order != (0, 1, 2):
            words = f"scale of the mesh in the order {', '.join(_AXES[k] for k in order)}"
            yield (words, 1.4), replace(solid, scale=scale[list(order)])
    for words, value in _scales(scale).items():
        yield (words, 1.4), replace(solid, scale=np.full(3, value))
    for k in range(3):
        ones = np.where(np.arange(3) == k, 1.0, scale)
        yield (f"{_AXES[k]} of the mesh's scale lost", 1.5), replace(solid, scale=ones)


def _scales(scale: Floats) -> Mapping[str, float]:
    return {
        "mean of the mesh's scales for each": float(np.mean(scale)),
        "largest of the mesh's scales for each": float(np.max(scale)),
        "least of the mesh's scales for each": float(np.min(scale)),
        "last of the mesh's scales for each": float(scale[2]),
        "second of the mesh's scales for each": float(scale[1]),
    }
