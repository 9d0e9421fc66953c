"""Findings as SARIF 2.1.0, the interchange format of static analysis."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from unibody.exchange.problem import CheckedFile, Problem, reports
from unibody.exchange.region import Region, path_below

if TYPE_CHECKING:
    from unibody.checks.rules import Rule

#: The name of the root folder, which the reader of the report knows.
ROOT = "%SRCROOT%"
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS: dict[str, str] = {"error": "error", "warning": "warning", "info": "note"}
#: The name of the fingerprints; the number changes with the way in which they are computed.
FINGERPRINT = "unibodyFinding/v1"


def sarif(checked: Iterable[CheckedFile], root: str, version: str) -> Iterator[str]:
    """The lines of the report; ``version`` is that of unibody.

    Files are named relative to ``root``, whose own place the report leaves to its reader. Columns count
    UTF-16 units. The rules are those that found something, described by the documentation of the codes.
    """
    head = {
        "columnKind": "utf16CodeUnits",
        "originalUriBaseIds": {
            ROOT: {"description": _message("the folder of the repository, or of the run")}
        },
    }
    yield f'{{"$schema": "{_SCHEMA}", "version": "2.1.0", "runs": [{{'
    yield f"{json.dumps(head)[1:-1]},"
    yield '"results": ['
    numbers: dict[str, int] = {}
    failures: list[dict[str, Any]] = []
    before = ""
    for report in reports(checked, root):
        for problem in report.problems:
            number = numbers.setdefault(problem.code, len(numbers))
            yield before + json.dumps(_result(problem, number, root))
            before = ","
        if report.failure:
            failures.append(_notification(report.path, report.failure))
    yield "],"
    yield f'"invocations": [{json.dumps(_invocation(failures))}],'
    yield f'"tool": {json.dumps({"driver": _driver(numbers, version)})}'
    yield "}]}"


def _driver(codes: Iterable[str], version: str) -> dict[str, Any]:
    from unibody.checks.rules import rules

    known = rules()
    described = [_rule(known[code]) if code in known else {"id": code} for code in codes]
    return {"name": "unibody", "semanticVersion": version, "rules": described}


def _rule(rule: Rule) -> dict[str, Any]:
    """A finding code as a reporting descriptor."""
    fails = rule.fails.text.rstrip("\n")
    markdown = f"{rule.why}\n\n{rule.remedy}\n\nAn example that fails:\n\n```\n{fails}\n```\n"
    return {
        "id": rule.code,
        "name": "".join(word.capitalize() for word in rule.code.split("-")),
        "shortDescription": _message(rule.title),
        "fullDescription": _message(rule.why),
        "help": {
            "text": f"{rule.remedy} unibody explain {rule.code} shows an example.",
            "markdown": markdown,
        },
        "defaultConfiguration": {"level": _LEVELS[rule.severities[0]]},
        "properties": {"tags": [rule.area]},
    }


def _result(problem: Problem, number: int, root: str) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": _artifact(problem.path)}
    if problem.region is not None:
        place["region"] = _region(problem.region)
    location: dict[str, Any] = {"physicalLocation": place}
    if problem.subjects:
        location["logicalLocations"] = [{"fullyQualifiedName": subject} for subject in problem.subjects]
    out = {
        "ruleId": problem.code,
        "ruleIndex": number,
        "level": _LEVELS[problem.severity],
        "message": _message(problem.text),
        "locations": [location],
        "partialFingerprints": {FINGERPRINT: problem.fingerprint},
    }
    fixes: list[dict[str, Any]] = []
    for finding in problem.fixes:
        fix = _fix(finding, root)
        # Findings of one place, such as a part that is included twice, may have the same edits.
        if fix is not None and fix not in fixes:
            fixes.append(fix)
    return out | ({"fixes": fixes} if fixes else {})


def _fix(finding: Mapping[str, Any], root: str) -> dict[str, Any] | None:
    """The edits of a finding; None if their text is not that of the file."""
    changes: dict[str, list[dict[str, Any]]] = {}
    for edit in finding["edits"]:
        region = Region.of(edit)
        if region is None:
            return None
        replacement: dict[str, Any] = {"deletedRegion": _region(region)}
        if edit["after"]:
            replacement["insertedContent"] = {"text": edit["after"]}
        changes.setdefault(path_below(edit["file"], root), []).append(replacement)
    return {
        "description": _message(finding["does"]),
        "artifactChanges": [
            {"artifactLocation": _artifact(path), "replacements": replacements}
            for path, replacements in changes.items()
        ],
    }


def _region(region: Region) -> dict[str, int]:
    return {
        "startLine": region.line,
        "startColumn": region.column_utf16,
        "endLine": region.end_line,
        "endColumn": region.end_column_utf16,
    }


def _artifact(path: str) -> dict[str, str]:
    """The location of a file by its path below the root, or its absolute path.

    >>> _artifact("robots/my arm.urdf")
    {'uri': 'robots/my%20arm.urdf', 'uriBaseId': '%SRCROOT%'}
    >>> _artifact("/opt/arm.urdf")
    {'uri': 'file:///opt/arm.urdf'}
    """
    if not PurePath(path).is_absolute():
        return {"uri": _quoted(path), "uriBaseId": ROOT}
    if path.startswith("//"):  # a network share of Windows
        return {"uri": f"file:{_quoted(path)}"}
    return {"uri": f"file://{_quoted(path if path.startswith('/') else '/' + path)}"}


def _quoted(path: str) -> str:
    """A path in the characters of a URI; what is no text stands for its bytes."""
    try:
        data = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        data = path.encode("utf-8", "replace")
    return quote(data)


def _invocation(failures: list[dict[str, Any]]) -> dict[str, Any]:
    out: dict[str, Any] = {"executionSuccessful": not failures}
    return out | ({"toolExecutionNotifications": failures} if failures else {})


def _notification(path: str, failure: str) -> dict[str, Any]:
    place = {"physicalLocation": {"artifactLocation": _artifact(path)}}
    return {"level": "error", "message": _message(failure), "locations": [place]}


def _message(text: str) -> dict[str, str]:
    return {"text": text}
