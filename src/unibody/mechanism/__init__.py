"""Kinematics and dynamics: a robot as a tree of arrays, algorithms over it, and `Mechanism` on top."""

from unibody.mechanism.assembly import AssembleError, assemble
from unibody.mechanism.mechanism import Mechanism

__all__ = ["AssembleError", "Mechanism", "assemble"]
