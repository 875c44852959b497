"""The host's settings: validated before they are saved, and audible before they are chosen."""

from collections.abc import Sequence
from pathlib import Path
from threading import Lock, Thread
from time import sleep

from msgspec import Struct
from msgspec.structs import replace

from firmware.board.outputs.speech import Saying, SpeechDriver, espeak_trouble, loudspeaker_trouble
from firmware.language.catalogues import environment_language, language, languages
from firmware.language.speaking import Sentence, not_kept, problem_sentence, say
from firmware.language.wall_clock import time_of_day
from firmware.services.table_sound import TRIED, loudspeaker_in_use, sound_of
from firmware.state_folder import CHOSEN
from firmware.storage import configuration as config
from firmware.storage.found_table import chosen_thrift
from vision.table.camera_names import is_address, shown_name, with_scheme
from vision.table.thrift import SMALL


class TableChoice(Struct, frozen=True):
    """Settings that the host may change; an empty language is the system's."""

    language: str
    sound: config.SoundSettings
    camera: config.CameraSettings


class SettingsKeeper:
    """Stores the host's settings."""

    def __init__(self, state: Path, configuration: Path) -> None:
        self._file, self._state = state / CHOSEN, state
        self._configuration, self._speaking = configuration, Lock()

    def now(self) -> TableChoice:
        """Return the settings for the next start."""
        try:
            chosen = config.read_choice(self._state)
            configured = config.settings_or_usual(self._configuration)
            merged = config.merge_choice(configured, chosen, str(self._file), languages())
            return _choice(merged, chosen.language)
        except config.SettingsError:
            # the next start moves unreadable settings aside
            return _choice(config.settings_or_usual(self._configuration), "")

    def languages(self) -> Sequence[tuple[str, str]]:
        """Return available languages with their own names; first the environment's, under an empty code."""
        return ("", _name(environment_language())), *((code, _name(code)) for code in languages())

    def has_small_pictures(self) -> bool:
        """Return whether pictures are smaller, as configured or for lack of memory."""
        return chosen_thrift(config.settings_or_usual(self._configuration).camera.small) == SMALL

    def choose(self, choice: TableChoice) -> Sequence[Sentence]:
        """Save a choice; returns mistakes that would prevent a start, in which case nothing is saved."""
        configured, now = config.settings_or_usual(self._configuration), self.now()
        if choice.camera.name == shown_name(now.camera.name):
            # pages show an address without its login
            choice = replace(choice, camera=replace(choice.camera, name=now.camera.name))
        choice = replace(choice, camera=replace(choice.camera, name=with_scheme(choice.camera.name)))
        wanted = _settings_with(configured, choice)
        strange = config.strange_settings(wanted, _settings_with(configured, now))
        if "camera.name" in strange and not is_address(wanted.camera.name):
            return (say("Camera: enter pi, usb:0, phone, or an address with http, https or rtsp."),)
        chosen = config.difference(configured, wanted, choice.language)
        try:
            config.merge_choice(configured, chosen, CHOSEN, languages())
            config.keep(chosen, self._state)
        except config.SettingsError as error:
            return tuple(map(problem_sentence, error.mistakes))
        except OSError as error:
            return (not_kept(error),)
        return ()

    def try_sound(self, choice: TableChoice) -> Sentence | None:
        """Speak a sample sentence; returns the reason if that is impossible."""
        trouble = espeak_trouble() or loudspeaker_trouble(loudspeaker_in_use(self._state))
        if trouble is not None:
            return problem_sentence(trouble)
        if not self._speaking.acquire(blocking=False):
            return say("The table is speaking: wait until it is done.")
        code = choice.language if choice.language in languages() else environment_language()
        driver = SpeechDriver(sound_of(replace(choice.sound, quiet=None), code, self._state), time_of_day)
        Thread(target=self._speak, args=(driver, language(code).gettext(TRIED.one)), daemon=True).start()
        return None

    def _speak(self, driver: SpeechDriver, sentence: str) -> None:
        saying = Saying((sentence,))
        try:
            wait = driver.tell(saying, 0)
            while wait is not None:
                sleep(wait)
                wait = driver.tell(saying, wait)
        finally:
            driver.close()
            self._speaking.release()


def _choice(settings: config.TableSettings, code: str) -> TableChoice:
    return TableChoice(code, settings.sound, settings.camera)


def _settings_with(settings: config.TableSettings, choice: TableChoice) -> config.TableSettings:
    """Merge a choice with the configuration, which sets all options that no page offers."""
    camera = replace(choice.camera, mains=settings.camera.mains, small=settings.camera.small)
    return replace(settings, camera=camera, sound=choice.sound)


def _name(code: str) -> str:
    # imported here, because starting without settings pages needs no babel
    from babel import Locale  # noqa: PLC0415

    name = Locale(code).get_display_name(code) or code
    return name[:1].upper() + name[1:]
