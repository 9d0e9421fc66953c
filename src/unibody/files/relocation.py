"""Absolute paths of another machine: replaced prefixes, and endings that are searched near the model."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from urllib.parse import unquote

from unibody.files.uris import DRIVE, SCHEME, SHARES, file_path

_DRIVE_URI = re.compile(r"(?:file:/*)?[A-Za-z]:[\\/]", re.IGNORECASE)
_FILE_URI = re.compile(r"file:", re.IGNORECASE)
# The home directory of somebody, which only a shell expands.
HOME = re.compile(r"~\w*[\\/]")
# Most names of a path that are searched together.
_MOST_NAMES = 12


def is_absolute(uri: str) -> bool:
    """Whether a URI is an absolute path of this or another machine.

    >>> [is_absolute(uri) for uri in ("/a/b.stl", "file:///a/b.stl", "C:\\\\a\\\\b.stl", "~/b", "a/b.stl")]
    [True, True, True, True, False]
    """
    if _DRIVE_URI.match(uri):
        return True
    path = file_path(uri) if _FILE_URI.match(uri) else uri
    return path.startswith("/") or path.startswith(SHARES) or bool(HOME.match(path))


def is_on_drive(uri: str) -> bool:
    """Whether a URI is a path on a Windows disk."""
    return bool(_DRIVE_URI.match(uri))


def is_share(uri: str) -> bool:
    """Whether a URI is in a shared folder of another machine, which is never looked up.

    >>> is_share("\\\\\\\\server\\\\a.stl"), is_share("file:////server/a.stl"), is_share("/a.stl")
    (True, True, False)
    """
    return (file_path(uri) if _FILE_URI.match(uri) else uri).startswith(SHARES)


def endings(uri: str) -> Iterator[tuple[str, str]]:
    """The endings of an absolute path, the longest first, and what precedes each.

    >>> list(endings("/home/alice/meshes/a.stl"))[2:]
    [('meshes/a.stl', '/home/alice'), ('a.stl', '/home/alice/meshes')]
    """
    path = unquote(uri) if _FILE_URI.match(uri) else uri
    names = [(found.start(), found[0]) for found in re.finditer(r"[^/\\]+", path)]
    while names and (names[0][1].endswith(":") or _FILE_URI.match(names[0][1])):
        del names[0]
    if any(name in {".", ".."} for _, name in names):
        return
    for start, _ in names[-_MOST_NAMES:]:
        yield re.sub(r"[/\\]+", "/", path[start:]), path[:start].rstrip("/\\")


def remapped(uri: str, remap: Mapping[str, str]) -> str:
    """A URI with its longest prefix that is a key of ``remap`` replaced by the value.

    Prefixes end between two names. Slashes and backslashes are the same, and a prefix that is a path
    matches a ``file:`` URI, too.

    >>> remapped("file:///home/alice/ws/a.stl", {"/home/alice": "/data"})
    '/data/ws/a.stl'
    >>> remapped("/srv/alicent/a.stl", {"/srv/alice": "/data"})
    '/srv/alicent/a.stl'
    """
    for old in sorted(remap, key=len, reverse=True):
        plain = not SCHEME.match(old) or DRIVE.match(old)
        written = file_path(uri) if plain and _FILE_URI.match(uri) else uri
        rest = _behind(old, written)
        if rest is not None:
            new = remap[old]
            if not new:
                return rest.lstrip("/")
            return f"{new}{rest}" if new.endswith("/") or not rest else f"{new}/{rest.lstrip('/')}"
    return uri


def _behind(prefix: str, path: str) -> str | None:
    """What follows a prefix, with slashes; None if the path does not begin with it."""
    head, whole = prefix.replace("\\", "/"), path.replace("\\", "/")
    start = whole[: len(head)]
    same = start.casefold() == head.casefold() if DRIVE.match(prefix) else start == head
    rest = whole[len(head) :]
    if not head or not same or (rest and not head.endswith("/") and not rest.startswith("/")):
        return None
    return rest


def relative(path: str, base: str) -> str:
    """A path relative to the folder of the file ``base``, with slashes; "" if there is none."""
    try:
        return os.path.relpath(path, os.path.dirname(base) or os.curdir).replace(os.sep, "/")
    except ValueError:  # on another drive
        return ""
