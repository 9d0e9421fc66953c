"""Screenshots of the bundled robots, compared with stored ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.view.browsing import TESTS, ready
from tests.view.png import pixels
from tools.chromium import Chromium, path_address

from unibody.cli.main import main

PICTURES = Path(__file__).with_name("pictures")
MODELS = TESTS.parent / "src/unibody/models"
# Software and hardware draw edges and lights a little differently.
CLOSE, FAR, SHARE = 4.0, 60.0, 0.02

SHOTS = {
    "body": ["biped.body", "--pose", "standard_pose"],
    "urdf": ["biped.urdf", "--show", "visual,axes,mass", "--set", "CHEST=30deg"],
    "rob": ["arm.rob", "--show", "visual,frames,traces"],
    "two": ["biped.body", str(MODELS / "biped.urdf")],
}


def test_command_writes_a_picture(chromium: Chromium, tmp_path: Path) -> None:
    target = tmp_path / "a.png"
    words = ["--set", "RLEG_KNEE=60deg", "--size", "200x160", "--dark"]
    assert main(["view", str(MODELS / "biped.urdf"), *words, "--png", str(target)]) == 0
    seen = pixels(target.read_bytes())
    assert seen.shape == (160, 200, 3)
    assert seen[:10, :10].mean() < 80
    assert seen.max() > 180


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SHOTS))
def test_screenshots_match(
    name: str, chromium: Chromium, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    model, *words = SHOTS[name]
    file = tmp_path / f"{name}.html"
    assert main(["view", str(MODELS / model), *words, "--html", str(file)]) == 0
    page = chromium.page(300, 220)
    page.open(path_address(file))
    ready(page)
    page.eval("window.unibody.bare()")
    taken = page.picture()
    page.close()
    expected = PICTURES / f"{name}.png"
    if request.config.getoption("--accept"):
        expected.parent.mkdir(exist_ok=True)
        expected.write_bytes(taken)
    seen, known = (pixels(data).astype(float) for data in (taken, expected.read_bytes()))
    assert seen.shape == known.shape == (220, 300, 3)
    off = np.abs(seen - known).max(axis=2)
    assert off.mean() < CLOSE
    assert (off > FAR).mean() < SHARE
