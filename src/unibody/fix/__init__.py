"""Mechanical remedies: a model's findings cured by edits of its own files, shown as a diff first.

The package itself can be called: ``unibody.fix(path)`` is :func:`fix`.
"""

from __future__ import annotations

from unibody.called import callable_as
from unibody.fix.cure import Cure, Refused, Remedy
from unibody.fix.plan import Change, Fix, Model
from unibody.fix.table import CURES
from unibody.fix.whole import Which, fix, fixed

__all__ = ["CURES", "Change", "Cure", "Fix", "Model", "Refused", "Remedy", "Which", "fix", "fixed"]

callable_as(__name__, lambda: fix)
