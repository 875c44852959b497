"""What rulings of the match that stands rest on, for the pages: pictures and readings that the eyes kept."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec

from vision.process.evidence import Sidecar, moment_of, pictures_of_match
from vision.sightings import Sighting
from webui.doors.companion import Guess, ReadCard


class EvidenceFiles:
    """The pictures of the match that stands, each by the number of the answer that rests on it."""

    def __init__(self, folder: Path, state: Callable[[], Any]) -> None:
        """Take the folder, and what knows the number of the match in the journal."""
        self._folder, self._state = folder, state

    def kept_answers(self) -> frozenset[int]:
        """List the answers whose pictures are kept."""
        return frozenset(self._files())

    def picture(self, heard_at: int) -> bytes | None:
        """Give an answer's picture, with outlines and names."""
        file = self._files().get(heard_at)
        try:
            return None if file is None else file.read_bytes()
        except OSError:
            return None

    def cards(self, heard_at: int) -> tuple[ReadCard, ...] | None:
        """Give the cards as they were read; None if that isn't kept any more."""
        file = self._files().get(heard_at)
        try:
            content = b"" if file is None else file.with_suffix(".json").read_bytes()
            return cards_read(msgspec.json.decode(content, type=Sidecar).reading.cards)
        except (OSError, msgspec.DecodeError, UnicodeError, RecursionError):
            return None

    def _files(self) -> dict[int, Path]:
        """Index what the folder holds: nothing that a phone says ever names a file."""
        number = self._state().id
        files = [] if number is None else pictures_of_match(self._folder, str(number))
        moments = ((moment_of(file), file) for file in files)
        # it was kept under the moment that the answer led to
        return {moment - 1: file for moment, file in moments if moment is not None}


def cards_read(cards: Iterable[Sighting]) -> tuple[ReadCard, ...]:
    """Say of sightings what pages need to know."""
    return tuple(
        ReadCard(
            face=card.face,
            is_sure=card.sure,
            is_possible=card.possible,
            is_up=card.facing == "up",
            score=card.score,
            guesses=tuple(Guess(other.face, other.score) for other in card.runners_up),
        )
        for card in cards
    )
