"""What Ogallala has decided: canoes that are whole, taken or sunk, cards that are lost."""

from collections.abc import Mapping

from referee.contract import CardRow, Reveal, Ruling, Verdict, Verdicts, Weight, make_headline, make_verdict
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

HEADINGS: Mapping[str, Phrase | Wording] = {
    "completed": Wording(
        phrase("Canoe number {canoes} of {seat:player} is whole"),
        to={"seat": phrase("Your canoe number {canoes} is whole")},
    ),
    "attacked": Wording(
        phrase("{seat:player} attacked {target:player}, with {own} against ⟦{strength}⟧"),
        to={
            "seat": phrase("You attacked {target:player}, with {own} against ⟦{strength}⟧"),
            "target": phrase("{seat:player} attacked you, with {own} against ⟦{strength}⟧"),
        },
    ),
}
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
