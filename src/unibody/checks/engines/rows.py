"""The rows of this folder's YAML files as values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from unibody.text.dataclass import dataclass
from unibody.text.finding import Severity
from unibody.text.near import named


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What a program does with the part of a file that meets the condition ``when``.

    ``of`` are the words that the condition is about, ``unless`` settings of the file ("name=value"), any
    of which prevents it. ``does`` follows the title of the program, with the fields of what was found;
    ``severity`` is "error" where the program rejects the file. ``versions`` are those that were seen,
    ``source`` tells where.
    """

    name: str
    when: str
    of: tuple[str, ...] = ()
    formats: tuple[str, ...] = ("urdf",)
    unless: tuple[str, ...] = ()
    severity: Severity = "warning"
    does: str
    remedy: str
    versions: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """A program that loads models: its name in options, the formats that it reads, and its rows."""

    name: str
    title: str
    reads: tuple[str, ...]
    rows: tuple[Row, ...]


@cache
def engines() -> Mapping[str, Engine]:
    """All programs by name, in the alphabet.

    >>> engines()["sapien"].title
    'SAPIEN'
    """
    # Imported here: only those who ask for programs need it.
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    paths = sorted(Path(__file__).parent.glob("*.yaml"))
    return {path.stem: _engine(path.stem, yaml.load(path.read_text("utf-8"), loader)) for path in paths}


def _engine(name: str, data: dict[str, Any]) -> Engine:
    rows = tuple(_row(key, row) for key, row in data["rows"].items())
    return Engine(name=name, title=data["title"], reads=tuple(data["reads"]), rows=rows)


def _row(name: str, data: dict[str, Any]) -> Row:
    lists: dict[str, Any] = {key: tuple(data[key]) for key in ("of", "formats", "unless") if key in data}
    texts: dict[str, Any] = {key: " ".join(data[key].split()) for key in ("does", "remedy", "source")}
    return Row(name=name, **{**data, **lists, **texts})


def engines_named(names: str | Iterable[str]) -> tuple[Engine, ...]:
    """The programs of these names, separated by commas in a text; ValueError for an unknown name.

    >>> [engine.title for engine in engines_named("rviz,mujoco")]
    ['RViz', 'MuJoCo']
    """
    return named(names, engines(), "engine")
