"""Cameras of a simulation, by their definitions: colors, depths and points in the camera's frame.

A camera looks along -Z with Y up. Its field of view is across the shorter side of the picture; its pixels
are squares, and the optical axis meets the middle of the picture, where it does not state others (facts,
simulation 8).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from unibody.formats.mjcf.engine import has_camera
from unibody.model.arrays import Floats, Pixels
from unibody.model.device import Camera, Device
from unibody.model.robot import Robot
from unibody.simulation.checks import has_mjcf
from unibody.simulation.dynamics import Dynamics
from unibody.simulation.engine import Engine
from unibody.simulation.lights import Lights
from unibody.simulation.rays import cast
from unibody.simulation.rendering import Renderer, RenderingError
from unibody.text.near import suggestion

# Depths that OpenGL can tell apart: the nearest one where a file states none, and the farthest.
_NEAREST, _FARTHEST = 1e-3, 1e6
# A fish-eye lens is drawn from square pictures of 90 degrees, at most this wide.
_WIDEST_FACE = 2048
# The axes (3, 3) of pictures that look forward, back, right, left, up and down.
_FACES = (
    ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    ((-1, 0, 0), (0, 1, 0), (0, 0, -1)),
    ((0, 0, -1), (0, 1, 0), (1, 0, 0)),
    ((0, 0, 1), (0, 1, 0), (-1, 0, 0)),
    ((1, 0, 0), (0, 0, -1), (0, 1, 0)),
    ((1, 0, 0), (0, 0, 1), (0, -1, 0)),
)


class Cameras(Mapping[str, "CameraView"]):
    """The cameras of a simulation by name.

    Pictures are those of the present state, drawn when they are asked for. They need OpenGL without a
    window (EGL or OSMesa on Linux); RenderingError, a RuntimeError, says what is missing. They show the
    visual shapes, and those of the robot that holds the camera.
    """

    def __init__(self, dynamics: Dynamics, lights: Lights) -> None:
        self._dynamics, self._engine, self._lights = dynamics, dynamics.engine, lights
        engine = self._engine
        self._views: dict[str, CameraView] = {}
        for device in engine.robot.devices:
            body, in_body = engine.layout.place(engine.mechanism, device.link)
            if isinstance(device.spec, Camera) and device.on and body >= 0:
                pose = in_body @ np.array(device.pose.matrix())
                is_of_mjcf = _is_of_mjcf(engine.robot, device)
                self._views[device.name] = CameraView(
                    self, device.name, device.spec, body, pose, is_of_mjcf=is_of_mjcf
                )
        self._renderer: Renderer | None = None

    def __repr__(self) -> str:
        return f"<Cameras: {', '.join(self._views) or 'none'}>"

    def __iter__(self) -> Iterator[str]:
        return iter(self._views)

    def __len__(self) -> int:
        return len(self._views)

    def __getitem__(self, name: str) -> CameraView:
        found = self._views.get(name)
        if found is None:
            robot = self._engine.robot.name
            raise KeyError(f"{robot!r} has no camera {name!r}{suggestion(name, list(self._views))}")
        return found

    def close(self) -> None:
        """Free what the graphics driver holds; the next picture begins anew."""
        if self._renderer is not None:
            self._renderer.close()
            self._renderer = None

    def present(self) -> Engine:
        """The engine, with the positions of all bodies up to date."""
        self._dynamics.refresh()
        return self._engine

    def file_clip(self, spec: Camera) -> tuple[float, float]:
        """The clip distances of a camera of an MJCF file: MuJoCo's, where the file has the usual ones."""
        usual, extent, visual = Camera(), self._engine.extent, self._engine.model.vis.map
        return (
            extent * float(visual.znear) if spec.near == usual.near else spec.near,
            extent * float(visual.zfar) if spec.far == usual.far else spec.far,
        )

    def renderer(self, width: int, height: int) -> Renderer:
        """What draws pictures of this size, or larger ones."""
        found = self._renderer
        if found is None or not found.fits(width, height):
            if found is not None:
                width, height = max(width, found.width), max(height, found.height)
            self.close()
            found = self._renderer = Renderer(self._engine.model, self._lights, width, height)
        return found


@dataclass(frozen=True, slots=True)
class Lens:
    """What a camera with a normal lens sees: its bounds at a depth of 1 m, in m, and the clip distances.

    The bounds of an orthographic lens are those at all depths.
    """

    left: float
    right: float
    bottom: float
    top: float
    near: float
    far: float
    orthographic: bool = False


def _is_of_mjcf(robot: Robot, device: Device) -> bool:
    """Whether a camera is one of an MJCF file, whose clip distances are relative to the model's size."""
    return has_mjcf(robot) and has_camera(robot, device)


class CameraView:
    """A camera: ``color``, ``depth`` and ``points`` are what it sees now, ``spec`` what the file says."""

    def __init__(
        self,
        cameras: Cameras,
        name: str,
        spec: Camera,
        body: int,
        in_body: Floats,
        is_of_mjcf: bool = False,
    ) -> None:
        """``is_of_mjcf`` says that its clip distances are those of MuJoCo where ``spec`` has none."""
        self.name, self.spec, self._is_of_mjcf = name, spec, is_of_mjcf
        self._cameras, self._body, self._in_body = cameras, body, in_body

    def __repr__(self) -> str:
        width, height = self.size
        return f"<CameraView {self.name!r}: {width} x {height}, {self.spec.lens}>"

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture in pixels.

        Those of a fish-eye lens are equal; two of them stand side by side.
        """
        width, height = self.spec.width, self.spec.height
        return (width, {"normal": height, "fisheye": width, "dual_fisheye": width // 2}[self.spec.lens])

    @property
    def pose(self) -> Floats:
        """The pose of the camera in the world, (4, 4)."""
        return self._cameras.present().pose(self._body, self._in_body)

    @property
    def focal_length(self) -> float:
        """The focal length in pixels; ValueError for a fish-eye lens, and where ``intrinsics`` has two."""
        across, up, *_ = self.intrinsics
        if not math.isclose(across, up, rel_tol=1e-6):
            raise ValueError(f"camera {self.name!r} has two focal lengths, {across:g} and {up:g} pixels")
        return across

    @property
    def intrinsics(self) -> tuple[float, float, float, float]:
        """Focal lengths across and up, and the column and row of the axis, in pixels from the top left.

        ValueError for a fish-eye or an orthographic lens.
        """
        if self.spec.lens != "normal" or self._is_orthographic:
            kind = "orthographic" if self.spec.lens == "normal" else self.spec.lens
            raise ValueError(f"camera {self.name!r} has a {kind} lens, which has no focal length")
        return self._scales()

    def _scales(self) -> tuple[float, float, float, float]:
        """Pixels for each unit of the bounds of the lens, across and up, and the place of the axis."""
        lens, (width, height) = self._lens(), self._checked_size()
        across, up = width / (lens.right - lens.left), height / (lens.top - lens.bottom)
        return across, up, -lens.left * across, lens.top * up

    def _lens(self) -> Lens:
        """The bounds of what the camera sees; the lens must be a normal one."""
        spec, (width, height) = self.spec, self._checked_size()
        near, far = self._clip()
        span = spec.orthographic_span
        if span is None:
            span = 2.0 * math.tan(0.5 * spec.field_of_view)
        up = span / min(width, height)
        across = up / spec.focal_ratio
        right, down = spec.principal_offset
        return Lens(
            left=-(0.5 * width + right) * across,
            right=(0.5 * width - right) * across,
            bottom=-(0.5 * height - down) * up,
            top=(0.5 * height + down) * up,
            near=near,
            far=far,
            orthographic=self._is_orthographic,
        )

    @property
    def _is_orthographic(self) -> bool:
        return self.spec.orthographic_span is not None

    def color(self) -> Pixels:
        """The picture (height, width, 3), RGB from 0 to 255, the top row first.

        What is nearer than the near clip distance is looked through; what is beyond the far one is black.
        """
        engine, pose = self._cameras.present(), self.pose
        width, height = self._checked_size()
        if self.spec.lens == "normal":
            renderer = self._cameras.renderer(width, height)
            return renderer.color(engine.data, pose, self._lens(), (width, height))
        side = min(width, _WIDEST_FACE)
        renderer, (near, far) = self._cameras.renderer(side, side), self._clip()
        lens = Lens(left=-1.0, right=1.0, bottom=-1.0, top=1.0, near=near, far=far)
        directions, inside = lens_directions(self.spec.lens, width, height, self.spec.field_of_view)
        out = np.zeros((height, width, 3), np.uint8)
        face_of = np.where(inside, _faces_of(directions), -1)
        for face in np.unique(face_of[inside]).tolist():
            turned = pose.copy()
            turned[:3, :3] = pose[:3, :3] @ np.array(_FACES[face], float).T
            picture = renderer.color(engine.data, turned, lens, (side, side))
            mine = face_of == face
            local = directions[mine] @ np.array(_FACES[face], float).T
            out[mine] = _sampled(picture, local[:, :2] / -local[:, 2:])
        return out

    def depth(self, random: np.random.Generator | None = None) -> Floats:
        """The depths (height, width) in m along -Z at the centers of the pixels; inf without a return.

        A fish-eye lens gives distances along its rays instead. With ``random`` they have the noise and the
        misses that the file declares; without, they are exact.
        """
        engine, pose = self._cameras.present(), self.pose
        width, height = self._checked_size()
        if self.spec.lens == "normal":
            renderer = self._cameras.renderer(width, height)
            out = renderer.depth(engine.data, pose, self._lens(), (width, height))
        else:
            near, far = self._clip()
            directions, inside = lens_directions(self.spec.lens, width, height, self.spec.field_of_view)
            out = np.full((height, width), math.inf)
            rays = directions[inside] @ pose[:3, :3].T
            out[inside] = cast(engine.model, engine.data, pose[:3, 3], rays, near, far)
        least, most = self.spec.min_distance, self.spec.max_distance
        out[(out < (least or 0.0)) | (out > (math.inf if most is None else most))] = math.inf
        return out if random is None else self._disturbed(out, random)

    def points(self, random: np.random.Generator | None = None) -> Floats:
        """The points (height, width, 3) in m in the camera's frame; NaN without a return.

        A point is on the ray through the center of its pixel. In the order of ``color``.
        """
        depth = self.depth(random)
        if self.spec.lens == "normal" and self._is_orthographic:
            places = self._rays()
            places[..., 2] = -depth
            return np.where(np.isfinite(depth)[..., None], places, math.nan)
        return np.where(np.isfinite(depth)[..., None], self._rays() * depth[..., None], math.nan)

    def project(self, points: Any) -> Floats:
        """Column, row and depth (n, 3), in pixels from the top left corner and m, of points (n, 3).

        The points are in m in the camera's frame. ValueError for a fish-eye lens.
        """
        given = np.asarray(points, np.float64)
        depth = -given[..., 2]
        if self.spec.lens != "normal":
            raise ValueError(f"camera {self.name!r} has a {self.spec.lens} lens, which has no focal length")
        across, up, left, top = self._scales()
        with np.errstate(divide="ignore", invalid="ignore"):
            share = 1.0 if self._is_orthographic else 1.0 / depth
        column, row = left + across * share * given[..., 0], top - up * share * given[..., 1]
        return np.stack([column, row, depth], axis=-1)

    def _rays(self) -> Floats:
        width, height = self._checked_size()
        if self.spec.lens != "normal":
            return lens_directions(self.spec.lens, width, height, self.spec.field_of_view)[0]
        scale_x, scale_y, column, row = self._scales()
        across, up = np.meshgrid(
            (np.arange(width) + 0.5 - column) / scale_x, (row - np.arange(height) - 0.5) / scale_y
        )
        return np.stack([across, up, np.full_like(up, -1.0)], axis=-1)

    def _disturbed(self, depth: Floats, random: np.random.Generator) -> Floats:
        """Depths with noise along the rays, and with misses."""
        deviation, rate = self.spec.error_deviation or 0.0, self.spec.detection_rate
        if deviation > 0.0:
            flat = self.spec.lens == "normal" and self._is_orthographic
            lengths = 1.0 if flat else np.linalg.norm(self._rays(), axis=-1)
            depth = depth + deviation * random.standard_normal(depth.shape) / lengths
        if rate is not None and rate < 1.0:
            depth = np.where(random.random(depth.shape) < rate, depth, math.inf)
        return depth

    def _clip(self) -> tuple[float, float]:
        if self._is_of_mjcf:
            return self._cameras.file_clip(self.spec)
        near = self.spec.near if self.spec.near > 0.0 else _NEAREST
        far = min(self.spec.far, _FARTHEST)
        if not far > near:
            raise RenderingError(
                f"camera {self.name!r} sees nothing: its far clip distance {self.spec.far:g} m is not "
                f"beyond the near one, {near:g} m"
            )
        return near, far

    def _checked_size(self) -> tuple[int, int]:
        (width, height), view = self.size, self.spec.field_of_view
        if width < 1 or height < 1:
            raise RenderingError(f"camera {self.name!r} has no pixels: {width} x {height}")
        if self.spec.lens == "normal":
            self._check_lens()
        elif not 0.0 < view < 2.0 * math.pi + 1e-9:
            raise self._no_view("field of view", view, "rad")
        return width, height

    def _check_lens(self) -> None:
        """RenderingError for numbers that a normal lens cannot have."""
        spec, span = self.spec, self.spec.orthographic_span
        if span is None and not 0.0 < spec.field_of_view < math.pi:
            raise self._no_view("field of view", spec.field_of_view, "rad")
        if span is not None and not span > 0.0:
            raise self._no_view("orthographic span", span, "m")
        if not spec.focal_ratio > 0.0:
            raise self._no_view("focal ratio", spec.focal_ratio, "")

    def _no_view(self, what: str, value: float, unit: str) -> RenderingError:
        words = f"a {self.spec.lens} lens cannot have the {what} of camera {self.name!r}, {value:g} {unit}"
        return RenderingError(words.rstrip())


@lru_cache(maxsize=8)
def lens_directions(lens: str, width: int, height: int, field_of_view: float) -> tuple[Floats, Any]:
    """Unit vectors (height, width, 3) of the pixels of a fish-eye lens, and which pixels see anything.

    The angle from the axis grows with the distance from the center (equidistant projection). Of a dual
    lens the left half looks along -Z, the right half along Z, each over 180 degrees.
    """
    halves = 2 if lens == "dual_fisheye" else 1
    view = math.pi if halves == 2 else field_of_view
    side = width // halves
    x = (np.arange(side) + 0.5) / side * 2.0 - 1.0
    y = 1.0 - (np.arange(height) + 0.5) / height * 2.0
    across, up = np.meshgrid(x, y)
    radius = np.hypot(across, up)
    angle = 0.5 * view * radius
    part = 0.5 * view * np.sinc(angle / math.pi)  # sin(angle) / radius
    one = np.stack([across * part, up * part, -np.cos(angle)], axis=-1)
    inside = radius <= 1.0
    if halves == 2:
        one = np.concatenate([one, one * (-1.0, 1.0, -1.0)], axis=1)
        inside = np.concatenate([inside, inside], axis=1)
        rest = width - one.shape[1]
        one = np.pad(one, ((0, 0), (0, rest), (0, 0)), constant_values=1.0)
        inside = np.pad(inside, ((0, 0), (0, rest)))
    for array in (one, inside):
        array.setflags(write=False)
    return one, inside


def _faces_of(directions: Floats) -> Any:
    """The picture of ``_FACES`` that shows each direction."""
    forward = -np.array(_FACES, float)[:, 2, :]
    return np.argmax(directions @ forward.T, axis=-1)


def _sampled(picture: Pixels, at: Floats) -> Pixels:
    """Colors (n, 3) of a square picture, interpolated at places (n, 2) from -1 to 1."""
    side = len(picture)
    column = np.clip((at[:, 0] + 1.0) * 0.5 * side - 0.5, 0.0, side - 1.0)
    row = np.clip((1.0 - at[:, 1]) * 0.5 * side - 0.5, 0.0, side - 1.0)
    left, top = np.minimum(column.astype(int), side - 2), np.minimum(row.astype(int), side - 2)
    a, b = (column - left)[:, None], (row - top)[:, None]
    left, top = np.maximum(left, 0), np.maximum(top, 0)
    right, bottom = np.minimum(left + 1, side - 1), np.minimum(top + 1, side - 1)
    upper = picture[top, left] * (1.0 - a) + picture[top, right] * a
    lower = picture[bottom, left] * (1.0 - a) + picture[bottom, right] * a
    return np.asarray((upper * (1.0 - b) + lower * b).round(), np.uint8)
