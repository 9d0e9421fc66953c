"""Findings for other programs: valid by their schemas, and places that are those of the findings."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import jsonschema
import pytest
import xmlschema
from tests.exchange.schemas import GITLAB_FACTS, JUNIT, JUNIT_FACTS, SARIF_FACTS, published, sarif_schema

from unibody.checks import examine
from unibody.checks.rules import rules
from unibody.exchange import github, gitlab, junit, sarif
from unibody.exchange.sarif import FINGERPRINT, ROOT
from unibody.files.access import MemoryFiles
from unibody.formats.loader import read
from unibody.text.edit import edited
from unibody.text.finding import Finding, Severity
from unibody.text.limits import ReadLimits
from unibody.text.source import Source, Span

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)


@dataclass(frozen=True)
class Checked:
    path: str
    findings: Sequence[dict[str, Any]]
    failure: str = ""
    seconds: float = 0.0


def checked(path: str, findings: Iterable[Finding], failure: str = "") -> Checked:
    return Checked(path, [finding.json("command") for finding in findings], failure)


@cache
def examples() -> list[tuple[str, list[Finding]]]:
    """The findings of all failing examples of rules that checking a model shows."""
    out = []
    for rule in rules().values():
        example = rule.fails
        large = rule.code in ("model-too-large", "polygons-too-hard")
        if large or example.command or example.format in ("json", "pln"):
            continue
        files = MemoryFiles(example.contents(), limits=ReadLimits.of(example.limits.split()))
        reading = read(example.read, files=files)
        out.append((f"{rule.code}/{example.read}", examine(reading, files)))
    assert len(out) > 150
    return out


#: Names and texts that each form has to escape, or cannot hold.
HOSTILE = "a\"b<c>&d%e:f,g\r\n\x1b[2J\x00'\u202e\ud800 \U0001f916"


def hostile() -> Checked:
    source = Source(f"models/{HOSTILE}.urdf", f"<robot name='\U0001f916\U0001f916'>\n{HOSTILE}\n</robot>")
    return checked(
        source.name,
        [
            Finding(
                "mass-zero", "warning", HOSTILE, Span(source, 17, 19), HOSTILE, f"links/{HOSTILE}/mass"
            ),
            Finding("not-a-code", "error", HOSTILE),
        ],
        failure=f"the check {HOSTILE}",
    )


@pytest.fixture(scope="module")
def everything() -> list[Checked]:
    return [checked(path, findings) for path, findings in examples()] + [
        hostile(),
        Checked("good.urdf", []),
    ]


def sarif_run(files: Iterable[Checked], root: str = ".") -> dict[str, Any]:
    data = json.loads("\n".join(sarif(files, root, "1.2.3")))
    jsonschema.Draft7Validator(SARIF_FACTS).validate(data)
    run: dict[str, Any] = data["runs"][0]
    return run


@pytest.mark.slow
def test_sarif_holds_by_the_standard(everything: list[Checked]) -> None:
    run = sarif_run(everything)
    described = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(described) == len(set(described)) > 150
    for result in run["results"]:
        assert described[result["ruleIndex"]] == result["ruleId"]
        for location in result["locations"]:
            uri = location["physicalLocation"]["artifactLocation"]
            assert not urlsplit(uri["uri"]).scheme
            assert uri["uriBaseId"] == ROOT
    assert run["invocations"][0]["executionSuccessful"] is False


def test_sarif_holds_by_the_published_schema(everything: list[Checked]) -> None:
    data = json.loads("\n".join(sarif(everything, ".", "1.2.3")))
    jsonschema.Draft4Validator(sarif_schema()).validate(data)
    jsonschema.Draft4Validator(sarif_schema()).validate(json.loads("\n".join(sarif([], ".", "1"))))


def utf16_text(text: str, region: dict[str, int]) -> str:
    """The text of a region of SARIF: lines from 1, columns in UTF-16 units, the end exclusive."""
    lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", text)

    def offset(line: int, column: int) -> int:
        before = sum(map(len, lines[: line - 1]))
        units = lines[line - 1].encode("utf-16-le", "surrogatepass") if line <= len(lines) else b""
        return before + len(units[: 2 * (column - 1)].decode("utf-16-le", "surrogatepass"))

    start = offset(region["startLine"], region["startColumn"])
    return text[start : offset(region["endLine"], region["endColumn"])]


def test_regions_of_sarif_are_the_places_of_the_findings() -> None:
    seen = 0
    for path, findings in examples():
        for finding in findings:
            (result,) = sarif_run([checked(path, [finding])])["results"]
            place = result["locations"][0]["physicalLocation"]
            if finding.at is None or finding.at.source.derived:
                assert "region" not in place
                continue
            at = finding.at
            assert unquote(place["artifactLocation"]["uri"]) == at.source.name
            assert utf16_text(at.source.text, place["region"]) == at.text, str(finding)
            seen += 1
    assert seen > 150


def test_columns_of_sarif_count_utf16_units() -> None:
    source = Source("a.urdf", "<!-- \U0001f916\U0001f916 --> <link/>")
    at = Span(source, source.text.index("<link"), len(source.text))
    (result,) = sarif_run([checked("a.urdf", [Finding("missing", "error", "m", at)])])["results"]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert (region["startColumn"], region["endColumn"]) == (at.column + 2, len(source.text) + 1 + 2)
    assert utf16_text(source.text, region) == "<link/>"


def test_fixes_of_sarif_are_the_edits() -> None:
    seen = 0
    for path, findings in examples():
        for finding in findings:
            results = sarif_run([checked(path, [finding])])["results"]
            if not finding.edits:
                assert "fixes" not in results[0]
                continue
            (fix,) = results[0]["fixes"]
            assert finding.fix is not None
            assert fix["description"]["text"] == finding.fix.title
            for change in fix["artifactChanges"]:
                name = unquote(change["artifactLocation"]["uri"])
                edits = [e for e in finding.edits if e.source.name == name]
                source = edits[0].source
                parts = [
                    (
                        utf16_text(source.text, r["deletedRegion"]),
                        r.get("insertedContent", {"text": ""})["text"],
                    )
                    for r in change["replacements"]
                ]
                assert parts == [(e.at.text, e.text) for e in edits]
                assert edited(source.text, edits) != source.text
                seen += 1
    assert seen > 30


def test_equal_fixes_of_one_place_are_one_fix() -> None:
    # as of a part that a model includes twice
    twice = next((path, f) for path, findings in examples() for f in findings if f.edits)
    (result,) = sarif_run([checked(twice[0], [twice[1], twice[1]])])["results"]
    assert len(result["fixes"]) == 1


def test_fingerprints_stay_when_lines_move() -> None:
    text = '<robot name="r">\n<link name="a"><inertial><mass value="x1"/></inertial></link>\n</robot>\n'

    def marks(text: str) -> list[tuple[str, int, str]]:
        files = MemoryFiles({"a.urdf": text.encode()})
        run = sarif_run([checked("a.urdf", examine(read("a.urdf", files=files), files))])
        return [
            (
                result["ruleId"],
                result["locations"][0]["physicalLocation"]["region"]["startLine"],
                result["partialFingerprints"][FINGERPRINT],
            )
            for result in run["results"]
        ]

    before, after = marks(text), marks(text.replace("<link", "\n\n<!-- moved -->\n<link"))
    assert before
    assert [(code, mark) for code, _, mark in before] == [(code, mark) for code, _, mark in after]
    assert [line for _, line, _ in before] != [line for _, line, _ in after]
    assert len({mark for _, _, mark in before}) == len(before)


def test_one_problem_for_each_rule_and_place() -> None:
    source = Source("wheel.xacro", "<link/>")
    at = Span(source, 0, 7)
    twice = [
        Finding("missing", "warning", f"wheel {n} has no mass", at, subject=f"links/w{n}") for n in range(5)
    ]
    (result,) = sarif_run([checked("wheel.xacro", twice)])["results"]
    assert result["message"]["text"] == (
        "wheel 0 has no mass; wheel 1 has no mass; wheel 2 has no mass; and 2 more"
    )
    assert len(result["locations"][0]["logicalLocations"]) == 5
    # A file that is checked itself, before or after one that includes it.
    for names in (("wheel.xacro", "left.xacro"), ("left.xacro", "wheel.xacro")):
        assert len(sarif_run([checked(name, twice) for name in names])["results"]) == 1
    included = [checked("left.xacro", twice), checked("right.xacro", twice)]
    assert len(sarif_run(included)["results"]) == 1
    assert len([*github(included, ".")]) == 1
    # The tests of two files are two, although the problem is one.
    assert junit_text(included).count("<testcase") == 2


def test_places_of_a_binary_file_are_left_out() -> None:
    source = Source("a.iv", "#Inventor", "the binary file as text", derived=True)
    found = checked("a.iv", [Finding("missing", "error", "m", Span(source, 0, 9))])
    assert "region" not in sarif_run([found])["results"][0]["locations"][0]["physicalLocation"]
    assert [*github([found], ".")] == ["::error file=a.iv,title=missing::m"]


def test_paths_are_below_the_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "repo" / "robots").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "repo" / "robots")
    found = [checked("my arm.urdf", [Finding("missing", "error", "m")])]
    outside = [checked("../../out.urdf", [Finding("missing", "error", "m")])]

    def artifact(files: list[Checked]) -> Any:
        result = sarif_run(files, "..")["results"][0]
        return result["locations"][0]["physicalLocation"]["artifactLocation"]

    assert artifact(found) == {"uri": "robots/my%20arm.urdf", "uriBaseId": ROOT}
    assert artifact(outside) == {"uri": (tmp_path / "out.urdf").as_uri()}


COMMAND = re.compile(r"::(?P<name>error|warning|notice) (?P<properties>[^\r\n]*?)::(?P<data>[^\r\n]*)")


def parsed(line: str) -> tuple[str, dict[str, str], str]:
    """A workflow command as the runner of GitHub reads it: the first :: ends the properties."""
    found = COMMAND.fullmatch(line)
    assert found, line

    def data(text: str) -> str:
        return text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")

    pairs = (word.split("=", 1) for word in found["properties"].split(","))
    values = {key: data(value.replace("%3A", ":").replace("%2C", ",")) for key, value in pairs}
    return found["name"], values, data(found["data"])


def test_github_annotations_read_back() -> None:
    seen = 0
    for path, findings in examples():
        for finding in findings:
            (line,) = github([checked(path, [finding])], ".")
            name, properties, message = parsed(line)
            assert name == {"info": "notice"}.get(finding.severity, finding.severity)
            assert message.split("\nhint: ")[0] == finding.message
            assert properties["title"] == finding.code
            if finding.at is None or finding.at.source.derived:
                assert "line" not in properties
                continue
            data = finding.at.json()
            assert properties["file"] == data["file"]
            assert int(properties["line"]) == data["line"] <= int(properties["endLine"]) <= data["end_line"]
            if data["line"] == data["end_line"]:
                assert (int(properties["col"]), int(properties["endColumn"])) == (
                    data["column"],
                    data["end_column"],
                )
            else:
                assert "col" not in properties
            seen += 1
    assert seen > 150


def test_github_annotations_of_hostile_names_read_back() -> None:
    lines = [*github([hostile()], ".")]
    assert [parsed(line)[0] for line in lines] == ["warning", "error", "error"]
    assert parsed(lines[0])[2] == f"{HOSTILE}\nhint: {HOSTILE}"
    assert parsed(lines[0])[1]["file"] == f"models/{HOSTILE}.urdf"


def test_gitlab_report_holds(everything: list[Checked]) -> None:
    entries = json.loads("\n".join(gitlab(everything, ".")))
    jsonschema.Draft7Validator(GITLAB_FACTS).validate(entries)
    assert Counter(entry["fingerprint"] for entry in entries).most_common(1)[0][1] == 1
    assert json.loads("\n".join(gitlab([Checked("good.urdf", [])], "."))) == []
    assert {entry["severity"] for entry in entries} == {"blocker", "critical", "minor", "info"}


def junit_text(files: Iterable[Checked], failing: Sequence[Severity] = ("error",)) -> str:
    lines = [*junit(files, ".", "1.2.3", failing, NOW)]
    assert not any("\n" in line or not line.isascii() for line in lines)
    return "\n".join(lines)


def test_junit_report_has_what_ant_and_jenkins_ask_for(everything: list[Checked]) -> None:
    root = ElementTree.fromstring(junit_text(everything))
    assert len(root) == len(everything)
    for element in root.iter():
        attributes, children = JUNIT_FACTS[element.tag]
        assert set(element.attrib) == attributes, element.tag
        places = [children.index(child.tag) for child in element]
        assert places == sorted(places)
    for suite in root:
        counts = {
            name: len(suite.findall(f".//{tag}"))
            for name, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error"))
        }
        assert {name: int(suite.attrib[name]) for name in counts} == counts
        assert counts["tests"]


@pytest.mark.parametrize("path", JUNIT, ids=["ant", "jenkins"])
def test_junit_report_holds_by_the_published_schemas(everything: list[Checked], path: Path) -> None:
    schema = xmlschema.XMLSchema(published(path))
    schema.validate(junit_text(everything))
    schema.validate(junit_text([]))


def test_junit_fails_by_the_level() -> None:
    found = [checked("a.urdf", [Finding("missing", "warning", "no mass")])]
    assert ElementTree.fromstring(junit_text(found)).find(".//failure") is None
    text = ElementTree.fromstring(junit_text(found)).findtext(".//system-out")
    assert text == "a.urdf: warning: no mass [missing]"
    failure = ElementTree.fromstring(junit_text(found, ("error", "warning"))).find(".//failure")
    assert failure is not None
    assert failure.attrib == {"message": "no mass", "type": "missing"}
