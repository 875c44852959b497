"""Coup's end: when and how each player left, and the best bluff."""

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from referee.contract.asks import Datum, Ruling
from referee.contract.finish import (
    FinishRules,
    Highlight,
    HighlightCard,
    PlaceReason,
    Story,
    StoryStep,
    make_reason,
)
from referee.games.coup.board import phase_of
from referee.games.coup.hands import CLAIMED, CLAIMS
from referee.games.coup.state import INFLUENCE
from referee.kit.answers import seat_named

DRAWS = frozenset({"swaps", "returns"})  # rulings after which a hand may hold other cards


def reasons(story: Story) -> tuple[PlaceReason, ...]:
    return tuple(
        make_reason(seat_named(ruling), f"out-{_cause(step)}", turn=step.round)
        for step in story
        for ruling in step.rulings
        if ruling.key == "out"
    )


def _cause(step: StoryStep) -> str:
    """Return how the last influence was lost: a caught claim, a wrong challenge, or the action."""
    if any(ruling.key == "disproved" for ruling in step.rulings):
        return "caught"
    phase, deed = phase_of(step.before), step.before.stage.deed
    return {"caught": "caught", "wrong": "challenge"}.get(phase, str(deed.word))


class Bluff(Struct, frozen=True):
    """A false claim of a character never challenged, with the cards its player held then."""

    seat: int
    face: str
    hand: tuple[str, ...]
    heard_at: int


def highlight(story: Story) -> Highlight | None:
    """Return the most frequent bluff, of several the latest; without one, the last challenge."""
    bluffs = tuple(_bluffs(story))
    if not bluffs:
        return _last_challenge(story)
    counts = Counter((each.seat, each.face) for each in bluffs)
    best = max(reversed(bluffs), key=lambda each: counts[each.seat, each.face])
    said = HighlightCard(best.face, key="claimed", is_claimed=True)
    values: dict[str, Datum] = {"seat": best.seat, "face": best.face, "count": counts[best.seat, best.face]}
    turned = tuple(HighlightCard(card, key="turned-up") for card in best.hand)
    return Highlight("bluff", values, best.heard_at, (said, *turned))


def _last_challenge(story: Story) -> Highlight | None:
    for place, step in reversed(tuple(enumerate(story))):
        for ruling in step.rulings:
            if ruling.key == "challenged":
                return _challenge(step, ruling, story[place:])
    return None


def _challenge(step: StoryStep, ruling: Ruling, rest: Story) -> Highlight:
    """Return a challenge with the card that was claimed and, if another one was turned up instead, that one."""
    seat, claimant, face = seat_named(ruling), seat_named(ruling, "claimant"), str(ruling.values["face"])
    later = [each for one in rest for each in one.rulings]
    is_wrong = any(each.key == "proved" for each in later)
    values: dict[str, Datum] = {"turn": step.round, "seat": seat, "claimant": claimant, "face": face}
    if is_wrong:
        return Highlight("challenge-wrong", values, step.heard_at, (HighlightCard(face, claimant),))
    lost = next((str(each.values["card"]) for each in later if each.key == "loses"), "")
    said = HighlightCard(face, key="claimed", is_claimed=True)
    turned = (HighlightCard(lost, key="turned-up"),) if lost else ()
    return Highlight("challenge-right", values, step.heard_at, (said, *turned))


def _bluffs(story: Story) -> Iterator[Bluff]:
    """Yield claims that were certainly false: their player later turned up the whole hand without drawing."""
    shown, rulings = story[-1].after.lost, [ruling for step in story for ruling in step.rulings]
    challenged = {
        (seat_named(each, "claimant"), each.values["face"]) for each in rulings if each.key == "challenged"
    }
    for place, step in enumerate(story):
        for seat, face in _claims(step):
            hand = shown[seat][len(step.before.lost[seat]) :]
            is_known = len(shown[seat]) == INFLUENCE and not _draws_after(story[place:], seat)
            if is_known and face not in hand and (seat, face) not in challenged:
                yield Bluff(seat, face, hand, step.heard_at)


def _claims(step: StoryStep) -> Iterator[tuple[int, str]]:
    for ruling in step.rulings:
        if ruling.key in CLAIMED:
            yield seat_named(ruling), CLAIMS.get(ruling.key) or str(ruling.values["face"])


def _draws_after(rest: Story, seat: int) -> bool:
    return any(ruling.key in DRAWS and seat_named(ruling) == seat for step in rest for ruling in step.rulings)


FINISH = FinishRules(reasons=reasons, highlight=highlight)
