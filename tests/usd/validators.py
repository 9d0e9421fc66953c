"""Asks three validators about stages, in the interpreter that has them: ``validators.py FILE...``.

Prints JSON, for each file: the messages of OpenUSD's ``UsdValidation`` and of ``usd-validation-nvidia``
(failures and errors), and the requirements of each feature of SimReady's profile ``Robot-Body``.
Run it with the Python of ``make usd-judges``; it imports nothing of unibody.
"""

from __future__ import annotations

import json
import logging
import sys
from typing import Any

PROFILE, VERSION = "Robot-Body", "2.1.0"


def openusd(paths: list[str]) -> dict[str, list[str]]:
    """What OpenUSD's own validators say."""
    from pxr import Usd, UsdValidation

    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    context = UsdValidation.ValidationContext(validators)
    return {
        path: [f"{e.GetName()}: {e.GetMessage()}" for e in context.Validate(Usd.Stage.Open(path))]
        for path in paths
    }


def nvidia(paths: list[str]) -> dict[str, list[str]]:
    """What the rules of usd-validation-nvidia say, without those of SimReady's profiles."""
    import usd_validation_nvidia as checker

    out = {}
    for path in paths:
        engine = checker.ValidationEngine()
        found = engine.validate(path)
        out[path] = [
            f"{issue.rule.__name__}: {issue.message}"
            for issue in found.issues()
            if issue.rule is not None
            and issue.rule.__module__.startswith("usd_validation_nvidia")
            and issue.severity.name in ("FAILURE", "ERROR")
        ]
    return out


def simready(paths: list[str]) -> dict[str, dict[str, Any]]:
    """The features of the profile with the requirements that are not met."""
    from simready import validate

    validate.initialize([], [], [])
    out: dict[str, dict[str, Any]] = {}
    for path in paths:
        config = validate.AssetValidationConfig(
            asset_path=path, profile_id=PROFILE, profile_version=VERSION
        )
        result = validate.validate_asset(config)
        out[path] = {} if result is None else dict(result.features_summary)
    return out


def main(paths: list[str]) -> None:
    """Print what all of them say."""
    logging.disable(logging.CRITICAL)
    first, second, third = openusd(paths), nvidia(paths), simready(paths)
    said = {p: {"openusd": first[p], "nvidia": second[p], "simready": third[p]} for p in paths}
    assert sys.__stdout__ is not None
    sys.__stdout__.write(json.dumps(said) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
