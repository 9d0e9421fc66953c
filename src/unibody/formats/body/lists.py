"""Long lists of numbers in Body files as arrays, with findings for what is no number."""

from __future__ import annotations

from typing import Any

import numpy as np

from unibody.document.declare import Wrong, number
from unibody.formats.body.placement import place_of
from unibody.formats.format import Context
from unibody.text.node import Numbers, Row, Value

_LARGEST_INDEX = 2**31 - 1


def array(doc: Any, key: str, context: Context) -> Any:
    """A long list as an array; an empty one after a finding."""
    value: Value | None = getattr(doc, key)
    if value is None:
        return np.empty(0)
    try:
        if isinstance(value, Numbers):
            out = value.array()
        else:
            out = np.array([number(v) for v in (value.values if isinstance(value, Row) else [value])])
    except Wrong as e:
        at = doc.node.place(e.at) if doc.node and e.at is not None else place_of(doc, key)
        context.findings.error(e.code or "wrong-value", f"{doc.type}: {key}: {e.message}", at)
        return np.empty(0)
    except ValueError:
        context.findings.error(
            "wrong-value", f"{doc.type}: {key}: must be a list of numbers", place_of(doc, key)
        )
        return np.empty(0)
    if not np.isfinite(out).all():
        context.findings.error(
            "number-not-finite",
            f"{doc.type}: {key}: must be finite numbers (NaN or inf)",
            place_of(doc, key),
        )
        return np.empty(0)
    return out


def indices(doc: Any, key: str, context: Context) -> Any:
    """A long list of whole numbers as an array; an empty one after a finding."""
    values = array(doc, key, context)
    if values.size and (np.abs(values).max() > _LARGEST_INDEX or (values != np.floor(values)).any()):
        context.findings.error(
            "wrong-value", f"{doc.type}: {key}: must be whole numbers (indices)", place_of(doc, key)
        )
        return np.empty(0, dtype=np.int64)
    return values.astype(np.int64)


def multiple(doc: Any, key: str, values: Any, of: int, context: Context) -> Any:
    """The values without those that make no whole group of ``of``; a finding when there are any."""
    extra = values.size % of
    if extra:
        context.findings.warning(
            "list-length",
            f"{doc.type}: {key} has {values.size} numbers, not a multiple of {of}; "
            f"the last {extra} are left out",
            place_of(doc, key),
        )
    return values[: values.size - extra]
