"""Write the table of pairs that SRDF files disable although they collide: python tools/srdf_pairs.py

Each SRDF of ../shared/corpus/more is read with the URDF beside it or that of the same robot elsewhere
in the corpus, whichever has more collision meshes. Pairs with the reason Never, or none, are searched.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import unibody as ub
from unibody.cli.pairs import witness_positions
from unibody.collision.matrix import LinkPair, MatrixSearch
from unibody.formats.srdf.reasons import reasons_of
from unibody.model.collision import PairRules
from unibody.model.shape import MeshFile

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT.parent / "shared/corpus"
PAGE = ROOT / "docs/pairs.md"
#: Random configurations of each pair (the assistant of MoveIt takes 10,000 of the whole robot), and cells
#: of a short proof, which gives the search for the nearest configurations its starts.
SAMPLES, CELLS = 30_000, 2_000
BEGIN, END = "<!-- begin: tools/srdf_pairs.py -->\n", "<!-- end -->\n"


@dataclass(frozen=True, slots=True)
class Published:
    """An SRDF with its robot, how many links have collision shapes, and how many of these are there."""

    srdf: Path
    robot: ub.Robot
    links: int
    there: int


def published() -> Iterator[Published]:
    """The SRDF files some of whose collision shapes can be read."""
    others: dict[str, list[Path]] = {}
    for urdf in sorted((CORPUS / "dev").rglob("*.urdf")):
        others.setdefault(name_of(urdf), []).append(urdf)
    for srdf in sorted((CORPUS / "more").rglob("*.srdf")):
        choices = []
        for urdf in [*sorted(srdf.parent.glob("*.urdf")), *others.get(name_of(srdf), [])]:
            robot = ub.read(urdf, srdf=str(srdf)).robot
            if robot is not None:
                solid = [link for link in robot.links if link.collisions]
                choices.append(Published(srdf, robot, len(solid), sum(map(is_there, solid))))
        best = max(choices, key=lambda each: each.there, default=None)
        if best is not None and best.there:
            yield best


def name_of(path: Path) -> str:
    """The name of the robot of a file; "" if it is no XML."""
    try:
        return ET.parse(path).getroot().get("name", "")
    except ET.ParseError:
        return ""


def is_there(link: ub.Link) -> bool:
    """Whether all collision meshes of a link were found."""
    return all(not isinstance(s.geometry, MeshFile) or bool(s.geometry.path) for s in link.collisions)


def listed(robot: ub.Robot) -> list[tuple[str, str]]:
    """The pairs that are disabled with the reason Never, or none, and are not adjacent."""
    rules, reasons = PairRules(robot), reasons_of(robot)
    solid = {link.name for link in robot.links if link.collisions and link.collides}
    return [
        pair
        for key, pair in rules.disabled.items()
        if key <= solid and not rules.are_adjacent(*pair) and reasons.get(key, "").lower() in ("", "never")
    ]


def wrong(robot: ub.Robot, samples: int = SAMPLES, cells: int = CELLS) -> list[tuple[LinkPair, str, str]]:
    """The listed pairs that collide, with reasons and witnesses; without cells there is no search."""
    pairs = listed(robot)
    if not pairs:
        return []
    work = MatrixSearch(robot, samples=samples, cells=cells, pairs=pairs, missing="skip", search=cells > 0)
    for _ in work.steps():
        pass
    matrix, reasons = work.result(), reasons_of(robot)
    wanted = {frozenset(pair) for pair in pairs}
    found = [pair for pair in matrix.pairs if frozenset(pair.links) in wanted]
    return [
        (pair, reasons.get(frozenset(pair.links), ""), where(matrix.mechanism, pair))
        for pair in found
        if pair.status in ("possible", "always")
    ]


def where(mechanism: ub.Mechanism, pair: LinkPair) -> str:
    """The positions of a witness that are not initial."""
    values = witness_positions(mechanism, pair)
    return " ".join(f"{name}={value:.4g}" for name, value in values.items()) or "initial pose"


def table(chosen: Sequence[Published]) -> str:
    """The table, with a line for each file."""
    lines = ["| file | links with shapes | disabled as Never or without a reason | collide |"]
    lines.append("| --- | --- | --- | --- |")
    details = ["| file | links | reason | collide at (rad, m) |", "| --- | --- | --- | --- |"]
    for each in chosen:
        rows = wrong(each.robot)
        words = each.srdf.relative_to(CORPUS / "more/srdf")
        name = f"`{'/'.join((words.parts[0].removeprefix('pypi_'), words.name))}`"
        links = f"{each.there} of {each.links}" if each.there < each.links else str(each.links)
        lines.append(f"| {name} | {links} | {len(listed(each.robot))} | {len(rows)} |")
        details += [
            f"| {name} | {' and '.join(f'`{x}`' for x in p.links)} | {r or '–'} | {w} |" for p, r, w in rows
        ]
    return "\n".join([*lines, "", *details, ""])


def main() -> str | None:
    """Write the table into the page."""
    if not CORPUS.is_dir():
        return "needs ../shared/corpus"
    text = PAGE.read_text("utf-8")
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    PAGE.write_text(f"{head}{BEGIN}\n{table(list(published()))}\n{END}{tail}", "utf-8")
    return None


if __name__ == "__main__":
    sys.exit(main())
