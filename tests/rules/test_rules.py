"""Every finding has an entry, every entry's examples do what they say, and the page is in step."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from tests.project.tools import ROOT, tool
from tests.rules.running import found as found_in
from tests.sampling import for_each
from tests.shared import DEV
from tests.sources import tree

import unibody as ub
from unibody.checks.rules import Example, Rule, rules
from unibody.checks.rules.rule import AREAS
from unibody.text.hint import Hint

SRC = ROOT / "src" / "unibody"
SEVERITIES = ("error", "warning", "info")
# The functions that make findings, and which of their arguments is the code.
MAKERS = {"error": 0, "warning": 0, "info": 0, "warn": 0, "Finding": 0, "_fail": 0, "_refused": 0}
MAKERS |= {"report": 0, "_note": 1, "broken": 1, "_limit": 2}
# Codes that are found with coal only.
COLLISION = ("posture-collides", "pair-disabled-collides", "pair-never-collides")
CODE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


FINDINGS = tool("findings")


def words(node: ast.expr) -> Iterator[str]:
    """The codes that an expression can be: constants, choices between them, f-strings as patterns."""
    match node:
        case ast.Constant(value=str(word)):
            yield word
        case ast.IfExp():
            yield from words(node.body)
            yield from words(node.orelse)
        case ast.BoolOp():
            for value in node.values:
                yield from words(value)
        case ast.JoinedStr():
            parts = [v.value if isinstance(v, ast.Constant) else "*" for v in node.values]
            yield "".join(map(str, parts))


#: Rules whose examples take long.
LARGE = {"model-too-large", "polygons-too-hard"}


@cache
def emitted() -> dict[str, set[tuple[str, str]]]:
    """Each code that the sources can give: where, and with which severity where that can be told."""
    out: dict[str, set[tuple[str, str]]] = {}
    for path in sorted(SRC.rglob("*.py")):
        if path.is_relative_to(SRC / "checks" / "rules"):
            continue
        name = path.relative_to(SRC)
        for node in ast.walk(tree(path)):
            where = f"{name}:{getattr(node, 'lineno', 0)}"
            for word, severity in codes_of(node):
                if CODE.fullmatch(word.replace("*", "x")):
                    out.setdefault(word, set()).add((where, severity))
    return out


def codes_of(node: ast.AST) -> Iterator[tuple[str, str]]:
    match node:
        case ast.Call(func=ast.Attribute(attr=name)) | ast.Call(func=ast.Name(id=name)):
            place = MAKERS.get(name)
            severity = name if name in SEVERITIES else ""
            if place is not None and len(node.args) > place and not is_parser(node.func):
                for word in words(node.args[place]):
                    yield word, severity
            for keyword in node.keywords:
                if keyword.arg == "code":
                    yield from ((word, "") for word in words(keyword.value))
        case ast.Assign(targets=[ast.Name(id="code")]) | ast.Assign(targets=[ast.Tuple()]):
            if "code" in ast.unparse(node.targets[0]).split(", ")[0]:
                value = node.value.elts[0] if isinstance(node.value, ast.Tuple) else node.value
                yield from ((word, "") for word in words(value) if "-" in word)
        case ast.arg() | ast.FunctionDef():
            if isinstance(node, ast.FunctionDef):
                yield from defaults(node)


def is_parser(function: ast.expr) -> bool:
    """argparse has a method of the same name."""
    return ast.unparse(function) == "parser.error"


def defaults(function: ast.FunctionDef) -> Iterator[tuple[str, str]]:
    given = function.args.defaults
    named = [*function.args.posonlyargs, *function.args.args]
    for argument, value in zip(named[len(named) - len(given) :], given, strict=True):
        if argument.arg == "code":
            yield from ((word, "") for word in words(value))


# Keywords of reading by the settings of hints that state them.
READING = {
    "allow": "allow",
    "package": "packages",
    "remap": "remap",
    "scale": "scale",
    "up_axis": "up_axis",
    "arguments": "arguments",
}


def test_every_code_has_an_entry() -> None:
    patterns = {code: re.compile(re.escape(code).replace(r"\*", "[a-z]+")) for code in emitted()}
    unknown = {
        code: sorted(places)[0][0]
        for code, places in emitted().items()
        if code not in rules() and not any(map(patterns[code].fullmatch, rules()))
    }
    assert not unknown, f"findings without an entry in checks/rules or formats/*/rules.yaml: {unknown}"
    stale = [
        code
        for code in rules()
        if code not in patterns and not any(p.fullmatch(code) for p in patterns.values())
    ]
    assert not stale, f"entries of codes that nothing reports: {stale}"


def test_severities_are_those_of_the_sources() -> None:
    wrong = [
        f"{where}: {code} is given as {severity}"
        for code, places in emitted().items()
        for where, severity in places
        if severity and code in rules() and severity not in rules()[code].severities
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "rule",
    [pytest.param(r, marks=pytest.mark.slow if r.code in LARGE else ()) for r in rules().values()],
    ids=rules(),
)
def test_example(rule: Rule, tmp_path: Path) -> None:
    """The failing one gives the code; the passing one does not, nor any other warning or error."""
    if rule.code in COLLISION:
        pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")
    found = found_in(rule.fails, tmp_path / "fails")
    severities = {f.severity for f in found if f.code == rule.code}
    assert severities, f"gives only {[str(f) for f in found]}"
    assert severities <= set(rule.severities)
    assert sorted(rule.severities, key=SEVERITIES.index) == list(rule.severities)
    passes = found_in(rule.passes, tmp_path / "passes")
    assert [str(f) for f in passes if f.code == rule.code or f.severity != "info"] == []


def test_the_settings_of_hints_remove_their_findings(tmp_path: Path) -> None:
    """The settings that hints of the examples state with their values, one after the other."""
    pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")
    followed = set()
    for rule in rules().values():
        if rule.fails.command or rule.code in LARGE:
            continue
        for finding in found_in(rule.fails, tmp_path):
            hint = finding.hint
            for setting in hint.settings if isinstance(hint, Hint) else ():
                if setting.value is None or setting.name not in READING:
                    continue
                given = {setting.key: setting.value} if setting.key else setting.value
                keywords = {READING[setting.name]: [given] if setting.name == "allow" else given}
                left = [(f.code, f.message) for f in found_in(rule.fails, tmp_path, **keywords)]
                assert (finding.code, finding.message) not in left, hint
                followed.add((finding.code, setting.name))
    assert len(followed) > 5, followed


@for_each(rules().values(), lambda rule: rule.code)
def test_entry_is_short_and_whole(rule: Rule) -> None:
    assert CODE.fullmatch(rule.code)
    assert rule.area in AREAS
    assert set(rule.severities) <= set(SEVERITIES)
    assert 10 <= len(rule.title) <= 80
    assert not rule.title.endswith(".")
    for text in (rule.why, rule.remedy):
        assert 8 <= len(text) <= 300
        assert text.endswith(".")
        assert text[0].isupper() or not text[0].isalpha() or text.startswith(("xacro", "unibody"))
    for example in (rule.fails, rule.passes):
        assert example.text.count("\n") <= 30


def test_a_repeated_part_is_written_out() -> None:
    example = Example(name="a", format="body", text="[⟨3 × ab⟩]", binary={"b": "⟨2 × 0f⟩"})
    assert example.contents() == {"a": b"[ababab]", "b": b"\x0f\x0f"}


def test_links_of_the_list_lead_to_the_entries() -> None:
    pages = FINDINGS.pages()
    links = re.findall(r"\]\(findings/(\w[\w-]*\.md)#([^)]*)\)", pages[FINDINGS.PAGE])
    assert {code for _, code in links} == set(rules())
    for page, code in links:
        assert f"\n## {code}\n" in pages[f"docs/findings/{page}"]


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
def test_every_finding_of_the_corpus_has_an_entry() -> None:
    kinds = {".body", ".urdf", ".xacro", ".rob"}
    for path in sorted(p for p in DEV.parent.rglob("*") if p.suffix in kinds):
        for f in ub.read(path).findings:
            assert f.code in rules(), f
            assert f.severity in rules()[f.code].severities, f
