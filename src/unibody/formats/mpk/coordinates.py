"""Reads the parameters of a robot: normalized coordinates that drive its joints."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from unibody.formats.extras import Extras
from unibody.formats.mpk import document as d
from unibody.formats.mpk.cures import param_added, param_removed
from unibody.formats.mpk.motion import Motion
from unibody.model.robot import Coordinate, Drive
from unibody.model.traverse import path_of
from unibody.text.finding import Findings
from unibody.text.source import Span

_OPTIONS = ("cyclic", "passive", "frozen", "weight", "default")


def position(drive: Drive, t: float) -> float:
    """Where a drive puts its joint (rad or m); exact at both ends, MPK's own formula up to the middle."""
    width = drive.at_one - drive.at_zero
    return drive.at_zero + t * width if t <= 0.5 else drive.at_one - (1.0 - t) * width


def index_of(joint: d.Joint, name: str, motion: Motion, findings: Findings) -> int | None:
    """The coordinate that drives a joint; None for one that does not move, or whose index is wrong."""
    if motion.doc is None:
        if joint.param is not None:
            findings.warning(
                "param-without-transform",
                f"joint '{name}' has param {joint.param} but no parameterized transform",
                joint.at("param"),
                "remove param, or add Rot1, Transl1 or ConstTransl_Rot1",
                cure=param_removed(joint.at("param")),
                subject=path_of("joints", name),
            )
        return None
    if joint.param is not None:
        return joint.param
    if joint.node is not None and joint.node.get("param") is not None:
        return None  # what is wrong with it has been said
    findings.warning(
        "param-missing",
        f"joint '{name}' moves, but has no param; index 0 is taken, as the reference says "
        "(MPK itself leaves the joint where it is)",
        motion.doc.at() or joint.at(),
        "write param 0, or the index that is meant",
        cure=param_added(motion.doc.at() or joint.at()),
        subject=path_of("joints", name),
    )
    return 0


@dataclass(slots=True)
class Settings:
    """What all `param` blocks of a file say, by index; several may name one."""

    findings: Findings
    by_index: dict[int, Coordinate] = field(default_factory=dict)
    docs: dict[int, list[d.Parameter]] = field(default_factory=dict)
    given: set[tuple[int, str]] = field(default_factory=set)

    def add(self, doc: d.Parameter) -> None:
        """One line; an option that was given before with another value is replaced, with a warning."""
        if doc.index is None:
            return
        self.docs.setdefault(doc.index, []).append(doc)
        made = self.by_index.get(doc.index) or Coordinate(index=doc.index, at=doc.at())
        for option in _OPTIONS:
            value = getattr(doc, option)
            if option not in doc.given:
                continue
            before = getattr(made, option)
            if (doc.index, option) in self.given and before != value:
                self.findings.warning(
                    "param-option-twice",
                    f"param {doc.index}: {option} is {before:g} and then {value:g}; using the last",
                    doc.at(option),
                )
            self.given.add((doc.index, option))
            made = replace(made, **{option: value})
        self.by_index[doc.index] = made


@dataclass(slots=True)
class Uses:
    """Which joints each index drives, and where the index was first written."""

    drives: dict[int, list[Drive]] = field(default_factory=dict)
    at: dict[int, Span | None] = field(default_factory=dict)

    def add(self, index: int, drive: Drive, at: Span | None) -> None:
        """One joint more."""
        self.drives.setdefault(index, []).append(drive)
        self.at.setdefault(index, at)


def coordinates(
    blocks: Iterable[d.Parameters], uses: Uses, findings: Findings, extras: Extras
) -> tuple[Coordinate, ...]:
    """All coordinates up to the highest index that a joint uses.

    Lower ones that no joint uses take their place; higher ones that only a `param` block names have
    none in MPK either, and are kept as written.
    """
    settings = Settings(findings)
    for block in blocks:
        for doc in block.parameters:
            settings.add(doc)
    count = max(uses.drives, default=-1) + 1
    out = []
    for index in range(count):
        made = settings.by_index.get(index) or Coordinate(index=index, at=uses.at.get(index))
        out.append(replace(made, drives=tuple(uses.drives.get(index, ()))))
    _unused(count, uses, settings)
    for index, docs in settings.docs.items():
        for doc in docs:
            if index >= count and doc.node is not None:
                extras.add([("parameter", doc.node, doc.node.start)])
            elif doc.rest:
                extras.add(doc.rest, "coordinates", str(index))
    return tuple(out)


def _unused(count: int, uses: Uses, settings: Settings) -> None:
    gaps = [i for i in range(count) if i not in uses.drives]
    if gaps:
        rest = "it still takes its place" if len(gaps) == 1 else "they still take their places"
        settings.findings.warning(
            "param-unused",
            f"the highest param index is {count - 1}, but no joint uses {_listed(gaps)}; "
            f"{rest} in the configuration",
            uses.at[count - 1],
            "number params from 0 without gaps",
        )
    for index, docs in settings.docs.items():
        if index >= count:
            settings.findings.warning(
                "param-unused",
                f"param {index} drives no joint; its options are ignored",
                docs[0].at(),
            )


def _listed(indices: list[int]) -> str:
    """Indices in few words: 1, 3 … 6."""
    runs: list[list[int]] = []
    for i in indices:
        if runs and runs[-1][-1] == i - 1:
            runs[-1].append(i)
        else:
            runs.append([i])
    shown = [str(r[0]) if len(r) == 1 else f"{r[0]} … {r[-1]}" for r in runs[:5]]
    return ", ".join(shown) + (" and others" if len(runs) > 5 else "")
