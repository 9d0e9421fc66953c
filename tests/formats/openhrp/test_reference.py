"""The PROTO blocks and examples of both references, word for word.

A colon alone on a line of an example stands for what is left out; it is filled in here.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from tests.formats.openhrp.cases import SHAPE, reading, rooted

from unibody.document.declare import plan
from unibody.formats.openhrp import document as d
from unibody.model.robot import Robot
from unibody.text.finding import Findings
from unibody.text.node import Node, Word
from unibody.text.source import Source
from unibody.text.vrml import parser as vrml

REFERENCES = ("seed-openhrp-model-file.en.txt", "seed-openhrp-model-file.ja.txt")
NAMES = (
    *("Humanoid", "Joint", "Segment", "ExtraJoint", "AccelerationSensor", "Gyro"),
    *("VisionSensor", "ForceSensor", "RangeSensor"),
)

ELBOW = """
 DEF Elbow0 Joint {      #← Elbow bending motion
   children [
     DEF Elbow1 Joint {  #← Elbow twisting motion

       :
       :
       :
     }
   ]
   translation 0 0 0  #← Place all joints at origin
 }
"""
ELBOW_JA = """
DEF 肘0 Joint {      #← 肘の曲げ
  children [
    DEF 肘1 Joint {  #← 肘のひねり

        :
        :
        :
    }
  ]
  translation 0 0 0  #← 座標原点を合わせる
}
"""
SEGMENTS = """
DEF JOINT1 Joint {
  children [
    DEF SEGMENT1 Segment {
      children [
          :
      ]
    }
    Transform {
      translation 0 0 0.5
      rotation 1 0 0 1.57
      children DEF SEGMENT2 Segment {
        children [
          :
        ]
      }
    }
  ]
}
"""
SHOULDER = """
DEF Shoulder Joint {
  children [
    DEF ShoulderToelbow Segment {
      children [
        :
        :    #←Specify the actual shape.
        :
      ]
    }
    DEF Elbow Joint {
        :
        :
        :
    }
  ]
}
"""
SHOULDER_JA = """
DEF 肩 Joint {
  children [
    DEF 肩から肘 Segment {
      children [
        :
        :    #←ここに実際の形状を記述する
        :
      ]
    }
    DEF 肘 Joint {
        :
        :
        :
    }
  ]
}
"""
SENSOR = """
DEF WAIST Joint
{
     :
  children [
    DEF gsensor AccelerationSensor
    {
        :
    }
     :
  ]
}
"""
EXAMPLES = {
    REFERENCES[0]: (ELBOW, SEGMENTS, SHOULDER, SENSOR),
    REFERENCES[1]: (ELBOW_JA, SEGMENTS, SHOULDER_JA, SENSOR),
}


def seed(shared: Path, name: str) -> str:
    return (shared / "formats" / name).read_text("utf-8")


def blocks(text: str) -> list[str]:
    """Every PROTO of a reference, from its name to the brace that closes its body."""
    out: list[str] = []
    for found in re.finditer(r"PROTO (\w+)\s*\[", text):
        end, depth = text.index("]\n", found.end()), 0
        for mark in re.finditer(r"[{}]", text[end:]):
            depth += 1 if mark[0] == "{" else -1
            if depth == 0:
                out.append(text[found.start() : end + mark.end()])
                break
    return out


def parsed(text: str) -> Node:
    findings = Findings()
    node = vrml.parse(Source("m/protos.wrl", f"#VRML V2.0 utf8\n{text}"), findings)
    assert not findings
    return node


@pytest.mark.parametrize("name", REFERENCES)
def test_all_blocks_are_there(name: str, shared: Path) -> None:
    protos = [node for _, node, _ in parsed("\n".join(blocks(seed(shared, name)))).items]
    assert [node.name for node in protos if isinstance(node, Node)] == list(NAMES)


@pytest.mark.parametrize("proto", NAMES)
@pytest.mark.parametrize("name", REFERENCES)
def test_declarations_are_those_of_the_reference(name: str, proto: str, shared: Path) -> None:
    (block,) = [b for b in blocks(seed(shared, name)) if b.split()[1] == proto]
    (item,) = parsed(block).items
    assert isinstance(item[1], Node)
    specs = {spec.key: (field, spec) for field, spec in plan(d.OWN[proto]).fields.items()}
    defaults = plan(d.OWN[proto]).defaults
    for key, interface, _ in item[1].items:
        if key != "interface" or not isinstance(interface, Node) or interface.tag == "eventIn":
            continue
        field, spec = specs[interface.name]
        kind, value = interface.word("type"), interface.get("value")
        assert value is not None
        if spec.type is None:
            assert kind == ("MFNode" if spec.many else "SFNode")
            assert value == Word("NULL") if kind == "SFNode" else len(value) == 0  # type: ignore[arg-type]
            continue
        written = spec.type.name if spec.type.name.startswith(("SF", "MF")) else "SFString"
        assert written.split(",")[0].split(" ")[0] == kind
        assert spec.type.parse(value) == defaults[field]


def filled(example: str, *contents: str) -> str:
    """An example with something for each run of colons."""
    out = re.sub(r"(?:^[ \t]*:(?=\s)[^\n]*\n)+", "%s\n", example, flags=re.MULTILINE)
    return out % contents


def made(shared: Path, name: str, example: str) -> Robot:
    """The robot of an example with the reference's own PROTO blocks before it."""
    head = "#VRML V2.0 utf8\n" + "\n".join(blocks(seed(shared, name))) + "\n"
    found = reading(rooted(example), head=head)
    assert found.ok, [str(f) for f in found.findings]
    assert not {f.code for f in found.findings if f.severity == "warning"}
    assert found.robot is not None
    return found.robot


@pytest.mark.parametrize(("name", "example"), [(n, e) for n, es in EXAMPLES.items() for e in es])
def test_the_example_stands_in_the_reference(name: str, example: str, shared: Path) -> None:
    assert " ".join(example.split()) in " ".join(seed(shared, name).split())


@pytest.mark.parametrize(("name", "example"), [(n, e) for n, es in EXAMPLES.items() for e in es])
def test_what_is_left_out_is_an_error_with_a_place(name: str, example: str, shared: Path) -> None:
    found = reading(rooted(example))
    said = [f for f in found.findings if f.severity == "error"]
    assert {"vrml-syntax", "wrong-value"} & {f.code for f in said}
    assert all(f.at is not None for f in said)


@pytest.mark.parametrize(("name", "example"), [(REFERENCES[0], ELBOW), (REFERENCES[1], ELBOW_JA)])
def test_two_joints_at_one_origin(name: str, example: str, shared: Path) -> None:
    outer = filled(example, 'jointType "rotate" jointId 1 jointAxis 0 0 1')
    robot = made(shared, name, outer.replace("children [", 'jointType "rotate" jointId 0 children [', 1))
    assert [(j.kind, j.origin.xyz) for j in robot.joints] == [("revolute", (0.0, 0.0, 0.0))] * 2


@pytest.mark.parametrize("name", REFERENCES)
def test_segments_of_one_joint(name: str, shared: Path) -> None:
    example = filled(SEGMENTS, SHAPE, SHAPE).replace("children [", 'jointType "fixed" children [', 1)
    robot = made(shared, name, example)
    assert np.allclose([s.pose.xyz for s in robot.link("JOINT1").visuals], [(0, 0, 0), (0, 0, 0.5)])
    assert np.allclose(robot.link("JOINT1").visuals[1].pose.rpy(), (1.57, 0.0, 0.0))


@pytest.mark.parametrize(("name", "example"), [(REFERENCES[0], SHOULDER), (REFERENCES[1], SHOULDER_JA)])
def test_from_shoulder_to_elbow(name: str, example: str, shared: Path) -> None:
    text = filled(example, SHAPE, 'jointType "rotate" jointId 1')
    robot = made(shared, name, text.replace("children [", 'jointType "rotate" jointId 0 children [', 1))
    assert [len(link.visuals) for link in robot.links] == [0, 1, 0]
    assert [j.parent for j in robot.joints] == [robot.links[0].name, robot.links[1].name]


@pytest.mark.parametrize("name", REFERENCES)
def test_a_sensor_on_the_waist(name: str, shared: Path) -> None:
    robot = made(shared, name, filled(SENSOR, 'jointType "fixed"', "sensorId 0", ""))
    (found,) = robot.devices
    assert (found.name, found.link) == ("gsensor", "WAIST")
