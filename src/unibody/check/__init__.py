"""Checks that look at more than the robot's own numbers: meshes, and where the links are.

The package itself can be called: ``unibody.check(robot)`` is :func:`check`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from unibody.check.whole import check, further

__all__ = ["check", "further"]


class _Callable(ModuleType):
    """Importing this package makes it an attribute of ``unibody`` of the same name as its function."""

    def __call__(self, *arguments: Any, **settings: Any) -> Any:
        return check(*arguments, **settings)


sys.modules[__name__].__class__ = _Callable
