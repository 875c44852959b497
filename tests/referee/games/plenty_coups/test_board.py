"""What Plenty Coups shows of itself: whole questions, and what stands on the board, at moments of a match."""

from gettext import NullTranslations

import pytest

from referee.contract import Weight
from referee.games.plenty_coups import PLENTY_COUPS
from referee.games.plenty_coups.state import Proposal, Raid
from referee.showing import board_of, questions_of
from referee.telling import Listener, tell_card_row, tell_fact, tell_questions
from tests.referee.games.plenty_coups.script import Script, sit_down, table, with_clan, with_state
from tests.referee.tables import NAMES

LISTENER = Listener(PLENTY_COUPS.words, NAMES[:4], NullTranslations())
TWO = Listener(PLENTY_COUPS.words, NAMES[:2], NullTranslations())
RAID = Raid(1, 0, ("yellow-3",), 4)


def questions(script: Script, listener: Listener = LISTENER) -> list[str]:
    """Tell all that is asked, as whole questions."""
    return list(tell_questions(listener, questions_of(script.match)))


def facts(script: Script, seat: int | None = None, listener: Listener = LISTENER) -> dict[str, str]:
    """Tell the facts of a seat, or of the table."""
    told = [tell_fact(listener, fact) for fact in board_of(script.match).facts if fact.seat == seat]
    return {fact.label: fact.text for fact in told}


def rows(script: Script, seat: int | None = None) -> dict[str, tuple[str, ...]]:
    """Give the rows of open cards of a seat, or of the table, by their names."""
    found = [row for row in board_of(script.match).cards if row.seat == seat]
    return {tell_card_row(LISTENER, row): row.faces for row in found}


def decisive(script: Script) -> list[str]:
    """Name the facts that decide now."""
    return [fact.key for fact in board_of(script.match).facts if fact.weight is Weight.KEY]


def test_a_match_begins_with_the_elder_and_the_clans() -> None:
    script = sit_down(4)
    assert questions(script) == ["Who is the oldest, and so the elder?"]
    script = script.does("elder", 0)
    assert questions(script) == ["Which clan does Ana lead?"]
    assert facts(script)["Elder"] == "Ana"


def test_a_turn_has_actions_and_winter_is_near() -> None:
    script = table(4, rnd=7)
    assert questions(script)[0] == "What does Ana do with 2 actions left?"
    assert facts(script) == {
        "Actions left": "2",
        "Round": "7 of 12",
        "Winter": "in 3 rounds",
        "Elder": "Ana",
        "On the plain": "4 horses",
        "Draw pile": f"{script.state.pile} cards",
    }
    assert facts(script, 0) == {"Clan": "black", "Hand": "5 cards", "Markers with their raid side up": "4"}
    assert rows(script) == {"On display": ("weapon-2", "horse"), "Discards": ("staff",)}
    assert (board_of(script.match).turn, board_of(script.match).number) == (0, 7)


def test_whether_the_turn_is_over_is_asked_after_what_is_done_in_it() -> None:
    script = table(4)
    assert PLENTY_COUPS.turns is not None
    over = PLENTY_COUPS.turns.asks(script.state)
    assert over is not None
    view = PLENTY_COUPS.view(script.state, None)
    assert PLENTY_COUPS.questions is not None
    asked = PLENTY_COUPS.questions(view, (over, *script.match.asks))
    assert [question.asks for question in asked] == [("action",), ("whole-turn",)]


def test_winter_is_told() -> None:
    script = table(4, rnd=11)
    assert questions(script)[0] == "What does Ana do with 1 action left?"
    assert facts(script)["Winter"] == "one action a turn, no taunts"


@pytest.mark.parametrize(
    ("rnd", "headline", "count"),
    [
        (1, "winter-in", {"count": 9}),
        (9, "winter-in", {"count": 1}),
        (10, "winter", {"left": 3}),
        (12, "winter", {"left": 1}),
    ],
)
def test_the_headline_counts_the_rounds_before_winter_and_those_of_it(
    rnd: int, headline: str, count: dict[str, int]
) -> None:
    found = board_of(table(4, rnd=rnd).match).headline
    assert found is not None
    assert (found.key, found.values) == (headline, count)


def test_a_raid_on_the_camp_in_turn_decides() -> None:
    script = with_state(table(4), raids=(RAID,))
    assert questions(script)[0] == "Bo raids with 4. What does Ana do with 2 actions?"
    assert decisive(script) == ["left", "raid"]
    assert facts(script, 0)["Raided by"] == "Bo, attack value 4"
    assert rows(script, 0) == {"Raiders before the camp": ("yellow-3",)}
    defence = script.does("defend")
    assert questions(defence) == ["Which weapon does Ana lay against Bo's raid of 4?"]


def test_a_raid_on_another_camp_is_there_and_does_not_decide() -> None:
    script = with_state(table(4, turn=2), raids=(RAID,))
    assert decisive(script) == ["left"]
    assert facts(script, 0)["Raided by"] == "Bo, attack value 4"
    late = with_state(table(4, turn=2), raids=(Raid(1, 0, ("yellow-3",), 4, is_feat=True),))
    assert facts(late, 0)["Raided by"] == "Bo, attack value 4, for no feat"


def test_a_feat_may_follow_a_strong_weapon() -> None:
    script = with_state(table(4), raids=(Raid(1, 0, ("green-3",), 3),)).does("defend", None, "weapon-4")
    assert questions(script) == ["The raid is repelled. What does Ana do with 1 action?"]


@pytest.mark.parametrize(
    ("word", "target", "asked"),
    [
        ("raid", 1, "Which rider does Ana lay to raid Bo?"),
        ("gift", 1, "Which card does Ana discard, for a gift to Bo?"),
        ("propose", 2, "With which rider does Ana propose an alliance to Chloé?"),
        ("donate", 3, "Which card does Ana discard, to give Dan two horses?"),
        ("hunt", None, "Which card does Ana discard, to go hunting?"),
    ],
)
def test_an_action_says_whom_it_is_done_to(word: str, target: int | None, asked: str) -> None:
    assert questions(table(4).does(word, target)) == [asked]


def test_the_second_of_two_riders_is_asked_for_beside_the_first() -> None:
    script = table(4).does("double-raid", 1, "red-2")
    assert questions(script) == ["Which second rider does Ana lay to raid Bo?"]
    assert rows(script, 0) == {"Laid so far": ("red-2",)}


def test_a_taunt_is_answered_at_once() -> None:
    script = table(4).does("taunt", 1)
    assert questions(script) == ["Will Bo answer Ana's taunt with a staff or a 4?"]
    assert facts(script, 1)["Taunted"] == "until its next turn"


def test_gifts_lie_face_down_before_the_other() -> None:
    script = table(4).does("gift", 1, "horse")
    assert questions(script) == ["Has Bo given Ana a card for the gift?"]


def test_a_raid_comes_home() -> None:
    script = with_state(with_clan(table(4, turn=1), 1, cards=5), raids=(Raid(0, 1, ("red-2",), 2),))
    script = with_state(script, display=("staff", "horse", "weapon-2", "weapon-3"))
    script = script.hunts("green-1", "green-2", "green-3").hunts("white-2", "white-3", "white-4")
    assert questions(script) == ["Which card of the display does Ana take, with 2 still to take?"]
    script = script.takes("staff", "horse")
    assert questions(script) == ["Does Ana, home from the raid on Bo, score a feat?"]


def test_alliances_and_proposals_stand_at_the_camps() -> None:
    script = with_clan(with_clan(table(4), 0, bond="green-3"), 2, bond="black-2")
    script = with_state(script, proposals=(Proposal(3, 1, "yellow-4"),))
    assert facts(script, 0)["Ally"] == "Chloé"
    assert facts(script, 2)["Ally"] == "Ana"
    assert rows(script, 0) == {"The ally's rider": ("green-3",)}
    assert facts(script, 3)["Proposes an alliance"] == "to Bo, with yellow rider 4"
    assert rows(script, 3) == {"Proposed with": ("yellow-4",)}
    neutral = with_clan(table(4), 0, bond="white-2", known=("horse",))
    assert facts(neutral, 0)["Ally"] == "white, a clan without a player"
    assert rows(neutral, 0)["In the hand, as all have seen"] == ("horse",)


def test_the_neutral_clan_has_its_place_on_the_board() -> None:
    script = table(2, turn=2)
    assert questions(script, TWO)[0] == "What does Ana (the neutral clan) do with 2 actions left?"
    told = facts(script, 2, TWO)
    assert told["Played by"] == "Ana"
    assert (told["Renown"], told["Renown beside the herd's"], told["Horses"]) == ("0", "0", "5")
    assert "Renown" not in facts(script, 1, TWO)
    rich = facts(with_clan(script, 2, feats=2, herd=7), 2, TWO)
    assert (rich["Renown"], rich["Renown beside the herd's"], rich["Horses"]) == ("4", "2", "7")
