"""What somebody sees of a table, and what they can do to it."""

from dataclasses import dataclass
from functools import cached_property
from typing import cast

from playwright.sync_api import BrowserContext, CDPSession, Locator, Page, expect

READ_BOARD = """() => ({
    columns: [...document.querySelectorAll('[data-column]')].map(
        column => [...column.querySelectorAll('li')].flatMap(
            li => li.matches('.down')
                ? ['??'] : [...li.querySelectorAll('[data-card]')].map(card => card.dataset.card))),
    foundations: Object.fromEntries([...document.querySelectorAll('[data-foundation]')].map(
        place => [place.dataset.foundation, place.querySelector('[data-card]')?.dataset.card ?? ''])),
})"""


# Resolves when no card is in flight any more.
LANDED = """() => Promise.allSettled(document.getAnimations()
    .filter(animation => animation.effect.target.closest('.tableau, .foundations'))
    .map(animation => animation.finished))"""


@dataclass(frozen=True)
class Spot:
    x: float
    y: float


class Person:
    """One person with one window."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.page: Page = context.new_page()
        self._tapped: Spot | None = None

    # Seeing

    def open(self, code: str) -> None:
        self.page.goto(f"/play/{code}")

    def card(self, card: str) -> Locator:
        return self.page.locator(f'[data-card="{card}"]')

    def place(self, to: str) -> Locator:
        """A column, or for ``F`` the foundations."""
        return self.page.locator(".foundations" if to == "F" else f'[data-column="{to}"]')

    @property
    def columns(self) -> list[list[str]]:
        return cast("list[list[str]]", self.page.evaluate(READ_BOARD)["columns"])

    @property
    def foundations(self) -> dict[str, str]:
        return cast("dict[str, str]", self.page.evaluate(READ_BOARD)["foundations"])

    @property
    def message(self) -> Locator:
        return self.page.locator('[role="status"]')

    def value(self, mark: str) -> str:
        return self.page.locator(f"[data-{mark}]").first.get_attribute(f"data-{mark}") or ""

    @property
    def rev(self) -> int:
        return int(self.value("rev"))

    def sees_rev(self, rev: int) -> None:
        """Wait for the answer to a change."""
        expect(self.page.locator(f'[data-rev="{rev}"]')).to_have_count(1)

    def action(self, action: str) -> Locator:
        return self.page.locator(f'[data-action="{action}"]:visible').first

    def focused(self) -> str:
        return cast("str", self.page.evaluate("document.activeElement.dataset?.card ?? document.activeElement.id"))

    # Doing

    def spot(self, card: str) -> Spot:
        """Where to grab a card that lies still: on its visible strip."""
        self.page.evaluate(LANDED)
        box = self.card(card).bounding_box()
        assert box is not None, f"{card} is not to be seen"
        strip = self.page.evaluate(
            """card => { const own = document.querySelector(`[data-card="${card}"]`), li = own.closest('li');
                return (li ?? own).getBoundingClientRect().height }""",
            card,
        )
        return Spot(box["x"] + box["width"] / 2, box["y"] + min(strip, box["height"]) / 2)

    def middle(self, to: str) -> Spot:
        """Where to drop: on a column, near its lower end; or in the midst of the foundations."""
        box = self.place(to).bounding_box()
        assert box is not None
        return Spot(box["x"] + box["width"] / 2, box["y"] + box["height"] * (0.5 if to == "F" else 0.9))

    def drag(self, card: str, to: str | Spot) -> None:
        start, end = self.spot(card), to if isinstance(to, Spot) else self.middle(to)
        mouse = self.page.mouse
        mouse.move(start.x, start.y)
        mouse.down()
        mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2)
        mouse.move(end.x, end.y)
        mouse.up()

    def touch(self, kind: str, *spots: Spot) -> None:
        """A raw touch event: touchStart, touchMove, touchEnd or touchCancel."""
        points = [{"x": spot.x, "y": spot.y, "id": index} for index, spot in enumerate(spots)]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    @cached_property
    def session(self) -> CDPSession:
        """A line to the browser itself, for what a page can't do."""
        return self.context.new_cdp_session(self.page)

    def swipe(self, card: str, to: str | Spot) -> None:
        start, end = self.spot(card), to if isinstance(to, Spot) else self.middle(to)
        self.touch("touchStart", start)
        for step in (0.1, 0.5, 1):
            self.touch("touchMove", Spot(start.x + (end.x - start.x) * step, start.y + (end.y - start.y) * step))
        self.touch("touchEnd")

    def tap(self, at: str | Spot) -> None:
        """A tap that means what it hits: at a spot just tapped a moment passes first, or it were two quick taps."""
        spot = at if isinstance(at, Spot) else self.spot(at)
        last = self._tapped
        if last is not None and abs(last.x - spot.x) < 30 and abs(last.y - spot.y) < 30:
            self.page.wait_for_timeout(400)
        self._tapped = spot
        self.page.touchscreen.tap(spot.x, spot.y)

    def click(self, card: str, times: int = 1) -> None:
        spot = self.spot(card)
        self.page.mouse.click(spot.x, spot.y, click_count=times)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
