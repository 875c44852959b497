"""The law for phones, measured: what a seat's page shows of a moment at 360 x 740, with hints on."""

from collections.abc import Iterator

from playwright.sync_api import Page

from firmware.language.catalogues import language
from referee.told import tell_moment
from tests.browser.layout import layout_faults
from tests.browser.phone_states import State
from tests.tiers import tiered
from tests.webui.room import Browser, Room

FOLD, CONFIRM, FACT, NARROW = 740, 684, 120, 320
"""A phone's height, where what confirms ends at the latest, the least height of the fact; a narrow phone."""
APART = ".strip, .came, .fact, .hint, h1, h2, form.ask, .likely, .callform, .besides, .peek > summary"
"""What never lies over another."""
NEWS = """window.EventSource = class {
  constructor() { this.heard = {}; this.readyState = 1; window.news = this; }
  addEventListener(kind, hear) { this.heard[kind] = hear; }
  close() {}
}"""
"""Stands for the table: what it sends is given by the test."""
HEAR = """async (text) => {
  const page = new DOMParser().parseFromString(text, "text/html");
  news.heard.moment({ data: page.getElementById("part").innerHTML });
  document.documentElement.lang = page.documentElement.lang;
  await document.fonts.ready;
}"""
MEASURE = """({ confirm, least, claims, said, fold, clock, may }) => {
  const found = [], near = 1;
  const shown = (each) => each.checkVisibility() && each.getClientRects().length
    && !each.closest(".unseen, [hidden]");
  const all = (names) => [...document.querySelectorAll(names)].filter(shown);
  const box = (each) => each.getBoundingClientRect();
  const plain = (text) => text.toLowerCase().replace(/\\s+/g, " ");
  const say = (what, each) =>
    found.push(`${what}: ${each.getAttribute("class") || each.localName} ${plain(each.innerText)}`);
  const end = (names, last) => {
    for (const each of all(names))
      if (!each.closest(".river, .targets") && box(each).bottom > last + near)
        say(`ends at ${Math.round(box(each).bottom)}`, each);
  };
  // what is decided about
  const fact = all(".fact")[0];
  if (!fact) return ["no fact"];
  const { top, bottom, height } = box(fact);
  if (height < least) found.push(`the fact is ${Math.round(height)} high`);
  const cards = all(".fact .claimed .card").length;
  // what has come to light is a scene, which has its own words
  const isScene = all(".fact .in-scene").length > 0;
  if (!isScene && cards < claims) found.push(`${cards} of ${claims} claimed cards are shown`);
  for (const each of all(".fact .inner > *, .fact :not(.in) > .card"))
    if (box(each).top < top - 3 || box(each).bottom > bottom + 3) say("beyond the fact", each);
  const told = plain(fact.innerText);
  if (!isScene && said.length && !said.some((words) => words.every((word) => told.includes(plain(word)))))
    found.push(`the fact lacks: ${said}`);
  if (clock && !all(".fact .fuse").length) found.push("no clock");
  const page = plain(document.querySelector(".phone").innerText);
  if (!page.includes(plain(may))) found.push(`nowhere: ${may}`);
  // what is asked, and what is pressed
  end("h1, .asking h2, .asking form :is(button, summary, .face), .asking a.choice, button.howl", confirm);
  end(".peek > summary, #hold", fold);
  // whole words, and nothing beyond the edge
  const texts = document.createTreeWalker(document.querySelector(".phone"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode, around = text.parentElement;
    if (!text.data.trim() || !shown(around) || around.closest("svg, .sheetup")) continue;
    for (const part of text.data.matchAll(/[^\\s\\u2010-\\u2014\\/-]+/g)) {
      const range = document.createRange();
      range.setStart(text, part.index);
      range.setEnd(text, part.index + part[0].length);
      const [first, ...lines] = [...range.getClientRects()].filter((each) => each.width > 0);
      if (lines.some((each) => each.top > first.top + first.height / 2)) say(`broken: ${part[0]}`, around);
    }
    const isCut = around.scrollWidth > around.clientWidth + 1
      && getComputedStyle(around).textOverflow === "ellipsis";
    const isWhole = around.closest(".fact, .asking, .hint") && !around.closest(".laid, .brought");
    if (isCut && isWhole) say("ends in dots", around);
  }
  for (const each of all(".phone *")) {
    if (each.closest(".river, svg, .in, .peek > summary > span")) continue;
    if (box(each).right > innerWidth + near || box(each).left < -near) say("beyond the edge", each);
  }
  return [...new Set(found)];
}"""
OF_PAGES = """({ least, target, isOpen }) => {
  const found = [], near = 1;
  const shown = (each) => each.checkVisibility({ visibilityProperty: true })
    && !each.closest(".unseen, [hidden], svg, noscript, [aria-hidden=true]");
  const plain = (text) => text.replace(/\\s+/g, " ").trim().slice(0, 60);
  const style = (each) => getComputedStyle(each);
  // what scrolls sideways is reached, but a page that one is on stands in its row of pages
  const scrolls = (each) => each && !each.matches("nav")
    && (style(each).overflowX === "auto" || scrolls(each.parentElement));
  // a bar at the foot, and what stays above others, lets what it covers come out from under it
  const isStuck = (each) => each
    && (["sticky", "fixed"].includes(style(each).position) || isStuck(each.parentElement));
  const frames = (each) => each === document.body ? [] : [
    ...(style(each).overflowY === "visible" ? [] : [each]), ...frames(each.parentElement)];
  const isOf = (one, other) => one.parentElement.contains(other) || other.contains(one)
    || one.closest("label, button, a")?.contains(other);
  if (!isOpen && scrollY) found.push(`opens scrolled by ${scrollY}`);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode, around = text.parentElement;
    if (!text.data.trim() || !shown(around)) continue;
    const size = parseFloat(style(around).fontSize), said = plain(text.data);
    if (size < least - 0.1) found.push(`${size.toFixed(1)} px: ${said}`);
    const range = document.createRange();
    range.selectNodeContents(text);
    const boxes = [...range.getClientRects()];
    // what ends in dots is meant to, but never what others have
    const isCut = style(around).textOverflow === "ellipsis" && !around.closest(".peek > summary");
    if (!isCut && !scrolls(around) && boxes.some((box) => box.left < -near || box.right > innerWidth + near))
      found.push(`beyond the edge: ${said}`);
    for (const box of isOpen || isCut ? [] : boxes) {
      const x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
      const edges = frames(around).map((frame) => [frame, frame.getBoundingClientRect()]);
      const out = edges.some(([, edge]) => x < edge.left || x > edge.right || y < edge.top || y > edge.bottom);
      // what has no room at all is left out; half a line is cut
      const isHalf = ([frame, edge]) => style(frame).overflowY === "hidden"
        && ((box.top < edge.bottom - 4 && box.bottom > edge.bottom + 4)
          || (box.top < edge.top - 4 && box.bottom > edge.top + 4));
      if (edges.some(isHalf)) found.push(`cut: ${said}`);
      const over = out ? null : document.elementFromPoint(x, y);
      if (over && !over.matches(".felt") && !isOf(over, around) && !isStuck(over) && !isStuck(around))
        found.push(`${over.localName}.${over.getAttribute("class")} lies over: ${said}`);
    }
  }
  // rows of a list may say the same of different things
  const told = [...document.querySelectorAll("p, h1, h2, h3, li, dd, figcaption")]
    .filter((each) => shown(each) && !each.matches(".source") && !each.querySelector("p, h2, li, dl"))
    .map((each) => ({ text: plain(each.innerText), row: each.closest("li, dd, .chapter") }))
    .filter((each) => / .* .* .*[.?!]$/.test(each.text));
  for (const [place, one] of isOpen ? [] : told.entries())
    if (told.slice(0, place).some((each) => each.text === one.text && !(each.row && one.row)))
      found.push(`said twice: ${one.text}`);
  for (const each of document.querySelectorAll("a, button, summary, input:not([type=hidden]), select")) {
    if (!shown(each) || each.matches("p a, small a, li > a:only-child")) continue;
    // what is hit is the label or the field, whichever is larger
    const sides = [each, ...(each.labels ?? [])].map((part) => part.getBoundingClientRect());
    const box = sides.reduce((one, other) => other.height > one.height ? other : one);
    const name = plain(each.innerText || each.ariaLabel || each.name);
    if (Math.min(box.width, box.height) < target - 0.5)
      found.push(`${Math.round(box.width)} x ${Math.round(box.height)}: ${name}`);
    const size = parseFloat(style(each).fontSize);
    const isTall = box.height > 3.5 * size && box.width < 5 * size;
    if (each.matches("a:not(:has(svg))") && name.includes(" ") && isTall)
      found.push(`word below word: ${name}`);
  }
  return [...new Set(found)];
}"""
"""What breaks the law on a page of any size; what is unfolded may lie over what it belongs to."""
LEAST, TARGET, DESK = 14, 44, 700
"""Pixels of the smallest text on a phone, of what a thumb hits there, and of the narrowest page on a desk."""
SIZES = ((NARROW, 640), (360, FOLD), (1280, 800), *tiered((), ((390, 844), (1920, 1080))))
"""In which sizes pages are looked at: at each commit two phones and a desk."""
TOO_WIDE = "document.scrollingElement.scrollWidth - innerWidth"


def open_seat(page: Page) -> None:
    """Open a seat's page that hears of the test, not of a table."""
    page.add_init_script(NEWS)
    page.goto("/seat", wait_until="load")


class Phones:
    """The phones of all seats in a language, shown one after the other."""

    def __init__(self, room: Room, code: str) -> None:
        self._room, self.code = room, code
        self._setup: tuple[object, ...] = ()
        self._sitting: dict[int, Browser] = {}

    def show(self, page: Page, state: State) -> None:
        page.evaluate(HEAR, self._html_of(state))

    def _html_of(self, state: State) -> str:
        self._room.door.match = state.match
        setup = state.match.setup
        if self._setup != (now := (setup.game.name, setup.house, setup.names)):
            # at another table those who sat here may have lost their seats
            self._setup, self._sitting = now, {}
        if state.seat not in self._sitting:
            self._sitting[state.seat] = self._room.browser().sit(state.seat)
        return self._sitting[state.seat].get("/seat", {"Accept-Language": self.code}).text

    def faults(self, page: Page, state: State) -> list[str]:
        """Show a moment on the phone of a seat, and list what breaks the law."""
        self.show(page, state)
        cut = layout_faults(page, 11, APART)
        return cut if state.match.outcome else [*page.evaluate(MEASURE, self._wanted(state)), *cut]

    def _wanted(self, state: State) -> dict[str, object]:
        match = state.match
        board = match.setup.game.shown.board(match.setup.game.shown.view(match.state, state.seat))
        claims = sum(row.claimed_by is not None for row in board.cards)
        return {
            "confirm": CONFIRM,
            "least": FACT,
            "fold": FOLD,
            "claims": claims,
            # a card that was proved, and the purses, say it as a claimed one does
            "said": [] if claims or board.changes else [*self._said(state)],
            "clock": any(ask.deadline is not None for ask in match.asks),
            "may": self._may_say(state),
        }

    def _may_say(self, state: State) -> str:
        """Give what all others are told while one who claims may ask for objections."""
        told = tell_moment(state.match, language(self.code), state.seat, is_short=True)
        others = (each for each in told.questions if each.question.key == "objections")
        return next((each.text for each in others if state.seat not in each.question.seats), "")

    def _said(self, state: State) -> Iterator[list[str]]:
        """Give what the window says in any case: the number that stands, or else all facts that decide."""
        told = tell_moment(state.match, language(self.code), state.seat)
        if told.headline is not None:
            yield [told.headline.figure]
        yield [each.text for each in told.key_facts]


def page_faults(page: Page, *, is_open: bool = False) -> list[str]:
    """List what breaks the law on a page: what is cut, covered, crowded, said twice, or too small."""
    is_phone = page.evaluate("innerWidth") < DESK
    least, target = (LEAST, TARGET) if is_phone else (0, 0)
    found: list[str] = page.evaluate(OF_PAGES, {"least": least, "target": target, "isOpen": is_open})
    wide = page.evaluate(TOO_WIDE)
    return [*found, *([f"{wide} pixels too wide"] if wide > 0 else [])]
