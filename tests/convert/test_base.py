"""The base of a robot: fixed, free or unspecified, in every format and in the report of a conversion."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

import pytest
from tests.shared import DEV

import unibody as ub
from unibody.cli.main import main
from unibody.conversion.report import Report

MASS = (
    "<inertial><mass value='2'/><inertia ixx='1' ixy='0.1' ixz='0' iyy='2' iyz='0' izz='1.5'/></inertial>"
)
TEXT = """<robot name="arm">
  <link name="ROOT"/>
  <link name="foot">{mass}</link>
  <link name="rod">{mass}</link>
  <joint name="mount" type="fixed"><parent link="ROOT"/><child link="foot"/></joint>
  <joint name="hinge" type="continuous">
    <origin xyz="0 0 0.3" rpy="0.1 0.2 0.3"/><parent link="foot"/><child link="rod"/><axis xyz="0 1 0"/>
  </joint>
</robot>
"""
CHOREONOID = ("body", "wrl")
Base = Literal["fixed", "free"]


def arm(folder: Path, root: str = "base_link") -> Path:
    file = folder / f"{root}.urdf"
    file.write_text(TEXT.replace("ROOT", root).format(mass=MASS), "utf-8")
    return file


def codes(report: Report) -> list[str]:
    return [f.code for f in report.findings]


@pytest.mark.parametrize(("root", "base"), [("base_link", None), ("world", "fixed"), ("World", None)])
def test_a_urdf_says_its_base_by_the_name_of_its_root(root: str, base: Base | None, tmp_path: Path) -> None:
    robot = ub.load(arm(tmp_path, root))
    assert robot.base == base
    assert ub.assemble(robot).nq == 1


@pytest.mark.parametrize("suffix", CHOREONOID)
def test_an_unspecified_base_becomes_free_and_comes_back_unspecified(suffix: str, tmp_path: Path) -> None:
    source, target, back = arm(tmp_path), tmp_path / f"arm.{suffix}", tmp_path / "back.urdf"
    report = ub.convert(source, target)
    assert ub.loads(target.read_text("utf-8")).base is None  # carried
    plain = ub.convert(source, tmp_path / f"plain.{suffix}", plain=True)
    assert ub.load(tmp_path / f"plain.{suffix}").base == "free"
    for made in (report, plain):
        assert made.headline().startswith("moves the same, ")
        assert made.headline().endswith("; base not stated: written as free (--base fixed changes it)")
        assert made.proof is not None
        assert (made.proof.base, made.proof.bases) == ("free", (None, "free"))
        assert "20 configurations, free base for both (unspecified in the source): " in str(made.proof)
        assert made.proof.inertia == pytest.approx(0.0, abs=1e-12)
    ub.convert(target, back)
    assert ub.diff(ub.load(source), ub.load(back)) == []
    assert "<unibody>" not in back.read_text("utf-8")


def test_an_unspecified_base_becomes_fixed_in_mjcf(tmp_path: Path) -> None:
    report = ub.convert(arm(tmp_path), tmp_path / "arm.xml", plain=True)
    assert ub.load(tmp_path / "arm.xml").base == "fixed"
    assert report.headline().startswith("moves the same, ")
    assert report.headline().endswith("; base not stated: written as fixed (--base free changes it)")
    free = ub.convert(arm(tmp_path), tmp_path / "free.xml", plain=True, base="free")
    assert ub.load(tmp_path / "free.xml").base == "free"
    assert "base" not in free.headline()
    # MPK has fixed robots only
    report = ub.convert(arm(tmp_path), tmp_path / "arm.rob", plain=True)
    assert report.headline().endswith("; base not stated: written as fixed")


@pytest.mark.parametrize("suffix", CHOREONOID)
def test_a_root_named_world_stays_fixed_with_one_warning(suffix: str, tmp_path: Path) -> None:
    """Choreonoid's own reader of URDF files makes it free, and massless."""
    report = ub.convert(arm(tmp_path, "world"), tmp_path / f"arm.{suffix}", plain=True)
    assert ub.load(tmp_path / f"arm.{suffix}").base == "fixed"
    assert codes(report).count("base-world") == 1
    assert report.headline().startswith("moves the same, ")
    assert str(report.proof).startswith("20 configurations, fixed base: ")
    assert "base-world" not in codes(ub.convert(arm(tmp_path, "world"), tmp_path / "same.urdf"))


@pytest.mark.parametrize("base", ["fixed", "free"])
def test_the_base_of_a_body_file_is_carried_in_urdf(base: Base, tmp_path: Path) -> None:
    source = tmp_path / "arm.body"
    ub.save(ub.load(arm(tmp_path), base=base), source)
    report = ub.convert(source, tmp_path / "arm.urdf")
    (loss,) = [x for x in report.losses if x.path == "base"]
    assert loss.carried
    assert f"but for the base ({base} → unspecified)" in report.headline()
    assert ub.load(tmp_path / "arm.urdf").base == base
    ub.convert(tmp_path / "arm.urdf", tmp_path / "back.body")
    assert ub.diff(ub.load(source), ub.load(tmp_path / "back.body")) == []


def test_a_free_robot_on_a_link_named_world_is_carried_in_urdf(tmp_path: Path) -> None:
    robot = ub.load(arm(tmp_path, "world"), base="free")
    report = ub.save(robot, tmp_path / "again.urdf")
    assert "but for the base (free → fixed)" in report.headline()
    assert "free base for both (fixed in the target)" in str(report.proof)
    assert ub.load(tmp_path / "again.urdf").base == "free"


def test_an_unspecified_base_stays_so_in_urdf(tmp_path: Path) -> None:
    report = ub.convert(arm(tmp_path), tmp_path / "again.urdf")
    assert report.headline() == "moves the same, weighs the same; nothing is lost"
    assert str(report.proof).startswith("20 configurations, unspecified base computed as fixed: ")


@pytest.mark.parametrize("base", ["fixed", "free"])
@pytest.mark.parametrize("root", ["base_link", "world"])
def test_the_option_decides(root: str, base: Base, tmp_path: Path) -> None:
    file = arm(tmp_path, root)
    robot = ub.load(file, base=base)
    assert robot.base == ub.loads(file.read_text("utf-8"), base=base).base == base
    assert "base-world" not in [f.code for f in ub.read(file, base=base).findings]
    unspecified = ub.load(file)
    size = 8 if base == "free" else 1
    assert ub.assemble(robot).nq == ub.assemble(unspecified, base=base).nq == size
    ub.save(unspecified, tmp_path / "saved.body", base=base, plain=True)
    ub.convert(file, tmp_path / "converted.body", base=base, plain=True)
    written = {ub.load(tmp_path / name).base for name in ("saved.body", "converted.body")}
    assert written == {base}
    assert ub.loads(ub.dumps(unspecified, format="body", base=base, plain=True)).base == base


def test_another_word_is_refused() -> None:
    robot = ub.Robot(name="r", links=(ub.Link(name="r"),))
    with pytest.raises(ValueError, match="base must be 'fixed', 'free' or None, not 'floating'"):
        ub.assemble(robot, base="floating")  # type: ignore[arg-type]


def test_the_command_takes_the_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(arm(tmp_path))
    assert main(["fk", file, "--base", "free", "--set", "base_link=0,0,2,1,0,0,0", "--json"]) == 0
    links = json.loads(capsys.readouterr().out)["links"]
    assert links["rod"]["xyz"] == pytest.approx([0.0, 0.0, 2.3])
    assert main(["fk", file, "--set", "base_link=0,0,2,1,0,0,0"]) == 2
    expected = "--set base_link: the base is unspecified; --base free lets the root link move"
    assert expected in capsys.readouterr().err
    for words in (
        ["info", "--only", "summary"],
        ["mass", "--matrix"],
        ["ik", "rod", "--place", "0,0,0.3"],
    ):
        assert main([words[0], file, *words[1:], "--base", "free"]) == 0
    assert "7 for the free base" in capsys.readouterr().out
    assert main(["convert", file, str(tmp_path / "fixed.body"), "--base", "fixed", "--plain"]) == 0
    assert "moves the same, weighs the same" in capsys.readouterr().out
    assert ub.load(tmp_path / "fixed.body").base == "fixed"


@pytest.mark.usefixtures("shared")
def test_published_robots_on_a_link_named_world_are_fixed() -> None:
    files = sorted(DEV.glob("*sdformat/test/integration/*.urdf")) + sorted(DEV.glob("**/Pendulum.urdf"))
    robots = [r.robot for r in map(ub.read, files) if r.robot is not None]
    mounted = [r for r in robots if r.root == "world"]
    assert len(mounted) >= 5
    assert {r.base for r in mounted} == {"fixed"}
    assert {r.base for r in robots if r.root != "world"} == {None}
