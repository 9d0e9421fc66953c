"""Checks that look at more than the robot's own numbers: meshes, and where the links are.

The package itself can be called: ``unibody.check(robot)`` is :func:`check`.
"""

from __future__ import annotations

from unibody.called import callable_as
from unibody.check.whole import check, further

__all__ = ["check", "further"]

callable_as(__name__, lambda: check)
