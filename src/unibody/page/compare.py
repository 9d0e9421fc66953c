"""Comparison of two robots: corresponding parts, and differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from unibody.model.aspect import aspect_of_difference
from unibody.model.facts import Difference, diff
from unibody.model.metadata import ASPECTS
from unibody.model.robot import Robot
from unibody.model.traverse import named_lists, of_link, unpart
from unibody.page.robot import link_places

Data = dict[str, Any]

# A longer list would only slow the page down.
_MOST = 2000
# Lists whose items are told apart by a name.
_KEYED = (*named_lists(), "couplings")


def comparison(a: Robot, b: Robot) -> Data:
    """Index pairs of corresponding joints and links (same name, or renamed), and the differences."""
    order = {aspect: place for place, aspect in enumerate(ASPECTS)}
    # What matters most comes first, also where the list is cut.
    found = sorted(diff(a, b), key=lambda each: order[aspect_of_difference(each)])
    renames = {what: _renames(found, what) for what in ("links", "joints")}
    own_a, own_b = _owners(a), _owners(b)
    # Paths have the new names of renamed items, also for robot a.
    for what, names in renames.items():
        own_a.update({(what, new): own_a.get((what, old), -1) for old, new in names.items()})
    return {
        "links": _pairs([x.name for x in a.solids], [x.name for x in b.solids], renames["links"]),
        "joints": _pairs([x.name for x in a.joints], [x.name for x in b.joints], renames["joints"]),
        "count": len(found),
        "differences": [
            {
                "path": d.path,
                **_place(d),
                "kind": d.kind,
                "aspect": aspect_of_difference(d),
                "text": str(d).removeprefix(f"{d.path}: "),
                "links": [_link(d, own_a), _link(d, own_b)],
            }
            for d in found[:_MOST]
        ],
    }


def _renames(found: Sequence[Difference], what: str) -> dict[str, str]:
    return {d.before: d.after for d in found if d.kind == "renamed" and d.path.startswith(f"{what}/")}


def _pairs(a: Sequence[str], b: Sequence[str], renamed: dict[str, str]) -> list[list[int]]:
    places = {name: place for place, name in enumerate(b)}
    taken = {renamed.get(name, name): place for place, name in enumerate(a)}
    return [[mine, places[name]] for name, mine in taken.items() if name in places]


def _owners(robot: Robot) -> dict[tuple[str, str], int]:
    """The link that each named item belongs to."""
    links = link_places(robot)
    out = {("links", name): place for name, place in links.items()}
    movers = {joint.name: links.get(joint.child, -1) for joint in robot.joints}
    out.update({("joints", name): link for name, link in movers.items()})
    out.update({("couplings", c.joint): movers.get(c.joint, -1) for c in robot.couplings})
    out.update({("devices", d.name): links.get(d.link, -1) for d in robot.devices})
    out.update({("frames", f.name): links.get(f.link, -1) for f in robot.frames})
    return out


def _place(found: Difference) -> Data:
    """The item that a difference is about, "" for none, and the field of it without places in lists."""
    what, *rest = found.path.split("/")
    item = rest.pop(0) if rest and what in _KEYED else ""
    field = [what.removesuffix("s") if item else what, *(word for word in rest if not word.isdecimal())]
    return {"item": unpart(item), "field": " › ".join(field)}


def _link(found: Difference, owners: dict[tuple[str, str], int]) -> int:
    """The index of the link that a difference concerns, -1 if unknown."""
    what, _, rest = of_link(found.path).partition("/")
    name = unpart(rest.partition("/")[0])
    link = owners.get((what, name), -1)
    if link < 0 and found.kind == "renamed":
        return owners.get((what, str(found.after)), -1)
    return link
