"""How it is said, and how it feels."""

from referee.contract import Cue, Label, Mood, Words, phrase, plural
from referee.kit.french_cards import CARD_NAMES, SUIT_NAMES, SUIT_WORDS

CUES = {
    "dealt": Cue(Mood.SEASON, ""),
    "claims": Cue(Mood.CLAIM),
    "challenged": Cue(Mood.COUNTER),
    "honest": Cue(Mood.TRUTH),
    "lied": Cue(Mood.LIE),
    "takes": Cue(Mood.LOSS),
    "won": Cue(Mood.WIN, ""),
    "won-fewest": Cue(Mood.WIN, ""),
}
RANK_NAMES = {
    "A": phrase("aces"),
    "2": phrase("2s"),
    "3": phrase("3s"),
    "4": phrase("4s"),
    "5": phrase("5s"),
    "6": phrase("6s"),
    "7": phrase("7s"),
    "8": phrase("8s"),
    "9": phrase("9s"),
    "10": phrase("10s"),
    "J": phrase("jacks"),
    "Q": phrase("queens"),
    "K": phrase("kings"),
}

WORDS = Words(
    title=phrase("Cheat"),
    pitch=phrase("Lay cards face down, say what they are, and don't get caught."),
    faces={**CARD_NAMES, **RANK_NAMES},
    suits={word: SUIT_NAMES[suit] for word, suit in SUIT_WORDS.items()},
    asks={
        "claim": phrase("{seats:players}: lay cards face down on the pile. How many?"),
        "doubt": phrase("{seats:players}: do you believe it?"),
        "proof": phrase("{seats:players}: turn up the cards that you have just laid."),
    },
    options={"challenge": phrase("Cheat!"), "pass": phrase("I believe it")},
    rulings={
        "dealt": phrase("Shuffle, and deal all cards: {counts:numbers}. {seat:player} begins."),
        "claims": plural(
            "{seat:player} lays {count} card and says: {rank:face}.",
            "{seat:player} lays {count} cards and says: {rank:face}.",
            by="count",
        ),
        "tie": phrase("{seat:player} and {others:players} called at once: {seat:player} sits nearer."),
        "challenged": phrase("{seat:player} to {claimant:player}: Cheat!"),
        "stands": phrase("{seat:player} is believed."),
        "honest": phrase("{seat:player} told the truth: {cards:faces}."),
        "lied": phrase("{seat:player} has cheated: {cards:faces}."),
        "takes": plural(
            "{seat:player} takes {count} card in hand.",
            "{seat:player} takes all {count} cards in hand.",
            by="count",
        ),
        "won": phrase("{seats:players} has no cards left, and wins."),
        "won-fewest": phrase("The last tour is over. {seats:players}: the fewest cards, {count}, win."),
    },
    situations={
        "to-claim": phrase("{seat:player} lays cards that have to be {rank:face}."),
        "claimed": plural(
            "{seat:player} has laid {count} card: {rank:face}?",
            "{seat:player} has laid {count} cards: {rank:face}?",
            by="count",
        ),
        "challenged": plural(
            "{challenger:player} doubts {count} card of {seat:player}: {rank:face}?",
            "{challenger:player} doubts {count} cards of {seat:player}: {rank:face}?",
            by="count",
        ),
    },
    facts={
        "rank": Label(phrase("Due now"), phrase("{rank:face}")),
        "heap": Label(phrase("Face down"), phrase("{count}")),
    },
    cards={"shown": phrase("Turned up")},
    counts={"cards": plural("{count} card", "{count} cards", by="count")},
    statistics={"standing-cards": phrase("cards left")},
    house={
        "seconds": phrase("seconds in which a claim may be doubted"),
        "tours": phrase("how often all ranks come round before the fewest cards win"),
    },
)
