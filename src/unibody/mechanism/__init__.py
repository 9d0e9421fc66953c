"""Mechanisms: a robot as indices and arrays, and what is computed from them."""

from unibody.mechanism.assemble import AssembleError, Mechanism, assemble

__all__ = ["AssembleError", "Mechanism", "assemble"]
