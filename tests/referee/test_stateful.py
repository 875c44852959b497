"""Anything that people may do to a match, in any order: the state stays the fold of what stands."""

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from hardware.twin.player import any_answer
from referee.contract import Answer, Choice, Done, Refusal
from referee.games.catalogue import GAMES
from referee.legal import ask_named
from referee.match import Correct, Match, TakeBack, correct, enter, hear, log, standing_answers, take_back
from referee.record import read_record, record_lines
from tests.referee.tables import TABLES, new_match


class AnyMatch(RuleBasedStateMachine):
    """A match that is answered, taken back, corrected, saved and read again."""

    match: Match

    @initialize(table=st.sampled_from(range(len(TABLES))))
    def begin(self, table: int) -> None:
        """Begin a match in any setting."""
        game, rules, seats = TABLES[table].values
        self.match = new_match(GAMES[game.name], rules, seats)

    @rule(rng=st.randoms(use_true_random=False), late=st.integers(0, 2))
    def answer(self, rng: "st.random.Random", late: int) -> None:
        """Answer what is asked, sometimes too late; in a window that may still be in time."""
        if self.match.asks:
            answer = any_answer(self.match.asks, self.match.number, rng)
            ask = ask_named(self.match.asks, answer.ask)
            late = 0 if isinstance(ask, Choice | Done) and ask.window is not None else late
            self.enter(msgspec.structs.replace(answer, moment=answer.moment - late), legal=late == 0)

    @rule(moment=st.integers(-1, 60), seat=st.integers(0, 5), value=st.none() | st.integers(-2, 40))
    def say_anything(self, moment: int, seat: int, value: int | None) -> None:
        """Say something at any moment; it may be legal by chance."""
        after = hear(self.match, Answer(moment, "announce", value, seat))
        self.match = after if isinstance(after, Match) else self.match

    @rule(seat=st.none() | st.integers(0, 5))
    def take_back(self, seat: int | None) -> None:
        """Take the last answer back, if that is allowed."""
        number = len(standing_answers(self.match))
        after = take_back(self.match, TakeBack(self.match.number, seat))
        if isinstance(after, Match):
            self.match = after
            assert len(standing_answers(after)) == number - 1

    @precondition(lambda self: standing_answers(self.match))
    @rule(place=st.integers(0, 1000), rng=st.randoms(use_true_random=False), strike=st.booleans())
    def correct(self, place: int, rng: "st.random.Random", *, strike: bool) -> None:
        """Correct any answer, or strike it."""
        steps = standing_answers(self.match)
        step = steps[place % len(steps)]
        new = any_answer(step.before.asks, 0, rng)
        value = msgspec.UNSET if strike or new.ask != step.answer.ask else new.value
        after = correct(self.match, Correct(self.match.number, step.heard_at, value))
        assert isinstance(after, Match)
        self.match = after

    def enter(self, answer: Answer, *, legal: bool) -> None:
        """Enter an answer that is legal, or that must be refused."""
        after = enter(self.match, answer)
        assert isinstance(after, Refusal) != legal
        self.match = after if isinstance(after, Match) else self.match

    @invariant()
    def state_is_the_fold_of_the_log(self) -> None:
        """Read what was written: it must be the same match."""
        again = read_record(record_lines(self.match))
        assert again.fault is None
        assert again.match is not None
        assert msgspec.json.encode(again.match.state) == msgspec.json.encode(self.match.state)
        assert again.match.asks == self.match.asks

    @invariant()
    def moments_count_entries(self) -> None:
        """Every entry is one moment, and answers that stand are in order."""
        assert self.match.number == len(log(self.match))
        heard = [step.heard_at for step in standing_answers(self.match)]
        assert heard == sorted(set(heard))


TestAnyMatch = AnyMatch.TestCase
TestAnyMatch.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
