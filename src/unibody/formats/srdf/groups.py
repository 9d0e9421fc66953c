"""Reads the groups of an SRDF file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from unibody.formats.srdf import document as d
from unibody.formats.srdf.names import Names
from unibody.model.robot import Chain, Group
from unibody.model.traverse import path_of

#: The names of the groups that each group contains.
_Needs = Mapping[str | None, Sequence[str | None]]


def read_groups(docs: Sequence[d.Group], names: Names) -> list[Group]:
    """The groups; those that contain unknown groups, or themselves, are ignored with a finding."""
    needs: _Needs = {
        x.name: [m.name for m in x.members if isinstance(m, d.Subgroup)] for x in reversed(docs)
    }
    known: set[str | None] = set()
    while new := {name for name, inner in needs.items() if name not in known and known.issuperset(inner)}:
        known |= new
    out: list[Group] = []
    for x in docs:
        if x.name and any(group.name == x.name for group in out):
            names.context.findings.warning(
                "group-twice",
                f"group '{x.name}' is defined twice; using the first one, as MoveIt does",
                x.at(),
                "rename or remove one of them",
                subject=path_of("groups", x.name),
            )
        elif x.name and x.name in known:
            out.append(_group(x, x.name, names))
        else:
            if x.name:
                _report(x, needs, known, names)
            names.keep(x)
    names.groups.update(group.name for group in out)
    return out


def _group(x: d.Group, name: str, names: Names) -> Group:
    links: list[str] = []
    joints: list[str] = []
    chains: list[Chain] = []
    subgroups: list[str] = []
    who = f"group '{name}'"
    for member in x.members:
        if isinstance(member, d.LinkMember) and names.link(who, member, "name"):
            links.append(member.name or "")
        elif isinstance(member, d.JointMember) and _is_moving(who, member, names):
            joints.append(member.name or "")
        elif isinstance(member, d.ChainMember) and names.link(who, member, "base_link", "tip_link"):
            chain = Chain(base_link=member.base_link or "", tip_link=member.tip_link or "")
            _check_direction(who, member, chain, names)
            chains.append(chain)
        elif isinstance(member, d.Subgroup):
            subgroups.append(member.name or "")
        else:
            names.keep(member, "groups", name)
    if not (links or joints or chains or subgroups or x.members):
        names.context.findings.warning("group-empty", f"{who} is empty", x.at(), "add joints, or remove it")
    names.extras.add(x.rest, "groups", name)
    return Group(
        name=name,
        members=tuple(links),
        joint_members=tuple(joints),
        chains=tuple(chains),
        subgroups=tuple(subgroups),
        at=x.at(),
    )


def _is_moving(who: str, member: d.JointMember, names: Names) -> bool:
    """Whether a member is a joint of the URDF; a virtual joint is only in the SRDF."""
    return member.name not in names.virtual and names.joint(who, member, "name")


def _check_direction(who: str, x: d.ChainMember, chain: Chain, names: Names) -> None:
    """Report a chain whose base is below its tip, or on another branch."""
    up, down = names.branches(chain.base_link, chain.tip_link)
    if not up:
        return
    how = "on another branch than" if down else "below"
    names.context.findings.warning(
        "chain-direction",
        f"{who}: base_link '{chain.base_link}' of the chain is {how} its tip_link '{chain.tip_link}'; no "
        "solver of inverse kinematics in MoveIt accepts such a group",
        x.at(),
        "exchange base_link and tip_link" if not down else "list the joints of the group",
    )


def _report(x: d.Group, needs: _Needs, known: set[str | None], names: Names) -> None:
    """Report why a group is ignored."""
    missing = [name for name in needs[x.name] if name not in needs]
    if not missing and _contains(x.name, needs):
        names.context.findings.error(
            "group-cycle",
            f"group '{x.name}' contains itself by way of its subgroups; MoveIt ignores it",
            x.at(),
            "remove one of the subgroups",
        )
        return
    inner = next(name for name in needs[x.name] if name not in known)
    what = f"contains unknown group '{inner}'" if missing else f"contains group '{inner}', which is ignored"
    names.context.findings.warning(
        "group-unknown",
        f"group '{x.name}' {what}; it is ignored, as in MoveIt",
        x.at(),
        "define that group, or remove the subgroup",
    )


def _contains(name: str | None, needs: _Needs) -> bool:
    """Whether a group contains itself, through any number of groups."""
    todo = list(needs[name])
    seen: set[str | None] = set()
    while todo:
        inner = todo.pop()
        if inner == name:
            return True
        if inner not in seen:
            seen.add(inner)
            todo += needs.get(inner, ())
    return False
