"""Pictures of the pages of published models, to be looked at: python tools/look.py CORPUS FOLDER [WORD …]

CORPUS has the models below; with words, only those whose path has one of them. Run with the PYTHONPATH of
another version for pictures of before.
"""

from __future__ import annotations

import base64
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tools.chromium import Chromium, find, path_address  # noqa: E402

ROBOT_DATA = "dev/pypi_example-robot-data-6.0.0/example-robot-data/robots"
CHOREONOID = "dev/choreonoid+choreonoid/share/model"
MODELS = (
    f"{CHOREONOID}/SR1/SR1.body",
    f"{CHOREONOID}/Labo1/Labo1.body",
    f"{CHOREONOID}/GR001/GR001.body",
    f"{CHOREONOID}/JACO2/JACO2.body",
    f"{CHOREONOID}/Tank/Tank.body",
    f"{CHOREONOID}/misc/ClosedLinkSample.body",
    f"{CHOREONOID}/multicopter/quadcopter.body",
    "dev/fkanehiro+openhrp3/sample/model/sample1.wrl",
    "dev/fkanehiro+openhrp3/sample/model/sample_special_joint_robot.wrl",
    f"{ROBOT_DATA}/pr2_description/urdf/pr2.urdf",
    f"{ROBOT_DATA}/hyq_description/robots/hyq_no_sensors.urdf",
    f"{ROBOT_DATA}/quadruped_description/urdf/quadruped.urdf",
    f"{ROBOT_DATA}/solo_description/robots/solo12.urdf",
    "dev/tork-a+rtmros_nextage/nextage_description/urdf/NextageOpen.urdf",
    "dev/pypi_pybullet-3.2.7/pybullet_data/quadruped/quadruped.urdf",
    "dev/pypi_pybullet-3.2.7/pybullet_data/r2d2.urdf",
    "dev/pypi_pybullet-3.2.7/pybullet_data/kuka_iiwa/model.urdf",
    "dev/aslali+rrt_kuka_mpk/robots/puma.rob",
    "dev/aslali+rrt_kuka_mpk/scenes/PUMAenv.iv",
    "more/mjcf/google-deepmind+mujoco/model/humanoid/humanoid100.xml",
    "more/mjcf/google-deepmind+mujoco/model/replicate/bunnies.xml",
    "more/mjcf/pypi_gymnasium-robotics-1.4.2/fetch/reach.xml",
    "more/mjcf/pypi_gymnasium-robotics-1.4.2/hand/manipulate_block.xml",
    "dev/newton-physics+newton/newton/examples/assets/nv_ant.xml",
    "dev/gazebosim+sdformat/test/integration/model/pr2.sdf",
    "dev/gazebosim+sdformat/test/integration/model/turtlebot.sdf",
    "dev/gazebosim+sdformat/test/integration/model/double_pendulum.sdf",
    "dev/RobotLocomotion+drake/examples/planar_gripper/planar_gripper.sdf",
    "dev/RobotLocomotion+drake/examples/quadrotor/warehouse.sdf",
)
SIZE = (1366, 768)
LONGEST = 300.0
READY = "window.unibody && window.unibody.status !== 'loading'"


def main(words: list[str]) -> str | None:
    """Write the pictures; returns an error message or None."""
    program = find()
    if program is None or len(words) < 2:
        return "needs Chromium, the folder of the models, and one for the pictures"
    corpus, folder = Path(words[0]), Path(words[1])
    folder.mkdir(parents=True, exist_ok=True)
    with Chromium(program) as browser:
        for number, name in enumerate(MODELS, 1):
            if len(words) > 2 and not any(word in name for word in words[2:]):
                continue
            picture = folder / f"{number:02}-{Path(name).stem}.png"
            file = picture.with_suffix(".html")
            view = [sys.executable, "-m", "unibody", "view", str(corpus / name)]
            done = subprocess.run(
                [*view, "--overwrite", "--html", str(file)],
                capture_output=True,
                text=True,
                check=False,
                timeout=LONGEST,
            )
            if not file.exists():
                print(f"{name}: {done.stderr.strip().splitlines()[-1:]}", flush=True)
                continue
            page = browser.page(*SIZE)
            page.open(path_address(file))
            page.wait(READY, LONGEST)
            page.eval("window.unibody.rest?.()")
            picture.write_bytes(base64.b64decode(page.call("Page.captureScreenshot", format="png")["data"]))
            print(f"{name}: {page.eval('window.unibody.status')} {page.complaints() or ''}", flush=True)
            page.close()
            file.unlink()
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
