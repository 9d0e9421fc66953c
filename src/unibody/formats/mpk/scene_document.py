"""Declaration of MPK's nodes in Open Inventor files; all are Separators."""

from __future__ import annotations

from unibody.document.declare import element, key
from unibody.formats.inventor import document as inventor
from unibody.formats.inventor import values as v

ROBOT_TYPE = v.enum("GENERIC", "FREEFLYINGOBJECT", "DEMOROBOT")
#: Name of the collision nodes of an obstacle.
TRIANGULATE = "__triangulate__"


@element
class MpkNode(inventor.Other):
    """Base of MPK's nodes; their children are drawn."""

    SKIPPED = False
    render_caching: str = key(v.enum("ON", "OFF", "AUTO"), "AUTO", name="renderCaching")
    bounding_box_caching: str = key(v.enum("ON", "OFF", "AUTO"), "AUTO", name="boundingBoxCaching")
    render_culling: str = key(v.enum("ON", "OFF", "AUTO"), "AUTO", name="renderCulling")
    pick_culling: str = key(v.enum("ON", "OFF", "AUTO"), "AUTO", name="pickCulling")


@element
class MpkRobot(MpkNode):
    """A robot at a base pose: a .rob file or a robot built into MPK."""

    TAG = "mpkRobot"
    robot_type: str = key(ROBOT_TYPE, "GENERIC", name="robotType")
    translation: tuple[float, ...] = key(v.SF_VEC3F, (0.0, 0.0, 0.0), unit="m")
    rotation: tuple[float, ...] = key(
        v.SF_VEC4F, (1.0, 0.0, 0.0, 0.0), doc="axis and angle; a zero axis is no rotation"
    )
    scale_factor: float = key(v.SF_FLOAT, 1.0, name="scaleFactor")
    file_name: str = key(v.SF_STRING, "", name="fileName")
    file_name2: str = key(v.SF_STRING, "", name="fileName2", doc="second model of a free-flying object")


@element
class MpkObstacle(MpkNode):
    """An obstacle; its children are drawn, nodes named __triangulate__ are tested for collisions."""

    TAG = "mpkObstacle"


@element
class MpkIncludeFile(MpkNode):
    """The nodes of another file; its DEF name and ':' are prepended to their names."""

    TAG = "mpkIncludeFile"
    name: str = key(v.SF_STRING, "")


NODES = {cls.TAG: cls for cls in (MpkRobot, MpkObstacle, MpkIncludeFile)}
