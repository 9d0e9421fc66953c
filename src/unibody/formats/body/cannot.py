"""What a Body file cannot say of a robot, and why; every measured loss is explained by a row."""

from __future__ import annotations

from unibody.formats.cannot import SCREWS, chains, passive_forces
from unibody.formats.conditions import (
    gone,
    in_units,
    kind,
    made,
    new,
    shape,
    spec,
    stretched,
    uneven,
    value,
    was,
)
from unibody.formats.format import Cannot
from unibody.model import shape as s
from unibody.model.device import Camera, Opaque

_SHAPE = "links/*/*s/*"
_MESH = f"{_SHAPE}/geometry"
_ELLIPSOID = "an ellipsoid is a sphere under a scale"
_SIDES = "how finely shapes are drawn is said of boxes and round shapes only"
_WINDING = "faces are counter-clockwise; others are written the other way round"
_CORNERS = "normals and colours belong to corners, not to faces"
_SCALED = "a mesh file whose surface is given as geometry is scaled by its Shape"
_STRETCH = "a stretch is a symmetric one, and the rest of it a turn"
_UNIT = "millimetres and inches are words; others go into the scale"
_ELSEWHERE = "their kind is a word for something else here"
_RULES = "rules begin with all pairs and give what is left out"


def blind(device: object) -> bool:
    """A camera without image."""
    found = getattr(device, "spec", None)
    return isinstance(found, Camera) and found.image == "none"


CANNOT: tuple[Cannot, ...] = (
    # shapes
    Cannot("ellipsoids", _MESH, _ELLIPSOID, was(s.Ellipsoid)),
    Cannot("ellipsoids", f"{_SHAPE}/linear", _ELLIPSOID, None, shape(s.Ellipsoid)),
    Cannot("planes", _MESH, "a plane becomes a square of two triangles", was(s.Plane)),
    Cannot(
        "extrusions straight down", _MESH, "Choreonoid turns their sections another way", was(s.Extrusion)
    ),
    Cannot("other mesh files", f"{_MESH}/uri", "Choreonoid opens STL, OBJ, COLLADA and VRML files"),
    Cannot("points", _SHAPE, "there are no points", gone, shape(s.PointSet)),
    Cannot("lines of collisions", "links/*/collisions/*", "lines are drawn only", gone, shape(s.LineSet)),
    Cannot("shapes without extent", _SHAPE, "Choreonoid refuses sizes of nothing", gone),
    Cannot("cylinders without side", f"{_MESH}/side", "a cylinder or cone has its side", made(True)),
    Cannot(
        "scales of coloured mesh files", f"{_MESH}/scale", _SCALED, made((1.0, 1.0, 1.0)), shape(s.MeshFile)
    ),
    Cannot("scales of coloured mesh files", f"{_SHAPE}/linear", _SCALED, new, shape(s.MeshFile)),
    Cannot("stretched shapes", f"{_SHAPE}/pose/quat", _STRETCH, None, stretched),
    Cannot("stretched shapes", f"{_SHAPE}/linear", _STRETCH, None, stretched),
    Cannot(
        "parts of mesh files", f"{_MESH}/without/**", "what a part goes without follows from the others"
    ),
    Cannot("units of mesh files", f"{_MESH}/unit", _UNIT, gone),
    Cannot("units of mesh files", f"{_MESH}/scale", _UNIT, None, in_units),
    Cannot("upward axes of mesh files", f"{_MESH}/up_axis", "Y is a word; X goes into the turn", gone),
    Cannot(
        "upward axes of mesh files",
        f"{_SHAPE}/pose/quat",
        "Y is a word; X goes into the turn",
        None,
        in_units,
    ),
    Cannot("winding of faces", f"{_MESH}/ccw", _WINDING),
    Cannot("winding of faces", f"{_MESH}/faces", _WINDING),
    Cannot("winding of faces", f"{_MESH}/tex_coord_indices", _WINDING),
    Cannot("winding of faces", f"{_MESH}/section", _WINDING),
    Cannot("normals and colours of faces", f"{_MESH}/*_per_vertex", _CORNERS, made(True), shape(s.Mesh)),
    Cannot("normals and colours of faces", f"{_MESH}/normal_indices", _CORNERS),
    Cannot("normals and colours of faces", f"{_MESH}/color_indices", _CORNERS, None, shape(s.Mesh)),
    Cannot("convex faces", f"{_MESH}/convex", "it is not said whether faces are convex", made(False)),
    Cannot(
        "normals and colours of grids", f"{_MESH}/*", "a grid has neither", None, shape(s.ElevationGrid)
    ),
    Cannot("paths and colours of lines", f"{_MESH}/*", "lines are pairs of points", None, shape(s.LineSet)),
    Cannot(
        "images of lines", f"{_SHAPE}/material/texture", "lines have colours only", gone, shape(s.LineSet)
    ),
    Cannot("numbers of sides", f"{_SHAPE}/divisions", _SIDES, gone, quantity="bounds"),
    Cannot("a second collision model", "links/*/collisions_alt/**", "there is one", gone),
    # materials
    Cannot("names of materials", f"{_SHAPE}/material/name", "materials have no names", gone),
    Cannot("materials of mesh files", f"{_SHAPE}/material", "a mesh file has its own, but for STL", gone),
    Cannot("inline images", f"{_SHAPE}/material/texture/image", "images are files", gone),
    Cannot("inline images", f"{_SHAPE}/material/texture/uri", "images are files", new),
    # links and joints
    Cannot(
        "masses of zero",
        "links/*/inertial/**",
        "without mass there is no centre of mass",
        quantity="inertia",
    ),
    *chains("ball", "universal", "planar"),
    SCREWS,
    Cannot("uneven largest efforts", "joints/*/limits/effort", "one number for both directions", uneven),
    *passive_forces("joints have no passive forces"),
    Cannot(
        "tracks",
        "joints/*/actuator/mode",
        "a track is driven by its velocity",
        made("velocity"),
        kind("track"),
    ),
    Cannot(
        "surface velocities", "joints/*/actuator/mode", "only tracks have them", value("surface_velocity")
    ),
    Cannot("gears and rotors", "joints/*/actuator/gear_efficiency", "it is not among the keys", gone),
    Cannot("motors", "joints/*/actuator/*", "of motors only gear ratio and rotor inertia are said", gone),
    Cannot("order of joints", "joints", "a joint stands at its link"),
    # beside the tree
    Cannot("loops of some kinds", "loops/*", "there are ball, hinge, piston and fixed ones", gone),
    Cannot(
        "loops of some kinds", "loops/*/holds/swing", "of pistons Choreonoid holds no turns", made(True)
    ),
    Cannot(
        "axes of ball and fixed loops",
        "loops/*/axis",
        "only hinges and pistons have one",
        made((1.0, 0.0, 0.0)),
    ),
    Cannot("normalized coordinates", "coordinates/**", "there are none", gone),
    Cannot("mimic joints", "couplings/**", "joints are not coupled", gone),
    Cannot("grey images", "devices/*/spec/image", "images have colours", value("mono", "mono_depth")),
    Cannot("cameras without image", "devices/*", "every camera has an image", gone, blind),
    Cannot("view of fisheye cameras", "devices/*/spec/field_of_view", "a lens for all sides has none"),
    Cannot(
        "ranges of sensors",
        "devices/*/spec/*_distance",
        "cameras that measure have them, others not",
        None,
        spec(Camera),
    ),
    Cannot(
        "errors of sensors",
        "devices/*/spec/*",
        "cameras that measure have them, others not",
        None,
        spec(Camera),
    ),
    Cannot("data of other devices", "devices/*/spec/data", "they are keys and values of YAML"),
    Cannot("other devices", "devices/*", _ELSEWHERE, gone, spec(Opaque)),
    Cannot("order of devices", "devices", "a device stands at its link"),
    Cannot("frames", "frames/**", "there are none", gone),
    Cannot("groups", "groups/**", "all groups stand in one, link_group"),
    Cannot("configurations", "configurations/*", "there is one, standard_pose", gone),
    Cannot("configurations", "configurations/standard_pose/positions/**", "it is a list by joint ids"),
    Cannot("self-collision rules", "self_collision/default", _RULES, made("all")),
    Cannot("self-collision rules", "self_collision/enabled/**", _RULES, gone),
    Cannot("self-collision rules", "self_collision/disabled/**", _RULES, new),
    Cannot("fixed or free base", "base", "a root is either; free stands for unsaid, as in Choreonoid", new),
    Cannot("empty names", "name", "a robot without name is called as its file", new),
    Cannot("order of leftovers", "extras", "they stand where they belong"),
    Cannot("leftovers", "extras/**", "only the format that they come from has them, each key once"),
)
