"""docs/sr1.md explains every line of the difference between SR1.body, converted, and SR1.urdf."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.convert.models import ROOT
from tests.shared import DEV, ORACLE

import unibody as ub
from unibody.cli.main import main
from unibody.model.shape import Cylinder

FOLDER = DEV / "choreonoid+choreonoid/share/model/SR1"
REFERENCE = ORACLE / "choreonoid+choreonoid/share/model/SR1"
PAGE = ROOT / "docs/sr1.md"
ROW = re.compile(r"^\| (\d+) \| `(.+?)` \| ", re.MULTILINE)
SLIP = "RARM_ELBOW"

pytestmark = pytest.mark.usefixtures("shared")


def rows(part: int) -> list[tuple[str, int]]:
    """The rows of the page's first or second table: a line with stars, and how often it occurs."""
    text = re.split(r"^## ", PAGE.read_text("utf-8"), flags=re.MULTILINE)[part]
    return [(pattern, int(count)) for count, pattern in ROW.findall(text)]


def difference(folder: Path, capsys: pytest.CaptureFixture[str], *options: str) -> list[str]:
    """The lines that the page's two commands print."""
    target = str(folder / "SR1.urdf")
    assert main(["convert", "--srdf", "none", *options, str(FOLDER / "SR1.body"), target]) == 0
    capsys.readouterr()
    assert main(["diff", "--format", "lines", target, str(FOLDER / "SR1.urdf")]) == 1
    return capsys.readouterr().out.splitlines()


def counted(lines: list[str], known: list[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """How many lines each row explains; each line falls under just one of them."""
    patterns = [(p, re.compile(re.escape(p).replace(r"\*", ".*"))) for p, _ in known]
    found: Counter[str] = Counter()
    for line in lines:
        fitting = [p for p, pattern in patterns if pattern.fullmatch(line)]
        assert len(fitting) == 1, f"{line}: explained by {fitting}"
        found[fitting[0]] += 1
    return ((p, found[p]) for p, _ in known)


def test_every_line_is_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plainly = difference(tmp_path / "plain", capsys, "--plain")
    first = rows(0)
    assert dict(counted(plainly, first)) == dict(first)
    assert f"prints {len(plainly)} lines" in PAGE.read_text("utf-8")
    wholly = difference(tmp_path / "whole", capsys)
    others = [line for line in wholly if line not in plainly]
    second = rows(1)
    assert dict(counted(others, second)) == dict(second)
    page = PAGE.read_text("utf-8")
    assert f"prints {len(wholly)} lines" in page
    assert f"{len(wholly) - len(others)} are lines of the table above" in page


def test_what_is_carried_is_read_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wholly = difference(tmp_path, capsys)
    assert main(["diff", "--format", "lines", str(FOLDER / "SR1.body"), str(FOLDER / "SR1.urdf")]) == 1
    assert capsys.readouterr().out.splitlines() == wholly


def test_reasons_hold() -> None:
    """What the page says of the two files, and of Choreonoid's own reading of them."""
    body, urdf = (ub.load(FOLDER / f"SR1.{x}") for x in ("body", "urdf"))
    assert (len(body.links), len(body.joints)) == (30, 29)
    assert [body.joint(j.name).number for j in urdf.joints] == list(range(29))
    for link in body.links:
        # turned shapes are cylinders, whose ends are alike
        for a, b in zip(link.visuals, urdf.link(link.name).visuals, strict=False):
            if a.pose.quat == b.pose.quat:
                continue
            assert isinstance(a.geometry, Cylinder)
            assert a.geometry == b.geometry
            axes = [np.array(x.pose.rotation())[:, 2] for x in (a, b)]
            cosine = abs(float(axes[0] @ axes[1]))
            assert np.degrees(np.arccos(min(1.0, cosine))) < 0.066
    text = (FOLDER / "SR1.urdf").read_text("utf-8")
    assert 'rpy="1.57 0.0 1.57"' in text
    assert text.count('velocity="0.0"') == 1
    if not REFERENCE.is_dir():
        return
    loaded = json.loads((REFERENCE / "SR1.urdf.json").read_text("utf-8"))["links"]
    slow = [x["name"] for x in loaded if x["joint_type"] == "revolute" and x["dq_upper"] == 0]
    assert slow == [SLIP]
    assert [x["joint_id"] for x in loaded if x["name"] == "CHEST"] == [28]
