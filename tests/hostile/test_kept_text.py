"""The time of merging a change into a hostile text, and of editing kept data, is in proportion to it."""

from __future__ import annotations

import time

import pytest

import unibody as ub
from unibody.files.access import MemoryFiles
from unibody.formats.loader import read
from unibody.text.edit import edited
from unibody.text.finding import Findings
from unibody.text.merge import merge
from unibody.text.node import Node
from unibody.text.source import Source
from unibody.text.splice import Splicer
from unibody.text.xml import parser as xml
from unibody.text.xml.splice import XmlSplicer

COUNT = 4000
# Seconds of processor time, of which all of these take less than 1.
ENOUGH = 4.0


def from_xml(text: str) -> tuple[Node, Splicer]:
    source = Source("m.xml", text)
    return xml.parse(source, Findings()), XmlSplicer(source, str)


def merged(text: str, before: str, after: str) -> str:
    tree, splicer = from_xml(text)
    begin = time.process_time()
    edits = merge(tree, from_xml(before)[0], from_xml(after)[0], splicer)
    taken = time.process_time() - begin
    assert taken < ENOUGH, taken
    return edited(text, edits)


def elements(names: list[str], more: str = "") -> str:
    return "<a>" + "".join(f'<b name="{name}"{more}/>' for name in names) + "</a>"


NAMES = [f"n{k}" for k in range(COUNT)]


def test_names_in_one_line() -> None:
    """Each new name looked for the end of the line, and compared its place with all others."""
    text = elements(NAMES, ' like="n0"')
    plain = elements(NAMES)
    new = [f"p_{name}" for name in NAMES]
    assert merged(text, plain, elements(new)) == elements(new, ' like="p_n0"')


@pytest.mark.parametrize("step", [1, -1])
def test_new_elements_in_one_line(step: int) -> None:
    """Each new element looked for its neighbor among all others, and for the end of the line."""
    text = "<a><c/>" + elements(["n0"])[3:]
    made = "<a><c/>" + elements(NAMES[::step])[3:]
    assert merged(text, text, made).count("<b ") == COUNT


def test_elements_in_another_order() -> None:
    back = elements(NAMES[::-1])
    assert merged(elements(NAMES), elements(NAMES), back).count("<b ") == COUNT


def test_blanks_in_a_tag() -> None:
    """The start of an attribute was looked for from each blank before it."""
    blanks = " " * 60_000
    text = f'<a><b{blanks}name="x"{blanks}k="1"/></a>'
    assert merged(text, text, '<a><b name="x"/></a>') == f'<a><b{blanks}name="x"/></a>'


def test_robots_with_many_kept_elements() -> None:
    """Each kept element was compared with all others, word by word."""
    links = "".join(f'<link name="l{k}"/>' for k in range(1000))
    joints = "".join(
        f'<joint name="j{k}" type="fixed"><parent link="l0"/><child link="l{k}"/></joint>'
        for k in range(1, 1000)
    )
    kept = "".join(f'<gazebo reference="l{k}"><a>{k}</a></gazebo>' for k in range(1000))
    text = f'<robot name="r">{links}{joints}{kept}</robot>'
    robot = read("m.urdf", files=MemoryFiles({"m.urdf": text.encode()})).robot
    assert robot is not None
    begin = time.process_time()
    both = ub.attach(robot, robot, on="l1", prefix="q_")
    assert len(both.extras[0].node.items) == 2000
    assert [len(e.node.items) for e in ub.subtree(both, "q_l7").extras] == [1]
    assert time.process_time() - begin < ENOUGH
