"""A link that sends a match to the app BG Stats, which asks whether to keep the play.

Address and fields follow BG Stats' page "Push plays to BG Stats from other apps or websites".
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from urllib.parse import quote

import msgspec

from referee.contract import Game
from referee.summaries import Summary, name_key

ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "Coyote Table"
DAY = timedelta(days=1)


def play_link(summary: Summary, game: Game, title: str, location: str) -> str:
    """Make the link; empty if the match is unfinished or its date is unknown."""
    begun, ended = _time(summary.begun), _time(summary.ended)
    if summary.winners is None or begun is None:
        return ""
    play: dict[str, object] = {
        "sourceName": SOURCE,
        "sourcePlayId": _id(summary.begun, *summary.names),
        "playDate": f"{begun:%Y-%m-%d %H:%M:%S}",
        "location": location,
        "board": summary.edition.title(),
        "game": {
            "name": title,
            "sourceGameId": summary.game,
            "highestWins": game.counting.is_most_best,
            "noPoints": not game.counting.score,
        },
        "players": [_player(summary, game, seat) for seat in range(len(summary.names))],
    }
    # a match resumed another day did not last days, and a Pi's clock may have been wrong at its start
    if ended is not None and begun < ended < begun + DAY:
        play["durationMin"] = max(1, round((ended - begun).total_seconds() / 60))
    return ADDRESS + quote(msgspec.json.encode(play).decode(), safe="")


def _player(summary: Summary, game: Game, seat: int) -> Mapping[str, object]:
    name, counts = summary.names[seat], summary.counts[seat]
    score = counts.get(game.counting.score)
    return {
        "name": name,
        "sourcePlayerId": _id(name_key(name)),
        "startPlayer": seat == summary.starter,
        "winner": seat in (summary.winners or ()),
        "rank": summary.places[seat],
        **({} if score is None else {"score": score}),
    }


def _id(*words: str) -> str:
    """Give the same id for the same words, so that the app recognises it."""
    return sha256("\n".join(words).encode()).hexdigest()[:16]


def _time(text: str) -> datetime | None:
    """Parse a time; without a zone it is local."""
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
