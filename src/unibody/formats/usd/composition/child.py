"""The process in which OpenUSD composes a stage: a script that imports nothing of unibody.

``python child.py FOLDER PACKAGES MEMORY SECONDS`` works on the layers in FOLDER, which have names that no
layer gave them; PACKAGES is the folder of OpenUSD's Python package. It answers each line of its input, a
request as JSON, with a line as JSON. ``open`` reads a layer and lists the paths that its composition needs;
``export`` writes one as another type of file;
``compose`` replaces all paths in all layers, so that only layers in FOLDER can be opened, composes them,
and writes ``stage.json`` and ``arrays.bin``.
"""

from __future__ import annotations

import json
import os
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

# Lists with more entries are written to the file of arrays.
_FEW = 16
_STRUCT = {"int": "i", "float": "f", "double": "d"}
# What OpenUSD's vector types consist of, by the end of their names.
_PARTS = {"h": "float", "f": "float", "d": "double", "i": "int"}
_SCALARS = {
    "bool": "bool",
    "int": "int",
    "uint": "int",
    "uchar": "int",
    "int64": "int",
    "uint64": "int",
    "half": "float",
    "float": "float",
    "double": "double",
    "timecode": "double",
}
# Metadata of prims that the answer has, with the names of text.
_METADATA = ("kind", "displayName", "documentation", "instanceable", "customData", "assetInfo")
_STAGE = ("defaultPrim", "documentation", "customLayerData", "metersPerUnit", "kilogramsPerUnit", "upAxis")
_PROPERTY = ("interpolation", "elementSize", "colorSpace", "displayName", "customData")


class Arrays:
    """The file of long lists of numbers."""

    def __init__(self, path: str) -> None:
        self._file = open(path, "wb")  # noqa: SIM115 closed at the end of the process
        self._size = 0

    def add(self, numbers: list[Any], kind: str) -> dict[str, Any]:
        """Write a list; where it is, as JSON."""
        data = struct.pack(f"<{len(numbers)}{_STRUCT[kind]}", *numbers)
        return self.add_bytes(data, len(numbers), kind)

    def add_bytes(self, data: bytes, count: int, kind: str) -> dict[str, Any]:
        """Write the bytes of a list; where it is, as JSON."""
        self._file.write(data)
        at = self._size
        self._size += len(data)
        return {"at": at, "count": count, "kind": kind}

    def close(self) -> None:
        """Write what is left."""
        self._file.close()


class Composer:
    """The layers of a stage in a folder, and their composition."""

    def __init__(self, folder: str) -> None:
        from pxr import Sdf

        self.folder = folder
        self.layers: dict[str, Any] = {}
        self.sdf = Sdf

    def open(self, name: str) -> dict[str, Any]:
        """Read a layer; the paths that its composition needs, each with the prim that asks for it."""
        try:
            layer = self.sdf.Layer.FindOrOpen(os.path.join(self.folder, name))
        except Exception as error:
            return {"error": str(error)}
        if layer is None:
            return {"error": "not a valid layer"}
        self.layers[name] = layer
        needed = sorted(path for path in layer.GetCompositionAssetDependencies() if path)
        asked = dict(_asking(layer)) if needed else {}
        return {"needs": [[path, asked.get(path, "/")] for path in needed], "root": not layer.subLayerPaths}

    def export(self, name: str, to: str) -> dict[str, Any]:
        """Write a layer, which refers to no other, as a file of the type that its new name has."""
        layer = self.sdf.Layer.FindOrOpen(os.path.join(self.folder, name))
        if layer is None or not layer.Export(os.path.join(self.folder, to)):
            return {"error": "OpenUSD does not write it"}
        return {}

    def compose(self, root: str, names: dict[str, dict[str, str]], most: int) -> dict[str, Any]:
        """Compose the stage; ``names`` are the layers in the folder by the paths in each layer."""
        from pxr import Usd, UsdUtils

        assets: list[list[str]] = []
        for name, layer in self.layers.items():
            UsdUtils.ModifyAssetPaths(layer, _renaming(name, names.get(name, {}), assets))
        for name in self.layers:
            _check(self.layers[name], names)
        stage = Usd.Stage.Open(self.layers[root], Usd.Stage.LoadAll)
        arrays = Arrays(os.path.join(self.folder, "arrays.bin"))
        found = Stage(stage, arrays, {layer.identifier: name for name, layer in self.layers.items()})
        answer = {
            "stage": found.metadata(),
            "prims": list(found.prims(most)),
            "errors": [_error(each) for each in stage.GetCompositionErrors()],
            "assets": assets,
            "samples": found.samples,
            "more": found.more,
        }
        arrays.close()
        with open(os.path.join(self.folder, "stage.json"), "w", encoding="utf-8") as file:
            file.write(json.dumps(answer))
        return {}


def _asking(layer: Any) -> Iterator[tuple[str, str]]:
    """The paths of referenced layers, each with the prim that refers to it."""
    todo = [layer.pseudoRoot]
    while todo:
        prim = todo.pop()
        for field in ("references", "payload"):
            if prim.HasInfo(field):
                for each in prim.GetInfo(field).GetAddedOrExplicitItems():
                    if each.assetPath:
                        yield each.assetPath, str(prim.path)
        todo += list(prim.nameChildren)
        for variant_set in prim.variantSets.values():
            todo += [variant.primSpec for variant in variant_set.variants.values()]


def _renaming(layer: str, names: dict[str, str], assets: list[list[str]]) -> Callable[[str], str]:
    def rename(path: str) -> str:
        if path in names:
            return names[path]
        if not path:
            return path
        assets.append([layer, path])
        # no file has this name, and no part of it is a path, a package or an expression
        return f"./asset-{len(assets) - 1}"

    return rename


def _check(layer: Any, names: dict[str, dict[str, str]]) -> None:
    """End the process if a layer could open anything but the layers of the folder."""
    known = {new for each in names.values() for new in each.values()}
    for path in layer.GetCompositionAssetDependencies():
        if path and path not in known and not path.startswith("./asset-"):
            raise ValueError(f"a path was not replaced: {path!r}")


def _error(error: Any) -> dict[str, str]:
    site = getattr(error, "rootSite", None)
    path = str(getattr(site, "path", "")) if site is not None else ""
    return {"kind": type(error).__name__.removeprefix("Error"), "path": path, "text": str(error)}


class Stage:
    """What is asked of a composed stage."""

    def __init__(self, stage: Any, arrays: Arrays, names: dict[str, str]) -> None:
        self.stage, self.arrays, self.names = stage, arrays, names
        self.samples: list[str] = []
        self.more = False

    def metadata(self) -> dict[str, Any]:
        """The metadata of the root layer."""
        root = self.stage.GetPseudoRoot()
        out = {}
        for name in _STAGE:
            if root.HasAuthoredMetadata(name):
                out[name] = self.typed(root.GetMetadata(name))
        return out

    def prims(self, most: int) -> Iterator[dict[str, Any]]:
        """The prims of the stage, those of instances as well, parents before their children."""
        from pxr import Usd

        flags = Usd.TraverseInstanceProxies(Usd.PrimIsActive & Usd.PrimIsDefined & ~Usd.PrimIsAbstract)
        for count, prim in enumerate(Usd.PrimRange(self.stage.GetPseudoRoot(), flags)):
            if count > most:
                self.more = True
                return
            if count:
                yield self.prim(prim)

    def prim(self, prim: Any) -> dict[str, Any]:
        """A prim with all that is authored of it, and its local transform."""
        from pxr import UsdGeom

        out: dict[str, Any] = {"path": str(prim.GetPath()), "type": str(prim.GetTypeName())}
        if schemas := prim.GetPrimTypeInfo().GetAppliedAPISchemas():
            out["schemas"] = [str(each) for each in schemas]
        for name in _METADATA:
            if prim.HasAuthoredMetadata(name):
                value = _authored(prim, name)
                if value is not None:
                    out.setdefault("metadata", {})[name] = self.typed(value)
        if prim.HasVariantSets():
            sets = prim.GetVariantSets()
            out["variants"] = {
                name: [sets.GetVariantSelection(name), list(sets.GetVariantSet(name).GetVariantNames())]
                for name in sets.GetNames()
            }
        if prim.IsInstance() or prim.IsInstanceProxy():
            out["instance"] = True
        out["layer"] = self.layers(prim)
        xformable = UsdGeom.Xformable(prim)
        if xformable and xformable.GetXformOpOrderAttr().HasAuthoredValue():
            local = xformable.GetLocalTransformation()
            out["local"] = [x for row in local for x in row]
            out["order"] = [str(each) for each in xformable.GetXformOpOrderAttr().Get() or ()]
        for attribute in prim.GetAuthoredAttributes():
            out.setdefault("attributes", []).append(self.attribute(attribute))
        for relationship in prim.GetAuthoredRelationships():
            targets = [str(each) for each in relationship.GetTargets()]
            custom = relationship.IsCustom()
            out.setdefault("relationships", []).append([relationship.GetName(), targets, custom])
        return out

    def layers(self, prim: Any) -> list[list[str]]:
        """The layers that say something of a prim, with its path there, the strongest first."""
        out = []
        source = prim.GetPrimInPrototype() if prim.IsInstanceProxy() else prim
        for spec in source.GetPrimStack():
            name = self.names.get(spec.layer.identifier)
            if name is not None:
                out.append([name, str(spec.path)])
        return out

    def attribute(self, attribute: Any) -> dict[str, Any]:
        """An attribute with its value, its connections and its metadata."""
        from pxr import Sdf, Usd

        name = attribute.GetName()
        kind = str(attribute.GetTypeName())
        out: dict[str, Any] = {"name": name, "type": kind}
        if attribute.GetVariability() == Sdf.VariabilityUniform:
            out["uniform"] = True
        if attribute.IsCustom():
            out["custom"] = True
        with suppress(Exception):  # a value of another type than the attribute's
            value = attribute.Get()
            if value is None and attribute.GetNumTimeSamples():
                value = attribute.Get(Usd.TimeCode.EarliestTime())
                self.samples.append(str(attribute.GetPath()))
            if value is not None:
                out["value"] = self.value(value, kind)
        if attribute.HasAuthoredConnections():
            out["connections"] = [str(each) for each in attribute.GetConnections()]
        for key in _PROPERTY:
            if attribute.HasAuthoredMetadata(key):
                out.setdefault("metadata", {})[key] = self.typed(attribute.GetMetadata(key))["value"]
        return out

    def typed(self, value: Any) -> dict[str, Any]:
        """A value of metadata with the type that it has as text."""
        kind = _type_of(value)
        if kind == "dictionary":
            return {"type": kind, "value": {str(k): self.typed(v) for k, v in value.items()}}
        return {"type": kind, "value": self.value(value, kind)}

    def value(self, value: Any, kind: str) -> Any:
        """A value as JSON; a long list of numbers as its place in the file of arrays."""
        if not kind.endswith("[]"):
            return self.single(value)
        part = _part(kind[:-2])
        if part is None or part == "bool":
            return [self.single(each) for each in value]
        if len(value) <= _FEW:
            return [number for each in value for number in _numbers(each)]
        with suppress(Exception):
            view = memoryview(value)
            code = {"f": "float", "d": "double", "i": "int"}.get(view.format)
            if code is not None and view.c_contiguous:
                size = view.nbytes // struct.calcsize(_STRUCT[code])
                return self.arrays.add_bytes(view.tobytes(), size, code)
        numbers = [number for each in value for number in _numbers(each)]
        if part == "int" and any(abs(number) >= 2**31 for number in numbers):
            part = "double"
        return self.arrays.add(numbers, part)

    @staticmethod
    def single(value: Any) -> Any:
        """A single value as JSON: a text, or a list of numbers."""
        if isinstance(value, bool | int | str):
            return value
        if isinstance(value, float):
            return _number(value)
        path = getattr(value, "path", None)
        if isinstance(path, str):
            return path
        numbers = _numbers(value)
        return numbers if numbers else str(value)


def _authored(prim: Any, name: str) -> Any:
    """A piece of metadata without the entries that only the prim's schema has; None if none is left."""
    value = prim.GetMetadata(name)
    if not isinstance(value, dict):
        return value
    stack = (prim.GetPrimInPrototype() if prim.IsInstanceProxy() else prim).GetPrimStack()
    authored = {str(key) for spec in stack if spec.HasInfo(name) for key in spec.GetInfo(name)}
    return {key: each for key, each in value.items() if key in authored} or None


def _number(value: float) -> Any:
    """A number as JSON, which has no infinite ones."""
    return value if value - value == 0.0 else repr(float(value))


def _numbers(value: Any) -> list[Any]:
    """The numbers of a scalar, a vector, a quaternion (w, x, y, z) or a matrix (rows)."""
    if isinstance(value, bool | int):
        return [int(value)]
    if isinstance(value, float):
        return [_number(value)]
    if hasattr(value, "GetReal"):
        return [_number(float(value.GetReal())), *(_number(float(x)) for x in value.GetImaginary())]
    try:
        parts = list(value)
    except TypeError:
        return []
    return [] if isinstance(value, str) else [number for part in parts for number in _numbers(part)]


def _part(kind: str) -> str | None:
    """Of what numbers a type consists; None for texts."""
    if kind in _SCALARS:
        return _SCALARS[kind]
    if kind in ("string", "token", "asset", "pathExpression", "opaque", "group"):
        return None
    for start in ("int", "float", "double", "half"):
        if kind.startswith(start) and kind[len(start) :].isdigit():
            return _SCALARS[start]
    return _PARTS.get(kind[-1])


_PYTHON = {bool: "bool", int: "int", float: "double", str: "string"}


def _type_of(value: Any) -> str:
    """The type of a value of metadata, as in text."""
    if isinstance(value, dict):
        return "dictionary"
    if type(value) in _PYTHON:
        return _PYTHON[type(value)]
    name = type(value).__name__
    if name == "AssetPath":
        return "asset"
    if name.endswith("Array"):
        kind = name.removesuffix("Array")
        return f"{_named(kind)}[]"
    if isinstance(value, list | tuple):
        return f"{_type_of(value[0])}[]" if value else "string[]"
    return _named(name)


def _named(kind: str) -> str:
    """The name in text of a type in Python: Vec3d, Double, Quatf."""
    known = {"Asset": "asset", "String": "string", "Token": "token", "Bool": "bool", "Int": "int"}
    if kind in known:
        return known[kind]
    if kind.startswith("Vec") and len(kind) == 5:
        return {"h": "half", "f": "float", "d": "double", "i": "int"}[kind[4]] + kind[3]
    return kind[:1].lower() + kind[1:]


def _limit(memory: int, seconds: int) -> None:
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main(folder: str, packages: str, memory: str, seconds: str) -> None:
    """Answer requests until the input ends."""
    _limit(int(memory), int(seconds))
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what OpenUSD prints is no answer
    sys.path.insert(0, packages)
    composer = Composer(folder)
    for line in sys.stdin:
        request = json.loads(line)
        if request["do"] == "open":
            answer = composer.open(request["layer"])
        elif request["do"] == "export":
            answer = composer.export(request["layer"], request["to"])
        else:
            answer = composer.compose(request["root"], request["names"], request["most"])
        out.write(json.dumps(answer) + "\n")
        out.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
