"""Lines of matches as values, and comparisons between several copies of them."""

from collections.abc import Iterable, Iterator
from zlib import crc32

from referee.record import begun_in
from referee.sums import SealedLine


def ends_in(lines: Iterable[SealedLine]) -> dict[int, int]:
    """Return the number of lines of each match, including lost ones, by the highest line number."""
    ends: dict[int, int] = {}
    for line in lines:
        ends[line.match_id] = max(line.number + 1, ends.get(line.match_id, 0))
    return ends


def count_told(lines: Iterable[SealedLine]) -> int:
    """Return the number of lines ever written, by their numbers, including lost ones."""
    return sum(ends_in(lines).values())


def places_of(lines: Iterable[SealedLine]) -> set[tuple[int, int]]:
    return {line.place for line in lines}


def texts_in(lines: Iterable[SealedLine]) -> dict[tuple[int, int], str]:
    return {line.place: line.text for line in lines}


def record_of(lines: Iterable[SealedLine]) -> list[str]:
    """Return the record of a match; lost lines are empty."""
    texts = {line.number: line.text for line in lines}
    return [texts.get(number, "") for number in range(max(texts, default=-1) + 1)]


def in_writing_order(lines: Iterable[SealedLine]) -> list[SealedLine]:
    """Order lines by matches, the last written match last."""
    known = list(lines)
    last = {line.match_id: at for at, line in enumerate(known)}
    return sorted(known, key=lambda line: (last[line.match_id], line.number))


def merge(found: Iterable[SealedLine]) -> list[SealedLine]:
    """Merge lines, one for each number, in order; if two differ, the first one wins."""
    lines = {line.place: line for line in reversed([*found])}
    return [lines[place] for place in sorted(lines)]


def fills_gap(there: Iterable[SealedLine], found: Iterable[SealedLine]) -> bool:
    """Return whether a missing line belongs before an existing one."""
    known = list(there)
    ends = ends_in(known)
    return any(number < ends.get(match_id, 0) for match_id, number in places_of(found) - places_of(known))


def beginning_of(head: str) -> int:
    """Return the mark of a match's start: its start time, or else the whole first line."""
    return crc32((begun_in(head) or head).encode())


def beginnings_in(lines: Iterable[SealedLine]) -> dict[int, int]:
    """Return the marks of all matches whose first line is among these; the first one found wins."""
    heads = [line for line in lines if line.number == 0]
    return {head.match_id: beginning_of(head.text) for head in reversed(heads)}


def of_beginnings(lines: Iterable[SealedLine], marks: dict[int, int]) -> Iterator[SealedLine]:
    """Yield another copy's lines, except those of another match with the same number."""
    others = list(lines)
    theirs = beginnings_in(others)
    for line in others:
        mark = theirs.get(line.match_id)
        if mark is None or marks.setdefault(line.match_id, mark) == mark:
            yield line


def on_same_course(lines: Iterable[SealedLine], found: Iterable[SealedLine]) -> list[SealedLine]:
    """Remove lines after one that differs in `found`, because the match continued differently there.

    This happens if the newest lines were lost, others were played, and then a copy had the lost ones.
    """
    there, known = texts_in(found), list(lines)
    parted: dict[int, int] = {}
    for line in known:
        if line.number and there.get(line.place, line.text) != line.text:
            parted[line.match_id] = min(line.number, parted.get(line.match_id, line.number))
    return [line for line in known if line.number < parted.get(line.match_id, line.number + 1)]


def is_in(line: SealedLine, there: dict[tuple[int, int], str]) -> bool:
    """Return whether a line is among texts; a first line may have other names there."""
    text = there.get(line.place)
    if text is None or line.number:
        return text == line.text
    return beginning_of(text) == beginning_of(line.text)
