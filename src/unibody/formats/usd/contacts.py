"""Reads how colliders touch others: their physics material, and the values of Newton and MuJoCo."""

from __future__ import annotations

from typing import Any

from unibody.formats.usd.looks import Looks
from unibody.formats.usd.places import Place
from unibody.model.shape import Contact

_SOLREF, _SOLIMP = 2, 5


def contact_of(place: Place, looks: Looks) -> Contact | None:
    """The contact values of a collider; None if nothing states them."""
    values: dict[str, Any] = {}
    material = looks.touch(place)
    if material is not None:
        surface, newton, mjc = (
            material.prim.physics_material,
            material.prim.newton_material,
            material.prim.mjc_material,
        )
        if surface is not None and surface.given & {"dynamic_friction", "static_friction"}:
            is_dynamic = "dynamic_friction" in surface.given
            values["sliding"] = surface.dynamic_friction if is_dynamic else surface.static_friction
        if mjc is not None:
            values |= _given(mjc, torsional="torsionalfriction", rolling="rollingfriction")
        if newton is not None:
            values |= _given(newton, torsional="torsional_friction", rolling="rolling_friction")
    collider = place.prim.mjc_collision
    if collider is not None:
        values |= _given(collider, margin="margin", condim="condim")
        for name, field, size in (
            ("solref", collider.solref, _SOLREF),
            ("solimp", collider.solimp, _SOLIMP),
        ):
            if field is not None and len(field) == size:
                values[name] = tuple(field.array().tolist())
    return Contact(**values) if values else None


def _given(doc: Any, **fields: str) -> dict[str, Any]:
    """The fields that are given, by their names in the model."""
    return {name: getattr(doc, field) for name, field in fields.items() if field in doc.given}
