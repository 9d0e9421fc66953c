"""Commands on many files: summary, record, resumption after kill -9, exit codes and bad input."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import Future
from pathlib import Path

import pytest

import unibody
from unibody.batch.workers import WorkerError, Workers
from unibody.cli.main import main

SRC = Path(unibody.__file__).parents[1]
MODELS = Path(__file__).parents[1] / "commands/models"
COPIES = 8


@pytest.fixture
def robots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of models, repeated under other names."""
    monkeypatch.chdir(tmp_path)
    for k in range(3):
        folder = tmp_path / f"robots/{k}"
        folder.mkdir(parents=True)
        for path in sorted(MODELS.iterdir()):
            shutil.copy(path, folder / path.name)
    return tmp_path


# The models among the files of a folder, and the others.
PLACES = [path for path in sorted(MODELS.iterdir()) if path.suffix in (".urdf", ".srdf", ".body")]
OTHERS = len(list(MODELS.iterdir())) - len(PLACES)


def command(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "unibody", *words],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(SRC)},
        check=False,
    )


@pytest.mark.slow
def test_summary_and_record(robots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "robots", "--log", "r.jsonl", "--jobs", "2"]) == 1
    out = capsys.readouterr().out
    count = 3 * len(PLACES)
    assert out.startswith(f"{count} files checked: ")
    assert f"{3 * OTHERS} files skipped: not models by themselves" in out
    assert "by rule" in out
    assert "by file, worst first" in out
    lines = Path("r.jsonl").read_text().splitlines()
    assert len(lines) == count + 1
    assert json.loads(lines[0])["unibody"] == unibody.__version__
    # the same from the record, without work
    assert main(["check", "robots", "--resume", "r.jsonl"]) == 1
    assert capsys.readouterr().out == out
    # and from another number of processes
    assert main(["check", "robots", "--jobs", "1"]) == 1
    assert capsys.readouterr().out == out


@pytest.mark.usefixtures("here")
def test_one_rule_of_one_file_is_one_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    joints = "".join(
        f'<link name="l{k}"/><joint name="j{k}" type="revolute"><parent link="l0"/><child link="l{k}"/>'
        "</joint>"
        for k in range(1, 4)
    )
    Path("arm.urdf").write_text(f'<robot name="r"><link name="l0"/>{joints}</robot>')
    Path("box.urdf").write_text('<robot name="b"><link name="b"/></robot>')
    main(["check", "arm.urdf", "box.urdf"])
    out = capsys.readouterr().out
    (row,) = [line for line in out.splitlines() if line.startswith("arm.urdf")]
    assert row.split()[1:4] == ["warning", "joint-limit-missing", "×3"]
    assert out.splitlines()[-1] == "unibody check FILE prints the messages and hints of one file"


@pytest.mark.usefixtures("here")
def test_json_and_jsonl(robots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["robots/0/crane.body", "robots/1/crane.body"]
    main(["check", *words, "--format", "jsonl"])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["path"] for line in lines] == words
    main(["check", *words, "--json"])
    assert json.loads(capsys.readouterr().out) == {"files": lines}


@pytest.mark.parametrize(
    ("words", "code"),
    [([], 0), (["--fail-on", "warning"], 1), (["--fail-on", "never"], 0)],
)
@pytest.mark.usefixtures("here")
def test_exit_codes(robots: Path, words: list[str], code: int) -> None:
    Path("clean.urdf").write_text('<robot name="b"><link name="b"/></robot>')
    assert main(["check", "clean.urdf", "robots/0/slips.urdf", *words]) == code


@pytest.mark.usefixtures("here")
def test_fail_fast(robots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "robots", "--fail-fast", "--jobs", "1", "--log", "r.jsonl"]) == 1
    done = capsys.readouterr()
    assert "stopped by --fail-fast: " in done.err
    assert "continue with --resume r.jsonl" in done.err
    assert not done.out.startswith(f"{3 * len(PLACES)} files")


@pytest.mark.usefixtures("here")
def test_bad_operands_do_not_stop_the_others(robots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.symlink("gone.urdf", "robots/0/link.urdf")
    words = ["robots/0", "robots/*.sdf", "nowhere.urdf"]
    assert main(["check", *words, "--log", "r.jsonl", "--fail-on", "never"]) == 2
    done = capsys.readouterr()
    assert done.err.splitlines() == [
        "unibody check: error: robots/0/link.urdf: the link leads to gone.urdf, which is not there",
        "unibody check: error: robots/*.sdf: no file matches this pattern",
    ]
    assert done.out.startswith(f"{len(PLACES) + 1} files checked")
    assert len(Path("r.jsonl").read_text().splitlines()) == len(PLACES) + 2
    assert '"code":"file-missing"' in Path("r.jsonl").read_text()


def test_no_models(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").touch()
    assert main(["check", str(tmp_path)]) == 2
    assert "no models in " in capsys.readouterr().err
    assert main(["check", "-", "x.urdf"]) == 2
    assert "standard input (-) can only be read alone" in capsys.readouterr().err


@pytest.mark.parametrize("words", [[], ["--log", "r.jsonl"], ["--format", "sarif"]])
@pytest.mark.usefixtures("here")
def test_nothing_that_can_be_looked_at_is_no_result(
    robots: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    os.symlink("gone.urdf", "link.urdf")
    assert main(["check", "*.sdf", "link.urdf", *words]) == 2
    done = capsys.readouterr()
    assert (done.out, os.path.exists("r.jsonl")) == ("", False)
    assert done.err.splitlines() == [
        "unibody check: error: *.sdf: no file matches this pattern",
        "unibody check: error: link.urdf: the link leads to gone.urdf, which is not there",
    ]


def _copies(count: int) -> None:
    shutil.rmtree("robots")
    for k in range(count):
        shutil.copytree(MODELS, f"robots/{k:02d}")


@pytest.mark.slow
def test_kill_and_resume_give_the_same(robots: Path) -> None:
    _copies(COPIES)
    whole = command("check", "robots", "--log", "whole.jsonl", "--jobs", "2")
    assert whole.returncode == 1
    words = [sys.executable, "-m", "unibody", "check", "robots", "--log", "cut.jsonl", "--jobs", "2"]
    with subprocess.Popen(
        words, env={**os.environ, "PYTHONPATH": str(SRC)}, stderr=subprocess.DEVNULL
    ) as process:
        end = time.monotonic() + 60
        while time.monotonic() < end and not (
            os.path.exists("cut.jsonl") and Path("cut.jsonl").read_bytes().count(b"\n") > 50
        ):
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    before = Path("cut.jsonl").read_bytes()
    assert before.count(b"\n") < COPIES * len(PLACES)
    with open("cut.jsonl", "ab") as file:
        file.write(b'{"run":"torn')
    resumed = command("check", "robots", "--resume", "cut.jsonl", "--jobs", "2")
    assert (resumed.returncode, resumed.stdout) == (whole.returncode, whole.stdout)
    lines = Path("cut.jsonl").read_bytes().splitlines()
    assert sorted(lines) == sorted(Path("whole.jsonl").read_bytes().splitlines())
    # what was done before the kill was not done again
    assert lines[: before.count(b"\n")] == before.splitlines()[: before.count(b"\n")]


@pytest.mark.slow
def test_a_full_disk_is_one_line_and_the_record_whole(robots: Path) -> None:
    resource = pytest.importorskip("resource", reason="needs limits of processes")
    _copies(4)

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    words = ["check", "robots", "--log", "r.jsonl"]
    done = subprocess.run(
        [sys.executable, "-m", "unibody", *words],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(SRC), "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=limit,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "unibody check: error: cannot write r.jsonl: File too large; what is done is recorded: make room, "
        "then continue with --resume r.jsonl"
    ]
    text = Path("r.jsonl").read_text()
    assert 10_000 < len(text) <= 20_000
    assert text.endswith("\n")
    for line in text.splitlines():
        json.loads(line)
    assert command("check", "robots", "--resume", "r.jsonl").stdout == command("check", "robots").stdout


@pytest.mark.usefixtures("here")
def test_fixes_of_many(robots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["check", "robots/0/crank.urdf", "robots/1/crank.urdf", "--fix"]
    before = Path("robots/1/crank.urdf").read_text()
    main(words)
    out = capsys.readouterr().out
    assert out.count("+++ ") == 2
    assert "in 2 files, not written (use --yes)" in out
    assert Path("robots/1/crank.urdf").read_text() == before
    main([*words, "--yes", "--log", "r.jsonl"])
    assert "in 2 files, written" in capsys.readouterr().out
    assert Path("robots/1/crank.urdf").read_text() != before
    # what was fixed is done
    assert len(Path("r.jsonl").read_text().splitlines()) == 3
    lines = Path("r.jsonl").read_text()
    main([*words, "--yes", "--resume", "r.jsonl"])
    assert Path("r.jsonl").read_text() == lines


@pytest.mark.usefixtures("robots")
def test_few_files_begin_no_process(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two small files are done in the process of the command, until their work has taken a while."""
    begun: list[str] = []

    def submit(self: Workers, function: object, path: str) -> Future[object]:
        begun.append(path)
        future: Future[object] = Future()
        future.set_exception(WorkerError("no process here"))
        return future

    monkeypatch.setattr(Workers, "submit", submit)
    two = ["robots/0/crane.body", "robots/0/pendulum.body"]
    assert main(["info", *two]) == 0
    assert not begun
    monkeypatch.setattr("unibody.cli.collection._SHORT", -1.0)
    assert main(["info", *two]) == 1
    assert begun == two[1:]
    assert main(["info", *two, "--jobs", "2"]) == 1
    assert begun == two[1:] + two
    capsys.readouterr()
