"""Makes names that SDF allows: unique among the links, joints and frames of a model, and not reserved."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from unibody.formats.names import Names
from unibody.model.base import WORLD
from unibody.model.robot import Robot
from unibody.text.dataclass import dataclass

#: What no name may have: the separator of nested models, and characters that XML has no place for.
_ODD = re.compile(r"::+|[\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def legal(name: str, word: str) -> str:
    """The name as SDF allows it; ``word`` is what it names, for one that is empty or reserved.

    >>> legal("arm::hand", "link"), legal("world", "link"), legal("__model__", "frame"), legal("", "joint")
    ('arm_hand', 'world_link', '__model___frame', 'joint')
    """
    made = _ODD.sub("_", name).strip()
    is_reserved = made == WORLD or (made.startswith("__") and made.endswith("__"))
    return f"{made}_{word}" if made and is_reserved else made or word


@dataclass(frozen=True, slots=True, eq=False)
class ModelNames:
    """The names in the file of the links, joints, loops and frames of a robot, by their own names."""

    links: Mapping[str, str]
    joints: Mapping[str, str]
    loops: Mapping[str, str]
    frames: Mapping[str, str]

    @classmethod
    def of(cls, robot: Robot, own: Iterable[str] = ()) -> ModelNames:
        """The names of a robot; ``own`` are the frames that are those of the links they are called by.

        Links keep their names before joints, joints before loops, and these before frames; what has a
        name that is taken gets the word for it behind the name.
        """
        lists = (
            ("link", [link.name for link in robot.links]),
            ("joint", [joint.name for joint in robot.joints]),
            ("loop", [loop.name for loop in robot.loops]),
            ("frame", [frame.name for frame in robot.frames if frame.name not in {*own}]),
        )
        every = {name for _, names in lists for name in names}
        taken = Names()
        used: set[str] = set()
        out: list[dict[str, str]] = []
        for word, names in lists:
            made: dict[str, str] = {}
            # legal names that are free are kept, whatever the others become
            for name in names:
                if legal(name, word) == name and name not in used:
                    made[name] = taken.take(name)
                    used.add(name)
            for name in names:
                if name not in made:
                    stem = legal(name, word)
                    stem = f"{stem}_{word}" if stem in used or stem in every else stem
                    made[name] = taken.take(stem)
                    used.add(made[name])
            out.append(made)
        return cls(*out)


def unique(names: Iterable[str], word: str, taken: Names) -> list[str]:
    """The names of the items of a link, which nothing else on it has; ``word`` names those without one.

    >>> taken = Names()
    >>> unique(["foot", ""], "collision", taken), unique(["foot", ""], "visual", taken)
    (['foot', 'collision'], ['foot_visual', 'visual'])
    """
    out = []
    for name in names:
        stem = legal(name, word)
        out.append(taken.take(f"{stem}_{word}" if name and stem in taken else stem))
    return out
