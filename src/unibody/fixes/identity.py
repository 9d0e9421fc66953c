"""Identity of findings across edits of the text, and the findings that edits bring."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from unibody.text.finding import Finding

# Characters of a text that are compared to tell findings apart.
_COMPARED_LENGTH = 80


def identity(finding: Finding) -> tuple[str, ...]:
    """A key that survives edits elsewhere: code, subject and the text at the place, without its offset."""
    at = finding.at
    words = at.source.text[at.start : min(at.end, at.start + _COMPARED_LENGTH)] if at is not None else ""
    edits = (
        f"{edit.at.text[:_COMPARED_LENGTH]} > {edit.text[:_COMPARED_LENGTH]}" for edit in finding.edits
    )
    return finding.code, finding.subject, finding.suggestion, words, *edits


def new_warnings(before: Iterable[Finding], after: Iterable[Finding]) -> list[Finding]:
    """Warnings and errors of ``after`` that are not in ``before``, compared by code, subject and number.

    >>> one = Finding("limits-unit", "warning", "", subject="joints/a")
    >>> [f.code for f in new_warnings([one], [one, one])]
    ['limits-unit']
    """
    had = Counter((f.code, f.subject) for f in before)
    out: list[Finding] = []
    for finding in after:
        what = (finding.code, finding.subject)
        had[what] -= 1
        if had[what] < 0 and finding.severity != "info":
            out.append(finding)
    return out


def new_error(before: Iterable[Finding], after: Iterable[Finding]) -> str:
    """The code of an error of which ``after`` has more than ``before``; "" without one."""
    had = Counter(f.code for f in before if f.severity == "error")
    has = Counter(f.code for f in after if f.severity == "error")
    return min((code for code, count in has.items() if count > had[code]), default="")
