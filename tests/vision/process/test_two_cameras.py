"""What two cameras tell, joined: the first one's word stands, and the second one answers its doubts alone."""

from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from vision.process.messages import (
    CardChanged,
    Expect,
    EyesReady,
    EyesSettings,
    KeepEvidence,
    ReadTable,
    Rest,
    TableRead,
    UnexplainedChanged,
    UseDeck,
    UseZones,
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
from vision.sightings import RunnerUp, Sighting, UnexplainedThing
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


def test_a_sure_table_asks_nobody() -> None:
    step = see(BEGUN, own("8"), own("9", 200))
    assert step.orders == ()
    assert not step.cameras.is_awake


def test_a_doubt_wakes_the_second_camera_and_is_told_at_once_as_it_is() -> None:
    step = see(BEGUN, own(None))
    assert step.news == (TableRead((own(None),), (), 1),)
    assert step.orders == (Wake(), ReadTable("look 1"))


def test_the_second_camera_settles_a_doubt_where_the_card_lies_and_goes_on_looking() -> None:
    step = answer(see(BEGUN, own(None), own("9", 200)).cameras, other("8"), other("9", 200))
    (news,) = step.news
    assert isinstance(news, CardChanged)
    assert (news.what, news.before, news.reading) == ("moved", own(None), 1)
    assert (news.card.card.face, news.card.card.sure, news.card.zone) == ("8", True, "centre")
    assert news.card.card.outline == own(None).card.outline
    assert step.orders == ()


def test_what_was_settled_stays_so_when_the_first_camera_reads_the_same_again() -> None:
    settled = answer(see(BEGUN, own(None)).cameras, other("8")).cameras
    again = see(settled, own(None, 1.0), number=2)
    assert faces(again) == ["8"]
    assert again.orders == ()
    assert isinstance(again.news[0], TableRead)
    assert again.news[0].cards[0].card.face == "8"


def test_two_sure_cameras_that_differ_leave_the_card_unsure_with_both_names() -> None:
    doubtful = see(BEGUN, own("8"), own(None, 200)).cameras
    step = answer(doubtful, other("9"), other("10", 200))
    disputed = step.cameras.told[0].card.card
    assert not disputed.sure
    assert {each.face for each in disputed.runners_up} == {"8", "9"}
    assert faces(step) == [None, "10"]


def test_a_card_is_added_only_where_the_first_camera_sees_something_that_it_cannot_explain() -> None:
    step = answer(see(BEGUN, strange=(thing(),)).cameras, other("8"), other("9", 200))
    (news,) = step.news
    assert isinstance(news, CardChanged)
    assert (news.what, news.card.card.face, news.card.zone) == ("laid", "8", "centre")


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


def test_a_card_in_another_place_of_it_is_read_anew_though_the_first_camera_sees_no_difference() -> None:
    settled = answer(see(BEGUN, own(None)).cameras, other("8")).cameras
    swapped = hear_second(settled, CardChanged("taken", other("8"), None, 8)).cameras
    step = hear_second(swapped, CardChanged("laid", other("9"), None, 9))
    assert faces(step) == ["9"]


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


def test_something_unexplained_that_comes_alone_is_a_doubt_and_one_that_only_wavers_is_not_another() -> None:
    step = hear_first(BEGUN, UnexplainedChanged((thing(),)))
    assert (step.news, step.orders) == ((), (Wake(), ReadTable("look 1")))
    assert hear_first(step.cameras, UnexplainedChanged((thing(3.0),))).orders == ()


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


def test_both_cameras_know_which_cards_are_expected_and_the_first_alone_where_zones_are() -> None:
    for order, is_for_both in ((Expect({"8": 1}), True), (UseZones({}), False)):
        cameras, first, second = prepare_order(BEGUN, order)
        assert (first, second) == (order, (order,) if is_for_both else ())
    assert cameras.settings.zones == {}


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
def test_without_a_second_look_all_is_told_as_the_first_camera_tells_it(happenings: list[Happening]) -> None:
    for news, step, _lying in play(happenings, with_second=False):
        assert step.news == (news,)


@given(HAPPENINGS)
def test_a_card_that_the_first_camera_is_sure_of_never_gets_another_name(happenings: list[Happening]) -> None:
    for _news, step, lying in play(happenings, with_second=True):
        for (_x, face), told in zip(lying.items(), step.cameras.told, strict=False):
            assert face is None or told.card.card.face in {face, None}
            assert told.card.card.face is None or told.card.card.sure


@given(HAPPENINGS)
def test_who_follows_what_is_told_knows_the_cards_as_they_are_told(happenings: list[Happening]) -> None:
    known: list[PlacedCard] = []
    for _news, step, _lying in play(happenings, with_second=True):
        for each in step.news:
            if isinstance(each, TableRead):
                known = list(each.cards)
            elif isinstance(each, CardChanged):
                gone = each.card if each.what == "taken" else each.before
                if gone is not None:
                    known.remove(gone)
                known += [] if each.what == "taken" else [each.card]
        told = [each.card for each in step.cameras.told]
        assert sorted(known, key=repr) == sorted(told, key=repr)
        assert forget_cards(step.cameras).cameras.told == ()
