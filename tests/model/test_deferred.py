"""Deferred geometries: fields that are computed when the first of them is read."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Sequence

import pytest

from unibody.model.shape import Box, LineSet, Mesh, Shape, conversion_findings, defer_geometry
from unibody.text.finding import Finding

WRONG = Finding("wrong-value", "error", "not a number")


class Counted:
    """Converts a mesh, and counts how often."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> tuple[Mesh, Sequence[Finding]]:
        self.times += 1
        return Mesh(vertices=(0.0, 0.0, 1.0), faces=(0, -1), ccw=False), [WRONG]


def test_nothing_is_converted_before_a_field_is_read() -> None:
    make = Counted()
    mesh = defer_geometry(Mesh, make)
    assert isinstance(mesh, Mesh)
    shape = dataclasses.replace(Shape(geometry=mesh), name="s")
    assert make.times == 0
    assert mesh.vertices == (0.0, 0.0, 1.0)
    assert mesh.ccw is False
    assert shape.geometry is mesh
    assert make.times == 1


def test_findings_convert_the_numbers() -> None:
    make = Counted()
    mesh = defer_geometry(Mesh, make)
    assert conversion_findings(mesh) == (WRONG,)
    assert conversion_findings(mesh) == (WRONG,)
    assert make.times == 1
    assert conversion_findings(Mesh(vertices=(), faces=())) == ()
    assert conversion_findings(Box(size=(1.0, 1.0, 1.0))) == ()


def test_it_equals_a_geometry_that_is_not_deferred() -> None:
    plain = Counted()()[0]
    assert defer_geometry(Mesh, Counted()) == plain
    assert plain == defer_geometry(Mesh, Counted())
    assert defer_geometry(LineSet, lambda: (LineSet(vertices=(), lines=()), [])) != plain


def test_copies_are_whole() -> None:
    plain = Counted()()[0]
    assert copy.deepcopy(defer_geometry(Mesh, Counted())) == plain
    assert pickle.loads(pickle.dumps(defer_geometry(Mesh, lambda: (plain, [])))) == plain
    assert dataclasses.replace(defer_geometry(Mesh, Counted()), ccw=True).ccw is True
    assert "ccw=False" in repr(defer_geometry(Mesh, Counted()))


def test_what_it_does_not_have() -> None:
    mesh = defer_geometry(Mesh, Counted())
    with pytest.raises(AttributeError):
        _ = mesh.nothing  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        _ = mesh._nothing  # type: ignore[attr-defined]
    with pytest.raises(dataclasses.FrozenInstanceError):
        mesh.ccw = True  # type: ignore[misc]
