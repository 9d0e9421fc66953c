"""What each format loses of the robots that have everything: measured, explained, and written down."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.convert.models import ROOT, neutral, whole, with_files
from tests.sampling import few

from unibody import attach, loads
from unibody.conversion.pipeline import save
from unibody.conversion.report import Report
from unibody.formats import FORMATS
from unibody.formats.format import Writer
from unibody.meshes.write_png import write_png
from unibody.model.device import Accelerometer, Camera, Device, Gyro, Imu, Opaque, RangeSensor
from unibody.model.facts import diff
from unibody.model.inertia import Inertial
from unibody.model.pose import Pose, from_rpy
from unibody.model.robot import (
    BALL,
    HINGE,
    Actuator,
    Configuration,
    Coupling,
    Dynamics,
    Extra,
    Frame,
    Group,
    Holds,
    Joint,
    Limits,
    Link,
    Loop,
    Robot,
    SelfCollision,
)
from unibody.model.scene import Scene
from unibody.model.shape import (
    Box,
    Contact,
    Ellipsoid,
    LineSet,
    Material,
    Mesh,
    MeshFile,
    Plane,
    Shape,
    Sphere,
    Texture,
    TextureTransform,
)
from unibody.text.node import Node, Row, Word

HERE = Path(__file__).parent
# All features, and beside them the odd values that a well-made robot does not have.
EVERYTHING = ("kitchen_sink", "corners")
WRITTEN = {f.name: (f.suffixes[0], f.writer()) for f in FORMATS if f.writer is not None}
SOURCES = {
    "body": "tests/formats/body/kitchen_sink.body",
    "urdf": "tests/formats/urdf/kitchen_sink.urdf",
    "mpk": "tests/formats/mpk/kitchen_sink.rob",
    "openhrp": "tests/formats/openhrp/kitchen_sink.wrl",
}
# An SRDF is about the robot of another file.
WHOLE = [f.name for f in FORMATS if f.writer is not None and not f.completes]
PAIRS = [(a, b) for a in ("neutral", *SOURCES) for b in WRITTEN]


PLY = """ply
format ascii 1.0
element vertex 3
property float x
property float y
property float z
element face 1
property list uchar int vertex_indices
end_header
0 0 0
0.5 0 0
0 0.25 0
3 0 1 2
"""
WRL = """#VRML V2.0 utf8
Shape { geometry IndexedFaceSet {
  coord Coordinate { point [0 0 0, 0.5 0 0, 0 0.25 0] } coordIndex [0 1 2 -1] } }
"""
# Of which some faces have normals.
OBJ = "v 0 0 0\nv 0.5 0 0\nv 0 0.25 0\nvn 0 0 1\nf 1//1 2//1 3//1\nf 1 3 2\n"
MATERIAL = "{ appearance Appearance { material Material { diffuseColor 1 0 0 } }"


def report(robot: Robot, name: str, folder: Path, plain: bool = False) -> Report:
    return save(robot, folder / f"model{WRITTEN[name][0]}", plain=plain)


def with_mesh_files(folder: Path) -> Robot:
    """A robot with mesh files that not everyone opens."""
    folder.mkdir(parents=True)
    shapes = []
    for name, text in (("part.ply", PLY), ("part.wrl", WRL), ("part.obj", OBJ)):
        (folder / name).write_text(text, "utf-8")
        shapes.append(Shape(geometry=MeshFile(uri=name, path=str(folder / name))))
    return Robot(name="parts", links=(Link(name="base", visuals=tuple(shapes)),))


def with_shapes_alone(folder: Path) -> Robot:
    """Links of one odd shape each, and joints whose parents come later."""
    file = folder / "alone.wrl"
    file.write_text(WRL.replace("Shape", "DEF part Transform { children Shape", 1) + "}", "utf-8")
    mesh = MeshFile(
        uri=file.name, path=str(file), fragment="part", without=("hole",), unit=0.001, up_axis="Y"
    )
    part = MeshFile(uri=file.name, path=str(file), fragment="part", centered=True, scale=(1.0, 2.0, 1.0))
    ball = Shape(geometry=Sphere(radius=0.5), linear=((1.0, 0.5, 0.0), (0.5, 1.0, 0.0), (0.0, 0.0, 1.0)))
    line = Shape(
        geometry=LineSet(vertices=(0.0, 0.0, 0.0, 1.0, 0.0, 0.0), lines=(0, 1, -1)),
        material=Material(texture=Texture(image=(1, 1, 3, 255, 0, 0))),
    )
    links = (
        Link(name="base", visuals=(line,)),
        Link(name="arm", visuals=(Shape(geometry=mesh, pose=Pose((0.0, 0.0, 1.0))),)),
        Link(name="hand", visuals=(replace(ball, divisions=12),)),
        Link(name="tool", visuals=(Shape(geometry=part),)),
    )
    joints = (
        Joint(name="hand", kind="revolute", parent="arm", child="hand"),
        Joint(name="arm", kind="revolute", parent="base", child="arm"),
        Joint(name="tool", kind="fixed", parent="hand", child="tool"),
    )
    return Robot(name="alone", links=links, joints=joints)


def with_values_out_of_range() -> Robot:
    """A sharp highlight, a gyro that is off, a rotor without inertia, a joint called as its parent,
    an id that an inertial measurement unit shares with an acceleration sensor."""
    sharp = Shape(geometry=Sphere(radius=0.5), material=Material(specular_exponent=200.0))
    bare = Actuator(axis_inertia=0.0, gear_ratio=0.0)
    # no file could have given these
    odd = [
        Opaque(kind="PressureSensor", data=Node("", [(key, Word(value), -1)]))
        for key, value in (("two words", "1"), ("limit", "\x00"))
    ]
    joints = (
        Joint(name="wheel", kind="revolute", parent="base", child="wheel", actuator=bare),
        Joint(name="turn", kind="revolute", parent="base", child="arm", actuator=Actuator(offset=0.2)),
        Joint(name="arm", kind="fixed", parent="arm", child="hand", actuator=Actuator(offset=0.1)),
    )
    return Robot(
        name="odd",
        links=(Link(name="base", visuals=(sharp,)), *(Link(name=n) for n in ("wheel", "arm", "hand"))),
        joints=joints,
        devices=(
            Device(name="gyro", link="base", spec=Gyro(), on=False),
            Device(name="jolt", link="base", spec=Accelerometer(), id=0),
            Device(name="imu", link="base", spec=Imu(), id=0),
            *(Device(name=f"pad {k}", link="base", spec=spec) for k, spec in enumerate(odd)),
        ),
    )


def with_outer_blanks() -> Robot:
    """Names that SRDF cannot hold, and extras in an order that no reader makes."""
    notes = [Node("", [(key, Word("1"), -1)]) for key in ("note", "two words")]
    return Robot(
        name="blanks",
        links=(Link(name="base"), Link(name=" arm"), Link(name="tip")),
        joints=(
            Joint(name="turn", kind="revolute", parent="base", child=" arm"),
            Joint(name="swing ", kind="revolute", parent=" arm", child="tip", passive=True),
        ),
        groups=(Group(name="both", members=("base", " arm")), Group(name="blank ", members=("base",))),
        configurations=(Configuration(name=" bent", positions=(("turn", 0.5),)),),
        self_collision=SelfCollision(disabled=(("base", " arm"),)),
        extras=(
            Extra(format="srdf", node=notes[0]),
            Extra(format="srdf", node=notes[1]),
            Extra(format="srdf", owner="groups/both", node=notes[0]),
        ),
    )


def with_specks(folder: Path) -> Robot:
    """A mesh file whose second material is on triangles without area."""
    folder.mkdir(exist_ok=True)
    (folder / "specks.mtl").write_text("newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\n", "utf-8")
    (folder / "specks.obj").write_text(
        "mtllib specks.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 5 5 5\nv 5 5 5.0000001\n"
        "usemtl red\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\nusemtl blue\nf 5 5 6\nf 5 6 6\n",
        "utf-8",
    )
    mesh = MeshFile(uri="specks.obj", path=str(folder / "specks.obj"))
    return Robot(name="specks", links=(Link(name="base", visuals=(Shape(geometry=mesh),)),))


def with_looks(folder: Path) -> Robot:
    """Shapes of equal names with odd images, a mesh in the model, and a file of two materials."""
    files = {
        "wood.png": write_png((1, 1, 3, 255, 0, 0)) or b"",
        "wood.jpg": b"\xff\xd8\xff",
        "wood.gif": b"GIF89a",
        "two.wrl": (WRL + WRL.partition("\n")[2].replace("{", MATERIAL, 1)).encode(),
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)

    def ball(uri: str, **more: Any) -> Shape:
        texture = Texture(uri=uri, path=str(folder / uri), **more)
        return Shape(name="ball", geometry=Sphere(radius=0.5), material=Material(texture=texture))

    corners = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.1)
    faces = (0, 2, 1, -1, 0, 1, 3, -1, 0, 3, 2, -1, 1, 2, 3, -1)
    visuals = (
        ball("wood.png", repeat_s=False, transform=TextureTransform(scale=(2.0, 2.0))),
        ball("wood.jpg"),
        ball("wood.gif"),
        Shape(geometry=Mesh(vertices=corners, faces=faces, crease_angle=0.5)),
        Shape(geometry=MeshFile(uri="two.wrl", path=str(folder / "two.wrl"))),
    )
    return Robot(name="looks", links=(Link(name="base", visuals=visuals),))


def with_idle_motions() -> Robot:
    """An inertia of no body, links without mass, a range without extent, idle loops and couplings."""
    none = Inertial(mass=0.0, com=(0.0, 0.0, 0.1))
    thin = Inertial(mass=1.0, inertia=((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 3.0)))
    still = Limits(position=(0.5, 0.5), effort=(2.0, 2.0))
    links = (
        Link(name="base", inertial=thin),
        *(Link(name=n) for n in ("between", "arm", "hand")),
        Link(name="weight", inertial=none),
        Link(name="tip"),
    )
    joints = (
        Joint(name="shoulder", kind="revolute", parent="base", child="between"),
        Joint(name="slide", kind="prismatic", parent="between", child="arm", limits=still),
        Joint(name="wrist", kind="fixed", parent="arm", child="hand"),
        Joint(name="turn", kind="revolute", parent="base", child="weight"),
        Joint(name="led", kind="revolute", parent="hand", child="tip"),
    )
    loops = (
        Loop(name="idle", link_a="base", link_b="arm", holds=Holds(axial=False, radial=False)),
        Loop(
            name="apart",
            link_a="base",
            link_b="weight",
            pose_a=Pose((0.5, 0.0, 0.0)),
            pose_b=Pose((0.5, 0.0, 0.1)),
            holds=BALL,
        ),
    )
    touch = Opaque(kind="touch", data=Node("touch", [("gain", Word("2"), -1)]))
    return Robot(
        name="idle",
        links=links,
        joints=joints,
        loops=loops,
        couplings=(Coupling(joint="wrist", leader="shoulder"), Coupling(joint="led", leader="wrist")),
        devices=(
            Device(name="touch", link="hand", spec=touch),
            Device(name="far", link="hand", spec=RangeSensor(max_distance=math.inf)),
        ),
        base="fixed",
    )


def with_many_digits() -> Robot:
    """Numbers that 32 bits do not hold, a rod, and initial positions of joints with several axes."""
    third = 1.0 / 3.0
    tilted = Pose((third, 0.0, third), from_rpy(third, 0.1, 0.2))
    box = Shape(geometry=Box(size=(third, 1.0, 1.0)), pose=tilted)
    mass = Inertial(
        mass=third,
        com=(third, 0.0, 0.0),
        inertia=((1.0, 0.0, 0.0), (0.0, third + 1.0, 0.0), (0.0, 0.0, 1.5)),
    )
    rod = Inertial(mass=1.0, inertia=((0.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
    links = (
        Link(name="base", inertial=mass, visuals=(box,)),
        Link(name="arm", inertial=rod),
        Link(name="hand", inertial=mass),
    )
    turn = Joint(
        name="turn",
        kind="revolute",
        parent="base",
        child="arm",
        origin=tilted,
        limits=Limits(effort=(-1.0, math.inf)),
        dynamics=Dynamics(stiffness=1.0, rest=third),
        actuator=Actuator(axis_inertia=third),
    )
    wrist = Joint(name="wrist", kind="ball", parent="arm", child="hand", origin=tilted)
    loop = Loop(name="ring", link_a="base", link_b="hand", pose_a=tilted, pose_b=tilted, holds=BALL)
    return Robot(name="digits", links=links, joints=(turn, wrist), loops=(loop,), base="fixed", pose=tilted)


def source(name: str) -> Robot:
    return neutral("kitchen_sink") if name == "neutral" else whole(ROOT / SOURCES[name])


@pytest.mark.parametrize("case", EVERYTHING)
@pytest.mark.parametrize("name", WRITTEN)
def test_every_loss_is_explained(case: str, name: str, tmp_path: Path) -> None:
    losses = report(neutral(case), name, tmp_path).losses
    assert [str(x.difference) for x in losses if x.row is None] == []


def with_turned_chain() -> Robot:
    """A chain of three joints whose frames are turned, with nothing on the links between."""
    rod = Inertial(mass=1.0, inertia=((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.5)))
    names = ("base", "first", "second", "tool")
    turned = Pose((0.1, 0.0, 0.2), (0.8, 0.6, 0.0, 0.0))
    joints = tuple(
        Joint(name=f"turn_{child}", kind="revolute", parent=parent, child=child, origin=turned)
        for parent, child in itertools.pairwise(names)
    )
    links = tuple(Link(name=name, inertial=rod if name in ("base", "tool") else None) for name in names)
    return Robot(name="chain", links=links, joints=joints, base="fixed")


def with_fine_scan() -> Robot:
    """A range sensor of very many rays, and a frame elsewhere that has its name."""
    spec = RangeSensor(min_yaw=-1.0, max_yaw=1.0, yaw_step=1e-5)
    device = Device(name="lidar", link="mast", spec=spec, pose=Pose((0.0, 0.0, 0.1)))
    return Robot(
        name="fine",
        links=(Link(name="mast"),),
        devices=(device,),
        frames=(Frame(name="lidar", link="mast"),),
        base="fixed",
    )


def with_two_gravities() -> Scene:
    box = Robot(name="box", links=(Link(name="box", inertial=Inertial(mass=1.0)),), base="free")
    robots = (replace(box, name=f"on {x}", gravity=(0.0, 0.0, -x)) for x in (1.62, 3.73))
    return Scene(name="two", robots=tuple(robots))


def with_surroundings(base: Any) -> Robot:
    """A box with a floor, a camera and a mark on it, and pairs with it."""
    floor = Shape(geometry=Box(size=(4.0, 4.0, 0.1)), pose=Pose((0.0, 0.0, -0.05)))
    box = Shape(geometry=Box(size=(0.1, 0.2, 0.3)))
    names = ("a", "world0", "z")
    lens = Camera(focal_ratio=1.25, principal_offset=(3.0, -2.0))
    return Robot(
        name="box",
        links=tuple(Link(name=name, inertial=Inertial(mass=1.0), collisions=(box,)) for name in names),
        joints=tuple(
            Joint(name=f"to_{name}", kind="revolute", parent="a", child=name, axis=(0.0, 0.0, 1.0))
            for name in names[1:]
        ),
        devices=(Device(name="eye", link="world", spec=lens),),
        frames=(Frame(name="mark", link="world"),),
        self_collision=SelfCollision(enabled=(("world", "a"), ("z", "world"))),
        base=base,
        pose=Pose((0.0, 0.0, 1.0)),
        surroundings=Link(name="world", visuals=(floor,), collisions=(floor,)),
    )


UNREAD = """<mujoco><asset><mesh name="m" file="m.stl"/></asset><worldbody><body name="a"><joint/>
  <geom type="mesh" mesh="m"/></body></worldbody></mujoco>"""


NESTED = """
<sdf version="1.11">
  <model name="outer">
    <link name="base"/>
    <model name="inner">
      <link name="arm"/>
      <link name="hand"/>
      <joint name="wrist" type="revolute">
        <parent>arm</parent><child>hand</child><axis><xyz>0 0 1</xyz></axis>
      </joint>
      <plugin name="driver" filename="driver"/>
    </model>
    <joint name="mount" type="fixed"><parent>base</parent><child>inner::arm</child></joint>
  </model>
</sdf>"""
GAZEBO = """<robot name="a"><link name="a"/>
  <gazebo reference="a"><sensor name="s" type="imu"/></gazebo></robot>"""


def with_hulls() -> Robot:
    """Two links with one mesh, which collides as its convex hull in one of them."""
    mesh = Mesh(vertices=(0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
                faces=(0, 2, 1, -1, 0, 1, 3, -1, 1, 2, 3, -1, 0, 3, 2, -1))  # fmt: skip
    links = tuple(
        Link(name=name, collisions=(Shape(geometry=mesh, hull=hull),))
        for name, hull in (("a", True), ("b", False))
    )
    joint = Joint(name="j", kind="fixed", parent="a", child="b", origin=Pose((2.0, 0.0, 0.0)))
    return Robot(name="hulls", links=links, joints=(joint,), base="fixed")


def with_attached() -> Robot:
    """A robot of MJCF that another one is attached to, in the middle and beside a link with a joint."""
    ball, other = '<geom size="0.1" mass="1"/>', '<joint axis="0 1 0" name="{}"/>'
    bodies = "".join(f'<body name="{x}">{other.format(x)}{ball}</body>' for x in ("one", "two"))
    exclude = '<contact><exclude body1="one" body2="two"/></contact>'
    text = f'<mujoco><worldbody><body name="base">{ball}{bodies}</body></worldbody>{exclude}</mujoco>'
    robot = loads(text, format="mjcf")
    return attach(robot, robot, "one", prefix="b_")


def with_friction(*values: Contact | None) -> Robot:
    """Balls with these contact values, where None are not known."""
    balls = tuple(Shape(geometry=Sphere(radius=0.1), contact=each) for each in values)
    return Robot(name="balls", links=(Link(name="base", collisions=balls),))


# Only the last coefficients of friction are known; and those of all balls but one.
ROLLING = (Contact(rolling=1e-3), Contact(torsional=2e-3))
CLASSED = (*[Contact(sliding=0.5, torsional=0.01, rolling=0.0)] * 9, None)
# The contact values of all balls but one, which go into a class of geoms.
SOFT = Contact(sliding=0.5, condim=4, solref=(0.03, 1.0), solimp=(0.8, 0.9, 0.002, 0.5, 2.0))
SOFTENED = (*[SOFT] * 9, Contact(sliding=0.5))


def with_mocap() -> Robot:
    """A robot of MJCF with a body for mocap that is attached to another body."""
    ball = '<geom size="0.1" mass="1"/>'
    bodies = f'<body name="base">{ball}</body><body name="hand" mocap="true">{ball}</body>'
    robot = loads(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>", format="mjcf")
    return attach(robot, robot, "base", prefix="b_")


def with_odd_names() -> Robot:
    """Names that formats keep for themselves or give once, and what a joint without an axis cannot have."""
    rod = Inertial(mass=1.0)
    ball = Shape(geometry=Sphere(radius=0.1), material=Material(diffuse=(0.0, 0.0, 0.0), ambient=0.2))
    floor = Shape(geometry=Plane())
    names = ("arm::base", "arm", "hand", "__tip__")
    damped = {"dynamics": Dynamics(damping=0.5), "limits": Limits(effort=(-2.0, 2.0))}
    joints = (
        Joint(name="foot", kind="fixed", parent="world", child="arm::base", origin=Pose((0.0, 0.0, 1.0))),
        Joint(name="hand", kind="ball", parent="arm::base", child="arm", **damped),  # type: ignore[arg-type]
        Joint(name="wrist", kind="revolute", parent="arm", child="hand", origin=Pose((0.3, 0.0, 0.0))),
        Joint(name="tip", kind="revolute", parent="hand", child="__tip__"),
    )
    loops = (
        Loop(name="wrist", link_a="arm::base", link_b="hand", pose_a=Pose((0.3, 0.0, 0.0)), holds=HINGE),
        Loop(name="tip", link_a="arm", link_b="__tip__", pose_a=Pose((0.5, 0.0, 0.0)), holds=HINGE),
        Loop(name="ground", link_a="arm", link_b="world", pose_b=Pose((0.0, 0.0, 1.0)), holds=HINGE),
    )
    frames = (
        Frame(name="first", link="arm"),
        Frame(name="tip", link="hand", pose=Pose((0.0, 0.1, 0.0))),
        Frame(name="wrist", link="hand", pose=Pose((0.0, 0.2, 0.0)), trace=True),
        Frame(name="hand", link="hand", pose=Pose((0.1, 0.0, 0.0))),
    )
    thermometer = Opaque(kind="custom", data=Node("x", [("low", Row([Word("1")]), -1)]))
    return Robot(
        name="",
        links=(Link(name="world"), *(Link(name=n, inertial=rod, visuals=(ball, floor)) for n in names)),
        joints=joints,
        loops=loops,
        frames=frames,
        devices=(
            Device(name="a::b", link="arm", spec=Imu()),
            Device(name="heat", link="arm", spec=thermometer),
        ),
        base="fixed",
    )


def with_free_links() -> Robot:
    """A world that is not the first link, and a damped link in it that moves freely before a held one."""
    links = tuple(Link(name=n, inertial=Inertial(mass=1.0)) for n in ("box", "post"))
    damped = Dynamics(damping=0.5)
    joints = (
        Joint(name="float", kind="free", parent="world", child="box", dynamics=damped),
        Joint(name="hold", kind="fixed", parent="world", child="post"),
    )
    return Robot(name="free", links=(links[0], Link(name="world"), links[1]), joints=joints, base="fixed")


def with_bare_values() -> Robot:
    """Names that are empty, values that act on nothing, and what a camera has beside its lens."""
    third = 1.0 / 3.0
    tinted = Material(diffuse=(third, 0.5, 0.5))
    gone = Material(texture=Texture(uri="gone.png"))
    rough = Contact(sliding=third)
    visuals = (
        Shape(geometry=Sphere(radius=0.1), material=tinted, contact=rough),
        Shape(geometry=Sphere(radius=0.2), material=gone),
    )
    collisions = (
        Shape(geometry=Ellipsoid(radii=(0.1, 0.2, 0.3))),
        Shape(geometry=Sphere(radius=0.1), contact=rough),
    )
    lens = Camera(frame_rate=25.0, detection_rate=0.5, error_deviation=0.1)
    joints = (
        Joint(name="turn", kind="revolute", parent="base", child="arm", dynamics=Dynamics(rest=0.5)),
        Joint(name="ball", kind="ball", parent="arm", child="hand"),
    )
    return Robot(
        name="bare",
        links=(
            Link(name="base", visuals=visuals, collisions=collisions),
            Link(name="arm"),
            Link(name="hand"),
        ),
        joints=joints,
        couplings=(Coupling(joint="ball", leader="turn"),),
        devices=(Device(name="eye", link="base", spec=lens), Device(name="", link="base", spec=Imu())),
        frames=(Frame(name="", link="base"),),
        base="fixed",
    )


def with_pairs() -> Robot:
    """A chain of links of which some pairs may touch."""
    ball = (Shape(geometry=Sphere(radius=0.1)),)
    names = [f"link_{i}" for i in range(6)]
    links = tuple(Link(name=n, inertial=Inertial(mass=1.0), collisions=ball) for n in names)
    joints = tuple(
        Joint(name=f"turn_{b}", kind="revolute", parent=a, child=b) for a, b in itertools.pairwise(names)
    )
    rules = SelfCollision(disabled=(("link_0", "link_2"), ("link_1", "link_4")))
    return Robot(name="pairs", links=links, joints=joints, self_collision=rules)


@pytest.mark.parametrize(
    "name",
    [name if name in ("body", "urdf") else pytest.param(name, marks=pytest.mark.slow) for name in WRITTEN],
)
def test_every_row_occurs(name: str, tmp_path: Path) -> None:
    writer: Writer = WRITTEN[name][1]
    robots = {**{case: neutral(case) for case in EVERYTHING}, "files": with_mesh_files(tmp_path / "m")}
    robots["alone"] = with_shapes_alone(tmp_path / "m")
    robots["odd"] = with_values_out_of_range()
    robots["looks"] = with_looks(tmp_path / "m")
    robots["specks"] = with_specks(tmp_path / "m")
    robots["idle"] = with_idle_motions()
    robots["chained"] = with_turned_chain()
    robots["fine"] = with_fine_scan()
    lifted = Pose((0.0, 0.0, 1.0))
    robots["lifted"] = Robot(name="lifted", links=(Link(name="world"),), base="fixed", pose=lifted)
    robots["world"] = Robot(name="world", links=(Link(name="world"),), base="free")
    links = (Link(name="world"), Link(name="box", inertial=Inertial(mass=1.0)))
    for kind in ("fixed", "free"):
        held = Joint(name="held", kind=kind, parent="world", child="box", origin=lifted)
        robots[f"held_{kind}"] = Robot(name="held", links=links, joints=(held,), base="fixed")
    for base in ("fixed", "free"):
        robots[f"surrounded_{base}"] = with_surroundings(base)
    robots["hulled"] = with_hulls()
    robots["attached"] = with_attached()
    robots["mocap"] = with_mocap()
    robots |= {"rolling": with_friction(*ROLLING), "classed": with_friction(*CLASSED)}
    robots["softened"] = with_friction(*SOFTENED)
    robots["apart"] = Robot(name="apart", links=(Link(name="base", collides=False),))
    robots["unused"] = loads('<mujoco><asset><mesh name="m" file="m.stl"/></asset></mujoco>', format="mjcf")
    robots["unread"] = loads(UNREAD, format="mjcf")
    if name in ("sdf", "usd"):
        robots |= {"named": with_odd_names(), "pairs": with_pairs(), "free": with_free_links()}
    robots["digits"] = with_many_digits()
    if name == "usd":
        robots["bare"] = with_bare_values()
    if name == "sdf":
        robots["gazebo"] = loads(GAZEBO, format="urdf")
        robots["nested"] = loads(NESTED, format="sdf")
    found = [d for case, r in robots.items() for d in report(r, name, tmp_path / case).losses]
    for case in EVERYTHING:
        found += report(neutral(case), name, with_files(tmp_path / f"with_files_{case}")).losses
    if name == "usd":
        found += save(robots["looks"], tmp_path / "packed" / "model.usdz").losses
    if name == "sdf":
        found += save(with_two_gravities(), tmp_path / "scene" / "model.sdf").losses
        # before SDF 1.8 there are no names of nested models
        found += save(
            robots["nested"], tmp_path / "old" / "model.sdf", plain=True, sdf_version="1.7"
        ).losses
    if name == "urdf":
        found += save(neutral("kitchen_sink"), tmp_path / "bare" / "model.urdf", srdf="").losses
    if name == "srdf":
        found += report(with_outer_blanks(), name, tmp_path / "blanks").losses
        ball = Configuration(name="bent", positions=tuple(("EYE_BALL", x) for x in (0.0, 1.0, 0.0, 0.0)))
        bent = replace(neutral("kitchen_sink"), configurations=(ball,))
        found += report(bent, "urdf", tmp_path / "beside").losses
    stale = [r for r in writer.cannot if not any(x.row is r for x in found)]
    assert [f"{r.what}: {r.path}" for r in stale] == []


@pytest.mark.parametrize("case", EVERYTHING)
@pytest.mark.parametrize("name", WHOLE)
def test_what_is_lost_is_carried(case: str, name: str, tmp_path: Path) -> None:
    """With what stands beside the model nothing is lost."""
    robot = neutral(case)
    made = report(robot, name, tmp_path)
    back = whole(tmp_path / f"model{WRITTEN[name][0]}")
    left = [str(d) for d in diff(robot, back)]
    assert sorted(left) == sorted(str(x.difference) for x in made.losses if not x.carried)
    assert left == []


@pytest.mark.golden
@pytest.mark.parametrize("pair", few(PAIRS, 10), ids="-".join)
def test_report(pair: tuple[str, str], tmp_path: Path, request: pytest.FixtureRequest) -> None:
    first, second = pair
    golden = HERE / f"{first}-{second}.txt"
    made = report(source(first), second, tmp_path, plain=True)
    text = made.text().replace(f"{tmp_path}/", "").replace(f"{ROOT}/", "")
    if request.config.getoption("--accept"):
        golden.write_text(text, "utf-8", newline="\n")
    assert golden.is_file(), "run pytest with --accept, then read what is new"
    assert text == golden.read_text("utf-8")


def test_unstated_friction_is_assumed(tmp_path: Path) -> None:
    for values, places in (
        (ROLLING, ("0/contact/sliding", "0/contact/torsional", "1/contact/sliding")),
        (CLASSED, ("9/contact",)),
    ):
        losses = report(with_friction(*values), "mjcf", tmp_path / places[0].partition("/")[0]).losses
        found = {x.path: (x.row and x.row.what, x.outcome) for x in losses if "contact" in x.path}
        assert found == {f"links/base/collisions/{x}": ("unstated friction", "assumed") for x in places}
