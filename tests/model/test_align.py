from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace

import pytest
from tests.model.strategies import again, boxes, lines, robot_of, with_shapes

from unibody.model.facts import diff
from unibody.model.inertia import Inertial
from unibody.model.json import dumps, loads
from unibody.model.pose import Pose
from unibody.model.robot import (
    Dynamics,
    Extra,
    Joint,
    Link,
    Robot,
)
from unibody.model.shape import Cylinder, MeshFile, Shape, Sphere
from unibody.model.traverse import part
from unibody.text.finding import Findings

SINK = robot_of("kitchen_sink")


def renamed_everywhere(robot: Robot, old: str, new: str) -> Robot:
    text = dumps(robot).replace(f'"{old}"', f'"{new}"').replace(f'/{old}"', f'/{part(new)}"')
    back = loads(text, "renamed.json", Findings())
    assert back is not None
    return back


@pytest.mark.parametrize(
    ("path", "new"),
    [
        ("links/WAIST", "PELVIS"),
        ("links/TOOL MOUNT", "FLANGE"),
        ("joints/CHEST_PITCH", "TORSO/JOINT"),
        ("joints/SLIDE", "SLIDE_2"),
        ("devices/CAMERA", "CAM"),
        ("frames/TIP", "POINT"),
        ("loops/WELD", "WELDED"),
        ("configurations/READY", "SET"),
        ("groups/LOWER", "LEGS"),
    ],
)
def test_a_renamed_item_is_one_difference(path: str, new: str) -> None:
    other = renamed_everywhere(SINK, path.partition("/")[2], new)
    assert lines(diff(SINK, other)) == [f"{path}: renamed to {new}"]


def prefixed(robot: Robot) -> Robot:
    names = [item.name for items in (robot.links, robot.joints, robot.devices) for item in items]
    for name in names:
        robot = renamed_everywhere(robot, name, f"r1_{name}")
    return robot


def test_a_prefix_on_every_name_is_only_renames() -> None:
    found = diff(SINK, prefixed(SINK))
    assert {d.kind for d in found} == {"renamed"}
    assert len(found) == len(SINK.links) + len(SINK.joints) + len(SINK.devices)
    assert all(d.after == f"r1_{d.before}" for d in found)


def test_bare_links_are_told_apart_by_their_joints() -> None:
    names = ["a", "b", "c", "d"]
    links = tuple(Link(name=n) for n in ("root", *names))
    joints = tuple(Joint(name=f"j{n}", kind="fixed", parent="root", child=n) for n in names)
    old = Robot(name="r", links=links, joints=joints)
    other_links = tuple(Link(name=n) for n in ("root", "D", "C", "B", "A"))
    new = Robot(
        name="r", links=other_links, joints=tuple(replace(j, child=j.child.upper()) for j in joints)
    )
    found = diff(old, new)
    assert sorted(str(d) for d in found if d.kind == "renamed") == [
        f"links/{n}: renamed to {n.upper()}" for n in names
    ]
    assert lines([d for d in found if d.kind != "renamed"]) == [
        "links: moved ('A', 'B', 'C', 'D') → ('D', 'C', 'B', 'A')"
    ]


def test_a_new_name_with_new_content_is_another_item() -> None:
    a = Robot(name="r", links=(Link(name="a", inertial=Inertial(mass=1.0)), Link(name="k")))
    b = Robot(name="r", links=(Link(name="b", inertial=Inertial(mass=2.0)), Link(name="k")))
    assert lines(diff(a, b)) == ["links/a: removed link", "links/b: added link"]


def test_one_of_two_alike_is_renamed_and_the_other_removed() -> None:
    a = Robot(name="r", devices=SINK.devices[:1], links=(Link(name="x"), Link(name="y")))
    b = Robot(name="r", devices=SINK.devices[:1], links=(Link(name="z"),))
    assert lines(diff(a, b)) == ["links/x: renamed to z", "links/y: removed link"]


def test_references_to_a_renamed_item_still_count() -> None:
    other = replace(
        SINK, links=tuple(replace(x, name="PELVIS") if x.name == "WAIST" else x for x in SINK.links)
    )
    found = diff(SINK, other)
    assert str(found[0]) == "links/WAIST: renamed to PELVIS"
    assert "joints/CHEST_PITCH/parent: changed 'PELVIS' → 'WAIST'" in lines(found)


def test_another_order_is_one_difference() -> None:
    links = SINK.links
    assert lines(diff(SINK, replace(SINK, links=(*links[1:3], links[0], *links[3:])))) == [
        "links: moved ('WAIST', 'CHEST', 'HEAD') → ('CHEST', 'HEAD', 'WAIST')"
    ]
    found = diff(SINK, replace(SINK, links=links[::-1], joints=SINK.joints[::-1], extras=SINK.extras[::-1]))
    assert [(d.path, d.kind) for d in found] == [
        ("links", "moved"),
        ("joints", "moved"),
        ("extras", "moved"),
    ]


def test_shapes_are_matched_by_what_they_are() -> None:
    one = with_shapes(1, 2, 3, 4)
    assert lines(diff(one, with_shapes(2, 3, 4))) == ["links/L/visuals/0: removed box"]
    assert lines(diff(one, with_shapes(1, 2, 9, 3, 4))) == ["links/L/visuals/2: added box"]
    assert lines(diff(one, with_shapes(3, 1, 2, 4))) == [
        "links/L/visuals: moved ('0', '1', '2') → ('1', '2', '0')"
    ] or [d.kind for d in diff(one, with_shapes(3, 1, 2, 4))] == ["moved"]
    assert lines(diff(with_shapes(), one)) == [f"links/L/visuals/{i}: added box" for i in range(4)]
    assert diff(with_shapes(1, 1, 1), with_shapes(1, 1, 1)) == []
    assert lines(diff(with_shapes(1, 1, 1), with_shapes(1, 1))) == ["links/L/visuals/2: removed box"]


def test_a_changed_shape_is_matched_by_most_equal_facts() -> None:
    one, two, three = boxes(1, 2, 3)
    changed = replace(two, geometry=Sphere(radius=1.0), name="ball")
    a = Robot(name="r", links=(Link(name="L", visuals=(one, two, three)),))
    b = Robot(name="r", links=(Link(name="L", visuals=(changed, one, three)),))
    assert lines(diff(a, b)) == [
        "links/L/visuals/1/geometry: changed box → sphere",
        "links/L/visuals/1/name: added 'ball'",
        "links/L/visuals: moved ('1', '0') → ('0', '1')",
    ]


def test_a_shape_of_another_kind_is_matched_by_its_position() -> None:
    """Where one was left out, the mesh of a cylinder is not what became of a mesh elsewhere."""
    files = [MeshFile(uri=uri, scale=(2.0, 3.0, 4.0)) for uri in ("lost.stl", "gone.stl")]
    spots = [Pose((float(k), 0.0, 1.0)) for k in range(4)]
    before = (
        Shape(geometry=files[0], pose=spots[0]),
        Shape(geometry=Cylinder(radius=0.5, height=1.0), pose=spots[1]),
        Shape(geometry=Sphere(radius=0.5), pose=spots[2]),
        Shape(geometry=files[1], pose=spots[3]),
    )
    after = tuple(Shape(geometry=MeshFile(uri=f"{k}.obj"), pose=spots[k]) for k in (1, 2))
    a, b = (Robot(name="r", links=(Link(name="L", visuals=x),)) for x in (before, after))
    assert lines(diff(a, b)) == [
        "links/L/visuals/0: removed mesh file 'lost.stl'",
        "links/L/visuals/1/geometry: changed cylinder → mesh file '1.obj'",
        "links/L/visuals/2/geometry: changed sphere → mesh file '2.obj'",
        "links/L/visuals/3: removed mesh file 'gone.stl'",
    ]


@pytest.mark.slow
def test_many_changed_shapes_are_compared_in_good_time() -> None:
    start = time.process_time()
    sizes = [float(i) for i in range(1500)]
    found = diff(with_shapes(*sizes), with_shapes(*[s + 0.5 for s in sizes]))
    assert len(found) == 3000
    assert time.process_time() - start < 10.0


def test_leftovers_of_two_formats_are_never_one_that_changed() -> None:
    a = Robot(name="r", extras=(Extra(format="body", owner="links/a"),))
    b = Robot(name="r", extras=(Extra(format="urdf", owner="links/a"),))
    assert lines(diff(a, b)) == [
        "extras/0: removed vendor data of links/a",
        "extras/0: added vendor data of links/a",
    ]


@pytest.mark.slow
def test_two_thousand_links_compare_in_good_time() -> None:
    links = tuple(
        Link(name=f"l{i}", inertial=Inertial(mass=float(i)), visuals=boxes(i)) for i in range(2000)
    )
    joints = tuple(
        Joint(
            name=f"j{i}",
            kind="revolute",
            parent=f"l{i}",
            child=f"l{i + 1}",
            dynamics=Dynamics(damping=i / 7),
        )
        for i in range(1999)
    )
    robot = Robot(name="r", links=links, joints=joints)
    other = Robot(
        name="r",
        links=tuple(replace(x, name=f"p_{x.name}") for x in links),
        joints=tuple(
            replace(j, name=f"p_{j.name}", parent=f"p_{j.parent}", child=f"p_{j.child}") for j in joints
        ),
    )
    start = time.process_time()
    assert diff(robot, again(robot)) == []
    assert Counter(d.kind for d in diff(robot, other)) == {"renamed": 3999}
    assert time.process_time() - start < 30.0


def test_roots_with_the_same_joints_on_them_are_one_link() -> None:
    def named(root: str, mass: float) -> Robot:
        links = (Link(name=root, inertial=Inertial(mass=mass)), Link(name="arm"))
        return Robot(
            name="r", links=links, joints=(Joint(name="j", kind="fixed", parent=root, child="arm"),)
        )

    changed = [line.split(":")[0] for line in lines(diff(named("world", 1.0), named("world_link", 2.0)))]
    assert changed == ["links/world", "links/world_link/inertial/mass"]
