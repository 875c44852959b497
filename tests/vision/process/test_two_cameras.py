"""What two cameras tell, joined: the first one's word stands, and the second one answers its doubts alone."""

from collections.abc import Iterable, Iterator
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hardware.twin.rendering.renderer import Frame, faces_of, render
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneCard, SceneTable, plates
from vision.process.messages import (
    CardChanged,
    EyesReady,
    EyesSettings,
    KeepEvidence,
    ReadTable,
    Rest,
    TableRead,
    UnexplainedChanged,
    UseDeck,
    Wake,
)
from vision.process.two_cameras import (
    JointStep,
    TwoCameras,
    forget_cards,
    hear_first,
    hear_second,
    joint_reading,
    lose_second,
    prepare_order,
)
from vision.process.two_looks import OnTable, bring_into_picture, fuse_looks
from vision.sightings import Outline, RunnerUp, SecondLook, Sighting, UnexplainedThing
from vision.table.calibration import Calibration
from vision.table.zones import PlacedCard, locate_card

SIZE = (1000, 800)
TABLE = Calibration(((1, 0, 500), (0, 1, 400), (0, 0, 1)), SIZE, (1, 1, 1), 1.0, {})
"""A pixel for each millimetre."""
ASIDE = replace(TABLE, plane=((0.8, 0, 300), (0, 0.8, 200), (0, 0, 1)))
"""The same table as the second camera sees it."""
ZONES = {"centre": ((-100.0, -400.0), (100.0, -400.0), (100.0, 400.0), (-100.0, 400.0))}
BEGUN = TwoCameras(EyesSettings("first", table=TABLE, zones=ZONES), SIZE)
FACES = ("8", "9", "10")


def sighted(face: str | None, x: float, *guesses: tuple[str, float], by: Calibration = TABLE) -> PlacedCard:
    """See a card whose left edge lies so many millimetres right of the middle."""
    share, (left, top) = by.plane[0][0], (by.plane[0][2], by.plane[1][2])
    corners = ((x, -44.0), (x + 63, -44.0), (x + 63, 44.0), (x, 44.0))
    a, b, c, d = ((left + share * across, top + share * down) for across, down in corners)
    others = tuple(RunnerUp(*guess) for guess in guesses)
    return locate_card(Sighting(face, face is not None, 0.9, others, (a, b, c, d), "up", 1.0), by, ZONES)


def own(face: str | None, x: float = 0.0, *guesses: tuple[str, float]) -> PlacedCard:
    return sighted(face, x, *guesses)


def other(face: str | None, x: float = 0.0) -> PlacedCard:
    return sighted(face, x, by=ASIDE)


def thing(x: float = 0.0) -> UnexplainedThing:
    return UnexplainedThing(own(None, x).card.outline, 1.0)


def see(
    cameras: TwoCameras, *cards: PlacedCard, strange: tuple[UnexplainedThing, ...] = (), number: int = 1
) -> JointStep:
    """Let the first camera read the whole table."""
    return hear_first(cameras, TableRead(cards, strange, number))


def answer(cameras: TwoCameras, *cards: PlacedCard, asked: int | None = None) -> JointStep:
    """Let the second camera give the look that it was asked for."""
    return hear_second(cameras, TableRead(cards, (), 7, f"look {cameras.asked if asked is None else asked}"))


def faces(step: JointStep) -> list[str | None]:
    return [each.card.card.face for each in step.cameras.told]


# what the second camera does for doubts


def test_a_doubt_wakes_the_second_camera_which_settles_it_where_the_card_lies_and_goes_on_looking() -> None:
    step = see(BEGUN, own(None))
    assert step.news == (TableRead((own(None),), (), 1),)
    assert step.orders == (Wake(), ReadTable("look 1"))
    step = answer(see(BEGUN, own(None), own("9", 200)).cameras, other("8"), other("9", 200))
    (news,) = step.news
    assert isinstance(news, CardChanged)
    assert (news.what, news.before, news.reading) == ("moved", own(None), 1)
    assert (news.card.card.face, news.card.card.sure, news.card.zone) == ("8", True, "centre")
    assert news.card.card.outline == own(None).card.outline
    assert step.orders == ()


@pytest.mark.parametrize(("x", "is_over_more"), [(70.0, False), (250.0, True)])
def test_a_card_lies_on_nothing_more_once_what_was_unread_beside_it_is_named(
    x: float, is_over_more: bool
) -> None:
    over = own("9")
    over = replace(over, card=replace(over.card, more_below=True))
    asked = see(BEGUN, over, strange=(thing(x),))
    assert asked.orders
    told = answer(asked.cameras, other("9"), other("8", x)).cameras.told
    assert [(each.card.card.face, each.card.card.more_below) for each in told] == [
        ("9", is_over_more),
        ("8", False),
    ]


def test_a_card_that_only_the_second_camera_sees_goes_when_that_one_sees_it_go() -> None:
    added = answer(see(BEGUN, strange=(thing(),)).cameras, other("8")).cameras
    (gone,) = hear_second(added, CardChanged("taken", other("8"), None, 8)).news
    assert isinstance(gone, CardChanged)
    assert (gone.what, gone.card.card.face) == ("taken", "8")


def test_what_has_changed_for_the_first_camera_no_longer_rests_on_the_old_look() -> None:
    settled = answer(see(BEGUN, own(None), own(None, 200)).cameras, other("8"), other("9", 200)).cameras
    taken = hear_first(settled, CardChanged("taken", own(None), None, 2))
    laid = hear_first(taken.cameras, CardChanged("laid", own(None), None, 3))
    assert faces(laid) == ["9", None]
    assert laid.orders == (ReadTable("look 3"),)
    # a look from before the change says nothing of it
    assert answer(laid.cameras, other("8"), other("9", 200), asked=2).cameras is laid.cameras
    assert faces(answer(laid.cameras, other("10"), other("9", 200))) == ["9", "10"]


def test_without_doubts_or_use_the_second_camera_rests_again() -> None:
    useless = answer(see(BEGUN, strange=(thing(),)).cameras)
    assert (useless.news, useless.orders) == ((), (Rest(),))
    settled = answer(see(BEGUN, own(None)).cameras, other("8")).cameras
    sure = hear_first(settled, CardChanged("moved", own("8"), own(None), 2))
    assert sure.orders == (Rest(),)
    assert hear_first(useless.cameras, UnexplainedChanged(())).orders == ()


def test_a_second_camera_without_markers_is_placed_by_cards_that_both_see() -> None:
    both = [other(face, x) for face, x in (("8", 0.0), ("9", 200.0), ("10", -200.0))]
    unplaced = [replace(each, middle=None, outline=None, zone=None) for each in both]
    step = answer(see(BEGUN, own(None), own("9", 200), own("10", -200)).cameras, *unplaced)
    assert faces(step) == ["8", "9", "10"]
    few = answer(see(BEGUN, own(None), own("9", 200)).cameras, *unplaced[:2])
    assert faces(few) == [None, "9"]


# when the second camera is away


def test_without_the_second_camera_its_word_is_taken_back_and_it_is_asked_anew_for_when_it_is_back() -> None:
    settled = answer(see(BEGUN, own(None)).cameras, other("8")).cameras
    lost = lose_second(settled)
    (news,) = lost.news
    assert isinstance(news, CardChanged)
    assert news.card == own(None)
    assert lost.orders == (ReadTable("look 2"),)
    assert hear_second(lost.cameras, EyesReady("second", SIZE)).orders == (ReadTable("look 2"),)
    assert faces(answer(lost.cameras, other("8"))) == ["8"]


def test_another_deck_is_told_to_both_and_what_lay_there_is_forgotten() -> None:
    settled = answer(see(BEGUN, own(None)).cameras, other("8")).cameras
    cameras, first, second = prepare_order(settled, UseDeck("other"))
    assert (first, second) == (UseDeck("other"), (Rest(), UseDeck("other")))
    assert (cameras.own, cameras.told, cameras.is_awake) == ((), (), False)


# evidence


def test_evidence_says_what_the_second_camera_did_of_the_readings_that_it_had_to_do_with() -> None:
    settled = answer(see(BEGUN, own(None), own("9", 200)).cameras, other("8"), other("9", 200)).cameras
    cameras = see(settled, own(None), own("9", 200), number=2).cameras
    _cameras, order, _second = prepare_order(cameras, KeepEvidence(2, "1", 5))
    assert isinstance(order, KeepEvidence)
    assert [(each.card.face, each.part) for each in order.fused] == [("8", "settled"), ("9", "agreed")]
    joint = joint_reading(cameras, 2)
    assert joint is not None
    assert joint.second == 7
    assert prepare_order(cameras, KeepEvidence(1, "1", 5))[1] == KeepEvidence(1, "1", 5)


# properties

PLACES = (-300.0, -100.0, 100.0, 300.0)
KINDS = ("read", "laid", "taken", "moved", "second", "second taken", "lost")
Happening = tuple[str, tuple[float, str | None], dict[float, str | None]]
CARD = st.tuples(st.sampled_from(PLACES), st.sampled_from((*FACES, None)))
TABLES = st.dictionaries(st.sampled_from(PLACES), st.sampled_from((*FACES, None)), max_size=4)
HAPPENINGS = st.lists(st.tuples(st.sampled_from(KINDS), CARD, TABLES), max_size=12)
Played = tuple[TableRead | CardChanged | None, JointStep, dict[float, str | None]]


def play(happenings: Iterable[Happening], *, with_second: bool) -> Iterator[Played]:
    """Let both cameras tell things, the first one as real eyes do, and give what comes of it."""
    cameras, lying = see(BEGUN).cameras, dict[float, str | None]()
    for number, (what, (x, face), table) in enumerate(happenings, 2):
        news: TableRead | CardChanged | None = None
        if what == "read":
            lying = dict(table)
            strange = () if x in lying else (thing(x),)
            news = TableRead(tuple(own(each, at) for at, each in lying.items()), strange, number)
        elif what == "laid" and x not in lying:
            lying = {**lying, x: face}
            news = CardChanged("laid", own(face, x), None, number)
        elif what == "taken" and x in lying:
            news = CardChanged("taken", own(lying.pop(x), x), None, number)
        elif what == "moved" and x in lying and lying[x] != face:
            news = CardChanged("moved", own(face, x), own(lying[x], x), number)
            del lying[x]
            lying[x] = face
        if news is not None:
            step = hear_first(cameras, news)
        elif with_second and what == "second":
            step = answer(cameras, *(other(each, at) for at, each in table.items()))
        elif with_second and what == "second taken":
            step = hear_second(cameras, CardChanged("taken", other(face, x), None, number))
        elif with_second and what == "lost":
            step = lose_second(cameras)
        else:
            continue
        cameras = step.cameras
        yield news, step, dict(lying)


@given(HAPPENINGS)
def test_no_sure_name_is_changed_and_who_follows_what_is_told_knows_the_cards(
    happenings: list[Happening],
) -> None:
    """Without a second look all is told as the first camera tells it."""
    for news, step, _lying in play(happenings, with_second=False):
        assert step.news == (news,)
    known: list[PlacedCard] = []
    for _news, step, lying in play(happenings, with_second=True):
        for (_x, face), told in zip(lying.items(), step.cameras.told, strict=False):
            assert face is None or told.card.card.face in {face, None}
            assert told.card.card.face is None or told.card.card.sure
        for each in step.news:
            if isinstance(each, TableRead):
                known = list(each.cards)
            elif isinstance(each, CardChanged):
                gone = each.card if each.what == "taken" else each.before
                if gone is not None:
                    known.remove(gone)
                known += [] if each.what == "taken" else [each.card]
        assert sorted(known, key=repr) == sorted((each.card for each in step.cameras.told), key=repr)
        assert forget_cards(step.cameras).cameras.told == ()


# two looks at the same cards

SIZE = (1000, 800)


def square(x: float, y: float = 300.0) -> Outline:
    return (x, y), (x + 63, y), (x + 63, y + 88), (x, y + 88)


def look(face: str | None, x: float = 100.0, *guesses: tuple[str, float], down: bool = False) -> Sighting:
    others = tuple(RunnerUp(*guess) for guess in guesses)
    return Sighting(face, face is not None or down, 0.9, others, square(x), "down" if down else "up", 1.0)


EITHER, OTHER, BLANK = look(None, 100.0, ("8", 0.8), ("9", 0.7)), look(None, 100.0, ("5", 0.8)), look(None)


@pytest.mark.parametrize(
    ("first", "second", "face", "part"),
    [
        (look("8"), look("8", 104.0), "8", "agreed"),
        (look("8"), look("9"), None, "disputed"),
        (look("8"), look(None, down=True), None, "disputed"),
        (EITHER, look("9"), "9", "settled"),
        (BLANK, look("9"), "9", "settled"),
        # what could well be something else, and not that, denies it
        (OTHER, look("9"), None, "disputed"),
        (look("9"), EITHER, "9", "none"),
        (look("9"), OTHER, None, "disputed"),
        (look("9"), look("8", 300.0), "9", "none"),
        (EITHER, look("9", 300.0), None, "none"),
    ],
)
def test_a_name_needs_both_looks_or_one_that_the_other_does_not_deny(
    first: Sighting, second: Sighting, face: str | None, part: SecondLook
) -> None:
    fused = fuse_looks([first], [second], SIZE)[0]
    assert (fused.card.face, fused.card.sure, fused.part) == (face, face is not None, part)
    assert fused.card.outline == first.outline


def test_of_two_doubts_only_what_both_hold_possible_is_left_and_none_is_a_name() -> None:
    second = look(None, 100.0, ("9", 0.8), ("5", 0.6))
    (fused,) = fuse_looks([EITHER], [second], SIZE)
    assert [each.face for each in fused.card.runners_up] == ["9"]
    assert not fused.card.sure
    assert fuse_looks([EITHER], [OTHER], SIZE)[0].card == EITHER
    likely = replace(EITHER, chance=0.95)
    chances = [
        fuse_looks([likely], [other], SIZE)[0].card.chance
        for other in (replace(EITHER, chance=0.97), EITHER, replace(OTHER, chance=0.97))
    ]
    assert chances == [0.95, None, None]


@pytest.mark.parametrize(
    ("second", "is_added"),
    [
        (look("9", 300.0), True),
        (look(None, 300.0), False),
        # partly outside, or over another card
        (look("9", 960.0), False),
        (look("9", 135.0), False),
    ],
)
def test_only_a_whole_sure_card_that_lies_apart_is_added(second: Sighting, is_added: bool) -> None:
    fused = fuse_looks([look("8")], [second], SIZE)
    assert [each.part for each in fused] == (["none", "added"] if is_added else ["none"])
    # looks are paired one to one
    fused = fuse_looks([look("8"), look("8", 112.0)], [look("8", 110.0)], SIZE)
    assert [each.part for each in fused] == ["none", "agreed"]


# where the table's cards lie in a phone's picture

CARDS = tuple(
    SceneCard(face, *where)
    for face, *where in (
        ("duke", -60.0, 20.0, 8.0),
        ("captain", 70.0, -30.0, 200.0),
        ("contessa", 30.0, 70.0, 90.0),
    )
)


@cache
def phone_picture(*, with_markers: bool) -> Frame:
    """Photograph the table by hand, from the side and turned."""
    camera = SceneCamera((0.0, 0.0, 640.0), 4.0, 6.0, 25.0, focal=825.0, resolution=(1200, 900), noise=1.0)
    table = SceneTable(plates=plates(170.0, 110.0) if with_markers else ())
    return render(Scene(camera, table, cards=CARDS), faces_of("coup"))


def on_table(card: SceneCard, wide: float = 63.0, high: float = 88.0) -> OnTable:
    """Tell where a card lies on the table, as the table's own camera would."""
    turn = np.radians(card.angle)
    spin = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
    corners = np.array([(-wide, -high), (wide, -high), (wide, high), (-wide, high)]) / 2 @ spin
    a, b, c, d = ((float(x + card.x), float(y + card.y)) for x, y in corners)
    return Sighting(card.face, True, 0.9, (), square(0), "up", 1.0), (a, b, c, d)


def seen_by_phone(frame: Frame, *faces: str, turned: int = 0) -> list[Sighting]:
    """Name some cards in a picture; the corners may begin at either end."""
    outlines = {card.face: np.roll(np.array(card.outline), turned, axis=0).tolist() for card in frame.truth}
    return [replace(look(face), outline=tuple(map(tuple, outlines[face]))) for face in faces]


@pytest.mark.parametrize(("shared", "turned"), [((), 0), (("duke", "captain"), 0), (("duke", "captain"), 2)])
def test_cards_of_the_table_are_found_in_a_phones_picture_by_markers_or_by_cards(
    shared: tuple[str, ...], turned: int
) -> None:
    frame = phone_picture(with_markers=not shared)
    seen = seen_by_phone(frame, *shared, turned=turned)
    brought = bring_into_picture([on_table(card) for card in CARDS], frame.picture, seen)
    assert [card.face for card in brought] == ["duke", "captain", "contessa"]
    for card, truth in zip(brought, frame.truth, strict=True):
        assert np.abs(np.mean(card.outline, axis=0) - np.mean(truth.outline, axis=0)).max() < 9


def test_where_pictures_cannot_be_laid_on_each_other_nothing_is_brought() -> None:
    frame = phone_picture(with_markers=False)
    placed = [on_table(card) for card in CARDS]
    for shared in ((), ("duke",)):
        assert bring_into_picture(placed, frame.picture, seen_by_phone(frame, *shared)) == ()
    both = seen_by_phone(frame, "duke", "captain")
    # one of them was moved since
    moved = [placed[0], on_table(replace(CARDS[1], x=-190.0, angle=90.0)), placed[2]]
    assert bring_into_picture(moved, frame.picture, both) == ()
    # a face that is there twice tells nothing
    twice = [*both, replace(both[1], face="duke")]
    assert bring_into_picture(placed, frame.picture, twice) == ()
