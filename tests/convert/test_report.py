"""The report of a conversion, as a person reads it."""

from __future__ import annotations

import csv
import io
import re
from html import escape
from pathlib import Path
from typing import Any

import pytest
from tests.convert.models import ROOT

import unibody as ub
from unibody.conversion import places
from unibody.conversion.description import change_lines, describe
from unibody.model.facts import diff
from unibody.model.traverse import items

MODELS = ROOT / "tests/commands/models"
CRANE, ARM = MODELS / "crane.body", MODELS / "six_axis.urdf"
# Class names of the model are no words for a person.
CLASS = re.compile(r"\b(?:Extra|Shape|Device|Material|Node|Link|Joint|Coupling|MeshFile|Group)\b")


def converted(source: Path, folder: Path, suffix: str) -> ub.Report:
    return ub.convert(source, folder / f"out{suffix}")


def test_what_other_programs_ignore_is_named(tmp_path: Path) -> None:
    report = converted(CRANE, tmp_path, ".urdf")
    assert [x.path for x in report.extensions] == ["devices/YARD", "devices/TIP", "loops/loop0"]
    assert all(x.carried for x in report.extensions)
    assert "1 loop, " in report.headline().partition("lost for other programs: ")[2]
    text = report.text()
    assert "loops, carried in an extension: written as <constraint>" in text
    assert "    loop0 (line 72)\n" in text
    assert not report.lost
    # A file of the same format had the elements before.
    assert not ub.convert(tmp_path / "out.urdf", tmp_path / "again.urdf").extensions
    # The dialect was chosen for the program that reads it.
    other = ub.convert(CRANE, tmp_path / "isaac.urdf", loops="loop_joint")
    assert [x.path for x in other.extensions] == ["devices/YARD", "devices/TIP"]


def test_elements_are_counted_and_have_lines(tmp_path: Path) -> None:
    report = converted(ARM, tmp_path, ".body")
    assert "6 <transmission> elements, 2 <gazebo> elements" in report.headline()
    lines = ARM.read_text("utf-8").splitlines()
    for tag in ("transmission", "gazebo"):
        places = [str(k) for k, line in enumerate(lines, 1) if line.startswith(f"  <{tag}")]
        assert f"    <{tag}>: lines {', '.join(places)}\n" in report.text()


@pytest.mark.parametrize(
    ("source", "suffix"), [(CRANE, ".urdf"), (ARM, ".body"), (ARM, ".wrl"), (CRANE, ".rob")]
)
def test_no_class_names(source: Path, suffix: str, tmp_path: Path) -> None:
    report = converted(source, tmp_path, suffix)
    # A Joint is a node of OpenHRP, which its reasons name.
    text = "\n".join(line for line in report.text().splitlines() if " a Joint is " not in line)
    assert not CLASS.search(text), CLASS.findall(text)
    assert not CLASS.search("\n".join(str(x.difference) for x in report.losses))


def test_lists_are_looked_through_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many losses there are in a list."""
    seen: list[int] = []

    def counted(values: tuple[Any, ...]) -> tuple[bool, dict[str, Any]]:
        seen.append(id(values))
        return items(values)

    monkeypatch.setattr(places, "items", counted)
    parts = [
        f'<link name="l{k}"><visual><geometry><box size="1 1 1"/></geometry></visual></link>'
        for k in (0, 1)
    ]
    joint = (
        '<joint name="j" type="revolute"><parent link="l0"/><child link="l1"/><axis xyz="0 0 1"/>'
        '<limit lower="-1" upper="1" velocity="2" effort="3"/></joint>'
    )
    robot = ub.loads(f'<robot name="r">{"".join(parts)}{joint}</robot>', format="urdf")
    report = ub.save(robot, tmp_path / "out.xml", plain=True)
    assert {x.path for x in report.losses} >= {"joints/j/limits/velocity"}
    assert seen
    assert len(seen) == len(set(seen))


def test_every_loss_is_a_row_of_the_table(tmp_path: Path) -> None:
    report = converted(CRANE, tmp_path, ".urdf")
    rows = list(csv.DictReader(io.StringIO(report.csv())))
    assert [r["path"] for r in rows] == [x.path for x in (*report.losses, *report.extensions)]
    data = report.json()
    assert len(data["losses"]) == len(report.losses)
    assert [x["what"] for x in data["extensions"]] == ["cameras and scanners"] * 2 + ["loops"]


def test_the_folded_text_is_shorter(tmp_path: Path) -> None:
    report = converted(ROOT / "src/unibody/models/biped.body", tmp_path, ".urdf")
    assert "… and" in report.text(folded=True)
    assert "… and" not in report.text()
    assert len(report.text(folded=True)) < len(report.text()) * 0.6


def test_what_was_assumed_is_no_loss(tmp_path: Path) -> None:
    report = converted(ROOT / "src/unibody/models/biped.urdf", tmp_path, ".body")
    lost, _, base = report.headline().rpartition("; ")
    assert lost.endswith("; lost for other programs: cosmetics (names of materials ×43) only")
    assert base == "base not stated: written as free (--base fixed changes it)"
    assert {x.outcome for x in report.losses if x.path.endswith("/number")} == {"assumed"}


CAMERA = '<camera name="c{0}" pos="0 0 {0}"/>'
MJCF = """<mujoco model="m"><asset><material name="red" rgba="1 0 0 1" specular="0.9"/></asset><worldbody>
<body name="a"><joint name="j" range="-1 1" limited="true" damping="0.5" springref="0.1" stiffness="2"/>
<geom name="g" type="capsule" size="0.1 0.2" friction="0.4" material="red"/>{cameras}
<site name="s"/></body></worldbody>
<tendon><fixed name="t" stiffness="3"><joint joint="j" coef="1"/></fixed></tendon>
<actuator><position joint="j" kp="5"/><motor joint="j"/></actuator>
<sensor><gyro site="s"/></sensor></mujoco>"""


def headline_of(text: str, suffix: str, folder: Path, target: str) -> dict[str, str]:
    """The parts of the headline of a conversion, by their titles."""
    (folder / f"m{suffix}").write_text(text, "utf-8")
    head = ub.convert(folder / f"m{suffix}", folder / f"out{target}").headline()
    return dict(part.partition(": ")[::2] for part in head.split("; "))


def test_what_moves_and_senses_is_never_hidden(tmp_path: Path) -> None:
    text = MJCF.format(cameras="".join(CAMERA.format(k) for k in range(11)))
    parts = headline_of(text, ".xml", tmp_path, ".rob")
    lost = parts["lost for other programs"]
    for word in ("1 tendon", "11 cameras", "1 gyro", "2 actuators", "damping", "springs ×2"):
        assert word in lost.split(", ")
    assert "<geom>" not in " ".join(parts.values())  # the rest of an element that was read
    assert "left out" not in parts


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ('<gazebo reference="a"/><gazebo/>', "2 <gazebo> elements"),
        ('<gazebo/><x/><y/><z d="1"/>', "4 vendor items"),
        ("<gazebo/><ros2_control name='r'/>", "1 <gazebo> element, 1 <ros2_control> element"),
    ],
)
def test_vendor_elements_are_left_out(inside: str, expected: str, tmp_path: Path) -> None:
    text = f'<robot name="r"><link name="a"/>{inside}</robot>'
    for target in (".body", ".xml", ".wrl", ".rob"):
        parts = headline_of(text, ".urdf", tmp_path, target)
        assert parts["left out"] == expected
        assert "nothing is lost" in parts
    # within one format they are kept
    assert "left out" not in headline_of(text, ".urdf", tmp_path, ".urdf")


def test_actuators_on_request_are_settings_of_the_target(tmp_path: Path) -> None:
    link = '<link name="{}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" '
    shape = 'iyz="0"/></inertial><visual><geometry><sphere radius="1"/></geometry><material name="m">'
    color = '<color rgba="1 0 0 1"/></material></visual></link>'
    joint = '<joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="1 0 0"/>'
    limit = '<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>'
    links = "".join(link.format(name) + shape + color for name in "ab")
    (tmp_path / "m.urdf").write_text(f'<robot name="r">{links}{joint}{limit}</robot>', "utf-8")
    report = ub.convert(tmp_path / "m.urdf", tmp_path / "out.xml", base="fixed", actuators="motor")
    assert {x.outcome for x in report.losses if x.path.startswith("extras")} == {"converted"}


TRIANGLES = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nusemtl red\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n"


@pytest.mark.parametrize("target", [".xml", ".wrl", ".rob"])
def test_converted_meshes_are_no_losses(target: str, tmp_path: Path) -> None:
    (tmp_path / "m.mtl").write_text("newmtl red\nKd 1 0 0\n", "utf-8")
    (tmp_path / "m.obj").write_text(f"mtllib m.mtl\n{TRIANGLES}", "utf-8")
    mesh = '<visual><geometry><mesh filename="m.obj"/></geometry></visual>'
    parts = headline_of(f'<robot name="r"><link name="a">{mesh}</link></robot>', ".urdf", tmp_path, target)
    assert "nothing is lost" in parts
    assert "mesh files" in parts["converted"]


JOINT = (
    '<joint name="{0}" type="revolute"><parent link="a"/><child link="{0}"/><axis xyz="0 0 1"/>'
    '<limit lower="{1}" upper="{2}" effort="1" velocity="1"/>{3}</joint><link name="{0}"/>'
)


@pytest.mark.parametrize(("upper", "outcome"), [(0.5, "converted"), (0.7, "lost")])
def test_a_conversion_that_deviates_is_a_loss(upper: float, outcome: str, tmp_path: Path) -> None:
    """Coupled joints of MPK share a parameter: a limit that it does not reach is another one there."""
    joints = JOINT.format("b", -1, 1, "") + JOINT.format(
        "c", -0.5, upper, '<mimic joint="b" multiplier="0.5"/>'
    )
    (tmp_path / "r.urdf").write_text(f'<robot name="r"><link name="a"/>{joints}</robot>', "utf-8")
    report = ub.convert(tmp_path / "r.urdf", tmp_path / "r.rob")
    assert report.proof is not None
    outcomes = {x.row.what: x.outcome for x in report.losses if x.row is not None}
    deviating = {x.cause for x in report.proof.explained}
    assert outcomes["mimic joints"] == "converted"
    assert outcomes.get("limits of coupled joints", "converted") == outcome
    assert ("limits of coupled joints" in deviating) == (outcome == "lost")


def test_a_frame_that_becomes_a_link_is_converted(tmp_path: Path) -> None:
    text = (
        '<mujoco model="m"><worldbody><body name="a"><joint name="j"/><geom size="0.1"/><site name="u"/>'
        '<site name="v"/><body name="b"><joint name="k"/><geom size="0.1"/></body></body></worldbody>'
        '<equality><connect site1="u" site2="w"/></equality></mujoco>'
    ).replace('name="k"/>', 'name="k"/><site name="w"/>')
    (tmp_path / "m.xml").write_text(text, "utf-8")
    report = ub.convert(tmp_path / "m.xml", tmp_path / "m.urdf", plain=True)
    found = {x.path: x.outcome for x in report.losses if x.path.startswith("frames/")}
    written = {x.name for x in ub.load(tmp_path / "m.urdf").links}
    assert found
    assert all((outcome == "converted") == (path[7:] in written) for path, outcome in found.items())


def test_groups_of_changes() -> None:
    """Equal changes share a line; of several values each stands beside its element."""
    a = ub.loads(ARM.read_text("utf-8"), format="urdf")
    text = ARM.read_text("utf-8").replace('effort="150"', 'effort="90"')
    same = diff(a, ub.loads(text, format="urdf"))
    assert change_lines([d for x in same for d in describe(x)]) == [
        "limits/effort ±150 → ±90: shoulder_pan_joint, shoulder_lift_joint, elbow_joint"
    ]
    count = 0

    def numbered(_: re.Match[str]) -> str:
        nonlocal count
        count += 1
        return f'mass value="{count}"'

    text = re.sub(r'mass value="[^"]*"', numbered, ARM.read_text("utf-8"))
    several = [d for d in diff(a, ub.loads(text, format="urdf")) if d.path.endswith("/mass")]
    found = change_lines([d for x in several for d in describe(x)])
    assert len(found) == len(several) == 6
    several += [d for d in same if d.path.endswith("/effort")]
    found = change_lines([d for x in several for d in describe(x)])
    assert found[0].startswith("inertial/mass: shoulder 3.7 → 1, upper_arm 8.4 → 2, ")


def test_a_report_is_printed_as_its_text_and_shown_as_a_table(tmp_path: Path) -> None:
    report = converted(ARM, tmp_path, ".body")
    assert f"{report}\n" == report.text()
    table = report._repr_html_()
    assert escape(report.headline()) in table
    assert table.count("<th ") == 6
    assert "<transmission>" not in table
