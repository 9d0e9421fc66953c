"""Writes the pairs of links that are not tested for collision as excludes, and which shapes can collide."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations

from unibody.document.declare import Document
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf import document_constraints as c
from unibody.formats.mjcf.geoms import ALONE
from unibody.formats.mjcf.kept_elements import Kept, bound
from unibody.formats.mjcf.write_geoms import COLLISION, VISUAL
from unibody.formats.mjcf.write_tree import BodyTree, PlannedBody
from unibody.model.collision import PairRules
from unibody.model.robot import Robot

#: The bits (contype, conaffinity) of shapes of which no two collide; they do with a floor of another file.
APART = (1, 0)
# Largest number of excludes that are written.
_MOST = 20_000

Bits = Mapping[str, tuple[int, int]]


def collides_with_itself(robot: Robot) -> bool:
    """Whether any two links of a robot are tested for collision."""
    rules = robot.self_collision
    return rules.default != "none" or bool(rules.enabled)


def contact_elements(tree: BodyTree, kept: Kept, bits: Bits) -> list[Document]:
    """The kept pairs and excludes that still hold, in their order, then excludes of other untested pairs.

    ``bits`` are the contact bits (contype, conaffinity) of the geoms of each body, or-ed together, by name.
    """
    untested = {} if _is_off(kept) else _untested(tree, bits)
    links = {body.name: body.link.name for body in tree if body.link is not None}
    out: list[Document] = []
    done: set[frozenset[str]] = set()
    rules = tree.robot.self_collision
    disabled = {frozenset(pair) for pair in rules.disabled}
    if any(node.tag == "pair" for node in kept.section("contact")):
        # a pair of geoms is tested beside an exclude of their bodies, which holds for their other geoms
        disabled |= {frozenset(pair) for pair in rules.enabled}
    for node in kept.section("contact"):
        if node.tag == "pair":
            out.append(bound(c.Pair, node))
        elif node.tag == "exclude":
            doc = bound(c.Exclude, node)
            first, second = links.get(doc.body1 or ""), links.get(doc.body2 or "")
            pair = frozenset(name for name in (first, second) if name)
            # one with the world, or of a body with itself, says nothing about two links
            if len(pair) < 2 or pair in untested or pair in disabled:
                out.append(doc)
                done.add(pair)
    for key, (one, other) in untested.items():
        if key not in done:
            out.append(c.Exclude(body1=tree.name_of(one), body2=tree.name_of(other)))
    return out


def _is_off(kept: Kept) -> bool:
    """Whether the kept options switch off all contacts."""
    flags = [node for node in kept.section("option") if node.tag == "flag"]
    return any("disable" in (node.word("contact"), node.word("constraint")) for node in flags)


def leave_alone(items: Iterable[Document]) -> None:
    """Let the geoms of a link that takes part in no collision collide with nothing."""
    for geom in items:
        if isinstance(geom, b.Geom) and geom.class_ != VISUAL and (geom.contype or geom.conaffinity):
            geom.contype, geom.conaffinity = ALONE
            geom.given = {*geom.given, "contype", "conaffinity"}


def bits_of(items: Iterable[Document], own: tuple[int, int]) -> tuple[int, int]:
    """The contact bits of geoms, or-ed together; ``own`` are those of the class of collision shapes."""
    contype = conaffinity = 0
    for geom in items:
        if not isinstance(geom, b.Geom) or geom.class_ == VISUAL:
            continue
        is_own = geom.class_ == COLLISION and (geom.contype, geom.conaffinity) != ALONE
        first, second = own if is_own else (geom.contype, geom.conaffinity)
        contype, conaffinity = contype | first, conaffinity | second
    return contype, conaffinity


def _untested(tree: BodyTree, bits: Bits) -> dict[frozenset[str], tuple[str, str]]:
    """The pairs that MuJoCo would test by the bits of their geoms and the tree, and the robot does not."""
    rules = PairRules(tree.robot)
    group, above = _welded(tree)
    solid = [body for body in tree if body.link is not None and any(bits.get(body.name, (0, 0)))]
    out: dict[frozenset[str], tuple[str, str]] = {}
    if rules.default == "not_adjacent" and not rules.disabled and len(solid) > 400:
        return out
    for first, second in combinations(solid, 2):
        assert first.link is not None
        assert second.link is not None
        (type_a, affinity_a), (type_b, affinity_b) = bits[first.name], bits[second.name]
        if not (type_a & affinity_b or type_b & affinity_a):
            continue
        g, h = group[id(first)], group[id(second)]
        world = id(tree.world)
        if g == h or (world not in (g, h) and (above.get(g) == h or above.get(h) == g)):
            continue
        names = (first.link.name, second.link.name)
        if not rules.are_tested(*names) and len(out) < _MOST:
            out[frozenset(names)] = names
    return out


def _welded(tree: BodyTree) -> tuple[dict[int, int], dict[int, int]]:
    """For each body the first one that no joint separates from it, and the one above each of these."""
    group: dict[int, int] = {}
    above: dict[int, int] = {}
    for body in tree:
        if body.parent is None or not (_moves(body)):
            group[id(body)] = id(body) if body.parent is None else group[id(body.parent)]
        else:
            group[id(body)] = id(body)
            above[id(body)] = group[id(body.parent)]
    return group, above


def _moves(body: PlannedBody) -> bool:
    return bool(body.joints) or body.is_free
