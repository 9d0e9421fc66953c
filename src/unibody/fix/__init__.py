"""Mechanical remedies: a model's findings cured by edits of its own files, shown as a diff first.

The package itself can be called: ``unibody.fix(path)`` is :func:`fix`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from unibody.fix.cure import Cure, Refused, Remedy
from unibody.fix.table import CURES
from unibody.fix.whole import Change, Fix, Model, Which, fix, fixed

__all__ = ["CURES", "Change", "Cure", "Fix", "Model", "Refused", "Remedy", "Which", "fix", "fixed"]


class _Callable(ModuleType):
    """Importing this package makes it an attribute of ``unibody`` of the same name as its function."""

    def __call__(self, *arguments: Any, **settings: Any) -> Any:
        return fix(*arguments, **settings)


sys.modules[__name__].__class__ = _Callable
