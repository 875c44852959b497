"""Rounds of Coyote with a deck that the table has never seen, in steps without threads.

The eyes watch rendered tables. At each reveal the players name the cards that their phones show; every other
card must be read. `tests.long.real_cards` plays whole matches with such a deck, and counts the questions.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from firmware.storage.decks import all_counts
from firmware.storage.found_table import parting_of, seat_zones
from firmware.table import effects, state
from firmware.table.cards import show_ask
from firmware.table.hosting import take_in_sighting
from firmware.table.naming import NameQuestion, numbered_cards
from hardware.decks.catalogue import PRINTED
from hardware.twin.player import any_answer
from hardware.twin.rendering.renderer import faces_of
from hardware.twin.rendering.scene import SceneCard
from referee.contract import CENTRE, Answer, Choice
from referee.games.coyote import COYOTE
from referee.match import Match, Setup, begin, standing_answers
from tests.given import allowed, present
from tests.hardware.twin.truth import Frame, frame_of
from tests.tiers import release
from tests.vision.process.live import TABLE, found_table, show_picture
from vision.process import messages
from vision.process.messages import EyesSettings, NameCard
from vision.process.on_frame import obey_order, open_eyes
from vision.sightings import Outline

NAMES = ("Ana", "Bo", "Chloé")
PLACES = ((10.0, 95.0, 4.0), (-105.0, -40.0, 120.0), (108.0, -42.0, -110.0))
"""Where each player lays a card after a call: in the middle, towards its owner."""
MOST_READINGS = 12  # times that the eyes look at the laid cards before a round has failed


class Round(Struct, frozen=True):
    """The cards of a reveal, and the names that phones were asked for."""

    laid: tuple[str, ...]
    asked: tuple[str, ...]


class LearntTable:
    """A table and its eyes, in steps without threads."""

    def __init__(self, folder: Path) -> None:
        house = COYOTE.rules.house()
        match, self.deck = allowed(begin(Setup(COYOTE, house, NAMES))), COYOTE.table.deck(house)
        among = {**all_counts(PRINTED[self.deck.name]), **self.deck.counts}
        zones = seat_zones(parting_of(match), 844.0, 556.0)
        settings = EyesSettings("twin", str(folder / "deck"), among, "Our Coyote", found_table(), zones=zones)
        self.eyes, news = open_eyes(settings)
        self.table, self.now = state.at_start(match, None, 0.0)[0], 0.0
        self._hear(news)

    @property
    def match(self) -> Match:
        return self.table.match

    def questions(self) -> tuple[NameQuestion, ...]:
        return state.open_questions(self.table)

    def show(self, frame: Frame) -> None:
        self.eyes, news = show_picture(self.eyes, frame.picture)
        self._hear(news)

    def order(self, order: messages.EyesOrder) -> None:
        self.eyes, news = obey_order(self.eyes, order)
        self._hear(news)

    def answer(self, answer: Answer) -> None:
        self._take(state.hear_request(self.table, effects.EntryRequest(answer, None), self.now))

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self._take(state.pass_time(self.table, self.now))

    def _hear(self, news: Iterable[object]) -> None:
        for each in news:
            match each:
                case messages.TableRead() | messages.CardChanged():
                    self._take(take_in_sighting(self.table, each, self.now))
                case messages.UnknownCards(cards):
                    numbered = numbered_cards(self.table.unknown or (), cards)
                    self.table = replace(self.table, unknown=numbered)

    def _take(self, step: state.TableStep) -> None:
        self.table, ordered = step
        for effect in ordered:
            match effect:
                case effects.Write():
                    self._take(state.handle_kept(self.table, 1, self.now))
                case messages.ReadTable() | messages.NameCard() | messages.UndoName():
                    self.order(effect)


def reach_reveal(table: LearntTable, rng: Random) -> None:
    """Bid by chance and call, until the cards are to be shown."""
    while (ask := show_ask(table.match)) is None or ask.zone != CENTRE:
        calls = (each for each in table.match.asks if isinstance(each, Choice))
        option = next((o for each in calls for o in each.options if o.word == "coyote"), None)
        if option is None:
            table.answer(any_answer(table.match.asks, table.match.number, rng))
            continue
        ask_of = next(a for a in table.match.asks if isinstance(a, Choice) and option in a.options)
        seat = ask_of.seats[0] if ask_of.seats else None
        table.answer(Answer(table.match.number, ask_of.key, option, seat, "phone"))


def play_round(table: LearntTable, faces: Mapping[int, str]) -> Round:
    """Lay the players' cards, and name each one that a phone asks for, until the table has counted them."""
    cards = tuple(SceneCard(face, *PLACES[seat]) for seat, face in faces.items())
    frame, asked = frame_at(table, cards), list[str]()
    before = table.match.number
    for _time in range(MOST_READINGS):
        table.show(frame)
        while table.match.number == before and (questions := table.questions()):
            question = questions[0]
            face = true_name(frame, question.unknown.card.outline)
            asked.append(face)
            setup = table.match.setup
            table.order(NameCard(question.unknown.card.outline, face, setup.begun, before, "seat 1"))
        if table.match.number == before:
            table.wait(state.OBJECTION_TIME)
        if table.match.number != before:
            break
    shown = [each.value for each in answers_since(table.match, before) if isinstance(each.value, tuple)]
    assert [Counter(each) for each in shown] == [Counter(faces.values())], (shown, faces)
    return Round(tuple(faces.values()), tuple(asked))


def answers_since(match: Match, number: int) -> list[Answer]:
    return [step.answer for step in standing_answers(match) if step.answer.moment >= number]


def frame_at(table: LearntTable, cards: tuple[SceneCard, ...]) -> Frame:
    return frame_of(replace(TABLE, cards=cards), faces_of(table.deck.name))


def true_name(frame: Frame, outline: Outline) -> str:
    """Return the true name of the card nearest to an outline."""
    x, y = (sum(corner[i] for corner in outline) / 4 for i in (0, 1))
    off = [
        sum(abs(sum(corner[i] for corner in each.outline) / 4 - (x, y)[i]) for i in (0, 1))
        for each in frame.truth
    ]
    return present(frame.truth[off.index(min(off))].face)


@release("two rendered reveals, read by the eyes; a commit tests their parts (`test_naming.py`)")
def test_rounds_with_an_unknown_deck_are_counted(tmp_path: Path) -> None:
    table, rng = LearntTable(tmp_path), Random(1)
    reach_reveal(table, rng)
    first = play_round(table, {0: "10", 1: "5", 2: "3"})
    assert sorted(first.asked) == ["10", "3", "5"]
    table.show(frame_at(table, ()))
    reach_reveal(table, rng)
    # while most faces are unknown, a face of one picture may be asked for again
    assert len(play_round(table, {0: "5", 1: "3", 2: "10"}).asked) <= 3
