"""Options of the command have one meaning, and docs/architecture.md has the keywords of the functions."""

from __future__ import annotations

import argparse
import ast
import builtins
import importlib
import inspect
import re
import typing
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.sampling import for_each
from tests.sources import tree

import unibody as ub
from unibody.cli.declaration import declared
from unibody.cli.main import COMMANDS, main, parsers
from unibody.cli.spellings import REMOVED, RENAMED

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/architecture.md").read_text("utf-8")


@cache
def parser(verb: str) -> argparse.ArgumentParser:
    found = parsers(verb)[1]
    assert found is not None
    return found


def options(verb: str) -> Iterator[argparse.Action]:
    return (each for each in parser(verb)._actions if each.option_strings and each.dest != "help")


def spellings() -> dict[str, set[str]]:
    """The spellings of an option in all verbs, by its name."""
    found: dict[str, set[str]] = {}
    for verb in COMMANDS:
        for option in declared(parser(verb)):
            if option.names:
                found.setdefault(option.names[-1], set()).add(option.spelling)
    return found


def test_every_argument_is_declared() -> None:
    for verb in COMMANDS:
        added = [option for option in parser(verb)._actions if option.dest != "help"]
        assert len(added) == len([*declared(parser(verb))])


#: Options of one meaning that take other values in some verbs.
OTHER_VALUES = {"--format", "--inertias", "--method", "--only", "--shapes", "--to", "--tolerance"}


def test_an_option_has_one_spelling() -> None:
    assert {name for name, found in spellings().items() if len(found) > 1} <= OTHER_VALUES


def test_needs_name_options() -> None:
    for verb in COMMANDS:
        known = {name for option in declared(parser(verb)) for name in option.names}
        needs = {word for option in declared(parser(verb)) for word in options_in(option.needs)}
        assert needs <= known


def options_in(text: str) -> set[str]:
    return set(re.findall(r"(?<![\w-])--[a-z][\w-]*", text))


#: Options of argparse and of other verbs that a verb names.
NAMED = {("convert", "--help"), ("formats", "--limit")}


def test_the_texts_of_a_verb_name_its_options() -> None:
    named = set()
    for verb in COMMANDS:
        known = {name for option in declared(parser(verb)) for name in option.names}
        module = tree(ROOT / f"src/unibody/cli/{verb.replace('-', '_')}.py")
        for node in ast.walk(module):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                named |= {(verb, option) for option in options_in(node.value) - known}
    assert named == NAMED


#: The functions that verbs hand their options to, and the keywords that no option states.
HANDED: dict[str, tuple[Any, set[str]]] = {
    "simulate": (ub.simulate, {"solref", "seed", "progress", "format"}),
    "convert": (ub.convert, {"format"}),  # --to
    "simplify": (ub.simplify, set()),
    "plan": (ub.plan, {"progress", "format"}),
    "pairs": (ub.self_collision, {"progress"}),
}


@pytest.mark.parametrize("verb", HANDED)
def test_the_keywords_of_a_function_are_options_of_its_verb(verb: str) -> None:
    function, without = HANDED[verb]
    stated = {option.dest for option in declared(parser(verb))}
    assert set(function.__kwdefaults__) - stated == without


def test_an_option_has_one_kind_of_value() -> None:
    """Where an option has a value in one verb, it has one in all."""
    kinds: dict[str, set[bool]] = {}
    for verb in COMMANDS:
        for option in options(verb):
            kinds.setdefault(option.option_strings[-1], set()).add(option.nargs == 0)
    assert [name for name, values in kinds.items() if len(values) > 1] == []


OLD = [
    (verb, old)
    for of_verb, spellings in [*RENAMED.items(), *REMOVED.items()]
    for verb in (
        [of_verb]
        if of_verb
        else [each for each in COMMANDS if "--from" in parser(each)._option_string_actions]
    )
    for old in spellings
]


@pytest.mark.parametrize(("verb", "old"), OLD)
@pytest.mark.parametrize("form", ["{}", "{}=x"])
def test_an_old_spelling_is_an_error_that_names_the_new_one(
    verb: str, old: str, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    taken = parser(verb)._option_string_actions
    assert old not in taken
    assert main([verb, "model.urdf", form.format(old)]) == 2
    new = RENAMED.get(verb, {}).get(old) or RENAMED[""].get(old)
    error = capsys.readouterr().err
    assert f"{old} {'is now ' + new if new else 'was removed'}" in error
    if new:
        assert set(re.findall(r"--[a-z-]+|-[a-z]\b", new.partition(";")[0])) <= set(taken)


def test_values_that_argparse_would_not_find(capsys: pytest.CaptureFixture[str]) -> None:
    biped = str(ROOT / "src/unibody/models/biped.body")
    assert main(["fk", "RARM_ELBOW=-90deg", biped, "--json"]) == 0
    bent = capsys.readouterr().out
    assert main(["fk", biped, "--set", "RARM_ELBOW=-90deg", "--json"]) == 0
    assert capsys.readouterr().out == bent
    assert main(["workspace", "--samples", "2", "--csv", biped, "LARM_ELBOW"]) == 0
    assert capsys.readouterr().out.startswith("x,y,z\n")
    assert main(["ik", biped, "LARM_ELBOW", "--place", "-10cm,30cm,1"]) == 0
    capsys.readouterr()
    assert main(["workspace", biped, "LARM_ELBOW", "--csv", "points.txt"]) == 2
    error = "argument --csv: expected a file name that ends with .csv, got 'points.txt'"
    assert error in capsys.readouterr().err


@pytest.mark.parametrize("verb", ["fk", "ik", "mass", "view", "plan", "simulate"])
def test_verbs_take_positions_as_words(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    model = str(ROOT / "tests/commands/models/pendulum.body")
    more = {"ik": ["rod", "--place", "0,0,0"], "view": ["--html", "page.html"], "plan": ["--goal", "t:0"]}
    errors = []
    for words in (["nowhere=30deg"], ["--set", "nowhere=30deg"]):
        assert main([verb, model, *words, *more.get(verb, [])]) == 2
        errors.append(capsys.readouterr().err)
    assert errors[0] == errors[1]
    assert "nowhere" in errors[0]


# Functions

FUNCTIONS = [name for name in ub.__all__ if inspect.isfunction(getattr(ub, name))]
PUBLIC = {value for name in ub.__all__ if isinstance(value := getattr(ub, name), type)}
FUNCTION_PART = PAGE.partition("## The public functions")[2].partition("\n## ")[0]
KEYWORD_ROW = re.compile(r"^\| (`[a-z_]+`(?:, `[a-z_]+`)*) \| ([^|]*) \| ([^|]*) \|$", re.MULTILINE)
TAKES_ROW = re.compile(r"^\| ([a-z_, ]+) \| (?!---|takes)([^|]*) \|$", re.MULTILINE)

#: Classes of the machinery below Files, Reading and World, for formats and tools of one's own.
INNER = {
    "Bounds",
    "Buffer",
    "LinearCoupling",
    "ModelObject",
    "Node",
    "Numbers",
    "PairValues",
    "Row",
    "Search",
}
INNER |= {"Surface", "Tester", "TextError", "Word"}


def reading_functions() -> list[str]:
    listed = re.search(r"\*reading\* are the functions that read a model file: ([^.]*)\.", FUNCTION_PART)
    assert listed is not None
    return re.split(r",\s+", listed[1])


def functions(words: str) -> list[str]:
    some, _, without = words.partition(" but ")
    found = [
        name
        for word in some.split(", ")
        for name in (reading_functions() if word == "*reading*" else [word])
    ]
    return [name for name in found if name not in without.split(", ")]


def test_the_table_has_the_keywords_of_all_functions() -> None:
    rows = [
        (name, keyword)
        for keywords, words, _ in KEYWORD_ROW.findall(FUNCTION_PART)
        for keyword in re.findall(r"`(\w+)`", keywords)
        for name in functions(words)
    ]
    known = []
    for name in FUNCTIONS:
        for keyword in [*inspect.signature(getattr(ub, name)).parameters.values()][1:]:
            if keyword.kind is not keyword.VAR_KEYWORD:
                known.append((name, keyword.name))
    for name in reading_functions():
        known += [(name, keyword) for keyword in ub.ReadKeywords.__annotations__]
    # convert and what is written have two formats and bases
    doubled = {("convert", "format")}
    twice = [row for row, count in Counter(rows).items() if count > 1]
    assert set(twice) <= doubled
    assert sorted(set(known) - set(rows)) == [], "keywords without a row"
    assert sorted(set(rows) - set(known)) == [], "rows without a keyword"


def test_functions_that_read_are_those_with_the_keywords_of_reading() -> None:
    kinds = {name: [*inspect.signature(getattr(ub, name)).parameters.values()][-1] for name in FUNCTIONS}
    read = [name for name, last in kinds.items() if last.kind is last.VAR_KEYWORD]
    assert sorted(reading_functions()) == sorted(set(read) - {"save", "dumps"})


def test_the_table_of_what_functions_take_has_all_of_them() -> None:
    rows = [name for names, _ in TAKES_ROW.findall(FUNCTION_PART) for name in names.split(", ")]
    assert sorted(set(rows)) == FUNCTIONS


def annotated(function: Any) -> Iterator[type]:
    """The classes in the annotations of a function."""
    function = inspect.unwrap(function)
    module = importlib.import_module(function.__module__)
    names = dict(vars(module))
    imports = re.findall(r"^    from ([\w.]+) import ([\w, ]+)$", inspect.getsource(module), re.MULTILINE)
    for home, imported in imports:
        for name in imported.split(", ") if home != "typing_extensions" else ():
            names.setdefault(name, getattr(importlib.import_module(home), name))
    names.setdefault("Unpack", typing.Optional)  # anything with one argument
    for text in function.__annotations__.values():
        yield from classes(eval(text, names) if isinstance(text, str) else text)


def classes(annotation: Any) -> Iterator[type]:
    if isinstance(annotation, type):
        yield annotation
    for inner in typing.get_args(annotation):
        yield from classes(tuple(inner) if isinstance(inner, list) else inner)


def members(name: str) -> Iterator[tuple[str, Any]]:
    """The public methods and properties of a public class, and a public function."""
    value = getattr(ub, name)
    if inspect.isfunction(value):
        yield name, value
    if not isinstance(value, type):
        return
    for key, member in vars(value).items():
        function = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
        own = inspect.isfunction(function) and inspect.unwrap(function).__module__.startswith("unibody")
        if own and not key.startswith("_"):
            yield f"{name}.{key}", function


@for_each([name for name in ub.__all__ if callable(getattr(ub, name))])
def test_classes_in_public_signatures_are_public(name: str) -> None:
    hidden = {
        (where, each.__name__)
        for where, function in members(name)
        for each in annotated(function)
        if each.__module__.startswith("unibody") and each not in PUBLIC and each.__name__ not in INNER
    }
    assert not hidden


@for_each([name for name in ub.__all__ if callable(getattr(ub, name))])
def test_exceptions_in_public_docstrings_are_public(name: str) -> None:
    named = {
        word
        for _, function in members(name)
        for word in re.findall(r"\b(?:[A-Z]\w+Error|Missing\w+)\b", inspect.getdoc(function) or "")
    }
    assert named - {*dir(builtins), *ub.__all__, "SystemError"} == set()


def test_no_page_imports_a_private_module() -> None:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    private = [
        f"{page.relative_to(ROOT)}: {line.strip()}"
        for page in pages
        for line in page.read_text("utf-8").splitlines()
        if re.match(r"[>. ]*(from unibody\.|import unibody\.)", line)
        or re.search(r"`(from|import) unibody\.", line)
    ]
    assert private == []
