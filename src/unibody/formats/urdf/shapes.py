"""Reads visuals and collisions as shapes (reference: visual, collision, material)."""

from __future__ import annotations

from typing import Any

from unibody.formats.format import Context
from unibody.formats.reference import find_mesh
from unibody.formats.urdf import document as d
from unibody.formats.urdf.poses import pose
from unibody.model import shape as s
from unibody.model.pose import IDENTITY, Pose, facing, unit
from unibody.text.fixes import divided_by_255


class Materials:
    """The materials of a file by name; a name refers to its first definition anywhere in the file."""

    def __init__(self, robot: d.Robot, context: Context) -> None:
        self.context = context
        self.made: dict[str, s.Material] = {}
        self.shared = {id(m) for m in robot.items if isinstance(m, d.Material)}
        for material in self._definitions(robot):
            self._define(material)

    @staticmethod
    def _definitions(robot: d.Robot) -> list[d.Material]:
        own = [m for m in robot.items if isinstance(m, d.Material)]
        inner = [
            v.material
            for link in robot.items
            if isinstance(link, d.Link)
            for v in link.visuals
            if v.material is not None
        ]
        return own + inner

    def _define(self, doc: d.Material) -> None:
        if doc.color is None and doc.texture is None:
            if id(doc) in self.shared:
                self.context.findings.warning(
                    "material-empty", f"material '{doc.name}' has neither color nor texture", doc.at()
                )
            return
        if not doc.name:
            if id(doc) in self.shared:
                self.context.findings.warning("name-missing", "unnamed shared material", doc.at())
            return
        made = self._make(doc)
        before = self.made.setdefault(doc.name, made)
        if before != made:
            self.context.findings.warning(
                "material-redefined",
                f"material '{doc.name}' is redefined with different values; using the first definition",
                doc.at(),
                "rename one of the materials",
            )

    def _make(self, doc: d.Material) -> s.Material:
        rgba = doc.color.rgba if doc.color is not None and doc.color.rgba else (1.0, 1.0, 1.0, 1.0)
        red, green, blue, alpha = rgba
        if doc.color is not None and not all(0.0 <= c <= 1.0 for c in rgba):
            self.context.findings.warning(
                "color-range",
                f"material '{doc.name}': rgba must be between 0 and 1",
                doc.color.at(),
                fix=divided_by_255(doc.color.at("rgba")),
            )
        texture = None
        if doc.texture is not None and doc.texture.filename:
            at = doc.texture.at("filename")
            path = self.context.files.resolve(
                doc.texture.filename, self.context.path, at, self.context.findings
            )
            texture = s.Texture(uri=doc.texture.filename, path=path or "")
        return s.Material(
            name=doc.name or "",
            diffuse=(red, green, blue),
            transparency=1.0 - alpha,
            texture=texture,
            at=doc.at(),
        )

    def of(self, doc: d.Material | None, what: str) -> s.Material | None:
        """The material of a visual, which ``what`` names: its own definition, or that of its name."""
        if doc is None:
            return None
        if doc.name is None:
            self.context.findings.warning(
                "material-unnamed",
                f"{what}: unnamed material; PyBullet rejects the file, and ROS ignores the shapes after it",
                doc.at(),
                "add name=",
            )
        if doc.color is not None or doc.texture is not None:
            made = self.made.get(doc.name or "")
            return made if made is not None and made.at == doc.at() else self._make(doc)
        if not doc.name:
            return None
        if doc.name not in self.made:
            self.context.findings.warning(
                "material-unknown",
                f"unknown material '{doc.name}'; using white",
                doc.at(),
                "define the material with a color",
            )
            return s.Material(name=doc.name, at=doc.at())
        return self.made[doc.name]


def shape(
    doc: d.Visual | d.Collision, owner: str, materials: Materials, context: Context
) -> s.Shape | None:
    """Convert a visual or collision element; None after a finding."""
    word = "visual" if isinstance(doc, d.Visual) else "collision"
    at = pose(doc.origin, context)
    what = f"link '{owner}': {word}"
    found = _geometry(doc, what, context)
    if found is None:
        return None
    made, turn = found
    shown = doc.geometry.shapes[0] if doc.geometry is not None else None
    return s.Shape(
        geometry=made,
        name=doc.name,
        hull=word == "collision" and isinstance(shown, d.Mesh) and shown.declare_convex is not None,
        pose=at @ turn if turn is not IDENTITY else at,
        material=materials.of(doc.material, what) if isinstance(doc, d.Visual) else None,
        at=doc.at(),
    )


def _geometry(doc: Any, what: str, context: Context) -> tuple[s.Geometry, Pose] | None:
    if doc.geometry is None:
        return None
    shapes = doc.geometry.shapes
    if len(shapes) != 1:
        others = [k for k, _, _ in doc.geometry.rest if k]
        if not shapes and others:
            message = f"{what} has unknown geometry '{others[0]}'; ignored"
        elif not shapes:
            message = f"{what} has no geometry; ignored"
        else:
            message = f"{what} has {len(shapes)} geometries; using the first"
        context.findings.warning(
            "geometry-count", message, doc.geometry.at(), "use one of box, cylinder, sphere, capsule, mesh"
        )
        if not shapes:
            return None
    return _convert(shapes[0], what, context)


def _convert(doc: Any, what: str, context: Context) -> tuple[s.Geometry, Pose] | None:
    match doc:
        case d.Box() if doc.size is not None:
            x, y, z = doc.size
            _check_positive(doc, what, context, size=min(doc.size))
            return s.Box(size=(x, y, z)), IDENTITY
        case d.Sphere() if doc.radius is not None:
            _check_positive(doc, what, context, radius=doc.radius)
            return s.Sphere(radius=doc.radius), IDENTITY
        case d.Cylinder() if doc.radius is not None and doc.length is not None:
            _check_positive(doc, what, context, radius=doc.radius, length=doc.length)
            return s.Cylinder(radius=doc.radius, height=doc.length), IDENTITY
        case d.CapsuleValues() if doc.radius is not None and doc.length is not None:
            # one of length 0 is a sphere
            _check_positive(doc, what, context, radius=doc.radius, length=doc.length or 1.0)
            return s.Capsule(radius=doc.radius, height=doc.length), IDENTITY
        case d.DrakeEllipsoid() if doc.a is not None and doc.b is not None and doc.c is not None:
            _check_positive(doc, what, context, a=doc.a, b=doc.b, c=doc.c)
            return s.Ellipsoid(radii=(doc.a, doc.b, doc.c)), IDENTITY
        case d.Plane():
            context.findings.warning(
                "geometry-extension",
                f"{what}: <plane> is an extension of PyBullet; ROS ignores the shape, and others reject "
                "the file",
                doc.at(),
                "write a box for other programs",
            )
            return s.Plane(), _plane_pose(doc, what, context)
        case d.Mesh() if "scale" not in doc.given and doc.written_at("scale") is not None:
            return None  # an invalid scale is reported already
        case d.Mesh() if doc.filename:
            return _mesh(doc, context), IDENTITY
        case d.Mesh():
            if doc.filename == "":
                context.findings.warning("mesh-missing", f"{what}: empty mesh filename", doc.at())
    return None


def _check_positive(doc: Any, what: str, context: Context, **sizes: float) -> None:
    for key, value in sizes.items():
        if value <= 0.0:
            context.findings.warning(
                "size-not-positive",
                f"{what}: {doc.KEY} {key} must be positive, not {value:g}",
                doc.at(key),
            )


def _plane_pose(doc: d.Plane, what: str, context: Context) -> Pose:
    """A rotation from Z to the normal of a plane."""
    normal = unit(doc.normal)  # type: ignore[arg-type]
    if normal is None:
        message = f"{what}: zero plane normal; using 0 0 1"
        context.findings.warning("axis-zero", message, doc.at("normal"))
        return IDENTITY
    return facing(normal)


def _mesh(doc: d.Mesh, context: Context) -> s.MeshFile:
    uri = doc.filename or ""
    path = find_mesh(uri, lambda: doc.at("filename"), context)
    x, y, z = doc.scale
    if 0.0 in doc.scale:
        context.findings.warning("scale-zero", "mesh: zero scale", doc.at("scale"))
    return s.MeshFile(uri=uri, path=path, scale=(x, y, z))
