"""What Ogallala has decided: canoes that are whole, taken or sunk, cards that are lost."""

from collections.abc import Mapping

from referee.contract import Ruling, Verdict, Verdicts, make_verdict
from referee.contract.verdicts import Said
from referee.contract.words import Phrase, Wording, phrase


def joined(rulings: tuple[Ruling, ...]) -> Verdict | None:
    """Tell an attack by itself, whatever of the canoe was booty, and a canoe with its first card."""
    said: Said = {ruling.key: ruling.values for ruling in rulings}
    if "attacks" in said:
        return make_verdict("attacks", is_good=False, **said["attacks"])
    if rulings[-1].key == "completes":
        canoe = said["completes"]
        return make_verdict("completes", face=canoe["cards"][0], seat=canoe["seat"], strength=canoe["strength"])
    return None


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
)

SENTENCES: Mapping[str, Phrase | Wording] = {
    "attacks": Wording(
        phrase("{seat:player} took {target:player}'s canoe, with {own} against {strength}."),
        to={
            "seat": phrase("You took {target:player}'s canoe, with {own} against {strength}."),
            "target": phrase("{seat:player} took your canoe, with {own} against {strength}."),
        },
    ),
    "completes": Wording(
        phrase("{seat:player} has completed a canoe of strength {strength}."),
        to={"seat": phrase("You have completed a canoe of strength {strength}.")},
    ),
    "sinks": Wording(phrase("{seat:player}'s canoe has sunk."), to={"seat": phrase("Your canoe has sunk.")}),
    "shoots": phrase("{seat:player}'s Archer shot at {target:player}'s {card:face}."),
    "unplaced": phrase("{seat:player} had no place for {cards:faces}."),
    "lapses": phrase("{card:face} found nothing to aim at."),
}
