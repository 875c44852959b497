"""What Coyote has decided: a duel, a guess, a round that is void; until the next number is said."""

from collections.abc import Iterator, Mapping

from referee.contract import Reveal, Ruling, Verdict, Verdicts, make_headline, make_verdict
from referee.contract.verdicts import Said
from referee.contract.words import Phrase, Wording, phrase, plural
from referee.games.coyote.board import scale
from referee.games.coyote.counted_row import counted_row
from referee.games.coyote.score import CountStep


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


def reveal(rulings: tuple[Ruling, ...]) -> Reveal:
    """Count the cards one by one, beside the number that was doubted."""
    said: Said = {ruling.key: ruling.values for ruling in rulings}
    duel, call = said.get("enough") or said["short"], said.get("called") or said["called-double"]
    sides, total = (call["bidder"], call["seat"]), duel["total"]
    is_good = "enough" in said
    return Reveal(
        "called",
        call,
        (counted_row(tuple(_steps(rulings))),),
        make_headline("counted", total=total),
        scale(total, duel["number"], call["bidder"]),
        won=sides[:1] if is_good else sides[1:],
        lost=sides[1:] if is_good else sides[:1],
        round=said["round"]["number"] if "round" in said else None,
    )


def _steps(rulings: tuple[Ruling, ...]) -> Iterator[CountStep]:
    for ruling in rulings:
        if ruling.key.startswith("count-"):
            yield CountStep(ruling.key.removeprefix("count-"), **ruling.values)  # type: ignore[arg-type]


VERDICTS = Verdicts(
    claims=frozenset({"announced", "approved", "guessed", "called", "called-double"}),
    decides=frozenset(
        {"enough", "short", "mark", "out", "guess-right", "guess-right-open", "guess-wrong", "void"}
    ),
    joined=joined,
    reveals=frozenset({"enough", "short"}),
    reveal=reveal,
)

HEADINGS: Mapping[str, Phrase | Wording] = {
    "called": Wording(
        phrase("{seat:player} called Coyote on {bidder:player}'s ⟦{number}⟧"),
        to={
            "seat": phrase("You called Coyote on {bidder:player}'s ⟦{number}⟧"),
            "bidder": phrase("{seat:player} called Coyote on your ⟦{number}⟧"),
        },
    ),
}
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
