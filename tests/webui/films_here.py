"""Films and score pictures without a separate process."""

from collections.abc import Sequence

from webui.server.film_making import FilmRequest, film_bytes, score_card_bytes


class LocalFilms:
    """Renders shared files in this process."""

    def film(self, record: Sequence[str], code: str, _pictures_of: int | None = None) -> bytes | None:
        return film_bytes(FilmRequest(tuple(record), code))

    def score_card(self, record: Sequence[str], code: str) -> bytes | None:
        return score_card_bytes(FilmRequest(tuple(record), code))
