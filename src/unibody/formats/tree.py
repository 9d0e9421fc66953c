"""Checks shared by the readers: unique names, one tree of links, consecutive joint ids."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from unibody.model.joint_kind import KINDS, JointKind
from unibody.model.robot import Joint, Link
from unibody.model.traverse import path_of
from unibody.text.counted import listed
from unibody.text.finding import Findings, Severity
from unibody.text.fixes import renamed, respelled
from unibody.text.near import did_you_mean, near
from unibody.text.source import Span

_T = TypeVar("_T", bound=Any)


def ordinal(number: int) -> str:
    """The word for the place of a duplicate in the order of the file.

    >>> ordinal(2), ordinal(5)
    ('second', '5th')
    """
    words = {1: "first", 2: "second", 3: "third", 4: "fourth"}
    return words.get(number, f"{number}th")


def unique_names(
    items: Sequence[_T],
    word: str,
    findings: Findings,
    unnamed: Severity = "info",
    code: str = "name-missing",
) -> list[_T]:
    """The items with unique names: unnamed and duplicate ones are renamed, with a finding.

    ``unnamed`` is the severity for an item without a name, ``code`` the code of that finding.
    """
    taken = {x.name for x in items if x.name}
    seen: set[str] = set()
    first: dict[str, Span | None] = {}
    last: dict[str, int] = {}
    count: Counter[str] = Counter()
    out: list[_T] = []
    for x in items:
        count[x.name] += 1
        if x.name and x.name not in seen:
            seen.add(x.name)
            first[x.name] = x.at
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
            place = first_place(first.get(x.name), x.at)
            message = f"duplicate {word} name '{x.name}'; renamed to '{name}'{place}"
            fix = renamed(x.at, x.name, name, f"{ordinal(count[x.name])} {word}")
            findings.warning("name-duplicate", message, x.at, subject=path_of(f"{word}s", name), fix=fix)
        else:
            report = findings.warning if unnamed == "warning" else findings.info
            report(code, f"unnamed {word}; using '{name}'", x.at)
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
    """Report it if the joints do not connect all links to one tree with one root.

    ``parent_at`` maps a child link to the place of the reference to its parent. ``link_at`` returns the
    place of a joint's reference to its parent or child, for fixes. If some joints could not be read
    (``complete`` is false), several roots are not reported.
    """
    names = {link.name for link in links}
    at = parent_at or {}
    parent: dict[str, Joint] = {}
    broken = not complete or len(names) < len(links)
    repeated = _repeated(links, joints, findings)
    searches = 100
    named: dict[str, Span | None] = {}
    for j in joints:
        if j.name in named:
            findings.error(
                "name-duplicate",
                f"duplicate joint name '{j.name}'{first_place(named[j.name], j.at)}",
                j.at,
                subject=path_of("joints", j.name),
            )
        named.setdefault(j.name, j.at)
        for end, word in ((j.parent, "parent"), (j.child, "child")):
            if end not in names:
                broken = True
                searches -= 1
                alike = near(end, names) if searches >= 0 else ""
                hint = did_you_mean(alike)
                what = f"refers to unknown {word} link '{end}'" if end else f"has no {word} link"
                place = at.get(j.child) if word == "parent" and at.get(j.child) else j.at
                if not end and word == "parent":
                    message = f"link '{j.child}' has no parent, but is not the root"
                    findings.error(
                        "parent-missing",
                        message,
                        j.at,
                        "set the parent of the link",
                        subject=path_of("links", j.child),
                    )
                else:
                    written = link_at(j, word) if link_at is not None else place
                    findings.error(
                        f"{word}-unknown",
                        f"joint '{j.name}' {what}",
                        place,
                        hint,
                        subject=path_of("joints", j.name, word),
                        suggestion=alike,
                        fix=respelled(written, end, alike),
                    )
        # two links with one name may have different parents
        if j.child in parent and j.child in names and j.child not in repeated:
            broken = True
            findings.error(
                "two-parents",
                f"link '{j.child}' has two parents: '{parent[j.child].parent}' (joint "
                f"'{parent[j.child].name}') and '{j.parent}' (joint '{j.name}')",
                j.at,
                "write the second joint as a loop",
                subject=path_of("links", j.child),
            )
        parent.setdefault(j.child, j)
    if not broken:
        _roots(links, parent, findings)


def joint_number(written: int, kind: JointKind) -> int | None:
    """``Joint.number`` of a joint in a format with joint ids, where a negative id means none."""
    if written >= 0:
        return written
    return -1 if KINDS[kind].numbered else None


def check_numbers(numbers: Iterable[tuple[int, str, Span | None]], findings: Findings) -> None:
    """Report joint ids (with the name and place of their joint) that are not unique or not consecutive.

    Choreonoid fills gaps with dummy joints (facts A.6); negative ids are ignored.
    """
    first: dict[int, str] = {}
    for number, name, at in numbers:
        if number < 0:
            continue
        if number in first:
            findings.warning(
                "joint-id-duplicate",
                f"duplicate jointId {number}: '{first[number]}' and '{name}'",
                at,
                "give each joint a unique id",
            )
        first.setdefault(number, name)
    count = max(first, default=-1) + 1 - len(first)
    if count > 0:
        # ids may be as large as 2e9: only the gaps that are shown are searched
        missing = itertools.islice((n for n in itertools.count() if n not in first), min(count, 8))
        shown = ", ".join(map(str, missing)) + (" …" if count > 8 else "")
        findings.info(
            "joint-id-gap",
            f"unused joint id {shown}; Choreonoid adds an empty joint for each gap",
        )


def first_place(first: Span | None, at: Span | None) -> str:
    """Where the first of two duplicates is, for a message: ``; the first is in line 3``."""
    if first is None:
        return ""
    if at is not None and first.source.name == at.source.name:
        return f"; the first is in line {first.line}"
    return f"; the first is in {first.source.name}, line {first.line}"


def _joint_names(names: Sequence[str]) -> str:
    """The joints that refer to a duplicate, with the verb: ``joints 'a' and 'b' have it``."""
    if len(names) == 1:
        return f"joint '{names[0]}' has it"
    last = f"'{names[-1]}'" if len(names) <= 4 else f"{len(names) - 3} more"
    shown = ", ".join(f"'{name}'" for name in names[: min(len(names) - 1, 3)])
    return f"joints {shown} and {last} have it"


def _repeated(links: Sequence[Link], joints: Sequence[Joint], findings: Findings) -> set[str]:
    """Report links with the name of an earlier link; returns these names."""
    first: dict[str, Link] = {}
    repeated: set[str] = set()
    above: dict[str, list[str]] = {}
    for joint in joints:
        above.setdefault(joint.child, []).append(joint.name)
    for link in links:
        if link.name not in first:
            first[link.name] = link
            continue
        repeated.add(link.name)
        # where links and joints are written as one element, both have one name
        moved = [name for name in above.get(link.name, []) if name != link.name]
        named = f"; {_joint_names(moved)} as child" if moved else ""
        hint = "give the second link its own name"
        if len(moved) == 2:
            hint = f"{hint}, also in joint '{moved[1]}' and in the joints below it"
        findings.error(
            "name-duplicate",
            f"duplicate link name '{link.name}'{first_place(first[link.name].at, link.at)}{named}",
            link.at,
            hint,
            subject=path_of("links", link.name),
        )
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
        findings.error(
            "tree-cycle", message, joint.at, "attach one of these links to a link outside the cycle"
        )
    elif len(roots) > 1:
        shown = listed((f"'{r.name}'" for r in roots), 5)
        findings.error(
            "roots-several",
            f"{len(roots)} root links: {shown}",
            roots[1].at,
            "connect the root links with joints",
        )


def _cycle(parent: Mapping[str, Joint]) -> list[str]:
    """The names of the links of one cycle, empty if there is none."""
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
