"""Host's page of table settings: language, sound, camera."""

from collections.abc import Mapping, Sequence
from datetime import time
from math import isfinite

from flask import Response, request
from werkzeug.exceptions import NotFound

from firmware.language.speaking import Sentence
from firmware.services.settings import TableChoice
from firmware.storage.configuration import CameraSettings, SoundSettings
from referee.contract.words import Phrase, phrase
from vision.table.camera_names import shown_name
from webui.access.viewers import Viewer
from webui.pages.page import Page, get, post
from webui.pages.players.entering import read_number

VOLUME, SPEED, APART = (0, 100), (80, 450), (20.0, 10_000.0)  # minimum and maximum values
NUMBERS = (("volume", VOLUME), ("speed", SPEED))
MAX_CAMERA_LETTERS = 500  # most characters of a camera's name
GROUPS: Mapping[str, tuple[str, ...]] = {
    "language": ("language",),
    "speech": ("volume", "speed", "from", "to"),
    "camera": ("camera",),
    "mat": ("mat", "across", "down"),
}
"""Fields of each settings group; each group has its own page."""
SPEECH = "speech"


class SettingsPage(Page):
    """Page of the settings."""

    home = "/host/settings"

    @get(home, "host")
    def show(self, viewer: Viewer) -> Response:
        settings = self._table.settings
        now = settings.now()
        spoken, camera = dict(settings.languages())[now.language], shown_name(now.camera.name)
        return self._draw("settings", viewer, {"now": now, "spoken": spoken, "camera": camera})

    @get(f"{home}/<group>", "host")
    def show_group(self, viewer: Viewer, group: str) -> Response:
        if group not in GROUPS:
            raise NotFound
        return self._page(viewer, group, fields_of_choice(self._table.settings.now()))

    @post(f"{home}/<group>", "host")
    def keep(self, viewer: Viewer, group: str) -> Response:
        if group not in GROUPS:
            raise NotFound
        typed = self._typed(group)
        choice = choice_of(typed)
        told = (
            self._mistake_sentences(viewer, choice)
            if isinstance(choice, tuple)
            else self._table.settings.choose(choice)
        )
        return self._page(viewer, group, typed, told, 400) if told else self._restart(viewer)

    @post(f"{home}/sound", "host")
    def try_sound(self, viewer: Viewer) -> Response:
        typed = self._typed(SPEECH)
        choice = choice_of(typed)
        if isinstance(choice, tuple):
            return self._page(viewer, SPEECH, typed, self._mistake_sentences(viewer, choice), 400)
        why = self._table.settings.try_sound(choice)
        if why is not None:
            return self._page(viewer, SPEECH, typed, (why,), 409)
        note = phrase("The table is speaking now. Can't hear it? Check the loudspeaker and its cable.")
        return self._page(viewer, SPEECH, typed, note=self._say(viewer, note))

    def _typed(self, group: str) -> Mapping[str, str]:
        typed = {name: request.form.get(name, "") for name in GROUPS[group]}
        return {**fields_of_choice(self._table.settings.now()), **typed}

    def _mistake_sentences(self, viewer: Viewer, mistakes: tuple[Phrase, ...]) -> tuple[str, ...]:
        return tuple(self._say(viewer, mistake) for mistake in mistakes)

    def _page(
        self,
        viewer: Viewer,
        group: str,
        values: Mapping[str, str],
        wrong: Sequence[str | Sentence] = (),
        code: int = 200,
        note: str = "",
    ) -> Response:
        drawn = {
            "group": group,
            "typed": values,
            "languages": self._table.settings.languages(),
            "wrong": wrong,
            "note": note,
            "volume": VOLUME,
            "speed": SPEED,
            "apart": APART,
            "has_small_pictures": self._table.settings.has_small_pictures(),
        }
        return self._draw("settings_group", viewer, drawn, code)


def fields_of_choice(choice: TableChoice) -> dict[str, str]:
    sound, camera = choice.sound, choice.camera
    start, end = ("", "") if sound.quiet is None else (f"{hour:%H:%M}" for hour in sound.quiet)
    across, down = (f"{length:g}" for length in camera.apart)
    ticked = {"mat": "1" if camera.mat else ""}
    spoken = {"volume": str(sound.volume), "speed": str(sound.speed), "from": start, "to": end}
    return {
        "language": choice.language,
        "camera": shown_name(camera.name),
        "across": across,
        "down": down,
        **spoken,
        **ticked,
    }


def choice_of(form: Mapping[str, str]) -> TableChoice | tuple[Phrase, ...]:
    """Parse settings from a form, or return one text per mistake."""
    typed = ((read_number(form.get(name, "").strip(), 8), most) for name, most in NUMBERS)
    volume, speed = (number if number in range(least, most + 1) else None for number, (least, most) in typed)
    hours = form.get("from", "").strip(), form.get("to", "").strip()
    quiet = _hours(*hours)
    across, down = _length(form.get("across", "")), _length(form.get("down", ""))
    camera = form.get("camera", "").strip()
    is_name = len(camera) <= MAX_CAMERA_LETTERS and camera.isprintable()
    mistakes = (
        (phrase("Volume: enter a whole number from 0 to 100."), volume is None),
        (phrase("Speed: enter a whole number from 80 to 450."), speed is None),
        (
            phrase("Quiet hours: enter both times, such as 22:00 and 07:00, or neither."),
            quiet is None and any(hours),
        ),
        (
            phrase("Camera: enter pi, usb:0, phone, or an address with http, https or rtsp."),
            not camera or not is_name,
        ),
        (phrase("Markers: enter millimetres from 20 to 10000."), across is None or down is None),
    )
    wrong = tuple(text for text, is_wrong in mistakes if is_wrong)
    if volume is None or speed is None or across is None or down is None or wrong:
        return wrong
    seen = CameraSettings(camera, apart=(across, down), mat=bool(form.get("mat")))
    return TableChoice(form.get("language", ""), SoundSettings(volume, speed, quiet), seen)


def _length(text: str) -> float | None:
    try:
        length = float(text.strip().replace(",", "."))
    except ValueError:
        return None
    return length if isfinite(length) and APART[0] <= length <= APART[1] else None


def _hours(start: str, end: str) -> tuple[time, time] | None:
    try:
        return time.fromisoformat(start), time.fromisoformat(end)
    except ValueError:
        return None
