"""`coyote play`: a match in the terminal, stored in the journal like any other."""

from pathlib import Path
from typing import Any

import click
from msgspec import Struct
from msgspec.structs import replace

from firmware.cli import terminal
from firmware.cli.output import click_errors, complain, journal_option, say_all
from firmware.cli.parsing import command_of
from firmware.cli.replay import fault_text
from firmware.cli.rules import HouseCommand, house_options, read_house, tell_head
from firmware.language import wall_clock as wall
from firmware.language.speaking import LANGUAGE, _, gap_text, problem_text
from firmware.storage.decks import with_box_counts
from firmware.storage.errors import JournalError
from firmware.storage.journal import Journal, ResumedMatch, enter, open_journal, open_matches, read_again
from referee.contract import Game, Refusal
from referee.games.catalogue import GAMES
from referee.match import Match, Setup, begin, hear, name_refusal, rematch
from referee.moment_view import news_texts
from referee.sentences import Listener, refusal_text

YES = {"yes", "y", _("yes"), _("yes")[0]}
NO = {"no", "n", _("no"), _("no")[0]}


class PlayRequest(Struct, frozen=True):
    """The requested game, players and house rules; names may be empty."""

    game: Game
    names: tuple[str, ...]
    house: Struct
    fresh: bool
    open_rules: bool  # no house rule was given, so any open match fits


class TerminalTable(Struct):
    """The match played in this terminal, and its journal."""

    journal: Journal
    id: int | None
    """The match's number in the journal, assigned with its first answer."""
    match: Match
    refused: Refusal | None = None  # the refusal of the last entry, if it was refused

    @property
    def listener(self) -> Listener:
        return terminal.listener_of(self.match)


@click.command(
    cls=HouseCommand,
    help=_("""Play a match in the terminal, with the cards on your table.

    Type an answer to each question, or help. Every answer is stored at once: if you leave or the power fails,
    the same command resumes the match. Without GAME, the game is coyote.

    \b
    coyote play coyote --seats Ana,Bo,Chloé
    coyote play coyote --edition oliphante --seats Ana,Bo,Chloé --house powers=all"""),
)
@click.argument("game", type=click.Choice(GAMES), metavar="[GAME]", required=False)
@house_options
@click.option("--seats", metavar="NAMES", help=_("The players' names, clockwise, separated by commas."))
@click.option(
    "--new", "fresh", is_flag=True, help=_("Begin a new match even if one is open; the open one stays stored.")
)
@click.option(
    "--match",
    "number",
    type=click.IntRange(1, 2**31),
    metavar="N",
    help=_("Resume the match with this number; coyote record list lists them."),
)
@journal_option
def play(game: str | None, number: int | None, *, journal: Path, **wish: Any) -> None:
    wished = request_from(GAMES[game or "coyote"], **wish)
    with click_errors(), open_journal(journal) as opened:
        complain(map(problem_text, opened.repairs()))
        if number is None:
            _sit_down(opened.journal, wished)
        else:
            kept = read_again(opened.journal, number)
            if kept is None:
                raise click.ClickException(_("there is no such match; coyote record list lists them"))
            played = None if kept.match is None else kept.match.setup.game.name
            if played is not None and game not in {None, played}:
                message = _("this match is one of another game: coyote play {game} --match {id}")
                raise click.UsageError(message.format(game=played, id=number))
            play_table(_table_of(opened.journal, kept))


def request_from(
    game: Game, edition: str | None, seats: str | None, agreed: tuple[str, ...], *, fresh: bool
) -> PlayRequest:
    house = with_box_counts(game, read_house(game, edition, agreed))
    names = _names(seats) if seats else ()
    return PlayRequest(game, names, house, fresh, open_rules=edition is None and not agreed)


def _names(text: str) -> tuple[str, ...]:
    """Parse the players' names; names that are commands are refused."""
    names = tuple(" ".join(name.split()) for name in text.split(","))
    strange = next(filter(command_of, names), None)
    if strange is not None:
        raise click.UsageError(_("{name} is a command here: choose another name").format(name=strange))
    refusal = name_refusal(names)
    if refusal is not None:
        # names have the same refusals in every game
        words = next(iter(GAMES.values())).words
        raise click.UsageError(refusal_text(Listener(words, names, LANGUAGE), refusal))
    return names


def _sit_down(journal: Journal, wish: PlayRequest) -> None:
    others: list[ResumedMatch] = []
    for kept in open_matches(journal):
        if kept.match is not None and not wish.fresh and is_requested(wish, kept.match):
            play_table(_table_of(journal, kept))
            return
        others.append(kept)
    names = wish.names
    if not names:
        typed = _read_typed(_("Who plays? Names, clockwise, separated by commas: "))
        if not typed:
            raise click.UsageError(_("name the players: --seats Ana,Bo,Chloé"))
        names = _names(typed)
    match = begin_match(wish, names)
    message = _("Match {id} is also open: coyote play --match {id} resumes it.")
    say_all(message.format(id=kept.id) for kept in others if kept.match is not None)
    play_table(TerminalTable(journal, None, match))


def _table_of(journal: Journal, kept: ResumedMatch) -> TerminalTable:
    """Resume a stored match; after a fault it continues under a new number."""
    match = kept.match
    if match is None:
        why = "" if kept.fault is None else fault_text(None, kept.fault)
        raise click.ClickException(_("match {id} can't be read: {why}").format(id=kept.id, why=why))
    if not kept.is_over:
        click.echo(_("The match goes on: {names}.").format(names=", ".join(match.setup.names)))
    say_all(map(gap_text, kept.gaps))
    if kept.fault is None:
        return TerminalTable(journal, kept.id, match)
    message = _("It is readable only up to an error: {fault}")
    click.echo(message.format(fault=fault_text(match, kept.fault)))
    return TerminalTable(journal, journal.begin(match), match)


def is_requested(wish: PlayRequest, match: Match) -> bool:
    setup, names = match.setup, [name.casefold() for name in wish.names]
    is_theirs = not names or names == [name.casefold() for name in setup.names]
    return setup.game is wish.game and is_theirs and (wish.open_rules or wish.house == setup.house)


def begin_match(wish: PlayRequest, names: tuple[str, ...]) -> Match:
    match = begin(Setup(wish.game, wish.house, names, begun=wall.exact_timestamp()))
    if isinstance(match, Refusal):
        raise click.UsageError(refusal_text(Listener(wish.game.words, names, LANGUAGE), match))
    return match


def play_table(table: TerminalTable) -> None:
    say_all([*tell_head(table.listener, table.match), *news_texts(table.match, LANGUAGE)])
    while True:
        over = table.match.outcome is not None
        asked = terminal.standings if over else terminal.tell_asks
        say_all(asked(table.listener, table.match))
        text = _read_typed(_("Another match? yes / no: ") if over else "> ")
        if text is None or command_of(text) == "quit" or (over and text.casefold() in {"", *NO}):
            if not over and table.id is not None:
                click.echo(_("The match is stored; the same command resumes it."))
            return
        if not over or text.casefold() not in YES:
            _obey(table, text)
            continue
        after = rematch(table.match, wall.exact_timestamp())
        if isinstance(after, Refusal):
            say_all([refusal_text(table.listener, after)])
        else:
            table.id, table.match = None, after
            say_all(news_texts(after, LANGUAGE))


def _obey(table: TerminalTable, text: str) -> None:
    listener, match = table.listener, table.match
    typed = terminal.understand(listener, match, text, table.refused) if text else []
    if isinstance(typed, list):
        say_all(typed)
        return
    entry = replace(typed, at=wall.timestamp())
    try:
        if table.id is not None:
            after = enter(table.journal, table.id, match, entry)
        elif not isinstance(after := hear(match, entry), Refusal):
            # a match is stored from its first entry on
            table.id = table.journal.begin(after)
    except JournalError as problem:
        say_all([problem_text(problem.problem)])
        return
    table.refused = after if isinstance(after, Refusal) else None
    if isinstance(after, Refusal):
        say_all([refusal_text(listener, after)])
        return
    table.match = after
    say_all(news_texts(after, LANGUAGE))


def _read_typed(prompt: str) -> str | None:
    try:
        return " ".join(input(prompt).split())
    except (EOFError, KeyboardInterrupt, UnicodeDecodeError, RuntimeError):
        # end of input, Ctrl-C, invalid bytes, or no standard input
        click.echo()
        return None
