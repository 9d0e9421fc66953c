"""Mechanical remedies: a model's findings cured by edits of its own files, shown as a diff first."""

from __future__ import annotations

from unibody.fixes.cure import Refused, Remedied, Remedy
from unibody.fixes.fixer import Which, fix, fixed
from unibody.fixes.plan import Change, Fix, Model
from unibody.fixes.table import CURES

__all__ = ["CURES", "Change", "Fix", "Model", "Refused", "Remedied", "Remedy", "Which", "fix", "fixed"]
