"""Plenty Coups' rule book, its chapters on raids, defences and feats."""

from referee.contract import Chapter, Rule, Ruling, phrase
from referee.games.plenty_coups.deck import VALUE

RAID = "« Raid »"
FEAT = "« Marquer un coup »"


def _cards(ruling: Ruling) -> tuple[str, ...]:
    cards = ruling.values["cards"]
    return tuple(map(str, cards)) if isinstance(cards, tuple) else ()


def _has_bonus(ruling: Ruling) -> bool:
    return ruling.values["value"] != sum(VALUE[card] for card in _cards(ruling))


def _is_double_raid(ruling: Ruling) -> bool:
    return len(_cards(ruling)) > 1


def _is_double_defence(ruling: Ruling) -> bool:
    weapons = ruling.values["weapons"]
    return isinstance(weapons, tuple) and len(weapons) > 1


RAIDS = Chapter(
    phrase("Raids"),
    (
        Rule(
            id="raid",
            text=phrase(
                "A raid: lay a rider before another clan's camp, and on it a marker of yours that isn't out on"
                " a raid."
            ),
            place=RAID,
            rulings=("raids",),
            refusals=("no-rider", "no-markers", "no-raid"),
            options=("raid",),
            asks=("raid-rider",),
        ),
        Rule(
            id="own-riders",
            text=phrase("Riders of your own clan, or of your ally's, add 1 to the attack value."),
            place=RAID,
            rulings=("raids",),
            where=_has_bonus,
        ),
        Rule(
            id="double-raid",
            text=phrase(
                "Two riders of one clan can raid together: their values are added up. That takes both actions."
            ),
            place="« Double attaque »",
            rulings=("raids",),
            where=_is_double_raid,
            refusals=("no-double-raid",),
            options=("double-raid",),
            asks=("first-rider", "second-rider"),
        ),
        Rule(
            id="which-marker",
            text=phrase(
                "A marker that shows renown goes on a raid only when none with its raid side up is left."
            ),
            place=RAID,
            rulings=("raids",),
        ),
        Rule(
            id="one-raid",
            text=phrase(
                "A camp has one raid before it at most: only a stronger one chases it away. The riders chased"
                " are discarded, and their marker goes home."
            ),
            place=RAID,
            rulings=("chased",),
            refusals=("too-weak", "no-raid", "no-double-raid"),
        ),
        Rule(
            id="compared/attack-value",
            text=phrase("Raids and weapons are compared by the attack value, as it was when the raid set out."),
            holds=lambda house: house.compare == "effective",
            rulings=("chased", "repels"),
        ),
        Rule(
            id="compared/printed",
            text=phrase(
                "Raids and weapons are compared by what is printed, without the 1 for one's own riders."
            ),
            holds=lambda house: house.compare == "printed",
            rulings=("chased", "repels"),
        ),
        Rule(
            id="raid-under-way",
            text=phrase(
                "While you are raiding a clan, you can neither raid it again nor propose an alliance to it."
            ),
            place="« Proposer une alliance »",
            refusals=("raids-already",),
        ),
        Rule(
            id="comes-home",
            text=phrase(
                "A raid that is still there in your next turn comes home, with a horse of that herd if it has"
                " one. The riders are discarded."
            ),
            place=RAID,
            rulings=("comes-home", "takes-horse", "no-horse"),
            options=("home",),
            asks=("return",),
        ),
        Rule(
            id="raid-return/after",
            text=phrase("A raid comes home after the cards of the turn are taken."),
            holds=lambda house: house.raid_return == "after_draw",
            rulings=("comes-home",),
        ),
        Rule(
            id="raid-return/before",
            text=phrase("A raid comes home before the cards of the turn are taken."),
            holds=lambda house: house.raid_return == "before_draw",
            rulings=("comes-home",),
        ),
        Rule(
            id="marker-home",
            text=phrase(
                "A raid may be chased, repelled, ended or lost: its marker goes home with the same side up."
            ),
            rulings=("chased", "repels", "raid-ends", "too-late"),
        ),
    ),
)

DEFENCE = Chapter(
    phrase("Defence"),
    (
        Rule(
            id="defend",
            text=phrase("A weapon at least as strong as the raid on your camp repels it. Both are discarded."),
            place="« Défendre »",
            rulings=("repels",),
            refusals=("not-raided", "no-weapon", "no-defence"),
            options=("defend",),
            asks=("weapon",),
        ),
        Rule(
            id="double-defence",
            text=phrase(
                "Two weapons, added up, can repel a raid together. That takes both actions and allows no feat."
            ),
            place="« Double défense »",
            rulings=("repels",),
            where=_is_double_defence,
            refusals=("no-double-defence",),
            options=("double-defend",),
            asks=("first-weapon", "second-weapon"),
        ),
    ),
)

FEATS = Chapter(
    phrase("Feats and renown"),
    (
        Rule(
            id="feat-home",
            text=phrase(
                "When your raid comes home, a staff scores a feat, unless its marker shows renown already."
            ),
            place=FEAT,
            rulings=("feat",),
            options=("score",),
            asks=("return",),
        ),
        Rule(
            id="feat-is-action",
            text=phrase(
                "A feat at a raid's return is one of the actions of the turn in which the raid comes home."
            ),
            options=("score",),
        ),
        Rule(
            id="feat-defence",
            text=phrase(
                "Right after you repel a raid with one weapon stronger than it, a staff scores a feat as"
                " your next action; not against a single young rider (value 1)."
            ),
            place="« Marquer un coup en Défense »",
            rulings=("feat",),
            refusals=("no-feat",),
            options=("feat",),
        ),
        Rule(
            id="staff",
            text=phrase("A feat takes an honour staff out of your hand, and so does a taunt."),
            place="« Marquer un coup », « Dédaigner »",
            refusals=("no-staff",),
        ),
        Rule(
            id="renown",
            text=phrase(
                "A feat, a donation and a proposal that is accepted bring 1 renown each: a marker is turned."
            ),
            place=FEAT,
            rulings=("gains",),
        ),
        Rule(
            id="turned-later",
            text=phrase(
                "Renown counts at once, also while all markers with their raid side up are out: one of them is"
                " turned when it comes home."
            ),
            rulings=("gains",),
        ),
        Rule(
            id="renown-limit/markers",
            text=phrase("A clan has four markers, and so 4 renown at most beside its herd's."),
            holds=lambda house: house.renown_cap != "none",
            rulings=("gains", "renown-full"),
        ),
        Rule(
            id="renown-limit/none",
            text=phrase("There is no limit to a clan's renown beside its herd's, whatever markers it has."),
            holds=lambda house: house.renown_cap == "none",
            rulings=("gains",),
        ),
    ),
)
