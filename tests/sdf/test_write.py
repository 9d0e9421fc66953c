"""What is written as SDF: names, frames, masses, loops, pairs of links, versions and further files."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest
from tests.sdf import libsdformat

import unibody as ub
from unibody.cli.main import main
from unibody.model.device import Camera, Device, ForceTorque
from unibody.model.inertia import Inertial
from unibody.model.pose import Pose, from_rpy
from unibody.model.robot import BALL as BALL_JOINT
from unibody.model.robot import (
    FIXED,
    HINGE,
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
from unibody.model.scene import as_robot
from unibody.model.shape import Capsule, Ellipsoid, Material, Plane, Shape, Sphere

ROD = Inertial(mass=2.0, com=(0.0, 0.1, 0.0))
BALL = (Shape(geometry=Sphere(radius=0.1)),)


def chain(*names: str, **more: Any) -> Robot:
    """Links one above the other, each turned by a joint called as its link with _turn behind it."""
    links = tuple(Link(name=n, inertial=ROD, collisions=BALL) for n in names)
    joints = tuple(
        Joint(name=f"{b}_turn", kind="revolute", parent=a, child=b, origin=Pose((0.0, 0.0, 0.5)))
        for a, b in itertools.pairwise(names)
    )
    return Robot(name="chain", links=links, joints=joints, **{"base": "free", **more})


def written(robot: Robot, folder: Path, **options: Any) -> tuple[ET.Element, Robot]:
    """The root element of the written file, and the robot that it says by itself."""
    path = folder / "m.sdf"
    ub.save(robot, path, plain=True, overwrite=True, **options)
    return ET.parse(path).getroot(), ub.load(path)


def test_frames_are_on_the_child_side(tmp_path: Path) -> None:
    root, back = written(chain("foot", "arm"), tmp_path)
    link, joint = root.find(".//link[@name='arm']"), root.find(".//joint")
    assert link is not None
    assert joint is not None
    at_joint, in_parent = link.find("pose"), joint.find("pose")
    assert at_joint is not None
    assert in_parent is not None
    assert (at_joint.attrib, at_joint.text) == ({"relative_to": "arm_turn"}, None)
    assert (in_parent.attrib, in_parent.text) == ({"relative_to": "foot"}, "0 0 0.5 0 0 0")
    assert back.joint("arm_turn").origin == Pose((0.0, 0.0, 0.5))


def test_names_are_legal_and_differ_among_siblings(tmp_path: Path) -> None:
    robot = chain("a::b", "hand", "__tip__")
    joints = tuple(replace(j, name=n) for j, n in zip(robot.joints, ("hand", "world"), strict=True))
    robot = replace(robot, joints=joints, frames=(Frame(name="hand_joint", link="hand"),))
    _, back = written(robot, tmp_path)
    assert [x.name for x in back.links] == ["hand", "__tip___link", "a::b"]
    assert [x.name for x in back.joints] == ["hand_joint", "world_joint"]
    named = [*(x.name for x in back.links), *(x.name for x in back.joints), *(x.name for x in back.frames)]
    assert len(named) == len(set(named))
    assert ub.load(tmp_path / "m.sdf").frames[0].link == "hand"


def test_the_side_car_restores_names_and_is_ignored_without_its_reader(tmp_path: Path) -> None:
    robot = chain("__foot__", "hand")
    ub.save(robot, tmp_path / "m.sdf")
    assert ub.diff(robot, ub.load(tmp_path / "m.sdf")) == []
    root = ET.parse(tmp_path / "m.sdf").getroot()
    assert root.find("model/{urn:unibody}sidecar") is not None


@pytest.mark.parametrize("base", ["free", "fixed"])
def test_a_fixed_base_is_a_joint_to_the_world(base: str, tmp_path: Path) -> None:
    lifted = Pose((1.0, 0.0, 2.0))
    root, back = written(chain("foot", "arm", base=base, pose=lifted), tmp_path)
    parents = [x.text for x in root.iter("parent")]
    assert ("world" in parents) is (base == "fixed")
    assert back.base == base
    assert (back.pose == lifted) is (base == "free")
    if base == "fixed":
        assert back.joint("world_fixed").origin == lifted


def test_what_does_not_move_is_a_static_model(tmp_path: Path) -> None:
    table = Robot(name="table", links=(Link(name="top", collisions=BALL),), base="fixed")
    root, back = written(table, tmp_path)
    assert root.findtext("model/static") == "true"
    assert (back.base, [x.name for x in back.links]) == ("fixed", ["top"])


@pytest.mark.parametrize("base", ["fixed", "free"])
def test_surroundings_are_static_models_of_a_world(base: Literal["fixed", "free"], tmp_path: Path) -> None:
    floor = Link(
        name="world",
        collisions=(
            Shape(geometry=Plane(), name="floor"),
            Shape(geometry=Sphere(radius=1.0), name="hill::top::c"),
        ),
    )
    spec = Camera(field_of_view=1.0, width=8, height=8, near=0.1, far=9.0)
    lamp = Device(name="eye", link="world", spec=spec)
    mark = Frame(name="mark", link="world", pose=Pose((1.0, 2.0, 3.0)))
    robot = replace(chain("foot", "arm", base=base), surroundings=floor, devices=(lamp,), frames=(mark,))
    root, back = written(robot, tmp_path)
    models = {x.get("name"): x.findtext("static") for x in root.iterfind("world/model")}
    assert models == {"chain": None, "surroundings": "true", "hill": "true"}
    around = back.link("world")
    assert (back.surroundings is around) is (base == "free")
    assert [x.name for x in around.collisions] == ["floor", "hill::top::c"]
    assert (back.device("eye").link, back.frame("mark").pose) == ("world", mark.pose)
    assert not (tmp_path / "model.config").exists()


def test_links_without_mass_get_the_least(tmp_path: Path) -> None:
    robot = chain("foot", "arm")
    robot = replace(robot, links=(robot.links[0], Link(name="arm")))
    _, back = written(robot, tmp_path)
    light = back.link("arm").inertial
    assert light is not None
    assert light.mass == 1e-5


def test_joints_keep_what_a_joint_of_sdf_has(tmp_path: Path) -> None:
    limits = Limits(position=(-1.0, 2.0), velocity=(-3.0, 3.0), effort=(-4.0, 4.0))
    dynamics = Dynamics(damping=0.1, friction=0.2, stiffness=0.3, rest=0.4)
    kinds: dict[str, dict[str, Any]] = {
        "revolute": {"limits": limits, "dynamics": dynamics},
        "prismatic": {"limits": limits, "axis": (0.6, 0.0, 0.8)},
        "universal": {"axis2": (1.0, 0.0, 0.0)},
        "screw": {"pitch": 0.02},
        "ball": {},
        "fixed": {},
    }
    robot = chain("base", *(f"{kind}_link" for kind in kinds))
    robot = replace(
        robot,
        joints=tuple(
            replace(joint, name=kind, kind=kind, **more)  # type: ignore[arg-type]
            for joint, (kind, more) in zip(robot.joints, kinds.items(), strict=True)
        ),
        couplings=(Coupling(joint="prismatic", leader="revolute", ratio=0.5, offset=0.1),),
    )
    for version in ("1.7", "1.9", "1.10", "1.12"):
        root, back = written(robot, tmp_path, sdf_version=version)
        assert root.get("version") == version
        joints = [d for d in ub.diff(robot, back) if d.path.startswith(("joints", "couplings"))]
        assert joints == []
        is_new = version == "1.12"
        assert (root.find(".//mimic") is not None) is is_new


def test_older_versions_have_fewer_shapes(tmp_path: Path) -> None:
    shapes = (
        Shape(geometry=Capsule(radius=0.1, height=0.3)),
        Shape(geometry=Ellipsoid(radii=(0.1, 0.2, 0.3))),
    )
    robot = Robot(name="r", links=(Link(name="a", inertial=ROD, visuals=shapes),), base="free")
    new, _ = written(robot, tmp_path)
    assert [x[0].tag for x in new.iter("geometry")] == ["capsule", "ellipsoid"]
    report = ub.save(robot, tmp_path / "old.sdf", plain=True, sdf_version="1.7")
    old = ET.parse(tmp_path / "old.sdf").getroot()
    assert [x[0].tag for x in old.iter("geometry")] == ["cylinder", "sphere", "sphere", "mesh"]
    assert [x for x in report.losses if x.row is None] == []


def test_loops_are_second_joints_of_a_link(tmp_path: Path) -> None:
    robot = chain("base", "crank", "rod")
    loops = (
        Loop(name="close", link_a="base", link_b="rod", pose_a=Pose((0.0, 0.0, 1.0)), holds=HINGE),
        Loop(name="weld", link_a="crank", link_b="rod", pose_a=Pose((0.0, 0.0, 0.5)), holds=FIXED),
    )
    root, back = written(replace(robot, loops=loops), tmp_path)
    assert [x.get("type") for x in root.iter("joint")] == [
        "continuous",
        "continuous",
        "continuous",
        "fixed",
    ]
    assert [d for d in ub.diff(replace(robot, loops=loops), back) if d.path.startswith("loops")] == []


def test_sensors_look_along_x(tmp_path: Path) -> None:
    camera = Device(name="eye", link="arm", spec=Camera(), pose=Pose((0.1, 0.0, 0.0)))
    turned = Pose((0.0, 0.2, 0.0), (0.8, 0.6, 0.0, 0.0))
    wrist = Device(name="force", link="arm", spec=ForceTorque(), pose=turned)
    robot = replace(chain("foot", "arm"), devices=(camera, wrist))
    root, back = written(robot, tmp_path)
    eye, force = root.find(".//sensor[@name='eye']"), root.find("model/joint/sensor")
    assert eye is not None
    assert force is not None
    assert force.findtext("force_torque/frame") == "sensor"
    numbers = [float(x) for x in (eye.findtext("pose") or "").split()]
    # +X of the sensor is -Z of the device, and +Z its Y
    turn = Pose(quat=from_rpy(*numbers[3:]))
    assert turn.apply((1.0, 0.0, 0.0)) == pytest.approx((0.0, 0.0, -1.0))
    assert turn.apply((0.0, 0.0, 1.0)) == pytest.approx((0.0, 1.0, 0.0))
    assert numbers[:3] == [0.1, 0.0, 0.0]
    assert [d for d in ub.diff(robot, back) if "/pose" in d.path] == []


@pytest.mark.parametrize(
    ("rules", "counts"),
    [
        (SelfCollision(), (True, 0, 0)),
        (SelfCollision(default="none"), (False, 0, 0)),
        (SelfCollision(default="none", enabled=(("a", "c"), ("a", "d"), ("b", "d"))), (True, 0, 0)),
        (SelfCollision(default="none", enabled=(("a", "c"),)), (True, 0, 4)),
        (SelfCollision(disabled=(("a", "c"),)), (True, 0, 4)),
    ],
)
def test_pairs_of_links_are_a_flag_and_bits(
    rules: SelfCollision, counts: tuple[bool, int, int], tmp_path: Path
) -> None:
    robot = chain("a", "b", "c", "d", self_collision=rules)
    root, back = written(robot, tmp_path)
    model, links = root.find("model/self_collide"), root.findall("model/link/self_collide")
    bits = list(root.iter("collide_bitmask"))
    assert (model is not None, len(links), len(bits)) == counts
    assert set(map(frozenset, ub.model.collision.tested_pairs(back))) == set(
        map(frozenset, ub.model.collision.tested_pairs(robot))
    )


def test_a_link_that_does_not_collide_has_no_bits(tmp_path: Path) -> None:
    robot = chain("a", "b")
    robot = replace(robot, links=(robot.links[0], replace(robot.links[1], collides=False)))
    root, back = written(robot, tmp_path)
    assert [x.text for x in root.iter("collide_bitmask")] == ["0"]
    assert [x.collides for x in back.links] == [True, False]


def test_colors_are_ambient_too(tmp_path: Path) -> None:
    material = Material(diffuse=(0.2, 0.4, 0.8), ambient=0.5, transparency=0.25, specular_exponent=7.0)
    shape = Shape(name="skin", geometry=Sphere(radius=0.1), material=material)
    root, back = written(
        Robot(name="r", links=(Link(name="a", inertial=ROD, visuals=(shape,)),), base="free"), tmp_path
    )
    assert root.findtext(".//ambient") == "0.1 0.2 0.4 1"
    assert root.findtext(".//transparency") == "0.25"
    assert back.links[0].visuals == (shape,)


def test_the_frame_of_a_link_stays_where_its_file_has_it(tmp_path: Path) -> None:
    text = """<sdf version="1.11"><model name="m"><link name="a"/>
    <link name="b"><pose>0 0 1 0 0 0</pose></link>
    <joint name="j" type="revolute"><pose>0.2 0 0 0 0 0</pose><parent>a</parent><child>b</child>
    <axis><xyz>0 0 1</xyz></axis></joint></model></sdf>"""
    robot = ub.loads(text, format="sdf")
    assert [(x.name, x.link) for x in robot.frames] == [("b", "b")]
    root, back = written(robot, tmp_path)
    assert root.find(".//frame") is None
    assert ub.diff(robot, back) == []


def test_a_world_stays_a_world(tmp_path: Path) -> None:
    text = """<sdf version="1.11"><world name="moon"><gravity>0 0 -1.62</gravity><model name="m">
    <link name="a"/><plugin name="p" filename="p.so"><gain>3</gain></plugin></model></world></sdf>"""
    (tmp_path / "w.sdf").write_text(text, "utf-8")
    robot = ub.load(tmp_path / "w.sdf")
    root, back = written(replace(robot, name="n"), tmp_path)
    assert root.findtext("world/gravity") == "0 0 -1.62"
    assert root.findtext("world/model/plugin/gain") == "3"
    assert ub.diff(replace(robot, name="n"), back) == []


def test_merged_links_stay_as_frames(tmp_path: Path) -> None:
    robot = chain("a", "b", "c")
    fixed = replace(robot.joints[0], kind="fixed")
    robot = replace(robot, joints=(fixed, robot.joints[1]))
    _, back = written(robot, tmp_path, merge_fixed="frames")
    assert [x.name for x in back.links] == ["a", "c"]
    assert [(x.name, x.link, x.pose.xyz) for x in back.frames] == [("b", "a", (0.0, 0.0, 0.5))]
    whole = back.link("a").inertial
    assert whole is not None
    assert whole.mass == 4.0
    assert whole.com == (0.0, 0.1, 0.25)
    assert back.joint("c_turn").origin.xyz == (0.0, 0.0, 1.0)


def test_a_folder_with_model_sdf_is_a_model_of_gazebo(tmp_path: Path) -> None:
    folder = tmp_path / "chain"
    report = ub.save(chain("a", "b"), folder / "model.sdf", scene="floor")
    assert set(report.files) == {"model.sdf", "model.config", "model_world.sdf"}
    config = ET.parse(folder / "model.config").getroot()
    assert (config.findtext("name"), config.findtext("sdf")) == ("chain", "model.sdf")
    user = '<sdf version="1.11"><world name="w"><include><uri>model://chain</uri></include></world></sdf>'
    (tmp_path / "user.sdf").write_text(user, "utf-8")
    assert [x.name for x in ub.load(tmp_path / "user.sdf").links] == ["a", "b"]
    around = ub.load(folder / "model_world.sdf").surroundings
    assert around is not None
    assert [x.name for x in around.collisions] == ["floor::link::collision"]


def test_the_command_has_the_options(tmp_path: Path) -> None:
    source = tmp_path / "m.urdf"
    source.write_text('<robot name="r"><link name="a"/></robot>', "utf-8")
    out = tmp_path / "m.sdf"
    assert main(["convert", str(source), str(out), "--sdf-version", "1.9", "--scene", "--merge-fixed"]) == 0
    assert ET.parse(out).getroot().get("version") == "1.9"
    assert (tmp_path / "m_world.sdf").is_file()
    assert main(["convert", str(source), str(tmp_path / "m.xml"), "--sdf-version", "1.9"]) == 2


def test_shapes_that_get_names_are_the_same_shapes(tmp_path: Path) -> None:
    visuals = tuple(
        Shape(name=name, geometry=Sphere(radius=radius))
        for name, radius in (("v_1", 0.1), ("", 0.2), ("", 0.3), ("v_1_2", 0.4))
    )
    link = Link(name="a", inertial=ROD, visuals=visuals, collisions=visuals[:1])
    robot = Robot(name="r", links=(link,), base="free")
    report = ub.save(robot, tmp_path / "m.sdf", plain=True)
    changed = [x.difference.path for x in report.losses]
    assert changed == [f"links/a/visuals/{i}/name" for i in range(3)]


@pytest.mark.parametrize(
    ("moments", "found"),
    [
        (
            (0.1, 0.1, 0.5),
            "the largest principal moment must not exceed the sum of the others, got 0.1 0.1 0.5",
        ),
        ((0.1, 0.2, -0.1), "principal moments must not be negative, got -0.1 0.1 0.2"),
        ((0.1, 0.1, 0.2), ""),
        ((0.0, 0.0, 0.0), ""),
    ],
)
def test_an_inertia_that_no_body_has_is_announced(
    moments: tuple[float, float, float], found: str, tmp_path: Path
) -> None:
    a, b, c = moments
    odd = Inertial(mass=1.0, inertia=((a, 0.0, 0.0), (0.0, b, 0.0), (0.0, 0.0, c)))
    robot = Robot(name="r", links=(Link(name="top", inertial=odd),), base="free")
    report = ub.save(robot, tmp_path / "m.sdf", plain=True)
    words = [(f.code, f.severity, f.message) for f in report.findings]
    message = f"link 'top': {found}; Gazebo rejects the file"
    assert words == ([("engine-rejects", "warning", message)] if found else [])


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("{model}{light}{actor}", "default"),
        ("<world name='w'>{model}</world>{light}{actor}", "w"),
        ("<world name='w'>{model}{light}{actor}</world>", "w"),
        ("<world name='w'>{model}{other}<physics type='ode'/>{light}{actor}</world>", "w"),
    ],
    ids=["beside a model", "beside a world", "in a world", "of two models"],
)
def test_what_a_world_has_is_written_in_a_world(text: str, name: str, tmp_path: Path) -> None:
    models = {
        "model": "<model name='m'><link name='a'/></model>",
        "other": "<model name='n'><link name='b'/></model>",
    }
    more = {"light": "<light name='sun' type='directional'/>", "actor": "<actor name='walker'/>"}
    (tmp_path / "s.sdf").write_text(f"<sdf version='1.11'>{text.format(**models, **more)}</sdf>", "utf-8")
    found = ub.read(tmp_path / "s.sdf")
    robot = as_robot(found.scene or found.robot)  # type: ignore[arg-type]
    root, back = written(replace(robot, name="n"), tmp_path)
    assert [(x.tag, x.get("name")) for x in root] == [("world", name)]
    assert {"model", "light", "actor"} <= {x.tag for x in root[0]}
    assert {x.tag for model in root.iter("model") for x in model}.isdisjoint(more)
    assert [d for d in ub.diff(replace(robot, name="n"), back) if d.path.startswith("extras")] == []


@pytest.mark.parametrize(("version", "left"), [("1.9", []), ("1.11", ["namespace"]), ("1.12", None)])
def test_what_is_newer_than_the_version_is_left_out(
    version: str, left: list[str] | None, tmp_path: Path
) -> None:
    text = """<sdf version="1.12"><model name="m" namespace="n"><link name="a"/>
    <model_state name="m"><link_state name="a"><torque>1 0 0</torque></link_state></model_state>
    </model></sdf>"""
    robot = ub.loads(text, format="sdf")
    report = ub.save(robot, tmp_path / "m.sdf", plain=True, sdf_version=version)
    model = ET.parse(tmp_path / "m.sdf").getroot()[0]
    found = [*(x for x in model.attrib if x != "name"), *(x.tag for x in model if "state" in x.tag)]
    assert found == (["namespace", "model_state"] if left is None else left)
    reasons = [x.row.why for x in report.losses if x.row is not None and x.path.startswith("extras")]
    assert reasons == ([] if left is None else [f"newer than SDF {version}, which is written"])


@pytest.mark.parametrize(
    ("inside", "version"),
    [
        ("<self_collide>1</self_collide>", "1.11"),
        ("<model_state name='m'/>", "1.12"),
        ("<joint name='j' type='fixed'><parent>b</parent><child>a</child><physics/></joint>", "1.11"),
    ],
)
def test_the_version_is_that_of_what_is_kept(inside: str, version: str, tmp_path: Path) -> None:
    text = f"<sdf version='1.12'><model name='m'><link name='a'/><link name='b'/>{inside}</model></sdf>"
    ub.save(ub.loads(text, format="sdf"), tmp_path / "model.sdf", plain=True)
    assert ET.parse(tmp_path / "model.sdf").getroot().get("version") == version
    config = ET.parse(tmp_path / "model.config").find("sdf")
    assert config is not None
    assert config.get("version") == version


def test_the_mass_of_a_massless_link_is_stated_and_merging_avoids_it(tmp_path: Path) -> None:
    robot = chain("a", "b", "tip")
    links = (*robot.links[:2], replace(robot.links[2], inertial=None))
    robot = replace(robot, links=links, joints=(robot.joints[0], replace(robot.joints[1], kind="fixed")))
    report = ub.save(robot, tmp_path / "m.sdf", plain=True)
    (loss,) = [x for x in report.losses if x.row is not None and x.row.what == "massless links"]
    assert loss.row is not None
    assert all(word in loss.row.why for word in ("1e-5 kg", "1e-8 kg·m²", "--merge-fixed"))
    assert loss.outcome == "assumed"
    assert ub.load(tmp_path / "m.sdf").link("tip").inertial == Inertial(
        mass=1e-5, inertia=((1e-8, 0.0, 0.0), (0.0, 1e-8, 0.0), (0.0, 0.0, 1e-8))
    )
    merged = ub.save(robot, tmp_path / "n.sdf", plain=True, merge_fixed="frames")
    assert [x.path for x in merged.losses if x.row is not None and x.row.what == "massless links"] == []
    assert ub.load(tmp_path / "n.sdf").mass == robot.mass


@pytest.mark.slow
def test_libsdformat_has_links_of_the_least_mass(tmp_path: Path) -> None:
    libsdformat.needed()
    robot = chain("a", "b")
    robot = replace(robot, links=(robot.links[0], replace(robot.links[1], inertial=None)))
    ub.save(robot, tmp_path / "m.sdf", plain=True, sdf_version="1.9")
    found = libsdformat.ask(tmp_path / "m.sdf")
    assert found["errors"] == []
    assert [(x["name"], x["m"]) for x in found["model"]["links"]] == [("a", 2.0), ("b", 1e-5)]


def test_the_text_of_a_source_keeps_a_light_beside_its_model(tmp_path: Path) -> None:
    path = tmp_path / "m.sdf"
    model, light = "<model name='m'><link name='a'/></model>", "<light name='l' type='point'/>"
    text = f"<sdf version='1.11'>\n{model}\n{light}\n</sdf>"
    path.write_text(text, "utf-8")
    ub.save(replace(ub.load(path), name="n"), path, overwrite=True)
    assert path.read_text("utf-8") == text.replace("'m'", "'n'")


@pytest.mark.parametrize("name", ["world", "world_world", "yard"])
def test_a_world_keeps_its_name(name: str, tmp_path: Path) -> None:
    model = '<model name="m"><link name="a"/></model>'
    robot = ub.loads(f'<sdf version="1.11"><world name="{name}">{model}</world></sdf>')
    ub.save(robot, tmp_path / "m.sdf")
    assert f'<world name="{name}">' in (tmp_path / "m.sdf").read_text("utf-8")


def test_a_loop_moves_no_link_that_is_free(tmp_path: Path) -> None:
    """A link that no joint moves is the parent: as the child, the loop would be the joint that moves it."""
    robot = chain("a", "b")
    loop = Loop(name="l", link_a="b", link_b="a", pose_b=Pose((0.0, 0.0, 0.5)), holds=BALL_JOINT)
    root, back = written(replace(robot, loops=(loop,)), tmp_path)
    joint = root.find(".//joint[@name='l']")
    assert joint is not None
    assert (joint.findtext("parent"), joint.findtext("child")) == ("a", "b")
    assert [x.name for x in back.joints] == ["b_turn"]
    (found,) = back.loops
    assert (found.link_a, found.link_b, found.pose_a, found.pose_b) == ("a", "b", loop.pose_b, Pose())


def test_a_loop_between_two_free_links_stays_a_loop(tmp_path: Path) -> None:
    """Its child has a chain of joints to the world: else the loop would be the joint that moves it."""
    links = (Link(name="world"), *chain("a", "b", "c").links)
    free = tuple(Joint(name=f"{x}_in_world", kind="free", parent="world", child=x) for x in "abc")
    up, low = Pose((0.0, 0.0, 0.5)), Pose((0.0, 0.0, 0.2))
    loops = (
        Loop(name="l", link_a="a", link_b="b", pose_a=up, pose_b=up, holds=HINGE),
        Loop(name="m", link_a="world", link_b="c", pose_a=low, pose_b=low, holds=BALL_JOINT),
    )
    robot = Robot(name="m", links=links, joints=free, loops=loops, base="fixed")
    report = ub.save(robot, tmp_path / "m.sdf", plain=True)
    assert [x for x in report.losses if x.row is None] == []
    assert report.proof is not None
    assert report.proof.positions == pytest.approx(0.0, abs=1e-9)
    back = ub.load(tmp_path / "m.sdf")
    assert back.loops == loops
    (alone,) = (x for x in back.joints if x.child == "a")
    assert alone.kind == "free"


def test_the_manifest_names_the_version_of_a_kept_text(tmp_path: Path) -> None:
    (tmp_path / "old.sdf").write_text('<sdf version="1.6"><model name="m"><link name="a"/></model></sdf>')
    ub.convert(tmp_path / "old.sdf", tmp_path / "model.sdf")
    assert ET.parse(tmp_path / "model.sdf").getroot().get("version") == "1.6"
    sdf = ET.parse(tmp_path / "model.config").getroot().find("sdf")
    assert sdf is not None
    assert (sdf.get("version"), sdf.text) == ("1.6", "model.sdf")
