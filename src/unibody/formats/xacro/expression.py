"""Sandboxed evaluation of xacro expressions, ${…}.

xacro passes expressions to Python's eval, which is unsafe for untrusted files. The evaluator restricts the
syntax, guards every call, operator and attribute access, and limits time and memory.
"""

from __future__ import annotations

import ast
import math
import re
import string
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from unibody.text.limits import DEFAULT, how_to_raise

# Evaluation steps and seconds of thread time per unit of work (see ReadLimits).
STEPS, SECONDS = 0.1, 3e-7
LARGEST_VALUE = 100_000  # characters, or entries including nested lists
_LONGEST_EXPRESSION = 4000
_MOST_BITS = 10_000

_SYNTAX = (
    *(ast.Expression, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.IfExp, ast.Compare, ast.Call, ast.Constant),
    *(
        ast.Name,
        ast.Attribute,
        ast.Subscript,
        ast.Slice,
        ast.List,
        ast.Tuple,
        ast.Dict,
        ast.Set,
        ast.Starred,
    ),
    *(
        ast.ListComp,
        ast.SetComp,
        ast.DictComp,
        ast.GeneratorExp,
        ast.comprehension,
        ast.Lambda,
        ast.arguments,
    ),
    *(ast.arg, ast.keyword, ast.JoinedStr, ast.FormattedValue, ast.expr_context, ast.boolop, ast.operator),
    *(ast.unaryop, ast.cmpop, ast.NamedExpr),
)
_METHODS = frozenset(
    "lower upper strip lstrip rstrip split rsplit splitlines replace startswith endswith join find rfind "
    "index rindex count title capitalize swapcase casefold zfill ljust rjust center expandtabs encode "
    "decode isdigit isdecimal isalpha isalnum isnumeric isspace islower isupper istitle isascii "
    "isidentifier isprintable partition rpartition removeprefix removesuffix format keys values items get "
    "copy append extend insert remove clear reverse sort pop popitem setdefault update add discard union "
    "intersection difference symmetric_difference issubset issuperset isdisjoint real imag conjugate "
    "numerator denominator is_integer as_integer_ratio bit_length bit_count hex".split()
)
_ENCODINGS = frozenset({"utf-8", "utf8", "ascii", "latin-1", "latin1", "utf-16", "utf-32"})
# Methods whose first argument is the width of a text, or of the tabs in it.
_WIDE = frozenset({"zfill", "ljust", "rjust", "center", "expandtabs"})
_WIDTH = re.compile(r"[0-9]{3,}|\*")
_PERCENT = re.compile(r"%(?:\([^)]*\))?([-+ #0-9.*]*)")


class Refused(Exception):
    """An expression exceeds a limit or uses an unavailable feature.

    ``hint`` is how to avoid it, ``code`` that of the finding.
    """

    def __init__(self, message: str, hint: str = "", code: str = "xacro") -> None:
        super().__init__(message)
        self.hint, self.code = hint, code


class Evaluator:
    """Evaluates expressions within one shared budget.

    ``functions`` are limited replacements of built-in functions that are expensive or take callbacks.

    >>> Evaluator().evaluate("2 * [x for x in (1, 2)][-1]", {})
    4
    """

    def __init__(self, work: float = DEFAULT.work) -> None:
        self._compiled: dict[str, Any] = {}
        self._steps = work * STEPS
        self._end = time.thread_time() + work * SECONDS
        self.guards: dict[str, Any] = {
            "__builtins__": {},
            "__step": self.step,
            "__call": self._call,
            "__operate": self._operate,
            "__attribute": self._attribute,
            "__limited": self.limited,
        }
        self.functions: dict[str, Callable[..., Any]] = {
            "map": lambda function, *lists: (self._call(function, *v) for v in zip(*lists, strict=False)),
            "filter": lambda function, items: (v for v in items if self._call(function or bool, v)),
            "range": lambda *ends: self.limited(range(*ends)),
            "prod": self._product,
            "lcm": self._multiple,
            "round": _with_limit(round, 300),
            "type": _type_of,
            "factorial": _with_limit(math.factorial, 1000),
            "comb": _with_limit(math.comb, 1000),
            "perm": _with_limit(math.perm, 1000),
        }

    def step(self, count: int = 1) -> bool:
        """Spend ``count`` steps of the budget; Refused if it is exhausted."""
        self._steps -= count
        if self._steps < 0 or time.thread_time() > self._end:
            raise Refused("expansion exceeds the work limit", how_to_raise("work"))
        return True

    def evaluate(self, text: str, names: Mapping[str, Any]) -> Any:
        """Evaluate an expression; raises Refused, or any exception of the expression."""
        code = self._compiled.get(text)
        if code is None:
            code = self._compiled[text] = _compile(text)
        self.step()
        # subclasses of dict are not copied: xacro's tables look up names in their parents
        scope = names if isinstance(names, dict) else dict(names)
        dict.update(scope, self.guards)
        return self.limited(eval(code, scope))

    def limited(self, value: Any) -> Any:
        """Return a value; Refused if it is too large."""
        left = LARGEST_VALUE
        todo = [value]
        while todo:
            item = todo.pop()
            left -= 1
            if isinstance(item, str | bytes | range):
                left -= len(item)
            elif isinstance(item, int):
                if item.bit_length() > _MOST_BITS:
                    raise Refused("number is too large")
            elif isinstance(item, dict):
                left -= len(item)
                todo += [*dict.keys(item), *dict.values(item)] if left > 0 else []
            elif isinstance(item, list | tuple | set | frozenset):
                left -= len(item)
                todo += (
                    list.__iter__(item) if isinstance(item, list) and left > 0 else item if left > 0 else []
                )
            if left < 0:
                raise Refused(f"value has more than {LARGEST_VALUE} entries or characters")
        self.step((LARGEST_VALUE - left) >> 4)
        return value

    def _call(self, function: Any, *values: Any, **named: Any) -> Any:
        self.step()
        self.limited([*values, *named.values()])
        return self.limited(function(*values, **named))

    def _operate(self, operator: str, a: Any, b: Any) -> Any:
        self.step()
        self.limited((a, b))
        match operator:
            case "Pow":
                if isinstance(a, int) and isinstance(b, int) and b * a.bit_length() > _MOST_BITS:
                    raise Refused("power is too large")
                value = a**b
            case "LShift":
                if isinstance(b, int) and b > _MOST_BITS:
                    raise Refused("number is too large")
                value = a << b
            case "Mult":
                for many, times in ((a, b), (b, a)):
                    size = len(many) + 1 if isinstance(many, Sequence) and isinstance(times, int) else 0
                    if size and size * times > LARGEST_VALUE:
                        raise Refused("value is too large")
                value = a * b
            case _:
                text = a.decode("latin-1") if isinstance(a, bytes) else a
                if isinstance(text, str) and any(map(_WIDTH.search, _PERCENT.findall(text))):
                    raise Refused("format field is too wide")
                value = a % b
        return self.limited(value)

    def _attribute(self, owner: Any, name: str) -> Any:
        if isinstance(owner, dict) and not (name in _METHODS and hasattr(dict, name)):
            return owner[name]  # entries of YAML data and xacro namespaces are accessible as attributes
        if isinstance(owner, type) or name not in _METHODS:
            raise Refused(f"{name!r} is not available in expressions")
        if name in _WIDE:
            return _wide(getattr(owner, name), owner)
        if name in {"encode", "decode"}:
            return _coded(getattr(owner, name))
        if isinstance(owner, str | bytes) and name in {"join", "replace"}:
            return {"join": self._join, "replace": _replace}[name](owner)
        if isinstance(owner, str) and name == "format":
            return _format(owner)
        return getattr(owner, name)

    def _product(self, items: Any, *, start: Any = 1) -> Any:
        for item in items:
            start = self._operate("Mult", start, item)
        return start

    def _multiple(self, *numbers: int) -> int:
        found = 1
        for number in numbers:
            found = self.limited(math.lcm(found, number))
        return found

    def _join(self, owner: Any) -> Callable[[Any], Any]:
        def join(items: Any) -> Any:
            words = self.limited(list(items))
            if len(owner) * len(words) > LARGEST_VALUE:
                raise Refused("text is too long")
            return owner.join(words)

        return join


def _type_of(value: Any) -> type:
    """The type of a value; unlike type(), it cannot create types."""
    return type(value)


def _format(owner: str) -> Callable[..., str]:
    return _Formatter(owner).fill


def _replace(owner: Any) -> Callable[..., Any]:
    def replace(old: Any, new: Any, count: int = -1) -> Any:
        if (owner.count(old) + 1) * len(new) > LARGEST_VALUE:
            raise Refused("text is too long")
        return owner.replace(old, new, count)

    return replace


def _wide(method: Callable[..., Any], owner: Any) -> Callable[..., Any]:
    """A method that fills a text up to a width, or each of its tabs."""

    def widened(width: int = 8, *fill: Any) -> Any:
        tabs = owner.count(b"\t" if isinstance(owner, bytes) else "\t")
        if isinstance(width, int) and width * max(1, tabs) > LARGEST_VALUE:
            raise Refused("text is too long")
        return method(width, *fill)

    return widened


def _coded(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method that encodes or decodes a text, in encodings that are computed without tables of others."""

    def coded(encoding: str = "utf-8", errors: str = "strict") -> Any:
        if encoding.lower().replace("_", "-") not in _ENCODINGS:
            raise Refused(f"encoding {encoding[:30]!r} is not available in expressions")
        return method(encoding, errors)

    return coded


def _with_limit(function: Callable[..., Any], most: int) -> Callable[..., Any]:
    """A numeric function that rejects integers above ``most`` (for round: such numbers of digits)."""

    def limited(*numbers: Any) -> Any:
        for number in numbers[1:] if function is round else numbers:
            if isinstance(number, int) and abs(number) > most:
                raise Refused(f"number is too large for {function.__name__}()")
        return function(*numbers)

    return limited


class _Formatter(string.Formatter):
    """str.format without attribute access and with limited field widths."""

    def __init__(self, template: str) -> None:
        self.template = template

    def fill(self, *values: Any, **named: Any) -> str:
        return self.vformat(self.template, values, named)

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> Any:
        if "." in field_name or "_" in field_name:
            raise Refused("attributes are not available in format()")
        return super().get_field(field_name, args, kwargs)

    def format_field(self, value: Any, format_spec: str) -> Any:
        if _WIDTH.search(format_spec):
            raise Refused("format field is too wide")
        return super().format_field(value, format_spec)


def _compile(text: str) -> Any:
    """Compile an expression with guards; raises SyntaxError or Refused."""
    if len(text) > _LONGEST_EXPRESSION:
        raise Refused("expression is too long")
    try:
        tree = ast.parse(text.strip(), "<expression>", "eval")
        for node in ast.walk(tree):
            _check(node)
        tree = ast.fix_missing_locations(_Guard().visit(tree))
        return compile(tree, "<expression>", "eval")
    except (RecursionError, MemoryError):
        raise Refused("expression is nested too deeply") from None


def _check(node: ast.AST) -> None:
    if not isinstance(node, _SYNTAX):
        raise Refused(f"{type(node).__name__} is not available in expressions")
    match node:
        case (
            ast.Name(id=name)
            | ast.Attribute(attr=name)
            | ast.arg(arg=name)
            | ast.keyword(arg=str() as name)
        ):
            # dunder names give access to the internals of Python
            if name.startswith("__"):
                raise Refused(f"{name!r} is not available in expressions")
        case ast.Constant(value=bytes()):
            raise Refused("bytes are not available in expressions")
        case ast.FormattedValue(format_spec=ast.JoinedStr(values=parts)):
            for part in parts:
                if not isinstance(part, ast.Constant) or _WIDTH.search(str(part.value)):
                    raise Refused("format field is too wide")


class _Guard(ast.NodeTransformer):
    """Inserts the guards of an Evaluator into a syntax tree."""

    def generic_visit(self, node: ast.AST) -> Any:
        node = super().generic_visit(node)
        match node:
            case ast.Call():
                return ast.Call(_name("__call"), [node.func, *node.args], node.keywords)
            case ast.BinOp(op=ast.Pow() | ast.LShift() | ast.Mult() | ast.Mod() as operator):
                return _guarded("__operate", ast.Constant(type(operator).__name__), node.left, node.right)
            case ast.Attribute():
                return _guarded("__attribute", node.value, ast.Constant(node.attr))
            case ast.Lambda():
                node.body = ast.BoolOp(ast.And(), [_guarded("__step"), _guarded("__limited", node.body)])
            case ast.comprehension():
                node.ifs = [_guarded("__step"), *node.ifs]
            case ast.BinOp() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.JoinedStr():
                return _guarded("__limited", node)
            case ast.List(ctx=ast.Load()) | ast.Tuple(ctx=ast.Load()) | ast.Dict() | ast.Set():
                return _guarded("__limited", node)
        return node


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _guarded(name: str, *values: ast.expr) -> ast.Call:
    return ast.Call(_name(name), list(values), [])
