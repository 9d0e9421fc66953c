"""MPK scenes written inline, read from memory, with every finding accounted for."""

from __future__ import annotations

from collections.abc import Mapping

from unibody.files.access import MemoryFiles
from unibody.formats.loader import Reading, read
from unibody.model.robot import Robot
from unibody.model.scene import Scene

HEAD = "#Inventor V2.0 ascii\n"
ARM = """#MPK v1.0 robot
joint Base { ConstTransl 0 0 0.25 }
joint Arm { parent Base ConstTransl_Rot1 0.5 0 0 0 0 1 -1 2 param 0 model0 "arm.iv" }
joint Slide { parent Arm ConstTransl 0 1 0 Transl1 0 0 2 -1 1 param 1 model0 "arm.iv" tracePoint }
selfcoll { Arm Slide }
param { 1 { default 0.25 weight 3 } }
"""
IV = HEAD + "Cube { width 0.1 height 0.2 depth 0.3 }\n"
SOLID = "DEF __triangulate__ Cube { width 1 height 2 depth 3 }"
FILES = {"mpk/robots/arm.rob": ARM, "mpk/ivmodels/arm.iv": IV}
USUAL = {"inertia-missing"}


def reading(
    text: str, files: Mapping[str, str] | None = None, environment: Mapping[str, str] | None = None
) -> Reading:
    contents = {"mpk/scenes/s.iv": HEAD + text, **FILES, **(files or {})}
    door = MemoryFiles({p: t.encode() for p, t in contents.items()}, environment=environment or {})
    return read("mpk/scenes/s.iv", files=door)


def made(text: str, *codes: str, files: Mapping[str, str] | None = None) -> tuple[Scene, Robot]:
    """The scene of a text that gives exactly these findings (besides the usual ones) and no error."""
    found = reading(text, files)
    assert found.ok, [str(f) for f in found.findings]
    assert {f.code for f in found.findings} - USUAL == set(codes), [str(f) for f in found.findings]
    assert found.scene is not None
    assert found.robot is not None
    return found.scene, found.robot


def robots(text: str, *codes: str, files: Mapping[str, str] | None = None) -> tuple[Robot, ...]:
    return made(text, *codes, files=files)[0].robots


def error(text: str, files: Mapping[str, str] | None = None) -> str:
    """The code of the only error of a text."""
    codes = [f.code for f in reading(text, files).findings if f.severity == "error"]
    assert len(codes) == 1, codes
    return codes[0]
