"""Find and load the games: entry points of the group `coyote.games`."""

import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, get_type_hints

from firmware.language.catalogues import add_catalogues
from firmware.language.speaking import PROGRAM, _
from firmware.start.guarding import guarded, guarded_function, is_by_signal
from hardware.decks.artwork import Artwork
from hardware.decks.catalogue import PRINTED
from hardware.decks.look import LOOKS, GameLook
from hardware.twin.bots import BOTS, STRONG_BOTS
from hardware.twin.scenes import TABLES
from referee.conformance import failing_place
from referee.contract import Game
from referee.games.catalogue import DECKS, GAMES, MAX_NAME_LETTERS, NAME, ORIGINALS, add_game

GROUP = "coyote.games"
CHECKOUT = Path(__file__).parents[2] / "pyproject.toml"


def hand_in_games() -> tuple[str, ...]:
    """Load all installed games, once. Returns a line for each one that is skipped."""
    if GAMES:
        return ()
    # with those of a checkout that runs without being installed
    every = {(point.name, point.value): point for point in (*declared_games(), *entry_points(group=GROUP))}
    return tuple(_hand_in(sorted(every.values(), key=lambda point: (not _is_ours(point), point.name))))


def print_skipped(skipped: Iterable[str]) -> None:
    for line in skipped:
        print(f"{PROGRAM}: {line}", file=sys.stderr)  # noqa: T201


def _is_ours(point: EntryPoint) -> bool:
    """Return whether a game belongs to this project; such games load first and get their names."""
    return point.value.startswith("referee.games.")


def declared_games() -> Iterator[EntryPoint]:
    if not CHECKOUT.is_file():
        return
    declared = tomllib.loads(CHECKOUT.read_text(encoding="utf-8"))["project"]["entry-points"][GROUP]
    for name, value in declared.items():
        yield EntryPoint(name, value, GROUP)


def _hand_in(found: Iterable[EntryPoint]) -> Iterator[str]:
    for point in found:
        try:
            game = load_game(point)
            _add(guarded(game))
            ORIGINALS[game.name] = game
            if not _is_ours(point):
                add_catalogues(point.module)
        except BaseException as error:
            if is_by_signal(error):
                raise
            told = _("the game {name} ({reference}) is left out: {why}")
            yield told.format(name=point.name, reference=point.value, why=failure_text(error, point.module))


def failure_text(error: BaseException, module: str = "") -> str:
    """Return an error in one line, with its place in a module's package; without a module, in any code."""
    why = " ".join(f"{type(error).__name__}: {error}".split())
    place = failing_place(error, module.replace(":", ".").partition(".")[0])
    return f"{why},{place}" if place else why


def load_game(point: EntryPoint) -> Game:
    game = point.load()
    if not isinstance(game, Game):
        raise TypeError(f"{point.value} is no referee.contract.Game")
    for part, kind in get_type_hints(Game).items():
        if not isinstance(getattr(game, part), kind):
            raise TypeError(f"its {part} is no {kind.__name__}")
    if not NAME.fullmatch(game.name):
        raise ValueError(f"{game.name[:MAX_NAME_LETTERS]!r} is no name of a game")
    if not game.rules.settings:
        raise ValueError("it has no settings")
    if game.name in GAMES:
        raise ValueError(f"there is already a game named {game.name}")
    for deck in map(game.table.deck, game.rules.settings.values()):
        if deck.name in DECKS and DECKS[deck.name].counts != deck.counts:
            raise ValueError(f"there is already another deck named {deck.name}")
    return game


def _add(game: Game) -> None:
    """Register a game; its artwork, its look and its bots are loaded on first use."""
    add_game(game)
    PRINTED.add(game, partial(_find_or_say, game.name, game.feel.art, Artwork) if game.feel.art else None)
    if game.feel.picture:
        TABLES[game.name] = partial(resolve, game.feel.picture, object)
    if game.feel.look:
        LOOKS[game.name] = partial(_find_or_say, game.name, game.feel.look, GameLook)
    bots: tuple[tuple[dict[str, Callable[[], Any]], str], ...] = (
        (BOTS, game.play.bot),
        (STRONG_BOTS, game.play.strong_bot),
    )
    for known, reference in bots:
        if reference:
            known[game.name] = cache(partial(_find_bot, game, reference))


def _find_bot(game: Game, reference: str) -> Callable[..., Any] | None:
    bot = _find_or_say(game.name, reference, object)
    return None if bot is None else guarded_function(game, bot, "play.bot")


@cache
def _find_or_say(game: str, reference: str, kind: type) -> Any:
    """Return the object that a game refers to; None, with one printed line, if it can't be loaded."""
    try:
        return resolve(reference, kind)
    except BaseException as error:
        if is_by_signal(error):
            raise
        told = _("{reference} of the game {game} is left out: {why}")
        print_skipped([told.format(reference=reference, game=game, why=failure_text(error, reference))])
    return None


def resolve(reference: str, kind: type) -> Any:
    module, _colon, name = reference.partition(":")
    found = getattr(import_module(module), name)
    if not isinstance(found, kind):
        raise TypeError(f"{reference} is no {kind.__name__}")
    return found
