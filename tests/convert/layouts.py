"""Files of every format as people write them, and as unibody fmt does."""

from __future__ import annotations

OLD = """# a robot
format:   ChoreonoidBody
formatVersion: 1.0   # old
links:
  - &ROOT
    name: BASE
    jointType: fixed      # does not move
    centerOfMass: [ 0, 0,   0.1 ]
    mass: 1.50
    inertia: [ 1, 0, 0, 0, 1, 0, 0, 0, 1 ]
    elements:
      Shape:
        geometry: { type: Cylinder, radius: 0.1, height: 1, divisionNumber: 8 }
  -
      name: ARM
      parent: BASE
      <<: { jointType: revolute, jointAxis: Y }
      mass: 1
      inertia: [1,0,0, 0,1,0, 0,0,1]
"""
NEW = """# a robot
format: ChoreonoidBody
format_version: 1.0  # old
links:
  - &ROOT
    name: BASE
    joint_type: fixed     # does not move
    center_of_mass: [ 0, 0, 0.1 ]
    mass: 1.50
    inertia: [ 1, 0, 0, 0, 1, 0, 0, 0, 1 ]
    elements:
      Shape:
        geometry: { type: Cylinder, radius: 0.1, height: 1, division_number: 8 }
  -
    name: ARM
    parent: BASE
    <<: { joint_type: revolute, joint_axis: Y }
    mass: 1
    inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1]
"""
URDF = """<?xml version="1.0"?>

<robot name='r' xmlns:xacro="http://ros.org/wiki/xacro">   <!-- the robot -->
    <!-- the only link -->
    <link name="base" >
        <visual><geometry><box size="1 2 3" /></geometry></visual>  <!-- a box -->


        <inertial>
            <mass value="1"/>   <!-- kg -->
            <inertia ixx="1" ixy="0" ixz="0"
                             iyy="1" iyz="0"
                                     izz="1"/>
        </inertial>

    </link>
</robot>  <!-- end -->
"""
URDF_NEW = """<?xml version="1.0"?>

<robot name='r' xmlns:xacro="http://ros.org/wiki/xacro">   <!-- the robot -->
  <!-- the only link -->
  <link name="base">
    <visual><geometry><box size="1 2 3" /></geometry></visual>  <!-- a box -->

    <inertial>
      <mass value="1"/>   <!-- kg -->
      <inertia ixx="1" ixy="0" ixz="0"
          iyy="1" iyz="0"
          izz="1"/>
    </inertial>
  </link>
</robot>  <!-- end -->
"""
VRML = """#VRML V2.0 utf8

DEF BOX Transform {
translation   0 0 1   # up
    children [   # one
\tShape { geometry Box { size
          1 2 3 } }  # a box


    # last
    Shape {
      geometry IndexedFaceSet {
        coord Coordinate { point [ 0 0 0,   # first
                                   1 0 0,
                                   0 1 0 ] }
        coordIndex [
            0, 1, 2, -1,
        ] } }
    ]

}
"""
VRML_NEW = """#VRML V2.0 utf8

DEF BOX Transform {
  translation   0 0 1   # up
  children [   # one
    Shape { geometry Box { size
        1 2 3 } }  # a box

    # last
    Shape {
      geometry IndexedFaceSet {
        coord Coordinate { point [ 0 0 0,   # first
                                   1 0 0,
                                   0 1 0 ] }
        coordIndex [
          0, 1, 2, -1,
        ] } }
  ]
}
"""
ROB = """#MPK v1.0 robot
# an arm

selfcoll { Hand Base }   # both


joint Base {
 model0 "base.iv"  # no mesh
}
joint Hand {
    parent   Base   # above
    Rot1 0 0 1
       -1 1
    param 0 }
"""
ROB_NEW = """#MPK v1.0 robot
# an arm

selfcoll { Hand Base }   # both

joint Base {
  model0 "base.iv"  # no mesh
}
joint Hand {
  parent   Base   # above
  Rot1 0 0 1
    -1 1
  param 0 }
"""
BODY = """# 腕のロボット
format:  ChoreonoidBody
format_version: 1.0
name: 腕
links:
- name: BASE   # 台
  joint_type: fixed
  mass: 1.0
  center_of_mass: [ 0, 0, 0 ]
  # rows
  inertia: [ 1, 0, 0,
             0, 1, 0,
             0, 0, 1 ]
  # 終わり

# next
- name: ARM
  parent: BASE
  joint_type:   fixed
  mass: 1.0
  center_of_mass: [ 0, 0, 0 ]
  inertia: [
    1,0, 0,
   -0,1, 0,
    0,0, 1
  ]
note: |   # 説明
   one

     two

other: [ a,   # x
         b ]
"""
BODY_NEW = """# 腕のロボット
format: ChoreonoidBody
format_version: 1.0
name: 腕
links:
  - name: BASE   # 台
    joint_type: fixed
    mass: 1.0
    center_of_mass: [ 0, 0, 0 ]
    # rows
    inertia: [ 1, 0, 0,
               0, 1, 0,
               0, 0, 1 ]
    # 終わり

  # next
  - name: ARM
    parent: BASE
    joint_type: fixed
    mass: 1.0
    center_of_mass: [ 0, 0, 0 ]
    inertia: [
       1, 0, 0,
      -0, 1, 0,
       0, 0, 1
    ]
note: |   # 説明
  one

    two

other: [ a,   # x
         b ]
"""
SHARED = """format: ChoreonoidBody
format_version: 1.0
name: x
links:
  - name: A
    jointType: fixed
    mass: 1
    inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1]
    elements: &S
      - type: Shape
        geometry: &G { type: Cylinder, divisionNumber: 8 }
      - { type: Transform, elements: { Shape: { geometry: *G } } }
  - name: B
    parent: A
    jointType: fixed
    elements: { Transform: { elements: *S } }
"""
