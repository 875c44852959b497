"""Choices of the bots of Coup d'État, each for a reason from the rules."""

from random import Random

import pytest

from hardware.twin.bots import bot_action
from hardware.twin.strengths import TEMPERS, Strength
from referee.contract import Option, hand_of
from referee.games.coup_d_etat.state import COUP, Contract
from tests.given import present
from tests.referee.games.coup_d_etat import script as coup_d_etat

ABLE: tuple[Strength, ...] = ("plain", "strong")
able = pytest.mark.parametrize("strength", ABLE)


def says(
    script: coup_d_etat.Script, seat: int, hand: str, strength: Strength = "plain", temper: str = "Pip"
) -> str:
    """Return the word or the card that a bot answers with a hand."""
    cards = {hand_of(seat): tuple(hand.split())}
    done = present(bot_action(script.match, seat, cards, Random(1), strength, TEMPERS[temper]))
    if done.lays:
        return done.lays[0]
    value = present(done.answer).value
    assert isinstance(value, Option)
    return value.word


def with_contracts(*left: Contract) -> coup_d_etat.Script:
    script = coup_d_etat.dealt()
    used = tuple(contract for contract in script.state.house.contracts if contract not in left)
    return script.at_state(coup_d_etat.replace(script.state, used=used))


@able
def test_bot_attempts_a_certain_coup_and_none_that_mostly_fails(strength: Strength) -> None:
    script, hand = with_contracts("victory", "prison"), "coup Ad 7s 8s 9h 7c 8h 9c"
    assert says(script, 2, hand, strength) == "attempt"
    assert says(script.answers("holder", Option("attempt"), 2), 2, hand, strength) == "prison"
    weak = "coup Qd 7s 8s 9h 7c 8h 9c"
    assert says(with_contracts("victory", "guillotine"), 2, weak, strength) == "decline"


@able
def test_bot_keeps_the_coup_card_for_the_last_trick_if_the_coup_needs_it(strength: Strength) -> None:
    prison = coup_d_etat.dealt().attempts(2, "prison")
    assert says(prison, 2, "coup Ad 7s 8s 9h 7c 8h 9c", strength) == "Ad"
    second = prison.plays("Ad 7d 8d 9d").answers("middle", ("10d",)).plays("7s 8s 9s As")
    # the Coup card could take any trick, but only the last one counts
    assert says(second.plays("Kh"), 2, "coup 9h 8s 7c 8h 9c", strength) in {"8h", "9h"}


@able
def test_coup_card_takes_the_king_of_hearts_that_a_coup_needs(strength: Strength) -> None:
    barbu = coup_d_etat.dealt().attempts(2, "barbu").plays("Ad 7d 8d 9d").answers("middle", ("10d",))
    led = barbu.plays("7s 8s 9s As 10h Ah Kh")
    assert led.turn == 0
    led = barbu.plays("7s As 8s 9s Ah Kh 7h")
    assert led.turn == 2
    assert says(led, 2, "coup 9h 8c 7c 8h 9c", strength) == COUP
    assert says(barbu.plays("7s As 8s 9s Ah Jh 7h"), 2, "coup 9h 8c 7c 8h 9c", strength) != COUP


def test_president_names_the_contract_of_which_its_hand_takes_least() -> None:
    script = with_contracts("barbu", "siege").answers("holder", Option("decline"), 1)
    assert says(script, 0, "Ah Kh 10h 7s 8s 7d 8c 9c") == "siege"
    assert says(script, 0, "As Ks 10s 7h 8h 7d 8c 9c") == "barbu"
    # everything together brings four times as much
    everything = with_contracts("barbu", "guillotine").answers("holder", Option("decline"), 1)
    assert says(everything, 0, "Ah 7c 8c 7s 8s 7d 8d 9c") == "guillotine"


def test_strong_bot_prevents_a_secret_coup() -> None:
    script = coup_d_etat.dealt().declines(1, "siege")
    won = script.plays("7c Ac 9s 8s Ad 7s Js Qs As Ks 9c 8c Ah 8h 9h 10c")
    last = won.plays("9d")
    # Bo has taken seven of the eight spades, and leads; taking the last one costs 100 F instead of 1000
    assert last.turn == 2
    assert says(last, 2, "10d 7d 10s 7h", "strong") == "10d"
