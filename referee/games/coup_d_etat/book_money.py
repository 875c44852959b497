"""Money and power in Coup d'État's rule book: payments, coups, secret coups, loans, the winner."""

from referee.contract import Chapter, Rule, phrase
from referee.games.coup_d_etat.book_contracts import plays
from referee.games.coup_d_etat.contracts import SECRET
from referee.games.coup_d_etat.house import House


def _has_secret_coup(house: House) -> bool:
    return house.secret_coup and plays(*SECRET)(house)


PAYMENTS = "« Les paiements »"
FAILURE = "« En cas d'échec »"
SUCCESS = "« En cas de réussite »"
SECRET_COUP = "« Coup secret »"
LOANS = "« Comment emprunter »"
THE_WINNER = "« Le vainqueur »"

_PAYMENTS = Chapter(
    phrase("Payments"),
    (
        Rule(
            id="pays",
            text=phrase(
                "Penalties go to the President; when a coup succeeds, all others pay the player who attempted"
                " it."
            ),
            place=PAYMENTS,
            rulings=("pays",),
        ),
        Rule(
            id="first-trick-paid",
            text=phrase("In Prison and Guillotine the first trick is paid for as soon as it is taken."),
            place=PAYMENTS,
            holds=plays("prison", "guillotine"),
            rulings=("count-first-trick",),
        ),
        Rule(
            id="paid-in-the-end",
            text=phrase("All else that was taken is counted and paid for at the end of the deal."),
            place=PAYMENTS,
            rulings=("count-king", "count-queens", "count-spades", "count-last-trick"),
        ),
        Rule(
            id="given-back",
            text=phrase(
                "What was paid for the first trick is given back if the deal is void, or if its payer owes the"
                " President nothing after all."
            ),
            rulings=("gives-back",),
        ),
    ),
)

_COUPS = Chapter(
    phrase("After a coup"),
    (
        Rule(
            id="coup-won",
            text=phrase(
                "A coup that succeeds is paid for by all others, and its player takes what is in the bank."
            ),
            place=SUCCESS,
            rulings=("coup-won",),
        ),
        Rule(
            id="presidency",
            text=phrase("After a coup that succeeds its player is President, from the next deal on."),
            place=SUCCESS,
            rulings=("coup-won", "president"),
        ),
        Rule(
            id="coup-failed",
            text=phrase("A coup that fails costs 800 F, paid to the bank, and the President stays President."),
            place=FAILURE,
            rulings=("coup-failed",),
        ),
        Rule(
            id="coup-uses-contract",
            text=phrase("A coup uses its contract up, even if it fails."),
            rulings=("coup-failed",),
        ),
        Rule(
            id="bank",
            text=phrase(
                "The bank keeps what is paid to it for the first coup that succeeds. What is left after a tour"
                " goes to the player who is President then."
            ),
            place=FAILURE,
            rulings=("pays-bank", "takes-bank"),
        ),
        Rule(
            id="secret-coup",
            text=phrase(
                "In Victory, Siege or Guillotine of the President, another player may take all that a coup"
                " would have to, without a word: that brings the same money, and the presidency."
            ),
            place=SECRET_COUP,
            holds=_has_secret_coup,
            rulings=("secret-coup", "president"),
        ),
        Rule(
            id="secret-bank/stays",
            text=phrase("A secret coup doesn't bring what is in the bank."),
            holds=lambda house: _has_secret_coup(house) and not house.secret_takes_bank,
            rulings=("secret-coup",),
        ),
        Rule(
            id="secret-bank/taken",
            text=phrase("A secret coup also brings what is in the bank."),
            place=FAILURE,
            holds=lambda house: _has_secret_coup(house) and house.secret_takes_bank,
            rulings=("secret-coup", "takes-bank"),
        ),
        Rule(
            id="secret-fail/president",
            text=phrase(
                "A secret coup that fails isn't known: its penalties go to the President, like all others."
            ),
            holds=lambda house: _has_secret_coup(house) and house.secret_fail == "president",
            rulings=("secret-coup",),
        ),
        Rule(
            id="secret-fail/bank",
            text=phrase(
                "After the deal, those who have to pay may say that they tried a secret coup: they pay the bank"
                " instead of the President."
            ),
            place=SECRET_COUP,
            holds=lambda house: _has_secret_coup(house) and house.secret_fail == "bank",
            rulings=("tried",),
            options=("tried", "untried"),
            asks=("secret",),
        ),
    ),
)

_END = Chapter(
    phrase("Loans and the winner"),
    (
        Rule(
            id="loan",
            text=phrase(
                "If you are short of money you may borrow from another player. In the end you pay back a fifth"
                " more."
            ),
            place=LOANS,
            rulings=("short", "lends"),
            options=("lend",),
            asks=("lend",),
        ),
        Rule(
            id="loan-ahead",
            text=phrase(
                "Before a deal, a player with less than 1000 F may ask for a loan of 1000 F, once a deal. The"
                " first who lends gives it, or all there is if that is less; if none does, the deal goes on."
            ),
            place=LOANS,
            holds=lambda house: house.loans_ahead,
            rulings=("asks-loan", "lends", "refuses"),
            options=("borrow", "lend", "refuse"),
            asks=("borrow", "lend-ahead"),
        ),
        Rule(
            id="lender",
            text=phrase("The first player who lends gives what is missing, or all there is if that is less."),
            rulings=("lends", "refuses"),
            options=("lend", "refuse"),
        ),
        Rule(
            id="overdrawn",
            text=phrase("If no player lends what you owe, you fall below zero."),
            rulings=("overdrawn",),
            options=("refuse",),
        ),
        Rule(
            id="paid-back",
            text=phrase("After the last tour all loans are paid back, with interest."),
            place=THE_WINNER,
            rulings=("repays",),
        ),
        Rule(
            id="most-money",
            text=phrase("After the last tour the player with the most money wins."),
            place=THE_WINNER,
            rulings=("won", "shared"),
        ),
        Rule(
            id="equal-money",
            text=phrase("Players who have the same amount share the victory."),
            rulings=("shared",),
        ),
    ),
)

MONEY_CHAPTERS = (_PAYMENTS, _COUPS, _END)
