"""Webhooks: posts each moment as JSON to an address, such as an overlay or a chat bot."""

from http.client import HTTPException, InvalidURL
from queue import Empty, SimpleQueue
from threading import Thread
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from firmware.integrations.following import OutletError

RESPONSE_TIMEOUT = 5.0  # seconds before a request fails


class _NoRedirect(HTTPRedirectHandler):
    """Refuses redirects, so that moments go only to the address in the settings."""

    def redirect_request(self, *_args: object, **_more: object) -> None: ...


_OPENER = build_opener(_NoRedirect)


class Webhook:
    """An address that receives each moment."""

    def __init__(self, address: str, number: int = 1) -> None:
        self._address, self._number = address, number
        self._posting: Thread | None = None

    @property
    def name(self) -> str:
        """The host only, because paths and queries of webhooks are often secret."""
        try:
            host = urlsplit(self._address).hostname or "?"
        except ValueError:
            host = "?"
        return host if self._number == 1 else f"{host} ({self._number})"

    def tell(self, told: bytes) -> None:
        """Post a moment; the timeout covers the whole answer, slow ones included."""
        if self._posting is not None:
            self._posting.join(RESPONSE_TIMEOUT)
            if self._posting.is_alive():
                raise OutletError("it still hasn't answered")
        answers: SimpleQueue[str | None] = SimpleQueue()
        self._posting = Thread(target=lambda: answers.put(self._post(told)), name="webhook", daemon=True)
        self._posting.start()
        try:
            why = answers.get(timeout=RESPONSE_TIMEOUT)
        except Empty:
            raise OutletError(f"no answer within {RESPONSE_TIMEOUT:g} s") from None
        if why is not None:
            raise OutletError(why)

    def _post(self, told: bytes) -> str | None:
        """Post a moment; returns the reason of a failure, without secrets of the address or the answer."""
        headers = {"Content-Type": "application/json", "User-Agent": "coyote-table"}
        try:
            # the settings accept only http and https
            with _OPENER.open(Request(self._address, told, headers), timeout=RESPONSE_TIMEOUT):  # noqa: S310
                return None
        except HTTPError as error:
            error.close()
            return f"HTTP {error.code}"
        except OSError as error:
            hindrance = error.reason if isinstance(error, URLError) else error
            # the system's message
            words = hindrance.strerror if isinstance(hindrance, OSError) else None
            return words or type(hindrance).__name__
        except (InvalidURL, ValueError):
            return "no such address can be called"
        except HTTPException:
            return "its answer can't be understood"

    def close(self) -> None: ...
