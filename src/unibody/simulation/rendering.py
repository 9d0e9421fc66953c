"""Pictures of the engine's geometry from any pose, by MuJoCo's renderer without a window."""

from __future__ import annotations

import math
import os
import sys
from ctypes.util import find_library
from typing import TYPE_CHECKING, Any

import numpy as np

from unibody.model.arrays import Floats, Pixels
from unibody.simulation.lights import Lights
from unibody.simulation.rays import DRAWN

if TYPE_CHECKING:
    from unibody.simulation.cameras import Lens

# Geoms of a scene besides those of the model: none, but a flex or a skin is one, too.
_SPARE = 100
# Values of MUJOCO_GL that switch rendering off.
_OFF = ("disable", "disabled", "off", "false", "0")
# Parts of a side of a box: lights are computed at corners, and a spot light is as wide as some of them.
_QUADS = 28
# Sides of drawn circles: a sphere of radius r is at most r / 3000 too small.
_SLICES = 120


class RenderingError(RuntimeError):
    """Raised if pictures cannot be drawn on this machine; the message says what is missing."""


def _context(width: int, height: int) -> Any:
    """An OpenGL context without a window: by EGL or OSMesa on Linux, natively elsewhere."""
    wanted = os.environ.get("MUJOCO_GL", "").lower().strip()
    if wanted in _OFF:
        raise RenderingError(
            f"camera pictures are switched off by MUJOCO_GL={wanted}: unset it, or set it to egl or osmesa"
        )
    if sys.platform == "linux":
        kinds = [wanted] if wanted in ("egl", "osmesa") else ["egl", "osmesa"]
        libraries = {"egl": "EGL", "osmesa": "OSMesa"}
        for kind in kinds:
            if find_library(libraries[kind]) is None:
                continue
            try:
                return _context_of(kind)(width, height)
            except (ImportError, AttributeError, RuntimeError, OSError):
                continue
        raise RenderingError(
            "camera pictures need OpenGL without a window, and neither EGL nor OSMesa is there: "
            "install libegl1 and libgl1-mesa-dri, or libosmesa6"
        )
    import mujoco

    try:
        return mujoco.GLContext(width, height)
    except Exception as error:
        raise RenderingError(f"camera pictures need OpenGL, which failed here: {error}") from error


def _context_of(kind: str) -> Any:
    if kind == "egl":
        from mujoco.egl import GLContext
    else:
        from mujoco.osmesa import GLContext
    return GLContext


class Renderer:
    """Draws the visual shapes of a compiled model, as far as OpenGL is there; else RenderingError.

    Colors are smoothed by several samples for each pixel, and depths taken at the pixels' centers.
    """

    def __init__(self, model: Any, lights: Lights, width: int, height: int) -> None:
        import mujoco

        self._mujoco, self.model, self._lights = mujoco, model, lights
        self.width, self.height = width, height
        self._window = _context(width, height)
        self._window.make_current()
        self._contexts: dict[bool, Any] = {}
        self._scene = mujoco.MjvScene(model, maxgeom=model.ngeom + model.nskin + model.nflex + _SPARE)
        self._scene.flags[mujoco.mjtRndFlag.mjRND_SHADOW] = 0
        self._scene.flags[mujoco.mjtRndFlag.mjRND_REFLECTION] = 0
        self._option = mujoco.MjvOption()
        self._option.geomgroup[:] = DRAWN
        self._option.sitegroup[:] = 0
        self._option.flags[mujoco.mjtVisFlag.mjVIS_RANGEFINDER] = 0
        self._camera = mujoco.MjvCamera()
        self._camera.type = mujoco.mjtCamera.mjCAMERA_USER

    def close(self) -> None:
        """Free what the graphics driver holds."""
        self._window.make_current()
        for context in self._contexts.values():
            context.free()
        self._contexts.clear()
        self._window.free()

    def fits(self, width: int, height: int) -> bool:
        """Whether pictures of this size can be drawn."""
        return width <= self.width and height <= self.height

    def color(self, data: Any, pose: Floats, lens: Lens, size: tuple[int, int]) -> Pixels:
        """The picture (height, width, 3) of a lens at ``pose`` (4, 4), which looks along -Z with Y up.

        ``size`` is the width and height in pixels. The top row is first.
        """
        out = np.empty((size[1], size[0], 3), np.uint8)
        self._draw(data, pose, lens, out, None)
        return out[::-1]

    def depth(self, data: Any, pose: Floats, lens: Lens, size: tuple[int, int]) -> Floats:
        """The depths (height, width) along -Z in m at the centers of the pixels; inf where nothing is."""
        out = np.empty((size[1], size[0]), np.float32)
        self._draw(data, pose, lens, None, out)
        near, far = lens.near, lens.far
        part = out[::-1].astype(np.float64)  # 1 at the near plane, 0 at the far one
        depths: Floats = (
            far - part * (far - near) if lens.orthographic else near * far / (near + part * (far - near))
        )
        depths[part <= 0.0] = math.inf
        return depths

    def _draw(self, data: Any, pose: Floats, lens: Lens, color: Pixels | None, depth: Any) -> None:
        mujoco, scene = self._mujoco, self._scene
        self._window.make_current()
        context = self._context_for(smooth=color is not None)
        unit = 1.0 if lens.orthographic else lens.near
        for eye in scene.camera:
            eye.pos[:], eye.up[:], eye.forward[:] = pose[:3, 3], pose[:3, 1], -pose[:3, 2]
            eye.frustum_center = 0.5 * unit * (lens.left + lens.right)
            eye.frustum_width = 0.5 * unit * (lens.right - lens.left)
            eye.frustum_bottom, eye.frustum_top = unit * lens.bottom, unit * lens.top
            eye.frustum_near, eye.frustum_far = lens.near, lens.far
            eye.orthographic = lens.orthographic
        mujoco.mjv_updateScene(
            self.model, data, self._option, None, self._camera, mujoco.mjtCatBit.mjCAT_ALL, scene
        )
        self._lights.light(scene)
        height, width = (color if color is not None else depth).shape[:2]
        view = mujoco.MjrRect(0, 0, width, height)
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, context)
        mujoco.mjr_render(view, scene, context)
        mujoco.mjr_readPixels(color, depth, view, context)

    def _context_for(self, smooth: bool) -> Any:
        found = self._contexts.get(smooth)
        if found is not None:
            return found
        mujoco, visual = self._mujoco, self.model.vis
        wanted = [
            (visual.global_, "offwidth", self.width),
            (visual.global_, "offheight", self.height),
            (visual.quality, "offsamples", visual.quality.offsamples if smooth else 0),
            (visual.quality, "numquads", max(visual.quality.numquads, _QUADS)),
            (visual.quality, "numslices", max(visual.quality.numslices, _SLICES)),
            (visual.quality, "numstacks", max(visual.quality.numstacks, _SLICES // 2)),
        ]
        kept = [getattr(part, name) for part, name, _ in wanted]
        for part, name, value in wanted:
            setattr(part, name, value)
        try:
            found = mujoco.MjrContext(self.model, mujoco.mjtFontScale.mjFONTSCALE_100)
        finally:
            for (part, name, _), value in zip(wanted, kept, strict=True):
                setattr(part, name, value)
        found.readDepthMap = mujoco.mjtDepthMap.mjDEPTH_ZEROFAR
        self._contexts[smooth] = found
        return found
