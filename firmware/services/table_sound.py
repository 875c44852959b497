"""Loudspeakers, listed as currently plugged in, tested by a tune and chosen by ear; sounds of pages."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from shutil import which
from threading import Lock

from firmware.board.outputs import loudspeakers as speakers
from firmware.board.outputs.speech import PROGRAM, Quiet, Sound, is_quiet
from firmware.board.outputs.tunes import WIN, Tune, ruling_tune, strike, tune, wave_of
from firmware.language.speaking import LANGUAGE, Sentence, later, say, why_not_kept
from firmware.language.wall_clock import time_of_day
from firmware.services.power import run_command, why_failed
from firmware.storage.configuration import LOUDSPEAKER, ChosenLoudspeaker, SoundSettings
from referee.contract.words import phrase
from referee.match import Match

KINDS: Mapping[speakers.Kind, str] = {
    "usb": later("plugged in by USB"),
    "screen": later("a screen with a loudspeaker, at HDMI"),
    "other": later("of this computer"),
    "socket": later("a socket: can't detect whether something is plugged in"),
    "silent screen": later("HDMI: no screen with a loudspeaker is plugged in"),
}
DEFAULT_VOLUME = 80  # volume of a requested tune if the table is muted
PLAYER_TIMEOUT = 15.0  # seconds for a program to play a sound
TRIED = phrase("This is how the table speaks.")


PageSound = tuple[int | str, float]
"""A frequency in hertz or the name of a page's own sound, and seconds."""
Play = Callable[[Sequence[str], bytes], str]


def run_player(command: Sequence[str], sound: bytes) -> str:
    """Play a sound with a program; returns the reason of a failure."""
    return why_failed(run_command(command, sound, PLAYER_TIMEOUT))


class TableSound:
    """The loudspeakers of the table's computer, and the sounds of pages."""

    def __init__(
        self,
        state: Path,
        volume: int,
        quiet: Quiet | None = None,
        find: Callable[[], Sequence[speakers.Loudspeaker]] = speakers.loudspeakers,
        play: Play = run_player,
    ) -> None:
        self._state, self._volume, self._find, self._run = state, volume or DEFAULT_VOLUME, find, play
        self._playing, self._quiet = Lock(), quiet

    def is_quiet(self) -> bool:
        return is_quiet(self._quiet, time_of_day())

    def tune(self, match: Match) -> Sequence[PageSound]:
        """Return a moment's tune for the table's screen."""
        return self._notes(match, tune)

    def ruling_tune(self, match: Match) -> Sequence[PageSound]:
        """Return the tune of the last ruling for phones, which signal their player's turn on their own."""
        return self._notes(match, ruling_tune)

    def _notes(self, match: Match, choose: Callable[[Match], Tune]) -> Sequence[PageSound]:
        """Return percussion and a tune for pages; nothing during quiet hours."""
        if self.is_quiet():
            return ()
        return (*strike(match), *choose(match))

    def options(self) -> Sequence[tuple[speakers.Loudspeaker, Sentence]]:
        """Return the sound cards, each with a description."""
        return tuple((each, Sentence(KINDS[each.kind])) for each in self._find())

    def used(self) -> speakers.UsedLoudspeaker | None:
        return speakers.used_loudspeaker(self._find(), LOUDSPEAKER.read(self._state).card)

    def play(self, card: str) -> Sentence | None:
        """Play a tune, or speak a sentence if no player is installed."""
        if not self._is_there(card):
            return say("This loudspeaker is no longer plugged in.")
        if not self._playing.acquire(blocking=False):
            return say("A tune is playing: wait until it is done.")
        try:
            return self._play(speakers.device_of(card))
        finally:
            self._playing.release()

    def _play(self, device: str) -> Sentence | None:
        if player := which("aplay"):
            why = self._run((player, "-q", "-D", device, "-t", "wav", "-"), wave_of(WIN, self._volume))
        elif speaker := which(PROGRAM):
            command = (speaker, "-a", str(2 * self._volume), "-d", device, "--stdin")
            why = self._run(command, LANGUAGE.gettext(TRIED.one).encode())
        else:
            return say("This computer can't play it: sudo apt install alsa-utils")
        return say("It can't be played: {why}", why=why) if why else None

    def choose(self, card: str) -> Sentence | None:
        """Use a loudspeaker from the next sentence on."""
        if card and not self._is_there(card):
            return say("This loudspeaker is no longer plugged in.")
        return why_not_kept(lambda: LOUDSPEAKER.keep(self._state, ChosenLoudspeaker(card)))

    def _is_there(self, card: str) -> bool:
        return any(each.card == card for each in self._find())


def sound_of(loudness: SoundSettings, language: str, state: Path) -> Sound:
    how = loudness.volume, loudness.speed, loudness.quiet
    return Sound(language, *how, lambda: loudspeaker_in_use(state))


def loudspeaker_in_use(state: Path) -> speakers.UsedLoudspeaker | None:
    return speakers.used_loudspeaker(speakers.loudspeakers(), LOUDSPEAKER.read(state).card)
