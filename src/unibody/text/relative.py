"""Paths in messages relative to a folder."""

from __future__ import annotations

import os


def relative(text: str, folder: str) -> str:
    """The text with the paths below a folder relative to it; other absolute paths stay.

    >>> relative("'/work/arm/a.stl' is missing; tried /work/arm/a.stl, /data/work/arm/a.stl", "/work/arm")
    "'a.stl' is missing; tried a.stl, /data/work/arm/a.stl"
    """
    prefix = os.path.join(folder, "")
    if len(prefix) < 3 or prefix not in text:
        return text
    first, *rest = text.split(prefix)
    out = [first]
    for before, part in zip([first, *rest], rest, strict=False):
        # Within a longer path, the folder is not its beginning.
        inside = bool(before) and (before[-1].isalnum() or before[-1] in "/._-~\\")
        out.append(prefix + part if inside else part)
    return "".join(out)
