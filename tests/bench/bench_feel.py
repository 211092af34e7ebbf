"""How the table feels on a slow machine: clicks until something is painted, frames while dragging, bytes of a visit.

Chromium's processor is slowed four times. Baseline: the budgets of the design, printed beside what is measured.
Wants Chromium at ``/usr/bin/chromium`` or where the variable ``CHROMIUM`` says.
"""

import os
import statistics
from typing import Any, Final, cast

from playwright.sync_api import Browser, Page, sync_playwright

from tests.bench.bench_socket import HOST, serving
from tests.bench.common import show
from tests.browser.conftest import DEVICES, FLAGS
from tests.browser.person import Person
from tests.example import CODE, MOVES

SLOWER: Final = 4
MOVES_PLAYED: Final = 20
BUDGET: Final = 50
"""Milliseconds from a click to its paint."""

PRESS: Final = 70
"""Milliseconds that a finger stays down for a click."""

# The browser's own account of each interaction: from the input until the next paint.
WATCH_CLICKS: Final = """() => { window.delays = []; new PerformanceObserver(list => list.getEntries().forEach(entry =>
    entry.interactionId && window.delays.push([entry.name, entry.duration]))
).observe({type: 'event', durationThreshold: 16, buffered: false}) }"""
WATCH_FRAMES: Final = """() => { window.frames_ = []; let last; const frame = now => {
    if (last) window.frames_.push(now - last); last = now; window.watching && requestAnimationFrame(frame) };
    window.watching = true; requestAnimationFrame(frame) }"""


def percentile(values: list[float], part: float) -> float:
    return statistics.quantiles(values, n=100)[round(part * 100) - 1] if len(values) > 1 else values[0]


def first_visit(browser: Browser, site: str) -> tuple[int, int]:
    """Requests, and bytes over the wire, until the board lies there."""
    context = browser.new_context(base_url=site, **DEVICES["portrait"])
    person = Person(context)
    person.session.send("Network.enable")
    sizes: list[float] = []
    person.session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    person.page.goto(f"/play/{CODE}", wait_until="networkidle")
    context.close()
    return len(sizes), round(sum(sizes))


def clicks(page: Page) -> list[float]:
    """The longest event of each interaction so far."""
    return [
        delay for name, delay in cast("list[Any]", page.evaluate("window.delays")) if name in ("pointerup", "click")
    ]


def play(browser: Browser, site: str, device: str) -> tuple[list[float], list[float]]:
    """Milliseconds from each click to its paint, and from frame to frame while dragging."""
    context = browser.new_context(base_url=site, **{**DEVICES[device], "has_touch": False, "is_mobile": False})
    person = Person(context)
    person.open(CODE)
    person.session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    person.page.evaluate(WATCH_CLICKS)
    frames: list[float] = []
    for rev, move in enumerate(MOVES[:MOVES_PLAYED], start=1):
        card, to = move.split(">")
        start, end = person.spot(card), person.middle(to)
        if rev % 2:
            person.page.mouse.click(start.x, start.y, delay=PRESS)
            person.page.wait_for_timeout(400)
            if to != "F":
                person.page.mouse.click(end.x, end.y, delay=PRESS)
        else:
            mouse = person.page.mouse
            mouse.move(start.x, start.y)
            mouse.down()
            mouse.move(start.x + 10, start.y + 10)
            person.page.evaluate(WATCH_FRAMES)
            mouse.move(end.x, end.y, steps=40)
            frames += cast(
                "list[float]", person.page.evaluate("() => { window.watching = false; return window.frames_ }")
            )
            mouse.up()
        person.sees_rev(rev)
        person.page.wait_for_timeout(300)
    delays = clicks(person.page)
    context.close()
    return delays, frames


def main() -> None:
    executable = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    with serving("yukon") as (port, _), sync_playwright() as playwright:
        site = f"http://{HOST}:{port}"
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        requests, size = first_visit(browser, site)
        body = [("requests of a first visit", str(requests), "8"), ("its bytes", f"{size:,}", "51,200")]
        for device in ("desktop", "portrait"):
            delays, frames = play(browser, site, device)
            quick = sum(delay <= BUDGET for delay in delays)
            body += [
                (f"{device}: click to paint, median ms", f"{statistics.median(delays):.0f}", "50"),
                (f"{device}: click to paint, worst ms", f"{max(delays):.0f}", "50"),
                (f"{device}: clicks painted in time", f"{quick} of {len(delays)}", "all"),
                (f"{device}: drag frames, p95 ms", f"{percentile(frames, 0.95):.1f}", "17"),
            ]
        browser.close()
    show(f"Feel, processor slowed {SLOWER} times", ("", "measured", "budget"), body)


if __name__ == "__main__":
    main()
