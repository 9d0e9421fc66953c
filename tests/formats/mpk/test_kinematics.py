"""Link poses agree with the reference's own formulas, at the default and at random configurations."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from tests.formats.mpk.formulas import poses

import unibody as ub
from unibody.files.access import MemoryFiles
from unibody.formats.loader import read

DEV = Path("corpus/dev/aslali+rrt_kuka_mpk/robots")

# Everything at once: turned and shifted roots, constants around the moving transform in any order,
# vectors that are not of length 1, several joints on one parameter, limits the wrong way round.
MIXED = """#MPK v1.0 robot
joint A { ConstRot 1 2 3 0.7 ConstTransl 0.1 -0.2 0.3 Rot1 0 0 2 -1 2 param 1 }
joint B { parent A Transl1 0.3 -0.4 1.2 0.5 -0.25 ConstTransl 0 1 0 ConstRot 0 1 0 0.4 param 0 }
joint C { parent B ConstTransl_Rot1 0.2 0.1 0 1 1 0 2.967 -2.967 ConstRot 0 0 1 -1.1 param 1 }
joint D { ConstTransl 5 0 0 ConstRot 1 0 0 1.5707963267948966 ConstTransl 0 0 1 }
joint E { parent D ConstRot 0 0 1 3.141592653589793 Transl1 0 0 1 0 2 param 2 tracePoint }
"""


def check(text: str, reading: ub.Reading, tolerance: float) -> float:
    assert reading.robot is not None
    mechanism = ub.assemble(reading.robot)
    space = mechanism.normalized_space
    random = np.random.default_rng(7).random((100, space.n))
    worst = 0.0
    for t in [space.default, np.zeros(space.n), np.ones(space.n), *random]:
        found = mechanism.forward_kinematics(space.to_joints(t))
        for name, pose in poses(text, t.tolist()).items():
            worst = max(worst, np.abs(found[mechanism.link_names.index(name)] - pose).max())
    assert worst < tolerance
    return worst


@pytest.mark.parametrize("name", ["puma.rob", "freeflyingL.rob"])
def test_corpus(name: str, shared: Path) -> None:
    path = shared / DEV / name
    check(path.read_text(), ub.read(path), 1e-14 if name == "puma.rob" else 2e-14)


@pytest.mark.parametrize("text", [MIXED, re.sub(r"\n(joint [BCE])", r"\n\n# later\n\1", MIXED)])
def test_every_transform(text: str) -> None:
    found = read("m.rob", files=MemoryFiles({"m.rob": text.encode()}))
    assert found.ok, found.findings
    check(text, found, 1e-14)


def test_the_start_is_the_default_configuration(shared: Path) -> None:
    mechanism = ub.assemble(ub.load(shared / DEV / "puma.rob"))
    space = mechanism.normalized_space
    assert (space.to_joints(space.default) == mechanism.initial).all()
    assert (mechanism.initial == 0.0).all()


def test_default_option_sets_the_start() -> None:
    text = MIXED + "param { 0 { default 0.3 } 1 { default 1 } }"
    found = read("m.rob", files=MemoryFiles({"m.rob": text.encode()}))
    assert found.robot is not None
    mechanism = ub.assemble(found.robot)
    space = mechanism.normalized_space
    assert space.default.tolist() == [0.3, 1.0, 0.5]
    assert (space.to_joints(space.default) == mechanism.initial).all()
    assert mechanism.initial[0] == 2.0
    poses_there = poses(text, [0.3, 1.0, 0.5])
    start = mechanism.forward_kinematics(mechanism.initial)
    for name, pose in poses_there.items():
        np.testing.assert_allclose(start[mechanism.link_names.index(name)], pose, atol=1e-14)
