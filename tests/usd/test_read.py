"""What is read of small stages, each about one fact."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import pytest

import unibody as ub
from unibody.document.values import to_numbers
from unibody.files.access import MemoryFiles
from unibody.files.embedded import embedded_data
from unibody.formats.loader import Reading, read
from unibody.formats.usd.composition.package import packed
from unibody.model import shape as s
from unibody.model.robot import Robot
from unibody.text.node import Node, Row, Word

HEAD = """#usda 1.0
(
    defaultPrim = "r"
    metersPerUnit = {meters}
    kilogramsPerUnit = {kilograms}
    upAxis = "{up}"
)
"""
MASS = "float physics:mass = 2\n float3 physics:diagonalInertia = (1, 2, 2.5)\n"


def body(name: str, content: str = MASS, at: str = "", schemas: str = "") -> str:
    """A rigid body."""
    apis = f'["PhysicsRigidBodyAPI", "PhysicsMassAPI"{schemas}]'
    place = f'double3 xformOp:translate = {at}\n uniform token[] xformOpOrder = ["xformOp:translate"]\n'
    return f'def Xform "{name}" (prepend apiSchemas = {apis}) {{\n {place if at else ""}{content}\n}}\n'


def joint(kind: str, a: str, b: str, content: str = "", name: str = "j", schemas: str = "") -> str:
    """A joint between two bodies, "" for the world."""
    sides = "".join(f"rel physics:body{k} = </r/{x}>\n" for k, x in enumerate((a, b)) if x)
    apis = f"(prepend apiSchemas = [{schemas}])" if schemas else ""
    return f'def Physics{kind}Joint "{name}" {apis} {{\n {sides}{content}\n}}\n'


def stage(*parts: str, meters: float = 1, kilograms: float = 1, up: str = "Z") -> str:
    """A stage with these prims in its default prim."""
    return (
        HEAD.format(meters=meters, kilograms=kilograms, up=up) + f'def Xform "r" {{\n{"".join(parts)}}}\n'
    )


def robot(*parts: str, **units: object) -> Robot:
    """The robot of a stage."""
    return ub.loads(stage(*parts, **units))  # type: ignore[arg-type]


def of_files(files: Mapping[str, str], path: str = "r.usda") -> Reading:
    """The reading of a stage of several layers."""
    return read(path, files=MemoryFiles({name: text.encode() for name, text in files.items()}))


ROOT = ', "PhysicsArticulationRootAPI"'
ALONG_Z = 'uniform token physics:axis = "Z"\n'


@pytest.mark.slow
def test_limits_of_hinges_are_degrees_and_those_of_slides_lengths() -> None:
    made = robot(
        body("a", schemas=ROOT),
        body("b"),
        body("c"),
        joint("Revolute", "a", "b", "float physics:lowerLimit = -90\n float physics:upperLimit = 45\n"),
        joint("Prismatic", "a", "c", "float physics:upperLimit = 50", name="k"),
        meters=0.01,
    )
    hinge, slide = made.joints
    assert hinge.limits.position == pytest.approx((-math.pi / 2, math.pi / 4))
    assert slide.limits.position == (-math.inf, 0.5)
    assert hinge.axis == (1.0, 0.0, 0.0)


@pytest.mark.slow
def test_a_joint_whose_child_is_body0_runs_backwards() -> None:
    made = robot(
        body("a", schemas=ROOT),
        body("b"),
        joint("Revolute", "b", "a", "float physics:lowerLimit = -10\n float physics:upperLimit = 30\n"),
    )
    (hinge,) = made.joints
    assert (hinge.parent, hinge.child) == ("a", "b")
    assert hinge.limits.position == pytest.approx((math.radians(-30), math.radians(10)))


@pytest.mark.slow
def test_the_stage_is_the_initial_configuration() -> None:
    made = robot(
        body("a", schemas=ROOT),
        body("b", at="(0, 0, 0.7)"),
        joint(
            "Prismatic",
            "a",
            "b",
            'uniform token physics:axis = "Z"\n point3f physics:localPos0 = (0, 0, 0.5)',
        ),
    )
    (slide,) = made.joints
    assert slide.initial == pytest.approx(0.2)
    assert slide.origin.xyz == (0.0, 0.0, 0.5)


@pytest.mark.slow
def test_a_link_is_moved_to_the_joint_that_turns_it() -> None:
    made = robot(
        body("a", schemas=ROOT),
        body("b", MASS + "point3f physics:centerOfMass = (1, 0, 0)\n", at="(0, 1, 0)"),
        joint(
            "Revolute",
            "a",
            "b",
            "point3f physics:localPos0 = (0, 0.5, 0)\n point3f physics:localPos1 = (0, -0.5, 0)",
        ),
    )
    assert made.joints[0].origin.xyz == (0.0, 0.5, 0.0)
    assert made.links[1].inertial is not None
    assert made.links[1].inertial.com == pytest.approx((1.0, 0.5, 0.0))
    assert made.frame("b").pose.xyz == (0.0, 0.5, 0.0)


@pytest.mark.slow
def test_units_and_the_up_axis() -> None:
    cube = 'def Cube "c" (prepend apiSchemas = ["PhysicsCollisionAPI"]) {\n double size = 20\n}\n'
    made = robot(body("a", cube, at="(0, 100, 0)"), meters=0.01, kilograms=0.001, up="Y")
    assert made.pose.apply((0.0, 0.0, 0.0)) == pytest.approx((0.0, 0.0, 1.0))
    assert made.links[0].collisions[0].geometry == s.Box(size=(0.2, 0.2, 0.2))
    assert made.mass == pytest.approx(8.0)  # 1000 kg/m³, whatever the units


@pytest.mark.slow
def test_masses_have_sentinels_and_axes() -> None:
    turned = MASS + "quatf physics:principalAxes = (0.70710678, 0, 0, 0.70710678)\n"
    inertial = robot(body("a", turned)).links[0].inertial
    assert inertial is not None
    assert inertial.inertia[0][0] == pytest.approx(2.0)
    assert inertial.inertia[1][1] == pytest.approx(1.0)


@pytest.mark.slow
def test_the_density_of_a_collider_comes_before_that_of_its_body() -> None:
    cube = 'def Cube "c" (prepend apiSchemas = ["PhysicsCollisionAPI", "PhysicsMassAPI"]) {\n'
    cube += "double size = 1\n"
    made = robot(body("a", "float physics:density = 10\n" + cube + " float physics:density = 500\n}\n"))
    assert made.mass == pytest.approx(500.0)


@pytest.mark.slow
def test_a_scale_stretches_shapes_and_frames() -> None:
    sphere = 'def Sphere "s" {\n double radius = 1\n}\n'
    scaled = 'double3 xformOp:scale = (1, 2, 3)\n uniform token[] xformOpOrder = ["xformOp:scale"]\n'
    made = robot(
        body("a", MASS + scaled + sphere, schemas=ROOT),
        body("b", at="(0, 2, 0)"),
        joint("Fixed", "a", "b", "point3f physics:localPos0 = (0, 1, 0)"),
    )
    assert made.links[0].visuals[0].geometry == s.Ellipsoid(radii=(1.0, 2.0, 3.0))
    assert made.joints[0].origin.xyz == (0.0, 2.0, 0.0)


@pytest.mark.slow
def test_a_free_choice_of_axes() -> None:
    locked = "".join(
        f"float limit:{x}:physics:low = 1\n float limit:{x}:physics:high = -1\n"
        for x in ("transX", "transY", "transZ", "rotX")
    )
    names = ", ".join(f'"PhysicsLimitAPI:{x}"' for x in ("transX", "transY", "transZ", "rotX"))
    made = robot(body("a", schemas=ROOT), body("b"), joint("", "a", "b", locked, schemas=names))
    (both,) = made.joints
    assert (both.kind, both.axis, both.axis2) == ("universal", (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    made = robot(
        body("a", schemas=ROOT),
        body("b"),
        joint(
            "",
            "a",
            "b",
            locked + "float limit:rotY:physics:low = -30\n",
            schemas=names + ', "PhysicsLimitAPI:rotY"',
        ),
    )
    assert [(j.name, j.kind, j.child) for j in made.joints] == [
        ("j_rotY", "revolute", "b_j_rotY"),
        ("j_rotZ", "revolute", "b"),
    ]


@pytest.mark.slow
def test_a_loop_is_closed_by_the_joint_that_says_so() -> None:
    made = robot(
        body("a", schemas=ROOT),
        body("b"),
        joint("Revolute", "a", "b", "bool physics:excludeFromArticulation = 1", name="close"),
        joint("Revolute", "a", "b"),
    )
    assert [j.name for j in made.joints] == ["j"]
    assert [(loop.name, loop.holds) for loop in made.loops] == [("close", made.loops[0].holds)]


@pytest.mark.slow
def test_signs_of_newtons_and_physxs_followers() -> None:
    parts = (body("a", schemas=ROOT), body("b"), body("c"), joint("Revolute", "a", "b"))
    newton = "rel newton:mimicJoint = </r/j>\n float newton:mimicCoef1 = 2\n float newton:mimicCoef0 = 90\n"
    made = robot(*parts, joint("Revolute", "a", "c", newton, name="k", schemas='"NewtonMimicAPI"'))
    (coupling,) = made.couplings
    assert coupling.ratio == 2.0
    assert coupling.offset == pytest.approx(math.pi / 2)
    physx = "float physxMimicJoint:rotX:gearing = 2\n rel physxMimicJoint:rotX:referenceJoint = </r/j>\n"
    made = robot(*parts, joint("Revolute", "a", "c", physx, name="k", schemas='"PhysxMimicJointAPI:rotX"'))
    assert made.couplings[0].ratio == -2.0


@pytest.mark.slow
def test_the_base_is_held_by_a_joint_to_the_world() -> None:
    assert robot(body("a", schemas=ROOT)).base == "free"
    assert robot(body("a"), joint("Fixed", "", "a")).base == "fixed"
    made = robot(body("a"), joint("Revolute", "", "a"))
    assert (made.root, made.joints[0].child, made.base) == ("world", "a", "fixed")


@pytest.mark.slow
def test_what_stands_around_and_what_is_hidden() -> None:
    guide = '{\n uniform token purpose = "guide"\n}\n'
    floor = 'def Plane "floor" (prepend apiSchemas = ["PhysicsCollisionAPI"]) ' + guide
    made = robot(floor, body("a"))
    assert made.surroundings is not None
    assert made.surroundings.visuals == ()
    assert made.surroundings.collisions[0].geometry == s.Plane(half_size=None)


@pytest.mark.slow
def test_meshes_mirrored_and_of_several_materials() -> None:
    mesh = """def Mesh "m" (prepend apiSchemas = ["MaterialBindingAPI"]) {
 int[] faceVertexCounts = [3, 3]
 int[] faceVertexIndices = [0, 1, 2, 0, 2, 3]
 point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
 uniform token subdivisionScheme = "none"
 double3 xformOp:scale = (-1, 1, 1)
 uniform token[] xformOpOrder = ["xformOp:scale"]
 color3f[] primvars:displayColor = [(1, 0, 0)]
 def GeomSubset "half" (prepend apiSchemas = ["MaterialBindingAPI"]) {
  uniform token elementType = "face"
  uniform token familyName = "materialBind"
  int[] indices = [1]
  rel material:binding = </r/green>
 }
}
"""
    green = """def Material "green" {
 token outputs:surface.connect = </r/green/s.outputs:surface>
 def Shader "s" {
  uniform token info:id = "UsdPreviewSurface"
  color3f inputs:diffuseColor = (0, 1, 0)
  float inputs:opacity = 0.25
  token outputs:surface
 }
}
"""
    first, second = robot(green, body("a", MASS + mesh)).links[0].visuals
    assert first.material is not None
    assert (first.material.name, first.material.diffuse) == ("green", (0.0, 1.0, 0.0))
    assert first.material.transparency == 0.75
    assert second.material is not None
    assert second.material.diffuse == (1.0, 0.0, 0.0)
    assert isinstance(second.geometry, s.Mesh)
    corners = [second.pose.apply(tuple(second.geometry.vertices[k : k + 3])) for k in (0, 3, 6)]
    assert sorted(x for x, _, _ in corners) == [-1.0, -1.0, 0.0]
    assert second.geometry.ccw is False


def test_layers_are_composed_and_found_in_their_text() -> None:
    part = stage(body("a", "")).replace('"r"', '"part"')
    files = {
        "r.usda": stage(
            'def "x" (references = @./parts/part.usda@</part/a>) {\n float physics:mass = 5\n}\n'
        ),
        "parts/part.usda": part,
    }
    reading = of_files(files)
    assert reading.robot is not None
    assert reading.robot.links[0].name == "x"
    assert reading.robot.mass == 5.0
    assert reading.opened == {"r.usda", "parts/part.usda"}
    (finding,) = [f for f in reading.findings if f.code == "inertia-unstated"]
    assert finding.at is not None
    assert (finding.at.source.name, finding.at.text[:7]) == ("r.usda", 'def "x"')


@pytest.mark.slow
def test_copies_and_variants() -> None:
    files = {
        "r.usda": stage(
            body("a", MASS + 'def "one" (instanceable = true\n references = @part.usda@) {\n}\n'),
            'def Xform "v" (variants = {string size = "big"}\n prepend variantSets = "size") {\n'
            ' variantSet "size" = {\n  "big" {\n   def Cube "c" {\n double size = 3\n}\n  }\n }\n}\n',
        ),
        "part.usda": '#usda 1.0\n(defaultPrim = "p")\ndef Xform "p" {\n def Sphere "s" {\n }\n}\n',
    }
    made = of_files(files)
    assert made.robot is not None
    assert made.robot.links[0].visuals[0].geometry == s.Sphere(radius=1.0)
    assert made.robot.surroundings is not None
    assert made.robot.surroundings.visuals[0].geometry == s.Box(size=(3.0, 3.0, 3.0))
    assert "size = big" in str([f for f in made.findings if f.code == "variants-selected"])


@pytest.mark.slow
def test_sensors_sites_and_lights() -> None:
    things = """def Camera "eye" {
 float focalLength = 10
 float horizontalAperture = 20
 float verticalAperture = 20
}
def Sphere "tip" (prepend apiSchemas = ["NewtonSiteAPI"]) {
 double3 xformOp:translate = (0, 0, 1)
 uniform token[] xformOpOrder = ["xformOp:translate"]
}
def IsaacImuSensor "imu" {
}
def DistantLight "sun" {
}
"""
    made = robot(body("a", MASS + things))
    assert made.device("eye").spec.field_of_view == pytest.approx(math.pi / 2)  # type: ignore[union-attr]
    assert [d.spec.kind for d in made.devices] == ["camera", "IMU", "directional light"]
    assert made.frame("tip").pose.xyz == (0.0, 0.0, 1.0)
    assert made.links[0].visuals == ()


@pytest.mark.slow
def test_pairs_that_do_not_collide() -> None:
    cube = 'def Cube "c" (prepend apiSchemas = ["PhysicsCollisionAPI"]) {\n}\n'
    far = body("c", MASS + cube, schemas=', "PhysicsFilteredPairsAPI"').replace(
        MASS, MASS + "rel physics:filteredPairs = </r/a>\n"
    )
    made = robot(
        body("a", MASS + cube, schemas=ROOT),
        body("b"),
        far,
        joint("Revolute", "a", "b"),
        joint("Revolute", "b", "c", name="k"),
    )
    assert made.self_collision.disabled == (("a", "c"),)


@pytest.mark.slow
def test_a_pair_of_bodies_says_nothing_of_the_bodies_below_them() -> None:
    cube = 'def Cube "g" (prepend apiSchemas = ["PhysicsCollisionAPI"]) {\n}\n'
    inner = body("c", MASS + cube, schemas=', "PhysicsFilteredPairsAPI"').replace(
        MASS, MASS + "rel physics:filteredPairs = </r/a>\n"
    )
    made = robot(
        body("a", MASS + cube + inner, schemas=ROOT),
        body("b", MASS + cube),
        joint("Revolute", "a", "a/c"),
        joint("Revolute", "a/c", "b", name="k"),
    )
    assert made.self_collision.disabled == (("a", "c"),)


@pytest.mark.slow
def test_a_binary_stage_is_the_same_robot(tmp_path: Path) -> None:
    from pxr import Sdf

    text = stage(body("a", schemas=ROOT), body("b"), joint("Revolute", "a", "b"))
    (tmp_path / "r.usda").write_text(text)
    layer = Sdf.Layer.FindOrOpen(str(tmp_path / "r.usda"))
    layer.Export(str(tmp_path / "r.usdc"))
    layer.Export(str(tmp_path / "r.usd"))
    made = ub.load(tmp_path / "r.usda")
    for name in ("r.usdc", "r.usd"):
        assert ub.diff(made, ub.load(tmp_path / name)) == []


def test_without_openusd_the_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unibody.formats.usd.composition.compose.packages", lambda: "")
    (finding,) = of_files({"r.usda": stage(body("a"))}).findings
    assert "pip install" in finding.message
    assert "[usd]" in finding.message


@pytest.mark.slow
def test_a_joint_that_holds_nothing_is_free_and_one_with_limits_is_a_chain() -> None:
    locked = [
        f"float limit:trans{a}:physics:low = 1\n float limit:trans{a}:physics:high = -1\n" for a in "XYZ"
    ]
    slides = ", ".join(f'"PhysicsLimitAPI:trans{a}"' for a in "XYZ")
    bound = "float limit:transX:physics:low = -1\n float limit:transX:physics:high = 1\n"
    made = robot(
        *(body(name, schemas=ROOT if name == "a" else "") for name in "abcd"),
        joint("", "a", "b", name="float"),
        joint("", "b", "c", "".join(locked), name="ball", schemas=slides),
        joint("", "c", "d", bound, name="six", schemas='"PhysicsLimitAPI:transX"'),
    )
    assert [j.kind for j in made.joints[:2]] == ["free", "ball"]
    assert [j.kind for j in made.joints[2:]] == ["prismatic"] * 3 + ["revolute"] * 3
    assert made.joint("six_transX").limits.position == (-1.0, 1.0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "gravity"),
    [
        ("", None),
        ("float physics:gravityMagnitude = 162", (0.0, 0.0, -1.62)),
        ("vector3f physics:gravityDirection = (0, 0, -2)", (0.0, 9.81, 0.0)),
        (
            "vector3f physics:gravityDirection = (3, 0, 4)\n float physics:gravityMagnitude = 100",
            (0.6, -0.8, 0.0),
        ),
    ],
)
def test_the_gravity_of_the_scene(content: str, gravity: tuple[float, float, float] | None) -> None:
    scene = f'def PhysicsScene "scene" {{\n {content}\n}}\n'
    found = robot(body("a"), scene, meters=0.01, up="Y").gravity
    assert found == (None if gravity is None else pytest.approx(gravity, abs=1e-7))


@pytest.mark.slow
def test_what_stands_on_the_world_and_colors_of_points() -> None:
    site = 'def Sphere "door" (prepend apiSchemas = ["NewtonSiteAPI"]) {\n double radius = 0.01\n}\n'
    lamp = 'def SphereLight "lamp" { }\n'
    mesh = """def Mesh "m" {
        int[] faceVertexCounts = [3]
        int[] faceVertexIndices = [0, 1, 2]
        point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
        color3f[] primvars:displayColor = [(1, 0, 0), (0, 1, 0), (0, 0, 1)] (interpolation = "vertex")
    }
    """
    made = robot(body("a", MASS + mesh), site, lamp)
    assert [(x.name, x.link) for x in made.frames] == [("door", "world")]
    assert [(x.name, x.link) for x in made.devices] == [("lamp", "world")]
    (shape,) = made.links[0].visuals
    assert shape.material is None
    assert isinstance(shape.geometry, s.Mesh)
    assert len(shape.geometry.colors) == 9


@pytest.mark.slow
def test_what_the_model_holds_of_a_joint_is_not_kept() -> None:
    values = "float newton:armature = 0.5\n float newton:limitStiffness = 7\n"
    drive = "float drive:angular:physics:maxForce = 3"
    schemas = '"NewtonJointAPI", "PhysicsDriveAPI:angular"'
    made = robot(
        body("a", schemas=ROOT), body("b"), joint("Revolute", "a", "b", values + drive, schemas=schemas)
    )
    assert made.joint("j").limits.effort == (-3, 3)
    kept = [item for extra in made.extras for item in extra.node.items]
    assert [key for key, _, _ in kept] == ["NewtonJointAPI"]
    assert [key for key, _, _ in kept[0][1].items] == ["newton:limitStiffness"]  # type: ignore[union-attr]


@pytest.mark.parametrize("turned", [False, True])
def test_joints_that_add_mobility_turn_about_points_of_their_own(turned: bool) -> None:
    bodies = ("b", "a") if turned else ("a", "b")
    ends = (
        ("physics:localPos1", "physics:localPos0") if turned else ("physics:localPos0", "physics:localPos1")
    )
    points = {"first": 1.0, "second": 0.5}
    joints = [
        joint("Revolute", *bodies, "\n".join(f"point3f {end} = (0, 0, {z})" for end in ends), name)
        for name, z in points.items()
    ]
    adds = "bool newton:jointsAddMobility = true\n"
    apis = f'{ROOT}, "NewtonArticulationRootAPI"'
    made = robot(body("a", MASS + adds, schemas=apis), body("b"), *joints)
    first, second = made.joints
    assert (first.parent, second.child) == ("a", "b")
    assert first.origin.xyz == (0.0, 0.0, 1.0)
    assert second.origin.xyz == (0.0, 0.0, -0.5)
    inertial = made.link("b").inertial
    assert inertial is not None
    assert inertial.com == (0.0, 0.0, -0.5)


@pytest.mark.parametrize("bottom", ["0, 3, 2, 1", "0, 1, 2, 3"])
@pytest.mark.parametrize("approximation", ["none", "convexHull", "convexDecomposition"])
def test_a_mesh_weighs_what_it_encloses(bottom: str, approximation: str) -> None:
    # a cube of 1 m with a pyramid of 0.99 m pressed into its top; a face may be turned
    faces = f"{bottom}, 0, 1, 5, 4, 1, 2, 6, 5, 2, 3, 7, 6, 3, 0, 4, 7, 4, 5, 8, 5, 6, 8, 6, 7, 8, 7, 4, 8"
    corners = "(0,0,0), (1,0,0), (1,1,0), (0,1,0), (0,0,1), (1,0,1), (1,1,1), (0,1,1), (0.5,0.5,0.01)"
    mesh = f"""def Mesh "m" (prepend apiSchemas = ["PhysicsCollisionAPI", "PhysicsMeshCollisionAPI"]) {{
    uniform token physics:approximation = "{approximation}"
    uniform token subdivisionScheme = "none"
    int[] faceVertexCounts = [4, 4, 4, 4, 4, 3, 3, 3, 3]
    int[] faceVertexIndices = [{faces}]
    point3f[] points = [{corners}]
}}
"""
    inertial = robot(body("a", mesh)).links[0].inertial
    assert inertial is not None
    assert inertial.mass == pytest.approx(670.0)
    assert inertial.com == pytest.approx((0.5, 0.5, (500.0 - 330.0 * 0.7525) / 670.0))


def test_gains_are_kept_in_si_units_and_forward() -> None:
    def gains(a: str, b: str, meters: float) -> dict[str, float]:
        drive = """float drive:linear:physics:stiffness = 5
            float drive:linear:physics:damping = 0.5
            float drive:linear:physics:targetPosition = 12
            float drive:linear:physics:targetVelocity = 3
            float physics:breakForce = 8
        """
        slide = joint("Prismatic", a, b, drive, schemas='"PhysicsDriveAPI:linear"')
        made = robot(body("a", schemas=ROOT), body("b"), slide, meters=meters, kilograms=2)
        (extra,) = (x for x in made.extras if x.owner == "joints/j")
        node = extra.node.get("PhysicsDriveAPI")
        assert isinstance(node, Node)
        items = [*node.items, *extra.node.items]
        words = {k.partition(":")[2]: v.text for k, v, _ in items if isinstance(v, Word) and ":" in k}
        return {name: float(text) for name, text in words.items()}

    forward = {
        "stiffness": 10.0,
        "damping": 1.0,
        "targetPosition": 6.0,
        "targetVelocity": 1.5,
        "breakForce": 8.0,
    }
    assert gains("a", "b", 0.5) == forward
    assert gains("b", "a", 0.5) == {**forward, "targetPosition": -6.0, "targetVelocity": -1.5}


ROPE = """def PhysicsDistanceJoint "rope" {
    rel physics:body0 = </r/a>
    rel physics:body1 = </r/c>
    point3f physics:localPos0 = (1, 0, 0)
    point3f physics:localPos1 = (0, 0, 2)
    float physics:maxDistance = 5
}
def MjcActuator "pull" {
    rel mjc:target = </r/j>
    uniform double[] mjc:gainPrm = [3]
}
"""


def test_ropes_and_actuators_are_kept_by_what_they_hold() -> None:
    turn = joint("Revolute", "a", "c", "point3f physics:localPos1 = (0, 0, 1)")
    made = robot(body("a", schemas=ROOT), body("c"), turn, ROPE, meters=0.5)
    (kept,) = (x for x in made.extras if not x.owner)
    rope, pull = (value for _, value, _ in kept.node.items if isinstance(value, Node))
    assert {key: value for key, value, _ in rope.items} == {
        "displayName": Word("rope"),
        "physics:body0": Row([Word("links/a")]),
        "physics:localPos0": to_numbers((0.5, 0.0, 0.0)),
        "physics:body1": Row([Word("links/c")]),
        # from the joint above, where the frame of the link is
        "physics:localPos1": to_numbers((0.0, 0.0, 0.5)),
        "physics:maxDistance": Word("2.5"),
    }
    assert pull.get("mjc:target") == Row([Word("joints/j")])
    again = ub.loads(ub.dumps(made, format="usd"), format="usd")
    assert ub.diff(made, again) == []


# --- images -------------------------------------------------------------------------------

PNG = b"\x89PNG\r\n\x1a\n"


def textured(file: str) -> str:
    """A body whose look has an image."""
    look = f"""def Material "M" {{
    token outputs:surface.connect = </r/M/S.outputs:surface>
    def Shader "S" {{
        uniform token info:id = "UsdPreviewSurface"
        color3f inputs:diffuseColor.connect = </r/M/T.outputs:rgb>
    }}
    def Shader "T" {{
        uniform token info:id = "UsdUVTexture"
        asset inputs:file = @{file}@
    }}
}}
"""
    axes = "quatf physics:principalAxes = (1, 0, 0, 0)\n"
    bound = 'prepend apiSchemas = ["MaterialBindingAPI"]'
    cube = f'def Cube "c" ({bound}) {{\nrel material:binding = </r/M>\n}}\n'
    return stage(look, body("a", MASS + axes + cube))


def image_of(reading: Reading) -> s.Texture | None:
    """The image of the look, and of nothing else."""
    assert reading.robot is not None
    material = reading.robot.links[0].visuals[0].material
    assert material is not None
    return material.texture


@pytest.mark.parametrize("inner", ["look.png", "./images/look.png"])
def test_images_in_packages_are_data(inner: str) -> None:
    package = packed({"r.usda": textured(inner).encode(), inner.removeprefix("./"): PNG})
    other = HEAD.format(meters=1, kilograms=1, up="Z") + 'def "r" (references = @parts/r.usdz@) {}'
    files = MemoryFiles({"r.usdz": package, "parts/r.usdz": package, "o.usda": other.encode()})
    for path in ("r.usdz", "o.usda"):
        reading = read(path, files=files)
        assert [f.code for f in reading.findings if f.severity != "info"] == []
        image = image_of(reading)
        assert image is not None
        assert embedded_data(image.uri) == PNG, path


def test_an_image_that_a_package_lacks_has_a_finding() -> None:
    files = MemoryFiles({"r.usdz": packed({"r.usda": textured("look.png").encode()})})
    reading = read("r.usdz", files=files)
    assert [f.code for f in reading.findings if f.severity == "warning"] == ["texture-not-read"]
    assert image_of(reading) is None


def test_the_first_tile_is_read() -> None:
    tiles = {"look.1002.png": PNG, "look.1011.png": PNG}
    text = textured("./look.<UDIM>.png").encode()
    reading = read("r.usda", files=MemoryFiles({"r.usda": text, **tiles}))
    image = image_of(reading)
    assert image is not None
    assert (image.uri, image.path) == ("look.1002.png", "look.1002.png")
    assert [f.code for f in reading.findings if f.severity == "warning"] == ["texture-not-read"]
    reading = read("r.usdz", files=MemoryFiles({"r.usdz": packed({"r.usda": text, **tiles})}))
    image = image_of(reading)
    assert image is not None
    assert embedded_data(image.uri) == PNG
    reading = read("r.usda", files=MemoryFiles({"r.usda": text}))
    assert image_of(reading) is None
