"""Pages that lead from the first page to real cards: which camera sees the table, which cards lie on it."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from typing import Protocol

from flask import Response, request
from msgspec import Struct

from firmware.language.speaking import Sentence
from firmware.storage.decks import OwnDeck
from referee.contract import Game
from referee.contract.words import phrase
from referee.games.catalogue import GAMES
from referee.kit.french_cards import CARDS
from referee.sentences import Language
from vision.table.camera_names import MAX_ADDRESS_LETTERS, PHONE, is_address, is_network
from webui.access.joining import JoiningNeeds, enter_as_host
from webui.access.origins import is_here
from webui.access.viewers import Viewer, may_send
from webui.needs import HasAddress, HasCards
from webui.pages.page import Page, get, post
from webui.pages.players.entering import Rejection, redirect_to
from webui.server.drawn_pages import picture_of
from webui.views.last_time import poster_faces
from webui.views.words import Texts, page_text

CAMERA, DECK = "/welcome/camera", "/welcome/deck"
TABLE = "/host/table"
"""Page that finds the table in the camera's picture, between the two pages of this module."""
BROWSER = "/camera"
"""Page that makes a browser the camera."""
PRINTED = "printed"
"""Form value of the printed deck; an own one has its folder's name, and a new one has none."""
FRAME_TIMEOUT = 4.0  # seconds for the picture of the camera that the table uses


class LeadingNeeds(JoiningNeeds, HasCards, Protocol):
    """Parts of the table that decide who leads it without a PIN."""


class RealCardsNeeds(LeadingNeeds, HasAddress, Protocol):
    """Parts of the table used on the way to real cards."""


def may_lead(table: LeadingNeeds, viewer: Viewer) -> bool:
    """Return whether the viewer is the host, or sits at the computer of a table that isn't a Raspberry Pi."""
    return viewer.is_host or (table.cards.is_led_here and is_here(request))


class CameraOption(Struct, frozen=True):
    """A camera that can be chosen."""

    name: str
    title: Sentence | str
    number: int
    """Number of its picture."""
    is_chosen: bool


class RealCardsPage(Page[RealCardsNeeds]):
    """Pages of the camera and of the deck."""

    @get(CAMERA)
    def show(self) -> Response:
        return self._camera_page() if self._may_choose(self._viewer()) else redirect_to("/host")

    @get(f"{CAMERA}/<int:number>.jpg")
    def show_picture(self, number: int) -> Response:
        """Send a picture of a connected camera; not cached."""
        cameras = self._table.cards.cameras()
        if not self._may_choose(self._viewer()) or number not in range(len(cameras)):
            return Response(status=404)
        jpeg = self._table.cards.picture(cameras[number].name) or self._own_picture(cameras[number].name)
        return Response(jpeg, mimetype="image/jpeg") if jpeg else Response(status=404)

    def _own_picture(self, name: str) -> bytes | None:
        if name != self._table.cards.camera:
            return None
        try:
            return self._table.client.picture().result(FRAME_TIMEOUT).jpeg
        except (TimeoutError, CancelledError):
            return None

    @post(CAMERA)
    def choose(self) -> Response:
        """Store the camera, and restart the table with real cards. The restart page leads to the next step."""
        viewer, name = self._viewer(), " ".join(request.form.get("camera", "").split())
        if not self._may_choose(viewer):
            return redirect_to("/host")
        if not may_send(request, viewer):
            return self._camera_page(self._rejection(viewer, Texts.stale_form, 403))
        known = {camera.name for camera in self._table.cards.cameras()} | {PHONE, self._table.cards.camera}
        if not name or (name not in known and not is_address(name)):
            why = phrase("Write the address as http://, https:// or rtsp://, then host, port and path.")
            return self._camera_page(self._rejection(viewer, why, 400), typed=name)
        why_not = self._table.cards.use_camera(name, self._game().name)
        if why_not is not None:
            told = why_not.told(self._language(viewer))
            return self._camera_page(Rejection(told, 409), typed=name)
        is_browser = name == PHONE
        there = (BROWSER if request.form.get("here") else CAMERA) if is_browser else TABLE
        response = self._restart(viewer, home=f"{there}{self._query()}")
        return response if viewer.is_host else enter_as_host(self._table, request, response)

    def _camera_page(self, rejection: Rejection | None = None, typed: str = "") -> Response:
        return self._draw_forms(lambda _viewer: ("which_camera", self._camera_values(typed)), rejection)

    def _camera_values(self, typed: str) -> Mapping[str, object]:
        cards = self._table.cards
        found, chosen = cards.cameras(), cards.camera
        first = chosen if chosen in {camera.name for camera in found} else next((c.name for c in found), "")
        return {
            "look": self._pages.book.look("", ""),
            "cameras": [
                CameraOption(camera.name, camera.title, number, is_chosen=camera.name == first)
                for number, camera in enumerate(found)
            ],
            "game": self._game().name,
            "typed": typed or (chosen if is_network(chosen) else ""),
            "longest": MAX_ADDRESS_LETTERS,
            "is_browser": cards.is_seen_by_browser,
            "browser": BROWSER,
            "code": picture_of(f"{self._table.address.own().rstrip('/')}{BROWSER}"),
            "next": f"{TABLE}{self._query()}",
        }

    @get(DECK)
    def show_deck(self) -> Response:
        return self._deck_page() if self._may_lead(self._viewer()) else redirect_to("/host")

    @post(DECK)
    def choose_deck(self) -> Response:
        viewer, game = self._viewer(), self._game()
        if not self._may_lead(viewer):
            return redirect_to("/host")
        if not may_send(request, viewer):
            return self._deck_page(self._rejection(viewer, Texts.stale_form, 403))
        why_not = self._use_cards(game, request.form.get("cards", ""), self._language(viewer))
        if why_not is not None:
            return self._deck_page(Rejection(why_not.told(self._language(viewer)), 409))
        there = redirect_to(f"/host/new?game={game.name}")
        return there if viewer.is_host else enter_as_host(self._table, request, there)

    def _use_cards(self, game: Game, chosen: str, language: Language) -> Sentence | None:
        """Use the printed deck, an own one by its folder, or a new one that the table learns."""
        cards, names = self._table.cards, decks_of(game)
        if chosen == PRINTED:
            return cards.use_printed(names)
        own = next((each for each in self._own_decks(game) if each.folder == chosen), None)
        if own is not None:
            return cards.use_own(own.like, own.folder)
        title = page_text(language, phrase("Our {game}"), game=language.gettext(game.words.title))
        return cards.learn(names, title)

    def _own_decks(self, game: Game) -> Iterator[OwnDeck]:
        """Yield the people's own decks for any edition of a game."""
        for name in decks_of(game):
            yield from self._table.cards.own_decks(name)

    def _deck_page(self, rejection: Rejection | None = None) -> Response:
        return self._draw_forms(lambda viewer: ("deck", self._deck_values(viewer)), rejection)

    def _deck_values(self, viewer: Viewer) -> Mapping[str, object]:
        game, language = self._game(), self._language(viewer)
        house = game.rules.house()
        counts, deck = game.table.deck(house).counts, deck_of(game)
        own = [each for each in self._own_decks(game) if each.known]
        used = next((each.folder for each in own if each.is_used and each.like == deck), "")
        look, edition = self._pages.book.look(game.name, deck), getattr(house, "edition", "")
        return {
            "look": look,
            "game": game.name,
            "title": language.gettext(game.words.title),
            "printed": PRINTED,
            "edition": language.gettext(game.words.editions[edition]) if edition in game.words.editions else "",
            "count": sum(counts.values()),
            "faces": tuple(poster_faces(look, tuple(counts)))[:2],
            "is_french": _is_french(counts),
            "own": own,
            "used": PRINTED if self._table.cards.is_printed(deck) else used,
            "french": [(each.name, language.gettext(each.words.title)) for each in french_games()],
        }

    def _game(self) -> Game:
        """Return the game that was chosen on the first page; else the one on the table."""
        name = request.values.get("game", "") or self._table.cards.awaited_game
        return GAMES[name] if name in GAMES else self._table.client.moment().setup.game

    def _query(self) -> str:
        return f"?game={self._game().name}"

    def _may_lead(self, viewer: Viewer) -> bool:
        return may_lead(self._table, viewer)

    def _may_choose(self, viewer: Viewer) -> bool:
        """Return whether the viewer may choose a camera; not if options named it at the start."""
        return self._may_lead(viewer) and not self._table.cards.is_fixed


def deck_of(game: Game) -> str:
    """Return the name of a game's usual deck."""
    return game.table.deck(game.rules.house()).name


def decks_of(game: Game) -> tuple[str, ...]:
    """Return the names of the decks of a game's editions, the usual one first."""
    editions = (game.table.deck(house).name for house in game.rules.settings.values())
    return tuple(dict.fromkeys((deck_of(game), *editions)))


def french_games() -> Sequence[Game]:
    """Return the games for 52 playing cards."""
    return [game for game in tuple(GAMES.values()) if _is_french(game.table.deck(game.rules.house()).counts)]


def _is_french(counts: Mapping[str, int]) -> bool:
    """Return whether a deck is one of playing cards, perhaps a part of the 52 and a joker."""
    return len({face for face, count in counts.items() if count} - {*CARDS}) <= 1
