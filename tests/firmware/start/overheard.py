"""Secrets in a table's log and output.

Whole matches are played with dealt cards and a log, which may name only laid or announced cards. A real table
also gets every credential, correct and wrong: none may be written, except codes and PIN in the lines that
invite people.
"""

from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from random import Random

from firmware.storage.people.evening import Evening
from firmware.storage.people.links import computer_token
from firmware.storage.people.links_file import read_links
from referee.contract import Game
from tests.firmware.start.browsing import Phone
from tests.firmware.start.program import Program
from tests.firmware.table.tables import QuickDisk, open_bench
from tests.webui.access.hiding import WORD, states

WRONG_CREDENTIALS = ("473829", "wrong-token", "WRONGCODE", "wrong-cookie", "wrong-form-token")
"""Credentials of a stranger who isn't admitted; a mistyped PIN is almost a PIN."""
PAGES = (
    *("/", "/host", "/seat", "/history", "/host/settings", "/host/backup", "/nowhere", "/twin"),
    "/state.json",
)
ADDRESSES = (*PAGES, "/host/enter", "/seat/take", "/host/backup/file")


def cards_in_log(game: Game, rng: Random, folder: Path) -> set[str]:
    """Play a match to its end. Returns the cards in its log that were neither laid nor announced."""
    moments = states(game, rng)
    first, said = next(moments)
    with open_bench(first.match, folder, disk=QuickDisk) as bench:
        for dealt, words in moments:
            if dealt.match.setup != first.match.setup or dealt.match.entry is None:
                break
            said = words
            bench.companion.client.submit(dealt.match.entry).result(60)
    text = (folder / "log.jsonl").read_text(encoding="utf-8")
    faces = frozenset(game.table.deck(first.match.state.house).counts)
    return (frozenset(WORD.findall(text.replace('\\"', '"'))) & faces) - said


def written_down(home: Path, links: Evening, learnt: set[str]) -> list[str]:
    codes = {links.pin, *links.codes}
    printed = (home / "said").read_text(encoding="utf-8").splitlines()
    # a taken seat uses its code up: the others are listed again
    invitation = [line for line in printed if links.pin in line or sum(code in line for code in codes) > 1]
    secrets = {*WRONG_CREDENTIALS, *learnt, links.secret, computer_token(links.secret)}
    texts = {
        "its log": ((home / "log" / "coyote.jsonl").read_text(encoding="utf-8"), secrets | codes),
        "its output": ("\n".join(line for line in printed if line not in invitation), secrets | codes),
        "its invitation": ("\n".join(invitation), secrets),
    }
    found = [
        f"{where}: {secret}" for where, (text, all_of) in texts.items() for secret in all_of if secret in text
    ]
    return [*found, *([f"{len(invitation)} lines invite"] if len(invitation) > 3 else [])]


def try_credentials(program: Program) -> tuple[Evening, set[str]]:
    """Send every credential, correct and wrong. Returns them, with cookies and form tokens."""
    links = read_links(program.folder / "links.json")
    assert links is not None
    return links, set(_tokens_learnt(program.port, links))


def _tokens_learnt(port: int, links: Evening) -> Iterator[str]:
    """Enter as host and seat, then try everything. Returns the received cookies and form tokens."""
    phone = Phone()
    phone.get(port, "/host")
    _knock(phone, port, "/host/enter", {"pin": links.pin})
    _knock(phone, port, "/seat/take", {"code": links.codes[0]})
    for page in PAGES:
        _knock(phone, port, page)
        yield phone.form
        _knock(phone, port, page, {"file": "x" * 5000}, WRONG_CREDENTIALS[4])
    yield from phone.cookies.values()
    for word in WRONG_CREDENTIALS:
        for page in ADDRESSES:
            strange = Phone(**dict.fromkeys(phone.cookies, WRONG_CREDENTIALS[3]))
            _knock(strange, port, f"{page}?token={word}&code={word}&pin={word}")
            _knock(strange, port, page, {"pin": word, "code": word, "token": word}, word)


def _knock(phone: Phone, port: int, page: str, fields: dict[str, str] | None = None, form: str = "") -> None:
    """Request a page or send a form, perhaps with a wrong token; the result doesn't matter."""
    phone.form, own = form or phone.form, phone.form
    with suppress(OSError, HTTPException):
        phone.ask(port, page, fields)
    phone.form = own if form else phone.form
