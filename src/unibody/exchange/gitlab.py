"""Findings as a code quality report of GitLab."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from unibody.exchange.problem import CheckedFile, Problem, Report, fingerprint, reports
from unibody.text.finding import Severity

_SEVERITIES: dict[Severity, str] = {"error": "critical", "warning": "minor", "info": "info"}


def gitlab(checked: Iterable[CheckedFile], root: str) -> Iterator[str]:
    """The lines of the report, a JSON array; ``root`` is the folder of the repository."""
    before = "["
    for report in reports(checked, root):
        for entry in _entries(report):
            yield f"{before}{json.dumps(entry)}"
            before = ","
    yield "[]" if before == "[" else "]"


def _entries(report: Report) -> Iterator[dict[str, Any]]:
    yield from (_entry(problem) for problem in report.problems)
    if report.failure:
        yield {
            "description": report.failure,
            "check_name": "check failed",
            "fingerprint": fingerprint("check failed", report.path),
            "severity": "blocker",
            "location": _location(report.path, (1, 1), (1, 1)),
        }


def _entry(problem: Problem) -> dict[str, Any]:
    region = problem.region
    begin = (region.line, region.column) if region else (1, 1)
    end = (region.end_line, region.end_column) if region else (1, 1)
    return {
        "description": problem.text.replace("\n", "; "),
        "check_name": problem.code,
        "fingerprint": problem.fingerprint,
        "severity": _SEVERITIES[problem.severity],
        "location": _location(problem.path, begin, end),
    }


def _location(path: str, begin: tuple[int, int], end: tuple[int, int]) -> dict[str, Any]:
    places = {
        name: dict(zip(("line", "column"), at, strict=True))
        for name, at in (("begin", begin), ("end", end))
    }
    return {"path": path, "positions": places}
