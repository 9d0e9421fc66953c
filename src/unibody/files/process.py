"""Scripts in processes of their own, for libraries that may end the process that they run in."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO, Any


def start(
    interpreter: str,
    script: str,
    arguments: Sequence[str],
    folder: str,
    environment: Mapping[str, str],
    *,
    stdin: int | IO[Any] = subprocess.DEVNULL,
    stdout: int | IO[Any] = subprocess.DEVNULL,
    stderr: int | IO[Any] = subprocess.DEVNULL,
) -> subprocess.Popen[bytes]:
    """Start a script of Python in a folder and in a session of its own; OSError if it cannot be started.

    Nothing that the caller has set for Python applies to it: its environment is ``environment``, it has no
    packages of the user and writes no byte code.
    """
    return subprocess.Popen(
        [interpreter, "-E", "-s", "-B", script, *arguments],
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        cwd=folder,
        env=dict(environment),
        start_new_session=True,
    )


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process and those that it started."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


def ending(code: int, words: str = "") -> str:
    """How a process ended that gave no answer, with the last words that it printed.

    >>> ending(1), ending(-9, "out of memory")
    ('ended with code 1', 'ended by SIGKILL: out of memory')
    """
    if code >= 0:
        return f"ended with code {code}: {words}" if words else f"ended with code {code}"
    with suppress(ValueError):
        name = signal.Signals(-code).name
        return f"ended by {name}: {words}" if words else f"ended by {name}"
    return f"ended by signal {-code}"
