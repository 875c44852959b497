"""Typed access to the parts of legal answers and to the values of rulings."""

from referee.contract import Answer, Option, Ruling


def option_said(answer: Answer) -> Option:
    if not isinstance(answer.value, Option):
        raise TypeError("an option was asked for")
    return answer.value


def seat_aimed_at(option: Option) -> int:
    if option.seat is None:
        raise ValueError(f"{option.word} has no target")
    return option.seat


def face_aimed_at(option: Option) -> str:
    if option.face is None:
        raise ValueError(f"{option.word} names no card")
    return option.face


def cell_aimed_at(option: Option) -> tuple[int, int]:
    if option.cell is None:
        raise ValueError(f"{option.word} has no cell")
    return option.cell


def number_said(answer: Answer) -> int:
    if not isinstance(answer.value, int):
        raise TypeError("a number was asked for")
    return answer.value


def cards_said(answer: Answer) -> tuple[str, ...]:
    if not isinstance(answer.value, tuple):
        raise TypeError("cards were asked for")
    return answer.value


def who_said(answer: Answer) -> int:
    if answer.seat is None:
        raise ValueError("an answer needs a seat here")
    return answer.seat


def seat_named(ruling: Ruling, key: str = "seat") -> int:
    seat = ruling.values[key]
    if not isinstance(seat, int):
        raise TypeError(f"{key} of {ruling.key} is no seat")
    return seat


def number_named(ruling: Ruling, key: str) -> int:
    number = ruling.values[key]
    if not isinstance(number, int):
        raise TypeError(f"{key} of {ruling.key} is no number")
    return number


def cards_named(ruling: Ruling, key: str = "cards") -> tuple[str, ...]:
    cards = ruling.values[key]
    if isinstance(cards, str):
        return (cards,)
    if not isinstance(cards, tuple):
        raise TypeError(f"{key} of {ruling.key} are no cards")
    return tuple(map(str, cards))
