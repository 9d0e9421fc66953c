"""Geometries whose numbers come when they are asked for."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Sequence

import pytest

from unibody.model.shape import Box, LineSet, Mesh, Shape, late, said
from unibody.text.finding import Finding

WRONG = Finding("wrong-value", "error", "not a number")


class Counted:
    """Makes a mesh, and counts how often."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> tuple[Mesh, Sequence[Finding]]:
        self.times += 1
        return Mesh(vertices=(0.0, 0.0, 1.0), faces=(0, -1), ccw=False), [WRONG]


def test_nothing_is_made_before_a_field_is_read() -> None:
    make = Counted()
    mesh = late(Mesh, make)
    assert isinstance(mesh, Mesh)
    shape = dataclasses.replace(Shape(geometry=mesh), name="s")
    assert make.times == 0
    assert mesh.vertices == (0.0, 0.0, 1.0)
    assert mesh.ccw is False
    assert shape.geometry is mesh
    assert make.times == 1


def test_what_was_found_is_said_and_reads_the_numbers() -> None:
    make = Counted()
    mesh = late(Mesh, make)
    assert said(mesh) == (WRONG,)
    assert said(mesh) == (WRONG,)
    assert make.times == 1
    assert said(Mesh(vertices=(), faces=())) == ()
    assert said(Box(size=(1.0, 1.0, 1.0))) == ()


def test_it_is_equal_to_one_that_was_made_at_once() -> None:
    plain = Counted()()[0]
    assert late(Mesh, Counted()) == plain
    assert plain == late(Mesh, Counted())
    assert late(LineSet, lambda: (LineSet(vertices=(), lines=()), [])) != plain


def test_copies_are_whole() -> None:
    plain = Counted()()[0]
    assert copy.deepcopy(late(Mesh, Counted())) == plain
    assert pickle.loads(pickle.dumps(late(Mesh, lambda: (plain, [])))) == plain
    assert dataclasses.replace(late(Mesh, Counted()), ccw=True).ccw is True
    assert "ccw=False" in repr(late(Mesh, Counted()))


def test_what_it_does_not_have() -> None:
    mesh = late(Mesh, Counted())
    with pytest.raises(AttributeError):
        _ = mesh.nothing  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        _ = mesh._nothing  # type: ignore[attr-defined]
    with pytest.raises(dataclasses.FrozenInstanceError):
        mesh.ccw = True  # type: ignore[misc]
