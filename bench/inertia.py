"""Planted slips in inertias: whether `unibody check` names the entry that is wrong, and the cause.

``python -m bench.inertia`` prints the table of docs/inertia.md, and every slip that was not named.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from bench._row import ROOT, Row
from numpy.typing import NDArray

from unibody.checks import examine
from unibody.checks.masses import link_references, static_links
from unibody.checks.shapes import link_shapes
from unibody.files.access import Files
from unibody.fixes.patch import with_contents
from unibody.formats.loader import Reading, read
from unibody.meshes import MeshCache
from unibody.model.inertia import Inertial, matrix3
from unibody.model.pose import UNIT_MATRIX, quaternion_matrix
from unibody.model.solid import shifted
from unibody.model.traverse import path_of
from unibody.model.validation.correction import is_body
from unibody.text.edit import Edit, edited
from unibody.text.finding import Finding
from unibody.text.source import Span

FOLDERS = (ROOT / "src/unibody/models", ROOT.parent / "shared/corpus/dev")
SUFFIXES = (".urdf", ".body", ".wrl")
#: A good inertia is that of one of the link's solids within the first share; a slip leaves it by more than
#: the second.
GOOD, LEAVES = 0.05, 0.2
#: At most this many links of a robot.
MOST_LINKS = 3
ENTRIES = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
ROWS = ("ixx", "ixy", "ixz", "ixy", "iyy", "iyz", "ixz", "iyz", "izz")
MOMENTS, PRODUCTS = (0, 3, 5), (1, 2, 4)
NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Good:
    """A link whose inertia is that of one of its solids; numbers as the file gives them."""

    path: Path
    name: str
    inertial: Inertial
    entries: Floats
    com: Floats
    solids: Floats


@dataclass(frozen=True, eq=False)
class Slip:
    """What is written instead; the cause and the entries that a finding must name.

    ``negligible`` are entries that it changes by less than 2 %, which may be named or not.
    """

    title: str
    causes: tuple[str, ...]
    wrong: frozenset[str]
    entries: Floats
    mass: float
    negligible: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class Outcome:
    """A planted slip and the finding that has a cause, if there is one."""

    good: Good
    slip: Slip
    found: Finding | None
    repaired: bool

    @property
    def entry(self) -> bool:
        """Whether the entries that are wrong are named, and no others."""
        cause = self.found.cause if self.found is not None else None
        named = frozenset(cause.entries if cause is not None else ()) - self.slip.negligible
        return named == self.slip.wrong - self.slip.negligible or (
            "density" in self.slip.causes and "inertia" in named
        )

    @property
    def cause(self) -> bool:
        """Whether the cause is named."""
        cause = self.found.cause if self.found is not None else None
        return cause is not None and cause.kind in self.slip.causes


def models() -> list[Path]:
    """All model files."""
    return sorted(p for folder in FOLDERS for p in folder.rglob("*") if p.suffix in SUFFIXES)


def good_links(path: Path, reading: Reading, known: set[object]) -> Iterator[Good]:
    """The links with a good inertia that no other robot has, too; adds them to ``known``."""
    assert reading.robot is not None
    with np.errstate(all="ignore"):
        still = static_links(reading.robot)
        for one in link_shapes(reading.robot, MeshCache()):
            inertial = one.link.inertial if one.link.name not in still else None
            if inertial is None or not inertial.mass > 1e-4 or inertial.inertia == UNIT_MATRIX:
                continue
            same = (inertial.mass, inertial.inertia)
            at = inertial.inertia_at
            if same in known or inertial.axes is None or at is None or at.source is not reading.source:
                continue
            entries = written(at)
            if entries is None or not is_body(inertial.inertia) or inertial.mass_at is None:
                continue
            axes = np.array(quaternion_matrix(inertial.axes))
            usual = [r.solid for r in link_references(one) if _is_matter(inertial.mass / r.solid.volume)]
            solids = np.array([solid.inertia(inertial.mass) for solid in usual])
            if len(solids):
                solids = six(axes.T @ solids @ axes)
                solids = solids[[deviation(entries, solid) <= GOOD for solid in solids]]
            if len(solids):
                known.add(same)
                com = axes.T @ np.array(inertial.com)
                yield Good(path, one.link.name, inertial, entries, com, solids)


def _is_matter(density: float) -> bool:
    """Whether a density in kg/m³ is that of foam, of metal, or between; else the mass is a slip already."""
    return 50.0 <= density <= 20_000.0


def six(matrices: Floats) -> Floats:
    """The upper triangle (..., 6) of matrices (..., 3, 3)."""
    return np.asarray(matrices[..., (0, 0, 0, 1, 1, 2), (0, 1, 2, 1, 2, 2)])


def matrix(entries: Floats) -> Floats:
    """The symmetric matrix (3, 3) of six entries."""
    return entries[[[0, 1, 2], [1, 3, 4], [2, 4, 5]]]


def deviation(entries: Floats, solid: Floats) -> float:
    """The largest deviation of an entry, in shares of the root of its two moments."""
    m = np.sqrt(solid[[0, 3, 5]])
    return float(np.max(np.abs(entries - solid) / six(np.outer(m, m))))


def written(at: Span) -> Floats | None:
    """The six entries at a place: attributes, or a list of six or nine numbers."""
    if at.text.startswith("<"):
        found = [
            re.search(rf"""\b{name}\s*=\s*["']\s*({NUMBER.pattern})\s*["']""", at.text) for name in ENTRIES
        ]
        return np.array([float(m[1]) for m in found if m]) if all(found) else None
    numbers = [float(m[0]) for m in NUMBER.finditer(at.text)]
    if len(numbers) == 9:
        numbers = [numbers[i] for i in (0, 1, 2, 4, 5, 8)]
    return np.array(numbers) if len(numbers) == 6 else None


def edits(good: Good, slip: Slip) -> Iterator[Edit]:
    """The edits that write the slip into the file."""
    at, mass_at = good.inertial.inertia_at, good.inertial.mass_at
    assert at is not None
    assert mass_at is not None
    values = dict(zip(ENTRIES, slip.entries.tolist(), strict=True))
    if at.text.startswith("<"):
        for name in ENTRIES:
            found = re.search(rf"""\b{name}\s*=\s*["']\s*({NUMBER.pattern})""", at.text)
            assert found is not None
            yield Edit(at.source, at.start + found.start(1), at.start + found.end(1), repr(values[name]))
    else:
        places = list(NUMBER.finditer(at.text))
        for name, found in zip(ENTRIES if len(places) == 6 else ROWS, places, strict=True):
            yield Edit(at.source, at.start + found.start(), at.start + found.end(), repr(values[name]))
    if slip.mass != good.inertial.mass:
        numbers = list(NUMBER.finditer(mass_at.text))
        found = numbers[-1]
        yield Edit(
            mass_at.source, mass_at.start + found.start(), mass_at.start + found.end(), repr(slip.mass)
        )


def slips(good: Good, chance: random.Random) -> Iterator[Slip]:
    """Every kind of slip that changes this inertia enough, once."""
    for slip in _slips(good, chance):
        body = is_body(matrix3(matrix(slip.entries)))
        scale = slip.mass / good.inertial.mass
        leaves = all(deviation(slip.entries, scale * solid) > LEAVES for solid in good.solids)
        if not body or leaves:
            yield slip


def _slips(good: Good, chance: random.Random) -> Iterator[Slip]:
    given, mass = good.entries, good.inertial.mass
    moments = given[list(MOMENTS)]

    def slip(title: str, causes: str, wrong: object, entries: Floats, mass: float = mass) -> Slip:
        rounded = np.array([float(f"{v:.9g}") for v in entries.tolist()])
        change = np.abs(rounded - given) / six(np.sqrt(np.outer(moments, moments)))
        small = frozenset(name for name, c in zip(ENTRIES, change.tolist(), strict=True) if c < 0.02)
        return Slip(title, tuple(causes.split()), frozenset(wrong), rounded, mass, small)  # type: ignore[call-overload]

    def changed(i: int, value: float) -> Floats:
        new = given.copy()
        new[i] = value
        return new

    i = chance.choice(MOMENTS)
    power = chance.choice((0.001, 0.01, 0.1, 10.0, 100.0, 1000.0))
    yield slip("decimal point of a moment", "factor", {ENTRIES[i]}, changed(i, given[i] * power))
    i, factor = chance.choice(MOMENTS), chance.choice((0.3, 0.5, 2.0, 2.54, 4.0))
    yield slip("a moment wrong by another factor", "factor", {ENTRIES[i]}, changed(i, given[i] * factor))
    i = chance.choice(MOMENTS)
    yield slip("sign of a moment", "sign", {ENTRIES[i]}, changed(i, -given[i]))
    i, k = chance.sample(MOMENTS, 2)
    new = given.copy()
    new[[i, k]] = given[[k, i]]
    yield slip("two moments exchanged", "order", {ENTRIES[i], ENTRIES[k]}, new)
    order = [0, 3, 5, 1, 2, 4]
    new = given[order]
    moved = {name for name, a, b in zip(ENTRIES, given, new, strict=True) if a != b}
    yield slip("moments first, then products", "order", moved, new)
    new = given[[ENTRIES.index(n) for n in ("iyy", "iyz", "ixy", "izz", "ixz", "ixx")]]
    moved = {name for name, a, b in zip(ENTRIES, given, new, strict=True) if a != b}
    yield slip("axes in another order", "order", moved, new)
    large = [i for i in PRODUCTS if abs(given[i]) > 0.0]
    if large:
        i = max(
            large, key=lambda i: abs(given[i]) / np.sqrt(np.prod(np.diag(matrix(given))[list(_pair(i))]))
        )
        yield slip("sign of a product", "sign", {ENTRIES[i]}, changed(i, -given[i]))
        yield slip("decimal point of a product", "factor", {ENTRIES[i]}, changed(i, given[i] * 10.0))
        new = given.copy()
        new[list(PRODUCTS)] *= -1.0
        yield slip("sign of all products", "sign", {ENTRIES[i] for i in large}, new)
    shift = mass * six(shifted(good.com))
    yield slip("about the link origin", "point", {"inertia"}, given + shift)
    yield slip("moved to the center of mass twice", "point", {"inertia"}, given - shift)
    for title, factor in (("g·m²", 1e3), ("kg·cm²", 1e4), ("kg·mm²", 1e6), ("g·mm²", 1e9)):
        yield slip(f"inertia in {title}", "unit", {"inertia"}, given * factor)
    yield slip("mass in grams", "unit", {"mass"}, given, mass * 1e3)
    factor = chance.choice((0.13, 0.37, 2.7, 7.85))
    yield slip("inertia with another density", "density", {"inertia"}, given * factor)


def _pair(i: int) -> tuple[int, int]:
    return {1: (0, 1), 2: (0, 2), 4: (1, 2)}[i]


def outcome(good: Good, slip: Slip) -> Outcome:
    """What `unibody check` says of the file with the slip, and whether its fix brings the inertia back."""
    files = Files()
    source = good.inertial.inertia_at.source if good.inertial.inertia_at else None
    assert source is not None
    text = edited(source.text, edits(good, slip))
    findings = checked(good.path, text)[1]
    subject = path_of("links", good.name)
    found = next((f for f in findings if f.cause and f"{f.subject}/".startswith(f"{subject}/")), None)
    repaired = False
    if found is not None and found.edits:
        after = read(good.path, files=overlaid(files, good.path, edited(text, found.edits)))
        now = after.robot.link(good.name).inertial if after.robot is not None else None
        if now is not None:
            close = np.allclose(
                now.inertia, good.inertial.inertia, rtol=0.02, atol=0.02 * np.max(good.entries)
            )
            repaired = bool(close) and abs(now.mass / good.inertial.mass - 1.0) < 0.02
    return Outcome(good, slip, found, repaired)


def overlaid(files: Files, path: Path, text: str) -> Files:
    """The files with another text of one of them."""
    return with_contents(files, {files.disk.real(str(path)): text.encode()})


def checked(path: Path, text: str | None = None) -> tuple[Reading, list[Finding]]:
    """A model, or its file with another text, and the findings of `unibody check`."""
    files = Files() if text is None else overlaid(Files(), path, text)
    reading = read(path, files=files)
    return reading, examine(reading, files)


def measure() -> tuple[list[Outcome], int, list[str]]:
    """The outcomes of all slips, the number of untouched good links, and the causes named on these."""
    chance = random.Random(18)
    out: list[Outcome] = []
    invented: list[str] = []
    untouched, known = 0, set[object]()
    for path in models():
        reading = read(path)
        if reading.robot is None or not any(link.inertial for link in reading.robot.links):
            continue
        links = list(good_links(path, reading, known))
        if not links:
            continue
        subjects = {path_of("links", good.name): good for good in links}
        untouched += len(links)
        for f in checked(path)[1]:
            if f.cause and "/".join(f.subject.split("/")[:2]) in subjects:
                invented.append(f"{path}: {f.message}")
        for good in links[:MOST_LINKS]:
            out += [outcome(good, slip) for slip in slips(good, chance)]
    return out, untouched, invented


def table(outcomes: list[Outcome]) -> list[str]:
    """The rows of the table of docs/inertia.md: of each slip how many, and in how many what was named."""
    titles = list(dict.fromkeys(o.slip.title for o in outcomes))
    lines = [
        "| slip | planted | entry named | cause named | repaired by the fix |",
        "| --- | --: | --: | --: | --: |",
    ]
    for title in [*titles, "all"]:
        some = [o for o in outcomes if title in ("all", o.slip.title)]
        cells = [
            len(some),
            *(sum(x) for x in zip(*((o.entry, o.cause, o.repaired) for o in some), strict=True)),
        ]
        lines.append(f"| {title} | {' | '.join(map(str, cells))} |")
    return lines


def run() -> list[Row]:
    start = time.process_time()
    outcomes, untouched, invented = measure()
    taken = 1e3 * (time.process_time() - start) / max(len(outcomes), 1)
    n = max(len(outcomes), 1)
    return [
        Row(f"entry named, {n} slips", 100.0 * sum(o.entry for o in outcomes) / n, {}, ">= 95 %", "%"),
        Row("cause named", 100.0 * sum(o.cause for o in outcomes) / n, {}, ">= 90 %", "%"),
        Row(f"causes invented, {untouched} good links", len(invented), {}, "< 1 links", "links"),
        Row("reading and checking a slip", taken, {}, "", "ms"),
    ]


def main() -> None:
    """Print the table and what was not named."""
    outcomes, untouched, invented = measure()
    print("\n".join(table(outcomes)))
    robots = len({o.good.path for o in outcomes})
    print(
        f"{robots} robots, {untouched} untouched links, {len(invented)} causes invented",
        *invented,
        sep="\n",
    )
    for o in outcomes:
        if not (o.entry and o.cause):
            said = f"{o.found.cause} {o.found.code}" if o.found else "-"
            print(f"{o.good.path.name} {o.good.name}: {o.slip.title} {sorted(o.slip.wrong)}: {said}")


if __name__ == "__main__":
    main()
