"""Uris and paths as text: what they say before anything is looked for."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from unibody.text.finding import Findings
from unibody.text.source import Span

LONGEST_URI = 4096
SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")
PACKAGE = re.compile(r"(?:package|model):+/*", re.IGNORECASE)
DRIVE = re.compile(r"[A-Za-z]:[\\/]")
VARIABLE = re.compile(r"\$\{(\w+)\}")
PLAIN = re.compile(r"(?!\.+$)[^/\\:]+")  # a name of one directory, neither . nor ..
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


def under(path: str, root: str) -> bool:
    """Is a path a directory or in it? Both normalized."""
    root = os.path.normcase(root).rstrip(os.sep) + os.sep
    return (os.path.normcase(path) + os.sep).startswith(root)


def shown(name: str) -> str:
    """A name for a message: quoted, odd characters escaped, cut when long."""
    return repr(name if len(name) <= 200 else name[:200] + "…")
