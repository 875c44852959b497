"""A deck that was taught with a rim round its cards: the table cuts it again by cards that lie alone."""

from pathlib import Path
from queue import SimpleQueue
from typing import Any

import numpy as np
import pytest

from firmware.parts.card_lines import (
    NAME,
    CardLines,
    CutCorrections,
    CutRequest,
    correct_lines,
    find_correction,
    is_more,
)
from firmware.parts.learning import taught_folder
from firmware.table.notices import Notice
from firmware.table.watcher import EyesNews
from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.renderer import BACK, Frame, faces_of
from hardware.twin.rendering.scene import SceneCard
from referee.games.coup import COUP
from referee.match import Match, Setup, begin
from tests.given import present
from tests.tiers import ALL, slow, tiered
from tests.vision.process.live import DECK, ONCE, calibrated_eyes, show_picture, with_cards
from tests.vision.teaching.test_table_edges import PLAIN, lay, seen, taught
from tests.webui.laid_deck import lay_deck
from vision.process.messages import CardsAlone, UseDeck
from vision.process.on_frame import CALM
from vision.reading.reader import read
from vision.table.plane import UNIT_SQUARE
from vision.teaching.kept_cuts import CardAlone, CutCard, keep_ground
from vision.teaching.lone_card import rectify_card
from vision.teaching.table_edges import Insets
from vision.teaching.taught_decks import TaughtDeck, deck_of, load_kept_deck, save_deck

PATIENCE = 600.0
"""Seconds that a busy machine may take."""
RIM: Insets = (0.06, 0.06, 0.06, 0.06)


class Door:
    """A table, what its eyes are told, and what it says; a match goes on at it or not."""

    def __init__(self) -> None:
        match = begin(Setup(COUP, COUP.rules.house(), ("Ana", "Bo", "Cy"), begun="x"))
        assert isinstance(match, Match)
        self._match, self.told = match, SimpleQueue[object]()

    def moment(self) -> Match:
        return self._match

    def order(self, order: object) -> None:
        self.told.put(order)

    def say(self, notice: Notice) -> None:
        self.told.put(notice)


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    return tmp_path


def test_a_deck_that_was_cut_rightly_or_is_gone_needs_no_correction(tmp_path: Path) -> None:
    save_deck(taught("playing", PLAIN), tmp_path / "plain")
    assert find_correction(CutRequest(str(tmp_path / "plain"), seen("playing"))) is None
    assert find_correction(CutRequest(str(tmp_path / "none"), seen("playing"))) is None


def lay_coup(side: float) -> TaughtDeck:
    """Teach coup's cards on dark cloth, cut out so far outside their rims."""
    cloth, cards = np.full((620, 520, 3), (50, 60, 40), np.uint8), {}
    for face in (*PRINTED[DECK].faces, BACK):
        picture, corners = lay(np.asarray(faces_of(DECK)(face), np.uint8), cloth, 252, 0)
        line = corners + 252 * side / (1 - 2 * side) * 2 * (UNIT_SQUARE - 0.5)
        shape = float((line[1, 0] - line[0, 0]) / (line[3, 1] - line[0, 1]))
        cards[face] = (CutCard(rectify_card(picture, line, shape), keep_ground(picture, line)),)
    return deck_of(DECK, (63.0, 88.0), dict.fromkeys(cards, 3), cards)


def three_cards(number: int) -> Frame:
    """Lay three of coup's six faces apart from each other."""
    faces, turn = list(PRINTED[DECK].faces)[3 * (number % 2) :][:3], number // 2
    places = (*PLACES[turn:], *PLACES[:turn])
    return with_cards(
        *(
            SceneCard(face, x, y + 4 * number, 25.0 * i - 40 + 35 * number)
            for i, (face, (x, y)) in enumerate(zip(faces, places, strict=True))
        )
    )


PLACES = ((-140.0, 0.0), (0.0, 30.0), (140.0, -10.0))


def sure_at(folder: Path) -> int:
    """Count how many of six cards are named for sure by a deck."""
    eyes = calibrated_eyes(folder)
    readings = [read(three_cards(number).picture, present(eyes.deck), None, eyes.around) for number in (0, 1)]
    return sum(card.sure for reading in readings for card in reading.cards)


@slow("the eyes look at six tables, and trials are made of two decks")
@pytest.mark.parametrize("side", tiered((0.06,), (0.06, -0.05)))
def test_cards_on_the_twins_table_correct_a_deck_that_was_cut_wrongly(tmp_path: Path, side: float) -> None:
    wrong, right = tmp_path / "wrong", tmp_path / "right"
    save_deck(lay_coup(side), wrong)
    eyes, cards = calibrated_eyes(wrong), list[CardAlone]()
    for number in range(6):
        eyes, news = show_picture(eyes, three_cards(number).picture, ONCE + CALM)
        cards += [card for each in news if isinstance(each, CardsAlone) for card in each.cards]
    told = present(find_correction(CutRequest(str(wrong), tuple(cards))))
    assert np.abs(np.subtract(told, side)).max() < 0.008
    save_deck(load_kept_deck(wrong), right)
    correct_lines(right, told)
    assert sure_at(right) == 6
    # so wide a rim hides half of the cards from the reader
    assert not ALL or (sure_at(wrong) < 6) is (side > 0)


def shown(deck: str, some: slice = slice(None)) -> EyesNews:
    return EyesNews(CardsAlone(str(taught_folder(deck)), seen("playing")[some]))


class Asked:
    """Stands for the process that measures: it is asked, and answers at once."""

    def __init__(self, told: Insets | None) -> None:
        self.told, self.asked = told, SimpleQueue[CutRequest]()

    def begin(self, _work: object, asked: CutRequest, **_terms: object) -> "Asked":
        self.asked.put(asked)
        return self

    def answer(self, _seconds: float) -> Insets | None:
        return self.told


def corrections(monkeypatch: pytest.MonkeyPatch, told: Insets | None) -> tuple[CutCorrections, Door, Asked]:
    door, asked, passed = Door(), Asked(told), SimpleQueue[object]()
    monkeypatch.setattr("firmware.parts.card_lines.begin_job", asked.begin)
    between = CutCorrections(passed.put)
    between.sit_down(door)  # type: ignore[arg-type]
    return between, door, asked


def test_a_table_cuts_its_deck_again_reads_by_it_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    lay_deck("coup", 0)
    between, door, asked = corrections(monkeypatch, RIM)
    assert not present(CardLines(door).sheet("coup")).is_corrected  # type: ignore[arg-type]
    between.pass_on(shown("coup", slice(4)))
    between.pass_on(shown("coup", slice(4, None)))
    assert len(asked.asked.get(timeout=PATIENCE).cards) == len(seen("playing"))
    order, said = (door.told.get(timeout=PATIENCE) for _time in range(2))
    assert isinstance(order, UseDeck)
    assert said == Notice(NAME, {"mm": 3.8})
    assert present(CardLines(door).sheet("coup")).is_corrected  # type: ignore[arg-type]


def test_nothing_is_cut_during_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    lay_deck("coup", 0)
    goes_on, looked = [True], SimpleQueue[None]()

    def is_going_on(_match: Match) -> bool:
        looked.put(None)
        return goes_on[0]

    monkeypatch.setattr("firmware.parts.card_lines.is_going_on", is_going_on)
    between, door, asked = corrections(monkeypatch, RIM)
    between.pass_on(shown("coup"))
    looked.get(timeout=PATIENCE)
    assert asked.asked.empty()
    # what is seen next comes after the match
    goes_on[0] = False
    between.pass_on(EyesNews("seen"))
    assert isinstance(door.told.get(timeout=PATIENCE), UseDeck)


def test_only_what_is_taught_is_measured_and_again_once_twice_as_much_is_shown() -> None:
    lay_deck("coup", 0)
    some = CutRequest(str(taught_folder("coup")), seen("playing"))
    nothing = CutRequest("", ())
    assert is_more(some, nothing)
    assert not is_more(some, some)
    assert is_more(CutRequest(some.folder, some.cards * 2), some)
    assert not is_more(CutRequest(some.folder, some.cards[:5]), nothing)
    assert not is_more(CutRequest("/elsewhere/coup", some.cards), nothing)


def test_what_else_the_eyes_tell_passes() -> None:
    passed: SimpleQueue[Any] = SimpleQueue()
    between = CutCorrections(passed.put)
    between.pass_on(EyesNews("seen"))
    between.pass_on(shown("coup"))
    assert passed.get(timeout=PATIENCE) == EyesNews("seen")
    assert passed.empty()
