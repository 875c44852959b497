"""What Coup d'État shows of itself: whole questions, and what stands on the board, at moments of a match."""

from gettext import NullTranslations
from typing import Any

from msgspec.structs import replace

from referee.contract import Weight
from referee.games.coup_d_etat import COUP_D_ETAT
from referee.games.coup_d_etat.state import Loan
from referee.showing import board_of, questions_of
from referee.telling import Listener, tell_card_row, tell_fact, tell_questions
from tests.referee.games.coup_d_etat.script import NAMES, Script, dealt, sit_down

LISTENER = Listener(COUP_D_ETAT.words, NAMES, NullTranslations())
ANA, BO, CHLOE, DAN = range(4)
SIEGE = "7c Ac 9s 8s 7d Ad As 10s Ah Qs Js Ks 8c 8d 9d 10d Jd Qd Kd 7h 8h 9h 10h Jh Qh Kh 9c 10c Jc Qc Kc 7s"
"""Eight tricks that Ana opens: three spades go to Bo, five to Chloé."""


def with_state(script: Script, **changes: Any) -> Script:
    """Change the state at a moment."""
    state = replace(script.state, **changes)
    position = replace(script.match.position, state=state, asks=COUP_D_ETAT.asks(state))
    return Script(replace(script.match, position=position))


def questions(script: Script) -> list[str]:
    """Tell all that is asked, as whole questions."""
    return list(tell_questions(LISTENER, questions_of(script.match)))


def facts(script: Script, seat: int | None = None) -> dict[str, str]:
    """Tell the facts of a seat, or of the table."""
    told = [tell_fact(LISTENER, fact) for fact in board_of(script.match).facts if fact.seat == seat]
    return {fact.label: fact.text.replace("\N{NARROW NO-BREAK SPACE}", " ") for fact in told}


def decisive(script: Script) -> list[str]:
    """Name the facts that decide now."""
    return [fact.key for fact in board_of(script.match).facts if fact.weight is Weight.KEY]


def rows(script: Script, seat: int | None = None) -> dict[str, tuple[str, ...]]:
    """Give the rows of open cards of a seat, or of the table, by their names."""
    found = [row for row in board_of(script.match).cards if row.seat == seat]
    return {tell_card_row(LISTENER, row): row.faces for row in found}


def test_the_first_president_is_drawn() -> None:
    script = sit_down().draws("As 9h")
    assert questions(script) == ["Which card does Chloé draw? The highest makes the first President."]
    assert facts(script, BO) == {"Drew": "9 of hearts"}
    assert board_of(script.match).turn == CHLOE
    again = sit_down().draws("Ks Kh 9d 9c")
    assert questions(again)[0] == "Equal cards were drawn. Which one does Ana draw now, to be President?"


def test_the_coup_card_is_asked_for_and_then_the_contract() -> None:
    script = dealt()
    assert questions(script) == [
        "Does the holder of the Coup card attempt a coup? Ana is President.",
        "If no player holds the Coup card, turn the middle card up.",
    ]
    assert facts(script)["Tour"] == "1 of 4, deal 1 of 6"
    assert facts(script, ANA) == {"Office": "President"}
    declined = script.says("holder", "decline", BO)
    assert questions(declined) == ["Which contract does President Ana choose for deal 1 of tour 1?"]
    tried = script.says("holder", "attempt", BO)
    assert questions(tried) == ["In which contract does Bo attempt the coup of deal 1?"]
    assert (board_of(declined.match).turn, board_of(tried.match).turn) == (ANA, BO)


def test_the_opening_lead_names_contract_president_and_what_may_not_be_led() -> None:
    script = dealt().declines(BO, "siege")
    assert questions(script) == [
        "Which card does Ana lead to trick 1 of Siege?",
        "Ana may also say that the whole hand is of suits that may not be led.",
    ]
    assert decisive(script) == ["contract", "siege-president"]
    assert facts(script) == {
        "Contract": "Siege, for President Ana",
        "To avoid": "spades, 100 F each",
        "Trick": "1 of 8",
        "Not to be led": "spades",
        "Tour": "1 of 4, deal 1 of 6",
        "Still to play": "Barbu, Victory, Prison, Guillotine, Dominos",
    }
    assert board_of(script.match).number == 100


def test_trick_five_says_who_led_what_and_who_holds_it() -> None:
    script = dealt().declines(BO, "siege").plays("9d 8d 7d 10d Kc 9c 8c 7c Ks 7s 8s Jd Qd Jh 9h 7h As Qs")
    assert questions(script) == ["Which card does Bo lay on trick 5 of Siege, led in spades?"]
    assert rows(script) == {"Trick": ("As", "Qs")}
    assert facts(script, DAN)["Trick so far"] == "takes it"
    assert facts(script)["To follow"] == "spades"
    assert rows(script, DAN)["Taken, and counts"] == ("Ks", "7s", "8s")
    assert facts(script, DAN)["Tricks"] == "4"
    assert board_of(script.match).turn == BO


def test_a_coup_names_what_must_be_achieved_and_what_is_at_stake() -> None:
    script = dealt(coup_led="leader_names_suit").attempts(BO, "victory")
    assert questions(script) == ["Which card does Bo lead to trick 1 of the Victory coup?"]
    assert decisive(script) == ["coup", "victory-coup"]
    assert facts(script)["To achieve"] == "take all four queens"
    assert facts(script)["At stake"] == "1 000 F from everybody, or 800 F to the bank"
    assert facts(script, BO) == {"Attempts": "a coup"}
    assert board_of(script.match).number == 1000
    led = script.plays("coup")
    assert questions(led) == ["Which suit do all follow on Bo's Coup card, trick 1 of the Victory coup?"]
    assert board_of(led.match).turn == BO
    named = led.says("suit", "hearts", BO)
    assert questions(named) == ["Which card does Chloé lay on trick 1 of the Victory coup, led in hearts?"]
    taking = named.plays("7h 8h 9h")
    assert questions(taking) == ["Which middle card goes to Bo with the first trick of the Victory coup?"]


def test_a_coup_with_guillotine_takes_what_the_house_rule_says() -> None:
    listed = facts(dealt().attempts(BO, "guillotine"))["To achieve"]
    assert listed.startswith("take the king of hearts, all queens, all spades")
    every = facts(dealt(guillotine="all_tricks").attempts(BO, "guillotine"))
    assert every["To achieve"] == "take every trick"


def test_guillotine_lists_all_prices() -> None:
    script = dealt().declines(BO, "guillotine")
    assert facts(script)["To avoid"] == (
        "king of hearts, 800 F; each queen, 200 F; each spade, 100 F; first and last trick, 400 F each"
    )
    assert board_of(script.match).number is None


def test_who_took_the_first_trick_stays_in_sight() -> None:
    script = dealt().declines(BO, "prison").plays("9d 8d 10d 7d")
    assert facts(script, CHLOE)["Has taken"] == "the first trick"


def test_dominos_show_the_rows_and_the_cards_left() -> None:
    script = dealt().declines(BO, "dominos")
    assert questions(script) == ["With which card does Ana begin Dominos?"]
    script = script.plays("Kd Ks Qd")
    assert questions(script) == ["Will Dan, with 8 cards left in Dominos, lay one, or pass?"]
    assert rows(script) == {"Spades": ("Ks",), "Hearts": (), "Diamonds": ("Kd", "Qd"), "Clubs": ()}
    assert facts(script, ANA) == {"Office": "President", "Cards left": "7"}
    assert facts(script)["To avoid"] == "being the last with cards, 800 F"
    assert board_of(script.match).number == 8
    ace = script.plays("Ad")
    assert questions(ace)[0] == "Dan has laid an ace in Dominos. Does another card follow?"
    coup = dealt().attempts(BO, "dominos")
    assert questions(coup) == ["With which card does Bo begin the Dominos coup?"]
    assert (
        questions(coup.plays("Kd"))[0] == "Will Chloé, with 8 cards left in the Dominos coup, lay one, or pass?"
    )


def test_a_revoke_is_shown_and_the_table_may_stop() -> None:
    script = dealt().declines(BO, "victory").plays("9d 8d 10d 7c")
    assert facts(script, DAN) == {"Out of": "diamonds"}
    script = script.plays("7d Jd")
    assert facts(script, DAN) == {"Trick so far": "takes it", "Revoke": "in this deal"}
    assert questions(script) == [
        "Which card does Ana lay on trick 2 of Victory, led in diamonds?",
        "A revoke spoils this deal of Victory. It may also be stopped here.",
    ]


def test_who_cannot_pay_is_named_with_what_is_missing() -> None:
    script = with_state(dealt().declines(BO, "prison"), money=(10_000, 10_000, 300, 10_000), bank=9_700)
    script = script.plays("9d 8d 10d 7d")
    assert [line.replace("\N{NARROW NO-BREAK SPACE}", " ") for line in questions(script)] == [
        "Chloé lacks 100 F for Ana. Who lends it?"
    ]
    assert decisive(script) == ["debt"]
    assert facts(script, CHLOE)["Owes now"] == "400 F, lacks 100 F"
    lent = script.says("lend", "lend", DAN)
    assert facts(lent, CHLOE)["To pay back"] == "120 F to Dan"


def test_loans_of_the_same_two_are_one_sum() -> None:
    script = with_state(dealt(), loans=(Loan(ANA, BO, 1000), Loan(ANA, BO, 1000)))
    assert facts(script, BO) == {"To pay back": "2 400 F to Ana"}


def test_a_secret_coup_is_asked_for_by_what_it_would_change() -> None:
    script = dealt(secret_fail="bank", revoke_penalty="told").declines(DAN, "siege").plays(SIEGE)
    assert questions(script) == ["Who tried a secret coup in Siege?"]
    assert facts(script)["Still to speak"] == "Bo, Chloé"
    assert rows(script, BO)["Taken, and counts"] == ("9s", "8s", "7s")
