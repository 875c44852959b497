"""Open the loop: its inputs and outputs, the writer of the journal, and the watcher of the eyes."""

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from queue import SimpleQueue

from msgspec import Struct

from firmware.board.inputs.button_input import ButtonInput
from firmware.board.outputs.dialled import dial_words
from firmware.board.outputs.voices import Voices
from firmware.cli.terminal import listener_of
from firmware.services.photographs import OtherDecks
from firmware.start.board import open_buttons
from firmware.start.eyes import orders_for_match
from firmware.start.matches import SeatedMatch
from firmware.start.plan import Plan, sound_at
from firmware.start.safe_start import Suspect
from firmware.start.storage import Store
from firmware.start.supervisor import is_wanted
from firmware.state_folder import log_path, state_directory
from firmware.storage.match_marks import is_kept_paused, keep_pause
from firmware.table.logbook import Logbook
from firmware.table.loop import Companion
from firmware.table.loop_parts import Item, Parts
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice
from firmware.table.watcher import FromEyes, Watcher
from firmware.table.writer import Writer
from hardware.board.usb_box import usb_keys
from referee.match import Match
from vision.process.supervision import SupervisedEyes


class Hooks(Struct, frozen=True, eq=False):
    """The functions that the loop calls back."""

    open_eyes: Callable[[], SupervisedEyes]
    note_eyes: Callable[[FromEyes], None]
    """Receives each message of the eyes before the loop."""
    at_ready: Callable[[], None]
    """Called once the table is ready and its eyes have reported."""
    other_match: Callable[[Match], Match]
    """Return another match after the game of the first was disabled."""


def open_loop(ends: ExitStack, plan: Plan, store: Store, seated: SeatedMatch, hooks: Hooks) -> Companion:
    """Open the loop with everything that it reads and drives."""
    number, match = seated
    queue: SimpleQueue[Item] = SimpleQueue()
    buttons, wrong = open_buttons(plan, queue.put)
    log, decks = Logbook(log_path()), OtherDecks(queue.put)
    log.note("start", match=number, twin=plan.is_twin, defaults=plan.how.with_defaults)

    def pass_on(item: FromEyes) -> None:
        hooks.note_eyes(item)
        decks.pass_on(item)

    parts = Parts(
        queue,
        ButtonInput(plan.board, usb_keys(plan.usb)),
        buttons,
        Voices(plan.board, sound_at(plan), plan.factory),
        Writer(store.journal, queue.put, store.fallback, partial(keep_pause, state_directory())),
        Watcher(hooks.open_eyes, pass_on),
        log,
        listener_of,
        sights=partial(orders_for_match, plan),
        is_wanted=is_wanted,
        at_ready=hooks.at_ready,
        set_aside=_start_notice((*plan.how.told, *wrong)),
        unsaved=plan.place.unsaved,
        was_paused=is_kept_paused(state_directory(), match, number),
        needs_eyes=plan.needs_eyes,
        at_blind=partial(plan.how.blame, Suspect("camera", plan.seen_by)),
        slowness=plan.slowness,
        dial_words=dial_words,
        other_match=hooks.other_match,
    )
    companion = Companion(parts, match, number)
    ends.callback(companion.close)
    return companion


def _start_notice(sentences: tuple[str, ...]) -> Notice | None:
    """Return the notice of what the start set aside, shown until the table ends."""
    return Notice(NoticeKey.SET_ASIDE, {"told": "\n".join(sentences)}) if sentences else None
