"""The colors of the material scripts that come with Gazebo, by name behind ``Gazebo/``."""

from __future__ import annotations

from collections.abc import Mapping

Rgba = tuple[float, float, float, float]

#: Diffuse color and opacity; those with a texture have about its color.
COLORS: Mapping[str, Rgba] = {
    "Black": (0.0, 0.0, 0.0, 1.0),
    "BlackTransparent": (0.0, 0.0, 0.0, 0.5),
    "Blue": (0.0, 0.0, 1.0, 1.0),
    "BlueGlow": (0.0, 0.0, 1.0, 1.0),
    "BlueLaser": (0.0, 0.0, 1.0, 0.4),
    "BlueTransparent": (0.0, 0.0, 1.0, 0.5),
    "Bricks": (0.65, 0.4, 0.3, 1.0),
    "CeilingTiled": (0.8, 0.8, 0.8, 1.0),
    "DarkGray": (0.175, 0.175, 0.175, 1.0),
    "DarkGrey": (0.175, 0.175, 0.175, 1.0),
    "DarkMagentaTransparent": (0.6, 0.0, 0.6, 0.5),
    "DarkYellow": (0.7, 0.7, 0.0, 1.0),
    "FlatBlack": (0.1, 0.1, 0.1, 1.0),
    "Gold": (0.8, 0.64869, 0.120759, 1.0),
    "Grass": (0.3, 0.5, 0.2, 1.0),
    "Gray": (0.7, 0.7, 0.7, 1.0),
    "Green": (0.0, 1.0, 0.0, 1.0),
    "GreenGlow": (0.0, 1.0, 0.0, 1.0),
    "GreenTransparent": (0.0, 1.0, 0.0, 0.5),
    "Grey": (0.7, 0.7, 0.7, 1.0),
    "GreyTransparent": (0.5, 0.5, 0.5, 0.5),
    "Indigo": (0.33, 0.0, 0.5, 1.0),
    "LightOn": (0.0, 1.0, 0.0, 1.0),
    "LightOff": (1.0, 0.0, 0.0, 1.0),
    "LightWood": (0.8, 0.6, 0.4, 1.0),
    "Orange": (1.0, 0.5088, 0.0468, 1.0),
    "OrangeTransparent": (1.0, 0.44, 0.0, 0.4),
    "Purple": (1.0, 0.0, 1.0, 1.0),
    "PurpleGlow": (1.0, 0.0, 1.0, 1.0),
    "Red": (1.0, 0.0, 0.0, 1.0),
    "RedBright": (0.87, 0.26, 0.07, 1.0),
    "RedGlow": (1.0, 0.0, 0.0, 1.0),
    "RedTransparent": (1.0, 0.0, 0.0, 0.5),
    "Residential": (0.6, 0.6, 0.6, 1.0),
    "Road": (0.3, 0.3, 0.3, 1.0),
    "SkyBlue": (0.13, 0.44, 0.7, 1.0),
    "Turquoise": (0.0, 1.0, 1.0, 1.0),
    "TurquoiseGlow": (0.0, 1.0, 1.0, 1.0),
    "White": (1.0, 1.0, 1.0, 1.0),
    "WhiteGlow": (1.0, 1.0, 1.0, 1.0),
    "Wood": (0.6, 0.4, 0.2, 1.0),
    "WoodFloor": (0.6, 0.4, 0.2, 1.0),
    "WoodPallet": (0.7, 0.55, 0.4, 1.0),
    "Yellow": (1.0, 1.0, 0.0, 1.0),
    "YellowGlow": (1.0, 1.0, 0.0, 1.0),
    "YellowTransparent": (1.0, 1.0, 0.0, 0.5),
    "ZincYellow": (0.9725, 0.9529, 0.2078, 1.0),
}


def script_color(name: str) -> Rgba | None:
    """The color of a material script; None for one that does not come with Gazebo.

    >>> script_color("Gazebo/Red")
    (1.0, 0.0, 0.0, 1.0)
    """
    folder, slash, color = name.rpartition("/")
    return COLORS.get(color) if slash and folder == "Gazebo" else None
