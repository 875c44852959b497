"""What a seat's page says."""

from referee.contract.words import phrase


class SeatTexts:
    """The texts of a seat, by name; `Texts` has them, too."""

    # who is waited for
    is_thinking = phrase("{names} is thinking.")
    are_thinking = phrase("{names} are thinking.")
    some_are_thinking = phrase("{count} of {all} are thinking.")
    has_answered = phrase("has answered")
    thinks = phrase("thinks")
    stays_quiet = phrase("Nothing to do: this page changes by itself when you are asked.")
    looks_on = phrase("You are out of this match, but may look on: this page shows how it goes on.")
    says = phrase("says {name}")
    you_say = phrase("you say")
    becomes = phrase("becomes")

    # what is pressed
    less = phrase("less")
    more = phrase("more")
    say_number = phrase("Say {number}")
    camera_asks = phrase("The camera isn't certain. Tap what lies there, or move the card a little:")
    is_that_so = phrase("Is that {card}? It counts unless somebody says no.")
    no = phrase("No")
    another_card = phrase("Another card")
    confirm_card = phrase("Confirm this card")
    this_card = phrase("Confirm: {card}")
    cards_so_far = phrase("Confirm {number} of {count}")
    other_answers = phrase("Something else ({count})")
    choose_this_cell = phrase("Choose this place")
    hold_or_twice = phrase("Hold it down, or press twice")
    press_once_more = phrase("Once more!")

    # what came of the last answer
    put_away = phrase("Put away")
    undo = phrase("Undo")

    # the sheet at the foot
    the_table = phrase("The table, and more")
    this_phone = phrase("This phone")
    buzz_me = phrase("Buzz when I am asked")
    tell_me = phrase("Say aloud what is ruled")
    chime_me = phrase("Play sounds: when I am asked, and at big moments")

    # the first time
    got_it = phrase("Got it")
    no_more_hints = phrase("No more hints")
    hints_again = phrase("Show hints again")

    you_are = phrase("You are {name}.")
    range = phrase("{least} to {most}")
    number_label = phrase("Number")
    answer_number = phrase("Answer")
    done = phrase("Done")
    how_many = phrase("How many of each? {count} in all.")
    these_cards = phrase("Confirm these cards")
    lay_on_twin = phrase("Lay it on the simulated table")
    wireless_buttons = phrase(
        "Seats 1 to {count} may have a button by radio. Of two who press together, the shorter way is first."
    )
    see_on_twin = phrase("See the table")
    hand_over = phrase("Hand over this seat")
    hand_over_sure = phrase("Yes, leave this seat")
    hand_over_help = phrase("Another player takes over: this phone leaves the seat and shows its new code.")
    handed_over = phrase("This seat has a new code. The next player scans it or types {code}.")
    seat_gone = phrase("This phone no longer has a seat.")
