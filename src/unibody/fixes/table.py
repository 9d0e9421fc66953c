"""Which findings have a mechanical remedy: code, function, and what it does."""

from __future__ import annotations

from collections.abc import Mapping

from unibody.fixes import limits
from unibody.fixes.cure import Remedied

_SUGGESTED = ("suggested",)
_BOTH = ("safe", "suggested")


_NEAR = "The word becomes the one that the hint gives."

#: Every code that is not here has no remedy that a machine could know: a number would be invented, or
#: the author alone knows what was meant.
CURES: Mapping[str, Remedied] = {
    # files
    "file-case": Remedied("The name is written as the one file has it that can be meant."),
    "uri-backslash": Remedied("Backslashes become slashes."),
    "uri-slip": Remedied("`package:/` and the like become `package://`."),
    # text
    "inventor-syntax": Remedied("A bracket that closes nothing is removed."),
    "text-after-root": Remedied("The text is removed; comments stay."),
    "vrml-syntax": Remedied("A bracket that closes nothing, or a `DEF` without a name, is removed."),
    "xml-comment": Remedied("`--` in comments becomes `==`."),
    "xml-declaration": Remedied("Blanks before it are removed; a misspelt one is rewritten."),
    "xml-dtd": Remedied("The DOCTYPE is removed."),
    "xml-syntax": Remedied("A bare `&` becomes `&amp;`.", _SUGGESTED),
    "inventor-header": Remedied(
        "The header `#Inventor V2.1 ascii` is moved to the first line, or added (suggested).",
        _BOTH,
    ),
    "vrml-header": Remedied(
        "The header `#VRML V2.0 utf8` is added, corrected, or moved to the first line."
    ),
    # document
    "empty-value": Remedied("The key is removed."),
    "key-twice": Remedied("The one that does not count is removed."),
    "not-a-choice": Remedied(_NEAR, _SUGGESTED),
    "number-suffix": Remedied(
        "A stray sign, or the unit that the number has anyway, is removed; a decimal comma becomes a point "
        "(suggested). Other units are left to the author.",
        _BOTH,
    ),
    "stray-text": Remedied("The text is made a comment."),
    "type-unknown": Remedied(_NEAR, _SUGGESTED),
    "unknown-key": Remedied(_NEAR, _SUGGESTED),
    "wrong-value": Remedied(
        "Commas between the numbers of a URDF attribute become blanks, decimal commas points.",
        _SUGGESTED,
    ),
    # urdf
    "angle-degrees": Remedied("The angles are written in radians.", _SUGGESTED),
    "color-range": Remedied("Whole numbers up to 255 are divided by 255.", _SUGGESTED),
    "limit-ignored": Remedied("`lower` and `upper` are removed."),
    "limit-negative": Remedied("The minus is removed.", _SUGGESTED),
    # body
    "angle-unit": Remedied("The file becomes one of version 1.0.", _SUGGESTED),
    "camera-lens": Remedied("A `height` that follows from the width is removed."),
    "empty-elements": Remedied("The key is removed."),
    "format-missing": Remedied(
        "`format` and `format_version` are added to a file that has `links`.", _SUGGESTED
    ),
    "import-in-place": Remedied("`import` becomes `<<`."),
    "last-face-open": Remedied("-1 is added."),
    "reference-differs": Remedied(
        "`Imu`, `crawler` and `link1_local_pos` become the words that Choreonoid knows.",
    ),
    "root-joint-type": Remedied("The type becomes `free`, as it is taken."),
    "root-not-first": Remedied("`root_link` is added."),
    "version-missing": Remedied("`format_version` is added, as the file is read."),
    "version-unknown": Remedied("The version becomes 2.0.", _SUGGESTED),
    # vrml
    "field-undeclared": Remedied(_NEAR, _SUGGESTED),
    "node-unknown": Remedied(_NEAR, _SUGGESTED),
    "use-undefined": Remedied(_NEAR, _SUGGESTED),
    # openhrp
    "humanoid-list": Remedied("The names are added to the list, or the list is."),
    "proto-missing": Remedied("OpenHRP's declarations of the nodes used are added."),
    # mpk
    "mpk-header": Remedied("The header is added, or moved to the first line."),
    "mpk-version": Remedied("The version becomes 1.0.", _SUGGESTED),
    "param-missing": Remedied("`param 0` is added, as it is taken."),
    "param-without-transform": Remedied("The `param` is removed."),
    "parent-later": Remedied(
        "The parent's block is moved up; the order of the joints changes.", _SUGGESTED
    ),
    "rob-quotes": Remedied("Quotes are put around names of files, and taken from those of joints."),
    "rob-unknown": Remedied(_NEAR, _SUGGESTED),
    "selfcoll-same": Remedied("The pair is removed."),
    "selfcoll-unknown": Remedied(_NEAR, _SUGGESTED),
    # model
    "axis-not-unit": Remedied("The same direction is written with length 1."),
    "child-unknown": Remedied(_NEAR, _SUGGESTED),
    "inertia-not-symmetric": Remedied(
        "Where both halves differ by rounding only (1 %), the lower one becomes the upper one.",
        _SUGGESTED,
    ),
    "limits-reversed": Remedied("The two limits change places.", _SUGGESTED, limits.swapped),
    "limits-unit": Remedied(
        "Limits of a URDF joint of many turns are taken as degrees.", _SUGGESTED, limits.radians
    ),
    "name-duplicate": Remedied("The second one gets the name that it is read by."),
    "name-missing": Remedied("The name that it is read by is written down."),
    "parent-unknown": Remedied(_NEAR, _SUGGESTED),
    # the command
    "mute-unknown": Remedied(_NEAR),
}
