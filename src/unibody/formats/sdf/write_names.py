"""Makes names that SDF allows: unique among the links, joints and frames of a model, and not reserved.

Names with `::` say which nested model an item is in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from unibody.formats.names import Names
from unibody.model.base import WORLD
from unibody.model.changes.surroundings import is_world
from unibody.model.robot import Robot
from unibody.text.dataclass import dataclass

#: The names of the nested models around an item, from the outermost one.
ModelPath: TypeAlias = tuple[str, ...]
#: What stands between the names of nested models.
SEPARATOR = "::"
_THREE = ":::"
# The most models in one another that names state.
_DEEPEST = 30
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


@dataclass(frozen=True, slots=True)
class ScopedName:
    """A name in the file: that in a model, and the nested models around it, from the outermost one."""

    scope: ModelPath
    name: str

    def within(self, scope: ModelPath) -> str:
        """How a model around the item calls it.

        >>> ScopedName(("arm", "hand"), "palm").within(("arm",))
        'hand::palm'
        """
        return SEPARATOR.join((*self.scope[len(scope) :], self.name))


@dataclass(frozen=True, slots=True, eq=False)
class ModelNames:
    """The names in the file of the links, joints, loops and frames of a robot, by their own names.

    Names with `::` are those of items of nested models. Names in a model reach into the models in it only:
    an item that names another one is in a model around both.
    """

    links: Mapping[str, ScopedName]
    joints: Mapping[str, ScopedName]
    loops: Mapping[str, ScopedName]
    frames: Mapping[str, ScopedName]

    @classmethod
    def of(cls, robot: Robot, own: Iterable[str] = (), *, nested: bool = True) -> ModelNames:
        """The names of a robot; ``own`` are the frames that are those of the links they are called by.

        Links keep their names before joints, joints before loops, and these before frames; what has a
        name that is taken gets the word for it behind the name. Without ``nested`` there is one model.
        """
        models: set[ModelPath] = _models_of(robot) if nested else {()}
        links = {link.name: _home(link.name, models) for link in robot.links}
        joints = _joint_homes(robot, models, links)
        loops = {
            x.name: _common(_home(x.name, models), *_ends(robot, links, x.link_a, x.link_b))
            for x in robot.loops
        }
        mine = {*own}
        frames = {
            x.name: _common(_home(x.name, models), links[x.link])
            for x in robot.frames
            if x.name not in mine
        }
        lists = (("link", links), ("joint", joints), ("loop", loops), ("frame", frames))
        every = {(home, _rest(name, home)) for _, homes in lists for name, home in homes.items()}
        used = {(path[:-1], path[-1]) for path in models if path}
        every |= used
        taken: dict[ModelPath, Names] = {}
        for home, name in used:
            taken.setdefault(home, Names()).take(name)
        out: list[dict[str, ScopedName]] = []
        for word, homes in lists:
            made: dict[str, ScopedName] = {}
            # legal names that are free are kept, whatever the others become
            for name, home in homes.items():
                rest = _rest(name, home)
                if legal(rest, word) == rest and (home, rest) not in used:
                    made[name] = ScopedName(home, taken.setdefault(home, Names()).take(rest))
                    used.add((home, rest))
            for name, home in homes.items():
                if name not in made:
                    stem = legal(_rest(name, home), word)
                    stem = f"{stem}_{word}" if (home, stem) in used or (home, stem) in every else stem
                    made[name] = ScopedName(home, taken.setdefault(home, Names()).take(stem))
                    used.add((home, made[name].name))
            out.append(made)
        return cls(*out)


def _models_of(robot: Robot) -> set[ModelPath]:
    """The models that the names of links state, by their paths; () is the outermost.

    A model with the name of a link beside it is none: what is in it is in the model around.
    """
    homes = [_stated(link.name) for link in robot.links]
    models = {(), *(home[:k] for home in homes for k in range(1, len(home) + 1))}
    if len(models) == 1:
        return models
    beside = {(*home, _rest(link.name, home)) for link, home in zip(robot.links, homes, strict=True)}
    clashing = models & beside
    return {path for path in models if not any(path[:k] in clashing for k in range(1, len(path) + 1))}


def _stated(name: str) -> ModelPath:
    """The nested models that a name states, if their names are legal; () without."""
    if SEPARATOR not in name or _THREE in name:
        return ()
    parts = name.split(SEPARATOR)
    if not parts[-1] or len(parts) > _DEEPEST:
        return ()
    models = parts[:-1]
    return tuple(models) if all(part and legal(part, "model") == part for part in models) else ()


def _home(name: str, models: set[ModelPath]) -> ModelPath:
    """The innermost of some models that a name states."""
    path = _stated(name)
    while path not in models:
        path = path[:-1]
    return path


def _rest(name: str, home: ModelPath) -> str:
    """A name without those of the models around it."""
    return name[sum(len(part) + len(SEPARATOR) for part in home) :]


def _common(*paths: ModelPath) -> ModelPath:
    """The innermost model that is around some models, or one of them."""
    first, *others = paths
    length = min(map(len, paths))
    while any(path[:length] != first[:length] for path in others):
        length -= 1
    return first[:length]


def _ends(robot: Robot, links: Mapping[str, ModelPath], *names: str) -> list[ModelPath]:
    """The models of links; the world is in none."""
    top = robot.root if is_world(robot) else None
    return [links[name] for name in names if name != top]


def _joint_homes(
    robot: Robot, models: set[ModelPath], links: Mapping[str, ModelPath]
) -> dict[str, ModelPath]:
    """The models that joints are in: around their links, and the joints that they follow."""
    out = {
        x.name: _common(_home(x.name, models), *_ends(robot, links, x.parent, x.child))
        for x in robot.joints
    }
    if len(models) == 1:
        return out
    followers: dict[str, list[str]] = {}
    for coupling in robot.couplings:
        followers.setdefault(coupling.leader, []).append(coupling.joint)
    todo = [*followers]
    while todo:
        leader = todo.pop()
        for name in followers.get(leader, ()):
            home = _common(out[name], out[leader])
            if home != out[name]:
                out[name] = home
                todo.append(name)
    return out


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
