"""Findings: problems and notes about a text or a model, with place, hint and proposed fix."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Literal

from unibody.text.dataclass import dataclass
from unibody.text.edit import Edit, ProposedFix
from unibody.text.hint import Asker, Hint
from unibody.text.source import Source, Span

Severity = Literal["error", "warning", "info"]
#: The severities, the worst first.
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


def failing(level: str) -> tuple[Severity, ...]:
    """The severities of a level and above.

    >>> failing("warning")
    ('error', 'warning')
    """
    return SEVERITIES[: SEVERITIES.index(level) + 1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """The probable cause of a finding about numbers, with its evidence.

    ``kind`` is a word for it ("factor", "sign", "order", …), ``entries`` are the numbers that are wrong and
    ``values`` those that would fit, by name; empty if the correction is not unique. ``factor`` corrects
    what is wrong by a factor. ``reference`` is the path of the facts with which the numbers were compared;
    ``before`` and ``after`` are the relative deviations from them as written and as corrected.
    ``likely``: it explains the numbers best of all causes, but is not proved by them.
    """

    kind: str
    entries: tuple[str, ...]
    values: tuple[tuple[str, float], ...] = ()
    factor: float = 1.0
    reference: str = ""
    before: float = 0.0
    after: float = 0.0
    likely: bool = False

    def json(self) -> dict[str, Any]:
        """Return the cause as plain JSON data."""
        out: dict[str, Any] = {
            "kind": self.kind,
            "entries": list(self.entries),
            "values": dict(self.values),
        }
        evidence = {"reference": self.reference, "before": self.before, "after": self.after}
        if self.likely:
            evidence["likely"] = True
        return {**out, "factor": self.factor, **evidence}


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem or note as data, with a message for people; no code parses the message or the hint.

    ``subject`` is a path of the robot's facts (``joints/KNEE/limits/position``), or a key or file of the
    text; "" if unknown. ``suggestion`` is the word that was probably meant, and ``fix`` holds the edits
    that remove the cause. ``cause`` is what was found out about a wrong number. ``files`` are the names of
    the files that a missing package would hold.

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
    cause: Cause | None = None
    files: tuple[str, ...] = ()

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The edits of the proposed fix; empty without a fix."""
        return self.fix.edits if self.fix is not None else ()

    def parts(self) -> tuple[str, str, str, str]:
        """The texts that ``str`` joins: the place, the severity, the message, and the code."""
        place = f"{self.at}: " if self.at else ""
        note = f" ({self.at.source.note})" if self.at and self.at.source.note else ""
        return place, f"{self.severity}:", f" {self.message}{note}", f" [{self.code}]"

    def __str__(self) -> str:
        return "".join(self.parts())

    def text(self) -> str:
        """Format the message with the source line, a caret under the place, and the hint."""
        parts = [str(self)]
        if self.at:
            parts.append(self.at.excerpt())
        if self.hint:
            parts.append(f"  hint: {self.hint}")
        return "\n".join(parts)

    def json(self, asker: Asker = "python") -> dict[str, Any]:
        """Return the finding as plain JSON data; the hint names settings in the words of the ``asker``."""
        out: dict[str, Any] = {"code": self.code, "severity": self.severity, "message": self.message}
        if self.at:
            out |= self.at.json()
        for name in ("hint", "subject", "suggestion"):
            if value := getattr(self, name):
                out[name] = value
        hint = self.hint
        if isinstance(hint, Hint):
            out |= {"hint": hint.text(asker), "settings": [setting.json() for setting in hint.settings]}
        if self.files:
            out["files"] = list(self.files)
        if self.cause is not None:
            out["cause"] = self.cause.json()
        if self.fix is not None:
            out |= {"does": self.fix.title, "safe": self.fix.safe}
            out["edits"] = [edit.json() for edit in self.edits]
        return out


# Longest message or hint, in characters: a name in it may have a million.
_MAX_LENGTH = 1000


def _cut(message: str) -> str:
    return message if len(message) <= _MAX_LENGTH else message[: _MAX_LENGTH - 1] + "…"


class Findings(list[Finding]):
    """A list that collects findings; passed as an argument, never global.

    Findings beyond ``most`` are only counted in ``left_out``. Up to ``most`` further errors are still
    stored, so that errors are not lost behind warnings.
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
        cause: Cause | None = None,
        files: tuple[str, ...] = (),
    ) -> None:
        """Add an error: the model is wrong or unreadable."""
        text, advice = _cut(message), _cut(hint)
        self._add(Finding(code, "error", text, at, advice, subject, suggestion, fix, cause, files))

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
        cause: Cause | None = None,
        files: tuple[str, ...] = (),
    ) -> None:
        """Add a warning: probably not what the author intended."""
        text, advice = _cut(message), _cut(hint)
        self._add(Finding(code, "warning", text, at, advice, subject, suggestion, fix, cause, files))

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
        cause: Cause | None = None,
        files: tuple[str, ...] = (),
    ) -> None:
        """Add a note, hidden by default."""
        text, advice = _cut(message), _cut(hint)
        self._add(Finding(code, "info", text, at, advice, subject, suggestion, fix, cause, files))

    def _add(self, finding: Finding) -> None:
        if len(self) >= self.most:
            self._errors += finding.severity == "error"
            if finding.severity != "error" or self._errors > self.most:
                self.left_out += 1
                return
        self.append(finding)

    @property
    def errors(self) -> list[Finding]:
        """The findings with severity error."""
        return [f for f in self if f.severity == "error"]

    def __str__(self) -> str:
        """The findings for people: one entry for each rule and cause."""
        from unibody.text.grouping import text

        return text(self)

    def _repr_html_(self) -> str:
        """A table for notebooks."""
        from unibody.text.grouping import html

        return html(self)


def ordered(findings: Iterable[Finding], source: Source | None) -> list[Finding]:
    """Sort findings: those in ``source`` by position, those in other files, those without a place.

    A finding that several aliases or sub-bodies share is kept once, for the first of them.
    """
    seen: set[Any] = set()
    out: list[Finding] = []
    for f in findings:
        identity = _identity(f)
        if identity not in seen:
            seen.add(identity)
            out.append(f)

    def order(f: Finding) -> tuple[int, str, int]:
        if f.at is None:
            return (2, "", 0)
        # The text that xacro makes of a file has the name of the file, whose own findings come before it.
        is_own = source is not None and f.at.source.name == source.name
        return (0 if is_own else 1, f.at.source.name, f.at.start)

    return sorted(out, key=order)


def _identity(finding: Finding) -> Any:
    """A key that is equal for findings with one cause, whichever link or joint they are about."""
    at, subject = finding.at, finding.subject
    if at is None:
        return finding
    if subject.startswith(("links/", "joints/", "devices/")):
        kind, _, rest = subject.partition("/")
        subject = f"{kind}/{rest.partition('/')[2]}"
    # Offsets instead of line and column, which are slow to compute in a long text.
    return finding.code, at.source.name, at.start, at.end, subject, finding.suggestion, finding.fix


class TextError(Exception):
    """Raised where a text cannot be parsed further; ``finding`` describes the error."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(str(finding))
        self.finding = finding
