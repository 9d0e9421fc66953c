"""Fixes of a model's findings: edits of its files, verified in memory, shown as a diff, then written."""

from __future__ import annotations

from unibody.fixes.candidates import Which
from unibody.fixes.fixer import fix, fixed
from unibody.fixes.plan import Change, FindingFix, Fix, Model, Refused

__all__ = ["Change", "FindingFix", "Fix", "Model", "Refused", "Which", "fix", "fixed"]
