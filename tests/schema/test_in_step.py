"""The schemas that ship are in step with the declarations, and in the package."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from tests.project.tools import ROOT, tool
from tests.schema.core import load

import unibody as ub
from unibody.schemas import schema_file

TOOL = tool("schema")
MADE: dict[str, str] = TOOL.files()


@pytest.mark.parametrize("path", MADE)
def test_a_schema_is_in_step(path: str) -> None:
    written = (ROOT / path).read_text("utf-8") if (ROOT / path).is_file() else ""
    assert written == MADE[path], f"{path} is out of step with the declarations: run {TOOL.HOW}"


@pytest.mark.parametrize("path", MADE)
def test_any_shell_can_redirect_it(path: str) -> None:
    assert MADE[path].isascii()


def test_no_other_schema_is_in_the_package() -> None:
    folder = schema_file("urdf.xsd").parent
    assert {p.name for p in folder.iterdir() if p.suffix in (".xsd", ".json")} == {
        path.rpartition("/")[2] for path in MADE
    }


def block(language: str) -> str:
    """The first block of a language in docs/editor.md."""
    page = (ROOT / "docs/editor.md").read_text("utf-8")
    return page.partition(f"```{language}\n")[2].partition("```")[0]


def test_the_page_shows_what_the_schema_and_the_reader_mark(tmp_path: Path) -> None:
    text = block("yaml")
    validator = jsonschema.Draft7Validator(json.loads(MADE["src/unibody/schemas/body.schema.json"]))
    assert len(list(validator.iter_errors(load(text)))) == 5
    path = tmp_path / "arm.body"
    path.write_text(text, "utf-8")
    lines = [f.at.line for f in ub.read(str(path)).findings if f.severity != "info" and f.at]
    assert lines == [6, 9, 10, 14, 14]


def test_the_settings_of_the_page_name_the_schemas() -> None:
    settings = json.loads(block("json"))
    (body,) = settings["yaml.schemas"]
    (urdf,) = settings["xml.fileAssociations"]
    assert {body.rpartition("/")[2], urdf["systemId"].rpartition("/")[2]} <= {
        path.rpartition("/")[2] for path in MADE
    }
