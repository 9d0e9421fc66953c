"""Findings for XML that is not well-formed, and repairs of common mistakes."""

from __future__ import annotations

import re

from unibody.text.finding import Finding, Findings, TextError
from unibody.text.node import Node
from unibody.text.source import Source, Span
from unibody.text.xml.fixes import (
    blanks_removed,
    declaration,
    declaration_removed,
    escaped,
    hyphens_replaced,
)

_BLANK = " \t\r\n"
_DECLARATION = re.compile(r"<\?xml\s.*?\?>", re.DOTALL | re.IGNORECASE)
_DECLARATIONS = re.compile(r"(?:\s*<\?xml\s[^<>]*\?>)*\s*", re.IGNORECASE)
_COMMENT = re.compile(r"<!\[CDATA\[|<!--")
_NO_LINE_END = re.compile(r"[^\r\n]")
_WORD = re.compile(r"[^\s=>]*")


def repair(source: Source, text: str, code: int, at: int, findings: Findings) -> str:
    """Blank out a misplaced declaration or an invalid comment, with a warning; else return it unchanged.

    ``code`` and ``at`` are expat's error code and its offset.
    """
    capital = code == 4 and text[max(at - 5, 0) : at].lower() == "<?xml"
    if code in {17, 30} or capital:
        found = _DECLARATION.match(text, at - 5 if capital else text.rfind("<?xml", 0, at + 5))
        if found and _DECLARATIONS.fullmatch(text, 0, found.start()):
            message, hint = _MESSAGES[30 if capital else code]
            if repeated := text[: found.start()].strip(_BLANK):
                message, hint = "second XML declaration is ignored", "remove it"
            place = Span(source, *found.span())
            fix = declaration(place)
            if code == 17:
                fix = declaration_removed(place) if repeated else blanks_removed(source, found.start())
            findings.warning("xml-declaration", message, place, hint, fix=fix)
            run = _DECLARATIONS.match(text, found.start())
            end = max(found.end(), run.end() if run else 0)  # all that follow, in one step
            return text[: found.start()] + _blank(text[found.start() : end]) + text[end:]
    if code == 4 and text.rfind("<!--", 0, at) > text.rfind("-->", 0, at):
        repaired = _without_comments(text)
        if repaired != text:
            message = "'--' inside a comment; other XML parsers reject the file"
            place = Span(source, at - 2, at)
            findings.warning("xml-comment", message, place, "write == or - -", fix=hyphens_replaced(source))
        return repaired
    return text


def _without_comments(text: str) -> str:
    """Blank out the text of comments, but not of CDATA sections; runs in linear time."""
    out: list[str] = []
    at = 0
    while found := _COMMENT.search(text, at):
        end = text.find("-->" if found[0] == "<!--" else "]]>", found.end())
        if end < 0:
            break
        words = text[found.start() : end + 3]
        out += [text[at : found.start()], _blank(words) if found[0] == "<!--" else words]
        at = end + 3
    return "".join([*out, text[at:]])


def _blank(words: str) -> str:
    """Replace by blanks, which keeps all offsets and line ends; a comment stays a comment."""
    blanks = _NO_LINE_END.sub(" ", words)
    return f"<!--{blanks[4:-3]}-->" if words.startswith("<!--") else blanks


def syntax_error(source: Source, code: int, at: int, inner: Node) -> TextError:
    """The error for expat's error code; ``inner`` is the innermost open element."""
    text = source.text
    opened = f"<{inner.tag}> of line {source.line_column(inner.start)[0]}"
    here = text[at : at + 1]
    message, hint = _MESSAGES.get(code, ("not well-formed XML", ""))
    fix = None
    if code in {3, 5, 20} and inner.tag:
        message, hint = (
            f"unexpected end of file: {opened} is still open",
            "check whether the file is truncated",
        )
    elif not text.strip(_BLANK):
        message = "the file is empty"
    elif code == 7:
        message = f"</{_word(text, at)}> does not match: {opened} is still open"
        hint = f"close it with </{inner.tag}> first"
    elif code == 8:
        message = f"duplicate attribute {_word(text, at)!r}"
    elif code == 11:
        message = f"undefined entity {text[at : text.find(';', at) + 1]}"
    elif code == 4 and not inner.tag and not text.lstrip(_BLANK).startswith("<"):
        message, hint = _MESSAGES[2]
    elif code == 4 and "&" in text[max(at - 40, 0) : at + 1].rpartition(";")[2]:
        message, hint, fix = "unescaped '&'", "write &amp;", escaped(source)
    elif code == 4 and here == "<":
        message, hint = "'<' is not allowed here", "close the tag or the quote before it, or write &lt;"
    elif code == 4 and here and (here < " " or "\ud800" <= here <= "\udfff"):
        message, hint = f"character {here!r} is not allowed in XML", "remove it"
    return TextError(Finding("xml-syntax", "error", message, Span(source, at, at + 1), hint, fix=fix))


def _word(text: str, at: int) -> str:
    found = _WORD.match(text, at)
    return found[0] if found else ""


_MESSAGES = {
    2: ("not XML: the file does not begin with <", ""),
    3: ("no XML element", ""),
    4: ("not well-formed XML", 'write attributes as name="value", separated by blanks'),
    8: ("duplicate attribute", "remove one of them"),
    11: ("undefined entity", "use &amp; &lt; &gt; &quot; &apos; or a number such as &#176;"),
    14: ("invalid character reference", ""),
    17: ("XML declaration is not at the start of the file", "remove the text before it"),
    30: ("malformed XML declaration", 'write <?xml version="1.0"?>'),
}
