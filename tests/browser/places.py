"""All pages, by who may see them; `{answer}` and `{match}` stand for one that there is."""

OPEN = ("/", "/join", "/seat", "/host", "/history", "/rules", "/rules/why", "/statistics", "/why", "/twin")
SEAT = ("/seat", "/seat/rules", "/twin")
NEW = tuple(f"/host/new?game={game}" for game in ("coyote", "coup", "coup-d-etat", "plenty-coups", "ogallala"))
HOST = (
    "/host",
    "/host/more",
    "/host/people",
    "/host/people/1",
    "/welcome",
    "/host/check",
    "/host/table",
    "/host/teach",
    "/host/settings",
    "/host/backup",
    "/host/privacy",
    *NEW,
)
KEPT = (
    "/why/{answer}",
    "/history/{match}",
    "/history/{match}/decisions",
    "/history/{match}/film",
    "/history/{match}/film?at=3",
    "/history/{match}/film/what-if/2",
)
HOST_KEPT = ("/host/correct/{answer}", "/history/delete", "/history/delete?player=Bo")
