"""Sitting down: an open match is gone on with, or another one begins."""

import click

from firmware.cli.play import PlayRequest, is_requested
from firmware.language import wall_clock as wall
from firmware.language.speaking import LANGUAGE, _
from firmware.storage.journal import Journal, ResumedMatch, open_matches
from referee.contract import Refusal
from referee.match import Match, Setup, begin
from referee.telling import Listener, tell_refusal


def go_on(journal: Journal, kept: ResumedMatch, match: Match) -> tuple[int, Match]:
    """Go on with a match; past a fault it does under a new number."""
    return (kept.id if kept.fault is None else journal.begin(match)), match


def resume_or_begin(journal: Journal, wish: PlayRequest, seats: int) -> tuple[int | None, Match]:
    """Go on with the newest open match that is wished for, else begin one."""
    others = False
    for kept in open_matches(journal):
        others = True
        if kept.match is not None and not wish.fresh and is_requested(wish, kept.match):
            return go_on(journal, kept, kept.match)
    match = begin_match(wish, wish.names or seat_names(wish, seats))
    # one that was asked for, or beside others, is kept before its first answer: after a crash it is the newest
    return (journal.begin(match) if others or wish.fresh else None), match


def begin_match(wish: PlayRequest, names: tuple[str, ...]) -> Match:
    """Begin a match."""
    match = begin(Setup(wish.game, wish.house, names, begun=wall.exact_timestamp()))
    if isinstance(match, Refusal):
        raise click.UsageError(tell_refusal(Listener(wish.game.words, names, LANGUAGE), match))
    return match


def seat_names(wish: PlayRequest, seats: int) -> tuple[str, ...]:
    """Name as many seats as the board has, and the game allows."""
    can = wish.game.seats(wish.house)
    count = min(max(seats, can.start), can.stop - 1)
    return tuple(_("Seat {number}").format(number=number) for number in range(1, count + 1))
