"""What the digits show, the buzzer plays and the voice says, moment by moment."""

from datetime import time

import pytest

from firmware.board.voices.digits import digits
from firmware.board.voices.sentences import Quiet, is_quiet, saying
from firmware.board.voices.tunes import (
    ASKED,
    FALSE,
    FAREWELL,
    HOWL,
    LOSS,
    MOODS,
    TRUE,
    TUNES,
    WIN,
    Tune,
    note,
    ruling_tune,
    tune,
)
from firmware.language.catalogues import language
from firmware.start.phones import notes_of
from referee.contract import Mood, Option
from referee.games.coyote import COYOTE
from referee.games.coyote.house import House
from referee.telling import Listener
from tests.firmware.board.senses.matches import NAMES, after, bidden, call_moments, new_match, open_round


def test_the_digits_follow_the_round() -> None:
    assert digits(new_match()) == "----"
    assert digits(open_round()) == "----"
    assert digits(bidden(20)) == "  20"
    call, verdict = call_moments()
    assert digits(call) == "  20"
    assert digits(verdict) == "  22"
    assert digits(after(verdict, ("announce", 7, 1))) == "   7"


def test_the_number_at_stake_stays_while_the_cave_draws() -> None:
    match = after(bidden(20), ("turn", Option("coyote"), 1), ("reveal", ("10", "5", "4", "?"), None))
    assert match.asks[0].key == "draw"
    assert digits(match) == "  20"


def test_totals_below_zero_and_numbers_that_are_too_long() -> None:
    _call, verdict = call_moments(1, ("-10", "-5", "-5", "0"))
    assert digits(verdict) == " -20"
    assert digits(bidden(9999)) == "9999"


def test_tunes() -> None:
    call, verdict = call_moments()
    assert tune(call) == HOWL
    assert tune(verdict) == LOSS
    assert tune(bidden(20)) == ASKED
    match = bidden(20, house=House(limit=1), seats=3)
    match = after(match, ("turn", Option("coyote"), 1), ("reveal", ("10", "5", "4"), None))
    assert tune(match) == FAREWELL
    match = after(match, ("announce", 20, 1), ("turn", Option("coyote"), 2), ("reveal", ("10", "5"), None))
    assert tune(match) == WIN


def test_the_table_that_is_quiet_sends_no_tune() -> None:
    call, _verdict = call_moments()
    assert notes_of(tune, None)(call) == tuple((note.hertz, note.seconds) for note in HOWL)
    assert notes_of(tune, Quiet(time.min, time.max))(call) == ()


def test_phones_are_sent_no_sign_that_another_player_is_asked() -> None:
    call, _verdict = call_moments()
    assert ruling_tune(call) == HOWL
    assert ruling_tune(bidden(20)) == ()


@pytest.mark.parametrize(("mood", "played"), [(Mood.TRUTH, TRUE), (Mood.LIE, FALSE)])
def test_a_claim_that_is_true_rings_and_a_lie_knocks(mood: Mood, played: Tune) -> None:
    assert dict(MOODS)[mood] == played


@pytest.mark.parametrize("name", TUNES)
def test_every_tune_can_be_played_and_ends(name: str) -> None:
    played = TUNES[name]
    assert all(part.hertz == 0 or 110 <= part.hertz <= 1760 for part in played)
    at, heard = 0.0, []
    while True:
        hertz, wait = note(played, at)
        if wait is None:
            break
        heard.append(hertz)
        at += wait + 1e-9
    assert hertz == 0
    assert heard == [part.hertz for part in played]
    assert at < 3


def test_the_howl_rises_wavers_and_falls() -> None:
    sung = [part.hertz for part in HOWL if part.hertz]
    top = sung.index(max(sung))
    assert sung[top] > 2 * sung[0] > 2 * 400
    assert sung[-1] < sung[top] / 2
    assert 2 < sum(part.seconds for part in HOWL) < 3


@pytest.mark.parametrize(
    ("code", "sentences"),
    [
        ("en", ("Bo calls Coyote! Ana said 20.", "Lay 4 cards face up in the middle.")),
        (
            "fr",
            (
                "Bo crie Coyote ! Ana a dit 20.",
                "Retournez 4 cartes au milieu.",
            ),
        ),
    ],
)
def test_what_is_said_when_a_player_calls(code: str, sentences: tuple[str, str]) -> None:
    call, _verdict = call_moments()
    said = saying(Listener(COYOTE.words, NAMES, language(code)), call)
    assert said.is_urgent
    assert [words.replace("\xa0", " ").replace("\u202f", " ") for words in said.sentences] == list(sentences)


def test_a_seat_is_asked_by_its_lamp_not_aloud() -> None:
    said = saying(Listener(COYOTE.words, NAMES, language("en")), bidden(20))
    assert said.sentences == ("Ana says 20.",)
    assert not said.is_urgent


def test_signs_that_a_voice_would_spell_are_written_out() -> None:
    _call, verdict = call_moments(1, ("-10", "-5", "-5", "0"))
    said = " ".join(saying(Listener(COYOTE.words, NAMES, language("en")), verdict).sentences)
    assert "The total is -20" in said
    assert "\N{MINUS SIGN}10" not in said


@pytest.mark.parametrize(
    ("start", "end", "quiet", "loud"),
    [
        ((22, 0), (7, 30), (23, 0), (12, 0)),
        ((22, 0), (7, 30), (7, 29), (7, 30)),
        ((13, 0), (14, 0), (13, 0), (14, 0)),
    ],
)
def test_quiet_hours(
    start: tuple[int, int], end: tuple[int, int], quiet: tuple[int, int], loud: tuple[int, int]
) -> None:
    hours = Quiet(time(*start), time(*end))
    assert is_quiet(hours, time(*quiet))
    assert not is_quiet(hours, time(*loud))
    assert not is_quiet(None, time(*quiet))
