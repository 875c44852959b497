"""The moods of the rulings of Plenty Coups. None of its options needs a gesture of its own."""

from collections.abc import Mapping

from referee.contract import Cue, Mood

CUES: Mapping[str, Cue] = {
    "round": Cue(Mood.SEASON),
    "winter": Cue(Mood.SEASON, ""),
    "raids": Cue(Mood.CLAIM),
    "chased": Cue(Mood.LOSS),
    "repels": Cue(Mood.COUNTER),
    "takes-horse": Cue(Mood.GAIN),
    "feat": Cue(Mood.TRICK),
    "gains": Cue(Mood.GAIN),
    "loses": Cue(Mood.LOSS),
    "breeds": Cue(Mood.GAIN),
    "proposes": Cue(Mood.CLAIM),
    "outbid": Cue(Mood.LOSS),
    "seals": Cue(Mood.GAIN),
    "neutral-ally": Cue(Mood.GAIN),
    "alliance-ends": Cue(Mood.LOSS),
    "neutral-ends": Cue(Mood.LOSS),
    "taunts": Cue(Mood.CALL),
    "proves": Cue(Mood.TRUTH),
    "unproven": Cue(Mood.LIE),
    "too-late": Cue(Mood.LOSS),
    "won": Cue(Mood.WIN, "seats"),
}
