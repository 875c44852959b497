"""What Coup has decided: whether a claim was proved, what a block has held up, who has turned up what."""

from collections.abc import Mapping

from msgspec.structs import replace

from referee.contract import CardRow, Reveal, Ruling, Verdict, Verdicts, Weight, make_verdict
from referee.contract.verdicts import Said
from referee.contract.words import Phrase, Wording, phrase, plural


def joined(rulings: tuple[Ruling, ...]) -> Verdict | None:
    """Tell a doubt with what it has cost, a block with what it holds up, a coup with the card it struck."""
    said: Said = {ruling.key: ruling.values for ruling in rulings}
    if "disproved" in said or "concedes" in said:
        return _not_shown(said)
    if "proved" in said:
        return _shown(said)
    if "blocks" in said:
        return _blocked(said)
    return _struck(said) if "loses" in said else None


def _not_shown(said: Said) -> Verdict:
    claim = said.get("disproved") or said["concedes"]
    seat, face, lost = claim["seat"], claim["face"], said.get("loses")
    if lost is None:
        return make_verdict("not-shown", is_good=False, face=face, seat=seat, claimed=face)
    return make_verdict(
        "not-shown-lost", is_good=False, face=lost["card"], seat=seat, claimed=face, card=lost["card"]
    )


def _shown(said: Said) -> Verdict:
    seat, face = said["proved"]["seat"], said["proved"]["card"]
    gained, lost = said.get("takes") or said.get("steals"), said.get("loses")
    if gained is not None:
        return make_verdict("shown-takes", face=face, seat=seat, shown=face, coins=gained["coins"])
    if "block-holds" in said or "block-holds-spent" in said:
        return make_verdict("shown-holds", face=face, seat=seat, shown=face)
    if lost is not None:
        return make_verdict(
            "shown-lost", face=face, seat=seat, shown=face, other=lost["seat"], card=lost["card"]
        )
    return make_verdict("shown", face=face, seat=seat, shown=face, other=said["challenged"]["seat"])


def _blocked(said: Said) -> Verdict:
    block, failed = said["blocks"], said.get("block-holds") or said["block-holds-spent"]
    face = block["face"]
    return make_verdict("blocked", face=face, seat=block["seat"], claimed=face, other=failed["seat"])


def _struck(said: Said) -> Verdict:
    lost, coup = said["loses"], said.get("launches-coup") or said["claims-assassin"]
    key = "coup-lost" if "launches-coup" in said else "assassin-lost"
    card = lost["card"]
    return make_verdict(key, is_good=False, face=card, seat=lost["seat"], card=card, other=coup["seat"])


def reveal(rulings: tuple[Ruling, ...]) -> Reveal:
    """Tear the claim that wasn't shown, or set the card straight that was."""
    said: Said = {ruling.key: ruling.values for ruling in rulings}
    doubt = said["challenged"]
    sides, face = (doubt["claimant"], doubt["seat"]), doubt["face"]
    is_shown = "proved" in said
    claim = CardRow("claimed", (face,), Weight.KEY, claimed_by=sides[0], struck=() if is_shown else (0,))
    return Reveal(
        "doubted",
        doubt,
        (replace(claim, claimed_by=None, leading=0) if is_shown else claim,),
        won=sides[:1] if is_shown else sides[1:],
        lost=sides[1:] if is_shown else sides[:1],
    )


VERDICTS = Verdicts(
    claims=frozenset(
        {
            "asks-aid",
            "launches-coup",
            "claims-tax",
            "claims-assassin",
            "claims-captain",
            "claims-ambassador",
            "blocks",
            "challenged",
        }
    ),
    decides=frozenset(
        {
            "takes",
            "steals",
            "returns",
            "proved",
            "concedes",
            "disproved",
            "void",
            "void-refunded",
            "block-fails",
            "block-holds",
            "block-holds-spent",
            "loses",
            "out",
        }
    ),
    joined=joined,
    reveals=frozenset({"proved", "concedes", "disproved"}),
    reveal=reveal,
)

HEADINGS: Mapping[str, Phrase | Wording] = {
    "doubted": Wording(
        phrase("{seat:player} doubted {claimant:player}'s ⟦{face:face}⟧"),
        to={
            "seat": phrase("You doubted {claimant:player}'s ⟦{face:face}⟧"),
            "claimant": phrase("{seat:player} doubted your ⟦{face:face}⟧"),
        },
    ),
}
SENTENCES: Mapping[str, Phrase | Wording] = {
    "not-shown": Wording(
        phrase("{seat:player} shows no {claimed:face}."),
        to={"seat": phrase("You show no {claimed:face}.")},
    ),
    "not-shown-lost": Wording(
        phrase("{seat:player} showed no {claimed:face}, and turned up the {card:face}."),
        to={"seat": phrase("You showed no {claimed:face}, and turned up the {card:face}.")},
    ),
    "shown": Wording(
        phrase("{seat:player} shows the {shown:face}: {other:player} was wrong."),
        to={
            "seat": phrase("You show the {shown:face}: {other:player} was wrong."),
            "other": phrase("{seat:player} shows the {shown:face}: you were wrong."),
        },
    ),
    "shown-lost": Wording(
        phrase("{seat:player} showed the {shown:face}, and {other:player} turned up the {card:face}."),
        to={
            "seat": phrase("You showed the {shown:face}, and {other:player} turned up the {card:face}."),
            "other": phrase("{seat:player} showed the {shown:face}, and you turned up the {card:face}."),
        },
    ),
    "shown-takes": Wording(
        plural(
            "{seat:player} showed the {shown:face}, and took {coins} coin.",
            "{seat:player} showed the {shown:face}, and took {coins} coins.",
            by="coins",
        ),
        to={
            "seat": plural(
                "You showed the {shown:face}, and took {coins} coin.",
                "You showed the {shown:face}, and took {coins} coins.",
                by="coins",
            )
        },
    ),
    "shown-holds": Wording(
        phrase("{seat:player} showed the {shown:face}: the block holds."),
        to={"seat": phrase("You showed the {shown:face}: your block holds.")},
    ),
    "blocked": Wording(
        phrase("{seat:player} blocked {other:player}, and says to be the {claimed:face}."),
        to={
            "seat": phrase("You blocked {other:player} as the {claimed:face}."),
            "other": phrase("{seat:player} blocked you, and says to be the {claimed:face}."),
        },
    ),
    "coup-lost": Wording(
        phrase("{seat:player} turned up the {card:face} after {other:player}'s coup."),
        to={
            "seat": phrase("You turned up the {card:face} after {other:player}'s coup."),
            "other": phrase("{seat:player} turned up the {card:face} after your coup."),
        },
    ),
    "assassin-lost": Wording(
        phrase("{seat:player} turned up the {card:face} after {other:player}'s Assassin."),
        to={
            "seat": phrase("You turned up the {card:face} after {other:player}'s Assassin."),
            "other": phrase("{seat:player} turned up the {card:face} after your Assassin."),
        },
    ),
}
