"""Engines that read SDF have of it what the mechanism has."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.proof.proving import proved, written

from unibody.proof.loading import check_load

INERTIAL = """<inertial><pose>0.02 0.03 0.1 0.3 0.4 0.5</pose><mass>2</mass>
  <inertia><ixx>0.05</ixx><iyy>0.06</iyy><izz>0.07</izz><ixy>0.01</ixy><ixz>-0.008</ixz><iyz>0.005</iyz></inertia>
</inertial>"""


def joint(name: str, kind: str, parent: str, child: str, content: str) -> str:
    ends = f"<parent>{parent}</parent><child>{child}</child>"
    return f'<joint name="{name}" type="{kind}">{ends}{content}</joint>'


def hinge(name: str, parent: str, child: str, xyz: str, content: str = "") -> str:
    return joint(name, "revolute", parent, child, content + AXIS.format(xyz, ""))


def link(name: str, pose: str) -> str:
    return f'<link name="{name}"><pose>{pose}</pose>{INERTIAL}</link>'


AXIS = "<axis><xyz>{}</xyz><limit><lower>-1</lower><upper>2</upper></limit>{}</axis>"
DAMPED = "<dynamics><damping>0.3</damping></dynamics>"
AXES = AXIS.format("0 0 1", "") + AXIS.format("1 0 0", "").replace("axis", "axis2")
#: Joints away from the frames of links, in a version that DART reads, too.
ARM = f"""<sdf version="1.6"><model name="arm">
  {link("base", "0 0 0.1 0 0 0.2")}{link("upper", "0.1 0 0.5 0.1 0.2 0.3")}
  {link("tool", "0.2 0.3 0.9 0 0 1")}
  {hinge("j", "base", "upper", "0 0.6 0.8", "<pose>0.1 0.2 -0.1 0.3 0 0</pose>")}
  {joint("k", "prismatic", "upper", "tool", AXIS.format("1 0 0", DAMPED))}
</model></sdf>"""
#: Models in a model, a joint across them, one of two axes, one to the world, and a link on its own.
NESTED = f"""<sdf version="1.9"><model name="robot">
  <pose>1 2 3 0.1 0.2 0.3</pose>
  {link("base", "0 0 0.1 0 0 0.2")}
  <model name="hand"><pose>0 0 1 0 0 0.5</pose>
    {link("base", "0.1 0 0 0 0 0")}{link("tip", "0.3 0 0 0 0.4 0")}
    {joint("j", "universal", "base", "tip", AXES)}
  </model>
  {hinge("w", "world", "base", "0 1 0", "<pose>0 0 -0.2 0 0 0</pose>")}
  {hinge("k", "base", "hand::base", "0 1 0")}
  {link("loose", "5 0 0 0 0 0.4")}
</model></sdf>"""


#: What engines have otherwise, by the beginning of the cause.
KNOWN = {"dart": "inertia rotated: the axes of the inertial frame are ignored"}


@pytest.mark.parametrize("engine", ["drake", "dart"])
def test_joints_away_from_links_are_equal(tmp_path: Path, engine: str) -> None:
    result = proved(engine, written(tmp_path, ARM, "arm.sdf"))
    assert result.verdict == ("explained" if engine in KNOWN else "equal"), result
    assert KNOWN.get(engine, "") in "; ".join(map(str, result.causes))
    assert result.file.endswith("arm.sdf")
    assert result.deviations is not None
    assert {"positions", "inertia", "bias", "acceleration", "limits", "damping"} <= {*result.deviations}


def test_names_of_models_in_models_are_those_of_the_file(tmp_path: Path) -> None:
    result = proved("drake", written(tmp_path, NESTED, "robot.sdf"))
    assert result.verdict == "equal", result
    assert result.deviations is not None
    assert result.deviations["mass_matrix"].compared == 3


def test_an_engine_gets_a_version_that_it_reads(tmp_path: Path) -> None:
    result = proved("dart", written(tmp_path, ARM.replace("1.6", "1.8"), "arm.sdf"))
    assert result.verdict in ("equal", "explained"), result
    assert result.file.endswith(".urdf")


def test_drake_is_asked_whether_it_loads_sdf(tmp_path: Path) -> None:
    said = check_load(written(tmp_path, ARM, "arm.sdf"), "sdf")
    if "not here" in said:
        pytest.skip("Drake is not installed")
    assert said.endswith(" loads the file")
    wrong = check_load(written(tmp_path, ARM.replace("prismatic", "gearbox"), "wrong.sdf"), "sdf")
    assert "gearbox" in wrong
