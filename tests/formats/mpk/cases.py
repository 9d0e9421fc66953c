"""MPK robots written inline, read from memory, with every finding accounted for."""

from __future__ import annotations

from collections.abc import Mapping

from unibody.files.access import MemoryFiles
from unibody.formats.loader import Reading, read
from unibody.model.robot import Joint, Robot
from unibody.text.finding import Finding

HEAD = "#MPK v1.0 robot\n"
BASE = "joint Base { }\n"
# No .rob file has masses.
USUAL = {"inertia-missing"}


def reading(
    text: str,
    files: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
    arguments: Mapping[str, str] | None = None,
) -> Reading:
    """What reading a text gives, with a header if it has none; ``files`` are others, by path."""
    whole = text if text.lstrip().startswith("#MPK") else HEAD + text
    contents = {"mpk/robots/test.rob": whole, **(files or {})}
    return read(
        "mpk/robots/test.rob",
        files=MemoryFiles({p: t.encode() for p, t in contents.items()}, environment=environment or {}),
        arguments=arguments,
    )


def robot(text: str, *codes: str, files: Mapping[str, str] | None = None) -> Robot:
    """The robot of a text that gives exactly these findings (besides the usual ones) and no error."""
    found = reading(text, files)
    assert found.ok, [str(f) for f in found.findings]
    assert found.robot is not None
    assert {f.code for f in found.findings} - (USUAL - set(codes)) == set(codes), [
        str(f) for f in found.findings
    ]
    return found.robot


def error(text: str) -> Finding:
    """The only error of a text."""
    errors = [f for f in reading(text).findings if f.severity == "error"]
    assert len(errors) == 1, [str(f) for f in errors]
    return errors[0]


def finding(text: str, code: str) -> Finding:
    """The only finding with a code."""
    found = [f for f in reading(text).findings if f.code == code]
    assert len(found) == 1, [str(f) for f in reading(text).findings]
    return found[0]


def joint(fields: str, *codes: str) -> Joint:
    """The joint J with these fields on a fixed base."""
    return robot(f"{BASE}joint J {{ parent Base {fields} }}", *codes).joint("J")


def place(found: Finding) -> tuple[int, int]:
    """Line and column of a finding."""
    assert found.at is not None
    return found.at.line, found.at.column
