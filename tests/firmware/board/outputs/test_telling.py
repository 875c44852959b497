"""Digits, tunes and spoken sentences at each moment."""

import wave
from array import array
from datetime import time
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pytest

from firmware.board.outputs import tunes
from firmware.board.outputs.dialled import dial_sentence, dial_signs, pointed_seat, word_signs
from firmware.board.outputs.segments import SEGMENTS, Result, digits, with_result, write_signs
from firmware.board.outputs.speech import is_quiet, saying
from firmware.board_events import DialState, Pick
from firmware.language.catalogues import language
from firmware.services.table_sound import TableSound
from referee.contract import Option
from referee.games.coyote.state import House
from referee.sentences import listener_at
from tests.firmware.board.inputs.matches import after, bidden, call_moments, coup, new_match, open_round


def test_digits_follow_the_round() -> None:
    call, verdict = call_moments()
    cave = after(bidden(20), ("turn", Option("coyote"), 1), ("reveal", ("10", "5", "4", "?"), None))
    assert cave.asks[0].key == "draw"
    for match, shown in (
        (new_match(), "----"),
        (open_round(), "----"),
        (bidden(20), "  20"),
        (call, "  20"),
        (verdict, "----"),
        (after(verdict, ("announce", 7, 1)), "   7"),
        (cave, "  20"),
        (bidden(9999), "9999"),
    ):
        assert digits(match) == shown
        assert with_result(match, shown) == (Result("  22", shown) if match is verdict else shown)
    below = call_moments(1, ("-10", "-5", "-5", "0"))[1]
    assert with_result(below, digits(below)) == Result(" -20", "----")


def test_tunes() -> None:
    call, verdict = call_moments()
    assert tunes.tune(call) == tunes.HOWL
    assert tunes.tune(verdict) == tunes.LOSS
    assert tunes.tune(bidden(20)) == tunes.ASKED
    match = bidden(20, house=House(limit=1), seats=3)
    match = after(match, ("turn", Option("coyote"), 1), ("reveal", ("10", "5", "4"), None))
    assert tunes.tune(match) == tunes.FAREWELL
    match = after(match, ("announce", 20, 1), ("turn", Option("coyote"), 2), ("reveal", ("10", "5"), None))
    assert tunes.tune(match) == tunes.WIN


def test_quiet_table_plays_no_tune_and_phones_no_turn_sign(tmp_path: Path) -> None:
    call, _verdict = call_moments()
    assert TableSound(tmp_path, 80).tune(call) == tunes.HOWL
    assert TableSound(tmp_path, 80, (time.min, time.max)).tune(call) == ()
    assert (tunes.ruling_tune(call), tunes.ruling_tune(bidden(20))) == (tunes.HOWL, ())


def test_chime_precedes_tune_at_its_moment(tmp_path: Path) -> None:
    (call, verdict), stolen = call_moments(), coup(("action", Option("steal", seat=1), 0), seats=2)
    for moment, struck in (
        (call, ()),
        (verdict, (tunes.GAVEL,)),
        (stolen, (tunes.DRUM,)),
        (after(stolen, ("challenge-or-block", Option("block", face="captain"), 1)), (tunes.DRUM,)),
        (coup(("action", Option("income"), 0)), (tunes.COIN,)),
    ):
        assert TableSound(tmp_path, 80).ruling_tune(moment) == (*struck, *tunes.ruling_tune(moment))


def test_every_tune_is_playable_and_ends() -> None:
    for played in (*dict(tunes.MOODS).values(), tunes.ASKED, tunes.CLICK, tunes.LOW):
        assert all(hertz == 0 or 110 <= hertz <= 1760 for hertz, _seconds in played)
        at, heard = 0.0, []
        while True:
            hertz, wait = tunes.note(played, at)
            if wait is None:
                break
            heard.append(hertz)
            at += wait + 1e-9
        assert hertz == 0
        assert heard == [hertz for hertz, _seconds in played]
        assert at < 3


def test_turn_is_shown_by_lamp_not_voice_and_call_is_urgent() -> None:
    said = saying(bidden(20), language("en"))
    assert (said.sentences, said.is_urgent) == (("Ana says 20.",), False)
    call, verdict = call_moments(1, ("-10", "-5", "-5", "0"))
    said = saying(call, language("en"))
    assert said.is_urgent
    assert said.sentences == ("Bo calls Coyote! Ana said 1.", "Lay 4 cards face up in the middle.")
    # symbols that a voice would spell are written as words
    told = " ".join(saying(verdict, language("en")).sentences)
    assert "The total is -20" in told
    assert "\N{MINUS SIGN}10" not in told


@pytest.mark.parametrize(
    ("start", "end", "quiet", "loud"), [(22, 7.5, 22, 12), (22, 7.5, 7.25, 7.5), (13, 14, 13, 14)]
)
def test_quiet_hours(start: float, end: float, quiet: float, loud: float) -> None:
    first, last, inside, outside = (time(int(at), round(at % 1 * 60)) for at in (start, end, quiet, loud))
    assert is_quiet((first, last), inside)
    assert not is_quiet((first, last), outside)
    assert not is_quiet(None, inside)


# as a sound file


def samples(written: bytes) -> "array[int]":
    with wave.open(BytesIO(written)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, tunes.RATE)
        return array("h", file.readframes(file.getnframes()))


def test_tune_has_wanted_volume_duration_and_pitch() -> None:
    for volume, highest in ((100, 32767), (50, 16383), (0, 0)):
        heard = samples(tunes.wave_of(((441, 1.0), (0, 0.5)), volume))
        assert highest * 0.99 <= max(heard) <= highest
        assert len(heard) == 1.5 * tunes.RATE
        assert not any(heard[tunes.RATE :])
        ups = sum(one < 0 <= other for one, other in pairwise(heard))
        assert ups in {440, 441} if volume else ups == 0
    assert len(samples(tunes.wave_of(tunes.WIN, 100))) == sum(
        round(seconds * tunes.RATE) for _hertz, seconds in tunes.WIN
    )


# the dial on the display


def test_dial_shows_numbers_done_and_seats() -> None:
    english, french = (listener_at(bidden(20).setup, language(code)) for code in ("en", "fr"))
    number, done, seat = (Pick("number", 1, "announce", 25), Pick("done", 1, "lays"), Pick("who", 2))
    dials = [DialState(None, number), DialState(1, done), DialState(None, seat)]
    assert [dial_signs(english, dial) for dial in dials] == ["  25", "donE", "S  3"]
    assert [dial_signs(french, dial) for dial in dials] == ["  25", "FAIt", "P  3"]
    assert [dial_sentence(english, dial) for dial in dials] == ["25", "Bo: done", "Chloé"]
    assert [pointed_seat(dial) for dial in dials] == [None, 1, 2]
    assert [word_signs(sentence) for sentence in ("Choose on a phone.", "So!")] == ["Phon", "So  "]


@pytest.mark.parametrize("text", ["", "Ça va ?", "李 \N{WOLF FACE}", "a\x00\n\ud800"])
def test_any_text_can_be_displayed(text: str) -> None:
    assert set(write_signs(text)) <= SEGMENTS.keys()


def test_only_indistinguishable_characters_share_strokes() -> None:
    alike: dict[int, str] = {}
    for sign, shape in SEGMENTS.items():
        alike[shape] = alike.get(shape, "") + sign
    assert sorted(signs for signs in alike.values() if len(signs) > 1) == ["2Z", "5S"]
