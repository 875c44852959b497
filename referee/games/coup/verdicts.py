"""What Coup has decided: whether a claim was proved, what a block held up, who turned what up; the moods."""

from collections.abc import Mapping

from referee.contract import CardRow, Cue, Mood, Reveal, Ruling, Verdict, Verdicts, Weight, make_verdict
from referee.contract.verdicts import Said
from referee.games.coup.state import ACTIONS

ANNOUNCED = tuple(action.said for action in ACTIONS.values() if action.said)
"""Rulings that announce an action."""
CUES: Mapping[str, Cue] = {
    **dict.fromkeys(ANNOUNCED, Cue(Mood.CLAIM)),
    "blocks": Cue(Mood.COUNTER),
    "challenged": Cue(Mood.CALL),
    "proved": Cue(Mood.TRUTH),
    "concedes": Cue(Mood.LIE),
    "disproved": Cue(Mood.LIE),
    "takes": Cue(Mood.GAIN),
    "steals": Cue(Mood.GAIN),
    "loses": Cue(Mood.LOSS),
    "out": Cue(Mood.OUT),
    "won": Cue(Mood.WIN),
}


def joined(rulings: tuple[Ruling, ...]) -> Verdict | None:
    """Tell a doubt with what it has cost, a block with what it holds up, a coup with the card it struck."""
    said: Said = {ruling.key: ruling.values for ruling in rulings}
    if rulings[-1].key == "takes" and rulings[-1].values["wanted"] == ACTIONS["income"].gain:
        return None  # it claims nothing: what was decided before it is another story
    if "disproved" in said or "concedes" in said:
        return _not_shown(said)
    if "proved" in said:
        return _shown(said)
    if "blocks" in said:
        block, failed = said["blocks"], said.get("block-holds") or said["block-holds-spent"]
        face = block["face"]
        return make_verdict("blocked", face=face, seat=block["seat"], claimed=face, other=failed["seat"])
    return _struck(said) if "loses" in said else None


def _not_shown(said: Said) -> Verdict:
    claim, lost = said.get("disproved") or said["concedes"], said.get("loses")
    seat, face = claim["seat"], claim["face"]
    if lost is None:
        return make_verdict("not-shown", is_good=False, face=face, seat=seat, claimed=face)
    card = lost["card"]
    return make_verdict("not-shown-lost", is_good=False, face=card, seat=seat, claimed=face, card=card)


def _shown(said: Said) -> Verdict:
    seat, face = said["proved"]["seat"], said["proved"]["card"]
    gained, lost = said.get("takes") or said.get("steals"), said.get("loses")
    if gained is not None:
        return make_verdict("shown-takes", face=face, seat=seat, shown=face, coins=gained["coins"])
    if "block-holds" in said or "block-holds-spent" in said:
        return make_verdict("shown-holds", face=face, seat=seat, shown=face)
    if lost is None:
        return make_verdict("shown", face=face, seat=seat, shown=face, other=said["challenged"]["seat"])
    return make_verdict("shown-lost", face=face, seat=seat, shown=face, other=lost["seat"], card=lost["card"])


def _struck(said: Said) -> Verdict:
    key = "coup-lost" if "launches-coup" in said else "assassin-lost"
    lost, coup = said["loses"], said.get("launches-coup") or said["claims-assassin"]
    card = lost["card"]
    return make_verdict(key, is_good=False, face=card, seat=lost["seat"], card=card, other=coup["seat"])


def reveal(rulings: tuple[Ruling, ...]) -> Reveal:
    """Tear the claim that wasn't shown, or set the card straight that was."""
    said: Said = {ruling.key: ruling.values for ruling in rulings}
    doubt = said["challenged"]
    seat, doubter, face = (doubt["claimant"],), (doubt["seat"],), (doubt["face"],)
    if "proved" in said:
        row = CardRow("claimed", face, Weight.KEY, leading=0)
        return Reveal("doubted", doubt, (row,), won=seat, lost=doubter)
    row = CardRow("claimed", face, Weight.KEY, claimed_by=doubt["claimant"], struck=(0,))
    return Reveal("doubted", doubt, (row,), won=doubter, lost=seat)


PROOFS = frozenset({"proved", "concedes", "disproved"})
VERDICTS = Verdicts(
    claims=frozenset({*ANNOUNCED, "blocks", "challenged"}),
    decides=PROOFS
    | {"takes", "steals", "returns", "void", "void-refunded", "loses", "out"}
    | {"block-fails", "block-holds", "block-holds-spent"},
    joined=joined,
    reveals=PROOFS,
    reveal=reveal,
)
