"""Time to read a model without its meshes in a warm process."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from bench._row import BIPED, Row, medians, model

ROUNDS = 50
TARGETS = {
    "SR1.body": "< 12 ms",
    "SR1.urdf": "<= 0.8 x yourdfpy",
    "biped.urdf": "<= 1.0 x yourdfpy, no scene graph",
    "biped.sdf": "<= 1.3 x biped.urdf per kB",
}


def run() -> list[Row]:
    import yourdfpy

    import unibody

    files = [
        BIPED / "biped.body",
        BIPED / "biped.urdf",
        BIPED / "biped.sdf",
        model("SR1.body"),
        model("SR1.urdf"),
    ]
    rows: list[Row] = []
    for path in dict.fromkeys(files):
        if unibody.read(path).robot is None:
            raise RuntimeError(f"{path} cannot be read")
        tasks: dict[str, Callable[[], object]] = {"unibody": partial(unibody.read, path)}
        if path.suffix == ".urdf":
            tasks |= peers(yourdfpy.URDF.load, path)
        times = {name: 1e3 * seconds for name, seconds in medians(tasks, ROUNDS).items()}
        rows.append(Row(f"read {path.name}", times.pop("unibody"), times, TARGETS.get(path.name, ""), "ms"))
    return rows


def peers(load: Callable[..., object], path: Path) -> dict[str, Callable[[], object]]:
    """Reading a URDF file with yourdfpy, with and without its scene graph."""
    names = {"yourdfpy": True, "yourdfpy, no scene graph": False}
    return {
        name: partial(load, str(path), load_meshes=False, build_scene_graph=graph)
        for name, graph in names.items()
    }
