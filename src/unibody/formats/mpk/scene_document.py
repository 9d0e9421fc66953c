"""MPK's own nodes in Open Inventor files, declared; all are Separators."""

from __future__ import annotations

from unibody.document.declare import element, key
from unibody.formats.inventor import document as inventor
from unibody.formats.inventor import values as v

ROBOT_TYPE = v.enum("GENERIC", "FREEFLYINGOBJECT", "DEMOROBOT")
#: The name of the nodes below an obstacle that are tested for collisions.
TRIANGULATE = "__triangulate__"


@element
class MpkNode(inventor.Other):
    """Base of MPK's nodes: what stands in their braces is drawn."""

    SKIPPED = False
    render_caching: str = key(v.enum("ON", "OFF", "AUTO"), "AUTO", name="renderCaching")
    bounding_box_caching: str = key(v.enum("ON", "OFF", "AUTO"), "AUTO", name="boundingBoxCaching")
    render_culling: str = key(v.enum("ON", "OFF", "AUTO"), "AUTO", name="renderCulling")
    pick_culling: str = key(v.enum("ON", "OFF", "AUTO"), "AUTO", name="pickCulling")


@element
class MpkRobot(MpkNode):
    """A robot: a .rob file, or one that MPK defines itself, at a base pose of its own."""

    TAG = "mpkRobot"
    robot_type: str = key(ROBOT_TYPE, "GENERIC", name="robotType")
    translation: tuple[float, ...] = key(v.SF_VEC3F, (0.0, 0.0, 0.0), unit="m")
    rotation: tuple[float, ...] = key(
        v.SF_VEC4F, (1.0, 0.0, 0.0, 0.0), doc="axis and angle; a zero axis is none"
    )
    scale_factor: float = key(v.SF_FLOAT, 1.0, name="scaleFactor")
    file_name: str = key(v.SF_STRING, "", name="fileName")
    file_name2: str = key(v.SF_STRING, "", name="fileName2", doc="second model of a free-flying object")


@element
class MpkObstacle(MpkNode):
    """An obstacle: all below it is drawn, what is called __triangulate__ is tested for collisions."""

    TAG = "mpkObstacle"


@element
class MpkIncludeFile(MpkNode):
    """The nodes of another file; its own name and ':' are put before the names in it."""

    TAG = "mpkIncludeFile"
    name: str = key(v.SF_STRING, "")


NODES = {cls.TAG: cls for cls in (MpkRobot, MpkObstacle, MpkIncludeFile)}
