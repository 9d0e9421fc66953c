"""The aspect of a robot that a fact matters for, from the metadata of the fields on its path."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any

from unibody.model.facts import Difference
from unibody.model.metadata import Aspect
from unibody.model.robot import Robot
from unibody.model.schema import hints, kind
from unibody.model.traverse import field_lists

__all__ = ["aspect_of", "aspect_of_difference"]


def aspect_of(path: str) -> Aspect:
    """What the fact at ``path`` matters for: declared by the last field on the path that declares it.

    >>> aspect_of("links/HAND/inertial/mass"), aspect_of("joints/KNEE/limits/effort")
    ('mass', 'actuation')
    """
    found: Aspect = "cosmetics"
    classes: tuple[type, ...] = (Robot,)
    parts = iter(path.split("/"))
    for name in parts:
        cls = next((c for c in classes if name in _aspects(c)), None)
        if cls is None:
            break
        aspect, is_list, classes = _aspects(cls)[name]
        found = aspect or found
        if is_list:
            next(parts, None)
    return found


def aspect_of_difference(difference: Difference) -> Aspect:
    """What a difference matters for; another name or another order is a matter of numbering."""
    if difference.kind in ("renamed", "moved"):
        return "numbering"
    return aspect_of(difference.path)


@cache
def _aspects(cls: type) -> dict[str, tuple[Aspect | None, bool, tuple[type, ...]]]:
    """By field: the aspect it declares, whether it is a list, and the classes of its values."""
    declared = {f.name: f.metadata.get("concerns") for f in fields(cls)}
    lists = dict(field_lists(cls))
    return {name: (declared[name], lists[name], tuple(_classes(hint))) for name, hint in hints(cls).items()}


def _classes(hint: Any) -> list[type]:
    """The dataclasses that a type hint names."""
    what, args = kind(hint)
    if what == "record":
        return list(args)
    return [c for a in args if what in ("list", "optional", "union") for c in _classes(a)]
