"""Finding and reading what models refer to: every place, every slip, and nothing outside."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.shared import CORPUS

import unibody
from unibody.files.access import Buffer, FileError, Files, MemoryFiles
from unibody.text.finding import Finding, Findings
from unibody.text.hint import Hint, hint_text
from unibody.text.limits import ReadLimits
from unibody.text.source import Source, Span

MANIFEST = b"<package><name> arm_description </name></package>"
HOME = os.path.join("/", "home", "user")
BASE = "/ws/src/arm/urdf/arm.urdf"


def look(files: Files, uri: str, base: str = BASE) -> tuple[str | None, list[str]]:
    """What was found, and the codes of the findings."""
    findings = Findings()
    source = Source(base, uri)
    found = files.resolve(uri, base, Span(source, 0, 1), findings)
    assert all(f.severity == "warning" and f.at and f.text() for f in findings)
    assert found is not None or findings
    return found, [f.code for f in findings]


def hint(files: Files, uri: str, base: str = BASE) -> Finding:
    findings = Findings()
    assert files.resolve(uri, base, None, findings) is None
    return findings[-1]


def memory(*paths: str, **settings: Any) -> MemoryFiles:
    return MemoryFiles(
        {path: MANIFEST if path.endswith("package.xml") else b"x" for path in paths}, **settings
    )


@pytest.mark.parametrize(
    ("uri", "found"),
    [
        ("a.stl", "/ws/src/arm/urdf/a.stl"),
        (" ./a.stl ", "/ws/src/arm/urdf/a.stl"),
        ("../meshes/b c.stl", "/ws/src/arm/meshes/b c.stl"),
        ("/ws/src/arm/meshes/b c.stl", "/ws/src/arm/meshes/b c.stl"),
        ("file:///ws/src/arm/meshes/b%20c.stl", "/ws/src/arm/meshes/b c.stl"),
        ("file://localhost/ws/src/arm/urdf/a.stl", "/ws/src/arm/urdf/a.stl"),
        ("file:/ws/src/arm/urdf/a.stl", "/ws/src/arm/urdf/a.stl"),
        ("file://a.stl", "/ws/src/arm/urdf/a.stl"),
        ("file:a.stl", "/ws/src/arm/urdf/a.stl"),
        ("FILE://../meshes/b c.stl", "/ws/src/arm/meshes/b c.stl"),
    ],
)
def test_paths_and_file_uris(uri: str, found: str) -> None:
    files = memory("/ws/src/arm/urdf/a.stl", "/ws/src/arm/meshes/b c.stl")
    assert look(files, uri) == (found, [])


def test_relative_bases_give_relative_paths() -> None:
    files = memory("m/r.urdf", "m/meshes/a.stl", "b.stl")
    assert look(files, "meshes/a.stl", "m/r.urdf") == ("m/meshes/a.stl", [])
    assert look(files, "b.stl", "r.urdf") == ("b.stl", [])
    assert look(files, "Meshes/A.stl", "m/r.urdf") == ("m/meshes/a.stl", ["file-case"])
    assert look(files, "B.stl", "r.urdf") == ("b.stl", ["file-case"])


@pytest.mark.parametrize("scheme", ["package", "model"])
@pytest.mark.parametrize(
    ("there", "uri"),
    [
        # the package of the file itself: by the name in package.xml, or by the directory's name
        (["/ws/src/arm/package.xml", "/ws/src/arm/m/a.stl"], "arm_description/m/a.stl"),
        (["/ws/src/arm/m/a.stl"], "arm/m/a.stl"),
        (["/ws/src/m/a.stl"], "src/m/a.stl"),
        # a neighbour of that package, by directory or by package.xml
        (["/ws/src/arm/package.xml", "/ws/src/hand/m/a.stl"], "hand/m/a.stl"),
        (["/ws/src/arm/urdf/package.xml", "/ws/src/arm/h/a.stl"], "h/a.stl"),
        # a directory further up
        (["/ws/src/arm/urdf/package.xml", "/ws/src/hand/a.stl"], "hand/a.stl"),
        (["/ws/hand/m/a.stl"], "hand/m/a.stl"),
    ],
)
def test_packages_around_the_file(scheme: str, there: list[str], uri: str) -> None:
    assert look(memory(*there), f"{scheme}://{uri}") == (there[-1], [])


def test_a_neighbour_is_found_by_the_name_in_its_manifest() -> None:
    contents = {"/ws/src/arm/package.xml": b"", "/ws/src/x/package.xml": MANIFEST, "/ws/src/x/a.stl": b""}
    assert look(MemoryFiles(contents), "package://arm_description/a.stl") == ("/ws/src/x/a.stl", [])


def test_the_callers_packages_come_first() -> None:
    files = memory(
        "/ws/src/arm/package.xml", "/ws/src/arm/a.stl", "/else/a.stl", packages={"arm_description": "/else"}
    )
    assert look(files, "package://arm_description/a.stl") == ("/else/a.stl", [])
    assert files.package("arm_description", BASE) == "/else"
    assert look(files, "/else/a.stl") == ("/else/a.stl", [])


@pytest.mark.parametrize(
    ("environment", "there"),
    [
        ({"ROS_PACKAGE_PATH": "/none:/opt/ros/share"}, "/opt/ros/share/hand/a.stl"),
        ({"ROS_PACKAGE_PATH": "/opt/hand"}, "/opt/hand/a.stl"),
        ({"ROS_PACKAGE_PATH": "/opt/ws"}, "/opt/ws/stack/hand/a.stl"),
        ({"AMENT_PREFIX_PATH": "/none:/opt/ros/"}, "/opt/ros/share/hand/a.stl"),
        ({"COLCON_PREFIX_PATH": "/ws/install"}, "/ws/install/share/hand/a.stl"),
        ({"COLCON_PREFIX_PATH": "/ws/install"}, "/ws/install/hand/share/hand/a.stl"),
    ],
)
def test_packages_of_the_environment(environment: dict[str, str], there: str) -> None:
    environment = {k: v.replace(":", os.pathsep) for k, v in environment.items()}
    manifest = there.replace("a.stl", "package.xml")
    files = MemoryFiles(
        {there: b"", manifest: b"<package><name>hand</name></package>"}, environment=environment
    )
    assert look(files, "package://hand/a.stl") == (there, [])
    assert files.package("hand", BASE) == os.path.dirname(there)
    assert look(files, "package://hand/../../x/a.stl")[1] == ["outside-model"]
    assert look(files, "package://hand//a.stl")[1] == ["outside-model"]


@pytest.mark.parametrize(
    "uri", ["package:://arm/m/a.stl", "package:///arm/m/a.stl", "package:/arm/m/a.stl"]
)
def test_slips_of_a_package_uri_are_read_with_a_warning(uri: str) -> None:
    assert look(memory("/ws/src/arm/m/a.stl"), uri) == ("/ws/src/arm/m/a.stl", ["uri-slip"])


def test_percent_signs_in_package_uris() -> None:
    files = memory("/ws/src/arm/m/a b.stl", "/ws/src/arm/m/%20.stl")
    assert look(files, "package://arm/m/a%20b.stl") == ("/ws/src/arm/m/a b.stl", [])
    assert look(files, "package://arm/m/%20.stl") == ("/ws/src/arm/m/%20.stl", [])


@pytest.mark.parametrize(
    ("uri", "found", "codes"),
    [
        ("package://two%20arms/m/a.stl", "/ws/src/two arms/m/a.stl", []),
        ("package://two%20arms/m/b%20c.stl", "/ws/src/two arms/m/b c.stl", []),
        ("model://two%20arms/m/a.stl", "/ws/src/two arms/m/a.stl", []),
        ("package://50%25/m/a.stl", "/ws/src/50%25/m/a.stl", []),
        ("package://%68and/m/a.stl", "/elsewhere/m/a.stl", []),
        ("package://%2e%2e/arm/m/a.stl", None, ["file-missing"]),
        ("package://arm%2Fm/a.stl", None, ["file-missing"]),
        ("package://arm%00/m/a.stl", None, ["file-missing"]),
    ],
)
def test_percent_signs_in_package_names(uri: str, found: str | None, codes: list[str]) -> None:
    files = memory(
        "/ws/src/two arms/m/a.stl",
        "/ws/src/two arms/m/b c.stl",
        "/ws/src/arm/m/a.stl",
        "/ws/src/50%/m/a.stl",
        "/ws/src/50%25/m/a.stl",
        "/elsewhere/m/a.stl",
        packages={"hand": "/elsewhere"},
    )
    assert look(files, uri, "/ws/src/two arms/urdf/r.urdf") == (found, codes)


def test_letter_case_and_backslashes_are_forgiven_with_a_warning() -> None:
    files = memory(
        "/ws/src/arm/Meshes/Visual/A.STL", "/ws/src/arm/Meshes/B.stl", "/ws/src/arm/Meshes/b.stl"
    )
    there = "/ws/src/arm/Meshes/Visual/A.STL"
    assert look(files, "../meshes/visual/a.stl") == (there, ["file-case"])
    assert look(files, "package://arm/meshes/visual/a.stl") == (there, ["file-case"])
    assert look(files, "..\\Meshes\\Visual\\A.STL") == (there, ["uri-backslash"])
    assert look(files, "package://arm\\Meshes\\Visual\\A.STL") == (there, ["uri-backslash"])
    assert look(files, "../Meshes/b.stl") == ("/ws/src/arm/Meshes/b.stl", [])
    assert look(files, "..\\..\\..\\..\\etc\\passwd") == (None, ["file-missing"])


@pytest.mark.parametrize(
    "uri", ["http://127.0.0.1:9/a.stl", "https://x/a", "ftp://x/a", "data:,x", "JavaScript:x()"]
)
def test_no_network_and_no_unknown_scheme(uri: str) -> None:
    assert look(memory("/ws/src/arm/a.stl"), uri) == (None, ["uri-not-opened"])


def test_a_file_may_have_a_colon_in_its_name() -> None:
    assert look(memory("/ws/src/arm/urdf/ab:c.stl"), "ab:c.stl") == ("/ws/src/arm/urdf/ab:c.stl", [])


def test_variables() -> None:
    files = memory("/share/model/a.wrl", variables={"SHARE": "/share"})
    assert look(files, "${SHARE}/model/a.wrl") == ("/share/model/a.wrl", [])
    assert look(files, "${SHARE}/../x") == (None, ["outside-model"])
    assert look(files, "${HOME}/a.wrl") == (None, ["uri-variable"])
    assert "HOME" in hint(files, "${HOME}/a.wrl").hint


def test_a_missing_file_lists_every_place_tried() -> None:
    files = memory("/ws/src/arm/package.xml", environment={"AMENT_PREFIX_PATH": "/opt/ros"})
    finding = hint(files, "package://hand/a.stl")
    assert finding.code == "file-missing"
    assert "'package://hand/a.stl'" in finding.message
    assert finding.hint.endswith("; tried /ws/src/hand/a.stl, /opt/ros/share/hand/a.stl")
    assert finding.subject == "package://hand"
    finding = hint(memory(), "package://hand/a.stl")
    assert (finding.code, "packages" in finding.hint) == ("file-missing", True)
    many = os.pathsep.join(f"/p{i}" for i in range(20))
    assert hint(memory(environment={"AMENT_PREFIX_PATH": many}), "package://h/a").hint.endswith(
        "and 12 more"
    )


MESHES = [
    (["p/a.stl", "p/b.stl", "p/c.stl"], ["p"], [3]),
    (["p/a.stl", "q/b.stl", "p/c.stl"], ["p", "q"], [2, 1]),
    (["p/a.stl", "p/a.stl"], ["p"], [2]),
    (["p/a.stl"], ["p"], [1]),
    (["arm/a.stl", "arm/b.stl"], ["arm/a.stl", "arm/b.stl"], [1, 1]),
    (["two%20arms/a.stl", "two%20arms/b.stl"], ["two%20arms"], [2]),
]


@pytest.mark.parametrize(("uris", "subjects", "numbers"), MESHES)
def test_files_of_a_missing_package_are_one_finding(
    uris: list[str], subjects: list[str], numbers: list[int]
) -> None:
    shapes = "".join(
        f'<visual><geometry><mesh filename="package://{uri}"/></geometry></visual>' for uri in uris
    )
    text = f'<robot name="r"><link name="a">{shapes}</link></robot>'
    files = MemoryFiles(
        {BASE: text.encode(), "/ws/src/arm/package.xml": MANIFEST.replace(b"_description", b"")}
    )
    found = [f for f in unibody.read(BASE, files=files).findings if f.code == "file-missing"]
    assert [f.subject for f in found] == [f"package://{subject}" for subject in subjects]
    for finding, subject, number in zip(found, subjects, numbers, strict=True):
        assert (f"{number} references" in finding.message) == (number > 1)
        assert isinstance(finding.hint, Hint) != ("/" in subject)
    assert found[0].at is not None
    assert found[0].at.start == text.index("package://")


@pytest.mark.parametrize(
    "uri",
    [
        "../../../../etc/passwd",
        "/etc/passwd",
        "file:///etc/passwd",
        "file:///%65tc/passwd",
        "package://../../../../../../../../etc/passwd",
        "package://./../etc/passwd",
        "package://arm/../../../etc/passwd",
        "package://arm_description/../../../etc/passwd",
        "package://arm_description//etc/passwd",
        "package://arm_description/..%2f..%2f../etc/passwd",
        "package://etc/passwd",
        f"package:/{HOME}/.ssh/id",
        "package://user/.ssh/id",
        "model:///etc/passwd",
        "package:///",
        "package://",
    ],
)
@pytest.mark.parametrize("base", [BASE, "/arm/a.urdf", "/a.urdf", f"{HOME}/a.urdf", f"{HOME}/arm/a.urdf"])
def test_nothing_outside_the_model_is_opened(uri: str, base: str) -> None:
    there = [os.path.join(os.path.dirname(base), "package.xml")] if "arm" in base else []
    there += ["/etc/passwd", f"{HOME}/.ssh/id"]
    found, codes = look(memory(*there, environment={"HOME": HOME}), uri, base)
    assert found is None
    assert set(codes) <= {"outside-model", "file-missing", "uri-slip"}


def test_the_package_above_the_file_and_its_neighbours_are_within_reach() -> None:
    files = memory("/ws/src/arm/package.xml", "/ws/src/hand/a.stl", "/ws/other/a.stl")
    base = "/ws/src/arm/robots/v1/urdf/arm.urdf"
    assert look(files, "../../../../hand/a.stl", base) == ("/ws/src/hand/a.stl", [])
    assert look(files, "../../../../../other/a.stl", base) == (None, ["outside-model"])
    allowed = memory("/ws/src/arm/package.xml", "/ws/other/a.stl", allow=["/ws/other"])
    assert look(allowed, "../../../../../other/a.stl", base) == ("/ws/other/a.stl", [])
    assert "allow" in hint(files, "../../../../../other/a.stl", base).hint


def test_what_is_out_of_reach_gives_the_same_message_there_or_not() -> None:
    with_it, without = memory("/etc/passwd"), memory()
    assert hint(with_it, "/etc/passwd") == hint(without, "/etc/passwd")


@pytest.mark.parametrize(
    "uri", ["", "  ", "a\0b", "a\nb.stl", "a" * 5000, "\ud800.stl", "a/" * 2000, "b" * 300, "."]
)
def test_odd_names_are_a_warning(uri: str, tmp_path: Path) -> None:
    (tmp_path / "m").mkdir()
    base = str(tmp_path / "m" / "a.urdf")
    found, codes = look(Files(environment={}), uri, base)
    assert (found, codes) == (None, ["file-special" if uri == "." else "file-missing"])
    look(Files(environment={}), f"package://{uri}/{uri}", base)
    look(Files(environment={}), "a.stl", uri)
    Files().canonical(uri)
    assert not Files().exists(uri)
    assert Files().names(uri) == [] or uri == "."
    assert Files().package(uri, base) is None
    with pytest.raises(FileError) as caught:
        Files().read(uri)
    assert caught.value.finding.text().isprintable() or "\n" in caught.value.finding.text()


@given(
    st.text(max_size=30), st.sampled_from(["", "package://", "file://", "model://arm/", "${X}", "/", "../"])
)
def test_any_string_gives_a_path_or_a_finding(text: str, start: str) -> None:
    files = memory("/ws/src/arm/urdf/a.stl", "/etc/passwd", variables={"X": "/ws/x"})
    found, _ = look(files, start + text)
    assert found is None or files.canonical(found).startswith("/ws/")


def refusal(path: Path | str, **settings: Any) -> Finding:
    with pytest.raises(FileError) as caught:
        Files(**settings).read(str(path))
    assert "Error" not in caught.value.finding.message
    return caught.value.finding


def test_reading_on_disk(tmp_path: Path) -> None:
    file = tmp_path / "a.bin"
    file.write_bytes(b"12345")
    assert Files(limits=ReadLimits(file_bytes=5)).read(str(file)) == b"12345"
    assert Files().exists(str(file))
    assert not Files().exists(str(tmp_path))
    assert Files().kind(str(tmp_path)) == "directory"
    assert Files().names(str(tmp_path)) == ["a.bin"]
    assert refusal(file, limits=ReadLimits(file_bytes=4)).code == "file-too-large"
    assert refusal(tmp_path / "b").code == "file-missing"
    assert "directory" in refusal(tmp_path).message
    assert refusal(tmp_path / "a.bin" / "c").code == "file-unreadable"


def test_reading_in_memory() -> None:
    files = memory("m/a.stl", limits=ReadLimits(file_bytes=3))
    assert files.read("m/../m/a.stl") == b"x"
    assert (files.kind("m"), files.names("."), files.names("m")) == ("directory", ["m"], ["a.stl"])
    for path, code in [("m", "file-unreadable"), ("n", "file-missing")]:
        with pytest.raises(FileError) as caught:
            files.read(path)
        assert caught.value.finding.code == code
    with pytest.raises(FileError, match="file-too-large"):
        MemoryFiles({"a": b"1234"}, limits=ReadLimits(file_bytes=3)).read("a")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipes_and_devices_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "not a regular file" in refusal(tmp_path / "pipe").message
    if os.path.exists("/dev/zero"):
        assert "not a regular file" in refusal("/dev/zero").message


@pytest.mark.skipif(os.name != "posix", reason="needs symbolic links")
def test_links_lead_nowhere_outside(tmp_path: Path) -> None:
    for name in ["ws/src/arm/urdf", "ws/install/arm/share/arm", "secret"]:
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "secret" / "key").write_text("x")
    real = tmp_path / "ws/src/arm"
    (real / "package.xml").write_bytes(b"<package><name>arm</name></package>")
    (real / "urdf/a.urdf").write_text("<robot/>")
    (real / "a.stl").write_text("x")
    (real / "key").symlink_to(tmp_path / "secret" / "key")
    (real / "loop").symlink_to(real / "loop")
    installed = tmp_path / "ws/install/arm/share/arm"
    (installed / "urdf").symlink_to(real / "urdf")
    (installed / "a.stl").symlink_to(real / "a.stl")
    files = Files(environment={})
    base = str(real / "urdf/a.urdf")
    assert look(files, "../key", base) == (None, ["outside-model"])
    assert look(files, "package://arm/key", base) == (None, ["outside-model"])
    assert look(files, "../loop", base)[1] == ["file-missing"]
    # a workspace installed with links: the file is a link, and so is what it names
    linked = str(installed / "urdf/a.urdf")
    assert look(files, "package://arm/a.stl", linked)[0] is not None
    assert files.canonical(linked) == files.canonical(base)
    other = str(tmp_path / "else/where/b.urdf")
    there = str(installed / "a.stl")
    assert look(Files(environment={}), there, other) == (None, ["outside-model"])
    # links inside a package that the user installed lead where the user wanted
    environment = {"AMENT_PREFIX_PATH": str(tmp_path / "ws/install/arm")}
    assert look(Files(environment=environment), there, other) == (there, [])
    assert look(Files(environment=environment), f"file://{there}", other) == (there, [])
    assert look(Files(environment=environment), "package://arm/a.stl", other) == (there, [])


@pytest.mark.usefixtures("shared")
def test_the_corpus_finds_its_meshes() -> None:
    unresolved = (CORPUS / "UNRESOLVED.tsv").read_text().splitlines()
    known = {(line.split("\t")[1], line.split("\t")[2]) for line in unresolved}
    files = Files(environment={})
    failed: list[tuple[str, str]] = []
    count = 0
    for path in sorted((CORPUS / "dev").rglob("*.urdf")):
        text = path.read_text(errors="replace")
        for uri in dict.fromkeys(re.findall(r"<mesh[^>]*?filename=\"([^\"]+)\"", text)):
            findings = Findings()
            count += 1
            found = files.resolve(uri, str(path), None, findings)
            if not found and (str(path.relative_to(CORPUS)), uri) not in known:
                failed.append((path.name, findings[0].code))
    assert count > 300
    # The first is made so; the others count on a search path that PyBullet's examples set in code.
    assert set(failed) == {
        ("warning_mesh_https.urdf", "uri-not-opened"),
        ("diff_ring.urdf", "file-missing"),
        ("racecar_differential.urdf", "file-missing"),
    }
    finding = hint(files, "package://../../../../../../../../etc/passwd", str(CORPUS / "bad/urdf/x.urdf"))
    assert "etc/passwd" in finding.message


ABSOLUTE = [
    "/home/alice/ws/src/arm/meshes/a.stl",
    "file:///home/alice/ws/src/arm/meshes/a.stl",
    "file:/home/alice/arm/meshes/a.stl",
    "C:\\Users\\alice\\arm\\meshes\\a.stl",
    "c:/Users/alice/arm/MESHES/A.stl",
    "file:///C:/Users/alice/arm/meshes/a.stl",
    "\\\\server\\share\\meshes\\a.stl",
    "//server/share/meshes/a.stl",
]


@pytest.mark.parametrize("uri", ABSOLUTE)
def test_absolute_paths_of_another_machine_are_found_by_their_ending(uri: str) -> None:
    files = MemoryFiles({"/ws/src/arm/meshes/a.stl": b"", "/ws/src/arm/package.xml": MANIFEST})
    code = "uri-drive" if ":" in uri[:2] or ":/U" in uri else "uri-elsewhere"
    assert look(files, uri) == ("/ws/src/arm/meshes/a.stl", [code])


def test_the_longest_ending_counts() -> None:
    files = MemoryFiles({"/ws/src/arm/meshes/a.stl": b"1", "/ws/src/arm/urdf/a.stl": b"2"})
    assert look(files, "/home/alice/meshes/a.stl")[0] == "/ws/src/arm/meshes/a.stl"
    assert look(files, "/home/alice/a.stl")[0] == "/ws/src/arm/urdf/a.stl"


def test_of_several_files_with_the_same_ending_none_is_taken() -> None:
    files = MemoryFiles({"/ws/src/arm/a.stl": b"1", "/ws/src/arm/urdf/a.stl": b"2"})
    assert look(files, "/home/alice/a.stl") == (None, ["uri-ambiguous"])
    assert "remap" in hint(files, "/home/alice/a.stl").hint


def test_endings_are_searched_within_reach_only() -> None:
    there = {"/ws/secret/a.stl": b"", "/ws/src/arm/.git/a.stl": b"", "/a.stl": b""}
    for uri in ("/home/alice/a.stl", "/home/alice/.git/a.stl", "/home/../ws/secret/a.stl"):
        assert look(MemoryFiles(there), uri) == (None, ["outside-model"])
    allowed = MemoryFiles({"/data/meshes/a.stl": b""}, allow=["/data"])
    assert look(allowed, "/home/alice/meshes/a.stl")[0] == "/data/meshes/a.stl"


@pytest.mark.parametrize(
    ("remap", "uri", "found"),
    [
        ({"/home/alice/ws": "/data"}, "/home/alice/ws/a.stl", "/data/a.stl"),
        ({"/home/alice/ws/": "/data/"}, "file:///home/alice/ws/a.stl", "/data/a.stl"),
        ({"C:\\Users\\alice": "/data"}, "c:/users/alice/a.stl", "/data/a.stl"),
        ({"\\\\server\\share": "/data"}, "\\\\server\\share\\a.stl", "/data/a.stl"),
        ({"package://arm_description": "/data"}, "package://arm_description/a.stl", "/data/a.stl"),
        (
            {"package://old": "package://arm_description"},
            "package://old/meshes/b.stl",
            "/ws/src/arm/meshes/b.stl",
        ),
        ({"${MODELS}": "/data"}, "${MODELS}/a.stl", "/data/a.stl"),
        ({"/home/alice/": ""}, "/home/alice/../meshes/b.stl", "/ws/src/arm/meshes/b.stl"),
        ({"/home": "/none", "/home/alice": "/data"}, "/home/alice/a.stl", "/data/a.stl"),
    ],
)
def test_prefixes_are_replaced(remap: dict[str, str], uri: str, found: str) -> None:
    there = {"/data/a.stl": b"", "/ws/src/arm/meshes/b.stl": b"", "/ws/src/arm/package.xml": MANIFEST}
    assert look(MemoryFiles(there, remap=remap), uri) == (found, [])


def test_a_relative_replacement_is_that_of_the_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "data").mkdir()
    (tmp_path / "data/a.stl").write_bytes(b"")
    monkeypatch.chdir(tmp_path / "here")
    files = Files(remap={"/home/alice": "../data"})
    assert look(files, "/home/alice/a.stl", str(tmp_path / "other/r.urdf"))[0] == str(
        tmp_path / "data/a.stl"
    )


def test_names_that_begin_alike_are_not_replaced() -> None:
    files = MemoryFiles({"/data/n/a.stl": b""}, remap={"/srv/al": "/data"})
    assert look(files, "/srv/alan/a.stl")[0] is None


POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (POINTER, "file-lfs-pointer"),
        (b"\xef\xbb\xbf" + POINTER, "file-lfs-pointer"),
        (b"<!DOCTYPE html>\n<html>", "file-web-page"),
        (b"\xef\xbb\xbf\r\n<!doctype HTML PUBLIC>", "file-web-page"),
        (b"<HTML lang='en'>", "file-web-page"),
        (b"<?xml version='1.0'?>\n<!-- a -->\n<!DOCTYPE html PUBLIC>", "file-web-page"),
        (b"# version https://git-lfs.github.com/spec/v1", ""),
        (b"<robot name='html'/>", ""),
        (b"<!DOCTYPE robot><html/>", ""),
        (b"<htmlx/>", ""),
        (b"", ""),
    ],
)
@pytest.mark.parametrize("path", ["m.stl", "m.dae", "m.png", "m.urdf", "m"])
def test_what_stands_in_for_a_file_is_not_read(data: bytes, code: str, path: str) -> None:
    files = MemoryFiles({path: data})
    for read in (files.read, lambda path: files.read_into(Buffer(), path)):
        if not code:
            assert bytes(read(path)) == data
            continue
        with pytest.raises(FileError) as raised:
            read(path)
        finding = raised.value.finding
        assert (finding.code, finding.subject, bool(finding.hint)) == (code, path, True)


# --- workspaces -----------------------------------------------------------------------------

MODEL = "/ws/src/arm_repo/arm/urdf/r.urdf"


def tree(*packages: str, base: str = MODEL, files: tuple[str, ...] = (), **settings: Any) -> MemoryFiles:
    """A file system with a.stl in each of the packages "FOLDER" or "FOLDER=NAME", and further files."""
    contents = {base: b"", **dict.fromkeys(files, b"x")}
    for package in packages:
        folder, _, name = package.partition("=")
        name = name or folder.rpartition("/")[2]
        contents[f"{folder}/package.xml"] = f"<package><name>{name}</name></package>".encode()
        contents[f"{folder}/a.stl"] = b"x"
    return MemoryFiles(contents, **settings)


ARM = "/ws/src/arm_repo/arm"


@pytest.mark.parametrize(
    ("package", "base"),
    [
        ("/ws/src/hand", MODEL),
        ("/ws/src/hand_repo/hand", MODEL),
        ("/ws/src/hand_repo/group/sub/hand", MODEL),
        ("/ws/src/hand_repo-main/description=hand", MODEL),
        ("/ws/install/hand/share/hand", MODEL),
        ("/ws/install/share/hand", MODEL),
        ("/ws/install/hand/share/hand", "/ws/install/arm/share/arm/urdf/r.urdf"),
        ("/ws/install/share/hand", "/ws/install/share/arm/urdf/r.urdf"),
        ("/ws/src/hand_repo/hand", "/ws/install/arm/share/arm/urdf/r.urdf"),
        # folders of ZIP files, and the nearest "src" with packages
        ("/ws/src/arm_repo/arm/src/x=hand", "/ws/src/arm_repo/arm/src/urdf/r.urdf"),
    ],
)
def test_packages_of_the_workspace(package: str, base: str) -> None:
    own = ARM if base.startswith("/ws/src") else base.removesuffix("/urdf/r.urdf")
    files = tree(own, package, base=base)
    assert look(files, "package://hand/a.stl", base) == (f"{package.partition('=')[0]}/a.stl", [])
    # $(find hand)/a.stl is an absolute path, and a relative one leads there, too
    folder = tree(own, package, base=base).package("hand", base)
    assert folder == package.partition("=")[0]
    for uri in (f"{folder}/a.stl", os.path.relpath(f"{folder}/a.stl", os.path.dirname(base))):
        assert look(tree(own, package, base=base), uri, base) == (f"{folder}/a.stl", [])


@pytest.mark.parametrize(
    ("package", "more"),
    [
        ("/ws/src/a/b/c/d/hand", ""),  # five levels below "src"
        ("/ws/src/.hidden/hand", ""),
        ("/ws/src/arm_repo/arm/inner/hand", ""),  # in another package
        ("/ws/src/off/hand", "/ws/src/off/COLCON_IGNORE"),
        ("/ws/other/hand", ""),
        ("/ws2/src/hand", ""),
        ("/ws/install/other/share/hand", ""),
    ],
)
def test_what_is_no_package_of_the_workspace(package: str, more: str) -> None:
    files = tree(ARM, package, files=(more,) if more else ())
    assert look(files, "package://hand/a.stl", MODEL) == (None, ["file-missing"])
    assert files.package("hand", MODEL) is None
    relative = os.path.relpath(f"{package}/a.stl", os.path.dirname(MODEL))
    assert look(files, relative, MODEL)[1] == ([] if package.startswith(ARM) else ["outside-model"])


@pytest.mark.parametrize(
    "uri",
    ["/home/alice/ws/src/tools/hand/a.stl", "C:\\ws\\tools\\hand\\a.stl", "/opt/ros/share/hand/a.stl"],
)
def test_paths_of_another_machine_into_the_workspace(uri: str) -> None:
    files = tree(ARM, "/ws/src/tools/hand")
    assert look(files, uri, MODEL)[0] == "/ws/src/tools/hand/a.stl"


@pytest.mark.parametrize("folder", ["hand", "hand-main", "hand-master"])
@pytest.mark.parametrize("above", ["/dl", "/dl/urdf-files"])
def test_a_folder_of_a_zip_file_is_the_package(folder: str, above: str) -> None:
    base = f"{above}/{folder}/urdf/r.urdf"
    files = memory(f"{above}/{folder}/meshes/a.stl", base)
    assert look(files, "package://hand/meshes/a.stl", base) == (f"{above}/{folder}/meshes/a.stl", [])
    beside = f"{above}/arm/urdf/r.urdf"
    files = memory(f"{above}/{folder}/meshes/a.stl", beside)
    assert look(files, "package://hand/meshes/a.stl", beside) == (f"{above}/{folder}/meshes/a.stl", [])


def test_the_name_in_a_manifest_comes_before_that_of_a_folder() -> None:
    files = tree(ARM, "/ws/src/arm_repo/hand=other", "/ws/src/tools/x=hand")
    assert look(files, "package://hand/a.stl", MODEL) == ("/ws/src/tools/x/a.stl", [])
    files = tree(ARM, "/ws/src/arm_repo/hand=other")
    assert look(files, "package://hand/a.stl", MODEL) == ("/ws/src/arm_repo/hand/a.stl", [])


@pytest.mark.parametrize(
    ("settings", "folder"),
    [
        ({"packages": {"hand": "/else/hand"}}, "/else/hand"),
        ({"environment": {"ROS_PACKAGE_PATH": "/opt/ros/share"}}, "/opt/ros/share/hand"),
        ({"environment": {"AMENT_PREFIX_PATH": "/opt/ros"}}, "/opt/ros/share/hand"),
        ({}, "/dl/hand"),
    ],
)
def test_what_a_package_is_found_for_may_be_opened(settings: dict[str, Any], folder: str) -> None:
    base = "/dl/deep/er/arm/urdf/r.urdf"
    files = tree(folder, base=base, **settings)
    assert files.package("hand", base) == folder
    assert look(files, f"{folder}/a.stl", base) == (f"{folder}/a.stl", [])
    # the next load begins anew
    files.meter.begin()
    assert files.meter.packages == {}


# --- suggestions for missing files ----------------------------------------------------------

BOT = "/dl/bot/urdf/r.urdf"


@pytest.mark.parametrize(
    ("there", "uri", "hinted", "instead"),
    [
        # elsewhere around the model
        (["/dl/bot/meshes/a.stl"], "meshes/a.stl", "a file of that name is", "../meshes/a.stl"),
        (["/dl/bot/meshes/visual/a.stl"], "../meshes/a.stl", "visual/a.stl", "../meshes/visual/a.stl"),
        (["/dl/bot/meshes/v/A.STL"], "../meshes/a.stl", "A.STL", "../meshes/v/A.STL"),
        (["/dl/bot/meshes/v/a b.stl"], "../meshes/a%20b.stl", "a b.stl", "../meshes/v/a b.stl"),
        (["/dl/bot/meshes/v/a.stl"], "package://bot/meshes/a.stl", "a.stl", "package://bot/meshes/v/a.stl"),
        (["/dl/bot/m/a.stl", "/dl/bot/n/a.stl"], "../a.stl", "files of that name are", None),
        (["/dl/bot/m/a.stl"], "../../../../m/a.stl", "a file of that name is", None),
        # almost the same name, or another kind of file
        (["/dl/bot/meshes/base_link.stl"], "../meshes/baselink.stl", "did you mean 'base_link.stl'?", None),
        (["/dl/bot/meshes/base.dae"], "../meshes/base.stl", "did you mean 'base.dae'? (tried /dl/", None),
        # a folder that has what a package should have, and another package
        (
            ["/dl/bot/meshes/a.stl"],
            "package://robot/meshes/a.stl",
            "--package robot=/dl/bot,",
            "../meshes/a.stl",
        ),
        (
            ["/dl/bot/package.xml", "/dl/robot-1.2/m/a.stl"],
            "package://robot/m/a.stl",
            "--package robot=/dl/robot-1.2,",
            "../../robot-1.2/m/a.stl",
        ),
        # a part of a package that is not there
        (
            ["/dl/bot/meshes/a.stl"],
            "package://all-robots/robots/bot/meshes/a.stl",
            "--remap package://all-robots/robots=/dl,",
            "../meshes/a.stl",
        ),
        # nothing comes near
        (["/dl/bot/meshes/b.obj"], "../meshes/a.stl", "tried /dl/bot/meshes/a.stl", None),
        (["/dl/bot/meshes/b.obj"], "/dl/bot/x/a.stl", "add the file, or correct its name", None),
        (["/dl/bot/meshes/b.obj"], "~/m/a.stl", "--remap '~=DIR'", None),
        (["/dl/bot/meshes/b.obj"], "../../../x/y/a.stl", "to open it, use --allow /x/y", None),
        (["/dl/bot/meshes/b.obj"], "/srv/x/a.stl", "--remap /srv/x=DIR", None),
        (["/dl/bot/meshes/.a.stl"], "../meshes/x/a.stl", "tried /dl/bot/meshes/x/a.stl", None),
        # never the file that names it
        (["/dl/bot/meshes/b.obj"], "r.dae", "tried /dl/bot/urdf/r.dae", None),
        (["/dl/bot/meshes/b.obj"], "../meshes/r.urdf", "tried /dl/bot/meshes/r.urdf", None),
    ],
)
def test_what_was_meant_by_a_missing_file(
    there: list[str], uri: str, hinted: str, instead: str | None
) -> None:
    text = f'<mesh filename="{uri}"/>'
    at = Span(Source(BOT, text), text.index(uri), text.index(uri) + len(uri))
    findings = Findings()
    assert memory(BOT, *there).resolve(uri, BOT, at, findings) is None
    finding = findings[-1]
    assert hinted in hint_text(finding.hint, "command")
    assert "trust" not in finding.hint
    written = [edit.text for edit in finding.edits]
    assert written == ([] if instead is None else [instead])
    assert finding.fix is None or not finding.fix.safe


@pytest.mark.parametrize(
    ("uri", "hinted", "instead"),
    [
        ("package://hnad/a.stl", "write package://hand/a.stl", "package://hand/a.stl"),
        ("package://arm/b/a.stl", "write 'package://arm/a.stl'", "package://arm/a.stl"),
        ("package://arm/m/b.stl", "write package://hand/m/b.stl", "package://hand/m/b.stl"),
        ("package://hadn/x.stl", "did you mean the package 'hand'?", None),
        ("package://quite_other/x.stl", "--package quite_other=DIR", None),
    ],
)
def test_what_was_meant_in_a_workspace(uri: str, hinted: str, instead: str | None) -> None:
    files = tree(ARM, "/ws/src/tools/hand", files=("/ws/src/tools/hand/m/b.stl",))
    if uri.startswith("package://hnad"):
        files = MemoryFiles({p: d for p, d in files.disk.contents.items() if p != f"{ARM}/a.stl"})  # type: ignore[attr-defined]
    findings = Findings()
    at = Span(Source(MODEL, uri), 0, len(uri))
    assert files.resolve(uri, MODEL, at, findings) is None
    assert hinted in hint_text(findings[-1].hint, "command")
    assert [edit.text for edit in findings[-1].edits] == ([] if instead is None else [instead])


def test_the_fix_of_missing_files(tmp_path: Path) -> None:
    (tmp_path / "meshes").mkdir()
    shapes = ""
    for name in ("a", "b"):
        (tmp_path / f"meshes/{name}.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        shape = f'<geometry><mesh filename="package://robot/meshes/{name}.obj"/></geometry>'
        shapes += f"<visual>{shape}</visual>"
    path = tmp_path / "r.urdf"
    path.write_text(f'<robot name="r"><link name="a">{shapes}</link></robot>')
    assert not unibody.fix(path).changes
    unibody.fix(path, ["file-missing"]).write()
    assert path.read_text().count('filename="meshes/') == 2
    assert [f for f in unibody.read(path).findings if f.code == "file-missing"] == []


def test_an_image_that_is_a_pointer_is_named_by_check(tmp_path: Path) -> None:
    (tmp_path / "m.png").write_bytes(POINTER)
    box = '<visual><geometry><box size="1 1 1"/></geometry><material name="t"/></visual>'
    model = tmp_path / "m.urdf"
    model.write_text(
        '<robot name="r"><material name="t"><texture filename="m.png"/></material>'
        f'<link name="a">{box}{box}</link></robot>'
    )
    found = [(f.code, f.severity) for f in unibody.check(model)]
    assert found == [("file-lfs-pointer", "warning")]


def test_the_files_of_a_missing_package_are_one_finding_with_their_names() -> None:
    names = [f"package://gone/meshes/{x}.stl" for x in "abcda"]
    shapes = "".join(f'<visual><geometry><mesh filename="{x}"/></geometry></visual>' for x in names)
    files = MemoryFiles({"r.urdf": f'<robot name="r"><link name="l">{shapes}</link></robot>'.encode()})
    (finding,) = unibody.read("r.urdf", files=files).findings
    assert finding.files == tuple(names[:4])
    assert finding.json()["files"] == names[:4]
    assert finding.message.endswith(
        "no package 'gone'; 5 references to its files: meshes/a.stl, meshes/b.stl, meshes/c.stl, and 1 more"
    )
