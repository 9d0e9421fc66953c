"""Generate the page of capabilities from the formats' tables: python tools/capabilities.py"""

from __future__ import annotations

import re
from pathlib import Path

from unibody.conversion.report_text import OUTCOME_WORDS
from unibody.formats import FORMATS
from unibody.formats.format import OUTCOMES, Cannot

ROOT = Path(__file__).resolve().parents[1]
PAGE = "docs/capabilities.md"
HOW = "python tools/capabilities.py"

_HEAD = f"""\
<!-- Made from the formats' tables by `{HOW}`: do not edit. -->

# What each format can hold

What of a robot each format cannot hold as it is, and what becomes of it: **no** means that it is lost for
other programs, "converted" that the file has it in other terms, "assumed" that the file states what the
source leaves open, "left out" that it has no meaning there: elements for other programs, files that are
missing. A conversion after which the comparison finds something else is a loss, too.
Everything else is written. The same tables explain every loss in the reports of [conversion](convert.md);
tests see to it that no loss is without a row, and no row without a loss. What a format cannot hold is
carried in the side-car, data inside the file that only unibody reads again, unless `--plain` is given.

"""

# Elements, which Markdown would take for HTML.
_ELEMENT = re.compile(r"<[a-z][\w-]*>")


def tables() -> dict[str, tuple[str, tuple[Cannot, ...]]]:
    """Title and table of each format that is written, by name."""
    return {f.name: (f.title, f.writer().cannot) for f in FORMATS if f.writer is not None}


def page() -> str:
    """The text of the page."""
    found = tables()
    extensions = {f.title: f.writer().extensions for f in FORMATS if f.writer is not None}
    # an SRDF is no model by itself
    models = [found[f.name] for f in FORMATS if f.name in found and not f.completes]
    names = list(dict.fromkeys(row.what for _, rows in models for row in rows))
    lines = [_HEAD, f"| | {' | '.join(title for title, _ in models)} |"]
    lines.append(f"| --- |{' --- |' * len(models)}")
    for what in names:
        cells = [_cell([r for r in rows if r.what == what]) for _, rows in models]
        lines.append(f"| {what} | {' | '.join(cells)} |")
    for title, rows in found.values():
        lines += ["", f"## {title}", "", "| what | outcome | why | facts |", "| --- | --- | --- | --- |"]
        for what in dict.fromkeys(r.what for r in rows):
            mine = [r for r in rows if r.what == what]
            why = "; ".join(dict.fromkeys(r.why for r in mine))
            paths = ", ".join(f"`{p}`" for p in dict.fromkeys(r.path for r in mine))
            outcomes = " or ".join(OUTCOME_WORDS[x] for x in OUTCOMES if any(r.outcome == x for r in mine))
            lines.append(f"| {what} | {outcomes} | {why} | {paths} |")
        if ignored := extensions.get(title):
            lines += [
                "",
                "Some elements are written in an extension, which most other programs ignore:",
                "",
            ]
            lines += ["| held in an extension | how | facts |", "| --- | --- | --- |"]
            lines += [f"| {row.what} | {row.why} | `{row.path}` |" for row in ignored]
    text = "\n".join(lines).replace("\n\n\n", "\n\n") + "\n"
    return _ELEMENT.sub(r"`\g<0>`", text)


def _cell(rows: list[Cannot]) -> str:
    """What becomes of a thing in a format: the worst of its rows."""
    if not rows:
        return "yes"
    worst = min((row.outcome for row in rows), key=OUTCOMES.index)
    return "**no**" if worst == "lost" else OUTCOME_WORDS[worst]


def main() -> None:
    """Write the page."""
    (ROOT / PAGE).write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
