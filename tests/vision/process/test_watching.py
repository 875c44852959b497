"""The gate waits for hands and reads only changes; readings vote; changes are reported."""

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from hardware.twin.rendering.faces import faces_of
from hardware.twin.rendering.motions import laying_scenes, still_scenes
from hardware.twin.rendering.renderer import Frame, render
from hardware.twin.rendering.scene import Glare, Hand, Scene, SceneCamera, SceneCard, SceneLight, SceneTable
from vision.process.watching import (
    ARM,
    PATIENCE,
    STILL_FRAMES,
    VOTES,
    Box,
    CardChange,
    Watch,
    begin_unread_watch,
    begin_watch,
    elect_cards,
    schedule_reading,
    watch_frame,
)
from vision.sightings import Outline, Reading, RunnerUp, Sighting, UnexplainedThing

faces = faces_of("coup")
CAMERA = SceneCamera(resolution=(1024, 768), focal=788.0, noise=3.0)
TABLE = Scene(CAMERA, SceneTable("felt", plates=()), SceneLight(), (SceneCard("duke", -150.0, 0.0),), seed=4)


class Eyes:
    """A reader that knows the truth of its frame, and counts its readings."""

    def __init__(self) -> None:
        """Begin without a reading."""
        self.frame: Frame | None = None
        self.boxes: list[Box] = []

    def read(self, _picture: NDArray[np.uint8], box: Box) -> Reading:
        """Give the true cards in a part of the frame."""
        assert self.frame is not None
        self.boxes.append(box)
        return Reading(
            tuple(make_sighting(card.face, card.outline) for card in self.frame.truth if card.visible > 0.3)
        )


def make_sighting(face: str | None, outline: object, *, sure: bool = True) -> Sighting:
    """Make a sighting."""
    corners: Outline = tuple(tuple(point) for point in outline)  # type: ignore[attr-defined, assignment]
    return Sighting(face if sure else None, sure, 0.9, (), corners, "up", 1.0)


def square(x: float, y: float) -> Outline:
    """Outline a card at a place."""
    return ((x - 30, y - 40), (x + 30, y - 40), (x + 30, y + 40), (x - 30, y + 40))


def watch_all(
    scenes: tuple[Scene, ...], eyes: Eyes, watch: Watch | None = None
) -> tuple[Watch, list[CardChange]]:
    """Watch scenes one by one."""
    happenings: list[CardChange] = []
    for scene in scenes:
        eyes.frame = render(scene, faces)
        if watch is None:
            watch = begin_watch(eyes.frame.picture, eyes.read(eyes.frame.picture, (0, 0, 1, 1)).cards)
        else:
            watch, new = watch_frame(watch, eyes.frame.picture, eyes.read)
            happenings += new
    assert watch is not None
    return watch, happenings


def scenes_at(scene: Scene, start: float, frames: int) -> tuple[Scene, ...]:
    """Repeat a scene for some frames."""
    return tuple(replace(scene, time=start + number / 10) for number in range(frames))


def test_a_still_table_is_not_read_again() -> None:
    eyes = Eyes()
    watch, happenings = watch_all(scenes_at(TABLE, 0.0, 12), eyes)
    assert happenings == []
    assert len(eyes.boxes) == 1
    assert not watch.is_busy


def test_a_card_that_a_hand_lays_is_told_once_after_the_hand_has_left() -> None:
    eyes, card = Eyes(), SceneCard("captain", 140.0, 20.0)
    scenes = laying_scenes(TABLE, card, 10, seed=2)
    with_card = replace(TABLE, cards=(*TABLE.cards, card))
    watch, happenings = watch_all((TABLE, *scenes), eyes)
    assert happenings == []
    watch, happenings = watch_all(scenes_at(with_card, 50.0, STILL_FRAMES + VOTES + 3), eyes, watch)
    assert [(one.what, one.card.face) for one in happenings] == [("laid", "captain")]
    assert {card.face for card in watch.known} == {"duke", "captain"}
    assert len(eyes.boxes) <= 1 + 2 * VOTES
    assert all(right - left < 400 and low - top < 400 for left, top, right, low in eyes.boxes)


def test_a_card_that_is_taken_or_moved_is_told() -> None:
    eyes = Eyes()
    watch, _none = watch_all(scenes_at(TABLE, 0.0, 2), eyes)
    moved = replace(TABLE, cards=(SceneCard("duke", 100.0, 60.0, 20.0),))
    watch, happenings = watch_all(scenes_at(moved, 1.0, 10), eyes, watch)
    assert [(one.what, one.card.face) for one in happenings] == [("moved", "duke")]
    empty = replace(TABLE, cards=())
    watch, happenings = watch_all(scenes_at(empty, 3.0, 10), eyes, watch)
    assert [(one.what, one.card.face) for one in happenings] == [("taken", "duke")]
    assert watch.known == ()


def test_a_reflection_that_never_rests_does_not_hold_the_table_up() -> None:
    eyes = Eyes()
    glare = Glare(-140.0, 10.0, 30.0, 0.5, sway=(60.0, 40.0), rate=1.3)
    restless = replace(
        TABLE,
        light=SceneLight(glares=(glare,)),
        cards=(SceneCard("duke", -150.0, 0.0), SceneCard("captain", 140.0, 0.0)),
    )
    watch, _none = watch_all(scenes_at(TABLE, 0.0, 1), eyes)
    watch, happenings = watch_all(still_scenes(replace(restless, time=1.0), PATIENCE + 12), eyes, watch)
    assert ("laid", "captain") in [(one.what, one.card.face) for one in happenings]


def test_a_card_moved_across_the_table_is_told_once() -> None:
    eyes = Eyes()
    watch, _none = watch_all(scenes_at(TABLE, 0.0, 2), eyes)
    moved = replace(TABLE, cards=(SceneCard("duke", 260.0, 140.0, 20.0),))
    watch, happenings = watch_all(scenes_at(moved, 1.0, 10), eyes, watch)
    assert [(one.what, one.card.face) for one in happenings] == [("moved", "duke")]
    assert len(watch.known) == 1


def test_what_moved_is_read_in_the_last_of_so_many_still_frames() -> None:
    bare, laid = np.full((480, 640, 3), 90, np.uint8), np.full((480, 640, 3), 90, np.uint8)
    laid[200:300, 300:400] = 220
    boxes: list[Box] = []

    def read(_picture: NDArray[np.uint8], box: Box) -> Reading:
        boxes.append(box)
        return Reading(())

    watch, _none = watch_frame(begin_watch(bare), laid, read)
    for still in range(1, STILL_FRAMES + 2):
        watch, _none = watch_frame(watch, laid, read)
        assert bool(boxes) is (still >= STILL_FRAMES)


def test_a_table_that_is_not_known_is_read_whole_and_so_it_is_again_when_asked() -> None:
    eyes = Eyes()
    eyes.frame = render(TABLE, faces)
    watch = begin_unread_watch(eyes.frame.picture)
    for number in range(2):
        watch, happenings = watch_all(scenes_at(TABLE, float(number), STILL_FRAMES + VOTES), eyes, watch)
        assert watch.settled is not None
        assert [one.card.face for one in happenings] == ["duke"][number:]
        assert [card.face for card in watch.known] == ["duke"]
        assert len(eyes.boxes) == VOTES * (number + 1)
        watch = schedule_reading(watch)


def test_an_arm_that_rests_on_a_card_takes_nothing_away() -> None:
    eyes, arm = Eyes(), Hand(-150.0, 10.0, spread=0.1)
    watch, _none = watch_all(scenes_at(TABLE, 0.0, 2), eyes)
    leaning = replace(TABLE, hands=(arm,))
    picture = render(leaning, faces)
    assert picture.truth[0].visible < 0.3
    noise = np.random.default_rng(5)
    happenings: tuple[CardChange, ...] = ()
    eyes.frame, held_up = picture, []
    for _frame in range(ARM + 8):
        shown = np.clip(picture.picture + noise.normal(0, 2, picture.picture.shape), 0, 255).astype(np.uint8)
        watch, new = watch_frame(watch, shown, eyes.read)
        happenings += new
        held_up.append(watch.is_held_up)
    assert happenings == ()
    assert held_up[PATIENCE] is True
    assert [card.face for card in watch.known] == ["duke"]
    watch, more = watch_all(scenes_at(replace(TABLE, cards=()), 60.0, STILL_FRAMES + VOTES + 2), eyes, watch)
    assert [(one.what, one.card.face) for one in more] == [("taken", "duke")]
    assert not watch.is_held_up


def test_an_arm_that_rests_on_a_card_takes_nothing_away_while_all_is_read_again() -> None:
    eyes = Eyes()
    watch, _none = watch_all(scenes_at(TABLE, 0.0, 2), eyes)
    eyes.frame = render(replace(TABLE, hands=(Hand(-150.0, 10.0, spread=0.1),)), faces)
    noise = np.random.default_rng(5)
    watch, happenings = schedule_reading(watch), list[CardChange]()
    for frame in range(ARM + VOTES + 2):
        shown = np.clip(eyes.frame.picture + noise.normal(0, 2, eyes.frame.picture.shape), 0, 255)
        watch, new = watch_frame(watch, shown.astype(np.uint8), eyes.read)
        happenings += new
        assert watch.whole or frame >= ARM
    assert not watch.whole
    watch, more = watch_all(scenes_at(TABLE, 60.0, STILL_FRAMES + VOTES + 2), eyes, watch)
    assert [*happenings, *more] == []
    assert [card.face for card in watch.known] == ["duke"]


def test_a_hand_that_has_left_since_the_start_does_not_hold_up_what_is_asked_again_and_again() -> None:
    eyes, picture = Eyes(), render(TABLE, faces).picture
    leaning = replace(TABLE, hands=(Hand(150.0, 170.0, -25.0),))
    unread = begin_unread_watch(render(leaning, faces).picture)
    watch, _happenings = watch_all(scenes_at(leaning, 0.0, STILL_FRAMES + VOTES), eyes, unread)
    assert watch.settled is not None
    eyes.frame = render(TABLE, faces)
    for frame in range(ARM + 2 * VOTES):
        watch = schedule_reading(watch) if frame % PATIENCE == 0 else watch
        watch, _happenings = watch_frame(watch, picture, eyes.read)
    assert not watch.whole
    assert not watch.is_held_up


def test_what_is_looked_at_again_counts_as_it_is_seen_then() -> None:
    (duke,) = watch_all(scenes_at(TABLE, 0.0, 1), Eyes())[0].known
    for again, expected in (
        (replace(duke, possible=False), ("duke", True, False)),
        (replace(duke, face=None, sure=False, runners_up=(RunnerUp("duke", 0.4),)), ("duke", False, True)),
        (duke, ("duke", True, True)),
    ):
        picture = render(TABLE, faces).picture
        watch = schedule_reading(begin_watch(picture, (duke,)))
        for _frame in range(STILL_FRAMES + VOTES):
            watch, happenings = watch_frame(watch, picture, lambda *_part, card=again: Reading((card,)))  # type: ignore[misc]
            assert happenings == ()
        assert [(card.face, card.sure, card.possible) for card in watch.known] == [expected]


def test_a_card_that_is_turned_over_is_taken_and_its_back_is_laid() -> None:
    (duke,) = watch_all(scenes_at(TABLE, 0.0, 1), Eyes())[0].known
    # what a back looks like, however little, is no doubt about it
    back = replace(duke, face=None, facing="down", runners_up=(RunnerUp("duke", 0.1),))
    changed = render(TABLE, faces).picture.copy()
    changed[300:500, 250:480] = 255
    for was, now in ((duke, back), (back, duke)):
        watch, told = begin_watch(render(TABLE, faces).picture, (was,)), list[CardChange]()
        for _frame in range(STILL_FRAMES + 3 * VOTES):
            watch, new = watch_frame(watch, changed, lambda *_part, card=now: Reading((card,)))  # type: ignore[misc]
            told += new
        assert [(each.what, each.card) for each in told] == [("taken", was), ("laid", now)]
        assert watch.known == (now,)


def watch_part(known: Sighting, now: Sighting) -> tuple[Watch, list[tuple[str, Sighting, Sighting | None]]]:
    """Change the picture where a card is known, and read it anew."""
    changed = render(TABLE, faces).picture.copy()
    changed[250:500, 150:480] = 255
    watch, told = begin_watch(render(TABLE, faces).picture, (known,)), list[CardChange]()
    for _frame in range(STILL_FRAMES + 3 * VOTES):
        watch, new = watch_frame(watch, changed, lambda *_part: Reading((now,)))
        told += new
    return watch, [(each.what, each.card, each.before) for each in told]


def test_a_clear_look_settles_an_earlier_doubt_about_a_card_that_stays() -> None:
    (duke,) = watch_all(scenes_at(TABLE, 0.0, 1), Eyes())[0].known
    doubt = replace(duke, face=None, sure=False, runners_up=(RunnerUp("captain", 0.6), RunnerUp("duke", 0.5)))
    watch, told = watch_part(doubt, duke)
    assert told == [("moved", duke, doubt)]
    assert watch.known == (duke,)
    again = schedule_reading(begin_watch(render(TABLE, faces).picture, (doubt,)))
    for _frame in range(STILL_FRAMES + VOTES):
        again, _none = watch_frame(again, render(TABLE, faces).picture, lambda *_part: Reading((duke,)))
    assert again.known == (duke,)


def test_a_card_that_is_moved_to_where_it_cannot_be_read_for_sure_keeps_its_name() -> None:
    duke = make_sighting("duke", square(250, 350))
    there = replace(make_sighting(None, square(400, 400), sure=False), runners_up=(RunnerUp("duke", 0.7),))
    watch, told = watch_part(duke, there)
    assert [(what, card.face, card.sure, before) for what, card, before in told] == [
        ("moved", "duke", True, duke)
    ]
    assert [card.outline for card in watch.known] == [there.outline]


def test_votes_need_most_of_the_readings() -> None:
    place = square(100, 100)
    yes, no = make_sighting("duke", place), make_sighting("duke", place, sure=False)
    assert [card.face for card in elect_cards((Reading((yes,)), Reading((yes,)), Reading((no,))))] == ["duke"]
    assert [card.face for card in elect_cards((Reading((yes,)), Reading((no,)), Reading((no,))))] == [None]
    assert elect_cards((Reading((yes,)), Reading(()), Reading(()))) == ()


def test_two_faces_for_one_card_are_none() -> None:
    place = square(100, 100)
    one, other = make_sighting("duke", place), make_sighting("captain", place)
    (card,) = elect_cards((Reading((one,)), Reading((one,)), Reading((other,))))
    assert (card.face, card.sure) == (None, False)


def test_two_cards_that_lie_on_each_other_are_two() -> None:
    below, above = make_sighting("duke", square(100, 100)), make_sighting("captain", square(112, 108))
    ballots = (Reading((below, above)), Reading((above, below)), Reading((below, above)))
    assert {card.face for card in elect_cards(ballots)} == {"duke", "captain"}
    twins = tuple(Reading((make_sighting("duke", square(112, 108)), below)) for _vote in range(VOTES))
    assert [card.face for card in elect_cards(twins)] == ["duke", "duke"]


def test_a_card_laid_onto_one_of_the_same_face_is_laid() -> None:
    below, above = make_sighting("duke", square(360, 380)), make_sighting("duke", square(372, 388))
    bare = render(replace(TABLE, cards=()), faces).picture
    watch, happenings = begin_watch(bare, (below,)), list[CardChange]()
    changed = bare.copy()
    changed[300:460, 300:460] = 255
    for _frame in range(STILL_FRAMES + 3 * VOTES):
        watch, new = watch_frame(watch, changed, lambda *_part: Reading((above, below)))
        happenings += new
    assert [(one.what, one.card) for one in happenings] == [("laid", above)]
    assert set(watch.known) == {below, above}


def test_a_card_that_is_half_covered_is_not_denied() -> None:
    eyes = Eyes()
    watch, _none = watch_all(scenes_at(TABLE, 0.0, 1), eyes)
    (duke,) = watch.known
    unsure = replace(duke, face=None, sure=False, runners_up=(RunnerUp("duke", 0.4),))
    above = make_sighting("captain", square(900, 660))

    def read(_picture: NDArray[np.uint8], _box: Box) -> Reading:
        return Reading((unsure, above))

    changed = render(TABLE, faces).picture.copy()
    changed[300:500, 250:480] = changed[600:720, 840:960] = 255
    happenings: tuple[CardChange, ...] = ()
    for _frame in range(STILL_FRAMES + 3 * VOTES):
        watch, new = watch_frame(watch, changed, read)
        happenings += new
    assert [(one.what, one.card.face) for one in happenings] == [("laid", "captain")]
    assert [card.face for card in watch.known] == ["duke", "captain"]


class Told:
    """A reader that is told what to see."""

    def __init__(self) -> None:
        """See nothing yet."""
        self.reading = Reading(())

    def read(self, _picture: NDArray[np.uint8], _box: Box) -> Reading:
        """See what was told."""
        return self.reading


def thing(x: float, y: float) -> UnexplainedThing:
    return UnexplainedThing(square(x, y), 1.0)


def look(watch: Watch, told: Told, reading: Reading, grey: int) -> tuple[Watch, list[CardChange]]:
    """Let the middle of the table change to another grey, and be read so."""
    told.reading, happenings = reading, list[CardChange]()
    picture = np.full((480, 640, 3), 90, np.uint8)
    picture[150:250, 50:450] = grey
    for _frame in range(STILL_FRAMES + VOTES + 1):
        watch, new = watch_frame(watch, picture, told.read)
        happenings += new
    return watch, happenings


MAYBE_DUKE = replace(
    make_sighting(None, square(400, 200), sure=False),
    runners_up=(RunnerUp("duke", 0.7), RunnerUp("captain", 0.3)),
)


def follow_the_duke(told: Told) -> Watch:
    """Lay the duke, and move it to where nothing of it can be read."""
    begun = begin_watch(np.full((480, 640, 3), 90, np.uint8), (make_sighting("duke", square(100, 200)),))
    watch, moved = look(begun, told, Reading((), (thing(400, 200),)), 200)
    assert [(one.what, one.card.face, one.before and one.before.face) for one in moved] == [
        ("moved", None, "duke")
    ]
    assert [each.face for each in watch.known[0].runners_up] == ["duke"]
    assert watch.strange == ()
    return watch


def test_a_card_that_cannot_be_read_where_it_was_moved_is_known_there_and_not_sure() -> None:
    told = Told()
    watch = follow_the_duke(told)
    again, happenings = look(watch, told, Reading((), (thing(403, 201),)), 60)
    assert happenings == []
    assert again.known == watch.known
    assert again.strange == ()


def test_a_look_at_a_card_that_was_followed_names_it_or_denies_it() -> None:
    told = Told()
    watch = follow_the_duke(told)
    _watch, named = look(watch, told, Reading((MAYBE_DUKE,)), 60)
    assert [(one.what, one.card.face, one.card.sure) for one in named] == [("moved", "duke", True)]
    _watch, other = look(watch, told, Reading((make_sighting("captain", square(400, 200)),)), 60)
    assert [(one.what, one.card.face) for one in other] == [("taken", None), ("laid", "captain")]


def test_a_card_that_was_followed_is_taken_with_the_thing() -> None:
    told = Told()
    watch, happenings = look(follow_the_duke(told), told, Reading(()), 60)
    assert [(one.what, one.card.face) for one in happenings] == [("taken", None)]
    assert watch.known == ()


def test_what_lies_in_the_place_of_a_card_is_not_the_card() -> None:
    begun = begin_watch(np.full((480, 640, 3), 90, np.uint8), (make_sighting("duke", square(100, 200)),))
    watch, happenings = look(begun, Told(), Reading((), (thing(103, 201),)), 200)
    assert [(one.what, one.card.face) for one in happenings] == [("taken", "duke")]
    assert watch.known == ()
    assert len(watch.strange) == 1


def test_a_card_is_not_followed_to_what_a_mat_has_printed() -> None:
    plain = np.full((480, 640, 3), 90, np.uint8)
    plain[140:260, 350:450] = 110
    watch = begin_watch(plain, (make_sighting("duke", square(100, 200)),))
    taken, told, happenings = plain.copy(), Told(), list[CardChange]()
    # only where the card lay has anything changed, and a strip of what is beside it
    taken[150:250, 50:330] = 200
    told.reading = Reading((), (thing(400, 200),))
    for _frame in range(STILL_FRAMES + VOTES + 1):
        watch, new = watch_frame(watch, taken, told.read)
        happenings += new
    assert [(one.what, one.card.face) for one in happenings] == [("taken", "duke")]
    assert watch.known == ()


def test_a_card_that_is_not_read_again_is_there_where_nothing_has_changed() -> None:
    plain = np.full((480, 640, 3), 90, np.uint8)
    duke, captain = make_sighting("duke", square(150, 200)), make_sighting("captain", square(250, 200))
    changed = plain.copy()
    # what is changed reaches into the same cells, not to the card itself
    changed[150:250, 205:300] = 200
    for known, left in (((duke,), ["duke"]), ((duke, captain), ["duke"])):
        watch, told = begin_watch(plain, known), Told()
        for _frame in range(STILL_FRAMES + VOTES + 1):
            watch, _new = watch_frame(watch, changed, told.read)
        assert [card.face for card in watch.known] == left
    watch, told = begin_watch(plain, (duke,)), Told()
    told.reading = Reading((make_sighting("captain", square(150, 200)),))
    happenings = list[CardChange]()
    for _frame in range(STILL_FRAMES + VOTES + 1):
        watch, new = watch_frame(watch, changed, told.read)
        happenings += new
    assert [(one.what, one.card.face) for one in happenings] == [("taken", "duke"), ("laid", "captain")]
    # who asks for another look gets what is seen
    watch, told = schedule_reading(begin_watch(plain, (duke,))), Told()
    for _frame in range(STILL_FRAMES + VOTES + 1):
        watch, _new = watch_frame(watch, plain, told.read)
    assert watch.known == ()


def test_a_card_that_too_few_readings_were_sure_of_may_be_what_they_said() -> None:
    sure = replace(make_sighting("duke", square(100, 100)), runners_up=(RunnerUp("captain", 0.2),))
    unsure = replace(sure, face=None, sure=False, score=0.5, runners_up=(RunnerUp("captain", 0.5),))
    (card,) = elect_cards((Reading((sure,)), Reading((unsure,)), Reading((unsure,))))
    assert (card.face, card.sure) == (None, False)
    assert [each.face for each in card.runners_up] == ["duke", "captain"]
