"""Who is told each moment besides phones: webhooks and the broker of the house, as the configuration says."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from firmware.board_events import Edge
from firmware.outside.following import Follower, Outlet, report_outlet
from firmware.outside.wireless_buttons import WirelessButtons, wireless_keys
from firmware.storage.configuration import BrokerSettings, TableSettings
from firmware.table.door import TableDoor
from hardware.board.board import Key


def open_outlets(
    ends: ExitStack, settings: TableSettings, door: TableDoor, put: Callable[[Edge], None]
) -> None:
    """Follow the table for all who are to be told; buttons that come by the broker are put to the others."""
    for outlet in _outlets(settings, door, put):
        ends.callback(Follower(door, outlet).close)


def by_air(settings: TableSettings) -> tuple[Key, ...]:
    """List the buttons that come without a wire."""
    return wireless_keys(settings.broker.buttons) if settings.broker.host else ()


def _outlets(settings: TableSettings, door: TableDoor, put: Callable[[Edge], None]) -> Iterator[Outlet]:
    if settings.outside.webhooks:
        yield from _webhooks(settings.outside.webhooks)
    if settings.broker.host:
        yield from _broker(settings.broker, door, put)


def _webhooks(addresses: Iterable[str]) -> Iterator[Outlet]:
    # a table without webhooks starts without an HTTP client
    from firmware.outside.webhooks import Webhook  # noqa: PLC0415

    for number, address in enumerate(addresses, start=1):
        yield Webhook(address, number)


def _broker(settings: BrokerSettings, door: TableDoor, put: Callable[[Edge], None]) -> Iterator[Outlet]:
    # a table without a broker starts without its library
    from firmware.outside.broker import Broker  # noqa: PLC0415

    place = f"{settings.host}:{settings.port}"
    try:
        password = None if settings.password_file is None else _password(Path(settings.password_file))
    except (OSError, UnicodeDecodeError) as error:
        report_outlet(door, place, str(error))
        return
    buttons = WirelessButtons(settings.buttons, put) if settings.buttons else None
    yield Broker(settings, password, partial(report_outlet, door, place), buttons)


def _password(file: Path) -> str:
    return file.read_text(encoding="utf-8").strip()
