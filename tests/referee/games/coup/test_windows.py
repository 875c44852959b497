"""Reaction windows: who may react, in which order and until when; hidden and public facts; winners."""

from referee.contract import Answer, Deadline, Option, Outcome, Reason
from referee.games.coup import COUP
from referee.games.coup.state import House
from referee.match import Match, Setup, TakeBack, begin, hear
from tests.given import refused
from tests.referee.games.coup.script import CHALLENGE, PASS, Script, table

A, B, C, D = range(4)
FOUR = ("3:2", "3:2", "3:2", "3:2")


def same_instant(
    line: str, *said: tuple[int, Option], turn: int = A
) -> list[tuple[int | None, tuple[int, ...]]]:
    """Return simultaneous answers in order."""
    script = table(*FOUR, turn=turn).plays(line)
    keys = {seat: ask.key for ask in script.match.asks for seat in ask.seats}
    answers = tuple(Answer(script.match.number, keys[seat], option, seat) for seat, option in said)
    return [(answer.seat, answer.tied) for answer in COUP.rules.in_order(script.match.state, answers)]


def test_simultaneous_answers_are_ordered() -> None:
    """The target first, then clockwise; challenges before blocks, passes, and requests for objections."""
    calls = ((D, CHALLENGE), (C, CHALLENGE), (A, CHALLENGE))
    assert same_instant("steal:0", *calls, turn=B) == [(A, (C, D)), (C, ()), (D, ())]
    assert same_instant("steal:0", *calls[:2], turn=B) == [(C, (D,)), (D, ())]
    block = Option("block", face="captain")
    three = same_instant("steal:1", (D, PASS), (B, block), (C, CHALLENGE))
    assert three == [(C, ()), (B, ()), (D, ())]
    assert same_instant("steal:1", (D, PASS), (C, PASS)) == [(C, ()), (D, ())]
    assert same_instant("steal:1", (A, Option("objections")), (D, PASS)) == [(D, ()), (A, ())]
    duke = (D, Option("block", face="duke"))
    for said in (((B, PASS), duke), (duke, (B, PASS))):
        assert same_instant("foreign-aid", *said) == [(D, ()), (B, ())]
    assert same_instant("", (A, Option("tax")), (A, Option("income"))) == [(A, ()), (A, ())]


def test_ties_list_only_seats_entitled_to_answer() -> None:
    script = table(*FOUR).plays("tax")

    def rulings(*tied: int) -> Script:
        return Script.of(hear(script.match, Answer(script.match.number, "challenge", CHALLENGE, B, tied=tied)))

    assert rulings(C, D).ruling("tie") == {"seat": B, "others": (C, D)}
    for others in (9, A, B):
        assert rulings(others).ruling_keys == ["challenged"]


def deadlines(script: Script) -> set[Deadline | None]:
    return {ask.deadline for ask in script.match.asks if ask.key != "objections"}


def test_window_closing_time() -> None:
    script = table(*FOUR).does("tax")
    assert deadlines(script) == {None}
    asked = script.answers("objections", Option("objections"), A)
    assert asked.ruling("objections") == {"seat": A, "seconds": 8}
    assert deadlines(asked) == {Deadline(8.0, PASS)}
    assert "objections" not in asked.ask_keys
    assert table(*FOUR).plays("foreign-aid block:1:duke").ask("objections").seats == (B,)
    house = {"window": "timer", "window_seconds": 5, "proof_seconds": 9}
    assert {ask.deadline for ask in table(*FOUR, **house).match.asks} == {None}
    timed = table(*FOUR, **house).plays("steal:1")
    assert deadlines(timed) == {Deadline(5.0, PASS)}
    assert "objections" not in timed.ask_keys
    proving = timed.plays("challenge:1")
    assert (proving.ask("concede").deadline, proving.show.deadline) == (Deadline(9.0, Option("concede")), None)


def test_absent_winner_does_not_begin() -> None:
    begun = begin(Setup(COUP, House(), ("A", "B"), Outcome("last-standing", (5,))))
    assert Script.of(begun).ask_keys == ["opener"]


def test_hidden_moves_cannot_be_undone() -> None:
    """A pass can be undone unless a player drew cards; so can a concession, but no swap or exchange."""
    for line, seat, sealed in (
        ("tax pass", B, False),
        ("exchange pass", B, True),
        ("exchange pass returned", A, True),
        ("tax challenge:1", B, False),
        ("tax challenge:1 concede", A, False),
        ("tax challenge:1 [duke] swap", A, True),
        ("tax challenge:1 [duke] keep", A, False),
    ):
        match = table("3:2", "3:2", swap_after_proof="optional").plays(line).match
        undone = hear(match, TakeBack(match.number, seat))
        assert refused(undone).reason is Reason.SEEN_BACK if sealed else isinstance(undone, Match), line


def test_all_who_left_share_a_place() -> None:
    script = table("7:2", "2:1", "2:0", "9:2").does("coup", B).shows("captain")
    places = [(each.seat, each.place, each.out) for each in COUP.rules.standings(script.state)]
    assert places == [(A, 1, False), (D, 1, False), (B, 3, True), (C, 3, True)]
