"""Plenty Coups' rule book, its chapters on gifts and alliances."""

from referee.contract import Chapter, Rule, phrase

PROPOSING = "« Proposer une alliance »"
BEING_ALLIED = "« Avantages et contraintes d'une alliance »"
CHANGING = "« Changement d'alliance »"
NEUTRAL = "« S'allier à une tribu neutre »"

GIFTS = Chapter(
    phrase("Gifts"),
    (
        Rule(
            id="gift",
            text=phrase(
                "Gifts: discard a card and lay another one before a clan, face down. It gives you a card first,"
                " then takes yours."
            ),
            place="« Echanger des cadeaux »",
            rulings=("offers", "exchange"),
            options=("gift",),
            asks=("for-gift", "gift-back"),
        ),
        Rule(
            id="no-gift-in-raids",
            text=phrase("No gifts are exchanged with a clan that you are raiding, or that is raiding you."),
            place="« Echanger des cadeaux »",
            refusals=("raid-between",),
        ),
        Rule(
            id="gift-cards",
            text=phrase(
                "Gifts take a card in each hand, and in yours another one to discard unless the gift is free."
            ),
            refusals=("too-few-cards", "empty-hand"),
        ),
    ),
)

ALLIANCES = Chapter(
    phrase("Alliances"),
    (
        Rule(
            id="riders-bind",
            text=phrase("What binds an alliance is a rider of the other clan, laid out of your hand."),
            place="« Alliances »",
            refusals=("no-such-rider",),
        ),
        Rule(
            id="propose",
            text=phrase("To propose an alliance to a clan, lay one of its riders beside your herd."),
            place=PROPOSING,
            rulings=("proposes",),
            refusals=("no-proposal",),
            options=("propose",),
            asks=("proposal",),
        ),
        Rule(
            id="proposal-lapses",
            text=phrase("A proposal that wasn't accepted is discarded at the start of your next turn."),
            place=PROPOSING,
            rulings=("lapses",),
        ),
        Rule(
            id="outbid",
            text=phrase(
                "Only a higher rider of the same clan outbids another's proposal to it, which is discarded."
            ),
            place=PROPOSING,
            rulings=("outbid",),
            refusals=("no-proposal",),
        ),
        Rule(
            id="several-proposals",
            text=phrase(
                "You may propose to several clans, once to each. When an alliance is sealed, what the two have"
                " proposed to others is void."
            ),
            rulings=("withdrawn",),
            refusals=("proposed-already",),
        ),
        Rule(
            id="propose-to-raider",
            text=phrase(
                "If you propose to a clan that raids you, its raid ends at once: with its horse, but no feat."
            ),
            place=PROPOSING,
            rulings=("raid-ends",),
        ),
        Rule(
            id="no-raid-on-proposer",
            text=phrase("You can't raid a clan that has proposed an alliance to you."),
            place=PROPOSING,
            refusals=("proposal-open",),
        ),
        Rule(
            id="no-raid-on-proposed",
            text=phrase("You can't raid a clan to which you have proposed an alliance yourself."),
            refusals=("proposal-open",),
        ),
        Rule(
            id="accept",
            text=phrase(
                "To accept, lay a rider of the clan that proposed behind your camp. The proposal goes"
                " behind its own camp, and it gains 1 renown."
            ),
            place="« Accepter une Alliance »",
            rulings=("seals",),
            refusals=("not-proposed", "no-acceptance"),
            options=("accept",),
            asks=("acceptance",),
        ),
        Rule(
            id="allies-apart",
            text=phrase("Allies can neither raid each other nor give each other horses."),
            place=BEING_ALLIED,
            refusals=("is-ally",),
        ),
        Rule(
            id="one-ally",
            text=phrase(
                "A clan with an ally in play can't propose to another one, nor ally with a neutral clan."
            ),
            place=BEING_ALLIED,
            refusals=("has-ally",),
        ),
        Rule(
            id="ally-gift",
            text=phrase(
                "Once in each of their turns, allies may exchange gifts for free: no card is discarded, and it"
                " is no action."
            ),
            place=BEING_ALLIED,
            refusals=("no-ally", "not-ally", "gifted-already"),
            options=("ally-gift",),
        ),
        Rule(
            id="change",
            text=phrase(
                "An alliance gives way to the proposal of a clan without an ally in play, if its rider is"
                " higher than the present ally's."
            ),
            place=CHANGING,
            rulings=("alliance-ends",),
            refusals=("no-proposal",),
        ),
        Rule(
            id="change-accepted",
            text=phrase(
                "To change allies, accept with a rider no lower than your own in the old alliance. Both its"
                " riders are discarded; you lose no renown."
            ),
            place=CHANGING,
            rulings=("alliance-ends",),
            refusals=("no-acceptance",),
        ),
    ),
)

NEUTRAL_ALLIANCES = Chapter(
    phrase("Neutral alliances"),
    (
        Rule(
            id="neutral-ally",
            text=phrase(
                "To ally with a clan that isn't in play, lay one of its riders behind your camp. It brings no"
                " renown."
            ),
            place=NEUTRAL,
            rulings=("neutral-ally",),
            refusals=("no-neutral-ally",),
            options=("ally",),
            asks=("neutral-rider",),
        ),
        Rule(
            id="neutral-change",
            text=phrase(
                "Your neutral alliance ends without a loss when you lay a rider no lower than the one there: of"
                " another neutral clan, or to accept a proposal."
            ),
            place=NEUTRAL,
            rulings=("neutral-ends",),
            refusals=("no-neutral-ally", "no-acceptance"),
        ),
        Rule(
            id="neutral-taken",
            text=phrase("With a higher rider of the same neutral clan, another clan takes your ally from you."),
            place=NEUTRAL,
            rulings=("neutral-ends",),
            refusals=("no-neutral-ally",),
        ),
        Rule(
            id="neutral-proposer",
            text=phrase(
                "A clan with a neutral ally may propose an alliance; the neutral one ends if it is accepted."
            ),
            rulings=("neutral-ends",),
        ),
    ),
)
