"""Watching reads only changed areas once hands are gone; readings vote; changes are reported."""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from tests.vision.process.live import begin_watch
from vision.process.watching import (
    AGREED,
    ARM,
    GROUND,
    RESTLESS,
    STILL_FRAMES,
    VOTES,
    Box,
    Watch,
    begin_unread_watch,
    elect_cards,
    schedule_reading,
    watch_frame,
)
from vision.reading.templates import Picture
from vision.sightings import PROBABLE, Outline, Reading, RunnerUp, Sighting

RATE, SLOW = 15.0, 5.0  # pictures a second
SOON = STILL_FRAMES + VOTES + 1


class Shown(NamedTuple):
    """Result of showing a picture for some frames: the cards of reported changes, and areas read."""

    watch: Watch
    told: list[Sighting]  # cards as they were known before a reported change, and as they are known after it
    boxes: list[Box]

    @property
    def faces(self) -> list[str | None]:
        return [each.face for each in self.told]


def square(x: float, y: float) -> Outline:
    return ((x - 30, y - 40), (x + 30, y - 40), (x + 30, y + 40), (x - 30, y + 40))


def card(face: str | None, x: float, y: float = 200, *guesses: tuple[str, float]) -> Sighting:
    others = tuple(RunnerUp(*guess) for guess in guesses)
    return Sighting(face, face is not None, 0.9, others, square(x, y), "up", 1.0)


def drawn(*cards: Sighting, arm: int | None = None) -> Picture:
    """Draw a table: each card is a distinct mosaic; an arm reaches in from the right to `arm`."""
    picture = np.full((480, 640, 3), 90, np.uint8)
    for each in cards:
        left, top = (int(side) for side in each.outline[0])
        tones = np.random.default_rng(len(each.face or "")).integers(120, 250, (8, 6, 1), np.uint8)
        picture[top : top + 80, left : left + 60] = tones.repeat(10, 0).repeat(10, 1)
    if arm is not None:
        picture[170:230, arm:] = 30
    return picture


def changed(*places: tuple[int, int], grey: int = 200) -> Picture:
    """Change a bare table around some places."""
    picture = drawn()
    for x, y in places:
        picture[y - 50 : y + 50, x - 50 : x + 50] = grey
    return picture


@cache
def _noise(frame: int, size: tuple[int, ...]) -> Picture:
    return np.random.default_rng(frame).integers(0, 4, size, np.uint8)


def show(
    watch: Watch,
    picture: Picture | Callable[[int], Picture],
    *seen: Sighting,
    frames: int = SOON,
    rate: float = RATE,
) -> Shown:
    """Show a picture, or one per frame, with fresh noise; each area read returns these cards."""
    told, boxes = list[Sighting](), list[Box]()

    def read(_picture: NDArray[np.uint8], box: Box) -> Reading:
        boxes.append(box)
        return Reading(seen)

    for frame in range(frames):
        shown = picture(frame) if callable(picture) else picture
        before = watch.known
        watch, is_changed = watch_frame(watch, shown + _noise(frame % 16, shown.shape), 1 / rate, read)
        if is_changed:
            told += [each for each in before if each not in watch.known]
            told += [each for each in watch.known if each not in before]
    return Shown(watch, told, boxes)


def pictures(seconds: float, rate: float = RATE) -> int:
    return round(seconds * rate)


DUKE, CAPTAIN = card("duke", 150), card("captain", 450)
MAYBE_DUKE = card(None, 450, 200, ("duke", 0.7), ("captain", 0.3))


def watching(*known: Sighting) -> Watch:
    return begin_watch(drawn(*known), known)


@pytest.mark.parametrize("there", [(210, 240), (520, 400)])
def test_moved_or_taken_card_is_reported_once(there: tuple[int, int]) -> None:
    moved = card("duke", *there)
    shown = show(watching(DUKE), drawn(moved), moved, frames=12)
    assert (shown.faces, shown.watch.known) == (["duke", "duke"], (moved,))
    taken = show(shown.watch, drawn(), frames=12)
    assert (taken.faces, taken.watch.known) == (["duke"], ())


def test_flickering_reflection_delays_reading_only_briefly() -> None:
    def glinting(frame: int) -> Picture:
        picture = drawn(DUKE, CAPTAIN)
        picture[150:200, 350 + 40 * (frame % 2) : 400 + 40 * (frame % 2)] = 250
        return picture

    early = show(watching(DUKE), glinting, DUKE, CAPTAIN, frames=pictures(RESTLESS) - 1)
    assert early.boxes == []
    late = show(early.watch, lambda frame: glinting(frame + pictures(RESTLESS) - 1), DUKE, CAPTAIN)
    assert late.faces == ["captain"]


def test_reads_changed_area_after_enough_still_frames() -> None:
    moved = show(watching(), drawn(DUKE), frames=1)
    assert show(moved.watch, drawn(DUKE), frames=STILL_FRAMES - 1).boxes == []
    assert len(show(moved.watch, drawn(DUKE), frames=STILL_FRAMES).boxes) == 1


def test_reads_whole_table_at_first_and_on_request() -> None:
    first = show(begin_unread_watch(drawn(DUKE)), drawn(DUKE), DUKE)
    assert (first.faces, first.watch.known) == (["duke"], (DUKE,))
    again = show(schedule_reading(first.watch), drawn(DUKE), DUKE)
    assert (again.told, again.watch.known) == ([], (DUKE,))
    assert len(first.boxes) == len(again.boxes) == AGREED
    # cards missing from that reading are gone
    assert show(schedule_reading(first.watch), drawn(DUKE)).watch.known == ()


@pytest.mark.parametrize("is_asked", [False, True])
def test_resting_arm_removes_no_card(is_asked: bool) -> None:
    watch = schedule_reading(watching(DUKE)) if is_asked else watching(DUKE)
    leaning = drawn(DUKE, arm=100)
    early = show(watch, leaning, frames=pictures(ARM) - 1)
    assert (early.boxes, early.watch.is_held_up) == ([], True)
    assert not show(watch, leaning, frames=pictures(RESTLESS) - 1).watch.is_held_up
    late = show(early.watch, leaning, frames=VOTES + 2)
    assert (late.told, late.watch.known, late.watch.whole) == ([], (DUKE,), False)
    assert late.boxes
    assert show(late.watch, drawn(DUKE), DUKE).told == []
    gone = show(late.watch, drawn())
    assert gone.faces == ["duke"]
    assert not gone.watch.is_held_up


@pytest.mark.parametrize("rate", [5.0, 30.0])
def test_arms_are_timed_in_seconds_at_any_rate(rate: float) -> None:
    shown, frames = Shown(watching(DUKE), [], []), 0
    for seconds, is_held_up, is_read in (
        (1.7, False, False),
        (2.3, True, False),
        (5.7, True, False),
        (7.0, True, True),
    ):
        more = pictures(seconds, rate) - frames
        shown, frames = show(shown.watch, drawn(DUKE, arm=100), frames=more, rate=rate), frames + more
        assert (shown.watch.is_held_up, bool(shown.boxes)) == (is_held_up, is_read), seconds


def test_card_exchanged_for_a_similar_one_is_noticed_once_the_hand_is_gone() -> None:
    similar = drawn(DUKE)
    similar[170:230, 120:180] -= 9
    assert show(watching(DUKE), similar, CAPTAIN).boxes == []
    hand = show(watching(DUKE), drawn(DUKE, arm=100), frames=pictures(1.0))
    assert show(hand.watch, drawn(DUKE), DUKE).boxes == []
    there = replace(CAPTAIN, outline=DUKE.outline)
    assert show(hand.watch, similar, there).faces == ["duke", "captain"]


def test_flickering_area_does_not_restart_the_vote() -> None:
    def flickering(frame: int) -> Picture:
        picture = drawn(DUKE)
        picture[350:450, 450:600] += 15 if frame % 3 == 0 else 11
        return picture

    assert show(watching(), flickering, DUKE, frames=4 * SOON).faces == ["duke"]


def test_card_taken_under_an_arm_is_gone_afterwards() -> None:
    rested = show(watching(DUKE), drawn(DUKE, arm=300), DUKE, frames=60, rate=SLOW)
    assert (rested.told, rested.watch.is_held_up) == ([], True)
    gone = show(rested.watch, drawn(), rate=SLOW)
    assert (gone.faces, gone.watch.known) == (["duke"], ())
    assert not show(gone.watch, drawn(), frames=pictures(ARM, SLOW), rate=SLOW).watch.is_held_up


def test_card_hidden_too_long_counts_as_taken() -> None:
    picture = drawn(arm=100)
    hidden = show(watching(DUKE), picture, frames=pictures(GROUND - 1, SLOW), rate=SLOW)
    assert (hidden.told, hidden.watch.known) == ([], (DUKE,))
    taken = show(hidden.watch, picture, frames=pictures(2 * ARM, SLOW), rate=SLOW)
    assert taken.faces == ["duke"]


def test_object_left_at_the_edge_becomes_background() -> None:
    frames = pictures(GROUND + ARM, SLOW) + SOON
    learned = show(watching(DUKE), drawn(DUKE, arm=300), DUKE, frames=frames, rate=SLOW)
    assert (learned.told, learned.watch.is_held_up, learned.watch.is_busy) == ([], False, False)
    gone = show(learned.watch, drawn(), rate=SLOW)
    assert (gone.faces, gone.watch.is_busy) == (["duke"], False)
    again = show(gone.watch, drawn(arm=300), frames=pictures(RESTLESS, SLOW) + 1, rate=SLOW)
    assert again.watch.is_held_up


DOUBT = card(None, 150, 200, ("captain", 0.6), ("duke", 0.5))
# a back's similarity to a face is no doubt
BACK = replace(card(None, 150, 200, ("duke", 0.1)), sure=True, facing="down")


@pytest.mark.parametrize(
    ("was", "again", "expected"),
    [
        (DUKE, replace(DUKE, possible=False), ("duke", True, False)),
        (DUKE, card(None, 150, 200, ("duke", 0.4)), ("duke", False, True)),
        (DUKE, DUKE, ("duke", True, True)),
        (DOUBT, DUKE, ("duke", True, True)),
    ],
)
def test_requested_reading_replaces_the_known_card(
    was: Sighting, again: Sighting, expected: tuple[str, bool, bool]
) -> None:
    shown = show(schedule_reading(begin_watch(drawn(DUKE), (was,))), drawn(DUKE), again)
    assert len(shown.told) in {0, 2}
    assert [(each.face, each.sure, each.possible) for each in shown.watch.known] == [expected]


NAMED, ABOVE = replace(MAYBE_DUKE, face="duke", sure=True), card("duke", 162, 208)
HALF = card(None, 150, 200, ("duke", 0.4))
AT, BESIDE = (150, 200), (450, 200)


@pytest.mark.parametrize(
    ("was", "places", "seen", "told", "known"),
    [
        # turned over
        (DUKE, (AT,), (BACK,), [DUKE, BACK], {BACK}),
        (BACK, (AT,), (DUKE,), [BACK, DUKE], {DUKE}),
        # a clear reading settles an earlier doubt
        (DOUBT, (AT,), (DUKE,), [DOUBT, DUKE], {DUKE}),
        # an unsure reading keeps the name
        (DUKE, (AT, BESIDE), (MAYBE_DUKE,), [DUKE, NAMED], {NAMED}),
        # a card of the same face is laid on it
        (DUKE, (AT,), (ABOVE, DUKE), [ABOVE], {DUKE, ABOVE}),
        # half covered, it keeps its name
        (DUKE, (AT, BESIDE), (HALF, CAPTAIN), [CAPTAIN], {DUKE, CAPTAIN}),
    ],
)
def test_merges_reading_of_changed_area(
    was: Sighting,
    places: tuple[tuple[int, int], ...],
    seen: tuple[Sighting, ...],
    told: list[Sighting],
    known: set[Sighting],
) -> None:
    shown = show(begin_watch(drawn(), (was,)), changed(*places), *seen)
    assert (shown.told, set(shown.watch.known)) == (told, known)


LIKELY = replace(card(None, 150, 200, ("duke", 0.8)), chance=0.97)
NUDGED = replace(LIKELY, outline=square(154, 203))
OTHER = replace(LIKELY, runners_up=(RunnerUp("captain", 0.8),))


@pytest.mark.parametrize(
    ("was", "now", "is_told", "chance", "sure"),
    [
        # only a nudged card gives an independent reading
        (LIKELY, NUDGED, True, 0.994, True),
        (LIKELY, replace(LIKELY, chance=0.98), False, 0.98, False),
        (DOUBT, LIKELY, True, 0.97, False),
        (DUKE, LIKELY, False, None, True),
    ],
)
def test_only_independent_readings_of_a_card_add_up(
    was: Sighting, now: Sighting, is_told: bool, chance: float | None, sure: bool
) -> None:
    shown = show(begin_watch(drawn(), (was,)), changed(AT), now)
    assert bool(shown.told) == is_told
    assert [(each.chance, each.sure) for each in shown.watch.known] == [(chance, sure)]


def test_unknown_card_in_the_place_of_one_that_it_resembles_replaces_it() -> None:
    unknown = card(None, 150)
    picture = drawn(DUKE)
    picture[200:240, 120:180] = drawn(replace(DUKE, face="captain"))[200:240, 120:180]
    shown = show(watching(DUKE), picture, unknown, frames=12)
    assert shown.told == [DUKE, unknown]


def test_card_without_a_look_is_gone_although_another_part_is_read_before_its_own() -> None:
    # as after a person named it
    watch = replace(watching(DUKE), looks={})

    def swept(frame: int) -> Picture:
        picture = drawn(CAPTAIN)
        picture[:, :260] = np.random.default_rng(1).integers(60, 120, (480, 260, 1), np.uint8)
        if frame < SOON:
            picture[150:200, 130:170] = 40 * (frame % 2)
        return picture

    shown = show(watch, swept, CAPTAIN, frames=3 * SOON)
    assert sorted(map(str, shown.faces)) == ["captain", "duke"]


@pytest.mark.parametrize("was", [LIKELY, DUKE])
@pytest.mark.parametrize("there", [square(150, 200), square(162, 191)])
def test_unsure_card_in_the_place_of_one_that_it_resembles_is_another(was: Sighting, there: Outline) -> None:
    resembling = replace(card(None, 150, 200, ("captain", 0.6), ("duke", 0.5)), outline=there)
    picture = drawn(replace(CAPTAIN, outline=there))
    shown = show(begin_watch(drawn(DUKE), (was,)), picture, resembling, frames=12)
    assert (shown.told, shown.watch.known) == ([was, resembling], (resembling,))


def test_a_card_that_reads_otherwise_once_stays_the_same() -> None:
    smudged = drawn(DUKE)
    smudged[160:176, 120:180] = 30
    unclear = replace(OTHER, runners_up=(*OTHER.runners_up, *LIKELY.runners_up))
    shown = show(watching(DUKE), smudged, unclear, frames=12)
    assert (shown.told, shown.watch.known) == ([], (DUKE,))
    # a likely face is in doubt again
    shown = show(begin_watch(drawn(DUKE), (LIKELY,)), smudged, OTHER, frames=12)
    assert [(each.chance, each.sure) for each in shown.told] == [(LIKELY.chance, False), (None, False)]


def test_doubtful_face_stays_likely_however_often_its_card_moves() -> None:
    watch = begin_watch(drawn(), (replace(LIKELY, chance=PROBABLE),))
    beyond = begin_unread_watch(drawn(), frozenset({"duke"}))
    watch = replace(watch, doubtful=beyond.doubtful)
    for step in range(12):
        there = replace(LIKELY, chance=PROBABLE, outline=square(150 + 6 * step, 200))
        watch = show(watch, changed((150 + 6 * step, 200)), there).watch
        assert [(each.chance, each.sure) for each in watch.known] == [(PROBABLE, False)]


HERE, OVER = card("duke", 100, 100), card("captain", 112, 108)
UNSURE = card(None, 100, 100)


@pytest.mark.parametrize(
    ("ballots", "faces"),
    [
        ([[HERE], [HERE], [UNSURE]], ["duke"]),
        ([[HERE], [UNSURE], [UNSURE]], [None]),
        ([[HERE], [], []], []),
        ([[HERE], [HERE], [replace(HERE, face="captain")]], [None]),
        ([[HERE, OVER], [OVER, HERE], [HERE, OVER]], ["duke", "captain"]),
        ([[card("duke", 112, 108), HERE]] * 3, ["duke", "duke"]),
    ],
)
def test_vote_needs_a_majority_and_one_face(ballots: list[list[Sighting]], faces: list[str | None]) -> None:
    elected = elect_cards(tuple(Reading(tuple(each)) for each in ballots))
    assert [each.face for each in elected] == faces
    assert [each.sure for each in elected] == [face is not None for face in faces]


def test_vote_has_the_lowest_chance_of_its_readings() -> None:
    for other, chance in ((replace(LIKELY, chance=0.93), 0.93), (OTHER, None), (DOUBT, None)):
        (elected,) = elect_cards(tuple(Reading((each,)) for each in (LIKELY, other, LIKELY)))
        assert elected.chance == chance


def test_card_pushed_over_the_edge_of_a_part_is_not_lost() -> None:
    """Only the part on one side of the edge has changed enough to be read."""
    before, after = card("duke", 200, 126), card("duke", 202, 130)
    table = drawn()
    table[40:100, 150:250] = 200
    # it looks different in its new place
    watch = replace(begin_watch(drawn(), (before,)), looks={})
    shown = show(watch, table, after)
    assert shown.boxes
    assert all(bottom <= 128 or top >= 128 for _left, top, _right, bottom in shown.boxes)
    assert shown.faces == []
    assert [each.face for each in shown.watch.known] == ["duke"]
