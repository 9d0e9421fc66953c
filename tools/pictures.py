"""Make the pictures of the documentation with the page itself: python tools/pictures.py"""

from __future__ import annotations

import math
import sys
import tempfile
from pathlib import Path

import unibody as ub
from unibody.view.data import Origin, page_data
from unibody.view.page import filled_page

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tools.chromium import Chromium, find, path_address  # noqa: E402

# In the middle of a step, in degrees.
STRIDE = {
    "RLEG_HIP_P": -38,
    "RLEG_KNEE": 52,
    "RLEG_ANKLE_P": -14,
    "LLEG_HIP_P": 18,
    "LLEG_KNEE": 12,
    "LLEG_ANKLE_P": -16,
    "CHEST": 8,
    "NECK_P": 6,
    "RARM_SHOULDER_P": 24,
    "RARM_SHOULDER_R": -8,
    "RARM_ELBOW": -34,
    "LARM_SHOULDER_P": -30,
    "LARM_SHOULDER_R": 8,
    "LARM_ELBOW": -62,
}


def main() -> str | None:
    """Write docs/pictures/biped.png; what is wrong, or None."""
    program = find()
    if program is None:
        return "needs Chromium (Debian, Ubuntu: apt-get install chromium)"
    model = ROOT / "src/unibody/models/biped.body"
    reading = ub.read(model)
    if reading.robot is None or reading.format is None:
        return f"{model.name} cannot be read"
    origin = Origin(file=model.name, format=reading.format.title)
    target = ROOT / "docs/pictures/biped.png"
    target.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, Chromium(program) as browser:
        file = Path(folder) / "biped.html"
        file.write_bytes(filled_page(page_data(reading.robot, origin=origin).bytes))
        page = browser.page(1200, 750)
        page.open(path_address(file))
        page.wait("window.unibody.status === 'ready'")
        for joint, degrees in STRIDE.items():
            page.eval(f"window.unibody.move('{joint}', {math.radians(degrees)})")
        page.eval("window.unibody.select('RLEG_KNEE')")
        target.write_bytes(page.picture())
    return None


if __name__ == "__main__":
    sys.exit(main())
