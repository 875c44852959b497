"""The optional rules in Coyote's rule book: special rules, variants and tokens."""

from collections.abc import Callable

from referee.contract import Chapter, Rule, phrase
from referee.games.coyote.house import House, tokens_of

Holds = Callable[[House], bool]

SPECIAL = "« Règles spéciales »"
VARIANTS = "« Variante »"
TOKENS = "« Les jetons »"


def with_power(power: str, *editions: str) -> Holds:
    """Hold where one of the editions is played with a power."""
    return lambda house: house.edition in editions and bool({power, "all"} & set(house.powers))


def _with_tokens(power: str) -> Holds:
    is_agreed = with_power(power, "oliphante")
    return lambda house: is_agreed(house) and tokens_of(house, power) > 0


def _with_powers(*editions: str) -> Holds:
    return lambda house: house.edition in editions and bool(house.powers)


def _reverses(house: House) -> bool:
    return bool({"reverse", "all"} & set(house.powers))


def _obliges(house: House) -> bool:
    obliging = {"extra", "reverse", "replace", "all"} | ({"guess"} if house.o_guess_stays else set())
    return house.edition == "oliphante" and bool(obliging & set(house.powers))


SPECIALS_CHAPTER = Chapter(
    phrase("Special rules"),
    (
        Rule(
            id="once/player",
            text=phrase("Everybody may use one special rule a round."),
            place=SPECIAL,
            holds=_with_powers("kidult"),
            asks=("turn", "after"),
        ),
        Rule(
            id="once/table",
            text=phrase("Each variant may be used once a round by the whole table, several in one turn too."),
            place=VARIANTS,
            holds=lambda house: _with_powers("gigamic")(house) and house.t_multi,
            asks=("turn", "after"),
        ),
        Rule(
            id="once/turn",
            text=phrase("Each variant may be used once a round by the whole table, and one only in a turn."),
            place=VARIANTS,
            holds=lambda house: _with_powers("gigamic")(house) and not house.t_multi,
            asks=("turn", "after"),
        ),
        Rule(
            id="approve",
            text=phrase(
                "Take over: the last number becomes yours. The next player can't take it over as well."
            ),
            place={"kidult": SPECIAL, "gigamic": VARIANTS},
            holds=with_power("approve", "kidult", "gigamic"),
            options=("approve",),
        ),
        Rule(
            id="double",
            text=phrase(
                "Double, right after your number: if the very next player calls, the loser takes two marks."
            ),
            place={"kidult": SPECIAL, "gigamic": VARIANTS},
            holds=with_power("double", "kidult", "gigamic"),
            options=("double",),
        ),
        Rule(
            id="reverse/and-say",
            text=phrase("Turn round: the direction changes, then you say a number."),
            place=SPECIAL,
            holds=with_power("reverse", "kidult"),
            options=("reverse",),
        ),
        Rule(
            id="reverse/instead",
            text=phrase(
                "Turn round, instead of a number: the player before has to beat the number, even their own."
                " As very first action: the player to the right opens."
            ),
            place=VARIANTS,
            holds=with_power("reverse", "gigamic"),
            options=("reverse",),
        ),
        Rule(
            id="direction/round",
            text=phrase("A direction that was turned round lasts until the end of the round."),
            place={"oliphante": TOKENS},
            holds=lambda house: _reverses(house) and not house.direction_persists,
        ),
        Rule(
            id="direction/match",
            text=phrase("A direction that was turned round stays so in the next rounds."),
            otherwise={"oliphante": TOKENS},
            holds=lambda house: _reverses(house) and house.direction_persists,
        ),
        Rule(
            id="second-card/one-player",
            text=phrase(
                "One more card, right after your number: another player wears a second card, unseen. Only one"
                " player a round may ask for it."
            ),
            place=SPECIAL,
            holds=with_power("extra", "kidult"),
            options=("extra",),
        ),
        Rule(
            id="second-card/two-at-most",
            text=phrase(
                "One more card, right after your number: another player wears a second card, unseen. Nobody"
                " wears more than two."
            ),
            place=VARIANTS,
            holds=with_power("extra", "gigamic"),
            options=("extra",),
        ),
        Rule(
            id="restart",
            text=phrase("Again: the last number is refused; its author says another, above the one before it."),
            place={"kidult": SPECIAL, "gigamic": VARIANTS},
            holds=with_power("restart", "kidult", "gigamic"),
            refusals=("barred",),
            options=("restart",),
        ),
        Rule(
            id="next-is",
            text=phrase(
                "Next is, right after your number: you choose who answers it; the turn goes on from there."
            ),
            place={"kidult": SPECIAL, "gigamic": VARIANTS},
            holds=with_power("next", "kidult", "gigamic"),
            options=("next",),
        ),
    ),
)

TOKENS_CHAPTER = Chapter(
    phrase("Tokens"),
    (
        Rule(
            id="one-token-a-turn",
            text=phrase(
                "Before saying a number, the player in turn may flip a token, once for the round;"
                " not with two players left."
            ),
            place=VARIANTS,
            holds=_with_powers("oliphante"),
            asks=("turn",),
        ),
        Rule(
            id="tokens-in-box",
            text=phrase(
                "The tokens of each round: {extra_tokens} extra, {reverse_tokens} turn round,"
                " {skip_tokens} skip, {replace_tokens} replace, {guess_tokens} guess."
            ),
            holds=_with_powers("oliphante"),
            asks=("turn",),
        ),
        Rule(
            id="after-token/number",
            text=phrase("After a token a number has to be said, unless one skips or leaves the round."),
            place=VARIANTS,
            holds=lambda house: _obliges(house) and not house.o_contest_after_token,
        ),
        Rule(
            id="after-token/call",
            text=phrase("After a token one may also call Coyote."),
            holds=lambda house: _obliges(house) and house.o_contest_after_token,
        ),
        Rule(
            id="token-extra",
            text=phrase("Extra: turn up the top card before you, for all to see; it counts."),
            place=TOKENS,
            holds=_with_tokens("extra"),
            options=("extra",),
            asks=("extra",),
        ),
        Rule(
            id="token-reverse",
            text=phrase("Turn round: the direction changes, then you say a number."),
            place=TOKENS,
            holds=_with_tokens("reverse"),
            options=("reverse",),
        ),
        Rule(
            id="token-skip",
            text=phrase("Skip: you say nothing, and the next player answers the last number."),
            place=TOKENS,
            holds=_with_tokens("skip"),
            options=("skip",),
        ),
        Rule(
            id="token-replace",
            text=phrase("Replace: wear a new card before your old one, which doesn't count."),
            place=TOKENS,
            holds=_with_tokens("replace"),
            options=("replace",),
        ),
        Rule(
            id="covered-cards",
            text=phrase("Covered cards go to the discards unread by the count; a night among them shuffles."),
            place=TOKENS,
            holds=_with_tokens("replace"),
            asks=("aside",),
        ),
        Rule(
            id="token-guess/out",
            text=phrase(
                "Guess: name your card and look. Right: you are out of the round,"
                " and the card counts. Wrong: you take a mark, and the round is over."
            ),
            otherwise=TOKENS,
            holds=lambda house: _with_tokens("guess")(house) and not house.o_guess_stays,
            options=("guess",),
            asks=("own",),
        ),
        Rule(
            id="token-guess/may-leave",
            text=phrase(
                "Guess: name your card and look. Right: it stays open and counts, and"
                " you leave the round or say a number. Wrong: you take a mark, and the round is over."
            ),
            place=TOKENS,
            holds=lambda house: _with_tokens("guess")(house) and house.o_guess_stays,
            options=("guess", "leave", "stay"),
            asks=("own", "leave"),
        ),
        Rule(
            id="open-card",
            text=phrase(
                "A card that was guessed right and stays in play is neither guessed again nor replaced."
            ),
            holds=lambda house: _with_tokens("guess")(house) and house.o_guess_stays,
        ),
        Rule(
            id="wrong-guess-opens",
            text=phrase(
                "After a wrong guess the guesser opens the next round, or the next player if that one is out."
            ),
            place=TOKENS,
            holds=_with_tokens("guess"),
        ),
        Rule(
            id="nobody-to-contest",
            text=phrase(
                "When only one player is left in the round, it is void, and that player opens the next."
            ),
            holds=_with_tokens("guess"),
        ),
    ),
)
