"""Features of a robot that a Body file cannot represent, with reasons; explains every measured loss."""

from __future__ import annotations

from unibody.formats.body.write_devices import is_node
from unibody.formats.cannot import (
    CENTERS,
    HULLS,
    LENSES,
    MISSING_TEXTURES,
    PLANES,
    RANGES,
    SCREWS,
    SURROUNDINGS,
    UNKNOWN,
    chains,
    contacts,
    gravity,
    joint_ids,
    passive_forces,
    rates,
    unstated_base,
    weights,
)
from unibody.formats.conditions import (
    added,
    before_is,
    changed_to,
    in_units,
    kind,
    removed,
    shape,
    spec,
    stretched,
    uneven,
    value,
)
from unibody.formats.format import Cannot
from unibody.formats.images import OTHER_IMAGES
from unibody.model import shape as s
from unibody.model.device import Camera, ContactSwitch, Opaque

_SHAPE = "links/*/*s/*"
_MESH = f"{_SHAPE}/geometry"
_ELLIPSOID = "written as a scaled sphere"
_SIDES = "Body files have a division number for boxes and round shapes only"
_WINDING = "written counter-clockwise"
_CORNERS = "written per vertex"
_SCALED = "written as the scale of the Shape"
_STRETCH = "written as a rotation and a symmetric stretch"
_UNIT = "applied to the scale; Body files have keywords for millimeter and inch only"
_ELSEWHERE = "the kind has another meaning in Body files"
_RULES = "a pair is no longer adjacent if its joint is written as several"


def blind(device: object) -> bool:
    """Whether a device is a camera without image output."""
    found = getattr(device, "spec", None)
    return isinstance(found, Camera) and found.image == "none"


def _is_own(before: object, after: object) -> bool:
    """Whether the URI of a mesh file is of a kind that Choreonoid supports."""
    return str(before).lower().endswith((".stl", ".obj", ".dae"))


CANNOT: tuple[Cannot, ...] = (
    *SURROUNDINGS,
    UNKNOWN,
    HULLS,
    # shapes
    Cannot("ellipsoids", _MESH, _ELLIPSOID, before_is(s.Ellipsoid), outcome="converted"),
    Cannot("ellipsoids", f"{_SHAPE}/linear", _ELLIPSOID, None, shape(s.Ellipsoid), outcome="converted"),
    PLANES,
    Cannot(
        "extrusions along an oblique line",
        _MESH,
        "written as meshes; Choreonoid shears their sections",
        before_is(s.Extrusion),
        outcome="converted",
    ),
    Cannot(
        "missing mesh files",
        _SHAPE,
        "Choreonoid rejects a file with missing or unreadable meshes",
        removed,
        shape(s.MeshFile),
        outcome="omitted",
    ),
    MISSING_TEXTURES,
    OTHER_IMAGES,
    Cannot(
        "mesh files that Choreonoid rejects",
        f"{_MESH}/uri",
        "written anew; Choreonoid rejects text STL files with a long first line or several solids, and OBJ "
        "files of which some faces have normals",
        _is_own,
        outcome="converted",
    ),
    Cannot(
        "mesh files of other types",
        f"{_MESH}/uri",
        "written in one of the formats that Choreonoid supports: STL, OBJ, COLLADA and VRML",
        outcome="converted",
    ),
    Cannot("points", _SHAPE, "not representable in Body files", removed, shape(s.PointSet)),
    Cannot(
        "lines of collisions",
        "links/*/collisions/*",
        "Choreonoid draws lines but does not collide with them",
        removed,
        shape(s.LineSet),
    ),
    Cannot("shapes without extent", _SHAPE, "Choreonoid rejects zero sizes", removed),
    Cannot(
        "cylinders without side surface",
        f"{_MESH}/side",
        "Body cylinders and cones always have a side",
        changed_to(True),
    ),
    Cannot(
        "scales of colored mesh files",
        f"{_MESH}/scale",
        _SCALED,
        changed_to((1.0, 1.0, 1.0)),
        shape(s.MeshFile),
        outcome="converted",
    ),
    Cannot(
        "scales of colored mesh files",
        f"{_SHAPE}/linear",
        _SCALED,
        added,
        shape(s.MeshFile),
        outcome="converted",
    ),
    Cannot("stretched shapes", f"{_SHAPE}/pose/quat", _STRETCH, None, stretched, outcome="converted"),
    Cannot("stretched shapes", f"{_SHAPE}/linear", _STRETCH, None, stretched, outcome="converted"),
    Cannot(
        "parts of mesh files",
        f"{_MESH}/without/**",
        "derived from the other parts in use",
        outcome="converted",
    ),
    Cannot(
        "parts of mesh files",
        f"{_MESH}/fragment",
        "a part that is at its center is a file of its own",
        removed,
        outcome="converted",
    ),
    CENTERS,
    Cannot("units of mesh files", f"{_MESH}/unit", _UNIT, removed, outcome="converted"),
    Cannot("units of mesh files", f"{_MESH}/scale", _UNIT, None, in_units, outcome="converted"),
    Cannot(
        "up axes of mesh files",
        f"{_MESH}/up_axis",
        "applied to the rotation; Body files have a keyword for Y only",
        removed,
        outcome="converted",
    ),
    Cannot(
        "up axes of mesh files",
        f"{_SHAPE}/pose/quat",
        "applied to the rotation; Body files have a keyword for Y only",
        None,
        in_units,
        outcome="converted",
    ),
    Cannot("winding of faces", f"{_MESH}/ccw", _WINDING, outcome="converted"),
    Cannot("winding of faces", f"{_MESH}/faces", _WINDING, outcome="converted"),
    Cannot("winding of faces", f"{_MESH}/tex_coord_indices", _WINDING, outcome="converted"),
    Cannot("winding of faces", f"{_MESH}/section", _WINDING, outcome="converted"),
    Cannot(
        "per-face normals and colors",
        f"{_MESH}/*_per_vertex",
        _CORNERS,
        changed_to(True),
        shape(s.Mesh),
        outcome="converted",
    ),
    Cannot("per-face normals and colors", f"{_MESH}/normal_indices", _CORNERS, outcome="converted"),
    Cannot(
        "per-face normals and colors",
        f"{_MESH}/color_indices",
        _CORNERS,
        None,
        shape(s.Mesh),
        outcome="converted",
    ),
    Cannot("convex faces", f"{_MESH}/convex", "Body meshes have no convex flag", changed_to(False)),
    Cannot(
        "normals and colors of grids",
        f"{_MESH}/*",
        "not representable in Body files",
        None,
        shape(s.ElevationGrid),
    ),
    Cannot(
        "polylines and line colors", f"{_MESH}/*", "written as uncolored segments", None, shape(s.LineSet)
    ),
    Cannot(
        "textured lines",
        f"{_SHAPE}/material/texture",
        "not representable in Body files",
        removed,
        shape(s.LineSet),
    ),
    contacts("materials of links are in a table beside the file"),
    Cannot("tessellation", f"{_SHAPE}/divisions", _SIDES, removed, quantity="bounds", outcome="converted"),
    Cannot(
        "second collision models",
        "links/*/collisions_alt/**",
        "Body files have one collision model",
        removed,
    ),
    # materials
    Cannot("names of materials", f"{_SHAPE}/material/name", "Body materials are unnamed", removed),
    Cannot(
        "materials of mesh files",
        f"{_SHAPE}/material",
        "taken from the mesh file, except for STL",
        removed,
        outcome="converted",
    ),
    Cannot(
        "inline textures",
        f"{_SHAPE}/material/texture/image",
        "Body textures are image files",
        removed,
        outcome="converted",
    ),
    Cannot(
        "inline textures",
        f"{_SHAPE}/material/texture/uri",
        "Body textures are image files",
        added,
        outcome="converted",
    ),
    # links and joints
    Cannot(
        "zero masses",
        "links/*/inertial/**",
        "a massless link has no center of mass",
        quantity="inertia",
        outcome="converted",
    ),
    joint_ids("joint_id"),
    *chains("ball", "universal", "planar"),
    *SCREWS,
    *rates("Body files have velocity and effort limits only"),
    Cannot(
        "asymmetric effort limits",
        "joints/*/limits/effort",
        "Body files have one limit for both directions",
        uneven,
    ),
    *passive_forces("Body joints have no passive forces"),
    Cannot(
        "tracks",
        "joints/*/actuator/mode",
        "tracks are velocity-driven",
        changed_to("velocity"),
        kind("track"),
        outcome="converted",
    ),
    weights("not representable in Body files"),
    *gravity(
        "Choreonoid has that of the earth, unless a project states another one",
        "Choreonoid has it in its projects: set it in the simulator item",
    ),
    Cannot(
        "surface velocities",
        "joints/*/actuator/mode",
        "supported for tracks only",
        value("surface_velocity"),
    ),
    Cannot(
        "gears and rotors", "joints/*/actuator/gear_efficiency", "not representable in Body files", removed
    ),
    Cannot(
        "actuator offsets",
        "joints/*/actuator/offset",
        "Body files have gear ratio and rotor inertia only",
        removed,
    ),
    Cannot("motors", "joints/*/actuator/*", "Body files have gear ratio and rotor inertia only", removed),
    Cannot("order of joints", "joints", "written in the order of the links", outcome="converted"),
    # beside the tree
    Cannot("other loops", "loops/*", "Body files have ball, hinge, piston and fixed loops", removed),
    Cannot(
        "other loops",
        "loops/*/holds/swing",
        "Choreonoid does not constrain the rotation of pistons",
        changed_to(True),
    ),
    Cannot(
        "axes of ball and fixed loops",
        "loops/*/axis",
        "only hinges and pistons have an axis",
        changed_to((1.0, 0.0, 0.0)),
        outcome="converted",
    ),
    Cannot("normalized coordinates", "coordinates/**", "not representable in Body files", removed),
    Cannot("mimic joints", "couplings/**", "not representable in Body files", removed),
    Cannot(
        "grayscale cameras",
        "devices/*/spec/image",
        "written as color images",
        value("mono", "mono_depth"),
        outcome="converted",
    ),
    Cannot(
        "cameras without image output", "devices/*", "Body cameras always output images", removed, blind
    ),
    Cannot(
        "field of view of fisheye cameras",
        "devices/*/spec/field_of_view",
        "a DUAL_FISHEYE lens has no field of view",
    ),
    *LENSES,
    Cannot(
        "sensor ranges",
        "devices/*/spec/*_distance",
        "supported for depth cameras only",
        None,
        spec(Camera),
    ),
    Cannot(
        "sensor noise",
        "devices/*/spec/*",
        "supported for depth cameras only",
        None,
        spec(Camera),
    ),
    Cannot("contact switches", "devices/*", "Choreonoid has no such device", removed, spec(ContactSwitch)),
    Cannot(
        "devices that Choreonoid lacks",
        "devices/*",
        "written as optional nodes, which Choreonoid skips",
        removed,
        lambda device: not is_node(device.spec),
    ),
    Cannot(
        "data of other devices",
        "devices/*/spec/data",
        "written as YAML keys and values",
        outcome="converted",
    ),
    Cannot("other devices", "devices/*", _ELSEWHERE, removed, spec(Opaque)),
    Cannot("order of devices", "devices", "written in the order of the links", outcome="converted"),
    Cannot("frames", "frames/**", "not representable in Body files", removed),
    Cannot("passive joints", "joints/*/passive", "Choreonoid has no such mark", changed_to(False)),
    Cannot("groups", "groups/**", "nested in one group, link_group", outcome="converted"),
    Cannot("configurations", "configurations/*", "Body files have one, standard_pose", removed),
    Cannot(
        "configurations",
        "configurations/standard_pose/positions/**",
        "written as a list by joint id",
        outcome="converted",
    ),
    Cannot(
        "self-collision rules", "self_collision/default", _RULES, changed_to("all"), outcome="converted"
    ),
    Cannot("self-collision rules", "self_collision/disabled/**", _RULES, added, outcome="converted"),
    RANGES,
    unstated_base("free"),
    Cannot("empty names", "name", "using the file name", added, outcome="assumed"),
    Cannot(
        "order of vendor data", "extras", "written next to the element they belong to", outcome="converted"
    ),
    Cannot(
        "vendor data",
        "extras/**",
        "a Body file has no place for elements of other formats, or for keys already written",
        outcome="omitted",
    ),
)
