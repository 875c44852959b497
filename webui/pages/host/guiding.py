"""Guide to real cards: find the table by cards or markers, then the seats."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from flask import Flask, Response, request
from msgspec import Struct

from firmware.services.areas import PartOutline
from firmware.services.finding import gauges_of
from firmware.table.notices import LastingTrouble, sentence_for
from referee.contract import Game
from referee.contract.words import Phrase, phrase
from referee.games.catalogue import GAMES
from referee.sentences import Listener
from vision.process.messages import ShownCard
from vision.sightings import Point
from vision.table.card_plane import middle_of
from vision.table.framing import tell_move
from webui.access.viewers import Viewer
from webui.pages.page import Page, Route, get, post
from webui.pages.players.entering import Rejection, redirect_to
from webui.server.drawn_pages import Pages
from webui.views.card_choice import decks_of
from webui.views.guide_view import NEW, WELCOME, answers_about, drawn_cards, strip_of, words_for
from webui.views.words import Texts, page_text

if TYPE_CHECKING:
    from firmware.services.table import Table

HostAction = Callable[..., LastingTrouble | None]
"""Action of the host; returns a problem, or None on success."""
Reader = Callable[[], object]  # parses a form field; None if it is invalid
LENGTH = re.compile(r"\d{1,5}([.,]\d{1,3})?")


def _read_length(field: str) -> float | None:
    """Read a length from the form, such as 844 or 844,5."""
    typed = request.form.get(field, "").strip()
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


class FindingPage(Page):
    """Pages for calibrating the table, step by step."""

    home = "/host/table"

    def __init__(self, table: "Table", pages: Pages) -> None:
        super().__init__(table, pages)
        self._guide = guide = table.finder
        # action of each step, and the readers for its form fields
        self._steps: Mapping[str, tuple[HostAction, *tuple[Reader, ...]]] = {
            "open": (guide.open, self._read_decks),
            "turn": (guide.turn,),
            "by": (guide.use, partial(_named_in, ("cards", "markers"), "by")),
            "seat": (guide.seat, _read_point),
            "centre": (guide.centre, _read_point),
            "again": (guide.stand_up,),
            "tap": (guide.tap, _read_point),
            "refuse": (guide.refuse,),
            "forget": (guide.forget_taps,),
            "clear": (guide.clear,),
            "unclear": (partial(guide.clear, is_clearing=False),),
            "empty": (guide.take_empty,),
        }

    def add_routes(self, app: Flask) -> None:
        super().add_routes(app)
        for name, (action, *readers) in self._steps.items():
            route = Route(f"{self.home}/{name}", "POST", "host")
            self._add_route(app, route, partial(self._take, action=action, readers=readers))
        picture, markers = f"{self.home}/picture.jpg", f"{self.home}/markers.pdf"
        live, cut = f"{self.home}/live/<int:number>.jpg", f"{self.home}/cut/<int:number>/<int:place>.jpg"
        app.add_url_rule(picture, picture, self.to_host(self._guide.photograph))
        app.add_url_rule(live, live, self.to_host(self._guide.live))
        app.add_url_rule(cut, cut, self.to_host(self._guide.cut))
        app.add_url_rule(markers, markers, self.to_host(self._guide.markers, "application/pdf"))

    def _game(self) -> Game | None:
        """Return the game for which the table is set up."""
        return GAMES.get(self._table.cards.awaited_game)

    def _read_decks(self) -> tuple[str, ...]:
        """Return the decks whose cards may be laid."""
        return decks_of(self._game() or self._table.client.moment().setup.game)

    @post(f"{home}/close", "host")
    def close(self, viewer: Viewer) -> Response:
        there = "/host" if self._guide.sight().is_kept else WELCOME
        return self._take(viewer, self._guide.close, (), there)

    @post(f"{home}/laid", "host")
    def laid(self, viewer: Viewer) -> Response:
        """Accept the cards; on the way to real cards, the players follow."""
        game = self._game()
        there = self.home if game is None else f"{NEW}?game={game.name}"
        return self._take(viewer, self._guide.take_cards, (), there)

    def _take(
        self, viewer: Viewer, action: HostAction, readers: Iterable[Reader], there: str = home
    ) -> Response:
        """Take a step, then lead to a page: this one, unless another is named."""
        said = [read() for read in readers]
        if None in said:
            return self.show(viewer, self._rejection(viewer, Texts.not_understood, 400))
        wrong = action(*said)
        if wrong is None:
            return redirect_to(there)
        return self.show(viewer, Rejection(sentence_for(wrong, self._listener(viewer)), 409))

    def _tell_host(self, viewer: Viewer, rejection: Rejection) -> Response:
        return self.show(viewer, rejection)

    @post(f"{home}/keep", "host")
    def keep(self, viewer: Viewer) -> Response:
        """Store the table."""
        return self._take(viewer, lambda: self._guide.keep(is_empty="empty" in request.form), (), "/host")

    @post(f"{home}/find", "host")
    def find(self, viewer: Viewer) -> Response:
        """Detect the markers; the distances between them are optional."""
        if not request.form.get("across") and not request.form.get("down"):
            return self._take(viewer, partial(self._guide.find, None), ())
        return self._take(viewer, self._guide.find, (_read_distances,))

    @get(home, "host")
    def show(self, viewer: Viewer, rejection: Rejection | None = None) -> Response:
        sight, listener = self._guide.sight(), self._listener(viewer)
        framing, laid, language = sight.framing, sight.laid, self._language(viewer)
        game, step = self._table.client.moment().setup.game, 4 if self._guide.is_measured else 2
        moves = () if framing is None else framing.moves[:1]
        wide, high = sight.size
        values = {
            "rejection": rejection,
            "sight": sight,
            # on the way to real cards, the page starts by itself
            "is_on_the_way": bool(self._game()) and not sight.is_kept,
            "look": self._pages.book.look("", ""),
            "guide": strip_of(
                step, self._table.cards, language, (self._game() or game).name, is_whole=not sight.is_kept
            ),
            "told": words_for(laid, language),
            "answers": answers_about(laid, language),
            "cards": drawn_cards(laid, language),
            "labels": [(part, _part_name(part, listener)) for part in sight.parts],
            "seats": [name for part in sight.parts if (name := _player(part, listener.names))],
            "wrong": [sentence_for(each, listener) for each in sight.wrong],
            "first": (listener.names or ("",))[0],
            "others": ", ".join(listener.names[1:]),
            "edges": {name: f"{int(x * wide)},{int(y * high)}" for name, (x, y) in EDGES.items()},
            "slots": () if laid is None else tuple(map(Slot.of, laid.outlined[:MOST_CUTS])),
            "free": 0 if laid is None else len(laid.free),
            "sitting": [_sitting(number, listener.names, at, sight.size) for number, at in sight.seats],
            "middle": () if sight.found is None else _percent(sight.middle, sight.size),
            "framing": framing,
            "gauges": () if framing is None else tuple(gauges_of(framing)),
            "move": "".join(sentence_for(tell_move(move), listener) for move in moves),
        }
        return self._draw("table", viewer, values)


def _read_distances() -> Point | None:
    across, down = _read_length("across"), _read_length("down")
    return None if across is None or down is None else (across, down)


def _read_point() -> Point | None:
    """Read a point of the picture in pixels."""
    found = POINT.fullmatch(request.form.get("at", ""))
    return None if found is None else (float(found[1]), float(found[2]))


class Slot(Struct, frozen=True):
    """An outline that was cut out of the picture: its middle, and whether it counts as a card."""

    at: str
    counts: bool

    @staticmethod
    def of(card: ShownCard) -> "Slot":
        x, y = middle_of((card.outline,))
        return Slot(f"{int(x)},{int(y)}", card.why is None)


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
