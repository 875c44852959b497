"""`coyote play`: a match in the terminal, journaled like the real thing."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import click
from msgspec import Struct
from msgspec.structs import replace

from firmware import terminal
from firmware.journal import Journal, hear, open_journal, resume
from firmware.places import journal_option
from firmware.replay import fault_text
from firmware.speaking import LANGUAGE, _
from firmware.store.trouble import JournalError
from referee.contract import Game, Refusal
from referee.games import GAMES
from referee.houses import HouseRule, house_from, house_rules
from referee.match import Entry, Match, Setup, begin, rematch
from referee.telling import Listener, tell_refusal

LONGEST_NAME = 20


class Wish(Struct, frozen=True):
    """What was asked for on the command line: a game, and who plays by which rules, if that was said."""

    game: Game
    names: tuple[str, ...]
    house: Struct
    fresh: bool
    open_rules: bool
    """No house rule was named: whatever the open match is played by is right."""


def _house_help() -> str:
    """List every game's house rules, each in a line."""
    lines = [_("House rules, as --house key=value; the first value is the default:")]
    for game in GAMES.values():
        for rule in house_rules(game):
            what = LANGUAGE.gettext(game.words.house[rule.name].one)
            lines.append(f"  {rule.name}={_values(rule)}\n      {what}")
    return "\n".join(lines)


def _values(rule: HouseRule) -> str:
    default = "" if rule.several else str(rule.default).lower()
    values = [default, *(value for value in rule.takes if value != default)]
    return "|".join(value for value in values if value)


class _PlayCommand(click.Command):
    """A command whose help ends with the house rules, line by line."""

    def format_epilog(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write(f"\n{_house_help()}\n")


@click.command(
    cls=_PlayCommand,
    help=_("""Play a match in the terminal, with the cards on your table.

    What is asked is printed; type the answer, or help. Every answer is kept at once: leave or pull the plug,
    and the same command goes on where you were.

    \b
    coyote play coyote --seats Ana,Bo,Chloé
    coyote play coyote --edition oliphante --seats Ana,Bo,Chloé --house powers=all"""),
)
@click.argument("game", type=click.Choice(list(GAMES)), metavar="GAME", default="coyote")
@click.option("--edition", metavar="E", help=_("Whose box it is: kidult, gigamic or oliphante."))
@click.option("--seats", metavar="NAMES", help=_("Who plays, clockwise, with commas between the names."))
@click.option(
    "--house",
    "agreed",
    multiple=True,
    metavar="KEY=VALUE",
    help=_("A house rule (see below); may be repeated."),
)
@click.option(
    "--new", "fresh", is_flag=True, help=_("Begin a new match even if one is open; the open one is kept.")
)
@journal_option
def play(
    game: str, edition: str | None, seats: str | None, agreed: tuple[str, ...], *, fresh: bool, journal: Path
) -> None:
    """Play a match."""
    wish = _wish(GAMES[game], edition, seats, agreed, fresh=fresh)
    try:
        with open_journal(journal) as opened:
            for sentence in opened.told():
                click.echo(sentence, err=True)
            _sit_down(opened.journal, wish)
    except JournalError as error:
        raise click.ClickException(str(error)) from error


def _wish(game: Game, edition: str | None, seats: str | None, agreed: tuple[str, ...], *, fresh: bool) -> Wish:
    rules = dict(map(_pair, agreed))
    if edition is not None:
        rules["edition"] = edition
    house = house_from(game, rules)
    if isinstance(house, Refusal):
        raise click.UsageError(tell_refusal(Listener(game.words, (), LANGUAGE), house))
    return Wish(game, _names(seats) if seats else (), house, fresh, open_rules=not rules)


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(_("say a house rule as key=value, not {text}").format(text=text))
    return key.strip(), value


def _names(text: str) -> tuple[str, ...]:
    """Read the players' names: all different, none empty, short enough for a seat's display."""
    names = tuple(" ".join(name.split()) for name in text.split(","))
    if not all(name and name.isprintable() and len(name) <= LONGEST_NAME for name in names):
        told = _("every player needs a name of 1 to {most} letters; put commas between them: Ana,Bo,Chloé")
        raise click.UsageError(told.format(most=LONGEST_NAME))
    if len({name.casefold() for name in names}) < len(names):
        raise click.UsageError(_("two players have the same name: make them different"))
    return names


def _sit_down(journal: Journal, wish: Wish) -> None:
    """Go on with the open match if it is the one that is wished for, else begin one."""
    resumed = resume(journal)
    match = None if resumed is None else resumed.match
    if resumed is None or match is None or not _is_wished(wish, match):
        if resumed is not None:
            told = _("Match {id} is left open and kept: coyote save {id} writes it to a file.")
            click.echo(told.format(id=resumed.id))
        table = _begun(journal, _first(wish))
    elif resumed.fault is not None:
        click.echo(
            _("The open match can be read only up to a fault: {fault}").format(
                fault=fault_text(match, resumed.fault)
            )
        )
        table = _begun(journal, match)
    else:
        table = Table(journal, resumed.id, match)
    if table.match.number:
        click.echo(_("The open match goes on: {names}.").format(names=", ".join(table.match.setup.names)))
    _play(table)


def _is_wished(wish: Wish, match: Match) -> bool:
    setup = match.setup
    return (
        not wish.fresh
        and setup.game is wish.game
        and wish.names in {(), setup.names}
        and (wish.open_rules or wish.house == setup.house)
    )


def _first(wish: Wish) -> Match:
    """Begin the match that was wished for."""
    names = wish.names or _names(_asked_names())
    match = begin(Setup(wish.game, wish.house, names, begun=_now()))
    if isinstance(match, Refusal):
        raise click.UsageError(tell_refusal(Listener(wish.game.words, names, LANGUAGE), match))
    return match


def _asked_names() -> str:
    names = _typed(_("Who plays? The names, clockwise, with commas between them: "))
    if not names:
        raise click.UsageError(_("say who plays: --seats Ana,Bo,Chloé"))
    return names


class Table(Struct):
    """The table in this terminal: the match that is on, and where it is kept."""

    journal: Journal
    id: int
    match: Match

    @property
    def listener(self) -> Listener:
        """Give whoever sits at this terminal."""
        return Listener(self.match.setup.game.words, self.match.setup.names, LANGUAGE)


def _begun(journal: Journal, match: Match) -> Table:
    return Table(journal, journal.begin(match), match)


def _play(table: Table) -> None:
    """Tell, ask, hear, until the match is over and nobody wants another, or somebody leaves."""
    _say(terminal.told(table.listener, table.match))
    while True:
        if table.match.outcome is not None and not _again(table):
            return
        _say(terminal.asked(table.listener, table.match))
        text = _typed("> ")
        if text in {None, "quit"}:
            _say([_("The match is kept; the same command goes on with it.")])
            return
        _obey(table, text or "")


def _obey(table: Table, text: str) -> None:
    """Do what was typed: tell something, or hear an answer."""
    listener, match = table.listener, table.match
    tellings: dict[str, Callable[[], list[str]]] = {
        "": list,
        "help": lambda: [terminal.HELP],
        "score": lambda: terminal.standings(listener, match),
        "log": lambda: terminal.answers(listener, match),
    }
    if text in tellings:
        _say(tellings[text]())
        return
    try:
        after = hear(table.journal, table.id, match, _stamped(terminal.understood(listener, match, text)))
    except (terminal.MisreadError, JournalError) as problem:
        _say([str(problem)])
        return
    if isinstance(after, Refusal):
        _say([tell_refusal(listener, after)])
        return
    table.match = after
    _say(terminal.told(listener, after))


def _again(table: Table) -> bool:
    """Tell how the match ended, and play another with the same people if they want to."""
    _say(terminal.standings(table.listener, table.match))
    if (_typed(_("Another match? yes / no: ")) or "").casefold() not in {"yes", "y", _("yes"), _("yes")[0]}:
        return False
    match = rematch(table.match, _now())
    if isinstance(match, Refusal):
        return False
    table.id, table.match = table.journal.begin(match), match
    _say(terminal.told(table.listener, match))
    return True


def _stamped(entry: Entry) -> Entry:
    return replace(entry, at=_now())


def _now() -> str:
    return datetime.now().astimezone().isoformat(timespec="seconds")


def _say(lines: list[str]) -> None:
    for line in lines:
        click.echo(line)


def _typed(prompt: str) -> str | None:
    """Read a line; None once there are no more."""
    try:
        return " ".join(input(prompt).split())
    except EOFError:
        click.echo()
        return None
    except (KeyboardInterrupt, UnicodeDecodeError):
        click.echo()
        return None
