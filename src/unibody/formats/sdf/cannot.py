"""Features of a robot that SDF cannot represent, with reasons; explains every measured loss."""

from __future__ import annotations

from unibody.formats.format import Cannot

CANNOT: tuple[Cannot, ...] = ()
