"""Texts, moods and button presses."""

from referee.contract import Cue, Label, Mood, Words, plural
from referee.kit.french_cards import CARD_NAMES, SUIT_NAMES, SUIT_WORDS

CUES = {"deal": Cue(Mood.SEASON), "bid": Cue(Mood.CLAIM), "takes": Cue(Mood.TRICK), "won": Cue(Mood.WIN, "")}

WORDS = Words(
    title="Oh Hell",
    pitch="Say how many tricks you will take, and take exactly as many.",
    faces={**CARD_NAMES, **SUIT_NAMES},
    suits={word: SUIT_NAMES[suit] for word, suit in SUIT_WORDS.items()},
    asks={
        "trump": "Turn up the top card of the pile: its suit is trumps.",
        "bid": "How many tricks will [{seats:players}|you] take?",
        "card": "Which card [does {seats:players}|do you] lay?",
    },
    options={},
    rulings={
        "deal": "Deal {number}: {seat:player} shuffles, and deals {count} [card|cards] each.",
        "trump": "The {card:face} is turned up: its suit is trumps.",
        "bid": "{seat:player} bids {number} [trick|tricks].",
        "lays": "{seat:player} lays the {card:face}.",
        "revoke": plural(
            "Revoke! In trick {tricks:numbers}, {seat:player} denied the suit of the {card:face}, and now lays"
            " it.",
            "Revoke! In tricks {tricks:numbers}, {seat:player} denied the suit of the {card:face}, and now lays"
            " it.",
            by="count",
        ),
        "takes": "[{seat:player} takes|You take] the trick: {won} of {bid} bid.",
        "scored": "The deal is over. Its points: {counts:scores}.",
        "won": "The most points win: {seats:players} with {points}.",
    },
    situations={
        "dealt": "Everybody gets {count} [card|cards].",
        "bidding": "{count} [trick|tricks] to take; {trump:face} are trumps.",
        "leads": "[{seat:player} leads|You lead] a trick.",
        "to-follow": "[{seat:actor} has|You have] led {suit:face}.",
    },
    facts={"suit": Label("To follow", "{suit:face}"), "bid": Label("Tricks", "{won} of {bid}")},
    highlights={
        "exact": Label(
            "Boldest bid",
            "Deal {round}: {seat:actor} bid {count} [trick|tricks] of {size}, and took exactly that.",
        )
    },
    captions={"trump": "trumps", "took": "won"},
    cards={"trick": "The trick", "trump": "Turned up"},
    counts={"points": "{count} [point|points]"},
    statistics={"standing-points": "points"},
    house={
        "most": "cards of the first deal",
        "hook": "whether the bids may not add up to the tricks",
        "and_back": "whether deals grow again at the end",
    },
)
