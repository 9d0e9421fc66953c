"""Write the page of what other programs do with a file: python tools/engine_page.py"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from unibody.checks.engines import Engine, Row, engines

ROOT = Path(__file__).resolve().parents[1]
PAGE = "docs/engines.md"
HOW = "python tools/engine_page.py"

_HEAD = f"""\
<!-- Generated from src/unibody/checks/engines/*.yaml by `{HOW}`; do not edit. -->

# Will it load there?

Each row below is one thing that a program does with some model files, and that makes another robot of them
or none: it drops visual shapes, fuses fixed links, fixes or floats the root, ignores mimic joints, or
invents friction. `unibody check --engine` tells which rows are about this very file, after the other
findings, each with its place and a remedy:

```sh
unibody check robot.urdf --engine rviz,gazebo,mujoco
```

In Python, `ub.check("robot.urdf", engines="rviz,gazebo,mujoco")`. What a program rejects is an error
([engine-rejects](findings/model.md#engine-rejects)), so that the exit code tells whether the file loads
there; anything else that makes another robot is a warning, and what only has to be known a note
([engine-reads-otherwise](findings/model.md#engine-reads-otherwise); `--all-findings` shows notes). A
comment in the file mutes them like other findings. Nothing is run: [`unibody prove`](prove.md) asks the
engines themselves, with numbers, and [other loaders](loaders.md) tells what they make of mistakes in a
file.

A row is known from a run of that program, from its source, or from its own issues. "Run" means that a test
loads a small file with the engine and finds the same, where it is installed: in the environments of
UNIBODY_ENGINES, of which one may have PyBullet, and for Gazebo where the system has libsdformat. No
finding means that no row applies, not that there is no difference. N and M stand for names of the file.
"""


def page() -> str:
    """The text of the page."""
    lines = [_HEAD]
    for engine in engines().values():
        lines += _engine(engine)
    return "\n".join(lines)


def _engine(engine: Engine) -> Iterator[str]:
    yield f"## {engine.title}"
    yield f"\n`--engine {engine.name}`; reads {', '.join(map(str.upper, engine.reads))}.\n"
    yield "| what it does | remedy | formats | seen in | known from |"
    yield "| --- | --- | --- | --- | --- |"
    yield from map(_row, engine.rows)
    yield ""


def _row(row: Row) -> str:
    word = {"error": "**rejects**", "warning": "", "info": "(note)"}[row.severity]
    does = row.does.replace("'{name}'", "N").replace("'{other}'", "M").replace("{name}", "N")
    does = does.replace("rejects", word, 1) if word == "**rejects**" else f"{does} {word}".strip()
    unless = (
        f", unless the file has {' or '.join(f'`{each}`' for each in row.unless)}" if row.unless else ""
    )
    formats = ", ".join(map(str.upper, row.formats))
    cells = (_text(does) + unless, _text(row.remedy), formats, row.versions, _source(row.source))
    return f"| {' | '.join(cells)} |"


def _text(words: str) -> str:
    return words.replace("<", "&lt;").replace("|", "\\|")


def _source(source: str) -> str:
    """The sources as links, relative to the page."""
    return ", ".join(map(_link, source.split(", ")))


def _link(source: str) -> str:
    if source.startswith("tests/"):
        return f"[run](../{source})"
    if source.startswith("docs/"):
        return f"[{source.rpartition('/')[2].removesuffix('.md')}]({source.removeprefix('docs/')})"
    if source.startswith("https://github.com/"):
        _, repository, _, number = source.removeprefix("https://github.com/").split("/")
        return f"[{repository}#{number}]({source})"
    return source


if __name__ == "__main__":
    (ROOT / PAGE).write_text(page(), "utf-8")
