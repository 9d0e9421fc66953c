"""Generates the JSON Schema of a YAML format from its declarations, for editors.

Draft 7, which all language servers support, with extensions of VS Code and the YAML language server
(``errorMessage``, ``enumDescriptions``, ``doNotSuggest``) that others ignore. The schema accepts files
that are read without findings and rejects others. Undeclared keys are accepted because programs extend
such files; a typo of a declared key is rejected.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tools.reference_page import default_text, description, summary, type_text
from tools.slips import no_slip

from unibody.document.declare import Document, Spec, kind_names, plan
from unibody.formats.format import EditorSchema

Schema = dict[str, Any]

_NUMBER = r"^\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*$"
_INTEGER = r"^\s*[+-]?[0-9]+\s*$"
# Booleans of YAML 1.1; most of them are strings in YAML 1.2.
_FLAG = "^(y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON|n|N|no|No|NO|false|False|FALSE|off|Off|OFF)$"
_LARGEST = 1.7976931348623157e308
_WHOLE = 2**53
# Shorter words are too similar to other words.
_SHORTEST = 5


def json_schema(root: type[Document], title: str, how: str, options: EditorSchema | None = None) -> Schema:
    """The schema of the documents of a class; ``how`` is the command that generates it.

    >>> from unibody.document.declare import NUMBER, element, key
    >>> @element
    ... class Cup(Document):
    ...     "A cup."
    ...     volume: float = key(NUMBER, 0.2, unit="l", doc="filled to the brim")
    >>> made = json_schema(Cup, "Cups", "make")
    >>> made["definitions"]["Cup"]["properties"]["volume"]["description"]
    'number, in l; default 0.2. Filled to the brim.'
    """
    maker = _Maker(EditorSchema(file="") if options is None else options)
    top = maker.element(root)
    for make in maker.todo:
        make()
    maker.add_slips()
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$comment": f"Made from the declarations by `{how}`: do not edit.",
        "title": title,
        "allOf": [top],
        "definitions": dict(sorted(maker.definitions.items())),
    }


def spelt(schema: Mapping[str, Any]) -> Schema:
    """The schema of all YAML spellings of a value: numbers may be quoted, a text may look like a number,
    and booleans may be strings.

    >>> spelt({"type": "boolean"})["type"]
    ['boolean', 'string']
    """
    out = {**schema, **_SPELT.get(schema.get("type", ""), {})}
    if "anyOf" in out:
        out["anyOf"] = [_inner(one) for one in out["anyOf"]]
    for word in {"items", "additionalProperties"} & out.keys():
        out[word] = _inner(out[word])
    return out


def _inner(schema: Schema) -> Schema:
    """Like :func:`spelt`, with references for common types."""
    if schema.keys() == {"type"} and schema["type"] in _SPELT:
        return {"$ref": f"#/definitions/{schema['type']}"}
    return spelt(schema)


_SPELT: Mapping[str, Schema] = {
    "number": {
        "type": ["number", "string"],
        "minimum": -_LARGEST,
        "maximum": _LARGEST,
        "pattern": _NUMBER,
        "errorMessage": "This must be a number.",
    },
    "integer": {
        "type": ["integer", "string"],
        "minimum": -_WHOLE,
        "maximum": _WHOLE,
        "pattern": _INTEGER,
        "errorMessage": "This must be a whole number.",
    },
    "boolean": {
        "type": ["boolean", "string"],
        "pattern": _FLAG,
        "errorMessage": "This must be true or false.",
    },
    "string": {"type": ["string", "number", "boolean", "null"]},
}


class _Maker:
    """The definitions so far, and those still to be created."""

    def __init__(self, options: EditorSchema) -> None:
        self.options = options
        self.definitions: dict[str, Schema] = {name: {**schema} for name, schema in _SPELT.items()}
        self.todo: list[Callable[[], None]] = []
        self.known: set[str] = {"<<", *options.imports.values()}
        self.slips: dict[str, set[str]] = {}

    def _define(self, name: str, make: Callable[[], Schema]) -> Schema:
        """A reference to a definition, which is created later because definitions are recursive."""
        if name not in self.definitions:
            made = self.definitions[name] = {}
            self.todo.append(lambda: made.update(make()))
        return {"$ref": f"#/definitions/{name}"}

    def element(self, cls: type[Document], instead: str = "") -> Schema:
        """A reference to the schema of a class; the key ``instead`` may replace required keys."""
        return self._define(cls.__name__, lambda: self._class(cls, instead))

    def _class(self, cls: type[Document], instead: str) -> Schema:
        specs = plan(cls).fields.values()
        properties: dict[str, Schema] = {}
        for spec in specs:
            made = properties[spec.key] = self._property(cls, spec)
            for old in spec.old:
                text = f"Old spelling of {spec.key}: {made['description']}"
                properties[old] = {**made, "description": text, "deprecated": True, "doNotSuggest": True}
        for word in sorted(cls.KNOWN - properties.keys()):
            kept = "Read by other programs, kept as written."
            properties[word] = {"description": kept, "doNotSuggest": True}
        out: Schema = {"type": "object", "description": description(cls), "properties": properties}
        if cls.SKIPPED:
            return out
        self.known |= properties.keys()
        slips = [self._no_slip(spec.key, spec.old) for spec in specs if spec.by != "kind"]
        names = [slip for slip in slips if slip]
        needed = [_needed(spec, instead) for spec in specs if spec.required == "error"]
        return {**out, "allOf": [*needed, {"propertyNames": {"allOf": names}}] if names else needed}

    def _property(self, cls: type[Document], spec: Spec) -> Schema:
        if spec.by == "kind":
            names = [*kind_names(cls), *([None] if "" in kind_names(cls) else [])]
            return {"description": description(cls), "enum": names}
        text = meaning(cls, spec)
        if spec.type is not None:
            return {"description": text, **spelt(spec.type.schema)}
        if spec.by == "type":
            one = self._define(spec.key, lambda: self._union(spec))
        else:
            one = self.element(next(iter(spec.members.values())))
        if not spec.many:
            return {"description": text, "type": "object", "allOf": [one]}
        return {"description": text, **self._list(spec, one)}

    def _union(self, spec: Spec) -> Schema:
        """The schema of an element whose class depends on ``type``."""
        instead = self.options.imports.get(spec.key, "")
        names = [name for name in spec.members if name]
        classes = spec.members
        branches = [
            {"if": _is({"const": name}), "then": self.element(classes[name], instead)} for name in names
        ]
        allowed: list[str | None] = [*names]
        if "" in classes:
            allowed += ["", None]
            absent = {"anyOf": [{"not": {"required": ["type"]}}, _is({"enum": ["", None]})]}
            branches.append({"if": absent, "then": self.element(classes[""], instead)})
        told = [summary(classes[name or ""]) for name in allowed]
        kinds: Schema = {"enum": allowed, "enumDescriptions": told}
        if spec.other is not None:
            slips = [slip for slip in (self._no_slip(name) for name in names) if slip]
            kinds = {"type": "string", "anyOf": [kinds, {"type": "string"}], "allOf": slips}
            branches.append({"if": _is({"not": {"enum": names}}), "then": self.element(spec.other)})
        required = {} if "" in classes else {"required": ["type"]}
        properties = {"type": {"description": f"What stands here in `{spec.key}`.", **kinds}}
        return {"type": "object", "properties": properties, **required, "allOf": branches}

    def _list(self, spec: Spec, one: Schema) -> Schema:
        """The schema of a list of elements; a single element is a list of one."""
        alone = one
        if spec.key in self.options.mappings:
            by_type = self._define(f"{spec.key}-by-type", lambda: self._by_type(spec))
            alone = {"if": {"required": ["type"]}, "then": one, "else": by_type}
        return {"type": ["array", "object"], "items": one, "if": {"type": "object"}, "then": alone}

    def _by_type(self, spec: Spec) -> Schema:
        """The schema of a mapping from type to element; a null value is an empty element."""

        def inner(cls: type[Document]) -> Schema:
            return {"type": ["object", "null"], "if": {"type": "object"}, "then": self.element(cls)}

        made = {name: inner(cls) for name, cls in spec.members.items() if name}
        other = False if spec.other is None else inner(spec.other)
        return {"type": "object", "properties": {**made, "<<": {}}, "additionalProperties": other}

    def _no_slip(self, name: str, old: tuple[str, ...] = ()) -> Schema | None:
        words = [word for word in (name, *old) if len(word) >= _SHORTEST]
        if not words:
            return None
        self.known.update((name, *old))
        self.slips.setdefault(name, set()).update(words)
        return {"$ref": f"#/definitions/slip-{name}"}

    def add_slips(self) -> None:
        """Define the typos of each declared word, except other declared words."""
        for name, words in self.slips.items():
            self.definitions[f"slip-{name}"] = {
                "pattern": no_slip(sorted(words), self.known),
                "errorMessage": f"Did you mean {name}?",
            }


def _is(kind: Schema) -> Schema:
    return {"properties": {"type": kind}, "required": ["type"]}


def _needed(spec: Spec, instead: str) -> Schema:
    words = [spec.key, *spec.old, *([instead] if instead else [])]
    return {"anyOf": [{"required": [word]} for word in words]} if len(words) > 1 else {"required": words}


def meaning(cls: type[Document], spec: Spec) -> str:
    """The description of a key in one line: type, unit, default, note."""
    many = "list of elements" if spec.many else "element"
    said = type_text(spec.type) if spec.type is not None else many
    if spec.unit:
        said += f", in {spec.unit}" if spec.unit != "angle" else ", in the file's unit of angles"
    default = default_text(cls, spec).replace("`", "")
    if default and default != '""':
        said += f"; default {default}"
    if spec.required:
        said += "; required"
    return f"{said}. {spec.doc[:1].upper()}{spec.doc[1:]}." if spec.doc else f"{said}."
