"""`coyote develop new-game` and `check-game`: create a package with a game, and check one."""

import keyword
import signal
from collections.abc import Callable, Iterator
from functools import wraps
from importlib.util import find_spec
from pathlib import Path
from string import Template
from typing import Any

import click

from firmware.cli.output import ANY_PATH, click_errors, say_all
from firmware.language.catalogues import GAMES_OF_OTHERS, catalogue_faults
from firmware.language.speaking import PROGRAM, _
from hardware.twin.conformance import check_game
from referee.conformance import failing_place
from referee.games.catalogue import DECKS, GAMES, NAME, ORIGINALS
from referee.result_types import with_functions
from referee.texts import texts_of

TEMPLATES = Path(__file__).parent / "game_template"
LONGEST = 10.0  # seconds that one call of a checked game may take


@click.command(
    help=_("""Create a package with a small working card game for you to change.

    NAME is the game's name, such as high-card. FOLDER is a new folder, by default of that name. Its README
    explains the files.""")
)
@click.argument("name")
@click.argument("folder", type=ANY_PATH, required=False)
def new_game(name: str, folder: Path | None) -> None:
    why = _name_trouble(name)
    if why:
        raise click.UsageError(why)
    target = folder or Path(name)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise click.ClickException(_("{folder} exists already: choose another folder").format(folder=target))
    with click_errors(target):
        for path, text in game_files(name):
            file = target / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    click.echo(_("Written to {folder}. Next:").format(folder=target))
    # a path, so that pip doesn't mistake it for a package name
    package = str(target) if target.is_absolute() else f"./{target}"
    say_all(
        (f"  pip install -e {package}", f"  {PROGRAM} develop check-game {name}", f"  {PROGRAM} play {name}")
    )


def _name_trouble(name: str) -> str:
    """Return why a game can't have this name; empty if it can."""
    if not NAME.fullmatch(name):
        message = _(
            "a game's name begins with a small letter, and has small letters, digits and single hyphens, "
            "such as high-card, not “{name}”"
        )
        return message.format(name=name)
    if name in GAMES or name in DECKS:
        return _("there is already a game or a deck named {name}: choose another").format(name=name)
    module = name.replace("-", "_")
    if keyword.iskeyword(module) or find_spec(module) is not None:
        return _("“{name}” is already a name in Python: choose another").format(name=name)
    return ""


def game_files(name: str) -> Iterator[tuple[str, str]]:
    module = name.replace("-", "_")
    names = {"name": name, "module": module, "title": name.replace("-", " ").title()}
    for template in sorted(TEMPLATES.rglob("*.txt")):
        path = template.relative_to(TEMPLATES).as_posix().removesuffix(".txt")
        path = path.replace("package/", f"{module}/").replace("test_game.py", f"test_{module}.py")
        yield path, Template(template.read_text(encoding="utf-8")).substitute(names)


@click.command(
    help=_("""Play a game with all its settings, and report missing parts and where to add them.

    GAME is an installed game. It is played at random with every number of players, with real cards and with
    bots. Exits with 1 if something is missing.""")
)
@click.argument("game", type=click.Choice(GAMES), metavar="GAME")
def checking(game: str) -> None:
    checked = with_functions(ORIGINALS[game], lambda function, _type, _where: _limited(function))
    module = checked.rules.start.__module__
    own = (package for package in GAMES_OF_OTHERS if module.startswith(package))
    texts = tuple(dict.fromkeys(text.one for text in texts_of(checked)))
    signal.signal(signal.SIGALRM, _give_up)
    try:
        found = [*check_game(checked)]
    except EndlessCall as error:
        told = _("{game} takes more than {seconds:g} seconds{place}: does a loop never end?")
        place = failing_place(error, module.partition(".")[0])
        raise click.ClickException(told.format(game=game, seconds=LONGEST, place=place)) from error
    found += (fault for package in own for fault in catalogue_faults(package, texts))
    say_all(f"- {sentence}" for sentence in found)
    if not checked.feel.art:
        click.echo(_("{game} has no artwork: its cards are drawn plainly.").format(game=game))
    if found:
        raise click.exceptions.Exit(1)
    click.echo(_("{game} can be played everywhere.").format(game=game))


class EndlessCall(BaseException):
    """A game's function took too long; no check that expects the game's errors may catch it."""


def _give_up(*_signal: object) -> None:
    raise EndlessCall


def _limited(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a game's function with an alarm for calls that take too long."""

    @wraps(function)
    def limited(*given: Any, **named: Any) -> Any:
        signal.setitimer(signal.ITIMER_REAL, LONGEST)
        try:
            return function(*given, **named)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    return limited
