"""Time to load robots with all visual and collision meshes as triangles."""

from __future__ import annotations

import contextlib
import logging
import math
import os
import statistics
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from bench._row import ROOT, Row, medians

import unibody as ub
from unibody.meshes import MeshCache, Surface, shape_surfaces
from unibody.model.shape import MeshFile

CORPUS = ROOT.parent / "shared/corpus/dev"
ROUNDS, WARM_UP = 3, 1
#: Robots that are measured, spread over all.
MOST = 12
HEAVY = 100_000
#: The record of a triangle in a binary STL file.
RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
LINKS, TRIANGLES = 20, 50_000

Task = Callable[[], object]


class Model(NamedTuple):
    """A robot, and the total size of its mesh files in bytes."""

    path: str
    robot: ub.Robot
    size: int


def surfaces(robot: ub.Robot) -> list[Surface]:
    """The triangles of all shapes of all links."""
    cache = MeshCache()
    return [
        surface
        for link in robot.links
        for shape in (*link.visuals, *link.collisions)
        for surface in shape_surfaces(shape, cache)
    ]


def load(path: str) -> list[Surface]:
    """Load a robot and its triangles from a file."""
    robot = ub.read(path).robot
    assert robot is not None
    return surfaces(robot)


def robots() -> list[Model]:
    """URDF files of the corpus with a movable joint and at least one mesh, without missing meshes."""
    found = []
    for path in sorted(CORPUS.glob("**/*.urdf")):
        reading = ub.read(path)
        if not reading.ok or reading.robot is None:
            continue
        if all(joint.kind == "fixed" for joint in reading.robot.joints):
            continue
        shapes = [s for link in reading.robot.links for s in (*link.visuals, *link.collisions)]
        meshes = {s.geometry.path for s in shapes if isinstance(s.geometry, MeshFile)}
        if meshes and all(meshes):
            size = sum(os.path.getsize(mesh) for mesh in meshes)
            found.append(Model(str(path), reading.robot, size))
    return found


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Silence the peers, which write to the standard streams and warn."""
    saved = [os.dup(1), os.dup(2)]
    logging.disable(logging.CRITICAL)
    with open(os.devnull, "w") as nowhere, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number in (1, 2):
            os.dup2(nowhere.fileno(), number)
        try:
            yield
        finally:
            for number, kept in zip((1, 2), saved, strict=True):
                os.dup2(kept, number)
                os.close(kept)
            logging.disable(logging.NOTSET)


def yourdfpy(path: str) -> Task:
    from yourdfpy import URDF

    return lambda: URDF.load(
        path,
        load_meshes=True,
        load_collision_meshes=True,
        build_scene_graph=True,
        build_collision_scene_graph=True,
    )


def pinocchio(path: str) -> tuple[Task, Task]:
    """Tasks that load model and geometry, and only the geometry; ValueError if there is no geometry."""
    import pinocchio as pin

    folders = [str(folder) for folder in Path(path).parents]

    def geometry(model: Any) -> list[Any]:
        kinds = (pin.GeometryType.VISUAL, pin.GeometryType.COLLISION)
        return [pin.buildGeomFromUrdf(model, path, kind, folders) for kind in kinds]

    built = pin.buildModelFromUrdf(path)
    if not any(found.ngeoms for found in geometry(built)):
        raise ValueError("no geometry")
    return (lambda: geometry(pin.buildModelFromUrdf(path))), (lambda: geometry(built))


def times(model: Model) -> dict[str, float]:
    """Median time of each loader in ms, without peers that reject the model."""
    tasks: dict[str, Task] = {
        "ours": lambda: load(model.path),
        "our meshes": lambda: surfaces(model.robot),
    }
    # peers raise various errors for models that they reject
    with contextlib.suppress(Exception):
        task = yourdfpy(model.path)
        task()
        tasks["yourdfpy"] = task
    with contextlib.suppress(Exception):
        tasks["Pinocchio"], tasks["Pinocchio's meshes"] = pinocchio(model.path)
    return {name: 1e3 * value for name, value in medians(tasks, ROUNDS, WARM_UP).items()}


def row(name: str, table: list[dict[str, float]], ours: str, peer: str, target: str) -> Row:
    """Geometric means over the models that the peer loads."""
    both = [t for t in table if peer in t]
    mean = {key: math.exp(statistics.fmean(math.log(t[key]) for t in both)) for key in (ours, peer)}
    return Row(f"{len(both)} {name}", mean[ours], {peer: mean[peer]}, target, "ms")


def stl_model(folder: Path) -> tuple[str, list[str]]:
    """Write a model with 50 MB of random triangles in binary STL files."""
    rng = np.random.default_rng(1)
    meshes, links = [], []
    for k in range(LINKS):
        table = np.zeros(TRIANGLES, RECORD)
        table["corners"] = rng.random((TRIANGLES, 3, 3), np.float32)
        mesh = folder / f"{k}.stl"
        mesh.write_bytes(b" " * 80 + TRIANGLES.to_bytes(4, "little") + table.tobytes())
        meshes.append(str(mesh))
        shape = f'<visual><geometry><mesh filename="{k}.stl"/></geometry></visual>'
        joint = f'<joint name="j{k}" type="fixed"><parent link="l{k - 1}"/><child link="l{k}"/></joint>'
        links.append(f'<link name="l{k}">{shape}</link>{joint if k else ""}')
    path = folder / "model.urdf"
    path.write_text(f'<robot name="r">{"".join(links)}</robot>', "utf-8")
    return str(path), meshes


def stl_row() -> Row:
    with tempfile.TemporaryDirectory() as folder:
        path, meshes = stl_model(Path(folder))

        def bytes_alone() -> object:
            return [np.fromfile(mesh, RECORD, offset=84) for mesh in meshes]

        def corners() -> object:
            return [np.fromfile(mesh, RECORD, offset=84)["corners"].astype(np.float64) for mesh in meshes]

        tasks: dict[str, Task] = {
            "ours": lambda: load(path),
            "np.fromfile": bytes_alone,
            "np.fromfile to float64 corners": corners,
        }
        seconds = {name: 1e3 * value for name, value in medians(tasks, 3 * ROUNDS).items()}
    peers = {name: value for name, value in seconds.items() if name != "ours"}
    return Row("a model of 50 MB binary STL", seconds["ours"], peers, "<= 1.5 x np.fromfile", "ms")


def run() -> list[Row]:
    rows = [stl_row()]
    with quiet():
        models = robots()
        models = models[:: -(-len(models) // MOST)] if models else []
        table = [times(model) for model in models]
    if not models:
        return rows
    heavy = [t for model, t in zip(models, table, strict=True) if model.size >= HEAVY]
    word = "robots with all meshes"
    for peer in ("yourdfpy", "Pinocchio"):
        rows.append(row(word, table, "ours", peer, f"<= 0.2 x {peer}"))
        rows.append(row(f"{word}, 100 kB or more", heavy, "ours", peer, f"<= 0.2 x {peer}"))
    rows.append(row("robots, meshes alone", table, "our meshes", "Pinocchio's meshes", ""))
    return rows
