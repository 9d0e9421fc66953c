"""What is written as USD: layers, names, frames of joints, masses, loops, drives, and what is read back."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.usd.physics import deviations, placements

import unibody as ub
from unibody.files.embedded import embedded_data
from unibody.formats.usd.write import from_robot
from unibody.formats.usd.write_layers import single
from unibody.formats.usd.write_lowered import changes
from unibody.meshes.write_png import write_png
from unibody.model.device import Camera, Device, Imu
from unibody.model.inertia import Inertial
from unibody.model.pose import Pose, from_rpy
from unibody.model.robot import (
    BALL,
    PISTON,
    Actuator,
    Coupling,
    Dynamics,
    Frame,
    Joint,
    Limits,
    Link,
    Loop,
    Robot,
    SelfCollision,
)
from unibody.model.shape import Box, Ellipsoid, Material, Mesh, Shape, Sphere, Texture
from unibody.text.usda.layer import Attribute, Layer, Prim, Relationship, Typed
from unibody.text.usda.printer import print_layer

ROD = Inertial(
    mass=2.0, com=(0.0, 0.1, 0.0), inertia=((0.3, 0.02, 0.0), (0.02, 0.2, 0.01), (0.0, 0.01, 0.4))
)
SKEW = (0.36, 0.48, 0.8)


def arm(**more: Any) -> Robot:
    """A turn about a skew axis, a slide along −Y that starts pushed out, and a ball joint."""
    ball = (Shape(geometry=Sphere(radius=0.1)),)
    links = tuple(
        Link(name=n, inertial=ROD, collisions=ball) for n in ("base", "upper arm", "fore", "hand")
    )
    turn = Joint(
        name="turn",
        kind="revolute",
        parent="base",
        child="upper arm",
        origin=Pose((0.1, 0.2, 0.5), from_rpy(0.3, 0.2, 0.1)),
        axis=SKEW,
        limits=Limits(position=(-1.5, 2.5), velocity=(-3.0, 3.0), effort=(-40.0, 50.0)),
        dynamics=Dynamics(damping=0.2, friction=0.1, stiffness=4.0, rest=0.5),
        actuator=Actuator(axis_inertia=0.01),
        initial=0.25,
    )
    slide = Joint(
        name="slide",
        kind="prismatic",
        parent="upper arm",
        child="fore",
        origin=Pose((0.0, 0.0, 0.3)),
        axis=(0.0, -1.0, 0.0),
        limits=Limits(position=(0.0, 0.4)),
        initial=0.125,
    )
    wrist = Joint(name="wrist", kind="ball", parent="fore", child="hand", origin=Pose((0.0, 0.2, 0.0)))
    return Robot(name="arm 1", links=links, joints=(turn, slide, wrist), **{"base": "fixed", **more})


def stage_of(robot: Robot) -> Any:
    """The stage of a robot, opened by OpenUSD from one text."""
    from pxr import Usd

    layer = Usd.Stage.CreateInMemory()
    assert layer.GetRootLayer().ImportFromString(
        single(from_robot(changes(robot)), lambda texture: texture.uri)
    )
    return layer


def test_opens_in_openusd_with_masses_frames_and_limits(tmp_path: Path) -> None:
    path = tmp_path / "arm.usda"
    ub.save(arm(), path)
    assert sorted(p.name for p in (tmp_path / "arm.usda_files").iterdir()) == [
        "Contents.usda",
        "Geometry.usda",
        "Physics.usda",
    ]
    lowered = changes(arm())
    assert list(deviations(str(path), lowered, placements(lowered))) == []


def test_values_of_a_joint_have_the_units_of_their_schemas() -> None:
    stage = stage_of(arm())
    prim = stage.GetPrimAtPath("/arm_1/Physics/turn")
    degree = math.radians(1.0)

    def value(name: str) -> float:
        return float(prim.GetAttribute(name).Get())

    assert value("physics:lowerLimit") * degree == pytest.approx(-1.5)
    assert value("drive:angular:physics:maxForce") == 40.0
    assert value("mjc:actuatorfrcrange:max") == 50.0
    assert value("newton:velocityLimit") * degree == pytest.approx(3.0)
    assert value("physxJoint:maxJointVelocity") * degree == pytest.approx(3.0)
    assert value("newton:damping") / degree == pytest.approx(0.2)
    assert value("newton:armature") == pytest.approx(0.01)
    assert value("mjc:stiffness") == 4.0
    assert value("mjc:springref") * degree == pytest.approx(0.5)


def test_reads_back_with_nothing_unexplained(tmp_path: Path) -> None:
    robot = arm(
        loops=(
            Loop(name="rod", link_a="base", link_b="hand", pose_b=Pose((0.0, 0.1, 0.0)), holds=BALL),
            Loop(name="guide", link_a="base", link_b="fore", axis=(1.0, 0.0, 0.0), holds=PISTON),
        ),
        couplings=(Coupling(joint="slide", leader="turn", ratio=0.1, offset=0.02),),
        frames=(Frame(name="tip", link="hand", pose=Pose((0.0, 0.0, 0.1))),),
        devices=(
            Device(name="eye", link="hand", spec=Camera(width=320, height=240, field_of_view=0.8)),
            Device(name="imu", link="base", spec=Imu()),
        ),
        self_collision=SelfCollision(disabled=(("base", "hand"),)),
    )
    report = ub.save(robot, tmp_path / "arm.usda")
    assert [loss.path for loss in report.losses if loss.row is None] == []
    assert all(loss.carried for loss in report.losses)
    assert ub.diff(robot, ub.load(tmp_path / "arm.usda")) == []


def test_a_mimic_joint_has_the_sign_of_each_schema() -> None:
    both = replace(arm(), couplings=(Coupling(joint="slide", leader="turn", ratio=0.5, offset=0.02),))
    stage = stage_of(both)
    prim = stage.GetPrimAtPath("/arm_1/Physics/slide")
    assert prim.GetAttribute("newton:mimicCoef1").Get() == 0.5
    assert prim.GetAttribute("newton:mimicCoef0").Get() == pytest.approx(0.02)
    # q + gearing · q of the leader, in degrees, + offset = 0
    assert prim.GetAttribute("physxMimicJoint:rotY:gearing").Get() == pytest.approx(-math.radians(0.5))
    assert prim.GetAttribute("physxMimicJoint:rotY:offset").Get() == pytest.approx(-0.02)


def test_loops_are_no_part_of_the_articulation() -> None:
    looped = replace(arm(), loops=(Loop(name="guide", link_a="base", link_b="hand", holds=PISTON),))
    stage = stage_of(looped)
    prim = stage.GetPrimAtPath("/arm_1/Physics/guide")
    assert prim.GetTypeName() == "PhysicsJoint"
    assert prim.GetAttribute("physics:excludeFromArticulation").Get()
    held = {name for name in prim.GetAppliedSchemas() if name.startswith("PhysicsLimitAPI")}
    assert held == {f"PhysicsLimitAPI:{name}" for name in ("transX", "transY", "rotX", "rotY")}


def test_the_base_is_a_joint_to_the_world_or_none() -> None:
    fixed, free = stage_of(arm()), stage_of(arm(base="free"))
    assert fixed.GetPrimAtPath("/arm_1/Physics/root_joint")
    assert not free.GetPrimAtPath("/arm_1/Physics/root_joint")
    roots = [p for p in free.Traverse() if "PhysicsArticulationRootAPI" in p.GetAppliedSchemas()]
    assert [str(p.GetPath()) for p in roots] == ["/arm_1/Geometry/base"]


@pytest.mark.slow
def test_a_root_that_is_the_world_is_no_body(tmp_path: Path) -> None:
    robot = arm()
    hold = Joint(name="hold", kind="revolute", parent="world", child="base", origin=Pose((0.0, 0.0, 1.0)))
    whole = replace(robot, links=(Link(name="world"), *robot.links), joints=(hold, *robot.joints))
    stage = stage_of(whole)
    assert not stage.GetPrimAtPath("/arm_1/Geometry/world")
    assert not stage.GetPrimAtPath("/arm_1/Physics/hold").GetRelationship("physics:body0").GetTargets()
    ub.save(whole, tmp_path / "arm.usda")
    assert ub.diff(whole, ub.load(tmp_path / "arm.usda")) == []


def test_names_that_are_no_names_of_prims_are_displayed() -> None:
    stage = stage_of(arm())
    prim = stage.GetPrimAtPath("/arm_1/Geometry/base/upper_arm")
    assert prim.GetMetadata("displayName") == "upper arm"


def test_zero_stands_for_nothing_that_the_robot_has() -> None:
    flat = Inertial(mass=1.0, inertia=((0.0, 0.0, 0.0), (0.0, 0.2, 0.0), (0.0, 0.0, 0.2)))
    robot = Robot(name="r", links=(Link(name="a"), Link(name="b", inertial=flat)))
    hold = Joint(name="j", kind="fixed", parent="a", child="b")
    stage = stage_of(replace(robot, joints=(hold,)))
    light, rod = stage.GetPrimAtPath("/r/Geometry/a"), stage.GetPrimAtPath("/r/Geometry/a/b")
    assert light.GetAttribute("physics:mass").Get() > 0.0
    assert min(light.GetAttribute("physics:diagonalInertia").Get()) > 0.0
    assert min(rod.GetAttribute("physics:diagonalInertia").Get()) > 0.0


def test_a_mesh_is_in_the_library_once(tmp_path: Path) -> None:
    from pxr import Usd

    tetra = Mesh(
        vertices=(0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
        faces=(0, 2, 1, -1, 0, 1, 3, -1, 1, 2, 3, -1, 0, 3, 2, -1),
    )
    shapes = (Shape(geometry=tetra), Shape(geometry=tetra, pose=Pose((2.0, 0.0, 0.0))))
    link = Link(name="a", inertial=ROD, visuals=shapes, collisions=shapes[:1])
    ub.save(Robot(name="r", links=(link,)), tmp_path / "r.usda")
    library = (tmp_path / "r.usda_files" / "GeometryLibrary.usda").read_text("utf-8")
    assert library.count("def Mesh") == 1
    stage = Usd.Stage.Open(str(tmp_path / "r.usda"))
    collision = stage.GetPrimAtPath("/r/Geometry/a/collision")
    assert len(collision.GetAttribute("points").Get()) == 4
    assert collision.GetAttribute("purpose").Get() == "guide"
    # where it is drawn, too, two equal meshes would be in one place
    assert collision.GetAttribute("visibility").Get() == "invisible"
    assert collision.GetAttribute("physics:approximation").Get() == "convexHull"
    assert len(collision.GetAttribute("normals").Get()) == 4


def test_what_collides_has_no_stretched_primitive() -> None:
    egg = Shape(geometry=Ellipsoid(radii=(0.1, 0.2, 0.3)))
    robot = Robot(name="r", links=(Link(name="a", inertial=ROD, visuals=(egg,)),))
    stage = stage_of(robot)
    prim = stage.GetPrimAtPath("/r/Geometry/a/visual")
    assert tuple(prim.GetAttribute("xformOp:scale").Get()) == (0.1, 0.2, 0.3)


def test_images_are_found_from_the_layer_that_names_them(tmp_path: Path) -> None:
    image = write_png((1, 1, 3, 255, 0, 0))
    assert image is not None
    (tmp_path / "red.png").write_bytes(image)
    texture = Texture(uri="red.png", path=str(tmp_path / "red.png"))
    red = Material(diffuse=(0.5, 0.25, 1.0), texture=texture)
    link = Link(name="a", inertial=ROD, visuals=(Shape(geometry=Sphere(radius=0.1), material=red),))
    (tmp_path / "out").mkdir()
    ub.save(Robot(name="r", links=(link,)), tmp_path / "out" / "r.usda")
    material = ub.load(tmp_path / "out" / "r.usda").links[0].visuals[0].material
    assert material is not None
    assert material.texture is not None
    assert Path(material.texture.path).read_bytes() == image
    assert material.diffuse == (0.5, 0.25, 1.0)


def test_a_link_that_does_not_collide_keeps_its_shapes(tmp_path: Path) -> None:
    ball = (Shape(geometry=Sphere(radius=0.1)),)
    links = (
        Link(name="a", inertial=ROD, collisions=ball, collides=False),
        Link(name="b", inertial=ROD, visuals=ball, collisions=ball, collides=False),
        Link(name="c", inertial=ROD, visuals=ball, collisions=ball),
    )
    joints = tuple(Joint(name=x, kind="fixed", parent=y, child=x) for y, x in ("ab", "bc"))
    ub.save(Robot(name="r", links=links, joints=joints), tmp_path / "r.usda")
    read = ub.load(tmp_path / "r.usda")
    found = [(x.name, len(x.visuals), len(x.collisions), x.collides) for x in read.links]
    assert found == [("a", 0, 1, False), ("b", 1, 1, False), ("c", 1, 1, True)]


def test_equal_materials_are_one_prim() -> None:
    red = Material(name="red", diffuse=(1.0, 0.0, 0.0), transparency=0.25)
    box = Shape(geometry=Box(size=(0.1, 0.2, 0.3)), material=red)
    stage = stage_of(Robot(name="r", links=(Link(name="a", inertial=ROD, visuals=(box, box)),)))
    (material,) = stage.GetPrimAtPath("/r/Materials").GetChildren()
    assert material.GetName() == "red"
    surface = material.GetChildren()[0]
    assert surface.GetAttribute("inputs:opacity").Get() == 0.75


@pytest.mark.slow
def test_drives_are_written_on_request(tmp_path: Path) -> None:
    from pxr import Usd

    ub.save(arm(), tmp_path / "arm.usda", drives="hold")
    stage = Usd.Stage.Open(str(tmp_path / "arm.usda"))
    prim = stage.GetPrimAtPath("/arm_1/Physics/turn")
    stiffness = prim.GetAttribute("drive:angular:physics:stiffness").Get()
    damping = prim.GetAttribute("drive:angular:physics:damping").Get()
    assert damping / stiffness == pytest.approx(0.1)
    target = prim.GetAttribute("drive:angular:physics:targetPosition").Get()
    assert math.radians(target) == pytest.approx(0.25)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["usdc", "usdz"])
def test_binary_files_say_the_same(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"arm.{suffix}"
    ub.save(arm(), path)
    lowered = changes(arm())
    assert list(deviations(str(path), lowered, placements(lowered))) == []
    assert ub.diff(arm(), ub.load(path)) == []


@pytest.mark.slow
def test_a_package_holds_its_images(tmp_path: Path) -> None:
    from pxr import Usd, UsdValidation

    image = write_png((1, 1, 3, 255, 0, 0)) or b""
    (tmp_path / "look.png").write_bytes(image)
    look = Material(name="look", texture=Texture(uri="look.png", path=str(tmp_path / "look.png")))
    box = Shape(geometry=Box(size=(0.1, 0.2, 0.3)), material=look)
    robot = Robot(name="r", links=(Link(name="a", inertial=ROD, visuals=(box,)),))
    ub.save(robot, tmp_path / "r.usdz", plain=True)
    (tmp_path / "look.png").unlink()
    stage = Usd.Stage.Open(str(tmp_path / "r.usdz"))
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    assert list(UsdValidation.ValidationContext(validators).Validate(stage)) == []
    held = ub.load(tmp_path / "r.usdz")
    for suffix in ("usdz", "usda"):
        ub.save(held, tmp_path / f"again.{suffix}", plain=True)
        material = ub.load(tmp_path / f"again.{suffix}").links[0].visuals[0].material
        assert material is not None
        assert material.texture is not None
        path = material.texture.path
        assert (Path(path).read_bytes() if path else embedded_data(material.texture.uri)) == image


@pytest.mark.slow
def test_what_a_stage_keeps_is_written_back(tmp_path: Path) -> None:
    ub.save(arm(), tmp_path / "arm.usda", plain=True)
    text = (tmp_path / "arm.usda_files" / "Physics.usda").read_text("utf-8")
    more = text.replace('PhysicsRevoluteJoint "turn"', 'PhysicsRevoluteJoint "turn"', 1).replace(
        "float newton:damping", "custom double arm:wear = 0.5\n            float newton:damping", 1
    )
    (tmp_path / "arm.usda_files" / "Physics.usda").write_text(more, "utf-8")
    ub.save(ub.load(tmp_path / "arm.usda"), tmp_path / "again.usda", plain=True)
    again = (tmp_path / "again.usda_files" / "Physics.usda").read_text("utf-8")
    assert "custom double arm:wear = 0.5" in again
    assert again.count("newton:damping") == text.count("newton:damping")


@pytest.mark.slow
def test_dumps_is_one_layer() -> None:
    text = ub.dumps(arm(), format="usd")
    assert text.startswith("#usda 1.0")
    assert ub.diff(arm(), ub.loads(text, format="usd")) == []


# --- the text -----------------------------------------------------------------------------


def test_the_text_says_what_the_layer_holds() -> None:
    from pxr import Sdf

    odd = "a \"b\" 'c' \\ \x01 é\nsecond\ttab"
    prim = Prim(
        "a", "Xform", schemas=["PhysicsMassAPI"], metadata={"customData": {"x y": Typed("string", odd)}}
    )
    prim.properties = [
        Attribute("float", "single", 0.1),
        Attribute("double", "double", 0.1),
        Attribute("float", "limit", math.inf),
        Attribute("int[]", "many", range(100)),
        Attribute("point3f[]", "points", [(0.1, 1e-7, 1e22)] * 40),
        Attribute("token[]", "none", []),
        Attribute("matrix4d", "matrix", ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0.5, 0, 0, 1))),
        Attribute("asset", "file", "./a@b.png"),
        Relationship("targets", ("/a/b", "/a/c")),
    ]
    layer = Sdf.Layer.CreateAnonymous(".usda")
    assert layer.ImportFromString(print_layer(Layer(prims=[prim])))
    spec = layer.GetPrimAtPath("/a")
    assert dict(spec.customData)["x y"] == odd

    def value(name: str) -> Any:
        return layer.GetAttributeAtPath(f"/a.{name}").default

    assert value("single") == pytest.approx(0.1, rel=1e-7)
    assert (value("double"), value("limit"), list(value("many"))) == (0.1, math.inf, list(range(100)))
    assert len(value("points")) == 40
    assert value("matrix").GetRow(3)[0] == 0.5
    assert value("file").path == "./a@b.png"
    assert [str(p) for p in spec.relationships["targets"].targetPathList.explicitItems] == ["/a/b", "/a/c"]


def test_a_text_with_a_zero_is_an_error() -> None:
    with pytest.raises(ValueError, match="zero"):
        print_layer(Layer(metadata={"doc": "a\0b"}))


def test_a_root_that_is_the_world_keeps_its_name(tmp_path: Path) -> None:
    """A body called world is the world if it stands in the origin; elsewhere it is a link."""
    shape = (Shape(geometry=Sphere(radius=0.1)),)
    links = (Link(name="world", inertial=ROD, collisions=shape), Link(name="world_link", inertial=ROD))
    joint = Joint(name="j", kind="revolute", parent="world", child="world_link")
    camera = Device(name="eye", link="world", spec=Camera())
    given = Robot(name="r", links=links, joints=(joint,), devices=(camera,))
    ub.save(given, tmp_path / "r.usda", plain=True)
    back = ub.load(tmp_path / "r.usda")
    assert [link.name for link in back.links] == ["world", "world_link"]
    assert [(j.parent, j.child) for j in back.joints] == [("world", "world_link")]
    assert back.devices[0].link == "world"
    ub.save(replace(given, pose=Pose((0.0, 0.0, 1.0)), base="free"), tmp_path / "free.usda", plain=True)
    names = [link.name for link in ub.load(tmp_path / "free.usda").links]
    assert "world" not in names
