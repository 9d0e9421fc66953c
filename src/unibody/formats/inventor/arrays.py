"""Converts lists of numbers of a document to arrays, each once, and reports invalid numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from unibody.document.declare import Document, Wrong, half_read, plan
from unibody.formats.vrml97.values import sf_float
from unibody.model.arrays import Floats, Integers
from unibody.text.finding import Findings
from unibody.text.node import Numbers, Word
from unibody.text.source import Span

# The width of an integer list in the key of the cache.
_WHOLE = 0


class Arrays:
    """The arrays of one load; a shared value (most defaults are shared) has a shared array."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        # by id and width; the value is stored to keep its id from being reused
        self.made: dict[tuple[int, int], tuple[Numbers, Any]] = {}

    def rows(self, doc: Any, name: str, width: int) -> Floats:
        """A list of numbers as a read-only array (n, width), empty after an error."""
        value = getattr(doc, name)
        known = self.made.get((id(value), width))
        if known is None:
            known = self.made[id(value), width] = (value, self._rows(doc, name, width))
        return known[1]

    def whole(self, doc: Any, name: str) -> Integers:
        """A list of integers as a read-only array (n,), empty after an error."""
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
                f"{doc.tag}: {self._key(doc, name)} has {flat.size} numbers, not a multiple of {width}",
                doc.at(name),
                "add the missing numbers; those of the incomplete value are ignored",
            )
            flat = flat[: flat.size - flat.size % width]
        rows = flat.reshape(-1, width)
        rows.flags.writeable = False
        return rows

    def _each(self, doc: Any, name: str, value: Numbers) -> Floats:
        """Convert number by number; reports the first odd number; empty after an invalid one."""
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
            self.findings.error(code, message, at, "correct the number; the list is ignored")
        else:
            self.findings.warning(code, message, at, wrong.hint, fix=wrong.fix(at))

    def _whole(self, doc: Any, name: str) -> Integers:
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
        """Report the first number of a list that ``read`` rejects."""
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
        self.findings.error(code, message, at, "correct the number; the list is ignored")

    @staticmethod
    def _key(doc: Document, name: str) -> str:
        return plan(type(doc)).fields[name].key


def _finite(text: str) -> float:
    value = float(text)
    if not np.isfinite(value):
        raise ValueError(text)
    return value


def _integer(text: str) -> int:
    """An integer, decimal or hexadecimal; OverflowError for more than 53 bits."""
    value = int(text, 16) if text[:3].lower().lstrip("+-").startswith("0x") else int(text)
    if abs(value) > 2**53:
        raise OverflowError(text)
    return value
