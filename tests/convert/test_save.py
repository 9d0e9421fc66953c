"""Files appear whole or not at all; what a model names goes with it, under names that do not collide."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from tests.convert.models import neutral, whole
from tests.view.png import pixels

import unibody as ub
from unibody.conversion.output import SaveError
from unibody.conversion.pipeline import save
from unibody.model.pose import Pose
from unibody.model.robot import Joint, Link, Robot
from unibody.model.shape import Capsule, Material, Mesh, MeshFile, Shape, Sphere, Texture

OBJ = "mtllib part.mtl\nv 0 0 0\nv 0.5 0 0\nv 0 0.25 0\nusemtl skin\nf 1 2 3\n"
MTL = "newmtl skin\nKd 1 0 0\nmap_Kd ../images/skin.png\n"
TRIANGLE = Mesh(vertices=(0.0, 0, 0, 0.1, 0, 0, 0, 0.1, 0), faces=(0, 1, 2, -1))


def robot(*shapes: Shape, name: str = "box") -> Robot:
    return Robot(name=name, links=(Link(name="box", visuals=shapes),))


def files(folder: Path) -> set[str]:
    return {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()}


def with_obj(folder: Path) -> Robot:
    """A robot with an OBJ file that names a material file, which names an image."""
    (folder / "meshes").mkdir(parents=True)
    (folder / "images").mkdir()
    (folder / "meshes/part.obj").write_text(OBJ, "utf-8")
    (folder / "meshes/part.mtl").write_text(MTL, "utf-8")
    (folder / "images/skin.png").write_bytes(b"\x89PNG")
    return robot(Shape(geometry=MeshFile(uri="meshes/part.obj", path=str(folder / "meshes/part.obj"))))


def code(robot: Robot, target: Path, format: str | None = None) -> str:
    with pytest.raises(SaveError) as caught:
        save(robot, target, format=format)
    return caught.value.findings[0].code


def test_an_output_is_kept(tmp_path: Path) -> None:
    target = tmp_path / "box.urdf"
    target.write_text("mine", "utf-8")
    assert code(robot(), target) == "output-exists"
    assert target.read_text("utf-8") == "mine"
    save(robot(), target, overwrite=True)
    assert whole(target).name == "box"
    assert files(tmp_path) == {"box.urdf"}


def test_new_files_have_usual_rights(tmp_path: Path) -> None:
    save(robot(), tmp_path / "box.urdf")
    (tmp_path / "other").write_text("", "utf-8")
    assert stat.S_IMODE((tmp_path / "box.urdf").stat().st_mode) == stat.S_IMODE(
        (tmp_path / "other").stat().st_mode
    )


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    report = save(neutral("kitchen_sink"), tmp_path / "out/k.urdf", dry_run=True)
    assert report.losses
    assert not report.written
    assert files(tmp_path) == set()


def test_nothing_is_left_where_writing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    assert code(robot(Shape(geometry=TRIANGLE)), tmp_path / "box.urdf") == "output-unwritable"
    assert files(tmp_path) == set()


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_does_not_lead_outside(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out/box.urdf_files").symlink_to(tmp_path / "elsewhere")
    assert code(robot(Shape(geometry=TRIANGLE)), tmp_path / "out/box.urdf") == "output-unwritable"
    assert files(tmp_path / "elsewhere") == set()


def test_formats(tmp_path: Path) -> None:
    assert code(robot(), tmp_path / "box.nothing") == "format-unknown"
    assert code(robot(), tmp_path / "box.x", format="nothing") == "format-unknown"
    assert code(robot(), tmp_path / "box.iv") == "format-not-written"
    save(robot(), tmp_path / "box.txt", format="body")
    assert "ChoreonoidBody" in (tmp_path / "box.txt").read_text("utf-8")


def test_a_robot_must_be_a_tree(tmp_path: Path) -> None:
    assert code(Robot(name="none"), tmp_path / "a.urdf") == "links-missing"
    two = Robot(name="two", links=(Link(name="a"), Link(name="b")))
    assert code(two, tmp_path / "a.urdf") == "roots-several"
    loop = Joint(name="j", kind="fixed", parent="a", child="a")
    assert (
        code(Robot(name="r", links=(Link(name="a"),), joints=(loop,)), tmp_path / "a.urdf") == "tree-cycle"
    )


@pytest.mark.parametrize("suffix", [".urdf", ".body"])
def test_mesh_files_are_copied_with_what_they_name(suffix: str, tmp_path: Path) -> None:
    made = with_obj(tmp_path / "source")
    report = save(made, tmp_path / f"out/box{suffix}")
    assert files(tmp_path / "out") == {
        f"box{suffix}",
        f"box{suffix}_files/images/skin.png",
        f"box{suffix}_files/meshes/part.mtl",
        f"box{suffix}_files/meshes/part.obj",
    }
    assert sorted(report.files) == sorted(files(tmp_path / "out"))
    assert ub.diff(made, whole(tmp_path / f"out/box{suffix}")) == []


@pytest.mark.parametrize("suffix", [".urdf", ".body"])
def test_mesh_files_stay_where_they_are(suffix: str, tmp_path: Path) -> None:
    made = with_obj(tmp_path / "source")
    save(made, tmp_path / f"out/box{suffix}", meshes="keep")
    assert files(tmp_path / "out") == {f"box{suffix}"}
    assert "../source/meshes/part.obj" in (tmp_path / f"out/box{suffix}").read_text("utf-8")


def test_names_that_hold_at_the_new_place_stay(tmp_path: Path) -> None:
    made = with_obj(tmp_path)
    save(made, tmp_path / "box.urdf")
    assert 'filename="meshes/part.obj"' in (tmp_path / "box.urdf").read_text("utf-8")


def test_packages(tmp_path: Path) -> None:
    made = with_obj(tmp_path / "source")
    save(made, tmp_path / "out/box.urdf", mesh_package="arm")
    assert "package://arm/box.urdf_files/meshes/part.obj" in (tmp_path / "out/box.urdf").read_text("utf-8")


def test_files_of_one_name_do_not_collide(tmp_path: Path) -> None:
    shapes = []
    for folder in ("left", "right"):
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / "part.obj"
        path.write_text(OBJ.replace("0.5", "0.5" if folder == "left" else "0.75"), "utf-8")
        shapes.append(Shape(geometry=MeshFile(uri=f"{folder}/part.obj", path=str(path))))
    made = robot(*shapes)
    save(made, tmp_path / "out/box.urdf")
    assert ub.diff(made, whole(tmp_path / "out/box.urdf")) == []


def test_missing_files_keep_their_names(tmp_path: Path) -> None:
    made = robot(Shape(geometry=MeshFile(uri="package://arm/part.stl")))
    save(made, tmp_path / "box.urdf")
    assert "package://arm/part.stl" in (tmp_path / "box.urdf").read_text("utf-8")


def test_equal_meshes_are_one_file(tmp_path: Path) -> None:
    save(
        robot(Shape(geometry=TRIANGLE), Shape(geometry=TRIANGLE, pose=Pose((1.0, 0, 0)))),
        tmp_path / "box.urdf",
    )
    assert files(tmp_path) == {"box.urdf", "box.urdf_files/box_visual_0.obj"}


def test_a_large_mesh_comes_back_from_its_file(tmp_path: Path) -> None:
    points = tuple(k * 0.1 for k in range(300))
    faces = tuple(v for k in range(98) for v in (k, k + 1, k + 2, -1))
    mesh = Mesh(vertices=points, faces=faces, ccw=False, crease_angle=0.5, normals=(0.0, 0.6, 0.8) * 100)
    made = robot(Shape(geometry=mesh, material=Material(name="m", specular=(0.5, 0.5, 0.5))))
    save(made, tmp_path / "box.urdf")
    assert len((tmp_path / "box.urdf").read_text("utf-8")) < 3000
    assert ub.diff(made, whole(tmp_path / "box.urdf")) == []


def test_pixels_become_an_image(tmp_path: Path) -> None:
    image = Texture(image=(1, 2, 3, 255, 0, 0, 0, 0, 255))
    save(
        robot(Shape(geometry=Sphere(radius=1.0), material=Material(name="m", texture=image))),
        tmp_path / "b.body",
    )
    data = (tmp_path / "b.body_files/image.png").read_bytes()
    assert pixels(data).tolist() == [[[0, 0, 255]], [[255, 0, 0]]]


def test_a_capsule_keeps_its_bounds(tmp_path: Path) -> None:
    made = robot(Shape(geometry=Capsule(radius=0.1, height=0.5), pose=Pose((0, 0, 1.0), (0.6, 0.8, 0, 0))))
    proof = save(made, tmp_path / "b.urdf").proof
    assert proof is not None
    assert proof.bounds is not None
    assert proof.bounds < 0.01


def test_names_are_escaped(tmp_path: Path) -> None:
    for suffix in (".urdf", ".body"):
        odd = Robot(name="a \"<&>' b: [c]", links=(Link(name="- #x: {y}"),))
        save(odd, tmp_path / f"odd{suffix}")
        assert ub.diff(odd, whole(tmp_path / f"odd{suffix}")) == []


def test_what_is_wrong_in_the_numbers_of_a_shape_is_in_the_report(tmp_path: Path) -> None:
    """Such numbers are read when a shape is looked at, after all that ``read`` says."""
    faces = "coord Coordinate { point [ 0 0 0, 1 0 0, 0 1 0 ] } coordIndex [ 0 1 2 -1 0 1 9 -1 ]"
    path = tmp_path / "a.wrl"
    path.write_text(f"#VRML V2.0 utf8\nShape {{ geometry IndexedFaceSet {{ {faces} }} }}\n", "utf-8")
    report = ub.convert(path, tmp_path / "a.body")
    assert [f.code for f in report.findings] == ["index-out-of-range"]
    assert report.findings[0].at is not None
    assert report.findings[0].at.source.name == str(path)
    mesh = ub.load(tmp_path / "a.body").links[0].visuals[0].geometry
    assert isinstance(mesh, Mesh)
    assert tuple(mesh.faces) == (0, 1, 2, -1)
