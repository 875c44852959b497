"""The services of stored data that pages call."""

from pathlib import Path

from msgspec import Struct

from firmware.services.analyses import Analyses
from firmware.services.backups import Backups
from firmware.services.jobs import do_job
from firmware.services.privacy import Privacy
from firmware.services.real_cards import RealCards
from firmware.services.settings import SettingsKeeper
from firmware.start.parts import PartsAtStart
from firmware.state_folder import EVIDENCE
from firmware.storage.match_history import History, sum_up

SUMMARY_TIMEOUT = 3600.0
"""Seconds for replaying all matches of a journal."""


class StorageServices(Struct, frozen=True, eq=False):
    """History, settings, backups and the deletion of personal data."""

    history: History
    analyses: Analyses
    settings: SettingsKeeper
    cards: RealCards
    backups: Backups
    privacy: Privacy


def storage_services(parts: PartsAtStart) -> StorageServices:
    here, plan = parts.here, parts.plan
    settings = SettingsKeeper(here.state, here.configuration)
    is_fixed = plan.is_chosen_by_options
    return StorageServices(
        History(here.journal, sum_up_beside),
        Analyses(here.journal),
        settings,
        RealCards(
            here.state, settings, kind=plan.kind, camera=plan.seen_by, is_pi=plan.is_pi, is_fixed=is_fixed
        ),
        Backups(here, here.state / EVIDENCE),
        Privacy(here, parts.plan.settings, parts.club),
    )


def sum_up_beside(journal: Path) -> None:
    """Replay all matches of a journal in a process of its own."""
    do_job(sum_up, journal, SUMMARY_TIMEOUT)
