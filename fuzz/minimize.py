"""Minimizes a failing case by removing pieces of its file."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace

from fuzz.cases import Case
from fuzz.seeds import ROOT

_TRY = """
import json, sys
from random import Random
from fuzz.cases import Case
from fuzz.worker import attempt, limit
limit()
told = json.loads(sys.argv[1])
beside = {name: bytes.fromhex(text) for name, text in told["beside"].items()}
case = Case(told["kind"], "", told["name"], sys.stdin.buffer.read(), beside)
print(json.dumps(attempt(case, Random(told["use"])).mark))
"""


def mark_of(case: Case, use: str, seconds: float = 30.0) -> str:
    """Run a case in a new process: the mark of its problem, or ""."""
    told = {
        "kind": case.kind,
        "name": case.name,
        "use": use,
        "beside": {k: v.hex() for k, v in case.beside.items()},
    }
    try:
        done = subprocess.run(
            [sys.executable, "-c", _TRY, json.dumps(told)],
            input=case.data,
            capture_output=True,
            timeout=seconds,
            cwd=ROOT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "stood still"
    if done.returncode:
        return f"ended with {done.returncode}"
    return str(json.loads(done.stdout.splitlines()[-1]))


def minimized(case: Case, fails: Callable[[Case], bool], seconds: float = 60.0) -> Case:
    """Remove pieces of the case as long as the problem persists and time remains."""
    until = time.monotonic() + seconds
    if case.beside and fails(replace(case, beside={})):
        case = replace(case, beside={})
    size = max(1, len(case.data) // 2)
    while size:
        at = 0
        while at < len(case.data):
            if time.monotonic() > until:
                return case
            smaller = replace(case, data=case.data[:at] + case.data[at + size :])
            if fails(smaller):
                case = smaller
            else:
                at += size
        size //= 2
    return case
