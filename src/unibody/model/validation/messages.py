"""Of which things a finding says something already: one fact is said once."""

from __future__ import annotations

from collections.abc import Iterable

from unibody.text.finding import Finding


def said(findings: Iterable[Finding], code: str) -> set[str]:
    """The names of the things that a finding of this code is about, as its message begins with them.

    >>> said([Finding("mass-zero", "warning", "link 'a': its mass is 0")], "mass-zero")
    {'a'}
    """
    return {f.message.split("':")[0].partition("'")[2] for f in findings if f.code == code}
