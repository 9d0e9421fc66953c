"""Mesh files of the corpus with materials and images: every format that is written shows the same."""

from __future__ import annotations

import hashlib
import os
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.shared import CORPUS, DEV

import unibody as ub
from unibody.conversion.asset_paths import with_companions
from unibody.files.access import Files
from unibody.files.embedded import embedded_data
from unibody.formats import FORMATS
from unibody.meshes import Surface, link_surfaces
from unibody.model.shape import MeshFile, Shape

SUFFIXES = (".obj", ".dae", ".gltf", ".glb", ".wrl")
#: Those that trimesh reads with materials.
PEERS = (".obj", ".dae", ".gltf", ".glb")
IMAGES = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tga", ".tif", ".tiff", ".webp")
TARGETS = ("urdf", "body", "openhrp", "mpk", "mjcf")
#: MuJoCo reads no other images.
OF_MUJOCO = (".png",)
_BULLET = "dev/pypi_pybullet-3.2.7/pybullet_data"
_USD = "dev/newton-physics+urdf-usd-converter/tests/data/assets"
_NEXTAGE = "dev/tork-a+rtmros_nextage"
#: Some of each kind; UNIBODY_WHOLE_CORPUS=1 takes all of the corpus instead.
SAMPLE = (
    "dev/RobotLocomotion+drake/examples/scene_graph/sun.gltf",
    "dev/choreonoid+choreonoid/sample/WRS2018/model/resource/WaffleStepP1.dae",
    "dev/coin3d+coin/models/vrml1.0/misc/wwwinline.wrl",
    "dev/fkanehiro+openhrp3/sample/model/ball.wrl",
    "dev/fkanehiro+openhrp3/sample/model/PA10/pa10.main.wrl",
    f"{_USD}/box_materials.dae",
    f"{_USD}/box_two_materials.obj",
    f"{_USD}/box_with_texture.obj",
    f"{_BULLET}/duck.obj",
    f"{_BULLET}/kuka_iiwa/meshes/link_3.obj",
    f"{_BULLET}/laikago/hip_motor_lores.obj",
    f"{_BULLET}/table/table.obj",
    "dev/ros+urdf_tutorial/meshes/l_finger.dae",
    f"{_NEXTAGE}/nextage_calibration/models/checkerboard_waist.dae",
    f"{_NEXTAGE}/nextage_description/models/main.wrl",
)

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("shared")]


def files() -> list[Path]:
    """The mesh files to which others belong."""
    if not os.environ.get("UNIBODY_WHOLE_CORPUS"):
        return [CORPUS / name for name in SAMPLE]
    found = sorted(path for path in DEV.rglob("*") if path.suffix.lower() in SUFFIXES)
    return [path for path in found if len(with_companions([str(path)], Files())) > 1]


def surfaces(robot: ub.Robot) -> list[Surface]:
    return [s for s in link_surfaces(robot, "link", "visual") if len(s.faces)]


def color(surface: Surface) -> tuple[float, ...]:
    return (1.0, 1.0, 1.0) if surface.material is None else surface.material.diffuse


def images(found: list[Surface]) -> Iterator[tuple[str, bytes]]:
    """The suffix and the bytes of each image that is drawn."""
    for texture in (s.material.texture for s in found if s.material is not None):
        if texture is not None and texture.path:
            yield Path(texture.path).suffix.lower(), Path(texture.path).read_bytes()
        elif texture is not None and (data := embedded_data(texture.uri)):
            yield ".png", data


def digests(folder: Path) -> set[str]:
    return {digest(path.read_bytes()) for path in folder.rglob("*") if path.is_file()}


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@cache
def peer() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            import collada  # type: ignore[import-untyped]  # noqa: F401
            import trimesh
        except ImportError:
            return None
    return trimesh


def peer_colors(path: str) -> list[Any]:
    """The diffuse colors of the parts of a mesh file without image, as trimesh reads them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scene = peer().load(path, force="scene", process=False)
    out = []
    for mesh in scene.geometry.values():
        material = getattr(mesh.visual, "material", None)
        if material is None or not hasattr(mesh, "faces"):
            continue
        if getattr(material, "image", None) is None and getattr(material, "baseColorTexture", None) is None:
            factor = getattr(material, "baseColorFactor", None)
            found = material.diffuse if factor is None else factor
            value = np.asarray(found, np.float64)[:3] / 255.0
            out.append(srgb(value) if path.lower().endswith((".gltf", ".glb")) else value)
    return out


def srgb(linear: Any) -> Any:
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1.0 / 2.4) - 0.055)


@pytest.mark.parametrize("path", files(), ids=lambda path: path.name)
def test_all_that_belongs_to_a_mesh_arrives(path: Path, tmp_path: Path) -> None:
    mesh = MeshFile(uri=path.name, path=str(path))
    robot = ub.Robot(name="r", links=(ub.Link(name="link", visuals=(Shape(geometry=mesh),)),), base="fixed")
    before = surfaces(robot)
    beside = {each for each in with_companions([str(path)], Files()) if each.lower().endswith(IMAGES)}
    for format in (each for each in FORMATS if each.name in TARGETS):
        folder = tmp_path / format.name
        folder.mkdir()
        target = folder / f"r{format.suffixes[0]}"
        ub.save(robot, target, format=format, plain=True)
        arrived = digests(folder)
        drawn = {
            digest(data) for suffix, data in images(before) if format.name != "mjcf" or suffix in OF_MUJOCO
        }
        assert drawn <= arrived
        if digest(path.read_bytes()) in arrived:
            assert {digest(Path(each).read_bytes()) for each in beside} <= arrived
        after = surfaces(ub.load(target))
        plain = [[s for s in found if s.colors is None] for found in (before, after)]
        if all(plain):
            first, second = (np.unique([color(s) for s in found], axis=0) for found in plain)
            apart = np.abs(first[:, None] - second[None]).max(axis=2)
            assert max(apart.min(axis=0).max(), apart.min(axis=1).max()) <= 1.0 / 255.0
        if peer():
            judge(target, before)


def judge(target: Path, before: list[Surface]) -> None:
    """Compare the colors of a written mesh file, as trimesh reads it, with those of the source."""
    wanted = [color(s) for s in before if s.material is not None and s.material.texture is None]
    shapes = ub.load(target).links[0].visuals
    written = [shape.geometry for shape in shapes if isinstance(shape.geometry, MeshFile)]
    if len(shapes) != 1 or len(written) != 1 or written[0].geometry_only:
        return
    if not written[0].path.lower().endswith(PEERS):
        return
    found = peer_colors(written[0].path)
    for each in wanted if found else ():
        assert min(float(np.abs(np.asarray(each) - x).max()) for x in found) <= 1.0 / 255.0
