"""Runs an example of the rules and gives the findings that come out."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

from unibody.checks import further
from unibody.checks.rules import Example
from unibody.files.access import MemoryFiles
from unibody.formats.loader import read
from unibody.formats.mpk import read_plan
from unibody.model import json as native
from unibody.model.validation.basic import check_basic
from unibody.text.finding import Finding, Findings
from unibody.text.limits import ReadLimits


def found(example: Example, folder: Path, **settings: Any) -> list[Finding]:
    """The findings of ``unibody check``, or of the example's own command, run in ``folder``.

    ``settings`` are keywords of reading.
    """
    if example.command:
        return _commanded(example, folder)
    if example.format == "json":
        findings = Findings()
        robot = native.loads(example.contents()[example.name].decode(), example.name, findings)
        if robot is not None and robot.links:
            check_basic(robot, findings)
        return findings
    files = MemoryFiles(example.contents(), limits=ReadLimits.of(example.limits.split()))
    if example.format == "pln":
        return list(read_plan(example.read, files).findings)
    reading = read(example.read, files=files, **settings)
    more = further(reading.robot, reading.findings, files) if reading.robot else []
    return [*reading.findings, *more]


def _commanded(example: Example, folder: Path) -> list[Finding]:
    from unibody.cli import main as command

    for name, data in example.contents().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    said: list[Finding] = []
    words = shlex.split(example.command)
    assert words[0] == "unibody"
    said.extend(_reported(command, words[1:], folder))
    return said


def _reported(command: Any, words: list[str], folder: Path) -> list[Finding]:
    """What the command says of a model in ``folder``: findings are read off its error stream."""
    import contextlib
    import io
    import os
    import re

    errors, here = io.StringIO(), os.getcwd()
    os.chdir(folder)
    try:
        with contextlib.redirect_stderr(errors), contextlib.redirect_stdout(io.StringIO()) as out:
            command.main(words)
    finally:
        os.chdir(here)
    if words[0] == "check":
        data = json.loads(out.getvalue())
        return [Finding(f["code"], f["severity"], f["message"]) for f in data["findings"]]
    text = errors.getvalue() + out.getvalue()  # the report of a conversion has its warnings
    lines = re.findall(r"^(?:\S+: )?(error|warning|info): (.*) \[([a-z-]+)\]$", text, re.M)
    return [Finding(code, severity, message) for severity, message, code in lines]
