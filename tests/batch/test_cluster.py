"""Work on a real dask cluster of processes, one of which is killed in the middle."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import unibody as ub

pytestmark = pytest.mark.slow
distributed: Any = pytest.importorskip("distributed", reason="needs dask (the extra cluster)")

SRC = Path(ub.__file__).parents[1]
MODELS = Path(__file__).parents[1] / "commands/models"
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([str(SRC), str(SRC.parent)])}
COPIES = 12
MODELS_OF_EACH = len([path for path in MODELS.iterdir() if path.suffix in (".urdf", ".srdf", ".body")])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of many models."""
    folder = tmp_path_factory.mktemp("cluster")
    for k in range(COPIES):
        shutil.copytree(MODELS, folder / f"robots/{k:02d}")
    return folder


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[str]:
    """The address of a scheduler with two workers, each a process with a nanny that begins it again."""
    port = 18786 + os.getpid() % 1000
    address = f"tcp://127.0.0.1:{port}"
    python = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    common: dict[str, Any] = {
        "env": ENVIRONMENT,
        "cwd": tmp_path,
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
    }
    words = ["--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
    scheduler = subprocess.Popen([*python, *words], **common)
    words = [address, "--nworkers", "2", "--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1"]
    python = [sys.executable, "-m", "distributed.cli.dask_worker"]
    workers = subprocess.Popen([*python, *words], **common)
    try:
        with distributed.Client(address, timeout="60s", set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
        yield address
    finally:
        for process in (workers, scheduler):
            process.terminate()
        for process in (workers, scheduler):
            process.wait(20)


def check(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "unibody", "check", "robots", *words],
        capture_output=True,
        text=True,
        cwd=folder,
        env=ENVIRONMENT,
        check=False,
    )


@contextmanager
def begun(folder: Path, record: str, cluster: str) -> Iterator[subprocess.Popen[str]]:
    """A command on a cluster that has done some files, and not all."""
    words = [sys.executable, "-m", "unibody", "check", "robots", "--log", record, "--cluster", cluster]
    with subprocess.Popen(
        words, cwd=folder, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        path = folder / record
        end = time.monotonic() + 60
        while time.monotonic() < end and not (path.exists() and path.read_bytes().count(b"\n") > 20):
            time.sleep(0.005)
        assert path.read_bytes().count(b"\n") < COPIES * MODELS_OF_EACH
        yield process


def pid(_: object = None) -> int:
    return os.getpid()


def test_a_killed_worker_changes_nothing(folder: Path, cluster: str) -> None:
    local = check(folder, "--log", "local.jsonl", "--jobs", "2")
    with distributed.Client(cluster, set_as_default=False) as client:
        pids = list(client.run(pid).values())
    with begun(folder, "dask.jsonl", cluster) as process:
        record = folder / "dask.jsonl"
        os.kill(pids[0], signal.SIGKILL)
        out, err = process.communicate(timeout=120)
    assert (process.returncode, out, err) == (local.returncode, local.stdout, local.stderr)
    lines = record.read_bytes().splitlines()
    assert sorted(lines) == sorted((folder / "local.jsonl").read_bytes().splitlines())
    paths = [json.loads(line)["path"] for line in lines[1:]]
    assert len(paths) == len(set(paths)) == COPIES * MODELS_OF_EACH
    # the cluster is left as it was: the worker has begun again
    with distributed.Client(cluster, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)


def test_the_end_of_the_scheduler_is_one_line(folder: Path, cluster: str) -> None:
    with distributed.Client(cluster, set_as_default=False) as client:
        scheduler = client.run_on_scheduler(os.getpid)
    with begun(folder, "cut.jsonl", cluster) as process:
        os.kill(scheduler, signal.SIGKILL)
        err = process.communicate(timeout=120)[1]
    assert process.returncode == 2
    assert err.splitlines() == [
        "unibody check: error: the executor was stopped before all files were done",
        "  continue with --resume cut.jsonl",
    ]
    whole = check(folder, "--log", "whole.jsonl", "--jobs", "2")
    resumed = check(folder, "--resume", "cut.jsonl", "--jobs", "2")
    assert (resumed.returncode, resumed.stdout) == (whole.returncode, whole.stdout)
    records = [sorted((folder / name).read_bytes().splitlines()) for name in ("cut.jsonl", "whole.jsonl")]
    assert records[0] == records[1]


def test_map_on_the_executor_of_a_client(folder: Path, cluster: str) -> None:
    paths = sorted(str(path) for path in folder.glob("robots/0*/*.body"))
    with distributed.Client(cluster, set_as_default=False) as client:
        found = {r.path: r.value for r in ub.map(name, paths, client.get_executor())}
        failed = list(ub.map(ub.load, ["nowhere.urdf"], client.get_executor()))
    assert found == {r.path: r.value for r in ub.map(name, paths)}
    assert failed[0].findings[0]["code"] == "file-missing"


def name(path: str) -> tuple[str, int]:
    robot = ub.read(path).robot
    return (robot.name, len(robot.links)) if robot else ("", 0)


def test_a_cluster_that_is_not_there(folder: Path) -> None:
    done = check(folder, "--cluster", "tcp://127.0.0.1:1")
    assert done.returncode == 2
    assert "cannot reach the cluster tcp://127.0.0.1:1" in done.stderr
