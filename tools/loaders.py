"""Write the page of other loaders' verdicts: python tools/loaders.py

With --run the loaders that are installed are run first, and their verdicts recorded.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.loaders.run import LOADERS  # noqa: E402
from tests.loaders.verdicts import Case, Verdict, cases, recorded, run, write  # noqa: E402

from unibody.formats import by_name  # noqa: E402

PAGE = "docs/loaders.md"
HOW = "python tools/loaders.py"

_HEAD = f"""\
<!-- Generated from tests/loaders by `{HOW}`; do not edit. -->

# Other loaders

A slip is a small mistake in a model file. What other loaders do with it decides whether unibody reports
an error or a warning. A text that one of them loads is loaded here, too, with a warning that names the slip
and says what is assumed. An error is left for what none of them loads, and for:

- numbers that are not finite (NaN, infinity) where they enter a computation,
- a broken tree of links: cycles, two parents, several roots,
- limits and access: entities, files outside the model's folder, sizes.

Each row is a small file in `tests/loaders/FORMAT.yaml`; the verdicts are in `tests/loaders/verdicts.tsv`.
A test gives each file to unibody and to the loaders that are installed.

| verdict | meaning |
| --- | --- |
| same | loads the robot that unibody makes: mass, inertia, number of collision shapes; moving joints |
| differs | loads another robot; the note below the table tells the difference |
| loads | loads; nothing is known of the robot, or unibody makes none |
| refuses | reports an error, and makes no robot |
| crashes | ends its process |
"""


def page() -> str:
    """The text of the page."""
    rows = {(*row.key, row.loader): row for row in recorded()}
    lines = [_HEAD]
    for name in dict.fromkeys(case.format for case in cases()):
        lines += _format(name, [case for case in cases() if case.format == name], rows)
    return "\n".join(lines) + "\n"


def _format(name: str, own: list[Case], rows: dict[tuple[str, str, str, str], Verdict]) -> Iterator[str]:
    found = by_name(name)
    yield f"## {found.title if found is not None else name}"
    loaders = list(dict.fromkeys(row.loader for row in rows.values() if row.format == name))
    versions = {row.loader: row.version for row in rows.values() if row.format == name}
    yield from ("", ", ".join(f"{loader} {versions[loader]}" for loader in loaders) + ".")
    for code in dict.fromkeys(case.code for case in own):
        yield from ("", f"### {code}", "", f"[{code}](findings.md#{code}).", "")
        yield "| case | unibody | " + " | ".join(loaders) + " |"
        yield "| --- " * (2 + len(loaders)) + "|"
        notes = []
        for case in own:
            if case.code == code:
                of_case = [rows.get((*case.key, loader)) for loader in loaders]
                cells = [row.verdict if row is not None else "" for row in of_case]
                yield f"| {case.name} | {case.severity} | " + " | ".join(cells) + " |"
                notes += [f"- {case.name}: {case.policy}."] if case.policy else []
                notes += [
                    f"- {case.name}, {row.loader}: {row.note}."
                    for row in of_case
                    if row is not None and row.note and row.verdict != "refuses"
                ]
        if notes:
            yield ""
            yield from notes
    yield ""


def record() -> None:
    """Run the installed loaders on the URDF cases, and replace their rows of the table."""
    wanted = [case for case in cases() if case.format == "urdf"]
    kept = recorded()
    for loader in LOADERS:
        with tempfile.TemporaryDirectory() as folder:
            made = run(loader, wanted, Path(folder))
        print(f"{loader}: {len(made)} verdicts" if made else f"{loader}: not installed")
        if made:
            kept = [row for row in kept if (row.format, row.loader) != ("urdf", loader)] + made
    write(kept)


if __name__ == "__main__":
    if "--run" in sys.argv:
        record()
    (ROOT / PAGE).write_text(page(), "utf-8")
