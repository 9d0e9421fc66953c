"""Poses out of the page and into it, and where a link is, in a browser."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from tests.view.browsing import call, complaints, poses, press, show, text, texts
from tools.chromium import Page

import unibody as ub
from unibody.cli.main import main
from unibody.mechanism import assemble
from unibody.model.joint_kind import JointKind
from unibody.model.pose import Pose, from_rpy
from unibody.model.robot import Joint, Limits, Link, Robot

# What is copied, instead of the clipboard of the machine.
LISTEN = "navigator.clipboard.writeText = async text => void (window.copied = text)"


def push(page: Page, label: str) -> None:
    """Press a button of the dialog."""
    buttons = "[...document.querySelectorAll('.poses-sheet button')]"
    page.eval(f"{buttons}.find(button => button.textContent === '{label}').click()")


def copied(page: Page, notation: str) -> str:
    """The pose as the dialog copies it."""
    if not page.eval("document.querySelector('.poses-sheet').open"):
        page.key("q", 81, "q")
    page.eval(LISTEN)
    press(page, f".poses-sheet [data-choice={notation}]")
    page.eval(
        "[...document.querySelectorAll('.poses-sheet button')].find(b => b.textContent === 'Copy').click()"
    )
    page.wait("window.copied")
    found: str = page.eval("window.copied")
    return found


def paste(page: Page, words: str) -> str:
    """Paste a text while nothing is edited; what the page says."""
    page.eval("document.activeElement.blur()")
    page.eval(
        f"(data => {{ data.setData('text/plain', {json.dumps(words)});"
        "document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, cancelable: true })); })"
        "(new DataTransfer())"
    )
    page.settle()
    return text(page, ".toast")


def fk(capsys: pytest.CaptureFixture[str], path: Path | str, words: str) -> dict[str, Any]:
    """What unibody fk prints."""
    capsys.readouterr()
    main(["fk", str(path), "--json", *shlex.split(words)])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.slow
def test_copied_poses_are_those_of_the_library(
    page: Page, biped: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    robot = ub.load(biped)
    m = assemble(robot)
    show(page, tmp_path, robot)
    call(page, "move", "RLEG_KNEE", 1 / 3)
    call(page, "move", "LARM_ELBOW", -0.7)
    call(page, "move", "base", 0.1, 0.2, 0.9, 0.5, 0.5, -0.5, 0.5)
    drawn = poses(page)
    loaders: dict[str, Callable[[str], Any]] = {"yaml": yaml.safe_load, "json": json.loads}
    for notation, load in loaders.items():
        assert np.abs(m.forward_kinematics(load(copied(page, notation))) - drawn).max() < 1e-9
    words = copied(page, "set")
    assert words.count("--set") == 3
    printed = fk(capsys, biped, words)["links"]
    for name, pose in zip(call(page, "links"), drawn, strict=True):
        assert np.abs(np.array(printed[name]["matrix"]) - pose).max() < 1e-9
    # Pasted, it is the same pose.
    call(page, "run", "pose.initial")
    assert paste(page, words) == "Pose pasted."
    assert np.abs(poses(page) - drawn).max() == 0.0
    assert paste(page, "RLEG_KNEE: 30deg\nNOBODY: 1") == "The robot has no joint NOBODY."
    assert np.abs(poses(page) - drawn).max() == 0.0
    assert complaints(page) == []


@pytest.mark.slow
def test_the_normalized_vector_is_that_of_the_library(
    page: Page, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    links = tuple(Link(name=name) for name in ("base", "arm", "hand", "tip"))
    limits = (Limits(position=(-1.0, 2.0)), Limits(), Limits(position=(0.1, 0.4)))
    kinds: tuple[JointKind, ...] = ("revolute", "revolute", "prismatic")
    joints = tuple(
        Joint(name=f"j{i}", kind=kind, parent=links[i].name, child=links[i + 1].name, limits=limit,
              origin=Pose(xyz=(0.5, 0.0, 0.0)), initial=0.2)
        for i, (kind, limit) in enumerate(zip(kinds, limits, strict=True))
    )  # fmt: skip
    robot = Robot(name="arm", links=links, joints=joints, base="fixed")
    show(page, tmp_path, robot)
    for joint, value in (("j0", 1.7), ("j1", -2.5), ("j2", 0.13)):
        call(page, "move", joint, value)
    t = [float(word) for word in copied(page, "t").split()]
    space = assemble(robot).normalized_space
    assert t == pytest.approx(space.from_joints({"j0": 1.7, "j1": -2.5, "j2": 0.13}).tolist(), abs=1e-15)
    ub.save(robot, tmp_path / "arm.urdf")
    printed = fk(capsys, tmp_path / "arm.urdf", f"--t '{copied(page, 't')}'")["links"]["tip"]["matrix"]
    assert np.abs(np.array(printed) - np.array(call(page, "linkPose", "tip")).reshape(4, 4)).max() < 1e-9


def test_poses_with_names(page: Page, biped: str, tmp_path: Path) -> None:
    show(page, tmp_path, ub.load(biped))
    call(page, "move", "RLEG_KNEE", 0.8)
    bent = poses(page)
    page.key("q", 81, "q")
    page.eval("document.querySelector('.pose-name').focus()")
    page.call("Input.insertText", text="bent: 50%")
    page.eval(
        "[...document.querySelectorAll('.poses-sheet button')].find(b => b.textContent === 'Keep').click()"
    )
    press(page, ".poses-sheet .close")
    assert "bent: 50%" in texts(page, "select.poses option")
    assert not texts(page, ".save-pose")
    call(page, "run", "pose.initial")
    address = call(page, "address")
    page.open("about:blank")
    page.open(address)
    page.wait("window.unibody && window.unibody.status === 'ready'")
    take = "(menu => { menu.value = 'bent: 50%'; menu.dispatchEvent(new Event('change')); })"
    page.eval(f"{take}(document.querySelector('.poses'))")
    assert np.abs(poses(page) - bent).max() == 0.0
    for _ in range(2):
        call(page, "run", "undo")
    assert "bent: 50%" in texts(page, "select.poses option")
    assert complaints(page) == []


@pytest.mark.slow
def test_numbers_of_the_selection(
    page: Page, biped: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    show(page, tmp_path, ub.load(biped))
    page.eval(LISTEN)
    call(page, "select", "RARM_ELBOW")
    before = texts(page, "[data-numbers=xyz] span")
    call(page, "move", "RARM_SHOULDER_P", -0.5)
    call(page, "move", "CHEST", 0.3)
    page.settle()
    assert texts(page, "[data-numbers=xyz] span") != before
    pick = "(s => { s.value = [...s.options].find(o => o.text === 'LLEG_KNEE').value;"
    page.eval(f"{pick} s.dispatchEvent(new Event('change')); }})(document.querySelector('.reference'))")
    press(page, ".numbers [data-choice=quaternion]")
    press(page, ".copy-numbers")
    page.wait("window.copied")
    numbers = yaml.safe_load(page.eval("window.copied"))
    words = "--set RARM_SHOULDER_P=-0.5 --set CHEST=0.3 --in LLEG_KNEE --link RARM_ELBOW"
    printed = fk(capsys, biped, words)["links"]["RARM_ELBOW"]
    assert numbers["xyz"] == pytest.approx(printed["xyz"], abs=1e-9)
    assert abs(np.dot(numbers["quat"], printed["quat"])) == pytest.approx(1.0, abs=1e-12)
    # As roll, pitch and yaw, and in the address.
    press(page, ".numbers [data-choice=rpy]")
    page.eval("window.copied = null")
    press(page, ".copy-numbers")
    page.wait("window.copied")
    turned = yaml.safe_load(page.eval("window.copied"))
    assert abs(np.dot(from_rpy(*turned["rpy"]), printed["quat"])) == pytest.approx(1.0, abs=1e-12)
    assert "in=LLEG_KNEE" in call(page, "address")
