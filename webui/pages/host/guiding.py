"""Guides for the host: find the table by cards or markers, teach a deck, and review its outlines."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import Protocol
from urllib.parse import quote

import numpy as np
from flask import Flask, Response, abort, request
from msgspec import Struct

from firmware.language.cuts import CURES, WHY, cuts_sentence
from firmware.services.card_lines import CutSheet, ShownCut
from firmware.services.finding import PartOutline, gauges_of
from firmware.services.learning import TeachableDeck, TeachingProgress
from firmware.table.notices import LastingTrouble, Notice, sentence_for
from referee.contract.words import Phrase, phrase
from referee.games.catalogue import GAMES
from referee.kit.french_cards import CARDS, SUIT_ROWS
from referee.sentences import Language, Listener, face_name
from vision.card_cuts import Corners
from vision.sightings import Point
from vision.table.framing import tell_move
from vision.teaching.kept_cuts import as_corners, is_card_like, within
from webui.access.viewers import Viewer
from webui.needs import HasCards, HasFinder, HasLines, HasTeacher, ViewerNeeds
from webui.pages.page import NAMED_ANEW, Needs, Page, Route, get, post
from webui.pages.players.entering import Rejection, read_number, redirect_to
from webui.pages.twin.real_cards import DECK as CHOOSE_DECK
from webui.server.drawn_pages import Pages
from webui.views.last_time import CARDS as FEW
from webui.views.last_time import poster_faces
from webui.views.looks import Look
from webui.views.words import Texts, page_text

HostAction = Callable[..., LastingTrouble | None]
"""Action of the host; returns a problem, or None on success."""
Reader = Callable[[], object]  # parses a form field; None if it is invalid
LENGTH = re.compile(r"\d{1,5}([.,]\d{1,3})?")


class GuidedPage(Page[Needs]):
    """Base class of a page that guides the host step by step."""

    steps: Mapping[str, tuple[HostAction, *tuple[Reader, ...]]]
    """Action of each step, and the readers for its form fields."""

    def add_routes(self, app: Flask) -> None:
        super().add_routes(app)
        for name, (action, *readers) in self.steps.items():
            route = Route(f"{self.home}/{name}", "POST", "host")
            self._add_route(app, route, partial(self.take, action=action, readers=readers))

    def show(self, viewer: Viewer, rejection: Rejection | None = None) -> Response:
        raise NotImplementedError

    def take(self, viewer: Viewer, action: HostAction, readers: Iterable[Reader], there: str = "") -> Response:
        """Take a step, then lead to a page: this one, unless another is named."""
        said = [read() for read in readers]
        if None in said:
            return self.show(viewer, self._rejection(viewer, Texts.not_understood, 400))
        wrong = action(*said)
        if wrong is None:
            return redirect_to(there or self.home)
        return self.show(viewer, Rejection(sentence_for(wrong, self._listener(viewer)), 409))

    def _tell_host(self, viewer: Viewer, rejection: Rejection) -> Response:
        return self.show(viewer, rejection)


def _typed(field: str) -> str:
    return request.form.get(field, "").strip()


def read_length(field: str) -> float | None:
    """Read a length or coordinate from the form, such as 844 or 844,5."""
    typed = _typed(field)
    return float(typed.replace(",", ".")) if typed.isascii() and LENGTH.fullmatch(typed) else None


def _named_in(offered: Collection[str], field: str) -> str | None:
    name = request.form.get(field, "")
    return name if name in offered else None


SEAT = "seat"  # prefix in the name of a seat's area
POINT = re.compile(r"([0-9]{1,5}),([0-9]{1,5})")
EDGES: Mapping[str, Point] = {
    "below": (0.5, 0.95),
    "left": (0.04, 0.5),
    "above": (0.5, 0.05),
    "right": (0.96, 0.5),
}
"""The picture's edges at which a player may sit, as shares of its width and height."""
MOST_CUTS = 8  # cards that a page shows as cut out
MARGIN = (17.0, 83.0)
"""Least and greatest position of a name across the picture, in percent."""

TABLE_AREAS: Mapping[str, Phrase] = {
    "centre": phrase("Centre"),
    "proof": phrase("Proof"),
    "discard": phrase("Discard"),
    "herd": phrase("Herd {number}"),
    "camp": phrase("Camp {number}"),
    "taunt": phrase("Taunt {number}"),
}
"""Areas of the table, by the first word of their name."""


class FindingNeeds(ViewerNeeds, HasCards, HasFinder, Protocol):
    """Parts of the table used to calibrate it."""


class FindingPage(GuidedPage[FindingNeeds]):
    """Pages for calibrating the table."""

    home = "/host/table"

    def __init__(self, table: FindingNeeds, pages: Pages) -> None:
        super().__init__(table, pages)
        self._guide = guide = table.finder
        self.steps = {
            "open": (guide.open,),
            "close": (guide.close,),
            "turn": (guide.turn,),
            "by": (guide.use, partial(_named_in, ("cards", "markers"), "by")),
            "laid": (guide.take_cards,),
            "seat": (guide.seat, _read_point),
            "centre": (guide.centre, _read_point),
            "again": (guide.stand_up,),
        }

    def add_routes(self, app: Flask) -> None:
        super().add_routes(app)
        picture, markers = f"{self.home}/picture.jpg", f"{self.home}/markers.pdf"
        live, cut = f"{self.home}/live.jpg", f"{self.home}/cut/<int:place>.jpg"
        app.add_url_rule(picture, picture, self.to_host(self._guide.photograph))
        app.add_url_rule(live, live, self.to_host(self._guide.live))
        app.add_url_rule(cut, cut, self.to_host(self._guide.cut))
        app.add_url_rule(markers, markers, self.to_host(self._guide.markers, "application/pdf"))

    @post(f"{home}/keep", "host")
    def keep(self, viewer: Viewer) -> Response:
        """Store the table; on the way to real cards, the choice of the cards follows."""
        there = CHOOSE_DECK if self._table.cards.awaited_game else self.home
        return self.take(viewer, lambda: self._guide.keep(is_empty="empty" in request.form), (), there)

    @post(f"{home}/find", "host")
    def find(self, viewer: Viewer) -> Response:
        """Detect the markers; the distances between them are optional."""
        if not request.form.get("across") and not request.form.get("down"):
            return self.take(viewer, partial(self._guide.find, None), ())
        return self.take(viewer, self._guide.find, (_read_distances,))

    @get(home, "host")
    def show(self, viewer: Viewer, rejection: Rejection | None = None) -> Response:
        sight, listener = self._guide.sight(), self._listener(viewer)
        framing = sight.framing
        moves = () if framing is None else framing.moves[:1]
        values = {
            "rejection": rejection,
            "sight": sight,
            # the game of the way to real cards; the page then begins by itself
            "is_on_the_way": "game" in request.args and not sight.is_kept,
            "labels": [(part, _part_name(part, listener)) for part in sight.parts],
            "seats": [name for part in sight.parts if (name := _player(part, listener.names))],
            "wrong": [sentence_for(each, listener) for each in sight.wrong],
            "first": (listener.names or ("",))[0],
            "others": ", ".join(listener.names[1:]),
            "edges": _edges_of(sight.size),
            "cuts": () if sight.laid is None else range(min(len(sight.laid.outlines), MOST_CUTS)),
            "sitting": [_sitting(number, listener.names, at, sight.size) for number, at in sight.seats],
            "middle": () if sight.found is None else _percent(sight.middle, sight.size),
            "framing": framing,
            "gauges": () if framing is None else tuple(gauges_of(framing)),
            "move": "".join(sentence_for(tell_move(move), listener) for move in moves),
        }
        return self._draw("table", viewer, values)


def _read_distances() -> Point | None:
    across, down = read_length("across"), read_length("down")
    return None if across is None or down is None else (across, down)


def _read_point() -> Point | None:
    """Read a point of the picture in pixels."""
    found = POINT.fullmatch(request.form.get("at", ""))
    return None if found is None else (float(found[1]), float(found[2]))


def _edges_of(size: tuple[int, int]) -> Mapping[str, str]:
    return {name: f"{int(x * size[0])},{int(y * size[1])}" for name, (x, y) in EDGES.items()}


class Sitting(Struct, frozen=True):
    """A seat with its player's name, at a place of the picture in percent."""

    number: int
    name: str
    at: Point


def _sitting(number: int, names: tuple[str, ...], at: Point, size: tuple[int, int]) -> Sitting:
    return Sitting(number, "".join(names[number - 1 : number]), _percent(at, size))


def _percent(point: Point, size: tuple[int, int]) -> Point:
    x, y = (100 * at / side for at, side in zip(point, size, strict=True))
    return round(min(max(x, MARGIN[0]), MARGIN[1]), 1), round(y, 1)


def _part_name(part: PartOutline, listener: Listener) -> str:
    word, _space, number = part.name.partition(" ")
    if word == SEAT:
        return f"{number} {_player(part, listener.names)}".strip()
    return page_text(listener.language, TABLE_AREAS[word], number=number)


def _player(part: PartOutline, names: tuple[str, ...]) -> str:
    word, _space, number = part.name.partition(" ")
    return "".join(names[int(number) - 1 : int(number)]) if word == SEAT else ""


OWN_FACES = {"back": phrase("a card's back"), "summary": phrase("a summary card")}
"""Faces that games have no names for."""
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
    "reaching": phrase("Something reaches into the picture. Move hands and arms away."),
    "upright": phrase("The first time, it must be upright. Turn it."),
    "another card": phrase("This doesn't look like {face} did before. Is it the same card? Lay it again."),
}

SEEN_ADVICE: Mapping[str, Phrase] = {
    "empty": phrase("Is a card there already? Remove it, then look again."),
    "unclear": phrase("Move it a little or change the background. If the table is empty, look again."),
}
"""Advice while waiting for a card, by what the camera sees instead."""

FACE_STATES: Mapping[str, Phrase] = {
    "missing": phrase("not taught"),
    "drafted": phrase("taught just now"),
    "taught": phrase("taught"),
}


class TeachingNeeds(ViewerNeeds, HasTeacher, Protocol):
    """Parts of the table used to teach a deck."""


class TeachingPage(GuidedPage[TeachingNeeds]):
    """Page for teaching decks."""

    home = "/host/teach"

    def __init__(self, table: TeachingNeeds, pages: Pages) -> None:
        super().__init__(table, pages)
        self._guide, self._book = table.teacher, pages.book
        guide = self._guide
        self.steps = {
            "open": (guide.open, self._deck),
            "close": (guide.close,),
            "bare": (guide.bare,),
            "back": (guide.back,),
            "again": (guide.again, self._face),
            "suit": (guide.suit, lambda: _named_in(SUIT_ROWS, "suit")),
            "skip": (guide.skip,),
            "count": (guide.count, self._face, lambda: read_number(_typed("count"), DIGITS)),
            "save": (guide.save,),
            "discard": (guide.discard, self._deck),
            "forget": (guide.forget, self._deck),
        }

    def add_routes(self, app: Flask) -> None:
        super().add_routes(app)
        picture = f"{self.home}/picture/<shot>.jpg"
        app.add_url_rule(picture, picture, self.to_host(self._guide.picture, cached=NAMED_ANEW))

    def _deck(self) -> str | None:
        return _named_in({deck.name for deck in self._guide.decks()}, "deck")

    def _face(self) -> str | None:
        lesson = self._guide.lesson()
        return None if lesson is None else _named_in({face.name for face in lesson.faces}, "face")

    @get(home, "host")
    def show(self, viewer: Viewer, rejection: Rejection | None = None) -> Response:
        return self._draw("teach", viewer, {"rejection": rejection, **self._values(viewer)})

    def _values(self, viewer: Viewer) -> dict[str, object]:
        lesson, listener, language = self._guide.lesson(), self._listener(viewer), self._language(viewer)
        if lesson is None:
            looks = [(deck, self._look(deck)) for deck in self._guide.decks()]
            offers = [(deck, deck_title(language, deck), look, _few_faces(deck, look)) for deck, look in looks]
            # several games are shown, so the page uses no game's colours
            return {"lesson": None, "look": self._book.look("", ""), "decks": offers}
        left = [face for face in lesson.faces if face.state == "missing"]
        told = {face.name: face_text(language, lesson.deck, face.name) for face in lesson.faces}
        return {
            "lesson": lesson,
            "look": self._look(lesson.deck),
            "tasks": TEACHING_TASKS,
            "seen": CARDS_SEEN,
            "advice": SEEN_ADVICE,
            "states": FACE_STATES,
            "title": deck_title(language, lesson.deck),
            "left": len(left),
            "done": len(lesson.faces) - len(left),
            "told": told,
            "name": told.get(lesson.face, ""),
            "shots": {face.name: face.shot for face in lesson.faces},
            "suits": _suits(lesson, language),
            "wrong": [sentence_for(each, listener) for each in lesson.wrong],
        }

    def _look(self, deck: TeachableDeck) -> Look:
        return self._book.look(deck.game, deck.name)


def _suits(lesson: TeachingProgress, language: Language) -> list[tuple[str, str, bool]]:
    """Return the suits of a 52-card deck, and whether each is fully taught; one image can teach a suit."""
    states = {face.name: face.state for face in lesson.faces}
    if not all(card in states for card in CARDS):
        return []
    return [
        (suit, language.gettext(suit), all(states[face] != "missing" for row in rows for face in row))
        for suit, rows in SUIT_ROWS.items()
    ]


def deck_title(language: Language, deck: TeachableDeck) -> str:
    words = GAMES[deck.game].words
    title = language.gettext(words.title)
    return f"{title}, {words.editions[deck.edition]}" if deck.edition in words.editions else title


def face_text(language: Language, deck: TeachableDeck, face: str) -> str:
    if face in OWN_FACES:
        return page_text(language, OWN_FACES[face])
    return face_name(Listener(GAMES[deck.game].words, (), language), face)


def _few_faces(deck: TeachableDeck, look: Look) -> tuple[str, ...]:
    game = GAMES[deck.game]
    decks = (game.table.deck(house) for house in game.rules.settings.values())
    faces = next((tuple(each.counts) for each in decks if each.name == deck.name), ())
    return tuple(poster_faces(look, faces))[:FEW]


# review of a taught deck: card outlines, with corners that can be moved


SHEETS = "/host/teach/cards"
DECK, ONE = f"{SHEETS}/<deck>", f"{SHEETS}/<deck>/<face>/<int:number>"
SHARE = re.compile(r"[01](\.\d{1,8})?")  # a position in an image, as a share of its width or height
STEP = 1 / 300  # distance of one arrow press, as a share of the image width
WAYS: Mapping[str, Point] = {"left": (-1, 0), "up": (0, -1), "down": (0, 1), "right": (1, 0)}
ARROWS: Mapping[str, Phrase] = {
    "left": phrase("To the left"),
    "up": phrase("Up"),
    "down": phrase("Down"),
    "right": phrase("To the right"),
}
"""Direction of each corner button, by its symbol."""
SOUND, GROUNDLESS = (
    phrase("This one looks right. Pull a corner if it isn't."),
    phrase("No background is stored around this card, so its outline can only be moved inward."),
)
NO_CARD = phrase("That can't be a card's outline. Pull the corners apart and keep their order.")


class LinesNeeds(TeachingNeeds, HasLines, Protocol):
    """Parts of the table used to review a deck's outlines."""


class LinesPage(Page[LinesNeeds]):
    """Pages for reviewing and correcting a deck's outlines."""

    home = "/host/teach"

    def __init__(self, table: LinesNeeds, pages: Pages) -> None:
        super().__init__(table, pages)
        self._lines, self._teacher, self._book = table.lines, table.teacher, pages.book

    def add_routes(self, app: Flask) -> None:
        super().add_routes(app)
        for name, give in (("whole", self._lines.whole), ("small", self._lines.small), ("card", self.cut)):
            # the address changes with the image, so browsers may cache it
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
        return self._take(viewer, self._lines.accept(deck), deck, f"{SHEETS}/{quote(deck)}")

    @post(f"{DECK}/learn", "host")
    def learn(self, viewer: Viewer, deck: str) -> Response:
        return self._take(viewer, self._lines.learn(deck), deck, self.home)

    @post(f"{DECK}/back", "host")
    def back(self, viewer: Viewer, deck: str) -> Response:
        return self._take(viewer, self._lines.back(deck), deck, f"{SHEETS}/{quote(deck)}")

    def _take(self, viewer: Viewer, wrong: Notice | None, deck: str, then: str) -> Response:
        if wrong is None:
            return redirect_to(then)
        why = sentence_for(wrong, self._listener(viewer))
        return self._show(viewer, deck, rejection=Rejection(why, 409))

    def _next(self, deck: str) -> str:
        sheet = self._lines.sheet(deck)
        first = next(iter(sheet.odd if sheet is not None else ()), None)
        page = f"{SHEETS}/{quote(deck)}"
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
        # the overview starts with the first doubtful picture
        pictures = () if sheet is None else sheet.odd if place is None else sheet.pictures
        shown = next((each for each in pictures if place in {None, (each.face, each.number)}), None)
        if sheet is None or about is None or (place is not None and shown is None):
            abort(404)
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
    """Move a corner by one step of equal length in both directions."""
    wide, high = shown.cut.size
    moved = np.array(corners)
    moved[corner] += np.array(WAYS[way]) * (STEP, STEP * wide / high)
    return within(as_corners(moved))
