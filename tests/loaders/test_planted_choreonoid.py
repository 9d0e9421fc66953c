"""Slips of published robots in good Body and OpenHRP models: all load, and what is assumed is in them."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.loaders.verdicts import HERE
from tests.shared import DEV, SHARED

import unibody as ub
from unibody.files.access import Files, MemoryFiles
from unibody.files.filesystem import OverlayFileSystem
from unibody.formats.loader import Reading
from unibody.model.robot import Robot

FREE = (-math.inf, math.inf)


def _base(format: str) -> str:
    """The good model of the cases of a format."""
    import yaml

    return str(yaml.safe_load((HERE / f"{format}.yaml").read_text("utf-8"))["base"])


BODY, WRL = _base("body"), _base("openhrp")


def read(name: str, text: str, files: Mapping[str, bytes] | None = None) -> Reading:
    return ub.read(name, files=MemoryFiles({name: text.encode(), **(files or {})}))


def good(name: str, text: str) -> Robot:
    """The robot of a model without errors."""
    robot = read(name, text).robot
    assert robot is not None
    return robot


def planted(
    name: str, text: str, old: str, new: str, code: str, files: Mapping[str, bytes] | None = None
) -> Robot:
    """The robot of a model with one change, which gives a warning and no error."""
    assert text.count(old) == 1, old
    reading = read(name, text.replace(old, new), files)
    assert reading.ok, [str(f) for f in reading.findings]
    assert code in {f.code for f in reading.findings if f.severity == "warning"}, reading.findings
    assert reading.robot is not None
    return reading.robot


def body(old: str, new: str, code: str, files: Mapping[str, bytes] | None = None) -> Robot:
    return planted("m/arm.body", BODY, old, new, code, files)


def wrl(old: str, new: str, code: str, files: Mapping[str, bytes] | None = None) -> Robot:
    return planted("m/arm.wrl", WRL, old, new, code, files)


# --- a broken, empty or unknown part of a sensor, a device, a material or a vendor's node ----------

CAMERA = "width: 320, height: 240"
COLOR = "diffuse: [1, 0, 0]"


@pytest.mark.parametrize(
    ("old", "new", "code", "path", "value"),
    [
        (CAMERA, "width: wide", "odd-value", "width", 0),
        (CAMERA, "width: ", "odd-value", "width", 0),
        (CAMERA, "width: [640]", "odd-value", "width", 640),
        (CAMERA, "width: {x: 1}", "odd-value", "width", 640),
        (CAMERA, "width: 320px", "number-suffix", "width", 320),
        (CAMERA, "frame_rate: fast", "odd-value", "frame_rate", 0.0),
        (CAMERA, "near_clip_distance: nan", "number-not-finite", "near", 0.04),
        (CAMERA, "far_clip_distance: inf", "number-not-finite", "far", 200.0),
        (CAMERA, "field_of_view: wide", "odd-value", "field_of_view", 0.785398),
        (CAMERA, "field_of_view: []", "odd-value", "field_of_view", 0.785398),
        (CAMERA, "lens_type: WIDE", "odd-value", "lens", "normal"),
        (CAMERA, "lens_type: [FISHEYE]", "odd-value", "lens", "normal"),
    ],
)
def test_parts_of_a_camera(old: str, new: str, code: str, path: str, value: object) -> None:
    camera = next(d for d in body(old, new, code).devices if d.name == "EYE")
    assert getattr(camera.spec, path) == value


@pytest.mark.parametrize(
    "new",
    [
        *("id: first", "id: ", "'on': maybe", "name: [A]", "is_optional: 1", "scale: 2"),
        *(
            "max_torque: 5",
            "max_torque: ",
            "max_torque: none",
            "max_torque: {x: 1}",
            "max_torque: [.inf, 1, 1]",
        ),
    ],
)
def test_parts_of_a_force_sensor(new: str) -> None:
    code = "key-twice" if new.startswith("name") else "odd-value"
    robot = body("max_force: [10, 20, 30]", f"max_force: [10, 20, 30], {new}", code)
    spec = next(d.spec for d in robot.devices if isinstance(d.spec, ub.ForceTorque))
    assert spec.max_force == (10.0, 20.0, 30.0)
    assert spec.max_torque[0] == math.inf


@pytest.mark.parametrize(
    ("new", "code"),
    [
        ("diffuse: red", "odd-value"),
        ("diffuse: ", "odd-value"),
        ("diffuse: {r: 1}", "odd-value"),
        ("diffuse: [nan, 0, 0]", "number-not-finite"),
        ("diffuse: [inf, 0, 0]", "number-not-finite"),
        ("specular: shiny", "odd-value"),
        ("emissive: 0", "odd-value"),
        ("ambient: [1]", "odd-value"),
        ("specular_exponent: nan", "number-not-finite"),
        ("shininess: -inf", "number-not-finite"),
    ],
)
def test_parts_of_a_material(new: str, code: str) -> None:
    material = body(COLOR, new, code).link("ARM").visuals[0].material
    assert material is not None
    assert (material.diffuse, material.specular_exponent) == ((1.0, 1.0, 1.0), 25.0)


@pytest.mark.parametrize(
    "new",
    [
        "{type: Nose, name: N, smells: .nan}",
        "{type: Nose}",
        "{type: MarkerDevice, name: N, size: large}",
        "{type: Holder, name: N, max_hold_distance: }",
        "{type: Conveyor, name: N, axis: up}",
        "{type: AGXWireDevice, name: N, id: none}",
        "{type: LivoxMid360, name: N, samples: [1]}",
        "{type: Camera, name: N}",
        "{type: Camera, name: N, format: INFRARED}",
        "{type: Camera, name: N, format: [COLOR]}",
        "{type: RangeSensor, name: N, yaw_step: -1}",
    ],
)
def test_unknown_and_empty_devices(new: str) -> None:
    reading = read("m/arm.body", BODY + f"      - {new}\n")
    assert reading.ok, [str(f) for f in reading.findings]
    assert reading.robot is not None
    assert len(reading.robot.devices) == 4
    assert reading.robot.link("ARM").visuals


# --- an axis of zero on a joint that does not turn -------------------------------------------------


@pytest.mark.parametrize("kind", ["fixed", "free"])
@pytest.mark.parametrize(
    "axis",
    [
        "[0, 0, 0]",
        "[0.0, 0.0, 0.0]",
        "[-0.0, 0, 0]",
        "[0., .0, 0]",
        "[0e0, 0, 0]",
        "\n      - 0\n      - 0\n      - 0",
    ],
)
def test_a_zero_axis_of_a_fixed_joint(kind: str, axis: str) -> None:
    text = BODY.replace("joint_type: revolute", f"joint_type: {kind}")
    robot = planted("m/arm.body", text, "joint_axis: Y", f"joint_axis: {axis}", "axis-zero")
    assert (robot.joint("ARM").kind, robot.joint("ARM").axis) == (kind, (0.0, 0.0, 1.0))


# --- infinite limits ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("new", "what"),
    [
        *((f"joint_range: {v}", "position") for v in ("inf", ".inf", "+inf", "Infinity", "[-inf, inf]")),
        *(
            (f"joint_range: {v}", "position")
            for v in ("[-.inf, .inf]", "['-inf', 'inf']", "[unlimited, .Inf]")
        ),
        *((f"max_joint_velocity: {v}", "velocity") for v in ("inf", ".INF")),
        ("joint_velocity_range: [-.inf, inf]", "velocity"),
        *((f"max_joint_effort: {v}", "effort") for v in ("inf", ".inf")),
        ("joint_range: [-90, inf]", "half"),
    ],
)
def test_infinite_limits(new: str, what: str) -> None:
    limits = body("joint_range: [-90, 90]", new, "odd-value").joint("ARM").limits
    if what == "half":
        assert limits.position == (-math.pi / 2, math.inf)
    else:
        assert getattr(limits, what) == FREE


@pytest.mark.parametrize("word", ["inf", "INF", "+inf", "Inf", "-inf", "[ inf ]"])
@pytest.mark.parametrize("key", ["ulimit 1.5", "llimit -1.5"])
def test_infinite_limits_in_vrml(key: str, word: str) -> None:
    limits = (
        wrl(f"          {key}", f"          {key.split(maxsplit=1)[0]} {word}", "odd-value")
        .joint("ARM")
        .limits
    )
    assert limits.position == ((-1.5, math.inf) if key[0] == "u" else (-math.inf, 1.5))


# --- USE inside the node that it names -------------------------------------------------------------

HULL = "DEF HULL Transform {\n                  children [\n"


@pytest.mark.parametrize(
    "new",
    [
        f"{HULL} USE HULL",
        f"{HULL} USE HULL USE HULL",
        f"{HULL} Group {{ children [ USE HULL ] }}",
        f"{HULL} Group {{ children USE HULL }}",
        f"{HULL} Transform {{ translation 0 0 1 children [ USE HULL ] }}",
        f"{HULL} Switch {{ whichChoice 0 choice [ USE HULL ] }}",
        f"{HULL} Collision {{ children [ USE HULL ] }}",
        f"{HULL} Anchor {{ children [ USE HULL ] }}",
        f"{HULL} Billboard {{ children [ USE HULL ] }}",
        f"{HULL} DEF INNER Group {{ children [ USE INNER ] }}",
        f"{HULL} DEF INNER Group {{ children [ USE HULL USE INNER ] }}",
        f"{HULL} USE ARM_LINK",
    ],
)
def test_use_inside_its_own_node(new: str) -> None:
    robot = wrl(HULL, new + "\n", "use-recursion")
    assert len(robot.link("ARM").visuals) == 1


# --- text that the tokenizers of the loaders skip --------------------------------------------------

END = "          ]\n        }\n      ]\n    }\n  ]\n}\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (END, f"{END}}}\n"),
        (END, f"{END}] }}\n"),
        (END, f"{END}@ end\n"),
        (END, f"{END}<!-- end of the model -->\n"),
        (END, f'{END}"the end"\n'),
        (END, f"{END}[ 1 2 3 ]\n"),
        (END, f"{END};\n"),
        ("DEF ROBOT", 'Script { url 1 "a" } DEF ROBOT'),
        ("DEF ROBOT", "DEF T TimeSensor { cycle [ [ 5 ] ] } DEF ROBOT"),
        ("DEF ROBOT", "PositionInterpolator { 0 1 key } DEF ROBOT"),
        ("DEF ROBOT", "PROTO Unused [ ] { Group { children } } DEF ROBOT"),
        ("DEF ROBOT", "PROTO Unused [ ] { 5 Box { size } } DEF ROBOT"),
        ("DEF ROBOT", r'WorldInfo { title "C:\robots\" } DEF ROBOT'),
        ("DEF ROBOT", r'WorldInfo { info [ "D:\a\", "b" ] } DEF ROBOT'),
    ],
)
def test_text_that_is_skipped(old: str, new: str) -> None:
    robot = wrl(old, new, "vrml-syntax")
    assert (robot.name, [j.name for j in robot.joints], len(robot.devices)) == ("ROBOT", ["ARM"], 2)


@pytest.mark.parametrize(
    "header",
    [
        "#VRML V1.0 ascii",
        "#VRML V1.0 utf8",
        "#VRML V1.0",
        "#VRML V1.0 ascii my robot",
        "\n#VRML V1.0 ascii",
        " \t\r\n #VRML V1.0 ascii",
        "#Inventor V2.1 ascii",
        "#Inventor V2.0 ascii",
        "#X3D V3.0 utf8",
        "#X3D V3.3 utf8 # classic",
    ],
)
def test_the_header_of_another_language(header: str) -> None:
    robot = wrl("#VRML V2.0 utf8", header, "vrml-version")
    assert not ub.diff(good("m/arm.wrl", WRL), robot)


SKIPPED = [
    "Script { { }",
    "Script { url { { { }",
    "Script { [ }",
    "Script { ] }",
    "Script { url [ 'a' }",
    r'Script { url "C:\a\" [ }',
    "Script { # }\n { }",
    "DEF T TimeSensor { { }",
    "TouchSensor { [ [ }",
    "PositionInterpolator { key [ 0 1 keyValue { }",
    'EXTERNPROTO E [ { ] "e.wrl"',
    'EXTERNPROTO E [ field SFInt32 [ ] "e.wrl"',
]


@pytest.mark.parametrize("old", ["DEF ROBOT", "DEF HULL", "DEF ARM Joint"])
@pytest.mark.parametrize("new", SKIPPED)
def test_brackets_that_do_not_match_in_what_is_skipped(old: str, new: str) -> None:
    robot = wrl(old, f"{new} {old}", "vrml-syntax")
    assert (robot.name, [j.name for j in robot.joints], len(robot.devices)) == ("ROBOT", ["ARM"], 2)
    assert len(robot.link("ARM").visuals) == 1


@pytest.mark.parametrize(
    "new",
    [
        "Script { field SFNode n Transform { children [ Group { } ] } }",
        "Script { url \"javascript: function f() { return '}' }\" }",
        r'Script { url "a \" { \" b" }',
        "Script { eventIn SFBool on # { [\n }",
    ],
)
def test_brackets_that_match_in_a_script(new: str) -> None:
    reading = read("m/arm.wrl", WRL.replace("DEF ROBOT", f"{new} DEF ROBOT"))
    assert reading.ok
    assert not [f for f in reading.findings if f.code == "vrml-syntax"]


@pytest.mark.parametrize("old", ["Shape {", "DEF EYE", "DEF SCAN", "DEF ARM Joint", "DEF HULL"])
@pytest.mark.parametrize("new", ["ROUTE A.x TO B.y", "ROUTE A.x TO B.y ROUTE C.x TO D.y"])
def test_routes_among_nodes(old: str, new: str) -> None:
    robot = wrl(old, f"{new} {old}", "vrml-syntax")
    assert not [d for d in ub.diff(good("m/arm.wrl", WRL), robot) if not d.path.startswith("extras")]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("jointAxis 0 1 0\n          llimit", "jointAxis 0, 1, 0,\n          llimit"),
        ("mass 1\n", ",mass,1,\n"),
        ("DEF ROBOT", ",,,DEF ROBOT"),
        ("llimit -1.5", "llimit,-1.5,"),
    ],
)
def test_commas_are_white_space(old: str, new: str) -> None:
    assert WRL.count(old) == 1
    reading = read("m/arm.wrl", WRL.replace(old, new))
    assert reading.ok, reading.findings
    assert reading.robot is not None
    assert reading.robot.joint("ARM").limits.position == (-1.5, 1.5)


# --- names of directories, and NUL characters ------------------------------------------------------

BOX = "geometry: {type: Box, size: [0.1, 0.1, 0.4]}"
SHAPE = f"- type: Shape\n        {BOX}\n        appearance: {{material: {{diffuse: [1, 0, 0]}}}}"
MESHES = {"m/meshes/a.stl": b"solid a\nendsolid a\n", "pkg/package.xml": b"<package/>", "pkg/m/b.stl": b"x"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        *(
            (SHAPE, f"- {{type: Resource, uri: {uri}}}")
            for uri in ("meshes", "meshes/", "./meshes", ".", "..")
        ),
        *((SHAPE, f"- {{type: Resource, uri: {uri}}}") for uri in ("meshes/.", "../m", "meshes/../meshes")),
        (SHAPE, "- {type: Visual, resource: {uri: meshes}}"),
        (SHAPE, "- {type: Collision, resource: {uri: meshes}}"),
        (BOX, "geometry: {type: Resource, uri: meshes}"),
        (f"{{{COLOR}}}", f"{{{COLOR}}}, texture: {{uri: meshes}}"),
    ],
)
def test_a_directory_is_no_mesh(old: str, new: str) -> None:
    robot = body(old, new, "file-special", MESHES)
    assert robot.joint("ARM").kind == "revolute"
    assert [s.geometry.path for s in robot.link("ARM").visuals if isinstance(s.geometry, ub.MeshFile)] in (
        [],
        [""],
    )


@pytest.mark.parametrize(
    "new",
    [
        *('Inline { url "meshes" }', 'Inline { url [ "meshes/" ] }', 'Inline { url "." }'),
        'Shape { appearance Appearance { texture ImageTexture { url "meshes" } } geometry Box { } }',
    ],
)
def test_a_directory_is_no_file_of_vrml(new: str) -> None:
    robot = wrl(HULL, f"{HULL} {new}\n", "file-special", MESHES)
    assert robot.link("ARM").visuals


@pytest.mark.parametrize(
    "old",
    [
        END,
        "DEF ROBOT",
        "mass 1\n",
        "DEF HULL",
        "geometry",
        "jointId 0\n",
        "llimit",
        "ulimit",
        "Shape",
        "Box {",
    ],
)
def test_nul_characters(old: str) -> None:
    at = WRL.index(old)
    reading = read("m/arm.wrl", f"{WRL[:at]}\0{WRL[at:]}")
    assert reading.ok, reading.findings
    (found,) = (f for f in reading.findings if f.code == "nul-character")
    assert found.at is not None
    assert found.at.start == at


# --- real files ------------------------------------------------------------------------

#: Files that Choreonoid loads and unibody does not, with the reason.
EXCEPTIONS: dict[str, str] = {}


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
def test_what_choreonoid_loads_is_loaded() -> None:
    wrong = {}
    with (SHARED / "oracle/INDEX.tsv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            path = row["path"]
            if row["state"] != "FAIL" and Path(path).suffix.lower() in (".body", ".wrl"):
                findings = ub.read(DEV / path).findings
                if found := [str(f) for f in findings if f.severity == "error"]:
                    wrong[path] = found[0]
    assert wrong.keys() == EXCEPTIONS.keys(), wrong


#: Slips to plant in real files: the suffix, the text whose first occurrence is replaced, and the warning.
SLIPS = [
    (".urdf", "</robot>", "<sensor/><transmission/><gazebo/></robot>", "missing"),
    (".urdf", "</robot>", "<sensor name='s'><parent/><camera/></sensor></robot>", "missing"),
    (".urdf", "</robot>", "<material><color rgba='1 0 0 1'/></material></robot>", "name-missing"),
    (".urdf", "</robot>", "</robot>\n</robot>", "text-after-root"),
    (".urdf", "<link", "< link", "xml-syntax"),
    (".urdf", 'xyz="0 0 0"', 'xyz="0, 0, 0"', "number-separator"),
    (".urdf", 'xyz="0 0 0"', 'xyz=""', "number-count"),
    (".wrl", "#VRML V2.0 utf8", "#VRML V1.0 ascii", "vrml-version"),
    (".wrl", "children [", "children [ Script { { }", "vrml-syntax"),
    (".wrl", "children [", "children [ ROUTE A.x TO B.y", "vrml-syntax"),
    (".body", "joint_range:", "joint_range: .inf #", "odd-value"),
]


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize(("suffix", "old", "new", "code"), SLIPS, ids=[f"{s} {c}" for s, _, _, c in SLIPS])
def test_slips_planted_in_real_files(suffix: str, old: str, new: str, code: str) -> None:
    planted = 0
    for path in sorted((DEV).rglob(f"*{suffix}")):
        data = path.read_bytes()
        if (
            len(data) > 100_000
            or old.encode() not in data
            or (suffix == ".wrl" and b"Humanoid" not in data)
        ):
            continue
        if not ub.read(path).ok:
            continue
        slip = data.replace(old.encode(), new.encode(), 1)
        reading = ub.read(path, files=Files(disk=OverlayFileSystem({str(path): slip})))
        assert reading.ok, (path, [str(f) for f in reading.findings if f.severity == "error"])
        found = {f.code for f in reading.findings if f.severity == "warning"}
        planted += code in found
        if planted == 10:
            break
    assert planted >= (4 if suffix == ".body" else 10)
