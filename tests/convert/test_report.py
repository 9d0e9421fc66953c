"""The report of a conversion, as a person reads it."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from tests.convert.models import ROOT

import unibody as ub
from unibody.conversion.description import change_lines, describe
from unibody.model.facts import diff

MODELS = ROOT / "tests/commands/models"
CRANE, ARM = MODELS / "crane.body", MODELS / "six_axis.urdf"
# Class names of the model are no words for a person.
CLASS = re.compile(r"\b(?:Extra|Shape|Device|Material|Node|Link|Joint|Coupling|MeshFile|Group)\b")


def converted(source: Path, folder: Path, suffix: str) -> ub.Report:
    return ub.convert(source, folder / f"out{suffix}")


def test_what_other_programs_ignore_is_named(tmp_path: Path) -> None:
    report = converted(CRANE, tmp_path, ".urdf")
    assert [x.path for x in report.extensions] == ["devices/YARD", "devices/TIP", "loops/loop0"]
    assert all(x.carried for x in report.extensions)
    assert "lost for other programs: 1 loop, " in report.headline()
    text = report.text()
    assert "loops, carried in an extension: written as <constraint>" in text
    assert "    loop0 (line 72)\n" in text
    assert not report.lost
    # A file of the same format had the elements before.
    assert not ub.convert(tmp_path / "out.urdf", tmp_path / "again.urdf").extensions
    # The dialect was chosen for the program that reads it.
    other = ub.convert(CRANE, tmp_path / "isaac.urdf", loops="loop_joint")
    assert [x.path for x in other.extensions] == ["devices/YARD", "devices/TIP"]


def test_elements_are_counted_and_have_lines(tmp_path: Path) -> None:
    report = converted(ARM, tmp_path, ".body")
    assert "6 <transmission> elements, 2 <gazebo> elements" in report.headline()
    lines = ARM.read_text("utf-8").splitlines()
    for tag in ("transmission", "gazebo"):
        places = [str(k) for k, line in enumerate(lines, 1) if line.startswith(f"  <{tag}")]
        assert f"    <{tag}>: lines {', '.join(places)}\n" in report.text()


@pytest.mark.parametrize(
    ("source", "suffix"), [(CRANE, ".urdf"), (ARM, ".body"), (ARM, ".wrl"), (CRANE, ".rob")]
)
def test_no_class_names(source: Path, suffix: str, tmp_path: Path) -> None:
    report = converted(source, tmp_path, suffix)
    # A Joint is a node of OpenHRP, which its reasons name.
    text = "\n".join(line for line in report.text().splitlines() if " a Joint is " not in line)
    assert not CLASS.search(text), CLASS.findall(text)
    assert not CLASS.search("\n".join(str(x.difference) for x in report.losses))


def test_every_loss_is_a_row_of_the_table(tmp_path: Path) -> None:
    report = converted(CRANE, tmp_path, ".urdf")
    rows = list(csv.DictReader(io.StringIO(report.csv())))
    assert [r["path"] for r in rows] == [x.path for x in (*report.losses, *report.extensions)]
    data = report.json()
    assert len(data["losses"]) == len(report.losses)
    assert [x["what"] for x in data["extensions"]] == ["cameras and scanners"] * 2 + ["loops"]


def test_the_folded_text_is_shorter(tmp_path: Path) -> None:
    report = converted(ROOT / "src/unibody/models/biped.body", tmp_path, ".urdf")
    assert "… and" in report.text(folded=True)
    assert "… and" not in report.text()
    assert len(report.text(folded=True)) < len(report.text()) * 0.6


def test_additions_are_no_losses(tmp_path: Path) -> None:
    report = converted(ROOT / "src/unibody/models/biped.urdf", tmp_path, ".body")
    lost, _, added = report.headline().partition("; added: ")
    assert lost.endswith("; lost for other programs: cosmetics (names of materials ×43) only")
    free = "base not stated: written as free (--base fixed changes it)"
    assert added == f"fixed or free base, joints without id ×23; {free}"


def test_groups_of_changes() -> None:
    """Equal changes share a line; of several values each stands beside its element."""
    a = ub.loads(ARM.read_text("utf-8"), format="urdf")
    text = ARM.read_text("utf-8").replace('effort="150"', 'effort="90"')
    same = diff(a, ub.loads(text, format="urdf"))
    assert change_lines([d for x in same for d in describe(x)]) == [
        "limits/effort ±150 → ±90: shoulder_pan_joint, shoulder_lift_joint, elbow_joint"
    ]
    count = 0

    def numbered(_: re.Match[str]) -> str:
        nonlocal count
        count += 1
        return f'mass value="{count}"'

    text = re.sub(r'mass value="[^"]*"', numbered, ARM.read_text("utf-8"))
    several = [d for d in diff(a, ub.loads(text, format="urdf")) if d.path.endswith("/mass")]
    found = change_lines([d for x in several for d in describe(x)])
    assert len(found) == len(several) == 6
    several += [d for d in same if d.path.endswith("/effort")]
    found = change_lines([d for x in several for d in describe(x)])
    assert found[0].startswith("inertial/mass: shoulder 3.7 → 1, upper_arm 8.4 → 2, ")
