"""Writes a ``mujoco.MjSpec`` as MJCF: ``to_xml`` prints six digits, and no public function prints more.

An element is written with what differs from a new one of MuJoCo's, so default classes are resolved; those
of a frame are inside a frame of their own, in the order of the body. Angles are in the unit of the model.
What a specification has is read from its fields, whose names are those of the declarations but for the
tables below; a specification need not compile.
"""

from __future__ import annotations

import math
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from unibody.document.declare import Document, plan
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_actuators as act
from unibody.formats.mjcf import document_assets as a
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf import document_constraints as c
from unibody.formats.mjcf import document_sensors as s
from unibody.formats.mjcf.document_element import CHARTS, SIGNALS
from unibody.text.node import Item, Node, Word
from unibody.text.xml.printer import print_xml

#: The fields of joints and tendons whose names are not those of the attributes.
LIMITED = {
    "actuatorfrclimited": "actfrclimited",
    "actuatorfrcrange": "actfrcrange",
    "solimpfriction": "solimp_friction",
    "solimplimit": "solimp_limit",
    "solreffriction": "solref_friction",
    "solreflimit": "solref_limit",
}
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


# --- sections beside bodies and assets, and the values of elements ----------------------

# Groups of actuators that can be switched off.
_GROUPS = 31

#: The attribute for the target of an actuator by its transmission.
_TARGETS = {
    "JOINT": "joint",
    "JOINTINPARENT": "jointinparent",
    "TENDON": "tendon",
    "SITE": "site",
    "SO3": "site",
    "BODY": "body",
    "SLIDERCRANK": "cranksite",
}
_SENSOR_TAGS = {
    "GEOMDIST": "distance",
    "GEOMNORMAL": "normal",
    "GEOMFROMTO": "fromto",
    "JOINTACTFRC": "jointactuatorfrc",
    "TENDONACTFRC": "tendonactuatorfrc",
}
_INTERPOLATIONS = ("zoh", "linear", "cubic")


# What contact sensors that count contacts have: ``data="found"`` and ``num="1"``, whatever ``reduce`` is.
_COUNT = (1, 1)


def _name(enum: Any) -> str:
    return str(enum.name).rpartition("_")[2]


def _input(actuator: Any) -> str:
    """What the controls of an actuator are, as a word; "" if that is not stated (before MuJoCo 4)."""
    bits = int(getattr(actuator, "ctrlspec", 0))
    names = CHARTS if _name(actuator.gaintype) == "SO3" else SIGNALS
    return " ".join(name for k, name in enumerate(names) if bits >> k & 1)


def _counts_contacts(sensor: Any) -> bool:
    """Whether a contact sensor counts all contacts of a body, as a contact switch does."""
    is_alone = _name(sensor.objtype) == "BODY" and not sensor.refname
    data, _, number = (int(value) for value in sensor.intprm[:3])
    return is_alone and (data, number) == _COUNT


class Sections:
    """Makes the sections of one specification."""

    def __init__(self, spec: Any, values: Values) -> None:
        self.spec, self.values = spec, values

    def before(self) -> list[Node]:
        """The sections that stand before the assets."""
        return [self._option(), self._custom()]

    def behind(self) -> list[Node]:
        """The sections that refer to bodies."""
        return [
            self._contact(),
            self._equality(),
            self._tendon(),
            self._actuator(),
            self._sensor(),
            self._keyframe(),
        ]

    def _element(
        self, tag: str, cls: type[Document], element: Any, more: Sequence[Item], blank: Any, **names: str
    ) -> Item:
        given = {key for key, _, _ in more}
        items = self.values.items(tag, cls, element, names, given, blank)
        return (tag, Node(tag, [*items, *more]), -1)

    def _option(self) -> Node:
        own, blank = self.spec.option, self.values.blank("spec").option
        items = self.values.items("option", d.Option, own, {}, ("actuatorgroupdisable",), blank)
        groups = [group for group in range(_GROUPS) if own.disableactuator >> group & 1]
        if groups:
            items.append(("actuatorgroupdisable", Word(" ".join(map(str, groups))), -1))
        flags = [
            *_flags("mjtDisableBit", "mjDSBL_", "disable", own.disableflags),
            *_flags("mjtEnableBit", "mjENBL_", "enable", own.enableflags),
        ]
        return Node("option", [*items, ("flag", Node("flag", flags), -1)] if flags else items)

    def _custom(self) -> Node:
        items: list[Item] = []
        for numeric in self.spec.numerics:
            made: list[Item] = [("name", Word(numeric.name), -1)]
            if numeric.size > len(list(numeric.data)):
                made.append(("size", Word(str(numeric.size)), -1))
            items.append(("numeric", Node("numeric", [*made, ("data", numbers(numeric.data), -1)]), -1))
        for text in self.spec.texts:
            made = [("name", Word(text.name), -1), ("data", Word(text.data), -1)]
            items.append(("text", Node("text", made), -1))
        for group in self.spec.tuples:
            inner: list[Item] = [("name", Word(group.name), -1)]
            ends = zip(group.objtype, group.objname, group.objprm, strict=True)
            for kind, name, prm in ends:
                of = _name(kind).lower() if hasattr(kind, "name") else self.kind(int(kind))
                own = [("objtype", Word(of), -1), ("objname", Word(name), -1), ("prm", numbers([prm]), -1)]
                inner.append(("element", Node("element", list(own)), -1))
            items.append(("tuple", Node("tuple", inner), -1))
        return Node("custom", items)

    def kind(self, number: int) -> str:
        """The word for a type of objects."""
        return _name(type(self.values.blank("sensor").objtype)(number)).lower()

    def _contact(self) -> Node:
        items: list[Item] = []
        for pair in self.spec.pairs:
            blank = self.values.blank("pair")
            items.append(
                self._element("pair", c.Pair, pair, (), blank, geom1="geomname1", geom2="geomname2")
            )
        for out in self.spec.excludes:
            blank = self.values.blank("exclude")
            names = {"body1": "bodyname1", "body2": "bodyname2"}
            items.append(self._element("exclude", c.Exclude, out, (), blank, **names))
        return Node("contact", items)

    def _equality(self) -> Node:
        items: list[Item] = []
        classes: dict[str, type[Document]] = {
            "connect": c.Connect, "weld": c.Weld, "joint": c.JointEquality, "tendon": c.TendonEquality,
        }  # fmt: skip
        for equality in self.spec.equalities:
            tag = _name(equality.type).lower()
            if tag not in classes:
                continue
            data = list(equality.data)
            ends = tag
            if tag in ("connect", "weld"):
                ends = "site" if _name(equality.objtype) == "SITE" else "body"
            more: list[Item] = [(f"{ends}1", Word(equality.name1), -1)]
            if equality.name2:
                more.append((f"{ends}2", Word(equality.name2), -1))
            if tag in ("joint", "tendon"):
                more.append(("polycoef", numbers(data[:5]), -1))
            elif ends == "body":
                more.append(("anchor", numbers(data[:3]), -1))
            if tag == "weld":
                if ends == "body" and any(data[6:10]):
                    more.append(("relpose", numbers(data[3:10]), -1))
                if data[10] != 1.0 and math.isfinite(data[10]):
                    more.append(("torquescale", numbers(data[10:11]), -1))
            blank = self.values.blank("equality")
            items.append(self._element(tag, classes[tag], equality, more, blank))
        return Node("equality", items)

    def _tendon(self) -> Node:
        items: list[Item] = []
        for tendon in self.spec.tendons:
            path = [self._wrap(wrap) for wrap in tendon.path]
            tag = "fixed" if path and path[0][0] == "joint" else "spatial"
            cls = c.FixedTendon if tag == "fixed" else c.SpatialTendon
            item = self._element(tag, cls, tendon, (), self.values.blank("tendon"), **LIMITED)
            assert isinstance(item[1], Node)
            item[1].items += path
            items.append(item)
        return Node("tendon", items)

    def _wrap(self, wrap: Any) -> Item:
        kind = _name(wrap.type)
        if kind == "PULLEY":
            return ("pulley", Node("pulley", [("divisor", numbers([wrap.divisor]), -1)]), -1)
        tag = {"JOINT": "joint", "SITE": "site"}.get(kind, "geom")
        items: list[Item] = [(tag, Word(wrap.target.name), -1)]
        if kind == "JOINT":
            items.append(("coef", numbers([wrap.coef]), -1))
        elif tag == "geom" and wrap.sidesite is not None:
            items.append(("sidesite", Word(wrap.sidesite.name), -1))
        return (tag, Node(tag, items), -1)

    def _actuator(self) -> Node:
        items: list[Item] = []
        for actuator in self.spec.actuators:
            target = _TARGETS.get(_name(actuator.trntype))
            more: list[Item] = [(target, Word(actuator.target), -1)] if target else []
            if control := _input(actuator):
                more.append(("input", Word(control), -1))
            item = self._element("general", act.General, actuator, more, self.values.blank("actuator"))
            node = item[1]
            assert isinstance(node, Node)
            node.items = [i for i in node.items if i[0] not in ("interp", "input", "site") or i in more]
            if actuator.interp and actuator.nsample:
                node.items.append(("interp", Word(_INTERPOLATIONS[int(actuator.interp)]), -1))
            items.append(item)
        return Node("actuator", items)

    def _sensor(self) -> Node:
        items: list[Item] = []
        members = plan(s.Sensors).fields["items"].members
        for sensor in self.spec.sensors:
            kind = str(sensor.type.name).removeprefix("mjSENS_")
            tag = _SENSOR_TAGS.get(kind, kind.lower())
            cls = members.get(tag)
            if cls is None or kind in ("PLUGIN", "TACTILE", "INSIDESITE", "CAMPROJECTION"):
                continue
            if kind == "CONTACT" and not _counts_contacts(sensor):
                continue
            keys = plan(cls).keys
            of, ref = _name(sensor.objtype).lower(), _name(sensor.reftype).lower()
            more: list[Item] = []
            if "objtype" in keys and sensor.objname:
                more += [("objtype", Word(of), -1), ("objname", Word(sensor.objname), -1)]
            elif f"{of}1" in keys:
                more.append((f"{of}1", Word(sensor.objname), -1))
                if sensor.refname:
                    more.append((f"{ref}2", Word(sensor.refname), -1))
            elif sensor.objname:
                own = "body" if of == "xbody" or "subtree" in tag else of
                more.append((own, Word(sensor.objname), -1))
            if "reftype" in keys and sensor.refname:
                more += [("reftype", Word(ref), -1), ("refname", Word(sensor.refname), -1)]
            item = self._element(tag, cls, sensor, more, self.values.blank("sensor"))
            node = item[1]
            assert isinstance(node, Node)
            wanted = ("interp", "interval", "data")
            node.items = [i for i in node.items if i[0] not in wanted]
            if tag != "user":
                node.items = [i for i in node.items if i[0] not in ("dim", "datatype", "needstage")]
            items.append(item)
        return Node("sensor", items)

    def _keyframe(self) -> Node:
        blank = self.values.blank("key")
        items = [
            self._element("key", d.Key, key, (), blank)
            for key in self.spec.keys
            if key.name or any(len(list(getattr(key, n))) for n in ("qpos", "qvel", "act", "ctrl"))
        ]
        return Node("keyframe", items)


def _flags(kind: str, prefix: str, word: str, bits: int) -> list[Item]:
    """The flags of a set of bits that MJCF has words for, each with the word that sets it."""
    import mujoco

    names = {
        name.removeprefix(prefix).lower(): int(bit)
        for name, bit in getattr(mujoco, kind).__members__.items()
    }
    known = plan(d.Flag).fields
    return [(name, Word(word), -1) for name, bit in names.items() if name in known and bits & bit]


# Elements whose single numbers are in single precision in MuJoCo.
_SINGLE = ("light", "material")
# Lists that end with zeros where fewer numbers are given.
_SHORT = frozenset(("size", "damping", "stiffness", "biasprm", "gainprm", "dynprm", "gear", "springyield"))
_WORDS = {"DIRECTIONAL": "directional", "SRGB": "sRGB"}


def numbers(values: Iterable[Any]) -> Word:
    """Numbers with the digits that they need in their own precision."""
    if isinstance(values, np.ndarray) and values.dtype == np.float32:
        return Word(" ".join(_single(v) for v in values))
    return Word(" ".join(_shown(v) for v in values))


def _shown(value: Any) -> str:
    if isinstance(value, np.float32):
        return _single(value)
    number = float(value)
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)


def _single(value: Any) -> str:
    number = float(value)
    if number.is_integer() and abs(number) < 1e15:
        return str(int(number))
    return str(np.float32(value))


def is_unset(values: Any) -> bool:
    """Whether MuJoCo's mark of a value that is not given is in the first place."""
    first = next(iter(values), math.nan)
    return isinstance(first, float) and math.isnan(first)


class Values:
    """Writes the attributes of elements that differ from those of a new one."""

    def __init__(self, spec_type: Any) -> None:
        self._spec = spec_type()
        self._blanks: dict[str, Any] = {"spec": self._spec}

    def blank(self, tag: str) -> Any:
        """A new element of MuJoCo's of a kind."""
        if tag not in self._blanks:
            holder = self._spec.worldbody if hasattr(self._spec.worldbody, f"add_{tag}") else self._spec
            self._blanks[tag] = getattr(holder, f"add_{tag}")()
        return self._blanks[tag]

    def items(
        self,
        tag: str,
        cls: type[Document],
        element: Any,
        names: Mapping[str, str],
        skip: Collection[str],
        blank: Any = None,
    ) -> list[Item]:
        """The attributes of an element; ``names`` are those of MuJoCo's fields where they differ."""
        blank = self.blank(tag) if blank is None else blank
        out: list[Item] = []
        for spec in plan(cls).fields.values():
            key = spec.key
            field = names.get(key, "userdata" if key == "user" else key)
            if spec.type is None or key in skip or key in _RESOLVED or not hasattr(blank, field):
                continue
            value, new = getattr(element, field), getattr(blank, field)
            text = self.changed(value, new, tag in _SINGLE, key in _SHORT)
            words = spec.type.schema.get("enum")
            if text is not None and words and type(value) is int:
                text = words[value]  # MuJoCo numbers its words in the order of the declaration
            if text is not None:
                out.append((key, Word(text), -1))
        return out

    def changed(self, value: Any, blank: Any, single: bool = False, short: bool = False) -> str | None:
        """A value in words, None if it is that of a new element or not given."""
        if hasattr(value, "name") and hasattr(value, "value"):
            if value == blank:
                return None
            word = str(value.name).rpartition("_")[2]
            return _WORDS.get(word, word.lower())
        if isinstance(value, bool):
            return None if value == bool(blank) else str(value).lower()
        if isinstance(value, str):
            return value or None
        if isinstance(value, int):
            return None if value == blank else str(value)
        if isinstance(value, float):
            if math.isnan(value) or value == blank:
                return None
            return _single(value) if single else _shown(value)
        if isinstance(value, bytes) or not hasattr(value, "__iter__"):
            return None
        listed = list(value)
        if not listed or is_unset(listed) or listed == list(blank):
            return None
        if short:
            while len(listed) > 1 and not listed[-1]:
                listed.pop()
        if isinstance(value, np.ndarray) or single:
            is_single = single or value.dtype == np.float32
        else:
            is_single = "Float" in type(value).__name__
        return " ".join(_single(v) if is_single else _shown(v) for v in listed)


#: What is resolved, or written with the poses.
_RESOLVED = frozenset(
    ("pos", "quat", "axisangle", "xyaxes", "zaxis", "euler", "fromto", "class", "childclass")
)
