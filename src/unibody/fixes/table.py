"""Which findings have a mechanical fix: code, function, and what it does."""

from __future__ import annotations

from collections.abc import Mapping

from unibody.fixes import limits
from unibody.fixes.case import Fixable

_SUGGESTED = ("suggested",)
_BOTH = ("safe", "suggested")


_NEAR = "The word becomes the one that the hint gives."

#: Every code that is not here has no fix that a machine could know: a number would be invented, or
#: the author alone knows what was meant.
FIXABLE: Mapping[str, Fixable] = {
    # files
    "file-case": Fixable("The name is written as the one file has it that can be meant."),
    "uri-backslash": Fixable("Backslashes become slashes."),
    "uri-slip": Fixable("`package:/` and the like become `package://`."),
    # text
    "inventor-syntax": Fixable("A bracket that closes nothing is removed."),
    "text-after-root": Fixable("The text is removed; comments stay."),
    "vrml-syntax": Fixable("A bracket that closes nothing, or a `DEF` without a name, is removed."),
    "xml-comment": Fixable("`--` in comments becomes `==`."),
    "xml-declaration": Fixable("Blanks before it are removed; a misspelt one is rewritten."),
    "xml-dtd": Fixable("The DOCTYPE is removed."),
    "xml-syntax": Fixable("A bare `&` becomes `&amp;`.", _SUGGESTED),
    "inventor-header": Fixable(
        "The header `#Inventor V2.1 ascii` is moved to the first line, or added (suggested).",
        _BOTH,
    ),
    "vrml-header": Fixable("The header `#VRML V2.0 utf8` is added, corrected, or moved to the first line."),
    # document
    "empty-value": Fixable("The key is removed."),
    "key-twice": Fixable("The one that does not count is removed."),
    "not-a-choice": Fixable(_NEAR, _SUGGESTED),
    "number-suffix": Fixable(
        "A stray sign, or the unit that the number has anyway, is removed; a decimal comma becomes a point "
        "(suggested). Other units are left to the author.",
        _BOTH,
    ),
    "stray-text": Fixable("The text is made a comment."),
    "type-unknown": Fixable(_NEAR, _SUGGESTED),
    "unknown-key": Fixable(_NEAR, _SUGGESTED),
    "wrong-value": Fixable(
        "Commas between the numbers of a URDF attribute become blanks, decimal commas points.",
        _SUGGESTED,
    ),
    # urdf
    "angle-degrees": Fixable("The angles are written in radians.", _SUGGESTED),
    "color-range": Fixable("Whole numbers up to 255 are divided by 255.", _SUGGESTED),
    "limit-ignored": Fixable("`lower` and `upper` are removed."),
    "limit-negative": Fixable("The minus is removed.", _SUGGESTED),
    # body
    "angle-unit": Fixable("The file becomes one of version 1.0.", _SUGGESTED),
    "camera-lens": Fixable("A `height` that follows from the width is removed."),
    "empty-elements": Fixable("The key is removed."),
    "format-missing": Fixable(
        "`format` and `format_version` are added to a file that has `links`.", _SUGGESTED
    ),
    "import-in-place": Fixable("`import` becomes `<<`."),
    "last-face-open": Fixable("-1 is added."),
    "reference-differs": Fixable(
        "`Imu`, `crawler` and `link1_local_pos` become the words that Choreonoid knows.",
    ),
    "root-joint-type": Fixable("The type becomes `free`, as it is taken."),
    "root-not-first": Fixable("`root_link` is added."),
    "version-missing": Fixable("`format_version` is added, as the file is read."),
    "version-unknown": Fixable("The version becomes 2.0.", _SUGGESTED),
    # vrml
    "field-undeclared": Fixable(_NEAR, _SUGGESTED),
    "node-unknown": Fixable(_NEAR, _SUGGESTED),
    "use-undefined": Fixable(_NEAR, _SUGGESTED),
    # openhrp
    "humanoid-list": Fixable("The names are added to the list, or the list is."),
    "proto-missing": Fixable("OpenHRP's declarations of the nodes used are added."),
    # mpk
    "mpk-header": Fixable("The header is added, or moved to the first line."),
    "mpk-version": Fixable("The version becomes 1.0.", _SUGGESTED),
    "param-missing": Fixable("`param 0` is added, as it is taken."),
    "param-without-transform": Fixable("The `param` is removed."),
    "parent-later": Fixable("The parent's block is moved up; the order of the joints changes.", _SUGGESTED),
    "rob-quotes": Fixable("Quotes are put around names of files, and taken from those of joints."),
    "rob-unknown": Fixable(_NEAR, _SUGGESTED),
    "selfcoll-same": Fixable("The pair is removed."),
    "selfcoll-unknown": Fixable(_NEAR, _SUGGESTED),
    # model
    "axis-not-unit": Fixable("The same direction is written with length 1."),
    "child-unknown": Fixable(_NEAR, _SUGGESTED),
    "inertia-not-symmetric": Fixable(
        "Where both halves differ by rounding only (1 %), the lower one becomes the upper one.",
        _SUGGESTED,
    ),
    "limits-reversed": Fixable("The two limits change places.", _SUGGESTED, limits.swapped),
    "limits-unit": Fixable(
        "Limits of a URDF joint of many turns are taken as degrees.", _SUGGESTED, limits.radians
    ),
    "name-duplicate": Fixable("The second one gets the name that it is read by."),
    "name-missing": Fixable("The name that it is read by is written down."),
    "parent-unknown": Fixable(_NEAR, _SUGGESTED),
    # the command
    "mute-unknown": Fixable(_NEAR),
}
