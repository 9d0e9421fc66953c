"""What many files have in common, in tables: findings by rule and by file, the worst first."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from unibody.batch.record import FileRecord
from unibody.cli.table import Column, fits, table
from unibody.cli.terminal import clean
from unibody.text.counted import counted
from unibody.text.finding import SEVERITIES

# Rows of a table; --format json has all.
_LISTED = 20
# Rows that are aligned together.
_BLOCK = 500
_WORDS = {"error": "error", "warning": "warning", "info": "note"}


@dataclass
class Rule:
    """The findings of one code: their severity, number and first place, and the number of files."""

    severity: str
    first: str
    findings: int = 0
    files: int = 0


@dataclass
class Summary:
    """Counts of records, added one by one; its size depends on the number of rules, not of files."""

    files: int = 0
    failed: int = 0
    findings: Counter[str] = field(default_factory=Counter)
    with_findings: Counter[str] = field(default_factory=Counter)
    rules: dict[tuple[str, str], Rule] = field(default_factory=dict)
    worst: list[tuple[tuple[int, int, int, int], FileRecord]] = field(default_factory=list)

    def add(self, record: FileRecord) -> None:
        """Count a record."""
        self.files += 1
        self.failed += not record.ok
        counts = [record.count(severity) for severity in SEVERITIES]
        for severity, count in zip(SEVERITIES, counts, strict=True):
            self.findings[severity] += count
            self.with_findings[severity] += count > 0
        seen = set()
        for finding in record.findings:
            key = (finding["code"], finding["severity"])
            rule = self.rules.setdefault(key, Rule(finding["severity"], place(finding, record.path)))
            rule.findings += 1
            rule.files += key not in seen
            seen.add(key)
        if counts[0] or counts[1]:
            # Of equally bad files, the first come first.
            entry = ((counts[0], counts[1], counts[2], -self.files), record)
            if len(self.worst) < _LISTED:
                heapq.heappush(self.worst, entry)
            else:
                heapq.heappushpop(self.worst, entry)


def place(finding: dict[str, object], path: str) -> str:
    """Where a finding is: file, line and column.

    >>> place({"file": "a.urdf", "line": 3, "column": 5}, "a.urdf")
    'a.urdf:3:5'
    """
    if "line" not in finding:
        return path
    return f"{finding['file']}:{finding['line']}:{finding['column']}"


def summary_lines(
    records: Iterable[FileRecord], everything: bool, skipped: int = 0, width: int | None = None
) -> list[str]:
    """The summary of the findings of many files; notes only with ``everything``."""
    found = Summary()
    for record in records:
        found.add(record)
    shown = SEVERITIES if everything else SEVERITIES[:2]
    parts = [
        f"{counted(found.findings[s], _WORDS[s])} in {counted(found.with_findings[s], 'file')}"
        for s in SEVERITIES
        if found.findings[s]
    ]
    out = [f"{counted(found.files, 'file')} checked: {', '.join(parts) or 'no findings'}"]
    if skipped:
        out.append(skipped_line(skipped))
    return [*out, *_by_rule(found, shown, width), *_by_file(found, shown, width)]


def tables(
    columns: Sequence[Column], rows: Iterable[Sequence[str]], width: int | None = None
) -> Iterator[str]:
    """The lines of a table of any length, aligned in blocks of rows."""
    block: list[Sequence[str]] = []
    for row in rows:
        block.append(row)
        if len(block) == _BLOCK:
            yield from table(columns, block, width, indent=0)
            block = []
    if block:
        yield from table(columns, block, width, indent=0)


def error_lines(records: Iterable[FileRecord]) -> Iterator[str]:
    """The failures and errors of files: one line for each rule and file, with the number of findings."""
    for record in records:
        if record.failure:
            yield f"{record.path}: error: {record.failure}"
        errors: dict[str, list[dict[str, Any]]] = {}
        for finding in record.findings:
            if finding["severity"] == "error":
                errors.setdefault(finding["code"], []).append(finding)
        for code, found in errors.items():
            at, count = place(found[0], record.path), f" ×{len(found)}" if len(found) > 1 else ""
            yield f"{at}: error: {found[0]['message']} [{code}]{count}"


def skipped_line(count: int) -> str:
    """How many files of folders are not models by themselves, such as meshes and included files."""
    what = "a model by itself" if count == 1 else "models by themselves"
    return f"{counted(count, 'file')} skipped: not {what}"


def _by_rule(found: Summary, shown: tuple[str, ...], width: int | None) -> list[str]:
    rules = [(code, rule) for (code, _), rule in found.rules.items() if rule.severity in shown]
    if not rules:
        return []
    rules.sort(key=_rank)
    columns = [
        Column("by rule"),
        Column(),
        Column("files", "right"),
        Column("findings", "right"),
        Column("first", cut=True, drop=1),
    ]
    rows = [
        [_WORDS[rule.severity], code, str(rule.files), str(rule.findings), rule.first]
        for code, rule in rules
    ]
    return ["", *table(columns, rows, width, indent=0)]


def _rank(item: tuple[str, Rule]) -> tuple[int, int, int, str]:
    code, rule = item
    return SEVERITIES.index(rule.severity), -rule.files, -rule.findings, code


def _by_file(found: Summary, shown: tuple[str, ...], width: int | None) -> list[str]:
    """The worst files; the findings of one rule in one file are one row."""
    if not found.worst:
        return []
    worst = [record for _, record in sorted(found.worst, key=lambda entry: entry[0], reverse=True)]
    title = "by file, worst first"
    first = Column("first", cut=True, drop=1)
    columns = [Column(title), Column(), Column("rule"), Column("count", "right"), first]
    rows = []
    for record in worst:
        mine = _file_rows(record, shown)
        names = [record.path, *[""] * len(mine)]
        rows += [[name, *row] for name, row in zip(names, mine, strict=False)]
    if fits(columns, rows, width):
        lines = table(columns, rows, indent=0)
    else:
        # Long paths have lines of their own.
        lines = [title]
        for record in worst:
            columns = [Column(), Column(), Column("", "right"), Column(cut=True, drop=1)]
            lines += [clean(record.path), *table(columns, _file_rows(record, shown), width)]
    bad = max(found.with_findings["error"], found.with_findings["warning"], len(worst))
    more = bad - len(worst)
    rest = [f"  and at least {more} more (--format json lists all)"] if more else []
    return ["", *lines, *rest, "", "unibody check FILE prints the messages and hints of one file"]


def _file_rows(record: FileRecord, shown: tuple[str, ...]) -> list[list[str]]:
    """Severity, rule, number and first place of the findings of a file, and why there is no result."""
    rows = [["error", record.failure, "", ""]] if record.failure else []
    for code, severity, count, first in rules_of(record, shown):
        at = "" if first == record.path else first.removeprefix(f"{record.path}:")
        rows.append([_WORDS[severity], code, f"×{count}", at])
    return rows


def rules_of(record: FileRecord, shown: tuple[str, ...] = SEVERITIES) -> list[tuple[str, str, int, str]]:
    """Code, severity, number and first place of the findings of a file, the worst first."""
    counts: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], str] = {}
    for finding in record.findings:
        if finding["severity"] in shown:
            key = (finding["code"], finding["severity"])
            counts[key] += 1
            first.setdefault(key, place(finding, record.path))
    found = [(code, severity, count, first[code, severity]) for (code, severity), count in counts.items()]
    return sorted(found, key=lambda item: (SEVERITIES.index(item[1]), -item[2], item[0]))
