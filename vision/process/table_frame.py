"""The frame of a table without markers: found and refined by its cards, carried along when the camera moves.

Nothing drops a reading: what can't be known is asked, while reading goes on in the likelier frame.
"""

import cv2
import numpy as np
from msgspec.structs import replace

from vision.pictures import Picture
from vision.process import messages, watching
from vision.process.camera_motion import (
    Motion,
    carry_points,
    in_pixels_of_picture,
    mean_of,
    motion_since,
    take_anchor,
)
from vision.process.card_table import (
    FEWEST,
    carried_by_cards,
    do_cards_fit,
    fit_known_cards,
    places_of_named,
    refine_by_cards,
    view_problems,
)
from vision.process.eyes_state import EyesState, EyesStep, FrameState, MoveDoubt, note_problems
from vision.process.learning import carry_given_names
from vision.process.messages import DID_MOVE, EyesMessage
from vision.process.tiles import scale_of, shrink
from vision.reading.reader import read
from vision.reading.views import QUARTER, surroundings_at
from vision.sightings import Outline
from vision.table.calibration import size_problems
from vision.table.card_plane import CardFit, exact_outlines, without_cards
from vision.table.plane import as_matrix, as_outline
from vision.table.values import Calibration
from vision.troubles import Problem

QUIET = 0.9  # least share of the table that must be still, and read, for a comparison; a lamp moves some of it
TAKEN = 6  # still pictures of an anchor
COMPARED = 4  # most still pictures whose mean is compared with the anchor
ASKED = 3.9  # seconds of still pictures without evidence after which it is asked whether the camera moved
AGAIN = (0.19, 0.7, 1.9, ASKED)
"""Seconds after which the camera's place is compared again: with picture 4, 12, 30 and 60 of 15 a second."""
HIDDEN = 0.26  # seconds between comparisons while nothing of the table can be seen
RICH = 20  # tiles of the ground that stay on a still table from which on the loss of all is worth a question
FRESH = 0.9  # share of the anchor's tiles below which a new one is taken


# the camera


def follow_camera(eyes: EyesState, table: Calibration, picture: Picture) -> EyesStep:
    """Notice that the camera was moved, as soon as the picture is still, and carry the frame along."""
    if size_problems(picture, table):
        # a turned phone: nothing of the old frame is left
        return _seek_anew(eyes, table), ()
    watch, frame = eyes.watch, eyes.frame
    if watch is None or (watch.still >= watching.STILL_FRAMES - 1).mean() <= QUIET:
        eyes = replace(eyes, frame=replace(frame, still=(), is_due=True, lacking=0.0, due=0.0))
        # without a watch, there is nothing to wait for
        return (eyes, ()) if watch is not None else note_problems(eyes, "covered", ())
    if frame.anchor is None:
        return _collect_anchor(eyes, table, picture), ()
    if not frame.is_due and not watching.is_about_to_read(watch):
        return eyes, ()
    lacking = frame.lacking + eyes.passed if frame.still else 0.0
    still = (*frame.still, shrink(picture))[-COMPARED:]
    eyes = replace(eyes, frame=replace(frame, still=still, is_due=True, lacking=lacking))
    if lacking >= frame.due:
        return _follow(eyes, table, picture, motion_since(frame.anchor, mean_of(still)))
    return eyes, ()


def is_covered(eyes: EyesState) -> bool:
    """Return whether to wait: nothing of the table can be seen, and cards under a cover aren't gone."""
    return bool(eyes.wrong.get("covered"))


def _collect_anchor(eyes: EyesState, table: Calibration, picture: Picture) -> EyesState:
    """Collect still pictures of a table that was read, until they are enough for an anchor."""
    watch, frame = eyes.watch, eyes.frame
    if watch is None or watch.settled is None or (watch.waiting > 0).mean() > 1 - QUIET:
        return replace(eyes, frame=replace(frame, still=()))
    still = (*frame.still, shrink(picture))
    if len(still) < TAKEN:
        return replace(eyes, frame=replace(frame, still=still))
    anchor = take_anchor(still, watch.known, table.lens, frame.drift)
    return replace(eyes, frame=replace(frame, anchor=anchor, still=(), is_due=False, lacking=0.0, due=0.0))


def _follow(eyes: EyesState, table: Calibration, picture: Picture, seen: Motion) -> EyesStep:
    frame, doubt = eyes.frame, eyes.frame.doubt
    is_waiting = seen.verdict == "dark" or (seen.verdict == "covered" and frame.lacking < ASKED)
    eyes, news = note_problems(eyes, "covered", (Problem(seen.verdict),) if is_waiting else ())
    again = next((each for each in AGAIN if each > frame.lacking), frame.lacking + ASKED)
    due = min(again, frame.lacking + HIDDEN) if is_waiting else again
    eyes = replace(eyes, frame=replace(frame, due=due))
    match seen.verdict:
        case "moved":
            eyes, more = _carry_along(eyes, table, picture, seen)
            news = (*news, *more)
        case "still":
            anchor = None if seen.stayed < FRESH else frame.anchor
            rested = FrameState(anchor, is_due=False, stays=True, drift=seen.drift, resting=frame.resting)
            eyes = replace(eyes, frame=replace(rested, doubt=doubt))
            if doubt is not None and doubt.after is None:
                # what hid the table is gone
                eyes, more = _end_doubt(read_anew(eyes, picture))
                news = (*news, *more)
        case "unknown" | "covered":
            eyes = replace(eyes, frame=replace(eyes.frame, stays=False))
            is_rich = frame.anchor is not None and frame.anchor.ground >= RICH
            is_overdue = frame.due <= ASKED <= frame.lacking
            if is_overdue and is_rich:
                eyes, more = _doubt(read_anew(eyes, picture), MoveDoubt(table))
                news = (*news, *more)
            elif is_overdue:
                # plain ground: its cards were all that it showed
                eyes = replace(eyes, frame=replace(eyes.frame, anchor=None, still=()))
    return eyes, news


def _carry_along(eyes: EyesState, table: Calibration, picture: Picture, seen: Motion) -> EyesStep:
    """Carry plane, cards and looks along; the table is read again under the names that it had."""
    by = in_pixels_of_picture(seen.by, scale_of(picture))
    new = replace(table, plane=as_matrix(by @ np.array(table.plane)))
    around = surroundings_at(new)
    if eyes.around is not None and eyes.around.lines is not None:
        quarter = np.diag((1 / QUARTER, 1 / QUARTER, 1.0))
        lines = eyes.around.lines
        carried = cv2.warpPerspective(lines, quarter @ by @ np.linalg.inv(quarter), lines.shape[::-1])
        around = replace(around, lines=np.asarray(carried, np.uint8))

    def carry(outline: Outline) -> Outline:
        return as_outline(carry_points(by, np.array(outline), table.lens, table.size))

    if eyes.watch is not None:
        learning = eyes.learning and carry_given_names(eyes.learning, eyes.watch.known, carry)
        eyes = replace(eyes, watch=watching.carry_watch(eyes.watch, picture, carry), learning=learning)
    eyes = replace(eyes, settings=replace(eyes.settings, table=new), around=around)
    eyes = replace(eyes, frame=FrameState(resting=eyes.frame.resting, doubt=eyes.frame.doubt))
    step = _doubt(eyes, MoveDoubt(table, new)) if seen.is_doubtful else _end_doubt(eyes)
    return step[0], (messages.TableFound(new), *step[1])


def read_anew(eyes: EyesState, picture: Picture) -> EyesState:
    """Read the whole table; nothing that reaches in counts as an arm any more."""
    doubtful = frozenset[str]() if eyes.deck is None else eyes.deck.doubtful
    return replace(eyes, watch=watching.begin_unread_watch(picture, doubtful))


# the question


def _doubt(eyes: EyesState, doubt: MoveDoubt) -> EyesStep:
    """Ask whether the camera moved."""
    return note_problems(replace(eyes, frame=replace(eyes.frame, doubt=doubt)), "moved", (DID_MOVE,))


def _end_doubt(eyes: EyesState) -> EyesStep:
    return note_problems(replace(eyes, frame=replace(eyes.frame, doubt=None)), "moved", ())


def settle_move(eyes: EyesState, order: messages.SettleMove) -> EyesStep:
    """Use the frame of somebody who saw whether the camera moved; another answer takes the first one back."""
    doubt = eyes.frame.doubt
    if doubt is None:
        return eyes, ()
    table = doubt.after if order.moved else doubt.before
    if table is None:
        eyes = _seek_anew(eyes, doubt.before)
    else:
        settings = replace(eyes.settings, table=table)
        eyes = replace(eyes, settings=settings, around=surroundings_at(table), frame=FrameState())
    eyes = eyes if eyes.picture is None else read_anew(eyes, eyes.picture)
    eyes, ended = note_problems(eyes, "moved", ())
    found = () if table is None else (messages.TableFound(table),)
    # kept for another answer
    return replace(eyes, frame=replace(eyes.frame, doubt=doubt)), (*found, *ended)


def _seek_anew(eyes: EyesState, table: Calibration) -> EyesState:
    """Forget where the table is; the next cards show it, framed in the picture as before."""
    settings = replace(eyes.settings, table=None)
    frame = FrameState(before=table)
    return replace(eyes, settings=settings, around=None, watch=None, fitted=0, frame=frame)


# the cards


def fit_table(eyes: EyesState, picture: Picture) -> EyesStep:
    """Find or refine the table by the cards just read, unless it has markers."""
    table, watch, card = eyes.settings.table, eyes.watch, eyes.card
    if watch is None or card is None or (table is not None and table.markers):
        return eyes, ()
    if table is None:
        found = fit_known_cards(watch.known, picture, card, eyes.optics, eyes.frame.before)
        return (eyes, ()) if found is None else _use_fitted(eyes, found, picture)
    frame, news = eyes.frame, tuple[EyesMessage, ...]()
    moved = None if frame.stays else carried_by_cards(frame.resting, watch.known, table, card, eyes.optics)
    if moved is None and not do_cards_fit(table, watch.known, card):
        fitted = fit_known_cards(watch.known, picture, card, eyes.optics, table)
        moved = None if fitted is None else fitted.table
    if moved is not None:
        eyes, news = _follow_cards(eyes, table, moved)
    else:
        eyes, news = _refine(eyes, table)
    table = eyes.settings.table
    if table is None:
        return eyes, news
    frame = replace(eyes.frame, resting=places_of_named(table, watch.known))
    eyes, more = _note_view(replace(eyes, frame=frame), table)
    return eyes, (*news, *more)


def recover_table(eyes: EyesState, picture: Picture) -> EyesStep:
    """Read once without the table if it hides names, and fit another one if the cards contradict it."""
    table, watch, deck = eyes.settings.table, eyes.watch, eyes.deck
    if table is None or table.markers or watch is None or deck is None or eyes.learning is not None:
        return eyes, ()
    # under a wrong table, cards may not even be found
    there = max(1, len(watch.known) + len(watch.strange))
    is_blind = there > 2 * sum(card.sure for card in watch.known) and not watch.is_busy
    blind = eyes.blind + eyes.passed if is_blind or eyes.blind < 0 else 0.0
    if blind < BLIND or watch.settled is eyes.tried:
        return replace(eyes, blind=min(blind, BLIND)), ()
    eyes = replace(eyes, blind=BLIND - TRIED_AGAIN, tried=watch.settled)
    known = read(picture, deck, eyes.settings.among).cards
    if do_cards_fit(table, known, deck.size):
        return eyes, ()
    fitted = fit_known_cards(known, picture, deck.size, eyes.optics, table)
    if fitted is None:
        return eyes, ()
    eyes, news = _follow_cards(eyes, table, fitted.table)
    return read_anew(eyes, picture), news


BLIND, TRIED_AGAIN = 3.0, 30.0
"""Seconds for which most cards have no sure name before another table is tried, and between two trials."""


def _follow_cards(eyes: EyesState, table: Calibration, moved: Calibration) -> EyesStep:
    """Use the table that only cards show, and ask; a table of an earlier run is replaced without a question."""
    is_proved = eyes.fitted > 0
    eyes = replace(eyes, settings=replace(eyes.settings, table=moved), around=surroundings_at(moved), fitted=1)
    eyes = replace(eyes, frame=replace(eyes.frame, anchor=None, still=(), drift=(0.0, 0.0)))
    asked: EyesStep = _doubt(eyes, MoveDoubt(table, moved)) if is_proved else (eyes, ())
    return asked[0], (messages.TableFound(moved), *asked[1])


def _refine(eyes: EyesState, table: Calibration) -> EyesStep:
    card, known = eyes.card, () if eyes.watch is None else eyes.watch.known
    if card is None:
        return eyes, ()
    news = tuple[EyesMessage, ...]()
    if eyes.wrong.get("moved") and len(exact_outlines(known, table.size)) >= FEWEST:
        # the cards fit: nobody needs to answer any more
        eyes, news = _end_doubt(replace(eyes, frame=replace(eyes.frame, anchor=None, still=())))
    better, fitted = refine_by_cards(table, known, eyes.fitted, card, eyes.optics)
    eyes = replace(eyes, fitted=fitted)
    if better is table:
        return eyes, news
    lines = None if eyes.around is None else eyes.around.lines
    around = replace(surroundings_at(better), lines=lines)
    eyes = replace(eyes, settings=replace(eyes.settings, table=better), around=around)
    return eyes, (*news, messages.TableFound(better))


def _use_fitted(eyes: EyesState, found: CardFit, picture: Picture) -> EyesStep:
    around = surroundings_at(found.table, without_cards(picture, found.outlines))
    settings, known = replace(eyes.settings, table=found.table), () if eyes.watch is None else eyes.watch.known
    resting = places_of_named(found.table, known)
    frame = FrameState(resting=resting, doubt=eyes.frame.doubt)
    eyes = replace(eyes, settings=settings, around=around, fitted=len(found.outlines), frame=frame)
    eyes, ended = note_problems(eyes, "table", ())
    eyes, more = _note_view(eyes, found.table)
    return eyes, (messages.TableFound(found.table), *ended, *more)


def _note_view(eyes: EyesState, table: Calibration) -> EyesStep:
    """Report if cards may be unreadable from the camera's place."""
    known = () if eyes.watch is None else eyes.watch.known
    wrong = () if eyes.card is None else view_problems(table, eyes.card, known)
    return note_problems(eyes, "view", wrong)
