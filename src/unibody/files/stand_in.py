"""Recognizes files that stand in for others: pointers of Git LFS, and web pages saved by a download."""

from __future__ import annotations

import re

from unibody.text.finding import Finding
from unibody.text.source import Span

_HEAD = 512
_POINTER = b"version https://git-lfs.github.com/spec/"
_PAGE = re.compile(rb"(?i)\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b")
_MARK = b"\xef\xbb\xbf"


def stand_in(data: bytes | memoryview, path: str, name: str, at: Span | None) -> Finding | None:
    """The error for a file that holds something in place of its content; None for all others.

    ``name`` is the path as it is shown.

    >>> print(stand_in(b"<!DOCTYPE html><title>404</title>", "a.stl", "'a.stl'", None))
    error: cannot read 'a.stl': it is a web page, not the file itself [file-web-page]
    """
    head = bytes(data[:_HEAD]).removeprefix(_MARK)
    if head.startswith(_POINTER):
        what = f"cannot read {name}: it is a Git LFS pointer, not the file itself"
        hint = "run git lfs pull in a clone of its repository; a ZIP download holds pointers only"
        return Finding("file-lfs-pointer", "error", what, at, hint, subject=path)
    if _PAGE.match(head):
        what = f"cannot read {name}: it is a web page, not the file itself"
        hint = "the download has saved the page about the file: download the file itself (raw)"
        return Finding("file-web-page", "error", what, at, hint, subject=path)
    return None
