"""Writes a model file and its assets atomically."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256

from unibody.conversion.assets import Assets, asset_folder
from unibody.files.access import FileError, Files
from unibody.files.atomic import Stage, exclusive_lock, is_writable, remove, remove_folders
from unibody.files.filesystem import OverlayFileSystem
from unibody.files.uris import under
from unibody.formats import FORMATS
from unibody.model.equality import file_digest
from unibody.text.finding import Finding, Findings
from unibody.text.hint import Hint, Setting
from unibody.text.limits import ReadLimits


class SaveError(Exception):
    """A model that cannot be written, with the ``findings``; the disk is unchanged."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = list(findings)
        super().__init__("\n".join(f.text() for f in self.findings[:5]))


@dataclass(frozen=True, slots=True)
class Output:
    """A model file and its assets in memory; ``path`` is absolute.

    ``beside`` are further files in the folder of the model by absolute path: its SRDF, or its scene.
    """

    path: str
    data: bytes
    assets: Assets
    beside: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """All files relative to the model's folder, the model first."""
        folder = os.path.dirname(self.path)
        return tuple(os.path.relpath(p, folder) for p in (self.path, *self.beside, *self.assets.paths))

    def files(self, allow: Sequence[str] = ()) -> Files:
        """The file system with this output on it, as the readers of the output have it.

        ``allow`` are the folders of files that stay where they are.
        """
        contents = {**self.assets.contents, **self.beside, self.path: self.data}
        # No limits: the text was just written, and copied files have been read. The source's reading said
        # what its missing files may be.
        disk = OverlayFileSystem(contents, self.assets.copies)
        return Files(disk=disk, allow=allow, limits=ReadLimits.unlimited(), suggests=False)

    def check(self, overwrite: bool) -> None:
        """SaveError if the output cannot be written, or a model exists that may not be replaced."""
        findings = Findings()
        folder = os.path.realpath(os.path.dirname(self.path))
        for target in (*self.assets.paths, *self.beside, self.path):
            if not under(os.path.realpath(target), folder):
                what = f"{target} is outside the output directory"
                findings.error("output-unwritable", what)
            elif os.path.isdir(target):
                findings.error("output-exists", f"{target} is a directory")
            elif os.path.exists(target) and not os.path.isfile(target):
                findings.error("output-unwritable", f"{target} is not a regular file")
            elif target in self.beside and self._is_there(target):
                continue
            elif target not in self.assets.paths and os.path.lexists(target) and not overwrite:
                others = (f for f in FORMATS if f.completes and target.endswith(f.suffixes))
                other = next(others, None) if target in self.beside else None
                without = (" leave it out by ", Setting(other.name, value=""), ",") if other else ()
                hint = Hint("write to another name,", *without, " or use ", Setting("overwrite"))
                findings.error("output-exists", f"{target} already exists", hint=hint)
            elif target not in self.assets.paths and not is_writable(target):
                remedy = "make it writable (chmod u+w), or write to another name"
                findings.error("output-unwritable", f"{target} is read-only", hint=remedy)
        if findings:
            raise SaveError(findings)

    def save(self, overwrite: bool, obsolete: Collection[str] = ()) -> None:
        """Add the assets, replace the model file, and remove the ``obsolete`` assets, in this order.

        So the model on the disk finds its files at every instant. SaveError if this fails; the disk
        is then unchanged.
        """
        new = [p for p in self.assets.paths if not _has_content(p, self.assets)]
        beside = [p for p in self.beside if not self._is_there(p)]
        try:
            with Stage(self.path) as stage:
                for path in new:
                    stage.add(path, self.assets.bytes_of(path))
                for path in beside:
                    stage.add(path, self.beside[path])
                stage.add(self.path, self.data)
                for path in new:
                    stage.put(path, overwrite=False)
                for path in beside:
                    stage.put(path, overwrite)
                stage.put(self.path, overwrite)
        except FileExistsError as e:
            hint = "try again"
            what = f"{e.filename} was written by another process"
            raise SaveError([Finding("output-exists", "error", what, hint=hint)]) from None
        except OSError as e:
            raise _unwritable(e, self.path) from None
        except FileError as e:
            raise SaveError([e.finding]) from None
        for path in obsolete:
            remove(path)
        if obsolete:
            folders = [at for at, _, _ in os.walk(self.assets.folder)]
            remove_folders(folders)

    def _is_there(self, path: str) -> bool:
        """Whether a file beside the model has its content already."""
        return os.path.isfile(path) and file_digest(path) == sha256(self.beside[path]).hexdigest()


def _has_content(path: str, assets: Assets) -> bool:
    return os.path.isfile(path) and file_digest(path) == assets.digest(path)


def present_assets(path: str) -> list[str]:
    """The files in the asset folder of the model file ``path``, symbolic links excluded."""
    folder = asset_folder(path)
    if os.path.islink(folder):
        return []
    found = (os.path.join(at, name) for at, _, names in os.walk(folder) for name in names)
    return [p for p in found if os.path.isfile(p) and not os.path.islink(p)]


@contextmanager
def exclusive_output(path: str) -> Iterator[None]:
    """Makes other processes that write the model file ``path`` wait; SaveError if it cannot be written."""
    try:
        with exclusive_lock(asset_folder(path)):
            yield
    except OSError as e:
        raise _unwritable(e, path) from None


def _unwritable(error: OSError, path: str) -> SaveError:
    what = f"cannot write {error.filename or path}: {error.strerror or error}"
    return SaveError([Finding("output-unwritable", "error", what)])
