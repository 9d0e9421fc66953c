"""Real OpenHRP files: documents read back, text keeps all but white space, meshes stay unread."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.formats.openhrp.cases import PROTOS, SHAPE, hanging
from tests.sampling import few
from tests.shared import DEV

import unibody as ub
from unibody.document.bind import unbind
from unibody.files.access import Files
from unibody.formats.format import Context
from unibody.formats.openhrp import document as d
from unibody.formats.openhrp.read import bind_file, expand_file
from unibody.text.decode import decode
from unibody.text.finding import Findings
from unibody.text.node import Node, Numbers, Row, Value
from unibody.text.source import Source
from unibody.text.vrml import parser as vrml

FILES = [p for p in sorted(DEV.rglob("*.wrl")) if not p.read_bytes().lstrip().startswith(b"#VRML V1.0")]
NEXTAGE = DEV / "tork-a+rtmros_nextage/nextage_description/models/main.wrl"


def context(path: str) -> Context:
    return Context(path, Files(), Findings(), lambda path, context: None)


def document(source: Source) -> d.File:
    made = context(source.name)
    return bind_file(expand_file(vrml.parse(source, made.findings), made), made)


def without_parts(node: Node) -> Node:
    """The tree without what Inlines put in, which is no text of this file."""
    todo: list[Value] = [node]
    done: set[int] = set()
    while todo:
        value = todo.pop()
        if id(value) in done:
            continue
        done.add(id(value))
        if isinstance(value, Row):
            todo.extend(value.values)
        elif isinstance(value, Node):
            if value.tag == "Inline":
                value.items = [item for item in value.items if item[0]]
            todo.extend(inner for _, inner, _ in value.items)
    return node


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("path", few(FILES, 20), ids=[str(p.relative_to(DEV)) for p in FILES])
def test_real_documents_read_back(path: Path) -> None:
    doc = document(decode(path.read_bytes(), str(path), Findings()))
    node = unbind(doc)
    assert bind_file(node, context(str(path))) == doc
    assert document(Source(str(path), vrml.print(without_parts(node)))) == doc


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("path", few(FILES, 20), ids=[str(p.relative_to(DEV)) for p in FILES])
def test_real_files_keep_their_comments_and_names(path: Path) -> None:
    source = decode(path.read_bytes(), str(path), Findings())
    root = vrml.parse(source, Findings())
    again = Source(str(path), vrml.print(root, source))
    root_again = vrml.parse(again, Findings())
    assert root_again == root
    assert names(root_again) == names(root)
    notes = [text for _, text in vrml.comments(root, source)]
    assert [text for _, text in vrml.comments(root_again, again)] == notes


def names(root: Node) -> list[str]:
    """All DEF and USE names, in some order that depends on the tree alone."""
    out: list[str] = []
    todo: list[Value] = [root]
    while todo:
        value = todo.pop()
        if isinstance(value, Row):
            todo.extend(value.values)
        elif isinstance(value, Node):
            out.append(value.name)
            todo.extend(inner for _, inner, _ in value.items)
    return out


@pytest.mark.usefixtures("shared")
def test_enough_files_were_read() -> None:
    assert len(FILES) >= 135


def test_a_shared_node_is_one_object() -> None:
    twice = f"Segment {{ children DEF S {SHAPE} }} Segment {{ children USE S }}"
    text = hanging('jointType "fixed"', twice)
    doc = document(Source("m/a.wrl", PROTOS + text))
    assert document(Source("m/a.wrl", vrml.print(unbind(doc)))) == doc
    joint = doc.children[0].humanoid_body[0].children[0]  # type: ignore[attr-defined]
    first, second = joint.children
    assert first.children[0] is second.children[0]


@pytest.mark.usefixtures("shared")
def test_kinematics_touch_no_numbers_of_meshes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Links, joints and poses come without one look into a long list."""

    def refuse(self: Numbers) -> None:
        raise AssertionError(f"{len(self.body)} characters of numbers were converted")

    for name in ("array", "integers"):
        monkeypatch.setattr(Numbers, name, refuse)
    reading = ub.read(NEXTAGE)
    assert reading.ok
    assert reading.robot is not None
    mechanism = ub.assemble(reading.robot)
    assert mechanism.forward_kinematics(mechanism.initial).shape == (16, 4, 4)
    assert sum(len(link.visuals) for link in reading.robot.links) > 50
