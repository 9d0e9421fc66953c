"""Fixes of file names that are found, but not as they are written."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence

from unibody.text.edit import ProposedFix, replaced, unquoted
from unibody.text.source import Span

_SLIP = re.compile(r"(package|model):/*", re.IGNORECASE)
_PARTS = re.compile(r"([/\\]+)")


def respelled_path(
    at: Span | None, found: str, names: Callable[[str], Sequence[str]]
) -> ProposedFix | None:
    """The name as the file ``found`` has it, with slashes, when exactly one file can be meant.

    ``names`` gives the names in a directory.
    """
    quote, inner = unquoted(at.text) if at is not None else ("", "")
    # a doubled backslash is one
    written = inner.replace("\\\\", "\\")
    if at is None or "%" in written or "&" in written:
        return None
    parts = _PARTS.split(written.replace("\\", "/"))
    real = found.replace(os.sep, "/").split("/")
    folder = found
    for index in range(len(parts) - 1, -1, -2):
        name = real.pop() if real else ""
        folder = os.path.dirname(folder)
        if not parts[index] or parts[index].casefold() != name.casefold():
            break
        alike = [n for n in names(folder or os.curdir) if n.casefold() == name.casefold()]
        if parts[index] != name and len(alike) != 1:
            return None
        parts[index] = name
    new = "".join(parts)
    if new == inner or any(c in new for c in "\"'<&"):
        return None
    return ProposedFix(f"replace {written} by {new}", (replaced(at, f"{quote}{new}{quote}"),))


def relocated_path(at: Span | None, uri: str, path: str) -> ProposedFix | None:
    """The path of the file that was found, instead of an absolute path of another machine."""
    quote, inner = unquoted(at.text) if at is not None else ("", "")
    if (
        at is None
        or not path
        or uri not in (inner, inner.replace("\\\\", "\\"))
        or any(c in path for c in "\"'<&\\")
    ):
        return None
    return ProposedFix(f"replace {uri} by {path}", (replaced(at, f"{quote}{path}{quote}"),))


def package_slip(at: Span | None) -> ProposedFix | None:
    """One colon and two slashes."""
    quote, inner = unquoted(at.text) if at is not None else ("", "")
    found = _SLIP.match(inner)
    if at is None or found is None:
        return None
    scheme = f"{found[1].lower()}://"
    new = f"{quote}{scheme}{inner[found.end() :]}{quote}"
    return ProposedFix(f"replace {found[0]} by {scheme}", (replaced(at, new),))


def found_package(at: Span | None, uri: str, new: str) -> ProposedFix | None:
    """A package URI for a path that begins with $(find NAME)."""
    quote, inner = unquoted(at.text) if at is not None else ("", "")
    if at is None or inner.strip() != uri:
        return None
    return ProposedFix(f"replace {uri} by {new}", (replaced(at, f"{quote}{new}{quote}"),))
