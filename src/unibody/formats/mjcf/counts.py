"""How many controls and activations an actuator has, which are values of keyframes."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from unibody.document.declare import Document
from unibody.formats.mjcf import document_actuators as a
from unibody.formats.mjcf.defaults import remains_of_class


def total(actuators: Iterable[Document], count: Callable[[Document], int | None]) -> int | None:
    """The sum of the counts of actuators; None if it is not known of one."""
    out = 0
    for actuator in actuators:
        found = count(actuator)
        if found is None:
            return None
        out += found
    return out


def controls(actuator: Document) -> int | None:
    """How many controls an actuator has; those of servos with several depend on what they are given."""
    if isinstance(actuator, a.Pid | a.Orientation | a.DcMotor | a.ActuatorPlugin):
        return None
    if isinstance(actuator, a.General):
        is_one = actuator.gaintype in ("fixed", "affine", "muscle") and not _has_class(actuator)
        return 1 if is_one and actuator.input is None else None
    return 1


def activations(actuator: Document) -> int | None:
    """How many activations an actuator has; None if that depends on what is not known of it."""
    match actuator:
        case a.Motor() | a.Velocity() | a.Damper() | a.Adhesion():
            return 0
        case a.Muscle() | a.IntVelocity() | a.Cylinder():
            return 1
        case a.General() | a.Position() if _has_class(actuator):
            return None
        case a.Position():
            return 1 if actuator.timeconst else 0
        case a.General() if actuator.dyntype == "none":
            return 0
        case a.General() if actuator.actdim >= 0:
            return actuator.actdim
        case a.General() if actuator.dyntype in ("integrator", "filter", "filterexact", "muscle"):
            return 1
    return None


def _has_class(actuator: Document) -> bool:
    """Whether the class of an actuator says more than its values."""
    return actuator.node is not None and remains_of_class(actuator.node)
