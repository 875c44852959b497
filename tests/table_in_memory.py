"""A table without pins, club or its own computer, with all its data in a folder; built in milliseconds."""

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from firmware.language.catalogues import language, languages
from firmware.services.addresses import DEFAULT_PORTS, OwnWifi, TableAddress
from firmware.services.analyses import Analyses
from firmware.services.backups import Backups, SecondCopies
from firmware.services.browser_camera import BrowserCamera
from firmware.services.finding import TableFinder
from firmware.services.learning import DeckShelf
from firmware.services.live_view import LiveView
from firmware.services.looks import Looks
from firmware.services.naming import CardNaming
from firmware.services.own_club import OwnClub
from firmware.services.pausing import Pausing
from firmware.services.photographs import EvidenceFiles, PhotographReader
from firmware.services.power import Power
from firmware.services.presence import TablePresence
from firmware.services.privacy import Privacy
from firmware.services.real_cards import RealCards
from firmware.services.settings import SettingsKeeper
from firmware.services.table import Table
from firmware.services.table_board import TableBoard
from firmware.services.table_sound import TableSound
from firmware.services.usb_learning import UsbLearning
from firmware.start.table import sum_up_beside
from firmware.state_folder import CONFIGURATION, EVIDENCE, JOURNAL, LINKS
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.cards_choice import Kind
from firmware.storage.configuration import TableSettings
from firmware.storage.found_table import divide_table
from firmware.storage.match_history import History
from firmware.storage.people.links_file import LinksFile
from firmware.storage.state_place import StatePlace
from firmware.storage.wired_board import NO_BOARD, WiredBoard
from firmware.table.client import (
    EyesRequest,
    HostAction,
    HostRequest,
    News,
    Stop,
    Subscription,
    TableClient,
    TableRequest,
    TableSummary,
)
from firmware.table.effects import Reply, TableEffect, Tell
from firmware.table.hosting import announce_joined, pause_table, refusal_to_forget, resume_table
from firmware.table.notices import Notice
from firmware.table.state import TableState, at_start, handle_kept
from firmware.table.writer import JournalChange, Pause, SaveAgain
from firmware.twin.simulated_table import NoTwin
from referee.match import Entry, Match
from vision.process.messages import SnapshotTaken

USUAL = (844.0, 556.0)  # millimetres between the markers' centres, horizontally and vertically


class QuickSubscription(Subscription):
    """News that come at once, or none, unless the client's listeners wait."""

    def __init__(self, client: "ClientInMemory") -> None:
        super().__init__(client._unsubscribe, is_for_pages=True)
        self._client = client

    def next(self, seconds: float | None = None) -> News | None:
        return super().next(seconds if self._client.waits else 0)


class ClientInMemory(TableClient):
    """A client whose requests change the table's pure state at once; it records entries and actions.

    A test may set what the loop sets: the match, the summary, troubles and news of the deck.
    """

    waits = False  # whether listeners wait for news, as a browser needs
    saves = True  # whether the disk has room again

    def __init__(self, match: Match) -> None:
        super().__init__(self._serve, match)
        self.summary, self.match = TableSummary(1), match
        self.entries, self.joined = list[Entry](), list[str]()
        self.actions = list[tuple[Any, ...]]()
        self.seen: dict[type, Callable[[Any], object]] = {SnapshotTaken: lambda _order: SnapshotTaken(b"jpeg")}
        """Answers of the eyes to orders, by their type; none comes for others."""
        self.journal: Any = None

    @property
    def match(self) -> Match:
        return self._match

    @match.setter
    def match(self, match: Match) -> None:
        self._match, self._table = match, _table_at(match)

    def submit(self, entry: Entry, begun: str | None = None) -> "Future[Any]":
        self.entries.append(entry)
        return super().submit(entry, begun)

    def host(self, do: HostAction) -> "Future[Any]":
        act = partial(do)
        if act.func is announce_joined:
            self.joined += act.args
        elif act.func.__name__ != "<lambda>":
            self.actions.append((act.func.__name__, *act.args))
        return super().host(do)

    def do(self, effect: TableEffect) -> "Future[Any]":
        self.actions.append(("do", effect))
        return super().do(effect)

    def tell(self, news: News) -> None:
        if isinstance(news, Match) and news is not self._table.match:
            self._table = _table_at(news)
        super().tell(news)

    def count(self, action: str) -> int:
        return sum(name == action for name, *_values in self.actions)

    def subscribe(self) -> Subscription:
        return self._subscribe(QuickSubscription(self))

    subscribe_pages = subscribe

    def _serve(self, request: TableRequest) -> None:
        match request:
            case HostRequest(do, future):
                self._act(do, future)
            case Pause(is_paused=is_paused, future=future):
                self._act(pause_table if is_paused else resume_table, future)
            case EyesRequest(order, kind, future):
                if kind in self.seen:
                    future.set_result(self.seen[kind](order))
            case JournalChange():
                refusal = refusal_to_forget(self._table, request.name) if request.name else None
                future: Future[Any] = request.future
                future.set_result(request.do(self.journal) if refusal is None else refusal)
            case SaveAgain(future=future):
                self.actions.append(("save_again",))
                future.set_result(self.saves)
            case Stop():
                self.actions.append(("restart",))
            case _:
                pass

    def _act(self, do: HostAction, future: "Future[Any]") -> None:
        """Run an action like the loop, with a disk that stores each entry at once."""
        before = self._table
        steps = [do(self._table, 1, 0.0)]
        while steps[-1][0].writing is not None:
            steps.append(handle_kept(steps[-1][0], 1, 0.0))
        self._table = after = steps[-1][0]
        if (before.paused, before.auditing) != (after.paused, after.auditing):
            is_paused, auditing = after.paused is not None, after.auditing
            self.summary = replace(self.summary, is_paused=is_paused, auditing=auditing)
        effects = [effect for _table, ordered in steps for effect in ordered]
        for effect in effects:
            if isinstance(effect, Tell):
                self.tell(effect.match)
        replies = [effect.result for effect in effects if isinstance(effect, Reply)]
        notices = [effect for effect in steps[0][1] if isinstance(effect, Notice)]
        future.set_result(next(iter((*replies, *notices)), self._match))


def _table_at(match: Match) -> TableState:
    """Return a table with this very match, of which `at_start` makes a copy with its questions."""
    return replace(at_start(match, 1, 0.0)[0], match=match)


def table_in_memory(folder: Path, client: TableClient, **more: Any) -> Table:
    """Build a table; keyword arguments replace its parts."""
    here, pausing = TablePlaces(folder, folder / JOURNAL, folder / CONFIGURATION), Pausing(client)
    home = folder / "table.json", lambda layout, parting: divide_table(layout, parting, USUAL, mat=False)
    copies = SecondCopies(here, None, lambda _trouble: None)
    club = OwnClub(folder, here.journal, client, lambda: None)
    settings = SettingsKeeper(folder, here.configuration)
    kind: Kind = "simulated" if more.get("twin", NoTwin()).is_there else "real"
    made = Table(
        client=client,
        links=LinksFile(folder / LINKS, client.moment),
        languages={code: language(code) for code in languages()},
        language="en",
        address=TableAddress(DEFAULT_PORTS["http"]),
        finder=TableFinder(client, home, pausing, folder),
        decks=DeckShelf(client, folder),
        naming=CardNaming(client, pausing),
        view=LiveView(client),
        camera=BrowserCamera(),
        board=TableBoard(folder, WiredBoard(), {}, client),
        sound=TableSound(folder, 0, find=lambda: ()),
        club=club,
        usb=UsbLearning(folder, lambda _heard: None),
        power=Power(client, is_there=False),
        wifi=OwnWifi(folder),
        presence=TablePresence(client, NO_BOARD, frozenset, is_there=False),
        looks=Looks(),
        history=History(here.journal, sum_up_beside),
        analyses=Analyses(here.journal),
        evidence=EvidenceFiles(folder / EVIDENCE, client.state),
        photographs=PhotographReader(client.moment),
        settings=settings,
        cards=RealCards(folder, settings, kind=kind, camera="pi", is_pi=True, is_fixed=True),
        backups=Backups(here, folder / EVIDENCE),
        copies=copies,
        privacy=Privacy(here, TableSettings(), club),
        place=StatePlace(folder, here.journal, folder, here.journal),
        twin=NoTwin(),
    )
    return replace(made, **more)
