"""A match: a game, its house rules and the answers so far. Its state is the fold of the answers."""

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from referee.contract import Deck, Game, Outcome, make_refusal
from referee.contract.asks import Answer, Ask, Choice, Done, Option, Reason, Refusal, Ruling, Value, make_ruling
from referee.legal import ask_named, refusal

NOT_OFFERED = frozenset({Reason.NO_SUCH_OPTION, Reason.OTHER_PLAYER, Reason.OTHER_CARD, Reason.OTHER_PLACE})
"""Refusal reasons for unavailable options; the game may replace them by a more specific one."""
MAX_ENTRIES, MAX_REPLAYED = 60_000, 500_000
"""Limits of one match, for a Pi's memory and replay time; an answer every eleven seconds for a week fits."""
MAX_NAME_LETTERS = 40  # letters; longer names don't fit on pages
# Unicode counts both as printable; emoji and Japanese names need selectors, no name needs blanks
_SELECTORS = re.compile(r"[\u034f\u17b4\u17b5\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_BLANKS = re.compile(r"[\u115f\u1160\u2800\u3164\uffa0\U00016fe4\U0001d159]")


class Setup(Struct, frozen=True):
    """Settings agreed before the first card: the game, house rules, names, and the previous match's outcome."""

    game: Game
    house: Any
    names: tuple[str, ...]
    """The person at each seat; may change during the match."""
    after: Outcome | None = None
    begun: str = ""
    came: tuple[str, ...] = ()  # people who joined later, seated now or not

    @property
    def deck(self) -> Deck:
        """The cards of the match."""
        return self.game.table.deck(self.house)


class TakeBack(
    Struct, frozen=True, tag="take-back", tag_field="entry", omit_defaults=True, forbid_unknown_fields=True
):
    """A player undoes the last answer."""

    moment: int
    seat: int | None = None
    at: str = ""


class Correct(
    Struct, frozen=True, tag="correct", tag_field="entry", omit_defaults=True, forbid_unknown_fields=True
):
    """The host replaces the answer heard at a moment, or strikes all answers from there on."""

    moment: int
    heard_at: int
    value: Value | UnsetType = UNSET
    owners: tuple[int | None, ...] = ()
    at: str = ""
    seat: int | None = None
    """Seat of the answer; used only for a line missing from the record."""


class SitDown(
    Struct, frozen=True, tag="sit-down", tag_field="entry", omit_defaults=True, forbid_unknown_fields=True
):
    """Another person takes over a seat; earlier actions stay credited to the previous person.

    Entries contain no names, so forgetting a person changes only the first line.
    """

    moment: int
    seat: int
    person: int
    """Index in the list of all people: first those who began the match, then those who joined."""
    at: str = ""


class EndMatch(
    Struct, frozen=True, tag="end", tag_field="entry", omit_defaults=True, forbid_unknown_fields=True
):
    """The host ends a match early."""

    moment: int
    at: str = ""


Entry = Answer | TakeBack | Correct | SitDown | EndMatch
ENDED_EARLY = Outcome("ended-early", ())
"""Outcome of a match that the host ended: nobody wins."""


# Positions and moments form chains back to the first one. They stay under garbage collection deliberately:
# without it, a long chain would be freed recursively and overflow the stack.


class Position(Struct, frozen=True, eq=False):
    """State of the game with its asks, rulings and outcome."""

    state: Any
    asks: tuple[Ask, ...]
    rulings: tuple[Ruling, ...]
    outcome: Outcome | None


class Step(Position, frozen=True, eq=False):
    """An accepted answer and the position after it, with the moment it was heard and the position before it."""

    answer: Answer
    heard_at: int
    before: Position

    def __repr__(self) -> str:
        return f"Step({self.answer}, {self.state})"


class Match(Struct, frozen=True, eq=False):
    """A match at one moment. The moment number always increases, even after a take-back."""

    setup: Setup
    position: Position
    rulings: tuple[Ruling, ...]
    number: int = 0
    entry: Entry | None = None
    before: "Match | None" = None
    beside: tuple[Ask, ...] = ()
    """Asks by the table itself; the game never receives their answers."""
    replayed: int = 0  # answers replayed by corrections
    is_ended: bool = False  # whether the host ended it before the rules did

    def __repr__(self) -> str:
        """Show this moment only; printing the whole chain of a long match takes gigabytes."""
        return f"Match({self.setup.game.name!r}, {self.number}, {self.entry}, {self.position})"

    @property
    def state(self) -> Any:
        return self.position.state

    @property
    def asks(self) -> tuple[Ask, ...]:
        """All current asks, by the table and the game; empty once the match is over."""
        return self.beside + self.game_asks

    @property
    def game_asks(self) -> tuple[Ask, ...]:
        return () if self.is_ended else self.position.asks

    @property
    def outcome(self) -> Outcome | None:
        """The outcome by the rules or by the host; None while the match is running."""
        return ENDED_EARLY if self.is_ended else self.decided

    @property
    def decided(self) -> Outcome | None:
        """The outcome by the rules; None while the match is running or if the host ended it."""
        return self.position.outcome


def is_going_on(match: Match) -> bool:
    return isinstance(match.position, Step) and match.outcome is None


def begin(setup: Setup) -> Match | Refusal:
    game, seats = setup.game, setup.game.rules.seats(setup.house)
    strange = name_refusal(setup.names)
    if strange is not None:
        return strange
    if len(setup.names) not in seats:
        return make_refusal(Reason.SEATS, seats=len(setup.names), least=seats.start, most=seats.stop - 1)
    started = game.rules.start(tuple(range(len(setup.names))), setup.house, setup.after)
    if isinstance(started, Refusal):
        return started
    state = started.state
    position = Position(state, game.rules.asks(state), started.rulings, game.rules.outcome(state))
    return Match(setup, position, started.rulings)


def name_key(name: str) -> str:
    """Return what distinguishes a name: neither case nor invisible characters."""
    return " ".join(_SELECTORS.sub("", name).split()).casefold()


def is_readable(name: str) -> bool:
    """Return whether a name shows something, and nothing in it only looks like a space."""
    return name.isprintable() and name_key(name) != "" and not _BLANKS.search(name)


def name_refusal(names: tuple[str, ...]) -> Refusal | None:
    for name in names:
        others = [name_key(other) for other in names].count(name_key(name)) - 1
        if others or not is_readable(name) or len(name) > MAX_NAME_LETTERS:
            shown = name if len(name) <= MAX_NAME_LETTERS else f"{name[:MAX_NAME_LETTERS]}…"
            return make_refusal(Reason.NAME, name=shown if name.isprintable() else "?", most=MAX_NAME_LETTERS)
    return None


def with_name(match: Match, seat: int, name: str) -> Match | Refusal:
    """Rename a seat before the first answer; house rules stay."""
    names = match.setup.names
    if match.number or seat not in range(len(names)):
        return make_refusal(Reason.STALE, now=match.number)
    return begin(replace(match.setup, names=(*names[:seat], name, *names[seat + 1 :])))


def people_of(match: Match) -> tuple[str, ...]:
    """Return everyone in a match: the people who began it, by seat, then those who joined."""
    return (*beginning_of(match).setup.names, *match.setup.came)


def seat_person(match: Match, seat: int, name: str, at: str = "") -> Match | Refusal:
    """Seat a person, new or returning, in place of the current player."""
    people, came = people_of(match), match.setup.came
    entry = SitDown(match.number, seat, people.index(name) if name in people else len(people), at)
    known = match if name in people else replace(match, setup=replace(match.setup, came=(*came, name)))
    after = hear(known, entry)
    return after if isinstance(after, Refusal) else replace(after, before=match)


def _sit_down(match: Match, entry: SitDown) -> Match | Refusal:
    if match.outcome is not None:
        return make_refusal(Reason.OVER)
    names, people = match.setup.names, people_of(match)
    if entry.seat not in range(len(names)) or entry.person not in range(len(people)):
        return make_refusal(Reason.NAME, name="?", most=MAX_NAME_LETTERS)
    name, before = people[entry.person], names[entry.seat]
    if name == before:
        return make_refusal(Reason.NAME, name=name, most=MAX_NAME_LETTERS)
    setup = replace(match.setup, names=(*names[: entry.seat], name, *names[entry.seat + 1 :]))
    if (strange := name_refusal(setup.names)) is not None:
        return strange
    rulings = (make_ruling("sat-down", rule="sit-down", name=name, before=before),)
    return replace(_moment_after(match, entry, match.position, rulings, match), setup=setup)


class Arrival(Struct, frozen=True):
    """A person who sat down during the match, and the name of the previous player."""

    name: str
    before: str
    moment: int
    has_answered: bool


def arrival_at(match: Match, seat: int) -> Arrival | None:
    """Return the latest arrival at a seat; None if its first player is still there."""
    has_answered = False
    # without arrivals no seat can have changed
    for moment in moments(match) if match.setup.came else ():
        match moment.entry:
            case Answer(seat=who) if who == seat:
                has_answered = True
            case SitDown(seat=where) if where == seat and moment.before is not None:
                before = moment.before.setup.names[seat]
                return Arrival(moment.setup.names[seat], before, moment.number, has_answered)
    return None


def has_other_names(before: Match, after: Match) -> bool:
    """Return whether only seat names changed, before the first answer."""
    setup, names = before.setup, after.setup.names
    is_as_large = before.number == after.number == 0 and len(setup.names) == len(names)
    return is_as_large and setup.names != names and replace(setup, names=names) == after.setup


def rematch(match: Match, begun: str = "") -> Match | Refusal:
    setup = match.setup
    return begin(Setup(setup.game, setup.house, setup.names, match.decided, begun))


def replay_with_rules(match: Match, house: Struct, begun: str) -> Match | Refusal:
    """Replay all answers under other house rules; if one no longer fits, begin a new match."""
    setup = match.setup
    first = Setup(setup.game, house, beginning_of(match).setup.names, setup.after, begun, setup.came)
    again = begin(first)
    for entry in _standing_entries(match):
        if isinstance(again, Match):
            again = hear(again, replace(entry, moment=again.number))
    return again if isinstance(again, Match) else begin(replace(first, names=setup.names, came=()))


def _standing_entries(match: Match) -> list[Answer | SitDown]:
    stands = {step.heard_at: step.answer for step in standing_answers(match)}
    entries = (moment.entry for moment in moments(match))
    seated = {entry.moment: entry for entry in entries if isinstance(entry, SitDown)}
    both = dict[int, Answer | SitDown]({**stands, **seated})
    return [both[number] for number in sorted(both)]


def is_replay(match: Match, other: Match) -> bool:
    """Return whether another match has the same people, cards and answers."""
    setup, again = match.setup, other.setup
    if setup.game is not again.game or setup.names != again.names:
        return False
    answers, replayed = (
        [(step.answer.ask, step.answer.value, step.answer.at) for step in standing_answers(each)]
        for each in (match, other)
    )
    decks = [setup.game.table.deck(each.house).counts for each in (setup, again)]
    return bool(answers) and answers == replayed and decks[0] == decks[1]


def hear(match: Match, entry: Entry) -> Match | Refusal:
    """Apply an entry and return the next moment, or its refusal.

    An answer to an ask of the table itself creates no new moment; the match is returned unchanged.
    """
    late = _late_refusal(match, entry)
    if late is not None:
        return late
    match entry:
        case Answer():
            return _hear_answer(match, entry)
        case TakeBack():
            return _take_back(match, entry)
        case Correct():
            return _correct(match, entry)
        case SitDown():
            return _sit_down(match, entry)
        case EndMatch():
            return _end(match, entry)


def _hear_answer(match: Match, entry: Answer) -> Match | Refusal:
    if match.beside and ask_named(match.beside, entry.ask) is not None:
        return refusal(match.beside, entry) or match
    step = step_from(match.setup.game, match.position, entry, match.number)
    return _moment_after(match, entry, step, step.rulings, match) if isinstance(step, Step) else step


def _end(match: Match, entry: EndMatch) -> Match | Refusal:
    if match.outcome is not None:
        return make_refusal(Reason.OVER)
    rulings = (make_ruling("ended-early", rule="end-early"),)
    return replace(_moment_after(match, entry, match.position, rulings, match), is_ended=True)


def _take_back(match: Match, entry: TakeBack) -> Match | Refusal:
    step = match.position
    if not isinstance(step, Step):
        return make_refusal(Reason.NOTHING_BACK)
    if step.answer.seat is not None and step.answer.seat != entry.seat:
        return make_refusal(Reason.NOT_YOURS_BACK, seats=(step.answer.seat,))
    if isinstance(step.answer.value, tuple) or _moved_hidden(match.setup.game, step):
        return make_refusal(Reason.SEEN_BACK)
    rulings = (make_ruling("taken-back", rule="take-back", seat=entry.seat),)
    return _moment_after(match, entry, step.before, rulings, match)


def _correct(match: Match, entry: Correct) -> Match | Refusal:
    """Correct an answer at any depth; later answers that no longer fit are dropped."""
    back = _back_from(match.position)
    later = list(takewhile(lambda step: step.heard_at >= entry.heard_at, back))[::-1]
    if not later or later[0].heard_at != entry.heard_at:
        return make_refusal(Reason.NO_SUCH_MOMENT, moment=entry.heard_at)
    if match.replayed + len(later) > MAX_REPLAYED:
        return make_refusal(Reason.TOO_MUCH)
    heard = _replay_corrected(match.setup.game, later, entry)
    if isinstance(heard, Refusal):
        return heard
    position, kept = heard
    rulings = _correction(entry, later[0].answer, position, len(later) - kept)
    after = _moment_after(match, entry, position, rulings, _without_steps(match))
    # a match ended early stays ended, unless the corrected answers end it by the rules
    is_ended = match.is_ended and after.decided is None
    return replace(after, replayed=match.replayed + len(later), is_ended=is_ended)


def moments(match: Match) -> Iterator[Match]:
    """Iterate back through the moments of a match, undone ones included."""
    moment: Match | None = match
    while moment is not None:
        yield moment
        moment = moment.before


def beginning_of(match: Match) -> Match:
    return list(moments(match))[-1]


def log(match: Match) -> list[Entry]:
    return [moment.entry for moment in moments(match) if moment.entry is not None][::-1]


def standing_answers(match: Match) -> list[Step]:
    return list(_back_from(match.position))[::-1]


def positions_of(match: Match) -> list[Position]:
    """Return the positions of a match in order, after each accepted answer."""
    return [*(step.before for step in standing_answers(match)), match.position]


def without_answers(position: Position) -> Position:
    return Position(position.state, position.asks, position.rulings, position.outcome)


def _back_from(position: Position) -> Iterator[Step]:
    while isinstance(position, Step):
        yield position
        position = position.before


def step_from(game: Game, before: Position, answer: Answer, heard_at: int) -> Step | Refusal:
    """Apply an answer to a position and return the step it leads to, or its refusal."""
    refused = refusal(before.asks, answer)
    if refused is not None and refused.reason in NOT_OFFERED and isinstance(answer.value, Option):
        # the game knows which condition the option fails
        return game.book.why_not(before.state, answer.seat, answer.value) or refused
    if refused is not None:
        return refused
    heard = game.rules.hear(before.state, answer)
    if isinstance(heard, Refusal):
        return heard
    asks = game.rules.asks(heard.state)
    outcome = None if asks else game.rules.outcome(heard.state)
    return Step(heard.state, asks, heard.rulings, outcome, answer, heard_at, before)


def _moment_after(
    match: Match, entry: Entry, position: Position, rulings: tuple[Ruling, ...], before: Match
) -> Match:
    return Match(match.setup, position, rulings, match.number + 1, entry, before, replayed=match.replayed)


def _late_refusal(match: Match, entry: Entry) -> Refusal | None:
    if entry.moment != match.number and not (isinstance(entry, Answer) and _same_window(match, entry)):
        reason = Reason.STALE if entry.moment <= match.number else Reason.FUTURE
        return make_refusal(reason, moment=entry.moment, now=match.number)
    if match.number >= MAX_ENTRIES:
        return make_refusal(Reason.TOO_LONG, most=MAX_ENTRIES)
    return make_refusal(Reason.OVER) if match.is_ended and not isinstance(entry, Correct) else None


def _without_steps(match: Match) -> Match:
    """Return the match without the steps before a correction, so that memory doesn't grow with each one.

    Moments remain, with their asks and rulings. Earlier corrections have already removed the steps before them.
    """
    line = list(takewhile(lambda moment: isinstance(moment.position, Step), moments(match)))
    earlier = line[-1].before if line else match
    for moment in reversed(line):
        earlier = replace(moment, position=without_answers(moment.position), before=earlier)
    return earlier if earlier is not None else match


def _replay_corrected(game: Game, steps: list[Step], entry: Correct) -> tuple[Position, int] | Refusal:
    """Replace the first of these answers, then replay the others as long as they fit.

    Returns the final position and the number of answers that remain.
    """
    wrong = steps[0]
    if isinstance(entry.value, UnsetType):
        return wrong.before, 0
    right = replace(wrong.answer, value=entry.value, owners=entry.owners, likely="")
    position = step_from(game, wrong.before, right, wrong.heard_at)
    if isinstance(position, Refusal):
        return position
    for kept, step in enumerate(steps[1:], 1):
        again = step_from(game, position, step.answer, step.heard_at)
        if isinstance(again, Refusal):
            return position, kept
        position = again
    return position, len(steps)


def _correction(entry: Correct, before: Answer, position: Position, dropped: int) -> tuple[Ruling, ...]:
    """Describe a correction. New rulings are repeated, unless it only names the owner of a card."""
    if entry.value is UNSET:
        return (make_ruling("struck", rule="correct", dropped=dropped),)
    named = _owners_named(entry, before)
    if named and not dropped:
        return tuple(make_ruling("was-of", rule="correct", seat=seat, card=card) for card, seat in named)
    key = "corrected" if dropped else "corrected-all"
    return (make_ruling(key, rule="correct", moment=entry.heard_at, dropped=dropped), *position.rulings)


def _owners_named(entry: Correct, before: Answer) -> list[tuple[str, int]]:
    """Return the cards with a new owner and the owner's seat; empty if the cards themselves changed."""
    if not isinstance(entry.value, tuple) or entry.value != before.value:
        return []
    unknown = (None,) * len(entry.value)
    owners = zip(entry.value, entry.owners or unknown, before.owners or unknown, strict=True)
    return [(card, seat) for card, seat, was in owners if seat is not None and seat != was]


def is_correctable(match: Match, answer: Answer) -> bool:
    """Return whether an answer could be corrected later: it moves no hidden card and doesn't end the match."""
    after = hear(match, answer)
    return isinstance(after, Match) and after.outcome is None and not _moved_hidden(match.setup.game, after)


def _moved_hidden(game: Game, after: Match | Position) -> bool:
    return any(ruling.key in game.rules.no_way_back for ruling in after.rulings)


def _same_window(match: Match, answer: Answer) -> bool:
    """Return whether the window of an answer to an earlier moment has been open ever since."""
    now = _window(match.asks, answer.ask)
    if now is None or answer.moment > match.number:
        return False
    for moment in moments(match):
        if _window(moment.asks, answer.ask) != now:
            return False
        if moment.number == answer.moment:
            return True
        if not isinstance(moment.entry, Answer | SitDown):
            # after a take-back or correction, the same number may belong to another window
            return False
    return False


def _window(asks: tuple[Ask, ...], key: str) -> int | None:
    ask = ask_named(asks, key)
    return ask.window if isinstance(ask, Choice | Done) else None
