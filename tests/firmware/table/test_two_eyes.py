"""Two pairs of eyes as one: the second never stops the first, and what is wrong with it is told as its own."""

from typing import Any

from firmware.language.troubles import problem_text
from firmware.table.two_eyes import VAIN, TwoEyes
from tests.vision.process.test_two_cameras import BEGUN, TABLE, other, own
from vision.process.messages import (
    CardChanged,
    EvidenceKept,
    EyesReady,
    KeepEvidence,
    ReadTable,
    TableFound,
    TableRead,
    TroubleBegan,
    TroubleEnded,
    Wake,
)
from vision.troubles import SECOND, Problem

GONE = Problem("gone", {"camera": "usb:0"})
HIDDEN = Problem("marker hidden", {"marker": 2})


class _ToldEyes:
    """Eyes that tell what the test lets them, and remember what they were told."""

    def __init__(self) -> None:
        self.starts, self.orders, self.waiting, self.is_closed = 1, list[Any](), list[Any](), False
        self.tell = self.orders.append

    def news(self) -> list[Any]:
        told, self.waiting = self.waiting, []
        return told

    def close(self) -> None:
        self.is_closed = True


class _Pair:
    """Two eyes of which the first one has read a card that it isn't sure of."""

    def __init__(self) -> None:
        self.first, self.second = _ToldEyes(), _ToldEyes()
        self.eyes = TwoEyes(self.first, self.second, "usb:0", BEGUN)
        self.hear(TableRead((own(None),), (), 1))

    def hear(self, *news: Any) -> list[Any]:
        self.first.waiting += news
        return self.eyes.news()

    def hear_second(self, *news: Any) -> list[Any]:
        self.second.waiting += news
        return self.eyes.news()


def test_what_the_second_camera_sees_comes_as_the_first_ones_and_its_own_matters_do_not() -> None:
    pair = _Pair()
    assert pair.second.orders == [Wake(), ReadTable("look 1")]
    assert pair.hear_second(EyesReady("usb:0", (9, 9)), TableFound(TABLE)) == []
    (told,) = pair.hear_second(TableRead((other("8"),), (), 7, "look 1"))
    assert isinstance(told, CardChanged)
    assert told.card.card.face == "8"


def test_its_troubles_carry_its_name_and_its_word_is_taken_back_while_it_is_blind() -> None:
    pair = _Pair()
    pair.hear_second(TableRead((other("8"),), (), 7, "look 1"))
    back, began = pair.hear_second(TroubleBegan(GONE))
    assert isinstance(back, CardChanged)
    assert back.card == own(None)
    assert began == TroubleBegan(Problem("gone", {SECOND: "usb:0"}))
    assert problem_text(began.problem) == "Second camera: usb:0: the camera is gone: check the cable"
    assert pair.hear_second(TroubleEnded(GONE)) == [TroubleEnded(began.problem)]
    (again,) = pair.hear_second(TableRead((other("8"),), (), 8, "look 2"))
    assert isinstance(again, CardChanged)
    assert again.card.card.face == "8"


def test_new_eyes_of_the_second_camera_see_anew_what_is_wrong_and_some_that_only_die_are_told() -> None:
    pair = _Pair()
    (began,) = pair.hear_second(TroubleBegan(HIDDEN))
    pair.second.starts += 1
    assert pair.hear_second() == [TroubleEnded(began.problem)]
    told = list[Any]()
    for _start in range(VAIN):
        assert told == []
        pair.second.starts += 1
        told = pair.hear_second()
    assert [each.problem.key for each in told] == ["silent"]
    assert "unplug the camera" in problem_text(told[0].problem)
    assert [each.problem.key for each in pair.hear_second(EyesReady("usb:0", (9, 9)))] == ["silent"]
    assert pair.second.orders[-1] == ReadTable("look 5")


def test_evidence_is_kept_of_both_cameras_the_first_one_first() -> None:
    pair = _Pair()
    pair.hear_second(TableRead((other("8"),), (), 7, "look 1"))
    pair.hear(TableRead((own(None),), (), 2))
    pair.eyes.tell(KeepEvidence(2, "1", 5))
    (kept,) = pair.first.orders
    assert [(each.card.face, each.part) for each in kept.fused] == [("8", "settled")]
    assert not any(isinstance(each, KeepEvidence) for each in pair.second.orders)
    pair.hear(EvidenceKept("1", 5, "1.000005.jpg"))
    assert pair.second.orders[-1] == KeepEvidence(7, "1", 5)
    pair.eyes.tell(KeepEvidence(1, "1", 6))
    pair.hear(EvidenceKept("1", 6, "1.000006.jpg"))
    assert pair.second.orders[-1] == KeepEvidence(7, "1", 5)
    pair.eyes.close()
    assert pair.first.is_closed
    assert pair.second.is_closed
