"""Write the page of all findings from their entries: python tools/findings.py"""

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
<!-- Made from the rules.yaml files below src/unibody by `{HOW}`: do not edit. -->

# Findings

What `unibody check` and every reader can say, by code. An **error** makes the model wrong or
unreadable; a **warning** is probably not what the author meant; an **info** is worth knowing and
shown only when asked for. `unibody explain CODE` prints one entry.

A finding that you have looked at and want to keep is muted with `--mute CODE`, or by a comment in
the file itself: `# unibody: mute CODE` in YAML, for the whole file, or behind a line for that line
alone; `<!-- unibody: mute CODE -->` in XML, for the whole file.

`unibody check --fix` makes the fixes that need no judgment; see [fix.md](fix.md).

In the examples ⟨12 × some text⟩ stands for that text twelve times.
"""
# Languages that highlighters know, by the syntax of a format or the kind of an example.
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
    yield from (rule.why, "", f"Remedy: {rule.remedy}{_fix(rule)}", "", "This gives it:", "")
    yield from _example(rule.fails)
    same = rule.fails.files == rule.passes.files and rule.fails.binary == rule.passes.binary
    others = bool(rule.fails.files or rule.fails.binary)
    yield from (
        "",
        "This does not, with the same other files:" if same and others else "This does not:",
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
        yield from _block(digits, "", f"{name}` (its bytes, hexadecimal) `")


def _language(kind: str) -> str:
    """The language of a code block with an example of a format, or of another kind of file."""
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
