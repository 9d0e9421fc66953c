"""URDF models written inline, read from memory, with every finding accounted for."""

from __future__ import annotations

from collections.abc import Mapping

from unibody.files.access import MemoryFiles
from unibody.formats.loader import Reading, read
from unibody.model.device import Device
from unibody.model.inertia import Inertial
from unibody.model.robot import Joint, Robot
from unibody.model.shape import Shape

TWO_LINKS = "<link name='a'/><link name='b'/>"
ENDS = "<parent link='a'/><child link='b'/>"
INERTIA = "<inertia ixx='1' ixy='0' ixz='0' iyy='2' iyz='0' izz='3'/>"
# Links without inertia are told of; few of these small models need any.
USUAL = {"inertia-missing"}


def reading(content: str, files: Mapping[str, str] | None = None) -> Reading:
    """What reading a robot with this content gives; a text that begins with <robot is taken whole."""
    text = (
        content if content.lstrip().startswith(("<?", "<robot")) else f"<robot name='r'>{content}</robot>"
    )
    contents = {"m/test.urdf": text, "m/a.stl": "solid", "m/t.png": "", **(files or {})}
    return read("m/test.urdf", files=MemoryFiles({path: data.encode() for path, data in contents.items()}))


def robot(content: str, *codes: str, files: Mapping[str, str] | None = None) -> Robot:
    """The robot of a content that gives exactly these findings (besides the usual ones) and no error."""
    found = reading(content, files)
    assert found.ok, [str(f) for f in found.findings]
    assert found.robot is not None
    said = {f.code for f in found.findings} - (USUAL - set(codes))
    assert said == set(codes), [str(f) for f in found.findings]
    return found.robot


def errors(content: str) -> set[str]:
    """The codes of the errors of a content."""
    return {f.code for f in reading(content).findings if f.severity == "error"}


def warnings(content: str) -> set[str]:
    """The codes of the warnings of a content without errors."""
    findings = reading(content).findings
    assert all(f.severity != "error" for f in findings), findings
    return {f.code for f in findings if f.severity == "warning"}


def link(content: str, *codes: str) -> Robot:
    """A robot of one link with this content."""
    return robot(f"<link name='a'>{content}</link>", *codes)


def inertial(content: str, *codes: str) -> Inertial | None:
    """The mass data of a link with this inertial element."""
    return link(f"<inertial>{content}</inertial>", *codes).links[0].inertial


def visual(content: str, *codes: str) -> Shape:
    """The shape of a visual element with this content."""
    (found,) = link(f"<visual>{content}</visual>", *codes).links[0].visuals
    return found


def joint(type: str, content: str = "", *codes: str) -> Joint:
    """The joint of this type between two links."""
    text = f"{TWO_LINKS}<joint name='j' type='{type}'>{ENDS}{content}</joint>"
    return robot(text, *codes).joints[0]


def sensor(content: str, *codes: str) -> Device:
    """The device of a sensor element on a link."""
    text = f"<link name='a'/><sensor name='s' update_rate='20'><parent link='a'/>{content}</sensor>"
    return robot(text, *codes).devices[0]
