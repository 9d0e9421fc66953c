"""Write the page of fixes: the command runs on the failing example of each rule with a fix.

Run with: python tools/fix.py
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from unibody.checks.rules import Rule, rules
from unibody.checks.rules.rule import AREAS
from unibody.cli.main import main as command

ROOT = Path(__file__).resolve().parents[1]
PAGE = "docs/fix.md"
HOW = "python tools/fix.py"

_HEAD = f"""\
<!-- Made from the rules.yaml files below src/unibody by `{HOW}`: do not edit. -->

# Fixes

Some findings have a fix that needs no judgment: a missing header, an axis that is not a unit vector, a
misspelled key. `unibody fix MODEL` (or `unibody check MODEL --fix`) makes these fixes in the model's own
files. It first shows a unified diff, in which each hunk is headed by its fixes. On a terminal it then asks;
with `--yes` it writes without asking; otherwise it writes nothing.

```
unibody fix robot.urdf                      # safe fixes of errors and warnings: show, then ask
unibody fix robot.urdf --yes                # the same, written at once
unibody fix robot.urdf --fix=all            # also suggested fixes, and fixes of infos
unibody fix robot.urdf --fix=limits-reversed,axis-not-unit
```

- **safe**: the robot read afterwards is the same (`ub.diff` is empty). Where the format keeps
  meaningless text for its own writer, as an extra, that text may go.
- **suggested**: the robot changes as the finding says, which may not be what the author meant. Only with
  `--fix=all`, or when the code is given. `--fix=all` also makes the safe fixes of infos.

Guarantees:

- Nothing is changed but what the diff shows: encoding, byte order mark, line ends, white space, comments
  and the spelling of all other numbers stay. A file is replaced as a whole or not at all.
- Every fix is tried in memory first, all of them at once; if that fails, in parts, and those that fail
  alone in pairs and together with the fixes of what they uncover. A fix that does not remove its finding,
  causes an error, or (a safe one) changes the robot, is refused, with the reason.
- Only the model's own files are edited: the file itself, and parts, includes and imports in its folder
  or below, unless they belong to a package of their own. Compressed files, binary files, and text that
  xacro generates are not edited.
- A misspelled word hides the text behind it, and limits from 90 to -90 hide that they are in degrees.
  Findings that a fix uncovers are fixed in the same run, or listed as remaining if they have no fix.
- Of two fixes that change the same place a safe one is used first, then the other one if its finding is
  still there. A second run finds nothing to fix.
- Muted findings are not fixed.

The exit code is that of `unibody check` for the files as they are afterwards (without `--yes`: as they
are now). `--json` lists every edit with file, line, column, the text before and after, and the code. In
Python:

```python
fix = ub.fix("robot.urdf")  # or ub.fix("robot.urdf", "all"), or with codes, ["axis-not-unit"]
print(fix)  # fix.diff(), fix.fixes, fix.refused, fix.changes
fix.write()
```

The table shows what the command does to the failing example in [findings.md](findings.md), and the first
option that makes it do so.

No fix invents a number or decides what the author meant: missing limits, masses and inertias, the unit of
a number, an encoding and unknown names are not fixed. A wrong inertia is fixed if one change makes it
that of the link's shape as a solid ([Causes of wrong inertias](inertia.md)).
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the command does to the failing example of a rule.

    ``option`` is the first that makes the fix, "--fix" or "--fix=all", and "" if none does; ``titles`` are
    the titles of its fixes. ``gone``: the finding is not reported for the files as they are afterwards.
    """

    option: str
    titles: tuple[str, ...]
    gone: bool


def page() -> str:
    """The text of the page."""
    lines = [
        _HEAD,
        "## All fixes",
        "",
        "| finding | kind | made by | in the example |",
        "| --- | --- | --- | --- |",
    ]
    for area in AREAS:
        for code, rule in rules().items():
            if rule.area == area and rule.fixes:
                found = outcomes()[code]
                title = (
                    "; ".join(found.titles).replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|")
                )
                title = title[:1].upper() + title[1:]
                kinds = " or ".join(rule.fixes)
                lines.append(f"| [{code}](findings.md#{code}) | {kinds} | `{found.option}` | {title} |")
    return "\n".join(lines) + "\n"


def outcome(rule: Rule) -> Outcome:
    """Run ``unibody check --fix --yes`` on the failing example of a rule, then with ``--fix=all``."""
    for option in ("--fix", "--fix=all"):
        with tempfile.TemporaryDirectory() as folder:
            for name, data in rule.fails.contents().items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            limits = [word for limit in rule.fails.limits.split() for word in ("--limit", limit)]
            words = [rule.fails.read, "--json", *limits]
            fixed = _checked(folder, [*words, option, "--yes"])
            edits = fixed["fix"]["edits"]
            owners = [owner for edit in edits for owner in (edit, *edit.get("with", ()))]
            titles = tuple(dict.fromkeys(o["does"] for o in owners if o["code"] == rule.code))
            if titles:
                after = _checked(folder, words)
                before = sum(o["code"] == rule.code for o in owners)
                rest = sum(f["code"] == rule.code for f in after["findings"])
                return Outcome(option, titles, fixed["fix"]["written"] and rest < max(before, 1))
    return Outcome("", (), False)


@cache
def outcomes() -> dict[str, Outcome]:
    """What the command does to the failing example of each rule with a fix, by its code."""
    return {rule.code: outcome(rule) for rule in rules().values() if rule.fixes}


def _checked(folder: str, words: list[str]) -> dict[str, Any]:
    """The data that ``unibody check`` prints for a model in a folder."""
    here = os.getcwd()
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            command(["check", *words])
    finally:
        os.chdir(here)
    data: dict[str, Any] = json.loads(out.getvalue())
    return data


def main() -> None:
    """Write the page."""
    (ROOT / PAGE).write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
