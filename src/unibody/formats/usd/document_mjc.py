"""Declarations of USD: schemas of MuJoCo that are applied to prims."""

from __future__ import annotations

from unibody.document.declare import Document, element, key
from unibody.formats.usd.values import BOOL, DOUBLE, DOUBLE3, DOUBLES, FLOAT, INT, INTS, REL, token
from unibody.text.node import Numbers


@element
class MjcSceneAPI(Document):
    """MuJoCo's compiler, flags and options."""

    compiler_align_free: bool = key(BOOL, False, name="mjc:compiler:alignFree")
    compiler_angle: str = key(token("degree", "radian", uniform=True), "degree", name="mjc:compiler:angle")
    compiler_auto_limits: bool = key(BOOL, True, name="mjc:compiler:autoLimits")
    compiler_balance_inertia: bool = key(BOOL, False, name="mjc:compiler:balanceInertia")
    compiler_bound_inertia: float = key(DOUBLE, 0.0, name="mjc:compiler:boundInertia")
    compiler_bound_mass: float = key(DOUBLE, 0.0, name="mjc:compiler:boundMass")
    compiler_fit_aabb: bool = key(BOOL, False, name="mjc:compiler:fitAABB")
    compiler_fuse_static: bool = key(BOOL, False, name="mjc:compiler:fuseStatic")
    compiler_inertia_from_geom: str = key(token(uniform=True), "auto", name="mjc:compiler:inertiaFromGeom")
    compiler_inertia_group_range_max: int = key(INT, 5, name="mjc:compiler:inertiaGroupRange:max")
    compiler_inertia_group_range_min: int = key(INT, 0, name="mjc:compiler:inertiaGroupRange:min")
    compiler_save_inertial: bool = key(BOOL, False, name="mjc:compiler:saveInertial")
    compiler_set_total_mass: float = key(DOUBLE, -1.0, name="mjc:compiler:setTotalMass")
    compiler_use_thread: bool = key(BOOL, True, name="mjc:compiler:useThread")
    flag_actuation: bool = key(BOOL, True, name="mjc:flag:actuation")
    flag_autoreset: bool = key(BOOL, True, name="mjc:flag:autoreset")
    flag_clampctrl: bool = key(BOOL, True, name="mjc:flag:clampctrl")
    flag_constraint: bool = key(BOOL, True, name="mjc:flag:constraint")
    flag_contact: bool = key(BOOL, True, name="mjc:flag:contact")
    flag_damper: bool = key(BOOL, True, name="mjc:flag:damper")
    flag_energy: bool = key(BOOL, False, name="mjc:flag:energy")
    flag_equality: bool = key(BOOL, True, name="mjc:flag:equality")
    flag_eulerdamp: bool = key(BOOL, True, name="mjc:flag:eulerdamp")
    flag_filterparent: bool = key(BOOL, True, name="mjc:flag:filterparent")
    flag_frictionloss: bool = key(BOOL, True, name="mjc:flag:frictionloss")
    flag_fwdinv: bool = key(BOOL, False, name="mjc:flag:fwdinv")
    flag_gravity: bool = key(BOOL, True, name="mjc:flag:gravity")
    flag_invdiscrete: bool = key(BOOL, False, name="mjc:flag:invdiscrete")
    flag_island: bool = key(BOOL, True, name="mjc:flag:island")
    flag_limit: bool = key(BOOL, True, name="mjc:flag:limit")
    flag_midphase: bool = key(BOOL, True, name="mjc:flag:midphase")
    flag_multiccd: bool = key(BOOL, True, name="mjc:flag:multiccd")
    flag_nativeccd: bool = key(BOOL, True, name="mjc:flag:nativeccd")
    flag_override: bool = key(BOOL, False, name="mjc:flag:override")
    flag_refsafe: bool = key(BOOL, True, name="mjc:flag:refsafe")
    flag_sensor: bool = key(BOOL, True, name="mjc:flag:sensor")
    flag_spring: bool = key(BOOL, True, name="mjc:flag:spring")
    flag_warmstart: bool = key(BOOL, True, name="mjc:flag:warmstart")
    option_actuatorgroupdisable: Numbers | None = key(INTS, None, name="mjc:option:actuatorgroupdisable")
    option_ccd_iterations: int = key(INT, 35, name="mjc:option:ccd_iterations")
    option_ccd_tolerance: float = key(DOUBLE, 1e-06, name="mjc:option:ccd_tolerance")
    option_cone: str = key(
        token("pyramidal", "elliptic", uniform=True), "pyramidal", name="mjc:option:cone"
    )
    option_density: float = key(DOUBLE, 0.0, name="mjc:option:density")
    option_impratio: float = key(DOUBLE, 1.0, name="mjc:option:impratio")
    option_integrator: str = key(
        token("euler", "rk4", "implicit", "implicitfast", uniform=True),
        "euler",
        name="mjc:option:integrator",
    )
    option_iterations: int = key(INT, 100, name="mjc:option:iterations")
    option_jacobian: str = key(
        token("auto", "dense", "sparse", uniform=True), "auto", name="mjc:option:jacobian"
    )
    option_ls_iterations: int = key(INT, 50, name="mjc:option:ls_iterations")
    option_ls_tolerance: float = key(DOUBLE, 0.01, name="mjc:option:ls_tolerance")
    option_magnetic: tuple[float, ...] = key(DOUBLE3, (0.0, -0.5, 0.0), name="mjc:option:magnetic")
    option_noslip_iterations: int = key(INT, 0, name="mjc:option:noslip_iterations")
    option_noslip_tolerance: float = key(DOUBLE, 1e-06, name="mjc:option:noslip_tolerance")
    option_o_friction: Numbers | None = key(DOUBLES, None, name="mjc:option:o_friction")
    option_o_margin: float = key(DOUBLE, 0.0, name="mjc:option:o_margin")
    option_o_solimp: Numbers | None = key(DOUBLES, None, name="mjc:option:o_solimp")
    option_o_solref: Numbers | None = key(DOUBLES, None, name="mjc:option:o_solref")
    option_sdf_initpoints: int = key(INT, 40, name="mjc:option:sdf_initpoints")
    option_sdf_iterations: int = key(INT, 10, name="mjc:option:sdf_iterations")
    option_solver: str = key(token("pgs", "cg", "newton", uniform=True), "newton", name="mjc:option:solver")
    option_timestep: float = key(DOUBLE, 0.002, name="mjc:option:timestep")
    option_tolerance: float = key(DOUBLE, 1e-08, name="mjc:option:tolerance")
    option_viscosity: float = key(DOUBLE, 0.0, name="mjc:option:viscosity")
    option_wind: tuple[float, ...] = key(DOUBLE3, (0.0, 0.0, 0.0), name="mjc:option:wind")


@element
class MjcSiteAPI(Document):
    """A site of MuJoCo: its shape only marks it."""

    group: int = key(INT, 0, name="mjc:group")


@element
class MjcImageableAPI(Document):
    """The group of a shape that is only drawn."""

    group: int = key(INT, 0, name="mjc:group")


@element
class MjcCollisionAPI(Document):
    """MuJoCo's values of a collider."""

    condim: int = key(INT, 3, name="mjc:condim")
    gap: float = key(DOUBLE, 0.0, name="mjc:gap")
    group: int = key(INT, 0, name="mjc:group")
    margin: float = key(DOUBLE, 0.0, name="mjc:margin")
    priority: int = key(INT, 0, name="mjc:priority")
    shellinertia: bool = key(BOOL, False, name="mjc:shellinertia")
    solimp: Numbers | None = key(DOUBLES, None, name="mjc:solimp")
    solmix: float = key(DOUBLE, 1.0, name="mjc:solmix")
    solref: Numbers | None = key(DOUBLES, None, name="mjc:solref")


@element
class MjcMeshCollisionAPI(Document):
    """MuJoCo's values of a mesh that collides."""

    inertia: str = key(
        token("legacy", "convex", "exact", "shell", uniform=True), "legacy", name="mjc:inertia"
    )
    maxhullvert: int = key(INT, -1, name="mjc:maxhullvert")


@element
class MjcJointAPI(Document):
    """MuJoCo's values of a joint."""

    actuatorfrclimited: str = key(
        token("false", "true", "auto", uniform=True), "auto", name="mjc:actuatorfrclimited"
    )
    actuatorfrcrange_max: float = key(DOUBLE, 0.0, name="mjc:actuatorfrcrange:max")
    actuatorfrcrange_min: float = key(DOUBLE, 0.0, name="mjc:actuatorfrcrange:min")
    actuatorgravcomp: bool = key(BOOL, False, name="mjc:actuatorgravcomp")
    armature: float = key(DOUBLE, 0.0, name="mjc:armature")
    damping: float = key(DOUBLE, 0.0, name="mjc:damping")
    frictionloss: float = key(DOUBLE, 0.0, name="mjc:frictionloss")
    group: int = key(INT, 0, name="mjc:group")
    margin: float = key(DOUBLE, 0.0, name="mjc:margin")
    ref: float = key(DOUBLE, 0.0, name="mjc:ref")
    solimpfriction: Numbers | None = key(DOUBLES, None, name="mjc:solimpfriction")
    solimplimit: Numbers | None = key(DOUBLES, None, name="mjc:solimplimit")
    solreffriction: Numbers | None = key(DOUBLES, None, name="mjc:solreffriction")
    solreflimit: Numbers | None = key(DOUBLES, None, name="mjc:solreflimit")
    springdamper: Numbers | None = key(DOUBLES, None, name="mjc:springdamper")
    springref: float = key(DOUBLE, 0.0, name="mjc:springref")
    stiffness: float = key(DOUBLE, 0.0, name="mjc:stiffness")


@element
class MjcMaterialAPI(Document):
    """MuJoCo's friction of a surface."""

    rollingfriction: float = key(DOUBLE, 0.0001, name="mjc:rollingfriction")
    torsionalfriction: float = key(DOUBLE, 0.005, name="mjc:torsionalfriction")


@element
class MjcEqualityAPI(Document):
    """MuJoCo's values of a constraint."""

    solimp: Numbers | None = key(DOUBLES, None, name="mjc:solimp")
    solref: Numbers | None = key(DOUBLES, None, name="mjc:solref")
    target: tuple[str, ...] = key(REL, (), name="mjc:target")


@element
class MjcEqualityConnectAPI(Document):
    """A joint that is a connect constraint of MuJoCo."""


@element
class MjcEqualityWeldAPI(Document):
    """A joint that is a weld constraint of MuJoCo."""

    torque_scale: float = key(FLOAT, 1.0, name="mjc:torqueScale")


@element
class MjcEqualityJointAPI(Document):
    """A joint constraint of MuJoCo: a polynomial of the target's position."""

    coef0: float = key(DOUBLE, 0.0, name="mjc:coef0")
    coef1: float = key(DOUBLE, 1.0, name="mjc:coef1")
    coef2: float = key(DOUBLE, 0.0, name="mjc:coef2")
    coef3: float = key(DOUBLE, 0.0, name="mjc:coef3")
    coef4: float = key(DOUBLE, 0.0, name="mjc:coef4")
    solimp: Numbers | None = key(DOUBLES, None, name="mjc:solimp")
    solref: Numbers | None = key(DOUBLES, None, name="mjc:solref")
    target: tuple[str, ...] = key(REL, (), name="mjc:target")
