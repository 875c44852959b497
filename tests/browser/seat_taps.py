"""What a thumb does on a seat's page: it says a number, and holds the dome for a call."""

from playwright.sync_api import Page

SAY = ".of-number button.main"


def say_number(page: Page, number: int) -> None:
    """Type a number, and say it."""
    page.fill("input[name=other]", str(number))
    page.click(SAY)


def hold_to_call(page: Page) -> None:
    """Hold the dome until the call is made."""
    page.hover("button.howl")
    with page.expect_navigation(wait_until="domcontentloaded"):
        page.mouse.down()
    page.mouse.up()


def hand_over(page: Page) -> None:
    """Pull the sheet up, hand the seat over, and say that it is meant."""
    page.click("#peek > summary")
    page.click("#peek .last > summary")
    page.click("#peek .last button")
