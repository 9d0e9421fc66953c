"""Whether a finding says something of a thing already: one fact is said once."""

from __future__ import annotations

from collections.abc import Iterable

from unibody.text.finding import Finding


def said(findings: Iterable[Finding], code: str, name: str) -> bool:
    """Whether there is a finding with this code whose message begins with the thing of that name.

    >>> said([Finding("mass-zero", "warning", "link 'a': its mass is 0")], "mass-zero", "a")
    True
    """
    return any(f.code == code and f"'{name}':" in f.message for f in findings)
