"""Love Letter: its second scorer, boundaries of its dossier, French and golden playthroughs."""

from pathlib import Path
from typing import Any

import pytest

from firmware.language.catalogues import add_catalogues, language
from referee.contract import Answer, Option, hand_of
from referee.finish_view import story_of
from referee.match import standing_answers
from referee.sentences import listener_at, ruling_text
from tests.given import present
from tests.plugins.installed import game_of, with_game
from tests.plugins.played import check_playthroughs, match_after, transcript, whole_matches

from .second_scorer import LoveLetter


def test_playthroughs_stay_the_same() -> None:
    check_playthroughs("love-letter")


def test_passes_the_game_checks(tmp_path: Path) -> None:
    result = with_game(tmp_path, "love-letter").run("develop", "check-game", "love-letter")
    assert (result.code, result.err, result.out) == (0, "", "love-letter can be played everywhere.\n")


@pytest.mark.parametrize("rules", ["usual", "no shared rounds"])
def test_second_scorer_agrees(rules: str) -> None:
    for match in whole_matches("love-letter", rules):
        other = LoveLetter(transcript(match), len(match.setup.names), match.setup.house.tied)
        assert tuple(other.tokens) == match.state.tokens


LOVE = [
    ((("guard",), ["guess", 1, "king"], ["no"]), "card", {"turn": 1, "out": ()}),
    ((("guard",), ["guess", 1, "king"], ("king",)), "card", {"turn": 2, "out": (1,)}),
    ((("prince",), ["at", 1], ("princess",)), "card", {"turn": 2, "out": (1,), "pile": 10}),
    ((("prince",), ["at", 1], ("guard",)), "card", {"turn": 1, "out": (), "pile": 9}),
    ((("baron",), ["at", 1], ["even"]), "card", {"turn": 1, "out": ()}),
    ((("baron",), ["at", 1], ["lower", 0], ("guard",)), "card", {"turn": 1, "out": (0,)}),
    ((("princess",), ("king",)), "card", {"turn": 1, "out": (0,)}),
    ((("handmaid",), ("handmaid",), ("king",)), "card", {"turn": 0, "safe": (1,)}),
    ((("handmaid",), ("handmaid",), ("prince",)), "at", {"turn": 2, "safe": (0, 1)}),
    ((("handmaid",), ("priest",), ["at", 2], None), "card", {"turn": 2}),
]


@pytest.mark.parametrize(("said", "asked", "state"), LOVE)
def test_boundaries_of_the_dossier(said: tuple[Any, ...], asked: str, state: dict[str, object]) -> None:
    match = match_after("love-letter", 3, *said)
    assert match.asks[0].key == asked
    assert {key: getattr(match.state, key) for key in state} == state


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ((("guard",), ["guess", 1, "king"], ("king",)), "guard"),
        ((("baron",), ["at", 1], ["lower", 0], ("guard",)), "baron"),
        ((("prince",), ["at", 1], ("princess",)), "princess"),
        ((("princess",), ("king",)), "princess"),
    ],
)
def test_leaving_a_round_cites_the_deciding_rule(said: tuple[Any, ...], rule: str) -> None:
    rulings = match_after("love-letter", 3, *said).rulings
    assert [ruling.rule for ruling in rulings if ruling.key == "out"] == [rule]


def test_laid_cards_cite_the_rule_that_asked_for_them() -> None:
    stages = {"card": "card", "princess": "princess", "guesses": "guard", "falls": "baron", "drops": "prince"}
    seen = set[str]()
    for match in whole_matches("love-letter", "usual"):
        for step in standing_answers(match):
            lays = [ruling for ruling in step.rulings if ruling.key == "lays"]
            stage = step.before.state.stage
            assert [ruling.rule for ruling in lays] == [{**stages, "show": "best"}[stage] for _each in lays]
            seen |= {stage for _each in lays}
    assert seen == {*stages, "show"}


def test_prince_targets_its_player_if_all_others_are_protected() -> None:
    (ask,) = match_after("love-letter", 3, ("handmaid",), ("handmaid",), ("prince",)).asks
    assert ask.options == (Option("at", 2),)


@pytest.mark.parametrize(
    ("held", "card", "is_fair"),
    [
        (("countess", "king"), "king", False),
        (("countess", "prince"), "prince", False),
        (("countess", "king"), "countess", True),
        (("countess", "baron"), "baron", True),
        (("king", "prince"), "king", True),
    ],
)
def test_countess_is_played_beside_prince_or_king(held: tuple[str, ...], card: str, is_fair: bool) -> None:
    match = match_after("love-letter", 3)
    answer = Answer(match.number, "card", (card,), 0)
    assert game_of("love-letter").play.is_fair(match.state, answer, {hand_of(0): held}) == is_fair


def test_french_sentences() -> None:
    match = match_after("love-letter", 3, ("guard",))
    add_catalogues("love_letter")
    assert ruling_text(listener_at(match.setup, language("fr")), match.rulings[0]) == "Ana pose un garde."


def test_end_remembers_the_guess_or_else_the_duel_that_revealed_the_highest_card() -> None:
    guess = (("guard",), ["guess", 1, "king"], ("king",))
    found = present(game_of("love-letter").finish.highlight(story_of(match_after("love-letter", 3, *guess))))
    assert (found.key, found.values) == ("guessed", {"seat": 1, "by": 0, "card": "king"})
    assert [(card.face, card.seat) for card in found.cards] == [("king", 1)]
    duel = (("baron",), ["at", 1], ["lower", 0], ("priest",))
    found = present(game_of("love-letter").finish.highlight(story_of(match_after("love-letter", 3, *duel))))
    assert (found.key, found.values["seat"], found.cards[0].face) == ("compared", 0, "priest")
    nothing = match_after("love-letter", 3, ("guard",), ["guess", 1, "king"], ["no"])
    assert game_of("love-letter").finish.highlight(story_of(nothing)) is None
