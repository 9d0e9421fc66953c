"""Worlds that would not fit into memory are refused before they take it."""

from __future__ import annotations

import pytest

import unibody as ub

pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")

from unibody.collision.geometry import CollisionError


def test_hundreds_of_free_bodies_are_refused() -> None:
    links = [ub.Link(name="ground")]
    joints = []
    for number in range(60):
        stone = ub.Shape(geometry=ub.Box(size=(0.1, 0.1, 0.1)))
        links.append(ub.Link(name=f"stone {number}", collisions=(stone,)))
        joints.append(ub.Joint(name=f"j{number}", kind="free", parent="ground", child=f"stone {number}"))
    heap = ub.Robot(name="heap", links=tuple(links), joints=tuple(joints))
    with pytest.raises(CollisionError, match=r"'heap' has 360 degrees .* take 3 GB; at most 320"):
        ub.collisions(heap)
