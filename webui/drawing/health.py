"""How the table is, in three words: what its camera, its record and its buttons do."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from firmware.table.troubles import Concern, PartName
from referee.contract.words import Phrase, phrase


class PartHealth(Struct, frozen=True):
    """A part of the table, what it does, and the lamp that says the same."""

    part: PartName
    name: Phrase
    word: Phrase
    lamp: str
    address: str
    """The page that tells more of it."""


ADDRESSES: Mapping[PartName, str] = {
    "camera": "/host/check#camera",
    "record": "/host/backup",
    "buttons": "/host/check#buttons",
}
WELL, DOUBTFUL, BROKEN = "green", "amber", "red"
NAMES: Mapping[PartName, Phrase] = {
    "camera": phrase("Camera"),
    "record": phrase("Record"),
    "buttons": phrase("Buttons"),
}
WORDS: Mapping[PartName, Mapping[str, Phrase]] = {
    "camera": {WELL: phrase("sees"), DOUBTFUL: phrase("sees badly"), BROKEN: phrase("is blind")},
    "record": {WELL: phrase("is safe"), DOUBTFUL: phrase("has no copy"), BROKEN: phrase("isn't saved")},
    "buttons": {WELL: phrase("work"), DOUBTFUL: phrase("one is stuck"), BROKEN: phrase("don't work")},
}


def health_of(concerns: Iterable[Concern], *, is_saving: bool) -> tuple[PartHealth, ...]:
    """Return how each part is, by the gravest of what is wrong with it."""
    known = (*concerns, *(() if is_saving else (Concern("record", is_grave=True),)))
    return tuple(_part_health(part, [each for each in known if each.part == part]) for part in NAMES)


def _part_health(part: PartName, concerns: list[Concern]) -> PartHealth:
    lamp = WELL if not concerns else BROKEN if any(each.is_grave for each in concerns) else DOUBTFUL
    return PartHealth(part, NAMES[part], WORDS[part][lamp], lamp, ADDRESSES[part])
