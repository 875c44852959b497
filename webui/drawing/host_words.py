"""What the host's pages say by themselves."""

from referee.contract.words import phrase


class HostTexts:
    """The texts of the host's pages, by name; `Texts` has them, too."""

    # the control room
    health = phrase("How the table is")
    record = phrase("Record")
    buttons = phrase("Buttons")
    camera_sees = phrase("sees")
    camera_doubts = phrase("sees badly")
    camera_is_blind = phrase("is blind")
    record_is_safe = phrase("is safe")
    record_lacks_copy = phrase("has no copy")
    record_is_unsaved = phrase("isn't saved")
    buttons_work = phrase("work")
    button_is_stuck = phrase("one is stuck")
    buttons_are_dead = phrase("don't work")
    at_the_table = phrase("At the table")
    last_answers = phrase("The last answers")
    earlier_answers = phrase("Earlier answers")
    more_pages = phrase("More for the host")
    take_back = phrase("Take back")
    answered_meanwhile = phrase(
        "Somebody has answered meanwhile. Look at the correction once more, and send it again."
    )
    seat_without_phone = phrase("Seat {number} · no phone yet")
    seat_with_bot = phrase("Seat {number} · a bot plays")
    seat_with_device = phrase("Seat {number} · {device}")
    seat_silent = phrase("Seat {number} · {device}, silent for {minutes} min")
    show_code = phrase("Code")
    show_code_of = phrase("Code of {name}")
    put_out_sure = phrase("Put {name} out")
    put_out_help = phrase("The phone needs the seat's code to come back.")
    a_phone = phrase("a phone")
    wants_back = phrase("asks to come back as {name}")
    who_is_it = phrase("Who is it?")
    a_screen_asks = phrase("A screen asks")
    screen_word = phrase("it shows the letters {word}")

    # one level down
    what_to_look_after = phrase("What do you want to look after?")
    other_pages = phrase("Other pages")
    new_match_why = phrase("another game, other players")
    audit_why = phrase("cards in rows, one row at a time")
    people_why = phrase("phones, PIN, everybody out")
    screens_why = phrase("what a TV or tablet shows")
    check_why = phrase("camera, buttons, lamps, sound")
    find_why = phrase("when the camera or the table has moved")
    teach_why = phrase("cards that were bought in a shop")
    settings_why = phrase("language, sound, camera, what is kept")
    backup_why = phrase("everything in one file, or on a stick")

    # the test of the table
    all_is_well = phrase("All is well.")
    all_else_is_well = phrase("All else is well.")
    once_more = phrase("Again")
    once_more_part = phrase("Again: {name}")
    test_all = phrase("Test everything again")
    lamps = phrase("Lamps")
    lamps_help = phrase("One lights at a time: is it the right one?")

    # settings
    settings_asked = phrase("What should be different?")
    wrong_house_rule = phrase("A house rule is wrong")
    wrong_house_rule_help = phrase(
        "Change it here. All that was answered is heard again by the new rules; if something doesn't fit them, "
        "the match begins anew. Seats and people stay, and the history keeps the match as it was."
    )
    go_on_by_these = phrase("Go on by these rules")
    sound_and_speech = phrase("Sound and speech")
    speech_help = phrase("How loud, how fast, and when not at all?")
    volume_is = phrase("volume {volume}")
    is_silent = phrase("silent")
    camera_asked = phrase("Which camera reads, and what may it keep?")
    mat_and_markers = phrase("Mat and markers")
    mat_lies = phrase("the printed mat")
    markers_stand = phrase("markers {across} by {down} mm apart")

    # loudspeakers
    loudspeakers = phrase("Loudspeakers")
    loudspeakers_why = phrase("by which one the table speaks")
    loudspeakers_help = phrase("Play a tune by each, and say which one you have heard.")
    plugged_in_now = phrase("Plugged in now")
    play_a_tune = phrase("Play a tune")
    was_it_heard = phrase("Have you heard the tune?")
    it_was_heard = phrase("Yes: speak by this one")
    if_not_heard = phrase("If not: look at its cable, its switch and its own volume, or try another one.")
    speaks_by_choice = phrase("the table speaks by it")
    speaks_by_itself = phrase("the table speaks by it, as nothing was chosen")
    choose_by_itself = phrase("Leave it to the table")
    no_loudspeaker = phrase("This computer has no sound card: plug in a loudspeaker by USB.")
    nothing_is_heard = phrase("Nothing can be heard: plug in a loudspeaker by USB.")

    # the computer's power
    power = phrase("Switch off")
    power_unsaved = phrase(
        "Nothing can be saved now: what was played since is lost without power. Take the match along first."
    )
    shut_down = phrase("Shut down")
    shut_down_help = phrase("What was played is saved, and an open match goes on the next time.")
    shut_down_sure = phrase("Yes, shut down")
    start_anew = phrase("Start anew")
    start_anew_help = phrase("The computer itself, not only the table: it takes a minute or two.")
    start_anew_sure = phrase("Yes, start anew")
    are_you_sure = phrase("Is nobody in the middle of a turn?")
    power_by_hand = phrase(
        "By hand: hold the dial down for five seconds, and let it go when the table says so."
    )
    power_wakes = phrase(
        "It starts again when it gets power. A Pi up to 4 also wakes when GPIO3 touches ground: with a dial, "
        "turn it. A Pi 5 has a button of its own."
    )
    goes_down = phrase("The computer shuts down")
    goes_down_help = phrase(
        "The lamps wink in amber until the table has ended. Once they are dark and the computer's own green "
        "light has stopped blinking, pull the plug."
    )
    is_gone = phrase("The table no longer answers: look at the green light, and pull the plug once it rests.")
    starts_anew = phrase("The computer starts anew")
    starts_anew_help = phrase("The match goes on in a minute or two; this page comes back by itself.")

    # which board is wired
    board = phrase("Board")
    board_why = phrase("which buttons and lamps are wired")
    wired_now = phrase("Wired now")
    which_board = phrase("Which one is wired?")
    which_board_help = phrase("Nothing is driven until you have said it, and its buttons have said the same.")
    board_is_unknown = phrase("Nobody has said it yet: buttons and lamps sleep.")
    board_is_assumed = phrase("Nobody has ever said it. The table runs so, as it always has.")
    board_is_confirmed = phrase("You have said so.")
    board_is_tried = phrase("Press each button once. Nothing is driven yet, so nothing can break.")
    no_board_said = phrase("Nothing said yet")
    board_on_trial = phrase("Being tried, not driven")
    board_runs_as = phrase("Runs as")
    board_is_right = phrase("Yes, it is {name}")
    may_lack = phrase("press it, if there is one")
    not_heard = phrase("A button isn't heard")
    not_heard_help = phrase(
        "A button has two wires: one to GND, one through its resistor to its pin. Look at both, and press it "
        "again. Or go on without, and phones say what it would: it stays on this page as broken until it was "
        "pressed here again."
    )
    none_heard = phrase(
        "No press has said yet that it is this board. If it is another one, lamps and buttons get each "
        "other's pins: be sure first."
    )
    go_without = phrase("Go on without them")
    played_without = phrase("Played without:")
    press_again = phrase("Press the buttons again")
    lamps_untried = phrase("Nobody has said yet whether its lamps are lit.")
    try_lamps = phrase("Light one lamp after the other")
    lamp_of_lamps = phrase("Lamp {place} of {count}")
    should_be_lit = phrase("It should be lit now, for a minute, and all others should be dark.")
    do_you_see_it = phrase("Do you see it?")
    lamp_seen = phrase("Yes, I see it")
    lamp_unseen = phrase("No")
    look_at = phrase("What to look at")
    seen_now = phrase("Now I see it")
    light_again = phrase("Light it again")
    go_without_lamp = phrase("Go on without it")
    was_pressed = phrase("heard")
    press_it = phrase("press it")
    choose_board = phrase("This one")
    choose_board_named = phrase("This one: {name}")
    board_chosen = phrase("chosen")
    board_does_not_fit = phrase("doesn't fit what was pressed")

    # buttons by USB
    usb_buttons = phrase("USB buttons")
    usb_why = phrase("whose button is which")
    usb_known = phrase("Known now")
    usb_none = phrase("None: arcade encoders, quiz buzzers and keyboards can be the seats' buttons.")
    usb_second = phrase("and a second one")
    usb_learn_title = phrase("Whose is which?")
    usb_learn_help = phrase("Plug them in, and press them one after another, from seat 1 on: a press each.")
    usb_learn = phrase("Press the seats' buttons")
    usb_learn_second = phrase("Press the second buttons")
    usb_forget = phrase("Forget all of them")
    usb_fairness = phrase(
        "USB asks a box about every 8 ms. Presses on one box within that time count as made together; on two "
        "boxes they may come in the wrong order."
    )
    usb_learns = phrase("Press one after another")
    usb_press = phrase("Press the button of seat {seat}.")
    usb_press_second = phrase("Press the second button of seat {seat}.")
    usb_all_have_one = phrase("Each seat has one.")
    usb_learns_help = phrase("Presses answer nothing meanwhile. If one is wrong, stop and begin again.")
    usb_keep = phrase("These are all")
    usb_stop = phrase("Stop, and leave all as it was")

    # putting an answer right
    correct_answer = phrase("Correct answer {number}")
    what_was_right = phrase("What was right?")
    which_was_misread = phrase("Which card was misread?")
    was_really = phrase("{card} was really …")
    was_really_of = phrase("{name}'s {card} was really …")
    nothing_changes = phrase("Nothing else changes.")
    correction_undoes = phrase("Answers undone: {count}.")
    another_answer = phrase("Something else")
    it_was_none = phrase("There was no such answer")
    nothing_else = phrase("Nothing else could be answered here. Undo it, and it is asked again.")
    undo_it = phrase("Undo this answer")
    what_follows = phrase("What follows from it")
    nothing_follows = phrase("It is the newest answer: nothing after it changes.")
    answers_follow = phrase(
        "Answers after it: {count}. They are heard again, and the first that no longer fits is undone with all"
        " after it."
    )
    leave_it = phrase("Leave it as it is")
