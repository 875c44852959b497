"""What the pages say by themselves; the referee words everything about the game."""

from collections.abc import Mapping

from firmware.parts.photographs import UnreadReason
from referee.contract.words import Phrase, phrase, plural
from referee.telling import LABELLED, Language, tell_text
from webui.drawing.claim_words import ClaimTexts
from webui.drawing.clip_words import ClipTexts
from webui.drawing.club_link_words import ClubLinkTexts
from webui.drawing.decision_words import DecisionTexts
from webui.drawing.film_words import FilmTexts
from webui.drawing.host_words import HostTexts
from webui.drawing.live_words import LiveTexts
from webui.drawing.overlay_words import OverlayTexts
from webui.drawing.people_words import PeopleTexts
from webui.drawing.privacy_words import PrivacyTexts
from webui.drawing.rule_words import RuleTexts
from webui.drawing.screen_words import ScreenTexts
from webui.drawing.seat_words import SeatTexts
from webui.drawing.twin_words import TwinTexts
from webui.drawing.welcome_words import WelcomeTexts


class Texts(
    ClaimTexts,
    ClipTexts,
    LiveTexts,
    ClubLinkTexts,
    DecisionTexts,
    FilmTexts,
    HostTexts,
    OverlayTexts,
    PeopleTexts,
    PrivacyTexts,
    RuleTexts,
    ScreenTexts,
    SeatTexts,
    TwinTexts,
    WelcomeTexts,
):
    """The texts of the pages, by name: `Texts.score` in code, `texts.score` in templates."""

    # everywhere
    title = phrase("Coyote Table")
    score = phrase("Score")
    my_seat = phrase("My seat")
    host = phrase("Host")
    join = phrase("Join")
    pages = phrase("Pages")
    out_of_reach = phrase("Can't reach the table. Reconnecting…")
    no_script = phrase("Without JavaScript this page doesn't update by itself.")
    load_again = phrase("Reload")
    to_the_score = phrase("To the score")

    labelled = LABELLED
    semicolon = phrase("; ")

    # score
    now = phrase("Now")
    players = phrase("Players")
    what_happened = phrase("What happened")
    as_recorded = phrase(
        "This is what the record says. If the table shows something else, adjust horses and markers; if an "
        "answer was wrong, ask the host to correct it."
    )
    cards = phrase("Open cards")
    nothing_yet = phrase("Nothing yet.")
    to_play = phrase("to play")
    to_answer = phrase("to answer")
    out = phrase("out")
    winner = phrase("winner")
    you = phrase("you")
    over = phrase("The match is over.")
    wins = phrase("Won by {names}.")
    no_winner = phrase("There is no winner.")
    trouble = phrase("Something is wrong")

    # join
    scan = phrase("Scan to watch, or open")
    also_at = phrase("or")
    join_to_play = phrase("To play")
    join_to_watch = phrase("To watch")
    where_codes_are = phrase("Codes stand on the table's screen, and on the host's page under “People”.")
    have_code = phrase("Sitting at the table? Scan the code of your seat, or type it.")
    code = phrase("Seat code")
    take_seat = phrase("Take a seat")
    no_seat = phrase("No seat has this code. Check it and try again.")
    too_often = phrase("Too many wrong codes. Wait a while, then try again.")
    guessing_shut = phrase(
        "Too many wrong codes came from everywhere: none is taken today, unless a host or “coyote table pin"
        " --new” draws another PIN."
    )
    other_site = phrase("Another site sent this form. Open the table's own page, and do it there.")
    strangers = phrase("Strangers")
    strangers_help = phrase("Within the last hour. Phones that are seated here aren't held up by it.")
    wrong_guesses = phrase("{address} has typed wrong codes or PINs ({count}).")
    flood = phrase("{address} opened more connections than one needs ({count} were closed).")
    foreign_forms = phrase("{address} sent forms that another site made ({count}).")
    unknown_name = phrase("This isn't the table's address. Open the one that the table shows.")
    seconds_to_answer = phrase("{number} s to answer")
    when_time_is_up = phrase("Counts when the time is up")
    said_by_clock = phrase("{answer} (the time was up)")
    said_as_likely = phrase("{answer} (taken as likely)")
    seconds_left = phrase("{number} s left")

    # host
    pin = phrase("PIN")
    pin_help = phrase("The PIN is shown where the table was started, and to hosts under People.")
    enter = phrase("Enter")
    wrong_pin = phrase("Wrong PIN.")
    take_last_back = phrase("Undo the last answer")
    play_again = phrase("Play again")
    correct = phrase("Correct")
    undo_from_here = phrase("Undo this answer and all after it")
    new_code = phrase("New code")
    back = phrase("Back")

    # history
    history = phrase("History")
    statistics = phrase("Statistics")
    no_matches = phrase("No matches yet.")
    kept_matches = phrase("Matches: {count}.")
    which_page = phrase("Page {page} of {pages}")
    newer = phrase("Newer")
    older = phrase("Older")
    match = phrase("Match {number}")
    game = phrase("Game")
    is_open = phrase("unfinished")
    is_of_missing_game = phrase("The game {game} isn't installed; its match is kept.")
    is_damaged = phrase("Damaged from line {line}; everything before it is intact.")
    is_lost = plural(
        "A line is lost, line {line}; all others are kept.",
        "Lines that are lost: {count}, the first of them line {line}; all others are kept.",
        by="count",
    )
    line_said = phrase("Line {line} was lost; the host has said what it was.")
    say_what_it_was = phrase("Say what was answered there")
    what_was_said = phrase("Answer {number} of round {round} is missing: what was said?")
    what_was_said_help = phrase(
        "It goes into the record as a correction that all can see. What was answered later follows, if it fits."
    )
    doesn_t_fit = phrase("That can't have been said: what was answered later doesn't fit.")
    is_unread = phrase("not read yet")
    line_missing = plural(
        "Line {line} is missing; only one answer fits there.",
        "Line {line} is missing; {count} answers fit there, and from line {certain} on nothing depends on it.",
        by="count",
    )
    unread = phrase("Matches not read yet: {count}. Reload this page in a moment.")
    player = phrase("Player")
    final_standings = phrase("Final standings")
    standings_so_far = phrase("Standings so far")
    began = phrase("{name} started.")
    answers_undone = phrase("Answers undone or corrected: {count}.")
    house_rules = phrase("House rules")
    round_by_round = phrase("Round by round")
    round = phrase("Round")
    round_number = phrase("Round {number}")
    as_a_table = phrase("Show as a table")
    chart_summary = phrase("Rounds: {rounds}. After the last one: {last}.")
    reveals_summary = phrase("Rounds: {rounds}. In the last one: {last}.")
    reveals = phrase("Announced and revealed")
    player_statistics = phrase("Player statistics")
    export = phrase("Export")
    as_csv = phrase("Spreadsheet (CSV)")
    as_json = phrase("Data (JSON)")
    as_match_file = phrase("Match file, to replay the match")
    as_play = phrase("Send to BG Stats (needs the app on this phone)")
    played = phrase("Played")
    won = phrase("Won")
    win_rate = phrase("Win rate")
    all_games = phrase("All games")
    everybody = phrase("Everyone")
    show = phrase("Show")
    nobody_played = phrase("No finished matches here yet.")
    finished_only = phrase("Finished matches only: {count}.")
    camera_readings = phrase("What the camera has read")
    camera_deck = phrase("Deck")
    camera_named = phrase("Cards read")
    camera_put_right = phrase("Put right")
    camera_worst = phrase("At worst (95 %)")
    camera_last_day = phrase("On {day}")
    camera_counted = phrase(
        "A card counts as wrong if the host corrected it, or struck the answer out and others were told."
    )
    one_in = phrase("1 in {count}")
    delete = phrase("Delete a player's name")
    delete_one = phrase("Delete {name}")
    delete_which = phrase("Which name should be deleted?")
    delete_help = phrase(
        "{name} is replaced by a neutral name in every match. The other players keep their history. This "
        "can't be undone."
    )
    delete_now = phrase("Delete permanently")
    deleted = phrase("Done. The name is now “{name}”. Matches changed: {count}.")
    no_such_player = phrase("No match has a player with that name.")

    # a new match
    new_match = phrase("New match")
    stays_open = phrase("The current match stays unfinished. You can resume it later from the history.")
    drag_seats = phrase("Drag each name to where the player sits.")
    lamp_key = phrase("What the lamps say")
    lamp_on_phone = phrase("On a phone, a diamond: you may react.")
    just_now = phrase("Just now:")
    seat_number = phrase("Seat {number}")
    move_up = phrase("move up")
    move_down = phrase("move down")
    go_on_with = phrase("Resume this match")
    go_on_with_help = phrase("This match was left unfinished.")
    no_such_match = phrase("There is no unfinished match with this number. Check the history.")
    house_rules_help = phrase("Preset to the printed rules. Change what you play differently.")

    # trying the table
    test_the_table = phrase("Test the table")
    camera = phrase("Camera")
    what_the_camera_sees = phrase("What the camera sees now, and how it reads the cards")
    no_picture = phrase("No picture from the camera.")
    look_again = phrase("Look again")
    which_is_right = phrase("Do table and record differ?")
    table_is_right = phrase("The table is right")
    table_is_right_help = phrase(
        "The cards on the table now count: as the answer, or instead of the last cards read. If coins or other"
        " pieces differ, the answer is corrected that explains them."
    )
    record_is_right = phrase("The record is right")
    record_is_right_help = phrase(
        "The cards on the table now don't count. The table announces which cards or pieces do."
    )
    test_buttons = phrase("A button that is pressed shows its name here and lights its lamp.")
    pause_first = phrase("To test the buttons, pause the table first: presses don't count then.")
    pause = phrase("Pause")
    go_on = phrase("Resume")
    is_paused = phrase("Paused: no answer counts and the clocks are stopped.")
    lamp_of = phrase("{name}'s lamp")
    lamp_of_table = phrase("The table's lamp")

    # why: the pictures that rulings rest on
    why = phrase("Why?")
    pictured_rulings = phrase("Rulings that rest on pictures")
    pictured_rulings_help = phrase(
        "These answers were read in a picture, by the camera or on a phone's photo. Open one to see it."
    )
    answer = phrase("Answer {number}")
    no_pictured_answer = phrase("No answer with that number has a picture.")
    corrected_by_host = phrase("corrected by the host")
    picture_alt = phrase("The table at answer {number}: every card outlined and named, as listed below.")
    no_picture_kept = phrase("No picture available.")
    no_picture_kept_help = phrase(
        "It takes a moment after an answer: reload this page. Old pictures make room for new ones."
    )
    reading_lost = phrase("The reading is lost: its file is damaged or missing.")
    as_read = phrase("Cards as they were read")
    what_else = phrase("Could also be")
    chosen_by_hand = phrase("chosen by hand: {face}")
    left_out_by_hand = phrase("by hand: doesn't count")
    taken_by_table = phrase(
        "The table's own camera took this picture at the same time; both were read together."
    )
    second_alt = phrase("The table's own picture for answer {number}, with outlines and names")
    taken_by_second = phrase(
        "The second camera took this picture at the same time; only the part around the cards was kept."
    )
    seen_by_second = phrase("The second camera's picture for answer {number}, with outlines and names")
    second_agreed = phrase("The second camera agreed.")
    second_settled = phrase("The second camera named it.")
    second_disputed = phrase("The second camera saw something else.")
    second_added = phrase("Only the second camera could read it.")
    taken_by_phone = phrase("A phone took this picture; only the part around the cards was kept.")
    unknown_card = phrase("unknown")
    face_down = phrase("face down")
    percent = phrase("{percent}%")
    sure = phrase("sure, {score}")
    unsure = phrase("unsure, {score}")
    undecided = phrase("unsure")
    share = phrase("{face} ({percent}%)")
    small_share = phrase("{face} (below 1%)")
    not_possible = phrase("sure, {score}, but it can't be here")
    also_rests_on = phrase("Also rests on these cards")
    ruled_by_it = phrase("What followed")
    contest = phrase("Contest these cards")
    contest_help = phrase("Was another card there? The whole table is told, and the host looks again.")
    contested = phrase("Contested")
    contested_by = phrase("{name} contests the cards of answer {number}.")
    contested_enough = phrase("The table already knows. Wait a minute.")
    read_correctly = phrase("The cards were read correctly")

    # a photograph from a phone
    photograph = phrase("Photograph the cards")
    photo_how = phrase("From above, in even light, with all the cards in view and no others.")
    photo_kept = phrase(
        "Once you answer with these cards, the part of the photo around them is kept, and all may see it."
    )
    photo_file = phrase("Photo")
    photo_send = phrase("Read the cards")
    photo_wait = phrase("Reading takes a few seconds, half a minute at most.")
    photo_by_hand = phrase("Enter the cards by hand")
    photo_again = phrase("Take another photo")
    photo_alt = phrase("Your photo: every card outlined and named, as listed below.")
    photo_right = phrase("I read: {cards}. Right?")
    photo_read = phrase("I read: {cards}.")
    photo_unsure = phrase("Some cards are unclear: choose what they are, or take another photo.")
    photo_yes = phrase("Yes, these cards")
    photo_otherwise = phrase("Card by card")
    photo_card = phrase("Card {number}")
    photo_empty = phrase("I see no cards. Move closer, hold the phone flat above the cards, and add light.")
    photo_more = phrase(
        "More lies under {cards}, or beside it, than I can read: spread the cards, keep lamps from shining on "
        "them, and take another photo."
    )
    photo_settled = phrase("Named by the table's own camera: {cards}.")
    photo_disputed = phrase("Your photo and the table's own camera see a card differently: choose what it is.")
    photo_other = phrase("These look like cards of {other}, not of {deck}.")
    photo_hidden = phrase("Face down, not counted: {count}.")
    leave_it_out = phrase("doesn't count")
    photo_unasked = phrase("This phone isn't asked for cards right now, so the photo wasn't read.")
    photo_still = phrase("Your last photo is still being read. Please wait.")
    photo_often = phrase("Too many photos. Wait a minute, or enter the cards by hand.")
    photo_large = phrase("That photo is larger than 20 MB. Take a smaller one.")
    photo_no_room = phrase(
        "The table has no room for a photo now. Enter the cards by hand; the host makes room on its disk."
    )
    no_photo = phrase("No photo arrived. Take one first.")

    # settings
    settings = phrase("Settings")
    settings_help = phrase("These settings override the configuration file, which stays as it is.")
    language = phrase("Table language")
    language_help = phrase("For what the table says and shows. Each phone uses its own language.")
    surroundings = phrase("Same as the system: {name}")
    volume = phrase("Volume, 0 to 100")
    volume_help = phrase("Volume 0 is silent.")
    speed = phrase("Speed, 80 to 450")
    speed_help = phrase("Speed is in words per minute.")
    quiet_from = phrase("Quiet from")
    quiet_to = phrase("Quiet until")
    quiet_help = phrase("No sound during these hours, also past midnight. Leave empty for none.")
    test_sound = phrase("Test the sound")
    sound_tried = phrase("The table is speaking now. Can't hear it? Check the loudspeaker and its cable.")
    camera_help = phrase("pi is the Raspberry Pi camera; usb:0 or /dev/video0 is a USB camera.")
    second_camera = phrase("Second camera")
    second_camera_help = phrase("Asked where the first one has doubts; such as usb:0 or pi:1, empty for none.")
    small_pictures = phrase(
        "This computer has little memory: pictures of the Pi's camera are smaller, and fewer are held."
    )
    mat = phrase("The printed mat is on the table")
    mat_help = phrase("With the mat, its zones count; without it, each seat has its part of the table.")
    pieces = phrase("Count coins and other pieces")
    pieces_help = phrase("Where the camera sees other pieces than the record has, the table asks.")
    markers_across = phrase("Marker distance across, in mm")
    markers_down = phrase("Marker distance down, in mm")
    markers_help = phrase("Between the centres of the corner markers. Only without a mat.")
    keep_settings = phrase("Save and restart the table")
    keep_settings_help = phrase(
        "The match continues. If the table doesn't start properly, it returns to its configuration."
    )
    bad_volume = phrase("Volume: enter a whole number from 0 to 100.")
    bad_speed = phrase("Speed: enter a whole number from 80 to 450.")
    bad_quiet = phrase("Quiet hours: enter both times, such as 22:00 and 07:00, or neither.")
    bad_second_camera = phrase("Second camera: enter another one than the first, such as usb:0, or none.")
    bad_camera = phrase("Camera: enter pi, usb:0 or /dev/video0.")
    bad_apart = phrase("Markers: enter millimetres from 20 to 10000.")
    restarting = phrase("The table is restarting")
    restarting_help = phrase("This takes a few seconds; then the page comes back by itself.")
    restarting_back = phrase("Nothing happening? Go back")

    # nothing is saved
    what_helps = phrase("What helps")
    start_again = phrase("Start again")
    take_along = phrase("Take this match along")

    # backup
    backup = phrase("Backup")
    safe_once = phrase("Everything lies on this computer alone. Take a backup along, or plug a USB stick in.")
    safe_twice = phrase("Everything is safe twice: here and on {place}.")
    copy_is_coming = phrase("The first copy to {place} is still to come.")
    on_this_computer = phrase("On this computer")
    decks_taught = phrase("all matches, taught decks: {count}")
    included = phrase("Included")
    not_included = phrase("Not included")
    all_matches = phrase("All matches: {size}")
    kept_deck = phrase("Taught deck {name}: {size}")
    kept_others = phrase("Settings, configuration, table position: {size}")
    not_evidence = phrase("The pictures that rulings rest on: {size}")
    not_links = phrase("Phone links, seat codes and PIN: they are secret, and stay as they are.")
    not_unread = phrase("Decks that can't be read.")
    get_backup = phrase("Download the backup")
    restore = phrase("Restore a backup")
    restore_help = phrase(
        "Replaces everything listed as included. What is here now is moved aside, not deleted; the two newest "
        "copies are kept. The table restarts."
    )
    backup_file = phrase("Backup file, {size} at most")
    put_in_place = phrase("Check and restore")
    larger_backup = phrase("Larger? The manual tells how the table reads it.")
    moved_aside = phrase("Moved aside earlier")
    no_backup = phrase("No file arrived. Choose a backup first.")
    backup_too_big = phrase("That file is larger than {size}. The manual tells how the table reads it.")
    backup_cut = phrase("The file arrived incomplete. Send it again.")
    second_copy = phrase("Second copy")
    second_copy_help = phrase(
        "Plug a USB stick into the table: matches, settings and taught decks are copied to it while you play,"
        " and checked. The copies of 14 days stay. When one is restored, what is here now is moved aside."
    )
    no_stick = phrase("No stick is plugged in. One that was just plugged in shows here after a few seconds.")
    use_stick = phrase("Keep a second copy here")
    room_there = phrase("{size} free")
    own_copy = phrase("This table")
    other_copy = phrase("Another table, or this one with another card")
    backup_checked = phrase("The backup is valid and is being restored. Its unfinished match continues.")
    megabytes = phrase("{number} MB")
    kilobytes = phrase("{number} kB")

    # finding the table
    find_the_table = phrase("Find the table")
    table_is_known = phrase("The table has been found.")
    table_is_unknown = phrase("The table hasn't been found in the picture yet.")
    find_help = phrase(
        "Do this when you set up, and whenever the camera or the table has moved. It takes a minute; the "
        "table is paused meanwhile."
    )
    find_begin = phrase("Begin")
    find_it_anyway = phrase("Find the table as it is")
    find_again = phrase("Find it again")
    lay_the_markers = phrase(
        "Lay the four printed markers in the corners, the right way round; each shows its corner. None yet?"
    )
    markers_to_print = phrase("Markers to print (PDF)")
    clear_the_table = phrase("Clear everything else off the table: cards, cups, hands.")
    light_the_table = phrase("Light from two sides is better than one lamp above the camera.")
    look_for_markers = phrase("Lay the four markers in the corners of the table.")
    markers_in_place = phrase("Good. All four markers lie well.")
    markers_covered = phrase("The camera hangs well, but not all markers can be seen.")
    picture_follows = phrase("The picture follows your hand. Bring the markers into the outline.")
    fix_the_arm = phrase("Fix the arm now. If it moves later, the table says so.")
    gauge_markers = phrase("Markers")
    gauge_focus = phrase("Focus")
    gauge_light = phrase("Light")
    gauge_count = phrase("{count} of 4")
    gauge_sharp = phrase("sharp")
    gauge_blurred = phrase("blurred")
    gauge_good = phrase("good")
    gauge_too_dark = phrase("too dark")
    gauge_too_bright = phrase("too bright")
    gauge_unknown = phrase("no marker")
    how_to_prepare = phrase("What has to be ready")
    the_framing = phrase("The camera's view")
    how_far_apart = phrase("I measured how far apart they are")
    distance_help = phrase("In millimetres, from centre to centre, for more precision. Leave empty otherwise.")
    across = phrase("Across (mm)")
    from_top_to_bottom = phrase("Top to bottom (mm)")
    looking = phrase("One moment…")
    cancel = phrase("Cancel")
    table_picture = phrase("The photo just taken, with what was found in it")
    areas_right_with_name = phrase("Are the areas right, and is {name} at seat 1?")
    areas_right = phrase("Are the areas right?")
    nothing_lies_there = phrase("Only the markers are on the table: remember how it looks empty")
    keep_the_table = phrase("Yes, save it")
    turn_the_seats = phrase("Move all seats on by one")
    not_found_yet = phrase(
        "The table hasn't been found yet. Fix what is listed above and look again, or tap the corners below."
    )
    no_markers = phrase("No markers?")
    tap_help = phrase(
        "Tap the four corners of a rectangle that you can measure: the table top or a mat. Start at the upper "
        "left and go clockwise."
    )
    tap_next = phrase("Tap:")
    tap_done = phrase("All four are set. Tap near one to move it.")
    from_the_left = phrase("From the left (px)")
    from_above = phrase("From above (px)")
    picture_size = phrase("The picture is {width} pixels wide and {height} high.")
    how_far_apart_corners = phrase("How far apart are these corners?")
    these_corners = phrase("Use these corners")

    # teaching a deck
    teach_a_deck = phrase("Teach a deck")
    teach_help = phrase(
        "Cards printed here are known already. Show each shop-bought card to the camera once, in three "
        "places. The table is paused meanwhile; you can stop and continue another day."
    )
    deck_untaught = phrase("Not taught yet: {faces} faces.")
    deck_taught = phrase("Taught: {taught} of {faces} faces.")
    deck_drafted = phrase("Draft: {drafted} faces that don't count yet.")
    teach = phrase("Teach")
    go_on_teaching = phrase("Continue")
    throw_draft_away = phrase("Discard the draft")
    throw_draft_away_help = phrase("Faces that don't count yet are lost; those that count stay.")
    throw_draft_away_now = phrase("Discard it")
    faces_done = phrase("Faces taught: {done} of {faces}")
    table_is_empty = phrase("The table is empty")
    table_is_empty_again = phrase("Look at the empty table again")
    teach_done = phrase("All faces are taught.")
    teach_skipped = phrase("Done for now. Faces skipped: {left}. Choose one below to teach it.")
    placements = phrase("{placed} of {most} places")
    too_alike = phrase("This looks like {other}. If it isn't {face}, go back one step and lay the right card.")
    look_alike = phrase("{first} and {second} look alike: the camera may confuse them.")
    one_back = phrase("One step back")
    skip_face = phrase("Skip {face}")
    four_pictures = phrase("All 52 cards by four pictures")
    four_pictures_help = phrase(
        "Lay a suit upright in two rows, a finger apart: A to 7 above, 8 to K below. Hands away, then tap it."
    )
    tap_to_teach = phrase("Tap a card to teach it next, again if it is misread.")
    how_many_each = phrase("How many of each?")
    counts_help = phrase("Change what differs in your box.")
    how_many_in_box = phrase("Number of {face} in the box")
    note_count = phrase("Save")
    card_back = phrase("a card's back")
    summary_card = phrase("a summary card")
    save_help = phrase("Save the deck, and the table reads these cards from now on.")
    save_draft_help = phrase(
        "Your progress is kept, and counts once you save the deck. Faces that aren't taught can't be read: "
        "{left}."
    )
    save_deck = phrase("Save the deck")
    save_deck_anyway = phrase("Save it anyway")
    stop_teaching = phrase("Stop for now")
    as_in_the_box = phrase("Card counts match your box, because its deck was taught.")

    # comparing with the record
    audit = phrase("Compare with the record")
    audit_help = phrase(
        "Choose a row or a group of cards and push it to the middle. The table says what differs from the "
        "record."
    )
    audit_now = phrase("Comparing")
    compare = phrase("Compare the cards in the middle")
    audit_end = phrase("Stop comparing and play on")
    cards_moved = phrase("These cards have moved since. Choose again.")
    no_grids = phrase("No cards lie in rows right now, so there is nothing to compare.")

    # cards in rows
    grids = phrase("Cards in rows")
    grid_of = phrase("The cards of {name}, in rows")
    row = phrase("Row")
    no_cards_yet = phrase("{name} has no cards in rows yet.")
    beside = phrase("Beside it:")
    cell = phrase("row {row}, column {column}")
    cells = phrase("row {row}, columns {first} to {last}")
    cell_between = phrase("between {left} and {right}, row {row}")
    cell_after = phrase("to the right of {left}, row {row}")
    cell_before = phrase("to the left of {right}, row {row}")
    whole_row = phrase("all of row {row}")

    # what goes wrong
    slow_answer = phrase("The table hasn't answered yet. Check whether it counted before you try again.")
    shutting_down = phrase("The table is shutting down. That didn't count.")
    stale_form = phrase("That page was out of date. Here is a fresh one.")
    not_found = phrase("Page not found.")
    not_understood = phrase("The table didn't understand that.")
    too_big = phrase("That is too much at once.")
    too_many_watching = phrase("Too many people are watching already.")
    internal_error = phrase("Something went wrong here. The table keeps running.")


CORNERS: tuple[Phrase, ...] = (
    phrase("Upper left corner"),
    phrase("Upper right corner"),
    phrase("Lower right corner"),
    phrase("Lower left corner"),
)
"""Names of the corners to tap, in their order."""

TABLE_AREAS: Mapping[str, Phrase] = {
    "centre": phrase("Centre"),
    "proof": phrase("Proof"),
    "discard": phrase("Discard"),
    "herd": phrase("Herd {number}"),
    "camp": phrase("Camp {number}"),
    "taunt": phrase("Taunt {number}"),
}
"""Areas of the table, by the first word of their name."""

UNREAD_PHOTOGRAPHS: Mapping[UnreadReason, Phrase] = {
    "photo unreadable": phrase("That isn't a photo the table can read. Send a JPEG, PNG, WebP or HEIC."),
    "photo huge": phrase("That photo has too many pixels. Choose a smaller size in the camera."),
    "photo failed": phrase("The photo couldn't be read. Take another, or enter the cards by hand."),
    "photo slow": phrase(
        "Reading took too long. Move closer so that the cards fill the picture, and try again."
    ),
    "photo busy": phrase("Others are sending photos too. Try again in half a minute."),
}
"""Why a photograph wasn't read."""


def page_text(language: Language, text: Phrase, **values: object) -> str:
    """Give a text of the pages in a language, with its values filled in; one or many, by its count."""
    count = values.get(text.by)
    words = language.ngettext(text.one, text.many, count) if isinstance(count, int) else text.one
    return tell_text(language, words, values)
