"""Ranks the slips that may have made the inertial of a link unlikely, where no solid shows the cause."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations, product

import numpy as np
from numpy.typing import NDArray

from unibody.checks.likelihood import Bodies, agreement, log_likelihood
from unibody.checks.shapes import LinkShapes
from unibody.checks.yardsticks import Surroundings, Twins, Yardstick, entries_of, file_axes, file_entries
from unibody.model.arrays import Floats
from unibody.model.inertia import Inertial
from unibody.model.pose import UNIT_MATRIX, Pose
from unibody.model.robot import Link
from unibody.model.shape import Shape
from unibody.model.solid import inertia_of, shifted
from unibody.model.traverse import path_of
from unibody.model.validation.cause import AGREES, ENTRIES, ORDERS, Explained, Kind
from unibody.model.validation.references import Reference
from unibody.text.finding import Cause

# What a slip must explain, as ln of odds, to be reported: with shapes, and with joints and other links
# only; and to be named where something else is reported.
_ENOUGH, _ENOUGH_LOOSE, _SOME = 1.0, 2.0, 0.5
_MOMENTS, _PRODUCTS = (0, 3, 5), (1, 2, 4)
_MATRIX = np.array([[0, 1, 2], [1, 3, 4], [2, 4, 5]])
# Axes turned by quarters, but for the sign of the last one, which changes no inertia.
_TURNS = np.array(
    [
        np.eye(3)[list(order)] * np.array([*signs, 1.0])
        for order in permutations(range(3))
        for signs in product((1.0, -1.0), repeat=2)
    ]
)
# Entries that differ less, in shares of √(Iᵢᵢ·Iⱼⱼ), do not count as changed.
_SAME = 1e-6
# Slips that change less, in the same shares and in radii of gyration, cannot be seen.
_VISIBLE = 0.05
# Numbers with fewer digits are not those of another link.
_DIGITS = 3

# Costs of numbers that hardly any body has by chance: round ones about all axes, and those of another link.
_PLACEHOLDER, _COPY = -2.5, -2.0
# Odds that differ less leave open whether mass or inertia is wrong.
_MARGIN = 1.5
# Other links with mass that tell the size of one without shapes.
_OTHERS = 3
# Links that differ less in mass or size may have the same inertia.
_ALIKE = 0.05

# What slips cost before they explain anything: rare ones must explain more.
_INERTIA_UNITS = {
    1e3: 1.0,
    1e4: 1.0,
    1e6: 0.0,
    1e7: 1.0,
    1e9: 0.0,
    3417.17: 0.5,
    23.73: 2.0,
    1550.0: 0.5,
    4.0: 3.0,
}
_MASS_UNITS = {1e3: 0.0, 2.20462: 3.0, 2.0: 3.0, 10.0: 1.5, 0.1: 1.5, 100.0: 1.5, 0.01: 1.5, 1e-3: 2.0}
_LENGTH_UNITS = {1e3: 0.0, 100.0: 1.0, 39.3701: 0.5}
_DECIMAL_POINTS = {10.0: 1.0, 0.1: 1.0, 100.0: 1.0, 0.01: 1.0, 1e3: 1.0, 1e-3: 1.0}


@dataclass(frozen=True, slots=True, eq=False)
class _Slip:
    """A slip that may have happened: the body that was meant; entries are in the axes of the file.

    ``fitted``: its numbers come from the yardstick, so that they say nothing for it.
    """

    kind: Kind
    entries: tuple[str, ...]
    mass: float
    com: Floats
    inertia: Floats
    cost: float
    factor: float = 1.0
    reference: str = ""
    fitted: bool = False


class _Written:
    """The inertial of a link as the file gives it.

    ``room`` is the largest cost of a slip that can still be reported.
    """

    def __init__(self, link: Link, inertial: Inertial, around: Surroundings, room: float) -> None:
        self.link, self.inertial, self.around, self.room = link, inertial, around, room
        self.mass, self.com = inertial.mass, np.array(inertial.com)
        self.axes, self.inertia = file_axes(inertial), np.array(inertial.inertia)
        self.entries = file_entries(inertial)
        moments = np.sqrt(np.abs(self.entries[list(_MOMENTS)]))
        self.scale = np.maximum(entries_of(np.outer(moments, moments)), 1e-300)

    def with_entries(
        self, kind: Kind, entries: Floats, cost: float, factor: float = 1.0, named: tuple[str, ...] = ()
    ) -> _Slip | None:
        """A slip of some entries; None if it changes nothing or costs too much."""
        if self._is_too_dear(kind, cost):
            return None
        changed = np.abs(entries - self.entries) > _SAME * self.scale
        if not changed.any():
            return None
        names = named or tuple(name for name, c in zip(ENTRIES, changed.tolist(), strict=True) if c)
        inertia = self.axes @ entries[_MATRIX] @ self.axes.T
        return _Slip(kind, names, self.mass, self.com, inertia, cost, factor)

    def is_changed(self, slips: Bodies) -> NDArray[np.bool_]:
        """Which slips change numbers visibly (n,)."""
        gyration = np.sqrt(np.abs(np.trace(self.inertia)) / self.mass)
        return np.asarray(
            (slips.masses != self.mass)
            | (np.linalg.norm(slips.centers - self.com, axis=1) > _VISIBLE * gyration)
            | (np.abs(entries_of(slips.inertias - self.inertia)).max(axis=1) > _VISIBLE * self.scale.max())
        )

    def _is_too_dear(self, kind: Kind, cost: float) -> bool:
        """Whether a slip costs more than the best it could explain; other units may decide a tie."""
        return cost > self.room + (_MARGIN if kind == "unit" else 0.0)

    def with_(
        self,
        kind: Kind,
        entries: str,
        cost: float,
        factor: float = 1.0,
        *,
        mass: float | None = None,
        com: Floats | None = None,
        inertia: Floats | None = None,
        reference: str = "",
        fitted: bool = False,
    ) -> _Slip | None:
        """A slip of mass, center of mass or the whole inertia; None if it costs too much."""
        if self._is_too_dear(kind, cost):
            return None
        return _Slip(
            kind,
            tuple(entries.split()),
            self.mass if mass is None else mass,
            self.com if com is None else com,
            self.inertia if inertia is None else inertia,
            cost,
            factor,
            reference,
            fitted,
        )


def likely_cause(
    one: LinkShapes, inertial: Inertial, references: Sequence[Reference], around: Surroundings, found: bool
) -> Explained | None:
    """The slip that explains an unlikely inertial best; None if it is likely enough.

    ``found``: it is known that something is wrong, so that less evidence does.
    """
    yardsticks = _yardsticks(one, inertial, references, around)
    if not yardsticks:
        return None
    as_written = Bodies(np.array([inertial.mass]), np.array([inertial.com]), np.array([inertial.inertia]))
    if not any(map(any, inertial.inertia)):
        return None
    twins = around.twins(one.link.name)
    before = log_likelihood(as_written, yardsticks)[0] + agreement(as_written, twins)
    enough = _SOME if found else _ENOUGH_LOOSE if yardsticks[0].loose else _ENOUGH
    if found and inertial.inertia == UNIT_MATRIX:
        enough = -np.inf
    if not np.isfinite(before).all():
        return None
    written = _Written(one.link, inertial, around, -float(before.max()) - enough)
    slips = [slip for slip in _slips(written, one, yardsticks, twins) if slip]
    if slips:
        is_changed = written.is_changed(_bodies(slips)).tolist()
        slips = [slip for slip, changed in zip(slips, is_changed, strict=True) if changed]
    if not slips:
        return None
    bodies = _bodies(slips)
    after = log_likelihood(bodies, yardsticks) + agreement(bodies, twins)[:, None]
    gains = after.max(1) - before.max() - np.array([s.cost for s in slips])
    gains = np.where(np.isfinite(gains), gains, -np.inf)
    i = int(np.argmax(gains))
    if gains[i] < enough:
        return None
    yardstick = yardsticks[int(np.argmax(after[i]))]
    slip = slips[i]
    if slip.kind == "unit" and slip.entries in (("mass",), ("inertia",)):
        for other, gain in zip(slips, gains.tolist(), strict=True):
            if (
                other.kind == "unit"
                and {*other.entries, *slip.entries} == {"mass", "inertia"}
                and len(other.entries) == 1
                and abs(other.factor / slip.factor - 1.0) < 1e-6
                and gain > gains[i] - _MARGIN
            ):
                slip = replace(slip, kind="density", entries=("inertia", "mass"), mass=written.mass)
                slip = replace(slip, inertia=written.inertia)
    return _explained(slip, written, yardstick, float(gains[i]))


def _bodies(slips: Sequence[_Slip]) -> Bodies:
    return Bodies(
        np.array([s.mass for s in slips]),
        np.array([s.com for s in slips]),
        np.array([s.inertia for s in slips]),
    )


def _yardsticks(
    one: LinkShapes, inertial: Inertial, references: Sequence[Reference], around: Surroundings
) -> list[Yardstick]:
    if references and one.volume > 0.0 and one.complete:
        mass = one.volume * around.density(one.link.name)
        # A part of several is not the link.
        whole = tuple(f"{reference.path}/" for reference in references if reference.parts)
        return [Yardstick(r, mass) for r in references if not (whole and r.path.startswith(whole))]
    return [around.skeleton(one.link.name, inertial)] if around.others(one.link.name) >= _OTHERS else []


def _slips(
    written: _Written, one: LinkShapes, yardsticks: Sequence[Yardstick], twins: Twins
) -> Iterator[_Slip | None]:
    if written.inertial.inertia == UNIT_MATRIX:
        yield from _copies(written, yardsticks, twins)
        return
    yield from _units(written)
    yield from _single(written)
    yield from _ordered(written)
    yield from _points(written, yardsticks)
    yield from _frames(written)
    yield from _copies(written, yardsticks, twins)
    yield from _parts(written, yardsticks)


def _units(w: _Written) -> Iterator[_Slip | None]:
    """Other units of the inertia, the mass, the lengths, and of masses and lengths together."""
    for unit, cost in _INERTIA_UNITS.items():
        yield w.with_("unit", "inertia", cost, 1.0 / unit, inertia=w.inertia / unit)
    for power in (10.0, 0.1, 100.0, 0.01, 1e-3, 1e-4, 1e-6):
        yield w.with_("unit", "inertia", 1.5, 1.0 / power, inertia=w.inertia / power)
    for unit, cost in _MASS_UNITS.items():
        yield w.with_("unit", "mass", cost, unit, mass=w.mass / unit)
    yield w.with_("unit", "inertia mass", 2.5, 1e-3, mass=w.mass / 1e3, inertia=w.inertia / 1e3)
    yield w.with_("unit", "inertia mass", 2.5, 1e-3, mass=w.mass / 1e3, inertia=w.inertia / 1e9)
    if w.com.any():
        for unit, cost in _LENGTH_UNITS.items():
            com = w.com / unit
            yield w.with_(
                "unit", "com inertia", cost + 1.5, 1.0 / unit, com=com, inertia=w.inertia / unit**2
            )
            yield w.with_("unit", "com", cost + 2.5, 1.0 / unit, com=com)
        for power in (10.0, 0.1, 1e-3):
            yield w.with_("unit", "com", 4.0, 1.0 / power, com=w.com / power)


def _single(w: _Written) -> Iterator[_Slip | None]:
    """One entry: decimal point or sign; signs of several products."""
    for i in range(6):
        rare = 0.5 if i in _MOMENTS else 2.0
        for power, cost in _DECIMAL_POINTS.items():
            new = w.entries.copy()
            new[i] /= power
            yield w.with_entries("factor", new, cost + rare, 1.0 / power)
        if i in _MOMENTS and w.entries[i] < 0.0:
            new = w.entries.copy()
            new[i] *= -1.0
            yield w.with_entries("sign", new, 0.0)
    given = [i for i in _PRODUCTS if w.entries[i] != 0.0]
    for n in (1, 2, 3):
        for group in combinations(given, n):
            new = w.entries.copy()
            new[list(group)] *= -1.0
            yield w.with_entries("sign", new, 2.0 if n == 2 else 1.0)
    for k in range(3):
        if w.com[k]:
            com = w.com.copy()
            com[k] *= -1.0
            yield w.with_("sign", "com", 2.0, -1.0, com=com)


def _ordered(w: _Written) -> Iterator[_Slip | None]:
    """The same numbers in another order, and axes turned by quarters."""
    for places, cost in ORDERS:
        yield w.with_entries("order", w.entries[list(places)], cost + 0.5)
    # each sum of the product has one term that is not zero
    for entries in entries_of(_TURNS @ w.entries[_MATRIX] @ _TURNS.transpose(0, 2, 1)):
        yield w.with_entries("frame", entries, 2.5)


def _points(w: _Written, yardsticks: Sequence[Yardstick]) -> Iterator[_Slip | None]:
    """About the link origin, moved twice, or with the center of mass left at the origin."""
    if w.com.any():
        shift = w.mass * shifted(w.com)
        yield w.with_("point", "inertia", 0.5, -1.0, inertia=w.inertia - shift)
        yield w.with_("point", "inertia", 1.0, 1.0, inertia=w.inertia + shift)
    else:
        for yardstick in yardsticks:
            center, path = yardstick.reference.solid.center, yardstick.reference.path
            if not yardstick.loose and center.any():
                shift = w.mass * shifted(center)
                yield w.with_("point", "com", 1.5, 0.0, com=center, reference=path, fitted=True)
                yield w.with_(
                    "point", "com inertia", 2.5, -1.0, com=center, inertia=w.inertia - shift, fitted=True
                )


def _frames(w: _Written) -> Iterator[_Slip | None]:
    """Left in another frame: of the axes of the file, of the parent, of a child, or of a shape."""
    poses: list[tuple[Pose, float]] = []
    joint = w.around.joints.get(w.link.name)
    if joint is not None:
        poses += [(joint.origin.inverse(), 0.5), (joint.origin, 3.0)]
    for shape in _first(w.link.visuals, w.link.collisions):
        poses.append((shape.pose, 1.5))
    for pose, cost in poses:
        turn = np.array(pose.rotation())
        com = np.array(pose.apply(w.inertial.com))
        inertia = turn @ w.inertia @ turn.T
        turned, moved = (
            bool((np.abs(turn - np.eye(3)) > 1e-6).any()),
            bool((np.abs(com - w.com) > 1e-9).any()),
        )
        if moved:
            # A center of mass exactly at the origin of the other frame is there by no chance.
            exact = -2.0 if np.abs(com).max() <= 1e-6 * np.abs(w.com).max() else 0.0
            yield w.with_("frame", "com", cost + exact, com=com)
        if turned:
            yield w.with_("frame", "inertia", cost + 1.0, inertia=inertia)
            yield w.with_("frame", "com inertia", cost + 0.5, com=com, inertia=inertia)
            com = turn @ w.com
            yield w.with_("frame", "com inertia", cost + 1.0, com=com, inertia=inertia)
    if (np.abs(w.axes - np.eye(3)) > 1e-6).any():
        for turn in (w.axes.T, w.axes):
            yield w.with_("frame", "inertia", 1.5, inertia=turn @ w.inertia @ turn.T)


def _first(*kinds: Sequence[Shape]) -> Iterator[Shape]:
    for shapes in kinds:
        yield from shapes[:1]


def _copies(w: _Written, yardsticks: Sequence[Yardstick], twins: Twins) -> Iterator[_Slip | None]:
    """Numbers that are not those of the link: placeholders, copies, copies that were not mirrored."""
    meant = [(y.reference.path, y.reference.solid.inertia(w.mass)) for y in yardsticks]
    meant += [
        (path_of("links", name, "inertial", "inertia"), inertia)
        for name, inertia in zip(twins.names, twins.inertias, strict=True)
    ]
    if _is_placeholder(w.entries) and all(_away(w.mass, w.inertia, y) > AGREES for y in yardsticks):
        for path, inertia in meant:
            yield w.with_(
                "placeholder", "inertia", _PLACEHOLDER, inertia=inertia, reference=path, fitted=True
            )
    if not w.entries.any():
        return
    source = _source(w, twins)
    if source and all(_away(w.mass, w.inertia, y) > AGREES for y in yardsticks):
        for _, inertia in meant:
            there = path_of("links", source, "inertial")
            yield w.with_("copy", "inertia", _COPY, inertia=inertia, reference=there, fitted=True)
    if not w.com.any():
        return
    for other in w.around.robot.links:
        o = other.inertial
        if other.name == w.link.name or o is None or o.mass != w.mass:
            continue
        if o.com != w.inertial.com:
            continue
        there = path_of("links", other.name, "inertial")
        for k in range(3):
            flip = np.ones(3)
            flip[k] = -1.0
            inertia, com = flip[:, None] * w.inertia * flip, flip * w.com
            if o.inertia == w.inertial.inertia and (np.abs(inertia - w.inertia) > 0.0).any():
                yield w.with_("mirror", "com inertia", 0.0, com=com, inertia=inertia, reference=there)
            if w.com[k]:
                yield w.with_("mirror", "com", 0.5, com=com, reference=there)
        break


def _source(w: _Written, twins: Twins) -> str:
    """The link whose inertia this one has, although their sizes or masses differ; "" if there is none."""
    if _digits(w.entries) < _DIGITS:
        return ""
    links, entries = w.around.written
    differs = np.abs(entries - w.entries).max(axis=1) > _SAME * np.abs(w.entries).max()
    for k in np.flatnonzero(~differs).tolist():
        name, o = links[k]
        if name == w.link.name or name in twins.links:
            continue
        here, there = w.around.diagonal(w.link.name), w.around.diagonal(name)
        if here and there:
            # The one that fits its shapes worse is the copy.
            is_other = abs(here - there) > _ALIKE * max(here, there)
            if is_other and w.around.misfit(w.link.name, w.inertial) >= w.around.misfit(name, o):
                return name
        elif abs(o.mass - w.mass) > _ALIKE * w.mass:
            return name
    return ""


def _is_placeholder(entries: Floats) -> bool:
    """Whether an inertia is that of no body: one number of a digit on the diagonal."""
    first = float(entries[0])
    rest = entries - np.array([first, 0.0, 0.0, first, 0.0, first])
    return first > 0.0 and float(np.abs(rest).max()) <= 1e-9 * first and _digits(entries[:1]) == 1


def _digits(values: Floats) -> int:
    """The significant digits of different numbers together."""
    digits = {f"{abs(v):.9e}".partition("e")[0].replace(".", "").rstrip("0") for v in values.tolist()}
    return sum(map(len, digits))


def _parts(w: _Written, yardsticks: Sequence[Yardstick]) -> Iterator[_Slip | None]:
    """Summed from parts without mass × distance² between them."""
    for yardstick in yardsticks:
        solid, parts = yardstick.reference.solid, yardstick.reference.parts
        if len(parts) > 1:
            alone = sum((p.second for p in parts), np.zeros((3, 3)))
            missing = inertia_of(solid.second - alone) * (w.mass / solid.volume)
            yield w.with_("parts", "inertia", 2.0, inertia=w.inertia + missing)


def _explained(slip: _Slip, w: _Written, yardstick: Yardstick, odds: float) -> Explained:
    now = entries_of(w.axes.T @ slip.inertia @ w.axes)
    changed: dict[str, float] = {}
    if slip.mass != w.mass:
        changed["mass"] = float(f"{slip.mass:.6g}")
    for name, a, b in zip("xyz", w.com.tolist(), slip.com.tolist(), strict=True):
        if a != b:
            changed[f"com_{name}"] = float(f"{b:.6g}")
    if slip.inertia is not w.inertia:
        for name, a, b, s in zip(ENTRIES, w.entries.tolist(), now.tolist(), w.scale.tolist(), strict=True):
            if abs(a - b) > _SAME * s:
                changed[name] = float(f"{b:.6g}")
    cause = Cause(
        kind=slip.kind,
        entries=slip.entries,
        values=tuple(sorted(changed.items())),
        factor=slip.factor,
        reference=slip.reference or yardstick.reference.path,
        before=_away(w.mass, w.inertia, yardstick),
        after=_away(slip.mass, slip.inertia, yardstick),
        likely=True,
    )
    given = dict(zip(ENTRIES, w.entries.tolist(), strict=True)) | {"mass": w.mass}
    given |= {f"com_{name}": v for name, v in zip("xyz", w.com.tolist(), strict=True)}
    return Explained(cause, yardstick.reference, given, changed, odds)


def _away(mass: float, inertia: Floats, yardstick: Yardstick) -> float:
    """The largest deviation of an entry from the yardstick, in shares of √(Iᵢᵢ·Iⱼⱼ)."""
    solid = yardstick.reference.solid.inertia(mass)
    moments = np.sqrt(np.diag(solid))
    return float(np.max(np.abs(inertia - solid) / np.outer(moments, moments)))
