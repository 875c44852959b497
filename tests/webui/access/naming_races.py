"""Phones that name one card at once and take that name back at once; a guest who poisons a deck."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from threading import Barrier

import numpy as np
from msgspec import Struct

from firmware.services.naming import CardNaming
from firmware.services.pausing import Pausing
from firmware.table.client import TableSummary
from referee.contract import Deck
from tests.webui.matches import name_question
from tests.webui.room import match_of, orders, room_with
from vision.process.learning import Learning, obey_learning_order
from vision.process.messages import NameCard, UndoName, UndoNames
from vision.teaching.draft_deck import DraftDeck, LearntCard, Origin, named
from vision.teaching.kept_cuts import CutCard

PHONES = 8
FACES = ("3", "5", "10", "15")


class RaceReport(Struct):
    """Figures of the races: phones whose answer or undo counted."""

    races: int = 0
    named: int = 0
    undone: int = 0
    wrong: list[str] = []


def race_names(folder: Path, races: int) -> RaceReport:
    """Let phones of three seats name one card at once, and then take that name back at once."""
    room, report = room_with(match_of(), folder), RaceReport()
    naming = CardNaming(room.client, Pausing(room.client))
    barrier = Barrier(PHONES)

    with ThreadPoolExecutor(PHONES) as phones:

        def at_once(act: Callable[[int], bool]) -> list[int]:
            def tap(phone: int) -> bool:
                barrier.wait()
                return act(phone)

            return [phone for phone, counts in enumerate(phones.map(tap, range(PHONES))) if counts]

        for race in range(races):
            # a name that was given before has to survive
            cards = [name_question(room.client.match, number) for number in (2 * race, 2 * race + 1)]
            room.client.summary = TableSummary(1, questions=tuple(cards))
            room.client.actions.clear()
            naming.name(2 * race, "20", 0, "Ana")
            number = 2 * race + 1
            firsts = at_once(partial(_name, naming, number))
            faces = [FACES[phone % 4] for phone in firsts]
            undoing = at_once(partial(_undo, naming, number, faces[0]))
            report.races += 1
            report.named += len(firsts)
            report.undone += len(undoing)
            told = [each.face for each in orders(room) if isinstance(each, NameCard)]
            taken_back = [each.face for each in orders(room) if isinstance(each, UndoName)]
            if (told, taken_back) != (["20", *faces[:1]], faces[:1]) or len(undoing) != 1:
                report.wrong.append(f"race {race}: named {told}, taken back {taken_back}")
            naming.undo(2 * race, "20", 0)
    return report


def _name(naming: CardNaming, number: int, phone: int) -> bool:
    return naming.name(number, FACES[phone % 4], phone % 3, "Bo")


def _undo(naming: CardNaming, number: int, face: str, phone: int) -> bool:
    return naming.undo(number, face, phone % 3)


class PoisonReport(Struct):
    """Figures of wrong names: those given, those left after one tap, and the names of others that stayed."""

    poisoned: int = 0
    left: int = 0
    others: int = 0
    wrong: list[str] = []


def poison_deck(folder: Path, deck: Deck, rng: Random) -> PoisonReport:
    """Let a guest give wrong names to a deck that others teach, too, and take all of them back."""
    draft, report = DraftDeck("Poisoned", (63, 88), possible=deck.counts), PoisonReport()
    for moment, face in enumerate(rng.choices(list(deck.counts), k=2 * len(deck.counts))):
        by = rng.choice(("seat 1", "seat 2"))
        picture = np.random.default_rng(rng.getrandbits(32)).integers(0, 255, (352, 252, 3), np.uint8)
        origin = Origin("this match", (float(moment), 0.0), by, moment)
        draft = named(draft, LearntCard(CutCard(picture), origin), face)
    before = [each.origin.named_by for some in draft.faces.values() for each in some]
    picture = np.zeros((8, 8, 3), np.uint8)
    order = UndoNames("this match", "seat 2")
    after, _known, _news = obey_learning_order(Learning(folder, draft), order, picture, (), None)
    left = [each.origin.named_by for some in after.draft.faces.values() for each in some]
    report.poisoned, report.left = before.count("seat 2"), left.count("seat 2")
    report.others = left.count("seat 1")
    if report.left or report.others != before.count("seat 1"):
        report.wrong.append(f"left of the guest's {report.left}, of others' {report.others}")
    return report
