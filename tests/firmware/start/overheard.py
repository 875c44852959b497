"""What a table tells of secrets unasked: in its log, and on its output.

Whole matches are played with dealt cards beside a log, which may name no card that wasn't laid or said. And a
real table is knocked at with everything that lets people in, wrong and right: none of it may be written down,
but for codes and PIN in the two lines that invite people.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from http.cookiejar import CookieJar
from pathlib import Path
from queue import SimpleQueue
from random import Random
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

from firmware.core.loop import Item
from firmware.core.table import Write
from firmware.core.writer import EntryKept
from referee.contract import Game
from tests.firmware.core.tables import open_bench
from tests.firmware.start.safely import Case, System, first_page, table
from tests.webui.access.hiding import WORD, states
from webui.access.evening import Evening
from webui.access.links_file import read_links

WRONG = ("473829", "wrong-token", "WRONGCODE", "wrong-cookie", "wrong-form-token")
"""What a stranger types or sends who shouldn't get in; a PIN that was mistyped is nearly a PIN."""
PAGES = (
    "/",
    "/host",
    "/seat",
    "/history",
    "/host/settings",
    "/host/backup",
    "/nowhere",
    "/twin",
    "/state.json",
)
FORM = re.compile(r'name="form" value="([^"]+)"')


class Disk:
    """A disk that keeps everything at once."""

    def __init__(self, queue: "SimpleQueue[Item]") -> None:
        """Take the loop's queue."""
        self._queue = queue

    def give(self, write: Write) -> None:
        """Keep it."""
        self._queue.put(EntryKept(write.id or 1))

    def close(self, _seconds: float) -> bool:
        """Have kept all."""
        return True


def cards_in_log(game: Game, rng: Random, folder: Path) -> set[str]:
    """Play a match to its end, and name the cards in its log that were neither laid nor said."""
    moments = states(game, rng)
    first, said = next(moments)
    with open_bench(first.match, folder, disk=Disk) as bench:
        for dealt, words in moments:
            if dealt.match.setup != first.match.setup or dealt.match.entry is None:
                break
            said = words
            bench.companion.door.submit(dealt.match.entry).result(60)
    text = (folder / "log.jsonl").read_text(encoding="utf-8")
    faces = frozenset(game.deck(first.match.state.house).counts)
    return (frozenset(WORD.findall(text.replace('\\"', '"'))) & faces) - said


def secrets_written(home: Path, port: int) -> tuple[list[str], int]:
    """Knock at a real table; name the secrets that it wrote down, and count the knocks."""
    table(home)
    system = System(home, Case("secrets", "all of them", lambda _home: None), port)
    try:
        assert system.start(), system.output_lines()
        assert first_page(port)
        links = read_links(home / "state" / "links.json")
        assert links is not None
        learnt = list(_try_doors(f"http://127.0.0.1:{port}", links))
        system.end()
        printed = system.output_lines()
        said = [line for line in printed if links.pin not in line and links.codes[0] not in line]
        invitation = [line for line in printed if line not in said]
        log = (home / "log" / "coyote.jsonl").read_text(encoding="utf-8")
    finally:
        system.close()
    secrets = {*WRONG, *learnt, links.secret}
    codes = {links.pin, *links.codes}
    texts = {"its log": (log, secrets | codes), "its output": ("\n".join(said), secrets | codes)}
    texts["its invitation"] = ("\n".join(invitation), secrets)
    found = [
        f"{where}: {secret}" for where, (text, all_of) in texts.items() for secret in all_of if secret in text
    ]
    return ([*found, *([f"{len(invitation)} lines invite"] if len(invitation) > 2 else [])], len(learnt))


def _try_doors(where: str, links: Evening) -> Iterator[str]:
    """Come in as host and seat, then try everything; give the cookies and form tokens that were learnt."""
    jar = CookieJar()
    phone, strange = build_opener(HTTPCookieProcessor(jar)), build_opener()
    _ask_page(phone, f"{where}/host/enter", {"pin": links.pin})
    _ask_page(phone, f"{where}/seat/take", {"code": links.codes[0]})
    for page in PAGES:
        yield from FORM.findall(_ask_page(phone, f"{where}{page}"))
        _ask_page(phone, f"{where}{page}", {"form": WRONG[4], "file": "x" * 5000})
    yield from (cookie.value for cookie in jar if cookie.value)
    strange.addheaders = [("Cookie", "; ".join(f"{cookie.name}={WRONG[3]}" for cookie in jar))]
    for word in WRONG:
        for page in (*PAGES, "/host/enter", "/seat/take", "/host/backup/file"):
            _ask_page(strange, f"{where}{page}?token={word}&code={word}&pin={word}")
            _ask_page(strange, f"{where}{page}", {"pin": word, "code": word, "form": word, "token": word})


def _ask_page(browser: OpenerDirector, address: str, form: dict[str, str] | None = None) -> str:
    """Ask for a page, whatever becomes of it."""
    try:
        with browser.open(address, None if form is None else urlencode(form).encode(), timeout=30) as answer:
            return str(answer.read().decode(errors="replace"))
    except HTTPError as error:
        with suppress(OSError), error:
            return error.read().decode(errors="replace")
    except (URLError, OSError):
        pass
    return ""
