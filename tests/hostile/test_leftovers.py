"""Leftovers that no file could have given: a model from JSON is written all the same, and keeps them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.sampling import few

import unibody as ub
from unibody.conversion.pipeline import save
from unibody.model.device import Device, Opaque
from unibody.model.robot import Extra
from unibody.text.node import Item, Node, Numbers, Row, Value, Word

FORMATS = {"urdf": "urdf", "body": "body", "openhrp": "wrl", "mpk": "rob"}
ODD: dict[str, tuple[str, Value]] = {
    "tag": ("<script>", Node("<script>")),
    "two words": ("a b", Word("1")),
    "no name": ("", Word("x")),
    "nothing": ("", Node()),
    "inside": ("r", Row([Word("1"), Node("<x>", [("b c", Word("\0"), -1)])])),
    "numbers": ("n", Numbers("1 2 3", form="")),
    "brackets": ("n", Numbers("1 } ] 2", form="")),
    "no numbers": ("n", Numbers("nan hello")),
    "controls": ("k", Word("\x00\x01]]>")),
    "braces": ("}", Word("{")),
    "deeper": ("d", Node("T", [("{", Node("}"), -1)])),
    "lines": ("a\nb", Word("c\nd")),
    "comment": ("#a", Word("#b")),
    "quote": ('"', Word('"', quote='"')),
    "surrogate": ("s", Word("\ud800")),
    "route": ("", Node("ROUTE")),
    "prototype": ("", Node("PROTO")),
    "name": ("", Node("X", name="a b")),
    "comment of XML": ("", Node("!--")),
}
OWNERS = ("", "links/hand", "joints/wrist", "devices/eye", "loops/x", "coordinates/0")
ARM = ub.Robot(
    name="arm",
    links=(ub.Link(name="base"), ub.Link(name="hand")),
    joints=(ub.Joint(name="wrist", kind="revolute", parent="base", child="hand", axis=(0.0, 0.0, 1.0)),),
)


@pytest.mark.parametrize("odd", few(ODD, 4))
@pytest.mark.parametrize("format", FORMATS)
def test_leftovers_that_are_none(format: str, odd: str, tmp_path: Path) -> None:
    key, value = ODD[odd]
    item: Item = (key, value, -1)
    for k, owner in enumerate(OWNERS):
        robot = replace(ARM, extras=(Extra(format=format, owner=owner, node=Node("", [item])),))
        report = save(robot, tmp_path / f"{k}.{FORMATS[format]}")
        assert all(loss.row is not None and loss.carried for loss in report.losses), owner


@pytest.mark.parametrize("target", FORMATS.values())
@pytest.mark.parametrize("format", FORMATS)
def test_leftovers_nested_too_deeply_to_be_carried(format: str, target: str, tmp_path: Path) -> None:
    node = Node("Group", [("a", Word("1"), -1)])
    for _ in range(900):
        node = Node("Group", [("children", node, -1)])
    robot = replace(ARM, extras=(Extra(format=format, node=Node("", [("x", node, -1)])),))
    path = tmp_path / f"a.{target}"
    lost = [loss.path for loss in save(robot, path).losses if not loss.carried]
    # VRML97 says it all itself
    assert [path.partition("/")[0] for path in lost] == (
        [] if (format, target) == ("openhrp", "wrl") else ["extras"]
    )


@pytest.mark.parametrize("odd", few(ODD, 4))
@pytest.mark.parametrize("format", FORMATS)
def test_data_of_devices_that_are_none(format: str, odd: str, tmp_path: Path) -> None:
    key, value = ODD[odd]
    for kind in ("<script>", "PressureSensor", "ray", "Camera"):
        eye = Device(name="eye", link="hand", spec=Opaque(kind=kind, data=Node("", [(key, value, -1)])))
        report = save(replace(ARM, devices=(eye,)), tmp_path / f"{kind[1:4]}.{FORMATS[format]}")
        assert all(loss.row is not None and loss.carried for loss in report.losses), kind
