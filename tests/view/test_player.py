"""The player, plots against limits, the edges of a search tree, and pictures of the scene, in a browser."""

from __future__ import annotations

import base64
from pathlib import Path

import numpy as np
import pytest
from tests.view.browsing import call, complaints, press, show, stage, texts
from tests.view.png import pixels
from tests.view.test_history import undo
from tools.chromium import Page

import unibody as ub
from unibody.model.pose import Pose
from unibody.model.robot import Joint, Limits, Link, Robot
from unibody.model.shape import Box, Material, Shape
from unibody.motions.motion import motion_of
from unibody.page.cloud import Cloud
from unibody.page.data import Extras

ROWS = 11


def arm() -> Robot:
    """Two red bars, one after the other; the first joint goes from -0.5 to 0.5."""
    look = Material(diffuse=(1.0, 0.0, 0.0))
    bar = Shape(geometry=Box(size=(0.1, 0.1, 0.4)), material=look, pose=Pose(xyz=(0.0, 0.0, 0.2)))
    links = (Link(name="base"), *(Link(name=name, visuals=(bar,)) for name in ("upper", "lower")))
    joints = (
        Joint(
            name="shoulder",
            kind="revolute",
            parent="base",
            child="upper",
            axis=(1.0, 0.0, 0.0),
            limits=Limits(position=(-0.5, 0.5)),
        ),
        Joint(
            name="elbow",
            kind="revolute",
            parent="upper",
            child="lower",
            axis=(1.0, 0.0, 0.0),
            origin=Pose(xyz=(0.0, 0.0, 0.45)),
        ),
    )
    return Robot(name="two bars", links=links, joints=joints, base="fixed")


def moving() -> Extras:
    """In a second, the first joint goes to 0.6, beyond its limit, the other one to 2."""
    mechanism = ub.assemble(arm())
    times = np.linspace(0.0, 1.0, ROWS)
    return Extras(motion=motion_of(mechanism, times[:, None] * [0.6, 2.0], times, name="wave"))


@pytest.mark.slow
def test_steps_and_a_loop(page: Page, tmp_path: Path) -> None:
    show(page, tmp_path, arm(), extras=moving())
    press(page, ".player [data-command='frame.next']")
    page.key(";", 186, ";")
    assert call(page, "position", "shoulder") == pytest.approx(0.12, abs=1e-6)
    call(page, "seek", 0.57)
    page.key(";", 186, ";")
    assert call(page, "position", "elbow") == pytest.approx(1.2, abs=1e-6)
    call(page, "seek", 0.57)
    page.key(",", 188, ",")
    assert call(page, "position", "elbow") == pytest.approx(1.0, abs=1e-6)
    page.key(",", 188, ",")
    assert call(page, "position", "elbow") == pytest.approx(0.8, abs=1e-6)
    press(page, ".player .loop")
    assert "loop=on" in call(page, "address")
    # It begins again at the end, and goes on.
    seen = """new Promise(done => {
        const times = [], rises = (t, k, all) => k && t > all[k - 1];
        const watch = () => {
            times.push(unibody.position('elbow'));
            const back = times.findIndex((t, k) => k && t < times[k - 1] - 0.5);
            back > 0 && times.slice(back).some(rises) ? done(true) : setTimeout(watch, 30);
        };
        unibody.seek(0.9);
        unibody.run('play');
        watch();
    })"""
    assert page.eval(seen)
    call(page, "run", "play")
    press(page, ".player .loop")
    assert "loop=" not in call(page, "address")
    undo(page)
    assert page.eval("document.querySelector('.player .loop').ariaPressed") == "true"
    assert complaints(page) == []


def test_positions_are_plotted_against_limits(page: Page, tmp_path: Path) -> None:
    show(page, tmp_path, arm(), extras=moving())
    assert page.eval("document.querySelector('.run').hidden")
    call(page, "select", "upper")
    assert texts(page, ".joint-plots .name") == ["shoulder · position"]
    heights = page.eval("[...document.querySelectorAll('.run .limit')].map(e => e.getAttribute('y1'))")
    low, high = map(float, heights)
    assert low > high
    # The line begins in the middle of the limits and ends above the upper one.
    line = page.eval("document.querySelector('.run .line').getAttribute('d')").replace("L", "M").split("M")
    first, last = (float(point.split()[1]) for point in (line[1], line[-1]))
    assert first == pytest.approx((low + high) / 2, abs=0.2)
    assert last < high
    assert texts(page, ".run .beyond-note") == ["beyond its limit at 0.90 s"]
    # Another joint is picked, and stays when the selection goes.
    page.eval(
        "(menu => { menu.value = [...menu.options].find(o => o.text === 'elbow').value;"
        " menu.dispatchEvent(new Event('change')); })(document.querySelector('.picker'))"
    )
    assert texts(page, ".joint-plots .name") == ["elbow · position", "shoulder · position"]
    call(page, "select", None)
    assert texts(page, ".joint-plots .name") == ["elbow · position"]
    assert page.eval("document.querySelectorAll('.run .limit').length") == 0
    call(page, "seek", 0.5)
    assert texts(page, ".joint-plots .value") == ["1"]
    press(page, ".joint-plot .close")
    assert page.eval("document.querySelector('.run').hidden")
    assert complaints(page) == []


@pytest.mark.slow
def test_a_search_tree_has_edges(page: Page, tmp_path: Path) -> None:
    points = np.array([[0.2, -0.6, 0.1], [0.2, 0.6, 0.1], [0.2, 0.6, 0.9]])

    def colored(edges: list[list[int]] | None) -> int:
        found = None if edges is None else np.array(edges)
        cloud = Cloud(points=points, frame="lower", samples=3, search=True, edges=found)
        show(page, tmp_path, arm(), extras=Extras(workspace=cloud))
        call(page, "show", "grid", False)
        call(page, "show", "visual", False)
        call(page, "look", 1, 0, 0)
        assert texts(page, "[data-layer=workspace]") == ["Search tree"]
        picture = stage(page)
        return int((np.ptp(picture, axis=2) > 40).sum())

    with_edges = colored([[0, 1], [1, 2]])
    assert with_edges > colored(None) + 300
    # A cut below the last point takes its edge away.
    colored([[0, 1], [1, 2]])
    before = int((np.ptp(stage(page), axis=2) > 40).sum())
    press(page, ".card.workspace [data-choice='2']")
    assert int((np.ptp(stage(page), axis=2) > 40).sum()) < before - 100
    assert complaints(page) == []


TAKE = """new Promise(done => {
    const make = URL.createObjectURL;
    URL.createObjectURL = file => {
        const reader = new FileReader();
        reader.onload = () => done([reader.result, file.type]);
        reader.readAsDataURL(file);
        URL.createObjectURL = make;
        return make(file);
    };
    document.querySelector('[data-command=NAME]').click();
})"""


def taken(page: Page, name: str) -> tuple[bytes, str]:
    """The file that a button saves, and its type."""
    address, kind = page.eval(TAKE.replace("NAME", name))
    return base64.b64decode(address.split(",")[1]), kind


def test_a_picture_is_saved(page: Page, tmp_path: Path) -> None:
    show(page, tmp_path, arm())
    data, kind = taken(page, "picture")
    assert kind == "image/png"
    picture = pixels(data).astype(float)
    width, height = page.eval("(c => [c.width, c.height])(document.querySelector('.stage > canvas'))")
    assert picture.shape[:2] == (height, width)
    red = picture[..., 0] > 1.6 * picture[..., 1:].max(axis=2) + 30
    # As on the screen, without the bars.
    seen = stage(page)
    assert red.sum() == pytest.approx((seen[..., 0] > 1.6 * seen[..., 1:].max(axis=2) + 30).sum(), rel=0.1)
    assert page.eval("document.querySelector('.toast').textContent") == "Saved two_bars.png"
    assert complaints(page) == []


@pytest.mark.slow
def test_a_motion_is_saved_as_an_animation(page: Page, tmp_path: Path) -> None:
    show(page, tmp_path, arm(), extras=moving())
    call(page, "seek", 0.3)
    address = call(page, "address")
    data, kind = taken(page, "gif")
    assert (kind, data[:6]) == ("image/gif", b"GIF89a")
    assert data.count(b"\x21\xf9\x04") == 21
    page.wait("document.querySelector('.toast').textContent.startsWith('Saved')")
    # Nothing has changed, and there is nothing to undo.
    assert call(page, "address") == address
    assert page.eval("document.querySelector('[data-command=undo]').title").startswith("Undo")
    show(page, tmp_path, arm())
    eye = call(page, "eye")
    # Without a motion, the view turns around the robot; once more stops it.
    page.eval("document.querySelector('[data-command=gif]').click()")
    page.wait("/[1-9]/.test(document.querySelector('.toast').textContent)")
    page.eval("document.querySelector('[data-command=gif]').click()")
    page.wait("document.querySelector('.toast').textContent === 'Stopped'")
    assert call(page, "eye") == pytest.approx(eye, abs=1e-9)
    assert page.eval("document.querySelector('[data-command=undo]').disabled")
    assert complaints(page) == []
