"""Findings of the binder: invalid values, missing fields, unknown items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unibody.document.declare import Document, Plan, Spec, Wrong, describe, plan
from unibody.document.places import attribute_from_text, attribute_of, moved, places, shown
from unibody.text.fixes import respelled
from unibody.text.near import did_you_mean
from unibody.text.node import Item, Node, Value, Word
from unibody.text.xml.fixes import made_comment

if TYPE_CHECKING:
    from unibody.document.bind import Binding

# Steps in the tree up to which the place of an element is likelier than another spelling.
_NEAR = 2
# Limit per element; the place of each XML attribute requires a search.
_MOST_UNKNOWN = 50


def element_prefix(node: Node) -> str:
    """The prefix of findings about a named element: ``link 'ARM': ``; "" for unnamed ones."""
    # a YAML anchor is not the name of an element
    name = (node.name if node.tag else "") or node.word("name")
    if not name:
        return ""
    shown = name if len(name) <= 100 else f"{name[:99]}…"
    return f"{node.tag or (node.word('type') or '')[:40]} '{shown}': ".lstrip()


def complain(wrong: Wrong, item: Item, path: Any, binding: Binding, otherwise: str = "") -> None:
    """Report an invalid or partially read value.

    It is a warning if it is read all the same, or if ``otherwise`` tells what is done without it.
    """
    node = path[1]
    place = node.item_span((item[0], item[1] if wrong.at is None else wrong.at, item[2]))
    within = f"<{node.tag}> " if binding.xml else f"{node.tag}: " if node.tag and not node.name else ""
    what = f"{within}{item[0]}: " if item[0] else within
    message = f"{binding.owner(path)}{what}{wrong.message}"
    fix, hint = wrong.fix(place, binding.unit), wrong.hint
    if binding.xml and wrong.at is None and isinstance(item[1], Node) and not wrong.ignored:
        message = f"{binding.owner(path)}{within}'{item[0]}' must be an attribute, not an element"
        hint, fix = f"write <{node.tag} {item[0]}=…>", attribute_of(item, node)
    is_error = wrong.value is None and not wrong.ignored
    code = wrong.code or ("wrong-value" if is_error else "odd-value")
    harmless = wrong.ignored or not (wrong.fatal or code == "number-not-finite")
    if wrong.value is None and otherwise and harmless:
        message, is_error = f"{message}; {otherwise}", False
    report = binding.findings.error if is_error else binding.findings.warning
    report(
        code,
        message,
        place,
        hint,
        suggestion=wrong.suggestion,
        fix=fix,
    )


def required(p: Plan, given: set[str], path: Any, binding: Binding) -> None:
    """Report the required fields that an element lacks."""
    for name, spec in p.fields.items():
        if name in p.required and name not in given:
            node = path[1]
            # an invalid value is already reported
            if any(k in (spec.key, *spec.old) for k, _, _ in node.items):
                continue
            what = f"<{node.tag}> " if binding.xml else f"{node.tag} " if node.tag else ""
            written = spec.key if spec.by != "key" else " or ".join(spec.members)
            message = f"{binding.owner(path)}{what}needs {binding.word(spec.type is None)} '{written}'"
            if spec.required == "error" and not spec.otherwise:
                binding.findings.error("missing", message, node.span, subject=written)
            else:
                message = f"{message}; {spec.otherwise}" if spec.otherwise else message
                binding.findings.warning("missing", message, node.span, subject=written)


def assumed(spec: Spec, default: Any, binding: Binding) -> str:
    """What is done without a value, for a finding; "" if an invalid one is an error.

    With ``Binding.lenient`` an optional value is replaced by its default.
    """
    if spec.otherwise or not binding.lenient or spec.required == "error":
        return spec.otherwise
    if spec.type is None or default is None:
        return "ignored"
    written = spec.type.print(default)
    return f"using {written.text or 'none'}" if isinstance(written, Word) else "using the default"


def unknown(doc: Document, rest: list[Item], path: Any, binding: Binding) -> None:
    """Report undeclared items."""
    p, kept = plan(type(doc)), doc.KEEPS
    node = path[1]
    if len(rest) > _MOST_UNKNOWN:
        more = len(rest) - _MOST_UNKNOWN
        code = "kept-as-extra" if kept else "not-kept"
        binding.findings.info(code, f"{binding.owner(path)}{more} more unknown items", node.span)
    for name, value, start in rest[:_MOST_UNKNOWN]:
        if not name:
            _stray_text(doc, value, path, binding)
            continue
        if name.startswith("xmlns"):
            continue
        word = binding.word(isinstance(value, Node))
        alike = _meant(doc, name, value) or _alike(name, p, binding)
        where = places(doc, name, isinstance(value, Node), path, binding)
        if where and alike and not (binding.xml and isinstance(value, Node) and where[0].steps <= _NEAR):
            where = []
        place = node.item_span((name, value, start))
        if place is not None and not binding.xml and start >= 0 and not isinstance(value, Node):
            place = type(place)(place.source, start, start + len(name))
        strict = binding.strict and not kept
        if where and not strict:
            belongs = shown(name, where, node.tag, binding.xml, isinstance(value, Node))
            binding.findings.warning(
                "misplaced",
                f"{binding.owner(path)}{belongs}; {'kept, but not used' if kept else 'not kept'}",
                place,
                "move it there" if len(where) == 1 else "move it to the one that is meant",
                subject=name,
                fix=moved((name, value, start), where, path),
            )
        elif alike or strict:
            entry = p.keys.get(alike)
            # what is written once is not written again
            free = entry is not None and (entry.spec.many or all(key != alike for key, _, _ in node.items))
            hint = did_you_mean(alike if free else "", f"remove the {word}")
            if alike and not free:
                hint = f"remove it: '{alike}' is already given"
            message = f"{binding.owner(path)}unknown {word} '{name}'"
            fix = respelled(place, name, alike) if free else None
            if where:
                hint = shown(name, where, node.tag, binding.xml, isinstance(value, Node))
                fix = moved((name, value, start), where, path)
            if strict:
                binding.findings.error(
                    "unknown-key", message, place, hint, subject=name, suggestion=alike, fix=fix
                )
            else:
                binding.findings.warning(
                    "unknown-key", message, place, hint, subject=name, suggestion=alike, fix=fix
                )
        elif kept:
            binding.findings.info(
                "kept-as-extra", f"{binding.owner(path)}unknown {word} '{name}'; kept", place, subject=name
            )
        else:
            binding.findings.info(
                "not-kept",
                f"{binding.owner(path)}unknown {word} '{name}'; not kept",
                place,
                subject=name,
            )


def _alike(name: str, p: Plan, binding: Binding) -> str:
    """The declared name that is spelled like one, behind the same prefix; "" if there is none."""
    prefix, colon, local = name.rpartition(":")
    if not colon:
        return binding.near(name, p.keys, 0.8)
    inner = [key[len(prefix) + 1 :] for key in p.keys if key.startswith(f"{prefix}:")]
    alike = binding.near(local, inner, 0.8) if inner else ""
    return f"{prefix}:{alike}" if alike else ""


def _meant(doc: Document, name: str, value: Value) -> str:
    """The attribute that ``name`` was written for: the one that refers to a thing by its name."""
    if name != "name" or not isinstance(value, Word):
        return ""
    lacking = _lacking(doc)
    return lacking[0].key if len(lacking) == 1 and lacking[0].refers else ""


def _lacking(doc: Document) -> list[Spec]:
    """The required plain values that an element does not have."""
    p = plan(type(doc))
    return [s for n, s in p.fields.items() if s.required and s.type is not None and n not in doc.given]


def _stray_text(doc: Document, value: Value, path: tuple[Any, ...], binding: Binding) -> None:
    """Report character data between elements; it may be meant as the one missing attribute."""
    node = path[1]
    message = f"{binding.owner(path)}text in <{node.tag}> is ignored: {describe(value)}"
    place, hint = node.place(value), ""
    fix = made_comment(place) if place is not None and binding.xml else None
    lacking = _lacking(doc)
    is_alone = sum(not key or isinstance(v, Node) for key, v, _ in node.items) == 1
    if len(lacking) == 1 and binding.xml and is_alone:
        hint = f"write <{node.tag} {lacking[0].key}=…>"
        fix = attribute_from_text(value, lacking[0].key, node)
    binding.findings.warning("stray-text", message, place, hint, fix=fix)
