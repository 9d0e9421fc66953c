"""The recorded verdicts of other loaders, against those that are installed here."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.loaders.run import LOADERS, version
from tests.loaders.verdicts import LOADS, cases, recorded, run

WANTED = [case for case in cases() if case.format == "urdf"]


@pytest.mark.slow
@pytest.mark.parametrize("loader", LOADERS)
def test_installed_loader_gives_the_recorded_verdicts(loader: str, tmp_path: Path) -> None:
    if not version(loader):
        pytest.skip(f"{loader} is not installed")
    rows = {row.key: row for row in recorded() if row.loader == loader}
    if any(row.version != version(loader) for row in rows.values()):
        pytest.skip(f"the verdicts are of another version than the installed {loader} {version(loader)}")
    changed = [
        (row, rows[row.key].verdict)
        for row in run(loader, WANTED, tmp_path)
        if row.verdict != rows[row.key].verdict
    ]
    assert changed == []


def test_a_loader_that_is_here_reads_the_base(tmp_path: Path) -> None:
    """The harness itself: the good file loads with every installed loader."""
    good = next(case for case in WANTED if case.name == "unknown element")
    for loader in LOADERS:
        for row in run(loader, [good], tmp_path / loader):
            assert row.verdict in LOADS, loader
