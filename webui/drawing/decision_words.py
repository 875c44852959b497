"""What the page of a match's decisions says by itself."""

from referee.contract.words import phrase


class DecisionTexts:
    """The texts of the decisions, by name; `Texts` has them, too."""

    decisions = phrase("What could be known")
    decisions_later = phrase("Once the match is over, this page leads to what each decision was worth.")
    decisions_link = phrase("Turning points: what could be known of each decision")
    decisions_help = phrase(
        "For each decision: what its player could know at that moment, and what the best choice would have been"
        " worth. Nothing that was hidden from a player is used. The higher a bar, the more was given away."
    )
    decisions_judged = phrase("decisions judged: {count}")
    decisions_chart = phrase("What {name} gave away, decision by decision; numbers mark the turning points")
    turning_points = phrase("Your turning points, the costliest first")
    no_turning_points = phrase("Nothing was given away that could be known.")
    nothing_judged = phrase("Nothing can be judged here.")
    at_moment = phrase("moment {number}")
    chance_lost = phrase("{share} of a chance given away")
    chance_lost_each = phrase("{share} of a chance given away on average")
    points_lost = phrase("given away: {points}")
    decisions_seed = phrase("Where bots played on, chance began at {seed}: the same seed says the same.")
    not_analysed = phrase("This match can't be looked at: it goes on, or can't be read whole.")
