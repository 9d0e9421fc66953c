"""Converts lists of numbers as the model holds them, and reports invalid ones (ISO/IEC 14772-1, 5)."""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unibody.document.declare import Document, Wrong, plan
from unibody.document.values import culprit
from unibody.formats.vrml97.values import finite_numbers, sf_float, sf_int32
from unibody.model.shape import MANY, Floats, Ints, floats, ints
from unibody.text.dataclass import dataclass
from unibody.text.finding import Findings
from unibody.text.node import Numbers, Word
from unibody.text.number import parse_float
from unibody.text.source import Span

_LARGEST_INDEX = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Listed:
    """A list of numbers and its field of ``doc``, by Python name."""

    doc: Document | None
    field: str
    numbers: Numbers | None

    @property
    def empty(self) -> bool:
        """Whether the list has no numbers; does not convert them."""
        return self.numbers is None or not self.numbers.body.strip(" \t\r\n,")

    @property
    def key(self) -> str:
        """The name of the field in the file."""
        return self.field if self.doc is None else plan(type(self.doc)).fields[self.field].key

    def at(self) -> Span | None:
        """The place of the list, or else of its node."""
        return None if self.doc is None else self.doc.at(self.field)

    @property
    def name(self) -> str:
        """The name of the list in findings."""
        return f"{getattr(self.doc, 'tag', '')}: {self.key}"


def listed(doc: Any, name: str) -> Listed:
    """The list ``name`` of a document, empty without a document."""
    return Listed(doc, name, None if doc is None else getattr(doc, name))


# Longer texts have MANY numbers, or nearly so.
_SHORT = 8 * MANY


def _few(listed: Listed, width: int) -> Floats | None:
    """A short list without any defect; None for any other, to be read with findings.

    Most lists have a few numbers, or none: these need no arrays.
    """
    if listed.numbers is None:
        return ()
    body = listed.numbers.body
    if len(body) > _SHORT:
        return None
    out = finite_numbers(body)
    return out if out is not None and len(out) < MANY and len(out) % width == 0 else None


def _few_whole(listed: Listed) -> Ints | None:
    """The same for integers."""
    if listed.numbers is None:
        return ()
    body = listed.numbers.body
    if len(body) > _SHORT or "_" in body or not body.isascii():
        return None
    try:
        out = tuple(map(int, (body.replace(",", " ") if "," in body else body).split()))
    except ValueError:
        return None
    good = len(out) < MANY and (not out or -_LARGEST_INDEX <= min(out) <= max(out) <= _LARGEST_INDEX)
    return out if good else None


@dataclass(slots=True)
class Lists:
    """Converts the lists of one geometry and collects their findings."""

    findings: Findings = field(default_factory=Findings)

    def finite(self, listed: Listed, width: int = 1) -> Floats:
        """Complete rows of ``width`` numbers, empty after an error; NaN and infinity are errors."""
        if (few := _few(listed, width)) is not None:
            return few
        out = self._array(listed, width)
        if not np.isfinite(out).all():
            self.findings.error(
                "number-not-finite",
                f"{listed.name} must be finite, without NaN and infinity",
                self._place(listed, culprit(listed.numbers) if listed.numbers is not None else None),
            )
        return floats(out)

    def normals(self, listed: Listed) -> Floats:
        """Normals; empty if one is not finite, so that they are computed from the faces."""
        if (few := _few(listed, 3)) is not None:
            return few
        out = self._array(listed, 3)
        if np.isfinite(out).all():
            return floats(out)
        self.findings.warning(
            "normals-not-finite",
            f"{listed.name} contains NaN or infinity; using normals computed from the faces",
            self._place(listed),
            "remove the normals, or export them again",
        )
        return ()

    def ints(self, listed: Listed) -> Ints:
        """Integers, empty after an error."""
        if (few := _few_whole(listed)) is not None:
            return few
        if listed.empty or listed.numbers is None:
            return ()
        try:
            out = listed.numbers.integers()
        except (ValueError, OverflowError):
            out = np.array(self._each(listed, _integer), dtype=np.int64)
        if out.size and max(int(out.max()), -int(out.min())) > _LARGEST_INDEX:
            self.findings.error("wrong-value", f"{listed.name}: index out of range", self._place(listed))
            return ()
        return ints(out)

    def _array(self, listed: Listed, width: int) -> NDArray[np.float64]:
        """A flat array of complete rows of ``width`` numbers, empty after an error; NaN is kept."""
        if listed.empty or listed.numbers is None:
            return np.empty(0)
        try:
            out = listed.numbers.array()
        except (ValueError, OverflowError):
            words = self._each(listed, _float)
            out = np.array(words, dtype=np.float64)
        if extra := out.size % width:
            self.findings.warning(
                "list-length",
                f"{listed.name} has {out.size} numbers, not a multiple of {width}; "
                f"the last {'one is' if extra == 1 else f'{extra} are'} ignored",
                self._place(listed),
            )
        return out[: out.size - extra]

    def _each(self, listed: Listed, parse: Any) -> list[Any]:
        """Convert number by number; empty, with an error, after an invalid number."""
        out: list[Any] = []
        odd = False
        for word in listed.numbers.places() if listed.numbers is not None else ():
            try:
                out.append(parse(word))
            except Wrong as wrong:
                place = self._place(listed, word)
                if wrong.value is None:
                    self.findings.error(
                        "wrong-value",
                        f"{listed.name}: {wrong.message}",
                        place,
                        wrong.hint,
                        fix=wrong.fix(place),
                    )
                    return []
                if not odd:
                    self.findings.warning(
                        wrong.code or "odd-value",
                        f"{listed.name}: {wrong.message}",
                        place,
                        wrong.hint,
                        fix=wrong.fix(place),
                    )
                odd = True
                out.append(wrong.value)
        return out

    def _place(self, listed: Listed, word: Word | None = None) -> Span | None:
        node = listed.doc.node if listed.doc is not None else None
        if node is not None and word is not None and word.start >= 0:
            return node.place(word)
        return listed.at()


def _float(word: Word) -> float:
    # printf of C writes NaN as "nan" or "1.#IND"
    if "#" in word.text or (parse_float(word.text) is None and "nan" in word.text.lower()):
        return float("nan")
    return sf_float(word)


def _integer(word: Word) -> int:
    return sf_int32(word)
