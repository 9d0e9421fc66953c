"""Runs the loader of an engine in a process of its own, with limits of memory and time."""

from __future__ import annotations

import json
import math
import os
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from unibody.files.process import end, ending, start
from unibody.model.arrays import Floats
from unibody.proof.words import spoken

#: Limits of a loader: seconds, and bytes of address space.
SECONDS = 120.0
MEMORY = 12 * 1024**3
# Exit codes of loaders (``loaders/exchange.py``), and the most bytes that are looked at of what it prints.
_NOT_HERE, _REJECTED = 3, 4
_OUTPUT = 64 * 1024
# An answer larger than this is none.
_FACTS = 64 * 1024**2


class EngineMissing(Exception):
    """No interpreter has the engine."""


class EngineFailed(Exception):
    """The engine rejects the model, or its process did not end well; the text is the reason."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Answer:
    """What an engine has of a model: facts by name, and arrays by name."""

    facts: Mapping[str, Any]
    arrays: Mapping[str, Floats] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """Name and version of the engine."""
        return f"{self.facts['engine']} {self.facts['version']}"


def run_loader(
    script: Path,
    interpreters: Sequence[str],
    request: Mapping[str, Any],
    states: Mapping[str, Floats] | None = None,
    *,
    seconds: float = SECONDS,
    memory: int = MEMORY,
) -> Answer:
    """What the first interpreter that has the engine answers; EngineMissing, EngineFailed.

    Without ``states`` the answer has no arrays: the request is to load the model only.
    """
    limits = {"memory": memory, "seconds": math.ceil(seconds)}
    with TemporaryDirectory(prefix="unibody-") as folder:
        place = Path(folder)
        (place / "request.json").write_text(json.dumps({**request, **limits}), "utf-8")
        if states is not None:
            np.savez(place / "states.npz", **states)  # type: ignore[arg-type]
        for interpreter in interpreters:
            code, output = _run(interpreter, script, folder, seconds)
            if code == _NOT_HERE:
                continue
            if code == _REJECTED:
                reason = " ".join(str(_facts(place).get("reason", "")).split())
                raise EngineFailed(_rejection(reason, output))
            if code:
                raise EngineFailed(ending(code, _suspected(place) or spoken(output)))
            return _answer(place, has_arrays=states is not None)
    raise EngineMissing


def _run(interpreter: str, script: Path, folder: str, seconds: float) -> tuple[int, str]:
    """Exit code and output of the loader; those of a missing engine if there is no interpreter."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    output = Path(folder) / "output.txt"
    with output.open("wb") as out:
        try:
            process = start(
                interpreter,
                os.fspath(script),
                [folder],
                folder,
                environment,
                stdout=out,
                stderr=subprocess.STDOUT,
            )
        except OSError:
            return _NOT_HERE, ""
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise EngineFailed(f"did not end within {seconds:g} s") from None
        finally:
            end(process)
    with output.open("rb") as text:
        text.seek(max(0, output.stat().st_size - _OUTPUT))
        return code, text.read().decode("utf-8", "replace")


def _suspected(folder: Path) -> str:
    """What a loader says that ends its process."""
    with suppress(OSError):
        return " ".join((folder / "suspect.txt").read_text("utf-8", "replace").split())
    return ""


def _rejection(reason: str, output: str) -> str:
    """Why an engine rejects a model, with the error that it printed last and that its reason lacks."""
    words = spoken(output)
    if not reason:
        return words or "cannot load the model"
    return f"{reason} ({words})" if "error" in output.lower() and words not in reason else reason


def _facts(folder: Path) -> dict[str, Any]:
    path = folder / "answer.json"
    try:
        if path.stat().st_size > _FACTS:
            raise EngineFailed("its answer is too large")
        facts = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        raise EngineFailed("gave no valid answer") from None
    if not isinstance(facts, dict):
        raise EngineFailed("gave no valid answer")
    return facts


def _answer(folder: Path, *, has_arrays: bool) -> Answer:
    """The answer in a folder; EngineFailed if it is none."""
    facts = _facts(folder)
    try:
        if not all(isinstance(facts[name], str) for name in ("engine", "version")):
            raise EngineFailed("gave no valid answer")
        if not has_arrays:
            return Answer(facts=facts)
        with np.load(folder / "answer.npz", allow_pickle=False) as arrays:
            found = {name: np.asarray(arrays[name], np.float64) for name in arrays.files}
    except (OSError, ValueError, KeyError, EOFError):
        raise EngineFailed("gave no valid answer") from None
    except Exception as error:  # of zipfile, whose errors have no common class
        raise EngineFailed(f"gave no valid answer ({type(error).__name__})") from None
    return Answer(facts=facts, arrays=found)
