"""What one verb writes, every verb reads; what a notation lacks is an error that names what has it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.sampling import few

import unibody as ub
from unibody.cli.main import main
from unibody.mechanism import Mechanism, assemble
from unibody.model.base import Base
from unibody.model.joint_kind import JointKind
from unibody.motions.motion import Motion, MotionError, motion_of
from unibody.motions.notations import BY_SUFFIX, NOTATIONS, load_motion, save_motion

SUFFIXES = [suffix for suffix in BY_SUFFIX if suffix not in (".vel", ".torque")]


def robot(base: Base, kind: JointKind) -> ub.Robot:
    """A chain of a revolute, a prismatic and another joint, with masses and shapes that never touch."""
    names = ("root", "upper", "lower", "hand")
    links = tuple(
        ub.Link(
            name=name,
            inertial=ub.Inertial(mass=1.0, inertia=((0.01, 0.0, 0.0), (0.0, 0.01, 0.0), (0.0, 0.0, 0.01))),
            collisions=(ub.Shape(geometry=ub.Sphere(radius=0.02)),),
        )
        for name in names
    )
    limits = ub.Limits(position=(-1.5, 1.5), velocity=(-2.0, 2.0), acceleration=(-8.0, 8.0))
    free = kind == "ball"
    joints = tuple(
        ub.Joint(
            name=name,
            kind=each,
            parent=parent,
            child=child,
            axis=(1.0, 0.0, 0.0),
            origin=ub.Pose((0.0, 0.0, 0.3)),
            limits=ub.Limits() if free and each == kind else limits,
        )
        for name, each, parent, child in zip(
            ("turn", "lift", "wrist"), ("revolute", "prismatic", kind), names, names[1:], strict=False
        )
    )
    return ub.Robot(name="chain", links=links, joints=joints, base=base)


ROBOTS = {
    "fixed base": robot("fixed", "revolute"),
    "free base": robot("free", "revolute"),
    "ball joint": robot("fixed", "ball"),
}


def moving(mechanism: Mechanism, moved: str = "all") -> Motion:
    """Ten rows, unevenly spaced; ``moved`` "single" leaves the base and ball joints where they are."""
    rng = np.random.default_rng(0)
    v = 0.5 * rng.uniform(-1.0, 1.0, mechanism.nv)
    if moved == "single":
        v[[i for i, (name, _) in enumerate(_rates(mechanism)) if _rates(mechanism).count((name, 1))]] = 0.0
    times = np.cumsum([0.0, *rng.uniform(0.05, 0.15, 9)])
    q = np.array([mechanism.integrate(mechanism.initial, t * v) for t in times])
    velocities = np.tile(v, (len(times), 1))
    return motion_of(mechanism, q, times, velocities=velocities, efforts=0.1 * velocities)


def _rates(mechanism: Mechanism) -> list[tuple[str, int]]:
    return list(motion_of(mechanism, mechanism.initial).rates)


def same(a: Motion, b: Motion, mechanism: Mechanism) -> None:
    """Fail unless two motions have the same configurations and times."""
    assert np.abs(a.configurations(mechanism) - b.configurations(mechanism)).max() < 1e-9
    assert (a.times is None) == (b.times is None)
    if a.times is not None and b.times is not None:
        assert np.abs(a.times - b.times).max() < 2e-9  # trajectories of ROS have whole nanoseconds


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("name", ROBOTS)
def test_what_is_written_is_read(name: str, suffix: str, tmp_path: Path) -> None:
    mechanism = assemble(ROBOTS[name])
    several = name != "fixed base"
    incapable = {".yaml", ".yml", ".pln"} | ({".pos", ".seq"} if name == "ball joint" else set())
    for moved in ("all", "single"):
        motion = moving(mechanism, moved)
        if suffix == ".pln":
            motion = motion.path()
        file = tmp_path / f"{moved}{suffix}"
        if several and moved == "all" and suffix in incapable:
            with pytest.raises(MotionError, match=r"write \.csv, \.json or \.npz"):
                save_motion(motion, file, mechanism)
            continue
        save_motion(motion, file, mechanism)
        back = load_motion(file, mechanism)
        same(motion, back, mechanism)
        if suffix in (".csv", ".json", ".npz"):
            assert back.velocities is not None
            assert motion.velocities is not None
            assert np.array_equal(back.velocities, motion.velocities)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_paths_without_times(suffix: str, tmp_path: Path) -> None:
    mechanism = assemble(ROBOTS["fixed base"])
    path, file = moving(mechanism).path(), tmp_path / f"path{suffix}"
    if BY_SUFFIX[suffix].needs_times:
        with pytest.raises(MotionError, match=r"needs times; write one of \.csv, \.json, \.pln, or give"):
            save_motion(path, file, mechanism)
        assert not list(tmp_path.iterdir())
        return
    save_motion(path, file, mechanism)
    same(load_motion(file, mechanism), path, mechanism)


def test_plans_have_no_times(tmp_path: Path) -> None:
    mechanism = assemble(ROBOTS["fixed base"])
    with pytest.raises(MotionError, match=r"a plan of MPK has no times; write its path\(\)"):
        save_motion(moving(mechanism), tmp_path / "a.pln", mechanism)


@pytest.mark.parametrize("suffix", [".vel", ".torque"])
def test_rates_of_patterns(suffix: str, tmp_path: Path) -> None:
    mechanism = assemble(ROBOTS["fixed base"])
    motion = moving(mechanism)
    save_motion(motion, tmp_path / f"a{suffix}", mechanism)
    back = load_motion(tmp_path / f"a{suffix}", mechanism)
    wanted, found = (m.velocities if suffix == ".vel" else m.efforts for m in (motion, back))
    assert wanted is not None
    assert found is not None
    assert np.abs(wanted - found).max() < 1e-12


def test_a_cyclic_coordinate_goes_the_short_way(tmp_path: Path) -> None:
    joint = ub.Joint(name="turn", kind="revolute", parent="a", child="b")
    mechanism = assemble(ub.Robot(name="r", links=(ub.Link(name="a"), ub.Link(name="b")), joints=(joint,)))
    (tmp_path / "a.pln").write_text("* 0.9\n* 0.1\n* 0.4\n")
    plan = load_motion(tmp_path / "a.pln", mechanism)
    assert plan.q[:, 0] / (2.0 * np.pi) + 0.5 == pytest.approx([0.9, 1.1, 1.4])
    save_motion(plan, tmp_path / "a.csv", mechanism)
    save_motion(load_motion(tmp_path / "a.csv", mechanism), tmp_path / "b.pln", mechanism)
    same(load_motion(tmp_path / "b.pln", mechanism), plan, mechanism)


# --- the command ------------------------------------------------------------------------

PLANNED = [suffix for suffix in SUFFIXES if suffix != ".yml"]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of the robots, and all that the verbs write of them."""
    pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")
    folder = tmp_path_factory.mktemp("pairs")
    for name, one in ROBOTS.items():
        at = folder / name
        at.mkdir()
        ub.save(one, at / "model.body")
        model, goal = str(at / "model.body"), ["--goal", "turn=0.5,lift=-0.2"]
        limits = ["--velocity", "1", "--acceleration", "3"]
        for suffix in PLANNED:
            words = ["plan", model, *goal, *limits, "-o", str(at / f"planned{suffix}")]
            assert main(words) == 0
        assert main(["plan", model, *goal, "-o", str(at / "untimed.csv")]) == 0
        assert main(["plan", model, *goal, *limits, "--record", str(at / "planned-run.npz")]) == 0
        run = ["simulate", model, "--seconds", "0.05", "--gravity", "0,0,0"]
        assert main([*run, "--record", str(at / "run.npz")]) == 0
    return folder


RUNS = ["planned-run.npz", "run.npz", "run.csv"]
WRITTEN = [*(f"planned{suffix}" for suffix in PLANNED), "untimed.csv", *RUNS]


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("name", few(ROBOTS, 1))
def test_every_verb_reads_what_the_others_write(
    name: str, written: str, models: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    at = models / name
    model, path = str(at / "model.body"), at / written
    if written == "run.csv":
        capsys.readouterr()
        assert main(["simulate", model, "--seconds", "0.05", "--gravity", "0,0,0", "--csv"]) == 0
        path = tmp_path / written
        path.write_text(capsys.readouterr().out)
    assert main(["check-path", model, str(path)]) == 0
    assert main(["view", model, "--motion", str(path), "--html", str(tmp_path / "a.html")]) == 0
    simulate = ["simulate", model, "--seconds", "0.02", "--gravity", "0,0,0", "--control", str(path)]
    capsys.readouterr()
    if written in ("planned.pln", "untimed.csv"):
        assert main(simulate) == 2
        err = capsys.readouterr().err
        assert "has no times" in err
        assert "--interval 0.1" in err
        simulate += ["--interval", "0.1"]
    assert main(simulate) == 0, capsys.readouterr().err


def test_notations_have_their_own_suffixes() -> None:
    suffixes = [suffix for notation in NOTATIONS for suffix in notation.suffixes]
    assert len(suffixes) == len(set(suffixes)) == len(BY_SUFFIX)
