"""The table in a terminal: a voice that prints what is asked, and a sense that reads what is typed."""

from collections.abc import Iterable

from firmware.language.speaking import LANGUAGE, _
from referee.contract import Answer, Ask, Choice, Done, Number, Option, Show, Value
from referee.contract.cards import Deck, face_named
from referee.match import Correct, Entry, Match, TakeBack, standing_answers
from referee.telling import Listener, tell, tell_ask, tell_count, tell_option, tell_player, tell_value

HELP = _("""\
Type what is asked for: a number, a word of the list, or cards with spaces between them.
  20 max- 15       cards; Ana=20 Bo=max- says whose each was, and so the odds can be told exactly
  Bo coyote        a name first, where more than one may answer
  back             take the last answer back (not once cards have been shown)
  log              the answers so far, numbered
  correct 7 15 2   the host puts answer 7 right; correct 7 alone drops it and all after it
  score            how everybody stands
  quit             leave; the match is kept, and goes on when it is played again""")


COMMANDS = {"back", "correct", "help", "log", "no", "quit", "score", "yes"}
"""Words that mean something else than an answer."""


class MisreadError(Exception):
    """What was typed can't be understood; the text says why."""


def listener_of(match: Match) -> Listener:
    """Give whoever follows a match at this terminal."""
    return Listener(match.setup.game.words, match.setup.names, LANGUAGE)


def tell_moment(listener: Listener, match: Match) -> list[str]:
    """Tell what the last entry led to, and what can be said about a round that was just shown."""
    before = match.before
    insight = match.setup.game.insight(match.state)
    fresh = insight if before is None or insight != match.setup.game.insight(before.state) else ()
    return [tell(listener, ruling) for ruling in (*match.rulings, *fresh)]


def tell_asks(listener: Listener, match: Match) -> list[str]:
    """Tell what is asked, and what may be typed."""
    lines = []
    for ask in match.asks:
        lines.append(tell_ask(listener, ask))
        if isinstance(ask, Choice):
            lines.extend(_option_lines(listener, ask))
    return lines


def _option_lines(listener: Listener, ask: Choice) -> list[str]:
    """List the options, each with the words to type; those that name a card stand in one line."""
    rows = [
        (_option_words(listener, option), tell_option(listener, option))
        for option in ask.options
        if not option.face
    ]
    for word in dict.fromkeys(option.word for option in ask.options if option.face):
        faces = [option.face for option in ask.options if option.word == word and option.face]
        rows.append((f"{word} " + _("CARD"), " ".join(faces)))
    width = max(len(words) for words, _text in rows)
    return [f"  {words.ljust(width)}  {text}".rstrip() for words, text in rows]


def _option_words(listener: Listener, option: Option) -> str:
    aim = "" if option.seat is None else f" {tell_player(listener, option.seat)}"
    return option.word + aim


def standings(listener: Listener, match: Match) -> list[str]:
    """Tell how everybody stands."""
    rows = []
    for standing in match.setup.game.standings(match.state):
        counts = ", ".join(tell_count(listener, key, count) for key, count in standing.counts.items())
        out = _(" (out)") if standing.out else ""
        rows.append(f"{standing.place}. {listener.names[standing.seat]}: {counts}{out}")
    return rows


def answers(listener: Listener, match: Match) -> list[str]:
    """List the answers that stand, each with its number."""
    return [f"{step.heard_at:4}  {answer_text(listener, step.answer)}" for step in standing_answers(match)]


def answer_text(listener: Listener, answer: Answer) -> str:
    """Put an answer into words."""
    who = "" if answer.seat is None else f"{listener.names[answer.seat]}: "
    return who + tell_value(listener, answer.value)


def parse_entry(listener: Listener, match: Match, text: str) -> Entry:
    """Make an entry of what was typed."""
    first, _space, rest = text.partition(" ")
    if text.casefold() == "back":
        step = match.position.step
        return TakeBack(match.number, None if step is None else step.answer.seat)
    if first.casefold() == "correct":
        return _correction(listener, match, rest.split(maxsplit=1))
    if any(isinstance(ask, Show) for ask in match.asks):
        return _answer(listener, match, text, None)
    seat, words = _split_name(listener, text)
    # "Bo opens" is an option's name, not something that Bo says
    return _find_choice(listener, match, text) or _answer(listener, match, words, seat)


def _find_choice(listener: Listener, match: Match, text: str) -> Answer | None:
    """Find the option that the whole of a text means."""
    fitting = _fitting(listener, match, text, [ask for ask in match.asks if isinstance(ask, Choice)])
    if not fitting:
        return None
    ask, value, who = _find_speaker(fitting, None)
    return Answer(match.number, ask.key, value, who)


def _correction(listener: Listener, match: Match, words: list[str]) -> Correct:
    steps = {str(step.heard_at): step for step in standing_answers(match)}
    step = steps.get(words[0]) if words else None
    if step is None:
        raise MisreadError(_("Say which answer to correct by its number; log lists them."))
    if len(words) == 1:
        return Correct(match.number, step.heard_at)
    ask = next(ask for ask in step.before.asks if ask.key == step.answer.ask)
    value = _value(listener, match, ask, words[1])
    if value is None:
        raise MisreadError(
            _("That is no answer to what was asked then: {ask}").format(ask=tell_ask(listener, ask))
        )
    owners = _owners(listener, words[1]) if isinstance(ask, Show) else ()
    return Correct(match.number, step.heard_at, value, owners)


def _split_name(listener: Listener, text: str) -> tuple[int | None, str]:
    """Take a player's name off the front; of two names that fit, the longer one is meant."""
    for seat, name in sorted(enumerate(listener.names), key=lambda seated: -len(seated[1])):
        if text.casefold() == name.casefold():
            break
        rest = text[len(name) :]
        if text.casefold().startswith(name.casefold()) and rest[:1] in {" ", ":"}:
            return seat, rest.lstrip(": ")
    return None, text


def _answer(listener: Listener, match: Match, text: str, seat: int | None) -> Answer:
    """Find the ask that this can be an answer to."""
    fitting = _fitting(listener, match, text, match.asks)
    if not fitting:
        raise MisreadError(
            _("That isn't understood. {asked} (help says more)").format(
                asked=" / ".join(_asks(listener, match))
            )
        )
    ask, value, who = _find_speaker(fitting, seat)
    owners = _owners(listener, text) if isinstance(ask, Show) else ()
    return Answer(match.number, ask.key, value, who, owners=owners)


Fitting = list[tuple[Ask, Value]]
"""Asks that a text can be an answer to, each with what the text then says."""


def _fitting(listener: Listener, match: Match, text: str, asks: Iterable[Ask]) -> Fitting:
    values = [(ask, _value(listener, match, ask, text)) for ask in asks]
    return [
        (ask, value) for ask, value in values if value is not None or (isinstance(ask, Done) and text == "done")
    ]


def _find_speaker(fitting: Fitting, seat: int | None) -> tuple[Ask, Value, int | None]:
    """Say who answers, and which ask: the one named, or the only one who can."""
    seats = {one for ask, _value in fitting for one in ask.seats}
    if seat is None and len(seats) > 1:
        raise MisreadError(_("Who says it? Put the name first."))
    who = seats.pop() if seat is None and seats else seat
    own = [(ask, value) for ask, value in fitting if who in ask.seats]
    ask, value = (own or fitting)[0]
    return ask, value, who


def _value(listener: Listener, played: Match, ask: Ask, text: str) -> Value:
    """Read a value of the kind that is asked for, or None."""
    match ask:
        case Number():
            return int(text) if _is_number(text) else None
        case Choice():
            deck = played.setup.game.deck(played.setup.house)
            return next((option for option in ask.options if _means(listener, ask, option, text, deck)), None)
        case Show():
            return tuple(face_named(ask.deck, card) for _owner, card in _split_cards(listener, text))
        case Done():
            return None


def _split_cards(listener: Listener, text: str) -> list[tuple[int | None, str]]:
    """Take cards apart, each with its owner where a name and "=" stand before it; a name may have spaces."""
    cards: list[tuple[int | None, str]] = []
    rest = " ".join(text.replace(",", " ").replace(" =", "=").replace("= ", "=").split())
    names = sorted(enumerate(listener.names), key=lambda seated: -len(seated[1]))
    while rest:
        fits = ((seat, name) for seat, name in names if rest.casefold().startswith(f"{name.casefold()}="))
        seat, name = next(fits, (None, ""))
        card, _space, rest = rest[len(name) + 1 if name else 0 :].partition(" ")
        cards.append((seat, card))
    return cards


def _is_number(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdecimal() and len(digits) <= _LONGEST


def _means(listener: Listener, ask: Choice, option: Option, text: str, deck: Deck) -> bool:
    """Tell whether somebody means an option: by its words, by its name, or by whom it is aimed at alone."""
    first, _space, rest = text.partition(" ")
    if option.face is not None:
        return first.casefold() == option.word and face_named(deck, rest) == option.face
    aim = None if option.seat is None else tell_player(listener, option.seat)
    meant = {tell_option(listener, option), f"{option.word} {aim}" if aim else option.word}
    if aim and len({other.word for other in ask.options}) == 1:
        meant.add(aim)
    return _plain_words(text) in {_plain_words(words) for words in meant}


def _plain_words(text: str) -> str:
    """Leave out what doesn't matter: case, spaces, the mark after a shout."""
    return " ".join(text.replace("!", " ").split()).casefold()


def _owners(listener: Listener, text: str) -> tuple[int, ...]:
    """Read whose each card was, where somebody says so."""
    laid = _split_cards(listener, text)
    owners = tuple(seat for seat, _card in laid if seat is not None)
    if "=" in text and len(owners) < len(laid):
        raise MisreadError(
            _("Say whose each card was, or of none: {names}").format(names=", ".join(listener.names))
        )
    return owners


def _asks(listener: Listener, match: Match) -> list[str]:
    return [tell_ask(listener, ask) for ask in match.asks]


_LONGEST = 9
"""Digits that anybody would type for a number."""
