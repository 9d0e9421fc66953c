"""The verbs ik, workspace and mass."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from unibody.cli.main import main

BIPED = str(Path(__file__).resolve().parents[1] / "src/unibody/models/biped.body")


def said(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> dict[str, object]:
    assert main([*words, "--json"]) == code
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_ik_gives_positions_that_fk_confirms(capsys: pytest.CaptureFixture[str]) -> None:
    found = said(capsys, "ik", BIPED, "LARM_ELBOW", "--place", "0.2,0.3,1.0")
    assert found["converged"]
    sets = [f"--set={k}={v}" for k, v in found["q"].items() if not isinstance(v, list)]  # type: ignore[attr-defined]
    poses = said(capsys, "fk", BIPED, *sets)
    assert poses["links"]["LARM_ELBOW"]["xyz"] == pytest.approx([0.2, 0.3, 1.0], abs=1e-5)  # type: ignore[index]


def test_ik_keeps_a_free_base_unless_told(capsys: pytest.CaptureFixture[str]) -> None:
    far = ("ik", BIPED, "LARM_ELBOW", "--place", "2,0,1")
    assert said(capsys, *far, "--restarts", "1", code=1)["why"] == "out of reach"
    assert said(capsys, *far, "--move-base")["converged"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("ik", BIPED, "WAIST"), "--place --rpy is required"),
        (("ik", BIPED, "WAIST", "--place", "nan,0,0"), "expected X,Y,Z"),
        (("ik", BIPED, "NOSE", "--place", "0,0,0"), "NOSE"),
        (("ik", BIPED, "WAIST", "--place", "0,0,0", "--lock", "NOSE"), "NOSE"),
        (("workspace", BIPED, "NOSE"), "NOSE"),
        (("workspace", BIPED, "WAIST", "--samples", "0"), "--samples"),
    ],
)
def test_wrong_usage_is_told(
    words: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(list(words)) == 2
    assert message in capsys.readouterr().err


def test_a_workspace_is_written_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, array = tmp_path / "p.csv", tmp_path / "p.npy"
    words = ["workspace", BIPED, "LARM_ELBOW", "--samples", "50", "--csv", str(table), "--npy", str(array)]
    assert main(words) == 0
    points = np.load(array)
    assert points.shape == (50, 3)
    assert (np.loadtxt(table, delimiter=",", skiprows=1) == points).all()
    assert main(words) == 2
    assert "--overwrite" in capsys.readouterr().err
    assert main([*words, "--overwrite"]) == 0


def test_a_workspace_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    path = tmp_path / "p.png"
    assert main(["workspace", BIPED, "LARM_ELBOW", "--samples", "50", "--plot", str(path)]) == 0
    assert path.read_bytes().startswith(b"\x89PNG")
    assert (
        main(["workspace", BIPED, "LARM_ELBOW", "--samples", "50", "--plot", str(tmp_path / "p.gif")]) == 2
    )
    assert ".svg" in capsys.readouterr().err


def test_masses_add_up(capsys: pytest.CaptureFixture[str]) -> None:
    found = said(capsys, "mass", BIPED)
    links = found["links"]
    assert found["mass"] == pytest.approx(sum(link["mass"] for link in links.values()))  # type: ignore[attr-defined]
    inertia = np.array(found["inertia"])
    assert (np.linalg.eigvalsh(inertia) > 0.0).all()
    assert np.array(found["matrix"]).shape == (29, 29)
