"""Measures what was lost: differences, their causes, and the numerical comparison."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass, replace
from functools import cache
from typing import Any

from unibody.conversion.destination import Destination
from unibody.conversion.looks import looks_left_out
from unibody.conversion.output import Output
from unibody.conversion.places import Elements, Places
from unibody.conversion.report import Kind, Loss, Report
from unibody.conversion.vendor import vendor_items
from unibody.conversion.verification import LOOKS, Proof, verify
from unibody.edits.edit import RobotEdit
from unibody.formats.format import Cannot
from unibody.meshes import MeshCache
from unibody.model.collision import tested_otherwise, tests_the_same
from unibody.model.equality import Digest, file_digest, last_part, same
from unibody.model.facts import Difference, diff
from unibody.model.robot import Robot
from unibody.model.traverse import items, of_link, part, renamed

_SHAPE_SETS = {"visuals": "visual", "collisions": "collision", "collisions_alt": "collision"}
# The quantities that change with another one.
_DEPENDENT = {"mass": ("mass", "com", "inertia"), "frames": ("positions", "rotations")}
_NO_PLACE = "the materials that are written have no place for it"
_OF_JOINTS = ("limits", "positions", "rotations")


def measure(
    robot: Robot,
    readback: Robot,
    *,
    loaded: Robot,
    losses: list[Difference],
    remaining: list[Difference],
    output: Output,
    destination: Destination,
    meshes: MeshCache,
    unread: Iterable[str] = (),
) -> Report:
    """The report of an output: ``losses`` without its side-car, ``remaining`` with it.

    ``loaded`` is what the format's own loader makes of the ``readback``; ``meshes`` reads those of the
    robot; ``unread`` are the URIs of files that were not read.
    """
    explained = explain(losses, (robot, loaded), remaining, destination.writer.cannot)
    completion = destination.writer.completion
    proof = None
    left: list[Loss] = []
    if completion is None:
        # meshes are parsed once for sizes, colors and looks
        caches = (meshes, MeshCache(output.files(destination.files.allow)))
        proof = verify(
            robot,
            with_names(readback, losses, back=True),
            caches=caches,
            changed=links_with_changed_shapes(losses),
            causes=deviation_causes(explained),
            unread=unread,
        )
        left += looks_losses(with_names(robot, losses), readback, caches, output.assets.copies, explained)
    return Report(
        source=robot.name,
        target=destination.path,
        format=destination.format.name,
        losses=(*judged(explained, proof), *left),
        extensions=tuple(extensions(robot, losses, destination.writer.extensions)),
        files=output.names,
        subject="" if completion is None else completion.subject,
        proof=proof,
        joints=_joint_map(robot, readback, losses),
    )


def measure_beside(
    scene: Robot,
    losses: list[Difference],
    remaining: list[Difference],
    readback: Robot,
    destination: Destination,
) -> tuple[Loss, ...]:
    """The losses of the name and the vendor data of a scene, as those of a robot."""
    explained = explain(losses, (scene, readback), remaining, destination.writer.cannot)
    return tuple(judged(explained, None))


def find_differences(
    before: Robot, after: Robot, digest: Digest = file_digest, *, by_child: bool = False
) -> list[Difference]:
    """The differences between a robot and its readback that are losses.

    Shapes have no names: if some of a link have changed, their pairing is a guess, and another order
    is not a loss. Nor are other words for rules of collision that test the same pairs.
    """
    return losses_in(all_differences(before, after, digest, by_child=by_child), before, after)


def all_differences(
    before: Robot,
    after: Robot,
    digest: Digest = file_digest,
    *,
    found: bool = False,
    by_child: bool = False,
) -> list[Difference]:
    """The differences between a robot and its readback, with other words for the same rules.

    With ``found``, a mesh or texture file that the readback does not find is one. With ``by_child``, joints
    correspond that move the same link.
    """
    every = diff(before, after, digest, found=found, by_child=by_child)
    every += _parted_pairs(every, before, after)
    touched = {d.path.rpartition("/")[0] for d in every if d.path.count("/") == 3}
    touched |= {"/".join(d.path.split("/")[:3]) for d in every if d.path.count("/") > 3}
    return [d for d in every if d.kind != "moved" or d.path.count("/") != 2 or d.path not in touched]


def _parted_pairs(found: list[Difference], before: Robot, after: Robot) -> list[Difference]:
    """Pairs that equal rules test in one robot only, since its joints differ."""
    if any(d.path.startswith("self_collision/") for d in found) or not any(map(_moves_links, found)):
        return []
    pairs = tested_otherwise(with_names(before, found), after)
    return [
        Difference(
            "/".join(("self_collision/disabled", *sorted((part(a), part(b))))),
            "added" if tested else "removed",
            None if tested else True,
            True if tested else None,
        )
        for (a, b), tested in pairs
    ]


def _moves_links(difference: Difference) -> bool:
    """Whether a difference connects links otherwise."""
    first, _, rest = difference.path.partition("/")
    if first != "joints":
        return False
    return rest.rpartition("/")[2] in ("kind", "parent", "child") or difference.kind in ("added", "removed")


def losses_in(differences: list[Difference], before: Robot, after: Robot) -> list[Difference]:
    """The differences without those of rules of collision, if these test the same pairs of links."""
    rules = {d.path for d in differences if d.path.startswith("self_collision/")}
    if not rules or not tests_the_same(with_names(before, differences), after):
        return differences
    return [d for d in differences if d.path not in rules]


def explain(
    differences: Iterable[Difference],
    robots: tuple[Robot, Robot],
    remaining: Iterable[Difference],
    rows: Sequence[Cannot],
) -> list[Loss]:
    """Each difference with its kind and cause; what does not remain with the side-car is carried."""
    lost = {(d.path, d.kind) for d in remaining}
    differences = list(differences)
    places, after = Places(with_names(robots[0], differences)), Elements(robots[1])
    out = []
    for d in differences:
        row = next((r for r in rows if covers(r, d, places)), None)
        carried = (d.path, d.kind) not in lost
        outcome = "lost" if row is None else row.outcome
        out.append(Loss(loss_kind(d, places, after), d, row, carried, places.of(d), outcome=outcome))
    return out


def judged(losses: Iterable[Loss], proof: Proof | None) -> Iterator[Loss]:
    """The losses with their outcomes: what deviates after a conversion is lost, and so is what acts.

    A frame that the file has as a link is converted.
    """
    losses = list(losses)
    deviating = set() if proof is None else {x.cause for x in proof.explained}
    added = {x.path for x in losses if x.difference.kind == "added"}
    for x in losses:
        outcome = x.outcome
        deviates = outcome == "converted" and x.row is not None and x.row.what in deviating
        acts = outcome == "omitted" and any(v.is_acting for v in vendor_items(x.difference))
        if deviates or acts:
            outcome = "lost"
        elif x.path.startswith("frames/") and x.path.replace("frames/", "links/", 1) in added:
            outcome = "converted"
        yield x if outcome == x.outcome else replace(x, outcome=outcome)


def looks_losses(
    robot: Robot,
    readback: Robot,
    caches: tuple[MeshCache, MeshCache],
    copies: Mapping[str, str],
    losses: Sequence[Loss],
) -> Iterator[Loss]:
    """Looks of mesh files that are left out; a side-car that has the file's name carries them.

    ``losses`` are those of the model's facts, ``copies`` the originals of written files.
    """
    places = Places(robot)
    for path, mesh, kind in looks_left_out(robot, readback, caches, copies):
        gone = Difference(f"{path}/material", "removed", last_part(mesh.uri))
        carried = any(x.carried for x in losses if x.path.startswith(f"{path}/geometry"))
        row = Cannot(f"{kind} of meshes", gone.path, _NO_PLACE)
        yield Loss("dropped", gone, row, carried, places.find(path), outcome="omitted")


def extensions(robot: Robot, differences: Iterable[Difference], rows: Sequence[Cannot]) -> list[Loss]:
    """The elements of a robot, or numbers in them, that the file states and other programs ignore."""
    differences = list(differences)
    lost = {d.path for d in differences if d.kind == "removed"}
    changed = {d.path for d in differences}
    places = Places(robot)
    out = []
    for row in rows:
        name, _, *fields = row.path.split("/")
        for key, item in items(getattr(robot, name))[1].items():
            path = f"{name}/{key}"
            value = item
            for field in fields:
                value = getattr(value, field)
            whole = "/".join((path, *fields))
            is_stated = path not in lost and (not fields or (value and whole not in changed))
            if is_stated and (row.of is None or row.of(item)):
                gone = Difference(whole, "removed", value)
                out.append(Loss("dropped", gone, row, True, places.find(path), extension=True))
    return out


def edit_losses(edit: RobotEdit) -> tuple[Loss, ...]:
    """The losses of an edit, measured against its inputs, in the terms of a report."""
    out: list[Loss] = []
    places: dict[int, Places] = {}
    after = Elements(edit.robot)
    for x in edit.losses:
        place = places.setdefault(id(x.before), Places(x.before))
        at = place.place(x.difference.before) or place.find(x.difference.path)
        row = Cannot(x.what, x.difference.path, x.why)
        out.append(Loss(loss_kind(x.difference, place, after), x.difference, row, at=at))
    return tuple(out)


def with_names(robot: Robot, differences: Iterable[Difference], back: bool = False) -> Robot:
    """The robot with its links and joints renamed as the differences say, or renamed ``back``."""
    out = robot
    found = [d for d in differences if d.kind == "renamed"]
    for kind in ("links", "joints"):
        mine = [d for d in found if d.path.startswith(f"{kind}/")]
        names = {d.after: d.before for d in mine} if back else {d.before: d.after for d in mine}
        out = renamed(out, kind, names) if names else out
    return out


def deviation_causes(losses: Iterable[Loss]) -> dict[tuple[str, str], str]:
    """The cause of each deviation that losses explain (see ``verification.Causes``)."""
    losses = list(losses)
    names = {
        (d.path.partition("/")[0], d.after): d.before
        for d in (x.difference for x in losses)
        if d.kind == "renamed"
    }
    out: dict[tuple[str, str], str] = {}
    looks: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for x in losses:
        if x.row is None:
            continue
        first, name, which, *_ = [*of_link(x.path).split("/"), "", ""]
        name = name.replace("~1", "/").replace("~0", "~")
        name = str(names.get((first, name), name))
        if which == "visuals":
            for quantity in LOOKS:
                looks.setdefault((quantity, f"{name}/visual"), []).append((x.aspect, x.row.what))
        if not x.row.quantity:
            continue
        for quantity in _DEPENDENT.get(x.row.quantity, (x.row.quantity,)):
            owner = name if quantity in _OF_JOINTS else ""
            if quantity == "bounds":
                owner = f"{name}/{_SHAPE_SETS.get(which, which)}"
            out.setdefault((quantity, owner), x.row.what)
    for key, found in looks.items():
        out[key] = next((what for aspect, what in found if aspect == "looks"), found[0][1])
    return out


def covers(row: Cannot, difference: Difference, before: Elements) -> bool:
    """Whether a row explains a difference; ``before`` has the names of the robot after."""
    pattern = _pattern(row.path)
    if not (pattern.fullmatch(difference.path) or pattern.fullmatch(of_link(difference.path))):
        return False
    if row.when is not None and not row.when(difference.before, difference.after):
        return False
    return row.of is None or ((owner := owner_of(before, difference.path)) is not None and row.of(owner))


def owner_of(elements: Elements, path: str) -> Any:
    """The joint, shape, link, device or loop that contains a path of facts; None if none does.

    The owner of a frame is the device that it is named like, that of pose and surroundings the robot.
    """
    first, *rest = of_link(path).split("/")
    if first in ("pose", "surroundings"):
        return elements.robot
    first = "devices" if first == "frames" else first
    if first not in ("links", "joints", "devices", "loops") or not rest:
        return None
    owners = elements.solids if first == "links" else getattr(elements.robot, first)
    item = elements.items(owners).get(rest[0])
    if first == "links" and len(rest) > 2 and rest[1] in ("visuals", "collisions"):
        shapes = getattr(item, rest[1], ())
        return shapes[int(rest[2])] if rest[2].isdecimal() and int(rest[2]) < len(shapes) else None
    return item


@cache
def _pattern(path: str) -> re.Pattern[str]:
    out = []
    for word in path.split("/"):
        out.append(".*" if word == "**" else re.escape(word).replace(r"\*", "[^/]*"))
    text = "/".join(out)
    return re.compile(text.replace("/.*", "(?:/.*)?"))


def loss_kind(difference: Difference, before: Elements, after: Elements) -> Kind:
    """Dropped if the default remains, added if there was only the default before."""
    if difference.kind == "renamed":
        return "renamed"
    if difference.kind in ("removed", "added"):
        return "dropped" if difference.kind == "removed" else "added"
    if _is_default(after, difference.path, difference.after):
        return "dropped"
    return "added" if _is_default(before, difference.path, difference.before) else "changed"


def _is_default(elements: Elements, path: str, value: Any) -> bool:
    """Whether a value of the fact at ``path`` is its default."""
    default = default_at(elements, path)
    return default is not MISSING and same(default, value)


def default_at(elements: Elements, path: str) -> Any:
    """The default value of the fact at ``path``; MISSING if it has none."""
    value: Any = elements.robot
    default: Any = MISSING
    for word in path.split("/"):
        if is_dataclass(value):
            field = next((f for f in fields(value) if f.name == word), None)
            if field is None:
                return MISSING
            inner = getattr(default, word, MISSING) if is_dataclass(default) else field.default
            value, default = getattr(value, word), inner
        elif isinstance(value, tuple):
            value, default = elements.items(value).get(word), MISSING
        else:
            return MISSING
    return default


def links_with_changed_shapes(losses: Iterable[Difference]) -> list[str]:
    """The names of the links, as before, whose shapes differ."""
    parts = [of_link(d.path).split("/") for d in losses]
    names = [p[1] for p in parts if len(p) > 2 and p[0] == "links" and p[2] in ("visuals", "collisions")]
    return [n.replace("~1", "/").replace("~0", "~") for n in dict.fromkeys(names)]


def _joint_map(
    robot: Robot, readback: Robot, losses: list[Difference]
) -> tuple[tuple[str, int, str, int], ...]:
    """Name and index of each joint in both robots: the one that moves the same link."""
    links = {d.before: d.after for d in losses if d.kind == "renamed" and d.path.startswith("links/")}
    by_child = {j.child: (j.name, k) for k, j in enumerate(readback.joints)}
    pairs = [(j.name, k, links.get(j.child, j.child)) for k, j in enumerate(robot.joints)]
    return tuple((name, k, *by_child[link]) for name, k, link in pairs if link in by_child)
