"""Fixes of a model's findings, tried in memory before any file is written."""

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
from unibody.fixes.uncovered import back, identity, left, newly
from unibody.formats.loader import read
from unibody.model.facts import diff
from unibody.model.robot import Robot
from unibody.text.edit import Edit
from unibody.text.edit_bytes import edited_bytes
from unibody.text.finding import Finding
from unibody.text.limits import ReadLimits
from unibody.text.source import Source

#: Which fixes are meant: "safe", "all", or the codes of findings.
Which = str | Collection[str]

# So often a model is read to find out which of many fixes does not do.
_MOST_READINGS = 60
# So many fixes, or sets of them, are tried again with those of what they uncover, and so deep.
_MOST_LIFTED = 12
_ROUNDS = 3
_BRINGS = "it would bring the finding"
_TWICE = "another fix changes the same place: run it again"


def fix(
    model: Robot | str | os.PathLike[str],
    which: Which = "safe",
    *,
    format: str | None = None,
    packages: Mapping[str, str] | None = None,
    allow: Sequence[str] = (),
    arguments: Mapping[str, str] | None = None,
    limits: ReadLimits | None = None,
    files: Files | None = None,
) -> Fix:
    """Find the edits that fix what is wrong with a model file; nothing is written yet.

    ``model`` is a path, or a robot that was read from a file, which stands for that file. ``which`` is
    "safe" (errors and warnings, and the robot stays the same), "all", or codes of findings. The other
    parameters are those of :func:`unibody.read`. Show ``diff()``, then call ``write()``. Never raises
    because of what is in a file; ValueError for a code without a fix, and for a robot without a file.

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
    """The file that a robot was read from: that of its root link, which sub-models do not give."""
    at = robot.link(robot.root).at if robot.links else None
    if at is None:
        raise ValueError(f"{robot.name!r} was not read from a file; check it with unibody.check")
    return at.source.name


def fixed(model: Model, which: Which = "safe") -> Fix:
    """As :func:`fix`, for a model that is read as ``model`` says."""
    if which not in ("safe", "all"):
        which = [which] if isinstance(which, str) else list(which)
        if unknown := sorted(set(which) - fixable_codes()):
            raise ValueError(f"'{unknown[0]}' has no fix")
    return _fixed(model, which, _ROUNDS, frozenset())


def _fixed(model: Model, which: Which, rounds: int, known: frozenset[tuple[str, ...]]) -> Fix:
    """As :func:`fixed`, but for findings that are ``known``, by their identity."""
    seen = examined(model, model.files)
    wanted, refused = _wanted(model, seen, which)
    wanted = [r for r in wanted if identity(r.finding) not in known]
    doable, apart = _apart(wanted)
    refused += apart
    kept: list[FindingFix] = []
    for safe in (True, False):
        _keep([r for r in doable if r.fix.safe is safe], kept, _Trial(model, seen), refused)
    order = {id(one): number for number, one in enumerate(wanted)}
    rest: list[Finding] = []
    if rounds and seen.reading.robot is not None:
        guesses = [r for r in doable if not r.fix.safe and r.finding.suggestion]
        rest, refused = _Covers(model, seen, which, rounds, known).lift(guesses, kept, refused)
    kept.sort(key=lambda one: order.get(id(one), len(order)))
    changes = tuple(_changes(model, kept))
    return Fix(
        path=model.path, fixes=tuple(kept), refused=tuple(refused), left=tuple(rest), changes=changes
    )


@dataclass(frozen=True, slots=True)
class _Covers:
    """A model whose refused fixes are tried again, together with those of what they uncover."""

    model: Model
    seen: Seen
    which: Which
    rounds: int
    known: frozenset[tuple[str, ...]]

    def lift(
        self, doable: list[FindingFix], kept: list[FindingFix], refused: list[Refused]
    ) -> tuple[list[Finding], list[Refused]]:
        """Add to ``kept`` what does after all; the warnings that are left, and what stays refused."""
        brought = {id(r.finding) for r in refused if r.why.startswith(_BRINGS)}
        tried = [one for one in doable if id(one.finding) in brought]
        rest: list[Finding] = []
        # All at once, for most files; else one by one, so far as the time allows.
        todo = [tried] if tried else []
        for _ in range(_MOST_LIFTED):
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
        """The fixes of what some fixes uncover, and the warnings left; None when it does not do."""
        first = _changes(self.model, [*kept, *some])
        files = patched(self.model.files, first)
        if files is None:
            return None
        known = self.known | set(map(identity, self.seen.findings))
        deeper = _fixed(replace(self.model, files=files), self.which, self.rounds - 1, known)
        edits = {change.name: [edit for edit, _ in change.edits] for change in first}
        sources = {change.name: change.source for change in first}
        more = [m for r in deeper.fixes if (m := back(r, edits, sources)) is not None]
        files = patched(self.model.files, _changes(self.model, [*kept, *some, *more]))
        if files is None:
            return None
        after = examined(self.model, files)
        if after.reading.robot is None:
            return None
        before = [f for f in self.seen.findings if f.severity != "info"]
        new = newly(before, [f for f in after.findings if f.severity != "info"])
        says = set(map(identity, after.findings))
        done = not any(identity(r.finding) in says for r in some)
        all_edits = [edit for one in [*kept, *some, *more] for edit in one.fix.edits]
        at = [edit for one in [*kept, *some] for edit in one.fix.edits]
        return (more, new) if done and left(new, after.reading, at, all_edits) else None


def examined(model: Model, files: Files) -> Seen:
    """Read and check a model through a door to files; findings that its files mute are left out."""
    reading = read(model.path, model.format, files=files, arguments=model.arguments)
    return Seen(reading, split(examine(reading, files), reading.source, model.mute)[0])


def _wanted(model: Model, seen: Seen, which: Which) -> tuple[list[FindingFix], list[Refused]]:
    """The fixes that are asked for, in the order of the findings."""
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
    """Why a file is left as it is; "" when it may be edited."""
    disk = model.files.disk
    try:
        real, main = disk.real(source.name), disk.real(model.path)
        homes = {os.path.dirname(main), disk.real(os.path.dirname(disk.absolute(model.path)))}
    except (OSError, ValueError):
        return "its file cannot be found again"
    if real != main:
        home = next((h for h in homes if real.startswith(os.path.join(h, ""))), None)
        if home is None:
            return f"{source.name} lies outside of the model's own folder"
        folder = os.path.dirname(real)
        while folder != home:
            if model.files.exists(os.path.join(folder, "package.xml")):
                return f"{source.name} belongs to a package of its own"
            folder = os.path.dirname(folder)
    try:
        data = model.files.read(source.name)
    except FileError:
        return "its file cannot be read again"
    if data.startswith(b"\x1f\x8b"):
        return f"{source.name} is compressed by gzip; decompress it first"
    if edited_bytes(data, source, ()) is None:
        return f"{source.name} is not edited: its text is made from something else"
    return ""


def _apart(fixes: list[FindingFix]) -> tuple[list[FindingFix], list[Refused]]:
    """Remedies that do not meet; of two at one place the safe one counts, else the first."""
    kept: list[FindingFix] = []
    refused: list[Refused] = []
    taken: dict[str, list[Edit]] = {}
    for one in sorted(fixes, key=lambda r: not r.fix.safe):
        new: list[Edit] = []
        for edit in one.fix.edits:
            near = _beside(taken.setdefault(edit.source.name, []), edit)
            if any(edit.meets(other) and not edit.same(other) for other in near):
                refused.append(Refused(one.finding, _TWICE))
                break
            new += [] if any(edit.same(other) for other in near) else [edit]
        else:
            for edit in new:
                insort(taken[edit.source.name], edit, key=_place)
            kept.append(one)
    return kept, refused


def _place(edit: Edit) -> tuple[int, int]:
    return edit.start, edit.end


def _beside(taken: list[Edit], edit: Edit) -> list[Edit]:
    """Of edits in their order, which do not meet, those that this one could meet."""
    at = bisect_left(taken, (edit.start, edit.start), key=_place)
    last = bisect_left(taken, (edit.end, edit.end + 1), key=_place)
    return taken[max(0, at - 1) : last + 1]


@dataclass(slots=True)
class _Trial:
    """The model as it is, and how often it was read with fixes."""

    model: Model
    before: Seen
    readings: int = 0

    def wrong(self, fixes: list[FindingFix]) -> str:
        """Why some fixes do not do; "" when they do."""
        self.readings += 1
        files = patched(self.model.files, _changes(self.model, fixes))
        if files is None:
            return "the file's encoding has no such letters"
        return _wrong(self.before, examined(self.model, files), fixes)


def _keep(wanted: list[FindingFix], kept: list[FindingFix], trial: _Trial, refused: list[Refused]) -> None:
    """Add to ``kept`` what does its work; halves of what does not are tried until it is found."""
    todo = [wanted] if wanted else []
    while todo:
        some = todo.pop()
        if trial.readings >= _MOST_READINGS:
            refused += [Refused(r.finding, "not tried: too many others did not do") for r in some]
            continue
        why = trial.wrong([*kept, *some])
        if not why:
            kept += some
        elif len(some) == 1:
            refused.append(Refused(some[0].finding, why))
        else:
            middle = len(some) // 2
            todo += [some[middle:], some[:middle]]


def _wrong(before: Seen, after: Seen, fixes: list[FindingFix]) -> str:
    """What speaks against fixes, once they are made; "" when nothing does."""
    if all(r.fix.safe for r in fixes):
        was, now = before.reading.robot, after.reading.robot
        free = any(r.fix.leftover for r in fixes)
        if (was is None) is not (now is None) or not (was is None or now is None or _same(was, now, free)):
            return "the robot would not stay the same"
    elif before.reading.robot is not None and after.reading.robot is None:
        return "the model could not be read any more"
    said = Counter(map(identity, before.findings))
    says = Counter(map(identity, after.findings))
    fixed_now = Counter(identity(r.finding) for r in fixes)
    for what, count in fixed_now.items():
        if says[what] > said[what] - count:
            return f"it would not fix the finding {what[0]}"
    had = Counter(f.code for f in before.findings if f.severity != "info")
    has = Counter(f.code for f in after.findings if f.severity != "info")
    new = sorted(code for code, count in has.items() if count > had[code])
    # Of a text that could not be read to its end, more is known now.
    if new and before.reading.robot is not None:
        return f"{_BRINGS} {new[0]}"
    return ""


def _same(was: Robot, now: Robot, leftovers: bool) -> bool:
    """Whether two robots do not differ, but for extras where ``leftovers`` may."""
    if leftovers:
        was, now = replace(was, extras=()), replace(now, extras=())
    return not diff(was, now)


def _changes(model: Model, fixes: list[FindingFix]) -> list[Change]:
    """The edits of each file, each once, with the bytes that come of them."""
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
    """The same door to files, with changes made; None when one of them cannot be written."""
    changes = list(changes)
    if any(change.after is None for change in changes):
        return None
    return with_contents(files, {files.disk.real(c.name): c.after or b"" for c in changes})
