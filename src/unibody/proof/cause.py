"""The likely cause of deviations, in words, with the joints or links that have it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from unibody.proof.guesses import FITTED, WEAK, Words, alternatives, chosen
from unibody.proof.inertials import AS_MASS
from unibody.proof.subject import Subject
from unibody.text.counted import listed

# The most names in a cause.
_NAMED = 3


@dataclass(frozen=True, slots=True)
class Cause:
    """The likely cause of deviations: the slip, the joints or links that have it, and how it was found.

    ``fitted`` tells that its numbers were fitted, not known; ``scope`` is what its owners have in common
    and no other joints or links have; ``of_file`` tells that it is what the engine does not read of a file,
    which says by itself whom it concerns; ``subject`` is what it is about; ``spared`` are those that could
    have it, too, and do not, where nothing is known that its owners alone have in common.
    """

    cause: str
    owners: tuple[str, ...] = ()
    quantities: tuple[str, ...] = ()
    fitted: bool = False
    scope: str = ""
    of_file: bool = False
    subject: Subject = Subject.OTHER
    spared: tuple[str, ...] = ()

    def __str__(self) -> str:
        if not self.owners:
            return self.cause
        scope = f", the {self.scope} and no others" if self.scope else ""
        spared = f", not {listed(self.spared, _NAMED)}, which could have it, too" if self.spared else ""
        return f"{self.cause} ({listed(self.owners, _NAMED)}){scope}{spared}"


def joined_words(parts: Mapping[str, Mapping[str, Words]]) -> Iterator[Cause]:
    """The causes of what explains quantities of owners: those of the same owners are one."""
    by_owners: dict[tuple[tuple[str, ...], bool], dict[str, str]] = {}
    for quantity, by_owner in parts.items():
        for same, names in chosen(by_owner, WEAK if quantity == "mass" else math.inf):
            fitted = by_owner[names[0]][same[0]] >= FITTED
            if same[0] == AS_MASS:
                # it is known as well as the mass
                fitted = (tuple(names), True) in by_owners
            by_owners.setdefault((tuple(names), fitted), {})[quantity] = alternatives(same)
    for (owners, fitted), words in by_owners.items():
        subject = Subject.MASS if "mass" in words else Subject.OTHER
        told = ", ".join(words.values())
        yield Cause(told, owners, ("mass", "com", "inertia"), fitted, subject=subject)
