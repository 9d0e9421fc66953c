"""Small OpenHRP models."""

from __future__ import annotations

SAMPLES = {
    "pendulum.wrl": """\
#VRML V2.0 utf8

PROTO Humanoid [
  exposedField SFVec3f translation 0 0 0
  exposedField SFRotation rotation 0 0 1 0
  exposedField SFVec3f center 0 0 0
  exposedField SFVec3f scale 1 1 1
  exposedField SFRotation scaleOrientation 0 0 1 0
  exposedField SFString name ""
  exposedField SFString version "1.1"
  exposedField MFString info []
  exposedField MFNode humanoidBody []
  exposedField MFNode joints []
  exposedField MFNode segments []
  exposedField MFNode sites []
  exposedField MFNode viewpoints []
  exposedField SFVec3f bboxCenter 0 0 0
  exposedField SFVec3f bboxSize -1 -1 -1
] {
  Transform {
    bboxCenter IS bboxCenter
    bboxSize IS bboxSize
    center IS center
    rotation IS rotation
    scale IS scale
    scaleOrientation IS scaleOrientation
    translation IS translation
    children [
      Group { children IS viewpoints }
      Group { children IS humanoidBody }
    ]
  }
}

PROTO Joint [
  exposedField SFVec3f translation 0 0 0
  exposedField SFRotation rotation 0 0 1 0
  exposedField SFVec3f center 0 0 0
  exposedField SFVec3f scale 1 1 1
  exposedField SFRotation scaleOrientation 0 0 1 0
  exposedField SFString name ""
  exposedField SFString jointType ""
  exposedField SFInt32 jointId -1
  exposedField SFVec3f jointAxis 0 0 1
  exposedField MFFloat llimit []
  exposedField MFFloat ulimit []
  exposedField MFFloat lvlimit []
  exposedField MFFloat uvlimit []
  exposedField SFFloat gearRatio 1
  exposedField SFFloat gearEfficiency 1
  exposedField SFFloat rotorInertia 0
  exposedField SFFloat rotorResistor 0
  exposedField SFFloat torqueConst 1
  exposedField SFFloat encoderPulse 1
  exposedField MFNode children []
] {
  Transform {
    center IS center
    rotation IS rotation
    scale IS scale
    scaleOrientation IS scaleOrientation
    translation IS translation
    children IS children
  }
}

PROTO Segment [
  exposedField SFString name ""
  exposedField SFFloat mass 0
  exposedField SFVec3f centerOfMass 0 0 0
  exposedField MFFloat momentsOfInertia [0 0 0 0 0 0 0 0 0]
  exposedField MFNode children []
  exposedField SFVec3f bboxCenter 0 0 0
  exposedField SFVec3f bboxSize -1 -1 -1
  exposedField SFNode coord NULL
  exposedField MFNode displacers []
] {
  Group {
    bboxCenter IS bboxCenter
    bboxSize IS bboxSize
    children IS children
  }
}

PROTO Surface [
  exposedField MFNode visual []
  exposedField MFNode collision []
] {
  Group { children IS visual }
}

DEF pendulum Humanoid {
  humanoidBody [
    DEF stand Joint {
      jointType "free"
      children [
        DEF stand_LINK Segment {
          mass 2
          centerOfMass 0 0 0.5
          momentsOfInertia [0.2 0 0 0 0.2 0 0 0 0.004]
          children [
            Surface {
              visual [
                Transform {
                  translation 0 0 0.5
                  children [
                    Shape {
                      geometry Box { size 0.1 0.1 1 }
                    }
                  ]
                }
              ]
            }
          ]
        }
        DEF bob Joint {
          translation 0 0.1 1
          jointType "rotate"
          jointAxis 0 1 0
          llimit [-1.5]
          ulimit [1.5]
          lvlimit [-10]
          uvlimit [10]
          children [
            DEF bob_LINK Segment {
              mass 1
              centerOfMass 0 0 -0.5
              momentsOfInertia [0.001 0 0 0 0.001 0 0 0 0.001]
              children [
                Surface {
                  visual [
                    Transform {
                      translation 0 0 -0.5
                      children [
                        Shape {
                          geometry Sphere { radius 0.05 }
                        }
                      ]
                    }
                  ]
                }
              ]
            }
          ]
        }
      ]
    }
  ]
  joints [
    USE stand
    USE bob
  ]
  segments [
    USE stand_LINK
    USE bob_LINK
  ]
}
""",
}
