"""Applies side-cars: facts that the format of a file cannot represent, as a patch of its plain reading.

A side-car is untrusted input: it spends the budget by its length, its files are resolved like all others,
and an entry that does not match the file is reported as ``sidecar-stale``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from unibody.files.access import FileError
from unibody.files.embedded import is_embedded
from unibody.formats.format import Context
from unibody.formats.reference import find_mesh
from unibody.formats.sidecar_mesh import MeshArrays, read_arrays, read_numbers, turned
from unibody.formats.tree import check_tree
from unibody.model.changes.shapes import with_shapes
from unibody.model.facts import Difference
from unibody.model.joint_kind import KINDS
from unibody.model.patch import apply as apply_patch
from unibody.model.patch_json import JsonValues, parse_line
from unibody.model.robot import ExtraFile, Robot
from unibody.model.shape import Material, MeshFile, Shape
from unibody.text.finding import Finding, Findings, TextError
from unibody.text.source import Span

_T = TypeVar("_T")
_SHOWN = 20
_BYTES_PER_COST = 4


def apply_lines(robot: Robot, lines: list[str], at: Span | None, context: Context) -> Robot:
    """Apply the lines of a side-car to a robot; entries that do not match it are reported."""
    context.budget.spend(sum(map(len, lines)) // _BYTES_PER_COST, at)
    differences: list[Difference] = []
    for line in lines:
        found = parse_line(line)
        differences += found
        if not found:
            _stale(
                f"side-car line must be [path, plain value, true value], not {line[:60]}", at, context, line
            )
    patched = apply_patch(robot, differences, JsonValues(_Revive(at, context).value))
    made = _without_dangling(patched.robot, robot, at, context)
    for difference in patched.stale[:_SHOWN]:
        _stale(
            f"side-car entry '{difference.path}' does not match the file",
            at,
            context,
            difference.path,
        )
    if len(patched.stale) > _SHOWN:
        _stale(f"{len(patched.stale) - _SHOWN} more side-car entries do not match the file", at, context)
    return _found(made, robot, at, context)


def _stale(what: str, at: Span | None, context: Context, subject: str = "") -> None:
    context.findings.warning(
        "sidecar-stale",
        f"{what}; ignored",
        at,
        "convert the model again, or remove the side-car",
        subject=subject,
    )


class _Revive:
    """Restores geometries whose numbers are in separate files."""

    def __init__(self, at: Span | None, context: Context) -> None:
        self.at, self.context = at, context
        self.made: dict[str, MeshArrays] = {}
        self.lists: dict[str, list[float]] = {}

    def value(self, data: Any) -> Any:
        """JSON data with references to files replaced by the numbers of the files."""
        out = [data]
        todo: list[tuple[Any, Any, Any]] = [(data, out, 0)]
        while todo:
            v, holder, key = todo.pop()
            if isinstance(v, dict) and v.keys() == {"numbers"} and isinstance(v["numbers"], str):
                holder[key] = self._list(v["numbers"])
            elif isinstance(v, dict):
                whole = self._mesh(v) if isinstance(v.get("file"), str) else v
                holder[key] = new = dict(whole)
                todo.extend((inner, new, k) for k, inner in whole.items() if isinstance(inner, dict | list))
            elif isinstance(v, list) and any(isinstance(x, dict | list) for x in v):
                holder[key] = row = list(v)
                todo.extend((inner, row, k) for k, inner in enumerate(v))
        return out[0]

    def _mesh(self, data: dict[str, Any]) -> dict[str, Any]:
        uri = data["file"]
        if uri not in self.made:
            self.made[uri] = self._read(uri, read_arrays) or {}
        arrays = self.made[uri]
        self._again(sum(map(len, arrays.values())))
        if data.get("turned") is True and arrays:
            arrays = turned(arrays)
        return {**arrays, **{k: v for k, v in data.items() if k not in ("file", "turned")}}

    def _list(self, uri: str) -> list[float]:
        if uri not in self.lists:
            self.lists[uri] = self._read(uri, read_numbers) or []
        self._again(len(self.lists[uri]))
        return self.lists[uri]

    def _again(self, numbers: int) -> None:
        """Spend the budget for one use of a file, which copies its numbers."""
        self.context.budget.spend(numbers // _BYTES_PER_COST, self.at)

    def _read(self, uri: str, how: Callable[[bytes], _T]) -> _T | None:
        context = self.context
        path = context.files.resolve(uri, context.path, self.at, context.findings)
        if path is None:
            return None
        try:
            data = context.files.read(path, self.at)
            context.budget.spend(len(data) // _BYTES_PER_COST, self.at)
            return how(data)
        except (FileError, TextError) as e:
            context.findings.append(e.finding)
        except ValueError:
            what = f"{uri} does not match the side-car"
            context.findings.append(Finding("sidecar-stale", "warning", what, self.at))
        return None


def _without_dangling(made: Robot, plain: Robot, at: Span | None, context: Context) -> Robot:
    """The patched robot without dangling references; the plain one if the tree of links is broken."""
    links = {x.name for x in made.solids}
    joints = {x.name for x in made.joints}
    single = {x.name for x in made.joints if KINDS[x.kind].nq <= 1}
    broken = Findings()
    if made is not plain:
        check_tree(made.links, made.joints, broken)
    if broken.errors:
        _stale("side-car does not match the tree of links", at, context)
        return plain
    kept: dict[str, Any] = {
        "loops": [x for x in made.loops if {x.link_a, x.link_b} <= links],
        "couplings": [x for x in made.couplings if {x.joint, x.leader} <= single],
        "devices": [x for x in made.devices if x.link in links],
        "frames": [x for x in made.frames if x.link in links],
        "configurations": [x for x in made.configurations if {n for n, _ in x.positions} <= joints],
        "coordinates": [x for x in made.coordinates if {v.joint for v in x.drives} <= joints],
    }
    pairs = made.self_collision
    enabled, disabled = (
        tuple(p for p in listed if set(p) <= links) for listed in (pairs.enabled, pairs.disabled)
    )
    if (enabled, disabled) != (pairs.enabled, pairs.disabled):
        _stale(
            "side-car entries of self_collision refer to unknown links",
            at,
            context,
            "self_collision",
        )
        made = replace(made, self_collision=replace(pairs, enabled=enabled, disabled=disabled))
    lost = {name: tuple(v) for name, v in kept.items() if len(v) < len(getattr(made, name))}
    for name in lost:
        _stale(f"side-car entries of {name} refer to unknown links or joints", at, context, name)
    return replace(made, **lost) if lost else made  # type: ignore[arg-type]


def _found(made: Robot, plain: Robot, at: Span | None, context: Context) -> Robot:
    """Resolve the files of shapes and of extras that the side-car adds."""
    if made is plain:
        return made

    def found(file: ExtraFile) -> ExtraFile:
        return file if file.path else replace(file, path=_path_of(file.uri, at, context))

    extras = tuple(
        replace(extra, files=tuple(map(found, extra.files))) if extra.files else extra
        for extra in made.extras
    )
    made = replace(made, extras=extras)
    known = {id(x) for link in plain.solids for x in (*link.visuals, *link.collisions)}

    def look(shape: Shape) -> tuple[Shape, ...]:
        if id(shape) in known:
            return (shape,)
        mesh, out = shape.geometry, shape
        if isinstance(mesh, MeshFile) and not mesh.path:
            path = find_mesh(mesh.uri, lambda: at, context)
            out = replace(out, geometry=replace(mesh, path=path))
        texture = out.material.texture if out.material is not None else None
        if texture is not None and texture.uri and not texture.path and not is_embedded(texture.uri):
            assert isinstance(out.material, Material)
            image = replace(texture, path=_path_of(texture.uri, at, context))
            out = replace(out, material=replace(out.material, texture=image))
        return (out if out.at is not None else replace(out, at=at),)

    return with_shapes(made, look)


def _path_of(uri: str, at: Span | None, context: Context) -> str:
    return context.files.resolve(uri, context.path, at, context.findings) or ""
