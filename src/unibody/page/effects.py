"""What a finding has an effect on: what is seen of the robot, how it moves, what it weighs."""

from __future__ import annotations

import re
from typing import Literal, get_args

from unibody.model.aspect import aspect_of
from unibody.model.metadata import Aspect
from unibody.text.finding import Finding

#: What a finding has an effect on, in the order in which the page lists them.
Effect = Literal["picture", "motion", "mass", "contact", "control", "text"]
EFFECTS: tuple[Effect, ...] = get_args(Effect)

# By the code of the finding: the first pattern that matches.
_CODES: tuple[tuple[Effect, str], ...] = (
    ("contact", r"collision-.*|pair-.*|posture-collides|simulation-(?:overlap|hull|parts)"),
    (
        "picture",
        r"(?:mesh|submesh|texture|visual|uri|up-axis|polygons?|image|normals|shapes?|geometry|geom|heightmap)-.*"
        r"|file-(?:missing|case|composed|web-page|lfs-pointer|unreadable|too-large)|externproto-.*|not-drawn"
        r"|scale-.*|link-size|robot-size|size-not-positive|triangle-count|color-range|material-(?!table|number).*",
    ),
    ("mass", r"mass.*|inertial?-.*|com-.*|simulation-(?:mass|density).*"),
    (
        "motion",
        r"(?:parent|child|axis|joint|loops?|limits?|initial|coupling|state|tree|roots?|mimic|base|frame)-.*"
        r"|cannot-assemble|two-parents|links-missing|link-unknown|target-not-reached|quaternion-not-unit"
        r"|rotation-axis-zero|pose-invalid|range-.*|simulation-(?:loop|free).*",
    ),
    ("control", r"(?:control|simulation|material|force|sensor|camera|transmission)-.*"),
)
_ASPECTS: dict[Aspect, Effect] = {
    "motion": "motion",
    "mass": "mass",
    "shape": "picture",
    "looks": "picture",
    "planning": "contact",
    "actuation": "control",
    "sensors": "control",
}


def effect_of(finding: Finding) -> Effect:
    """What a finding has an effect on: by its code, else by the fact that it is about.

    >>> effect_of(Finding("mesh-empty", "warning", "the mesh is empty"))
    'picture'
    >>> effect_of(Finding("wrong-value", "error", "not a number", subject="joints/KNEE/limits/upper"))
    'motion'
    """
    for effect, words in _CODES:
        if re.fullmatch(words, finding.code):
            return effect
    return _ASPECTS.get(aspect_of(finding.subject), "text") if finding.subject.count("/") > 1 else "text"
