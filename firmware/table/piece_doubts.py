"""Where eyes and record differ about pieces, such as coins: what is told, and when; pure.

A difference has to stay, and be seen again, before people are asked: hands may still be moving what a ruling
moved. It is told once. Pieces that were never laid out on this table are never missed.
"""

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from firmware.table.cards import zone_name
from firmware.table.notices import Notice
from hardware.board.board import Trouble
from referee.contract import PieceCount
from referee.match import Match
from vision.table.zones import ZoneCount

Sight = tuple[str, str, int]  # a kind, a zone, and how many were seen there
STAYS = 10.0  # seconds for which a difference has to stay before the eyes look once more


class PieceDifference(Struct, frozen=True):
    """What should lie in a part of the table by the record, and how many pieces are seen: since when."""

    due: PieceCount
    seen: int
    since: float = 0.0
    is_checked: bool = False  # whether the eyes were asked to look again
    is_told: bool = False

    @property
    def sight(self) -> Sight:
        return self.due.piece, zone_name(self.due.zone), self.seen


class PieceDoubts(Struct, frozen=True):
    """What is known of the pieces on the table of a match."""

    begun: str = ""
    counts: tuple[ZoneCount, ...] = ()
    used: frozenset[str] = frozenset()  # kinds of which a piece was seen on the table since then
    standing: tuple[PieceDifference, ...] = ()
    dismissed: frozenset[Sight] = frozenset()
    """What was seen when the host said that the record is right: it is asked about no more while it is seen."""

    @property
    def told(self) -> tuple[PieceDifference, ...]:
        return tuple(each for each in self.standing if each.is_told)


class NoteTrouble(Struct, frozen=True):
    """Report what is wrong for a while, by a name; or that it is well again."""

    name: object
    wrong: Notice | Trouble | None
    is_news: bool = True  # whether it is said aloud: what was said already may only be worded anew


def find_differences(
    match: Match, counts: tuple[ZoneCount, ...], used: frozenset[str]
) -> Iterator[PieceDifference]:
    """Compare what the eyes have counted with what should lie there; only what is certain counts."""
    # the table asks at every turn of its loop, and most tables have no pieces that are seen
    if not used:
        return
    game = match.setup.game
    seen: Mapping[tuple[str, str], ZoneCount] = {(each.piece, each.zone): each for each in counts}
    for due in game.table.pieces_lying(game.shown.view(match.state, None)):
        count = seen.get((due.piece, zone_name(due.zone)))
        if count is None or due.piece not in used:
            continue
        is_fewer = count.count < due.count and count.is_sure and not due.is_stock
        if is_fewer or count.count > due.count:
            yield PieceDifference(due, count.count)


def doubts_in(doubts: PieceDoubts, match: Match, now: float) -> PieceDoubts:
    """Bring the doubts up to date with a moment; those of another match are forgotten."""
    if doubts.begun != match.setup.begun:
        doubts = PieceDoubts(match.setup.begun, doubts.counts, _kinds_seen(doubts.counts))
    found = () if match.outcome is not None else find_differences(match, doubts.counts, doubts.used)
    before = {each.sight: each for each in doubts.standing}
    standing = (_standing(each, before.get(each.sight), now) for each in found)
    return replace(doubts, standing=tuple(each for each in standing if each.sight not in doubts.dismissed))


def _standing(differs: PieceDifference, before: PieceDifference | None, now: float) -> PieceDifference:
    """Go on with a difference; one that was told stays so while the same is seen, whatever the record says."""
    if before is None or (before.due != differs.due and not before.is_told):
        return replace(differs, since=now)
    return replace(before, due=differs.due)


def with_counts(doubts: PieceDoubts, counts: tuple[ZoneCount, ...]) -> PieceDoubts:
    dismissed = doubts.dismissed & {(each.piece, each.zone, each.count) for each in counts}
    return replace(doubts, counts=counts, used=doubts.used | _kinds_seen(counts), dismissed=dismissed)


def _kinds_seen(counts: tuple[ZoneCount, ...]) -> frozenset[str]:
    return frozenset(each.piece for each in counts if each.count)


def difference_notice(differs: PieceDifference) -> Notice:
    due = differs.due
    values: dict[str, float | str] = {"piece": due.piece, "seen": differs.seen, "due": due.count}
    if due.zone.seat is not None:
        values["seat"] = due.zone.seat
        return Notice("pieces missing" if differs.seen < due.count else "pieces too many", values)
    return Notice("pieces of the stock", values)
