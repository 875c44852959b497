"""Coyote's rule book: the three editions, optional rules, and gaps in the printed rules."""

from referee.contract import Book, Condition, write_chapters
from referee.games.coyote import board
from referee.games.coyote.state import House

THE_GAME = {
    "kidult": "« Déroulement de la partie »",
    "gigamic": "« Déroulement du jeu »",
    "oliphante": "« Déroulement de la partie »",
}
CARDS = {
    "kidult": "« Cartes spéciales »",
    "gigamic": "« Valeur des cartes-plumes »",
    "oliphante": "« Les plumes bleues »",
}
CARDS_BUT_GIGAMIC = {name: place for name, place in CARDS.items() if name != "gigamic"}
SUMS = {**THE_GAME, "gigamic": CARDS["gigamic"]}
OUT = {**THE_GAME, "kidult": "« Fin de la partie »", "gigamic": "« Fin de partie »"}
THE_END = {"kidult": "« Fin de la partie »", "gigamic": "« Fin de partie »", "oliphante": "« La fin du jeu »"}

SPECIAL = {"kidult": "« Règles spéciales »"}
VARIANTS = {"gigamic": "« Variante »"}
EITHER = {**SPECIAL, **VARIANTS}
ONE_TOKEN = {"oliphante": "« Variante »"}
TOKENS = {"oliphante": "« Les jetons »"}


def _in_box(*editions: str) -> Condition:
    return lambda house: house.edition in editions


def _has_card(face: str) -> Condition:
    return lambda house: face in house.deck.counts


def _has_powers(house: House, *powers: str) -> bool:
    return bool({*powers, "all"} & set(house.powers))


def _with_power(power: str, *editions: str) -> Condition:
    """Return a condition: one of these editions with this power, and with tokens if the edition has them."""
    return lambda house: (
        house.edition in editions
        and _has_powers(house, power)
        and (house.edition != "oliphante" or house.tokens(power) > 0)
    )


def _obliges(house: House) -> bool:
    obliging = ("extra", "reverse", "replace", *(("guess",) if house.o_guess_stays else ()))
    return house.edition == "oliphante" and _has_powers(house, *obliging)


CHAPTERS = write_chapters(
    {
        "A round begins": {
            "cards-worn": "Each round everybody draws a card and wears it: all others see it, its owner"
            " doesn't.",
            "pile-too-short": "When there are too few cards for all, the whole deck is shuffled first.",
            "first-opener/best-laugh": "The player with the best coyote laugh opens the first round; the"
            " table decides who that is.",
            "first-opener/youngest": "The youngest player opens the first round; the table names that player.",
            "next-opener/loser": "The loser of a round opens the next one; if that player is out, the opponent"
            " does.",
            "next-opener/winner": "The winner of the duel opens the next round.",
        },
        "Numbers": {
            "higher": "The first number is any above 0; the next player says a higher one, or calls Coyote."
            " The turn goes clockwise.",
            "four-digits": "No number goes beyond 9999, the largest that a display can show, unless 9999 has"
            " been said.",
            "call/in-turn": "Instead of saying a number, the player in turn may call Coyote if the last one"
            " seems too high.",
            "call/anytime": "Everybody may call Coyote on the last number, at any time and out of turn.",
            "not-ones-own/all-skip": "You can't call Coyote on your own number: if all others skip, you must"
            " raise it.",
            "not-ones-own": "You can't call Coyote on your own number.",
        },
        "The count": {
            "all-shown": "After Coyote all cards go to the middle, face up, and are counted.",
            "cave": "The cave draws the top card of the pile, which counts in its place.",
            "cave-draws-special": "A special card that the cave draws takes effect.",
            "pile-renewed": "If the pile is empty when a card must be drawn, the discards are shuffled into a"
            " new one. If there are none, the cave counts nothing.",
            "decoy": "Decoys have no value.",
            "fox": "The fox cancels a single card, the highest above 0; without one it has no effect.",
            "max-minus": "MAX − turns a single card negative, the highest left above 0: it is subtracted.",
            "added": "The cards above 0 are added up.",
            "leader/greens": "The leader doubles the cards that are added, not those that are subtracted.",
            "leader/total": "The leader doubles the whole total, after the subtraction.",
            "subtracted": "Then the cards below 0 are subtracted.",
            "night": "The night counts nothing; after the round the whole deck is shuffled.",
        },
        "The duel and its paws": {
            "reached": "The bidder wins the duel when the total is at least the number, the caller when it"
            " falls short.",
            "mark": "The loser of the duel takes a paw.",
            "doubled-marks": "A number that was doubled costs two paws.",
            "no-more-marks": "No player takes more paws than the limit.",
            "out": "A player with {limit} paws is out.",
            "marks-in-box": "The last paw is never worn, so the box has enough paws unless a higher limit is"
            " agreed.",
            "last-one": "The last player left wins.",
        },
        "Special rules": {
            "once/player": "Each player may use one special rule per round.",
            "once/table": "Each variant may be used once per round by the whole table.",
            "in-a-turn/several": "Several variants may be used in one turn.",
            "in-a-turn/one": "Only one variant may be used in a turn.",
            "approve": "Take over: the last number becomes yours. The next player can't take it over as well.",
            "double": "Double, right after your number: if the very next player calls, the loser takes two"
            " paws.",
            "reverse/and-say": "Turn round: the direction changes, then you say a number.",
            "reverse/instead": "Turn round, instead of a number: the previous player has to beat the number,"
            " even their own. As the first action of a round: the player to the right opens.",
            "direction/round": "A direction that was turned round lasts until the end of the round.",
            "direction/match": "A direction that was turned round stays so in the next rounds.",
            "second-card/one-player": "One more card, right after your number: another player wears a second"
            " card, unseen. Only one player a round may ask for it.",
            "second-card/two-at-most": "One more card, right after your number: another player wears a second"
            " card, unseen. Nobody wears more than two.",
            "restart": "Again: the last number is refused; its player says another, higher than the one"
            " before it.",
            "next-is": "Next is, right after your number: you choose who answers it; the turn goes on from"
            " there.",
        },
        "Tokens": {
            "one-token-a-turn": "Before saying a number, the player in turn may flip a token, which is then"
            " used up for the round; not with only two players left.",
            "tokens-in-box": "The tokens of each round: {extra_tokens} extra, {reverse_tokens} turn round,"
            " {skip_tokens} skip, {replace_tokens} replace, {guess_tokens} guess.",
            "after-token/number": "After a token a number has to be said, unless one skips or leaves the"
            " round.",
            "after-token/call": "After a token one may also call Coyote.",
            "token-extra": "Extra: turn up the top card before you, for all to see; it counts.",
            "token-reverse": "Turn round: the direction changes, then you say a number.",
            "token-skip": "Skip: you say nothing, and the next player answers the last number.",
            "token-replace": "Replace: wear a new card before your old one, which doesn't count.",
            "covered-cards": "Covered cards go to the discards uncounted; a night among them still shuffles"
            " the deck.",
            "token-guess/out": "Guess: name your card and look. Right: you are out of the round, and the card"
            " counts.",
            "token-guess/may-leave": "Guess: name your card and look. Right: it stays open and counts, and you"
            " leave the round or say a number.",
            "wrong-guess": "After a wrong guess you take a paw at once, and the round is over.",
            "open-card": "A card that was guessed right and stays in play is neither guessed again nor"
            " replaced.",
            "wrong-guess-opens": "After a wrong guess the guesser opens the next round.",
            "opener-out": "If that puts the guesser out, the next player opens.",
            "nobody-to-contest": "When only one player is left in the round, the round is void, and that"
            " player opens the next one.",
        },
        "Before the match": {
            "more-marks/kidult": "Four players may agree on up to 4 paws, three on up to 5; all others play"
            " to 3.",
            "more-marks/oliphante": "Three or four players may agree on 4 or 5 paws; all others play to 3.",
            "more-marks/gigamic": "The table may agree on more paws, depending on the number of players.",
            "most-marks": "The table may agree on at most five paws.",
            "boxes/one": "One box is enough for up to six players.",
            "boxes/two": "With two boxes of the Oliphante edition, more than six can play, with one set of"
            " feathers.",
            "agreed-powers": "Before the match, agree on the special rules from the box that you play with.",
        },
        "After the match": {
            "worn": "After a reveal, the referee lists the card that each player wore, as far as it was seen."
        },
    },
    printed=(
        ({**THE_GAME, "kidult": "« Préparation du jeu »", "gigamic": "« Préparation »"}, "cards-worn"),
        ({"oliphante": "« Déroulement de la partie »"}, "pile-too-short"),
        (THE_GAME, "first-opener/best-laugh first-opener/youngest next-opener/loser next-opener/winner higher"),
        (THE_GAME, "call/in-turn all-shown reached mark"),
        (CARDS, "cave fox max-minus night"),
        ({"kidult": "« Cartes ordinaires »"}, "decoy"),
        (SUMS, "added subtracted"),
        (CARDS_BUT_GIGAMIC, "leader/greens"),
        ({"gigamic": "« Valeur des cartes-plumes »"}, "leader/total"),
        (EITHER, "doubled-marks approve double restart next-is"),
        (OUT, "out"),
        (THE_END, "last-one more-marks/kidult more-marks/oliphante more-marks/gigamic"),
        (SPECIAL, "once/player reverse/and-say second-card/one-player"),
        (VARIANTS, "once/table reverse/instead second-card/two-at-most"),
        (TOKENS, "direction/round token-extra token-reverse token-skip token-replace covered-cards"),
        (TOKENS, "token-guess/may-leave wrong-guess wrong-guess-opens"),
        (ONE_TOKEN, "one-token-a-turn after-token/number"),
        ({"kidult": "« Coyote »", "oliphante": "« Règles du jeu »"}, "boxes/one"),
        ({"oliphante": "« Avec plus de six joueurs »"}, "boxes/two"),
        ({**EITHER, **ONE_TOKEN}, "agreed-powers"),
    ),
    otherwise=(
        (THE_GAME, "call/anytime"),
        ({"gigamic": "« Valeur des cartes-plumes »"}, "leader/greens"),
        (CARDS_BUT_GIGAMIC, "leader/total"),
        (TOKENS, "direction/match token-guess/out"),
    ),
    agreed={
        "anyone_may_contest": {False: "call/in-turn", True: "call/anytime"},
        "t_multi": {True: "in-a-turn/several", False: "in-a-turn/one"},
        "direction_persists": {False: "direction/round", True: "direction/match"},
        "o_contest_after_token": {False: "after-token/number", True: "after-token/call"},
        "o_guess_stays": {False: "token-guess/out", True: "token-guess/may-leave open-card"},
        "boxes": {1: "boxes/one", 2: "boxes/two"},
    },
    holds=(
        (_in_box("kidult"), "first-opener/best-laugh more-marks/kidult once/player"),
        (_in_box("gigamic", "oliphante"), "first-opener/youngest"),
        (_in_box("kidult", "gigamic"), "not-ones-own"),
        (_in_box("gigamic"), "more-marks/gigamic most-marks once/table in-a-turn/several in-a-turn/one"),
        (_in_box("oliphante"), "not-ones-own/all-skip more-marks/oliphante one-token-a-turn tokens-in-box"),
        (lambda house: house.box.opener == "loser", "next-opener/loser"),
        (lambda house: house.box.opener == "winner", "next-opener/winner"),
        (_has_card("0"), "decoy"),
        (_has_card("max-"), "max-minus"),
        (lambda house: house.doubling == "greens", "leader/greens"),
        (lambda house: house.doubling == "total", "leader/total"),
        (lambda house: bool(house.powers), "once/player once/table in-a-turn/several in-a-turn/one"),
        (lambda house: bool(house.powers), "one-token-a-turn tokens-in-box"),
        (_with_power("approve", *EITHER), "approve"),
        (_with_power("double", *EITHER), "double doubled-marks no-more-marks"),
        (_with_power("reverse", *SPECIAL), "reverse/and-say"),
        (_with_power("reverse", *VARIANTS), "reverse/instead"),
        (lambda house: _has_powers(house, "reverse"), "direction/round direction/match"),
        (_with_power("extra", *SPECIAL), "second-card/one-player"),
        (_with_power("extra", *VARIANTS), "second-card/two-at-most"),
        (_with_power("restart", *EITHER), "restart"),
        (_with_power("next", *EITHER), "next-is"),
        (_obliges, "after-token/number after-token/call"),
        (_with_power("extra", *TOKENS), "token-extra"),
        (_with_power("reverse", *TOKENS), "token-reverse"),
        (_with_power("skip", *TOKENS), "token-skip"),
        (_with_power("replace", *TOKENS), "token-replace covered-cards"),
        (_with_power("guess", *TOKENS), "token-guess/out token-guess/may-leave open-card"),
        (_with_power("guess", *TOKENS), "wrong-guess wrong-guess-opens opener-out"),
        (_with_power("guess", *TOKENS), "nobody-to-contest"),
    ),
)
BOOK = Book(
    chapters=CHAPTERS,
    options={
        "opens": "first-opener",
        "coyote": "call not-ones-own",
        "reverse": "reverse token-reverse",
        "extra": "second-card token-extra",
        "next": "next-is",
        "skip": "token-skip",
        "replace": "token-replace",
        "guess": "token-guess wrong-guess",
        "leave": "token-guess/may-leave",
        "stay": "token-guess/may-leave",
    },
    asks={
        "opener": "first-opener",
        "announce": "higher",
        "turn": "call once in-a-turn one-token-a-turn tokens-in-box",
        "contest": "call/anytime",
        "reveal": "all-shown",
        "draw": "cave",
        "after": "once in-a-turn",
        "extra": "token-extra",
        "aside": "covered-cards",
        "own": "token-guess",
        "leave": "token-guess/may-leave",
    },
    refusals={
        "too-low": "higher",
        "too-high": "four-digits",
        "barred": "restart",
        "limit": "more-marks/kidult more-marks/oliphante",
        "seats": "boxes",
        "boxes": "boxes/two",
        "power": "agreed-powers",
        "tokens": "agreed-powers",
    },
    effect=board.effect,
)
