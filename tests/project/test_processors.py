"""The goldens hold on every kind of processor: OpenBLAS and the C library compute as on others."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CORES = (
    "Prescott",
    "Core2",
    "Nehalem",
    "Sandybridge",
    "Haswell",
    "Zen",
    "SkylakeX",
    "Cooperlake",
    "SapphireRapids",
)
SETTINGS = {
    **{core: {"OPENBLAS_CORETYPE": core} for core in CORES},
    "glibc without FMA": {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX2_Usable,-FMA_Usable"},
}
PRODUCT = "import numpy as np; a = np.ones((64, 64)); a @ a; np.linalg.svd(a)"


@cache
def runs(name: str) -> bool:
    """Whether this processor can compute as that one."""
    made = subprocess.run(
        [sys.executable, "-c", PRODUCT], env={**os.environ, **SETTINGS[name]}, check=False
    )
    return made.returncode == 0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs OpenBLAS and glibc as Linux has them")
@pytest.mark.parametrize("name", SETTINGS)
def test_goldens(name: str) -> None:
    if not runs(name):
        pytest.skip("needs instructions that this processor does not have")
    command = [sys.executable, "-m", "pytest", "-m", "golden", "-p", "no:cacheprovider", "-p", "no:xdist"]
    folders = ["tests/commands", "tests/formats", "tests/losses"]
    done = subprocess.run(
        [*command, *folders],
        cwd=ROOT,
        env={**os.environ, **SETTINGS[name]},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:]
