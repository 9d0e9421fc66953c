"""Reads the parameters of a robot: normalized coordinates that drive its joints."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field, replace

from unibody.formats.extras import Extras
from unibody.formats.mpk import document as d
from unibody.formats.mpk.fixes import param_added, param_removed
from unibody.formats.mpk.motion import Motion
from unibody.model.robot import Coordinate, Drive
from unibody.model.traverse import path_of
from unibody.text.dataclass import dataclass
from unibody.text.finding import Findings
from unibody.text.source import Span

_OPTIONS = ("cyclic", "passive", "frozen", "weight", "default")


def position(drive: Drive, t: float) -> float:
    """Position of a joint (rad or m) at parameter t; exact at both ends, MPK's formula up to t = 0.5."""
    width = drive.at_one - drive.at_zero
    return drive.at_zero + t * width if t <= 0.5 else drive.at_one - (1.0 - t) * width


def index_of(joint: d.Joint, name: str, motion: Motion, findings: Findings) -> int | None:
    """The parameter index of a joint; None for a fixed joint or an invalid index."""
    if motion.doc is None:
        if joint.param is not None:
            findings.warning(
                "param-without-transform",
                f"joint '{name}' has param {joint.param} but no parameterized transform",
                joint.at("param"),
                "remove param, or add Rot1, Transl1 or ConstTransl_Rot1",
                fix=param_removed(joint.at("param")),
                subject=path_of("joints", name),
            )
        return None
    if joint.param is not None:
        return joint.param
    if joint.node is not None and joint.node.get("param") is not None:
        return None  # an invalid index, reported by the binder
    findings.warning(
        "param-missing",
        f"joint '{name}' moves but has no param; using index 0, as in the reference "
        "(MPK itself does not move the joint)",
        motion.doc.at() or joint.at(),
        "add param and the index of the parameter",
        fix=param_added(motion.doc.at() or joint.at()),
        subject=path_of("joints", name),
    )
    return 0


@dataclass(slots=True)
class Options:
    """The options of all `param` blocks of a file, by parameter index."""

    findings: Findings
    by_index: dict[int, Coordinate] = field(default_factory=dict)
    docs: dict[int, list[d.Parameter]] = field(default_factory=dict)
    set_options: set[tuple[int, str]] = field(default_factory=set)

    def add(self, doc: d.Parameter) -> None:
        """Add the options of one entry; an option that changes an earlier value is reported."""
        if doc.index is None:
            return
        self.docs.setdefault(doc.index, []).append(doc)
        coordinate = self.by_index.get(doc.index) or Coordinate(index=doc.index, at=doc.at())
        for option in _OPTIONS:
            value = getattr(doc, option)
            if option not in doc.given:
                continue
            before = getattr(coordinate, option)
            if (doc.index, option) in self.set_options and before != value:
                self.findings.warning(
                    "param-option-twice",
                    f"param {doc.index}: duplicate {option} {value:g} overrides {before:g}",
                    doc.at(option),
                )
            self.set_options.add((doc.index, option))
            coordinate = replace(coordinate, **{option: value})
        self.by_index[doc.index] = coordinate


@dataclass(slots=True)
class Uses:
    """The drives of each parameter index and the place of its first use."""

    drives: dict[int, list[Drive]] = field(default_factory=dict)
    at: dict[int, Span | None] = field(default_factory=dict)

    def add(self, index: int, drive: Drive, at: Span | None) -> None:
        """Add the drive of one joint."""
        self.drives.setdefault(index, []).append(drive)
        self.at.setdefault(index, at)


def coordinates(
    blocks: Iterable[d.Parameters], uses: Uses, findings: Findings, extras: Extras
) -> tuple[Coordinate, ...]:
    """All coordinates up to the highest parameter index that a joint uses.

    Unused lower indices are coordinates without drives. Options of higher indices have no effect in MPK;
    they are stored as extras.
    """
    options = Options(findings)
    for block in blocks:
        for doc in block.parameters:
            options.add(doc)
    count = max(uses.drives, default=-1) + 1
    out = []
    for index in range(count):
        coordinate = options.by_index.get(index) or Coordinate(index=index, at=uses.at.get(index))
        out.append(replace(coordinate, drives=tuple(uses.drives.get(index, ()))))
    _report_unused(count, uses, options)
    for index, docs in options.docs.items():
        for doc in docs:
            if index >= count and doc.node is not None:
                extras.add([("parameter", doc.node, doc.node.start)])
            elif doc.rest:
                extras.add(doc.rest, "coordinates", str(index))
    return tuple(out)


def _report_unused(count: int, uses: Uses, options: Options) -> None:
    gaps = [i for i in range(count) if i not in uses.drives]
    if gaps:
        options.findings.warning(
            "param-unused",
            f"no joint uses param {_format_indices(gaps)}, below the highest index {count - 1}; "
            "the configuration keeps a value for every unused index",
            uses.at[count - 1],
            "number params from 0 without gaps",
        )
    for index, docs in options.docs.items():
        if index >= count:
            options.findings.warning(
                "param-unused",
                f"param {index} drives no joint; ignored",
                docs[0].at(),
            )


def _format_indices(indices: list[int]) -> str:
    """Indices as ranges: 1, 3 … 6."""
    runs: list[list[int]] = []
    for i in indices:
        if runs and runs[-1][-1] == i - 1:
            runs[-1].append(i)
        else:
            runs.append([i])
    shown = [str(r[0]) if len(r) == 1 else f"{r[0]} … {r[-1]}" for r in runs[:5]]
    return ", ".join(shown) + (" and others" if len(runs) > 5 else "")
