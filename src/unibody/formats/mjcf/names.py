"""The names of a robot and of its own elements to which attributes of MJCF refer, for edits."""

from __future__ import annotations

from collections.abc import Mapping

#: Sites are frames of the model, or stand in the world.
SITES = ("frames", "sites")
CAMERAS = ("devices", "cameras")
#: The names that an object type of MuJoCo stands for.
OBJECTS: Mapping[str, tuple[str, ...]] = {
    "body": ("links",),
    "xbody": ("links",),
    "joint": ("joints",),
    "geom": ("geoms",),
    "site": SITES,
    "camera": CAMERAS,
    "tendon": ("tendons",),
    "actuator": ("actuators",),
    "sensor": ("devices", "sensors"),
}
