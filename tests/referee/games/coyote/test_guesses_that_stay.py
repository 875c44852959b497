"""Oliphante, as a house rule: after a right guess one may leave the round, or go on with an open card."""

from random import Random
from typing import Any

import pytest

from hardware.twin.player import any_answer
from referee.conformance import check_moment
from referee.contract import Answer, Option, Reason, Refusal, Value
from referee.games.coyote import COYOTE
from referee.games.coyote.state import Guessing
from referee.match import hear
from referee.showing import questions_of
from tests.referee.boundaries import beyond, within
from tests.referee.games.coyote.script import CRY, Script, open_first_round

LEAVE, STAY = Option("leave"), Option("stay")
WORDS = {"extra", "reverse", "skip", "replace", "guess"}


def staying(seats: int = 4, **house: Any) -> Script:
    """Play with Oliphante's tokens, and with the choice after a right guess."""
    agreed = {"powers": ("all",), "o_guess_stays": True, **house}
    return open_first_round(seats, edition="oliphante", **agreed)


def guesses(script: Script, face: str = "20") -> Script:
    """Let the one in turn guess its card right."""
    return script.uses(script.turn, "guess", face).shows(face)


def test_a_right_guess_is_asked_about() -> None:
    """« Le joueur peut se retirer »: the guesser says; the card lies open either way."""
    script = guesses(staying().says(0, 5))
    assert script.ruling("guess-right-open") == {"seat": 1, "card": "20"}
    assert script.keys() == {"leave"}
    assert script.ask("leave").seats == (1,)
    assert script.options("leave") == [LEAVE, STAY]
    assert script.refusal("leave", STAY, 2)[0] == Reason.NOT_YOU


@within("token-guess/may-leave")
def test_leaving_is_as_without_the_house_rule() -> None:
    script = guesses(staying().says(0, 5)).answers("leave", LEAVE, 1)
    assert script.ruling("leaves") == {"seat": 1}
    usual = guesses(staying(o_guess_stays=False).says(0, 5))
    assert not usual.tells("leaves")
    assert script.round == usual.round
    assert script.match.asks == usual.match.asks


def test_one_who_stays_says_a_number_and_stays_in_turn() -> None:
    script = guesses(staying().says(0, 5)).answers("leave", STAY, 1)
    assert script.ruling("stays") == {"seat": 1}
    assert script.keys() == {"announce"}
    turns = []
    for _ in range(5):
        turns.append(script.turn)
        script = script.says(script.turn, script.least)
    assert turns == [1, 2, 3, 0, 1]


def test_the_open_card_of_one_who_stays_counts_once() -> None:
    script = guesses(staying().says(0, 5)).answers("leave", STAY, 1).says(1, 30).coyote(2)
    assert (script.show.count, script.show.must) == (4, ("20",))
    assert script.shows("20 1 2 3").ruling("short")["total"] == 26


def test_one_who_stays_may_contest_and_lose() -> None:
    script = guesses(staying().says(0, 5)).answers("leave", STAY, 1).says(1, 6)
    called = script.says(2, 7).says(3, 8).says(0, 9).coyote(1)
    assert called.shows("20 1 2 3").ruling("mark")["seat"] == 1


def test_after_a_token_one_may_contest_where_that_is_agreed() -> None:
    script = guesses(staying(o_contest_after_token=True).says(0, 5)).answers("leave", STAY, 1)
    assert script.words() == {"coyote"}
    assert script.coyote(1).show.count == 4


def test_an_open_card_is_neither_guessed_again_nor_replaced() -> None:
    """It lies there for all to see and counts; to name it would be no guess."""
    script = guesses(staying(guess_tokens=3).says(0, 5)).answers("leave", STAY, 1).says(1, 6)
    assert script.words() == {"coyote", *WORDS}
    script = script.says(2, 7).says(3, 8).says(0, 9)
    assert script.words() == {"coyote", *WORDS} - {"guess", "replace"}
    fresh = script.says(1, 100).coyote(2).shows("20 1 2 3")
    assert fresh.says(fresh.turn, 1).words() == {"coyote", *WORDS}


def test_an_opener_who_guesses_may_open() -> None:
    script = guesses(staying()).answers("leave", STAY, 0)
    assert (script.turn, script.least, script.keys()) == (0, 1, {"announce"})


def test_the_last_one_in_the_round_stays_and_raises_in_vain() -> None:
    """All others have left: with no player to answer the number, the round is void."""
    script = staying(3, guess_tokens=3).says(0, 5).uses(1, "skip").uses(2, "skip")
    script = guesses(script, "20").answers("leave", LEAVE, 0)
    script = guesses(script, "15").answers("leave", LEAVE, 1)
    script = guesses(script, "10").answers("leave", STAY, 2).says(2, 6)
    assert script.ruling("void") == {"seat": 2}
    assert script.show.must == ("20", "15", "10")


@beyond("token-guess/may-leave")
def test_a_wrong_guess_asks_nothing() -> None:
    script = staying().says(0, 5).uses(1, "guess", "20").shows("7")
    assert script.tells("guess-wrong")
    assert script.keys() == {"reveal"}


def test_odds_are_told_without_what_an_open_card_was_worth() -> None:
    """Those who stay know their own card, so the insight of plain rounds would be wrong."""
    called = guesses(staying().says(0, 5)).answers("leave", STAY, 1).says(1, 30).coyote(2)
    counted = called.shows("20 1 2 3").state.told
    assert counted is not None
    assert not counted.plain


def test_other_boxes_have_no_such_rule() -> None:
    for edition in ("kidult", "gigamic"):
        assert "o_guess_stays" in COYOTE.idle_rules(COYOTE.settings[edition])
    assert "o_guess_stays" not in COYOTE.idle_rules(COYOTE.settings["oliphante"])
    script = open_first_round(4, o_guess_stays=True)
    assert script.says(0, 5).refusal("turn", STAY, 1)[0] == Reason.NO_SUCH_OPTION


@pytest.mark.parametrize("seed", range(3))
def test_random_rounds_say_all_they_have_to(seed: int) -> None:
    """Right guesses are too rare by chance: each one is right here, and all is said that a moment needs."""
    match, rng, decided = staying(guess_tokens=8, replace_tokens=0).match, Random(seed), 0
    for _ in range(120):
        assert list(check_moment(match)) == []
        decided += any(ruling.key in {"leaves", "stays"} for ruling in match.rulings)
        if match.outcome is not None:
            break
        assert questions_of(match)
        answer = _mostly_guess(Script(match), rng) or any_answer(match.asks, match.number, rng)
        after = hear(match, answer)
        assert not isinstance(after, Refusal)
        match = after
    assert decided


def _mostly_guess(script: Script, rng: Random) -> Answer | None:
    """Guess where it may be, and rightly where the named card may lie there."""
    guess = [option for option in script.options() if option.word == "guess"]
    if guess and rng.random() < 0.7:
        return _answer(script, "turn", rng.choice(guess))
    stage = script.state.stage
    if not isinstance(stage, Guessing) or not script.show.among.get(stage.face):
        return None
    return _answer(script, "own", (stage.face,))


def _answer(script: Script, ask: str, value: Value) -> Answer:
    return Answer(script.match.number, ask, value, script.ask(ask).seats[0])


def test_calls_need_a_number() -> None:
    script = guesses(staying()).answers("leave", STAY, 0)
    assert script.refusal("turn", CRY, 0)[0] == Reason.NOT_ASKED


@pytest.mark.parametrize(("stays", "key"), [(True, "guess-open"), (False, "guess")])
def test_what_a_guess_would_bring_is_told_as_agreed(stays: bool, key: str) -> None:
    script = staying(o_guess_stays=stays).says(0, 5)
    for word, told in (("guess", key), ("skip", "skip")):
        effect = COYOTE.effect(script.state, 1, Option(word, face="20" if word == "guess" else None))
        assert effect is not None
        assert effect.key == told
