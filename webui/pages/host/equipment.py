"""Host's pages for the equipment: board, lamps, USB buttons, loudspeakers, power, and the club."""

from flask import Response, request

from firmware.language.speaking import Sentence
from firmware.services.power import Kind
from webui.access.viewers import Viewer
from webui.pages.page import Page, get, post
from webui.pages.players.entering import read_number, redirect_to
from webui.views.words import Texts

MAX_NAME_LETTERS = 60  # most characters in the name of a board or sound card
LONGEST_FIELD, LONGEST_WHY = 300, 200
"""Most characters of a club's address or code, and of the reason for calling the director."""
LAMP_ANSWERS = {"seen": True, "without": False}
"""Final answers for a lamp; an unseen lamp is checked again first."""
SWITCHES: dict[str, Kind] = {"off": "off", "again": "again"}


class EquipmentPage(Page):
    """Base class of a page about one part of the table."""

    def show(self, viewer: Viewer, wrong: str | Sentence = "", code: int = 200) -> Response:
        raise NotImplementedError

    def _after(self, viewer: Viewer, why: Sentence | None, *, restarts: bool = False) -> Response:
        """Show the problem if there is one; otherwise redirect, after a restart if needed."""
        if why:
            return self.show(viewer, why, 409)
        return self._restart(viewer) if restarts else redirect_to(self.home)


class BoardPage(EquipmentPage):
    """Page on which the host names the board, presses its buttons, and checks its lamps one by one."""

    home = "/host/board"

    @get(home, "host")
    @get(f"{home}/lamps", "host")
    def show(self, viewer: Viewer, wrong: str | Sentence = "", code: int = 200) -> Response:
        board = self._table.board
        return self._draw("wired", viewer, {"board": board.status(), "driven": board, "note": wrong}, code)

    @post(home, "host")
    def choose(self, viewer: Viewer) -> Response:
        return self._lead_on(
            viewer, self._table.board.choose(request.form.get("profile", "")[:MAX_NAME_LETTERS])
        )

    @post(f"{home}/confirm", "host")
    def confirm(self, viewer: Viewer) -> Response:
        return self._lead_on(viewer, self._table.board.confirm())

    @post(f"{home}/without", "host")
    def go_without(self, viewer: Viewer) -> Response:
        """Confirm the board without the buttons that weren't detected."""
        return self._lead_on(viewer, self._table.board.confirm(without=True))

    def _lead_on(self, viewer: Viewer, why: Sentence | None) -> Response:
        return self._after(viewer, why, restarts=self._table.board.must_restart())

    @post(f"{home}/lamps", "host")
    def try_lamps(self, viewer: Viewer) -> Response:
        # an invalid number means the first lamp
        place, board = read_number(request.form.get("lamp", ""), 2) or 0, self._table.board
        if place >= len(board.lamps):
            return redirect_to(self.home)
        said = request.form.get("said", "")
        if said in LAMP_ANSWERS:
            why = board.note_lamp(place, is_seen=LAMP_ANSWERS[said])
            if why is not None:
                return self.show(viewer, why, 409)
            place += 1
        asked = board.show_lamp(place)
        if asked is None:
            return redirect_to(self.home)
        return self._draw("lamps", viewer, {"asked": asked, "is_unseen": said == "unseen"})


class UsbButtonsPage(EquipmentPage):
    """Page on which the host presses USB buttons seat by seat to assign them."""

    home = "/host/usb-buttons"

    @get(home, "host")
    def show(self, viewer: Viewer, wrong: str | Sentence = "", code: int = 200) -> Response:
        names = dict(enumerate(self._listener(viewer).names))
        values = {"usb": self._table.usb.status(), "names": names, "note": wrong}
        return self._draw("usb_buttons", viewer, values, code)

    @post(f"{home}/learn", "host")
    def learn(self, _viewer: Viewer) -> Response:
        kind = request.form.get("kind")
        self._table.usb.learn("second" if kind == "second" else "call")
        return redirect_to(self.home)

    @post(f"{home}/stop", "host")
    def stop(self, _viewer: Viewer) -> Response:
        self._table.usb.stop()
        return redirect_to(self.home)

    @post(f"{home}/keep", "host")
    def keep(self, viewer: Viewer) -> Response:
        return self._after(viewer, self._table.usb.keep(), restarts=True)

    @post(f"{home}/forget", "host")
    def forget(self, viewer: Viewer) -> Response:
        return self._after(viewer, self._table.usb.forget(), restarts=True)


class SoundPage(EquipmentPage):
    """Page on which the host tests loudspeakers with a tune and chooses the one that played."""

    home = "/host/loudspeakers"

    @get(home, "host")
    def show(self, viewer: Viewer, wrong: str | Sentence = "", code: int = 200, played: str = "") -> Response:
        options = self._table.sound.options()
        played_option = next((each for each, _text in options if each.card == played), None)
        values = {"note": wrong, "speakers": options, "played": played_option, "used": self._table.sound.used()}
        return self._draw("sound", viewer, values, code)

    @post(f"{home}/play", "host")
    def play(self, viewer: Viewer) -> Response:
        card = request.form.get("card", "")[:MAX_NAME_LETTERS]
        why = self._table.sound.play(card)
        return self.show(viewer, why, 409) if why else self.show(viewer, played=card)

    @post(home, "host")
    def choose(self, viewer: Viewer) -> Response:
        return self._after(viewer, self._table.sound.choose(request.form.get("card", "")[:MAX_NAME_LETTERS]))


class PowerPage(EquipmentPage):
    """Page on which the host shuts down or restarts the computer."""

    home = "/host/power"

    @get(home, "host")
    def show(self, viewer: Viewer, wrong: str | Sentence = "", code: int = 200) -> Response:
        power = self._table.power
        values = {
            "note": wrong,
            "hindrance": power.hindrance("off"),
            "is_saving": self._table.client.state().is_saving,
            "has_dial": power.has_dial,
        }
        return self._draw("power", viewer, values, code)

    @post(home, "host")
    def switch(self, viewer: Viewer) -> Response:
        kind = SWITCHES.get(request.form.get("what", ""))
        if kind is None:
            return self.show(viewer, self._say(viewer, Texts.not_understood), 400)
        why = self._table.power.switch(kind)
        return self.show(viewer, why, 409) if why else self._draw("going", viewer, {"kind": kind})


class ClubLinkPage(EquipmentPage):
    """Page on which the host joins a club, sees pending data, calls the director, or leaves."""

    home = "/host/club"

    @get(home, "host")
    def show(self, viewer: Viewer, wrong: str | Sentence = "", code: int = 200) -> Response:
        club = {"club": self._table.club.status(), "hub": _field("hub"), "longest": LONGEST_WHY}
        names = self._table.client.moment().setup.names
        return self._draw("club_link", viewer, {**club, "names": names, "note": wrong}, code)

    @post(f"{home}/join", "host")
    def join(self, viewer: Viewer) -> Response:
        return self._after(viewer, self._table.club.join(_field("hub"), _field("code")))

    @post(f"{home}/leave", "host")
    def leave(self, _viewer: Viewer) -> Response:
        self._table.club.leave()
        return redirect_to(self.home)

    @post(f"{home}/director", "host")
    def call(self, viewer: Viewer) -> Response:
        return self._after(viewer, self._table.club.call_director("", _field("why")[:LONGEST_WHY]))


def _field(name: str) -> str:
    return " ".join(request.form.get(name, "").split())[:LONGEST_FIELD]
