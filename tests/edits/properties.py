"""Random edits of models, and what must hold of each: names, references, losses.

``python -m tests.edits.properties`` goes through the whole corpus and prints what does not hold; the tests
take a slice. Options: ``--shard K/N`` for one of N slices, ``--only TEXT`` for paths with that text,
``--seed N``, ``--seconds N`` to stop after that time.
"""

from __future__ import annotations

import argparse
import math
import re
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from tests.convert.models import ROOT
from tests.losses.corpus import TARGETS, WRITERS, models, sliced

from unibody.conversion.measurement import find_differences
from unibody.conversion.pipeline import read_source, save, save_reading
from unibody.conversion.report import Loss, Report
from unibody.document.references import pieces
from unibody.edits.attach import edit_attach
from unibody.edits.edit import RobotEdit
from unibody.edits.kept import kept, known_names
from unibody.edits.names import names_of
from unibody.edits.rename import edit_names
from unibody.edits.subtree import edit_subtree
from unibody.files.access import Files
from unibody.formats import by_name
from unibody.formats.format import Context
from unibody.formats.loader import LoadError, Reading, read, read_with
from unibody.model.base import WORLD
from unibody.model.collision import tests_the_same
from unibody.model.facts import Difference
from unibody.model.pose import Pose
from unibody.model.robot import Extra, Robot
from unibody.model.traverse import unpart
from unibody.text.finding import Findings
from unibody.text.node import Node, Numbers, Row, Value, Word, words
from unibody.text.source import Source

ROS_ARM = ROOT / "tests/commands/models/ros_arm.urdf"
LIMITS = ("too-many-nodes",)
EDITS = ("rename", "prefix", "subtree", "attach")
# Fields whose words are no names of links and joints, though they may be spelled like one.
_OTHER_WORDS = frozenset(
    """filename uri url type material name fragment node model0 model1 lens_type format kind texture
    body_handlers joint_type jointType""".split()
)
_TOKEN = re.compile(r"[^\s,;:|/\"'()\[\]{}<>=.]+")


@dataclass(slots=True)
class Outcome:
    """One edit of one model: what does not hold of it."""

    source: str
    edit: str
    target: str
    names: tuple[str, ...] = ()
    problems: list[str] = field(default_factory=list)
    losses: int = 0
    warnings: int = 0
    seconds: float = 0.0

    def __str__(self) -> str:
        return f"{self.source} --{self.edit} → {self.target}: {'; '.join(self.problems) or 'holds'}"


def outcomes(path: Path, rng: Random, edits: Iterable[str] = EDITS) -> Iterator[Outcome]:
    """What becomes of a model with each edit; nothing for a file with errors or without links."""
    try:
        reading = read_source(path)
    except LoadError:
        return
    assert reading.robot is not None
    own = next((f for f in TARGETS if reading.format is not None and reading.format.name == f), None)
    for name in edits:
        target = own if own is not None and rng.random() < 0.7 else rng.choice(list(TARGETS))
        start = time.perf_counter()
        outcome = Outcome(str(path), name, target)
        with tempfile.TemporaryDirectory() as folder:
            try:
                _check(reading, name, rng, outcome, Path(folder) / f"edited{TARGETS[target]}")
            except Exception:
                outcome.problems.append(f"exception: {traceback.format_exc(limit=-4)}")
        outcome.seconds = time.perf_counter() - start
        yield outcome


def _edited(
    robot: Robot, other: Robot, name: str, target: str, rng: Random
) -> tuple[RobotEdit, dict[str, str]]:
    """A random edit of a robot, and the new names by old name (subtree and attach of ``other``: none)."""
    links, joints = [x.name for x in robot.links], [j.name for j in robot.joints]
    if name == "subtree":
        return edit_subtree(robot, rng.choice(links)), {}
    if name == "attach":
        return edit_attach(robot, other, rng.choice(links), Pose((0.1, 0.2, 0.3)), "new_"), {}
    if name == "prefix":
        made = {x: f"new_{x}" for names in names_of(robot).values() for x in names}
        return edit_names(robot, {}, "new_"), made
    every = list(dict.fromkeys(links + joints))
    if target == "sdf" and len(every) > 1:
        every = [name for name in every if name != WORLD]  # such a root is the world of the file
    chosen = rng.sample(every, rng.randint(1, len(every)))
    wanted = {old: f"{old}_new{i}" for i, old in enumerate(chosen)}
    return edit_names(robot, wanted), wanted


def _check(reading: Reading, name: str, rng: Random, outcome: Outcome, path: Path) -> None:
    assert reading.robot is not None
    other = reading if rng.random() < 0.5 else read_source(ROS_ARM)
    assert other.robot is not None
    edit, wanted = _edited(reading.robot, other.robot, name, outcome.target, rng)
    attached = [other] if name == "attach" else []
    report = save_reading(reading, path, edit=edit, attached=attached, meshes="keep")
    outcome.losses = len(report.losses)
    outcome.warnings = len(edit.findings)
    found = read(path)
    if any(f.code in LIMITS for f in found.findings):
        return  # two models are too large together
    if not found.ok or found.robot is None:
        outcome.problems.append(f"the output has errors: {found.findings[0]}")
        return
    gone = _gone(reading.robot, edit.robot)
    outcome.problems += _old_names(path, outcome.target, gone, edit)
    outcome.problems += _dangling(reading.robot, edit.robot, found.robot, wanted)
    outcome.problems += _losses(reading, other.robot, edit, report, name, path)


def _gone(before: Robot, after: Robot) -> set[str]:
    """The names that no item has any longer; numbers cannot be told from other numbers.

    Shapes and materials keep their names, to which nothing refers.
    """
    old, new = ({n for names in names_of(r).values() for n in names} for r in (before, after))
    shapes = [s for x in after.links for s in (*x.visuals, *x.collisions, *x.collisions_alt)]
    kept = {after.name, *(s.name for s in shapes), *(s.material.name for s in shapes if s.material)}
    return {n for n in old - new - kept if not re.fullmatch(r"[-+\d.eE]*", n)}


def _old_names(path: Path, target: str, gone: set[str], edit: RobotEdit) -> Iterator[str]:
    """Old names in the text that no warning mentions."""
    warned = {word for f in edit.findings for word in re.findall(r"'([^']*)'", f.message)}
    format = by_name(target)
    assert format is not None
    source = Source(str(path), path.read_text("utf-8"))
    context = Context(str(path), Files(), Findings(), lambda *_: None)
    tree = format.reader().parse(source, context)
    for key, text in _texts(tree):
        if (
            key in _OTHER_WORDS
            or key in ("unibody", "unibody:sidecar")
            or (key == "info" and text.startswith("unibody "))
        ):
            continue
        if target == "mjcf" and key == "data" and text.startswith("["):
            continue  # the side-car
        for token in {text, *_TOKEN.findall(text)} & gone:
            if token not in warned:
                yield f"old name '{token}' in {key} {text[:60]!r}"


def _texts(tree: Value) -> Iterator[tuple[str, str]]:
    """Every text of a tree, with the key that it is below; text of an XML element is below its tag."""
    todo: list[tuple[Value, str]] = [(tree, "")]
    while todo:
        value, key = todo.pop()
        if isinstance(value, Word):
            yield key, value.text
        elif isinstance(value, Row):
            todo += [(v, key) for v in value.values]
        elif isinstance(value, Node):
            if value.name:
                yield "DEF", value.name
            todo += [(v, k or key) for k, v, _ in value.items if not isinstance(v, Numbers)]


def _dangling(before: Robot, edited: Robot, after: Robot, wanted: dict[str, str]) -> Iterator[str]:
    """Declared references of kept data that resolved in the input, and resolve to nothing in the output."""
    if edited.extras and not after.extras:
        return  # a target that cannot carry them
    allowed = set(_unresolved(before)) | {wanted.get(n, n) for n in _unresolved(before)}
    for name in _unresolved(after):
        if name not in allowed and name.removeprefix("new_") not in allowed:
            yield f"reference to unknown '{name}'"


def _unresolved(robot: Robot) -> list[str]:
    parts = kept(robot)
    known = known_names(robot, parts)
    return [
        text
        for part in parts
        for slot in part.slots()
        if slot.role.refers and not slot.role.names
        for text in slot.texts()
        if not pieces(text, slot.role, known)
    ]


def _losses(
    reading: Reading, other: Robot, edit: RobotEdit, report: Report, name: str, path: Path
) -> Iterator[str]:
    """Losses of the report that are no differences to the inputs, and the reverse."""
    before, after = reading.robot, read_with(path, plain=True).robot
    assert before is not None
    assert after is not None
    if name in ("rename", "prefix"):
        yield from _same_losses(reading, report, path)
    yield from _vendor_losses(before, other, edit, after, report, name)
    if any(x.kind == "renamed" for x in report.losses):
        return  # the format's own names: they are compared without an edit
    loaded = WRITERS[report.format].as_loaded(after)
    expected: set[str] = set()
    if name == "attach":
        second = edit_names(other, {}, "new_").robot
        for one in (before, second):
            # the other robot's items, the mount and the numbers that go on
            expected |= {
                d.path
                for d in _differences(one, loaded)
                if d.kind not in ("added", "moved") and d.path.partition("/")[0] in ("links", "devices")
            }
        found = {x.path for x in report.losses if x.path.partition("/")[0] in ("links", "devices")}
        found = {
            p for p in found if next(x for x in report.losses if x.path == p).difference.kind != "added"
        }
    elif name == "subtree":
        expected = {
            d.path for d in _differences(before, loaded) if not _is_asked_for(d.path, before, edit.robot)
        }
        found = {x.path for x in report.losses if not _is_asked_for(x.path, before, edit.robot)}
    else:
        expected = {d.path for d in _differences(edit.robot, loaded)}
        found = {x.path for x in report.losses}
    if tests_the_same(edit.robot, loaded):
        expected = {p for p in expected if not p.startswith("self_collision")}
    found = {p for p in found if not p.startswith("extras")}
    # materials of a glTF file that is not found from the new place
    lost = [x.path for x in report.losses if str(x.difference.before).endswith(".gltf")]
    found -= {path for path in lost if path.endswith("/material")}
    if expected != found:
        yield f"not in the report: {sorted(expected - found)[:5]}"
        yield f"only in the report: {sorted(found - expected)[:5]}"


def _differences(a: Robot, b: Robot) -> list[Difference]:
    return find_differences(replace(a, extras=()), replace(b, extras=()))


def _same_losses(reading: Reading, report: Report, path: Path) -> Iterator[str]:
    """Losses that a text written anew without the edit has not, and those that only it has.

    The text of a source of the same format may say more.
    """
    assert reading.robot is not None
    plain = save(reading.robot, path.with_name(f"same{path.suffix}"), meshes="keep")
    first, second = (Counter(map(_cause, r.losses)) for r in (plain, report))
    if reading.robot.root == WORLD:
        del second["dropped", "fixed or free base"]  # the old name said that the base is fixed
    names = [link.name for link in reading.robot.links] + [joint.name for joint in reading.robot.joints]
    if any(name[:1] in "0123456789+-" for name in names):
        # the new names begin otherwise, so that other names are changed
        for found in (first, second):
            for what in ("names with spaces or first digits", "names of joints"):
                del found["renamed", what]
    if any("::" in name for name in names):
        del second["renamed", "names"]  # a link that leaves its nested model takes its joints with it
    if second - first:
        yield f"losses that only the edit has: {dict(second - first)}"
    if first - second and (reading.format is None or reading.format.name != report.format):
        yield f"losses that the edit has not: {dict(first - second)}"


def _cause(loss: Loss) -> tuple[str, str]:
    return loss.kind, loss.row.what if loss.row is not None else loss.path


def _vendor_losses(
    before: Robot, other: Robot, edit: RobotEdit, after: Robot, report: Report, name: str
) -> Iterator[str]:
    """Kept data of the inputs that are not in the output, against the losses of the report."""
    inputs = {
        "rename": [edit.robot],
        "prefix": [edit.robot],
        "subtree": [before],
        "attach": [before, edit_names(other, {}, "new_").robot],
    }[name]
    here = _items(after)
    missing = {
        key for robot in inputs for key, found in _items(robot).items() if found - here.get(key, Counter())
    }
    said = Counter[str]()
    for x in report.losses:
        for value in (x.difference.before, x.difference.after):
            node = value.node if isinstance(value, Extra) else value
            if x.path.startswith("extras") and isinstance(node, Node):
                said.update(k for k, _, _ in node.items)
                said[value.owner if isinstance(value, Extra) else ""] += 1
    for format, owner, key in missing:
        if not said[key] and not said[owner]:
            yield f"kept {key!r} of {owner!r} ({format}) is lost without a loss"
    new = {key for key in here if not any(key in _items(robot) for robot in inputs)}
    if said and not missing and not new:
        yield "a loss of kept data, but none is missing"


def _items(robot: Robot) -> dict[tuple[str, str, str], Counter[str]]:
    """The words of kept data, by format, owner and key."""
    out: dict[tuple[str, str, str], Counter[str]] = {}
    for e in robot.extras:
        for k, v, _ in e.node.items:
            out.setdefault((e.format, e.owner, k), Counter()).update(words(v))
    return out


def _is_asked_for(path: str, before: Robot, after: Robot) -> bool:
    """Whether a difference at a path is only about items outside of a subtree, or about its root."""
    kind, _, rest = path.partition("/")
    if kind in ("name", "base", "pose") or not rest:
        return True
    name = unpart(rest.split("/")[0])
    outside = {x.name for x in before.links} - {x.name for x in after.links}
    joints = {j.name for j in before.joints} - {j.name for j in after.joints}
    match kind:
        case "links":
            return name in outside
        case "joints":
            return name in joints
        case "devices" | "frames":
            return any(x.name == name and x.link in outside for x in getattr(before, kind))
        case "loops":
            return any(x.name == name and {x.link_a, x.link_b} <= outside for x in before.loops)
        case "couplings":
            return name in joints
        case "self_collision":
            return bool({unpart(p) for p in rest.split("/")} & outside)
        case "groups":
            groups = {*names_of(before)["groups"]} - {*names_of(after)["groups"]}
            return bool({unpart(p) for p in rest.split("/")} & (outside | groups))
        case "configurations":
            gone = {c.name for c in before.configurations} - {c.name for c in after.configurations}
            return bool({unpart(p) for p in rest.split("/")} & joints) or name in gone
        case "coordinates":
            return True
    return False


def main() -> None:
    """Check the whole corpus."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--shard", default="0/1")
    parser.add_argument("--only", default="")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=math.inf)
    options = parser.parse_args()
    start = time.perf_counter()
    k, n = map(int, options.shard.split("/"))
    count = Counter[str]()
    for path in sliced([p for p in models() if options.only in str(p)], k, n):
        if time.perf_counter() - start > options.seconds:
            print(f"stopped before {path}")
            break
        count["models"] += 1
        rng = Random(f"{options.seed} {path.name}")
        for outcome in outcomes(path, rng):
            count[outcome.edit] += 1
            if outcome.problems:
                count["problems"] += 1
                print(outcome, flush=True)
    print(dict(count))


if __name__ == "__main__":
    main()
