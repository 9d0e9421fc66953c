"""Every file that the fuzzer has found is read and used in every way, within the time and without a fault.

A file is called after what was wrong; its suffix says what reads it. See fuzz/README.md.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from fuzz.cases import Case
from fuzz.targets import run_all
from tests.sampling import sampled

FOUND = Path(__file__).parent / "found"
KINDS = {
    ".urdf": "urdf",
    ".xacro": "xacro",
    ".body": "body",
    ".wrl": "openhrp",
    ".iv": "inventor",
    ".rob": "mpk",
    ".pln": "plan",
    ".csv": "motion-csv",
    ".stl": "stl",
    ".obj": "obj",
    ".mtl": "mtl",
    ".ply": "ply",
    ".dae": "collada",
    ".gltf": "gltf",
    ".glb": "glb",
    ".scen": "choreonoid-scene",
    ".json": "native",
}
FILES = sorted(path for path in FOUND.iterdir() if path.suffix in KINDS)


def test_all_files_are_read() -> None:
    assert FILES
    assert {path.suffix for path in FOUND.iterdir()} <= set(KINDS)


@pytest.mark.parametrize("path", sampled(FILES, keep=1, root=FOUND))
def test_found(path: Path) -> None:
    run_all(Case(KINDS[path.suffix], "found", path.name, path.read_bytes()))
    if path.suffix in (".wrl", ".iv"):
        run_all(Case(f"mesh-{path.suffix[1:]}", "found", path.name, path.read_bytes()))
