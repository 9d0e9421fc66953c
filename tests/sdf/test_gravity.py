"""Gravity of links, and that of a world, which the model does not hold."""

from __future__ import annotations

import pytest

from unibody.files.access import MemoryFiles
from unibody.formats.loader import loads, read


def warnings(content: str) -> list[str]:
    text = f'<sdf version="1.11">{content}</sdf>'
    found = read("m.sdf", files=MemoryFiles({"m.sdf": text.encode()}))
    return [f.message for f in found.findings if f.code == "gravity-kept"]


@pytest.mark.parametrize("gravity", ["0 0 -9.8", "0 0 -9.81", "0 0 -9.80665", "0 0 -9.78"])
def test_gravity_of_the_earth_is_no_finding(gravity: str) -> None:
    world = f'<world name="w"><gravity>{gravity}</gravity><model name="m"><link name="a"/></model></world>'
    assert warnings(world) == []


@pytest.mark.parametrize("gravity", ["0 0 0", "0 0 -1.62", "0 -9.81 0", "0 0 9.81"])
def test_another_gravity_is_reported(gravity: str) -> None:
    world = f'<world name="w"><gravity>{gravity}</gravity><model name="m"><link name="a"/></model></world>'
    (message,) = warnings(world)
    assert gravity in message


def test_links_without_gravity_float() -> None:
    links = '<link name="a"><gravity>0</gravity></link><link name="b"/>'
    text = f'<sdf version="1.11"><model name="m">{links}</model></sdf>'
    assert warnings(f'<model name="m">{links}</model>') == []
    found = loads(text)
    assert [link.gravity_compensation for link in found.links if link.name != "world"] == [1.0, 0.0]
