"""Each part of each game's display in honest play, when it first appears; `shown` covers random play.

`python -m tests.referee.games.test_boards` rewrites it. Review the differences: players will see them.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from msgspec import Struct
from msgspec.json import encode
from msgspec.structs import replace

from hardware.twin.dealer import DealtMatch, deal_match, step
from referee.contract import Choice, Game, Refusal
from referee.games.catalogue import GAMES
from referee.match import Match
from referee.showing import board_of, questions_of, situation_of
from tests.referee.games.ogallala.script import answer_as_builder
from tests.referee.tables import new_match
from tests.tiers import slow

FOLDER = Path(__file__).parent / "boards"
MATCHES = 2
PLAYERS: dict[str, Callable[[DealtMatch, Random], DealtMatch | Refusal]] = {"ogallala": answer_as_builder}


def moments_of_play(game: Game) -> Iterator[Match]:
    """Play a few honest matches of each setting, with the fewest players and with four or the most."""
    for rules, house in game.rules.settings.items():
        seats = game.rules.seats(house)
        for number in range(MATCHES):
            rng = Random(f"{rules} {number}")
            dealt = deal_match(new_match(game, rules, min(seats[-1], 4) if number % 2 else seats[0]), rng)
            yield dealt.match
            while dealt.match.asks:
                after = PLAYERS.get(game.name, step)(dealt, rng)
                assert isinstance(after, DealtMatch)
                dealt = after
                yield dealt.match


def parts_of(match: Match) -> Iterator[tuple[str, Struct | None]]:
    game, state, board = match.setup.game, match.state, board_of(match)
    whole = replace(board, facts=(), cards=())
    told = " ".join(name for name in whole.__struct_fields__ if getattr(whole, name))
    yield told, whole
    for part in (situation_of(match), board.headline, *questions_of(match), *game.shown.insight(state)):
        yield f"{type(part).__name__} {getattr(part, 'key', '')}", part
    for shown in (*board.facts, *board.cards):
        yield f"{shown.key} {shown.weight}", shown
    for ask in match.asks:
        for option in game.book.withheld(state, ask) if isinstance(ask, Choice) else ():
            yield f"withheld {option.word}", option
        for option in ask.options if isinstance(ask, Choice) else ():
            effect = game.book.effect(state, ask.seats[0] if ask.seats else None, option)
            if effect is not None:
                yield f"{option.word} {effect.key} {len(effect.changes)}", effect


def first_of_each_kind(game: Game) -> str:
    seen, told = set[str](), []
    for match in moments_of_play(game):
        parts = {kind: part for kind, part in parts_of(match) if kind not in seen}
        if parts:
            seen |= parts.keys()
            lines = (encode(part).decode() for part in parts.values())
            told.append("\n  ".join((f"moment {match.number}", *lines)))
    return "\n".join((*told, ""))


@slow("whole honest matches of each setting, each moment looked at")
@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_boards_match_snapshots(game: Game) -> None:
    assert (FOLDER / f"{game.name}.txt").read_text(encoding="utf-8") == first_of_each_kind(game)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for each in GAMES.values():
        (FOLDER / f"{each.name}.txt").write_text(first_of_each_kind(each), encoding="utf-8")
