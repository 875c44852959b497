"""What Plenty Coups' rulings are told as: moods, verdicts until the next deed is tried, statistics."""

from collections.abc import Iterator, Mapping
from itertools import accumulate

from msgspec.structs import replace

from referee.contract import (
    CardRow,
    Count,
    Cue,
    Fact,
    Feat,
    Mood,
    Rate,
    Reveal,
    Ruling,
    StatisticsRules,
    Stretch,
    Verdict,
    Verdicts,
    Weight,
    make_fact,
    make_verdict,
)
from referee.contract.verdicts import Said
from referee.games.plenty_coups.state import VALUE
from referee.kit.answers import seat_named

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
OPTION_MOODS = {"raid": Mood.CLAIM, "double-raid": Mood.CLAIM, "taunt": Mood.CLAIM, "defend": Mood.COUNTER}


def joined(rulings: tuple[Ruling, ...]) -> Verdict | None:
    """Tell a raid in one: with the weapons that turn it away, or the horse that it takes, and the feat."""
    said: Said = {ruling.key: ruling.values for ruling in rulings}
    end = "-feat" if "feat" in said else ""
    if "repels" in said:
        raid = {name: said["repels"][name] for name in ("seat", "raider", "weapons")}
        return make_verdict(f"repelled{end}", face=raid["weapons"][0], **raid)
    if "takes-horse" in said and rulings[-1].key in {"takes-horse", "feat"}:
        return make_verdict(f"raided{end}", **said["takes-horse"])
    return None


def reveal(rulings: tuple[Ruling, ...]) -> Reveal | None:
    """Set the riders of a raid against the weapons that turn it away, or show them come home."""
    said: Said = {ruling.key: ruling.values for ruling in rulings}
    raid = said.get("repels", said.get("comes-home"))
    if raid is None:
        return None
    is_repelled = "repels" in said
    raider, target = (raid["raider"], raid["seat"]) if is_repelled else (raid["seat"], raid["target"])
    rows = [CardRow("raiders", raid["cards"], Weight.KEY, raider)]
    if is_repelled:
        struck, notes = tuple(range(len(raid["cards"]))), _strengths(raid["cards"])
        rows = [replace(rows[0], struck=struck, notes=notes)]
        rows += [CardRow("laid", raid["weapons"], Weight.KEY, target, notes=_strengths(raid["weapons"]))]
    won, lost = (target, raider) if is_repelled else (raider, target)
    has_lost = is_repelled or "takes-horse" in said
    return Reveal(
        "raided", {"seat": raider, "target": target}, tuple(rows), won=(won,), lost=(lost,) if has_lost else ()
    )


def _strengths(cards: tuple[str, ...]) -> tuple[Fact, ...]:
    """Say under each card what it and those before it are worth together, as they are printed."""
    worths = accumulate(VALUE[card] for card in cards)
    return tuple(make_fact("strength", value=Count(value)) for value in worths)


_DECIDES = frozenset({
    "repels", "takes-horse", "no-horse", "feat", "breeds", "outbid", "seals", "neutral-ally", "neutral-ends",
    "alliance-ends", "lapses", "proves", "unproven", "exchange", "donates", "too-late",
})  # fmt: skip
VERDICTS = Verdicts(
    claims=frozenset({"raids", "proposes", "taunts", "offers", "hunts"}),
    decides=_DECIDES,
    joined=joined,
    reveals=frozenset({"repels", "comes-home"}),
    begins=frozenset({"repels", "comes-home"}),
    reveal=reveal,
)

TOLD = {
    "raids": "raids",
    "comes-home": "raids-home",
    "takes-horse": "horses-taken",
    "repels": "repelled",
    "feat": "feats-scored",
    "breeds": "bred",
    "exchange": "gifts",
    "proposes": "proposals",
    "seals": "alliances",
    "neutral-ally": "neutral-alliances",
    "taunts": "taunts",
    "unproven": "unproven",
    "proves": "proved",
    "donates": "donations",
    "hunts": "hunts",
    "turn-over": "turns",
}
"""Rulings that count for the seat that they name, and as what."""
ALSO = {
    "takes-horse": ("target", "horses-lost"),
    "taunts": ("target", "taunted"),
    "seals": ("target", "sealed"),
}
"""Rulings that count for another seat, too."""


def ends(stretch: Stretch) -> bool:
    """Tell whether a round is over: another one begins, and it isn't the first."""
    return stretch.before.round > 0 and any(ruling.key == "round" for ruling in stretch.rulings)


def feats(stretch: Stretch) -> tuple[Feat, ...]:
    """List what the players did in a round; the neutral clan of two players has no player."""
    players = stretch.before.players
    return tuple(feat for ruling in stretch.rulings for feat in _feats(ruling) if feat.seat < players)


def _feats(ruling: Ruling) -> Iterator[Feat]:
    if ruling.key in TOLD:
        yield Feat(seat_named(ruling), TOLD[ruling.key])
    if ruling.key in ALSO:
        who, what = ALSO[ruling.key]
        yield Feat(seat_named(ruling, who), what)


COUNTING = StatisticsRules(
    ends=ends,
    feats=feats,
    rates=(
        Rate("rate-raids", "raids-home", "raids"),
        Rate("rate-proposals", "sealed", "proposals"),
        Rate("rate-taunts", "proved", "taunted"),
    ),
    begins=("elder", "seat"),
    score="renown",
)
