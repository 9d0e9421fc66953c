"""The same robot as a Body file and as an OpenHRP file: only what really differs, differs."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from tests.formats.openhrp.cases import MODELS
from tests.shared import DEV

import unibody as ub
from unibody.meshes import MeshCache, area, bounds, link_surfaces

WRL = DEV / "fkanehiro+openhrp3/sample/model/PA10/pa10.main.wrl"
BODY = DEV / "choreonoid+choreonoid/share/model/PA10/PA10.body"
PAGE = Path(__file__).resolve().parents[3] / "docs/formats/openhrp.md"


def kinds(differences: list[ub.Difference]) -> Counter[str]:
    """How many differences there are of each kind; names of links and numbers of items are stars."""
    return Counter(
        re.sub(r"(?<=/)([A-Z][A-Z0-9_]*|\d+)(?=/|$)", "*", x.path) + f" {x.kind}" for x in differences
    )


def test_the_bundled_models_are_one_robot() -> None:
    body, wrl = ub.load(MODELS / "biped.body"), ub.load(MODELS / "biped.wrl")
    found = kinds(ub.diff(body, wrl))
    pairs = sum(count for path, count in found.items() if path.startswith("self_collision/disabled/"))
    assert pairs > 40
    assert {k: n for k, n in found.items() if not k.startswith("self_collision/disabled/")} == {
        # what the format cannot say
        "joints/*/limits/effort changed": 23,
        "devices/* removed": 1,
        "groups/link_group removed": 1,
        "configurations/standard_pose removed": 1,
        "self_collision/default changed": 1,
        # a capsule is a cylinder and two spheres
        "links/*/visuals/*/geometry changed": 2,
        "links/*/visuals/* added": 4,
        "links/*/collisions/*/geometry changed": 2,
        "links/*/collisions/* added": 4,
        # version, info, views
        "extras/* added": 1,
    }


#: What docs/formats/openhrp.md lists, each with its number of differences.
PA10 = {
    "name changed": 1,
    "links/*/inertial/inertia changed": 2,
    "links/*/visuals/*/geometry changed": 10,
    "links/*/visuals/*/pose/quat changed": 10,
    "links/*/visuals/*/material removed": 10,
    "links/*/visuals/* removed": 7,
    "links/*/collisions/*/geometry changed": 16,
    "links/*/collisions/*/pose/xyz changed": 14,
    "links/*/collisions/*/pose/quat changed": 16,
    "links/*/collisions/*/material removed": 16,
    "links/*/collisions/* added": 13,
    "links/*/collisions/* removed": 1,
    "joints/*/limits/position changed": 9,
    "joints/*/limits/velocity changed": 9,
    "devices/Gripper added": 1,
    "groups/link_group added": 1,
    "configurations/standard_pose added": 1,
    "self_collision/default changed": 1,
    "self_collision/disabled/*/* added": 9,
    "extras/* removed": 1,
    "extras/* added": 1,
}


@pytest.mark.usefixtures("shared")
def test_pa10_differs_where_its_files_do() -> None:
    wrl, body = ub.load(WRL), ub.load(BODY)
    assert kinds(ub.diff(wrl, body)) == PA10
    page = PAGE.read_text("utf-8")
    rows = dict(re.findall(r"^\| `([^`]+)` \| (\d+) \|", page, re.M))
    assert {kind: int(count) for kind, count in rows.items()} == PA10
    # what is seen is the same, written in two ways
    cache = MeshCache()
    for link in wrl.links:
        here, there = (link_surfaces(r, link.name, "visual", cache) for r in (wrl, body))
        assert np.allclose(np.array(bounds(here)), np.array(bounds(there)), atol=1e-9)
        assert sum(map(area, here)) == pytest.approx(sum(map(area, there)))
