"""The versions of URDF: what a file states, and what urdfdom makes of it."""

from __future__ import annotations

import pytest
from tests.formats.urdf.cases import ENDS, TWO_LINKS, reading

from unibody.formats.urdf.versions import assumed, parsed

# The attribute, and the version it is read as; None: urdfdom rejects the file.
VERSIONS = [
    ("", "1.0", True),
    (" version='1.0'", "1.0", True),
    (" version='1.1'", "1.1", True),
    (" version='1.2'", "1.2", True),
    (" version=' 1.1'", "1.1", True),
    (" version='+1.2'", "1.2", True),
    (" version='01.01'", "1.1", True),
    (" version='1'", "1.0", False),
    (" version='1.0.0'", "1.0", False),
    (" version='1.1.2'", "1.1", False),
    (" version='1.0~pre6'", "1.0", False),
    (" version='1.1 '", "1.1", False),
    (" version='1.3'", "1.2", False),
    (" version='2.0'", "1.2", False),
    (" version='0.9'", "1.0", False),
    (" version='-1.0'", "1.0", False),
    (" version='new'", "1.0", False),
    (" version=''", "1.0", False),
]


def text(head: str) -> str:
    # jerk and a missing effort are findings of versions below 1.2, a capsule of 1.0
    shape = "<collision><geometry><capsule radius='1' length='2'/></geometry></collision>"
    links = TWO_LINKS.replace("<link name='a'/>", f"<link name='a'>{shape}</link>")
    limit = "<limit velocity='3' jerk='4'/>"
    return f"<robot name='r'{head}>{links}<joint name='j' type='continuous'>{ENDS}{limit}</joint></robot>"


@pytest.mark.parametrize(("head", "version", "accepted"), VERSIONS)
def test_a_version_is_read_or_assumed(head: str, version: str, accepted: bool) -> None:
    found = reading(text(head))
    assert found.ok
    said = [f.code for f in found.findings]
    assert ("urdf-version" in said) is not accepted
    assert said.count("newer-version") == {"1.0": 2, "1.1": 1, "1.2": 0}[version]
    assert said.count("limit-incomplete") == (version != "1.2")


@pytest.mark.parametrize(("head", "version", "accepted"), VERSIONS)
def test_urdfdom_accepts_the_same_versions(head: str, version: str, accepted: bool) -> None:
    pinocchio = pytest.importorskip("pinocchio")
    try:
        pinocchio.buildModelFromXML(f"<robot name='r'{head}><link name='a'/></robot>")
    except (ValueError, RuntimeError):
        assert not accepted
    else:
        assert accepted


def test_every_text_has_a_version() -> None:
    for head, version, accepted in VERSIONS[1:]:
        stated = head.split("'")[1]
        assert (parsed(stated) is not None) is accepted
        assert ".".join(map(str, assumed(stated))) == version
