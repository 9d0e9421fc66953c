"""Where files are that a model names: beside it, in the folders around it, and where Gazebo searches."""

from __future__ import annotations

from unibody.files.access import Files, Search
from unibody.text.finding import Findings

#: The scheme of files in the folder of a model.
SCHEME = "model://"
_SEARCH = Search(("$SDF_PATH", "$GZ_SIM_RESOURCE_PATH", "$GAZEBO_MODEL_PATH"))


def located(uri: str, base: str, files: Files) -> str | None:
    """The path of a file that the file ``base`` names, None if there is none within reach.

    >>> from unibody.files.access import MemoryFiles
    >>> located("model://arm/a.stl", "arm/model.sdf", MemoryFiles({"arm/a.stl": b""}))
    '/memory/here/arm/a.stl'
    """
    found = files.find(uri, base)
    return searched(uri, base, files) if found is None else found


def searched(uri: str, base: str, files: Files) -> str | None:
    """The path of a file of a model where Gazebo searches, None if there is none, and for another URI."""
    if not uri.startswith(SCHEME):
        return None
    return files.search(uri.removeprefix(SCHEME), base, None, Findings(), _SEARCH)
