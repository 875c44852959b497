"""The end of a match as a reader sees it: places and how they were reached, and the best moment."""

import pytest
from msgspec.structs import replace

from firmware.language.catalogues import language
from referee.contract import FinishRules, Option, Story, StoryStep, make_ruling
from referee.contract.asks import Ruling
from referee.finish_view import FinishView, HighlightView, finish_of, story_of
from referee.games.catalogue import GAMES
from referee.match import EndMatch, Match, hear
from referee.sentences import Listener, highlight_texts
from tests.given import allowed, present
from tests.referee.games.coup.script import table
from tests.referee.games.coyote.script import sit_down
from tests.webui.matches import play_match

ENGLISH = language("en")


def finish(match: Match, seat: int | None = None) -> FinishView:
    return present(finish_of(match, ENGLISH, seat))


def best(match: Match) -> HighlightView:
    return present(finish(match).highlight)


def coyote() -> Match:
    """A loses three rounds, B two rounds and then by 1; C has one paw."""
    script = sit_down(3, edition="gigamic").answers("opener", Option("opens", 0))
    script = script.plays("loses:0 loses:0 loses:2 loses:0 loses:1 loses:1").climbs_to(1)
    return script.plays("16 coyote").shows("20 -5", owners=(1, 2)).match


def test_winner_and_loser_read_their_own_result() -> None:
    match = coyote()
    won, lost, watched = (finish(match, seat) for seat in (2, 0, None))
    assert (won.is_won, won.title, won.how) == (True, "You won!", "B: out in round 7, off by 1")
    assert (lost.is_won, lost.title, lost.standing) == (False, "", "You are 3rd of 3")
    assert (lost.how, won.standing, watched.standing) == ("out in round 4, off by 4983", "", "")
    assert (watched.is_won, watched.how) == (False, won.how)
    assert won.length == ("7 rounds",)


def test_coyote_remembers_the_closest_call_with_its_cards() -> None:
    moment = best(coyote())
    assert (moment.heading, moment.text) == ("Closest call", "Round 7: B dared 16. The total was 15.")
    assert [(card.face, card.caption) for card in moment.cards] == [("20", "B"), ("-5", "C")]
    assert (moment.total, moment.missed) == ("15", "16")


def test_coyote_strikes_out_no_bid_that_held() -> None:
    script = sit_down(2, edition="gigamic").answers("opener", Option("opens", 0))
    script = script.plays("loses:1 loses:1").climbs_to(0).plays("14 coyote").shows("20 -5", owners=(0, 1))
    moment = best(script.match)
    assert (moment.text, moment.missed) == ("Round 3: A dared 14. The total was 15.", "")


def test_coup_doesnt_rank_two_who_left_in_one_turn() -> None:
    script = table("3:1", "2:1", "2:1").plays("assassinate:1 challenge:2 [assassin] [captain]")
    script = script.plays("pass [contessa]")
    assert [(each.place, each.name, each.reason) for each in finish(script.match).places] == [
        (1, "A", "1 influence"),
        (0, "B", "out in turn 1, an assassin"),
        (0, "C", "out in turn 1, a wrong challenge"),
    ]


def test_coup_remembers_a_bluff_whose_player_turned_up_both_cards() -> None:
    moment = best(table("7:2", "3:1", turn=1).plays("tax pass coup:1 [captain]").match)
    assert moment.heading == "Best bluff"
    assert moment.text == "B claimed the Duke once without it. Nobody challenged."
    assert [(card.face, card.caption) for card in moment.cards] == [("duke", "claimed"), ("captain", "held")]


@pytest.mark.parametrize(
    "line",
    [
        "exchange pass returned coup:1 [captain]",  # drew other cards afterwards
        "tax pass coup:1 [duke]",  # the claim was true
        "tax challenge:0 [duke] [captain] coup:1 [contessa]",  # proved, and swapped for another card
    ],
)
def test_coup_calls_no_claim_a_bluff_that_may_have_been_true(line: str) -> None:
    highlight = finish(table("7:2", "3:1", turn=1).plays(line).match).highlight
    assert highlight is None or highlight.key != "bluff"


def test_coup_remembers_the_last_challenge_if_no_bluff_is_certain() -> None:
    right = best(table("3:2", "3:1").plays("income tax challenge:0 concede [captain]").match)
    assert right.text == "Turn 2: A challenged B's Duke, and was right."
    assert [(card.face, card.is_claimed) for card in right.cards] == [("duke", True), ("captain", False)]
    wrong = best(table("3:1", "3:1", turn=1).plays("tax challenge:0 [duke] [captain]").match)
    assert wrong.text == "Turn 1: A challenged B's Duke, and was wrong."
    assert [(card.face, card.caption, card.is_claimed) for card in wrong.cards] == [("duke", "", False)]


def story(*steps: tuple[Ruling, ...]) -> Story:
    return tuple(StoryStep(number, number + 1, None, rulings, None) for number, rulings in enumerate(steps))


def moment_of(game: str, *steps: tuple[Ruling, ...]) -> tuple[str, list[tuple[str, int | None]]]:
    """Return the text of a game's best moment, with its cards and their owners."""
    game_played = GAMES[game]
    found = present(game_played.finish.highlight(story(*steps)))
    listener = Listener(game_played.words, ("A", "B", "C", "D"), ENGLISH)
    return highlight_texts(listener, found)[1], [(card.face, card.seat) for card in found.cards]


def coup(contract: str, end: str, seat: int, *takers: int) -> tuple[tuple[Ruling, ...], ...]:
    """Return a coup in which each card of a trick was taken by one of the seats."""
    cards = ("Qs", "Qh", "Qd", "Qc", "Kh")
    tricks = (
        make_ruling("trick", "", seat=who, cards=(card,)) for who, card in zip(takers, cards, strict=False)
    )
    side = "president" if end == "secret-coup" else "coup"
    return (make_ruling(f"{contract}-{side}", "", seat=seat),), (*tricks, make_ruling(end, "", seat=seat))


def test_coup_d_etat_remembers_the_boldest_coup_with_the_cards_it_needed() -> None:
    failed, won = coup("guillotine", "coup-failed", 2, 2, 1), coup("victory", "coup-won", 1, 1, 1, 1, 1, 3)
    text = "Deal 4: B won the Victory coup, alone against all."
    assert moment_of("coup-d-etat", *failed, *won) == (text, [("Qs", 1), ("Qh", 1), ("Qd", 1), ("Qc", 1)])
    text = "Deal 2: C attempted the Guillotine coup, and failed."
    assert moment_of("coup-d-etat", *failed) == (text, [("Qs", 2), ("Qh", 1)])
    text = "Deal 2: A took all that counts in Siege, without a word."
    assert moment_of("coup-d-etat", *coup("siege", "secret-coup", 0, 0)) == (text, [("Qs", 0)])
    contract = (
        (make_ruling("victory-president", "", seat=3),),
        (make_ruling("trick", "", seat=1, cards=("Qs",)),),
    )
    paid = (make_ruling("pays", "", payer=1, payee=3, amount=200),)
    assert moment_of("coup-d-etat", *contract, paid) == ("Deal 1: Victory brought D 200 F.", [("Qs", 1)])
    # a coup that names no single cards is remembered by the Coup card
    text = "Deal 2: D won the Dominos coup, alone against all."
    assert moment_of("coup-d-etat", *coup("dominos", "coup-won", 3)) == (text, [("coup", 3)])


def test_ogallala_remembers_the_richest_booty_or_else_the_strongest_canoe() -> None:
    canoe = make_ruling("completes", "", seat=0, strength=9, cards=("empty-bow", "empty-stern"), canoes=1)
    attack = make_ruling("attacks", "", seat=0, target=1, own=9, strength=4)
    rich, poor = (
        make_ruling("captures", "", seat=0, target=1, cards=cards) for cards in (("keg", "tent"), ("fur",))
    )
    text = "Turn 2: A took B's canoe, 9 against 4, with 2 cards of booty."
    found = moment_of("ogallala", (canoe,), (attack, rich), (attack, poor))
    assert found == (text, [("keg", None), ("tent", None)])
    text = "Turn 1: A completed a canoe of strength 9."
    assert moment_of("ogallala", (canoe,)) == (text, [("empty-bow", None), ("empty-stern", None)])
    assert GAMES["ogallala"].finish.highlight(story(())) is None


def test_plenty_coups_remembers_the_strongest_raid_that_took_a_horse() -> None:
    raids = [make_ruling("raids", "", seat=0, target=seat, cards=("red-4",), value=4 + seat) for seat in (1, 2)]
    home, horse = (
        make_ruling(key, "", seat=0, target=1, cards=("red-4",)) for key in ("comes-home", "takes-horse")
    )
    repelled = make_ruling("repels", "", seat=2, raider=0, weapons=("weapon-4",), cards=("red-4",))
    text = "Round 4: A raided B with 5, and took a horse home."
    found = moment_of("plenty-coups", (raids[0],), (raids[1],), (repelled,), (home, horse))
    assert found == (text, [("red-4", 0)])
    found = moment_of("plenty-coups", (raids[0],), (raids[1],), (repelled,), (home,))
    assert found == ("Round 3: C repelled A's raid of 6.", [("weapon-4", 2)])


def test_without_a_best_moment_of_the_game_the_largest_change_of_the_score_is_remembered() -> None:
    plain = replace(GAMES["coup-d-etat"], finish=FinishRules())
    moment = best(play_match(plain, ("A", "B", "C", "D")))
    assert (moment.heading, moment.cards) == ("Biggest swing", ())
    assert moment.text.startswith("Deal 24: B went from 4")


@pytest.mark.parametrize("game", GAMES)
def test_every_game_remembers_a_moment_of_its_own_with_cards(game: str) -> None:
    found = [GAMES[game].finish.highlight(story_of(play_match(GAMES[game], "ABCD", seed))) for seed in range(2)]
    assert all(each is not None and each.cards for each in found)


def test_match_that_the_host_ended_has_no_places() -> None:
    match = play_match(GAMES["coyote"], moments=4)
    ended = finish(allowed(hear(match, EndMatch(match.number))), seat=0)
    assert (ended.is_won, ended.highlight) == (False, None)
    assert {each.place for each in ended.places} == {0}
