"""The command that installs an extra of unibody, as it is installed here."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def install_command(extra: str) -> str:
    """The shell command that adds an extra to this installation.

    It names what unibody was installed from (PEP 610): the folder of its repository, the address of the
    repository, or the name of the package in an index.
    """
    requirement, is_editable = _origin(extra)
    editable = "-e " if is_editable else ""
    return f"{_pip()} install {editable}{_quoted(requirement)}"


def package_command(package: str) -> str:
    """The shell command that installs another package beside unibody.

    >>> package_command("matplotlib").endswith("pip install matplotlib")
    True
    """
    return f"{_pip()} install {package}"


def _pip() -> str:
    """How pip of this Python is called: the one in the search path is often that of another one."""
    import shutil

    found = shutil.which("pip")
    folder = os.path.dirname(sys.executable)
    if found is not None and os.path.dirname(found) == folder:
        return "pip"
    return f"{_quoted(_short(sys.executable))} -m pip" if sys.executable else "pip"


def _origin(extra: str) -> tuple[str, bool]:
    """The requirement of pip for unibody with an extra, and whether it is installed to be edited."""
    checkout = Path(__file__).parents[3]
    if (checkout / "pyproject.toml").is_file():
        return f"{_short(str(checkout))}[{extra}]", True
    import json
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import unquote, urlsplit
    from urllib.request import url2pathname

    try:
        text = distribution("unibody").read_text("direct_url.json")
        direct = json.loads(text) if text else {}
    except (PackageNotFoundError, ValueError):
        direct = {}
    url = direct.get("url", "")
    if "vcs_info" in direct:
        system = direct["vcs_info"].get("vcs", "git")
        return f"unibody[{extra}] @ {system}+{url}", False
    if "dir_info" in direct and url.startswith("file:"):
        folder = url2pathname(unquote(urlsplit(url).path))
        return f"{_short(folder)}[{extra}]", bool(direct["dir_info"].get("editable"))
    return f"unibody[{extra}]", False


def _short(path: str) -> str:
    """A path as it is typed in the working folder."""
    try:
        relative = os.path.relpath(path)
    except (ValueError, OSError):  # another drive of Windows; a working folder that was removed
        return path
    if relative == os.curdir or relative.startswith(os.pardir):
        return relative if relative == os.curdir else path
    return os.path.join(os.curdir, relative)


def _quoted(text: str) -> str:
    """Text as one word of a shell."""
    import shlex

    return f'"{text}"' if os.name == "nt" else shlex.quote(text)
