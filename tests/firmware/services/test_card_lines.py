"""Corrected outlines of a taught deck: choosing the deck, reading with them, measuring at the table."""

from pathlib import Path
from queue import SimpleQueue
from typing import Any

import numpy as np
import pytest

from firmware.services import card_lines
from firmware.services.learning import draft_folder, taught_folder
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice
from firmware.table.watcher import EyesNews
from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.renderer import BACK, faces_of
from hardware.twin.rendering.scene import SceneCard
from referee.contract import Game
from referee.games.coup import COUP
from referee.games.coyote import COYOTE
from referee.match import Match
from tests.firmware.recording_client import RecordingClient
from tests.given import present
from tests.hardware.twin.truth import Frame
from tests.tiers import ALL, slow, tiered
from tests.vision.process.live import DECK, ONCE, calibrated_eyes, show_picture, with_cards
from tests.vision.teaching.test_table_edges import PLAIN, lay, seen, taught
from tests.waiting import TEST_TIMEOUT, until
from tests.webui.laid_deck import lay_deck
from tests.webui.room import match_of
from vision.card_cuts import CardAlone
from vision.process.messages import CardsAlone, UseDeck
from vision.process.on_frame import CALM
from vision.reading.reader import read
from vision.table.plane import UNIT_SQUARE
from vision.teaching.kept_cuts import WHOLE, cut_card
from vision.teaching.table_edges import Insets
from vision.teaching.taught_decks import DECK as DECK_FILE
from vision.teaching.taught_decks import TaughtDeck, load_kept_deck, save_deck

RIM: Insets = (0.06, 0.06, 0.06, 0.06)


def lines_at(game: Game) -> tuple[card_lines.CardLines, RecordingClient]:
    client = RecordingClient(match_of(game))
    return card_lines.CardLines(client), client


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    return tmp_path


# choosing the deck


def test_table_reads_by_corrected_outlines_of_its_deck() -> None:
    lay_deck("coup", 1)
    here, client = lines_at(COUP)
    assert here.move("coup", "duke", 1, ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))) is None
    assert client.done == []
    assert here.learn("coup") is None
    (order,) = client.done
    assert isinstance(order, UseDeck)
    assert order.deck == str(taught_folder("coup"))
    elsewhere, client = lines_at(COYOTE)
    assert elsewhere.learn("coup") is None
    assert client.done == []


def test_draft_precedes_active_deck() -> None:
    here, _client = lines_at(COUP)
    assert here.sheet("coup") is None
    lay_deck("coup", 0)
    lay_deck("coup", 2, is_draft=True)
    assert len(present(here.sheet("coup")).odd) == 2
    assert here.accept("coup") is None
    assert present(here.sheet("coup")).odd == ()
    (draft_folder("coup") / DECK_FILE).unlink()
    assert not any(each.cut.by_hand for each in present(here.sheet("coup")).pictures)


def test_face_taught_again_keeps_its_position() -> None:
    here, _client = lines_at(COUP)
    lay_deck("coup", 2)
    whole = load_kept_deck(taught_folder("coup"))
    again = {"contessa": whole.cards["contessa"]}
    save_deck(TaughtDeck("coup", whole.card, {"contessa": 3}, again), draft_folder("coup"))
    sheet = present(here.sheet("coup"))
    assert ({each.face for each in sheet.pictures}, len(sheet.odd)) == (set(whole.faces), 2)
    line = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))
    for face, home in (("contessa", draft_folder), ("duke", taught_folder)):
        assert here.move("coup", face, 1, line) is None
        assert present(load_kept_deck(home("coup")).cards[face][0].wide).cut.corners == line
    assert present(load_kept_deck(taught_folder("coup")).cards["contessa"][0].wide).cut.corners != line


def test_missing_or_damaged_outlines_are_reported(state: Path) -> None:
    here, _client = lines_at(COUP)
    for deck in ("coup", "../coup", "", "nothing"):
        assert here.sheet(deck) is None
        assert here.whole(deck, "duke", 1) is None
        assert here.learn(deck) == here.accept(deck) == Notice("no such deck")
    lay_deck("coup", 0)
    for face, number in (("king", 1), ("duke", 2), ("duke", 0), ("..", 1)):
        assert here.whole("coup", face, number) is None
        assert here.card("coup", face, number, WHOLE) is None
        assert here.move("coup", face, number, WHOLE) == Notice("no such face")
    (state / "decks" / "coup" / "duke" / "1.png").unlink()
    assert here.sheet("coup") is None
    assert present(here.accept("coup")).key == "deck trouble"


# correction by the table


def test_well_cut_or_removed_deck_needs_no_correction(tmp_path: Path) -> None:
    save_deck(taught("playing", PLAIN), tmp_path / "plain")
    assert card_lines.find_correction(CardsAlone(str(tmp_path / "plain"), seen("playing"))) is None
    assert card_lines.find_correction(CardsAlone(str(tmp_path / "none"), seen("playing"))) is None


def lay_coup(side: float) -> TaughtDeck:
    """Teach Coup's cards on dark cloth, cut out this far outside their edges."""
    cloth, cards = np.full((620, 520, 3), (50, 60, 40), np.uint8), {}
    for face in (*PRINTED[DECK].faces, BACK):
        picture, corners = lay(np.asarray(faces_of(DECK)(face), np.uint8), cloth, 252, 0)
        line = corners + 252 * side / (1 - 2 * side) * 2 * (UNIT_SQUARE - 0.5)
        shape = float((line[1, 0] - line[0, 0]) / (line[3, 1] - line[0, 1]))
        cards[face] = (cut_card(picture, line, shape),)
    return TaughtDeck(DECK, (63.0, 88.0), dict.fromkeys(cards, 3), cards)


def three_cards(number: int) -> Frame:
    faces, turn = list(PRINTED[DECK].faces)[3 * (number % 2) :][:3], number // 2
    places = (*PLACES[turn:], *PLACES[:turn])
    return with_cards(
        *(
            SceneCard(face, x, y + 4 * number, 25.0 * i - 40 + 35 * number)
            for i, (face, (x, y)) in enumerate(zip(faces, places, strict=True))
        )
    )


PLACES = ((-140.0, 0.0), (0.0, 30.0), (140.0, -10.0))


def count_certain(folder: Path) -> int:
    """Count how many of six cards a deck reads for certain."""
    eyes = calibrated_eyes(folder)
    readings = [read(three_cards(number).picture, present(eyes.deck), None, eyes.around) for number in (0, 1)]
    return sum(card.sure for reading in readings for card in reading.cards)


@slow("the eyes look at six tables, and trials are made of two decks")
@pytest.mark.parametrize("side", tiered((0.06,), (0.06, -0.05)))
def test_cards_on_simulated_table_correct_badly_cut_deck(tmp_path: Path, side: float) -> None:
    wrong, right = tmp_path / "wrong", tmp_path / "right"
    save_deck(lay_coup(side), wrong)
    eyes, cards = calibrated_eyes(wrong), list[CardAlone]()
    for number in range(6):
        eyes, news = show_picture(eyes, three_cards(number).picture, ONCE + CALM)
        cards += [card for each in news if isinstance(each, CardsAlone) for card in each.cards]
    told = present(card_lines.find_correction(CardsAlone(str(wrong), tuple(cards))))
    assert np.abs(np.subtract(told, side)).max() < 0.008
    save_deck(load_kept_deck(wrong), right)
    card_lines.correct_lines(right, told)
    assert count_certain(right) == 6
    # a margin this wide hides half of the cards from the reader
    assert not ALL or (count_certain(wrong) < 6) is (side > 0)


def shown(deck: str, some: slice = slice(None)) -> EyesNews:
    return EyesNews(CardsAlone(str(taught_folder(deck)), seen("playing")[some]))


class ImmediateJob:
    """Stand-in for the measuring process; answers each request at once."""

    def __init__(self, told: Insets | None) -> None:
        self.told, self.asked = told, SimpleQueue[CardsAlone]()

    def do(self, _work: object, asked: CardsAlone, _seconds: float, **_terms: object) -> Insets | None:
        self.asked.put(asked)
        return self.told


def corrections(
    monkeypatch: pytest.MonkeyPatch, told: Insets | None
) -> tuple[card_lines.CutCorrections, RecordingClient, ImmediateJob]:
    client, asked, passed = RecordingClient(match_of(COUP)), ImmediateJob(told), SimpleQueue[object]()
    monkeypatch.setattr("firmware.services.card_lines.do_job", asked.do)
    between = card_lines.CutCorrections(passed.put)
    between.sit_down(client)
    return between, client, asked


def test_table_recuts_its_deck_reads_by_it_and_reports_it(monkeypatch: pytest.MonkeyPatch) -> None:
    lay_deck("coup", 0)
    between, client, asked = corrections(monkeypatch, RIM)
    assert not present(card_lines.CardLines(client).sheet("coup")).is_corrected
    between.pass_on(shown("coup", slice(4)))
    between.pass_on(shown("coup", slice(4, None)))
    assert len(asked.asked.get(timeout=TEST_TIMEOUT).cards) == len(seen("playing"))
    until(lambda: len(client.done) == 2)
    order, said = client.done
    assert isinstance(order, UseDeck)
    assert said == Notice(NoticeKey.CARDS_RECUT, {"mm": 3.8})
    assert present(card_lines.CardLines(client).sheet("coup")).is_corrected


def test_nothing_is_recut_during_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    lay_deck("coup", 0)
    goes_on, looked = [True], SimpleQueue[None]()

    def is_going_on(_match: Match) -> bool:
        looked.put(None)
        return goes_on[0]

    monkeypatch.setattr("firmware.services.card_lines.is_going_on", is_going_on)
    between, client, asked = corrections(monkeypatch, RIM)
    between.pass_on(shown("coup"))
    looked.get(timeout=TEST_TIMEOUT)
    assert asked.asked.empty()
    # later sightings are measured after the match
    goes_on[0] = False
    between.pass_on(EyesNews("seen"))
    until(lambda: client.done)
    assert isinstance(client.done[0], UseDeck)


def test_only_taught_faces_are_measured_and_again_at_twice_as_many() -> None:
    lay_deck("coup", 0)
    some = CardsAlone(str(taught_folder("coup")), seen("playing"))
    nothing = CardsAlone("", ())
    assert card_lines.is_more(some, nothing)
    assert not card_lines.is_more(some, some)
    assert card_lines.is_more(CardsAlone(some.deck, some.cards * 2), some)
    assert not card_lines.is_more(CardsAlone(some.deck, some.cards[:5]), nothing)
    assert not card_lines.is_more(CardsAlone("/elsewhere/coup", some.cards), nothing)


def test_other_messages_of_the_eyes_pass() -> None:
    passed: SimpleQueue[Any] = SimpleQueue()
    between = card_lines.CutCorrections(passed.put)
    between.pass_on(EyesNews("seen"))
    between.pass_on(shown("coup"))
    assert passed.get(timeout=TEST_TIMEOUT) == EyesNews("seen")
    assert passed.empty()
