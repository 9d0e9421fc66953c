"""The names of a robot and of its own elements to which attributes of MJCF refer, for edits."""

from __future__ import annotations

from collections.abc import Mapping

#: Sites are frames of the model, or stand in the world.
SITES = ("frames", "sites")
CAMERAS = ("devices", "cameras")
#: The names that an object type of MuJoCo stands for; none if edits do not change them.
OBJECTS: Mapping[str, tuple[str, ...]] = {
    "body": ("links",),
    "xbody": ("links",),
    "joint": ("joints",),
    "geom": ("geoms",),
    "site": SITES,
    "camera": CAMERAS,
    "light": ("devices", "lights"),
    "flex": ("flexes",),
    "tendon": ("tendons",),
    "equality": ("equalities",),
    "actuator": ("actuators",),
    "sensor": ("devices", "sensors"),
    "mesh": (),
    "hfield": (),
    "material": (),
    "texture": (),
}
#: The attributes that name the default class of an element, and of those inside.
CLASS_WORDS = ("class", "childclass")
