"""Declaration of the Body keys that other parts of Choreonoid read: the names in them, for edits.

Section numbers refer to the facts page. The data are kept as written; declared here is what in them refers
to links, joints and devices.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unibody.document.declare import ANY, NUMBER, TEXT, Document, child, children, element, key
from unibody.formats.body.values import FLAG

# --- keys of the body (A.14) ------------------------------------------------------------


@element
class FootLink(Document):
    """A foot, for the balance of a biped."""

    link: str | None = key(TEXT, refers="links")
    sole_center: Any = key(TEXT, old=["soleCenter"])
    toe_offset: Any = key(TEXT)
    home_cop: Any = key(TEXT, old=["homeCop"])
    knee_pitch_joint: str | None = key(TEXT, old=["kneePitchJoint"], refers="joints")


@element
class IkSetup(Document):
    """The base links of inverse kinematics, by target link."""

    KEYS = ("links",)
    VALUES = ("links",)


@element
class LinkMap(Document):
    """Links of this body, by the names that another body gives them."""

    VALUES = ("links",)


@element
class PoseConversion(Document):
    """How poses of other bodies are applied to this one."""

    target_bodies: Any = key(TEXT, name="targetBodies", old=["target_bodies"])
    joint_map: Any = key(TEXT, name="jointMap", old=["joint_map"], doc="by joint id")
    link_map: LinkMap | None = child(LinkMap, name="linkMap", old=["link_map"])


@element
class LipShapes(Document):
    """Joint positions by the sound of a vowel."""

    KEYS = ("joints",)
    VALUES = ("joints",)


@element
class LinkOffset(Document):
    """The pose of a link in a preset pose."""

    name: str | None = key(TEXT, refers="links")


@element
class PresetPose(Document):
    """A named pose."""

    name: str | None = key(TEXT)
    link_offsets: list[LinkOffset] = children(LinkOffset)


@element
class BodyKept(Document):
    """Keys of a body that other parts of Choreonoid read."""

    foot_links: list[FootLink] = children(FootLink, old=["footLinks"])
    ik_setup: IkSetup | None = child(IkSetup, name="default_ik_setup", old=["defaultIKsetup"])
    symmetric_joints: Any = key(TEXT, old=["symmetricJoints"], refers="joints")
    symmetric_links: Any = key(TEXT, name="symmetric_ik_links", old=["symmetricIkLinks"], refers="links")
    available_links: Any = key(
        TEXT,
        name="available_ik_interpolation_links",
        old=["possibleIkInterpolationLinks"],
        refers="links",
    )
    default_links: Any = key(
        TEXT, name="default_ik_interpolation_links", old=["defaultIkInterpolationLinks"], refers="links"
    )
    support_links: Any = key(TEXT, name="possileSupportLinks", refers="links")
    markers: Any = key(TEXT, name="body_markers", old=["bodyMarkers"], refers="links")
    linear_joints: Any = key(TEXT, name="linearInterpolationJoints", refers="joints")
    lip_shapes: LipShapes | None = child(LipShapes, name="lipSyncShapes")
    pose_conversion: list[PoseConversion] = children(
        PoseConversion, name="pose_conversion_info", old=["poseConversionInfo"]
    )
    preset_poses: list[PresetPose] = children(PresetPose)
    definitions: Any = key(ANY, doc="anchors for the aliases of the file")
    target_body: Any = key(TEXT, name="MultiCopterTargetBody")
    divisions: Any = key(TEXT, name="divisionNumberOfPrimitiveGeometries")
    sidecar: Any = key(ANY, name="unibody")


# --- keys of a link (A.5) -----------------------------------------------------------------


@element
class LinkKept(Document):
    """Keys of a link that other parts of Choreonoid read; the material is one of the contact table."""

    material: str | None = key(TEXT)
    child_links: Any = key(TEXT, name="childLinks", refers="links")
    density: float | None = key(NUMBER)
    auto_sleep: bool | None = key(FLAG, name="autoSleep")


# --- devices of plug-ins (A.13) -------------------------------------------------------------


@element
class TrackLinks(Document):
    """The wheels of a continuous track of PhysX or AGX."""

    NEEDS = "all"
    sprocket: str | None = key(TEXT, refers="links")
    idler: str | None = key(TEXT, refers="links")
    sprockets: Any = key(TEXT, name="sprocketNames", refers="links")
    rollers: Any = key(TEXT, name="rollerNames", refers="links")
    idlers: Any = key(TEXT, name="idlerNames", refers="links")
    contact_material: str | None = key(TEXT)


@element
class TwoLinks(Document):
    """A joint of AGX between two links."""

    NEEDS = "all"
    link1: str | None = key(TEXT, name="link1Name", refers="links")
    link2: str | None = key(TEXT, name="link2Name", refers="links")


@element
class OnLink(Document):
    """A node or winch of a wire."""

    link: str | None = key(TEXT, name="linkName", refers="links")


@element
class Wire(Document):
    """A wire of AGX through points on links."""

    NEEDS = "any"

    nodes: list[OnLink] = children(OnLink, name="Nodes")
    winch: OnLink | None = child(OnLink, name="Winch")


@element
class InputActions(Document):
    """Devices that a digital input switches, by input: ``[device, NAME, on]``."""

    VALUES = ("devices",)


@element
class Actions(Document):
    """The actions of digital inputs."""

    input: InputActions | None = child(InputActions)


@element
class Inputs(Document):
    """Digital inputs and the devices that they switch."""

    switched: Any = key(TEXT, name="input_to_device_switch_connections", refers="devices")
    action: Actions | None = child(Actions)


#: The data of a device, by its type.
DEVICES: Mapping[str, type[Document]] = {
    "PxContinuousTrack": TrackLinks,
    "AGXVehicleContinuousTrackDevice": TrackLinks,
    "AGXWireDevice": Wire,
    "AGXBreakableJointDevice": TwoLinks,
    "AGXMagneticJointDevice": TwoLinks,
    "DigitalIO": Inputs,
}
