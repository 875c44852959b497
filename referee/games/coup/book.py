"""Coup's rule book: influence, seven actions, blocks and challenges, and gaps in the printed rules."""

from referee.contract import Book, write_chapters
from referee.games.coup import board, rules

CHAPTERS = write_chapters(
    {
        "Setting up": {
            "purse": "Everybody begins with two cards, face down, and two coins. The other cards are the"
            " Court, the other coins the Treasury.",
            "opener": "The winner of the previous match begins.",
            "first-opener": "If there was no previous match, or its winner has left, the table decides who"
            " begins.",
            "first-coin": "With two players, the first player starts with only one coin.",
        },
        "Influence": {
            "influence": "Each face-down card is an influence. To lose one, turn up a card of your choice; it"
            " stays face up.",
            "out": "A player with both cards face up is out.",
            "coins-back": "A player who is out returns all coins to the Treasury.",
            "coins-after-action": "A player who goes out returns coins only after the current action: the"
            " Captain still takes some of them.",
            "last-one": "The last player with influence wins.",
            "at-once": "When the last opponent goes out, the match is over at once; the current action has no"
            " further effect.",
        },
        "A turn": {
            "one-action": "Play goes clockwise. On your turn you take exactly one action; you can't pass.",
            "affordable": "You may choose any action that you can afford.",
            "paid-at-once": "Name the target and pay as soon as you announce your action.",
            "ten-coins": "If you start your turn with 10 or more coins, you must launch a coup.",
            "targets": "A coup, the Assassin and the Captain are aimed at another player who isn't out; no"
            " other action is aimed at a player.",
        },
        "The actions": {
            "income": "Income: you take 1 coin. It can be neither challenged nor blocked.",
            "foreign-aid": "Foreign aid: you take 2 coins, unless another player blocks it as the Duke.",
            "coup": "Coup: you pay 7 coins, and another player loses an influence. It can be neither"
            " challenged nor blocked.",
            "tax": "Tax, as the Duke: you take 3 coins.",
            "assassinate": "As the Assassin you pay 3 coins, and another player loses an influence, unless"
            " that player blocks.",
            "steal": "As the Captain you take 2 coins from another player, or their only one, unless that"
            " player blocks.",
            "steal-zero/allow": "The Captain may also be aimed at a player without coins, and then takes"
            " nothing.",
            "steal-zero/forbid": "The Captain can't be aimed at a player without coins.",
            "exchange": "As the Ambassador you draw two cards from the Court, mix them with your hidden"
            " cards, and return any two.",
            "claim": "You may claim any character, truthfully or not. You show no card unless you are"
            " challenged.",
            "treasury/limited": "Coins come from the Treasury: if it has too few, you take what is left.",
            "treasury/unlimited": "Coins come from the Treasury, and it never runs out of them.",
        },
        "Blocks": {
            "block": "To block an action, claim a character that stops it, truthfully or not. The block may"
            " be challenged, too.",
            "characters-that-block": "Foreign aid is blocked by the Duke, the Assassin by the Contessa, the"
            " Captain by the Ambassador or another Captain. Nothing else can be blocked.",
            "who-blocks": "Any other player may block foreign aid; only the target may block an Assassin or a"
            " Captain.",
            "block-holds": "If a block holds, the action fails, and its cost isn't returned.",
            "block-once": "An action can be blocked only once: after a failed block there is no second one.",
            "challenges-first": "Challenges come first: a block waits until everyone has let the claim pass.",
            "block-after-challenge/may": "A target whose challenge failed may still block the action, unless"
            " that player is out.",
            "block-after-challenge/may-not": "A target whose challenge failed can no longer block the action.",
        },
        "Challenges": {
            "challenge": "Any other player may challenge a claim, including that of a block. Without a claim,"
            " or once it was proved, there is nothing to challenge.",
            "proof": "When challenged, show the character: then the challenger loses an influence. If you"
            " don't, you lose one.",
            "refuse/may": "When challenged, you may refuse to show a card, even if you have it; you choose"
            " which influence to lose. After {proof_seconds} s without a card, you have refused.",
            "refuse/may-not": "When challenged, you have to lay a card, and there is no clock for it.",
            "wrong-card": "If you lay a card other than the one you claimed, you lose that card.",
            "swap/always": "The card that was shown is shuffled into the Court, and its owner draws another.",
            "swap/optional": "The owner of the card that was shown may shuffle it into the Court and draw"
            " another, or keep it.",
            "swap-first": "The card that was shown is swapped before the challenger turns one up.",
            "action-fails": "If a challenge of an action succeeds, the action fails, and its coins are paid"
            " back.",
            "block-fails": "If a challenge of a block succeeds, the block fails, and the action takes effect.",
            "double-danger": "An Assassin's target can lose two influences in one turn: one by a challenge,"
            " and one by the Assassin.",
        },
        "Reacting in time": {
            "chance-to-object": "Before an action or a block takes effect, everybody else may object or let it"
            " pass. Afterwards it is too late.",
            "window/all-pass": "There is no time limit until the acting or blocking player asks for"
            " objections. After {window_seconds} s, silence means passing.",
            "window/timer": "After {window_seconds} s, silence means passing.",
            "priority/button": "If several players object, the first one counts. At the same instant,"
            " challenges come before blocks; then the target comes first, then the others clockwise from"
            " the player in turn.",
            "priority/clockwise": "If several players object, the first one clockwise from the player in turn"
            " counts, once all players before that one have passed.",
        },
        "Before the match": {
            "players": "Two to six play: there are six summary cards.",
            "clocks": "The clocks for objecting and for showing a card can be set from 1 to 120 seconds.",
        },
        "After the match": {
            "still-hidden": "The referee counts which characters can still be hidden; with all three open, a"
            " claim is a bluff.",
            "tally": "After the match, the referee lists claims and challenges. Bluffs stay secret until"
            " the match ends.",
        },
    },
    printed=(
        ("« Installation du jeu »", "purse opener"),
        ("« Influence »", "influence out"),
        ("« Déroulement du jeu »", "coins-back last-one one-action challenges-first"),
        ("« Exemple de partie »", "coins-after-action paid-at-once block-fails"),
        ("« Actions »", "affordable ten-coins claim"),
        ("« Coup »", "targets coup"),
        ("« Revenu »", "income"),
        ("« Aide étrangère »", "foreign-aid"),
        ("« Duc – Taxes »", "tax"),
        ("« Assassin – Assassinier »", "assassinate"),
        ("« Capitaine – Extorquer »", "steal"),
        ("« Ambassadeur – Échange »", "exchange"),
        ("« Contre-Attaques »", "block characters-that-block who-blocks block-holds"),
        ("« Défis »", "challenge proof refuse/may-not swap/optional action-fails chance-to-object"),
        ("« Note : double dangers des Assassinats »", "double-danger"),
    ),
    otherwise=(("« Installation du jeu »", "first-coin"), ("« Défis »", "refuse/may swap/always")),
    agreed={
        "two_player_first_coin": {1: "first-coin"},
        "steal_zero": {"allow": "steal-zero/allow", "forbid": "steal-zero/forbid"},
        "bank_unlimited": {False: "treasury/limited", True: "treasury/unlimited"},
        "challenger_may_block": {True: "block-after-challenge/may", False: "block-after-challenge/may-not"},
        "may_concede": {True: "refuse/may", False: "refuse/may-not"},
        "swap_after_proof": {"mandatory": "swap/always", "optional": "swap/optional"},
        "window": {"all_pass": "window/all-pass", "timer": "window/timer"},
        "priority": {"button": "priority/button", "clockwise": "priority/clockwise"},
    },
)
BOOK = Book(
    chapters=CHAPTERS,
    options={
        "opens": "first-opener",
        "coup": "paid-at-once ten-coins coup",
        "assassinate": "paid-at-once assassinate double-danger",
        "steal": "steal steal-zero",
        "block": "block characters-that-block",
        "challenge": "challenge proof",
        "concede": "refuse/may",
        "swap": "swap/optional",
        "keep": "swap/optional",
        "pass": "chance-to-object",
        "objections": "window/all-pass",
    },
    asks={
        "opener": "first-opener",
        "lose": "influence swap-first",
        "action": "one-action affordable claim",
        "must-coup": "ten-coins",
        "block": "block block-after-challenge/may chance-to-object window priority",
        "challenge-or-block": "block block-after-challenge challenge chance-to-object window priority",
        "challenge": "challenge chance-to-object window priority",
        "prove": "proof refuse/may-not",
        "concede": "refuse/may",
        "swap": "swap/optional",
        "objections": "window/all-pass",
    },
    refusals={
        "too-dear": "affordable",
        "has-to-coup": "ten-coins",
        **dict.fromkeys(("not-aimed", "not-yourself", "target-out"), "targets"),
        "no-coins": "steal-zero/forbid",
        "no-block": "characters-that-block",
        "wrong-block": "characters-that-block",
        "not-target": "who-blocks",
        "block-stands": "block-once",
        "no-claim": "challenge",
        "seats": "players",
        "seconds": "clocks",
    },
    why_not=rules.why_not,
    effect=board.effect,
    withheld=rules.withheld,
)
