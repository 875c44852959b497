"""What pages are given: the parts of a table that its start has made, and those that only pages call."""

import os
from contextlib import suppress
from functools import partial
from pathlib import Path

from msgspec.structs import asdict

from firmware.language.catalogues import language, languages
from firmware.language.troubles import error_text
from firmware.parts.addresses import TableAddress
from firmware.parts.analyses import Analyses
from firmware.parts.backups import Backups
from firmware.parts.clips import ClipFiles
from firmware.parts.evidence import EvidenceFiles
from firmware.parts.jobs import JobError, do_job
from firmware.parts.photographs import PhotographReader
from firmware.parts.privacy import Privacy
from firmware.parts.settings import SettingsKeeper
from firmware.parts.table_look import look_at_table
from firmware.start.table_parts import TableParts
from firmware.state_folder import EVIDENCE
from firmware.storage.backups.parts import TablePlaces
from firmware.storage.configuration import TableSettings
from firmware.storage.match_history import History, sum_up
from firmware.table.door import TableDoor
from firmware.table.notices import Notice
from firmware.table.table import Table
from firmware.twin.simulated_table import SimulatedTable

SUMMING = 3600.0
"""Seconds that playing many matches again may take."""
USUAL = TableSettings()


def fill_table(
    door: TableDoor,
    parts: TableParts,
    here: TablePlaces,
    spoken: str,
    address: TableAddress,
    configured: TableSettings = USUAL,
    *,
    twin: SimulatedTable | None = None,
) -> Table:
    """Put together what pages are given."""
    evidence = here.state / EVIDENCE
    return Table(
        **asdict(parts),
        door=door,
        languages={code: language(code) for code in languages()},
        language=spoken,
        address=address,
        history=History(here.journal, door.forget, error_text, sum_up_beside, door.say_missing),
        analyses=Analyses(here.journal),
        evidence=EvidenceFiles(evidence, door.state, partial(_report_unkept, door)),
        clips=ClipFiles(
            evidence,
            door.state,
            door.order,
            lambda: door.moment().number,
            are_kept=configured.camera.clips,
        ),
        photographs=PhotographReader(door.moment, look=partial(look_at_table, door)),
        settings=SettingsKeeper(here.state, here.configuration, dict(os.environ)),
        backups=Backups(here, evidence),
        privacy=Privacy(here, configured, parts.copies, parts.club),
        twin=twin,
    )


def _report_unkept(door: TableDoor, why: str) -> None:
    """Report that a phone's photograph couldn't be kept; without a reason, that one was."""
    name = "no photograph kept"
    door.report(name, Notice(name, {"why": why}) if why else None)


def sum_up_beside(journal: Path) -> None:
    """Have a process play all matches of a journal again."""
    with suppress(JobError):
        do_job(sum_up, journal, SUMMING)
