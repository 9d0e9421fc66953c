"""Mechanisms: a robot as indices and arrays, and what is computed from them."""

from unibody.mechanism.assembly import AssembleError, assemble
from unibody.mechanism.mechanism import Mechanism

__all__ = ["AssembleError", "Mechanism", "assemble"]
