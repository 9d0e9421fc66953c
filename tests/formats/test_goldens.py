"""Small models, one feature each, as they were read and written when someone last looked.

``tests/formats/<format>/read`` has models of a format, ``write`` the neutral robots as files of it.
``pytest -m golden tests/formats --accept`` writes the goldens anew: reading the difference is the work.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.convert.models import CASES, neutral, with_files
from tests.formats.goldens import GOLDENS, differing

from unibody.conversion.pipeline import save
from unibody.formats import FORMATS, Format, detect

HERE = Path(__file__).parent
WRITTEN = [format for format in FORMATS if format.writer is not None]
# OpenUSD is started for each stage.
SLOW = ("usd",)
SUFFIXES = tuple(suffix for format in FORMATS for suffix in format.suffixes)


def _models(format: Format) -> list[Path]:
    """The models in the folder of a format; what stands beside them is of another format, or a golden."""
    paths = sorted(p for p in (HERE / format.name / "read").glob("*.*") if p.is_file())
    texts = {p: p.read_bytes().decode("latin-1") for p in paths if not p.name.endswith(GOLDENS)}
    return [p for p, text in texts.items() if detect(p.name, text[:4096], text) is format]


MODELS = {format.name: _models(format) for format in FORMATS}


@pytest.mark.golden
@pytest.mark.parametrize(
    "path",
    [
        pytest.param(p, marks=[pytest.mark.slow] if name in SLOW else [])
        for name, paths in MODELS.items()
        for p in paths
    ],
    ids=lambda p: f"{p.parts[-3]}/{p.name}",
)
def test_read(path: Path, request: pytest.FixtureRequest) -> None:
    assert differing(path, bool(request.config.getoption("--accept"))) == []


@pytest.mark.parametrize("format", [f for f in FORMATS if f.name != "mpk-scene"], ids=lambda f: f.name)
def test_every_golden_of_reading_has_its_model(format: Format) -> None:
    """A scene of MPK is read in tests/formats/mpk/test_scene.py."""
    files = [p.name for p in (HERE / format.name / "read").glob("*.*") if p.is_file()]
    assert {name.split(".")[0] for name in files} == {p.name.split(".")[0] for p in MODELS[format.name]}
    assert len(MODELS[format.name]) >= 5


@pytest.mark.golden
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(
    "format",
    [pytest.param(f, marks=[pytest.mark.slow] if f.name in SLOW else []) for f in WRITTEN],
    ids=lambda f: f.name,
)
def test_written(format: Format, case: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    folder, target = HERE / format.name / "write", with_files(tmp_path)
    report = save(neutral(case), target / f"{case}{format.suffixes[0]}")
    names = {name for name in report.files if name.endswith(SUFFIXES)}
    for name in names:
        golden, text = folder / name, (target / name).read_text("utf-8")
        if request.config.getoption("--accept"):
            golden.parent.mkdir(parents=True, exist_ok=True)
            golden.write_text(text, "utf-8", newline="\n")
        assert golden.is_file(), "run pytest with --accept, then read what is new"
        assert text == golden.read_text("utf-8")
    kept = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
    assert {name for name in kept if name.startswith(f"{case}.")} == names


@pytest.mark.parametrize("format", WRITTEN, ids=lambda f: f.name)
def test_every_golden_of_writing_has_its_robot(format: Format) -> None:
    assert {p.name.split(".")[0] for p in (HERE / format.name / "write").iterdir()} == set(CASES)
