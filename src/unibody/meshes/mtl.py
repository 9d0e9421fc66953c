"""Reads material files (.mtl) of Wavefront OBJ."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from unibody.files.access import FileError
from unibody.meshes.look import Look
from unibody.meshes.scene import Request
from unibody.model.shape import Material, Texture
from unibody.text.decode import decode
from unibody.text.finding import Findings, TextError
from unibody.text.number import parse_float
from unibody.text.source import Source, Span

# Number of arguments of each option of a map; -o, -s and -t take up to three numbers.
_OPTIONS = {"blendu": 1, "blendv": 1, "cc": 1, "clamp": 1, "imfchan": 1, "texres": 1, "boost": 1, "bm": 1}
_OPTIONS |= {"mm": 2, "type": 1, "o": 3, "s": 3, "t": 3}
_OTHER_MAPS = ("bump", "disp", "decal", "refl", "norm")
#: The statements of images and numbers that a Material does not have, by the kind of a look. None begins
#: with d: of such a line Choreonoid reads an opacity, and no OBJ file with another word in its place.
STATEMENTS = {
    "ambient image": "map_Ka",
    "specular image": "map_Ks",
    "shininess image": "map_Ns",
    "emission image": "map_Ke",
    "opacity image": "map_d",
    "bump image": "map_Bump",
    "normal image": "norm",
    "displacement image": "map_disp",
    "reflection image": "refl",
    "roughness image": "map_Pr",
    "metalness image": "map_Pm",
    "roughness": "Pr",
    "metalness": "Pm",
}
_KINDS = {word.lower(): kind for kind, word in STATEMENTS.items()}
_KINDS |= {"bump": "bump image", "map_refl": "reflection image"}
_KINDS |= {"disp": "displacement image", "decal": "decal image"}
_MOST_FILES = 100
_MANY = ("o", "s", "t")


def read_libraries(wanted: list[tuple[str, Span]], request: Request) -> dict[str, Material]:
    """The materials of all "mtllib" lines by name; an unreadable file is reported."""
    out: dict[str, Material] = {}
    for name, at in wanted:
        for path in _paths(name, at, request):
            try:
                source = decode(request.files.read(path, at), path, request.findings, request.files.meter)
            except (FileError, TextError) as e:
                request.findings.append(e.finding)
                continue
            for key, material in _read(source, request).items():
                out.setdefault(key, material)
    return out


def library_files(wanted: list[tuple[str, Span]], request: Request) -> list[str]:
    """The material libraries of all "mtllib" lines, each followed by the images of its maps."""
    out: list[str] = []
    for name, at in wanted:
        for path in _paths(name, at, request):
            out.append(path)
            try:
                text = decode(request.files.read(path, at), path, request.findings).text
            except (FileError, TextError):
                continue
            words = [line.split() for line in text.splitlines()]
            uris = [_image(line[1:])[1] for line in words if line and _is_map(line[0].lower())]
            out += [found for uri in dict.fromkeys(uris) if uri and (found := request.resolve(uri, at))]
    return out


def _is_map(key: str) -> bool:
    """Whether a statement names an image."""
    return key.startswith("map_") or key in _OTHER_MAPS


def _paths(name: str, at: Span, request: Request) -> list[str]:
    """The files of one "mtllib" line: one name with spaces, or several names."""
    said = Findings()
    whole = replace(request, findings=said).resolve(name, at)
    if whole is None and " " in name:
        trial = replace(request, findings=Findings())
        found = [trial.resolve(word, at) for word in name.split()[:_MOST_FILES]]
        if any(found):
            request.findings.extend(trial.findings)
            return [path for path in found if path]
    request.findings.extend(said)
    return [whole] if whole else []


def _read(source: Source, request: Request) -> dict[str, Material]:
    out: dict[str, Material] = {}
    name = ""
    given: dict[str, Any] = {}
    at = 0
    for line in source.text.splitlines(keepends=True):
        words = line.split()
        here = Span(source, at, at + len(line.rstrip()))
        at += len(line)
        if not words or words[0].startswith("#"):
            continue
        key = words[0].lower()
        if key == "newmtl":
            if given:
                out.setdefault(name, _material(name, given, request))
            name, given = line.strip()[6:].strip(), {"at": here}
        elif key == "map_kd":
            given["texture"] = _texture(words[1:], here, request)
        elif key in ("ka", "kd", "ks", "ke", "ns", "d", "tr"):
            numbers = [parse_float(word) for word in words[1:4]]
            if numbers and all(n is not None for n in numbers):
                given["d" if key == "tr" else key] = [1.0 - numbers[0]] if key == "tr" else numbers  # type: ignore[operator]
        elif (kind := _KINDS.get(key)) and (look := _look(kind, words[1:], request)):
            given.setdefault("looks", {})[kind] = look
    if given:
        out.setdefault(name, _material(name, given, request))
    return out


def _material(name: str, given: dict[str, Any], request: Request) -> Material:
    """The material of a "newmtl" section; ambient is relative to the diffuse color, as in Choreonoid."""
    diffuse = _color(given.get("kd"), 1.0)
    ambient = _color(given.get("ka"), 0.0) if "ka" in given else diffuse
    size = math.hypot(*diffuse)
    made = Material(
        name=name,
        diffuse=diffuse,
        ambient=min(math.hypot(*ambient) / size, 1.0) if size else 1.0,
        emissive=_color(given.get("ke"), 0.0),
        specular=_color(given.get("ks"), 0.0),
        specular_exponent=given["ns"][0] if "ns" in given else 25.0,
        transparency=min(max(1.0 - given["d"][0], 0.0), 1.0) if "d" in given else 0.0,
        texture=given.get("texture"),
        at=given.get("at"),
    )
    looks: dict[str, Look] = given.get("looks", {})
    request.looks.note(made, looks.values())
    return made


def _look(kind: str, words: list[str], request: Request) -> Look | None:
    """The image or the number of a statement; None if it has none."""
    if kind.endswith(" image"):
        options, uri = _image(words)
        return Look(kind, uri, request.path, options) if uri else None
    number = parse_float(words[0]) if words else None
    return None if number is None else Look(kind, number, request.path)


def _color(numbers: list[float] | None, default: float) -> tuple[float, float, float]:
    """Red, green, blue; a single number is used for all three."""
    if numbers is None:
        return (default, default, default)
    red, green, blue = numbers if len(numbers) == 3 else (numbers[0],) * 3
    return (red, green, blue)


def _image(words: list[str]) -> tuple[str, str]:
    """The options of a map, and its image, "" if it has none."""
    rest = words
    while rest and rest[0].startswith("-") and rest[0][1:].lower() in _OPTIONS:
        option = rest[0][1:].lower()
        rest = rest[1:]
        for _ in range(_OPTIONS[option]):
            if rest and (option not in _MANY or parse_float(rest[0]) is not None):
                rest = rest[1:]
    return " ".join(words[: len(words) - len(rest)]), " ".join(rest)


def _texture(words: list[str], at: Span, request: Request) -> Texture | None:
    _, uri = _image(words)
    return Texture(uri=uri, path=request.resolve(uri, at) or "") if uri else None
