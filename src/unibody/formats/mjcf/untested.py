"""How an MJCF file states that two links need no test for collision."""

from __future__ import annotations

from unibody.model.base import WORLD
from unibody.model.collision import PairRules
from unibody.model.robot import Robot
from unibody.text.node import Node


def untested(robot: Robot, a: str, b: str) -> str:
    """What excludes a pair of links, and why MuJoCo tests it if a joint connects them."""
    if pair := _pair(robot, a, b):
        return f"remove {pair} from <contact>: MuJoCo tests it whatever the file excludes"
    element = f'add <exclude body1="{a}" body2="{b}"/> to <contact>'
    still = _fixed(robot, a, b)
    if not still:
        return element
    reason = "" if still == WORLD else f", as '{still}' is without a <freejoint/>"
    return f"{element}: MuJoCo tests what a joint connects to a body that is fixed to the world{reason}"


def _pair(robot: Robot, a: str, b: str) -> str:
    """The first <pair> of geoms of two links; "" without one."""
    owners = {shape.name: link.name for link in robot.solids for shape in link.collisions if shape.name}
    sections = [
        value
        for extra in robot.extras
        if extra.format == "mjcf" and not extra.owner
        for key, value, _ in extra.node.items
        if key == "contact" and isinstance(value, Node)
    ]
    for section in sections:
        for key, value, _ in section.items:
            if key != "pair" or not isinstance(value, Node):
                continue
            geoms = [value.word(name) or "" for name in ("geom1", "geom2")]
            if {owners.get(geom) for geom in geoms} == {a, b}:
                return f'<pair geom1="{geoms[0]}" geom2="{geoms[1]}"/>'
    return ""


def _fixed(robot: Robot, a: str, b: str) -> str:
    """The one of two adjacent links that is fixed to the world; "" if there is none."""
    rules = PairRules(robot)
    if robot.base != "fixed" or not rules.are_adjacent(a, b):
        return ""
    carried = {joint.child for joint in robot.joints}
    ground = {rules.body(link.name) for link in robot.links if link.name not in carried}
    return next((name for name in (a, b) if rules.body(name) in ground), "")
