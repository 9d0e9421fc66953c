"""What libsdformat makes of URDF files, beside URDF files that are written as SDF with merged links.

``python -m tests.sdf.lumped`` goes through the URDF files of the corpus; ``--only``, ``--every`` as in
:mod:`tests.sdf.written`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.sdf import libsdformat
from tests.sdf.truth import apart, pose
from tests.sdf.written import ROOT, robots, write
from tests.shared import SHARED

#: The most that links weigh that it omits, with what is written for links without mass.
LIGHT = 1.001e-5
#: libsdformat 12 writes the SDF that it makes of URDF with six digits behind the point.
NEAR = 2e-6


def files() -> list[Path]:
    """The URDF files of the corpus."""
    return [path for path in robots() if path.suffix.lower() == ".urdf"]


def differences(path: Path, folder: Path) -> Iterator[str]:
    """How the reading of a URDF file by libsdformat differs from that of the SDF that is written of it.

    It rejects some files, such as those with a link and a joint of one name, and omits links of 1e-6 kg or
    less with all that they carry. Joints of URDF that are continuous are revolute there. Where the model
    stands is not compared.
    """
    target = folder / "model.sdf"
    found = libsdformat.ask(path)
    theirs = found["model"]
    if theirs is None or any("non-unique name" in message for _, message in found["errors"]):
        return
    write(path, target, merge_fixed="frames")
    ours = libsdformat.ask(target)["model"]
    omitted = _omitted(ours)
    yield from _of(ours, theirs, "links", _link, omitted)
    yield from _of(ours, theirs, "joints", _joint, omitted)


def _omitted(model: Mapping[str, Any]) -> set[str]:
    """The links that libsdformat omits, and joints at them: light ones, and what they carry."""
    out = {link["name"] for link in model["links"] if float(link["m"]) <= LIGHT}
    out |= {ROOT} if any(link["name"] == ROOT for link in model["links"]) else set()
    below = [(joint["parent_link"], joint["child_link"], joint["name"]) for joint in model["joints"]]
    size = -1
    while size != len(out):
        size = len(out)
        out |= {child for parent, child, _ in below if parent in out}
    return out | {name for _, child, name in below if child in out}


def _of(
    ours: Mapping[str, Any], theirs: Mapping[str, Any], kind: str, compare: Any, omitted: set[str]
) -> Iterator[str]:
    here, there = ({item["name"]: item for item in model[kind]} for model in (ours, theirs))
    for name in sorted(here.keys() - there.keys() - omitted):
        yield f"{kind} only here: {name}"
    for name in sorted(there.keys() - here.keys()):
        yield f"{kind} only there: {name}"
    for name in sorted(here.keys() & there.keys()):
        yield from (f"{kind} {name}: {words}" for words in compare(here[name], there[name]))


def _unlike(ours: Any, theirs: Any) -> bool:
    pairs = [(float(a), float(b)) for a, b in zip(ours, theirs, strict=True)]
    return any(a != b and not abs(a - b) <= NEAR * max(1.0, abs(a)) for a, b in pairs)


def _link(a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[str]:
    if apart(pose(a["X"]), pose(b["X"])) > NEAR:
        yield f"at {a['X']} and {b['X']}"
    for word, count in (("m", 1), ("I", 9), ("inertial_pose", 3)):
        ours, theirs = ([x] if word == "m" else x[:count] for x in (a[word], b[word]))
        if _unlike(ours, theirs):
            yield f"{word} {ours} and {theirs}"


def _joint(a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[str]:
    kinds = {x["type"].replace("continuous", "revolute") for x in (a, b)}
    if len(kinds) > 1 or a["child_link"] != b["child_link"] or a["parent_link"] != b["parent_link"]:
        yield " ".join(str(x[word]) for x in (a, b) for word in ("type", "parent_link", "child_link"))
        return
    if a["type"] == "fixed":
        return
    if apart(pose(a["X_MJ"]), pose(b["X_MJ"])) > NEAR:
        yield f"at {a['X_MJ']} and {b['X_MJ']}"
    words = ("lower", "upper", "effort", "velocity", "damping", "friction")
    for word in ("a", *words):
        ours, theirs = (x["axis"][word] if word == "a" else [x["axis"][word]] for x in (a, b))
        if _unlike(ours, theirs):
            yield f"{word} {ours} and {theirs}"


def main() -> int:
    """Print the differences of each file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    counts: Counter[str] = Counter()
    for path in [path for path in files() if options.only in str(path)][:: options.every]:
        with tempfile.TemporaryDirectory() as folder:
            try:
                out = [*differences(path, Path(folder))]
            except Exception as error:  # a fault of this program or of the writer
                out = [f"{type(error).__name__}: {error}"[:400]]
        counts["equal" if not out else "different"] += 1
        if out:
            print(f"## {path.relative_to(SHARED)} {len(out)}", *out[:6], sep="\n    ", flush=True)
    print(counts)
    return 0


if __name__ == "__main__":
    sys.exit(main())
