"""Small files made to take long, to fill the memory, or to break the reader: each ends in a finding.

Found by random mutation and by hand; the time limits are far above what is needed, and far below
what the same files took before.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from unibody.files.access import MemoryFiles
from unibody.formats.loader import Reading, read
from unibody.model import json as native
from unibody.model.facts import diff, facts
from unibody.model.robot import SelfCollision
from unibody.text.finding import Findings, TextError
from unibody.text.limits import DEFAULT
from unibody.text.near import near
from unibody.text.node import Node, Row, Word, words
from unibody.text.source import Source
from unibody.text.xml import parser as xml
from unibody.text.yaml import parser as yaml

HEAD = "format: ChoreonoidBody\nformat_version: 2.0\nname: m\n"
SHAPE = "{ type: Shape, geometry: { type: Box, size: [1, 1, 1] } }"


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Fails when the block takes this thread longer."""
    start = time.thread_time()
    yield
    assert time.thread_time() - start < seconds


def body(links: str, head: str = "", **others: str) -> Reading:
    """A Body file with these links; other files by name, "__" for the dot."""
    files = {name.replace("__", "."): text.encode() for name, text in others.items()}
    return read("m.body", files=MemoryFiles({"m.body": f"{HEAD}{head}links:\n{links}".encode(), **files}))


def urdf(content: str, name: str = "m.urdf") -> Reading:
    """A URDF file with this in its robot element."""
    text = f'<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">{content}</robot>'
    return read(name, files=MemoryFiles({name: text.encode()}))


def codes(reading: Reading) -> set[str]:
    """The codes of all errors."""
    return {f.code for f in reading.findings if f.severity == "error"}


# --- work that multiplies ---------------------------------------------------------------


def test_number_list_that_is_never_closed() -> None:
    with within(5):
        assert codes(body(" - { name: a, vertices: [" + "0.125, " * 40_000)) == {"yaml-syntax"}


def test_aliases_inside_lists_of_aliases() -> None:
    lines = ["a0: &a0 [x,x,x,x,x,x,x,x,x,x]"]
    lines += [f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 5)]
    lines += [f"b: [{','.join(['[*a4,*a4]'] * 2000)}]", ""]
    assert codes(body(" - { name: a }\n", "\n".join(lines))) == {"alias-expansion"}


def test_aliases_of_the_file_that_includes() -> None:
    shapes = "s: &s { type: Group, elements: [" + ",".join([SHAPE] * 1000) + "] }\n"
    links = " - { name: a, elements: [{ type: Resource, uri: r.yaml }] }\n"
    assert codes(body(links, shapes, r__yaml=f"[{','.join(['*s'] * 500)}]")) == {"alias-expansion"}


def test_long_text_is_no_expansion() -> None:
    text = "a: &a [1x, 2x]\nb: [*a]\nc:\n" + "- x\n" * (DEFAULT.aliases + 10) + "d: *a\n"
    assert isinstance(yaml.parse(Source("a.yaml", text), Findings()), Node)


@pytest.mark.slow
def test_files_that_name_each_other_twice() -> None:
    files = {
        f"{'m' if i == 0 else f'b{i}'}.body": HEAD
        + "links:\n - { name: r }\n"
        + "".join(
            f" - {{ type: SubBody, name: s{k}, parent: r, uri: b{i + 1}.body, prefix: p{k} }}\n"
            for k in range(2)
        )
        for i in range(30)
    }
    files["b30.body"] = HEAD + "links: [{ name: r }]\n"
    with within(20):
        reading = read("m.body", files=MemoryFiles({k: v.encode() for k, v in files.items()}))
    assert codes(reading) == {"model-too-large"}


def test_tracks_without_end() -> None:
    links = "".join(f" - {{ type: ContinuousTrack, name: t{i}, numJoints: 10000 }}\n" for i in range(100))
    assert codes(body(links)) == {"model-too-large"}


def test_tracks_that_give_no_link() -> None:
    reading = body(" - { type: ContinuousTrack, name: t, numJoints: 10000000 }\n")
    assert reading.robot is None
    assert codes(reading) == {"track-joints"}


TRACK = " - { type: ContinuousTrack, name: t, numJoints: 6000 }\n"


def test_no_pair_of_many_links_collides() -> None:
    reading = body(TRACK, "collision_detection_rules: [{ disabled_links: all }]\n")
    assert reading.robot is not None
    assert not any(link.collides for link in reading.robot.links)
    assert reading.robot.self_collision == SelfCollision(default="all")


def test_pairs_without_end() -> None:
    with within(20):
        reading = body(TRACK, "collision_detection_rules: [{ disabled_link_chain_level: 6000 }]\n")
    assert codes(reading) == {"too-many-nodes"}


def test_links_named_twice_in_a_group_make_no_pair_with_themselves() -> None:
    rule = f"collision_detection_rules: [{{ disabled_link_group: [{','.join(['a'] * 20_000)}] }}]\n"
    with within(5):
        reading = body(" - { name: a }\n", rule)
    assert reading.robot is not None
    assert reading.robot.self_collision.disabled == ()


@pytest.mark.slow
def test_many_devices_of_one_name() -> None:
    with within(20):
        reading = body(" - name: a\n   elements:\n" + "    - { type: ForceSensor, name: f }\n" * 10_000)
    assert reading.robot is not None
    assert reading.robot.devices[-1].name == "f_10000"


# --- messages ---------------------------------------------------------------------------


def test_like_words_are_not_looked_for_without_end() -> None:
    assert near("lenght", ["length"]) == "length"
    assert near("x" * 100_000, ["x" * 99_999]) == ""
    assert near("a", [str(i) for i in range(2000)]) == ""


def test_many_unknown_parents() -> None:
    links = "".join(f" - {{ name: link_{i}, parent: lonk_{i}x }}\n" for i in range(800))
    with within(20):
        assert codes(body(" - { name: a }\n" + links)) == {"parent-unknown"}


def test_many_unknown_keys_are_told_in_few_words() -> None:
    keys = ", ".join(f"joint_rang{i}x: 1" for i in range(20_000))
    with within(10):
        assert len(body(f" - {{ name: a, {keys} }}\n").findings) < 100


def test_many_unknown_attributes() -> None:
    attributes = " ".join(f'a{i}="1"' for i in range(20_000))
    with within(10):
        reading = urdf(f'<link name="a" {attributes}/>')
    assert reading.ok
    assert len(reading.findings) < 100


def test_messages_are_short() -> None:
    visuals = '<visual><geometry><box size="a"/></geometry></visual>' * 100
    reading = urdf(f'<link name="{"n" * 100_000}">{visuals}</link>')
    assert len(reading.findings) >= 100
    assert all(len(f.message) <= 1000 for f in reading.findings)


def test_comments_that_are_never_closed() -> None:
    text = "<robot>" + "<!-- -- " * 30_000 + "</robot>"
    with within(5), pytest.raises(TextError, match="xml-syntax"):
        xml.parse(Source("m.urdf", text), Findings())


def test_no_robot_without_an_error() -> None:
    reading = read("m.body", files=MemoryFiles({"m.body": b"model_file: /etc/passwd\n"}))
    assert reading.robot is None
    assert codes(reading) == {"model-missing"}


def test_a_directory_out_of_reach_is_not_listed() -> None:
    line = '<robot xmlns:xacro="x"><xacro:include filename="/etc/*"/><link name="a"/></robot>'
    files = MemoryFiles({"/data/robots/r/m.xacro": line.encode(), "/etc/secret": b"<robot/>"})
    reading = read("/data/robots/r/m.xacro", files=files)
    assert codes(reading) == {"outside-model"}
    assert not any("secret" in f.text() for f in reading.findings)


# --- numbers ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "link",
    [
        "translation: [[1e308, 0, 0], [1e308, 0, 0]]",
        "mass: 1e308, center_of_mass: [1e308, 0, 0], elements: [{ type: RigidBody, mass: 1e308 }]",
        "elements: [{ type: Transform, scale: [1e200, 1, 1], elements: "
        f"[{{ type: Transform, scale: [1e200, 1, 1], elements: [{SHAPE}] }}] }}]",
    ],
)
def test_what_overflows_is_an_error(link: str) -> None:
    assert "number-overflow" in codes(body(f" - {{ name: a, {link} }}\n"))


def test_urdf_scan_that_overflows() -> None:
    scan = '<horizontal samples="2" min_angle="-1e308" max_angle="1e308"/>'
    sensor = f'<sensor name="s"><parent link="a"/><ray>{scan}</ray></sensor>'
    reading = urdf(f'<link name="a"/>{sensor}')
    assert reading.robot is not None
    finite = all(math.isfinite(d.spec.yaw_step) for d in reading.robot.devices)  # type: ignore[union-attr]
    assert finite or "number-overflow" in codes(reading)


def test_steps_too_small_to_count() -> None:
    sensor = "{ type: RangeSensor, name: s, yaw_range: 100, yaw_step: 1e-320 }"
    assert body(f" - {{ name: a, elements: [{sensor}] }}\n").robot is not None


# --- depth and odd values ---------------------------------------------------------------


@pytest.mark.parametrize("mark", ["[]", "{}"])
def test_deep_leftovers_have_facts(mark: str) -> None:
    opening = "[" if mark == "[]" else "{ a: "
    robot = body(" - { name: a }\n", f"info: {opening * 900}1{mark[1] * 900}\n").robot
    other = body(" - { name: a }\n", f"info: {opening * 901}1{mark[1] * 901}\n").robot
    assert robot is not None
    assert other is not None
    assert facts(robot)
    assert diff(robot, robot) == []
    assert [d.kind for d in diff(robot, other)] == ["changed"]
    with pytest.raises(TextError, match="json-depth"):
        native.dumps(robot)


def test_words_tell_values_apart() -> None:
    assert words(Row([Word("a"), Row([Word("b")])])) != words(Row([Row([Word("a")]), Word("b")]))
    assert words(Node("t", [("k", Word("v"), 3)])) == words(Node("t", [("k", Word("v"), -1)]))


def test_long_keys_are_printed_so_that_they_can_be_read() -> None:
    for text in (f"? {'k' * 5000}\n: [1, x]\n", f"a: {{ ? {'k' * 5000} : 1 }}\n"):
        source = Source("a.yaml", text)
        root = yaml.parse(source, Findings())
        again = yaml.parse(Source("b.yaml", yaml.print_yaml(root, source)), Findings())
        assert again == root
