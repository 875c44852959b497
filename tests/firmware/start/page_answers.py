"""Answers as a page sends them, and asks as it shows them, beside those of a match."""

from collections.abc import Iterator

import msgspec

from referee.contract import Answer, Choice, Option
from referee.match import Entry, Match, TakeBack
from tests.firmware.start.browsing import Page
from tests.firmware.start.people import BESIDE, Said
from webui.drawing.controls import CARD, asks_of


def is_entry_of(said: Said, entry: Entry) -> bool:
    """Tell whether an entry is what a phone has said."""
    if not said.ask:
        return isinstance(entry, TakeBack) and (entry.moment, entry.seat) == (said.place[1], said.seat)
    return (
        isinstance(entry, Answer)
        and (entry.moment, entry.ask, entry.sense) == (said.place[1], said.ask, "phone")
        and entry.seat in {None, said.seat}
        and is_value(entry.value, dict(said.fields))
    )


def is_value(value: object, fields: dict[str, str]) -> bool:
    match value:
        case Option():
            return msgspec.json.decode(fields.get("option") or fields["cell"], type=Option) == value
        case int():
            return int(fields["number"]) == value
        case tuple():
            named = [fields["card"]] if "card" in fields else list(chosen_words(fields))
            return sorted(value) == sorted(named)
        case _:
            return True


def chosen_words(fields: dict[str, str]) -> Iterator[str]:
    for name, count in fields.items():
        if name.startswith(CARD):
            yield from [name.removeprefix(CARD)] * int(count)


def asks_of_seat(match: Match, seat: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Say what a seat is asked by the rules: which ask, and what may be chosen."""
    for ask in asks_of(match.asks, seat):
        options = ask.options if isinstance(ask, Choice) else ()
        yield ask.key, tuple(sorted(map(option_text, options)))


def asks_on_page(page: Page) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Say the same of a seat's page; an ask may have several forms there."""
    chosen: dict[str, list[str]] = {}
    for leaf in page.asks:
        if leaf.ask not in BESIDE:
            offered = (value for name, value in leaf.buttons if name in {"option", "cell"})
            chosen.setdefault(leaf.ask, []).extend(offered)
    for ask, options in chosen.items():
        yield ask, tuple(sorted(options))


def option_text(option: Option) -> str:
    return msgspec.json.encode(option).decode()
