"""What a page costs on the wire: itself, and all that it makes a browser fetch at the first visit."""

import re

from werkzeug.test import TestResponse

from tests.webui.room import Browser

NAMED = re.compile(r'(?:src|href)="(/(?:file|look|cards)/[^"#]+)')
IN_SHEETS = re.compile(r"url\(([^)]+)\)")


def fetched_files(page: str) -> set[str]:
    """List the addresses of the files that a page names."""
    return set(NAMED.findall(page))


def bytes_on_the_wire(browser: Browser, address: str) -> dict[str, int]:
    """Weigh a page and its files as a browser gets them, which takes gzip."""
    page = browser.get(address)
    weights = {address: len(get_packed(browser, address).data)}
    for name in fetched_files(page.text):
        sent = get_packed(browser, name)
        weights[name] = len(sent.data)
        if name.endswith(".css"):
            folder = name.rsplit("/", 1)[0]
            plain = browser.get(name).text
            for inner in IN_SHEETS.findall(plain):
                # letters are named by the page, too
                weights[f"{folder}/{inner}"] = len(get_packed(browser, f"{folder}/{inner}").data)
    return weights


def get_packed(browser: Browser, address: str) -> TestResponse:
    """Get a file as browsers ask for it."""
    sent = browser.client.get(address, headers={"Accept-Encoding": "gzip"})
    assert sent.status_code == 200, address
    return sent
