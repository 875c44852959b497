"""Matches of a game that isn't installed any more are listed under its name, and said to be kept."""

from msgspec.structs import replace

from firmware.language.catalogues import language
from referee.games.coyote import COYOTE
from referee.record import Fault
from referee.summaries import JournalMatch, statistics, summary_of
from tests.webui.matches import play_match
from webui.drawing.match_story import damage_text, row_of, sections_of

ENGLISH = language("en")


def test_a_match_that_was_summed_up_is_listed_under_the_name_of_its_game() -> None:
    summary = replace(summary_of(play_match(COYOTE)), game="gone")
    row = row_of(JournalMatch(1, summary), ENGLISH)
    assert row.game == "gone"
    titles = [section.title for section in sections_of(statistics([summary]), [summary], ENGLISH)]
    assert titles == ["gone"]


def test_a_match_that_cant_be_read_is_of_a_missing_game_and_not_damaged() -> None:
    missing = damage_text(Fault(1, "unknown-game", "gone"), ENGLISH)
    assert missing == "The game gone isn't installed; its match is kept."
    assert damage_text(Fault(3, "damaged"), ENGLISH).startswith("Damaged from line 3")
