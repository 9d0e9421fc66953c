"""The page that shows a robot: its data, the file it goes out in, and the server for one reader.

The package itself can be called: ``unibody.view(robot)`` is :func:`unibody.view.show.view`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Callable(ModuleType):
    """Importing this package makes it an attribute of ``unibody`` of the same name as its function."""

    def __call__(self, *arguments: Any, **settings: Any) -> Any:
        from unibody.view.show import view

        return view(*arguments, **settings)


sys.modules[__name__].__class__ = _Callable
