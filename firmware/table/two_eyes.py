"""Two cameras at one table, each with eyes of its own, for the loop as one: the second never stops the first.

What the second one sees is joined to what the first one tells (`vision/process/two_cameras.py`); it is never
waited for. What is wrong with it is told by the name of a second camera, and the first one goes on alone.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from firmware.table.troubles import problem_name
from firmware.table.watcher import EyesProcess
from vision.process.messages import EvidenceKept, KeepEvidence, TroubleBegan, TroubleEnded
from vision.process.two_cameras import (
    JointStep,
    TwoCameras,
    forget_first,
    hear_first,
    hear_second,
    joint_reading,
    lose_second,
    prepare_order,
)
from vision.troubles import Problem, of_second_camera

VAIN = 2
"""Starts of the second camera's eyes without a word after which people are told."""
UNTOLD = frozenset({"no evidence", "hand stays"})
"""What is no trouble of the second camera's: the first one tells of hands, and its evidence is what counts."""


class TwoEyes:
    """The eyes of two cameras; no call waits."""

    def __init__(self, first: EyesProcess, second: EyesProcess, name: str, cameras: TwoCameras) -> None:
        self._first, self._second, self._name = first, second, name
        self._cameras = cameras
        self._starts = 0
        self._second_starts, self._vain = second.starts, 0
        self._has_told = False
        self._wrong: dict[object, Problem] = {}
        self._untold: list[TroubleBegan | TroubleEnded] = []
        self._keeping: KeepEvidence | None = None

    @property
    def starts(self) -> int:
        """Return how often the first camera's eyes were started."""
        return self._first.starts

    def news(self) -> list[Any]:
        """Give what came since the last call, joined."""
        told = [each for news in self._news_of_first() for each in self._pass_on(news)]
        for news in self._second.news():
            told += self._hear_second(news)
        told += self._note_starts()
        # people hear of the second camera once the first one is known to look, or why it doesn't
        self._has_told = self._has_told or bool(told)
        if self._has_told:
            told, self._untold = [*told, *self._untold], []
        return told

    def tell(self, message: Any) -> None:
        """Pass the first camera's eyes a message, and the second's what they must know."""
        self._cameras, first, second = prepare_order(self._cameras, message)
        if isinstance(message, KeepEvidence):
            self._note_evidence(message)
        self._first.tell(first)
        self._order(second)

    def close(self) -> None:
        """End both."""
        self._first.close()
        self._second.close()

    # the first camera

    def _news_of_first(self) -> list[Any]:
        news = self._first.news()
        if self._first.starts != self._starts:
            self._starts, self._has_told = self._first.starts, False
            self._do(forget_first(self._cameras))
        return news

    def _pass_on(self, news: Any) -> Iterable[Any]:
        if isinstance(news, EvidenceKept):
            self._keep_second_picture(news)
        return self._do(hear_first(self._cameras, news))

    def _do(self, step: JointStep) -> Iterable[Any]:
        self._cameras = step.cameras
        self._order(step.orders)
        return step.news

    def _order(self, orders: Iterable[Any]) -> None:
        for each in orders:
            self._second.tell(each)

    # evidence

    def _note_evidence(self, order: KeepEvidence) -> None:
        joint = joint_reading(self._cameras, order.reading)
        self._keeping = replace(order, reading=joint.second) if joint is not None and joint.second else None

    def _keep_second_picture(self, kept: EvidenceKept) -> None:
        """Have the second camera's picture kept, too, once the first one's has the name that counts."""
        keeping, self._keeping = self._keeping, None
        if keeping is not None and (keeping.match, keeping.moment) == (kept.match, kept.moment):
            self._second.tell(keeping)

    # the second camera

    def _hear_second(self, news: Any) -> Iterable[Any]:
        self._vain = 0
        match news:
            case TroubleBegan(problem):
                # a deck's file is told by the first camera's eyes, which have the same
                is_told = problem.key not in UNTOLD and "file" not in problem.values
                return self._begin_trouble(problem) if is_told else ()
            case TroubleEnded(problem):
                self._end_trouble(problem)
                return ()
            case _:
                self._end_trouble(SILENT)
                return self._do(hear_second(self._cameras, news))

    def _begin_trouble(self, problem: Problem) -> Iterable[Any]:
        """Note what is wrong; without a picture, what it has seen doesn't count any more."""
        name = problem_name(problem)
        if name not in self._wrong:
            self._wrong[name] = problem
            self._untold.append(TroubleBegan(of_second_camera(problem, self._name)))
        is_blind = "camera" in problem.values or problem == SILENT
        return self._do(lose_second(self._cameras)) if is_blind else ()

    def _end_trouble(self, problem: Problem) -> None:
        known = self._wrong.pop(problem_name(problem), None)
        if known is not None:
            self._untold.append(TroubleEnded(of_second_camera(known, self._name)))

    def _note_starts(self) -> Iterator[Any]:
        """Note new eyes of the second camera: they see anew what is wrong; some never tell anything."""
        if self._second.starts == self._second_starts:
            return
        self._second_starts, self._vain = self._second.starts, self._vain + 1
        for problem in [
            each for each in self._wrong.values() if "camera" not in each.values and each != SILENT
        ]:
            self._end_trouble(problem)
        yield from self._do(lose_second(self._cameras))
        if self._vain > VAIN:
            yield from self._begin_trouble(SILENT)


SILENT = Problem("silent")
"""Eyes that are started again and again, and tell nothing."""
