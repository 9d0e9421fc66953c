"""Mesh files that are written, as unibody and others read them."""

from __future__ import annotations

import shutil
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.convert.models import CORNERS, POINTS, tetrahedron
from tests.mesh import build

import unibody as ub
from unibody.formats.sidecar_mesh import read_arrays, turned
from unibody.meshes import MeshCache, Surface, bounds, link_surfaces
from unibody.meshes.write_obj import Library, polygons_obj, surfaces_obj
from unibody.model.changes.meshes import outward, per_corner, turned_over
from unibody.model.shape import Material, Mesh, MeshFile, Shape

TARGETS = {"urdf": ".urdf", "mjcf": ".xml", "body": ".body", "openhrp": ".wrl", "mpk": ".rob"}
HOWS: list[dict[str, Any]] = [
    {"scale": 0.0254, "up_axis": "Y"},
    {"scale": 0.001},
    {"up_axis": "X"},
    {"up_axis": "Y"},
]
SQUARE = (0.0, 0, 0, 0.1, 0, 0, 0.1, 1 / 3, 0, 0, 1e-7, 2.0)


def read_back(path: Path) -> tuple[Surface, ...]:
    cache = MeshCache()
    found = cache.surfaces(MeshFile(uri=path.name, path=str(path)))
    assert [f for f in cache.findings if f.severity != "info"] == []
    return found


@st.composite
def meshes(draw: st.DrawFn) -> Mesh:
    """Polygons over a few points, with every kind of list beside them."""
    numbers = st.floats(-10, 10)
    count = draw(st.integers(3, 8))
    faces: list[int] = []
    for _ in range(draw(st.integers(1, 4))):
        corners = draw(st.lists(st.integers(0, count - 1), min_size=3, max_size=5, unique=True))
        faces += [*corners, -1]
    normals = draw(st.lists(numbers, min_size=3 * count, max_size=3 * count)) if draw(st.booleans()) else []
    coords = draw(st.lists(numbers, min_size=2 * count, max_size=2 * count)) if draw(st.booleans()) else []
    own = draw(st.booleans())
    return Mesh(
        vertices=tuple(draw(st.lists(numbers, min_size=3 * count, max_size=3 * count))),
        faces=tuple(faces),
        normals=tuple(normals),
        tex_coords=tuple(coords),
        tex_coord_indices=tuple(faces) if coords and own else (),
        ccw=draw(st.booleans()),
    )


@given(meshes())
def test_polygons_come_back_exactly(mesh: Mesh) -> None:
    data = polygons_obj(mesh)
    assert data is not None
    arrays = read_arrays(data)
    if not mesh.ccw:
        arrays = turned(arrays)
    for name in ("vertices", "faces", "normals", "tex_coords"):
        assert tuple(arrays.get(name, ())) == tuple(getattr(mesh, name))


@given(meshes())
def test_turning_over_twice_changes_nothing(mesh: Mesh) -> None:
    assert turned_over(turned_over(mesh)) == mesh
    assert outward(mesh).ccw


def test_face_normals_at_each_corner() -> None:
    mesh = Mesh(
        vertices=SQUARE,
        faces=(0, 1, 2, -1, 0, 2, 3, -1),
        normals=(0.0, 0, 1, 0, 1, 0),
        normal_indices=(1, 0),
        normal_per_vertex=False,
    )
    made = per_corner(mesh)
    assert made.normal_indices == (1, 1, 1, -1, 0, 0, 0, -1)
    assert made.normal_per_vertex


def test_triangles_with_materials(tmp_path: Path) -> None:
    red = Material(diffuse=(1.0, 0.25, 0.125), transparency=0.5, specular_exponent=12.0)
    vertices = np.array(SQUARE).reshape(-1, 3)
    surfaces = [
        Surface(vertices, np.array([[0, 1, 2]], np.int32), material=red, name="front"),
        Surface(
            vertices + 1.0,
            np.array([[0, 2, 3], [1, 2, 3]], np.int32),
            normals=np.tile([0.0, 0.6, 0.8], (4, 1)),
            tex_coords=np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]]),
            colors=np.array([[1.0, 0, 0, 1]] * 4),
        ),
    ]
    obj, mtl = surfaces_obj(surfaces, Library(), "part.mtl")
    assert mtl is not None
    (tmp_path / "part.obj").write_bytes(obj)
    (tmp_path / "part.mtl").write_bytes(mtl)
    found = read_back(tmp_path / "part.obj")
    assert len(found) == 2
    assert found[0].material is not None
    assert found[0].material.diffuse == red.diffuse
    assert found[0].material.transparency == red.transparency
    for a, b in zip(found, surfaces, strict=True):
        assert np.array_equal(a.vertices[a.faces], b.vertices[b.faces])
    assert found[1].normals is not None
    assert np.allclose(found[1].normals, [0.0, 0.6, 0.8])


def test_others_read_them(tmp_path: Path) -> None:
    trimesh = pytest.importorskip("trimesh")
    data = polygons_obj(Mesh(vertices=SQUARE, faces=(0, 1, 2, 3, -1)))
    assert data is not None
    (tmp_path / "part.obj").write_bytes(data)
    assert len(trimesh.load(tmp_path / "part.obj", force="mesh").faces) == 2


# --- meshes with another unit or up axis ----------------------------------------------------------


def write_mesh(path: Path) -> None:
    """The tetrahedron as STL, as OBJ, or as COLLADA in millimeters."""
    if path.suffix == ".stl":
        path.write_bytes(tetrahedron())
    elif path.suffix == ".obj":
        lines = [f"v {x} {y} {z}" for x, y, z in POINTS.tolist()]
        path.write_text("\n".join(lines + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in CORNERS]) + "\n")
    else:
        numbers, indices = " ".join(map(str, POINTS.ravel().tolist())), " ".join(map(str, sum(CORNERS, ())))
        path.write_text(
            '<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset>'
            '<unit meter="0.001" name="mm"/><up_axis>Z_UP</up_axis></asset><library_geometries>'
            '<geometry id="g"><mesh><source id="s"><float_array id="a" count="12">'
            f'{numbers}</float_array><technique_common><accessor source="#a" count="4" stride="3">'
            '<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>'
            '</accessor></technique_common></source><vertices id="v"><input semantic="POSITION" '
            'source="#s"/></vertices><triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/>'
            f"<p>{indices}</p></triangles></mesh></geometry></library_geometries><library_visual_scenes>"
            '<visual_scene id="w"><node id="n"><instance_geometry url="#g"/></node></visual_scene>'
            '</library_visual_scenes><scene><instance_visual_scene url="#w"/></scene></COLLADA>'
        )


SOURCES = {
    "urdf": """<robot name="tower">
  <link name="base">  <!-- both shapes have the mesh -->
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual>
      <origin xyz="0 0 1" rpy="0.1 0.2 0.5"/>
      <geometry><mesh filename="MESH" scale="1 2 3"/></geometry>
    </visual>
    <collision><geometry><mesh filename="MESH"/></geometry></collision>
  </link>
</robot>
""",
    "mjcf": """<mujoco model="tower">
  <asset><mesh name="a" file="MESH" scale="1 2 3"/><mesh name="b" file="MESH"/></asset>
  <worldbody>
    <body name="base">  <!-- the mass is that of the mesh -->
      <freejoint/>
      <geom type="mesh" mesh="a" pos="0 0 1" euler="10 20 30" contype="0" conaffinity="0" mass="0"/>
      <geom type="mesh" mesh="b" pos="1 0 0"/>
    </body>
  </worldbody>
</mujoco>
""",
    "body": """format: ChoreonoidBody
format_version: 2.0
name: tower
links:
  - name: base
    joint_type: free
    mass: 1.0
    inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1]
    elements:
      - type: Visual
        translation: [0, 0, 1]
        rotation: [0, 1, 0, 30]
        elements: [{type: Resource, uri: "MESH", scale: [1, 2, 3]}]
      - type: Collision
        elements: [{type: Resource, uri: "MESH"}]
""",
}


def tower(folder: Path, source: str, mesh: str) -> Path:
    """A robot of one link that has a mesh file in both sets of shapes, in two poses."""
    folder.mkdir()
    write_mesh(folder / mesh)
    path = folder / f"tower{TARGETS[source]}"
    path.write_text(SOURCES[source].replace("MESH", mesh), "utf-8")
    return path


def boxes(robot: ub.Robot) -> dict[str, Any]:
    """The bounds of the shapes of the only link."""
    cache = MeshCache()
    (link,) = robot.links
    found = {
        which: bounds(link_surfaces(robot, link.name, which, cache)) for which in ("visual", "collision")
    }
    return {which: np.array(box) for which, box in found.items() if box is not None}


def moved_output(path: Path, target: str, plain: bool, how: dict[str, Any]) -> tuple[Path, ub.Report]:
    """A file that was written to an empty folder, elsewhere and without its source."""
    out = path.parent.parent / "out"
    out.mkdir()
    report = ub.convert(path, out / f"tower{TARGETS[target]}", plain=plain, **how)
    shutil.move(out, out.with_name("moved"))
    shutil.rmtree(path.parent)
    return out.with_name("moved") / f"tower{TARGETS[target]}", report


def check_tower(path: Path, target: str, plain: bool, how: dict[str, Any]) -> None:
    mesh = next(p for p in path.parent.iterdir() if p != path)
    data = mesh.read_bytes()
    robot = ub.load(path, **how)
    wanted = boxes(robot)
    written, report = moved_output(path, target, plain, how)
    found = boxes(ub.load(written))
    if target == "mpk" and plain:  # one set of shapes for both
        found["collision"] = wanted["collision"]
    assert wanted.keys() == found.keys()
    for which, box in wanted.items():
        assert found[which] == pytest.approx(box, abs=1e-9), which
    assert ub.load(written).mass == pytest.approx(robot.mass, rel=1e-9) or target == "mpk"
    if target in ("urdf", "body") or (target == "mjcf" and mesh.suffix != ".dae"):
        copy = written.with_name(f"{written.name}_files") / mesh.name
        is_bare = "unused materials" not in report.text()
        assert not is_bare or copy.read_bytes() == data
    if target == "mjcf":
        assert in_mujoco(written) == pytest.approx(wanted["collision"], abs=1e-5)
    elif target == "urdf" and mesh.suffix == ".stl":
        others = [in_pinocchio(written), in_yourdfpy(written)]
        for box in (box for box in others if box is not None):
            assert box == pytest.approx(wanted["collision"], abs=1e-6)


def in_mujoco(path: Path) -> Any:
    """The bounds of what collides, as MuJoCo has them in the body."""
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    points = []
    for geom in np.flatnonzero(model.geom_contype):
        mesh = model.geom_dataid[geom]
        first = model.mesh_vertadr[mesh]
        vertices = model.mesh_vert[first : first + model.mesh_vertnum[mesh]]
        points.append(vertices @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom])
    body = model.geom_bodyid[np.flatnonzero(model.geom_contype)[0]]
    own = (np.concatenate(points) - data.xpos[body]) @ data.xmat[body].reshape(3, 3)
    return np.array([own.min(axis=0), own.max(axis=0)])


def in_pinocchio(path: Path) -> Any:
    try:
        import pinocchio as pin
    except ImportError:
        return None
    model = pin.buildModelFromUrdf(str(path))
    shapes = pin.buildGeomFromUrdf(
        model, str(path), pin.GeometryType.COLLISION, package_dirs=[str(path.parent)]
    )
    (shape,) = shapes.geometryObjects
    assert Path(shape.meshPath).resolve().is_relative_to(path.parent.resolve())
    points = (POINTS * shape.meshScale) @ shape.placement.rotation.T + shape.placement.translation
    return np.array([points.min(axis=0), points.max(axis=0)])


def in_yourdfpy(path: Path) -> Any:
    try:
        import yourdfpy
    except ImportError:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of trimesh, by yourdfpy
        robot = yourdfpy.URDF.load(str(path), load_collision_meshes=True, build_collision_scene_graph=True)
        return np.array(robot.collision_scene.bounds)


@pytest.mark.parametrize("plain", [False, True], ids=["side-car", "plain"])
@pytest.mark.parametrize("target", TARGETS)
def test_units_and_up_axes_are_in_the_written_file(target: str, plain: bool, tmp_path: Path) -> None:
    """The mesh file is copied as it is; scale and pose have what the options of reading said."""
    check_tower(tower(tmp_path / "a", "urdf", "t.stl"), target, plain, HOWS[0])


@pytest.mark.slow
@pytest.mark.parametrize("how", HOWS, ids=lambda how: " ".join(map(str, how.values())))
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("mesh", ["t.stl", "t.obj", "mm.dae"])
@pytest.mark.parametrize("source", SOURCES)
def test_units_and_up_axes_from_every_format(
    source: str, mesh: str, target: str, how: dict[str, Any], tmp_path: Path
) -> None:
    if source == "mjcf" and mesh == "mm.dae":
        pytest.skip("MuJoCo reads no COLLADA files")
    for plain in (False, True):
        folder = tmp_path / str(plain)
        folder.mkdir()
        check_tower(tower(folder / "a", source, mesh), target, plain, how)


def test_a_turn_changes_the_lines_of_the_shapes_only(tmp_path: Path) -> None:
    """Within one format, and where the mesh stays in its folder."""
    path = tower(tmp_path / "a", "urdf", "t.stl")
    report = ub.convert(path, path.with_name("turned.urdf"), plain=True, up_axis="Y")
    assert report.layout is not None
    assert report.layout.changed == 3  # the scale is along the axes of the file
    assert report.proof is not None
    assert report.proof.bounds == pytest.approx(0.0, abs=1e-9)
    text = path.with_name("turned.urdf").read_text("utf-8")
    assert "<!-- both shapes have the mesh -->" in text
    assert text.count("<origin") == 2
    assert 'scale="2 3 1"' in text or 'scale="1 3 2"' in text
    assert text.count('filename="t.stl"') == 2


def test_inertia_turns_with_the_mesh_that_it_is_of(tmp_path: Path) -> None:
    """MuJoCo computes the same mass and inertia of the written file as unibody of the source."""
    path = tower(tmp_path / "a", "mjcf", "t.stl")
    upright = ub.load(path).links[0].inertial
    robot = ub.load(path, up_axis="Y", scale=0.5)
    inertial = robot.links[0].inertial
    assert inertial is not None
    assert upright is not None
    assert inertial.mass == pytest.approx(upright.mass / 8.0)
    assert inertial.com != pytest.approx(upright.com, abs=1e-3)
    written, _ = moved_output(path, "mjcf", False, {"up_axis": "Y", "scale": 0.5})
    assert "<inertial" not in written.read_text("utf-8")
    model = mujoco.MjModel.from_xml_path(str(written))
    assert model.body_mass[1] == pytest.approx(inertial.mass, rel=1e-6)
    assert model.body_ipos[1] == pytest.approx(inertial.com, abs=1e-6)
    moments = np.linalg.eigvalsh(np.array(inertial.inertia).reshape(3, 3))
    assert sorted(model.body_inertia[1]) == pytest.approx(moments, rel=1e-5)


def test_a_package_of_the_caller_is_not_one_of_the_readers(tmp_path: Path) -> None:
    """Files that are found by options of the caller only are copied, in the same folder, too."""
    (tmp_path / "far/meshes").mkdir(parents=True)
    path = tower(tmp_path / "a", "urdf", "t.stl")
    shutil.move(path.with_name("t.stl"), tmp_path / "far/meshes")
    path.write_text(path.read_text("utf-8").replace("t.stl", "package://parts/meshes/t.stl"), "utf-8")
    far = str(tmp_path / "far")
    hows: list[dict[str, Any]] = [{"packages": {"parts": far}}, {"remap": {"package://parts": far}}]
    for k, how in enumerate(hows):
        target = path.with_name(f"out{k}.urdf")
        report = ub.convert(path, target, **how)
        assert report.layout is not None
        assert report.layout.changed == 2
        assert boxes(ub.load(target)).keys() == {"visual", "collision"}


def test_a_mesh_without_area_is_no_file(tmp_path: Path) -> None:
    """Assimp rejects such a file, and Pinocchio then the whole robot."""
    points = Mesh(vertices=(0.0, 0, 0, 1e-6, 0, 0, 2e-6, 1e-7, 0), faces=(0, 0, 0, -1, 1, 1, 1, -1))
    shapes = tuple(Shape(geometry=x) for x in (points, Mesh(vertices=SQUARE, faces=(0, 1, 2, -1))))
    robot = ub.Robot(name="r", links=(ub.Link(name="a", visuals=shapes),))
    report = ub.save(robot, tmp_path / "r.urdf", plain=True)
    assert "shapes without extent" in {x.row.what for x in report.losses if x.row}
    assert [p.name for p in (tmp_path / "r.urdf_files").iterdir()] == ["a_visual_1.obj"]
    assert len(ub.load(tmp_path / "r.urdf").links[0].visuals) == 1


PNG = b"\x89PNG\r\n\x1a\n"
KINDS = ("base", "metallic-roughness", "normal", "occlusion", "emission")
LOOKS_MTL = """\
newmtl a
Kd 1 0.5 0
Ke 0 0 0
map_Kd kd.png
map_Ka kd.png
map_Ks -s 2 2 1 ks.png
map_Ns ns.png
bump -bm 0.5 bump.png
norm n.png
decal d.png
disp -mm 0 2 d.png
map_d d.png
map_Ke ke.png
Pr 0.5
Pm 0.25
map_Pr pr.png
"""
EFFECT = """
<library_images><image id="i"><init_from>i.png</init_from></image>
<image id="j"><init_from>j.png</init_from></image></library_images>
<library_materials><material id="M" name="m"><instance_effect url="#e"/></material></library_materials>
<library_effects><effect id="e"><profile_COMMON><technique sid="t"><phong>
<emission><texture texture="j" texcoord="u"/></emission>
<diffuse><texture texture="i" texcoord="u"/></diffuse>
<specular><texture texture="j" texcoord="u"/></specular>
<transparent opaque="A_ONE"><texture texture="i" texcoord="u"/></transparent>
</phong><extra><technique profile="FCOLLADA"><bump><texture texture="j" texcoord="u"/></bump></technique>
</extra></technique></profile_COMMON></effect></library_effects>
"""


def looks_glb() -> bytes:
    """A GLB file with two materials: one with all images, one with numbers."""
    images = [(list(PNG + kind.encode()), "u1", "SCALAR") for kind in KINDS]
    coords = ([[0, 0]] * 4, "<f4", "VEC2")
    corners = ([i for face in build.FACES for i in face], "<u2", "SCALAR")
    primitive = {"attributes": {"POSITION": 0, "TEXCOORD_0": 2}, "indices": 1}
    pbr = {
        "baseColorTexture": {"index": 0},
        "metallicRoughnessTexture": {"index": 1},
        "roughnessFactor": 0.1,
    }
    rich = {"pbrMetallicRoughness": pbr, "alphaMode": "MASK", "emissiveFactor": [1, 1, 1]}
    rich |= {
        f"{name}Texture": {"index": k} for name, k in (("normal", 2), ("occlusion", 3), ("emissive", 4))
    }
    plain = {"pbrMetallicRoughness": {"roughnessFactor": 0.5, "metallicFactor": 0.25}}
    data, binary = build.gltf(
        [(build.CORNERS, "<f4", "VEC3"), corners, coords, *images],
        primitive,
        materials=[rich, plain],
        textures=[{"source": k} for k in range(5)],
        images=[{"bufferView": 3 + k} for k in range(5)],
    )
    del data["accessors"][3:]
    data["meshes"][0]["primitives"] = [{**primitive, "material": k} for k in range(2)]
    return build.glb(data, binary)


def model_of(folder: Path, mesh: str, scale: str = "1 1 1") -> Path:
    """A URDF file of one link with a mesh twice, and with images beside it that have their own names."""
    for name in ("kd", "ks", "ns", "bump", "n", "d", "ke", "pr", "i", "j"):
        (folder / f"{name}.png").write_bytes(PNG + name.encode())
    (folder / "a.mtl").write_text(LOOKS_MTL)
    files = {"p.obj": "mtllib a.mtl\nusemtl a\n" + build.obj(), "p.dae": build.dae(libraries=EFFECT)}
    (folder / mesh).write_bytes(files[mesh].encode() if mesh in files else looks_glb())
    visual = f'<visual><geometry><mesh filename="{mesh}" scale="{scale}"/></geometry></visual>'
    (folder / "r.urdf").write_text(f'<robot name="r"><link name="a">{2 * visual}</link></robot>')
    (folder / "out").mkdir()
    return folder / "r.urdf"


def left_out(report: ub.Report) -> list[tuple[str, str]]:
    """The looks that a report names, with the mesh file."""
    found = [
        x for x in report.losses if x.outcome == "omitted" and x.row and x.row.what.endswith(" of meshes")
    ]
    return [(x.row.what.removesuffix(" of meshes"), x.difference.before) for x in found if x.row]


def written_maps(folder: Path) -> dict[str, bytes | str]:
    """The numbers and the images of the only .mtl file of a folder, by statement."""
    (library,) = folder.rglob("*.mtl")
    out: dict[str, bytes | str] = {}
    for word, *values in map(str.split, library.read_text().splitlines()):
        file = library.parent / values[-1]
        out.setdefault(word, file.read_bytes() if values[-1].endswith(".png") else " ".join(values))
    return out


def test_a_converted_mesh_keeps_the_looks_that_mtl_has_and_the_report_names_the_others(
    tmp_path: Path,
) -> None:
    report = ub.convert(model_of(tmp_path, "p.glb"), tmp_path / "out" / "r.body", plain=True)
    kinds = ("metallic-roughness image", "occlusion image", "alpha mode")
    assert left_out(report) == [(kind, "p.glb") for kind in kinds]
    assert report.lost
    maps = written_maps(tmp_path / "out")
    assert maps["map_Kd"] == PNG + b"base"
    assert maps["norm"] == PNG + b"normal"
    assert maps["map_Ke"] == PNG + b"emission"
    assert (maps["Ke"], maps["Pr"], maps["Pm"]) == ("0 0 0", "0.5", "0.25")


def test_images_of_collada_and_options_of_maps_are_written(tmp_path: Path) -> None:
    for folder in (tmp_path / "dae", tmp_path / "obj"):
        folder.mkdir()
    robot = ub.load(model_of(tmp_path / "dae", "p.dae"))
    robot = replace(robot, links=(sheared(robot.link("a")),))
    report = ub.save(robot, tmp_path / "dae" / "out" / "r.urdf", plain=True)
    assert left_out(report) == [("alpha image", "p.dae")]
    maps = written_maps(tmp_path / "dae" / "out")
    assert maps["map_Kd"] == PNG + b"i"
    assert [maps[word] for word in ("map_Ks", "map_Ke", "map_Bump")] == 3 * [PNG + b"j"]
    robot = ub.load(model_of(tmp_path / "obj", "p.obj"))
    robot = replace(robot, links=(sheared(robot.link("a")),))
    report = ub.save(robot, tmp_path / "obj" / "out" / "r.urdf", plain=True)
    assert left_out(report) == [("decal image", "p.obj")]
    (library,) = (tmp_path / "obj" / "out").rglob("*.mtl")
    lines = library.read_text().splitlines()
    assert {"map_Bump -bm 0.5 bump.png", "map_Ks -s 2 2 1 ks.png", "map_d d.png", "Pm 0.25"} <= set(lines)
    assert "map_disp -mm 0 2 d.png" in lines
    # Choreonoid reads each line that begins with d as an opacity
    assert not any(line.startswith(("map_Ka", "di", "de")) for line in lines)


@pytest.mark.parametrize("target", ["r.xml", "r.wrl", "r.rob"])
def test_looks_without_a_place_in_the_target_are_named_once_for_each_file(
    tmp_path: Path, target: str
) -> None:
    model = model_of(tmp_path, "p.obj")
    report = ub.convert(model, tmp_path / "out" / target, plain=True)
    images = "specular shininess bump normal decal displacement opacity emission".split()
    kinds = (*(f"{word} image" for word in images), "roughness", "metalness", "roughness image")
    assert left_out(report) == [(kind, "p.obj") for kind in kinds]
    assert "normal image of meshes" in report.headline() or "more kinds of looks" in report.headline()
    carried = ub.convert(model, tmp_path / "out" / target, overwrite=True)
    assert all(x.carried for x in carried.losses if x.outcome == "omitted")
    assert not carried.lost


@pytest.mark.parametrize("mesh", ["p.glb", "p.obj", "p.dae"])
def test_a_copy_of_a_mesh_has_all_its_looks(tmp_path: Path, mesh: str) -> None:
    report = ub.convert(model_of(tmp_path, mesh), tmp_path / "out" / "r.urdf", plain=True)
    assert left_out(report) == []
    assert not report.lost


def sheared(link: ub.Link) -> ub.Link:
    """The link with its meshes sheared, for which only vertices have a place."""
    shear = ((1.0, 0.5, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    return replace(link, visuals=tuple(replace(shape, linear=shear) for shape in link.visuals))


@pytest.mark.parametrize("plain", [False, True])
def test_parts_without_area_are_left_out_by_name(plain: bool, tmp_path: Path) -> None:
    """MuJoCo rejects a mesh file of them: the report says how many parts remain, and what that moves."""
    (tmp_path / "m.mtl").write_text("newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\n")
    (tmp_path / "m.obj").write_text(
        "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 5 5 5\nv 5 5 5.0000001\n"
        "usemtl red\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\nusemtl blue\nf 5 5 6\nf 5 6 6\n"
    )
    shape = '<geometry><mesh filename="m.obj"/></geometry>'
    link = f'<link name="a"><visual>{shape}</visual><collision>{shape}</collision></link>'
    (tmp_path / "a.urdf").write_text(f'<robot name="a">{link}</robot>')
    report = ub.convert(tmp_path / "a.urdf", tmp_path / "out/a.xml", plain=plain)
    told = [x for x in report.losses if x.row is not None and x.row.what == "parts without area"]
    assert [(x.path, x.difference.before, x.difference.after, x.outcome, x.carried) for x in told] == [
        (f"links/a/{name}/0/geometry/parts", 2, 1, "omitted", not plain)
        for name in ("visuals", "collisions")
    ]
    assert report.proof is not None
    assert report.proof.bounds == 0.0
    (found,) = (x for x in report.proof.explained if x.quantity == "bounds")
    assert found.largest == pytest.approx(4.0, abs=1e-6)
    assert found.cause == "parts without area"
    assert mujoco.MjModel.from_xml_path(str(tmp_path / "out/a.xml")).nmesh == 1
