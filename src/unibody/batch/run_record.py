"""The record of a run on disk: one line of JSON for each file, valid at every moment.

The first line tells the program's version, the command and its options, and names them by a key; each
further line is the record of one file, with that key. A line is written when its file is done, with one
system call, so that only the last one can be torn if the process is killed; a torn line is ignored. Lines
come in the order in which files were done; sorted, the record does not depend on it.
"""

from __future__ import annotations

import errno
import json
import os
import tempfile
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import IO, Any

from unibody.batch.record import FileRecord
from unibody.files.atomic import PART, is_open, take_lock


class RunRecordError(Exception):
    """A run record that cannot be written or read; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Run:
    """What the values of a record depend on besides the files.

    ``program`` identifies the program: its version, a digest of its code, the packages that it uses.
    """

    program: Mapping[str, Any]
    command: str
    options: Mapping[str, Any]

    @property
    def key(self) -> str:
        """A digest of the program, the command and the options."""
        return blake2b(_line(self._json()), digest_size=8).hexdigest()

    def _json(self) -> dict[str, Any]:
        return {**self.program, "command": self.command, "options": dict(self.options)}

    def header(self) -> bytes:
        """The first line of its record."""
        return _line({"run": self.key, **self._json()})


class RunRecord:
    """A record that lines are added to, and read back in the order of the files.

    ``path`` is None for one that is removed when the program ends.
    """

    def __init__(self, run: Run, path: str | None = None, resume: bool = False) -> None:
        self._run = run
        self._path = path
        # The places of the lines, by number of the file; -1 for a file that is not done.
        self._places = array("q")
        self._kept: dict[bytes, int] = {}
        self._end = 0
        try:
            self._file = self._open(resume)
            if not self._end:
                self._write(run.header())
        except OSError as error:
            raise self._failed(error) from None

    def _open(self, resume: bool) -> IO[bytes]:
        if self._path is None:
            return tempfile.TemporaryFile(buffering=0)
        if resume and os.path.lexists(self._path):
            return self._continued(self._path)
        try:
            file = open(self._path, "x+b", buffering=0)  # noqa: SIM115
        except FileExistsError:
            raise RunRecordError(
                f"{self._path} already exists; continue it with --resume, or remove it"
            ) from None
        _lock(file, self._path)
        return file

    def _continued(self, path: str) -> IO[bytes]:
        """The record with the lines that still hold, locked until it is closed."""
        with open(path, "r+b") as old:
            _lock(old, path)
            # Another command may have replaced the file before it gave up the lock.
            if not is_open(old.fileno(), path):
                return self._continued(path)
            part = os.path.join(os.path.dirname(path), os.urandom(8).hex().join(PART))
            try:
                self._compact(old, path, part)
                if os.name == "nt":  # open files cannot be replaced there, and have no locks
                    old.close()
                    os.replace(part, path)
                    file = open(path, "r+b", buffering=0)  # noqa: SIM115
                else:
                    file = open(part, "r+b", buffering=0)  # noqa: SIM115
                    _lock(file, path)
                    os.replace(part, path)
            finally:
                if os.path.lexists(part):
                    os.remove(part)
            self._end = file.seek(0, os.SEEK_END)
            return file

    def _compact(self, old: IO[bytes], path: str, part: str) -> None:
        """Write the lines that still hold to a new file: those of this run, and of files as they are."""
        if not _is_record(old):
            raise RunRecordError(f"{path} exists and is not a log of unibody; choose another name")
        with open(part, "xb") as new:
            place = new.write(self._run.header())
            for line in old:
                record = _record(line, self._run.key)
                if record is None or not all(state.holds() for state in record.reads):
                    continue
                key = _digest(record.path, record.output)
                if key not in self._kept and record.reads:
                    self._kept[key] = place
                    place += new.write(line)
            new.flush()
            os.fsync(new.fileno())

    def is_done(self, path: str, output: str = "") -> bool:
        """Take the next file, in the order of the run; whether the record has it, with this output."""
        self._places.append(self._kept.pop(_digest(path, output), -1))
        return self._places[-1] >= 0

    def add(self, number: int, record: FileRecord) -> None:
        """Write the record of the file with this number, counted from 0 in the order of :meth:`is_done`."""
        place = self._end
        try:
            self._write(_line({"run": self._run.key, **record.json()}))
        except OSError as error:
            raise self._failed(error) from None
        self._places[number] = place

    def records(self) -> Iterator[FileRecord]:
        """The records of all files that are done, in the order of the run."""
        for place in self._places:
            if place >= 0:
                record = _record(self._read(place), self._run.key)
                if record is not None:
                    yield record

    def lines(self) -> Iterator[str]:
        """The lines of all files that are done, in the order of the run, without line ends."""
        for place in self._places:
            if place >= 0:
                yield self._read(place).decode("utf-8").rstrip("\n")

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _read(self, place: int) -> bytes:
        self._file.seek(place)
        pieces = []
        while piece := self._file.read(1 << 16):
            head, end, _ = piece.partition(b"\n")
            pieces.append(head + end)
            if end:
                break
        return b"".join(pieces)

    def _write(self, line: bytes) -> None:
        """Add a line at the end, or nothing."""
        self._file.seek(self._end)
        left = memoryview(line)
        try:
            while left:
                left = left[self._file.write(left) :]
        except BaseException:
            self._file.truncate(self._end)
            raise
        self._end += len(line)

    def _failed(self, error: OSError) -> RunRecordError:
        name = self._path or "the record of the run"
        if self._path is not None and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            why = error.strerror or str(error)
            return RunRecordError(
                f"cannot write {name}: {why}; what is done is recorded: make room, then continue with "
                f"--resume {name}"
            )
        return RunRecordError(f"cannot write {name}: {error.strerror or error}")


def _lock(file: IO[bytes], path: str) -> None:
    """Lock a record until it is closed; RunRecordError if another command writes it."""
    if not take_lock(file.fileno()):
        raise RunRecordError(
            f"{path} is being written by another command; wait until it ends, or name another record"
        )


def _line(data: Mapping[str, Any]) -> bytes:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=False)
    try:
        return text.encode() + b"\n"
    except UnicodeEncodeError:  # names of files that are no text
        return json.dumps(data, separators=(",", ":")).encode() + b"\n"


def _record(line: bytes, key: str) -> FileRecord | None:
    """The record of a line of the run with this key; None for any other line."""
    if not line.endswith(b"\n"):
        return None
    try:
        data = json.loads(line)
        return FileRecord.of(data) if data["run"] == key and "path" in data else None
    except (ValueError, KeyError, TypeError):
        return None


def _is_record(file: IO[bytes]) -> bool:
    """Whether a file begins as a run record does; an empty one does, too."""
    start = file.read(8)
    file.seek(0)
    return b'{"run":"'.startswith(start) if len(start) < 8 else start == b'{"run":"'


def _digest(path: str, output: str) -> bytes:
    return blake2b(os.fsencode(f"{path}\0{output}"), digest_size=16).digest()


class RecordedRun:
    """A run over files in their order: gives those that the record lacks, and takes their records.

    A job is the path of a file, and that of its output if there is one.
    """

    def __init__(self, record: RunRecord, jobs: Iterator[tuple[str, ...]]) -> None:
        self._record, self._jobs = record, jobs
        # The numbers of the files that are in flight.
        self._numbers: dict[str, int] = {}
        self.resumed = 0

    def missing(self) -> Iterator[tuple[str, ...]]:
        """The jobs that are not done."""
        for number, job in enumerate(self._jobs):
            if self._record.is_done(*job):
                self.resumed += 1
            else:
                self._numbers[job[0]] = number
                yield job

    def add(self, result: FileRecord) -> None:
        """Record a file of :meth:`missing`."""
        self._record.add(self._numbers.pop(result.path), result)
