"""Names in every encoding, line end and spelling that files have, each in every format."""

from __future__ import annotations

import struct
import unicodedata
from pathlib import Path

import pytest

import unibody as ub
from unibody.files.access import MemoryFiles
from unibody.formats.loader import Reading, read
from unibody.model.shape import MeshFile
from unibody.text.finding import Findings

# Letters whose second byte is a backslash, a bracket, a brace or a bar in Shift-JIS.
NAME = "ソ表能_右腕ゼボ"
MESH = "部品/表 能ソ.stl"
STL = (
    b"\0" * 80
    + struct.pack("<I", 1)
    + struct.pack("<12f", *([0.0] * 3), 0, 0, 0, 1, 0, 0, 0, 1, 0)
    + b"\0\0"
)

URDF = """\
<?xml version="1.0"?>
<!-- 表 -->
<robot name="r">
  <link name="{name}"><visual><geometry><mesh filename="{mesh}"/></geometry></visual></link>
  <link name="表" ><表/></link>
  <joint name="{name}" type="fixed"><parent link="{name}"/><child link="表"/><origin rpy="wrong"/></joint>
</robot>
"""
BODY = """\
format: ChoreonoidBody
format_version: 2.0
name: r  # 表
links:
  -
    name: {name}
    joint_type: fixed
    elements:
      - {{ type: Visual, elements: [{{ type: Resource, uri: "{mesh}" }}] }}
  - {{ name: 表, parent: {name}, joint_type: fixed, mass: wrong }}
"""
WRL = """\
#VRML V2.0 utf8
# 表
PROTO Humanoid [ exposedField SFString name "" exposedField MFNode humanoidBody [] ] {{ Group {{}} }}
PROTO Joint [ exposedField SFString name "" exposedField MFNode children [] exposedField SFInt32 jointId -1
  exposedField SFString jointType "" ] {{ Transform {{ children IS children }} }}
PROTO Segment [ exposedField SFString name "" exposedField MFNode children [] ] {{ Group {{ }} }}
DEF r Humanoid {{ name "r" humanoidBody [ DEF {name} Joint {{ jointType "fixed" jointId -1 children [
  DEF {name}_S Segment {{ children [ Inline {{ url "{mesh}" }} ] }}
  DEF 表 Joint {{ jointType "wrong" }} ] }} ] }}
"""
ROB = """\
#MPK v1.0 robot
# 表
joint {name} {{
  ConstTransl 0 0 0.25
  model0 "{mesh}"
}}
joint 表 {{
  parent {name}
  ConstTransl 0 0 wrong
}}
"""
FORMATS = {"urdf": URDF, "body": BODY, "wrl": WRL, "rob": ROB}
ENCODINGS = {
    "utf-8": "",
    "utf-8-sig": "",
    "utf-16": "",
    "utf-16-le": "UTF-16 (little-endian)",
    "utf-16-be": "UTF-16 (big-endian)",
    "cp932": "Shift-JIS",
    "euc_jp": "EUC-JP",
}
ENDS = {"lf": "\n", "crlf": "\r\n", "cr": "\r"}


def codes(reading: Reading) -> list[str]:
    return [f.code for f in reading.findings if f.severity != "info"]


def meshes(reading: Reading) -> list[MeshFile]:
    assert reading.robot is not None
    shapes = [x for link in reading.robot.links for x in link.visuals]
    return [x.geometry for x in shapes if isinstance(x.geometry, MeshFile)]


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("suffix", FORMATS)
def test_names_meshes_and_places(suffix: str, encoding: str, end: str, tmp_path: Path) -> None:
    """The name of the mesh is in the file's encoding, and on the disk in that of the disk."""
    (tmp_path / "部品").mkdir()
    (tmp_path / MESH).write_bytes(STL)
    written = FORMATS[suffix].format(name=NAME, mesh=MESH)
    lines = written.split("\n")
    path = tmp_path / f"ロボット の腕.{suffix}"
    path.write_bytes(written.replace("\n", ENDS[end]).encode(encoding))
    reading = ub.read(path)
    assert reading.robot is not None, [str(f) for f in reading.findings]
    assert [link.name for link in reading.robot.links][:2] == [NAME, "表"]
    assert [Path(mesh.path) for mesh in meshes(reading)] == [tmp_path / MESH]
    guessed = [f.message for f in reading.findings if f.code == "encoding-guessed"]
    assert len(guessed) == bool(ENCODINGS[encoding])
    assert ENCODINGS[encoding] in "".join(guessed)
    # What is wrong is told with its place, in characters, whatever bytes and line ends are.
    places = [f.at for f in reading.findings if f.at and f.severity != "info"]
    at = [lines[place.line - 1][place.column - 1 :] for place in places]
    assert any(rest.startswith(("wrong", '"wrong', 'rpy="wrong')) for rest in at), at
    # The line is shown with the mark under the letter, which is wide.
    for finding in reading.findings:
        if finding.at:
            shown, caret = finding.at.excerpt(10_000).split("\n")
            assert shown.strip() == lines[finding.at.line - 1].strip()
            assert caret.strip(" ^") == ""


@pytest.mark.parametrize(
    ("declared", "codec"),
    [("Shift_JIS", "cp932"), ("EUC-JP", "euc_jp"), ("UTF-16", "utf-16"), ("ISO-8859-1", "latin-1")],
)
def test_a_declared_encoding_needs_no_guess(declared: str, codec: str, tmp_path: Path) -> None:
    name = "café_ü" if codec == "latin-1" else NAME
    text = f'<?xml version="1.0" encoding="{declared}"?>\n<robot name="r"><link name="{name}"/></robot>'
    (tmp_path / "a.urdf").write_bytes(text.encode(codec))
    reading = ub.read(tmp_path / "a.urdf")
    assert reading.robot is not None
    assert reading.robot.links[0].name == name
    assert codes(reading) == []


@pytest.mark.parametrize("suffix", FORMATS)
def test_latin_1(suffix: str, tmp_path: Path) -> None:
    """A degree sign or an accent in an old file."""
    text = FORMATS[suffix].replace("表", "Gelenk").format(name="Gelénk_45°", mesh="Füße.stl")
    (tmp_path / "Füße.stl").write_bytes(STL)
    (tmp_path / f"a.{suffix}").write_bytes(text.encode("latin-1"))
    reading = ub.read(tmp_path / f"a.{suffix}")
    assert reading.robot is not None
    assert reading.robot.links[0].name == "Gelénk_45°"
    assert [Path(mesh.path) for mesh in meshes(reading)] == [tmp_path / "Füße.stl"]
    assert "encoding-guessed" in codes(reading)


def test_what_is_saved_is_utf_8(tmp_path: Path) -> None:
    text = URDF.replace('<origin rpy="wrong"/>', "").format(name=NAME, mesh=MESH)
    (tmp_path / "部品").mkdir()
    (tmp_path / MESH).write_bytes(STL)
    (tmp_path / "a.urdf").write_bytes(text.encode("cp932"))
    robot = ub.load(tmp_path / "a.urdf")
    for suffix in ("urdf", "body", "wrl"):
        ub.save(robot, tmp_path / f"出力 {suffix}/腕.{suffix}")
        again = read(str(tmp_path / f"出力 {suffix}/腕.{suffix}"))
        assert again.robot is not None
        assert [link.name for link in again.robot.links] == [NAME, "表"], suffix
        assert "encoding-guessed" not in codes(again)


# --- spellings of a path --------------------------------------------------------------------------

NFC, NFD = (unicodedata.normalize(form, "ガ部é.stl") for form in ("NFC", "NFD"))
NAMES = (
    *("/d/m/r.urdf", "/d/m/a.stl", "/d/m/meshes/a.stl", "/d/m/meshes/a b.stl", "/d/m/meshes/a#b.stl"),
    *("/d/m/meshes/a?b.stl", "/d/m/meshes/a%20c.stl", "/d/m/meshes/a c.stl", "/d/m/meshes/100%.stl"),
    *("/d/meshes/up.stl", "/d/m/meshes/表.stl", f"/d/m/nfc/{NFC}", f"/d/m/nfd/{NFD}", "/etc/passwd"),
)
DISK = dict.fromkeys(NAMES, b"")


@pytest.mark.parametrize(
    ("uri", "path", "code"),
    [
        ("meshes/a b.stl", "meshes/a b.stl", ""),
        (" meshes/a b.stl ", "meshes/a b.stl", ""),
        ("./meshes//a.stl", "meshes/a.stl", ""),
        ("meshes/a#b.stl", "meshes/a#b.stl", ""),
        ("meshes/a?b.stl", "meshes/a?b.stl", ""),
        ("meshes/100%.stl", "meshes/100%.stl", ""),
        ("meshes/表.stl", "meshes/表.stl", ""),
        # A name that is there as it is written is that file.
        ("meshes/a%20c.stl", "meshes/a%20c.stl", ""),
        ("meshes/a%20b.stl", "meshes/a b.stl", "uri-escaped"),
        ("meshes/a%23b.stl", "meshes/a#b.stl", "uri-escaped"),
        ("meshes/%E8%A1%A8.stl", "meshes/表.stl", "uri-escaped"),
        ("package://m/meshes/a%20b.stl", "meshes/a b.stl", ""),
        ("file:meshes/a%20b.stl", "meshes/a b.stl", ""),
        ("file:///d/m/meshes/a%20b.stl", "meshes/a b.stl", ""),
        ("meshes\\a.stl", "meshes/a.stl", "uri-backslash"),
        (".\\meshes\\a b.stl", "meshes/a b.stl", "uri-backslash"),
        ("..\\meshes\\up.stl", "../meshes/up.stl", "uri-backslash"),
        ("MESHES/A.STL", "meshes/a.stl", "file-case"),
        (f"nfc/{NFC}", f"nfc/{NFC}", ""),
        (f"nfd/{NFD}", f"nfd/{NFD}", ""),
        (f"nfc/{NFD}", f"nfc/{NFC}", "file-composed"),
        (f"nfd/{NFC}", f"nfd/{NFD}", "file-composed"),
        ("C:\\models\\a.stl", "a.stl", "uri-drive"),
        ("c:/models/a.stl", "a.stl", "uri-drive"),
        ("file:///C:/models/a.stl", "a.stl", "uri-drive"),
        ("C:\\models\\none.stl", None, "outside-model"),
        ("C:\\models\\", None, "outside-model"),
        ("C:\\models\\..", None, "outside-model"),
        ("\\\\server\\share\\a.stl", "a.stl", "uri-elsewhere"),
        ("\\\\server\\share\\none.stl", None, "uri-not-opened"),
        ("//server/share/none.stl", None, "uri-not-opened"),
        ("/etc/passwd", None, "outside-model"),
        ("..%2f..%2fetc%2fpasswd", None, "outside-model"),
        ("%2e%2e/%2e%2e/etc/passwd", None, "file-missing"),
        ("..\\..\\etc\\passwd", None, "file-missing"),
        ("C:\\..\\..\\etc\\passwd", None, "outside-model"),
        ("meshes/a.stl%00.png", None, "file-missing"),
        ("meshes/a\0.stl", None, "file-missing"),
        ("meshes/%zz%.stl", None, "file-missing"),
        ("%83%5c.stl", None, "file-missing"),
        ("x" * 5000, None, "file-missing"),
    ],
)
def test_spellings(uri: str, path: str | None, code: str) -> None:
    findings = Findings()
    found = MemoryFiles(DISK).resolve(uri, "/d/m/r.urdf", None, findings)
    wanted = None if path is None else "/d/meshes/up.stl" if path.startswith("..") else f"/d/m/{path}"
    assert found == wanted
    assert [f.code for f in findings] == ([code] if code else [])
    assert all(len(f.message) < 500 for f in findings)


def test_the_same_on_a_real_disk(tmp_path: Path) -> None:
    """Where the disk itself takes one spelling for the other, there is nothing to say."""
    (tmp_path / NFD).write_bytes(STL)
    (tmp_path / "a.urdf").write_text(URDF.format(name="a", mesh=NFC), "utf-8")
    reading = ub.read(tmp_path / "a.urdf")
    assert [unicodedata.normalize("NFC", Path(mesh.path).name) for mesh in meshes(reading)] == [NFC]
    assert Path(meshes(reading)[0].path).is_file()


def test_a_name_of_bytes_that_are_no_letters(tmp_path: Path) -> None:
    """A folder with a name in Shift-JIS on a disk in UTF-8: the model beside it is read and told of."""
    folder = tmp_path / b"\x83\x5c\x95\x5c".decode("utf-8", "surrogateescape").replace("\\", "")
    try:
        folder.mkdir()
    except OSError:
        pytest.skip("this disk has no such names")
    path = folder / "a.urdf"
    path.write_text(URDF.format(name="a", mesh="a.stl"), "utf-8")
    reading = ub.read(path)
    assert reading.robot is not None
    assert "file-missing" in codes(reading)
    for finding in reading.findings:
        finding.text().encode("utf-8", "backslashreplace")
    assert ub.load(_saved(reading, folder)).links[0].name == "a"


def _saved(reading: Reading, folder: Path) -> Path:
    assert reading.robot is not None
    ub.save(reading.robot, folder / "b.body")
    return folder / "b.body"
