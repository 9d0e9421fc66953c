"""The page that shows a robot: its data, the file it goes out in, and the server for one reader.

The package itself can be called: ``unibody.view(robot)`` is :func:`unibody.view.show.view`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unibody.called import callable_as

if TYPE_CHECKING:
    from collections.abc import Callable

    from unibody.view.show import View


def _view() -> Callable[..., View]:
    # Imported when it is called: who only samples a workspace needs no server.
    from unibody.view.show import view

    return view


callable_as(__name__, _view)
