"""What every format asks of links and joints: unique names and one tree."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from unibody.model.robot import Joint, Link
from unibody.model.traverse import path_of
from unibody.text.finding import Findings
from unibody.text.fixes import renamed, respelled
from unibody.text.near import near
from unibody.text.source import Span

_T = TypeVar("_T", bound=Any)


def unique_names(items: Sequence[_T], word: str, findings: Findings) -> list[_T]:
    """The items with names made unique: unnamed and repeated ones are renamed, with a finding."""
    taken = {x.name for x in items if x.name}
    seen: set[str] = set()
    last: dict[str, int] = {}
    out: list[_T] = []
    for x in items:
        if x.name and x.name not in seen:
            seen.add(x.name)
            out.append(x)
            continue
        stem = x.name or word
        number = last.get(stem, 1 if x.name else 0) + 1
        while f"{stem}_{number}" in taken:
            number += 1
        last[stem] = number
        name = f"{stem}_{number}"
        taken.add(name)
        seen.add(name)
        if x.name:
            message = f"duplicate {word} name '{x.name}'; this one is called '{name}'"
            fix = renamed(x.at, x.name, name)
            findings.warning("name-duplicate", message, x.at, subject=path_of(f"{word}s", name), fix=fix)
        else:
            findings.info("name-missing", f"a {word} has no name; it is called '{name}'", x.at)
        out.append(replace(x, name=name))
    return out


def check_tree(
    links: Sequence[Link],
    joints: Sequence[Joint],
    findings: Findings,
    parent_at: Mapping[str, Span | None] | None = None,
    complete: bool = True,
    link_at: Callable[[Joint, str], Span | None] | None = None,
) -> None:
    """Findings unless joints connect all links into one tree with one root.

    ``parent_at`` gives the place where a child link names its parent, ``link_at`` where a joint names its
    parent or child when that is no place of a finding; when a joint could not
    be read (not ``complete``), several roots are no news.
    """
    names = {link.name for link in links}
    at = parent_at or {}
    parent: dict[str, Joint] = {}
    broken = not complete or len(names) < len(links)
    repeated = _repeated(links, findings)
    searches = 100
    seen: set[str] = set()
    for j in joints:
        if j.name in seen:
            findings.error(
                "name-duplicate",
                f"duplicate joint name '{j.name}'",
                j.at,
                subject=path_of("joints", j.name),
            )
        seen.add(j.name)
        for end, word in ((j.parent, "parent"), (j.child, "child")):
            if end not in names:
                broken = True
                searches -= 1
                alike = near(end, names) if searches >= 0 else ""
                hint = f"did you mean '{alike}'?" if alike else ""
                what = f"'{end}', but there is no such link" if end else "no link"
                place = at.get(j.child) if word == "parent" and at.get(j.child) else j.at
                if not end and word == "parent":
                    message = f"link '{j.child}' has no parent, and is not the root"
                    findings.error(
                        "parent-missing",
                        message,
                        j.at,
                        "give its parent",
                        subject=path_of("links", j.child),
                    )
                else:
                    named = link_at(j, word) if link_at is not None else place
                    findings.error(
                        f"{word}-unknown",
                        f"joint '{j.name}': {word} is {what}",
                        place,
                        hint,
                        subject=path_of("joints", j.name, word),
                        suggestion=alike,
                        fix=respelled(named, end, alike),
                    )
        # of links that share a name, the second one's parent is no second parent
        if j.child in parent and j.child in names and j.child not in repeated:
            broken = True
            findings.error(
                "two-parents",
                f"link '{j.child}' has two parents, '{parent[j.child].parent}' (joint "
                f"'{parent[j.child].name}') and '{j.parent}' (joint '{j.name}')",
                j.at,
                "a tree gives each link one parent; write the second joint as a loop",
                subject=path_of("links", j.child),
            )
        parent.setdefault(j.child, j)
    if not broken:
        _roots(links, parent, findings)


def check_numbers(numbers: Iterable[tuple[int, str, Span | None]], findings: Findings) -> None:
    """Joint ids (each with its joint's name and place) are unique and go from 0 on.

    Choreonoid fills gaps with dummy joints (facts A.6); negative ids are none.
    """
    first: dict[int, str] = {}
    for number, name, at in numbers:
        if number < 0:
            continue
        if number in first:
            findings.warning(
                "joint-id-duplicate",
                f"jointId {number} (joint_id) is used by '{first[number]}' and '{name}'",
                at,
                "give each joint an id of its own",
            )
        first.setdefault(number, name)
    count = max(first, default=-1) + 1 - len(first)
    if count > 0:
        # only as many ids are looked at as are shown: an id may be two thousand million
        missing = itertools.islice((n for n in itertools.count() if n not in first), min(count, 8))
        shown = ", ".join(map(str, missing)) + (" …" if count > 8 else "")
        findings.info(
            "joint-id-gap",
            f"no joint has the id {shown}; Choreonoid fills each gap with an empty joint",
        )


def _repeated(links: Sequence[Link], findings: Findings) -> set[str]:
    """Names that several links have; each link after the first is an error."""
    seen: set[str] = set()
    repeated: set[str] = set()
    for link in links:
        if link.name in seen:
            repeated.add(link.name)
            findings.error(
                "name-duplicate",
                f"duplicate link name '{link.name}'",
                link.at,
                subject=path_of("links", link.name),
            )
        seen.add(link.name)
    return repeated


def _roots(links: Sequence[Link], parent: Mapping[str, Joint], findings: Findings) -> None:
    roots = [link for link in links if link.name not in parent]
    cycle = _cycle(parent)
    if cycle:
        joint = parent[cycle[0]]
        if len(cycle) == 1:
            message = f"link '{cycle[0]}' is its own parent"
        else:
            message = f"links form a cycle without a root: {' → '.join([*cycle, cycle[0]])}"
        findings.error("tree-cycle", message, joint.at, "one of them must hang on another link")
    elif len(roots) > 1:
        shown = ", ".join(f"'{r.name}'" for r in roots[:5]) + (" …" if len(roots) > 5 else "")
        findings.error(
            "roots-several",
            f"the model has {len(roots)} root links: {shown}",
            roots[1].at,
            "join them with joints; one model is one tree",
        )


def _cycle(parent: Mapping[str, Joint]) -> list[str]:
    """Names of the links of one cycle, or nothing."""
    done: set[str] = set()
    for start in parent:
        way: list[str] = []
        on_way: set[str] = set()
        name = start
        while name in parent and name not in done:
            if name in on_way:
                return list(reversed(way[way.index(name) :]))
            way.append(name)
            on_way.add(name)
            name = parent[name].parent
        done.update(way)
    return []
