"""The parts of a legal answer, and the seat that a ruling names."""

from referee.contract import Answer, Option, Ruling


def option_said(answer: Answer) -> Option:
    """Give the option that was chosen."""
    if not isinstance(answer.value, Option):
        raise TypeError("an option was asked for")
    return answer.value


def seat_aimed_at(option: Option) -> int:
    """Give the seat that an option is aimed at."""
    if option.seat is None:
        raise ValueError(f"{option.word} has no target")
    return option.seat


def face_aimed_at(option: Option) -> str:
    """Give the card that an option is about."""
    if option.face is None:
        raise ValueError(f"{option.word} names no card")
    return option.face


def cell_aimed_at(option: Option) -> tuple[int, int]:
    """Give the cell that an option is about."""
    if option.cell is None:
        raise ValueError(f"{option.word} has no cell")
    return option.cell


def number_said(answer: Answer) -> int:
    """Give the number that was said."""
    if not isinstance(answer.value, int):
        raise TypeError("a number was asked for")
    return answer.value


def cards_said(answer: Answer) -> tuple[str, ...]:
    """Give the cards that were shown."""
    if not isinstance(answer.value, tuple):
        raise TypeError("cards were asked for")
    return answer.value


def who_said(answer: Answer) -> int:
    """Give the seat that spoke."""
    if answer.seat is None:
        raise ValueError("an answer needs a seat here")
    return answer.seat


def seat_named(ruling: Ruling, key: str = "seat") -> int:
    """Give the seat that a ruling names."""
    seat = ruling.values[key]
    if not isinstance(seat, int):
        raise TypeError(f"{key} of {ruling.key} is no seat")
    return seat


def number_named(ruling: Ruling, key: str) -> int:
    """Give a number that a ruling names."""
    number = ruling.values[key]
    if not isinstance(number, int):
        raise TypeError(f"{key} of {ruling.key} is no number")
    return number


def cards_named(ruling: Ruling, key: str = "cards") -> tuple[str, ...]:
    """Give the cards that a ruling names, or the one."""
    cards = ruling.values[key]
    if isinstance(cards, str):
        return (cards,)
    if not isinstance(cards, tuple):
        raise TypeError(f"{key} of {ruling.key} are no cards")
    return tuple(map(str, cards))
