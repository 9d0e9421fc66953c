"""Values of the elements of a ``mujoco.MjSpec`` as words of MJCF, all digits kept."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np

from unibody.document.declare import Document, plan
from unibody.text.node import Item, Word

# Elements whose single numbers are in single precision in MuJoCo.
_SINGLE = ("light", "material")
# Lists that end with zeros where fewer numbers are given.
_SHORT = frozenset(("size", "damping", "stiffness", "biasprm", "gainprm", "dynprm", "gear", "springyield"))
_WORDS = {"DIRECTIONAL": "directional", "SRGB": "sRGB"}


def numbers(values: Iterable[Any]) -> Word:
    """Numbers with the digits that they need in their own precision."""
    if isinstance(values, np.ndarray) and values.dtype == np.float32:
        return Word(" ".join(_single(v) for v in values))
    return Word(" ".join(_shown(v) for v in values))


def _shown(value: Any) -> str:
    if isinstance(value, np.float32):
        return _single(value)
    number = float(value)
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)


def _single(value: Any) -> str:
    number = float(value)
    if number.is_integer() and abs(number) < 1e15:
        return str(int(number))
    return str(np.float32(value))


def is_unset(values: Any) -> bool:
    """Whether MuJoCo's mark of a value that is not given is in the first place."""
    first = next(iter(values), math.nan)
    return isinstance(first, float) and math.isnan(first)


class Values:
    """Writes the attributes of elements that differ from those of a new one."""

    def __init__(self, spec_type: Any) -> None:
        self._spec = spec_type()
        self._blanks: dict[str, Any] = {"spec": self._spec}

    def blank(self, tag: str) -> Any:
        """A new element of MuJoCo's of a kind."""
        if tag not in self._blanks:
            holder = self._spec.worldbody if hasattr(self._spec.worldbody, f"add_{tag}") else self._spec
            self._blanks[tag] = getattr(holder, f"add_{tag}")()
        return self._blanks[tag]

    def items(
        self,
        tag: str,
        cls: type[Document],
        element: Any,
        names: Mapping[str, str],
        skip: Collection[str],
        blank: Any = None,
    ) -> list[Item]:
        """The attributes of an element; ``names`` are those of MuJoCo's fields where they differ."""
        blank = self.blank(tag) if blank is None else blank
        out: list[Item] = []
        for spec in plan(cls).fields.values():
            key = spec.key
            field = names.get(key, "userdata" if key == "user" else key)
            if spec.type is None or key in skip or key in _RESOLVED or not hasattr(blank, field):
                continue
            value, new = getattr(element, field), getattr(blank, field)
            text = self.changed(value, new, tag in _SINGLE, key in _SHORT)
            words = spec.type.schema.get("enum")
            if text is not None and words and type(value) is int:
                text = words[value]  # MuJoCo numbers its words in the order of the declaration
            if text is not None:
                out.append((key, Word(text), -1))
        return out

    def changed(self, value: Any, blank: Any, single: bool = False, short: bool = False) -> str | None:
        """A value in words, None if it is that of a new element or not given."""
        if hasattr(value, "name") and hasattr(value, "value"):
            if value == blank:
                return None
            word = str(value.name).rpartition("_")[2]
            return _WORDS.get(word, word.lower())
        if isinstance(value, bool):
            return None if value == bool(blank) else str(value).lower()
        if isinstance(value, str):
            return value or None
        if isinstance(value, int):
            return None if value == blank else str(value)
        if isinstance(value, float):
            if math.isnan(value) or value == blank:
                return None
            return _single(value) if single else _shown(value)
        if isinstance(value, bytes) or not hasattr(value, "__iter__"):
            return None
        listed = list(value)
        if not listed or is_unset(listed) or listed == list(blank):
            return None
        if short:
            while len(listed) > 1 and not listed[-1]:
                listed.pop()
        if isinstance(value, np.ndarray) or single:
            is_single = single or value.dtype == np.float32
        else:
            is_single = "Float" in type(value).__name__
        return " ".join(_single(v) if is_single else _shown(v) for v in listed)


#: What is resolved, or written with the poses.
_RESOLVED = frozenset(
    ("pos", "quat", "axisangle", "xyaxes", "zaxis", "euler", "fromto", "class", "childclass")
)
