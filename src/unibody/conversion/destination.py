"""Where a model is written, and in which format."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from unibody.conversion.assets import asset_folder
from unibody.conversion.output import SaveError
from unibody.files.access import Files
from unibody.files.uris import PLAIN, seen_from, shown
from unibody.formats import FORMATS, by_name
from unibody.formats.format import Format, Writer
from unibody.formats.options import unexpected, unsupported
from unibody.model.robot import Robot
from unibody.text.finding import Finding, Findings


@dataclass(frozen=True, slots=True, kw_only=True)
class Destination:
    """The absolute path of a model file, its format, and how it refers to mesh and texture files.

    With ``keep``, files stay where they are instead of being copied; with ``package``, the URIs of assets
    begin with package://NAME/ instead of being relative. With ``in_memory``, nothing is written: all files
    are assets, each with a name of its own. ``held`` are the URIs and paths of a source in the same folder
    and of the same format, which hold here, too. ``options`` are those of the format that are given.
    ``over`` is the robot that a file is about whose format completes another one; ``beside`` are the files
    that complete this one.
    """

    path: str
    format: Format
    writer: Writer
    files: Files
    keep: bool = False
    package: str = ""
    in_memory: bool = False
    held: frozenset[tuple[str, str]] = frozenset()
    options: Mapping[str, str] = field(default_factory=dict)
    over: Robot | None = None
    beside: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def folder(self) -> str:
        """The asset folder."""
        return asset_folder(self.path)

    def uri(self, path: str) -> str:
        """The URI of a file in the model."""
        relative = os.path.relpath(path, os.path.dirname(self.path)).replace(os.sep, "/")
        return f"package://{self.package}/{relative}" if self.package else relative

    def resolves(self, uri: str, path: str) -> bool:
        """Whether a URI in the written model refers to the file at ``path``, as other programs read it.

        One that is read with a warning (backslashes, another letter case, a Windows disk) does not.
        """
        if self.in_memory:
            return False
        if (uri, path) in self.held:
            return True
        noted = Findings()
        found = self._found(uri, noted)
        return found is not None and not noted and os.path.realpath(found) == os.path.realpath(path)

    def seen_from(self, uri: str, folder: str) -> str:
        """The URI that refers here to what a relative one refers to from another folder."""
        here = os.path.dirname(self.path)
        return uri if self.in_memory or not folder else seen_from(uri, folder, here)

    def exists(self, uri: str) -> bool:
        """Whether a URI in the written model refers to a file on the disk."""
        found = self._found(uri, Findings())
        return found is not None and os.path.isfile(found)

    def _found(self, uri: str, noted: Findings) -> str | None:
        """The file that a URI in the written model refers to; None if the format's loaders find none."""
        scheme = uri.strip().partition("://")[0].lower() if "://" in uri else ""
        if scheme and scheme not in self.writer.schemes:
            return None
        if scheme == "package" and self.writer.complete and not self._is_beside(uri):
            return None
        return self.files.find(uri, self.path, noted)

    def _is_beside(self, uri: str) -> bool:
        """Whether a package:// URI names a file in a package beside the model's own package.

        Choreonoid finds it there without ROS_PACKAGE_PATH (facts C.4).
        """
        folder = os.path.dirname(self.path)
        while not os.path.isfile(os.path.join(folder, "package.xml")):
            if folder == os.path.dirname(folder):
                return False
            folder = os.path.dirname(folder)
        return os.path.isfile(os.path.join(os.path.dirname(folder), uri.strip().partition("://")[2]))


def choose_destination(
    path: str,
    format: str | Format | None,
    *,
    keep: bool,
    package: str,
    allow: Collection[str],
    options: Mapping[str, str | None],
) -> Destination:
    """The destination at ``path``; SaveError if its format is unknown or unsuitable.

    ``format`` is a name or a Format, by default that of the suffix; ``allow`` lists the folders of files
    that are kept in place; ``options`` are those of the format (:func:`checked_options`).
    """
    chosen = target_format(path, format)
    given = checked_options(chosen, options)
    assert chosen.writer is not None
    writer = chosen.writer()
    if given and writer.configured is not None:
        writer = writer.configured(given)
    if package and "package" not in writer.schemes:
        what = f"cannot write {path}: package:// URIs are unsupported in {chosen.title} files"
        raise SaveError(
            [Finding("not-writable", "error", what, hint="refer to mesh files by relative paths")]
        )
    if package and not PLAIN.fullmatch(package):
        what = f"cannot write {path}: invalid package name {shown(package)}"
        raise SaveError([Finding("not-writable", "error", what)])
    return Destination(
        path=os.path.abspath(path),
        format=chosen,
        writer=writer,
        files=Files(allow=tuple(allow)),
        keep=keep,
        package=package,
        options=given,
    )


def checked_options(
    format: Format, options: Mapping[str, str | None], keywords: Iterable[str] = ()
) -> dict[str, str]:
    """The options of writing that are given, of those that a format declares; "" and None are the default.

    TypeError for one that no format has (nor the function, whose ``keywords`` may be meant), SaveError for
    one that only others have, and for a value that is not one of its choices.
    """
    choices = {option.name: option.choices for option in format.options}
    known = {option.name for f in (*FORMATS, format) for option in f.options}
    found: dict[str, str] = {}
    findings: list[Finding] = []
    for name, value in options.items():
        if name not in known:
            raise unexpected(name, {*known, *keywords})
        if value is None or (not value and value not in choices.get(name, ())):
            continue
        if name not in choices:
            findings.append(unsupported(name, format))
        elif value not in choices[name]:
            listed = ", ".join(choice or "''" for choice in choices[name])
            message = f"{name} must be one of {listed}, got {value!r}"
            findings.append(Finding("option-unsupported", "error", message))
        else:
            found[name] = value
    if findings:
        raise SaveError(findings)
    return found


def target_format(path: str, wanted: str | Format | None) -> Format:
    """The format of a file to be written; SaveError if it is unknown, or is not written."""
    if isinstance(wanted, Format):
        found = wanted
    else:
        # the longest suffix counts: .sdf.xacro is SDF, .xacro is URDF
        fitting = [(len(s), f) for f in FORMATS for s in f.suffixes if path.lower().endswith(s)]
        by_suffix = max(fitting, key=lambda found: found[0], default=(0, None))[1]
        known = by_name(wanted) if wanted else by_suffix
        if known is None:
            what = f"unknown format '{wanted}'" if wanted else f"{path}: unknown format"
            raise SaveError([Finding("format-unknown", "error", what, hint=_writable_formats())])
        found = known
    if found.writer is None:
        what = f"writing {found.title} files is unsupported"
        raise SaveError([Finding("format-not-written", "error", what, hint=_writable_formats())])
    return found


def _writable_formats() -> str:
    known = [f"{f.name} ({f.suffixes[0]})" for f in FORMATS if f.writer is not None]
    return f"writable formats: {', '.join(known)}"
