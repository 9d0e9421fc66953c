"""Python code of a traced kernel, for one configuration: plain numbers, where numpy would compute with
arrays of a few.

It serves where nothing compiles: an operation of Python takes a fiftieth of one of numpy.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from unibody.mechanism.tracing import Scalar, Symbols, Tape
from unibody.model.arrays import Floats

_SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}

#: Operations in one expression, one in the other: the compiler of Python goes down into them.
_DEEPEST = 12


class Straight:
    """A traced kernel as a function of numbers."""

    def __init__(self, tape: Tape, results: Symbols) -> None:
        flat = results.values.ravel().tolist()
        # each number that results have is computed and converted once
        found: dict[Any, int] = {}
        self._places = np.array([found.setdefault(_key(x), len(found)) for x in flat], np.intp)
        first = {place: x for x, place in zip(flat[::-1], self._places.tolist()[::-1], strict=True)}
        lines = _lines(tape, [first[place] for place in range(len(found))])
        names: dict[str, Any] = {"sin": math.sin, "cos": math.cos, "sqrt": math.sqrt}
        names |= {"inf": math.inf, "nan": math.nan}
        exec(compile("\n".join(lines), "<kernel>", "exec"), names)
        self._function: Callable[[list[float]], list[float]] = names["run"]
        self._shape = results.shape

    def run(self, given: Sequence[Floats], lead: tuple[int, ...]) -> Floats | None:
        """The results (*lead, ...) for rows (count, n) of arguments or, the same for all, (n,).

        None if a division, a root or an angle has no result.
        """
        rows = [values.tolist() for values in given]
        try:
            if not lead:
                return self._one([x for row in rows for x in row]).reshape(self._shape)
            out = np.empty((math.prod(lead), len(self._places)))
            for k in range(len(out)):
                parts = (row[k] if v.ndim > 1 else row for row, v in zip(rows, given, strict=True))
                out[k] = self._one([x for part in parts for x in part])
        except (ArithmeticError, ValueError):
            return None
        return out.reshape(lead + self._shape)

    def _one(self, numbers: list[float]) -> Floats:
        return np.array(self._function(numbers), np.float64)[self._places]


def _key(result: Any) -> Any:
    return result.place if isinstance(result, Scalar) else repr(float(result))


def _lines(tape: Tape, results: Sequence[Any]) -> Iterator[str]:
    """``def run(given)``: the results as a list, for the list of all inputs."""
    needed = tape.needed(results)
    uses = _uses(tape, needed, results)
    texts: dict[int, tuple[str, int]] = {}  # what stands for an entry, and the operations in it
    yield "def run(x):"
    for place in needed:
        kind, a, b = tape.operations[place]
        if kind == "constant":
            texts[place] = _literal(a), 0
            continue
        if kind == "input":
            text, depth = f"x[{a}]", 0
        else:
            left, below = texts[a]
            depth = below + 1
            if kind in _SIGNS:
                right, other = texts[b]
                text, depth = f"({left}{_SIGNS[kind]}{right})", max(below, other) + 1
            elif kind == "neg":
                text = f"(-{left})"
            else:
                text = f"{kind}({left})"
        if uses[place] > 1 or depth >= _DEEPEST:
            yield f" t{place}={text}"
            text, depth = f"t{place}", 0
        texts[place] = text, depth
    made = (texts[r.place][0] if isinstance(r, Scalar) else _literal(r) for r in results)
    yield f" return [{','.join(made)}]"


def _uses(tape: Tape, needed: Sequence[int], results: Sequence[Any]) -> Counter[int]:
    """How often each entry is used."""
    uses: Counter[int] = Counter(result.place for result in results if isinstance(result, Scalar))
    for place in needed:
        kind, a, b = tape.operations[place]
        if kind not in ("input", "constant"):
            uses.update((a,) if b is None else (a, b))
    return uses


def _literal(value: float) -> str:
    text = repr(float(value))
    return f"({text})" if text.startswith("-") else text
