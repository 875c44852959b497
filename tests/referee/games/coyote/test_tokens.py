"""Oliphante's tokens, sentence by sentence, and the rulings where the rule book is silent."""

from typing import Any

import pytest

from referee.contract import DISCARD, TABLE, Reason, before_seat
from referee.games.coyote.house import Power
from tests.referee.boundaries import beyond, on_both_sides_of, within
from tests.referee.games.coyote.script import CRY, Script, open_first_round
from tests.referee.games.coyote.second_scorer import CARDS

# Oliphante: eight tokens on the table.

FIVE: tuple[Power, ...] = ("extra", "reverse", "skip", "replace", "guess")
TOKENS = {"extra": 2, "skip": 2, "replace": 2, "reverse": 1, "guess": 1}
"""Eight tokens with five pictures; how many of each is not known, and may be set."""


def oliphante(seats: int = 4, opener: int = 0, **house: Any) -> Script:
    """Play with Oliphante's tokens."""
    return open_first_round(seats, opener, edition="oliphante", **{"powers": FIVE, **house})


def flips(script: Script, word: str) -> Script:
    """Let the one in turn flip a token, and do all that it wants, a number included."""
    seat = script.turn
    if word == "guess":
        return script.uses(seat, "guess", "7").shows("7")
    script = script.uses(seat, word)
    script = script.shows("10") if word == "extra" else script
    return script if word == "skip" else script.says(seat, script.least)


def test_tokens_only_if_agreed() -> None:
    script = open_first_round(4, edition="oliphante")
    assert script.keys() == {"announce"}
    assert script.says(0, 5).words() == {"coyote"}


@pytest.mark.parametrize("word", FIVE)
def test_each_token_alone(word: Power) -> None:
    assert oliphante(powers=(word,)).words() == {word}


def test_tokens_before_the_number() -> None:
    """In one's turn, before the declaration, the opener too; nothing may be added after it."""
    script = oliphante()
    assert script.words() == set(FIVE)
    script = script.says(0, 5)
    assert script.words() == {"coyote", *FIVE}
    assert script.ask("turn").seats == (1,)
    assert script.keys() == {"announce", "turn"}


@on_both_sides_of("token-extra", "token-reverse", "token-skip", "token-replace", "token-guess/out")
@pytest.mark.parametrize(("word", "tokens"), TOKENS.items())
def test_flipped_tokens_are_gone(word: str, tokens: int) -> None:
    """Flipped ones can't be used again in the same round; all are turned back for the next."""
    script = oliphante(6)
    for _ in range(tokens):
        assert word in script.words()
        script = flips(script, word) if word != "extra" else _extra(script)
    assert script.words() - {"coyote"} == set(FIVE) - {word}
    over = script.overbids().lays()
    again = over.lays() if word == "replace" else over
    assert again.words() == set(FIVE)


def _extra(script: Script) -> Script:
    """Flip an extra feather, and show one that doesn't lie there yet."""
    seat = script.turn
    cards = ("10", "9")[script.round.turned]
    return script.uses(seat, "extra").shows(cards).says(seat, script.least)


@on_both_sides_of("token-extra", "token-reverse", "token-skip", "token-replace", "token-guess/out")
@pytest.mark.parametrize(("word", "tokens"), [("skip", 0), ("skip", 4), ("reverse", 3)])
def test_number_of_tokens_may_be_set(word: str, tokens: int) -> None:
    script = oliphante(5, **{f"{word}_tokens": tokens})
    for _ in range(tokens):
        script = flips(script, word)
    assert script.words() - {"coyote"} == set(FIVE) - {word}


@on_both_sides_of("one-token-a-turn")
@pytest.mark.parametrize("word", ["extra", "reverse", "replace"])
def test_one_token_a_turn_and_then_a_number(word: str) -> None:
    """He may flip one; then he has to declare: he can neither contest nor flip another (ruling 10)."""
    script = oliphante().says(0, 5).uses(1, word)
    script = script.shows("10") if word == "extra" else script
    assert script.keys() == {"announce"}
    assert (script.turn, script.least) == (1, 6)
    assert script.refusal("turn", CRY, 1)[0] == Reason.NOT_ASKED


@beyond("after-token/call")
@within("after-token/number")
@pytest.mark.parametrize("word", ["reverse", "replace"])
def test_no_player_contests_between_token_and_number(word: str) -> None:
    """The one who flipped a token is about to declare; that is waited for, even where anyone may contest."""
    assert oliphante(anyone_may_contest=True).says(0, 5).uses(1, word).keys() == {"announce"}


@within("after-token/call")
@pytest.mark.parametrize("word", ["extra", "reverse", "replace"])
def test_contest_after_a_token(word: str) -> None:
    """Ruling 10 as a house rule: contest after a token; another token all the same not."""
    script = oliphante(o_contest_after_token=True).says(0, 5).uses(1, word)
    script = script.shows("10") if word == "extra" else script
    assert script.words() == {"coyote"}
    assert script.least == 6
    called = script.coyote(1)
    assert called.ruling("called")["bidder"] == 0
    assert called.show.count == (5 if word == "extra" else 4)


@on_both_sides_of("one-token-a-turn")
def test_no_tokens_with_two_players_left() -> None:
    """With two left the game ends by the basic rules."""
    script = oliphante(3)
    for _ in range(2):
        script = script.loses(2)
    assert script.words() == set(FIVE)
    script = script.loses(2)
    assert script.words() == set()
    script = script.says(script.turn, 5)
    assert script.words() == {"coyote"}


# The extra feather.


def test_extra_feather_lies_open() -> None:
    """The first feather of the pile is turned up before him, for all to see, and he declares."""
    script = oliphante().says(0, 5).uses(1, "extra")
    assert script.show.key == "extra"
    assert (script.show.count, script.show.zone, script.show.seats) == (1, before_seat(1), (1,))
    script = script.shows("15")
    assert script.ruling("opened") == {"seat": 1, "card": "15"}
    assert script.round.opened == ("15",)
    assert (script.turn, script.least) == (1, 6)
    assert script.says(1, 20).turn == 2


def test_extra_feather_counts() -> None:
    """It is added at the end to those of the players."""
    called = oliphante().uses(0, "extra").shows("15").says(0, 20).coyote(1)
    assert called.show.count == 5
    assert called.show.must == ("15",)
    assert called.shows("1 2 3 4 15").ruling("enough")["total"] == 25


def test_two_extra_feathers() -> None:
    """The second can't be the first again; both have to be counted."""
    script = oliphante().uses(0, "extra").shows("15").says(0, 20).uses(1, "extra")
    assert script.refusal("extra", ("15",)) == ("already-seen", {"card": "15", "left": 0})
    called = script.shows("x2").says(1, 21).coyote(2)
    assert called.show.count == 6
    assert called.refusal("reveal", ("15", "1", "2", "3", "4", "5")) == ("card-missing", {"card": "x2"})
    assert called.shows("15 x2 1 2 3 4").ruling("enough")["total"] == 50


def test_extra_feather_that_is_special() -> None:
    """An open "?" draws at the end like any other, and an open 0 has all shuffled."""
    called = oliphante().uses(0, "extra").shows("?").says(0, 20).coyote(1)
    assert called.shows("1 2 3 4 ?").shows("15").ruling("enough")["total"] == 25
    called = oliphante().uses(0, "extra").shows("night").says(0, 20).coyote(1)
    assert called.shows("1 2 3 4 night").tells("shuffle")


def test_extra_feather_from_an_empty_pile() -> None:
    """Ruling 3 in the same spirit: the discards are shuffled, what is worn stays out."""
    script = oliphante(6)
    box = [card for card in CARDS["oliphante"] if card not in {"?", "night"}]
    for place in range(0, 24, 6):
        script = script.says(script.turn, 1).overbids().shows(" ".join(box[place : place + 6]))
    script = script.uses(script.turn, "extra")
    assert script.tells("pile-renewed")
    assert script.show.among["20"] == 1
    assert not script.shows("20").tells("shuffle")


# Reverse.


def test_token_reverse() -> None:
    """After him the player to his right, and on in this direction until the end of the round."""
    script = oliphante().says(0, 5).uses(1, "reverse")
    assert script.ruling("reversed") == {"seat": 1}
    script = script.says(1, 6)
    turns = []
    for _ in range(5):
        turns.append(script.turn)
        script = script.says(script.turn, script.least)
    assert turns == [0, 3, 2, 1, 0]
    again = script.overbids().lays()
    assert again.says(again.turn, 1).turn == (again.turn + 1) % 4


# Skip.


@beyond("after-token/number")
def test_skip() -> None:
    """No declaration; the next player's turn, with the number that stands and who said it."""
    script = oliphante().says(0, 5).uses(1, "skip")
    assert script.ruling("skipped") == {"seat": 1}
    assert (script.turn, script.least) == (2, 6)
    assert script.says(2, 6).turn == 3
    called = script.coyote(2)
    assert called.ruling("called") == {"seat": 2, "bidder": 0, "number": 5, "stake": 1}


def test_skip_of_the_opener() -> None:
    """The next one opens then, with any number, and has nothing to contest."""
    script = oliphante().uses(0, "skip")
    assert (script.turn, script.least) == (1, 1)
    assert "coyote" not in script.words()


def test_skipped_round_to_the_bidder() -> None:
    """No player contests his own number: who is in turn again has to raise it, or flip a token."""
    script = oliphante(3).says(0, 5).uses(1, "skip").uses(2, "skip")
    assert (script.turn, script.least) == (0, 6)
    assert script.words() == set(FIVE) - {"skip"}


def test_each_may_skip_in_his_own_turn() -> None:
    """A token a turn, not a round: who skipped may flip another when in turn again."""
    script = oliphante(3).says(0, 5).uses(1, "skip").says(2, 6).says(0, 7)
    assert script.uses(1, "skip").turn == 2


# Replace.


def test_replaced_feather_does_not_count() -> None:
    """The new one is put in front of it; at the end only the new one counts, the old one is put away."""
    script = oliphante().says(0, 5).uses(1, "replace")
    assert script.ruling("replaced") == {"seat": 1}
    called = script.says(1, 10).coyote(2)
    assert called.show.count == 4
    covered = called.shows("1 2 3 4")
    assert covered.show.key == "aside"
    assert (covered.show.count, covered.show.zone, covered.show.seats) == (1, DISCARD, TABLE)
    assert covered.refusal("aside", ("night", "20"))[0] == Reason.CARD_COUNT
    played = covered.shows("20")
    assert played.ruling("enough")["total"] == 10
    assert sorted(played.state.discard) == ["1", "2", "20", "3", "4"]
    assert not played.tells("shuffle")


@pytest.mark.parametrize("card", ["?", "x2", "max0", "max-", "-10"])
def test_replaced_special_does_nothing(card: str) -> None:
    """Whatever was covered: no draw, no doubling."""
    script = oliphante().uses(0, "replace").says(0, 10).coyote(1).shows("1 2 3 4").shows(card)
    assert script.ruling("enough")["total"] == 10


def test_replaced_night_shuffles() -> None:
    """Except a blue zero: then all feathers are shuffled all the same (ruling 15)."""
    script = oliphante().uses(0, "replace").says(0, 10).coyote(1).shows("1 2 3 4").shows("night")
    assert script.tells("shuffle")
    assert script.state.discard == ()


def test_replaced_card_is_one_of_the_box() -> None:
    """What was covered can't lie among those that count too, and is known to be gone afterwards."""
    covered = oliphante().uses(0, "replace").says(0, 30).coyote(1).shows("20 2 3 4")
    assert covered.refusal("aside", ("20",)) == ("already-seen", {"card": "20", "left": 0})
    called = covered.shows("15").overbids()
    assert called.refusal("reveal", ("15", "1", "1", "2")) == ("already-seen", {"card": "15", "left": 0})


def test_two_replaced() -> None:
    """Both covered feathers are put away, and a "?" among those that count draws after that."""
    script = oliphante().uses(0, "replace").says(0, 10).uses(1, "replace").says(1, 11)
    covered = script.coyote(2).shows("1 2 3 ?")
    assert (covered.show.key, covered.show.count) == ("aside", 2)
    drawing = covered.shows("20 15")
    assert drawing.show.key == "draw"
    assert drawing.refusal("draw", ("20",))[0] == Reason.ALREADY_SEEN
    assert drawing.shows("5").ruling("enough")["total"] == 11


def test_replaced_feathers_are_gone_from_the_pile() -> None:
    """Twelve players leave six feathers after a round; the seventh replacement needs the discards."""
    script = oliphante(12, boxes=2, replace_tokens=8).overbids().lays()
    for _ in range(6):
        script = script.uses(script.turn, "replace")
        assert not script.tells("pile-renewed")
        script = script.says(script.turn, script.least)
    assert script.uses(script.turn, "replace").tells("pile-renewed")


# Guess.


def test_guess_names_a_card_and_looks() -> None:
    """He says what it is, any feather of the box, then takes it and looks: it lies before him."""
    script = oliphante().says(0, 5)
    faces = [option.face for option in script.options() if option.word == "guess"]
    assert sorted(map(str, faces)) == sorted(set(CARDS["oliphante"]))
    script = script.uses(1, "guess", "20")
    assert script.ruling("guessed") == {"seat": 1, "card": "20"}
    assert script.show.key == "own"
    assert (script.show.count, script.show.zone, script.show.seats) == (1, before_seat(1), (1,))


def test_guess_right() -> None:
    """He is out of the round and passed over; no player declares for him; his feather stays and counts."""
    script = oliphante().says(0, 5).uses(1, "guess", "20").shows("20")
    assert script.ruling("guess-right") == {"seat": 1, "card": "20"}
    assert script.state.marks == (0, 0, 0, 0)
    turns = []
    for _ in range(5):
        turns.append(script.turn)
        script = script.says(script.turn, script.least)
    assert turns == [2, 3, 0, 2, 3]
    assert script.refusal("turn", CRY, 1)[0] == Reason.NOT_YOU
    called = script.coyote(0)
    assert called.show.count == 4
    assert called.refusal("reveal", ("1", "2", "3", "4")) == ("card-missing", {"card": "20"})
    played = called.shows("20 1 2 3")
    assert played.ruling("enough")["total"] == 26
    assert played.ruling("round")["cards"] == 4


def test_guess_right_is_for_one_round() -> None:
    script = oliphante().says(0, 5).uses(1, "guess", "20").shows("20").overbids().shows("20 1 2 3")
    assert script.turn == 3
    assert script.says(3, 1).says(0, 2).turn == 1


def test_guess_right_of_the_opener() -> None:
    script = oliphante().uses(0, "guess", "20").shows("20")
    assert (script.turn, script.least) == (1, 1)
    assert "coyote" not in script.words()


def test_guesser_has_no_voice() -> None:
    """Out of the round means that he can't contest either, even where anyone may."""
    script = oliphante(anyone_may_contest=True).says(0, 5).uses(1, "guess", "20").shows("20")
    assert script.ask("contest").seats == (3,)


def test_guess_of_a_number_that_stands() -> None:
    """All the others skipped: the bidder guesses and is out, but his number can still be contested."""
    script = oliphante(3).says(0, 5).uses(1, "skip").uses(2, "skip").uses(0, "guess", "1").shows("1")
    assert script.turn == 1
    called = script.coyote(1)
    assert called.ruling("called")["bidder"] == 0
    assert called.shows("1 1 2").ruling("mark")["seat"] == 0


@within("wrong-guess-opens")
def test_guess_wrong() -> None:
    """A mark at once and the round is over, without any count; he opens the next."""
    script = oliphante().says(0, 5).says(1, 6).uses(2, "guess", "20").shows("7")
    assert script.ruling("guess-wrong") == {"seat": 2, "card": "7", "said": "20"}
    assert script.ruling("mark") == {"seat": 2, "taken": 1, "marks": 1, "limit": 3}
    assert script.show.key == "reveal"
    assert script.show.must == ("7",)
    played = script.shows("7 1 2 3")
    assert played.state.marks == (0, 0, 1, 0)
    assert not played.tells("enough")
    assert not played.tells("short")
    assert played.turn == 2
    assert sorted(played.state.discard) == ["1", "2", "3", "7"]


@pytest.mark.parametrize(("cards", "shuffled"), [("7 1 2 night", True), ("7 1 2 ?", False)])
def test_guess_wrong_puts_all_away(cards: str, shuffled: bool) -> None:
    """The feathers that come to light are put aside: a blue 0 among them shuffles, a "?" draws nothing."""
    played = oliphante().uses(0, "guess", "20").shows("7").shows(cards)
    assert played.tells("round")
    assert played.tells("shuffle") == shuffled


@beyond("wrong-guess-opens")
def test_guess_wrong_and_out() -> None:
    """CY-37, ruling 8: the guesser with two marks is out; the next living player in turn opens."""
    script = oliphante().loses(1).loses(1).climbs_to(1).uses(1, "guess", "20").shows("7")
    assert script.ruling("mark")["marks"] == 3
    assert script.ruling("out") == {"seat": 1}
    assert script.show.count == 4
    played = script.lays()
    assert played.ruling("round") == {"number": 4, "opener": 2, "cards": 3}
    assert played.turn == 2


def test_guess_of_a_replaced_feather() -> None:
    """He looks at the one in front; the covered one is put away with the others."""
    script = oliphante(3).says(0, 1).uses(1, "replace").says(1, 2).says(2, 3).says(0, 4)
    script = script.uses(1, "guess", "20").shows("7").shows("7 1 2")
    assert script.show.key == "aside"
    assert script.shows("night").tells("shuffle")


# Only one left in the round (ruling 11).


def test_void_when_only_the_bidder_is_left() -> None:
    """All others have guessed right: no player can contest, so the round is void and he opens the next."""
    script = oliphante(3, guess_tokens=2).says(0, 5)
    script = script.uses(1, "guess", "20").shows("20").uses(2, "guess", "15").shows("15")
    assert script.ruling("void") == {"seat": 0}
    assert script.show.must == ("20", "15")
    played = script.shows("20 15 1")
    assert played.state.marks == (0, 0, 0)
    assert played.ruling("round") == {"number": 2, "opener": 0, "cards": 3}


def test_void_before_any_number() -> None:
    """The last one would have no player to speak to."""
    script = oliphante(3, guess_tokens=2).uses(0, "guess", "20").shows("20")
    script = script.uses(1, "guess", "15").shows("15")
    assert script.ruling("void") == {"seat": 2}
    assert script.shows("20 15 1").turn == 2


def last_against_a_number() -> Script:
    """Bring seat 2 to face, alone, the number of seat 0, who has guessed right since; so has seat 1."""
    script = oliphante(3, guess_tokens=3).says(0, 5).uses(1, "skip").uses(2, "skip")
    script = script.uses(0, "guess", "20").shows("20")
    return script.uses(1, "guess", "15").shows("15")


def test_last_one_may_contest_a_number_that_stands() -> None:
    script = last_against_a_number()
    assert script.turn == 2
    assert script.coyote(2).shows("20 15 -10").ruling("mark")["seat"] == 2


def test_void_when_the_last_one_raises() -> None:
    """No player is left to answer the new number."""
    script = last_against_a_number().says(2, 6)
    assert script.ruling("void") == {"seat": 2}
    assert script.shows("20 15 1").turn == 2


def test_void_when_everybody_guessed_right() -> None:
    """The last one guesses right too: no player is left in the round, so none may be asked for a number."""
    script = last_against_a_number().uses(2, "guess", "10").shows("10")
    assert script.tells("void")
    assert script.keys() == {"reveal"}
