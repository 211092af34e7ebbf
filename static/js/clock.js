// The bar's clock. The server's count is the truth; between two answers it is continued here, and
// only while the page is in view. Long gaps between ticks are sleep, not play, and are cut.

import { listen } from './board.js';

const LONGEST_TICK = 2000; // ms

let element = null; // the [data-clock] the count below belongs to
let shown = 0; // ms; the clock never goes back
let unreported = 0; // ms in view the server has not been told of
let inTransit = 0; // the part of it that a request under way carries
let last = 0;
let timer = null;

const isVisible = () => document.visibilityState === 'visible';
const isRunning = () => Boolean(element?.hasAttribute('data-running'));

export function formatTime(seconds) {
  const whole = Math.floor(seconds);
  const two = (number) => String(number).padStart(2, '0');
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, two(whole % 60)];
  return hours ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

function count() {
  const now = performance.now();
  if (isRunning() && isVisible()) unreported += Math.min(Math.max(now - last, 0), LONGEST_TICK);
  last = now;
}

function tick() {
  clearTimeout(timer);
  count();
  if (!element) return;
  const base = Number(element.dataset.clock) * 1000;
  // Stopped (not begun, or won): exactly what the server says.
  shown = isRunning() ? Math.max(shown, base + unreported) : base;
  const text = formatTime(shown / 1000);
  if (element.textContent !== text) element.textContent = text;
  if (isRunning() && isVisible()) timer = setTimeout(tick, 1005 - (shown % 1000));
}

/** The time to report with a request, in whole ms. */
export function takeTime() {
  count();
  inTransit = Math.round(unreported);
  return String(inTransit);
}

/** The answer to that request is here: what it carried is in the server's count, or is still ours to report. */
export function settleTime(isAccepted) {
  if (isAccepted) unreported = Math.max(0, unreported - inTransit);
  inTransit = 0;
}

/** After a swap: go on from the new count. */
export function readClock() {
  const now = document.querySelector('[data-clock]');
  if (now === element) return;
  count();
  element = now;
  if (!isRunning()) unreported = shown = 0;
  tick();
}

function report(addressOf) {
  count();
  const time = Math.round(unreported);
  if (!isRunning() || time < 1 || !navigator.sendBeacon) return;
  if (navigator.sendBeacon(addressOf('clock'), new URLSearchParams({ visible: String(time) }))) {
    element.dataset.clock = Number(element.dataset.clock) + time / 1000;
    unreported = 0;
  }
}

export function startClock(addressOf) {
  last = performance.now();
  listen('visibilitychange', () => {
    if (isVisible()) {
      last = performance.now();
      tick();
    } else {
      // The state is "hidden" already; the time up to now was still in view.
      if (isRunning()) unreported += Math.min(performance.now() - last, LONGEST_TICK);
      last = performance.now();
      report(addressOf);
    }
  });
  addEventListener('pagehide', () => report(addressOf));
  readClock();
}
