"""Coup's rule book: influence, seven actions, blocks and challenges, and what the rule text leaves open."""

from referee.contract import Chapter, Rule, phrase

SETTING_UP = "« Installation du jeu »"
INFLUENCE = "« Influence »"
THE_GAME = "« Déroulement du jeu »"
ACTIONS = "« Actions »"
BLOCKS = "« Contre-Attaques »"
CHALLENGES = "« Défis »"
EXAMPLE = "« Exemple de partie »"
NOTE = "« Note : double dangers des Assassinats »"
OBJECTIONS = ("challenge", "challenge-or-block", "block")
"""Asks for what others say to an action or a block."""

_BEGIN = (
    Rule(
        "purse",
        phrase(
            "Everybody begins with two cards, face down, and two coins. The other cards are the Court, the"
            " other coins the Treasury."
        ),
        SETTING_UP,
    ),
    Rule("opener", phrase("The winner of the match before begins."), SETTING_UP),
    Rule(
        "first-opener",
        phrase("If there was no match before, or its winner has left, the table says who begins."),
        options=("opens",),
        asks=("opener",),
    ),
    Rule(
        "first-coin",
        phrase("With two players, the one who begins has only one coin."),
        otherwise=SETTING_UP,
        holds=lambda house: house.two_player_first_coin == 1,
    ),
)
_INFLUENCE = (
    Rule(
        "influence",
        phrase(
            "Each card face down is an influence. Losing one means turning up a card of your own choice, and"
            " it stays open."
        ),
        INFLUENCE,
        asks=("lose",),
    ),
    Rule("out", phrase("A player whose cards are both open is out."), INFLUENCE),
    Rule("coins-back", phrase("The coins of a player who is out go back to the Treasury."), THE_GAME),
    Rule(
        "coins-after-action",
        phrase(
            "The coins of a player who has just gone out go back only after the running action: the Captain"
            " still takes some of them."
        ),
        EXAMPLE,
    ),
    Rule("last-one", phrase("The last player with influence wins."), THE_GAME),
    Rule(
        "at-once",
        phrase(
            "When the last opponent goes out, the match is over at once; the running action has no effect any"
            " more."
        ),
    ),
)
_TURN = (
    Rule(
        "one-action",
        phrase("The turn goes clockwise. In turn you take exactly one action, and you can't pass."),
        THE_GAME,
        asks=("action",),
    ),
    Rule(
        "affordable",
        phrase("You may choose any action that you can pay for."),
        ACTIONS,
        refusals=("too-dear",),
        asks=("action",),
    ),
    Rule(
        "paid-at-once",
        phrase("You name the target and pay as soon as you say your action."),
        EXAMPLE,
        options=("coup", "assassinate"),
    ),
    Rule(
        "ten-coins",
        phrase("If you begin your turn with at least 10 coins, you have to launch a coup."),
        ACTIONS,
        refusals=("has-to-coup",),
        options=("coup",),
        asks=("must-coup",),
    ),
    Rule(
        "targets",
        phrase(
            "A coup, the Assassin and the Captain are aimed at another player who isn't out; no other action"
            " is aimed at a player."
        ),
        "« Coup »",
        refusals=("not-aimed", "not-yourself", "target-out"),
    ),
)
_ACTIONS = (
    Rule(
        "income",
        phrase("Income: you take 1 coin. It can be neither challenged nor blocked."),
        "« Revenu »",
        options=("income",),
    ),
    Rule(
        "foreign-aid",
        phrase("Foreign aid: you take 2 coins, unless another player blocks it as the Duke."),
        "« Aide étrangère »",
        options=("foreign-aid",),
    ),
    Rule(
        "coup",
        phrase(
            "Coup: you pay 7 coins, and another player loses an influence. It can be neither challenged nor"
            " blocked."
        ),
        "« Coup »",
        options=("coup",),
    ),
    Rule("tax", phrase("Tax, as the Duke: you take 3 coins."), "« Duc – Taxes »", options=("tax",)),
    Rule(
        "assassinate",
        phrase(
            "As the Assassin you pay 3 coins, and another player loses an influence, unless that player blocks."
        ),
        "« Assassin – Assassinier »",
        options=("assassinate",),
    ),
    Rule(
        "steal",
        phrase(
            "As the Captain you take 2 coins from another player, or the only one, unless that player blocks."
        ),
        "« Capitaine – Extorquer »",
        options=("steal",),
    ),
    Rule(
        "steal-zero/allow",
        phrase("The Captain may also be aimed at a player without coins, and then takes nothing."),
        holds=lambda house: house.steal_zero == "allow",
        options=("steal",),
    ),
    Rule(
        "steal-zero/forbid",
        phrase("The Captain can't be aimed at a player without coins."),
        holds=lambda house: house.steal_zero == "forbid",
        refusals=("no-coins",),
        options=("steal",),
    ),
    Rule(
        "exchange",
        phrase(
            "As the Ambassador you draw two cards from the Court, mix them with your hidden ones, and put any"
            " two back."
        ),
        "« Ambassadeur – Échange »",
        options=("exchange",),
        asks=("exchange",),
    ),
    Rule(
        "claim",
        phrase(
            "You may say that you hold a character, whether or not it is true, and show no card unless you are"
            " challenged."
        ),
        ACTIONS,
        asks=("action",),
    ),
    Rule(
        "treasury/limited",
        phrase("Coins come from the Treasury: if it has too few, you take what is left."),
        holds=lambda house: not house.bank_unlimited,
    ),
    Rule(
        "treasury/unlimited",
        phrase("Coins come from the Treasury, and it never runs out of them."),
        holds=lambda house: house.bank_unlimited,
    ),
)
_BLOCKS = (
    Rule(
        "block",
        phrase(
            "You block an action by saying that you hold a character that stops it, whether or not it is true."
            " That may be challenged, too."
        ),
        BLOCKS,
        options=("block",),
        asks=("block", "challenge-or-block"),
    ),
    Rule(
        "characters-that-block",
        phrase(
            "Foreign aid is blocked by the Duke, the Assassin by the Contessa, the Captain by the Ambassador"
            " or another Captain. Nothing else can be blocked."
        ),
        BLOCKS,
        refusals=("no-block", "wrong-block"),
        options=("block",),
    ),
    Rule(
        "who-blocks",
        phrase(
            "Any other player may block foreign aid; an Assassin or a Captain only the one they are aimed at."
        ),
        BLOCKS,
        refusals=("not-target",),
    ),
    Rule(
        "block-holds",
        phrase("If a block holds, the action fails, and the coins that were paid for it stay spent."),
        BLOCKS,
    ),
    Rule(
        "block-once",
        phrase("An action is blocked once at most: after a block that failed there is no second one."),
        refusals=("block-stands",),
    ),
    Rule(
        "challenges-first",
        phrase("Challenges are settled first: a block waits until all have let the claim pass."),
        THE_GAME,
    ),
    Rule(
        "block-after-challenge/may",
        phrase("A target who has challenged the action in vain may still block it, unless that player is out."),
        holds=lambda house: house.challenger_may_block,
        asks=("challenge-or-block", "block"),
    ),
    Rule(
        "block-after-challenge/may-not",
        phrase("A target who has challenged the action in vain can't block it any more."),
        holds=lambda house: not house.challenger_may_block,
        asks=("challenge-or-block",),
    ),
)
_CHALLENGES = (
    Rule(
        "challenge",
        phrase(
            "Any other player may challenge a claim, that of a block as well. What claims no character, or was"
            " proved, can't be challenged."
        ),
        CHALLENGES,
        refusals=("no-claim",),
        options=("challenge",),
        asks=("challenge", "challenge-or-block"),
    ),
    Rule(
        "proof",
        phrase(
            "When challenged, show the character: then the challenger loses an influence. If you don't, you"
            " lose one."
        ),
        CHALLENGES,
        options=("challenge",),
        asks=("prove",),
    ),
    Rule(
        "refuse/may",
        phrase(
            "When challenged, you may refuse to show a card, even if you have it, and you choose which one is"
            " lost. After {proof_seconds} s without a card you have refused."
        ),
        otherwise=CHALLENGES,
        holds=lambda house: house.may_concede,
        options=("concede",),
        asks=("concede",),
    ),
    Rule(
        "refuse/may-not",
        phrase("When challenged, you have to lay a card, and there is no clock for it."),
        CHALLENGES,
        holds=lambda house: not house.may_concede,
        asks=("prove",),
    ),
    Rule(
        "wrong-card",
        phrase("If you lay another card than the one you claimed, it is the influence that you lose."),
    ),
    Rule(
        "swap/always",
        phrase("The card that was shown is shuffled into the Court, and its owner draws another."),
        otherwise=CHALLENGES,
        holds=lambda house: house.swap_after_proof == "mandatory",
    ),
    Rule(
        "swap/optional",
        phrase(
            "The owner of the card that was shown may shuffle it into the Court and draw another, or keep it."
        ),
        CHALLENGES,
        holds=lambda house: house.swap_after_proof == "optional",
        options=("swap", "keep"),
        asks=("swap",),
    ),
    Rule(
        "swap-first",
        phrase("The card that was shown is swapped before the challenger turns one up."),
        asks=("lose",),
    ),
    Rule(
        "action-fails",
        phrase("If a challenge of an action succeeds, the action fails, and its coins are paid back."),
        CHALLENGES,
    ),
    Rule(
        "block-fails",
        phrase("If a challenge of a block succeeds, the block fails, and the action takes effect."),
        EXAMPLE,
    ),
    Rule(
        "double-danger",
        phrase(
            "An Assassin's target can lose two influences in one turn: one by a challenge, and one by the"
            " Assassin."
        ),
        NOTE,
        options=("assassinate",),
    ),
)
_IN_TIME = (
    Rule(
        "chance-to-object",
        phrase(
            "Before an action or a block takes effect, everybody else may object or let it pass. Afterwards it"
            " is too late."
        ),
        CHALLENGES,
        options=("pass",),
        asks=OBJECTIONS,
    ),
    Rule(
        "window/all-pass",
        phrase(
            "You may take your time, until the one who acts or blocks asks for objections: after"
            " {window_seconds} s, those who have said nothing let it pass."
        ),
        holds=lambda house: house.window == "all_pass",
        options=("objections",),
        asks=("objections", *OBJECTIONS),
    ),
    Rule(
        "window/timer",
        phrase("After {window_seconds} s, those who have said nothing let it pass."),
        holds=lambda house: house.window == "timer",
        asks=OBJECTIONS,
    ),
    Rule(
        "priority/button",
        phrase(
            "Of several who object, the first counts. At the same instant challenges come before blocks; then"
            " the target comes first, then the others clockwise from the player in turn."
        ),
        holds=lambda house: house.priority == "button",
        asks=OBJECTIONS,
    ),
    Rule(
        "priority/clockwise",
        phrase(
            "Of several who object, the first one clockwise from the player in turn counts, once all who come"
            " before have let it pass."
        ),
        holds=lambda house: house.priority == "clockwise",
        asks=OBJECTIONS,
    ),
)
_TABLE = (
    Rule("players", phrase("Two to six play: there are six summary cards."), refusals=("seats",)),
    Rule(
        "clocks",
        phrase("The clocks for objecting and for showing a card can be set from 1 to 120 seconds."),
        refusals=("seconds",),
    ),
)
_TOLD = (
    Rule(
        "still-hidden",
        phrase(
            "The referee counts which characters can still be hidden; with all three open, a claim is a bluff."
        ),
    ),
    Rule(
        "tally",
        phrase(
            "After the match the referee tells claims and challenges. Bluffs that weren't challenged stay"
            " secret."
        ),
    ),
)
BOOK = (
    Chapter(phrase("Setting up"), _BEGIN),
    Chapter(phrase("Influence"), _INFLUENCE),
    Chapter(phrase("A turn"), _TURN),
    Chapter(phrase("The actions"), _ACTIONS),
    Chapter(phrase("Blocks"), _BLOCKS),
    Chapter(phrase("Challenges"), _CHALLENGES),
    Chapter(phrase("Speaking up in time"), _IN_TIME),
    Chapter(phrase("Before the match"), _TABLE),
    Chapter(phrase("Told afterwards"), _TOLD),
)
