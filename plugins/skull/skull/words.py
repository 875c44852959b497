"""Texts, moods and the rule book in our own words, as the game is commonly played."""

from referee.contract import Book, Cue, HeadlineWords, Label, Mood, Words, plural, wording, write_own_chapters

MOODS = {
    "round": "season",
    "bids": "claim",
    "challenge": "call",
    "kept": "truth",
    "skull": "lie",
    "loses": "loss",
}
CUES = {key: Cue(Mood(mood)) for key, mood in {**MOODS, "out": "out", "won": "win"}.items()}

WORDS = Words(
    title="Skull",
    pitch="Bid how many flowers you can turn up, and avoid the skulls.",
    faces={"flower": "flower", "skull": "skull"},
    asks={
        "lay": wording("Who still lays a disc: {seats:players}.", seats="Lay a disc face down before you."),
        "bid": "How many flowers [does {seats:players}|do you] bid, from {least} to {most}?",
        "add": wording("Or does {seats:players} lay another disc?", seats="Or another disc?"),
        "pass": wording("Or does {seats:players} pass?", seats="Or do you pass?"),
        "own": wording(
            "{seats:players} begins with the own stack.",
            seats=plural("Turn up your top disc.", "Turn up your {count} top discs.", by="count"),
        ),
        "whose": "Whose disc [does {seats:players}|do you] turn up next?",
        "disc": wording(
            "{seats:players} turns up the top disc there.", seats="Turn up the top disc there. What is it?"
        ),
        "lose": wording(
            "{seats:players} takes a disc of the challenger out of the game, unseen.",
            seats="Take a disc of the challenger out of the game, unseen.",
        ),
    },
    options={"add": "I lay another disc", "pass": "I pass", "turn-up": "a disc of {seat:player}"},
    rulings={
        "hands-out": "Everybody takes {count} discs: three flowers and a skull.",
        "round": "Round {number}: everybody lays a disc face down. {seat:player} begins.",
        "lays": "{seat:player} lays a disc.",
        "bids": "{seat:player} bids {count}.",
        "passes": "{seat:player} passes.",
        "challenge": "{seat:player} has to turn up {count} [flower|flowers].",
        "turns": "Before {other:player}, {seat:player} turns up: {cards:faces}.",
        "kept": "{count} [flower|flowers]: [{seat:player} wins|you win] the challenge.",
        "skull": wording(
            "A skull of {other:player}: {seat:player} loses the challenge.",
            seat="A skull: you lose the challenge.",
            other="Your skull: {seat:player} loses the challenge.",
        ),
        "loses": "[{seat:player} has|You have] one disc fewer.",
        "out": "{seat:player} has no disc left, and is out.",
        "won": "{seat:player} wins.",
    },
    situations={
        "bidding": plural("The bid is {count} flower.", "The bid is {count} flowers.", by="count"),
        "bid": "{shown} of {count} flowers turned up.",
        "aim": "{shown} of {count} flowers; now [{other:player}'s|your] stack.",
    },
    facts={"bid": Label("Flowers", "{shown} of {bid}"), "stack": Label("Face down", "{count}")},
    headlines={
        "bid": HeadlineWords(
            "{count}", above="{seat:player} must turn up", below=plural("flower", "flowers", "count")
        )
    },
    highlights={
        "kept": Label("Boldest challenge", "{seat:actor} turned up {count} [flower|flowers], and no skull.")
    },
    counts={"points": "{count} [challenge|challenges]", "discs": "{count} [disc|discs]"},
    statistics={"standing-points": "challenges won"},
    house={"goal": "challenges that win", "heir": "who begins if the challenger is out"},
    values={"heir.owner": "whose skull it was", "heir.left": "the next one clockwise"},
)
CHAPTERS = write_own_chapters(
    {
        "A round": {
            "set": "Each player has three flowers and a skull.",
            "lay": "Everybody lays a disc face down; the previous round's challenger begins.",
            "add": "On your turn, lay another disc on your stack, or bid; without a disc you must bid.",
            "bid": "After the first bid, each player bids more or passes for the round.",
            "most": "The highest bidder, once all others have passed or the bid is all discs,"
            " turns up that many.",
        },
        "The challenge": {
            "own": "Your own discs come first, from the top.",
            "whose": "Then the top discs of any others, one by one.",
            "turned": "If all are flowers, the challenge is won. A skull ends it, and it is lost.",
            "lose": "The loser loses a disc, unseen; if the skull was another player's, its owner"
            " draws the disc.",
        },
        "The end": {
            "out": "A player with no disc left is out.",
            "heir/owner": "Then the owner of the skull begins; after the challenger's own skull,"
            " the next one clockwise.",
            "heir/left": "Then the next one clockwise begins.",
            "end": "Winning {goal} challenges wins the match. So does being the last with discs.",
        },
    },
    agreed={"heir": {"owner": "heir/owner", "left": "heir/left"}},
)
BEHIND = {"pass": "bid", "turn-up": "whose", "disc": "whose"}
BOOK = Book(chapters=CHAPTERS, options=BEHIND, asks=BEHIND)
