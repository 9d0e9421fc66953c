"""Planned files onto the disk: all of a model's, so that it and what it names always belong together."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import unescape
from typing import Protocol, TypeVar
from urllib.parse import unquote

from unibody.conversion.assets import Assets
from unibody.files.access import FileError, Files
from unibody.files.atomic import Stage, exclusive_lock, remove, remove_folders
from unibody.files.uris import under
from unibody.formats import FORMATS
from unibody.model.equality import file_digest
from unibody.text.finding import Finding, Findings

_MOST_FOLDERS = 100
# "_" in a pattern, as YAML may write it, too.
_LINE = r"(?:_|\\x5[fF]|\\u005[fF])"
# What is beside a model and tells of it names its files too, and does not need them.
_NO_MODELS = (".txt", ".json", ".md", ".html", ".csv", ".png", ".part")
# Others that may name files beside a model of another name.
_MODELS = (*(suffix for entry in FORMATS for suffix in entry.suffixes), ".sdf", ".xml", ".scen", ".cnoid")


class SaveError(Exception):
    """A model that is not written; ``findings`` say why. Nothing has been changed on the disk."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = list(findings)
        super().__init__("\n".join(f.text() for f in self.findings[:5]))


class Plan(Protocol):
    """All files of a model while none of them is on the disk, the model's own at ``path``."""

    @property
    def path(self) -> str:
        """The model's own file."""

    @property
    def assets(self) -> Assets:
        """All files."""


@dataclass(frozen=True, slots=True)
class _Files:
    path: str
    assets: Assets


P = TypeVar("P", bound=Plan)


def folder_beside(path: str, number: int = 1) -> str:
    """The folder for files beside a model.

    >>> folder_beside("out/arm.urdf")
    'out/arm_files'
    """
    return f"{os.path.splitext(path)[0]}_files{f'_{number}' if number > 1 else ''}"


def commit(assets: Assets, main: str, overwrite: bool) -> None:
    """Write all planned files; SaveError, and nothing is changed, when that cannot be."""
    with _alone(main):
        _write(_Files(main, assets), _missing(assets, main, overwrite), overwrite)


def put(planned: P, again: Callable[[str], P], overwrite: bool) -> P:
    """Write the files of a plan, and say of which: the one given, or one made for another folder.

    Of files beside a model only those in a folder that the model of before names, and no other model
    there, are replaced by others; else the new ones go into a folder of their own (``again`` plans that).

    While files are replaced there would be a moment with the new ones and the old model. So all is first
    written with a new folder, then with the one wanted, which the model does not name at that moment;
    then what was put into the new folder goes. Nothing else is ever removed.
    """
    with _alone(planned.path):
        missing = _missing(planned.assets, planned.path, overwrite)
        if not overwrite or not _replaced(planned, missing):
            _write(planned, missing, overwrite)
            return planned
        own = _own(planned.path)
        between = _free(planned, again)
        new = _missing(between.assets, between.path, True)
        made = _write(between, new, True)
        if own is None:
            return between
        wanted = planned if own == 1 else again(folder_beside(planned.path, own))
        try:
            _write(wanted, _missing(wanted.assets, wanted.path, True), True)
        except SaveError:
            return between
        for path in new:
            if path != planned.path:
                remove(path)
        remove_folders(made)
    return wanted


def _free(planned: P, again: Callable[[str], P]) -> P:
    """A plan with a folder in which it replaces nothing."""
    for number in range(2, _MOST_FOLDERS):
        other = again(folder_beside(planned.path, number))
        if not _replaced(other, _missing(other.assets, other.path, True)):
            return other
    raise _unwritable(folder_beside(planned.path), "there are too many folders of this name")


def _replaced(planned: Plan, missing: list[str]) -> list[str]:
    """The files beside the model that would take the place of others."""
    return [p for p in missing if p != planned.path and os.path.lexists(p)]


def check(planned: Plan, overwrite: bool) -> None:
    """SaveError where files are that may not be replaced; nothing is written."""
    _missing(planned.assets, planned.path, overwrite)


@contextmanager
def _alone(main: str) -> Iterator[None]:
    try:
        with exclusive_lock(os.path.dirname(main)):
            yield
    except OSError as e:
        raise _unwritable(e.filename or main, e.strerror or str(e)) from None
    except FileError as e:
        raise SaveError([e.finding]) from None


def _missing(assets: Assets, main: str, overwrite: bool) -> list[str]:
    """The files to be written, the model last: those that are not there with the same content."""
    findings = Findings()
    others = sorted({*assets.contents, *assets.copies} - {main})
    for target in (*others, main):
        _check(target, main, assets, overwrite, findings)
    if findings:
        raise SaveError(findings)
    return [*(p for p in others if not _is_there(p, assets)), main]


def _check(target: str, main: str, assets: Assets, overwrite: bool, findings: Findings) -> None:
    folder = os.path.realpath(os.path.dirname(main))
    if not under(os.path.realpath(target), folder):
        what = f"{target} would lie outside of the output's folder"
        findings.error("output-unwritable", what)
    elif os.path.isdir(target):
        findings.error("output-exists", f"{target} is a directory")
    elif os.path.exists(target) and not os.path.isfile(target):
        findings.error("output-unwritable", f"{target} is no file but a device or a pipe")
    elif os.path.lexists(target) and not overwrite and (target == main or not _is_there(target, assets)):
        hint = "write to another name, or replace it (--overwrite)"
        findings.error("output-exists", f"{target} is there already", hint=hint)


def _is_there(target: str, assets: Assets) -> bool:
    """Whether a file of the same content is already at its place."""
    return os.path.isfile(target) and file_digest(target) == assets.digest(target)


def _write(planned: Plan, targets: list[str], overwrite: bool) -> list[str]:
    """Write files first beside their places, then move all there, the model last; the folders made."""
    main = planned.path
    over = {main, *_replaced(planned, targets)} if overwrite else set()
    try:
        with Stage(main) as stage:
            for target in targets:
                stage.add(target, planned.assets.bytes_of(target))
            for target in targets:
                stage.put(target, target in over)
    except FileExistsError as e:
        hint = "another process has written it meanwhile"
        raise SaveError(
            [Finding("output-exists", "error", f"{e.filename} is there already", None, hint)]
        ) from None
    except OSError as e:
        raise _unwritable(e.filename or main, e.strerror or str(e)) from None
    return stage.folders


def _own(main: str) -> int | None:
    """The number of the folder beside a model that this model names, and no other there."""
    home, name = os.path.split(main)
    stem = os.path.splitext(name)[0]
    first = re.escape(os.path.basename(folder_beside(main)))
    said = re.findall(rf"(?<![\w.-]){first}(?:_(\d{{1,2}}))?[/\\]", _words(main) or "")
    named = sorted({int(number or 1) for number in said})
    if not named:
        return None
    beside = [n for n in os.listdir(home) if n != name and not n.lower().endswith(_NO_MODELS)]
    alike = [n for n in beside if n.casefold().startswith(f"{stem}.".casefold())]
    others = [_words(os.path.join(home, n)) for n in alike]
    strangers = [
        _words(os.path.join(home, n)) or ""
        for n in beside
        if n not in alike and n.lower().endswith(_MODELS)
    ]
    for number in named:
        folder = folder_beside(main, number)
        # However its first part is written there ("${name}_files").
        rest = f"{_LINE}{number}" if number > 1 else ""
        mark = re.compile(rf"{_LINE}files{rest}(?!_?\w)")
        if not _is_plain(folder) or any(words is None or mark.search(words) for words in others):
            continue
        whole = re.compile(rf"(?<![\w.-]){first}{rest}(?!_?\w)")
        if not any(whole.search(words) for words in strangers):
            return number
    return None


def _words(path: str) -> str | None:
    """The text of a model, with characters that are written by their numbers; None when it has none."""
    try:
        data = Files().read(path) if os.path.isfile(path) else b""
    except FileError:
        return None
    if data.startswith(b"\x1f\x8b"):
        return None
    return unquote(unescape(data.replace(b"\0", b"").decode("utf-8", "replace")))


def _is_plain(folder: str) -> bool:
    """Whether no link leads from a folder, or to it."""
    if os.path.islink(folder):
        return False
    return not any(os.path.islink(os.path.join(at, n)) for at, names, _ in os.walk(folder) for n in names)


def _unwritable(path: str, why: str) -> SaveError:
    return SaveError([Finding("output-unwritable", "error", f"cannot write {path}: {why}")])
