"""How the table sounds, as its settings and the host's choice of a loudspeaker say."""

from pathlib import Path

from firmware.board.voices.loudspeakers import UsedLoudspeaker, loudspeakers, used_loudspeaker
from firmware.board.voices.sentences import Quiet
from firmware.board.voices.speech import Sound
from firmware.storage.chosen_loudspeaker import read_loudspeaker
from firmware.storage.configuration import SoundSettings


def sound_of(loudness: SoundSettings, language: str, state: Path) -> Sound:
    """Give the voices what they want to know."""
    quiet = None if loudness.quiet is None else Quiet(*loudness.quiet)
    return Sound(language, loudness.volume, loudness.speed, quiet, lambda: loudspeaker_in_use(state))


def loudspeaker_in_use(state: Path) -> UsedLoudspeaker | None:
    """Find the loudspeaker that the table speaks by now."""
    return used_loudspeaker(loudspeakers(), read_loudspeaker(state))
