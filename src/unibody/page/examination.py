"""What ``unibody check`` finds of the robots of a page, computed while the page is shown."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence

from unibody.page.data import Shown
from unibody.page.findings import Ways, findings_data
from unibody.page.server import PageServer
from unibody.page.sources import Sources
from unibody.text.finding import Finding

# Examinations take processor time from drawing, and from one another.
_ONE = threading.Lock()


def examination_data(examined: Sequence[Shown], drawn: Sequence[Sequence[Finding]]) -> bytes:
    """The findings of examined robots as JSON data of their page; viewer/src/model.ts has the same fields.

    ``drawn`` are the findings of drawing each (``PageData.drawn``). A robot without an examination has
    null.
    """
    robots = [_one(shown, found) for shown, found in zip(examined, drawn, strict=True)]
    return json.dumps(robots).encode()


def _one(shown: Shown, drawn: Sequence[Finding]) -> dict[str, object] | None:
    if shown.examination is None:
        return None
    ways = Ways(shown.origin.file)
    sources = Sources(ways)
    known = shown.examination.with_drawn(drawn)
    findings = findings_data(known, shown.robot, shown.origin.asker, ways, sources)
    return {"findings": findings, "sources": sources.data()}


def examine_later(server: PageServer, examine: Callable[[], bytes]) -> None:
    """Compute the examination of the served robot in a thread, once a page has fetched the robot."""
    model = server.model

    def work() -> None:
        server.fetched.wait()
        with _ONE:
            if server.model != model or server.is_stopping:
                return
            data = b"null"
            try:
                data = examine()
            finally:
                server.examined(model, data)

    threading.Thread(target=work, daemon=True).start()
