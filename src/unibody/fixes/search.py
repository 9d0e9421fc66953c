"""Search for the largest set of fixes that a model takes: all at once, else parts, else combinations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import combinations

from unibody.checks import examine
from unibody.checks.suppress import split
from unibody.files.access import FileError, Files
from unibody.fixes.candidates import Which, selected, without_conflicts
from unibody.fixes.composition import OwnedEdit, composed
from unibody.fixes.identity import identity, new_error, new_warnings
from unibody.fixes.patch import with_contents
from unibody.fixes.plan import Change, FindingFix, Fix, Model, Refused, Seen
from unibody.formats.loader import read_with
from unibody.model.facts import diff
from unibody.model.robot import Robot
from unibody.text.edit import Edit, edited
from unibody.text.edit_bytes import edited_bytes
from unibody.text.source import Source

# Most readings of a model to find the fixes that fail.
_MAX_READINGS = 60
# Most combinations of failing fixes that are tried in one round.
_MAX_COMBINATIONS = 24
# Most rounds: each finds the fixes of what the one before uncovered, or left because of a conflict.
_MAX_ROUNDS = 6
# Depth to which the fixes of what a failing fix uncovers are tried together with it.
_MAX_DEPTH = 3


def examined(model: Model, files: Files) -> Seen:
    """Read and check a model through ``files``, without muted findings."""
    reading = read_with(model.path, model.format, replace(model.options, files=files))
    return Seen(reading, split(examine(reading, files), reading.source, model.mute)[0])


def patched(files: Files, changes: Iterable[Change]) -> Files | None:
    """Return the same file access with the changes applied; None if one cannot be encoded."""
    changes = list(changes)
    if any(change.after is None for change in changes):
        return None
    return with_contents(files, {files.disk.real(c.name): c.after or b"" for c in changes})


@dataclass(frozen=True, slots=True)
class _State:
    """The model with some fixes made: the edits of each original file, and what a reading then finds."""

    seen: Seen
    files: Files
    sources: Mapping[str, Source] = field(default_factory=dict)
    edits: Mapping[str, tuple[OwnedEdit, ...]] = field(default_factory=dict)
    fixes: tuple[FindingFix, ...] = ()


@dataclass(frozen=True, slots=True)
class _Failure:
    """Why fixes fail; ``causes`` is the code of an error that they would cause, "" for other reasons."""

    why: str
    causes: str = ""


def find_fixes(model: Model, which: Which) -> Fix:
    """The fixes of a model that ``which`` selects, each verified."""
    first = _State(examined(model, model.files), model.files)
    search = _Search(model, which)
    last, refused = search.rounds(first, frozenset(), _MAX_DEPTH)
    changes = tuple(_changes(model, last))
    readable = first.seen.reading.robot is not None
    left = new_warnings(first.seen.findings, last.seen.findings) if readable and last.fixes else []
    return Fix(
        path=model.path,
        fixes=tuple(_on_original(last)),
        refused=tuple(refused),
        left=tuple(left),
        changes=changes,
    )


@dataclass(slots=True)
class _Search:
    """Makes fixes and verifies them; counts the readings."""

    model: Model
    which: Which
    readings: int = 0

    def rounds(
        self, state: _State, known: frozenset[tuple[str, ...]], depth: int
    ) -> tuple[_State, list[Refused]]:
        """Fix findings until none is left; those with an identity in ``known`` are not tried.

        Returns the last state, and the fixes that fail or cannot be made.
        """
        tried = set(known)
        refused: dict[tuple[str, ...], Refused] = {}
        postponed: list[Refused] = []
        for _ in range(_MAX_ROUNDS):
            options = replace(self.model.options, files=state.files)
            wanted, unwritable = selected(replace(self.model, options=options), state.seen, self.which)
            refused |= {key: r for r in unwritable if (key := identity(r.finding)) not in known}
            wanted = [one for one in wanted if identity(one.finding) not in tried]
            doable, postponed = without_conflicts(wanted)
            if not doable:
                break
            tried |= {identity(one.finding) for one in doable}
            order = {id(one): number for number, one in enumerate(wanted)}
            turn = _Round(self, state)
            for safe in (True, False):
                turn.keep([one for one in doable if one.fix.safe is safe])
            turn.combine(depth)
            old, new = state.fixes, turn.state.fixes[len(state.fixes) :]
            new = tuple(sorted(new, key=lambda one: order.get(id(one), len(order))))
            state = replace(turn.state, fixes=(*old, *new))
            tried -= {identity(one.finding) for one in turn.again}
            refused |= {identity(r.finding): r for r in turn.refused()}
        return state, [*refused.values(), *postponed]

    def made(self, state: _State, some: list[FindingFix]) -> _State | None:
        """The state with further fixes; None if an encoding cannot represent the new text."""
        sources, edits = dict(state.sources), dict(state.edits)
        new: dict[str, list[tuple[Edit, FindingFix]]] = {}
        current: dict[str, Source] = {}
        for one in some:
            for edit in one.fix.edits:
                new.setdefault(edit.source.name, []).append((edit, one))
                current[edit.source.name] = edit.source
        for name, pairs in new.items():
            now, made = current[name], edits.get(name, ())
            original = sources.setdefault(name, now)
            if made and edited(original.text, [m.edit for m in made]) != now.text:
                return None
            edits[name] = tuple(composed(made, original, now, pairs))
        fresh = replace(state, sources=sources, edits=edits, fixes=(*state.fixes, *some))
        files = patched(self.model.files, _changes(self.model, fresh))
        if files is None:
            return None
        self.readings += 1
        return replace(fresh, files=files, seen=examined(self.model, files))


@dataclass(slots=True)
class _Round:
    """One round: the edits of all its fixes are those of the text at its ``start``.

    ``made`` are the fixes that succeed, ``again`` those to be tried in another round.
    """

    search: _Search
    start: _State
    state: _State = field(init=False)
    made: list[FindingFix] = field(default_factory=list)
    failed: list[tuple[FindingFix, _Failure]] = field(default_factory=list)
    again: list[FindingFix] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.state = self.start

    def keep(self, wanted: list[FindingFix]) -> None:
        """Make the fixes that succeed; a set that fails is bisected to find the culprits."""
        todo = [wanted] if wanted else []
        while todo:
            some = todo.pop()
            if self.search.readings >= _MAX_READINGS:
                self.failed += [(one, _Failure("not tried: too many other fixes failed")) for one in some]
                continue
            after, failure = self._try(some)
            if after is not None and failure is None:
                self.state, self.made = after, [*self.made, *some]
            elif failure is not None and len(some) == 1:
                self.failed.append((some[0], failure))
            else:
                middle = len(some) // 2
                todo += [some[middle:], some[:middle]]

    def combine(self, depth: int) -> None:
        """Make failing fixes that succeed together, or with fixes of what they uncover.

        Tried are all of them, single ones and pairs.
        """
        groups = list(_groups([one for one, _ in self.failed]))[:_MAX_COMBINATIONS]
        for some in groups:
            if self.search.readings >= _MAX_READINGS:
                return
            if any(one is other for one in some for other in self.made):
                continue
            after, failure = self._try(some)
            if after is not None and failure is None:
                self.state, self.made = after, [*self.made, *some]
                continue
            after = self._uncovering(after, failure, depth)
            if after is not None:
                # The text is no longer that of the start: the others are tried in another round.
                self.state, self.made = after, [*self.made, *some]
                self.again = [one for one, _ in self.failed if not any(one is other for other in self.made)]
                return

    def _uncovering(self, after: _State | None, failure: _Failure | None, depth: int) -> _State | None:
        """The state with the fixes of what failing fixes uncover; None if that fails, too."""
        if after is None or failure is None or not failure.causes or not depth:
            return None
        if after.seen.reading.robot is None:
            return None
        known = frozenset(map(identity, self.start.seen.findings))
        deeper, _ = self.search.rounds(after, known, depth - 1)
        count = len(self.start.fixes)
        return deeper if _failure(self.start, deeper, deeper.fixes[count:]) is None else None

    def _try(self, some: list[FindingFix]) -> tuple[_State | None, _Failure | None]:
        fixes = [*self.made, *some]
        after = self.search.made(self.start, fixes)
        return after, _failure(self.start, after, fixes)

    def refused(self) -> Iterator[Refused]:
        """The fixes that fail; how to make them by hand if that uncovers an error."""
        for one, failure in self.failed:
            if not any(one is other for other in (*self.made, *self.again)):
                by_hand = f"; fix by hand: {one.fix.title}" if failure.causes else ""
                yield Refused(one.finding, failure.why + by_hand, failure.causes)


def _groups(fixes: list[FindingFix]) -> Iterator[list[FindingFix]]:
    """All fixes, each single one, and pairs."""
    if len(fixes) > 1:
        yield fixes
    yield from ([one] for one in fixes)
    if len(fixes) > 2:
        yield from map(list, combinations(fixes, 2))


def _failure(before: _State, after: _State | None, fixes: Sequence[FindingFix]) -> _Failure | None:
    """Why fixes fail, from the findings before and after them; None if they succeed.

    New warnings are no failure: the text that they are about was hidden or misread before.
    """
    if after is None:
        return _Failure("the file's encoding cannot represent the new text")
    was, now = before.seen.reading.robot, after.seen.reading.robot
    if all(one.fix.safe for one in fixes):
        free = any(one.fix.leftover for one in fixes)
        if (was is None) is not (now is None) or not (
            was is None or now is None or _same(was, now, free, after.files)
        ):
            return _Failure("the robot would change")
    elif was is not None and now is None:
        code = new_error(before.seen.findings, after.seen.findings)
        return _Failure("the model would become unreadable", code)
    said = Counter(map(identity, before.seen.findings))
    says = Counter(map(identity, after.seen.findings))
    fixed_now = Counter(identity(one.finding) for one in fixes)
    for what, count in fixed_now.items():
        if says[what] > max(said[what] - count, 0):
            return _Failure(f"it would not remove the finding {what[0]}")
    # New errors are expected where the text was unreadable before.
    code = new_error(before.seen.findings, after.seen.findings) if was is not None else ""
    return _Failure(f"it would cause the error {code}", code) if code else None


def _same(was: Robot, now: Robot, leftovers: bool, files: Files) -> bool:
    """Whether two robots are equal; with ``leftovers``, extras are not compared."""
    if leftovers:
        was, now = replace(was, extras=()), replace(now, extras=())

    def digest(path: str) -> str | None:
        try:
            return sha256(files.read(path)).hexdigest()
        except FileError:
            return None

    return not diff(was, now, digest)


def _changes(model: Model, state: _State) -> list[Change]:
    """The edits of each file, and the edited bytes; the model's own file first."""
    out: list[Change] = []
    for name, owned in state.edits.items():
        if not owned:
            continue
        source, before = state.sources[name], model.files.read(name)
        after = edited_bytes(before, source, [one.edit for one in owned])
        out.append(Change(source, before, after, tuple((one.edit, one.owners) for one in owned)))
    return sorted(out, key=lambda change: (change.name != model.path, change.name))


def _on_original(state: _State) -> Iterator[FindingFix]:
    """The fixes with their edits as edits of the original text."""
    edits: dict[int, list[Edit]] = {}
    for owned in state.edits.values():
        for one in owned:
            for owner in one.owners:
                edits.setdefault(id(owner), []).append(one.edit)
    for fix in state.fixes:
        yield replace(fix, fix=replace(fix.fix, edits=tuple(edits.get(id(fix), ()))))
