"""A table core that a test drives, with its effects."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from msgspec.structs import replace

from firmware.table import state
from firmware.table.effects import EntryRequest, Reply, TableEffect, Write
from firmware.table.notices import Notice
from referee.contract import Answer, Sense, Value
from referee.match import Entry, Match
from vision.process.messages import EyesOrder, ReadTable, TableRead
from vision.sightings import RunnerUp, Sighting
from vision.table.values import PlacedCard

ZONE_CENTRES = {"centre": (0.0, 0.0), "proof": (-200.0, 0.0), "discard": (200.0, 0.0), "seat 1": (0.0, 250.0)}


def card(  # noqa: PLR0913 - options with their usual values
    face: str | None,
    place: int = 0,
    zone: str = "centre",
    *,
    sure: bool = True,
    possible: bool = True,
    facing: str = "up",
    shift: float = 0.0,
    over_more: bool = False,
) -> PlacedCard:
    x, y = ZONE_CENTRES[zone]
    middle = (x + 30 * place + shift, y)
    box = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    sighting = Sighting(face, sure, 0.9, (RunnerUp("5", 0.5),), box, facing, 1.0, possible=possible)  # type: ignore[arg-type]
    return PlacedCard(replace(sighting, more_below=over_more), middle, box, zone)


def unsure_card(place: int, *guesses: tuple[str, float], chance: float | None = None) -> PlacedCard:
    """Place an uncertain card with these scores of its guesses, and the best one's probability."""
    placed = card(None, place, sure=False)
    others = tuple(RunnerUp(*guess) for guess in guesses)
    return replace(placed, card=replace(placed.card, runners_up=others, chance=chance))


def see_table(*cards: PlacedCard, asked: str = "", reading: int = 1) -> TableRead:
    return TableRead(cards, reading, asked)


Kind = TypeVar("Kind", bound=TableEffect)


class SeatedTable:
    """A seated table; `deeds` are the effects of the last call."""

    def __init__(self, match: Match, number: int | None = 1, now: float = 0.0) -> None:
        self.table: state.TableState = state.at_start(match, number, now)[0]
        self.deeds: tuple[TableEffect, ...] = ()

    @property
    def match(self) -> Match:
        return self.table.match

    def do(self, step: state.TableStep) -> "SeatedTable":
        self.table, self.deeds = step
        return self

    def change(self, how: Callable[..., state.TableStep], now: float) -> "SeatedTable":
        return self.do(how(self.table, 0, now))

    def enter(self, entry: Entry, now: float = 1.0, ticket: int | None = None) -> "SeatedTable":
        return self.do(state.hear_request(self.table, EntryRequest(entry, ticket), now))

    def say(
        self, ask: str, value: Value, seat: int | None = None, now: float = 1.0, sense: Sense = "button"
    ) -> "SeatedTable":
        return self.enter(Answer(self.match.number, ask, value, seat, sense), now)

    def see(self, *there: PlacedCard, asked: str = "", reading: int = 1, now: float = 1.0) -> "SeatedTable":
        return self.hear(see_table(*there, asked=asked, reading=reading), now)

    def hear(self, view: TableRead, now: float = 1.0) -> "SeatedTable":
        return self.do(state.handle_view(self.table, view, now))

    def lay(self, *cards: PlacedCard, reading: int = 1, now: float = 1.0) -> "SeatedTable":
        return self.swap((), cards, reading, now)

    def take(self, *cards: PlacedCard, reading: int = 1, now: float = 1.0) -> "SeatedTable":
        return self.swap(cards, (), reading, now)

    def move(self, before: PlacedCard, after: PlacedCard, reading: int = 1, now: float = 1.0) -> "SeatedTable":
        return self.swap((before,), (after,), reading, now)

    def swap(
        self, taken: Sequence[PlacedCard], laid: Sequence[PlacedCard], reading: int = 1, now: float = 1.0
    ) -> "SeatedTable":
        """Let the eyes report a change: some cards are gone, and others lie there."""
        lying = [each.card for each in self.table.cards or ()]
        for each in taken:
            lying.remove(each)
        return self.hear(TableRead((*lying, *laid), reading, is_change=True), now)

    def keep(self, now: float = 1.0, number: int = 1) -> "SeatedTable":
        return self.do(state.handle_kept(self.table, number, now))

    def fail(self, why: str = "no room", now: float = 1.0) -> "SeatedTable":
        return self.do(state.handle_not_kept(self.table, why, now))

    def wait(self, now: float) -> "SeatedTable":
        return self.do(state.pass_time(self.table, now))

    def the(self, kind: type[Kind]) -> Kind:
        (deed,) = [deed for deed in self.deeds if isinstance(deed, kind)]
        return deed

    @property
    def written(self) -> Entry | None:
        entries = [deed.after.entry for deed in self.deeds if isinstance(deed, Write)]
        return replace(entries[0], at="") if entries and entries[0] is not None else None

    @property
    def answered(self) -> Value | None:
        return self.written.value if isinstance(self.written, Answer) else None

    @property
    def orders(self) -> list[object]:
        return [deed for deed in self.deeds if isinstance(deed, EyesOrder)]

    @property
    def replies(self) -> list[object]:
        return [deed.result for deed in self.deeds if isinstance(deed, Reply)]

    @property
    def notices(self) -> list[Notice]:
        return [deed for deed in self.deeds if isinstance(deed, Notice)]  # type: ignore[misc]


def read_twice(sat: SeatedTable, *there: PlacedCard) -> SeatedTable:
    """Let the eyes read the whole table, and once more on request."""
    asked = f"moment {sat.match.number}"
    sat.see(*there, asked=asked, reading=50)
    return sat.see(*there, asked=asked, reading=50) if ReadTable(asked) in sat.orders else sat
