"""Write the page of fixes from the rules and what their failing examples give: python tools/fix.py"""

from __future__ import annotations

from pathlib import Path

from unibody.checks import examine
from unibody.checks.rules import Rule, rules
from unibody.checks.rules.rule import AREAS
from unibody.files.access import MemoryFiles
from unibody.formats.loader import read
from unibody.text.edit import ProposedFix
from unibody.text.limits import ReadLimits

ROOT = Path(__file__).resolve().parents[1]
PAGE = "docs/fix.md"
HOW = "python tools/fix.py"

_HEAD = f"""\
<!-- Made from the rules.yaml files below src/unibody by `{HOW}`: do not edit. -->

# Fixes

Some findings have a fix that needs no judgment: a missing header, an axis that is not a unit vector, a
misspelled key. `unibody check MODEL --fix` makes these fixes in the model's own files. It first shows a
unified diff, in which each hunk is headed by its fixes. On a terminal it then asks; with `--yes` it
writes without asking; otherwise it writes nothing.

```
unibody check robot.urdf --fix              # safe fixes of errors and warnings: show, then ask
unibody check robot.urdf --fix --yes        # the same, written at once
unibody check robot.urdf --fix=all          # also suggested fixes, and fixes of infos
unibody check robot.urdf --fix=limits-reversed,axis-not-unit
```

- **safe**: the robot read afterwards is the same (`ub.diff` is empty). Where the format keeps
  meaningless text for its own writer, as an extra, that text may go.
- **suggested**: the robot changes as the finding says, which may not be what the author meant. Only with
  `--fix=all`, or when the code is given.

Guarantees:

- Nothing is changed but what the diff shows: encoding, byte order mark, line ends, white space, comments
  and the spelling of all other numbers stay. A file is replaced as a whole or not at all.
- Every fix is tried in memory first. A fix that does not remove its finding, brings another error or
  warning, or (a safe one) changes the robot, is refused, with the reason.
- Only the model's own files are edited: the file itself, and parts, includes and imports in its folder
  or below, unless they belong to a package of their own. Compressed files, binary files, and text that
  xacro generates are not edited.
- A misspelled word hides the text behind it. Findings that its fix uncovers are fixed together with it, or
  listed as left if they are warnings (not under `safe`).
- Of two fixes that change the same place one is used, a safe one first; run the command again for the
  other. Otherwise a second run finds nothing to fix, unless the first run made text readable.
- Muted findings are not fixed.

The exit code is that of `unibody check` for the files as they are afterwards (without `--yes`: as they
are now). `--json` lists every edit with file, line, column, the text before and after, and the code. In
Python:

```python
fix = ub.fix("robot.urdf")  # or ub.fix("robot.urdf", "all"), or with codes, ["axis-not-unit"]
print(fix.diff())  # fix.fixes, fix.refused, fix.changes
fix.write()
```

The last table names the fix of the example in [findings.md](findings.md), if the example has one.

No fix invents a number or decides what the author meant: missing limits, masses and inertias, the unit of
a number, an encoding and unknown names are not fixed. A wrong inertia is fixed if one change makes it
that of the link's shape as a solid ([Causes of wrong inertias](inertia.md)).
"""


def page() -> str:
    """The text of the page."""
    lines = [
        _HEAD,
        "## All fixes",
        "",
        "| finding | kind | example |",
        "| --- | --- | --- |",
    ]
    for area in AREAS:
        for code, rule in rules().items():
            if rule.area == area and rule.fixes:
                fix = example_fix(rule)
                title = fix.title.replace("<", "&lt;").replace("|", "\\|") if fix is not None else "—"
                lines.append(f"| [{code}](findings.md#{code}) | {' or '.join(rule.fixes)} | {title} |")
    return "\n".join(lines) + "\n"


def example_fix(rule: Rule) -> ProposedFix | None:
    """The fix of a rule's finding in its failing example."""
    example = rule.fails
    files = MemoryFiles(example.contents(), limits=ReadLimits.of(example.limits.split()))
    findings = examine(read(example.read, files=files), files)
    return next((f.fix for f in findings if f.code == rule.code and f.fix is not None), None)


def main() -> None:
    """Write the page."""
    (ROOT / PAGE).write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
