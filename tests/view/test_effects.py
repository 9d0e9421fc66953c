"""Findings by what they change, differences by what they matter for; a click zooms."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.view.browsing import TESTS, call, complaints, press, show, show_all, stage, texts
from tests.view.test_focus import cubes, pixels
from tests.view.test_history import undo
from tools.chromium import Page

from unibody.checks.rules import rules
from unibody.model.inertia import Inertial
from unibody.model.metadata import ASPECTS
from unibody.model.pose import Pose
from unibody.model.robot import Joint, Link, Robot
from unibody.model.shape import Box, Material, Shape
from unibody.page.data import Origin, Shown
from unibody.page.effects import EFFECTS, effect_of
from unibody.text.finding import Finding


def test_every_rule_about_the_robot_has_an_effect() -> None:
    def effect(code: str, subject: str = "") -> str:
        return effect_of(Finding(code, "warning", "x", subject=subject))

    expected = {
        "mesh-empty": "picture",
        "up-axis-ignored": "picture",
        "file-missing": "picture",
        "axis-zero": "motion",
        "limits-reversed": "motion",
        "cannot-assemble": "motion",
        "inertia-triangle": "mass",
        "massless": "mass",
        "collision-scale": "contact",
        "posture-collides": "contact",
        "simulation-stiffness": "control",
        "yaml-syntax": "text",
    }
    assert {code: effect(code) for code in expected} == expected
    known = set(rules())
    assert set(expected) <= known
    # What a format's own rule is about is told by the fact.
    assert effect("not-a-choice", "joints/KNEE/kind") == "motion"
    assert effect("not-a-choice", "links/HAND/visuals/0/material/diffuse") == "picture"
    assert effect("not-a-choice", "links/HAND") == "text"


def test_the_page_has_the_same_words() -> None:
    model = (TESTS.parent / "viewer/src/model.ts").read_text()
    for name, words in (("EFFECTS", EFFECTS), ("ASPECTS", ASPECTS)):
        listed = re.search(rf"export const {name} = \[(.*?)\]", model, re.DOTALL)
        assert listed is not None
        assert tuple(re.findall(r"\w+", listed[1])) == words


@pytest.mark.slow
def test_findings_are_ordered_by_effect_and_a_click_zooms(page: Page, tmp_path: Path) -> None:
    findings = [
        Finding("unknown-key", "warning", "a key"),
        Finding("mass-zero", "warning", "a mass", subject="links/blue"),
        Finding("limits-equal", "warning", "limits", subject="joints/red"),
        Finding("mesh-degenerate", "warning", "a mesh", subject="links/green"),
        Finding("number-count", "error", "numbers"),
    ]
    show(page, tmp_path, cubes(), findings)
    call(page, "move", "red", 0.6)
    call(page, "move", "green", 0.7)
    call(page, "show", "grid", False)
    call(page, "look", 1, 0, 0)
    assert texts(page, ".findings .message") == ["numbers", "a mesh", "limits", "a mass", "a key"]
    assert texts(page, ".findings .effect") == [
        "changes the picture",
        "changes the motion",
        "changes masses",
    ]
    first, eye = pixels(page), call(page, "eye")
    press(page, ".findings li:nth-child(2) button")
    assert call(page, "selected") == "green"
    assert page.eval("unibody.eye()[4]") == pytest.approx(0.7, abs=1e-6)
    call(page, "select", None)
    zoomed = pixels(page)
    assert zoomed["green"] > 4 * first["green"]
    assert zoomed["red"] < 50
    # The click was one step.
    undo(page)
    undo(page)
    assert call(page, "eye") == pytest.approx(eye, abs=1e-9)
    assert call(page, "selected") is None
    assert complaints(page) == []


def compared() -> tuple[Robot, Robot]:
    """Two arms that differ in an axis, in a mass, and in the color of every link."""

    def arm(color: tuple[float, float, float]) -> Robot:
        look = Material(diffuse=color)
        box = Shape(geometry=Box(size=(0.1, 0.16, 0.3)), material=look)
        links = tuple(Link(name=f"part_{k}", visuals=(box,), inertial=Inertial(mass=1.0)) for k in range(6))
        above = Pose(xyz=(0.0, 0.0, 0.35))
        joints = tuple(
            Joint(
                name=f"turn_{k}", kind="revolute", parent=f"part_{k - 1}", child=f"part_{k}", origin=above
            )
            for k in range(1, 6)
        )
        return Robot(name="arm", links=links, joints=joints, base="fixed")

    a, b = arm((1.0, 0.0, 0.0)), arm((0.9, 0.0, 0.0))
    joints = (replace(b.joints[0], axis=(0.0, 1.0, 0.0)), *b.joints[1:])
    heavy = replace(b.links[2], inertial=Inertial(mass=3.0))
    return a, replace(b, joints=joints, links=(*b.links[:2], heavy, *b.links[3:]))


def test_differences_are_in_categories_and_robots_seen_from_one_angle(page: Page, tmp_path: Path) -> None:
    shown = [Shown(robot=robot, origin=Origin(file=f"{k}.urdf")) for k, robot in enumerate(compared())]
    show_all(page, tmp_path, shown)
    assert texts(page, ".differences .category > summary .name") == ["Motion", "Mass", "Looks"]
    assert texts(page, ".differences .category > summary .kind") == ["1", "1", "6"]
    # The six colors are one row.
    assert texts(page, ".differences .finding > .path") == [
        "turn_1joint › axis",
        "part_2link › inertial › mass",
        "link › visuals › material › diffuse×6",
    ]
    call(page, "show", "grid", False)
    call(page, "look", 1, 0.5, 0.4)
    red = stage(page)
    isolated = red[..., 0] > 1.6 * np.delete(red, 0, axis=2).max(axis=2) + 30
    columns = np.flatnonzero(isolated.any(axis=0))
    gap = int(columns[np.diff(columns).argmax()])
    halves = [isolated[:, : gap + 1], isolated[:, gap + 1 :]]
    outlines = [np.argwhere(half) for half in halves]
    sizes = [np.ptp(outline, axis=0) for outline in outlines]
    assert np.abs(sizes[0] - sizes[1]).max() <= 1
    a, b = (
        half[o[:, 0].min() :, o[:, 1].min() :][: sizes[0][0], : sizes[0][1]]
        for half, o in zip(halves, outlines, strict=True)
    )
    assert (a != b).mean() < 0.01
    eye = call(page, "eye")
    press(page, ".differences .category:nth-of-type(2) button.finding")
    assert page.eval("[unibody.selected(), unibody.other.selected()]") == ["part_2", "part_2"]
    assert call(page, "eye") != eye
    # Both links are in the middle of the picture.
    undo(page)
    assert call(page, "eye") == pytest.approx(eye, abs=1e-9)
    assert complaints(page) == []
