"""Coup d'État's end: the boldest coup, or the dearest contract, with its cards and who took them."""

from collections.abc import Iterator

from msgspec import Struct

from referee.contract.asks import Datum, Ruling
from referee.contract.finish import FinishRules, Highlight, HighlightCard, Story, StoryStep
from referee.games.coup_d_etat.board import wanted_cards
from referee.games.coup_d_etat.state import CONTRACTS, COUP, Contract
from referee.kit.answers import number_named, seat_named

CHOICES: dict[str, Contract] = {
    f"{contract}-{side}": contract for contract in CONTRACTS for side in ("president", "coup")
}
"""Rulings by which a contract begins."""
COUPS = ("coup-failed", "secret-coup", "coup-won")
"""Rulings that end a coup, the most memorable last."""


class Played(Struct, frozen=True):
    """A contract with all rulings from its choice until the next one."""

    contract: Contract
    steps: tuple[tuple[StoryStep, Ruling], ...]

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        return tuple(ruling for _step, ruling in self.steps)

    @property
    def end(self) -> tuple[StoryStep, Ruling] | None:
        """Return the ruling that ends a coup; None for another contract."""
        return next((each for each in self.steps if each[1].key in COUPS), None)

    @property
    def boldness(self) -> tuple[int, int]:
        key = self.end[1].key if self.end else ""
        return (COUPS.index(key), CONTRACTS[self.contract].reward) if key else (-1, self.earned)

    @property
    def earned(self) -> int:
        """Return the money paid between players."""
        return sum(number_named(ruling, "amount") for ruling in self.rulings if ruling.key == "pays")


def highlight(story: Story) -> Highlight | None:
    """Return the coup with the highest reward, a failed one if none was won; of several, the latest.

    Without any coup, it is the contract that brought its President the most money.
    """
    played = tuple(_contracts(story))
    best = max(reversed(played), key=lambda each: each.boldness, default=None)
    return None if best is None else _coup(best, *best.end) if best.end else _contract(best)


def _contracts(story: Story) -> Iterator[Played]:
    found = [(step, ruling) for step in story for ruling in step.rulings]
    starts = [place for place, (_step, ruling) in enumerate(found) if ruling.key in CHOICES]
    for start, end in zip(starts, (*starts[1:], len(found)), strict=True):
        yield Played(CHOICES[found[start][1].key], tuple(found[start:end]))


def _coup(played: Played, step: StoryStep, end: Ruling) -> Highlight:
    face = played.contract if end.key == "secret-coup" else f"coup-{played.contract}"
    values: dict[str, Datum] = {"round": step.round, "seat": seat_named(end), "contract": face}
    return Highlight(end.key, values, step.heard_at, _cards(played) or (HighlightCard(COUP, seat_named(end)),))


def _contract(played: Played) -> Highlight | None:
    pays = [(step, ruling) for step, ruling in played.steps if ruling.key == "pays"]
    if not pays:
        return None
    step, last = pays[-1]
    values: dict[str, Datum] = {
        "round": played.steps[0][0].round,
        "seat": seat_named(last, "payee"),
        "contract": played.contract,
        "amount": played.earned,
    }
    return Highlight("contract", values, step.heard_at, _cards(played))


def _cards(played: Played) -> tuple[HighlightCard, ...]:
    return tuple(HighlightCard(card, taker) for card, taker in wanted_cards(played.contract, played.rulings))


FINISH = FinishRules(highlight=highlight)
