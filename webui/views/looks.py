"""Look of a game for templates: symbols, cards and window pictures."""

from functools import cache, lru_cache, partial
from hashlib import sha256
from typing import TYPE_CHECKING
from urllib.parse import quote

import msgspec
from markupsafe import Markup, escape
from msgspec import Struct
from msgspec.structs import replace

from hardware.decks.look import LARGE, SMALL, Colours, GameLook, SceneAsk, ScenePicture
from referee.contract import Board
from referee.games.catalogue import GAMES
from referee.match import Match

if TYPE_CHECKING:
    from firmware.services.looks import Looks

SCENES = 32  # cached window pictures; seats and spectators often see the same one
DRAWN = 256
SYMBOL = Markup('<svg class="mark{more}" aria-hidden="true"><use href="{address}#{name}"/></svg>')
PATTERN = Markup(
    '<svg class="cover" aria-hidden="true"><defs><pattern id="cover-{name}" width="36" height="36"'
    ' patternUnits="userSpaceOnUse">{inside}</pattern></defs>'
    '<rect width="100%" height="100%" fill="url(#cover-{name})"/></svg>'
)
SCENE = Markup(
    '<svg class="scene{more}" viewBox="0 0 {width} {height}" preserveAspectRatio="{keep} slice"'
    ' aria-hidden="true">{inside}</svg>'
)


class Look:
    """Look of a game on a page."""

    def __init__(self, book: "LookBook", game: str, deck: str = "") -> None:
        self._book, self.game, self.deck = book, game, deck
        self.style = book.looks.style(game)
        self.sheet = book.sheet_address()
        # a page has dozens of them, and each moment renders many pages
        self.sign, self.card = lru_cache(DRAWN)(self._sign), lru_cache(DRAWN)(self._card)
        self._scenes = dict[bytes, Scene]()

    @property
    def tab(self) -> str:
        return self.style.sign

    def _sign(self, key: str, more: str = "") -> Markup:
        """Return a symbol by its own name or by the key it represents; empty if there is none."""
        name = self.sign_name(key)
        if not name:
            return Markup()
        address = self._book.sprite_address(self.game)
        return SYMBOL.format(more=f" {more}" if more else "", address=address, name=name)

    def sign_name(self, key: str) -> str:
        """Return the name of a key's symbol; empty if there is none."""
        name = self.style.signs.get(key, key)
        return name if name in self.style.symbols else ""

    def tint(self, value: str) -> str:
        """Return the CSS class of a value's colour; empty if it has none."""
        return f"tint-{self.game}-{value}" if value in self.style.tints else ""

    @property
    def dome(self) -> Markup:
        # the game's own drawing: from its package, never from user input
        return Markup(self.style.dome)  # noqa: S704

    def pattern(self, value: str) -> Markup:
        """Return a value's background pattern; empty if it has none."""
        tile = self.style.patterns.get(value, "")
        # the game's own drawing, too
        return PATTERN.format(name=f"{self.game}-{value}", inside=Markup(tile)) if tile else Markup()  # noqa: S704

    def card_address(self, face: str, *, is_small: bool = False, deck: str = "") -> str:
        """Return the address of a face's picture, or the back's for an empty face; empty if there is none."""
        return self._book.card_address(deck or self.deck, face, is_small=is_small)

    def _card(
        self, face: str, name: str, more: str = "", *, is_small: bool = False, is_lazy: bool = False
    ) -> Markup:
        """Return a card with its name; use the small picture below 130 pixels, and lazy loading off screen."""
        address = self.card_address(face, is_small=is_small)
        kind = f"card {more}".strip()
        if not address:
            return Markup('<span class="{} plain">{}</span>').format(kind, name)
        late = Markup(' loading="lazy"') if is_lazy else ""
        return Markup('<img class="{}" src="{}" width="63" height="88" alt="{}"{}>').format(
            kind, address, name, late
        )

    def scene(self, board: Board, *, is_over: bool = False, is_small: bool = False) -> "Scene":
        seen = msgspec.msgpack.encode((board, is_over, is_small))
        scene = self._scenes.get(seen)
        if scene is None:
            picture = self.style.draw_scene(SceneAsk(board, is_over, is_small))
            if len(self._scenes) >= SCENES:
                self._scenes.clear()
            scene = self._scenes[seen] = Scene(picture.mood, _scene_svg(picture, is_small=is_small))
        return scene

    def poster_scene(self, *, is_small: bool = False) -> "Scene":
        """Return the picture that represents the game: its brightest scene, the end."""
        picture = self.style.draw_scene(SceneAsk(Board(), is_over=True, is_small=is_small))
        # wide pictures are cropped at top and bottom, and their subject is near the top
        keep = "xMaxYMax" if is_small else "xMaxYMid"
        return Scene(picture.mood, _scene_svg(replace(picture, keep=keep), is_small=is_small))


class Scene(Struct, frozen=True):
    """A picture in a window, and the CSS class of its mood."""

    mood: str
    svg: Markup

    @property
    def has_emblem(self) -> bool:
        """Whether the picture shows the game's emblem, as most pictures of the end do."""
        return 'class="trophy"' in self.svg or 'class="emblem"' in self.svg


def _scene_svg(picture: ScenePicture, *, is_small: bool) -> Markup:
    width, height = SMALL if is_small else LARGE
    # the game's own drawing: from its package, never from user input
    inside = Markup(picture.svg)  # noqa: S704
    more = " bleed" if picture.has_bleed else ""
    return SCENE.format(more=more, width=width, height=height, keep=picture.keep, inside=inside)


class LookBook:
    """Looks, style sheet, symbols and cards of all games, each with its address."""

    def __init__(self, looks: "Looks") -> None:
        self.looks = looks
        self.sheet = cache(lambda: "".join(_game_rules(name, looks.style(name)) for name in GAMES))
        self.sprite = cache(self._sprite)
        self.card_address = cache(self._card_address)
        self.look = cache(partial(Look, self))

    def look_of(self, match: Match) -> Look:
        game = match.setup.game
        return self.look(game.name, game.table.deck(match.setup.house).name)

    def sheet_address(self) -> str:
        return f"/look/{fingerprint(self.sheet())}/games.css"

    def sprite_address(self, name: str) -> str:
        return f"/look/{fingerprint(self.sprite(name))}/{quote(name)}.svg"

    def _card_address(self, deck: str, face: str, *, is_small: bool) -> str:
        edition = self.looks.edition(deck)
        if not edition:
            return ""
        size = "small" if is_small else "full"
        return f"/cards/{edition}/{quote(deck)}/{size}/{quote(face or 'back', safe='')}.svg"

    def _sprite(self, name: str) -> str:
        symbols = self.looks.symbols(name).items()
        drawn = "".join(
            f'<symbol id="{escape(key)}" viewBox="-11 -11 22 22"><path fill-rule="evenodd" d="{path}"/>'
            "</symbol>"
            for key, path in symbols
        )
        return f'<svg xmlns="http://www.w3.org/2000/svg">{drawn}</svg>'


def fingerprint(text: str | bytes) -> str:
    """Return a name for content that changes with the content."""
    return sha256(text.encode() if isinstance(text, str) else text).hexdigest()[:10]


def _game_rules(name: str, style: GameLook) -> str:
    moods = (_colour_rule(f".look-{name}.{mood}", colours) for mood, colours in style.moods.items())
    tints = (f".tint-{name}-{value}{{--tint:{colour}}}" for value, colour in style.tints.items())
    rules = (_colour_rule(f".look-{name}", style.colours), *moods, *tints)
    return "".join(f"{rule}\n" for rule in rules)


def _colour_rule(where: str, colours: Colours) -> str:
    return (
        f"{where}{{--game:{colours.game}}}{where} .window{{--caps:{colours.caps};--key:{colours.key};"
        f"--rim:{colours.rim};background:{colours.window};color:{colours.on_window}}}"
    )
