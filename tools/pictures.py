"""Make the pictures of the documentation with the page itself: python tools/pictures.py"""

from __future__ import annotations

import math
import sys
import tempfile
from pathlib import Path

import unibody as ub
from unibody.cli.main import main as unibody
from unibody.page.data import Extras, Origin, Shown, pages_data
from unibody.page.page import filled_page

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tools.chromium import Chromium, find, path_address  # noqa: E402

MODELS = ROOT / "src/unibody/models"
PICTURES = ROOT / "docs/pictures"

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
STEP = [word for name, angle in STRIDE.items() for word in ("--set", f"{name}={angle}deg")]
# Normalized, as the motions of MPK are.
PLAN = """\
* 0.5 0.5 0.5 0.5 0.5 1
* 0.68 0.9 0.35 0.72 0.6 1
* 0.8 0.35 0.6 0.3 0.4 0
* 0.38 0.2 0.68 0.62 0.5 0
"""

# Pictures that the command makes, one of each format among them.
SHOTS = {
    "body.png": ["biped.body", *STEP, "--show", "visual,devices"],
    "urdf.png": ["biped.urdf", "--show", "visual,axes", *STEP],
    "openhrp.png": ["biped.wrl", *STEP, "--show", "inertia,mass,frames"],
    "mpk.png": ["arm.rob", "--show", "visual,traces,frames", "--motion", "PLAN"],
    "reach.png": ["arm.rob", "--workspace", "Tip", "--samples", "20000", "--show", "visual"],
    "compare.png": ["biped.body", "biped.urdf", "--pose", "standard_pose", "--dark"],
}
SIZE = "640x520"


def main() -> str | None:
    """Write all pictures; what is wrong, or None."""
    program = find()
    if program is None:
        return "needs Chromium (Debian, Ubuntu: apt-get install chromium)"
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plan = folder / "reach.pln"
        plan.write_text(PLAN)
        for picture, words in SHOTS.items():
            known = [str(MODELS / w) if (MODELS / w).is_file() else w for w in words]
            known = [str(plan) if word == "PLAN" else word for word in known]
            code = unibody(["view", *known, "--size", SIZE, "--png", str(PICTURES / picture)])
            if code:
                return f"{picture} was not made"
        whole_page(program, folder / "biped.html")
    return None


def whole_page(program: str, file: Path) -> None:
    """The page with its panels, for the first sight of the README."""
    model = MODELS / "biped.body"
    reading = ub.read(model)
    if reading.robot is None or reading.format is None:
        raise SystemExit(f"{model.name} cannot be read")
    origin = Origin(file=model.name, format=reading.format.title)
    pose = {name: math.radians(angle) for name, angle in STRIDE.items()}
    page_bytes = pages_data([Shown(robot=reading.robot, origin=origin)], extras=Extras(pose=pose)).bytes
    file.write_bytes(filled_page(page_bytes))
    with Chromium(program) as browser:
        page = browser.page(1150, 580)
        page.open(path_address(file))
        page.wait("window.unibody.status === 'ready'")
        page.eval("window.unibody.select('RLEG_KNEE')")
        (PICTURES / "biped.png").write_bytes(page.picture())


if __name__ == "__main__":
    sys.exit(main())
