"""Small files that are read and written again compile to the same arrays in MuJoCo."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest
from tests.formats.mjcf.arrays import differences

import unibody as ub
from unibody.formats.mjcf.meshes import read_triangles
from unibody.meshes.write_png import write_png

_SIDES = ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2))
KINDS = ("general", "position", "velocity", "motor")
JOINTED = '<worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>'
COPIES = """<mujoco><worldbody>
<body name="o"><joint name="k"/><geom size=".1"/><site name="z"/></body>
<replicate count="2" offset="1 0 0"><body name="b"><joint name="j"/><geom size=".1"/></body></replicate>
<replicate count="2" offset="0 1 0"><body name="c"><joint name="i"/><geom size=".1"/></body></replicate>
</worldbody>
<tendon><fixed name="t1"><joint joint="j" coef="1"/></fixed>
<fixed name="t0"><joint joint="k" coef="1"/></fixed>
<fixed name="t2"><joint joint="i" coef="1"/></fixed>
<fixed name="t3"><joint joint="j" coef="1"/></fixed></tendon>
<actuator><motor name="m1" joint="j"/><motor name="m0" joint="k"/><motor name="m2" joint="i"/>
<motor name="m3" tendon="t1"/></actuator>
<sensor><jointpos name="s1" joint="j"/><jointpos name="s0" joint="k"/>
<actuatorfrc name="s4" actuator="m1"/></sensor>
<equality><joint name="e1" joint1="j"/><joint name="e0" joint1="k"/><joint name="e3" joint1="j"/>
<tendon name="e4" tendon1="t1"/></equality>
</mujoco>"""


def apart(text: str) -> list[str]:
    again = ub.dumps(ub.loads(text, format="mjcf"), format="mjcf", plain=True)
    return differences(*(mujoco.MjModel.from_xml_string(x) for x in (text, again)))


@pytest.mark.parametrize(
    "default",
    [
        '<position kp="50"/>',
        '<position kp="50" kv="3"/>',
        '<position kp="50" dampratio="1"/>',
        '<position kp="50" timeconst="0.1"/>',
        '<velocity kv="7"/>',
        '<position kp="50"/><velocity kv="7"/>',
        '<position kp="50"/><motor/>',
        '<motor gear="5" ctrlrange="-1 1"/><position kp="50"/>',
        '<general gainprm="4"/>',
        '<motor gear="5"/><default class="inner"><position kp="4"/></default>',
    ],
)
def test_kinds_of_actuators_share_a_default_as_in_mujoco(default: str) -> None:
    actuators = "".join(f'<{kind} joint="j"/>' for kind in KINDS)
    text = f"<mujoco><default>{default}</default>{JOINTED}<actuator>{actuators}</actuator></mujoco>"
    assert apart(text) == []


@pytest.mark.parametrize(
    "default",
    [
        '<position kp="10"/><default class="h"><motor gear="2"/></default>',
        '<position kp="10"/><default class="h"><velocity kv="3"/></default>',
        '<position kp="10"/><default class="h"><position kp="20"/><motor/></default>',
        '<position kp="10"/><default class="h"><motor/><position kv="5"/></default>',
        '<position kp="10"/><motor/><default class="h"><velocity/></default>',
        '<position kp="10"/><default class="o"><velocity kv="3"/><default class="h"><motor/></default>'
        "</default>",
    ],
)
def test_a_kind_of_actuators_has_the_gains_of_the_nearest_class_of_that_kind(default: str) -> None:
    actuators = "".join(f'<{kind} joint="j" class="h"/>' for kind in KINDS[1:])
    text = f"<mujoco><default>{default}</default>{JOINTED}<actuator>{actuators}</actuator></mujoco>"
    assert apart(text) == []


INNER, OUTER = '<default class="c"><geom margin=".2"/></default>', '<geom friction=".5"/>'


@pytest.mark.parametrize(
    "default",
    [
        f"<default>{INNER}{OUTER}</default>",
        f"<default>{INNER}</default><default>{OUTER}</default>",
        f"<default>{OUTER}</default><default>{INNER}</default>",
    ],
)
def test_a_class_has_the_values_of_the_main_class_so_far(default: str) -> None:
    geoms = '<worldbody><geom class="c" size=".1"/><geom size=".1"/></worldbody>'
    assert apart(f"<mujoco>{default}{geoms}</mujoco>") == []


def test_geoms_of_the_world_beside_a_free_body_are_kept_with_their_types() -> None:
    geoms = (
        '<geom size=".1"/><geom type="sphere" size=".2"/><geom type="plane" size="1 1 .1"/>'
        '<geom type="capsule" size=".2" fromto="0 0 0 0 0 1"/>'
    )
    body = '<body><freejoint/><geom size=".1"/></body>'
    assert apart(f"<mujoco><worldbody>{geoms}{body}</worldbody></mujoco>") == []


def test_geoms_with_data_of_the_world_beside_a_free_body_keep_their_poses() -> None:
    assets = (
        '<mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>'
        '<hfield name="h" nrow="2" ncol="3" size="1 2 3 .1" elevation="0 1 0 0 0 .5"/>'
    )
    geoms = (
        '<geom type="hfield" hfield="h" pos="1 2 3" euler="0 0 90"/>'
        '<geom type="mesh" mesh="m" pos="1 2 3" euler="0 30 90"/>'
    )
    body = '<body><freejoint/><geom size=".1"/></body>'
    world = f'<worldbody><frame pos="0 0 1" euler="0 20 0">{geoms}</frame>{body}</worldbody>'
    assert apart(f"<mujoco><asset>{assets}</asset>{world}</mujoco>") == []


def test_copies_of_other_sections_are_behind_all_others() -> None:
    assert apart(COPIES) == []


def test_keyframes_of_attached_models_place_free_joints(tmp_path: Path) -> None:
    (tmp_path / "ball.xml").write_text(
        '<mujoco><worldbody><body name="b"><freejoint name="f"/><geom size=".1"/><body name="c">'
        '<joint name="j" type="ball"/><geom size=".1"/></body></body></worldbody><keyframe>'
        '<key name="up" qpos="1 2 3 0 1 0 0 0 0 1 0"/></keyframe></mujoco>'
    )
    source = tmp_path / "m.xml"
    source.write_text(
        '<mujoco><asset><model name="ball" file="ball.xml"/></asset><worldbody>'
        '<body name="own"><joint name="x" type="slide"/><geom size=".1"/></body><frame pos="0 0 5">'
        '<attach model="ball" prefix="one_"/></frame>'
        '<attach model="ball" prefix="two_"/></worldbody></mujoco>'
    )
    robot = ub.load(source)
    assert [c.name for c in robot.configurations] == ["one_up", "two_up"]
    ub.save(robot, tmp_path / "out.xml")
    models = [mujoco.MjModel.from_xml_path(str(tmp_path / name)) for name in ("m.xml", "out.xml")]
    assert differences(*models) == []


def test_files_of_assets_that_no_shape_has_are_copied(tmp_path: Path) -> None:
    (tmp_path / "wood.png").write_bytes(write_png((1, 1, 3, 255, 0, 0)) or b"")
    image = '<texture name="wood" type="2d" file="wood.png"/>'
    hidden = '<material name="hidden" texture="wood"/>'
    unused = '<material name="unused"><layer role="rgb" texture="wood"/></material>'
    geom = '<geom size=".1" group="3" material="hidden"/>'
    (tmp_path / "m.xml").write_text(
        f"<mujoco><asset>{image}{hidden}{unused}</asset><worldbody>{geom}</worldbody></mujoco>"
    )
    out = tmp_path / "elsewhere" / "out.xml"
    out.parent.mkdir()
    report = ub.convert(tmp_path / "m.xml", out, plain=True)
    assert not report.losses
    assert (out.parent / "out.xml_files" / "wood.png").is_file()
    ub.convert(tmp_path / "m.xml", out.with_suffix(".urdf"))  # the side-car keeps it
    ub.convert(out.with_suffix(".urdf"), tmp_path / "back.xml")
    for copy in (out, tmp_path / "back.xml"):
        models = (mujoco.MjModel.from_xml_path(str(path)) for path in (tmp_path / "m.xml", copy))
        assert differences(*models) == []


def test_what_only_a_class_says_stays_in_a_class() -> None:
    values = '<default><position kp="50"/><general ctrllimited="true" ctrlrange="-1 1"/></default>'
    inner = '<default class="wide"><tendon width=".02" range="0 1"/></default></default>'
    body = '<worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>'
    drives = '<general joint="j"/><damper joint="j" ctrlrange="0 1"/><motor joint="j"/>'
    tendon = '<tendon><fixed class="wide"><joint joint="j" coef="1"/></fixed></tendon>'
    text = values.replace("</default>", "") + inner
    assert apart(f"<mujoco>{text}{body}{tendon}<actuator>{drives}</actuator></mujoco>") == []


def test_assets_whose_files_are_missing_are_left_out(tmp_path: Path) -> None:
    image = '<texture name="wood" type="2d" file="nowhere.png"/><mesh name="cube" file="nowhere.stl"/>'
    unused = '<material name="unused"><layer role="rgb" texture="wood"/></material>'
    world = '<geom type="mesh" mesh="cube"/><body><freejoint/><geom size=".1"/></body>'
    (tmp_path / "m.xml").write_text(
        f"<mujoco><asset>{image}{unused}</asset><worldbody>{world}</worldbody></mujoco>"
    )
    reading = ub.read(tmp_path / "m.xml")
    assert {f.at.line for f in reading.findings if f.code == "file-missing" and f.at} == {1}
    report = ub.convert(tmp_path / "m.xml", tmp_path / "out.xml", plain=True)
    assert {loss.row.what for loss in report.losses if loss.row} == {"missing files of assets"}
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "out.xml"))
    assert (model.nmat, model.ntex, model.nmesh, model.ngeom) == (1, 0, 0, 1)


@pytest.mark.parametrize("seed", range(4))
def test_polygons_that_are_not_flat_have_the_masses_of_mujoco(seed: int, tmp_path: Path) -> None:
    """A prism whose ends are polygons of 4 to 7 corners, also concave ones, and not flat."""
    rng = np.random.default_rng(seed)
    count = 4 + seed
    angles = np.arange(count) * 2.0 * np.pi / count
    sizes = rng.uniform(0.6, 1.5, count)
    points = [
        (size * np.cos(a), size * np.sin(a), end + rng.normal(scale=0.05))
        for end in (0.0, 2.0)
        for a, size in zip(angles, sizes, strict=True)
    ]
    sides = [(k, (k + 1) % count, count + (k + 1) % count, count + k) for k in range(count)]
    faces = [tuple(reversed(range(count))), tuple(range(count, 2 * count)), *sides]
    lines = [f"v {x} {y} {z}" for x, y, z in points]
    lines += ["f " + " ".join(str(k + 1) for k in face) for face in faces]
    (tmp_path / "prism.obj").write_text("\n".join(lines) + "\n")
    asset = '<asset><mesh name="p" file="prism.obj" inertia="exact"/></asset>'
    body = '<worldbody><body name="b"><geom type="mesh" mesh="p"/></body></worldbody>'
    (tmp_path / "m.xml").write_text(f"<mujoco>{asset}{body}</mujoco>")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "m.xml"))
    inertial = ub.load(tmp_path / "m.xml").link("b").inertial
    assert inertial is not None
    assert inertial.mass == pytest.approx(model.body_mass[1], rel=1e-7)
    assert inertial.com == pytest.approx(model.body_ipos[1], rel=1e-6)
    moments = np.linalg.eigvalsh(np.array(inertial.inertia))
    assert moments == pytest.approx(sorted(model.body_inertia[1]), rel=1e-6)


@pytest.mark.parametrize("folder", ["", "meshes"])
def test_masses_of_meshes_beside_an_included_file(folder: str, tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts/part.obj").write_text(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
    )
    asset = '<asset><mesh name="part" file="part.obj"/></asset>'
    (tmp_path / "parts/assets.xml").write_text(f"<mujoco>{asset}</mujoco>")
    body = '<body name="b"><joint/><geom type="mesh" mesh="part"/></body>'
    (tmp_path / "m.xml").write_text(
        f'<mujoco><compiler meshdir="{folder}"/><include file="parts/assets.xml"/>'
        f"<worldbody>{body}</worldbody></mujoco>"
    )
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "m.xml"))
    assert ub.load(tmp_path / "m.xml").mass == pytest.approx(model.body_mass[1])


def test_a_mesh_that_is_not_opened_is_no_error_of_masses(tmp_path: Path) -> None:
    asset = '<asset><mesh name="part" file="../../part.obj"/></asset>'
    body = '<body name="b"><joint/><geom type="mesh" mesh="part"/></body>'
    (tmp_path / "m.xml").write_text(f"<mujoco>{asset}<worldbody>{body}</worldbody></mujoco>")
    reading = ub.read(tmp_path / "m.xml")
    assert {f.code: f.severity for f in reading.findings if f.severity != "info"} == {
        "outside-model": "warning",
        "mass-unknown": "warning",
    }


@pytest.mark.parametrize(
    "inside",
    [
        "<joint/>",
        '<joint/><geom size=".1" mass="0" pos="1 0 0"/>',
        '<joint/><inertial pos="9 9 9" mass="0" diaginertia="0 0 0"/>',
        '<joint/><geom size=".1" mass="1"/><body pos="5 6 7" euler="0 0 90"/>',
    ],
)
def test_the_least_mass_is_where_mujoco_puts_it(inside: str) -> None:
    body = f'<frame pos="1 0 0" euler="0 0 90"><body pos="1 2 3" euler="0 0 90">{inside}</body></frame>'
    limits = '<compiler boundmass="1" boundinertia="0.1"/>'
    assert apart(f"<mujoco>{limits}<worldbody>{body}</worldbody></mujoco>") == []


@pytest.mark.parametrize("scale", ["2 2 2", "1 2 3", "-1 1 1"])
@pytest.mark.parametrize("turn", ["", 'refquat="0.8 0 0.6 0"', 'refquat="-1e-16 0 0 1"'])
@pytest.mark.parametrize("shift", ["", 'refpos="1 2 3"'])
def test_mesh_files_that_are_moved_turned_and_scaled(
    scale: str, turn: str, shift: str, tmp_path: Path
) -> None:
    (tmp_path / "part.obj").write_text(
        "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
    )
    asset = f'<asset><mesh name="p" file="part.obj" scale="{scale}" {turn} {shift}/></asset>'
    geoms = '<geom type="mesh" mesh="p" pos="1 0 0" euler="10 20 30"/><geom type="mesh" mesh="p"/>'
    body = f'<worldbody><body name="b">{geoms}</body></worldbody>'
    (tmp_path / "m.xml").write_text(f"<mujoco>{asset}{body}</mujoco>")
    ub.save(ub.load(tmp_path / "m.xml"), tmp_path / "out.xml", plain=True)
    models = [mujoco.MjModel.from_xml_path(str(tmp_path / name)) for name in ("m.xml", "out.xml")]
    first, second = (_corners(model) for model in models)
    assert first.shape == second.shape == (2, 4, 3)
    apart = np.linalg.norm(first[:, :, None] - second[:, None], axis=-1)
    assert apart.min(axis=2).max() < 1e-6
    assert models[1].body_ipos == pytest.approx(models[0].body_ipos, rel=1e-6, abs=1e-6)
    assert models[1].body_inertia == pytest.approx(models[0].body_inertia, rel=1e-6)


def _corners(model: Any) -> Any:
    """The corners of the meshes of all geoms (geoms, corners, 3) in the body."""
    out = []
    for pose, quat, mesh in zip(model.geom_pos, model.geom_quat, model.geom_dataid, strict=True):
        start = model.mesh_vertadr[mesh]
        turn = np.zeros(9)
        mujoco.mju_quat2Mat(turn, quat)
        corners = model.mesh_vert[start : start + model.mesh_vertnum[mesh]]
        out.append(corners @ turn.reshape(3, 3).T + pose)
    return np.array(out)


@pytest.mark.parametrize("seed", range(12))
def test_polygons_are_divided_as_by_mujoco(seed: int) -> None:
    """Polygons of 5 to 13 corners, most of which cross themselves, beside a distant tetrahedron."""
    rng = np.random.default_rng(seed)
    polygon = rng.normal(size=(5 + seed % 9, 3)) * (1.0, 1.0, seed % 2)
    far = np.array([[0, 0, 90], [1, 0, 90], [0, 1, 90], [0, 0, 91]])
    points = np.concatenate((polygon, far)).astype(np.float32)
    count = len(polygon)
    faces = [list(range(count)), *([count + k for k in face] for face in _SIDES)]
    lines = [f"v {x} {y} {z}" for x, y, z in points.tolist()]
    lines += ["f " + " ".join(str(k + 1) for k in face) for face in faces]
    text = (
        '<mujoco><asset><mesh name="p" file="p.obj" inertia="shell"/></asset>'
        '<worldbody><geom type="mesh" mesh="p"/></worldbody></mujoco>'
    )
    data = "\n".join(lines).encode()
    model = mujoco.MjModel.from_xml_string(text, {"p.obj": data})
    assert sorted(model.mesh_face.tolist()) == sorted(read_triangles(data, "p.obj").faces.tolist())


def test_corners_of_obj_files_may_count_from_the_last_vertex_so_far() -> None:
    """Two tetrahedra: the faces of each stand behind its own vertices, and count back from there."""
    lines: list[str] = []
    for far in (0, 3):
        lines += [f"v {x + far} {y} {z}" for x, y, z in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))]
        lines += ["f " + " ".join(f"{k - 4}/1/1" for k in face) for face in _SIDES]
    text = (
        '<mujoco><asset><mesh name="p" file="p.obj" inertia="shell"/></asset>'
        '<worldbody><geom type="mesh" mesh="p"/></worldbody></mujoco>'
    )
    data = "\n".join(lines).replace("/1/1", "").encode()
    model = mujoco.MjModel.from_xml_string(text, {"p.obj": data})
    found = read_triangles(data, "p.obj").faces
    assert sorted(found.tolist()) == sorted(
        [a + far, b + far, c + far] for far in (0, 4) for a, b, c in _SIDES
    )
    assert len(model.mesh_face) == len(found)


def test_a_geom_of_a_plugin_stays_between_the_others() -> None:
    """The model has no shape for it: nothing but MuJoCo's plug-in knows its vertices."""
    extension = (
        '<extension><plugin plugin="mujoco.sdf.torus"><instance name="t"><config key="radius1" value=".3"/>'
        "</instance></plugin></extension>"
    )
    mesh = '<asset><mesh name="m"><plugin instance="t"/></mesh></asset>'
    geoms = (
        '<geom name="one" size=".1"/><geom name="made" type="mesh" mesh="m" pos="0 0 1" friction=".5"/>'
        '<geom size=".2"/><geom name="two" type="mesh" mesh="m" contype="0"/>'
    )
    inertial = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
    body = f'<worldbody><body name="a"><joint/>{inertial}{geoms}</body></worldbody>'
    assert apart(f"<mujoco>{extension}{mesh}{body}</mujoco>") == []


def test_robots_that_are_joined_keep_their_files(tmp_path: Path) -> None:
    robots = []
    for name, color in (("a", (255, 0, 0)), ("b", (0, 255, 0))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "wood.png").write_bytes(write_png((1, 1, 3, *color)) or b"")
        asset = '<asset><texture name="wood" type="2d" file="wood.png"/></asset>'
        body = f'<worldbody><body name="{name}"><freejoint/><geom size=".1"/></body></worldbody>'
        (tmp_path / name / "m.xml").write_text(f"<mujoco>{asset}{body}</mujoco>")
        robots.append(ub.load(tmp_path / name / "m.xml"))
    both = ub.attach(robots[0], robots[1], on="a", prefix="b_")
    files = [file for extra in both.extras for file in extra.files]
    assert len(files) == len({file.path for file in files}) == len({file.name for file in files}) == 2


@pytest.mark.parametrize("limited", ["", 'limited="true"', 'limited="false"'])
@pytest.mark.parametrize("limits", ["", 'range="0 30"'])
def test_the_range_of_a_ball_holds_as_it_did(limited: str, limits: str) -> None:
    joint = f'<joint type="ball" {limited} {limits}/>'
    assert apart(f'<mujoco><worldbody><body>{joint}<geom size=".1"/></body></worldbody></mujoco>') == []


@pytest.mark.parametrize(
    ("default", "drives"),
    [
        # what an element of another kind leaves in the default that all kinds share
        ('<general gainprm="4"/><velocity/>', '<velocity joint="j"/>'),
        ('<general biasprm="0 1"/><cylinder timeconst="6"/>', '<general joint="j"/><position joint="j"/>'),
        (
            '<intvelocity kp="6" actrange="-6 6"/><default class="a">'
            '<general gainprm="2" biastype="affine"/><default class="b"><cylinder/></default></default>',
            '<intvelocity joint="j" class="b" kv="6"/><general joint="j" class="a" biasprm="0 3"/>',
        ),
        (
            '<motor/><default class="a"><intvelocity/></default>',
            '<general joint="j" class="a" actrange="0 1"/>',
        ),
    ],
)
def test_classes_for_several_kinds_of_actuators_are_kept(default: str, drives: str) -> None:
    body = '<worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>'
    actuators = f"<actuator>{drives}</actuator>"
    assert apart(f"<mujoco><default>{default}</default>{body}{actuators}</mujoco>") == []
