"""Places in files with their surrounding lines, which the page shows on a click."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from unibody.text.source import Source, Span

# Lines shown before a place and from it on, characters of a line, and lines in total.
_BEFORE, _AFTER, _LONGEST, _MOST = 2, 10, 240, 20_000
# In a longer line, this many characters before the place are shown.
_LEAD = 80

#: Source, first and last line, and the place in the first one: column and length.
Place = tuple[int, int, int, int, int]


@dataclass(slots=True)
class Sources:
    """The lines that the page can show, each once; ``shorter`` removes the user's directories from names.

    >>> from unibody.text.source import Source
    >>> sources = Sources(str)
    >>> sources.add(Span(Source("arm.urdf", "<robot>\\n  <link/>\\n</robot>"), 10, 17))
    (0, 2, 2, 3, 7)
    >>> sources.data()[0]["lines"]["2"]
    '  <link/>'
    """

    shorter: Callable[[str], str]
    _places: dict[int, int] = field(default_factory=dict)
    _sources: list[tuple[Source, dict[str, str]]] = field(default_factory=list)
    _count: int = 0

    def add(self, at: Span | None) -> Place | None:
        """Add the lines around a place; None without a place."""
        if at is None:
            return None
        source = at.source
        if id(source) not in self._places:
            self._places[id(source)] = len(self._sources)
            self._sources.append((source, {}))
        place = self._places[id(source)]
        (line, column), (last, end) = source.line_column(at.start), source.line_column(at.end)
        if last > line and end == 1:
            last -= 1
        self._keep(place, line, max(last, line))
        if column > _LONGEST - _LEAD:
            self._cut(place, at, line, column)
        return place, line, max(last, line), column, max(1, at.end - at.start)

    def _keep(self, place: int, line: int, last: int) -> None:
        source, lines = self._sources[place]
        count = len(source.line_starts())
        # The span of an element includes more than its name.
        end = min(count, max(line + 4, min(last, line + _AFTER)))
        for number in range(max(1, line - _BEFORE), end + 1):
            key = str(number)
            if key not in lines and self._count < _MOST:
                self._count += 1
                lines[key] = source.line(number)[:_LONGEST]

    def _cut(self, place: int, at: Span, line: int, column: int) -> None:
        """Add the text around a place beyond the shown start of its line."""
        source, lines = self._sources[place]
        key = f"{line}:{column}"
        if key not in lines and self._count < _MOST:
            self._count += 1
            begin = at.start - min(_LEAD, column - 1)
            lines[key] = source.text[begin : begin + _LONGEST].replace("\r", "\n").partition("\n")[0]

    def data(self) -> list[dict[str, Any]]:
        """Names and lines of all sources as data of the page."""
        return [
            {"name": self.shorter(source.name), "note": source.note, "lines": lines}
            for source, lines in self._sources
        ]
