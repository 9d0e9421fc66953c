"""A loader that hangs, dies, prints garbage or takes memory fails, and this process goes on."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
import pytest

from unibody.proof.process import Answer, EngineFailed, EngineMissing, run_loader
from unibody.proof.request import request_of

LOADERS = Path(__file__).parents[2] / "src/unibody/proof/loaders"
REQUEST = request_of("model.urdf", "urdf")


def run(folder: Path, body: str, *, seconds: float = 20.0, memory: int = 2 * 1024**3) -> Answer:
    """What a loader answers whose function ``load`` has this body."""
    script = folder / "load_test.py"
    script.write_text(
        f"import sys\nsys.path.insert(0, {str(LOADERS)!r})\n"
        "from exchange import Answer, main\n"
        f"def load(request):\n    {body}\n    return Answer('Test', '1')\n"
        "main(load)\n"
    )
    states = {name: np.zeros((0, 0)) for name in ("q", "v", "effort")}
    return run_loader(script, [sys.executable], REQUEST, states, seconds=seconds, memory=memory)


def test_an_answer_is_read(tmp_path: Path) -> None:
    answer = run(tmp_path, "print('words of an engine')")
    assert answer.title == "Test 1"
    assert answer.facts["joints"] == []


def test_a_rejected_model_has_the_words_of_the_engine(tmp_path: Path) -> None:
    with pytest.raises(EngineFailed, match="ValueError: no robot element"):
        run(tmp_path, "raise ValueError('no robot element')")


def test_the_errors_that_an_engine_prints_are_its_reason(tmp_path: Path) -> None:
    body = (
        "from exchange import NotLoaded; "
        "print('[WARNING] no texture\\nError:   limit: no effort\\n   at line 3 in /a/joint.cpp'); "
        "print('\\x1b[1;31mError [A.cpp:5]\\x1b[0m [A::b] no joint'); raise NotLoaded"
    )
    with pytest.raises(EngineFailed, match=r"^limit: no effort; no joint$"):
        run(tmp_path, body)
    with pytest.raises(EngineFailed, match=r"^cannot load the model$"):
        run(tmp_path, "from exchange import NotLoaded; raise NotLoaded")


def test_an_engine_that_is_not_installed_is_missing(tmp_path: Path) -> None:
    with pytest.raises(EngineMissing):
        run(tmp_path, "import no_such_engine")


def test_an_interpreter_that_does_not_exist_is_missing(tmp_path: Path) -> None:
    with pytest.raises(EngineMissing):
        run_loader(tmp_path / "x.py", [str(tmp_path / "python")], REQUEST)


def test_a_loader_that_hangs_is_ended_with_its_children(tmp_path: Path) -> None:
    mark, child = tmp_path / "mark", tmp_path / "child.py"
    child.write_text(f"import time\ntime.sleep(3)\nopen({str(mark)!r}, 'w')\n")
    body = f"import subprocess, time; subprocess.Popen([sys.executable, {str(child)!r}]); time.sleep(60)"
    start = time.monotonic()
    with pytest.raises(EngineFailed, match="did not end within 1 s"):
        run(tmp_path, body, seconds=1.0)
    assert time.monotonic() - start < 10.0
    assert not mark.exists()


def test_a_loader_that_dies_is_a_failure(tmp_path: Path) -> None:
    with pytest.raises(EngineFailed, match="ended by SIGSEGV"):
        run(tmp_path, "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")
    with pytest.raises(EngineFailed, match="ended with code 7: last words"):
        run(tmp_path, "print('last words', flush=True); import os; os._exit(7)")


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are those of Linux")
def test_a_loader_that_takes_memory_is_a_failure(tmp_path: Path) -> None:
    with pytest.raises(EngineFailed, match="MemoryError"):
        run(tmp_path, "x = bytearray(4 * 1024**3)", memory=1024**3)


@pytest.mark.skipif(sys.platform != "linux", reason="limits of files are those of Linux")
def test_a_loader_that_prints_without_end_is_a_failure(tmp_path: Path) -> None:
    body = "exec('while True: print(\"x\" * 1000000)')"
    with pytest.raises(EngineFailed, match=r"SIGXFSZ|File too large|did not end"):
        run(tmp_path, body, memory=200 * 1024**2, seconds=10.0)


@pytest.mark.parametrize(
    "body",
    [
        "import os; (request.folder / 'answer.json').write_text('garbage \\0'); os._exit(0)",
        "import os; (request.folder / 'answer.json').write_text('[1, 2]'); os._exit(0)",
        "import os; (request.folder / 'answer.json').write_text('['*100000); os._exit(0)",
        "import os; (request.folder / 'answer.json').write_text('{}'); os._exit(0)",
        "import os; os._exit(0)",
        "import os; Answer('T', '1').write(request.folder); "
        "(request.folder / 'answer.npz').write_bytes(b'PK garbage'); os._exit(0)",
        "import os, pickle, numpy; Answer('T', '1').write(request.folder); "
        "numpy.savez(request.folder / 'answer.npz', x=numpy.array([print], object)); os._exit(0)",
    ],
)
def test_garbage_is_a_failure(tmp_path: Path, body: str) -> None:
    with pytest.raises(EngineFailed, match="gave no valid answer"):
        run(tmp_path, body)
