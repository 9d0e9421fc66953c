"""YAML as an editor's server reads it: the core schema of YAML 1.2, and merge keys."""

from __future__ import annotations

import re
from typing import Any

import yaml


class Core(yaml.CSafeLoader):
    """A loader that takes plain scalars for what YAML 1.2 says they are."""


Core.yaml_implicit_resolvers = {}

_CORE = {
    "null": r"null|Null|NULL|~|",
    "bool": r"true|True|TRUE|false|False|FALSE",
    "int": r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+",
    "float": r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)",
    "merge": "<<",
}
for _name, _pattern in _CORE.items():
    Core.add_implicit_resolver(f"tag:yaml.org,2002:{_name}", re.compile(f"^(?:{_pattern})$"), None)


def _int(loader: Core, node: Any) -> int:
    # no octal numbers with a bare 0, as YAML 1.1 has them
    return int(node.value, 0 if re.match("0[xo]", node.value) else 10)


def _float(loader: Core, node: Any) -> float:
    return float(node.value.lower().replace(".inf", "inf").replace(".nan", "nan"))


Core.add_constructor("tag:yaml.org,2002:int", _int)
Core.add_constructor("tag:yaml.org,2002:float", _float)


def load(text: str) -> Any:
    """The first document of a text as plain values."""
    loader = Core(text)
    try:
        return loader.get_data()
    finally:
        loader.dispose()
