"""A match: a game, its house rules and what was answered so far. Its state is the fold of the answers."""

from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from referee.contract import Game, Outcome, make_refusal
from referee.contract.asks import Answer, Ask, Choice, Done, Option, Reason, Refusal, Ruling, Value, make_ruling
from referee.legal import ask_named, refusal

NOT_OFFERED = frozenset({Reason.NO_SUCH_OPTION, Reason.OTHER_PLAYER, Reason.OTHER_CARD, Reason.OTHER_PLACE})
"""Why an option is refused as far as the asks tell; the game may know more."""
MOST_ENTRIES, MOST_REHEARD = 60_000, 500_000
"""Bounds on one match, for a Pi's memory and patience: an answer each eleven seconds for a week is within."""
LONGEST_NAME = 40  # letters of a name that a page or a voice can still tell


class Setup(Struct, frozen=True):
    """What is set before the first card: the game, its house rules, the seats, the last match."""

    game: Game
    house: Any
    names: tuple[str, ...]
    """Who sits at each seat: at a later moment, maybe others than in the beginning."""
    after: Outcome | None = None
    begun: str = ""
    came: tuple[str, ...] = ()  # who has come since, whether or not they sit there now


class TakeBack(
    Struct, frozen=True, tag="take-back", tag_field="entry", omit_defaults=True, forbid_unknown_fields=True
):
    """A player takes the last answer back."""

    moment: int
    seat: int | None = None
    at: str = ""


class Correct(
    Struct, frozen=True, tag="correct", tag_field="entry", omit_defaults=True, forbid_unknown_fields=True
):
    """The host puts the record right: another value for the answer heard at a moment, or none from there on."""

    moment: int
    heard_at: int
    value: Value | UnsetType = UNSET
    owners: tuple[int | None, ...] = ()
    at: str = ""
    seat: int | None = None
    """Whose answer it was, where the record has lost it: then this is all that is known of it."""


class SitDown(
    Struct, frozen=True, tag="sit-down", tag_field="entry", omit_defaults=True, forbid_unknown_fields=True
):
    """Another person sits down at a seat and plays on; what was before stays that of who sat there.

    No entry has a name, so that one who is forgotten leaves every line but the first as it was.
    """

    moment: int
    seat: int
    person: int
    """Who, of all people of the match: first those with whom it began, then those who came."""
    at: str = ""


class EndMatch(
    Struct, frozen=True, tag="end", tag_field="entry", omit_defaults=True, forbid_unknown_fields=True
):
    """The host ends a match before its rules do."""

    moment: int
    at: str = ""


Entry = Answer | TakeBack | Correct | SitDown | EndMatch
ENDED_EARLY = Outcome("ended-early", ())
"""How a match ended that the host has ended: nobody has won it."""


# Positions and moments are chained back to the first one. They are left to the garbage collector's bookkeeping
# on purpose: without it a long chain would be let go of recursively, and overflow the stack.


class Position(Struct, frozen=True, eq=False):
    """Where the game stands."""

    state: Any
    asks: tuple[Ask, ...]
    rulings: tuple[Ruling, ...]
    outcome: Outcome | None


class Step(Position, frozen=True, eq=False):
    """An answer that stands, and where it led: when it was heard, and where the game stood before it."""

    answer: Answer
    heard_at: int
    before: Position

    def __repr__(self) -> str:
        return f"Step({self.answer}, {self.state})"


class Match(Struct, frozen=True, eq=False):
    """A match at one moment; the moment's number only grows, also when an answer is taken back."""

    setup: Setup
    position: Position
    rulings: tuple[Ruling, ...]
    number: int = 0
    entry: Entry | None = None
    before: "Match | None" = None
    beside: tuple[Ask, ...] = ()
    """What the table asks beside the game; the game never hears the answers."""
    reheard: int = 0  # answers that corrections have heard again
    is_ended: bool = False  # whether the host has ended it, and the rules haven't

    def __repr__(self) -> str:
        """Show this moment alone: with those before, all in full, a long match takes gigabytes."""
        return f"Match({self.setup.game.name!r}, {self.number}, {self.entry}, {self.position})"

    @property
    def state(self) -> Any:
        return self.position.state

    @property
    def asks(self) -> tuple[Ask, ...]:
        """Give what is asked now, by the table and by the game; nothing once the match is over."""
        return self.beside + self.game_asks

    @property
    def game_asks(self) -> tuple[Ask, ...]:
        return () if self.is_ended else self.position.asks

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, by the rules or by the host; None while it goes on."""
        return ENDED_EARLY if self.is_ended else self.decided

    @property
    def decided(self) -> Outcome | None:
        """How the match ended by the rules; None while it goes on, and where the host has ended it."""
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


def name_refusal(names: tuple[str, ...]) -> Refusal | None:
    for name in names:
        others = [other.casefold() for other in names].count(name.casefold()) - 1
        if others or not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
            shown = name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…"
            return make_refusal(Reason.NAME, name=shown if name.isprintable() else "?", most=LONGEST_NAME)
    return None


def with_name(match: Match, seat: int, name: str) -> Match | Refusal:
    """Give a seat another name, as long as nothing was answered; what was agreed stays."""
    names = match.setup.names
    if match.number or seat not in range(len(names)):
        return make_refusal(Reason.STALE, now=match.number)
    return begin(replace(match.setup, names=(*names[:seat], name, *names[seat + 1 :])))


def people_of(match: Match) -> tuple[str, ...]:
    """List all people of a match: those with whom it began, by seat, then those who came."""
    return (*beginning_of(match).setup.names, *match.setup.came)


def seat_person(match: Match, seat: int, name: str, at: str = "") -> Match | Refusal:
    """Let a person play on at a seat, who is known from now on, or comes back."""
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
        return make_refusal(Reason.NAME, name="?", most=LONGEST_NAME)
    name, before = people[entry.person], names[entry.seat]
    if name == before:
        return make_refusal(Reason.NAME, name=name, most=LONGEST_NAME)
    setup = replace(match.setup, names=(*names[: entry.seat], name, *names[entry.seat + 1 :]))
    if (strange := name_refusal(setup.names)) is not None:
        return strange
    said = (make_ruling("sat-down", rule="sit-down", name=name, before=before),)
    return replace(_moment_after(match, entry, match.position, said, match), setup=setup)


class Arrival(Struct, frozen=True):
    """A person who sat down in the running match, and the name of the person who sat there before."""

    name: str
    before: str
    moment: int
    has_answered: bool


def arrival_at(match: Match, seat: int) -> Arrival | None:
    """Find who came last to a seat; None if those sit there with whom the match began."""
    has_answered = False
    # nobody changes a seat before somebody has come
    for moment in moments(match) if match.setup.came else ():
        match moment.entry:
            case Answer(seat=who) if who == seat:
                has_answered = True
            case SitDown(seat=where) if where == seat and moment.before is not None:
                before = moment.before.setup.names[seat]
                return Arrival(moment.setup.names[seat], before, moment.number, has_answered)
    return None


def has_other_names(before: Match, after: Match) -> bool:
    """Return whether it is the same match, whose seats have got other names before anybody has answered."""
    setup, names = before.setup, after.setup.names
    is_as_large = before.number == after.number == 0 and len(setup.names) == len(names)
    return is_as_large and setup.names != names and replace(setup, names=names) == after.setup


def rematch(match: Match, begun: str = "") -> Match | Refusal:
    setup = match.setup
    return begin(Setup(setup.game, setup.house, setup.names, match.decided, begun))


def hear_again(match: Match, house: Struct, begun: str) -> Match | Refusal:
    """Hear all answers of a match by other house rules; where one of them doesn't fit these, begin anew."""
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


def is_heard_again(match: Match, other: Match) -> bool:
    """Return whether another match has the same answers of the same people with the same cards."""
    setup, again = match.setup, other.setup
    if setup.game is not again.game or setup.names != again.names:
        return False
    said, heard = ([_as_said(step) for step in standing_answers(each)] for each in (match, other))
    decks = [setup.game.table.deck(each.house).counts for each in (setup, again)]
    return bool(said) and said == heard and decks[0] == decks[1]


def _as_said(step: Step) -> tuple[str, Value, str]:
    return step.answer.ask, step.answer.value, step.answer.at


def hear(match: Match, entry: Entry) -> Match | Refusal:
    """Judge an entry: give the next moment, or its refusal.

    An answer to what is asked beside the game leads to no other moment: then it is this one.
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
    step = step_from(match.setup.game, match.position, entry, match.number, match.beside)
    if isinstance(step, Refusal):
        return step
    return match if step is match.position else _moment_after(match, entry, step, step.rulings, match)


def _end(match: Match, entry: EndMatch) -> Match | Refusal:
    if match.outcome is not None:
        return make_refusal(Reason.OVER)
    said = (make_ruling("ended-early", rule="end-early"),)
    return replace(_moment_after(match, entry, match.position, said, match), is_ended=True)


def _take_back(match: Match, entry: TakeBack) -> Match | Refusal:
    step = match.position
    if not isinstance(step, Step):
        return make_refusal(Reason.NOTHING_BACK)
    if step.answer.seat is not None and step.answer.seat != entry.seat:
        return make_refusal(Reason.NOT_YOURS_BACK, seats=(step.answer.seat,))
    if isinstance(step.answer.value, tuple) or _moved_hidden(match.setup.game, step):
        return make_refusal(Reason.SEEN_BACK)
    said = (make_ruling("taken-back", rule="take-back", seat=entry.seat),)
    return _moment_after(match, entry, step.before, said, match)


def _correct(match: Match, entry: Correct) -> Match | Refusal:
    """Put an answer right, at any depth; what no longer fits after it is set aside."""
    back = _back_from(match.position)
    later = list(takewhile(lambda step: step.heard_at >= entry.heard_at, back))[::-1]
    if not later or later[0].heard_at != entry.heard_at:
        return make_refusal(Reason.NO_SUCH_MOMENT, moment=entry.heard_at)
    if match.reheard + len(later) > MOST_REHEARD:
        return make_refusal(Reason.TOO_MUCH)
    heard = _replay_corrected(match.setup.game, later, entry)
    if isinstance(heard, Refusal):
        return heard
    position, kept = heard
    rulings = _correction(entry, later[0].answer, position, len(later) - kept)
    after = _moment_after(match, entry, position, rulings, _without_steps(match))
    # what ended early stays so, unless the rules have ended it now
    is_ended = match.is_ended and after.decided is None
    return replace(after, reheard=match.reheard + len(later), is_ended=is_ended)


def moments(match: Match) -> Iterator[Match]:
    """Walk back through the moments of a match, taken-back ones too."""
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
    """List where the game stood, from the beginning on, after each answer that stands."""
    return [*(step.before for step in standing_answers(match)), match.position]


def without_answers(position: Position) -> Position:
    return Position(position.state, position.asks, position.rulings, position.outcome)


def _back_from(position: Position) -> Iterator[Step]:
    while isinstance(position, Step):
        yield position
        position = position.before


def step_from(
    game: Game, before: Position, answer: Answer, heard_at: int, beside: tuple[Ask, ...] = ()
) -> Position | Refusal:
    """Judge an answer where a game stands: give the step to which it leads, or its refusal.

    What the table asks beside the game leads nowhere: then it is where the game stood.
    """
    refused = refusal(beside + before.asks, answer)
    if refused is not None and refused.reason in NOT_OFFERED and isinstance(answer.value, Option):
        # the game knows which condition an option fails
        return game.book.why_not(before.state, answer.seat, answer.value) or refused
    if refused is not None:
        return refused
    if ask_named(beside, answer.ask) is not None:
        return before
    heard = game.rules.hear(before.state, answer)
    if isinstance(heard, Refusal):
        return heard
    asks, outcome = game.rules.asks(heard.state), game.rules.outcome(heard.state)
    return Step(heard.state, asks, heard.rulings, outcome, answer, heard_at, before)


def _moment_after(
    match: Match, entry: Entry, position: Position, rulings: tuple[Ruling, ...], before: Match
) -> Match:
    return Match(match.setup, position, rulings, match.number + 1, entry, before, reheard=match.reheard)


def _late_refusal(match: Match, entry: Entry) -> Refusal | None:
    if entry.moment != match.number and not (isinstance(entry, Answer) and _same_window(match, entry)):
        reason = Reason.STALE if entry.moment <= match.number else Reason.FUTURE
        return make_refusal(reason, moment=entry.moment, now=match.number)
    if match.number >= MOST_ENTRIES:
        return make_refusal(Reason.TOO_LONG, most=MOST_ENTRIES)
    return make_refusal(Reason.OVER) if match.is_ended and not isinstance(entry, Correct) else None


def _without_steps(match: Match) -> Match:
    """Let go of the answers that stood before a correction; else each one would keep a line of its own.

    The moments stay, with what was asked and ruled. Those before an earlier correction are without already.
    """
    line = list(takewhile(lambda moment: isinstance(moment.position, Step), moments(match)))
    earlier = line[-1].before if line else match
    for moment in reversed(line):
        earlier = replace(moment, position=without_answers(moment.position), before=earlier)
    return earlier if earlier is not None else match


def _replay_corrected(game: Game, steps: list[Step], entry: Correct) -> tuple[Position, int] | Refusal:
    """Give another value to the first of these answers, then hear the others again while they fit.

    Gives where the game stands then, and how many of the answers stand.
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
    """Describe what a correction changed; new rulings are told again, unless it only says whose a card was."""
    if entry.value is UNSET:
        return (make_ruling("struck", rule="correct", dropped=dropped),)
    named = _owners_named(entry, before)
    if named and not dropped:
        return tuple(make_ruling("was-of", rule="correct", seat=seat, card=card) for card, seat in named)
    key = "corrected" if dropped else "corrected-all"
    return (make_ruling(key, rule="correct", moment=entry.heard_at, dropped=dropped), *position.rulings)


def _owners_named(entry: Correct, before: Answer) -> list[tuple[str, int]]:
    """List the cards whose owner is new, each with its owner's seat; none if the cards themselves changed."""
    if not isinstance(entry.value, tuple) or entry.value != before.value:
        return []
    unknown = (None,) * len(entry.value)
    owners = zip(entry.value, entry.owners or unknown, before.owners or unknown, strict=True)
    return [(card, seat) for card, seat, was in owners if seat is not None and seat != was]


def leaves_way_back(match: Match, answer: Answer) -> bool:
    """Return whether an answer can be put right later: no hidden card moves for it, and the match goes on."""
    after = hear(match, answer)
    return isinstance(after, Match) and after.outcome is None and not _moved_hidden(match.setup.game, after)


def _moved_hidden(game: Game, after: Match | Position) -> bool:
    return any(ruling.key in game.rules.no_way_back for ruling in after.rulings)


def _same_window(match: Match, answer: Answer) -> bool:
    """Accept an answer to an earlier moment if the same window has been open ever since."""
    now = _window(match.asks, answer.ask)
    if now is None or answer.moment > match.number:
        return False
    for moment in moments(match):
        if _window(moment.asks, answer.ask) != now:
            return False
        if moment.number == answer.moment:
            return True
        if not isinstance(moment.entry, Answer | SitDown):
            # what was taken back or corrected may have been another window of the same number
            return False
    return False


def _window(asks: tuple[Ask, ...], key: str) -> int | None:
    ask = ask_named(asks, key)
    return ask.window if isinstance(ask, Choice | Done) else None
