"""Handing a match to BG Stats: a link that the app opens by itself, and asks whether to keep the play. Pure.

Address and fields are those that BG Stats describes in "Push plays to BG Stats from other apps or websites".
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
    """Make the link; none for a match that is open, or of which nobody knows when it was played."""
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
    # a match that went on another day took no days, nor one that began before a Pi's clock was set
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
    """Name something always the same, so that the app knows it again."""
    return sha256("\n".join(words).encode()).hexdigest()[:16]


def _time(text: str) -> datetime | None:
    """Read a time; one that doesn't say of which zone is the table's own."""
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
