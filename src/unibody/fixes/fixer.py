"""Finds the fixes of a model's findings and verifies them in memory."""

from __future__ import annotations

import os
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from unibody.checks import examine
from unibody.checks.rules import fixable_codes
from unibody.checks.suppress import split
from unibody.files.access import FileError, Files
from unibody.fixes.patch import with_contents
from unibody.fixes.plan import Change, FindingFix, Fix, Model, Refused, Seen
from unibody.fixes.uncovered import added, identity, may_remain, on_original
from unibody.formats.format import Format
from unibody.formats.loader import read
from unibody.model.facts import diff
from unibody.model.robot import Robot
from unibody.text.edit import Edit
from unibody.text.edit_bytes import edited_bytes
from unibody.text.finding import Finding
from unibody.text.limits import ReadLimits
from unibody.text.source import Source

#: Selection of fixes: "safe", "all", or the codes of findings.
Which = str | Collection[str]

# Most readings of a model to find the fixes that fail.
_MAX_READINGS = 60
# Most sets of rejected fixes that are retried together with the fixes of findings they uncover, and the
# depth of such retries.
_MAX_RETRIES = 12
_MAX_DEPTH = 3
_CONFLICT = "another fix edits the same place; run again after applying it"


def fix(
    model: Robot | str | os.PathLike[str],
    which: Which = "safe",
    *,
    format: str | Format | None = None,
    packages: Mapping[str, str] | None = None,
    allow: Sequence[str] = (),
    arguments: Mapping[str, str] | None = None,
    limits: ReadLimits | None = None,
    files: Files | None = None,
) -> Fix:
    """Find and verify the edits that fix the findings of a model file, without writing them.

    ``model`` is a path, or a robot that was read from a file. ``which`` is "safe" (errors and warnings
    whose fix keeps the robot the same), "all", or finding codes. The other parameters are those of
    :func:`unibody.read`. Show ``diff()``, then call ``write()``. Never raises because of the content of a
    file; ValueError for a code without a fix, and for a robot without a file.

    >>> from unibody.files.access import MemoryFiles
    >>> text = '<robot name="r"><link name="a"/></robot> the end'
    >>> print(fix("r.urdf", files=MemoryFiles({"r.urdf": text.encode()})).diff(), end="")
    --- r.urdf
    +++ r.urdf
    @@ -1 +1 @@ text-after-root: removed
    -<robot name="r"><link name="a"/></robot> the end
    \\ No newline at end of file
    +<robot name="r"><link name="a"/></robot>
    \\ No newline at end of file
    """
    path = _file_of(model) if isinstance(model, Robot) else os.fspath(model)
    files = (files or Files()).extended(packages=packages, allow=allow, limits=limits)
    return fixed(Model(path=path, format=format, files=files, arguments=dict(arguments or {})), which)


def _file_of(robot: Robot) -> str:
    """The file a robot was read from: that of its root link, which never comes from a sub-model."""
    at = robot.link(robot.root).at if robot.links else None
    if at is None:
        raise ValueError(f"{robot.name!r} was not read from a file; check it with unibody.check")
    return at.source.name


def fixed(model: Model, which: Which = "safe") -> Fix:
    """As :func:`fix`, with the reading settings in ``model``."""
    if which not in ("safe", "all"):
        which = [which] if isinstance(which, str) else list(which)
        if unknown := sorted(set(which) - fixable_codes()):
            raise ValueError(f"'{unknown[0]}' has no fix")
    return _fixed(model, which, _MAX_DEPTH, frozenset())


def _fixed(model: Model, which: Which, rounds: int, known: frozenset[tuple[str, ...]]) -> Fix:
    """As :func:`fixed`, without the findings whose identity is in ``known``."""
    seen = examined(model, model.files)
    wanted, refused = _wanted(model, seen, which)
    wanted = [r for r in wanted if identity(r.finding) not in known]
    doable, conflicting = _without_conflicts(wanted)
    refused += conflicting
    kept: list[FindingFix] = []
    for safe in (True, False):
        _keep([r for r in doable if r.fix.safe is safe], kept, _Trial(model, seen), refused)
    order = {id(one): number for number, one in enumerate(wanted)}
    rest: list[Finding] = []
    if rounds and seen.reading.robot is not None:
        guesses = [r for r in doable if not r.fix.safe and r.finding.suggestion]
        rest, refused = _Retry(model, seen, which, rounds, known).retry(guesses, kept, refused)
    kept.sort(key=lambda one: order.get(id(one), len(order)))
    changes = tuple(_changes(model, kept))
    return Fix(
        path=model.path, fixes=tuple(kept), refused=tuple(refused), left=tuple(rest), changes=changes
    )


@dataclass(frozen=True, slots=True)
class _Retry:
    """Retries rejected fixes together with the fixes of the findings they uncover."""

    model: Model
    seen: Seen
    which: Which
    rounds: int
    known: frozenset[tuple[str, ...]]

    def retry(
        self, doable: list[FindingFix], kept: list[FindingFix], refused: list[Refused]
    ) -> tuple[list[Finding], list[Refused]]:
        """Add the fixes that succeed to ``kept``; return the remaining warnings and the refused fixes."""
        brought = {id(r.finding) for r in refused if r.causes}
        tried = [one for one in doable if id(one.finding) in brought]
        rest: list[Finding] = []
        # First all together, which succeeds for most files; otherwise one by one.
        todo = [tried] if tried else []
        for _ in range(_MAX_RETRIES):
            if not todo:
                break
            some = todo.pop(0)
            found = self._together(some, kept)
            if found is not None:
                more, rest = found
                kept += [*some, *more]
                brought -= {id(one.finding) for one in some}
            elif len(some) > 1:
                todo += [[one] for one in some]
        stay: list[Refused] = []
        for one in refused:
            guess = next((r for r in tried if r.finding is one.finding), None)
            if guess is None:
                stay.append(one)
            elif id(one.finding) in brought:
                stay.append(replace(one, why=f"{one.why}; fix by hand: {guess.fix.title}"))
        return rest, stay

    def _together(
        self, some: list[FindingFix], kept: list[FindingFix]
    ) -> tuple[list[FindingFix], list[Finding]] | None:
        """The fixes of findings that ``some`` uncover, and the remaining warnings; None if they fail."""
        first = _changes(self.model, [*kept, *some])
        files = patched(self.model.files, first)
        if files is None:
            return None
        known = self.known | set(map(identity, self.seen.findings))
        deeper = _fixed(replace(self.model, files=files), self.which, self.rounds - 1, known)
        edits = {change.name: [edit for edit, _ in change.edits] for change in first}
        sources = {change.name: change.source for change in first}
        more = [m for r in deeper.fixes if (m := on_original(r, edits, sources)) is not None]
        files = patched(self.model.files, _changes(self.model, [*kept, *some, *more]))
        if files is None:
            return None
        after = examined(self.model, files)
        if after.reading.robot is None:
            return None
        before = [f for f in self.seen.findings if f.severity != "info"]
        new = added(before, [f for f in after.findings if f.severity != "info"])
        says = set(map(identity, after.findings))
        done = not any(identity(r.finding) in says for r in some)
        all_edits = [edit for one in [*kept, *some, *more] for edit in one.fix.edits]
        at = [edit for one in [*kept, *some] for edit in one.fix.edits]
        return (more, new) if done and may_remain(new, after.reading, at, all_edits) else None


def examined(model: Model, files: Files) -> Seen:
    """Read and check a model through ``files``, without muted findings."""
    reading = read(model.path, model.format, files=files, arguments=model.arguments)
    return Seen(reading, split(examine(reading, files), reading.source, model.mute)[0])


def _wanted(model: Model, seen: Seen, which: Which) -> tuple[list[FindingFix], list[Refused]]:
    """The selected fixes in the order of the findings, and those of files that cannot be edited."""
    out: list[FindingFix] = []
    refused: list[Refused] = []
    reasons: dict[str, str] = {}
    for finding in seen.findings:
        if not isinstance(which, str) and finding.code not in which:
            continue
        made = finding.fix
        if made is None or (which == "safe" and (not made.safe or finding.severity == "info")):
            continue
        for source in (edit.source for edit in made.edits):
            if source.name not in reasons:
                reasons[source.name] = _not_edited(model, source)
        why = next((reasons[e.source.name] for e in made.edits if reasons[e.source.name]), "")
        if why:
            refused.append(Refused(finding, why))
        else:
            out.append(FindingFix(finding, made))
    return out, refused


def _not_edited(model: Model, source: Source) -> str:
    """The reason why a file cannot be edited; "" if it can."""
    disk = model.files.disk
    try:
        real, main = disk.real(source.name), disk.real(model.path)
        homes = {os.path.dirname(main), disk.real(os.path.dirname(disk.absolute(model.path)))}
    except (OSError, ValueError):
        return "its file no longer exists"
    if real != main:
        home = next((h for h in homes if real.startswith(os.path.join(h, ""))), None)
        if home is None:
            return f"{source.name} is outside the model's folder"
        folder = os.path.dirname(real)
        while folder != home:
            if model.files.exists(os.path.join(folder, "package.xml")):
                return f"{source.name} belongs to another package"
            folder = os.path.dirname(folder)
    try:
        data = model.files.read(source.name)
    except FileError:
        return "its file is no longer readable"
    if data.startswith(b"\x1f\x8b"):
        return f"{source.name} is compressed by gzip; decompress it first"
    if edited_bytes(data, source, ()) is None:
        return f"{source.name} cannot be edited: its text is generated, as by xacro"
    return ""


def _without_conflicts(fixes: list[FindingFix]) -> tuple[list[FindingFix], list[Refused]]:
    """Split fixes into compatible and refused; of two at one place, keep a safe one, else the first."""
    kept: list[FindingFix] = []
    refused: list[Refused] = []
    taken: dict[str, list[Edit]] = {}
    for one in sorted(fixes, key=lambda r: not r.fix.safe):
        new: list[Edit] = []
        for edit in one.fix.edits:
            near = _neighbors(taken.setdefault(edit.source.name, []), edit)
            if any(edit.conflicts(other) and not edit.same(other) for other in near):
                refused.append(Refused(one.finding, _CONFLICT))
                break
            new += [] if any(edit.same(other) for other in near) else [edit]
        else:
            for edit in new:
                insort(taken[edit.source.name], edit, key=_range)
            kept.append(one)
    return kept, refused


def _range(edit: Edit) -> tuple[int, int]:
    return edit.start, edit.end


def _neighbors(taken: list[Edit], edit: Edit) -> list[Edit]:
    """The edits in ``taken`` (sorted, without conflicts) that may conflict with ``edit``."""
    at = bisect_left(taken, (edit.start, edit.start), key=_range)
    last = bisect_left(taken, (edit.end, edit.end + 1), key=_range)
    return taken[max(0, at - 1) : last + 1]


@dataclass(frozen=True, slots=True)
class _Failure:
    """Why fixes fail; ``causes`` is the code of a finding that they would cause, "" for other reasons."""

    why: str
    causes: str = ""


@dataclass(slots=True)
class _Trial:
    """Verifies sets of fixes against the unedited model; counts the readings."""

    model: Model
    before: Seen
    readings: int = 0

    def failure(self, fixes: list[FindingFix]) -> _Failure | None:
        """Why a set of fixes fails; None if it succeeds."""
        self.readings += 1
        files = patched(self.model.files, _changes(self.model, fixes))
        if files is None:
            return _Failure("the file's encoding cannot represent the new text")
        return _failure(self.before, examined(self.model, files), fixes)


def _keep(wanted: list[FindingFix], kept: list[FindingFix], trial: _Trial, refused: list[Refused]) -> None:
    """Add the fixes that succeed to ``kept``; a set that fails is bisected to find the culprits."""
    todo = [wanted] if wanted else []
    while todo:
        some = todo.pop()
        if trial.readings >= _MAX_READINGS:
            refused += [Refused(r.finding, "not tried: too many other fixes failed") for r in some]
            continue
        failure = trial.failure([*kept, *some])
        if failure is None:
            kept += some
        elif len(some) == 1:
            refused.append(Refused(some[0].finding, failure.why, failure.causes))
        else:
            middle = len(some) // 2
            todo += [some[middle:], some[:middle]]


def _failure(before: Seen, after: Seen, fixes: list[FindingFix]) -> _Failure | None:
    """Why fixes fail, from the findings before and after them; None if they succeed."""
    if all(r.fix.safe for r in fixes):
        was, now = before.reading.robot, after.reading.robot
        free = any(r.fix.leftover for r in fixes)
        if (was is None) is not (now is None) or not (was is None or now is None or _same(was, now, free)):
            return _Failure("the robot would change")
    elif before.reading.robot is not None and after.reading.robot is None:
        return _Failure("the model would become unreadable")
    said = Counter(map(identity, before.findings))
    says = Counter(map(identity, after.findings))
    fixed_now = Counter(identity(r.finding) for r in fixes)
    for what, count in fixed_now.items():
        if says[what] > said[what] - count:
            return _Failure(f"it would not remove the finding {what[0]}")
    had = Counter(f.code for f in before.findings if f.severity != "info")
    has = Counter(f.code for f in after.findings if f.severity != "info")
    new = sorted(code for code, count in has.items() if count > had[code])
    # New findings are expected where the text was unreadable before.
    if new and before.reading.robot is not None:
        return _Failure(f"it would cause the finding {new[0]}", new[0])
    return None


def _same(was: Robot, now: Robot, leftovers: bool) -> bool:
    """Whether two robots are equal; with ``leftovers``, extras are not compared."""
    if leftovers:
        was, now = replace(was, extras=()), replace(now, extras=())
    return not diff(was, now)


def _changes(model: Model, fixes: list[FindingFix]) -> list[Change]:
    """Collect the edits of each file, without duplicates, and the edited bytes."""
    by_file: dict[str, list[tuple[Edit, FindingFix]]] = {}
    known: set[tuple[str, int, int, str]] = set()
    for one in fixes:
        for edit in one.fix.edits:
            mark = (edit.source.name, edit.start, edit.end, edit.text)
            if mark not in known:
                known.add(mark)
                by_file.setdefault(edit.source.name, []).append((edit, one))
    out: list[Change] = []
    for name, edits in by_file.items():
        source, before = edits[0][0].source, model.files.read(name)
        after = edited_bytes(before, source, [edit for edit, _ in edits])
        pairs = tuple(sorted(edits, key=lambda pair: (pair[0].start, pair[0].end)))
        out.append(Change(source, before, after, pairs))
    return sorted(out, key=lambda change: (change.name != model.path, change.name))


def patched(files: Files, changes: Iterable[Change]) -> Files | None:
    """Return the same file access with the changes applied; None if one cannot be encoded."""
    changes = list(changes)
    if any(change.after is None for change in changes):
        return None
    return with_contents(files, {files.disk.real(c.name): c.after or b"" for c in changes})
