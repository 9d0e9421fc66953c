"""Composes a stage from layers that are read within the limits of the load, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from typing import Any

from unibody.files.process import end, ending, start
from unibody.formats.format import Context
from unibody.formats.usd.composition.layers import Layer, Layers
from unibody.text.dataclass import dataclass
from unibody.text.finding import Finding, TextError
from unibody.text.installation import install_command
from unibody.text.source import Source, Span

# The first Python for which there is usd-core.
_PYTHON = (3, 11)
# Limits of the process: address space in bytes, and seconds.
_MEMORY = 16 * 1024**3
_SECONDS = 300.0
# Bytes of the answer for each value that a load may have.
_BYTES_PER_VALUE = 4096
_SCRIPT = Path(__file__).with_name("child.py")
_WORDS = 400
# Seconds in which a process ends that has closed its output.
_ENDING = 5.0


@dataclass(frozen=True, slots=True)
class Composed:
    """A composed stage as the process answers, its long lists of numbers, and its layers by name."""

    stage: dict[str, Any]
    arrays: bytes
    layers: dict[str, Layer]
    root: Layer


@cache
def packages() -> str:
    """The folder of OpenUSD's Python package, "" if it is not installed."""
    found = find_spec("pxr")
    places = list(found.submodule_search_locations or ()) if found is not None else []
    return os.path.dirname(places[0]) if places else ""


def compose(source: Source, data: bytes, context: Context) -> Composed:
    """Compose the stage whose root layer has the bytes ``data``; TextError if that is not possible."""
    if not packages():
        raise TextError(not_installed(context.path))
    layers = Layers(context)
    root = layers.root(source, data)
    meter = context.files.meter
    with TemporaryDirectory(prefix="unibody-") as folder:
        seconds = min(_SECONDS, max(1.0, meter.limits.seconds - meter.taken()))
        with _process(folder, seconds) as process:
            names = _read_all(process, root, layers, folder)
            request = {
                "do": "compose",
                "root": root.name,
                "names": names,
                "most": int(min(meter.limits.nodes, 1e9)),
            }
            process.ask(request, root)
        answer, arrays = Path(folder, "stage.json"), Path(folder, "arrays.bin")
        if answer.stat().st_size > meter.limits.nodes * _BYTES_PER_VALUE:
            raise meter.limits.met("nodes", f"the stage of {context.path} is too large")
        stage = json.loads(answer.read_text("utf-8"))
        if stage["more"]:
            raise meter.limits.met("nodes", f"the stage of {context.path} has too many prims")
        found = Composed(stage, arrays.read_bytes(), layers.by_name, root)
    _report(found, context, folder)
    return found


def not_installed(path: str) -> Finding:
    """What a file needs that OpenUSD has to read or write."""
    what = f"{path}: USD needs OpenUSD (usd-core, Python 3.11 or newer)"
    version = sys.version_info[:2]
    if version < _PYTHON:
        # no command of this Python installs it
        what += f", but this is Python {version[0]}.{version[1]}: install unibody[usd] with a newer one"
    else:
        what += f": {install_command('usd')}"
    return Finding("usd-unreadable", "error", what)


def crate(text: str, path: str) -> bytes:
    """The binary form (.usdc) of a layer that refers to no other; TextError without OpenUSD."""
    if not packages():
        raise TextError(not_installed(path))
    with TemporaryDirectory(prefix="unibody-") as folder:
        Path(folder, "layer.usda").write_text(text, "utf-8")
        source = Source(path, text)
        layer = Layer("layer.usda", path, "", b"", source)
        with _process(folder, _SECONDS) as process:
            answer = process.ask({"do": "export", "layer": layer.name, "to": "layer.usdc"}, layer)
        if "error" in answer:
            raise TextError(_unreadable(layer, answer["error"], folder))
        return Path(folder, "layer.usdc").read_bytes()


def _read_all(process: _Process, root: Layer, layers: Layers, folder: str) -> dict[str, dict[str, str]]:
    """Have all layers read that the composition needs; the names of layers by the paths in each layer."""
    names: dict[str, dict[str, str]] = {}
    todo = [root]
    most = layers.context.files.limits.nodes
    while todo:
        layer = todo.pop(0)
        if layer.name in names:
            continue
        Path(folder, layer.name).write_bytes(layer.data)
        answer = process.ask({"do": "open", "layer": layer.name}, layer)
        known = names[layer.name] = {}
        if "error" in answer:
            finding = _unreadable(layer, answer["error"], folder)
            if layer is root:
                raise TextError(finding)
            layers.context.findings.append(finding)
            continue
        for path, prim in answer["needs"]:
            found = layers.found(path, layer, prim)
            if found is not None:
                known[path] = f"./{found.name}"
                todo.append(found)
        if len(names) > most:
            raise layers.context.files.limits.met("nodes", f"the stage has more than {most} layers")
    return names


class _Process:
    """The running process: each request is a line, and so is its answer."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def ask(self, request: dict[str, Any], layer: Layer) -> dict[str, Any]:
        """The answer to a request; TextError if the process ends instead."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
            answer = json.loads(line) if line else None
        except (OSError, ValueError):
            answer = None
        if isinstance(answer, dict):
            return answer
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_ENDING)
        end(self._process)
        words = ending(self._process.returncode)
        raise TextError(
            Finding(
                "usd-unreadable",
                "error",
                f"{layer.source.name}: OpenUSD cannot read it: its process {words}",
                Span(layer.source, 0, 1) if layer.is_text else None,
                "the file is damaged, or too large; save it again with usdcat",
            )
        )


@contextmanager
def _process(folder: str, seconds: float) -> Iterator[_Process]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PXR_", "USD_", "PYTHON"))}
    environment |= {"PXR_WORK_THREAD_LIMIT": "1"}
    arguments = [folder, packages(), str(_MEMORY), str(int(seconds) + 1)]
    try:
        process = start(
            sys.executable,
            os.fspath(_SCRIPT),
            arguments,
            folder,
            environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
    except OSError as error:
        message = f"the process that composes USD cannot be started: {error}"
        raise TextError(Finding("usd-unreadable", "error", message)) from None
    timer = Timer(seconds, process.kill)
    timer.daemon = True
    timer.start()
    try:
        yield _Process(process)
    finally:
        timer.cancel()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        end(process)


def _unreadable(layer: Layer, error: str, folder: str) -> Finding:
    """The error of a layer that is not valid, at its place if the text of the error has a line."""
    words = " ".join(error.replace(folder + os.sep, "").split())
    at = Span(layer.source, 0, 1) if layer.is_text else None
    _, found, rest = words.partition(f"{layer.name}:")
    numbers = rest.split(":", 2)
    if found and layer.is_text and len(numbers) == 3 and numbers[0].isdigit() and numbers[1].isdigit():
        starts = layer.source.line_starts()
        row = min(max(int(numbers[0]), 1), len(starts)) - 1
        start = min(starts[row] + int(numbers[1]) - 1, len(layer.source.text))
        at = Span(layer.source, start, start + 1)
        words = _plain(numbers[2])
    elif found:
        words = _plain(rest)
    return Finding(
        "usd-unreadable",
        "error",
        f"{layer.source.name} must be valid USD: {words[:_WORDS].strip()}",
        at,
        "correct the text" if layer.is_text else "save it again with usdcat",
    )


def _plain(words: str) -> str:
    """An error of OpenUSD's parser without the names of its functions."""
    out = []
    for word in words.split():
        out.append(word.rpartition("::")[2] if "::" in word and "pxrInternal" in word else word)
    return " ".join(out).rstrip("' ")


def _report(found: Composed, context: Context, folder: str) -> None:
    """Report the errors of the composition that no missing layer explains."""
    for error in found.stage["errors"]:
        kind, path = error["kind"], error["path"]
        if kind in ("InvalidAssetPath", "InvalidSublayerPath", "MutedAssetPath"):
            continue
        if kind in ("ArcCycle", "SublayerCycle"):
            context.findings.error(
                "usd-cycle",
                f"prim <{path}> refers to itself through its references",
                _near(found.root, path),
                "remove the reference that closes the cycle",
            )
            continue
        words = error["text"].replace(folder + os.sep, "")
        for layer in found.layers.values():
            words = words.replace(f"@{layer.name}@", f"@{layer.source.name}@")
        context.findings.warning(
            "usd-composition",
            f"prim <{path}> is not composed as written: {' '.join(words.split())[:_WORDS]}",
            _near(found.root, path),
            "correct the reference",
        )


def _near(root: Layer, path: str) -> Span | None:
    """The place of a prim in the root layer, or of the nearest one above it that the layer has."""
    if not root.is_text:
        return None
    while path:
        if (found := root.places().get((path, ""))) is not None:
            return Span(root.source, *found)
        path = path.rpartition("/")[0]
    return Span(root.source, 0, 1)
