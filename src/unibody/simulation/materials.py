"""Choreonoid's material tables: friction and restitution of pairs of materials (facts, simulation 6)."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, field

from unibody.files.access import FileError, Files
from unibody.model.robot import Robot
from unibody.model.traverse import unpart
from unibody.text.decode import decode
from unibody.text.finding import Finding, Findings, TextError
from unibody.text.node import Node, Numbers, Row, Value, Word
from unibody.text.yaml import parser as yaml

#: The material of links that name none.
DEFAULT = "Default"

#: Friction of materials about which nothing is known: Choreonoid's default.
FRICTION = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class PairValues:
    """Contact of two materials: coefficients of friction, at rest and sliding, and of restitution."""

    static: float = FRICTION
    sliding: float = FRICTION
    restitution: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class MaterialTable:
    """Materials by name, as (roughness, viscosity), and the values of the pairs that are listed.

    >>> table = MaterialTable(materials={"Ice": (0.01, 1.0), "Steel": (0.25, 0.36)})
    >>> table.pair("Ice", "Steel").sliding
    0.05
    >>> table.pair("Steel", "Steel").restitution
    0.64
    """

    materials: dict[str, tuple[float, float]] = field(default_factory=dict)
    pairs: dict[frozenset[str], PairValues] = field(default_factory=dict)
    findings: tuple[Finding, ...] = field(default=(), repr=False)

    def pair(self, a: str, b: str) -> PairValues:
        """The values of two materials; those of an unlisted pair follow from roughness and viscosity.

        A material that is not in the table is Default, as in Choreonoid.
        """
        a, b = (self._known(name) for name in (a, b))
        listed = self.pairs.get(frozenset((a, b)))
        if listed is not None:
            return listed
        one, two = self.materials.get(a), self.materials.get(b)
        if one is None or two is None:
            return PairValues()
        friction = math.sqrt(one[0] * two[0])
        bounce = math.sqrt(max(0.0, 1.0 - one[1]) * max(0.0, 1.0 - two[1]))
        return PairValues(static=friction, sliding=friction, restitution=bounce)

    def _known(self, name: str) -> str:
        listed = name in self.materials or any(name in pair for pair in self.pairs)
        return name if listed else DEFAULT


def link_materials(robot: Robot) -> dict[str, str]:
    """The material of each link whose file names one.

    >>> link_materials(Robot(name="stone"))
    {}
    """
    found = {}
    for extra in robot.extras:
        kind, _, name = extra.owner.partition("/")
        if extra.format == "body" and kind == "links":
            material = extra.node.word("material")
            if material:
                found[unpart(name)] = material
    return found


def read_materials(path: str | os.PathLike[str], files: Files | None = None) -> MaterialTable:
    """Read a Choreonoid material table (``materials.yaml``).

    ``findings`` has what is wrong in it; entries that cannot be used are left out.
    """
    name, findings = os.fspath(path), Findings()
    files = files or Files()
    try:
        source = decode(files.read(name), name, findings)
        root = yaml.parse(source, findings)
    except (FileError, TextError) as broken:
        return MaterialTable(findings=(*findings, broken.finding))
    table = MaterialTable()
    if not isinstance(root, Node) or not (root.get("materials") or root.get("contact_materials")):
        findings.error(
            "material-table-invalid",
            "a material table has the keys 'materials' and 'contact_materials'",
            root.span if isinstance(root, Node) else None,
        )
        return MaterialTable(findings=tuple(findings))
    for entry in _nodes(root.get("materials")):
        word = entry.word("name")
        if word:
            numbers = (_number(entry, k, d, findings) for k, d in (("roughness", 0.5), ("viscosity", 1.0)))
            table.materials[word] = tuple(numbers)  # type: ignore[assignment]
    for entry in _nodes(root.get("contact_materials", "contactMaterials")):
        names = _words(entry.get("materials"))
        both = _number(entry, "friction", FRICTION, findings)
        values = PairValues(
            static=_number(entry, "static_friction", both, findings, "staticFriction"),
            sliding=_number(entry, "dynamic_friction", both, findings, "dynamicFriction"),
            restitution=_number(entry, "restitution", 0.0, findings),
        )
        for place, a in enumerate(names):
            for b in names[place + 1 :]:
                table.pairs[frozenset((a, b))] = values
    return MaterialTable(materials=table.materials, pairs=table.pairs, findings=tuple(findings))


def _nodes(value: Value | None) -> list[Node]:
    return [item for item in value if isinstance(item, Node)] if isinstance(value, Row) else []


def _words(value: Value | None) -> list[str]:
    if isinstance(value, Numbers):
        return value.words()
    return [item.text for item in value if isinstance(item, Word)] if isinstance(value, Row) else []


def _number(entry: Node, key: str, default: float, findings: Findings, old: str = "") -> float:
    keys = (key, old) if old else (key,)
    word = entry.word(*keys)
    if word is None:
        return default
    try:
        number = float(word)
    except ValueError:
        number = math.nan
    if not 0.0 <= number < math.inf:
        findings.warning(
            "material-number",
            f"{key} must be a number from 0 on, not {word!r}; using {default}",
            entry.place(entry.get(*keys) or entry),
        )
        return default
    return number
