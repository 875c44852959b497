"""What killed tables came to."""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct


class Figures(Struct):
    """What is counted over all kills."""

    kills: dict[str, int] = {}
    games: dict[str, int] = {}
    """Kills by the game that was on."""
    senses: dict[str, int] = {}
    """What was entered, by who did."""
    told: int = 0
    """Moments that were told, each once."""
    counted: int = 0
    """Answers that a phone was told to count."""
    unheard: int = 0
    """Answers of which a phone heard nothing; they were said again after the next start."""
    found: int = 0
    """Of these, those that were kept all the same."""
    untold: int = 0
    """Kills that left more in the journal than anybody had been told."""
    begun: int = 0
    """New matches that the host was told to be on."""
    lay_still: int = 0
    """Starts at which the cards of the last answer lay where others were asked for."""
    lost: int = 0
    doubled: int = 0
    changed: int = 0
    """Something else asked, shown or lit than before the kill, or than the record says."""
    left: int = 0
    """Folders, drafts and processes that were left for good."""
    ready: list[float] = []
    """Seconds from the start to the sign that it is ready."""
    pages: list[float] = []
    """Seconds from the start to the first page, with what is asked."""
    work: list[float] = []
    """Seconds that processors were busy for that, in the companion: however busy they are with others."""
    again: list[float] = []
    """Seconds from the death of a companion below a supervisor to the next page; one of them is a pause."""
    alone: list[float] = []
    """Seconds for which eyes lived on without their companion."""
    blind: list[float] = []
    """Seconds until there were new eyes."""
    fell: int = 0
    """Journals that were given up: a table didn't start, or a page didn't come."""
    wrong: list[str] = []

    @property
    def is_broken(self) -> bool:
        """Tell whether a promise is broken."""
        return bool(self.lost or self.doubled or self.changed or self.left or self.fell)


def together(several: Sequence[Figures]) -> Figures:
    """Add up the figures of tables that were killed side by side."""
    whole = Figures()
    for figures in several:
        for name in Figures.__struct_fields__:
            one, more = getattr(whole, name), getattr(figures, name)
            setattr(whole, name, dict(Counter(one) + Counter(more)) if isinstance(one, dict) else one + more)
    return whole
