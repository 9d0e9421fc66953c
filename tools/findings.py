"""Write the page of all findings from the rules: python tools/findings.py"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from unibody.checks.rules import Example, Rule, rules
from unibody.checks.rules.rule import AREAS
from unibody.formats import by_name

ROOT = Path(__file__).resolve().parents[1]
PAGE = "docs/findings.md"
HOW = "python tools/findings.py"

_HEAD = f"""\
<!-- Generated from src/unibody/checks/rules/*.yaml by `{HOW}`; do not edit. -->

# Findings

The findings of `unibody check` and of all readers, by code. An **error** makes the model wrong or
unreadable. A **warning** is probably not what the author meant. An **info** is a note, which is hidden by
default (`--all-findings` shows it). `unibody explain CODE` prints one entry.

To mute a finding that is intended, use `--mute CODE`, or a comment in the file itself. In YAML,
`# unibody: mute CODE` on a line of its own mutes the code in the whole file, and at the end of a line in
that line only. In XML, `<!-- unibody: mute CODE -->` mutes it in the whole file.

`unibody check --fix` applies the fixes that need no judgment; see [Fixes](fix.md). How the cause of a wrong
inertia is found is described in [Causes of wrong inertias](inertia.md).

In the examples ⟨12 × some text⟩ means that text repeated twelve times.
"""
# Languages of code blocks, by the syntax of a format or the kind of an example.
_LANGUAGES = {"xml": "xml", "yaml": "yaml", "xacro": "xml", "json": "json"}


def page() -> str:
    """The text of the page."""
    lines = [_HEAD]
    for area, title in AREAS.items():
        entries = [rule for rule in rules().values() if rule.area == area]
        lines += [
            f"- [{title}](#{_anchor(title)}): " + ", ".join(f"[{r.code}](#{r.code})" for r in entries)
        ]
    for area, title in AREAS.items():
        lines += ["", f"## {title}"]
        for rule in rules().values():
            if rule.area == area:
                lines += _entry(rule)
    return "\n".join(lines) + "\n"


def _anchor(title: str) -> str:
    return "".join(c for c in title.lower().replace(" ", "-") if c.isalnum() or c == "-")


def _entry(rule: Rule) -> Iterator[str]:
    yield from ("", f"### {rule.code}", "", f"**{rule.title}** ({', '.join(rule.severities)}).", "")
    yield from (rule.why, "", f"Fix: {rule.remedy}{_fix(rule)}", "", "Fails:", "")
    yield from _example(rule.fails)
    same = rule.fails.files == rule.passes.files and rule.fails.binary == rule.passes.binary
    others = bool(rule.fails.files or rule.fails.binary)
    yield from (
        "",
        "Passes, with the same other files:" if same and others else "Passes:",
        "",
    )
    yield from _example(replace(rule.passes, files={}, binary={}) if same else rule.passes)


def _fix(rule: Rule) -> str:
    return f" [`--fix`](fix.md): {' or '.join(rule.fixes)}." if rule.fixes else ""


def _example(example: Example) -> Iterator[str]:
    if example.command:
        yield from (f"`{example.command}`, with", "")
    named = bool(example.files or example.binary or "/" in example.name)
    yield from _block(example.text, _language(example.format), example.name if named else "")
    for name, text in example.files.items():
        yield ""
        yield from _block(text, "", name)
    for name, digits in example.binary.items():
        yield ""
        yield from _block(digits, "", f"{name}` (binary, in hexadecimal) `")


def _language(kind: str) -> str:
    """The language of a code block, by the format or kind of its example."""
    format = by_name(kind)
    return _LANGUAGES.get(format.syntax if format is not None else kind, "")


def _block(text: str, language: str, name: str) -> Iterator[str]:
    if name:
        yield from (f"`{name}`".removesuffix("``").rstrip(), "")
    shown = text if text.isprintable() or "\n" in text else repr(text)
    yield from (f"```{language}", *(line.rstrip() for line in shown.rstrip("\n").split("\n")), "```")


def main() -> None:
    """Write the page."""
    (ROOT / PAGE).write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
