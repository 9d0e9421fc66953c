"""Written models find their files, and other programs load them: a slice of the corpus.

``python -m tests.convert.written`` goes through all of it outside of pytest, and prints a table.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.convert.written import (
    TARGETS,
    Outcome,
    is_announced,
    models,
    named_files,
    outcomes,
    table,
    wrong,
)
from tests.shared import CORPUS

# Every so many-th file, without those that take longer than ten seconds; the corpus may not be here.
FILES = [p for p in models()[5::15] if not p.exists() or p.stat().st_size < 300_000]


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("path", FILES, ids=[str(p.relative_to(CORPUS)) for p in FILES])
@pytest.mark.filterwarnings("ignore")
def test_other_programs_load_what_is_written(path: Path) -> None:
    found = list(outcomes(path))
    assert len(found) == 2 * len(TARGETS)
    assert [f"{x.target}: {problem}" for x in found for problem in wrong(x)] == []


def test_named_files_follow_the_rules_of_the_format(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text(
        '<mujoco><compiler assetdir="all" texturedir="looks" strippath="true"/><asset>'
        '<texture file="x/a.png" fileup="b.png"/><mesh file="c.stl"/></asset></mujoco>'
    )
    assert named_files(path) == [
        ("c.stl", tmp_path / "all/c.stl"),
        ("x/a.png", tmp_path / "looks/a.png"),
        ("b.png", tmp_path / "looks/b.png"),
    ]
    path = tmp_path / "a.urdf"
    path.write_text(
        '<robot><mesh filename="m/a.stl"/><mesh filename="package://p/b.stl"/><!-- filename="c" -->'
        "<unibody>[]</unibody></robot>"
    )
    assert named_files(path) == [("m/a.stl", tmp_path / "m/a.stl"), ("package://p/b.stl", None)]


def test_the_table() -> None:
    found = [Outcome("a.body", "body", "mjcf", True, refused="inertial-rejected")]
    found.append(Outcome("b.body", "body", "mjcf", True, ended="60 s are over"))
    found.append(
        Outcome("c.body", "body", "mjcf", True, files=2, loaded=["MuJoCo"], problems=["names 'a'"])
    )
    found.append(Outcome("d.body", "body", "mjcf", True, refusals={"MuJoCo": "Error: size of geom 'g'"}))
    found[-1].findings.append(("size", "", "size of geom 'g' must be positive"))
    assert table(found).splitlines()[-2:] == [
        "| body | mjcf | 2 | 1 | 1 | 2 | MuJoCo 1 | MuJoCo 1 | 1 |",
        "| all | | 2 | 1 | 1 | 2 | MuJoCo 1 | MuJoCo 1 | 1 |",
    ]


@pytest.mark.parametrize(
    ("program", "said", "finding"),
    [
        (
            "Pinocchio",
            "Error: joint [j]: limit has no effort",
            ("limit-incomplete", "", "joint 'j': <limit> …"),
        ),
        (
            "Pinocchio",
            "Mesh ../x/no.dae could not be found.",
            ("file-missing", "a/no.dae", "'a/no.dae' is missing"),
        ),
        (
            "PyBullet",
            "Could not parse visual element for Link: b",
            ("geometry-count", "", "link 'b': visual …"),
        ),
        (
            "PyBullet",
            "Visual material must contain a name attribute. Could not parse visual element for Link: b",
            ("material-unnamed", "", "link 'b': visual: unnamed material; PyBullet rejects the file"),
        ),
        (
            "PyBullet",
            "loaded without a mesh: cannot extract mesh from 'x/t.stl'",
            ("mesh-text", "x/t.stl", "x/t.stl is a text STL file; PyBullet leaves its shapes out"),
        ),
        (
            "yourdfpy",
            "ValueError: Unknown tag: capsule in _parse_geometry",
            ("newer-version", "", "capsule (2 times) …; yourdfpy rejects the file"),
        ),
        ("yourdfpy", "IndexError: out of range in _parse_geometry", ("geometry-count", "", "link 'b': …")),
    ],
)
def test_only_a_finding_about_the_same_announces_a_refusal(
    program: str, said: str, finding: tuple[str, str, str]
) -> None:
    outcome = Outcome("a.urdf", "urdf", "urdf", False, refusals={program: said}, findings=[finding])
    assert is_announced(outcome, program)
    outcome.findings = [("mass-zero", "links/b/inertial/mass", "link 'b' has zero mass; joint 'j'")]
    assert not is_announced(outcome, program)
    if program != "yourdfpy":  # it names no element
        outcome.findings = [(finding[0], "", "another 'thing': visual, limit, file")]
        assert not is_announced(outcome, program)
