"""Own decks, for the host: the learnt cards, keeping a deck, and learning the rest."""

from typing import TYPE_CHECKING
from urllib.parse import quote

from flask import Flask, Response, request

from firmware.services.learning import MAX_COUNT, DeckShelf, LearntFace, Trying, known_decks
from firmware.storage.decks import OwnDeck, extra_faces
from firmware.table.notices import Notice, sentence_for
from referee.contract.words import phrase
from referee.games.catalogue import GAMES
from referee.kit.french_cards import CARDS, suit_rows
from referee.sentences import Language, Listener
from vision.teaching.taught_decks import is_safe_name
from webui.access.viewers import Viewer
from webui.pages.page import NAMED_ANEW, Page, get, post
from webui.pages.players.entering import Rejection, read_number, redirect_to
from webui.server.drawn_pages import Pages, match_id
from webui.views.last_time import CARDS as FEW
from webui.views.last_time import poster_faces
from webui.views.looks import Look
from webui.views.naming_view import naming_view, own_face_name
from webui.views.words import Texts, page_text

if TYPE_CHECKING:
    from firmware.services.table import Table

HOME = "/host/teach"
DECK = f"{HOME}/<folder>"
DIGITS = len(str(MAX_COUNT))
NO_TITLE = phrase("Enter a name of at most 60 letters, without / and similar signs.")
MATCH_GOES_ON = phrase("During a match, only cards that the game shows are learnt. End it first.")


class DecksPage(Page):
    """Pages of the own decks."""

    home = HOME

    def __init__(self, table: "Table", pages: Pages) -> None:
        super().__init__(table, pages)
        self._shelf: DeckShelf = table.decks
        self._book = pages.book

    def add_routes(self, app: Flask) -> None:
        super().add_routes(app)
        # the address changes with the picture, so browsers may cache it
        picture = f"{DECK}/<face>/<shot>.jpg"
        app.add_url_rule(picture, picture, self.to_host(self._shelf.picture, cached=NAMED_ANEW))

    @get(HOME, "host")
    def list_decks(self, viewer: Viewer) -> Response:
        language = self._language(viewer)
        decks = [each for each in self._shelf.decks(viewer.seat) if each.known or self._shelf.is_on_table(each)]
        shown = [(deck, self._title(language, deck), *self._few_faces(deck, viewer)) for deck in decks]
        # several games are shown, so the page uses no game's colours
        return self._draw("decks", viewer, {"look": self._book.look("", ""), "decks": shown})

    @get(DECK, "host")
    def show(self, viewer: Viewer, folder: str) -> Response:
        return self._show(viewer, folder)

    @post(f"{DECK}/keep", "host")
    def keep(self, viewer: Viewer, folder: str) -> Response:
        title = " ".join(request.form.get("title", "").split())
        if not is_safe_name(title) or title == folder:
            return self._show(viewer, folder, self._rejection(viewer, NO_TITLE, 400))
        return self._take(viewer, folder, self._shelf.keep(folder, title))

    @post(f"{DECK}/away", "host")
    def throw_away(self, viewer: Viewer, folder: str) -> Response:
        self._table.naming.end_rest()
        wrong = self._shelf.throw_away(folder)
        return redirect_to(HOME) if wrong is None else self._take(viewer, folder, wrong)

    @post(f"{DECK}/change", "host")
    def change(self, viewer: Viewer, folder: str) -> Response:
        face, to = request.form.get("face", ""), request.form.get("to", "")
        return self._take(viewer, folder, self._shelf.change(folder, face, to, viewer.seat))

    @post(f"{DECK}/unname", "host")
    def take_back(self, viewer: Viewer, folder: str) -> Response:
        """Take back all names that a player gave."""
        seat = read_number(request.form.get("seat", ""), DIGITS)
        if seat is None:
            return self._show(viewer, folder, self._rejection(viewer, Texts.not_understood, 400))
        return self._take(viewer, folder, self._shelf.take_back(folder, seat))

    @post(f"{DECK}/count", "host")
    def count(self, viewer: Viewer, folder: str) -> Response:
        number = read_number(request.form.get("count", "").strip(), DIGITS)
        if number is None:
            return self._show(viewer, folder, self._rejection(viewer, Texts.not_understood, 400))
        face = request.form.get("face", "")
        return self._take(viewer, folder, self._shelf.count(folder, face, number, viewer.seat))

    @post(f"{DECK}/suit", "host")
    def suit(self, viewer: Viewer, folder: str) -> Response:
        return self._take(viewer, folder, self._shelf.suit(folder, request.form.get("suit", "")))

    @post(f"{DECK}/rest", "host")
    def learn_rest(self, viewer: Viewer, folder: str) -> Response:
        """Begin to learn the missing cards, or end it."""
        deck = self._shelf.deck(folder)
        if self._table.naming.learns_rest:
            self._table.naming.end_rest()
        elif deck is None or not self._shelf.is_on_table(deck):
            return redirect_to(HOME)
        elif not self._table.naming.learn_rest():
            return self._show(viewer, folder, self._rejection(viewer, MATCH_GOES_ON, 409))
        return self._take(viewer, folder, None)

    def _take(self, viewer: Viewer, folder: str, wrong: Notice | None) -> Response:
        if wrong is None:
            return redirect_to(f"{HOME}/{quote(folder)}")
        return self._show(viewer, folder, Rejection(sentence_for(wrong, self._listener(viewer)), 409))

    def _show(self, viewer: Viewer, folder: str, rejection: Rejection | None = None) -> Response:
        deck = self._shelf.deck(folder)
        if deck is None:
            return redirect_to(HOME)
        game, _edition = known_decks()[deck.like]
        listener = Listener(GAMES[game].words, (), self._language(viewer))
        faces = self._shelf.faces(folder, viewer.seat)
        shown = sum(bool(face.shot) for face in faces)
        # trials of a card that the viewer may not see would name it
        tried = self._shelf.trials(folder) if deck.is_kept and 0 < shown == deck.known else None
        match, naming = self._table.client.moment(), self._table.naming
        pile = [each for each in faces if each.name not in extra_faces(deck.like)]
        values = {
            "rejection": rejection,
            "deck": deck,
            "title": self._title(self._language(viewer), deck),
            "look": self._look(deck),
            "faces": [(face, own_face_name(listener, face.name)) for face in faces],
            "known": sum(each.count for each in pile if each.shot),
            "all": sum(each.count for each in pile),
            "is_on_table": self._shelf.is_on_table(deck),
            "namers": [(seat, match.setup.names[seat]) for seat in self._shelf.namers(folder)],
            "is_learnt": self._shelf.is_learnt(deck),
            "learns_rest": naming.learns_rest,
            "naming": naming_view(self._table, match, viewer, listener) if naming.learns_rest else None,
            "match": match_id(match),
            "moment": match.number,
            "suits": _suits(faces, listener.language),
            "is_short": len(pile) < len(CARDS),
            "trying": None if tried is None or tried.pairs is not None else (tried.done, tried.all),
            "pairs": () if tried is None else _told_pairs(tried, listener),
        }
        return self._draw("own_deck", viewer, values)

    def _look(self, deck: OwnDeck) -> Look:
        game, _edition = known_decks()[deck.like]
        return self._book.look(game, deck.like)

    def _few_faces(self, deck: OwnDeck, viewer: Viewer) -> tuple[Look, tuple[str, ...]]:
        look, faces = self._look(deck), self._shelf.faces(deck.folder, viewer.seat)
        return look, tuple(poster_faces(look, tuple(each.name for each in faces)))[:FEW]

    def _title(self, language: Language, deck: OwnDeck) -> str:
        own = page_text(language, phrase("A box of your own"))
        return deck.title or f"{game_title(language, deck.like)}: {own}"


def _told_pairs(tried: Trying, listener: Listener) -> list[tuple[str, str]]:
    names = ((each.face, each.other) for each in tried.pairs or () if not each.is_untaught)
    return [(own_face_name(listener, one), own_face_name(listener, other)) for one, other in names]


def game_title(language: Language, like: str) -> str:
    """Return the title of a deck's game, with its edition."""
    game, edition = known_decks()[like]
    words = GAMES[game].words
    title = language.gettext(words.title)
    return f"{title}, {words.editions[edition]}" if edition in words.editions else title


def _suits(faces: tuple[LearntFace, ...], language: Language) -> list[tuple[str, str, bool]]:
    """Return the suits of a pack of playing cards, and whether each is learnt; one picture can teach a suit."""
    known = {face.name: bool(face.shot) for face in faces}
    suits = {suit: [face for row in rows for face in row] for suit, rows in suit_rows(known).items()}
    return [(suit, language.gettext(suit), all(map(known.get, cards))) for suit, cards in suits.items()]
