"""Inputs likely to break readers: unusual numbers, names and fragments of syntax."""

from __future__ import annotations

NUMBERS = (
    "0", "-0", "1", "-1", "nan", "NaN", "inf", "-inf", "Infinity", ".inf", ".nan", "1e400", "-1e400",
    "1e-400", "4.9e-324", "1e308", "-1e308", "1e154", "1e15", "1e-15", "1,5", "0x10", "1_000", "１２",
    "1.5f", "1d0", "1.", ".5", "+1", "--1", "1e", "e5", "", "2147483647", "2147483648", "-2147483649",
    "4294967296", "9223372036854775807", "9223372036854775808", "99999999999999999999", "1e9", "1000000",
    "100000", "1" * 400, "0." + "3" * 400, "3.14159265358979", "1.#QNAN", "-1.#IND", "12abc", "true",
)  # fmt: skip
TEXTS = (
    "", " ", "a", "A B", "日本", "\u0000", "\ufeff", "\u2028", "../../etc/passwd", "/dev/zero", "package://",
    "package://a/b", "file:///etc/passwd", "http://a/b", "%s%n", "<script>", "]]>", "--", "&amp;", "&#0;",
    "'", '"', "\\", "x" * 3000, "USE", "NULL", "TRUE", "[]", "{}", "~", "null", "yes", "*a", "&a", "!!x",
    "$(find x)", "${1/0}", "${'a'*10**9}", "$(arg a)", "${", "base", "world", "fixed", "free", "__class__",
)  # fmt: skip
PIECES = (
    "{", "}", "[", "]", "(", ")", "<", ">", "/>", "</", ":", ",", ";", "#", "'", '"', "\n", "\r", "\t", " ",
    "|", ">\n", "- ", "? ", "&a ", "*a ", "<<: ", "!", "%", "@", "`", "---\n", "...\n", "<!--", "-->",
    "<![CDATA[", "]]>", "<?x?>", "<!DOCTYPE a [<!ENTITY b 'c'>]>", "&b;", "DEF a ", "USE a", "IS a", "NULL",
    "PROTO p [] { Group { } }", "EXTERNPROTO q [] \"a.wrl\"", "ROUTE a.b TO c.d", "Script { }",
    "Inline { url \"b.wrl\" }", "children [", "Group {", "Separator {", "${", "}", "$(", "*", "/", "//",
)  # fmt: skip
