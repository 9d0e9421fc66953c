"""The tables of docs/architecture.md are the options of the command, and old spellings name new ones."""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from unibody.cli.main import COMMANDS, main, parsers
from unibody.cli.spellings import REMOVED, RENAMED

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/architecture.md").read_text("utf-8")
OPTION_ROW = re.compile(r"^\| (`-.*`) \| ([^|]*) \| ([^|]*) \|$", re.MULTILINE)
GROUP = re.compile(r"\*(\w+)\*(?: are the verbs that read a model| take any number of them)?: ([^.]*)\.")


@cache
def parser(verb: str) -> argparse.ArgumentParser:
    found = parsers(verb)[1]
    assert found is not None
    return found


def options(verb: str) -> Iterator[argparse.Action]:
    return (each for each in parser(verb)._actions if each.option_strings and each.dest != "help")


def spelled(option: argparse.Action) -> str:
    """An option as the table has it: its spellings, and the name of its value."""
    value = ""
    if option.nargs != 0:
        choices = "{" + ",".join(map(str, option.choices)) + "}" if option.choices else ""
        value = str(option.metavar or choices or option.dest.upper())
        value = f" [{value}]" if option.nargs == "?" else f" {value}"
    *others, last = option.option_strings
    return ", ".join([*(f"`{each}`" for each in others), f"`{last}{value}`"])


def verbs(words: str) -> list[str]:
    """The verbs of a cell: names, and groups of them."""
    groups = {name: re.split(r",\s+", listed) for name, listed in GROUP.findall(PAGE)}
    groups["all"] = [*COMMANDS]
    some, _, without = words.partition(" but ")
    found = [
        verb for word in some.split(", ") for verb in (groups[word[1:-1]] if word[0] == "*" else [word])
    ]
    return [verb for verb in found if verb not in without.split(", ")]


def test_the_table_has_the_options_of_all_verbs() -> None:
    page = PAGE.replace("\\|", "\N{BROKEN BAR}")  # a bar inside of a cell
    rows = [
        (option.replace("\N{BROKEN BAR}", "|"), verb)
        for option, words, _ in OPTION_ROW.findall(page)
        for verb in verbs(words)
    ]
    known = [(spelled(option), verb) for verb in COMMANDS for option in options(verb)]
    assert [row for row, count in Counter(rows).items() if count > 1] == []
    assert sorted(set(known) - set(rows)) == [], "options without a row"
    assert sorted(set(rows) - set(known)) == [], "rows without an option"


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
