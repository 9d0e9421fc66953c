"""Contact values of geoms: friction, and the stiffness of contacts."""

from __future__ import annotations

from unibody.formats.mjcf import document_bodies as b
from unibody.model.shape import Contact

#: The fields of a geom that are contact values of the model.
FIELDS = ("friction", "solref", "solimp", "margin", "condim")
# MuJoCo's own values, which follow where a geom states only the first ones.
_FRICTION, _SOLREF, _SOLIMP = (1.0, 0.005, 0.0001), (0.02, 1.0), (0.9, 0.95, 0.001, 0.5, 2.0)


def read_contact(doc: b.Geom) -> Contact | None:
    """The contact values that a geom or its class states; None if there are none."""
    # what a class gives is not among the given fields
    given = {key for key, _, _ in doc.node.items} if doc.node is not None else doc.given
    sliding, torsional, rolling = (
        (*doc.friction, None, None, None)[:3] if "friction" in given else (None, None, None)
    )
    out = Contact(
        sliding=sliding,
        torsional=torsional,
        rolling=rolling,
        solref=_whole(doc.solref, _SOLREF) if "solref" in given else None,  # type: ignore[arg-type]
        solimp=_whole(doc.solimp, _SOLIMP) if "solimp" in given else None,  # type: ignore[arg-type]
        margin=doc.margin if "margin" in given else None,
        condim=doc.condim if "condim" in given else None,
    )
    return None if out == Contact() else out


def write_contact(out: b.Geom, contact: Contact | None) -> None:
    """Set the contact values of a geom, those that equal MuJoCo's own included."""
    given = contact or Contact()
    out.given = {*out.given} - set(FIELDS)
    friction = [given.sliding, given.torsional, given.rolling]
    while friction and friction[-1] is None:
        friction.pop()
    if friction:
        values = zip(friction, _FRICTION, strict=False)
        out.friction = tuple(own if value is None else value for value, own in values)
    for name in ("solref", "solimp", "margin", "condim"):
        value = getattr(given, name)
        if value is not None:
            setattr(out, name, value)
    stated = {name for name in FIELDS[1:] if getattr(given, name) is not None}
    out.given |= stated | ({"friction"} if friction else set())


def _whole(values: tuple[float, ...], own: tuple[float, ...]) -> tuple[float, ...]:
    return (*values, *own[len(values) :])
