"""The versions of SDF that are written, and what older ones cannot say."""

from __future__ import annotations

from typing import TypeAlias

Version: TypeAlias = tuple[int, int]
#: The version that is written if no other is asked for.
DEFAULT: Version = (1, 11)
#: The first version that has these.
CAPSULES: Version = (1, 8)
QUATERNIONS: Version = (1, 9)
PITCHES: Version = (1, 10)
MIMICS: Version = (1, 11)
CONES: Version = (1, 11)
INTENSITIES: Version = (1, 8)
#: Names reach into nested models.
NESTED: Version = (1, 8)

#: The versions that can be asked for.
CHOICES = ("1.7", "1.8", "1.9", "1.10", "1.11", "1.12")


def parsed(text: str) -> Version:
    """A version as numbers, in the order of time.

    >>> parsed("1.9") < parsed("1.10")
    True
    """
    major, _, minor = text.partition(".")
    return int(major), int(minor)


def text_of(version: Version) -> str:
    """A version as it is written."""
    return f"{version[0]}.{version[1]}"
