"""Parses and normalizes URIs and paths without touching the file system."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace
from urllib.parse import unquote

from unibody.files.filesystem import Kind
from unibody.text.counted import listed
from unibody.text.dataclass import dataclass
from unibody.text.edit import ProposedFix
from unibody.text.finding import Finding, Findings
from unibody.text.source import Span

LONGEST_URI = 4096
SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")
PACKAGE = re.compile(r"(?:package|model):+/*", re.IGNORECASE)
DRIVE = re.compile(r"[A-Za-z]:[\\/]")
VARIABLE = re.compile(r"\$\{(\w+)\}")
# A package as xacro and launch files name it.
FIND = re.compile(r"(?:file:/*)?\$\(find\s+([^\s()/\\]+)\s*\)[/\\]*")
PLAIN = re.compile(r"(?!\.+$)[^/\\:]+")  # the name of a single directory, neither . nor ..
# UNC prefixes: on Windows even a lookup of such a path accesses the network.
SHARES = ("//", "\\\\")
# Files of a missing package that a message lists.
_SHOWN_FILES = 3
CONTROLS = re.compile(r"[\x00-\x1f]")


@dataclass(frozen=True)
class Candidate:
    """A path to try. ``root`` is the package that it must stay in; a trusted one may contain links."""

    path: str
    root: str = ""
    trusted: bool = False


@dataclass(frozen=True)
class Request:
    """A URI, the file ``base`` that names it, where to report findings about it, and what it must be.

    ``explains``: that a file is missing or may not be opened is reported, with what was probably meant.
    """

    uri: str
    base: str
    at: Span | None
    findings: Findings
    kind: Kind = "file"
    explains: bool = True

    def warn(
        self,
        code: str,
        why: str,
        hint: str = "",
        fix: ProposedFix | None = None,
        subject: str = "",
        suggestion: str = "",
    ) -> None:
        """Add a warning about the URI, or about another ``subject`` that holds the file."""
        message = f"{shown(self.uri)} {why}" if self.uri else why
        files = (self.uri,) if subject else ()
        subject = subject or self.uri
        self.findings.warning(
            code, message, self.at, hint, subject=subject, suggestion=suggestion, fix=fix, files=files
        )


def beside(path: str, base: str) -> str:
    """A path relative to the directory of the file ``base``."""
    return path if DRIVE.match(path) else os.path.normpath(os.path.join(os.path.dirname(base), path))


def package_parts(path: str) -> tuple[str, str]:
    """Package name, and the path within the package."""
    parts = re.split(r"[/\\]", PACKAGE.sub("", path, count=1), maxsplit=1)
    return parts[0], parts[1] if len(parts) > 1 else ""


def package_subject(name: str) -> str:
    """The subject of findings about a missing package."""
    return f"package://{name}"


def one_for_each_package(findings: Iterable[Finding]) -> list[Finding]:
    """The findings, of which those about files of one missing package are one that lists the files."""
    out: list[Finding] = []
    first: dict[str, int] = {}
    alike: dict[str, list[Finding]] = {}
    for finding in findings:
        name = package_parts(finding.subject)[0] if PACKAGE.match(finding.subject) else ""
        if finding.code != "file-missing" or not name or finding.subject != package_subject(name):
            out.append(finding)
            continue
        if name not in first:
            first[name] = len(out)
            out.append(finding)
        alike.setdefault(name, []).append(finding)
    for name, index in first.items():
        found = alike[name]
        if len(found) > 1:
            files = tuple(dict.fromkeys(uri for f in found for uri in f.files))
            names = listed(dict.fromkeys(package_parts(uri)[1] or uri for uri in files), _SHOWN_FILES)
            message = f"{out[index].message}; {len(found)} references to its files: {names}"
            fix = _joined([f.fix for f in found])
            out[index] = replace(out[index], message=message, fix=fix, files=files)
    return out


def _joined(fixes: list[ProposedFix | None]) -> ProposedFix | None:
    """The fixes of findings as one; None unless each has one."""
    known = [fix for fix in fixes if fix is not None]
    if len(known) < len(fixes):
        return None
    edits = tuple(dict.fromkeys(edit for fix in known for edit in fix.edits))
    title = known[0].title if len(edits) == 1 else f"{known[0].title}, and {len(edits) - 1} more alike"
    return ProposedFix(title, edits, safe=all(fix.safe for fix in known))


def file_path(uri: str) -> str:
    """The path of a file: URI; "file://relative/path", which some programs write, stays relative."""
    path = unquote(uri[len("file:") :])
    if path.startswith("//"):
        host, slash, rest = path[2:].partition("/")
        path = slash + rest if host in {"", "localhost"} else path[2:]
    return path[1:] if DRIVE.match(path[1:]) else path


def ancestors(directory: str) -> Iterator[str]:
    """A directory and its ancestors, innermost first."""
    while True:
        yield directory
        parent = os.path.dirname(directory)
        if parent == directory:
            return
        directory = parent


def folded(name: str) -> str:
    """A name folded for comparison: letter case and Unicode composition do not matter.

    >>> folded("Cafe" + chr(0x301)) == folded("caf" + chr(0xE9))
    True
    """
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())


def misspelled(uri: str, found: str) -> tuple[str, str, str]:
    """Code, message and hint for how a URI differs from the path that was found for it."""
    pairs = zip(reversed(uri.split("/")), reversed(found.split(os.sep)), strict=False)
    if "\\" in uri and os.sep == "/":
        code, why = "uri-backslash", "has backslashes"
    elif any(a.casefold() != b.casefold() and folded(a) == folded(b) for a, b in pairs):
        code, why = "file-composed", "differs in the Unicode composition of accented letters"
    else:
        code, why = "file-case", "differs in letter case"
    return code, why, f"write the name of the file exactly, ending in {shown(os.path.basename(found))}"


def other_readings(uri: str) -> Iterator[tuple[str, str, str]]:
    """Code, message and path of other readings of a path that does not exist, relative to the naming file.

    >>> list(other_readings("left%20arm.stl"))[0][2]
    'left arm.stl'
    """
    if "%" in uri and not SCHEME.match(uri):
        code, why = "uri-escaped", "has URL escapes; using the unescaped path"
        yield code, why, unquote(uri)


def seen_from(uri: str, old: str, new: str) -> str:
    """A URI that is relative to the folder ``old``, relative to the folder ``new``; others are the same.

    >>> seen_from("../meshes/a.stl", "/robots/arm", "/out"), seen_from("package://arm/a.stl", "/a", "/out")
    ('../robots/meshes/a.stl', 'package://arm/a.stl')
    """
    path = uri.strip().replace("\\", "/")
    is_relative = path and not (path.startswith("/") or SCHEME.match(path) or DRIVE.match(path))
    if old == new or not is_relative or VARIABLE.search(path):
        return uri
    return os.path.relpath(os.path.join(old, path), new or os.curdir).replace(os.sep, "/")


def place_of(uri: str, folder: str) -> str:
    """What a URI in a file of a folder refers to: a path from the root, or the URI if it is not relative.

    >>> place_of("../meshes/a.stl", "/robots/arm"), place_of("package://arm/a.stl", "/a")
    ('robots/meshes/a.stl', 'package://arm/a.stl')
    """
    return seen_from(uri, folder, os.sep)


def under(path: str, root: str) -> bool:
    """Whether a path is ``root`` or below it; both are normalized."""
    root = os.path.normcase(root).rstrip(os.sep) + os.sep
    return (os.path.normcase(path) + os.sep).startswith(root)


def hidden(path: str, root: str) -> bool:
    """Whether a path below ``root`` contains a hidden name; both are normalized.

    Hidden folders hold keys and settings, and a model may be put beside them.

    >>> hidden("/u/me/.ssh/id", "/u/me"), hidden("/u/me/.cache/arm/a.stl", "/u/me/.cache/arm")
    (True, False)
    """
    parts = re.split(r"[/\\]", path[len(root) :])
    return any(part.startswith(".") and part not in {".", ".."} for part in parts)


def shown(name: str) -> str:
    """A name quoted for a message: unprintable characters escaped, long names cut."""
    return repr(name if len(name) <= 200 else name[:200] + "…")
