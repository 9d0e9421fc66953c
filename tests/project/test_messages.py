"""Messages are for people: no code reads them, and other words change no result."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.fix.models import CASES

import unibody as ub
from unibody.page.data import page_data
from unibody.text import finding as findings_module
from unibody.text.finding import Finding

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src/unibody"
_TEXT = r"\b\w*(?:finding|Finding|f|found|wrong|said)\w*\.(?:message|hint)\b"
_READS = (
    rf"(?:search|match|fullmatch|finditer|findall|sub|split)\([^()]*{_TEXT}",
    rf"{_TEXT}\.(?:startswith|endswith|split|partition|rpartition|find|index|replace|removeprefix)\b",
    rf"\bin {_TEXT}",
    rf"{_TEXT}\s*(?:==|!=)|(?:==|!=)\s*{_TEXT}",
)


def test_no_code_reads_a_message() -> None:
    found = [
        f"{path.relative_to(SOURCE)}:{number}: {line.strip()}"
        for path in sorted(SOURCE.rglob("*.py"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if (".message" in line or ".hint" in line) and any(re.search(pattern, line) for pattern in _READS)
    ]
    assert not found, "\n".join(found)


def _reworded(text: str) -> str:
    """Other words for a text; as long as the same text gets the same words, they mean nothing."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest() if text else ""


@pytest.fixture
def rewording(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A function that gives every finding made from now on other words."""

    def start() -> None:
        make = Finding.__init__

        def other(self: Finding, code: str, severity: Any, message: str, *rest: Any, **more: Any) -> None:
            make(self, code, severity, _reworded(message), *rest, **more)
            object.__setattr__(self, "hint", _reworded(self.hint))

        monkeypatch.setattr(findings_module.Finding, "__init__", other)

    yield start
    monkeypatch.undo()


def _facts(findings: list[Finding]) -> list[Any]:
    """All of the findings but their words."""
    out = []
    for f in findings:
        data = f.json()
        # the settings are those that the hint names
        out.append(
            {key: value for key, value in data.items() if key not in ("message", "hint", "settings")}
        )
    return out


def _results(path: Path) -> Any:
    fix = ub.fix(path.name, "all")
    reading = ub.read(path.name)
    page = page_data(reading.robot, reading.findings) if reading.robot is not None and reading.ok else None
    return (
        fix.diff(),
        [(r.finding.code, r.why) for r in fix.refused],
        _facts(reading.findings),
        _facts(ub.check(path.name)),
        _facts(page.findings) if page is not None else None,
    )


@pytest.mark.parametrize("path", CASES, ids=lambda p: f"{p.parent.name}/{p.name}")
def test_other_words_change_nothing(path: Path, rewording: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    before = _results(path)
    rewording()
    assert _results(path) == before
