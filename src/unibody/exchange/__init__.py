"""Findings of checked files in the forms that other programs read: SARIF, JUnit, GitHub, GitLab."""

from __future__ import annotations

from unibody.exchange.github import github
from unibody.exchange.gitlab import gitlab
from unibody.exchange.junit import junit
from unibody.exchange.problem import CheckedFile
from unibody.exchange.sarif import sarif

__all__ = ["CheckedFile", "github", "gitlab", "junit", "sarif"]
