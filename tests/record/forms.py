"""Forms of a page as a browser without script sends them, if nothing in them is changed."""

from html.parser import HTMLParser


class _Forms(HTMLParser):
    """Collects the fields of each form."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[tuple[str, dict[str, str]]] = []
        self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append((said.get("action", ""), {}))
        elif tag == "select":
            self._select = said.get("name", "")
        elif self.forms and tag == "option" and "selected" in said:
            self.forms[-1][1][self._select] = said["value"]
        elif self.forms and tag == "input" and "name" in said and _is_sent(said):
            self.forms[-1][1][said["name"]] = said.get("value", "on")


def _is_sent(said: dict[str, str]) -> bool:
    return said.get("type") not in {"checkbox", "radio"} or "checked" in said


def form_fields(html: str, action: str, **needed: str) -> dict[str, str]:
    """Give the fields of the first form that goes somewhere and has some fields preset."""
    page = _Forms()
    page.feed(html)
    return next(fields for where, fields in page.forms if where == action and needed.items() <= fields.items())
