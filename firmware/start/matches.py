"""Choose the match of a start: an open one is resumed, or another one begins."""

from contextlib import suppress

import click

from firmware.cli.board import choose_board
from firmware.cli.play import PlayRequest, begin_match, is_requested, request_from
from firmware.language.speaking import LANGUAGE, _
from firmware.start.plan import Plan, check_board, is_simulated
from firmware.start.supervisor import is_restart
from firmware.start.twin import simulated_lens
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.configuration import Play, RunOptions
from firmware.storage.errors import JournalError
from firmware.storage.journal import Journal, OpenedJournal, ResumedMatch, open_matches, read_again
from firmware.storage.match_marks import mark_of, note_kind
from firmware.storage.wired_board import is_raspberry
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice
from firmware.twin.simulated_table import bot_seats
from referee.contract import Game
from referee.games.catalogue import DISABLED, GAMES, GameError
from referee.match import Match
from referee.public_moment import encode_moment
from webui.views.bots import animals_of

SeatedMatch = tuple[int | None, Match]
"""A match with its number in the journal; None before its first answer is written."""


def sit_down_safely(journal: Journal, wished: RunOptions, plan: Plan) -> SeatedMatch:
    """Return the match to play. A start with defaults begins another one if no open match can be resumed."""
    if not plan.how.with_defaults:
        return sit_down(journal, wished, plan)
    try:
        number, match = sit_down(journal, wished, plan)
        # rules that fail as the match is shown would end this start, too
        encode_moment(match, LANGUAGE)
    except (click.ClickException, JournalError, GameError):
        raise
    except Exception:  # noqa: BLE001 - the rules of any game may raise anything
        click.echo(
            _("No open match can be resumed: a new one begins, and all open ones stay stored."), err=True
        )
        wish = wish_of(wished, Play())
        match = begin_match(wish, wish.names or seat_names(wish, wished, plan))
        return journal.begin(match), match
    return number, match


def sit_down(journal: Journal, wished: RunOptions, plan: Plan) -> SeatedMatch:
    """Return the match to play: the last one at a restart, or if the options name none."""
    is_chosen = wished.game or wished.edition or wished.seats or wished.agreed or wished.fresh
    if (not is_chosen or is_restart()) and (last := _last_played(journal, plan)) is not None:
        stored = read_again(journal, last)
        if stored is not None and stored.match is not None and not stored.is_over:
            return resume(journal, stored, stored.match)
    return resume_or_begin(journal, wish_of(wished, plan.settings.play), wished, plan)


def _last_played(journal: Journal, plan: Plan) -> int | None:
    """Return the match that a table of this kind wrote last."""
    for number in journal.by_writing():
        stored = read_again(journal, number)
        # one that can't be read counts, so that no older one continues unasked
        if stored is None or stored.match is None or plan.may_go_on(stored.match):
            return number
    return None


def note_played(here: TablePlaces, match: Match, number: int | None, plan: Plan) -> None:
    """Record which kind of table plays a stored match."""
    if number is not None:
        with suppress(OSError):
            note_kind(here.state, mark_of(match.setup.begun), plan.kind)


def resume_or_begin(journal: Journal, wish: PlayRequest, wished: RunOptions, plan: Plan) -> SeatedMatch:
    others = False
    for stored in open_matches(journal):
        others = True
        if stored.match is None or wish.fresh or not is_requested(wish, stored.match):
            continue
        if plan.may_go_on(stored.match):
            return resume(journal, stored, stored.match)
    match = begin_match(wish, wish.names or seat_names(wish, wished, plan))
    # written before its first answer if others are open, so that it is the newest after a crash
    return (journal.begin(match) if others or wish.fresh else None), match


def resume(journal: Journal, stored: ResumedMatch, match: Match) -> SeatedMatch:
    """Resume a match; past a fault it continues under a new number.

    After a lost answer the new number is given with the next answer. Until then the host may enter the lost
    one, and all later answers are replayed.
    """
    if stored.asks_host:
        return None, match
    if stored.fault is not None:
        return journal.begin(match), match
    journal.take_up(stored.id)
    return stored.id, match


def lost_answers(opened: OpenedJournal) -> Notice | None:
    """Return a notice with the matches that need the host to enter a lost answer."""
    stored = (read_again(opened.journal, number) for number in opened.missing)
    numbers = ", ".join(str(each.id) for each in stored if each is not None and each.asks_host)
    return Notice(NoticeKey.ANSWER_LOST, {"matches": numbers}) if numbers else None


def seat_names(wish: PlayRequest, wished: RunOptions, plan: Plan) -> tuple[str, ...]:
    """Return a name for each seat of the board that the game allows; bots get names of animals."""
    allowed = wish.game.rules.seats(wish.house)
    count = min(max(plan.seats, allowed.start), allowed.stop - 1)
    seats = tuple(_("Seat {number}").format(number=number) for number in range(1, count + 1))
    bots = bot_seats(wished, count) if plan.is_twin else frozenset()
    return tuple(
        animal if seat in bots and animal else name
        for seat, (name, animal) in enumerate(zip(seats, animals_of(seats), strict=True))
    )


def wish_of(wished: RunOptions, play: Play) -> PlayRequest:
    """Return the requested match: the options first, then the configuration."""
    name = wished.game or play.game
    if name in DISABLED:
        return request_from(usual_game(), None, wished.seats, (), fresh=wished.fresh)
    if name not in GAMES:
        raise click.UsageError(_("there is no game {name}").format(name=name))
    is_usual = name == play.game and wished.edition is None
    usual = tuple(f"{key}={value}" for key, value in play.house.items()) if is_usual else ()
    seats = wished.seats or ",".join(play.seats) or None
    wish = request_from(GAMES[name], wished.edition, seats, wished.agreed or usual, fresh=wished.fresh)
    most = len(wish.names) or wish.game.rules.seats(wish.house).stop - 1
    if wished.bots is not None and wished.bots > most:
        raise click.UsageError(_("--bots {bots}: at most {seats} here").format(bots=wished.bots, seats=most))
    return wish


def usual_game() -> Game:
    """Return the default game, or another one if it is disabled."""
    name = Play().game if Play().game in GAMES else next(iter(GAMES), "")
    if not name:
        raise click.ClickException(_("No game works: each one has failed. Reinstall Coyote Table."))
    return GAMES[name]


def other_match(before: Match, wished: RunOptions, plan: Plan) -> Match:
    """Begin a match of the usual game, with the same people if it allows as many."""
    wish, names = request_from(usual_game(), None, None, (), fresh=True), before.setup.names
    is_fit = len(names) in wish.game.rules.seats(wish.house)
    return begin_match(wish, names if is_fit else seat_names(wish, wished, plan))


def is_mistyped(wished: RunOptions) -> bool:
    """Return whether an option is wrong: then the failure of a start isn't counted."""
    try:
        wish = wish_of(wished, Play())
        if wish.names:
            begin_match(wish, wish.names)
        if wished.profile is not None:
            choose_board(wished.profile)
        if is_simulated(wished, None, is_pi=is_raspberry()):
            simulated_lens(wished)
        check_board(wished, is_pi=is_raspberry())
    except click.UsageError:
        return True
    return False
