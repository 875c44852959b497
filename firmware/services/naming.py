"""Names of the cards that a table learns while people play, as pages ask for them and take them back."""

from pathlib import Path
from threading import Lock

from msgspec import Struct

from firmware.services.pausing import Pausing
from firmware.storage.decks import extra_faces, face_picture, faces_known, faces_learnt_in, own_folder
from firmware.table.client import TableClient
from firmware.table.naming import (
    NameQuestion,
    OfferedFace,
    UnknownOnTable,
    offered_faces,
    questions_about_all,
    seat_mark,
    seats_first,
    unseen_faces,
)
from referee.match import Match, is_going_on
from vision.process import messages

LEARNING = "learning"
"""Name of the pause in which the rest of a deck is learnt."""
PICTURE_WIDTH = 350  # pixels of a learnt card's picture on a page
REMEMBERED = 40  # newest answers that can be undone or shown


class GivenName(Struct, frozen=True):
    """A person's answer to a question: the name, or an empty one for something that is no card."""

    question: NameQuestion
    face: str
    begun: str
    moment: int
    by: str
    deck: messages.DeckGrew | None
    """The deck before this name."""


class Known(Struct, frozen=True):
    """How many of a deck's cards have a picture, and how many there are."""

    cards: int
    all: int


class CardNaming:
    """The open questions; each viewer gets only those about cards that it may see."""

    def __init__(self, client: TableClient, pausing: Pausing) -> None:
        self._client, self._pausing, self._lock = client, pausing, Lock()
        self._passed = frozenset[tuple[str, int, int, int | None]]()
        """Match, moment, card and seat of each "I don't know"."""
        self._given: tuple[GivenName, ...] = ()
        self._learns_rest = False

    # what is asked

    def questions(self, seat: int | None) -> tuple[NameQuestion, ...]:
        """Return the questions for a seat, its own card first; without a seat, those about open cards."""
        match = self._client.moment()
        # until the eyes report unknown cards again: they may have lost a named one
        named = [each.question.unknown for each in self._given if self._stands(each, match)]
        return seats_first(
            seat,
            tuple(
                each
                for each in self._asked(match)
                if may_see(each, seat)
                and all(each.unknown is not other for other in named)
                and (match.setup.begun, match.number, each.unknown.number, seat) not in self._passed
            ),
        )

    def hidden_from(self, seat: int | None) -> tuple[NameQuestion, ...]:
        """Return the questions about cards that a viewer may not see."""
        match = self._client.moment()
        return tuple(each for each in self._asked(match) if not may_see(each, seat))

    def _asked(self, match: Match) -> tuple[NameQuestion, ...]:
        state = self._client.state()
        if self._learns_rest and not is_going_on(match):
            return questions_about_all(match, state.unknown)
        return state.questions

    def faces(self, question: NameQuestion, unseen: frozenset[str]) -> tuple[OfferedFace, ...]:
        """Return the faces to choose from, for a viewer who may not see some; see `unseen`."""
        others = extra_faces(question.ask.deck.name)
        return offered_faces(question.ask, self._met(unseen), others, question.lying)

    def _met(self, unseen: frozenset[str]) -> frozenset[str]:
        """Return the faces of the deck on the table with a picture that a viewer may see."""
        return frozenset(faces_known(self._folder())) - unseen

    def unseen(self, seat: int | None) -> frozenset[str]:
        """Return the faces that this match has taught the table by cards that a viewer may not see."""
        match = self._client.moment()
        return unseen_faces(match, seat, faces_learnt_in(self._folder(), match.setup.begun))

    def known(self, unseen: frozenset[str]) -> Known:
        counts, met = self._client.moment().setup.deck.counts, self._met(unseen)
        return Known(sum(count for face, count in counts.items() if face in met), sum(counts.values()))

    def _folder(self) -> Path:
        return own_folder(self._client.moment().setup.deck.name)

    def given(self, seat: int | None) -> tuple[GivenName, ...]:
        """Return the names given at this moment for cards that a viewer may see, the oldest first."""
        match = self._client.moment()
        return tuple(each for each in self._given if self._stands(each, match) and may_see(each.question, seat))

    def last(self, seat: int | None) -> GivenName | None:
        """Return the newest name that a viewer may undo: of this moment or the one before."""
        match = self._client.moment()
        begun, since = match.setup.begun, match.number - 1
        newest = (each for each in reversed(self._given) if each.begun == begun and each.moment >= since)
        return next((each for each in newest if may_see(each.question, seat)), None)

    def passed(self, seat: int | None) -> bool:
        """Return whether a viewer didn't know a card that is still asked for."""
        match = self._client.moment()
        cards = {(match.setup.begun, match.number, each.unknown.number, seat) for each in self._asked(match)}
        return bool(cards & self._passed)

    # pictures

    def picture(self, number: int, seat: int | None) -> bytes | None:
        """Return the picture of a card that is asked for or was just named, if a viewer may see it."""
        unknown = self._shown(number, seat)
        return None if unknown is None else unknown.card.jpeg

    def earlier(self, number: int, seat: int | None) -> bytes | None:
        """Return the picture of the most likely face, for comparison."""
        unknown = self._shown(number, seat)
        if unknown is None or not self.unseen(seat).isdisjoint(unknown.card.like[:1]):
            return None
        return unknown.card.earlier or None

    def _shown(self, number: int, seat: int | None) -> UnknownOnTable | None:
        match = self._client.moment()
        named = (each.question for each in self._given if self._stands(each, match))
        asked = (each for each in (*self._asked(match), *named) if may_see(each, seat))
        return next((each.unknown for each in asked if each.unknown.number == number), None)

    def face_picture(self, face: str, seat: int | None) -> bytes | None:
        """Return the picture of a face that was learnt, while a card is asked for."""
        if not self.questions(seat) or face not in self._met(self.unseen(seat)):
            return None
        return face_picture(self._folder(), face, PICTURE_WIDTH)

    # answers

    def name(self, number: int, face: str, seat: int | None, by: str) -> bool:
        """Name a card; an empty face if it is no card. Returns False if that isn't asked any more."""
        match = self._client.moment()
        with self._lock:
            question = self._question(number, seat)
            if question is None or (
                face and face not in {each.name for each in self.faces(question, self.unseen(seat))}
            ):
                return False
            given = GivenName(question, face, match.setup.begun, match.number, by, self._client.deck)
            self._given = (*self._given, given)[-REMEMBERED:]
        who = "host" if seat is None else seat_mark(seat)
        outline = question.unknown.card.outline
        self._tell(messages.NameCard(outline, face, match.setup.begun, match.number, who))
        return True

    def dont_know(self, number: int, seat: int | None) -> bool:
        """Don't ask a viewer for a card at this moment any more; the others are still asked."""
        match = self._client.moment()
        with self._lock:
            if self._question(number, seat) is None:
                return False
            now = {each for each in self._passed if each[:2] == (match.setup.begun, match.number)}
            self._passed = frozenset({*now, (match.setup.begun, match.number, number, seat)})
        self._client.redraw()
        return True

    def undo(self, number: int | None, face: str, seat: int | None) -> bool:
        """Take back the last name, on any phone that may see its card; without one, the "I don't know".

        Returns False if that isn't the last one any more: somebody else was faster.
        """
        with self._lock:
            last, passed = self.last(seat), self.passed(seat)
            if (number, face) != ((None, "") if last is None else (last.question.unknown.number, last.face)):
                return False
            if last is not None and not face:
                return False
            if last is None:
                self._passed = frozenset(each for each in self._passed if each[3] != seat)
            self._given = tuple(each for each in self._given if each is not last)
        if last is None:
            self._client.redraw()
            return passed
        self._tell(messages.UndoName(last.face, last.begun, last.moment))
        return True

    def _stands(self, given: GivenName, match: Match) -> bool:
        """Return whether a name was given at this moment and wasn't taken back since."""
        deck = self._client.deck
        is_doubted = deck is not None and deck is not given.deck and given.face in deck.taken_back
        return (given.begun, given.moment) == (match.setup.begun, match.number) and not is_doubted

    def _question(self, number: int, seat: int | None) -> NameQuestion | None:
        return next((each for each in self.questions(seat) if each.unknown.number == number), None)

    def _tell(self, order: messages.LearningOrder) -> None:
        self._client.do(order)
        self._client.redraw()

    # the rest of the deck

    @property
    def learns_rest(self) -> bool:
        """Whether the host shows the table the missing cards."""
        return self._learns_rest

    def learn_rest(self) -> bool:
        """Ask for all cards on the table while it pauses. Returns False during a match: cards may be hidden."""
        if is_going_on(self._client.moment()):
            return False
        self._learns_rest = True
        self._pausing.enter(LEARNING, self.end_rest)
        # the eyes rest during a pause
        self._client.do(messages.Wake())
        return True

    def end_rest(self) -> None:
        self._learns_rest = False
        self._pausing.leave(LEARNING)


def may_see(question: NameQuestion, seat: int | None) -> bool:
    return question.is_open if seat is None else seat in question.seats
