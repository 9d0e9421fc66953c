"""What is read of SDF files is what libsdformat and Drake make of them (shared/oracle/more)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.sdf.truth import Comparison, drake_differences, load, reading
from tests.shared import CORPUS, ORACLE

#: Differences from libsdformat that are meant, by the end of the path, and why.
MEANT = {
    "joint-child-world.sdf": "a joint whose child is the world is an error, and no joint",
    "include_invalid_custom_model.sdf": "a size of two numbers is an error, and not left as it was",
    "nested_include/base/base.sdf": "its files have no model.config",
    "nested_include/top_model/top_model.sdf": "its files have no model.config",
    "four_bar_loop.sdf": "joints of frames that are attached to the world inside a model are errors",
    "four_bar_weld.sdf": "joints of frames that are attached to the world inside a model are errors",
    "model/turtlebot.sdf": "includes models that are missing",
}


def _rows(loader: str) -> Iterator[tuple[Path, Path]]:
    """The SDF files that a loader has loaded, with the truth about them."""
    index = ORACLE / "more" / "INDEX.tsv"
    for line in index.read_text("utf-8").splitlines() if index.is_file() else ():
        path, made_by, *_ = line.split("\t")
        truth = ORACLE / "more" / f"{path.removeprefix('dev/')}.{loader}.json.gz"
        if made_by.startswith(loader) and path.endswith(".sdf") and truth.is_file():
            yield CORPUS / path, truth


MICRO = [(p, Path(f"{p}.libsdformat.json")) for p in sorted((CORPUS / "micro" / "sdf").rglob("*.sdf"))]
MICRO = [(path, truth) for path, truth in MICRO if truth.is_file()]


def _expect(path: Path, differences: list[str]) -> None:
    meant = next((why for end, why in MEANT.items() if str(path).endswith(end)), None)
    if meant is None:
        assert differences == []
    else:
        assert differences != [], f"no longer different: {meant}"


@pytest.mark.usefixtures("shared")
def test_micro_files_are_read_as_by_libsdformat() -> None:
    assert len(MICRO) > 30
    for path, truth in MICRO:
        _expect(path, Comparison(reading(path), load(truth)).out)


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
def test_corpus_files_are_read_as_by_libsdformat() -> None:
    files = [*_rows("libsdformat")]
    assert len(files) > 90
    for path, truth in files:
        _expect(path, Comparison(reading(path), load(truth)).out)


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
def test_links_are_at_the_poses_of_drake() -> None:
    files = [*_rows("drake")]
    assert len(files) > 40
    for path, truth in files:
        found = [] if "custom" in path.name else drake_differences(reading(path), load(truth))
        assert found == [], path


@pytest.mark.usefixtures("shared")
def test_bad_files_get_the_findings_that_they_need() -> None:
    folder = CORPUS / "bad-more"
    rows = [line.split("\t") for line in (folder / "EXPECT.tsv").read_text("utf-8").splitlines()]
    rows = [row for row in rows if row[0].startswith("sdf/")]
    assert len(rows) > 10
    for name, severity, *_ in rows:
        worst = [f.severity for f in reading(folder / name).findings]
        expected = {"ok": "info"}.get(severity, severity)
        order = ["info", "warning", "error"]
        assert max(map(order.index, worst), default=0) == order.index(expected), name
