"""The moods of Coyote's rulings."""

from collections.abc import Mapping

from referee.contract import Cue, Mood

CALL = Cue(Mood.CALL)

CUES: Mapping[str, Cue] = {
    "round": Cue(Mood.SEASON, "opener"),
    "doubled": Cue(Mood.CLAIM),
    "called": CALL,
    "called-double": CALL,
    "guess-right": Cue(Mood.TRUTH),
    "guess-right-open": Cue(Mood.TRUTH),
    "guess-wrong": Cue(Mood.LIE),
    "enough": Cue(Mood.TRUTH, "bidder"),
    "short": Cue(Mood.LIE, "bidder"),
    "mark": Cue(Mood.LOSS),
    "out": Cue(Mood.OUT),
    "won": Cue(Mood.WIN),
}
