"""What Ogallala has decided, how it feels: canoes that are whole, taken or sunk, cards that are lost."""

from collections.abc import Mapping

from referee.contract import (
    CardRow,
    Cue,
    Mood,
    Reveal,
    Ruling,
    Verdict,
    Verdicts,
    Weight,
    make_headline,
    make_verdict,
)
from referee.contract.verdicts import Said


def joined(rulings: tuple[Ruling, ...]) -> Verdict | None:
    """Tell an attack by itself, whatever of the canoe was booty, and a canoe with its first card."""
    said: Said = {ruling.key: ruling.values for ruling in rulings}
    if "attacks" in said:
        return make_verdict("attacks", is_good=False, **said["attacks"])
    if rulings[-1].key == "completes":
        canoe = said["completes"]
        return make_verdict("completes", face=canoe["cards"][0], seat=canoe["seat"], strength=canoe["strength"])
    return None


def reveal(rulings: tuple[Ruling, ...]) -> Reveal:
    """Show the canoe that is whole, or what an attack has taken and what is lost with it."""
    said: Said = {ruling.key: ruling.values for ruling in rulings}
    if "attacks" in said:
        return _attack(said)
    canoe = said["completes"]
    row = CardRow("canoe", canoe["cards"], Weight.KEY, leading=len(canoe["cards"]) - 1)
    values = {"seat": canoe["seat"], "canoes": canoe["canoes"]}
    headline = make_headline("canoe", strength=canoe["strength"])
    return Reveal("completed", values, (row,), headline, won=(canoe["seat"],))


def _attack(said: Said) -> Reveal:
    attack = said["attacks"]
    seat, target = attack["seat"], attack["target"]
    rows = [CardRow("booty", said["captures"]["cards"], Weight.KEY, seat)] if "captures" in said else []
    if "crew-lost" in said:
        crew = said["crew-lost"]["cards"]
        rows.append(CardRow("crew", crew, Weight.KEY, target, struck=tuple(range(len(crew)))))
    headline = make_headline("strength", seat=seat, strength=attack["own"])
    return Reveal("attacked", attack, tuple(rows), headline, won=(seat,), lost=(target,))


LAID = frozenset({"first", "put", "push-right", "push-left", "slide-right", "slide-left"})

VERDICTS = Verdicts(
    claims=LAID | {"attacks", "count-canoe"},
    decides=frozenset(
        {
            "attacks",
            "completes",
            "ropes",
            "shoots",
            "sinks",
            "lapses",
            "spares",
            "unplaced",
            "goes-on",
            "ends",
            "fifth",
            "no-cards",
            "canoe-points",
        }
    ),
    joined=joined,
    reveals=frozenset({"completes", "attacks"}),
    reveal=reveal,
)

CUES: Mapping[str, Cue] = {
    "completes": Cue(Mood.TRICK),
    "ropes": Cue(Mood.LOSS, "target"),
    "shoots": Cue(Mood.LOSS, "target"),
    "sinks": Cue(Mood.LOSS),
    "attacks": Cue(Mood.CLAIM),
    "crew-lost": Cue(Mood.LOSS),
    "captures": Cue(Mood.GAIN),
    "may-end": Cue(Mood.CLAIM),
    "ends": Cue(Mood.SEASON),
    "fifth": Cue(Mood.SEASON),
    "no-cards": Cue(Mood.SEASON, ""),
    "won": Cue(Mood.WIN, "seats"),
    "shared": Cue(Mood.WIN, "seats"),
}
