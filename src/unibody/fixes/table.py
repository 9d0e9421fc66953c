"""Which findings have a mechanical remedy: code, function, and what it does."""

from __future__ import annotations

from collections.abc import Mapping

from unibody.fixes import numbers
from unibody.fixes.cure import Case, Cure

_SUGGESTED = ("suggested",)
_BOTH = ("safe", "suggested")


def _attached(_: Case) -> None:
    """The reader attaches the cure to the finding."""


_NEAR = "The word becomes the one that the hint gives."

#: Every code that is not here has no remedy that a machine could know: a number would be invented, or
#: the author alone knows what was meant.
CURES: Mapping[str, Cure] = {
    # files
    "file-case": Cure(_attached, "The name is written as the one file has it that can be meant."),
    "uri-backslash": Cure(_attached, "Backslashes become slashes."),
    "uri-slip": Cure(_attached, "`package:/` and the like become `package://`."),
    # text
    "inventor-syntax": Cure(_attached, "A bracket that closes nothing is removed."),
    "text-after-root": Cure(_attached, "The text is removed; comments stay."),
    "vrml-syntax": Cure(_attached, "A bracket that closes nothing, or a `DEF` without a name, is removed."),
    "xml-comment": Cure(_attached, "`--` in comments becomes `==`."),
    "xml-declaration": Cure(_attached, "Blanks before it are removed; a misspelt one is rewritten."),
    "xml-dtd": Cure(_attached, "The DOCTYPE is removed."),
    "xml-syntax": Cure(_attached, "A bare `&` becomes `&amp;`.", _SUGGESTED),
    "inventor-header": Cure(
        _attached,
        "The header `#Inventor V2.1 ascii` is moved to the first line, or added (suggested).",
        _BOTH,
    ),
    "vrml-header": Cure(
        _attached, "The header `#VRML V2.0 utf8` is added, corrected, or moved to the first line."
    ),
    # document
    "empty-value": Cure(_attached, "The key is removed.", leftover=True),
    "key-twice": Cure(_attached, "The one that does not count is removed.", leftover=True),
    "not-a-choice": Cure(_attached, _NEAR, _SUGGESTED),
    "number-suffix": Cure(
        _attached,
        "A stray sign, or the unit that the number has anyway, is removed; a decimal comma becomes a point "
        "(suggested). Other units are left to the author.",
        _BOTH,
    ),
    "stray-text": Cure(_attached, "The text is made a comment.", leftover=True),
    "type-unknown": Cure(_attached, _NEAR, _SUGGESTED),
    "unknown-key": Cure(_attached, _NEAR, _SUGGESTED),
    "wrong-value": Cure(
        _attached,
        "Commas between the numbers of a URDF attribute become blanks, decimal commas points.",
        _SUGGESTED,
    ),
    # urdf
    "angle-degrees": Cure(_attached, "The angles are written in radians.", _SUGGESTED),
    "color-range": Cure(_attached, "Whole numbers up to 255 are divided by 255.", _SUGGESTED),
    "limit-ignored": Cure(_attached, "`lower` and `upper` are removed."),
    "limit-negative": Cure(_attached, "The minus is removed.", _SUGGESTED),
    # body
    "angle-unit": Cure(_attached, "The file becomes one of version 1.0.", _SUGGESTED),
    "camera-lens": Cure(_attached, "A `height` that follows from the width is removed."),
    "empty-elements": Cure(_attached, "The key is removed."),
    "format-missing": Cure(
        _attached, "`format` and `format_version` are added to a file that has `links`.", _SUGGESTED
    ),
    "import-in-place": Cure(_attached, "`import` becomes `<<`."),
    "last-face-open": Cure(_attached, "-1 is added."),
    "reference-differs": Cure(
        _attached,
        "`Imu`, `crawler` and `link1_local_pos` become the words that Choreonoid knows.",
    ),
    "root-joint-type": Cure(_attached, "The type becomes `free`, as it is taken.", leftover=True),
    "root-not-first": Cure(_attached, "`root_link` is added."),
    "version-missing": Cure(_attached, "`format_version` is added, as the file is read."),
    "version-unknown": Cure(_attached, "The version becomes 2.0.", _SUGGESTED),
    # vrml
    "field-undeclared": Cure(_attached, _NEAR, _SUGGESTED),
    "node-unknown": Cure(_attached, _NEAR, _SUGGESTED),
    "use-undefined": Cure(_attached, _NEAR, _SUGGESTED),
    # openhrp
    "humanoid-list": Cure(_attached, "The names are added to the list, or the list is."),
    "proto-missing": Cure(_attached, "OpenHRP's declarations of the nodes used are added."),
    # mpk
    "mpk-header": Cure(_attached, "The header is added, or moved to the first line."),
    "mpk-version": Cure(_attached, "The version becomes 1.0.", _SUGGESTED),
    "param-missing": Cure(_attached, "`param 0` is added, as it is taken."),
    "param-without-transform": Cure(_attached, "The `param` is removed.", leftover=True),
    "parent-later": Cure(
        _attached, "The parent's block is moved up; the order of the joints changes.", _SUGGESTED
    ),
    "rob-quotes": Cure(_attached, "Quotes are put around names of files, and taken from those of joints."),
    "rob-unknown": Cure(_attached, _NEAR, _SUGGESTED),
    "selfcoll-same": Cure(_attached, "The pair is removed."),
    "selfcoll-unknown": Cure(_attached, _NEAR, _SUGGESTED),
    # model
    "axis-not-unit": Cure(_attached, "The same direction is written with length 1."),
    "child-unknown": Cure(_attached, _NEAR, _SUGGESTED),
    "inertia-not-symmetric": Cure(
        _attached,
        "Where both halves differ by rounding only (1 %), the lower one becomes the upper one.",
        _SUGGESTED,
    ),
    "limits-reversed": Cure(numbers.swapped_limits, "The two limits change places.", _SUGGESTED),
    "limits-unit": Cure(
        numbers.limits_radians, "Limits of a URDF joint of many turns are taken as degrees.", _SUGGESTED
    ),
    "name-duplicate": Cure(_attached, "The second one gets the name that it is read by."),
    "name-missing": Cure(_attached, "The name that it is read by is written down."),
    "parent-unknown": Cure(_attached, _NEAR, _SUGGESTED),
    # the command
    "mute-unknown": Cure(_attached, _NEAR),
}
