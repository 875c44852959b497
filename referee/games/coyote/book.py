"""Coyote's rule book: the rules of the three boxes, the optional ones, and what the rule texts leave open."""

from collections.abc import Callable, Mapping
from typing import Any

from referee.contract import Chapter, Phrase, Rule, phrase
from referee.games.coyote.house import House, deck_of, doubling_of, edition_of, tokens_of

Holds = Callable[[House], bool]

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
THE_END = {"kidult": "« Fin de la partie »", "gigamic": "« Fin de partie »", "oliphante": "« La fin du jeu »"}

SPECIAL = {"kidult": "« Règles spéciales »"}
VARIANTS = {"gigamic": "« Variante »"}
EITHER = {**SPECIAL, **VARIANTS}
ONE_TOKEN = {"oliphante": "« Variante »"}
TOKENS = {"oliphante": "« Les jetons »"}


def _in_box(*editions: str) -> Holds:
    return lambda house: house.edition in editions


def _has_card(face: str) -> Holds:
    return lambda house: face in deck_of(house).counts


def _has_powers(house: House, *powers: str) -> bool:
    return bool({*powers, "all"} & set(house.powers))


def _with_power(power: str, *editions: str) -> Holds:
    """Hold where one of the editions is played with a power, and with tokens of it if it has such."""
    return lambda house: (
        house.edition in editions
        and _has_powers(house, power)
        and (house.edition != "oliphante" or tokens_of(house, power) > 0)
    )


_guesses = _with_power("guess", "oliphante")


def _power(name: str, text: Phrase, place: Mapping[str, str], power: str = "", **more: Any) -> Rule:
    """Give the rule of a power, by whose name it goes: it holds where that is agreed on, in its boxes."""
    power = power or name.removeprefix("token-")
    return Rule(name, text, place, holds=_with_power(power, *place), options=(power,), **more)


def _obliges(house: House) -> bool:
    obliging = ("extra", "reverse", "replace", *(("guess",) if house.o_guess_stays else ()))
    return house.edition == "oliphante" and _has_powers(house, *obliging)


_BEGIN = (
    Rule(
        "cards-worn",
        phrase("Each round everybody draws a card and wears it: all others see it, its owner doesn't."),
        {**THE_GAME, "kidult": "« Préparation du jeu »", "gigamic": "« Préparation »"},
    ),
    Rule(
        "pile-too-short",
        phrase("When there are too few cards for all, the whole deck is shuffled first."),
        {"oliphante": THE_GAME["oliphante"]},
    ),
    Rule(
        "first-opener/best-laugh",
        phrase("The best coyote laugh opens the first round; the table says who that is."),
        THE_GAME,
        holds=_in_box("kidult"),
        options=("opens",),
        asks=("opener",),
    ),
    Rule(
        "first-opener/youngest",
        phrase("The youngest opens the first round; the table says who that is."),
        THE_GAME,
        holds=_in_box("gigamic", "oliphante"),
        options=("opens",),
        asks=("opener",),
    ),
    Rule(
        "next-opener/loser",
        phrase("The loser of a round opens the next one; if that player is out, the opponent does."),
        THE_GAME,
        holds=lambda house: edition_of(house).opener == "loser",
    ),
    Rule(
        "next-opener/winner",
        phrase("The winner of the duel opens the next round."),
        THE_GAME,
        holds=lambda house: edition_of(house).opener == "winner",
    ),
)

_NUMBERS = (
    Rule(
        "higher",
        phrase(
            "The first number is any above 0; the next player says a higher one, or calls Coyote. The turn"
            " goes clockwise."
        ),
        THE_GAME,
        refusals=("too-low",),
        asks=("announce",),
    ),
    Rule(
        "four-digits",
        phrase("No number goes beyond 9999, what a display can show, unless 9999 has been said."),
        refusals=("too-high",),
    ),
    Rule(
        "call/in-turn",
        phrase("Instead of saying a number, the player in turn may call Coyote on the last as too high."),
        THE_GAME,
        holds=lambda house: not house.anyone_may_contest,
        options=("coyote",),
        asks=("turn",),
    ),
    Rule(
        "call/anytime",
        phrase("Everybody may call Coyote on the last number, at any time and out of turn."),
        otherwise=THE_GAME,
        holds=lambda house: house.anyone_may_contest,
        options=("coyote",),
        asks=("turn", "contest"),
    ),
    Rule(
        "not-ones-own/all-skip",
        phrase("Nobody calls Coyote on a number of their own: if all others skip, it has to be raised."),
        holds=_in_box("oliphante"),
        options=("coyote",),
    ),
    Rule(
        "not-ones-own",
        phrase("Nobody calls Coyote on a number of their own."),
        holds=_in_box("kidult", "gigamic"),
        options=("coyote",),
    ),
)

_COUNT = (
    Rule(
        "all-shown",
        phrase("After Coyote all cards go to the middle, face up, and are counted."),
        THE_GAME,
        asks=("reveal",),
    ),
    Rule(
        "cave",
        phrase("The cave draws the top card of the pile, and that counts in its place."),
        CARDS,
        asks=("draw",),
    ),
    Rule("cave-draws-special", phrase("A special card that the cave draws takes effect.")),
    Rule(
        "pile-renewed",
        phrase(
            "When a card is to be drawn and the pile is empty, the discards are shuffled into a new one;"
            " with none left either, the cave counts nothing."
        ),
    ),
    Rule("decoy", phrase("Decoys have no value."), {"kidult": "« Cartes ordinaires »"}, holds=_has_card("0")),
    Rule(
        "fox",
        phrase("The fox cancels the highest card above 0, one only; with none there it does nothing."),
        CARDS,
    ),
    Rule(
        "max-minus",
        phrase("MAX − turns the highest card left above 0, one only, against the others: it is subtracted."),
        CARDS,
        holds=_has_card("max-"),
    ),
    Rule("added", phrase("The cards above 0 are added up."), SUMS),
    Rule(
        "leader/greens",
        phrase("The leader doubles what adds up, not what is subtracted."),
        CARDS_BUT_GIGAMIC,
        otherwise={"gigamic": CARDS["gigamic"]},
        holds=lambda house: doubling_of(house) == "greens",
    ),
    Rule(
        "leader/total",
        phrase("The leader doubles the whole total, after all is subtracted."),
        {"gigamic": CARDS["gigamic"]},
        otherwise=CARDS_BUT_GIGAMIC,
        holds=lambda house: doubling_of(house) == "total",
    ),
    Rule("subtracted", phrase("Then the cards below 0 are subtracted."), SUMS),
    Rule("night", phrase("The night counts nothing; after the round the whole deck is shuffled."), CARDS),
)

_DUEL = (
    Rule(
        "reached",
        phrase("The bidder wins the duel when the total reaches the number, the caller when it falls short."),
        THE_GAME,
    ),
    Rule("mark", phrase("The loser of the duel takes a mark."), THE_GAME),
    Rule(
        "doubled-marks",
        phrase("A number that was doubled costs two marks, but never more than put a player out."),
        EITHER,
        holds=_with_power("double", *EITHER),
    ),
    Rule("out", phrase("A player with {limit} marks is out."), THE_END),
    Rule(
        "marks-in-box",
        phrase("The last mark is never worn, so the box has enough marks unless a higher limit is agreed."),
    ),
    Rule("last-one", phrase("The last player who is left wins."), THE_END),
)

_SPECIALS = (
    Rule(
        "once/player",
        phrase("Everybody may use one special rule a round."),
        SPECIAL,
        holds=lambda house: house.edition == "kidult" and bool(house.powers),
        asks=("turn", "after"),
    ),
    Rule(
        "once/table",
        phrase("Each variant may be used once a round by the whole table, several in one turn too."),
        VARIANTS,
        holds=lambda house: house.edition == "gigamic" and bool(house.powers) and house.t_multi,
        asks=("turn", "after"),
    ),
    Rule(
        "once/turn",
        phrase("Each variant may be used once a round by the whole table, and one only in a turn."),
        VARIANTS,
        holds=lambda house: house.edition == "gigamic" and bool(house.powers) and not house.t_multi,
        asks=("turn", "after"),
    ),
    _power(
        "approve",
        phrase("Take over: the last number becomes yours. The next player can't take it over as well."),
        EITHER,
    ),
    _power(
        "double",
        phrase("Double, right after your number: if the very next player calls, the loser takes two marks."),
        EITHER,
    ),
    _power(
        "reverse/and-say",
        phrase("Turn round: the direction changes, then you say a number."),
        SPECIAL,
        power="reverse",
    ),
    _power(
        "reverse/instead",
        phrase(
            "Turn round, instead of a number: the player before has to beat the number, even their own."
            " As very first action: the player to the right opens."
        ),
        VARIANTS,
        power="reverse",
    ),
    Rule(
        "direction/round",
        phrase("A direction that was turned round lasts until the end of the round."),
        TOKENS,
        holds=lambda house: _has_powers(house, "reverse") and not house.direction_persists,
    ),
    Rule(
        "direction/match",
        phrase("A direction that was turned round stays so in the next rounds."),
        otherwise=TOKENS,
        holds=lambda house: _has_powers(house, "reverse") and house.direction_persists,
    ),
    _power(
        "second-card/one-player",
        phrase(
            "One more card, right after your number: another player wears a second card, unseen. Only one"
            " player a round may ask for it."
        ),
        SPECIAL,
        power="extra",
    ),
    _power(
        "second-card/two-at-most",
        phrase(
            "One more card, right after your number: another player wears a second card, unseen. Nobody"
            " wears more than two."
        ),
        VARIANTS,
        power="extra",
    ),
    _power(
        "restart",
        phrase("Again: the last number is refused; its author says another, above the one before it."),
        EITHER,
        refusals=("barred",),
    ),
    _power(
        "next-is",
        phrase("Next is, right after your number: you choose who answers it; the turn goes on from there."),
        EITHER,
        power="next",
    ),
)

_TOKENS = (
    Rule(
        "one-token-a-turn",
        phrase(
            "Before saying a number, the player in turn may flip a token, once for the round;"
            " not with two players left."
        ),
        ONE_TOKEN,
        holds=lambda house: house.edition == "oliphante" and bool(house.powers),
        asks=("turn",),
    ),
    Rule(
        "tokens-in-box",
        phrase(
            "The tokens of each round: {extra_tokens} extra, {reverse_tokens} turn round,"
            " {skip_tokens} skip, {replace_tokens} replace, {guess_tokens} guess."
        ),
        holds=lambda house: house.edition == "oliphante" and bool(house.powers),
        asks=("turn",),
    ),
    Rule(
        "after-token/number",
        phrase("After a token a number has to be said, unless one skips or leaves the round."),
        ONE_TOKEN,
        holds=lambda house: _obliges(house) and not house.o_contest_after_token,
    ),
    Rule(
        "after-token/call",
        phrase("After a token one may also call Coyote."),
        holds=lambda house: _obliges(house) and house.o_contest_after_token,
    ),
    _power(
        "token-extra",
        phrase("Extra: turn up the top card before you, for all to see; it counts."),
        TOKENS,
        asks=("extra",),
    ),
    _power("token-reverse", phrase("Turn round: the direction changes, then you say a number."), TOKENS),
    _power("token-skip", phrase("Skip: you say nothing, and the next player answers the last number."), TOKENS),
    _power(
        "token-replace", phrase("Replace: wear a new card before your old one, which doesn't count."), TOKENS
    ),
    Rule(
        "covered-cards",
        phrase("Covered cards go to the discards unread by the count; a night among them shuffles."),
        TOKENS,
        holds=_with_power("replace", *TOKENS),
        asks=("aside",),
    ),
    Rule(
        "token-guess/out",
        phrase(
            "Guess: name your card and look. Right: you are out of the round,"
            " and the card counts. Wrong: you take a mark, and the round is over."
        ),
        otherwise=TOKENS,
        holds=lambda house: _guesses(house) and not house.o_guess_stays,
        options=("guess",),
        asks=("own",),
    ),
    Rule(
        "token-guess/may-leave",
        phrase(
            "Guess: name your card and look. Right: it stays open and counts, and"
            " you leave the round or say a number. Wrong: you take a mark, and the round is over."
        ),
        TOKENS,
        holds=lambda house: _guesses(house) and house.o_guess_stays,
        options=("guess", "leave", "stay"),
        asks=("own", "leave"),
    ),
    Rule(
        "open-card",
        phrase("A card that was guessed right and stays in play is neither guessed again nor replaced."),
        holds=lambda house: _guesses(house) and house.o_guess_stays,
    ),
    Rule(
        "wrong-guess-opens",
        phrase("After a wrong guess the guesser opens the next round, or the next player if that one is out."),
        TOKENS,
        holds=_guesses,
    ),
    Rule(
        "nobody-to-contest",
        phrase("When only one player is left in the round, it is void, and that player opens the next."),
        holds=_guesses,
    ),
)


_BOX = (
    Rule(
        "more-marks/kidult",
        phrase("Four players may agree on up to 4 marks, three on up to 5; all others play to 3."),
        THE_END,
        holds=_in_box("kidult"),
        refusals=("limit",),
    ),
    Rule(
        "more-marks/oliphante",
        phrase("Three or four players may agree on 4 or 5 marks; all others play to 3."),
        THE_END,
        holds=_in_box("oliphante"),
        refusals=("limit",),
    ),
    Rule(
        "more-marks/gigamic", phrase("The table may agree on up to 5 marks."), THE_END, holds=_in_box("gigamic")
    ),
    Rule(
        "boxes/one",
        phrase("Up to six play with one box."),
        {"kidult": "« Coyote »", "oliphante": "« Règles du jeu »"},
        holds=lambda house: house.boxes == 1,
        refusals=("seats",),
    ),
    Rule(
        "boxes/two",
        phrase("With two boxes of the Oliphante edition more than six play, with one set of feathers."),
        {"oliphante": "« Avec plus de six joueurs »"},
        holds=lambda house: house.boxes == 2,
        refusals=("boxes", "seats"),
    ),
    Rule(
        "agreed-powers",
        phrase("Which of the box's special rules are played is agreed before the match."),
        {**EITHER, **ONE_TOKEN},
        refusals=("power", "tokens"),
    ),
)

_TOLD = (
    Rule(
        "odds",
        phrase("After a reveal the referee tells how likely each number was, by the cards its author saw."),
    ),
)


BOOK = (
    Chapter(phrase("A round begins"), _BEGIN),
    Chapter(phrase("Numbers"), _NUMBERS),
    Chapter(phrase("The count"), _COUNT),
    Chapter(phrase("The duel and its marks"), _DUEL),
    Chapter(phrase("Special rules"), _SPECIALS),
    Chapter(phrase("Tokens"), _TOKENS),
    Chapter(phrase("Before the match"), _BOX),
    Chapter(phrase("Told afterwards"), _TOLD),
)
