"""What the page of the simulated table says."""

from collections.abc import Mapping

from referee.contract.words import Phrase, phrase


class TwinTexts:
    """The texts of the simulated table, by name."""

    twin = phrase("Simulated table")
    twin_short = phrase("Table")
    twin_look = phrase("You are watching, so cards show their backs. Take a seat to play.")
    twin_look_bots = phrase("Bots play the seats that you leave to them.")
    twin_sit = phrase("Play as {name}")
    twin_not_free = phrase("That seat can't be taken from here. Enter its code under “My seat”.")
    twin_no_seat = phrase("Take a seat first.")
    twin_not_done = phrase("That isn't possible right now.")

    # around the table
    twin_seats = phrase("Seats")
    twin_bot = phrase("bot")
    twin_wears = phrase("wears {card}")
    twin_holds = phrase("cards in hand: {count}")
    twin_taken = phrase("cards taken: {count}")
    twin_hides = phrase("a hidden card")
    twin_table = phrase("Cards on the table")
    twin_pile = phrase("Pile: {count}")
    twin_discard = phrase("Discards: {count}, on top: {card}")
    twin_before = phrase("Before {name}")

    # what lies on the table
    twin_mine = phrase("Your cards")
    twin_lay = phrase("Lay: {card}")
    twin_lay_unasked = phrase("Lay: {card} (not asked for now)")
    twin_lay_it = phrase("Lay it")
    twin_draw_it = phrase("Draw a card")
    twin_own_card = phrase("your own card, hidden from you")
    twin_pile_card = phrase("the top card of the pile")
    twin_on_forehead = phrase("On your forehead. Only the others see it.")
    twin_how_to_lay = phrase("Tap a lit card, or drag it onto the table.")
    twin_reads = phrase("The camera reads what lies there.")
    twin_say_cards = phrase("Say which cards they are")
    twin_left = phrase("{card}: move left")
    twin_right = phrase("{card}: move right")
    twin_order = phrase("Order of my hand")
    twin_last_go = phrase(
        "Cards given away unseen are those that lie face down before you, then those at the end of your hand."
    )
    twin_lying = phrase("Move cards on the table")
    twin_astray = phrase("Outside the marked area: move it inside.")
    twin_take_back = phrase("Pick up")
    twin_turn_over = phrase("Flip")
    twin_turn_round = phrase("Rotate")
    twin_keys = phrase(
        "Drag cards, or select one with Tab: arrow keys move it, R rotates it, Enter flips it, Delete picks "
        "it up."
    )
    twin_bring = phrase("Push the cards to the middle")
    twin_put_back = phrase("Put them back")

    # the count after a reveal
    twin_says = phrase("says {name}")
    twin_go_on = phrase("Go on")

    # buttons, dial, display
    twin_board = phrase("Your buttons")
    twin_digits = phrase("Display")
    twin_attention = phrase("The table's lamp:")
    twin_call = phrase("Call")
    twin_call_how = phrase("or Space; hold it, or press it twice")
    twin_second = phrase("Second")
    twin_table_button = phrase("Table")
    twin_dial_back = phrase("Dial: {count} back")
    twin_dial_on = phrase("Dial: {count} on")
    twin_push = phrase("Push the dial")

    # beside the table
    twin_camera = phrase("The camera sees")
    twin_camera_alt = phrase("The table from above, with what was read")
    twin_bots = phrase("Bots: {count}")
    twin_bots_help = phrase("A bot that you stop comes back only when you ask for it.")
    twin_bots_by_host = phrase("For the others, the host lets bots play, on this page.")
    twin_play_for_me = phrase("Play for me")
    twin_play_myself = phrase("Take over from the bot")
    twin_bot_on = phrase("Let a bot play for {name}")
    twin_bot_off = phrase("Stop the bot for {name}")
    twin_hurry = phrase("Hurry")
    twin_more = phrase("Bots, mischief and lamps")
    twin_mischief = phrase("Mischief")
    twin_mischief_help = phrase("See how the table copes when something goes wrong.")
    twin_more_mischief = phrase("More mischief")
    twin_normal = phrase("Back to normal")


LAMP_COLOURS: Mapping[str, Phrase] = {
    "dark": phrase("dark"),
    "green": phrase("green"),
    "red": phrase("red"),
    "amber": phrase("amber"),
}
"""What a lamp of the simulated table shows."""

PRESSES: Mapping[str, Phrase] = {
    "short": phrase("Press your button"),
    "long": phrase("Long press"),
    "double": phrase("Double press"),
}
"""Ways to press a button of the simulated table."""

MISCHIEF_TEXTS: Mapping[str, Phrase] = {
    "hand": phrase("A hand stays in the picture"),
    "extra": phrase("There is a card too many"),
    "unplugged": phrase("The camera is unplugged"),
    "frozen": phrase("The camera is frozen"),
    "black": phrase("The camera picture is black"),
    "glare": phrase("A lamp is mirrored on a card"),
    "dirty": phrase("The buttons bounce"),
    "wrong": phrase("There is a wrong card"),
    "piece": phrase("A player has a piece too many"),
    "no piece": phrase("A player has a piece too few"),
}
"""What can go wrong on purpose at the simulated table; what does at real ones each evening comes first."""
