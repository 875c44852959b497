"""States of phones during random matches: each kind of state once."""

from collections.abc import Iterator
from random import Random

from msgspec import Struct

from firmware.language.catalogues import language
from referee.contract import Ask, Choice
from referee.games.catalogue import GAMES
from referee.match import Match, Setup, begin
from referee.moment_view import view_of
from referee.showing import board_of
from tests.given import allowed
from tests.referee.tables import after_any
from webui.views.screen_view import layout_of

ENGLISH = language("en")

NAMES = ("Konstantin-Alexander", "Bo", "Chloé", "Dédé", "Wilhelmina-Alexandra", "Maximilienne")
"""Two of them have the maximum length of a name that is shown in full."""
MOST = 1200  # maximum answers of a match; later states have occurred before


class State(Struct, frozen=True):
    """A moment from a seat's point of view."""

    match: Match
    seat: int
    kind: tuple[str, ...]
    """Distinguishing features: the ask or wait of the seat, and the content of the window."""

    def __str__(self) -> str:
        return f"{'/'.join(self.kind)} (moment {self.match.number}, seat {self.seat})"


def walk_states(game: str, rules: str, seats: int, seed: int) -> Iterator[State]:
    rng, seen = Random(f"phones {game} {rules} {seats} {seed}"), set[tuple[str, ...]]()
    for match in moments(game, rules, seats, rng):
        # the layout doesn't depend on the viewer
        layout = layout_of(view_of(match, ENGLISH))
        for seat in range(seats):
            state = State(match, seat, (layout, *kind_of(match, seat)))
            if state.kind not in seen:
                seen.add(state.kind)
                yield state


def moments(game: str, rules: str, seats: int, rng: Random) -> Iterator[Match]:
    house = GAMES[game].rules.settings[rules]
    match = allowed(begin(Setup(GAMES[game], house, NAMES[:seats], begun="2026-11-24T20:00:00+00:00")))
    yield match
    while match.asks and match.number < MOST:
        match = after_any(match, rng)
        yield match


def kind_of(match: Match, seat: int) -> tuple[str, ...]:
    board, asks = board_of(match, seat), match.asks
    asked = [f"{_how(ask)} {ask.key}" for ask in asks if not ask.seats or seat in ask.seats]
    waited = [f"waits for {ask.key}" for ask in asks if ask.seats and seat not in ask.seats]
    claims = sum(row.claimed_by is not None for row in board.cards)
    own = next((each for each in match.setup.game.rules.standings(match.state) if each.seat == seat), None)
    is_out = own is not None and own.out
    return (
        *([] if asked else ["out"] if is_out else []),
        *sorted(asked or waited),
        *(["own turn"] if board.turn == seat else []),
        *([f"{claims} claimed"] if claims else []),
    )


def _how(ask: Ask) -> str:
    """Distinguish choices with few and many options, which have different layouts."""
    return f"chooses of {'few' if len(ask.options) < 5 else 'many'}" if isinstance(ask, Choice) else "is asked"
