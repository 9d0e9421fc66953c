"""Ctrl-C, a killed process, two processes at once: the output is the old one or the new one."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from tests.hostile.outputs import (
    PARTS,
    VERSIONS,
    at_each_change,
    files,
    found,
    leftovers,
    put,
    version,
    whole_set,
)

from unibody.files.atomic import PART, exclusive_lock, write_atomic

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs the signals of Unix")

ROOT = Path(__file__).resolve().parents[2]
# Children find the tests' own modules, too.
PATHS = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(PATHS)}


def child(script: str, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", script, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    )


# --- Ctrl-C ---------------------------------------------------------------------------------------


def stopped() -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("before", [None, "first"])
def test_ctrl_c_at_any_moment(before: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new, old = version(tmp_path, "second"), version(tmp_path, "first")

    def prepare(number: int) -> Path:
        if before:
            put(old, tmp_path / f"out{number}/m.urdf")
        return tmp_path / f"out{number}/m.urdf"

    ends: list[str] = []

    def act(target: Path) -> None:
        try:
            put(new, target)
        except KeyboardInterrupt:
            ends.append("interrupted")
        else:
            ends.append("written")

    seen = set()
    for _, target in at_each_change(monkeypatch, stopped, prepare, act):
        now = found(target)
        seen.add(now)
        assert now in ({before, "second"} if ends[-1] == "interrupted" else {"second"})
        assert leftovers(target.parent) == []
        if now is None:
            assert files(target.parent) == []
    assert len(ends) > 20
    assert seen == {before, "second"}


def test_ctrl_c_while_one_file_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def prepare(number: int) -> Path:
        path = tmp_path / str(number) / "a"
        path.parent.mkdir()
        path.write_bytes(b"old")
        return path

    def act(path: Path) -> None:
        with suppress(KeyboardInterrupt):
            write_atomic(str(path), b"new")

    for number, path in at_each_change(monkeypatch, stopped, prepare, act):
        assert path.read_bytes() in {b"old", b"new"}
        assert files(tmp_path / str(number)) == ["a"]


COMMAND = """
import sys
from unibody.cli.main import main
print("ready", flush=True)
code = main(sys.argv[1:])
import os, signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
sys.exit(code)
"""


@pytest.mark.slow
def test_ctrl_c_at_random_moments_of_the_command(tmp_path: Path) -> None:
    """Exit code 130 and not a word, or the command was done already."""
    chance = random.Random(7)
    put(version(tmp_path, "first"), tmp_path / "source/m.urdf")
    longest, codes = 1.0, set()
    for number in range(12):
        target = tmp_path / f"out{number}/m.body"
        process = child(COMMAND, "convert", str(tmp_path / "source/m.urdf"), str(target))
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        begin = time.monotonic()
        time.sleep(chance.uniform(0.0, longest))
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        codes.add(process.returncode)
        assert process.returncode in {0, 130}, said
        assert "Traceback" not in said
        assert "KeyboardInterrupt" not in said
        if process.returncode == 0:
            longest = min(longest, time.monotonic() - begin)
        else:
            assert said == ""
        assert leftovers(tmp_path) == []
        if target.exists():
            assert found(target) == "first"
        else:
            assert files(target.parent) == []
    assert 130 in codes


def test_ctrl_c_ends_all_processes_of_a_command(tmp_path: Path) -> None:
    """A terminal sends it to the workers, too."""
    sources = []
    for number in range(60):
        source = tmp_path / f"m{number}.urdf"
        links = "".join(f'<link name="l{k}"/>' for k in range(200))
        joints = "".join(
            f'<joint name="j{k}" type="fixed"><parent link="l0"/><child link="l{k}"/></joint>'
            for k in range(1, 200)
        )
        source.write_text(f'<robot name="r">{links}{joints}</robot>', "utf-8")
        sources.append(str(source))
    words = ["convert", *sources, str(tmp_path / "out/"), "--to", "body", "--jobs", "2"]
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    deadline = time.monotonic() + 60
    while not list(tmp_path.glob("out/*.body")) and time.monotonic() < deadline:
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    out, said = process.communicate(timeout=60)
    assert process.returncode == 130, (out, said)
    assert "Traceback" not in said
    assert 0 < len(list(tmp_path.glob("out/*.body"))) < 60
    assert leftovers(tmp_path) == []


# --- killed ---------------------------------------------------------------------------------------

# A child ends at the n-th change of the disk, before or after it, with no chance to tidy up.
KILLED = """
import os, sys
from pathlib import Path
from tests.hostile import outputs
folder, before = Path(sys.argv[1]), sys.argv[2]
new, old = outputs.version(folder, "second"), outputs.version(folder, "first")
real = {door: getattr(os, door) for door in outputs.DOORS}
for number in range(200):
    target = folder / f"out{number}/m.urdf"
    if before == "first":
        outputs.put(old, target)
    child = os.fork()
    if child == 0:
        count = 0
        def struck(call, number=number):
            def struck_call(*arguments, **named):
                global count
                if call is real["open"] and not arguments[1] & os.O_CREAT:
                    return call(*arguments, **named)
                count += 2
                if count - 2 == number:
                    os._exit(9)
                result = call(*arguments, **named)
                if count - 1 == number:
                    os._exit(9)
                return result
            return struck_call
        for door, call in real.items():
            setattr(os, door, struck(call))
        outputs.put(new, target)
        # A change that failed has no moment after it.
        os._exit(0 if count <= number else 8)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(number, code, flush=True)
    if code == 0:
        break
"""


@pytest.mark.slow
@pytest.mark.parametrize("before", ["none", "first"])
def test_a_process_that_ends_at_any_moment(before: str, tmp_path: Path) -> None:
    process = child(KILLED, str(tmp_path), before)
    out, said = process.communicate(timeout=120)
    assert process.returncode == 0, said
    tries = [tuple(map(int, line.split())) for line in out.splitlines()]
    assert [code for _, code in tries].count(9) > 15
    assert tries[-1][1] == 0
    seen = set()
    for number, _ in tries:
        target = tmp_path / f"out{number}/m.urdf"
        seen.add(found(target))
        assert found(target) in {None if before == "none" else before, "second"}
        # What is left over of unfinished files says so in its name, and the next run works.
        for name in leftovers(target.parent) if target.parent.exists() else []:
            assert Path(name).name.startswith(PART[0])
        put(version(tmp_path, "first"), target)
        assert found(target) == "first"
        rest = {name for name in files(target.parent) if not name.endswith(PART[1])}
        # Assets that were added before the model was replaced may be left over.
        assert {Path(name).name for name in rest} == {"m.urdf", *(f"{part}.obj" for part in PARTS)}, number
        assert len(rest) <= 1 + 2 * len(PARTS), number
    assert "second" in seen
    assert len(seen) == 2


REPEATED = """
import sys
from pathlib import Path
from tests.hostile.outputs import put, version
folder = Path(sys.argv[1])
robots = [version(folder / sys.argv[2], name) for name in ("first", "second")]
print("ready", flush=True)
for number in range(int(sys.argv[3])):
    put(robots[number % 2], folder / "out/m.urdf")
"""


@pytest.mark.slow
def test_a_process_that_is_killed_at_random_moments(tmp_path: Path) -> None:
    chance = random.Random(11)
    for _ in range(6):
        process = child(REPEATED, str(tmp_path), "a", "1000000")
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(chance.uniform(0.0, 0.5))
        process.kill()
        process.communicate(timeout=60)
        target = tmp_path / "out/m.urdf"
        assert found(target) in VERSIONS or not target.exists()


# --- two at once ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_two_processes_that_write_the_same_output(tmp_path: Path) -> None:
    both = [child(REPEATED, str(tmp_path), word, "25") for word in "ab"]
    ends = [process.communicate(timeout=120) for process in both]
    assert [process.returncode for process in both] == [0, 0], ends
    # The last that each has written.
    assert found(tmp_path / "out/m.urdf") == "first"
    assert files(tmp_path / "out") == whole_set(tmp_path / "out/m.urdf")


ONCE = """
import sys, time
from pathlib import Path
from tests.hostile.outputs import version
from unibody.conversion.output import SaveError
from unibody.conversion.pipeline import save
folder, name = Path(sys.argv[1]), sys.argv[2]
robot = version(folder, name)
print("ready", flush=True)
for number in range(20):
    gate = folder / f"go{number}"
    while not gate.exists():
        time.sleep(0.0005)
    try:
        save(robot, folder / f"out{number}/m.urdf")
        print("written", flush=True)
    except SaveError as error:
        print(error.findings[0].code, flush=True)
"""


@pytest.mark.slow
def test_of_two_that_may_not_replace_one_wins(tmp_path: Path) -> None:
    both = [child(ONCE, str(tmp_path), name) for name in VERSIONS]
    pipes = [process.stdout for process in both if process.stdout is not None]
    assert [pipe.readline() for pipe in pipes] == ["ready\n"] * 2
    for number in range(20):
        (tmp_path / f"go{number}").touch()
        said = [pipe.readline().strip() for pipe in pipes]
        assert sorted(said) == ["output-exists", "written"]
        assert found(tmp_path / f"out{number}/m.urdf") == VERSIONS[said.index("written")]
        assert files(tmp_path / f"out{number}") == whole_set(tmp_path / f"out{number}/m.urdf")
    for process in both:
        process.communicate(timeout=60)


def test_a_reader_sees_one_or_the_other(tmp_path: Path) -> None:
    """While another process writes again and again, one file is always whole."""
    target = tmp_path / "a"
    write_atomic(str(target), b"a" * 100_000)
    script = (
        "import sys; from unibody.files.atomic import write_atomic\n"
        "for k in range(300): write_atomic(sys.argv[1], b'ab'[k % 2:k % 2 + 1] * 100_000)"
    )
    process = child(script, str(target))
    seen = set()
    while process.poll() is None:
        data = target.read_bytes()
        assert len(data) == 100_000
        seen |= set(data)
    process.communicate()
    assert seen <= set(b"ab")


def test_waiting_for_the_other_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("fcntl")
    monkeypatch.setattr("unibody.files.atomic._PATIENCE", 0.1)
    wanted = pytest.raises(OSError, match="another process is writing here")
    with exclusive_lock(str(tmp_path)), wanted, exclusive_lock(str(tmp_path)):
        pass
