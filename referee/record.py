"""The record of a match as lines of text; `docs/match-format.md` describes them.

The first line says what was agreed, each other line is one entry. Reading re-adjudicates: every answer
goes through the rules again, and the first line that is damaged or not legal is named.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress

import msgspec
from msgspec import Raw, Struct

from referee.contract import Outcome, Refusal
from referee.games.catalogue import GAMES
from referee.gaps import Gap, bridge_gap
from referee.match import Entry, Match, Setup, begin, enter, log

MOST_GAPS = 8
"""Missing lines that are bridged in one record: each may take seconds."""
FORMAT = 1
"""The version of the format; a reader of one version reads all older ones."""


class Head(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The first line: what was agreed before the first card."""

    coyote_table: int
    game: str
    names: tuple[str, ...]
    house: Raw
    begun: str = ""
    after: Outcome | None = None
    what_if: int | None = None
    """The moment from which on nothing of it was played: what could have happened is no record."""


class _NamesOnly(Struct, frozen=True):
    """What any version's first line has."""

    names: tuple[str, ...]


class _BegunOnly(Struct, frozen=True):
    """What tells one match from another."""

    begun: str = ""


class Fault(Struct, frozen=True):
    """What is wrong with a line, as a key and what it is about."""

    line: int
    key: str
    about: str = ""
    refusal: Refusal | None = None


class ParsedRecord(Struct, frozen=True):
    """The match up to the first fault, the fault, and missing lines that were bridged."""

    match: Match | None
    fault: Fault | None = None
    gaps: tuple[Gap, ...] = ()
    what_if: int | None = None
    """The moment from which on it was only imagined; None for a match that was played."""


def record_lines(match: Match) -> list[str]:
    """Write a match down, a line for each entry."""
    return [head_line(match.setup), *map(entry_line, log(match))]


def what_if_lines(match: Match, moment: int) -> list[str]:
    """Write down what could have happened from a moment on: no reader of records takes it for one."""
    return [head_line(match.setup, moment), *map(entry_line, log(match))]


def head_line(setup: Setup, what_if: int | None = None) -> str:
    """Write down what was agreed."""
    house = Raw(msgspec.json.encode(setup.house))
    head = Head(FORMAT, setup.game.name, setup.names, house, setup.begun, setup.after, what_if)
    return msgspec.json.encode(head).decode()


def names_in(head: str) -> tuple[str, ...]:
    """Read the names in a first line; none if it can't be read."""
    try:
        return msgspec.json.decode(head, type=_NamesOnly).names
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return ()


def begun_in(head: str) -> str:
    """Say when a match was begun, as its first line has it; nothing if that isn't said."""
    try:
        return msgspec.json.decode(head, type=_BegunOnly).begun
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return ""


def with_names(head: str, names: tuple[str, ...]) -> str:
    """Put other names into a first line, and leave all else in it as it is."""
    whole = msgspec.json.decode(head, type=dict[str, Raw])
    return msgspec.json.encode({**whole, "names": Raw(msgspec.json.encode(names))}).decode()


def entry_line(entry: Entry) -> str:
    """Write an entry down."""
    return msgspec.json.encode(entry).decode()


def read_record(lines: Iterable[str]) -> ParsedRecord:
    """Play a record again, up to its end or its first fault; everything before the fault is kept."""
    match: Match | None = None
    gaps, numbered = list[Gap](), enumerate(lines, 1)
    for number, line in numbered:
        step = _begin_match(line) if match is None else _enter_line(match, line)
        if isinstance(step, Fault) and match and _is_after_gap(match, step) and len(gaps) < MOST_GAPS:
            bridged = bridge_gap(match, _entries(line, numbered))
            if bridged is not None:
                gaps.append(Gap(number, bridged.fits, number + bridged.fed))
                step = bridged.match
        if isinstance(step, Fault):
            return ParsedRecord(match, msgspec.structs.replace(step, line=number), tuple(gaps))
        match = step
    return ParsedRecord(match, None, tuple(gaps)) if match else ParsedRecord(None, Fault(1, "empty"))


def read_film(lines: Iterable[str]) -> ParsedRecord:
    """Read a record, or what could have happened: that is told apart, and is for looking at alone."""
    told = list(lines)
    moment = _what_if_in(told[0]) if told else None
    if moment is None:
        return read_record(told)
    reading = read_record([_as_played(told[0]), *told[1:]])
    return msgspec.structs.replace(reading, what_if=moment)


def _what_if_in(head: str) -> int | None:
    try:
        return msgspec.json.decode(head, type=Head).what_if
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


def _as_played(head: str) -> str:
    """Leave the mark out of a first line."""
    whole = msgspec.json.decode(head, type=dict[str, Raw])
    return msgspec.json.encode({key: value for key, value in whole.items() if key != "what_if"}).decode()


def _is_after_gap(match: Match, fault: Fault) -> bool:
    """Tell whether a line was refused because the one before it is missing."""
    refused = fault.refusal
    return refused is not None and refused.values.get("moment") == match.number + 1


def _entries(line: str, numbered: Iterator[tuple[int, str]]) -> Iterator[Entry]:
    """Decode a line and those after it, up to one that is damaged."""
    with suppress(msgspec.DecodeError, UnicodeError, RecursionError):
        yield _ENTRIES.decode(line)
        for _number, later in numbered:
            yield _ENTRIES.decode(later)


def _begin_match(line: str) -> Match | Fault:
    """Begin the match that the first line describes."""
    try:
        version = msgspec.json.decode(line, type=dict[str, object]).get("coyote_table")
        if isinstance(version, int) and version > FORMAT:
            return Fault(0, "newer", str(version))
        head = msgspec.json.decode(line, type=Head)
        if head.coyote_table < 1 or head.what_if is not None:
            return _not_a_record(head)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        return Fault(0, "not-a-match", str(error))
    game = GAMES.get(head.game)
    if game is None:
        return Fault(0, "unknown-game", head.game)
    try:
        house = msgspec.json.decode(head.house, type=game.house)
    except msgspec.DecodeError as error:
        return Fault(0, "house", str(error))
    match = begin(Setup(game, house, head.names, head.after, head.begun))
    return Fault(0, "refused", head.game, match) if isinstance(match, Refusal) else match


def _not_a_record(head: Head) -> Fault:
    """Say why a first line that can be read is none of a record."""
    if head.coyote_table < 1:
        return Fault(0, "not-a-match", str(head.coyote_table))
    return Fault(0, "what-if", str(head.what_if))


_ENTRIES = msgspec.json.Decoder(Entry)


def _enter_line(match: Match, line: str) -> Match | Fault:
    """Enter the next line, checked like any other answer."""
    try:
        entry = _ENTRIES.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        return Fault(0, "damaged", str(error))
    after = enter(match, entry)
    return Fault(0, "refused", refusal=after) if isinstance(after, Refusal) else after
