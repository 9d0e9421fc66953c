"""Names that attack whoever shows them, and a robot that has them everywhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from unibody.model.json import loads
from unibody.model.robot import Robot
from unibody.text.finding import Findings

ROBOTS = Path(__file__).resolve().parents[1] / "robots"
RUN = "window.pwned=1"
MARKUP = (
    f"</script><script>{RUN}</script>",
    f'"><img src=x onerror="{RUN}">',
    f"'><svg onload='{RUN}'>",
    f"<iframe srcdoc='<script>parent.{RUN}</script>'></iframe>",
    f"<!--<script>{RUN}",
    f"]]><script>{RUN}</script>",
    f"javascript:{RUN}",
    f"<a href=javascript:{RUN}>x</a>",
    "<style>@import url(https://evil.example/a.css)</style>{}*{color:red}",
    "<base href=https://evil.example/><link rel=stylesheet href=//evil.example>",
    f"&lt;script&gt;{RUN}&lt;/script&gt;&#x3c;script>",
)
CODE = (
    "${" + RUN + "}",
    "{{constructor.constructor('" + RUN + "')()}}",
    "`;" + RUN + ";`",
    "';" + RUN + ";//",
    '";' + RUN + ";//",
    "\\u003cscript\\u003e" + RUN,
    "%3Cscript%3E" + RUN,
    "url(javascript:" + RUN + ")",
    "#" + RUN,
    "][data-joint]:is(*",
    '"]{}',
)
PROTOTYPES = (
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "hasOwnProperty",
    "valueOf",
    "__defineGetter__",
    "then",
    "length",
    "0",
    "-1",
    "NaN",
    "null",
    "undefined",
    "base",
)
LETTERS = (
    "\u2028\u2029line",
    "\u202eevil\u202c",
    "\u2066\u2067\u2069",
    "a\u0300" * 50,
    "\U0001f9be" * 20,
    "\ufeff\u200b\u200d",
    "\ufffe\uffff",
    " ",
    "a/b~c%2F#?&=;",
    "..\\..\\x",
    "nul\u0000end",
    "x" * 100_000,
)
CONTROLS = (
    "\x1b[2J\x1b[31m",
    "\x1b]0;title\x07",
    "\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\",
    "\x9b31m\x85\x90",
    "a\rb\x08\x08c",
    "tab\tnew\nline\x0b\x0c",
    "\x7f\x00\x07",
    "\x1bPq#0;2;0;0;0\x1b\\",
)
EVERY = (*MARKUP, *CODE, *PROTOTYPES, *LETTERS, *CONTROLS)
# Keys of the neutral JSON whose values are words of its own, not somebody's names.
_WORDS = {"type", "kind", "base", "default", "mode", "image", "lens", "format", "up_axis"}


def hostile(shift: int = 0) -> Robot:
    """The robot that has everything, with these names for all that has one, in another order each."""
    data = json.loads((ROBOTS / "kitchen_sink.json").read_text("utf-8"))
    known: dict[str, str] = {"WAIST": EVERY[shift % len(EVERY)]}

    def new(text: str) -> str:
        if text not in known:
            number = len(known) + shift
            known[text] = EVERY[number % len(EVERY)] + ("" if len(known) < len(EVERY) else f" {len(known)}")
        return known[text]

    def renamed(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {k: renamed(v, k) for k, v in value.items()}
        if isinstance(value, list):
            return [renamed(v, key) for v in value]
        if not isinstance(value, str) or key in _WORDS or value in ("inf", "-inf"):
            return value
        if key == "owner":
            part, _, name = value.partition("/")
            return f"{part}/{new(name)}"
        return new(value) if value else value

    data = {k: v for k, v in data.items() if k != "extras"} | {
        "extras": [
            {**e, "owner": renamed(e.get("owner", ""), "owner")} for e in data.get("extras", []) if e
        ]
    }
    data = {k: (v if k == "extras" else renamed(v, k)) for k, v in data.items()}
    findings = Findings()
    robot = loads(json.dumps(data), "hostile.json", findings)
    assert robot is not None, [str(f) for f in findings]
    return robot
