"""The forms in which findings are printed for other programs."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from unibody.batch.record import FileRecord
from unibody.text.finding import failing

if TYPE_CHECKING:
    from unibody.exchange import CheckedFile

# The folder of the repository in the jobs of GitHub and GitLab.
_ROOTS = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")


@dataclass(frozen=True, slots=True)
class Checked:
    """A checked file and its findings as plain data."""

    path: str
    findings: Sequence[Mapping[str, Any]]
    failure: str = ""
    seconds: float = 0.0


def _sarif(checked: Iterable[CheckedFile], options: argparse.Namespace) -> Iterator[str]:
    from unibody import __version__
    from unibody.exchange import sarif

    return sarif(_shown(checked, options), root(), __version__)


def _github(checked: Iterable[CheckedFile], options: argparse.Namespace) -> Iterator[str]:
    from unibody.exchange import github

    return github(_shown(checked, options), root())


def _gitlab(checked: Iterable[CheckedFile], options: argparse.Namespace) -> Iterator[str]:
    from unibody.exchange import gitlab

    return gitlab(_shown(checked, options), root())


def _junit(checked: Iterable[CheckedFile], options: argparse.Namespace) -> Iterator[str]:
    from datetime import datetime, timezone

    from unibody import __version__
    from unibody.exchange import junit

    now = datetime.now(timezone.utc)
    lowest = "error" if options.fail_on in (None, "never") else options.fail_on
    return junit(_shown(checked, options), root(), __version__, failing(lowest), now)


def _json(checked: Iterable[CheckedFile], options: argparse.Namespace) -> Iterator[str]:
    """All records as one JSON document: ``{"files": […]}``."""
    yield '{"files": ['
    before = ""
    for line in _jsonl(checked, options):
        if before:
            yield f"{before},"
        before = line
    if before:
        yield before
    yield "]}"


def _jsonl(checked: Iterable[CheckedFile], options: argparse.Namespace) -> Iterator[str]:
    """Each record as one line of JSON."""
    return (json.dumps(one.json(), ensure_ascii=False) for one in checked if isinstance(one, FileRecord))


#: The lines of standard output by the name of the form.
FORMS: dict[str, Callable[[Iterable[CheckedFile], argparse.Namespace], Iterator[str]]] = {
    "json": _json,
    "jsonl": _jsonl,
    "sarif": _sarif,
    "github": _github,
    "gitlab": _gitlab,
    "junit": _junit,
}


def root() -> str:
    """The folder to which paths in reports are relative.

    It is the folder of the repository in a job of GitHub or GitLab that runs in it, else the current one.
    """
    from unibody.exchange.region import path_below

    here = os.getcwd()
    folders = [os.environ[name] for name in _ROOTS if os.environ.get(name)]
    return next((one for one in folders if not os.path.isabs(path_below(here, one))), here)


def _shown(checked: Iterable[CheckedFile], options: argparse.Namespace) -> Iterator[CheckedFile]:
    """The files without the notes, which are hidden unless they are asked for."""
    everything = options.all_findings or options.fail_on == "info"
    for one in checked:
        findings = [f for f in one.findings if everything or f["severity"] != "info"]
        yield Checked(one.path, findings, one.failure, one.seconds)
