"""What every finding code means: the entries of this folder's YAML files and of the formats' as values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from unibody import formats
from unibody.formats import FORMATS, by_name

#: The areas of findings in the order in which they are listed, with their titles.
AREAS = {
    "files": "Files and references",
    "limits": "Limits of reading",
    "text": "Encodings and syntax",
    "document": "Keys, elements and values",
    **{format.name: format.rules for format in FORMATS if format.rules},
    "vrml": "VRML97 and Inventor text",
    "vrml97": "VRML97: nodes, prototypes, other files",
    "model": "Links, joints, masses, limits",
    "mesh": "Shapes and meshes",
    "convert": "Conversion",
    "motion": "Motion and masses",
    "control": "Controls of simulations and motions",
    "simulation": "Simulations",
    "command": "The command, and the neutral model's JSON",
}

_KEYS = {
    "severity",
    "computed",
    "title",
    "why",
    "remedy",
    "fix",
    "format",
    "command",
    "fails",
    "passes",
    "files",
    "limits",
}
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
    """One finding code. ``severities`` are all that it comes with, the worst first.

    ``fixes`` are the kinds of its fixes: "safe", "suggested", both, or none. ``computed``: a note that
    changes what is computed, which verbs that compute show.
    """

    code: str
    area: str
    severities: tuple[str, ...]
    title: str
    why: str
    remedy: str
    fixes: tuple[str, ...] = ()
    computed: bool = False
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
        path = Path(__file__).parent / f"{area}.yaml"
        if by_name(area) is not None:
            path = Path(formats.__path__[0]) / area / "rules.yaml"
        text = path.read_text("utf-8")
        entries: dict[str, dict[str, Any]] = yaml.load(text, loader)
        for code in sorted(entries):
            if code in out or set(entries[code]) - _KEYS:
                raise ValueError(f"{path}: {code}: twice, or with keys that no entry has")
            out[code] = _rule(code, area, entries[code])
    return out


@cache
def fixable_codes() -> frozenset[str]:
    """The codes of findings that ``unibody check --fix`` can fix, in some files at least."""
    return frozenset(code for code, rule in rules().items() if rule.fixes)


# The suffixes of examples that are of no format.
_SUFFIXES = {"xacro": ".urdf.xacro", "pln": ".pln", "json": ".json"}


def _suffix(kind: str) -> str:
    """The suffix of an example of a format, or of another kind of file."""
    format = by_name(kind)
    return _SUFFIXES[kind] if format is None else format.suffixes[0]


def _rule(code: str, area: str, entry: dict[str, Any]) -> Rule:
    return Rule(
        code=code,
        area=area,
        severities=tuple(entry["severity"].split(", ")),
        title=entry["title"],
        why=" ".join(entry["why"].split()),
        remedy=" ".join(entry["remedy"].split()),
        fixes=tuple(entry["fix"].split(", ")) if "fix" in entry else (),
        computed=entry.get("computed", False),
        fails=_example(entry, entry["fails"]),
        passes=_example(entry, entry["passes"]),
    )


def _example(entry: dict[str, Any], given: str | dict[str, Any]) -> Example:
    """An example is its text alone, or a mapping when there is more to say of it."""
    more: dict[str, Any] = {"text": given} if isinstance(given, str) else given
    if set(more) - _MORE:
        raise ValueError(f"an example has {sorted(set(more) - _MORE)}")
    name = more.get("name", f"model{_suffix(entry['format'])}")
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
