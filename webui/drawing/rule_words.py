"""What the pages of the rules say."""

from referee.contract.words import phrase, plural


class RuleTexts:
    """The texts of the rules' pages, by name; `Texts` has them, too."""

    rules = phrase("Rules")
    rules_of = phrase("Rules of {game}")
    rules_as_played = phrase("The rules of this table: what is marked is played otherwise than printed.")
    rules_as_printed = phrase(
        "House rules: none. Where the printed rules leave something open, it says how it is ruled."
    )
    house_rules_agreed = plural("{count} house rule", "{count} house rules", by="count")
    find_in_rules = phrase("Words to look for")
    find_rules = phrase("Search")
    no_such_rule = phrase("No rule has these words. Try fewer, or look through all of them.")
    all_rules = phrase("All rules")
    no_book = phrase("This game has no rule book in this program.")
    print_rules = phrase("Print this page on A4, on its side and on both sides, then fold it once.")
    what_now = phrase("What may I do now?")
    comes_of_it = phrase("What comes of it")
    not_now = phrase("Not now")
    not_asked_now = phrase("You aren't asked anything just now.")
    by_which_rules = phrase("By which rules?")
    by_which_rules_help = phrase("The newest rulings, each with the rules behind it.")
    say_aloud = phrase("Say it aloud")
    told_enough = phrase("The table has said rules often enough just now: wait a minute.")
    to_my_seat = phrase("Back to my seat")
