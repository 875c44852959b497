"""Sentences for rulings, asks and refusals, in the listener's language."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from string import Formatter
from typing import Any, NamedTuple, Protocol
from unicodedata import bidirectional

from msgspec import Struct
from msgspec.structs import asdict, replace

from referee.contract import Aside, Effect, Highlight, PlaceReason, Question, Rate, Remark, Reveal, Verdict
from referee.contract.asks import Ending, Option, Reason, Refusal, Ruling, Value
from referee.contract.board import CardRow, Headline, Situation, Track
from referee.contract.facts import Fact, Weight
from referee.contract.words import Phrase, Text, Wording, Words, phrase, plural, wording_of
from referee.match import Setup
from referee.seatings import Seatings


class Language(Hashable, Protocol):
    """A language in the form of gettext translations."""

    def gettext(self, message: str) -> str:
        """Return the translation of a sentence."""

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the translation of a sentence with a plural."""


class Listener(Struct, frozen=True):
    """The listener: the words of their game, the names at their table, their language."""

    words: Words
    names: tuple[str, ...]
    language: Language
    actors: tuple[str, ...] = ()
    """The person behind each seat's described action; empty if no seat has changed hands."""
    people: tuple[str, ...] = ()
    """Everyone who sat at each seat in the match; empty if no seat has changed hands."""

    def is_actor(self, seat: int) -> bool:
        """Return whether the described action of a seat was by the person seated now."""
        return not self.actors or self.actors[seat] == self.names[seat]


def listener_at(setup: Setup, language: Language) -> Listener:
    return Listener(setup.game.words, setup.names, language)


def is_any_long(names: Iterable[str]) -> bool:
    """Return whether any name is too long for a short question."""
    return any(len(name) > MAX_SHORT_NAME_LETTERS for name in names)


def listener_when(setup: Setup, seatings: Seatings, heard_at: int, language: Language) -> Listener:
    """Return the listener for rulings on an answer, with the people who sat and acted then."""
    names, actors = seatings.names_at(heard_at), seatings.actors(heard_at)
    if not seatings.has_changes:
        return Listener(setup.game.words, names, language)
    return Listener(setup.game.words, names, language, actors, seatings.people)


class FactView(Struct, frozen=True):
    """A fact with its label and text."""

    fact: Fact
    label: str
    text: str

    @property
    def weight(self) -> Weight:
        return self.fact.weight


class EndingView(Struct, frozen=True):
    """A possible outcome of an option, shown before the choice."""

    when: str
    then: str
    is_good: bool | None


class HeadlineView(NamedTuple):
    """A headline as text, with captions above and below it."""

    above: str
    figure: str
    below: str


RULINGS: Mapping[str, Text] = {
    "taken-back": "The last answer is taken back.",
    "corrected": "The record is corrected; {dropped} later [answer|answers] no longer [fits|fit] and [is|are]"
    " set aside.",
    "corrected-all": "The record is corrected.",
    "sat-down": "{name} plays on for {before}.",
    "ended-early": "The host has ended the match: nobody wins it.",
    "was-of": "{seat:player} says: {card:face} was mine.",
    "struck": "The last [answer is|{dropped} answers are] struck from the record.",
}

TABLE_ASKS: Mapping[str, Text] = {
    "which-way": "What [{seats:players}|you] laid can mean several things. Which was it?"
}

MAX_SHORT_NAME_LETTERS = 12  # letters of a name in a question that has to be short

REFUSALS: Mapping[str, Text] = {
    Reason.STALE: "That answers an earlier question; look again at what is asked now.",
    Reason.FUTURE: "That answers a question that hasn't been asked yet: this is moment {now}.",
    Reason.OVER: "The match is over.",
    Reason.NOT_ASKED: "That isn't asked now.",
    Reason.NOT_YOU: "It is {seats:players}'s turn.",
    Reason.WRONG_KIND: "That is no answer to this: {wanted:kind}.",
    Reason.TOO_LOW: "{number} is too low: say {least} or more.",
    Reason.TOO_HIGH: "{number} is too high: say {most} or less.",
    Reason.BARRED: "{number} was refused: say another number.",
    Reason.NO_SUCH_OPTION: "“{word:option}” can't be chosen now. Possible: {words:options}.",
    Reason.OTHER_PLAYER: "“{word:option}” is only possible with {seats:players} now.",
    Reason.OTHER_CARD: "“{word:option}” is only possible with {cards:faces} now.",
    Reason.OTHER_PLACE: "“{word:option}” isn't possible there; look at the places that are offered.",
    Reason.CARD_COUNT: "{wanted} [card|cards] should lie there, not {shown}.",
    Reason.UNKNOWN_CARD: "The deck {deck} has no card “{card}”.",
    Reason.MORE_THAN_DECK: "{shown} times {card:face}? The deck has {have}.",
    Reason.ALREADY_SEEN: "{card:face} can't lie here: it has been seen elsewhere (discards or open cards).",
    Reason.CARD_BARRED: "{card:face} may not be laid here now.",
    Reason.OUT_OF_TURN: "That card was laid out of turn: take it back. It is {seats:players}'s turn.",
    Reason.CARD_MISSING: "{card:face} lay open already and is missing here.",
    Reason.OWNERS: "{named} owners are named for {shown} cards: name one for each card, or none.",
    Reason.NAME: "Every player needs a name of 1 to {most} letters that no other has, not “{name}”.",
    Reason.SEATS: "{least} to {most} can play this, not {seats}.",
    Reason.NO_SUCH_RULE: "There is no house rule “{rule}”. There are: {rules:words}.",
    Reason.RULE_VALUE: "{rule} can't be “{value}”. Possible values: {takes:words}.",
    Reason.NOTHING_BACK: "There is nothing to take back.",
    Reason.NOT_YOURS_BACK: "Only {seats:players} can take that back.",
    Reason.SEEN_BACK: "Cards have been revealed since: only the host can correct that.",
    Reason.NO_SUCH_MOMENT: "There is no accepted answer at moment {moment}.",
    Reason.TOO_LONG: "This match has reached its limit of {most} entries: start another.",
    Reason.TOO_MUCH: "This match has had too many early corrections: start another.",
}

KINDS: Mapping[str, Phrase] = {
    "number": phrase("a number is asked for"),
    "choice": phrase("a choice is asked for"),
    "cards": phrase("cards are asked for"),
    "done": phrase("only “done” is asked for"),
}

CELL = phrase("column {column}, row {row}")

TOGETHER = phrase("{others} and {last}")
"""The last two of several names."""

LABELLED = phrase("{label}: {told}")
"""A label and its text; some languages put a space before the colon."""

ROUNDS = plural("{count} round", "{count} rounds", "count")

GIVEN = plural("Lay this card face down", "Lay these {count} cards face down", "count")

SHOW_IT = phrase("Show {card:definite}. It counts once the camera or another player has seen it.")
SEEN_IT = phrase("I saw {card:definite}")

ELIDED = phrase("no words")
"""Words that drop their last letter before a vowel, such as French “de”; “no words” stands for none."""
VOWELS = frozenset("aàâäæeéèêëiîïoôöœuùûü")

MONEY_SIGNS = str.maketrans({",": "\N{NARROW NO-BREAK SPACE}", "-": "\N{MINUS SIGN}"})
DECIMALS = phrase("{whole}.{part}")
"""A number with decimals; languages use a point or a comma."""


def ruling_text(listener: Listener, ruling: Ruling) -> str:
    words = listener.words.rulings.get(ruling.key) or RULINGS[ruling.key]
    return _say(listener, words, ruling.values)


def ended_early_text(listener: Listener) -> str:
    return _say(listener, RULINGS["ended-early"], {})


def refusal_text(listener: Listener, refusal: Refusal) -> str:
    """Return a refusal's sentence, in the game's own words if it has any for this reason."""
    why = str(refusal.values.get("why", refusal.reason))
    words = listener.words.refusals.get(why) or REFUSALS[refusal.reason]
    return _say(listener, words, refusal.values)


def question_text(listener: Listener, question: Question, reader: int | None = None) -> str:
    """Return a question in full, with its subject; the reader is "you"."""
    about = "" if question.about is None else f"{situation_text(listener, question.about, reader)} "
    return about + bare_question_text(listener, question, reader)


def bare_question_text(listener: Listener, question: Question, reader: int | None = None) -> str:
    """Return a question without its subject."""
    return _say(listener, _wording(listener, question), question.values, reader)


def question_texts(
    listener: Listener, questions: tuple[Question, ...], reader: int | None = None
) -> tuple[str, ...]:
    """Return all questions: the first in full, the others as alternatives."""
    if not questions:
        return ()
    first, *others = questions
    later = (_later_text(listener, question, first, reader) for question in others)
    return (question_text(listener, first, reader), *later)


def _later_text(listener: Listener, question: Question, first: Question, reader: int | None) -> str:
    also = _wording(listener, question).also
    if also is not None and reader not in question.seats:
        return _say(listener, also, question.values)
    text_of = bare_question_text if question.about == first.about else question_text
    return text_of(listener, question, reader)


def _wording(listener: Listener, question: Question) -> Wording:
    words = listener.words.asks.get(question.key)
    return wording_of(TABLE_ASKS[question.key] if words is None else words)


def short_name(name: str) -> str:
    most = MAX_SHORT_NAME_LETTERS
    return name if len(name) <= most else f"{name[: most - 1].rstrip()}…"


def situation_text(listener: Listener, situation: Situation, reader: int | None = None) -> str:
    return _say(listener, listener.words.situations[situation.key], situation.values, reader)


def verdict_text(listener: Listener, verdict: Verdict, reader: int | None = None) -> str:
    own = listener.words.verdicts.get(verdict.key) or listener.words.rulings[verdict.key]
    return _say(listener, own, verdict.values, reader)


class RevealView(NamedTuple):
    """A scene's heading; `struck` is the part that turned out false."""

    before: str
    struck: str
    after: str


def reveal_view(listener: Listener, reveal: Reveal, reader: int | None = None) -> RevealView:
    text = _say(listener, listener.words.reveals[reveal.key], reveal.values, reader)
    before, _bracket, rest = text.rpartition("⟦")
    struck, _bracket, after = rest.partition("⟧") if before else ("", "", rest)
    return RevealView(before, struck, after)


def aside_text(listener: Listener, aside: Aside) -> str:
    return _say(listener, listener.words.asides[aside.key], aside.values)


def instruction_text(listener: Listener, ruling: Ruling) -> str:
    """Return the instruction about cards for the seat named in a ruling; empty if there is none."""
    words = listener.words.instructions.get(ruling.key)
    return "" if words is None else _say(listener, words, ruling.values)


def fact_view(listener: Listener, fact: Fact) -> FactView:
    label, values = listener.words.facts[fact.key], {name: each.value for name, each in fact.values.items()}
    return FactView(fact, _say(listener, label.name, values), _say(listener, label.value, values))


def headline_view(listener: Listener, headline: Headline) -> HeadlineView:
    words = listener.words.headlines[headline.key]
    parts = (words.above, words.figure, words.below)
    return HeadlineView(*(_say(listener, part, headline.values) if part else "" for part in parts))


def track_text(listener: Listener, track: Track) -> str:
    return listener.language.gettext(listener.words.tracks[track.key])


def card_row_text(listener: Listener, row: CardRow) -> str:
    return listener.language.gettext(listener.words.cards[row.key])


def option_text(listener: Listener, option: Option) -> str:
    own = f"{option.word}-own" if option.seat is None else ""
    words = listener.words.options.get(own) or listener.words.options[option.word]
    return _say(listener, words, asdict(option))


def option_word_text(listener: Listener, word: str) -> str:
    """Return the typed command of an option."""
    return listener.language.gettext(listener.words.typed.get(word, word))


def short_option_text(listener: Listener, option: Option) -> str:
    """Return an option's short name for display next to its effect, or its full name."""
    words = listener.words.short.get(option.word)
    return option_text(listener, option) if words is None else _say(listener, words, asdict(option))


def effect_text(listener: Listener, effect: Effect) -> str:
    return _say(listener, listener.words.effects[effect.key], effect.values)


def ending_view(listener: Listener, ending: Ending, reader: int | None) -> EndingView:
    words = listener.words.endings[ending.key]
    when, then = (_say(listener, text, ending.values, reader) for text in (words.name, words.value))
    return EndingView(when, then, ending.is_good)


def remark_text(listener: Listener, remark: Remark) -> str:
    return _say(listener, listener.words.remarks[remark.key], remark.values)


def place_text(listener: Listener, reason: PlaceReason) -> str:
    return _say(listener, listener.words.places[reason.key], reason.values)


def highlight_texts(listener: Listener, highlight: Highlight) -> tuple[str, str]:
    """Return the heading and the sentence of a match's best moment."""
    label = listener.words.highlights[highlight.key]
    return _say(listener, label.name, highlight.values), _say(listener, label.value, highlight.values)


def caption_text(listener: Listener, key: str) -> str:
    return listener.language.gettext(listener.words.captions[key])


def length_text(listener: Listener, rounds: int) -> str:
    """Return the length of a match in rounds, or in the game's own word for them."""
    return _say(listener, listener.words.length or ROUNDS, {"count": rounds})


def round_text(language: Language, words: Words, number: int) -> str:
    """Return the name of a round in the game's own word."""
    return phrase_text(language, words.numbered, {"number": number})


def hint_text(listener: Listener, ask: str) -> str:
    """Return a newcomer's hint for an ask; empty if the game has none."""
    words = listener.words.hints.get(ask)
    return "" if words is None else listener.language.gettext(words)


def card_answer_text(listener: Listener, ask: str, face: str) -> str:
    """Return the confirm-button text for a card; empty if the game has none."""
    words = listener.words.answers.get(ask)
    return "" if words is None else _say(listener, words, {"card": face})


def given_text(listener: Listener, ask: str, count: int) -> str:
    """Return the text of the button that gives away chosen cards unseen."""
    return _say(listener, listener.words.answers.get(ask, GIVEN), {"count": count})


def proof_texts(listener: Listener, face: str) -> tuple[str, str]:
    """Return the instruction to show the card of a claim, and the text of the button that confirms it."""
    return _say(listener, SHOW_IT, {"card": face}), _say(listener, SEEN_IT, {"card": face})


def face_effect_text(listener: Listener, face: str) -> str:
    """Return the effect of playing a card, in one short line; empty if the game describes none."""
    words = listener.words.face_effects.get(face)
    return "" if words is None else listener.language.gettext(words)


def suit_text(listener: Listener, suit: str) -> str:
    return _face_text(listener, listener.words.suits, suit)


def cell_text(listener: Listener, option: Option) -> str:
    """Return an option's label for its cell; empty if the card suffices."""
    words = listener.words.cells.get(option.word)
    return "" if words is None else listener.language.gettext(words)


def rule_value_text(listener: Listener, rule: str, value: str) -> str:
    words = listener.words
    known = words.values.get(f"{rule}.{value}") or words.options.get(value)
    return words.editions.get(value, value) if known is None else _say(listener, known, {})


def value_text(listener: Listener, value: Value) -> str:
    match value:
        case int():
            return str(value)
        case Option():
            return option_text(listener, value)
        case tuple():
            return _faces(listener, value)
        case None:
            return listener.language.gettext("done")


def face_name(listener: Listener, face: str) -> str:
    """Return the name of a face, or the number on it."""
    named = listener.words.faces.get(face)
    return listener.language.gettext(named) if named else face.replace("-", "\N{MINUS SIGN}")


def _face_text(listener: Listener, texts: Mapping[str, str], face: str) -> str:
    """Return a face's text, or else its name."""
    words = texts.get(face)
    return face_name(listener, face) if words is None else listener.language.gettext(words)


def count_text(listener: Listener, key: str, count: int) -> str:
    return _say(listener, listener.words.counts[key], {"count": count})


def labelled_text(language: Language, label: str, told: str) -> str:
    """Return a label and a text, joined by a colon in the style of the language."""
    return language.gettext(LABELLED.one).format(label=label, told=told)


def names_text(language: Language, names: Sequence[str]) -> str:
    """Return one name or more; the last two are joined by "and"."""
    *others, last = names
    return language.gettext(TOGETHER.one).format(others=", ".join(others), last=last) if others else last


def signed_text(number: int) -> str:
    return str(number).replace("-", "\N{MINUS SIGN}")


def decimal_text(language: Language, number: float) -> str:
    """Format a number with at most one decimal."""
    whole, _point, part = f"{number:.1f}".replace("-", "\N{MINUS SIGN}").partition(".")
    return whole if part == "0" else language.gettext(DECIMALS.one).format(whole=whole, part=part)


def share_text(share: float) -> str:
    return f"{share:.0%}".replace("%", "\N{NARROW NO-BREAK SPACE}%")


def rate_text(language: Language, rate: Rate, value: float) -> str:
    return share_text(value) if rate.is_share else decimal_text(language, value)


def _say(listener: Listener, text: Text, values: Mapping[str, Any], reader: int | None = None) -> str:
    """Return a text with its values filled in; the reader is "you"."""
    language, words = listener.language, _to_reader(listener, wording_of(text), values, reader)
    counted = words.many and language.ngettext(words.one, words.many, values[words.by])
    text = counted or language.gettext(words.one)
    names = (*listener.names, *listener.actors)
    told = _elide(language, _Filler(listener).vformat(text, (), values), names)
    # capitalise the first letter of a sentence, but not of a player's name
    is_low = told.startswith(language.gettext(listener.words.unseated)) or (
        text.startswith("{card:face}") and text.endswith(".")
    )
    return f"{told[0].upper()}{told[1:]}" if is_low else told


def _to_reader(listener: Listener, words: Wording, values: Mapping[str, Any], reader: int | None) -> Phrase:
    """Choose the wording for a reader in the sentence; someone else's action at their seat isn't "you"."""
    if reader is None:
        return words.told
    for name, own in words.to.items():
        value = values.get(name)
        is_reader = value == reader or (isinstance(value, tuple) and reader in value)
        if is_reader and (f"{{{name}:actor}}" not in words.told.one or listener.is_actor(reader)):
            return own
    return words.told


def phrase_text(language: Language, text: str, values: Mapping[str, object]) -> str:
    """Translate a text outside any match, with its values filled in."""
    names = (value for value in values.values() if isinstance(value, str))
    return _elide(language, language.gettext(text).format(**values), names)


def _elide(language: Language, text: str, names: Iterable[str]) -> str:
    """Apply elision before names that start with a vowel, in languages that have it."""
    words = language.gettext(ELIDED.one)
    if words == ELIDED.one:
        return text
    for name in names:
        if name[:1].casefold() in VOWELS:
            for word in words.split():
                text = text.replace(f" {word} {name}", f" {word[:-1]}\N{RIGHT SINGLE QUOTATION MARK}{name}")
    return text


class _Filler(Formatter):
    """Fills placeholders: `{seat:player}` becomes a name, `{cards:faces}` a list of faces."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener

    def format_field(self, value: Any, format_spec: str) -> str:
        fill = _FILLS.get(format_spec)
        return fill(self._listener, value) if fill else super().format_field(value, format_spec)


def player_name(listener: Listener, seat: int) -> str:
    """Return a seat's player name, or the game's name for a player without a seat."""
    if seat < len(listener.names):
        return listener.names[seat]
    return listener.language.gettext(listener.words.unseated)


def _apart(listener: Listener, seat: int) -> str:
    """Isolate right-to-left names, so that adjacent numbers keep their position."""
    name = player_name(listener, seat)
    is_from_right = any(bidirectional(letter) in {"R", "AL"} for letter in name)
    return f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}" if is_from_right else name


def _actor(listener: Listener, seat: int) -> str:
    """Return the person behind the described action, who may have left since."""
    return _apart(replace(listener, names=listener.actors or listener.names), seat)


def _people(listener: Listener, seat: int) -> str:
    return _apart(replace(listener, names=listener.people or listener.names), seat)


def _players(listener: Listener, seats: tuple[int, ...]) -> str:
    """Return the names of seats, or the table's without any."""
    if not seats:
        return listener.language.gettext("the table")
    return names_text(listener.language, [_apart(listener, seat) for seat in seats])


def _scores(listener: Listener, counts: tuple[int, ...]) -> str:
    """List each player with a number, in the order of seats."""
    return ", ".join(f"{_apart(listener, seat)} {signed_text(count)}" for seat, count in enumerate(counts))


def _unseated(listener: Listener, seat: int) -> str:
    """Return " (name)" of the seat a virtual player plays for; empty for a real seat."""
    is_own = seat < len(listener.names)
    return "" if is_own else f" ({_apart(listener, seat)})"


def _faces(listener: Listener, faces: tuple[str, ...]) -> str:
    return ", ".join(face_name(listener, face) for face in faces)


def _held(listener: Listener, held: tuple[int | str, ...]) -> str:
    """List players, each with the card that follows in the list."""
    pairs = zip(held[::2], held[1::2], strict=True)
    return ", ".join(f"{_apart(listener, int(seat))} {face_name(listener, str(face))}" for seat, face in pairs)


def _list(_listener: Listener, values: tuple[object, ...]) -> str:
    return ", ".join(str(value) for value in values)


def _cell(listener: Listener, cell: tuple[int, int]) -> str:
    """Return a cell in words; columns and rows are counted from 1."""
    return listener.language.gettext(CELL.one).format(column=cell[0] + 1, row=cell[1] + 1)


_FILLS: Mapping[str, Callable[[Listener, Any], str]] = {
    "player": _apart,
    "actor": _actor,
    "people": _people,
    "players": _players,
    "scores": _scores,
    "unseated": _unseated,
    "face": face_name,
    "definite": lambda listener, face: _face_text(listener, listener.words.definite, face),
    "indefinite": lambda listener, face: _face_text(listener, listener.words.indefinite, face),
    "faces": _faces,
    "held": _held,
    "plus": lambda listener, faces: " + ".join(face_name(listener, face) for face in faces),
    "minus": lambda _listener, faces: " ".join(f"\N{MINUS SIGN} {face.lstrip('-')}" for face in faces),
    "signed": lambda _listener, number: signed_text(number),
    "decimal": lambda listener, number: decimal_text(listener.language, number),
    "money": lambda _listener, amount: f"{amount:,}".translate(MONEY_SIGNS),
    "share": lambda _listener, share: share_text(share),
    "words": _list,
    "option": option_word_text,
    "options": lambda listener, words: ", ".join(option_word_text(listener, word) for word in words),
    "numbers": _list,
    "kind": lambda listener, kind: listener.language.gettext(KINDS[kind].one),
    "cell": _cell,
    "edition": lambda listener, edition: listener.words.editions.get(edition, edition),
}
