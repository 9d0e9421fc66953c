"""The record of a run: what holds, what is done again, and what a full disk or a torn line leaves."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from unibody.batch.record import FileRecord, FileState, states
from unibody.batch.run_record import RecordedRun, Run, RunRecord, RunRecordError

RUN = Run({"unibody": "1.0"}, "check", {"mute": []})


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    names = ["a", "b", "c"]
    for name in names:
        Path(name).write_text(name * 3)
    return names


def work(path: str) -> FileRecord:
    return FileRecord(path=path, value=Path(path).read_text(), reads=states([path]))


def run(files: list[str], resume: bool = True, of: Run = RUN) -> tuple[list[str], list[object]]:
    """What was done, and all values in order."""
    record = RunRecord(of, "record", resume)
    recorded = RecordedRun(record, ((path,) for path in files))
    done = []
    for (path,) in recorded.missing():
        recorded.add(work(path))
        done.append(path)
    values = [r.value for r in record.records()]
    record.close()
    return done, values


def test_what_is_done_is_not_done_again(files: list[str]) -> None:
    assert run(files, resume=False) == (["a", "b", "c"], ["aaa", "bbb", "ccc"])
    before = Path("record").read_bytes()
    assert run(files) == ([], ["aaa", "bbb", "ccc"])
    assert Path("record").read_bytes() == before
    assert run([*files, "a"][:2]) == ([], ["aaa", "bbb"])


def test_a_changed_file_is_done_again(files: list[str]) -> None:
    run(files)
    Path("b").write_text("BBB")
    assert run(files) == (["b"], ["aaa", "BBB", "ccc"])
    assert Path("record").read_text().count('"path":"b"') == 1


def test_a_touched_file_is_not(files: list[str]) -> None:
    run(files)
    os.utime("b", ns=(1, 1))
    assert run(files)[0] == []


def test_a_file_of_the_same_size_and_time_is_not_read(files: list[str]) -> None:
    (state,) = states(["a"])
    Path("a").write_text("zzz")
    os.utime("a", ns=(state.changed, state.changed))
    assert state.holds()
    os.utime("a", ns=(5, 5))
    assert not state.holds()


def test_a_missing_file_that_comes_is_noticed(files: list[str]) -> None:
    (state,) = states(["mesh.stl"])
    assert state.holds()
    Path("mesh.stl").write_text("solid")
    assert not state.holds()


def test_a_file_that_changes_while_it_is_read_never_holds(files: list[str]) -> None:
    (state,) = states(["a"], before=os.stat("a").st_mtime_ns)
    assert state.digest == ""
    assert not state.holds()


def test_another_program_or_other_options_do_all_again(files: list[str]) -> None:
    run(files)
    assert run(files, of=Run({"unibody": "1.1"}, "check", {"mute": []}))[0] == files
    assert run(files, of=Run({"unibody": "1.1"}, "check", {"mute": ["x"]}))[0] == files
    assert Path("record").read_text().count("\n") == 4


@pytest.mark.parametrize("torn", [b'{"run":"0', b"\xff\xfe\n", b"\0\0\0", b'{"run":1}\n', b"[]\n", b"7\n"])
def test_a_torn_line_is_ignored(files: list[str], torn: bytes) -> None:
    run(files)
    whole = Path("record").read_bytes()
    lines = whole.splitlines(keepends=True)
    Path("record").write_bytes(b"".join(lines[:3]) + torn)
    assert run(files)[0] == ["c"]
    assert Path("record").read_bytes() == whole


def test_another_output_is_done_again(files: list[str]) -> None:
    def run_to(folder: str) -> list[str]:
        record = RunRecord(RUN, "record", resume=True)
        recorded = RecordedRun(record, ((path, f"{folder}/{path}") for path in files))
        done = []
        for path, output in recorded.missing():
            recorded.add(FileRecord(path=path, output=output, reads=states([path])))
            done.append(output)
        record.close()
        return done

    assert run_to("x") == ["x/a", "x/b", "x/c"]
    assert run_to("x") == []
    assert run_to("y") == ["y/a", "y/b", "y/c"]


def test_failures_are_tried_again(files: list[str]) -> None:
    record = RunRecord(RUN, "record")
    recorded = RecordedRun(record, ((path,) for path in files))
    for (path,) in recorded.missing():
        recorded.add(FileRecord(path=path, failure="the worker process died: SIGKILL"))
    record.close()
    assert run(files)[0] == files


def test_an_existing_record_is_not_overwritten(files: list[str]) -> None:
    run(files)
    with pytest.raises(RunRecordError, match="continue it with --resume"):
        RunRecord(RUN, "record")


def test_two_commands_do_not_write_one_record(files: list[str]) -> None:
    pytest.importorskip("fcntl", reason="needs locks of files")
    run(files, resume=False)
    before = Path("record").read_bytes()
    for resumed in (True, False):
        if not resumed:
            os.remove("record")
        first = RunRecord(RUN, "record", resume=resumed)
        for _ in range(2):
            with pytest.raises(RunRecordError, match="record is being written by another command; wait"):
                RunRecord(RUN, "record", resume=True)
        first.close()
        RunRecord(RUN, "record", resume=True).close()
        if resumed:
            assert Path("record").read_bytes() == before
    assert sorted(os.listdir()) == ["a", "b", "c", "record"]


@pytest.mark.parametrize("text", ["hello", '{"a": 1}\n', '<robot name="r"/>'])
def test_another_file_is_not_taken_for_a_record(files: list[str], text: str) -> None:
    Path("record").write_text(text)
    with pytest.raises(RunRecordError, match="exists and is not a log of unibody; choose another name"):
        RunRecord(RUN, "record", resume=True)
    assert Path("record").read_text() == text
    assert sorted(os.listdir()) == ["a", "b", "c", "record"]


def test_an_empty_record_is_one(files: list[str]) -> None:
    Path("record").touch()
    assert run(files)[0] == files


def test_a_full_disk_leaves_whole_lines(files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    record = RunRecord(RUN, "record")
    recorded = RecordedRun(record, ((path,) for path in files))
    missing = recorded.missing()
    recorded.add(work(*next(missing)))

    class Full:
        """A file on a disk with room for ten bytes more."""

        def __init__(self, file: object) -> None:
            self.file, self.room = file, 10

        def write(self, data: bytes) -> int:
            if not self.room:
                raise OSError(28, "No space left on device")
            count = self.file.write(bytes(data)[: self.room])  # type: ignore[attr-defined]
            self.room = 0
            return int(count)

        def __getattr__(self, name: str) -> object:
            return getattr(self.file, name)

    file = record._file
    monkeypatch.setattr(record, "_file", Full(file))
    with pytest.raises(RunRecordError, match="No space left on device; what is done is recorded"):
        recorded.add(work(*next(missing)))
    file.close()
    lines = Path("record").read_text().split("\n")
    assert len(lines) == 3
    assert lines[-1] == ""
    assert json.loads(lines[1])["path"] == "a"
    assert run(files)[0] == ["b", "c"]


def test_names_that_are_no_text(tmp_path: Path) -> None:
    name = os.fsdecode(b"\xff.urdf")
    record = RunRecord(RUN, str(tmp_path / "record"))
    recorded = RecordedRun(record, iter([(name,), ("腕.urdf",)]))
    for (path,) in recorded.missing():
        recorded.add(FileRecord(path=path, value=1))
    assert [r.path for r in record.records()] == [name, "腕.urdf"]
    assert "腕" in (tmp_path / "record").read_text()
    record.close()


def test_records_are_plain_data() -> None:
    record = FileRecord(
        path="a", value={"x": [1]}, findings=({"code": "c"},), reads=(FileState("a", 1, 2, "d"),)
    )
    assert FileRecord.of(json.loads(json.dumps(record.json()))) == record
