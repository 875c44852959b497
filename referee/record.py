"""The record of a match as lines of text; `docs/dev/match-format.md` describes the format.

The first line holds the setup, each other line one entry. Reading replays every answer through the rules and
reports the first damaged or illegal line.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

import msgspec
from msgspec import Raw, Struct

from referee.contract import Outcome, Refusal
from referee.games.catalogue import DISABLED, GAMES, GameError
from referee.gaps import Gap, bridge_gap, with_host_answer
from referee.match import Correct, Entry, Match, Setup, begin, beginning_of, hear, log
from referee.sums import lines_in

MAX_GAPS = 8  # missing lines to recover per record; each may take seconds
FAILED = "failed-game"  # fault of a line at which the game's own code fails
MISSING = "missing"
"""Fault of a lost line, with the number of lost lines. Lost lines stay blank to preserve line numbers."""
FORMAT = 1  # format version; readers accept all older ones


class Head(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The first line: the setup of the match."""

    coyote_table: int
    game: str
    names: tuple[str, ...]
    house: Raw
    begun: str = ""
    after: Outcome | None = None
    came: tuple[str, ...] = ()
    """People who joined later; entries refer to people by number, so all names are in this line."""


class _NamesOnly(Struct, frozen=True):
    """Fields that the first line has in every version."""

    names: tuple[str, ...]
    came: tuple[str, ...] = ()


class _BegunOnly(Struct, frozen=True):
    """The field that identifies a match."""

    begun: str = ""


class Fault(Struct, frozen=True):
    """An error in a line: its key and details."""

    line: int
    key: str
    about: str = ""
    refusal: Refusal | None = None


class ParsedRecord(Struct, frozen=True):
    """The match up to the first fault, the fault, and the missing lines that were recovered."""

    match: Match | None
    fault: Fault | None = None
    gaps: tuple[Gap, ...] = ()

    @property
    def asks_host(self) -> bool:
        """Whether the match continues only if the host supplies a lost answer."""
        return self.match is not None and self.fault is not None and self.fault.key == MISSING


def record_lines(match: Match) -> list[str]:
    return [head_line(first_setup(match)), *map(entry_line, log(match))]


def first_setup(match: Match) -> Setup:
    """Return the setup with which a match began, plus the people who joined later."""
    return msgspec.structs.replace(match.setup, names=beginning_of(match).setup.names)


def head_line(setup: Setup) -> str:
    house = Raw(msgspec.json.encode(setup.house))
    head = Head(FORMAT, setup.game.name, setup.names, house, setup.begun, setup.after, setup.came)
    return msgspec.json.encode(head).decode()


def names_in(head: str) -> tuple[str, ...]:
    """Return all names in a first line, including later arrivals; empty if it can't be read."""
    try:
        stored = msgspec.json.decode(head, type=_NamesOnly)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return ()
    return (*stored.names, *stored.came)


def begun_in(head: str) -> str:
    try:
        return msgspec.json.decode(head, type=_BegunOnly).begun
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return ""


def with_names(head: str, names: tuple[str, ...]) -> str:
    """Return a first line with other names: those of the seats, then those who joined; the rest stays.

    Without names, the result identifies the match, no matter who joins or is forgotten.
    """
    whole = msgspec.json.decode(head, type=dict[str, Raw])
    seats = len(msgspec.json.decode(whole.get("names", b"[]"), type=list[str])) or len(names)
    fresh = {**whole, "names": Raw(msgspec.json.encode(names[:seats]))}
    if names[seats:]:
        fresh["came"] = Raw(msgspec.json.encode(names[seats:]))
    elif not names:
        fresh.pop("came", None)
    return msgspec.json.encode(fresh).decode()


def entry_line(entry: Entry) -> str:
    return msgspec.json.encode(entry).decode()


def read_record(lines: Iterable[str]) -> ParsedRecord:
    """Replay a record to its end or first fault; the match up to the fault is returned.

    If the game itself fails, no match is returned, as if the game weren't installed.
    """
    stored, gaps, at = _checked(list(lines)), list[Gap](), 0
    match: Match | None = None
    lost, corrections, guesses = Fault(0, MISSING, str(stored.count(""))), _host_answers(stored), MAX_GAPS
    try:
        while at < len(stored):
            line = stored[at]
            step = lost if not line else _begin_match(line) if match is None else _enter_line(match, line)
            past = None
            if match is not None and isinstance(step, Fault) and _is_gap(match, step):
                past = _past_gap(match, stored, at, corrections, may_guess=guesses > 0)
            if past is not None:
                match, gap = past
                gaps.append(gap)
                guesses -= not gap.is_from_host
                at = gap.certain_from - 1
            elif isinstance(step, Fault):
                return ParsedRecord(match, msgspec.structs.replace(step, line=at + 1), tuple(gaps))
            else:
                match, at = step, at + 1
    except GameError as error:
        return ParsedRecord(None, Fault(at + 1, FAILED, error.failure.game), tuple(gaps))
    return ParsedRecord(match, None, tuple(gaps)) if match else ParsedRecord(None, Fault(1, "empty"))


def _checked(lines: list[str]) -> list[str]:
    """Return a file's lines without their sums; a line that is cut off or doesn't match its sum is blank.

    Without any line that matches its sum, all lines are returned unchanged.
    """
    found = [*lines_in("\n".join(lines).encode(errors="surrogateescape"))]
    if not found:
        return lines
    texts = {each.line.number: each.line.text for each in found}
    count = max(max(each.lines, each.line.number + 1) for each in found)
    # a stranger's file may state any number
    return [texts.get(number, "") for number in range(min(count, 2 * len(lines)))]


def _past_gap(
    match: Match, stored: Sequence[str], at: int, corrections: Mapping[int, Correct], *, may_guess: bool
) -> tuple[Match, Gap] | None:
    """Continue past a missing line: with the host's answer if given, else if nothing depends on the line."""
    after = at if stored[at] else at + 1
    instead = with_host_answer(match, corrections[match.number]) if match.number in corrections else None
    if instead is not None:
        return instead, Gap(at + 1, 1, after + 1, is_from_host=True)
    bridged = bridge_gap(match, _entries(stored[after:])) if may_guess else None
    if bridged is None:
        return None
    return bridged.match, Gap(at + 1, bridged.fits, after + bridged.fed + 1)


def _host_answers(lines: Sequence[str]) -> dict[int, Correct]:
    """Collect the host's answers for missing lines by moment, from corrections later in the record."""
    corrections: dict[int, Correct] = {}
    for line in lines if "" in lines else ():
        with suppress(msgspec.DecodeError, UnicodeError, RecursionError):
            entry = _CORRECTIONS.decode(line)
            corrections.setdefault(entry.heard_at, entry)
    return corrections


def _is_gap(match: Match, fault: Fault) -> bool:
    """Return whether a line is missing, or was refused because the line before it is missing."""
    refused = fault.refusal
    return fault.key == MISSING or (refused is not None and refused.values.get("moment") == match.number + 1)


def _entries(lines: Iterable[str]) -> Iterator[Entry]:
    """Decode lines up to the first damaged or missing one."""
    with suppress(msgspec.DecodeError, UnicodeError, RecursionError):
        for line in lines:
            yield _ENTRIES.decode(line)


def _refuse_repeated(pairs: list[tuple[str, object]]) -> None:
    """Raise ValueError for an object with a repeated key, of which the decoder would take the last."""
    keys = [key for key, _value in pairs]
    if len({*keys}) < len(keys):
        raise ValueError(f"repeated key: {next(key for key in keys if keys.count(key) > 1)}")


def _begin_match(line: str) -> Match | Fault:
    try:
        version = msgspec.json.decode(line, type=dict[str, object]).get("coyote_table")
        if isinstance(version, int) and version > FORMAT:
            return Fault(0, "newer", str(version))
        json.loads(line, object_pairs_hook=_refuse_repeated)
        head = msgspec.json.decode(line, type=Head)
        winners = head.after.winners if head.after else ()
        if head.coyote_table < 1 or len({*winners} & {*range(len(head.names))}) < len(winners):
            return Fault(0, "not-a-match", f"{head.coyote_table} {winners}")
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        return Fault(0, "not-a-match", str(error))
    game = GAMES.get(head.game)
    if game is None:
        return Fault(0, FAILED if head.game in DISABLED else "unknown-game", head.game)
    try:
        house = msgspec.json.decode(head.house, type=game.rules.house)
    except msgspec.DecodeError as error:
        return Fault(0, "house", str(error))
    match = begin(Setup(game, house, head.names, head.after, head.begun, head.came))
    return Fault(0, "refused", head.game, match) if isinstance(match, Refusal) else match


_ENTRIES, _CORRECTIONS = msgspec.json.Decoder(Entry), msgspec.json.Decoder(Correct)


def _enter_line(match: Match, line: str) -> Match | Fault:
    try:
        entry = _ENTRIES.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        return Fault(0, "damaged", str(error))
    after = hear(match, entry)
    return Fault(0, "refused", refusal=after) if isinstance(after, Refusal) else after
