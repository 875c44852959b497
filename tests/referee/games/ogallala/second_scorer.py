"""A second count written from the printed rules alone, on plain text, without the referee's code."""

import re

PRIZES = ["companion", "dynamite", "eagle", "fur", "tobacco", "tent", "keg"]
CHARACTERS = {
    "cannon": "soldier", "bear": "bear-hunter", "bison": "bison-hunter", "wood": "lumberjack",
    "gold": "gold-digger", "horse": "cowboy",
}  # fmt: skip


def points_of_row(cards: list[str], *, any_order: bool = False) -> int:
    """Count the complete canoes of a row: everything from a bow to the next stern without a gap."""
    text = " ".join(card or "_" for card in cards)
    canoes = re.findall(r"(?<!\S)\S*bow(?: (?!_)\S+)*? \S*stern(?!\S)", text)
    return sum(points_of_canoe(canoe.split(), any_order=any_order) for canoe in canoes)


def points_of_canoe(cards: list[str], *, any_order: bool = False) -> int:
    """Multiply instead of adding: booty counts ten, an adjacent pair twice that, a set three times."""
    points = float(len(cards) if len(cards) < 8 else 2 * len(cards))
    for name, character in CHARACTERS.items():
        trio = [f"{name}-left", f"{name}-right", character]
        where = {card: place for place, card in enumerate(cards) if card in trio}
        points += 10 * len(where) * _factor(trio, where, any_order=any_order)
    points += 10 * sum(card in PRIZES for card in cards)
    return round(points)


def _factor(trio: list[str], where: dict[str, int], *, any_order: bool) -> float:
    """Return the average factor for the tens of a set."""
    left, right, character = (where.get(card) for card in trio)
    if left is None or right is None:
        return 1
    in_order = right - left == 1
    if character is not None:
        places = sorted((left, right, character))
        is_block = places[2] - places[0] == 2
        if is_block and (in_order or any_order):
            return 3
    if in_order or (any_order and abs(right - left) == 1):
        # a separate character counts its ten, the pair forty
        return 50 / 30 if character is not None else 2
    return 1
