"""The report of a conversion: losses with their causes, the proof, and its text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from unibody.conversion import report_text
from unibody.conversion.layout import Layout
from unibody.conversion.verification import Proof
from unibody.document.unread import Unread
from unibody.formats.format import Cannot, Outcome
from unibody.model.aspect import aspect_of_difference
from unibody.model.facts import Difference
from unibody.model.json import brief_json
from unibody.model.metadata import Aspect
from unibody.model.wording import largest_deviation
from unibody.text.finding import Finding
from unibody.text.hint import Asker
from unibody.text.source import Span

Kind = Literal["dropped", "changed", "added", "renamed"]


@dataclass(frozen=True, slots=True)
class Loss:
    """One fact that the written file states differently.

    ``row`` is the format's explanation, None for an unexplained loss; a ``carried`` loss has its true
    value in the side-car, where only unibody reads it. An ``extension`` is carried by elements of the
    format that most programs ignore; the row names those that do not. ``at`` is the element's place in the
    source. ``outcome`` is what becomes of the fact: what the row declares, unless the comparison found
    that something else is written.
    """

    kind: Kind
    difference: Difference
    row: Cannot | None = None
    carried: bool = False
    at: Span | None = None
    extension: bool = False
    outcome: Outcome = "lost"

    @property
    def path(self) -> str:
        """The path of the fact."""
        return self.difference.path

    @property
    def aspect(self) -> Aspect:
        """What the fact matters for: "motion", "mass", "shape", …"""
        return aspect_of_difference(self.difference)

    def json(self) -> dict[str, Any]:
        """The loss as plain JSON data; long lists of numbers by length, digest and largest deviation."""
        before, after = self.difference.before, self.difference.after
        deviation = largest_deviation(before, after)
        return {
            "kind": self.kind,
            "outcome": self.outcome,
            "aspect": self.aspect,
            "path": self.path,
            "at": str(self.at) if self.at else None,
            "before": brief_json(before),
            "after": brief_json(after),
            **({} if deviation is None else {"deviation": deviation}),
            "what": self.row.what if self.row else None,
            "why": self.row.why if self.row else None,
            "carried": self.carried,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Ignored content of the source, losses of writing, and the proof.

    ``beside`` are the files that were read with the source: attached models, the SRDF of a URDF.
    ``extensions`` are facts that the file states in elements which most other programs ignore. ``joints``
    lists name and index of each joint in the source, then in the target; ``layout`` says what became of the
    text of a source of the same format. ``subject`` is what a file says of a robot that another file
    describes: it has no proof.
    ``robots`` are the reports of the robots of a scene, whose losses are those of its report.
    """

    source: str
    target: str
    format: str
    beside: tuple[str, ...] = ()
    reading: tuple[Unread, ...] = ()
    losses: tuple[Loss, ...] = ()
    extensions: tuple[Loss, ...] = ()
    files: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    proof: Proof | None = None
    joints: tuple[tuple[str, int, str, int], ...] = ()
    written: bool = False
    layout: Layout | None = None
    subject: str = ""
    robots: tuple[Report, ...] = ()

    def of(self, kind: Kind) -> tuple[Loss, ...]:
        """The losses of a kind that the side-car does not carry."""
        return tuple(x for x in self.losses if x.kind == kind and not x.carried)

    @property
    def carried(self) -> tuple[Loss, ...]:
        """The losses that the side-car carries."""
        return tuple(x for x in self.losses if x.carried)

    @property
    def lost(self) -> bool:
        """Whether anything was lost: ignored in the source, or a loss that the side-car does not carry.

        Conversions are no losses, and neither are vendor elements that are written or carried.
        """
        return bool(self.reading) or any(
            not x.carried and x.outcome in ("lost", "omitted") for x in self.losses
        )

    def json(self, asker: Asker = "python") -> dict[str, Any]:
        """The report as plain JSON data; hints name settings in the words of the ``asker``."""
        return {
            "source": self.source,
            "target": self.target,
            "beside": list(self.beside),
            "format": self.format,
            "written": self.written,
            "files": list(self.files),
            "reading": [
                {"path": u.path, "key": u.key, "text": u.text, "at": str(u.at) if u.at else None}
                for u in self.reading
            ],
            "losses": [x.json() for x in self.losses],
            "extensions": [x.json() for x in self.extensions],
            "joints": [
                {"name": a, "index": i, "target": b, "target_index": k} for a, i, b, k in self.joints
            ],
            "findings": [f.json(asker) for f in self.findings],
            "layout": str(self.layout) if self.layout else None,
            "proof": self.proof.json() if self.proof else None,
            **({"robots": [x.json(asker) for x in self.robots]} if self.robots else {}),
        }

    def headline(self) -> str:
        """The verdict in one line: whether the robot moves and weighs the same, and what was lost."""
        return report_text.headline(self)

    def text(self, *, folded: bool = False) -> str:
        """The report as text: headline, losses by aspect and cause, proof.

        ``folded`` shows the first elements of each loss, and counts cosmetic losses.
        """
        return report_text.text(self, folded)

    def __str__(self) -> str:
        return self.text().rstrip("\n")

    def _repr_html_(self) -> str:
        """A table for notebooks."""
        return report_text.html(self)

    def markdown(self) -> str:
        """The report as Markdown: headline, a table of losses by aspect and cause, the proof."""
        return report_text.markdown(self)

    def csv(self) -> str:
        """The losses as CSV, one row each."""
        return report_text.csv_rows(self)
