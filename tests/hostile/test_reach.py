"""What a model names is judged by where it leads: nothing outside is opened, and nothing of it is told."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import unibody as ub
from unibody.cli.main import main
from unibody.files.access import FileError, Files
from unibody.files.filesystem import Listing, LocalFileSystem
from unibody.formats.loader import Reading, read
from unibody.meshes import MeshCache
from unibody.model.json import dumps
from unibody.text.finding import Finding, Findings

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs links, pipes and devices")

SECRET = "root-x-0-0-a-secret"
NAMESPACE = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'
STL = (
    "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
    "endloop\nendfacet\nendsolid a\n"
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """top/ws/arm is the model's folder; top/secret and top/ws2 are none of its business."""
    (tmp_path / "top/.secret").mkdir(parents=True)
    (tmp_path / "top/.secret/a.stl").write_text(SECRET)
    for name in ("top/ws/arm/urdf", "top/ws/meshes", "top/secret", "top/ws2"):
        (tmp_path / name).mkdir(parents=True)
    for name in (
        "a.stl",
        "a.body",
        "a.wrl",
        "a.iv",
        "a.yaml",
        "a.xacro",
        "a.png",
        "a.mtl",
        "a.bin",
        "a.rob",
        "a.sdf",
        "model.sdf",
    ):
        (tmp_path / "top/secret" / name).write_text(SECRET)
    (tmp_path / "top/ws/meshes/a.stl").write_text(STL)
    (tmp_path / "top/ws/arm/a.stl").write_text(STL)
    return tmp_path / "top"


def said(findings: list[Finding]) -> str:
    return "\n".join(f"{f.text()} {f.json()}" for f in findings)


def opened(path: Path, text: str, **how: object) -> tuple[Reading, list[Finding]]:
    """The reading of a text at a path, its meshes and the page too, and all that was found."""
    path.write_text(text)
    files = Files(environment={}, **how)  # type: ignore[arg-type]
    reading = read(str(path), files=files)
    found = list(reading.findings)
    if reading.robot is not None:
        from unibody.page.data import Shown, pages_data

        cache = MeshCache(files, Findings())
        found += pages_data([Shown(robot=reading.robot)], cache).findings
        found += cache.findings
        found += ub.check(reading.robot, files=files)
    return reading, found


def urdf(uri: str) -> str:
    return (
        f'<robot name="r"><link name="l"><visual><geometry><mesh filename="{uri}"/></geometry></visual>'
        "</link></robot>"
    )


REFUSED = {"outside-model", "uri-not-opened", "file-missing", "file-special", "uri-slip", "uri-variable"}

URIS = [
    "../../secret/a.stl",
    "../ws/../../secret/a.stl",
    "meshes/../../../secret/a.stl",
    "{top}/secret/a.stl",
    "file://{top}/secret/a.stl",
    "file:{top}/secret/a.stl",
    "FILE://{top}/secret/a.stl",
    "file://localhost{top}/secret/a.stl",
    "file:///{top}/secret/a.stl",
    "file://{top}/ws/%2e%2e/secret/a.stl",
    "%2e%2e/%2e%2e/secret/a.stl",
    "..\\..\\secret\\a.stl",
    "../../SECRET/A.STL",
    "../../Secret/a.stl",
    "package://arm/../../secret/a.stl",
    "package://../secret/a.stl",
    "package://.secret/a.stl",
    "package://arm/%2e%2e/%2e%2e/secret/a.stl",
    "package:///{top}/secret/a.stl",
    "model://arm/../../../secret/a.stl",
    "link.stl",
    "folder/a.stl",
    "link2.stl",
    "loop.stl",
    "a.stl&#0;",
    "a.stl\u0000",
    "http://127.0.0.1:9/a.stl",
    "https://127.0.0.1:9/a.stl",
    "ftp://127.0.0.1:9/a.stl",
    "//127.0.0.1/share/a.stl",
    "\\\\127.0.0.1\\share\\a.stl",
    "file://127.0.0.1/share/a.stl",
    "file:////127.0.0.1/share/a.stl",
    "file:\\\\127.0.0.1\\share\\a.stl",
    "/etc/passwd",
    "/proc/self/environ",
    "/dev/stdin",
    "/dev/zero",
    "/dev/fd/0",
    "~/a.stl",
    "${{HOME}}/a.stl",
    "$HOME/a.stl",
]


@pytest.mark.parametrize("uri", URIS)
def test_a_mesh_outside_is_not_opened(uri: str, home: Path) -> None:
    folder = home / "ws/arm"
    (folder / "package.xml").write_text("<package><name>arm</name></package>")
    (folder / "link.stl").symlink_to(home / "secret/a.stl")
    (folder / "link2.stl").symlink_to("link.stl")
    (folder / "loop.stl").symlink_to("loop.stl")
    (folder / "folder").symlink_to(home / "secret")
    reading, found = opened(folder / "r.urdf", urdf(uri.format(top=home)))
    assert SECRET not in said(found)
    if "\0" in uri or "&#0;" in uri:
        assert {f.code for f in found if f.severity == "error"} <= {"xml-syntax", "not-text"}
        return
    assert reading.robot is not None
    (shape,) = reading.robot.links[0].visuals
    path = shape.geometry.path  # type: ignore[union-attr]
    if "uri-elsewhere" in {f.code for f in found}:  # a file of that name in the folder of the model
        assert path == str(folder / "a.stl")
        return
    assert REFUSED & {f.code for f in found}, said(found)
    assert not path


@pytest.mark.parametrize("uri", ["../meshes/a.stl", "a.stl", "package://arm/a.stl"])
def test_a_mesh_beside_the_model_is_opened(uri: str, home: Path) -> None:
    _, found = opened(home / "ws/arm/r.urdf", urdf(uri))
    assert not REFUSED & {f.code for f in found}, said(found)


def test_what_the_caller_allows_is_opened(home: Path) -> None:
    (home / "secret/a.stl").write_text(STL)
    for folder in ("secret", "ws/../secret", ""):
        _, found = opened(home / "ws/arm/r.urdf", urdf("../../secret/a.stl"), allow=[str(home / folder)])
        assert not REFUSED & {f.code for f in found}, said(found)
    _, found = opened(home / "ws/arm/r.urdf", urdf("../../secret/a.stl"), allow=[str(home / "ws2")])
    assert "outside-model" in {f.code for f in found}


def test_a_refusal_is_the_same_whether_there_is_a_file_or_not(home: Path) -> None:
    _, there = opened(home / "ws/arm/r.urdf", urdf("../../secret/a.stl"))
    (home / "secret/a.stl").unlink()
    _, gone = opened(home / "ws/arm/r.urdf", urdf("../../secret/a.stl"))
    assert said(there) == said(gone)


def test_folders_in_a_home_directory_are_no_packages(home: Path) -> None:
    path = home / "ws/arm/r.urdf"
    path.write_text(urdf("package://secret/a.stl"))
    # elsewhere a folder above the model with a package's name is one, as simulators have it
    assert not REFUSED & {f.code for f in read(str(path), files=Files(environment={})).findings}
    private = Files(environment={"HOME": str(home)})
    assert REFUSED & {f.code for f in read(str(path), files=private).findings}
    (home / "secret/package.xml").write_text("<package><name>secret</name></package>")
    private = Files(environment={"HOME": str(home)})
    assert not REFUSED & {f.code for f in read(str(path), files=private).findings}


def test_links_in_an_installed_package_may_lead_out(home: Path) -> None:
    """A workspace installed with links is all links; who names it in the environment wants it so."""
    share = home / "install/share/arm"
    share.mkdir(parents=True)
    (share / "a.stl").symlink_to(home / "ws/arm/a.stl")
    path = home / "ws2/r.urdf"
    path.write_text(urdf("package://arm/a.stl"))
    environment = {"AMENT_PREFIX_PATH": str(home / "install")}
    reading = read(str(path), files=Files(environment=environment))
    assert not REFUSED & {f.code for f in reading.findings}


@pytest.mark.parametrize("name", ["../secret", "..", ".", "", "a/../../secret", "/etc", "arm/../../secret"])
def test_package_names_lead_nowhere(name: str, home: Path) -> None:
    environment = {
        v: str(home / "ws") for v in ("ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH", "COLCON_PREFIX_PATH")
    }
    files = Files(environment=environment)
    base = str(home / "ws/arm/r.urdf")
    found = files.package(name, base)
    assert found is None or "secret" not in found
    findings = Findings()
    assert files.resolve(f"package://{name}/a.stl", base, None, findings) in (
        None,
        str(home / "ws/arm/a.stl"),
    )
    assert SECRET not in said(findings)


# --- workspaces -----------------------------------------------------------------------------


@pytest.fixture
def workspace(home: Path) -> Path:
    """top/ws/src has the packages arm and tools/hand; top/secret is a package, too, but elsewhere."""
    for folder, name in (("ws/src/arm", "arm"), ("ws/src/tools/hand", "hand"), ("secret", "secret")):
        (home / folder).mkdir(parents=True, exist_ok=True)
        (home / folder / "package.xml").write_text(f"<package><name>{name}</name></package>")
    (home / "ws/src/tools/hand/a.stl").write_text(STL)
    (home / "ws/src/tools/hand/.key").write_text(SECRET)
    return home / "ws/src"


def of_workspace(workspace: Path, uri: str) -> list[str]:
    """The codes for a file of the package arm that refers to the URI."""
    _, found = opened(workspace / "arm/r.urdf", urdf(uri))
    assert SECRET not in said(found)
    return [f.code for f in found if f.code in REFUSED | {"file-missing"}]


def test_a_workspace_is_opened_for_its_packages_only(workspace: Path) -> None:
    (workspace / "tools/notes").mkdir()
    (workspace / "tools/notes/a.stl").write_text(SECRET)
    (workspace / "tools/a.stl").write_text(SECRET)
    (workspace.parent / "a.stl").write_text(SECRET)
    for uri in ("package://hand/a.stl", "../tools/hand/a.stl", f"{workspace}/tools/hand/a.stl"):
        assert of_workspace(workspace, uri) == []
    for uri in (
        "../../a.stl",
        "package://hand/../../../a.stl",
        "package://hand/.key",
        "../tools/hand/.key",
    ):
        assert of_workspace(workspace, uri), uri


@pytest.mark.parametrize("name", ["linked", "hidden", "inner", "deep"])
def test_links_out_of_a_workspace_and_hidden_folders_are_not_followed(name: str, workspace: Path) -> None:
    secret = workspace.parents[1] / "secret"
    (secret / "package.xml").write_text(f"<package><name>{name}</name></package>")
    match name:
        case "linked":
            (workspace / "tools/linked").symlink_to(secret)
        case "hidden":
            (workspace / "tools/.git").mkdir()
            secret.rename(workspace / "tools/.git/hidden")
        case "inner":  # a file of a package that leads out
            (workspace / "tools/inner").mkdir()
            (workspace / "tools/inner/package.xml").write_text("<package><name>inner</name></package>")
            (workspace / "tools/inner/a.stl").symlink_to(secret / "a.stl")
        case "deep":
            (workspace / "a/b/c/d").mkdir(parents=True)
            secret.rename(workspace / "a/b/c/d/deep")
    assert of_workspace(workspace, f"package://{name}/a.stl")
    if name != "inner":
        assert Files(environment={}).package(name, str(workspace / "arm/r.urdf")) is None


def test_an_install_folder_that_leads_out_is_not_followed(workspace: Path) -> None:
    secret = workspace.parents[1] / "secret"
    share = workspace.parents[1] / "elsewhere/stolen/share"
    share.mkdir(parents=True)
    (secret / "package.xml").write_text("<package><name>stolen</name></package>")
    (share / "stolen").symlink_to(secret)
    (workspace.parent / "install").symlink_to(workspace.parents[1] / "elsewhere")
    assert of_workspace(workspace, "package://stolen/a.stl")
    (workspace.parent / "install").unlink()
    (workspace.parent / "install/stolen").mkdir(parents=True)
    (workspace.parent / "install/stolen/share").symlink_to(share)
    assert of_workspace(workspace, "package://stolen/a.stl")
    assert of_workspace(workspace, "../../install/stolen/share/stolen/a.stl")


def test_the_folder_src_of_a_home_directory_holds_no_homes(home: Path) -> None:
    """A folder that contains home directories is no workspace, whatever it is called."""
    src = home / "src"
    for folder in ("me/arm", "you/hand"):
        (src / folder).mkdir(parents=True)
        (src / folder / "a.stl").write_text(SECRET)
        (src / folder / "package.xml").write_text(f"<package><name>{folder[-3:]}d</name></package>")
    path = src / "me/arm/r.urdf"
    path.write_text(urdf("package://andd/a.stl"))
    private = Files(environment={"HOME": str(src / "me")})
    assert REFUSED & {f.code for f in read(str(path), files=private).findings}


def test_a_huge_workspace_is_searched_in_part(workspace: Path) -> None:
    class Counting(LocalFileSystem):
        listed = 0

        def listing(self, path: str, most: int) -> Listing:
            found = super().listing(path, most)
            self.listed += 1
            # each folder has very many others
            return Listing([*found.folders, *(f"f{i}" for i in range(min(most, 5000)))], found.files)

    disk = Counting()
    files = Files(environment={}, disk=disk)
    began = time.monotonic()
    assert files.package("nowhere", str(workspace / "arm/r.urdf")) is None
    assert files.package("nothing", str(workspace / "arm/r.urdf")) is None
    assert disk.listed < 100
    assert time.monotonic() - began < 5.0


# --- pipes and devices ----------------------------------------------------------------------


@pytest.fixture
def special(home: Path) -> Iterator[Path]:
    folder = home / "ws/arm"
    os.mkfifo(folder / "pipe.stl")
    with socket.socket(socket.AF_UNIX) as listening:
        here = os.getcwd()
        os.chdir(folder)  # a socket's path must be short
        try:
            listening.bind("socket.stl")
        finally:
            os.chdir(here)
        yield folder


@pytest.mark.parametrize("name", ["pipe.stl", "socket.stl", "/dev/null", "/dev/zero"])
def test_pipes_and_devices_are_not_opened(name: str, special: Path) -> None:
    done = threading.Event()
    found: list[Finding] = []

    def look() -> None:
        found.extend(opened(special / "r.urdf", urdf(name), allow=["/dev"])[1])
        with pytest.raises(FileError, match="not a regular file"):
            Files().read(str(special / name))
        done.set()

    threading.Thread(target=look, daemon=True).start()
    assert done.wait(60), "it waits for a pipe"
    assert "file-special" in {f.code for f in found}


@pytest.mark.parametrize(
    ("name", "why"), [("pipe.stl", "no program writes into it"), ("/dev/zero", "not a regular file")]
)
def test_a_model_that_is_a_pipe_or_device(
    name: str, why: str, special: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(special / name)]) == 2
    assert why in "".join(capsys.readouterr())


# --- every way to name a file --------------------------------------------------------------

BODY = "format: ChoreonoidBody\nformat_version: 2.0\nname: m\nlinks:\n - name: a\n"
SHAPE = "   elements: [{{ type: Shape, {} }}]\n"
IMAGE = 'Shape { appearance Appearance { texture ImageTexture { url "OUT/a.png" } } geometry Box { } }'
COLLADA = (
    '<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><library_images>'
    '<image id="i"><init_from>OUT/a.png</init_from></image></library_images></COLLADA>'
)
GLTF = (
    '{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}], '
    '"meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}], "accessors": [{"bufferView": 0, '
    '"componentType": 5126, "type": "VEC3", "count": 1}], "bufferViews": [{"buffer": 0, '
    '"byteLength": 12}], "buffers": [{"uri": "OUT/a.bin", "byteLength": 12}]}'
)
OBJ = "mtllib OUT/a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
MTL = "newmtl m\nmap_Kd OUT/a.png\n"
JOINTS = "joint A { ConstTransl 0 0 0 %s }"
XACRO = f'<robot name="r" {NAMESPACE}>{{}}<link name="l"/></robot>'
SDF = '<sdf version="1.11"><model name="m"><link name="a"/>{}</model></sdf>'
SDF_SHAPE = "<link name='l'><visual name='v'><geometry>{}</geometry></visual></link>"
PLANS = {
    "resource.body": BODY + "   elements: [{ type: Resource, uri: OUT/a.yaml }]\n",
    "fragment.body": BODY + "   elements: [{ type: Resource, uri: OUT/a.yaml, fragment: x }]\n",
    "subbody.body": BODY + " - { type: SubBody, uri: OUT/a.body, parent: a, prefix: b }\n",
    "mesh.body": BODY + SHAPE.format("geometry: { type: Resource, uri: OUT/a.stl }"),
    "texture.body": BODY
    + SHAPE.format("geometry: { type: Box }, appearance: { texture: { url: OUT/a.png } }"),
    "inline.wrl": '#VRML V2.0 utf8\nInline { url "OUT/a.wrl" }',
    "inlines.wrl": '#VRML V2.0 utf8\nInline { url [ "OUT/a.wrl" "OUT/a.stl" "http://127.0.0.1:9/a.wrl" ] }',
    "extern.wrl": '#VRML V2.0 utf8\nEXTERNPROTO P [ ] "OUT/a.wrl#P"\nP { }',
    "image.wrl": "#VRML V2.0 utf8\n" + IMAGE,
    "file.iv": '#Inventor V2.1 ascii\nFile { name "OUT/a.iv" }',
    "inline.iv": '#VRML V1.0 ascii\nWWWInline { name "OUT/a.wrl" }',
    "image.iv": '#Inventor V2.1 ascii\nSeparator { Texture2 { filename "OUT/a.png" } Cube { } }',
    "scene.iv": '#Inventor V2.1 ascii\nmpkRobot { fileName "OUT/a.rob" }',
    "include.iv": '#Inventor V2.1 ascii\nmpkIncludeFile { name "OUT/a.iv" }\nmpkObstacle { }',
    "model.rob": '#MPK v1.0 robot\njoint A { ConstTransl 0 0 0 model1 "OUT/a.iv" }',
    "mesh.urdf": urdf("OUT/a.stl"),
    "collada.urdf": urdf("part.dae"),
    "gltf.urdf": urdf("part.gltf"),
    "obj.urdf": urdf("part.obj"),
    "wrl.urdf": urdf("inline.part.wrl"),
    "texture.urdf": '<robot name="r"><material name="m"><texture filename="OUT/a.png"/></material><link '
    'name="l"><visual><geometry><box size="1 1 1"/></geometry><material name="m"/></visual></link></robot>',
    "include.sdf": SDF.format("<include><uri>OUT/a.sdf</uri></include>"),
    "folder.sdf": SDF.format("<include><uri>OUT</uri></include>"),
    "mesh.sdf": SDF.format(SDF_SHAPE.format("<mesh><uri>OUT/a.stl</uri></mesh>")),
    "heights.sdf": SDF.format(SDF_SHAPE.format("<heightmap><uri>OUT/a.png</uri></heightmap>")),
    "texture.sdf": SDF.format(
        "<link name='l'><visual name='v'><geometry><box/></geometry><material><pbr><metal><albedo_map>"
        "OUT/a.png</albedo_map></metal></pbr></material></visual></link>"
    ),
    "include.xacro": XACRO.format('<xacro:include filename="OUT/a.xacro"/>'),
    "glob.xacro": XACRO.format('<xacro:include filename="OUT/*.xacro"/>'),
    "yaml.xacro": XACRO.format(
        "<xacro:property name='p' value=\"${load_yaml('OUT/a.yaml')}\"/><material name='${p}'/>"
    ),
    "yaml2.xacro": XACRO.format("<material name=\"${xacro.load_yaml('OUT/a.yaml')}\"/>"),
    "find.xacro": XACRO.format('<xacro:include filename="$(find .secret)/a.xacro"/>'),
    "find2.xacro": XACRO.format('<xacro:include filename="$(find ../secret)/a.xacro"/>'),
    "find3.xacro": XACRO.format('<xacro:include filename="$(find ws)/../secret/a.xacro"/>'),
    "dirname.xacro": XACRO.format('<xacro:include filename="$(dirname)/../../secret/a.xacro"/>'),
    "env.xacro": XACRO.format('<xacro:include filename="$(env OUT)/a.xacro"/>'),
}
OUTSIDE = {"up": "../../secret", "absolute": "TOP/secret", "uri": "file://TOP/secret", "linked": "away"}
MORE = {
    "part.dae": COLLADA,
    "part.gltf": GLTF,
    "part.obj": OBJ,
    "part.mtl": MTL,
    "inline.part.wrl": PLANS["inline.wrl"],
}


@pytest.mark.parametrize("way", OUTSIDE)
@pytest.mark.parametrize("name", PLANS)
def test_no_way_leads_out(name: str, way: str, home: Path) -> None:
    folder = home / "ws/arm"
    (folder / "away").symlink_to(home / "secret")

    def made(text: str) -> str:
        return text.replace("OUT", OUTSIDE[way]).replace("TOP", str(home))

    for other, text in MORE.items():
        (folder / other).write_text(made(text))
    started = time.thread_time()
    _, found = opened(folder / name, made(PLANS[name]))
    assert SECRET not in said(found)
    assert found
    if name not in ("collada.urdf", "env.xacro"):
        assert {f.code for f in found} & (REFUSED | {"xacro", "externproto-missing", "uri-elsewhere"}), (
            said(found)
        )
    assert time.thread_time() - started < 10.0


def test_the_library_of_an_obj_file_names_images(home: Path) -> None:
    folder = home / "ws/arm"
    (folder / "part.obj").write_text("mtllib part.mtl\nvt 0 0\nusemtl m\n" + OBJ.partition("\n")[2])
    (folder / "part.mtl").write_text(MTL.replace("OUT", "../../secret"))
    _, found = opened(folder / "r.urdf", urdf("part.obj"))
    assert SECRET not in said(found)


def test_variables_of_the_environment_are_read_only_where_xacro_names_them(home: Path) -> None:
    path = home / "ws/arm/r.xacro"
    path.write_text(f'<robot name="$(env ROBOT)" {NAMESPACE}><link name="$(optenv OTHER base)"/></robot>')
    reading = read(str(path), files=Files(environment={"ROBOT": "arm", "KEY": SECRET}))
    assert reading.robot is not None
    assert (reading.robot.name, reading.robot.links[0].name) == ("arm", "base")
    reading = read(str(path), files=Files(environment={"KEY": SECRET}))
    assert "xacro" in {f.code for f in reading.findings}
    # in any other format it is text
    path = home / "ws/arm/r.urdf"
    path.write_text('<robot name="$(env KEY)"><link name="a"/></robot>')
    reading = read(str(path), files=Files(environment={"KEY": SECRET}))
    assert reading.robot is None or SECRET not in dumps(reading.robot)


# --- the option ------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", ["check", "info", "diff", "convert", "view", "mass"])
def test_folders_by_option(verb: str, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "secret/a.stl").write_text(STL)
    path = home / "ws/arm/r.urdf"
    path.write_text(urdf("../../secret/a.stl"))
    words = [verb, str(path), "--allow", str(home / "ws2"), "--allow", str(home / "secret")]
    words += {
        "diff": [str(path)],
        "convert": [str(home / "ws2/out.urdf")],
        "view": ["--html", str(home / "p.html")],
    }.get(verb, [])
    assert main(words) in (0, 1)
    told = capsys.readouterr()
    assert "outside-model" not in told.out + told.err


def test_folders_by_argument(home: Path) -> None:
    (home / "secret/a.stl").write_text(STL)
    path = home / "ws/arm/r.urdf"
    path.write_text(urdf("../../secret/a.stl"))
    assert "outside-model" in {f.code for f in ub.read(path).findings}
    assert not ub.read(path, allow=[str(home / "secret")]).findings[1:]
    robot = ub.load(path, allow=[str(home / "secret")])
    assert robot.links[0].visuals[0].geometry.path  # type: ignore[union-attr]


def test_packages_given_twice_are_put_together(home: Path) -> None:
    path = home / "ws/arm/r.urdf"
    path.write_text(urdf("package://far/a.stl"))
    files = Files(environment={}, packages={"other": str(home)})
    (home / "secret/a.stl").write_text(STL)
    assert "file-missing" in {f.code for f in ub.read(path, files=files).findings}
    again = ub.read(path, files=files, packages={"far": str(home / "secret")})
    assert "file-missing" not in {f.code for f in again.findings}
