"""Post each moment to an address: for overlays, bots in a chat, whatever takes JSON."""

from http.client import HTTPException
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from firmware.outside.following import OutletError

PATIENCE = 5.0
"""Seconds that an address may take."""


class _NoRedirect(HTTPRedirectHandler):
    """Follows no redirection: a match is told to whom the owner has named, and to nobody else."""

    def redirect_request(self, *_args: object, **_more: object) -> None:
        """Follow none."""


_OPENER = build_opener(_NoRedirect)


class Webhook:
    """An address that is told each moment."""

    def __init__(self, address: str) -> None:
        """Take the address."""
        self._address = address

    @property
    def name(self) -> str:
        """Name its host: paths and queries of such addresses are often secret."""
        try:
            return urlsplit(self._address).hostname or "?"
        except ValueError:
            return "?"

    def tell(self, told: bytes) -> None:
        """Post a moment."""
        headers = {"Content-Type": "application/json", "User-Agent": "coyote-table"}
        try:
            # the settings take nothing but http and https
            with _OPENER.open(Request(self._address, told, headers), timeout=PATIENCE):  # noqa: S310
                pass
        except HTTPError as error:
            error.close()
            raise OutletError(f"HTTP {error.code}") from error
        except URLError as error:
            raise OutletError(str(error.reason)) from error
        except (OSError, HTTPException, ValueError) as error:
            raise OutletError(str(error) or type(error).__name__) from error

    def close(self) -> None:
        """Keep nothing open."""
