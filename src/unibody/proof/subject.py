"""What a cause is about, where others than its readers need to know it."""

from __future__ import annotations

from enum import Enum, auto


class Subject(Enum):
    """What a cause is about: the axes of joints, masses, gravity, and the like."""

    OTHER = auto()
    #: Axes of joints.
    AXIS = auto()
    #: Masses alone, or with what follows from them.
    MASS = auto()
    #: What an engine gives links without mass.
    MASSLESS = auto()
    #: Gravity, which no joint has.
    GRAVITY = auto()
    #: The base, which is fixed or free.
    BASE = auto()
    #: Which number moves which joint.
    ORDER = auto()
    #: A number that other joints have, too: it may be theirs by chance.
    LIKENESS = auto()
