"""Finds why masses, centers of mass and inertias of bodies are others in an engine."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from unibody.model.inertia import Inertial
from unibody.model.pose import Pose
from unibody.proof.body_slips import BODIES
from unibody.proof.cause import Cause, joined_words
from unibody.proof.comparison import inertials_of
from unibody.proof.guesses import FITTED, RIGHT, Words, alternatives, chosen, is_known
from unibody.proof.inertials import Body, ExplainedBody, body_words, fitted_inertia
from unibody.proof.lumps import Common, common_words, part_of
from unibody.proof.mesh_slips import MESHES, simplified_hulls
from unibody.proof.motions import (
    origin_guesses,
    pose_of,
)
from unibody.proof.process import Answer
from unibody.proof.search import Search
from unibody.proof.shape_slips import INERTIAS, SHAPES
from unibody.proof.slips import DEFAULTS, FRAMES, LINKS
from unibody.proof.sources import Tree, joint_sources
from unibody.proof.subject import Subject

_MASSES, _PLACES = (*LINKS, *SHAPES, *MESHES), (*FRAMES, *BODIES)
_BODY = ("mass", "com", "inertia")
# As many bodies have one factor by no chance.
_SEVERAL = 3
# Bodies that agree to this share are the same, in the single precision of points of meshes.
_SAME = 1e-5
# Inertias that agree to this share are equal in double precision.
_ROUNDED = 1e-13


def explain_masses(search: Search, quantities: tuple[str, ...]) -> None:
    """Why masses, centers and inertias differ, or the mass matrix of an engine that does not state them."""
    found = search.compared()
    bodies = {body: link for link, (body, _) in search.reference.bodies.items()}
    failing = {
        name
        for quantity in quantities
        for name, value in found.by_owner.get(quantity, {}).items()
        if not value <= found.deviations[quantity].tolerance
    }
    if "mass_matrix" in quantities:
        owners = [link.name for link in search.reference.robot.links if link.inertial is not None]
    else:
        owners = [bodies[body] for body in found.by_owner["mass"] if body in failing and body in bodies]
    if "mass_matrix" in quantities:
        whole = [*owners, *search.carried(owners)]
        if not search.take_best(_MASSES, whole, quantities):
            any(search.take_best(_MASSES, (name,), quantities) for name in owners)
        return
    merged = _merged_links(search)
    if merged:
        search.answer = _without_bodies(search.answer, merged)
        search.last = None
        words = "mass of fixed links counted in the link that they are fixed to (merged)"
        search.side.append(Cause(words, tuple(merged), _BODY))
        beyond = {x for q in _BODY for x in search.beyond(search.compared(), q)}
        owners = [bodies[body] for body in search.answer.facts["bodies"] if body in beyond]
    _explain_bodies(search, owners)


def explain_rounding(search: Search) -> None:
    """Inertias that are within their tolerance, and of which forces are not."""
    before = {*search.compared().failed}
    forced = before & {"mass_matrix", "bias", "acceleration"}
    if not forced or before & {*_BODY} or "bodies" not in search.answer.facts:
        return
    rows = {*search.answer.facts["bodies"]}
    bodies = {link: body for link, (body, _) in search.reference.bodies.items() if body in rows}
    inertials: dict[str, Inertial | None] = {}
    words, away = dict[str, str](), dict[str, float]()
    for link in search.reference.robot.links:
        if link.name not in bodies or search.carried([link.name]) or link.inertial is None:
            continue
        own, there = Body.of(link.inertial), _stated_body(search, link.name)
        size = float(np.abs(own.inertia).max())
        off = float(np.abs(own.inertia - there.inertia).max())
        if off > _ROUNDED * size:
            inertials[link.name] = there.inertial()
            words[link.name], away[link.name] = fitted_inertia(own, there), off / size
    links = tuple(
        replace(x, inertial=inertials.get(x.name, x.inertial)) for x in search.reference.robot.links
    )
    changed = replace(search.reference, robot=replace(search.reference.robot, links=links))
    after = search.compared(changed)
    if inertials and after.deviations and not forced & {*after.failed}:
        search.reference = changed
        told = words[max(away, key=lambda name: away[name])]
        search.side.append(Cause(told, tuple(words), ("inertia",), fitted=True))


def _merged_links(search: Search) -> list[str]:
    """Links that the engine has without mass, whose mass is that of the link that they are fixed to."""
    rows = {name: k for k, name in enumerate(search.answer.facts["bodies"])}
    mass = search.answer.arrays["mass"]
    ours = {name: body[0] for name, body in inertials_of(search.reference, rows).items()}
    bodies, above = search.reference.bodies, search.reference.above
    light = {name for name, k in rows.items() if not float(mass[k]) and ours.get(name)}
    out: dict[str, list[str]] = {}
    for link in search.reference.robot.links:
        top = link.name
        while bodies[top][0] in light and top in above and above[top].kind == "fixed":
            top = above[top].parent
        if top != link.name and bodies[link.name][0] in light and bodies[top][0] in rows:
            out.setdefault(top, []).append(link.name)
    found = []
    for top, links in out.items():
        total = sum(ours[bodies[name][0]] for name in (top, *links))
        if abs(float(mass[rows[bodies[top][0]]]) - total) <= 1e-8 * total:
            found += links
    return found


def _without_bodies(answer: Answer, links: Collection[str]) -> Answer:
    """An answer in which these bodies are parts of others."""
    kept = [k for k, name in enumerate(answer.facts["bodies"]) if name not in links]
    facts = {**answer.facts, "bodies": [answer.facts["bodies"][k] for k in kept]}
    return Answer(facts=facts, arrays={**answer.arrays, **{x: answer.arrays[x][kept] for x in _BODY}})


def _explain_bodies(search: Search, owners: Sequence[str]) -> None:
    """Explain masses, centers and inertias of links, and of what is fixed to them, by the file."""
    tree = Tree(search.reference.robot)
    slips = {name: _slips_of(search, name) for name in owners}
    parts: dict[str, dict[str, Words]] = {"mass": {}, "com": {}, "inertia": {}}
    listed_slips: dict[str, Words] = {}
    places: dict[str, Words] = {}
    inertials: dict[str, Inertial | None] = {}
    following: list[str] = []
    factor = _one_factor(search, owners)
    for name in owners:
        there = _stated_body(search, name)
        is_reshaped = search.reference.bodies[name][0] in search.reshaped
        if is_reshaped and not slips[name] and _is_of_shapes(search, tree, name):
            following.append(name)
            inertials |= dict.fromkeys(search.carried([name])) | {name: there.inertial()}
            continue
        link, body, found = _part_of(search, tree, name, there)
        if all(words is RIGHT for words in found.parts.values()):
            # what is right is no cause, if rounded otherwise than by the comparison
            inertials[link] = body.inertial()
            continue
        if factor and link == name and found.mass is not RIGHT and not slips[name]:
            found = replace(found, mass={**found.mass, f"mass multiplied by {factor:.6g}": 1.2})
        common = _common(search, tree, name, there)
        if common and min(x.cost for x in common.values()) <= min(found.cost, *slips[name].values(), 90.0):
            first = min(common.values(), key=lambda x: x.cost)
            for owner in first.owners:
                parts[first.quantities[0]][owner] = {
                    words: x.cost
                    for words, x in common.items()
                    if (x.owners, x.quantities) == (first.owners, first.quantities)
                }
            inertials |= dict.fromkeys(search.carried([name])) | {name: there.inertial()}
            continue
        if found.mass is RIGHT and found.com is RIGHT and slips[name] and not search.carried([name]):
            known = {x: cost for x, cost in found.inertia.items() if x and cost < FITTED}
            found = replace(found, inertia={**slips[name], **known})
        elif slips[name] and min(slips[name].values()) <= found.cost:
            listed_slips[name] = slips[name]
            inertials |= dict.fromkeys(search.carried([name])) | {name: there.inertial()}
            continue
        if not found.is_known and (given := _with_defaults(search, tree, name, there)) is not None:
            told, made, (link, body, found) = given
            parts["mass"] |= {bare: {told: 1.0} for bare in made}
            inertials |= made
            for quantity, each in found.parts.items():
                if each is not RIGHT:
                    parts[quantity][link] = each
            inertials[link] = body.inertial()
            continue
        fixed = _fixed_words(search, tree, name, there)
        if fixed and min(min(words.values()) for words in fixed.values()) <= found.cost:
            at = min(fixed, key=lambda joint: min(fixed[joint].values()))
            places[at] = fixed[at]
            inertials |= dict.fromkeys(search.carried([name])) | {name: there.inertial()}
            continue
        # what is not known of a single link is that of the whole body
        is_whole = not found.is_known
        if is_whole:
            found = _with_slips(search, name, there, found)
        if not found.is_known and (added := _added(search, name, there)):
            parts["mass"][name] = {added: FITTED}
        else:
            for quantity, words in found.parts.items():
                if words is not RIGHT:
                    parts[quantity][link] = words
        if link == name and is_whole:
            inertials |= dict.fromkeys(search.carried([name])) | {name: there.inertial()}
        else:
            inertials[link] = body.inertial()
    listed_slips |= _of_one_slip(parts, slips, listed_slips)
    for same, names in chosen(listed_slips):
        bare = {x.name for x in search.reference.robot.links if x.inertial is None or not x.inertial.mass}
        owners = [*names, *(x for x in search.carried(names) if x not in bare)]
        cause = Cause(alternatives(same), tuple(owners), _BODY)
        search.unchanged[cause.cause] = _unchanged(search, same[0])
        search.take(cause)
    for same, names in chosen(places):
        search.take(Cause(alternatives(same), tuple(names), ("mass", "com", "inertia")))
    if following:
        told = "mass, center of mass and inertia follow from other shapes"
        search.take(Cause(told, tuple(following), _BODY, fitted=True))
    for cause in joined_words(parts):
        search.take(_of_all(search, cause, inertials))
    links = [
        replace(each, inertial=inertials[each.name]) if each.name in inertials else each
        for each in search.reference.robot.links
    ]
    search.reference = replace(search.reference, robot=replace(search.reference.robot, links=tuple(links)))


def _is_of_shapes(search: Search, tree: Tree, link: str) -> bool:
    """Whether the file has the mass of a link from its shapes: MJCF, without <inertial>."""
    inertial = tree.links[link].inertial
    return search.reference.format == "mjcf" and inertial is not None and inertial.axes is None


def _of_one_slip(
    parts: Mapping[str, dict[str, Words]], slips: Mapping[str, Words], taken: Mapping[str, Words]
) -> dict[str, Words]:
    """The slip of other links for those that it explains too; they are taken out of the parts.

    A slip that ignores a whole frame changes the center of mass alone where the frame is not turned. It is
    left out for links whose words others share that it does not explain.
    """
    out: dict[str, Words] = {}
    for same, _ in chosen(taken):
        slip = same[0]
        mine = [
            name
            for name in dict.fromkeys(name for by_owner in parts.values() for name in by_owner)
            if slip in slips.get(name, {}) and name not in out
        ]
        for by_owner in parts.values():
            groups = [names for _, names in chosen({x: each for x, each in by_owner.items() if each})]
            mixed = {x for names in groups if not {*names} <= {*mine} for x in names}
            mine = [name for name in mine if name not in mixed]
        for name in mine:
            out[name] = slips[name]
            for by_owner in parts.values():
                by_owner.pop(name, None)
    return out


def _unchanged(search: Search, words: str) -> set[str]:
    """The links that a slip would leave as they are."""
    robot = search.reference.robot
    out = set[str]()
    for slip in (each for each in _MASSES if each.cause == words):
        for link in robot.links:
            search.go_on()
            try:
                changed = slip.change(search.reference, [link.name]).robot.links
            except (ValueError, ArithmeticError, np.linalg.LinAlgError):
                continue
            # what is changed may be the link that it is fixed to
            pairs = zip(changed, robot.links, strict=True)
            if all(Body.of(a.inertial).is_like(Body.of(b.inertial), _SAME) for a, b in pairs):
                out.add(link.name)
    return out


def _one_factor(search: Search, owners: Sequence[str]) -> float:
    """The factor of the masses of all bodies in the engine, 0 without one."""
    rows = {name: k for k, name in enumerate(search.answer.facts["bodies"])}
    ours = {name: body[0] for name, body in inertials_of(search.reference, rows).items() if body[0]}
    mass = search.answer.arrays["mass"]
    factors = [float(mass[rows[name]]) / own for name, own in ours.items() if name != "world"]
    if len(factors) < _SEVERAL or len(owners) < len(factors) or not min(factors) > 0.0:
        return 0.0
    return factors[0] if max(factors) - min(factors) <= 1e-8 * max(factors) else 0.0


def _of_all(search: Search, cause: Cause, inertials: Mapping[str, Inertial | None]) -> Cause:
    """A cause with further words: that all masses have one factor, or that they follow from shapes."""
    bodies = search.reference.bodies
    if cause.fitted and all(bodies[name][0] in search.reshaped for name in cause.owners):
        return replace(cause, cause=f"as follows from its shapes: {cause.cause}")
    heavy = [x for x in search.reference.robot.links if x.inertial is not None and x.inertial.mass]
    if cause.subject is not Subject.MASS or len(cause.owners) < max(2, len(heavy)):
        return cause
    masses = [
        (inertial.mass, x.inertial.mass)
        for x in heavy
        if x.inertial is not None and (inertial := inertials.get(x.name)) is not None
    ]
    factors = [there / own for there, own in masses]
    if len(factors) < len(heavy) or max(factors) - min(factors) > 1e-8 * max(factors):
        return cause
    ours = sum(own for _, own in masses)
    there = sum(x.mass for x in inertials.values() if x is not None)
    words = f"one factor for all masses, in sum {there:.6g} kg, not {ours:.6g} kg (total mass)"
    return replace(cause, cause=f"{words}: {cause.cause}")


def _stated_body(search: Search, link: str) -> Body:
    """What the engine has of the body of a link, in the axes of the link."""
    search.go_on()
    body, offset = search.reference.bodies[link]
    row = search.answer.facts["bodies"].index(body)
    mass, com, inertia = (search.answer.arrays[name][row] for name in ("mass", "com", "inertia"))
    return Body(float(mass), np.asarray(com), np.asarray(inertia)).placed(offset.inverse())


def _part_of(search: Search, tree: Tree, name: str, there: Body) -> tuple[str, Body, ExplainedBody]:
    """Which of the links in a body is another one, what it is, and what explains it.

    It is the link itself where none is explained alone.
    """
    present = {*search.answer.facts["bodies"]}
    offset = search.reference.bodies[name][1].inverse()
    bodies: dict[str, tuple[Pose, Body]] = {}
    for link in (name, *search.carried([name])):
        place = search.reference.body_of(link, present)
        if place is not None:
            pose = offset @ place[1]
            bodies[link] = pose, Body.of(tree.links[link].inertial).placed(pose)
    best: tuple[float, str, Body, ExplainedBody] | None = None
    last: tuple[Body, ExplainedBody] | None = None
    for link, (pose, _) in bodies.items():
        rest: Body | None = there
        for other, (_, body) in bodies.items():
            if other != link and rest is not None:
                rest = rest.without(body)
        if rest is None:
            continue
        own = rest.placed(pose.inverse())
        stated = Body.of(tree.links[link].inertial)
        found = body_words(search.reference, tree, tree.links[link], stated, own, search.exact)
        last = own, found
        if found.is_known and (best is None or found.cost < best[0]):
            best = found.cost, link, own, found
    if best is not None:
        return best[1:]
    if len(bodies) == 1 and last is not None:
        return name, last[0], last[1]
    whole = Body.of(None)
    for _, body in bodies.values():
        whole = body if not whole.mass else whole.joined(body)
    return name, there, body_words(search.reference, tree, tree.links[name], whole, there, search.exact)


def _common(search: Search, tree: Tree, name: str, there: Body) -> dict[str, Common]:
    """The slips of some of the links of a body that explain it; {} for a body of one link."""
    present = {*search.answer.facts["bodies"]}
    offset = search.reference.bodies[name][1].inverse()
    parts = []
    for link in (name, *search.carried([name])):
        search.go_on()
        place = search.reference.body_of(link, present)
        if place is not None:
            pose = offset @ place[1]
            parts.append(part_of(search.reference, tree, tree.links[link], pose, _MASSES))
    return common_words(parts, there, 10.0 * max(search.exact, 1e-9)) if len(parts) > 1 else {}


def _with_slips(search: Search, name: str, there: Body, found: ExplainedBody) -> ExplainedBody:
    """What explains a body, where nothing else does by slips that explain one of its quantities."""
    right = tuple(quantity for quantity, words in found.parts.items() if words is RIGHT)
    parts = {
        quantity: words
        if is_known(words)
        else _slips_of(search, name, (quantity, *right))
        or _of_whole(search, name, there, quantity)
        or words
        for quantity, words in found.parts.items()
    }
    if not is_known(parts["mass"]) and not is_known(parts["inertia"]):
        # a place that a slip makes is no cause where nothing else of the body is its
        parts["com"] = found.com
    return ExplainedBody(**parts)


def _of_whole(search: Search, name: str, there: Body, quantity: str) -> Words:
    """The slips of links that explain the inertia of a body of several links, its mass and center given."""
    carried = search.carried([name])
    if quantity != "inertia" or not carried:
        return {}
    given = {**dict.fromkeys(carried), name: there.inertial()}
    links = tuple(
        replace(x, inertial=given[x.name]) if x.name in given else x for x in search.reference.robot.links
    )
    reference = replace(search.reference, robot=replace(search.reference.robot, links=links))
    whole = next(x for x in links if x.name == name)
    part = part_of(reference, Tree(reference.robot), whole, Pose(), INERTIAS)
    causes = {slip.cause for slip in INERTIAS}
    return {
        words: cost
        for words, (cost, made) in part.made.items()
        if words in causes and made.is_like(there, 10.0 * max(search.exact, 1e-9))
    }


def _with_defaults(
    search: Search, tree: Tree, name: str, there: Body
) -> tuple[str, dict[str, Inertial | None], tuple[str, Body, ExplainedBody]] | None:
    """What explains a body if the links without mass that are fixed to its link have one by default.

    It is the words for the default, what it makes of these links, and the rest; None without a default.
    """
    bare = [x for x in search.carried([name]) if Body.of(tree.links[x].inertial).mass == 0.0]
    for words, make in DEFAULTS if bare else ():
        made = {x: own for x in bare if (own := make(tree.links[x])) is not None}
        links = tuple(replace(x, inertial=made[x.name]) if x.name in made else x for x in tree.robot.links)
        found = _part_of(search, Tree(replace(tree.robot, links=links)), name, there)
        if made and found[2].is_known:
            return words, dict(made), found
    return None


def _slips_of(search: Search, link: str, quantities: Sequence[str] = ("mass", "com", "inertia")) -> Words:
    """The known slips of whole links that explain these quantities of the body of a link."""
    rows = {name: k for k, name in enumerate(search.answer.facts["bodies"])}
    body = search.reference.bodies[link][0]
    there = [search.answer.arrays[name][rows[body]] for name in ("mass", "com", "inertia")]
    sizes = (max(float(there[0]), 1e-12), 1.0, max(float(np.abs(there[2]).max()), 1e-300))
    out: dict[str, float] = {}
    carried = search.carried([link])
    for slip in _MASSES:
        search.go_on()
        try:
            changed = slip.change(search.reference, [link, *carried])
            made = inertials_of(changed, rows, body).get(body)
        except (ValueError, ArithmeticError, np.linalg.LinAlgError):
            continue
        if made is not None and all(
            float(np.abs(np.asarray(a) - np.asarray(b)).max()) <= 10.0 * max(search.exact, 1e-9) * size
            for a, b, size, name in zip(made, there, sizes, _BODY, strict=True)
            if name in quantities
        ):
            cost = 0.95 if carried else 1.3
            # what holds for links without mass alone is said more exactly
            cost -= 0.2 if slip.subject is Subject.MASSLESS else 0.0
            out[slip.cause] = min(out.get(slip.cause, math.inf), cost)
    return out


def _added(search: Search, link: str, there: Body) -> str:
    """The words for a mass that a link has by its shapes alone in the engine; "" without them."""
    body = search.reference.bodies[link][0]
    rows = {name: k for k, name in enumerate(search.answer.facts["bodies"])}
    own = inertials_of(search.reference, rows, body)[body]
    if not there.mass or (own[0] and own[2].any()):
        return ""
    its = next(each for each in search.reference.robot.links if each.name == link)
    return simplified_hulls(its, there.mass, search.reference.meshes)


def _fixed_words(search: Search, tree: Tree, link: str, there: Body) -> dict[str, Words]:
    """What explains a body by another origin of one joint that fixes others to its link, by joint."""
    present = {*search.answer.facts["bodies"]}
    rows = {body: k for k, body in enumerate(search.answer.facts["bodies"])}
    offset = search.reference.bodies[link][1].inverse()
    carried = search.carried([link])
    out: dict[str, Words] = {}
    for joint in [j for j in search.reference.robot.joints if j.child in carried]:
        # the parts below the joint are one, which it places
        below = [name for name in carried if _is_below(search, tree, name, joint.name)]
        moved, still = Body.of(None), Body.of(None)
        for name in (link, *carried):
            place = search.reference.body_of(name, rows)
            if place is None:
                continue
            body = Body.of(tree.links[name].inertial).placed(offset @ place[1])
            moved, still = (moved.joined(body), still) if name in below else (moved, still.joined(body))
        parent = search.reference.body_of(joint.parent, present)
        if parent is None or not moved.mass:
            continue
        outer = offset @ parent[1]
        inside = moved.placed((outer @ joint.origin).inverse())
        sources = joint_sources(search.reference, tree, joint)
        found: dict[str, float] = {}
        for guess in origin_guesses(joint.origin, sources):
            made = still.joined(inside.placed(outer @ pose_of(guess.value)))
            if made.is_like(there, 10.0 * max(search.exact, 1e-9)):
                found[guess.words] = min(found.get(guess.words, math.inf), guess.cost)
        if found:
            out[joint.name] = found
    return out


def _is_below(search: Search, tree: Tree, link: str, joint: str) -> bool:
    while link in tree.above:
        if tree.above[link].name == joint:
            return True
        link = tree.above[link].parent
    return False
