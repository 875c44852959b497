"""Open the pages for phones, beside the loop."""

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

from firmware.services.addresses import TableAddress, may_take_low_ports, ports_to_try, secure_ports_to_try
from firmware.services.opened import OpenedServices
from firmware.start.phones import Phones
from firmware.start.plan import Plan
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.configuration import RunOptions

if TYPE_CHECKING:
    from firmware.services.table import Table


def open_pages(
    ends: ExitStack,
    wished: RunOptions,
    plan: Plan,
    here: TablePlaces,
    opened: OpenedServices,
    at_open: Callable[[Exception | None], None],
) -> None:
    """Serve the pages; `at_open` is called with None once they are open, or with the error."""
    https = wished.https or plan.settings.pages.https
    may_take_low = may_take_low_ports()
    ports = ports_to_try(wished.port, "https" if https else "http", may_take_low=may_take_low)
    # with encrypted pages only, the first port has them
    beside = () if https else secure_ports_to_try(may_take_low=may_take_low)

    def complete(address: TableAddress) -> "Table":
        from firmware.start.table import table_of  # noqa: PLC0415 - lamps don't wait for these services

        return table_of(plan, here, opened, address)

    phones = Phones(
        opened.client, ports, complete, https=https, beside=beside, at_open=at_open, slowness=plan.slowness
    )
    ends.callback(phones.close)
