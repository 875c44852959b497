"""How the table sounds, as its settings say."""

from firmware.board.voices.sentences import Quiet
from firmware.board.voices.speech import Sound
from firmware.storage.configuration import SoundSettings


def sound_of(loudness: SoundSettings, language: str) -> Sound:
    """Give the voices what they want to know."""
    quiet = None if loudness.quiet is None else Quiet(*loudness.quiet)
    return Sound(language, loudness.volume, loudness.speed, quiet)
