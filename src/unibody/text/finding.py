"""Findings: what is wrong or worth knowing, where, and what to do about it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from unibody.text.edit import Edit, ProposedFix
from unibody.text.source import Source, Span

Severity = Literal["error", "warning", "info"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong, as data, and a message that says it; no code reads the message or the hint.

    ``subject`` is what it is about: a path of the robot's facts (``joints/KNEE/limits/position``), or the
    key or file that the text names; "" when unknown. ``suggestion`` is the word that was probably meant,
    ``fix`` the edits of the text that remove the cause.

    >>> print(Finding("joint-limit-missing", "error", "joint 'j1' has no limit"))
    error: joint 'j1' has no limit [joint-limit-missing]
    """

    code: str
    severity: Severity
    message: str
    at: Span | None = None
    hint: str = ""
    subject: str = ""
    suggestion: str = ""
    fix: ProposedFix | None = None

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The edits that fix it; none when no edit is known."""
        return self.fix.edits if self.fix is not None else ()

    def __str__(self) -> str:
        place = f"{self.at}: " if self.at else ""
        note = f" ({self.at.source.note})" if self.at and self.at.source.note else ""
        return f"{place}{self.severity}: {self.message}{note} [{self.code}]"

    def text(self) -> str:
        """The message with the source line, a caret under the place, and the hint."""
        parts = [str(self)]
        if self.at:
            parts.append(self.at.excerpt())
        if self.hint:
            parts.append(f"  hint: {self.hint}")
        return "\n".join(parts)

    def json(self) -> dict[str, Any]:
        """The same as plain JSON data."""
        out: dict[str, Any] = {"code": self.code, "severity": self.severity, "message": self.message}
        if self.at:
            out |= {"file": self.at.source.name, "line": self.at.line, "column": self.at.column}
        for name in ("hint", "subject", "suggestion"):
            if value := getattr(self, name):
                out[name] = value
        if self.fix is not None:
            out |= {"safe": self.fix.safe, "edits": [edit.json() for edit in self.edits]}
        return out


# A name may have a million letters; what is said about it has not.
_LONGEST = 1000


def _cut(message: str) -> str:
    return message if len(message) <= _LONGEST else message[: _LONGEST - 1] + "…"


class Findings(list[Finding]):
    """A list that findings are collected in; passed as an argument, never global.

    With ``most`` those beyond that many are counted only, of errors those beyond as many again: whoever
    looks for errors finds some.
    """

    def __init__(self, known: Iterable[Finding] = (), most: float = math.inf) -> None:
        super().__init__(known)
        self.most = most
        self.left_out = 0
        self._errors = 0

    def error(
        self,
        code: str,
        message: str,
        at: Span | None = None,
        hint: str = "",
        *,
        subject: str = "",
        suggestion: str = "",
        fix: ProposedFix | None = None,
    ) -> None:
        """Note something that makes the model wrong or unreadable."""
        self._note(Finding(code, "error", _cut(message), at, _cut(hint), subject, suggestion, fix))

    def warning(
        self,
        code: str,
        message: str,
        at: Span | None = None,
        hint: str = "",
        *,
        subject: str = "",
        suggestion: str = "",
        fix: ProposedFix | None = None,
    ) -> None:
        """Note something that is probably not what the author meant."""
        self._note(Finding(code, "warning", _cut(message), at, _cut(hint), subject, suggestion, fix))

    def info(
        self,
        code: str,
        message: str,
        at: Span | None = None,
        hint: str = "",
        *,
        subject: str = "",
        suggestion: str = "",
        fix: ProposedFix | None = None,
    ) -> None:
        """Note something worth knowing; hidden unless asked for."""
        self._note(Finding(code, "info", _cut(message), at, _cut(hint), subject, suggestion, fix))

    def _note(self, finding: Finding) -> None:
        if len(self) >= self.most:
            self._errors += finding.severity == "error"
            if finding.severity != "error" or self._errors > self.most:
                self.left_out += 1
                return
        self.append(finding)

    @property
    def errors(self) -> list[Finding]:
        """Only the errors."""
        return [f for f in self if f.severity == "error"]


def ordered(findings: Iterable[Finding], source: Source | None) -> list[Finding]:
    """Findings in the order of the text ``source``; those of other files, then those without a place.

    What several aliases or sub-bodies share is reported once, for the first that has it.
    """
    seen: set[Any] = set()
    out: list[Finding] = []
    for f in findings:
        mark = _mark(f)
        if mark not in seen:
            seen.add(mark)
            out.append(f)

    def order(f: Finding) -> tuple[int, str, int]:
        if f.at is None:
            return (2, "", 0)
        return (0 if f.at.source is source else 1, f.at.source.name, f.at.start)

    return sorted(out, key=order)


def _mark(finding: Finding) -> Any:
    """What two findings about one place have in common, whichever link or joint each is about."""
    at, subject = finding.at, finding.subject
    if at is None:
        return finding
    if subject.startswith(("links/", "joints/", "devices/")):
        kind, _, rest = subject.partition("/")
        subject = f"{kind}/{rest.partition('/')[2]}"
    # not its line and column: finding these takes long in a long text
    return finding.code, at.source.name, at.start, at.end, subject, finding.suggestion, finding.fix


class TextError(Exception):
    """Text that cannot be read on; carries the finding that says why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(str(finding))
        self.finding = finding
