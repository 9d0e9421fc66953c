"""Goldens of reading: the robot as canonical JSON and the findings, beside each small model file."""

from __future__ import annotations

import json
from pathlib import Path

from unibody.formats.loader import Reading, read
from unibody.model.json import dumps

ROBOT, FINDINGS = GOLDENS = (".robot.json", ".findings")


def texts(path: Path) -> dict[Path, str]:
    """What reading a file gives, by the golden that holds it; paths are seen from the file's folder."""
    found: Reading = read(str(path))
    assert found.robot is not None
    findings = "".join(f"{f}\n" for f in found.findings).replace(f"{path.parent}/", "")
    return {
        path.with_suffix(ROBOT): dumps(found.robot),
        path.with_suffix(FINDINGS): findings,
    }


def differing(path: Path, accept: bool) -> list[str]:
    """Goldens that say something else than what comes out now; ``accept`` writes these anew."""
    out: list[str] = []
    for golden, text in texts(path).items():
        if golden.exists() and _same(golden.read_text("utf-8"), text, golden.suffix == ".json"):
            continue
        if accept:
            golden.write_text(text, "utf-8", newline="\n")
        else:
            out.append(f"{golden.name}: run pytest with --accept, then read what changed")
    return out


def _same(a: str, b: str, json_text: bool) -> bool:
    """Equal texts; in JSON the last bits of a number may differ, which another processor may round."""
    if a == b or not json_text:
        return a == b
    todo = [(json.loads(a), json.loads(b))]
    while todo:
        x, y = todo.pop()
        if isinstance(x, dict) and isinstance(y, dict) and list(x) == list(y):
            todo += zip(x.values(), y.values(), strict=True)
        elif isinstance(x, list) and isinstance(y, list) and len(x) == len(y):
            todo += zip(x, y, strict=True)
        elif isinstance(x, int | float) and isinstance(y, int | float):
            if abs(x - y) > 1e-12 * (1.0 + abs(x)):
                return False
        elif x != y:
            return False
    return True
