"""What the first start, a forgotten PIN and joining say by themselves."""

from referee.contract.words import phrase


class ClaimTexts:
    """The texts of claiming a table and of joining it, by name; `Texts` has them, too."""

    # on the screen
    first_start = phrase("first start")
    no_host_yet = phrase("This table has no host yet")
    take_your_phone = phrase("Take your phone")
    claim_step_wifi = phrase("Join the same Wi-Fi.")
    claim_step_scan = phrase("Point its camera at the square.")
    claim_step_tap = phrase("Tap {button}.")
    claim_step_own_wifi = phrase("Scan the left square: the table's own Wi-Fi.")
    claim_step_second = phrase("Scan the right one, then tap {button}.")
    square_of_wifi = phrase("1. Wi-Fi")
    square_to_lead = phrase("2. Lead it")
    wifi = phrase("Wi-Fi")
    wifi_of_table = phrase("The table's Wi-Fi")
    wifi_comes_first = phrase("before your seat")
    scan_wifi_and_seat = phrase("Scan the Wi-Fi, then your seat.")
    or_open_and_type = phrase("or open {address} and type")
    wait_for_code = phrase("Too many numbers were tried. A new one comes in {minutes} minutes.")
    number_for_phone = phrase("A phone at the table asks for the host's PIN. Its number: {code}")

    # on the phone
    waits_for_host = phrase("This table waits for a host")
    is_this_table = phrase("Is this the table in front of you?")
    new_pin_here = phrase("A new PIN, made at the table")
    new_pin_at_table = phrase("Forgotten? Make a new one at the table")
    new_pin_told = phrase(
        "Only who stands at the table can do that. Everybody is told, and no host is put out."
    )
    i_lead = phrase("I lead the table")
    make_pin = phrase("Make a new PIN")
    who_leads_first = phrase("Who is first leads. Others need the PIN then.")
    lead_this_table = phrase("This table has no host yet: lead it")
    it_says = phrase("You hear")
    it_says_what = phrase("“Take your phone. The number is …”")
    display_shows = phrase("The display shows")
    display_shows_what = phrase("the number in two halves, one after the other")
    screen_shows = phrase("Its screen shows")
    screen_shows_what = phrase("a square and a number of six figures")
    lamps_go_round = phrase("The lamps")
    lamps_go_round_how = phrase("go round in amber while no game is played")
    nothing_of_it = phrase("Nothing of it? Then it is another table.")
    which_number = phrase("Which number does it say or show?")
    tell_number = phrase("Let the table tell the number")
    wrong_number = phrase("That isn't the number. Look or listen again: it may be another one now.")
    no_more_numbers = phrase("Too many numbers were tried here. Wait {minutes} minutes.")
    lamp_will_blink = phrase("One lamp at the table will blink. Press its button three times.")
    let_lamp_blink = phrase("Let a lamp blink")
    press_three_times = phrase("One lamp blinks now: press its button three times, one press after another.")
    press_it_help = phrase(
        "Leave the other buttons alone: a press of another one is meant for the game, and ends this."
    )
    button_was_pressed = phrase("The button was pressed.")
    another_phone_asks = phrase(
        "Another phone asks just now. If that isn't yours, press no button that blinks."
    )
    wait_for_turn = phrase(
        "Not yet: another phone comes first, or buttons were pressed just now. Try again in {seconds} seconds."
    )
    game_is_played = phrase("A game is played now. This can be done once it is over.")
    no_way_here = phrase(
        "This table can't tell you anything: it has no screen, loudspeaker, digits, or buttons with lamps that "
        "work. Plug in a screen or a loudspeaker, wait half a minute, and look again."
    )
    no_way_terminal = phrase("At its terminal, coyote table pin shows the PIN.")
    i_have_pin = phrase("I have the PIN")
    which_pin = phrase("Which PIN does the host read to you?")

    # afterwards
    you_lead = phrase("You lead the table")
    this_phone_is_host = phrase("this phone is the host")
    pin_for_hosts = phrase("PIN for other hosts")
    pin_stays = phrase("It stays under People. The table says it no more.")
    to_host_page = phrase("To the host's page")
    seat_players = phrase("Choose the game")

    # the seats, before the first answer
    all_are_here = phrase("All are here.")
    scan_your_seat = phrase("Scan the square of your seat.")
    or_at = phrase("or")
    seat_of_number = phrase("Seat {number}")
    bot_until_you = phrase("a bot until you come")
    sits_here = phrase("sits here")
    just_sat_down = phrase("has just sat down")
    sit_down_as = phrase("Sit down as {name}")
    what_are_you_called = phrase("What are you called?")
    sit_down = phrase("Sit down")
    you_sit_between = phrase("Between {left} and {right}")
    you_sit_beside = phrase("Beside {name}")
    one_phone_one_seat = phrase("One phone, one seat: the code is used up then.")

    # a screen asks to belong to the table
    may_screen_belong = phrase("May this screen belong to the table?")
    pairing_open = phrase("Host's phone: open {page}.")
    pairing_tap = phrase("Confirm the screen with these four signs.")
    pairing_here = phrase("Screen {word} asks. Does it show this?")
    pairing_sees = phrase("It sees the table, and nobody's hand.")
