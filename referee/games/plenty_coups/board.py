"""Plenty Coups' public display: face-up cards, actions and questions, the latest verdict, and moods."""

from collections.abc import Iterator, Mapping
from itertools import accumulate

from msgspec.structs import replace

from referee.contract import Cue, Mood, Question, make_question
from referee.contract.asks import Ask, Datum, Ruling, make_ruling
from referee.contract.board import Board, CardRow, Headline, Situation, Track, make_headline, make_situation
from referee.contract.facts import Count, Face, Fact, Seat, Weight, make_fact
from referee.contract.game import Feat, Rate, StatisticsRules, Stretch
from referee.contract.verdicts import Reveal, Said, Verdict, Verdicts, make_verdict
from referee.games.plenty_coups.clans import strength
from referee.games.plenty_coups.effects import possible_options
from referee.games.plenty_coups.rules import final
from referee.games.plenty_coups.state import (
    CLAN,
    ROUNDS,
    VALUE,
    WEAPONS,
    WINTER,
    Acting,
    Clan,
    Deed,
    Gifting,
    Hunting,
    Joining,
    Opening,
    Over,
    Proving,
    Raid,
    Returning,
    State,
    Taking,
    Turn,
    Turning,
)
from referee.kit.answers import seat_named

EXCUSED = {
    "house": "house rules are shown elsewhere",
    "Clan.herd": "the standings show it; of the neutral clan, the board does",
    "by": "the ruling names it",
    **dict.fromkeys(("has_proved", "has_gifted", "is_free"), "its consequences are asked or shown later"),
}


def seat_in_turn(state: State) -> int | None:
    """Return the clan in turn; with two players it may be the neutral clan."""
    turn = state.turn
    if turn is not None:
        return turn.seat
    return state.stage.seat if isinstance(state.stage, Joining | Turning) else None


def raid_in_turn(state: State) -> Raid | None:
    seat = seat_in_turn(state)
    return None if seat is None else state.raid_on(seat)


def situation(state: State) -> Situation | None:
    match state.stage:
        case Opening():
            return None
        case Joining():
            return make_situation("joining", elder=state.elder)
        case Over():
            return make_situation("over")
        case _:
            return make_situation(_situation_key(state), **_stakes(state))


SITUATIONS: dict[type, str] = {
    Turning: "turning", Taking: "taking", Returning: "returning", Hunting: "hunting", Gifting: "gifting",
    Proving: "proving",
}  # fmt: skip


def _situation_key(state: State) -> str:
    match state.stage:
        case Deed(word=word):
            return f"laying-{word}"
        case Acting(turn=turn) if not turn.left:
            return "acted"
        case Acting(turn=turn) if turn.may_score:
            return "repelled"
        case Acting():
            return "acting-raided" if raid_in_turn(state) else "acting"
        case stage:
            return next(key for kind, key in SITUATIONS.items() if isinstance(stage, kind))


def _stakes(state: State) -> dict[str, Datum]:
    stage, turn, raid = state.stage, state.turn, raid_in_turn(state)
    stakes: dict[str, Datum] = {
        "seat": seat_in_turn(state),
        "target": _target(state),
        "left": turn.left if turn else 0,
        "count": stage.count if isinstance(stage, Taking | Hunting) else 0,
    }
    return {**stakes, "raider": raid.seat, "value": raid.value} if raid else stakes


def _target(state: State) -> int | None:
    match state.stage:
        case Deed(target=target) if target >= 0:
            return target
        case Gifting(target=target) | Proving(target=target):
            return target
        case Returning(raid=raid):
            return raid.target
        case _:
            return None


WINTRY = tuple(range(WINTER, ROUNDS + 1))


def board(state: State) -> Board:
    return Board(
        facts=(*_shared(state), *_raids(state), *_proposals(state), *_of_camps(state)),
        cards=tuple(_cards(state)),
        turn=seat_in_turn(state),
        number=state.round or None,
        headline=_headline(state),
        track=Track("year", 1, ROUNDS, state.round, special=WINTRY) if state.round else None,
    )


def _headline(state: State) -> Headline | None:
    raid = raid_in_turn(state)
    if raid is not None and isinstance(state.stage, Acting | Deed):
        return make_headline("raid", seat=raid.seat, target=raid.target, value=raid.value)
    if not state.round or isinstance(state.stage, Over):
        return None
    if state.is_winter:
        return make_headline("winter", left=ROUNDS - state.round + 1)
    return make_headline("winter-in", count=WINTER - state.round)


def _shared(state: State) -> Iterator[Fact]:
    if isinstance(state.stage, Acting | Deed):
        yield make_fact("left", Weight.KEY, count=Count(state.stage.turn.left))
    if state.round:
        yield make_fact("round", number=Count(state.round), rounds=Count(ROUNDS))
        until = WINTER - state.round
        yield make_fact("winter") if state.is_winter else make_fact("winter-in", count=Count(until))
    if not isinstance(state.stage, Opening):
        yield make_fact("elder", Weight.SIDE, who=Seat(state.elder))
    yield make_fact("plain", count=Count(state.plain))
    yield make_fact("pile", Weight.SIDE, count=Count(state.pile))


def _raids(state: State) -> Iterator[Fact]:
    for raid in state.raids:
        key = "raid-without-feat" if raid.is_feat else "raid"
        weight = Weight.KEY if raid.target == seat_in_turn(state) else Weight.MAIN
        yield make_fact(key, weight, raid.target, by=Seat(raid.seat), value=Count(raid.value))


def _proposals(state: State) -> Iterator[Fact]:
    for proposal in state.proposals:
        yield make_fact("proposal", seat=proposal.seat, to=Seat(proposal.target), card=Face(proposal.card))


def _of_camps(state: State) -> Iterator[Fact]:
    for seat, clan in enumerate(state.clans):
        yield from _of_camp(state, seat, clan)
        if state.player_of(seat) != seat:
            yield make_fact("played-by", seat=seat, who=Seat(state.player_of(seat)))
        if seat >= state.players:
            yield make_fact("renown", seat=seat, count=Count(clan.feats + final(state, seat).herd))
            yield make_fact("feats", seat=seat, count=Count(clan.feats))
            yield make_fact("horses", seat=seat, count=Count(clan.herd))


def _of_camp(state: State, seat: int, clan: Clan) -> Iterator[Fact]:
    partner = state.ally(seat)
    if clan.colour:
        yield make_fact("clan", seat=seat, clan=Face(clan.colour))
    if partner is not None:
        yield make_fact("ally", seat=seat, who=Seat(partner))
    elif clan.bond:
        yield make_fact("neutral-ally", seat=seat, clan=Face(CLAN[clan.bond]))
    if clan.is_taunted:
        yield make_fact("taunted", seat=seat)
    yield make_fact("hand", seat=seat, count=Count(clan.cards))
    yield make_fact("markers", Weight.SIDE, seat, count=Count(state.plain_markers(seat)))


def _cards(state: State) -> Iterator[CardRow]:
    stage = state.stage
    if state.display:
        yield CardRow("display", state.display, Weight.KEY if isinstance(stage, Taking) else Weight.MAIN)
    if isinstance(stage, Deed) and stage.laid:
        yield CardRow("laid", stage.laid, Weight.KEY, stage.turn.seat)
    if state.discard:
        yield CardRow("discard", state.discard, Weight.SIDE)
    for raid in state.raids:
        decides = raid == raid_in_turn(state) and isinstance(stage, Acting | Deed)
        yield CardRow("raiders", raid.riders, Weight.KEY if decides else Weight.MAIN, raid.target)
    for seat, clan in enumerate(state.clans):
        proposed = tuple(proposal.card for proposal in state.proposals if proposal.seat == seat)
        if proposed:
            yield CardRow("proposed", proposed, Weight.MAIN, seat)
        if clan.bond:
            yield CardRow("bond", (clan.bond,), Weight.MAIN, seat)
        if clan.known:
            yield CardRow("known", clan.known, Weight.SIDE, seat)


ANSWERING = frozenset({"gift-back", "worth", "proof"})
"""Asks to the target of an action rather than to the clan in turn."""


def questions(state: State, asks: tuple[Ask, ...]) -> tuple[Question, ...]:
    """Ask for the action in the turn; where a camera compares scenes, also ask whether the turn is over."""
    if any(ask.key == "proof" for ask in asks):
        return (make_question("worth-or-proof", _asked_about(state, asks[0]), *asks),)
    late = sorted(asks, key=lambda ask: ask.key == "whole-turn")
    return tuple(make_question(_question_key(state, ask.key), _asked_about(state, ask), ask) for ask in late)


def _question_key(state: State, key: str) -> str:
    turn = state.turn
    if key == "action" and turn is not None and turn.may_score:
        return "action-repelled"
    return "action-raided" if key == "action" and raid_in_turn(state) is not None else key


def _asked_about(state: State, ask: Ask) -> dict[str, Datum]:
    stakes, raid = _stakes(state), raid_in_turn(state)
    return {
        "seat": stakes["seat"],
        "clan": stakes["target" if ask.key in ANSWERING else "seat"],
        "target": stakes["target"],
        "left": stakes["left"],
        **({"count": stakes["count"]} if ask.key == "take" else {}),
        "raider": None if raid is None else raid.seat,
        "value": None if raid is None else raid.value,
    }


def insight(state: State) -> tuple[Ruling, ...]:
    """Report the strength needed against raids, and in the last round which actions come too late."""
    if not isinstance(state.stage, Acting):
        return ()
    turn = state.stage.turn
    late = tuple(_too_late(state, turn)) if state.round == ROUNDS else ()
    return (*_defence(state, turn.seat), *late)


def _too_late(state: State, turn: Turn) -> Iterator[Ruling]:
    """Report raids that can't come home before the end, and clans that can no longer accept a proposal."""
    options = possible_options(state, turn)
    if any(option.word == "raid" for option in options):
        yield make_ruling("late-raid", "what-is-too-late", seat=turn.seat)
    aims = (option.seat for option in options if option.word == "propose" and option.seat is not None)
    targets = tuple(seat for seat in aims if not state.has_turn_left(turn.seat, seat))
    if targets:
        yield make_ruling(
            "late-proposal", "what-is-too-late", seat=turn.seat, targets=targets, count=len(targets)
        )


def _defence(state: State, seat: int) -> tuple[Ruling, ...]:
    raid = state.raid_on(seat)
    if raid is None:
        return ()
    needed, most = strength(state, raid), state.most_held(seat)
    known = state.clans[state.holder(seat)].known
    if any(card in known and VALUE[card] >= needed for card in WEAPONS):
        return (make_ruling("can-repel", "what-repels", seat=seat, needed=needed),)
    count = sum(most[card] for card in WEAPONS if VALUE[card] >= needed)
    return (make_ruling("may-repel", "what-repels", seat=seat, needed=needed, count=count),)


CUES: Mapping[str, Cue] = {
    "round": Cue(Mood.SEASON),
    "winter": Cue(Mood.SEASON, ""),
    **dict.fromkeys(("raids", "proposes"), Cue(Mood.CLAIM)),
    "repels": Cue(Mood.COUNTER),
    "feat": Cue(Mood.TRICK),
    **dict.fromkeys(("takes-horse", "gains", "breeds", "seals", "neutral-ally"), Cue(Mood.GAIN)),
    **dict.fromkeys(("chased", "loses", "outbid", "too-late"), Cue(Mood.LOSS)),
    **dict.fromkeys(("alliance-ends", "neutral-ends"), Cue(Mood.LOSS)),
    "taunts": Cue(Mood.CALL),
    "proves": Cue(Mood.TRUTH),
    "unproven": Cue(Mood.LIE),
    "won": Cue(Mood.WIN, "seats"),
}
OPTION_MOODS = {"raid": Mood.CLAIM, "double-raid": Mood.CLAIM, "taunt": Mood.CLAIM, "defend": Mood.COUNTER}


def joined(rulings: tuple[Ruling, ...]) -> Verdict | None:
    """Combine a raid with the weapons that repel it, or with the horse it takes and the feat."""
    by_key: Said = {ruling.key: ruling.values for ruling in rulings}
    end = "-feat" if "feat" in by_key else ""
    if "repels" in by_key:
        raid = {name: by_key["repels"][name] for name in ("seat", "raider", "weapons")}
        return make_verdict(f"repelled{end}", face=raid["weapons"][0], **raid)
    if "takes-horse" in by_key and rulings[-1].key in {"takes-horse", "feat"}:
        return make_verdict(f"raided{end}", **by_key["takes-horse"])
    return None


def reveal(_state: State, rulings: tuple[Ruling, ...]) -> Reveal | None:
    by_key: Said = {ruling.key: ruling.values for ruling in rulings}
    raid = by_key.get("repels", by_key.get("comes-home"))
    if raid is None:
        return None
    is_repelled = "repels" in by_key
    raider, target = (raid["raider"], raid["seat"]) if is_repelled else (raid["seat"], raid["target"])
    rows = [CardRow("raiders", raid["cards"], Weight.KEY, raider)]
    if is_repelled:
        struck, notes = tuple(range(len(raid["cards"]))), _strengths(raid["cards"])
        rows = [replace(rows[0], struck=struck, notes=notes)]
        rows += [CardRow("laid", raid["weapons"], Weight.KEY, target, notes=_strengths(raid["weapons"]))]
    won, lost = (target, raider) if is_repelled else (raider, target)
    has_lost = is_repelled or "takes-horse" in by_key
    return Reveal(
        "raided", {"seat": raider, "target": target}, tuple(rows), won=(won,), lost=(lost,) if has_lost else ()
    )


def _strengths(cards: tuple[str, ...]) -> tuple[Fact, ...]:
    """Return a note per card with the running total of the printed values."""
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
ALSO = {
    "takes-horse": ("target", "horses-lost"),
    "taunts": ("target", "taunted"),
    "seals": ("target", "sealed"),
}
"""Rulings credited to a second seat as well."""


def ends(stretch: Stretch) -> bool:
    """Return whether a new round begins, other than the first."""
    return stretch.before.round > 0 and any(ruling.key == "round" for ruling in stretch.rulings)


def feats(stretch: Stretch) -> tuple[Feat, ...]:
    """Return the players' feats in a round; with two players, the neutral clan has no player."""
    players = stretch.before.players
    found: list[Feat] = []
    for place, ruling in enumerate(stretch.rulings):
        if ruling.key in TOLD:
            found.append(Feat(seat_named(ruling), TOLD[ruling.key], ruling=place))
        if ruling.key in ALSO:
            who, what = ALSO[ruling.key]
            found.append(Feat(seat_named(ruling, who), what, ruling=place))
    return tuple(feat for feat in found if feat.seat < players)


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
