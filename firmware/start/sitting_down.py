"""Sitting down: an open match is gone on with, or another one begins."""

import click

from firmware.cli.play import PlayArguments, PlayRequest, is_requested, request_from
from firmware.language import wall_clock as wall
from firmware.language.speaking import LANGUAGE, _
from firmware.start.planning import Plan
from firmware.start.supervisor import is_restart
from firmware.storage.configuration import Play, RunOptions
from firmware.storage.errors import JournalError
from firmware.storage.journal import Journal, OpenedJournal, ResumedMatch, open_matches, read_again
from firmware.table.notices import LOST_ANSWER, Notice
from firmware.twin.simulated_table import bot_seats
from referee.contract import Refusal
from referee.games.catalogue import GAMES
from referee.match import Match, Setup, begin
from referee.public_moment import encode_moment
from referee.telling import Listener, tell_refusal
from webui.drawing.bots import animals_of


def go_on(journal: Journal, kept: ResumedMatch, match: Match) -> tuple[int | None, Match]:
    """Go on with a match; past a fault it does under a new number.

    Where an answer is lost, that number is given with the next answer only: until then the host may say what it
    was, and all that was answered later follows.
    """
    if kept.asks_host:
        return None, match
    return (kept.id if kept.fault is None else journal.begin(match)), match


def lost_answers(opened: OpenedJournal) -> Notice | None:
    """Name the matches that can't be read past a lost answer: the host has to say what it was."""
    kept = (read_again(opened.journal, number) for number in opened.missing)
    numbers = [str(each.id) for each in kept if each is not None and each.asks_host]
    return Notice(LOST_ANSWER, {"matches": ", ".join(numbers)}) if numbers else None


def resume_or_begin(
    journal: Journal, wish: PlayRequest, wished: RunOptions, plan: Plan
) -> tuple[int | None, Match]:
    """Go on with the newest open match that is wished for, else begin one."""
    others = False
    for kept in open_matches(journal):
        others = True
        if kept.match is not None and not wish.fresh and is_requested(wish, kept.match):
            return go_on(journal, kept, kept.match)
    match = begin_match(wish, wish.names or seat_names(wish, wished, plan))
    # one that was asked for, or beside others, is kept before its first answer: after a crash it is the newest
    return (journal.begin(match) if others or wish.fresh else None), match


def begin_match(wish: PlayRequest, names: tuple[str, ...]) -> Match:
    """Begin a match."""
    match = begin(Setup(wish.game, wish.house, names, begun=wall.exact_timestamp()))
    if isinstance(match, Refusal):
        raise click.UsageError(tell_refusal(Listener(wish.game.words, names, LANGUAGE), match))
    return match


def seat_names(wish: PlayRequest, wished: RunOptions, plan: Plan) -> tuple[str, ...]:
    """Name as many seats as the board has, and the game allows; where bots play, they are the animals."""
    can = wish.game.rules.seats(wish.house)
    count = min(max(plan.seats, can.start), can.stop - 1)
    seats = tuple(_("Seat {number}").format(number=number) for number in range(1, count + 1))
    bots = bot_seats(wished, count) if plan.is_twin else frozenset()
    return tuple(
        animal if seat in bots and animal else name
        for seat, (name, animal) in enumerate(zip(seats, animals_of(seats), strict=True))
    )


def wish_of(wished: RunOptions, play: Play) -> PlayRequest:
    """Understand what was asked for; what wasn't said is as the configuration has it."""
    name = wished.game or play.game
    if name not in GAMES:
        raise click.UsageError(_("{name}: there is no such game").format(name=name))
    is_usual = name == play.game and wished.edition is None
    usual = tuple(f"{key}={value}" for key, value in play.house.items()) if is_usual else ()
    agreed = wished.agreed or usual
    seats = wished.seats or ",".join(play.seats) or None
    return request_from(GAMES[name], PlayArguments(wished.edition, seats, agreed, wished.fresh))


def sit_down_safely(journal: Journal, wished: RunOptions, plan: Plan) -> tuple[int | None, Match]:
    """Sit down; if no match can be gone on with, a start with defaults begins another one, and all are kept."""
    try:
        number, match = sit_down(journal, wished, plan)
        if plan.how.with_defaults:
            # one whose rules fail when it is shown would end this start, too
            encode_moment(match, LANGUAGE)
    except (click.ClickException, JournalError):
        raise
    except Exception:
        if not plan.how.with_defaults:
            raise
    else:
        return number, match
    click.echo(_("No open match can be gone on with: another one begins, and all are kept."), err=True)
    wish = wish_of(wished, Play())
    match = begin_match(wish, wish.names or seat_names(wish, wished, plan))
    return journal.begin(match), match


def sit_down(journal: Journal, wished: RunOptions, plan: Plan) -> tuple[int | None, Match]:
    """Sit down: at the match that was on last, if nothing else is wished for or it was on just now."""
    nothing_said = not (wished.game or wished.edition or wished.seats or wished.agreed or wished.fresh)
    if nothing_said or is_restart():
        latest = journal.latest()
        kept = None if latest is None else read_again(journal, latest)
        if kept is not None and kept.match is not None and not kept.is_over:
            return go_on(journal, kept, kept.match)
    return resume_or_begin(journal, wish_of(wished, plan.settings.play), wished, plan)
