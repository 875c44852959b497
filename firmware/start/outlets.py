"""Who is told each moment besides phones: webhooks and the broker of the house, as the configuration says."""

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from firmware.core.door import TableDoor
from firmware.outside.following import Follower, Outlet, report_outlet
from firmware.outside.webhooks import Webhook
from firmware.storage.configuration import BrokerSettings, TableSettings


def open_outlets(ends: ExitStack, settings: TableSettings, door: TableDoor) -> None:
    """Follow the table for all who are to be told."""
    for outlet in _outlets(settings, door):
        ends.callback(Follower(door, outlet).close)


def _outlets(settings: TableSettings, door: TableDoor) -> Iterator[Outlet]:
    yield from map(Webhook, settings.outside.webhooks)
    if settings.broker.host:
        yield from _broker(settings.broker, door)


def _broker(settings: BrokerSettings, door: TableDoor) -> Iterator[Outlet]:
    # a table without a broker starts without its library
    from firmware.outside.broker import Broker  # noqa: PLC0415

    place = f"{settings.host}:{settings.port}"
    try:
        password = None if settings.password_file is None else _password(Path(settings.password_file))
    except (OSError, UnicodeDecodeError) as error:
        report_outlet(door, place, str(error))
        return
    yield Broker(settings, password, partial(report_outlet, door, place))


def _password(file: Path) -> str:
    return file.read_text(encoding="utf-8").strip()
