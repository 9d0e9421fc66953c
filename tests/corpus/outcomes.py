"""What becomes of each model file of ../shared, by the checked-in table outcomes.tsv.

A sweep takes the files from here that are read without an error, so that it fails if one no longer is.
``pytest tests/corpus/test_dev.py --accept`` writes the table anew: reading the difference is the work.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tests.shared import SHARED

from unibody.formats import FORMATS, detect
from unibody.formats.loader import Reading

TABLE = Path(__file__).with_name("outcomes.tsv")
FOLDERS = ("corpus/dev", "corpus/micro", "corpus/more", "oracle/micro/models")
#: Outcomes of files that are read without an error.
READ = ("robot", "scene", "part")
SUFFIXES = tuple(suffix for format in FORMATS for suffix in format.suffixes)


@cache
def outcomes() -> dict[str, str]:
    """The outcome of each file, by its path below ../shared."""
    lines = TABLE.read_text("utf-8").splitlines() if TABLE.exists() else []
    return dict(line.split("\t") for line in lines)


def models(*suffixes: str, below: str = "corpus/dev") -> list[Path]:
    """The files with one of some suffixes, in any letter case, that are read without an error, in order."""
    return sorted(
        SHARED / name
        for name, outcome in outcomes().items()
        if outcome in READ and name.lower().endswith(suffixes) and name.startswith(f"{below}/")
    )


def is_read(path: Path) -> bool:
    """Whether a file is read without an error, by the table."""
    return outcomes()[path.relative_to(SHARED).as_posix()] in READ


def outcome_of(reading: Reading) -> str:
    """The outcome of a file that was read.

    "errors: …" with the codes, "scene", "part" for a file that is made for others to refer to (a mesh, what
    MJCF files include), or "robot".
    """
    errors = sorted({f.code for f in reading.findings if f.severity == "error"})
    if errors:
        return f"errors: {', '.join(errors)}"
    if reading.scene is not None:
        return "scene"
    assert reading.format is not None
    assert reading.robot is not None
    if reading.source is not None and reading.format.is_part(reading.source.name, reading.source.text):
        return "part"
    return "robot"


def files() -> list[str]:
    """The files in ../shared that have one of our formats, below it."""
    paths = sorted(p for folder in FOLDERS for p in (SHARED / folder).rglob("*") if p.is_file())
    return [p.relative_to(SHARED).as_posix() for p in paths if _is_model(p)]


def _is_model(path: Path) -> bool:
    if not path.name.lower().endswith(SUFFIXES):
        return False
    text = path.read_bytes().decode("latin-1")
    format = detect(path.name, text[:4096], text)
    return format is not None and (path.suffix not in (".yaml", ".yml", ".xml") or format.name == "mjcf")
