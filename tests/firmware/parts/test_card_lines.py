"""The lines of a taught deck: which deck they are of, and when the eyes read by them."""

from pathlib import Path
from typing import Any

import pytest

from firmware.parts.card_lines import CardLines
from firmware.parts.learning import draft_folder, taught_folder
from firmware.table.notices import Notice
from referee.games.coup import COUP
from referee.games.coyote import COYOTE
from referee.match import Match, Setup, begin
from tests.given import present
from tests.webui.laid_deck import lay_deck
from vision.process.messages import UseDeck
from vision.teaching.kept_cuts import WHOLE
from vision.teaching.taught_decks import DECK, deck_of, load_kept_deck, save_deck


class Door:
    """A table at which a game is played, and what its eyes are told."""

    def __init__(self, game: Any) -> None:
        match = begin(Setup(game, game.rules.house(), ("Ana", "Bo", "Cy"), begun="x"))
        assert isinstance(match, Match)
        self._match, self.orders = match, list[object]()

    def moment(self) -> Match:
        return self._match

    def order(self, order: object) -> None:
        self.orders.append(order)


def lines_at(game: Any) -> tuple[CardLines, Door]:
    door = Door(game)
    return CardLines(door), door  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    return tmp_path


def test_a_table_reads_by_moved_lines_once_they_are_learnt_if_it_plays_with_them() -> None:
    lay_deck("coup", 1)
    here, door = lines_at(COUP)
    assert here.move("coup", "duke", 1, ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))) is None
    assert door.orders == []
    assert here.learn("coup") is None
    assert [order.deck for order in door.orders if isinstance(order, UseDeck)] == [str(taught_folder("coup"))]
    elsewhere, door = lines_at(COYOTE)
    assert elsewhere.learn("coup") is None
    assert door.orders == []


def test_a_draft_goes_before_the_deck_that_counts() -> None:
    here, _door = lines_at(COUP)
    assert here.sheet("coup") is None
    lay_deck("coup", 0)
    lay_deck("coup", 2, is_draft=True)
    assert len(present(here.sheet("coup")).odd) == 2
    assert here.accept("coup") is None
    assert present(here.sheet("coup")).odd == ()
    (draft_folder("coup") / DECK).unlink()
    assert not any(each.cut.by_hand for each in present(here.sheet("coup")).pictures)


def test_a_face_that_is_taught_again_stands_among_the_others() -> None:
    here, _door = lines_at(COUP)
    lay_deck("coup", 2)
    whole = load_kept_deck(taught_folder("coup"))
    again = {"contessa": whole.cards["contessa"]}
    save_deck(deck_of("coup", whole.card, {"contessa": 3}, again), draft_folder("coup"))
    sheet = present(here.sheet("coup"))
    assert ({each.face for each in sheet.pictures}, len(sheet.odd)) == (set(whole.faces), 2)
    line = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))
    for face, home in (("contessa", draft_folder), ("duke", taught_folder)):
        assert here.move("coup", face, 1, line) is None
        assert present(load_kept_deck(home("coup")).wides[face][0]).cut.corners == line
    assert present(load_kept_deck(taught_folder("coup")).wides["contessa"][0]).cut.corners != line


def test_what_is_not_there_or_is_damaged_is_said(state: Path) -> None:
    here, _door = lines_at(COUP)
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
