"""Whether the engine that a format is meant for loads a file: ``convert --check-load``."""

from __future__ import annotations

import os

from unibody.proof.engines import VARIABLE, engines_of, interpreters
from unibody.proof.process import EngineFailed, EngineMissing, run_loader
from unibody.proof.request import request_of

#: The engine for which files of a format are written.
OWN = {"mjcf": "mujoco", "urdf": "pinocchio", "sdf": "drake"}
#: What to do about an engine that no interpreter has.
REMEDY = f"make engines, and set {VARIABLE} to the folder .venv-engines"


def check_load(path: str | os.PathLike[str], format: str) -> str:
    """What the engine of a format says of a file, in one line; "" if no engine is meant for it.

    >>> check_load("model.body", "body")
    ''
    """
    name = OWN.get(format)
    if name is None:
        return ""
    (engine,) = engines_of(name)
    request = request_of(os.path.abspath(path), format, loads_only=True)
    try:
        answer = run_loader(engine.script, interpreters(), request)
    except EngineMissing:
        return f"{engine.title}: not here ({REMEDY})"
    except EngineFailed as error:
        return f"{engine.title} rejects the file: {error}"
    return f"{answer.title} loads the file"
