"""What USD cannot say."""

from __future__ import annotations

from unibody.formats.format import Cannot

CANNOT: tuple[Cannot, ...] = ()
