"""A small crowd at the real program: phones, hostile clients and strangers, and leaked secrets."""

from pathlib import Path
from random import Random

import pytest

from firmware.storage.journal import open_journal
from referee.contract import Game
from referee.games.catalogue import GAMES
from tests.firmware.start.besieged import REQUESTS_PER_CHECK, Siege
from tests.firmware.start.crowded import CrowdSize, Players, gather
from tests.firmware.start.hostile_networks import MAX_ACCEPTED, upload_endlessly
from tests.firmware.start.overheard import cards_in_log, try_credentials, written_down
from tests.firmware.start.program import run_program
from tests.tiers import slow, tiered
from tests.waiting import TEST_TIMEOUT
from tests.webui.server.hostile import table_with_fakes


@slow("phones listen to the real program while others mean harm, then strangers say anything")
def test_phones_miss_nothing_and_strangers_change_and_learn_nothing(tmp_path: Path) -> None:
    notes = tmp_path / "state" / "decks" / "mine" / "notes.txt"
    notes.parent.mkdir(parents=True)
    notes.touch(0o644)
    with (
        run_program(tmp_path, ("Ana", "Bo", "Chloé")) as program,
        open_journal(tmp_path / "journal.sqlite3") as opened,
    ):
        links, learnt = try_credentials(program)
        assert len(learnt) > 1
        assert upload_endlessly(program.port) < MAX_ACCEPTED
        size = CrowdSize(minutes=1, phones=9, rowdies=24, pace=0.1, minute=1.5, warm=0.0)
        figures = gather(program, size, Random(1), lambda _line: None)
        assert figures.wrong == []
        assert len(figures.seconds) >= 9
        assert 0 < max(figures.pages) < TEST_TIMEOUT
        siege = Siege(program, table_with_fakes(tmp_path, opened.journal))
        for seed in range(tiered(30, REQUESTS_PER_CHECK - 1)):
            assert siege.say(Random(seed))[1] == ""
        assert siege.look() == ""
        siege.play(Random(1))
        assert siege.look() == ""
        assert siege.replay_journal()["unread"] == 0
        assert siege.accepted
        # a change would be detected
        players = Players(program, Random(1))
        while not players.played.ends:
            assert players.play(), players.played.codes
        assert "journal" in siege.look()
    assert written_down(tmp_path, links, learnt) == []
    # the start made files private that others could read
    state, log = tmp_path / "state", tmp_path / "log"
    kept = [state, *state.rglob("*"), *log.rglob("*")]
    assert [each.name for each in kept if not each.is_symlink() and each.stat().st_mode & 0o077] == []


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_log_names_no_hidden_card(game: Game, tmp_path: Path) -> None:
    assert cards_in_log(game, Random(game.name), tmp_path) == set()
    assert (tmp_path / "log.jsonl").read_text(encoding="utf-8").count('"what":"moment"') > 5
