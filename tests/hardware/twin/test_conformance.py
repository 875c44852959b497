"""The conformance check: our games pass, and each fault is reported with its fix and place."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from hardware.twin.bots import BOTS
from hardware.twin.bots.actions import BotAction
from hardware.twin.conformance import check_game
from hardware.twin.tabletop import Places
from referee.contract import HAND_KIND, Answer, Board, Game, Move, Ruling, Show, Standing, Transition, Zone
from referee.contract.facts import make_fact
from referee.contract.rule_book import write_own_chapters
from referee.games.catalogue import GAMES
from referee.match import Match
from tests.given import altered
from tests.tiers import slow, tiered

EXAMPLE = Path(__file__).parents[3] / "plugins" / "high-card"


@slow("bots play whole matches")
@pytest.mark.parametrize("name", tiered(["coup"], list(GAMES)))
def test_our_games_conform(name: str) -> None:
    game = GAMES[name]
    most = altered(game, seats=lambda house: game.rules.seats(house)[-1:])
    assert check_game(tiered(most, game)) == ()


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    monkeypatch.syspath_prepend(str(EXAMPLE))
    from high_card import GAME  # noqa: PLC0415 - not before its folder is there

    one = altered(GAME, settings={"short": GAME.rules.house()}, seats=lambda _house: range(2, 3))
    yield one
    for module in [module for module in sys.modules if module.split(".")[0] == "high_card"]:
        del sys.modules[module]


def test_game_without_players_is_reported(game: Game) -> None:
    told = "`seats` lets nobody play by “short”: give numbers of players, such as range(2, 6)."
    assert told in check_game(altered(game, seats=lambda _house: range(0)))


@pytest.mark.parametrize(
    ("forgotten", "sentence"),
    [
        ("", "`moves` says how cards come there"),
        ("lays", "`moves` leaves it where it was"),
        ("takes", "clear them away in `moves`"),
    ],
)
def test_missing_move_is_reported(game: Game, forgotten: str, sentence: str) -> None:
    def moves(state: object, ruling: Ruling) -> tuple[Move, ...]:
        return () if ruling.key.startswith(forgotten) else game.table.moves(state, ruling)

    assert any(sentence in found for found in check_game(altered(game, moves=moves)))


def test_absent_cards_cannot_be_moved(game: Game) -> None:
    def moves(state: object, ruling: Ruling) -> tuple[Move, ...]:
        return tuple(replace(move, count=move.count and 40) for move in game.table.moves(state, ruling))

    assert any("takes cards that aren't there" in found for found in check_game(altered(game, moves=moves)))


def test_exception_is_reported_in_one_line(game: Game) -> None:
    def standings(_state: object) -> tuple[Standing, ...]:
        raise RuntimeError("two\nlines")

    found = check_game(altered(game, standings=standings))
    (told,) = (sentence for sentence in found if "two lines" in sentence)
    assert re.fullmatch(
        r"a match of 2 by “short” failed in `standings`, line \d+ of twin/test_conformance.py: "
        r"RuntimeError: two lines. 0 answers lead there: none.",
        told,
    )


@pytest.mark.parametrize(
    ("function", "result", "kind"),
    [
        ("rules.hear", Transition(None, ()), "Transition | Refusal"),
        ("rules.asks", [], "tuple[Number | Choice | Show | Done, ...]"),
        ("rules.standings", ("Ana",), "tuple[Standing, ...]"),
        ("rules.seats", (2, 3), "range"),
        ("shown.situation", 5.5, "Situation | None"),
    ],
)
def test_wrong_type_of_a_result_is_reported(game: Game, function: str, result: object, kind: str) -> None:
    found = check_game(altered(game, **{function.partition(".")[2]: lambda *_given: result}))
    (told,) = {each.partition("TypeError: ")[2].partition(" 0 answers")[0] for each in found if "TypeE" in each}
    assert told.startswith(f"`{function}` returned {str(result)[:20]}")
    assert f", which is no {kind}. No line of the game's own runs there: " in told


def test_missing_texts_at_match_end_are_reported(game: Game) -> None:
    def board(view: Any) -> Board:
        shown = game.shown.board(view)
        prize = () if game.rules.outcome(view) is None else (make_fact("prize"),)
        return replace(shown, facts=(*shown.facts, *prize))

    assert any("the fact “prize” has no words: " in told for told in check_game(altered(game, board=board)))


def test_late_exception_is_reported_with_function_line_and_answers(game: Game) -> None:
    """The second card of a trick fails in the example's own code, on the arguments of `hear`."""

    def hears(state: Any, answer: Answer) -> Any:
        return game.rules.hear(replace(state, points=()) if state.seen else state, answer)

    failing = altered(game, hear=hears, seats=lambda _house: range(2, 4))
    (told,) = (each for each in check_game(failing) if "failed in" in each)
    assert re.fullmatch(
        r"a match of 2 by “short” failed in `\w+`, line \d+ of high_card/rules.py: \w+Error: .*"
        r" (\d+) answers lead there: Ana: worth (single|double), Ana: card \d+, Bo: card \d+\.",
        told,
    ), told


def test_unshown_field_is_reported(game: Game) -> None:
    found = check_game(altered(game, board=lambda _view: Board(), excused={"turns": "no such field"}))
    assert any("“State.worth” is shown nowhere" in sentence for sentence in found)
    assert any("`excused` names “turns”" in sentence for sentence in found)


def test_unreachable_place_is_reported(game: Game) -> None:
    """With real cards the match can be played, but the twin would wait forever."""

    def in_satchels(zone: Zone) -> Zone:
        return Zone("satchel", zone.seat) if zone.name == "hand" else zone

    def moves(state: object, ruling: Ruling) -> tuple[Move, ...]:
        every = game.table.moves(state, ruling)
        return tuple(
            replace(each, source=in_satchels(each.source), target=in_satchels(each.target)) for each in every
        )

    def sources(_state: object, ask: Show) -> tuple[Zone, ...]:
        return tuple(Zone("satchel", seat) for seat in ask.seats)

    found = check_game(altered(game, moves=moves, sources=sources))
    assert [
        told for told in found if told.startswith("no hand on the twin lays the cards for “card” (satchel)")
    ]
    declared = altered(game, moves=moves, sources=sources, zones={"satchel": HAND_KIND})
    assert not [told for told in check_game(declared) if "no hand on the twin" in told]


def waits(_match: Match, _seat: int, _places: Places, _rng: Random) -> BotAction:
    return BotAction(waits=True)


def test_waiting_bot_is_reported(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, game.name, lambda: waits)
    assert any(told.startswith("no bot answers “worth”") for told in check_game(game))


def test_ask_after_the_end_and_endless_match_are_reported(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.twin.conformance.MAX_ANSWERS", 200)
    begun = game.rules.start((0, 1), game.rules.house(), None)
    asking = altered(game, asks=lambda state: game.rules.asks(state) or game.rules.asks(begun.state))
    assert any("something is asked after the end" in told for told in check_game(asking))
    endless = check_game(altered(asking, outcome=lambda _state: None))
    assert [told for told in endless if told.startswith("among bots a match isn't over after 200 answers")]


def test_rule_of_an_unknown_house_rule_is_reported(game: Game) -> None:
    chapters = write_own_chapters({"Jokers": {"jokers": "Jokers win."}}, agreed={"jokr": {True: "jokers"}})
    found = check_game(altered(game, chapters=chapters))
    assert any("“jokers” of the book depends on a house rule" in told and "'jokr'" in told for told in found)
