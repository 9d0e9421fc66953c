"""Folders in xacro: $(find …), $(dirname) and $(cwd), with relative paths of the caller."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.sampling import few

import unibody as ub
from unibody.cli.main import main
from unibody.files.access import Files
from unibody.formats.recognition import is_model
from unibody.text.hint import hint_text


@pytest.mark.parametrize("how", ["packages", "environment"])
def test_a_relative_package_folder_is_that_of_the_caller(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither ../ of the including file nor of the part that it includes."""
    (tmp_path / "here").mkdir()
    (tmp_path / "model/urdf").mkdir(parents=True)
    (tmp_path / "parts/arm/urdf").mkdir(parents=True)
    (tmp_path / "parts/arm/a.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    shape = '<visual><geometry><mesh filename="file://$(find arm)/a.obj"/></geometry></visual>'
    (tmp_path / "parts/arm/urdf/link.xacro").write_text(f'<robot><link name="a">{shape}</link></robot>')
    head = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
    include = '<xacro:include filename="$(find arm)/urdf/link.xacro"/>'
    (tmp_path / "model/urdf/r.urdf.xacro").write_text(f"{head}{include}</robot>")
    monkeypatch.chdir(tmp_path / "here")
    packages = {"arm": "../parts/arm"} if how == "packages" else {}
    environment = {"ROS_PACKAGE_PATH": "../parts"} if how == "environment" else {}
    files = Files(packages=packages, environment=environment)
    reading = ub.read("../model/urdf/r.urdf.xacro", files=files)
    assert [str(f) for f in reading.findings if f.severity != "info"] == []
    assert reading.robot is not None
    mesh = reading.robot.links[0].visuals[0].geometry
    assert isinstance(mesh, ub.MeshFile)
    assert mesh.path == str(tmp_path / "parts/arm/a.obj")


@pytest.mark.parametrize("place", ["$(dirname)", "$(cwd)/../model"])
def test_folders_of_the_file_and_of_the_caller(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "model").mkdir()
    (tmp_path / "model/part.xacro").write_text('<robot><link name="a"/></robot>')
    head = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
    include = f'<xacro:include filename="{place}/part.xacro"/>'
    (tmp_path / "model/r.urdf.xacro").write_text(f"{head}{include}</robot>")
    monkeypatch.chdir(tmp_path / "here")
    assert ub.load("../model/r.urdf.xacro").root == "a"


HEAD = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
LINK = '<robot><link name="part"/></robot>'


def workspace(tmp_path: Path, files: dict[str, str]) -> Path:
    """A workspace with files; folders that hold one called "package" are packages of that name."""
    for path, text in files.items():
        place = tmp_path / "ws/src" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    for name in ("app", "parts"):
        for place in (tmp_path / "ws/src").rglob(name):
            (place / "package.xml").write_text(f"<package><name>{name}</name></package>")
    return tmp_path / "ws/src"


@pytest.mark.parametrize("parts", ["parts", "repo/parts", "repo/group/parts"])
@pytest.mark.parametrize(
    ("value", "top"),
    [
        ("$(find parts)/urdf/p.xacro", '<xacro:include filename="$(arg file)"/>'),
        (
            "$(find parts)/urdf/p.xacro",
            '<xacro:property name="f" value="$(arg file)"/><xacro:include filename="${f}"/>',
        ),
        ("$(find parts)/urdf", '<xacro:include filename="$(arg file)/p.xacro"/>'),
        ("$(find parts)/urdf/p.xacro", "<xacro:include filename=\"$(eval file + '')\"/>"),
        (
            "$(find parts)/$(optenv NO_SUCH urdf)/p.xacro",
            '<xacro:arg name="other" default="$(arg file)"/><xacro:include filename="$(arg other)"/>',
        ),
    ],
)
def test_a_package_in_the_value_of_an_argument(
    value: str, top: str, parts: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """$(find …) in --arg is expanded where the argument is used, from any working directory."""
    text = f'{HEAD}<xacro:arg name="file" default="none.xacro"/>{top}</robot>'
    src = workspace(tmp_path, {"app/urdf/r.urdf.xacro": text, f"{parts}/urdf/p.xacro": LINK})
    monkeypatch.chdir(tmp_path)
    path = src / "app/urdf/r.urdf.xacro"
    reading = ub.read(path, files=Files(environment={}), arguments={"file": value})
    assert [str(f) for f in reading.findings if f.severity != "info"] == []
    assert reading.robot is not None
    assert reading.robot.root == "part"
    missing = ub.read(path, files=Files(environment={}), arguments={"file": "$(find nowhere)/p.xacro"})
    assert missing.robot is None
    assert "nowhere" in missing.findings[0].message


def test_values_that_refer_to_one_another_end(tmp_path: Path) -> None:
    text = f'{HEAD}<xacro:arg name="a" default=""/><link name="$(arg a)"/></robot>'
    (tmp_path / "r.urdf.xacro").write_text(text)
    robot = ub.load(tmp_path / "r.urdf.xacro", arguments={"a": "$(arg b)", "b": "$(arg a)"})
    assert robot.root == "$(arg b)"


ARM = '<xacro:macro name="arm"><link name="base{0}"/></xacro:macro>'


@pytest.mark.parametrize(
    ("text", "message", "hint", "code"),
    [
        (  # no default
            '<xacro:arg name="n"/><xacro:include filename="a$(arg n)/m.xacro"/>',
            "argument 'n'",
            "--arg n=VALUE",
            "argument-missing",
        ),
        (  # a default that leads nowhere
            '<xacro:arg name="n" default="9"/><xacro:include filename="a$(arg n)/m.xacro"/><xacro:arm/>',
            "'n' is '9'",
            "such as '6', '7'",
            "argument-missing",
        ),
        (  # an empty one, by way of a property
            '<xacro:arg name="n" default=""/><xacro:property name="p" value="$(arg n)"/>'
            '<xacro:include filename="a${p}/m.xacro"/><xacro:arm/>',
            "'n' is ''",
            "such as '6', '7'",
            "argument-missing",
        ),
        (  # an argument made of another one
            '<xacro:arg name="n" default="x"/><xacro:arg name="f" default="a$(arg n)/m.xacro"/>'
            '<xacro:include filename="$(arg f)"/>',
            "'n' is 'x'",
            "such as '6', '7'",
            "argument-missing",
        ),
        (  # a parameter of a macro
            '<xacro:arg name="n" default="x"/><xacro:macro name="m" params="file">'
            '<link name="${xacro.load_yaml(file)[0]}"/></xacro:macro><xacro:m file="a$(arg n)/d.yaml"/>',
            "'n' is 'x'",
            "such as '6'",
            "argument-missing",
        ),
        (  # a model of which another part is there
            '<xacro:arg name="n" default="none"/><xacro:include filename="a$(arg n)/m.xacro"/>'
            '<link name="a"/><joint name="j"><parent link="base6"/><child link="a"/></joint>',
            "'n' is 'none'",
            "such as '6', '7'",
            "argument-missing",
        ),
        (  # no argument
            '<xacro:arg name="n" default="6"/><xacro:include filename="b/m.xacro"/>',
            "is missing",
            "tried",
            "file-missing",
        ),
    ],
)
def test_the_argument_that_leads_to_a_missing_file(
    text: str, message: str, hint: str, code: str, tmp_path: Path
) -> None:
    """One error that names it, with the values for which the file is there, and no bogus robot."""
    files = {"app/r.urdf.xacro": f"{HEAD}{text}</robot>", "app/a6/d.yaml": "[yes]"}
    files |= {f"app/a{n}/m.xacro": f"<robot>{ARM}</robot>".format(n) for n in (6, 7)}
    src = workspace(tmp_path, files)
    reading = ub.read(src / "app/r.urdf.xacro", files=Files(environment={}))
    (error,) = [f for f in reading.findings if f.code not in ("links-missing",) and f.severity == "error"]
    assert error.code == code
    assert message in error.message
    assert hint in hint_text(error.hint, "command")
    if code != "file-missing":
        assert reading.robot is None or reading.robot.links == ()


def test_arguments_and_their_defaults_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (
        f'{HEAD}<xacro:arg name="side" default="left"/><xacro:arg name="prefix" default=""/>'
        '<xacro:if value="false"><xacro:arg name="other" default="$(find x)/a b"/></xacro:if>'
        '<link name="$(arg prefix)$(arg side)"/></robot>'
    )
    path = tmp_path / "r.urdf.xacro"
    path.write_text(text)
    assert ub.read(path).arguments == {"side": "left", "prefix": "", "other": "$(find x)/a b"}
    for verb in ("info", "check"):
        assert main([verb, str(path)]) == 0
        assert "side=left, prefix='', other='$(find x)/a b'" in capsys.readouterr().out
    path.write_text(text.replace('default="left"', ""))
    assert ub.read(path, arguments={"side": "right"}).robot is not None
    assert main(["check", str(path)]) == 2
    assert "side (no default)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (f'{HEAD}<xacro:macro name="m"><link name="a"/></xacro:macro></robot>', True),
        (f'{HEAD}<xacro:property name="p" value="1"/><xacro:arg name="a" default="1"/></robot>', True),
        (
            f'{HEAD}<xacro:include filename="common.xacro"/><xacro:property name="p" value="1"/></robot>',
            True,
        ),
        (
            f'{HEAD}<xacro:if value="1"><xacro:macro name="m"/></xacro:if><material name="red"/></robot>',
            True,
        ),
        (f'{HEAD}<xacro:include filename="$(find app)/common.xacro"/></robot>', True),
        ('<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="a"/></robot>', True),
        (f'{HEAD}<xacro:macro name="m"><link name="a"/></xacro:macro><xacro:m/></robot>', False),
        (
            f'{HEAD}<xacro:include filename="links.xacro"/><xacro:property name="p" value="1"/></robot>',
            False,
        ),
        (f'{HEAD}<xacro:include filename="$(arg f)"/></robot>', False),
        (f'{HEAD}<xacro:if value="1"><link name="a"/></xacro:if></robot>', False),
        (f"{HEAD}</robot>", False),
        # links that hang on one of another file, and a model with a slip
        (
            f'{HEAD}<link name="a"/><joint name="j"><parent link="b"/><child link="a"/></joint></robot>',
            True,
        ),
        (
            f'{HEAD}<link name="a"/><link name="c"/><joint name="j"><parent link="b"/>'
            '<child link="a"/></joint></robot>',
            False,
        ),
        # the same by macros
        (f'{HEAD}<xacro:include filename="tool.xacro"/><xacro:tool parent="hand"/></robot>', True),
        (
            f'{HEAD}<xacro:include filename="tool.xacro"/><link name="hand"/>'
            '<xacro:tool parent="hand"/></robot>',
            False,
        ),
        (f'{HEAD}<xacro:include filename="tool.xacro"/><xacro:tol parent="hand"/></robot>', False),
    ],
)
def test_files_that_only_help_others_are_no_models(
    text: str, part: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        "app/r.urdf.xacro": text,
        "app/common.xacro": f'{HEAD}<xacro:macro name="c"/></robot>',
        "app/links.xacro": LINK,
        "app/tool.xacro": f'{HEAD}<xacro:macro name="tool" params="parent"><link name="tool"/>'
        '<joint name="mount" type="fixed"><parent link="${parent}"/><child link="tool"/></joint>'
        "</xacro:macro></robot>",
    }
    src = workspace(tmp_path, files)
    assert is_model(str(src / "app/r.urdf.xacro")) != part


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        (f"{HEAD}{ARM}</robot>".replace("<xacro:arm/>", ""), "other xacro files include"),
        (f"{HEAD}</robot>", "add at least one <link>"),
        ('<robot name="r"><material name="m"/></robot>', "add at least one <link>"),
    ],
)
def test_the_remedy_for_a_file_without_links(text: str, remedy: str, tmp_path: Path) -> None:
    src = workspace(tmp_path, {"app/r.urdf.xacro": text})
    (finding,) = [f for f in ub.read(src / "app/r.urdf.xacro").findings if f.code == "links-missing"]
    assert remedy in finding.hint


@pytest.mark.parametrize(
    "top",
    few(
        [
            '<xacro:arg name="n" default=""/><xacro:include filename="a$(arg n)/m.xacro"/><xacro:arm/>',
            '<xacro:arg name="n"/><xacro:include filename="a$(arg n)/m.xacro"/><xacro:arm/>',
            '<link name="$(arg n)"/>',
        ],
        1,
    ),
)
def test_a_model_that_needs_arguments_is_no_error_in_a_folder(
    top: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"app/r.urdf.xacro": f"{HEAD}{top}</robot>", "app/a6/m.xacro": f"{HEAD}{ARM}</robot>"}
    src = workspace(tmp_path, files)
    for verb in ("check", "info"):
        assert main([verb, str(src)]) == 0
    assert "argument-missing" in capsys.readouterr().out
    assert main(["check", str(src), "--fail-on", "warning"]) == 1
    # a file that is named itself is to be read
    assert main(["check", str(src / "app/r.urdf.xacro")]) == 2
    assert main(["check", str(src / "app/r.urdf.xacro"), "--fail-on", "error"]) == 1
    # another error stays one
    (src / "app/r.urdf.xacro").write_text(f"{HEAD}<xacro:none/></robot>")
    assert main(["check", str(src)]) == 1
