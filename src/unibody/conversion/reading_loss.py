"""Reading loss: content of a source file that the reader ignored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from unibody.document.declare import Document
from unibody.document.unread import Unread, in_words, unread
from unibody.formats.loader import Reading
from unibody.model.device import Opaque
from unibody.model.robot import Robot
from unibody.text.node import Item, Node, Value


def reading_loss(reading: Reading, root: type[Document] = Document) -> tuple[Unread, ...]:
    """Content of the files of a reading that is not in the robot, leftovers included.

    Of all files, or of those that the class ``root`` declares.
    """
    if reading.robot is None:
        return ()
    leftovers = _Leftovers(reading.robot)
    documents = (x for x in reading.documents if isinstance(x, root))
    return tuple(u for document in documents for u in unread(document) if not leftovers.contains(u))


class _Leftovers:
    """The source nodes that a robot keeps: leftovers and the data of unknown devices."""

    def __init__(self, robot: Robot) -> None:
        self.words: Counter[tuple[str, str]] = Counter()
        self.spans: list[tuple[str, int, int]] = []
        for item in _leftover_items(robot):
            self.words[item[0], in_words(item[1])] += 1
            self.spans += _ranges(item[1])

    def contains(self, u: Unread) -> bool:
        """Whether an unread field or item is among the leftovers."""
        if self.words[u.key, u.text] > 0:
            self.words[u.key, u.text] -= 1
            return True
        if u.at is None:
            return False
        name, at = u.at.source.name, u.at.start
        return any(name == source and start <= at < end for source, start, end in self.spans)


def _leftover_items(robot: Robot) -> Iterator[Item]:
    for extra in robot.extras:
        for item in extra.node.items:
            yield item
            # what remains of an element that is otherwise read
            if isinstance(item[1], Node) and item[1].start < 0:
                yield from item[1].items
    for device in robot.devices:
        if isinstance(device.spec, Opaque):
            yield from device.spec.data.items


def _ranges(value: Value) -> list[tuple[str, int, int]]:
    """The source range of an element, so that everything inside counts as kept."""
    if isinstance(value, Node) and value.source is not None and value.start >= 0:
        return [(value.source.name, value.start, value.end)]
    return []
