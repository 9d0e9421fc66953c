"""Applies Drake's collision filter groups to the pairs of links that are tested."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from unibody.formats.filter_groups import FilterGroup, excluded
from unibody.formats.sdf.document_model import Model
from unibody.formats.sdf.document_shapes import Words
from unibody.formats.sdf.frames import Frames, Scope
from unibody.model.robot import SelfCollision


def filtered(rules: SelfCollision, scopes: Sequence[Scope], frames: Frames) -> SelfCollision:
    """The rules without the pairs that the groups of models exclude; unknown links are reported."""
    groups = [group for scope in scopes for group in _groups(scope, frames)]
    if not groups:
        return rules
    off = excluded(groups)
    if rules.default == "none":
        return replace(rules, enabled=tuple(x for x in rules.enabled if frozenset(x) not in off))
    known = {frozenset(x) for x in rules.disabled}
    return replace(rules, disabled=(*rules.disabled, *(x for key, x in off.items() if key not in known)))


def _groups(scope: Scope, frames: Frames) -> Iterable[FilterGroup]:
    """The groups of a model; names of links and groups are those in the robot."""
    if not isinstance(scope.doc, Model):
        return
    for doc in scope.doc.filter_groups:
        if doc.ignore:
            continue
        what = f"collision filter group '{doc.name}': drake:member"
        links = []
        for word in doc.members:
            found = frames.look_up(scope, word.value or "", what, word.at(), "link")
            if found is not None and found.kind == "link":
                links.append(found.path)
        yield FilterGroup(
            name=scope.prefix + (doc.name or ""),
            links=tuple(links),
            groups=_names(scope, doc.groups),
            ignored=_names(scope, doc.ignored),
            at=doc.at(),
        )


def _names(scope: Scope, words: Iterable[Words]) -> tuple[str, ...]:
    return tuple(scope.prefix + (word.value or "") for word in words)
