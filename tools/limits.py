"""Generate the page of limits from their declarations: python tools/limits.py [CORPUS]

With a folder of real models, their maximum of each limit is measured again (tools/limits.json).
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from unibody.text.limits import DEFAULT, LIMITS

ROOT = Path(__file__).resolve().parents[1]
PAGE = "docs/limits.md"
MEASURED = "tools/limits.json"
HOW = "python tools/limits.py"
_IMAGES = (".png", ".jpg", ".jpeg", ".gif", ".bmp")
TESTS = "tests/hostile/test_limits.py"

_HEAD = f"""\
<!-- Made from src/unibody/text/limits.py by `{HOW}`: do not edit. -->

# Limits

A small file can expand to more than fits into memory. Reading stops at these limits, with a finding that
names the limit and the place. Real models are far below them: the column before the last is the maximum
over a corpus of 654 files in six formats, with their meshes.

Set a limit with `--limit NAME=VALUE` (repeatable, in every verb that reads a model), or with
`limits=ub.ReadLimits(NAME=VALUE)` in `ub.load`, `ub.read`, `ub.check`, `ub.fix` and `ub.convert`. A
value is a number, `2e6` or `2M`; `inf` means no limit. `unibody formats --limits` prints them.
"""
_TAIL = """\
External XML entities are never read, whatever the limit. Files that `save` and `convert` write are read
back without limits.

Seconds are processor time of the reading thread: other load on the machine does not count. Idle time
between reading a model and its meshes is not counted.

## Memory

Reading a model takes less than four times the bytes of its arrays (number lists, binary meshes), plus
less than 60 times the bytes of text that is dense in elements, plus 100 MB. Denser text (`A{}A{}A{}…`)
is bounded by the limits on nodes, parts and findings together. With higher limits it can take up to 500
bytes per value. `tests/hostile/test_memory.py` measures all this.

## Fixed bounds

| what | bound | finding |
| --- | --- | --- |
| nodes of a mesh file's scene, instances expanded | 100 000 | `mesh-too-large` |
| OBJ file: parts; switches of part; libraries | 20 000; 1 000 000; 100 | `mesh-too-large` |
| triangulation steps of one file | 3 000 000 | none: the rest is cut as if convex |
| members of a gzip file | 10 000 | `gzip-broken` |
| expansion of a gzip file | 64 MiB and 100 times | `file-too-large` |
| a YAML file that xacro reads | 4 000 000 bytes | `xacro` |
| a text with expressions, a value of xacro | 30 000 characters, 100 000 entries | `xacro` |
| errors in one VRML or MPK text | 50; 100 | the last one tells that the rest is ignored |
| characters of a file name in a model | 4096 | `file-missing` |
| characters of a message | 1000 | none: it is cut |
| levels of a JSON file | 200 | `json-depth` |
| bytes of an image on the page | 32 000 000 | `texture-not-drawn` |

## Proofs

An engine of `unibody prove` may take 120 s and 12 GiB. The search for causes of what differs may take as
long, then stops: the report has the causes that were found, what is unexplained, and a note. `--seconds`
sets the time of both. A step of the search that has begun is finished.

## Reach

Whether a file may be opened is decided by its resolved path, symbolic links followed. It must lie in

- the folder of the file that refers to it, or the parent of that folder;
- its package (the nearest ancestor with a `package.xml`), or the parent of the package;
- a package that is found, for `package://NAME` or `$(find NAME)`, by `--package`, near the model, or by
  ROS_PACKAGE_PATH, AMENT_PREFIX_PATH and COLCON_PREFIX_PATH (links inside these may lead out, as in
  symlink-installed workspaces; near the model, a link is followed only to a folder with a `package.xml`);
- a package of its workspace: below the nearest folder `src` above that has a `package.xml` at most four
  levels below it, or installed in the folder `install` beside that `src`, or around the file
  (`install/NAME/share/NAME`, `install/share/NAME`); hidden folders, links that lead out of the workspace
  and folders with a `COLCON_IGNORE` are not searched, nor more than 20 000 entries;
- a folder that the format's own programs search (MPK: `ivmodels` beside the model or above, IVMODELS);
- a folder that you allow: `--allow DIR`, `allow=`.

Folders of home directories and the root of the file system are excluded unless allowed. Everything else
is a finding (`outside-model`) that does not reveal whether the file exists. Pipes, sockets and devices
are never opened (`file-special`, `file-unreadable`), nor anything on another machine: http, ftp,
`//host/share` (`uri-not-opened`). The same rules hold for includes and `load_yaml` of xacro, Inline and
EXTERNPROTO, materials and images of OBJ and COLLADA, and buffers of glTF.

`$(env NAME)` and `$(optenv NAME)` of xacro read the environment variables that the file names, as xacro
does, and only in files that xacro expands. Inspect an untrusted file before you publish the converted
model.
"""


def page() -> str:
    """The text of the page."""
    return "\n".join([_HEAD, *_table(), "", _TAIL])


def _table() -> Iterator[str]:
    measured = json.loads((ROOT / MEASURED).read_text("utf-8"))
    yield "| limit | of what | default | unit | finding | the corpus has | test |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for name, entry in LIMITS.items():
        code = entry["code"]
        cells = (
            f"`{name}`",
            entry["what"],
            _number(getattr(DEFAULT, name)),
            entry["unit"],
            f"[{code}](findings.md#{code})",
            _number(measured[name]),
            f"`{TESTS}`",
        )
        yield "| " + " | ".join(cells) + " |"


def _number(value: float) -> str:
    return f"{value:,.0f}".replace(",", "\u202f") if value >= 100 or value == int(value) else f"{value:.2g}"


# --- what real models take ------------------------------------------------------------------


def measured(corpus: Path) -> dict[str, float]:
    """The maximum use of each limit over the models of a folder."""
    from unibody.formats import FORMATS

    most: dict[str, float] = dict.fromkeys(LIMITS, 0)
    suffixes = {suffix for format in FORMATS for suffix in format.suffixes}
    models = sorted(p for p in corpus.rglob("*") if p.suffix in suffixes and p.is_file())
    for path in models:
        for name, value in _taken(path).items():
            most[name] = max(most[name], value)
    most["pixels"] = max((_pixels(p) for p in corpus.rglob("*") if p.suffix.lower() in _IMAGES), default=0)
    for name, steps in (("includes", range(32)), ("aliases", [0, *(2**k for k in range(18))])):
        most[name] = max(most[name], _least(name, steps, models))
    return most


def _least(name: str, steps: Iterable[int], models: list[Path]) -> int:
    """The smallest of some limits that no model exceeds."""
    from unibody.formats.loader import read
    from unibody.text.limits import ReadLimits

    for limit in steps:
        limits = ReadLimits.of([f"{name}={limit}"])
        code = LIMITS[name]["code"]
        models = [p for p in models if code in {f.code for f in read(str(p), limits=limits).findings}]
        if not models:
            return limit
    raise ValueError(f"{name}: {models[0]} meets them all")


def _pixels(path: Path) -> int:
    from unibody.page.textures import image_kind

    return image_kind(path.read_bytes())[2]


def _taken(path: Path) -> dict[str, float]:
    """The resources used by one model with its meshes."""
    from unibody.checks import further
    from unibody.files.access import Files
    from unibody.formats.loader import read

    watch = _Watch()
    files = Files()
    started = time.thread_time()
    with watch:
        reading = read(str(path), files=files)
        if reading.robot is not None:
            further(reading.robot, reading.findings, files)
    sizes = [path.stat().st_size, *watch.sizes]
    return {
        "file_bytes": max(sizes),
        "total_bytes": files.meter.bytes,
        "findings": len(reading.findings),
        "seconds": time.thread_time() - started,
        **watch.most,
    }


_WATCHED = ("depth", "nodes", "parts", "numbers", "triangles", "work")


class _Watch:
    """Context manager that records the resource use of parsers and readers."""

    def __init__(self) -> None:
        self.most: dict[str, float] = dict.fromkeys(_WATCHED, 0)
        self.sizes: list[int] = []

    def _more(self, name: str, value: float) -> None:
        self.most[name] = max(self.most[name], value)

    def __enter__(self) -> None:
        from unibody.formats.budget import Budget
        from unibody.meshes.cache import MeshCache
        from unibody.text.limits import Guard, Meter

        self._old: list[tuple[Any, str, Any]] = []
        nodes = [0]

        def done(guard: Any, tree: Any) -> Any:
            values, depth, longest = _shape_of(tree)
            nodes[0] += values
            self._more("nodes", nodes[0])
            self._more("depth", depth)
            self._more("numbers", longest)
            return tree

        def spend(budget: Any, cost: int, at: Any = None) -> None:
            budget.left -= cost
            self._more("work", DEFAULT.work - budget.left)

        old_taken, old_parts, old_metered = (
            Meter.take_bytes,
            Meter.take_parts,
            MeshCache._read_within_limits,
        )

        def take_bytes(meter: Any, count: int, what: str, at: Any = None) -> None:
            self.sizes.append(count)
            old_taken(meter, count, what, at)

        def take_parts(meter: Any, count: int, at: Any) -> None:
            old_parts(meter, count, at)
            self._more("parts", meter.beyond(at))

        def metered(cache: Any, suffix: str, request: Any) -> Any:
            nodes[0] = 0
            scene = old_metered(cache, suffix, request)
            self._more("triangles", sum(len(s.faces) for node in scene.nodes for s in node.surfaces))
            return scene

        for holder, name, new in (
            (Guard, "done", done),
            (Budget, "spend", spend),
            (Meter, "take_bytes", take_bytes),
            (Meter, "take_parts", take_parts),
            (MeshCache, "_read_within_limits", metered),
        ):
            self._old.append((holder, name, getattr(holder, name)))
            setattr(holder, name, new)

    def __exit__(self, *_: object) -> None:
        for holder, name, old in self._old:
            setattr(holder, name, old)


def _shape_of(tree: Any) -> tuple[int, int, int]:
    """The number of values of a tree, its depth, and its longest list of numbers."""
    from unibody.text.limits import values_in, words_in
    from unibody.text.node import Node, Numbers, Row, SkippedNode

    deep, longest, todo = 0, 0, [(tree, 0)]
    while todo:
        v, depth = todo.pop()
        deep = max(deep, depth)
        if isinstance(v, Numbers):
            longest = max(longest, words_in(v.body))
        elif isinstance(v, Row):
            todo += [(inner, depth + 1) for inner in v.values]
        elif isinstance(v, Node) and not isinstance(v, SkippedNode):
            todo += [(inner, depth + 1) for _, inner, _ in v.items]
    return values_in(tree), deep, longest


def main(arguments: list[str]) -> None:
    """Write the page; with a folder, measure first."""
    if arguments:
        found = {name: round(value, 3) for name, value in measured(Path(arguments[0])).items()}
        (ROOT / MEASURED).write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    (ROOT / PAGE).write_text(page(), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
