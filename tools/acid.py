"""What physics engines make of the acid test: python tools/acid.py --engine NAME

Each fact of tests/acid is asked of the engine by its loader for `unibody prove`; interpreters with engines
are found by UNIBODY_ENGINES. Without --engine the page is written from the recorded verdicts; with --run
all engines that are here are asked first, and their verdicts recorded.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.acid.asking import TOLERANCES, VERDICTS, Verdict, ask_all, recorded, write  # noqa: E402
from tests.acid.facts import FORMATS, Fact, facts  # noqa: E402

from unibody.proof.engines import ENGINES, Engine, engines_of  # noqa: E402

PAGE = "docs/acid.md"
HOW = "python tools/acid.py"
MODELS = "../tests/acid/models"
_EXACT, _SINGLE = (f"{TOLERANCES[name]:g}".replace("e-0", "e-") for name in ("double", "single"))
_CELLS = {"right": "yes", "differs": "**no**", "rejects": "rejects", "ends": "crashes", "untold": "–"}

_HEAD = f"""\
<!-- Generated from tests/acid by `{HOW}`; do not edit. -->

# The acid test

Each row below is one small model file and one number that follows from it, such as the place of a link or
the mass of a mirrored mesh; a cell tells whether this physics engine, which loads the file by its own
reader, has that number. So a row shows at which fact of a format an engine makes another robot, and a
column what to expect of an engine.

Every number was computed by hand from the reference of the format, and the derivation stands below the
table; none comes from unibody. A test holds unibody to all of them. The models are in
[tests/acid/models]({MODELS}), each small enough for a bug report. `make acid` asks all engines of
`make engines` again and writes this page; `python tools/acid.py --engine mujoco` prints the facts of one.

| word | meaning |
| --- | --- |
| yes | the engine has the number, to {_EXACT} of its size, to {_SINGLE} in single precision |
| **no** | it has another one; the section of the fact has it |
| rejects | its reader reports an error |
| crashes | its process ends |
| – | the engine, or its [loader](prove.md), does not tell this |
| (empty) | the engine does not read the format |

What an engine leaves to its user, such as a `mimic` that must be asked for, is a **no** here: the numbers
are those without further calls. Gravity is 9.80665 m/s² along the world's -Z.

How many rows have which word:
"""


def page() -> str:
    """The text of the page."""
    rows = {row.key: row for row in recorded()}
    engines = [engine for engine in ENGINES if any(key[2] == engine.name for key in rows)]
    sections = list(dict.fromkeys(fact.section for fact in facts()))
    lines = [_HEAD, *_summary(engines, list(rows.values())), ""]
    for section in sections:
        lines += _section(section, engines, rows)
    return "\n".join(lines)


def _summary(engines: Sequence[Engine], rows: Sequence[Verdict]) -> Iterator[str]:
    yield "| engine | yes | no | rejects | crashes | – |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for engine in engines:
        own = [row for row in rows if row.engine == engine.name]
        version = next((row.version for row in own if row.version), "")
        counts = Counter(row.verdict for row in own)
        numbers = " | ".join(str(counts[verdict]) for verdict in VERDICTS)
        yield f"| {engine.title} {version} | {numbers} |"


def _section(
    section: str, engines: Sequence[Engine], rows: Mapping[tuple[str, str, str], Verdict]
) -> Iterator[str]:
    own = [fact for fact in facts() if fact.section == section]
    yield from (f"## {section}", "")
    yield "| fact | format | " + " | ".join(engine.title for engine in engines) + " |"
    yield "| --- | --- " + "| --- " * len(engines) + "|"
    for fact in own:
        for file in fact.files:
            found = [rows.get((fact.name, file, engine.name)) for engine in engines]
            cells = [_CELLS[row.verdict] if row is not None else "" for row in found]
            link = f"[{_format(file)}]({MODELS}/{file})"
            yield f"| [{fact.name}](#{_anchor(fact.name)}) | {link} | " + " | ".join(cells) + " |"
    yield ""
    for fact in own:
        yield from _details(fact, engines, rows)


def _details(
    fact: Fact, engines: Sequence[Engine], rows: Mapping[tuple[str, str, str], Verdict]
) -> Iterator[str]:
    yield from (f"### {fact.name}", "")
    state = f" at {fact.state}" if fact.state else ""
    expected = ", ".join(f"{value:.9g}" for value in fact.expected)
    title = fact.title[0].upper() + fact.title[1:]
    yield f"{title}. The {fact.asked}{state} is {expected}: {fact.because}."
    notes: dict[str, list[str]] = {}
    for engine in engines:
        for file in fact.files:
            row = rows.get((fact.name, file, engine.name))
            if row is not None and row.note:
                format = f" ({_format(file)})" if len(fact.files) > 1 else ""
                notes.setdefault(_words(row), []).append(engine.title + format)
    yield from ("", *(f"- {', '.join(who)}: {words}." for words, who in notes.items())) if notes else ()
    yield ""


def _format(file: str) -> str:
    return {"urdf": "URDF", "mjcf": "MJCF", "body": "Body"}[FORMATS[Path(file).suffix]]


def _anchor(name: str) -> str:
    """The anchor of a title on GitHub and in other renderers of Markdown."""
    kept = "".join(c for c in name.lower() if c.isalnum() or c in " -_")
    return kept.replace(" ", "-")


def _words(row: Verdict) -> str:
    """What an engine does, as text of Markdown: messages of engines in backquotes."""
    message = "`" + row.note.replace("`", "'") + "`"
    match row.verdict:
        case "rejects":
            return f"rejects the file: {message}"
        case "ends":
            return f"its process {row.note.partition(':')[0]}"
        case "untold":
            return f"not told; {row.note}"
    return row.note


def show(engine: Engine) -> int:
    """Print what an engine has; 1 if it is not here."""
    rows = ask_all(engine, facts())
    if not rows:
        print(
            f"{engine.title} is not here: make engines, and set UNIBODY_ENGINES to the folder .venv-engines"
        )
        return 1
    for row in rows:
        note = f"  {row.note}" if row.note else ""
        print(f"{row.verdict:8} {row.fact} ({row.file}){note}")
    counts = Counter(row.verdict for row in rows)
    print(f"{engine.title}: " + ", ".join(f"{counts[v]} {v}" for v in VERDICTS if counts[v]))
    return 0


def record(engines: Sequence[Engine]) -> None:
    """Ask the engines that are here, and replace their rows of the table."""
    kept = recorded()
    for engine in engines:
        made = ask_all(engine, facts())
        print(f"{engine.title}: {len(made)} verdicts" if made else f"{engine.title}: not here", flush=True)
        if made:
            kept = [row for row in kept if row.engine != engine.name] + made
            write(kept)


def main() -> int:
    """Print what engines have, or write the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--engine", help="print what this engine has")
    parser.add_argument("--run", action="store_true", help="ask all engines (or --engine) and record it")
    given = parser.parse_args()
    engines = engines_of(given.engine)
    if given.engine and not given.run:
        return max(show(engine) for engine in engines)
    if given.run:
        record(engines)
    (ROOT / PAGE).write_text(page(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
