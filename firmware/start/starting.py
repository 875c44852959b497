"""Putting the table together: what is wired, what is wished for, who joins in; the lamps before the eyes."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from threading import Event
from time import monotonic, process_time, sleep

import click
from msgspec.structs import replace

from firmware.board.inputs.button_input import ButtonInput
from firmware.board.inputs.buttons import Buttons
from firmware.board.outputs.dialled import dial_words
from firmware.board.outputs.voices import Voices
from firmware.board_events import Edge
from firmware.cli.board import choose_board
from firmware.cli.output import complain
from firmware.cli.play import PlayRequest, begin_match, is_requested, request_from
from firmware.cli.terminal import Keyboard, Printer, listener_of
from firmware.language.speaking import LANGUAGE, _, error_text, game_error_text, problem_text, trouble_text
from firmware.services.addresses import may_take_low_ports, ports_to_try
from firmware.services.card_lines import CutCorrections
from firmware.services.photographs import OtherDecks
from firmware.start import safe_start, table_at_start
from firmware.start.forget import forget_at_start
from firmware.start.guarding import end_program
from firmware.start.phones import Phones
from firmware.start.supervisor import end_signals, has_parent, is_restart, is_wanted
from firmware.start.table_at_start import Plan, camera_of, make_plan, sound_at
from firmware.state_folder import LINKS, log_path, state_directory
from firmware.storage import journal as journals
from firmware.storage import state_place
from firmware.storage.backups.archive import TablePlaces, places
from firmware.storage.backups.copies import drop_sticks
from firmware.storage.backups.restoring import finish_restore
from firmware.storage.configuration import Play, RunOptions, count_try
from firmware.storage.configuration import end_trial as chosen_proven
from firmware.storage.errors import JournalError
from firmware.storage.fallback_journal import FallbackJournal
from firmware.storage.files import is_private, make_private, scratch
from firmware.storage.forgetting import KeptEverywhere, drop_clips
from firmware.storage.match_marks import is_kept_paused, keep_pause, part_pictures
from firmware.storage.people.evening import held_seats
from firmware.storage.people.links_file import drop_delay
from firmware.storage.wired_board import is_raspberry
from firmware.table.client import Stop
from firmware.table.logbook import Logbook
from firmware.table.loop import Companion
from firmware.table.loop_parts import Failure, Item, Parts
from firmware.table.notices import LOST_ANSWER, Notice
from firmware.table.state import at_start
from firmware.table.systemd import more_time, notify, slowness_of
from firmware.table.watcher import Watcher
from firmware.table.writer import NO_FALLBACK, Fallback, Writer
from firmware.twin.simulated_board import SimulatedPins
from firmware.twin.simulated_table import NoTwin, bot_seats, open_twin
from firmware.twin.typed_commands import typed_commands
from firmware.updates.layout import named_folder
from hardware.board.board import BoardError
from hardware.board.usb_box import usb_keys
from referee.contract import Game
from referee.games.catalogue import DISABLED, GAMES, GameError
from referee.match import Match
from referee.public_moment import encode_moment
from referee.record import begun_in
from vision.process.supervision import SupervisedEyes
from vision.table.thrift import give_back_memory
from webui.views.bots import animals_of

CHECKED = "COYOTE_CHECKED"
"""In the environment of a table whose version is checked: playing from memory would hide that it can't keep."""
PIN_TIMEOUT, PIN_RETRY_INTERVAL = (
    2.0,
    0.2,
)  # seconds that another program may still have a pin, and between two tries
REST = 30.0
"""Seconds before the system tries again what no start can mend: who writes all day wears out a card."""


def start(wished: RunOptions, journal: Path) -> int:
    for name in end_signals():
        if name != signal.SIGINT:
            signal.signal(name, end_program)
    # all that a table keeps is its owner's alone, as under systemd
    os.umask(0o077)
    try:
        return _start_at(state_place.choose_place(journal), wished)
    except JournalError as error:
        raise click.ClickException(error_text(error)) from error


def _start_at(place: state_place.StatePlace, wished: RunOptions) -> int:
    """Run the table with its state where it can be now; a journal that can't be used moves it into memory."""
    state_place.use_place(place)
    here = places(place.journal, wished.config)

    def elsewhere(error: JournalError) -> int | None:
        is_elsewhere = place.unsaved is not None or CHECKED in os.environ
        why = None if is_elsewhere else state_place.journal_problem(error)
        if why is None:
            return None
        return _start_at(state_place.place_in_memory(place.disk, place.disk_journal, why), wished)

    rest = 0.0 if has_parent() else REST
    trouble = safe_start.FailurePolicy(log_path(), lambda: _is_typed(wished), rest, elsewhere)
    return safe_start.start_safely(here, lambda how: _run(wished, here, how, place), trouble)


def _run(wished: RunOptions, here: TablePlaces, how: safe_start.Start, place: state_place.StatePlace) -> int:
    slowness = slowness_of(process_time())
    notify(more_time(slowness))
    # a path raises where the folder is another user's
    has_played = any(map(os.path.exists, (here.journal, place.disk_journal)))
    with _working_folder() as folder, ExitStack() as ends:
        how = replace(how, told=(*how.told, *_make_ready(here, place)))
        plan = make_plan(wished, folder, here, how, place, has_played=has_played)
        plan = replace(plan, slowness=slowness, camera=camera_of(plan, wished))
        if not plan.is_twin:
            # decks are drawn once; a twin goes on drawing
            give_back_memory()
        opened = ends.enter_context(journals.open_journal(here.journal))
        complain(map(problem_text, opened.repairs()))
        with suppress(OSError):
            # no match shows what another one of its number has left, as after a backup
            heads = ((kept.id, begun_in(kept.head)) for kept in opened.journal.matches())
            part_pictures(here.state, heads)
        count_try(here.state)
        while True:
            try:
                return _play(wished, here, plan, opened)
            except GameError as error:
                # the second failure takes the game from the table: then there is another match
                complain([f"coyote: {game_error_text(error)}"])


def _play(wished: RunOptions, here: TablePlaces, plan: Plan, opened: journals.OpenedJournal) -> int:
    """Sit down at a match, open all parts of the table round it, and play."""
    with ExitStack() as ends:
        number, match = sit_down_safely(opened.journal, wished, plan)
        # a game that fails from the beginning does so before any part is open
        at_start(match, number, 0.0)
        has_pages = Event()
        world = table_at_start.world_of(ends, match, plan, wished, has_pages) if plan.is_twin else None
        lines, fallback = _journal_and_fallback(ends, opened.journal, here, plan.place)
        store = KeptEverywhere(lines, here), fallback

        def end_trials() -> None:
            for proven in (chosen_proven, safe_start.forget_failed_starts, safe_start.note_came_up):
                proven(here.state)

        proof = safe_start.Proof({"eyes", "pages"} if wished.port != 0 else {"eyes"}, end_trials)
        eyes = partial(table_at_start.open_eyes, plan, match, None if world is None else world.shown)
        companion = _companion(plan, store, (number, match), eyes, lambda: proof.note("eyes"), wished)
        ends.callback(companion.close)
        for name in end_signals():
            signal.signal(name, lambda *_signal: companion.put(Stop()))
        wires = plan.board, plan.factory
        client, links = companion.client, table_at_start.links_at_start(companion.client)
        seats = wished, lambda: held_seats(links.evening())
        twin = NoTwin() if world is None else open_twin(ends, client, world, wires, seats, animals_of)
        # the terminal joins in, each way in a thread of its own
        if plan.is_twin or sys.stdout.isatty():
            ends.callback(Printer(client).close)
        if plan.is_twin or sys.stdin.isatty():
            Keyboard(client, lambda: companion.put(Stop()), typed_commands(twin) if twin.is_there else {})
        client.report(LOST_ANSWER, lost_answers(opened))
        table_at_start.open_outlets(ends, plan.settings, client)
        completed = table_at_start.table_maker(ends, plan, here, companion, links=links, twin=twin)
        if wished.port == 0:
            has_pages.set()
        else:
            https = wished.https or plan.settings.pages.https
            at_open = partial(note_pages, companion, proof, plan.how, has_pages)
            ports = ports_to_try(wished.port, "https" if https else "http", may_take_low=may_take_low_ports())
            phones = Phones(client, ports, completed, https=https, at_open=at_open, slowness=plan.slowness)
            ends.callback(phones.close)
        return companion.run()


def _make_ready(here: TablePlaces, place: state_place.StatePlace) -> tuple[str, ...]:
    """Bring what is kept to its place and into its form; give what people have to know of that."""
    if place.unsaved is None:
        if not all(map(is_private, (here.state, here.journal))):
            # a version before kept files that others can read
            make_private(here.state.resolve())
        told = complain(map(problem_text, state_place.take_back_memory(place.state, place.journal)))
    else:
        told = ()
        complain(map(problem_text, (place.unsaved, *state_place.cures(place))))
    safe_start.keep_older_form(here.state)
    try:
        complain(map(problem_text, finish_restore(here)))
    except JournalError as error:
        # whatever hinders it, it is a start that fails
        raise safe_start.StartError(error_text(error), "backup") from error
    forget_at_start(here)
    count = drop_clips(here.state)
    clips = _("Clips of rulings are kept no more; deleted: {count}.").format(count=count)
    return (*told, *complain([clips] if count else []), *complain(_drop_removed(here)))


def _drop_removed(here: TablePlaces) -> Iterator[str]:
    """Delete what earlier versions stored and this one ignores; yields a sentence for each."""
    if drop_delay(here.state / LINKS):
        yield _("Spectators see the table at once: the delay that was chosen for them is ignored.")
    if drop_sticks(here.state):
        told = _("USB sticks that were chosen get no second copy any more: name one folder in {file}.")
        yield told.format(file=here.configuration)


@contextmanager
def _working_folder() -> Iterator[Path]:
    """Give a folder for what needn't survive: the supervisor's, mostly in memory, or a temporary one."""
    given = named_folder("RUNTIME_DIRECTORY")
    with scratch() if given is None else nullcontext(given) as folder:
        yield folder


def _journal_and_fallback(
    ends: ExitStack, journal: journals.Journal, here: TablePlaces, place: state_place.StatePlace
) -> tuple[journals.Journal | FallbackJournal, Fallback]:
    """Write to memory while the disk refuses lines; not where all is in memory, or a version is checked."""
    if place.unsaved is not None or CHECKED in os.environ:
        return journal, NO_FALLBACK
    fallback = FallbackJournal(journal, here.journal)
    ends.callback(fallback.close)
    return fallback, fallback


def _companion(
    plan: Plan,
    store: tuple[KeptEverywhere, Fallback],
    seated: tuple[int | None, Match],
    eyes: Callable[[], SupervisedEyes],
    at_ready: Callable[[], None],
    wished: RunOptions,
) -> Companion:
    queue: SimpleQueue[Item] = SimpleQueue()
    buttons, wrong = _buttons(plan, queue.put)
    told, unsaved = (*plan.how.told, *wrong), plan.place.unsaved
    number, match = seated
    state, log = state_directory(), Logbook(log_path())
    log.note("start", match=number, twin=plan.is_twin, defaults=plan.how.with_defaults)
    (kept, fallback), corrections = store, CutCorrections(OtherDecks(queue.put).pass_on)
    parts = Parts(
        queue,
        ButtonInput(plan.board, usb_keys(plan.usb)),
        buttons,
        Voices(plan.board, sound_at(plan), plan.factory),
        Writer(kept, queue.put, fallback, partial(keep_pause, state)),
        Watcher(eyes, corrections.pass_on),
        log,
        listener_of,
        sights=partial(table_at_start.orders_for_match, plan),
        is_wanted=is_wanted,
        at_ready=at_ready,
        set_aside=Notice("set aside", {"told": "\n".join(told)}) if told else None,
        unsaved=None if unsaved is None else Notice(unsaved.key, unsaved.values),
        was_paused=is_kept_paused(state, match, number),
        needs_eyes=not plan.how.with_defaults,
        slowness=plan.slowness,
        dial_words=dial_words,
        other_match=lambda before: other_match(before, wished, plan),
    )
    companion = Companion(parts, match, number)
    corrections.sit_down(companion.client)
    return companion


def note_pages(
    companion: Companion,
    proof: safe_start.Proof,
    how: safe_start.Start,
    have_settled: Event,
    error: Exception | None,
) -> None:
    have_settled.set()
    if error is None:
        proof.note("pages")
    elif not how.with_defaults:
        companion.put(Failure(error))
    else:
        why = error.format_message() if isinstance(error, click.ClickException) else str(error)
        companion.client.report("no pages", Notice("no pages", {"why": why}))


def _buttons(plan: Plan, put: Callable[[Edge], None]) -> tuple[Buttons, tuple[str, ...]]:
    until = monotonic() + PIN_TIMEOUT
    while True:
        try:
            return Buttons(plan.board, put, plan.factory), ()
        except BoardError as error:
            if error.trouble.key == "no pins" or monotonic() > until:
                told = _("No button works: {why}. Phones can say all that buttons say.")
                told = told.format(why=trouble_text(error.trouble))
                return Buttons(plan.board, put, SimulatedPins()), complain([told])
        # another program has a pin, and may be on its way out
        sleep(PIN_RETRY_INTERVAL)


# what was asked for


def _is_typed(wished: RunOptions) -> bool:
    try:
        wish = wish_of(wished, Play())
        if wish.names:
            begin_match(wish, wish.names)
        if wished.profile is not None:
            choose_board(wished.profile)
        if wished.twin or not is_raspberry():
            table_at_start.simulated_lens(wished)
    except click.UsageError:
        return True
    return False


# sitting down: an open match is gone on with, or another one begins


def go_on(journal: journals.Journal, kept: journals.ResumedMatch, match: Match) -> tuple[int | None, Match]:
    """Go on with a match; past a fault it does under a new number.

    Where an answer is lost, that number is given with the next answer only: until then the host may say what it
    was, and all that was answered later follows.
    """
    if kept.asks_host:
        return None, match
    if kept.fault is not None:
        return journal.begin(match), match
    journal.take_up(kept.id)
    return kept.id, match


def lost_answers(opened: journals.OpenedJournal) -> Notice | None:
    """Name the matches that can't be read past a lost answer: the host has to say what it was."""
    kept = (journals.read_again(opened.journal, number) for number in opened.missing)
    numbers = [str(each.id) for each in kept if each is not None and each.asks_host]
    return Notice(LOST_ANSWER, {"matches": ", ".join(numbers)}) if numbers else None


def resume_or_begin(
    journal: journals.Journal, wish: PlayRequest, wished: RunOptions, plan: Plan
) -> tuple[int | None, Match]:
    others = False
    for kept in journals.open_matches(journal):
        others = True
        if kept.match is not None and not wish.fresh and is_requested(wish, kept.match):
            return go_on(journal, kept, kept.match)
    match = begin_match(wish, wish.names or seat_names(wish, wished, plan))
    # one that was asked for, or beside others, is kept before its first answer: after a crash it is the newest
    return (journal.begin(match) if others or wish.fresh else None), match


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
    if name in DISABLED:
        return request_from(usual_game(), None, wished.seats, (), fresh=wished.fresh)
    if name not in GAMES:
        raise click.UsageError(_("{name}: there is no such game").format(name=name))
    is_usual = name == play.game and wished.edition is None
    usual = tuple(f"{key}={value}" for key, value in play.house.items()) if is_usual else ()
    seats = wished.seats or ",".join(play.seats) or None
    return request_from(GAMES[name], wished.edition, seats, wished.agreed or usual, fresh=wished.fresh)


def usual_game() -> Game:
    """Give the game that is played if none is wished for; another one if that is disabled."""
    name = Play().game if Play().game in GAMES else next(iter(GAMES), "")
    if not name:
        raise click.ClickException(_("No game can be played: each has failed. Install Coyote Table again."))
    return GAMES[name]


def other_match(before: Match, wished: RunOptions, plan: Plan) -> Match:
    """Begin a match of another game, with the same people where so many may play."""
    wish, names = request_from(usual_game(), None, None, (), fresh=True), before.setup.names
    is_fit = len(names) in wish.game.rules.seats(wish.house)
    return begin_match(wish, names if is_fit else seat_names(wish, wished, plan))


def sit_down_safely(journal: journals.Journal, wished: RunOptions, plan: Plan) -> tuple[int | None, Match]:
    """Sit down; if no match can be gone on with, a start with defaults begins another one, and all are kept."""
    try:
        number, match = sit_down(journal, wished, plan)
        if plan.how.with_defaults:
            # one whose rules fail when it is shown would end this start, too
            encode_moment(match, LANGUAGE)
    except (click.ClickException, JournalError, GameError):
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


def sit_down(journal: journals.Journal, wished: RunOptions, plan: Plan) -> tuple[int | None, Match]:
    """Sit down: at the match that was on last, if nothing else is wished for or it was on just now."""
    is_said = wished.game or wished.edition or wished.seats or wished.agreed or wished.fresh
    if (not is_said or is_restart()) and (last := journal.last_written()) is not None:
        kept = journals.read_again(journal, last)
        if kept is not None and kept.match is not None and not kept.is_over:
            return go_on(journal, kept, kept.match)
    return resume_or_begin(journal, wish_of(wished, plan.settings.play), wished, plan)
