"""Compose the table that pages call. Loaded in their thread, so lamps don't wait for it."""

from functools import partial
from pathlib import Path

from msgspec.structs import asdict

from firmware.language.catalogues import SpokenLanguages, preferred_language
from firmware.services.addresses import OwnWifi, TableAddress
from firmware.services.analyses import Analyses
from firmware.services.backups import Backups
from firmware.services.checks import WHILE_PLAYING, Here, look_at
from firmware.services.finding import TableFinder
from firmware.services.jobs import do_job
from firmware.services.learning import DeckShelf
from firmware.services.live_view import LiveView
from firmware.services.looks import Looks
from firmware.services.naming import CardNaming
from firmware.services.opened import OpenedServices
from firmware.services.pausing import Pausing
from firmware.services.photographs import EvidenceFiles, PhotographReader, look_at_table
from firmware.services.privacy import Privacy
from firmware.services.real_cards import RealCards
from firmware.services.settings import SettingsKeeper
from firmware.services.table import Table
from firmware.services.table_sound import TableSound
from firmware.start.eyes import home_of
from firmware.start.plan import Plan, sound_at
from firmware.state_folder import EVIDENCE
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.match_history import History, sum_up
from firmware.table.client import TableClient
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice

SUMMARY_TIMEOUT = 3600.0
"""Seconds for replaying all matches of a journal."""


def table_of(plan: Plan, here: TablePlaces, opened: OpenedServices, address: TableAddress) -> Table:
    """Return the table with all its services."""
    client, settings = opened.client, plan.settings
    pausing, keeper = Pausing(client), SettingsKeeper(here.state, here.configuration)
    return Table(
        **asdict(opened),
        languages=SpokenLanguages(),
        language=preferred_language(),
        address=address,
        finder=TableFinder(client, home_of(plan), pausing, plan.folder),
        decks=DeckShelf(client, plan.folder),
        naming=CardNaming(client, pausing),
        view=LiveView(client),
        sound=TableSound(here.state, settings.sound.volume, sound_at(plan).quiet),
        checks=partial(look_at, Here(here.state, here.journal, settings), WHILE_PLAYING),
        wifi=OwnWifi(here.state),
        looks=Looks(),
        history=History(here.journal, sum_up_beside),
        analyses=Analyses(here.journal),
        evidence=EvidenceFiles(here.state / EVIDENCE, client.state, partial(_report_photograph, client)),
        photographs=PhotographReader(client.moment, look=partial(look_at_table, client)),
        settings=keeper,
        cards=RealCards(
            here.state,
            keeper,
            kind=plan.kind,
            camera=plan.seen_by,
            is_pi=plan.is_pi,
            is_fixed=plan.is_chosen_by_options,
        ),
        backups=Backups(here, here.state / EVIDENCE),
        privacy=Privacy(here, settings, opened.club),
        place=plan.place,
    )


def sum_up_beside(journal: Path) -> None:
    """Replay all matches of a journal in a process of its own."""
    do_job(sum_up, journal, SUMMARY_TIMEOUT)


def _report_photograph(client: TableClient, why: str) -> None:
    """Report why a phone's photograph couldn't be stored; an empty reason ends the report."""
    notice = Notice(NoticeKey.PHOTOGRAPH_NOT_STORED, {"why": why}) if why else None
    client.report(NoticeKey.PHOTOGRAPH_NOT_STORED, notice)
