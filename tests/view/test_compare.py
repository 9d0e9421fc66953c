"""Comparison of two robots: matching items and differences."""

from __future__ import annotations

from dataclasses import replace

from tests.view.test_data import header

import unibody as ub
from unibody.model.inertia import Inertial
from unibody.model.robot import Joint, Link, Robot
from unibody.model.shape import Box, Material, Shape
from unibody.page.compare import comparison
from unibody.page.data import Shown, pages_data

CUBE = Shape(geometry=Box(size=(1.0, 1.0, 1.0)))
A = Robot(
    name="a",
    links=(Link(name="base", visuals=(CUBE,)), Link(name="hand/left"), Link(name="old")),
    joints=(
        Joint(name="wrist", kind="revolute", parent="base", child="hand/left"),
        Joint(name="gone", kind="fixed", parent="base", child="old"),
    ),
)


def test_items_of_the_same_name_match() -> None:
    b = replace(A, links=(A.links[1], A.links[0]), joints=A.joints[:1])
    found = comparison(A, b)
    assert found["links"] == [[0, 1], [1, 0]]
    assert found["joints"] == [[0, 0]]


def test_renamed_items_match() -> None:
    joints = (replace(A.joints[0], name="hand_joint"), A.joints[1])
    found = comparison(A, replace(A, joints=joints))
    assert found["joints"] == [[0, 0], [1, 1]]
    assert [(d["kind"], d["links"]) for d in found["differences"]] == [("renamed", [1, 1])]


def test_differences_have_links() -> None:
    b = replace(A, links=A.links[:2], joints=(replace(A.joints[0], initial=0.5),), name="b")
    found = comparison(A, b)
    links = {d["path"]: d["links"] for d in found["differences"]}
    assert links["joints/wrist/initial"] == [1, 1]
    assert links["links/old"] == [2, -1]
    assert links["name"] == [-1, -1]
    assert found["count"] == len(found["differences"])


def test_differences_are_told_by_what_they_matter_for() -> None:
    red = replace(CUBE, material=Material(diffuse=(1.0, 0.0, 0.0)))
    links = (
        replace(A.links[0], visuals=(red,)),
        replace(A.links[1], inertial=Inertial(mass=2.0)),
        A.links[2],
    )
    b = replace(A, links=links, joints=(replace(A.joints[0], axis=(1.0, 0.0, 0.0)), A.joints[1]))
    found = [(d["aspect"], d["item"], d["field"]) for d in comparison(A, b)["differences"]]
    assert found == [
        ("motion", "wrist", "joint › axis"),
        ("mass", "hand/left", "link › inertial"),
        ("looks", "base", "link › visuals › material"),
    ]


def test_identical_robots_have_no_differences() -> None:
    assert comparison(A, A) == {
        "links": [[0, 0], [1, 1], [2, 2]],
        "joints": [[0, 0], [1, 1]],
        "count": 0,
        "differences": [],
    }


def test_two_robots_share_their_meshes() -> None:
    page = pages_data([Shown(robot=A), Shown(robot=replace(A, name="b"))])
    data = header(page)
    assert len(data["meshes"]) == 1
    assert [robot["name"] for robot in data["robots"]] == ["a", "b"]
    assert data["comparison"]["count"] == len(ub.diff(A, replace(A, name="b")))
    assert header(pages_data([Shown(robot=A)]))["comparison"] is None
