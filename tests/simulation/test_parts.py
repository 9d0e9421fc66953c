"""Meshes that are not convex collide as convex parts where they may touch anything but planes."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

import unibody as ub
from unibody.model.base import Base
from unibody.model.collision import PairRule
from unibody.model.scene import as_robot
from unibody.simplification.known_parts import KnownParts
from unibody.simulation import parts
from unibody.simulation.contacts import body_pairs
from unibody.simulation.materials import MaterialTable, PairValues
from unibody.simulation.options import Options
from unibody.simulation.touching import touching_links
from unibody.text.finding import Finding
from unibody.text.installation import install_command

MODELS = Path(__file__).parents[2] / "src" / "unibody" / "models"

ONE = ((1e-3, 0.0, 0.0), (0.0, 1e-3, 0.0), (0.0, 0.0, 1e-3))
BALL = ub.Link(
    name="ball",
    inertial=ub.Inertial(mass=1.0, inertia=ONE),
    collisions=(ub.Shape(geometry=ub.Sphere(radius=0.05)),),
)
STONE = ub.Robot(name="stone", links=(BALL,), base="free", pose=ub.Pose((0.0, 0.0, 0.3)))


@pytest.fixture(autouse=True)
def _nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "_known", KnownParts())


def mesh_of(robot: ub.Robot, size: float = 1.0) -> ub.Shape:
    """The shapes of the first link as one mesh."""
    vertices, faces = ub.mesh(robot, robot.links[0].name, "collision")
    corners = np.column_stack([faces, np.full(len(faces), -1)]).ravel()
    return ub.Shape(geometry=ub.Mesh(vertices=(size * vertices).ravel(), faces=corners))


def bowl(size: float = 1.0, base: ub.Base = "fixed") -> ub.Robot:
    """Four walls of 20 mm around a square of 0.4 m, 0.2 m high, as one mesh."""
    walls = [
        ub.Shape(geometry=ub.Box(size=size), pose=ub.Pose(at))
        for size, at in (
            ((0.4, 0.02, 0.2), (0.0, 0.2, 0.1)), ((0.4, 0.02, 0.2), (0.0, -0.2, 0.1)),
            ((0.02, 0.4, 0.2), (0.2, 0.0, 0.1)), ((0.02, 0.4, 0.2), (-0.2, 0.0, 0.1)),
        )
    ]  # fmt: skip
    drawn = ub.Robot(name="bowl", links=(ub.Link(name="bowl", collisions=tuple(walls)),))
    inertial = None if base == "fixed" else ub.Inertial(mass=1.0, inertia=ONE)
    link = ub.Link(name="bowl", inertial=inertial, collisions=(mesh_of(drawn, size),))
    return ub.Robot(name="bowl", links=(link,), base=base)


def of_shapes(sim: ub.Simulation) -> list[Finding]:
    """The findings about shapes that are not convex."""
    return [f for f in sim.findings if f.code in ("simulation-hull", "simulation-parts")]


@pytest.mark.slow
def test_a_ball_falls_into_a_bowl() -> None:
    """Its hull would carry the ball at the top."""
    heights = {}
    for convex in ("hull", "parts", "auto"):
        sim = ub.simulate((bowl(), STONE), convex=convex, floor=0.0)
        (finding,) = of_shapes(sim)
        if convex == "hull":
            assert (finding.code, finding.severity) == ("simulation-hull", "warning")
            assert "a mesh is not convex and collides as its convex hull" in finding.message
            assert "--convex parts" in (finding.hint or "")
        else:
            assert (finding.code, finding.severity) == ("simulation-parts", "info")
            assert (
                finding.message
                == "meshes that are not convex collide as convex parts: link 'bowl' (4 parts)"
            )
        sim.run(1.0)
        heights[convex] = float(sim.robots["stone"].q[2])
        assert sim.robot.links[1].collisions == bowl().links[0].collisions  # the robot is as it was given
    assert heights["hull"] == pytest.approx(0.25, abs=0.01)
    assert heights["parts"] == pytest.approx(0.05, abs=0.01)
    assert heights["auto"] == heights["parts"]
    with pytest.raises(ValueError, match="convex must be one of 'auto', 'hull', 'parts', not 'exact'"):
        ub.simulate(STONE, convex="exact")


def test_nothing_is_divided_for_planes(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise AssertionError("parts were looked for")

    monkeypatch.setattr(parts, "decompose_all", fails)
    falling = bowl(base="free")
    for convex in ("auto", "parts"):
        sim = ub.simulate(falling, floor=0.0, convex=convex)
        assert not of_shapes(sim)
        sim.reset(above=0.0)
        sim.run(0.2)
        assert sim.robots["bowl"].q[2] == pytest.approx(0.0, abs=1e-3)
        other = replace(falling, name="other", pose=ub.Pose((2.0, 0.0, 0.0)))
        assert not of_shapes(ub.simulate((falling, other), contacts=False, convex=convex))
    with pytest.raises(AssertionError, match="looked for"):
        ub.simulate((falling, STONE), floor=0.0)


def test_the_engine_compiles_once_or_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second time only for contact pairs of special materials; never for convex parts."""
    compiled: list[object] = []
    real = mujoco.MjSpec.compile

    def counted(spec: mujoco.MjSpec) -> object:
        compiled.append(spec)
        return real(spec)

    def parts_of(meshes: list[tuple[Any, Any]], *_: object) -> list[list[tuple[Any, Any]]]:
        faces = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
        return [[(0.1 * np.concatenate([np.zeros((1, 3)), np.eye(3)]), faces)] for _ in meshes]

    monkeypatch.setattr(mujoco.MjSpec, "compile", counted)
    monkeypatch.setattr(parts, "decompose_all", parts_of)
    bouncing = PairValues(static=0.4, sliding=0.4, restitution=0.5)
    table = MaterialTable(pairs={frozenset(("Default", "Ground")): bouncing})
    counts = []
    for robots, words in (
        (STONE, {}),
        (STONE, {"floor": 0.0, "pairs": "none", "friction": 0.3}),
        ((bowl(1.3), STONE), {"floor": 0.0}),
        ((bowl(1.3), STONE), {"floor": 0.0, "materials": table}),
    ):
        compiled.clear()
        sim = ub.simulate(robots, **words)
        assert [f.code for f in of_shapes(sim)] == ["simulation-parts"] * (robots is not STONE)
        counts.append(len(compiled))
        assert sim.copy().findings == sim.findings
        sim.reset()
        assert len(compiled) == counts[-1]
    assert counts == [1, 1, 1, 2]


def test_only_hollow_meshes_that_may_touch_are_divided() -> None:
    """By the rules of pairs, before the engine has a model."""
    arm = replace(BALL, name="arm", collisions=bowl().links[0].collisions)
    robot = ub.Robot(
        name="robot",
        links=(BALL, arm, replace(arm, name="hand")),
        joints=(
            ub.Joint(name="a", kind="revolute", parent="ball", child="arm"),
            ub.Joint(name="b", kind="revolute", parent="arm", child="hand"),
        ),
        base="free",
    )
    everything = ub.SelfCollision(default="all")
    held, apart = replace(robot, base="fixed"), ub.SelfCollision(disabled=(("ball", "hand"),))

    def divided(given: ub.Robot, **words: Any) -> set[str]:
        return touching_links(given, given, Options(**words))

    assert divided(robot) == {"ball", "hand"}
    assert divided(replace(robot, self_collision=everything)) == {"ball", "hand"}
    # in MuJoCo the bodies beside the world touch it, if the rules say so
    assert divided(replace(held, self_collision=everything)) == {"ball", "arm", "hand"}
    for none in (
        divided(robot, contacts=False),
        divided(robot, pairs="none"),
        divided(replace(robot, self_collision=apart)),
    ):
        assert none == set()
    scene = ub.Scene(name="two", robots=(replace(robot, self_collision=apart), STONE))
    whole = as_robot(scene)
    for pairs in ("file", "none"):
        assert touching_links(scene, whole, Options(pairs=pairs)) == {link.name for link in whole.links[1:]}


@pytest.mark.parametrize(
    ("name", "rule", "base"),
    [
        ("biped.body", "file", "fixed"),
        ("biped.body", "all", "free"),
        ("biped.body", "none", "free"),
        ("arm.rob", "file", "fixed"),
    ],
)
def test_what_may_touch_is_what_the_engine_tests(name: str, rule: PairRule, base: Base) -> None:
    """The links that are found by the rules are those of the compiled model."""
    sim = ub.simulate(ub.load(MODELS / name), pairs=rule, base=base, density=1e3, convex="hull")
    can = np.asarray(body_pairs(sim.model, planes=False).any(axis=1))
    names = sim.engine.names
    wanted = {link for link, can_touch in zip(names, can, strict=True) if can_touch}
    assert touching_links(sim.robot, sim.robot, sim.options) == wanted


def test_without_coacd(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "coacd", None)
    (finding,) = of_shapes(ub.simulate((bowl(1.1), STONE)))
    assert finding.code == "simulation-hull"
    assert install_command("parts") in (finding.hint or "")
    with pytest.raises(ub.MissingExtra, match=re.escape(install_command("parts"))):
        ub.simulate((bowl(1.1), STONE), convex="parts")
    assert ub.simulate((bowl(1.1, "free"),), convex="parts", floor=0.0)


def test_a_mesh_without_parts_collides_as_its_hull(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "decompose_all", lambda meshes, *_: [None] * len(meshes))
    (finding,) = of_shapes(ub.simulate((bowl(1.2), STONE)))
    assert finding.code == "simulation-hull"
    assert (finding.hint or "").startswith("give the links convex shapes")


@pytest.mark.slow
def test_parts_stay_within_the_hull_of_an_open_mesh() -> None:
    """A box without a lid, whose sheets become thick when the mesh is made anew from voxels."""
    box = ub.Robot(
        name="box",
        links=(ub.Link(name="box", collisions=(ub.Shape(geometry=ub.Box(size=(0.4, 0.3, 0.2))),)),),
    )
    vertices, faces = ub.mesh(box, "box", "collision")
    open_ = faces[(vertices[faces][:, :, 2] < 0.099).any(axis=1)]
    assert len(open_) == 10
    corners = np.column_stack([open_, np.full(len(open_), -1)]).ravel()
    shape = ub.Shape(geometry=ub.Mesh(vertices=vertices.ravel(), faces=corners))
    robot = ub.Robot(name="box", links=(ub.Link(name="box", collisions=(shape,)),), base="fixed")
    divided = parts.with_parts(robot, {"box"})
    assert divided.numbers["box"][0] >= 5
    assert not divided.left
    points, _ = ub.mesh(divided.robot, "box", "collision")
    assert np.abs(points).max(axis=0) == pytest.approx((0.2, 0.15, 0.1), abs=1e-6)
    sim = ub.simulate((robot, replace(STONE, pose=ub.Pose((0.0, 0.0, 0.2)))))
    sim.run(1.0)
    assert sim.robots["stone"].q[2] == pytest.approx(-0.05, abs=0.015)


@pytest.mark.slow
def test_small_meshes_of_a_link_need_not_be_fine() -> None:
    """A bowl of 8 cm is divided; on a plate of 10 m its hollow is no larger than what parts differ."""
    plate = ub.Shape(geometry=ub.Box(size=(10.0, 10.0, 0.1)), pose=ub.Pose((0.0, 0.0, -1.0)))
    small = bowl(0.2)
    assert parts.with_parts(small, {"bowl"}).numbers == {"bowl": [4]}
    link = replace(small.links[0], collisions=(*small.links[0].collisions, plate))
    sim = ub.simulate((replace(small, links=(link,)), STONE), convex="parts")
    assert not of_shapes(sim)


@pytest.mark.slow
def test_progress_is_the_share_of_the_meshes() -> None:
    shares: list[float] = []
    ub.simulate((bowl(1.3), STONE), progress=shares.append)
    assert shares == [0.0]
    ub.simulate((bowl(1.3), STONE), progress=shares.append)
    assert len(shares) == 1  # the parts are remembered


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_an_interrupt_ends_the_search(tmp_path: Path) -> None:
    """The process that searches ends, too."""
    (tmp_path / "slow.py").write_text("import time\ndef search(*_): time.sleep(60)\n")
    program = tmp_path / "search.py"
    program.write_text(
        "import os, numpy as np\n"
        "from slow import search\n"
        "from unibody.simplification.decomposers import decompose_all\n"
        "print(os.getpid(), flush=True)\n"
        "try:\n"
        "    meshes = [(np.zeros((1, 3, 3)), [{}])] * 3\n"
        "    decompose_all(meshes, lambda number: print(number, flush=True), search)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', flush=True)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, str(program)], stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == str(process.pid)
        assert process.stdout.readline().strip() == "0"
        time.sleep(0.3)
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline().strip() == "interrupted"
        assert process.wait(20.0) == 0
        assert time.monotonic() - begun < 20.0
