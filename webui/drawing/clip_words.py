"""What clips of rulings say by themselves."""

from referee.contract.words import phrase


class ClipTexts:
    """The texts of clips, by name; `Texts` has them, too."""

    clips = phrase("Keep clips of rulings")
    clips_help = phrase(
        "10 seconds around each ruling by the camera: the open middle alone, no faces, no sound. All who see "
        "the score may watch them."
    )
    clips_kept = phrase("Clips are kept")
    clips_kept_help = phrase(
        "Clips of rulings are kept: 10 seconds each, of the open middle of the table alone."
    )
    show_clip = phrase("Show the clip")
    show_clip_of = phrase("Show the clip of answer {number}")
    clip_of_answer = phrase("Clip of answer {number}")
    clip_by_hand = phrase("Clip kept by the host after answer {number}")
    clips_of_match = phrase("Clips of this match")
    no_clips = phrase("There is no clip of this match.")
    no_clip = phrase("No clip of this is kept.")
    clip_comes = phrase("This clip is being kept: it is there in a few seconds.")
    clips_off = phrase("No clips are kept: the host can switch them on among the settings.")
    clip_frame = phrase("Picture {number} of {count}")
    clip_before = phrase("{seconds} s before the ruling")
    clip_after = phrase("{seconds} s after the ruling")
    clip_next = phrase("Next picture")
    clip_back = phrase("Picture before")
    clip_alt = phrase("The open middle of the table, seen from above")
    clip_masked = phrase("What is dark isn't recorded: players' places, and wherever cards may lie hidden.")
    clip_moving = phrase("As a moving picture, for a chat")
    clip_moves = phrase("The same, moving by itself")
    clip_not_made = phrase("This moving picture can't be made now. Try again in a minute.")
    clip_close = phrase("Close")
    clip_slower = phrase("Slow")
    keep_clip = phrase("Keep the last 10 seconds")
    keep_clip_help = phrase("Who was first? Were cards swept away too early? Keep it, then look again.")
