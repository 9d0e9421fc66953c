"""Fixes of SDF files, and files that xacro makes."""

from __future__ import annotations

from pathlib import Path

import pytest

import unibody as ub
from unibody.cli.main import main

FILE = """<sdf version="1.11"><model name="m"><link name="base"/><link name="arm"/>
<joint name="j" type="{type}"><parent>{parent}</parent><child>
  {child}
</child><axis><xyz>0 0 1</xyz></axis></joint></model></sdf>"""


@pytest.mark.parametrize(
    "slip", [{"type": "revolut"}, {"parent": "bas"}, {"child": "amr"}, {"type": "revolut", "parent": "bas"}]
)
def test_misspelled_words_are_corrected(slip: dict[str, str], tmp_path: Path) -> None:
    right = {"type": "revolute", "parent": "base", "child": "arm"}
    path = tmp_path / "m.sdf"
    path.write_text(FILE.format(**{**right, **slip}))
    assert main(["fix", "--fix=all", "--yes", str(path)]) == 0
    assert path.read_text() == FILE.format(**right)


def test_xacro_makes_sdf(tmp_path: Path) -> None:
    head = '<?xml version="1.0"?><sdf version="1.11" xmlns:xacro="http://ros.org/wiki/xacro">'
    macro = '<xacro:macro name="part" params="name"><link name="${name}"><pose>$(arg at)</pose></link>'
    text = f"""{head}<xacro:arg name="at" default="0 0 2 0 0 0"/><model name="m">{macro}</xacro:macro>
    <xacro:part name="a"/><xacro:part name="b"/>
    <joint name="j" type="fixed"><parent>world</parent><child>a</child></joint></model></sdf>"""
    path = tmp_path / "m.sdf.xacro"
    path.write_text(text)
    for arguments, height in ({}, 2.0), ({"at": "0 0 3 0 0 0"}, 3.0):
        assert ub.load(path, arguments=arguments).joint("j").origin.xyz == (0.0, 0.0, height)
