"""The page without a pointer: every command has a key or a control, every control is reached with Tab."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.view.browsing import call, complaints, focus, ready, show, show_all, texts
from tools.chromium import Page

import unibody as ub
from unibody.cli.main import main
from unibody.page.data import Extras, Origin, Shown

# What DevTools wants to know of a key: its virtual code; and the bits of modifiers.
CODES = {
    "Enter": 13, "Escape": 27, " ": 32, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40,
}  # fmt: skip
MODIFIERS = {"Alt": 1, "Ctrl": 2, "Shift": 8}
# Commands that need something done before they can be run.
BEFORE = {"focus.show": "focus.hide", "redo": "undo"}
# In the list of poses above the joints.
LISTED = {"pose.zero": "All at zero", "pose.random": "Random pose"}
MOST_STOPS = 500
# Controls that are seen; of a tree or a grid only the present cell is a stop.
CONTROLS = """[...document.querySelectorAll(
    "button, select, input, textarea, summary, a[href], [role=treeitem], [role=gridcell], [tabindex]")]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.disabled)
  .filter((each) => each.tabIndex >= 0)"""
# Marks where the focus is; "end" beyond the last control, "seen" where it has been.
STOP = """(e => e === document.body ? "end" : e.dataset.stop ? "seen" : (e.dataset.stop = "new"))(
  document.activeElement)"""
MODEL = """<mujoco model="two">
  <worldbody>
    <body name="arm"><joint name="turn" axis="0 1 0" range="-60 60"/>
      <geom name="seen" group="1" type="capsule" size="0.04 0.2" mass="1"/>
      <geom name="hit" group="0" type="box" size="0.05 0.05 0.2" mass="1"/>
      <site name="tip" pos="0 0 0.2" size="0.02"/>
    </body>
  </worldbody>
</mujoco>
"""


def press(page: Page, key: str) -> None:
    """Press a key as commands name it, with its modifiers."""
    *held, last = [key] if len(key) == 1 else key.split("+")
    code = CODES[last] if last in CODES else ord(last) if last.isalnum() else 0
    text = "" if held or len(last) > 1 else last.lower()
    for kind in ("keyDown", "keyUp"):
        page.call(
            "Input.dispatchKeyEvent",
            type=kind,
            key=last if len(last) > 1 or "Shift" in held else last.lower(),
            windowsVirtualKeyCode=code,
            modifiers=sum(MODIFIERS[each] for each in held),
            **({"text": text} if text and kind == "keyDown" else {}),
        )


def ran(page: Page, name: str, key: str) -> bool:
    """Whether a key runs a command, with a link selected and the focus in the scene."""
    call(page, "run", "fit" if name != "fit" else "theme")
    call(page, "select", call(page, "links")[-1])
    if name in BEFORE:
        call(page, "run", BEFORE[name])
    focus(page, "canvas")
    press(page, key)
    return bool(page.eval("window.unibody.ran") == name)


def stops(page: Page) -> int:
    """Walk through the page with Tab; mark where the focus stops, return how often."""
    page.eval("document.querySelectorAll('[data-stop]').forEach(e => delete e.dataset.stop)")
    for count in range(MOST_STOPS):
        page.key("Tab", 9)
        if page.eval(STOP) == "seen":
            return count
    return MOST_STOPS


def missed(page: Page) -> list[str]:
    """The controls that Tab does not reach."""
    found: list[str] = page.eval(
        f"{CONTROLS}.filter(e => !e.dataset.stop).map(e => e.outerHTML.slice(0, 120))"
    )
    return found


def keyless(page: Page) -> set[str]:
    """The commands that have no key; drawers, which only a phone has, left out."""
    names = (name for name in call(page, "commands") if not name.startswith("drawer."))
    return {name for name in names if not call(page, "keys", name)["keys"]}


def test_groups_have_buttons_that_tab_reaches(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "two.xml"
    file.write_text(MODEL, encoding="utf-8")
    show(page, tmp_path, ub.load(file))
    assert {"group.0", "group.1"} <= keyless(page)
    assert 10 < stops(page) < MOST_STOPS
    reached = set(
        page.eval("[...document.querySelectorAll('[data-stop]')].map(e => e.dataset.command ?? '')")
    )
    assert keyless(page) - set(LISTED) <= reached
    assert set(LISTED.values()) <= set(texts(page, ".poses[data-stop] option"))
    assert missed(page) == []


@pytest.mark.slow
def test_every_key_runs_its_command(page: Page, biped: str, tmp_path: Path) -> None:
    motion = tmp_path / "m.csv"
    motion.write_text("time,CHEST\n0,0\n1,0.4\n", encoding="utf-8")
    target = tmp_path / "page.html"
    assert main(["view", biped, "--motion", str(motion), "--html", str(target)]) == 0
    page.open(target.as_uri())
    ready(page)
    names = call(page, "commands")
    assert {"play", "undo", "measure.selection", "pull.up", "pan.left", "pairs", "help"} <= set(names)
    wrong = [
        (name, key)
        for name in names
        for key in call(page, "keys", name)["keys"]
        if not ran(page, name, key)
    ]
    assert wrong == []
    assert complaints(page) == []


@pytest.mark.slow
def test_tab_reaches_every_control_of_cards_and_dialogs(page: Page, biped: str, tmp_path: Path) -> None:
    shown = [Shown(robot=ub.load(biped), findings=(), origin=Origin(file="r.urdf"))]
    show_all(page, tmp_path, shown, Extras())
    call(page, "select", "CHEST")
    for command in ("pairs", "view", "pose.text", "layer.pairs", "drag", "help"):
        call(page, "run", command)
        page.settle()
        assert stops(page) < MOST_STOPS
        assert missed(page) == [], command
        if page.eval("document.querySelector('dialog[open]') !== null"):
            call(page, "run", "clear")


@pytest.mark.slow
def test_measure_pan_and_pull_with_keys(page: Page, biped: str, tmp_path: Path) -> None:
    show(page, tmp_path, ub.load(biped))
    eye = call(page, "eye")
    focus(page, "canvas")
    press(page, "Shift+ArrowRight")
    moved = [b - a for a, b in zip(eye, call(page, "eye"), strict=True)]
    # The eye and its target go the same way.
    assert moved[:3] == pytest.approx(moved[3:], abs=1e-9)
    assert max(map(abs, moved)) > 0.01
    call(page, "select", "RARM_ELBOW")
    press(page, "Enter")
    call(page, "select", "LARM_ELBOW")
    press(page, "Enter")
    page.settle()
    assert "m" in page.eval("document.querySelector('.label.measure').innerText")
    before = call(page, "linkPose", "LARM_ELBOW")
    for _ in range(4):
        press(page, "Alt+ArrowUp")
    page.settle()
    assert call(page, "linkPose", "LARM_ELBOW")[11] > before[11] + 0.005
