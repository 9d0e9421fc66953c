"""What a loss of vendor data is: elements for other programs, and those that act in the source's format."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from unibody.document.plan import plan
from unibody.formats import by_name
from unibody.formats.format import Format
from unibody.model.facts import Difference
from unibody.model.metadata import Aspect
from unibody.model.robot import Extra
from unibody.text.node import Node, Value


class VendorItem(NamedTuple):
    """Items of vendor data of one kind: what one is called, and whether they act on the robot."""

    aspect: Aspect
    word: str
    number: int
    is_acting: bool


def vendor_items(difference: Difference) -> Iterator[VendorItem]:
    """The vendor elements that a difference removes; not what is left of elements that the model has."""
    extra = difference.before
    if difference.kind != "removed" or not isinstance(extra, Extra):
        return
    format = by_name(extra.format)
    for key, value, _ in extra.node.items:
        name = key or (value.tag if isinstance(value, Node) else "") or "text"
        if format is not None and name in format.acting:
            aspect, word = format.acting[name]
            number = len(value.items) if isinstance(value, Node) else 1
            yield VendorItem(aspect, word, number, True)
        elif not (name.startswith("xmlns") or _is_name(value) or _is_rest(format, extra.owner, name)):
            is_xml = format is not None and format.syntax == "xml" and isinstance(value, Node)
            yield VendorItem("vendor", f"<{name}> element" if is_xml else f"{name} item", 1, False)


def _is_name(value: Value) -> bool:
    """Whether nothing but the name of an element is kept."""
    return isinstance(value, Node) and bool(value.name) and not value.items


def _is_rest(format: Format | None, owner: str, name: str) -> bool:
    """Whether an item is the rest of one that the format's reader uses: its owner declares it."""
    if format is None:
        return False
    declared = format.declarations().owners.get(owner.partition("/")[0])
    return declared is not None and name in plan(declared).keys
