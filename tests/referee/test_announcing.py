"""What is said aloud: what anybody may know, in two voices, no more than the level allows."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.language.catalogues import language, languages
from referee.announcing import LEVELS, PLAY, announce, spoken_text
from referee.contract import Mood
from referee.cues import cue_for, moods_of
from referee.games.catalogue import GAMES
from referee.match import Match, Setup, begin, moments
from referee.public_moment import public_moment
from referee.telling import listener_at, tell
from tests.referee.tables import after_any

NAMES = ("Ana", "Bo", "Chloé", "Dédé")


def played(game: str, seed: int, answers: int) -> Match:
    rng, rules = Random(seed), GAMES[game]
    match = begin(Setup(rules, rules.house(), NAMES, begun="2026-11-21T20:00:00+00:00"))
    assert isinstance(match, Match)
    for _answer in range(answers):
        if match.outcome is not None:
            break
        match = after_any(match, rng)
    return match


@given(st.sampled_from(sorted(GAMES)), st.integers(0, 10_000), st.integers(0, 60), st.sampled_from(languages()))
def test_nothing_is_said_that_the_public_page_doesnt_tell(
    game: str, seed: int, answers: int, code: str
) -> None:
    match = played(game, seed, answers)
    listener = listener_at(match.setup, language(code))
    public = public_moment(match, listener)
    told = [spoken_text(text) for text in (*(ruling.text for ruling in public.rulings), public.situation)]
    for level in LEVELS:
        announced = announce(listener, match, level)
        texts = [each.text for each in announced.spoken]
        assert set(texts) <= set(told)
        assert len(texts) <= len(told)
        assert not announced.is_urgent or texts


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_referee_speaks_what_weighs_and_the_announcer_the_play(game: str) -> None:
    last = played(game, 3, 400)
    listener = listener_at(last.setup, language("en"))
    heard = dict.fromkeys(LEVELS, 0)
    for match in moments(last):
        by_level = {level: announce(listener, match, level) for level in LEVELS}
        for level, announced in by_level.items():
            heard[level] += len(announced.spoken)
        weighty = [cue_for(match.setup.game, ruling) for ruling in match.rulings]
        count = sum(cue is not None and cue.mood not in PLAY for cue in weighty)
        assert [each.role for each in by_level["rulings"].spoken] == ["referee"] * count
        referees = [each for each in by_level["play"].spoken if each.role == "referee"]
        assert referees == list(by_level["rulings"].spoken)
    assert heard["off"] == 0 < heard["rulings"] < heard["play"]


def test_what_comes_next_is_said_once() -> None:
    said = 0
    for game in GAMES:
        for match in moments(played(game, 5, 300)):
            listener = listener_at(match.setup, language("en"))
            texts = [each.text for each in announce(listener, match, "play").spoken]
            rulings = [spoken_text(tell(listener, ruling)) for ruling in match.rulings]
            assert texts[: len(rulings)] == rulings
            assert len(texts) - len(rulings) in {0, 1}
            assert not {*texts[len(rulings) :]} & {*rulings, ""}
            said += len(texts) - len(rulings)
    assert said > 0


def test_a_call_interrupts_and_a_count_doesnt() -> None:
    last = played("coyote", 1, 300)
    listener = listener_at(last.setup, language("en"))
    calls = [match for match in moments(last) if Mood.CALL in moods_of(match)]
    assert calls
    assert all(announce(listener, match, "rulings").is_urgent for match in calls)
    wins = [match for match in moments(last) if moods_of(match) <= {Mood.LOSS, Mood.TRUTH} and match.rulings]
    assert not any(announce(listener, match, "play").is_urgent for match in wins)


def test_signs_are_written_as_a_voice_reads_them() -> None:
    assert spoken_text("“Duke” −5 ×2") == "Duke -5  x 2"
