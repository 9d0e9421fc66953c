"""Machine code of a traced kernel: LLVM for one processor, several configurations per vector register.

The straight code of a ``Tape`` is printed as LLVM's language with vectors of ``lanes`` doubles, one
configuration in each; a loop around it gathers the inputs of that many configurations and spreads the
results into rows.
"""

from __future__ import annotations

import ctypes
import math
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from unibody.mechanism import numpy_layout
from unibody.mechanism.numpy_layout import DATA, DESCR, KIND, NDIM, SHAPE, STRIDES
from unibody.mechanism.tracing import Scalar, Symbols, Tape

#: Angles beyond this, in rad, are left to numpy: the reduction to a quarter turn would lose digits.
LARGEST_ANGLE = 1e5

#: Operations above which LLVM does not optimize, which takes a tenth of a millisecond for each of them.
_LARGE = 20_000

#: The compiled function's: (arguments, strides, count, out, scratch) -> 1 for a large angle.
SIGNATURE = (
    ctypes.c_int,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_int64,
    ctypes.c_void_p,
    ctypes.c_void_p,
)

# The remainder of a quarter turn is x - n · π/2, with π/2 as the sum of three doubles (Cody and Waite).
_QUARTER = (1.57079632673412561417e00, 6.07710050630396597660e-11, 2.02226624879595063154e-21)
# Taylor-like polynomials for [-π/4, π/4] with the least largest error, of sin(x)/x and cos(x) in x².
_SINE = (
    -1.66666666666666324348e-01,
    8.33333333332248946124e-03,
    -1.98412698298579493134e-04,
    2.75573137070700676789e-06,
    -2.50507602534068634195e-08,
    1.58969099521155010221e-10,
)
_COSINE = (
    4.16666666666666019037e-02,
    -1.38888888888741095749e-03,
    2.48015872894767294178e-05,
    -2.75573143513906633035e-07,
    2.08757232129817482790e-09,
    -1.13596475577881948265e-11,
)
_ROUNDING = 1.5 * 2.0**52  # a double to which whole numbers add in the last digits


@dataclass(frozen=True, slots=True)
class Processor:
    """The processor that code is made for, as LLVM names it."""

    name: str
    features: str
    lanes: int

    @staticmethod
    def host() -> Processor | None:
        """This machine's; None if it cannot multiply and add in one step, which sines and cosines need."""
        from llvmlite import binding

        features = binding.get_host_cpu_features()
        if binding.get_default_triple().split("-")[0] in ("x86_64", "amd64") and not features.get("fma"):
            return None
        lanes = 8 if features.get("avx512f") else 4
        return Processor(binding.get_host_cpu_name(), features.flatten(), lanes)

    def narrow(self) -> Processor:
        """The same for code that computes one configuration at a time."""
        return replace(self, lanes=1)


@dataclass(frozen=True, slots=True)
class Code:
    """Machine code as an object file, the numbers of each argument, the result's shape, and the lanes."""

    data: bytes
    arguments: tuple[int, ...]
    shape: tuple[int, ...]
    lanes: int

    @property
    def results(self) -> int:
        """Numbers of the result."""
        return math.prod(self.shape)

    @property
    def scratch(self) -> int:
        """Doubles that a call needs for itself."""
        return (sum(self.arguments) + self.results) * self.lanes


def compile_tape(
    tape: Tape, results: Symbols, arguments: tuple[int, ...], cpu: Processor, *, quick: bool = False
) -> Code:
    """The machine code of a tape; the first argument is q.

    With ``quick`` it is made in a fifth of the time: in an order in which numbers are used soon after they
    are computed, which LLVM does not improve.
    """
    from llvmlite import binding

    flat = list(results.values.ravel())
    places = tape.needed_in_turn(flat) if quick else tape.needed(flat)
    text = "\n".join(_module(tape, flat, places, arguments, cpu.lanes))
    module = binding.parse_assembly(text)
    module.verify()
    opt = 0 if quick or len(tape.operations) > _LARGE else 1
    return Code(bytes(_machine(cpu, opt).emit_object(module)), arguments, results.shape, cpu.lanes)


class Loaded:
    """Machine code in memory: ``function``, and ``one``, which gets all but the count as one array.

    ``direct`` gets numpy's arrays themselves: None in code for several configurations, and where arrays
    are not laid out as it must be.
    """

    def __init__(self, code: Code, cpu: Processor) -> None:
        from llvmlite import binding

        self.code, self.shape = code, code.shape
        self._engine = binding.create_mcjit_compiler(binding.parse_assembly(""), _machine(cpu, 0))
        self._engine.add_object_file(binding.object_file.ObjectFileRef.from_data(code.data))
        self._engine.finalize_object()
        self.function = ctypes.CFUNCTYPE(*SIGNATURE)(self._engine.get_function_address("run"))
        self.one = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(self._engine.get_function_address("one"))
        self.direct: Any = None
        if code.lanes == 1 and numpy_layout.is_known():
            # PYFUNCTYPE: a call of a few microseconds keeps the lock of the interpreter.
            objects = [ctypes.py_object] * (len(code.arguments) + 1)
            kind = ctypes.PYFUNCTYPE(ctypes.c_int, *objects, ctypes.c_void_p)
            self.direct = kind(self._engine.get_function_address("direct"))


def _machine(cpu: Processor, opt: int) -> Any:
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_default_triple()
    return target.create_target_machine(cpu=cpu.name, features=cpu.features, opt=opt, jit=True)


class _Printer:
    """Lines of LLVM's language, with vectors of so many lanes."""

    def __init__(self, lanes: int) -> None:
        self.lanes = lanes
        self.doubles, self.words = f"<{lanes} x double>", f"<{lanes} x i64>"
        self.flags = f"<{lanes} x i1>"
        self.bytes = 8 * lanes
        self.lines: list[str] = []
        self._count = 0

    def add(self, line: str) -> None:
        """A line without a result."""
        self.lines.append(line)

    def let(self, expression: str) -> str:
        """The name of a new value."""
        self._count += 1
        name = f"%t{self._count}"
        self.lines.append(f"{name} = {expression}")
        return name

    def number(self, value: float) -> str:
        """A constant in all lanes."""
        bits = struct.unpack("<Q", struct.pack("<d", value))[0]
        return "<" + ", ".join([f"double 0x{bits:016X}"] * self.lanes) + ">"

    def word(self, value: int) -> str:
        """A whole number in all lanes."""
        return "<" + ", ".join([f"i64 {value}"] * self.lanes) + ">"

    def call(self, name: str, *values: str) -> str:
        """One of LLVM's own functions of vectors."""
        given = ", ".join(f"{self.doubles} {value}" for value in values)
        return self.let(f"call {self.doubles} @llvm.{name}.v{self.lanes}f64({given})")

    def load(self, base: str, place: int) -> str:
        """The vector at a place."""
        at = self.let(f"getelementptr {self.doubles}, ptr {base}, i64 {place}")
        return self.let(f"load {self.doubles}, ptr {at}, align {self.bytes}")

    def store(self, value: str, base: str, place: int) -> None:
        """A vector to a place."""
        at = self.let(f"getelementptr {self.doubles}, ptr {base}, i64 {place}")
        self.add(f"store {self.doubles} {value}, ptr {at}, align {self.bytes}")


def _module(
    tape: Tape, results: Sequence[Any], places: Sequence[int], arguments: tuple[int, ...], lanes: int
) -> Iterator[str]:
    vector = f"<{lanes} x double>"
    yield f"declare {vector} @llvm.sqrt.v{lanes}f64({vector})"
    yield f"declare {vector} @llvm.fabs.v{lanes}f64({vector})"
    yield f"declare {vector} @llvm.fma.v{lanes}f64({vector}, {vector}, {vector})"
    yield f"declare {vector} @llvm.maxnum.v{lanes}f64({vector}, {vector})"
    yield f"declare i1 @llvm.vector.reduce.or.v{lanes}i1(<{lanes} x i1>)"
    yield from _sine_cosine(lanes)
    yield from _kernel(tape, results, places, lanes)
    yield from _beyond(lanes)
    yield from _gather(lanes)
    yield from _spread(lanes)
    yield from _run(arguments, len(results), lanes)
    if lanes == 1:
        yield from _direct(arguments)


def _kernel(tape: Tape, results: Sequence[Any], places: Sequence[int], lanes: int) -> Iterator[str]:
    """The straight code: inputs and results are vectors, one for each number."""
    p = _Printer(lanes)
    names: dict[int, str] = {}
    turns: dict[int, str] = {}
    pair = f"{{ {p.doubles}, {p.doubles} }}"
    for place in places:
        kind, a, b = tape.operations[place]
        match kind:
            case "input":
                names[place] = p.load("%in", a)
            case "constant":
                names[place] = p.number(a)
            case "add" | "sub" | "mul" | "div":
                names[place] = p.let(f"f{kind} contract {p.doubles} {names[a]}, {names[b]}")
            case "neg":
                names[place] = p.let(f"fneg {p.doubles} {names[a]}")
            case "sqrt":
                names[place] = p.call("sqrt", names[a])
            case "sin" | "cos":
                if a not in turns:
                    turns[a] = p.let(f"call {pair} @sincos({p.doubles} {names[a]})")
                names[place] = p.let(f"extractvalue {pair} {turns[a]}, {int(kind == 'cos')}")
    for i, result in enumerate(results):
        name = names[result.place] if isinstance(result, Scalar) else p.number(float(result))
        p.store(name, "%out", i)
    yield "define internal void @kernel(ptr noalias %in, ptr noalias %out) {"
    yield from p.lines
    yield "ret void }"


def _sine_cosine(lanes: int) -> Iterator[str]:
    """Sine and cosine of angles up to ``LARGEST_ANGLE``, to an ulp; NaN of NaN."""
    p = _Printer(lanes)
    pair = f"{{ {p.doubles}, {p.doubles} }}"

    def fused(a: str, b: str, c: str) -> str:
        return p.call("fma", a, b, c)

    def polynomial(coefficients: Sequence[float], z: str) -> str:
        value = p.number(coefficients[-1])
        for coefficient in coefficients[-2::-1]:
            value = fused(value, z, p.number(coefficient))
        return value

    def signed(value: str, quarters: str) -> str:
        """Negated in the second half of each turn."""
        bit = p.let(f"shl {p.words} {quarters}, {p.word(62)}")
        bit = p.let(f"and {p.words} {bit}, {p.word(-(2**63))}")
        bits = p.let(f"bitcast {p.doubles} {value} to {p.words}")
        bits = p.let(f"xor {p.words} {bits}, {bit}")
        return p.let(f"bitcast {p.words} {bits} to {p.doubles}")

    turns = p.let(f"fmul {p.doubles} %x, {p.number(2.0 / math.pi)}")
    shifted = p.let(f"fadd {p.doubles} {turns}, {p.number(_ROUNDING)}")
    whole = p.let(f"fsub {p.doubles} {shifted}, {p.number(_ROUNDING)}")
    quarters = p.let(f"bitcast {p.doubles} {shifted} to {p.words}")
    x = "%x"
    for part in _QUARTER:
        x = fused(whole, p.number(-part), x)
    z = p.let(f"fmul {p.doubles} {x}, {x}")
    cube = p.let(f"fmul {p.doubles} {x}, {z}")
    sine = fused(cube, polynomial(_SINE, z), x)
    square = p.let(f"fmul {p.doubles} {z}, {z}")
    near = fused(z, p.number(-0.5), p.number(1.0))
    lost = p.let(f"fsub {p.doubles} {p.number(1.0)}, {near}")
    lost = fused(z, p.number(-0.5), lost)
    rest = fused(square, polynomial(_COSINE, z), lost)
    cosine = p.let(f"fadd {p.doubles} {near}, {rest}")
    odd = p.let(f"trunc {p.words} {quarters} to {p.flags}")
    first = p.let(f"select {p.flags} {odd}, {p.doubles} {cosine}, {p.doubles} {sine}")
    second = p.let(f"select {p.flags} {odd}, {p.doubles} {sine}, {p.doubles} {cosine}")
    after = p.let(f"add {p.words} {quarters}, {p.word(1)}")
    both = p.let(f"insertvalue {pair} undef, {p.doubles} {signed(first, quarters)}, 0")
    both = p.let(f"insertvalue {pair} {both}, {p.doubles} {signed(second, after)}, 1")
    yield f"define internal {pair} @sincos({p.doubles} %x) alwaysinline {{"
    yield from p.lines
    yield f"ret {pair} {both} }}"


def _beyond(lanes: int) -> Iterator[str]:
    """Whether one of the first ``%n`` inputs is larger than the largest angle."""
    p = _Printer(lanes)
    yield "define internal i1 @beyond(ptr %in, i64 %n) {"
    yield "start: br label %loop"
    yield "loop:"
    yield "%i = phi i64 [ 0, %start ], [ %next, %step ]"
    yield f"%most = phi {p.doubles} [ zeroinitializer, %start ], [ %more, %step ]"
    yield "%left = icmp ult i64 %i, %n"
    yield "br i1 %left, label %step, label %done"
    yield "step:"
    yield f"%at = getelementptr {p.doubles}, ptr %in, i64 %i"
    yield f"%value = load {p.doubles}, ptr %at, align {p.bytes}"
    yield f"%size = call {p.doubles} @llvm.fabs.v{lanes}f64({p.doubles} %value)"
    yield f"%more = call {p.doubles} @llvm.maxnum.v{lanes}f64({p.doubles} %most, {p.doubles} %size)"
    yield "%next = add i64 %i, 1"
    yield "br label %loop"
    yield "done:"
    yield f"%large = fcmp ogt {p.doubles} %most, {p.number(LARGEST_ANGLE)}"
    yield f"%any = call i1 @llvm.vector.reduce.or.v{lanes}i1({p.flags} %large)"
    yield "ret i1 %any }"


def _gather(lanes: int) -> Iterator[str]:
    """``%n`` numbers of rows from ``%first`` on, the last row again after the end, as vectors."""
    yield "define internal void @gather(ptr %from, i64 %stride, i64 %first, i64 %last, i64 %n, ptr %in) {"
    yield "start:"
    for k in range(lanes):
        yield f"%i{k} = add i64 %first, {k}"
        yield f"%w{k} = icmp ult i64 %i{k}, %last"
        yield f"%m{k} = select i1 %w{k}, i64 %i{k}, i64 %last"
        yield f"%s{k} = mul i64 %m{k}, %stride"
        yield f"%r{k} = getelementptr double, ptr %from, i64 %s{k}"
    yield "br label %loop"
    yield "loop:"
    yield "%i = phi i64 [ 0, %start ], [ %next, %step ]"
    yield "%left = icmp ult i64 %i, %n"
    yield "br i1 %left, label %step, label %done"
    yield "step:"
    yield f"%to = getelementptr <{lanes} x double>, ptr %in, i64 %i"
    for k in range(lanes):
        yield f"%a{k} = getelementptr double, ptr %r{k}, i64 %i"
        yield f"%v{k} = load double, ptr %a{k}, align 8"
        yield f"%o{k} = getelementptr double, ptr %to, i64 {k}"
        yield f"store double %v{k}, ptr %o{k}, align 8"
    yield "%next = add i64 %i, 1"
    yield "br label %loop"
    yield "done: ret void }"


def _spread(lanes: int) -> Iterator[str]:
    """Results as vectors to ``%rows`` rows of ``%n`` numbers; whole groups are transposed in registers."""
    p = _Printer(lanes)
    yield "define internal void @spread(ptr %from, i64 %rows, i64 %n, ptr %out) {"
    yield "start:"
    yield f"%full = icmp eq i64 %rows, {lanes}"
    yield f"%groups = udiv i64 %n, {lanes}"
    yield f"%grouped = mul i64 %groups, {lanes}"
    yield "%begin = select i1 %full, i64 %grouped, i64 0"
    yield "br i1 %full, label %loop, label %lanes"
    yield "loop:"
    yield "%g = phi i64 [ 0, %start ], [ %more, %step ]"
    yield "%left = icmp ult i64 %g, %grouped"
    yield "br i1 %left, label %step, label %lanes"
    yield "step:"
    yield f"%base = getelementptr {p.doubles}, ptr %from, i64 %g"
    values = [p.load("%base", k) for k in range(lanes)]
    for k, row in enumerate(_transposed(p, values)):
        along = p.let(f"mul i64 %n, {k}")
        along = p.let(f"add i64 {along}, %g")
        at = p.let(f"getelementptr double, ptr %out, i64 {along}")
        p.add(f"store {p.doubles} {row}, ptr {at}, align 8")
    yield from p.lines
    yield f"%more = add i64 %g, {lanes}"
    yield "br label %loop"
    yield "lanes:"
    yield "%k = phi i64 [ 0, %start ], [ 0, %loop ], [ %after, %row ]"
    yield "%some = icmp ult i64 %k, %rows"
    yield "br i1 %some, label %one, label %done"
    yield "one:"
    yield "%skip = mul i64 %k, %n"
    yield "%to = getelementptr double, ptr %out, i64 %skip"
    yield "%lane = getelementptr double, ptr %from, i64 %k"
    yield "br label %inner"
    yield "inner:"
    yield "%i = phi i64 [ %begin, %one ], [ %next, %copy ]"
    yield "%again = icmp ult i64 %i, %n"
    yield "br i1 %again, label %copy, label %row"
    yield "copy:"
    yield f"%wide = mul i64 %i, {lanes}"
    yield "%source = getelementptr double, ptr %lane, i64 %wide"
    yield "%value = load double, ptr %source, align 8"
    yield "%target = getelementptr double, ptr %to, i64 %i"
    yield "store double %value, ptr %target, align 8"
    yield "%next = add i64 %i, 1"
    yield "br label %inner"
    yield "row:"
    yield "%after = add i64 %k, 1"
    yield "br label %lanes"
    yield "done: ret void }"


def _transposed(p: _Printer, rows: list[str]) -> list[str]:
    """The transposed square of vectors: halves are exchanged, then quarters, and so on."""
    step = p.lanes // 2
    while step:
        mixed = list(rows)
        low = [k if k & step == 0 else p.lanes + k - step for k in range(p.lanes)]
        high = [k + step if k & step == 0 else p.lanes + k for k in range(p.lanes)]
        for first in range(p.lanes):
            if first & step:
                continue
            pair = f"{p.doubles} {rows[first]}, {p.doubles} {rows[first + step]}"
            for target, places in ((first, low), (first + step, high)):
                mask = ", ".join(f"i32 {place}" for place in places)
                mixed[target] = p.let(f"shufflevector {pair}, <{p.lanes} x i32> <{mask}>")
        rows = mixed
        step //= 2
    return rows


def _run(arguments: tuple[int, ...], results: int, lanes: int) -> Iterator[str]:
    """The loop over the configurations; 1 as soon as an angle is too large, else 0."""
    yield "define i32 @run(ptr %args, ptr %strides, i64 %count, ptr %out, ptr %in) {"
    yield "start:"
    yield "%last = sub i64 %count, 1"
    yield f"%work = getelementptr <{lanes} x double>, ptr %in, i64 {sum(arguments)}"
    yield "br label %loop"
    yield "loop:"
    yield "%i = phi i64 [ 0, %start ], [ %next, %go ]"
    yield "%left = icmp ult i64 %i, %count"
    yield "br i1 %left, label %step, label %done"
    yield "step:"
    for j, size in enumerate(arguments):
        yield f"%pa{j} = getelementptr ptr, ptr %args, i64 {j}"
        yield f"%a{j} = load ptr, ptr %pa{j}"
        yield f"%ps{j} = getelementptr i64, ptr %strides, i64 {j}"
        yield f"%s{j} = load i64, ptr %ps{j}"
        yield f"%in{j} = getelementptr <{lanes} x double>, ptr %in, i64 {sum(arguments[:j])}"
        given = f"ptr %a{j}, i64 %s{j}, i64 %i, i64 %last, i64 {size}, ptr %in{j}"
        yield f"call void @gather({given})"
    yield f"%large = call i1 @beyond(ptr %in, i64 {arguments[0]})"
    yield "br i1 %large, label %fail, label %go"
    yield "go:"
    yield "call void @kernel(ptr %in, ptr %work)"
    yield "%rest = sub i64 %count, %i"
    yield f"%short = icmp ult i64 %rest, {lanes}"
    yield f"%rows = select i1 %short, i64 %rest, i64 {lanes}"
    yield f"%skip = mul i64 %i, {results}"
    yield "%to = getelementptr double, ptr %out, i64 %skip"
    yield f"call void @spread(ptr %work, i64 %rows, i64 {results}, ptr %to)"
    yield f"%next = add i64 %i, {lanes}"
    yield "br label %loop"
    yield "fail: ret i32 1"
    yield "done: ret i32 0 }"
    yield "define i32 @one(ptr %call) {"
    for k, name in enumerate(("args", "strides", "out", "in")):
        yield f"%p{name} = getelementptr ptr, ptr %call, i64 {k}"
        yield f"%{name} = load ptr, ptr %p{name}"
    yield "%done = call i32 @run(ptr %args, ptr %strides, i64 1, ptr %out, ptr %in)"
    yield "ret i32 %done }"


def _direct(arguments: tuple[int, ...]) -> Iterator[str]:
    """One configuration from numpy's arrays to a new one; 1 for other objects or a large angle, else 0.

    ``%own`` is two words, the address of ``numpy.ndarray`` and that of its type of doubles, and room for
    the arguments. Where an array's words lie: ``unibody.mechanism.numpy_layout``.
    """
    given = [f"ptr %given{j}" for j in range(len(arguments))]
    yield f"define i32 @direct({', '.join([*given, 'ptr %result', 'ptr %own'])}) {{"
    yield "%kind = load i64, ptr %own"
    yield "%pdescr = getelementptr i64, ptr %own, i64 1"
    yield "%descr = load i64, ptr %pdescr"
    yield "%in = getelementptr i64, ptr %own, i64 2"
    for j, size in enumerate(arguments):
        for name, at, type_, expected in (
            ("kind", KIND, "i64", "%kind"),
            ("descr", DESCR, "i64", "%descr"),
            ("ndim", NDIM, "i32", "1"),
        ):
            yield f"%p{name}{j} = getelementptr i8, ptr %given{j}, i64 {at}"
            yield f"%{name}{j} = load {type_}, ptr %p{name}{j}"
            yield f"%is{name}{j} = icmp eq {type_} %{name}{j}, {expected}"
            yield f"br i1 %is{name}{j}, label %has{name}{j}, label %fail"
            yield f"has{name}{j}:"
        for name, at in (("data", DATA), ("shape", SHAPE), ("strides", STRIDES)):
            yield f"%p{name}{j} = getelementptr i8, ptr %given{j}, i64 {at}"
            yield f"%{name}{j} = load ptr, ptr %p{name}{j}"
        yield f"%size{j} = load i64, ptr %shape{j}"
        yield f"%issize{j} = icmp eq i64 %size{j}, {size}"
        yield f"br i1 %issize{j}, label %hassize{j}, label %fail"
        yield f"hassize{j}:"
        yield f"%stride{j} = load i64, ptr %strides{j}"
        yield f"%to{j} = getelementptr double, ptr %in, i64 {sum(arguments[:j])}"
        yield f"br label %loop{j}"
        yield f"loop{j}:"
        yield f"%i{j} = phi i64 [ 0, %hassize{j} ], [ %next{j}, %step{j} ]"
        yield f"%left{j} = icmp ult i64 %i{j}, {size}"
        yield f"br i1 %left{j}, label %step{j}, label %done{j}"
        yield f"step{j}:"
        yield f"%skip{j} = mul i64 %i{j}, %stride{j}"
        yield f"%from{j} = getelementptr i8, ptr %data{j}, i64 %skip{j}"
        yield f"%value{j} = load double, ptr %from{j}, align 1"
        yield f"%at{j} = getelementptr double, ptr %to{j}, i64 %i{j}"
        yield f"store double %value{j}, ptr %at{j}, align 8"
        yield f"%next{j} = add i64 %i{j}, 1"
        yield f"br label %loop{j}"
        yield f"done{j}:"
    yield f"%large = call i1 @beyond(ptr %in, i64 {arguments[0]})"
    yield "br i1 %large, label %fail, label %go"
    yield "go:"
    yield f"%pout = getelementptr i8, ptr %result, i64 {DATA}"
    yield "%out = load ptr, ptr %pout"
    yield "call void @kernel(ptr %in, ptr %out)"
    yield "ret i32 0"
    yield "fail: ret i32 1 }"


def aligned(count: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """An array of doubles whose first is where vectors may start."""
    whole = np.empty(count + 8)
    return whole[(-whole.ctypes.data % 64) // 8 :][:count]
