"""What is carried beside a model: applied while it fits, left alone where the file has been edited."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.convert.models import neutral, whole

import unibody as ub
from unibody.conversion.pipeline import save
from unibody.files.access import MemoryFiles
from unibody.formats.loader import Reading, read
from unibody.model.facts import Difference, diff
from unibody.model.json import value_json
from unibody.model.patch import apply
from unibody.model.patch_json import JsonValues, alike, parse_line, patch_lines
from unibody.model.patch_nodes import by_shared_items, with_shared_items
from unibody.model.robot import Extra, Holds, Robot
from unibody.text.node import Node, Value, Word

ARM = """<robot name="arm">
  <link name="base"/>
  <link name="hand"/>
  <joint name="wrist" type="continuous"><parent link="base"/><child link="hand"/><axis xyz="0 0 1"/></joint>
  <unibody>
{lines}
  </unibody>
</robot>
"""


def reading(*lines: str, text: str = ARM) -> Reading:
    data = text.replace("{lines}", "\n".join(lines)).encode()
    return read("m/arm.urdf", files=MemoryFiles({"m/arm.urdf": data}))


def stale(*lines: str) -> int:
    found = reading(*lines)
    assert found.robot is not None
    assert {f.code for f in found.findings if f.severity != "info"} <= {"sidecar-stale"}
    return sum(f.code == "sidecar-stale" for f in found.findings)


def test_a_value() -> None:
    found = reading('["joints/wrist/number", null, 4]', '["base", null, "free"]')
    assert found.robot is not None
    assert found.robot.joint("wrist").number == 4
    assert found.robot.base == "free"
    assert found.robot.extras == ()


@pytest.mark.parametrize(
    "line",
    [
        '["joints/wrist/number", 3, 4]',  # it was something else
        '["joints/elbow/number", null, 4]',  # there is no such joint
        '["joints/wrist/nothing", null, 4]',  # nor such a field
        '["joints/wrist/number", null, "four"]',  # of another type
        '["links/hand/visuals/0/pose/xyz", [0, 0, 0], [1, 0, 0]]',
        '["links", ["base"], ["hand", "base"]]',
        '["devices/eye", null, {"name": "eye", "link": "gone", "spec": {"type": "Gyro"}}]',
        '["links/hand", {"name": "hand"}, null]',  # would break the tree
        '["joints/wrist/child", "hand", "base"]',
        "[1, 2, 3]",
        "no list",
        "[" * 100_000,
        '["base", null, ' + "[" * 500 + "]" * 500 + "]",
        '["groups", [], [' + '{"name": "g", "members": [' * 300 + "]}" * 300 + "]]",
    ],
)
def test_what_does_not_fit_is_told(line: str) -> None:
    assert stale(line) == 1


def test_an_edit_wins(tmp_path: Path) -> None:
    """A changed value, an added and a removed link: the rest of what is carried still counts."""
    target = tmp_path / "k.urdf"
    save(neutral("mimic"), target)
    before = whole(target)
    text = target.read_text("utf-8")
    j = before.joints[0]
    x, y, z = j.axis
    words = " ".join(f"{v:g}" for v in (x, y, z))
    assert f'<axis xyz="{words}"/>' in text
    changed = text.replace(f'<axis xyz="{words}"/>', '<axis xyz="0.6 0 0.8"/>', 1)
    changed = changed.replace(
        "</robot>",
        '<link name="new"/><joint name="n" type="fixed">'
        f'<parent link="{before.root}"/><child link="new"/></joint></robot>',
    )
    target.write_text(changed, "utf-8")
    after = whole(target)
    assert after.joint(j.name).axis == (0.6, 0.0, 0.8)
    assert "new" in {x.name for x in after.links}
    assert after.base == before.base


def test_files_that_are_carried_stay_within_reach(tmp_path: Path) -> None:
    (tmp_path / "secret.stl").write_bytes(b"solid")
    (tmp_path / "m").mkdir()
    shape = '{"geometry": {"type": "MeshFile", "uri": "/etc/hostname", "path": "/etc/hostname"}}'
    line = f'["links/hand/visuals", [], [{shape}]]'
    (tmp_path / "m/arm.urdf").write_text(ARM.replace("{lines}", line), "utf-8")
    found = read(tmp_path / "m/arm.urdf")
    assert found.robot is not None
    # the path is no field of what is carried: the whole entry is refused
    assert found.robot.link("hand").visuals == ()
    line = line.replace(', \\"path\\": \\"/etc/hostname\\"', "").replace(', "path": "/etc/hostname"', "")
    (tmp_path / "m/arm.urdf").write_text(ARM.replace("{lines}", line), "utf-8")
    found = read(tmp_path / "m/arm.urdf")
    assert "outside-model" in {f.code for f in found.findings}


def test_plain_leaves_it_out(tmp_path: Path) -> None:
    for suffix in (".urdf", ".body"):
        save(neutral("kitchen_sink"), tmp_path / f"k{suffix}", plain=True)
        assert "unibody" not in (tmp_path / f"k{suffix}").read_text("utf-8")


def test_lines_are_plain_ascii(tmp_path: Path) -> None:
    made = Robot(name="名", links=(ub.Link(name="リンク"),), base="free")
    save(made, tmp_path / "n.urdf")
    assert ub.diff(made, whole(tmp_path / "n.urdf")) == []


@given(st.text(max_size=300))
def test_any_line_is_read(line: str) -> None:
    parse_line(line)
    quoted = "".join(c for c in line if c.isprintable() and c not in "<&")
    assert reading(quoted).robot is not None


JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
PATHS = st.lists(
    st.sampled_from(
        [
            "links",
            "joints",
            "devices",
            "visuals",
            "0",
            "limits",
            "position",
            "pose",
            "xyz",
            "WAIST",
            "CHEST_PITCH",
            "geometry",
            "groups",
            "extras",
            "self_collision",
            "enabled",
            "name",
        ]
    ),
    min_size=1,
    max_size=5,
).map("/".join)


@given(PATHS, JSON, JSON)
def test_any_entry_is_applied_or_stale(path: str, before: object, after: object) -> None:
    robot = neutral("kitchen_sink")
    patched = apply(robot, [Difference(path, "changed", before, after)], JsonValues())
    if patched.stale:
        assert patched.robot == robot


@pytest.mark.parametrize("case", ["kitchen_sink", "corners", "pendulum", "sensors", "shapes"])
@pytest.mark.parametrize("other", ["kitchen_sink", "mimic", "mpk"])
def test_lines_lead_from_any_robot_to_any_other(case: str, other: str) -> None:
    """Not only between a robot and its written twin: any difference survives as text."""
    true, plain = neutral(case), neutral(other)
    read = [d for line in patch_lines(diff(plain, true)) for d in parse_line(line)]
    patched = apply(plain, read, JsonValues())
    assert patched.stale == []
    assert list(ub.diff(true, patched.robot)) == []


def test_many_values_that_change_in_the_same_way_share_a_line() -> None:
    names = "bcdef"
    links = tuple(ub.Link(name=name) for name in f"a{names}")
    joints = tuple(ub.Joint(name=c, kind="fixed", parent="a", child=c) for c in names)
    plain = Robot(name="arm", links=links, joints=joints)
    true = replace(plain, joints=tuple(replace(joint, number=7) for joint in joints))
    lines = patch_lines(diff(plain, true))
    paths = ", ".join(f'"joints/{c}/number"' for c in names)
    assert lines == [f"[[{paths}], null, 7]"]
    assert apply(plain, parse_line(lines[0]), JsonValues()).robot == true


def test_kept_data_that_the_robot_never_had_are_one_line(tmp_path: Path) -> None:
    true = ub.load(Path(ub.__file__).parent / "models" / "biped.body")
    save(true, tmp_path / "biped.xml")
    text = (tmp_path / "biped.xml").read_text("utf-8")
    assert text.count('["extras') == 1
    assert ub.diff(true, ub.load(tmp_path / "biped.xml")) == []
    (tmp_path / "biped.xml").write_text(
        text.replace('armature="', 'armature=" ').replace("<key ", '<key time="1" ')
    )
    found = read(tmp_path / "biped.xml")
    assert [f.subject for f in found.findings if f.code == "sidecar-stale"] == ["extras"]
    assert found.robot is not None
    assert {e.format for e in found.robot.extras} == {"mjcf"}


def tree(*items: tuple[str, Value]) -> Node:
    return Node("mujoco", [(key, value, -1) for key, value in items])


def general(name: str, gain: str = "1") -> Node:
    words = (("name", name), ("gainprm", gain), ("biastype", "affine"), ("biasprm", "0 0 0"))
    return Node("general", [(key, Word(text), -1) for key, text in words])


def kept(*nodes: Node) -> Robot:
    return Robot(name="r", extras=tuple(Extra(format="mjcf", node=node) for node in nodes))


def test_kept_sections_that_the_file_has_are_not_repeated() -> None:
    several = Node("actuator", [("general", general(f"motor_{i}"), -1) for i in range(9)])
    plain = kept(tree(("actuator", several)))
    more = Node("actuator", [*several.items[:4], *several.items[5:], ("general", general("new", "2"), -1)])
    turned = Node("actuator", [("general", general("motor_0", "3"), -1), *several.items[:0:-1]])
    for node, names in ((more, {"new"}), (turned, set[str]()), (Node("actuator"), set())):
        true = kept(tree(("actuator", node)))
        (line,) = patch_lines(diff(plain, true))
        assert set(re.findall("motor_.|new", line)) == names
        assert apply(plain, parse_line(line), JsonValues()).robot == true
    # a section that only the file has is removed by its digest
    (line,) = patch_lines(diff(plain, kept()))
    assert len(line) < 120
    assert apply(plain, parse_line(line), JsonValues()).robot == kept()
    edited = kept(tree(("actuator", more)))
    assert apply(edited, parse_line(line), JsonValues()).robot == edited


def test_kept_data_of_side_cars_that_repeat_them_are_read() -> None:
    plain, true = kept(tree(("general", general("a")))), kept(tree(("general", general("b"))))
    before, after = (json.dumps(value_json(robot.extras[0].node)) for robot in (plain, true))
    found = parse_line(f'["extras/0/node", {before}, {after}]')
    assert apply(plain, found, JsonValues()).robot == true


WORDS = st.sampled_from(["a", "b", "0:1"]).map(Word)
NODES = st.recursive(
    WORDS,
    lambda values: st.lists(st.tuples(st.sampled_from(["x", "y", ""]), values), max_size=5).map(
        lambda items: Node("", [(key, value, -1) for key, value in items])
    ),
    max_leaves=20,
)


@given(NODES, NODES)
def test_any_node_is_encoded_by_any_other(before: Value, after: Value) -> None:
    a, b = value_json(tree(("x", before))), value_json(tree(("x", after), ("y", before)))
    assert with_shared_items(by_shared_items(b, a), a) == b


@pytest.mark.parametrize(
    "items",
    [
        ["0:2"],  # there is only one
        ["0:1", "0:1"],  # twice, which would grow
        ["0:0"],
        ["1:0"],
        ["-1:1"],
        ["٠:١"],
        [["x", {"of": 1, "items": []}]],
        [["x", {"of": -1, "items": []}]],
        [["x", {"of": True, "items": []}]],
        [["x", {"of": 0, "items": []}], "0:1"],
    ],
)
def test_items_that_the_file_does_not_have(items: list[object]) -> None:
    plain = kept(tree(("x", general("a"))))
    before = json.dumps(value_json(plain.extras[0].node))
    line = json.dumps(["extras/0/node", json.loads(before), {"tag": "mujoco", "items": items}])
    patched = apply(plain, parse_line(line), JsonValues())
    assert patched.robot == plain
    assert len(patched.stale) == 1


def test_alike() -> None:
    assert alike([1, 2.0, "inf"], [1.0, 2 + 1e-13, "inf"])
    assert not alike([True], [1])
    assert not alike({"a": 1}, {"a": 1, "b": 2})


def test_side_cars_of_version_0_1_are_read() -> None:
    """Their items had no index, and the order of a list was all of its names."""
    found = reading(
        '["links/tool", null, {"name": "tool"}]',
        '["joints/mount", null, {"name": "mount", "kind": "fixed", "parent": "hand", "child": "tool"}]',
        '["links", ["base", "hand"], ["base", "tool", "hand"]]',
        '["loops/l", null, {"name": "l", "link_a": "base", "link_b": "hand",'
        ' "holds": {"along": true, "across": false, "tilt": true}}]',
    )
    assert found.robot is not None
    assert not [f for f in found.findings if f.code == "sidecar-stale"]
    assert [link.name for link in found.robot.links] == ["base", "tool", "hand"]
    assert found.robot.loops[0].holds == Holds(axial=True, radial=False, swing=True)
