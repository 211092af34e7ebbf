// The bar's clock. The server's count is the truth; between two answers it goes on here, and only
// while the page is in view. A long gap between two ticks was sleep, not play, and is cut.

import { byId, listen } from './board.js';

const LONGEST_TICK = 2000; // ms

let dial = null; // the [data-clock] element the count belongs to
let game = null; // the deal it counts for
let shown = 0; // ms; the clock never goes back
let unreported = 0; // ms in view of which the server has not been told
let reported = 0; // the part of it that is under way
let counted = performance.now();
let nextTick;

const isVisible = () => document.visibilityState === 'visible';
const isRunning = () => dial?.dataset.running !== undefined;

export function formatTime(seconds) {
  const [h, m, s] = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(Math.floor);
  const two = (number) => String(number).padStart(2, '0');
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

function count() {
  const now = performance.now();
  if (isRunning()) unreported += Math.min(now - counted, LONGEST_TICK);
  counted = now;
}

function tick() {
  clearTimeout(nextTick);
  count();
  const base = 1000 * dial.dataset.clock;
  // Not begun, or won: exactly what the server says.
  shown = isRunning() ? Math.max(shown, base + unreported) : base;
  dial.textContent = formatTime(shown / 1000);
  if (isRunning() && isVisible()) nextTick = setTimeout(tick, 1005 - (shown % 1000));
}

/** The time to report with a request, in whole ms. */
export function takeTime() {
  count();
  reported = Math.round(unreported);
  return reported;
}

/** That request was accepted: what it carried is now in the server's count. */
export function settleTime() {
  unreported = Math.max(0, unreported - reported);
}

/** After a swap: go on from the new count. */
export function readClock() {
  const current = document.querySelector('[data-clock]');
  if (!current || current === dial) return;
  count();
  dial = current;
  if (game !== byId('table').dataset.code || !isRunning()) unreported = shown = 0;
  game = byId('table').dataset.code;
  tick();
}

const reportOf = (time) => new URLSearchParams({ visible: time });

function settleReport() {
  dial.dataset.clock = +dial.dataset.clock + reported / 1000;
  settleTime();
}

/** Report the time in view, on the way out. */
export function report(address) {
  const time = takeTime();
  if (isRunning() && time > 0 && navigator.sendBeacon?.(address, reportOf(time))) settleReport();
}

/** Report the time in view, and wait until that is done; the answer doesn't matter. */
export async function tellTime(address) {
  const time = takeTime();
  if (!isRunning() || time < 1) return;
  const request = { method: 'POST', body: reportOf(time), signal: AbortSignal.timeout(3000) };
  const answer = await fetch(address, request).catch(() => null);
  if (answer?.ok) settleReport();
}

/** What the page showed when it was left, should it be asked for again before its last report has arrived. */
const LAST_SHOWN = 'yukon-clock';
const gameNow = () => `${byId('table').dataset.code} ${document.querySelector('[data-moves]')?.dataset.moves}`;

function leave(address) {
  report(address);
  if (isRunning()) sessionStorage.setItem(LAST_SHOWN, JSON.stringify([gameNow(), shown]));
}

function resume() {
  const [left, time] = JSON.parse(sessionStorage.getItem(LAST_SHOWN) ?? '[]');
  readClock();
  if (left === gameNow() && isRunning()) shown = Math.max(shown, time);
  tick();
}

/** Start the clock; `addressOf` tells where to report when the page goes out of view. */
export function startClock(addressOf) {
  resume();
  // Before the next page is asked for: at pagehide its answer has already been made.
  addEventListener('beforeunload', () => leave(addressOf('/clock')));
  addEventListener('pagehide', () => isVisible() && leave(addressOf('/clock')));
  listen('visibilitychange', () => {
    if (isVisible()) counted = performance.now();
    else report(addressOf('/clock'));
    if (dial) tick();
  });
}
