"""Bots alone, for one short match."""

from pathlib import Path

from referee.games.coyote import COYOTE
from referee.games.coyote.house import House
from referee.match import Match, Setup, begin
from tests.long.alone import play_match
from tests.tiers import slow


@slow("a whole match in rendered pictures, read by the real eyes, on a time of its own")
def test_bots_alone_come_to_the_end_of_a_match_and_never_stand_still(tmp_path: Path) -> None:
    match = begin(Setup(COYOTE, House(), ("Ana", "Bo"), begun="2026-12-24"))
    assert isinstance(match, Match)
    played = play_match(match, 1, "plain", (tmp_path, tmp_path))
    assert (played.end, played.hangs, played.host, played.fault) == ("over", (), (), "")
    assert played.moments > 4
