"""Small Inventor models."""

from __future__ import annotations

SAMPLES = {
    "bob.iv": """\
#Inventor V2.1 ascii

Separator {
  Transform { translation 0 0 -0.5 }
  Material { diffuseColor 0.8 0.2 0.1 }
  Sphere { radius 0.05 }
}
""",
}
