"""How a model is read: the keywords of ``read`` and of all functions that take a path."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, TypedDict

from unibody.files.access import Files
from unibody.formats.format import Format, ReadOption
from unibody.formats.options import declared_options, unexpected, unsupported
from unibody.model.base import BASES, Base
from unibody.model.mesh_reading import MeshReading
from unibody.text.dataclass import dataclass
from unibody.text.finding import Finding, Severity

if TYPE_CHECKING:
    from unibody.model.mesh_reading import Scale, UpAxes
    from unibody.text.limits import ReadLimits


class ReadKeywords(TypedDict, total=False):
    """The keywords of :func:`unibody.read`; a format outside unibody may declare more."""

    files: Files | None
    packages: Mapping[str, str] | None
    allow: Sequence[str]
    remap: Mapping[str, str] | None
    limits: ReadLimits | None
    base: Base | None
    scale: Scale | None
    up_axis: UpAxes | None
    srdf: str | os.PathLike[str] | None
    arguments: Mapping[str, str | float] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """How a model is read, whatever its format.

    ``base`` is "fixed" or "free", whatever the file says, ``meshes`` how mesh files are read; ``options``
    are those that formats declare, by name. Where the options are for several models (``shared``), one that
    the format of a model does not have is a warning, else an error.
    """

    files: Files = field(default_factory=Files)
    base: Base | None = None
    meshes: MeshReading = field(default_factory=MeshReading.of)
    options: Mapping[str, Any] = field(default_factory=dict)
    shared: bool = False

    @classmethod
    def of(
        cls, keywords: ReadKeywords, format: str | Format | None = None, shared: bool = False
    ) -> ReadOptions:
        """The options of keywords; None is the default of each.

        TypeError for a keyword that neither all formats nor one of them have (``format`` included),
        ValueError for a wrong value.

        >>> ReadOptions.of({"base": "free", "srdf": ""}).options
        {'srdf': ''}
        """
        given = {name: value for name, value in keywords.items() if value is not None}
        declared = declared_options(format)
        for name in given:
            if name not in declared and name not in ReadKeywords.__annotations__:
                raise unexpected(name, {*ReadKeywords.__annotations__, *declared})
        base = keywords.get("base")
        if base is not None and base not in BASES:
            raise ValueError(f"base must be 'fixed', 'free' or None, not {base!r}")
        files = keywords.get("files") or Files()
        return cls(
            files=files.extended(
                packages=keywords.get("packages"),
                allow=keywords.get("allow") or (),
                remap=keywords.get("remap"),
                limits=keywords.get("limits"),
            ),
            base=base,
            meshes=MeshReading.of(keywords.get("scale"), keywords.get("up_axis")),
            options={
                name: _value(declared[name], value) for name, value in given.items() if name in declared
            },
            shared=shared,
        )


def refuse_reading(
    model: object, format: str | Format | None, reading: Mapping[str, Any], word: str = "format"
) -> None:
    """TypeError for keywords of reading beside a model that is read already; None is the default of each.

    ``word`` is the keyword of the caller for ``format``.
    """
    given = {word: format, **reading}
    known = {word, *ReadKeywords.__annotations__, *declared_options()}
    for name in (name for name, value in given.items() if value is not None or name not in known):
        if name not in known:
            raise unexpected(name, known)
        kind = type(model).__name__
        raise TypeError(f"{name} is a keyword for reading a model file, but the model is a {kind}")


def _value(option: ReadOption, value: Any) -> Any:
    """The value of an option; ValueError if it is not one of its choices."""
    match option.form:
        case "path":
            return os.fspath(value)
        case "mapping":
            return dict(value)
    if option.choices and value not in option.choices:
        raise ValueError(f"{option.name} must be {' or '.join(map(repr, option.choices))}, not {value!r}")
    return value


def unsupported_options(format: Format, options: ReadOptions) -> dict[str, Finding]:
    """The findings about options that a format does not have, by option; "" asks for nothing.

    Names in a mapping that is for several models are reported one by one instead.
    """
    own = {option.name for option in format.read_options}
    severity: Severity = "warning" if options.shared else "error"
    return {
        name: unsupported(name, format, severity)
        for name, value in options.options.items()
        if name not in own and value and not (options.shared and isinstance(value, Mapping))
    }
