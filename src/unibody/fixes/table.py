"""Which findings have a mechanical remedy: code, function, and what it does."""

from __future__ import annotations

from collections.abc import Mapping

from unibody.fixes import keys, mpk, near, numbers, paths, syntax, vrml
from unibody.fixes.cure import Cure

_SUGGESTED = ("suggested",)
_BOTH = ("safe", "suggested")
_NEAR = "The word becomes the one that the hint gives."

#: Every code that is not here has no remedy that a machine could know: a number would be invented, or
#: the author alone knows what was meant.
CURES: Mapping[str, Cure] = {
    # files
    "file-case": Cure(
        paths.respelled_path, "The name is written as the one file has it that can be meant."
    ),
    "uri-backslash": Cure(paths.respelled_path, "Backslashes become slashes."),
    "uri-slip": Cure(paths.package_slip, "`package:/` and the like become `package://`."),
    # text
    "inventor-syntax": Cure(syntax.closes_nothing, "A bracket that closes nothing is removed."),
    "text-after-root": Cure(syntax.text_after_root, "The text is removed; comments stay."),
    "vrml-syntax": Cure(
        syntax.closes_nothing, "A bracket that closes nothing, or a `DEF` without a name, is removed."
    ),
    "xml-comment": Cure(syntax.xml_comment, "`--` in comments becomes `==`."),
    "xml-declaration": Cure(
        syntax.xml_declaration, "Blanks before it are removed; a misspelt one is rewritten."
    ),
    "xml-dtd": Cure(syntax.xml_dtd, "The DOCTYPE is removed."),
    "xml-syntax": Cure(syntax.xml_syntax, "A bare `&` becomes `&amp;`.", _SUGGESTED),
    "inventor-header": Cure(
        syntax.inventor_header,
        "The header `#Inventor V2.1 ascii` is moved to the first line, or added (suggested).",
        _BOTH,
    ),
    "vrml-header": Cure(
        syntax.vrml_header, "The header `#VRML V2.0 utf8` is added, corrected, or moved to the first line."
    ),
    # document
    "empty-value": Cure(keys.without_empty, "The key is removed.", leftover=True),
    "key-twice": Cure(keys.said_once, "The one that does not count is removed.", leftover=True),
    "not-a-choice": Cure(near.respelled, _NEAR, _SUGGESTED),
    "number-suffix": Cure(
        numbers.bare_number,
        "A stray sign, or the unit that the number has anyway, is removed; a decimal comma becomes a point "
        "(suggested). Other units are left to the author.",
        _BOTH,
    ),
    "stray-text": Cure(syntax.stray_text, "The text is made a comment.", leftover=True),
    "type-unknown": Cure(near.retyped, _NEAR, _SUGGESTED),
    "unknown-key": Cure(near.respelled, _NEAR, _SUGGESTED),
    "wrong-value": Cure(
        numbers.without_commas,
        "Commas between the numbers of a URDF attribute become blanks, decimal commas points.",
        _SUGGESTED,
    ),
    # urdf
    "angle-degrees": Cure(numbers.radians, "The angles are written in radians.", _SUGGESTED),
    "color-range": Cure(numbers.colour, "Whole numbers up to 255 are divided by 255.", _SUGGESTED),
    "limit-ignored": Cure(keys.without_bounds, "`lower` and `upper` are removed."),
    "limit-negative": Cure(numbers.without_sign, "The minus is removed.", _SUGGESTED),
    # body
    "angle-unit": Cure(keys.version_one, "The file becomes one of version 1.0.", _SUGGESTED),
    "camera-lens": Cure(keys.without_height, "A `height` that follows from the width is removed."),
    "empty-elements": Cure(keys.without_empty, "The key is removed."),
    "format-missing": Cure(
        keys.format_added, "`format` and `format_version` are added to a file that has `links`.", _SUGGESTED
    ),
    "import-in-place": Cure(keys.merged, "`import` becomes `<<`."),
    "last-face-open": Cure(numbers.closed_face, "-1 is added."),
    "reference-differs": Cure(
        keys.reference_word,
        "`Imu`, `crawler` and `link1_local_pos` become the words that Choreonoid knows.",
    ),
    "root-joint-type": Cure(keys.root_free, "The type becomes `free`, as it is taken.", leftover=True),
    "root-not-first": Cure(keys.root_link_added, "`root_link` is added."),
    "version-missing": Cure(keys.version_added, "`format_version` is added, as the file is read."),
    "version-unknown": Cure(keys.version_two, "The version becomes 2.0.", _SUGGESTED),
    # vrml
    "field-undeclared": Cure(near.respelled, _NEAR, _SUGGESTED),
    "node-unknown": Cure(near.respelled, _NEAR, _SUGGESTED),
    "use-undefined": Cure(near.respelled, _NEAR, _SUGGESTED),
    # openhrp
    "humanoid-list": Cure(vrml.listed, "The names are added to the list, or the list is."),
    "proto-missing": Cure(vrml.protos_added, "OpenHRP's declarations of the nodes used are added."),
    # mpk
    "mpk-header": Cure(syntax.mpk_header, "The header is added, or moved to the first line."),
    "mpk-version": Cure(keys.mpk_version, "The version becomes 1.0.", _SUGGESTED),
    "param-missing": Cure(mpk.param_added, "`param 0` is added, as it is taken."),
    "param-without-transform": Cure(mpk.param_removed, "The `param` is removed.", leftover=True),
    "parent-later": Cure(
        mpk.parent_first, "The parent's block is moved up; the order of the joints changes.", _SUGGESTED
    ),
    "rob-quotes": Cure(mpk.quotes, "Quotes are put around names of files, and taken from those of joints."),
    "rob-unknown": Cure(near.respelled, _NEAR, _SUGGESTED),
    "selfcoll-same": Cure(mpk.pair_removed, "The pair is removed."),
    "selfcoll-unknown": Cure(near.respelled, _NEAR, _SUGGESTED),
    # model
    "axis-not-unit": Cure(numbers.unit_axis, "The same direction is written with length 1."),
    "child-unknown": Cure(near.relinked, _NEAR, _SUGGESTED),
    "inertia-not-symmetric": Cure(
        numbers.symmetric,
        "Where both halves differ by rounding only (1 %), the lower one becomes the upper one.",
        _SUGGESTED,
    ),
    "limits-reversed": Cure(numbers.swapped_limits, "The two limits change places.", _SUGGESTED),
    "limits-unit": Cure(
        numbers.limits_radians, "Limits of a URDF joint of many turns are taken as degrees.", _SUGGESTED
    ),
    "name-duplicate": Cure(keys.renamed, "The second one gets the name that it is read by."),
    "name-missing": Cure(keys.named, "The name that it is read by is written down."),
    "parent-unknown": Cure(near.relinked, _NEAR, _SUGGESTED),
    # the command
    "mute-unknown": Cure(near.remuted, _NEAR),
}

#: A word that is not understood hides what it says: the text behind it is judged once it is respelled.
COVERING = frozenset(
    code for code, cure in CURES.items() if cure.make in (near.respelled, near.retyped, near.relinked)
)
