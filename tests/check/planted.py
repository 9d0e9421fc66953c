"""Plants single defects into healthy models of the corpus, and says what the checks find of them.

``python -m tests.check.planted`` prints a table of all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tests.shared import DEV

from unibody.checks import further
from unibody.files.access import Files
from unibody.formats.loader import Reading, read
from unibody.text.finding import Finding
from unibody.text.node import Node, Row, Value
from unibody.text.source import Source
from unibody.text.xml.lexer import inside

CORPUS = DEV
_DATA = "pypi_example-robot-data-6.0.0/example-robot-data/robots"
_BULLET = "pypi_pybullet-3.2.7/pybullet_data"
_CHOREONOID = "choreonoid+choreonoid/share/model"
MODELS = {
    "so100": f"{_DATA}/so_arm_description/urdf/so100.urdf",
    "solo12": f"{_DATA}/solo_description/robots/solo12.urdf",
    "humanoid": f"{_DATA}/simple_humanoid_description/urdf/simple_humanoid.urdf",
    "kuka": f"{_BULLET}/kuka_iiwa/model.urdf",
    "spirit": f"{_BULLET}/quadruped/spirit40.urdf",
    "minitaur": f"{_BULLET}/quadruped/minitaur_rainbow_dash.urdf",
    "fanuc": "ros-planning+moveit_resources/fanuc_description/urdf/fanuc.urdf",
    "gr001": f"{_CHOREONOID}/GR001/GR001.body",
    "sr1": f"{_CHOREONOID}/SR1/SR1.body",
    "pa10": f"{_CHOREONOID}/PA10/PA10.body",
    "car": f"{_CHOREONOID}/misc/FourWheelCar.body",
}

# Given the text of a start tag, or of a key and its value, and those of its kind before it.
Change = Callable[[str, list[str]], str]
NUMBER = r"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"


@dataclass(frozen=True)
class Spot:
    """A start tag, or a key with its value: where it is, and the lines of the elements that hold it."""

    start: int
    end: int
    holders: frozenset[int]


@dataclass(frozen=True)
class Kind:
    """One way to go wrong: what is done to which elements or keys, and to which models."""

    name: str
    element: str
    models: str
    change: Change


@dataclass(frozen=True)
class Plant:
    """A defect in its place: the whole text with it, and the lines where it may be reported."""

    kind: Kind
    model: str
    text: str
    line: int
    lines: frozenset[int]


@dataclass
class Outcome:
    """What came of a plant: findings at the right place, and those elsewhere that are new."""

    plant: Plant
    found: list[Finding] = field(default_factory=list)
    elsewhere: list[Finding] = field(default_factory=list)


def sub(pattern: str, into: str, count: int = 1) -> Change:
    """A replacement as ``re.sub`` makes it."""
    return lambda text, _: re.sub(pattern, into, text, count=count, flags=re.DOTALL)


def scaled(factor: float, within: str = ".*", digits: int = 9) -> Change:
    """All numbers inside of what ``within`` matches, times a factor."""

    def number(m: re.Match[str]) -> str:
        return f"{float(m[0]) * factor:.{digits}g}"

    def change(text: str, _: list[str]) -> str:
        return re.sub(
            within, lambda m: re.sub(rf"(?<![\w.]){NUMBER}", number, m[0]), text, count=1, flags=re.DOTALL
        )

    return change


def as_before(pattern: str) -> Change:
    """The same words as in the one before it: a copy that was not changed."""

    def change(text: str, before: list[str]) -> str:
        earlier = [m[1] for m in (re.search(pattern, b) for b in before) if m]
        found = re.search(pattern, text)
        return text if not found or not earlier else text.replace(found[1], earlier[-1], 1)

    return change


LOWER_UPPER = rf'lower="({NUMBER})"(.*?)upper="({NUMBER})"'
XYZ = rf'xyz="{NUMBER} +{NUMBER} +{NUMBER}"'
KINDS = [
    Kind("negative mass", "mass", "so100 spirit", sub(r'value="(?=[0-9.]*[1-9])', 'value="-')),
    Kind("mass in grams", "mass", "so100 spirit", scaled(1000.0)),
    Kind("inertia in kg·mm²", "inertia", "so100 kuka", scaled(1e6)),
    Kind("point lost in a moment", "inertia", "so100 kuka", scaled(100.0, r'ixx="[^"]*"')),
    Kind("wrong sign of a moment", "inertia", "solo12 kuka", sub(r'izz="(?=[0-9.])', 'izz="-')),
    Kind(
        "moments exchanged",
        "inertia",
        "solo12 so100",
        sub(rf'ixx="({NUMBER})"(.*?)izz="({NUMBER})"', r'ixx="\3"\2izz="\1"'),
    ),
    Kind("centre of mass in mm", "inertial/origin", "so100 solo12", scaled(1000.0, XYZ)),
    Kind("limits exchanged", "limit", "so100 humanoid", sub(LOWER_UPPER, r'lower="\3"\2upper="\1"')),
    Kind("sign of a limit lost", "limit", "kuka humanoid", sub('lower="-(?=[0-9.]*[1-9])', 'lower="')),
    Kind("limits in degrees", "limit", "so100 fanuc humanoid", scaled(57.29578, LOWER_UPPER, 4)),
    Kind("offset in mm", "joint/origin", "so100 kuka", scaled(1000.0, XYZ)),
    Kind("mesh in mm", "mesh", "so100 kuka", sub(r"<mesh ", '<mesh scale="1000 1000 1000" ')),
    Kind("joint name twice", "joint", "fanuc", as_before(r'\bname="([^"]*)"')),
    Kind(
        "link twice",
        "link",
        "solo12",
        lambda text, before: f"<link name='base_link'/>{text}" if before else text,
    ),
    Kind("unknown parent", "parent", "kuka", sub(r'link="(.*)(.)(.)"', r'link="\1\3\2"')),
    Kind("unknown child", "child", "minitaur", sub(r'link="(..)', r'link="\1_')),
    Kind("slip in a key", "limit", "so100", sub("lower=", "lowr=")),
    Kind("slip in a key", "visual/origin", "kuka", sub("xyz=", "xzy=")),
    Kind("slip in a key", "mass", "spirit", sub("value=", "vlaue=")),
    Kind("no axis", "axis", "fanuc", sub(r'xyz="[^"]*"', 'xyz="0 0 0"')),
    Kind("a number is missing", "axis", "so100", sub(r'xyz="(\S+) (\S+) [^"]*"', r'xyz="\1 \2"')),
    Kind("slip in a type", "joint", "solo12", sub("revolute", "revolut")),
    Kind("decimal comma", "mass", "minitaur", sub(r"(\d)\.(\d)", r"\1,\2")),
    Kind("file name slip", "mesh", "kuka", sub(r"link_(\d)", r"lnik_\1")),
    Kind("unit behind a number", "cylinder", "spirit", sub(r'radius="([^"]*)"', r'radius="\1m"')),
    Kind("not a number", "inertia", "minitaur", sub(r'iyy="[^"]*"', 'iyy="nan"')),
    Kind("moment left out", "inertia", "so100", sub(r' ixx="[^"]*"', "")),
    Kind("mass in grams", "mass", "gr001 sr1", scaled(1000.0)),
    Kind("negative mass", "mass", "sr1", sub(r"(?<= )(?=\d)", "-")),
    Kind("inertia in kg·mm²", "inertia", "gr001 car", scaled(1e6)),
    Kind("wrong sign of a product", "inertia", "gr001", sub(r"(\[\s*\S+,\s*)-", r"\1")),
    Kind("a number is missing", "inertia", "pa10", sub(r",[^,]*\]", "]")),
    Kind("centre of mass in mm", "centerOfMass", "gr001", scaled(1000.0, r"\[.*")),
    Kind("offset in mm", "links/translation", "sr1", scaled(1000.0, r"\[.*")),
    Kind("limits exchanged", "jointRange", "gr001", sub(r"\[ *(\S+), *(\S+) *\]", r"[ \2, \1 ]")),
    Kind("limits exchanged", "joint_range", "sr1", sub(r"\[ *(\S+), *(\S+) *\]", r"[ \2, \1 ]")),
    Kind("limits in radians", "jointRange", "gr001", scaled(1.0 / 57.29578, r"\[.*", 5)),
    Kind("limits in radians", "joint_range", "sr1", scaled(1.0 / 57.29578, r"\[.*", 5)),
    Kind("joint id twice", "jointId", "gr001 pa10", as_before(r": *(\d+)")),
    Kind("unknown parent", "parent", "sr1 gr001", sub(r"(\w)(\w)$", r"\2\1")),
    Kind("slip in a key", "jointAxis", "gr001", sub("jointAxis", "jointAixs")),
    Kind("slip in a type", "jointType", "pa10", sub("revolute", "revolut")),
    Kind("file name slip", "uri", "gr001", sub("stl", "slt")),
]


def plants() -> Iterator[Plant]:
    """Every defect, each in one element chosen by counting on, not by what is found there."""
    turn = 0
    for kind in KINDS:
        for model in kind.models.split():
            turn += 1
            yield _plant(kind, model, turn)


def _plant(kind: Kind, model: str, turn: int) -> Plant:
    source = healthy(model).source
    assert source is not None
    spots = list(_spots(kind, model))
    texts = [source.text[s.start : s.end] for s in spots]
    changed = [kind.change(text, texts[:i]) for i, text in enumerate(texts)]
    fit = [i for i, text in enumerate(texts) if changed[i] != text]
    assert fit, f"{kind.name}: nothing to change in {model}"
    i = fit[(7 * turn) % len(fit)]
    spot = spots[i]
    same = next(
        k for k, (a, b) in enumerate(zip(texts[i] + "\0", changed[i] + "\1", strict=False)) if a != b
    )
    line = source.line_column(spot.start + same)[0]
    text = source.text[: spot.start] + changed[i] + source.text[spot.end :]
    return Plant(kind, model, text, line, spot.holders | {line, source.line_column(spot.start)[0]})


def _spots(kind: Kind, model: str) -> Iterator[Spot]:
    reading = healthy(model)
    source, node = reading.source, reading.node
    assert source is not None
    *above, name = kind.element.split("/")
    seen: set[int] = set()
    todo: list[tuple[Value, tuple[str, ...], frozenset[int]]] = [(node, (), frozenset())] if node else []
    found: list[Spot] = []
    while todo:
        value, path, holders = todo.pop()
        if not isinstance(value, Node | Row) or id(value) in seen:
            continue
        seen.add(id(value))
        inner = holders | _lines(value, source)
        if isinstance(value, Row):
            todo += [(v, path, inner) for v in value.values]
            continue
        for key, item, start in value.items:
            if isinstance(item, Node) and value.tag:
                if key == name and (not above or path[-1:] == (above[0],)):
                    found.append(Spot(item.start, inside(item), inner | _lines(item, source)))
            elif not value.tag and key == name and (not above or path == (above[0],)):
                found.append(Spot(start, getattr(item, "end", start), inner))
            todo.append((item, (*path, key), inner))
    yield from sorted(found, key=lambda s: s.start)


def _lines(value: Node | Row, source: Source) -> frozenset[int]:
    """The line an element begins in, and that of its name, by which messages call it."""
    if isinstance(value, Row):
        return frozenset()
    lines = {source.line_column(value.start)[0]}
    lines |= {
        source.line_column(start)[0] for key, _, start in value.items if key == "name" and not value.tag
    }
    return frozenset(lines)


@cache
def healthy(model: str) -> Reading:
    """A model as it is."""
    return read(CORPUS / MODELS[model])


@cache
def _usual(model: str) -> set[tuple[str, str, int]]:
    """What the checks find in a model as it is."""
    reading = healthy(model)
    more = further(reading.robot, reading.findings, Files()) if reading.robot else []
    return {_key(f) for f in (*reading.findings, *more)}


def _key(f: Finding) -> tuple[str, str, int]:
    return f.code, f.subject or f.message, f.at.line if f.at else 0


def outcome(plant: Plant) -> Outcome:
    """What the checks find in a model with a defect that they do not find without; infos do not count."""
    path = CORPUS / MODELS[plant.model]
    files = _Edited(path, plant.text)
    reading = read(path, files=files)
    more = further(reading.robot, reading.findings, files) if reading.robot else []
    out = Outcome(plant)
    for f in [*reading.findings, *more]:
        if f.severity != "info" and _key(f) not in _usual(plant.model):
            (out.found if f.at and f.at.line in plant.lines else out.elsewhere).append(f)
    return out


class _Edited(Files):
    """The disk, with one file as it would be after an edit."""

    def __init__(self, path: Path, text: str) -> None:
        super().__init__()
        object.__setattr__(self, "edited", (str(path), text.encode()))

    def read(self, path: str, at: object = None) -> bytes:
        edited: tuple[str, bytes] = self.edited  # type: ignore[attr-defined]
        return edited[1] if str(path) == edited[0] else super().read(path, at)  # type: ignore[arg-type]


def main() -> None:
    """Print what is found of every plant."""
    all_of_them = [outcome(p) for p in plants()]
    for o in all_of_them:
        codes = ", ".join(sorted({f.code for f in o.found})) or "-"
        place = f"{o.plant.model:9} {o.plant.line:5}"
        print(f"{'found' if o.found else 'LOST '}  {place}  {o.plant.kind.name:26} {codes}")
        for f in o.elsewhere:
            print(f"       elsewhere: {f}")
    found = sum(bool(o.found) for o in all_of_them)
    noise = sum(len(o.elsewhere) for o in all_of_them)
    print(f"{found} of {len(all_of_them)} found, {noise} findings elsewhere")


if __name__ == "__main__":
    main()
