"""Writes a ``mujoco.MjSpec`` as MJCF: ``to_xml`` prints six digits, and no public function prints more.

An element is written with what differs from a new one of MuJoCo's, so default classes are resolved; those
of a frame are inside a frame of their own, in the order of the body. Angles are in the unit of the model.
What a specification has is read from its fields, whose names are those of the declarations but for the
tables below; a specification need not compile.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from unibody.document.declare import Document
from unibody.formats.mjcf import document_assets as a
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf.spec_sections import LIMITED, Sections, Values, is_unset, numbers
from unibody.text.node import Item, Node, Word
from unibody.text.xml.printer import print_xml

# Joint types whose range is an angle.
_TURNING = ("HINGE", "BALL")
_JOINT = {**LIMITED, "actuatorgravcomp": "actgravcomp"}
_CAMERA = {
    "focal": "focal_length",
    "focalpixel": "focal_pixel",
    "principal": "principal_length",
    "principalpixel": "principal_pixel",
    "projection": "proj",
    "sensorsize": "sensor_size",
    "target": "targetbody",
}
_MESH = {"vertex": "uservert", "face": "userface", "normal": "usernormal", "texcoord": "usertexcoord"}
_SIDES = ("right", "left", "up", "down", "front", "back")
_RGB = 1
_ROLES = ("", "rgb", "occlusion", "roughness", "metallic", "normal", "opacity", "emissive", "rgba", "orm")


def spec_files(spec: Any) -> tuple[str, dict[str, bytes]]:
    """The path of a specification beside its own files, and its text and assets by path."""
    name = f"{os.path.basename(spec.modelname) or 'model'}.xml"
    folder = os.path.abspath(spec.modelfiledir)
    path = os.path.join(folder, name)
    out: dict[str, bytes] = {}
    for asset, data in dict(spec.assets).items():
        content = data.encode() if isinstance(data, str) else bytes(data)
        out[os.path.normpath(os.path.join(folder, asset))] = content
    out[path] = spec_text(spec).encode("utf-8")
    return path, out


def spec_text(spec: Any) -> str:
    """The MJCF text of a specification."""
    return print_xml(_Writer(spec).root())


class _Writer:
    def __init__(self, spec: Any) -> None:
        self.spec = spec
        self.values = Values(type(spec))

    def root(self) -> Node:
        items: list[Item] = [("model", Word(self.spec.modelname), -1)] if self.spec.modelname else []
        sections = [
            self._compiler(),
            *Sections(self.spec, self.values).before(),
            self._assets(),
            self._worldbody(),
            *Sections(self.spec, self.values).behind(),
        ]
        items += [(node.tag, node, -1) for node in sections if node.items]
        return Node("mujoco", items)

    # --- settings -----------------------------------------------------------------------

    def _compiler(self) -> Node:
        own = self.spec.compiler
        items: list[Item] = [("angle", Word("degree" if own.degree else "radian"), -1)]
        sequence = "".join(own.eulerseq)
        if sequence != "xyz":
            items.append(("eulerseq", Word(sequence), -1))
        blank = self.values.blank("spec").compiler
        for name in (
            "autolimits", "balanceinertia", "boundinertia", "boundmass", "discardvisual", "fitaabb",
            "fusestatic", "inertiagrouprange", "settotalmass", "alignfree",
        ):  # fmt: skip
            text = self.values.changed(getattr(own, name), getattr(blank, name))
            items += [(name, Word(text), -1)] if text is not None else []
        word = str(own.inertiafromgeom.name).rpartition("_")[2].lower()
        items += [("inertiafromgeom", Word(word), -1)] if word != "auto" else []
        return Node("compiler", items)

    def _unit(self, element: Any) -> float:
        """The unit of angles of an element, as a multiple of that of the model."""
        own, whole = bool(element.compiler.degree), bool(self.spec.compiler.degree)
        return 1.0 if own == whole else math.pi / 180.0 if own else 180.0 / math.pi

    def _orientation(self, element: Any, quat: Any, alt: Any) -> list[Item]:
        kind = str(alt.type.name).rpartition("_")[2]
        unit = self._unit(element)
        if kind == "EULER" and "".join(element.compiler.eulerseq) != "".join(self.spec.compiler.eulerseq):
            turn = self.spec.resolve_orientation(
                degree=bool(element.compiler.degree),
                sequence="".join(element.compiler.eulerseq),
                orientation=alt,
            )
            return [("quat", numbers(turn), -1)]
        if kind == "EULER":
            return [("euler", numbers([v * unit for v in alt.euler]), -1)]
        if kind == "AXISANGLE":
            x, y, z, angle = alt.axisangle
            return [("axisangle", numbers((x, y, z, angle * unit)), -1)]
        if kind in ("XYAXES", "ZAXIS"):
            return [(kind.lower(), numbers(getattr(alt, kind.lower())), -1)]
        return [] if list(quat) == [1.0, 0.0, 0.0, 0.0] else [("quat", numbers(quat), -1)]

    def _pose(self, element: Any) -> list[Item]:
        if not is_unset(getattr(element, "fromto", (math.nan,))):
            return [("fromto", numbers(element.fromto), -1)]
        items = [] if not any(element.pos) else [("pos", numbers(element.pos), -1)]
        return items + self._orientation(element, element.quat, element.alt)

    def _file(self, element: Any, file: str, folder: str) -> str:
        """The path of a file from the folder of the model."""
        name = file.replace("\\", "/")
        if self.spec.strippath:
            name = name.rpartition("/")[2]
        return name if os.path.isabs(name) or not folder else f"{folder.rstrip('/')}/{name}"

    # --- assets -------------------------------------------------------------------------

    def _assets(self) -> Node:
        items: list[Item] = []
        for mesh in self.spec.meshes:
            more: list[Item] = []
            if mesh.file:
                more = [("file", Word(self._file(mesh, mesh.file, mesh.compiler.meshdir)), -1)]
            items.append(self._element("mesh", a.Mesh, mesh, _MESH, more, ("file", "refquat")))
            if list(mesh.refquat) != [1.0, 0.0, 0.0, 0.0]:
                node = items[-1][1]
                assert isinstance(node, Node)
                node.items.append(("refquat", numbers(mesh.refquat), -1))
        for field in self.spec.hfields:
            items.append(self._heights(field))
        for material in self.spec.materials:
            items.append(self._material(material))
        for texture in self.spec.textures:
            items.append(self._texture(texture))
        return Node("asset", items)

    def _heights(self, field: Any) -> Item:
        more: list[Item] = []
        data = np.array(field.userdata, np.float32)
        if field.file:
            more.append(("file", Word(self._file(field, field.file, field.compiler.meshdir)), -1))
        elif data.size == field.nrow * field.ncol:
            rows = data.reshape(field.nrow, field.ncol)[::-1]  # the top row is written first
            more.append(("elevation", numbers(rows.reshape(-1)), -1))
        return self._element("hfield", a.HeightField, field, {}, more, ("file",))

    def _material(self, material: Any) -> Item:
        names = list(material.textures)
        more: list[Item] = [("texture", Word(names[_RGB]), -1)] if names[_RGB] else []
        item = self._element("material", a.Material, material, {}, more, ("texture",))
        node = item[1]
        assert isinstance(node, Node)
        layers = [
            ("layer", Node("layer", [("role", Word(role), -1), ("texture", Word(name), -1)]), -1)
            for role, name in zip(_ROLES, names, strict=False)
            if role and name and role != "rgb"
        ]
        node.items += layers
        return item

    def _texture(self, texture: Any) -> Item:
        more: list[Item] = []
        if texture.file:
            path = self._file(texture, texture.file, texture.compiler.texturedir)
            more.append(("file", Word(path), -1))
        for side, file in zip(_SIDES, texture.cubefiles, strict=False):
            if file:
                path = self._file(texture, file, texture.compiler.texturedir)
                more.append((f"file{side}", Word(path), -1))
        skip = ("file", "gridlayout", "content_type")
        return self._element("texture", a.Texture, texture, {}, more, skip)

    # --- bodies -------------------------------------------------------------------------

    def _element(
        self,
        tag: str,
        cls: type[Document],
        element: Any,
        names: Mapping[str, str] = {},
        more: Sequence[Item] = (),
        skip: Sequence[str] = (),
    ) -> Item:
        items = self.values.items(tag, cls, element, names, {*skip, *(key for key, _, _ in more)})
        return (tag, Node(tag, [*items, *more]), -1)

    def _worldbody(self) -> Node:
        top = Node("worldbody", [])
        self._fill(top, self.spec.worldbody)
        todo = [(top, self.spec.worldbody)]
        # each body after its parent, children in order
        while todo:
            node, body = todo.pop()
            inner: list[tuple[Node, Any]] = []
            made: list[tuple[Any, Item]] = []
            for child in body.bodies:
                item = self._body(child)
                assert isinstance(item[1], Node)
                inner.append((item[1], child))
                made.append((child, item))
            self._framed(node, made)
            todo += inner
        return top

    def _body(self, body: Any) -> Item:
        item = self._element("body", b.Body, body, {}, self._pose(body), ("simple", "fuse", "sleep"))
        node = item[1]
        assert isinstance(node, Node)
        self._fill(node, body)
        if body.explicitinertial:
            node.items.append(self._inertial(body))
        return item

    def _inertial(self, body: Any) -> Item:
        items: list[Item] = [("pos", numbers(body.ipos), -1), ("mass", numbers([body.mass]), -1)]
        if not is_unset(body.fullinertia):
            items.append(("fullinertia", numbers(body.fullinertia), -1))
        else:
            if any(body.inertia):
                items.append(("diaginertia", numbers(body.inertia), -1))
            items += self._orientation(body, body.iquat, body.ialt)
        return ("inertial", Node("inertial", items), -1)

    def _fill(self, node: Node, body: Any) -> None:
        """Add the elements of a body, besides its bodies."""
        made: list[tuple[Any, Item]] = [(joint, self._joint(joint)) for joint in body.joints]
        made += [(geom, self._geom(geom)) for geom in body.geoms]
        for site in body.sites:
            names = {"mesh": "meshname"}
            made.append((site, self._element("site", b.Site, site, names, self._pose(site))))
        for camera in body.cameras:
            skip = ("fovy", "output") if any(camera.sensor_size) else ("output",)
            made.append(
                (camera, self._element("camera", b.Camera, camera, _CAMERA, self._pose(camera), skip))
            )
        for light in body.lights:
            more = [("pos", numbers(light.pos), -1)] if any(light.pos) else []
            names = {"target": "targetbody"}
            made.append((light, self._element("light", b.Light, light, names, more, ("directional",))))
        self._framed(node, made)

    def _framed(self, node: Node, made: Sequence[tuple[Any, Item]]) -> None:
        """Add elements, each in copies of the frames around it."""
        last: list[list[Item]] = []
        holder = node
        for element, item in made:
            chain: list[list[Item]] = []
            frame = element.frame
            while frame is not None:
                chain.append(self._pose(frame))
                frame = frame.frame
            if chain != last:
                holder, last = node, chain
                for pose in reversed(chain):
                    inner = Node("frame", list(pose))
                    holder.items.append(("frame", inner, -1))
                    holder = inner
            holder.items.append(item)

    def _joint(self, joint: Any) -> Item:
        kind = str(joint.type.name).rpartition("_")[2]
        unit = self._unit(joint)
        more: list[Item] = []
        if kind == "FREE":
            item = self._element("joint", b.Joint, joint, _JOINT, (), ("axis", "pos", "range", "ref"))
            node = item[1]
            assert isinstance(node, Node)
            if {key for key, _, _ in node.items} <= {"name", "group", "type"}:
                node.items = [i for i in node.items if i[0] != "type"]
                node.tag = "freejoint"
                return ("freejoint", node, -1)
            return item
        if any(joint.pos):
            more.append(("pos", numbers(joint.pos), -1))
        if any(joint.range):
            scale = unit if kind in _TURNING else 1.0
            more.append(("range", numbers([v * scale for v in joint.range]), -1))
        for name in ("ref", "springref"):
            value = getattr(joint, name)
            if value:
                more.append((name, numbers([value * (unit if kind == "HINGE" else 1.0)]), -1))
        if joint.compiler.autolimits != self.spec.compiler.autolimits and joint.limited.value == 2:
            word = "true" if joint.compiler.autolimits and joint.range[0] < joint.range[1] else "false"
            more.append(("limited", Word(word), -1))
        return self._element("joint", b.Joint, joint, _JOINT, more, ("range", "ref", "springref"))

    def _geom(self, geom: Any) -> Item:
        more = self._pose(geom)
        if int(geom.typeinertia.value):
            more.append(("shellinertia", Word("true"), -1))
        if geom.fluid_ellipsoid:
            more.append(("fluidshape", Word("ellipsoid"), -1))
        names = {"mesh": "meshname", "hfield": "hfieldname", "fluidcoef": "fluid_coefs"}
        return self._element("geom", b.Geom, geom, names, more, ("shellinertia", "fluidshape"))
