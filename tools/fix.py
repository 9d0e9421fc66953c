"""Write the page of all mechanical remedies from their table: python tools/fix.py"""

from __future__ import annotations

from pathlib import Path

from unibody.checks.rules import rules
from unibody.checks.rules.rule import AREAS
from unibody.fixes import FIXABLE

ROOT = Path(__file__).resolve().parents[1]
PAGE = "docs/fix.md"
HOW = "python tools/fix.py"

_HEAD = f"""\
<!-- Made from src/unibody/fixes/table.py by `{HOW}`: do not edit. -->

# Mechanical remedies

Some findings have a remedy that needs no judgement: a header that is missing, an axis that is not a
unit vector, a key that is nearly the right one. `unibody check MODEL --fix` fixes these in the model's
own files. It shows a unified diff first; each hunk says what it fixes. On a terminal it then asks; with
`--yes` it writes without asking; otherwise nothing is written.

```
unibody check robot.urdf --fix              # safe remedies of errors and warnings: show, then ask
unibody check robot.urdf --fix --yes        # the same, written at once
unibody check robot.urdf --fix=all          # suggested ones and those of infos, too
unibody check robot.urdf --fix=limits-reversed,axis-not-unit
```

- **safe**: the robot that is read afterwards is the same (`ub.diff` is empty). Where the format keeps
  what means nothing for its own writer, as an extra, that goes with it.
- **suggested**: the robot changes as the finding says; the hint was right, or it was not. Only with
  `--fix=all`, or when the code is named.

What can be relied on:

- Nothing but what the diff shows is touched: encoding, byte order mark, line ends, white space,
  comments and the spelling of all other numbers stay. Files appear whole or not at all.
- All is tried in memory first. A remedy that would not fix its finding, would bring another error or
  warning, or (a safe one) would change the robot, is not used, and that is said.
- Only the model's own files are edited: the file itself, and parts, includes and imports in its folder
  or below, as long as they are in no package of their own. Files packed by gzip, binary files, and text
  that xacro makes of something else are left alone.
- A misspelt word hides what stands behind it: what its remedy uncovers is fixed with it, or told as left
  when it is a warning (not under `safe`).
- Of two remedies at one place one counts, the safe one first; run it again for the other. A second run
  without such a message finds nothing more to do, unless the first one made text readable that was not.
- Findings that are muted are left alone.

The exit code is that of `unibody check` for the files as they are afterwards (so, without `--yes`, as
they are now). `--json` gives every edit with file, line, column, what stood there, what comes, and the
code. In Python:

```python
fix = ub.fix("robot.urdf")      # or ub.fix("robot.urdf", "all"), or with codes, ["axis-not-unit"]
print(fix.diff())               # fix.remedies, fix.refused, fix.changes
fix.write()
```

No remedy invents a number or decides what the author meant: missing limits, masses and inertias, a unit
behind a number, a guessed encoding or a name that exists nowhere stay as they are.
"""


def page() -> str:
    """The text of the page."""
    lines = [_HEAD, "## All of them", "", "| finding | kind | what is done |", "| --- | --- | --- |"]
    for area in AREAS:
        for code, rule in rules().items():
            if rule.area == area and code in FIXABLE:
                fixable = FIXABLE[code]
                lines.append(
                    f"| [{code}](findings.md#{code}) | {' or '.join(fixable.kinds)} | {fixable.does} |"
                )
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the page."""
    (ROOT / PAGE).write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
