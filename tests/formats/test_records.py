"""Every format is complete: its record, its samples and its page."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tests.project.tools import ROOT

from unibody.document.declare import Document
from unibody.files.access import MemoryFiles
from unibody.formats import FORMATS, Format, by_name, detect
from unibody.formats.loader import Reading, read


def sample(format: Format) -> tuple[str, str, Reading]:
    """Name, text and reading of the first sample, detected by its name and text."""
    samples = format.samples()
    name, text = next(iter(samples.items()))
    return name, text, read(name, files=MemoryFiles({k: v.encode() for k, v in samples.items()}))


def test_names_are_unique() -> None:
    assert len({f.name for f in FORMATS}) == len({f.title for f in FORMATS}) == len(FORMATS)
    assert all(by_name(f.name) is f for f in FORMATS)
    assert by_name("toy") is None


@pytest.mark.parametrize("format", FORMATS, ids=lambda f: f.name)
def test_a_sample_is_detected_and_read_without_a_warning(format: Format) -> None:
    name, text, reading = sample(format)
    assert name.endswith(format.suffixes)
    assert detect(name, text[:4096], text) is format
    assert reading.format is format
    assert reading.robot is not None
    assert [str(f) for f in reading.findings if f.severity != "info"] == []
    assert isinstance(reading.document, format.declarations().root)


@pytest.mark.parametrize("format", FORMATS, ids=lambda f: f.name)
def test_a_sample_is_printed_as_it_is(format: Format) -> None:
    _, text, reading = sample(format)
    assert reading.node is not None
    assert format.reader().print(reading.node, reading.source).split() == text.split()


@pytest.mark.parametrize("format", FORMATS, ids=lambda f: f.name)
def test_a_format_is_documented(format: Format) -> None:
    assert (ROOT / "docs" / format.docs).is_file()
    assert issubclass(format.declarations().root, Document)


def test_records_import_no_format() -> None:
    """The command starts fast: a format's modules are imported when it is used."""
    code = (
        "import sys; from unibody.formats import FORMATS, detect; detect('a.urdf', '<robot');"
        "print(*[m for m in sys.modules if m == 'numpy' or m.startswith('unibody.formats.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    records = {f"unibody.formats.{p.name}" for p in (ROOT / "src/unibody/formats").iterdir() if p.is_dir()}
    shared = {
        f"unibody.formats.{name}" for name in ("format", "arguments", "scenery")
    }  # of which the records consist
    assert set(done.stdout.split()) <= records | shared
