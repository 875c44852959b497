"""Teaching a deck card by card, for the host."""

from collections.abc import Mapping

from flask import Blueprint, Response, request

from firmware.parts.learning import Teacher, TeachingProgress
from firmware.parts.teachable_decks import TeachableDeck
from firmware.table.notices import sentence_for
from firmware.table.table import Table
from referee.contract.words import Phrase, phrase
from referee.games.catalogue import GAMES
from referee.kit.french_cards import CARDS, SUIT_ROWS
from referee.telling import Listener, tell_face
from webui.access.viewers import Viewer, listener_of, viewer_language, viewer_of
from webui.drawing.looks import Look
from webui.drawing.shelf import CARDS as FEW
from webui.drawing.shelf import poster_faces
from webui.drawing.words import page_text
from webui.pages.host.guiding import GuidedPage
from webui.server.drawn_pages import Pages

OWN_FACES = {"back": phrase("a card's back"), "summary": phrase("a summary card")}
"""Faces that games have no words for."""
DIGITS = 3
KEPT = "private, max-age=3600"


TEACHING_TASKS: Mapping[str, Phrase] = {
    "bare": phrase("Clear the table, hands too, then confirm."),
    "lay": phrase("Lay {face} on the table: alone and upright."),
    "turn": phrase("Now move {face} and turn it a little."),
    "away": phrase("Take {face} away."),
}
"""What to do next while a deck is taught, by task."""

CARDS_SEEN: Mapping[str, Phrase] = {
    "empty": phrase("I see nothing new."),
    "card": phrase("I see a card."),
    "several": phrase("I see more than one thing. Leave only the card."),
    "unclear": phrase("I see something, but no card edges."),
    "reaching": phrase("Something reaches into the picture. Take hands and arms away."),
    "upright": phrase("It has to be upright the first time. Turn it."),
    "another card": phrase("This doesn't look like {face} did before. Is it the same card? Lay it again."),
}
"""What the camera saw last while a deck is taught."""

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
"""How far a face has been taught."""


def teaching_blueprint(table: Table, pages: Pages, guide: Teacher) -> Blueprint:
    """Create the page on which decks are taught."""
    blueprint, page = Blueprint("teaching", __name__), TeachingPage(table, pages, guide)
    blueprint.get("/host/teach")(page.show)
    blueprint.get("/host/teach/picture/<shot>.jpg")(page.picture)
    for name, step in (
        ("open", page.open), ("close", page.close), ("bare", page.bare), ("back", page.back),
        ("skip", page.skip), ("again", page.again), ("suit", page.suit), ("count", page.count),
        ("save", page.save), ("discard", page.discard),
    ):  # fmt: skip
        blueprint.post(f"/host/teach/{name}", endpoint=name)(step)
    return blueprint


class TeachingPage:
    """Handles the page on which decks are taught."""

    def __init__(self, table: Table, pages: Pages, guide: Teacher) -> None:
        """Remember the table, the pages and the guide."""
        self._table, self._guide, self._book = table, guide, pages.book
        self._page = GuidedPage(table, pages, "teach", self._values)

    def show(self) -> Response:
        """Show the progress."""
        return self._page.show()

    def picture(self, shot: str) -> Response:
        """Send a picture of a face, as it was shown to the camera."""
        if not viewer_of(self._table, request).is_host:
            return Response(status=403)
        taken = self._guide.picture(shot)
        if taken is None:
            return Response(status=404)
        # another picture has another name
        return Response(taken, 200, {"Content-Type": "image/jpeg", "Cache-Control": KEPT})

    def open(self) -> Response:
        """Start a deck, or continue it."""
        deck = self._deck()
        return self._page.take(None if deck is None else lambda: self._guide.open(deck))

    def close(self) -> Response:
        """Stop for now."""
        return self._page.take(self._guide.close)

    def bare(self) -> Response:
        """Take the table for empty."""
        return self._page.take(self._guide.bare)

    def back(self) -> Response:
        """Go back one step."""
        return self._page.take(self._guide.back)

    def skip(self) -> Response:
        """Skip this face."""
        return self._page.take(self._guide.skip)

    def again(self) -> Response:
        """Teach this face next."""
        face = self._face()
        return self._page.take(None if face is None else lambda: self._guide.again(face))

    def suit(self) -> Response:
        """Teach a suit that lies in two rows."""
        suit = request.form.get("suit", "")
        return self._page.take((lambda: self._guide.suit(suit)) if suit in SUIT_ROWS else None)

    def count(self) -> Response:
        """Set how many of a face are in the box."""
        face, typed = self._face(), request.form.get("count", "").strip()
        is_number = typed.isascii() and typed.isdecimal() and len(typed) <= DIGITS
        return self._page.take(
            None if face is None or not is_number else lambda: self._guide.count(face, int(typed))
        )

    def save(self) -> Response:
        """Save the deck."""
        return self._page.take(self._guide.save)

    def discard(self) -> Response:
        """Discard a draft."""
        deck = self._deck()
        return self._page.take(None if deck is None else lambda: self._guide.discard(deck))

    def _deck(self) -> str | None:
        """Read the deck from the form; only those that are offered are accepted."""
        name = request.form.get("deck", "")
        return name if name in {deck.name for deck in self._guide.decks()} else None

    def _face(self) -> str | None:
        """Read the face from the form; only those of the deck are accepted."""
        lesson, name = self._guide.lesson(), request.form.get("face", "")
        return name if lesson is not None and name in {face.name for face in lesson.faces} else None

    def _values(self, viewer: Viewer) -> dict[str, object]:
        lesson = self._guide.lesson()
        if lesson is None:
            # many games are shown, and none of them colours the page
            return {"lesson": None, "look": self._book.look("", ""), "decks": self._offers(viewer)}
        listener = listener_of(self._table, viewer)
        left = [face for face in lesson.faces if face.state == "missing"]
        told = {face.name: self._face_text(viewer, lesson.deck, face.name) for face in lesson.faces}
        return {
            "lesson": lesson,
            "look": self._look(lesson.deck),
            "tasks": TEACHING_TASKS,
            "seen": CARDS_SEEN,
            "advice": SEEN_ADVICE,
            "states": FACE_STATES,
            "title": self._title(viewer, lesson.deck),
            "left": len(left),
            "done": len(lesson.faces) - len(left),
            "told": told,
            "name": told.get(lesson.face, ""),
            "shots": {face.name: face.shot for face in lesson.faces},
            "suits": self._suits(viewer, lesson),
            "wrong": [sentence_for(each, listener) for each in lesson.wrong],
        }

    def _offers(self, viewer: Viewer) -> list[tuple[TeachableDeck, str, Look, tuple[str, ...]]]:
        """Offer the decks, each with its name and a few of its cards."""
        looks = [(deck, self._look(deck)) for deck in self._guide.decks()]
        return [(deck, self._title(viewer, deck), look, _few_faces(deck, look)) for deck, look in looks]

    def _suits(self, viewer: Viewer, lesson: TeachingProgress) -> list[tuple[str, str, bool]]:
        """List the suits of 52 cards, which one picture can teach each, and whether all of it is taught."""
        states, language = (
            {face.name: face.state for face in lesson.faces},
            viewer_language(self._table, viewer),
        )
        if not all(card in states for card in CARDS):
            return []
        return [
            (suit, language.gettext(suit), all(states[face] != "missing" for row in rows for face in row))
            for suit, rows in SUIT_ROWS.items()
        ]

    def _look(self, deck: TeachableDeck) -> Look:
        return self._book.look(deck.game, deck.name)

    def _title(self, viewer: Viewer, deck: TeachableDeck) -> str:
        words = GAMES[deck.game].words
        title = viewer_language(self._table, viewer).gettext(words.title)
        return f"{title}, {words.editions[deck.edition]}" if deck.edition in words.editions else title

    def _face_text(self, viewer: Viewer, deck: TeachableDeck, face: str) -> str:
        language = viewer_language(self._table, viewer)
        if face in OWN_FACES:
            return page_text(language, OWN_FACES[face])
        return tell_face(Listener(GAMES[deck.game].words, (), language), face)


def _few_faces(deck: TeachableDeck, look: Look) -> tuple[str, ...]:
    """Choose the faces by which people know a deck."""
    game = GAMES[deck.game]
    decks = (game.table.deck(house) for house in game.rules.settings.values())
    faces = next((tuple(each.counts) for each in decks if each.name == deck.name), ())
    return tuple(poster_faces(look, faces))[:FEW]
