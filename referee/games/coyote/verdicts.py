"""What Coyote has decided: a duel, a guess, a round that is void; until the next number is said."""

from collections.abc import Mapping

from referee.contract import Ruling, Verdict, Verdicts, make_verdict
from referee.contract.verdicts import Said
from referee.contract.words import Phrase, Wording, phrase, plural


def joined(rulings: tuple[Ruling, ...]) -> Verdict | None:
    """Tell a duel with the marks that it costs, and a wrong guess with its mark."""
    said: Said = {ruling.key: ruling.values for ruling in rulings}
    end = "-out" if "out" in said else ""
    if (mark := said.get("mark")) is None:
        return None
    for key, is_good in (("enough", True), ("short", False)):
        if key in said:
            return make_verdict(f"{key}{end}", is_good=is_good, **said[key], taken=mark["taken"])
    guess = said["guess-wrong"]
    return make_verdict(f"guess-wrong{end}", is_good=False, face=str(guess["card"]), **guess)


VERDICTS = Verdicts(
    claims=frozenset({"announced", "approved", "guessed", "called", "called-double"}),
    decides=frozenset(
        {"enough", "short", "mark", "out", "guess-right", "guess-right-open", "guess-wrong", "void"}
    ),
    joined=joined,
)

SENTENCES: Mapping[str, Phrase | Wording] = {
    "short": Wording(
        plural(
            "{total:signed} is less than {number}: {contester:player} was right, {bidder:player} takes a mark.",
            "{total:signed} is less than {number}: {contester:player} was right,"
            " {bidder:player} takes {taken} marks.",
            by="taken",
        ),
        to={
            "contester": plural(
                "{total:signed} is less than {number}: you were right, {bidder:player} takes a mark.",
                "{total:signed} is less than {number}: you were right, {bidder:player} takes {taken} marks.",
                by="taken",
            ),
            "bidder": plural(
                "{total:signed} is less than {number}: you take a mark.",
                "{total:signed} is less than {number}: you take {taken} marks.",
                by="taken",
            ),
        },
    ),
    "short-out": Wording(
        phrase("{total:signed} is less than {number}: {contester:player} was right, {bidder:player} is out."),
        to={
            "contester": phrase(
                "{total:signed} is less than {number}: you were right, {bidder:player} is out."
            ),
            "bidder": phrase("{total:signed} is less than {number}: you are out."),
        },
    ),
    "enough": Wording(
        plural(
            "{total:signed} reaches {number}: {bidder:player} was right, {contester:player} takes a mark.",
            "{total:signed} reaches {number}: {bidder:player} was right,"
            " {contester:player} takes {taken} marks.",
            by="taken",
        ),
        to={
            "bidder": plural(
                "{total:signed} reaches {number}: you were right, {contester:player} takes a mark.",
                "{total:signed} reaches {number}: you were right, {contester:player} takes {taken} marks.",
                by="taken",
            ),
            "contester": plural(
                "{total:signed} reaches {number}: you take a mark.",
                "{total:signed} reaches {number}: you take {taken} marks.",
                by="taken",
            ),
        },
    ),
    "enough-out": Wording(
        phrase("{total:signed} reaches {number}: {bidder:player} was right, {contester:player} is out."),
        to={
            "bidder": phrase("{total:signed} reaches {number}: you were right, {contester:player} is out."),
            "contester": phrase("{total:signed} reaches {number}: you are out."),
        },
    ),
    "guess-wrong": Wording(
        phrase("{seat:player} wears {card:face}, not {said:face}, and takes a mark."),
        to={"seat": phrase("You wear {card:face}, not {said:face}, and take a mark.")},
    ),
    "guess-wrong-out": Wording(
        phrase("{seat:player} wears {card:face}, not {said:face}, and is out."),
        to={"seat": phrase("You wear {card:face}, not {said:face}, and are out.")},
    ),
}
