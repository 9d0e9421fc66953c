"""Plans of MPK: read, written, and what is said of wrong lines."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from unibody.files.access import MemoryFiles
from unibody.formats.mpk import Plan, read_plan, write_plan
from unibody.formats.mpk.plan import format_plan, parse_plan
from unibody.text.source import Source


def parsed(text: str) -> Plan:
    return parse_plan(Source("a.pln", text))


def said(text: str) -> list[tuple[str, int, int]]:
    """Code, line and column of each finding."""
    out = []
    for f in parsed(text).findings:
        assert f.at is not None
        out.append((f.code, f.at.line, f.at.column))
    return out


@pytest.mark.parametrize(
    "text",
    [
        "* 0 0.5\n* 1 0.25\n",
        "*\t0 0.5 \r\n*\t1 0.25 \r\n",
        "*0 0.5\n*1 0.25",
        "# to the shelf\n\n * 0 5e-001 # start\n* 1 0.25\n# end",
    ],
)
def test_configurations_are_lines_behind_an_asterisk(text: str) -> None:
    plan = parsed(text)
    assert plan.ok
    assert plan.findings == ()
    assert plan.points.tolist() == [[0.0, 0.5], [1.0, 0.25]]
    assert len(plan) == 2


def test_what_mpk_itself_has_written() -> None:
    text = "*\t0.628 0.087 0.61 0.5 \n*\t0.338 3.81639e-017 0.7 0.5 \n"
    assert parsed(text).points[1, 1] == 3.81639e-17


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("0 0.5\n* 1 0.5", [("plan-line", 1, 1)]),
        ("* 0 0.5\n  x\n* 1 0.5", [("plan-line", 2, 3)]),
        ("* 0 half\n* 1 0.5", [("plan-number", 1, 5)]),
        ("* 0 nan\n* 1 1e999\n* 1 1", [("plan-number", 1, 5), ("plan-number", 2, 5)]),
        ("* 0 0.5 * 1 0.5", [("plan-number", 1, 9)]),
        ("* 0 0.5\n* 1\n* 1 1 1", [("plan-length", 2, 1), ("plan-length", 3, 1)]),
        ("*\n* 1", [("plan-length", 1, 1)]),
        ("* 0 1.5\n* -1 0.5", [("plan-range", 1, 5)]),
        ("", [("empty", 1, 1)]),
        ("# nothing\n", [("empty", 1, 1)]),
    ],
)
def test_wrong_lines_have_findings(text: str, found: list[tuple[str, int, int]]) -> None:
    assert said(text) == found


def test_wrong_lines_are_left_out_and_the_others_kept() -> None:
    plan = parsed("* 0 0.5\n* 0 zero\nnone\n* 1\n* 1 0.25\n")
    assert plan.points.tolist() == [[0.0, 0.5], [1.0, 0.25]]
    assert not plan.ok
    kept = parsed("* 0 1.5")
    assert kept.ok
    assert kept.points.tolist() == [[0.0, 1.5]]


def test_a_missing_file_is_a_finding() -> None:
    plan = read_plan("none.pln", MemoryFiles({}))
    assert not plan.ok
    assert [f.code for f in plan.findings] == ["file-missing"]
    assert plan.points.shape == (0, 0)


def test_a_file_that_is_no_text_is_a_finding() -> None:
    plan = read_plan("a.pln", MemoryFiles({"a.pln": b"\x00\x01\x02" * 50}))
    assert not plan.ok
    assert plan.findings


PLANS = arrays.arrays(
    np.float64,
    st.tuples(st.integers(1, 6), st.integers(1, 5)),
    elements=st.floats(0.0, 1.0),
)


@given(PLANS)
def test_what_is_written_reads_back_exactly(points: NDArray[np.float64]) -> None:
    plan = parsed(format_plan(points))
    assert plan.findings == ()
    assert (plan.points == points).all()


def test_comments_are_kept() -> None:
    text = "# to the shelf\n*\t0 0.5\n# half way\n# there\n*\t1 0.25\n# end\n"
    assert format_plan(parsed(text)) == text
    assert parsed("* 0 # start\n* 1").comments == ((1, "# start"),)


def test_a_plan_is_written_to_a_file_once(tmp_path: Path) -> None:
    path = tmp_path / "a.pln"
    write_plan([[0.0, 0.5], [1.0, 0.25]], path)
    assert path.read_bytes() == b"*\t0 0.5\n*\t1 0.25\n"
    with pytest.raises(FileExistsError, match="overwrite=True"):
        write_plan([[0.0]], path)
    write_plan(read_plan(path), path, overwrite=True)
    assert read_plan(path).points.tolist() == [[0.0, 0.5], [1.0, 0.25]]
    assert [p.name for p in tmp_path.iterdir()] == ["a.pln"]


@pytest.mark.parametrize("points", [[0.0, 1.0], [[np.nan]], [[np.inf, 0.0]]])
def test_what_is_no_plan_is_not_written(points: list[float], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="finite numbers"):
        write_plan(points, tmp_path / "a.pln")
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_long_plans_are_read_at_once() -> None:
    points = np.random.default_rng(1).random((50_000, 6))
    text = format_plan(points)
    started = time.process_time()
    assert (parsed(text).points == points).all()
    assert time.process_time() - started < 20.0


def test_a_file_of_garbage_ends_soon() -> None:
    assert len(parsed("x\n" * 100_000).findings) == 101
