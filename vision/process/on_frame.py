"""The eyes as pure functions: from a state and a picture or order to the next state and messages."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from vision.pictures import Picture, load_picture, packed_jpeg, small_jpeg, unpack_picture
from vision.process import messages, watching
from vision.process.card_table import LAY_CARDS
from vision.process.covered_cards import mark_more_below, recall_covered
from vision.process.evidence import Sidecar, annotate_picture, as_jpeg, keep_evidence
from vision.process.eyes_state import CHECKED, EyesState, EyesStep, FrameState, HeldReading, note_problems
from vision.process.free_cards import Sought, show_cards
from vision.process.learning import (
    Learning,
    LearningStep,
    has_more_to_show,
    learn_from_table,
    obey_learning_order,
    read_while_learning,
    resume_learning,
    store_draft,
    unknown_cards,
)
from vision.process.looks import as_they_lie
from vision.process.messages import EyesMessage, EyesOrder, EyesSettings, settings_after
from vision.process.parts import part_of, shift_cards, shift_reading, with_room
from vision.process.places import strangers_among
from vision.process.sought_cards import seek_unread_cards
from vision.process.table_frame import (
    QUIET,
    fit_table,
    follow_camera,
    is_covered,
    read_anew,
    recover_table,
    settle_move,
)
from vision.reading.corners import Box
from vision.reading.looking import Seeing
from vision.reading.reader import read
from vision.reading.templates import Templates
from vision.reading.views import Surroundings, pyramid, surroundings_at
from vision.sightings import Cards, Reading, Sighting
from vision.table import calibration
from vision.table.camera import WARM
from vision.table.camera_names import shown_name
from vision.table.framing import frame_picture, sight_problems
from vision.table.plates import Millimetres
from vision.table.values import Calibration, Optics, PlacedCard
from vision.table.zones import locate_card
from vision.teaching.taught_decks import load_deck
from vision.teaching.tried_decks import ready_deck
from vision.troubles import Problem, TroubleError

RESTED = 300  # frames between checks otherwise: a camera arm may sink too slowly to be noticed
CALM = 45  # frames without motion after which the frame rate drops
FRAME, LEISURE = 1 / 15, 1 / 5  # least seconds between two pictures: usually, and while nothing moves
DELAYED = 1.0  # seconds after which pages say that a change isn't read yet
LONGEST_STEP = 0.25  # most seconds that count between two pictures: nothing was seen while cards were read
AGAIN = 12  # frames between checks while something reaches in: the camera itself may have moved
BESIDE = 0.12
"""Margin read around a part if the cards' size is unknown, as a share of the picture's width."""
UNHELD = 75  # pictures with unlocked light and focus after a `FrameTable` order
SMALL = 640  # pixels across a snapshot for a page
VIEWED = 960  # pixels across a picture for players
WHOLE = 95  # JPEG quality of a full-size picture: high enough for measurements


def open_eyes(settings: EyesSettings) -> EyesStep:
    """Return the first state, with the deck loaded, and its messages."""
    warm = 0 if settings.table else WARM
    eyes = EyesState(settings, warm=warm, fitted=settings.fitted, wrong={"camera": settings.blind})
    return _with_deck(_with_table(eyes))


def _with_table(eyes: EyesState) -> EyesState:
    table, file = eyes.settings.table, eyes.settings.empty
    if table is None:
        return replace(eyes, around=None, watch=None)
    bare = load_picture(Path(file)) if file else None
    empty = None if bare is None else calibration.project_empty_table(bare, table)
    return replace(eyes, around=surroundings_at(table, empty), watch=None)


def _with_deck(eyes: EyesState) -> EyesStep:
    """Load the deck of the settings. If it can't be read, report that and watch without it."""
    deck: Templates | None = None
    learning: Learning | None = None
    wrong: tuple[Problem, ...] = ()
    settings = eyes.settings
    try:
        if settings.learns:
            learning = resume_learning(Path(settings.deck), settings.learns, None, settings.among or {})
        elif settings.deck:
            deck = _load_deck(Path(settings.deck), Path(settings.tried) if settings.tried else None)
    except TroubleError as error:
        wrong = (error.problem,)
    # questions of an earlier process or deck are over
    over = () if learning is None and eyes.learning is None else (messages.UnknownCards(()),)
    eyes, news = note_problems(replace(eyes, deck=deck, learning=learning, watch=None), "deck", wrong)
    return eyes, (*news, *over)


def go_without_picture(eyes: EyesState, problem: Problem) -> EyesStep:
    """Report that no picture came; the whole table is read again once the camera is back."""
    blind = replace(eyes, watch=None, picture=None, read_picture=None, unchecked=CHECKED, unread_since=None)
    eyes, news = note_problems(blind, "camera", (problem,))
    eyes, pace = _report_pace(eyes, is_calm=False)
    return eyes, (*news, *pace)


def look_at_picture(eyes: EyesState, picture: Picture, at: float, optics: Optics | None = None) -> EyesStep:
    """Process a picture taken at a time in seconds, of any clock that never goes back."""
    eyes = replace(eyes, at=at, passed=min(at - eyes.at, LONGEST_STEP))
    size = (picture.shape[1], picture.shape[0])
    if eyes.size not in {None, size}:
        # a picture of another size can't be compared with the last one
        eyes = replace(eyes, watch=None, unchecked=CHECKED)
    ready = () if eyes.size is not None else (messages.EyesReady(shown_name(eyes.settings.camera), size),)
    eyes, well = note_problems(replace(eyes, picture=picture, size=size, optics=optics), "camera", ())
    news: tuple[EyesMessage, ...] = (*ready, *well)
    was, known = eyes.watch, None if eyes.watch is None else eyes.watch.known
    for step in LOOKING:
        eyes, more = step(eyes, picture)
        news = (*news, *more)
    eyes = _with_read_picture(eyes, picture, known)
    eyes, pace = _report_pace(eyes, is_calm=pause_after(eyes) > FRAME)
    eyes, looking = _report_looking(eyes, was)
    return eyes, (*news, *pace, *looking)


def _report_looking(eyes: EyesState, was: watching.Watch | None) -> EyesStep:
    """Report that a change has waited for its reading for a while, and the end of the wait."""
    watch, since = eyes.watch, None
    has_read = watch is not None and was is not None and watch.settled is not was.settled
    if watch is not None and (watch.is_busy or watch.whole) and not has_read:
        since = eyes.at if eyes.unread_since is None else eyes.unread_since
    is_looking = since is not None and eyes.at - since >= DELAYED
    news = () if is_looking == eyes.is_looking else (messages.Looking(is_looking),)
    return replace(eyes, unread_since=since, is_looking=is_looking), news


def _with_read_picture(eyes: EyesState, picture: Picture, known: Cards | None) -> EyesState:
    """Hold a picture that shows nothing unread: neither a card that is being laid, nor a hand."""
    watch = eyes.watch
    if watch is None or watch.whole or known != watch.known:
        return replace(eyes, read_picture=None)
    is_read = not watch.is_busy and not watch.reached.any()
    return replace(eyes, read_picture=picture) if is_read else eyes


def _find_table(eyes: EyesState, picture: Picture) -> EyesStep:
    """Search for an unknown table; not in every picture, as that is slow."""
    if eyes.settings.table is not None:
        return eyes, ()
    if eyes.warm > 0:
        return replace(eyes, warm=eyes.warm - 1), ()
    markers = calibration.find_markers(picture)
    table = calibration.calibrate(picture) if len(markers) == 4 else None
    if table is not None:
        return _take_table(eyes, table, picture)
    eyes = replace(eyes, warm=CHECKED)
    if markers:
        return note_problems(eyes, "table", sight_problems(picture, eyes.optics))
    # without markers, the cards give the table
    wrong = calibration.light_and_focus_problems(picture, markers)
    return note_problems(eyes, "table", wrong or (() if eyes.frame.before else (LAY_CARDS,)))


def _take_table(eyes: EyesState, table: Calibration, picture: Picture) -> EyesStep:
    settings = replace(eyes.settings, table=table)
    wrong = sight_problems(picture, eyes.optics, table=table)
    known = _with_table(replace(eyes, settings=settings, unchecked=0))
    eyes, news = note_problems(known, "table", wrong)
    return eyes, (messages.TableFound(table), *news)


def _check_table(eyes: EyesState, picture: Picture) -> EyesStep:
    """Check at intervals whether the markers have moved; if so, calibrate again."""
    table = eyes.settings.table
    if table is None:
        return eyes, ()
    if not table.markers:
        return follow_camera(eyes, table, picture)
    if not _is_check_due(eyes):
        return replace(eyes, unchecked=eyes.unchecked + 1), ()
    eyes = replace(eyes, unchecked=0)
    wrong = sight_problems(picture, eyes.optics, table=table)
    keys = {problem.key for problem in wrong}
    if "wrong size" in keys:
        lost = replace(eyes, settings=replace(eyes.settings, table=None))
        return note_problems(_with_table(lost), "table", wrong)
    again = calibration.recalibrate(picture, table) if "nudged" in keys else None
    eyes, news = note_problems(eyes, "table", wrong)
    if again is None:
        return eyes, news
    found, more = _take_table(eyes, again, picture)
    return found, (*news, *more)


def _is_proved(eyes: EyesState) -> bool:
    """Return whether the table may be used for reading: on a wrong one, cards would be overlooked."""
    table = eyes.settings.table
    return table is not None and (bool(table.markers) or eyes.fitted > 0)


def _is_calm(watch: watching.Watch) -> bool:
    return not watch.is_busy and not watch.whole and watch.calm >= CALM


def _is_check_due(eyes: EyesState) -> bool:
    """Return whether to check: after a long rest, or when the camera may have been nudged."""
    watch = eyes.watch
    if watch is None:
        return eyes.unchecked >= CHECKED
    if watch.calm >= eyes.unchecked:
        return eyes.unchecked >= RESTED
    still = float((watch.still >= watching.STILL_FRAMES).mean())
    return still > QUIET and eyes.unchecked >= (AGAIN if watch.reached.any() else CHECKED)


def pause_after(eyes: EyesState) -> float:
    """Return the seconds until the next picture: more while nothing moves and nothing is requested."""
    watch = eyes.watch
    if eyes.until_whole is not None or eyes.unheld > 0:
        return FRAME
    if watch is None:
        return LEISURE if eyes.settings.resting or eyes.card is None else FRAME
    return LEISURE if _is_calm(watch) else FRAME


def _report_pace(eyes: EyesState, *, is_calm: bool) -> EyesStep:
    """Report a change of pace, for a camera that sends pictures by itself."""
    if is_calm == eyes.is_calm:
        return eyes, ()
    return replace(eyes, is_calm=is_calm), (messages.PaceChanged(is_calm),)


def _watch_cards(eyes: EyesState, picture: Picture) -> EyesStep:
    unsought = eyes.settings.table is None and eyes.frame.before is None and "table" not in eyes.wrong
    is_other = any(problem.key == "wrong size" for problem in eyes.wrong.get("table", ()))
    is_laid = eyes.sought is not None
    if unsought or is_laid or eyes.settings.resting or eyes.card is None or is_other:
        return replace(eyes, watch=None), ()
    if eyes.watch is None:
        return read_anew(eyes, picture), ()
    if is_covered(eyes):
        return eyes, ()
    was = eyes.watch.known
    watch, is_changed = watching.watch_frame(eyes.watch, picture, eyes.passed, partial(read_part, eyes))
    whole, before = eyes.watch.whole and not watch.whole, watch.known
    # not while an arm reaches in: it would look like something under a card
    if watch.settled is not eyes.watch.settled and not watch.reached.any():
        marked = mark_more_below(Reading(before), picture, eyes.card, eyes.around)
        watch = replace(watch, known=marked.cards)
    held = (Problem("hand stays"),) if watch.is_held_up else ()
    eyes, news = note_problems(replace(eyes, watch=watch), "hand", held)
    found = tuple[EyesMessage, ...]()
    if whole or watch.known != was:
        eyes, found = fit_table(eyes, picture)
        news = (*news, *found)
    if not whole and not is_changed and watch.known == before:
        return eyes, news
    eyes = _hold_reading(eyes, picture, Reading(watch.known, watch.strange))
    cards, asked = tuple(_located(eyes, card) for card in watch.known), eyes.asked if whole or found else ""
    # another table gives every card another position: that is no change of parts
    read = messages.TableRead(cards, eyes.reading, asked, is_change=not whole and not found)
    return (replace(eyes, asked="") if whole or asked else eyes), (*news, read)


def _hold_reading(eyes: EyesState, picture: Picture, reading: Reading) -> EyesState:
    """Hold a reading's picture in memory, in case it becomes evidence of a ruling."""
    thrift, number = eyes.settings.thrift, eyes.reading + 1
    shown = HeldReading(number, as_jpeg(picture, reading, thrift.widest), reading)
    return replace(eyes, reading=number, shown=(*eyes.shown, shown)[-thrift.held :])


def _located(eyes: EyesState, card: Sighting) -> PlacedCard:
    return locate_card(card, eyes.settings.table, eyes.settings.zones)


def _learn_cards(eyes: EyesState, picture: Picture) -> EyesStep:
    """Learn from what lies on the table after a reading, while no arm reaches in.

    A card that couldn't be shown is tried again at intervals: focus and light may have become better.
    """
    learning, watch = eyes.learning, eyes.watch
    if learning is None or watch is None or watch.settled is None or watch.reached.any():
        return eyes, ()
    is_due = _is_calm(watch) and not watch.calm % CALM and has_more_to_show(learning, watch.known)
    if watch.settled is learning.settled and not is_due:
        return eyes, ()
    step = learn_from_table(replace(learning, settled=watch.settled), picture, watch.known, _proved_table(eyes))
    return _use_learnt(eyes, picture, step)


def _use_learnt(eyes: EyesState, picture: Picture, step: LearningStep) -> EyesStep:
    """Store what was learnt, and report the cards whose names have changed; read the others with new names."""
    (learning, known, more), before, watch = step, eyes.learning, eyes.watch
    news = tuple[EyesMessage, ...]()
    if learning.draft.faces != learning.stored:
        learning, wrong = store_draft(learning)
        eyes, news = note_problems(eyes, "deck", wrong)
    if before is not None and learning.draft.faces != before.draft.faces:
        watch = watch and watching.schedule_reading(watch)
    eyes = replace(eyes, learning=learning)
    if watch is None or known == watch.known:
        return replace(eyes, watch=watch), (*news, *more)
    eyes = _hold_reading(
        replace(eyes, watch=replace(watch, known=known)), picture, Reading(known, watch.strange)
    )
    read = messages.TableRead(tuple(_located(eyes, card) for card in known), eyes.reading)
    return eyes, (*news, read, *more)


def _obey_learning_order(eyes: EyesState, order: messages.LearningOrder) -> EyesStep:
    if eyes.learning is None:
        return eyes, ()
    if eyes.picture is None:
        # a name is asked again
        return eyes, (unknown_cards(eyes.learning),)
    known = () if eyes.watch is None else eyes.watch.known
    step = obey_learning_order(eyes.learning, order, eyes.picture, known, _proved_table(eyes))
    return _use_learnt(eyes, eyes.picture, step)


def _proved_table(eyes: EyesState) -> Surroundings | None:
    return eyes.around if _is_proved(eyes) else None


def _show_strangers(eyes: EyesState, picture: Picture) -> EyesStep:
    """Report unnamed cards while nothing moves, whenever their number changes."""
    watch = eyes.watch
    if eyes.learning is not None or (watch is not None and not _is_calm(watch)):
        return eyes, ()
    now = None if watch is None else strangers_among(Reading(watch.known, watch.strange))
    if now == eyes.strangers:
        return eyes, ()
    deck, jpeg = Path(eyes.settings.deck).name, packed_jpeg(picture, WHOLE)
    return replace(eyes, strangers=now), (
        messages.UnnamedCardsGone() if now is None else messages.UnnamedCards(deck, jpeg),
    )


def _take_whole_frame(eyes: EyesState, picture: Picture) -> EyesStep:
    """Send the requested full-size picture, once the camera has adapted to the light."""
    if eyes.until_whole is None:
        return eyes, ()
    if eyes.until_whole > 0:
        return replace(eyes, until_whole=eyes.until_whole - 1), ()
    return replace(eyes, until_whole=None), (messages.FrameTaken(packed_jpeg(picture, WHOLE), eyes.optics),)


def _show_picture(eyes: EyesState, picture: Picture) -> EyesStep:
    """Answer pages that asked for the next picture, each kind once, as finding cards in it is slow."""
    known = () if eyes.watch is None else eyes.watch.known
    news = list[EyesMessage]()
    for order in eyes.shows:
        if isinstance(order, messages.ShowCards):
            sought = eyes.sought or Sought({} if eyes.deck is None else {eyes.settings.deck: eyes.deck})
            shown = show_cards(picture, sought, order, eyes.optics)
            news.append(shown)
            if eyes.sought is not None and shown.deck:
                # others needn't be tried in the next picture
                decks = {shown.deck: sought.decks[shown.deck], **sought.decks}
                eyes = replace(eyes, sought=replace(sought, decks=decks))
        else:
            strange = () if eyes.watch is None else eyes.watch.strange
            drawn = annotate_picture(picture, Reading(known, strange))
            news.append(messages.SnapshotTaken(small_jpeg(drawn, SMALL)))
    return replace(eyes, shows=frozenset()), tuple(news)


def _report_framing(eyes: EyesState, picture: Picture) -> EyesStep:
    eyes = replace(eyes, unheld=max(0, eyes.unheld - 1))
    if eyes.framed is None:
        return eyes, ()
    seen = frame_picture(picture, eyes.optics, eyes.framed.apart)
    return replace(eyes, framed=None), (messages.TableFramed(seen),)


LOOKING: tuple[Callable[[EyesState, Picture], EyesStep], ...] = (
    _find_table,
    _check_table,
    _watch_cards,
    recover_table,
    _learn_cards,
    _show_strangers,
    _take_whole_frame,
    _report_framing,
    _show_picture,
)
"""Steps for each picture, in their order."""


def holds_light(eyes: EyesState) -> bool:
    """Return whether to lock the camera's exposure: the table is known, and nothing is being measured."""
    return eyes.settings.table is not None and eyes.until_whole is None and not eyes.unheld


def read_part(eyes: EyesState, picture: Picture, box: Box) -> Reading:
    """Read a part of a picture, with a margin for whole cards. Returns coordinates of the whole picture.

    A wrong table hides cards; without a table, a slanted view does. An unproved table is therefore only tried.
    """
    if eyes.card is None:
        return Reading(())
    table = eyes.settings.table
    if table is None or _is_proved(eyes):
        return _read_on(eyes, table, eyes.card, picture, box)
    seen = _read_on(eyes, None, eyes.card, picture, box)
    if seen.cards and all(card.sure for card in seen.cards):
        return seen
    return max((seen, _read_on(eyes, table, eyes.card, picture, box)), key=_named_and_seen)


def _named_and_seen(reading: Reading) -> tuple[int, int]:
    return sum(card.sure for card in reading.cards), len(reading.cards)


def _read_on(
    eyes: EyesState, table: Calibration | None, size: Millimetres, picture: Picture, box: Box
) -> Reading:
    # a card in the part can extend this far beyond it
    card = float(np.hypot(*size))
    room = BESIDE * picture.shape[1] if table is None else card * calibration.scale(table)
    left, top, right, bottom = with_room(box, picture, int(room))
    part = np.ascontiguousarray(picture[top:bottom, left:right])
    around = None if eyes.around is None or table is None else part_of(eyes.around, (left, top, right, bottom))
    deck, seen = eyes.deck, Reading(())
    if eyes.learning is not None:
        deck, seen = eyes.learning.deck, read_while_learning(eyes.learning, part, around, (left, top))
    elif deck is not None:
        seen = read(part, deck, eyes.settings.among, around)
    if eyes.watch is None or deck is None:
        return shift_reading(seen, (left, top))
    known = shift_cards(as_they_lie(eyes.watch.known, eyes.watch.looks), (-left, -top))
    seeing = Seeing(pyramid(part), deck, eyes.settings.among, plane=True)
    seen = recall_covered(seen, known, seeing)
    # while a deck is learnt, a name needs more than the reader's certainty
    if around is not None and eyes.learning is None:
        changed, step = watching.changed_spots(eyes.watch), watching.STEP
        there = changed[top // step : -(-bottom // step), left // step : -(-right // step)]
        seen = seek_unread_cards(seen, known, there, seeing, around.plane)
    return shift_reading(seen, (left, top))


def obey_order(eyes: EyesState, order: EyesOrder) -> EyesStep:
    eyes, news = replace(eyes, settings=settings_after(eyes.settings, order)), tuple[EyesMessage, ...]()
    match order:
        case messages.KeepEvidence():
            return _keep_reading(eyes, order)
        case messages.UseDeck():
            return _with_deck(eyes)
        case messages.NameCard() | messages.UndoName() | messages.UndoNames() | messages.ChangeFace():
            return _obey_learning_order(eyes, order)
        case messages.UseTable():
            return _with_other_table(replace(eyes, sought=None), order.fitted)
        case messages.SeekCards():
            return _seek_cards(eyes, order)
        case messages.TakeView(is_read):
            shown = eyes.read_picture if is_read else eyes.picture
            news = (messages.ViewTaken(b"" if shown is None else small_jpeg(shown, VIEWED), is_read),)
        case messages.SettleMove():
            return settle_move(eyes, order)
        case messages.ReadTable(asked):
            watch = None if eyes.watch is None else watching.schedule_reading(eyes.watch)
            eyes = replace(eyes, asked=asked, watch=watch)
        case _:
            eyes = _await_picture(eyes, order)
    return eyes, news


def _await_picture(eyes: EyesState, order: EyesOrder) -> EyesState:
    """Note an order that the next pictures answer."""
    match order:
        case messages.TakeSnapshot() | messages.ShowCards():
            return replace(eyes, shows=eyes.shows | {order})
        case messages.FrameTable():
            return replace(eyes, framed=order, unheld=UNHELD)
        case messages.TakeFrame():
            # cards gave the table in this light
            is_old = holds_light(eyes) and not eyes.fitted
            return replace(eyes, until_whole=WARM if is_old else 0)
    return eyes


def _seek_cards(eyes: EyesState, order: messages.SeekCards) -> EyesStep:
    """Seek the table by cards; while a person lays them, they may be of several decks."""
    before, decks = {} if eyes.sought is None else eyes.sought.decks, dict[str, Templates]()
    tried = Path(eyes.settings.tried) if eyes.settings.tried else None
    for folder in order.decks:
        # one that can't be read is reported when it is used
        with suppress(TroubleError):
            decks[folder] = before.get(folder) or _load_deck(Path(folder), tried)
    sought = Sought(decks, unpack_picture(order.empty)) if order.decks or order.empty else None
    eyes = replace(eyes, settings=replace(eyes.settings, table=None), warm=CHECKED, sought=sought)
    return _with_other_table(eyes, 0)


def _load_deck(folder: Path, tried: Path | None) -> Templates:
    taught = load_deck(folder)
    return replace(ready_deck(taught.faces, taught.card, tried), doubtful=taught.doubtful)


def _with_other_table(eyes: EyesState, fitted: int) -> EyesStep:
    """Use another table. Its problems are determined again."""
    eyes = _with_table(replace(eyes, unchecked=CHECKED, fitted=fitted, frame=FrameState()))
    news = tuple[EyesMessage, ...]()
    for subject in ("table", "moved", "view"):
        eyes, ended = note_problems(eyes, subject, ())
        news = (*news, *ended)
    if eyes.settings.table is not None:
        # overrides a table that was found while the order was on its way
        news = (*news, messages.TableFound(eyes.settings.table))
    return eyes, news


def _keep_reading(eyes: EyesState, order: messages.KeepEvidence) -> EyesStep:
    """Store a reading as evidence; report a problem if it isn't held any more, or can't be written."""
    shown, why = next((shown for shown in eyes.shown if shown.number == order.reading), None), "not held"
    if shown is not None and eyes.settings.evidence:
        sidecar = Sidecar(order.match, order.moment, shown.reading, order.what)
        try:
            file = keep_evidence(Path(eyes.settings.evidence), shown.jpeg, sidecar)
        except (OSError, ValueError) as error:
            why = str(error)
        else:
            eyes, news = note_problems(eyes, "evidence", ())
            return eyes, (*news, messages.EvidenceKept(order.match, order.moment, str(file)))
    lost = Problem("no evidence", {"match": order.match, "moment": order.moment, "why": why})
    return note_problems(eyes, "evidence", (lost,))
