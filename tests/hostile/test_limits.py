"""Each limit is met by a small file when it is set low, raised by its option, and told with its code."""

from __future__ import annotations

import gzip
import struct
import time
from collections.abc import Callable
from typing import Any

import pytest

from unibody.files.access import MemoryFiles
from unibody.formats.loader import Reading, read
from unibody.meshes import MeshCache
from unibody.model.shape import MeshFile
from unibody.page.data import Shown, pages_data
from unibody.text.finding import Finding, Findings, TextError
from unibody.text.inventor import parser as inventor
from unibody.text.limits import LIMITS, LimitError, Meter, ReadLimits, values_in, words_in
from unibody.text.node import Node
from unibody.text.rob import parser as rob
from unibody.text.source import Source
from unibody.text.vrml import parser as vrml
from unibody.text.xml import parser as xml
from unibody.text.yaml import parser as yaml

BODY = "format: ChoreonoidBody\nformat_version: 2.0\nname: m\n"
PART = " - { name: A }\n - { type: SubBody, uri: %s, parent: A, prefix: P_ }\n"
WORLD = "#VRML V2.0 utf8\n"


def body(links: str, more: str = "") -> bytes:
    return f"{BODY}links:\n{links}{more}".encode()


def shape(geometry: str) -> bytes:
    return f"{WORLD}Shape {{ {geometry} }}".encode()


FACES = (
    "geometry IndexedFaceSet { coord Coordinate { point [ 0 0 0, 1 0 0, 0 1 0 ] } coordIndex [ 0 1 2 -1 ] }"
)
CHAIN = {
    "m.body": body(PART % "b.body"),
    "b.body": body(PART % "c.body"),
    "c.body": body(" - { name: A }\n"),
}
INLINES = {
    "m.wrl": b'#VRML V2.0 utf8\nInline { url "b.wrl" }',
    "b.wrl": b'#VRML V2.0 utf8\nInline { url "c.wrl" }',
    "c.wrl": shape("geometry Box { }"),
}
FILES_IV = {
    "m.iv": b'#Inventor V2.1 ascii\nFile { name "b.iv" }',
    "b.iv": b'#Inventor V2.1 ascii\nFile { name "c.iv" }',
    "c.iv": b"#Inventor V2.1 ascii\nCube { }",
}
NAMESPACE = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'
XACRO = {
    "m.xacro": f'<robot name="r" {NAMESPACE}><xacro:include filename="b.xacro"/></robot>'.encode(),
    "b.xacro": f'<robot {NAMESPACE}><xacro:include filename="c.xacro"/></robot>'.encode(),
    "c.xacro": f'<robot {NAMESPACE}><link name="a"/></robot>'.encode(),
}
MANY = '<robot name="r"><link name="l"/>' + '<material name="m"/>' * 50 + "</robot>"
ENTITIES = '<!DOCTYPE robot [<!ENTITY n "arm">]><robot name="&n;"><link name="&n;"/></robot>'
PIXELS = "appearance Appearance { texture PixelTexture { image 2 2 1 0 1 2 3 } } geometry Box { }"
TEXTURE = "#Inventor V2.1 ascii\nSeparator { Texture2 { image 2 2 1 0 1 2 3 } Cube { } }"
ALIASES = body(" - { name: A }\n", "a: &a [1x, 2x]\nb: [*a, *a, *a, *a, *a, *a]\n")
CLONES = b"#Inventor V2.1 ascii\nDEF A Separator { Cube { } }\n" + b"USE A\n" * 200


# A text of a few KB whose copies have names of many.
LONG = "p" * 6_400
COPIED = f'<replicate count="20" sep="{LONG}"><body name="b"/></replicate>'
COPIES = f"<mujoco><worldbody>{COPIED}</worldbody></mujoco>"
NAMED = "".join(f'<body name="b{k}"/>' for k in range(20))
ATTACHED = {
    "m.xml": f'<mujoco><asset><model name="a" file="a.xml"/></asset><worldbody>'
    f'<attach model="a" prefix="{LONG}"/></worldbody></mujoco>'.encode(),
    "a.xml": f"<mujoco><worldbody>{NAMED}</worldbody></mujoco>".encode(),
}
CLASSED = {
    "m.xml": ATTACHED["m.xml"].replace(b"</worldbody>", b'<geom class="x" size="1"/></worldbody>'),
    "a.xml": b"<mujoco><default><default class='x'/>%s</default></mujoco>"
    % b"".join(b"<default class='c%d'/>" % k for k in range(20)),
}
CLASSED["m.xml"] = CLASSED["m.xml"].replace(b'class="x"', f'class="{LONG}x"'.encode())
JOINED = {
    "m.body": body(f" - {{ name: A }}\n - {{ type: SubBody, uri: b.body, parent: A, prefix: {LONG} }}\n"),
    "b.body": body(" - { name: A }\n" + "".join(f" - {{ name: L{k}, parent: A }}\n" for k in range(20))),
}
#: The limit, a value that is too low, one that does, and the files; the first is read.
CASES: list[tuple[str, str, str, dict[str, bytes]]] = [
    ("file_bytes", "30", "1000", {"m.urdf": b'<robot name="r"><link name="l"/></robot>'}),
    ("file_bytes", "200", "300", {"m.wrl": gzip.compress(shape("geometry Box { }") + b" " * 200)}),
    ("total_bytes", "200", "400", CHAIN),
    ("total_bytes", "100", "1e4", {"m.wrl": gzip.compress(shape("geometry Box { }") + b" " * 200)}),
    ("depth", "1", "2", {"m.urdf": b'<robot name="r"><link name="l"/></robot>'}),
    ("depth", "2", "3", {"m.body": body(" - { name: A }\n")}),
    ("depth", "2", "3", {"m.wrl": b"#VRML V2.0 utf8\nGroup { children [ Group { } ] }"}),
    ("depth", "1", "2", {"m.iv": b"#Inventor V2.1 ascii\nSeparator { Cube { } }"}),
    ("nodes", "60", "2e2", {"m.urdf": MANY.encode()}),
    ("nodes", "20", "100", CHAIN),
    ("nodes", "8", "100", {"m.wrl": shape(PIXELS)}),
    ("nodes", "200", "1000", {"m.iv": CLONES}),
    ("nodes", "1900", "1e4", {"m.xml": COPIES.encode()}),
    ("nodes", "1900", "1e4", ATTACHED),
    ("nodes", "1900", "1e4", CLASSED),
    ("nodes", "1900", "1e4", JOINED),
    ("parts", "5", "100", {"m.wrl": b"#VRML V2.0 utf8\n" + b"Group{}" * 100}),
    ("includes", "1", "2", CHAIN),
    ("includes", "1", "2", INLINES),
    ("includes", "1", "2", FILES_IV),
    ("includes", "1", "2", XACRO),
    ("aliases", "5", "50", {"m.body": ALIASES}),
    ("entities", "5", "6", {"m.urdf": ENTITIES.encode()}),
    ("numbers", "8", "9", {"m.wrl": shape(FACES)}),
    ("pixels", "3", "4", {"m.wrl": shape(PIXELS)}),
    ("pixels", "3", "4", {"m.iv": TEXTURE.encode()}),
    ("seconds", "0", "100", {"m.urdf": MANY.encode()}),
    ("work", "500", "1e6", {"m.iv": CLONES}),
]
IDS = [f"{name}-{next(iter(files)).rpartition('.')[2]}" for name, _, _, files in CASES]


def within(files: dict[str, bytes], setting: str) -> Reading:
    return read(next(iter(files)), files=MemoryFiles(files, limits=ReadLimits.of([setting])))


def errors(reading: Reading) -> list[Finding]:
    return [f for f in reading.findings if f.severity == "error"]


@pytest.mark.parametrize(("name", "low", "enough", "files"), CASES, ids=IDS)
def test_a_limit_is_met_and_raised(name: str, low: str, enough: str, files: dict[str, bytes]) -> None:
    met = errors(within(files, f"{name}={low}"))
    # what was not expanded has no links
    finding, *others = [f for f in met if f.code != "links-missing"]
    assert not others
    assert finding.code == LIMITS[name]["code"]
    assert f"the limit '{name}'" in finding.message or "decompressed size" in finding.message
    assert f"ReadLimits({name}=" in str(finding.hint)
    assert not errors(within(files, f"{name}={enough}"))


def test_every_limit_has_a_case() -> None:
    assert {name for name, *_ in CASES} | {"triangles", "findings"} == set(LIMITS)


def test_findings_without_end() -> None:
    """What is left out is counted, and errors are found behind thousands of other findings."""
    odd = '<link name="l" odd=""/>' * 40
    files = {"m.urdf": f'<robot name="r">{odd}<joint/><joint/></robot>'.encode()}
    whole = within(files, "findings=inf").findings
    some = within(files, "findings=10").findings
    *_, last = some
    assert (last.code, last.severity) == ("findings-left-out", "warning")
    assert last.message.startswith(f"{len(whole) - len(some) + 1} more findings are not shown")
    assert "ReadLimits(findings=" in str(last.hint)
    assert 0 < len([f for f in some if f.severity == "error"]) <= 20
    assert not [f for f in whole if f.code == "findings-left-out"]


TRIANGLE = struct.pack("<12fH", 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0)
MESHES = {
    "a.stl": b" " * 80 + struct.pack("<I", 3) + TRIANGLE * 3,
    "a.obj": b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 2 0\nf 1 2 3 4 5\n",
    "a.wrl": shape("geometry Box { }"),
    "a.iv": b"#Inventor V2.1 ascii\nCube { }",
    "a.scen": b"format: choreonoid_scene\nscene: { type: Shape, geometry: { type: Box } }\n",
}


@pytest.mark.parametrize("name", MESHES)
def test_triangles_of_a_mesh_file(name: str) -> None:
    for most, count in ((2, 0), (12, 1)):
        files = MemoryFiles(MESHES, limits=ReadLimits(triangles=most))
        cache = MeshCache(files)
        assert len(cache.surfaces(MeshFile(uri=name, path=name))) == count
        found = [f for f in cache.findings if f.severity == "error"]
        assert [f.code for f in found] == ["mesh-too-large"] * (1 - count)
        assert all("ReadLimits(triangles=" in str(f.hint) and name in f.message for f in found)


def test_meshes_count_as_files_of_their_model() -> None:
    mesh = '<visual><geometry><mesh filename="a.stl"/></geometry></visual>'
    robot = f'<robot name="r"><link name="l">{mesh}</link></robot>'.encode()
    files = MemoryFiles({"m.urdf": robot, **MESHES}, limits=ReadLimits(total_bytes=len(robot) + 100))
    assert read("m.urdf", files=files).ok
    cache = MeshCache(files)
    for name in ("a.stl", "a.obj"):
        assert bool(cache.surfaces(MeshFile(uri=name, path=name))) == (name == "a.obj")
    cache.surfaces(MeshFile(uri="b.stl", path="a.stl", scale=(2.0, 2.0, 2.0)))
    assert [f.code for f in cache.findings] == ["load-too-large"]
    # the next load begins anew
    assert read("m.urdf", files=files).ok


def test_nodes_of_a_mesh_file_are_counted_for_itself() -> None:
    files = MemoryFiles(MESHES, limits=ReadLimits(nodes=6))
    cache = MeshCache(files)
    for _ in range(3):
        for scale in (1.0, 2.0):
            assert cache.surfaces(MeshFile(uri="a.iv", path="a.iv", scale=(scale, 1.0, 1.0)))
    assert [f.code for f in cache.findings] == []
    cache.surfaces(MeshFile(uri="a.scen", path="a.scen"))
    assert [f.code for f in cache.findings] == ["too-many-nodes"]


def test_time_is_told_once_for_all_meshes() -> None:
    cache = MeshCache(MemoryFiles(MESHES, limits=ReadLimits(seconds=0.0)))
    for name in MESHES:
        assert cache.surfaces(MeshFile(uri=name, path=name)) == ()
    assert [f.code for f in cache.findings] == ["load-too-long"]


def test_image_files_on_the_page() -> None:
    from unibody.model import shape as s
    from unibody.model.robot import Link, Robot

    image = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 100, 100) + bytes(9)
    texture = s.Texture(uri="a.png", path="a.png")
    box = s.Shape(geometry=s.Box(size=(1.0, 1.0, 1.0)), material=s.Material(texture=texture))
    robot = Robot(name="r", links=(Link(name="l", visuals=(box,)),))
    files = MemoryFiles({"a.png": image}, limits=ReadLimits(pixels=9999))
    page = pages_data([Shown(robot=robot)], MeshCache(files, Findings()))
    assert [f.code for f in page.findings] == ["image-too-large"]
    assert "10000 pixels" in page.findings[0].message


# --- the clock ------------------------------------------------------------------------------


def test_a_load_that_takes_long_is_stopped() -> None:
    files = {"m.iv": b"#Inventor V2.1 ascii\n" + b"Separator { Cube { } }\n" * 20_000}
    started = time.thread_time()
    met = errors(within(files, "seconds=0.05"))
    assert [f.code for f in met] == ["load-too-long"]
    assert time.thread_time() - started < 2.0


def busy(seconds: float) -> None:
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


def test_the_clock_runs_only_while_something_is_read() -> None:
    meter = Meter(ReadLimits(seconds=0.02))
    with meter.running():
        meter.look()
    busy(0.05)
    meter.look()
    with meter.running():
        busy(0.03)
    with pytest.raises(LimitError, match="load-too-long"):
        meter.look()
    meter.begin()
    meter.look()


# --- counting -------------------------------------------------------------------------------

GRAMMAR = rob.Block({"joint": rob.Block({"parent": rob.Field((("", 1),))}, head="name")})
PARSERS: dict[str, tuple[Callable[[Source, Findings], Any], str]] = {
    "xml": (xml.parse, "<r a='1'><b/><b c='2'>text</b></r>"),
    "yaml": (yaml.parse, "a: 1\nb: [x, y, {c: d}]\n"),
    "vrml": (
        vrml.parse,
        WORLD + 'Group { children [ Box { size 1 2 3 } USE b ] } WorldInfo { info ["a"] }',
    ),
    "inventor": (inventor.parse, "#Inventor V2.1 ascii\nSeparator { Cube { width 1 } }"),
    "rob": (lambda s, f: rob.parse(s, GRAMMAR, f), "#MPK v1.0 robot joint B { parent A }"),
}


@pytest.mark.parametrize("name", PARSERS)
def test_what_a_tree_holds_is_counted(name: str) -> None:
    parse, text = PARSERS[name]
    usual = Meter()
    tree = parse(Source("a", text, meter=usual), Findings())
    held = values_in(tree)
    # counted one by one: never fewer than there are, and about as many
    tight = Meter(ReadLimits(nodes=3 * held))
    tight.nodes = 1
    again = parse(Source("a", text * 1, meter=tight), Findings())
    assert again == tree
    for most in range(held // 2):
        with pytest.raises(LimitError):
            parse(Source("a", text, meter=Meter(ReadLimits(nodes=most))), Findings())
    parse(Source("a", text, meter=Meter(ReadLimits(nodes=2 * held + 2))), Findings())


def test_many_small_texts_are_counted_together() -> None:
    meter = Meter(ReadLimits(nodes=1000))
    text = "<r>" + "<a/>" * 40 + "</r>"
    for _ in range(24):
        assert isinstance(xml.parse(Source("a", text, meter=meter), Findings()), Node)
    with pytest.raises(LimitError) as caught:
        xml.parse(Source("a", text, meter=meter), Findings())
    assert caught.value.finding.code == "too-many-nodes"
    meter.end_text()
    xml.parse(Source("a", text, meter=meter), Findings())


def test_words_of_a_text() -> None:
    for text in ("", " ", "1", " 1", "1 ", "1,2", "1, 2\n3", ",,1,,", "é 2"):
        assert words_in(text) == len(text.replace(",", " ").split())


def test_a_list_is_looked_at_in_every_syntax() -> None:
    numbers = "1 2 3 4 5 6 7 8 9 10 11 12"
    limits = ReadLimits(numbers=10)
    trials: list[tuple[Callable[[Source, Findings], object], str]] = [
        (xml.parse, f"<r><a>{numbers}</a></r>"),
        (xml.parse, f"<r a='{numbers}'/>"),
        (yaml.parse, f"a: [{numbers.replace(' ', ', ')}]\n"),
        (vrml.parse, f"{WORLD}Shape {{ geometry IndexedFaceSet {{ coordIndex [ {numbers} ] }} }}"),
        (inventor.parse, f"#Inventor V2.1 ascii\nCoordinate3 {{ point [ {numbers} ] }}"),
    ]
    for parse, text in trials:
        with pytest.raises(TextError) as caught:
            parse(Source("a", text, meter=Meter(limits)), Findings())
        assert caught.value.finding.code == "list-too-long"
        assert "12 numbers" in caught.value.finding.message
