"""Open the integrations: the club, the MQTT broker and the webhooks."""

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from firmware.board_events import DirectorHeld
from firmware.integrations.following import Follower, Outlet, report_outlet
from firmware.services.own_club import OwnClub
from firmware.services.photographs import EvidenceFiles
from firmware.state_folder import EVIDENCE
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.configuration import BrokerSettings, TableSettings
from firmware.table.client import TableClient
from firmware.table.loop import Companion


def open_club(ends: ExitStack, here: TablePlaces, companion: Companion) -> OwnClub:
    """Link to the table's club, if it has joined one; a button held long calls the director."""
    client = companion.client
    pictures = EvidenceFiles(here.state / EVIDENCE, client.state)
    club = OwnClub(here.state, here.journal, client, partial(_newest_picture, pictures))
    companion.board.when_held(DirectorHeld, club.hold)
    ends.callback(club.close)
    return club


def _newest_picture(pictures: EvidenceFiles) -> bytes | None:
    stored = pictures.now()
    return stored[max(stored)].jpeg() if stored else None


def open_outlets(ends: ExitStack, settings: TableSettings, client: TableClient) -> None:
    """Publish each moment to the configured broker and webhooks."""
    for outlet in (*_broker(settings.broker, client), *_webhooks(settings)):
        ends.callback(Follower(client, outlet).close)


def _webhooks(settings: TableSettings) -> Iterator[Outlet]:
    if settings.outside.webhooks:
        # loads an HTTP client, which most tables don't need
        from firmware.integrations.webhooks import Webhook  # noqa: PLC0415

        for number, address in enumerate(settings.outside.webhooks, start=1):
            yield Webhook(address, number)


def _broker(settings: BrokerSettings, client: TableClient) -> Iterator[Outlet]:
    if not settings.host:
        return
    # loads the MQTT library, which most tables don't need
    from firmware.integrations.broker import Broker  # noqa: PLC0415

    address = f"{settings.host}:{settings.port}"
    try:
        file = settings.password_file
        password = None if file is None else Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        report_outlet(client, address, f"{settings.password_file}: {getattr(error, 'strerror', error)}")
        return
    yield Broker(settings, password, partial(report_outlet, client, address))
