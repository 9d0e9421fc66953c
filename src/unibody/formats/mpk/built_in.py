"""Robots built into MPK, as .rob texts (formats/mpk.md, scenes)."""

from __future__ import annotations

#: Free-flying object: six parameters, a model on the last joint, a trace point; {models} is a placeholder.
FREE_FLYING = """#MPK v1.0 robot
joint x-transl { Transl1 1 0 0 -10 10 param 0 coll FALSE }
joint y-transl { parent x-transl Transl1 0 1 0 -10 10 param 1 coll FALSE }
joint z-transl { parent y-transl Transl1 0 0 1 -10 10 param 2 coll FALSE }
joint x-rot { parent z-transl Rot1 1 0 0 -3.142 3.142 param 3 coll FALSE }
joint y-rot { parent x-rot Rot1 0 1 0 -3.142 3.142 param 4 coll FALSE }
joint z-rot { parent y-rot Rot1 0 0 1 -3.142 3.142 param 5 {models} }
joint TracePoint { parent z-rot tracePoint coll FALSE }
"""

#: The default model of a free-flying object.
OBJECT = "FreeFlyingObject/object.iv"
