"""Lists of numbers of documents as arrays, converted once each; what is wrong in them is found here."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unibody.document.declare import Document, plan
from unibody.text.finding import Findings
from unibody.text.node import Numbers
from unibody.text.source import Span

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


def place_of(doc: Document, name: str) -> Span | None:
    """Where a field of a document stands; the document itself when it does not."""
    if doc.node is None:
        return None
    spec = plan(type(doc)).fields[name]
    for key, value, start in doc.node.items:
        if key in (spec.key, *spec.old):
            return doc.node.place(value, start)
    return doc.node.span


class Arrays:
    """The arrays of one reading; those of a document that is used again are the same objects."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        self.made: dict[tuple[int, str], tuple[Document, Any]] = {}

    def rows(self, doc: Any, name: str, width: int) -> Floats:
        """A list of numbers as rows (n, width), read-only; empty after an error."""
        key = (id(doc), name)
        if key not in self.made:
            self.made[key] = (doc, self._rows(doc, name, width))
        else:
            getattr(doc, name)  # counts as a look at the field
        return self.made[key][1]  # type: ignore[no-any-return]

    def whole(self, doc: Any, name: str) -> Indices:
        """A list of whole numbers, read-only; empty after an error."""
        key = (id(doc), name)
        if key not in self.made:
            self.made[key] = (doc, self._whole(doc, name))
        else:
            getattr(doc, name)
        return self.made[key][1]  # type: ignore[no-any-return]

    def _rows(self, doc: Any, name: str, width: int) -> Floats:
        value: Numbers = getattr(doc, name)
        try:
            flat = value.array()
        except ValueError:
            self._wrong(doc, name, value, "a number", float)
            flat = np.empty(0)
        if not np.isfinite(flat).all():
            self._wrong(doc, name, value, "a finite number", _finite)
            flat = np.empty(0)
        if flat.size % width:
            self.findings.error(
                "number-count",
                f"{doc.tag}: {self._key(doc, name)} has {flat.size} numbers, but each value has {width}",
                place_of(doc, name),
                "the last ones are left out",
            )
            flat = flat[: flat.size - flat.size % width]
        rows = flat.reshape(-1, width)
        rows.flags.writeable = False
        return rows

    def _whole(self, doc: Any, name: str) -> Indices:
        value: Numbers = getattr(doc, name)
        try:
            flat = value.integers()
        except (ValueError, OverflowError):
            try:
                flat = np.array([_integer(word.text) for word in value.places()], np.int64)
            except (ValueError, OverflowError):
                self._wrong(doc, name, value, "a whole number", _integer)
                flat = np.empty(0, np.int64)
        flat.flags.writeable = False
        return flat

    def _wrong(self, doc: Any, name: str, value: Numbers, what: str, read: Any) -> None:
        """Say which of the numbers is none; the whole list is left out."""
        at = place_of(doc, name)
        shown = "a value"
        for word in value.places():
            try:
                read(word.text)
            except (ValueError, OverflowError):
                shown = f"'{word.text[:40]}'"
                if word.start >= 0 and at is not None:
                    at = Span(at.source, word.start, word.end)
                break
        message = f"{doc.tag}: {self._key(doc, name)} must be {what}, not {shown}"
        self.findings.error("wrong-value", message, at, "the whole list is left out")

    @staticmethod
    def _key(doc: Document, name: str) -> str:
        return plan(type(doc)).fields[name].key


def _finite(text: str) -> float:
    value = float(text)
    if not np.isfinite(value):
        raise ValueError(text)
    return value


def _integer(text: str) -> int:
    """A whole number, in decimal or hexadecimal, of at most 53 bits."""
    value = int(text, 16) if text[:3].lower().lstrip("+-").startswith("0x") else int(text)
    if abs(value) > 2**53:
        raise OverflowError(text)
    return value
