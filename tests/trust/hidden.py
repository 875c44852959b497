"""Search for leaked secrets in states of every game: `python -m tests.trust.hidden 100000 --pages 20`.

First, `--evenings 100000` plays random evenings of joining, leaving, reordering, new games and restarts. No
device may get another one's seat. In some of them, all pages are read and answers are sent.

Then each state is searched, with every viewer's view and the output of overlay, streams, films, announcer and
shared files. No card may be named that wasn't laid or claimed. For `--pages` states, every page, event, export
and file is searched for access secrets, as seen by each kind of user.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from firmware.storage.files import scratch as folder_in_memory
from firmware.storage.journal import open_journal
from referee.contract import Game
from referee.games.catalogue import GAMES
from tests.scripts import say, script
from tests.webui.access import hiding
from tests.webui.access.evenings import EveningReport, play_evening

OFTEN = 1000  # evenings between printed figures


def _play_evenings(evenings: int, pages: int, seed: int) -> Iterator[object]:
    report = EveningReport()
    with folder_in_memory() as folder:
        state = folder / "state"
        state.mkdir()
        for number in range(evenings):
            play_evening(state, f"{seed} {number}", report, with_pages=number < pages)
            if not (number + 1) % OFTEN or number + 1 == evenings:
                told = f"evenings: {report.evenings}, steps: {report.steps}, looks: {report.looks}"
                say(f"{told}, answers: {report.answers}, seats of others: {len(report.wrong)}")
    yield from report.wrong


def _search_game(game: Game, number: int, pages: int, seed: int) -> Iterator[object]:
    named, viewers, looked = Counter[str](), 0, hiding.LeakReport()
    every = max(1, number // max(1, pages))
    for place, (table, said) in enumerate(islice(hiding.states(game, Random(f"{seed} {game.name}")), number)):
        named.update(hiding.unshown_cards(table, said))
        for cards in hiding.unshown_in_channels(table, said).values():
            named.update(cards)
        viewers += 1 + len(table.match.setup.names)
        if pages and place % every == 0:
            with TemporaryDirectory() as folder, open_journal(Path(folder, "journal.sqlite3")) as opened:
                hiding.look_at_pages(hiding.room_at(table.match, Path(folder), opened.journal), looked)
                hiding.look_at_files(Path(folder), looked)
    told = f"{game.name}: {number} states, {viewers} views, cards that hadn't been shown: {named.total()}"
    say(f"{told}; pages and files: {looked.texts}, secrets: {len(looked.found)}")
    yield from (f"{game.name}: {card}, {times} times" for card, times in named.items())
    yield from looked.found


@script
def main(states: int, pages: int = 20, seed: int = 0, evenings: int = 1000) -> Iterator[object]:
    yield from _play_evenings(evenings, pages, seed)
    for game in GAMES.values() if states else ():
        yield from _search_game(game, states, pages, seed)
