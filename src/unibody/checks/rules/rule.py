"""The entries of this folder's YAML files as values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

#: The areas in the order they are shown: each has a file of entries.
AREAS = {
    "files": "Files and references",
    "limits": "Limits of reading",
    "text": "Encodings and syntax",
    "document": "Keys, elements and values",
    "urdf": "URDF and xacro",
    "body": "Choreonoid Body",
    "vrml": "VRML97 and Inventor text",
    "vrml97": "VRML97: nodes, prototypes, other files",
    "openhrp": "OpenHRP model files",
    "mpk": "MPK robots and plans",
    "inventor": "Open Inventor and VRML 1.0",
    "model": "Links, joints, masses, limits",
    "mesh": "Shapes and meshes",
    "convert": "Conversion",
    "motion": "Motion and masses",
    "command": "The command, and the neutral model's JSON",
}

_KEYS = {"severity", "title", "why", "remedy", "format", "command", "fails", "passes", "files", "limits"}
_MORE = {"name", "text", "files", "binary", "command", "encoding", "read", "limits"}


_REPEAT = re.compile("⟨([0-9]+) × (.*?)⟩", re.DOTALL)


def _whole(text: str) -> str:
    """A text with what is repeated written out."""
    return _REPEAT.sub(lambda found: found[2] * int(found[1]), text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A small model that can be read: the file ``name`` and those beside it, each as its text.

    ``format`` names the format, or is "json" for the neutral model; ``command`` is what gives
    the finding when it is not ``unibody check``; ``encoding`` is how the text is written to disk,
    ``read`` the path that is read, ``limits`` those that are not the usual ones. A part ⟨12 × some text⟩
    stands for that text twelve times. ``binary`` are further files, in hexadecimal digits.
    """

    name: str
    format: str
    text: str
    files: Mapping[str, str] = field(default_factory=dict)
    command: str = ""
    encoding: str = "utf-8"
    read: str = ""
    limits: str = ""
    binary: Mapping[str, str] = field(default_factory=dict)

    def contents(self) -> dict[str, bytes]:
        """The bytes of all its files, by name."""
        texts = {name: _whole(text).encode() for name, text in self.files.items()}
        bytes_ = {name: bytes.fromhex(_whole(digits)) for name, digits in self.binary.items()}
        return {self.name: _whole(self.text).encode(self.encoding), **texts, **bytes_}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One finding code. ``severities`` are all that it comes with, the worst first."""

    code: str
    area: str
    severities: tuple[str, ...]
    title: str
    why: str
    remedy: str
    fails: Example
    passes: Example


@cache
def rules() -> Mapping[str, Rule]:
    """All entries by code, area by area, in the alphabet within one.

    >>> rules()["limits-reversed"].severities
    ('warning',)
    """
    # Imported here: `unibody explain` alone needs it.
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    out: dict[str, Rule] = {}
    for area in AREAS:
        text = (Path(__file__).parent / f"{area}.yaml").read_text("utf-8")
        entries: dict[str, dict[str, Any]] = yaml.load(text, loader)
        for code in sorted(entries):
            if code in out or set(entries[code]) - _KEYS:
                raise ValueError(f"{area}.yaml: {code}: twice, or with keys that no entry has")
            out[code] = _rule(code, area, entries[code])
    return out


_SUFFIX = {
    "urdf": "urdf",
    "xacro": "urdf.xacro",
    "body": "body",
    "openhrp": "wrl",
    "mpk": "rob",
    "inventor": "iv",
    "mpk-scene": "iv",
    "pln": "pln",
    "json": "json",
}


def _rule(code: str, area: str, entry: dict[str, Any]) -> Rule:
    return Rule(
        code=code,
        area=area,
        severities=tuple(entry["severity"].split(", ")),
        title=entry["title"],
        why=" ".join(entry["why"].split()),
        remedy=" ".join(entry["remedy"].split()),
        fails=_example(entry, entry["fails"]),
        passes=_example(entry, entry["passes"]),
    )


def _example(entry: dict[str, Any], given: str | dict[str, Any]) -> Example:
    """An example is its text alone, or a mapping when there is more to say of it."""
    more: dict[str, Any] = {"text": given} if isinstance(given, str) else given
    if set(more) - _MORE:
        raise ValueError(f"an example has {sorted(set(more) - _MORE)}")
    name = more.get("name", f"model.{_SUFFIX[entry['format']]}")
    return Example(
        name=name,
        format=entry["format"],
        text=more["text"],
        files={**entry.get("files", {}), **more.get("files", {})},
        command=more.get("command", entry.get("command", "")),
        encoding=more.get("encoding", "utf-8"),
        read=more.get("read", name),
        limits=more.get("limits", entry.get("limits", "")),
        binary=more.get("binary", {}),
    )
