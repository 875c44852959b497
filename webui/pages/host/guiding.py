"""Guiding the host step by step: the table is found by markers or four taps, a deck taught card by card."""

import re
from collections.abc import Callable, Mapping
from functools import partial

from flask import Flask, Response, request

from firmware.parts.learning import TeachableDeck, TeachingProgress
from firmware.parts.shown_table import PartOutline
from firmware.parts.table import Table
from firmware.table.door import LastingTrouble
from firmware.table.notices import sentence_for
from referee.contract.words import Phrase, phrase
from referee.games.catalogue import GAMES
from referee.kit.french_cards import CARDS, SUIT_ROWS
from referee.telling import Language, Listener, tell_face
from vision.sightings import Point
from webui.access.viewers import Viewer
from webui.drawing.last_time import CARDS as FEW
from webui.drawing.last_time import poster_faces
from webui.drawing.looks import Look
from webui.drawing.words import Texts, page_text
from webui.pages.page import NAMED_ANEW, Page, Route, get, post
from webui.pages.players.entering import Rejection, read_number, redirect_to
from webui.server.drawn_pages import Pages

HostAction = Callable[..., LastingTrouble | None]
"""An action of the host; gives what is wrong, or None."""
LENGTH = re.compile(r"\d{1,5}([.,]\d{1,3})?")


class GuidedPage(Page):
    """A page that guides the host step by step."""

    steps: Mapping[str, HostAction]
    """Steps that need nothing of their form."""

    def add_routes(self, app: Flask) -> None:
        super().add_routes(app)
        for name, action in self.steps.items():
            self._add_route(
                app, Route(f"{self.home}/{name}", "POST", "host"), partial(self.take, action=action)
            )

    def show(self, viewer: Viewer, rejection: Rejection | None = None) -> Response:
        raise NotImplementedError

    def take(self, viewer: Viewer, action: HostAction, *said: object) -> Response:
        """Carry a step out by what the form says; what makes no sense there is None, and is rejected."""
        if None in said:
            return self.show(viewer, self._rejection(viewer, Texts.not_understood, 400))
        wrong = action(*said)
        if wrong is None:
            return redirect_to(self.home)
        return self.show(viewer, Rejection(sentence_for(wrong, self._listener(viewer)), 409))

    def _tell_host(self, viewer: Viewer, rejection: Rejection) -> Response:
        return self.show(viewer, rejection)


def read_length(field: str) -> float | None:
    """Read a length or coordinate from the form, such as 844 or 844,5."""
    typed = request.form.get(field, "").strip()
    return float(typed.replace(",", ".")) if typed.isascii() and LENGTH.fullmatch(typed) else None


# finding the table


SEAT = "seat "


CORNERS: tuple[Phrase, ...] = (
    phrase("Upper left corner"),
    phrase("Upper right corner"),
    phrase("Lower right corner"),
    phrase("Lower left corner"),
)

TABLE_AREAS: Mapping[str, Phrase] = {
    "centre": phrase("Centre"),
    "proof": phrase("Proof"),
    "discard": phrase("Discard"),
    "herd": phrase("Herd {number}"),
    "camp": phrase("Camp {number}"),
    "taunt": phrase("Taunt {number}"),
}
"""Areas of the table, by the first word of their name."""


class FindingPage(GuidedPage):
    """Handles the pages on which the table is found."""

    home = "/host/table"

    def __init__(self, table: Table, pages: Pages) -> None:
        super().__init__(table, pages)
        self._guide = guide = table.finder
        self.steps = {"open": guide.open, "close": guide.close, "turn": guide.turn}

    def add_routes(self, app: Flask) -> None:
        super().add_routes(app)
        picture, markers = f"{self.home}/picture.jpg", f"{self.home}/markers.pdf"
        app.add_url_rule(picture, picture, self.to_host(self._guide.photograph))
        app.add_url_rule(markers, markers, self.to_host(self._guide.markers, "application/pdf"))

    @post(f"{home}/find", "host")
    def find(self, viewer: Viewer) -> Response:
        """Look for the markers; their distances may be left empty."""
        if not request.form.get("across") and not request.form.get("down"):
            return self.take(viewer, partial(self._guide.find, None))
        return self.take(viewer, self._guide.find, _read_distances())

    @post(f"{home}/tap", "host")
    def tap(self, viewer: Viewer) -> Response:
        return self.take(viewer, self._guide.tap, _read_taps(), _read_distances())

    @post(f"{home}/keep", "host")
    def keep(self, viewer: Viewer) -> Response:
        return self.take(viewer, partial(self._guide.keep, is_empty="empty" in request.form))

    @get(home, "host")
    def show(self, viewer: Viewer, rejection: Rejection | None = None) -> Response:
        sight, listener = self._guide.sight(), self._listener(viewer)
        move = None if sight.framing is None else sight.framing.move
        values = {
            "rejection": rejection,
            "sight": sight,
            "labels": [(part, _part_name(part, listener.names, listener.language)) for part in sight.parts],
            "seats": [name for part in sight.parts if (name := _player(part, listener.names))],
            "wrong": [sentence_for(each, listener) for each in sight.wrong],
            "corners": CORNERS,
            "framing": sight.framing,
            "move": None if move is None else sentence_for(move, listener),
        }
        return self._draw("table", viewer, values)


def _read_distances() -> Point | None:
    across, down = read_length("across"), read_length("down")
    return None if across is None or down is None else (across, down)


def _read_taps() -> tuple[Point, ...] | None:
    places = [(read_length(f"x{corner}"), read_length(f"y{corner}")) for corner in range(len(CORNERS))]
    taps = tuple((x, y) for x, y in places if x is not None and y is not None)
    return taps if len(taps) == len(CORNERS) else None


def _part_name(part: PartOutline, names: tuple[str, ...], language: Language) -> str:
    if part.name.startswith(SEAT):
        return f"{part.name.removeprefix(SEAT)} {_player(part, names)}".strip()
    word, _space, number = part.name.partition(" ")
    return page_text(language, TABLE_AREAS[word], number=number)


def _player(part: PartOutline, names: tuple[str, ...]) -> str:
    number = part.name.removeprefix(SEAT)
    if number == part.name or int(number) > len(names):
        return ""
    return names[int(number) - 1]


# teaching a deck


OWN_FACES = {"back": phrase("a card's back"), "summary": phrase("a summary card")}
"""Faces that games have no words for."""
DIGITS = 3


TEACHING_TASKS: Mapping[str, Phrase] = {
    "bare": phrase("Clear the table, hands too, then confirm."),
    "lay": phrase("Lay {face} on the table: alone and upright."),
    "turn": phrase("Now move {face} and turn it a little."),
    "away": phrase("Take {face} away."),
}

CARDS_SEEN: Mapping[str, Phrase] = {
    "empty": phrase("I see nothing new."),
    "card": phrase("I see a card."),
    "several": phrase("I see more than one thing. Leave only the card."),
    "unclear": phrase("I see something, but no card edges."),
    "reaching": phrase("Something reaches into the picture. Take hands and arms away."),
    "upright": phrase("It has to be upright the first time. Turn it."),
    "another card": phrase("This doesn't look like {face} did before. Is it the same card? Lay it again."),
}

SEEN_ADVICE: Mapping[str, Phrase] = {
    "empty": phrase("Does a card lie there already? Take it away, then look again."),
    "unclear": phrase("Move it a little or change the background. If the table is empty, look again."),
}
"""What helps while a card is waited for, by what was seen instead."""

FACE_STATES: Mapping[str, Phrase] = {
    "missing": phrase("not taught"),
    "drafted": phrase("taught just now"),
    "taught": phrase("taught"),
}


class TeachingPage(GuidedPage):
    """Handles the page on which decks are taught."""

    home = "/host/teach"

    def __init__(self, table: Table, pages: Pages) -> None:
        super().__init__(table, pages)
        self._guide, self._book = table.teacher, pages.book
        guide = self._guide
        self.steps = {
            "close": guide.close,
            "bare": guide.bare,
            "back": guide.back,
            "skip": guide.skip,
            "save": guide.save,
        }

    def add_routes(self, app: Flask) -> None:
        super().add_routes(app)
        picture = f"{self.home}/picture/<shot>.jpg"
        app.add_url_rule(picture, picture, self.to_host(self._guide.picture, cached=NAMED_ANEW))

    @post(f"{home}/open", "host")
    def open(self, viewer: Viewer) -> Response:
        return self.take(viewer, self._guide.open, self._deck())

    @post(f"{home}/again", "host")
    def again(self, viewer: Viewer) -> Response:
        return self.take(viewer, self._guide.again, self._face())

    @post(f"{home}/suit", "host")
    def suit(self, viewer: Viewer) -> Response:
        suit = request.form.get("suit", "")
        return self.take(viewer, self._guide.suit, suit if suit in SUIT_ROWS else None)

    @post(f"{home}/count", "host")
    def count(self, viewer: Viewer) -> Response:
        count = read_number(request.form.get("count", "").strip(), DIGITS)
        return self.take(viewer, self._guide.count, self._face(), count)

    @post(f"{home}/discard", "host")
    def discard(self, viewer: Viewer) -> Response:
        return self.take(viewer, self._guide.discard, self._deck())

    def _deck(self) -> str | None:
        name = request.form.get("deck", "")
        return name if name in {deck.name for deck in self._guide.decks()} else None

    def _face(self) -> str | None:
        lesson, name = self._guide.lesson(), request.form.get("face", "")
        return name if lesson is not None and name in {face.name for face in lesson.faces} else None

    @get(home, "host")
    def show(self, viewer: Viewer, rejection: Rejection | None = None) -> Response:
        return self._draw("teach", viewer, {"rejection": rejection, **self._values(viewer)})

    def _values(self, viewer: Viewer) -> dict[str, object]:
        lesson = self._guide.lesson()
        if lesson is None:
            # many games are shown, and none of them colours the page
            return {"lesson": None, "look": self._book.look("", ""), "decks": self._offers(viewer)}
        listener = self._listener(viewer)
        left = [face for face in lesson.faces if face.state == "missing"]
        told = {face.name: face_text(self._language(viewer), lesson.deck, face.name) for face in lesson.faces}
        return {
            "lesson": lesson,
            "look": self._look(lesson.deck),
            "tasks": TEACHING_TASKS,
            "seen": CARDS_SEEN,
            "advice": SEEN_ADVICE,
            "states": FACE_STATES,
            "title": deck_title(self._language(viewer), lesson.deck),
            "left": len(left),
            "done": len(lesson.faces) - len(left),
            "told": told,
            "name": told.get(lesson.face, ""),
            "shots": {face.name: face.shot for face in lesson.faces},
            "suits": self._suits(viewer, lesson),
            "wrong": [sentence_for(each, listener) for each in lesson.wrong],
        }

    def _offers(self, viewer: Viewer) -> list[tuple[TeachableDeck, str, Look, tuple[str, ...]]]:
        language = self._language(viewer)
        looks = [(deck, self._look(deck)) for deck in self._guide.decks()]
        return [(deck, deck_title(language, deck), look, _few_faces(deck, look)) for deck, look in looks]

    def _suits(self, viewer: Viewer, lesson: TeachingProgress) -> list[tuple[str, str, bool]]:
        states, language = ({face.name: face.state for face in lesson.faces}, self._language(viewer))
        if not all(card in states for card in CARDS):
            return []
        return [
            (suit, language.gettext(suit), all(states[face] != "missing" for row in rows for face in row))
            for suit, rows in SUIT_ROWS.items()
        ]

    def _look(self, deck: TeachableDeck) -> Look:
        return self._book.look(deck.game, deck.name)


def deck_title(language: Language, deck: TeachableDeck) -> str:
    words = GAMES[deck.game].words
    title = language.gettext(words.title)
    return f"{title}, {words.editions[deck.edition]}" if deck.edition in words.editions else title


def face_text(language: Language, deck: TeachableDeck, face: str) -> str:
    if face in OWN_FACES:
        return page_text(language, OWN_FACES[face])
    return tell_face(Listener(GAMES[deck.game].words, (), language), face)


def _few_faces(deck: TeachableDeck, look: Look) -> tuple[str, ...]:
    game = GAMES[deck.game]
    decks = (game.table.deck(house) for house in game.rules.settings.values())
    faces = next((tuple(each.counts) for each in decks if each.name == deck.name), ())
    return tuple(poster_faces(look, faces))[:FEW]
