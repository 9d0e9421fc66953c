"""Findings as a JUnit report: a test suite for each file, a test case for each rule with findings."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime, timezone
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from unibody.exchange.problem import CheckedFile, Problem, Report, reports
from unibody.text.finding import Severity

# What XML 1.0 cannot hold in any spelling.
_IMPOSSIBLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(
    checked: Iterable[CheckedFile], root: str, version: str, failing: Collection[Severity], now: datetime
) -> Iterator[str]:
    """The lines of the report; it holds by the schemas of Jenkins and of Ant.

    A rule fails if one of its findings has a severity of ``failing``; other findings are written to the
    output of their suite. Names of files are relative to ``root``; ``version`` is that of unibody, and
    ``now`` the time of the report.
    """
    stamp = now.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield "<testsuites>"
    for number, report in enumerate(reports(checked, root, once=False)):
        yield from _suite(report, number, version, failing, stamp)
    yield "</testsuites>"


def _suite(
    report: Report, number: int, version: str, failing: Collection[Severity], stamp: str
) -> Iterator[str]:
    by_code = sorted(report.problems, key=lambda problem: problem.code)
    cases = [(code, list(found)) for code, found in groupby(by_code, lambda problem: problem.code)]
    failed = {code for code, found in cases if any(problem.severity in failing for problem in found)}
    attributes = {
        "package": posixpath.dirname(report.path) or ".",
        "id": f"{number}",
        "name": report.path,
        "timestamp": stamp,
        "hostname": "localhost",
        "tests": f"{max(1, len(cases) + bool(report.failure))}",
        "failures": f"{len(failed)}",
        "errors": f"{int(bool(report.failure))}",
        "time": f"{report.seconds:.3f}",
    }
    yield f"<testsuite {_attributes(attributes)}>"
    yield f"<properties><property {_attributes({'name': 'unibody', 'value': version})}/></properties>"
    for code, found in cases:
        name = _attributes({"name": code, "classname": report.path, "time": "0"})
        if code in failed:
            yield f"<testcase {name}>"
            said = {"message": found[0].message, "type": code}
            yield from f"<failure {_attributes(said)}>{_text(_lines(found))}</failure>".split("\n")
            yield "</testcase>"
        else:
            yield f"<testcase {name}/>"
    if report.failure:
        yield f"<testcase {_attributes({'name': 'check', 'classname': report.path, 'time': '0'})}>"
        yield f"<error {_attributes({'message': report.failure, 'type': 'check failed'})}/>"
        yield "</testcase>"
    elif not cases:
        yield f"<testcase {_attributes({'name': 'check', 'classname': report.path, 'time': '0'})}/>"
    passed = [problem for problem in report.problems if problem.code not in failed]
    yield from f"<system-out>{_text(_lines(passed))}</system-out>".split("\n")
    yield "<system-err/>"
    yield "</testsuite>"


def _lines(problems: Iterable[Problem]) -> str:
    return "\n".join(_line(problem) for problem in problems)


def _line(problem: Problem) -> str:
    region = problem.region
    place = f"{problem.path}:{region.line}:{region.column}" if region else problem.path
    return f"{place}: {problem.severity}: {problem.text} [{problem.code}]"


def _attributes(values: dict[str, str]) -> str:
    """Attributes of an element.

    >>> _attributes({"name": 'a"<b>&' + chr(10)})
    'name=\\'a"&lt;b&gt;&amp;&#10;\\''
    """
    return " ".join(f"{name}={_ascii(quoteattr(_possible(text)))}" for name, text in values.items())


def _text(text: str) -> str:
    return _ascii(escape(_possible(text)))


def _possible(text: str) -> str:
    """A text with U+FFFD for characters that XML cannot hold."""
    return _IMPOSSIBLE.sub("\ufffd", text)


def _ascii(text: str) -> str:
    """XML text with references for characters beyond ASCII, so that it is the same in every encoding."""
    return text.encode("ascii", "xmlcharrefreplace").decode("ascii")
