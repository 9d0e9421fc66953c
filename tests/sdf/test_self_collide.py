"""Which links of a model collide: that of a link wins over that of its model, and one of two suffices."""

from __future__ import annotations

from pathlib import Path

import pytest

import unibody as ub
from unibody.model import collision

BITS = "<surface><contact><collide_bitmask>{}</collide_bitmask></contact></surface>"


def _pairs(path: Path) -> set[str]:
    return {"".join(sorted(pair)) for pair in collision.tested_pairs(ub.load(path))}


@pytest.mark.parametrize(
    ("model", "links", "bits", "tested"),
    [
        ("0", "", {}, set()),
        ("", "a1", {}, {"ab", "ac", "ad"}),
        ("0", "a1 b1", {}, {"ab", "ac", "ad", "bc", "bd"}),
        ("1", "a0", {}, {"ab", "ac", "ad", "bc", "bd", "cd"}),
        ("1", "a0 b0", {}, {"ac", "ad", "bc", "bd", "cd"}),
        ("1", "a0 b0 c0 d0", {}, set()),
        ("0", "d1", {"a": 1, "b": 2, "d": 2}, {"bd", "cd"}),
    ],
)
def test_of_two_links_one_suffices(
    model: str, links: str, bits: dict[str, int], tested: set[str], tmp_path: Path
) -> None:
    said = {x[0]: f"<self_collide>{x[1]}</self_collide>" for x in links.split()}
    bodies = "".join(
        f'<link name="{name}">{said.get(name, "")}<collision name="c"><geometry><sphere/></geometry>'
        f"{BITS.format(bits[name]) if name in bits else ''}</collision></link>"
        for name in "abcd"
    )
    own = f"<self_collide>{model}</self_collide>" if model else ""
    path = tmp_path / "m.sdf"
    path.write_text(f'<sdf version="1.11"><model name="m">{own}{bodies}</model></sdf>')
    assert _pairs(path) == tested
    ub.save(ub.load(path), tmp_path / "out.sdf", plain=True)
    assert _pairs(tmp_path / "out.sdf") == tested
