"""Uris and paths as text: what they say before anything is looked for."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from unibody.text.finding import Findings
from unibody.text.source import Span

LONGEST_URI = 4096
SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")
PACKAGE = re.compile(r"(?:package|model):+/*", re.IGNORECASE)
DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_DRIVE_URI = re.compile(r"(?:file:/*)?[A-Za-z]:[\\/]", re.IGNORECASE)
VARIABLE = re.compile(r"\$\{(\w+)\}")
PLAIN = re.compile(r"(?!\.+$)[^/\\:]+")  # a name of one directory, neither . nor ..
# Windows takes both for a folder of another machine (UNC): looking alone asks the network.
SHARES = ("//", "\\\\")
CONTROLS = re.compile(r"[\x00-\x1f]")


@dataclass(frozen=True)
class Place:
    """A path to try. ``root`` is a package that it may not leave; links out of a trusted one are fine."""

    path: str
    root: str = ""
    trusted: bool = False


@dataclass(frozen=True)
class Request:
    """A uri, the file that names it, and where to say what became of it."""

    uri: str
    base: str
    at: Span | None
    findings: Findings

    def warn(self, code: str, why: str, hint: str = "") -> None:
        """A warning about the uri."""
        self.findings.warning(code, f"{shown(self.uri)} {why}" if self.uri else why, self.at, hint)


def beside(path: str, base: str) -> str:
    """A path relative to the directory of the file ``base``."""
    return path if DRIVE.match(path) else os.path.normpath(os.path.join(os.path.dirname(base), path))


def package_parts(path: str) -> tuple[str, str]:
    """Package name and the path inside of it."""
    parts = re.split(r"[/\\]", PACKAGE.sub("", path, count=1), maxsplit=1)
    return parts[0], parts[1] if len(parts) > 1 else ""


def file_path(uri: str) -> str:
    """The path of a file: uri; "file://relative/path", which some programs write, stays relative."""
    path = unquote(uri[len("file:") :])
    if path.startswith("//"):
        host, slash, rest = path[2:].partition("/")
        path = slash + rest if host in {"", "localhost"} else path[2:]
    return path[1:] if DRIVE.match(path[1:]) else path


def ancestors(directory: str) -> Iterator[str]:
    """A directory and all above it."""
    while True:
        yield directory
        parent = os.path.dirname(directory)
        if parent == directory:
            return
        directory = parent


def letters(name: str) -> str:
    """A name as it is compared: capitals, and letters put together of a letter and a mark, forgiven.

    >>> letters("Cafe" + chr(0x301)) == letters("caf" + chr(0xE9))
    True
    """
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())


def misspelled(uri: str, found: str) -> tuple[str, str, str]:
    """Code, words and hint for how a uri differs from the path that was found for it."""
    pairs = zip(reversed(uri.split("/")), reversed(found.split(os.sep)), strict=False)
    if "\\" in uri and os.sep == "/":
        code, why = "uri-backslash", "has backslashes"
    elif any(a.casefold() != b.casefold() and letters(a) == letters(b) for a, b in pairs):
        code, why = "file-composed", "has letters with marks put together in another way"
    else:
        code, why = "file-case", "differs in letter case"
    return code, why, f"write it as the file is, ending in {shown(os.path.basename(found))}"


def other_readings(uri: str) -> Iterator[tuple[str, str, str]]:
    """Code, words and path of what a path that leads nowhere may mean, seen from the file that names it.

    >>> list(other_readings("C:\\\\models\\\\arm.stl"))[0][2]
    'arm.stl'
    """
    if _DRIVE_URI.match(uri):
        name = unquote(re.split(r"[/\\]", uri)[-1])
        code, why = "uri-drive", f"is a path on a Windows disk: {shown(name)} beside this file is taken"
        yield code, why, name
    elif "%" in uri and not SCHEME.match(uri):
        code, why = "uri-escaped", "is escaped as in a web address"
        yield code, why, unquote(uri)


def under(path: str, root: str) -> bool:
    """Is a path a directory or in it? Both normalized."""
    root = os.path.normcase(root).rstrip(os.sep) + os.sep
    return (os.path.normcase(path) + os.sep).startswith(root)


def hidden(path: str, root: str) -> bool:
    """Does a path lead through a hidden name below a directory that it is in? Both normalized.

    Keys and settings lie in such folders, next to which a model may be put.

    >>> hidden("/u/me/.ssh/id", "/u/me"), hidden("/u/me/.cache/arm/a.stl", "/u/me/.cache/arm")
    (True, False)
    """
    parts = re.split(r"[/\\]", path[len(root) :])
    return any(part.startswith(".") and part not in {".", ".."} for part in parts)


def shown(name: str) -> str:
    """A name for a message: quoted, odd characters escaped, cut when long."""
    return repr(name if len(name) <= 200 else name[:200] + "…")
