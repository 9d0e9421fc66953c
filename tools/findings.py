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

_NOTE = f"<!-- Generated from src/unibody/checks/rules/*.yaml by `{HOW}`; do not edit. -->"
_HEAD = f"""\
{_NOTE}

# Findings

The findings of `unibody check` and of all readers, by code. An **error** makes the model wrong or
unreadable. A **warning** is probably not what the author meant. An **info** is a note, which is hidden by
default (`--all-findings` shows it; `simulate`, `plan` and `check-path` show those that change what they
compute). `unibody explain CODE` prints one entry.

To mute a finding that is intended, use `--mute CODE`, or a comment in the file itself. In YAML,
`# unibody: mute CODE` on a line of its own mutes the code in the whole file, and at the end of a line in
that line only. In XML, `<!-- unibody: mute CODE -->` mutes it in the whole file.

`unibody check --fix` applies the fixes that need no judgment; see [Fixes](fix.md). How the cause of a wrong
inertia is found is described in [Causes of wrong inertias](inertia.md).

Each area has a page: the reason of each finding, its remedy, an example that fails, and one that passes.
"""
_AREA_HEAD = """\
In the examples ⟨12 × some text⟩ means that text repeated twelve times, and ␀ stands for a NUL character.
[All findings](../findings.md).
"""
# Control characters and the pictures of them that a page can show.
_PICTURES = {code: 0x2400 + code for code in (*range(9), *range(11, 32))}
# Languages of code blocks, by the syntax of a format or the kind of an example.
_LANGUAGES = {"xml": "xml", "yaml": "yaml", "xacro": "xml", "json": "json"}


def pages() -> dict[str, str]:
    """Path of each page below the project, and its text: the list of all codes, and one page per area."""
    made = {PAGE: _index()}
    for area, title in AREAS.items():
        lines = [_NOTE, "", f"# Findings: {title}", "", _AREA_HEAD.rstrip()]
        for rule in _of(area):
            lines += _entry(rule)
        made[path_of(area)] = "\n".join(lines) + "\n"
    return made


def path_of(area: str) -> str:
    """The path of the page of an area."""
    return f"docs/findings/{area}.md"


def _of(area: str) -> list[Rule]:
    return [rule for rule in rules().values() if rule.area == area]


def _index() -> str:
    lines = [_HEAD]
    for area, title in AREAS.items():
        page = path_of(area).removeprefix("docs/")
        lines += [f"## [{title}]({page})", "", "| code | | |", "| --- | --- | --- |"]
        for rule in _of(area):
            anchor = f'<a id="{rule.code}"></a>'
            kinds = ", ".join(rule.severities)
            lines.append(f"| {anchor}[{rule.code}]({page}#{rule.code}) | {kinds} | {_cell(rule.title)} |")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _entry(rule: Rule) -> Iterator[str]:
    yield from ("", f"## {rule.code}", "", f"**{rule.title}** ({', '.join(rule.severities)}).", "")
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
    return f" [`--fix`](../fix.md): {' or '.join(rule.fixes)}." if rule.fixes else ""


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
    shown = shown.translate(_PICTURES)
    yield from (f"```{language}", *(line.rstrip() for line in shown.rstrip("\n").split("\n")), "```")


def main() -> None:
    """Write the pages."""
    (ROOT / "docs" / "findings").mkdir(exist_ok=True)
    for path, text in pages().items():
        (ROOT / path).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
