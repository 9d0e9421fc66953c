"""Controls of the command: files of motions, and functions of modules."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from typing import Any

from unibody.files.access import Files
from unibody.mechanism import Mechanism
from unibody.motions.motion import MotionError
from unibody.motions.notations import read_motion
from unibody.simulation.control import Control, Mode, Program, control_of
from unibody.text.finding import Findings


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
    interval: float | None = None,
) -> Control | None:
    """Read a motion of a robot in any notation as a control; None if it has errors, which are findings.

    ``mode`` says what the numbers of a table are (by default positions), and which numbers of a motion are
    commanded. The rows of a path without times are ``interval`` (s) apart.

    >>> import unibody as ub
    >>> found = Findings()
    >>> read_control("nowhere.csv", ub.assemble(ub.load("src/unibody/models/biped.body")), found)
    >>> found[0].code
    'file-missing'
    """
    motion = read_motion(path, mechanism, findings, mode, files)
    if motion is None:
        return None
    if motion.times is None:
        if interval is None:
            hint = (
                "put its rows 0.1 s apart with --interval 0.1 (Motion.spaced(0.1)), or write the path with "
                "times: unibody plan … --velocity V --acceleration A -o FILE.csv"
            )
            findings.error("control-time", f"{path} has no times", None, hint, subject=path)
            return None
        motion = motion.spaced(interval)
    try:
        control = control_of(motion, mechanism, mode)
    except MotionError as error:
        findings.error("control-columns", str(error), None, subject=path)
        return None
    for name in motion.joints:
        if name in control.free and name in mechanism.joint_names:
            message = f"joint {name!r} is not commanded: it has no drive"
            findings.info("control-ignored", message, None, subject=path)
    return control


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
