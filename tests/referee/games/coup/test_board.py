"""What Coup shows of itself: whole questions, and what stands on the board, at moments of a match."""

from gettext import NullTranslations

import pytest

from referee.contract import Choice, Option, Weight
from referee.games.coup import COUP
from referee.showing import board_of, questions_of, situation_of
from referee.telling import Listener, tell_fact, tell_questions
from tests.referee.games.coup.script import Script, sit_down, table

LISTENER = Listener(COUP.words, ("Ana", "Bo", "Chloé", "Dan"), NullTranslations())
ANA, BO, CHLOE = range(3)


def questions(script: Script) -> list[str]:
    """Tell all that is asked, as whole questions."""
    return list(tell_questions(LISTENER, questions_of(script.match)))


def facts(script: Script, seat: int | None = None) -> dict[str, str]:
    """Tell the facts of a seat, or of the table."""
    told = [tell_fact(LISTENER, fact) for fact in board_of(script.match).facts if fact.seat == seat]
    return {fact.label: fact.text for fact in told}


def decisive(script: Script) -> list[str]:
    """Name the facts that decide now."""
    return [fact.key for fact in board_of(script.match).facts if fact.weight is Weight.KEY]


def test_the_table_says_who_begins() -> None:
    assert questions(sit_down(3)) == ["Who begins?"]
    assert facts(sit_down(3)) == {"Treasury": "44 coins", "Court": "9 cards"}
    assert board_of(sit_down(3).match).number is None


def test_a_turn_names_the_purse() -> None:
    script = table("7:2", "1:1", "2:2")
    assert questions(script) == ["Which action does Ana take, with 7 coins?"]
    assert board_of(script.match).turn == ANA
    assert board_of(script.match).number == 7
    rich = table("10:2", "1:1", turn=ANA)
    assert questions(rich) == ["Ana has 10 coins, and must launch a coup. Against whom?"]


@pytest.mark.parametrize(("coins", "fact"), [(0, "purse"), (6, "purse"), (7, "rich"), (8, "rich")])
def test_a_purse_says_how_many_coins_a_coup_still_costs_and_from_seven_on_that_it_is_paid(
    coins: int, fact: str
) -> None:
    script = table(f"{coins}:2", "1:1")
    assert decisive(script) == [fact]
    (told,) = [each for each in board_of(script.match).facts if each.key == fact]
    assert told.values.get("missing", 0) == max(0, 7 - coins)


@pytest.mark.parametrize(
    ("coins", "withheld"),
    [(2, {"assassinate", "coup"}), (3, {"coup"}), (6, {"coup"}), (7, set()), (10, set())],
)
def test_what_a_purse_cannot_pay_for_is_shown_beside_what_may_be_done(coins: int, withheld: set[str]) -> None:
    """From ten coins on nothing but a coup is to be chosen, and nothing else is shown."""
    script = table(f"{coins}:2", "1:1")
    (ask,) = [ask for ask in script.match.asks if isinstance(ask, Choice)]
    assert {option.word for option in COUP.withheld(script.state, ask)} == withheld


def test_a_claim_says_what_it_would_bring_and_from_whom() -> None:
    script = table("2:2", "2:2", "1:2", turn=BO).does("steal", ANA)
    assert questions(script) == [
        "Bo claims the Captain and takes 2 coins from Ana. Who doubts it?",
        "Ana may also block the Captain.",
        "Bo may also ask for objections, so that the clock runs.",
    ]
    assert decisive(script) == ["claim"]
    assert facts(script)["Claimed"] == "Captain, says Bo"
    assert facts(script)["Still to speak"] == "Chloé, Ana"
    assert facts(script, ANA) == {"Target of": "Bo"}
    assert board_of(script.match).turn == BO
    poor = table("2:2", "2:2", "1:2", turn=BO).does("steal", CHLOE)
    assert questions(poor)[0] == "Bo claims the Captain and takes 1 coin from Chloé. Who doubts it?"


def test_foreign_aid_claims_nothing_but_can_be_blocked() -> None:
    script = table("2:2", "2:2", "2:2").does("foreign-aid")
    assert questions(script)[0] == "Ana asks for 2 coins of foreign aid. Who blocks it as the Duke?"
    assert decisive(script) == []
    blocked = script.blocks(CHLOE, "duke")
    assert questions(blocked)[0] == "Chloé blocks Ana's foreign aid as the Duke. Who doubts it?"
    assert facts(blocked)["Claimed"] == "Duke, says Chloé"


def test_a_block_waits_for_those_who_may_still_challenge() -> None:
    script = table("3:2", "2:2", "2:2").does("assassinate", BO).blocks(BO, "contessa")
    assert questions(script)[0] == "Ana claims the Assassin, to strike Bo. Who doubts it?"
    assert facts(script, BO) == {"Target of": "Ana", "Means to": "block as the Contessa"}
    blocked = script.passes(CHLOE)
    assert questions(blocked)[0] == "Bo blocks Ana's Assassin as the Contessa. Who doubts it?"


def test_a_challenge_waits_for_those_who_come_before() -> None:
    script = table("2:2", "2:2", "2:2", priority="clockwise").does("tax").challenges(CHLOE)
    assert facts(script, CHLOE)["Means to"] == "challenge it"


def test_a_doubt_names_whose_claim_it_doubts() -> None:
    script = table("2:2", "2:2", "2:2", turn=BO).does("steal", ANA).blocks(ANA, "ambassador")
    script = script.passes(CHLOE).challenges(BO)
    assert questions(script) == ["Will Ana show the Ambassador that Bo doubts, or give in?"]
    assert decisive(script) == ["claim", "doubt"]
    assert facts(script)["Doubted by"] == "Bo"
    caught = script.concedes()
    assert questions(caught) == ["Which card does Ana turn up, having shown no Ambassador?"]
    assert facts(caught)["Not shown"] == "Ambassador, by Ana"


def test_a_doubt_that_was_wrong_costs_the_doubter() -> None:
    script = table("3:2", "2:2", "2:2").does("assassinate", BO).challenges(CHLOE).shows("assassin")
    assert questions(script) == ["Ana has shown the Assassin. Which card does Chloé turn up?"]
    assert facts(script, ANA) == {"Claims": "1 (1 shown, 0 not)"}
    assert facts(script, CHLOE) == {"Challenges": "1 (0 right)"}
    script = script.shows("duke")
    assert questions(script)[0] == "Will Bo block Ana's Assassin, or lose an influence?"
    assert facts(script)["Shown"] == "Assassin, by Ana"
    assert [(row.key, row.faces, row.seat) for row in board_of(script.match).cards] == [
        ("claimed", ("assassin",), None),
        ("lost", ("duke",), CHLOE),
    ]
    struck = script.passes()
    assert questions(struck) == ["Which card does Bo turn up, after Ana's Assassin?"]


def test_a_captain_that_was_shown_may_still_be_blocked() -> None:
    script = table("2:2", "1:2", "2:2", swap_after_proof="optional").does("steal", BO)
    script = script.challenges(CHLOE).shows("captain")
    assert questions(script) == ["Does Ana swap the Captain shown for a card of the Court, or keep it?"]
    script = script.answers("swap", Option("keep"), ANA).shows("duke")
    assert questions(script)[0] == "Will Bo block Ana's Captain, or lose 1 coin?"


def test_a_coup_and_an_exchange_say_what_they_do() -> None:
    coup = table("7:2", "2:2").does("coup", BO)
    assert questions(coup) == ["Which card does Bo turn up, after Ana's coup?"]
    script = table("2:2", "2:2").does("exchange")
    assert questions(script)[0] == "Ana claims the Ambassador, to exchange cards with the Court. Who doubts it?"
    assert questions(script.passes()) == ["Has Ana, as the Ambassador, put two cards back into the Court?"]


def test_the_end_asks_nothing() -> None:
    script = table("7:1", "2:1").does("coup", BO).shows("duke")
    assert situation_of(script.match) is None
    assert questions(script) == []
