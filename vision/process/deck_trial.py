"""Trying a deck beside the looking: a table that starts doesn't wait until it is known how alike the faces are.

On a slow computer trials take half a minute. Cards are read meanwhile, as those of an untried deck.
"""

import os
from contextlib import suppress
from pathlib import Path
from threading import Thread, get_native_id

from msgspec.structs import replace

from vision.process.on_frame import EyesState
from vision.reading.certainty import UNTRIED, Certainty
from vision.reading.templates import Templates
from vision.teaching.taught_decks import load_deck
from vision.teaching.tried_decks import prepare_deck
from vision.troubles import TroubleError

GENTLE = 15
"""How far the trials stand back behind the looking."""


class DeckTrial:
    """Tries the deck of the eyes in a thread, once for each deck."""

    def __init__(self) -> None:
        """Begin with nothing to try."""
        self._deck: Templates | None = None
        self._learned: Certainty | None = None
        self._thread: Thread | None = None

    def go_on(self, eyes: EyesState) -> EyesState:
        """Begin to try a deck that wasn't tried; once that is done, let the eyes know what came of it."""
        settings = eyes.settings
        if eyes.deck is None or eyes.deck.certainty is not UNTRIED or not settings.tried:
            return eyes
        if settings.is_second and settings.resting:
            # the first camera's eyes try it meanwhile, and keep what they learn
            return eyes
        if self._thread is not None and self._thread.is_alive():
            return eyes
        if self._deck is not eyes.deck:
            self._begin(eyes.deck, Path(settings.deck), Path(settings.tried))
            return eyes
        learned = self._learned
        return eyes if learned is None else replace(eyes, deck=replace(eyes.deck, certainty=learned))

    def wait(self) -> None:
        """Wait until what was begun is done."""
        if self._thread is not None:
            self._thread.join()

    def _begin(self, deck: Templates, folder: Path, tried: Path) -> None:
        self._deck, self._learned = deck, None
        self._thread = Thread(target=self._try, args=(folder, tried), name="deck trial", daemon=True)
        self._thread.start()

    def _try(self, folder: Path, tried: Path) -> None:
        # Linux lets each thread have its own
        with suppress(OSError, AttributeError):
            os.setpriority(os.PRIO_PROCESS, get_native_id(), GENTLE)
        # one that can't be read is told by the eyes
        with suppress(TroubleError):
            taught = load_deck(folder)
            self._learned = prepare_deck(taught.faces, taught.card, tried).certainty
