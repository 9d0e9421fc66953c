"""Paths of ../shared: reference models and ground truth beside the project, which not everybody has.

A test that needs them asks for the fixture ``shared``, which skips it where they are missing.
"""

from __future__ import annotations

from pathlib import Path

SHARED = Path(__file__).resolve().parents[2] / "shared"
CORPUS = SHARED / "corpus"
DEV = CORPUS / "dev"
ORACLE = SHARED / "oracle"
