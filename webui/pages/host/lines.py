"""Looking at a taught deck: the line by which each card was cut out is shown, and moved by its corners."""

import re
from collections.abc import Mapping
from functools import partial
from urllib.parse import quote

import numpy as np
from flask import Flask, Response, request

from firmware.language.cuts import CURES, WHY, cuts_sentence
from firmware.parts.card_lines import CutSheet, ShownCut
from firmware.parts.learning import TeachableDeck
from firmware.parts.table import Table
from firmware.table.notices import Notice, sentence_for
from referee.contract.words import Phrase, phrase
from vision.sightings import Point
from vision.teaching.kept_cuts import Corners, as_corners, is_card_like, within
from webui.access.viewers import Viewer
from webui.drawing.words import Texts
from webui.pages.host.guiding import deck_title, face_text
from webui.pages.page import NAMED_ANEW, Page, get, post
from webui.pages.players.entering import Rejection, redirect_to
from webui.server.drawn_pages import Pages

CARDS = "/host/teach/cards"
DECK, ONE = f"{CARDS}/<deck>", f"{CARDS}/<deck>/<face>/<int:number>"
SHARE = re.compile(r"[01](\.\d{1,8})?")  # a place in a picture, as a share of its width or height
STEP = 1 / 300  # how far an arrow moves a corner, as a share of the picture's width
WAYS: Mapping[str, Point] = {"left": (-1, 0), "up": (0, -1), "down": (0, 1), "right": (1, 0)}
ARROWS: Mapping[str, Phrase] = {
    "left": phrase("To the left"),
    "up": phrase("Up"),
    "down": phrase("Down"),
    "right": phrase("To the right"),
}
"""What moves a corner, by its sign."""
SOUND, GROUNDLESS = (
    phrase("This one looks right. Pull a corner if it isn't."),
    phrase("No ground was kept round this card: its line can be moved inward only."),
)
NO_CARD = phrase("That can't be a card's outline. Pull the corners apart, in their order.")


class LinesPage(Page):
    """Handles the pages on which a deck's lines are shown and moved."""

    home = "/host/teach"

    def __init__(self, table: Table, pages: Pages) -> None:
        super().__init__(table, pages)
        self._lines, self._teacher, self._book = table.lines, table.teacher, pages.book

    def add_routes(self, app: Flask) -> None:
        super().add_routes(app)
        for name, give in (("whole", self._lines.whole), ("small", self._lines.small), ("card", self.cut)):
            # once a picture has changed, the page asks for it by another address
            app.add_url_rule(f"{ONE}/{name}.jpg", f"lines {name}", self.to_host(give, cached=NAMED_ANEW))

    @get(DECK, "host")
    def overview(self, viewer: Viewer, deck: str) -> Response:
        return self._show(viewer, deck)

    @get(ONE, "host")
    def opened(self, viewer: Viewer, deck: str, face: str, number: int) -> Response:
        return self._show(viewer, deck, (face, number))

    def cut(self, deck: str, face: str, number: int) -> bytes | None:
        corners = _read_corners(request.args)
        return None if corners is None else self._lines.card(deck, face, number, corners)

    @post(ONE, "host")
    def line(self, viewer: Viewer, deck: str, face: str, number: int) -> Response:
        what, corners = request.form.get("what", ""), _read_corners(request.form)
        if what == "again":
            lesson = self._teacher.lesson()
            is_open = lesson is not None and lesson.deck.name == deck
            wrong = (None if is_open else self._teacher.open(deck)) or self._teacher.again(face)
            return self._take(viewer, wrong, deck, self.home)
        if what == "keep" and corners is not None:
            if not is_card_like(corners):
                return self._show(viewer, deck, (face, number), rejection=self._rejection(viewer, NO_CARD, 400))
            wrong = self._lines.move(deck, face, number, corners)
            self._teacher.look_again(deck)
            return self._take(viewer, wrong, deck, self._next(deck))
        corner = request.form.get("corner", "")
        if what not in WAYS or corners is None or corner not in ("0", "1", "2", "3"):
            rejection = self._rejection(viewer, Texts.not_understood, 400)
            return self._show(viewer, deck, rejection=rejection)
        return self._show(viewer, deck, (face, number), (corners, int(corner), what))

    @post(f"{DECK}/right", "host")
    def right(self, viewer: Viewer, deck: str) -> Response:
        return self._take(viewer, self._lines.accept(deck), deck, f"{CARDS}/{quote(deck)}")

    @post(f"{DECK}/learn", "host")
    def learn(self, viewer: Viewer, deck: str) -> Response:
        return self._take(viewer, self._lines.learn(deck), deck, self.home)

    @post(f"{DECK}/back", "host")
    def back(self, viewer: Viewer, deck: str) -> Response:
        return self._take(viewer, self._lines.back(deck), deck, f"{CARDS}/{quote(deck)}")

    def _take(self, viewer: Viewer, wrong: Notice | None, deck: str, then: str) -> Response:
        if wrong is None:
            return redirect_to(then)
        why = sentence_for(wrong, self._listener(viewer))
        return self._show(viewer, deck, rejection=Rejection(why, 409))

    def _next(self, deck: str) -> str:
        sheet = self._lines.sheet(deck)
        first = next(iter(sheet.odd if sheet is not None else ()), None)
        page = f"{CARDS}/{quote(deck)}"
        return page if first is None else f"{page}/{quote(first.face)}/{first.number}"

    def _show(
        self,
        viewer: Viewer,
        deck: str,
        place: tuple[str, int] | None = None,
        moved: tuple[Corners, int, str] | None = None,
        rejection: Rejection | None = None,
    ) -> Response:
        sheet = self._lines.sheet(deck)
        about = next((each for each in self._teacher.decks() if each.name == deck), None)
        # beside all of them the first to look at
        pictures = () if sheet is None else sheet.odd if place is None else sheet.pictures
        shown = next((each for each in pictures if place in {None, (each.face, each.number)}), None)
        if sheet is None or about is None or (place is not None and shown is None):
            return self._refuse(viewer, Texts.not_found, 404)
        values = {
            "rejection": rejection,
            "sheet": sheet,
            "deck": about,
            "title": deck_title(self._language(viewer), about),
            "told": cuts_sentence(sheet.told),
            "why": WHY,
            "arrows": ARROWS,
            "name": partial(self._name, viewer, about),
            "look": self._book.look(about.game, about.name),
            "shown": shown,
            "is_open": place is not None,
            "is_changed": any(each.cut.by_hand for each in sheet.pictures),
            **({} if shown is None else self._opened(viewer, sheet, shown, moved)),
        }
        return self._draw("lines", viewer, values)

    def _opened(
        self, viewer: Viewer, sheet: CutSheet, shown: ShownCut, moved: tuple[Corners, int, str] | None
    ) -> dict[str, object]:
        told = SOUND if shown.cut.kind != "before" else GROUNDLESS
        return {
            "corners": within(shown.cut.corners) if moved is None else _moved(shown, *moved),
            "corner": 0 if moved is None else moved[1],
            "place": sheet.pictures.index(shown) + 1,
            "cure": self._say(viewer, told) if shown.why is None else CURES[shown.why],
        }

    def _name(self, viewer: Viewer, deck: TeachableDeck, shown: ShownCut) -> str:
        told = face_text(self._language(viewer), deck, shown.face)
        number = f" ({shown.number})" if shown.number > 1 else ""
        return f"{told[:1].upper()}{told[1:]}{number}"


def _read_corners(told: Mapping[str, str]) -> Corners | None:
    fields = [told.get(f"{axis}{corner}", "") for corner in range(4) for axis in "xy"]
    if not all(SHARE.fullmatch(field) for field in fields):
        return None
    return within(as_corners(np.array(fields, np.float64).reshape(4, 2)))


def _moved(shown: ShownCut, corners: Corners, corner: int, way: str) -> Corners:
    """Move a corner by a step, which is as long in both ways."""
    wide, high = shown.cut.size
    moved = np.array(corners)
    moved[corner] += np.array(WAYS[way]) * (STEP, STEP * wide / high)
    return within(as_corners(moved))
