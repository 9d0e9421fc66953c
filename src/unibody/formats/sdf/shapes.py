"""Reads visuals and collisions as shapes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from unibody.document.declare import Document
from unibody.formats.format import Context
from unibody.formats.heights import UPRIGHT
from unibody.formats.reference import find_mesh
from unibody.formats.sdf import document_shapes as d
from unibody.formats.sdf.colors import Rgba, script_color
from unibody.formats.sdf.kept import kept, wrapped
from unibody.formats.sdf.places import SCHEME, located, searched
from unibody.formats.sdf.polylines import Point, area, crossing, prism
from unibody.model import shape as s
from unibody.model.pose import IDENTITY, Pose, facing, unit
from unibody.text.fixes import divided_by_255
from unibody.text.node import Item

_KINDS = (
    "box",
    "cylinder",
    "sphere",
    "capsule",
    "ellipsoid",
    "cone",
    "plane",
    "mesh",
    "polyline",
    "heightmap",
    "image",
    "drake_capsule",
    "drake_ellipsoid",
    "empty",
)


def base_path(doc: Document, context: Context) -> str:
    """The path of the file that an element is written in, where its relative paths begin."""
    node = doc.node
    return node.source.name if node is not None and node.source is not None else context.path


@dataclass(slots=True)
class Shapes:
    """Reads the shapes of links, and collects what shapes of the model do not hold."""

    context: Context
    #: URIs of meshes that were not found, and the files that name them.
    lost: set[tuple[str, str]] = field(default_factory=set)

    def visual(self, doc: d.Visual, pose: Pose, owner: str) -> tuple[s.Shape | None, list[Item]]:
        """A visual at a pose in its link, and what is kept of it; no shape after a finding."""
        what = f"link '{owner}': visual '{doc.name}'"
        left = kept(doc, "cast_shadows", "laser_retro", "plugins", "meta", "visibility_flags", "frames")
        material, more = self._material(doc.material, doc.transparency, what)
        left += more
        found, more = self._geometry(doc.geometry, what, is_collision=False)
        left += more
        if found is None:
            left = kept(doc, *sorted(doc.given - {"name"}))
            return None, wrapped("visual", left, doc.name or "")
        rest = wrapped("visual", left, doc.name or "")
        shape = s.Shape(
            geometry=found[0],
            name=doc.name or "",
            pose=pose if found[1] is IDENTITY else pose @ found[1],
            material=material,
            at=doc.at(),
        )
        return shape, rest

    def collision(self, doc: d.Collision, pose: Pose, owner: str) -> tuple[s.Shape | None, list[Item]]:
        """A collision at a pose in its link, and what is kept of it; no shape after a finding."""
        what = f"link '{owner}': collision '{doc.name}'"
        left = kept(doc, "laser_retro", "max_contacts", "frames", "density", "auto_inertia_params")
        contact, more = _contact(doc.surface)
        left += more
        if doc.drake_proximity is not None:
            contact = contact or _of_drake(doc.drake_proximity)
            left += kept(doc, "drake_proximity")
        found, more = self._geometry(doc.geometry, what, is_collision=True)
        left += more
        if found is None:
            left = kept(doc, *sorted(doc.given - {"name"}))
            return None, wrapped("collision", left, doc.name or "")
        rest = wrapped("collision", left, doc.name or "")
        mesh = doc.geometry.mesh if doc.geometry is not None else None
        shape = s.Shape(
            geometry=found[0],
            name=doc.name or "",
            pose=pose if found[1] is IDENTITY else pose @ found[1],
            hull=mesh is not None and mesh.declare_convex is not None,
            contact=contact,
            at=doc.at(),
        )
        return shape, rest

    # --- geometry -----------------------------------------------------------------------

    def _geometry(
        self, doc: d.Geometry | None, what: str, *, is_collision: bool
    ) -> tuple[tuple[s.Geometry, Pose] | None, list[Item]]:
        """The geometry and its pose in its element, and what is kept of it; None after a finding."""
        if doc is None:
            self.context.findings.warning("geometry-count", f"{what} has no geometry; ignored", None)
            return None, []
        given = [name for name in _KINDS if name in doc.given]
        left = kept(doc)
        if len(given) != 1:
            shown = f"{len(given)} geometries; using the first" if given else "no known geometry; ignored"
            self.context.findings.warning("geometry-count", f"{what} has {shown}", doc.at())
            if not given:
                return None, wrapped("geometry", left)
        first = getattr(doc, given[0])
        if isinstance(first, list):
            first = next(iter(first), None)
        if first is None or given[0] == "empty":
            return None, wrapped("geometry", left + kept(doc, given[0]))
        found, more = self._convert(given[0], first, doc, what, is_collision=is_collision)
        return found, wrapped("geometry", left + more)

    def _convert(
        self, kind: str, doc: Any, outer: d.Geometry, what: str, *, is_collision: bool
    ) -> tuple[tuple[s.Geometry, Pose] | None, list[Item]]:
        match doc:
            case d.Box():
                x, y, z = doc.size
                self._positive(doc, what, "box", size=min(doc.size))
                return (s.Box(size=(x, y, z)), IDENTITY), []
            case d.Sphere():
                self._positive(doc, what, "sphere", radius=doc.radius)
                return (s.Sphere(radius=doc.radius), IDENTITY), []
            case d.Ellipsoid():
                x, y, z = doc.radii
                self._positive(doc, what, "ellipsoid", radii=min(doc.radii))
                return (s.Ellipsoid(radii=(x, y, z)), IDENTITY), []
            case d.DrakeEllipsoid():
                self._positive(doc, what, "drake:ellipsoid", a=doc.a, b=doc.b, c=doc.c)
                return (s.Ellipsoid(radii=(doc.a, doc.b, doc.c)), IDENTITY), []
            case d.Cylinder():
                # a capsule of length 0 is a sphere
                is_capsule = kind.endswith("capsule")
                length = (doc.length or 1.0) if is_capsule else doc.length
                self._positive(doc, what, kind, radius=doc.radius, length=length)
                if is_capsule:
                    return (s.Capsule(radius=doc.radius, height=doc.length), IDENTITY), []
                cls = s.Cone if kind == "cone" else s.Cylinder
                return (cls(radius=doc.radius, height=doc.length), IDENTITY), []
            case d.Plane():
                x, y = doc.size
                finite = not is_collision and "size" in doc.given
                half = (x / 2.0, y / 2.0) if finite else None
                left = kept(doc, "size") if is_collision else []
                return (s.Plane(half_size=half), self._facing(doc, what)), wrapped("plane", left)
            case d.Mesh():
                return self._mesh(doc, what)
            case d.Polyline():
                return self._polyline(outer, what)
            case d.Heightmap():
                from unibody.formats.sdf.terrain import terrain  # few files have one

                return terrain(doc, what, self.context)
            case d.ImageHeights():
                self.context.findings.warning(
                    "geometry-unsupported",
                    f"{what}: <image> is kept, but is no shape of the model; Gazebo extrudes it",
                    doc.at(),
                    "write a mesh or a heightmap",
                )
                return None, kept(outer, "image")
        return None, []

    def _positive(self, doc: Document, what: str, kind: str, **sizes: float) -> None:
        for key, value in sizes.items():
            if value <= 0.0:
                message = f"{what}: {kind} {key} must be positive, not {value:g}"
                self.context.findings.warning("size-not-positive", message, doc.at(key))

    def _facing(self, doc: d.Plane, what: str) -> Pose:
        """A rotation from Z to the normal of a plane."""
        normal = unit(doc.normal)  # type: ignore[arg-type]
        if normal is None:
            message = f"{what}: zero plane normal; using 0 0 1"
            self.context.findings.warning("axis-zero", message, doc.at("normal"))
            return IDENTITY
        return facing(normal)

    def _mesh(self, doc: d.Mesh, what: str) -> tuple[tuple[s.Geometry, Pose] | None, list[Item]]:
        uri = doc.uri or ""
        left = kept(doc, "optimization", "convex_decomposition")
        if not uri:
            self.context.findings.warning("mesh-missing", f"{what}: mesh without uri", doc.at())
            return None, wrapped("mesh", left)
        x, y, z = doc.scale
        if 0.0 in doc.scale:
            self.context.findings.warning("scale-zero", f"{what}: mesh: zero scale", doc.at("scale"))
        part = doc.submesh
        files, base = self.context.files, base_path(doc, self.context)
        path, is_lost = None, (uri, base) in self.lost
        if uri.startswith(SCHEME) and not is_lost and files.find(uri, base) is None:
            path = searched(uri, base, files)
            is_lost = path is None
        if is_lost:
            self.lost.add((uri, base))
            path = files.resolve(uri, base, doc.at("uri"), self.context.findings)
        path = path or ("" if is_lost else find_mesh(uri, lambda: doc.at("uri"), self._in_file(doc)))
        name = (part.name or "") if part is not None else ""
        mesh = s.MeshFile(
            uri=uri,
            path=path,
            scale=(x, y, z),
            fragment=name,
            centered=bool(name) and part is not None and part.center,
        )
        return (mesh, IDENTITY), wrapped("mesh", left)

    def _in_file(self, doc: Document) -> Context:
        """The context for references of the file that an element is written in."""
        path = base_path(doc, self.context)
        if path == self.context.path:
            return self.context
        from dataclasses import replace

        return replace(self.context, path=path)

    def _polyline(self, outer: d.Geometry, what: str) -> tuple[tuple[s.Geometry, Pose] | None, list[Item]]:
        """One polygon is an extrusion, several are a mesh with the height of the first, as in Gazebo."""
        rings: list[list[Point]] = []
        docs: list[d.Polyline] = []
        for doc in outer.polyline:
            points = [point.value for point in doc.points if point.value is not None]
            if len(points) > 3 and points[0] == points[-1]:
                points.pop()
            if len(points) < 3:
                message = f"{what}: polyline needs at least 3 points, has {len(points)}; ignored"
                self.context.findings.warning("geometry-count", message, doc.at())
                continue
            rings.append([(x, y) for x, y in points])
            docs.append(doc)
        if not rings:
            return None, kept(outer, "polyline")
        first = docs[0]
        self._positive(first, what, "polyline", height=first.height)
        if len(rings) == 1:
            section = [v for x, y in (*rings[0], rings[0][0]) for v in (x, -y)]
            spine = (0.0, 0.0, 0.0, 0.0, first.height, 0.0)
            swept = s.Extrusion(section=s.floats(section), spine=spine, ccw=area(rings[0]) >= 0.0)
            return (swept, UPRIGHT), []
        self._check_rings(rings, docs, what)
        return (prism(rings, first.height), IDENTITY), []

    def _check_rings(self, rings: list[list[Point]], docs: list[d.Polyline], what: str) -> None:
        """Report heights that differ, and polygons that cross one another."""
        first = docs[0]
        count = sum(map(len, rings))
        self.context.budget.spend(count * (len(rings) + count) // 50, first.at())
        other = next((doc for doc in docs if doc.height != first.height), None)
        if other is not None:
            self.context.findings.warning(
                "polylines",
                f"{what}: polylines must have one height; the first has {first.height:g} m, which counts, "
                f"another one {other.height:g} m",
                other.at("height"),
                "write the same height, or a visual of its own",
            )
        number = crossing(rings)
        if number is not None:
            self.context.findings.warning(
                "polylines",
                f"{what}: polylines must not cross one another; polyline {number + 1} does",
                docs[number].at(),
                "draw the outline of what they cover, and holes inside of it",
            )

    # --- materials ----------------------------------------------------------------------

    def _material(
        self, doc: d.Material | None, transparency: float, what: str
    ) -> tuple[s.Material | None, list[Item]]:
        """The material of a visual, and what is kept of it; None without one."""
        if doc is None:
            return (None if transparency == 0.0 else s.Material(transparency=transparency)), []
        left = kept(doc, "shader", "lighting", "render_order", "double_sided", "script")
        color: Rgba | None = None
        name = ""
        if doc.script is not None:
            name = next((x for x in (doc.script.name,) if x), "")
            color = script_color(name)
            if color is None and "diffuse" not in doc.given and doc.pbr is None:
                self.context.findings.warning(
                    "material-unknown",
                    f"{what}: material script '{name}' is not read; using white",
                    doc.script.at(),
                    "add <diffuse>",
                )
        for word in ("diffuse", "specular", "emissive"):
            if word in doc.given and not all(0.0 <= v <= 1.0 for v in getattr(doc, word)):
                self.context.findings.warning(
                    "color-range",
                    f"{what}: {word} must be between 0 and 1",
                    doc.at(word),
                    fix=divided_by_255(doc.at(word)),
                )
        if "diffuse" in doc.given or color is None:
            rgba = doc.diffuse if "diffuse" in doc.given else (1.0, 1.0, 1.0, 1.0)
            color = (rgba[0], rgba[1], rgba[2], rgba[3] if len(rgba) > 3 else 1.0)
        share = _share(doc.ambient, color[:3]) if "ambient" in doc.given else 1.0
        left += kept(doc, "ambient") if share is None else []
        faint = (name for name in ("emissive", "specular") if getattr(doc, name)[3:] not in ((), (1.0,)))
        left += kept(doc, *faint)
        texture, more = self._texture(doc.pbr)
        left += more
        emissive, specular = doc.emissive, doc.specular
        material = s.Material(
            name=name,
            diffuse=color[:3],
            ambient=1.0 if share is None else share,
            emissive=(emissive[0], emissive[1], emissive[2]),
            specular=(specular[0], specular[1], specular[2]),
            specular_exponent=doc.shininess if "shininess" in doc.given else 25.0,
            transparency=1.0 - (1.0 - transparency) * color[3],
            texture=texture,
            at=doc.at(),
        )
        return material, wrapped("material", left)

    def _texture(self, doc: d.Pbr | None) -> tuple[s.Texture | None, list[Item]]:
        """The image of the color of a physically based material; the rest is kept."""
        if doc is None:
            return None, []
        flow = doc.metal or doc.specular
        if flow is None:
            return None, wrapped("pbr", kept(doc, "metal", "specular"))
        texture = None
        if flow.albedo_map:
            at = flow.at("albedo_map")
            base = base_path(flow, self.context)
            path = located(flow.albedo_map, base, self.context.files) or self.context.files.resolve(
                flow.albedo_map, base, at, self.context.findings
            )
            texture = s.Texture(uri=flow.albedo_map, path=path or "")
        word, other = ("metal", "specular") if doc.metal is not None else ("specular", "metal")
        more = kept(flow, *sorted(flow.given - ({"albedo_map"} if texture is not None else set())))
        return texture, wrapped("pbr", wrapped(word, more) + kept(doc, other))


def _share(ambient: tuple[float, ...], diffuse: tuple[float, ...]) -> float | None:
    """The ambient color as a multiple of the diffuse one, None if it has another hue."""
    if ambient[3:] not in ((), (1.0,)):
        return None
    shares = [a / b for a, b in zip(ambient, diffuse, strict=False) if b > 0.0]
    share = max(shares, default=1.0)
    is_alike = all(abs(share * b - a) <= 1e-12 for a, b in zip(ambient, diffuse, strict=False))
    return share if is_alike and 0.0 <= share <= 1.0 else None


def _of_drake(doc: d.DrakeProximity) -> s.Contact | None:
    """The friction of a shape in Drake: in motion, or at rest if it states this only."""
    sliding = doc.mu_static if doc.mu_dynamic is None else doc.mu_dynamic
    return None if sliding is None else s.Contact(sliding=sliding)


def _contact(doc: d.Surface | None) -> tuple[s.Contact | None, list[Item]]:
    """How a collision touches others, and what is kept of it."""
    if doc is None:
        return None, []
    left = kept(doc, "bounce", "contact", "soft_contact")
    friction = doc.friction
    if friction is None:
        return None, wrapped("surface", left)
    inner = kept(friction, "bullet", "torsional")
    sliding = None
    ode = friction.ode
    if ode is not None:
        if "mu" in ode.given:
            sliding = ode.mu
        is_alike = "mu" in ode.given and ode.mu2 == ode.mu
        inner += wrapped("ode", kept(ode, *(() if is_alike else ("mu2",)), "fdir1", "slip1", "slip2"))
    left += wrapped("friction", inner)
    return (None if sliding is None else s.Contact(sliding=sliding)), wrapped("surface", left)
