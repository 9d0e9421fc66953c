"""The single-file page: self-contained, deterministic, safe against hostile models."""

from __future__ import annotations

import base64
import hashlib
import re
import zlib
from itertools import pairwise

import pytest
from tests.project.tools import ROOT

from unibody.model.joint_kind import KINDS
from unibody.model.robot import Joint, Link, Robot
from unibody.page.data import Origin, page_data
from unibody.page.pack import unpack
from unibody.page.page import empty_page, filled_page
from unibody.text.finding import Finding

PLACE = b'<script type="application/octet-stream" id="model">'
HOSTILE = [
    "</script><script>window.pwned = 1</script>",
    "<img src=x onerror='window.pwned = 1'>",
    "<!--<script>",
    "__proto__",
    "constructor",
    "\u2028]]>&amp;\"'`${1}\x00",
    "\ud800",
]


def hostile() -> Robot:
    links = tuple(Link(name=name) for name in HOSTILE)
    joints = tuple(
        Joint(name=child, kind="revolute", parent=parent, child=child)
        for parent, child in pairwise(HOSTILE)
    )
    return Robot(name=HOSTILE[0], links=links, joints=joints)


def embedded(page: bytes) -> bytes:
    """The model embedded in a page."""
    text = page.partition(PLACE)[2].partition(b"</script>")[0]
    return zlib.decompress(base64.b64decode(text, validate=True))


def test_empty_page_has_one_slot_for_a_model() -> None:
    assert empty_page().count(PLACE) == 1
    assert PLACE + b"</script>" in empty_page()


def test_filled_page_contains_its_model() -> None:
    data = page_data(hostile()).bytes
    assert embedded(filled_page(data)) == data


def test_hostile_names_are_encoded() -> None:
    finding = Finding("code", "error", HOSTILE[0], None, HOSTILE[1])
    data = page_data(hostile(), [finding], origin=Origin(file=HOSTILE[1], format=HOSTILE[2])).bytes
    page = filled_page(data)
    assert page.replace(base64.b64encode(zlib.compress(data, 9)), b"") == empty_page()
    header, _ = unpack(data)
    robot = header["robots"][0]
    assert [link["name"] for link in robot["links"]] == HOSTILE
    assert robot["findings"][0]["hint"] == HOSTILE[1]


def test_page_is_deterministic() -> None:
    assert filled_page(page_data(hostile()).bytes) == filled_page(page_data(hostile()).bytes)


def test_page_references_no_other_host() -> None:
    page = empty_page().decode()
    # The XHTML namespace is not fetched.
    assert set(re.findall(r"https?://[\w.-]+", page)) == {"http://www.w3.org"}
    assert not re.search(r"""(?:src|href)\s*=\s*["'](?!data:)""", page.partition("<script type")[0])


@pytest.mark.parametrize("tag", ["script", "style"])
def test_content_security_policy(tag: str) -> None:
    page = empty_page().decode()
    allowed = set(re.findall(r"'sha256-([^']+)'", page))
    for attributes, text in re.findall(rf"<{tag}([^>]*)>(.*?)</{tag}>", page, re.DOTALL):
        if "octet-stream" not in attributes:
            digest = hashlib.sha256(text.encode()).digest()
            assert base64.b64encode(digest).decode() in allowed
    assert "default-src 'none'" in page
    assert "unsafe" not in re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]  # type: ignore[index]


def test_page_contains_the_license_of_three_js() -> None:
    assert b"three.js authors" in empty_page()
    assert b"The above copyright notice and this permission notice" in empty_page()


def test_kinds_of_joints_are_those_of_the_library() -> None:
    text = (ROOT / "viewer/src/kinds.ts").read_text()
    written = {
        name: (int(size), set(re.findall(r"(\w+): true", more)))
        for name, size, more in re.findall(r"^  (\w+): record\((\d)(.*)\),$", text, re.MULTILINE)
    }
    assert written == {
        name: (
            kind.nq,
            {
                word
                for word, holds in (
                    ("quaternion", kind.has_quaternion),
                    ("bounded", kind.bounded),
                    ("angular", kind.angular),
                    ("periodic", kind.periodic),
                )
                if holds
            },
        )
        for name, kind in KINDS.items()
    }
