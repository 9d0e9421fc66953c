"""`make test` runs every module of tests/: its environment has what they import, and none skips itself."""

from __future__ import annotations

import re
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from tests.project.tools import ROOT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TESTS = ROOT / "tests"
#: What has no wheel for Windows, so that its tests skip there.
NOT_ON_WINDOWS = {"coal", "pinocchio"}
#: What only a comparison needs, and what Python or the system may lack.
PEERS = {"collada", "distributed", "jax", "ompl", "ruckig", "torch", "trimesh"}
OPTIONAL = {"fcntl", "lxml.etree", "matplotlib", "pxr", "pyarrow.parquet", "resource", "robot_descriptions"}
#: Modules that compare with a peer and are nothing without it.
COMPARISONS = {"batch/test_cluster.py", "mesh/test_peers.py"}
#: Modules that are sweeps as a whole: `make test-all` runs them.
SWEEPS = {
    "check/test_corpus.py",
    "collision/test_published_srdf.py",
    "convert/test_round_trip.py",
    "corpus/test_companions.py",
    "corpus/test_reports.py",
    "fix/test_corpus.py",
    "formats/mjcf/test_arrays.py",
    "formats/mjcf/test_write_corpus.py",
    "hostile/test_memory.py",
    "hostile/test_numbers_slots.py",
    "oracle/test_bridge_geometry.py",
    "simulation/test_keyframes.py",
    "oracle/test_mechanism_loops.py",
    "oracle/test_mechanism_simulation.py",
    "oracle/test_pinocchio_geometry.py",
    "oracle/test_written.py",
    "project/test_processors.py",
    "sdf/test_libsdformat.py",
    "sdf/test_lumped.py",
    "sdf/test_written.py",
    "usd/test_judges.py",
    "simulation/test_page.py",
    "view/test_axe.py",
}
SKIP = re.compile(r'^( *)(?:.*[ =])?pytest\.importorskip\(\s*"?([\w.]+)"?', re.MULTILINE)


def modules() -> set[str]:
    """The test modules, seen from tests/."""
    return {p.relative_to(TESTS).as_posix() for p in TESTS.rglob("test_*.py")}


def required(extra: str) -> list[Requirement]:
    """What an extra of the package installs on this platform."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    todo, out = [extra], []
    while todo:
        for text in extras[todo.pop()]:
            requirement = Requirement(text)
            if requirement.name == "unibody":
                todo += requirement.extras
            elif requirement.marker is None or requirement.marker.evaluate():
                out.append(requirement)
    return out


def test_the_engines_are_part_of_the_extra_of_tests() -> None:
    names = {requirement.name for requirement in required("test")}
    mujoco = "mujoco-core" if sys.version_info >= (3, 11) else "mujoco"
    assert names >= {"coacd", mujoco, "pytest", *(() if sys.platform == "win32" else ("coal", "pin"))}
    missing = []
    for requirement in required("test"):
        try:
            if not requirement.specifier.contains(version(requirement.name), prereleases=True):
                missing.append(str(requirement))
        except PackageNotFoundError:
            missing.append(str(requirement))
    assert missing == [], "run `make test`, or pip install -e .[test]"


def test_tests_skip_for_want_of_peers_alone() -> None:
    wrong, comparisons = [], set()
    for name in sorted(modules() - {"project/test_collected.py"}):
        for indent, package in SKIP.findall((TESTS / name).read_text("utf-8")):
            if not indent and package in PEERS:
                comparisons.add(name)
            elif package not in NOT_ON_WINDOWS | PEERS | (OPTIONAL if indent else set()):
                wrong.append(f"{name}: {package}")
    assert wrong == ["mechanism/test_libraries.py: request.param"]
    assert comparisons | {"mesh/test_peers.py"} == COMPARISONS


def _is_without_files(skip: pytest.Mark) -> bool:
    """Whether pytest skips a test that has no case, since ../shared is not here."""
    return str(skip.kwargs.get("reason", "")).startswith("got empty parameter set")


def test_every_module_has_a_test_that_runs(request: pytest.FixtureRequest) -> None:
    """Of a run of everything: a test that is not slow, and that no mark skips."""
    option = request.config.option
    whole = {Path(arg).name for arg in request.config.args} == set(request.config.getini("testpaths"))
    if not whole or option.keyword or option.markexpr not in ("", "not slow"):
        pytest.skip("needs a run of all tests")
    found = {
        item.path.relative_to(TESTS).as_posix()
        for item in request.session.items
        if item.path.is_relative_to(TESTS)
        and item.get_closest_marker("slow") is None
        and all(_is_without_files(mark) for mark in item.iter_markers("skip"))
        and not any(mark.args[0] for mark in item.iter_markers("skipif"))
    }
    assert modules() - found - COMPARISONS == SWEEPS
