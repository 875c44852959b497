"""The decks are what the rule texts count."""

import pytest

from referee.games.catalogue import DECKS, GAMES
from referee.games.coup_d_etat.deck import RANKS, SUITS
from referee.games.ogallala.deck import CREWS, PRIZES, SETS, STRENGTHS
from referee.games.plenty_coups.deck import RIDERS, WEAPONS

SIZES = {
    "coyote-kidult": (36, 15),
    "coyote-gigamic": (30, 19),
    "coyote-oliphante": (30, 19),
    "coup": (15, 5),
    "piquet": (33, 33),
    "plenty-coups": (54, 29),
    "ogallala": (112, 52),
}


@pytest.mark.parametrize("name", DECKS)
def test_a_deck_has_its_size_and_groups_that_hold_each_of_its_faces_once_or_none(name: str) -> None:
    deck = DECKS[name]
    assert (deck.size, len(deck.counts)) == SIZES[name]
    grouped = [face for group in deck.suits.values() for face in group]
    assert sorted(grouped) == (sorted(deck.counts) if deck.suits else [])


def test_every_game_plays_with_a_deck_that_is_known() -> None:
    for game in GAMES.values():
        assert {game.deck(house).name for house in game.settings.values()} <= set(DECKS)


def test_coyote_by_the_rule_texts() -> None:
    """Kidult: 26 coyotes, 3 decoys, 3 hunters, 4 specials. Feathers: 22 green, 3 red, 5 blue."""
    kidult, feathers = DECKS["coyote-kidult"].counts, DECKS["coyote-gigamic"].counts
    assert sum(kidult[face] for face in ("20", "15", "10", "5", "4", "3", "2", "1")) == 26
    assert (kidult["0"], kidult["-5"] + kidult["-10"]) == (3, 3)
    assert sum(count for face, count in feathers.items() if face.isdecimal()) == 22
    assert feathers["-5"] + feathers["-10"] == 3


def test_piquet_has_every_rank_in_every_suit() -> None:
    assert {rank + suit for rank in RANKS for suit in SUITS} | {"coup"} == set(DECKS["piquet"].counts)


def test_plenty_coups_by_kinds() -> None:
    counts = DECKS["plenty-coups"].counts
    assert sum(counts[rider] for rider in RIDERS) == 24
    assert sum(counts[weapon] for weapon in WEAPONS) == 12
    assert (counts["horse"], counts["staff"]) == (10, 8)


def test_ogallala_by_groups() -> None:
    """66 paddlers, half of each crew; 34 pieces of booty with the two guardians; 12 empty ends."""
    counts = DECKS["ogallala"].counts
    crews = [sum(counts[f"{crew}-{paddler}"] for paddler in STRENGTHS) for crew in CREWS]
    halves = [f"{prize}-{half}" for prize in SETS for half in ("left", "right")]
    booty = sum(counts[face] for face in (*PRIZES, *halves, *SETS.values(), "guardian"))
    assert crews == [33, 33]
    assert booty == 34
    assert counts["empty-bow"] + counts["empty-stern"] == 12
