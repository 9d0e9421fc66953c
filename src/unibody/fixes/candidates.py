"""The fixes that findings propose: which are selected, which files may be edited, which conflict."""

from __future__ import annotations

import os
from bisect import bisect_left, insort
from collections.abc import Collection

from unibody.files.access import FileError
from unibody.fixes.plan import FindingFix, Model, Refused, Seen
from unibody.text.edit import Edit
from unibody.text.edit_bytes import edited_bytes
from unibody.text.source import Source

#: Selection of fixes: "safe", "all", or the codes of findings.
Which = str | Collection[str]

_CONFLICT = "another fix edits the same place"


def selected(model: Model, seen: Seen, which: Which) -> tuple[list[FindingFix], list[Refused]]:
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


def without_conflicts(fixes: list[FindingFix]) -> tuple[list[FindingFix], list[Refused]]:
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
