"""Lists of numbers of documents as arrays, converted once each; what is wrong in them is found here."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unibody.document.declare import Document, Wrong, half_read, plan
from unibody.formats.vrml97.values import sf_float
from unibody.text.finding import Findings
from unibody.text.node import Numbers, Word
from unibody.text.source import Span

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

# What stands for the width of whole numbers.
_WHOLE = 0


class Arrays:
    """The arrays of one reading; those of a value that is used again are the same objects.

    Defaults are values that all documents of a kind share, and most of what is asked for.
    """

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        # by the value, which is held so that its id stays its own, and by what is made of it
        self.made: dict[tuple[int, int], tuple[Numbers, Any]] = {}

    def rows(self, doc: Any, name: str, width: int) -> Floats:
        """A list of numbers as rows (n, width), read-only; empty after an error."""
        value = getattr(doc, name)
        known = self.made.get((id(value), width))
        if known is None:
            known = self.made[id(value), width] = (value, self._rows(doc, name, width))
        return known[1]

    def whole(self, doc: Any, name: str) -> Indices:
        """A list of whole numbers, read-only; empty after an error."""
        value = getattr(doc, name)
        known = self.made.get((id(value), _WHOLE))
        if known is None:
            known = self.made[id(value), _WHOLE] = (value, self._whole(doc, name))
        return known[1]

    def _rows(self, doc: Any, name: str, width: int) -> Floats:
        value: Numbers = getattr(doc, name)
        try:
            flat = value.array()
        except ValueError:
            flat = self._each(doc, name, value)
        if not np.isfinite(flat).all():
            self._wrong(doc, name, value, "a finite number", _finite, "number-not-finite")
            flat = np.empty(0)
        if flat.size % width:
            self.findings.error(
                "number-count",
                f"{doc.tag}: {self._key(doc, name)} has {flat.size} numbers, but each value has {width}",
                doc.at(name),
                "the last ones are left out",
            )
            flat = flat[: flat.size - flat.size % width]
        rows = flat.reshape(-1, width)
        rows.flags.writeable = False
        return rows

    def _each(self, doc: Any, name: str, value: Numbers) -> Floats:
        """Number by number: one that is half read is told of; for one that is none the list is left out."""
        odd: list[Wrong] = []
        try:
            out = np.array([half_read(sf_float, word, odd) for word in value.places()])
        except Wrong as wrong:
            self._tell(doc, name, wrong)
            return np.empty(0)
        if odd:
            self._tell(doc, name, odd[0])
        return out

    def _tell(self, doc: Any, name: str, wrong: Wrong) -> None:
        word, at = wrong.at, doc.at(name)
        if isinstance(word, Word) and word.start >= 0 and at is not None:
            at = Span(at.source, word.start, word.end)
        message, code = f"{doc.tag}: {self._key(doc, name)}: {wrong.message}", wrong.code or "wrong-value"
        if wrong.value is None:
            self.findings.error(code, message, at, "the whole list is left out")
        else:
            self.findings.warning(code, message, at, wrong.hint, fix=wrong.fix(at))

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

    def _wrong(
        self, doc: Any, name: str, value: Numbers, what: str, read: Any, code: str = "wrong-value"
    ) -> None:
        """Say which of the numbers is none; the whole list is left out."""
        at = doc.at(name)
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
        self.findings.error(code, message, at, "the whole list is left out")

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
