"""Drake's collision filter groups: which pairs of links they exclude."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

from unibody.text.dataclass import dataclass
from unibody.text.source import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterGroup:
    """A group: its links, the groups whose links are its own, too, and the groups that it ignores."""

    name: str
    links: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    at: Span | None = None


def excluded(groups: Sequence[FilterGroup]) -> dict[frozenset[str], tuple[str, str]]:
    """The pairs of links that groups exclude, by their set.

    A group that ignores another one excludes all pairs between the members of both; one that ignores
    itself, those within it.

    >>> left = FilterGroup(name="l", links=("a", "b"), ignored=("r",))
    >>> list(excluded([left, FilterGroup(name="r", links=("c",))]).values())
    [('a', 'c'), ('b', 'c')]
    """
    by_name = {group.name: group for group in groups}
    pairs: dict[frozenset[str], tuple[str, str]] = {}
    for group in groups:
        for other in group.ignored:
            mine, theirs = (_members(name, by_name) for name in (group.name, other))
            for a, b in combinations(mine, 2) if other == group.name else product(mine, theirs):
                if a != b:
                    pairs.setdefault(frozenset((a, b)), (a, b))
    return pairs


def _members(name: str, groups: dict[str, FilterGroup]) -> list[str]:
    """The links of a group and of the groups in it, each once."""
    out: dict[str, None] = {}
    todo, done = [name], {name}
    while todo:
        group = groups.get(todo.pop(0))
        if group is None:
            continue
        out.update(dict.fromkeys(group.links))
        more = [x for x in group.groups if x not in done]
        done.update(more)
        todo += more
    return list(out)
