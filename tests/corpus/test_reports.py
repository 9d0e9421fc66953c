"""The reports of ``unibody check`` about the whole corpus hold by the published schemas, and read back."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import xmlschema
from tests.exchange.schemas import GITLAB_FACTS, JUNIT, published, sarif_schema
from tests.exchange.test_exchange import parsed
from tests.shared import CORPUS

from unibody.cli.main import main

FOLDERS = [name for name in ("dev", "more", "bad", "bad-more") if (CORPUS / name).is_dir()]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.usefixtures("shared"),
]
LEVELS = {"error": "error", "warning": "warning", "note": "notice"}


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where the record of the run is, from which every report is made."""
    return str(tmp_path_factory.mktemp("reports") / "run.jsonl")


@pytest.fixture
def report(record: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Any:
    """The report of a form."""
    monkeypatch.chdir(CORPUS)
    for name in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)

    def of(form: str) -> str:
        assert main(["check", *FOLDERS, "--all-findings", "--format", form, "--resume", record]) == 1
        return capfd.readouterr().out

    return of


def test_sarif(report: Any) -> None:
    data = json.loads(report("sarif"))
    jsonschema.Draft4Validator(sarif_schema()).validate(data)
    assert len(data["runs"][0]["results"]) > 1000


def test_junit(report: Any, tmp_path: Path) -> None:
    schemas = [xmlschema.XMLSchema10(published(path)) for path in JUNIT]
    path = tmp_path / "report.xml"
    path.write_text(report("junit"), "utf-8")
    for schema in schemas:
        schema.validate(str(path))


def test_gitlab(report: Any) -> None:
    entries = json.loads(report("gitlab"))
    jsonschema.Draft7Validator(GITLAB_FACTS).validate(entries)
    marks = Counter(entry["fingerprint"] for entry in entries)
    assert marks.most_common(1)[0][1] == 1
    assert all(os.path.exists(entry["location"]["path"]) for entry in entries)


def test_github_annotations_are_the_results_of_sarif(report: Any) -> None:
    annotations = []
    for line in report("github").splitlines():
        level, properties, message = parsed(line)
        annotations.append((level, properties["title"], properties["file"], message))
    results = json.loads(report("sarif"))["runs"][0]["results"]
    assert Counter((level, title) for level, title, _, _ in annotations) == Counter(
        (LEVELS[result["level"]], result["ruleId"]) for result in results
    )
    assert {message for *_, message in annotations} == {result["message"]["text"] for result in results}
    assert all(os.path.exists(file) for _, _, file, _ in annotations)
