"""Checks that every game must pass. Each finding states the error and how to fix it. Pure."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from itertools import product
from string import Formatter
from typing import Any

import msgspec
from msgspec import Struct, defstruct

from referee import sentences
from referee.contract import Deck, Fact, Game, wording_of
from referee.contract.asks import Answer, Ask, Choice, Done, Number, Option, Refusal, Show, Value
from referee.contract.board import Board
from referee.contract.facts import (
    Coins,
    Count,
    Counts,
    Edition,
    Face,
    Faces,
    FactValue,
    Place,
    Seat,
    Seats,
    Tally,
)
from referee.house_rules import house_rules
from referee.legal import ask_named
from referee.match import Match, hear, moments, standing_answers
from referee.record import read_record, record_lines
from referee.sentences import Listener
from referee.showing import questions_of
from referee.texts import texts_of

Findings = Iterator[str]
STRANGE: tuple[Value, ...] = (-1, 10**9, Option("no such word"), ("no such card",), ())
LAST_ANSWERS = 30


class English:
    """The source language of games; returns messages untranslated."""

    def gettext(self, message: str) -> str:
        return message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return msgid1 if n == 1 else msgid2


def english_listener(match: Match) -> Listener:
    return sentences.listener_at(match.setup, English())


# the game itself


def check_declaration(game: Game) -> Findings:
    if not game.rules.settings:
        yield "`settings` is empty: name at least one set of house rules, such as {'rule text': House()}."
    for rule in house_rules(game):
        if rule.name not in game.words.house:
            yield f"the house rule “{rule.name}” has no words: add it to `house` of the words."
        if not rule.several and rule.takes and str(rule.default).lower() not in rule.takes:
            yield f"the house rule “{rule.name}” has a default that it doesn't take: {rule.default!r}."
    for name, house in game.rules.settings.items():
        if not game.rules.seats(house):
            yield f"`seats` lets nobody play by “{name}”: give numbers of players, such as range(2, 6)."
        if msgspec.json.decode(msgspec.json.encode(house), type=game.rules.house) != house:
            yield f"the house rules of “{name}” are others once they were written down: use JSON's types."
    yield from _check_decks(game)
    yield from _check_book(game)
    yield from _check_counts(game)
    yield from _check_cues(game)


def _check_decks(game: Game) -> Findings:
    first: dict[str, tuple[str, Deck]] = {}
    for name, house in game.rules.settings.items():
        deck = game.table.deck(house)
        by, printed = first.setdefault(deck.name, (name, deck))
        if deck.counts != printed.counts:
            yield (
                f"the deck “{deck.name}” has other cards by “{name}” than by “{by}”, which alone is printed: "
                "give it another name there."
            )


def _check_book(game: Game) -> Findings:
    rules = [rule for chapter in game.book.chapters for rule in chapter.rules if not rule.is_own]
    if rules and not any(rule.place or rule.otherwise for rule in rules):
        yield (
            f"the rule “{rules[0].id}” is said to be left open by printed rules, but no rule names a heading of"
            " such a text: name them in `printed`, or write the book with `write_own_chapters`."
        )
    every = (rule for chapter in game.book.chapters for rule in chapter.rules)
    for rule, house in product(every, game.rules.settings.values()):
        try:
            rule.holds(house)
        except AttributeError as error:
            yield f"the rule “{rule.id}” of the book depends on a house rule that the game hasn't: {error}."


def _check_counts(game: Game) -> Findings:
    """Check that one count decides in each sentence: only whole sentences can be translated."""
    for said in texts_of(game):
        if said.many and not said.by:
            yield f"“{said.one}” has brackets with no count before them: put the count's place first."
        elif said.beside:
            counts = " and ".join((said.by, *said.beside))
            yield f"“{said.one}” is worded by two counts, {counts}: one decides, so make two sentences of it."


def _check_cues(game: Game) -> Findings:
    if not game.feel.cues:
        yield "no ruling has a mood, so lamps and tunes stay quiet: name some in `cues` (see Mood)."
    verdicts = game.shown.verdicts
    named = () if verdicts is None else (*verdicts.claims, *verdicts.decides)
    for where, keys in (("cues", game.feel.cues), ("verdicts", named)):
        for key in set(keys) - set(game.words.rulings):
            yield f"`{where}` names “{key}”, which is no ruling of the words: correct it or give it words."
    for word in set(game.feel.gestures) - set(game.words.options):
        yield f"`gestures` names “{word}”, which is no option of the words: correct it or give it words."


# a moment


def check_moment(match: Match) -> Findings:
    yield from _check_asks(match)
    yield from _check_words(match)
    for seat in range(len(match.setup.names)):
        yield from _check_options(match, seat)
    yield from _check_cue_values(match)
    yield from _check_state(match)
    yield from _check_standings(match)


def _check_asks(match: Match) -> Findings:
    seats = set(range(len(match.setup.names)))
    if not match.asks and match.outcome is None:
        yield "nothing is asked and the match isn't over: ask something in `asks`, or end it in `outcome`."
    if match.asks and match.setup.game.rules.outcome(match.state) is not None:
        yield "something is asked after the end: let `asks` give () once `outcome` says who won."
    for key, count in Counter(ask.key for ask in match.asks).items():
        if count > 1:
            yield f"“{key}” is asked twice at the same moment: give each ask a key of its own."
    for ask in match.asks:
        if not set(ask.seats) <= seats:
            yield f"the ask “{ask.key}” is for seats {ask.seats}, of {len(seats)}: correct its `seats`."
        if not _can_be_answered(ask):
            yield f"the ask “{ask.key}” has no legal answer: {ask}. Ask for something that can be."


def _can_be_answered(ask: Ask) -> bool:
    match ask:
        case Number():
            return any(number not in ask.barred for number in range(ask.least, ask.most + 1))
        case Choice():
            return len(ask.options) == len(set(ask.options)) > 0
        case Show():
            enough = 0 < ask.count <= sum(ask.among.values())
            whole = all(0 <= count <= ask.deck.counts.get(face, 0) for face, count in ask.among.items())
            return enough and whole and len(ask.must) <= ask.count
        case Done():
            return True


def _check_words(match: Match) -> Findings:
    game, listener = match.setup.game, english_listener(match)
    view = game.shown.view(match.state, None)
    board, situation = game.shown.board(view), game.shown.situation(view)
    for ruling in (*match.rulings, *game.shown.insight(match.state)):
        say = partial(sentences.ruling_text, listener, ruling)
        yield from _check_telling("ruling", ruling.key, "rulings", say)
    questions = questions_of(match)
    for ask in match.asks:
        if not any(ask.key in question.asks for question in questions):
            yield f"the ask “{ask.key}” is in no question: put it into one in `questions`."
    for question in questions:
        told = partial(sentences.question_text, listener, question)
        yield from _check_telling("question", question.key, "asks", told)
    if situation is not None:
        told = partial(sentences.situation_text, listener, situation)
        yield from _check_telling("situation", situation.key, "situations", told)
    for fact in board.facts:
        yield from _check_fact(listener, fact)
    for row in board.cards:
        yield from _check_telling("row", row.key, "cards", partial(sentences.card_row_text, listener, row))
    yield from _check_board(match, board)
    for key in {key for standing in game.rules.standings(match.state) for key in standing.counts}:
        yield from _check_telling("count", key, "counts", partial(sentences.count_text, listener, key, 2))


def _check_board(match: Match, board: Board) -> Findings:
    listener = english_listener(match)
    if board.headline is not None:
        key, told = board.headline.key, partial(sentences.headline_view, listener, board.headline)
        yield from _check_telling("headline", key, "headlines", lambda: told().figure)
    if board.track is not None:
        yield from _check_telling(
            "track", board.track.key, "tracks", partial(sentences.track_text, listener, board.track)
        )
    marks = () if board.track is None else (fact for _number, fact in board.track.marks)
    for fact in (*marks, *(note for row in board.cards for note in row.notes)):
        yield from _check_fact(listener, fact)
    for row in board.cards:
        count = max(len(row.faces) + row.offset, row.places)
        named = {*row.struck, *(() if row.leading is None else (row.leading,))}
        if len(row.notes) > count or not named <= set(range(len(row.faces))):
            yield f"the row “{row.key}” has notes or marks for cards that it hasn't: count from its first card."
    standings = match.setup.game.rules.standings(match.state)
    for key, limit in board.limits.items():
        counts = [standing.counts.get(key) for standing in standings]
        if any(count is None or count > limit for count in counts):
            yield f"`limits` says {limit} for “{key}”, but the standings have {counts}: which is true?"


KINDS: Mapping[str, tuple[type[FactValue], ...]] = {
    "": (Count, Tally, Coins),
    "signed": (Count, Coins),
    "money": (Coins,),
    "numbers": (Counts,),
    "player": (Seat,),
    "actor": (Seat,),
    "people": (Seat,),
    "unseated": (Seat,),
    "players": (Seats,),
    "face": (Face,),
    "faces": (Faces,),
    "plus": (Faces,),
    "cell": (Place,),
    "edition": (Edition,),
}
"""Allowed types of a value, by its format in the words."""


def _check_fact(listener: Listener, fact: Fact) -> Findings:
    yield from _check_telling("fact", fact.key, "facts", partial(sentences.fact_view, listener, fact))
    label = listener.words.facts.get(fact.key)
    for words in () if label is None else (label.name, label.value):
        for _text, name, how, _conversion in Formatter().parse(wording_of(words).told.one):
            value = fact.values.get(name or "")
            if value is not None and not isinstance(value, KINDS.get(how or "", ())):
                kind = type(value).__name__
                yield f"the fact “{fact.key}” tells {name} by “{how}”, but gives a {kind}: which is it?"


def _check_telling(kind: str, key: str, where: str, say: Callable[[], str | sentences.FactView]) -> Findings:
    try:
        said = say()
    except KeyError as missing:
        lacks = "has no words" if missing.args == (key,) else f"has words that name {missing}, which it hasn't"
        # missing counts in brackets are reported by check_declaration
        if missing.args != ("",):
            yield f"the {kind} “{key}” {lacks}: write them in `{where}` of the words."
        return
    if not (said.label if isinstance(said, sentences.FactView) else said).strip():
        yield f"the {kind} “{key}” has empty words: write them in `{where}` of the words."


def _check_options(match: Match, seat: int) -> Findings:
    game, listener = match.setup.game, english_listener(match)
    asks = [ask for ask in match.asks if isinstance(ask, Choice) and seat in (ask.seats or (seat,))]
    options = [option for ask in asks for option in ask.options]
    said: dict[tuple[str, object], Option] = {}
    for option in options:
        if option.word not in game.words.options:
            yield f"the option “{option.word}” has no words: write them in `options` of the words."
            continue
        text = " ".join(sentences.option_text(listener, option).casefold().strip(" .!?").split())
        other = said.setdefault((text, option.cell), option)
        if other != option:
            yield f"{_name(other)} and {_name(option)} both read “{text}”: change the words in `options`."
    pressed = {
        option.word: game.feel.gestures[option.word] for option in options if option.word in game.feel.gestures
    }
    for gesture, count in Counter(pressed.values()).items():
        if count > 1:
            words = ", ".join(word for word, how in pressed.items() if how == gesture)
            yield f"a {gesture} press says {words} at once: give each another gesture in `gestures`, or none."


def _name(option: Option) -> str:
    aimed = (option.word, option.seat, option.face, option.cell)
    return "“" + " ".join(str(each) for each in aimed if each is not None) + "”"


def _check_cue_values(match: Match) -> Findings:
    for ruling in match.rulings:
        cue = match.setup.game.feel.cues.get(ruling.key)
        if cue is not None and cue.seat and cue.seat not in ruling.values:
            yield (
                f"the cue of “{ruling.key}” is about its value “{cue.seat}”, which the ruling hasn't: "
                "name another in `Cue(mood, seat)`, or '' for the whole table."
            )


def _check_state(match: Match) -> Findings:
    game, state = match.setup.game, match.state
    copy = msgspec.json.decode(msgspec.json.encode(state), type=game.rules.state)
    if copy != state:
        yield "the state is another once it was written down: use tuples, and tag the structs of a union."
    elif game.rules.asks(copy) != match.position.asks:
        yield "`asks` asks something else of the same state: let it look at nothing but the state."
    for viewer in (None, *range(len(match.setup.names))):
        msgspec.json.encode(game.shown.view(state, viewer))


def _check_standings(match: Match) -> Findings:
    standings = match.setup.game.rules.standings(match.state)
    if sorted(standing.seat for standing in standings) != list(range(len(match.setup.names))):
        yield "`standings` has to name every seat once."
    places = [standing.place for standing in standings]
    if places != sorted(places) or places[:1] != [1]:
        yield "`standings` has to begin with place 1 and go on in order."
    firsts = {standing.seat for standing in standings if standing.place == 1}
    if match.outcome is not None and firsts != set(match.outcome.winners):
        yield f"{match.outcome.winners} won, but `standings` puts {sorted(firsts)} first: which is true?"


# answers and records


def check_refusals(match: Match, right: Answer) -> Findings:
    before = msgspec.json.encode(match.state)
    for wrong in wrong_answers(match, right):
        if not isinstance(hear(match, wrong), Refusal):
            yield f"the ask “{right.ask}” takes {wrong.value!r} of seat {wrong.seat}: let `asks` allow less."
    if msgspec.json.encode(match.state) != before:
        yield "a refused answer changes the state: make states of tuples and frozen structs only."


def wrong_answers(match: Match, right: Answer) -> tuple[Answer, ...]:
    ask = ask_named(match.asks, right.ask)
    change = msgspec.structs.replace
    wrong = [change(right, value=value, owners=()) for value in STRANGE]
    wrong += [change(right, moment=moment) for moment in (match.number + 1, -1)]
    wrong.append(change(right, ask="no such ask"))
    seats = len(match.setup.names)
    if ask is not None and ask.seats:
        wrong += [change(right, seat=seat) for seat in range(-1, seats + 1) if seat not in ask.seats]
    return tuple(wrong)


def check_record(match: Match) -> Findings:
    record = read_record(record_lines(match))
    if record.fault is not None or record.match is None:
        why = record.fault and (record.fault.refusal or record.fault.about or record.fault.key)
        listener = english_listener(match)
        told = sentences.refusal_text(listener, why).rstrip(".") if isinstance(why, Refusal) else why
        yield f"a match can't be played again from its record: {told}. Let rules look at nothing but the state."
    elif msgspec.json.encode(record.match.state) != msgspec.json.encode(match.state):
        yield "a match played again comes to another state: rules draw nothing at random and read no clock."


# the board


Reads = set[tuple[str, str]]  # pairs of struct name and field name


class Recorder:
    """Wraps a view and records the fields that are read, at any depth."""

    def __init__(self, excused: Iterable[str] = ()) -> None:
        """Start with no reads; values inside excused fields aren't recorded."""
        self._excused = frozenset(excused)
        self.there: Reads = set()
        self.read: Reads = set()

    def wrap(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(self.wrap, value))
        if not isinstance(value, Struct):
            return value
        kind, names = type(value).__name__, type(value).__struct_fields__
        self.there.update((kind, name) for name in names)
        whole = {name for name in names if {name, f"{kind}.{name}"} & self._excused}
        fields = {name: getattr(value, name) for name in names}
        wrapped = {name: each if name in whole else self.wrap(each) for name, each in fields.items()}
        return _noting(type(value), self)(**wrapped)


@cache
def _noting(kind: type[Struct], recorder: Recorder) -> type[Struct]:
    """Return a subclass that records reads and still matches in `match` and `isinstance`."""
    own = frozenset(kind.__struct_fields__)

    def __getattribute__(self: Any, name: str) -> Any:  # noqa: N807 - Python's own name
        if name in own:
            recorder.read.add((kind.__name__, name))
        return kind.__getattribute__(self, name)

    return defstruct(
        kind.__name__, [], bases=(kind,), namespace={"__getattribute__": __getattribute__}, frozen=True
    )


def note_reads(recorder: Recorder, match: Match) -> None:
    game = match.setup.game
    for moment in moments(match):
        seen = recorder.wrap(game.shown.view(moment.state, None))
        game.shown.situation(seen)
        game.shown.board(seen)


def check_view(game: Game, recorder: Recorder) -> Findings:
    for kind, name in sorted(recorder.there - recorder.read):
        if not {f"{kind}.{name}", name} & set(game.shown.excused):
            yield f"“{kind}.{name}” is shown nowhere: put it on the board, or into `excused` with the reason."
    there = {name for pair in recorder.there for name in (".".join(pair), pair[1])}
    for name in sorted(set(game.shown.excused) - there):
        yield f"`excused` names “{name}”, which is no field of the view: leave it out."


def describe_failure(where: str, error: Exception, package: str = "") -> str:
    own, last = failing_place(error, package), failing_place(error)
    told = [f"{type(error).__name__}: {' '.join(str(error).split()) or 'no reason'}."]
    if last and not own and last in map(partial(failing_place, error), ("referee.", "hardware.")):
        told.append("No line of the game's own runs there: something that it gave before has the wrong type.")
    return " ".join((f"{where} failed{own or last}:", *told, *getattr(error, "__notes__", ())))


def failing_place(error: BaseException, package: str = "") -> str:
    """Return the function and line in a package where an error occurred; empty if none of its lines ran."""
    place, at = "", error.__traceback__
    while at is not None:
        code = at.tb_frame.f_code
        if at.tb_frame.f_globals.get("__name__", "").startswith(package):
            file = "/".join(code.co_filename.split("/")[-2:])
            place = f" in `{code.co_name}`, line {at.tb_lineno} of {file}"
        at = at.tb_next
    return place


def note_answers(error: Exception, match: Match, *given: Answer) -> None:
    """Attach the answers that led to an error, unless already attached; long lists are cut to the last ones."""
    steps = [*(step.answer for step in standing_answers(match)), *given]
    told = ", ".join(_tell_plainly(answer, match.setup.names) for answer in steps[-LAST_ANSWERS:])
    before = "… " if len(steps) > LAST_ANSWERS else ""
    if not hasattr(error, "__notes__"):
        error.add_note(f"{len(steps)} answers lead there: {before}{told or 'none'}.")


def _tell_plainly(answer: Answer, names: tuple[str, ...]) -> str:
    """Describe an answer without the game's texts, which may be the part that fails."""
    value, who = answer.value, "" if answer.seat is None else f"{names[answer.seat]}: "
    parts = (value.word, value.seat, value.face, value.cell) if isinstance(value, Option) else value
    said = (str(part) for part in (parts if isinstance(parts, tuple) else (parts,)) if part is not None)
    return f"{who}{' '.join((answer.ask, *said))}"
