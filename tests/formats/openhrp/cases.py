"""OpenHRP models written inline, read from memory, with every finding accounted for."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from unibody.files.access import MemoryFiles
from unibody.formats.loader import Reading, read
from unibody.model.device import Device
from unibody.model.robot import Joint, Link, Robot
from unibody.text.node import plain

MODELS = Path(__file__).parents[3] / "src/unibody/models"
#: The declarations that every real file begins with: those of the bundled model.
PROTOS = (MODELS / "biped.wrl").read_text("utf-8").partition("NavigationInfo")[0]
SHAPE = "Shape { geometry Box { size 1 2 3 } }"
# Told of most of these small models, and beside the point of them.
USUAL = {"inertia-missing", "inertia-zero", "joint-id-missing", "humanoid-list", "kept-as-extra"}


def reading(text: str, files: Mapping[str, str] | None = None, head: str = PROTOS) -> Reading:
    """What reading a file gives; ``head`` stands before its text, ``files`` are others, by path."""
    contents = {"m/test.wrl": head + text, **(files or {})}
    return read("m/test.wrl", files=MemoryFiles({path: data.encode() for path, data in contents.items()}))


def robot(text: str, *codes: str, files: Mapping[str, str] | None = None, head: str = PROTOS) -> Robot:
    """The robot of a text that gives exactly these findings (besides the usual ones) and no error."""
    found = reading(text, files, head)
    assert found.ok, [str(f) for f in found.findings]
    assert found.robot is not None
    said = {f.code for f in found.findings} - (USUAL - set(codes))
    assert said == set(codes), [str(f) for f in found.findings]
    return found.robot


def errors(text: str) -> set[str]:
    """The codes of the errors of a text."""
    return {f.code for f in reading(text).findings if f.severity == "error"}


def proto(name: str, fields: str) -> str:
    """A PROTO with these fields, one a line."""
    return f"PROTO {name} [\n{fields}\n] {{ Group {{ }} }}\n"


def humanoid(body: str, fields: str = "") -> str:
    """A Humanoid R with this humanoidBody."""
    return f"DEF R Humanoid {{ {fields} humanoidBody [ {body} ] }}"


def rooted(children: str, fields: str = "") -> str:
    """A Humanoid whose fixed root Joint W has these children and fields."""
    return humanoid(f'DEF W Joint {{ jointType "fixed" {fields} children [ {children} ] }}')


def hanging(fields: str, children: str = "") -> str:
    """A root W with a Joint J of these fields and children."""
    return rooted(f"DEF J Joint {{ {fields} children [ {children} ] }}")


def joint(fields: str, *codes: str) -> Joint:
    """The joint J that has these fields."""
    return robot(hanging(fields), *codes).joint("J")


def link(children: str, *codes: str) -> Link:
    """The root link, which has these children."""
    return robot(rooted(children), *codes).links[0]


def device(text: str, *codes: str) -> Device:
    """The one device of the root link."""
    (found,) = robot(rooted(text), *codes).devices
    return found


def kept(model: Robot, owner: str) -> list[Any]:
    """The items that an owner has in the extras."""
    return [item for extra in model.extras if extra.owner == owner for item in plain(extra.node)["items"]]
