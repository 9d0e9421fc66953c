"""``unibody.view``: a robot in the browser, or in a cell of a notebook."""

from __future__ import annotations

import atexit
import html
import os
import sys
import threading
import webbrowser
from collections.abc import Mapping
from os import PathLike, fspath
from types import TracebackType
from typing import TYPE_CHECKING, Any

from unibody.files.access import write_atomic
from unibody.formats.loader import robots_of
from unibody.model.posture import posture
from unibody.motions.run import is_run
from unibody.page.cloud import Cloud, given, sampled
from unibody.page.data import Extras, PageData, Shown, Up, pages_data
from unibody.page.page import filled_page
from unibody.page.picture import USUAL, Size, animation, picture
from unibody.page.server import PageServer
from unibody.simulation.record import Record, load_record

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from unibody.formats.format import Format, ModelObject
    from unibody.formats.read_options import ReadKeywords
    from unibody.mechanism import Mechanism
    from unibody.model.robot import Robot
    from unibody.model.scene import Scene
    from unibody.motions.motion import Motion

# How long a program waits at its end for a browser that was just opened to fetch the page, in s.
_PATIENCE = 10.0
_HEIGHT = 640


def view(
    robot: Robot | Scene | Record | str | PathLike[str] | ModelObject,
    other: Robot | Scene | str | PathLike[str] | ModelObject | None = None,
    *,
    pose: Mapping[str, Any] | str | None = None,
    motion: Any = None,
    workspace: Any = None,
    pairs: Any = None,
    ranges: Any = None,
    up: Up | None = None,
    browser: bool | None = None,
    format: str | Format | None = None,
    **reading: Unpack[ReadKeywords],
) -> View:
    """Show a robot in the browser, or in the notebook cell whose last value this is.

    ``robot`` and ``other`` may be scenes, or paths of model files, which are read with the keywords of
    :func:`unibody.read`.
    ``other`` is put beside it, with what differs. ``pose`` sets joints (rad or m), as in
    ``Mechanism.forward_kinematics``, or is the name of one of
    ``robot.configurations``; ``motion`` is played: a ``Motion``, configurations (k, nq), ten a second,
    or a ``Plan``.
    ``workspace`` is a link or frame whose reachable points are shown, or the points (n, 3) themselves, as
    ``Mechanism.workspace`` gives them. ``pairs`` is the matrix of :func:`unibody.self_collision`, which
    colors the pairs of links; ``ranges`` are those of ``World.free_ranges``, marked on the sliders.
    ``up`` is the axis that is drawn upwards, "z" or "y", by default
    ``robot.up``. ``browser`` says whether to open one; by default everywhere but in notebooks. Where there
    is no screen none is opened: the page is at ``address``. A ``Record`` of a simulation, or
    its file (.npz), is played instead of a robot, with its sensors, contacts and pictures.

    >>> import unibody as ub
    >>> stone = ub.Robot(name="stone", links=(ub.Link(name="stone"),))
    >>> ub.view(stone, browser=False).html()[:15]
    b'<!doctype html>'
    """
    if isinstance(robot, str | PathLike) and is_run(robot):
        robot = load_record(robot)
    record = robot if isinstance(robot, Record) else None
    models = [robot.robot if isinstance(robot, Record) else robot, *([] if other is None else [other])]
    robots = robots_of(models, format, **reading)
    shown = [Shown(robot=each) for each in robots]
    extras = Extras(
        motion=_motion(robots[0], motion) if motion is not None else None,
        record=record,
        pose=_pose(robots[0], pose),
        workspace=_cloud(robots[0], workspace),
        proof=None if pairs is None else [(*p.links, p.status, p.witness) for p in pairs.pairs],
        ranges=ranges,
        up=up,
    )
    made = View(pages_data(shown, extras=extras))
    if "ipykernel" not in sys.modules if browser is None else browser:
        made.open()
    return made


class View:
    """A page with a robot; ``open`` shows it, ``save`` and ``png`` write it."""

    def __init__(self, page: PageData) -> None:
        self.findings = page.findings
        self._data = page.bytes
        self._server: PageServer | None = None

    def html(self) -> bytes:
        """The page as one self-contained file."""
        return filled_page(self._data)

    def save(self, path: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Write the page as one self-contained file; FileExistsError unless ``overwrite`` replaces one."""
        write_atomic(fspath(path), self.html(), overwrite)

    def png(
        self,
        path: str | PathLike[str],
        size: Size = USUAL,
        *,
        time: float | None = None,
        overwrite: bool = False,
    ) -> None:
        """Write the initial view as a picture; BrowserError if no Chromium is installed.

        A run is drawn at a ``time`` in s, by default at its end. FileExistsError unless ``overwrite``
        replaces an existing file.
        """
        write_atomic(fspath(path), picture(self._data, size, time=time), overwrite)

    def gif(
        self,
        path: str | PathLike[str],
        size: Size = (640, 480),
        *,
        rate: float = 20.0,
        speed: float = 1.0,
        overwrite: bool = False,
    ) -> None:
        """Write the motion or run as an animated picture of ``rate`` frames per second.

        ``speed`` 0.5 is half as fast. BrowserError without Chromium or without a motion; FileExistsError
        unless ``overwrite`` replaces an existing file.
        """
        write_atomic(fspath(path), animation(self._data, size, rate=rate, speed=speed), overwrite)

    @property
    def address(self) -> str:
        """The loopback address of the page, served until :meth:`close` or the end of the program."""
        if self._server is None:
            self._server = PageServer(self._data)
            threading.Thread(
                target=self._server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True
            ).start()
        return self._server.address

    def open(self) -> View:
        """Open the page in a browser, if there is a display."""
        address = self.address
        server = self._server
        if has_browser() and webbrowser.open(address) and server is not None:
            # A fetched page does not need the program any more.
            atexit.register(server.fetched.wait, _PATIENCE)
        return self

    def close(self) -> None:
        """Stop serving the page."""
        if self._server is not None:
            self._server.fetched.set()
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def __enter__(self) -> View:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<View at {self.address}>" if self._server is not None else "<View>"

    def _repr_html_(self) -> str:
        """The page in a notebook cell: a sandboxed frame."""
        text = html.escape(self.html().decode())
        return (
            f'<iframe srcdoc="{text}" sandbox="allow-scripts" title="unibody" '
            'allow="clipboard-write; fullscreen" '
            f'style="width: 100%; height: {_HEIGHT}px; border: 0"></iframe>'
        )


def has_browser() -> bool:
    """Whether there is a display; without one, a text browser would take over the terminal."""
    if sys.platform in ("win32", "darwin") or os.environ.get("BROWSER"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _pose(robot: Robot, pose: Mapping[str, Any] | str | None) -> dict[str, Any]:
    if not isinstance(pose, str):
        return dict(pose or {})
    known = ", ".join(c.name for c in robot.configurations)
    if any(c.name == pose for c in robot.configurations):
        return dict(posture(robot, pose))
    raise ValueError(
        f"unknown configuration '{pose}'; " + (f"the robot has {known}" if known else "the robot has none")
    )


def _cloud(robot: Robot, workspace: Any) -> Cloud | None:
    if workspace is None:
        return None
    cloud = sampled(robot, workspace) if isinstance(workspace, str) else given(workspace)
    if not len(cloud.points):
        raise ValueError("the workspace has no points: no sample closes the loops of the robot")
    return cloud


def _motion(robot: Robot, motion: Any) -> Motion:
    from unibody.mechanism import assemble
    from unibody.motions.motion import Motion, motion_of
    from unibody.motions.plan import path_of
    from unibody.page.motion import playable
    from unibody.page.robot import computable

    mechanism: Mechanism = assemble(computable(robot))
    if hasattr(motion, "points"):
        motion = path_of(mechanism, motion.points)
    elif not isinstance(motion, Motion):
        motion = motion_of(mechanism, motion)
    return playable(motion, mechanism)
