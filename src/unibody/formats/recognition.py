"""Tells which files are models, among all files of a folder."""

from __future__ import annotations

from unibody.files.access import FileError, Files
from unibody.formats import FORMATS, detect
from unibody.text.decode import decode
from unibody.text.finding import Findings, TextError
from unibody.text.gzip import unpacked
from unibody.text.inventor.binary import is_binary

# .xml files are of many formats.
_SUFFIXES = (".xml", *dict.fromkeys(suffix for format in FORMATS for suffix in format.suffixes))


def is_model(path: str, files: Files | None = None) -> bool:
    """Whether a file is a model by itself, of a format that its suffix and its text tell.

    A mesh, a file of macros, a file that others include, a file of another program, or one that is no
    text is none. A file with the suffix of a model that cannot be read is one, so that reading it says why.
    """
    if not path.lower().endswith(_SUFFIXES):
        return False
    files = files or Files()
    files.meter.begin()
    try:
        data = unpacked(files.read(path), path, int(files.limits.file_bytes))
        text = "" if is_binary(data) else decode(data, path, Findings()).text
    except (FileError, TextError):
        text = ""
    if not text:
        format = detect(path, "")
        return format is not None and not format.is_part(path, "")
    format = detect(path, text[:4096], text)
    return format is not None and not format.is_part(path, text)
