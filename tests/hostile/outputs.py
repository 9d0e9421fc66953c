"""A model with mesh files, in two versions of the same names: what is on the disk must be one of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

import unibody as ub
from unibody.conversion.pipeline import save
from unibody.model.robot import Link, Robot
from unibody.model.shape import MeshFile, Shape

T = TypeVar("T")

VERSIONS = ("first", "second")
PARTS = ("a", "b")
# What changes the disk; each is a moment at which a process can end.
DOORS = ("open", "fsync", "link", "replace", "remove", "mkdir", "rmdir", "chmod")


def version(folder: Path, name: str) -> Robot:
    """The model of a version, its mesh files under folder/name: all of the same names and other content."""
    home = folder / name
    home.mkdir(parents=True, exist_ok=True)
    shapes = []
    for part in PARTS:
        path = home / f"{part}.obj"
        path.write_text(f"# {name}\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "utf-8")
        shapes.append(Shape(geometry=MeshFile(uri=f"{name}/{part}.obj", path=str(path))))
    return Robot(name=name, links=(Link(name="box", visuals=tuple(shapes)),))


def put(robot: Robot, target: Path) -> None:
    """Write it over whatever is there."""
    save(robot, target, overwrite=True)


def found(target: Path) -> str | None:
    """The version on the disk, None for nothing; AssertionError when it is neither of them, whole."""
    if not os.path.lexists(target):
        return None
    robot = ub.load(target)
    shapes = robot.links[0].visuals
    assert len(shapes) == len(PARTS)
    for shape in shapes:
        assert isinstance(shape.geometry, MeshFile)
        text = Path(shape.geometry.path).read_text("utf-8")
        assert text.startswith(f"# {robot.name}\n"), f"{robot.name} names a file of another version"
        assert text.endswith("f 1 2 3\n")
    return robot.name


def files(folder: Path) -> list[str]:
    """All files below a folder."""
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if not p.is_dir())


def leftovers(folder: Path) -> list[str]:
    """Files that a writer has not finished."""
    return [name for name in files(folder) if name.endswith(".part")]


def whole_set(target: Path) -> list[str]:
    """What an output without anything left over consists of: the model and the files that it refers to."""
    shapes = ub.load(target).links[0].visuals
    paths = [shape.geometry.path for shape in shapes if isinstance(shape.geometry, MeshFile)]
    assert [Path(path).name for path in paths] == [f"{part}.obj" for part in PARTS]
    return sorted(str(Path(path).relative_to(target.parent)) for path in (str(target), *paths))


def at_each_change(
    monkeypatch: pytest.MonkeyPatch,
    strike: Callable[[], None],
    prepare: Callable[[int], T],
    act: Callable[[T], None],
) -> Iterator[tuple[int, T]]:
    """Act again and again, with ``strike`` called before or after one change of the disk after the other.

    Each try is prepared, and looked at (what is yielded), with the disk as it is. The last one goes by
    without a strike.
    """
    opened, number, count, hit = os.open, 0, 0, True
    # A change that failed has no moment after it.
    while hit or count > number:
        prepared, count, hit = prepare(number), 0, False

        def struck(real: Callable[..., Any], number: int = number) -> Callable[..., Any]:
            def call(*arguments: Any, **named: Any) -> Any:
                nonlocal count, hit
                if real is opened and not arguments[1] & os.O_CREAT:
                    return real(*arguments, **named)
                mine, count = count, count + 2
                if mine == number:
                    hit = True
                    strike()
                result = real(*arguments, **named)
                if mine + 1 == number:
                    hit = True
                    strike()
                return result

            return call

        with monkeypatch.context() as patch:
            for door in DOORS:
                patch.setattr(os, door, struck(getattr(os, door)))
            act(prepared)
        yield number, prepared
        number += 1
