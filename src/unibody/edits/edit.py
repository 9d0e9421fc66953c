"""The result of an edit: the robot, what is lost of the inputs, and what could not be edited."""

from __future__ import annotations

from dataclasses import field

from unibody.model.facts import Difference
from unibody.model.robot import Robot
from unibody.text.dataclass import dataclass
from unibody.text.finding import Findings


@dataclass(frozen=True, slots=True)
class EditLoss:
    """A fact of an input that the edit dropped or changed, though it was not asked to.

    ``before`` is the input, with the new names; ``what`` and ``why`` name the loss.
    """

    difference: Difference
    before: Robot
    what: str
    why: str


@dataclass(frozen=True, slots=True)
class RobotEdit:
    """An edited robot; ``losses`` are measured against the inputs, ``findings`` tell of unchanged texts."""

    robot: Robot
    losses: tuple[EditLoss, ...] = ()
    findings: Findings = field(default_factory=Findings)

    def then(self, other: RobotEdit) -> RobotEdit:
        """Another edit of this one's robot: both sets of losses and findings."""
        return RobotEdit(
            other.robot,
            (*self.losses, *other.losses),
            Findings([*self.findings, *other.findings]),
        )
