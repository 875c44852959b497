"""The loop: one thread, one queue. It passes each item to the handler of its subject, and checks health."""

from collections.abc import Sequence
from contextlib import suppress
from queue import Empty
from traceback import format_exc

from msgspec.structs import replace

from firmware import board_events
from firmware.language import wall_clock as wall
from firmware.table import client, effects, state, watcher, writer
from firmware.table.board_handler import BoardHandler
from firmware.table.camera_handler import CameraHandler
from firmware.table.hosting import give_up_looking, pause_table
from firmware.table.journal_handler import JournalHandler
from firmware.table.loop_parts import Item, Parts
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice
from firmware.table.step_runner import StepRunner
from firmware.table.systemd import AGAIN, ALIVE, STOPPING, notify, ready
from referee.match import Match

BATCH_SIZE = 200  # queued items handled in one turn; a flood waits for the next turn
CHECK_INTERVAL = 1.0  # seconds between health checks
WRITER_TIMEOUT = 5.0  # seconds at shutdown for the last answer to reach the disk
LASTING_TROUBLES = frozenset({"voice hangs", "voice failed", "no spi", "spi refused"})
"""Board troubles that last; a speech program that isn't installed is none."""


class Companion:
    """The table's main loop, with one handler each for board, camera process and journal."""

    def __init__(self, parts: Parts, match: Match, number: int | None) -> None:
        self._parts = parts
        self._now = parts.clock()
        parts.button_input.hold(parts.buttons.held, self._now)
        self._runner = StepRunner(parts, match, number, self._now)
        self.board = BoardHandler(parts, self._runner)
        self._camera = CameraHandler(parts, self._runner, self._now)
        self._journal = JournalHandler(parts, self._runner)
        self._next_second = self._heard = self._now
        self._code: int | None = None
        self._button_failures, self._has_ended = 0, False
        self.longest = 0.0
        """Duration of the longest turn in seconds, without the wait for the queue."""

    @property
    def client(self) -> client.TableClient:
        return self._runner.client

    @property
    def table(self) -> state.TableState:
        return self._runner.table

    def put(self, item: Item) -> None:
        self._parts.queue.put(item)

    def means(self) -> frozenset[str]:
        """Return the names of the outputs that work now; any thread may call it."""
        return self._parts.voices.means()

    def run(self) -> int:
        """Run until a stop is requested. Returns the exit code; AGAIN requests a restart."""
        try:
            with self._runner.safely():
                self._begin()
            notify(ready(self._parts.slowness))
            while self._code is None:
                item = self._next_item()
                start = self._parts.clock()
                self._turn(item, start)
                self.longest = max(self.longest, self._parts.clock() - start)
        except Exception:
            self._parts.log.note("crash", trace=format_exc())
            raise
        finally:
            self._end()
        return self._code

    def close(self) -> None:
        """Close all parts, whether or not the loop has run."""
        if not self._has_ended:
            self._end()

    def _begin(self) -> None:
        runner = self._runner
        runner.run((replace(runner.table, wall=wall.timestamp()), runner.first_effects))
        if self._parts.was_paused:
            runner.run(pause_table(runner.table, 0, self._now))
        for notice in (self._parts.unsaved, self._parts.set_aside):
            if notice is not None:
                self._parts.log.note("notice", key=notice.key, values=notice.values)
                runner.troubles.begin(notice.key, notice)

    def _end(self) -> None:
        """Wait for the last write, turn the lamps off and close the camera process."""
        self._has_ended = True
        notify(STOPPING)
        is_written = self._parts.writer.close(WRITER_TIMEOUT)
        self._runner.cancel_requests()
        self._camera.cancel_requests()
        self._parts.buttons.close()
        self._parts.voices.close()
        self._parts.eyes.close()
        self._parts.log.note("end", code=self._code, written=is_written, longest=round(self.longest, 3))
        self._parts.log.close()

    # one turn

    def _next_item(self) -> Item | None:
        wait = self._next_due() - self._parts.clock()
        try:
            return self._parts.queue.get(timeout=wait) if wait > 0 else self._parts.queue.get_nowait()
        except Empty:
            return None

    def _next_due(self) -> float:
        button_input = self._parts.button_input
        clock, pending = state.next_due(self._runner.table), button_input.oldest_pending()
        if clock is not None and pending is not None and pending < clock:
            clock = None
        return min(at for at in (self._next_second, button_input.due(), clock) if at is not None)

    def _turn(self, item: Item | None, now: float) -> None:
        runner, button_input = self._runner, self._parts.button_input
        self._now = now
        batch = self._batch(item)
        self._heard = self._heard_until(batch, now)
        for each in batch:
            with runner.safely():
                self._dispatch(each)
        self._now = self._parts.clock()
        with runner.safely():
            self.board.handle(button_input.look(self._heard, runner.table.match), self._now)
        if self._now >= self._next_second:
            self._next_second = self._now + CHECK_INTERVAL
            with runner.safely():
                self._check()
        with runner.safely():
            self._pass_time()
        with runner.safely():
            runner.leave_disabled_game(self._now)

    def _batch(self, first: Item | None) -> list[Item]:
        """Return the queued items, at most BATCH_SIZE, so that presses can be put in order."""
        batch = [] if first is None else [first]
        with suppress(Empty):
            while len(batch) < BATCH_SIZE:
                batch.append(self._parts.queue.get_nowait())
        return batch

    def _heard_until(self, batch: Sequence[Item], now: float) -> float:
        """Return the time up to which all edges have arrived: a full batch may leave some in the queue."""
        if len(batch) < BATCH_SIZE:
            return now
        return max((each.at for each in batch if isinstance(each, board_events.Edge)), default=self._heard)

    def _pass_time(self) -> None:
        pending = self._parts.button_input.oldest_pending()
        until = self._heard if pending is None else min(self._heard, pending)
        self._runner.run(state.pass_time(self._runner.table, until))

    def _dispatch(self, item: Item) -> None:
        table = self._runner.table
        match item:
            case board_events.Edge() if not self.board.takes_edge(item, table.match):
                events = self._parts.button_input.feed(item, state.match_at(table, item.at))
                self.board.handle(events, self._now)
            case watcher.EyesStarted() | watcher.EyesNews() | watcher.EyesGone():
                self._camera.handle(item, self._now)
            case client.EyesRequest():
                self._camera.request(item)
            case writer.EntryKept() | writer.EntryNotKept() | writer.PauseKept() | writer.SavingReport():
                self._journal.handle(item, self._now)
            case writer.Pause() | writer.SaveAgain() | writer.JournalChange():
                self._journal.request(item)
            case client.HostRequest():
                self._runner.run_request(item, self._now)
            case effects.NoteTrouble(name, trouble):
                self._runner.note_trouble(name, trouble)
            case client.Stop(code):
                self._stop(code)
            case Exception():
                raise item

    def _stop(self, code: int) -> None:
        self._code = code
        if code == AGAIN and self._runner.table.id is None:
            # store the match now, so that it goes on after the restart even without an answer
            self._parts.writer.give(effects.Write(None, self._runner.table.match))

    # health

    def _check(self) -> None:
        """Check buttons, outputs, parent and camera process; feed the watchdog if all is well."""
        runner = self._runner
        runner.table = replace(runner.table, wall=wall.timestamp())
        buttons, log = self._parts.buttons, self._parts.log
        lost = buttons.lost_edges(self._now)
        if lost:
            log.note("lost edges", count=len(lost))
        for edge in lost:
            # through the queue, behind edges that already wait there
            self.put(edge)
        if buttons.failures != self._button_failures:
            self._button_failures = buttons.failures
            log.note("failures of buttons", count=self._button_failures)
        for trouble in self._parts.voices.troubles():
            runner.say(trouble)
            if trouble.key in LASTING_TROUBLES:
                runner.troubles.begin((trouble.key, trouble.values.get("voice")), trouble)
        if not self._parts.buttons.is_alive():
            runner.say(Notice(NoticeKey.BUTTONS_DIED))
            self._code = AGAIN
        elif not self._parts.is_wanted():
            self._code = 0
        else:
            runner.run(give_up_looking(runner.table, self._now))
            if self._camera.check(self._now):
                notify(ALIVE)
