"""What was there before stays: no file of another model, no folder, no source is replaced or removed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.hostile.outputs import PARTS, files, found, put, version, whole_set

import unibody as ub
from unibody.cli.main import main
from unibody.conversion.assets import Assets
from unibody.conversion.output import SaveError
from unibody.conversion.pipeline import save
from unibody.files.atomic import Stage, exclusive_lock

links = pytest.mark.skipif(os.name == "nt", reason="needs links of Unix")
ROBOT = '<robot name="r"><link name="{}"/></robot>'


def kept(folder: Path) -> dict[str, bytes]:
    """All files below a folder."""
    return {name: (folder / name).read_bytes() for name in files(folder)}


def mine(folder: Path, *names: str) -> dict[str, bytes]:
    """Files of the user, and what they hold."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"mine: {name}", "utf-8")
    return kept(folder)


# Folders that are called as unibody would call its own, with files of the very names that it writes.
MINE = "m.urdf_files/a.obj"
SOMEBODYS = {
    "no model": {},
    "the model does not refer to it": {"m.urdf": ROBOT.format("meshes/a.obj")},
    "the model has such a name": {"m.urdf": ROBOT.format(MINE)},
    "the model cannot be read": {"m.urdf": f'<robot name="r"><mesh filename="{MINE}"'},
    "another model": {"m.urdf": ROBOT.format("a"), "scene.urdf": ROBOT.format(MINE)},
    "a model of another format": {"m.urdf": ROBOT.format("a"), "m.body": f"uri: {MINE}"},
    "a folder whose name ends so": {"m.urdf": ROBOT.format("arm.urdf_files/a.obj")},
}


@pytest.mark.parametrize("case", SOMEBODYS)
def test_a_folder_of_somebody_s(case: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    names = [
        f"{folder}/{part}.obj" for folder in ("m.urdf_files", "m_files", "m.body_files") for part in PARTS
    ]
    before = mine(out, *names)
    for name, text in SOMEBODYS[case].items():
        (out / name).write_text(text, "utf-8")
    before = kept(out)
    before.pop("m.urdf", None)
    for name in ("first", "second", "first"):
        put(version(tmp_path, name), out / "m.urdf")
        assert found(out / "m.urdf") == name
        assert before.items() <= kept(out).items()


@pytest.mark.parametrize(("name", "data"), [("m.body", "utf-16"), ("m.wrl", "gzip")])
def test_a_model_of_another_encoding_keeps_its_files(name: str, data: str, tmp_path: Path) -> None:
    import gzip

    out = tmp_path / "out"
    put(version(tmp_path, "first"), out / "m.urdf")
    text = f"{name}_files/a.obj"
    mine(out, text)
    (out / name).write_bytes(text.encode("utf-16") if data == "utf-16" else gzip.compress(text.encode()))
    before = {k: v for k, v in kept(out).items() if not k.startswith("m.urdf")}
    assert len(before) == 2
    put(version(tmp_path, "second"), out / "m.urdf")
    assert found(out / "m.urdf") == "second"
    assert before.items() <= kept(out).items()


def test_what_is_written_again_and_again_does_not_pile_up(tmp_path: Path) -> None:
    out = tmp_path / "out"
    put(version(tmp_path, "first"), out / "m.urdf")
    put(version(tmp_path, "first"), out / "m.body")
    for number in range(5):
        robot = version(tmp_path / str(number), "second")
        for part in PARTS:
            with open(tmp_path / str(number) / "second" / f"{part}.obj", "a", encoding="utf-8") as file:
                file.write(f"# {number}\nf 1 2 3\n")
        put(robot, out / "m.urdf")
        assert files(out) == sorted([*whole_set(out / "m.urdf"), *whole_set(out / "m.body")])
    assert found(out / "m.urdf") == "second"
    assert found(out / "m.body") == "first"


def referring(path: Path, mesh: str) -> None:
    """A model that shows one mesh file."""
    visual = f'<visual><geometry><mesh filename="{mesh}"/></geometry></visual>'
    path.write_text(f'<robot name="r"><link name="a">{visual}</link></robot>', "utf-8")


def test_what_the_model_no_longer_refers_to_is_removed(tmp_path: Path) -> None:
    out = tmp_path / "out"
    before = mine(out, "m.urdf_files/b.obj", "meshes/c.obj")
    (out / MINE).write_text("v 0 0 0\n", "utf-8")
    referring(out / "m.urdf", MINE)
    put(version(tmp_path, "second"), out / "m.urdf")
    assert found(out / "m.urdf") == "second"
    assert MINE not in kept(out)
    assert before.items() <= kept(out).items()


def test_what_a_source_refers_to_is_not_removed(tmp_path: Path) -> None:
    """Even where it lies in the folder of the output."""
    mine(tmp_path, "m.urdf_files/old.obj")
    (tmp_path / MINE).write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "utf-8")
    referring(tmp_path / "m.urdf", MINE)
    referring(tmp_path / "source.urdf", MINE)
    before = kept(tmp_path)
    ub.convert(tmp_path / "source.urdf", tmp_path / "m.urdf", overwrite=True, plain=True)
    before.pop("m.urdf")
    assert before.items() <= kept(tmp_path).items()
    robot = ub.subtree(ub.load(tmp_path / "m.urdf"), "a")
    ub.save(robot, tmp_path / "m.urdf", overwrite=True, mesh_package="m")
    assert before.items() <= kept(tmp_path).items()


def test_without_overwrite_nothing_is_replaced(tmp_path: Path) -> None:
    out = tmp_path / "out"
    before = mine(out, "m.urdf_files/a.obj")
    save(version(tmp_path, "first"), out / "m.urdf")
    assert found(out / "m.urdf") == "first"
    assert before.items() <= kept(out).items()
    before = kept(out)
    with pytest.raises(SaveError, match="already exists"):
        save(version(tmp_path, "second"), out / "m.urdf")
    assert kept(out) == before


@links
@pytest.mark.parametrize("link", ["m.urdf_files", "m.urdf_files/sub"])
def test_a_link_to_another_folder(link: str, tmp_path: Path) -> None:
    """What a model names through a link is not the model's own folder."""
    out = tmp_path / "out"
    before = mine(out, "meshes/a.obj", "meshes/b.obj")
    (out / link).parent.mkdir(exist_ok=True)
    (out / link).symlink_to(out / "meshes")
    (out / "m.urdf").write_text(ROBOT.format("m.urdf_files/a.obj"), "utf-8")
    mine(out, *([] if link == "m.urdf_files" else ["m.urdf_files/a.obj"]))
    put(version(tmp_path, "second"), out / "m.urdf")
    assert found(out / "m.urdf") == "second"
    assert before.items() <= kept(out).items()


@links
def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out/m.urdf_files").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(SaveError, match="outside the output directory"):
        put(version(tmp_path, "first"), tmp_path / "out/m.urdf")
    assert files(tmp_path / "elsewhere") == []


@links
def test_another_name_of_the_same_file_keeps_the_old_text(tmp_path: Path) -> None:
    out = tmp_path / "out"
    put(version(tmp_path, "first"), out / "m.urdf")
    for name in ("m.urdf", "m.urdf_files/a.obj"):
        os.link(out / name, tmp_path / Path(name).name)
    before = [(tmp_path / name).read_bytes() for name in ("m.urdf", "a.obj")]
    put(version(tmp_path, "second"), out / "m.urdf")
    assert [(tmp_path / name).read_bytes() for name in ("m.urdf", "a.obj")] == before


def test_what_took_another_s_place_is_not_removed(tmp_path: Path) -> None:
    """A write that fails half way leaves no hole where a file was."""
    (tmp_path / "a").write_text("old", "utf-8")
    stage = Stage(str(tmp_path / "b"))
    stage.add(str(tmp_path / "a"), b"new")
    stage.put(str(tmp_path / "a"), True)
    stage.__exit__(RuntimeError, RuntimeError(), None)
    assert kept(tmp_path) == {"a": b"old"}


def test_empty_folders_of_the_user_stay(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(RuntimeError), exclusive_lock(str(tmp_path / "empty/a/b")):
        raise RuntimeError
    assert (tmp_path / "empty").is_dir()
    assert list((tmp_path / "empty").iterdir()) == []


# --- sources --------------------------------------------------------------------------------------


@pytest.fixture
def three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A xacro file with one that it includes, and another model, in the folder in work."""
    monkeypatch.chdir(tmp_path)
    include = '<robot name="r" xmlns:xacro="x"><xacro:include filename="part.urdf"/></robot>'
    (tmp_path / "m.xacro").write_text(include, "utf-8")
    (tmp_path / "part.urdf").write_text(ROBOT.format("a"), "utf-8")
    (tmp_path / "hand.urdf").write_text(ROBOT.format("b"), "utf-8")
    mesh = '<link name="a"><visual><geometry><mesh filename="mesh.wrl"/></geometry></visual></link>'
    (tmp_path / "arm.urdf").write_text(f'<robot name="r">{mesh}</robot>', "utf-8")
    (tmp_path / "mesh.wrl").write_text("#VRML V2.0 utf8\nShape { geometry Box { } }\n", "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ("m.xacro", "m.xacro", "--to", "urdf"),
        ("m.xacro", "part.urdf"),
        ("m.xacro", "./x/../part.urdf"),
        ("arm.urdf", "mesh.wrl", "--to", "openhrp"),
        ("m.xacro", "hand.urdf", "--attach", "hand.urdf", "--on", "a"),
        ("m.xacro", "m.body", "--attach", "m.body", "--on", "a"),
    ],
)
def test_a_source_is_not_replaced(words: tuple[str, ...], three: Path) -> None:
    if "m.body" in words:
        main(["convert", "hand.urdf", "m.body"])
    before = kept(three)
    assert main(["convert", *words, "--overwrite"]) == 2
    assert kept(three) == before


@pytest.mark.slow
def test_the_source_of_one_is_not_the_output_of_another(three: Path) -> None:
    (three / "sub").mkdir()
    (three / "sub/hand.xacro").write_text(ROBOT.format("c"), "utf-8")
    (three / "other").mkdir()
    (three / "other/sub_hand.urdf").write_text(ROBOT.format("d"), "utf-8")
    before = kept(three)
    words = ["sub/hand.xacro", "hand.urdf", "other/sub_hand.urdf", "other", "--to", "urdf"]
    assert main(["convert", *words, "--overwrite"]) == 2
    after = kept(three)
    assert {name: after[name] for name in before} == before


def test_a_page_replaces_pages_only(three: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["view", "hand.urdf", "--html", "part.urdf"]) == 2
    assert "not replaced" in capsys.readouterr().err
    assert (three / "part.urdf").read_text("utf-8") == ROBOT.format("a")
    assert main(["view", "hand.urdf", "--html", "page.html"]) == 0
    assert main(["view", "hand.urdf", "--html", "page.html"]) == 2
    assert main(["view", "hand.urdf", "--html", "page.html", "--overwrite"]) == 0
    assert main(["view", "hand.urdf", "--html", "part.urdf", "--overwrite"]) == 2


def test_several_files_are_fixed_together_or_not(three: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that is full when the second is written leaves the first as it was."""
    joint = """<link name="NEW"/><joint name="jNEW" type="continuous"><parent link="a"/><child link="NEW"/>
<axis xyz="0 3 4"/></joint>"""
    (three / "part.urdf").write_text(f'<robot><link name="a"/>{joint.replace("NEW", "b")}</robot>', "utf-8")
    text = (three / "m.xacro").read_text("utf-8")
    (three / "m.xacro").write_text(text.replace("</", f"{joint.replace('NEW', 'c')}</"), "utf-8")
    fix = ub.fix("m.xacro", "all")
    assert len(fix.changes) == 2
    before, real, calls = kept(three), os.fsync, []

    def full(handle: int) -> None:
        calls.append(handle)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        real(handle)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        fix.write()
    assert kept(three) == before
    assert fix.write() == ["m.xacro", "part.urdf"]
    assert "0 0.6 0.8" in (three / "part.urdf").read_text("utf-8")


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stem", "name"),
    [
        ("../../evil", "evil"),
        ("/abs/evil", "abs_evil"),
        ("C:\\evil", "C_evil"),
        ("con", "_con"),
        ("AUX.txt", "_AUX.txt"),
        ("a\u2028b\x00c", "a_b_c"),
        ("...", "mesh"),
        ("dot.", "dot"),
        ("ü" * 400, "ü" * 50),
    ],
)
def test_names_of_files_that_are_made(stem: str, name: str) -> None:
    assert Path(Assets("out").add(b"", stem, ".obj")).name == f"{name}.obj"


def test_names_that_differ_in_letter_case_only() -> None:
    assets = Assets("out")
    assert assets.add(b"first", "arm", ".obj") == os.path.join("out", "arm.obj")
    assert assets.add(b"second", "ARM", ".obj") == os.path.join("out", "ARM-16367aac.obj")
    assert assets.add(b"second", "hand", ".obj") == os.path.join("out", "ARM-16367aac.obj")


@pytest.mark.parametrize("name", ["../x", "a/b", "a\\b", "/", "..", "a:b"])
def test_a_package_s_name_is_one_name(name: str, tmp_path: Path) -> None:
    with pytest.raises(SaveError, match="invalid package name"):
        save(version(tmp_path, "first"), tmp_path / "out/m.urdf", mesh_package=name)
    assert not (tmp_path / "out").exists()


# --- what is copied -------------------------------------------------------------------------------


@links
@pytest.mark.parametrize("suffix", ["urdf", "body", "wrl", "rob"])
def test_what_a_mesh_names_out_of_reach_is_not_copied(suffix: str, tmp_path: Path) -> None:
    """A link in an archive, or a hidden file, that an OBJ file's library calls an image."""
    home = tmp_path / "a/b/model"
    for name in ("secret/key.png", "a/b/model/.ssh/id.png"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("SECRET", "utf-8")
    (home / "t.png").symlink_to(tmp_path / "secret/key.png")
    (home / "x.obj").write_text("mtllib x.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "utf-8")
    (home / "x.mtl").write_text("newmtl m\nmap_Kd t.png\nmap_Ks .ssh/id.png\n", "utf-8")
    mesh = '<visual><geometry><mesh filename="x.obj"/></geometry></visual>'
    (home / "m.urdf").write_text(f'<robot name="r"><link name="a">{mesh}</link></robot>', "utf-8")
    robot = ub.load(home / "m.urdf")
    save(robot, tmp_path / f"out/m.{suffix}", format="openhrp" if suffix == "wrl" else None)
    written = kept(tmp_path / "out")
    assert written
    assert not any(b"SECRET" in data for data in written.values())
