"""Plays a game with the twin's cards, and reports its faults as instructions for its author."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from random import Random

from msgspec.structs import replace

from hardware.decks.catalogue import PRINTED, PrintedDeck
from hardware.twin.bots import BOTS, BotAction, answer_for_table, bot_action
from hardware.twin.dealer import DealtMatch, ShortError, deal_match, follow_rulings, lay_honestly
from hardware.twin.player import RefusedError, any_answer, play_on
from hardware.twin.tabletop import is_in_reach, known_cards
from referee import conformance
from referee.contract import CENTRE, Answer, Game, Refusal, Show
from referee.legal import ask_named
from referee.match import Match, Setup, begin, hear
from referee.result_types import with_checked_results
from referee.sentences import refusal_text

NAMES = ("Ana", "Bo", "Chloé", "Dan", "Eve", "Fay", "Gil", "Hal", "Ivo", "Jo", "Kim", "Lou")
MAX_ANSWERS = 5000  # answers after which a match counts as endless
TRIES = 300  # attempts of a player to find a fair answer

_VARYING = re.compile(r"^a match .* failed in| \d+ answers lead there.*|[, ]*\(.*?\)| refused: .*|['(), \d]+")
"""Parts that differ between messages about the same fault."""


def check_game(game: Game) -> tuple[str, ...]:
    """Return a game's faults, each once; empty if it can be played everywhere."""
    game = with_checked_results(game)
    found = [*_careful(game, lambda: conformance.check_declaration(game), "the game's declaration")]
    recorder = conformance.Recorder(game.shown.excused)
    found += _careful(game, lambda: _check_tables(game, recorder), "`seats`")
    found += conformance.check_view(game, recorder) if recorder.there else ()
    found += _careful(game, lambda: _check_cards(game), "the artwork")
    return tuple({_VARYING.sub(" ", sentence): sentence for sentence in reversed(found)}.values())[::-1]


def _careful(game: Game, check: Callable[[], Iterable[str]], where: str) -> Iterator[str]:
    """Yield the findings of a check; an exception of the game's code becomes a finding."""
    module = game.rules.start.__module__
    try:
        yield from check()
    except Exception as error:  # noqa: BLE001 - a stranger's code may fail in any way
        yield conformance.describe_failure(where, error, module.rpartition(".")[0] or module)


@contextmanager
def _noting(match: Match, *given: Answer) -> Iterator[None]:
    """Add the answers that led to an exception as a note."""
    try:
        yield
    except (ShortError, RefusedError):
        raise
    except Exception as error:
        conformance.note_answers(error, match, *given)
        raise


def _hear(match: Match, answer: Answer) -> Match | Refusal:
    with _noting(match, answer):
        return hear(match, answer)


def _in_english(match: Match, why: Refusal) -> str:
    return refusal_text(conformance.english_listener(match), why)


def _check_tables(game: Game, recorder: conformance.Recorder) -> conformance.Findings:
    for rules, house in game.rules.settings.items():
        for seats in game.rules.seats(house):
            where = f"a match of {seats} by “{rules}”"
            yield from _careful(game, partial(_check_table, game, rules, seats, recorder), where)


def _check_table(game: Game, rules: str, seats: int, recorder: conformance.Recorder) -> conformance.Findings:
    rng, where = Random(f"{rules} {seats}"), f"a match of {seats} by “{rules}”"
    match = begin(Setup(game, game.rules.settings[rules], NAMES[:seats]))
    if isinstance(match, Refusal):
        yield f"{where} can't begin ({match.reason}): correct `seats`, `start` or `settings`."
        return
    yield from _careful(game, lambda: _check_play(match, rng, recorder), where)
    yield from _careful(game, lambda: _check_hands(match, rng), f"{where} with real cards")
    yield from _careful(game, lambda: _check_bots(match, rng), f"{where} among bots")


def _check_play(match: Match, rng: Random, recorder: conformance.Recorder) -> conformance.Findings:
    begun = match
    while match.asks and match.number < MAX_ANSWERS:
        answer = any_answer(match.asks, match.number, rng)
        with _noting(match):
            yield from conformance.check_moment(match)
            yield from conformance.check_refusals(match, answer)
        after = _hear(match, answer)
        if isinstance(after, Refusal):
            told = _in_english(match, after)
            yield f"`hear` refuses what `asks` allows for “{answer.ask}”: {told} Let `asks` bar it."
            return
        match = after
    if match.asks:
        yield f"a match isn't over after {MAX_ANSWERS} answers: let `outcome` end it."
        return
    with _noting(match):
        yield from conformance.check_moment(match)
        yield from conformance.check_record(match)
        conformance.note_reads(recorder, match)
    conformance.note_reads(recorder, play_on(begun, rng))


# true positions of cards


def _check_hands(match: Match, rng: Random) -> conformance.Findings:
    """Play with a shuffled deck, laying only cards from where `moves` has put them."""
    try:
        dealt = deal_match(match, rng)
        while dealt.match.asks and dealt.match.number < MAX_ANSWERS:
            with _noting(dealt.match):
                yield from _check_centre(dealt)
                asks, moment = dealt.match.asks, dealt.match.number
                tries = (_with_cards(dealt, any_answer(asks, moment, rng)) for _try in range(TRIES))
                answer = next(filter(None, tries), None)
            if answer is None:
                yield _nothing_to_lay(dealt)
                return
            after = _hear(dealt.match, answer)
            if isinstance(after, Refusal):
                yield (
                    f"with real cards, {answer.value} is laid for “{answer.ask}” and refused: "
                    f"{_in_english(dealt.match, after)} Either `moves` leaves it where it was before a ruling, "
                    "or `among` of the ask leaves it out."
                )
                return
            match = after
            with _noting(after):
                dealt = DealtMatch(after, follow_rulings(dealt.truth, after, rng))
    except ShortError as short:
        keys = ", ".join(ruling.key for ruling in match.rulings)
        yield f"`moves` after {keys} takes cards that aren't there: {short}. First move them there."


def _check_centre(dealt: DealtMatch) -> conformance.Findings:
    """Check that all cards in the middle of the table are on the board; others should have been cleared."""
    game, state = dealt.match.setup.game, dealt.match.state
    shown = [face for row in game.shown.board(game.shown.view(state, None)).cards for face in row.faces]
    if set(dealt.truth.get(CENTRE, ())) - set(shown):
        keys = ", ".join(ruling.key for ruling in dealt.match.rulings)
        yield (
            f"after {keys} cards lie in the middle that the board doesn't show: clear them away in `moves` "
            "(clear_centre), or show them in a CardRow."
        )


def _with_cards(dealt: DealtMatch, answer: Answer) -> Answer | None:
    """Replace an answer's cards by true ones; None if it is unfair or they aren't there."""
    match = dealt.match
    ask = ask_named(match.asks, answer.ask)
    if not isinstance(ask, Show):
        return answer if match.setup.game.play.is_fair(match.state, answer, dealt.truth) else None
    faces, owners = lay_honestly(dealt, ask)
    return replace(answer, value=faces, owners=owners) if len(faces) == ask.count else None


def _nothing_to_lay(dealt: DealtMatch) -> str:
    match = dealt.match
    ask = next((ask for ask in match.asks if isinstance(ask, Show)), None)
    if ask is None:
        key = match.asks[0].key
        return f"no option of “{key}” is fair: let `is_fair` allow one, or ask for something else."
    zones = match.setup.game.table.sources(match.state, ask)
    lying = {zone.name: len(dealt.truth.get(zone, ())) for zone in zones}
    return (
        f"for “{ask.key}” {ask.count} cards are wanted, and there are {lying}: `moves` says how "
        "cards come there (see referee.kit.hidden_hands), `sources` from where they are laid."
    )


# bots, and the look of cards


def _check_bots(match: Match, rng: Random) -> conformance.Findings:
    game = match.setup.game
    if game.play.bot and game.name in BOTS and BOTS[game.name]() is None:
        yield f"the bot {game.play.bot} can't be loaded: correct `bot`, as package.module:NAME."
    try:
        dealt = deal_match(match, rng)
        while dealt.match.asks and dealt.match.number < MAX_ANSWERS:
            with _noting(dealt.match):
                answer = _bots_answer(dealt, rng) or _answer_of_hands(dealt)
            if answer is None:
                yield _nobody_acts(dealt)
                return
            after = _hear(dealt.match, answer)
            if isinstance(after, Refusal) and isinstance(answer.value, tuple) and not game.play.bot:
                return  # reported by the check of the hands
            if isinstance(after, Refusal):
                told = _in_english(dealt.match, after)
                yield f"the bot answers “{answer.ask}” with {answer.value}, which is refused: {told}"
                return
            with _noting(after):
                dealt = DealtMatch(after, follow_rulings(dealt.truth, after, rng))
        if dealt.match.asks:
            yield f"among bots a match isn't over after {MAX_ANSWERS} answers: let `outcome` or the bot end it."
    except (ShortError, RefusedError):
        return  # reported by the check of the hands


def _bots_answer(dealt: DealtMatch, rng: Random) -> Answer | None:
    match = dealt.match
    for seat in range(len(match.setup.names)):
        action = bot_action(match, seat, known_cards(match.setup.game, dealt.truth, seat), rng)
        answer = None if action is None else _answer_of_action(match, seat, action)
        if answer is not None:
            return answer
    return answer_for_table(match, dealt.truth, rng)


def _answer_of_hands(dealt: DealtMatch) -> Answer | None:
    """Lay the requested cards from places within the hands' reach on the twin."""
    match, game = dealt.match, dealt.match.setup.game
    for ask in match.asks:
        sources = game.table.sources(match.state, ask) if isinstance(ask, Show) else ()
        if isinstance(ask, Show) and any(is_in_reach(game, zone) for zone in sources):
            cards, owners = lay_honestly(dealt, ask)
            if len(cards) == ask.count:
                return Answer(match.number, ask.key, cards, None, "twin", owners=owners)
    return None


def _nobody_acts(dealt: DealtMatch) -> str:
    """Describe the point at which the twin would wait forever."""
    match = dealt.match
    ask = match.asks[0]
    if not isinstance(ask, Show):
        return (
            f"no bot answers “{ask.key}”, so that the twin waits there for ever: let the game's bot answer it, "
            "or `is_fair` allow one of its options."
        )
    zones = ", ".join(zone.name for zone in match.setup.game.table.sources(match.state, ask))
    return (
        f"no hand on the twin lays the cards for “{ask.key}” ({zones}), so that it waits there for ever: let "
        "`sources` name a hand, the pile or the middle, let `zones` say whose hands reach there (a ZoneKind), "
        "or let the game's bot lay them."
    )


def _answer_of_action(match: Match, seat: int, action: BotAction) -> Answer | None:
    if action.waits:
        return None
    if not action.lays:
        return action.answer
    shows = [ask for ask in match.asks if isinstance(ask, Show) and seat in ask.seats]
    fits = next((ask for ask in shows if ask.count == len(action.lays)), None)
    return None if fits is None else Answer(match.number, fits.key, action.lays, seat, "twin")


def _check_cards(game: Game) -> conformance.Findings:
    """Draw every card, including extras."""
    for name in {game.table.deck(house).name for house in game.rules.settings.values()}:
        printed = PRINTED.get(name)
        if printed is None:
            yield f"the deck “{name}” can't be printed: install the game, so that its entry point is found."
            continue
        if game.feel.art and PRINTED.is_plain(name):
            yield f"the artwork {game.feel.art} can't be loaded: correct `art`, as package.module:NAME."
        for face in (*printed.counts, *printed.extras):
            yield from _careful(game, partial(_draw_card, printed, face), f"drawing “{face}”")


def _draw_card(printed: PrintedDeck, face: str) -> tuple[str, ...]:
    return () if printed.faces[face].items else (f"“{face}” is an empty picture: draw it in the artwork.",)
