"""The page of speed is in step with the results, and tells every benchmark of speed."""

from __future__ import annotations

import json

from bench.run import names
from tests.project.tools import ROOT, tool

TOOL = tool("performance")


def test_page_is_in_step() -> None:
    written = (ROOT / TOOL.PAGE).read_text("utf-8")
    assert written == TOOL.page(), f"{TOOL.PAGE} is out of step: run {TOOL.HOW}"


def test_every_benchmark_has_its_place() -> None:
    assert set(names()) == {*TOOL.SECTIONS, *TOOL.OTHERS}


def test_results_name_no_machine() -> None:
    results = json.loads((ROOT / TOOL.RESULTS).read_text("utf-8"))
    settings = [entry["setting"] for entry in results["benchmarks"].values()]
    assert all(set(x) == {"python", "machine", "packages", "OMP_NUM_THREADS"} for x in settings)
    assert "/" not in "".join(setting["machine"] for setting in settings)
