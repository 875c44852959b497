"""A second scorer of Skull, written from its dossier; it shares no code with the package.

It reads a transcript, and fails at a line out of order.
"""

from collections.abc import Iterable

from tests.plugins.played import Said


def score_skull(said: Iterable[Said], seats: int, heir: str) -> tuple[list[int], list[int]]:
    points, discs, begins = [0] * seats, [4] * seats, 0
    bid = flowers = challenger = 0
    out_of_it, speaker = set[int](), -1
    for each in said:
        if each.ask == "lay":
            bid, flowers, out_of_it, speaker = 0, 0, {seat for seat in range(seats) if not discs[seat]}, -1
        elif each.ask in {"add", "bid", "pass"}:
            following = [(speaker + step) % seats for step in range(1, seats + 1)]
            due = begins if speaker < 0 else next(seat for seat in following if seat not in out_of_it)
            assert each.seat == due, "it is another's turn"
            speaker = each.seat
            if isinstance(each.value, int):
                assert each.value > bid, "a bid has to be higher"
                bid, challenger = each.value, each.seat
            out_of_it |= {each.seat} if each.ask == "pass" else set()
        elif isinstance(each.value, tuple):
            flowers += each.value.count("flower")
            assert flowers <= bid
            if "skull" not in each.value and flowers == bid:
                points[challenger] += 1
                begins = challenger
        elif each.ask == "lose":
            discs[challenger] -= 1
            left = next(s % seats for s in range(challenger + 1, challenger + seats + 1) if discs[s % seats])
            gone = left if heir == "left" or each.seat == challenger else each.seat
            begins = challenger if discs[challenger] else gone
    return points, discs
