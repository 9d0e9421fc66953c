"""Prints fixes as a diff, and writes them after confirmation (unibody check --fix)."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from unibody.cli.command_line import NotAValueError
from unibody.cli.output import UsageError, emit, wants_color
from unibody.cli.terminal import clean
from unibody.text.counted import counted

if TYPE_CHECKING:
    from unibody.fixes import FindingFix, Fix, Model, Which

_STYLES = {"---": "1", "+++": "1", "@@ ": "36", "-": "31", "+": "32", "\\": "2"}


def codes(text: str) -> list[str]:
    """Parse the value of --fix: safe, all, or finding codes separated by commas.

    >>> codes("limits-reversed,axis-not-unit")
    ['limits-reversed', 'axis-not-unit']
    """
    from unibody.checks.rules import fixable_codes, rules
    from unibody.text.near import suggestion

    if _is_path(text):
        raise NotAValueError(f"expected safe, all, or finding codes, got '{text}'")
    words = [word for word in text.split(",") if word]
    for word in words:
        if word in fixable_codes() or words in (["safe"], ["all"]):
            continue
        if word in rules():
            why = f"'{word}' has no automatic fix; see unibody explain {word}"
            raise argparse.ArgumentTypeError(why)
        hint = suggestion(
            word, [*sorted(fixable_codes()), "safe", "all"], "use safe, all, or finding codes"
        )
        raise argparse.ArgumentTypeError(f"unknown finding code '{word}'{hint}")
    return words


def _is_path(word: str) -> bool:
    """Whether the word after --fix is the model file, as in `check --fix robot.urdf`.

    >>> _is_path("robot.urdf"), _is_path("models/robot"), _is_path("safe")
    (True, True, False)
    """
    from unibody.checks.rules import fixable_codes

    if word in fixable_codes() or word in ("safe", "all"):
        return False
    return any(mark in word for mark in "./\\") or os.path.exists(word)


def selection(values: Sequence[Sequence[str]]) -> Which:
    """The fixes that all values of --fix select.

    >>> selection([["safe"]]), selection([["limits-reversed"], ["axis-not-unit"]])
    ('safe', ['limits-reversed', 'axis-not-unit'])
    """
    words = [word for value in values for word in value]
    return next((word for word in ("all", "safe") if word in words), words)


def apply_fixes(model: Model, which: Which, yes: bool, as_json: bool) -> dict[str, Any]:
    """Print the diff, write it if confirmed, and return the fixes as JSON data."""
    from unibody.fixes import fixed

    fix = fixed(model, which)
    if not as_json:
        _show(fix, 0 if fix.changes or which != "safe" else len(fixed(model, "all").fixes))
    written = bool(fix.changes) and (yes or (not as_json and _is_confirmed(fix)))
    if written:
        try:
            fix.write()
        except OSError as error:
            raise UsageError(f"cannot write the fixes: {error.strerror or error}") from None
    if not as_json and fix.changes:
        emit([_outcome(fix, written)])
    return fix_data(fix, written)


def _show(fix: Fix, more: int) -> None:
    """Print the diff and the findings that it leaves; --fix=all has ``more`` fixes."""
    lines = fix.diff().splitlines() if fix.changes else []
    shown = ["\t".join(map(clean, line.split("\t"))) for line in lines]
    if shown and wants_color(sys.stdout):
        _colored(shown)
    elif sys.stdout is not None:
        sys.stdout.write("".join(f"{line}\n" for line in shown))
    emit(f"{r.finding.at}: not fixed: {r.why} [{r.finding.code}]" for r in fix.refused)
    emit(f"{f.at}: remaining: {f.message} [{f.code}]" for f in fix.left)
    if not fix.changes:
        emit([f"nothing safe to fix; {more} more with --fix=all" if more else "nothing to fix"])


def _colored(lines: Iterable[str]) -> None:
    from unibody.cli.color import styled, write

    write(
        [styled(x, next((s for mark, s in _STYLES.items() if x.startswith(mark)), "")) for x in lines],
        stderr=False,
    )


def _is_confirmed(fix: Fix) -> bool:
    """Whether the user confirms at a terminal."""
    if sys.stdin is None or sys.stdout is None or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    sys.stdout.write(f"Write {clean(_files(fix))}? [y/N] ")
    sys.stdout.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _outcome(fix: Fix, written: bool) -> str:
    what = f"{counted(len(fix.fixes), 'finding')} fixed in {_files(fix)}"
    return f"{what}, written" if written else f"{what}, not written (use --yes)"


def _files(fix: Fix) -> str:
    return fix.changes[0].name if len(fix.changes) == 1 else f"{len(fix.changes)} files"


def _owner(one: FindingFix) -> dict[str, Any]:
    return {"code": one.finding.code, "does": one.fix.title, "safe": one.fix.safe}


def fix_data(fix: Fix, written: bool) -> dict[str, Any]:
    """The fixes as JSON data."""
    edits = [
        {
            **edit.json(),
            **_owner(owners[0]),
            **({"with": [_owner(owner) for owner in owners[1:]]} if len(owners) > 1 else {}),
        }
        for change in fix.changes
        for edit, owners in change.edits
    ]
    refused = [{**r.finding.json("command"), "why": r.why} for r in fix.refused]
    left = [finding.json("command") for finding in fix.left]
    data = {"written": written, "edits": edits, "refused": refused}
    return data | ({"left": left} if left else {})
