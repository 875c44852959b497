"""Coup's rule book: influence, seven actions, blocks and challenges, and what the rule text leaves open."""

from referee.contract import Chapter, Rule, Ruling, phrase
from referee.games.coup.actions import FOREIGN_AID, INCOME, TAX, Action
from referee.games.coup.deck import DUKE


def _takes_for(action: Action, ruling: Ruling) -> bool:
    """Tell coins from the Treasury apart by how many were wanted."""
    return ruling.key != "takes" or ruling.values["wanted"] == action.gain


def _is_income(ruling: Ruling) -> bool:
    return _takes_for(INCOME, ruling)


def _is_foreign_aid(ruling: Ruling) -> bool:
    return _takes_for(FOREIGN_AID, ruling)


def _is_tax(ruling: Ruling) -> bool:
    return _takes_for(TAX, ruling)


def _steals_nothing(ruling: Ruling) -> bool:
    return ruling.values["coins"] == 0


def _waits_for_challenges(ruling: Ruling) -> bool:
    """Tell whether the action claims a character, so that it may still be challenged: aid does not."""
    return ruling.values["face"] != DUKE


def _waits_for_others_before(ruling: Ruling) -> bool:
    return ruling.key == "means-to-challenge" or not _waits_for_challenges(ruling)


SETTING_UP = "« Installation du jeu »"
INFLUENCE = "« Influence »"
THE_GAME = "« Déroulement du jeu »"
ACTIONS = "« Actions »"
CHARACTER_ACTIONS = "« Actions de Personnage »"
BLOCKS = "« Contre-Attaques »"
CHALLENGES = "« Défis »"
OBJECTIONS = ("challenge", "challenge-or-block", "block")
"""Asks for what others say to an action or a block."""

_BEGIN = Chapter(
    phrase("Setting up"),
    (
        Rule(
            id="purse",
            text=phrase(
                "Everybody begins with two cards, face down, and two coins. The other cards are the Court, the"
                " other coins the Treasury."
            ),
            place=SETTING_UP,
            rulings=("dealt",),
        ),
        Rule(
            id="opener",
            text=phrase("The winner of the match before begins."),
            place=SETTING_UP,
            rulings=("begins",),
        ),
        Rule(
            id="first-opener",
            text=phrase("If there was no match before, or its winner has left, the table says who begins."),
            rulings=("begins",),
            options=("opens",),
            asks=("opener",),
        ),
        Rule(
            id="first-coin",
            text=phrase("With two players, the one who begins has only one coin."),
            holds=lambda house: house.two_player_first_coin == 1,
            rulings=("first-coin",),
        ),
    ),
)

_INFLUENCE = Chapter(
    phrase("Influence"),
    (
        Rule(
            id="influence",
            text=phrase(
                "Each card face down is an influence. Losing one means turning up a card of your own choice,"
                " and it stays open."
            ),
            place=INFLUENCE,
            rulings=("loses",),
            asks=("lose",),
        ),
        Rule(
            id="out",
            text=phrase("A player whose cards are both open is out."),
            place=INFLUENCE,
            rulings=("out",),
        ),
        Rule(
            id="coins-back",
            text=phrase("The coins of a player who is out go back to the Treasury."),
            place=THE_GAME,
            rulings=("gives-back",),
        ),
        Rule(
            id="coins-after-action",
            text=phrase(
                "The coins of a player who has just gone out go back only after the running action: the"
                " Captain still takes some of them."
            ),
            place="« Exemple de partie »",
            rulings=("gives-back",),
        ),
        Rule(
            id="last-one",
            text=phrase("The last player with influence wins."),
            place=THE_GAME,
            rulings=("won",),
        ),
        Rule(
            id="at-once",
            text=phrase(
                "When the last opponent goes out, the match is over at once; the running action has no effect"
                " any more."
            ),
            rulings=("won",),
        ),
    ),
)

_TURN = Chapter(
    phrase("A turn"),
    (
        Rule(
            id="one-action",
            text=phrase("The turn goes clockwise. In turn you take exactly one action, and you can't pass."),
            place=THE_GAME,
            asks=("action",),
        ),
        Rule(
            id="affordable",
            text=phrase("You may choose any action that you can pay for."),
            place=ACTIONS,
            refusals=("too-dear",),
            asks=("action",),
        ),
        Rule(
            id="paid-at-once",
            text=phrase("You name the target and pay as soon as you say your action."),
            rulings=("launches-coup", "claims-assassin", "claims-captain"),
        ),
        Rule(
            id="ten-coins",
            text=phrase("If you begin your turn with at least 10 coins, you have to launch a coup."),
            place=ACTIONS,
            refusals=("has-to-coup",),
            options=("coup",),
            asks=("must-coup",),
        ),
        Rule(
            id="targets",
            text=phrase(
                "A coup, the Assassin and the Captain are aimed at another player who isn't out; no other"
                " action is aimed at a player."
            ),
            place=ACTIONS,
            refusals=("not-aimed", "not-yourself", "target-out"),
        ),
    ),
)

_ACTIONS = Chapter(
    phrase("The actions"),
    (
        Rule(
            id="income",
            text=phrase("Income: you take 1 coin. It can be neither challenged nor blocked."),
            place="« Revenu »",
            rulings=("takes",),
            where=_is_income,
            options=("income",),
        ),
        Rule(
            id="foreign-aid",
            text=phrase("Foreign aid: you take 2 coins, unless another player blocks it as the Duke."),
            place="« Aide étrangère »",
            rulings=("asks-aid", "takes"),
            where=_is_foreign_aid,
            options=("foreign-aid",),
        ),
        Rule(
            id="coup",
            text=phrase(
                "Coup: you pay 7 coins, and another player loses an influence. It can be neither challenged nor"
                " blocked."
            ),
            place="« Coup »",
            rulings=("launches-coup",),
            options=("coup",),
        ),
        Rule(
            id="tax",
            text=phrase("Tax, as the Duke: you take 3 coins."),
            place="« Duc – Taxes »",
            rulings=("claims-tax", "takes"),
            where=_is_tax,
            options=("tax",),
        ),
        Rule(
            id="assassinate",
            text=phrase(
                "As the Assassin you pay 3 coins, and another player loses an influence, unless that player"
                " blocks."
            ),
            place="« Assassin – Assassinier »",
            rulings=("claims-assassin",),
            options=("assassinate",),
        ),
        Rule(
            id="steal",
            text=phrase(
                "As the Captain you take 2 coins from another player, or the only one, unless that player"
                " blocks."
            ),
            place="« Capitaine – Extorquer »",
            rulings=("claims-captain", "steals"),
            options=("steal",),
        ),
        Rule(
            id="steal-zero/allow",
            text=phrase("The Captain may also be aimed at a player without coins, and then takes nothing."),
            holds=lambda house: house.steal_zero == "allow",
            rulings=("steals",),
            where=_steals_nothing,
            options=("steal",),
        ),
        Rule(
            id="steal-zero/forbid",
            text=phrase("The Captain can't be aimed at a player without coins."),
            holds=lambda house: house.steal_zero == "forbid",
            refusals=("no-coins",),
            options=("steal",),
        ),
        Rule(
            id="exchange",
            text=phrase(
                "As the Ambassador you draw two cards from the Court, mix them with your hidden ones, and put"
                " any two back."
            ),
            place="« Ambassadeur – Échange »",
            rulings=("claims-ambassador", "draws", "returns"),
            options=("exchange",),
            asks=("exchange",),
        ),
        Rule(
            id="claim",
            text=phrase(
                "You may say that you hold a character, whether or not it is true, and show no card unless you"
                " are challenged."
            ),
            place=ACTIONS,
            rulings=("claims-tax", "claims-assassin", "claims-captain", "claims-ambassador"),
        ),
        Rule(
            id="treasury/limited",
            text=phrase("Coins come from the Treasury: if it has too few, you take what is left."),
            holds=lambda house: not house.bank_unlimited,
            rulings=("takes", "treasury-empty"),
        ),
        Rule(
            id="treasury/unlimited",
            text=phrase("Coins come from the Treasury, and it never runs out of them."),
            holds=lambda house: house.bank_unlimited,
            rulings=("takes",),
        ),
    ),
)

_BLOCKS = Chapter(
    phrase("Blocks"),
    (
        Rule(
            id="block",
            text=phrase(
                "You block an action by saying that you hold a character that stops it, whether or not it is"
                " true. That may be challenged, too."
            ),
            place=BLOCKS,
            rulings=("blocks",),
            options=("block",),
            asks=("block", "challenge-or-block"),
        ),
        Rule(
            id="characters-that-block",
            text=phrase(
                "Foreign aid is blocked by the Duke, the Assassin by the Contessa, the Captain by the"
                " Ambassador or another Captain. Nothing else can be blocked."
            ),
            place=BLOCKS,
            rulings=("blocks",),
            refusals=("no-block", "wrong-block"),
            options=("block",),
        ),
        Rule(
            id="who-blocks",
            text=phrase(
                "Any other player may block foreign aid; an Assassin or a Captain only the one they are aimed"
                " at."
            ),
            place=BLOCKS,
            rulings=("blocks",),
            refusals=("not-target",),
        ),
        Rule(
            id="block-holds",
            text=phrase("If a block holds, the action fails, and the coins that were paid for it stay spent."),
            place=BLOCKS,
            rulings=("block-holds", "block-holds-spent"),
        ),
        Rule(
            id="block-once",
            text=phrase("An action is blocked once at most: after a block that failed there is no second one."),
            rulings=("block-fails",),
            refusals=("block-stands",),
        ),
        Rule(
            id="challenges-first",
            text=phrase("Challenges are settled first: a block waits until all have let the claim pass."),
            place=THE_GAME,
            rulings=("means-to-block",),
            where=_waits_for_challenges,
        ),
        Rule(
            id="block-after-challenge/may",
            text=phrase(
                "A target who has challenged the action in vain may still block it, unless that player is out."
            ),
            holds=lambda house: house.challenger_may_block,
            asks=("challenge-or-block", "block"),
        ),
        Rule(
            id="block-after-challenge/may-not",
            text=phrase("A target who has challenged the action in vain can't block it any more."),
            holds=lambda house: not house.challenger_may_block,
            asks=("challenge-or-block",),
        ),
    ),
)

_CHALLENGES = Chapter(
    phrase("Challenges"),
    (
        Rule(
            id="challenge",
            text=phrase(
                "Any other player may challenge a claim, that of a block as well. What claims no character, or"
                " was proved, can't be challenged."
            ),
            place=CHALLENGES,
            rulings=("challenged",),
            refusals=("no-claim",),
            options=("challenge",),
            asks=("challenge", "challenge-or-block"),
        ),
        Rule(
            id="proof",
            text=phrase(
                "When challenged, show the character: then the challenger loses an influence. If you don't, you"
                " lose one."
            ),
            place=CHALLENGES,
            rulings=("proved", "disproved", "concedes"),
            options=("challenge",),
            asks=("prove",),
        ),
        Rule(
            id="refuse/may",
            text=phrase(
                "When challenged, you may refuse to show a card, even if you have it, and you choose which one"
                " is lost. After {proof_seconds} s without a card you have refused."
            ),
            holds=lambda house: house.may_concede,
            rulings=("concedes",),
            options=("concede",),
            asks=("concede",),
        ),
        Rule(
            id="refuse/may-not",
            text=phrase("When challenged, you have to lay a card, and there is no clock for it."),
            holds=lambda house: not house.may_concede,
            asks=("prove",),
        ),
        Rule(
            id="wrong-card",
            text=phrase("If you lay another card than the one you claimed, it is the influence that you lose."),
            rulings=("disproved",),
        ),
        Rule(
            id="swap/always",
            text=phrase("The card that was shown is shuffled into the Court, and its owner draws another."),
            place=CHALLENGES,
            holds=lambda house: house.swap_after_proof == "mandatory",
            rulings=("swaps",),
        ),
        Rule(
            id="swap/optional",
            text=phrase(
                "The owner of the card that was shown may shuffle it into the Court and draw another, or keep"
                " it."
            ),
            place=CHALLENGES,
            holds=lambda house: house.swap_after_proof == "optional",
            rulings=("swaps", "keeps"),
            options=("swap", "keep"),
            asks=("swap",),
        ),
        Rule(
            id="swap-first",
            text=phrase("The card that was shown is swapped before the challenger turns one up."),
            rulings=("swaps",),
        ),
        Rule(
            id="action-fails",
            text=phrase("If a challenge of an action succeeds, the action fails, and its coins are paid back."),
            place=CHALLENGES,
            rulings=("void", "void-refunded"),
        ),
        Rule(
            id="block-fails",
            text=phrase("If a challenge of a block succeeds, the block fails, and the action takes effect."),
            place=CHALLENGES,
            rulings=("block-fails",),
        ),
        Rule(
            id="double-danger",
            text=phrase(
                "An Assassin's target can lose two influences in one turn: one by a challenge, and one by the"
                " Assassin."
            ),
            place="« Note : double dangers des Assassinats »",
            rulings=("claims-assassin",),
        ),
    ),
)

_IN_TIME = Chapter(
    phrase("Speaking up in time"),
    (
        Rule(
            id="chance-to-object",
            text=phrase(
                "Before an action or a block takes effect, everybody else may object or let it pass. Afterwards"
                " it is too late."
            ),
            place=CHALLENGES,
            options=("pass",),
            asks=OBJECTIONS,
        ),
        Rule(
            id="window/all-pass",
            text=phrase(
                "You may take your time, until the one who acts or blocks asks for objections: after"
                " {window_seconds} s, those who have said nothing let it pass."
            ),
            holds=lambda house: house.window == "all_pass",
            rulings=("objections",),
            options=("objections",),
            asks=("objections", *OBJECTIONS),
        ),
        Rule(
            id="window/timer",
            text=phrase("After {window_seconds} s, those who have said nothing let it pass."),
            holds=lambda house: house.window == "timer",
            asks=OBJECTIONS,
        ),
        Rule(
            id="priority/button",
            text=phrase(
                "Of several who object, the first counts. At the same instant challenges come before blocks;"
                " then the target comes first, then the others clockwise from the player in turn."
            ),
            holds=lambda house: house.priority == "button",
            rulings=("tie",),
            asks=OBJECTIONS,
        ),
        Rule(
            id="priority/clockwise",
            text=phrase(
                "Of several who object, the first one clockwise from the player in turn counts, once all who"
                " come before have let it pass."
            ),
            holds=lambda house: house.priority == "clockwise",
            rulings=("means-to-challenge", "means-to-block"),
            where=_waits_for_others_before,
            asks=OBJECTIONS,
        ),
    ),
)

_TABLE = Chapter(
    phrase("Before the match"),
    (
        Rule(
            id="players",
            text=phrase("Two to six play: there are six summary cards."),
            refusals=("seats",),
        ),
        Rule(
            id="clocks",
            text=phrase("The clocks for objecting and for showing a card can be set from 1 to 120 seconds."),
            refusals=("seconds",),
        ),
    ),
)

_TOLD = Chapter(
    phrase("Told afterwards"),
    (
        Rule(
            id="still-hidden",
            text=phrase(
                "The referee counts which characters can still be hidden; with all three open, a claim is a"
                " bluff."
            ),
            rulings=("still-hidden", "all-open"),
        ),
        Rule(
            id="tally",
            text=phrase(
                "After the match the referee tells claims and challenges. Bluffs that weren't challenged stay"
                " secret."
            ),
            rulings=("tally",),
        ),
    ),
)

BOOK = (_BEGIN, _INFLUENCE, _TURN, _ACTIONS, _BLOCKS, _CHALLENGES, _IN_TIME, _TABLE, _TOLD)
