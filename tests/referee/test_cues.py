"""What has a mood: what was ruled last, for the table and for the seats that it is about."""

from msgspec.structs import replace

from referee.contract import Answer, Cue, Mood, Option, Ruling
from referee.cues import OWN_CUES, cue_for, moods_at, moods_of
from referee.games.coyote import COYOTE
from referee.match import Match, Setup, TakeBack, begin, enter

CUES = {"one": Cue(Mood.TRICK), "all": Cue(Mood.WIN, ""), "several": Cue(Mood.LOSS, "seats")}
GAME = replace(COYOTE, cues=CUES)


def ruled(*rulings: Ruling) -> Match:
    """Sit down where this was ruled last."""
    match = begin(Setup(GAME, COYOTE.house(), ("Ana", "Bo")))
    assert isinstance(match, Match)
    return replace(match, rulings=rulings)


def test_a_ruling_of_a_game_has_the_mood_that_its_game_names_and_the_table_s_own_go_back() -> None:
    assert cue_for(GAME, Ruling("one", {})) == CUES["one"]
    assert cue_for(GAME, Ruling("quiet", {})) is None
    for key in ("taken-back", "corrected", "corrected-all", "struck"):
        assert cue_for(GAME, Ruling(key, {})) == OWN_CUES[key] == Cue(Mood.REVERSAL, "")


def test_moods_are_those_of_all_that_was_ruled_last() -> None:
    match = ruled(Ruling("one", {"seat": 1}), Ruling("quiet", {}), Ruling("all", {}))
    assert moods_of(match) == {Mood.TRICK, Mood.WIN}
    assert moods_of(ruled(Ruling("quiet", {}))) == frozenset()


def test_a_seat_has_the_moods_of_what_is_about_it() -> None:
    match = ruled(Ruling("one", {"seat": 1}), Ruling("several", {"seats": (0, 1)}), Ruling("all", {"seat": 0}))
    assert [moods_at(match, seat) for seat in range(3)] == [{Mood.LOSS}, {Mood.TRICK, Mood.LOSS}, set()]


def test_what_is_taken_back_is_about_no_seat() -> None:
    match = ruled()
    for entry in (Answer(0, "opener", Option("opens", seat=0)), Answer(1, "announce", 3, 0), TakeBack(2, 0)):
        after = enter(match, entry)
        assert isinstance(after, Match)
        match = after
    assert moods_of(match) == {Mood.REVERSAL}
    assert moods_at(match, 0) == frozenset()
