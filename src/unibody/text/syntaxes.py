"""The syntaxes of text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from unibody.text.splice import Splicer

Syntax = Literal["xml", "yaml", "vrml", "inventor", "rob", "usda"]


def splicer_class(syntax: Syntax) -> type[Splicer] | None:
    """The class that edits a text of a syntax in place, imported on first use; None if there is none."""
    match syntax:
        case "xml":
            from unibody.text.xml.splice import XmlSplicer

            return XmlSplicer
        case "yaml":
            from unibody.text.yaml.splice import YamlSplicer

            return YamlSplicer
        case "rob":
            from unibody.text.rob.splice import RobSplicer

            return RobSplicer
        case "vrml" | "inventor":
            from unibody.text.vrml.splice import VrmlSplicer

            return VrmlSplicer
        case "usda":
            return None  # a stage is composed of several texts
