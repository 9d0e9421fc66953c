"""Small MPK robots and scenes."""

from __future__ import annotations

SAMPLES = {
    "pendulum.rob": """\
#MPK v1.0 robot

joint stand {
}

joint bob {
  parent stand
  ConstTransl_Rot1  0 0.1 1  0 1 0  -1.5 1.5
  param 0
  model0 "bob.iv"
}
""",
    "bob.iv": """\
#Inventor V2.1 ascii

Separator {
  Transform { translation 0 0 -0.5 }
  Sphere { radius 0.05 }
}
""",
}


SCENES = {
    "room.iv": """\
#Inventor V2.1 ascii

mpkRobot {
  translation 1 2 0
  rotation 0 0 1 0.5
  fileName "pendulum.rob"
  robotType GENERIC
}
mpkObstacle {
  Separator {
    Translation { translation 0 0 0.5 }
    DEF __triangulate__ Cube { width 1 height 2 depth 1 }
  }
}
""",
    "pendulum.rob": """\
#MPK v1.0 robot

joint stand {
}

joint bob {
  parent stand
  ConstTransl_Rot1  0 0.1 1  0 1 0  -1.5 1.5
  param 0
}
""",
    "flying.iv": """\
#Inventor V2.1 ascii

mpkRobot { robotType FREEFLYINGOBJECT fileName "part.iv" }
DEF more mpkIncludeFile { name "part.iv" }
""",
    "part.iv": """\
#Inventor V2.1 ascii

Separator { Sphere { radius 0.05 } }
""",
}
