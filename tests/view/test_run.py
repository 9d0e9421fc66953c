"""A recorded run in the page: plots, contact forces, camera pictures, and animated pictures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.view.browsing import ready
from tools.chromium import Chromium, Page, path_address

import unibody as ub
from unibody.cli.main import main
from unibody.simulation.record import ContactHistory, PictureHistory, Record


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A biped that slides 1 m along X in 1 s on two points, with a force sensor and a camera."""
    robot = ub.load(Path(__file__).parents[2] / "src/unibody/models/biped.body")
    m = ub.assemble(robot)
    times = np.linspace(0.0, 1.0, 101)
    q = np.repeat(m.initial[None], 101, axis=0)
    q[:, 0] = times
    pixels = np.zeros((2, 40, 60, 3), np.uint8)
    pixels[0, ..., 0] = pixels[1, ..., 1] = 255
    points = np.array([[t, side, 0.0] for t in times for side in (-0.08, 0.08)])
    record = Record(
        robot=robot,
        times=times,
        q=q,
        v=np.zeros((101, m.nv)),
        effort=np.tile(np.arange(m.nv, dtype=np.float64), (101, 1)),
        sensors={"RIGHT_FOOT_FORCE": np.tile([0.0, 0, 196, 0, 0, 0], (101, 1)) * times[:, None]},
        contacts=ContactHistory(
            begins=np.arange(102) * 2,
            links=np.full((202, 2), [-1, m.link_names.index("RLEG_ANKLE_R")]),
            points=points,
            forces=np.tile([0.0, 0.0, 196.0], (202, 1)),
            depths=np.zeros(202),
        ),
        pictures={"HEAD_CAMERA": PictureHistory(times=np.array([0.0, 0.5]), pixels=pixels)},
    )
    path = tmp_path_factory.mktemp("run") / "run.npz"
    record.save(path)
    return path


def test_played_in_the_page(run: Path, page: Page, tmp_path: Path) -> None:
    target = tmp_path / "run.html"
    assert main(["view", str(run), "--html", str(target)]) == 0
    page.open(path_address(target))
    ready(page)
    assert page.eval("window.unibody.span()") == [0, 1]
    page.eval("window.unibody.seek(0.25)")
    page.settle()
    assert page.eval("window.unibody.positions('base')[0]") == pytest.approx(0.25, abs=1e-6)
    shown = "[...document.querySelectorAll('.run summary .name')].map(each => each.textContent)"
    assert page.eval(shown) == ["RIGHT_FOOT_FORCE · force", "RIGHT_FOOT_FORCE · torque"]
    values = (
        "[...document.querySelectorAll('.run details:first-of-type .value')].map(each => each.textContent)"
    )
    assert page.eval(values) == ["0", "0", "49"]
    pixel = "[...document.querySelector('.run canvas').getContext('2d').getImageData(5, 5, 1, 1).data]"
    page.wait(f"{pixel}[0] === 255")
    page.eval("window.unibody.seek(0.75)")
    page.wait(f"{pixel}[1] === 255 && {pixel}[0] === 0")
    # The selected link's joint has plots of its own.
    page.eval("window.unibody.select('RLEG_KNEE')")
    names = page.eval("[...document.querySelectorAll('.joint-plots .name')].map(each => each.textContent)")
    assert names == ["RLEG_KNEE · position", "RLEG_KNEE · velocity", "RLEG_KNEE · effort"]
    assert (
        page.eval("document.querySelector('[data-layer=contacts]').getAttribute('aria-pressed')") == "true"
    )


@pytest.mark.slow
def test_the_view_follows(run: Path, page: Page, tmp_path: Path) -> None:
    target = tmp_path / "run.html"
    assert main(["view", str(run), "--html", str(target)]) == 0
    page.open(path_address(target))
    ready(page)
    seen = "window.unibody.linkAt(innerWidth / 2 + 80, innerHeight / 2)"
    page.eval("window.unibody.seek(0)")
    page.settle()
    before = page.eval(seen)
    assert before is not None
    page.eval("window.unibody.seek(1)")
    page.settle()
    assert page.eval(seen) == before
    page.eval("document.querySelector('.follow').click(); window.unibody.seek(0)")
    page.settle()
    assert page.eval("document.querySelector('.follow').getAttribute('aria-pressed')") == "false"


@pytest.mark.slow
def test_pictures_of_a_run(run: Path, chromium: Chromium, tmp_path: Path) -> None:
    image, moving = tmp_path / "a.png", tmp_path / "a.gif"
    assert main(["view", str(run), "--png", str(image), "--at", "0.5", "--size", "300x200"]) == 0
    assert image.read_bytes()[:4] == b"\x89PNG"
    assert main(["view", str(run), "--gif", str(moving), "--size", "120x100"]) == 0
    data = moving.read_bytes()
    assert data[:10] == b"GIF89a" + bytes([120, 0, 100, 0])
    assert data.count(b"\x21\xf9\x04") >= 21
    assert data[-1:] == b";"


def test_wrong_usage(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.npz"
    broken.write_bytes(run.read_bytes()[:1000])
    for words, said in (
        ([str(broken)], "broken.npz is not a recorded run"),
        ([str(run), "--html", "a.html", "--gif", "a.gif"], "--html and --gif cannot be combined"),
        ([str(run), "--at", "1"], "--at requires --png"),
        ([str(run), "--watch"], "a recorded run is shown alone"),
        ([str(run), str(run)], "a recorded run is shown alone"),
    ):
        assert main(["view", *words]) == 2
        assert said in capsys.readouterr().err
