"""What Plenty Coups has decided: raids, alliances, taunts, gifts; until the next deed is tried."""

from collections.abc import Mapping
from itertools import accumulate

from referee.contract import (
    CardRow,
    Count,
    Fact,
    Reveal,
    Ruling,
    Verdict,
    Verdicts,
    Weight,
    make_fact,
    make_verdict,
)
from referee.contract.verdicts import Said
from referee.contract.words import Phrase, Wording, phrase
from referee.games.plenty_coups.deck import VALUE


def joined(rulings: tuple[Ruling, ...]) -> Verdict | None:
    """Tell a raid in one: with the weapons that turn it away, or the horse that it takes, and the feat."""
    said: Said = {ruling.key: ruling.values for ruling in rulings}
    end = "-feat" if "feat" in said else ""
    if "repels" in said:
        raid = said["repels"]
        weapons = raid["weapons"]
        return make_verdict(
            f"repelled{end}", face=weapons[0], seat=raid["seat"], raider=raid["raider"], weapons=weapons
        )
    if "takes-horse" in said and rulings[-1].key in {"takes-horse", "feat"}:
        return make_verdict(f"raided{end}", **said["takes-horse"])
    return None


def reveal(rulings: tuple[Ruling, ...]) -> Reveal | None:
    """Set the riders of a raid against the weapons that turn it away, or show them come home."""
    said: Said = {ruling.key: ruling.values for ruling in rulings}
    if "repels" in said:
        raid = said["repels"]
        raider, target, weapons = raid["raider"], raid["seat"], raid["weapons"]
        riders = raid["cards"]
        camps = (
            CardRow(
                "raiders",
                riders,
                Weight.KEY,
                raider,
                notes=_strengths(riders),
                struck=tuple(range(len(riders))),
            ),
            CardRow("laid", weapons, Weight.KEY, target, notes=_strengths(weapons)),
        )
        values = {"seat": raider, "target": target}
        return Reveal("raided", values, camps, won=(target,), lost=(raider,))
    if "comes-home" not in said:
        return None
    raid = said["comes-home"]
    rows = (CardRow("raiders", raid["cards"], Weight.KEY, raid["seat"]),)
    lost = (raid["target"],) if "takes-horse" in said else ()
    return Reveal(
        "raided", {"seat": raid["seat"], "target": raid["target"]}, rows, won=(raid["seat"],), lost=lost
    )


def _strengths(cards: tuple[str, ...]) -> tuple[Fact, ...]:
    """Say under each card what it and those before it are worth together, as they are printed."""
    return tuple(
        make_fact("strength", value=Count(value)) for value in accumulate(VALUE[card] for card in cards)
    )


VERDICTS = Verdicts(
    claims=frozenset({"raids", "proposes", "taunts", "offers", "hunts"}),
    decides=frozenset(
        {
            "repels",
            "takes-horse",
            "no-horse",
            "feat",
            "breeds",
            "outbid",
            "seals",
            "neutral-ally",
            "neutral-ends",
            "alliance-ends",
            "lapses",
            "proves",
            "unproven",
            "exchange",
            "donates",
            "too-late",
        }
    ),
    joined=joined,
    reveals=frozenset({"repels", "comes-home"}),
    begins=frozenset({"repels", "comes-home"}),
    reveal=reveal,
)

HEADINGS: Mapping[str, Phrase | Wording] = {
    "raided": Wording(
        phrase("{seat:player} raided {target:player} for a horse"),
        to={
            "seat": phrase("You raided {target:player} for a horse"),
            "target": phrase("{seat:player} raided you for a horse"),
        },
    ),
}
SENTENCES: Mapping[str, Phrase | Wording] = {
    "repelled": Wording(
        phrase("{seat:player} turned {raider:player}'s raid away with {weapons:plus}."),
        to={
            "seat": phrase("You turned {raider:player}'s raid away with {weapons:plus}."),
            "raider": phrase("{seat:player} turned your raid away with {weapons:plus}."),
        },
    ),
    "repelled-feat": Wording(
        phrase("{seat:player} turned {raider:player}'s raid away, and made it a feat."),
        to={
            "seat": phrase("You turned {raider:player}'s raid away, and made it a feat."),
            "raider": phrase("{seat:player} turned your raid away, and made it a feat."),
        },
    ),
    "raided": Wording(
        phrase("{seat:player}'s raid took a horse from {target:player}."),
        to={
            "seat": phrase("Your raid took a horse from {target:player}."),
            "target": phrase("{seat:player}'s raid took a horse from you."),
        },
    ),
    "raided-feat": Wording(
        phrase("{seat:player}'s raid took a horse from {target:player}: a feat."),
        to={
            "seat": phrase("Your raid took a horse from {target:player}: a feat."),
            "target": phrase("{seat:player}'s raid took a horse from you: a feat."),
        },
    ),
    "feat": phrase("{seat:player} has made a feat."),
    "outbid": phrase("{seat:player}'s proposal to {target:player} is outbid."),
    "seals": Wording(
        phrase("{seat:player} and {target:player} are allies now."),
        to={
            "seat": phrase("You and {target:player} are allies now."),
            "target": phrase("You and {seat:player} are allies now."),
        },
    ),
    "neutral-ally": phrase("{seat:player} is allied with a clan without a player."),
    "neutral-ends": phrase("{seat:player} has no neutral ally any more."),
    "alliance-ends": phrase("{seat:player} and {target:player} are no allies any more."),
    "lapses": phrase("{target:player} did not accept {seat:player}'s alliance."),
    "proves": Wording(
        phrase("{seat:player} has proved worthy, and loses nothing."),
        to={"seat": phrase("You have proved worthy, and lose nothing.")},
    ),
    "unproven": Wording(
        phrase("{seat:player} has not answered the taunt."),
        to={"seat": phrase("You have not answered the taunt.")},
    ),
    "too-late": phrase("{seat:player}'s raid on {target:player} came too late."),
}
