"""Expressions of xacro: the values that Python gives, and no way to hang or to reach outside."""

from __future__ import annotations

import time
from typing import Any

import pytest
from tests.sampling import few

from unibody.formats.xacro.expression import Evaluator, Refused


@pytest.mark.parametrize(
    "text",
    few(
        [
            *(
                "10**10**10",
                "9**99999",
                "'a'*10**9",
                "[0]*10**9",
                "1<<10**9",
                "list(range(10**12))",
                "round(5,-10**9)",
            ),
            *("sum(range(10**12))", "[0 for i in range(99999) for j in range(99999)]", "'%999999999d' % 1"),
            *(
                "'{:999999999}'.format(1)",
                "f'{1:999999999}'",
                "','.join(['a'*10**4]*10**4)",
                "factorial(10**6)",
            ),
            *(
                "('a'*10**4).replace('a','b'*10**4)",
                "(lambda f: f(f))(lambda f: f(f))",
                "'x'.ljust(10**9)",
                "'x'.zfill(10**9)",
                "'x'.encode().center(10**9)",
                "('\\t'*10**3).expandtabs(10**3)",
                "[y := 'a'*10**4, y := y.replace('a', y)]",
                "(__step := 1)",
                "('a'*10**4).encode().replace('a'.encode(), ('b'*10**4).encode())",
                "'%999999999d'.encode() % 1",
                "'a'.encode('idna')",
                "str.join",
            ),
            *(
                "list(map(lambda a: list(map(lambda b: b, range(9999))), range(9999)))",
                "b'x'",
                "'%*d' % (9, 1)",
            ),
            *(
                "1" + "+1" * 1900,
                "__step()",
                "x.__class__",
                "'{0.real}'.format(1)",
                "max(range(10**9))",
            ),
        ],
        8,
    ),
)
def test_expressions_have_bounds(text: str) -> None:
    evaluator = Evaluator()
    names = {f.__name__: f for f in (list, sum, str, max, dict)} | evaluator.functions | {"x": 1}
    start = time.process_time()
    with pytest.raises((Refused, RecursionError)):
        evaluator.evaluate(text, names)
    assert time.process_time() - start < 30


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * x ** 2 // 3 % 5 - -x", 5),
        ("[a * 2 for a in (1, 2) if a > x - 2]", [4]),
        ("{k: v for k, v in [(1, 2)]}[1]", 2),
        ("'%s_%d 100%%' % ('a', x)", "a_3 100%"),
        ("'{}_{b:03.1f}{0[0]}'.format('yz', b=x)", "yz_3.0y"),
        ("f'{x:>5}{x!r}'", "    33"),
        ("'a b'.split()[-1].upper().join(['1', '2'])", "1B2"),
        ("(lambda a, b=2: a + b)(1)", 3),
        ("x if 2 < x <= 3 and not x == 4 else None", 3),
        ("sorted([3, 1], key=lambda v: -v)", [3, 1]),
        ("max(*[1, 2], x)", 3),
        ("{'a': {'b': 1}}.get('a').keys()", {"b": 1}.keys()),
        ("_y + 1", 2),
        ("list(map(str, filter(None, range(3))))", ["1", "2"]),
        ("round(2.567, 2) + factorial(3)", 8.57),
        ("type(x) == int", True),
        ("'a'.replace('a', 'b', 1)", "b"),
        ("'7'.zfill(3) + 'ab'.center(6, '.') + 'ab'.ljust(4, '.') + 'ab'.rjust(4)", "007..ab..ab..  ab"),
        ("'aß'.encode('utf-8').decode() + 'a'.encode().hex()", "aß61"),
        ("'a\\tb'.expandtabs(4) + 'ẞ'.casefold()", "a   bss"),
        ("[(5).bit_length(), (1.5).hex(), (0.5).as_integer_ratio()]", [3, "0x1.8000000000000p+0", (1, 2)]),
        ("[y := x + 1, y * y]", [4, 16]),
        ("(v := [3, 1]).sort() or v", [1, 3]),
        ("[k for k in ['a'] if 'b'.isidentifier() and {1}.issubset({1, 2})]", ["a"]),
    ],
)
def test_expressions_give_what_python_gives(text: str, value: Any) -> None:
    evaluator = Evaluator()
    names = {f.__name__: f for f in (sorted, max, list, str, int)} | evaluator.functions | {"x": 3, "_y": 1}
    assert evaluator.evaluate(text, names) == value
