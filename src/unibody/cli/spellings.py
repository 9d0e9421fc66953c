"""Options that were renamed: an old spelling is an error that names the new one, until 1.0."""

from __future__ import annotations

_COLLECTION = {"--record": "--log"}
_PLACE = "--place X,Y,Z[,ROLL,PITCH,YAW] (m, degrees)"
_WORLD = {
    "--collision-model": "--shapes (secondary, or collision for primary)",
    "--skip-missing": "--missing skip",
}

#: The new spelling by the old one, for each verb; those of "" are for all verbs.
RENAMED: dict[str, dict[str, str]] = {
    "": {"--format-in": "-f or --from"},
    "info": _COLLECTION,
    "check": _COLLECTION | {"--level": "--fail-on"},
    "convert": _COLLECTION
    | {
        "--format": "--to",
        "--at": "--on",
        "--pose": f"{_PLACE}; --pose was in radians",
    },
    "diff": _COLLECTION,
    "index": _COLLECTION,
    "pairs": _COLLECTION
    | {"--write": "--to", "--seconds": "--time-limit", "--skip-missing": "--missing skip"},
    "ik": {
        "--xyz": f"{_PLACE}",
        "--no-limits": "--no-position-limits",
    },
    "workspace": {"--count": "--samples"},
    "simulate": {
        "--self-collision": "--pairs all",
        "--no-self-collision": "--pairs none",
        "--no-limits": "--no-position-limits",
        "--loops": "--loop-solver",
    },
    "simplify": {"--out": "--output", "--of": "--shapes", "--loose": "--no-contain"},
    "plan": _WORLD | {"--out": "--output", "--seconds": "--time-limit"},
    "check-path": _WORLD,
    "view": {"--pairs": "--prove-pairs"},
}

#: Options that a verb had without an effect.
REMOVED: dict[str, dict[str, str]] = {
    "fmt": {"--srdf": "fmt formats the files that are named, and no other"},
}


def spelling_error(verb: str, option: str) -> str | None:
    """The error of an option that is not in use any more; None for other options.

    >>> spelling_error("convert", "--format")
    '--format is now --to'
    """
    new = RENAMED.get(verb, {}).get(option) or RENAMED[""].get(option)
    if new is not None:
        return f"{option} is now {new}"
    why = REMOVED.get(verb, {}).get(option)
    return None if why is None else f"{option} was removed: {why}"
