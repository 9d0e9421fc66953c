"""What other programs do with a file: rows are found where they apply, and engines that are here do so."""

from __future__ import annotations

import json
import os
import struct
import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest
from tests.project.tools import ROOT, tool

import unibody as ub
from unibody.checks.engines import Engine, Row, engines
from unibody.checks.engines.conditions import CONDITIONS
from unibody.cli.main import main
from unibody.formats import by_name
from unibody.proof.engines import CHOREONOID, ENGINES, MAPPED, interpreters

PAGE = tool("engine_page")

INERTIAL = """<inertial><mass value="1"/>
  <inertia ixx="0.10" iyy="0.11" izz="0.12" ixy="0" ixz="0" iyz="0"/></inertial>"""
LIMIT = '<limit lower="-1" upper="1" effort="5" velocity="2"/>'
END = f'{LIMIT}<axis xyz="0 0 1"/></joint>'
ARM = f"""<robot name="arm">
  <link name="world"/>
  <link name="arm">{INERTIAL}</link>
  <link name="tool">{INERTIAL}</link>
  <joint name="j" type="revolute"><parent link="world"/><child link="arm"/>{END}
  <joint name="k" type="revolute"><parent link="arm"/><child link="tool"/>{END}
</robot>"""
SLIDE = """<mujoco><worldbody><body><joint name="k" type="slide"/>
  <geom size="0.1"/></body></worldbody></mujoco>"""

CORNERS = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
FACES = ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))
DAE = """<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit meter="1"/><up_axis>Y_UP</up_axis></asset>
  <library_geometries><geometry id="g"><mesh>
    <source id="p"><float_array id="a" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array><technique_common>
      <accessor source="#a" count="4" stride="3"><param name="X" type="float"/>
      <param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
    <triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/>
    <p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles>
  </mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node></visual_scene>
  </library_visual_scenes><scene><instance_visual_scene url="#s"/></scene>
</COLLADA>"""


def meshes() -> dict[str, bytes]:
    """One tetrahedron in files of several formats."""
    faces = [[CORNERS[i] for i in face] for face in FACES]
    records = [struct.pack("<12fH", 0, 0, 0, *(x for corner in face for x in corner), 0) for face in faces]
    loops = ("".join(f"vertex {x} {y} {z}\n" for x, y, z in face) for face in faces)
    text = "".join(f"facet normal 0 0 0\nouter loop\n{loop}endloop\nendfacet\n" for loop in loops)
    head = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
    head += "element face 4\nproperty list uchar int vertex_indices\nend_header\n"
    rows = [f"{x} {y} {z}" for x, y, z in CORNERS] + [f"3 {a} {b} {c}" for a, b, c in FACES]
    return {
        "m.stl": bytes(80) + struct.pack("<I", 4) + b"".join(records),
        "text.stl": f"solid m\n{text}endsolid m\n".encode(),
        "m.ply": (head + "\n".join(rows) + "\n").encode(),
        "m.dae": DAE.encode(),
    }


def arm(*edits: tuple[str, str]) -> str:
    """The arm with edits, each at the last place of its text."""
    text = ARM
    for old, new in edits:
        assert old in text
        before, _, after = text.rpartition(old)
        text = before + new + after
    return text


def with_mesh(file: str, where: str = "collision") -> str:
    shape = f'<{where}><geometry><mesh filename="{file}"/></geometry></{where}>'
    return arm(('<link name="tool">', f'<link name="tool">{shape}'))


FIXED = arm(('"revolute"', '"fixed"'), (LIMIT, ""))
FIXED_BASE = arm(
    ('<link name="world"/>', f'<link name="base">{INERTIAL}</link>'),
    ('link="world"', 'link="base"'),
)
MIMIC = arm(("</joint>", '<mimic joint="j" multiplier="2"/></joint>'))
MASSLESS = arm((f'<link name="tool">{INERTIAL}</link>', '<link name="tool"/>'))
LIGHT = arm(('mass value="1"', 'mass value="1e-6"'))
BOX = '<collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision>'
SHAPED = MASSLESS.replace('<link name="tool"/>', f'<link name="tool">{BOX}</link>')
REVERSED = arm((LIMIT, '<limit lower="1" upper="-1" effort="5" velocity="2"/>'))
ENDLESS = arm(('"revolute"', '"continuous"'), (LIMIT, '<limit effort="5" velocity="2"/>'))
RESISTING = arm(("</joint>", '<dynamics damping="0.3" friction="0.2"/></joint>'))
COMMAS = arm(("0 0 1", "0,0,1"))
BLANKS = arm(("0 0 1", "0, 0, 1"))
VISUAL = arm(('"tool">', '"tool"><visual><geometry><box size="1 1 1"/></geometry></visual>'))
TURNED = arm(("</joint>", '<origin quat_xyzw="0.6 0 0 0.8"/></joint>'))
VERSION = ARM.replace('name="arm">', 'name="arm" version="1.1">', 1)
COMMAS_AT = arm(("</joint>", '<origin xyz="0.1,0.2,0.3"/></joint>'))
# Hinges about the vertical, which gravity does not move, without limits.
ENDLESS_ARM = ARM.replace('"revolute"', '"continuous"')
STUCK = ENDLESS_ARM.replace("</joint>", '<dynamics friction="50"/></joint>')
FLOATING = arm(('"revolute"', '"floating"'), (LIMIT, ""))
WITHOUT_MASS = arm(('<mass value="1"/>', ""))
WITHOUT_INERTIA = arm(('<inertia ixx="0.10" iyy="0.11" izz="0.12" ixy="0" ixz="0" iyz="0"/>', ""))
FLAT = arm(('izz="0.12"', 'izz="-0.12"'))
BARE = arm(('"tool">', '"tool"><collision/>'))
ODD = arm(('"tool">', '"tool"><collision><geometry><blob/></geometry></collision>'))
TEXTURED = arm(
    (
        '<link name="world"/>',
        '<material name="m"><texture filename="m.png"/></material><link name="world"/>',
    ),
    (
        '"tool">',
        '"tool"><visual><geometry><box size="1 1 1"/></geometry><material name="m"/></visual>',
    ),
)
DRIVEN = arm(
    ("</robot>", '<transmission name="t"><joint name="j"/><actuator name="a"/></transmission></robot>')
)
LOST = arm(("</joint>", '<mimic joint="lost"/></joint>'))
FOUR = arm(("</joint>", '<origin xyz="1 2 3 4"/></joint>'))
DECLARED = f'\n<?xml version="1.0"?>\n{ARM}'
LIMITED = arm(('"revolute"', '"continuous"'))
PLANAR = arm(('"revolute"', '"planar"'), (LIMIT, ""))


SDF_INERTIAL = """<inertial>{}<mass>1</mass><inertia><ixx>0.10</ixx><iyy>0.11</iyy><izz>{}</izz>
  <ixy>0</ixy><ixz>0</ixz><iyz>0</iyz></inertia></inertial>"""


def sdf(
    version: str = "1.6",
    kind: str = "revolute",
    pose: str = "",
    izz: str = "0.12",
    axis: str = "<limit><lower>-1</lower><upper>1</upper></limit>",
    inside: str = "",
    turn: str = "",
) -> str:
    """An arm of two links in SDF."""
    own = SDF_INERTIAL.format(turn, izz)
    links = f'<link name="arm">{own}</link><link name="tool">{pose}{own}</link>'
    joint = f'<joint name="k" type="{kind}"><parent>arm</parent><child>tool</child>'
    second = "<axis2><xyz>1 0 0</xyz></axis2>" if kind in ("gearbox", "revolute2") else ""
    if kind == "gearbox":
        joint += "<gearbox_ratio>2</gearbox_ratio><gearbox_reference_body>arm</gearbox_reference_body>"
    axes = f"<axis><xyz>0 0 1</xyz>{axis}</axis>{second}</joint>{inside}"
    return f'<sdf version="{version}"><model name="m">{links}{joint}{axes}</model></sdf>'


SDF_LOOP = """<link name="rod"/><joint name="a" type="ball"><parent>arm</parent><child>rod</child></joint>
<joint name="b" type="ball"><parent>rod</parent><child>tool</child></joint>"""
SDF_MIMIC = """<link name="rod"/><joint name="a" type="revolute"><parent>arm</parent><child>rod</child>
<axis><xyz>0 0 1</xyz><mimic joint="k"><multiplier>2</multiplier><offset>0</offset><reference>0</reference>
</mimic></axis></joint>"""
SDF_REVERSED = "<limit><lower>1</lower><upper>-1</upper></limit>"


class Case(NamedTuple):
    """A file to which a row applies, and what the engine then has, by the names of the probe."""

    model: str
    has: Mapping[str, Any] = MappingProxyType({})
    format: str = "urdf"


REJECTED = {"error": True}
CASES = {
    "mujoco": {
        "root-welded": Case(FIXED_BASE, {"dofs": 2}),
        "fuses-fixed": Case(FIXED, {"bodies": ["world", "arm"]}),
        "drops-visuals": Case(VISUAL, {"shapes": 0}),
        "mesh-formats": Case(with_mesh("m.dae"), REJECTED),
        "mesh-text": Case(with_mesh("text.stl"), REJECTED),
        "packages": Case(with_mesh("package://p/m.stl"), REJECTED),
        "massless": Case(MASSLESS, REJECTED),
        "mass-of-shapes": Case(SHAPED, {"mass": 9.0}),
        "inertias": Case(arm(('izz="0.12"', 'izz="0.5"')), REJECTED),
        "mimic-soft": Case(MIMIC, {"dofs": 2, "constraints": 1}),
        "limits-reversed": Case(REVERSED, {"limited": [True, False]}),
        "commas": Case(BLANKS, REJECTED),
        "quaternions": Case(TURNED, {"turned": False}),
    },
    "pinocchio": {
        "root-welded": Case(FIXED_BASE, {"dofs": 2, "universe": 1.0}),
        "fuses-fixed": Case(FIXED, {"bodies": ["universe", "j"]}),
        "mimic-asked": Case(MIMIC, {"dofs": 2, "asked": 1}),
        "resistance-numbers": Case(RESISTING, {"resists": False}),
        "slide-range": Case(SLIDE, {}, "mjcf"),
        "commas": Case(BLANKS, REJECTED),
    },
    "drake": {
        "root-floats": Case(FIXED_BASE, {"dofs": 8}),
        "friction": Case(RESISTING, {"warned": True}),
        "mesh-formats": Case(with_mesh("m.ply"), REJECTED),
        "mimic-coupler": Case(MIMIC, {"dofs": 2, "constraints": 1}),
        "commas": Case(BLANKS, REJECTED),
        "quaternions": Case(TURNED, {"turned": False}),
        "limits-reversed": Case(REVERSED, REJECTED),
        "limits-endless": Case(LIMITED),
        "sdf-unknown": Case(sdf(inside="<typo>1</typo>"), REJECTED, "sdf"),
        "sdf-joint-types": Case(sdf(kind="revolute2"), REJECTED, "sdf"),
        "sdf-loops": Case(sdf(inside=SDF_LOOP), REJECTED, "sdf"),
        "sdf-mimic": Case(sdf("1.11", inside=SDF_MIMIC), {"dofs": 8, "constraints": 0}, "sdf"),
        "sdf-limits-reversed": Case(sdf(axis=SDF_REVERSED), REJECTED, "sdf"),
    },
    "idyntree": {
        "endless": Case(ENDLESS, {"limits": [[-1.0, 1.0], [0.0, 0.0]]}),
        "mimic": Case(MIMIC, {"dofs": 2}),
        "quaternions": Case(TURNED, {"turned": False}),
        "geometry": Case(BARE, REJECTED),
        "geometry-kinds": Case(ODD, REJECTED),
        "textures": Case(TEXTURED, REJECTED),
        "declaration": Case(DECLARED, REJECTED),
        "joint-kinds": Case(FLOATING, REJECTED),
    },
    "dart": {
        "root-floats": Case(FIXED_BASE, {"dofs": 8}),
        "massless": Case(MASSLESS, {"masses": {"arm": 1.0, "tool": 1.0}}),
        "mimic-servo": Case(MIMIC, {"servos": ["k"]}),
        "commas": Case(BLANKS, REJECTED),
        "version": Case(VERSION, REJECTED),
        "sdf-versions": Case(sdf("1.7"), REJECTED, "sdf"),
        "sdf-inertial-turned": Case(sdf(turn="<pose>0 0 0 0.5 0 0</pose>"), {}, "sdf"),
        "sdf-frames": Case(
            sdf(pose='<pose frame="arm">0 0 1 0 0 0</pose>'), {"heights": {"arm": 0.0, "tool": 1.0}}, "sdf"
        ),
        "sdf-model-axes": Case(sdf("1.4"), {}, "sdf"),
    },
    "sapien": {
        "added-resistance": Case(ARM, {"friction": {"j": 0.05, "k": 0.05}, "damping": [0.05]}),
        "massless": Case(MASSLESS, {"light": ["tool", "world"]}),
        "mimic-force": Case(MIMIC, {"dofs": 2}),
        "root-welded": Case(FIXED_BASE, {"dofs": 2, "fixed": True}),
        "commas": Case(BLANKS, REJECTED),
        "quaternions": Case(TURNED, {"turned": False}),
        "masses": Case(WITHOUT_MASS, REJECTED),
        "inertias-missing": Case(WITHOUT_INERTIA, REJECTED),
        "inertias": Case(FLAT, REJECTED),
        "geometry": Case(BARE, REJECTED),
        "geometry-kinds": Case(ODD, REJECTED),
        "transmissions": Case(DRIVEN, REJECTED),
        "floating": Case(FLOATING, REJECTED),
        "mimics": Case(LOST, REJECTED),
        "numbers": Case(FOUR, REJECTED),
    },
    "pybullet": {
        "root-floats": Case(FIXED_BASE, {"dofs": 8}),
        "inertias": Case(ARM, {"inert": []}),
        "massless": Case(MASSLESS, {"masses": {"world": 0.0, "arm": 1.0, "tool": 1.0}}),
        "added-resistance": Case(ENDLESS_ARM, {"held": True, "damped": True}),
        "friction": Case(STUCK, {"friction": 50.0, "damped": True}),
        "mimic": Case(MIMIC, {"dofs": 2}),
        "fixed-kinds": Case(FLOATING, {"kinds": [False, True]}),
        "commas": Case(COMMAS_AT, {"place": [0.0, 0.0, 0.0]}),
        "mesh-formats": Case(with_mesh("m.ply", "visual"), REJECTED),
        "mesh-text": Case(with_mesh("text.stl"), {"shapes": 0}),
        "limits-reversed": Case(REVERSED, {"limited": [True, False]}),
        "quaternions": Case(TURNED, {"turned": False}),
    },
    "gazebo": {
        "root-floats": Case(FIXED_BASE, {"on_world": []}),
        "light-links": Case(LIGHT, {"masses": {"arm": 1.0}}),
        "fuses-fixed": Case(FIXED, {"masses": {"arm": 2.0}}),
        "mimic": Case(MIMIC, {"joints": ["j", "k"], "couplings": 0}),
        "fixed-kinds": Case(FLOATING, REJECTED),
        "inertias": Case(arm(('izz="0.12"', 'izz="0.5"')), REJECTED),
        "limits-reversed": Case(REVERSED, {"lower": [-1.0, -1.0]}),
        "commas": Case(BLANKS, REJECTED),
        "version": Case(VERSION, REJECTED),
        "quaternions": Case(TURNED, {"turned": False}),
        "sdf-versions": Case(sdf("1.11"), {}, "sdf"),
    },
    "rviz": {"commas": Case(BLANKS), "up-axis": Case(with_mesh("m.dae"))},
    "choreonoid": {
        "root-free": Case(ARM),
        "mimic": Case(MIMIC),
        "dynamics": Case(RESISTING),
        "massless": Case(MASSLESS),
        "mesh-formats": Case(with_mesh("m.ply")),
        "fixed-kinds": Case(PLANAR),
        "up-axis": Case(with_mesh("m.dae")),
    },
    "isaac": {"dynamics": Case(RESISTING), "massless-world": Case(ARM)},
}
ROWS = [(engine, row) for engine in engines().values() for row in engine.rows]
NAMES = [f"{engine.name}-{row.name}" for engine, row in ROWS]
RUN = [(engine, row, case) for engine, cases in CASES.items() for row, case in cases.items() if case.has]
#: Rows about every file that has a joint, or about the root that the clean model has.
ALWAYS = {
    ("sapien", "added-resistance"),
    ("pybullet", "added-resistance"),
    ("pybullet", "inertias"),
    ("choreonoid", "root-free"),
    ("isaac", "massless-world"),
}


def written(folder: Path, case: Case) -> str:
    for name, data in meshes().items():
        (folder / name).write_bytes(data)
    path = folder / f"model{'.xml' if case.format == 'mjcf' else f'.{case.format}'}"
    path.write_text(case.model, "utf-8")
    return str(path)


def found(path: str, engine: Engine, row: Row) -> list[ub.Finding]:
    """The findings of a row: those that begin as it does."""
    begin = f"{engine.title} {row.does.partition('{')[0]}"
    return [each for each in ub.check(path, engines=[engine.name]) if each.message.startswith(begin)]


def test_every_row_has_a_case() -> None:
    assert {name: set(cases) for name, cases in CASES.items()} == {
        engine.name: {row.name for row in engine.rows} for engine in engines().values()
    }
    assert {row.when for _, row in ROWS} == set(CONDITIONS)


def test_rows_that_a_run_shows_are_run() -> None:
    shown = {(e.name, row.name) for e, row in ROWS if "test_engines.py" in row.source}
    assert shown <= {(e, row) for e, row, _ in RUN}


@pytest.mark.parametrize(("engine", "row"), ROWS, ids=NAMES)
def test_a_row_is_found_where_it_applies(tmp_path: Path, engine: Engine, row: Row) -> None:
    case = CASES[engine.name][row.name]
    some = found(written(tmp_path, case), engine, row)
    assert some
    for finding in some:
        assert finding.code == ("engine-rejects" if row.severity == "error" else "engine-reads-otherwise")
        assert (finding.severity, finding.hint) == (row.severity, row.remedy)
        assert finding.at is not None
        assert "{" not in finding.message
    if (engine.name, row.name) not in ALWAYS:
        assert not found(written(tmp_path, Case(ARM)), engine, row)


@cache
def probed(engine: str, path: str) -> dict[str, Any]:
    """What the first interpreter that has the engine finds; the test skips where none has it."""
    for interpreter in interpreters():
        words = [interpreter, str(ROOT / "tests/check/engine_probe.py"), engine, path]
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        done = subprocess.run(
            words, capture_output=True, text=True, timeout=120, env=environment, check=False
        )
        # an engine may end the process for a file that it does not read
        died = {"error": done.stderr} if done.returncode and not done.stdout.strip() else None
        answer: dict[str, Any] = died or json.loads(done.stdout)
        if "absent" not in answer:
            return answer
    pytest.skip(f"{engine} is not installed")


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "row", "case"), RUN, ids=[f"{engine}-{row}" for engine, row, _ in RUN])
def test_the_engine_does_so(tmp_path: Path, engine: str, row: str, case: Case) -> None:
    answer = probed(engine, written(tmp_path, case))
    if case.has == REJECTED:
        assert "error" in answer
    else:
        assert {name: answer.get(name) for name in case.has} == case.has


#: Moments of inertia in kg·m², and whether libsdformat 12.3 accepts them, in URDF and in SDF.
MOMENTS = {
    ("0", "0", "0"): True,
    ("0", "0.1", "0.1"): True,
    ("0.1", "0.1", "0.2"): True,
    ("0", "0", "0.1"): False,
    ("-1e-9", "0.1", "0.1"): False,
    ("0.1", "0.1", "0.21"): False,
}


def with_moments(format: str, moments: tuple[str, str, str]) -> Case:
    model = ARM if format == "urdf" else sdf()
    for axis, was, now in zip("xyz", ("0.10", "0.11", "0.12"), moments, strict=True):
        begin = f'i{axis}{axis}="' if format == "urdf" else f"<i{axis}{axis}>"
        model = model.replace(begin + was, begin + now, 1)
    return Case(model, format=format)


@pytest.mark.parametrize("format", ["urdf", "sdf"])
def test_gazebo_has_one_finding_for_an_inertia(tmp_path: Path, format: str) -> None:
    gazebo = engines()["gazebo"]
    for moments, is_accepted in MOMENTS.items():
        path = written(tmp_path, with_moments(format, moments))
        some = [f for f in ub.check(path, engines=["gazebo"]) if "no body has the inertia" in f.message]
        assert len(some) == (0 if is_accepted else 1), moments
    assert len([row for row in gazebo.rows if row.when == "inertia-odd"]) == 1


@pytest.mark.slow
@pytest.mark.parametrize("format", ["urdf", "sdf"])
def test_libsdformat_accepts_moments_of_zero(tmp_path: Path, format: str) -> None:
    for number, (moments, is_accepted) in enumerate(MOMENTS.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        answer = probed("gazebo", written(folder, with_moments(format, moments)))
        assert ("error" not in answer) is is_accepted, moments


@pytest.mark.slow
@pytest.mark.parametrize("engine", [engine.name for engine in ENGINES])
def test_an_engine_loads_what_no_row_is_about(tmp_path: Path, engine: str) -> None:
    turned = TURNED.replace('quat_xyzw="0.6 0 0 0.8"', 'rpy="1.2 0 0"')
    answer = probed(engine, written(tmp_path, Case(turned)))
    assert (answer["dofs"], answer.get("turned", True)) == (2, True)


@pytest.mark.parametrize(
    ("row", "setting", "model"),
    [
        ("fuses-fixed", 'fusestatic="false"', FIXED),
        ("drops-visuals", 'discardvisual="false"', VISUAL),
    ],
)
def test_a_setting_of_the_file_prevents_a_row(tmp_path: Path, row: str, setting: str, model: str) -> None:
    mujoco = engines()["mujoco"]
    (own,) = (each for each in mujoco.rows if each.name == row)
    text = model.replace('name="arm">', f'name="arm"><mujoco><compiler {setting}/></mujoco>', 1)
    assert not found(written(tmp_path, Case(text)), mujoco, own)


def test_a_text_of_the_file_prevents_a_row(tmp_path: Path) -> None:
    gazebo = engines()["gazebo"]
    (own,) = (each for each in gazebo.rows if each.name == "fuses-fixed")
    kept = '<gazebo reference="k"><preserveFixedJoint>true</preserveFixedJoint></gazebo></robot>'
    assert not found(written(tmp_path, Case(FIXED.replace("</robot>", kept))), gazebo, own)


@pytest.mark.parametrize(
    ("model", "names"),
    [
        (FIXED.replace(f'<link name="arm">{INERTIAL}</link>', '<link name="arm"/>'), []),
        (ARM.replace(f'<link name="arm">{INERTIAL}</link>', '<link name="arm"/>'), ["arm"]),
        (FIXED_BASE.replace(f'<link name="base">{INERTIAL}</link>', '<link name="base"/>'), ["base"]),
        (FIXED.replace('value="1"', 'value="0.7e-6"'), []),
        (LIGHT, ["tool"]),
    ],
)
def test_light_links_have_the_mass_of_what_is_fixed_to_them(
    tmp_path: Path, model: str, names: list[str]
) -> None:
    """Seen in libsdformat 12.3, which also leaves out what a light link carries."""
    gazebo = engines()["gazebo"]
    (own,) = (each for each in gazebo.rows if each.name == "light-links")
    hits = [each.message.split("'")[1] for each in found(written(tmp_path, Case(model)), gazebo, own)]
    assert hits == names


def test_pybullet_reads_commas_with_blanks(tmp_path: Path) -> None:
    pybullet = engines()["pybullet"]
    (commas,) = (row for row in pybullet.rows if row.name == "commas")
    assert not found(written(tmp_path, Case(BLANKS)), pybullet, commas)


def test_a_format_that_a_program_does_not_read_is_an_error() -> None:
    (only,) = ub.check("src/unibody/models/biped.body", engines="sapien")
    assert (only.code, only.severity) == ("engine-rejects", "error")
    assert only.message == "SAPIEN does not read this format; it reads URDF"


def test_findings_of_engines_come_last_in_the_order_of_their_names(tmp_path: Path) -> None:
    path = written(tmp_path, Case(COMMAS))
    words = [each.message.split()[0] for each in ub.check(path, engines="mujoco,drake")]
    assert words[-2:] == ["MuJoCo", "Drake"]


def test_a_robot_has_no_file() -> None:
    with pytest.raises(ValueError, match="question about a file"):
        ub.check(ub.load("src/unibody/models/biped.body"), engines="mujoco")


def test_the_command_tells_and_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, Case(MASSLESS))
    assert main(["check", path, "--engine", "mujoco"]) == 1
    assert "MuJoCo rejects the file: the moving link 'tool' has no mass" in capsys.readouterr().out
    assert main(["check", path, "--engine", "pinocchio"]) == 0
    assert main(["check", path, "--engine", "mujocco"]) == 2
    assert "unknown engine 'mujocco'; did you mean 'mujoco'?" in capsys.readouterr().err


def test_programs_have_the_titles_that_proofs_have() -> None:
    both = [each for each in MAPPED if each.name in engines()]
    assert {*ENGINES, CHOREONOID} == {*both}
    assert [each.title for each in both] == [engines()[each.name].title for each in both]


def test_pybullet_opens_the_meshes_that_the_writer_says() -> None:
    """The writer of URDF warns of mesh files that PyBullet does not open."""
    urdf = by_name("urdf")
    assert urdf is not None
    assert urdf.writer is not None
    writer = urdf.writer()
    opened = next(row.of for row in engines()["pybullet"].rows if row.name == "mesh-formats")
    for suffix in (".stl", ".obj", ".dae", ".ply", ".glb", ".wrl"):
        assert bool(writer.unopened(suffix, False)) == (suffix not in opened)


def test_the_page_is_in_step() -> None:
    assert (ROOT / PAGE.PAGE).read_text("utf-8") == PAGE.page(), f"run {PAGE.HOW}"
