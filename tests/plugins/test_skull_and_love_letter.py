"""Skull and Love Letter: their second scorers, boundaries of their dossiers, French, golden playthroughs."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from firmware.language.catalogues import add_catalogues, language
from referee.contract import Answer, Choice, Number, Option, hand_of
from referee.match import Match, hear, standing_answers
from referee.sentences import listener_at, ruling_text
from tests.given import allowed
from tests.plugins.installed import game_of, with_game
from tests.plugins.second_scorers import LoveLetter, score_skull, transcript
from tests.referee import golden
from tests.referee.tables import after_any, new_match
from tests.tiers import tiered

FOLDER = Path(__file__).parent / "playthroughs"
NAMES = ("skull", "love-letter")


SETTINGS = [(name, rules) for name in NAMES for rules in game_of(name).rules.settings]


def kept(name: str, rules: str) -> Path:
    return FOLDER / f"{name}-{rules.replace(' ', '-')}.txt"


@pytest.mark.parametrize(("name", "rules"), SETTINGS)
def test_a_playthrough_is_as_it_was(name: str, rules: str) -> None:
    told = golden.playthrough(game_of(name), rules)
    assert kept(name, rules).read_text(encoding="utf-8") == told, f"read it: python -m {__name__}"


def test_no_playthrough_is_left_over() -> None:
    assert {*FOLDER.glob("*.txt")} == {kept(*setting) for setting in SETTINGS}


@pytest.mark.parametrize("name", NAMES)
def test_passes_the_game_checks(name: str, tmp_path: Path) -> None:
    said = with_game(tmp_path, name).run("develop", "check-game", name)
    assert (said.code, said.err, said.out) == (0, "", f"{name} can be played everywhere.\n")


# second scorers


def whole_matches(name: str, rules: str) -> list[Match]:
    """Play matches of each number of players to their ends, at random."""
    game, found = game_of(name), []
    for seats in game.rules.seats(game.rules.settings[rules]):
        for seed in range(tiered(8, 300)):
            match, rng = new_match(game, rules, seats), Random(f"{seats} {seed}")
            while match.asks:
                match = after_any(match, rng)
            found.append(match)
    return found


@pytest.mark.parametrize("rules", ["usual", "short"])
def test_skull_is_scored_alike_by_another(rules: str) -> None:
    for match in whole_matches("skull", rules):
        points, discs = score_skull(transcript(match), len(match.setup.names), match.setup.house.heir)
        assert (tuple(points), tuple(discs)) == (match.state.points, match.state.discs)


@pytest.mark.parametrize("rules", ["usual", "no shared rounds"])
def test_love_letter_is_scored_alike_by_another(rules: str) -> None:
    for match in whole_matches("love-letter", rules):
        other = LoveLetter(transcript(match), len(match.setup.names), match.setup.house.tied)
        assert tuple(other.tokens) == match.state.tokens


# boundaries that the dossiers draw


def played(name: str, seats: int, *said: Any) -> Match:
    """Answer each first ask that takes such a value, by its first seat."""
    game = game_of(name)
    match = new_match(game, "usual", seats)
    for value in (Option(*each) if isinstance(each, list) else each for each in said):
        kinds = {int: Number, Option: Choice}
        fits = [ask for ask in match.asks if isinstance(ask, kinds.get(type(value), object))]
        match = allowed(hear(match, Answer(match.number, fits[0].key, value, *fits[0].seats[:1])))
    return match


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
def test_skull_goes_as_the_dossier_says(said: tuple[Any, ...], asked: str, state: dict[str, object]) -> None:
    match = played("skull", 3, *said)
    assert match.asks[0].key == asked
    assert {key: getattr(match.state, key) for key in state} == state


def test_of_a_higher_stack_only_as_many_discs_go_up_as_were_bid() -> None:
    laid = (*LAID, *[["add"]] * 6)
    (one,), (two,) = (played("skull", 3, *laid, bid, ["pass"], ["pass"]).asks for bid in (1, 2))
    assert (one.count, two.count) == (1, 2)


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
def test_love_letter_goes_as_the_dossier_says(
    said: tuple[Any, ...], asked: str, state: dict[str, object]
) -> None:
    match = played("love-letter", 3, *said)
    assert match.asks[0].key == asked
    assert {key: getattr(match.state, key) for key in state} == state


CITED = [
    ((("guard",),), "lays", "card"),
    ((("guard",), ["guess", 1, "king"], ("king",)), "lays", "guard"),
    ((("guard",), ["guess", 1, "king"], ("king",)), "out", "guard"),
    ((("baron",), ["at", 1], ["lower", 0], ("guard",)), "lays", "baron"),
    ((("baron",), ["at", 1], ["lower", 0], ("guard",)), "out", "baron"),
    ((("prince",), ["at", 1], ("guard",)), "lays", "prince"),
    ((("prince",), ["at", 1], ("princess",)), "lays", "prince"),
    ((("prince",), ["at", 1], ("princess",)), "out", "princess"),
    ((("princess",), ("king",)), "lays", "princess"),
    ((("princess",), ("king",)), "out", "princess"),
]


@pytest.mark.parametrize(("said", "key", "rule"), CITED)
def test_a_ruling_of_love_letter_names_the_rule_that_decided(
    said: tuple[Any, ...], key: str, rule: str
) -> None:
    rulings = played("love-letter", 3, *said).rulings
    assert [ruling.rule for ruling in rulings if ruling.key == key] == [rule]


def test_a_hand_that_is_shown_at_the_end_of_a_round_is_laid_by_the_rule_of_the_end() -> None:
    stages = {"card": "card", "princess": "princess", "guesses": "guard", "falls": "baron", "drops": "prince"}
    seen = set[str]()
    for match in whole_matches("love-letter", "usual"):
        for step in standing_answers(match):
            lays = [ruling for ruling in step.rulings if ruling.key == "lays"]
            stage = step.before.state.stage
            assert [ruling.rule for ruling in lays] == [{**stages, "show": "best"}[stage] for _each in lays]
            seen |= {stage for _each in lays}
    assert seen == {*stages, "show"}


def test_only_oneself_is_left_for_a_prince_where_all_others_are_protected() -> None:
    (ask,) = played("love-letter", 3, ("handmaid",), ("handmaid",), ("prince",)).asks
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
def test_a_fair_player_lays_the_countess_beside_a_prince_or_the_king(
    held: tuple[str, ...], card: str, is_fair: bool
) -> None:
    match = played("love-letter", 3)
    answer = Answer(match.number, "card", (card,), 0)
    assert game_of("love-letter").play.is_fair(match.state, answer, {hand_of(0): held}) == is_fair


@pytest.mark.parametrize(
    ("name", "said", "told"),
    [
        ("skull", LAID[:1], "Ana pose un disque."),
        ("love-letter", (("guard",),), "Ana pose\N{NO-BREAK SPACE}: garde."),
    ],
)
def test_it_speaks_french(name: str, said: tuple[Any, ...], told: str) -> None:
    match = played(name, 3, *said)
    add_catalogues(name.replace("-", "_"))
    assert ruling_text(listener_at(match.setup, language("fr")), match.rulings[0]) == told


def main() -> None:
    for name, rules in SETTINGS:
        kept(name, rules).write_text(golden.playthrough(game_of(name), rules), encoding="utf-8")


if __name__ == "__main__":
    main()
