"""Converting every URDF and Body file of the dev corpus: models per second, on one and on two cores."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from bench._row import ROOT, Row

CORPUS = ROOT.parent / "shared/corpus/dev"
OTHER = {".body": ".urdf", ".urdf": ".body"}
# What has errors is not converted and not counted.
_BATCH = 8


def run() -> list[Row]:
    rows = []
    for suffix, other in OTHER.items():
        files = sorted(CORPUS.glob(f"**/*{suffix}"))
        if not files:
            continue
        one = _rate(files, lambda paths: map(convert, paths))
        with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
            list(pool.map(convert, files[:2]))
            two = _rate(files, lambda paths, pool=pool: pool.map(convert, paths, chunksize=_BATCH))  # type: ignore[misc]
        name = f"convert {len(files)} {suffix} to {other}"
        rows += [Row(f"{name}, one core", one, {}, "", "models/s")]
        rows += [Row(f"{name}, two cores", two, {}, "", "models/s")]
    return rows


def _rate(files: list[Path], convert_all: Callable[[list[Path]], Iterable[bool]]) -> float:
    start = time.perf_counter()
    done = sum(convert_all(files))
    return done / (time.perf_counter() - start)


def convert(path: Path) -> bool:
    """Convert one file into a folder that is thrown away; whether it could be converted."""
    import unibody as ub

    folder = Path(tempfile.mkdtemp())
    try:
        ub.convert(path, folder / f"model{OTHER[path.suffix]}")
    except (ub.LoadError, ub.SaveError):
        return False
    finally:
        shutil.rmtree(folder)
    return True
