"""Whom a cause strikes and whom it spares, and causes that are one or none: engines are emulated."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.proof.emulated import answer_of
from tests.proof.proving import proved, written

import unibody as ub
from unibody.formats.loader import read_with
from unibody.model.inertia import Inertial, matrix3
from unibody.model.robot import Robot
from unibody.proof.bounds import bounds_words
from unibody.proof.cause import Cause
from unibody.proof.comparison import compare
from unibody.proof.diagnosis import Diagnosis, diagnose
from unibody.proof.engine_noise import noise_of, rounded_bodies, with_rounded
from unibody.proof.mesh_slips import MESHES
from unibody.proof.process import Answer
from unibody.proof.reference import Misreading, Reference, draw_states, reference_of
from unibody.proof.scope import scope_of, spared_by
from unibody.proof.solids import box_of
from unibody.proof.sources import Tree
from unibody.proof.statements import statements_of
from unibody.proof.subject import Subject

_INERTIAL = (
    '<inertial><mass value="{}"/><inertia ixx=".1" iyy=".12" izz=".14" ixy="0" ixz="0" iyz="0"/></inertial>'
)


def chain(joints: str, masses: dict[str, float] | None = None, more: str = "") -> str:
    """A URDF robot with a joint of a kind for each letter (r, p, f), links l0 to ln and joints j1 to jn."""
    kinds = {"r": "continuous", "p": "prismatic", "f": "fixed"}
    text = "".join(
        f'<link name="l{k}">{_INERTIAL.format((masses or {}).get(f"l{k}", 1.0))}</link>'
        for k in range(len(joints) + 1)
    )
    for k, letter in enumerate(joints, 1):
        text += (
            f'<joint name="j{k}" type="{kinds[letter]}"><parent link="l{k - 1}"/><child link="l{k}"/>'
            f'<origin xyz=".1 .2 .{k}"/><axis xyz="0 1 0"/>'
            + ('<limit lower="-1" upper="1" effort="1" velocity="1"/>' if letter == "p" else "")
            + (more.format(k) if more else "")
            + "</joint>"
        )
    return f'<robot name="chain">{text}</robot>'


def diagnosed(reference: Reference, answer: Answer) -> Diagnosis:
    dofs = [reference.dofs[k] for k in answer.facts["dofs"]]
    found = diagnose(reference, draw_states(reference, 12), answer, dofs)
    assert not found.unexplained
    return found


def test_a_cause_without_condition_says_whom_it_spares() -> None:
    tree = Tree(ub.loads(chain("rrrrr"), format="urdf"))
    cause = Cause("origin of the joint ignored", ("j2", "j3", "j5"), ("positions",))
    assert spared_by(tree, cause) == ("j1", "j4")
    assert str(replace(cause, spared=("j1", "j4"))) == (
        "origin of the joint ignored (j2, j3, j5), not j1, j4, which could have it, too"
    )
    # of one that has it, the list is not exact
    assert spared_by(tree, Cause("axis reversed", ("j2",), ("positions",))) == ()
    # all that could have it have it
    assert spared_by(tree, Cause("lost", ("j1", "j2", "j3", "j4", "j5"), ("positions",))) == ()
    # what is fitted is no cause that others could have
    assert spared_by(tree, replace(cause, fitted=True)) == ()


def test_followers_with_an_offset_are_told_by_their_kind() -> None:
    # j1 leads; prismatic j3, j5 and j6, which has no offset, are free of it
    text = chain("rrprpr")
    for k, offset in ((2, 0.3), (3, 0.1), (4, -0.2), (5, 0.4), (6, 0.0)):
        joint = f'<joint name="j{k}"'
        mimic = f'<mimic joint="j1" multiplier="0.7" offset="{offset}"/>'
        at = text.index("</joint>", text.index(joint))
        text = text[:at] + mimic + text[at:]
    tree = Tree(ub.loads(text, format="urdf"))
    cause = Cause("offset of the coupling in degrees", ("j2", "j4"), ("couplings",))
    assert scope_of(tree, cause) == "revolute joints that follow others with an offset"
    assert spared_by(tree, cause) == ("j3", "j5")


def test_what_a_file_states_of_joints_is_a_condition(tmp_path: Path) -> None:
    mark = '<gazebo reference="{}"><disableFixedJointLumping>true</disableFixedJointLumping></gazebo>'
    text = chain("ffrff").replace("</robot>", mark.format("j1") + mark.format("j5") + "</robot>")
    reading = read_with(written(tmp_path, text), plain=True)
    assert reading.robot is not None
    stated = statements_of(reading.node, "urdf")
    cause = Cause("joint moves in the engine", ("j1", "j5"), ("joints",))
    tree = Tree(reading.robot)
    assert scope_of(tree, cause, "urdf", (), stated) == "joints with <disableFixedJointLumping>"
    assert {name for name, words in stated.items() if "<disableFixedJointLumping>" in words} == {"j1", "j5"}


def _without(robot: Robot, count: int) -> Robot:
    """The robot without its last links."""
    return replace(robot, links=robot.links[:-count], joints=robot.joints[:-count])


@pytest.mark.parametrize(
    ("tiny", "scope"),
    [
        (8e-7, "joints that move a link of at most 1e-6 kg (l3) or are below such a joint"),
        (4.7e-6, ""),
    ],
)
def test_a_branch_may_be_left_out_for_its_tiny_link(tiny: float, scope: str) -> None:
    text = chain("rrrr", {"l3": tiny, "l1": 4e-6})
    reference = reference_of(ub.loads(text, format="urdf", base="fixed"), "urdf")
    engine = replace(reference, robot=_without(reference.robot, 2))
    answer = answer_of(engine, draw_states(reference, 12))
    answer = replace(answer, facts={**answer.facts, "dofs": [0, 1]})
    (cause,) = diagnosed(reference, answer).causes
    assert cause.cause == "joint dropped: the engine does not have the body that it moves"
    assert (cause.owners, cause.scope) == (("j3", "j4"), scope)


_CART = """<mujoco><compiler angle="radian"/><worldbody><body name="cart">
<inertial pos="0 .1 .02" mass="2" diaginertia=".02 .03 .025"/><joint name="rail" type="slide" axis="1 0 0"/>
<body name="pole" pos=".1 .2 .3"><inertial pos=".1 .03 .02" mass="1" diaginertia=".02 .03 .025"/>
<joint name="turn" axis="0 1 0" range="-1 1"/>
<body name="tip" pos=".1 .2 .3"><inertial pos=".1 .03 .02" mass="1" diaginertia=".02 .03 .025"/>
<joint name="bend" axis="0 1 0" range="-1 1" solreflimit=".05 .8"/></body></body></body>
</worldbody></mujoco>"""


def test_a_lost_joint_of_the_root_body_fixes_the_base() -> None:
    robot = ub.loads(_CART, format="mjcf")
    tree = Tree(robot)
    cause = Cause("joint welded", ("rail",), ("joints",))
    # the world is no link without mass
    assert scope_of(tree, cause, "mjcf") == ""
    reference = reference_of(robot, "mjcf")
    joints = tuple(replace(x, kind="fixed") if x.name == "rail" else x for x in reference.robot.joints)
    engine = replace(reference, robot=replace(reference.robot, joints=joints))
    answer = answer_of(engine, draw_states(reference, 12))
    answer = replace(answer, facts={**answer.facts, "dofs": [1, 2]})
    told = [str(each) for each in diagnosed(reference, answer).causes]
    assert told[0] == (
        "joint welded: the engine fixes the base to the world (rail), "
        "the joints of the root body and no others"
    )


def with_solver(reference: Reference, numbers: dict[str, tuple[float, float]], resistance: float) -> Answer:
    answer = answer_of(reference, draw_states(reference, 12))
    for joint in answer.facts["joints"]:
        solvers = {name: list(values) for name, values in reference.solvers[joint["name"]].items()}
        solvers["solreflimit"] = list(numbers.get(joint["name"], solvers["solreflimit"]))
        joint |= {"solvers": solvers, "resistance": resistance}
    return answer


def test_numbers_for_the_solver_of_limits_are_compared() -> None:
    reference = reference_of(ub.loads(_CART, format="mjcf"), "mjcf")
    assert reference.solvers["bend"]["solreflimit"] == (0.05, 0.8)
    assert not diagnosed(reference, with_solver(reference, {}, 2.0)).causes
    # joints without limits have none
    assert not diagnosed(reference, with_solver(reference, {"rail": (1.0, 2.0)}, 2.0)).causes
    (cause,) = diagnosed(reference, with_solver(reference, {"bend": (0.02, 1.0)}, 2.0)).causes
    assert str(cause).startswith("solreflimit ignored: it is the default (bend)")
    # stiffness and damping are multiplied by 2 (1 - 0.95)
    factor = 2.0 * 0.05
    scaled = {
        name: (time / factor, ratio * math.sqrt(factor))
        for name, (time, ratio) in (("bend", (0.05, 0.8)), ("turn", (0.02, 1.0)))
    }
    (cause,) = diagnosed(reference, with_solver(reference, scaled, 2.0)).causes
    assert cause.owners == ("turn", "bend")
    assert cause.cause == (
        "solreflimit scaled by the inertia of the joint: taken as stiffness and damping of forces, not of "
        "accelerations, multiplied by (1 - dmax) / its inertia"
    )
    (cause,) = diagnosed(reference, with_solver(reference, {"bend": (0.1, 0.8)}, 2.0)).causes
    assert cause.cause == "time constant of solreflimit multiplied by 2"


def test_what_an_engine_states_is_that_of_the_joint_that_it_moves() -> None:
    reference = reference_of(ub.loads(_CART, format="mjcf"), "mjcf")
    exchanged = {"turn": Misreading("bend"), "bend": Misreading("turn")}
    answer = answer_of(replace(reference, readings=exchanged), draw_states(reference, 12))
    for joint in answer.facts["joints"]:
        # "turn" of the engine moves the bend
        solvers = reference.solvers[{"turn": "bend", "bend": "turn"}.get(joint["name"], joint["name"])]
        joint |= {"solvers": solvers, "resistance": 2.0}
    (order,) = diagnosed(reference, answer).causes
    assert order.subject is Subject.ORDER
    for joint in answer.facts["joints"]:
        if joint["name"] == "turn":
            joint["solvers"] = joint["solvers"] | {"solreflimit": (0.1, 0.8)}
    causes = [(x.cause, x.owners) for x in diagnosed(reference, answer).causes]
    assert ("time constant of solreflimit multiplied by 2", ("bend",)) in causes


# --- meshes ---------------------------------------------------------------------------------------

# An L without symmetry: (x, y) of its corners, from z = 0 to 0.1; and a wedge.
_L = ((0.0, 0.0), (0.4, 0.0), (0.4, 0.1), (0.1, 0.1), (0.1, 0.3), (0.0, 0.3))
_WEDGE = "v 0 0 0\nv .3 0 0\nv 0 .2 0\nv 0 0 .1\n" + "".join(
    f"f {each}\n" for each in ("1 3 2", "1 2 4", "1 4 3", "2 3 4")
)
_OTHER = _WEDGE.replace("v .3 0 0", "v .2 0 0").replace("v 0 0 .1", "v .1 .1 .4")


def _prism() -> str:
    points = [f"v {x} {y} {z}\n" for z in (0.0, 0.1) for x, y in _L]
    faces = []
    for a, b, c in ((0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)):
        faces += [f"f {a + 1} {c + 1} {b + 1}\n", f"f {a + 7} {b + 7} {c + 7}\n"]
    for k in range(6):
        n = (k + 1) % 6
        faces += [f"f {k + 1} {n + 1} {n + 7}\n", f"f {k + 1} {n + 7} {k + 7}\n"]
    return "".join((*points, *faces))


def meshes(folder: Path, assets: str, geoms: list[str]) -> Path:
    bodies = "".join(
        f'<body name="b{k}"><joint name="j{k}" axis="0 1 0"/>{each}</body>' for k, each in enumerate(geoms)
    )
    text = f"<mujoco><asset>{assets}</asset><worldbody>{bodies}</worldbody></mujoco>"
    return written(folder, text, "meshes.xml")


def boxes_of(made: dict[tuple[str, str], np.ndarray]) -> Answer:
    shapes = [{"link": link, "role": role, "whole": True, "hull": False} for link, role in made]
    facts = {
        "links": sorted({x for x, _ in made}),
        "shapes": shapes,
        "shape_roles": ["collision", "visual"],
    }
    return Answer(facts=facts, arrays={"boxes": np.array([*made.values()])})


def test_an_ignored_unit_of_meshes_is_one_cause_where_they_are_scaled_too(tmp_path: Path) -> None:
    written(tmp_path, _WEDGE, "wedge.obj")
    assets = "".join(
        f'<mesh name="m{k}" file="wedge.obj" scale="{x} {x} {x}"/>'
        for k, x in enumerate((0.0254, 0.0127, 0.0254, 1.0))
    )
    geoms = [f'<geom type="mesh" mesh="m{k}"/>' for k in range(4)]
    reference = reference_of(ub.load(meshes(tmp_path, assets, geoms)), "mjcf")
    made = {}
    for (link, role), (solid,) in reference.solids.items():
        changed = replace(solid, scale=solid.scale / 0.0254) if link != "b3" else solid
        made[link, role] = box_of(changed)
    answer = boxes_of(made)
    owners = [f"b{k}/{role}" for k in range(3) for role in ("collision", "visual")]
    words = bounds_words(reference, answer, owners, 1e-6)
    common = set.intersection(*({*each} for each in words.values()))
    assert common == {"unit of the mesh ignored: in inches, 39.37 times too large"}
    # a scale alone is told as lost
    assert min(words["b0/visual"], key=lambda x: words["b0/visual"][x]) == "scale of the mesh lost"


def test_a_mesh_of_the_same_name_of_the_same_link_is_told(tmp_path: Path) -> None:
    for name, text in (("c/part.obj", _WEDGE), ("v/part.obj", _OTHER), ("v/own.obj", _OTHER)):
        (tmp_path / name[0]).mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    files = (("c", "c/part"), ("v", "v/part"), ("o", "v/own"))
    assets = "".join(f'<mesh name="{name}" file="{file}.obj"/>' for name, file in files)
    pair = '<geom type="mesh" mesh="c"/><geom type="mesh" mesh="{}" contype="0" conaffinity="0" mass="0"/>'
    geoms = [pair.format(x) for x in "vovo"]
    reference = reference_of(ub.load(meshes(tmp_path, assets, geoms)), "mjcf")
    other = next(x for x in reference.solids["b0", "visual"] if x.file.startswith("v/"))
    (own,) = reference.solids["b0", "collision"]
    answer = boxes_of({("b0", "collision"): box_of(replace(own, points=other.points))})
    words = bounds_words(reference, answer, ["b0/collision"], 1e-6)
    told = "wrong mesh: collision and visual mesh of the link, of the same file name, exchanged"
    assert words == {"b0/collision": {told: 1.0}}
    cause = Cause(told, ("b0/collision", "b2/collision"), ("bounds",))
    assert scope_of(Tree(reference.robot), cause, "mjcf") == "links with two mesh files of one name"


def test_another_rule_for_the_volume_of_meshes_is_named(tmp_path: Path) -> None:
    written(tmp_path, _prism(), "l.obj")
    written(tmp_path, _WEDGE, "wedge.obj")
    assets = '<mesh name="l" file="l.obj"/><mesh name="w" file="wedge.obj"/>'
    geoms = [f'<geom type="mesh" mesh="{x}" density="{500 + 100 * k}"/>' for k, x in enumerate("lwwl")]
    reference = reference_of(ub.load(meshes(tmp_path, assets, geoms)), "mjcf")
    slip = next(x for x in MESHES if '"exact"' in x.cause and "kept" not in x.cause)
    engine = slip.change(reference, ["b0", "b3"])
    inertial = engine.robot.link("b0").inertial
    assert inertial is not None
    assert math.isclose(inertial.mass, 500.0 * 0.006, rel_tol=1e-6)
    answer = answer_of(engine, draw_states(reference, 12))
    (cause,) = diagnosed(reference, answer).causes
    assert str(cause) == (
        'volume of meshes by the rule "exact", not by that of the file (inertia of <mesh>) (b0, b3)'
    )


# --- what engines round ---------------------------------------------------------------------------


def _rounded(reference: Reference, away: dict[str, float]) -> Reference:
    def of(own: Inertial, share: float) -> Inertial:
        inertia = np.array(own.inertia)
        inertia[0, 1] = inertia[1, 0] = inertia[0, 1] + share * float(inertia.max())
        return replace(own, inertia=matrix3(inertia))

    links = tuple(
        replace(x, inertial=of(x.inertial, away[x.name])) if x.name in away and x.inertial else x
        for x in reference.robot.links
    )
    return replace(reference, robot=replace(reference.robot, links=links))


def test_what_an_engine_rounds_in_any_file_is_no_cause() -> None:
    reference = reference_of(ub.loads(chain("rrr"), format="urdf", base="fixed"), "urdf")
    states = draw_states(reference, 12)
    own = answer_of(_rounded(reference, {"l1": 3e-8, "l2": 1e-8, "l3": 1e-3}), states)
    answer = answer_of(_rounded(reference, {"l1": 2e-8, "l2": 1e-7, "l3": 1e-3}), states)
    dofs = [reference.dofs[k] for k in answer.facts["dofs"]]
    noise = noise_of(compare(reference, states, own, dofs))
    assert 2e-8 < noise["inertia"] < 4e-8
    found = compare(reference, states, answer, dofs)
    assert rounded_bodies(reference, found, noise) == ["l1"]
    kept = with_rounded(reference, answer, ["l1"])
    assert compare(kept, states, answer, dofs).by_owner["inertia"]["l1"] == 0.0


def test_engines_are_asked_what_they_round_of_the_own_file(tmp_path: Path) -> None:
    # MuJoCo leaves the axes of a turned mesh where its iteration ends
    written(tmp_path, _WEDGE, "wedge.obj")
    geom = '<geom type="mesh" mesh="w" quat=".9 .2 -.3 .1"/>'
    first = meshes(tmp_path, '<mesh name="w" file="wedge.obj"/>', [geom] * 4)
    text = first.read_text("utf-8").replace('axis="0 1 0"', 'axis="0 -1 0"', 2)
    result = proved("mujoco", first, written(tmp_path, text, "other.xml"), states=5)
    assert [cause.cause for cause in result.causes] == ["sign of the axis"]
    assert result.causes[0].owners == ("j0", "j1")
    assert result.json()["causes"][0]["spared"] == ["j2", "j3"]
