"""A moment as one reader sees it, with all its sentences; cached while the moment lasts. Pure."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from referee import sentences
from referee.answers_view import AnswersView, Chooser, answers_view
from referee.cells import value_counted
from referee.contract import Aside, Fact, Game, Grid, Outcome, Reveal, Standing, Weight, phrase
from referee.contract.asks import Answer, CountChange
from referee.contract.board import Board, CardRow, Headline, Mood, Question, Situation, Track
from referee.match import Match, Position, Step, moments, people_of
from referee.rule_sentences import change_texts
from referee.seatings import Names, Seatings, seatings_of
from referee.sentences import FactView, HeadlineView, Language, Listener, RevealView
from referee.showing import board_of, mood_of, questions_in
from referee.tallies import own_facts
from referee.verdicts import beginning_of_scene, last_decision, may_be_of, reveal_of

KEPT = 32
"""Maximum number of cached views; a moment has one per language and seat."""
NEWS_KEPT = 64
TICKS = 20
TOLD = 12
"""Number of the newest moments that are searched for an instruction."""
GO_ON, ON_TO = phrase("Go on"), phrase("On to round {number}")
WEIGHTS = tuple(Weight)


class CardView(Struct, frozen=True):
    """A card of a row, or an empty place, with its note and state."""

    face: str
    name: str
    note: str = ""
    sign: str = ""  # subject of the note
    owner: str = ""
    is_own: bool = False  # whether the reader owns it
    is_leading: bool = False
    is_struck: bool = False


class RowView(Struct, frozen=True):
    """A row of face-up cards with its name, its owner, and the seat that only claims to hold it."""

    row: CardRow
    name: str
    cards: tuple[CardView, ...]
    places: tuple[CardView, ...]  # all places of the row, empty ones included
    owner: str
    claimed_by: str

    @property
    def key(self) -> str:
        return self.row.key

    @property
    def is_torn(self) -> bool:
        return bool(self.claimed_by and self.row.struck)


class Mark(Struct, frozen=True):
    """A marked position on a numbered line, with its text."""

    number: int
    text: str = ""
    kind: str = ""


class LineView(Struct, frozen=True):
    """A numbered line."""

    name: str
    marks: tuple[Mark, ...]
    is_year: bool  # whether it shows steps with a current one; otherwise it compares numbers


class QuestionView(Struct, frozen=True):
    """A question in its wordings: after other questions, without its subject, and in full."""

    question: Question
    text: str
    bare: str
    whole: str


class CountView(Struct, frozen=True):
    """A player's amount of something, such as coins, marks or points."""

    key: str
    number: int
    text: str


class PlayerView(Struct, frozen=True):
    """A player, or a board position without a player: standing, facts and face-up cards."""

    seat: int
    name: str
    place: int
    counts: tuple[CountView, ...]
    facts: tuple[FactView, ...]
    rows: tuple[RowView, ...]  # face-up cards, most important first, in the order of the facts
    is_out: bool
    is_asked: bool
    is_winner: bool
    has_turn: bool


class ChangeView(Struct, frozen=True):
    """A player's count before and after a change, or a change at stake."""

    seat: int
    name: str
    count: str
    before: int
    after: int


class RulingView(Struct, frozen=True):
    """A ruling on the newest answer, with its mood."""

    key: str
    text: str
    mood: Mood | None = None


class VerdictView(Struct, frozen=True):
    """The latest decision as one sentence, with its card."""

    text: str
    is_good: bool
    face: str = ""
    name: str = ""


class AsideView(NamedTuple):
    """A possible remark by a player about a scene."""

    seat: int
    text: str


class InstructionView(NamedTuple):
    """An instruction to a player about their own cards, and its moment."""

    number: int
    text: str


class SceneView(Struct, frozen=True):
    """A reveal scene: who called whom, the cards, the result, the verdict, and the next step."""

    heading: RevealView
    rows: tuple[RowView, ...]
    headline: HeadlineView | None
    line: LineView | None
    changes: tuple[ChangeView, ...]
    verdict: VerdictView
    goes_on: str
    won: tuple[int, ...]
    lost: tuple[int, ...]
    unowned: tuple[str, ...]
    """Cards of unknown owner, if one may have been the reader's."""
    asides: tuple[AsideView, ...]
    held: tuple[str, ...]


class MomentView(Struct, frozen=True):
    """Everything a reader may see of a moment, with all its sentences."""

    match: Match
    listener: Listener
    seat: int | None
    board: Board
    grids: tuple[Grid, ...]
    title: str
    house: tuple[str, ...]
    about: Situation | None
    situation: str
    situation_to_all: str
    headline: HeadlineView | None
    line: LineView | None
    facts: tuple[FactView, ...]
    rows: tuple[RowView, ...]
    changes: tuple[ChangeView, ...]
    questions: tuple[QuestionView, ...]
    answers: tuple[AnswersView, ...]
    players: tuple[PlayerView, ...]
    rulings: tuple[RulingView, ...]
    verdict: VerdictView | None
    scene: SceneView | None
    instruction: InstructionView | None
    """Instruction about the reader's own cards, until the reader's next answer."""

    @property
    def short(self) -> "MomentView":
        """Return the view with long names shortened, where space is limited."""
        match = self.match
        people = people_of(match) if match.setup.came else match.setup.names
        if not sentences.is_any_long(people):
            return self
        return _short_view(match, self.listener.language, self.seat)

    @property
    def outcome(self) -> Outcome | None:
        return self.match.outcome

    @property
    def winners(self) -> tuple[str, ...]:
        return () if self.outcome is None else tuple(self.listener.names[seat] for seat in self.outcome.winners)

    @property
    def seated(self) -> tuple[PlayerView, ...]:
        return tuple(each for each in self.players if each.seat < len(self.match.setup.names))

    @property
    def results(self) -> tuple[PlayerView, ...]:
        """Return the seated players, each named with everyone who sat at the seat."""
        people = self.listener.people or self.listener.names
        return tuple(replace(each, name=people[each.seat]) for each in self.seated)

    @property
    def key_rows(self) -> tuple[RowView, ...]:
        return tuple(row for row in self.rows if row.row.weight is Weight.KEY)

    @property
    def table_rows(self) -> tuple[RowView, ...]:
        """Return the rows that matter most: the key rows, or else the main rows that belong to no seat."""
        return self.key_rows or tuple(
            row for row in self.rows if row.row.weight is Weight.MAIN and row.row.seat is None
        )

    @property
    def key_facts(self) -> tuple[FactView, ...]:
        return tuple(fact for fact in self.facts if fact.weight is Weight.KEY)

    def facts_of(self, seat: int | None) -> tuple[FactView, ...]:
        return _weightiest(each for each in self.facts if each.fact.seat == seat)

    def rows_of(self, seat: int | None) -> tuple[RowView, ...]:
        return _open_rows(self.rows, seat)

    def player(self, seat: int) -> PlayerView:
        return next(each for each in self.players if each.seat == seat)

    def final_place(self, player: PlayerView) -> int:
        """Return a player's place at the end; 0 before, and if all who didn't win share one place."""
        if self.outcome is None or self.match.is_ended:
            return 0
        is_ranked = len({each.place for each in self.seated if not each.is_winner}) > 1
        return player.place if player.is_winner or is_ranked else 0

    def name(self, seat: int) -> str:
        return sentences.player_name(self.listener, seat)

    def face(self, face: str) -> str:
        return sentences.face_name(self.listener, face) if face else ""


def view_of(match: Match, language: Language, seat: int | None = None) -> MomentView:
    """Return a moment's view for a reader, cached; a reader without a seat gets the public view."""
    return _full_view(match, language, seat)


@lru_cache(KEPT)
def _full_view(match: Match, language: Language, seat: int | None) -> MomentView:
    return _moment_view(match, seatings_of(match), language, seat)


@lru_cache(KEPT)
def _short_view(match: Match, language: Language, seat: int | None) -> MomentView:
    return _moment_view(match, seatings_of(match).renamed(sentences.short_name), language, seat)


def _moment_view(match: Match, seatings: Seatings, language: Language, seat: int | None) -> MomentView:
    listener = sentences.listener_when(match.setup, seatings, match.number, language)
    game = match.setup.game
    state_view = game.shown.view(match.state, seat)
    board, grids = game.shown.board(state_view), game.table.grids(state_view)
    about = None if match.is_ended else game.shown.situation(state_view)
    facts = tuple(sentences.fact_view(listener, fact) for fact in own_facts(match, seatings, board.facts))
    rows = tuple(_row_view(row, listener, seat) for row in board.cards)
    verdict = None if match.is_ended else _verdict_view(match, seatings, listener, seat)
    return MomentView(
        match=match,
        listener=listener,
        seat=seat,
        title=language.gettext(game.words.title),
        house=tuple(change_texts(listener, game, match.setup.house)),
        # the table's current state
        board=board,
        grids=grids,
        about=about,
        situation=_situation_text(match, about, listener, seat),
        situation_to_all=_situation_text(match, about, listener, None),
        headline=_headline_view(board.headline, listener),
        line=_line_view(board.track, listener),
        facts=facts,
        rows=rows,
        changes=tuple(_change_view(change, listener) for change in board.changes),
        players=_player_views(match, board, facts, rows, listener),
        # the asks, and the reader's possible answers
        questions=_question_views(match, listener, seat),
        answers=_answers_views(match, grids, listener, seat),
        # the decisions
        rulings=_ruling_views(match, seatings, language),
        verdict=verdict,
        scene=None if verdict is None else _scene_view(match, seatings, verdict, listener, seat),
        instruction=None if seat is None else _instruction(match, listener, seat),
    )


def _situation_text(match: Match, about: Situation | None, listener: Listener, reader: int | None) -> str:
    if match.is_ended:
        return sentences.ended_early_text(listener)
    return "" if about is None else sentences.situation_text(listener, about, reader)


def _question_views(match: Match, listener: Listener, reader: int | None) -> tuple[QuestionView, ...]:
    questions = questions_in(match.setup.game, match.state, match.asks, reader)
    texts = sentences.question_texts(listener, questions, reader)
    return tuple(
        QuestionView(
            question=question,
            text=text,
            bare=sentences.bare_question_text(listener, question, reader),
            whole=sentences.question_text(listener, question, reader),
        )
        for question, text in zip(questions, texts, strict=True)
    )


def _answers_views(
    match: Match, grids: tuple[Grid, ...], listener: Listener, reader: int | None
) -> tuple[AnswersView, ...]:
    """Return a view for each ask that the reader may answer; none without a seat."""
    if reader is None:
        return ()
    chooser = Chooser(listener, match.setup.game, match.state, reader, grids)
    return tuple(answers_view(chooser, ask) for ask in match.asks if not ask.seats or reader in ask.seats)


def _ruling_views(match: Match, seatings: Seatings, language: Language) -> tuple[RulingView, ...]:
    """Return the newest rulings, with the names of the players seated when it was answered."""
    listener = sentences.listener_when(match.setup, seatings, _ruled_at(match), language)
    return tuple(
        RulingView(ruling.key, sentences.ruling_text(listener, ruling), mood_of(match, ruling))
        for ruling in match.rulings
    )


def _instruction(match: Match, listener: Listener, seat: int) -> InstructionView | None:
    for moment in islice(moments(match), TOLD):
        for ruling in moment.rulings:
            if ruling.values.get("seat") == seat and (told := sentences.instruction_text(listener, ruling)):
                return InstructionView(moment.number, told)
        if isinstance(moment.entry, Answer) and moment.entry.seat == seat:
            return None
    return None


def _ruled_at(match: Match) -> int:
    """Return the number of the answer that led to the newest rulings."""
    if isinstance(match.entry, Answer):
        return match.number - 1
    return match.position.heard_at if isinstance(match.position, Step) else match.number


def _by_actors(listener: Listener, actors: Names, reader: int | None) -> tuple[Listener, int | None]:
    """Return a listener with the actors' names, and the reader if they acted for their seat themselves."""
    told = Listener(listener.words, actors, listener.language)
    is_actor = reader is not None and actors[reader] == listener.names[reader]
    return told, reader if is_actor else None


def _headline_view(headline: Headline | None, listener: Listener) -> HeadlineView | None:
    return None if headline is None else sentences.headline_view(listener, headline)


def _row_view(row: CardRow, listener: Listener, reader: int | None) -> RowView:
    count = max(row.places, row.offset + len(row.faces))
    return RowView(
        row,
        sentences.card_row_text(listener, row),
        tuple(_card_view(row, number, listener, reader) for number in range(len(row.faces))),
        tuple(_card_view(row, place - row.offset, listener, reader) for place in range(count)),
        _name_of(row.seat, listener),
        _name_of(row.claimed_by, listener),
    )


def _name_of(seat: int | None, listener: Listener) -> str:
    return "" if seat is None else sentences.player_name(listener, seat)


def _card_view(row: CardRow, number: int, listener: Listener, reader: int | None) -> CardView:
    face = row.faces[number] if 0 <= number < len(row.faces) else ""
    note = row.notes[number] if 0 <= number < len(row.notes) else None
    owner = None if note is None else note.seat
    return CardView(
        face=face,
        name=sentences.face_name(listener, face) if face else "",
        note="" if note is None else sentences.fact_view(listener, note).text,
        sign="" if note is None else note.key,
        owner=_name_of(owner, listener),
        is_own=owner is not None and owner == reader,
        is_leading=row.leading == number,
        is_struck=number in row.struck,
    )


def _line_view(track: Track | None, listener: Listener) -> LineView | None:
    """Return a track's marks: up to about `TICKS` evenly spaced numbers, and every labelled one."""
    if track is None:
        return None
    told = {number: sentences.fact_view(listener, fact).text for number, fact in track.marks}
    step = max(1, -(-(track.last - track.first) // TICKS))
    numbers = sorted({*range(track.first, track.last + 1, step), *told})
    firsts = list(told)
    marks = (Mark(number, told.get(number, ""), _kind(track, number, firsts)) for number in numbers)
    return LineView(sentences.track_text(listener, track), tuple(marks), track.now is not None)


def _kind(track: Track, number: int, told: list[int]) -> str:
    if number in told:
        return f"mark mark{told.index(number)}"
    now = track.now
    passed = "" if now is None else " now" if number == now else " done" if number < now else ""
    return (passed + (" special" if number in track.special else "")).strip()


def _change_view(change: CountChange, listener: Listener) -> ChangeView:
    name = sentences.player_name(listener, change.seat)
    return ChangeView(change.seat, name, change.count, change.before, change.after)


def _player_views(
    match: Match, board: Board, facts: tuple[FactView, ...], rows: tuple[RowView, ...], listener: Listener
) -> tuple[PlayerView, ...]:
    seats = len(match.setup.names)
    shown: tuple[Fact | CardRow, ...] = (*board.facts, *board.cards)
    # board positions without a player come last
    unseated = sorted({row.seat for row in shown if row.seat is not None and row.seat >= seats})
    standings = (*match.setup.game.rules.standings(match.state), *(Standing(seat, 0, {}) for seat in unseated))
    return tuple(_player_view(match, board, standing, facts, rows, listener) for standing in standings)


def _player_view(
    match: Match,
    board: Board,
    standing: Standing,
    facts: tuple[FactView, ...],
    rows: tuple[RowView, ...],
    listener: Listener,
) -> PlayerView:
    seat, outcome = standing.seat, match.outcome
    return PlayerView(
        seat=seat,
        name=sentences.player_name(listener, seat),
        place=standing.place,
        counts=tuple(
            CountView(key, count, sentences.count_text(listener, key, count))
            for key, count in standing.counts.items()
        ),
        facts=_weightiest(each for each in facts if each.fact.seat == seat),
        rows=_open_rows(rows, seat),
        is_out=standing.out,
        is_asked=any(seat in ask.seats for ask in match.asks),
        is_winner=outcome is not None and seat in outcome.winners,
        has_turn=outcome is None and board.turn == seat,
    )


def _weightiest(facts: Iterable[FactView]) -> tuple[FactView, ...]:
    return tuple(sorted(facts, key=lambda each: WEIGHTS.index(each.weight)))


def _open_rows(rows: Iterable[RowView], seat: int | None) -> tuple[RowView, ...]:
    open_rows = (each for each in rows if each.row.seat == seat and each.cards)
    return tuple(sorted(open_rows, key=lambda each: WEIGHTS.index(each.row.weight)))


# rulings, decisions and reveals


@lru_cache(NEWS_KEPT)
def ruling_texts(match: Match, language: Language) -> tuple[str, ...]:
    """Return the newest rulings as text, with the names of the players seated at that time."""
    listener = _listener_ruled(match, language)
    return tuple(sentences.ruling_text(listener, ruling) for ruling in match.rulings)


def step_texts(match: Match, step: Step, language: Language) -> tuple[str, ...]:
    """Return a step's rulings as text, with the names of the players seated at that time."""
    listener = sentences.listener_when(match.setup, seatings_of(match), step.heard_at, language)
    return tuple(sentences.ruling_text(listener, ruling) for ruling in step.rulings)


def _listener_ruled(match: Match, language: Language) -> Listener:
    return sentences.listener_when(match.setup, seatings_of(match), _ruled_at(match), language)


@lru_cache(NEWS_KEPT)
def news_texts(match: Match, language: Language) -> tuple[str, ...]:
    """Return the newest rulings as text, followed by new insights about the round."""
    insight, before = match.setup.game.shown.insight, match.before
    known = insight(match.state)
    fresh = known if before is None or known != insight(before.state) else ()
    listener = _listener_ruled(match, language)
    return (*ruling_texts(match, language), *(sentences.ruling_text(listener, ruling) for ruling in fresh))


def ask_text(listener: Listener, game: Game, before: Position, key: str, reader: int | None = None) -> str:
    questions = questions_in(game, before.state, before.asks, reader)
    return sentences.question_text(listener, next(each for each in questions if key in each.asks), reader)


def answer_text(listener: Listener, game: Game, state: Any, answer: Answer) -> str:
    told, seat = sentences.value_text(listener, value_counted(game, state, answer)), answer.seat
    return told if seat is None else sentences.labelled_text(listener.language, listener.names[seat], told)


def _verdict_view(
    match: Match, seatings: Seatings, listener: Listener, reader: int | None
) -> VerdictView | None:
    decision = last_decision(match)
    if decision is None:
        return None
    verdict, actors = decision.verdict, seatings.actors(decision.heard_at)
    by, you = _by_actors(listener, actors, reader)
    name = sentences.face_name(listener, verdict.face) if verdict.face else ""
    return VerdictView(sentences.verdict_text(by, verdict, you), verdict.is_good, verdict.face, name)


def _scene_view(
    match: Match, seatings: Seatings, verdict: VerdictView, listener: Listener, reader: int | None
) -> SceneView | None:
    reveal, since = reveal_of(match), beginning_of_scene(match)
    if reveal is None:
        return None
    by, you = _by_actors(listener, seatings.actors(match.number, since), reader)
    return SceneView(
        heading=sentences.reveal_view(by, reveal, you),
        rows=tuple(_row_view(row, by, you) for row in reveal.rows),
        headline=_headline_view(reveal.headline, by),
        line=_line_view(reveal.track, by),
        changes=tuple(_change_view(each, listener) for each in _changes(match)),
        verdict=verdict,
        goes_on=_goes_on(reveal, listener.language),
        won=reveal.won,
        lost=reveal.lost,
        unowned=() if reader is None else may_be_of(match, reader),
        asides=tuple(_aside_view(each, by) for each in reveal.asides),
        held=tuple(sentences.aside_text(by, each) for each in reveal.held),
    )


def _aside_view(aside: Aside, listener: Listener) -> AsideView:
    name, told = sentences.player_name(listener, aside.seat), sentences.aside_text(listener, aside)
    return AsideView(aside.seat, sentences.labelled_text(listener.language, name, told))


def _changes(match: Match) -> tuple[CountChange, ...]:
    """Return the counts changed by the newest answer; if there are none, the changes at stake."""
    standings, before = match.setup.game.rules.standings, match.before
    held = {} if before is None else {each.seat: each.counts for each in standings(before.state)}
    moved = tuple(
        CountChange(now.seat, key, held[now.seat][key], number)
        for now in sorted(standings(match.state), key=lambda each: each.seat)
        for key, number in now.counts.items()
        if held.get(now.seat, {}).get(key, number) != number
    )
    return moved or board_of(match).changes


def _goes_on(reveal: Reveal, language: Language) -> str:
    if reveal.round is None:
        return sentences.phrase_text(language, GO_ON.one, {})
    return sentences.phrase_text(language, ON_TO.one, {"number": reveal.round})
