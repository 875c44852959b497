"""Skull: its second scorer, boundaries of its dossier, French and golden playthroughs."""

from pathlib import Path
from typing import Any

import pytest

from firmware.language.catalogues import add_catalogues, language
from referee.finish_view import finish_of, story_of
from referee.moment_view import view_of
from referee.sentences import listener_at, ruling_text
from tests.given import present
from tests.plugins.installed import with_game
from tests.plugins.played import check_playthroughs, match_after, transcript, whole_matches

from .second_scorer import score_skull


def test_playthroughs_stay_the_same() -> None:
    check_playthroughs("skull")


def test_passes_the_game_checks(tmp_path: Path) -> None:
    result = with_game(tmp_path, "skull").run("develop", "check-game", "skull")
    assert (result.code, result.err, result.out) == (0, "", "skull can be played everywhere.\n")


@pytest.mark.parametrize("rules", ["usual", "short"])
def test_second_scorer_agrees(rules: str) -> None:
    for match in whole_matches("skull", rules):
        points, discs = score_skull(transcript(match), len(match.setup.names), match.setup.house.heir)
        assert (tuple(points), tuple(discs)) == (match.state.points, match.state.discs)


LAID = (None, None, None)
SKULL = [
    ((*LAID, 3), "own", {}),
    ((*LAID, ["add"], ["add"], ["add"], ["add"], ["add"], ["add"], ["add"], ["add"], ["add"]), "bid", {}),
    ((*LAID, 1, ["pass"], ["pass"]), "own", {}),
    ((*LAID, 1, ["pass"], 2), "bid", {"turn": 0}),
    ((*LAID, 1, ["pass"], 2, ["pass"]), "own", {"turn": 2}),
    ((*LAID, ["add"], 2, 3, 4), "own", {"turn": 0}),
    ((*LAID, 3, ("skull",)), "lose", {"aim": 0}),
    ((*LAID, 3, ("flower",), ["turn-up", 2], ("skull",)), "lose", {"aim": 2}),
    ((*LAID, 2, ["pass"], ["pass"], ("flower",), ["turn-up", 2], ("flower",)), "lay", {"points": (1, 0, 0)}),
    ((*LAID, 3, ("skull",), None), "lay", {"discs": (3, 4, 4), "turn": 0}),
    ((*(*LAID, 3, ("skull",), None) * 3, *LAID, 3, ("skull",), None), "lay", {"out": (0,), "turn": 1}),
]


@pytest.mark.parametrize(("said", "asked", "state"), SKULL)
def test_boundaries_of_the_dossier(said: tuple[Any, ...], asked: str, state: dict[str, object]) -> None:
    match = match_after("skull", 3, *said)
    assert match.asks[0].key == asked
    assert {key: getattr(match.state, key) for key in state} == state


def test_only_as_many_discs_as_bid_are_revealed() -> None:
    laid = (*LAID, *[["add"]] * 6)
    (one,), (two,) = (match_after("skull", 3, *laid, bid, ["pass"], ["pass"]).asks for bid in (1, 2))
    assert (one.count, two.count) == (1, 2)


def test_end_remembers_the_most_flowers_turned_up() -> None:
    won = (*LAID, 2, ["pass"], ["pass"], ("flower",), ["turn-up", 2], ("flower",))
    bolder = (*LAID, 3, ("flower",), ["turn-up", 1], ("flower",), ("flower",))
    best = match_after("skull", 3, *won, *bolder)
    found = present(best.setup.game.finish.highlight(story_of(best)))
    assert (found.values["count"], [card.face for card in found.cards]) == (3, ["flower"] * 3)


def test_end_names_the_round_in_which_each_player_left() -> None:
    failed = (*LAID, 3, ("skull",), None)
    end = (*failed * 4, None, None, 2, ("skull",), None, *((None, None, 2, ("skull",), None) * 3))
    found = finish_of(match_after("skull", 3, *end), language("en"))
    assert [(each.name, each.place, each.reason) for each in present(found).places] == [
        ("Chloé", 1, "the last with discs"),
        ("Bo", 2, "out in round 8, no disc left"),
        ("Ana", 3, "out in round 4, no disc left"),
    ]


def test_french_sentences() -> None:
    match = match_after("skull", 3, None)
    add_catalogues("skull")
    assert ruling_text(listener_at(match.setup, language("fr")), match.rulings[0]) == "Ana pose un disque."


@pytest.mark.parametrize(
    ("said", "told", "asked"),
    [
        ((*LAID, 3, ("skull",)), "Ana turns up their own skull, and loses the challenge.", 0),
        ((*LAID, 3, ("flower",), ["turn-up", 1], ("skull",)), "Bo's skull: Ana loses the challenge.", 1),
    ],
)
def test_own_and_other_skulls_have_words_of_their_own(said: tuple[Any, ...], told: str, asked: int) -> None:
    match = match_after("skull", 3, *said)
    assert ruling_text(listener_at(match.setup, language("en")), match.rulings[-1]) == told
    question = view_of(match, language("en"), asked).questions[0].bare
    assert question == (
        "Take one of your discs out of the game, unseen by the others."
        if asked == 0
        else "Take one of Ana's discs out of the game, unseen."
    )
