"""The cause of a wrong inertia in words, and as edits of the model's text."""

from __future__ import annotations

import math

from unibody.model.inertia import Inertial
from unibody.model.validation.cause import ENTRIES, UNITS, Explained
from unibody.text.edit import ProposedFix
from unibody.text.finding import Cause
from unibody.text.fixes import attributes_renumbered, renumbered

# Which entry each number of a list of nine rows is.
_ROWS = ("ixx", "ixy", "ixz", "ixy", "iyy", "iyz", "ixz", "iyz", "izz")


def statement(explained: Explained) -> str:
    """What is wrong: how much the inertia deviates from that of which solid, and why."""
    if explained.cause.likely:
        return f"{_subject(explained)} unlikely for {explained.reference.words}: {_slip(explained)}"
    before, reference = percent(explained.cause.before), explained.reference.words
    return f"its inertia deviates by {before} from that of {reference}: {_slip(explained)}"


def advice(explained: Explained) -> str:
    """What to change, and how well the inertia agrees with the solid afterwards."""
    if explained.cause.likely:
        return _change(explained)
    within = f"within {percent(max(explained.cause.after, 1e-4))}"
    return f"{_change(explained)}; it then agrees with that of {explained.reference.words} {within}"


def percent(share: float) -> str:
    """A share in percent; large ones as a multiple.

    >>> percent(0.0034), percent(1.674), percent(1e6)
    ('0.34 %', '167 %', '1e+06 times')
    """
    if share >= 10.0:
        return f"{share:.2g} times"
    return f"{100.0 * share:.0f} %" if share >= 0.1 else f"{100.0 * share:.2g} %"


def _subject(explained: Explained) -> str:
    """The numbers that are wrong, with the verb."""
    entries = {n if n in ("mass", "com") else "inertia" for n in explained.cause.entries}
    words = {"mass": "mass", "com": "center of mass", "inertia": "inertia"}
    named = [word for entry, word in words.items() if entry in entries]
    return f"its {_listed(named)} {'is' if len(named) == 1 else 'are'}"


def _looks(explained: Explained) -> str:
    """The slip that explains the numbers best, as a guess."""
    cause, written = explained.cause, explained.written
    what = _subject(explained).removeprefix("its ").rpartition(" ")[0]
    look = "looks" if " and " not in what else "look"
    where = cause.reference.split("/")[1] if cause.reference.startswith("links/") else ""
    match cause.kind:
        case "unit" if len(cause.entries) > 1:
            return f"{what} look as if they were written in other units"
        case "unit" if cause.entries == ("inertia",):
            return f"inertia looks {_times(1.0 / cause.factor)}{_unit(1.0 / cause.factor)}"
        case "unit":
            times = 1.0 / cause.factor if cause.entries == ("com",) else cause.factor
            return f"{what} looks {_times(times)}"
        case "sign" if cause.entries == ("com",):
            return "center of mass looks as if one coordinate had the opposite sign"
        case "sign":
            verb = "has" if len(cause.entries) == 1 else "have"
            return f"it looks as if {_listed(cause.entries)} {verb} the opposite sign"
        case "factor":
            name = cause.entries[0]
            if written[name] == 0.0:
                return f"{name} = 0 looks left out"
            return f"{name} looks {_times(1.0 / cause.factor)}"
        case "order":
            return f"{_listed(cause.entries)} look exchanged"
        case "frame":
            return f"{what} {look} left in another frame"
        case "point" if cause.entries == ("com",):
            return "center of mass looks left at the link origin"
        case "point" if "com" in cause.entries:
            return "inertia looks as if it were about the link origin, where the center of mass was left"
        case "point" if cause.factor < 0.0:
            return "inertia looks as if it were about the link origin instead of the center of mass"
        case "point":
            return "inertia looks as if it had been moved to the center of mass twice"
        case "parts":
            return "it looks summed from parts without mass × distance² between them"
        case "placeholder":
            return "one round number about all axes looks like a placeholder"
        case "copy":
            return f"inertia looks copied from link '{where}'"
        case "mirror":
            return f"{what} {look} copied from link '{where}' without mirroring"
    return f"{what} {look} wrong"


def _slip(explained: Explained) -> str:
    if explained.cause.likely:
        return _looks(explained)
    cause, written = explained.cause, explained.written
    named = _listed(cause.entries)
    match cause.kind:
        case "sign":
            return f"{named} {'has' if len(cause.entries) == 1 else 'have'} the opposite sign"
        case "factor":
            if written[cause.entries[0]] == 0.0:
                return f"{named} is zero"
            exponent = _exponent(cause.factor)
            if exponent is None:
                return f"only {named} = {written[cause.entries[0]]:g} does not fit"
            return f"{named} is {_times(1.0 / cause.factor)}"
        case "order":
            if _is_exchange(explained):
                return f"{named} are exchanged"
            axes = _axes_exchanged(explained)
            return f"the axes {axes} are exchanged" if axes else "its entries are in another order"
        case "point" if "com" in cause.entries:
            return "it is about the link origin, and the center of mass was left there"
        case "point" if cause.factor < 0.0:
            return "it is about the link origin instead of the center of mass"
        case "point":
            return "it was moved from the link origin to the center of mass, where it was already"
        case "unit" if cause.entries == ("mass",):
            return f"the mass is {_times(cause.factor)}"
        case "unit":
            return f"it is {_times(1.0 / cause.factor)}{_unit(1.0 / cause.factor)}"
    return f"it is that of {_other_mass(explained):.4g} kg, but the mass is {written['mass']:.4g} kg"


def _likely_change(explained: Explained) -> str:
    """The numbers that would fit, in the order of the file."""
    cause, changed = explained.cause, explained.changed
    new = explained.written | changed
    parts = [f"mass {new['mass']:g}"] if "mass" in changed else []
    if any(name.startswith("com_") for name in changed):
        center = ", ".join(f"{new[name]:g}" for name in ("com_x", "com_y", "com_z"))
        parts.append(f"center of mass ({center})")
    parts += [f"{name} = {new[name]:g}" for name in ENTRIES if name in changed]
    if cause.kind in ("placeholder", "copy"):
        return f"compute the inertia from the link's shape; as a solid it would have {', '.join(parts)}"
    return f"check it; {', '.join(parts)} would fit {explained.reference.words}"


def _change(explained: Explained) -> str:
    if explained.cause.likely:
        return _likely_change(explained)
    cause, written, changed = explained.cause, explained.written, explained.changed
    named = _listed(cause.entries)
    scaled = f"multiply the inertia by {cause.factor:.4g}"
    match cause.kind:
        case "sign":
            return "change " + _listed(f"{n} to {changed[n]:g}" for n in cause.entries) + " (opposite sign)"
        case "factor":
            exponent = _exponent(cause.factor)
            times = f" ({cause.factor:g} times as large)" if exponent is not None else ""
            return f"change {named} to {changed[cause.entries[0]]:g}{times}"
        case "order" if _is_exchange(explained):
            return f"exchange {named}"
        case "order" | "point" if changed:
            entries = explained.written | changed
            return "write " + ", ".join(f"{n} = {entries[n]:g}" for n in ENTRIES)
        case "point":
            x, y, z = explained.reference.solid.center.tolist()
            return (
                f"set the center of mass to ({x:.4g}, {y:.4g}, {z:.4g}), and subtract mass × distance² to "
                "the link origin from the inertia"
            )
        case "unit" | "density" if cause.entries == ("mass",):
            return f"change the mass to {changed['mass']:g}" + (
                f" ({1.0 / cause.factor:g} times as large)" if cause.kind == "unit" else ""
            )
        case "unit" | "density" if changed:
            return scaled
    return f"{scaled}, or change the mass from {written['mass']:g} to {_other_mass(explained):.4g}"


def _listed(words: object) -> str:
    """Words as a list in a sentence.

    >>> _listed(("ixy", "ixz", "iyz"))
    'ixy, ixz and iyz'
    """
    *most, last = map(str, words)  # type: ignore[call-overload]
    return f"{', '.join(most)} and {last}" if most else last


def _other_mass(explained: Explained) -> float:
    return explained.written["mass"] / explained.cause.factor


def _exponent(factor: float) -> int | None:
    """The exponent of a power of ten; None for any other factor."""
    if not factor > 0.0:
        return None
    exponent = round(math.log10(factor))
    return exponent if exponent and abs(factor / 10.0**exponent - 1.0) < 1e-9 else None


def _times(factor: float) -> str:
    return f"{factor:.4g} times too large" if factor > 1.0 else f"{1.0 / factor:.4g} times too small"


def _unit(factor: float) -> str:
    unit = next((unit for known, unit in UNITS.items() if abs(factor / known - 1.0) < 1e-6), "")
    return f", as in {unit}" if unit else ""


def _axes_exchanged(explained: Explained) -> str:
    """Names of two axes if all entries are those about the axes in exchange; else ""."""
    written, now = explained.written, explained.written | explained.changed
    for a, b, name in (("x", "y", "x and y"), ("x", "z", "x and z"), ("y", "z", "y and z")):
        swap = {a: b, b: a}
        turned = {n: "i" + "".join(sorted(swap.get(axis, axis) for axis in n[1:])) for n in ENTRIES}
        if all(now[n] == written[turned[n]] for n in ENTRIES):
            return name
    return ""


def _is_exchange(explained: Explained) -> bool:
    """Whether two entries have each other's numbers."""
    names, written = explained.cause.entries, explained.written
    return len(names) == 2 and explained.changed == {
        names[0]: written[names[1]],
        names[1]: written[names[0]],
    }


def proposed(explained: Explained, inertial: Inertial) -> ProposedFix | None:
    """The fix that writes the numbers that fit; None if they are not proved or not in one place."""
    if explained.cause.likely:
        return None
    changed = explained.changed
    title = _title(explained)
    if not changed or inertial.axes is None:
        return None
    if "mass" in changed:
        at, mass = inertial.mass_at, changed["mass"]
        numbers = renumbered(at, title, lambda old: [mass] if len(old) == 1 else None)
        return numbers or attributes_renumbered(at, title, {"value": mass})
    at = inertial.inertia_at
    return renumbered(at, title, lambda old: _list(old, explained)) or attributes_renumbered(
        at, title, changed
    )


def _list(old: list[float], explained: Explained) -> list[float] | None:
    """The numbers of a list of six or nine entries, with those that change."""
    names = {6: ENTRIES, 9: _ROWS}.get(len(old))
    if names is None:
        return None
    return [explained.changed.get(name, number) for name, number in zip(names, old, strict=True)]


def _title(explained: Explained) -> str:
    cause: Cause = explained.cause
    match cause.kind:
        case "sign" | "factor":
            return "change " + _listed(f"{n} to {explained.changed[n]:g}" for n in cause.entries)
        case "order":
            return (
                f"exchange {_listed(cause.entries)}"
                if _is_exchange(explained)
                else "put the entries in order"
            )
        case "point":
            return "give the inertia about the center of mass"
    if cause.entries == ("mass",):
        return f"change the mass to {explained.changed['mass']:g}"
    return f"multiply the inertia by {cause.factor:g}"
