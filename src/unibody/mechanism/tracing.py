"""Tracing: the scalar operations of a kernel, recorded by running it once on symbols.

A kernel of ``state.compute`` is a function of arrays of any library. Run on the arrays of this module,
whose entries are places in a ``Tape``, it leaves behind every addition and product that one configuration
takes, without the ones and zeros of the tree's constants: straight code, for which ``machine_code``,
``python_code`` and ``cuda_code`` are printers. No algorithm is described a second time.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

#: Operations of a tape; all take one or two earlier entries, except inputs and constants.
Kind = Literal["input", "constant", "add", "sub", "mul", "div", "neg", "sqrt", "sin", "cos"]


class Operation(NamedTuple):
    """An entry of a tape: ``a`` and ``b`` are earlier entries, or the input's index, or the constant."""

    kind: Kind
    a: Any = None
    b: Any = None


class Tape:
    """Operations in the order of their computation, each of them once."""

    def __init__(self) -> None:
        self.operations: list[Operation] = []
        self._known: dict[Operation, Scalar] = {}
        self._inputs = 0

    def record(self, kind: Kind, a: Any = None, b: Any = None) -> Scalar:
        """The entry that computes this, new if there is none yet."""
        operation = Operation(kind, a, b)
        found = self._known.get(operation)
        if found is None:
            found = self._known[operation] = Scalar(self, len(self.operations))
            self.operations.append(operation)
        return found

    def inputs(self, shape: Sequence[int]) -> Symbols:
        """The next inputs as an array (*shape, 1): one configuration."""
        values = np.empty(math.prod(shape), object)
        for i in range(len(values)):
            values[i] = self.record("input", self._inputs + i)
        self._inputs += len(values)
        return Symbols(values.reshape(*shape, 1), self)

    def needed(self, results: Iterable[Any]) -> list[int]:
        """The entries that these depend on, in order."""
        found: set[int] = set()
        todo = [result.place for result in results if isinstance(result, Scalar)]
        while todo:
            place = todo.pop()
            if place not in found:
                found.add(place)
                kind, a, b = self.operations[place]
                if kind not in ("input", "constant"):
                    todo += [a] if b is None else [a, b]
        return sorted(found)

    def needed_in_turn(self, results: Iterable[Any]) -> list[int]:
        """The entries that these depend on: first what the first result needs, then what the next does."""
        found: set[int] = set()
        out: list[int] = []
        for result in results:
            todo = [(result.place, False)] if isinstance(result, Scalar) else []
            while todo:
                place, is_done = todo.pop()
                if is_done:
                    out.append(place)
                elif place not in found:
                    found.add(place)
                    todo.append((place, True))
                    kind, a, b = self.operations[place]
                    if kind not in ("input", "constant"):
                        todo += [(a, False)] if b is None else [(b, False), (a, False)]
        return out


class Scalar:
    """An entry of a tape, with the arithmetic of numbers; numbers on the other side are constants."""

    __slots__ = ("place", "tape")

    def __init__(self, tape: Tape, place: int) -> None:
        self.tape, self.place = tape, place

    def __add__(self, other: Any) -> Any:
        return NotImplemented if isinstance(other, Symbols) else _add(self, other)

    def __radd__(self, other: Any) -> Any:
        return NotImplemented if isinstance(other, Symbols) else _add(self, other)

    def __sub__(self, other: Any) -> Any:
        return NotImplemented if isinstance(other, Symbols) else _sub(self, other)

    def __rsub__(self, other: Any) -> Any:
        return _sub(other, self)

    def __mul__(self, other: Any) -> Any:
        return NotImplemented if isinstance(other, Symbols) else _mul(self, other)

    def __rmul__(self, other: Any) -> Any:
        return NotImplemented if isinstance(other, Symbols) else _mul(self, other)

    def __truediv__(self, other: Any) -> Any:
        return NotImplemented if isinstance(other, Symbols) else _div(self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _div(other, self)

    def __neg__(self) -> Any:
        kind, a, _ = self.tape.operations[self.place]
        return Scalar(self.tape, a) if kind == "neg" else self.tape.record("neg", self.place)

    def __pow__(self, power: float) -> Any:
        assert power == 0.5
        return self.tape.record("sqrt", self.place)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scalar) and other.place == self.place

    def __hash__(self) -> int:
        return self.place


def _pair(a: Any, b: Any) -> tuple[Tape, int, int]:
    tape = a.tape if isinstance(a, Scalar) else b.tape
    a, b = (x.place if isinstance(x, Scalar) else tape.record("constant", float(x)).place for x in (a, b))
    return tape, a, b


def _negated(value: Any) -> Any:
    """What a recorded negation negates; None for anything else."""
    if isinstance(value, Scalar):
        kind, a, _ = value.tape.operations[value.place]
        if kind == "neg":
            return Scalar(value.tape, a)
    return None


def _add(a: Any, b: Any) -> Any:
    if not isinstance(b, Scalar) and b == 0.0:
        return a
    below = _negated(b)
    if below is not None:
        return _sub(a, below)
    below = _negated(a)
    if below is not None:
        return _sub(b, below)
    tape, left, right = _pair(a, b)
    return tape.record("add", *sorted((left, right)))


def _sub(a: Any, b: Any) -> Any:
    if not isinstance(b, Scalar) and b == 0.0:
        return a
    if not isinstance(a, Scalar) and a == 0.0:
        return -b
    if isinstance(a, Scalar) and a == b:
        return 0.0
    below = _negated(b)
    if below is not None:
        return _add(a, below)
    tape, left, right = _pair(a, b)
    return tape.record("sub", left, right)


def _mul(a: Any, b: Any) -> Any:
    if not isinstance(b, Scalar):
        if b == 0.0:
            return 0.0
        if b == 1.0:
            return a
        if b == -1.0:
            return -a
    below_a, below_b = _negated(a), _negated(b)
    if below_a is not None or below_b is not None:
        product = _mul(a if below_a is None else below_a, b if below_b is None else below_b)
        return product if below_a is not None and below_b is not None else -product
    tape, left, right = _pair(a, b)
    return tape.record("mul", *sorted((left, right)))


def _div(a: Any, b: Any) -> Any:
    if not isinstance(b, Scalar):
        return a if b == 1.0 else _mul(a, 1.0 / b) if math.frexp(b)[0] == 0.5 else _recorded_div(a, b)
    if not isinstance(a, Scalar) and a == 0.0:
        return 0.0
    return _recorded_div(a, b)


def _recorded_div(a: Any, b: Any) -> Any:
    tape, left, right = _pair(a, b)
    return tape.record("div", left, right)


class Symbols:
    """An array of entries of a tape, and of numbers, with the operations that kernels use."""

    __array_priority__ = 100.0
    dtype = np.dtype(np.float64)
    device = "cpu"

    def __init__(self, values: Any, tape: Tape) -> None:
        self.values, self.tape = values, tape

    @property
    def shape(self) -> tuple[int, ...]:
        """Its shape."""
        return tuple(self.values.shape)

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return int(self.values.ndim)

    def __getitem__(self, key: Any) -> Any:
        found = self.values[key]
        if not isinstance(found, np.ndarray):
            whole = np.empty((), object)
            whole[()] = found
            found = whole
        return Symbols(found, self.tape)

    def _with(self, function: Any, *others: Any) -> Symbols:
        return Symbols(function(*(x.values if isinstance(x, Symbols) else x for x in others)), self.tape)

    def __add__(self, other: Any) -> Symbols:
        return self._with(np.add, self, other)

    def __radd__(self, other: Any) -> Symbols:
        return self._with(np.add, other, self)

    def __sub__(self, other: Any) -> Symbols:
        return self._with(np.subtract, self, other)

    def __rsub__(self, other: Any) -> Symbols:
        return self._with(np.subtract, other, self)

    def __mul__(self, other: Any) -> Symbols:
        return self._with(np.multiply, self, other)

    def __rmul__(self, other: Any) -> Symbols:
        return self._with(np.multiply, other, self)

    def __truediv__(self, other: Any) -> Symbols:
        return self._with(np.true_divide, self, other)

    def __neg__(self) -> Symbols:
        return self._with(np.negative, self)

    def __pow__(self, power: float) -> Symbols:
        return self._with(np.frompyfunc(lambda x: x**power, 1, 1), self)


class SymbolNamespace:
    """The functions of the array API that kernels use, over ``Symbols``."""

    def __init__(self, tape: Tape) -> None:
        self.tape = tape

    def _made(self, values: Any) -> Symbols:
        return Symbols(values, self.tape)

    def asarray(self, values: Any, dtype: Any = None, device: Any = None) -> Any:
        """Numbers as an array; symbols stay, and integers stay those of numpy, since they are places."""
        if isinstance(values, Symbols):
            return values
        array = np.asarray(values)
        return array if array.dtype.kind in "iu" and dtype is None else self._made(array.astype(object))

    def take(self, array: Symbols, places: Any, axis: int) -> Symbols:
        """The entries at these places of one axis."""
        return self._made(np.take(array.values, places, axis=axis))

    def stack(self, arrays: Iterable[Symbols], axis: int = 0) -> Symbols:
        """Arrays side by side along a new axis."""
        return self._made(np.stack([a.values for a in arrays], axis=axis))

    def concat(self, arrays: Iterable[Symbols], axis: int = 0) -> Symbols:
        """Arrays one after the other along one axis."""
        return self._made(np.concatenate([a.values for a in arrays], axis=axis))

    def sum(self, array: Symbols, axis: int | None = None) -> Symbols:
        """Sums along one axis, or of all entries."""
        return self._made(np.asarray(np.sum(array.values, axis=axis), object))

    def reshape(self, array: Symbols, shape: tuple[int, ...]) -> Symbols:
        """The same entries in another shape."""
        return self._made(array.values.reshape(shape))

    def permute_dims(self, array: Symbols, axes: tuple[int, ...]) -> Symbols:
        """The axes in another order."""
        return self._made(array.values.transpose(axes))

    def broadcast_to(self, array: Symbols, shape: tuple[int, ...]) -> Symbols:
        """The array repeated along axes of length 1."""
        return self._made(np.broadcast_to(array.values, shape))

    def zeros(self, shape: tuple[int, ...], dtype: Any = None, device: Any = None) -> Symbols:
        """Zeros."""
        return self._made(np.zeros(shape).astype(object))

    def zeros_like(self, array: Symbols) -> Symbols:
        """Zeros in the shape of an array."""
        return self.zeros(array.shape)

    def cos(self, array: Symbols) -> Symbols:
        """Cosines."""
        return self._function("cos", math.cos, array)

    def sin(self, array: Symbols) -> Symbols:
        """Sines."""
        return self._function("sin", math.sin, array)

    def _function(self, kind: Kind, of_number: Any, array: Symbols) -> Symbols:
        def one(x: Any) -> Any:
            return self.tape.record(kind, x.place) if isinstance(x, Scalar) else of_number(x)

        return self._made(np.frompyfunc(one, 1, 1)(array.values))
