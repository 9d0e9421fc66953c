"""unibody formats: one format, and its schema."""

from __future__ import annotations

import json

import pytest

from unibody.cli.main import main
from unibody.formats import FORMATS
from unibody.schemas import schema_file

SCHEMAS = {f.name: f.schema for f in FORMATS if f.schema is not None}
FILES = {name: schema.file for name, schema in SCHEMAS.items()}
FILES |= {f"{name}-closed": schema.closed for name, schema in SCHEMAS.items() if schema.closed}


@pytest.mark.parametrize("name", FILES)
def test_a_schema_is_printed_as_it_ships(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = [name.removesuffix("-closed"), "--schema", *(["--closed"] if name.endswith("-closed") else [])]
    assert main(["formats", *words]) == 0
    assert capsys.readouterr().out == schema_file(FILES[name]).read_text("utf-8")
    assert main(["formats", *words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["file"] == str(schema_file(FILES[name]))
    assert told["text"] == schema_file(FILES[name]).read_text("utf-8")


def test_one_format_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["formats", "urdf"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["name", "urdf"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["bodi"], "did you mean 'body'?"),
        (["--schema"], "body or urdf"),
        (["mpk", "--schema"], "body or urdf"),
        (["urdf", "--closed"], "--closed requires --schema"),
        (["body", "--schema", "--closed"], "only urdf"),
    ],
)
def test_what_makes_no_sense_is_said(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["formats", *words]) == 2
    assert said in capsys.readouterr().err
