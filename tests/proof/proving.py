"""Proofs of small models for the tests, which skip where an engine is not installed."""

from __future__ import annotations

from pathlib import Path

import pytest

import unibody as ub
from unibody.proof.result import EngineResult


def proved(
    engine: str, *models: str | Path | ub.Robot, states: int = 50, trajectory: bool = False
) -> EngineResult:
    """The result of an engine; the test skips where it is not installed."""
    first, *rest = models
    others = [x for x in rest if not isinstance(x, ub.Robot)]
    proof = ub.prove(first, *others, engines=engine, states=states, trajectory=trajectory)
    result = proof[engine]
    if result.verdict == "not here":
        pytest.skip(f"{engine} is not installed")
    return result


def written(folder: Path, text: str, name: str = "arm.urdf") -> Path:
    """A file with a text in a folder."""
    path = folder / name
    path.write_text(text)
    return path
