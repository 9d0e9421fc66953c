"""Time to parse VRML97 text: the tree without numbers, and the numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
from bench._row import ROOT, Row, medians
from numpy.typing import NDArray

from unibody.text.decode import decode
from unibody.text.finding import Findings, TextError
from unibody.text.node import Node, Numbers, Value
from unibody.text.number import parse_floats, parse_ints
from unibody.text.source import Source
from unibody.text.vrml import parser as vrml

DEV = ROOT.parent / "shared/corpus/dev"
ROBOT = DEV / "tork-a+rtmros_nextage"
ROUNDS = 15
LARGE = 10_000_000
#: Shorter lists are parsed word by word.
LONG = 2000
COMMENT = re.compile(r"#[^\r\n]*")


def mesh_text(size: int) -> str:
    """IndexedFaceSets of 2000 points and 4000 triangles each, with comments and commas."""
    rng = np.random.default_rng(1)
    shapes: list[str] = ["#VRML V2.0 utf8\n"]
    length = 0
    while length < size:
        points = ",\n".join(f"{x:.6f} {y:.6f} {z:.6f}" for x, y, z in rng.normal(size=(2000, 3)).tolist())
        faces = "\n".join(f"{a}, {b}, {c}, -1," for a, b, c in rng.integers(0, 2000, (4000, 3)).tolist())
        shapes.append(
            f"Shape {{ geometry IndexedFaceSet {{ solid FALSE creaseAngle 0.5\n"
            f"coord Coordinate {{ point [ # {len(shapes)}\n{points} ] }}\ncoordIndex [\n{faces} ] }} }}\n"
        )
        length += len(shapes[-1])
    return "".join(shapes)


def lists(root: Node) -> list[Numbers]:
    """All long lists of numbers of a tree."""
    out: list[Numbers] = []
    todo: list[Value] = [root]
    while todo:
        value = todo.pop()
        if isinstance(value, Node):
            todo.extend(inner for _, inner, _ in value.items)
        elif isinstance(value, Numbers):
            if len(value.body) > LONG:
                out.append(value)
        else:
            todo.extend(getattr(value, "values", ()))
    return out


def sources(folder: Path) -> list[Source]:
    """The VRML97 files of a folder, the largest first."""
    found = []
    for path in folder.rglob("*.wrl"):
        source = decode(path.read_bytes(), path.name, Findings())
        try:
            vrml.parse(source, Findings())
        except TextError:
            continue
        found.append(source)
    return sorted(found, key=lambda s: -len(s.text))


def parse_rows(texts: dict[str, tuple[list[Source], str]]) -> list[Row]:
    """Time to parse 10 MB of text in ms, without the numbers."""

    def task(files: list[Source]) -> Callable[[], object]:
        return lambda: [vrml.parse(source, Findings()) for source in files]

    seconds = medians({name: task(files) for name, (files, _) in texts.items()}, ROUNDS)
    return [
        Row(name, 1e3 * seconds[name] * LARGE / sum(len(s.text) for s in files), {}, target, "ms/10MB")
        for name, (files, target) in texts.items()
    ]


def bare(numbers: Numbers) -> str:
    """The text of the numbers separated by blanks, without comments."""
    return COMMENT.sub(" ", numbers.body).replace(",", " ")


def number_row(name: str, bodies: list[Numbers], whole: bool) -> Row:
    """Time to parse all numbers in ms, and the time of np.fromstring without comments."""
    plain = [bare(numbers) for numbers in bodies]
    ours: Callable[[str], NDArray[np.generic]] = parse_ints if whole else parse_floats
    kind = np.int64 if whole else np.float64

    def all_ours() -> object:
        return [ours(numbers.body) for numbers in bodies]

    def fromstring() -> object:
        return [np.fromstring(text, kind, sep=" ") for text in plain]

    for numbers, text in zip(bodies, plain, strict=True):
        if not np.array_equal(ours(numbers.body), np.fromstring(text, kind, sep=" "), equal_nan=not whole):
            raise RuntimeError(f"{name}: numbers differ from np.fromstring")
    seconds = medians({"ours": all_ours, "np.fromstring": fromstring}, ROUNDS)
    peers = {"np.fromstring": 1e3 * seconds["np.fromstring"]}
    # At least 0.8 times the speed is at most 1.25 times the time.
    return Row(name, 1e3 * seconds["ours"], peers, "" if whole else "<= 1.25 x np.fromstring", "ms")


def is_whole(numbers: Numbers) -> bool:
    return not re.search(r"[.eE]", COMMENT.sub("", numbers.body))


def run() -> list[Row]:
    made = [Source("generated", mesh_text(LARGE))]
    texts = {"parse 10 MB of generated meshes": (made, "< 80 ms/10MB")}
    held = {"generated meshes": made}
    if DEV.is_dir():
        corpus = sources(DEV)
        held["the corpus"] = corpus
        texts["parse the largest robot with its inlines"] = (sources(ROBOT), "< 80 ms/10MB")
        texts[f"parse {corpus[0].name}: small nodes, few numbers"] = (corpus[:1], "")
    rows = parse_rows(texts)
    for name, files in held.items():
        found = [numbers for source in files for numbers in lists(vrml.parse(source, Findings()))]
        rows.append(number_row(f"doubles of {name}", [n for n in found if not is_whole(n)], whole=False))
        rows.append(number_row(f"integers of {name}", [n for n in found if is_whole(n)], whole=True))
    return rows
