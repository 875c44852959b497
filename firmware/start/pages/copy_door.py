"""What the pages are told of second copies, and what the host does with them."""

from collections.abc import Callable, Sequence
from pathlib import Path

from firmware.language.speaking import _
from firmware.language.storage_troubles import left_out_lines
from firmware.language.troubles import problem_text
from firmware.parts.second_copy import SecondCopies
from firmware.storage.second_copy.jobs import JobReport, KeptCopy, PlaceReport
from referee.telling import Language
from webui.doors.companion import CopyInPlace, PlaceOfCopies


class CopiesOnPages:
    """Second copies of this table; what hinders them is OSError, in one line."""

    def __init__(self, copies: SecondCopies, restart: Callable[[], None]) -> None:
        """Take what keeps them, and how to start the table again."""
        self._copies = copies
        self.restart = restart

    def places(self, language: Language) -> Sequence[PlaceOfCopies]:
        """List the places as they were seen last."""
        return tuple(_place(place, language) for place in self._copies.news().report.places)

    def use(self, root: str) -> None:
        """Keep copies on a stick that was seen."""
        if root not in {place.root for place in self._copies.news().report.places}:
            raise OSError(_("That stick isn't plugged in any more."))
        _raise_trouble(self._copies.use(Path(root)))

    def restore(self, root: str, table: str, name: str) -> Sequence[str]:
        """Lay a copy that was seen ready for the next start."""
        seen = {
            (place.root, copy.table, copy.name)
            for place in self._copies.news().report.places
            for copy in place.copies
        }
        if (root, table, name) not in seen:
            raise OSError(_("That copy isn't there any more."))
        report = self._copies.restore(Path(root), table, name)
        _raise_trouble(report)
        return tuple(left_out_lines(report.left_out, report.missing, was_damaged=report.was_damaged))


def _place(place: PlaceReport, language: Language) -> PlaceOfCopies:
    trouble = "" if place.trouble is None else problem_text(place.trouble, language)
    copies = tuple(map(_copy, place.copies))
    return PlaceOfCopies(place.root, Path(place.root).name, place.free, place.is_used, copies, trouble)


def _copy(copy: KeptCopy) -> CopyInPlace:
    made = copy.made[:16].replace("T", " ")
    return CopyInPlace(copy.table, copy.name, made, copy.matches, copy.is_own)


def _raise_trouble(report: JobReport) -> None:
    if report.trouble is not None:
        raise OSError(problem_text(report.trouble))
