"""Planted slips in the inertias of published robots: what `unibody check` finds, names and invents.

``python -m bench.inertia`` prints the tables of docs/inertia.md. The folders of the corpus are split by a
hash of their names: rules and thresholds were chosen with the robots of one half ("chosen"), and the
figures come from the other one ("held out"), without the links that both have. ``--misses`` lists every
slip that was not named, and every finding of a robot as published.
"""

from __future__ import annotations

import argparse
import random
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import permutations
from pathlib import Path

import numpy as np
from bench._row import ROOT, Row
from numpy.typing import NDArray

from unibody.checks.masses import check_masses, static_links
from unibody.checks.meshes import check_meshes
from unibody.checks.shapes import LinkShapes, link_shapes
from unibody.files.access import Files
from unibody.formats.loader import read
from unibody.meshes import MeshCache
from unibody.model.inertia import Inertial, matrix3
from unibody.model.pose import UNIT_MATRIX, quaternion_matrix
from unibody.model.robot import Robot
from unibody.model.solid import Solid, shape_solid, shifted, united
from unibody.model.traverse import path_of
from unibody.model.validation.correction import is_body
from unibody.model.validation.inertia import check_inertias
from unibody.text.finding import Cause, Finding, Findings

CORPUS = ROOT.parent / "shared/corpus"
#: Folders whose folders are the sources that are split.
PARENTS = ("dev", "more/mjcf", "more/srdf")
SUFFIXES = (".urdf", ".body", ".wrl", ".xml")
HALVES = ("held out", "chosen")
#: Findings about mass, center of mass and inertia.
CODES = frozenset(
    "mass-density mass-negative mass-zero com-outside inertia-axes inertia-not-positive "
    "inertia-not-symmetric "
    "inertia-placeholder inertia-size inertia-solid inertia-triangle inertia-unlikely inertia-zero".split()
)
#: At most this many links of a robot.
MOST_LINKS = 3
#: A slip changes an entry by this share of √(Iᵢᵢ·Iⱼⱼ), the mass by this share, or the center of mass by
#: this share of the radius of gyration; a gross one changes it by more than the second, or leaves numbers
#: that no body has.
CHANGES, GROSS = 0.2, 1.0
#: A correction restores a number if it is this near.
RESTORES = 0.02
GROSS_ONES = "all gross ones"
ENTRIES = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
MOMENTS, PRODUCTS = (0, 3, 5), (1, 2, 4)
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Published:
    """A robot as published, with the shapes of its links that are checked."""

    path: Path
    robot: Robot
    shapes: list[LinkShapes]

    def findings(self, name: str = "", inertial: Inertial | None = None) -> list[Finding]:
        """What is found, or what is found of one link if it had another inertial."""
        robot, shapes, found = self.robot, self.shapes, Findings()
        names = None
        if name:
            link = replace(robot.link(name), inertial=inertial)
            links = tuple(link if one.name == name else one for one in robot.links)
            robot, names = replace(robot, links=links), frozenset((name,))
            shapes = [replace(s, link=link) if s.link.name == name else s for s in shapes]
        with np.errstate(all="ignore"):
            check_inertias(robot, found)
            check_masses(robot, shapes, found, names)
        return [f for f in found if f.code in CODES]


@dataclass(frozen=True, eq=False)
class Good:
    """A link with a possible inertia; ``entries`` and ``com`` in the axes in which the file gives them."""

    robot: Published
    one: LinkShapes
    inertial: Inertial
    entries: Floats
    com: Floats
    axes: Floats

    @property
    def name(self) -> str:
        return self.one.link.name


@dataclass(frozen=True, eq=False)
class Slip:
    """What is written instead; the kinds of causes and the numbers that a finding must name."""

    title: str
    kinds: frozenset[str]
    wrong: frozenset[str]
    inertial: Inertial
    gross: bool = False


@dataclass(frozen=True, eq=False)
class Outcome:
    """A planted slip and what is found."""

    good: Good
    slip: Slip
    found: tuple[Finding, ...]

    @property
    def cause(self) -> Cause | None:
        return next((f.cause for f in self.found if f.cause is not None), None)

    @property
    def named(self) -> bool:
        """Whether the cause is named, or the numbers as published are proposed."""
        cause = self.cause
        if cause is None:
            return False
        # Entries that the slip does not change visibly may be named or not.
        entries, wrong = frozenset(cause.entries), self.slip.wrong
        if cause.kind in self.slip.kinds and (entries == wrong or not wrong):
            return True
        # Whether the mass or the inertia is wrong, the numbers alone need not tell.
        if cause.kind == "density" and entries == {"inertia", "mass"} and wrong in ({"inertia"}, {"mass"}):
            return "unit" in self.slip.kinds
        return bool(cause.values) and self._restored(dict(cause.values))

    def _restored(self, values: dict[str, float]) -> bool:
        good, slip = self.good, self.slip.inertial
        entries = dict(
            zip(ENTRIES, six(good.axes.T @ np.array(slip.inertia) @ good.axes).tolist(), strict=True)
        )
        now = np.array([values.get(name, entries[name]) for name in ENTRIES])
        com = np.array([values.get(f"com_{k}", v) for k, v in zip("xyz", slip.com, strict=True)])
        near = RESTORES * float(np.linalg.norm(good.inertial.com)) + 1e-4
        return (
            abs(values.get("mass", slip.mass) / good.inertial.mass - 1.0) < RESTORES
            and float(np.max(np.abs(now - good.entries) / scale(good.entries))) < RESTORES
            and float(np.linalg.norm(com - good.inertial.com)) < near
        )


def half(folder: str) -> str:
    """The half to which a folder of the corpus belongs."""
    return HALVES[zlib.crc32(folder.encode()) % 2 == 0]


def published(which: str) -> Iterator[Published]:
    """The robots of a half that have written masses."""
    folders = [folder for parent in PARENTS for folder in sorted((CORPUS / parent).iterdir())]
    for folder in folders:
        if not folder.is_dir() or half(folder.name) != which:
            continue
        for path in sorted(p for p in folder.rglob("*") if p.suffix in SUFFIXES):
            files = Files()
            robot = read(path, files=files).robot
            if robot is None or not any(map(is_written, (link.inertial for link in robot.links))):
                continue
            with np.errstate(all="ignore"):
                shapes = link_shapes(robot, MeshCache(files, Findings()))
                odd = check_meshes(robot, shapes, Findings())
            yield Published(path, robot, [one for one in shapes if one.link.name not in odd])


def is_written(inertial: Inertial | None) -> bool:
    """Whether the file gives the mass; inertias that the reader derives from shapes are always right."""
    return inertial is not None and (inertial.mass_at is not None or inertial.inertia_at is not None)


def good_links(one: Published, found: set[str], known: set[object]) -> Iterator[Good]:
    """The moving links with a possible inertia without a finding, each once; adds them to ``known``."""
    still = static_links(one.robot)
    for shapes in one.shapes:
        inertial, name = shapes.link.inertial, shapes.link.name
        if inertial is None or not is_written(inertial) or name in still or name in found:
            continue
        if inertial.axes is None or not inertial.mass > 1e-4 or inertial.inertia == UNIT_MATRIX:
            continue
        if (inertial.mass, inertial.inertia) in known or not is_body(inertial.inertia):
            continue
        if not _is_possible(shapes, inertial) or _is_placeholder(inertial):
            continue
        known.add((inertial.mass, inertial.inertia))
        axes = np.array(quaternion_matrix(inertial.axes))
        entries = six(axes.T @ np.array(inertial.inertia) @ axes)
        yield Good(one, shapes, inertial, entries, np.array(inertial.com), axes)


def _is_placeholder(inertial: Inertial) -> bool:
    """Whether an inertia is one number of one digit about all axes."""
    (a, *b), (c, d, e), (*f, g) = inertial.inertia
    return (
        a == d == g and not any((*b, c, e, *f)) and f"{a:.0e}" == f"{a:.12e}".replace(".000000000000", "")
    )


def _is_possible(shapes: LinkShapes, inertial: Inertial) -> bool:
    """Whether a body of foam to metal in the box around the shapes can have the inertia."""
    if shapes.bounds is None or not shapes.complete or not shapes.volume > 0.0:
        return True
    low, high = shapes.bounds
    m = np.array(inertial.inertia)
    spread = np.sqrt(np.maximum(np.diag(0.5 * np.trace(m) * np.eye(3) - m), 0.0) / inertial.mass)
    size = high - low
    return bool(
        20.0 <= inertial.mass / shapes.volume <= 20_000.0
        and (spread <= 0.5 * size + 1e-3).all()
        and np.linalg.norm(spread) >= 0.05 * np.linalg.norm(size)
    )


def six(matrices: Floats) -> Floats:
    """The upper triangle (..., 6) of matrices (..., 3, 3)."""
    return np.asarray(matrices[..., (0, 0, 0, 1, 1, 2), (0, 1, 2, 1, 2, 2)])


def matrix(entries: Floats) -> Floats:
    """The symmetric matrix (3, 3) of six entries."""
    return np.asarray(entries[np.array([[0, 1, 2], [1, 3, 4], [2, 4, 5]])])


def scale(entries: Floats) -> Floats:
    """√(Iᵢᵢ·Iⱼⱼ) of each entry."""
    m = np.sqrt(np.abs(entries[list(MOMENTS)]))
    return six(np.outer(m, m))


def slips(good: Good, chance: random.Random) -> Iterator[Slip]:
    """The slips that change something."""
    for slip in _slips(good, chance):
        entries = six(good.axes.T @ np.array(slip.inertial.inertia) @ good.axes)
        gyration = np.sqrt(0.5 * good.entries[list(MOMENTS)].sum() / good.inertial.mass)
        changes = (
            float(np.max(np.abs(entries - good.entries) / scale(good.entries))),
            abs(slip.inertial.mass / good.inertial.mass - 1.0),
            float(np.linalg.norm(np.array(slip.inertial.com) - good.com)) / gyration,
        )
        if max(changes) > CHANGES:
            gross = max(changes) > GROSS or not is_body(slip.inertial.inertia)
            yield replace(slip, gross=gross)


def _slips(good: Good, chance: random.Random) -> Iterator[Slip]:
    given, inertial, axes, com = good.entries, good.inertial, good.axes, good.com
    mass = inertial.mass

    def slip(
        title: str,
        kinds: str,
        wrong: str,
        entries: Floats = given,
        mass: float = mass,
        com: Floats = com,
        turn: Floats = axes,
    ) -> Slip:
        rounded = np.array([float(f"{v:.6g}") for v in entries.tolist()])
        whole = (
            matrix3(turn @ matrix(rounded) @ turn.T)
            if (turn != np.eye(3)).any()
            else matrix3(matrix(rounded))
        )
        center = [float(f"{v:.6g}") for v in com.tolist()]
        changed = replace(inertial, mass=float(f"{mass:.6g}"), com=tuple(center), inertia=whole)  # type: ignore[arg-type]
        return Slip(title, frozenset(kinds.split()), frozenset(wrong.split()), changed)

    def with_entry(i: int, value: float) -> Floats:
        new = given.copy()
        new[i] = value
        return new

    def moved(new: Floats) -> str:
        return " ".join(
            n for n, a, b, s in zip(ENTRIES, given, new, scale(given), strict=True) if abs(a - b) > 0.02 * s
        )

    # Units.
    for unit, factor in (
        ("g·m²", 1e3), ("kg·cm²", 1e4), ("kg·mm²", 1e6), ("g·cm²", 1e7), ("g·mm²", 1e9), ("lb·in²", 3417.2),
    ):  # fmt: skip
        yield slip(f"inertia in {unit}", "unit", "inertia", given * factor)
    yield slip("mass in grams", "unit", "mass", mass=mass * 1e3)
    yield slip("mass ten times as large", "unit density", "mass", mass=mass * 10.0)
    yield slip("mass doubled", "density unit", "", mass=mass * 2.0)
    yield slip("diameter for radius (inertia × 4)", "density unit", "", given * 4.0)
    yield slip("lengths in mm", "unit", "com inertia", given * 1e6, com=com * 1e3)
    yield slip("lengths in inches", "unit", "com inertia", given * 1550.0, com=com * 39.37)
    yield slip("center of mass in mm", "unit", "com", com=com * 1e3)
    # Entries.
    i, power = chance.choice(MOMENTS), chance.choice((0.001, 0.01, 0.1, 10.0, 100.0, 1000.0))
    yield slip("decimal point of a moment", "factor", ENTRIES[i], with_entry(i, given[i] * power))
    i = chance.choice(MOMENTS)
    yield slip("sign of a moment", "sign", ENTRIES[i], with_entry(i, -given[i]))
    i, k = chance.sample(MOMENTS, 2)
    new = given.copy()
    new[[i, k]] = given[[k, i]]
    yield slip("two moments exchanged", "order frame", moved(new), new)
    for title, names in (
        ("moments first, then products", "ixx iyy izz ixy ixz iyz"),
        ("rows of the lower triangle", "ixx ixy iyy ixz iyz izz"),
        ("axes in another order", "iyy iyz ixy izz ixz ixx"),
    ):
        new = given[[ENTRIES.index(n) for n in names.split()]]
        yield slip(title, "order frame", moved(new), new)
    large = [k for k in PRODUCTS if abs(given[k]) > 0.5 * CHANGES * scale(given)[k]]
    if large:
        i = max(large, key=lambda k: abs(given[k]) / scale(given)[k])
        yield slip("sign of a product", "sign", ENTRIES[i], with_entry(i, -given[i]))
        new = given.copy()
        new[list(PRODUCTS)] *= -1.0
        yield slip("sign of all products", "sign", moved(new), new)
    # Frames and points.
    shift = mass * six(axes.T @ shifted(com) @ axes)
    yield slip("about the joint origin", "point", "inertia", given + shift)
    yield slip("moved to the center of mass twice", "point", "inertia", given - shift)
    yield slip("center of mass zero", "point zero", "com", com=np.zeros(3))
    turn = _turn(good, chance)
    yield slip("frame not rotated", "frame order sign", "", turn=turn)
    joint = next((j for j in good.robot.robot.joints if j.child == good.name), None)
    if joint is not None:
        there = np.array(joint.origin.apply(inertial.com))
        yield slip("center of mass in the parent's frame", "frame", "com", com=there)
    mirrored = _mirror(good)
    if mirrored is not None:
        flip = np.ones(3)
        flip[mirrored] = -1.0
        whole = axes.T @ np.diag(flip) @ axes
        new = six(whole @ matrix(given) @ whole.T)
        yield slip("mirrored copy, not mirrored", "mirror", "", new, com=com * flip)
        yield slip("mirrored copy, center of mass not mirrored", "mirror sign", "com", com=com * flip)
    # Numbers that are not those of the link.
    solid = _solid(good)
    if solid is not None:
        water = 1e3 * solid.volume
        yield slip("density of water", "density", "", given * water / mass, mass=water)
        yield slip("mass alone with the density of water", "density", "", mass=water)
    other = _neighbour(good)
    if other is not None:
        turned = (
            matrix3(axes @ matrix(other) @ axes.T) if (axes != np.eye(3)).any() else matrix3(matrix(other))
        )
        copied = replace(inertial, inertia=turned)
        yield Slip("inertia of a neighbour", frozenset(("copy",)), frozenset(("inertia",)), copied)
    ones = np.array([1.0, 0.0, 0.0, 1.0, 0.0, 1.0])
    yield slip("unit inertia", "placeholder", "inertia", ones, turn=np.eye(3))
    yield slip("all moments 0.01 or 0.001", "placeholder", "inertia", chance.choice((0.01, 0.001)) * ones)
    parts = _unmoved(good)
    if parts is not None:
        yield slip("parts summed without parallel axes", "parts", "inertia", parts)


def _turn(good: Good, chance: random.Random) -> Floats:
    """The axes in which the inertia is left: those of the link, or of its parent, or a quarter turn."""
    if (np.abs(good.axes - np.eye(3)) > 0.01).any():
        return np.eye(3)
    joint = next((j for j in good.robot.robot.joints if j.child == good.name), None)
    if joint is not None and abs(joint.origin.quat[0]) < 0.999:
        return np.array(joint.origin.rotation()) @ good.axes
    order = chance.choice([p for p in permutations(range(3)) if p != (0, 1, 2)])
    return np.eye(3)[list(order)] @ good.axes


def _mirror(good: Good) -> int | None:
    """The axis along which another link of the robot is the mirror image."""
    mass, com, m = good.inertial.mass, good.com, np.array(good.inertial.inertia)
    for other in good.robot.robot.links:
        o = other.inertial
        if o is None or other.name == good.name or abs(o.mass / mass - 1.0) > 1e-3:
            continue
        for k in range(3):
            flip = np.ones(3)
            flip[k] = -1.0
            mirrored = flip[:, None] * m * flip
            near = 1e-3 * np.abs(m).max()
            if (
                np.abs(np.array(o.inertia) - mirrored).max() < near
                and np.linalg.norm(np.array(o.com) - flip * com) < 1e-3 * np.linalg.norm(com)
                and (abs(com[k]) > 1e-6 or np.abs(m - mirrored).max() > near)
            ):
                return k
    return None


def _solid(good: Good) -> Solid | None:
    """The primitives of the link as solids."""
    link = good.one.link
    for shapes in (link.collisions, link.visuals):
        solids = [shape_solid(shape) for shape in shapes]
        known = [s for s in solids if s is not None]
        if known and len(known) == len(solids):
            return united(known)
    return None


def _neighbour(good: Good) -> Floats | None:
    """The inertia of the parent or of a child that differs visibly."""
    robot = good.robot.robot
    names = [j.parent for j in robot.joints if j.child == good.name]
    names += [j.child for j in robot.joints if j.parent == good.name]
    for name in names:
        other = robot.link(name).inertial if name in {link.name for link in robot.links} else None
        if other is not None and is_written(other) and is_body(other.inertia):
            axes = np.eye(3) if other.axes is None else np.array(quaternion_matrix(other.axes))
            entries = six(axes.T @ np.array(other.inertia) @ axes)
            if np.max(np.abs(entries - good.entries) / scale(good.entries)) > CHANGES:
                return entries
    return None


def _unmoved(good: Good) -> Floats | None:
    """The inertia without the mass × distance² of the parts of a link of several primitives."""
    link = good.one.link
    for shapes in (link.collisions, link.visuals):
        solids = [s for s in map(shape_solid, shapes) if s is not None]
        if len(solids) > 1 and len(solids) == len(shapes):
            whole = united(solids).inertia(good.inertial.mass)
            alone = sum(
                s.inertia(good.inertial.mass * s.volume / sum(x.volume for x in solids)) for s in solids
            )
            new = good.entries - six(good.axes.T @ (whole - alone) @ good.axes)
            if is_body(matrix3(matrix(new))):
                return new
    return None


@dataclass
class Half:
    """What was measured with the robots of a half."""

    outcomes: list[Outcome]
    robots: int
    links: int
    published: list[tuple[Path, Finding]]


def measure(which: str, known: set[object], most: int = MOST_LINKS) -> Half:
    """Plant slips in a half of the robots; links in ``known`` are left out, and those of the half added."""
    chance = random.Random(32)
    out = Half([], 0, 0, [])
    seen: set[object] = set()
    for one in published(which):
        fresh = {
            path_of("links", link.name)
            for link in one.robot.links
            if is_written(link.inertial)
            and (key := (link.inertial.mass, link.inertial.inertia)) not in known  # type: ignore[union-attr]
            and not (key in seen or seen.add(key))  # type: ignore[func-returns-value]
        }
        found = one.findings()
        out.robots += bool(fresh)
        out.links += len(fresh)
        subjects = {"/".join(f.subject.split("/")[:2]) for f in found}
        out.published += [(one.path, f) for f in found if "/".join(f.subject.split("/")[:2]) in fresh]
        names = {link.name for link in one.robot.links if path_of("links", link.name) in subjects}
        links = list(good_links(one, names, known))
        for good in chance.sample(links, min(most, len(links))):
            for slip in slips(good, chance):
                subject = path_of("links", good.name)
                those = one.findings(good.name, slip.inertial)
                those = [f for f in those if f"{f.subject}/".startswith(f"{subject}/")]
                out.outcomes.append(Outcome(good, slip, tuple(those)))
    return out


def table(halves: dict[str, Half]) -> list[str]:
    """The rows of the table of docs/inertia.md: of each slip how many were planted, found, and named."""
    titles = list(dict.fromkeys(o.slip.title for half in halves.values() for o in half.outcomes))
    lines = [
        "| slip | " + " | ".join(f"{which}: planted | found | named" for which in halves) + " |",
        "| --- |" + " --: |" * 3 * len(halves),
    ]
    for title in [*titles, GROSS_ONES, "all"]:
        cells: list[str] = []
        for each in halves.values():
            some = [
                o
                for o in each.outcomes
                if title in ("all", o.slip.title) or (o.slip.gross and title == GROSS_ONES)
            ]
            count = max(len(some), 1)
            shares = (sum(bool(o.found) for o in some), sum(o.named for o in some))
            cells += [str(len(some)), *(f"{100.0 * n / count:.0f} %" for n in shares)]
        lines.append(f"| {title} | {' | '.join(cells)} |")
    return lines


def halves() -> dict[str, Half]:
    """Both halves; links that both have count to the one with which the rules were chosen."""
    known: set[object] = set()
    chosen = measure(HALVES[1], known)
    return {HALVES[1]: chosen, HALVES[0]: measure(HALVES[0], known)}


def invented(each: Half) -> int:
    """How many links of robots as published have a cause."""
    return len({(path, "/".join(f.subject.split("/")[:2])) for path, f in each.published if f.cause})


def run() -> list[Row]:
    start = time.process_time()
    each = halves()[HALVES[0]]
    taken = 1e3 * (time.process_time() - start) / max(len(each.outcomes), 1)
    n = max(len(each.outcomes), 1)
    return [
        Row(f"found, {n} slips", 100.0 * sum(bool(o.found) for o in each.outcomes) / n, {}, ">= 95 %", "%"),
        Row("cause named", 100.0 * sum(o.named for o in each.outcomes) / n, {}, ">= 90 %", "%"),
        Row("causes in published links", 100.0 * invented(each) / max(each.links, 1), {}, "", "%"),
        Row("checking a slip", taken, {}, "", "ms"),
    ]


def main() -> None:
    """Print the table; what was not named, and what is found in robots as published, if asked for."""
    parser = argparse.ArgumentParser(prog="bench.inertia")
    parser.add_argument("--misses", action="store_true", help="list what was not named")
    arguments = parser.parse_args()
    both = halves()
    print("\n".join(table(both)))
    for which, each in both.items():
        planted = len({id(o.good.robot) for o in each.outcomes})
        warned = sum(any(f.severity != "info" for f in o.found) for o in each.outcomes)
        print(
            f"{which}: {len(each.outcomes)} slips in {planted} of {each.robots} robots, {warned} with a "
            f"warning; {invented(each)} of {each.links} links as published have a cause"
        )
        if arguments.misses:
            for path, f in each.published:
                print(f"{path.relative_to(CORPUS)}: {f}")
            for o in each.outcomes:
                if not o.named:
                    said = [(f.code, f.cause and (f.cause.kind, f.cause.entries)) for f in o.found]
                    print(f"{o.good.robot.path.relative_to(CORPUS)} {o.good.name}: {o.slip.title}: {said}")


if __name__ == "__main__":
    main()
