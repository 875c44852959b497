"""The rules of the table itself, for every game: what counts as an answer, and how a record is put right."""

from referee.contract import Reason, Rule

_RULES = {
    "asked-now": "An answer counts for what is asked at that moment, and only from the players who are asked.",
    "kind-of-answer": "A number, a choice or cards: the answer is of the kind that is asked for.",
    "offered": "Only what is offered can be chosen: the referee offers all that the rules allow.",
    "match-over": "After the end of a match nothing counts but a correction by the host.",
    "cards-of-the-deck": "Each card lies in one place only, and there are no more of them than the deck has.",
    "begin": "A match begins with as many named players as the game allows, and with house rules that fit.",
    "take-back": "A player may take the last answer back until another card has come to light.",
    "correct": "The host may put any answer right; later answers stand as long as they fit.",
    "bounds": "A match has its bounds, so that every table can keep it.",
}
TABLE_RULES = tuple(Rule(name, text) for name, text in _RULES.items())

_REFUSED_BY = {
    "asked-now": "stale future not-asked not-you out-of-turn",
    "kind-of-answer": "wrong-kind",
    "offered": "no-such-option other-player other-card other-place too-low too-high barred card-barred",
    "match-over": "over",
    "cards-of-the-deck": "card-count unknown-card more-than-deck already-seen card-missing owners",
    "begin": "name seats house no-such-rule rule-value",
    "take-back": "nothing-back not-yours-back seen-back",
    "correct": "no-such-moment",
    "bounds": "too-long too-much",
}
TABLE_REFUSALS = {Reason(reason): name for name, reasons in _REFUSED_BY.items() for reason in reasons.split()}
"""The rule of the table by which an answer is refused, where the game has none."""
