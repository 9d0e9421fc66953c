"""Checks that look at more than the robot's own numbers: meshes, and where the links are."""

from unibody.check.check import check, further

__all__ = ["check", "further"]
