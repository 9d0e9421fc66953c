"""What srdfdom reads of an SRDF file, by its rules and with no code of unibody."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any
from xml.etree import ElementTree

Element = ElementTree.Element


def srdfdom(text: str, links: Collection[str], joints: Collection[str]) -> dict[str, Any]:
    """The content of a file whose URDF has these links and joints, in the form of srdfdom's dumps."""
    root = ElementTree.fromstring(text)
    assert root.tag == "robot"
    out: dict[str, Any] = {}
    out["virtual_joints"] = virtual = [
        [a["name"], _kind(a["type"]), a["parent_frame"], a["child_link"]]
        for a in _all(root, "virtual_joint", "name", "type", "parent_frame", "child_link")
        if a["child_link"] in links
    ]
    known = {*joints, *(name for name, *_ in virtual)}
    out["groups"] = _groups(root, links, known)
    names = {group["name"] for group in out["groups"]}
    out["group_states"] = [
        {"name": a["name"], "group": a["group"], "values": _values(x, known)}
        for x, a in _with(root, "group_state", "name", "group")
        if a["group"] in names
    ]
    out["end_effectors"] = [
        [a["name"], a["parent_link"], a["group"], a.get("parent_group", "")]
        for a in _all(root, "end_effector", "name", "group", "parent_link")
        if a["group"] in names and a["parent_link"] in links
    ]
    out["no_default"] = [
        a["link"] for a in _all(root, "disable_default_collisions", "link") if a["link"] in links
    ]
    for key, tag in (("enabled", "enable_collisions"), ("disabled", "disable_collisions")):
        out[key] = [
            [a["link1"], a["link2"], a.get("reason", "")]
            for a in _all(root, tag, "link1", "link2")
            if {a["link1"], a["link2"]} <= set(links)
        ]
    out["passive_joints"] = [a["name"] for a in _all(root, "passive_joint", "name") if a["name"] in known]
    out["spheres"] = [
        [a["link"], len(_spheres(x))]
        for x, a in _with(root, "link_sphere_approximation", "link")
        if a["link"] in links
    ]
    return out


def _with(parent: Element, tag: str, *needed: str) -> Iterator[tuple[Element, dict[str, str]]]:
    """The elements with all needed attributes, and their trimmed attributes."""
    for x in parent.findall(tag):
        given = {key: value.strip() for key, value in x.attrib.items()}
        if all(key in given for key in needed):
            yield x, given


def _all(parent: Element, tag: str, *needed: str) -> Iterator[dict[str, str]]:
    yield from (given for _, given in _with(parent, tag, *needed))


def _kind(word: str) -> str:
    return word.lower() if word.lower() in ("fixed", "floating", "planar") else "fixed"


def _groups(root: Element, links: Collection[str], joints: Collection[str]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [
        {
            "name": a["name"],
            "joints": [b["name"] for b in _all(x, "joint", "name") if b["name"] in joints],
            "links": [b["name"] for b in _all(x, "link", "name") if b["name"] in links],
            "chains": [
                [b["base_link"], b["tip_link"]]
                for b in _all(x, "chain", "base_link", "tip_link")
                if {b["base_link"], b["tip_link"]} <= set(links)
            ],
            "subgroups": [b["name"] for b in _all(x, "group", "name")],
        }
        for x, a in _with(root, "group", "name")
    ]
    # a group is there when all its subgroups are: what remains needs an unknown group, or itself
    complete: set[str] = set()
    while True:
        more = {g["name"] for g in found if set(g["subgroups"]) <= complete}
        if more == complete:
            return [g for g in found if g["name"] in complete]
        complete = more


def _values(state: Element, joints: Collection[str]) -> dict[str, list[float]]:
    out: dict[str, list[float]] = {}
    for a in _all(state, "joint", "name", "value"):
        if a["name"] in joints:
            out.setdefault(a["name"], []).extend(_number(word) for word in a["value"].split())
    return out


def _number(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        return 0.0


def _spheres(x: Element) -> list[Element]:
    spheres = x.findall("sphere")
    return [s for s in spheres if float(s.attrib.get("radius", "0")) > 0.0] or spheres[:1]
