"""Findings as workflow commands of GitHub Actions, which annotate a pull request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from unibody.exchange.problem import CheckedFile, Problem, reports
from unibody.text.finding import Severity

_COMMANDS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "notice"}


def github(checked: Iterable[CheckedFile], root: str) -> Iterator[str]:
    """One line for each problem; ``root`` is the folder of the repository.

    >>> from types import SimpleNamespace as File
    >>> place = {"file": "a.urdf", "line": 2, "column": 3, "end_line": 2, "end_column": 9}
    >>> finding = {"code": "mass-zero", "severity": "warning", "message": "zero mass", **place}
    >>> [*github([File(path="a.urdf", findings=[finding], failure="", seconds=0.0)], ".")]
    ['::warning file=a.urdf,line=2,col=3,endLine=2,endColumn=9,title=mass-zero::zero mass']
    """
    for report in reports(checked, root):
        for problem in report.problems:
            yield _command(_COMMANDS[problem.severity], _properties(problem), problem.text)
        if report.failure:
            yield _command("error", {"file": report.path, "title": "check failed"}, report.failure)


def _properties(problem: Problem) -> dict[str, str | int]:
    region = problem.region
    out: dict[str, str | int] = {"file": problem.path}
    if region is not None:
        # GitHub refuses columns of annotations that span several lines.
        one_line = region.line == region.end_line
        columns = {"col": region.column, "endLine": region.end_line, "endColumn": region.end_column}
        out |= {"line": region.line, **(columns if one_line else {"endLine": region.last_line})}
    return out | {"title": problem.code}


def _command(name: str, properties: dict[str, str | int], message: str) -> str:
    words = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::{name} {words}::{_data(message)}"


def _data(text: str) -> str:
    """A message in the escapes of workflow commands.

    >>> _data("100% of" + chr(10) + "a:b")
    '100%25 of%0Aa:b'
    """
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """The value of a property in the escapes of workflow commands.

    >>> _property("a:b,c")
    'a%3Ab%2Cc'
    """
    return _data(text).replace(":", "%3A").replace(",", "%2C")
