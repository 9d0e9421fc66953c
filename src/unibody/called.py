"""A module that is called as the function of its name is: ``unibody.view(robot)``.

Importing a module makes it an attribute of ``unibody``, whoever imports it first; so it has to be able
to stand in for the function, with its signature and its documentation.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from inspect import Signature, cleandoc, signature
from types import ModuleType
from typing import Any


def callable_as(module: str, function: Callable[[], Callable[..., Any]]) -> None:
    """Let a module be called as the function that ``function()`` gives, which is asked when needed."""
    vars(sys.modules[module])["_function"] = function
    sys.modules[module].__class__ = _Callable


def check_keywords(function: str, given: Mapping[str, object], known: type) -> None:
    """TypeError, as Python's own, for an argument that a TypedDict of keywords does not have."""
    if unknown := set(given) - set(known.__annotations__):
        raise TypeError(f"{function}() got an unexpected keyword argument '{min(unknown)}'")


def _doc(module: ModuleType) -> str:
    """What the function says of itself, its signature, and what the module says."""
    function = vars(module)["_function"]()
    call = f"``{module.__name__}{signature(function)}``"
    parts = (function.__doc__ or "", call, vars(module).get("__doc__") or "")
    return "\n\n".join(cleandoc(part) for part in parts if part)


class _Callable(ModuleType):
    __doc__ = property(_doc)

    @property
    def __signature__(self) -> Signature:
        return signature(vars(self)["_function"]())

    def __call__(self, *arguments: Any, **settings: Any) -> Any:
        return vars(self)["_function"]()(*arguments, **settings)
