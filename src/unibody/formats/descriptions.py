"""Robots of the package robot_descriptions, which clones repositories into a cache.

Its modules clone when they are imported. Here they run with a function in place of the one that clones:
only what is in the cache is found, and the network is never used, except by :func:`fetch`.
"""

from __future__ import annotations

import os
import re
import sys
import threading
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any

from unibody.formats import FORMATS
from unibody.formats.arguments import ARGUMENTS
from unibody.text.installation import install_command
from unibody.text.near import did_you_mean, near

PACKAGE = "robot_descriptions"
#: Attributes of a module that hold the path of a model, with its format; the first one whose format the
#: list of the package names is read.
_MODELS = {name: format for format in FORMATS for name in format.descriptions}
_NAME = re.compile(r"[a-z0-9][a-z0-9_+]*", re.ASCII)
_LOCK = threading.Lock()


class DescriptionError(Exception):
    """A robot that cannot be listed, found or fetched; ``hint`` is the remedy."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """A robot of the list; ``folder`` is that of its repository in the cache."""

    name: str
    formats: tuple[str, ...]
    robot: str
    maker: str
    folder: str

    @property
    def cached(self) -> bool:
        """Whether the repository is in the cache."""
        return _is_cloned(self.folder)


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """The files of a robot in the cache, and how they are read.

    ``options`` are reading options of its format, ``packages`` the folders of ROS packages by name,
    ``allow`` the folders of the repository.
    """

    path: str
    options: Mapping[str, Any] = field(default_factory=dict)
    packages: Mapping[str, str] = field(default_factory=dict)
    allow: tuple[str, ...] = ()


def cache_folder() -> str:
    """The folder of the cache: ROBOT_DESCRIPTIONS_CACHE, or that of the package."""
    return os.path.expanduser(os.environ.get("ROBOT_DESCRIPTIONS_CACHE", "~/.cache/robot_descriptions"))


def is_installed() -> bool:
    """Whether the package is there."""
    return find_spec(PACKAGE) is not None


def descriptions() -> list[Description]:
    """All robots, sorted by name; DescriptionError without the package."""
    listed, _ = _lists()
    return sorted((_description(name, entry) for name, entry in listed.items()), key=lambda d: d.name)


def locate(name: str) -> Located | None:
    """The files of a robot in the cache; None if no robot has this name.

    DescriptionError if it is not in the cache, or its module cannot be read.
    """
    if _NAME.fullmatch(name) is None or not is_installed():
        return None
    listed, _ = _lists()
    if name not in listed:
        return None
    found = _run(name)
    formats = _description(name, listed[name]).formats
    named = [word for word in _MODELS if _text(found, word)]
    if not named:
        raise DescriptionError(f"{PACKAGE} names no model file of '{name}'")
    chosen = next((word for word in named if _MODELS[word].name in formats), named[0])
    path = _text(found, chosen)
    if not os.path.isfile(path):
        repository = _text(found, "REPOSITORY_PATH")
        raise DescriptionError(
            f"{PACKAGE} has the robot in {path}, which is not in the repository of its cache",
            f"remove {repository}, and download it again: unibody robots --fetch {name}",
        )
    roots = [_text(found, "PACKAGE_PATH"), _text(found, "REPOSITORY_PATH")]
    options: dict[str, Any] = {}
    for other in FORMATS:
        if other.completes == _MODELS[chosen].name:
            beside = next((text for word in other.descriptions if (text := _text(found, word))), "")
            options |= {other.name: beside} if os.path.isfile(beside) else {}
    if arguments := {**_words(found, "SRDF_XACRO_ARGS"), **_words(found, "XACRO_ARGS")}:
        options[ARGUMENTS.name] = arguments
    return Located(
        path=path,
        options=options,
        packages={
            **{os.path.basename(root): root for root in reversed(roots) if root},
            **_words(found, "XACRO_PACKAGE_PATHS"),
        },
        allow=tuple(dict.fromkeys(root for root in roots if root)),
    )


def remedy(name: str) -> str:
    """What to do if no file has this name, because it may be that of a robot; "" if it is not like one."""
    if _NAME.fullmatch(name) is None:
        return ""
    if not is_installed():
        return (
            f"for the robots of {PACKAGE}: {install_command('robots')}"
            if name.endswith("_description")
            else ""
        )
    try:
        if locate(name) is None:
            hint = did_you_mean(near(name, list(_lists()[0]), 0.8))
            return hint and f"{hint} (see unibody robots)"
    except DescriptionError as error:
        return f"{error}; {error.hint}" if error.hint else str(error)
    return ""


def fetch(name: str) -> Located:
    """Let the package download the repository of a robot, by git; what it prints goes to standard error."""
    listed, _ = _lists()
    if name not in listed:
        alike = near(name, list(listed), 0.6)
        raise DescriptionError(f"unknown robot '{name}'", did_you_mean(alike, "see unibody robots"))
    try:
        with redirect_stdout(sys.stderr):
            import_module(f"{PACKAGE}.{name}")
    except Exception as error:  # git is another program, and the package has no errors of its own
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise DescriptionError(f"'{name}' cannot be downloaded: {reason}") from None
    found = locate(name)
    assert found is not None
    return found


def _lists() -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The package's lists of robots and of repositories."""
    if not is_installed():
        raise DescriptionError(f"the list of robots needs the package {PACKAGE}", install_command("robots"))
    try:
        listed: Mapping[str, Any] = import_module(f"{PACKAGE}._descriptions").DESCRIPTIONS
        repositories: Mapping[str, Any] = import_module(f"{PACKAGE}._repositories").REPOSITORIES
    except (ImportError, AttributeError):
        message = f"this version of {PACKAGE} is not known to unibody"
        raise DescriptionError(message, f"{install_command('robots')} --upgrade") from None
    return listed, repositories


def _description(name: str, entry: Any) -> Description:
    return Description(
        name=name,
        formats=tuple(sorted(getattr(x, "name", str(x)).lower() for x in entry.formats)),
        robot=str(getattr(entry, "robot", "") or ""),
        maker=str(getattr(entry, "maker", "") or ""),
        folder=_folder(str(getattr(entry, "repository", "") or "")),
    )


def _folder(repository: str, commit: str | None = None) -> str:
    """The folder of a repository in the cache, whether or not it is there."""
    entry = _lists()[1].get(repository)
    path = str(getattr(entry, "cache_path", repository))
    return os.path.join(cache_folder(), *([f"{path}-{commit}"] if commit else []), path)


def _is_cloned(folder: str) -> bool:
    """Whether a folder has a repository; a download that failed leaves one with no files but git's."""
    try:
        return any(name != ".git" for name in os.listdir(folder))
    except OSError:
        return False


def _run(name: str) -> ModuleType:
    """The module of a robot, run without the network; DescriptionError if it needs what is not cached."""

    def cached(description_name: str, commit: str | None = None) -> str:
        folder = _folder(description_name, commit)
        if not _is_cloned(folder):
            raise DescriptionError(
                f"a robot of {PACKAGE} that is not in its cache, {folder}",
                f"download it: unibody robots --fetch {name}",
            )
        return folder

    spec = find_spec(f"{PACKAGE}.{name}")
    if spec is None or spec.loader is None:
        raise DescriptionError(f"{PACKAGE} has no module '{name}'")
    module = module_from_spec(spec)
    offline = ModuleType(f"{PACKAGE}._cache")
    offline.clone_to_cache = cached  # type: ignore[attr-defined]
    try:
        with _LOCK, _replaced(offline), redirect_stdout(sys.stderr), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of deprecated names, which its users cannot change
            spec.loader.exec_module(module)
    except DescriptionError:
        raise
    except Exception as error:  # the module is the package's
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise DescriptionError(f"the module of '{name}' in {PACKAGE} fails: {reason}") from None
    return module


@contextmanager
def _replaced(module: ModuleType) -> Iterator[None]:
    """A module in place of the imported one of its name."""
    before = sys.modules.get(module.__name__)
    sys.modules[module.__name__] = module
    try:
        yield
    finally:
        if before is None:
            del sys.modules[module.__name__]
        else:
            sys.modules[module.__name__] = before


def _text(module: ModuleType, name: str) -> str:
    value = getattr(module, name, "")
    return value if isinstance(value, str) else ""


def _words(module: ModuleType, name: str) -> dict[str, str]:
    value = getattr(module, name, None)
    return {str(k): str(v) for k, v in value.items()} if isinstance(value, Mapping) else {}
