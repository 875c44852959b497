"""Both sides of each boundary that Coup's rule book draws, as far as no other test stands there."""

from random import Random

import msgspec
import pytest

from hardware.twin.player import any_answer
from referee.contract import Answer, Choice, Option, Reason, Refusal
from referee.games.coup import COUP
from referee.games.coup.deck import COUP as COURT
from referee.games.coup.house import House
from referee.match import Match, Setup, begin, hear
from tests.referee.boundaries import beyond, on_both_sides_of
from tests.referee.games.coup.script import NAMES, Script, sit_down, table
from tests.referee.tables import new_match

ANA, BO, CLEO = range(3)


def why(
    script: Script, word: str, seat: int = ANA, target: int | None = None, face: str | None = None
) -> object:
    """Say why a seat can't choose something."""
    (ask,) = (ask for ask in script.match.asks if isinstance(ask, Choice) and seat in ask.seats)
    answer = Answer(script.match.number, ask.key, Option(word, seat=target, face=face), seat)
    refused = hear(script.match, answer)
    assert isinstance(refused, Refusal), refused
    return refused.values.get("why")


@on_both_sides_of("players")
@pytest.mark.parametrize(("players", "may_play"), [(1, False), (2, True), (6, True), (7, False)])
def test_two_to_six_play(players: int, may_play: bool) -> None:
    begun = begin(Setup(COUP, House(), (*NAMES, "G")[:players]))
    assert isinstance(begun, Match) == may_play
    assert may_play or (isinstance(begun, Refusal) and begun.reason is Reason.SEATS)


@on_both_sides_of("clocks")
@pytest.mark.parametrize("rule", ["window_seconds", "proof_seconds"])
@pytest.mark.parametrize(("seconds", "may_be"), [(0, False), (1, True), (120, True), (121, False)])
def test_a_clock_runs_from_1_to_120_seconds(rule: str, seconds: int, may_be: bool) -> None:
    begun = begin(Setup(COUP, House(**{rule: seconds}), NAMES))
    assert isinstance(begun, Match) == may_be
    assert may_be or (isinstance(begun, Refusal) and begun.reason is Reason.HOUSE)


FREE = {"income", "foreign-aid", "tax", "steal", "exchange"}


@on_both_sides_of("coup", "assassinate", "affordable", "ten-coins")
@pytest.mark.parametrize(
    ("coins", "paid"),
    [
        (2, FREE),
        (3, {*FREE, "assassinate"}),
        (6, {*FREE, "assassinate"}),
        (7, {*FREE, "assassinate", "coup"}),
        (9, {*FREE, "assassinate", "coup"}),
        (10, {"coup"}),
    ],
)
def test_an_action_may_be_chosen_with_exactly_its_price(coins: int, paid: set[str]) -> None:
    script = table(f"{coins}:2", "2:2")
    (ask,) = script.match.asks
    assert script.words(ask.key) == paid
    for word, price in (("assassinate", 3), ("coup", 7)):
        reason = (
            "has-to-coup" if word not in paid and coins > 9 else "too-dear" if coins < price else "not-yourself"
        )
        assert why(script, word, target=ANA) == reason
    assert coins < 10 or why(script, "steal", target=BO) == "has-to-coup"


@on_both_sides_of("one-action")
def test_a_turn_is_one_action_that_cant_be_passed() -> None:
    script = table("2:2", "2:2", "2:2")
    assert "pass" not in script.words("action")
    assert script.does("income").ask("action").seats == (BO,)


@on_both_sides_of("income", "foreign-aid", "tax", "treasury/limited")
@pytest.mark.parametrize(("word", "wanted"), [("income", 1), ("foreign-aid", 2), ("tax", 3)])
@pytest.mark.parametrize("short", [0, 1])
def test_the_treasury_gives_all_with_exactly_so_much_and_what_is_left_with_one_less(
    word: str, wanted: int, short: int
) -> None:
    others = 50 - 2 - (wanted - short)
    script = table("2:2", f"{others}:2").does(word)
    script = script if word == "income" else script.passes()
    assert script.ruling("takes") == {"seat": ANA, "coins": wanted - short, "wanted": wanted}
    assert ("treasury-empty" in script.ruling_keys) == bool(short)
    assert script.state.coins[ANA] == 2 + wanted - short


@on_both_sides_of("coins-after-action")
def test_coins_of_one_who_goes_out_are_there_until_the_action_is_over() -> None:
    """Bo doubts the Captain with the last influence: two of three coins are taken, and one goes back."""
    doubted = table("2:2", "3:1", "2:2").does("steal", BO).challenges(BO).shows("captain")
    assert doubted.state.coins == (2, 3, 2)
    over = doubted.shows("duke")
    assert over.ruling("steals")["coins"] == 2
    assert over.ruling("gives-back") == {"seat": BO, "coins": 1}
    assert over.state.coins == (4, 0, 2)


@on_both_sides_of("block-once")
def test_an_action_is_blocked_once() -> None:
    first = table("2:2", "2:2", "2:2").does("foreign-aid")
    assert first.words("block") == {"block", "pass"}
    blocked = first.blocks(BO, "duke")
    assert why(blocked, "block", CLEO, face="duke") == "block-stands"
    failed = blocked.challenges(ANA).shows("captain")
    assert failed.ask_keys == ["action"]
    assert failed.state.coins == (4, 2, 2)


@on_both_sides_of("targets")
def test_why_nobody_else_can_be_aimed_at() -> None:
    script = table("7:2", "2:2", "2:0")
    for word in ("coup", "assassinate", "steal"):
        assert why(script, word, target=ANA) == "not-yourself"
        assert why(script, word, target=CLEO) == "target-out"
        assert isinstance(script.does(word, BO), Script)
    for word in ("income", "foreign-aid", "tax", "exchange"):
        assert why(script, word, target=BO) == "not-aimed"


@on_both_sides_of("steal-zero/forbid")
def test_why_a_purse_cant_be_robbed() -> None:
    script = table("2:2", "0:2", "1:2", steal_zero="forbid")
    assert why(script, "steal", target=BO) == "no-coins"
    assert isinstance(script.does("steal", CLEO), Script)
    assert "steal" not in table("2:2", "0:2", steal_zero="forbid").words("action")


@on_both_sides_of("who-blocks", "characters-that-block")
def test_why_an_action_cant_be_blocked() -> None:
    tax = table("2:2", "2:2", "2:2").does("tax")
    assert why(tax, "block", BO, face="duke") == "no-block"
    steal = table("2:2", "2:2", "2:2").does("steal", BO)
    assert why(steal, "block", CLEO, face="captain") == "not-target"
    assert why(steal, "block", BO, face="contessa") == "wrong-block"
    assert isinstance(steal.blocks(BO, "captain"), Script)


@on_both_sides_of("challenge")
def test_why_what_claims_nothing_cant_be_challenged() -> None:
    aid = table("2:2", "2:2", "2:2").does("foreign-aid")
    assert why(aid, "challenge", BO) == "no-claim"
    assert aid.blocks(BO, "duke").words("challenge") == {"challenge", "pass"}
    proved = table("3:2", "2:2", "2:2").does("assassinate", BO).challenges(CLEO)
    proved = proved.shows("assassin").shows("duke")
    assert why(proved, "challenge", BO) == "no-claim"


@on_both_sides_of("tally")
def test_claims_are_counted_after_the_match_and_not_before() -> None:
    running = table("7:2", "2:1", "2:0").does("tax").passes()
    assert "tally" not in {ruling.key for ruling in COUP.insight(running.state)}
    over = table("7:2", "2:1", "2:0").does("coup", BO).shows("captain")
    assert "tally" in {ruling.key for ruling in COUP.insight(over.state)}


@on_both_sides_of("first-coin")
@pytest.mark.parametrize(("players", "coins"), [(2, 1), (3, 2)])
def test_only_the_first_of_two_has_a_coin_less(players: int, coins: int) -> None:
    opened = sit_down(players, two_player_first_coin=1).opens(BO)
    assert opened.state.coins[BO] == coins
    assert ("first-coin" in opened.ruling_keys) == (players == 2)


@beyond("window/timer", "refuse/may")
def test_no_clock_answers_for_what_isnt_asked() -> None:
    script = table("2:2", "2:2", window="timer", window_seconds=5)
    assert {ask.deadline for ask in script.match.asks} == {None}


CLAIMS = {"tax": "duke", "assassinate": "assassin", "steal": "captain", "exchange": "ambassador"}


@pytest.mark.parametrize("seats", [2, 6])
def test_no_state_names_a_card_that_was_never_shown(seats: int) -> None:
    """Every face that a state or a view names was claimed aloud or laid open; and all see the same."""
    rng = Random(seats + 30)
    match, public = new_match(COUP, "rule text", seats), set()
    while match.asks:
        answer = any_answer(match.asks, match.number, rng)
        value = answer.value
        public |= set(value) if isinstance(value, tuple) else {getattr(value, "face", None)}
        public |= {CLAIMS.get(getattr(value, "word", ""), "")}
        after = hear(match, answer)
        assert not isinstance(after, Refusal)
        match = after
        views = {msgspec.json.encode(COUP.view(match.state, viewer)) for viewer in (None, *range(seats))}
        assert len(views) == 1
        text = (msgspec.json.encode(match.state) + views.pop()).decode()
        assert {face for face in COURT.counts if f'"{face}"' in text} <= public
