"""Body models written inline, read from memory, with every finding accounted for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unibody.files.access import MemoryFiles
from unibody.formats.loader import Reading, read
from unibody.model.device import Device
from unibody.model.inertia import Inertial
from unibody.model.pose import Pose
from unibody.model.robot import Joint, Robot
from unibody.model.shape import Shape

HEAD = "format: ChoreonoidBody\nformat_version: 2.0\n"
TRIANGLE = "vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0]"
TETRAHEDRON = "vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]"
# A link without mass data is told of; few of these small models need any.
USUAL = {"mass-missing", "inertia-zero"}


def reading(text: str, files: Mapping[str, str] | None = None, name: str = "m/test.body") -> Reading:
    """What reading a text gives; ``files`` are others, by path."""
    contents = {name: text, **(files or {})}
    return read(name, files=MemoryFiles({path: data.encode() for path, data in contents.items()}))


def robot(text: str, *codes: str, files: Mapping[str, str] | None = None) -> Robot:
    """The robot of a text that gives exactly these findings (besides the usual ones) and no error."""
    found = reading(text, files)
    assert found.ok, [str(f) for f in found.findings]
    assert found.robot is not None
    said = {f.code for f in found.findings} - (USUAL - set(codes))
    assert said == set(codes), [str(f) for f in found.findings]
    return found.robot


def error(text: str, files: Mapping[str, str] | None = None) -> str:
    """The code of the only error of a text."""
    codes = errors(text, files)
    assert len(codes) == 1, codes
    return codes.pop()


def errors(text: str, files: Mapping[str, str] | None = None) -> set[str]:
    """The codes of the errors of a text."""
    return {f.code for f in reading(text, files).findings if f.severity == "error"}


def body(links: str, head: str = HEAD) -> str:
    """A body file with these links."""
    return f"{head}links:\n{indented(links, 2)}"


def linked(keys: str, head: str = HEAD) -> str:
    """A body file with a fixed root R and a link A with these keys on it."""
    return body("- name: R\n- name: A\n  parent: R\n" + indented(keys, 2), head)


def element(text: str, head: str = HEAD) -> str:
    """A body file with one link that has these elements."""
    return body("- name: R\n  elements:\n" + indented(text, 4), head)


def indented(text: str, by: int) -> str:
    """The lines moved to the right."""
    return "".join(f"{' ' * by}{line}\n" for line in text.strip("\n").split("\n"))


def joint(keys: str, *codes: str, head: str = HEAD) -> Joint:
    """The joint of a link with these keys."""
    return robot(linked(keys, head), *codes).joints[0]


def inertial(keys: str, *codes: str) -> Inertial:
    """The mass data of a link with these keys."""
    found = robot(body("- name: R\n" + indented(keys, 2)), *codes).links[0].inertial
    assert found is not None
    return found


def shapes(text: str, *codes: str, head: str = HEAD) -> tuple[Shape, ...]:
    """What is seen of one link with these elements."""
    return robot(element(text, head), *codes).links[0].visuals


def shape(keys: str, *codes: str, head: str = HEAD) -> Shape:
    """The one shape of a Shape element with these keys."""
    (found,) = shapes("- type: Shape\n" + indented(keys, 2), *codes, head=head)
    return found


def geometry(keys: str, *codes: str, head: str = HEAD) -> Any:
    """The geometry of a Shape whose geometry node has these keys, in flow form."""
    return shape(f"geometry: {{ {keys} }}", *codes, head=head).geometry


def device(keys: str, *codes: str, head: str = HEAD) -> Device:
    """The one device of an element with these keys."""
    (found,) = robot(element(f"- {{ {keys} }}", head), *codes).devices
    return found


def matrix(pose: Pose) -> NDArray[np.float64]:
    """A pose as a 4×4 array."""
    return np.array(pose.matrix())


def close(a: object, b: object, tolerance: float = 1e-12) -> bool:
    """Whether two lists of numbers agree."""
    x, y = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    return x.shape == y.shape and bool(np.all(np.abs(x - y) <= tolerance))
