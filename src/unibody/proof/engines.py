"""The engines that proofs can run, and the interpreters that have them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

from unibody.text.dataclass import dataclass
from unibody.text.near import named

#: Environment variable: interpreters, or folders of virtual environments, separated as in PATH.
VARIABLE = "UNIBODY_ENGINES"


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """An engine: its name in options, its title, and the formats that it reads, by preference.

    ``versions`` are formats of which it reads only some versions, with each of these. ``single`` tells
    that it computes in single precision; ``stated``, that no interpreter has it, and what it makes of
    joints is known by its rules only.
    """

    name: str
    title: str
    formats: tuple[str, ...]
    versions: tuple[tuple[str, str], ...] = ()
    single: bool = False
    stated: bool = False

    def reads(self, format: str, version: str = "") -> bool:
        """Whether it reads files of a format and, if one is stated, of that version.

        >>> DART.reads("sdf", "1.6"), DART.reads("sdf", "1.9"), DART.reads("body")
        (True, False, False)
        """
        some = [own for name, own in self.versions if name == format]
        return format in self.formats and (not some or version in some)

    @property
    def script(self) -> Path:
        """The loader of the engine."""
        return Path(__file__).parent / "loaders" / f"load_{self.name}.py"


MUJOCO = Engine(name="mujoco", title="MuJoCo", formats=("mjcf", "urdf"))
PINOCCHIO = Engine(name="pinocchio", title="Pinocchio", formats=("urdf", "mjcf"))
DRAKE = Engine(name="drake", title="Drake", formats=("urdf", "mjcf", "sdf"))
IDYNTREE = Engine(name="idyntree", title="iDynTree", formats=("urdf",))
DART = Engine(
    name="dart",
    title="DART",
    formats=("urdf", "mjcf", "sdf"),
    versions=(("sdf", "1.4"), ("sdf", "1.5"), ("sdf", "1.6")),
)
SAPIEN = Engine(name="sapien", title="SAPIEN", formats=("urdf",), single=True)

#: All engines, in the order of reports.
ENGINES = (MUJOCO, PINOCCHIO, DRAKE, IDYNTREE, DART, SAPIEN)

CHOREONOID = Engine(name="choreonoid", title="Choreonoid", formats=("body", "openhrp", "urdf"), stated=True)
ROS2_CONTROL = Engine(name="ros2_control", title="ros2_control", formats=("urdf",), stated=True)

#: The programs that have a joint map.
MAPPED = (*ENGINES, CHOREONOID, ROS2_CONTROL)


def engines_of(
    names: str | Iterable[str] | None, among: tuple[Engine, ...] = ENGINES
) -> tuple[Engine, ...]:
    """The engines of these names, all without any; ValueError for an unknown name.

    >>> [engine.title for engine in engines_of("pinocchio,mujoco")]
    ['Pinocchio', 'MuJoCo']
    """
    if names is None:
        return among
    return named(names, {engine.name: engine for engine in among}, "engine")


def interpreters() -> list[str]:
    """The interpreters that may have engines: those of ``UNIBODY_ENGINES``, then this one."""
    places = [place for place in os.environ.get(VARIABLE, "").split(os.pathsep) if place]
    found = [_interpreter(os.path.abspath(place)) for place in places]
    return list(dict.fromkeys([*found, sys.executable]))


def _interpreter(place: str) -> str:
    """The interpreter of a virtual environment, or the one given."""
    if not os.path.isdir(place):
        return place
    inner = ("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")
    return os.path.join(place, *inner)
