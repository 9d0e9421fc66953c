"""Expressions of xacro, attacked: they compute numbers and texts, and reach nothing else."""

from __future__ import annotations

import builtins
import os
import subprocess
import sys
import time
from pathlib import Path
from xml.sax.saxutils import quoteattr

import pytest
from tests.sampling import few

from unibody.files.access import MemoryFiles
from unibody.formats.loader import Reading, read
from unibody.formats.xacro.session import Session
from unibody.text.finding import Findings

NAMESPACE = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'


def expanded(content: str, **others: bytes) -> Reading:
    """A xacro file with this content; other files by name, "__" for the dot."""
    text = f'<robot name="r" {NAMESPACE}>{content}</robot>'
    files = {name.replace("__", "."): data for name, data in others.items()}
    return read("/d/m/m.xacro", files=MemoryFiles({"/d/m/m.xacro": text.encode(), **files}))


def evaluated(expression: str, **others: bytes) -> Reading:
    """A link whose name is the value of an expression."""
    return expanded(f"<link name={quoteattr('v${' + expression + '}')}/>", **others)


def value(expression: str, **others: bytes) -> str | None:
    """What an expression gives, None when it is refused with an error."""
    reading = evaluated(expression, **others)
    errors = [f for f in reading.findings if f.severity == "error"]
    assert errors or reading.robot is not None
    assert all(len(f.message) < 1500 for f in errors)
    return None if errors or reading.robot is None else reading.robot.links[0].name[1:]


def direct(expression: str) -> object:
    """The value of an expression with all names of xacro; None when it fails.

    A file cannot say all of them: a brace ends an expression there.
    """
    session = Session("/d/m/m.xacro", MemoryFiles({}), Findings(), {}, False)
    try:
        return session.evaluator.evaluate(expression, dict(session.xacro._global_symbols))
    except Exception:
        return None


ESCAPES = [
    # names that Python has and xacro has not
    "open('/etc/passwd').read()",
    "eval('1')",
    "exec('x=1')",
    "compile('1', 'a', 'eval')",
    "__import__('os').system('true')",
    "__builtins__",
    "globals()",
    "locals()",
    "python.vars()",
    "dir(1)",
    "getattr(1, 'real')",
    "setattr(python, 'x', 1)",
    "breakpoint()",
    "input()",
    "exit()",
    "memoryview('x')",
    "object()",
    "super()",
    "help()",
    "print(1)",
    # attributes that lead to Python's insides
    "().__class__",
    "().__class__.__base__.__subclasses__()",
    "''.__class__.__mro__",
    "python.type('').mro()",
    "python.type('').__subclasses__()",
    "str.mro()",
    "len.__self__",
    "(lambda: 0).__globals__",
    "(lambda: 0).__code__",
    "(lambda: 0).func_globals",
    "(x for x in (1,)).gi_frame",
    "(x for x in (1,)).gi_frame.f_back.f_globals",
    "[].append.__self__",
    "python.map.__init__",
    "math.__dict__",
    "xacro.__class__",
    "load_yaml.__globals__",
    "load_yaml.__func__",
    "load_yaml.__self__.xacro",
    "xacro.load_yaml.__self__",
    "str.format('{0.__class__}', 1)",
    "str.join.__self__",
    "dict.fromkeys.__self__",
    "(1).to_bytes(1, 'big')",
    "''.encode()",
    "''.format_map({})",
    "''.maketrans('a', 'b')",
    # the same through format strings
    "'{0.__class__}'.format(1)",
    "'{0.real}'.format(1)",
    "'{0[__class__]}'.format({})",
    "'{a.__class__}'.format(a=1)",
    "'{0:{1.__class__}}'.format(1, 2)",
    "'{!r:{0.__class__}}'.format(1)",
    "f'{(1).__class__}'",
    "f'{().__class__.__base__}'",
    # types made at run time
    "python.type('X', (), {})",
    "python.type('X', (python.type(1),), {'__eq__': 1})",
    # syntax that is none of an expression
    "(x := 1)",
    "await 1",
    "(yield)",
    "[x async for x in ()]",
    "*1",
    "lambda __step: 1",
    "lambda *__call: 1",
    "[__call for __call in (1,)]",
    "__step",
    "__call",
    "__limited",
    "__attribute",
    "b'bytes'",
    "1; 2",
    "import os",
    "x = 1",
    "...",
]


@pytest.mark.parametrize("expression", ESCAPES)
def test_there_is_no_way_out(expression: str, monkeypatch: pytest.MonkeyPatch) -> None:
    touched: list[str] = []
    monkeypatch.setattr(os, "system", touched.append)
    monkeypatch.setattr(subprocess, "Popen", lambda *a, **k: touched.append(str(a)))
    real = builtins.open

    def opened(path: object, *rest: object, **named: object) -> object:
        if "passwd" in str(path):
            touched.append(str(path))
        return real(path, *rest, **named)  # type: ignore[call-overload]

    monkeypatch.setattr(builtins, "open", opened)
    for found in (value(expression), direct(expression)):
        # A few give a harmless value; none a class, a function's insides, or a file.
        words = ("<class", "<frame", "<function", "root:", "object at")
        assert found is None or not any(word in str(found) for word in words)
    assert touched == []


def test_names_that_guard_cannot_be_redefined() -> None:
    for name in ("__limited", "__call", "__builtins__", "__step"):
        content = (
            f'<xacro:property name="{name}" lazy_eval="false" value="${{lambda *a: 1}}"/>'
            '<xacro:macro name="m"><link name="a${9**9**9}"/></xacro:macro><xacro:m/>'
        )
        assert "xacro" in [f.code for f in expanded(content).findings if f.severity == "error"]
        content = (
            f'<xacro:macro name="m" params="{name}"><link name="a${{9**9**9}}"/></xacro:macro>'
            f'<xacro:m {name}="${{lambda *a: 1}}"/>'
        )
        assert [f.code for f in expanded(content).findings if f.severity == "error"]
    for change in ("python.update(str=1)", "math.update(x=1)", "xacro.update(load_yaml=str)"):
        names = [quoteattr(f"a${{{change}}}"), quoteattr("b${1 + 1}${len([1])}")]
        reading = expanded("".join(f"<link name={name}/>" for name in names))
        assert reading.robot is None or reading.robot.links[1].name == "b21"


TOO_MUCH = [
    "9**9**9",
    "2**100000",
    "1 << 10**9",
    "'x' * 10**9",
    "10**9 * 'x'",
    "[0] * 10**9",
    "(0,) * 10**9",
    "[[0] * 1000] * 1000",
    "'%1000000000d' % 1",
    "'%*d' % (1000000000, 1)",
    "'{:1000000000}'.format(1)",
    "'{:{}}'.format(1, 1000000000)",
    "f'{1:1000000000}'",
    "f'{1:{1000000000}}'",
    "range(10**9)",
    "list(range(10**9))",
    "len([x for x in range(99999) for y in range(99999)])",
    "python.sum(1 for x in range(99999) for y in range(99999))",
    "python.max(x for x in range(99999) for y in range(99999))",
    "math.factorial(10**6)",
    "math.comb(10**6, 10**5)",
    "math.perm(10**6)",
    "math.prod(range(1, 99999))",
    "math.prod([2**9999] * 9999)",
    "math.lcm(*[x for x in range(1, 30000)])",
    "(lambda f: f(f))(lambda f: f(f))",
    "(lambda f: f(f, 2**9999))(lambda f, x: f(f, x * x))",
    "(lambda f: f(f, 'xx'))(lambda f, x: f(f, x + x))",
    "(lambda f: f(f, [0]))(lambda f, x: f(f, x + x))",
    "(lambda f: f(f, 'xx'))(lambda f, x: f(f, x.replace('x', 'xx')))",
    "(lambda f: f(f, 'xx'))(lambda f, x: f(f, x.join([x, x])))",
    "(lambda f: f(f, 'xx'))(lambda f, x: f(f, f'{x}{x}'))",
    "(lambda f: f(f, [0]))(lambda f, x: f(f, [x, x]))",
    "(lambda f: f(f, {}))(lambda f, x: f(f, {1: x, 2: x}))",
    "round(1.5, 10**9)",
    "int('9' * 90000)",
    "str(10**9999)",
    "+".join(["1"] * 1900),
    "(" * 1000 + "1" + ")" * 1000,
    "-" * 3000 + "1",
    "[" * 500 + "]" * 500,
]


@pytest.mark.parametrize("expression", few(TOO_MUCH, 8), ids=lambda text: text[:40])
def test_what_would_take_too_long_is_ended(expression: str) -> None:
    begin = time.thread_time()
    found = value(expression)
    assert found is None or len(found) < 10_000
    given = direct(expression)
    assert not isinstance(given, int) or given.bit_length() <= 10_000
    assert not isinstance(given, str | list | tuple | range) or len(given) <= 100_000
    assert time.thread_time() - begin < 15


def test_yaml_that_multiplies_or_nests() -> None:
    merged = ["a0: &a0 {x: 1}"]
    merged += [f"a{k}: &a{k} {{<<: [{', '.join([f'*a{k - 1}'] * 9)}]}}" for k in range(1, 12)]
    listed = ["a0: &a0 [1]"] + [f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 9)}]" for k in range(1, 12)]
    for text in (
        "[" * 200_000,
        "{a: " * 100_000,
        "- " * 100_000 + "a",
        "\n".join(merged),
        "\n".join(listed),
        "&a [*a]",
        "&a {<<: *a}",
        "a: &a\n  <<: *a\n",
        "!!python/object/apply:os.system ['true']",
        "!!python/name:os.system",
        "!degrees [1]",
        "!radians 9**9**9",
        "? " * 3000,
    ):
        begin = time.thread_time()
        reading = evaluated("len(load_yaml('a.yaml'))", **{"/d/m/a__yaml": text.encode()})
        assert [f for f in reading.findings if f.severity == "error"], text[:60]
        assert time.thread_time() - begin < 8


def test_the_process_survives_deep_yaml(tmp_path: Path) -> None:
    """What breaks the composer breaks the process: in one of its own."""
    (tmp_path / "a.yaml").write_text("[" * 1_000_000, "utf-8")
    text = f'<robot name="r" {NAMESPACE}><link name="${{load_yaml(\'a.yaml\')}}"/></robot>'
    (tmp_path / "m.xacro").write_text(text, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "unibody", "info", str(tmp_path / "m.xacro")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode in {1, 2}
    # libyaml from 0.2.6 has its own limit, and says so before ours is met
    assert "YAML data is nested deeper" in done.stderr or "nesting is too deep" in done.stderr


@pytest.mark.parametrize("template", ["{0.__class__}", "{0[__class__]}", "{0:{1.real}}", "{0:999999999}"])
def test_templates_from_yaml(template: str) -> None:
    reading = evaluated(
        "load_yaml('a.yaml').t.format(1, 2)", **{"/d/m/a__yaml": f"t: '{template}'".encode()}
    )
    assert [f for f in reading.findings if f.severity == "error"]


@pytest.mark.parametrize(
    "expression",
    [
        "load_yaml('/etc/passwd')",
        "load_yaml('../../../../etc/passwd')",
        "xacro.load_yaml('/etc/passwd')",
        "load_yaml('file:///etc/passwd')",
        "load_yaml('http://127.0.0.1:1/a.yaml')",
        "load_yaml('//server/a.yaml')",
    ],
)
def test_files_out_of_reach(expression: str) -> None:
    reading = evaluated(expression, **{"/etc/passwd": b"root: x"})
    assert [f for f in reading.findings if f.severity == "error"]
    assert not any("root" in f.text() for f in reading.findings)


def test_substitutions_reach_nothing_either(monkeypatch: pytest.MonkeyPatch) -> None:
    """$(env …) gives what the caller's environment says, as ROS has it, and $(eval …) the same bounds."""
    for text in (
        "$(eval open('/etc/passwd'))",
        "$(eval ().__class__)",
        "$(shell true)",
        "$(command 'true')",
    ):
        reading = expanded(f"<link name={quoteattr(text)}/>")
        assert [f for f in reading.findings if f.severity == "error"], text
    reading = expanded("<link name='$(env HOME)'/>")
    assert [f for f in reading.findings if f.severity == "error"]  # these files have no environment


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("2 * math.pi", "6.283185307179586"),
        ("[x * 2 for x in (1, 2)][-1]", "4"),
        ("'%.3f' % 0.5", "0.500"),
        ("load_yaml('a.yaml').f.format(7)", "    7"),
        ("(lambda x: x + 1)(2)", "3"),
        ("math.prod([2, 3.5])", "7.0"),
        ("math.lcm(4, 6)", "12"),
        ("load_yaml('a.yaml').a.b[1]", "3"),
        ("load_yaml('a.yaml')['c']['b'][0]", "2"),
        ("2**64 - 1", "18446744073709551615"),
    ],
)
def test_what_models_do_works(expression: str, expected: str) -> None:
    assert value(expression, **{"/d/m/a__yaml": b"a: &x {b: [2, 3]}\nc: *x\nf: '{:>5}'\n"}) == expected
