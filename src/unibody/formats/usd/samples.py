"""Small USD models for tests and the fuzzer."""

from __future__ import annotations

_ARM = """#usda 1.0
(
    defaultPrim = "arm"
    kilogramsPerUnit = 1
    metersPerUnit = 1
    upAxis = "Z"
)

def Xform "arm" (
    prepend apiSchemas = ["PhysicsArticulationRootAPI"]
)
{
    def Xform "base" (
        prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]
    )
    {
        float physics:mass = 2
        point3f physics:centerOfMass = (0, 0, 0.05)
        float3 physics:diagonalInertia = (0.01, 0.01, 0.02)
        quatf physics:principalAxes = (1, 0, 0, 0)

        def Cube "block" (
            prepend apiSchemas = ["PhysicsCollisionAPI"]
        )
        {
            double size = 0.2
            double3 xformOp:translate = (0, 0, 0.1)
            uniform token[] xformOpOrder = ["xformOp:translate"]
        }
    }

    def Xform "link" (
        prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]
    )
    {
        float physics:mass = 1
        double3 xformOp:translate = (0, 0, 0.2)
        uniform token[] xformOpOrder = ["xformOp:translate"]

        def Capsule "rod" (
            prepend apiSchemas = ["PhysicsCollisionAPI"]
        )
        {
            uniform token axis = "Z"
            double height = 0.3
            double radius = 0.04
            double3 xformOp:translate = (0, 0, 0.15)
            uniform token[] xformOpOrder = ["xformOp:translate"]
        }
    }

    def PhysicsFixedJoint "to_world"
    {
        rel physics:body1 = </arm/base>
    }

    def PhysicsRevoluteJoint "shoulder" (
        prepend apiSchemas = ["PhysicsDriveAPI:angular"]
    )
    {
        uniform token physics:axis = "Y"
        rel physics:body0 = </arm/base>
        rel physics:body1 = </arm/link>
        point3f physics:localPos0 = (0, 0, 0.2)
        float physics:lowerLimit = -90
        float physics:upperLimit = 90
        float drive:angular:physics:maxForce = 20
        float drive:angular:physics:stiffness = 5
    }
}
"""

SAMPLES = {"arm.usda": _ARM}
