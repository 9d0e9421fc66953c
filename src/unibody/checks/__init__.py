"""Checks that need meshes or link poses, and the documentation of every finding code."""

from __future__ import annotations

from unibody.checks.runner import check, examine, further

__all__ = ["check", "examine", "further"]
