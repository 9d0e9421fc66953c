"""Outputs are the old files or the new ones, whatever goes wrong; what cannot be written is one line."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from tests.hostile.outputs import PARTS, VERSIONS, at_each_change, files, found, put, version, whole_set
from tests.sampling import few

from unibody.cli.main import main
from unibody.conversion.output import SaveError
from unibody.conversion.pipeline import save
from unibody.files.atomic import write_atomic

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs links, rights and limits of Unix")

MODEL = '<robot name="r">\n  <link   name="a"/>\n</robot>\n'
IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
# Each verb that writes a file, with the options that make it write to the name at the end.
WRITERS = {
    "convert": ("convert", "m.urdf", "--overwrite", "--to", "body"),
    "report": ("convert", "m.urdf", "made.body", "--overwrite", "--report"),
    "view": ("view", "m.urdf", "--html"),
    "workspace": ("workspace", "m.urdf", "a", "--overwrite", "--npy"),
}


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model in the folder in work."""
    path = tmp_path / "m.urdf"
    path.write_text(MODEL, "utf-8")
    monkeypatch.chdir(tmp_path)
    return path


def full() -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


# --- several files that belong together -----------------------------------------------------------


def test_the_second_version_takes_the_place_of_the_first(tmp_path: Path) -> None:
    target = tmp_path / "out/m.urdf"
    for name in (*VERSIONS, *VERSIONS):
        put(version(tmp_path, name), target)
        assert found(target) == name
        assert files(tmp_path / "out") == whole_set(target)


@pytest.mark.parametrize("before", few([None, "first"], 1))
def test_a_disk_that_is_full_at_any_moment(
    before: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new, old = version(tmp_path, "second"), version(tmp_path, "first")

    def prepare(number: int) -> Path:
        if before:
            put(old, tmp_path / f"out{number}/m.urdf")
        return tmp_path / f"out{number}/m.urdf"

    said: list[str] = []

    def act(target: Path) -> None:
        try:
            put(new, target)
            said.append("written")
        except SaveError as error:
            said.append("full" if "No space left on device" in str(error) else str(error))

    for _, target in at_each_change(monkeypatch, full, prepare, act):
        # A disk that is full after the last step is no failure of the output.
        assert found(target) == (before if said[-1] == "full" else "second") or found(target) == "second"
        assert [name for name in files(target.parent) if name.endswith(".part")] == []
        if found(target) is None:
            assert files(target.parent) == []
        elif found(target) == before:
            assert files(target.parent) == whole_set(target)
    assert len(said) > 20
    assert set(said) == {"full", "written"}


def test_another_file_in_the_folder_is_not_taken_away(tmp_path: Path) -> None:
    """What the model never referred to is somebody's: it is neither replaced nor removed."""
    target = tmp_path / "out/m.urdf"
    put(version(tmp_path, "first"), target)
    strange = tmp_path / "out/m.urdf_files/c.obj"
    strange.write_text("mine", "utf-8")
    put(version(tmp_path, "second"), target)
    assert found(target) == "second"
    assert strange.read_text("utf-8") == "mine"
    assert files(tmp_path / "out") == sorted([*whole_set(target), "m.urdf_files/c.obj"])


def test_a_model_of_another_format_keeps_its_files(tmp_path: Path) -> None:
    """m.body and m.urdf have a folder each."""
    target, other = tmp_path / "out/m.urdf", tmp_path / "out/m.body"
    first, second = (version(tmp_path, name) for name in VERSIONS)
    put(first, target)
    put(first, other)
    assert files(tmp_path / "out") == sorted([*whole_set(target), *whole_set(other)])
    for robot in (second, first, second, second, first):
        put(robot, target)
        assert found(target) == robot.name
        assert found(other) == "first"
        assert files(tmp_path / "out") == sorted([*whole_set(target), *whole_set(other)])


def test_the_same_input_gives_the_same_names_again(tmp_path: Path) -> None:
    """What took the place of another version has its plain names at the latest when it is written again."""
    target = tmp_path / "out/m.urdf"
    for name in (*VERSIONS, "second", "second"):
        put(version(tmp_path, name), target)
    plain = [f"m.urdf_files/{part}.obj" for part in PARTS]
    assert files(tmp_path / "out") == sorted(["m.urdf", *plain])
    before = {name: (tmp_path / "out" / name).read_bytes() for name in files(tmp_path / "out")}
    put(version(tmp_path, "second"), tmp_path / "empty/m.urdf")
    assert before == {name: (tmp_path / "empty" / name).read_bytes() for name in files(tmp_path / "empty")}


# --- one file -------------------------------------------------------------------------------------


def test_one_file_is_the_old_or_the_new_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def prepare(number: int) -> Path:
        path = tmp_path / str(number) / "a"
        path.parent.mkdir()
        path.write_bytes(b"old")
        return path

    said: list[str] = []

    def act(path: Path) -> None:
        try:
            write_atomic(str(path), b"new")
            said.append("new")
        except OSError as error:
            said.append("old" if error.filename == str(path) else str(error))

    for number, path in at_each_change(monkeypatch, full, prepare, act):
        assert path.read_bytes() in {said[-1].encode(), b"new"}
        assert files(tmp_path / str(number)) == ["a"]
    assert set(said) == {"old", "new"}


def test_rights_stay_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "a"
    write_atomic(str(path), b"1")
    (tmp_path / "b").write_bytes(b"")
    assert path.stat().st_mode == (tmp_path / "b").stat().st_mode
    path.chmod(0o640)
    write_atomic(str(path), b"2")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.skipif(not IS_ROOT, reason="only the superuser may give files away")
def test_the_owner_stays(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"1")
    os.chown(path, 1234, 1234)
    write_atomic(str(path), b"2")
    assert (path.stat().st_uid, path.stat().st_gid, path.read_bytes()) == (1234, 1234, b"2")


def test_a_link_is_replaced_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"secret")
    (tmp_path / "a").symlink_to(tmp_path / "secret")
    write_atomic(str(tmp_path / "a"), b"new")
    assert (tmp_path / "secret").read_bytes() == b"secret"
    assert (tmp_path / "a").read_bytes() == b"new"
    with pytest.raises(FileExistsError):
        write_atomic(str(tmp_path / "a"), b"new", overwrite=False)
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    with pytest.raises(FileExistsError):
        write_atomic(str(tmp_path / "dangling"), b"new", overwrite=False)


def test_devices_stay_devices(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_atomic(str(pipe), b"new")
    assert os.read(reader, 10) == b"new"
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    with pytest.raises(SaveError, match="not a regular file"):
        save(version(tmp_path, "first"), pipe, format="urdf", overwrite=True)


# --- what the command says ------------------------------------------------------------------------


def one_line(said: str) -> str:
    """The one line on standard error, without what follows an error: its hint, and how many there are."""
    lines = [
        x for x in said.splitlines() if "warning" not in x and not x.startswith(("  hint:", "1 error"))
    ]
    assert len(lines) == 1, said
    return lines[0]


def written(verb: str, name: str) -> int:
    """The exit code of a verb that writes to a name."""
    words = list(WRITERS[verb])
    if verb == "convert":
        words.insert(2, name)
    elif verb == "report":
        words.append(name if name.endswith("/") else f"{name}.txt")
    else:
        words.append(name)
    return main(words)


@pytest.mark.parametrize("verb", WRITERS)
@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("nowhere/a/b", "No such file or directory"),
        ("n" * 300, "File name too long"),
        ("m.urdf/a", "Not a directory"),
    ],
)
def test_names_that_cannot_be_written(
    verb: str, name: str, why: str, model: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code = written(verb, name)
    if verb == "convert" and name.startswith("nowhere"):
        assert code == 0  # folders of outputs are made
        assert (model.parent / name).is_file()
        return
    assert code == 2
    assert why in one_line(capfd.readouterr().err)
    assert set(files(model.parent)) <= {"m.urdf", "made.body"}
    assert model.read_text("utf-8") == MODEL


@pytest.mark.parametrize("verb", ["view", "workspace"])
def test_an_output_that_is_a_directory(verb: str, model: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (model.parent / "folder").mkdir()
    assert written(verb, "folder") == 2
    assert "Is a directory" in one_line(capfd.readouterr().err)
    assert files(model.parent) == ["m.urdf"]


def test_a_model_that_is_a_directory(model: Path) -> None:
    (model.parent / "a.urdf").mkdir()
    with pytest.raises(SaveError, match="is a directory"):
        save(version(model.parent, "first"), model.parent / "a.urdf", overwrite=True)


def test_an_output_that_is_there_stays(model: Path, capfd: pytest.CaptureFixture[str]) -> None:
    target = model.parent / "a.body"
    target.write_text("mine", "utf-8")
    assert main(["convert", "m.urdf", "a.body"]) == 2
    assert "already exists" in one_line(capfd.readouterr().err)
    (model.parent / "r.txt").write_text("mine", "utf-8")
    assert main(["convert", "m.urdf", "b.body", "--report", "r.txt"]) == 2
    assert "already exists" in one_line(capfd.readouterr().err)
    assert target.read_text("utf-8") == (model.parent / "r.txt").read_text("utf-8") == "mine"


# The superuser may write everywhere, unless he lays that power down (CAP_DAC_OVERRIDE).
UNPRIVILEGED = """
import ctypes, sys
libc, head, sets = ctypes.CDLL(None), (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
assert libc.capget(head, sets) == 0
sets[0] &= ~2
assert libc.capset(head, sets) == 0
from unibody.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs the rights of Linux")
@pytest.mark.parametrize("verb", few(["convert", "fmt", "view", "workspace"], 1))
def test_a_folder_that_may_only_be_read(verb: str, model: Path) -> None:
    words = {
        "convert": ("m.urdf", "a.body"),
        "fmt": ("m.urdf",),
        "view": ("m.urdf", "--html", "a.html"),
        "workspace": ("m.urdf", "a", "--csv", "a.csv"),
    }[verb]
    model.parent.chmod(0o555)
    done = child(UNPRIVILEGED, verb, *words)
    model.parent.chmod(0o755)
    assert done.returncode == 2
    assert "Permission denied" in one_line(done.stderr)
    assert files(model.parent) == ["m.urdf"]
    assert model.read_text("utf-8") == MODEL


def child(script: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a script in another process."""
    command = [sys.executable, "-c", script, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


# --- limits of the system -------------------------------------------------------------------------

LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))
import unibody.cli.main
sys.exit(unibody.cli.main.main(sys.argv[1:]))
"""


@pytest.mark.parametrize("verb", few(["convert", "view", "fmt"], 1))
def test_a_file_that_the_system_lets_not_grow(verb: str, model: Path) -> None:
    """A real error in the middle of writing."""
    model.write_text(MODEL.replace("<link ", "<!-- " + "long " * 50 + "--><link "), "utf-8")
    before = model.read_bytes()
    words = {"convert": ("a.body",), "view": ("--html", "a.html"), "fmt": ()}[verb]
    done = child(LIMITED, verb, "m.urdf", *words)
    assert done.returncode == 2, done.stderr
    assert "File too large" in done.stderr
    assert "Traceback" not in done.stderr
    assert files(model.parent) == ["m.urdf"]
    assert model.read_bytes() == before


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("words", few([("formats",), ("dump", "m.urdf"), ("info", "m.urdf", "--json")], 1))
def test_a_full_standard_output_is_one_line(words: tuple[str, ...], model: Path) -> None:
    with open("/dev/full", "wb") as out:
        done = subprocess.run(
            [sys.executable, "-m", "unibody", *words],
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == "unibody: error: cannot write the output: No space left on device\n"


@pytest.mark.parametrize("verb", few(["dump", "check", "info"], 1))
def test_a_reader_who_leaves_is_no_error(verb: str, model: Path) -> None:
    links = "".join(f'<link name="l{k}"/>' for k in range(3_000))
    joints = "".join(
        f'<joint name="j{k}" type="fixed"><parent link="l0"/><child link="l{k}"/></joint>'
        for k in range(1, 3_000)
    )
    model.write_text(f'<robot name="r">{links}{joints}</robot>', "utf-8")
    shell = shutil.which("bash")
    if shell is None:
        pytest.skip("needs bash")
    command = f"{sys.executable} -m unibody {verb} m.urdf | head -c 10 >/dev/null; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run([shell, "-c", command], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode in {0, 1, 141}
    assert "Traceback" not in done.stderr
    assert "Broken pipe" not in done.stderr
