"""Compose the table that pages call. Loaded in their thread, so lamps don't wait for it."""

from functools import partial

from firmware.language.catalogues import SpokenLanguages, preferred_language
from firmware.services.addresses import OwnWifi, TableAddress
from firmware.services.checks import WHILE_PLAYING, Here, look_at
from firmware.services.looks import Looks
from firmware.services.table import Table
from firmware.services.table_sound import TableSound
from firmware.start.eyes_services import eyes_services
from firmware.start.parts import PartsAtStart
from firmware.start.plan import sound_at
from firmware.start.storage_services import storage_services


def table_of(parts: PartsAtStart, address: TableAddress) -> Table:
    """Return the table with all its services."""
    plan, here, settings = parts.plan, parts.here, parts.plan.settings
    eyes, storage = eyes_services(parts), storage_services(parts)
    return Table(
        client=parts.client,
        links=parts.links,
        languages=SpokenLanguages(),
        language=preferred_language(),
        address=address,
        finder=eyes.finder,
        decks=eyes.decks,
        naming=eyes.naming,
        view=eyes.view,
        camera=parts.camera,
        board=parts.board.board,
        sound=TableSound(here.state, settings.sound.volume, sound_at(plan).quiet),
        club=parts.club,
        usb=parts.board.usb,
        power=parts.board.power,
        checks=partial(look_at, Here(here.state, here.journal, settings), WHILE_PLAYING),
        wifi=OwnWifi(here.state),
        presence=parts.board.presence,
        looks=Looks(),
        history=storage.history,
        analyses=storage.analyses,
        evidence=eyes.evidence,
        photographs=eyes.photographs,
        settings=storage.settings,
        cards=storage.cards,
        backups=storage.backups,
        copies=parts.copies,
        privacy=storage.privacy,
        place=plan.place,
        twin=parts.twin,
    )
