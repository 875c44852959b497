"""The services of camera and decks that pages call."""

from functools import partial

from msgspec import Struct

from firmware.services.finding import Pausing, TableFinder
from firmware.services.learning import DeckShelf
from firmware.services.live_view import LiveView
from firmware.services.naming import CardNaming
from firmware.services.photographs import EvidenceFiles, PhotographReader, look_at_table
from firmware.start.eyes import home_of
from firmware.start.parts import PartsAtStart
from firmware.state_folder import EVIDENCE
from firmware.table.client import TableClient
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice


class EyesServices(Struct, frozen=True, eq=False):
    """Finding the table, own decks, and photographs as evidence."""

    finder: TableFinder
    decks: DeckShelf
    naming: CardNaming
    view: LiveView
    evidence: EvidenceFiles
    photographs: PhotographReader


def eyes_services(parts: PartsAtStart) -> EyesServices:
    client, plan = parts.client, parts.plan
    pausing = Pausing(client)
    return EyesServices(
        TableFinder(client, home_of(plan), pausing),
        DeckShelf(client, plan.folder),
        CardNaming(client, pausing),
        LiveView(client),
        EvidenceFiles(parts.here.state / EVIDENCE, client.state, partial(_report_photograph, client)),
        PhotographReader(client.moment, look=partial(look_at_table, client)),
    )


def _report_photograph(client: TableClient, why: str) -> None:
    """Report why a phone's photograph couldn't be stored; an empty reason ends the report."""
    notice = Notice(NoticeKey.PHOTOGRAPH_NOT_STORED, {"why": why}) if why else None
    client.report(NoticeKey.PHOTOGRAPH_NOT_STORED, notice)
