"""Files that trimesh writes are read as it means them."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from tests.mesh.build import read

from unibody.meshes import area, bounds, signed_volume

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    trimesh = pytest.importorskip("trimesh", reason="needs trimesh (the extra 'peers' brings it)")

WAYS: list[tuple[str, str, dict[str, Any]]] = [
    (".stl", "stl", {}),
    (".stl", "stl_ascii", {}),
    (".obj", "obj", {}),
    (".ply", "ply", {"encoding": "ascii"}),
    (".ply", "ply", {"encoding": "binary"}),
    (".glb", "glb", {}),
    (".dae", "dae", {}),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("suffix", "kind", "how"), WAYS, ids=[f"{k} {h}" for _, k, h in WAYS])
def test_what_trimesh_writes(suffix: str, kind: str, how: dict[str, Any]) -> None:
    made = trimesh.creation.annulus(0.2, 0.5, 1.0)
    made.apply_transform(trimesh.transformations.rotation_matrix(0.3, (1, 2, 3), (4, 5, 6)))
    colors = np.tile([255, 0, 51, 255], (len(made.vertices), 1)).astype(np.uint8)
    if suffix == ".ply":
        made.visual.vertex_colors = colors
    if suffix == ".dae":
        pytest.importorskip("collada", reason="trimesh writes COLLADA with pycollada")
    data = made.export(file_type=kind, **how)
    surfaces, _ = read(data, suffix, up_axis="Z")  # trimesh turns no file
    assert sum(len(s.faces) for s in surfaces) == len(made.faces)
    assert np.allclose(bounds(surfaces) or (), made.bounds, atol=1e-6)
    assert sum(map(area, surfaces)) == pytest.approx(made.area, rel=1e-5)
    assert sum(map(signed_volume, surfaces)) == pytest.approx(made.volume, rel=1e-5)
    if suffix == ".ply":
        assert surfaces[0].colors is not None
        assert np.allclose(surfaces[0].colors, colors / 255.0)
