"""The schema of MJCF takes what MuJoCo loads, and refuses what unibody calls an error."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest
import xmlschema
from hypothesis import given
from hypothesis import strategies as st
from tests.document.strategies import Syntax, documents
from tests.formats.mjcf.test_oracle import MICRO, compiled
from tests.formats.test_roundtrip import SETTINGS, printed
from tests.shared import CORPUS

from unibody.document.bind import unbind
from unibody.document.declare import Document
from unibody.formats.mjcf.document import Mujoco
from unibody.formats.mjcf.samples import SAMPLES
from unibody.schemas import schema_file


@cache
def schema() -> xmlschema.XMLSchema:
    return xmlschema.XMLSchema(str(schema_file("mjcf.xsd")))


def refused(text: str) -> list[str]:
    return [str(error.reason) for error in schema().iter_errors(ElementTree.fromstring(text))]


def in_body(text: str) -> str:
    return f'<mujoco><worldbody><body name="a">{text}</body></worldbody></mujoco>'


@pytest.mark.parametrize(
    "text",
    [
        in_body('<joint typ="hinge"/>'),
        in_body('<joint type="revolute"/>'),
        in_body('<joint limited="True"/>'),
        in_body('<geom size="0.1,0.2"/>'),
        in_body('<geom fromto="0 0 0 1"/>'),
        in_body('<geom contype="1.5"/>'),
        in_body('<inertial mass="1"/>'),
        in_body("<motor/>"),
        in_body('<frame><frame><body><geom siz="1"/></body></frame></frame>'),
        '<mujoco><default><default><geom size="a"/></default></default></mujoco>',
        '<mujoco><actuator><motor joint="j" gears="5"/></actuator></mujoco>',
        '<mujoco><equality><joint joint1="a" polycoef="0 1 x"/></equality></mujoco>',
        "<mujoco><geom/></mujoco>",
    ],
)
def test_mistakes_are_refused(text: str) -> None:
    assert refused(text)


@pytest.mark.parametrize(
    "text",
    [
        in_body('<include file="arm.xml"/><joint type="slide"/><include file="hand.xml"/>'),
        in_body('<frame made_by="cad" pos="0 0 1"><geom/></frame>'),
        '<mujoco><option collision="all" apirate="100"/></mujoco>',
        '<mujoco><asset><model name="m" file="m.xml"/></asset></mujoco>',
        '<mujoco xmlns:my="urn:my" my:tool="x"/>',
        *SAMPLES.values(),
    ],
)
def test_what_is_read_is_taken(text: str) -> None:
    if text.startswith("<mujocoinclude>"):
        text = text.replace("mujocoinclude", "mujoco")
    assert not refused(text)


@SETTINGS
@given(documents(Mujoco, Syntax(st.just([]))))
def test_random_documents_are_taken(doc: Document) -> None:
    text = printed(unbind(doc, "mujoco"))
    assert not refused(text), text


@pytest.mark.usefixtures("shared")
@pytest.mark.slow
def test_what_mujoco_loads_is_taken() -> None:
    dumps = sorted(MICRO.rglob("*.mujoco.json"))
    files = [d.with_name(d.name.removesuffix(".mujoco.json")) for d in dumps]
    files += [CORPUS / path for path, _ in compiled()]
    wrong = {path: found for path in files if (found := _refused(path))}
    assert not wrong
    assert len(files) == 224


def _refused(path: Path) -> list[str]:
    return [str(e.reason) for e in schema().iter_errors(ElementTree.parse(path).getroot())][:1]
