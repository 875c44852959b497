"""Setting up, the display, turns and winter: the dossier's vectors PC-02, 17, 22 and 23, and more of it."""

import pytest

from referee.contract import Option
from referee.games.plenty_coups.cards import is_swept
from referee.games.plenty_coups.deck import PLENTY_COUPS as DECK
from referee.games.plenty_coups.deck import RIDERS, WEAPONS
from referee.games.plenty_coups.state import Acting, Turn, Turning, player_of, turn_order
from tests.referee.boundaries import beyond, on_both_sides_of, within
from tests.referee.games.plenty_coups.script import Script, sit_down, table, with_clan, with_state
from tests.referee.legal_answers import leaves


def test_pc_02_the_box() -> None:
    kinds = [sum(DECK.counts[face] for face in faces) for faces in (RIDERS, WEAPONS, ("horse",), ("staff",))]
    assert kinds == [24, 12, 10, 8]
    assert DECK.size == 54
    for players in range(2, 7):
        state = sit_down(players).state
        assert state.plain + sum(clan.herd for clan in state.clans) == 6 * max(players, 3)


@within("round")
def test_the_oldest_begins_and_play_goes_to_the_right() -> None:
    assert turn_order(4, 1) == (1, 0, 3, 2)
    script = sit_down(4).elder(1).joins("red", "black", "white")
    assert script.match.asks[0].seats == (2,)
    script = script.joins("blue")
    assert [clan.colour for clan in script.state.clans] == ["black", "red", "blue", "white"]
    script = script.shows("horse", "staff", "weapon-2", "weapon-3")
    assert script.ask("take").seats == (1,)
    assert script.ruling("round")["number"] == 1


def test_a_clan_is_chosen_once_and_the_sixth_is_not_asked() -> None:
    script = sit_down(6).elder(0).joins("red", "black", "white", "green")
    assert script.refused(Option("red")) == "no-such-option"
    script = script.joins("blue")
    assert script.ask_keys == ["display"]
    assert script.clan(1).colour == "yellow"


@pytest.mark.parametrize(
    ("display", "swept"),
    [
        ("green-3 black-3 red-3 horse", True),
        ("weapon-3 black-3 red-3 horse", False),
        ("horse horse horse staff", True),
        ("staff horse staff staff", True),
        ("weapon-2 weapon-2 weapon-2 black-2", True),
        ("weapon-2 weapon-2 weapon-3 black-2", False),
        ("black-1 black-2 black-3 black-4", False),
    ],
)
def test_pc_17_three_alike_sweep_the_display(display: str, *, swept: bool) -> None:
    cards = tuple(display.split())
    assert is_swept(cards) == swept
    script = sit_down(3).elder(0).joins("black", "red", "blue").shows(*cards)
    assert script.ask_keys == (["display"] if swept else ["take"])
    assert script.state.discard == (script.ruling("swept")["cards"] if swept else ())


@beyond("display-left/discarded")
@on_both_sides_of("display-left/stays")
@beyond("turn-over")
@within("three-cards")
def test_pc_22_two_are_taken_and_three_left_after_two_actions() -> None:
    script = sit_down(3).elder(0).joins("black", "red", "blue").shows("horse", "staff", "weapon-2", "weapon-3")
    script = script.takes("horse", "staff")
    assert script.clan(0).cards == 5
    assert script.clan(0).known == ("horse", "staff")
    script = script.does("breed").hunts("staff", "black-1", "black-2")
    assert script.ruling("turn-over") == {"seat": 0, "cards": 3}
    assert isinstance(script.state.stage, Turning)
    assert script.show.count == 2
    script = script.shows("horse", "red-1")
    assert script.ruling("turned-up")["cards"] == ("horse", "red-1")
    assert sorted(script.state.display) == ["horse", "red-1", "weapon-2", "weapon-3"]
    assert script.ask("take").seats == (2,)


def test_a_card_that_lies_elsewhere_can_not_be_turned_up() -> None:
    script = sit_down(3).elder(0).joins("black", "red", "blue").shows("horse", "staff", "weapon-2", "weapon-3")
    script = script.takes("horse", "staff").does("breed").hunts("staff", "black-1", "black-2")
    assert script.refused(("black-1", "red-1")) == "already-seen"
    assert script.refused(("weapon-2", "weapon-3", "red-1")) == "card-count"


@within("display-left/discarded")
def test_a_house_rule_clears_the_display_after_each_turn() -> None:
    script = sit_down(3, clear_display=True).elder(0).joins("black", "red", "blue")
    script = script.shows("horse", "staff", "weapon-2", "weapon-3").takes("horse", "staff").does("breed")
    script = script.hunts("staff", "black-1", "black-2")
    assert script.ruling("display-off")["cards"] == ("weapon-2", "weapon-3")
    assert script.show.count == 4


# winter


def winter_turn(rnd: int, cards: int) -> Script:
    """Begin the elder's turn in a winter round, with so many cards in the hand."""
    script = with_clan(table(4, turn=1, rnd=rnd - 1), 0, cards=cards)
    display = ("weapon-2", "horse", "weapon-3", "red-2")
    script = with_state(script, display=display, discard=(), stage=Acting(Turn(1, 1)))
    return script.hunts("black-1", "black-2", "black-3")


@on_both_sides_of("winter-cards")
@beyond("three-cards")
@pytest.mark.parametrize(("rnd", "cards", "takes", "ends"), [(10, 3, 1, 3), (11, 3, 0, 2), (12, 2, 0, 1)])
def test_pc_22_winter_takes_fewer_cards_and_leaves_one_action(
    rnd: int, cards: int, takes: int, ends: int
) -> None:
    script = winter_turn(rnd, cards)
    assert ("winter" in script.ruling_keys) == (rnd == 10)
    assert script.ruling("round") == {"number": rnd, "seat": 0}
    if takes:
        script = script.takes("horse")
    script = script.hunts("black-4", "yellow-2", "yellow-3")
    assert script.ruling("turn-over") == {"seat": 0, "cards": ends}


# two and three players


@on_both_sides_of("neutral-clan")
def test_pc_23_two_players_have_a_neutral_clan_between_them() -> None:
    script = sit_down(2)
    assert (script.state.plain, len(script.state.clans)) == (15, 3)
    script = script.elder(0)
    assert script.ask("clan").seats == (0,)
    script = script.joins("red")
    assert script.ask("neutral-clan").seats == (0,)
    script = script.joins("blue")
    assert script.ask("clan").seats == (1,)
    script = script.joins("white").shows("horse", "staff", "weapon-2", "weapon-3")
    assert turn_order(2, 0) == (0, 2, 1)
    script = (
        script.takes("horse", "staff").hunts("black-1", "black-2", "black-3").hunts("red-1", "red-2", "red-3")
    )
    script = script.shows("horse", "green-1")
    assert script.ruling("neutral-turn") == {"seat": 0}
    assert script.ask("take").seats == (0,)
    assert [player_of(with_state(script, round=rnd).state, 2) for rnd in (1, 2, 3, 4)] == [0, 1, 0, 1]


# How many ways there are to go on, counted answer by answer, and fixed. Black holds what all have seen it take:
# a rider of its own, two red ones, a staff and a horse. It can breed; raid three camps, with one rider or two;
# exchange gifts with three; propose to red; taunt three; give horses to three, and hunt:
# 1 + 3 + 3 + 3 + 1 + 3 + 3 + 1 = 18.

HELD = ("black-2", "horse", "red-1", "red-2", "staff")


def script_with_known_hand() -> Script:
    """Let black have a hand that all know."""
    return with_clan(table(4), 0, known=HELD)


COUNTS = [
    pytest.param(script_with_known_hand(), [18, 93, 2681], id="a hand that all know"),
    pytest.param(
        with_state(script_with_known_hand(), round=11, stage=Acting(Turn(0, 1))), [12, 46], id="winter"
    ),
    pytest.param(with_clan(table(2), 0, known=HELD), [13, 65, 2345], id="two players"),
]


@pytest.mark.parametrize(("script", "counts"), COUNTS)
def test_counts(script: Script, counts: list[int]) -> None:
    assert [leaves(script.match, depth, but="display") for depth in range(1, len(counts) + 1)] == counts
