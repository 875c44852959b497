"""Pages show only what the game's view reveals to this viewer."""

from itertools import islice
from pathlib import Path
from random import Random

import msgspec
import pytest

from firmware.services import learning, naming
from firmware.storage.journal import open_journal
from referee.contract import Game
from referee.games.catalogue import GAMES
from tests.tiers import slow, tiered
from tests.webui.access import hiding
from tests.webui.access.peeking import attack_learnt_deck

each_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


# no state contains a hidden card, and no page shows a secret to the wrong viewer


@slow("hidden cards: each game, with dealt cards")
@each_game
def test_hidden_cards_appear_in_no_channel(game: Game) -> None:
    found = 0
    for table, said in islice(hiding.states(game, Random(game.name)), tiered(60, 2000)):
        assert not hiding.unshown_cards(table, said)
        # seats see no more than strangers, because a club's hub may publish all that it receives
        viewers = (None, *range(len(table.match.setup.names)))
        assert len({msgspec.json.encode(game.shown.view(table.match.state, each)) for each in viewers}) == 1
        if not table.match.number % 3:
            assert hiding.unshown_in_channels(table, said) == {}
            # without the words that reveal cards, the search finds them, so it works
            found += bool(hiding.unshown_in_channels(table, frozenset()))
    assert found


@slow("each page as each viewer")
# access control doesn't depend on the game
@pytest.mark.parametrize("name", tiered(["coyote"], [*GAMES]))
def test_pages_enforce_their_rights(name: str, tmp_path: Path) -> None:
    looked, game = hiding.LeakReport(), GAMES[name]
    with open_journal(tmp_path / "journal.sqlite3") as opened:
        table, _said = next(islice(hiding.states(game, Random(game.name)), 60, None))
        room = hiding.room_at(table.match, tmp_path, opened.journal)
        host = room.browser().host()
        assert host.links.codes[0] in host.get("/host/people/0").text
        # all seats have the same rights
        hiding.look_at_pages(room, looked, tiered((1,), None))
    hiding.look_at_files(tmp_path, looked)
    assert looked.texts > 50
    assert looked.found == []


@slow("each viewer's pages about a deck that a match teaches")
def test_learnt_deck_shows_no_card_that_only_others_saw(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "guarded"))
    report = attack_learnt_deck(tmp_path / "guarded", Random(0), tiered(12, 60))
    assert (report.wrong, report.secrets > 10) == ([], True)
    # without the guard, the search finds the leaks, so it works
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "open"))
    for module in (naming, learning):
        monkeypatch.setattr(module, "unseen_faces", lambda *_values: frozenset())
    assert attack_learnt_deck(tmp_path / "open", Random(0), 8).wrong
