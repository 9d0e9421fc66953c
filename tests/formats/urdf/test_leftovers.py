"""Extras of a URDF model against what its writer writes itself."""

from __future__ import annotations

from dataclasses import replace

import unibody as ub
from unibody.model.robot import Extra
from unibody.text.node import Item, Node, Word


def _attribute(name: str, text: str) -> Item:
    return (name, Word(text), -1)


def test_a_leftover_does_not_repeat_an_attribute_of_its_element() -> None:
    text = (
        "<robot name='r'><link name='a'/><link name='b'/><joint name='j' type='continuous'>"
        "<parent link='a'/><child link='b'/><limit velocity='1' effort='2' jerk='3'/></joint></robot>"
    )
    limit = [_attribute("jerk", "9"), _attribute("effort", "9"), _attribute("k_velocity", "4")]
    items = [("limit", Node("limit", limit), -1), _attribute("name", "other")]
    extra = Extra(format="urdf", owner="joints/j", node=Node("", items))
    written = ub.dumps(replace(ub.loads(text, format="urdf"), extras=(extra,)), format="urdf", plain=True)
    assert written.count("jerk=") == written.count("effort=") == 1
    assert 'jerk="3" k_velocity="4"' in written
    assert "other" not in written
