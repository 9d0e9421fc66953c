"""Worlds of every kind: loops, half spaces, second models, free bases, couplings, scenes, bad input."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.collision.adversary import Trial, judged, tally

import unibody as ub

pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")

from unibody.collision.geometry import CollisionError
from unibody.model.pose import from_rpy

SMALL = ub.Sphere(radius=0.1)
CUBE = ub.Box(size=(0.1, 0.1, 0.1))


def at(
    geometry: Any, *xyz: float, name: str = "block", rpy: Any = (0.0, 0.0, 0.0), **given: Any
) -> ub.Shape:
    pose = ub.Pose((*xyz, 0.0, 0.0, 0.0)[:3], from_rpy(*rpy))  # type: ignore[arg-type]
    return ub.Shape(geometry=geometry, name=name, pose=pose, **given)


def one(geometry: Any, kind: Any = "prismatic", axis: Any = (1.0, 0.0, 0.0), **given: Any) -> ub.Robot:
    """A robot of one moving link with one shape."""
    joint = ub.Joint(name="joint", kind=kind, parent="base", child="car", axis=axis, **given)
    links = (ub.Link(name="base"), ub.Link(name="car", collisions=(ub.Shape(geometry=geometry),)))
    return ub.Robot(name="robot", links=links, joints=(joint,), base="fixed")


def mesh(points: Any, faces: Any) -> ub.Mesh:
    words = [i for face in faces for i in (*face, -1)]
    return ub.Mesh(vertices=tuple(np.ravel(points).tolist()), faces=tuple(words))


def test_no_false_free_in_random_worlds() -> None:
    found = tally(range(4), 20)
    assert min(found["free"], found["hit"]) > 10


@pytest.mark.slow
def test_no_false_free_in_2000_motions() -> None:
    found = tally(range(100, 180), 25)
    assert min(found["free"], found["hit"]) > 200


# --- solids without extent, flat meshes, half spaces -------------------------------------------------


FLAT: dict[str, Any] = {
    "point": ub.Sphere(radius=0.0),
    "dot": ub.Box(size=(0.0, 0.0, 0.0)),
    "plate": ub.Box(size=(0.0, 0.5, 0.5)),
    "line": ub.Capsule(radius=0.0, height=0.5),
    "disc": ub.Cylinder(radius=0.1, height=0.0),
    "ellipse": ub.Ellipsoid(radii=(0.1, 0.1, 0.0)),
    "triangle": mesh([[0, -1, -1], [0, 1, -1], [0, 0, 1]], [(0, 1, 2)]),
    "corner": mesh([[0, 0, 0]] * 3, [(0, 1, 2)]),
    "edge": mesh([[0, 0, -0.1], [0, 0, 0.1]], [(0, 1, 0)]),
}


@pytest.mark.parametrize("name", FLAT)
def test_what_is_flat_is_hit(name: str) -> None:
    world = ub.collisions(one(SMALL), [at(FLAT[name])])
    assert world.colliding([[0.0], [0.05]]).all()
    assert not world.colliding([[-1.0], [1.0]]).any()
    assert world.segment([-1.0], [1.0]).status == "hit"
    assert ub.collisions(one(FLAT[name]), [at(CUBE)]).segment([-1.0], [1.0]).status == "hit"


def test_triangles_without_area_are_not_hit_from_afar() -> None:
    rng = np.random.default_rng(0)
    for _ in range(30):
        a, b = rng.normal(scale=0.1, size=(2, 3))
        edge = mesh([a, b, a + rng.random() * (b - a)], [(0, 1, 2), (0, 1, 1)])
        world = ub.collisions(one(ub.Sphere(radius=0.02)), [at(edge)])
        for x in rng.uniform(-1.0, 1.0, 20):
            s = np.clip((np.array([x, 0, 0]) - a) @ (b - a) / ((b - a) @ (b - a)), 0.0, 1.0)
            gap = np.linalg.norm(np.array([x, 0, 0]) - a - s * (b - a)) - 0.02
            assert abs(gap) < 1e-6 or world.colliding([x]) == (gap < 0.0)


SOLIDS: tuple[Any, ...] = (
    SMALL,
    ub.Box(size=(0.1, 0.2, 0.3)),
    ub.Cylinder(radius=0.1, height=0.2),
    ub.Cone(radius=0.1, height=0.2),
    ub.Capsule(radius=0.1, height=0.2),
    ub.Ellipsoid(radii=(0.1, 0.2, 0.3)),
    mesh(np.eye(4)[:, :3], [(0, 1, 2), (0, 1, 3)]),
)


@pytest.mark.parametrize("geometry", SOLIDS, ids=lambda g: type(g).__name__)
def test_half_spaces(geometry: Any) -> None:
    plane = at(ub.Plane(), 0.0, 0.0, -0.5, name="ground", rpy=(0.3, 0.6, 0.0))
    pose = np.array(plane.pose.matrix())
    vertices, _ = ub.mesh(one(geometry), "car", "collision")
    world = ub.collisions(one(geometry), [plane])
    for x in np.linspace(-1.0, 1.0, 9):
        truth = float(((vertices + np.array([x, 0.0, 0.0]) - pose[:3, 3]) @ pose[:3, 2]).min())
        assert world.colliding([x]) == (truth < 0.0)
        (found,) = world.distances([x])
        # triangles of round solids lie inside of them
        assert max(truth, 0.0) - 0.02 < found.distance < max(truth, 0.0) + 1e-9
    assert world.segment([1.0], [2.0]).status == "free"
    assert world.segment([1.0], [-9.0]).status == "hit"
    assert world.inside([0.0]) == ()


def test_a_half_space_that_moves() -> None:
    robot = one(ub.Plane(), "revolute", (0.0, 1.0, 0.0))
    world = ub.collisions(robot, [at(SMALL, 0.0, 0.0, 5.0)])
    assert world.segment([0.0], [0.5]).status == "free"
    assert world.segment([0.0], [4.0]).status == "hit"


# --- motions -----------------------------------------------------------------------------------------


def test_what_grazes_is_near() -> None:
    world = ub.collisions(one(SMALL), [at(ub.Box(size=(9.0, 9.0, 1.0)), 0.0, 0.0, -0.6 - 1e-7)])
    found = world.segment([-1.0], [1.0])
    assert found.status == "near"
    assert found.pair == ("car", "block")
    assert 1e-7 < found.within < 1e-5
    assert found.q is not None
    assert not world.colliding(found.q)


def test_long_motions() -> None:
    tip = at(ub.Box(size=(1e-3, 1e-3, 1e-3)), 1000.0, 0.0, 0.1)
    world = ub.collisions(one(SMALL), [tip])
    assert world.segment([-1000.0], [2000.0]).status == "hit"
    beside = ub.collisions(one(SMALL), [at(tip.geometry, 1000.0, 0.0, 0.101)])
    assert beside.segment([-1000.0], [2000.0]).status == "free"
    arm = ub.collisions(
        one(ub.Box(size=(1.0, 0.1, 0.1)), "revolute", (0.0, 0.0, 1.0)), [at(CUBE, 0.4, 0.0, 0.11)]
    )
    assert arm.segment([0.0], [1000.0]).status == "free"
    far = arm.segment([0.0], [1e8])  # too long for a proof within the effort of one motion
    assert far.status == "near"
    assert arm.segment([0.0], [1e-9]).status == "free"


def test_free_joints_follow_a_line_or_a_screw() -> None:
    robot = one(SMALL, "free")
    a = np.array([-1.0, 0, 0, 1, 0, 0, 0])
    b = np.array([1.0, 0, 0, 0, 0, 0, 1.0])  # half a turn about z, so that the screw is half a circle
    post = at(ub.Cylinder(radius=0.05, height=2.0), name="post")
    world = ub.collisions(robot, [post])
    assert world.segment(a, b, "joints").status == "hit"
    assert world.segment(a, b, "screw").status == "free"
    assert world.segment(a - np.array([1.0, 0, 0, 0, 0, 0, 0]), b, "screw").status == "free"


def test_a_free_base_among_obstacles() -> None:
    links = (ub.Link(name="body", collisions=(ub.Shape(geometry=ub.Box(size=(1.0, 0.02, 0.02))),)),)
    world = ub.collisions(ub.Robot(name="drone", links=links, base="free"), [at(CUBE, 0.0, 0.4)])
    still = np.array([0.0, 0, 0, 1, 0, 0, 0])
    turned = np.array([0.0, 0, 0, math.sqrt(0.5), 0, 0, math.sqrt(0.5)])
    for space in ("joints", "screw"):
        assert world.segment(still, turned, space).status == "hit"
        assert world.segment(still, still + np.array([0, -3.0, 0, 0, 0, 0, 0]), space).status == "free"


def test_coupled_joints_count() -> None:
    arm = one(ub.Box(size=(1.0, 0.1, 0.1)), "revolute", (0.0, 0.0, 1.0))
    lead = ub.Joint(name="lead", kind="revolute", parent="base", child="knob", axis=(0.0, 0.0, 1.0))
    robot = replace(
        arm,
        links=(*arm.links, ub.Link(name="knob")),
        joints=(lead, *arm.joints),
        couplings=(ub.Coupling(joint="joint", leader="lead", ratio=100.0),),
    )
    world = ub.collisions(robot, [at(CUBE, 0.0, 0.4)])
    ends = world.mechanism.apply_couplings(np.array([[0.0, 0.0], [0.016, 0.0]]))
    assert world.segment(*ends).status == "hit"
    assert world.segment(ends[0], 0.5 * ends[1]).status == "free"


def test_loops_are_sampled() -> None:
    robot = _four_bar()
    world = ub.collisions(robot, [at(CUBE, 5.0)], pairs=[])
    q = np.asarray(world.mechanism.close_loops(world.mechanism.initial).q)
    moved = q.copy()
    moved[0] += 0.3
    found = world.segment(q, moved)
    assert found.status == "sampled"
    assert 0.0 < found.step <= 0.01
    assert world.path([q, moved]).status == "sampled"
    assert ub.collisions(robot, [at(ub.Sphere(radius=3.0))]).segment(q, moved).status == "hit"


def _four_bar() -> ub.Robot:
    bar = (ub.Shape(geometry=ub.Box(size=(0.05, 0.05, 0.05))),)
    names = ("ground", "crank", "rod", "rocker")
    joints = tuple(
        ub.Joint(
            name=f"j{k}", kind="revolute", parent=p, child=c, axis=(0.0, 0.0, 1.0), origin=ub.Pose(xyz)
        )
        for k, (p, c, xyz) in enumerate(
            (
                ("ground", "crank", (0, 0, 0)),
                ("crank", "rod", (0, 1.0, 0)),
                ("ground", "rocker", (1.0, 0, 0)),
            )
        )
    )
    loop = ub.Loop(
        name="loop",
        link_a="rod",
        pose_a=ub.Pose((1.0, 0, 0)),
        link_b="rocker",
        pose_b=ub.Pose((0, 1.0, 0)),
        axis=(0.0, 0.0, 1.0),
        holds=ub.Holds(axial=True, radial=True, twist=False, swing=True),
    )
    links = tuple(ub.Link(name=name, collisions=bar) for name in names)
    return ub.Robot(name="four-bar", links=links, joints=joints, loops=(loop,), base="fixed")


def test_a_path_counts_its_segments() -> None:
    world = ub.collisions(one(SMALL), [at(CUBE, 2.5)])
    found = world.path([[0.0], [1.0], [2.0], [3.0]])
    assert found.status == "hit"
    assert found.time is not None
    assert 2.0 < found.time < 3.0
    assert world.path([[0.0]]).status == "free"


# --- models, scenes, pairs, what is inside -----------------------------------------------------------


def test_second_models_of_several_robots() -> None:
    second = ub.Link(name="car", collisions_alt=(ub.Shape(geometry=SMALL),))
    left = replace(one(SMALL), name="left", links=(ub.Link(name="base"), second))
    right = replace(left, name="right", pose=ub.Pose((1.0, 0.0, 0.0)))
    scene = ub.Scene(name="two", robots=(left, right))
    assert ub.collisions(scene).pairs == ()
    world = ub.collisions(scene, shapes="secondary")
    assert world.pairs == (("left:car", "right:car"),)
    assert world.segment([0.0, 0.0], [1.0, 1.0]).status == "free"
    assert world.segment([0.0, 0.0], [1.0, 0.0]).status == "hit"


def test_obstacles_are_robots_too() -> None:
    other = replace(one(SMALL, initial=0.5), name="other")
    world = ub.collisions(one(SMALL), [other], skip=[("base", "other")])
    assert world.pairs == (("car", "other"),)
    assert world.segment([0.0], [0.2]).status == "free"
    assert world.segment([0.0], [0.4]).status == "hit"


def test_inside_of_closed_meshes_only() -> None:
    corners = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    closed = ub.collisions(one(SMALL), [at(mesh(corners, faces))])
    assert closed.inside([0.0]) == (("car", "block"),)
    assert not closed.colliding([0.0])
    assert closed.inside([3.0]) == closed.inside([1.0]) == ()
    assert ub.collisions(one(SMALL), [at(mesh(corners, faces[:-1]))]).inside([0.0]) == ()
    around = ub.collisions(one(mesh(corners, faces)), [at(SMALL)])
    assert around.inside([0.0]) == (("block", "car"),)


def test_contacts_of_aligned_boxes_have_points() -> None:
    world = ub.collisions(one(ub.Box(size=(0.2, 0.1, 0.1))), [at(ub.Box(size=(0.2, 0.2, 0.2)))])
    for x in (0.0, 0.05, 0.1, 0.15):
        (hit,) = world.hits([x])
        assert np.isfinite(hit.points).all()
        assert np.isfinite(hit.normals).all()
        assert hit.depths.max() == pytest.approx(min(0.2 - x, 0.15), abs=1e-6)


@pytest.mark.parametrize("solid", [ub.Capsule(radius=0.3, height=1.0), ub.Cone(radius=0.5, height=1.0)])
def test_contacts_in_the_plane_of_a_triangle_have_points(solid: Any) -> None:
    corners = np.array(list(itertools.product((-0.5, 0.5), repeat=3)))
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    for y, x in itertools.product((0.0, 0.25), (0.5, 1.0)):
        for world in (
            ub.collisions(one(solid), [at(mesh(corners, faces), 0.0, y)]),
            ub.collisions(one(mesh(corners, faces)), [at(solid, 0.0, y)]),
        ):
            for hit in world.hits([x]):
                assert len(hit.points)
                assert np.isfinite(hit.points).all()
                assert np.abs(np.linalg.norm(hit.normals, axis=1) - 1.0).max() < 1e-9
                assert np.abs(hit.depths).max() < 1.0
                # in both of the parts
                assert np.abs(hit.points - (x, 0.0, 0.0)).max() <= 0.8 + 1e-6


def test_distances_are_lower_bounds() -> None:
    """Against the nearest of many points on both shapes, which is an upper bound."""
    rng = np.random.default_rng(3)
    for first, second in itertools.combinations(SOLIDS, 2):
        block = at(second, *rng.normal(scale=0.3, size=3), rpy=rng.normal(size=3))
        world = ub.collisions(one(first), [block])
        points, others = (_points(ub.mesh(one(x), "car", "collision"), rng) for x in (first, second))
        pose = np.array(block.pose.matrix())
        others = others @ pose[:3, :3].T + pose[:3, 3]
        for x in rng.uniform(-1.0, 1.0, 3):
            nearest = np.linalg.norm(
                (points + np.array([x, 0.0, 0.0]))[:, None] - others[None], axis=2
            ).min()
            (found,) = world.distances([x])
            assert found.distance <= nearest + 1e-12
            (again,) = world.distances([x], within=found.distance + 1e-9)
            assert again == found
            assert world.distances([x], within=found.distance - 1e-9) == ()


def _points(surface: Any, rng: np.random.Generator) -> Any:
    """Random points of triangles, which are inside of a round solid."""
    vertices, faces = surface
    some = rng.integers(len(faces), size=500)
    return np.einsum("kc,kcx->kx", rng.dirichlet(np.ones(3), 500), vertices[faces[some]])


def test_a_robot_that_cannot_move() -> None:
    stone = ub.Robot(name="stone", links=(ub.Link(name="l", collisions=(at(CUBE),)),), base="fixed")
    world = ub.collisions(stone, [at(CUBE, 5.0)])
    q = world.mechanism.initial
    rows = np.zeros((3, 0))
    assert world.segment(q, q).status == world.path([q, q]).status == "free"
    assert world.free(rows, rows).tolist() == [True] * 3
    assert bool(world.free(q, q))
    assert not world.colliding(rows).any()


def test_inertias_that_no_body_has_are_no_matter() -> None:
    bad = ub.Inertial(mass=-1.0, inertia=((-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 9.0)))
    robot = one(SMALL)
    world = ub.collisions(
        replace(robot, links=tuple(replace(link, inertial=bad) for link in robot.links)), [at(CUBE)]
    )
    assert world.colliding([0.0])


def test_a_world_without_anything() -> None:
    for robot in (
        one(SMALL),
        one(ub.MeshFile(uri="no.stl")),
        ub.Robot(name="r", links=(ub.Link(name="l"),)),
    ):
        world = ub.collisions(robot, pairs=[], missing="skip")
        q = world.mechanism.initial
        assert not world.colliding(np.stack([q, q])).any()
        assert world.segment(q, q).status == ("incomplete" if world.unread else "free")
        assert not any((world.hits(q), world.distances(q), world.inside(q)))


collisions: Any = ub.collisions
MISSHAPEN = ub.Mesh(vertices=(0.0, 0.0, math.nan, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0), faces=(0, 1, 2))
BAD: list[tuple[Any, str]] = [
    (lambda: collisions(one(ub.MeshFile(uri="no.stl"))), "not found"),
    (lambda: collisions(one(ub.Sphere(radius=math.nan))), "not negative"),
    (lambda: collisions(one(ub.Box(size=(-1.0, 1.0, 1.0)))), "not negative"),
    (lambda: collisions(one(mesh([[0, 0, math.nan], [1, 0, 0], [0, 1, 0]], [(0, 1, 2)]))), "NaN"),
    (lambda: collisions(one(SMALL), at(SMALL)), "obstacles is a list"),
    (lambda: collisions(one(SMALL), skip="ab"), "skip is a list"),
    (lambda: collisions(one(SMALL), skip=[("car", "x")]), "unknown link or obstacle"),
    (lambda: collisions(one(SMALL), pairs=3), "pairs is a list"),
    (lambda: collisions(one(SMALL), pairs="some"), "must be 'file', 'all', 'none'"),
    (lambda: collisions(one(SMALL), pairs=[("car", 1)]), "expected a pair of names"),
    (lambda: collisions(one(SMALL), [None]), "an obstacle is a Robot or a Shape, not NoneType"),
    (lambda: collisions(one(SMALL), [ub.Scene(name="s")]), r"scene\.robots"),
    (lambda: collisions(one(SMALL), ["arm.urdf"]), "reads one"),
    (lambda: collisions(None), "expected a Robot, a Scene or the path of a model file, got NoneType"),
    (lambda: ub.self_collision(one(SMALL), samples=-1), "samples is -1"),
    (lambda: collisions(one(SMALL), missing="maybe"), "must be 'refuse' or 'skip'"),
    (lambda: collisions(one(SMALL), shapes="third"), "must be one of 'collision'"),
    (lambda: collisions(one(SMALL), [at(SMALL), at(SMALL)]), "rename one"),
    (lambda: collisions(one(SMALL)).segment([0.0], [math.nan]), "not finite"),
    (lambda: collisions(one(SMALL)).segment([0.0], [1e300]), "rounding"),
    (lambda: collisions(one(SMALL)).segment([[0.0]], [0.0]), "one configuration"),
    (lambda: collisions(one(SMALL)).colliding([0.0, 1.0]), "expected"),
    (lambda: collisions(one(SMALL)).distances([0.0], within=math.nan), "not a number"),
    (lambda: collisions(one(SMALL)).path([]), "one configuration at least"),
    (lambda: collisions(one(SMALL)).segment([0.0], [1.0], "line"), "space is 'line'; expected 'joints'"),
    (lambda: bool(collisions(one(SMALL)).segment([0.0], [1.0])), "compare its status with 'free'"),
    (lambda: collisions(one(MISSHAPEN)), "NaN or infinite corners"),
    (lambda: collisions(one(SMALL, "free")).colliding(np.zeros(7)), "length 0"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "message"), BAD)
def test_bad_input_is_one_clear_error(call: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        call()
    assert issubclass(CollisionError, ValueError)


def test_the_judge_finds_a_false_verdict() -> None:
    world = ub.collisions(one(SMALL), [at(CUBE)])
    blind = ub.collisions(one(SMALL), [at(CUBE)])
    blind.segment = lambda a, b, space="joints": replace(world.segment(a, a, space))  # type: ignore[method-assign]
    trial = Trial(blind, np.array([-1.0]), np.array([1.0]), "joints", np.zeros(0))
    with pytest.raises(AssertionError, match="collides"):
        judged(trial)


def test_pairs_of_links_are_skipped_too() -> None:
    robot = one(SMALL)
    base = ub.Link(name="base", collisions=(ub.Shape(geometry=SMALL),))
    robot = replace(robot, links=(base, robot.links[1]))
    assert ub.collisions(robot, pairs="all").pairs == (("base", "car"),)
    for pair in (("base", "car"), ("car", "base")):
        assert ub.collisions(robot, pairs="all", skip=[pair]).pairs == ()


@pytest.mark.parametrize(
    ("plain", "wanted", "scale"),
    [
        (ub.Cylinder(radius=0.2, height=0.5), ub.Cylinder(radius=0.4, height=1.5), (2.0, 2.0, 3.0)),
        (ub.Cone(radius=0.2, height=0.5), ub.Cone(radius=0.4, height=1.5), (2.0, 2.0, 3.0)),
        (ub.Capsule(radius=0.2, height=0.5), ub.Capsule(radius=0.4, height=1.0), (2.0, 2.0, 2.0)),
        (ub.Sphere(radius=0.2), ub.Ellipsoid(radii=(0.4, 0.5, 0.6)), (2.0, 2.5, 3.0)),
    ],
    ids=["cylinder", "cone", "capsule", "sphere"],
)
def test_round_shapes_that_stay_round_are_exact(plain: Any, wanted: Any, scale: tuple[float, ...]) -> None:
    """Not triangles: the distances are those of the larger solid, to the last digits."""
    turn = np.array(ub.Pose((0.0, 0.0, 0.0), from_rpy(0.3, 0.4, 0.5)).rotation())
    linear = tuple(tuple(row) for row in (turn @ np.diag(scale)).tolist())
    turned = ub.Shape(geometry=wanted, pose=ub.Pose((1.0, 0.2, 0.1), from_rpy(0.3, 0.4, 0.5)))
    stretched = ub.Shape(geometry=plain, pose=ub.Pose((1.0, 0.2, 0.1)), linear=linear)  # type: ignore[arg-type]
    first, second = (
        ub.collisions(one(SMALL), [shape]).distances([-1.0])[0].distance for shape in (turned, stretched)
    )
    assert 0.5 < first < 2.0
    assert second == pytest.approx(first, abs=1e-9)
