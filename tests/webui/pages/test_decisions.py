"""The page of a match's decisions: for matches that are over, in each language, drawn without a script."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from firmware.language.catalogues import language as load_language
from firmware.language.catalogues import languages
from firmware.start.pages.analysis_door import Analyses
from firmware.storage.journal import open_journal
from firmware.storage.match_history import History
from referee.coaching import ToldAnalysis, ToldDecision, ToldSeat
from referee.contract import Kind
from tests.referee.laboratories import match_by_bots
from tests.webui.matches import play_match
from tests.webui.room import match_of, room_with
from webui.doors.companion import Services
from webui.drawing.decisions import BOTTOM, LEFT, RIGHT, TOP, decisions_of
from webui.server.app import create_app

SPOKEN = {code: load_language(code) for code in languages()}
ENGLISH = SPOKEN["en"]


def decided(moment: int, loss: float, kind: Kind = Kind.CHANCE) -> ToldDecision:
    """Make a decision."""
    return ToldDecision(moment, kind, loss, (f"told of <b>{moment}</b>",))


FOUND = ToldAnalysis(
    7,
    (
        ToldSeat("Ana", (decided(2, 0.0), decided(4, 0.5), decided(10, 0.25)), (4, 10)),
        ToldSeat("Bo", (decided(6, 0.0),), ()),
        ToldSeat("Chloé", (), ()),
    ),
)


def test_bars_stand_at_their_moments_on_one_scale_and_turning_points_have_numbers() -> None:
    ana, bo, chloe = decisions_of(FOUND, ENGLISH)
    assert [bar.number for bar in ana.bars] == [None, 1, 2]
    assert [bar.height for bar in ana.bars[1:]] == [BOTTOM - TOP, (BOTTOM - TOP) / 2]
    assert (ana.bars[0].x, ana.bars[-1].x) == (LEFT, RIGHT)
    assert bo.bars[0].x == pytest.approx((LEFT + RIGHT) / 2)
    assert [point.cost.replace("\N{NARROW NO-BREAK SPACE}", " ") for point in ana.points] == [
        "50 % of a chance given away",
        "25 % of a chance given away",
    ]
    assert (chloe.judged, chloe.total, chloe.bars) == (0, "", ())


def test_points_are_told_whole_and_nothing_judged_is_nothing_drawn() -> None:
    points = ToldSeat("Ana", (decided(2, 3.0, Kind.POINTS), decided(4, 1.5, Kind.POINTS)), (2, 4))
    (ana,) = decisions_of(ToldAnalysis(1, (points,)), ENGLISH)
    assert ana.total == ""
    assert [point.cost for point in ana.points] == ["given away: 3", "given away: 2"]
    assert decisions_of(ToldAnalysis(1, ()), ENGLISH) == ()


class Found:
    """An analysis of any match."""

    def __init__(self, found: ToldAnalysis | None = FOUND) -> None:
        """Take what is found."""
        self.found = found

    def analysis(self, number: int, language: str, record: Sequence[str]) -> ToldAnalysis | None:
        """Give it."""
        assert number == 1
        assert language in {"en", "fr"}
        assert record
        return self.found


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    place = tmp_path / "journal.sqlite3"
    with open_journal(place) as opened:
        opened.journal.begin(match_by_bots("coyote", "kidult", 3))
        opened.journal.begin(play_match(match_of().setup.game, moments=9))
    return place


def page_of(journal: Path, path: str, analyses: Found | None, language: str = "en") -> tuple[int, str]:
    """Look at a page of the history."""
    room = room_with(match_of(), journal.parent)
    services = Services(
        room.door,
        room.links_file,
        SPOKEN,
        language,
        str,
        lambda: "",
        history=History(journal),
        analyses=analyses,
    )
    found = create_app(services).test_client().get(path, headers={"Accept-Language": language})
    return found.status_code, found.text


@pytest.mark.parametrize(("language", "heading"), [("en", "Your turning points"), ("fr", "Vos tournants")])
def test_each_player_has_a_chart_and_turning_points(journal: Path, language: str, heading: str) -> None:
    code, text = page_of(journal, "/history/1/decisions", Found(), language)
    assert code == 200
    assert heading in text
    assert text.count("<svg") >= 2
    assert "told of &lt;b&gt;4&lt;/b&gt;" in text
    assert not re.search(r"<[^>]*\s(style|on\w+)=", text)


def test_a_finished_match_leads_there_and_an_open_one_doesn_t(journal: Path) -> None:
    assert 'href="/history/1/decisions"' in page_of(journal, "/history/1", Found())[1]
    unfinished = page_of(journal, "/history/2", Found())[1]
    assert "/decisions" not in unfinished
    assert "Once the match is over" in unfinished
    assert "/decisions" not in page_of(journal, "/history/1", None)[1]
    for path, analyses in (("/history/2", Found()), ("/history/9", Found()), ("/history/1", None)):
        assert page_of(journal, f"{path}/decisions", analyses)[0] == 404
    code, text = page_of(journal, "/history/1/decisions", Found(None))
    assert (code, "looked at" in text) == (503, True)


def test_a_process_looks_at_a_match_once_and_at_none_that_goes_on(journal: Path) -> None:
    analyses, record = Analyses(journal), History(journal).lines(1)
    found = analyses.analysis(1, "fr", record)
    assert found is not None
    assert [player.name for player in found.players] == ["Ana", "Bo", "Chloé"]
    assert any("aurait tenu" in told for each in found.players[0].decisions for told in each.told)
    assert analyses.analysis(1, "fr", record) is found
    assert analyses.analysis(2, "en", History(journal).lines(2)) is None
