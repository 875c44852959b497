"""A match that shows some cards to their owner only, with a deck that it teaches the table.

Each viewer's pages about the deck are searched for faces that only others have seen.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from random import Random
from urllib.parse import quote

import cv2
import numpy as np
from msgspec import Struct

from firmware.storage.cards_choice import choose_deck
from firmware.table.cards import show_ask
from firmware.table.client import TableSummary
from firmware.table.naming import NameQuestion, UnknownOnTable
from hardware.twin.dealer import DealtMatch, answer_of, deal_match, follow_rulings
from referee.contract import CENTRE, Show
from referee.match import Match, hear
from tests.given import allowed, present
from tests.referee.peeking_game import PEEKING
from tests.webui.room import Browser, match_of, room_with
from vision.process.messages import UnknownCard
from vision.teaching.draft_deck import DraftDeck, LearntCard, Origin, named
from vision.teaching.kept_cuts import CutCard
from vision.teaching.stored_drafts import save_draft

TITLE, FOLDER = "Our Coup", "coup"
JPEG = cv2.imencode(".jpg", np.full((88, 63, 3), 90, np.uint8))[1].tobytes()
UNKNOWN = 7  # number of a card that all may name
MET = re.compile(r'<button class="t met[^"]*" name="face" value="([^"]*)"')
KNOWN = re.compile(r"<b>(\d+)</b> of \d+ cards known|(\d+) of \d+ cards are known")


class PeekReport(Struct):
    """Figures of the attack."""

    moments: int = 0
    looks: int = 0
    secrets: int = 0  # faces that a viewer may not see, at all looks
    wrong: list[str] = []


class PeekedTable:
    """A table whose deck grows by the cards that a match shows."""

    def __init__(self, folder: Path, rng: Random) -> None:
        self.folder, self.rng = folder / "decks" / FOLDER, rng
        self.dealt = deal_match(match_of(PEEKING), rng)
        deck = self.match.setup.deck
        self.draft, self.seen = DraftDeck(TITLE, (63, 88), possible=deck.counts), dict[int | None, set[str]]()
        choose_deck(folder, deck.name, FOLDER, TITLE)
        self.room = room_with(self.match, folder)
        seats = range(len(self.match.setup.names))
        self.viewers: dict[str, tuple[int | None, Browser]] = {
            **{f"seat {seat}": (seat, self.room.browser().sit(seat)) for seat in seats},
            "host": (None, self.room.browser().host()),
            "seated host": (0, self.room.browser().sit(0).host()),
            "screen": (None, self.room.screen()),
        }

    @property
    def match(self) -> Match:
        return self.dealt.match

    def play(self, report: PeekReport, moments: int) -> None:
        while self.match.asks and report.moments < moments:
            answer = answer_of(self.dealt, self.rng)
            if isinstance(answer.value, tuple):
                self._learn(present(show_ask(self.match)), answer.value)
                self._look(report)
            after = allowed(hear(self.match, answer))
            self.dealt = DealtMatch(after, follow_rulings(self.dealt.truth, after, self.rng))
            self.room.client.match = after
            report.moments += 1
            self._look(report)

    def _learn(self, ask: Show, faces: tuple[str, ...]) -> None:
        seats = range(len(self.match.setup.names))
        for viewer in (None, *seats):
            if ask.zone.name != "looked" or viewer == ask.zone.seat:
                self.seen.setdefault(viewer, set()).update(faces)
        before = self.draft
        for face in faces:
            picture = np.random.default_rng(len(face)).integers(0, 255, (352, 252, 3), np.uint8)
            origin = Origin(self.match.setup.begun, (0, 0), "seat 1", self.match.number)
            self.draft = named(self.draft, LearntCard(CutCard(picture), origin), face)
        save_draft(self.draft, before.faces, self.folder)

    def _look(self, report: PeekReport) -> None:
        # this open card resembles every learnt face
        learnt = tuple(self.draft.faces)
        for first in self.rng.sample(learnt, min(1, len(learnt))):
            like = (first, *(face for face in learnt if face != first))
            card = UnknownCard(((0, 0), (63, 0), (63, 88), (0, 88)), JPEG, like, b"earlier", is_good=True)
            deck = self.match.setup.deck
            ask = Show("any", (), 1, CENTRE, deck, deck.counts)
            unknown = UnknownOnTable(UNKNOWN, card)
            question = NameQuestion(unknown, ask, (0, 1, 2), None, is_open=True)
            self.room.client.summary = TableSummary(1, questions=(question,), unknown=(unknown,))
            for name, (seat, phone) in self.viewers.items():
                hidden = set(learnt) - self.seen.get(seat, set())
                report.looks, report.secrets = report.looks + 1, report.secrets + len(hidden)
                leaks = {*leaks_to(name, phone, first, self.match.setup.deck.counts, set(learnt) - hidden)}
                if self.match.outcome is None:
                    report.wrong += [f"moment {self.match.number}, {name}: {each}" for each in sorted(leaks)]


def leaks_to(name: str, phone: Browser, first: str, counts: Mapping[str, int], seen: set[str]) -> set[str]:
    """Return each difference of a viewer's pages from what it has seen of the deck."""
    home = "/screen" if name == "screen" else "/host" if name == "host" else "/seat"
    page, found = phone.get(home).text, set[str]()
    met = set(MET.findall(page)) & counts.keys()
    found |= {f"{face} is met" for face in met - seen}
    pictured = {face for face in counts if phone.get(f"/seat/card/face/{quote(face)}.jpg").status_code == 200}
    found |= {f"picture of {face}: {face in pictured}" for face in pictured ^ seen}
    is_compared = phone.get(f"/seat/card/{UNKNOWN}/earlier.jpg").status_code == 200
    if is_compared != (first in seen):
        found.add(f"earlier picture of {first}: {is_compared}")
    if first not in seen and f"Is this {first} again?" in page:
        found.add(f"{first} is suggested")
    deck = phone.get(f"/host/teach/{FOLDER}").text if "host" in name else ""
    shots = set(re.findall(rf"/host/teach/{FOLDER}/([^/\"]+)/[0-9a-f]+\.jpg", deck))
    found |= {f"deck's page shows {face}" for face in shots - seen}
    most = sum(counts[face] for face in seen)
    found |= {f"{sum(map(int, filter(None, each)))} cards are known" for each in KNOWN.findall(page + deck)
              if sum(map(int, filter(None, each))) != most}  # fmt: skip
    for face in counts.keys() - seen if deck else ():
        fields = {"form": form_of(deck), "face": face, "count": 1}
        if phone.post(f"/host/teach/{FOLDER}/count", **fields).status_code != 409:
            found.add(f"cards of {face} can be counted")
    return found


def form_of(page: str) -> str:
    return page.split('name="form" value="')[1].split('"', maxsplit=1)[0]


def attack_learnt_deck(folder: Path, rng: Random, moments: int) -> PeekReport:
    report = PeekReport()
    PeekedTable(folder, rng).play(report, moments)
    return report
