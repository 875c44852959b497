"""The table's settings for the host: language, sound, camera."""

from collections.abc import Callable, Mapping, Sequence
from datetime import time
from math import isfinite

from flask import Blueprint, Response, request
from werkzeug.exceptions import NotFound

from firmware.parts.settings import TableChoice
from firmware.table.table import Table
from referee.contract.words import Phrase, phrase
from webui.access.viewers import Viewer, host_sending, viewer_language, viewer_of
from webui.drawing.controls import Misread
from webui.drawing.words import Texts, page_text
from webui.pages.players.entering import Rejection, redirect_to, redirect_to_host, rejection_for
from webui.server.drawn_pages import Pages

VOLUME, SPEED, APART = (0, 100), (80, 450), (20.0, 10_000.0)
"""Least and greatest values."""
LONGEST = 200
"""Most characters of a camera's name."""
HOME = "/host/settings"
GROUPS: Mapping[str, tuple[str, ...]] = {
    "language": ("language",),
    "speech": ("volume", "speed", "from", "to"),
    "camera": ("camera", "second", "pieces", "clips", "live"),
    "mat": ("mat", "across", "down"),
}
"""The fields of each group, which has a page of its own."""
SPEECH = "speech"
COMES_BACK = 15
"""Seconds after which a page checks whether the table has restarted."""


def settings_blueprint(table: Table, pages: Pages) -> Blueprint:
    """Create the settings page."""
    blueprint, page = Blueprint("settings", __name__), SettingsPage(table, pages)
    blueprint.get(HOME)(page.show)
    blueprint.get(f"{HOME}/<group>")(page.show_group)
    blueprint.post(f"{HOME}/<group>")(page.keep)
    blueprint.post(f"{HOME}/sound")(page.try_sound)
    return blueprint


class SettingsPage:
    """Handles the settings page."""

    def __init__(self, table: Table, pages: Pages) -> None:
        """Remember the table and the pages."""
        self._table, self._pages, self._settings = table, pages, table.settings

    def show(self) -> Response:
        """List the groups of settings, each with how it is set."""
        viewer = viewer_of(self._table, request)
        if not viewer.is_host:
            return redirect_to_host()
        now = self._settings.now()
        values = {"now": now, "spoken": dict(self._settings.languages())[now.language]}
        return Response(self._pages.page("settings", viewer, values))

    def show_group(self, group: str) -> Response:
        """Show the form of a group with its current settings."""
        if group not in GROUPS:
            raise NotFound
        viewer = viewer_of(self._table, request)
        if not viewer.is_host:
            return redirect_to_host()
        return self._page(viewer, group, fields_of_choice(self._settings.now()))

    def keep(self, group: str) -> Response:
        """Save a group's settings and restart the table, or show mistakes without losing what was typed."""
        if group not in GROUPS:
            raise NotFound
        viewer = host_sending(self._table, request)
        if viewer is None:
            return self._turn_away()
        typed = self._typed(group)
        choice = choice_of(typed)
        told = (
            self._mistake_sentences(viewer, choice)
            if isinstance(choice, tuple)
            else self._settings.choose(choice)
        )
        if told:
            return self._page(viewer, group, typed, told, 400)
        return restart_page(self._pages, viewer, HOME, self._table.door.restart)

    def try_sound(self) -> Response:
        """Test the sound as typed, before it is saved."""
        viewer = host_sending(self._table, request)
        if viewer is None:
            return self._turn_away()
        typed = self._typed(SPEECH)
        choice = choice_of(typed)
        if isinstance(choice, tuple):
            return self._page(viewer, SPEECH, typed, self._mistake_sentences(viewer, choice), 400)
        why = self._settings.try_sound(choice)
        if why is not None:
            return self._page(viewer, SPEECH, typed, (why,), 409)
        note = page_text(
            viewer_language(self._table, viewer),
            phrase("The table is speaking now. Can't hear it? Check the loudspeaker and its cable."),
        )
        return self._page(viewer, SPEECH, typed, note=note)

    def _typed(self, group: str) -> Mapping[str, str]:
        """Give a group as it was typed, and all else as it is kept."""
        typed = {name: request.form.get(name, "") for name in GROUPS[group]}
        return {**fields_of_choice(self._settings.now()), **typed}

    def _mistake_sentences(self, viewer: Viewer, mistakes: tuple[Phrase, ...]) -> tuple[str, ...]:
        return tuple(page_text(viewer_language(self._table, viewer), mistake) for mistake in mistakes)

    def _turn_away(self) -> Response:
        return turn_away_form(self._table, self._pages, HOME)

    def _page(
        self,
        viewer: Viewer,
        group: str,
        values: Mapping[str, str],
        wrong: Sequence[str] = (),
        code: int = 200,
        note: str = "",
    ) -> Response:
        drawn = {
            "group": group,
            "typed": values,
            "languages": self._settings.languages(),
            "wrong": wrong,
            "note": note,
            "volume": VOLUME,
            "speed": SPEED,
            "apart": APART,
            "has_small_pictures": self._settings.has_small_pictures(),
        }
        return Response(self._pages.page("settings_group", viewer, drawn), code)


# shared by pages on which the host changes what the table is


def restart_page(
    pages: Pages, viewer: Viewer, home: str, restart: Callable[[], None], notes: Sequence[str] = ()
) -> Response:
    """Restart the table after sending a page that says so and reloads itself."""
    response = Response(pages.page("starts", viewer, {"home": home, "notes": notes}))
    response.headers["Refresh"] = f"{COMES_BACK}; url={home}"
    response.call_on_close(restart)
    return response


def turn_away_form(table: Table, pages: Pages, home: str) -> Response:
    """Reject a form that isn't from the host's own browser, with a link to a fresh one."""
    viewer = viewer_of(table, request)
    rejection: Rejection = rejection_for(table, viewer, Texts.stale_form, 403)
    if viewer.is_host:
        return Response(pages.page("unsent", viewer, {"rejection": rejection, "home": home}), rejection.code)
    return Response(pages.page("pin", viewer, {"rejection": rejection}), rejection.code)


def carry_out(
    table: Table,
    pages: Pages,
    home: str,
    action: Callable[[], str | None],
    draw: Callable[[Viewer, str, int], Response],
    done: Callable[[Viewer], Response] | None = None,
) -> Response:
    """Do what the host asks for; draw the page with the reason where that fails, else lead on."""
    viewer = host_sending(table, request)
    if viewer is None:
        return turn_away_form(table, pages, home)
    why = action()
    if why is not None:
        return draw(viewer, why, 409)
    return redirect_to(home) if done is None else done(viewer)


# reading the form


def fields_of_choice(choice: TableChoice) -> dict[str, str]:
    """Write settings into the fields of the form."""
    start, end = ("", "") if choice.quiet is None else (f"{hour:%H:%M}" for hour in choice.quiet)
    return {
        "language": choice.language,
        "volume": str(choice.volume),
        "speed": str(choice.speed),
        "from": start,
        "to": end,
        "camera": choice.camera,
        "second": choice.second,
        "mat": "1" if choice.mat else "",
        "pieces": "1" if choice.pieces else "",
        "clips": "1" if choice.clips else "",
        "live": "1" if choice.live else "",
        "across": f"{choice.across:g}",
        "down": f"{choice.down:g}",
    }


def choice_of(form: Mapping[str, str]) -> TableChoice | tuple[Phrase, ...]:
    """Read settings from a form, or give a text for each mistake."""
    volume, speed = (
        _whole_number(form.get(name, ""), most) for name, most in (("volume", VOLUME), ("speed", SPEED))
    )
    quiet = _hours(form.get("from", ""), form.get("to", ""))
    across, down = _length(form.get("across", "")), _length(form.get("down", ""))
    camera, second = form.get("camera", "").strip(), form.get("second", "").strip()
    mistakes = (
        (phrase("Volume: enter a whole number from 0 to 100."), volume is None),
        (phrase("Speed: enter a whole number from 80 to 450."), speed is None),
        (
            phrase("Quiet hours: enter both times, such as 22:00 and 07:00, or neither."),
            isinstance(quiet, Misread),
        ),
        (phrase("Camera: enter pi, usb:0 or /dev/video0."), not camera or not _is_name(camera)),
        (
            phrase("Second camera: enter another one than the first, such as usb:0, or none."),
            not _is_name(second) or second == camera,
        ),
        (phrase("Markers: enter millimetres from 20 to 10000."), across is None or down is None),
    )
    wrong = tuple(text for text, is_wrong in mistakes if is_wrong)
    if volume is None or speed is None or isinstance(quiet, Misread) or across is None or down is None or wrong:
        return wrong
    return TableChoice(
        form.get("language", ""),
        volume,
        speed,
        quiet,
        camera,
        bool(form.get("mat")),
        across,
        down,
        bool(form.get("pieces")),
        clips=bool(form.get("clips")),
        second=second,
        live=bool(form.get("live")),
    )


def _is_name(text: str) -> bool:
    """Tell whether a text may name a camera; an empty one names none."""
    return len(text) <= LONGEST and text.isprintable()


def _whole_number(text: str, most: tuple[int, int]) -> int | None:
    text = text.strip()
    is_number = text.isascii() and text.isdecimal() and len(text) < 9
    return int(text) if is_number and most[0] <= int(text) <= most[1] else None


def _length(text: str) -> float | None:
    """Read millimetres, with a point or a comma."""
    try:
        length = float(text.strip().replace(",", "."))
    except ValueError:
        return None
    return length if isfinite(length) and APART[0] <= length <= APART[1] else None


def _hours(start: str, end: str) -> tuple[time, time] | Misread | None:
    """Read the quiet hours; None if there are none."""
    if not start.strip() and not end.strip():
        return None
    try:
        return time.fromisoformat(start.strip()), time.fromisoformat(end.strip())
    except ValueError:
        return Misread()
