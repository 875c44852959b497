"""Texts, moods and button presses."""

from referee.contract import Cue, Label, Mood, Words, plural, wording
from referee.kit.french_cards import CARD_NAMES, RANK_NAMES, RANKS, SUIT_NAMES, SUIT_WORDS

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

WORDS = Words(
    title="Cheat",
    pitch="Lay cards face down, say what they are, and don't get caught.",
    faces={**CARD_NAMES, **{rank: f"{RANK_NAMES.get(rank, rank)}s" for rank in RANKS}},
    suits={word: SUIT_NAMES[suit] for word, suit in SUIT_WORDS.items()},
    asks={
        "claim": wording(
            "How many cards does {seats:players} lay, face down?",
            seats="Lay them face down on the pile. How many do you lay?",
        ),
        "doubt": wording("Who challenges it?", seats="Do you challenge it?"),
        "proof": wording(
            "{seats:players} turns up the cards just laid.", seats="Turn up the cards that you have just laid."
        ),
    },
    options={"challenge": "Cheat!", "pass": "I let it pass"},
    rulings={
        "dealt": "Shuffle, and deal all cards: {counts:scores}. {seat:player} begins.",
        "claims": "{seat:player} lays {count} [card|cards] and says “{rank:face}”.",
        "tie": "{seat:player} and {others:players} called at once; {seat:player} sits nearer.",
        "challenged": "{seat:player} to {claimant:player}: Cheat!",
        "stands": "Nobody challenges {seat:actor}.",
        "honest": "{seat:actor} told the truth: {cards:faces}.",
        "lied": "{seat:actor} cheated: {cards:faces}.",
        "takes": "[{seat:player} takes|You take] [{count} card|all {count} cards].",
        "won": "{seats:players} has no cards left, and wins.",
        "won-fewest": "The ranks have come round for the last time. The fewest cards win:"
        " {seats:players} with {count}.",
    },
    situations={
        "to-claim": "[{seat:player} is|You are] to lay {rank:face}.",
        "claimed": wording(
            plural(
                "{seat:actor} has laid {count} card: “{rank:face}”.",
                "{seat:actor} has laid {count} cards: “{rank:face}”.",
                by="count",
            ),
            seat=plural(
                "You have laid {count} card: “{rank:face}”.",
                "You have laid {count} cards: “{rank:face}”.",
                by="count",
            ),
        ),
        "challenged": wording(
            plural(
                "{challenger:actor} challenges {seat:actor}: {count} card, “{rank:face}”.",
                "{challenger:actor} challenges {seat:actor}: {count} cards, “{rank:face}”.",
                by="count",
            ),
            seat=plural(
                "{challenger:actor} challenges you: {count} card, “{rank:face}”.",
                "{challenger:actor} challenges you: {count} cards, “{rank:face}”.",
                by="count",
            ),
        ),
    },
    facts={"rank": Label("Current rank", "{rank:face}"), "heap": Label("Face down", "{count}")},
    cards={"shown": "Turned up"},
    highlights={
        "caught": Label(
            "Biggest catch",
            "{challenger:actor} caught {seat:actor}'s false {rank:face}: {seat:actor} took all {count} cards.",
        ),
        "honest": Label(
            "Costliest challenge",
            "{seat:actor}'s {rank:face} were true: {challenger:actor} took all {count} cards.",
        ),
    },
    counts={"cards": "{count} [card|cards]"},
    statistics={"standing-cards": "cards left"},
    house={
        "seconds": "seconds to challenge a claim",
        "tours": "number of times all ranks come round before the fewest cards win",
    },
)
