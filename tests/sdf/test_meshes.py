"""Mesh files of other models and packages are copied beside what is written, where Gazebo finds them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import unibody as ub
from unibody.model.shape import MeshFile

OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
SDF = """<sdf version="1.11" xmlns:xacro="http://www.ros.org/wiki/xacro">{}<model name="arm"><link name="a">
<visual name="v"><geometry><mesh><uri>model://arm/meshes/{}.obj</uri></mesh></geometry></visual></link></model></sdf>"""
URDF = """<robot name="arm"><link name="a"><visual><geometry><mesh filename="package://arm/meshes/a.obj"/>
</geometry></visual></link></robot>"""
SOURCES = {
    "model.sdf": SDF.format("", "a"),
    "arm.sdf.xacro": SDF.format('<xacro:property name="n" value="a"/>', "${n}"),
    "arm.urdf": URDF,
}


@pytest.mark.parametrize("target", ["new/model.sdf", "new.sdf", "new.world", "new.sdf.xacro"])
@pytest.mark.parametrize("source", SOURCES)
def test_mesh_files_are_copied(source: str, target: str, tmp_path: Path) -> None:
    folder = tmp_path / "models" / "arm"
    (folder / "meshes").mkdir(parents=True)
    (folder / "meshes" / "a.obj").write_text(OBJ)
    (folder / "package.xml").write_text("<package><name>arm</name></package>")
    (folder / source).write_text(SOURCES[source])
    out = tmp_path / "out" / target
    report = ub.convert(folder / source, out)
    assert [f.severity for f in report.findings if f.severity != "info"] == []
    text = out.read_text("utf-8")
    assert "<sdf" in text
    (uri,) = re.findall("<uri>(.*)</uri>", text)
    assert uri == f"{out.name}_files/a.obj"
    assert (out.parent / uri).read_text() == OBJ
    assert (out.parent / "model.config").is_file() == (out.name == "model.sdf")
    # the folder is whole: it is read elsewhere
    moved = tmp_path / "elsewhere"
    out.parent.rename(moved)
    reading = ub.read(moved / out.name)
    assert [f.message for f in reading.findings if "sidecar" in f.message or f.severity != "info"] == []
    assert reading.robot is not None
    mesh = reading.robot.link("a").visuals[0].geometry
    assert isinstance(mesh, MeshFile)
    assert mesh.path
