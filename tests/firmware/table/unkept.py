"""A companion on a failing disk: phones' acknowledged answers match the journal."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from msgspec import Struct

from firmware.storage.fallback_journal import FallbackJournal
from firmware.storage.journal import open_journal
from firmware.table.notices import Notice
from hardware.twin.player import any_answer
from referee.match import Match
from referee.record import record_lines
from tests.firmware.board.inputs.matches import begun_at
from tests.firmware.playing import any_match, kept_lines
from tests.firmware.storage.faulty_disk import Disk, Fault
from tests.firmware.table.tables import Bench, fallback_disk, journal_disk, open_bench
from tests.waiting import until

ANSWERS_AFTER_FAULT = 5  # answers after the disk has recovered


class FaultCounts(Struct):
    """Counts while a disk fails."""

    faults: int = 0
    answers: int = 0  # answers acknowledged as stored
    not_kept: int = 0  # answers reported as lost
    wrong: list[str] = []


def play_past_fault(folder: Path, fault: Fault, figures: FaultCounts, *, in_memory: bool = False) -> None:
    """Play past a fault and a few more answers; then compare the journal with the acknowledgements."""
    rng, path = Random(f"{fault.kind} {fault.first} {fault.full}"), folder / "journal.sqlite3"
    disk, told = Disk(f"unkept {folder}"), dict[int, list[str]]()
    folder.mkdir(parents=True)
    with open_journal(path, disk.connect) as opened:
        while not fault.fired:
            assert len(told) < 100, "the disk is never asked for it"
            match, disk.fault = begun_at(any_match(rng), f"match {len(told)}"), None
            number = opened.journal.begin(match)
            # faults come while people play
            disk.fault = fault
            fallback = FallbackJournal(opened.journal, path, lambda: 0.0)
            made = fallback_disk(fallback) if in_memory else journal_disk(opened.journal)
            with open_bench(match, folder, number=number, disk=made) as bench:
                answer = _answer_in_memory if in_memory else _give_answers
                told[number] = answer(bench, rng, fault, figures)
                disk.fault = None
                if in_memory and (not bench.companion.client.save_again().result(30) or _page_warns(bench)):
                    figures.wrong.append(f"{fault}: the page says that it isn't saved")
    disk.unregister()
    figures.faults += fault.fired
    if kept_lines(path) != told:
        figures.wrong.append(f"{fault}: the journal isn't what was told")


def play_on_in_memory(folder: Path, fault: Fault, figures: FaultCounts) -> None:
    """Play past a fault with a fallback in memory: all answers count, and the disk gets them later."""
    play_past_fault(folder, fault, figures, in_memory=True)


def _page_warns(bench: Bench) -> bool:
    return bool(bench.companion.client.troubles())


def _answer_in_memory(bench: Bench, rng: Random, fault: Fault, figures: FaultCounts) -> list[str]:
    client, left = bench.companion.client, ANSWERS_AFTER_FAULT
    while left and client.moment().asks:
        moment = client.moment()
        said = client.submit(any_answer(moment.asks, moment.number, rng)).result(30)
        left -= bool(fault.fired)
        figures.answers += isinstance(said, Match)
        if not isinstance(said, Match):
            figures.wrong.append(f"{fault}: an answer is refused: {said}")
    return record_lines(client.moment())


def _give_answers(bench: Bench, rng: Random, fault: Fault, figures: FaultCounts) -> list[str]:
    """Send answers; after each, check whether lamp, speech and page report its result."""
    client, left, not_kept = bench.companion.client, ANSWERS_AFTER_FAULT, 0
    while left and client.moment().asks:
        moment = client.moment()
        said = client.submit(any_answer(moment.asks, moment.number, rng)).result(30)
        left -= bool(fault.fired)
        if isinstance(said, Match):
            figures.answers += 1
            missing = [*outputs_without_success(bench, said)]
        else:
            figures.not_kept += 1
            not_kept += 1
            missing = [*outputs_without_loss(bench, moment, said, not_kept)]
        figures.wrong += [f"{fault}: {each}" for each in missing]
    return record_lines(client.moment())


def outputs_without_success(bench: Bench, after: Match) -> Iterator[str]:
    """Return the outputs that don't show a stored answer and a sound table."""
    if bench.companion.client.moment() is not after:
        yield "another moment stands"
    if _page_warns(bench):
        yield "the page still tells of the disk"
    if _lamps_show_trouble(bench):
        yield "the lamps still show trouble"


def outputs_without_loss(bench: Bench, before: Match, said: object, times: int) -> Iterator[str]:
    """Return the outputs that don't report the lost answer."""
    if not (isinstance(said, Notice) and said.key == "not kept"):
        yield f"the phone is told {said}"
        return
    if bench.companion.client.moment() is not before:
        yield "the match went on"
    why = str(said.values["why"])
    if [str(wrong.values.get("why")) for wrong in bench.companion.client.troubles()] != [why]:
        yield "the page doesn't tell it"
    if not _lamps_show_trouble(bench):
        yield "the lamps don't show it"
    until(
        lambda: (
            sum(kind == "said" and "couldn't be stored" in value for kind, value in bench.voices.told) == times
        )
    )


def _lamps_show_trouble(bench: Bench) -> bool:
    """Return whether the lamps' last pattern is trouble."""
    for kind, value in reversed(bench.voices.told):
        if kind == "trouble":
            return bool(value)
        if kind == "moment":
            return bool(value[1])
    return False
