"""MJCF that is read and written again compiles to the same arrays in MuJoCo."""

from __future__ import annotations

from pathlib import Path

import mujoco
import pytest
from tests.formats.mjcf.arrays import differences
from tests.formats.mjcf.test_oracle import MICRO, compiled
from tests.shared import CORPUS

import unibody as ub
from unibody.text.node import Node
from unibody.text.xml.printer import print_xml

# The axes of a mesh to which a primitive is fitted are those that MuJoCo computes, up to 1e-8.
FITTED = ("geom_mat", "geom_pos", "geom_size")
# An inertia that MuJoCo computes of a mesh is equal to 1e-6 of it.
MESH_INERTIA = ("100spheremesh.xml", "mesh-inertia-")


def _explained(path: Path, found: list[str]) -> list[str]:
    if "fit" in path.name:
        found = [x for x in found if not x.startswith(FITTED)]
    if path.name.startswith(MESH_INERTIA):
        found = [x for x in found if not x.startswith("body_inertia")]
    return found


def kept(robot: ub.Robot) -> dict[str, str]:
    """What is kept of a robot, by owner."""
    return {extra.owner: print_xml(Node("extra", unplaced(extra.node).items)) for extra in robot.extras}


def unplaced(node: Node) -> Node:
    """A copy of a node without its places in a file, by which lines would be broken."""
    items = [(key, unplaced(x) if isinstance(x, Node) else x, -1) for key, x, _ in node.items]
    return Node(node.tag, items)


def written(path: Path, folder: Path) -> list[str]:
    """What differs between a file and what is written of its robot."""
    out = folder / f"{path.stem}_out.xml"
    robot = ub.load(path)
    ub.save(robot, out, plain=True)
    models = (mujoco.MjModel.from_xml_path(str(x)) for x in (path, out))
    before, after = kept(robot), kept(ub.load(out))
    others = [owner or "sections" for owner in {**before, **after} if before.get(owner) != after.get(owner)]
    return [*differences(*models), *(f"other extras: {owner}" for owner in others)]


@pytest.mark.usefixtures("shared")
@pytest.mark.slow
def test_the_corpus_compiles_to_the_same_arrays(tmp_path: Path) -> None:
    files = [CORPUS / path for path, _ in compiled()]
    files += [
        d.with_name(d.name.removesuffix(".mujoco.json")) for d in sorted(MICRO.rglob("*.mujoco.json"))
    ]
    all_found = {}
    for k, path in enumerate(files):
        (tmp_path / str(k)).mkdir()
        if found := written(path, tmp_path / str(k)):
            all_found[path] = found
    print(f"{len(files) - len(all_found)} of {len(files)} files compile to equal arrays")
    wrong = {path: left for path, found in all_found.items() if (left := _explained(path, found))}
    assert not wrong, "\n".join(f"{path}: {found[:3]}" for path, found in wrong.items())
