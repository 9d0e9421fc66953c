"""Reads a control of any kind: CSV, OpenHRP's patterns, Choreonoid's motions, or a function of a module."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from unibody.files.access import FileError, Files
from unibody.mechanism import Mechanism
from unibody.simulation.control import Control, Mode, Program
from unibody.simulation.control_motion import read_body_motion
from unibody.simulation.control_table import PATTERNS, REFERENCES, read_base, read_csv, read_pattern
from unibody.text.decode import decode
from unibody.text.finding import Findings, TextError
from unibody.text.source import Source

#: The suffixes of Choreonoid's body motions.
MOTIONS = (".seq", ".yaml", ".yml")


class ControlError(ValueError):
    """Raised for a control that cannot be used; ``findings`` tell what is wrong and where."""

    def __init__(self, message: str, findings: Findings | None = None) -> None:
        super().__init__(message)
        self.findings = findings or Findings()


def read_control(
    path: str,
    mechanism: Mechanism,
    findings: Findings,
    mode: Mode | None = None,
    files: Files | None = None,
) -> Control | None:
    """Read a control file for a robot; None if it has errors, which are findings.

    ``mode`` says what the numbers of a CSV file are (by default positions); the suffix of a pattern of
    OpenHRP (.pos, .vel, .torque) says it itself, and body motions of Choreonoid (.seq, .yaml) are
    positions. A ``.waist`` file beside a pattern says where the base begins.

    >>> import unibody as ub
    >>> found = Findings()
    >>> read_control("nowhere.csv", ub.assemble(ub.load("src/unibody/models/biped.body")), found)
    >>> found[0].code
    'file-missing'
    """
    files = files or Files()
    suffix = os.path.splitext(path)[1].lower()
    if suffix in REFERENCES:
        message = f"{path} holds {REFERENCES[suffix]}, which command no joint"
        findings.error("control-format", message, None, f"give one of {', '.join(PATTERNS)}", subject=path)
        return None
    source = _source(path, files, findings)
    if source is None:
        return None
    if suffix in MOTIONS:
        return read_body_motion(source, mechanism, findings)
    if suffix not in PATTERNS:
        return read_csv(source, mechanism, mode or "position", findings)
    control = read_pattern(source, mechanism, mode or PATTERNS[suffix], findings)
    beside = os.path.splitext(path)[0] + ".waist"
    if control is None or not files.exists(beside):
        return control
    placed = _source(beside, files, findings)
    base = None if placed is None else read_base(placed, control, findings)
    return None if base is None else replace(control, base=base)


def _source(path: str, files: Files, findings: Findings) -> Source | None:
    try:
        return decode(files.read(path), path, findings, files.meter)
    except (FileError, TextError) as error:
        findings.append(error.finding)
        return None


def is_program(text: str) -> bool:
    """Whether a control is a function of a module (``module:function``) and no file.

    >>> is_program("walk:step"), is_program("walk.csv"), is_program("C:\\\\walk.csv")
    (True, False, False)
    """
    module, colon, function = text.rpartition(":")
    named = all(part.isidentifier() for part in module.removesuffix(".py").split("."))
    return bool(colon) and named and function.isidentifier() and not os.path.exists(text)


def find_program(text: str) -> Program:
    """The function ``module:function``, of the current folder or an installed module.

    ControlError if the module cannot be imported, or has no such function.
    """
    name, _, function = text.rpartition(":")
    name = name.removesuffix(".py")
    sys.path.insert(0, os.getcwd())
    try:
        found: Any = getattr(importlib.import_module(name), function, None)
    except ModuleNotFoundError as error:
        missing = f"there is no module {error.name!r}"
        raise ControlError(f"{text}: {missing} here or among the installed ones") from None
    except Exception as error:
        raise ControlError(f"{text}: {reason(error)}") from error
    finally:
        sys.path.remove(os.getcwd())
    if not isinstance(found, Callable):  # type: ignore[arg-type]
        what = "is not a function" if found is not None else "does not exist"
        raise ControlError(f"{text}: {function!r} {what} in the module {name!r}")
    return found  # type: ignore[no-any-return]


def reason(error: BaseException) -> str:
    """An error of somebody's code in one line, with its file and line."""
    frame = error.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    at = f"{os.path.basename(frame.tb_frame.f_code.co_filename)}:{frame.tb_lineno}: " if frame else ""
    return f"{at}{type(error).__name__}: {error}".splitlines()[0]
