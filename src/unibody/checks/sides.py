"""Checks the collision shapes of each link against its visual ones: size, place and orientation."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product

import numpy as np

from unibody.checks.meshes import median_without
from unibody.checks.shapes import Drawn, LinkShapes
from unibody.model.arrays import Floats
from unibody.model.inertia import matrix3
from unibody.model.pose import Pose, matrix_quaternion
from unibody.model.shape import MeshFile
from unibody.model.traverse import path_of
from unibody.model.up_axis import upright_turn
from unibody.text.finding import Findings
from unibody.text.hint import Hint, Setting

# Collision shapes of published robots are 0.28 to 2 times as large as visual ones, those of markers 0.1.
_TIMES, _BEYOND = 4.0, 8.0
# The factors of slips, and what they come from.
_FACTORS = {
    10.0: "a decimal point",
    25.4: "inches read as millimeters",
    39.37: "inches read as meters",
    100.0: "centimeters read as meters",
    1000.0: "millimeters read as meters",
}
# A factor is named if it differs by less; those of the axes are one if they differ by less.
_NEAR, _ALIKE = 0.05, 0.3
# Boxes of simplified shapes differ by up to a tenth; a turn is seen where the sides differ by more.
_SAME, _OTHER = 0.1, 0.25
# Simplified shapes are up to 0.07 diagonals away from what they stand for, and overlap it.
_SHIFT, _GAP = 0.25, 0.25
# Shapes as small only mark a frame (m); a side of less than this part of the diagonal has no proportion.
_MARKER, _FLAT = 0.02, 0.02
# Points of a mesh that are compared, and how far they may be apart (in diagonals), and a turn (rad).
_POINTS, _APART, _LEAST_TURN = 300, 0.05, math.radians(5.0)


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """The visual or the collision shapes of a link: their box, and the mesh file if there is one only."""

    drawn: tuple[Drawn, ...]
    low: Floats
    high: Floats

    @property
    def size(self) -> Floats:
        return np.asarray(self.high - self.low)

    @property
    def center(self) -> Floats:
        return np.asarray(self.high + self.low) / 2.0

    @property
    def diagonal(self) -> float:
        return math.hypot(*self.size.tolist())

    @property
    def mesh(self) -> MeshFile | None:
        """The mesh file of all shapes of this side; None for others."""
        meshes = {d.shape.geometry for d in self.drawn if isinstance(d.shape.geometry, MeshFile)}
        is_one = len(meshes) == 1 and all(isinstance(d.shape.geometry, MeshFile) for d in self.drawn)
        return next(iter(meshes)) if is_one else None


def check_sides(shapes: list[LinkShapes], odd: set[str], findings: Findings) -> set[str]:
    """Report links whose collision shapes are elsewhere than the visual ones; the names of these links.

    ``odd`` are the links with a mesh in the wrong unit, which is reported already.
    """
    told: set[str] = set()
    everything = sorted(d.diagonal for one in shapes for d in one.drawn if d.diagonal > 0.0)
    for one in shapes:
        if one.link.name in odd or not one.complete:
            continue
        visual, collision = _side(one, "visual"), _side(one, "collision")
        if visual is None or collision is None or max(visual.diagonal, collision.diagonal) < _MARKER:
            continue
        usual = median_without(everything, sorted(d.diagonal for d in one.drawn))
        if (
            _scaled(one, visual, collision, usual, findings)
            or _turned(one, visual, collision, findings)
            or _shifted(one, visual, collision, findings)
        ):
            told.add(one.link.name)
    return told


def _side(one: LinkShapes, which: str) -> _Side | None:
    drawn = tuple(d for d in one.drawn if d.which == which and d.bounds is not None)
    corners = [d.bounds for d in drawn if d.bounds is not None]
    if not corners:
        return None
    side = _Side(drawn, np.min([low for low, _ in corners], 0), np.max([high for _, high in corners], 0))
    return side if side.diagonal > 0.0 else None


# --- size ---------------------------------------------------------------------------------


def _scaled(one: LinkShapes, visual: _Side, collision: _Side, usual: float, findings: Findings) -> bool:
    """Report collision shapes that are far larger or smaller than the visual ones."""
    times = collision.diagonal / visual.diagonal
    least = min(visual.diagonal, collision.diagonal)
    if 1.0 / _TIMES < times < _TIMES or not any(_has_mesh(side) for side in (visual, collision)):
        return False
    factor = max(times, 1.0 / times)
    named = next((x for x in _FACTORS if abs(factor / x - 1.0) < _NEAR), 0.0)
    is_alike = _is_proportional(visual, collision)
    # a part of a link may be enough for contacts; no contact needs more than the link
    is_unit = is_alike and (named or all(_has_mesh(side) for side in (visual, collision)))
    if not is_unit and not (times > _BEYOND and least > _MARKER):
        return False
    is_large = collision.diagonal > visual.diagonal
    # the side is wrong whose size differs more from that of the robot's other shapes
    wrong = collision
    if usual and abs(math.log(visual.diagonal / usual)) > abs(math.log(collision.diagonal / usual)):
        wrong = visual
    change = 1.0 / factor if (wrong is collision) == is_large else factor
    change = (1.0 / named if change < 1.0 else named) if named else change
    word = "larger" if is_large else "smaller"
    cause = f", as by {_FACTORS[named]}" if named else ""
    which = "collision" if wrong is collision else "visual"
    findings.warning(
        "collision-scale",
        f"link '{one.link.name}': its collision shapes are {factor:.4g} times {word} than its visual ones "
        f"({collision.diagonal:.3g} m and {visual.diagonal:.3g} m across){cause}",
        wrong.drawn[0].shape.at or one.link.at,
        _scale_hint(wrong, visual if wrong is collision else collision, which, change),
        subject=path_of("links", one.link.name),
    )
    return True


def _has_mesh(side: _Side) -> bool:
    return any(isinstance(d.shape.geometry, MeshFile) for d in side.drawn)


def _is_proportional(a: _Side, b: _Side) -> bool:
    """Whether the sides of two boxes have nearly the same ratio; thin ones have none."""
    ratios = [
        y / x
        for x, y in zip(a.size.tolist(), b.size.tolist(), strict=True)
        if x > _FLAT * a.diagonal and y > _FLAT * b.diagonal
    ]
    return bool(ratios) and max(ratios) < (1.0 + _ALIKE) * min(ratios)


def _scale_hint(wrong: _Side, other: _Side, which: str, factor: float) -> str:
    mesh = wrong.mesh
    if mesh is None:
        return f"multiply the sizes of its {which} shapes by {factor:.4g}"
    scale = " ".join(f"{s * factor:.6g}" for s in mesh.scale)
    text = f"scale the {which} mesh by {factor:.4g}: {scale}"
    if any(
        isinstance(d.shape.geometry, MeshFile) and _name(d.shape.geometry) == _name(mesh)
        for d in other.drawn
    ):
        return text  # the option would scale both
    return Hint(f"{text}; or use ", Setting("scale", _name(mesh), float(f"{factor:.4g}")))


def _name(mesh: MeshFile) -> str:
    return mesh.uri.replace("\\", "/").rpartition("/")[2]


# --- orientation --------------------------------------------------------------------------


def _turned(one: LinkShapes, visual: _Side, collision: _Side, findings: Findings) -> bool:
    """Report collision shapes that are the visual ones, turned."""
    turn = _turn_of_file(visual, collision)
    if turn is None:
        turn = _turn_of_box(visual, collision)
    if turn is None:
        return False
    findings.warning(
        "collision-turned",
        f"link '{one.link.name}': its collision shapes are its visual ones turned by {_turn_words(turn)}",
        collision.drawn[0].shape.at or one.link.at,
        _turn_hint(visual, collision, turn),
        subject=path_of("links", one.link.name),
    )
    return True


def _turn_of_file(visual: _Side, collision: _Side) -> Floats | None:
    """The rotation (3, 3) of the only mesh file of both sides; None without one, or if it is symmetric."""
    if len(visual.drawn) != 1 or len(collision.drawn) != 1 or visual.mesh is None:
        return None
    if collision.mesh is None or (visual.mesh.path, visual.mesh.scale) != (
        collision.mesh.path,
        collision.mesh.scale,
    ):
        return None
    first, second = visual.drawn[0].shape, collision.drawn[0].shape
    if first.linear is not None or second.linear is not None:
        return None
    turn: Floats = np.array(second.pose.rotation()) @ np.array(first.pose.rotation()).T
    if _angle(turn) < _LEAST_TURN or _same_points(visual, collision):
        return None
    return turn


def _same_points(visual: _Side, collision: _Side) -> bool:
    """Whether the points of a mesh are in the same places: a wheel may be turned."""
    a, b = (np.concatenate([s.vertices for s in x.drawn[0].surfaces]) for x in (visual, collision))
    some = a[:: 1 + len(a) // _POINTS]
    farthest = max(float(np.square(b - point).sum(1).min()) for point in some)
    return math.sqrt(farthest) < _APART * visual.diagonal


def _turn_of_box(visual: _Side, collision: _Side) -> Floats | None:
    """The right-angled rotation that takes the visual box to the other one; None if there is none.

    It is about the link's frame or about the middle of the box.
    """
    if not any(_has_mesh(side) for side in (visual, collision)):
        return None
    found = []
    for turn in _turns():
        size = np.abs(turn) @ visual.size
        if (np.abs(collision.size - size) > _SAME * np.maximum(size, _FLAT * visual.diagonal)).any():
            continue
        away = math.hypot(*(turn @ visual.center - collision.center).tolist()) / visual.diagonal
        shifted = math.hypot(*(visual.center - collision.center).tolist()) / visual.diagonal
        found.append((min(away, shifted), away, _angle(turn), turn))
    found = [each for each in found if each[0] < _SAME]
    if not found:
        return None
    is_straight = (
        np.abs(collision.size / np.maximum(visual.size, _FLAT * visual.diagonal) - 1.0) < _OTHER
    ).all()
    shift = math.hypot(*(visual.center - collision.center).tolist())
    if is_straight and shift < _SHIFT * visual.diagonal:
        return None  # as they should be
    turn = min(found, key=lambda each: (round(each[0], 2), each[2], -abs(each[3][0, 0])))[3]
    return turn if _angle(turn) > _LEAST_TURN else None


@cache
def _turns() -> tuple[Floats, ...]:
    """The 24 rotations (3, 3) of a cube."""
    made = []
    for order in permutations(range(3)):
        for signs in product((1.0, -1.0), repeat=3):
            turn = np.zeros((3, 3))
            turn[range(3), order] = signs
            if np.linalg.det(turn) > 0.0:
                made.append(turn)
    return tuple(made)


def _angle(turn: Floats) -> float:
    return math.acos(min(max((float(np.trace(turn)) - 1.0) / 2.0, -1.0), 1.0))


def _axis(turn: Floats) -> Floats:
    """The unit axis of a rotation; of a half turn, one of its two."""
    values, vectors = np.linalg.eigh(turn + turn.T)
    axis = vectors[:, int(np.argmax(values))]
    sense = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    if not np.any(np.abs(sense) > 1e-6):
        sense = axis[np.argmax(np.abs(axis))] * axis
    return np.asarray(axis if axis @ sense >= 0.0 else -axis)


def _turn_words(turn: Floats) -> str:
    """A rotation in words: "90° about x", "-90° about z"."""
    degrees, axis = math.degrees(_angle(turn)), _axis(turn)
    main = int(np.argmax(np.abs(axis)))
    if abs(axis[main]) < 0.999:
        return f"{degrees:.4g}° about ({', '.join(f'{v:.2g}' for v in axis)})"
    sign = "-" if axis[main] < 0.0 else ""
    return f"{sign}{degrees:.4g}° about {'xyz'[main]}"


def _turn_hint(visual: _Side, collision: _Side, turn: Floats) -> str:
    """What turns the wrong side back: the up axis of a mesh file, or its pose."""
    back_turn = Pose(quat=matrix_quaternion(matrix3(turn.T)))
    rpy = " ".join(f"{v:.5g}" for v in np.round(back_turn.rpy(), 5) + 0.0)
    back = f"turn the one that is wrong, in the pose of its shape: the collision shape by rpy {rpy}"
    upright = np.array(upright_turn("Y"))
    for side, other, needed in ((visual, collision, upright), (collision, visual, upright.T)):
        mesh = side.mesh
        is_shared = mesh is not None and other.mesh is not None and _name(other.mesh) == _name(mesh)
        if mesh is not None and not is_shared and np.allclose(turn, needed, atol=1e-3):
            return Hint(
                f"if '{_name(mesh)}' has Y up, use ", Setting("up_axis", _name(mesh), "Y"), f"; else {back}"
            )
    return back


# --- place --------------------------------------------------------------------------------


def _shifted(one: LinkShapes, visual: _Side, collision: _Side, findings: Findings) -> bool:
    """Report collision shapes beside the visual ones."""
    shift = collision.center - visual.center
    distance = math.hypot(*shift.tolist())
    outside = np.maximum(np.maximum(collision.low - visual.high, visual.low - collision.high), 0.0)
    gap = math.hypot(*outside.tolist())
    larger, smaller = (f(visual.diagonal, collision.diagonal) for f in (max, min))
    is_same = (
        np.abs(collision.size - visual.size) <= _SAME * np.maximum(visual.size, _FLAT * larger)
    ).all()
    if not (is_same and distance > _SHIFT * larger) and not (gap > _GAP * larger and smaller > _MARKER):
        return False
    back = " ".join(f"{v:.4g}" for v in -shift + 0.0)
    hint = f"move the collision shapes by {back} m, or the visual ones the other way"
    factor = _factor_of_place(visual.center, collision.center)
    if factor:
        large, small = ("collision", "visual") if factor > 1.0 else ("visual", "collision")
        named = max(factor, 1.0 / factor)
        hint = f"divide the offset of the {large} shapes by {named:g}, as that of the {small} ones is less"
    findings.warning(
        "collision-shifted",
        f"link '{one.link.name}': its collision shapes are {distance:.3g} m away from its visual ones "
        f"({visual.diagonal:.3g} m across)",
        collision.drawn[0].shape.at or one.link.at,
        hint,
        subject=path_of("links", one.link.name),
    )
    return True


def _factor_of_place(a: Floats, b: Floats) -> float:
    """The named factor from one place to another in the same direction; 0 if there is none."""
    p, q = (math.hypot(*x.tolist()) for x in (a, b))
    if not (p > 0.0 and q > 0.0) or float(a @ b) < 0.99 * p * q:
        return 0.0
    for named in _candidates():
        if abs(q / p / named - 1.0) < _NEAR:
            return named
    return 0.0


def _candidates() -> Iterator[float]:
    for factor in _FACTORS:
        yield from (factor, 1.0 / factor)
