"""Odd numbers in every format, as the tables of docs/numbers.md say: value, finding, and its place."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.hostile.test_numbers_slots import COLUMNS, SLOTS, Slot, seen
from tests.sampling import for_each

PAGE = (Path(__file__).parents[2] / "docs/numbers.md").read_text("utf-8")
Row = tuple[str, str, str]


def rows(number: int) -> list[Row]:
    """The cells of a table of the page: the word, the name of the column, and what should become of it."""
    tables = [block for block in PAGE.split("\n\n") if block.startswith("| written |")]
    head, _, *lines = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in tables[number].split("\n")
    ]
    return [
        ("" if cells[0] == "nothing" else cells[0].strip("`"), name, cell)
        for cells in lines
        if len(cells) == len(head)
        for name, cell in zip(head[1:], cells[1:], strict=True)
    ]


def wanted(cell: str) -> tuple[float | None, str, str]:
    """The value, the severity and the code that a cell stands for."""
    words = cell.split()
    if words[0] == "–":
        return None, "warning", words[1]
    try:
        value = float(words[0])
    except ValueError:
        return None, "error", words[0]
    return value, "warning" if words[1:] else "", " ".join(words[1:])


def check(slot: Slot, word: str, cell: str) -> None:
    value, severity, code = wanted(cell)
    found = seen(slot, word)
    usual = {*slot.usual, "robot-size"}  # sizes of 5e-324 m
    said = [(f.severity, f.code) for f in found.findings if f.code not in usual]
    if not code:
        assert said == []
    else:
        fitting = [f for f in found.findings if (f.code, f.severity) == (code, severity)]
        if code == "syntax":
            fitting = [f for f in found.findings if f.code.endswith("-syntax") and f.severity == "error"]
        assert fitting, (slot.name, word, said)
        line, column = slot.place
        at = fitting[0].at
        if slot.placed and code != "mesh-not-finite":
            assert at is not None
            # a number that is missing, or one too many, shows at what holds it, or at what follows
            loose = not word or code in ("number-count", "list-length", "plan-length", "rob-unknown")
            assert at.line == line or (loose and 0 <= at.line - line <= 1)
            if slot.exact and not loose and not code.startswith("json"):
                assert at.column == column, (at.column, column)
    if value:
        assert found.value() == value
    elif value == 0.0 and not found.is_gone():
        assert found.value() == 0.0


MAIN = [(s, w, c) for w, column, c in rows(0) for s in COLUMNS[column]]
OTHER = [(s, w, c) for w, column, c in rows(1) for s in COLUMNS[column]]


@pytest.mark.parametrize("name", SLOTS)
def test_the_table(name: str) -> None:
    @for_each([row for row in (*MAIN, *OTHER) if row[0] == name], lambda row: ascii(row[1]))
    def checked(row: tuple[str, str, Any]) -> None:
        check(SLOTS[name], *row[1:])

    checked()


@pytest.mark.parametrize("name", SLOTS)
def test_a_plain_number(name: str) -> None:
    found = seen(SLOTS[name], "0.5")
    assert [f.code for f in found.findings if f.code not in SLOTS[name].usual] == []
    assert found.value() == 0.5


def test_all_words_of_the_issue_are_there() -> None:
    words = {word for word, _, _ in [*rows(0), *rows(1)]}
    assert {"nan", "inf", "1e400", "1e-400", "4.9e-324", "1,5", "0x10", "１２", "", "1 2"} <= words
    assert {name for names in COLUMNS.values() for name in names} == set(SLOTS)


@pytest.mark.parametrize("digits", [300, 330, 400])
def test_a_number_written_with_many_zeros(digits: int) -> None:
    """What vanishes need not have an exponent."""
    word = "0." + "0" * digits + "1"
    for name in ("Body scalar", "URDF vector", "VRML long", "Inventor list"):
        found = seen(SLOTS[name], word)
        codes = {f.code for f in found.findings}
        assert ("number-underflow" in codes) == (float(word) == 0.0)


@pytest.mark.parametrize("data", ["true", "false", "1e400", "NaN", '"1"', "null", "[1]"])
def test_no_number_of_a_gltf_file(data: str) -> None:
    from tests.hostile.test_numbers_slots import gltf_text
    from tests.mesh.build import read

    surfaces, cache = read(gltf_text(data), ".gltf")
    assert not surfaces
    assert {f.code for f in cache.findings} == {"mesh-broken"}


@pytest.mark.parametrize("text", ["1e400", "nan", "1_0", "１", "1e-400"])
def test_no_number_of_the_command(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    from unibody.cli.main import main

    model = Path(__file__).parents[2] / "src/unibody/models/biped.urdf"
    joint = "LLEG_KNEE"
    assert run(main, ["fk", str(model), "--set", f"{joint}={text}"]) == 2
    assert "expected a number" in capsys.readouterr().err


def run(main: Callable[[list[str]], Any], words: list[str]) -> Any:
    try:
        return main(words)
    except SystemExit as ended:
        return ended.code


def test_infinite_values_stay_possible_in_the_neutral_model() -> None:
    """Its JSON writes them as strings, where the model has a meaning for them."""
    from unibody.model import json as native
    from unibody.model.robot import Joint, Limits, Link, Robot
    from unibody.text.finding import Findings

    joint = Joint(
        name="j", kind="revolute", parent="a", child="b", limits=Limits(position=(-math.inf, 1.0))
    )
    robot = Robot(name="r", links=(Link(name="a"), Link(name="b")), joints=(joint,))
    findings = Findings()
    assert native.loads(native.dumps(robot), "r.json", findings) == robot
    assert findings == []
