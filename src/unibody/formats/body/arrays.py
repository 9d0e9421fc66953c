"""Converts lists of numbers to arrays and reports invalid numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from unibody.document.declare import Wrong, half_read, number
from unibody.document.values import culprit
from unibody.formats.format import Context
from unibody.text.node import Numbers, Row, Value
from unibody.text.number import format_float

_LARGEST_INDEX = 2**31 - 1


def array(doc: Any, key: str, context: Context) -> Any:
    """Convert a list of numbers to a float array; empty after an error."""
    value: Value | None = getattr(doc, key)
    if value is None:
        return np.empty(0)
    try:
        if isinstance(value, Numbers):
            out = value.array()
        else:
            out = _each(doc, key, value.values if isinstance(value, Row) else [value], context)
    except ValueError:
        out = _each(doc, key, value.places() if isinstance(value, Numbers) else [], context)
    if not np.isfinite(out).all():
        odd = culprit(value)
        context.findings.error(
            "number-not-finite",
            f"{doc.type}: {key}: must be finite numbers (NaN or inf)",
            doc.node.place(odd) if doc.node and odd is not None else doc.at(key),
        )
        return np.empty(0)
    return out


def _each(doc: Any, key: str, values: Sequence[Value], context: Context) -> Any:
    """Convert number by number; reports numeric prefixes, and returns an empty array for other words."""
    odd: list[Wrong] = []
    try:
        out = np.array([half_read(number, v, odd) for v in values], np.float64)
    except Wrong as e:
        _report(doc, key, e, context.findings.error)
        return np.empty(0)
    if odd:
        _report(doc, key, odd[0], context.findings.warning)
    return out


def _report(doc: Any, key: str, wrong: Wrong, say: Callable[..., None]) -> None:
    at = doc.node.place(wrong.at) if doc.node and wrong.at is not None else doc.at(key)
    message = f"{doc.type}: {key}: {wrong.message}"
    say(wrong.code or "wrong-value", message, at, wrong.hint, fix=wrong.fix(at))


def indices(doc: Any, key: str, context: Context) -> Any:
    """Convert a list of indices to an integer array; empty after an error."""
    values = array(doc, key, context)
    if values.size and np.abs(values).max() > _LARGEST_INDEX:
        context.findings.error(
            "wrong-value", f"{doc.type}: {key}: must be whole numbers (indices)", doc.at(key)
        )
        return np.empty(0, dtype=np.int64)
    whole = values.astype(np.int64)
    if (values != whole).any():
        worst = int(np.flatnonzero(values != whole)[0])
        message = f"'{format_float(float(values[worst]))}' is read as {whole[worst]}"
        context.findings.warning(
            "number-suffix", f"{doc.type}: {key}: {message}", doc.at(key), "write whole numbers"
        )
    return whole


def multiple(doc: Any, key: str, values: Any, of: int, context: Context) -> Any:
    """Truncate values to a multiple of ``of``; reports excess values."""
    extra = values.size % of
    if extra:
        context.findings.warning(
            "list-length",
            f"{doc.type}: {key} has {values.size} numbers, not a multiple of {of}; "
            f"the last {extra} ignored",
            doc.at(key),
        )
    return values[: values.size - extra]
