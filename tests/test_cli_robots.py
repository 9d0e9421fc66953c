"""``unibody robots``, and its robots as models: with a package and a cache of the test's own."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import unibody as ub
from unibody.cli.main import main
from unibody.formats import descriptions
from unibody.formats.loader import read
from unibody.text.installation import install_command

URDF = """<robot name="arm"><link name="base"/><link name="hand"><visual><geometry>
<mesh filename="package://arm_pkg/hand.stl"/></geometry></visual></link>
<joint name="turn" type="continuous"><parent link="base"/><child link="hand"/></joint></robot>"""
SRDF = """<robot name="arm"><group name="all"><joint name="turn"/></group></robot>"""
XACRO = """<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:arg name="side" default="l"/>
<link name="$(arg side)_base"/><xacro:include filename="$(find arm_pkg)/more.xacro"/></robot>"""
MORE = """<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="tip"/><joint name="j" type="fixed">
<parent link="$(arg side)_base"/><child link="tip"/></joint></robot>"""
MJCF = """<mujoco><worldbody><body name="b"><freejoint/><geom size="1"/></body></worldbody></mujoco>"""

LISTS = """
from enum import IntEnum
from types import SimpleNamespace as N

class Format(IntEnum):
    URDF, MJCF, SRDF = range(3)

def entry(maker, *formats):
    return N(formats=frozenset(formats), robot="Arm", maker=maker, repository="arms")

DESCRIPTIONS = {
    "arm_description": entry("A", Format.URDF, Format.SRDF),
    "arm_xacro_description": entry("A", Format.URDF),
    "arm_mj_description": entry("B", Format.MJCF),
    "arm_two_description": entry("B", Format.MJCF),
    "gone_description": entry("B", Format.URDF),
    "broken_description": entry("B", Format.MJCF),
    "far_description": N(formats=frozenset([Format.URDF]), robot="Far", maker="C", repository="far"),
}
"""
REPOSITORIES = """
from types import SimpleNamespace as N
PATHS = {"arms": "the_arms", "far": "far"}
REPOSITORIES = {name: N(cache_path=path, url="none") for name, path in PATHS.items()}
"""
HEAD = """
from ._cache import clone_to_cache
REPOSITORY_PATH = clone_to_cache("{}", commit=None)
PACKAGE_PATH = REPOSITORY_PATH + "/arm_pkg"
"""
CLONES = """
import os
def clone_to_cache(name, commit=None):
    print("cloning", name)
    if os.environ.get("CLONES") != "yes":
        raise OSError("no network\\nat all")
    folder = os.path.join(os.environ["ROBOT_DESCRIPTIONS_CACHE"], name)
    os.makedirs(folder + "/arm_pkg")
    with open(folder + "/arm_pkg/far.urdf", "w") as file:
        file.write('<robot name="far"><link name="x"/></robot>')
    return folder
"""
FILES = {
    "__init__.py": "",
    "_descriptions.py": LISTS,
    "_repositories.py": REPOSITORIES,
    "_cache.py": CLONES,
    "arm_description.py": HEAD.format("arms")
    + "URDF_PATH = PACKAGE_PATH + '/urdf/arm.urdf'\nSRDF_PATH = REPOSITORY_PATH + '/other/arm.srdf'\n",
    "arm_xacro_description.py": HEAD.format("arms")
    + "XACRO_PATH = PACKAGE_PATH + '/urdf/arm.xacro'\nXACRO_ARGS = {'side': 'right'}\n"
    + "XACRO_PACKAGE_PATHS = {'arm_pkg': PACKAGE_PATH}\n",
    "arm_mj_description.py": HEAD.format("arms") + "MJCF_PATH = REPOSITORY_PATH + '/m.xml'\n",
    "arm_two_description.py": HEAD.format("arms")
    + "URDF_PATH = PACKAGE_PATH + '/urdf/arm.urdf'\nMJCF_PATH = REPOSITORY_PATH + '/m.xml'\n",
    "gone_description.py": HEAD.format("arms") + "URDF_PATH = PACKAGE_PATH + '/urdf/gone.urdf'\n",
    "broken_description.py": HEAD.format("arms") + "raise RuntimeError('no such\\nthing')\n",
    "far_description.py": HEAD.format("far") + "URDF_PATH = PACKAGE_PATH + '/far.urdf'\n",
}
CACHE = {
    "the_arms/arm_pkg/urdf/arm.urdf": URDF,
    "the_arms/arm_pkg/urdf/arm.xacro": XACRO,
    "the_arms/arm_pkg/more.xacro": MORE,
    "the_arms/arm_pkg/hand.stl": "solid x\nendsolid x\n",
    "the_arms/other/arm.srdf": SRDF,
    "the_arms/m.xml": MJCF,
}


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the cache of a package with five robots, in an empty current folder."""
    write(tmp_path / "site/robot_descriptions", FILES)
    write(tmp_path / "cache", CACHE)
    (tmp_path / "here").mkdir()
    for name in [x for x in sys.modules if x.partition(".")[0] == descriptions.PACKAGE]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.setenv("ROBOT_DESCRIPTIONS_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path / "here")
    yield tmp_path / "cache"
    for name in [x for x in sys.modules if x.partition(".")[0] == descriptions.PACKAGE]:
        del sys.modules[name]


def test_the_list(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["robots"]) == 0
    assert capsys.readouterr().out.replace(str(cache), "CACHE") == (
        "name                   robot  maker  formats    cached\n"
        "arm_description        Arm    A      srdf urdf  yes\n"
        "arm_mj_description     Arm    B      mjcf       yes\n"
        "arm_two_description    Arm    B      mjcf       yes\n"
        "arm_xacro_description  Arm    A      urdf       yes\n"
        "broken_description     Arm    B      mjcf       yes\n"
        "far_description        Far    C      urdf       no\n"
        "gone_description       Arm    B      urdf       yes\n"
        "7 robots, 6 in CACHE\n"
    )
    assert main(["robots", "arm", "--cached", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["cache"] == str(cache)
    assert found["robots"][0] == {
        "name": "arm_description",
        "robot": "Arm",
        "maker": "A",
        "formats": ["srdf", "urdf"],
        "cached": True,
    }
    assert main(["robots", "nothing"]) == 0
    assert capsys.readouterr().out == f"0 robots, 0 in {cache}\n"


def test_a_name_is_a_model(cache: Path) -> None:
    arm = read("arm_description")
    assert arm.robot is not None
    assert [f.code for f in arm.findings if f.severity != "info"] == []
    assert [group.name for group in arm.robot.groups] == ["all"]
    assert ub.load("arm_description", srdf="").groups == ()
    assert [link.name for link in ub.load("arm_xacro_description").links] == ["right_base", "tip"]
    left = ub.load("arm_xacro_description", arguments={"side": "left"})
    assert left.root == "left_base"
    assert ub.load("arm_mj_description").root == "b"
    assert ub.load("arm_two_description").root == "b"
    assert "robot_descriptions.arm_description" not in sys.modules


def test_commands_take_names(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "arm_mj_description", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["file"].endswith("m.xml")
    assert main(["view", "arm_description", "--html", "arm.html"]) == 0
    assert main(["convert", "arm_mj_description", "arm.urdf"]) == 0
    assert Path("arm.urdf").is_file()
    assert main(["diff", "arm_mj_description", "arm.urdf", "--json"]) in (0, 1)


def test_a_file_of_the_name_comes_first(cache: Path) -> None:
    Path("arm_description").write_text('<robot name="mine"><link name="x"/></robot>', "utf-8")
    assert ub.load("arm_description").name == "mine"
    assert ub.load("./arm_description").name == "mine"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("far_description", "download it: unibody robots --fetch far_description"),
        ("arm_descripton", "did you mean 'arm_description'? (see unibody robots)"),
        ("broken_description", "the module of 'broken_description' in robot_descriptions fails: no such"),
        ("gone_description", "and download it again: unibody robots --fetch gone_description"),
        ("something", ""),
    ],
)
def test_what_to_do(name: str, hint: str, cache: Path) -> None:
    (finding,) = read(name).findings
    assert finding.code == "file-missing"
    assert str(finding.hint or "").endswith(hint)
    assert bool(finding.hint) == bool(hint)


def test_without_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(descriptions, "PACKAGE", "no_such_package_here")
    assert main(["robots"]) == 2
    shown = capsys.readouterr().err
    assert "needs the package no_such_package_here" in shown
    assert install_command("robots") in shown
    assert main(["info", "panda_description"]) == 2
    assert install_command("robots") in capsys.readouterr().err


def test_only_fetch_downloads(
    cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["robots", "--fetch", "far_description"]) == 2
    assert "'far_description' cannot be downloaded: no network\n" in capsys.readouterr().err
    assert main(["robots", "--fetch", "arm_descripton"]) == 2
    assert "did you mean 'arm_description'?" in capsys.readouterr().err
    assert main(["robots", "arm", "--fetch", "far_description"]) == 2
    capsys.readouterr()
    monkeypatch.setenv("CLONES", "yes")
    assert main(["robots", "--fetch", "far_description"]) == 0
    shown = capsys.readouterr()
    assert shown.out == f"{cache / 'far/arm_pkg/far.urdf'}\n"
    assert "cloning far" in shown.err
    assert ub.load("far_description").name == "far"


def test_a_failed_download_is_not_cached(cache: Path) -> None:
    (cache / "far/.git").mkdir(parents=True)
    assert {x.name: x.cached for x in descriptions.descriptions()}["far_description"] is False


def test_the_package_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("robot_descriptions", reason="needs the extra 'robots' (robot_descriptions)")
    monkeypatch.setenv("ROBOT_DESCRIPTIONS_CACHE", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    found = descriptions.descriptions()
    assert len(found) > 150
    assert {word for x in found for word in x.formats} == {"urdf", "mjcf", "srdf"}
    assert not any(x.cached for x in found)
    # every module runs without the network, and names a file
    for x in found:
        Path(x.folder, "there").mkdir(parents=True, exist_ok=True)
    failed = []
    for x in found:
        try:
            failed.append(f"{x.name}: {descriptions.locate(x.name)} is there")
        except descriptions.DescriptionError as error:
            # the repositories are empty
            if f"has the robot in {tmp_path}" not in str(error):
                failed.append(f"{x.name}: {error}")
    # those of several repositories, and one that reads its URDF
    assert {each.partition(":")[0] for each in failed} <= {
        "eve_r3_description",
        "tiago_official_description",
    }
    assert "robot_descriptions._cache" not in sys.modules
    write(tmp_path, {"mujoco_menagerie/franka_emika_panda/panda.xml": MJCF})
    assert ub.load("panda_mj_description").root == "b"
