"""What the table's screen and the score say by themselves."""

from referee.contract.words import phrase


class ScreenTexts:
    """The texts of the screen, by name; `Texts` has them, too."""

    turn_of = phrase("{name}'s turn")
    place = phrase("Place {place}")
    comes_next = phrase("next")
    join_at = phrase("Join at")
    seconds = phrase("seconds")
    on_to_round = phrase("On to round {number}")
    not_shown_card = phrase("{card}, not shown")
    last_decided = phrase("Decided last:")
    is_awaited = phrase("{name} is asked")
    wins_short = phrase("{names} wins")
    win_short = phrase("{names} win")
    all_facts = phrase("All facts and open cards")
    lately = phrase("Before that")
    this_round = phrase("All of this round")
    round_before = phrase("The round before")
    after_match = phrase("The match is over")
    cards_to_come = phrase("{count} in all")
    the_clock_stands = phrase("Paused")
    welcome_back = phrase("Welcome back")
    same_again = phrase("The same as last time?")
    scan_and_tap = phrase("Scan, then tap: {button}")
    code_to_begin = phrase("Code to begin the evening")
    was_here = phrase("was here")
    was_here_too = phrase("was here, too")
    take_it_home = phrase("Take it home")
    code_of_evening = phrase("Code of this evening's page")
    code_to_join = phrase("Code to join this table")
