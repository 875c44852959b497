"""What the host is told where nothing can be saved: what helps, and a new start."""

from collections.abc import Callable, Sequence

from firmware.language.troubles import problem_text
from firmware.storage.cures import cures
from firmware.storage.state_place import StatePlace
from referee.telling import Language


class Saving:
    """A table that isn't saving."""

    def __init__(self, place: StatePlace, restart: Callable[[], None]) -> None:
        """Take where its state is and belongs, and how to start again."""
        self._place = place
        self.restart = restart

    def cures(self, language: Language) -> Sequence[str]:
        """Say what helps, as things are now."""
        return tuple(problem_text(step, language) for step in cures(self._place))
