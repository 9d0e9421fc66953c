"""What became of a model when it was written in another format: measured, explained, proved."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from typing import Any, Literal

from unibody.conversion.verification import Proof
from unibody.document.unread import Unread
from unibody.formats.format import Cannot
from unibody.model.equality import Digest, file_digest, same
from unibody.model.facts import Difference, diff
from unibody.model.robot import Robot
from unibody.model.traverse import items, renamed
from unibody.text.finding import Finding

Kind = Literal["dropped", "changed", "added", "renamed"]
KINDS: tuple[Kind, ...] = ("dropped", "changed", "added", "renamed")
_SHOWN = 6
_SETS = {"visuals": "visual", "collisions": "collision", "collisions_alt": "collision"}
# What follows from the masses.
_ALONG = {"mass": ("mass", "com", "inertia")}


@dataclass(frozen=True, slots=True)
class Loss:
    """One fact that is another one in the written file.

    ``row`` is the format's reason, None for a loss that nothing explains; ``carried`` says that the
    true value stands beside the model, where unibody reads it.
    """

    kind: Kind
    difference: Difference
    row: Cannot | None = None
    carried: bool = False

    @property
    def path(self) -> str:
        """The path of the fact."""
        return self.difference.path

    def json(self) -> dict[str, Any]:
        """The loss as plain JSON data."""
        data = self.difference.json()
        return {
            "kind": self.kind,
            "path": self.path,
            "before": data["before"],
            "after": data["after"],
            "what": self.row.what if self.row else None,
            "why": self.row.why if self.row else None,
            "carried": self.carried,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What reading left out, what writing lost, what stands in the file all the same, and the proof."""

    source: str
    target: str
    format: str
    reading: tuple[Unread, ...] = ()
    losses: tuple[Loss, ...] = ()
    files: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    proof: Proof | None = None
    joints: tuple[tuple[str, int, str, int], ...] = ()
    written: bool = False

    def of(self, kind: Kind) -> tuple[Loss, ...]:
        """The losses of a kind that are not carried."""
        return tuple(x for x in self.losses if x.kind == kind and not x.carried)

    @property
    def carried(self) -> tuple[Loss, ...]:
        """What the format cannot say, and stands beside the model."""
        return tuple(x for x in self.losses if x.carried)

    @property
    def lost(self) -> bool:
        """Whether anything is lost: not read, or neither kept nor carried."""
        return bool(self.reading) or any(not x.carried for x in self.losses)

    def json(self) -> dict[str, Any]:
        """The report as plain JSON data."""
        return {
            "source": self.source,
            "target": self.target,
            "format": self.format,
            "written": self.written,
            "files": list(self.files),
            "reading": [
                {"path": u.path, "key": u.key, "text": u.text, "at": str(u.at) if u.at else None}
                for u in self.reading
            ],
            "losses": [x.json() for x in self.losses],
            "joints": [
                {"name": a, "index": i, "target": b, "target_index": k} for a, i, b, k in self.joints
            ],
            "findings": [f.json() for f in self.findings],
            "proof": self.proof.json() if self.proof else None,
        }

    def text(self) -> str:
        """The report for people: losses by their reason, the proof last."""
        return "\n".join(_text(self)) + "\n"

    def markdown(self) -> str:
        """The report as a page: a table of losses, the proof last."""
        return "\n".join(_markdown(self)) + "\n"


# --- measuring ----------------------------------------------------------------------------


def measured(before: Robot, after: Robot, digest: Digest = file_digest) -> list[Difference]:
    """What is not the same in a robot and its written twin.

    Shapes have no names: where some of a link have changed, which is which is a guess, and that they
    stand in another order is none of the losses.
    """
    found = diff(before, after, digest)
    touched = {d.path.rpartition("/")[0] for d in found if d.path.count("/") == 3}
    touched |= {"/".join(d.path.split("/")[:3]) for d in found if d.path.count("/") > 3}
    return [d for d in found if d.kind != "moved" or d.path.count("/") != 2 or d.path not in touched]


def explained(
    differences: Iterable[Difference],
    robots: tuple[Robot, Robot],
    left: Iterable[Difference],
    rows: Sequence[Cannot],
) -> list[Loss]:
    """Each difference with its kind and its reason; what is not ``left`` when all is read is carried."""
    lost = {(d.path, d.kind) for d in left}
    differences = list(differences)
    robots = (called_as(robots[0], differences), robots[1])
    out = []
    for d in differences:
        row = next((r for r in rows if covers(r, d, robots[0])), None)
        out.append(Loss(kind_of(d, robots), d, row, (d.path, d.kind) not in lost))
    return out


def called_as(robot: Robot, differences: Iterable[Difference], back: bool = False) -> Robot:
    """The robot with its links and joints under the names that they were given, or had (``back``)."""
    out = robot
    found = [d for d in differences if d.kind == "renamed"]
    for kind in ("links", "joints"):
        mine = [d for d in found if d.path.startswith(f"{kind}/")]
        names = {d.after: d.before for d in mine} if back else {d.before: d.after for d in mine}
        out = renamed(out, kind, names) if names else out
    return out


def known(losses: Iterable[Loss]) -> dict[tuple[str, str], str]:
    """The numbers of the proof that losses explain: which, of what, and why (see ``proof.Known``)."""
    losses = list(losses)
    names = {
        (d.path.partition("/")[0], d.after): d.before
        for d in (x.difference for x in losses)
        if d.kind == "renamed"
    }
    out: dict[tuple[str, str], str] = {}
    for x in losses:
        if x.row is None or not x.row.number:
            continue
        first, name, which, *_ = [*x.path.split("/"), "", ""]
        name = name.replace("~1", "/").replace("~0", "~")
        name = str(names.get((first, name), name))
        for number in _ALONG.get(x.row.number, (x.row.number,)):
            of = {"limits": name, "bounds": f"{name}/{_SETS.get(which, which)}"}.get(number, "")
            out.setdefault((number, of), x.row.what)
    return out


def covers(row: Cannot, difference: Difference, robot: Robot) -> bool:
    """Whether a row speaks of a difference; ``robot`` is the one before, with its names as after."""
    if not _pattern(row.path).fullmatch(difference.path):
        return False
    if row.when is not None and not row.when(difference.before, difference.after):
        return False
    return row.of is None or ((owner := owner_of(robot, difference.path)) is not None and row.of(owner))


def owner_of(robot: Robot, path: str) -> Any:
    """The joint, shape, link, device or loop that a path of facts lies in; None without one."""
    first, *rest = path.split("/")
    if first not in ("links", "joints", "devices", "loops") or not rest:
        return None
    item = items(getattr(robot, first))[1].get(rest[0])
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


def kind_of(difference: Difference, robots: tuple[Robot, Robot]) -> Kind:
    """Dropped when the default is left, added when there was nothing but the default."""
    if difference.kind == "renamed":
        return "renamed"
    if difference.kind in ("removed", "added"):
        return "dropped" if difference.kind == "removed" else "added"
    for robot, value, kind in (
        (robots[1], difference.after, "dropped"),
        (robots[0], difference.before, "added"),
    ):
        default = default_at(robot, difference.path)
        if default is not MISSING and same(default, value):
            return "dropped" if kind == "dropped" else "added"
    return "changed"


def default_at(robot: Robot, path: str) -> Any:
    """What the model says where nothing is said at a path of facts; MISSING where it has no default."""
    value: Any = robot
    default: Any = MISSING
    for word in path.split("/"):
        if is_dataclass(value):
            field = next((f for f in fields(value) if f.name == word), None)
            if field is None:
                return MISSING
            inner = getattr(default, word, MISSING) if is_dataclass(default) else field.default
            value, default = getattr(value, word), inner
        elif isinstance(value, tuple):
            value, default = items(value)[1].get(word), MISSING
        else:
            return MISSING
    return default


# --- showing ------------------------------------------------------------------------------


def _groups(losses: Iterable[Loss]) -> list[tuple[Cannot | None, list[Loss]]]:
    """Losses with one reason together, in the order of first mention; the unexplained ones first."""
    out: dict[tuple[str, str], tuple[Cannot | None, list[Loss]]] = {("", ""): (None, [])}
    for x in losses:
        # several rows of a table may be one reason, for different facts
        out.setdefault((x.row.what, x.row.why) if x.row else ("", ""), (x.row, []))[1].append(x)
    return [group for group in out.values() if group[1]]


def _text(report: Report) -> list[str]:
    done = "" if report.written else " (nothing was written)"
    lines = [f"{report.source} → {report.target}{done}"]
    if report.reading:
        lines.append(f"not read ({len(report.reading)}):")
        lines += [f"  {_unread(u)}" for u in report.reading]
    for kind in KINDS:
        found = report.of(kind)
        if found:
            lines.append(f"{kind} ({len(found)}):")
            lines += _lines(found)
    if report.carried:
        lines.append(f"carried beside the model ({len(report.carried)}):")
        lines += _lines(report.carried)
    if not report.losses and not report.reading:
        lines.append("nothing is lost")
    moved = [x for x in report.joints if x[1] != x[3] or x[0] != x[2]]
    if moved:
        lines.append("joints in another place: " + ", ".join(f"{a} {i} → {b} {k}" for a, i, b, k in moved))
    lines += [f"{f}" for f in report.findings]
    if len(report.files) > 1:
        lines.append(f"files: {len(report.files)}")
    if report.proof:
        lines.append(f"proof: {report.proof}")
    return lines


def _lines(losses: Iterable[Loss]) -> list[str]:
    out = []
    for row, group in _groups(losses):
        reason = f"{row.what}: {row.why}" if row else "unexplained"
        out.append(f"  {reason}")
        out += [f"    {x.difference}" for x in group[:_SHOWN]]
        if len(group) > _SHOWN:
            out.append(f"    … and {len(group) - _SHOWN} more")
    return out


def _unread(u: Unread) -> str:
    place = f"{u.at}: " if u.at else ""
    where = f"{u.path.lstrip('/')}: " if u.path else ""
    return f"{place}{where}{u.key}: {' '.join(u.text.split())}"


def _markdown(report: Report) -> list[str]:
    out = [f"# {_cell(report.source)} → {_cell(report.target)}", ""]
    if report.reading:
        out += ["## Not read", "", "| place | what | value |", "| --- | --- | --- |"]
        for u in report.reading:
            cells = (str(u.at or ""), f"{u.path.lstrip('/')} {u.key}".strip(), u.text)
            out.append(f"| {' | '.join(map(_cell, cells))} |")
        out.append("")
    if report.losses:
        out += ["## Losses", "", "| what | fact | why |", "| --- | --- | --- |"]
        for x in report.losses:
            kind = f"{x.kind}, carried" if x.carried else x.kind
            why = x.row.why if x.row else "unexplained"
            out.append(f"| {kind} | {_cell(str(x.difference))} | {_cell(why)} |")
        out.append("")
    if not report.losses and not report.reading:
        out += ["Nothing is lost.", ""]
    if report.proof:
        out.append(f"Proof: {report.proof}")
    return out


# A name must not end a cell, nor become HTML, an image that is fetched, or a link.
_MARKUP = re.compile(r"[\\`*\[\]<>|&~]")


def _cell(text: str) -> str:
    return _MARKUP.sub(r"\\\g<0>", " ".join(text.split()))
