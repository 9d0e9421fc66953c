"""Seeds of the fuzzer: small files of each kind, from the corpus, the tests and the package."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from fuzz.generated import generated
from fuzz.kinds import FORMATS, SUFFIXES
from unibody.formats import Format, detect

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT.parent / "shared/corpus"

# Maximum size of a seed, in bytes: larger files cost time without more coverage.
LARGEST = 16_000
_MOST = 400
_ROBOT = re.compile(rb"<robot[^>]*\bname=[\"']([^\"']+)")
_MOST_BESIDE, _LARGEST_BESIDE = 6, 16_000


@dataclass(frozen=True)
class Seed:
    """A file to damage: its name and bytes, and the files it refers to."""

    name: str
    data: bytes
    beside: dict[str, bytes] = field(default_factory=dict)


@cache
def seeds(kind: str) -> tuple[Seed, ...]:
    """The seeds of a kind, in a fixed order; LookupError if there are none."""
    found = [Seed(*made) for made in generated(kind)]
    if kind in FORMATS:
        found += _samples(FORMATS[kind])
    source = {"mesh-wrl": "vrml97", "mesh-iv": "inventor"}.get(kind, kind)
    suffixes = SUFFIXES.get(source) or (FORMATS[source].suffixes[:1] if source in FORMATS else ())
    # files with the marks of a format may have any suffix
    is_marked = source in FORMATS and bool(FORMATS[source].marks)
    files = [p for p in _files() if is_marked or p.suffix.lower() in suffixes]
    known = [(p, data) for p in files if _fits(source, p, data := p.read_bytes())]
    # every n-th file: neighbors are similar
    step = max(1, len(known) // _MOST)
    found += [_seed(kind, p, data) for p, data in known[::step][:_MOST]]
    if not found:
        raise LookupError(f"no seed of kind {kind}")
    return tuple(found)


@cache
def _files() -> tuple[Path, ...]:
    """All small files of the corpus, the package and the tests."""
    folders = (ROOT / "src/unibody/models", ROOT / "tests", CORPUS / "bad", CORPUS / "dev")
    every = (p for folder in folders for p in sorted(folder.rglob("*")) if p.is_file())
    return tuple(p for p in every if p.stat().st_size <= LARGEST and "found" not in p.parts)


def _samples(format: Format) -> Iterator[Seed]:
    """The samples of a format, each with the other samples beside it."""
    samples = {name: text.encode() for name, text in format.samples().items()}
    for name, data in samples.items():
        if name.endswith(format.suffixes):
            yield Seed(name, data, {other: d for other, d in samples.items() if other != name})


def _fits(kind: str, path: Path, data: bytes) -> bool:
    if not data.strip():
        return False
    head = data[:64].lstrip(b"\xef\xbb\xbf \t\r\n")
    if kind in FORMATS:
        text = data.decode("latin-1")
        format, own = FORMATS[kind], FORMATS[kind].declarations().own
        is_own = not own or format.marks or any(tag in text for tag in own)
        return bool(is_own) and b"binary" not in head and detect(path.name, text[:4096], text) is format
    if kind == "vrml97":
        return head.startswith(b"#VRML V2") and b"Humanoid" not in data
    if kind == "vrml1":
        return head.startswith(b"#VRML V1")
    if kind == "inventor-binary":
        return b"binary" in head
    if kind == "inventor-gzip":
        return head.startswith(b"#Inventor") and b"binary" not in head
    if kind == "choreonoid-scene":
        return b"ChoreonoidBody" not in data and (path.suffix == ".scen" or b"geometry" in data)
    return True


def _seed(kind: str, path: Path, data: bytes) -> Seed:
    if kind == "inventor-gzip":
        data = gzip.compress(data, mtime=0)
    beside = dict(_beside(path, data))
    robot = _ROBOT.search(data) if kind == "srdf" else None
    if robot and robot[1] in _urdfs():
        beside[f"{path.stem}.urdf"] = _urdfs()[robot[1]]
    return Seed(path.name, data, beside)


@cache
def _urdfs() -> dict[bytes, bytes]:
    """The small URDF files by the name of their robot, which an SRDF has, too."""
    texts = [path.read_bytes() for path in _files() if path.suffix == ".urdf"]
    return {robot[1]: text for text in reversed(texts) if (robot := _ROBOT.search(text))}


def _beside(path: Path, data: bytes) -> Iterator[tuple[str, bytes]]:
    """The small files nearby whose names occur in the file."""
    count = 0
    for other in _around(path.parent):
        if other != path and other.name.encode() in data:
            yield str(other.relative_to(path.parent)), other.read_bytes()
            count += 1
            if count >= _MOST_BESIDE:
                return


@cache
def _around(folder: Path) -> tuple[Path, ...]:
    near = [p for pattern in ("*", "*/*") for p in sorted(folder.glob(pattern)) if p.is_file()]
    return tuple(p for p in near if 0 < p.stat().st_size <= _LARGEST_BESIDE)
