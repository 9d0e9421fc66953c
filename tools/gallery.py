"""Generate docs/gallery.md and its pictures of the page: python tools/gallery.py"""

from __future__ import annotations

import base64
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tools.chromium import Chromium, Page, find, path_address  # noqa: E402

from unibody.cli.main import main as unibody  # noqa: E402

MODELS = ROOT / "src/unibody/models"
PICTURES = ROOT / "docs/pictures"
TARGET = ROOT / "docs/gallery.md"
WIDE, PHONE = (1366, 740), (390, 700)
QUALITY = 82

SCENE = """\
<mujoco model="swing">
  <asset>
    <texture name="tiles" type="2d" builtin="checker" width="64" height="64"
      rgb1=".62 .68 .74" rgb2=".82 .86 .9"/>
    <texture name="paint" type="cube" builtin="gradient" width="64" height="64"
      rgb1=".9 .45 .2" rgb2=".5 .15 .1"/>
    <material name="tiles" texture="tiles" texrepeat="8 8"/>
    <material name="paint" texture="paint"/>
  </asset>
  <worldbody>
    <geom type="plane" size="1.6 1.6 .1" material="tiles"/>
    <geom type="box" size=".08 .08 .5" pos="0 0 .5" rgba=".35 .38 .42 1"/>
    <geom type="cylinder" size=".14 .12" pos="-.7 .6 .12" rgba=".2 .5 .45 1"/>
    <body name="boom" pos="0 0 1.06">
      <joint name="turn" axis="0 0 1" range="-150 150"/>
      <geom type="capsule" fromto="0 0 0 .7 0 0" size=".05" material="paint"/>
      <body name="rope" pos=".7 0 0">
        <joint name="pitch" axis="0 1 0" range="-60 60"/>
        <geom type="capsule" fromto="0 0 -.05 0 0 -.55" size=".018" rgba=".15 .15 .17 1"/>
        <geom type="sphere" size=".11" pos="0 0 -.62" material="paint"/>
        <site name="load" type="sphere" size=".03" pos="0 0 -.75" rgba=".1 .7 .3 1"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""
FAULTY = """\
<robot name="arm">
  <link name="base"><visual><geometry><cylinder radius="0.08" length="0.1"/></geometry></visual></link>
  <link name="upper">
    <inertial><mass value="2"/><inertia ixx="0.01" iyy="0.01" izz="0.5" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><origin xyz="0 0 0.2"/><geometry><box size="0.08 0.08 0.4"/></geometry></visual>
  </link>
  <link name="hand"><visual><geometry><mesh filename="hand.stl"/></geometry></visual></link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><origin xyz="0 0 0.05"/><axis xyz="0 1 0"/>
    <limit lower="1" upper="-1" effort="10" velocity="2"/>
  </joint>
  <joint name="wrist" type="revolute">
    <parent link="upper"/><child link="hand"/><origin xyz="0 0 0.4"/><axis xyz="0 0 2"/>
    <limit lower="-1" upper="1" effort="10" velocity="2"/>
  </joint>
</robot>
"""


@dataclass(frozen=True)
class Shot:
    """A picture of the page: its title and file, the model, and what is done before it is taken."""

    title: str
    name: str
    model: str
    script: str = ""
    size: tuple[int, int] = WIDE
    dark: bool = False


@dataclass(frozen=True)
class Known:
    """A picture that tools/pictures.py makes."""

    title: str
    name: str


BENT = "unibody.take({ RLEG_KNEE: 1.0, RLEG_HIP_P: -0.7, LARM_SHOULDER_P: -0.9, LARM_ELBOW: -1.2 });"
ACROSS = "unibody.take({ RARM_SHOULDER_P: 0.3, RARM_SHOULDER_R: 0.25, RARM_ELBOW: -0.3 });"
ENTRIES: tuple[Shot | Known, ...] = (
    Known("The page: links, the robot, a row for every joint with its limits", "biped.png"),
    Shot(
        "Pairs of links that are tested for collision, beside the robot",
        "pairs.webp",
        "biped.body",
        "unibody.run('pairs');",
    ),
    Shot(
        "What touches at this pose, what is near, with distances and points",
        "collisions.webp",
        "biped.body",
        ACROSS + " unibody.show('pairs', true);",
    ),
    Shot(
        "A scene of MJCF with patterns, its surroundings and sites",
        "scene.webp",
        "swing.xml",
        "unibody.take({ turn: -1.1, pitch: -0.4 }); unibody.show('sites', true); unibody.run('fit');",
    ),
    Shot("Findings, and what stands in for a missing mesh", "findings.webp", "arm.urdf"),
    Shot(
        "A pose as text, to copy, paste, name and save",
        "poses.webp",
        "biped.body",
        BENT + " unibody.run('pose.text');",
    ),
    Shot(
        "One link selected, its pose in the world, others faint, with names",
        "names.webp",
        "biped.urdf",
        BENT + " unibody.select('LARM_ELBOW'); unibody.show('labels', true); unibody.show('axes', true);",
        dark=True,
    ),
    Known("Inertias as boxes, centers of mass, frames", "openhrp.png"),
    Known("Two files side by side with their differences", "compare.png"),
    Known("The points that a hand can reach", "reach.png"),
    Known("A planned motion past obstacles, and the nearest pair over time", "plan.png"),
    Shot(
        "The same page on a phone",
        "phone.webp",
        "biped.body",
        BENT + " unibody.run('drawer.right');",
        PHONE,
    ),
)


def take(page: Page, shot: Shot, file: Path) -> None:
    """Open a page, do what the picture shows, and write it."""
    page.open(path_address(file))
    page.wait("window.unibody && window.unibody.status === 'ready'")
    page.eval(f"{shot.script} 0")
    page.settle()
    page.eval("Promise.all([unibody.touching(), unibody.near()]).then(() => unibody.rest())")
    page.settle()
    made = page.call("Page.captureScreenshot", format="webp", quality=QUALITY)["data"]
    (PICTURES / shot.name).write_bytes(base64.b64decode(made))


def text() -> str:
    """The page of all pictures."""
    parts = [
        "# Gallery",
        "Models are those of the package, and small ones of `tools/gallery.py`, which makes this page.",
    ]
    for entry in ENTRIES:
        parts += [f"{entry.title}:", f"![{entry.title}](pictures/{entry.name})"]
    return "\n\n".join(parts) + "\n"


def main(words: list[str]) -> str | None:
    """Write the page and its pictures, or those that are named; returns an error message or None."""
    program = find()
    if program is None:
        return "needs Chromium (Debian, Ubuntu: apt-get install chromium)"
    with tempfile.TemporaryDirectory() as name, Chromium(program) as browser:
        folder = Path(name)
        (folder / "swing.xml").write_text(SCENE)
        (folder / "arm.urdf").write_text(FAULTY)
        for shot in ENTRIES:
            if isinstance(shot, Known) or (words and shot.name not in words):
                continue
            model = MODELS / shot.model
            file = folder / f"{shot.name}.html"
            given = model if model.exists() else folder / shot.model
            if unibody(["view", str(given), "--html", str(file)]):
                return f"{shot.name} was not made"
            page = browser.page(*shot.size, dark=shot.dark)
            take(page, shot, file)
            page.close()
    TARGET.write_text(text())
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
