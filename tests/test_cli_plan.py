"""MPK's normalized configuration in the command: --t, and the verb plan-info."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.shared import DEV

import unibody as ub
from unibody.cli.main import main
from unibody.meshes import link_surfaces

ROOT = Path(__file__).resolve().parents[1]
ARM = str(ROOT / "src/unibody/models/arm.rob")
BIPED = str(ROOT / "src/unibody/models/biped.body")
GRIPPER = str(ROOT / "tests/commands/models/gripper.urdf")
SWEPT = sorted((DEV).glob("**/*.rob"))


def said(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    main([*words, "--json"])
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.parametrize("path", [ARM, GRIPPER, BIPED])
def test_t_places_any_robot(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    mechanism = ub.assemble(ub.load(path))
    space = mechanism.normalized_space
    t = np.random.default_rng(0).uniform(size=space.n)
    found = said(capsys, "fk", path, "--t", ",".join(map(str, t.tolist())))
    poses = mechanism.forward_kinematics(space.to_joints(t))
    links = found["links"]
    assert isinstance(links, dict)
    for name, pose in zip(mechanism.link_names, poses, strict=True):
        np.testing.assert_allclose(links[name]["matrix"], pose, atol=1e-12)
    np.testing.assert_allclose(np.array(found["t"], float), t, atol=1e-12)


def test_ik_gives_t_that_fk_confirms(capsys: pytest.CaptureFixture[str]) -> None:
    found = said(capsys, "ik", ARM, "Tip", "--place", "0.3,0.1,0.4")
    t = found["t"]
    assert isinstance(t, list)
    links = said(capsys, "fk", ARM, "--t", " ".join(map(str, t)))["links"]
    assert isinstance(links, dict)
    assert links["Tip"]["xyz"] == pytest.approx([0.3, 0.1, 0.4], abs=1e-5)
    # a model without coordinates is asked in its own terms only
    assert "t" not in said(capsys, "ik", BIPED, "LARM_ELBOW", "--place", "0.2,0.3,1.0")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("fk", ARM, "--t", "0.5"), "6 numbers"),
        (("fk", ARM, "--t", "9=0.5"), "unknown coordinate '9'"),
        (("ik", ARM, "Tip", "--place", "0,0,0", "--t", "1=x"), "from 0 to 1"),
        (("fk", ARM, "--t", "1=1.5"), "from 0 to 1"),
        (("plan-info", GRIPPER, str(ROOT / "tests/commands/models/reach.pln")), "6 numbers in a line"),
    ],
)
def test_wrong_usage_is_told(
    words: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(list(words)) == 2
    assert message in capsys.readouterr().err


def test_a_missing_plan_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan-info", ARM, "nowhere.pln"]) != 0
    assert "nowhere.pln" in capsys.readouterr().err


def test_followers_move_with_their_leaders(capsys: pytest.CaptureFixture[str]) -> None:
    found = said(capsys, "plan-info", GRIPPER)["coordinates"]
    assert isinstance(found, list)
    assert [c["links"] for c in found] == [["left_finger", "right_finger"]]


def check_travel(path: str, coordinates: list[dict[str, object]]) -> None:
    """No point of the collision shapes moves farther than it is said to."""
    robot = ub.load(path)
    mechanism = ub.assemble(robot)
    space = mechanism.normalized_space
    start = space.from_joints(mechanism.initial)
    for k, coordinate in enumerate(coordinates):
        t = np.tile(start, (65, 1))
        t[:, k] = np.linspace(0.0, 1.0, 65)
        poses = np.asarray(mechanism.forward_kinematics(space.to_joints(t)))
        longest = 0.0
        moved = set()
        for n, link in enumerate(mechanism.link_names):
            if np.abs(np.diff(poses[:, n], axis=0)).max(initial=0.0) > 1e-9:
                moved.add(link)
            for surface in link_surfaces(robot, link, "collision"):
                points = surface.vertices[:: max(1, len(surface.vertices) // 50)]
                at = np.einsum("kij,pj->kpi", poses[:, n, :3, :3], points) + poses[:, n, None, :3, 3]
                longest = max(longest, np.linalg.norm(np.diff(at, axis=0), axis=2).sum(axis=0).max())
        assert longest <= float(str(coordinate["travel"])) + 1e-9
        links = coordinate["links"]
        assert isinstance(links, list)
        assert moved <= set(links)


@pytest.mark.parametrize("path", [ARM, GRIPPER])
def test_travel_is_a_bound(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = said(capsys, "plan-info", path)["coordinates"]
    assert isinstance(found, list)
    check_travel(path, found)


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
def test_robots_of_the_corpus(capsys: pytest.CaptureFixture[str]) -> None:
    shown = 0
    for path in SWEPT:
        reading = ub.read(path)
        if reading.robot is None or not reading.ok:
            continue
        found = said(capsys, "plan-info", str(path))["coordinates"]
        assert isinstance(found, list)
        assert [c["index"] for c in found] == sorted(c.index for c in reading.robot.coordinates)
        check_travel(str(path), found)
        shown += 1
    assert shown
