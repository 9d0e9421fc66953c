"""Mechanical fixes: a model's findings fixed by edits of its own files, shown as a diff first."""

from __future__ import annotations

from unibody.fixes.case import FindingFix, Fixable, Refused
from unibody.fixes.fixer import Which, fix, fixed
from unibody.fixes.plan import Change, Fix, Model
from unibody.fixes.table import FIXABLE

__all__ = ["FIXABLE", "Change", "FindingFix", "Fix", "Fixable", "Model", "Refused", "Which", "fix", "fixed"]
