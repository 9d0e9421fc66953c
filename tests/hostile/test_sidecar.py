"""What a file carries beside what its format can say is input like any other: read, never trusted."""

from __future__ import annotations

import json
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

import unibody as ub
from unibody.formats.loader import Reading
from unibody.model.json import dumps
from unibody.model.shape import MeshFile

ARM = """<robot name="r">
<link name="a"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><geometry><box size="1 1 1"/></geometry></visual></link><link name="b"/>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<unibody>
LINES
</unibody></robot>"""
BOX = '{"type": "Box", "size": [1, 1, 1]}'
GEOMETRY = "links/a/visuals/0/geometry"
HUGE = "9" * 400


def told(folder: Path, *lines: str, **files: str) -> Reading:
    """The reading of the arm with lines beside it; plain, the robot is what its URDF says."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, "utf-8")
    path = folder / "m.urdf"
    path.write_text(ARM.replace("LINES", escape("\n".join(lines))), "utf-8")
    return ub.read(path)


def codes(reading: Reading) -> set[str]:
    """The warnings and errors, apart from that of the link without mass."""
    return {f.code for f in reading.findings if f.severity != "info"} - {"inertia-missing"}


def plain(folder: Path) -> str:
    robot = told(folder / "plain").robot
    assert robot is not None
    return dumps(robot)


@pytest.mark.parametrize(
    "line",
    [
        '["links/a/inertial/mass", 1.0, "nan"]',
        '["links/a/inertial/mass", 1.0, "inf"]',
        '["links/a/inertial/mass", 1.0, NaN]',
        '["links/a/inertial/mass", 1.0, 1e999]',
        f'["links/a/inertial/mass", 1.0, {HUGE}]',
        f'["links/a/inertial/mass", {HUGE}, 2]',
        '["joints/j/limits/position", [-1, 1], ["nan", 1]]',
        '["joints/j/axis", [0, 0, 1], [0, 0, 0]]',
        '["joints/j/axis", [0, 0, 1], ["inf", 0, 0]]',
        '["couplings/j", null, {"joint": "j", "leader": "j", "ratio": "nan"}]',
        '["frames/f", null, {"name": "f", "link": "a", "pose": {"quat": [0, 0, 0, 0]}}]',
        f'["{GEOMETRY}", {BOX}, {{"type": "Box", "size": ["nan", 1, 1]}}]',
        f'["{GEOMETRY}", {BOX}, {{"type": "MeshFile", "uri": "a.stl", "path": "../secret.stl"}}]',
        f'["{GEOMETRY}/path", null, "../secret.stl"]',
        f'["{GEOMETRY}", {BOX}, {{"type": "Mesh", "vertices": [0, 0, 0], "faces": [0, 1, 2, -1]}}]',
        f'["{GEOMETRY}", {BOX}, {{"type": "Mesh", "vertices": [0, 0, 0], "faces": [0, -7, 0, -1]}}]',
        f'["{GEOMETRY}", {BOX}, {{"type": "Mesh", "vertices": [0, 0, 0], "faces": [{HUGE}]}}]',
        '["links/a/name", "a", "b"]',
        '["links/q", null, {"name": "q"}]',
        '["joints/j/parent", "a", "nobody"]',
        '["joints/j/__class__", null, "x"]',
        '["joints/j/at", null, {}]',
        '["' + "x/" * 5000 + '", null, 1]',
        '["extras", [], ' + "[" * 5000 + "]" * 5000 + "]",
    ],
)
def test_an_entry_that_no_model_has(line: str, tmp_path: Path) -> None:
    reading = told(tmp_path / "m", line)
    assert reading.robot is not None
    assert codes(reading) == {"sidecar-stale"}
    assert dumps(reading.robot) == plain(tmp_path)


MESH = f'["{GEOMETRY}", {BOX}, {{"type": "Mesh", "file": "m.obj"}}]'
TURNED = MESH.replace('"file"', '"turned": true, "file"')


@pytest.mark.parametrize("line", [MESH, TURNED])
@pytest.mark.parametrize(
    "text",
    [
        "",
        "f 1 2 3\n",
        "v 0 0 0\nf 1 2 3\n",
        f"v 0 0 0\nf 1 1 {HUGE}\n",
        "v 0 0 0\nf " + "9" * 5000 + "\n",
        "v 0 0 0\nf -1 -1 -1\n",
        "v 0 0 0\nf a b c\n",
        "v 0 0\n",
        "v nan 0 0\nf 1 1 1\n",
        "v 1e999 0 0\nf 1 1 1\n",
        "v 0 0 0\nvn 0 0 1\nf 1//7 1//1 1//1\n",
        "\x00\x01\x02",
    ],
)
def test_a_mesh_file_that_is_none(line: str, text: str, tmp_path: Path) -> None:
    reading = told(tmp_path / "m", line, m_obj=text)
    assert reading.robot is not None
    assert codes(reading) == {"sidecar-stale"}
    assert dumps(reading.robot) == plain(tmp_path)


@pytest.mark.parametrize(
    "text", ["", "{}", "[true]", '["1"]', "[" * 100_000, "[1", "[NaN]", "[1e999]", f"[{HUGE}]", "[0, 1]"]
)
def test_a_file_of_numbers_that_is_none(text: str, tmp_path: Path) -> None:
    line = '{"type": "Mesh", "vertices": {"numbers": "n.json"}, "faces": [0, -1]}'
    reading = told(tmp_path / "m", f'["{GEOMETRY}", {BOX}, {line}]', n_json=text)
    assert reading.robot is not None
    assert codes(reading) == {"sidecar-stale"}
    assert dumps(reading.robot) == plain(tmp_path)


@pytest.mark.parametrize("name", ["../../secret.json", "/etc/hostname", ".ssh/secret.json", "http://a/b"])
@pytest.mark.parametrize("data", ['{"numbers": NAME}', '{"file": NAME}', '{"uri": NAME}'])
def test_files_out_of_reach(name: str, data: str, tmp_path: Path) -> None:
    home = tmp_path / "a/b"
    (home / ".ssh").mkdir(parents=True)
    for secret in (tmp_path / "secret.json", home / ".ssh/secret.json"):
        secret.write_text("[42424242, 0, 0]", "utf-8")
    if "uri" in data:
        value = data.replace("{", '{"type": "MeshFile", ')
    elif "file" in data:
        value = data.replace("{", '{"type": "Mesh", ')
    else:
        value = f'{{"type": "Mesh", "vertices": {data}, "faces": [0, -1]}}'
    reading = told(home, f'["{GEOMETRY}", {BOX}, {value.replace("NAME", json.dumps(name))}]')
    assert reading.robot is not None
    assert codes(reading) & {"outside-model", "uri-not-opened", "file-missing"}
    geometry = reading.robot.links[0].visuals[0].geometry
    assert not (isinstance(geometry, MeshFile) and geometry.path)
    assert "42424242" not in dumps(reading.robot)


def test_a_file_that_is_used_often_counts_often(tmp_path: Path) -> None:
    """A list of a megabyte, named two thousand times, would be 5 GB."""
    mesh = '{"geometry": {"type": "Mesh", "vertices": {"numbers": "n.json"}, "faces": []}}'
    line = f'["links/a/visuals", [{{"geometry": {BOX}}}], [{", ".join([mesh] * 2000)}]]'
    reading = told(tmp_path / "m", line, n_json=json.dumps([0] * 300_000))
    assert "model-too-large" in codes(reading)
    assert reading.robot is None
