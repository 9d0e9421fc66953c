"""Remedies of file names that are found, but not as they are written."""

from __future__ import annotations

import os
import re
from typing import Any

from unibody.fixes.cure import Case, Made
from unibody.formats.mpk.models import SEARCH
from unibody.text.edit import replaced, unquoted
from unibody.text.finding import Findings

_SLIP = re.compile(r"(package|model):/*", re.IGNORECASE)
_PARTS = re.compile(r"([/\\]+)")


def respelled_path(case: Case) -> Any:
    """The name as the file itself has it, with slashes, when exactly one file can be meant."""
    quote, inner = unquoted(case.text)
    written = _written(inner)
    found = _found(case, written)
    if found is None or "%" in written or "&" in written:
        return None
    parts = _PARTS.split(written.replace("\\", "/"))
    real = found.replace(os.sep, "/").split("/")
    folder = found
    for index in range(len(parts) - 1, -1, -2):
        name = real.pop() if real else ""
        folder = os.path.dirname(folder)
        if not parts[index] or parts[index].casefold() != name.casefold():
            break
        alike = [n for n in case.files.names(folder or os.curdir) if n.casefold() == name.casefold()]
        if parts[index] != name and len(alike) != 1:
            return None
        parts[index] = name
    new = "".join(parts)
    if new == inner or any(c in new for c in "\"'<&"):
        return None
    return Made(f"{written} becomes {new}", (replaced(case.at, f"{quote}{new}{quote}"),))


def package_slip(case: Case) -> Any:
    """One colon and two slashes."""
    quote, inner = unquoted(case.text)
    found = _SLIP.match(inner)
    if not found:
        return None
    new = f"{found[1].lower()}://{inner[found.end() :]}"
    return Made(f"{found[0]} becomes {found[1].lower()}://", (replaced(case.at, f"{quote}{new}{quote}"),))


def _written(inner: str) -> str:
    """The name that a text stands for: a doubled backslash is one."""
    return inner.replace("\\\\", "\\")


def _found(case: Case, uri: str) -> str | None:
    """The file that the name leads to, where the format's reader looks for it."""
    if case.format == "mpk":
        return case.files.search(uri, case.source.name, None, Findings(), SEARCH)
    return case.files.resolve(uri, case.source.name, None, Findings())
